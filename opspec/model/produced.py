"""Which data types an output can have on a product: of those that its page lists, those that its inputs lead to.

A page often narrows its inputs on a product and forgets the output. What the spec's own rules say of both together
narrows the output, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from opspec.model.sets import Members, dtypes_on
from opspec.model.spec import Param, Spec
from opspec.vocabulary.promotion import promote

_NAME = r"([A-Za-z_]\w*)"
_SAME = re.compile(rf"{_NAME} same dtype as {_NAME}")
_EQUAL = re.compile(rf"{_NAME}\.dtype == (?:{_NAME}\.dtype|promote\({_NAME}\.dtype, {_NAME}\.dtype\))")


def produced_on(spec: Spec, param: Param, product: str | None) -> Members:
    """The dtypes of a param on a product (None: on any); of an output those that follow from its inputs'."""
    listed = dtypes_on(spec, param, product)
    if param.io != "out":
        return listed
    by_condition = dict(_origins(spec, param.name))
    if "" not in by_condition and not any(f"not {when}" in by_condition for when in by_condition):
        return listed  # nothing says it of every call
    reached = {name for origins in by_condition.values() for name in _reached(spec, origins, product)}
    if not reached.intersection(listed.all):
        return listed
    keep = tuple(name for name in listed.all if name in reached)
    return Members(
        tuple(name for name in listed.always if name in reached),
        tuple(name for name in listed.sometimes if name in reached),
        keep,
    )


def _origins(spec: Spec, name: str) -> Iterable[tuple[str, tuple[str, ...]]]:
    """(condition, the params whose dtypes give the output's) of each rule that says so."""
    for rule in spec.rules.values():
        given = _given(rule.check) if rule.check else ()
        if given[:1] == (name,):
            yield " ".join((rule.when or "").split()), given[1:]


@lru_cache(maxsize=4096)  # of all rules, for each output and product
def _given(check: str) -> tuple[str, ...]:
    """The output whose dtype a rule gives, and the params that it gives it by; nothing of any other rule."""
    text = " ".join(check.split()) if "dtype" in check else ""
    found = _SAME.fullmatch(text) or _EQUAL.fullmatch(text)
    return () if found is None else tuple(filter(None, found.groups()))


def _reached(spec: Spec, origins: tuple[str, ...], product: str | None) -> Iterable[str]:
    """What the dtypes of one param are, or those of two promote to."""
    params = {param.name: param for param in spec.params}
    sets = [dtypes_on(spec, params[name], product).all if name in params else () for name in origins]
    if len(sets) == 1:
        return sets[0]
    return [found for a in sets[0] for b in sets[1] if (found := promote(a, b)) is not None]


def overwritten_on(spec: Spec, own: tuple[Param, ...], product: str | None) -> list[Members]:
    """What each statement of a param lets it take; what a twin overwrites is produced from nothing else."""
    return [(dtypes_on if len(own) > 1 else produced_on)(spec, param, product) for param in own]


def taken_on(spec: Spec, own: tuple[Param, ...], product: str | None) -> Members:
    """What all of a param's statements let it take; of a twin's there may be two."""
    found = overwritten_on(spec, own, product)
    said = [item for item in found if item.all]
    if len(said) < 2:
        return said[0] if said else Members(())
    both = [name for name in said[0].all if all(name in other.all for other in said)]
    always = tuple(name for name in both if all(name in item.always for item in said))
    return Members(always, tuple(name for name in both if name not in always), tuple(both))
