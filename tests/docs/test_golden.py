"""Pages stay as they were reviewed. Regenerate with: python -m tests.docs.regenerate"""

from __future__ import annotations

import re

import pytest

from tests.docs.regenerate import GOLDEN, KEPT, name, written
from tests.paths import REPOSITORY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.prose import Lang
    from tests.docs.regenerate import Kept


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: name(*kept))
def test_the_page_is_the_reviewed_one(kept: tuple[str, str, Lang, Kept]) -> None:
    """Whoever changes a page reads the change in the golden file."""
    assert written(*kept) == (GOLDEN / name(*kept)).read_text(encoding="utf-8")


def test_there_is_no_other_golden_file() -> None:
    """A page that is no longer kept leaves no file."""
    files = {str(path.relative_to(GOLDEN)) for path in GOLDEN.rglob("*") if path.is_file()}
    assert files == {name(*kept) for kept in KEPT}


@pytest.mark.parametrize(("readme", "lang"), [("README.md", "en"), ("README.zh.md", "zh")])
def test_the_readme_shows_rows_of_the_page(readme: str, lang: Lang) -> None:
    """The excerpt is what the page says, but for anchors and a list of clauses that is cut."""
    shown = (REPOSITORY / readme).read_text(encoding="utf-8").split("```markdown\n", 1)[1].split("```", 1)[0]
    page = re.sub(r"<a .*?></a>", "", written("aclnnGroupedBiasAddGrad", "9.1.0", lang, "rules.md"))
    for line in shown.splitlines():
        assert re.split("[,、] ?…", line)[0] in page
