"""The typed tree of a rule expression: small immutable nodes, each with its type and its column in the source.

The tree is what every use of a rule starts from: the Python check, the reference interpreter, the prose in two
languages, the message and the C check. ``opspec.language.text`` writes a tree back as source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from opspec.language.record import field, replace
from opspec.language.record import record as dataclass
from opspec.language.types import BOOL, DTYPE, FORMAT, PRODUCT, Type, list_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias, TypeGuard

    Quantifier: TypeAlias = Literal["list", "all", "any"]
else:
    Quantifier = str


@dataclass(frozen=True, slots=True)
class Const:
    """A literal: int, float, bool, str, dtype, format, product or None."""

    value: int | float | bool | str | None
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Param:
    """A param of the operator, by its name in the spec."""

    name: str
    type: Type
    nullable: bool = False
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Let:
    """A derived value of the spec (``let:``, or a dim of a symbolic shape)."""

    name: str
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Var:
    """A variable bound by a comprehension."""

    name: str
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Product:
    """The product the call is made for."""

    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Undefined:
    """The literal ``undefined``: what a symbolic dim is when nothing binds it."""

    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Attr:
    """``base.name``."""

    base: Node
    name: str
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Index:
    """``base[index]``; a negative index counts from the end, one outside is undefined."""

    base: Node
    index: Node
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Slice:
    """``base[low:high]``, clamped as in Python."""

    base: Node
    low: Node | None
    high: Node | None
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Unary:
    """``-a``, ``~a`` or ``not a``."""

    op: str
    operand: Node
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    """``left op right`` for ``+ - * / // % << >> & | ^``."""

    op: str
    left: Node
    right: Node
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Compare:
    """``a op b op c …``: the conjunction of its neighbouring comparisons."""

    ops: tuple[str, ...]
    operands: tuple[Node, ...]
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class IsNone:
    """``operand is None`` (or ``is not None``): always defined."""

    operand: Node
    negated: bool
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Logic:
    """``and`` / ``or`` over two or more operands, three-valued."""

    op: str
    items: tuple[Node, ...]
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class If:
    """``then if condition else other``."""

    condition: Node
    then: Node
    other: Node
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Seq:
    """A tuple or list; ``starred[i]`` says that item i is a list spliced in."""

    items: tuple[Node, ...]
    starred: tuple[bool, ...]
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Each:
    """``element for variables in source if condition``: a list, or under ``all`` / ``any`` a quantifier."""

    quantifier: Quantifier
    element: Node
    variables: tuple[str, ...]
    source: Node
    condition: Node | None
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Length:
    """``len(operand)``: of a list its elements, of a text its characters."""

    operand: Node
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Range:
    """``range(low, high)``: the integers from low (None: 0) up to high, exclusive; undefined when they are too many."""

    low: Node | None
    high: Node
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Zip:
    """``zip(items)``: lists side by side; undefined when their lengths differ."""

    items: tuple[Node, ...]
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Given:
    """``given(operand)``: the statement, and true where it is undefined for want of an argument."""

    operand: Node
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Implies:
    """``implies(condition, then)``: ``given(then)`` where the condition is true.

    Where it is false or undefined it is true; only where data are missing for the condition, they are for the whole.
    """

    condition: Node
    then: Node
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A function of the library: what it means, and whatever else is known of it, is its row."""

    function: str
    args: tuple[Node, ...]
    type: Type
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Table:
    """``table((column, …), (cell, …), …)``: some row holds every column's value.

    A column whose param is absent has the value None. A cell is a frozenset of allowed values, or None for "any".
    """

    columns: tuple[Node, ...]
    rows: tuple[tuple[frozenset[object] | None, ...], ...]
    type: Type
    column: int = field(default=0, compare=False)


def root(column: Node) -> Node:
    """What a column of a table hangs on: ``x`` of ``x.dtype``, ``x[0].dtype`` and ``x.shape[-1]``."""
    while isinstance(column, (Attr, Index)):
        column = column.base
    return column


def as_table(check: Node) -> Table | None:
    """The table that a statement is, as it stands or where it is given."""
    inner = check.args[0] if isinstance(check, Call) and check.function == "given" else check
    return inner if isinstance(inner, Table) else None


Node = (
    Const | Param | Let | Var | Product | Undefined | Attr | Index | Slice | Unary | Binary | Compare | IsNone | Logic
    | If | Seq | Each | Length | Range | Zip | Given | Implies | Call | Table
)  # fmt: skip


def is_of_sets(node: Node) -> TypeGuard[Table]:
    """Whether a node is a table whose cells are sets of dtypes and formats, which have bits."""
    if not isinstance(node, Table) or any(column.type not in (DTYPE, FORMAT) for column in node.columns):
        return False
    return not any(cell is not None and cell & {None, "DT_UNDEFINED", "UNDEFINED"} for row in node.rows for cell in row)


def children(node: Node) -> Iterator[Node]:
    """The direct parts of a node, in evaluation order."""
    for name in _PARTS[type(node)]:
        part = getattr(node, name)
        if type(part) is tuple:
            yield from part
        elif part is not None:
            yield part


def conditioned(node: Each) -> Node:
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
    ahead = [node]
    while ahead:
        found = ahead.pop()
        yield found
        if _PARTS[type(found)]:
            ahead += [*children(found)][::-1]


def rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """The node with each of its direct parts changed; itself where none is another."""
    changes: dict[str, object] = {}
    for name in _PARTS[type(node)]:
        part = getattr(node, name)
        if type(part) is tuple:
            items = tuple(map(change, part))
            if any(new is not old for new, old in zip(items, part, strict=True)):
                changes[name] = items
        elif part is not None:
            new = change(part)
            if new is not part:
                changes[name] = new
    result: Node = replace(node, **changes) if changes else node
    return result


#: every kind of node
KINDS = (
    Const, Param, Let, Var, Product, Undefined, Attr, Index, Slice, Unary, Binary, Compare, IsNone, Logic, If, Seq,
    Each, Length, Range, Zip, Given, Implies, Call, Table,
)  # fmt: skip

#: the fields of each kind that are nodes, or several nodes, in evaluation order
_PARTS: dict[type, tuple[str, ...]] = {
    Const: (), Param: (), Let: (), Var: (), Product: (), Undefined: (), Attr: ("base",), Index: ("base", "index"),
    Slice: ("base", "low", "high"), Unary: ("operand",), Binary: ("left", "right"), Compare: ("operands",),
    IsNone: ("operand",), Logic: ("items",), If: ("condition", "then", "other"), Seq: ("items",),
    Each: ("source", "condition", "element"), Length: ("operand",), Range: ("low", "high"), Zip: ("items",),
    Given: ("operand",), Implies: ("condition", "then"), Call: ("args",), Table: ("columns",),
}  # fmt: skip

#: kind of node -> the name of the method for it in back ends that have one for each
METHODS: dict[type, str] = {
    Const: "const", Param: "param", Let: "let", Var: "var", Undefined: "undefined",
    Attr: "attr", Index: "index", Slice: "slice", Unary: "unary", Binary: "binary",
    Compare: "compare", IsNone: "is_none", Logic: "logic", If: "if_", Seq: "seq",
    Each: "each", Length: "length", Range: "range", Zip: "zip", Given: "given",
    Implies: "implies", Call: "call", Table: "table",
}  # fmt: skip

#: fields that hold several nodes
LISTS = ("operands", "items", "args", "columns")


def expanded(node: Node, lets: Mapping[str, Node], seen: set[str] | None = None) -> Iterator[Node]:
    """The node and everything below it as :func:`walk` gives it, each derived value's own tree behind its first use.

    Args:
        lets: the trees of the derived values.
        seen: the derived values that are left out, for they have been given; those of this tree are added.
    """
    known = set() if seen is None else seen
    for part in walk(node):
        yield part
        if isinstance(part, Let) and part.name not in known:
            known.add(part.name)
            yield from expanded(lets[part.name], lets, known)


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
