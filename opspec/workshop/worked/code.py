"""Calls of PyTorch as one writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import torch

from opspec.language.values import Scalar

_SPACES = (("torch", torch), ("torch.nn.functional", torch.nn.functional), ("torch.special", torch.special),
           ("torch.linalg", torch.linalg))  # fmt: skip


def spelling(called: Any) -> str:
    """The function, as one writes it."""
    space, _, packet = called._schema.name.partition("::")
    if space == "npu":
        return f"torch_npu.{packet}"
    if packet.endswith("_") and not packet.startswith("_") and hasattr(torch.Tensor, packet):
        return f"torch.Tensor.{packet}"
    for name, home in _SPACES:
        if getattr(getattr(home, packet, None), "__doc__", None) and not packet.startswith("_"):
            return f"{name}.{packet}"
    overload = called._schema.overload_name
    return f"torch.ops.aten.{packet}" + (f".{overload}" if overload else "")


def known_as(called: Any) -> str:
    """The function that people call, of which PyTorch makes this one; itself where it is just that."""
    own = spelling(called)
    packet = called._schema.name.removeprefix("aten::")
    plain = re.sub(r"^_?(linalg_|native_)?", "", packet)
    if not own.startswith("torch.ops.aten.") or plain == packet:
        return own
    spaces = reversed(_SPACES) if "linalg" in packet else _SPACES
    found = (f"{name}.{plain}" for name, home in spaces if getattr(getattr(home, plain, None), "__doc__", None))
    return next(found, own)


def line(called: Any, given: Mapping[str, Any], names: Mapping[str, str], target: str) -> str:
    """The line of Python that makes the call; tensors are named like the params.

    Args:
        target: the param that the result is; empty where there is none to name.
    """
    words: list[str] = []
    named = False
    for argument in called._schema.arguments:
        if argument.name not in given:
            named = True
            continue
        value = given[argument.name]
        if argument.has_default_value() and value == argument.default_value and not isinstance(value, torch.Tensor):
            named = True
            continue
        text = _text(value, names.get(argument.name, argument.name))
        words.append(f"{argument.name}={text}" if named or argument.kwarg_only else text)
    name = spelling(called)
    if name.startswith("torch.Tensor."):
        return f"{words[0]}.{name.removeprefix('torch.Tensor.')}({', '.join(words[1:])})"
    made = f"{name}({', '.join(words)})"
    return f"{target} = {made}" if target else made


def _text(value: Any, param: str) -> str:
    if isinstance(value, torch.Tensor):
        return param
    if isinstance(value, Scalar):
        return repr(value.value)
    if isinstance(value, list) and value and all(item is None or isinstance(item, torch.Tensor) for item in value):
        return param
    return repr(value)


def in_place(text: str) -> str:
    """``x = torch.neg(x)`` as the method that does it in place, where there is one."""
    found = re.fullmatch(r"(\w+) = torch\.(\w+)\(\1(?:, )?(.*)\)", text)
    if found is None or not hasattr(torch.Tensor, f"{found[2]}_"):
        return text
    return f"{found[1]}.{found[2]}_({found[3]})"
