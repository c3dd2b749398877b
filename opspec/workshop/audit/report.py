"""Reports of an audit: text for people, JSON for programs, Markdown for an issue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import groupby

from opspec.jsontext import written
from opspec.vocabulary.literals import Lang
from opspec.workshop.audit.kinds import KINDS
from opspec.workshop.audit.model import Defect

_TITLES = {
    "en": ("Defects of pages", "kind", "level", "count", "line", "param", "defect"),
    "zh": ("页面缺陷", "类别", "级别", "数量", "行", "参数", "缺陷"),
}


def as_json(found: Sequence[Defect]) -> str:
    """A list of objects, one a defect."""
    return written([asdict(defect) for defect in found], 1)


def as_markdown(found: Sequence[Defect], lang: Lang) -> str:
    """Counts, then the defects by family and page."""
    title, kind, level, count, line, param, defect = _TITLES["zh" if lang == "zh" else "en"]
    parts = [f"# {title}", "", f"| {kind} | {level} | {count} |", "|---|---|---:|"]
    parts += [f"| `{name}` | {grade} | {number} |" for name, grade, number in counts(found)]
    for family, of_family in groupby(found, family_of):
        parts += ["", f"## {_escaped(family)}"]
        for document, of_page in groupby(of_family, lambda item: item.document):
            parts += ["", f"### {_escaped(document.rsplit('/', 1)[-1])}", ""]
            parts += [f"| {line} | {kind} | {param} | {defect} |", "|---:|---|---|---|"]
            parts += [
                f"| {item.line} | `{item.kind}` | {_escaped(item.param)} | {_escaped(item.text(lang))} |"
                for item in of_page
            ]
    return "\n".join(parts)


def counts(found: Iterable[Defect]) -> list[tuple[str, str, int]]:
    """(kind, level, number) of the kinds that were found, in the order of the table of kinds."""
    numbers = Counter(defect.kind for defect in found)
    return [(kind.id, kind.level, numbers[kind.id]) for kind in KINDS if numbers[kind.id]]


def family_of(defect: Defect) -> str:
    """Where a page stands: repository and source folder, as its path gives them."""
    return defect.document.rpartition("/")[0] or "."


def _escaped(text: str) -> str:
    """Text that Markdown shows as it stands."""
    for character in "\\`*_[]<>|":
        text = text.replace(character, "\\" + character)
    return text
