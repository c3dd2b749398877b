"""What tensors of a worked call hold, and how results are written."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from opspec.codegen.stubs.example import typed_arguments
from opspec.codegen.stubs.values import MASK, NUMBERS, SCALES, WHOLE, Filling, fillings, with_values
from opspec.errors import OpspecError
from opspec.language.values import Number, Tensor
from opspec.model.definition import Definition
from opspec.model.example import example_of
from opspec.registry.registry import Form
from opspec.validator.judge import judge
from opspec.validator.python_args import python_arguments
from opspec.vocabulary import dtypes, products
from opspec.workshop.worked.branches import reaching

RISING = (-0.75, 0.25, 1.0, 1.75, 2.5, 3.0)
#: names of params -> what they hold: masks, what others are multiplied by
_BY_NAME = (
    (re.compile("mask", re.IGNORECASE), MASK),
    (re.compile("sorted|boundar", re.IGNORECASE), RISING),
    (re.compile("scale|weight|gamma|rstd|invstd|var", re.IGNORECASE), SCALES),
)
MOST = 16  #: elements of a tensor that a reader sees at once
MOST_OUT = 24  #: of a result
LARGE, SMALL = 1e6, 1e-12  #: results beyond are of inputs that one would not give; those below are 0
DIGITS = 4  #: significant ones of a result
EXACT_DIGITS = 6  #: of one that these write without a loss

#: what tensors of numbers hold, in the order of trial: the second for operators that have no value for negative
#: numbers, the third for those that have one between 0 and 1 alone, the fourth for those that have none below 1, the
#: last for those that ask whether numbers are equal, or 0
SETS: tuple[Sequence[float], ...] = (
    NUMBERS, (1.0, 0.5, 2.0, 0.25, 1.5, 0.75, 3.0, 0.125), (0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875, 0.3125),
    (1.5, 3.0, 2.0, 4.0, 1.25, 2.5, 1.75, 3.5), (0.0, 0.0, 1.0, 2.0),
)  # fmt: skip
_LAP = 0.1  # what is added where the numbers begin anew, so that no two are equal
_STEP = 3  # by which the numbers of each further tensor begin later, so that two tensors differ

#: what PyTorch has against a call
REFUSED = (OpspecError, RuntimeError, TypeError, ValueError, IndexError, NotImplementedError, AssertionError)


@dataclass(frozen=True, slots=True)
class Worked:
    """A call with numbers.

    Args:
        args: the operator's arguments by param, outputs with the shapes and dtypes that they have.
        out: output, or param that is changed -> its elements afterwards, in row-major order; of a list one each.
        python: lines of PyTorch that compute the same of tensors named like the params.
        calls: the names of PyTorch's functions, as one writes them, that the operator stands for.
    """

    args: Mapping[str, Any]
    out: Mapping[str, tuple[Any, ...]]
    python: tuple[str, ...]
    calls: tuple[str, ...] = field(default=())


def with_elements(
    definition: Definition, product: str, args: Mapping[str, Any], numbers: Sequence[float]
) -> dict[str, Any]:
    """Arguments whose input tensors hold what suits them; such a number where nothing else does."""
    filled = fillings(definition, product, [args.get(param.name) for param in definition.params])
    numbers = reaching(definition, args) if numbers is NUMBERS else numbers
    result = dict(args)
    turn = 0
    for param in definition.params:
        value = args.get(param.name)
        if param.name not in filled or value is None:
            continue
        items = value if isinstance(value, tuple) else (value,)
        made = []
        for item, filling in zip(items, filled[param.name], strict=True):
            own = next((items for names, items in _BY_NAME if names.search(param.name)), ())
            if item is not None and math.prod(item.shape) > len(own) and own is SCALES:
                own = ()  # a whole table of weights
            made.append(item if filling is None else _held(item, filling, own or numbers, 0 if own else turn))
            turn += _STEP
        result[param.name] = tuple(made) if isinstance(value, tuple) else made[0]
    return result


def _held(tensor: Tensor, filling: Filling, numbers: Sequence[float], turn: int) -> Tensor:
    items: Sequence[float] = filling.items
    if dtypes.kind(tensor.dtype) in ("float", "complex"):
        items = _turned(numbers, turn)
    elif tuple(items) == WHOLE or dtypes.kind(tensor.dtype) == "bool":
        items = _turned(tuple(items), turn)
    lap = _LAP if items and dtypes.kind(tensor.dtype) == "float" and len(items) > len(SCALES) else 0
    count = math.prod(tensor.shape)
    laps = [(items[i % len(items)], i // len(items) * lap) for i in range(count)]
    values = [round(item + more, 4) if more else item for item, more in laps]
    return with_values(tensor, values)


def _turned(items: Sequence[float], turn: int) -> tuple[float, ...]:
    at = turn % len(items)
    return (*items[at:], *items[:at])


def rounded(value: Any) -> Any:
    """A result as it is written: integers as they are, others exactly where a few digits do, else to fewer."""
    if isinstance(value, complex):
        return [rounded(value.real), rounded(value.imag)]
    if not isinstance(value, float):
        return value
    if not math.isfinite(value):
        return str(value)
    if abs(value) < SMALL:
        return 0
    exact = float(f"{value:.{EXACT_DIGITS}g}")
    if exact == value:
        return int(exact) if exact.is_integer() and abs(exact) < 10**EXACT_DIGITS else exact
    short = float(f"{value:.{DIGITS}g}")
    return int(short) if short.is_integer() and abs(short) < 10**DIGITS else short


def are_telling(found: Worked) -> bool:
    """Whether results are numbers that one would write, not all the same one, and none is an input again."""
    outputs, inputs = list(found.out.values()), [rounded_all(one) for one in _inputs(found)]
    return (
        all(map(_is_plain, outputs))
        and (len({str(item) for item in _flat(outputs)}) > 1 or len(_flat(outputs)) == 1)
        and not any(_flat(one) == given for one in outputs for given in inputs)
    )


def _inputs(found: Worked) -> list[list[Number]]:
    values = (one for value in found.args.values() for one in (value if isinstance(value, tuple) else (value,)))
    return [list(one.values) for one in values if isinstance(one, Tensor) and one.values is not None]


def rounded_all(values: Sequence[Any]) -> list[Any]:
    """Numbers as they are written."""
    return [rounded(value) for value in values]


def _flat(value: Any) -> list[Any]:
    return [one for item in value for one in _flat(item)] if isinstance(value, (tuple, list)) else [value]


def _is_plain(value: Any) -> bool:
    return all(isinstance(item, (int, float)) and abs(item) < LARGE for item in _flat(value))


def formatted_as_shown(definition: Definition, args: Mapping[str, Any]) -> None:
    """Give tensors the formats that those of the spec's example have, where they are of the same rank."""
    if definition.spec.example is None:
        return
    shown = typed_arguments(definition, example_of(definition)[1])
    for param, example in zip(definition.params, shown, strict=True):
        value = args.get(param.name)
        if isinstance(value, Tensor) and isinstance(example, Tensor) and len(value.shape) == len(example.shape):
            value.format = example.format


def is_legal(form: Form, definition: Definition, product: str, args: Mapping[str, Any]) -> bool:
    """Whether the validator calls it legal."""
    values = python_arguments(definition.name, form.params, dict(args))
    return judge(form, values, *products.resolve(product)).legal
