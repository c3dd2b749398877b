"""Promises of the shape functions: NumPy's broadcast and strides."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.vocabulary import shapes

Shape = tuple[int, ...]

DIMS = st.sampled_from([0, 1, 1, 2, 3])
SHAPES = st.lists(DIMS, max_size=6).map(tuple)


def _numpy(*operands: Shape) -> Shape | None:
    try:
        return np.broadcast_shapes(*operands)
    except ValueError:
        return None


@given(st.lists(SHAPES, max_size=4))
def test_broadcast_is_numpy_s(operands: list[Shape]) -> None:
    assert shapes.broadcast(*operands) == _numpy(*operands)


@given(SHAPES, SHAPES)
def test_pairs_follow_from_broadcast(a: Shape, b: Shape) -> None:
    assert shapes.broadcast_pair(a, b) == _numpy(a, b)
    assert shapes.broadcastable(a, b) == (_numpy(a, b) is not None) == shapes.broadcastable(b, a)
    assert shapes.broadcastable_to(a, b) == (_numpy(a, b) == b)


def test_no_argument_is_changed_and_lists_are_shapes_too() -> None:
    a, b = [2, 3], [4, 1, 3]
    assert shapes.broadcast(a, b) == (4, 2, 3)
    assert (a, b) == ([2, 3], [4, 1, 3])
    assert shapes.broadcastable_to([1, 3], [2, 3])


@given(SHAPES)
def test_numel_and_strides_are_numpy_s(shape: Shape) -> None:
    array = np.empty(shape, dtype=np.int8)
    assert shapes.numel(shape) == array.size
    if array.size:
        assert shapes.contiguous_strides(shape) == array.strides
    assert shapes.is_contiguous(shape, shapes.contiguous_strides(shape))


@given(st.lists(st.sampled_from([0, 1, 1, 2, 3]), max_size=4).map(tuple), st.data())
def test_contiguity_is_numpy_s(shape: Shape, data: st.DataObject) -> None:
    """Every view NumPy can make of few elements, judged by NumPy's own flag."""
    strides = tuple(data.draw(st.lists(st.integers(0, 9), min_size=len(shape), max_size=len(shape))))
    if data.draw(st.booleans()):
        strides = tuple(data.draw(st.permutations(shapes.contiguous_strides(shape))))
    buffer = np.empty(200, dtype=np.int8)
    view = np.lib.stride_tricks.as_strided(buffer, shape, strides)
    assert shapes.is_contiguous(shape, strides) == view.flags.c_contiguous
    if len(shape) >= 2:
        assert shapes.is_transposed_last2(shape, strides) == view.swapaxes(-1, -2).flags.c_contiguous
    else:
        assert not shapes.is_transposed_last2(shape, strides)


def test_a_transposed_matrix() -> None:
    assert shapes.is_transposed_last2((7, 2, 3), (6, 1, 2))
    assert not shapes.is_transposed_last2((7, 2, 3), (6, 3, 1))
    assert not shapes.is_contiguous((7, 2, 3), (6, 1, 2))


@pytest.mark.parametrize("strides", [(), (1,), (1, 1, 1)])
def test_strides_of_another_rank_describe_no_view(strides: Shape) -> None:
    assert not shapes.is_contiguous((2, 3), strides)
    assert not shapes.is_contiguous((0, 3), strides)
    assert not shapes.is_transposed_last2((2, 3), strides)


@pytest.mark.parametrize(
    ("shape", "count"),
    [
        ((), 1), ((0, -1), None), ((-1,), None), ((2**62, 2), None), ((2**62,), 2**62), ((2**63 - 1,), 2**63 - 1),
        ((2**40, 2**40, 0), 0), ((2**62,) * 100_000, None),
    ],
    ids=range(8),
)  # fmt: skip
def test_numel_stays_in_int64(shape: Shape, count: int | None) -> None:
    """A dim that is not known outweighs a zero; an empty tensor has no elements however long its other axes are."""
    assert shapes.numel(shape) == count
