"""Where pages and runtime differ, and where pages contradict themselves: what a documentation author can act on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opspec.docs.ledger import RulesPage, rules_page
from opspec.model.definition import Definition, RuleDef
from opspec.model.enforcement import enforcement, is_conflict
from opspec.model.remarks import renames, said
from opspec.vocabulary.enforcement import CONTRADICTED, UNCHECKED
from opspec.vocabulary.literals import Lang

#: kind -> what it means, in both languages
KINDS = {
    UNCHECKED: {
        "en": "documented, but the first phase accepts calls that break it",
        "zh": "文档有此要求，但第一段接口接受违反它的调用",
    },
    CONTRADICTED: {
        "en": "documented, but programs that break it run: such calls are legal",
        "zh": "文档有此要求，但违反它的程序可以运行，这样的调用合法",
    },
    "undocumented": {
        "en": "refused by the runtime, but not documented",
        "zh": "运行时报错，但文档无此要求",
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
        yield from on_page(definition, rules_page(definition, lang))


def on_page(definition: Definition, shown: RulesPage) -> Iterator[Conflict]:
    """The differences that the page of an operator's rules, made before, has."""
    kinds = {rule.id: _kind(rule, definition) for rule in definition.rules}
    own = (definition.name, definition.spec.release, definition.spec.document or "")
    for rule in shown.conflicts:
        yield Conflict(*own, kinds[rule.id], rule.id, rule.sources, rule.sentence, rule.evidence)
    for between, resolution in shown.disputes:
        yield Conflict(*own, "page", "", between, between, resolution)


_IN_CODE = re.compile(r"`(\w+)`")


def disputed(definition: Definition) -> tuple[tuple[str, ...], ...]:
    """The params that each contradiction of the page is about, as the operator calls them: none of one about others.

    A place may be a cell of a param's row; the words on what the spec follows name others in backticks.
    """
    names = {param.name for param in definition.params}
    renamed = renames(definition)
    found: list[tuple[str, ...]] = []
    for item in definition.spec.conflicts:
        places = (definition.clauses.get(text, text) for text in (place.text("en") for place in item.between))
        parts = (part for place in places for part in place.split("/"))
        quoted = _IN_CODE.findall(said(item.resolution, definition).en or "")
        own = (renamed.get(part, part) for part in parts)
        found.append(tuple(name for name in dict.fromkeys((*own, *quoted)) if name in names))
    return tuple(found)


def _kind(rule: RuleDef, definition: Definition) -> str:
    if rule.basis in ("observed", "definition"):
        return "undocumented"
    return CONTRADICTED if CONTRADICTED in enforcement(rule, definition).anywhere else UNCHECKED
