"""Pages that were read, what was found and what was mended: ``read.jsonl``.

Each was read by somebody who had not written it. A line says how much of it in each language, whether the vendor's page
lay beside it, what was missing or wrong, and where that was put right.
"""

from __future__ import annotations

import json
from pathlib import Path

from opspec.registry.registry import Registry
from tests.docs.regenerate import OPERATORS

READ = [json.loads(line) for line in (Path(__file__).parent / "read.jsonl").read_text().splitlines()]
OTHERS = 20  # operators of other families than those of the first pages


def test_pages_that_were_read_are_there() -> None:
    known = {release: Registry().entries(release) for release in ("8.0", "9.1.0")}
    assert not [row for row in READ if row["operator"] not in known[row["release"]]]


def test_enough_were_read() -> None:
    """The first operators in both releases, and others of other families; no page twice."""
    pages = [(row["operator"], row["release"]) for row in READ]
    assert len(pages) == len(set(pages))
    assert {(name, release) for name in OPERATORS for release in ("8.0", "9.1.0")} <= set(pages)
    assert len({name for name, _ in pages} - set(OPERATORS)) >= OTHERS


def test_each_says_how_far_it_was_read() -> None:
    assert {row[lang] for row in READ for lang in ("en", "zh")} <= {"whole", "part"}
    assert all(isinstance(row["beside_vendor"], bool) for row in READ)


def test_what_was_found_is_told() -> None:
    assert all(row["found"] and all(isinstance(text, str) and text for text in row["found"]) for row in READ)
