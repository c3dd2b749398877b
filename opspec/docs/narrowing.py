"""Rules as those need them whose arguments have data types that the operator takes at all.

A rule may name data types that none of its params takes: the table of data types refuses them already, and a reader of
a page takes what a condition names for supported. The page of all rules says each rule as it is.
"""

from __future__ import annotations

from collections.abc import Mapping

from opspec.language import build, tree
from opspec.language.types import BOOL
from opspec.model.definition import Definition, RuleDef
from opspec.model.enforcement import enforcement
from opspec.model.produced import overwritten_on
from opspec.model.stated import stated_of
from opspec.vocabulary.enforcement import CONTRADICTED
from opspec.vocabulary.formats import is_private

Taken = Mapping[str, frozenset[str]]  #: param -> the data types that it takes on some product, on some condition

Parts = tuple[tree.Node | None, tree.Node]  #: the condition of a rule and its statement


def taken(definition: Definition) -> Taken:
    """What params take; nothing of those whose table programs contradict, and of those that take what there is."""
    return definition.once(_taken)


def _taken(definition: Definition) -> Taken:
    doubted = {
        rule.param
        for rule in definition.rules
        if rule.kind in ("dtype", "scalar-dtype") and CONTRADICTED in enforcement(rule, definition).anywhere
    }
    found: dict[str, frozenset[str]] = {}
    for name, own in stated_of(definition).items():
        names = frozenset(dtype for said in overwritten_on(definition.spec, own, None) for dtype in said.all)
        if names and name not in doubted:
            found[name] = names
    return found


def narrowed(rule: RuleDef, known: Taken) -> Parts | None:
    """The condition and the statement of a rule; None where the condition never holds, or the statement always does."""
    if rule.kind in ("format", "private-format"):
        return rule.when, _of_formats(rule.check, rule.kind == "private-format")
    if not known or not _names_dtypes(rule):
        return rule.when, rule.check
    when = None if rule.when is None else _narrow(rule.when, known)
    check = _narrow(rule.check, known)
    if _is(when, False) or _is(check, True):
        return None
    return None if when is None or _is(when, True) else when, rule.check if _is(check, False) else check


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


def _names_dtypes(rule: RuleDef) -> bool:
    parts = (rule.check,) if rule.when is None else (rule.check, rule.when)
    return any(isinstance(node, tree.Attr) and node.name == "dtype" for part in parts for node in tree.walk(part))


def _is(node: tree.Node | None, value: bool) -> bool:
    return isinstance(node, tree.Const) and node.value is value


def _const(value: bool) -> tree.Const:
    return tree.Const(value, BOOL)


def _narrow(node: tree.Node, known: Taken) -> tree.Node:
    match node:
        case tree.Compare(ops=(("==" | "!=") as op,), operands=(tree.Attr() as left, tree.Const() as right)):
            return _among(left, [right], op == "==", node, known)
        case tree.Compare(ops=(("in" | "not in") as op,), operands=(tree.Attr() as left, tree.Seq(items=items))):
            return _among(left, list(items), op == "in", node, known)
        case tree.Compare(ops=(("in" | "not in") as op,), operands=(tree.Const() as one, tree.Seq(items=items))):
            return _held_by(one, items, op == "in", node, known)
        case tree.Logic(op=op, items=items):
            return _joined(op, [_narrow(item, known) for item in items])
        case tree.Unary(op="not", operand=operand):
            inner = _narrow(operand, known)
            return _const(not inner.value) if isinstance(inner, tree.Const) else tree.Unary("not", inner, BOOL)
        case tree.If(condition=condition, then=then, other=other):
            found = _narrow(condition, known)
            if isinstance(found, tree.Const):
                return _narrow(then if found.value else other, known)
            return tree.If(found, _narrow(then, known), _narrow(other, known), node.type)
        case tree.Implies(condition=condition, then=then):
            found = _narrow(condition, known)
            if isinstance(found, tree.Const):
                return _narrow(then, known) if found.value else _const(True)
            return tree.Implies(found, _narrow(then, known), BOOL)
    return node


def _taken_by(node: tree.Node, known: Taken) -> frozenset[str] | None:
    """The data types that a node may be, where it is that of a param."""
    if isinstance(node, tree.Attr) and node.name == "dtype" and isinstance(node.base, tree.Param):
        return known.get(node.base.name)
    return None


def _among(subject: tree.Attr, items: list[tree.Node], inside: bool, node: tree.Node, known: Taken) -> tree.Node:
    """Whether a data type is one of these, of which only those count that it may be."""
    may = _taken_by(subject, known)
    if may is None or not all(isinstance(item, tree.Const) for item in items):
        return node
    kept = [item for item in items if isinstance(item, tree.Const) and item.value in may]
    if not kept:
        return _const(not inside)
    if may <= {item.value for item in kept}:
        return _const(inside)
    if len(kept) == len(items):
        return node
    if len(kept) == 1:
        return tree.Compare(("==" if inside else "!=",), (subject, kept[0]), BOOL)
    found = build.member(subject, kept)
    return found if inside else tree.Compare(("not in",), found.operands, BOOL)


def _held_by(one: tree.Const, items: tuple[tree.Node, ...], inside: bool, node: tree.Node, known: Taken) -> tree.Node:
    """Whether one of some data types is this one, of which only those count that may be."""
    may = [_taken_by(item, known) for item in items]
    kept = [item for item, names in zip(items, may, strict=True) if names is None or one.value in names]
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
