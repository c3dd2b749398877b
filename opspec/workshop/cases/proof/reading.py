"""What expressions come to in a call of which only some is known, and what follows where they come to something.

``value`` and ``truth`` read an expression, ``want`` tells the state what must be for a condition to come to one of some
outcomes. What the reader does not understand may be anything.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from opspec.language import runtime, tree
from opspec.language.functions import FUNCTIONS
from opspec.language.interpret import Env, evaluate
from opspec.language.types import BOOL, INT, PRODUCT
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import Definition, ParamDef
from opspec.vocabulary import dtypes, formats
from opspec.workshop.cases.proof import outcomes
from opspec.workshop.cases.proof.outcomes import ALL, BROKEN, FALSE, LACKING, NULL, TRUE, UNDEFINED
from opspec.workshop.cases.proof.state import ANY, INFINITE, Conflict, Domain, State, Sym, exactly

HIGHEST_RANK = 9  # stands for all that no tensor may have
MOST_WORLDS = 2000  # of a comparison, a table
FEW_WORLDS = 100  # of what can be taken apart
MOST_ITEMS = 16
MOST_DIM = 2**40  # no tensor is that large
FINITE = ("presence", "dtype", "format", "rank")

_DTYPES = Domain(frozenset(dtypes.names()))
_FORMATS = Domain(frozenset(formats.names()))
_BOOLS = Domain(frozenset((True, False)))
_RANKS = Domain(frozenset(range(HIGHEST_RANK + 1)))
_DIMS = Domain(None, 0, MOST_DIM, whole=True)
_COUNTS = Domain(None, 0, INFINITE, whole=True)
_LENGTHS = Domain(None, 0, 2**31, whole=True)
_LOWEST, _HIGHEST = -(2**63), 2**64 - 1
_INTS = Domain(None, _LOWEST, _HIGHEST, whole=True)
_ELEMENTS = {"tensor_list": "tensor", "scalar_list": "scalar"}
FIRST, SOME = "[0]", "[*]"  # elements of a list that are followed: the first, and one that stands for any
_SIMPLE = (tree.Compare, tree.Call, tree.Table, tree.If)
_EXACTLY = ("==", "!=", "in", "not in")
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in"}

Bound = Mapping[str, Any]
Value = tuple[Any, int]  # what it is where it is defined (NEVER: nowhere), and which causes it may be undefined for


class _Never:
    """Of an expression that is never defined."""


NEVER = _Never()


class Shared:
    """What all readers of an operator on a product have in common."""

    def __init__(self, definition: Definition, product: tuple[str, str | None]) -> None:
        self.definition = definition
        self.product = product
        self.params = {param.name: param for param in definition.params}
        for param in definition.params:
            if param.kind in _ELEMENTS:
                elements = definition.rule(f"{param.name}.elements") is None
                for which in (FIRST, SOME):
                    name = f"{param.name}{which}"
                    self.params[name] = replace(param, name=name, kind=_ELEMENTS[param.kind], nullable=elements)
        self.worlds: dict[Any, Any] = {}
        self._seen: dict[int, About] = {}
        self._numbers: dict[tree.Node, int] = {}

    def about(self, node: tree.Node) -> About:
        """What is known of an expression."""
        found = self._seen.get(id(node))
        if found is None:
            facts = sorted(item for item in self.definition.facts(node) if item[0])
            parts = list(tree.walk(node))
            variables = frozenset(part.name for part in parts if isinstance(part, tree.Var))
            number = self._numbers.setdefault(node, len(self._numbers))
            plain = node.type == BOOL and not variables and self._few(node, facts)
            hidden = tuple({name for name, _ in facts if (name, "presence") not in facts})
            found = self._seen[id(node)] = About(node, number, facts, variables, plain, hidden)
        return found

    def _few(self, node: tree.Node, facts: list[tuple[str, str]]) -> bool:
        """Whether an expression reads nothing but facets of few values."""
        for name, facet in facts:
            kind = self.params[name].kind
            if kind in ("tensor", "scalar"):
                if facet not in FINITE:
                    return False
            elif facet != "presence" and not (facet == "value" and kind in ("bool", "dtype", "string", "int")):
                return False
        parts = tree.expanded(node, self.definition.lets)
        return not any(isinstance(part, (tree.Each, tree.Range)) or _stored(part) for part in parts)


@dataclass(frozen=True, slots=True)
class About:
    """An expression.

    Args:
        node: kept, so that no other one gets its address.
        number: the same for all that are alike.
        facts: what it reads, but for the product.
        variables: those that it does not bind itself.
        plain: it may be tried.
        hidden: the params whose presence it does not ask for.
    """

    node: tree.Node
    number: int
    facts: list[tuple[str, str]]
    variables: frozenset[str]
    plain: bool
    hidden: tuple[str, ...]


class Reader:
    """Reads expressions in a state, and tells it what follows."""

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
        if len(params) != len(items) or any(param.kind not in _ELEMENTS for param in params):
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
        if node.type != INT or not (_is_number(left) and _is_number(right)):
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

    # --- conditions

    def truth(self, node: tree.Node, bound: Bound) -> int:
        """What a condition may come to."""
        tried = self._tried(node, bound, ALL)
        if tried is not None:
            return tried
        read = _TRUTHS.get(type(node))
        if read is not None:
            found: int = read(self, node, bound)
            return found
        value, mask = self.value(node, bound)
        if value is NEVER:
            return mask
        return mask | (outcomes.of(value) if isinstance(value, bool) else TRUE | FALSE)

    def _true_let(self, node: tree.Let, bound: Bound) -> int:
        return self.truth(self.lets[node.name], {})

    def _true_logic(self, node: tree.Logic, bound: Bound) -> int:
        masks = [self.truth(item, bound) for item in node.items]
        if node.op == "and":
            return outcomes.every(masks)
        return outcomes.denied(outcomes.every(map(outcomes.denied, masks)))

    def _true_not(self, node: tree.Unary, bound: Bound) -> int:
        return outcomes.denied(self.truth(node.operand, bound))

    def _true_none(self, node: tree.IsNone, bound: Bound) -> int:
        if not isinstance(node.operand, tree.Param):
            return TRUE | FALSE | UNDEFINED
        there = self.there(node.operand.name)
        return TRUE | FALSE if there is None else outcomes.of(there is node.negated)

    def _true_if(self, node: tree.If, bound: Bound) -> int:
        condition = self.truth(node.condition, bound)
        found = condition & UNDEFINED
        found |= self.truth(node.then, bound) if condition & TRUE else 0
        return found | (self.truth(node.other, bound) if condition & FALSE else 0)

    def _true_given(self, node: tree.Given, bound: Bound) -> int:
        return outcomes.given(self.truth(node.operand, bound))

    def _true_implies(self, node: tree.Implies, bound: Bound) -> int:
        condition = self.truth(node.condition, bound)
        return TRUE if not condition & (TRUE | LACKING) else outcomes.implied(condition, self.truth(node.then, bound))

    def _true_each(self, node: tree.Each, bound: Bound) -> int:
        inner = self._elements(node, bound)
        joined = tree.conditioned(node)
        if inner is None:
            masks = [self.truth(joined, {**bound, **one}) for one in self._samples(node)]
            decisive = FALSE if node.quantifier == "all" else TRUE
            return decisive if decisive in masks else ALL
        masks = [self.truth(joined, around) for around in inner]
        if node.quantifier == "all":
            return outcomes.every(masks)
        return outcomes.denied(outcomes.every(map(outcomes.denied, masks)))

    def _samples(self, node: tree.Each) -> list[dict[str, Any]]:
        """Some elements of a list that has more."""
        if node.quantifier == "list" or not self._alike(node.source):
            return []
        lists = self._lists(node.source) or ()
        picked = None if self.state.picked is None else self.state.known(self.state.picked)
        same = all(self.state.known(self.facet(param.name, "length")) == picked for param in lists)
        found = (self.some(node.source, node.variables, which) for which in ((FIRST, SOME) if same else (FIRST,)))
        return [one for one in found if one is not None]

    def _true_compare(self, node: tree.Compare, bound: Bound) -> int:
        if any(operand.type == PRODUCT for operand in node.operands):
            return outcomes.of(evaluate(node, Env({}, self.lets, *self.shared.product)))
        values = [self.value(operand, bound) for operand in node.operands]
        return outcomes.every(
            self._compared(op, a, b) for op, a, b in zip(node.ops, values, values[1:], strict=False)
        )  # fmt: skip

    def _compared(self, op: str, left: Value, right: Value) -> int:
        mask = left[1] | right[1]
        if left[0] is NEVER or right[0] is NEVER:
            return mask
        return mask | self.relation(op, left[0], right[0])

    def relation(self, op: str, left: Any, right: Any) -> int:
        """What a comparison of two defined values may come to."""
        if op in ("!=", "not in"):
            return outcomes.denied(self.relation(_OPPOSITE[op], left, right))
        if op == "==":
            return self._equal(left, right)
        if op == "in":
            if not isinstance(right, tuple):
                return TRUE | FALSE
            return outcomes.denied(outcomes.every(outcomes.denied(self._equal(left, item)) for item in right))
        (low, high), (least, greatest) = self._numbers(left), self._numbers(right)
        if op in (">", ">="):
            low, high, least, greatest = least, greatest, low, high
        if isinstance(left, Sym) and left == right:
            return outcomes.of(op in ("<=", ">=")) if self.state.domain(left).whole else TRUE | FALSE
        always = high < least or (high == least and op in ("<=", ">="))
        never = low > greatest or (low == greatest and op in ("<", ">"))
        return TRUE if always else FALSE if never else TRUE | FALSE

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

    def _true_table(self, node: tree.Table, bound: Bound) -> int:
        values, mask = [], 0
        for column in node.columns:
            value, undefined = self._column(column, bound)
            mask |= undefined
            values.append(value)
        if NEVER in values:
            return mask
        fitting = [row for row in node.rows if self._fits(row, values)]
        if not fitting:
            return mask | FALSE
        sure = any(all(cell is None or _within(cell, value) for cell, value in zip(row, values, strict=True))
                   for row in fitting)  # fmt: skip
        return mask | TRUE if sure else mask | TRUE | FALSE

    def _column(self, column: tree.Node, bound: Bound) -> Value:
        root = tree.root(column)
        if isinstance(root, tree.Param):
            there = self.there(root.name)
            if there is False:
                return None, 0
            if there is None:
                return self._opaque(column, bound), UNDEFINED & ~NULL
        return self.value(column, bound)

    def _fits(self, row: tuple[frozenset[object] | None, ...], values: list[Any]) -> bool:
        return all(
            cell is None
            or isinstance(value, tuple)
            or (value in cell if not isinstance(value, Sym) else self._may(value, cell))
            for cell, value in zip(row, values, strict=True)
        )

    def _may(self, sym: Sym, cell: frozenset[object]) -> bool:
        return not self.state.domain(sym).meet(Domain(cell)).empty

    # --- what follows

    def want(self, node: tree.Node, mask: int, bound: Bound) -> None:
        """The condition comes to one of these.

        Raises:
            Conflict: it cannot.
        """
        now = self.truth(node, bound)
        if not now & mask:
            raise Conflict
        if now & ~mask == 0:
            return
        self._tried(node, bound, mask)
        follow = _FOLLOWING.get(type(node))
        if follow is not None:
            follow(self, node, now & mask, bound)
        elif node.type == BOOL and now & mask in (TRUE, FALSE):
            value, _ = self.value(node, bound)
            if isinstance(value, Sym):
                self.state.meet(value, exactly(now & mask == TRUE))

    def _want_let(self, node: tree.Let, mask: int, bound: Bound) -> None:
        self.want(self.lets[node.name], mask, {})

    def _want_not(self, node: tree.Unary, mask: int, bound: Bound) -> None:
        if node.op == "not":
            self.want(node.operand, outcomes.denied(mask), bound)

    def _want_logic(self, node: tree.Logic, mask: int, bound: Bound) -> None:
        self._want_all([(item, bound) for item in node.items], node.op == "or", mask)

    def _want_all(self, items: list[tuple[tree.Node, Bound]], negated: bool, mask: int) -> None:
        """Conditions joined by ``and``; by ``or`` that is the same of what they deny."""
        if negated:
            mask = outcomes.denied(mask)
        if not mask & FALSE:  # then none of them is false
            allowed = TRUE | mask & UNDEFINED
            for bit in (BROKEN, LACKING):
                allowed |= bit if mask & UNDEFINED & ~(bit - 1) else 0
            for item, around in items:
                self.want(item, outcomes.denied(allowed) if negated else allowed, around)
        elif not mask & TRUE:
            masks = [self.truth(item, around) for item, around in items]
            masks = [outcomes.denied(one) for one in masks] if negated else masks
            still = [item for item, one in zip(items, masks, strict=True) if one != TRUE]
            if len(still) == 1:
                self.want(still[0][0], outcomes.denied(mask) if negated else mask, still[0][1])

    def _want_none(self, node: tree.IsNone, mask: int, bound: Bound) -> None:
        if isinstance(node.operand, tree.Param) and mask in (TRUE, FALSE):
            self.state.meet(self.facet(node.operand.name, "presence"), exactly((mask == TRUE) is node.negated))

    def _want_if(self, node: tree.If, mask: int, bound: Bound) -> None:
        condition = self.truth(node.condition, bound)
        if condition & UNDEFINED & mask:
            return
        for bit, part, other in ((TRUE, node.then, FALSE), (FALSE, node.other, TRUE)):
            if condition == bit:
                self.want(part, mask, bound)
            elif condition & bit and not self.truth(part, bound) & mask:
                self.want(node.condition, other, bound)
                return

    def _want_given(self, node: tree.Given, mask: int, bound: Bound) -> None:
        self.want(node.operand, mask | (NULL if mask & TRUE else 0), bound)

    def _want_implies(self, node: tree.Implies, mask: int, bound: Bound) -> None:
        if not mask & TRUE:
            self.want(node.condition, TRUE | LACKING, bound)
        then = mask | (NULL if mask & TRUE else 0)
        if self.truth(node.condition, bound) == TRUE:
            self.want(node.then, then, bound)
        elif not mask & LACKING and not self.truth(node.then, bound) & then:
            self.want(node.condition, ALL & ~TRUE, bound)

    def _want_each(self, node: tree.Each, mask: int, bound: Bound) -> None:
        inner = self._elements(node, bound)
        joined = tree.conditioned(node)
        if inner is None:
            if not mask & FALSE and not bound:
                self._side_by_side(node.source)
            if not mask & TRUE and not bound:
                self._pick(node, mask)
            if node.quantifier == "all" and not mask & FALSE:
                for one in self._samples(node):
                    self.want(joined, mask | UNDEFINED if mask & (LACKING | BROKEN) else mask, {**bound, **one})
        else:
            self._want_all([(joined, around) for around in inner], node.quantifier == "any", mask)

    def _pick(self, node: tree.Each, mask: int) -> None:
        """Where not all elements of a list are like something, one is not."""
        lengths = [self.facet(param.name, "length") for param in self._lists(node.source) or ()]
        alike = all(self._equal(lengths[0], length) == TRUE for length in lengths)
        one = self.some(node.source, node.variables)
        number = self.shared.about(node).number
        if node.quantifier == "all" and self.state.picker in (None, number) and alike and one is not None:
            self.fill(node.source)
            self.state.picker = number
            self.want(tree.conditioned(node), mask | LACKING | NULL, one)

    def _want_compare(self, node: tree.Compare, mask: int, bound: Bound) -> None:
        if mask not in (TRUE, FALSE):
            return
        values = [self.value(operand, bound)[0] for operand in node.operands]
        pairs = list(zip(node.ops, values, values[1:], strict=False))
        if mask == FALSE:
            if NEVER in values or not all(op in _EXACTLY or self._ordered(a, b) for op, a, b in pairs):
                return
            pairs = [(op, a, b) for op, a, b in pairs if self.relation(op, a, b) != TRUE]
            if len(pairs) != 1:
                return
        for op, a, b in pairs:
            if a is not NEVER and b is not NEVER:
                self.hold(op if mask == TRUE else _OPPOSITE[op], a, b)

    def _ordered(self, *values: Any) -> bool:
        """Whether what is not less is equal or greater: all but NaN."""
        return all(
            isinstance(value, int) or (isinstance(value, Sym) and self.state.domain(value).whole) for value in values
        )

    def hold(self, op: str, left: Any, right: Any) -> None:
        """Two defined values compare so."""
        if op == "==":
            self._make_equal(left, right)
        elif op == "!=":
            self._make_differ(left, right)
        elif op in ("in", "not in"):
            self._member(op == "in", left, right)
        elif op in (">", ">="):
            self.hold("<" if op == ">" else "<=", right, left)
        else:
            self._below(left, right, op == "<")

    def _make_equal(self, left: Any, right: Any) -> None:
        if isinstance(left, tuple) and isinstance(right, tuple):
            if len(left) != len(right):
                raise Conflict
            for a, b in zip(left, right, strict=True):
                self._make_equal(a, b)
        elif isinstance(left, tuple) or isinstance(right, tuple):
            items, other = (left, right) if isinstance(left, tuple) else (right, left)
            length = self._length_of(other)
            if length is not None:
                self.state.meet(length, exactly(len(items)))
        elif isinstance(left, ParamDef) or isinstance(right, ParamDef):
            return
        else:
            one, other = self._length_of(left), self._length_of(right)
            if one is not None and other is not None:
                self.state.same(one, other)
            self.state.same(left, right)

    def _length_of(self, value: Any) -> Sym | None:
        """The number of elements of a list whose elements are not known."""
        if not isinstance(value, Sym) or value.key[0] not in self.shared.params or len(value.key) != 2:
            return None
        kind = self.shared.params[str(value.key[0])].kind
        if value.key[1] == "shape":
            return self.facet(str(value.key[0]), "rank")
        return self.facet(str(value.key[0]), "length") if value.key[1] == "value" and kind.endswith("_array") else None

    def _make_differ(self, left: Any, right: Any) -> None:
        if isinstance(left, tuple) and isinstance(right, tuple):
            if len(left) == len(right):
                pairs = [(a, b) for a, b in zip(left, right, strict=True) if self._equal(a, b) != TRUE]
                if not pairs:
                    raise Conflict
                if len(pairs) == 1:
                    self._make_differ(*pairs[0])
        elif not isinstance(left, (tuple, ParamDef)) and not isinstance(right, (tuple, ParamDef)):
            self.state.differ(left, right)

    def _member(self, wanted: bool, left: Any, right: Any) -> None:
        if not isinstance(right, tuple):
            return
        if not wanted:
            for item in right:
                self._make_differ(left, item)
            return
        items = [item for item in right if self._equal(left, item) != FALSE]
        if not items:
            raise Conflict
        if len(items) == 1:
            self._make_equal(left, items[0])
        elif isinstance(left, Sym) and not any(isinstance(item, (Sym, tuple)) for item in items):
            self.state.meet(left, Domain(frozenset(items)))

    def _below(self, left: Any, right: Any, strict: bool) -> None:
        if not (_is_number(left) and _is_number(right)):
            return
        if isinstance(left, Sym) and left == right and strict:
            raise Conflict
        (low, _), (_, high) = self._bounds(left), self._bounds(right)
        for value, bound, is_high in ((left, high, True), (right, low, False)):
            if isinstance(value, Sym):
                step = 1 if strict and self.state.domain(value).whole and abs(bound) != INFINITE else 0
                whole = self.state.domain(value).whole and abs(bound) != INFINITE
                limit = (math.floor(bound) if is_high else math.ceil(bound)) if whole else bound
                if step and limit != bound:
                    step = 0
                self.state.meet(value, Domain(None, high=limit - step) if is_high else Domain(None, low=limit + step))
            elif (value > bound if is_high else value < bound) or (strict and value == bound):
                raise Conflict

    def _want_table(self, node: tree.Table, mask: int, bound: Bound) -> None:
        if mask != TRUE:
            return
        values = [self._column(column, bound)[0] for column in node.columns]
        rows = [row for row in node.rows if self._fits(row, values)]
        for at, value in enumerate(values):
            cells = [row[at] for row in rows]
            if isinstance(value, Sym) and None not in cells:
                union = frozenset[object]().union(*(cell for cell in cells if cell is not None))
                self.state.meet(value, Domain(union))

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
        self, node: tree.Node, read: list[tuple[str, str]], places: list[int], domains: list[Any]
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


def _stored(part: tree.Node) -> bool:
    return isinstance(part, tree.Attr) and part.name == "storage_format"


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


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Sym)) and not isinstance(value, bool)


def _concrete(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_concrete, value))
    return not isinstance(value, (Sym, ParamDef)) and value is not NEVER


def _key(value: Any) -> Any:
    return ("param", value.name) if isinstance(value, ParamDef) else value


def _within(cell: frozenset[object], value: Any) -> bool:
    return not isinstance(value, (Sym, tuple)) and value in cell


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
    tree.Const: Reader._const, tree.Param: Reader._param, tree.Let: Reader._let, tree.Var: Reader._var,
    tree.Product: Reader._product, tree.Undefined: Reader._undefined, tree.Attr: Reader._attr,
    tree.Index: Reader._index, tree.Slice: Reader._slice, tree.Unary: Reader._unary,
    tree.Binary: Reader._binary, tree.Length: Reader._length,
    tree.Seq: Reader._seq, tree.If: Reader._if, tree.Range: Reader._range, tree.Zip: Reader._zip,
    tree.Call: Reader._call, tree.Each: Reader._each,
}  # fmt: skip
_TRUTHS: dict[type, Callable[..., int]] = {
    tree.Let: Reader._true_let, tree.Logic: Reader._true_logic, tree.IsNone: Reader._true_none,
    tree.If: Reader._true_if, tree.Given: Reader._true_given, tree.Implies: Reader._true_implies,
    tree.Compare: Reader._true_compare, tree.Table: Reader._true_table, tree.Unary: Reader._true_not,
    tree.Each: Reader._true_each,
}  # fmt: skip
_FOLLOWING: dict[type, Callable[..., None]] = {
    tree.Let: Reader._want_let, tree.Unary: Reader._want_not, tree.Logic: Reader._want_logic,
    tree.IsNone: Reader._want_none, tree.If: Reader._want_if, tree.Given: Reader._want_given,
    tree.Implies: Reader._want_implies, tree.Each: Reader._want_each, tree.Compare: Reader._want_compare,
    tree.Table: Reader._want_table,
}  # fmt: skip
