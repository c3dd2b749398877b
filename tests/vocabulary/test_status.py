"""Promises of the status codes: names and numbers are the page's, meanings are ours in two languages."""

from __future__ import annotations

import re
from typing import Any

import pytest

from opspec.errors import OpspecError
from opspec.vocabulary import status
from tests.paths import needs_shared
from tests.vocabulary import absurd
from tests.vocabulary.pages import REPOSITORIES, context, operator_pages, plain

_ROW = re.compile(r"(ACLNN_[A-Z_]+)\s+(\d+)\s+(\S[^\n]*)")


@needs_shared
@pytest.mark.parametrize("repository", REPOSITORIES)
def test_the_page_agrees_both_ways(repository: str) -> None:
    page = {name: int(number) for name, number, _ in _ROW.findall(plain(context(repository, "aclnn返回码")))}
    assert {status.canonical(name): number for name, number in page.items()} == {
        name: status.number(name) for name in status.names()
    }
    assert all(status.number(name) == number for name, number in page.items())


@needs_shared
def test_every_status_that_operator_pages_name_is_known() -> None:
    found = {
        name
        for page in operator_pages()
        for name in re.findall(r"ACLNN_(?:SUCCESS|ERR)[A-Z_]*", page.read_text(encoding="utf-8"))
    }
    assert "ACLNN_ERR_PARAM_INVALID" in found
    unknown = set()
    for name in found:
        try:
            status.canonical(name)
        except OpspecError:
            unknown.add(name)
    assert unknown == {"ACLNN_ERRPARAM_NULLPTR"}, "a slip of three pages, refused with the right name as a hint"


@needs_shared
@pytest.mark.parametrize("repository", REPOSITORIES)
def test_no_meaning_is_the_vendor_s_sentence(repository: str) -> None:
    """No meaning is a cell of the page, of whatever row, or a clause of one."""
    cells = re.findall(r"ACLNN_[A-Z_]+\s+\d\w*\s+(\S[^\n]*)", plain(context(repository, "aclnn返回码")))
    clauses = {part.strip() for cell in cells for part in (cell.rstrip("。"), *re.split(r"[：，。（）]", cell))}
    assert len(clauses) > len(status.names())
    for name in status.names():
        assert status.meaning(status.number(name), "zh") not in clauses, name


def test_constants_are_the_codes_of_their_names() -> None:
    for constant, name in {
        status.SUCCESS: "ACLNN_SUCCESS",
        status.NULLPTR: "ACLNN_ERR_PARAM_NULLPTR",
        status.INVALID: "ACLNN_ERR_PARAM_INVALID",
        status.RUNTIME: "ACLNN_ERR_RUNTIME_ERROR",
        status.INNER: "ACLNN_ERR_INNER",
        status.INFERSHAPE_ERROR: "ACLNN_ERR_INNER_INFERSHAPE_ERROR",
        status.TILING_ERROR: "ACLNN_ERR_INNER_TILING_ERROR",
        status.FIND_KERNEL_ERROR: "ACLNN_ERR_INNER_FIND_KERNEL_ERROR",
        status.CREATE_EXECUTOR: "ACLNN_ERR_INNER_CREATE_EXECUTOR",
        status.INNER_NULLPTR: "ACLNN_ERR_INNER_NULLPTR",
    }.items():
        assert status.name(constant) == name


def test_names_numbers_and_meanings() -> None:
    numbers = [status.number(name) for name in status.names()]
    assert numbers == sorted(set(numbers))
    for name in status.names():
        code = status.number(name)
        assert status.canonical(name.lower()) == status.canonical(str(code)) == status.name(code) == name
        english, chinese = status.meaning(code, "en"), status.meaning(code, "zh")
        assert english.isascii()
        assert re.search("[一-鿿]", chinese)
        assert "\n" not in english + chinese


def test_a_retired_spelling_is_understood() -> None:
    assert status.canonical("ACLNN_ERR_INNER_KEY_CONFILICT") == "ACLNN_ERR_INNER_KEY_CONFLICT"


@pytest.mark.parametrize("value", absurd.NAMES)
def test_absurd_statuses_end_as_one_error(value: Any) -> None:
    for function in (status.canonical, status.number):
        with pytest.raises(OpspecError) as caught:
            function(value)
        assert len(str(caught.value)) < 400


@pytest.mark.parametrize("code", [1, -1, 561999, 161003])
def test_numbers_that_no_status_has(code: int) -> None:
    with pytest.raises(OpspecError, match="unknown status"):
        status.name(code)


@pytest.mark.parametrize("lang", ["fr", "", None, [], "EN"])
def test_a_language_is_en_or_zh(lang: Any) -> None:
    with pytest.raises(OpspecError, match="expected language"):
        status.meaning(0, lang)


def test_an_error_names_the_nearest_name() -> None:
    with pytest.raises(OpspecError, match="did you mean 'ACLNN_ERR_PARAM_INVALID'"):
        status.canonical("ACLNN_ERR_PARAM_INVALD")
