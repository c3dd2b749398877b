"""Sugar on params: each property becomes one or two rules, with ids ``param.kind``.

One small function per property yields rules; the table at the end is the whole dispatch. Every rule is a tree of the
rule language, as a person could have written it, so all uses of rules apply to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from opspec.errors import SpecError, did_you_mean
from opspec.language import build, tree
from opspec.language.types import BOOL, DTYPE, FORMAT, INT, STR, Type
from opspec.model import dims
from opspec.model.draft import Draft, Path
from opspec.model.faults import Faults
from opspec.model.names import Names
from opspec.model.patterns import count, interval, shape_pattern
from opspec.model.spec import NOT_SAID, Optional_, Param, is_same_as
from opspec.model.values import Bilingual, Case, Change, Set
from opspec.vocabulary import ctypes_, dtypes, formats, products
from opspec.vocabulary.literals import Kind

Statement = Callable[[tree.Node], tree.Node]


@dataclass(slots=True)
class Context:
    """What the expansion of one param may look at.

    Args:
        kinds: the kinds of all params.
        bound: the dims that symbolic shapes bind.
        uses: the symbolic shapes of each param.
    """

    names: Names
    kinds: Mapping[str, str]
    bound: frozenset[str] = frozenset()
    uses: Mapping[str, list[dims.Use]] = field(default_factory=dict)

    def every(self, param: str, statement: Statement) -> tree.Node:
        """A statement about an argument, or about every element of a tensor list."""
        return self.each(param, statement) if self.kinds[param] == "tensor_list" else statement(self.names.param(param))

    def each(self, param: str, statement: Statement, variable: str = "t") -> tree.Node:
        """A statement about every element of a list."""
        return build.every(self.names.param(param), statement, [self.names.variable(variable)])


def expand(param: Param, path: Path, context: Context, faults: Faults) -> Iterator[Draft]:
    """The rules of one param.

    Args:
        faults: keeps those of properties that mean nothing.
    """
    for name, function in _PROPERTIES.items():
        rules: list[Draft] = []
        with faults.placed((*path, name)):
            rules += function(param, context)
        for rule in rules:
            yield rule.but(path=(*path, name) if rule.kind != "null" else path, param=param.name)


def _rule(param: Param, suffix: str, check: tree.Node, kind: Kind, **more: Any) -> Draft:
    return Draft(id=f"{param.name}.{suffix}", kind=kind, check=check, path=(), **more)


# --- presence


def _null(param: Param, context: Context) -> Iterator[Draft]:
    if not ctypes_.parse(param.ctype).nullable or param.optional is True:
        return
    if param.reserved == "null":
        return
    when = _required_when(param.optional, context.names) if isinstance(param.optional, Optional_) else None
    yield _rule(param, "null", build.present(context.names.param(param.name)), when=when, step="null", kind="null")


def _required_when(optional: Optional_, names: Names) -> tree.Node:
    when = names.condition(optional.on, optional.when)
    return build.FALSE if when is None else build.negated(when)


def _elements(param: Param, context: Context) -> Iterator[Draft]:
    if context.kinds[param.name] in ("tensor_list", "scalar_list") and param.reserved != "null":
        yield _rule(param, "elements", context.each(param.name, build.present), step="null", kind="elements")


def _reserved(param: Param, context: Context) -> Iterator[Draft]:
    subject = context.names.param(param.name)
    if param.reserved == "null":
        yield _rule(param, "reserved", build.is_none(subject), step="attribute", kind="reserved")
    elif param.reserved is not None:
        value = _literal(param.reserved, context.kinds[param.name], context.names)
        yield _rule(param, "reserved", build.equal(subject, value), step="attribute", kind="reserved")


# --- dtype and format


def _dtype(param: Param, context: Context) -> Iterator[Draft]:
    if param.dtype is None:
        return
    kind = context.kinds[param.name]
    other = is_same_as(param.dtype)
    if other is not None:
        check = same(context, param.name, "dtype", other)
        yield _rule(param, "dtype", check, kind="dtype-relation", step="dtype")
        return
    if kind in ("dtype", "scalar_list"):
        raise SpecError(f"a {kind} param has no dtypes; say what it may be with 'enum' or a rule")
    test = _set_test(param.dtype, _DTYPES, context.names)
    of: Kind = "scalar-dtype" if kind == "scalar" else "dtype"
    yield _rule(param, "dtype", context.every(param.name, test), kind=of, step="dtype")


def _format(param: Param, context: Context) -> Iterator[Draft]:
    value = param.format
    if value is None or value == NOT_SAID["format"]:
        return
    other = is_same_as(value)
    if other is not None:
        check = same(context, param.name, "format", other)
        yield _rule(param, "format", check, kind="format-relation", step="format")
        return
    test = _set_test(value, _FORMATS, context.names)
    names_private = any(formats.is_private(name) for name in _named(value))

    def public(x: tree.Node) -> tree.Node:
        return build.implies(build.negated(_is_private(x)), test(x))

    def private(x: tree.Node) -> tree.Node:
        return build.implies(_is_private(x), test(x)) if names_private else build.negated(_is_private(x))

    yield _rule(param, "format", context.every(param.name, public), step="format", kind="format")
    yield _rule(param, "private-format", context.every(param.name, private), step="format", kind="private-format")


def _is_private(x: tree.Node) -> tree.Node:
    return build.call("is_private", [build.attribute(x, "format")])


@dataclass(frozen=True, slots=True)
class _Facet:
    """A facet of which a property gives a set of names.

    Args:
        canonical: spelling -> name.
    """

    name: str
    type: Type
    canonical: Callable[[str], str]

    def is_one_of(self, subject: tree.Node, members: Iterable[str]) -> tree.Node:
        return build.member(build.attribute(subject, self.name), [build.constant(name, self.type) for name in members])


_DTYPES, _FORMATS = _Facet("dtype", DTYPE, dtypes.canonical), _Facet("format", FORMAT, formats.canonical)


def _named(value: Members) -> Iterator[str]:
    """The formats that a property names, whether it adds them or takes them away."""
    for case in _cases(value):
        yield from _named(case.is_)
    yield from map(formats.canonical, value.any if isinstance(value, Set) else _texts(value))
    for change in value.changes if isinstance(value, Set) else ():
        yield from map(formats.canonical, (*change.replace, *change.add))


def _set_test(value: Members, facet: _Facet, names: Names) -> Statement:
    cases = _cases(value)
    if cases:
        tests = [(names.condition(case.on, case.when), _set_test(case.is_, facet, names)) for case in cases]
        return lambda x: _choose([(condition, test(x)) for condition, test in tests])
    base = [facet.canonical(name) for name in (value.any if isinstance(value, Set) else _texts(value))]
    if not base:
        raise SpecError(f"a set of {facet.name}s has at least one member")
    changes = value.changes if isinstance(value, Set) else []
    return lambda x: _changed(x, base, changes, facet, names)


def _changed(
    subject: tree.Node, members: list[str], changes: list[Change], facet: _Facet, names: Names, on: Sequence[str] = ()
) -> tree.Node:
    """Membership in a set whose changes apply one after the other, each under its products and condition.

    Args:
        on: the products that an earlier change has narrowed this branch to.
    """
    if not changes:
        return facet.is_one_of(subject, members)
    first, *rest = changes
    without = _changed(subject, members, rest, facet, names, on)
    if on and first.on and not _share_a_product(on, first.on):
        return without
    changed = _changed(subject, _apply(first, members, facet.canonical), rest, facet, names, first.on or on)
    if changed == without:
        return without
    return build.chosen(names.condition(first.on, first.when) or build.TRUE, changed, without)


def _share_a_product(some: Iterable[str], others: Iterable[str]) -> bool:
    return not {products.owner(name) for name in some}.isdisjoint(products.owner(name) for name in others)


def _apply(change: Change, members: list[str], canonical: Callable[[str], str]) -> list[str]:
    if change.replace:
        return [canonical(name) for name in change.replace]
    if change.add:
        return list(dict.fromkeys([*members, *map(canonical, change.add)]))
    gone = set(map(canonical, change.subtract))
    kept = [name for name in members if name not in gone]
    if not kept or not gone <= set(members):
        missing = ", ".join(sorted(gone - set(members)) or sorted(gone))
        raise SpecError(f"cannot subtract {missing} from {', '.join(members)}")
    return kept


def same(context: Context, param: str, what: str, other: str) -> tree.Node:
    """That two params, or all their elements, have the same facet.

    Raises:
        SpecError: ``other`` is no param.
    """
    if other not in context.kinds:
        raise SpecError(f"'same as' names no param: {other}{did_you_mean(other, context.kinds)}")

    def equal(a: tree.Node, b: tree.Node) -> tree.Node:
        return build.equal(build.attribute(a, what), build.attribute(b, what))

    this, that = context.names.param(param), context.names.param(other)
    if context.kinds[param] == "tensor_list" and context.kinds[other] == "tensor_list":
        return build.every(build.side_by_side([this, that]), equal, [context.names.variable(name) for name in "ab"])
    if context.kinds[param] == "tensor_list":
        return context.each(param, lambda t: equal(t, that))
    return context.every(other, lambda t: equal(this, t))


def _uniform(param: Param, context: Context) -> Iterator[Draft]:
    for what in param.uniform:
        first = build.attribute(build.index(context.names.param(param.name), 0), what)
        check = context.each(param.name, lambda t: build.equal(build.attribute(t, what), first))  # noqa: B023
        yield _rule(param, f"uniform-{what}", check, kind="uniform", step=what)


# --- rank, shape, layout


def _rank(param: Param, context: Context) -> Iterator[Draft]:
    value = param.rank
    other = is_same_as(value)
    if other is not None:
        yield _rule(param, "rank", same(context, param.name, "rank", other), kind="rank-relation", step="rank")
    elif value is not None:
        check = context.every(param.name, lambda x: _numbers(value, build.attribute(x, "rank"), context.names))
        yield _rule(param, "rank", check, step="rank", kind="rank")
    elif context.uses.get(param.name) and context.kinds[param.name] == "tensor":
        subject = context.names.param(param.name)
        checks = [_guarded(use, dims.rank_check(use, subject), context.names) for use in context.uses[param.name]]
        yield _rule(param, "rank", build.all_of(checks), step="rank", kind="rank")


def _guarded(use: dims.Use, check: tree.Node, names: Names) -> tree.Node:
    when = use.when(names)
    return check if when is None else build.implies(when, check)


def _numbers(value: Texts, subject: tree.Node, names: Names) -> tree.Node:
    """A count, a list of them, or cases."""
    cases = _cases(value)
    if cases:
        return _by_case(cases, lambda item: _numbers(item, subject, names), names)
    if isinstance(value, list):
        return build.member(subject, [names.read(text) for text in _texts(value)])
    return count(value, subject, names.read)


def _shape(param: Param, context: Context) -> Iterator[Draft]:
    other = is_same_as(param.shape)
    if other is not None:
        yield _rule(param, "shape", same(context, param.name, "shape", other), kind="shape-relation", step="shape")
        return
    uses = context.uses.get(param.name, [])
    if not uses:
        return
    if context.kinds[param.name] == "tensor_list":
        yield _rule(
            param, "shape", context.each(param.name, lambda t: _shapes(uses, t, context)), step="shape", kind="shape"
        )
        return
    subject, names = context.names.param(param.name), context.names
    found = [(use, dims.shape_check(use, subject, names, context.bound)) for use in uses]
    checks = [_guarded(use, check, names) for use, check in found if check is not None]
    if checks:
        yield _rule(param, "shape", build.all_of(checks), step="shape", kind="shape")


def _shapes(uses: list[dims.Use], element: tree.Node, context: Context) -> tree.Node:
    """The shapes of an element of a list, which binds no dims."""
    names = context.names
    return build.all_of([_guarded(use, dims.shape_check(use, element, names, ()) or build.TRUE, names) for use in uses])


def shape_uses(param: Param, nullable: bool) -> list[dims.Use]:
    """The symbolic shapes that a param's ``shape`` property gives it."""
    value = param.shape
    if value is None or is_same_as(value) is not None:
        return []
    cases = _cases(value)
    if not cases:
        return [dims.Use(param.name, nullable, tuple(map(shape_pattern, _texts(value))))]
    conditions = tuple(dims.Condition(case.on, case.when) for case in cases)
    return [
        dims.Use(param.name, nullable, tuple(map(shape_pattern, _texts(case.is_))), conditions[: i + 1])
        for i, case in enumerate(cases)
    ]


def _strided(param: Param, context: Context) -> Iterator[Draft]:
    if param.strided == "no":
        yield _rule(param, "strided", context.every(param.name, _contiguous), step="shape", kind="strided")
    elif param.strided == "transposed":

        def either(x: tree.Node) -> tree.Node:
            return build.any_of([_contiguous(x), build.call("transposed_last2", [x])])

        yield _rule(param, "strided", context.every(param.name, either), step="shape", kind="strided")


def _contiguous(x: tree.Node) -> tree.Node:
    return build.call("contiguous", [x])


def _empty(param: Param, context: Context) -> Iterator[Draft]:
    if param.empty is False:
        yield _rule(param, "empty", context.every(param.name, _has_no_zero), step="shape", kind="empty")


def _has_no_zero(x: tree.Node) -> tree.Node:
    return build.compare(["not in"], [build.constant(0, INT), build.attribute(x, "shape")])


# --- attributes


def _enum(param: Param, context: Context) -> Iterator[Draft]:
    if param.enum is not None:
        subject, kind = context.names.param(param.name), context.kinds[param.name]
        yield _rule(param, "enum", _one_of(param.enum, subject, kind, context.names), step="attribute", kind="enum")


def _one_of(value: Texts | dict[str, Bilingual], subject: tree.Node, kind: str, names: Names) -> tree.Node:
    cases = [] if isinstance(value, dict) else _cases(value)
    if cases:
        return _by_case(cases, lambda item: _one_of(item, subject, kind, names), names)
    items = list(value) if isinstance(value, dict) else _texts(value)
    return build.member(subject, [_literal(item, kind, names) for item in items])


def _range(param: Param, context: Context) -> Iterator[Draft]:
    if param.range is not None:
        subject: tree.Node = context.names.param(param.name)
        if context.kinds[param.name] == "scalar":
            subject = build.attribute(subject, "value")
        yield _rule(param, "range", _span(param.range, subject, context.names), step="attribute", kind="range")


def _span(value: Texts, subject: tree.Node, names: Names) -> tree.Node:
    cases = _cases(value)
    if cases:
        return _by_case(cases, lambda item: _span(item, subject, names), names)
    return build.any_of([interval(item, subject, names.read) for item in _texts(value)])


def _length(param: Param, context: Context) -> Iterator[Draft]:
    if param.length is not None:
        subject = build.length(context.names.param(param.name))
        yield _rule(param, "length", _numbers(param.length, subject, context.names), step="attribute", kind="length")


def _each(param: Param, context: Context) -> Iterator[Draft]:
    value = param.each
    if value is None:
        return

    def statement(v: tree.Node) -> tree.Node:
        if isinstance(value, list) and not _cases(value):
            kind = {"float_array": "float", "bool_array": "bool"}.get(context.kinds[param.name], "int")
            return build.member(v, [_literal(item, kind, context.names) for item in _texts(value)])
        return _span(value, v, context.names)

    yield _rule(param, "each", context.each(param.name, statement, "v"), step="attribute", kind="each")


# --- shared notations


_Texts = str | list[str]
_Members = str | list[str] | Set
#: what properties hold: see ``opspec.model.spec``
Texts = _Texts | list[Case[_Texts]]
Members = _Members | list[Case[_Members]]

_T = TypeVar("_T")


def _cases(value: Sequence[str | Case[_T]] | Set) -> list[Case[_T]]:
    """The cases of a property; none where it has another form."""
    return [] if isinstance(value, (str, Set)) else [item for item in value if isinstance(item, Case)]


def _texts(value: Sequence[str | Case[_T]] | Set) -> list[str]:
    """The texts of a property that has no cases: one, or a list."""
    if isinstance(value, str):
        return [value]
    return [] if isinstance(value, Set) else [item for item in value if isinstance(item, str)]


def _by_case(cases: Sequence[Case[_T]], check: Callable[[_T], tree.Node], names: Names) -> tree.Node:
    return _choose([(names.condition(case.on, case.when), check(case.is_)) for case in cases])


def _choose(cases: Sequence[tuple[tree.Node | None, tree.Node]]) -> tree.Node:
    """The check of the first case that applies; true when none does."""
    chosen: tree.Node = build.TRUE
    for condition, check in reversed(cases):
        chosen = check if condition is None else build.chosen(condition, check, chosen)
    return chosen


def _literal(text: str, kind: str, names: Names) -> tree.Node:
    """A value of a spec as a literal of the language."""
    if kind == "string":
        return build.constant(text, STR)
    if kind == "bool" and text.lower() in _BOOLEANS:
        return build.constant(_BOOLEANS[text.lower()], BOOL)
    return build.constant(dtypes.canonical(text), DTYPE) if kind == "dtype" else names.read(text)


_BOOLEANS = {"true": True, "false": False, "1": True, "0": False}

_PROPERTIES: dict[str, Callable[[Param, Context], Iterator[Draft]]] = {
    "optional": _null, "elements": _elements, "reserved": _reserved, "dtype": _dtype, "uniform": _uniform,
    "format": _format, "rank": _rank, "shape": _shape, "strided": _strided, "empty": _empty, "enum": _enum,
    "range": _range, "length": _length, "each": _each,
}  # fmt: skip
