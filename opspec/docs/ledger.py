"""The page of all rules of an operator as data: each with its clause and what is known of it, and what has no rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote

from opspec.docs.described import clauses_of
from opspec.docs.enforced import evidence_of, returned
from opspec.docs.saying import MARKS, Sayings, Sentence, capital
from opspec.docs.tables import Combinations, combinations, tabled
from opspec.language.record import record
from opspec.language.text import write
from opspec.model.definition import Definition, RuleDef
from opspec.model.enforcement import is_conflict
from opspec.model.ledger import short_place
from opspec.model.remarks import remarked
from opspec.model.sets import dtypes_on
from opspec.model.stated import stated_of
from opspec.model.values import Bilingual
from opspec.vocabulary.literals import STEPS, Lang


@record(frozen=True, slots=True)
class RuleRow:
    """A rule as the page lists it."""

    id: str
    sentence: str
    runtime: str  # what a call gets that breaks it
    basis: str
    places: tuple[str, ...]
    sources: str
    evidence: str
    is_conflict: bool


@record(frozen=True, slots=True)
class Row:
    """A row of the page: a rule, or several of one step that say the same of their params.

    Args:
        runtime: what a call gets that breaks one.
        source: the clauses, and the basis where no clause says it.
    """

    ids: tuple[str, ...]
    sentence: str
    runtime: str
    source: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What calls showed of a rule that the runtime does not keep to.

    Args:
        why: what its author says, and what it contradicts.
        counts: by what became of calls that break it (``ENDS``), on which product how many.
    """

    id: str
    why: str
    counts: tuple[str, ...]


#: what becomes of a call that breaks a rule: fields of what was recorded
ENDS = ("through", "passed", "refused", "ran")


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The page; rules are in the order in which a first phase checks them, rows in that of its steps."""

    op: str
    release: str
    lang: Lang
    words: dict[str, str]
    document: str
    link: str  # to it
    rules: tuple[RuleRow, ...]
    rows: tuple[Row, ...]
    early: tuple[str, ...]  # which calls succeed before all of them are checked
    seen: tuple[Seen, ...]
    derived: tuple[tuple[str, str], ...]
    tables: tuple[Combinations, ...]
    disputes: tuple[tuple[str, str], ...]  # places that contradict each other, what the spec follows
    clauses: tuple[tuple[str, str], ...]  # place, reason

    @property
    def conflicts(self) -> tuple[RuleRow, ...]:
        """The rules in which page and runtime differ."""
        return tuple(rule for rule in self.rules if rule.is_conflict)


def rules_page(definition: Definition, lang: Lang) -> RulesPage:
    """The page of all rules of an operator in one language."""
    sayings, narrow = Sayings(definition, lang, typed=True), Sayings(definition, lang, narrows=True)
    spec = definition.spec
    rules = tuple(_row(rule, sayings) for rule in definition.rules)
    return RulesPage(
        op=definition.name,
        release=spec.release,
        lang=lang,
        words=sayings.words,
        document=page_name(spec.document),
        link=page_link(spec.document, spec.release),
        rules=rules,
        rows=tuple(_rows(rules, sayings)),
        early=tuple(_early(sayings)),
        seen=tuple(_seen(rule, sayings) for rule in definition.rules if is_conflict(rule, definition)),
        derived=tuple((name, write(node)) for name, node in definition.lets.items()),
        tables=tuple(table for rule in definition.once(tabled) for table in combinations(rule, narrow)),
        disputes=tuple(
            (" / ".join(_places(item.between, sayings)), sayings.text(item.resolution)) for item in spec.conflicts
        ),
        clauses=tuple(_clauses(sayings)),
    )


def page_name(document: str | None) -> str:
    """The name of the vendor's page, without where a copy of it lies or the number that it has in a collection."""
    return re.sub(r"^\w+ \d+, ", "", (document or "").rsplit("/", 1)[-1])


def page_link(document: str | None, release: str) -> str:
    """Where the vendor's page lies in its source repository; empty of one that lies in none.

    >>> page_link("ops-nn/matmul__mat_mul_v3/aclnnMm.md", "9.1.0")
    'https://gitcode.com/cann/ops-nn/blob/9.1.0/matmul/mat_mul_v3/docs/aclnnMm.md'
    """
    parts = (document or "").split("/")
    if len(parts) != 3 or not parts[2].endswith(".md"):
        return ""
    folder = "/".join((parts[1].replace("__", "/"), "docs", quote(parts[2])))
    return f"https://gitcode.com/cann/{parts[0]}/blob/{release}/{folder}"


def _rows(rules: Iterable[RuleRow], sayings: Sayings) -> Iterator[Row]:
    """Rules with what all of a row have in common, told once."""
    groups: dict[tuple[str, str, str], list[RuleDef]] = {}
    shown = {row.id: row for row in rules}
    for rule in sayings.definition.rules:
        row = shown[rule.id]
        groups.setdefault((rule.step, row.runtime, row.basis), []).append(rule)
    for (_, runtime, basis), group in groups.items():
        for item in sayings.together(group, lambda rule: _whole(rule, sayings)):
            every = dict.fromkeys(place for name in item.rules for place in shown[name].places)
            places = _places_in_short(every, sayings)
            plain = basis == sayings.words["documented"]
            yield Row(item.rules, item.text, runtime, sayings.listed((*places, *(() if plain else (basis,)))))


def _early(sayings: Sayings) -> Iterator[str]:
    """When the first phase returns success before it has checked all that it checks, and after what."""
    checked = {rule.step for rule in sayings.definition.rules if sayings.is_checked(rule)}
    for when, after in sayings.definition.early:
        before, behind = STEPS[: STEPS.index(after) + 1], STEPS[STEPS.index(after) + 1 :]
        if not checked.isdisjoint(behind):
            last = next((step for step in reversed(before) if step in checked), after)
            yield capital(sayings.under(when, sayings.words["early"].format(sayings.words[f"step_{last}"])))


def _seen(rule: RuleDef, sayings: Sayings) -> Seen:
    """What calls showed of a rule, by themselves or by those that contradict it."""
    rules = (rule, *(other for other in sayings.definition.rules if rule.id in other.contradicts))
    told = next((one for one in rules if one.evidence or one.recorded), rule)
    why = [told.evidence[sayings.lang == "zh"]] if told.evidence else []
    why += [sayings.words["contradicted"].format(sayings.listed(rule.contradicts))] if rule.contradicts else []
    counts = [
        sayings.listed(
            f"{product} {getattr(one, end)}" for product, one in sorted(told.recorded.items()) if getattr(one, end)
        )
        for end in ENDS
    ]
    return Seen(rule.id, sayings.words["semicolon"].join(why), tuple("" if text == "-" else text for text in counts))


def _places_in_short(places: Iterable[str], sayings: Sayings) -> Iterator[str]:
    """Places of clauses; those that differ in their last or their middle part alone together."""
    groups: dict[tuple[str, str], list[str]] = {}
    for place in places:
        parts = place.split("/")
        if parts[0] == "params" and len(parts) > 2:
            groups.setdefault((parts[0], "/".join(parts[2:])), []).append(parts[1])
        else:
            groups.setdefault(("/".join(parts[:-1]), ""), []).append(parts[-1])
    for (head, tail), names in groups.items():
        text = sayings.listed(names)
        yield "/".join(part for part in (head, text if len(names) == 1 else f"({text})", tail) if part)


def _whole(rule: RuleDef, sayings: Sayings) -> Sentence:
    """What a rule requires, with all its alternatives, as others may say it of their params.

    What is overwritten has the data types of an input and of an output: the one that has fewer says what it may have,
    else beside what the first may have stands that the second counts, too.
    """
    types = [one for one in sayings.definition.rules if one.param == rule.param and one.kind == rule.kind == "dtype"]
    if rule.when is None and rule in types and len(types) > 1:
        narrower = _narrower(types, sayings)
        if narrower is not None and _runtime(narrower, sayings) == _runtime(rule, sayings):
            return sayings.briefly(narrower)
        if rule is types[0]:
            also = sayings.words["holds_too"].format(sayings.listed(one.id for one in types[1:]))
            return Sentence(lambda: f"{sayings.requirement(rule)}{sayings.words['gap']}{also}")
    return Sentence(partial(sayings.requirement, rule)) if rule.alternatives else sayings.briefly(rule)


def _narrower(types: Sequence[RuleDef], sayings: Sayings) -> RuleDef | None:
    """Of rules on the data types of what is overwritten the one that allows no more than the others on any product."""
    definition = sayings.definition
    own = stated_of(definition)[types[0].param or ""]
    on = [name for name, value in definition.spec.products.items() if value == "yes"]
    allowed = [
        {(product, one) for product in on for one in dtypes_on(definition.spec, param, product).all} for param in own
    ]
    fewest = min(allowed, key=len)
    known = len(own) == len(types) and all(map(fewest.issubset, allowed))
    return types[allowed.index(fewest)] if known else None


def _runtime(rule: RuleDef, sayings: Sayings) -> str:
    """``161002``, ``561002 (tiling) or not checked``: the stage where that is not the first."""
    stage = sayings.words["note"].format(sayings.words[f"stage_{rule.seen_at}"]) if rule.seen_at != "params" else ""
    return returned(sayings.enforcement(rule), f"{sayings.code(rule)}{stage}", sayings.lang, MARKS["assumed"])


def _row(rule: RuleDef, sayings: Sayings) -> RuleRow:
    """A rule with all that is known of it."""
    lang, differs = sayings.lang, is_conflict(rule, sayings.definition)
    return RuleRow(
        id=rule.id,
        sentence=sayings.requirement(rule),
        runtime=_runtime(rule, sayings),
        basis=sayings.words[rule.basis],
        places=tuple(rule.sources),
        sources=(", " if lang == "en" else "、").join(rule.sources),
        evidence=(evidence_of(rule, lang) or _against(rule, sayings)) if differs else "",
        is_conflict=differs,
    )


def _against(rule: RuleDef, sayings: Sayings) -> str:
    """What is known of a rule by those that contradict it."""
    rules = sayings.definition.rules
    return next((evidence_of(other, sayings.lang) for other in rules if rule.id in other.contradicts), "")


def _places(between: Iterable[Bilingual], sayings: Sayings) -> Iterator[str]:
    """Where on the page the statements stand that contradict each other; words where no clause says them."""
    clauses = sayings.definition.clauses
    params = [param.name for param in sayings.spec.params]
    for item in between:
        name = sayings.text(item)
        yield short_place(clauses[name], params) if name in clauses else name


def _clauses(sayings: Sayings) -> Iterator[tuple[str, str]]:
    """Clauses that neither a rule nor a remark says, and why."""
    said = remarked(sayings.definition)
    for clause in clauses_of(sayings.definition):
        if not clause.rules and clause.at not in said:
            yield clause.at, sayings.words[clause.not_checkable or "not_yet"]
