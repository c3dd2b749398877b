"""The page of all rules of an operator as data: each with its clause and what is known of it, and what has no rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opspec.docs.enforced import enforced_words, evidence_of
from opspec.docs.saying import Sayings
from opspec.docs.tables import Combinations, combinations
from opspec.language.text import write
from opspec.model.definition import Definition, RuleDef
from opspec.model.enforcement import is_conflict
from opspec.model.ledger import clauses, short_place
from opspec.model.remarks import remarked
from opspec.model.values import Bilingual
from opspec.vocabulary.literals import Lang


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule as the page lists it."""

    id: str
    full_id: str
    sentence: str
    code: int
    stage: str
    enforced: str
    basis: str
    sources: str
    evidence: str
    contradicts: tuple[str, ...]
    standing: str  # its basis, and what it contradicts
    is_conflict: bool


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The page; rules are in the order in which a first phase checks them."""

    op: str
    release: str
    lang: Lang
    words: dict[str, str]
    document: str
    rules: tuple[RuleRow, ...]
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
    sayings = Sayings(definition, lang)
    spec = definition.spec
    return RulesPage(
        op=definition.name,
        release=spec.release,
        lang=lang,
        words=sayings.words,
        document=page_name(spec.document),
        rules=tuple(_row(rule, sayings) for rule in definition.rules),
        derived=tuple((name, write(node)) for name, node in definition.lets.items()),
        tables=tuple(table for rule in definition.rules for table in combinations(rule, sayings)),
        disputes=tuple(
            (" / ".join(_places(item.between, sayings)), sayings.text(item.resolution)) for item in spec.conflicts
        ),
        clauses=tuple(_clauses(sayings)),
    )


def page_name(document: str | None) -> str:
    """The name of the vendor's page, without where a copy of it lies."""
    return (document or "").rsplit("/", 1)[-1]


def _row(rule: RuleDef, sayings: Sayings) -> RuleRow:
    """A rule with all that is known of it."""
    definition, words, lang = sayings.definition, sayings.words, sayings.lang
    return RuleRow(
        id=rule.id,
        full_id=f"{sayings.spec.release}/{definition.name}/{rule.id}",
        sentence=sayings.requirement(rule),
        code=sayings.code(rule),
        stage=words[f"stage_{rule.seen_at}"],
        enforced=enforced_words(sayings.enforcement(rule), lang),
        basis=words[rule.basis],
        sources=(", " if lang == "en" else "、").join(rule.sources),
        evidence=evidence_of(rule, lang) or _against(rule, sayings),
        contradicts=rule.contradicts,
        standing=_standing(rule, sayings),
        is_conflict=is_conflict(rule, definition),
    )


def _against(rule: RuleDef, sayings: Sayings) -> str:
    """What is known of a rule by those that contradict it."""
    rules = sayings.definition.rules
    return next((evidence_of(other, sayings.lang) for other in rules if rule.id in other.contradicts), "")


def _standing(rule: RuleDef, sayings: Sayings) -> str:
    words = sayings.words
    if not rule.contradicts:
        return words[rule.basis]
    contradicted = words["contradicted"].format(sayings.listed(rule.contradicts))
    return f"{words[rule.basis]}{words['comma']}{contradicted}"


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
    for clause in clauses(sayings.definition.home, sayings.definition.places):
        if not clause.rules and clause.at not in said:
            yield clause.at, sayings.words[clause.not_checkable or "not_yet"]
