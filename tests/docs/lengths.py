"""How long our pages are beside the vendor's, in words: ``OPSPEC_SHARED=DIR python -m tests.docs.lengths``.

A Chinese character counts as 1 / 1.6 of a word, anything else between blanks and marks as one; markup does not.
Pages of the vendor's that describe one operator alone are measured, in Chinese, without and with our page of all rules.
Programs of examples do not count: the vendor's pages, as they are at hand, come without theirs.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator

from opspec.docs.ledger import rules_page
from opspec.docs.page import page
from opspec.docs.related import Neighbours
from opspec.docs.render import render, render_rules
from opspec.registry.registry import Registry, definition_of
from tests.paths import SHARED

RELEASE = "9.1.0"
CJK_A_WORD = 1.6  # characters that say as much as an English word

_MARKUP = re.compile(r"<!--.*?-->|<[A-Za-z/][^>]*>|\]\([^)]*\)|^[|:\s-]+$|[*_`|\\#]", re.S | re.M)
_PROGRAM = re.compile(r"^```(?:c|python)\n.*?^```$", re.S | re.M)
_CJK = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z0-9]+(?:[.'][A-Za-z0-9]+)*")


def words(text: str) -> float:
    """The number of words of a text in Markdown or HTML."""
    plain = _MARKUP.sub(" ", text)
    return len(_CJK.findall(plain)) / CJK_A_WORD + len(_WORD.findall(plain))


def measured(every: int = 1) -> Iterator[tuple[str, float, float]]:
    """Operators with how much longer our page is than the vendor's, without and with the page of all rules.

    Args:
        every: the share of operators that are measured: 10 is each tenth.
    """
    known = Registry()
    neighbours = Neighbours(known)
    entries = known.entries(RELEASE)
    for number, (name, entry) in enumerate(sorted(entries.items())):
        if number % every:
            continue
        definition = definition_of(entry)
        theirs = SHARED / "docs" / RELEASE / (definition.spec.document or "-")
        if not theirs.is_file() or "&" in theirs.name or definition.spec.twin is not None:
            continue
        size = words(theirs.read_text(encoding="utf-8"))
        own = words(_PROGRAM.sub("", render(page(definition, "zh", neighbours.of(definition)), "md")))
        rules = words(render_rules(rules_page(definition, "zh"), "md"))
        yield name, own / size, (own + rules) / size


def medians(every: int = 1) -> tuple[float, float]:
    """The median of both figures."""
    found = list(measured(every))
    return statistics.median(one for _, one, _ in found), statistics.median(both for _, _, both in found)


def main() -> None:
    """Print the medians over all operators."""
    alone, both = medians()
    print(f"without rules {alone:.2f}, with rules {both:.2f}")


if __name__ == "__main__":
    main()
