"""Opposites of statements: what a sentence with "not", "unless" or "otherwise" says."""

from __future__ import annotations

import re
from collections.abc import Callable

from opspec.language import build, tree
from opspec.language.prose.trees import is_const, more_on
from opspec.language.types import BOOL, INT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.vocabulary.literals import Lang

_OPPOSITE = {"==": "!=", "!=": "==", "in": "not in", "not in": "in"}
_OPPOSITE_ORDER = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def negated(node: tree.Node) -> tree.Node | None:
    """A node that says the opposite without a ``not``, where there is a plain one."""
    if isinstance(node, tree.Compare) and len(node.ops) == 1 and node.ops[0] in _OPPOSITE:
        return tree.Compare((_OPPOSITE[node.ops[0]],), node.operands, node.type)
    if isinstance(node, tree.Compare) and len(node.ops) == 1 and all(item.type == INT for item in node.operands):
        return tree.Compare((_OPPOSITE_ORDER[node.ops[0]],), node.operands, node.type)  # NaN is no integer
    if isinstance(node, tree.IsNone):
        return tree.IsNone(node.operand, not node.negated, node.type)
    return node.operand if isinstance(node, tree.Unary) and node.op == "not" else None


#: how an author's clause of one statement is denied: the first form that fits, by language
_DENIED: dict[Lang, tuple[tuple[re.Pattern[str], str], ...]] = {
    "en": (
        (re.compile(r"(?=(?:every|exactly) )"), "not "),
        (re.compile(r"(?![^(]* (?:and|or|are|if) )([^(]*? is )"), r"\1not "),
    ),
    "zh": (
        (re.compile(r"([^且或]*?中)(?=恰有)"), r"\1并非"),
        (re.compile(r"([\w\[\]]+)(?=为[^且或]*$)", re.ASCII), r"\1不"),
    ),
}  # fmt: skip


def denied_words(clause: str, lang: Lang) -> str | None:
    """What an author's clause denies, where a word put into it says so; None where "it is not the case" is clearer."""
    for form, words in _DENIED[lang]:
        found, count = form.subn(words, clause, count=1) if form.match(clause) else ("", 0)
        if count:
            return found
    return None


def denied(node: tree.Node) -> tree.Node:
    """What holds where a requirement is not met, for words: of several parts one, of every element some."""
    match node:
        case tree.Given():
            return denied(node.operand)
        case tree.Implies():
            return tree.Implies(node.condition, denied(node.then), BOOL)
        case tree.If() if is_const(node.other, True):
            return tree.Implies(node.condition, denied(node.then), BOOL)
        case tree.If() if is_const(node.then, True):
            return tree.Implies(tree.Unary("not", node.condition, BOOL), denied(node.other), BOOL)
        case tree.If():
            return tree.If(node.condition, denied(node.then), denied(node.other), BOOL)
        case tree.Logic(op="and"):
            return tree.Logic("or", tuple(map(_denied_part, node.items)), BOOL)
        case tree.Logic():
            more = more_on(node)
            if more is not None:
                return denied(more)
            return tree.Logic("and", tuple(map(denied, node.items)), BOOL)
        case tree.Each(quantifier="all"):
            return tree.Each("any", denied(node.element), node.variables, node.source, node.condition, BOOL)
        case tree.Each(quantifier="any"):
            return tree.Each("all", denied(node.element), node.variables, node.source, node.condition, BOOL)
    return negated(node) or tree.Unary("not", node, BOOL)


def taken_apart(node: tree.Node) -> tree.Node:
    """``not (a and b)`` as ``not a or not b``; any other statement as it is."""
    several = isinstance(node, tree.Unary) and node.op == "not" and isinstance(node.operand, tree.Logic)
    return denied(node.operand) if several and node.operand.op == "and" else node  # type: ignore[union-attr]


def as_alternatives(node: tree.Node) -> tree.Logic | None:
    """``a if c else b`` as ``c and a or not c and b``, which may stand behind an "if"; None of others."""
    if not isinstance(node, tree.If) or build.TRUE in (node.then, node.other):
        return None
    other = negated(node.condition) or tree.Unary("not", node.condition, BOOL)
    cases = ((node.condition, node.then), (other, node.other))
    return tree.Logic("or", tuple(tree.Logic("and", case, BOOL) for case in cases), BOOL)


def _denied_part(node: tree.Node) -> tree.Node:
    """One of several that may be what is not met: "if a, not b" of it alone, beside others "a and not b"."""
    found = denied(node)
    if not isinstance(found, tree.Implies):
        return found
    parts = [
        part for side in (found.condition, found.then)
        for part in build.conjuncts(side)
    ]  # fmt: skip
    return tree.Logic("and", tuple(parts), BOOL)


def opened(node: tree.Node, meant: Callable[[tree.Node], tree.Node]) -> tree.Node:
    """``not (a and b)`` as ``not a or not b``, a name as the "and" that it stands for; any other statement as it is."""
    if isinstance(node, tree.Unary) and node.op == "not":
        inner = meant(node.operand)
        return denied(inner) if isinstance(inner, (tree.Logic, tree.IsNone)) else node
    inner = meant(node)
    joined = isinstance(inner, tree.IsNone) or (isinstance(inner, tree.Logic) and inner.op == "and")
    return inner if joined else node
