"""Pages that are broken, huge or mean no good: read in bounded time, and nothing but an OpspecError comes of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import opspec.workshop.importer
from opspec.errors import OpspecError
from opspec.model.load import load_text
from opspec.workshop.importer.blocks import MOST_BYTES
from opspec.workshop.importer.page import read_page
from opspec.workshop.importer.pipeline import Result
from tests.workshop.importer.building import MODE, OUT, PAGE, ROWS, X, Y, imported, page, params, text_of
from tests.workshop.importer.limits import at_most

LONG = 20  # seconds of the processor: several times what the slowest of these takes
MANY = 100_000


def read(text: str) -> Result | None:
    """What a page yields; None when it is refused with a message."""
    with at_most(LONG):
        try:
            return imported(text)
        except OpspecError as error:
            refused = error
    assert "\n" not in str(refused)
    return None


# --- size and nesting


@pytest.mark.slow
def test_a_page_of_ten_megabytes() -> None:
    """It is read like a small one."""
    text = PAGE + ("\n" + "说明文字，没有约束的内容，" * 20) * 15_000 + "\n- x的shape与out的shape一致。\n"
    assert len(text.encode()) > 10 * 2**20
    result = read(text)
    assert result is not None
    assert [made.stem for made in result.specs] == ["aclnnToy"]


def test_a_page_larger_than_any_is_refused() -> None:
    """The message says how large it may be."""
    with pytest.raises(OpspecError, match="at most 20 MB"):
        imported("# aclnnToy\n" + "x" * MOST_BYTES)


@pytest.mark.slow
@pytest.mark.parametrize(
    "opening",
    ["<table>", "<table><tr><td>", "<table>\n", "<details>", "<ul><li>", "<b>", "<sup>", "<!--", "```\n", "$$\n"],
)
@pytest.mark.parametrize("before", ["<table>", "## 约束说明"])
def test_tags_nested_a_hundred_thousand_times(opening: str, before: str) -> None:
    """Unclosed tags, tables in tables: the rest of the page is read as far as there is one."""
    result = read(PAGE.replace(before, opening * MANY + before, 1))
    assert result is not None
    assert result.specs or result.faults


def test_a_table_nested_too_deep_says_so() -> None:
    """A spec that lacks its rows is not passed off as whole."""
    result = read(PAGE.replace("<table>", "<table><tr><td>" * 1000 + "<table>", 1))
    assert result is not None
    assert "the table of params" in str(result.specs[0].written.value["partial"])


def test_twenty_thousand_tables_and_cells_without_end() -> None:
    """Their number does not make each of them slower."""
    assert read("<table><tr><td>a</td></tr></table>\n" * 20_000) is not None
    assert (
        read(page(constraints="<table>" + "<tr><td colspan=99999 rowspan=99999>a</td></tr>" * 2_000 + "</table>\n"))
        is not None
    )
    assert read(page(constraints="| a " * MANY + "|\n")) is not None


# --- damage


@pytest.mark.parametrize("cut", range(0, len(PAGE), 97))
def test_a_page_that_ends_anywhere(cut: int) -> None:
    """A truncated page yields a spec, a partial one, or a fault."""
    result = read(PAGE[:cut])
    assert result is not None
    assert result.specs or result.faults


@pytest.mark.parametrize("tag", sorted(set(re.findall(r"</?\w+>", PAGE))))
def test_a_page_without_one_kind_of_tag(tag: str) -> None:
    """Tables without row ends, without cells, without an end: read as far as there is sense in them."""
    result = read(PAGE.replace(tag, ""))
    assert result is not None
    assert [made.stem for made in result.specs] == ["aclnnToy"]


@pytest.mark.parametrize("tag", ["</td>", "</tr>", "</th>"])
def test_ends_of_cells_may_go_without(tag: str) -> None:
    """As in any HTML."""
    assert params(PAGE.replace(tag, "")) == params(PAGE)


def _file(folder: Path, content: bytes) -> Path:
    path = folder / "aclnnToy.md"
    path.write_bytes(content)
    return path


def test_line_ends_and_a_byte_order_mark(tmp_path: Path) -> None:
    """Nothing of the page depends on them."""
    wanted = read_page(_file(tmp_path, PAGE.encode()))
    for content in (PAGE.replace("\n", "\r\n"), PAGE.replace("\n", "\r"), "\ufeff" + PAGE):
        assert read_page(_file(tmp_path, content.encode())) == wanted


def test_a_page_that_is_no_utf8(tmp_path: Path) -> None:
    """The message names file and byte."""
    path = _file(tmp_path, PAGE.split("\n")[0].encode() + b"\n\xff" + PAGE.encode())
    with pytest.raises(OpspecError, match=r"aclnnToy\.md: cannot read: .*0xff"):
        read_page(path)


def test_nul_bytes_and_control_characters() -> None:
    """They say nothing."""
    spoilt = PAGE.replace("FLOAT16、FLOAT", "FLOAT16、\x00\x1b\x07FLOAT\x00").replace("传入的x", "传入的\x00x")
    assert params(spoilt) == params(PAGE)
    assert read("\x00" * MANY) is not None


# --- text that could make a pattern slow


def _pieces() -> list[str]:
    """Every Chinese word in the importer's patterns: what any of them repeats is made of these."""
    folder = Path(opspec.workshop.importer.__file__).parent
    texts = (path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py")))
    return sorted({word for text in texts for word in re.findall(r"[\u4e00-\u9fff]{1,4}", text)})


SIGNS = [
    *"<>[]()（）【】{}*_`$#|-\\/ \t,，。、；：0aAx⟦⟧Ⓣ＝\"'“&!~^", "x、", "x和", "和", "x的数据类型", "当x为空时，",
    "（参见", "(x，", "[(1,", "1、", "1-", "2^31", '"a"、', "FLOAT、", "FLOAT16（仅Atlas A2 训练系列产品支持）、",
    "注：", "Atlas ", "Atlas A2 训练系列产品/", "(N, C)、", "1维、", "x.size(0)", "const ", "返回161002",
    "aclnnStatus aclnnX(",
    "aclnnXGetWorkspaceSize(", "/*", "<!--", "![a](", "[a](b", "\\|", "&amp;", "<b>", "__a", "`a", "⟦x⟧", "且",
    "undefined", "[object Object]", '<!-- npu="910b" a -->',
]  # fmt: skip


def _everywhere(piece: str, times: int) -> str:
    """A page with a piece repeated in every cell, statement and row of return codes."""
    run = piece * times
    cells = {"about": run, "usage": run, "dtype": f"FLOAT{run}", "format": f"ND{run}", "rank": run, "strided": run}
    text = page([replace(row, **cells) for row in (X, MODE, OUT)], "markdown", constraints=f"- x{run}一致\n- {run}y\n")
    text = text.replace("传入的x、y或out是空指针。", f"{run}x{run}是空指针")
    return text.replace("x、y的数据类型不在支持的范围之内。", f"{run}x、y{run}").replace("接口功能", run)


@pytest.mark.slow
@pytest.mark.parametrize("piece", SIGNS)
def test_long_runs_of_one_sign(piece: str) -> None:
    """Brackets, marks, names: five thousand of them in a row in a statement, and five hundred in every cell."""
    assert read(page(constraints=f"- x{piece * 5_000}一致\n- {piece * 5_000}\n")) is not None
    assert read(_everywhere(piece, 500)) is not None
    assert read(page([replace(row, usage=piece * 500) for row in ROWS], "bullets")) is not None
    assert read(PAGE.replace("aclnnToy", "aclnn" + piece * 1000)) is not None


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_long_runs_of_what_patterns_repeat(part: int) -> None:
    """Each word of the patterns sixty times in a row, everywhere."""
    for piece in _pieces()[part::8]:
        assert read(_everywhere(piece, 60)) is not None


# --- any damage at all

_LINES = PAGE.split("\n")
_TOKENS = sorted(
    {*re.findall(r"<[^<>]*>|[A-Za-z0-9_]+|[^\sA-Za-z0-9_]", PAGE), *SIGNS, "aclnnToy", "## ", "\n\n", "```", "\x00"}
)


def _cut(text: str, at: int, length: int, token: str) -> str:
    return text[:at] + text[at + length :]


def _insert(text: str, at: int, length: int, token: str) -> str:
    return text[:at] + token * (length % 7 + 1) + text[at:]


def _move(text: str, at: int, length: int, token: str) -> str:
    return text[:at] + text[at + length :] + text[at : at + length]


def _swap(text: str, at: int, length: int, token: str) -> str:
    lines = text.split("\n")
    i, j = at % len(lines), length % len(lines)
    lines[i], lines[j] = lines[j], lines[i]
    return "\n".join(lines)


_PAGES = (
    PAGE,
    page(form="markdown"),
    page(form="bullets"),
    page((X, Y, OUT), more="  - Atlas 推理系列产品：x的维度为2。\n"),
)
_DAMAGE: tuple[Callable[[str, int, int, str], str], ...] = (_cut, _insert, _move, _swap)


@settings(max_examples=150)
@given(
    st.sampled_from(_PAGES),
    st.lists(
        st.tuples(st.sampled_from(_DAMAGE), st.floats(0, 1), st.integers(0, 400), st.sampled_from(_TOKENS)),
        min_size=1,
        max_size=8,
    ),
)
def test_pages_damaged_at_random(
    text: str, damage: list[tuple[Callable[[str, int, int, str], str], float, int, str]]
) -> None:
    """Cut, doubled, moved and swapped pieces: never anything but an OpspecError, and what is written loads again."""
    for spoil, at, length, token in damage:
        text = spoil(text, int(at * len(text)), length, token)
    result = read(text)
    for made in result.specs if result else ():
        load_text(text_of(made))
