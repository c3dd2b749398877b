"""Promises of the format vocabulary: what is public, what private, which rank has which formats, and every spelling."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from opspec.errors import OpspecError
from opspec.vocabulary import formats
from tests.paths import needs_shared
from tests.vocabulary import absurd
from tests.vocabulary.pages import REPOSITORIES, context, operator_pages, plain

_NAME = r"ACL_FORMAT_[A-Z0-9_]+"


def _named(text: str) -> set[str]:
    return {formats.canonical(name) for name in re.findall(_NAME, text) if "XXX" not in name}


@needs_shared
@pytest.mark.parametrize("repository", REPOSITORIES)
def test_public_and_private_are_the_page_s(repository: str) -> None:
    """The public list is complete both ways; the private list of the page ends in 'etc.', so it is a part of ours."""
    page = plain(context(repository, "数据格式"))
    common, private = page.split("## 常见数据格式")[1].split("## 私有数据格式")
    assert _named(common) == {name for name in formats.names() if formats.is_public(name)}
    named_private = _named(private)
    assert len(named_private) >= 6
    ours = {name for name in formats.names() if formats.is_private(name)}
    assert named_private <= ours
    assert all(re.match(r"FRACTAL_NZ_C0_\d+$", name) for name in ours - named_private)


@needs_shared
@pytest.mark.parametrize("repository", REPOSITORIES)
def test_ranks_are_the_page_s(repository: str) -> None:
    page = plain(context(repository, "数据格式"))
    table = {int(rank): _named(text) for rank, text in re.findall(r"- (\d)D的Tensor：([^（。\n]*)", page)}
    assert sorted(table) == [2, 3, 4, 5]
    others = re.search(r"- 其他维度的Tensor：([^\n]*)", page)
    assert others is not None
    for rank in range(12):
        may = {name for name in formats.names() if formats.is_public(name) and formats.ranks(name) in (None, (rank,))}
        assert may == table.get(rank, _named(others[1])), rank


def test_undefined_is_neither_public_nor_private() -> None:
    assert not formats.is_public("UNDEFINED")
    assert not formats.is_private("UNDEFINED")
    assert [name for name in formats.names() if formats.is_public(name) == formats.is_private(name)] == ["UNDEFINED"]


def test_a_public_name_has_a_letter_for_each_axis() -> None:
    for name in formats.names():
        expected = None if name == "ND" or not formats.is_public(name) else (len(name),)
        assert formats.ranks(name) == expected


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("NZ", "FRACTAL_NZ"), ("nz", "FRACTAL_NZ"), ("5HD", "NC1HWC0"), ("6HD", "NDC1HWC0"), ("FZ", "FRACTAL_Z"),
        ("ACL_FORMAT_NC1HWC0", "NC1HWC0"), ("FORMAT_NCHW", "NCHW"), ("acl_format_nd", "ND"), (" nchw ", "NCHW"),
        ("ACL_FRACTAL_Z_3D", "FRACTAL_Z_3D"), ("ACL_FORMAT_FRACTAL_Z_3D", "FRACTAL_Z_3D"), ("undefined", "UNDEFINED"),
    ],
)  # fmt: skip
def test_spellings(spelling: str, name: str) -> None:
    assert formats.canonical(spelling) == name


def _without_footnotes(page: Path) -> str:
    """A footnote's superscript digit would become a part of the name before it."""
    return plain(re.sub(r"<sup>.*?</sup>", "", page.read_text(encoding="utf-8")))


@needs_shared
def test_every_format_the_pages_name_is_known() -> None:
    """DHWCN alone is on pages and not in aclFormat of the public headers: no caller could pass it by that name."""
    unknown = set()
    for page in operator_pages():
        for name in re.findall(_NAME + "(?![A-Za-z0-9_])", _without_footnotes(page)):
            try:
                formats.canonical(name)
            except OpspecError:
                unknown.add(name)
    assert unknown == {"ACL_FORMAT_DHWCN"}


def test_names_numbers_and_spellings_round_trip() -> None:
    for name in formats.names():
        assert formats.canonical(name.lower()) == formats.from_number(formats.number(name)) == name
    assert all(formats.canonical(alias) == name for alias, name in formats.aliases().items())
    assert list(map(formats.number, formats.names())) == sorted(map(formats.number, formats.names()))


@pytest.mark.parametrize("value", absurd.NAMES)
def test_absurd_names_end_as_one_error(value: Any) -> None:
    for function in (formats.canonical, formats.number, formats.is_public, formats.is_private, formats.ranks):
        with pytest.raises(OpspecError) as caught:
            function(value)
        assert len(str(caught.value)) < 400


@pytest.mark.parametrize("value", [5, -2, *absurd.NUMBERS])
def test_numbers_that_no_format_has(value: Any) -> None:
    with pytest.raises(OpspecError, match="no format has the number"):
        formats.from_number(value)


def test_an_error_names_the_nearest_spelling() -> None:
    with pytest.raises(OpspecError, match="did you mean 'FRACTAL_NZ'"):
        formats.canonical("FRACTLNZ")
