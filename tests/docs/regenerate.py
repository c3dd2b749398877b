"""The golden pages: what ``opspec docs`` writes for the seed operators and some others, kept for review.

Regenerate with: python -m tests.docs.regenerate
"""

from __future__ import annotations

import shutil
from pathlib import Path

from opspec.diff.told import histories
from opspec.docs.ledger import rules_page
from opspec.docs.page import page
from opspec.docs.related import Neighbours
from opspec.docs.render import Form, glossary, render, render_rules
from opspec.registry.registry import Registry, definition_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from opspec.language.prose import Lang

    Kept = Form | Literal["rules.md", "rules.html", "glossary.md"]

GOLDEN = Path(__file__).resolve().parent / "golden"
OPERATORS = (
    "aclnnAdaptiveAvgPool2dBackward",
    "aclnnBatchNormElemtBackward",
    "aclnnGeluBackwardV2",
    "aclnnGroupedBiasAddGrad",
    "aclnnPreluBackward",
)
RELEASES = ("8.0", "9.1.0")
LANGS: tuple[Lang, ...] = ("en", "zh")

#: Every form of page that is kept: (operator, release, language, form).
KEPT: list[tuple[str, str, Lang, Kept]] = [
    *((op, release, lang, "md") for op in OPERATORS for release in RELEASES for lang in LANGS),
    ("aclnnGroupedBiasAddGrad", "9.1.0", "zh", "html"),
    ("aclnnBatchNormElemtBackward", "9.1.0", "zh", "upstream"),
    *(("aclnnGroupedBiasAddGrad", "9.1.0", lang, "rules.md") for lang in LANGS),
    ("aclnnTopk", "9.1.0", "en", "rules.html"),
    ("aclnnFlashAttentionScoreV4", "9.1.0", "en", "md"),
    *(("glossary", "9.1.0", lang, "glossary.md") for lang in LANGS),
]


def name(op: str, release: str, lang: Lang, form: Kept) -> str:
    """The golden file's name below the folder."""
    kind, _, ending = form.rpartition(".")
    if form == "upstream":
        return f"{release}/{op}.{lang}.upstream.md"
    return f"{release}/{op}{'.rules' if kind == 'rules' else ''}.{lang}.{ending}"


def written(op: str, release: str, lang: Lang, form: Kept) -> str:
    """The page as it is written now, from the built-in registry alone."""
    if form == "glossary.md":
        return glossary(release, lang, "md")
    known = Registry()
    definition = definition_of(known.find(op, release))
    if form == "rules.md" or form == "rules.html":
        return render_rules(rules_page(definition, lang), "md" if form == "rules.md" else "html")
    near = Neighbours(known, histories).of(definition)
    return render(page(definition, lang, near, upstream=form == "upstream"), form)


def main() -> None:
    """Write every golden page anew."""
    shutil.rmtree(GOLDEN, ignore_errors=True)
    for kept in KEPT:
        path = GOLDEN / name(*kept)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written(*kept), encoding="utf-8", newline="\n")
    print(f"{len(KEPT)} pages in {GOLDEN}")


if __name__ == "__main__":
    main()
