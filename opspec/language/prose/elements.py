"""Statements about all or some elements of a list."""

from __future__ import annotations

from opspec.language import tree
from opspec.language.prose import comparing, conditions, lists, patterns, shapes, subjects, trees
from opspec.language.prose.bound import Bound
from opspec.language.prose.clauses import Framed, Simple
from opspec.language.record import replace
from opspec.language.types import BOOL, INT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec.language.prose.clauses import Clause
    from opspec.language.prose.writer import Writer

_ORDER = {"<": "increase", "<=": "not decrease", ">": "decrease", ">=": "not increase"}
_ZERO = tree.Const(0, INT)


def each(writer: Writer, node: tree.Each) -> Clause:
    """A quantifier: in the plainest way that fits, at last with a letter for the element."""
    apart = patterns.taken_apart(node)
    if apart is not None:
        return writer.clause(apart)
    plainly = _plainly(writer, node)
    if plainly is not None:
        return plainly
    if node.quantifier == "all" and isinstance(node.element, tree.Logic) and node.element.op == "and":
        parts = tuple(replace(node, element=item) for item in node.element.items)
        if all(_plainly(writer, part) is not None for part in parts):
            return writer.clause(tree.Logic("and", parts, BOOL))
    # One or the other: what writes a part twice at every level takes exponential time.
    left_out = _left_out(writer, node)
    if node.condition is None or left_out:
        inner = writer.clause(node.element)
    elif node.quantifier == "all":
        inner = conditions.if_then(writer, node.condition, node.element)
    else:
        inner = writer.clause(tree.Logic("and", (node.condition, node.element), BOOL))
    return _over(writer, node, inner, left_out)


def _left_out(writer: Writer, node: tree.Each) -> str:
    """The one number that a range is without, if its condition says no more: ``for every axis i of x but dim``."""
    match node.source, node.condition:
        case tree.Range(), tree.Compare(ops=("!=",), operands=(tree.Var(name=name), other)):
            if (name,) == node.variables and node.quantifier == "all":
                return writer.along(other) or writer.noun(other)
    return ""


def _plainly(writer: Writer, node: tree.Each) -> Clause | None:
    """A quantifier without a letter for the element, where that can be said."""
    ways: tuple[Callable[[Writer, tree.Each], Clause | None], ...] = (
        _of_formats, _in_order, _of_values, _with_values, _alike_throughout, _of_every_element, _of_all_but,
        _within_every, _like_every_element, _corresponding, _side_by_side,
    )  # fmt: skip
    for way in ways:
        found = way(writer, node)
        if found is not None:
            return found
    return None


def _framed(writer: Writer, key: str, body: Clause, **slots: str) -> Framed:
    before, _, after = writer.phrases[key].partition("{b}")
    return Framed(before.format(**slots), body, after, leads=True)


def _over(writer: Writer, node: tree.Each, inner: Clause, left_out: str) -> Clause:
    """``for every i of …``: the indices of a list, the axes of a tensor, integers, or any elements."""
    names = writer.phrases["comma"].join(node.variables)
    every, over = node.quantifier == "all", node.source
    if not isinstance(over, tree.Range):
        return _framed(writer, "every" if every else "some", inner, v=names, a=writer.noun(over))
    high = over.high
    if over.low is None and isinstance(high, tree.Length):
        key = "index but" if left_out else "index" if every else "some place"
        return _framed(writer, key, inner, v=names, a=writer.noun(high.operand), n=left_out)
    if over.low is None and trees.is_attribute(high, "rank"):
        key = "axis but" if left_out else "axis" if every else "some axis"
        return _framed(writer, key, inner, v=names, a=writer.noun(high.base), n=left_out)
    low = "0" if over.low is None else writer.noun(over.low)
    interval = comparing.interval("<=", low, writer.noun(high), "<")
    key = "integers but" if left_out else "integers" if every else "some integer"
    return _framed(writer, key, inner, v=names, a=interval, n=left_out)


def _element_bound(writer: Writer, node: tree.Each, key: str) -> dict[str, Bound]:
    """The variables with the phrase "every element of x" for the one of this quantifier."""
    part = isinstance(node.source, (tree.Slice, tree.Seq))
    told = "least" if key == "some" and not (writer.mood or part) else key  # "some … must" may be all
    bound = Bound(writer.each(node.source, told), key, node.source)
    return {**writer.bound, node.variables[0]: bound}


def _of_formats(writer: Writer, node: tree.Each) -> Clause | None:
    """What the data formats of all tensors of a list must be."""
    element, source = node.element, node.source
    if writer.mood or node.quantifier != "all" or node.condition is not None or len(node.variables) != 1:
        return None
    if not isinstance(source, (tree.Param, tree.Let)):
        return None
    if isinstance(element, tree.Unary) and element.op == "not" and patterns.is_private(element.operand):
        return writer.form("no private tensor", a=writer.noun(source))
    if not isinstance(element, tree.Implies):
        return None
    asked = trees.privacy(element.condition)
    if asked is None:
        return None
    bound = _element_bound(writer, node, "a" if asked[1] else "every")
    return writer.with_bound(bound).clause(element)


def _in_order(writer: Writer, node: tree.Each) -> Clause | None:
    """``all(p <= q for p, q in zip(x[:-1], x[1:]))``: the elements of x must not decrease."""
    base = shapes.neighbours(node.source)
    if base is None or node.condition is not None or not isinstance(node.element, tree.Compare):
        return None
    element = node.element
    named = [part.name if isinstance(part, tree.Var) else None for part in element.operands]
    if len(element.ops) != 1 or sorted(map(str, named)) != sorted(node.variables) or node.quantifier != "all":
        return None
    op = element.ops[0] if named == list(node.variables) else comparing.FLIPPED.get(element.ops[0], "")
    if op == "==":
        return writer.form("all equal", all=writer.elements(base))
    return writer.form(_ORDER[op], a=writer.elements(base)) if op in _ORDER else None


def _of_values(writer: Writer, node: tree.Each) -> Clause | None:
    """``any(x == s for s in (2, 4))``: x is one of these."""
    element = node.element
    if node.quantifier != "any" or not isinstance(node.source, tree.Seq) or node.condition is not None:
        return None
    if not isinstance(element, tree.Compare) or element.ops != ("==",) or any(node.source.starred):
        return None
    left, right = element.operands
    if isinstance(left, tree.Var) and left.name in node.variables:
        left, right = right, left
    if not isinstance(right, tree.Var) or right.name not in node.variables or right in tree.walk(left):
        return None
    return comparing.membership(writer, "in", left, node.source)


def _with_values(writer: Writer, node: tree.Each) -> Clause | None:
    """``any(x == n * s for s in (2, 4))``: x must equal n times s, where s is 2 or 4."""
    source = node.source
    if node.quantifier != "any" or not isinstance(source, tree.Seq) or node.condition is not None or writer.mood:
        return None
    if len(node.variables) != 1 or not all(isinstance(item, tree.Const) for item in source.items):
        return None
    clause = writer.clause(node.element)
    if not isinstance(clause, Simple) or clause.letters or clause.tails:
        return None
    values = writer.listing(list(map(writer.noun, source.items)), "or")
    explained: Clause = replace(clause, letters=((node.variables[0], values),))
    return explained


def _of_every_element(writer: Writer, node: tree.Each) -> Clause | None:
    """``every element of x must be …``, where the statement names its one variable once and denies nothing."""
    element = _forwards(comparing.flipped(subjects.plain(node.element)), node.variables)
    named = [part for part in tree.walk(element) if isinstance(part, tree.Var) and part.name in node.variables]
    if node.condition is not None or len(node.variables) != 1 or len(named) != 1:
        return None
    kinds = (tree.Param, tree.Let, tree.Attr, tree.Seq, tree.Slice)
    one_of_several = isinstance(node.source, tree.Var) and node.source.name == subjects.ANY
    if not (one_of_several or isinstance(node.source, kinds)) or (
        subjects.denies(element) and node.quantifier == "all"
    ):
        return _no_element(writer, node)
    subject = subjects.subject(element)
    if subject is None or named[0] not in tree.walk(subject):
        return None
    key = "every" if node.quantifier == "all" else "some"
    clause = writer.with_bound(_element_bound(writer, node, key)).clause(element)
    of_tensors = key == "every" and isinstance(clause, Simple) and clause.subject.endswith("每个Tensor")
    return _of_every_tensor(writer, clause) if of_tensors else clause  # type: ignore[arg-type]


def _of_every_tensor(writer: Writer, clause: Simple) -> Simple:
    """In Chinese: every tensor is all that; and no "contiguous tensor", which would name it twice."""
    if writer.mood == 1:
        all_of: Simple = replace(clause, verb="均") if clause.complement.startswith("为") else clause
        return all_of
    adjective = (
        clause.complement.removesuffix("Tensor") if clause.complement.endswith("的Tensor") else clause.complement
    )
    found: Simple = replace(clause, complement=adjective)
    return found


def _forwards(element: tree.Node, variables: tuple[str, ...]) -> tree.Node:
    """``n >= v`` of an element v as ``v <= n``."""
    if not isinstance(element, tree.Compare) or len(element.ops) != 1 or element.ops[0] not in comparing.FLIPPED:
        return element
    left, right = element.operands
    own = isinstance(right, tree.Var) and right.name in variables
    if not own or any(isinstance(part, tree.Var) and part.name in variables for part in tree.walk(left)):
        return element
    return tree.Compare((comparing.FLIPPED[element.ops[0]],), (right, left), BOOL)


def _within_every(writer: Writer, node: tree.Each) -> Clause | None:
    """``all(all(d > 0 for d in t.shape) for t in x)``: every dimension of every tensor of x must be greater than 0."""
    inner = node.element
    if not isinstance(inner, tree.Each) or inner.quantifier != node.quantifier or node.condition is not None:
        return None
    if len(node.variables) != 1 or not isinstance(node.source, (tree.Param, tree.Let)):
        return None
    name = node.variables[0]
    if _count(inner, name) != 1 or _count(inner.source, name) != 1:
        return None
    bound = _element_bound(writer, node, "every" if node.quantifier == "all" else "some")
    return _of_every_element(writer.with_bound(bound), inner)


def _of_all_but(writer: Writer, node: tree.Each) -> Clause | None:
    """``all(v == skip or v < n for v in x.values)``: every value of x other than skip must be less than n."""
    every = node.quantifier == "all"
    element = node.element
    if node.condition is not None or len(node.variables) != 1 or not isinstance(element, tree.Logic):
        return None
    if element.op != ("or" if every else "and") or len(element.items) != 2:
        return None
    (name,) = node.variables
    excepted, said = element.items
    if not _is_but(excepted, name, "==" if every else "!="):
        excepted, said = said, excepted
    said = comparing.flipped(subjects.plain(said))
    thing = subjects.subject(said)
    if not _is_but(excepted, name, "==" if every else "!=") or not isinstance(said, (tree.Compare, tree.Unary)):
        return None
    if not isinstance(thing, tree.Var) or thing.name != name or _count(said, name) != 1:
        return None
    if every and subjects.denies(said):
        return None
    assert isinstance(excepted, tree.Compare)
    bound = _element_bound(writer, node, "every" if every else "some")
    text = writer.phrases["other than"].format(a=bound[name].text, b=writer.noun(excepted.operands[1]))
    return writer.with_bound({**bound, name: replace(bound[name], text=text)}).clause(said)


def _is_but(node: tree.Node, name: str, op: str) -> bool:
    """Whether a statement is that an element is this, which is nothing about the element."""
    if not isinstance(node, tree.Compare) or node.ops != (op,):
        return False
    own, value = node.operands
    return isinstance(own, tree.Var) and own.name == name and not _count(value, name)


def _alike_throughout(writer: Writer, node: tree.Each) -> Clause | None:
    """``all(t.dtype == x[0].dtype for t in x)``: all tensors of x must have the same data type."""
    sides = patterns.compared_with(node)
    if sides is None or not isinstance(node.source, tree.Param):
        return None
    first = sides[1].base
    if not isinstance(first, tree.Index) or first.base != node.source or trees.number(first.index) != 0:
        return None
    several = "several " if writer.is_several(node.source) else ""
    key = f"{several}same throughout" if node.quantifier == "all" else "not same throughout"
    return writer.form(key, a=writer.noun(node.source), what=writer.what(sides[0]))


def _like_every_element(writer: Writer, node: tree.Each) -> Clause | None:
    """``all(y.dtype == t.dtype for t in x)``: y must have the same data type as every tensor of x."""
    sides = patterns.compared_with(node)
    if sides is None or not isinstance(node.source, tree.Param):
        return None
    other = writer.each(node.source, "every" if node.quantifier == "all" else "some")
    same = "same" if node.quantifier == "all" else "not same"
    return writer.about(same, sides[1].base, b=other, what=writer.what(sides[0]))


def _no_element(writer: Writer, node: tree.Each) -> Clause | None:
    """``no element of x may be null``, ``no value of x may be 0``."""
    element = node.element
    if node.quantifier != "all":
        return None
    if trees.is_attribute(node.source, "values") and isinstance(element, tree.Compare) and element.ops == ("!=",):
        one, other = element.operands
        is_plain = isinstance(one, tree.Var) and one.name in node.variables
        return writer.form("no value", a=writer.noun(node.source.base), b=writer.noun(other)) if is_plain else None
    if writer.mood or not isinstance(node.source, (tree.Param, tree.Let)):
        return None
    if isinstance(element, tree.IsNone) and element.negated and isinstance(element.operand, tree.Var):
        return writer.form("no null tensor", a=writer.noun(node.source))
    if not isinstance(element, tree.Compare) or element.ops != ("not in",) or element.operands[0] != _ZERO:
        return None
    empty = trees.is_attribute(element.operands[1], "shape")
    return writer.form("no empty tensor", a=writer.noun(node.source)) if empty else None


def _corresponding(writer: Writer, node: tree.Each) -> Clause | None:
    """``every element of a must equal the corresponding element of b``, of lists that are told in words."""
    found = patterns.paired(node)
    if found is None:
        return None
    lists_, variables, element = found
    element = comparing.flipped(element)
    subject = subjects.subject(element)
    counts = [_count(element, name) for name in variables]
    if subject is None or subjects.denies(element) or not isinstance(element, tree.Compare):
        return None
    if all(writer.is_named(writer.noun(listed)) or writer.stand_ins(listed) for listed in lists_):
        return None
    first = next((place for place, name in enumerate(variables) if _count(subject, name)), None)
    if first is None or counts[first] != 1 or min(counts) == 0:
        return None
    if node.quantifier == "all" and all(map(writer.is_several, lists_)):
        whole = {name: Bound(writer.noun(listed), several=True) for name, listed in zip(variables, lists_, strict=True)}
        return _framed(writer, "one by one", writer.with_bound({**writer.bound, **whole}).clause(element))
    key = "every" if node.quantifier == "all" else "some"
    bound = {
        name: Bound(lists.each(writer, listed, key) if place == first else lists.corresponding(writer, listed))
        for place, (name, listed) in enumerate(zip(variables, lists_, strict=True))
    }
    return writer.with_bound({**writer.bound, **bound}).clause(element)


def _count(node: tree.Node, name: str) -> int:
    """How often a statement names a variable."""
    return sum(isinstance(part, tree.Var) and part.name == name for part in tree.walk(node))


def _side_by_side(writer: Writer, node: tree.Each) -> Clause | None:
    """Elements of lists that are read together: ``for every i, x[i] must …``."""
    if not isinstance(node.source, tree.Zip) or node.condition is not None:
        return None
    taken = {part.name for part in tree.walk(node) if isinstance(part, (tree.Param, tree.Let, tree.Var))}
    index = next(name for name in ("i", "j", "k", "index") if name not in taken - set(node.variables))
    places = [patterns.placed(part, index) for part in node.source.items]
    if None in places or len(node.variables) != len(places):
        return None
    bound = {
        variable: Bound(writer.element_of(place[0], place[1]))
        for variable, place in zip(node.variables, places, strict=True)
        if place is not None
    }
    inner = writer.with_bound({**writer.bound, **bound}).clause(node.element)
    return _framed(writer, "every index" if node.quantifier == "all" else "some index", inner, v=index)
