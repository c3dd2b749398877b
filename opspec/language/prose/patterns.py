"""Patterns of conditions that have words of their own."""

from __future__ import annotations

from opspec.language import tree
from opspec.language.prose import folding, shapes, trees
from opspec.language.record import replace
from opspec.language.types import BOOL, INT, INTS
from opspec.later import later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from opspec.language.prose import opposites, subjects
else:  # what the words of most findings need not
    opposites = later("opspec.language.prose.opposites")
    subjects = later("opspec.language.prose.subjects")

#: comparisons of a number of elements that say whether there are any
FILLED: dict[tuple[str, int | None], str] = {(">", 0): "not ", (">=", 1): "not ", ("<=", 0): "", ("<", 1): ""}

_EMPTY = {("==", 0)} | {comparison for comparison, word in FILLED.items() if not word}
_SHORT = 16  # nodes of a choice that is told within a condition
_MANY = 6  # consecutive integers that are told as a range


def is_about(node: tree.Node, thing: tree.Node) -> bool:
    """Whether a statement, whatever its condition, says what a thing is."""
    if isinstance(node, tree.If):
        return is_about(node.then, thing) and is_about(node.other, thing)
    return isinstance(node, tree.Compare) and node.operands[0] == thing


def owner(node: tree.Node) -> tree.Node | None:
    """The thing of which a condition says that it is not empty."""
    if not isinstance(node, tree.Compare) or len(node.ops) != 1:
        return None
    filled = (node.ops[0], trees.number(node.operands[1])) in ((">", 0), (">=", 1), ("!=", 0))
    return owner_of(node.operands[0]) if filled else None


def owner_of(node: tree.Node) -> tree.Node | None:
    if isinstance(node, tree.Length):
        return node.operand
    return node.base if isinstance(node, tree.Attr) and node.name in ("numel", "shape", "values") else None


def _is_value(node: tree.Node) -> bool:
    """Whether a node is a literal or a list of them, none of them null."""
    if isinstance(node, tree.Seq):
        return all(map(_is_value, node.items))
    return isinstance(node, tree.Const) and node.value is not None


def without_presence(items: tuple[tree.Node, ...]) -> tuple[tree.Node, ...]:
    """Conditions without those that a param is not null of which another says what it is: null is nothing of that."""
    told = {
        part
        for item in items
        if isinstance(item, tree.Compare) and item.ops in (("==",), ("in",)) and _is_value(item.operands[1])
        for part in (item.operands[0], getattr(item.operands[0], "base", None))
    }
    kept = (item for item in items if not (isinstance(item, tree.IsNone) and item.negated and item.operand in told))
    return _without_wider(tuple(kept))


def _without_wider(items: tuple[tree.Node, ...]) -> tuple[tree.Node, ...]:
    """Conditions without those that a thing is one of a list where another says which, or names fewer."""
    lists = [trees.choices(item) for item in items]

    def is_wider(place: int) -> bool:
        own = lists[place]
        return own is not None and any(
            other is not None and other[0] == own[0] and set(other[1]) < set(own[1]) for other in lists
        )

    return tuple(item for place, item in enumerate(items) if not is_wider(place))


def without_null(node: tree.Logic) -> tree.Node:
    """``x is None or x != 'fast'`` as ``x != 'fast'``: null is not that, either."""
    denied = {
        item.operands[0] for item in node.items
        if isinstance(item, tree.Compare) and item.ops in (("!=",), ("not in",)) and _is_value(item.operands[1])
    }  # fmt: skip
    kept = tuple(
        item
        for item in node.items
        if not (isinstance(item, tree.IsNone) and not item.negated and item.operand in denied)
    )
    return kept[0] if len(kept) == 1 else tree.Logic(node.op, kept, node.type)


def as_implication(node: tree.Logic) -> tuple[tree.Node, tree.Node] | None:
    """``x is None or x.rank == 2``: if x is not null, its rank must be 2."""
    leading = _leading_implication(node)
    if leading is not None:
        return leading
    apart = _is_circumstance
    if all(map(apart, node.items)):  # what product it is comes before how the operator is called
        apart = _is_product
    asked = [item for item in node.items if apart(item)]
    required = [item for item in node.items if not apart(item)]
    if not asked or len(required) != 1:
        return None
    about = {thing for thing in map(_asked_of, asked) if not isinstance(thing, tree.Var)}
    opposites_ = [_opposite(item) for item in asked]
    same = not about.isdisjoint(tree.walk(required[0])) and not isinstance(required[0], tree.Logic)
    if same or None in opposites_ or _is_emptiness_of(required[0], about):
        return None  # "if x is not 3, x must be 0", "if x is not null, x must be empty"
    conditions = tuple(item for item in opposites_ if item is not None)
    return conditions[0] if len(conditions) == 1 else tree.Logic("and", conditions, BOOL), required[0]


def _opposite(asked: tree.Node) -> tree.Node | None:
    """The opposite of a circumstance, of a switch too."""
    return tree.Unary("not", asked, asked.type) if isinstance(asked, tree.Param) else opposites.negated(asked)


def _is_emptiness_of(node: tree.Node, things: Collection[tree.Node | None]) -> bool:
    """Whether a statement says that one of these tensors is empty."""
    if not isinstance(node, tree.Compare) or (node.ops[0], trees.number(node.operands[1])) not in _EMPTY:
        return False
    return isinstance(node.operands[0], tree.Attr) and owner_of(node.operands[0]) in things


def given(value: tree.Node | None, op: str, other: tree.Node) -> tree.Param | None:
    """The param that ``x if x is not None else 'BSND'`` is where it is compared with values of which that is none."""
    match value:
        case tree.If(
            condition=tree.IsNone(negated=True, operand=tree.Param() as param), then=then, other=tree.Const() as default
        ) if then == param:
            listed = other.items if isinstance(other, tree.Seq) else (other,)
            plain = all(isinstance(item, tree.Const) and item.value != default.value for item in listed)
            return param if op in ("==", "in") and plain else None
    return None


def _is_product(node: tree.Node) -> bool:
    return tree.on_products(node) is not None


def _is_circumstance(node: tree.Node) -> bool:
    """Whether a statement says under which circumstances a call is made: what is given, which mode, which product."""
    if isinstance(node, tree.Unary) and node.op == "not":
        return _is_circumstance(node.operand)
    if isinstance(node, (tree.IsNone, tree.Param)) or _is_product(node):
        return True
    if not isinstance(node, tree.Compare) or len(node.ops) != 1:
        return False
    thing, value = given(node.operands[0], node.ops[0], node.operands[1]) or node.operands[0], node.operands[1]
    listed = isinstance(thing, tree.Length) and trees.number(value) is not None
    index = isinstance(thing, tree.Var) and node.ops == ("==",)
    return listed or index or (isinstance(thing, tree.Param) and _is_value(value) and node.ops[0] in _NAMING)


def _asked_of(node: tree.Node) -> tree.Node:
    """What a circumstance is about."""
    if isinstance(node, (tree.Unary, tree.IsNone, tree.Length)):
        return _asked_of(node.operand)
    return _asked_of(node.operands[0]) if isinstance(node, tree.Compare) else node


_NAMING = ("==", "!=", "in", "not in")


def _leading_implication(node: tree.Logic) -> tuple[tree.Node, tree.Node] | None:
    first, rest = node.items[0], node.items[1:]
    absent = isinstance(first, tree.IsNone) and not first.negated
    denies = isinstance(first, tree.Compare) and first.ops == ("!=",)
    if not (absent or denies or (isinstance(first, tree.Unary) and first.op == "not")):
        return None
    condition = opposites.negated(first)
    if condition is None or any(subjects.subject(item) == subjects.subject(first) for item in rest):
        return None
    if isinstance(first, tree.IsNone) and any(_is_emptiness_of(item, (first.operand,)) for item in rest):
        return None
    return condition, rest[0] if len(rest) == 1 else tree.Logic("or", rest, BOOL)


def is_choice(node: tree.Compare) -> bool:
    """``x == (a if c else (b if d else e))``: values that are told behind one another."""
    if node.ops != ("==",) or not isinstance(node.operands[1], tree.If):
        return False
    rest: tree.Node = node.operands[1]
    number = 1
    while isinstance(rest, tree.If):
        if trees.count(rest.then, 4) > 4:
            return False
        rest, number = rest.other, number + 1
    return number > 2 and trees.count(rest, 4) <= 4


def is_of_choices(node: tree.Compare) -> bool:
    """Whether the conditions inside of a comparison are those of what it compares with alone: a value, a divisor."""
    if len(node.ops) != 1:
        return False
    left, right = node.operands
    by = left.right if isinstance(left, tree.Binary) and left.op == "%" else None
    rest = (left.left, right) if isinstance(left, tree.Binary) and by is not None else (left,)
    chosen = by if by is not None else right
    if not isinstance(chosen, tree.If) or any(isinstance(part, tree.If) for side in rest for part in tree.walk(side)):
        return False
    return trees.count(chosen, _SHORT) <= _SHORT


def alike(items: tuple[tree.Node, ...]) -> list[tree.Compare] | None:
    """``x.dtype == y.dtype and x.shape == y.shape``: comparisons of the same two things."""
    found: list[tree.Compare] = []
    for item in items:
        if not isinstance(item, tree.Compare) or item.ops != ("==",):
            return None
        left, right = item.operands
        if not isinstance(left, tree.Attr) or not isinstance(right, tree.Attr) or left.name != right.name:
            return None
        found.append(item)
    pairs = {tuple(side.base for side in item.operands if isinstance(side, tree.Attr)) for item in found}
    return found if len(pairs) == 1 and len(found) > 1 else None


def mirrored(node: tree.Compare) -> bool:
    """``-r <= x < r``, where r is no literal."""
    low, _, high = node.operands
    negative = isinstance(low, tree.Unary) and low.op == "-" and low.operand == high
    return negative and node.ops == ("<=", "<") and trees.number(high) is None


def neighbours(node: tree.Compare) -> bool:
    low, high = trees.number(node.operands[0]), trees.number(node.operands[2])
    return node.operands[1].type == INT and low is not None and high == low + 1


def closed(node: tree.Compare) -> tuple[int, int] | None:
    """The least and the greatest integer of an interval of literals."""
    low, high = trees.number(node.operands[0]), trees.number(node.operands[2])
    if low is None or high is None or node.operands[1].type != INT:
        return None
    found = low + (node.ops[0] == "<"), high - (node.ops[1] == "<")
    return found if found[0] < found[1] else None


def span(a: tree.Node, b: tree.Seq) -> tuple[int, int] | None:
    """The first and the last of many integers, each one more than the one before."""
    numbers = [number for number in map(trees.number, b.items) if number is not None]
    if a.type != INT or len(numbers) < len(b.items) or len(numbers) < _MANY:
        return None
    return (numbers[0], numbers[-1]) if numbers == list(range(numbers[0], numbers[-1] + 1)) else None


def is_private(node: tree.Node) -> bool:
    return isinstance(node, tree.Call) and node.function == "is_private" and isinstance(node.args[0], tree.Attr)


def as_cases(node: tree.Node) -> tree.If | None:
    """A statement that hangs on a condition, in it or inside of it, as cases."""
    if isinstance(node, tree.Each):
        return taken_apart(node)
    if isinstance(node, tree.Compare):
        return None if is_choice(node) else folding.lifted(node)
    return node if isinstance(node, tree.If) else None


def taken_apart(node: tree.Each) -> tree.If | None:
    """``all(a if c else b for …)`` as ``all(a …) if c else all(b …)``, where c is about none of the elements."""
    element = node.element
    if isinstance(element, tree.Compare) and not is_choice(element):
        element = folding.lifted(element) or element
    if node.quantifier != "all" or not isinstance(element, tree.If):
        return None
    if any(isinstance(part, tree.Var) for part in tree.walk(element.condition)):
        return None
    then, other = (_of_every(replace(node, element=part)) for part in (element.then, element.other))
    return tree.If(element.condition, then, other, BOOL)


def _of_every(node: tree.Each) -> tree.Node:
    if trees.is_const(node.element, True) or trees.is_any_multiple(node.element):
        return tree.Const(True, BOOL)
    return taken_apart(node) or node


def compared_with(node: tree.Each) -> tuple[tree.Attr, tree.Attr] | None:
    """What is compared of every tensor of a list, and the same of one thing that is in no way about it."""
    element = node.element
    wanted = ("==",) if node.quantifier == "all" else ("!=",)
    if node.condition is not None or len(node.variables) != 1 or node.quantifier not in ("all", "any"):
        return None
    if not isinstance(element, tree.Compare) or element.ops != wanted:
        return None
    left, right = element.operands
    if isinstance(right, tree.Attr) and isinstance(right.base, tree.Var) and right.base.name in node.variables:
        left, right = right, left
    if not isinstance(left, tree.Attr) or not isinstance(right, tree.Attr) or left.name != right.name:
        return None
    own = isinstance(left.base, tree.Var) and left.base.name in node.variables
    return (left, right) if own and not any(isinstance(part, tree.Var) for part in tree.walk(right)) else None


def placed(node: tree.Node, index: str) -> tuple[tree.Node, str] | None:
    """A list and the place that is read of it: ``x[1:]`` beside another is read at i + 1."""
    if isinstance(node, (tree.Param, tree.Let, tree.Attr)):
        base = node.base if trees.is_attribute(node, "values") else node
        return base, index
    if isinstance(node, tree.Slice):
        part = shapes.extent(node)
        if part is not None and part[0] in ("but_first", "but_last", "first"):
            place = f"{index} + {part[1]}" if part[0] == "but_first" else index
            inner = placed(node.base, place)
            return inner if isinstance(node.base, (tree.Param, tree.Let, tree.Attr)) else None
    return None


def paired(node: tree.Each) -> tuple[list[tree.Node], list[str], tree.Node] | None:
    """Lists whose elements are read side by side, a variable for the element of each, and what is said of these."""
    if node.condition is not None:
        return None
    if isinstance(node.source, tree.Zip):
        if len(node.source.items) != len(node.variables):
            return None
        return list(node.source.items), list(node.variables), node.element
    if not isinstance(node.source, tree.Range) or node.source.low is not None or len(node.variables) != 1:
        return None
    return _by_index(node, tree.Var(node.variables[0], INT), node.source.high)


def _by_index(
    node: tree.Each, index: tree.Node, many: tree.Node
) -> tuple[list[tree.Node], list[str], tree.Node] | None:
    """``x[i] <= y[i]`` for every i: the lists that are read at i, with a variable for the element of each."""
    found: list[tree.Node] = []

    def element(part: tree.Node) -> tree.Node:
        listed = _read_at(part, index, many) if isinstance(part, tree.Index) else None
        if listed is None:
            return tree.rebuilt(part, element)
        if listed not in found:
            found.append(listed)
        return tree.Var(f"*{found.index(listed)}", INT)

    made = element(node.element)
    if not found or any(part == index for part in tree.walk(made)):
        return None
    return found, [f"*{place}" for place in range(len(found))], made


def _read_at(node: tree.Index, index: tree.Node, many: tree.Node) -> tree.Node | None:
    """The list, or the part of a shape, of which this is element i: ``x.shape[i - 3]`` of the last three dims."""
    base, place = node.base, node.index
    if place == index:
        return base if isinstance(base, (tree.Param, tree.Let)) else None
    if not isinstance(place, tree.Binary) or not trees.is_attribute(base, "shape"):
        return None
    if place.op == "-" and place.left == index and place.right == many and trees.number(many) is not None:
        return tree.Slice(base, tree.Unary("-", many, INT), None, INTS)
    if place.op == "+" and place.right == index and trees.number(place.left) is not None:
        return tree.Slice(base, place.left, None, INTS)
    return None


def are_axes(node: tree.Node) -> bool:
    """``[axis(d, x.rank) for d in dims]``."""
    if not isinstance(node, tree.Each) or node.quantifier != "list" or node.condition is not None:
        return False
    element = node.element
    return isinstance(element, tree.Call) and element.function == "axis" and isinstance(element.args[0], tree.Var)
