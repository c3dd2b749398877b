"""What rules demand of outputs that a call leaves out: read off the rules' own trees.

A rule holds in every legal call. Where its tree equates something of an output with what the inputs give, that is what
the output must be; so with the last one left of several values, and the rows of a table that the inputs leave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from opspec.language import tree
from opspec.language.interpret import Env, Undef, column_value, evaluate, with_bound
from opspec.language.runtime import Undefined
from opspec.language.values import Tensor
from opspec.validator.wanted import DTYPE, FORMAT, SHAPE, Contradiction, Wanted, WantedList

NOT_KNOWN = object()


def value(node: tree.Node, env: Env) -> object:
    """The value of an expression; NOT_KNOWN where there is none, or none yet."""
    try:
        found = evaluate(node, env)
    except Undefined:
        return NOT_KNOWN
    return NOT_KNOWN if isinstance(found, Undef) or found is None else found


def demand(node: tree.Node, env: Env) -> bool:
    """Take it that a statement holds; whether that says anything new of an output.

    Raises:
        Contradiction: it cannot hold beside what is known.
    """
    reader = tree.row_of(_READERS, node)
    return reader is not None and reader(node, env)


# --- statements


def _logic(node: tree.Logic, env: Env) -> bool:
    if node.op == "and":
        return _any_new(demand(item, env) for item in node.items)
    left = [item for item in node.items if value(item, env) is not False]
    return len(left) == 1 and demand(left[0], env)


def _given(node: tree.Given, env: Env) -> bool:
    return demand(node.operand, env)


def _implies(node: tree.Implies, env: Env) -> bool:
    return value(node.condition, env) is True and demand(node.then, env)


def _if(node: tree.If, env: Env) -> bool:
    condition = value(node.condition, env)
    return isinstance(condition, bool) and demand(node.then if condition else node.other, env)


def _each(node: tree.Binder, env: Env) -> bool:
    if node.quantifier != "all":
        return False
    new = _count_alike(node.source.items, env) if isinstance(node.source, tree.Zip) else False
    return _any_new([new, *(demand(node.element, inner) for inner in _bindings(node, env))])


def _bindings(node: tree.Binder, env: Env) -> Iterator[Env]:
    """What a statement on each is said of."""
    source = value(node.source, env)
    for item in source if isinstance(source, tuple) else ():
        inner = with_bound(env, node.variables, item)
        if node.condition is None or value(node.condition, inner) is True:
            yield inner


def _count_alike(items: Sequence[tree.Node], env: Env) -> bool:
    """Lists that are walked side by side are of one length."""
    found = [value(item, env) for item in items]
    known = [len(item) for item in found if isinstance(item, tuple)]
    return bool(known) and _any_new(item.limit_count(known[0]) for item in found if isinstance(item, WantedList))


def _choice(node: tree.Choice, env: Env) -> bool:
    known = [_cell(column, env) for column in node.columns]
    left = [
        row
        for row in node.rows
        if all(found is NOT_KNOWN or cell is None or found in cell for found, cell in zip(known, row, strict=True))
    ]
    if not left:
        raise Contradiction
    new = False
    for i, (column, found) in enumerate(zip(node.columns, known, strict=True)):
        cells = [row[i] for row in left]
        if found is NOT_KNOWN and cells and None not in cells:
            new |= _among(column, _listed(cell for cell in cells if cell is not None), env)
    return new


def _listed(cells: Iterable[frozenset[object]]) -> tuple[object, ...]:
    """What is in any of the cells, row by row; a cell has no order of its own."""
    return tuple(dict.fromkeys(value for cell in cells for value in sorted(cell, key=str)))


def _cell(column: tree.Node, env: Env) -> object:
    try:
        found = column_value(column, env)
    except Undefined:
        return NOT_KNOWN
    return NOT_KNOWN if isinstance(found, Undef) else found


def _compare(node: tree.Compare, env: Env) -> bool:
    new = False
    for op, left, right in zip(node.ops, node.operands, node.operands[1:], strict=False):
        if op == "==":
            new |= _equal(left, right, env)
        elif op == "in" and isinstance(right, tree.Seq) and not any(right.starred):
            new |= _member(left, right.items, env)
    return new


def _equal(left: tree.Node, right: tree.Node, env: Env) -> bool:
    new = False
    for target, other in _sides(left, right):
        found = value(other, env)
        if found is not NOT_KNOWN:
            new |= _put(target, found, env)
        elif isinstance(other, tree.Seq):
            new |= _put_known_parts(target, other, env)
    return new


def _put_known_parts(target: tree.Node, parts: tree.Seq, env: Env) -> bool:
    """Of a shape whose dims are not all known yet, those that are."""
    output = value(target.base, env) if isinstance(target, tree.Attr) and target.name == "shape" else None
    if not isinstance(output, Wanted):
        return False
    sizes: list[object] = []
    for item, star in zip(parts.items, parts.starred, strict=True):
        found = value(item, env)
        if star and not isinstance(found, tuple):
            return False
        sizes += found if star and isinstance(found, tuple) else (found,)
    known = [(i, size) for i, size in enumerate(sizes) if size is not NOT_KNOWN]
    return _any_new([output.limit_rank(len(sizes)), *(output.limit_dim(i, size) for i, size in known)])


def _member(left: tree.Node, items: Sequence[tree.Node], env: Env) -> bool:
    known = [value(item, env) for item in items]
    found = value(left, env)
    if found is NOT_KNOWN:
        return NOT_KNOWN not in known and _among(left, tuple(dict.fromkeys(known)), env)
    open_items = [item for item, other in zip(items, known, strict=True) if other is NOT_KNOWN]
    return found not in known and len(open_items) == 1 and _put(open_items[0], found, env)


def _is_none(node: tree.IsNone, env: Env) -> bool:
    return not node.negated and _put_absent(node.operand, env)


def _put_absent(operand: tree.Node, env: Env) -> bool:
    output = value(operand, env)
    if not isinstance(output, (Wanted, WantedList)) or output.absent:
        return False
    output.absent = True
    return True


_READERS: dict[type, Callable[..., bool]] = {
    tree.Logic: _logic, tree.Given: _given, tree.Implies: _implies, tree.If: _if, tree.Binder: _each,
    tree.Choice: _choice, tree.Compare: _compare, tree.IsNone: _is_none,
}  # fmt: skip


# --- statements that leave a choice


class _Even(Env):
    """Where what is divided comes out even."""

    __slots__ = ()


def suggest(node: tree.Node, env: Env) -> bool:
    """Take it that a statement with a choice is met the usual way; whether that says anything new of an output.

    The usual way: as much as it asks for and no more, quotients without remainder, and what is to be alike in one
    respect is alike altogether.

    Raises:
        Contradiction: it cannot be met so beside what is known.
    """
    even = _Even(env.args, env.lets, env.product, env.member, env.known, env.bound)
    return demand(node, even) or _met(node, even)


def _met(node: tree.Node, env: Env) -> bool:
    if isinstance(node, tree.Given):
        return _met(node.operand, env)
    if isinstance(node, tree.Logic) and node.op == "and":
        return _any_new(_met(item, env) for item in node.items)
    if isinstance(node, tree.Binder) and node.quantifier == "all":
        return _any_new(_met(node.element, inner) for inner in _bindings(node, env))
    if not isinstance(node, tree.Compare):
        return False
    pairs = zip(node.ops, node.operands, node.operands[1:], strict=False)
    return _any_new(_met_by(op, left, right, env) for op, left, right in pairs)


def _met_by(op: str, left: tree.Node, right: tree.Node, env: Env) -> bool:
    if op == "==":
        return any(_put_alike(target, other, env) for target, other in _sides(left, right))
    target, least = (left, right) if op == ">=" else (right, left)
    if op not in (">=", "<=") or isinstance(least, tree.Const):  # a limit of its own says nothing of this call
        return False
    found = value(least, env)
    if not isinstance(found, int) or found <= 0 or value(target, env) is not NOT_KNOWN:
        return False
    return _put_alike(target, least, env) or _put(target, found, env)


def _sides(left: tree.Node, right: tree.Node) -> tuple[tuple[tree.Node, tree.Node], ...]:
    return ((left, right), (right, left))


def _put_alike(target: tree.Node, other: tree.Node, env: Env) -> bool:
    """Two of one count of elements have one shape."""
    if isinstance(target, tree.Attr) and isinstance(other, tree.Attr) and target.name == other.name == "numel":
        output, like = value(target.base, env), value(other.base, env)
        return isinstance(output, Wanted) and isinstance(like, Tensor) and output.limit_shape(like.shape)
    if not isinstance(target, tree.Call) or not isinstance(other, tree.Call):
        return False
    like = value(other.args[0], env)
    alike = target.function == other.function == "prod"
    return alike and like is not NOT_KNOWN and _put(target.args[0], like, env)


# --- what a statement is about


def _put(target: tree.Node, found: object, env: Env) -> bool:
    """Give what an expression stands for this value, where it is something of an output."""
    if isinstance(target, tree.Let):
        return _put(env.lets[target.name], found, env)
    if isinstance(target, tree.If):
        condition = value(target.condition, env)
        return isinstance(condition, bool) and _put(target.then if condition else target.other, found, env)
    if isinstance(target, tree.Binary):
        return _put_operand(target, found, env)
    if isinstance(target, tree.IsNone):
        return found is not target.negated and _put_absent(target.operand, env)
    if isinstance(target, tree.Attr):
        return _put_attr(target, found, env)
    if isinstance(target, tree.Length):
        items = value(target.operand, env)
        return isinstance(items, WantedList) and items.limit_count(found)
    if isinstance(target, tree.Index):
        output = _shaped(target.base, env)
        index = value(target.index, env)
        return output is not None and index is not NOT_KNOWN and output.limit_dim(index, found)
    if isinstance(target, tree.Slice):
        output = _shaped(target.base, env)
        return output is not None and isinstance(found, tuple) and _put_slice(output, target, found, env)
    if isinstance(target, tree.Seq):
        return isinstance(found, tuple) and _put_parts(target, found, env)
    return False


def _put_operand(target: tree.Binary, found: object, env: Env) -> bool:
    """Solve a sum, difference, product or even quotient of whole numbers for the operand that is not known yet."""
    left, right = value(target.left, env), value(target.right, env)
    open_part, known = (target.left, right) if left is NOT_KNOWN else (target.right, left)
    if not isinstance(found, int) or not isinstance(known, int) or NOT_KNOWN not in (left, right):
        return False
    if target.op == "+":
        return _put(open_part, found - known, env)
    if target.op == "-":
        return _put(open_part, known - found if open_part is target.right else found + known, env)
    if target.op == "//" and (known == 1 or isinstance(env, _Even)):
        return open_part is target.left and _put(open_part, found * known, env)
    if target.op != "*" or not known:
        return False
    if found % known:
        raise Contradiction
    return _put(open_part, found // known, env)


def _put_attr(target: tree.Attr, found: object, env: Env) -> bool:
    output = value(target.base, env)
    if not isinstance(output, Wanted):
        return False
    if target.name in (DTYPE, FORMAT):
        return output.limit(target.name, (found,))
    if target.name == "rank":
        return output.limit_rank(found)
    if target.name == "numel":
        return output.limit_numel(found)
    return target.name == "shape" and output.limit_shape(found)


def _put_slice(output: Wanted, target: tree.Slice, found: tuple[object, ...], env: Env) -> bool:
    low, high = (None if part is None else value(part, env) for part in (target.low, target.high))
    if high is None and isinstance(low, int) and low < 0 and len(found) == -low:  # the last dims
        return _any_new(output.limit_dim(low + i, size) for i, size in enumerate(found))
    start = 0 if low is None else low
    if not isinstance(start, int) or start < 0:
        return False
    new = False
    if high is None:
        new = output.limit_rank(start + len(found))
    elif isinstance(high, int) and high < 0:
        new = output.limit_rank(start + len(found) - high)
    elif not isinstance(high, int) or len(found) != high - start:
        return False
    return _any_new([new, *(output.limit_dim(start + i, size) for i, size in enumerate(found))])


def _put_parts(target: tree.Seq, found: tuple[object, ...], env: Env) -> bool:
    """Each part of a tuple; of one with a list spliced in, too, as long as it is one."""
    stars = target.starred.count(True)
    spare = len(found) - len(target.items) + stars
    if stars > 1 or spare < 0 or (stars == 0 and spare):
        return False
    new, at = False, 0
    for item, star in zip(target.items, target.starred, strict=True):
        part = found[at : at + spare] if star else found[at]
        new |= _put(item, part, env)
        at += spare if star else 1
    return new


def _shaped(node: tree.Node, env: Env) -> Wanted | None:
    """The output whose shape an expression is."""
    if not isinstance(node, tree.Attr) or node.name != "shape":
        return None
    output = value(node.base, env)
    return output if isinstance(output, Wanted) else None


def _among(target: tree.Node, values: tuple[object, ...], env: Env) -> bool:
    """Leave what an expression stands for only these values."""
    if isinstance(target, tree.Attr) and target.name in (SHAPE, DTYPE, FORMAT) and len(values) > 1:
        output = value(target.base, env)
        return isinstance(output, Wanted) and output.limit(target.name, values)
    return len(values) == 1 and _put(target, values[0], env)


def _any_new(found: Iterable[bool]) -> bool:
    """Whether any of them; all are looked at."""
    return any(list(found))


__all__ = ["Contradiction", "demand", "suggest", "value"]
