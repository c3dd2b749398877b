"""What conditions may come to in a call of which only some is known, and what must be so for them to come to it.

Connectives are taken apart. What is below them is one of three: it reads nothing but facets of few values, and the
interpreter tries them all; it says that terms are equal; or it is not understood, and may be true or false, but the
same wherever it stands, with equal terms in place of each other.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from opspec.calls.cases.proof import outcomes
from opspec.calls.cases.proof.known import Conflict, Spent, State, Values, outcome, presence, sizes_of
from opspec.calls.cases.proof.outcomes import ALL, BROKEN, FALSE, LACKING, NULL, TRUE, UNDEFINED
from opspec.calls.cases.proof.worlds import Asked, Read, Worlds, worlds
from opspec.language import normal, tree
from opspec.language.facts import PRODUCT_FACT, expanded, reads_lets
from opspec.language.interpret import Env, Undef, evaluate
from opspec.language.python import Emitter
from opspec.language.record import replace
from opspec.language.text import write
from opspec.language.types import ATTRIBUTES, BOOL, INT, STR, Type
from opspec.model.definition import Definition, ParamDef, RuleDef

FIRST, SOME = "[0]", "[*]"  # elements of a list that are followed: the first, and one that stands for any
MOST_WORLDS = 2000  # of a comparison, a table
FEW_WORLDS = 100  # of what can be taken apart
LARGEST = 2000  # nodes of a condition with what is known in place of its parts
FEW_OF = ("presence", "dtype", "format", "rank")
FEW_KINDS = ("bool", "dtype", "string", "int")
ELEMENTS = {"tensor_list": "tensor", "scalar_list": "scalar"}
_DENIALS = {"!=": "==", "not in": "in"}
_TAKEN_APART = (tree.Let, tree.Logic, tree.Unary, tree.If, tree.Given, tree.Implies, tree.Each)  # of conditions


@dataclass(frozen=True, slots=True)
class About:
    """An expression.

    Args:
        node: kept, so that no other one gets its address.
        number: the same for all that are alike.
        names: the params that it reads.
        read: the facets that it reads, by param, as terms; None where they are not few values.
        of_product: whether it reads the product.
        hidden: the params whose presence it does not ask for.
        strict: it is undefined wherever one of these is.
    """

    node: tree.Node
    number: int
    names: frozenset[str]
    read: dict[tuple[str, str], tree.Node] | None
    of_product: bool
    hidden: tuple[tree.Param, ...]
    strict: bool


class Operator:
    """What all readers of an operator have in common."""

    product: tuple[str, str | None]

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.params = {param.name: param for param in definition.params}
        for param in definition.params:
            for which in (FIRST, SOME) if param.kind in ELEMENTS else ():
                name = f"{param.name}{which}"
                self.params[name] = dataclasses.replace(param, name=name, kind=ELEMENTS[param.kind], nullable=True)
        lets = definition.lets  # in the order of the spec; one may read another that comes behind it
        order = definition.let_order(tree.Let(name, node.type, 0) for name, node in lets.items())
        self.lets = {name: normal.normal(lets[name]) for name in order}
        self.rules = {
            rule.id: (normal.normal(rule.check), None if rule.when is None else normal.normal(rule.when))
            for rule in definition.rules
        }
        self.tried: dict[Any, Worlds] = {}
        self._seen: dict[int, About] = {}
        self._params: dict[str, tree.Param] = {}
        self._numbers: dict[tree.Node, int] = {}
        self._instances: dict[tuple[int, str], tuple[tree.Node, tree.Node]] = {}
        self._firsts: dict[tuple[int, frozenset[str]], tuple[tree.Node, tree.Node]] = {}
        self._emitters: dict[frozenset[str], Emitter] = {}
        self._causes: dict[tuple[tree.Node, frozenset[str]], int] = {}
        self._splits: dict[tuple[tree.Node, Values], dict[int, Values | None]] = {}

    @staticmethod
    def on(definition: Definition, product: tuple[str, str | None]) -> Operator:
        """An operator on a product. What is found of it that hangs on no product all of them have in common."""
        made = copy(definition.once(Operator))
        made.product = product
        return made

    def check(self, rule: RuleDef) -> tree.Node:
        """A rule's check in normal form."""
        return self.rules[rule.id][0]

    def when(self, rule: RuleDef) -> tree.Node | None:
        """A rule's condition in normal form."""
        return self.rules[rule.id][1]

    def param(self, name: str) -> tree.Param:
        """A param as a tree."""
        if name not in self._params:
            param = self.params[name]
            self._params[name] = tree.Param(name, param.type, param.nullable and param.pointer)
        return self._params[name]

    def term(self, name: str, facet: str) -> tree.Node:
        """A facet of a param as a tree."""
        base = self.param(name)
        if facet == "presence":
            return presence(base)
        return base if (base.type, facet) not in ATTRIBUTES else tree.Attr(base, facet, ATTRIBUTES[base.type, facet][0])

    def about(self, node: tree.Node) -> About:
        """What is known of an expression."""
        found = self._seen.get(id(node))
        if found is None:
            every = self.definition.facts(node)
            facts: list[tuple[str, str]] = sorted(item for item in every if item[0])
            read = {item: self.term(*item) for item in facts} if self._few(node, facts) else None
            hidden = tuple(self.param(name) for name in {name for name, _ in facts if (name, "presence") not in facts})
            inner = (part for child in tree.children(node) for part in expanded(child, self.lets))
            strict = not isinstance(node, (tree.Each, tree.Table)) and all(part.type != BOOL for part in inner)
            number = self._numbers.setdefault(node, len(self._numbers))
            names = frozenset(name for name, _ in facts)
            found = About(node, number, names, read, PRODUCT_FACT in every, hidden, strict)
            self._seen[id(node)] = found
        return found

    def _few(self, node: tree.Node, facts: Sequence[tuple[str, str]]) -> bool:
        """Whether a condition reads nothing but facets of few values, others beside constants alone."""
        kinds = {name: self.params[name].kind for name, _ in facts}
        few = all(
            facet in FEW_OF if kinds[name] in ("tensor", "scalar") else facet == "presence" or kinds[name] in FEW_KINDS
            for name, facet in facts
        )
        parts = expanded(node, self.lets)
        return few and not any(
            isinstance(part, (tree.Each, tree.Range, tree.Var)) or getattr(part, "name", "") == "storage_format"
            for part in parts
        ) and self._beside_constants(node)  # fmt: skip

    def _beside_constants(self, node: tree.Node) -> bool:
        """Whether integers and texts that have no end stand only where they are compared with constants."""
        if isinstance(node, tree.Let):
            return self._beside_constants(self.lets[node.name])
        if isinstance(node, tree.Param):
            return node.type not in (INT, STR)
        if alone(node) is not None:
            node = alone(node) or node
            return isinstance(node, tree.Param) or self._beside_constants(node)
        parts = tree.children(node)
        table = isinstance(node, tree.Table)
        return all(self._beside_constants(part) for part in parts if not (table and isinstance(part, tree.Param)))

    def causes(self, node: tree.Node, there: frozenset[str]) -> int:
        """What an expression may be undefined for where some params are there."""
        at = node, there
        if at not in self._causes:
            self._causes[at] = _causes(self._emitter(there), node) if reads_lets(node) else _plain_causes(node, there)
        return self._causes[at]

    def _emitter(self, there: frozenset[str]) -> Emitter:
        """What tells causes where some params are there."""
        if there not in self._emitters:
            emitter = self._emitters[there] = Emitter({}, there)
            known = emitter.lets = dict[str, frozenset[int]]()
            for name, let in self.lets.items():
                known[name] = emitter.emit(let).causes
        return self._emitters[there]

    def split(self, condition: tree.Compare, term: tree.Node, values: Values) -> dict[int, Values | None]:
        """What a comparison of a term with constants comes to, with the values of the term for which it does."""
        at = condition, values
        if at not in self._splits:
            kept: dict[int, set[object]] = {}
            for value in values:
                operands = [tree.Const(value, term.type) if one is term else one for one in condition.operands]  # type: ignore[arg-type]
                result = evaluate(replace(condition, operands=tuple(operands)), Env({}, {}))
                kept.setdefault(outcomes.of(result), set()).add(value)
            self._splits[at] = {bit: frozenset(found) for bit, found in kept.items()}
        return self._splits[at]

    def lists(self, source: tree.Node) -> list[ParamDef]:
        """The lists of tensors or scalars that stand side by side in a source; none where it is another."""
        while isinstance(source, tree.Let):
            source = self.lets[source.name]
        items = source.items if isinstance(source, tree.Zip) else (source,)
        params = [self.params[item.name] for item in items if isinstance(item, tree.Param)]
        return params if len(params) == len(items) and all(param.kind in ELEMENTS for param in params) else []

    def instance(self, node: tree.Each, which: str = SOME) -> tree.Node:
        """What a quantifier says of one element of the lists that it goes through."""
        if (id(node), which) not in self._instances:
            names = [param.name for param in self.lists(node.source)]
            bound = dict(zip(node.variables, (self.param(f"{name}{which}") for name in names), strict=True))
            inner = tree.substituted(tree.conditioned(node), bound)
            self._instances[id(node), which] = node, self._with_first(inner, frozenset(names))
        return self._instances[id(node), which][1]

    def with_first(self, node: tree.Node, names: frozenset[str]) -> tree.Node:
        """A condition with the first elements of lists that are known to have one as params of their own."""
        if not names:
            return node
        at = id(node), names
        if at not in self._firsts:
            self._firsts[at] = node, self._with_first(node, names)
        return self._firsts[at][1]

    def _with_first(self, node: tree.Node, names: frozenset[str]) -> tree.Node:
        match node:
            case tree.Index(tree.Param(name), tree.Const(0)) if name in names:
                return self.param(f"{name}{FIRST}")
            case tree.Each():
                return node  # see `instance`
        return tree.rebuilt(node, lambda part: self._with_first(part, names))


def _causes(emitter: Emitter, node: tree.Node) -> int:
    return sum({outcomes.OF_CAUSE[cause] for cause in emitter.emit(node).causes})


@lru_cache(maxsize=4096)
def _plain_causes(node: tree.Node, there: frozenset[str]) -> int:
    """Those of an expression without derived values: releases of an operator say much the same."""
    return _causes(Emitter({}, there), node)


def alone(node: tree.Node) -> tree.Node | None:
    """The operand of a comparison that is compared with nothing but constants."""
    if not isinstance(node, tree.Compare):
        return None
    open_ = [operand for operand in node.operands if not _constant(operand)]
    return open_[0] if len(open_) == 1 and len(node.ops) == 1 and not isinstance(open_[0], tree.Seq) else None


def _written(node: tree.Node) -> bool:
    return isinstance(node, tree.Const) or (isinstance(node, tree.Seq) and not any(node.starred))


def _value(node: tree.Node) -> object:
    """A constant's value, a list's elements; other terms stand for themselves."""
    if isinstance(node, tree.Seq) and _written(node):
        return tuple(map(_value, node.items))
    return node.value if isinstance(node, tree.Const) else node


def _term(value: Any, type_: Type) -> tree.Node:
    if isinstance(value, tuple):
        return _seq(tuple(_term(item, type_.item or type_) for item in value), type_)
    return value if isinstance(value, tree.KINDS) else tree.Const(value, type_)


def _seq(items: tuple[tree.Node, ...], type_: Type) -> tree.Seq:
    return tree.Seq(items, (False,) * len(items), type_)


def _constant(node: tree.Node) -> bool:
    return isinstance(node, tree.Const) or (isinstance(node, tree.Seq) and all(map(_constant, node.items)))


class Reader:
    """Reads conditions in a state, and tells it what follows."""

    def __init__(self, operator: Operator, state: State) -> None:
        self.operator = operator
        self.state = state
        self._mark: object = None
        self._terms: dict[int, tree.Node] = {}
        self._truths: dict[int, int] = {}

    def check(self, rule: RuleDef) -> tree.Node:
        """A rule's check, of lists that are known to have an element with the first one as a param of its own."""
        params = [param for param in self.operator.params.values() if param.kind in ELEMENTS]
        names = [param.name for param in params if self.state.picked is not None and self._alike([param])]
        return self.operator.with_first(self.operator.check(rule), frozenset(names))

    def there(self, param: tree.Param) -> bool | None:
        """Whether a param is there; None where that is open."""
        if not param.nullable:
            return True
        values = self.state.values(presence(param))
        return next(iter(values)) is True if values is not None and len(values) == 1 else None

    def _resolved(self, node: tree.Node) -> tree.Node:
        """A term with what is known in place of its parts, itself the one that stands for all that are equal."""
        self._renew()
        found = self._terms.get(id(node))
        if found is None:
            while isinstance(node, tree.Let):
                node = self.operator.lets[node.name]
            made = self._folded(tree.rebuilt(node, self._resolved))
            found = made if isinstance(made, (tree.Const, tree.Seq)) else self._listed(self.state.known(made))
            self._terms[id(node)] = found
        return found

    def _renew(self) -> None:
        """Forget what was found where less was known."""
        if self._mark != self.state.mark:
            self._mark, self._terms, self._truths = self.state.mark, {}, {}

    def _folded(self, node: tree.Node) -> tree.Node:
        """The term that an expression of lists of terms is, or of constants: of lists it takes what is asked for."""
        parts = list(tree.children(node))
        taken = isinstance(node, (tree.Seq, tree.Slice, tree.Binary, tree.Index, tree.Length)) and all(
            _written(part) or (isinstance(node, tree.Seq) and part.type.item is None) for part in parts
        )
        if not parts or not (taken or all(map(_constant, parts))):
            return node
        names = [f"@{number}" for number in range(len(parts))]
        inputs = {id(part): tree.Var(name, part.type) for part, name in zip(parts, names, strict=True)}
        env = Env({}, {}, *self.operator.product, bound=dict(zip(names, map(_value, parts), strict=True)))
        value = evaluate(tree.rebuilt(node, lambda part: inputs[id(part)]), env)
        return node if isinstance(value, Undef) else _term(value, node.type)

    def _listed(self, term: tree.Node) -> tree.Node:
        """The dims of a shape, where their number is known."""
        if not isinstance(term, tree.Attr) or term.name != "shape":
            return term
        rank = self.state.known(tree.Attr(term.base, "rank", INT))
        if not isinstance(rank, tree.Const):
            return term
        dims = [tree.Var(f"{write(term)}[{at}]", INT) for at in range(int(rank.value or 0))]
        return _seq(tuple(map(self.state.known, dims)), term.type)

    # --- what it may come to

    def truth(self, node: tree.Node) -> int:
        """What a condition may come to."""
        self._renew()
        found = self._truths.get(id(node))  # of one that the operator keeps, see `about`
        if found is None:
            found = self._truths[id(node)] = self._truth(node)
        return found

    def _truth(self, node: tree.Node) -> int:
        tried = self._tried(node, FEW_WORLDS if isinstance(node, _TAKEN_APART) else MOST_WORLDS)
        if tried is not None:
            return sum(tried)
        match node:
            case tree.Let():
                return self.truth(self.operator.lets[node.name])
            case tree.Logic():
                masks = [self.truth(item) for item in node.items]
                if node.op == "and":
                    return outcomes.every(masks)
                return outcomes.denied(outcomes.every(map(outcomes.denied, masks)))
            case tree.Unary(op="not"):
                return outcomes.denied(self.truth(node.operand))
            case tree.If():
                condition = self.truth(node.condition)
                found = condition & UNDEFINED | (self.truth(node.then) if condition & TRUE else 0)
                return found | (self.truth(node.other) if condition & FALSE else 0)
            case tree.Given():
                return outcomes.given(self.truth(node.operand))
            case tree.Implies():
                condition = self.truth(node.condition)
                then = self.truth(node.then) if condition & (TRUE | LACKING) else TRUE
                return outcomes.implied(condition, then)
            case tree.Each():
                decisive = FALSE if node.quantifier == "all" else TRUE
                return decisive if self._picked(node) and self.truth(self.operator.instance(node)) == decisive else ALL
        return self._atom(node)

    def _atom(self, node: tree.Node) -> int:
        """What a condition may come to that is not taken apart: where a dim is known to be there, it is not broken."""
        about = self.operator.about(node)
        if about.strict and any(self.there(param) is False for param in about.hidden):
            return NULL
        there = frozenset(param.name for param in about.hidden if self.there(param))
        condition, denied = _positive(self._resolved(node))
        if sum(1 for _ in itertools.islice(tree.walk(condition), LARGEST + 1)) > LARGEST:
            raise Spent
        causes = self.operator.causes(node, there)
        if causes & BROKEN:
            causes &= ~BROKEN | self.operator.causes(condition, there)
        found = sum(self._ways(condition))
        return causes | (outcomes.denied(found) if denied else found)

    def _ways(self, condition: tree.Node) -> dict[int, Values | None]:
        """What a condition may come to, with the values of the one term that it compares with constants."""
        if isinstance(condition, tree.Const):
            return {outcome(condition.value is True): None}
        if condition in self.state.held:
            return {self.state.held[condition]: None}
        term = alone(condition)
        values = None if term is None else self.state.values(term)
        if term is not None and not self._told_apart(term, condition):
            return {TRUE: None, FALSE: None}
        if term is not None and values is not None and isinstance(condition, tree.Compare):
            return self.operator.split(condition, term, values)
        items = _members(condition)
        found = outcomes.every(outcomes.denied(self._equality(*item)) for item in items)
        return dict.fromkeys(outcomes.bits(outcomes.denied(found) if items else TRUE | FALSE))

    def _told_apart(self, term: tree.Node, condition: tree.Node) -> bool:
        """Whether each value that stands for others comes to what these do."""
        ranked = isinstance(term, tree.Attr) and term.name == "rank"
        return ranked or self.state.constants.tell_apart(condition)

    def _equality(self, left: tree.Node, right: tree.Node) -> int:
        """What the equality of two terms may come to."""
        if left == right:
            return TRUE
        if isinstance(left, tree.Seq) and isinstance(right, tree.Seq) and not any(left.starred + right.starred):
            if len(left.items) != len(right.items):
                return FALSE
            return outcomes.every(map(self._equality, left.items, right.items))
        sizes = zip(sizes_of(left), sizes_of(right), strict=False)
        differ = self.state.differ(left, right) or any(self._equality(*pair) == FALSE for pair in sizes)
        return FALSE if differ else TRUE | FALSE

    def _picked(self, node: tree.Each) -> bool:
        """Whether the element that stands for any is one of the lists of a quantifier."""
        lists = self.operator.lists(node.source)
        return bool(lists) and self._alike(lists)

    def _alike(self, lists: Iterable[ParamDef]) -> bool:
        """Whether lists are as long as those of which one element stands for any."""
        picked = self.state.picked
        return picked is not None and all(
            self.state.find(length) == self.state.find(picked) for length in map(self._length, lists)
        )

    def _length(self, param: ParamDef) -> tree.Node:
        return tree.Length(self.operator.param(param.name), INT)

    # --- what must be so

    def want(self, node: tree.Node, mask: int) -> None:
        """The condition comes to one of these.

        Raises:
            Conflict: it cannot.
        """
        now = self.truth(node)
        if not now & mask:
            raise Conflict
        if not now & ~mask:
            return
        mask &= now
        self._tried(node, MOST_WORLDS if alone(node) is not None else FEW_WORLDS, mask)
        match node:
            case tree.Let():
                self.want(self.operator.lets[node.name], mask)
            case tree.Logic():
                self._want_all(node.items, node.op == "or", mask)
            case tree.Unary(op="not"):
                self.want(node.operand, outcomes.denied(mask))
            case tree.If():
                self._want_if(node, mask)
            case tree.Given():
                self.want(node.operand, mask | (NULL if mask & TRUE else 0))
            case tree.Implies():
                self._want_implies(node, mask)
            case tree.Each():
                self._want_each(node, mask)
            case _ if self._tried(node, MOST_WORLDS, mask) is None and mask in (TRUE, FALSE):
                condition, denied = _positive(self._resolved(node))
                self._settle(condition, (mask == TRUE) is not denied)

    def _settle(self, condition: tree.Node, holds: bool) -> None:
        """A condition has a value."""
        ways = self._ways(condition)
        kept = ways.get(outcome(holds))
        members = [sides for sides in _members(condition) if self._equality(*sides) != FALSE]
        if kept is not None:
            self.state.meet(alone(condition) or condition, kept)
        elif holds and len(members) == 1:
            self.state.same(*members[0])
        elif len(ways) > 1:
            self.state.hold(condition, outcome(holds))

    def _want_all(self, items: Sequence[tree.Node], negated: bool, mask: int) -> None:
        """Conditions joined by ``and``; by ``or`` that is the same of what they deny."""
        if negated:
            mask = outcomes.denied(mask)
        if not mask & FALSE:  # then none of them is false
            allowed = TRUE | mask & UNDEFINED
            for bit in (BROKEN, LACKING):
                allowed |= bit if mask & UNDEFINED & ~(bit - 1) else 0
            for item in items:
                self.want(item, outcomes.denied(allowed) if negated else allowed)
        elif not mask & TRUE:
            masks = [outcomes.denied(self.truth(item)) if negated else self.truth(item) for item in items]
            still = [item for item, one in zip(items, masks, strict=True) if one != TRUE]
            if len(still) == 1:
                self.want(still[0], outcomes.denied(mask) if negated else mask)

    def _want_if(self, node: tree.If, mask: int) -> None:
        condition = self.truth(node.condition)
        if condition & UNDEFINED & mask:
            return
        for bit, part, other in ((TRUE, node.then, FALSE), (FALSE, node.other, TRUE)):
            if condition == bit:
                self.want(part, mask)
            elif condition & bit and not self.truth(part) & mask:
                self.want(node.condition, other)
                return

    def _want_implies(self, node: tree.Implies, mask: int) -> None:
        if not mask & TRUE:
            self.want(node.condition, TRUE | LACKING)
        then = mask | (NULL if mask & TRUE else 0)
        if self.truth(node.condition) == TRUE:
            self.want(node.then, then)
        elif not mask & LACKING and not self.truth(node.then) & then:
            self.want(node.condition, ALL & ~TRUE)

    def _want_each(self, node: tree.Each, mask: int) -> None:
        """Of lists side by side: they are equally long, and where not all elements are like something, one is not."""
        lists = self.operator.lists(node.source)
        if node.quantifier != "all" or not all(self.there(self.operator.param(param.name)) for param in lists):
            return
        lengths = [self._length(param) for param in lists]
        if not mask & FALSE:
            for length in lengths[1:]:
                self.state.same(lengths[0], length)
            for which in (FIRST, SOME) if self._picked(node) else ():
                self.want(self.operator.instance(node, which), mask | UNDEFINED if mask & (LACKING | BROKEN) else mask)
        elif not mask & TRUE and lists and self.state.picker in (None, node):
            for length in lengths[1:]:
                self.state.same(lengths[0], length)
            self.state.picked, self.state.picker = lengths[0], node
            self.want(self.operator.instance(node), mask | LACKING | NULL)

    # --- by trying all that it reads

    def _tried(self, node: tree.Node, most: int, mask: int = ALL) -> Worlds | None:
        """What a condition comes to in all calls that differ in what it reads; None where these are too many.

        Of what it reads only that stays with which it comes to something wanted.
        """
        about = self.operator.about(node)
        if about.read is None or any(self.there(param) is None for param in about.hidden):
            return None
        terms = [self.state.find(term) for term in about.read.values()]
        reps = list(dict.fromkeys(terms))
        domains = [self.state.values(term) or frozenset() for term in reps]
        if math.prod(map(len, domains)) > most:
            return None
        places = tuple(map(reps.index, terms))
        on = self.operator.product if about.of_product else None
        key = (on, about.number, tuple(map(self.there, about.hidden)), places, tuple(domains))
        if key not in self.operator.tried:
            asked = Asked(node, self._read(about.read, places), tuple(domains), on or (None, None))
            self.operator.tried[key] = worlds(asked, self.operator.lets)
        found = self.operator.tried[key]
        if mask != ALL:
            for at, term in enumerate(reps):
                self.state.meet(term, frozenset().union(*(kept[at] for bit, kept in found.items() if bit & mask)))
        return found

    def _read(self, read: Iterable[tuple[str, str]], places: Iterable[int]) -> tuple[Read, ...]:
        """The params that a condition reads, with the places of their facets among the terms."""
        facets: dict[str, list[tuple[str, int]]] = {}
        for (name, facet), at in zip(read, places, strict=True):
            facets.setdefault(name, []).append((facet, at))
        params = [(self.operator.param(name), tuple(own)) for name, own in facets.items()]
        return tuple(Read(param.name, param.type, self.there(param) is not False, own) for param, own in params)


def _positive(condition: tree.Node) -> tuple[tree.Node, bool]:
    """A comparison without its denial, and whether it had one."""
    if isinstance(condition, tree.Compare) and condition.ops[0] in _DENIALS:
        return replace(condition, ops=(_DENIALS[condition.ops[0]],)), True
    return condition, False


def _members(condition: tree.Node) -> list[tuple[tree.Node, tree.Node]]:
    """The equalities of which one holds where a condition does; none of a condition that is no membership."""
    if not isinstance(condition, tree.Compare) or condition.ops[0] not in ("==", "in"):
        return []
    left, right = condition.operands
    if condition.ops[0] == "==":
        return [(left, right)]
    return [(left, item) for item in right.items] if isinstance(right, tree.Seq) and _written(right) else []
