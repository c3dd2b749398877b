"""Rules as those need them whose arguments have values that the operator takes at all.

A rule may name data types that none of its params takes, or numbers of dims that none has: the tables refuse them
already, and a reader of a page takes what a condition names for supported. The page of all rules says each as it is.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod

from opspec.docs.domains import Domains, emptiness, filled, is_sure, name, stated, valued, values_said
from opspec.docs.limits import limit_of
from opspec.docs.typed import breaking
from opspec.language import build, tree
from opspec.language.normal import normal
from opspec.language.text import write
from opspec.language.types import BOOL, DTYPE, FORMAT, INT, PRODUCT
from opspec.model.definition import Definition, RuleDef
from opspec.vocabulary import products
from opspec.vocabulary.formats import is_private

_FEW = 2  # values of an attribute that are named rather than compared with a limit
_MOST_CASES = 4096  # of data types that are tried
_ORDER = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_OF_NUMBERS = (
    tree.Compare,
    tree.Binary,
    tree.Unary,
    tree.Call,
)  # made of numbers, each of which may have cases

Parts = tuple[tree.Node | None, tree.Node]  #: the condition of a rule and its statement


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known beside one rule, which may be what says so."""

    domains: Domains
    rule: str
    gone: tuple[tuple[str, object], ...] = ()
    there: tuple[tuple[str, frozenset[object]], ...] = ()  # values that something has, whatever else is known

    def of(self, node: tree.Node) -> frozenset[object] | None:
        """The values that a node may have."""
        found = self.domains.values(node, self.rule)
        if found is None and isinstance(node, (tree.Call, tree.If)) and node.type == DTYPE:
            found = self._of_made(node)
        text = name(node) if self.gone else ""
        for subject, values in self.there:
            if subject == text:
                found = values if found is None else found & values
        return found and found - {value for subject, value in self.gone if subject == text}

    def _of_made(self, node: tree.Node) -> frozenset[object] | None:
        """The data types that arguments come to, whichever of theirs they have; None where that hangs on more."""
        read = {part: self.of(part) or () for part in tree.walk(node) if isinstance(part, tree.Attr)}
        if prod(map(len, read.values())) > _MOST_CASES:
            return None
        values = [[tree.Const(str(value), DTYPE) for value in may] for may in read.values()]
        rest = tree.walk(filled(node, dict.fromkeys(read, build.TRUE)))
        if not all(values) or any(isinstance(part, (tree.Param, tree.Let, tree.Product)) for part in rest):
            return None
        return frozenset(valued(node, tuple(read), case) for case in itertools.product(*values)) - {None}

    def under(self, when: tree.Node | None) -> _Known:
        """What is known where a rule counts that is about some products."""
        parts = [] if when is None else build.conjuncts(when)
        on = [found for part in parts if (found := tree.on_products(part)) is not None]
        if not on and not self.gone:
            return self
        out = {name for one in on for name in self.products if _is_of(name, one.ids) != one.inside}
        return replace(self, gone=tuple(("product", name) for name in out))

    @property
    def products(self) -> tuple[str, ...]:
        """Those that the operator runs on."""
        return tuple(self.domains.lacking)

    def alone(self, product: str) -> _Known:
        """What is known on one product, where others of the rules that count there say more than this one."""
        said = self.domains.there.get(product, ())
        mine = {of: values for of, rule, values in said if rule == self.rule}
        kept = [
            (of, values)
            for of, rule, values in said
            if rule != self.rule and (mine.get(of) != values or rule < self.rule)
        ]
        return replace(
            self,
            gone=tuple(("product", name) for name in self.products if name != product),
            there=tuple(kept),
        )

    def without(self, condition: tree.Node) -> _Known:
        """What is known where a condition does not hold."""
        match condition:
            case tree.Compare(ops=("==",), operands=(left, tree.Const(value=value))) if name(left):
                return replace(self, gone=(*self.gone, (name(left), value)))
        return self


def domains(definition: Definition) -> Domains:
    """What rules of an operator say that all calls keep, but for those that running programs contradict."""
    return definition.once(_domains)


def _domains(definition: Definition) -> Domains:
    """By the rules without a condition, and by those whose condition always holds by these."""
    sure = [rule for rule in definition.rules if is_sure(rule, definition)]
    plain = [rule for rule in sure if rule.when is None]
    first = stated(definition, plain)
    more = [rule for rule in sure if rule.when is not None and _is(settled(rule.when, first, rule.id), True)]
    found = stated(definition, (*plain, *more)) if more else first
    asking = [rule for rule in sure if _asks_product(rule)]
    return replace(found, there={product: tuple(_said_on(product, asking, found)) for product in found.lacking})


def _said_on(product: str, rules: Sequence[RuleDef], domains: Domains) -> Iterator[tuple[str, str, frozenset[object]]]:
    """What rules say of values on a product that they do not say on every one: of what, which rule, the values."""
    for rule in rules:
        known = _Known(domains, rule.id).alone(product)
        if rule.when is None or _is(_narrow(rule.when, known), True):
            for part in build.conjuncts(_narrow(rule.check, known)):
                yield from ((of, rule.id, values) for of, values in values_said(part))


def narrowed(rule: RuleDef, domains: Domains) -> Parts | None:
    """The condition and the statement of a rule; None where the condition never holds, or the statement always does."""
    if rule.kind in ("format", "private-format"):
        return rule.when, _of_formats(rule.check, rule.kind == "private-format")
    known = _Known(domains, rule.id).under(rule.when)
    when = None if rule.when is None else settled(rule.when, domains, rule.id)
    check = _narrow(rule.check, known)
    if _is(when, False) or _is(check, True):
        return None
    broken = breaking(rule, domains)
    if broken is not None and next(broken, None) is None:
        return None
    here = [product for product in known.products if ("product", product) not in known.gone]
    if not _asks_product(rule):  # what is said of every product stands beside what is said of some
        here = here if all(_is_told_on(product, rule, domains) for product in here) else []
    left = [product for product in here if not _is_told_on(product, rule, domains)]
    if here and not left:
        return None
    if len(left) < len(here) and rule.say is None:
        return narrowed(rule.but(when=_only_on(left, rule.when)), domains)
    return None if when is None or _is(when, True) else when, rule.check if _is(check, False) else check


def _asks_product(rule: RuleDef) -> bool:
    """Whether a rule says different things of products."""
    parts = (rule.check,) if rule.when is None else (rule.check, rule.when)
    return any(isinstance(node, tree.Product) for part in parts for node in tree.walk(part))


def _is_told_on(product: str, rule: RuleDef, domains: Domains) -> bool:
    """Whether other rules say of a product all that a rule asks for there, or that what it hangs on never is."""
    known = _Known(domains, rule.id).alone(product)
    if not known.there or _is(_narrow(rule.check, replace(known, there=())), True):
        return False  # no other rule says it
    check = _narrow(rule.check, known)
    said = dict(known.there)
    return _is(check, True) or all(
        (limit := limit_of(part)) is not None
        and limit[0] in said
        and all(isinstance(value, (int, float)) and limit[1].holds(value) for value in said[limit[0]])
        for part in build.conjuncts(check)
    )


def _only_on(left: Sequence[str], when: tree.Node | None) -> tree.Node:
    """A condition on some products alone."""
    rest = [part for part in build.conjuncts(when or build.TRUE) if tree.on_products(part) is None]
    return build.all_of([build.on_products(left), *(part for part in rest if part != build.TRUE)])


def settled(when: tree.Node, domains: Domains, rule: str = "") -> tree.Node:
    """A condition, but for what every call keeps anyway."""
    parts = [part for part in build.conjuncts(when) if write(normal(part)) not in domains.held]
    known = _Known(domains, rule)
    under = known.under(when)
    return _joined("and", [_narrow(part, known if tree.on_products(part) else under) for part in parts])


def _of_formats(node: tree.Node, private: bool) -> tree.Node:
    """A rule on private formats, or on the others, without the formats that it is not about."""
    match node:
        case tree.Implies(condition=condition, then=then):
            return _under(condition, then, private)
    return tree.rebuilt(node, lambda part: _of_formats(part, private))


def _under(condition: tree.Node, node: tree.Node, private: bool) -> tree.Node:
    """What holds of a format that is private, or of one that is not, in each case of a statement."""
    match node:
        case tree.If(condition=case, then=then, other=other):
            return tree.If(case, _under(condition, then, private), _under(condition, other, private), BOOL)
        case tree.Compare(ops=("in",), operands=(left, tree.Seq(items=items))):
            kept = [item for item in items if isinstance(item, tree.Const) and is_private(str(item.value)) == private]
        case tree.Compare(ops=("==",), operands=(left, tree.Const() as item)):
            kept = [item] if is_private(str(item.value)) == private else []
        case _:
            return tree.Implies(condition, node, BOOL)
    if not kept:
        return build.negated(condition)
    one = tree.Compare(("==",), (left, kept[0]), BOOL) if len(kept) == 1 else build.member(left, kept)
    return tree.Implies(condition, one, BOOL)


def _is(node: tree.Node | None, value: bool) -> bool:
    return isinstance(node, tree.Const) and node.value is value


def _const(value: bool) -> tree.Const:
    return _TRUE if value else _FALSE


_TRUE, _FALSE = tree.Const(True, BOOL), tree.Const(False, BOOL)


def _narrow(node: tree.Node, known: _Known) -> tree.Node:
    about = emptiness(node)
    if about is not None and known.domains.is_filled(about[0], known.rule):
        return _const(not about[1])
    if isinstance(node, tree.Compare):
        node = _of_cases(node, known)
    match node:
        case tree.IsNone(operand=operand, negated=negated):
            return _of_presence(operand, negated, node, known)
        case tree.Compare(ops=(("==" | "!=") as op,), operands=(left, tree.Const() as right)):
            return _among(left, [right], op == "==", node, known)
        case tree.Compare(ops=(("in" | "not in") as op,), operands=(tree.Const() as one, tree.Seq(items=items))):
            return _held_by(one, items, op == "in", node, known)
        case tree.Compare(ops=(("in" | "not in") as op,), operands=(left, tree.Seq(items=items))):
            return _among(left, list(items), op == "in", node, known)
        case tree.Compare(ops=(("<" | "<=" | ">" | ">=") as op,), operands=(left, tree.Const(value=int() as limit))):
            return _beyond(left, op, limit, node, known)
        case tree.Logic(op=op, items=items):
            return _joined(op, [_narrow(item, known) for item in items])
        case tree.Unary(op="not", operand=operand):
            inner = _narrow(operand, known)
            return _const(not inner.value) if isinstance(inner, tree.Const) else tree.Unary("not", inner, BOOL)
        case tree.If(condition=condition, then=then, other=other):
            found = _narrow(condition, known)
            if isinstance(found, tree.Const):
                return _narrow(then if found.value else other, known)
            return _branches(found, _narrow(then, known), _narrow(other, known.without(found)), node)
        case tree.Implies(condition=condition, then=then):
            found = _narrow(condition, known)
            if isinstance(found, tree.Const):
                return _narrow(then, known) if found.value else _const(True)
            return _branches(found, _narrow(then, known), _const(True), node)
        case tree.Let(name=own) if own in known.domains.plain:
            found = _narrow(known.domains.plain[own], known)
            return node if found == known.domains.plain[own] else found
        case tree.Param() | tree.Let() if node.type == BOOL:
            may = known.of(node)
            return _const(next(iter(may)) is True) if may is not None and len(may) == 1 else node
        case tree.Call(args=args) | tree.Compare(ops=("==" | "!=",), operands=args) if node.type == BOOL:
            return _decided(node, args, known)
    return node


def _of_cases(node: tree.Node, known: _Known) -> tree.Node:
    """A comparison or a part of one without the cases of its numbers that never are."""
    found = _narrow(node, known) if isinstance(node, tree.If) else node
    return tree.rebuilt(found, lambda part: _of_cases(part, known)) if isinstance(found, _OF_NUMBERS) else found


def _branches(condition: tree.Node, then: tree.Node, other: tree.Node, node: tree.Node) -> tree.Node:
    """What is so under a condition, and what otherwise, where one of both may be what never is, or always."""
    if then == other and node.type == BOOL:
        return then
    if _is(then, False):
        return _joined("and", [build.negated(condition), other])
    if _is(other, False):
        return _joined("and", [condition, then])
    return tree.Implies(condition, then, BOOL) if _is(other, True) else tree.If(condition, then, other, node.type)


def _of_presence(operand: tree.Node, given: bool, node: tree.Node, known: _Known) -> tree.Node:
    """Whether a param is given, where another rule says that it is, or that it is not."""
    is_given = known.domains.is_given(operand, known.rule)
    return node if is_given is None else _const(given == is_given)


def _decided(node: tree.Node, args: Sequence[tree.Node], known: _Known) -> tree.Node:
    """A statement on data types and attributes of which one at most may differ, and that comes to the same whatever it
    is; formats may be private, whatever rows list. That two that differ promote tells that they may; of any two that
    one is convertible to the other goes without saying."""
    values = {arg: _constants(_narrow(arg, known) if isinstance(arg, tree.If) else arg, known) for arg in args}
    several = sum(len(one) > 1 for one in values.values()) > 1
    converts = isinstance(node, tree.Call) and node.function == "castable"
    if not all(values.values()) or (several and not converts):
        return node
    found = set[object]()
    for case in itertools.product(*values.values()):
        found.add(valued(node, tuple(values), case))
        if len(found) > 1:
            return node
    (one,) = found
    return _const(one) if isinstance(one, bool) else node


def _constants(arg: tree.Node, known: _Known) -> list[tree.Node]:
    """What an argument may be; nothing where that is not known."""
    if isinstance(arg, tree.Const):
        return [arg]
    may = None if arg.type == FORMAT else known.of(arg)
    values = [tree.Const(value, arg.type) for value in may or () if isinstance(value, (int, str))]
    return list(values) if may is not None and len(values) == len(may) else []


def _beyond(subject: tree.Node, op: str, limit: int, node: tree.Node, known: _Known) -> tree.Node:
    """Whether a number lies on one side of a limit, where all that it may be lie on one side."""
    may = sorted(value for value in known.of(subject) or () if isinstance(value, int))
    kept = [value for value in may if _ORDER[op](value, limit)]
    if may and len(kept) in (0, len(may)):
        return _const(bool(kept))
    if not may or len(kept) > _FEW or not isinstance(subject, tree.Param):
        return node
    return build.one_of(subject, [build.constant(value, INT) for value in kept])


def _among(subject: tree.Node, items: list[tree.Node], inside: bool, node: tree.Node, known: _Known) -> tree.Node:
    """Whether a value is one of these, of which only those count that it may be."""
    may = known.of(subject)
    if may is None or not all(isinstance(item, tree.Const) for item in items):
        return node
    if isinstance(subject, tree.Product) and not may.issuperset(_named(items)):
        have = [one for item in items for one in sorted(map(str, may)) if _is_of(one, _named([item]))]
        items = [tree.Const(one, PRODUCT) for one in dict.fromkeys(have)]
        node = tree.Compare(("in" if inside else "not in",), (subject, build.sequence(items)), BOOL) if items else node
    kept = [item for item in items if isinstance(item, tree.Const) and _may_be(item, may)]
    if not kept:
        return _const(not inside)
    rest = may - _named(kept)
    if not rest:
        return _const(inside)
    if not inside and len(rest) == 1 and subject.type != FORMAT:
        only = next(iter(rest))
        assert isinstance(only, (int, str))
        return tree.Compare(("==",), (subject, tree.Const(only, kept[0].type)), BOOL)
    if len(kept) == len(items):
        return node
    if len(kept) == 1:
        return tree.Compare(("==" if inside else "!=",), (subject, kept[0]), BOOL)
    found = build.member(subject, kept)
    return found if inside else tree.Compare(("not in",), found.operands, BOOL)


def _named(items: Sequence[tree.Node]) -> set[object]:
    return {item.value for item in items if isinstance(item, tree.Const)}


def _may_be(item: tree.Const, may: frozenset[object]) -> bool:
    """Whether something may have a value; private formats are not among those that its row lists."""
    return item.value in may or (item.type == FORMAT and is_private(str(item.value)))


def _is_of(product: object, named: Collection[object]) -> bool:
    """Whether a product, or what it is a member of, is one of some."""
    return product in named or products.owner(str(product)) in named


def _held_by(one: tree.Const, items: tuple[tree.Node, ...], inside: bool, node: tree.Node, known: _Known) -> tree.Node:
    """Whether one of some values is this one, of which only those count that may be."""
    may = [known.of(item) for item in items]
    kept = [item for item, values in zip(items, may, strict=True) if values is None or _may_be(one, values)]
    if len(kept) == len(items):
        return node
    if not kept:
        return _const(not inside)
    if len(kept) == 1:
        return tree.Compare(("==" if inside else "!=",), (kept[0], one), BOOL)
    listed = build.sequence(kept)
    return tree.Compare(("in" if inside else "not in",), (one, listed), BOOL)


def _joined(op: str, items: list[tree.Node]) -> tree.Node:
    """What is left of a conjunction or a disjunction."""
    end = op == "or"
    if any(_is(item, end) for item in items):
        return _const(end)
    kept = [item for item in items if not _is(item, not end)]
    if not kept:
        return _const(not end)
    return kept[0] if len(kept) == 1 else tree.Logic(op, tuple(kept), BOOL)
