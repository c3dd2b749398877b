"""The registry agrees with the vendor's pages on the facts that both state; checked where the pages are present."""

from __future__ import annotations

import csv
import re

import pytest

from opspec.registry.registry import definition_of, registry
from opspec.vocabulary import ctypes_, products
from tests.operators.test_seed_operators import OPERATORS
from tests.paths import SHARED, needs_shared


def page(op: str) -> str:
    """The 9.1.0 page of an operator, found by the spec's own ``document``."""
    document = definition_of(registry().find(op, "9.1.0")).spec.document
    assert document is not None
    return (SHARED / "docs" / "9.1.0" / document).read_text(encoding="utf-8")


@needs_shared
@pytest.mark.parametrize("op", OPERATORS)
def test_params_are_those_of_the_prototype(op: str) -> None:
    """Names, order and C types are the first phase's on the page, executor and workspace size left out."""
    found = re.search(rf"aclnnStatus\s+{op}GetWorkspaceSize\(([^)]*)\)", page(op))
    assert found is not None
    declared = [re.fullmatch(r"\s*(.*?)\s*(\w+)\s*", part, re.S) for part in found[1].split(",")]
    params = [(ctypes_.parse(part[1]).text(), part[2]) for part in declared if part is not None]
    spec = definition_of(registry().find(op, "9.1.0"))
    assert [(param.ctype, param.name) for param in spec.params] == params[:-2]


@needs_shared
@pytest.mark.parametrize("op", OPERATORS)
def test_products_are_those_of_the_table(op: str) -> None:
    """Every row of the page's product table is in the spec, with its mark."""
    rows = re.findall(r"^\|\s*<term>(.*?)</term>\s*\|\s*([√×])\s*\|", page(op), re.M)
    assert len(rows) == 6
    table = {products.resolve(name)[0]: "yes" if mark == "√" else "no" for name, mark in rows}
    assert definition_of(registry().find(op, "9.1.0")).spec.products == table


@needs_shared
@pytest.mark.parametrize("release", ["8.0", "9.1.0"])
@pytest.mark.parametrize("op", OPERATORS)
def test_headers_are_those_of_the_list(op: str, release: str) -> None:
    """The header that declares the operator, as the list of headers has it."""
    with (SHARED / "headers.csv").open(encoding="utf-8") as file:
        headers = {row["operator"]: row["header"] for row in csv.DictReader(file)}
    assert definition_of(registry().find(op, release)).header == f"aclnnop/{headers[op]}"


@needs_shared
@pytest.mark.parametrize("op", OPERATORS)
def test_every_return_code_row_is_in_the_spec(op: str) -> None:
    """As many rows as the page's table has, each with rules, in its order."""
    text = page(op)
    table = text[text.index("ACLNN_ERR_PARAM_NULLPTR") : text.index(f"## {op}\n")]
    rows = len(re.findall(r"<tr>", table)) + 1
    assert len(definition_of(registry().find(op, "9.1.0")).returns) == rows


@needs_shared
@pytest.mark.parametrize("release", ["8.0", "9.1.0"])
@pytest.mark.parametrize("op", OPERATORS)
def test_no_sentence_of_a_page_stands_in_a_spec(op: str, release: str) -> None:
    """Facts carry over, sentences do not: no run of 12 Chinese characters of the page occurs in the spec."""
    entry = registry().find(op, release)
    with open(entry.path, encoding="utf-8") as file:
        spec = file.read()
    sources = [page(op), *(path.read_text(encoding="utf-8") for path in (SHARED / "seeds").glob("*.txt"))]
    runs = re.findall(r"[\u4e00-\u9fff]{12,}", spec)
    for run in runs:
        pieces = {run[i : i + 12] for i in range(len(run) - 11)}
        assert not any(piece in source for piece in pieces for source in sources), run
