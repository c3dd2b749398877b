"""Sugar on params: each property becomes one or two rules in the rule language, with ids ``param.kind``.

One small function per property yields rules; the table at the end is the whole dispatch. Every rule is text that a
person could have written, so all uses of rules apply to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from opspec.errors import OpspecError, did_you_mean
from opspec.language.text import spelled
from opspec.model import dims
from opspec.model.draft import Draft, Path
from opspec.model.patterns import PatternError, count, interval, shape_pattern
from opspec.model.spec import NOT_SAID, Bilingual, Case, Change, Optional_, Param, Set, is_same_as
from opspec.vocabulary import ctypes_, dtypes, formats, products


@dataclass(slots=True)
class Context:
    """What the expansion of one param may look at: the kinds of all params, and the dims' values."""

    kinds: Mapping[str, str]
    bound: Mapping[str, str] = field(default_factory=dict)
    uses: Mapping[str, list[dims.Use]] = field(default_factory=dict)


def expand(param: Param, path: Path, context: Context) -> Iterator[Draft]:
    """The rules of one param."""
    for name, function in _PROPERTIES.items():
        try:
            for rule in function(param, context):
                yield replace(rule, path=(*path, name) if rule.kind != "null" else path, param=param.name)
        except OpspecError as error:
            raise SugarError(str(error), path=(*path, name)) from None


class SugarError(OpspecError):
    """A property that cannot be expanded; ``path`` is its place in the spec."""

    def __init__(self, message: str, *, where: str = "", path: Path = ()) -> None:
        super().__init__(message, where=where)
        self.path = path


def _rule(param: Param, suffix: str, check: str, kind: str | None = None, **more: Any) -> Draft:
    return Draft(
        id=f"{param.name}.{suffix}", kind=kind or suffix, check=check, path=(), step=more.pop("step", None), **more
    )


def every(param: Param, context: Context, statement: Callable[[str], str]) -> str:
    """A statement about a tensor, or about every element of a tensor list."""
    if context.kinds[param.name] == "tensor_list":
        return f"all({statement('t')} for t in {spelled(param.name)})"
    return statement(spelled(param.name))


# --- presence


def _null(param: Param, context: Context) -> Iterator[Draft]:
    if not ctypes_.parse(param.ctype).nullable or param.optional is True:
        return
    if param.reserved == "null":
        return
    when = _required_when(param.optional) if isinstance(param.optional, Optional_) else None
    yield _rule(param, "null", f"{spelled(param.name)} is not None", when=when, step="null")


def _required_when(optional: Optional_) -> str:
    parts = [f"product in {_products(optional.on)}"] if optional.on else []
    parts += [f"({optional.when})"] if optional.when else []
    return f"not ({' and '.join(parts)})" if parts else "False"


def _elements(param: Param, context: Context) -> Iterator[Draft]:
    if context.kinds[param.name] in ("tensor_list", "scalar_list") and param.reserved != "null":
        yield _rule(param, "elements", f"all(t is not None for t in {spelled(param.name)})", step="null")


def _reserved(param: Param, context: Context) -> Iterator[Draft]:
    if param.reserved == "null":
        yield _rule(param, "reserved", f"{spelled(param.name)} is None", step="attribute")
    elif param.reserved is not None:
        value = _literal(param.reserved, context.kinds[param.name])
        yield _rule(param, "reserved", f"{spelled(param.name)} == {value}", step="attribute")


# --- dtype and format


def _dtype(param: Param, context: Context) -> Iterator[Draft]:
    yield from _member_of(param, context, "dtype", param.dtype, dtypes.canonical)


def _format(param: Param, context: Context) -> Iterator[Draft]:
    value = param.format
    if value is None or value == NOT_SAID["format"]:
        return
    other = is_same_as(value)
    if other is not None:
        yield _rule(param, "format", _same(param, context, "format", other), kind="format-relation", step="format")
        return
    test = _set_test(value, "format", formats.canonical)
    public = every(param, context, lambda x: f"implies(not is_private({x}.format), {test(x)})")
    if _lists_private(test):
        private = every(param, context, lambda x: f"implies(is_private({x}.format), {test(x)})")
    else:
        private = every(param, context, lambda x: f"not is_private({x}.format)")
    yield _rule(param, "format", public, step="format")
    yield _rule(param, "private-format", private, step="format")


def _lists_private(test: Callable[[str], str]) -> bool:
    """Whether a private format is among those that a test names."""
    return any(formats.is_private(word) for word in re.findall(r"\w+", test("x")) if word in formats.names())


def _member_of(
    param: Param, context: Context, what: str, value: Members | None, canonical: Callable[[str], str]
) -> Iterator[Draft]:
    if value is None:
        return
    other = is_same_as(value)
    if other is not None:
        yield _rule(param, what, _same(param, context, what, other), kind=f"{what}-relation", step=what)
        return
    if context.kinds[param.name] in ("dtype", "scalar_list"):
        raise PatternError(
            f"a {context.kinds[param.name]} param has no {what}s; say what it may be with 'enum' or a rule"
        )
    test = _set_test(value, what, canonical)
    kind = "scalar-dtype" if context.kinds[param.name] == "scalar" else what
    yield _rule(param, what, every(param, context, test), kind=kind, step=what)


def _set_test(value: Members, what: str, canonical: Callable[[str], str]) -> Callable[[str], str]:
    cases = _cases(value)
    if cases:
        tests = [(case, _set_test(case.is_, what, canonical)) for case in cases]
        return lambda x: _choose([(case, test(x)) for case, test in tests])
    base = [canonical(name) for name in (value.any if isinstance(value, Set) else _texts(value))]
    if not base:
        raise PatternError(f"a set of {what}s has at least one member")
    changes = value.changes if isinstance(value, Set) else []
    return lambda x: _changed(f"{x}.{what}", base, changes, canonical)


def _changed(
    subject: str,
    members: list[str],
    changes: list[Change],
    canonical: Callable[[str], str],
    on: list[str] | None = None,
) -> str:
    """Membership in a set whose changes apply one after the other, each under its products and condition.

    Args:
        on: the products that an earlier change has narrowed this branch to.
    """
    if not changes:
        return f"{subject} in {_tuple(members)}"
    first, *rest = changes
    without = _changed(subject, members, rest, canonical, on)
    if on and first.on and not _share_a_product(on, first.on):
        return without
    changed = _changed(subject, _apply(first, members, canonical), rest, canonical, first.on or on)
    return without if changed == without else f"({changed}) if {_condition(first)} else ({without})"


def _share_a_product(some: list[str], others: list[str]) -> bool:
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
        raise PatternError(f"cannot subtract {missing} from {', '.join(members)}")
    return kept


def _same(param: Param, context: Context, what: str, other: str) -> str:
    return same(param.name, context.kinds, what, other)


def same(param: str, kinds: Mapping[str, str], what: str, other: str) -> str:
    """That two params, or all their elements, have the same facet.

    Raises:
        PatternError: ``other`` is no param.
    """
    if other not in kinds:
        raise PatternError(f"'same as' names no param: {other}{did_you_mean(other, kinds)}")
    mine, theirs = kinds[param] == "tensor_list", kinds[other] == "tensor_list"
    this, that = spelled(param), spelled(other)
    if mine and theirs:
        return f"all(a.{what} == b.{what} for a, b in zip({this}, {that}))"
    if mine:
        return f"all(t.{what} == {that}.{what} for t in {this})"
    return f"all({this}.{what} == t.{what} for t in {that})" if theirs else f"{this}.{what} == {that}.{what}"


def _uniform(param: Param, context: Context) -> Iterator[Draft]:
    for what in param.uniform:
        name = spelled(param.name)
        yield _rule(
            param, f"uniform-{what}", f"all(t.{what} == {name}[0].{what} for t in {name})", kind="uniform", step=what
        )


# --- rank, shape, layout


def _rank(param: Param, context: Context) -> Iterator[Draft]:
    value = param.rank
    other = is_same_as(value)
    if other is not None:
        yield _rule(param, "rank", _same(param, context, "rank", other), kind="rank-relation", step="rank")
    elif value is not None:
        check = every(param, context, lambda x: _numbers(value, f"{x}.rank"))
        yield _rule(param, "rank", check, step="rank")
    elif context.uses.get(param.name) and context.kinds[param.name] == "tensor":
        checks = [_guarded(use, dims.rank_check(use)) for use in context.uses[param.name]]
        yield _rule(param, "rank", " and ".join(checks), step="rank")


def _guarded(use: dims.Use, check: str) -> str:
    return f"implies({use.when}, {check})" if use.when is not None else check


def _numbers(value: Texts, subject: str) -> str:
    """A count, a list of them, or cases."""
    cases = _cases(value)
    if cases:
        return _choose([(case, _numbers(case.is_, subject)) for case in cases])
    if isinstance(value, list):
        return f"{subject} in {_tuple(_texts(value))}"
    return count(value, subject)


def _shape(param: Param, context: Context) -> Iterator[Draft]:
    other = is_same_as(param.shape)
    if other is not None:
        yield _rule(param, "shape", _same(param, context, "shape", other), kind="shape-relation", step="shape")
        return
    uses = context.uses.get(param.name, [])
    if context.kinds[param.name] == "tensor_list" and uses:
        patterns = [dims.Use("t", False, use.patterns, use.when) for use in uses]
        checks = [_guarded(use, dims.shape_check(use, {}) or "True") for use in patterns]
        yield _rule(param, "shape", f"all({' and '.join(checks)} for t in {spelled(param.name)})", step="shape")
        return
    found = [(use, dims.shape_check(use, context.bound)) for use in uses]
    checks = [_guarded(use, check) for use, check in found if check is not None]
    if checks:
        yield _rule(
            param,
            "shape",
            " and ".join(f"({check})" for check in checks) if len(checks) > 1 else checks[0],
            step="shape",
        )


def shape_uses(param: Param, nullable: bool) -> list[dims.Use]:
    """The symbolic shapes that a param's ``shape`` property gives it."""
    value = param.shape
    if value is None or is_same_as(value) is not None:
        return []
    cases = _cases(value)
    if cases:
        return _case_uses(param, nullable, cases)
    return [dims.Use(param.name, nullable, tuple(map(shape_pattern, _texts(value))))]


def _case_uses(param: Param, nullable: bool, cases: list[Case[_Texts]]) -> list[dims.Use]:
    uses, earlier = [], list[str]()
    for case in cases:
        texts = _texts(case.is_)
        own = _condition(case)
        when = " and ".join([f"not ({text})" for text in earlier] + ([f"({own})"] if own != "True" else []))
        uses.append(dims.Use(param.name, nullable, tuple(shape_pattern(text) for text in texts), when or None))
        earlier.append(own)
    return uses


def _strided(param: Param, context: Context) -> Iterator[Draft]:
    if param.strided == "no":
        yield _rule(param, "strided", every(param, context, lambda x: f"contiguous({x})"), step="shape")
    elif param.strided == "transposed":
        yield _rule(
            param,
            "strided",
            every(param, context, lambda x: f"contiguous({x}) or transposed_last2({x})"),
            step="shape",
        )


def _empty(param: Param, context: Context) -> Iterator[Draft]:
    if param.empty is False:
        yield _rule(param, "empty", every(param, context, lambda x: f"0 not in {x}.shape"), step="shape")


# --- attributes


def _enum(param: Param, context: Context) -> Iterator[Draft]:
    if param.enum is not None:
        kind = context.kinds[param.name]
        yield _rule(param, "enum", _one_of(param.enum, spelled(param.name), kind), step="attribute")


def _one_of(value: Texts | dict[str, Bilingual], subject: str, kind: str) -> str:
    cases = [] if isinstance(value, dict) else _cases(value)
    if cases:
        return _choose([(case, _one_of(case.is_, subject, kind)) for case in cases])
    items = list(value) if isinstance(value, dict) else _texts(value)
    return f"{subject} in {_tuple([_literal(item, kind) for item in items])}"


def _range(param: Param, context: Context) -> Iterator[Draft]:
    if param.range is not None:
        subject = spelled(param.name) + (".value" if context.kinds[param.name] == "scalar" else "")
        yield _rule(param, "range", _span(param.range, subject), step="attribute")


def _span(value: Texts, subject: str) -> str:
    cases = _cases(value)
    if cases:
        return _choose([(case, _span(case.is_, subject)) for case in cases])
    if isinstance(value, list):
        return " or ".join(f"({interval(item, subject)})" for item in _texts(value))
    return interval(value, subject)


def _length(param: Param, context: Context) -> Iterator[Draft]:
    if param.length is not None:
        yield _rule(param, "length", _numbers(param.length, f"len({spelled(param.name)})"), step="attribute")


def _each(param: Param, context: Context) -> Iterator[Draft]:
    if param.each is None:
        return
    if isinstance(param.each, list) and not _cases(param.each):
        kind = {"int_array": "int", "float_array": "float", "bool_array": "bool"}.get(context.kinds[param.name], "int")
        statement = f"v in {_tuple([_literal(item, kind) for item in _texts(param.each)])}"
    else:
        statement = _span(param.each, "v")
    yield _rule(param, "each", f"all({statement} for v in {spelled(param.name)})", step="attribute")


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


def _choose(cases: Sequence[tuple[Case[_T], str]]) -> str:
    """The check of the first case that applies; true when none does."""
    text = "True"
    for case, check in reversed(cases):
        condition = _condition(case)
        text = f"({check})" if condition == "True" else f"({check}) if {condition} else ({text})"
    return text


def _condition(case: Case[_T] | Change) -> str:
    parts = [f"product in {_products(case.on)}"] if case.on else []
    parts += [f"({case.when})"] if case.when else []
    return " and ".join(parts) or "True"


def _products(ids: list[str]) -> str:
    return _tuple([repr(name) for name in ids])


def _tuple(items: list[str]) -> str:
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def _literal(text: str, kind: str) -> str:
    """A value of a spec as a literal of the language."""
    if kind == "string":
        return repr(text)
    if kind == "bool":
        return {"true": "True", "false": "False", "1": "True", "0": "False"}.get(text.lower(), text)
    if kind == "dtype":
        return dtypes.canonical(text)
    return text


_PROPERTIES: dict[str, Callable[[Param, Context], Iterator[Draft]]] = {
    "optional": _null, "elements": _elements, "reserved": _reserved, "dtype": _dtype, "uniform": _uniform,
    "format": _format, "rank": _rank, "shape": _shape, "strided": _strided, "empty": _empty, "enum": _enum,
    "range": _range, "length": _length, "each": _each,
}  # fmt: skip
