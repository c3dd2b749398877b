"""Numbers that reach each case of a formula that is told by cases."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from opspec.codegen.stubs.values import NUMBERS
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import Definition

_CASES = re.compile(r"\\begin\s*\{(?:cases|aligned)\}(.*?)\\end\s*\{(?:cases|aligned)\}", re.DOTALL)
_EXTREME = re.compile(r"\\(?:max|min)\s*\(([^,()]+),([^,()]+)\)")
_PLAIN = re.compile(r"\\(?:text|mathrm|operatorname)\s*\{([^{}]*)\}|\\rm\b")
_STATEMENT = re.compile(r"\\\\|&|,|;|\b(?:and|or|if)\b|\\q?quad|\\ |~")
_FACTOR = re.compile(r"\*|\\(?:ast|cdot|times)\b")
_SIGN = re.compile(r"<=|>=|<|>|=|≤|≥|\\(?:leq?|geq?|lt|gt|neq?)(?![a-z])")
_SUBSCRIPT = re.compile(r"_\{?\w+\}?$|\[i\]$|\(i\)$")
_GENERIC = frozenset(("x", "self", "input"))  #: what formulas call the tensor, whatever the param's name
_GREEK = {"\\lambda": ("lambd", "lambda"), "λ": ("lambd", "lambda"), "\\beta": ("beta",), "\\alpha": ("alpha",)}
_FIRST = 6  #: numbers that the smallest tensors hold
_AT = 3  #: where those that a formula asks for stand, so that the next tensor has them, too


def reaching(definition: Definition, args: Mapping[str, Any]) -> tuple[float, ...]:
    """The numbers that tensors hold, with some in each case of the formula; the usual ones where these reach all."""
    bounds: set[float] = set()
    wanted: list[float] = []
    for equal, bound in _bounds(definition, args):
        bounds.add(bound)
        wanted += [bound] if equal else []
    ends = sorted(bounds)
    if not ends:
        return NUMBERS
    between = [round((low + high) / 2, 4) for low, high in zip(ends, ends[1:], strict=False)]
    edges = [float("-inf"), *ends, float("inf")]
    places = zip([ends[0] - 1, *between, ends[-1] + 1], edges, edges[1:], strict=False)
    missing = [place for place, low, high in places if not any(low < one < high for one in NUMBERS[:_FIRST])]
    missing += [one for one in dict.fromkeys(wanted) if one not in NUMBERS[:_FIRST]]
    return (*NUMBERS[:_AT], *missing[::-1][:_AT], *NUMBERS[_AT:])


def _bounds(definition: Definition, args: Mapping[str, Any]) -> Iterator[tuple[bool, float]]:
    """Numbers that a formula compares elements of a tensor with; whether it asks if they are equal."""
    tensors = {name for name, value in args.items() if _is_tensor(value)} | _GENERIC
    for formula in definition.spec.formula or ():
        latex = _PLAIN.sub(r"\1", formula.latex)
        for cases in _CASES.findall(latex):
            for statement in _STATEMENT.split(cases):
                sides, signs = _SIGN.split(statement), _SIGN.findall(statement)
                for sign, left, right in zip(signs, sides, sides[1:], strict=False):
                    for bound in _compared(left, right, tensors, args):
                        yield sign == "=", bound
        for left, right in _EXTREME.findall(latex):
            for bound in _compared(left, right, tensors, args):
                yield False, bound


def _compared(left: str, right: str, tensors: set[str], args: Mapping[str, Any]) -> Sequence[float]:
    """The numbers on one side, where a tensor is on the other, alone or times another number."""
    sides = [
        [_SUBSCRIPT.sub("", one.strip(" {}()")).strip("{}") for one in _FACTOR.split(side)] for side in (left, right)
    ]
    for ones, others in (sides, sides[::-1]):
        more = [number for one in ones if one not in tensors for number in _value(one, args)]
        if len(others) == 1 and tensors & {*ones} and len(more) == len(ones) - 1 and 0 not in more:
            return [bound / math.prod(more) for bound in _value(others[0], args)]
    return ()


def _value(text: str, args: Mapping[str, Any]) -> Sequence[float]:
    """The numbers that a side of a comparison stands for: one that is written, or those of a param."""
    if re.fullmatch(r"-?\d+(?:\.\d+)?", text):
        return (float(text),)
    given = next((args[name] for name in (text, *_GREEK.get(text, ())) if args.get(name) is not None), None)
    items = given if isinstance(given, (tuple, list)) else (given,)
    items = [item.value if isinstance(item, Scalar) else item for item in items]
    return [float(item) for item in items if isinstance(item, (int, float)) and not isinstance(item, bool)]


def _is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor) or (isinstance(value, tuple) and any(isinstance(item, Tensor) for item in value))
