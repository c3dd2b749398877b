"""llms.txt: a list that programs read line by line, whatever titles and summaries hold."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from opspec.docs.llms import Linked, llms

PAGE = re.compile(r"- \[(?P<title>(?:[^\[\]]|\\\[|\\\])*)\]\((?P<link>[^)]*)\)(?:: (?P<about>.*))?")


def test_guides_stand_before_families() -> None:
    text = llms(
        {"math": [Linked("aclnnAdd", "9.1.0/aclnnAdd.en.md", "Adds.")], "empty": []}, [Linked("Calls", "calls.md")]
    )
    assert text.startswith("# opspec\n\n> ")
    assert text.endswith("## Guides\n\n- [Calls](calls.md)\n\n## math\n\n- [aclnnAdd](9.1.0/aclnnAdd.en.md): Adds.\n")
    assert "empty" not in text


@given(st.lists(st.tuples(st.text(), st.text()), max_size=4))
def test_every_page_is_one_line(pages: list[tuple[str, str]]) -> None:
    text = llms({"family": [Linked(title, f"{number}.md", about) for number, (title, about) in enumerate(pages)]})
    found = [line for line in text.split("\n") if line.startswith("- [")]
    assert len(found) == len(pages)
    for number, line in enumerate(found):
        row = PAGE.fullmatch(line)
        assert row is not None
        assert row["link"] == f"{number}.md"
