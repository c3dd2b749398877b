"""Which values the arguments of legal calls may have, by rules that count in every call.

Of products, data types, formats, numbers of dims and attributes: what a page says of other values than these no reader
needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from opspec.docs.limits import limit_of
from opspec.language import build, tree
from opspec.language.interpret import Env, evaluate
from opspec.language.normal import normal
from opspec.language.prose.trees import number
from opspec.language.text import write
from opspec.language.types import BOOL, INT
from opspec.model.definition import Definition, RuleDef
from opspec.model.enforcement import enforcement
from opspec.model.produced import overwritten_on, taken_on
from opspec.model.sets import formats_on
from opspec.model.stated import stated_of
from opspec.vocabulary import products
from opspec.vocabulary.enforcement import CONTRADICTED
from opspec.vocabulary.limits import MOST_DIMS

MOST = 64  # values that are told apart
_DTYPES = ("dtype", "scalar-dtype")


@dataclass(frozen=True, slots=True)
class Domain:
    """The values that something may have.

    Args:
        rules: those that say so.
        stated: what its row says that it may have, whatever these say; None where that says nothing.
    """

    values: frozenset[object]
    rules: frozenset[str] = frozenset()
    stated: frozenset[object] | None = None


@dataclass(frozen=True, slots=True)
class Domains:
    """What may be, by what it is of (``x.dtype``), and statements that hold of every legal call.

    Args:
        held: by the text of their normal form, with the rules that say so.
        filled: tensors that must not be empty, with the rules that say so.
        plain: statements that have a name and no words.
        lacking: by product, the data types that something has on other products alone.
        there: by product, what rules say of values there and not everywhere: what is said, rule, the values.
    """

    of: Mapping[str, Domain]
    held: Mapping[str, frozenset[str]]
    filled: Mapping[str, frozenset[str]]
    plain: Mapping[str, tree.Node]
    lacking: Mapping[str, tuple[tuple[str, object], ...]]
    there: Mapping[str, tuple[tuple[str, str, frozenset[object]], ...]] = field(default_factory=dict)

    def values(self, node: tree.Node, rule: str) -> frozenset[object] | None:
        """The values that a node may have by other rules than this one; None where nothing is known."""
        found = self.of.get(name(node))
        if found is None:
            return None
        return found.stated if rule in found.rules else found.values

    def is_given(self, param: tree.Node, rule: str = "") -> bool | None:
        """Whether others than this rule say that a param is given, or that it is null; None where none does."""
        for given in (True, False):
            if _is_said(self.held, write(normal(tree.IsNone(param, given, BOOL))), rule):
                return given
        return None

    def is_filled(self, tensor: str, rule: str) -> bool:
        """Whether others than this rule say that a tensor is not empty."""
        return _is_said(self.filled, tensor, rule)


def _is_said(by: Mapping[str, frozenset[str]], text: str, rule: str) -> bool:
    """Whether other rules than this one say something."""
    said = by.get(text)
    return said is not None and rule not in said


NOTHING = Domains({}, {}, {}, {}, {})  #: what is known of an operator whose rules are said as they are


def name(node: tree.Node) -> str:
    """What a node is called that has a domain: an attribute of a list's first element as that of the list."""
    if isinstance(node, tree.Attr) and node.name in ("dtype", "format", "rank"):
        base = node.base.base if isinstance(node.base, tree.Index) and number(node.base.index) == 0 else node.base
        return f"{write(base)}.{node.name}" if isinstance(base, tree.Param) else ""
    return write(node) if isinstance(node, (tree.Attr, tree.Length, tree.Let, tree.Param, tree.Product)) else ""


def stated(definition: Definition, rules: Iterable[RuleDef]) -> Domains:
    """What some rules of an operator, which count in every call, say that all calls keep."""
    parts = [(rule.id, *_read(part)) for rule in rules for part in build.conjuncts(rule.check)]
    supported = frozenset[object](definition.supported)
    found = {**definition.once(_types), **definition.once(_formats), "product": Domain(supported, stated=supported)}
    held: dict[str, frozenset[str]] = {}
    filled: dict[str, frozenset[str]] = {}
    for rule, said, text, full in parts:
        for of, values in said:
            known = found.get(of, Domain(values))
            found[of] = Domain(known.values & values, known.rules | {rule}, known.stated)
        for by, what in ((held, text), (filled, full)):
            if what:
                by[what] = by.get(what, frozenset()) | {rule}
    for of, node in definition.lets.items():
        if (derived := _derived(node, found)) is not None:
            found[of] = derived
    worded = definition.let_words
    plain = {of: node for of, node in definition.lets.items() if node.type == BOOL and of not in worded}
    return Domains(found, held, filled, plain, definition.once(_lacking))


def _derived(node: tree.Node, known: Mapping[str, Domain]) -> Domain | None:
    """The values that something derived may have of one argument, or of one that is derived itself."""
    read = {part for part in tree.walk(node) if isinstance(part, (tree.Let, tree.Param, tree.Product))}
    found = known.get(name(next(iter(read)))) if len(read) == 1 else None
    if found is None or len(found.values) > MOST:
        return None
    (thing,) = read
    values, stated = _made(node, thing, found.values), found.stated and _made(node, thing, found.stated)
    return None if values is None else Domain(values, found.rules, stated)


def _made(node: tree.Node, thing: tree.Node, values: Iterable[object]) -> frozenset[object] | None:
    """What a value is for each of those that it is made of; None where that is more than a number or a name."""
    known = (tree.Const(value, thing.type) for value in values if isinstance(value, (int, str)))
    made = {valued(node, (thing,), (value,)) for value in known}
    return frozenset(made) if all(isinstance(value, (int, str)) for value in made) else None


def filled(node: tree.Node, known: Mapping[tree.Node, tree.Node]) -> tree.Node:
    """A node with other nodes, such as constants, in the place of some."""
    found = known.get(node)
    return tree.rebuilt(node, lambda part: filled(part, known)) if found is None else found


@lru_cache(maxsize=16384)  # releases and products have most data types in common
def valued(
    node: tree.Node, parts: tuple[tree.Node, ...], values: tuple[tree.Node, ...], product: str | None = None
) -> object:
    """What a node comes to with constants in the place of some nodes.

    Args:
        product: on which; None where that is not known.
    """
    on = (None, None) if product is None else products.resolve(product)
    return evaluate(filled(node, dict(zip(parts, values, strict=True))), Env({}, None, *on))


#: comparisons of a number of elements that say whether it is 0, and which
_ZERO = {("==", 0): True, ("<=", 0): True, ("<", 1): True, ("!=", 0): False, (">", 0): False, (">=", 1): False}


def emptiness(node: tree.Node) -> tuple[str, bool] | None:
    """The tensor of which a comparison says whether it is empty, and whether it says that it is."""
    match node:
        case tree.Compare(ops=(("in" | "not in") as op,), operands=(left, tree.Attr(base=base, name="shape"))):
            return (write(base), op == "in") if number(left) == 0 else None
        case tree.Compare(ops=(op,), operands=(tree.Attr(base=base, name="numel"), right)):
            limit = number(right)
            empty = None if limit is None else _ZERO.get((op, limit))
            return None if empty is None else (write(base), empty)
        case tree.Each(quantifier="all", source=tree.Attr(base=base, name="shape"), condition=None, element=element):
            return (write(base), False) if _is_positive(element) else None
    return None


def _is_positive(size: tree.Node) -> bool:
    """Whether a statement on a dim says that it is not 0, and no more."""
    match size:
        case tree.Compare(ops=(op,), operands=(tree.Var(), right)):
            limit = number(right)
            return limit is not None and _ZERO.get((op, limit)) is False
    return False


def is_sure(rule: RuleDef, definition: Definition) -> bool:
    """Whether a rule counts in every call that its condition is about: no program that breaks it runs."""
    plain = rule.basis != "observed" and not rule.alternatives
    return plain and CONTRADICTED not in enforcement(rule, definition).anywhere


def _doubted(definition: Definition, kinds: Iterable[str]) -> set[str | None]:
    """The params of which programs contradict what the page says."""
    rules = (rule for rule in definition.rules if rule.kind in kinds)
    return {rule.param for rule in rules if CONTRADICTED in enforcement(rule, definition).anywhere}


def _types(definition: Definition) -> dict[str, Domain]:
    """Data types that params take on some product, on some condition."""
    doubted = _doubted(definition, _DTYPES)
    found: dict[str, Domain] = {}
    for param, own in stated_of(definition).items():
        names = frozenset(dtype for said in overwritten_on(definition.spec, own, None) for dtype in said.all)
        if names and param not in doubted:
            found[f"{param}.dtype"] = Domain(names, stated=names)
    return found


def _lacking(definition: Definition) -> dict[str, tuple[tuple[str, object], ...]]:
    """By product, what data types params do not have there, of those that they have on another."""
    own = stated_of(definition)
    found: dict[str, tuple[tuple[str, object], ...]] = {}
    for product in filter(definition.supported.__contains__, definition.spec.products):
        taken = [
            (of, known.values, taken_on(definition.spec, own[of.removesuffix(".dtype")], product).all)
            for of, known in definition.once(_types).items()
        ]
        found[product] = tuple(
            (of, dtype) for of, values, here in taken for dtype in values if here and dtype not in here
        )
    return found


def _formats(definition: Definition) -> dict[str, Domain]:
    """Formats that params take; those that are private stand in rules of their own."""
    doubted = _doubted(definition, ("format", "private-format"))
    found: dict[str, Domain] = {}
    for param, own in stated_of(definition).items():
        names = frozenset(form for said in own for form in formats_on(definition.spec, said, None).all)
        if names and param not in doubted and definition.rule(f"{param}.format") is not None:
            found[f"{param}.format"] = Domain(names, stated=names)
    return found


@lru_cache(maxsize=8192)  # releases of an operator say much the same
def _read(part: tree.Node) -> tuple[tuple[tuple[str, frozenset[object]], ...], str, str]:
    """What a statement says that something may be, the text of its normal form, and the tensor that is not empty by
    it."""
    text = write(normal(part)) if isinstance(part, (tree.Call, tree.Compare, tree.Each, tree.IsNone)) else ""
    about = emptiness(part)
    return tuple(values_said(part)), text, "" if about is None or about[1] else about[0]


def values_said(part: tree.Node) -> Iterator[tuple[str, frozenset[object]]]:
    """What a statement says that something may be, where that is one of a few values."""
    match part:
        case tree.Param(type=kind) if kind == BOOL:
            yield part.name, frozenset({True})
            return
        case tree.Unary(op="not", operand=tree.Param() as operand) if operand.type == BOOL:
            yield operand.name, frozenset({False})
            return
        case tree.Compare(ops=("in",), operands=(subject, tree.Seq(items=items))) if name(subject):
            if all(isinstance(item, tree.Const) for item in items):
                yield name(subject), frozenset(item.value for item in items if isinstance(item, tree.Const))
            return
        case tree.Each(quantifier="all", variables=(own,), source=tree.Param() as source, condition=None):
            yield from values_said(tree.substituted(part.element, {own: build.index(source, 0)}))
            return
    found = limit_of(part)
    node = None if found is None else next((node for node in tree.walk(part) if name(node)), None)
    if found is None or node is None or node.type != INT or found[0] != write(node):
        return
    _, limit = found
    if isinstance(node, tree.Attr) and node.name == "rank":
        yield name(node), frozenset(rank for rank in range(MOST_DIMS + 1) if limit.holds(rank))
    elif (values := limit.among(range(-MOST, MOST))) is not None:
        yield name(node), values
