"""The table of kinds of findings: in order, whole in both languages, and told by somebody."""

from __future__ import annotations

import re

import pytest

from opspec.codegen.entries.findings import enumerator
from opspec.errors import OpspecError
from opspec.vocabulary import findings


def test_kinds_are_in_order_and_their_enumerators_are_different() -> None:
    """C looks kinds up by enumerator; two that fall together would be one."""
    names = list(findings.kinds())
    assert names == sorted(names)
    assert len(set(map(enumerator, names))) == len(names)


@pytest.mark.parametrize("kind", findings.kinds().values(), ids=str)
def test_a_kind_says_what_it_means_and_who_tells_it(kind: findings.Kind) -> None:
    """``SUBJECT.WHAT``, a line in each language, known sources and severities."""
    assert re.fullmatch(r"[a-z]+\.[a-z]+(-[a-z]+)*", kind.id)
    assert kind.told.keys() <= set(findings.sources())
    assert set(kind.told.values()) <= set(findings.severities())
    assert kind.told
    assert all(text and "\n" not in text for text in (kind.en, kind.zh))
    assert re.search(r"[\u4e00-\u9fff]", kind.zh)
    assert kind.en.isascii()


def test_an_unknown_kind_names_the_nearest() -> None:
    """As the command line does."""
    assert findings.kind("memory.leak").id == "memory.leak"
    with pytest.raises(OpspecError, match=r"did you mean 'memory\.leak'"):
        findings.kind("memory.leek")
