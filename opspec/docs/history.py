"""In which releases an operator is and what changed in each: the section of a page, as data.

What changed is found by the room that compares releases, which stands above this one: who makes pages hands it in.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edition:
    """A release.

    Args:
        release: its name.
        lines: what is so since it, each a line for people; never empty.
        is_news: whether that is more than that nothing changed, or that none is older.
    """

    release: str
    lines: tuple[str, ...]
    is_news: bool = True


@dataclass(frozen=True, slots=True)
class History:
    """The releases of an operator, in one language.

    Args:
        title: of the section.
        summary: in which releases it is; that no change is known where none has news.
        editions: the newest first, those included in which it came or went.
    """

    title: str
    summary: str
    editions: tuple[Edition, ...]

    @property
    def news(self) -> tuple[Edition, ...]:
        """The releases that changed something: what a page lists."""
        return tuple(edition for edition in self.editions if edition.is_news)
