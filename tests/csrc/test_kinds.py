"""C tells findings by the table's enumerators, each by whom the table says, and types no number of a status."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opspec import csrc
from opspec.codegen.entries.findings import enumerator
from opspec.vocabulary import findings, status

FOLDERS = {"simulator": csrc.SIMULATOR, "layer": csrc.LAYER, "shared": csrc.SHARED, "rules": csrc.RULES}
TEXTS = {name: {path: path.read_text() for path in Path(folder).rglob("*.[ch]")} for name, folder in FOLDERS.items()}
ALL = {path: text for texts in TEXTS.values() for path, text in texts.items()}


def used(*names: str) -> set[str]:
    """The kinds that the C of folders names."""
    words = {word for name in names for text in TEXTS[name].values() for word in re.findall(r"\bFOUND_\w+", text)}
    return {kind for kind in findings.kinds() if enumerator(kind) in words}


def test_no_kind_is_left_in_quotes() -> None:
    """A kind that C spells itself is not muted, listed or explained by the table."""
    subjects = {kind.split(".")[0] for kind in findings.kinds()}
    literals = re.compile(rf'"({"|".join(sorted(subjects))})\.[a-z-]+"')
    found = {(path.name, match[0]) for path, text in ALL.items() for match in literals.finditer(text)}
    assert {name for name, literal in found if not literal.endswith('.c"') and not literal.endswith('.h"')} == set()


@pytest.mark.parametrize("source", findings.sources())
def test_each_kind_is_told_by_whom_the_table_says(source: str) -> None:
    """Neither a kind that nobody tells, nor one without a severity, which would not be told."""
    mine = {name for name, kind in findings.kinds().items() if source in kind.told}
    assert used(source) <= mine
    assert mine <= used(source, "shared")
    assert used("shared") <= set(findings.kinds())


def test_no_number_of_a_status_is_typed_in() -> None:
    """They come from the vocabulary's header."""
    numbers = "|".join(str(status.number(name)) for name in status.names() if status.number(name))
    found = [(path.name, match[0]) for path, text in ALL.items() for match in re.finditer(rf"\b({numbers})\b", text)]
    assert found == []
