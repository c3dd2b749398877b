"""Lists, comprehensions and tables in C: the parts of the back end that write statements of several lines."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

from opspec.codegen import ctext
from opspec.codegen.rules.context import Context
from opspec.codegen.rules.cvalues import (
    WHOLE,
    CannotExpress,
    Code,
    bits_of,
    declared,
    form_of,
    identifier,
    indented,
    nested,
    pointer_name,
    present_if,
    whole,
)  # fmt: skip
from opspec.language import ranges, runtime, tree
from opspec.language.types import BOOL, DTYPE, FORMAT, SCALAR, TENSOR, Type

LIST_MAX = "OPSPEC_LIST_MAX"


def seq(emitter: Context, node: tree.Seq, kind: Type | None = None) -> Code:
    """A tuple or list written out."""
    kind = node.type if kind is None else kind
    form = form_of(kind)
    if not node.items:
        return Code(f"({form.ctype}){{NULL, 0}}")
    if any(node.starred):
        return join(emitter, list(zip(node.items, node.starred, strict=True)), kind)
    parts = [emitter.emit(item, kind.item) for item in node.items]
    constant = all(isinstance(item, tree.Const) and not _is_big(item) for item in node.items)
    if form.suffix == "" and constant:
        return Code(emitter.fixed("int64_t", [part.text for part in parts]))
    if form.suffix == "_strs" and constant:
        texts = [f"OPSPEC_STR({ctext.string(str(item.value))})" for item in node.items if isinstance(item, tree.Const)]
        return Code(f"opspec_str_list({emitter.constant('opspec_str', texts)}, {len(texts)})")
    if form.suffix not in ("", "_numbers", "_lists", "_strs"):
        raise CannotExpress(f"a list written out of type {kind}")
    texts = [f"opspec_of_bool({part.text})" if kind.item == BOOL else part.text for part in parts]
    item = "opspec_int" if form.suffix == "" else form.item
    made = f"(const {item}[]){{{', '.join(texts)}}}"
    return Code(f"opspec_seq{form.suffix}({emitter.buffer(form.item, len(parts))}, {made}, {len(parts)})", False)


def join(emitter: Context, parts: list[tuple[tree.Node, bool]], kind: Type) -> Code:
    """Lists one after the other; neighbouring elements that are no lists make one."""
    form = form_of(kind)
    if form.suffix not in ("", "_numbers", "_lists"):
        raise CannotExpress(f"lists joined to a {kind}")
    texts = []
    for starred, group in itertools.groupby(parts, key=lambda part: part[1]):
        nodes = [node for node, _ in group]
        if starred:
            texts += [emitter.emit(node, kind).text for node in nodes]
        else:
            texts.append(seq(emitter, tree.Seq(tuple(nodes), (False,) * len(nodes), kind), kind).text)
    made = f"(const {form.ctype}[]){{{', '.join(texts)}}}"
    return Code(f"opspec_join{form.suffix}({emitter.buffer(form.item, LIST_MAX)}, {made}, {len(texts)})", False)


def each(emitter: Context, node: tree.Binder) -> Code:
    """A comprehension or quantifier: a loop in front, and the variable that it fills."""
    bounds = {**emitter.bounds, **ranges.variable_bounds(node, emitter.bounds)}
    own = frozenset(identifier("v_", name) for name in node.variables)
    inner = replace(emitter, lines=[], bounds=bounds, present=emitter.present - own)
    own_loop = loop(emitter, node)
    head, opening, count = own_loop.head, own_loop.opening, own_loop.count
    body = _listing(emitter, node, inner) if node.quantifier == "list" else None
    name = emitter.new_name("t")
    if body is None:
        decided = "OPSPEC_FALSE" if node.quantifier == "all" else "OPSPEC_TRUE"
        start = "OPSPEC_TRUE" if node.quantifier == "all" else "OPSPEC_FALSE"
        code = inner.emit(tree.conditioned(node))
        function = "opspec_and" if node.quantifier == "all" else "opspec_or"
        step = [*opening, *inner.lines, f"{name} = {function}({name}, {code.text});"]
        cause = "" if count is None else f"{count} < 0 ? (int)-{count} : "
        emitter.lines.append(f"int {name} = {cause}{start};")
        emitter.lines += [head.format(f" && {name} != {decided}"), *indented(step), "}"]
        return Code(name, False)
    making, buffer, step = body
    form = form_of(node.type)
    cause = "0" if count is None else f"{count} < 0 ? (int)-{count} : 0"
    emitter.lines.append(f"opspec_making {making} = {{0, {cause}, 0}};")
    emitter.lines += [head.format(""), *indented([*opening, *step]), "}"]
    emitter.lines.append(f"const {form.ctype} {name} = {{{buffer}, opspec_made(&{making})}};")
    return Code(name, False)


def _listing(emitter: Context, node: tree.Binder, inner: Context) -> tuple[str, str, list[str]]:
    """The list in the making, its buffer, and what adds an element."""
    form = form_of(node.type)
    names = {"": "", "_numbers": "_number", "_tensors": "_tensor"}
    if form.suffix not in names:
        raise CannotExpress(f"a comprehension that makes a {node.type}")
    making, buffer = emitter.new_name("m"), emitter.buffer(form.item, LIST_MAX)
    keep: list[str] = []
    if node.condition is not None:
        condition = inner.emit(node.condition)
        keep = [*inner.lines, f"if (!opspec_kept(&{making}, {condition.text}))", "    continue;"]
        narrowed = present_if(node.condition, True) if condition.sure else frozenset()
        inner = replace(inner, lines=[], present=inner.present | narrowed)
    kind = node.type.item
    code = inner.pointer(node.element) if kind == TENSOR else inner.emit(node.element, kind)
    text = f"opspec_of_bool({code.text})" if kind == BOOL else code.text
    add = f"opspec_append{names[form.suffix]}(&{making}, {buffer}, {text});"
    return making, buffer, [*keep, *inner.lines, add]


@dataclass(frozen=True, slots=True)
class Loop:
    """A comprehension's loop.

    Args:
        head: its first line, with a place for one more condition.
        index: the variable that counts.
        opening: what it binds, by the index.
        count: an expression for the count of elements or -cause; None where the loop is over a range.
        itself: the index is the variable of the comprehension.
        variables: those that ``opening`` binds.
    """

    head: str
    index: str
    opening: list[str]
    count: str | None
    itself: bool = False
    variables: tuple[str, ...] = ()


def loop(emitter: Context, node: tree.Binder) -> Loop:
    """The loop of a comprehension."""
    source = node.source
    if isinstance(source, tree.Range):
        return _range_loop(emitter, node, source)
    sources = node.sources
    if len(node.variables) != len(sources):
        raise CannotExpress(f"{len(node.variables)} variables for the elements of {len(sources)} lists")
    i = emitter.new_name("i")
    parts = [_elements(emitter, part, i) for part in sources]
    count = parts[0][0]
    if isinstance(source, tree.Zip):
        count = emitter.keep(Code(nested("opspec_zip", [part_count for part_count, _ in parts])), "int64_t")
    opening, variables = [], []
    for part, (_, element), variable in zip(sources, parts, node.variables, strict=True):
        item = part.type.item
        if item is None:
            raise CannotExpress("a comprehension over an empty list")
        cast = "(int)" if item == BOOL else ""
        if _mentions(node, variable):
            variables.append(identifier("v_", variable))
            opening.append(f"{declared(_item_ctype(item), variables[-1])} = {cast}{element};")
    head = f"for (int64_t {i} = 0; {i} < {count}{{}}; {i}++) {{{{"
    return Loop(head, i, opening, count, variables=tuple(variables))


def _elements(emitter: Context, part: tree.Node, index: str) -> tuple[str, str]:
    """Of what a loop goes through the count of elements, or -cause, and the element at an index."""
    if isinstance(part, tree.Range):
        low, high = _ends(emitter, part)
        count = emitter.keep(Code(f"opspec_range_count({low}, {high})"), "int64_t")
        return count, f"(int64_t)({low} + {index})"
    name = emitter.keep(emitter.emit(part), form_of(part.type).ctype)
    return f"{name}.count", f"{name}.items[{index}]"


def _ends(emitter: Context, source: tree.Range) -> tuple[str, str]:
    low = "0" if source.low is None else emitter.keep(emitter.emit(source.low), "opspec_int")
    return low, emitter.keep(emitter.emit(source.high), "opspec_int")


def _range_loop(emitter: Context, node: tree.Binder, source: tree.Range) -> Loop:
    low, high = _ends(emitter, source)
    count = emitter.new_name("n")
    emitter.lines.append(f"const int {count} = -opspec_range_cause({low}, {high});")
    i = identifier("v_", node.variables[0])
    return Loop(f"for (opspec_int {i} = {low}; {count} == 0 && {i} < {high}{{}}; {i}++) {{{{", i, [], count, True)


def table(emitter: Context, node: tree.Choice) -> Code:
    """Whether some row of a table holds every column's value."""
    codes = [_column(emitter, column) for column in node.columns]
    names = [emitter.keep(code, "opspec_int") for code in codes]
    if tree.is_of_sets(node):
        return _of_sets(emitter, node, names, all(code.sure for code in codes))
    rows = []
    for row in node.rows:
        pairs = zip(row, names, node.columns, strict=True)
        cells = [_cell(cell, name, column.type) for cell, name, column in pairs if cell is not None]
        rows.append("(" + (" && ".join(cells) or "true") + ")")
    name = emitter.new_name("t")
    unsure = [own for own, code in zip(names, codes, strict=True) if not code.sure]
    emitter.lines.append(
        f"int {name} = opspec_cause({nested('opspec_max', unsure)});" if unsure else f"int {name} = 0;"
    )
    emitter.lines += [f"if ({name} == 0)", f"    {name} = {rows[0] if rows else 'OPSPEC_FALSE'}"]
    emitter.lines += [f"        || {row}" for row in rows[1:]]
    emitter.lines[-1] += ";"
    return Code(name, not unsure)


@dataclass(frozen=True)
class Misfits:
    """Names in C of what a call lacks of a table: an array of bits for each row, and the place of the nearest row."""

    bits: str
    nearest: str


def misfits(emitter: Context, node: tree.Choice) -> Misfits:
    """For each row a bit for every column whose value it does not hold; an undefined value is in no cell."""
    if len(node.columns) > 64:
        raise CannotExpress("a table of more than 64 columns")
    names = [emitter.keep(_column(emitter, column), "opspec_int") for column in node.columns]
    bits, nearest = emitter.new_name("m"), emitter.new_name("t")
    rows = []
    for row in node.rows:
        cells = enumerate(zip(row, names, (column.type for column in node.columns), strict=True))
        fits = ((i, _cell(cell, name, kind)) for i, (cell, name, kind) in cells if cell is not None)
        terms = [f"opspec_misfit({test}, {i})" for i, test in fits]
        rows.append(" | ".join(terms) or "0")
    emitter.lines += [f"const uint64_t {bits}[] = {{", *(f"    {row}," for row in rows), "};"]
    emitter.lines.append(f"const int {nearest} = opspec_nearest({bits}, {len(rows)});")
    return Misfits(bits, nearest)


def _of_sets(emitter: Context, node: tree.Choice, names: list[str], sure: bool) -> Code:
    """The same where all cells are sets: rows as data."""
    name, values, sets = (emitter.new_name(prefix) for prefix in "tvw")
    cells = [f"{_set(cell, column.type)}," for row in node.rows for cell, column in zip(row, node.columns, strict=True)]
    emitter.lines.append(f"const opspec_int {values}[] = {{{', '.join(names)}}};")
    emitter.lines += [f"static const uint64_t {sets}[] = {{", *(f"    {line}" for line in cells), "};"]
    emitter.lines.append(f"const int {name} = opspec_in_rows({sets}, {len(node.rows)}, {values}, {len(names)});")
    return Code(name, sure)


def _set(cell: frozenset[object] | None, kind: Type) -> str:
    """A cell's bits; all of them where any value will do."""
    return "UINT64_MAX" if cell is None else bits_of([whole(value, kind) for value in sorted(cell, key=str)])


def _column(emitter: Context, node: tree.Node) -> Code:
    if node.type not in WHOLE:
        raise CannotExpress(f"a table's column of type {node.type}")
    root = tree.root(node)
    name = pointer_name(root) if isinstance(root, tree.Param) and root.type not in WHOLE else None
    if name is None or name in emitter.present:
        return emitter.emit(node)
    direct = isinstance(node, tree.Attr) and node.base is root
    code = emitter.within(frozenset({name})).emit(node) if direct else emitter.emit(node)
    return Code(f"({emitter.read(name)} != NULL ? {code.text} : OPSPEC_NULL)", code.sure)


def _is_big(node: tree.Node) -> bool:
    return isinstance(node, tree.Const) and isinstance(node.value, int) and node.value > runtime.HIGH


def _item_ctype(item: Type) -> str:
    if item in (TENSOR, SCALAR):
        return f"const opspec_{item.name} *"
    if item == BOOL:
        return "const int"
    if item in WHOLE:
        return "const int64_t"
    return f"const {form_of(item).ctype}"


def _mentions(node: tree.Binder, variable: str) -> bool:
    return any(
        isinstance(inner, tree.Var) and inner.name == variable for part in node.inside for inner in tree.walk(part)
    )


def _cell(cell: frozenset[object], name: str, kind: Type) -> str:
    """Whether a column's value is one that a cell allows."""
    texts = [f"{name} == {whole(value, kind)}" for value in sorted(filter(lambda v: v is not None, cell), key=str)]
    if None in cell:
        texts.append(f"{name} == OPSPEC_NULL")
    if kind in (DTYPE, FORMAT) and None not in cell and len(texts) > 2 and not any("_UNDEFINED" in t for t in texts):
        return f"opspec_in_set({name}, {bits_of([text.split(' == ')[1] for text in texts])})"
    return texts[0] if len(texts) == 1 else "(" + (" || ".join(texts) or "false") + ")"
