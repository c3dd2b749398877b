"""Tables of which a call must match a row: of a rule, of alternatives, of the kernel of a generated interface."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from opspec.docs.domains import NOTHING, is_sure, name
from opspec.docs.saying import MARKS, Sayings, capital
from opspec.docs.typed import Rows, lawful
from opspec.language import build, prose, tree
from opspec.language.prose.trees import number
from opspec.model.definition import Definition, RuleDef
from opspec.model.kernels import PLAIN
from opspec.model.produced import taken_on
from opspec.model.sets import formats_on
from opspec.model.stated import stated_of
from opspec.vocabulary import formats, products

MOST_ROWS = 16  #: of a table that stands on the page; longer ones are on the page of all rules
_NAME = re.compile(r"[A-Za-z_]\w*")
_COMMA = re.compile("[,、] ?")  # of either language


@dataclass(frozen=True, slots=True)
class Combinations:
    """A table of which a call must match a row.

    Args:
        rule: the rule that holds it.
        title: what links to it are called, in code: its rule, or the kernel and its products.
        alternative: what the alternative that it belongs to is called.
        on: when it counts: on which products, under which condition, in which alternative.
        under: the same without the alternative.
        told: of each column the data types that its param takes on those products, as a cell; empty where no row says.
        text: what it comes to in a sentence, which then stands for it.
        same: the params that have one data type by that sentence, and it says no more.
        mark: what the runtime makes of calls that match no row.
    """

    rule: str
    title: str
    alternative: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    on: str = ""
    under: str = ""
    told: tuple[str, ...] = ()
    text: str = ""
    same: frozenset[str] = frozenset()
    mark: str = ""


def on_page(sayings: Sayings) -> tuple[list[Combinations], list[Combinations]]:
    """The tables that a page shows, and those that are too long for it: alternatives that have the same columns in one
    table, columns that say the same in one, none that says what rows of params do; a sentence for a table of one."""
    found = [
        replace(_unheaded(table, sayings), mark=sayings.mark(rule).replace(MARKS["assumed"], ""))
        for rule in sorted(sayings.definition.once(tabled), key=_is_odd)
        for table in combinations(rule, sayings)
    ]
    found = [table for table in found if not any(_says(other, table) for other in found)]
    longer = [table for table in found if len(table.rows) > MOST_ROWS]
    groups: dict[tuple[str, str, tuple[str, ...]], list[Combinations]] = {}
    for place, table in enumerate(table for table in found if table not in longer):
        own = table.under if table.alternative else f"{place} {table.on}"
        groups.setdefault((table.rule, own, table.columns), []).append(table)
    shown = [_with_names(group, sayings) if len(group) > 1 else group[0] for group in groups.values()]
    narrowed = [_narrowed(table, sayings) for table in shown if not any(_says(other, table) for other in shown)]
    return [*_in_words([table for table in narrowed if table.columns], sayings)], longer


def says_more(rule: RuleDef, sayings: Sayings) -> bool:
    """Whether a table that a rule refers to says more than rows of params do; one of many rows is taken to."""
    tables = combinations(rule, sayings)
    return any(len(table.rows) > MOST_ROWS or _narrowed(table, sayings).columns for table in tables)


def _is_odd(rule: RuleDef) -> bool:
    """Whether a rule counts where a condition does not hold that others have, as a reader sees behind these."""
    parts = () if rule.when is None else build.conjuncts(rule.when)
    return any(isinstance(part, tree.Unary) and part.op == "not" for part in parts)


def _with_names(group: list[Combinations], sayings: Sayings) -> Combinations:
    """Tables of alternatives as one, whose first column names these."""
    rows = tuple((table.alternative, *row) for table in group for row in table.rows)
    columns = (sayings.words["alternatives"], *group[0].columns)
    return replace(group[0], alternative="", columns=columns, rows=rows, on=group[0].under, told=("", *group[0].told))


def _says(table: Combinations, other: Combinations) -> bool:
    """Whether each row of a table, which has more columns, has a row of another one that counts where it does."""
    if table.on != other.on or not {*table.columns} > {*other.columns}:
        return False
    places = [table.columns.index(name) for name in other.columns]
    allowed = set(_cases(other.rows, range(len(places))))
    return all(case in allowed for case in _cases(table.rows, places))


def _cases(rows: Iterable[tuple[str, ...]], places: Iterable[int]) -> Iterator[tuple[str, ...]]:
    """What some columns may have together, one value each."""
    kept = [*places]
    return itertools.chain(*(itertools.product(*(_members(row[place]) for place in kept)) for row in rows))


def _narrowed(table: Combinations, sayings: Sayings) -> Combinations:
    """A table with columns that say the same in every row as one, without those that say in each what their param takes
    anyway."""
    null = sayings.words["null"]
    said: dict[tuple[object, ...], list[int]] = {}
    for place in range(len(table.columns)):
        cells = tuple(row[place] for row in table.rows)
        if {sayings.listed(one for one in _members(cell) if one != null) for cell in cells} == {table.told[place]}:
            continue
        is_single = all(cell.isidentifier() for cell in cells)
        said.setdefault(cells if is_single else (place,), []).append(place)
    columns = tuple(sayings.listed(table.columns[place] for place in places) for places in said.values())
    told = tuple(table.told[places[0]] for places in said.values())
    rows = [tuple(row[places[0]] for places in said.values()) for row in table.rows]
    free = [place for place, places in enumerate(said.values()) if len(places) == 1 and told[place]]
    same = frozenset(_NAME.findall(" ".join(columns)))
    fewer = _fewer(rows, free if len(said) > 1 else [], sayings)
    found = replace(table, columns=columns, rows=tuple(fewer), told=told, same=same)
    return found if len(fewer) == len(rows) else _narrowed(found, sayings)  # what is one row may say so anyway


def _fewer(rows: Sequence[tuple[str, ...]], free: Collection[int], sayings: Sayings) -> list[tuple[str, ...]]:
    """Rows without those that another one contains, and those as one that differ in a column of data types alone."""
    kept: list[tuple[str, ...]] = []
    for row in rows:
        for place, other in enumerate(kept):
            apart = [i for i, (one, two) in enumerate(zip(row, other, strict=True)) if one != two]
            if len(apart) <= 1 and {*apart} <= {*free}:
                both = (
                    sayings.listed(sorted({*_members(one), *_members(two)})) if one != two else one
                    for one, two in zip(row, other, strict=True)
                )
                kept[place] = tuple(both)
                break
        else:
            kept.append(row)
    return kept if len(kept) == len(rows) else _fewer(kept, free, sayings)


def _unheaded(table: Combinations, sayings: Sayings) -> Combinations:
    """A table; of one that counts on all products not on which."""
    supported = sayings.products(name for name, value in sayings.spec.products.items() if value == "yes")
    return replace(table, on="") if set(_members(table.on)) == set(_members(supported)) else table


def _members(cell: str) -> list[str]:
    """What a cell or a heading lists."""
    return _COMMA.split(cell)


def _in_words(tables: list[Combinations], sayings: Sayings) -> Iterator[Combinations]:
    """Tables; those of one column as a sentence: that params have one data type, or which ones a param takes; once
    where it is so on all products."""
    found = [_said(table, sayings) for table in tables]
    if len({(one.text, one.columns) for one in found}) == 1 and found[0].text and found[0].same:
        found = [replace(found[0], on="")]
    for one in found:
        if one.text or len(one.columns) > 1 or not one.told[0]:
            start = one.on.removesuffix(sayings.words["any_row"])  # that a sentence is a row it need not say
            colon = sayings.words["colon"] if start == one.on else ""
            text = f"{start}{colon}{one.text}" if start and one.text else capital(one.text)
            if not one.mark:
                yield replace(one, text=text)
            elif text:
                yield replace(one, text=f"{text} {one.mark}")
            else:
                yield replace(one, on=f"{one.on or capital(sayings.words['any_row'])} {one.mark}")


def _said(table: Combinations, sayings: Sayings) -> Combinations:
    """A table of one column with the sentence that stands for it, if there is one."""
    heads = _members(table.columns[0])
    cells = [row[0] for row in table.rows]
    if len(table.columns) > 1 or not table.told[0] or (len(heads) > 1 and not all(map(str.isidentifier, cells))):
        return replace(table, same=frozenset())
    if {*cells} == {sayings.words["null"]}:
        return replace(table, same=frozenset())  # of what must be null no type is told
    if len(heads) == 1:
        values = dict.fromkeys(value for cell in cells for value in _members(cell))
        limited = sayings.words["takes_dtype"].format(heads[0], sayings.listed(values))
        is_told = {*values} == {*_members(table.told[0])}
        return replace(table, text="" if is_told else limited, same=frozenset())
    text = sayings.words["same_dtype"].format(prose.listing(heads, sayings.lang, "and"))
    if {*cells} == {*_members(table.told[0])}:
        return replace(table, text=text + sayings.words["stop"])
    shown = sayings.words["note"].format(sayings.listed(cells))
    return replace(table, text=text + shown + sayings.words["stop"], same=frozenset())


def in_step(
    rule: RuleDef, definition: Definition, attribute: str = "dtype", ops: Collection[str] = ("==",)
) -> frozenset[str]:
    """The lists of which a rule says that each tensor has the data type, or another attribute, of the one beside it in
    another; a list alone where all its tensors have that of its first."""
    match rule.check:
        case tree.Each(quantifier="all", element=tree.Compare(ops=(op,), operands=operands)) if op in ops:
            if all(isinstance(side, tree.Attr) and side.name == attribute for side in operands):
                read = "shape" if attribute in ("numel", "shape") else attribute
                return frozenset(name for name, facet in definition.facts(rule.check) if facet == read)
    return frozenset()


def is_of_size(rule: RuleDef, definition: Definition) -> bool:
    """Whether a rule says of lists how many elements each tensor has beside that in another, of which a rule that is
    sure says that both have one shape."""
    lists = in_step(rule, definition, "numel", ("==", "<=", ">="))
    return bool(lists) and any(
        in_step(other, definition, "shape") == lists and other.when is None and is_sure(other, definition)
        for other in definition.rules
    )


def same_types(definition: Definition) -> frozenset[frozenset[str]]:
    """The pairs of params that have one data type in every row that the kernel of a generated interface takes."""
    return definition.once(_same_types)


def _same_types(definition: Definition) -> frozenset[frozenset[str]]:
    same: frozenset[frozenset[str]] | None = None
    for rule in definition.rules:
        for part in tree.walk(rule.check) if rule.is_lookup else ():
            if isinstance(part, tree.Choice):
                here = _equal_columns(part, definition)
                same = here if same is None else same & here
    return same or frozenset()


def _equal_columns(table: tree.Choice, definition: Definition) -> frozenset[frozenset[str]]:
    """The params whose data types are one in every row; null is any."""
    typed = [
        (base.name, place)
        for place, column in enumerate(table.columns)
        if isinstance(column, tree.Attr) and column.name == "dtype"
        if isinstance(base := whole(column.base, definition), tree.Param)
    ]
    cells = {name: [(row[place] or frozenset()) - {None} for row in table.rows] for name, place in typed}
    return frozenset(
        frozenset(pair)
        for pair in itertools.combinations(cells, 2)
        if cells[pair[0]] == cells[pair[1]] and all(len(cell) == 1 for cell in cells[pair[0]])
    )


def tabled(definition: Definition) -> tuple[RuleDef, ...]:
    """The rules that refer to tables."""
    return tuple(rule for rule in definition.rules if rule.is_lookup or any(map(_choices, _checks(rule))))


def _checks(rule: RuleDef) -> Iterator[tree.Node]:
    """What a rule requires, and what its alternatives do."""
    yield rule.check
    yield from (check for item in rule.alternatives for check in item.checks)


def combinations(rule: RuleDef, sayings: Sayings) -> Iterator[Combinations]:
    """The tables of combinations that a rule, or an alternative of it, refers to."""
    if rule.is_lookup:
        yield from _supported(rule, sayings)
        return
    parts = [("", rule.check)] if not rule.alternatives else []
    parts += [(sayings.called(item), check) for item in rule.alternatives for check in item.checks]
    for called, check in parts:
        for node in _choices(check):
            columns = _headings(node.columns, sayings)
            on = _supporting(rule.when, sayings)
            kept = _taken(node.columns, node.rows, on, sayings)
            rows = tuple(tuple(_cell(cell, sayings) for cell in row) for row in kept)
            captions = _caption(rule, called, sayings), _caption(rule, "", sayings)
            told = tuple(_told(column, on, sayings) for column in node.columns)
            yield Combinations(rule.id, rule.id, called, columns, rows, *captions, told)


@lru_cache(maxsize=4096)  # pages of an operator ask for each rule several times
def _choices(check: tree.Node) -> tuple[tree.Choice, ...]:
    """The tables in a tree."""
    return tuple(node for node in tree.walk(check) if isinstance(node, tree.Choice))


def _supported(rule: RuleDef, sayings: Sayings) -> Iterator[Combinations]:
    """What a kernel takes, by product that has the operator; formats other than those that count as ND."""
    node = rule.check
    while isinstance(node, tree.If):
        asked = {str(value) for value in _constants(node.condition)}
        named = [name for name in sayings.spec.products if _is_of(name, asked) and sayings.spec.products[name] == "yes"]
        on = sayings.products(named)
        columns: list[tree.Node] = []
        shared: list[frozenset[object]] = []
        rows: tuple[tuple[frozenset[object] | None, ...], ...] = ((),)
        for check in node.then.items if isinstance(node.then, tree.Logic) else (node.then,):
            if isinstance(check, tree.Choice):
                columns += check.columns
                rows = check.rows
            elif isinstance(check, tree.Compare) and PLAIN not in _constants(check):
                columns.insert(len(shared), check.operands[0])
                shared.append(_constants(check))
        order = sorted(range(len(columns)), key=lambda place: _position(columns[place], sayings))
        ordered = tuple(columns[place] for place in order)
        whole = tuple(tuple((*shared, *row)[place] for place in order) for row in rows)
        kept = _taken(ordered, whole, named, sayings)
        cells = tuple(tuple(_cell(cell, sayings) for cell in row) for row in kept)
        if named:
            title = f"{sayings.spec.kernel}: {on}"
            told = tuple(_told(column, named, sayings) for column in ordered)
            yield Combinations(rule.id, title, "", _headings(ordered, sayings), cells, on, told=told)
        node = node.other


def _told(column: tree.Node, on: Collection[str], sayings: Sayings) -> str:
    """The data types or formats that the row of a column's param has on some products, as a cell."""
    if not isinstance(column, tree.Attr) or column.name not in ("dtype", "format") or not name(column):
        return ""
    found = _values(column, on, sayings) if column.name == "dtype" else None
    spec, own = sayings.spec, stated_of(sayings.definition)[name(column).rsplit(".", 1)[0]]
    if found is None:
        taken = [taken_on(spec, own, one) if column.name == "dtype" else formats_on(spec, own[0], one) for one in on]
        found = frozenset(value for members in taken for value in members.all)
    return _cell(found - {None}, sayings) if found else ""


def _supporting(when: tree.Node | None, sayings: Sayings) -> list[str]:
    """The products that have the operator and that a condition leaves."""
    on = [found for part in build.conjuncts(when or build.TRUE) if (found := tree.on_products(part)) is not None]
    return [
        name for name, value in sayings.spec.products.items() if value == "yes" and all(one.holds(name) for one in on)
    ]


def _position(column: tree.Node, sayings: Sayings) -> int:
    """Where the param stands in the prototype that a column is about."""
    named = {part.name for part in tree.walk(column) if isinstance(part, tree.Param)}
    names = [param.name for param in sayings.definition.params]
    return min((names.index(name) for name in named if name in names), default=len(names))


def _is_of(product: str, asked: Collection[str]) -> bool:
    """Whether a product is one of some, or a part of one."""
    return product in asked or any(product in products.members(name) for name in asked)


def _taken(columns: tuple[tree.Node, ...], rows: Rows, on: Collection[str], sayings: Sayings) -> Rows:
    """The rows that an argument of the data types and formats which params take on some of these products may match,
    without the others that they name."""
    known = [_values(column, on, sayings) for column in columns]
    found = [
        tuple(cell if cell is None or may is None else _left(cell, may) for cell, may in zip(row, known, strict=True))
        for row in rows
    ]
    kept = tuple(dict.fromkeys(row for row in found if all(cell is None or cell for cell in row)))
    return lawful(columns, kept, sayings.definition, sayings.domains)


def _left(cell: frozenset[object], may: frozenset[object]) -> frozenset[object]:
    """What is left of a cell; of formats that count as ND, where it has none that its param is said to have, all."""
    kept = cell & may
    return kept or frozenset(one for one in cell if PLAIN in may and formats.is_public(str(one)))


def _values(column: tree.Node, on: Collection[str], sayings: Sayings) -> frozenset[object] | None:
    """The data types that may stand in a column on some of these products, and null where some legal
    call does not give its param; or the formats."""
    domains = sayings.domains
    match column:
        case tree.Attr(name="dtype") if (found := domains.values(column, "")) is not None:
            lacking = [{value for of, value in domains.lacking.get(one, ()) if of == name(column)} for one in on]
            left = found.difference(set.intersection(*lacking) if lacking else ())
            return left if domains.is_given(column.base) is True else left | {None}
        case tree.Attr(name="format") if domains is not NOTHING and name(column):
            param = name(column).removesuffix(".format")
            said = stated_of(sayings.definition)[param]
            found = frozenset(form for one in on for own in said for form in formats_on(sayings.spec, own, one).all)
            rule = sayings.definition.rule(f"{param}.private-format")
            if rule is None or not is_sure(rule, sayings.definition):  # programs run that use private ones
                found |= set(filter(formats.is_private, formats.names()))
            return found if PLAIN in found else None
    return None


def _headings(columns: tuple[tree.Node, ...], sayings: Sayings) -> tuple[str, ...]:
    """What stands above the columns; of data types, which are what most tables are of, their tensors alone."""
    plain = [
        whole(column.base, sayings.definition) if isinstance(column, tree.Attr) and column.name == "dtype" else column
        for column in columns
    ]
    return tuple(map(sayings.phrase, plain))


def whole(node: tree.Node, definition: Definition) -> tree.Node:
    """A list in the place of its first element, whose data type all its elements have; what else it is."""
    if isinstance(node, tree.Index) and number(node.index) == 0 and isinstance(node.base, tree.Param):
        uniform = definition.rule(f"{node.base.name}.uniform-dtype")
        if uniform is not None and uniform.when is None and is_sure(uniform, definition):
            return node.base
    return node


def _caption(rule: RuleDef, name: str, sayings: Sayings) -> str:
    """When a table counts: the condition of its rule, and the name of the alternative that it belongs to."""
    told = sayings.words["alternative"].format(name) if name else sayings.words["any_row"]
    if rule.when is None:
        return capital(told) if name else ""
    return capital(sayings.under(rule.when, told))


def _cell(cell: frozenset[object] | None, sayings: Sayings) -> str:
    """A cell of such a table: one value, several, or any."""
    if cell is None:
        return sayings.words["any_rank"]
    return sayings.listed(sorted(sayings.words["null"] if value is None else str(value) for value in cell))


def _constants(node: tree.Node) -> frozenset[object]:
    """The constants that a tree names."""
    return frozenset(part.value for part in tree.walk(node) if isinstance(part, tree.Const))
