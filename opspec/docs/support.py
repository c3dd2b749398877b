"""Which data types an operator takes on which product: as few rows and columns as tell it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from opspec.docs.domains import is_sure
from opspec.docs.limits import choices_of
from opspec.docs.saying import Sayings
from opspec.language import build, prose, tree
from opspec.model.definition import Definition
from opspec.model.produced import taken_on
from opspec.model.sets import Members, dtypes_on, formats_on
from opspec.model.spec import Param, Spec
from opspec.model.stated import stated_of
from opspec.vocabulary import products

_FEW = 3  # data types that a param's own row names even where they have a name


@dataclass(frozen=True, slots=True)
class Column:
    """Params that take the same data types everywhere, and the name for what they take."""

    name: str
    params: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """Products that are alike."""

    ids: tuple[str, ...]
    products: str
    support: str  # yes, no, unknown
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Support:
    """The table, and what each param takes: types or the name of a column."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    taken: Mapping[str, str]
    notes: tuple[tuple[str, str], ...]  # product ids, what differs there: for the vendor's form
    conditional: bool  # whether something holds under a condition only


def support(sayings: Sayings) -> Support:
    """The table of an operator."""
    spec = sayings.spec
    params = stated_of(sayings.definition)
    kept = [name for name, value in spec.products.items() if value != "no"]
    groups = sayings.definition.once(_groups if sayings.upstream else _limited_groups)
    names = _names(sayings)
    columns: list[Column] = []
    cells: dict[str, str] = {}
    told: list[tuple[Members, ...]] = []
    for key, members in groups.items():
        text = _cell(key[0] if key else taken_on(spec, params[members[0]], None), sayings)
        if len(set(key)) > 1 or (key and len(key[0].all) > _FEW):
            text = next(names)
            columns.append(Column(text, tuple(members)))
            told.append(key)
        cells |= dict.fromkeys(members, text)
    rows: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for product, value in sorted(spec.products.items(), key=lambda item: item[1] == "no"):
        shown = tuple(_cell(key[kept.index(product)], sayings) for key in told) if value != "no" else ()
        rows.setdefault((value, shown), []).append(product)
    return Support(
        tuple(columns),
        tuple(Row(tuple(ids), sayings.products(ids), value, shown) for (value, shown), ids in rows.items()),
        cells,
        tuple(_notes(sayings, params)) if sayings.upstream else (),
        any(item.sometimes for key in groups for item in key),
    )


@dataclass(frozen=True, slots=True)
class Limit:
    """What a rule says of the data types of a param on some products: that it is one of these, or that it is none."""

    on: tree.OnProducts
    param: str
    names: frozenset[object]
    inside: bool

    def allows(self, dtype: str, product: str) -> bool:
        """Whether a data type may be on a product."""
        return not self.on.holds(product) or (dtype in self.names) == self.inside


def limits(definition: Definition) -> Mapping[str, tuple[Limit, ...]]:
    """Rule that says nothing but which data types params have on some products -> that: cells need not list others."""
    return definition.once(_limits)


def limiting(sayings: Sayings) -> Mapping[str, tuple[Limit, ...]]:
    """The rules on data types on some products that the table tells; none where it is that of the vendor's form."""
    return {} if sayings.upstream or sayings.plain is sayings else limits(sayings.definition)


def _limits(definition: Definition) -> dict[str, tuple[Limit, ...]]:
    found: dict[str, tuple[Limit, ...]] = {}
    for rule in definition.rules:
        on = None if rule.when is None else tree.on_products(rule.when)
        if on is not None and rule.kind == "relation" and rule.say is None and is_sure(rule, definition):
            parts = [choices_of(part, "dtype") for part in build.conjuncts(rule.check)]
            if all(parts):
                found[rule.id] = tuple(Limit(on, *one) for part in parts for one in part)
    return found


def _groups(definition: Definition) -> dict[tuple[Members, ...], list[str]]:
    """The params that take the same on each product that has the operator, by that, as their rows have it."""
    return _grouped(definition, ())


def _limited_groups(definition: Definition) -> dict[tuple[Members, ...], list[str]]:
    """The same, but for what rules refuse on a product."""
    return _grouped(definition, [one for own in limits(definition).values() for one in own])


def _grouped(definition: Definition, limited: Collection[Limit]) -> dict[tuple[Members, ...], list[str]]:
    spec = definition.spec
    kept = [name for name, value in spec.products.items() if value != "no"]
    groups: dict[tuple[Members, ...], list[str]] = {}
    for name, own in stated_of(definition).items():
        mine = [one for one in limited if one.param == name]
        taken = tuple(_within(taken_on(spec, own, product), mine, product) for product in kept)
        if any(item.all for item in taken) or taken_on(spec, own, None).all:
            groups.setdefault(taken, []).append(name)
    return groups


def _within(members: Members, limited: Collection[Limit], product: str) -> Members:
    """What is left of data types on a product."""
    out = {name for name in members.all for one in limited if not one.allows(name, product)}
    if not out:
        return members
    parts = (members.always, members.sometimes, members.order)
    return Members(*(tuple(name for name in part if name not in out) for part in parts))


def _cell(members: Members, sayings: Sayings) -> str:
    return sayings.listed(f"({name})" if name in members.sometimes else name for name in members.all)


def _names(sayings: Sayings) -> Iterator[str]:
    """T1, T2 …: names for sets of data types that no param and no dim has."""
    taken = {param.name for param in sayings.definition.params} | set(sayings.definition.lets)
    number = 0
    while True:
        number += 1
        if f"T{number}" not in taken:
            yield f"T{number}"


def _notes(sayings: Sayings, params: Mapping[str, tuple[Param, ...]]) -> Iterator[tuple[str, str]]:
    """(product ids, what they take less than the table of params says), as the vendor's comment blocks pair them."""
    spec = sayings.spec
    found: dict[str, list[str]] = {}
    kinds: tuple[tuple[str, Callable[[Spec, Param, str | None], Members]], ...] = (
        ("dtype", dtypes_on),
        ("format", formats_on),
    )
    for product, value in spec.products.items():
        for what, sets_on in kinds if value != "no" else ():
            groups: dict[tuple[str, ...], list[str]] = {}
            for name, own in params.items():
                here, anywhere = (sets_on(spec, own[0], on).all for on in (product, None))
                if here and set(here) != set(anywhere):
                    groups.setdefault(tuple(n for n in anywhere if n in here), []).append(name)
            for names, members in groups.items():
                values = prose.listing(list(names), sayings.lang, "and")
                note = sayings.words[f"takes_{what}"].format(prose.listing(members, sayings.lang, "and"), values)
                found.setdefault(note, []).append(product)
    for note, named in found.items():
        shown = sayings.listed(products.name(product, sayings.lang) for product in named)
        yield ",".join(named), f"{shown}{sayings.words['colon']}{note}"
