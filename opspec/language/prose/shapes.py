"""What a sentence about trees asks them: numbers, parts of shapes, opposites, conditions inside of nouns."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from opspec.language import tree
from opspec.language.functions import FUNCTIONS
from opspec.language.record import record
from opspec.language.types import BOOL, INT, list_of
from opspec.vocabulary.formats import is_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeGuard


def number(node: tree.Node | None) -> int | None:
    """The integer that a literal is, with its sign."""
    if isinstance(node, tree.Unary) and node.op == "-":
        inner = number(node.operand)
        return None if inner is None else -inner
    plain = isinstance(node, tree.Const) and isinstance(node.value, int) and not isinstance(node.value, bool)
    return node.value if plain else None  # type: ignore[union-attr,return-value]


def is_const(node: tree.Node, value: object) -> bool:
    """Whether a node is this literal; True is no 1."""
    return isinstance(node, tree.Const) and node.value is value


def is_any_multiple(node: tree.Node) -> bool:
    """Whether a statement is that something is a multiple of one: so is all; a case without limit says that."""
    left = node.operands[0] if isinstance(node, tree.Compare) and node.ops == ("==",) else None
    return isinstance(left, tree.Binary) and left.op == "%" and number(left.right) == 1


def is_attribute(node: tree.Node, name: str) -> TypeGuard[tree.Attr]:
    """Whether a node is this attribute of something."""
    return isinstance(node, tree.Attr) and node.name == name


def count(node: tree.Node, most: int) -> int:
    """How many nodes a tree has, as far as it matters."""
    found = 0
    for _ in tree.walk(node):
        found += 1
        if found > most:
            break
    return found


# --- opposites

_OPPOSITE = {"==": "!=", "!=": "==", "in": "not in", "not in": "in"}
_OPPOSITE_ORDER = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def negated(node: tree.Node) -> tree.Node | None:
    """A node that says the opposite without a ``not``, where there is a plain one."""
    if isinstance(node, tree.Compare) and len(node.ops) == 1 and node.ops[0] in _OPPOSITE:
        return tree.Compare((_OPPOSITE[node.ops[0]],), node.operands, node.type)
    if isinstance(node, tree.Compare) and len(node.ops) == 1 and all(item.type == INT for item in node.operands):
        return tree.Compare((_OPPOSITE_ORDER[node.ops[0]],), node.operands, node.type)  # NaN is no integer
    if isinstance(node, tree.IsNone):
        return tree.IsNone(node.operand, not node.negated, node.type)
    return node.operand if isinstance(node, tree.Unary) and node.op == "not" else None


def denied(node: tree.Node) -> tree.Node:
    """What holds where a requirement is not met, for words: of several parts one, of every element some."""
    match node:
        case tree.Given():
            return denied(node.operand)
        case tree.Implies():
            return tree.Implies(node.condition, denied(node.then), BOOL)
        case tree.If() if is_const(node.other, True):
            return tree.Implies(node.condition, denied(node.then), BOOL)
        case tree.If() if is_const(node.then, True):
            return tree.Implies(tree.Unary("not", node.condition, BOOL), denied(node.other), BOOL)
        case tree.If():
            return tree.If(node.condition, denied(node.then), denied(node.other), BOOL)
        case tree.Logic(op="and"):
            return tree.Logic("or", tuple(map(_denied_part, node.items)), BOOL)
        case tree.Logic():
            more = more_on(node)
            if more is not None:
                return denied(more)
            return tree.Logic("and", tuple(map(denied, node.items)), BOOL)
        case tree.Each(quantifier="all"):
            return tree.Each("any", denied(node.element), node.variables, node.source, node.condition, BOOL)
        case tree.Each(quantifier="any"):
            return tree.Each("all", denied(node.element), node.variables, node.source, node.condition, BOOL)
    return negated(node) or tree.Unary("not", node, BOOL)


def _denied_part(node: tree.Node) -> tree.Node:
    """One of several that may be what is not met: "if a, not b" of it alone, beside others "a and not b"."""
    found = denied(node)
    if not isinstance(found, tree.Implies):
        return found
    parts = [
        part for side in (found.condition, found.then)
        for part in (side.items if isinstance(side, tree.Logic) and side.op == "and" else (side,))
    ]  # fmt: skip
    return tree.Logic("and", tuple(parts), BOOL)


# --- conditions inside of nouns

_MOST_CASES = 2  # conditions inside of the nouns of one statement that become cases of it
_MOST_LIFTED = 120  # nodes of a statement that is written once for each case


def lifted(node: tree.Node) -> tree.If | None:
    """``x[1 if c else 0] == 2`` as cases: ``x[1] == 2 if c else x[0] == 2``; None where no condition is inside."""
    conditions: list[tree.Node] = []
    for part in _nouns(node):
        if isinstance(part, tree.If) and part.condition not in conditions:
            conditions.append(part.condition)
    if not conditions or len(conditions) > _MOST_CASES or count(node, _MOST_LIFTED) > _MOST_LIFTED:
        return None
    first = conditions[0]
    then, other = (_decided(node, first, value) for value in (True, False))
    return tree.If(first, then, other, BOOL)


def _nouns(node: tree.Node) -> Iterator[tree.Node]:
    """The parts of a statement that are read where it is, not element by element, parents first."""
    for part in tree.children(node):
        yield part
        if isinstance(part, tree.Each):
            yield from _nouns(part.source)
        else:
            yield from _nouns(part)


def _decided(node: tree.Node, condition: tree.Node, value: bool) -> tree.Node:
    if isinstance(node, tree.If) and node.condition == condition:
        return _decided(node.then if value else node.other, condition, value)
    return tree.rebuilt(node, lambda part: _decided(part, condition, value))


# --- parts of shapes


@record(frozen=True, slots=True)
class Part:
    """A piece of a shape that is put together: a dim, or dims of a tensor from ``low`` up to ``high``.

    Args:
        base: the tensor's shape; None for a single dim, which ``dim`` is.
    """

    base: tree.Node | None
    low: tree.Node | None
    high: tree.Node | None
    dim: tree.Node | None = None


def parts(node: tree.Node) -> list[Part] | None:
    """The pieces of a shape; None where it is not put together of such."""
    match node:
        case tree.Seq():
            found: list[Part] = []
            for item, starred in zip(node.items, node.starred, strict=True):
                inner = parts(item) if starred else [Part(None, None, None, item)]
                if inner is None:
                    return None
                found += inner
            return found
        case tree.Binary(op="+") if node.left.type.name == "list":
            left, right = parts(node.left), parts(node.right)
            return None if left is None or right is None else left + right
        case tree.Slice() if is_attribute(node.base, "shape"):
            return [Part(node.base, node.low, node.high)]
        case tree.Attr(name="shape"):
            return [Part(node, None, None)]
    return None


def pieces(node: tree.Node) -> list[tuple[tree.Node, bool]]:
    """What a list is put together of: lists (True) and single items (False)."""
    if isinstance(node, tree.Binary) and node.op == "+" and node.type.name == "list":
        return pieces(node.left) + pieces(node.right)
    if isinstance(node, tree.Seq):
        return [
            piece
            for item, starred in zip(node.items, node.starred, strict=True)
            for piece in (pieces(item) if starred else [(item, False)])
        ]
    return [(node, True)]


def unrounded(node: tree.Node) -> tree.Node:
    """The element of a list as readers know it: v of ``floor(v)``, of whole numbers, and of ``axis(v, n)``."""
    if isinstance(node, tree.Call) and node.function in ("floor", "axis") and isinstance(node.args[0], tree.Var):
        return node.args[0]
    return node


def like(a: tree.Node, b: tree.Node) -> tree.Node | None:
    """The thing of which ``b`` is what ``a`` is of another: the same attribute, or dimension."""
    if isinstance(a, tree.Attr) and isinstance(b, tree.Attr):
        return b.base if a.name == b.name else None
    if not isinstance(a, tree.Index) or not isinstance(b, tree.Index) or a.index != b.index:
        return None
    return b.base.base if is_attribute(a.base, "shape") and is_attribute(b.base, "shape") else None


def follows(low: tree.Node | None, high: tree.Node | None) -> bool:
    """Whether ``low`` is ``high + 1``."""
    if low is None or high is None:
        return False
    numbers = number(low), number(high)
    if None not in numbers:
        return numbers[0] == numbers[1] + 1 and numbers[0] != 0  # type: ignore[operator]
    plus = isinstance(low, tree.Binary) and low.op == "+" and number(low.right) == 1
    return plus and low.left == high  # type: ignore[union-attr]


def axis_named(node: tree.Node) -> tree.Node:
    """The param that an axis was counted from: ``dim`` of ``axis(dim, x.rank)``; the node itself where it is none."""
    if isinstance(node, tree.Call) and node.function == "axis":
        return node.args[0]
    return node


def extent(node: tree.Slice) -> tuple[str, int] | None:
    """Which items a slice leaves, from one end: the key of the words for it and a number."""
    if (node.low is None) == (node.high is None):
        return None
    found = number(node.high if node.low is None else node.low)
    if not found:
        return None
    keys = ("first", "but_last") if node.low is None else ("but_first", "last")
    return keys[found < 0], abs(found)


def neighbours(node: tree.Node) -> tree.Node | None:
    """The list of which ``zip(a[:-1], a[1:])`` puts each element beside the next."""
    if not isinstance(node, tree.Zip) or len(node.items) != 2:
        return None
    first, second = node.items
    if not isinstance(first, tree.Slice) or not isinstance(second, tree.Slice) or first.base != second.base:
        return None
    ends = extent(first), extent(second)
    return first.base if ends == (("but_last", 1), ("but_first", 1)) else None


# --- subjects


_THING = 12  # nodes of a thing that a sentence may name twice


def subject(node: tree.Node) -> tree.Node | None:
    """What the sentence of a statement begins with, where that is a thing."""
    found = _subject(node)
    return found if found is not None and count(found, _THING) <= _THING else None


def _subject(node: tree.Node) -> tree.Node | None:
    match node:
        case tree.Compare():
            if node.ops[0] in ("in", "not in") and isinstance(node.operands[0], tree.Const):
                right = node.operands[1]
                return right.base if node.operands[0].value == 0 and is_attribute(right, "shape") else right
            first = node.operands[1] if len(node.ops) == 2 else node.operands[0]
            return first.left if isinstance(first, tree.Binary) and first.op == "%" else first
        case tree.IsNone():
            return node.operand
        case tree.Unary(op="not") | tree.Given():
            return _subject(node.operand)
        case tree.Call() if FUNCTIONS[node.function].en.startswith("{0} "):
            return node.args[0]
        case tree.Param() | tree.Let() | tree.Var() | tree.Attr():
            return node
    return None


def is_conditional(node: tree.Node) -> bool:
    """Whether the sentence of a statement begins with a condition, or with what it quantifies."""
    if isinstance(node, tree.Given):
        return is_conditional(node.operand)
    if isinstance(node, tree.Logic):
        return node.op == "and" and any(map(is_conditional, node.items))
    if isinstance(node, tree.Compare):
        return lifted(node) is not None
    return isinstance(node, (tree.If, tree.Each, tree.Implies))


def fitting(when: tree.Node, node: tree.Node) -> tree.Node:
    """A choice of formats without those that its condition, private or not, leaves out already."""
    private = not (isinstance(when, tree.Unary) and when.op == "not")
    asked = when.operand if isinstance(when, tree.Unary) and not private else when
    if not isinstance(asked, tree.Call) or asked.function != "is_private" or not isinstance(node, tree.Compare):
        return node
    listed = node.operands[1]
    if node.ops != ("in",) or node.operands[0] != asked.args[0] or not isinstance(listed, tree.Seq):
        return node
    kept = tuple(
        item for item in listed.items if not isinstance(item, tree.Const) or is_private(str(item.value)) == private
    )
    if not kept:
        return node
    return tree.Compare(node.ops, (asked.args[0], tree.Seq(kept, (False,) * len(kept), listed.type)), node.type)


def one_of(node: tree.Node) -> tree.Node:
    """``x == a or x == b`` as ``x in (a, b)``; any other statement as it is."""
    if not isinstance(node, tree.Logic) or node.op != "or":
        return node
    found = [item for item in node.items if isinstance(item, tree.Compare) and item.ops == ("==",)]
    things = {id(item): item.operands[0] for item in found}
    if len(found) < len(node.items) or any(thing != found[0].operands[0] for thing in things.values()):
        return node
    values = tuple(item.operands[1] for item in found)
    listed = tree.Seq(values, (False,) * len(values), list_of(values[0].type))
    return tree.Compare(("in",), (found[0].operands[0], listed), BOOL)


def more_on(node: tree.Logic) -> tree.If | None:
    """``x in (a, b) or x == c and product == p`` as ``x in (a, b, c) if product == p else x in (a, b)``."""
    if node.op != "or" or len(node.items) != 2:
        return None
    few, rest = node.items
    if not isinstance(rest, tree.Logic) or rest.op != "and" or len(rest.items) != 2:
        return None
    where = next((item for item in rest.items if _is_inside(item)), None)
    others = next((item for item in rest.items if item is not where), None)
    a, b = choices(few), None if others is None else choices(others)
    if where is None or a is None or b is None or a[0] != b[0]:
        return None
    thing, listed = a[0], tuple(dict.fromkeys((*a[1], *b[1])))
    kind = list_of(thing.type)
    all_, some = (
        tree.Compare(("in",), (thing, tree.Seq(items, (False,) * len(items), kind)), BOOL) for items in (listed, a[1])
    )
    return tree.If(where, all_, some, BOOL)


def choice_on(node: tree.Node) -> tuple[tree.OnProducts, tree.Node, tuple[tree.Node, ...]] | None:
    """Of ``x in (a, b) and product == p`` the products, x, and a and b."""
    if not isinstance(node, tree.Logic) or node.op != "and" or len(node.items) != 2:
        return None
    where = next((item for item in node.items if _is_inside(item)), None)
    on = tree.on_products(where)
    found = choices(node.items[0] if where is node.items[1] else node.items[1])
    return None if on is None or found is None else (on, *found)


def _is_inside(node: tree.Node) -> bool:
    """Whether a condition names the products on which it holds."""
    on = tree.on_products(node)
    return on is not None and on.inside


def choices(node: tree.Node) -> tuple[tree.Node, tuple[tree.Node, ...]] | None:
    """The thing and the constants of ``x in (a, b)`` or ``x == a``."""
    if not isinstance(node, tree.Compare) or node.ops not in (("in",), ("==",)):
        return None
    thing, right = node.operands
    items = right.items if isinstance(right, tree.Seq) and node.ops == ("in",) else (right,)
    return (thing, items) if all(isinstance(item, tree.Const) for item in items) else None


#: what stands for several things of which one statement is made
ANY = "*"


def said_of(items: tuple[tree.Node, ...]) -> tuple[list[tree.Node], tree.Node | None]:
    """The things of which several statements say the same, and what they say."""
    things: list[tree.Node] = []
    common: tree.Node | None = None
    for item in items:
        thing = _of_thing(item)
        if thing is None or thing in things:
            return [], None
        about = _with_any(item, thing)
        if common not in (None, about) or (not isinstance(about, tree.IsNone) and _names_others(about)):
            return [], None
        things.append(thing)
        common = about
    return (things, common) if len(things) > 1 else ([], None)


def _with_any(node: tree.Node, thing: tree.Param) -> tree.Node:
    if isinstance(node, tree.Param) and node.name == thing.name:
        return tree.Var(ANY, node.type)
    return tree.rebuilt(node, lambda part: _with_any(part, thing))


def _of_thing(node: tree.Node) -> tree.Param | None:
    """The param that a statement is about, of which others may say the same."""
    if isinstance(node, tree.Given):
        return _of_thing(node.operand)
    if isinstance(node, tree.Each):
        plainly = node.quantifier == "all" and node.condition is None and isinstance(node.element, tree.Compare)
        thing: tree.Node | None = node.source if plainly and not denies(node.element) else None
    else:
        thing = subject(node) if isinstance(node, (tree.Compare, tree.IsNone)) else None
    if isinstance(thing, tree.Length):
        thing = thing.operand
    if isinstance(thing, tree.Index) and is_attribute(thing.base, "shape") and number(thing.index) is not None:
        thing = thing.base
    thing = thing.base if isinstance(thing, tree.Attr) else thing
    return thing if isinstance(thing, tree.Param) else None


def _names_others(node: tree.Node) -> bool:
    """Whether a comparison is with something that several things could not share in one sentence."""
    found = [part for part in tree.walk(node) if isinstance(part, tree.Var) and part.name == ANY]
    return len(found) != 1


def spanned(items: tuple[tree.Node, ...]) -> tuple[tree.Node, ...]:
    """Statements with ``low <= x`` and ``x < high`` as one interval."""
    if len(items) > 2:
        for place in range(len(items) - 1):
            one = spanned(items[place : place + 2])
            if len(one) == 1:
                return spanned(items[:place] + one + items[place + 2 :])
    if len(items) != 2:
        return items
    first, second = (_upwards(item) for item in items)
    if first is None or second is None:
        return items
    if first.operands[1] != second.operands[0]:
        first, second = second, first
    if first.operands[1] != second.operands[0] or isinstance(first.operands[1], tree.Const):
        return items
    return (tree.Compare(first.ops + second.ops, (*first.operands, second.operands[1]), BOOL),)


_UPWARDS = {">": "<", ">=": "<="}


def _upwards(node: tree.Node) -> tree.Compare | None:
    """``a >= b`` as ``b <= a``."""
    if not isinstance(node, tree.Compare) or len(node.ops) != 1:
        return None
    op = node.ops[0]
    if op in ("<", "<="):
        return node
    return tree.Compare((_UPWARDS[op],), node.operands[::-1], BOOL) if op in _UPWARDS else None


def opened(node: tree.Node, meant: Callable[[tree.Node], tree.Node]) -> tree.Node:
    """``not (a and b)`` as ``not a or not b``, a name as the "and" that it stands for; any other statement as it is."""
    if isinstance(node, tree.Unary) and node.op == "not":
        inner = meant(node.operand)
        return denied(inner) if isinstance(inner, (tree.Logic, tree.IsNone)) else node
    inner = meant(node)
    joined = isinstance(inner, tree.IsNone) or (isinstance(inner, tree.Logic) and inner.op == "and")
    return inner if joined else node


def grouped(items: tuple[tree.Node, ...]) -> tuple[tree.Node, ...]:
    """Statements of which those that say the same of several things stand together, as one."""
    found: list[tree.Node] = []
    rest = list(items)
    while rest:
        first, rest = rest[0], rest[1:]
        same = [item for item in rest if said_of((first, item))[1] is not None]
        several = (first, *same)
        if not same or said_of(several)[1] is None or len(several) == len(items):
            found += [first] if len(several) < len(items) else items
            rest = rest if len(several) < len(items) else []
            continue
        rest = [item for item in rest if item not in same]
        found.append(tree.Logic("and", several, BOOL))
    return tuple(found)


def is_denial(node: tree.Node) -> bool:
    """Whether a statement says what a thing is not."""
    if isinstance(node, tree.IsNone):
        return node.negated
    if not isinstance(node, tree.Compare) or len(node.ops) != 1:
        return False
    filled = (node.ops[0], number(node.operands[1])) in ((">", 0), (">=", 1))
    return node.ops[0] in ("!=", "not in") or (filled and is_of_thing(node))


def is_of_thing(node: tree.Node) -> bool:
    """Whether a statement is about things themselves: that they are null or empty."""
    if isinstance(node, tree.IsNone):
        return True
    if not isinstance(node, tree.Compare) or len(node.ops) != 1:
        return False
    counted, limit = node.operands[0], number(node.operands[1])
    emptiness = (node.ops[0], limit) in ((">", 0), (">=", 1), ("==", 0), ("!=", 0))
    return emptiness and (isinstance(counted, tree.Length) or is_attribute(counted, "numel"))


def suffix(part: tree.Node, whole: tree.Node) -> tuple[tree.Node, tree.Node] | None:
    """y and x of ``x.shape[x.rank - y.rank:] == y.shape``."""
    if not isinstance(part, tree.Slice) or not is_attribute(whole, "shape") or not is_attribute(part.base, "shape"):
        return None
    low = part.low
    if part.high is not None or not isinstance(low, tree.Binary) or low.op != "-":
        return None
    ranks = tree.Attr(part.base.base, "rank", INT), tree.Attr(whole.base, "rank", INT)
    return (whole.base, part.base.base) if (low.left, low.right) == ranks else None


def plain(node: tree.Node) -> tree.Node:
    """A statement of several parts about one thing as one."""
    if isinstance(node, tree.Logic) and node.op == "and":
        items = spanned(node.items)
        return items[0] if len(items) == 1 else node
    return one_of(node)


def denies(node: tree.Node) -> bool:
    """Whether "every … must …" would be read in two ways."""
    if isinstance(node, tree.Compare):
        return any(op in ("!=", "not in") for op in node.ops) or lifted(node) is not None
    return isinstance(node, (tree.IsNone, tree.Unary, tree.Logic, tree.If, tree.Each, tree.Implies))
