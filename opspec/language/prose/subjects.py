"""What sentences are about: the subject of a statement, statements about several things, and intervals of one."""

from __future__ import annotations

from opspec.language import tree
from opspec.language.functions import FUNCTIONS
from opspec.language.prose.folding import folded, lifted
from opspec.language.prose.trees import count, is_attribute, number, one_of, privacy
from opspec.language.types import BOOL, INT
from opspec.vocabulary.formats import is_private

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
    asked = privacy(when)
    if asked is None:
        return node
    of, private = asked
    if isinstance(node, tree.If):
        return folded(tree.If(node.condition, fitting(when, node.then), fitting(when, node.other), node.type))
    if not isinstance(node, tree.Compare):
        return node
    listed = node.operands[1]
    if node.ops != ("in",) or node.operands[0] != of or not isinstance(listed, tree.Seq):
        return node
    kept = tuple(
        item for item in listed.items if not isinstance(item, tree.Const) or is_private(str(item.value)) == private
    )
    if not kept:
        return node
    return tree.Compare(node.ops, (of, tree.Seq(kept, (False,) * len(kept), listed.type)), node.type)


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
        about = _with_any(item.operand if isinstance(item, tree.Given) else item, thing)
        if common not in (None, about) or (not isinstance(about, tree.IsNone) and _names_others(about)):
            return [], None
        things.append(thing)
        common = about
    return (things, common) if len(things) > 1 else ([], None)


def _with_any(node: tree.Node, thing: tree.Param | tree.Let) -> tree.Node:
    if node == thing:
        return tree.Var(ANY, node.type)
    return tree.rebuilt(node, lambda part: _with_any(part, thing))


def _of_thing(node: tree.Node) -> tree.Param | tree.Let | None:
    """The param or the derived number that a statement is about, of which others may say the same."""
    if isinstance(node, tree.Given):
        return _of_thing(node.operand)
    if isinstance(node, tree.Each):
        plainly = node.quantifier == "all" and node.condition is None and isinstance(node.element, tree.Compare)
        thing: tree.Node | None = node.source if plainly and not denies(node.element) else None
    else:
        flag = isinstance(node, tree.Param) or (isinstance(node, tree.Unary) and node.op == "not")
        thing = subject(node) if flag or isinstance(node, (tree.Compare, tree.IsNone)) else None
    if isinstance(thing, tree.Length):
        thing = thing.operand
    if isinstance(thing, tree.Index) and is_attribute(thing.base, "shape") and number(thing.index) is not None:
        thing = thing.base
    thing = thing.base if isinstance(thing, tree.Attr) else thing
    return thing if isinstance(thing, tree.Param) or (isinstance(thing, tree.Let) and thing.type == INT) else None


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
    if node.ops[0] in ("in", "not in") and number(counted) == 0 and is_attribute(node.operands[1], "shape"):
        return True
    emptiness = (node.ops[0], limit) in ((">", 0), (">=", 1), ("==", 0), ("!=", 0))
    return emptiness and (isinstance(counted, tree.Length) or is_attribute(counted, "numel"))


_OWN = ("dtype", "format", "rank")
_ORDERS = ("<", "<=", ">", ">=")


def is_shared(node: tree.Node) -> bool:
    """Whether things have what a statement says of them in common: one value, a limit, what another thing has, or that
    they have it not."""
    if isinstance(node, (tree.Unary, tree.Var)):
        return True
    if not isinstance(node, tree.Compare):
        return False
    if len(node.ops) == 2:
        return isinstance(node.operands[1], tree.Var)
    thing, other = node.operands
    if isinstance(thing, tree.Var) and node.ops[0] in _ORDERS:
        return True
    name = thing.name if isinstance(thing, tree.Attr) and isinstance(thing.base, tree.Var) else ""
    alike = isinstance(other, tree.Attr) and name == other.name and name in (*_OWN, "shape")
    if node.ops == ("==",) and (alike or (isinstance(thing, tree.Length) and isinstance(other, tree.Length))):
        return True
    return (name in _OWN or isinstance(thing, tree.Var)) and (
        node.ops[0] in ("!=", "not in") or (node.ops[0] == "==" and isinstance(other, tree.Const))
    )


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
