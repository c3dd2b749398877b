"""What a call must keep, told apart by what the runtime makes of it, by subject; and what statuses say."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from opspec.docs.covering import covered
from opspec.docs.params import follows, in_columns, in_row, ranks_are_told
from opspec.docs.saying import MANY, Item, Sayings, capital
from opspec.language import prose
from opspec.model.definition import RuleDef
from opspec.model.ledger import clauses, row_of
from opspec.vocabulary import status
from opspec.vocabulary.enforcement import CONTRADICTED, REFUSED, UNCHECKED, UNKNOWN
from opspec.vocabulary.literals import Enforcement as Part

#: what a rule reads of tensors -> the subject under which a page lists it, the weightiest first
_BY_FACET = {
    "values": "values", "layout": "shapes", "shape": "shapes", "rank": "shapes", "dtype": "dtypes", "format": "formats",
}  # fmt: skip
SUBJECTS = ("dtypes", "formats", "shapes", "attributes", "values")

MOST_FAILURES = 2  #: lines of a status: what it is returned for stands above, and with its status on the page of rules
_APART = ("null", "elements")  #: kinds of rules that return codes tell by the names of params


@dataclass(frozen=True, slots=True)
class Group:
    """Lines about one subject."""

    subject: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class ReturnRow:
    """A status and what a call does that gets it.

    Args:
        failures: what calls do for which it is returned; none where the runtime returns it for nothing that is known.
        documented: what they do by the page, whatever the runtime makes of it: for the vendor's form.
    """

    status: str
    code: int
    failures: tuple[Item, ...]
    documented: tuple[str, ...]


#: the parts of a page, in order
PARTS: tuple[Part, ...] = (REFUSED, UNKNOWN, UNCHECKED, CONTRADICTED)


def related(sayings: Sayings) -> list[RuleDef]:
    """The rules that neither cells nor rows of params nor tables of combinations say."""
    found: list[RuleDef] = []
    for rule in sayings.definition.rules:
        told = in_columns(rule, sayings) or sayings.is_of_product(rule) or in_row(rule, sayings)
        told = told or (rule.kind == "rank-limit" and ranks_are_told(sayings)) or rule.is_lookup
        if not told and sayings.can_be_broken(rule) and (sayings.part(rule) == REFUSED or not follows(rule, sayings)):
            found.append(rule)
    return found


def requirements(sayings: Sayings, rules: Iterable[RuleDef], part: Part) -> tuple[Group, ...]:
    """Those of some rules that are of a part of a page, by subject."""
    found: dict[str, list[Item]] = {subject: [] for subject in SUBJECTS}
    by_subject: dict[str, list[RuleDef]] = {}
    for rule in rules:
        if sayings.part(rule) == part:
            by_subject.setdefault(_subject(rule, sayings), []).append(rule)
    for subject, group in by_subject.items():
        found[subject] += _said(sayings, group)
    return tuple(Group(sayings.words[f"subject_{name}"], tuple(items)) for name, items in found.items() if items)


def merged(parts: Iterable[tuple[Part, tuple[Group, ...]]]) -> tuple[Group, ...]:
    """The lines of all parts by subject: marks say what the runtime makes of each."""
    found: dict[str, list[Item]] = {}
    for _, groups in parts:
        for group in groups:
            found.setdefault(group.subject, []).extend(group.items)
    return tuple(Group(subject, tuple(items)) for subject, items in found.items())


def _said(sayings: Sayings, rules: list[RuleDef]) -> Iterable[Item]:
    """Their sentences; where one of their conditions always holds, what some require alike is said without these."""
    whole = covered(rules, sayings)
    first = {rule.id: name for name, group in whole.items() for rule in group}
    kept = [rule for rule in rules if first.get(rule.id, rule.id) == rule.id]
    for item in sayings.together(kept, lambda rule: sayings.briefly(rule, rule.id not in whole)):
        groups = ([rule.id for rule in whole[name]] if name in whole else [name] for name in item.rules)
        yield Item(item.text, item.mark, tuple(itertools.chain.from_iterable(groups)))


def _subject(rule: RuleDef, sayings: Sayings) -> str:
    """What a rule is about: its attribute, whatever else it reads; else what it reads of tensors."""
    definition = sayings.definition
    if any(param.name == rule.param and param.kind not in ("tensor", "tensor_list") for param in definition.params):
        return "attributes"
    facets = {facet for name, facet in definition.facts(rule.check) if name}
    return next((subject for facet, subject in _BY_FACET.items() if facet in facets), "attributes")


def returns(sayings: Sayings) -> tuple[ReturnRow, ...]:
    """A row per status: those of the page's own table, and those that other rules are refused with."""
    definition = sayings.definition
    listed = {rule: row.status for row in definition.returns for rule in row.rules}
    documented: dict[int, list[RuleDef]] = {}
    refused: dict[int, list[RuleDef]] = {}
    for rule in sorted(definition.rules, key=lambda rule: rule.id not in listed):
        code = sayings.code(rule)
        if rule.id in listed:
            documented.setdefault(status.number(rule.status), []).append(rule)
        elif rule.basis != "observed" and sayings.is_checked(rule):
            documented.setdefault(code, []).append(rule)
        if sayings.is_checked(rule) and sayings.can_be_broken(rule):
            refused.setdefault(code, []).append(rule)
    ruled = documented.keys() | refused.keys()
    homes = _homes(sayings, refused)
    rows = [
        ReturnRow(
            status.name(code),
            code,
            tuple(_failures(sayings, refused.get(code, []), frozenset(s for s, home in homes.items() if home == code))),
            _documented(sayings, documented.get(code, [])) if sayings.upstream else (),
        )
        for code in ruled
    ]
    return tuple(sorted((*rows, *_without_rules(sayings, ruled)), key=lambda row: row.code))


def _documented(sayings: Sayings, rules: list[RuleDef]) -> tuple[str, ...]:
    """What calls do by the page that get a status."""
    return tuple(dict.fromkeys(item.text for item in sayings.plain.failures(rules)))


def _homes(sayings: Sayings, refused: Mapping[int, list[RuleDef]]) -> dict[str, int]:
    """Subject -> the status that most of what is about it is refused with."""
    counts: dict[str, Counter[int]] = {}
    for code, rules in refused.items():
        for rule in rules:
            counts.setdefault(_about(rule, sayings), Counter())[code] += 1
    return {subject: codes.most_common(1)[0][0] for subject, codes in counts.items()}


def _about(rule: RuleDef, sayings: Sayings) -> str:
    """What a rule is about, as return codes tell it."""
    if sayings.is_of_product(rule):
        return "product"
    return rule.kind if rule.kind in _APART else _subject(rule, sayings)


def _without_rules(sayings: Sayings, ruled: Collection[int]) -> Iterable[ReturnRow]:
    """Statuses of the page's own table that no call brings about, such as a fault of the driver."""
    definition = sayings.definition
    listed = filter(None, (row_of(clause.at) for clause in clauses(definition.home, definition.places)))
    for name in dict.fromkeys(name for name, _ in listed):
        code = status.number(name)
        if code not in ruled:
            text = capital(status.meaning(code, sayings.lang)) + sayings.words["stop"]
            yield ReturnRow(name, code, (Item(text, "", ()),), (text,))


def unstated(sayings: Sayings) -> list[str]:
    """The rules of which all that is said of a code is that they are violated: authors say what they require alone."""
    start = capital(sayings.words["not_met"].partition("{")[0])
    by_code: dict[int, list[RuleDef]] = {}
    for rule in sayings.definition.rules:
        if sayings.is_checked(rule):
            by_code.setdefault(sayings.code(rule), []).append(rule)
    found: list[str] = []
    for rules in by_code.values():
        plain = [rule for rule in rules if sayings.fails_plainly(rule)]
        rest = [rule for rule in rules if rule not in plain]
        for item in sayings.failures([*plain, *(rest if len(rest) == 1 else ())]):
            found += item.rules if item.text.startswith(start) else ()
    return found


def _of_null(sayings: Sayings, rules: list[RuleDef]) -> list[Item]:
    """Null pointers: by name, unless those are all that must be given."""
    every = [rule for rule in sayings.definition.rules if rule.kind == "null" and rule.when is None]
    mine = [rule for rule in rules if rule.kind == "null" and rule.when is None]
    if len(mine) < MANY or len(mine) < len(every):
        return sayings.failures(rules)
    text = capital(sayings.words["fail_required"]) + sayings.words["stop"]
    marks = {sayings.mark(rule) for rule in mine}
    rest = sayings.failures([rule for rule in rules if rule not in mine])
    return [Item(text, min(marks, key=len), tuple(rule.id for rule in mine)), *rest]


def _failures(sayings: Sayings, rules: list[RuleDef], subjects: frozenset[str]) -> Iterable[Item]:
    """What calls do: null pointers by name; of all else what it is about, for the page says above what must hold.

    Args:
        subjects: what is refused with this status before all others; of others it is said what calls do.
    """
    told = [rule for rule in rules if rule.kind in _APART or _about(rule, sayings) not in subjects]
    told = rules if len(rules) == 1 else told
    nulls = _of_null(sayings, [rule for rule in told if rule.kind in _APART])
    lines = sayings.failures([rule for rule in told if rule.kind not in _APART])
    shown = [*nulls, *(lines if len(lines) <= MOST_FAILURES else ())]
    yield from shown
    said = {name for line in shown for name in line.rules}
    rest = [rule for rule in rules if rule.id not in said]
    about = dict.fromkeys(sayings.words[f"about_{_about(rule, sayings)}"] for rule in rest)
    if about:
        key = "fail_other" if shown else "fail_above"
        text = sayings.words[key].format(prose.listing(list(about), sayings.lang, "or"))
        yield Item(capital(text) + sayings.words["stop"], "", tuple(rule.id for rule in rest))
