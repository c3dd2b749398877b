"""Calls that come to a device as others: those that they are made of."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch

from opspec.torch.attention import COMPOSED, led

#: calls with lengths in tensors: a device's PyTorch reads them, and makes the call that takes lists
READ = ("aten::_ctc_loss.Tensor", "aten::_ctc_loss_backward.Tensor")


@functools.cache
def parts_of(func: Any) -> Callable[..., Any] | None:
    """What runs a call as the calls that it is made of; None for one that comes to a device as it is.

    In ``torch.inference_mode`` PyTorch takes nothing apart before a mode sees it.
    """
    if func.name() == COMPOSED:
        return led
    if func.name() in READ:
        return functools.partial(_with_lists, func.overloadpacket.default)
    return func.decompose if func._can_decompose() else None


def _with_lists(called: Any, *args: Any, **kwargs: Any) -> Any:
    """A call with the elements of tensors where it takes lists."""
    names = [argument.name for argument in called._schema.arguments]
    lists = {argument.name for argument in called._schema.arguments if str(argument.real_type) == "List[int]"}
    given = {**dict(zip(names, args, strict=False)), **kwargs}
    return called(**{
        name: value.tolist() if name in lists and isinstance(value, torch.Tensor) else value
        for name, value in given.items()
    })  # fmt: skip
