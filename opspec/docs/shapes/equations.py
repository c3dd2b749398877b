"""What the rules of an operator say of shapes as equations: of whole shapes, of parts of them, of single dims.

A rule counts where it holds of every call that gives its params, has elements in them and takes the usual number of
dims: a page that shows shapes at a glance shows that case. What else a rule hangs on leaves it out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from opspec.docs.covering import any_of
from opspec.docs.narrowing import domains, settled
from opspec.language import tree
from opspec.language.facts import expanded
from opspec.language.interpret import Env, evaluate
from opspec.language.prose.trees import is_attribute, number
from opspec.language.types import BOOL, INTS
from opspec.model.definition import Definition, RuleDef
from opspec.model.enforcement import enforcement
from opspec.vocabulary.enforcement import CONTRADICTED

#: what is so of something with elements and dims
_USUAL = {
    **{("numel", op, n): op in (">", ">=", "!=") for op, n in (
        (">", 0), (">", 1), (">=", 1), ("!=", 0), ("!=", 1), ("==", 0), ("==", 1), ("<", 1), ("<=", 0), ("<=", 1))},
    **{("rank", op, n): op in (">", ">=", "!=") for op, n in (
        (">", 0), (">", 1), (">=", 1), (">=", 2), ("!=", 0), ("!=", 1), ("==", 0), ("==", 1), ("<", 1), ("<", 2),
        ("<=", 0), ("<=", 1))},
}  # fmt: skip
#: formats that a page shows, as most programs have them, and those of the other order
CHANNELS_FIRST = ("NCHW", "NCDHW", "NCL")
KERNEL = re.compile("weight|filter|kernel", re.I)  #: names of tensors whose format says nothing of images
_CHANNELS_LAST = ("NHWC", "NDHWC", "NLC")


@dataclass(frozen=True, slots=True)
class Equation:
    """Two things that are equal.

    Args:
        rule: the id of the rule that says so.
        plain: whether it says so of every call that gives the params it is about.
        given: the params that may be null and must not be, for it to say anything.
        is_always: whether it has no condition.
        case: the condition that it has beside what is so in the usual case.
    """

    rule: str
    left: tree.Node
    right: tree.Node
    plain: bool
    given: frozenset[str] = frozenset()
    is_always: bool = False
    case: tree.Node | None = None

    def is_about(self, param: str) -> bool:
        """Whether it says of every call with this param what its shape is."""
        return self.given <= {param} or param in self.given

    @property
    def sides(self) -> tuple[tuple[tree.Node, tree.Node], tuple[tree.Node, tree.Node]]:
        """Each side with the other."""
        return (self.left, self.right), (self.right, self.left)


def equations(definition: Definition, is_usual: bool = False) -> Iterator[Equation]:
    """The equations that a definition's rules state, in their order.

    Args:
        is_usual: whether with those that some programs contradict but most calls keep, and those that are for one case.
    """
    nullable = frozenset(param.name for param in definition.params if param.nullable)
    attributes = {param.name for param in definition.params if param.kind not in ("tensor", "tensor_list")}
    for rule in _stated(definition, is_usual):
        when = None if rule.when is None else settled(rule.when, domains(definition), rule.id)
        holds = {decided(part, definition) for part in _conditions(rule, when, definition)}
        if False in holds or (None in holds and not is_usual):
            continue
        plain = when is None or _is_of_presence(when, definition)
        asked = _asked_for(rule.check, definition)
        needed = set() if rule.when is None else _asked_for(rule.when, definition) - attributes
        given = nullable & ({name for name, _ in definition.read_by(rule)} - asked | needed)
        case = when if None in holds else None
        for left, right in _equal(rule):
            yield Equation(rule.id, left, right, plain and not asked & attributes, given, rule.when is None, case)


def _asked_for(check: tree.Node, definition: Definition) -> set[str]:
    """The params of which a statement itself says what holds where they are null."""
    asked = {part.operand for part in expanded(check, definition.lets) if isinstance(part, tree.IsNone)}
    return {node.name for node in asked if isinstance(node, tree.Param)}


def _stated(definition: Definition, is_usual: bool) -> Iterator[RuleDef]:
    """The rules with equations that pages state and no programs contradict; those that require the same, each under the
    condition that one of theirs holds."""
    kept = [
        rule
        for rule in definition.rules
        if not (rule.basis == "observed" or rule.alternatives) and any(True for _ in _equal(rule))
        if is_usual
        or not (rule.id in definition.contradicted or enforcement(rule, definition).anywhere == {CONTRADICTED})
    ]
    by_check: dict[tree.Node, list[tree.Node | None]] = {}
    for rule in kept:
        by_check.setdefault(rule.check, []).append(rule.when)
    joined = {
        check: found
        for check, whens in by_check.items()
        if len(whens) > 1 and (found := any_of(whens, definition, domains(definition))) is not None
    }
    for rule in kept:
        yield rule.but(when=joined[rule.check][0]) if rule.check in joined else rule


def stated_whole(definition: Definition, found: Iterable[Equation]) -> frozenset[str]:
    """The rules that say nothing but these equations, of every call."""
    counts = Counter(equation.rule for equation in found if equation.plain)
    return frozenset(rule.id for rule in definition.rules if counts[rule.id] == _count(_plain(rule.check)) > 0)


def _count(node: tree.Node) -> int:
    """How many equations a statement is; 0 of one that says something else, too."""
    counts = [_compared(part) for part in _joined(node)]
    return sum(counts) if all(counts) else 0


def _compared(part: tree.Node) -> int:
    return len(part.ops) if isinstance(part, tree.Compare) and set(part.ops) <= {"==", "in"} else 0


def _equal(rule: RuleDef) -> Iterator[tuple[tree.Node, tree.Node]]:
    for part in _joined(_plain(rule.check)):
        match part:
            case tree.Compare(ops=ops, operands=operands) if set(ops) == {"=="}:
                yield from ((left, operands[-1]) for left in operands[:-1])
            case tree.Compare(ops=("in",), operands=(left, right)) if is_choice(right):
                yield left, right


def _joined(node: tree.Node) -> Iterator[tree.Node]:
    if isinstance(node, tree.Logic) and node.op == "and":
        for item in node.items:
            yield from _joined(_plain(item))
    else:
        yield node


def _plain(node: tree.Node) -> tree.Node:
    """A statement without what makes it one about a list: what it says of an element, which the list stands for."""
    while True:
        match node:
            case tree.Given(operand=operand):
                node = operand
            case tree.Each(quantifier="all", condition=None) if all(isinstance(x, tree.Param) for x in node.sources):
                bound: Mapping[str, tree.Node] = dict(zip(node.variables, node.sources, strict=False))
                node = tree.substituted(node.element, bound)
            case _:
                return node


def _conditions(rule: RuleDef, when: tree.Node | None, definition: Definition) -> Iterator[tree.Node]:
    """What a rule asks for beforehand, but for what its own statement implies or what is so in the usual case."""
    if when is None:
        return
    nullable = {param.name for param in definition.params if param.nullable}
    for part in _joined(when):
        match part, rule.check:
            case (
                tree.Compare(ops=("==",), operands=(tree.Attr(name="numel"), tree.Call(function="prod", args=(size,)))),
                tree.Compare(ops=("==",), operands=(_, shape)),
            ) if size == shape:
                continue
            case tree.Compare(ops=(">",), operands=(tree.Param() | tree.Let() as size, limit)), _ if number(limit) == 0:
                if size in tree.walk(rule.check):  # a dim
                    continue
            case tree.Compare(ops=(">",), operands=(tree.Length(operand=tree.Param(name=name)), limit)), _:
                if name in nullable and number(limit) == 0:
                    continue  # axes that are given
            case tree.Param(), _ if part.type == BOOL and rule.param in nullable:
                continue  # it says whether there is such an output
        yield part


def _is_of_presence(node: tree.Node, definition: Definition) -> bool:
    """Whether a condition is that params are given and have elements, or holds by what is assumed of attributes."""
    if constant(node) is True:
        return True
    if isinstance(node, tree.Logic) and node.op == "and":
        return all(_is_of_presence(item, definition) for item in node.items)
    if isinstance(node, tree.Each) and node.condition is None:
        return _is_of_presence(node.element, definition)
    if isinstance(node, tree.Compare) and isinstance(node.operands[0], tree.Attr):
        return node.operands[0].name == "numel" and decided(node, definition) is True
    return isinstance(node, tree.IsNone) or _is_of_count(node, definition)


def is_of_size(node: tree.Node, definition: Definition) -> bool:
    """Whether a condition is about nothing but whether there are elements, in tensors or of what is counted."""
    if isinstance(node, tree.Logic):
        return all(is_of_size(item, definition) for item in node.items)
    if isinstance(node, tree.Each) and node.condition is None:
        return is_of_size(node.element, definition)
    if isinstance(node, tree.Compare) and isinstance(node.operands[0], tree.Attr):
        return node.operands[0].name == "numel"
    return _is_of_count(node, definition)


def _is_of_count(node: tree.Node, definition: Definition) -> bool:
    """Whether a condition is that a dim, or what is computed of dims and arguments, is 0 or is not."""
    match node:
        case tree.Compare(ops=(">" | ">=" | "==" | "!=" as op,), operands=(counted, limit)):
            least = 1 if op == ">=" else 0
            return number(limit) == least and (is_dim(counted, definition) or _is_computed(counted, definition))
    return False


def _is_computed(node: tree.Node, definition: Definition) -> bool:
    """Whether a value is computed of dims, and named."""
    return isinstance(node, tree.Let) and any(facet == "shape" for _, facet in definition.let_facts(node.name))


def is_dim(node: tree.Node, definition: Definition) -> bool:
    """Whether a value is a dim of a tensor."""
    while isinstance(node, tree.Let):
        node = definition.lets[node.name]
    return isinstance(node, tree.Index) and shaped(node.base) is not None


def decided(node: tree.Node, definition: Definition) -> bool | None:
    """Whether a condition holds in the usual case; None where that cannot be told."""
    known = constant(node)
    if known is not None:
        return known
    on = tree.on_products(node)
    if on is not None:
        inside = {on.holds(name) for name in _products(definition)}
        return inside.pop() if len(inside) == 1 else None
    match node:
        case tree.IsNone(operand=tree.Param()):
            return node.negated
        case tree.Let(name=name):
            return decided(definition.lets[name], definition)
        case tree.Unary(op="not", operand=operand):
            inner = decided(operand, definition)
            return None if inner is None else not inner
        case tree.Logic(op=op, items=items):
            found = [decided(item, definition) for item in items]
            if (op == "or") in found:
                return op == "or"
            return None if None in found else op == "and"
        case tree.Each(quantifier="all" | "any", element=element, condition=None):
            return decided(element, definition)  # each of them has elements
        case tree.Compare(ops=(op,), operands=(left, right)) if number(right) == 0 and is_dim(left, definition):
            return {">": True, "!=": True, "==": False, "<=": False}.get(op)
        case tree.Compare(ops=("!=",), operands=(tree.Attr(name="shape"), tree.Seq(items=(tree.Const(value=0),)))):
            return True
        case tree.Compare(ops=(op,), operands=(tree.Attr(name="format"), right)):
            named = right.items if isinstance(right, tree.Seq) else (right,)
            last = all(isinstance(one, tree.Const) and one.value in _CHANNELS_LAST for one in named)
            return op in ("not in", "!=") if last else None
        case tree.Compare(ops=(op,), operands=(tree.Attr(name=name), right)):
            limit = number(right)
            return None if limit is None else _USUAL.get((name, op, limit))
    return None


def constant(node: tree.Node) -> bool | None:
    """What a condition on constants comes to; None of any other."""
    match node:
        case tree.Const(value=bool() as value):
            return value
        case tree.Unary(op="not", operand=operand):
            inner = constant(operand)
            return None if inner is None else not inner
        case tree.Logic(op=op, items=items):
            found = [constant(item) for item in items]
            if (op == "or") in found:
                return op == "or"
            return None if None in found else op == "and"
        case tree.Compare(ops=("==" | "!=" as op,), operands=(tree.Const(value=left), tree.Const(value=right))):
            return (left == right) == (op == "==")
        case tree.Compare(ops=("in" | "not in" as op,), operands=(tree.Const(value=left), tree.Seq(items=items))):
            values = [item.value for item in items if isinstance(item, tree.Const)]
            return (left in values) == (op == "in") if len(values) == len(items) else None
        case tree.IsNone(operand=tree.Const()):
            return node.negated
        case tree.Call(args=args) if node.type == BOOL and all(isinstance(arg, tree.Const) for arg in args):
            holds = evaluate(node, Env({}))
            return holds if isinstance(holds, bool) else None
    return None


def _products(definition: Definition) -> tuple[str, ...]:
    supported = tuple(name for name, value in definition.spec.products.items() if value == "yes")
    return supported or tuple(definition.spec.products)


def is_choice(node: tree.Node) -> bool:
    """Whether a node is several shapes of which something has one."""
    if not isinstance(node, tree.Seq) or any(node.starred):
        return False
    return bool(node.items) and all(
        item.type == INTS or (isinstance(item, tree.Seq) and not item.items) for item in node.items
    )


def shaped(node: tree.Node) -> str | None:
    """The param whose shape this is: ``x`` of ``x.shape`` and of ``x[0].shape``, which stands for a list's."""
    if not is_attribute(node, "shape"):
        return None
    base = node.base
    if isinstance(base, tree.Index):
        base = base.base if number(base.index) == 0 else base
    return base.name if isinstance(base, tree.Param) else None
