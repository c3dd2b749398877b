"""The typed tree of a rule expression: small immutable nodes, each with its type and its column in the source.

The tree is what every use of a rule starts from: the Python check, the reference interpreter, the prose in two
languages, the message and the C check. ``opspec.language.text`` writes a tree back as source.

What gives each node a form of its own (a back end, the prose) has a :class:`Visitor`, or a ``match`` over all kinds.
Whoever else walks trees asks what a node has: its :func:`children`, what it binds (:class:`Binder`), which rows of
values it lets pass (:class:`Choice`). A node that is added declares these, and they need not know it.
"""

from __future__ import annotations

from _operator import is_
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from opspec.language.record import field, replace
from opspec.language.record import record as dataclass
from opspec.language.types import BOOL, DTYPE, FORMAT, PRODUCT, Type, list_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, Protocol, TypeAlias, TypeVar

    T_co = TypeVar("T_co", covariant=True)
    F = TypeVar("F")
    Quantifier: TypeAlias = Literal["list", "all", "any"]
else:
    Quantifier = str


class NodeBase:
    """What a node says of itself, so that whoever walks trees need not know its kind.

    Attributes:
        parts: the fields that are nodes, or several nodes, in evaluation order.
        scoped: of these the ones in which the node's own variables are bound.
    """

    __slots__ = ("_below",)  # the node and all below it, where somebody walked them

    parts: tuple[str, ...] = ()
    scoped: tuple[str, ...] = ()

    if TYPE_CHECKING:

        @property
        def type(self) -> Type: ...
        @property
        def column(self) -> int: ...


class Binder(NodeBase):
    """A node that says something of each element of a list, which its variables stand for.

    Attributes:
        quantifier: whether that is to hold of all or any elements, or makes a list.
        source: the list.
        condition: on which an element counts.
        element: what is said of it.
    """

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def quantifier(self) -> Quantifier: ...
        @property
        def element(self) -> Node: ...
        @property
        def variables(self) -> tuple[str, ...]: ...
        @property
        def source(self) -> Node: ...
        @property
        def condition(self) -> Node | None: ...

    @property
    def inside(self) -> tuple[Node, ...]:
        """The parts that may read its variables, in evaluation order: what is said of an element last."""
        return tuple(part for name in self.scoped if (part := getattr(self, name)) is not None)

    @property
    def sources(self) -> tuple[Node, ...]:
        """The lists that it runs through, side by side."""
        return self.source.items if isinstance(self.source, Zip) else (self.source,)


class Choice(NodeBase):
    """A node that is true where some row holds the values of all columns.

    Attributes:
        rows: a cell for each column: the values that it allows, None for any.
    """

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def columns(self) -> tuple[Node, ...]: ...
        @property
        def rows(self) -> tuple[tuple[frozenset[object] | None, ...], ...]: ...

    @property
    def alternatives(self) -> list[list[tuple[Node, frozenset[object]]]]:
        """By row what it asks for: columns with the values that they may have."""
        return [
            [(column, cell) for column, cell in zip(self.columns, row, strict=True) if cell is not None]
            for row in self.rows
        ]

    def lacking(self, values: Sequence[object]) -> list[list[tuple[Node, frozenset[object]]]]:
        """By row the columns whose value it does not allow, with the values that it does.

        Args:
            values: of the columns.
        """
        return [
            [(column, cell) for column, cell, value in zip(self.columns, row, values, strict=True)
             if cell is not None and value not in cell]
            for row in self.rows
        ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Const(NodeBase):
    """A literal: int, float, bool, str, dtype, format, product or None."""

    value: int | float | bool | str | None
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Param(NodeBase):
    """A param of the operator, by its name in the spec."""

    name: str
    type: Type
    nullable: bool = False
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Let(NodeBase):
    """A derived value of the spec (``let:``, or a dim of a symbolic shape)."""

    name: str
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Var(NodeBase):
    """A variable bound by a comprehension."""

    name: str
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Product(NodeBase):
    """The product the call is made for."""

    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Undefined(NodeBase):
    """The literal ``undefined``: what a symbolic dim is when nothing binds it."""

    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Attr(NodeBase):
    """``base.name``."""

    parts = ("base",)

    base: Node
    name: str
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Index(NodeBase):
    """``base[index]``; a negative index counts from the end, one outside is undefined."""

    parts = ("base", "index")

    base: Node
    index: Node
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Slice(NodeBase):
    """``base[low:high]``, clamped as in Python."""

    parts = ("base", "low", "high")

    base: Node
    low: Node | None
    high: Node | None
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Unary(NodeBase):
    """``-a``, ``~a`` or ``not a``."""

    parts = ("operand",)

    op: str
    operand: Node
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Binary(NodeBase):
    """``left op right`` for ``+ - * / // % << >> & | ^``."""

    parts = ("left", "right")

    op: str
    left: Node
    right: Node
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Compare(NodeBase):
    """``a op b op c …``: the conjunction of its neighbouring comparisons."""

    parts = ("operands",)

    ops: tuple[str, ...]
    operands: tuple[Node, ...]
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class IsNone(NodeBase):
    """``operand is None`` (or ``is not None``): always defined."""

    parts = ("operand",)

    operand: Node
    negated: bool
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Logic(NodeBase):
    """``and`` / ``or`` over two or more operands, three-valued."""

    parts = ("items",)

    op: str
    items: tuple[Node, ...]
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class If(NodeBase):
    """``then if condition else other``."""

    parts = ("condition", "then", "other")

    condition: Node
    then: Node
    other: Node
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Seq(NodeBase):
    """A tuple or list; ``starred[i]`` says that item i is a list spliced in."""

    parts = ("items",)

    items: tuple[Node, ...]
    starred: tuple[bool, ...]
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Each(Binder):
    """``element for variables in source if condition``: a list, or under ``all`` / ``any`` a quantifier."""

    parts = ("source", "condition", "element")
    scoped = ("condition", "element")

    quantifier: Quantifier
    element: Node
    variables: tuple[str, ...]
    source: Node
    condition: Node | None
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Length(NodeBase):
    """``len(operand)``: of a list its elements, of a text its characters."""

    parts = ("operand",)

    operand: Node
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Range(NodeBase):
    """``range(low, high)``: the integers from low (None: 0) up to high, exclusive; undefined when they are too many."""

    parts = ("low", "high")

    low: Node | None
    high: Node
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Zip(NodeBase):
    """``zip(items)``: lists side by side; undefined when their lengths differ."""

    parts = ("items",)

    items: tuple[Node, ...]
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Given(NodeBase):
    """``given(operand)``: the statement, and true where it is undefined for want of an argument."""

    parts = ("operand",)

    operand: Node
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Implies(NodeBase):
    """``implies(condition, then)``: ``given(then)`` where the condition is true.

    Where it is false or undefined it is true; only where data are missing for the condition, they are for the whole.
    """

    parts = ("condition", "then")

    condition: Node
    then: Node
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Call(NodeBase):
    """A function of the library: what it means, and whatever else is known of it, is its row."""

    parts = ("args",)

    function: str
    args: tuple[Node, ...]
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Table(Choice):
    """``table((column, …), (cell, …), …)``: some row holds every column's value.

    A column whose param is absent has the value None. A cell is a frozenset of allowed values, or None for "any".
    """

    parts = ("columns",)

    columns: tuple[Node, ...]
    rows: tuple[tuple[frozenset[object] | None, ...], ...]
    type: Type
    column: int = field(default=0, compare=False)


def root(column: Node) -> Node:
    """What a column of a table hangs on: ``x`` of ``x.dtype``, ``x[0].dtype`` and ``x.shape[-1]``."""
    while isinstance(column, (Attr, Index)):
        column = column.base
    return column


Node = (
    Const | Param | Let | Var | Product | Undefined | Attr | Index | Slice | Unary | Binary | Compare | IsNone | Logic
    | If | Seq | Each | Length | Range | Zip | Given | Implies | Call | Table | Binder | Choice
)  # fmt: skip


def is_of_sets(node: Choice) -> bool:
    """Whether all cells are sets of dtypes and formats, which have bits."""
    if any(column.type not in (DTYPE, FORMAT) for column in node.columns):
        return False
    return not any(cell is not None and cell & {None, "DT_UNDEFINED", "UNDEFINED"} for row in node.rows for cell in row)


def children(node: Node) -> Iterator[Node]:
    """The direct parts of a node, in evaluation order."""
    for name in node.parts:
        part = getattr(node, name)
        if type(part) is tuple:
            yield from part
        elif part is not None:
            yield part


def conditioned(node: Binder) -> Node:
    """A quantifier's element under its condition, as one three-valued statement."""
    if node.condition is None:
        return node.element
    if node.quantifier == "all":
        return Logic("or", (Unary("not", node.condition, BOOL), node.element), BOOL)
    return Logic("and", (node.condition, node.element), BOOL)


def substituted(node: Node, bound: Mapping[str, Node]) -> Node:
    """A tree with other trees in place of variables."""
    if isinstance(node, Var):
        return bound.get(node.name, node)
    return rebuilt(node, lambda part: substituted(part, bound))


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, parents first."""
    try:
        found: tuple[Node, ...] = node._below  # type: ignore[union-attr]
    except AttributeError:
        found = tuple(_walked(node))
        object.__setattr__(node, "_below", found)
    return iter(found)


def _walked(node: Node) -> Iterator[Node]:
    ahead = [node]
    while ahead:
        found = ahead.pop()
        yield found
        for name in found.parts[::-1]:
            part = getattr(found, name)
            if type(part) is tuple:
                ahead += part[::-1]
            elif part is not None:
                ahead.append(part)


@lru_cache(maxsize=65536)
def one(node: Node) -> Node:
    """The one that stands for all trees that are equal, but for their columns, made of such ones.

    Releases of an operator say much the same: what is kept of their trees is found without comparing these through.
    """
    return rebuilt(node, one)


def rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """The node with each of its direct parts changed; itself where none is another."""
    changes = _changed(node, node.parts, change) if node.parts else None
    return replace(node, **changes) if changes else node


def rebuilt_in_scope(node: Node, outside: Callable[[Node], Node], inside: Callable[[Node], Node]) -> Node:
    """The same where the parts in which the node's own variables are bound change in another way."""
    outer = tuple(name for name in node.parts if name not in node.scoped)
    changes = {**_changed(node, outer, outside), **_changed(node, node.scoped, inside)}
    return replace(node, **changes) if changes else node


def _changed(node: Node, names: tuple[str, ...], change: Callable[[Node], Node]) -> dict[str, object]:
    """The fields of these whose parts become others, with what they become."""
    changes: dict[str, object] = {}
    for name in names:
        part = getattr(node, name)
        if type(part) is tuple:
            items = [change(item) for item in part]
            if not all(map(is_, items, part)):
                changes[name] = tuple(items)
        elif part is not None:
            new = change(part)
            if new is not part:
                changes[name] = new
    return changes


#: every kind of node
KINDS = (
    Const, Param, Let, Var, Product, Undefined, Attr, Index, Slice, Unary, Binary, Compare, IsNone, Logic, If, Seq,
    Each, Length, Range, Zip, Given, Implies, Call, Table,
)  # fmt: skip

#: kind of node -> the name of the method for it in back ends that have one for each
METHODS: dict[type, str] = {
    Const: "const", Param: "param", Let: "let", Var: "var", Product: "product", Undefined: "undefined",
    Attr: "attr", Index: "index", Slice: "slice", Unary: "unary", Binary: "binary",
    Compare: "compare", IsNone: "is_none", Logic: "logic", If: "if_", Seq: "seq",
    Each: "each", Length: "length", Range: "range", Zip: "zip", Given: "given",
    Implies: "implies", Call: "call", Table: "table",
}  # fmt: skip

if TYPE_CHECKING:

    class Visitor(Protocol[T_co]):
        """What gives each kind of node a form of its own; who lacks one is no visitor, as type checkers see it."""

        def const(self, node: Const, /) -> T_co: ...
        def param(self, node: Param, /) -> T_co: ...
        def let(self, node: Let, /) -> T_co: ...
        def var(self, node: Var, /) -> T_co: ...
        def product(self, node: Product, /) -> T_co: ...
        def undefined(self, node: Undefined, /) -> T_co: ...
        def attr(self, node: Attr, /) -> T_co: ...
        def index(self, node: Index, /) -> T_co: ...
        def slice(self, node: Slice, /) -> T_co: ...
        def unary(self, node: Unary, /) -> T_co: ...
        def binary(self, node: Binary, /) -> T_co: ...
        def compare(self, node: Compare, /) -> T_co: ...
        def is_none(self, node: IsNone, /) -> T_co: ...
        def logic(self, node: Logic, /) -> T_co: ...
        def if_(self, node: If, /) -> T_co: ...
        def seq(self, node: Seq, /) -> T_co: ...
        def each(self, node: Each, /) -> T_co: ...
        def length(self, node: Length, /) -> T_co: ...
        def range(self, node: Range, /) -> T_co: ...
        def zip(self, node: Zip, /) -> T_co: ...
        def given(self, node: Given, /) -> T_co: ...
        def implies(self, node: Implies, /) -> T_co: ...
        def call(self, node: Call, /) -> T_co: ...
        def table(self, node: Table, /) -> T_co: ...


def visit(visitor: Visitor[T_co], node: Node) -> T_co:
    """What a visitor makes of a node."""
    method: Callable[[Node], T_co] = getattr(visitor, METHODS[type(node)])
    return method(node)


def row_of(rows: Mapping[type, F], node: Node) -> F | None:
    """What a table by kind has for a node: for its own kind, else for what it is one of (:class:`Binder` …)."""
    return next((rows[kind] for kind in type(node).__mro__ if kind in rows), None)


@dataclass(frozen=True, slots=True)
class OnProducts:
    """What a comparison with the product says: its place among those named, or outside of them.

    Args:
        named: constants, or the product itself where it is compared with itself.
        inside: whether the product is to be one of them.
    """

    named: tuple[Node, ...]
    inside: bool

    @property
    def ids(self) -> list[str]:
        """The products that are named."""
        return [str(node.value) for node in self.named if isinstance(node, Const)]

    def holds(self, product: str) -> bool:
        """Whether it is so on a product, by its id."""
        return (product in self.ids) == self.inside


def on_products(node: Node | None) -> OnProducts | None:
    """What ``product == '910b'``, ``product in (…)`` and their opposites say; None of any other node."""
    if not isinstance(node, Compare) or len(node.ops) != 1:
        return None
    left, right = node.operands
    if not isinstance(left, Product) and not isinstance(right, Product):
        return None
    other = right if isinstance(left, Product) else left
    return OnProducts(other.items if isinstance(other, Seq) else (other,), node.ops[0] in ("==", "in"))


def outside(found: Iterable[OnProducts]) -> Compare:
    """``product not in (…)``: that it is none of those which some comparisons name."""
    items = tuple(dict.fromkeys(node for on in found for node in on.named))
    listed = Seq(items, (False,) * len(items), list_of(PRODUCT))
    return Compare(("not in",), (Product(PRODUCT), listed), BOOL)
