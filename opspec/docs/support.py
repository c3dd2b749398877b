"""Which data types an operator takes on which product: as few rows and columns as tell it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from opspec.docs.domains import is_sure
from opspec.docs.limits import choices_of
from opspec.docs.refused import refusals_of_types
from opspec.docs.saying import MARKS, Sayings
from opspec.language import build, prose, tree
from opspec.model.definition import Definition
from opspec.model.produced import taken_on
from opspec.model.sets import Members, dtypes_on, formats_on
from opspec.model.spec import Param, Spec
from opspec.model.stated import stated_of
from opspec.vocabulary import products

#: what params take on each product that has the operator, and what of it the runtime refuses
Key = tuple[tuple[Members, tuple[str, ...]], ...]

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
    groups = _groups(sayings)
    names = _names(sayings)
    columns: list[Column] = []
    cells: dict[str, str] = {}
    told: list[Key] = []
    for key, members in groups.items():
        text = _cell(*(key[0] if key else (taken_on(spec, params[members[0]], None), ())), sayings)
        if len(set(key)) > 1 or (key and (key[0][1] or len(key[0][0].all) > _FEW)):
            text = next(names)
            columns.append(Column(text, tuple(members)))
            told.append(key)
        cells |= dict.fromkeys(members, text)
    rows: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for product, value in sorted(spec.products.items(), key=lambda item: item[1] == "no"):
        shown = tuple(_cell(*key[kept.index(product)], sayings) for key in told) if value != "no" else ()
        rows.setdefault((value, shown), []).append(product)
    return Support(
        tuple(columns),
        tuple(Row(tuple(ids), sayings.products(ids), value, shown) for (value, shown), ids in rows.items()),
        cells,
        tuple(_notes(sayings, params)) if sayings.upstream else (),
        any(item.sometimes for key in groups for item, _ in key),
    )


@dataclass(frozen=True, slots=True)
class TypeLimit:
    """What a rule says of the data types of a param on some products: that it is one of these, or that it is none."""

    on: tree.OnProducts
    param: str
    names: frozenset[object]
    inside: bool

    def allows(self, dtype: str, product: str) -> bool:
        """Whether a data type may be on a product."""
        return not self.on.holds(product) or (dtype in self.names) == self.inside


def limits(definition: Definition) -> Mapping[str, tuple[TypeLimit, ...]]:
    """Rule that says nothing but which data types params have on some products -> that: cells need not list others."""
    return definition.once(_limits)


def limiting(sayings: Sayings) -> Mapping[str, tuple[TypeLimit, ...]]:
    """The rules on data types on some products that the table tells; none where it is that of the vendor's form."""
    return {} if sayings.upstream or sayings.plain is sayings else limits(sayings.definition)


def _limits(definition: Definition) -> dict[str, tuple[TypeLimit, ...]]:
    found: dict[str, tuple[TypeLimit, ...]] = {}
    for rule in definition.rules:
        on = None if rule.when is None else tree.on_products(rule.when)
        if on is not None and rule.kind == "relation" and rule.say is None and is_sure(rule, definition):
            parts = [choices_of(part, "dtype") for part in build.conjuncts(rule.check)]
            if all(parts):
                found[rule.id] = tuple(TypeLimit(on, *one) for part in parts for one in part)
    return found


def _groups(sayings: Sayings) -> dict[Key, list[str]]:
    """The params that take the same on each product that has the operator, by that: as their rows have it, but for
    what rules refuse there, and for the vendor's form as their rows have it."""
    definition = sayings.definition
    return definition.once(_stated_groups if sayings.upstream else _limited_groups)


def _stated_groups(definition: Definition) -> dict[Key, list[str]]:
    return _grouped(definition, (), set())


def _limited_groups(definition: Definition) -> dict[Key, list[str]]:
    known = [one for own in limits(definition).values() for one in own]
    return _grouped(definition, known, {one for own in refusals_of_types(definition).values() for one in own})


def _grouped(
    definition: Definition, limited: Collection[TypeLimit], refused: Collection[tuple[str, str, str]]
) -> dict[Key, list[str]]:
    spec = definition.spec
    kept = [name for name, value in spec.products.items() if value != "no"]
    groups: dict[Key, list[str]] = {}
    for name, own in stated_of(definition).items():
        mine = [one for one in limited if one.param == name]
        taken = [(on, _within(taken_on(spec, own, on), mine, on)) for on in kept]
        if any(item.all for _, item in taken) or taken_on(spec, own, None).all:
            out = tuple((item, tuple(one for one in item.all if (name, on, one) in refused)) for on, item in taken)
            groups.setdefault(out, []).append(name)
    return groups


def _within(members: Members, limited: Collection[TypeLimit], product: str) -> Members:
    """What is left of data types on a product."""
    out = {name for name in members.all for one in limited if not one.allows(name, product)}
    if not out:
        return members
    parts = (members.always, members.sometimes, members.order)
    return Members(*(tuple(name for name in part if name not in out) for part in parts))


def _cell(members: Members, refused: Collection[str], sayings: Sayings) -> str:
    taken = [f"({name})" if name in members.sometimes else name for name in members.all if name not in refused]
    if not refused:
        return sayings.listed(taken)
    told = sayings.words["refused_types"].format(prose.listing(list(refused), sayings.lang, "and"))
    return sayings.words["semicolon"].join([*([sayings.listed(taken)] if taken else ()), f"{told} {MARKS['observed']}"])


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
