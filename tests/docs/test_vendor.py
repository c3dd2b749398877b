"""Every fact in the tables of the vendor's pages is on ours; and our upstream form reads back as the same facts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opspec.docs.page import Page, page
from opspec.docs.render import render
from opspec.registry.registry import Registry, definition_of
from opspec.vocabulary import dtypes
from tests.docs import vendor
from tests.docs.regenerate import OPERATORS
from tests.paths import SHARED, needs_shared

MARKS = {"yes": "√", "no": "×"}


def ours(op: str) -> Page:
    """Our page of an operator, in Chinese."""
    return page(definition_of(Registry().find(op, "9.1.0")), "zh", upstream=True)


def text_of(op: str) -> str:
    """The vendor's page of an operator."""
    document = definition_of(Registry().find(op, "9.1.0")).spec.document or ""
    return Path(SHARED / "docs" / "9.1.0" / document).read_text(encoding="utf-8")


def theirs(op: str) -> vendor.VendorPage:
    """What that page says."""
    return vendor.read(text_of(op))


def named(cell: str) -> set[str]:
    """The dtypes of a cell in one spelling."""
    return {dtypes.canonical(part) for part in re.split("[、,，]", cell) if part not in ("-", "")}


@needs_shared
@pytest.mark.parametrize("op", OPERATORS)
def test_products(op: str) -> None:
    """Every product of the page, with its mark."""
    assert {name: MARKS[support] for _, name, support in ours(op).products} == theirs(op).products


@needs_shared
@pytest.mark.parametrize("op", OPERATORS)
def test_the_param_table(op: str) -> None:
    """Names and directions in order; dtypes, formats, ranks and the word on non-contiguous tensors."""
    rows = theirs(op).params
    assert [row[0] for row in rows] == [*(param.name for param in ours(op).params), "workspaceSize", "executor"]
    for row, param in zip(rows, ours(op).params, strict=False):
        assert row[1] == param.direction, param.name
        assert named(row[4]) == named(param.dtypes), param.name
        assert set(row[5].split("、")) == set(param.formats.split("、")), param.name
        assert row[6] == param.rank.split("、")[0], param.name
        assert row[7] == param.strided, param.name


@needs_shared
@pytest.mark.parametrize("op", OPERATORS)
def test_words_that_carry_facts(op: str) -> None:
    """Null and empty tensors: where their usage cell says so, ours does."""
    for row, param in zip(theirs(op).params, ours(op).params, strict=False):
        usage = " ".join(param.usage)
        assert ("支持空Tensor" in row[3]) <= ("支持空Tensor" in usage), param.name
        assert ("可选参数" in row[3]) <= ("可选" in usage), param.name


@needs_shared
@pytest.mark.parametrize("op", OPERATORS)
def test_return_codes(op: str) -> None:
    """Every status of their table is a row of ours, under the same number."""
    assert set(theirs(op).returns) <= {(row.status, str(row.code)) for row in ours(op).returns}


@needs_shared
@pytest.mark.parametrize("op", OPERATORS)
def test_the_upstream_form_has_the_vendor_s_facts(op: str) -> None:
    """Read by the same reader, our form of their page gives the same tables."""
    made, witness = vendor.read(render(ours(op), "upstream")), theirs(op)
    assert made.products == witness.products
    assert [row[:2] for row in made.params] == [row[:2] for row in witness.params]
    assert [named(row[4]) for row in made.params] == [named(row[4]) for row in witness.params]
    assert made.second == witness.second
    assert set(witness.returns) <= set(made.returns)


@needs_shared
@pytest.mark.parametrize("op", OPERATORS)
def test_the_upstream_form_has_the_vendor_s_headings(op: str) -> None:
    """The same sections in the same order, so that a diff lines up."""
    headings = re.findall(r"^##? .*", text_of(op), re.M)
    assert re.findall(r"^##? .*", render(ours(op), "upstream"), re.M) == [line.rstrip() for line in headings]


@needs_shared
@pytest.mark.parametrize("op", OPERATORS)
def test_no_sentence_of_the_vendor_s_is_on_ours(op: str) -> None:
    """Facts carry over, sentences do not: a long cell of theirs is nowhere on our page."""
    text = render(ours(op), "upstream")
    for row in theirs(op).params[:-2]:
        assert len(row[2]) < 12 or row[2] not in text
