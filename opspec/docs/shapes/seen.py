"""What of a rule's statement the shapes of a page show: a sentence on it need not say that again."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from opspec.docs.limits import limit_of
from opspec.docs.shapes.equations import shaped
from opspec.docs.shapes.result import ALONE, OPEN, Shape
from opspec.language import build, tree
from opspec.language.prose.trees import number
from opspec.model.definition import Definition, RuleDef

Found = Mapping[str, tuple[Shape, ...]]  #: param -> its shapes


def unseen(rule: RuleDef, found: Found, definition: Definition) -> tuple[tree.Node, ...]:
    """The parts of a statement about every call that shapes do not show."""
    parts = build.conjuncts(rule.check)
    if rule.when is not None or rule.alternatives or rule.basis == "observed" or rule.kind == "rank-limit":
        return parts
    return tuple(part for part in parts if not _is_seen(part, rule, found, definition))


def _is_seen(part: tree.Node, rule: RuleDef, found: Found, definition: Definition) -> bool:
    match part:
        case tree.Given(operand=operand):
            return _is_seen(operand, rule, found, definition)
        case tree.Compare(ops=ops, operands=sides) if set(ops) == {"=="}:
            return all(_are_shown_equal(one, two, found, definition) for one, two in itertools.pairwise(sides))
        case tree.Compare(ops=("<=",), operands=(tree.Attr(name="rank") as one, tree.Attr(name="rank") as two)):
            return _is_end(one.base, two.base, found)
        case tree.Compare(operands=(tree.Attr(name="rank", base=tree.Param(name=name)), *_)):
            return _is_of_row(part, rule, name, found, definition)
    return False


def _are_shown_equal(one: tree.Node, two: tree.Node, found: Found, definition: Definition) -> bool:
    """Whether shapes show that two shapes, two numbers of dims, or two dims are the same."""
    pair = [found.get(shaped(node) or "", ()) for node in (one, two)]
    if pair[0]:
        return pair[0] == pair[1] and len(pair[0]) == 1 and not pair[0][0].is_open and OPEN not in pair[0][0].items
    match one, two:
        case tree.Attr(name="rank", base=tree.Param(name=name)), _ if (count := number(two)) is not None:
            return {count} == {_count(shape) for shape in found.get(name, ())}
        case tree.Attr(name="rank", base=tree.Param(name=name)), tree.Attr(name="rank", base=tree.Param(name=other)):
            counts = [_stars(found.get(param, ())) for param in (name, other)]
            return counts[0] is not None and counts[0] == counts[1]
        case (
            tree.Slice(
                base=tree.Attr(base=whole), low=tree.Binary(op="-", right=tree.Attr(name="rank", base=end)), high=None
            ),
            tree.Attr(name="shape", base=own),
        ) if end == own:
            return _is_end(own, whole, found)
    texts = [_dim(node, found, definition) for node in (one, two)]
    return texts[0] is not None and texts[0] == texts[1]


def _is_end(one: tree.Node, two: tree.Node, found: Found) -> bool:
    """Whether shapes show that all dims of a param are the last ones of another."""
    if isinstance(one, tree.Param) and isinstance(two, tree.Param):
        own, whole = found.get(one.name, ()), found.get(two.name, ())
        if len(own) == len(whole) == 1 and own[0].stars:
            return own[0].items == whole[0].items[-len(own[0].items) :]
    return False


def _is_of_row(part: tree.Node, rule: RuleDef, name: str, found: Found, definition: Definition) -> bool:
    """Whether the shape of a param, or the numbers of dims in its row, keep a limit on these."""
    limit = limit_of(part)
    if limit is None:
        return False
    counts = [_count(shape) for shape in found.get(name, ())]
    if counts and None not in counts:
        return all(limit[1].holds(count) for count in counts if count is not None)
    rows = (other for other in definition.rules if other.param == name and other.kind == "rank" and other.id != rule.id)
    told = (limit_of(other.check) for other in rows if other.when is None)
    return any(one is not None and one[0] == limit[0] and one[1].is_within(limit[1]) for one in told)


def _count(shape: Shape) -> int | None:
    """How many dims a shape has; None of one that may have some more."""
    return None if any(item[0] in "*." for item in shape.items) else len(shape.items)


def _stars(shapes: tuple[Shape, ...]) -> tuple[int, list[str]] | None:
    """How many items the one shape of a param has, and which of them are dims in any number."""
    if len(shapes) != 1 or OPEN in shapes[0].items:
        return None
    return len(shapes[0].items), sorted(item for item in shapes[0].items if item[0] == "*")


def _dim(node: tree.Node, found: Found, definition: Definition) -> str | None:
    """What a dim is called in the one shape of its param."""
    while isinstance(node, tree.Let):
        node = definition.lets[node.name]
    name = shaped(node.base) if isinstance(node, tree.Index) else None
    place = number(node.index) if isinstance(node, tree.Index) else None
    own = found.get(name or "", ())
    if place is None or len(own) != 1 or not -len(own[0].items) <= place < len(own[0].items):
        return None
    items = own[0].items
    before = items[: place + 1] if place >= 0 else items[place:]
    text = items[place]
    return None if text == ALONE or any(item[0] in "*." for item in before) else text
