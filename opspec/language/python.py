"""Back end: a typed tree as Python source.

The source raises ``runtime.Undefined`` where the value is undefined. Plain operators are used wherever they give the
right cause; where two operands could be undefined for different causes, or where three-valued logic must look at
both sides, a helper of ``runtime`` takes the operands as thunks. Every expression knows which causes it can raise,
so that the common rule is one plain Python expression.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from opspec.language import ranges, runtime, tree
from opspec.language.facts import told_apart_by
from opspec.language.functions import FUNCTIONS
from opspec.language.outcome import ABSENT, NEITHER, NO_DATA
from opspec.language.record import replace
from opspec.language.types import BOOL, DTYPE, FLOAT, INT, SCALAR, TENSOR, Type
from opspec.vocabulary import products

T = TypeVar("T")
Causes = frozenset[int]
NONE: Causes = frozenset()


@dataclass(frozen=True, slots=True)
class Code:
    """Source of an expression and the causes it can raise."""

    text: str
    causes: Causes = NONE


@dataclass(slots=True)
class Emitter:
    """Emits expressions in one context.

    Args:
        lets: derived value -> causes it can have.
        present: nullable params known to be present here.
        tables: constants of tables, shared by the operator; emitted as ``T0``, ``T1`` …
        is_inside: what is emitted is evaluated for each element of a list.
        called: the names of library and run time that the emitted source calls; see :func:`bindings`.
    """

    lets: Mapping[str, Causes] = field(default_factory=dict)
    present: frozenset[str] = frozenset()
    tables: list[object] = field(default_factory=list)
    bounds: dict[str, tuple[int, int]] = field(default_factory=dict)
    is_inside: bool = False
    called: set[str] = field(default_factory=set)

    def emit(self, node: tree.Node) -> Code:
        """The source of a tree, in parentheses where precedence needs them."""
        method: Callable[[tree.Node], Code] = getattr(self, _METHODS[type(node)])
        return method(node)

    # --- helpers

    def _calls(self, name: str, *args: str) -> str:
        """A call of something of library or run time, which is noted."""
        self.called.add(name)
        return f"{name}({', '.join(args)})"

    def _join(self, parts: list[Code], build: Callable[..., str], extra: Causes = NONE) -> Code:
        """A strict operation: a plain expression when evaluation from left to right finds the highest cause first."""
        causes = frozenset().union(extra, *(part.causes for part in parts))
        later: set[int] = set()
        for part in reversed(parts):
            if part.causes and later and max(later) > min(part.causes):
                names = [f"a{i}" for i in range(len(parts))]
                whole = f"lambda {', '.join(names)}: {build(*names)}"
                return Code(self._calls("_strict", whole, *map(_thunk, parts)), causes)
            later |= part.causes
        return Code(build(*(part.text for part in parts)), causes)

    def _range_of(self, node: tree.Node) -> tuple[int, int]:
        return ranges.range_of(node, self.bounds)

    def _interval(self, node: tree.Binary) -> tuple[int, int]:
        return ranges.interval(node, self.bounds)

    # --- one method per kind of node

    def const(self, node: tree.Const) -> Code:
        if isinstance(node.value, float) and not -1e308 < node.value < 1e308:
            return Code(f'float("{node.value}")')
        return Code(
            f"({node.value!r})" if isinstance(node.value, (int, float)) and node.value < 0 else repr(node.value)
        )

    def _unread(self, node: tree.Node) -> Code:
        """Something that may be null, by its name; who reads it must see that it is not."""
        match node:
            case tree.Param():
                nullable = node.nullable and node.name not in self.present
                return Code(f"p_{node.name}", frozenset({ABSENT}) if nullable else NONE)
            case tree.Var():
                return Code(f"v_{node.name}", frozenset({ABSENT}) if node.type in (TENSOR, SCALAR) else NONE)
            case tree.Index():
                element = self._element(node)
                return Code(element.text, element.causes | ({ABSENT} if node.type in (TENSOR, SCALAR) else NONE))
        return self.emit(node)

    def _element(self, node: tree.Index) -> Code:
        """An element of a list, which may be null."""
        parts = [self.emit(node.base), self.emit(node.index)]
        return self._join(parts, lambda a, i: self._calls("_item", a, i), frozenset({NEITHER}))

    def read(self, node: tree.Node) -> Code:
        """The value of something that may be null."""
        found = self._unread(node)
        nullable = ABSENT in found.causes and (isinstance(node, tree.Param) or node.type in (TENSOR, SCALAR))
        return Code(self._calls("_present", found.text), found.causes) if nullable else found

    def let(self, node: tree.Let) -> Code:
        causes = self.lets[node.name]
        return Code(self._calls("_let", f"L_{node.name}") if causes else f"L_{node.name}", causes)

    def undefined(self, node: tree.Undefined) -> Code:
        return Code(self._calls("_undefined"), frozenset({NEITHER}))

    def attr(self, node: tree.Attr) -> Code:
        base = self.emit(node.base)
        _, _, extra = ATTRIBUTES.get(node.name, _PLAIN)
        return Code(self._attribute(node.name, base.text), base.causes | extra)

    def _attribute(self, name: str, base: str) -> str:
        """What an attribute is read by."""
        helper, of, _ = ATTRIBUTES.get(name, _PLAIN)
        return self._calls(helper, base + of) if helper else f"{base}.{name}"

    def slice(self, node: tree.Slice) -> Code:
        parts = [self.emit(part) for part in (node.base, node.low, node.high) if part is not None]

        def build(base: str, *ends: str) -> str:
            rest = iter(ends)
            low, high = ("" if part is None else next(rest) for part in (node.low, node.high))
            return f"{base}[{low}:{high}]"

        return self._join(parts, build)

    def unary(self, node: tree.Unary) -> Code:
        operand = self.emit(node.operand)
        if node.op == "-" and node.type == INT:
            if self._range_of(node.operand)[0] > runtime.LOW:
                return Code(f"(-{operand.text})", operand.causes)
            return Code(self._calls("_int64", f"-{operand.text}"), operand.causes | {NEITHER})
        if node.op == "~" and self._range_of(node.operand)[1] > runtime.HIGH:
            return Code(self._calls("_int64", f"~{operand.text}"), operand.causes | {NEITHER})
        return Code(f"({'not ' if node.op == 'not' else node.op}{operand.text})", operand.causes)

    def binary(self, node: tree.Binary) -> Code:
        parts = [self.emit(node.left), self.emit(node.right)]
        if node.op in _HELPERS:
            return self._join(parts, lambda a, b: self._calls(_HELPERS[node.op], a, b), frozenset({NEITHER}))
        if node.op in _HELPERS_OF_ZERO and self._range_of(node.right)[0] <= 0:
            return self._divided(node, parts)
        if node.type != INT:
            real = node.type != FLOAT or _is_double(node.left) or _is_double(node.right)
            return self._join(parts, lambda a, b: f"({a if real else f'float({a})'} {node.op} {b})")
        checked = not ranges.fits(self._interval(node))
        if checked:
            return self._join(parts, lambda a, b: self._calls("_int64", f"{a} {node.op} {b}"), frozenset({NEITHER}))
        return self._join(parts, lambda a, b: f"({a} {node.op} {b})")

    def _divided(self, node: tree.Binary, parts: list[Code]) -> Code:
        """An integer quotient or remainder whose divisor may be 0."""

        def build(a: str, b: str) -> str:
            call = self._calls(_HELPERS_OF_ZERO[node.op], a, b)
            return call if ranges.fits(self._interval(node)) else self._calls("_int64", call)

        return self._join(parts, build, frozenset({NEITHER}))

    def compare(self, node: tree.Compare) -> Code:
        on = tree.on_products(node)
        if on is not None:
            return self._compare_product(on)
        parts = [self.emit(operand) for operand in node.operands]
        nan = any(map(may_meet_nan, node.operands, node.operands[1:]))
        if nan and len(parts) == 2:
            return self._join(parts, lambda a, b: self._nan_safe(node.ops[0], a, b))
        middle_only = len(parts) == 3 and not parts[0].causes and not parts[2].causes
        if not nan and (len(parts) == 2 or middle_only or not any(part.causes for part in parts)):
            ops = node.ops
            return self._join(
                parts,
                lambda *texts: (
                    "(" + texts[0] + "".join(f" {op} {t}" for op, t in zip(ops, texts[1:], strict=True)) + ")"
                ),
            )
        pairs = zip(node.ops, node.operands, node.operands[1:], strict=False)
        tests = [self._nan_safe(op, "a", "b") if may_meet_nan(a, b) else f"a {op} b" for op, a, b in pairs]
        functions = ", ".join(f"lambda a, b: {test}" for test in tests)
        text = self._calls("_chain", f"({functions})", *map(_thunk, parts))
        return Code(text, frozenset().union(*(part.causes for part in parts)))

    def _nan_safe(self, op: str, a: str, b: str) -> str:
        """A comparison of lists in which NaN may stand."""
        call = self._calls(_NAN_SAFE[op], a, b)
        return f"(not {call})" if op in ("!=", "not in") else call

    def _compare_product(self, on: tree.OnProducts) -> Code:
        names = tuple(on.ids)
        deny = "" if on.inside else "not "
        if names and all(name in products.ids() for name in names):
            return Code(f"({deny}{self._calls('_known', '_product')} in {names!r})", frozenset({NO_DATA}))
        call = self._calls("_is_one_of_products", "_product", "_member", repr(names))
        return Code(f"({deny}{call})", frozenset({NO_DATA}))

    def is_none(self, node: tree.IsNone) -> Code:
        if isinstance(node.operand, tree.Index):  # the list, unlike the element, has to be there
            operand = self._element(node.operand)
        else:
            operand = Code(self._unread(node.operand).text)
        return Code(f"({operand.text} is {'not ' if node.negated else ''}None)", operand.causes)

    def logic(self, node: tree.Logic) -> Code:
        parts = [self.emit(item) for item in node.items]
        sure = [part.text for part in parts if not part.causes]
        unsure = [part for part in parts if part.causes]
        causes = frozenset().union(*(part.causes for part in parts))
        if len(unsure) > 1:
            helper = "_conjunction" if node.op == "and" else "_disjunction"
            sure.append(self._calls(helper, *map(_thunk, unsure)))
        else:
            sure += [part.text for part in unsure]
        return Code("(" + f" {node.op} ".join(sure) + ")", causes)

    def if_(self, node: tree.If) -> Code:
        condition, then, other = (self.emit(part) for part in (node.condition, node.then, node.other))
        causes = condition.causes | then.causes | other.causes
        return Code(f"({then.text} if {condition.text} else {other.text})", causes)

    def seq(self, node: tree.Seq) -> Code:
        parts = [self.emit(item) for item in node.items]
        stars = ["*" if star else "" for star in node.starred]
        return self._join(
            parts,
            lambda *texts: (
                "(" + "".join(f"{star}{text}, " for star, text in zip(stars, texts, strict=True)).strip() + ")"
            ),
        )

    def each(self, node: tree.Each) -> Code:
        source = self._source(node)
        bounds = {**self.bounds, **ranges.variable_bounds(node, self.bounds)}
        inner = Emitter(self.lets, self.present, self.tables, bounds, True, self.called)
        quantified = node.quantifier != "list"
        element_node = tree.conditioned(node) if quantified else node.element
        element = inner.emit(element_node)
        condition = inner.emit(node.condition) if node.condition is not None and not quantified else Code("")
        names = ", ".join(f"v_{name}" for name in node.variables)
        causes = element.causes | condition.causes
        if quantified and causes:
            text = self._calls(f"_for_{node.quantifier}", _lambda(names, node, element.text), source.text)
        elif len(causes) > 1:
            tests = [_lambda(names, node, condition.text)] if condition.text else []
            text = self._calls("_each", _lambda(names, node, element.text), source.text, *tests)
        else:
            test = f" if {condition.text}" if condition.text else ""
            opening = "tuple([" if not quantified else f"{node.quantifier}(["
            text = f"{opening}{element.text} for {names} in {source.text}{test}])"
        return Code(text, causes | source.causes)

    def _source(self, node: tree.Each) -> Code:
        """What a comprehension runs through: where it is one inside another, of tensors that are alike the first."""
        source = self.emit(node.source)
        is_outside = any(isinstance(part, tree.Each) for part in tree.walk(node.element))
        names = told_apart_by(node) if self.is_inside or is_outside else None
        if names is None:
            return source
        return Code(self._calls("_differing", source.text, *map(repr, names)), source.causes)

    def length(self, node: tree.Length) -> Code:
        return self._join([self.emit(node.operand)], "len({})".format)

    def range(self, node: tree.Range) -> Code:
        parts = [Code("0") if node.low is None else self.emit(node.low), self.emit(node.high)]
        return self._join(parts, lambda a, b: f"tuple({self._calls('_range', a, b)})", frozenset({NEITHER}))

    def zip(self, node: tree.Zip) -> Code:
        parts = [self.emit(item) for item in node.items]
        return self._join(parts, lambda *texts: self._calls("_zip", *texts), frozenset({NEITHER}))

    def call(self, node: tree.Call) -> Code:
        parts = [self.emit(arg) for arg in node.args]
        row = FUNCTIONS[node.function]
        if row.of_names:
            extra = frozenset({NEITHER}) if row.partial else NONE
            self.called.add(f"m_{row.name}")
            return self._join(parts, lambda *texts: f"m_{row.name}[{', '.join(texts)}]", extra)
        partial = row.partial and (row.alone is None or len(parts) == 1)
        extra = frozenset({NEITHER}) if partial else NONE
        return self._join(parts, lambda *texts: self._calls(f"f_{row.name}", *texts), extra)

    def given(self, node: tree.Given) -> Code:
        return self._where_given(self.emit(node.operand))

    def _where_given(self, code: Code) -> Code:
        if ABSENT not in code.causes:
            return code
        return Code(self._calls("_given", _thunk(code)), code.causes - {ABSENT})

    def implies(self, node: tree.Implies) -> Code:
        guard, check = self.emit(node.condition), self.emit(node.then)
        if not guard.causes:
            held = self._where_given(check)
            return Code(f"(not {guard.text} or {held.text})", held.causes)
        causes = (check.causes - {ABSENT}) | (guard.causes & {NO_DATA})
        return Code(self._calls("_implies", _thunk(guard), _thunk(check)), causes)

    def table(self, node: tree.Table) -> Code:
        columns = [self._column(column) for column in node.columns]
        if node.rows not in self.tables:
            self.tables.append(node.rows)
        name = f"T{self.tables.index(node.rows)}"
        return self._join(columns, lambda *texts: self._calls("_in_table", name, *texts))

    def _column(self, node: tree.Node) -> Code:
        root = tree.root(node)
        if not isinstance(root, tree.Param) or not root.nullable or root.name in self.present:
            return self.emit(node)
        there = self.present | {root.name}
        inner = Emitter(self.lets, there, self.tables, self.bounds, called=self.called).emit(node)
        return Code(f"({inner.text} if p_{root.name} is not None else None)", inner.causes)


#: what may be a null pointer is looked at before it is read
_METHODS: dict[type, str] = {**tree.METHODS, tree.Param: "read", tree.Var: "read", tree.Index: "read"}

#: attribute -> the function that reads it, what of the tensor or scalar that is given, and what else it can raise
ATTRIBUTES: dict[str, tuple[str, str, Causes]] = {
    "rank": ("len", ".shape", NONE),
    "numel": ("_numel", ".shape", frozenset({NEITHER})),
    "strides": ("_strides", "", frozenset({NEITHER})),
    "storage_shape": ("_storage_shape", "", frozenset({NO_DATA})),
    "storage_format": ("_storage_format", "", NONE),
    "values": ("_values", "", frozenset({NO_DATA})),
    "value": ("_value", "", frozenset({NO_DATA})),
}
_PLAIN = ("", "", NONE)  # one that Python has

_HELPERS_OF_ZERO = {"//": "_quotient", "%": "_remainder"}
_HELPERS = {"<<": "_shift_left", ">>": "_shift_right", "/": "_divide"}

_NAN_SAFE = {"==": "_equal", "!=": "_equal", "in": "_contains", "not in": "_contains"}


def _thunk(code: Code) -> str:
    return f"lambda: {code.text}"


def _is_double(node: tree.Node) -> bool:
    """Whether an expression of type float is surely one at run time; a scalar's value may be an int."""
    return node.type == FLOAT and (
        isinstance(node, (tree.Param, tree.Binary)) or (isinstance(node, tree.Const) and isinstance(node.value, float))
    )


def may_meet_nan(a: tree.Node, b: tree.Node) -> bool:
    """Whether Python would compare elements of lists by identity where NaN may be one of them."""
    lists = a.type.name == "list" or b.type.name == "list"
    if isinstance(b, tree.Seq) and all(isinstance(item, tree.Const) for item in b.items):
        return False
    return lists and not isinstance(a, tree.Const) and _leaf(a.type) == _leaf(b.type) == FLOAT


def _leaf(kind: Type) -> Type:
    while kind.name == "list" and kind.item is not None:
        kind = kind.item
    return kind


def _lambda(names: str, node: tree.Each, body: str) -> str:
    return f"lambda {names}: {body}" if len(node.variables) == 1 else f"lambda vs: (lambda {names}: {body})(*vs)"


_NO_POINTERS = (INT, FLOAT, BOOL, DTYPE)


def nullable(node: tree.Node) -> tree.Node:
    """The tree with every param that is a pointer taken for one that may be null: a call may break that rule, too."""
    if isinstance(node, tree.Param):
        loose: tree.Node = replace(node, nullable=node.type not in _NO_POINTERS)
        return loose
    return tree.rebuilt(node, nullable)


def must_be_present(node: tree.Node) -> frozenset[str]:
    """Nullable params without which the tree is undefined, whatever else it reads."""
    if isinstance(node, tree.Param):
        return frozenset({node.name}) if node.nullable else frozenset()
    return _needs(node, must_be_present)


def needs_values(node: tree.Node) -> frozenset[str]:
    """Params whose values the tree cannot do without."""
    if isinstance(node, tree.Attr) and node.name == "values" and isinstance(node.base, tree.Param):
        return frozenset({node.base.name})
    return _needs(node, needs_values)


def needs_elements(node: tree.Node) -> frozenset[tuple[tree.Node, int]]:
    """Lists that are arguments or shapes, each with a constant index that the tree cannot do without."""
    if isinstance(node, tree.Index) and isinstance(node.index, tree.Const) and isinstance(node.index.value, int):
        root = node.base.base if isinstance(node.base, tree.Attr) else node.base
        if isinstance(root, tree.Param):
            return frozenset({(node.base, node.index.value)})
    return _needs(node, needs_elements)


def needs_product(node: tree.Node) -> bool:
    """Whether the tree cannot do without the product."""
    return bool(_product_in(node))


def _product_in(node: tree.Node) -> frozenset[str]:
    match node:
        case tree.Product():
            return frozenset({"product"})
        case tree.Compare(operands=(tree.Product(), tree.Seq(items=()))):  # whatever it is, it is none of none
            return frozenset()
    return _needs(node, _product_in)


def _needs(node: tree.Node, of: Callable[[tree.Node], frozenset[T]]) -> frozenset[T]:
    """What a tree needs by what its parts need: all that makes it undefined wherever a part is."""
    match node:
        case tree.Logic():  # defined as soon as one part is
            return frozenset.intersection(*map(of, node.items))
        case tree.IsNone() | tree.Table() | tree.Given() | tree.Implies():
            return frozenset()
        case tree.Compare() if len(node.operands) > 2:
            return of(node.operands[1]) if len(node.operands) == 3 else frozenset()
        case tree.If():
            return of(node.condition)
        case tree.Each():
            return of(node.source)
    return frozenset().union(*map(of, tree.children(node)))


def bindings(called: Container[str]) -> list[str]:
    """The lines that bind the names that emitted source calls; the run time is ``_r`` there."""
    lines = [f"{name} = _r.{target}" for name, target in helper_names() if name in called]
    for row in FUNCTIONS.values():
        target = f"_r.{row.python.__name__}"
        lines += [f"f_{row.name} = {target}"] if f"f_{row.name}" in called else []
        lines += [f"m_{row.name} = _r.Remembered({target})"] if f"m_{row.name}" in called else []
    return lines


def helper_names() -> Iterable[tuple[str, str]]:
    """(name in compiled source, name in ``runtime``) of every helper the emitter uses."""
    same = ("strict", "equal", "contains", "conjunction", "disjunction", "for_all", "for_any", "each", "given",
            "implies", "in_table", "present", "int64", "let", "undefined", "numel", "strides", "storage_shape",
            "storage_format", "values", "value", "is_one_of_products", "known", "shift_left", "shift_right", "divide",
            "chain", "item", "quotient", "remainder", "differing")  # fmt: skip
    yield from ((f"_{name}", name) for name in same)
    yield from (("_range", "bounded_range"), ("_zip", "zipped"))
    yield from ((f"_{row.name}", f"{row.name}_or_none") for row in FUNCTIONS.values() if row.or_none)
