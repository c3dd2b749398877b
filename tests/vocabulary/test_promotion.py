"""Promises of promotion and conversion: every cell of the pages' tables, in all four repositories."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from opspec.errors import OpspecError
from opspec.vocabulary import dtypes
from opspec.vocabulary.promotion import castable, promote, promote_scalar
from opspec.vocabulary.tables import table
from tests.paths import needs_shared
from tests.vocabulary import absurd
from tests.vocabulary.pages import REPOSITORIES, context, plain, rows

Cells = dict[tuple[str, str], str | None]


def _page(repository: str, title: str) -> Cells:
    """(row, column) -> dtype or None for a cross; the short names are the legend's of the same page."""
    text = plain(context(repository, title))
    short = {name: dtypes.canonical(enumerator) for enumerator, name in re.findall(r"(ACL_\w+)\((\w+)\)", text)}
    header, *body = rows(text)
    columns = [short[cell] for cell in header[1:]]
    assert len(body) == len(columns) == len(short) == 16
    return {
        (short[row[0]], column): None if cell in "×x" else short[cell]
        for row in body
        for column, cell in zip(columns, row[1:], strict=True)
    }


@needs_shared
@pytest.mark.parametrize("repository", REPOSITORIES)
@pytest.mark.parametrize(
    ("title", "function"),
    [("互推导关系", promote), ("TensorScalar互推导关系", lambda row, column: promote_scalar(column, row))],
    ids=["tensor with tensor", "tensor with scalar"],
)
def test_every_cell(repository: str, title: str, function: Callable[[str, str], str | None]) -> None:
    """Each pair of dtypes is the page's cell; a pair the page lacks is None unless both are the same."""
    page = _page(repository, title)
    assert len(page) == 256
    for a in dtypes.names():
        for b in dtypes.names():
            assert function(a, b) == page.get((a, b), a if a == b else None), (a, b)


@needs_shared
@pytest.mark.parametrize("repository", REPOSITORIES)
def test_conversion_is_the_page_s(repository: str) -> None:
    """The members of each class and the statements between classes, read from the page."""
    text = plain(context(repository, "互转换关系"))
    classes = {
        kind: {dtypes.canonical(name) for name in re.findall(r"ACL_\w+", names)}
        for kind, names in re.findall(r"-\s+(整数|浮点|复数)类型：([^\n]*)", text)
    }
    classes["BOOL"] = {"BOOL"}
    among = re.findall(r"-\s+(整数|浮点|复数)类型间可以转换", text)
    onward = re.findall(r"(整数|浮点|BOOL)[^，\n]*(?:，也)?支持往([^\n]*?)类型转换", text)
    allowed = {(kind, kind) for kind in among} | {(a, b) for a, targets in onward for b in targets.split("、")}
    assert len(allowed) == 9
    pairs = {(s, t) for a, b in allowed for s in classes[a] for t in classes[b]}
    for source in dtypes.names():
        for target in dtypes.names():
            assert castable(source, target) == ((source, target) in pairs or source == target), (source, target)


def test_tensor_with_tensor_is_symmetric() -> None:
    assert all(promote(a, b) == promote(b, a) for a in dtypes.names() for b in dtypes.names())


def test_a_tensor_s_kind_wins_over_a_scalar() -> None:
    assert promote_scalar("FLOAT16", "DOUBLE") == "FLOAT16"
    assert promote_scalar("INT8", "DOUBLE") == "FLOAT"
    assert promote_scalar("BOOL", "UINT16") is None


@pytest.mark.parametrize("dtype", ["UINT16", "STRING", "FLOAT8_E5M2", "DT_UNDEFINED", "INT4"])
def test_equal_dtypes_need_no_table(dtype: str) -> None:
    assert promote(dtype, dtype) == promote_scalar(dtype, dtype) == dtype
    assert castable(dtype, dtype)


def test_other_spellings_are_understood() -> None:
    """A spelling never turns an answer into None or False."""
    assert promote("float32", "float16") == promote("ACL_FLOAT", "half") == "FLOAT"
    assert promote("bf16", "BF16") == "BFLOAT16"
    assert promote("FLOAT32", "FLOAT") == "FLOAT"
    assert promote_scalar("bf16", "float64") == "BFLOAT16"
    assert castable("bool", "bf16")
    assert castable("STRING", "string")


@pytest.mark.parametrize("value", absurd.NAMES)
def test_absurd_dtypes_end_as_one_error(value: Any) -> None:
    for function in (promote, promote_scalar, castable):
        for arguments in ((value, "FLOAT"), ("FLOAT", value), (value, value)):
            with pytest.raises(OpspecError):
                function(*arguments)


def test_the_data_hold_whole_tables() -> None:
    data = table("promotion")
    for name in ("tensor_tensor", "tensor_scalar"):
        assert [len(row) for row in data[name]] == [len(data["order"])] * len(data["order"])
