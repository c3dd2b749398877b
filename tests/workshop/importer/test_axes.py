"""The importer notes what a page calls the dims of a tensor."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.workshop.importer.building import OUT, X, Y, page, params


@pytest.mark.parametrize(
    ("rank", "usage", "dims"),
    [
        ("4维，shape为(N, C, H, 2 * W)", "-", "N, C, H, _"),
        ("[BND]", "-", "B, N, D"),
        ("2", "shape支持(m, k)。", "m, k"),
        ("2", "在x不转置的情况下各个维度表示：（m，k）。在x转置的情况下各个维度表示：（k，m）。", "m, k"),
        ("3", "mode为0时shape为[B, S1, D]；其余shape为[B, S2, D]。", "B, _, D"),
        ("2-3", "shape为(T, H)或(B, S, H)。", "*, H"),
        ("2", "若y的shape为[P, M]，则shape任意。", None),
        ("2", "取值范围为[low, high]。", None),
        ("2", "x、out要求为2维张量，shape为(B, S)。", "B, S"),
    ],
)
def test_names_of_dims_are_those_of_the_row(rank: str, usage: str, dims: str | None) -> None:
    """In the cell of shapes, and in sentences on the shape of the row's own tensor."""
    found = params(page((replace(X, rank=rank, usage=usage), Y, OUT)))
    assert found["x"].get("dims") == dims


def test_other_rows_say_what_a_row_does_not() -> None:
    """A sentence elsewhere names the tensor that it is about."""
    y = replace(Y, usage="当x的shape为(M, K)时，shape为(K, N)。", rank="2")
    found = params(page((replace(X, rank="2"), y, OUT)))
    assert (found["x"].get("dims"), found["y"].get("dims")) == ("M, K", "K, N")
