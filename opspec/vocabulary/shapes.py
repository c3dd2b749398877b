"""Shapes: broadcast, merged axes, strides.

Source: the context pages on broadcast (rules and the limit on merged axes) and on non-contiguous tensors.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MERGED_LIMIT = 6  # a limited dtype broadcasts only with fewer merged axes than this

_LIMITED = frozenset({"COMPLEX64", "COMPLEX128", "DOUBLE", "INT16", "UINT16", "UINT64"})


def broadcast(*shapes: Sequence[int]) -> tuple[int, ...] | None:
    """The shape that shapes broadcast to, or None. A dim of 0 goes with 0 and 1."""
    result: list[int] = []
    for shape in shapes:
        missing = len(shape) - len(result)
        if missing > 0:
            result[:0] = [1] * missing
        for i, dim in enumerate(shape, len(result) - len(shape)):
            if result[i] == 1:
                result[i] = dim
            elif dim not in (1, result[i]):
                return None
    return tuple(result)


def broadcastable(a: Sequence[int], b: Sequence[int]) -> bool:
    """Whether two shapes broadcast with each other."""
    return broadcast(a, b) is not None


def broadcastable_to(source: Sequence[int], target: Sequence[int]) -> bool:
    """Whether ``source`` alone can be stretched to ``target``."""
    return broadcast(source, target) == tuple(target)


def broadcast_limited(dtype: str) -> bool:
    """Whether the dtype broadcasts only with fewer than ``MERGED_LIMIT`` merged axes."""
    return dtype in _LIMITED


def merged_rank(a: Sequence[int], b: Sequence[int]) -> int | None:
    """Axes left when neighbours that broadcast alike are merged; None when the shapes do not broadcast.

    An axis broadcasts when one side's dim is 1 and the other's is not; which side that is tells kinds of broadcast
    axes apart. Axes of 1 on both sides merge with any neighbour.
    """
    if broadcast(a, b) is None:
        return None
    rank = max(len(a), len(b))
    left, right = ((1,) * (rank - len(shape)) + tuple(shape) for shape in (a, b))
    kinds = [(x == 1) - (y == 1) for x, y in zip(left, right, strict=True) if (x, y) != (1, 1)]
    return sum(kind != before for kind, before in zip(kinds, [None, *kinds], strict=False))


def numel(shape: Sequence[int]) -> int | None:
    """Number of elements; None when it leaves int64 or a dim is not known (negative)."""
    count = 1
    for dim in shape:
        if dim < 0:
            return None
        count *= dim
    return count if count < 2**63 else None


def contiguous_strides(shape: Sequence[int]) -> tuple[int, ...]:
    """Strides in elements of a contiguous tensor; dims of 0 count as 1."""
    strides = []
    step = 1
    for dim in reversed(shape):
        strides.append(step)
        step *= max(dim, 1)
    return tuple(reversed(strides))


def is_contiguous(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether elements follow each other in row-major order; axes of 1 do not matter, an empty tensor is contiguous."""
    if 0 in shape:
        return True
    wanted = contiguous_strides(shape)
    return all(dim == 1 or have == want for dim, have, want in zip(shape, strides, wanted, strict=False))


def is_transposed_last2(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether the view is contiguous once its last two axes are swapped; False below rank 2."""
    if len(shape) < 2:
        return False
    swapped = (*shape[:-2], shape[-1], shape[-2])
    return is_contiguous(swapped, (*strides[:-2], strides[-1], strides[-2]))
