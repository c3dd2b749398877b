"""Values for the tensors of an example that come without: such that the operator has something to compute.

What a param is for follows from its words and from the rules that read its values, never from the operator: the ends of
groups rise to the number of rows, indices are places that there are, lengths are sizes of what they measure, masks are
of 0 and 1, scales near 1. Of the values that the words suggest those are taken that break none of the rules.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod

from opspec.codegen.stubs.words import spec_params
from opspec.language import tree
from opspec.language.interpret import Env, evaluate, outcome
from opspec.language.outcome import VIOLATED
from opspec.language.values import Number, Tensor
from opspec.model.definition import Definition, RuleDef
from opspec.vocabulary import dtypes, products

MOST = 4096  # elements that are listed one by one; where there are more, some are repeated

#: what is repeated, by what a tensor of numbers is for
NUMBERS = (0.5, -1.0, 1.5, -0.25, 2.0, -0.75, 0.125, 1.0)
SCALES = (1.0, 0.5, 1.25, 0.75)
POSITIVE = (1.0, 0.5, 2.0, 0.25)
FRACTIONS = (0.5, 0.25, 0.75, 0.125)
NEGATIVE = (-0.5, -0.25, -1.0, -0.125)
WHOLE = (1, 2, 3, 4)
MASK = (0, 1)
RECODED_ONE = 0x3F800000  # the bits of a binary32 1.0, which is how integers of 64 bits hold scales

#: what the name or the words of a param hold -> kinds of values in the order that they are tried; the first row counts
_HINTS = (
    (r"mask|padding flag|routing map", ("mask",)),
    (r"seed|metadata|passed on unchanged", ("zeros",)),
    (r"exclusive prefix|with 0 first|where each \w+ begins|at which each|queryStartLoc|cu_?seq", ("starts", "ends")),
    (r"cumulative|prefix sum|row after the last|end of each|end position", ("ends", "starts", "counts")),
    (r"extent of each|as \w+Type says|flag says", ("ends", "counts")),
    (r"slot|permut|sorter|sorted|row (numbers?|that holds|of each)|routes?", ("places", "zeros")),
    (r"how many|how often|number of|rows of each|tokens (of|to gather)|valid|lengths?\b|seqLen|counts?\b",
     ("lengths", "counts", "ends", "starts", "ones")),
    (r"indices|index|\bids?\b|\bposition|block table|row numbers|which\b|class", ("places", "zeros")),
    (r"scale|weight|gamma", ("scales", "fractions", "negative")),
    (r"variance|rstd|standard deviation|probabilit|counter", ("positive", "fractions")),
)  # fmt: skip

#: tried where nothing is known, or nothing of the above fits
_INTEGERS = ("whole", "places", "lengths", "counts", "ends", "starts", "ones", "zeros", "mask")
_FLOATS = ("numbers", "positive", "fractions", "negative", "mask", "rising")


_LOCATING = frozenset({"places", "ends", "starts", "lengths", "counts"})


@dataclass(frozen=True, slots=True)
class Filling:
    """What a tensor's elements are: in row-major order, and where it has more of them, from the first again.

    Args:
        locates: whether its words say that they are places in another tensor, or extents of its parts.
    """

    items: tuple[float, ...]
    locates: bool = field(default=False, compare=False)


def fillings(
    definition: Definition, product: str | None, arguments: Sequence[object]
) -> dict[str, list[Filling | None]]:
    """Param -> what is in its tensors, of those that are read and that the call gives no values.

    Args:
        product: the one that the call is for, in any spelling.
        arguments: of the call, in param order, typed.
    """
    known: dict[str, object] = dict(zip((param.name for param in definition.params), arguments, strict=True))
    written = spec_params(definition)
    result: dict[str, list[Filling | None]] = {}
    for param in definition.params:
        value = known[param.name]
        if param.io == "out" or param.kind not in ("tensor", "tensor_list") or value is None:
            continue
        about = written[param.name].about if param.name in written else None
        said = f"{param.name}: {about.text('en')}" if about is not None else param.name
        found = _Finder(definition, product, known, param.name, said)
        items = value if isinstance(value, tuple) else (value,)
        chosen = [found.filling(item) if isinstance(item, Tensor) and item.values is None else None for item in items]
        result[param.name] = chosen
        if isinstance(value, Tensor) and chosen[0] is not None:
            known[param.name] = _with(value, chosen[0])
    return result


def may_locate(argument: object) -> bool:
    """Whether an argument is a tensor of integers as places in others have them."""
    return isinstance(argument, Tensor) and argument.dtype in ("INT32", "INT64")


class _Finder:
    """Finds the values of a param's tensors."""

    def __init__(
        self, definition: Definition, product: str | None, known: dict[str, object], name: str, said: str
    ) -> None:
        self.definition = definition
        self.known = known
        self.name = name
        self.said = said
        self.rules = definition.once(_readers).get(name, [])
        self.product = products.resolve(product)[0] if product else None

    def filling(self, tensor: Tensor) -> Filling | None:
        """The first that breaks no rule; the first of all where each breaks one."""
        if 0 in tensor.shape:
            return None
        count = prod(tensor.shape)
        tried = self._candidates(tensor, count)
        first = next(tried)
        if not self.rules or count > MOST:
            return first
        return next((one for one in itertools.chain([first], tried) if self._fits(tensor, one)), first)

    def _fits(self, tensor: Tensor, filling: Filling) -> bool:
        value = self.known[self.name]
        changed = _with(tensor, filling)
        each = tuple(changed if one is tensor else one for one in value) if isinstance(value, tuple) else ()
        argument = changed if isinstance(value, Tensor) else each
        env = Env({**self.known, self.name: argument}, self.definition.lets, self.product)
        return all(outcome(rule.when, rule.check, env) != VIOLATED for rule in self.rules)

    def _candidates(self, tensor: Tensor, count: int) -> Iterator[Filling]:
        whole = dtypes.kind(tensor.dtype) in ("int", "uint")
        if dtypes.kind(tensor.dtype) == "bool":
            yield Filling(tuple(bool(item) for item in MASK))
            return
        hinted = next((kinds for words, kinds in _HINTS if re.search(words, self.said, re.IGNORECASE)), ())
        if {"ends", "counts"} <= set(hinted):
            hinted = (*self._forms(), *hinted)
        if whole and "scales" in hinted and dtypes.bits(tensor.dtype) == 64:
            yield Filling((RECODED_ONE,))
        locates = may_locate(tensor) and bool(_LOCATING & {*hinted[:1]})
        for kind in (*hinted, *(_INTEGERS if whole else _FLOATS)):
            for items in _ITEMS[kind](self, count):
                if not whole or all(float(item).is_integer() for item in items):
                    yield Filling(tuple(int(item) if whole else float(item) for item in items), locates)

    def _forms(self) -> tuple[str, ...]:
        """How the extents of groups are given, if a mode says so: by the rules that hold of them in this mode only."""
        env = Env(self.known, self.definition.lets, self.product)
        active = [rule for rule in self.rules if rule.when is not None and evaluate(rule.when, env) is True]
        if not active:
            return ()
        called = {part.function for rule in active for part in tree.walk(rule.check) if isinstance(part, tree.Call)}
        return ("ends",) if called & {"increasing", "nondecreasing"} else ("counts",)

    def sizes(self) -> list[int]:
        """What there is as many of as of something that this tensor tells about: dims of other tensors, rows first."""
        shapes = [value.shape for name, value in self.known.items() if name != self.name for value in tensors_of(value)]
        first = [shape[0] for shape in shapes if len(shape) > 1]
        second = [shape[1] for shape in shapes if len(shape) > 2]
        return list(
            dict.fromkeys(dim for dim in (*first, *second, *(dim for shape in shapes for dim in shape)) if dim > 0)
        )

    def row(self) -> int:
        """How many elements a row of the tensor has, of lists one of the first: places may ascend in each."""
        first = next(iter(tensors_of(self.known[self.name])), None)
        return first.shape[-1] if first is not None and first.shape else 1

    def places(self) -> int:
        """A number of places that every dim of another tensor has."""
        inputs = (param.name for param in self.definition.params if param.io != "out" and param.name != self.name)
        dims = [dim for name in inputs for one in tensors_of(self.known[name]) for dim in one.shape if dim > 1]
        return min(dims, default=1)


def _ends(found: _Finder, count: int) -> Iterator[tuple[float, ...]]:
    return (tuple(total * (i + 1) // count for i in range(count)) for total in found.sizes() if count <= MOST)


def _starts(found: _Finder, count: int) -> Iterator[tuple[float, ...]]:
    some = range(count) if 1 < count <= MOST else range(0)
    return (tuple(total * i // (count - 1) for i in some) for total in found.sizes() if some)


def _counts(found: _Finder, count: int) -> Iterator[tuple[float, ...]]:
    for ends in _ends(found, count):
        yield tuple(end - before for before, end in zip((0, *ends), ends, strict=False))


def _lengths(found: _Finder, count: int) -> Iterator[tuple[float, ...]]:
    yield from _counts(found, count)
    yield from ((size,) for size in sorted(found.sizes()))


def _rising(found: _Finder, count: int) -> Iterator[tuple[float, ...]]:
    yield tuple(i / 2 for i in range(min(count, MOST)))


def _places(found: _Finder, count: int) -> Iterator[tuple[float, ...]]:
    most = min(count, MOST)
    if found.rules:  # which say how many places there are: each of them once is best
        yield tuple(range(most))
    yield tuple(range(min(found.places(), most)))
    yield tuple(range(min(found.row(), most)))
    yield tuple(range(most))


def _always(*items: float) -> Callable[[_Finder, int], Iterator[tuple[float, ...]]]:
    return lambda found, count: iter([items])


#: kind of values -> those of a tensor of so many elements, of which there may be several
_ITEMS: dict[str, Callable[[_Finder, int], Iterator[tuple[float, ...]]]] = {
    "ends": _ends, "starts": _starts, "counts": _counts, "lengths": _lengths, "places": _places, "rising": _rising,
    "zeros": _always(0), "ones": _always(1), "whole": _always(*WHOLE), "mask": _always(*MASK),
    "numbers": _always(*NUMBERS), "scales": _always(*SCALES), "positive": _always(*POSITIVE),
    "fractions": _always(*FRACTIONS), "negative": _always(*NEGATIVE),
}  # fmt: skip


def with_values(tensor: Tensor, values: Sequence[Number]) -> Tensor:
    """A tensor like another, with these elements."""
    return Tensor(
        tensor.shape, tensor.dtype, tensor.format, strides=tensor.strides, offset=tensor.offset,
        storage_shape=tensor.storage_shape, storage_format=tensor.storage_format, values=values,
    )  # fmt: skip


def _with(tensor: Tensor, filling: Filling) -> Tensor:
    count = prod(tensor.shape)
    if count > MOST:
        return tensor
    return with_values(tensor, (filling.items * (count // len(filling.items) + 1))[:count])


def tensors_of(value: object) -> list[Tensor]:
    """The tensors of an argument."""
    return [one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, Tensor)]


def _readers(definition: Definition) -> dict[str, list[RuleDef]]:
    """Tensor -> the rules that read its elements."""
    found: dict[str, list[RuleDef]] = {}
    for rule in definition.rules:
        for name, facet in definition.read_by(rule):
            if facet == "values":
                found.setdefault(name, []).append(rule)
    return found
