"""The reference interpreter: slow, plain, and the meaning of the language.

It evaluates a tree node by node and represents an undefined value as a :class:`Undef`. The compiled back ends must
agree with it on every tree and every call; it also finds, when a rule is violated, the part that failed
(``opspec.validator.explain``). Apart from the library functions it shares no code with the compiled form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from opspec.language import runtime, tree
from opspec.language.facts import told_apart_by
from opspec.language.functions import FUNCTIONS
from opspec.language.outcome import ABSENT, GUARD, NEITHER, NO_DATA, VIOLATED
from opspec.language.record import record
from opspec.language.types import FLOAT, INT
from opspec.language.values import Tensor


@record(frozen=True, slots=True)
class Undef:
    """An undefined value and its cause."""

    cause: int


class Env:
    """What a tree is evaluated against: arguments by param name, derived values, the call's product.

    Attributes:
        known: derived values computed so far.
        bound: variables of comprehensions.
    """

    __slots__ = ("args", "bound", "known", "lets", "member", "product")

    def __init__(
        self,
        args: Mapping[str, object],
        lets: Mapping[str, tree.Node] | None = None,
        product: str | None = None,
        member: str | None = None,
        known: dict[str, object] | None = None,
        bound: dict[str, object] | None = None,
    ) -> None:
        self.args = args
        self.lets = {} if lets is None else lets
        self.product = product
        self.member = member
        self.known = {} if known is None else known
        self.bound = {} if bound is None else bound


def evaluate(node: tree.Node, env: Env) -> object:
    """The value of an expression, or an :class:`Undef`. Lists come as tuples."""
    return _METHODS[type(node)](node, env)


def outcome(when: tree.Node | None, check: tree.Node, env: Env) -> int | None:
    """What a rule comes to: None holds or does not apply, 0 violated, a cause, or GUARD when the guard lacks data."""
    if when is not None:
        guard = evaluate(when, env)
        if isinstance(guard, Undef):
            return GUARD if guard.cause == NO_DATA else None
        if guard is False:
            return None
    result = evaluate(check, env)
    if isinstance(result, Undef):
        return result.cause
    return None if result is True else VIOLATED


def _worst(values: Iterable[object]) -> Undef | None:
    causes = [value.cause for value in values if isinstance(value, Undef)]
    return Undef(max(causes)) if causes else None


def _value(node: tree.Node, env: Env) -> object:
    """A value that is read: a null pointer is undefined."""
    value = _METHODS[type(node)](node, env)
    return Undef(ABSENT) if value is None else value


def _apply(function: Callable[..., object], *values: object) -> object:
    for value in values:
        if isinstance(value, Undef):
            return _worst(values)
    try:
        return function(*values)
    except runtime.Undefined as error:
        return Undef(error.cause)


def _three_valued(decisive: bool, values: Iterable[object]) -> object:
    """What decides, as soon as there is such a value, whatever the others are."""
    worst = 0
    for value in values:
        if value is decisive:
            return decisive
        if isinstance(value, Undef):
            worst = max(worst, value.cause)
    return Undef(worst) if worst else not decisive


# --- one function per kind of node


def _const(node: tree.Const, env: Env) -> object:
    return node.value


def _param(node: tree.Param, env: Env) -> object:
    return env.args[node.name]


def _let(node: tree.Let, env: Env) -> object:
    if node.name not in env.known:
        env.known[node.name] = evaluate(env.lets[node.name], env)
    return env.known[node.name]


def _var(node: tree.Var, env: Env) -> object:
    return env.bound[node.name]


def _product(node: tree.Product, env: Env) -> object:
    return env.member or env.product or Undef(NO_DATA)


def _undefined(node: tree.Undefined, env: Env) -> object:
    return Undef(NEITHER)


_READERS: dict[str, Callable[..., object]] = {
    "rank": lambda tensor: _known(tensor, "known_rank", len),
    "numel": lambda tensor: _known(tensor, "known_numel", runtime.numel),
    "strides": runtime.strides,
    "storage_shape": runtime.storage_shape,
    "storage_format": runtime.storage_format,
    "values": runtime.values,
    "value": runtime.value,
}


def _attr(node: tree.Attr, env: Env) -> object:
    base = _value(node.base, env)
    if isinstance(base, Undef):
        return base
    reader = _READERS.get(node.name)
    return getattr(base, node.name) if reader is None else _apply(reader, base)


def _known(tensor: Tensor, name: str, of_shape: Callable[[Sequence[int]], int]) -> int:
    """What follows from a shape; a tensor that is known only in part may know it without its shape."""
    known: int | None = getattr(tensor, name, None)
    return of_shape(tensor.shape) if known is None else known


def _index(node: tree.Index, env: Env) -> object:
    return _apply(_element, _value(node.base, env), _value(node.index, env))


def _element(items: Sequence[object], index: int) -> object:
    return items[index] if -len(items) <= index < len(items) else Undef(NEITHER)


def _slice(node: tree.Slice, env: Env) -> object:
    low, high = (_value(part, env) if part is not None else None for part in (node.low, node.high))
    return _apply(lambda items, start, stop: items[start:stop], _value(node.base, env), low, high)


def _unary(node: tree.Unary, env: Env) -> object:
    operations: dict[str, Callable[..., object]] = {
        "not": lambda a: not a,
        "~": lambda a: ~a,
        "-": lambda a: -a,
    }
    return _in_int64(node, _apply(operations[node.op], _value(node.operand, env)))


_ARITHMETIC: dict[str, Callable[..., object]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": runtime.divide,
    "//": lambda a, b: a // b if b else Undef(NEITHER),
    "%": lambda a, b: a % b if b else Undef(NEITHER),
    "<<": runtime.shift_left,
    ">>": runtime.shift_right,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}


def _binary(node: tree.Binary, env: Env) -> object:
    operation = _ARITHMETIC[node.op]
    left, right = _value(node.left, env), _value(node.right, env)
    if node.type == FLOAT:  # a scalar's value is a double in arithmetic, whatever its dtype
        return _apply(lambda a, b: operation(float(a), float(b)), left, right)
    return _in_int64(node, _apply(operation, left, right))


def _in_int64(node: tree.Unary | tree.Binary, result: object) -> object:
    outside = node.type == INT and isinstance(result, int) and not runtime.LOW <= result <= runtime.HIGH
    return Undef(NEITHER) if outside else result


_COMPARISONS: dict[str, Callable[..., object]] = {
    "==": lambda a, b: _equal(a, b),
    "!=": lambda a, b: not _equal(a, b),
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "in": lambda a, b: any(_equal(a, item) for item in b),
    "not in": lambda a, b: not any(_equal(a, item) for item in b),
}


def _equal(a: object, b: object) -> bool:
    """Equality element by element: unlike Python's lists, one that holds NaN does not equal itself."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(_equal(x, y) for x, y in zip(a, b, strict=True))
    return a == b


def _compare(node: tree.Compare, env: Env) -> object:
    on = tree.on_products(node)
    if on is not None:
        found = _three_valued(True, (_is_product(name, env) for name in on.named))
        return found if on.inside else _apply(lambda value: not value, found)
    values = [_value(operand, env) for operand in node.operands]
    if len(values) == 2:
        return _apply(_COMPARISONS[node.ops[0]], *values)
    pairs = zip(node.ops, values, values[1:], strict=False)
    return _three_valued(False, (_apply(_COMPARISONS[op], a, b) for op, a, b in pairs))


def _is_product(name: tree.Node, env: Env) -> object:
    if not isinstance(name, tree.Const):  # the product compared with itself
        return True
    return _apply(
        lambda product: runtime.is_product(product, env.member, str(name.value)), env.product or Undef(NO_DATA)
    )


def _is_none(node: tree.IsNone, env: Env) -> object:
    value = evaluate(node.operand, env)
    return value if isinstance(value, Undef) else (value is None) is not node.negated


def _logic(node: tree.Logic, env: Env) -> object:
    return _three_valued(node.op == "or", (_value(item, env) for item in node.items))


def _if(node: tree.If, env: Env) -> object:
    condition = _value(node.condition, env)
    if isinstance(condition, Undef):
        return condition
    return _value(node.then if condition else node.other, env)


@lru_cache(maxsize=4096)
def _written_out(node: tree.Seq) -> tuple[object, ...] | None:
    """The values of a list of constants; None of any other."""
    values = tuple(item.value for item in node.items if isinstance(item, tree.Const) and item.value is not None)
    return None if len(values) < len(node.items) or any(node.starred) else values


def _seq(node: tree.Seq, env: Env) -> object:
    if (written := _written_out(node)) is not None:
        return written
    parts = [_value(item, env) for item in node.items]
    spread = [part if star else (part,) for part, star in zip(parts, node.starred, strict=True)]
    return _worst(parts) or tuple(item for part in spread for item in part)  # type: ignore[attr-defined]


def _each(node: tree.Each, env: Env) -> object:
    source = _value(node.source, env)
    if isinstance(source, Undef):
        return source
    if node.quantifier != "list":
        decisive = node.quantifier == "any"
        return _three_valued(decisive, (_joined(node, inner, decisive) for _, _, inner in elements(node, env, source)))
    conditions, found = [], []
    for item in source:  # type: ignore[attr-defined]
        inner = with_bound(env, node.variables, item)
        condition = True if node.condition is None else _value(node.condition, inner)
        conditions.append(condition)
        if condition is not False:
            found.append(_value(node.element, inner))
    return _worst(conditions) or _worst(found) or tuple(found)


def _joined(node: tree.Each, env: Env, decisive: bool) -> object:
    """What a quantifier asks of one element: its condition and the statement, or that not the one without the other."""
    condition: object = True if node.condition is None else _value(node.condition, env)
    if condition is False:
        return not decisive
    element = _value(node.element, env)
    if condition is True:
        return element
    return _three_valued(not decisive, (condition, element))  # a condition that is undefined stays so when denied


MOST_APART = 64  #: elements that are all looked at, even if some are alike


def elements(node: tree.Binder, env: Env, source: object) -> Iterator[tuple[int, object, Env]]:
    """Place and value of the elements that a quantifier has to look at, each with its variables bound."""
    items: Sequence[object] = source  # type: ignore[assignment]
    names = told_apart_by(node) if len(items) > MOST_APART else None
    for place, item in enumerate(items) if names is None else runtime.differing_at(items, names):
        yield place, item, with_bound(env, node.variables, item)


def with_bound(env: Env, variables: tuple[str, ...], item: object) -> Env:
    """``env`` with a comprehension's variables bound to an element."""
    items = (item,) if len(variables) == 1 else item
    bound = {**env.bound, **dict(zip(variables, items, strict=True))}  # type: ignore[call-overload]
    return Env(env.args, env.lets, env.product, env.member, env.known, bound)


def _call(node: tree.Call, env: Env) -> object:
    return _apply(FUNCTIONS[node.function].python, *[_value(arg, env) for arg in node.args])


def _length(node: tree.Length, env: Env) -> object:
    return _apply(len, _value(node.operand, env))


def _range(node: tree.Range, env: Env) -> object:
    low = 0 if node.low is None else _value(node.low, env)
    return _apply(lambda a, b: tuple(runtime.bounded_range(a, b)), low, _value(node.high, env))


def _zip(node: tree.Zip, env: Env) -> object:
    return _apply(runtime.zipped, *(_value(item, env) for item in node.items))


def _given(node: tree.Given, env: Env) -> object:
    return _where_given(_value(node.operand, env))


def _where_given(value: object) -> object:
    return True if isinstance(value, Undef) and value.cause == ABSENT else value


def _implies(node: tree.Implies, env: Env) -> object:
    guard = _value(node.condition, env)
    check = _where_given(_value(node.then, env))
    if guard is True:
        return check
    if isinstance(guard, Undef) and guard.cause == NO_DATA:
        return check is True or Undef(NO_DATA)
    return True


def _table(node: tree.Table, env: Env) -> object:
    values = [column_value(column, env) for column in node.columns]
    return _worst(values) or runtime.in_table(node.rows, *values)


def column_value(column: tree.Node, env: Env) -> object:
    """A table column's value: None where its own param is absent."""
    root = tree.root(column)
    if isinstance(root, tree.Param) and env.args[root.name] is None:
        return None
    return _value(column, env)


_METHODS: dict[type, Callable[..., object]] = {
    tree.Const: _const, tree.Param: _param, tree.Let: _let, tree.Var: _var, tree.Undefined: _undefined,
    tree.Product: _product, tree.Attr: _attr, tree.Index: _index, tree.Slice: _slice, tree.Unary: _unary,
    tree.Binary: _binary, tree.Compare: _compare, tree.IsNone: _is_none, tree.Logic: _logic, tree.If: _if,
    tree.Seq: _seq, tree.Each: _each, tree.Length: _length, tree.Range: _range, tree.Zip: _zip, tree.Given: _given,
    tree.Implies: _implies, tree.Call: _call, tree.Table: _table,
}  # fmt: skip
