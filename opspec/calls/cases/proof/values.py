"""What expressions come to in a call of which only some is known; what is not understood may be anything."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from opspec.calls.cases.proof import outcomes
from opspec.calls.cases.proof.outcomes import ALL, BROKEN, FALSE, LACKING, NULL, TRUE, UNDEFINED
from opspec.calls.cases.proof.shared import ELEMENTS, FIRST, SOME, Shared
from opspec.calls.cases.proof.state import ANY, INFINITE, Domain, State, Sym, exactly
from opspec.language import runtime, tree
from opspec.language.functions import FUNCTIONS
from opspec.language.interpret import Env, evaluate
from opspec.language.types import BOOL, INT
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import ParamDef
from opspec.vocabulary import dtypes, formats

HIGHEST_RANK = 9  # stands for all that no tensor may have
MOST_WORLDS = 2000  # of a comparison, a table
FEW_WORLDS = 100  # of what can be taken apart
MOST_ITEMS = 16
MOST_DIM = 2**40  # no tensor is that large

_DTYPES = Domain(frozenset(dtypes.names()))
_FORMATS = Domain(frozenset(formats.names()))
_BOOLS = Domain(frozenset((True, False)))
_RANKS = Domain(frozenset(range(HIGHEST_RANK + 1)))
_DIMS = Domain(None, 0, MOST_DIM, whole=True)
_COUNTS = Domain(None, 0, INFINITE, whole=True)
_LENGTHS = Domain(None, 0, 2**31, whole=True)
_LOWEST, _HIGHEST = -(2**63), 2**64 - 1
_INTS = Domain(None, _LOWEST, _HIGHEST, whole=True)
_SIMPLE = (tree.Compare, tree.Call, tree.Table, tree.If)

Bound = Mapping[str, Any]
Value = tuple[Any, int]  # what it is where it is defined (NEVER: nowhere), and which causes it may be undefined for


class _Never:
    """Of an expression that is never defined."""


NEVER = _Never()


class Values:
    """Reads values of expressions in a state."""

    def __init__(self, shared: Shared, state: State) -> None:
        self.shared = shared
        self.state = state
        self.lets = shared.definition.lets

    # --- facets

    def facet(self, name: str, facet: str) -> Sym:
        """A facet of a param."""
        return self.state.new(Sym((name, facet)), self._first(self.shared.params[name], facet))

    def _first(self, param: ParamDef, facet: str) -> Domain:
        match facet:
            case "presence":
                return _BOOLS if param.nullable and param.pointer else exactly(True)
            case "dtype":
                return _DTYPES
            case "format":
                return _FORMATS
            case "rank":
                return _RANKS
            case "numel":
                return _COUNTS
            case "length":
                return _LENGTHS
            case "value":
                return _of_kind(param)
        return ANY

    def there(self, name: str) -> bool | None:
        """Whether a param is there; None where that is open."""
        one = self.state.domain(self.facet(name, "presence")).one
        return None if one is None else bool(one[0])

    def truth(self, node: tree.Node, bound: Bound) -> int:
        """What a condition may come to: with conditions, which are read on top of values."""
        raise NotImplementedError

    # --- values

    def value(self, node: tree.Node, bound: Bound) -> Value:
        """What an expression is."""
        read = _VALUES.get(type(node))
        if read is not None:
            found: Value = read(self, node, bound)
            return (self.state.known(found[0]), found[1])
        return self._condition(node, bound)

    def _condition(self, node: tree.Node, bound: Bound) -> Value:
        """What a condition is, as a value."""
        mask = self.truth(node, bound)
        value: Any = {TRUE: True, FALSE: False, 0: NEVER}.get(mask & (TRUE | FALSE), self._opaque(node, bound))
        return value, mask & UNDEFINED

    def _opaque(self, node: tree.Node, bound: Bound) -> Sym:
        """A value of which nothing is known but that the same expression has the same."""
        about = self.shared.about(node)
        inner = tuple((name, _key(bound[name])) for name in sorted(about.variables) if name in bound)
        return self.state.new(Sym(("node", about.number, inner)), _INTS if node.type == INT else ANY)

    def unknown(self, node: tree.Node, bound: Bound) -> Value:
        """Anything, defined or not."""
        return self._opaque(node, bound), self._causes(node)

    def _causes(self, node: tree.Node) -> int:
        """What an expression that is not understood may be undefined for."""
        about = self.shared.about(node)
        if about.variables:
            return UNDEFINED
        found = BROKEN
        for name, facet in about.facts:
            kind = self.shared.params[name].kind
            if facet in ("values", "layout") or kind in ("scalar", "scalar_list"):
                found |= LACKING
            if kind.endswith("_list") or not self.there(name):
                found |= NULL
        return found

    def _const(self, node: tree.Const, bound: Bound) -> Value:
        return node.value, 0

    def _param(self, node: tree.Param, bound: Bound) -> Value:
        param, there = self.shared.params[node.name], self.there(node.name)
        if there is False:
            return NEVER, NULL
        null = 0 if there else NULL
        if param.kind in ("tensor", "scalar", "tensor_list", "scalar_list"):
            return param, null
        if param.kind in ("int_array", "float_array", "bool_array"):
            return self._array(param), null
        return self.facet(node.name, "value"), null

    def _array(self, param: ParamDef) -> Any:
        length = self.state.known(self.facet(param.name, "length"))
        if not isinstance(length, int) or length > MOST_ITEMS:
            return Sym((param.name, "value"))
        element = {"int_array": _INTS, "bool_array": _BOOLS}.get(param.kind, ANY)
        return tuple(self.state.new(Sym((param.name, "element", i)), element) for i in range(length))

    def _let(self, node: tree.Let, bound: Bound) -> Value:
        return self.value(self.lets[node.name], {})

    def _var(self, node: tree.Var, bound: Bound) -> Value:
        return bound[node.name], 0

    def _product(self, node: tree.Product, bound: Bound) -> Value:
        return self.shared.product[1] or self.shared.product[0], 0

    def _undefined(self, node: tree.Undefined, bound: Bound) -> Value:
        return NEVER, BROKEN

    def _attr(self, node: tree.Attr, bound: Bound) -> Value:
        base, mask = self.value(node.base, bound)
        if base is NEVER:
            return NEVER, mask
        if not isinstance(base, ParamDef) or node.name in ("strides", "storage_shape", "storage_format", "offset"):
            return self.unknown(node, bound)
        match node.name:
            case "values":
                return self.unknown(node, bound)
            case "value":
                return self.state.new(Sym((base.name, "scalar")), ANY), mask | LACKING
            case "shape":
                return self.shape(base.name), mask
            case "numel":
                dims = self.shape(base.name)
                return (
                    (self._product_of(dims), mask)
                    if isinstance(dims, tuple)
                    else (self.facet(base.name, "numel"), mask)
                )
        return self.facet(base.name, node.name), mask

    def shape(self, name: str) -> Any:
        """The dims of a tensor, where their number is known."""
        rank = self.state.known(self.facet(name, "rank"))
        if not isinstance(rank, int):
            return Sym((name, "shape"))
        return tuple(self.state.known(self.state.new(Sym((name, "dim", i)), _DIMS)) for i in range(rank))

    def _product_of(self, dims: tuple[Any, ...]) -> Any:
        found: Any = 1
        for dim in dims:
            found = self._arithmetic("*", found, dim)
        return found

    def _index(self, node: tree.Index, bound: Bound) -> Value:
        (base, one), (index, other) = self.value(node.base, bound), self.value(node.index, bound)
        if base is NEVER or index is NEVER:
            return NEVER, one | other
        if isinstance(base, ParamDef) and index == 0:
            empty = self._may_be(self.facet(base.name, "length"), 0)
            return self.element(base, FIRST, one | other | (BROKEN if empty else 0))
        if isinstance(base, tuple) and isinstance(index, int):
            return (base[index], one | other) if -len(base) <= index < len(base) else (NEVER, one | other | BROKEN)
        return self.unknown(node, bound)

    def element(self, param: ParamDef, which: str, mask: int) -> Value:
        """An element of a list."""
        name = f"{param.name}{which}"
        there = self.there(name)
        return (NEVER, mask | NULL) if there is False else (self.shared.params[name], mask if there else mask | NULL)

    def resolved(self, node: tree.Node) -> tree.Node:
        """What a derived value is."""
        while isinstance(node, tree.Let):
            node = self.lets[node.name]
        return node

    def some(self, source: tree.Node, variables: tuple[str, ...], which: str = SOME) -> dict[str, Any] | None:
        """The variables at an element that stands for any, of lists of tensors side by side."""
        params = self._lists(source)
        if params is None or len(params) != len(variables):
            return None
        elements = [self.element(param, which, 0) for param in params]
        if any(value is NEVER or mask for value, mask in elements):
            return None
        return dict(zip(variables, (value for value, _ in elements), strict=True))

    def _lists(self, source: tree.Node) -> list[ParamDef] | None:
        source = self.resolved(source)
        items = source.items if isinstance(source, tree.Zip) else (source,)
        params = [self.shared.params[item.name] for item in items if isinstance(item, tree.Param)]
        if len(params) != len(items) or any(param.kind not in ELEMENTS for param in params):
            return None
        return params if all(self.there(param.name) for param in params) else None

    def fill(self, source: tree.Node) -> None:
        """Lists side by side have an element, and equal lengths."""
        lengths = [self.facet(param.name, "length") for param in self._lists(source) or ()]
        for length in lengths:
            self.state.meet(length, Domain(None, low=1))
            self.state.same(length, lengths[0])
            self.state.picked = length

    def _side_by_side(self, source: tree.Node) -> None:
        """Lists have equal lengths, whether or not that would be the first thing to be told."""
        lengths = [self.facet(param.name, "length") for param in self._lists(source) or ()]
        for length in lengths[1:]:
            self.state.same(length, lengths[0])

    def _alike(self, source: tree.Node) -> bool | None:
        """Whether lists side by side have the same number of elements, at least one; None where that is open."""
        lengths = [self.facet(param.name, "length") for param in self._lists(source) or ()]
        if not lengths or any(self._may_be(length, 0) for length in lengths):
            return None
        return True if all(self._equal(lengths[0], length) == TRUE for length in lengths) else None

    def _slice(self, node: tree.Slice, bound: Bound) -> Value:
        parts = [self.value(part, bound) if part is not None else (None, 0) for part in (node.low, node.high)]
        base, mask = self.value(node.base, bound)
        mask |= parts[0][1] | parts[1][1]
        if NEVER in (base, parts[0][0], parts[1][0]):
            return NEVER, mask
        if isinstance(base, tuple) and all(part is None or isinstance(part, int) for part, _ in parts):
            return base[parts[0][0] : parts[1][0]], mask
        return self.unknown(node, bound)

    def _unary(self, node: tree.Unary, bound: Bound) -> Value:
        if node.op == "not":
            return self._condition(node, bound)
        operand, mask = self.value(node.operand, bound)
        if operand is NEVER:
            return NEVER, mask
        if node.op == "-" and isinstance(operand, (int, float)):
            return -operand, mask
        return self.unknown(node, bound)

    def _binary(self, node: tree.Binary, bound: Bound) -> Value:
        (left, one), (right, other) = self.value(node.left, bound), self.value(node.right, bound)
        mask = one | other
        if left is NEVER or right is NEVER:
            return NEVER, mask
        if isinstance(left, tuple) and isinstance(right, tuple) and node.op == "+":
            return left + right, mask
        if node.type != INT or not (is_number(left) and is_number(right)):
            return self.unknown(node, bound)
        if node.op in ("//", "%") and self._may_be(right, 0):
            mask |= BROKEN
            if right == 0:
                return NEVER, mask
        found = self._arithmetic(node.op, left, right)
        low, high = self._bounds(found)
        inside = low >= runtime.LOW and high <= runtime.HIGH
        return found, mask if inside else mask | BROKEN

    def _arithmetic(self, op: str, left: Any, right: Any) -> Any:
        """A result, as far as bounds tell."""
        left, right = self.state.known(left), self.state.known(right)
        if not isinstance(left, Sym) and not isinstance(right, Sym) and op in _EXACT:
            return _EXACT[op](left, right)
        if (op, right) in (("*", 1), ("+", 0), ("-", 0), ("//", 1)):
            return left
        if (op, left) in (("*", 1), ("+", 0)):
            return right
        if op in ("+", "*"):
            left, right = sorted((left, right), key=repr)
        low, high = _interval(op, self._bounds(left), self._bounds(right))
        found = self.state.new(Sym((op, left, right)), Domain(None, low, high, whole=True))
        self.state.meet(found, Domain(None, low, high, whole=True))
        return self.state.known(found)

    def _bounds(self, value: Any) -> tuple[float, float]:
        return self.state.domain(value).bounds() if isinstance(value, Sym) else (value, value)

    def _may_be(self, value: Any, other: object) -> bool:
        if not isinstance(value, Sym):
            return bool(value == other)
        return not self.state.domain(value).meet(exactly(other)).empty

    def _length(self, node: tree.Length, bound: Bound) -> Value:
        operand, mask = self.value(node.operand, bound)
        if operand is NEVER:
            return NEVER, mask
        return self.length(operand, node, bound), mask

    def length(self, operand: Any, node: tree.Node, bound: Bound) -> Any:
        """The number of elements of a list."""
        if isinstance(operand, (tuple, str)):
            return len(operand)
        if isinstance(operand, ParamDef):
            return self.facet(operand.name, "length")
        if isinstance(operand, Sym) and operand.key[-1] == "shape" and operand.key[0] in self.shared.params:
            return self.facet(str(operand.key[0]), "rank")
        if isinstance(operand, Sym) and operand.key[-1] == "value" and operand.key[0] in self.shared.params:
            return self.facet(str(operand.key[0]), "length")
        return self._opaque(node, bound)

    def _seq(self, node: tree.Seq, bound: Bound) -> Value:
        items: list[Any] = []
        mask = 0
        never = False
        for item, starred in zip(node.items, node.starred, strict=True):
            value, undefined = self.value(item, bound)
            mask |= undefined
            if value is NEVER:
                never = True
            elif starred and not isinstance(value, tuple):
                return self.unknown(node, bound)
            else:
                items += value if starred else [value]
        return (NEVER, mask) if never else (tuple(items), mask)

    def _if(self, node: tree.If, bound: Bound) -> Value:
        condition = self.truth(node.condition, bound)
        mask = condition & UNDEFINED
        found = []
        for bit, part in ((TRUE, node.then), (FALSE, node.other)):
            if condition & bit:
                value, undefined = self.value(part, bound)
                mask |= undefined
                if value is not NEVER:
                    found.append(value)
        if not found:
            return NEVER, mask
        if all(value == found[0] for value in found):
            return found[0], mask
        return self._opaque(node, bound), mask

    def _each(self, node: tree.Each, bound: Bound) -> Value:
        """A list by rule, where all conditions are decided."""
        if node.quantifier != "list":
            return self._condition(node, bound)
        inner = self._elements(node, bound)
        if inner is None:
            return self.unknown(node, bound)
        items, mask = [], 0
        for around in inner:
            condition = TRUE if node.condition is None else self.truth(node.condition, around)
            if condition not in (TRUE, FALSE):
                return self.unknown(node, bound)
            if condition == TRUE:
                value, undefined = self.value(node.element, around)
                if value is NEVER:
                    return self.unknown(node, bound)
                mask |= undefined
                items.append(value)
        return tuple(items), mask

    def _elements(self, node: tree.Each, bound: Bound) -> list[Bound] | None:
        """What the variables are for each element; None where that is not known."""
        source, mask = self.value(node.source, bound)
        if not isinstance(source, tuple) or mask or len(source) > MOST_ITEMS:
            return None
        if len(node.variables) == 1:
            return [{**bound, node.variables[0]: item} for item in source]
        return [{**bound, **dict(zip(node.variables, item, strict=True))} for item in source]

    def _range(self, node: tree.Range, bound: Bound) -> Value:
        low, one = (0, 0) if node.low is None else self.value(node.low, bound)
        high, other = self.value(node.high, bound)
        if isinstance(low, int) and isinstance(high, int) and high - low <= MOST_ITEMS:
            return tuple(range(low, high)), one | other
        return self.unknown(node, bound)

    def _zip(self, node: tree.Zip, bound: Bound) -> Value:
        items = [self.value(item, bound) for item in node.items]
        mask = 0
        for _, undefined in items:
            mask |= undefined
        if any(value is NEVER for value, _ in items):
            return NEVER, mask
        if not all(isinstance(value, tuple) for value, _ in items):
            return self.unknown(node, bound)
        if len({len(value) for value, _ in items}) > 1:
            return NEVER, mask | BROKEN
        return tuple(zip(*(value for value, _ in items), strict=True)), mask

    def _call(self, node: tree.Call, bound: Bound) -> Value:
        args = [self.value(arg, bound) for arg in node.args]
        mask = 0
        for _, undefined in args:
            mask |= undefined
        function = FUNCTIONS[node.function]
        if any(value is NEVER for value, _ in args):
            return NEVER, mask
        if function.facet:
            return self._of_layout(node, bound, args[0][0], mask)
        if all(_concrete(value) for value, _ in args):
            try:
                return function.python(*(value for value, _ in args)), mask
            except runtime.Undefined as error:
                return NEVER, mask | outcomes.OF_CAUSE[error.cause]
        values = tuple(_key(value) for value, _ in args)
        if function.of_equals and len(values) > 1 and len(set(values)) == 1 and not function.partial:
            return (True if node.type == BOOL else args[0][0]), mask
        if function.symmetrical:
            values = tuple(sorted(values, key=repr))
        found = self.state.new(Sym(("call", node.function, *values)), _INTS if node.type == INT else ANY)
        return found, mask | (BROKEN if function.partial else 0)

    def _of_layout(self, node: tree.Call, bound: Bound, tensor: Any, mask: int) -> Value:
        """What a function of strides says: of a tensor of one element all strides are alike."""
        shape = self.shape(tensor.name) if isinstance(tensor, ParamDef) and tensor.kind == "tensor" else None
        if isinstance(shape, tuple) and all(dim == 1 for dim in shape):
            ways = (None, *((stride,) * len(shape) for stride in (0, 1, 2, 7)))
            python = FUNCTIONS[node.function].python
            said = {python(Tensor(shape, "FLOAT", strides=strides)) for strides in ways}
            if len(said) == 1:
                return said.pop(), mask
        return self.unknown(node, bound)

    # --- beside each other

    def _numbers(self, value: Any) -> tuple[float, float]:
        return self._bounds(value) if isinstance(value, (int, float, Sym)) else (-INFINITE, INFINITE)

    def _equal(self, left: Any, right: Any) -> int:
        if isinstance(left, tuple) and isinstance(right, tuple):
            if len(left) != len(right):
                return FALSE
            return outcomes.every(self._equal(a, b) for a, b in zip(left, right, strict=True))
        left, right = self.state.known(left), self.state.known(right)
        if isinstance(left, Sym) and isinstance(right, Sym):
            if left == right:
                return TRUE
            apart = frozenset((left, right)) in self.state.apart or self._longer(left, right)
            meets = self.state.domain(left).meet(self.state.domain(right))
            return FALSE if apart or meets.empty else TRUE | FALSE
        if isinstance(left, Sym) or isinstance(right, Sym):
            sym, value = (left, right) if isinstance(left, Sym) else (right, left)
            if isinstance(value, tuple):
                length = self._length_of(sym)
                return FALSE if length is not None and not self._may_be(length, len(value)) else TRUE | FALSE
            return TRUE | FALSE if self._may_be(sym, value) else FALSE
        return outcomes.of(bool(left == right))

    def _longer(self, left: Sym, right: Sym) -> bool:
        """Whether two lists differ in length."""
        one, other = self._length_of(left), self._length_of(right)
        if one is None or other is None:
            return False
        return self.state.domain(one).meet(self.state.domain(other)).empty

    def _length_of(self, value: Any) -> Sym | None:
        """The number of elements of a list whose elements are not known."""
        if not isinstance(value, Sym) or value.key[0] not in self.shared.params or len(value.key) != 2:
            return None
        kind = self.shared.params[str(value.key[0])].kind
        if value.key[1] == "shape":
            return self.facet(str(value.key[0]), "rank")
        return self.facet(str(value.key[0]), "length") if value.key[1] == "value" and kind.endswith("_array") else None

    # --- by trying all that it reads

    def _tried(self, node: tree.Node, bound: Bound, mask: int) -> int | None:
        """What a condition comes to in all calls that differ in what it reads; None where these are too many.

        Of what it reads only that stays with which it comes to something wanted.
        """
        about = self.shared.about(node)
        if not about.plain or any(self.there(name) is None for name in about.hidden):
            return None
        read = about.facts
        syms = [self.state.find(self.facet(*item)) for item in read]
        reps = list(dict.fromkeys(syms))
        domains = [self.state.domain(sym).values for sym in reps]
        sizes = [len(domain) if domain is not None else MOST_WORLDS + 1 for domain in domains]
        if not reps or math.prod(sizes) > (MOST_WORLDS if type(node) in _SIMPLE else FEW_WORLDS):
            return None
        there = tuple(self.there(name) for name in dict(read))
        key = (about.number, there, tuple(map(reps.index, syms)), tuple(domains))
        if key not in self.shared.worlds:
            self.shared.worlds[key] = self._worlds(node, read, [reps.index(sym) for sym in syms], domains)
        found: dict[int, list[set[object]]] = self.shared.worlds[key]
        if mask != ALL:
            for at, sym in enumerate(reps):
                kept = [ways[at] for bit, ways in found.items() if bit & mask]
                self.state.meet(sym, Domain(frozenset().union(*kept)))
        return sum(found)

    def _worlds(
        self, node: tree.Node, read: Sequence[tuple[str, str]], places: list[int], domains: list[Any]
    ) -> dict[int, list[set[object]]]:
        found: dict[int, list[set[object]]] = {}
        for values in itertools.product(*domains):
            args = self._args(dict(zip(read, (values[at] for at in places), strict=True)))
            bit = outcomes.of(evaluate(node, Env(args, self.lets, *self.shared.product)))
            kept = found.setdefault(bit, [set() for _ in domains])
            for at, value in enumerate(values):
                kept[at].add(value)
        return found

    def _args(self, facets: dict[tuple[str, str], Any]) -> dict[str, Any]:
        """A call in which params have these facets."""
        args: dict[str, Any] = {}
        for name in {name for name, _ in facets}:
            kind = self.shared.params[name].kind
            known = {facet: value for (other, facet), value in facets.items() if other == name}
            there = known.get("presence", self.there(name) is not False)
            if not there:
                args[name] = None
            elif kind == "tensor":
                args[name] = Tensor((1,) * known.get("rank", 1), known.get("dtype", "FLOAT"), known.get("format", "ND"))
            elif kind == "scalar":
                args[name] = Scalar(known.get("dtype", "FLOAT"), None)
            else:
                args[name] = known.get("value", ())
        return args


def _of_kind(param: ParamDef) -> Domain:
    match param.kind:
        case "bool":
            return _BOOLS
        case "dtype":
            return _DTYPES
        case "int":
            low = _LOWEST if param.low is None else param.low
            return Domain(None, low, _HIGHEST if param.high is None else param.high, whole=True)
    return ANY


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Sym)) and not isinstance(value, bool)


def _concrete(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_concrete, value))
    return not isinstance(value, (Sym, ParamDef)) and value is not NEVER


def _key(value: Any) -> Any:
    return ("param", value.name) if isinstance(value, ParamDef) else value


_EXACT: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
}  # fmt: skip


def _interval(op: str, left: tuple[float, float], right: tuple[float, float]) -> tuple[float, float]:
    """Bounds of a result."""
    (a, b), (c, d) = left, right
    if op == "+":
        return a + c, b + d
    if op == "-":
        return (-INFINITE if a == -INFINITE else a - d), (INFINITE if b == INFINITE else b - c)
    if op == "*":
        ends = [0 if 0 in (x, y) else x * y for x in (a, b) for y in (c, d)]
        return min(ends), max(ends)
    if op == "//" and c > 0 and a >= 0:
        return (0 if d == INFINITE else a // d), (b if b == INFINITE else b // c)
    if op == "%" and c > 0:
        return 0, d - 1
    return -INFINITE, INFINITE


_VALUES: dict[type, Callable[..., Value]] = {
    tree.Const: Values._const, tree.Param: Values._param, tree.Let: Values._let, tree.Var: Values._var,
    tree.Product: Values._product, tree.Undefined: Values._undefined, tree.Attr: Values._attr,
    tree.Index: Values._index, tree.Slice: Values._slice, tree.Unary: Values._unary,
    tree.Binary: Values._binary, tree.Length: Values._length,
    tree.Seq: Values._seq, tree.If: Values._if, tree.Range: Values._range, tree.Zip: Values._zip,
    tree.Call: Values._call, tree.Each: Values._each,
}  # fmt: skip
