"""What differs between two versions of an operator, as their specs have it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from opspec.docs.demands import Demands
from opspec.docs.saying import Sayings
from opspec.language import tree
from opspec.language.text import write
from opspec.model.definition import Definition, ParamDef, RuleDef
from opspec.model.sets import dtypes_on
from opspec.model.stated import common, stated_of

MOST_RULES = 3  # sentences that are said; further rules are named
MOST_NAMES = 8


@dataclass(frozen=True, slots=True)
class Changes:
    """What is new since an earlier version of the operator."""

    since: str
    lines: tuple[str, ...]


def changes(sayings: Sayings, before: Definition) -> Changes:
    """What differs from another operator of the same release."""
    return Changes(before.name, tuple(_lines(sayings, before)))


def _lines(sayings: Sayings, before: Definition) -> Iterator[str]:
    now, words = sayings.definition, sayings.words
    others = dict(renamed(before.params, now.params))
    old, new = ({param.name: param for param in side.params} for side in (before, now))
    added = [name for name in new if name not in old and name not in others.values()]
    gone = [name for name in old if name not in new and name not in others]
    for key, names in (("added", added), ("gone", gone)):
        if names:
            yield words[f"params_{key}"].format(sayings.listed(f"`{name}`" for name in names))
    if others:
        pairs = (words["renamed_to"].format(was, name) for was, name in others.items())
        yield words["params_renamed"].format(sayings.listed(pairs))
    kept = {name: name for name in old if name in new} | others
    for was, name in kept.items():
        if old[was].ctype.removeprefix("const ") != new[name].ctype.removeprefix("const "):
            yield words["ctype_changed"].format(f"`{name}`", f"`{old[was].ctype}`", f"`{new[name].ctype}`")
    yield from _dtypes(sayings, before, kept)
    yield from _support(sayings, before)
    yield from _rules(sayings.plain, before, {*added, *gone, *others, *others.values()})


def renamed(old: tuple[ParamDef, ...], new: tuple[ParamDef, ...]) -> Iterator[tuple[str, str]]:
    """A param that is gone and a new one in its place: of nearly its name, else the only one there of its C type and
    direction."""
    for gone, added in _gaps(old, new):
        by_stem = {_stem(param.name): param for param in added}
        pairs = [(param, by_stem[_stem(param.name)]) for param in gone if _stem(param.name) in by_stem]
        yield from ((was.name, now.name) for was, now in pairs)
        told = [param for pair in pairs for param in pair]
        left = [[param for param in side if param not in told] for side in (gone, added)]
        for param in left[0]:
            alike = [[one for one in side if _place(one) == _place(param)] for side in left]
            if len(alike[0]) == len(alike[1]) == 1:
                yield param.name, alike[1][0].name


def _gaps(
    old: tuple[ParamDef, ...], new: tuple[ParamDef, ...]
) -> Iterator[tuple[tuple[ParamDef, ...], tuple[ParamDef, ...]]]:
    """What stands between params of the same name on either side."""
    matcher = SequenceMatcher(None, [param.name for param in old], [param.name for param in new], autojunk=False)
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind == "replace":
            yield old[i:j], new[k:m]


def _place(param: ParamDef) -> tuple[str, str]:
    return param.ctype.removeprefix("const "), param.io


def _stem(name: str) -> str:
    return name.removesuffix("Optional").removesuffix("Ref").lower()


def _dtypes(sayings: Sayings, before: Definition, kept: dict[str, str]) -> Iterator[str]:
    was, here = _sets(before), _sets(sayings.definition)
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for old, name in kept.items():
        a, b = was.get(old, ()), here.get(name, ())
        for key, found in (("more", [n for n in b if n not in a]), ("fewer", [n for n in a if n not in b])):
            if a and b and found:
                groups.setdefault((key, tuple(found)), []).append(name)
    for (key, names), params in groups.items():
        form = sayings.words[f"dtypes_{key}"]
        if sayings.lang == "en" and len(params) > 1:
            form = form.replace("takes", "take")
        yield form.format(sayings.listed(f"`{name}`" for name in params), sayings.listed(names))


def _sets(definition: Definition) -> dict[str, tuple[str, ...]]:
    spec = definition.spec
    return {
        name: common([dtypes_on(spec, param, None).all for param in own]) for name, own in stated_of(definition).items()
    }


def _support(sayings: Sayings, before: Definition) -> Iterator[str]:
    was, here = before.spec.products, sayings.spec.products
    new = [name for name, value in here.items() if value == "yes" and was.get(name) != "yes"]
    gone = [name for name, value in was.items() if value == "yes" and here.get(name) == "no"]
    for key, names in (("more", new), ("fewer", gone)):
        if names:
            yield sayings.words[f"products_{key}"].format(sayings.products(names))


def _rules(sayings: Sayings, before: Definition, others: set[str]) -> Iterator[str]:
    """Rules of the operator's own that are new, gone, or say something else; not those of params that come or go.

    What other rules of the same form require all the same, those of params among them, is neither new nor gone.
    """
    was, here = ({rule.id: rule for rule in side.rules if _own(rule)} for side in (before, sayings.definition))
    known, kept = ({_text(rule) for rule in side.rules} for side in (before, sayings.definition))
    new = [rule for rule in here.values() if _text(rule) not in known and rule.param not in others]
    shaped = set(filter(None, map(rank_of_shape, sayings.definition.rules)))
    limited = {_only(rule, sayings.definition) for rule in new} - {""}  # of which the new limit is all that counts
    gone = [
        rule for rule in was.values()
        if _text(rule) not in kept and rule.param not in others and _rank(rule) not in shaped
        and _only(rule, before) not in limited
    ]  # fmt: skip
    earlier = Sayings(before, sayings.lang)
    demanded, demands = Demands.of(before), Demands.of(sayings.definition)
    told = (
        (
            "new",
            sayings,
            [rule for rule in new if rule.id not in was and not demanded.include(rule, sayings.definition.lets)],
        ),
        ("changed", sayings, [rule for rule in new if rule.id in was]),
        (
            "gone",
            earlier,
            [rule for rule in gone if rule.id not in here and not demands.include_in_some_calls(rule, before.lets)],
        ),
    )
    for key, side, rules in told:
        items = side.together(rules, side.briefly)
        for item in items[:MOST_RULES]:
            yield sayings.words[f"rules_{key}"].format(item.text)
        left = [f"`{name}`" for item in items[MOST_RULES:] for name in item.rules]
        if left:
            named = sayings.listed(left[:MOST_NAMES]) + (" …" if len(left) > MOST_NAMES else "")
            more = sayings.words["more_rules"].format(len(left), named, side.definition.name)
            yield sayings.words[f"rules_{key}"].format(more)


def _only(rule: RuleDef, definition: Definition) -> str:
    """The attribute whose value is all that a rule limits, on whatever condition."""
    read = {name for name, _ in definition.facts(rule.check)}
    tensors = {param.name for param in definition.params if param.kind in ("tensor", "tensor_list")}
    return rule.param if rule.param and rule.param in read and read.isdisjoint(tensors) else ""


def _rank(rule: RuleDef) -> tuple[tree.Node, int] | None:
    """The tensor of which a rule says nothing but how many dims it must have, and how many these are."""
    match rule.check:
        case tree.Compare(ops=("==",), operands=(tree.Attr(base=base, name="rank"), tree.Const(value=int(number)))):
            return (base, number) if rule.when is None else None
    return None


def rank_of_shape(rule: RuleDef) -> tuple[tree.Node, int] | None:
    """The tensor whose shape a rule says dim by dim, in whatever call, and how many dims these are."""
    match rule.check:
        case tree.Compare(ops=("==",), operands=(tree.Attr(base=base, name="shape"), tree.Seq(items=items) as dims)):
            return (base, len(items)) if rule.when is None and not any(dims.starred) else None
    return None


def _own(rule: RuleDef) -> bool:
    return rule.path[0] in ("rules", "scenarios") and rule.basis == "documented"


def _text(rule: RuleDef) -> tuple[str, str]:
    """What a rule says: the same under another name is the same rule."""
    alternatives = " ".join(write(check) for item in rule.alternatives for check in item.checks)
    return f"{write(rule.check)}{alternatives}", "" if rule.when is None else write(rule.when)
