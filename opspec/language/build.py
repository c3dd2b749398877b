"""Typed nodes, each checked as it is made: the parser makes them of text, the sugar of specs of what properties say.

>>> from opspec.language.text import write
>>> from opspec.language.types import TENSOR
>>> dtype = attribute(tree.Param("x", TENSOR), "dtype")
>>> write(implies(on_products(["910b"]), member(dtype, [constant("FLOAT", DTYPE), constant("INT8", DTYPE)])))
"implies(product in ('910b',), x.dtype in (FLOAT, INT8))"
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from opspec.errors import SpecError, did_you_mean, shown
from opspec.language import tree
from opspec.language.functions import FORMS, FUNCTIONS, Function
from opspec.language.text import write
from opspec.language.types import (
    ATTRIBUTES,
    BOOL,
    DTYPE,
    EMPTY,
    FLOAT,
    FORMAT,
    INT,
    INT64,
    INTS,
    NUMBERS,
    PRODUCT,
    SCALAR,
    STR,
    TENSOR,
    Type,
    list_of,
    pair_of,
    unify,
)  # fmt: skip
from opspec.vocabulary import products

Row = tuple[frozenset[object] | None, ...]

TRUE, FALSE = tree.Const(True, BOOL), tree.Const(False, BOOL)
_DIGITS = 256  # bits of an integer that a message writes out
_POINTERS = ("tensor", "scalar", "list", "str", "pointer")


def expect(node: tree.Node, *types: Type) -> tree.Node:
    """The node, which is to have one of these types.

    Raises:
        SpecError: it has another, as do all functions here where a part does not fit.
    """
    if node.type not in types:
        wanted = " or ".join(map(str, types))
        raise SpecError(f"expected {wanted}, found {node.type} ({_shown(node)})", column=node.column)
    return node


def _shown(node: tree.Node) -> str:
    return shown(write(node))


# --- atoms


def constant(value: float | str | bool, kind: Type, column: int = 0) -> tree.Const:
    """``3``, ``'BSND'``, ``FLOAT``: a literal of this type."""
    if isinstance(value, int) and kind == INT and value not in INT64:
        text = shown(str(value)) if value.bit_length() < _DIGITS else "this integer"
        raise SpecError(f"{text} is not an int64", column=column)
    return tree.Const(value, kind, column)


def attribute(base: tree.Node, name: str, column: int = 0) -> tree.Attr:
    """``base.name``."""
    found = ATTRIBUTES.get((base.type, name))
    if found is None:
        known = [own for kind, own in ATTRIBUTES if kind == base.type]
        hint = did_you_mean(name, known) or (f"; it has {', '.join(known)}" if known else "")
        raise SpecError(f"a {base.type} has no {name!r}{hint}", column=column)
    return tree.Attr(base, name, found[0], column)


# --- lists


def sequence(items: Sequence[tree.Node], starred: Sequence[bool] = (), column: int = 0) -> tree.Seq:
    """``(a, *b)``: elements of one type."""
    stars = tuple(starred) or (False,) * len(items)
    kind = EMPTY
    for item, star in zip(items, stars, strict=True):
        wider = unify(kind, item.type if star else list_of(item.type))
        if wider is None or (star and item.type.name != "list"):
            raise SpecError(f"a list has elements of one type: {kind}, then {item.type}", column=item.column)
        kind = wider
    return tree.Seq(tuple(items), stars, kind, column)


def _element_type(base: tree.Node, column: int) -> Type:
    if base.type.name != "list" or base.type.item is None:
        raise SpecError(f"a {base.type} has no elements to index", column=column)
    return base.type.item


def index(base: tree.Node, at: tree.Node | int, column: int = 0) -> tree.Index:
    """``base[at]``."""
    item = _element_type(base, column)
    return tree.Index(base, expect(constant(at, INT, column) if isinstance(at, int) else at, INT), item, column)


def part(base: tree.Node, low: tree.Node | None, high: tree.Node | None, column: int = 0) -> tree.Slice:
    """``base[low:high]``."""
    _element_type(base, column)
    for end in (low, high):
        if end is not None:
            expect(end, INT)
    return tree.Slice(base, low, high, base.type, column)


def length(operand: tree.Node, column: int = 0) -> tree.Length:
    """``len(operand)``."""
    if operand.type.name != "list" and operand.type != STR:
        raise SpecError(f"len takes any list, found {operand.type}", column=column)
    return tree.Length(operand, INT, column)


def integers(low: tree.Node | None, high: tree.Node, column: int = 0) -> tree.Range:
    """``range(low, high)``."""
    return tree.Range(None if low is None else expect(low, INT), expect(high, INT), INTS, column)


def side_by_side(items: Sequence[tree.Node], column: int = 0) -> tree.Zip:
    """``zip(a, b)``."""
    if len(items) < 2 or any(item.type.name != "list" or item.type.item is None for item in items):
        raise SpecError("zip takes two or more lists", column=column)
    return tree.Zip(tuple(items), list_of(pair_of(*(item.type.item or INT for item in items))), column)


def variables(source: tree.Node, names: Sequence[str], column: int = 0) -> dict[str, Type]:
    """The variables that go through a list, each with its type."""
    if source.type.name != "list":
        raise SpecError(f"expected a list to go through, found {source.type}", column=source.column)
    item = source.type.item or INT
    members = item.members if item.name == "pair" else (item,)
    if len(names) != len(members) or len(set(names)) != len(names):
        count = f"it needs {len(members)} different names, not {len(names)}"
        raise SpecError(f"each element here is {item}: {count}", column=column)
    return dict(zip(names, members, strict=True))


def every(source: tree.Node, statement: Callable[..., tree.Node], names: Sequence[str] = ("t",)) -> tree.Each:
    """``all(statement for t in source)``: the statement is made of the variables.

    >>> from opspec.language.text import write
    >>> write(every(tree.Param("dims", INTS), lambda d: compare(["<"], [constant(0, INT), d]), ["d"]))
    'all(0 < d for d in dims)'
    """
    element = statement(*(tree.Var(name, kind) for name, kind in variables(source, names).items()))
    return tree.Each("all", expect(element, BOOL), tuple(names), source, None, BOOL)


# --- operators


def negated(operand: tree.Node, column: int = 0) -> tree.Unary:
    """``not operand``."""
    return tree.Unary("not", expect(operand, BOOL), BOOL, column)


def all_of(items: Sequence[tree.Node]) -> tree.Node:
    """``a and b``; a statement alone is itself, and none of them is true."""
    return _joined("and", items) if items else TRUE


def conjuncts(node: tree.Node) -> tuple[tree.Node, ...]:
    """What a statement is put together of by ``and``; one that is not is itself."""
    return node.items if isinstance(node, tree.Logic) and node.op == "and" else (node,)


def any_of(items: Sequence[tree.Node]) -> tree.Node:
    """``a or b``; a statement alone is itself."""
    return _joined("or", items)


def _joined(op: str, items: Sequence[tree.Node], column: int = 0) -> tree.Node:
    return items[0] if len(items) == 1 else logic(op, items, column)


def logic(op: str, items: Sequence[tree.Node], column: int = 0) -> tree.Logic:
    """``a and b`` or ``a or b``, of two or more statements."""
    return tree.Logic(op, tuple(expect(item, BOOL) for item in items), BOOL, column)


def arithmetic(op: str, left: tree.Node, right: tree.Node, column: int = 0) -> tree.Binary:
    """``left op right``."""
    kind = _result_of(op, left.type, right.type)
    if kind is None:
        hint = "; integers divide with // (rounding down)" if op == "/" else ""
        raise SpecError(f"{left.type} {op} {right.type} is not defined{hint}", column=column)
    return tree.Binary(op, left, right, kind, column)


def _result_of(op: str, left: Type, right: Type) -> Type | None:
    if op == "+" and left.name == "list" and right.name == "list":
        return unify(left, right)
    if left == INT and right == INT:
        return None if op == "/" else INT
    return FLOAT if left in NUMBERS and right in NUMBERS and op in "+-*/" else None


def chosen(condition: tree.Node, then: tree.Node, other: tree.Node, column: int = 0) -> tree.If:
    """``then if condition else other``."""
    kind = unify(then.type, other.type)
    if isinstance(other, tree.Undefined) or isinstance(then, tree.Undefined):
        kind = then.type if isinstance(other, tree.Undefined) else other.type
    if kind is None:
        raise SpecError(f"both sides of 'if' need one type, found {then.type} and {other.type}", column=column)
    return tree.If(expect(condition, BOOL), then, other, kind, column)


def equal(left: tree.Node, right: tree.Node) -> tree.Compare:
    """``left == right``."""
    return compare(["=="], [left, right])


def member(subject: tree.Node, items: Sequence[tree.Node]) -> tree.Compare:
    """``subject in (a, b)``."""
    return compare(["in"], [subject, sequence(items)])


def one_of(subject: tree.Node, items: Sequence[tree.Node]) -> tree.Compare:
    """``subject == a`` of one value, ``subject in (a, b)`` of several."""
    return compare(["=="], [subject, items[0]]) if len(items) == 1 else member(subject, items)


def on_products(ids: Sequence[str], op: str = "in") -> tree.Compare:
    """``product in ('910b', 'A3')``, or ``not in``."""
    return compare([op], [tree.Product(PRODUCT), sequence([constant(name, STR) for name in ids])])


def compare(ops: Sequence[str], operands: Sequence[tree.Node], column: int = 0) -> tree.Compare:
    """``a op b op c``; texts that are compared with the product are ids of products."""
    items = list(operands)
    if len(ops) > 1 and any(item.type == PRODUCT for item in items):
        raise SpecError("the product is compared with one thing at a time", column=column)
    for i, op in enumerate(ops):
        items[i], items[i + 1] = _product_names(items[i], items[i + 1], column)
        _comparable(op, items[i], items[i + 1], column)
    return tree.Compare(tuple(ops), tuple(items), BOOL, column)


def _comparable(op: str, left: tree.Node, right: tree.Node, column: int) -> None:
    a, b = left.type, right.type
    if op in ("<", "<=", ">", ">="):
        fits = a in NUMBERS and b in NUMBERS
    elif op in ("in", "not in"):
        fits = b.name == "list" and (b.item is None or unify(a, b.item) is not None)
    else:
        fits = unify(a, b) is not None
    if not fits or any(kind.name in ("tensor", "scalar", "pointer") for kind in (*parts(a), *parts(b))):
        text = _shown(tree.Compare((op,), (left, right), BOOL))
        raise SpecError(f"{a} {op} {b} cannot be compared ({text})", column=column)


def parts(kind: Type) -> Iterator[Type]:
    """A type and the types inside it."""
    yield kind
    for item in kind.members if kind.item is None else (kind.item,):
        yield from parts(item)


def _product_names(left: tree.Node, right: tree.Node, column: int) -> tuple[tree.Node, tree.Node]:
    """Read string literals compared with the product as product ids or members."""
    if left.type == PRODUCT:
        return left, _as_product(right, column)
    return (_as_product(left, column), right) if right.type == PRODUCT else (left, right)


def _as_product(node: tree.Node, column: int) -> tree.Node:
    if isinstance(node, tree.Seq) and not any(node.starred) and all(isinstance(i, tree.Const) for i in node.items):
        items = tuple(_as_product(item, column) for item in node.items)
        return tree.Seq(items, node.starred, list_of(PRODUCT), node.column)
    if not isinstance(node, tree.Const) or not isinstance(node.value, str):
        raise SpecError("the product is compared with quoted product ids only", column=column)
    known = [name for family in products.ids() for name in (family, *products.members(family))]
    if node.value not in known:
        hint = did_you_mean(node.value, known) or f"; ids are {', '.join(products.ids())}"
        raise SpecError(f"unknown product id {shown(node.value)}{hint}", column=node.column)
    return tree.Const(node.value, PRODUCT, node.column)


def is_none(operand: tree.Node, column: int = 0) -> tree.IsNone:
    """``operand is None``."""
    return _null(operand, False, column)


def present(operand: tree.Node, column: int = 0) -> tree.IsNone:
    """``operand is not None``."""
    return _null(operand, True, column)


def _null(operand: tree.Node, is_not: bool, column: int) -> tree.IsNone:
    if not isinstance(operand, (tree.Param, tree.Var, tree.Index)) or operand.type.name not in _POINTERS:
        raise SpecError(f"only a pointer argument can be None, not {_shown(operand)}", column=column)
    return tree.IsNone(operand, is_not, BOOL, column)


# --- calls and forms


def call(function: str, args: Sequence[tree.Node], column: int = 0) -> tree.Call:
    """``function(args)``, of a function of the library."""
    row = FUNCTIONS.get(function)
    if row is None:
        hint = did_you_mean(function, [*FUNCTIONS, *FORMS])
        raise SpecError(f"unknown function {shown(function)}{hint}", column=column)
    takes = _takes(row, len(args))
    if len(takes) != len(args):
        raise SpecError(f"{row.name} takes {len(takes)} arguments, found {len(args)}", column=column)
    for wanted, arg in zip(takes, args, strict=True):
        if wanted != arg.type and (unify(wanted, arg.type) != wanted or wanted == BOOL):
            raise SpecError(f"{row.name} takes {wanted}, found {arg.type}", column=column)
    return tree.Call(function, tuple(args), row.gives, column)


def _takes(row: Function, count: int) -> tuple[Type, ...]:
    if row.alone is not None and count == 1:
        return (row.alone,)
    return row.takes + (row.takes[-1],) * (count - len(row.takes)) if row.variadic else row.takes


def given(statement: tree.Node, column: int = 0) -> tree.Given:
    """``given(statement)``."""
    return tree.Given(expect(statement, BOOL), BOOL, column)


def implies(condition: tree.Node, then: tree.Node, column: int = 0) -> tree.Implies:
    """``implies(condition, then)``."""
    return tree.Implies(expect(condition, BOOL), expect(then, BOOL), BOOL, column)


def heading(node: tree.Node) -> tree.Node:
    """A column of a table; a bare tensor or list stands for whether it is there (cells ``present`` and ``None``)."""
    if isinstance(node, tree.Param) and (
        node.type in (TENSOR, SCALAR, list_of(TENSOR), list_of(SCALAR)) or node.type.name == "pointer"
    ):
        return tree.IsNone(node, True, BOOL, node.column)
    if node.type not in (INT, FLOAT, BOOL, STR, DTYPE, FORMAT):
        message = f"a column is a dtype, a format, a number, a bool or a text, not a {node.type}"
        raise SpecError(message, column=node.column)
    return node


def table(columns: Sequence[tree.Node], rows: Sequence[Row], column: int = 0) -> tree.Table:
    """``table((x.dtype, y.dtype), (FLOAT, FLOAT), …)``: a cell is a set of values, None for any."""
    for row in rows:
        if len(row) != len(columns):
            raise SpecError(f"a row has {len(columns)} cells as the head has, found {len(row)}", column=column)
    return tree.Table(tuple(map(heading, columns)), tuple(rows), BOOL, column)
