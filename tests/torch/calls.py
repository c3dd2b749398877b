"""The calls that the table gives as examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from opspec.torch.mode import Calls
from opspec.torch.table import Entry
from opspec.torch.values import torch_dtype
from opspec.validator.verdict import Verdict
from opspec.vocabulary import formats

PRIVATE = "FRACTAL_NZ"
NUMBER = 2  #: what a call has where an entry says what numbers stand for


def overload(name: str) -> Any:
    """PyTorch's operator of a name in the table."""
    namespace, _, rest = name.partition("::")
    packet, _, variant = rest.partition(".")
    return getattr(getattr(getattr(torch.ops, namespace), packet), variant or "default")


def variants(entry: Entry) -> Iterator[frozenset[str]]:
    """Which arguments are numbers in the calls that an entry is about."""
    yield frozenset()
    for name in entry.number:
        yield frozenset({name})


def example(entry: Entry, numbers: frozenset[str], device: str) -> tuple[list[Any], dict[str, Any]]:
    """Arguments by position and by name; a tensor that the entry does not speak of is a small one of FLOAT."""
    schema = overload(entry.name)._schema
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for argument in schema.arguments:
        if argument.name in numbers:
            value: Any = NUMBER
        elif argument.name in entry.example:
            value = _value(entry.example[argument.name], str(argument.real_type), device)
        elif str(argument.real_type) == "Tensor":
            value = _tensor("FLOAT[2, 3]", device)
        else:
            continue
        kwargs[argument.name] = value
    for argument in schema.arguments:
        if argument.kwarg_only or argument.name not in kwargs:
            break
        args.append(kwargs.pop(argument.name))
    return args, kwargs


def _value(text: Any, kind: str, device: str) -> Any:
    plain = kind.removeprefix("Optional[").removesuffix("]") if kind.startswith("Optional[") else kind
    if text is None:
        return None
    if isinstance(text, list):
        return [_value(item, plain.removeprefix("List[").removesuffix("]"), device) for item in text]
    readers: dict[str, Callable[[Any], Any]] = {
        "Tensor": lambda text: _tensor(text, device),
        "int": int,
        "SymInt": int,
        "float": float,
        "number": lambda text: float(text) if "." in text else int(text),
        "bool": {"true": True, "false": False}.__getitem__,
        "ScalarType": torch_dtype,
        "str": str,
    }
    return readers[plain](text)


def _tensor(text: str, device: str) -> torch.Tensor:
    """``FLOAT16[2, 3]``, or ``FLOAT16[2, 3] FRACTAL_NZ``; ones, or zeros where they may be indices."""
    shown, _, layout = text.partition("] ")
    dtype, _, dims = shown.rstrip("]").partition("[")
    shape = [int(dim) for dim in dims.split(",") if dim.strip()]
    make = torch.ones if dtype.startswith(("FLOAT", "BF")) else torch.zeros
    made = make(shape, dtype=torch_dtype(dtype), device=device)
    return torch.ops.npu.npu_format_cast(made, formats.number(layout)) if layout else made


def keeping(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """The operators and arguments of the calls that are judged from now on, in their order."""
    calls: list[tuple[str, dict[str, Any]]] = []
    judged = Calls._judged

    def keep(self: Calls, operator: str, arguments: dict[str, Any]) -> Verdict:
        calls.append((operator, arguments))
        return judged(self, operator, arguments)

    monkeypatch.setattr(Calls, "_judged", keep)
    return calls
