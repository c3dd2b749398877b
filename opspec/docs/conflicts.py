"""Where pages and runtime differ, and where pages contradict themselves: what a documentation author can act on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opspec.docs.page import page
from opspec.model.definition import Definition
from opspec.model.enforcement import is_conflict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.prose import Lang

#: kind -> what it means, in both languages
KINDS = {
    "lenient": {
        "en": "documented, but not enforced",
        "zh": "文档有此要求，但运行时不检查",
    },
    "strict": {
        "en": "enforced, but not documented",
        "zh": "运行时检查，但文档无此要求",
    },
    "page": {
        "en": "the pages contradict themselves; what the spec follows",
        "zh": "文档自相矛盾；规格采用的说法",
    },
}


@dataclass(frozen=True, slots=True)
class Conflict:
    """One difference.

    Args:
        kind: one of :data:`KINDS`.
        rule: the id of the rule; empty for a page that contradicts itself.
        places: the clauses that say it, as in the ledger of the spec.
        statement: the rule in words, or the statements that contradict each other.
        evidence: what was recorded, or which statement the spec follows and why.
    """

    operator: str
    release: str
    document: str
    kind: str
    rule: str
    places: str
    statement: str
    evidence: str


def conflicts(definitions: Iterable[Definition], lang: Lang) -> Iterator[Conflict]:
    """The differences that the specs of these operators record, in their order."""
    for definition in definitions:
        if not definition.spec.conflicts and not any(is_conflict(rule, definition) for rule in definition.rules):
            continue
        shown = page(definition, lang)
        observed = {rule.id for rule in definition.rules if rule.basis in ("observed", "definition")}
        own = (definition.name, definition.spec.release, shown.document)
        for rule in shown.conflicts:
            kind = "strict" if rule.id in observed else "lenient"
            yield Conflict(*own, kind, rule.id, rule.sources, rule.sentence, rule.evidence)
        for between, resolution in shown.disputes:
            yield Conflict(*own, "page", "", between, between, resolution)
