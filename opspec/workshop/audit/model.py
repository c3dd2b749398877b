"""What an audit finds: hits of single checks, and defects as they are reported."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from opspec.vocabulary.literals import Lang
from opspec.workshop.audit.subject import Subject

Level = Literal["error", "slip", "note"]
LEVELS: tuple[Level, ...] = ("error", "slip", "note")


@dataclass(frozen=True, slots=True)
class Hit:
    """What a check found.

    Args:
        line: counted from 1.
        found: what the page says: a token, never a sentence of it.
        expected: what it would say if it agreed with the rest of the page.
        param: the param concerned; empty for none.
        operator: the operator concerned; empty for the page's only one, or for the page as a whole.
    """

    line: int
    found: str = ""
    expected: str = ""
    param: str = ""
    operator: str = ""


Check = Callable[[Subject], Iterator[Hit]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of defect.

    Args:
        id: its name for filters; it keeps its meaning.
        level: ``error`` misleads a caller or contradicts another part of the page, ``slip`` is spelt or formed wrongly
            but can be understood, ``note`` is odd and may be meant.
        en, zh: the sentence, with ``{param}``, ``{expected}`` and ``{found}``.
        check: finds it on a page.
    """

    id: str
    level: Level
    en: str
    zh: str
    check: Check


@dataclass(frozen=True, slots=True, order=True)
class Defect:
    """A defect of a page, in the order of a report: by document, line and kind."""

    document: str
    line: int
    kind: str
    operator: str
    param: str
    expected: str
    found: str
    level: Level
    en: str
    zh: str

    def text(self, lang: Lang) -> str:
        """Its sentence in a language."""
        return self.zh if lang == "zh" else self.en
