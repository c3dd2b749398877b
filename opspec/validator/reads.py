"""What the words on a broken rule hang on: the parts of a call that the rule reads, as a key.

Calls that are alike there are told the same. Files of calls repeat their faults, one dtype that is wrong in a thousand
calls of different shapes: a key is made in 1 us, the words of a finding in 10 to 20.
"""

from __future__ import annotations

from _operator import attrgetter
from collections.abc import Callable

from opspec.language.facts import Facts, facts
from opspec.language.values import Scalar, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from opspec.language import tree
    from opspec.registry.info import OperatorInfo, RuleInfo
    from opspec.registry.registry import ParamForm

    #: of a call's arguments what a rule reads; None where it is too much for a key
    Reader: TypeAlias = Callable[[tuple[Any, ...]], tuple[object, ...] | None]

LONGEST = 64  #: list or text that is part of a key; longer ones cost more than they save
_WHOLE = ("shape", "dtype", "format", "strides", "offset", "storage_shape", "storage_format")

#: facet of a tensor -> the attributes that it is read from; what is not here is read from all
_ATTRIBUTES = {
    "dtype": ("dtype",),
    "rank": ("shape",),
    "shape": ("shape",),
    "format": ("format", "storage_format"),
}


class Unlike(Exception):
    """An argument that is too long for a key, or whose elements count."""


def reader(rule: RuleInfo, info: OperatorInfo, params: tuple[ParamForm, ...]) -> Reader | None:
    """What makes the key of the words on a rule, on one product; None where elements of tensors count."""
    known: dict[str, Facts] = {}

    def of_let(name: str) -> Facts:
        if name not in known:
            known[name] = facts(info.lets[name], of_let)
        return known[name]

    found: set[tuple[str, str]] = set()
    for node in _trees(rule):
        found |= facts(node, of_let)
    if any(facet == "values" for _, facet in found):
        return None
    what = [
        (place, _part(kind, required, {facet for param, facet in found if param == name}))
        for place, (name, kind, _, required, *_) in enumerate(params)
        if any(param == name for param, _ in found)
    ]

    def read(args: tuple[Any, ...]) -> tuple[object, ...] | None:
        try:
            return tuple([part(args[place]) for place, part in what])
        except (Unlike, AttributeError):  # the latter of a null pointer, which few rules have words on
            return None

    return read


def _trees(rule: RuleInfo) -> list[tree.Node]:
    """All trees that words on a rule are made of."""
    alternatives = rule.alternatives
    found = [rule.when, rule.check, *(item.when for item in alternatives)]
    return [node for node in (*found, *(check for item in alternatives for check in item.checks)) if node is not None]


def _part(kind: str, required: bool, facets: set[str]) -> Callable[[Any], object]:
    """What a key has of an argument. A pointer's absence shows in all of it; words on presence alone show the whole."""
    if kind != "tensor" or not facets <= _ATTRIBUTES.keys():
        return _whole
    read = attrgetter(*dict.fromkeys(name for facet in sorted(facets) for name in _ATTRIBUTES[facet]))
    return read if required else lambda tensor: None if tensor is None else read(tensor)


def _whole(value: object) -> object:
    """All of an argument. Numbers stand as they are written: 0.0 and -0.0 are equal, and words tell them apart."""
    if value is None:
        return None
    if isinstance(value, Tensor):
        if value.values:
            raise Unlike
        return tuple([getattr(value, name) for name in _WHOLE])
    if isinstance(value, Scalar):
        return value.dtype, repr(value.value)
    if isinstance(value, (tuple, str)):
        if len(value) > LONGEST:
            raise Unlike
        return value if isinstance(value, str) else tuple(map(_whole, value))
    return repr(value)
