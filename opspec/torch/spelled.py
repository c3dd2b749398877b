"""A call of an operator as the lines of Python that make torch_npu call it, where the table has such an interface.

Whether a call of PyTorch comes to just this one is not thought out but tried, on tensors without data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch

from opspec.errors import OpspecError
from opspec.language.values import Argument, Scalar, Tensor
from opspec.registry.registry import Form
from opspec.torch.binding import Signature, just, sources_of
from opspec.torch.mode import Calls
from opspec.torch.places import Modules
from opspec.torch.report import Report
from opspec.torch.table import Case, Entry, table
from opspec.torch.values import torch_dtype, without_ranks
from opspec.validator.python_args import python_arguments
from opspec.vocabulary.shapes import contiguous_strides

MOST_VALUES = 64  #: elements of a tensor that are written one by one


def python_of(form: Form, arguments: Mapping[str, Argument], product: str | None) -> str | None:
    """A program that makes the call; None where no interface is known that makes just this one.

    Args:
        arguments: of the operator, typed, by param name.
        product: the one that torch_npu would run on.
    """
    for entry in table().entries.values():
        for case in entry.cases:
            if case.operator != form.operator:
                continue
            found = _found(entry, case, form, arguments, product)
            if found is not None:
                return "\n".join(["import torch", "import torch_npu", "", *_program(entry.name, found), ""])
    return None


def _found(
    entry: Entry, case: Case, form: Form, arguments: Mapping[str, Argument], product: str | None
) -> dict[str, Argument] | None:
    """Arguments of PyTorch's call that make this one, as few as do; None where none do."""
    called = overload_of(entry.name)
    given = None if called is None else _given(called, entry, case, form, arguments)
    if given is None or not _makes(called, given, form, arguments, product):
        return None
    for argument in called._schema.arguments:
        if argument.name in given and argument.has_default_value():
            fewer = {name: value for name, value in given.items() if name != argument.name}
            if _makes(called, fewer, form, arguments, product):
                given = fewer
    return given


def overload_of(name: str) -> Any:
    """PyTorch's operator of a name in the table; None where this PyTorch has none."""
    space, _, rest = name.partition("::")
    packet, _, variant = rest.partition(".")
    try:
        return getattr(getattr(getattr(torch.ops, space), packet), variant or "default")
    except AttributeError:
        return None


def _given(
    called: Any, entry: Entry, case: Case, form: Form, arguments: Mapping[str, Argument]
) -> dict[str, Argument] | None:
    """Argument of PyTorch's call -> what the operator's call has; None where a needed one cannot be told from it."""
    try:
        sources = sources_of(Signature(called._schema, lets=entry.let), case, form, table().defaults)
    except OpspecError:  # it stands for calls with numbers in place of tensors
        return None
    by_argument: dict[str, str] = {}
    for param, source in sources.items():
        told = just(source)
        if told is not None:
            by_argument.setdefault(told, param)
    found: dict[str, Argument] = {}
    for argument in called._schema.arguments:
        value = arguments.get(by_argument.get(argument.name, ""))
        if value is None and (argument.has_default_value() or argument.name in found):
            continue
        if value is None and argument.type.kind() != "OptionalType":
            return None
        found[argument.name] = value
    return found


class Bound(Calls):
    """Keeps what calls come to.

    Attributes:
        calls: of each call the operators and arguments by param name, as :meth:`Calls.bound` gives them.
    """

    def __init__(self, product: str | None, release: str) -> None:
        super().__init__(Report(product), Modules(), product, release, (), "en")
        self.calls: list[list[tuple[str, dict[str, Any]]]] = []

    def done(self, entry: Entry, func: Any, args: Any, kwargs: Any, result: Any) -> None:
        """Keep them: nobody asks for a verdict."""
        self.calls.append(self.bound(entry, func, args, kwargs, result))


def _makes(
    called: Any, given: Mapping[str, Argument], form: Form, arguments: Mapping[str, Argument], product: str | None
) -> bool:
    """Whether PyTorch's call comes to the operator's, argument by argument."""
    try:
        values = {name: _empty(value) for name, value in given.items()}
        with Bound(product, form.release) as seen:
            called(**values)
        (((operator, bound),),) = seen.calls
        if operator != form.operator:
            return False
        made = python_arguments(form.operator, form.params, bound)
    except Exception:  # whatever PyTorch has against the call: torch_npu then does not make it, either
        return False
    return str(without_ranks(dict(arguments))) == str(without_ranks(dict(zip(arguments, made, strict=True))))


def _empty(value: Argument) -> Any:
    """A value of PyTorch for an argument; tensors have no data."""
    if isinstance(value, Tensor):
        shape, strides = value.shape, value.strides
        made = torch.empty(1 if strides else shape, dtype=torch_dtype(value.dtype), device="meta")
        return made.as_strided(shape, strides, value.offset) if strides else made
    if isinstance(value, Scalar):
        return value.value
    return [_empty(item) for item in value] if isinstance(value, tuple) else value  # type: ignore[arg-type]


def _program(name: str, given: Mapping[str, Argument]) -> Iterator[str]:
    """Lines that make the arguments, and the call."""
    words = []
    for argument, value in given.items():
        lines: list[str] = []
        words.append(f"{argument}={_made(argument, value, lines)}")
        yield from lines
    space, _, rest = name.partition("::")
    packet, _, variant = rest.partition(".")
    called = f"torch_npu.{packet}" if space == "npu" else f"torch.ops.{space}.{packet}.{variant or 'default'}"
    yield f"print({called}({', '.join(words)}))"


def _made(name: str, value: Any, lines: list[str]) -> str:
    """The expression of an argument; tensors are made before it."""
    if isinstance(value, Tensor):
        lines.append(f"{name} = {_tensor(value)}")
        return name
    if isinstance(value, Scalar):
        return repr(value.value)
    if isinstance(value, tuple):
        return f"[{', '.join(_made(f'{name}_{index}', item, lines) for index, item in enumerate(value))}]"
    return repr(value)


def _tensor(value: Tensor) -> str:
    """A tensor of that shape, dtype, strides and values on the device."""
    dtype = torch_dtype(value.dtype)
    if value.values is not None and len(value.values) <= MOST_VALUES and value.strides is None:
        return f"torch.tensor({list(value.values)}, dtype={dtype}, device='npu').reshape({list(value.shape)})"
    strides = value.strides if value.strides is not None else contiguous_strides(value.shape)
    if strides == contiguous_strides(value.shape) and not value.offset:
        return f"torch.ones({list(value.shape)}, dtype={dtype}, device='npu')"
    size = value.offset + 1 + sum((dim - 1) * stride for dim, stride in zip(value.shape, strides, strict=True) if dim)
    whole = f"torch.ones({size}, dtype={dtype}, device='npu')"
    return f"{whole}.as_strided({list(value.shape)}, {list(strides)}, {value.offset})"
