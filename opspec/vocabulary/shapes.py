"""Shapes: broadcast, strides. A shape is a sequence of dims from 0; strides count elements.

Source: the context pages on broadcast and on non-contiguous tensors. Dims that
are not known (negative) are the caller's to keep out, except for :func:`numel`.
"""

from __future__ import annotations

from collections.abc import Sequence


def broadcast(*shapes: Sequence[int]) -> tuple[int, ...] | None:
    """The shape that shapes broadcast to, aligned at the right, or None. A dim of 0 goes with 0 and 1, as in NumPy.

    Of no shapes at all it is ``()``.
    """
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


def broadcast_pair(a: Sequence[int], b: Sequence[int]) -> tuple[int, ...] | None:
    """:func:`broadcast` of two shapes, in a third of its time: what nearly every rule asks for."""
    if len(a) < len(b):
        a, b = b, a
    result = [*a]
    for i, dim in enumerate(b, len(a) - len(b)):
        if dim != 1 and dim != result[i]:
            if result[i] != 1:
                return None
            result[i] = dim
    return tuple(result)


def broadcastable(a: Sequence[int], b: Sequence[int]) -> bool:
    """Whether two shapes broadcast with each other."""
    return a == b or broadcast_pair(a, b) is not None


def broadcastable_to(source: Sequence[int], target: Sequence[int]) -> bool:
    """Whether ``source`` alone can be stretched to ``target``, which keeps its shape."""
    return broadcast_pair(source, target) == tuple(target)


def numel(shape: Sequence[int]) -> int | None:
    """Number of elements, 1 for rank 0; None when it leaves int64 or a dim is not known (negative)."""
    if any(dim < 0 for dim in shape):
        return None
    if 0 in shape:
        return 0
    count = 1
    for dim in shape:
        count *= dim
        if count >= 2**63:
            return None
    return count


def contiguous_strides(shape: Sequence[int]) -> tuple[int, ...]:
    """Strides in elements of a contiguous tensor; dims of 0 count as 1."""
    strides = []
    step = 1
    for dim in reversed(shape):
        strides.append(step)
        step *= max(dim, 1)
    return tuple(reversed(strides))


def is_contiguous(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether elements follow each other in row-major order.

    Strides of axes of 1 do not matter, an empty tensor is contiguous; strides of another rank than the shape's never
    are.
    """
    if len(shape) != len(strides):
        return False
    if 0 in shape:
        return True
    step = 1
    for dim, stride in zip(reversed(shape), reversed(strides), strict=True):
        if dim != 1:
            if stride != step:
                return False
            step *= dim
    return True


def is_transposed_last2(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether the view is contiguous once its last two axes are swapped; False below rank 2.

    A view can be both contiguous and transposed, when one of the two axes is 1 or the tensor is empty.
    """
    if len(shape) < 2 or len(shape) != len(strides):
        return False
    swapped = (*shape[:-2], shape[-1], shape[-2])
    return is_contiguous(swapped, (*strides[:-2], strides[-1], strides[-2]))
