"""The golden pages: what ``opspec docs`` writes for the seed operators, kept for review.

Regenerate with: python -m tests.docs.regenerate
"""

from __future__ import annotations

import shutil
from pathlib import Path

from opspec.docs.page import page
from opspec.docs.render import Form, render
from opspec.registry.registry import Registry, definition_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.prose import Lang

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
KEPT: list[tuple[str, str, Lang, Form]] = [
    *((op, release, lang, "md") for op in OPERATORS for release in RELEASES for lang in LANGS),
    ("aclnnGroupedBiasAddGrad", "9.1.0", "zh", "html"),
    ("aclnnBatchNormElemtBackward", "9.1.0", "zh", "upstream"),
]


def name(op: str, release: str, lang: Lang, form: Form) -> str:
    """The golden file's name below the folder."""
    return f"{release}/{op}.{lang}.{'upstream.md' if form == 'upstream' else form}"


def written(op: str, release: str, lang: Lang, form: Form) -> str:
    """The page as it is written now, from the built-in registry alone."""
    return render(page(definition_of(Registry().find(op, release)), lang), form)


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
