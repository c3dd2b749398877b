"""What a param's dtype or format property amounts to on one product: for tables that people read.

The same notations become rules in ``opspec.model.sugar``; here they become lists.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from opspec.model.spec import NOT_SAID, Param, Spec, is_same_as
from opspec.model.values import Case, Change, Set
from opspec.vocabulary import dtypes, formats, products


@dataclass(frozen=True, slots=True)
class Members:
    """The members of a set on a product.

    Args:
        always: those that need no condition.
        sometimes: those that hold under a condition only, or that a condition takes away.
        order: both, as the spec lists them.
    """

    always: tuple[str, ...]
    sometimes: tuple[str, ...] = ()
    order: tuple[str, ...] = field(default=(), compare=False)

    @property
    def all(self) -> tuple[str, ...]:
        """Both, in order."""
        return self.order or (*self.always, *self.sometimes)


def dtypes_on(spec: Spec, param: Param, product: str | None) -> Members:
    """The dtypes of a param on a product (None: on any); ``same as X`` is followed."""
    return _members(spec, param, "dtype", product, dtypes.canonical)


def formats_on(spec: Spec, param: Param, product: str | None) -> Members:
    """The formats of a param on a product (None: on any)."""
    return _members(spec, param, "format", product, formats.canonical)


_Canonical = Callable[[str], str]
_One = str | list[str] | Set
_Property = _One | list[Case[_One]] | None


def _members(spec: Spec, param: Param, what: str, product: str | None, canonical: _Canonical) -> Members:
    seen = {param.name}
    value = _property(param, what)
    other = is_same_as(value)
    while other is not None and other not in seen:
        seen.add(other)
        value = next((_property(item, what) for item in spec.params if item.name == other), None)
        other = is_same_as(value)
    return Members(()) if other is not None else _read(value, product, canonical)


def _property(param: Param, what: str) -> _Property:
    if what == "dtype":
        return param.dtype
    return None if param.format == NOT_SAID["format"] else param.format


def _read(value: _Property, product: str | None, canonical: _Canonical) -> Members:
    if value is None:
        return Members(())
    if isinstance(value, str):
        return Members((canonical(value),))
    if isinstance(value, Set):
        return _changed([canonical(name) for name in value.any], value.changes, product, canonical)
    cases = [item for item in value if isinstance(item, Case)]
    if cases:
        return _of_cases(cases, product, canonical)
    return _listed(canonical, *value)


@lru_cache(maxsize=1024)
def _listed(canonical: _Canonical, *names: str) -> Members:
    return Members(tuple(map(canonical, names)))


def _changed(names: list[str], changes: list[Change], product: str | None, canonical: _Canonical) -> Members:
    doubtful: dict[str, None] = {}
    for change in changes:
        if not _applies(change.on, product):
            continue
        named = [canonical(name) for name in (change.replace or change.add or change.subtract)]
        new = named if change.replace else [*names, *named] if change.add else [n for n in names if n not in named]
        if _certain(change.on, change.when, product):
            names = new
        else:  # it may hold or not: what it adds or takes away is doubtful
            doubtful.update(dict.fromkeys(set(new) ^ set(names)))
            names = list(dict.fromkeys([*names, *new]))
    kept = tuple(dict.fromkeys(names))
    return Members(tuple(n for n in kept if n not in doubtful), tuple(n for n in kept if n in doubtful), kept)


def _of_cases(cases: list[Case[_One]], product: str | None, canonical: _Canonical) -> Members:
    found = [case for case in cases if _applies(case.on, product)]
    for i, case in enumerate(found):
        if _certain(case.on, case.when, product):
            found = found[: i + 1]
            break
    sets = [_read(case.is_, product, canonical).all for case in found]
    if len(sets) == 1:
        return Members(sets[0])
    union = dict.fromkeys(name for names in sets for name in names)
    return Members(
        tuple(n for n in union if all(n in names for names in sets)),
        tuple(n for n in union if not all(n in names for names in sets)),
        tuple(union),
    )


def _applies(on: list[str], product: str | None) -> bool:
    """Whether something said of these products may hold on a product: of a member it may hold on the whole, too."""
    if not on or product is None or any(products.owner(name) == product for name in on):
        return True
    return product in on or products.owner(product) in on


def _certain(on: list[str], when: str | None, product: str | None) -> bool:
    """Whether something that may hold on a product always does: it says it of all the product's members."""
    return when is None and product is not None and (not on or product in on or products.owner(product) in on)
