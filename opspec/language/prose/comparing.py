"""Comparisons: values, choices, intervals."""

from __future__ import annotations

from opspec.language import tree
from opspec.language.prose import conditions, folding, lettering, likeness, lists, patterns, shapes, trees
from opspec.language.prose.clauses import Joined, Simple
from opspec.language.prose.nouns import in_bytes, same_attribute
from opspec.language.record import replace
from opspec.language.types import BOOL, DTYPE, FORMAT, INT, INTS, STR, TENSOR
from opspec.later import later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language import build
    from opspec.language.prose import opposites
    from opspec.language.prose.clauses import Clause
    from opspec.language.prose.writer import Writer
else:  # what the words of most findings need not
    build = later("opspec.language.build")
    opposites = later("opspec.language.prose.opposites")

FLIPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<", "in": "not in", "not in": "in"}
_NOT = {"multiple": "no multiple", "divides": "not divides"}
_KIND = {STR: "text"}
_SIGNS = {"<": "<", "<=": "≤", ">": ">", ">=": "≥", "==": "="}
_SHORT = 12  # letters of a name in a chain of comparisons
#: comparisons that say whether a number of dims is 0, and how that is said
_OF_NONE: dict[tuple[str, int | None], str] = {(">", 0): "!=", (">=", 1): "!=", ("<=", 0): "==", ("<", 1): "=="}
#: comparisons of the length of a list of tensors that have words of their own
_TENSORS: dict[tuple[str, int | None], str] = {("==", 1): "one tensor", (">", 1): "tensors", ("<=", 1): "not tensors"}


def compare(writer: Writer, node: tree.Compare) -> Clause:
    """A comparison; what hangs on a condition inside of it, case by case."""
    node = plain_rank(node) if writer.mood and not writer.fails else node
    onto = _onto(node)
    if onto is not None:
        return writer.clause(onto)
    if patterns.is_choice(node) or (writer.mood and not writer.letters and patterns.is_of_choices(node)):
        return _plain(writer, node)
    cases = folding.lifted(node)
    return _plain(writer, node) if cases is None else conditions.branches(writer, cases)


def _onto(node: tree.Compare) -> tree.Node | None:
    """``x == broadcast(x, y)`` as what it says of y: that it can be broadcast to x."""
    if node.ops not in (("==",), ("!=",)):
        return None
    for whole, call in (node.operands, node.operands[::-1]):
        if isinstance(call, tree.Call) and call.function == "broadcast" and whole in call.args:
            others = [arg for arg in dict.fromkeys(call.args) if arg != whole]
            found = build.all_of([tree.Call("broadcastable_to", (one, whole), BOOL) for one in others])
            return None if not others else found if node.ops == ("==",) else opposites.denied(found)
    return None


def plain_rank(node: tree.Compare) -> tree.Compare:
    """``x.rank > 0`` as ``x.rank != 0``: x is not 0D."""
    if len(node.ops) != 1 or not trees.is_attribute(node.operands[0], "rank"):
        return node
    op = _OF_NONE.get((node.ops[0], trees.number(node.operands[1])))
    return node if op is None else tree.Compare((op,), (node.operands[0], tree.Const(0, INT)), BOOL)


def chosen(node: tree.Call) -> tree.If | None:
    """A statement of the library as cases, where a condition is inside of it."""
    return folding.lifted(node)


def flipped(node: tree.Node) -> tree.Node:
    """``0 <= x`` as ``x >= 0``."""
    if not isinstance(node, tree.Compare) or len(node.ops) != 1 or not isinstance(node.operands[0], tree.Const):
        return node
    op = FLIPPED.get(node.ops[0])
    return node if op is None else tree.Compare((op,), node.operands[::-1], BOOL)


def denial(writer: Writer, node: tree.Compare) -> Clause:
    """What a comparison denies that has no plain opposite."""
    cases = folding.lifted(node)
    if cases is None and len(node.ops) > 1 and set(node.ops) == {"=="}:
        return _all_equal(writer, node.operands, False)
    if len(node.ops) == 2:
        return _within(writer, node, False) if cases is None else writer.clause(opposites.denied(cases))
    if len(node.ops) == 1:
        return writer.clause(tree.Compare((_OPPOSITE[node.ops[0]],), node.operands, BOOL))
    chain = _chain(writer, node)
    if chain is not None:
        return writer.form("fails", a=chain)
    parts = zip(node.ops, node.operands, node.operands[1:], strict=False)
    return writer.clause(build.any_of([tree.Compare((_OPPOSITE[op],), (a, b), BOOL) for op, a, b in parts]))


def _plain(writer: Writer, node: tree.Compare) -> Clause:
    """A comparison whose parts hang on no condition."""
    if len(node.ops) == 2 and set(node.ops) <= {"<", "<="}:
        return _within(writer, node, True)
    if len(node.ops) > 1 and set(node.ops) == {"=="}:
        return _all_equal(writer, node.operands)
    chain = _chain(writer, node)
    if chain is not None:
        return writer.form("holds", a=chain)
    found = [pair(writer, op, a, b) for op, a, b in zip(node.ops, node.operands, node.operands[1:], strict=False)]
    return found[0] if len(found) == 1 else Joined("and", tuple(found))


def _chain(writer: Writer, node: tree.Compare) -> str | None:
    """``0 < Nk ≤ Nv ≤ 256``: values in a row that letters or short names stand for."""
    if len(node.ops) < 2 or not set(node.ops) <= _SIGNS.keys():
        return None
    within = (part for operand in node.operands for part in tree.walk(operand))
    if any(part.type == BOOL for part in within):  # a statement, which would be said twice at each level
        return None
    names = list(map(writer.noun, node.operands))
    if not all(name.isascii() and " " not in name and len(name) <= _SHORT for name in names):
        return None
    return names[0] + "".join(f" {_SIGNS[op]} {name}" for op, name in zip(node.ops, names[1:], strict=True))


def _all_equal(writer: Writer, operands: tuple[tree.Node, ...], holds: bool = True) -> Clause:
    no = "" if holds else "not "
    if same_attribute(operands):
        names = writer.listing(list(map(writer.base, operands)), "and")
        return writer.form(f"{no}all same", all=names, what=writer.what(operands[0]))
    *things, last = operands
    of_one_kind = isinstance(last, (tree.Const, tree.Seq)) and same_attribute(tuple(things)) and len(things) > 1
    if of_one_kind and holds and not writer.mood:
        return writer.form("is", a=writer.attributes(tuple(things)), b=writer.noun(last))
    return writer.form(f"{no}all equal", all=writer.listing(list(map(writer.noun, operands)), "and"))


def _within(writer: Writer, node: tree.Compare, holds: bool) -> Clause:
    low, middle, high = node.operands
    no = "" if holds else "not "
    if patterns.mirrored(node):
        return writer.about(f"{no}mirrored", middle, b=_at_least_one(writer, high))
    if holds and node.ops == ("<=", "<=") and patterns.neighbours(node):
        return writer.about("is", middle, b=writer.listing([writer.noun(low), writer.noun(high)], "or"))
    of_dims = "dims " if holds and (trees.is_attribute(middle, "rank") or isinstance(middle, tree.Index)) else no
    closed = patterns.closed(node)
    if closed is not None:
        return writer.about(f"{of_dims}within", middle, interval=f"[{closed[0]}, {closed[1]}]")
    bounds = writer.noun(low), writer.noun(high)
    if holds and any(" " in bound for bound in bounds):
        return writer.about(f"between {node.ops[0]} {node.ops[1]}", middle, low=bounds[0], high=bounds[1])
    return writer.about(f"{of_dims}within", middle, interval=interval(node.ops[0], *bounds, node.ops[1]))


def _at_least_one(writer: Writer, node: tree.Node) -> str:
    """``max(x.rank, 1)``, and any other bound; in a condition in Chinese it stands in brackets already."""
    floor = node.args[1:] if isinstance(node, tree.Call) and node.function == "max" else ()
    if isinstance(node, tree.Call) and len(floor) == 1 and trees.number(floor[0]) == 1:
        key = "at least one, bracketed" if writer.mood and writer.lang == "zh" else "at least one"
        return writer.phrases[key].format(a=writer.noun(node.args[0]))
    return writer.noun(node)


def pair(writer: Writer, op: str, a: tree.Node, b: tree.Node) -> Clause:
    """A comparison of two values."""
    on = tree.on_products(tree.Compare((op,), (a, b), BOOL))
    if on is not None:
        return _on_product(writer, on)
    if isinstance(a, tree.Const) and not isinstance(b, tree.Const) and op in FLIPPED:
        op, a, b = FLIPPED[op], b, a
    a = patterns.given(writer.terms.trees.get(a.name), op, b) or a if isinstance(a, tree.Let) else a
    if op in FLIPPED:
        a, b = in_bytes(a, b) or (_multiple_of_bytes(a), b)
    if isinstance(a, tree.IsNone) and isinstance(b, tree.IsNone) and op in ("==", "!="):
        both = (op == "==") == (a.negated == b.negated)
        return writer.form("both null" if both else "one null", a=writer.noun(a.operand), b=writer.noun(b.operand))
    if a.type == BOOL and op in ("==", "!="):
        return _boolean(writer, op, a, b)
    if op in ("in", "not in"):
        return membership(writer, op, a, b)
    if op in ("==", "!="):
        return _equality(writer, op == "==", a, b)
    filled = patterns.FILLED.get((op, trees.number(b)))
    if filled is not None and trees.is_attribute(a, "numel"):
        return writer.about(f"{filled}empty", a.base)
    if filled is not None and isinstance(a, tree.Length):
        return writer.about(f"{filled}empty {_KIND.get(a.operand.type, 'list')}", a.operand)
    return _counted_tensors(writer, op, a, b) or writer.about(op, a, b=_that_of(writer, a, b))


def _multiple_of_bytes(node: tree.Node) -> tree.Node:
    """What is divided, in bytes where it is in bits that are whole bytes."""
    if not isinstance(node, tree.Binary) or node.op != "%":
        return node
    found = in_bytes(node.left, node.right)
    return node if found is None else tree.Binary("%", *found, node.type)


def _counted_tensors(writer: Writer, op: str, a: tree.Node, b: tree.Node) -> Simple | None:
    """In a condition: x has one tensor, several, or at most one."""
    key = _TENSORS.get((op, trees.number(b)))
    if key is None or not writer.mood or writer.fails or not isinstance(a, tree.Length):
        return None
    of_tensors = a.operand.type.name == "list" and a.operand.type.item == TENSOR
    return writer.about(key, a.operand) if of_tensors else None


def _on_product(writer: Writer, on: tree.OnProducts) -> Clause:
    last = "or" if on.inside == bool(writer.mood) or not on.inside else "and"
    if writer.lang == "zh" and not on.inside and not writer.mood:
        last = "and"
    text = conditions.named_products(writer, on.ids, last)
    if writer.mood and writer.lang == "en" and text.startswith("the "):
        text = f"of {text}"
    return writer.form("product" if on.inside else "no product", b=text)


# --- statements that go together


def _boolean(writer: Writer, op: str, a: tree.Node, b: tree.Node) -> Clause:
    if isinstance(b, tree.Const):
        return writer.clause(a) if (op == "==") == bool(b.value) else writer.negation(a)
    together = _together(writer, op == "==", a, b)
    if together is not None:
        return together
    branches = as_branches(writer, tree.Compare((op,), (a, b), BOOL))
    if branches is not None:
        return writer.clause(branches)
    key = "both or neither" if op == "==" else "one alone"
    return writer.form(key, a=writer.stating(a), b=writer.stating(b))


def as_branches(writer: Writer, node: tree.Node) -> tree.If | None:
    """A requirement ``a == b``, of statements, as ``a if b else not a``; None where that is no better said so."""
    if writer.mood or not isinstance(node, tree.Compare) or node.ops != ("==",):
        return None
    a, b = node.operands
    if a.type != BOOL or isinstance(b, tree.Const) or _given_alike(a, b) or _together(writer, True, a, b) is not None:
        return None
    return tree.If(b, a, opposites.denied(a), BOOL)


def _given_alike(a: tree.Node, b: tree.Node) -> bool:
    return isinstance(a, tree.IsNone) and isinstance(b, tree.IsNone)


def _together(writer: Writer, alike: bool, a: tree.Node, b: tree.Node) -> Clause | None:
    """``(x.dtype == FLOAT) == (y.dtype == FLOAT)``: both or neither of x and y must be FLOAT."""
    if isinstance(a, tree.Call) and isinstance(b, tree.Call):
        return _both_are(writer, alike, a, b)
    if not isinstance(a, tree.Compare) or not isinstance(b, tree.Compare) or a.ops != b.ops or len(a.ops) != 1:
        return None
    (one, value), (other, same) = a.operands, b.operands
    if value != same or not isinstance(one, tree.Attr) or not isinstance(other, tree.Attr):
        return None
    if one.name != other.name:
        return None
    key = "both" if alike else "one of both"
    names = writer.listing([writer.noun(one.base), writer.noun(other.base)], "and")
    if one.name == "numel" and (a.ops[0], trees.number(value)) in (("==", 0), (">", 0)):
        return writer.form(key, a=names, b=writer.phrases["empty"])
    values = value.items if isinstance(value, tree.Seq) else (value,)
    if a.ops[0] not in ("==", "in") or not all(isinstance(item, tree.Const) for item in values):
        return None
    if one.name != "dtype":
        names = writer.attributes((one, other))
    return writer.form(key, a=names, b=writer.listing(list(map(writer.noun, values)), "or"))


def _both_are(writer: Writer, alike: bool, a: tree.Call, b: tree.Call) -> Clause | None:
    """``contiguous(x) == contiguous(y)``: both or neither of x and y must be contiguous."""
    if a.function != b.function or len(a.args) != 1 or not isinstance(a.args[0], tree.Param):
        return None
    found = writer.condition(a)
    if not isinstance(found, Simple) or found.subject != writer.noun(a.args[0]) or found.verb not in ("is", "为", "是"):
        return None
    names = writer.listing(list(map(writer.noun, (*a.args, *b.args))), "and")
    return writer.form("both" if alike else "one of both", a=names, b=found.complement)


# --- choices


def membership(writer: Writer, op: str, a: tree.Node, b: tree.Node) -> Clause:
    """That a value is one of a list, or none."""
    holds = op == "in"
    if isinstance(b, tree.Seq) and not any(b.starred):
        if isinstance(a, tree.Const):
            return _among(writer, holds, a, b.items)
        return _listed_values(writer, holds, a, b)
    if isinstance(a, tree.Const):
        if a.value == 0 and trees.is_attribute(b, "shape"):
            return writer.about("empty" if holds else "not empty", b.base)
        none = None if writer.lang == "zh" else lists.none_of(writer, b)
        if none is not None and not holds:
            return writer.form("no part", a=none, b=writer.noun(a))
        if none is not None:
            return writer.form("is", a=writer.each(b, "some"), b=writer.noun(a))
        denied = "no dim is" if isinstance(b, tree.Slice) and trees.is_attribute(b.base, "shape") else "not contain"
        return writer.about("contain" if holds else denied, b, b=writer.noun(a))
    if isinstance(b, tree.Seq):
        return writer.about(f"{op} any", a, b=writer.listing(list(map(writer.noun, b.items)), "or"))
    if isinstance(b, tree.Slice) and writer.is_several(b):
        return writer.about(f"{op} any", a, b=lists.all_of(writer, b))
    return writer.about(f"{op} any" if writer.is_several(b) else op, a, b=writer.noun(b))


def _listed_values(writer: Writer, holds: bool, a: tree.Node, b: tree.Seq) -> Clause:
    """Of values that are listed one, or none."""
    alike = likeness.one_of(writer, holds, a, b.items)
    if alike is not None:
        return alike
    span = patterns.span(a, b)
    if span is not None:
        return writer.about("within" if holds else "not within", a, interval=f"[{span[0]}, {span[1]}]")
    names, letters = lettering.lettered(writer, b.items)
    if not letters:
        names = [_value_like(writer, a, item) for item in b.items]
    thing = _thing_of(writer, a, b.items)
    return replace(_one_of(writer, holds, thing, names), letters=letters)  # type: ignore[no-any-return]


def _one_of(writer: Writer, holds: bool, thing: tree.Node, names: list[str]) -> Simple:
    if holds or len(names) < 2 or not writer.mood:
        return writer.about("is" if holds else "is not", thing, b=writer.listing(names, "or"))
    if writer.lang == "zh":
        key, last = ("neither", "也不为") if len(names) == 2 else ("none of", "或")
        return writer.about(key, thing, b="、".join(names[:-1]) + last + names[-1])
    if len(names) == 2:
        return writer.about("neither", thing, b=f"{names[0]} nor {names[1]}")
    return writer.about("none of", thing, b=writer.listing(names, "and"))


def _thing_of(writer: Writer, a: tree.Node, values: tuple[tree.Node, ...]) -> tree.Node:
    """What is compared; in conditions a thing itself is of a data type and of a rank: "x is FLOAT", "x is 2D"."""
    return a.base if isinstance(a, tree.Attr) and _is_short(writer, a, values) else a


def _is_short(writer: Writer, a: tree.Node, values: tuple[tree.Node, ...]) -> bool:
    brief = bool(writer.mood) and not writer.fails and isinstance(a, tree.Attr) and a.name in ("dtype", "rank")
    return brief and all(isinstance(value, tree.Const) for value in values)


def is_short_of(writer: Writer, node: tree.Node) -> bool:
    """Whether a condition says of a thing itself what it is."""
    if not isinstance(node, tree.Compare) or node.ops not in (("==",), ("in",)):
        return False
    value = node.operands[1]
    return _is_short(writer, node.operands[0], value.items if isinstance(value, tree.Seq) else (value,))


def _value_like(writer: Writer, a: tree.Node, b: tree.Node) -> str:
    """A value in a list; of a thing's rank in a condition "2D"."""
    if isinstance(b, tree.Const) and b.type == INT and _is_short(writer, a, (b,)):
        return writer.phrases["dims"].format(n=b.value)
    return _that_of(writer, a, b)


def _that_of(writer: Writer, a: tree.Node, b: tree.Node) -> str:
    """A value; "that of" where it is the same attribute or dimension of another thing."""
    owner = shapes.like(a, b) if writer.lang == "en" else None
    return writer.noun(b) if owner is None else writer.phrases["that of"].format(a=writer.noun(owner))


def _among(writer: Writer, holds: bool, value: tree.Node, items: tuple[tree.Node, ...]) -> Clause:
    """Of several things one has this value, or none."""
    if not same_attribute(items):
        subject = writer.listing(list(map(writer.noun, items)), "and")
        return writer.form("one is" if holds else "none is", a=subject, b=writer.noun(value))
    either = writer.listing(list(map(writer.base, items)), "or")
    if holds and _is_short(writer, items[0], (value,)):
        return writer.form("is", a=either, b=_value_like(writer, items[0], value))
    if holds and writer.mood and writer.lang == "en":
        return writer.form("is", a=f"the {writer.what(items[0])} of {either}", b=writer.noun(value))
    if _is_short(writer, items[0], (value,)) and len(items) == 2 and writer.lang == "en":
        neither = f"neither {' nor '.join(map(writer.base, items))}"
        return writer.form("is", a=neither, b=_value_like(writer, items[0], value))
    return writer.form("one is" if holds else "none is", a=writer.attributes(items), b=writer.noun(value))


# --- equality


def _equality(writer: Writer, holds: bool, a: tree.Node, b: tree.Node) -> Clause:
    item_by_item = _item_by_item(writer, holds, a, b)
    if item_by_item is not None:
        return item_by_item
    special = _of_a_kind(writer, holds, a, b)
    if special is not None:
        return special
    square = shapes.of_last_two(a, b)
    if square is not None and holds:
        return writer.form("all equal", all=writer.some("last", 2, a=writer.noun(square)))
    if isinstance(a, tree.Call) and isinstance(b, tree.Const) and b.value == "DT_UNDEFINED":  # of what types promote to
        if a.function == "promote_scalar":
            tensor, scalar = map(writer.base, a.args)
            return writer.form("no common type" if holds else "common type", a=tensor, b=scalar)
        return writer.about("undefined" if holds else "defined", a)
    if INTS in (a.type, b.type):
        shaped = likeness.shaped(writer, holds, a, b)
        if shaped is not None:
            return shaped
    alike = isinstance(a, tree.Attr) and isinstance(b, tree.Attr) and a.name == b.name
    if alike or (isinstance(a, tree.Length) and isinstance(b, tree.Length)):
        first, second = (part.base if isinstance(part, tree.Attr) else part.operand for part in (a, b))  # type: ignore[union-attr]
        return writer.about("same" if holds else "not same", first, b=writer.noun(second), what=writer.what(a))
    key = ("is" if holds else "is not") if _is_value(b) else ("==" if holds else "!=")
    if b.type == INTS and any(is_list for _, is_list in shapes.pieces(b)) and len(shapes.pieces(b)) > 1:
        key = "consist" if holds else "not consist"
    names, letters = lettering.lettered(writer, (b,))
    found = writer.about(key, _thing_of(writer, a, (b,)), b=names[0] if letters else _value_like(writer, a, b))
    return replace(found, letters=letters)  # type: ignore[no-any-return]


def _item_by_item(writer: Writer, holds: bool, a: tree.Node, b: tree.Node) -> Clause | None:
    """``(x, y) == (a, b)``: x is a, and y is b; ``x.shape[:1] == (a,)``: its dimension 0 equals a."""
    only = shapes.only_item(a)
    if only is not None and isinstance(b, tree.Seq) and len(b.items) == 1 and not b.starred[0]:
        return writer.clause(tree.Compare(("==" if holds else "!=",), (only, b.items[0]), BOOL))
    if not isinstance(a, tree.Seq) or not isinstance(b, tree.Seq) or any((*a.starred, *b.starred)):
        return None
    if len(a.items) != len(b.items) or not a.items:
        return None
    op = "==" if holds else "!="
    pairs = tuple(tree.Compare((op,), (one, other), BOOL) for one, other in zip(a.items, b.items, strict=True))
    return writer.clause(pairs[0] if len(pairs) == 1 else tree.Logic("and" if holds else "or", pairs, BOOL))


def _is_value(node: tree.Node) -> bool:
    """Whether a thing "is" this, and does not equal it."""
    if isinstance(node, tree.Unary):
        return isinstance(node.operand, tree.Const)
    return isinstance(node, (tree.Const, tree.Seq, tree.If)) or node.type in (DTYPE, FORMAT)


def _of_a_kind(writer: Writer, holds: bool, a: tree.Node, b: tree.Node) -> Clause | None:
    """Equalities that have words of their own: multiples, the last axis, one tensor, empty."""
    if isinstance(a, tree.Binary) and a.op == "%" and trees.number(b) == 0:
        if trees.number(a.right) == 2:
            return writer.about("even" if holds else "odd", a.left)
        key = "multiple" if isinstance(a.right, tree.Const) else "divides"
        return writer.about(key if holds else _NOT[key], a.left, b=writer.noun(a.right))
    if _is_last_axis(writer, a, b) and isinstance(b, tree.Binary):
        axis = writer.axis(a) or writer.noun(a)
        return writer.form("last axis" if holds else "no last axis", a=axis, b=writer.base(b.left))
    counted = _counted_tensors(writer, "==", a, b) if holds else None
    if counted is not None:
        return counted
    if trees.is_attribute(a, "numel") and trees.number(b) == 0:
        return writer.about("empty" if holds else "not empty", a.base)
    if isinstance(a, tree.Length) and a.operand.type == STR and trees.number(b) == 0:
        return writer.about("empty text" if holds else "not empty text", a.operand)
    return None


def _is_last_axis(writer: Writer, a: tree.Node, b: tree.Node) -> bool:
    """``axis(dim, x.rank) == x.rank - 1``."""
    while isinstance(a, tree.Let) and a.name in writer.terms.trees:
        a = writer.terms.trees[a.name]
    return (
        isinstance(a, tree.Call)
        and a.function == "axis"
        and isinstance(b, tree.Binary)
        and (b.op, b.left, trees.number(b.right)) == ("-", a.args[1], 1)
        and trees.is_attribute(b.left, "rank")
    )


def interval(low_op: str, low: str, high: str, high_op: str) -> str:
    """``[low, high)``."""
    return f"{'[' if low_op == '<=' else '('}{low}, {high}{']' if high_op == '<=' else ')'}"
