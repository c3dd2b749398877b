"""Tables of words: a row has those of all languages, so that none is forgotten in one."""

from __future__ import annotations

from collections.abc import Mapping

from opspec.vocabulary.literals import LANGS, Lang


def by_language(rows: Mapping[str, tuple[str, str]]) -> dict[Lang, dict[str, str]]:
    """Words by language, of their rows by name: in English and in Chinese."""
    return {lang: {name: row[at] for name, row in rows.items()} for at, lang in enumerate(LANGS)}
