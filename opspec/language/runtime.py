"""What compiled rules call: the library's Python implementations, and the ways to be undefined.

Compiled rules raise :class:`Undefined` when a value is undefined, always on purpose: any other exception is a fault
of opspec and no answer about a call. The cause decides what becomes of the rule; when several apply, the highest wins
(``opspec.language.outcome``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from opspec.language.outcome import ABSENT, NEITHER, NO_DATA
from opspec.language.values import Tensor
from opspec.vocabulary import dtypes, formats, promotion, shapes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.values import Number, Scalar

LOW, HIGH = -(2**63), 2**63 - 1
MOST_REMEMBERED = 4096  # pairs of names that exist are fewer
MAX_RANGE = 1_000_000  # a longer range() is undefined: rules are bounded in time


class Undefined(Exception):
    """An expression has no value; ``cause`` is NEITHER, NO_DATA or ABSENT."""

    cause = NEITHER


class NoData(Undefined):
    """The call does not carry the data (values, storage shape, product)."""

    cause = NO_DATA


class Absent(Undefined):
    """An argument that is null was read."""

    cause = ABSENT


def fail(cause: int) -> Undefined:
    """The exception that stands for ``cause``."""
    return Absent() if cause == ABSENT else NoData() if cause == NO_DATA else Undefined()


def undefined() -> object:
    """The literal ``undefined``."""
    raise Undefined


class Remembered(dict[object, object]):
    """The results of a function of a few names (dtypes, formats); those where it is undefined are not kept."""

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, key: object) -> object:
        result = self._function(*key) if isinstance(key, tuple) else self._function(key)
        if len(self) < MOST_REMEMBERED:
            self[key] = result
        return result


# --- evaluation helpers -------------------------------------------------------------------------------------------


def present(value: object) -> object:
    """``value``, or undefined when it is null."""
    if value is None:
        raise Absent
    return value


def item(items: Sequence[object], index: int) -> object:
    """An element; undefined when there is none of this index."""
    if -len(items) <= index < len(items):
        return items[index]
    raise Undefined


def quotient(a: int, b: int) -> int:
    """``a // b``; undefined when b is 0."""
    if b == 0:
        raise Undefined
    return a // b


def remainder(a: int, b: int) -> int:
    """``a % b``; undefined when b is 0."""
    if b == 0:
        raise Undefined
    return a % b


def int64(value: int) -> int:
    """``value``, or undefined when it leaves int64."""
    if LOW <= value <= HIGH:
        return value
    raise Undefined


def let(value: object) -> object:
    """A derived value that was computed earlier; a cause object stands for an undefined one."""
    if isinstance(value, Cause):
        raise fail(value.cause)
    return value


class Cause:
    """An undefined derived value, kept until something reads it."""

    __slots__ = ("cause",)

    def __init__(self, cause: int) -> None:
        self.cause = cause


CAUSES = (Cause(0), Cause(NEITHER), Cause(NO_DATA), Cause(ABSENT))


def strict(function: Callable[..., object], *thunks: Callable[[], object]) -> object:
    """Apply ``function`` to the operands; when several are undefined the highest cause wins."""
    worst = 0
    values = []
    for thunk in thunks:
        try:
            values.append(thunk())
        except Undefined as error:
            worst = max(worst, error.cause)
    if worst:
        raise fail(worst)
    return function(*values)


def equal(a: object, b: object) -> bool:
    """``a == b`` where lists may hold NaN, which equals nothing, while Python's lists equal themselves."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(equal, a, b))
    return a == b


def contains(item: object, items: Iterable[object]) -> bool:
    """``item in items`` where there may be NaN."""
    return any(equal(item, other) for other in items)


def conjunction(*thunks: Callable[[], object]) -> bool:
    """Three-valued ``and``: false as soon as one operand is false, whatever the others are."""
    return _decide(False, thunks)


def chain(tests: Sequence[Callable[..., object]], *thunks: Callable[[], object]) -> bool:
    """``a < b < c``: the conjunction of its neighbouring comparisons, each operand evaluated once."""
    known: list[tuple[object, int]] = []
    for thunk in thunks:
        try:
            known.append((thunk(), 0))
        except Undefined as error:
            known.append((None, error.cause))
    worst = 0
    for test, (a, left), (b, right) in zip(tests, known, known[1:], strict=False):
        if left or right:
            worst = max(worst, left, right)
        elif test(a, b) is False:
            return False
    if worst:
        raise fail(worst)
    return True


def disjunction(*thunks: Callable[[], object]) -> bool:
    """Three-valued ``or``."""
    return _decide(True, thunks)


def for_all(function: Callable[..., object], items: Iterable[object]) -> bool:
    """Three-valued ``all`` of ``function(item)``."""
    return _decide(False, (partial(function, item) for item in items))


def for_any(function: Callable[..., object], items: Iterable[object]) -> bool:
    """Three-valued ``any`` of ``function(item)``."""
    return _decide(True, (partial(function, item) for item in items))


def differing(items: Iterable[object], *names: str) -> tuple[object, ...]:
    """The tensors of a list that differ in these attributes, each where it comes first; what is null is one of them."""
    return tuple(found for _, found in differing_at(items, names))


def differing_at(items: Iterable[object], names: Sequence[str]) -> Iterable[tuple[int, object]]:
    """The same with their places; what is no tensor that is known stands for itself."""
    first: dict[object, tuple[int, object]] = {}
    for place, item in enumerate(items):
        known = item is None or type(item) is Tensor
        key = tuple([getattr(item, name, None) for name in names]) if known else place
        first.setdefault((item is None, key), (place, item))
    return first.values()


def each(
    function: Callable[..., object], items: Iterable[object], keep: Callable[..., object] | None = None
) -> tuple[object, ...]:
    """The list of ``function(item)`` over the items kept; when several are undefined the highest cause wins.

    An undefined condition counts before an undefined element, as the list's length hangs on it.
    """
    worst_condition = worst_element = 0
    result = []
    for item in items:
        try:
            if keep is not None and keep(item) is not True:
                continue
        except Undefined as error:
            worst_condition = max(worst_condition, error.cause)
        try:
            result.append(function(item))
        except Undefined as error:
            worst_element = max(worst_element, error.cause)
    if worst_condition or worst_element:
        raise fail(worst_condition or worst_element)
    return tuple(result)


def _decide(decisive: bool, thunks: Iterable[Callable[[], object]]) -> bool:
    worst = 0
    for thunk in thunks:
        try:
            if thunk() is decisive:
                return decisive
        except Undefined as error:
            worst = max(worst, error.cause)
    if worst:
        raise fail(worst)
    return not decisive


def given(thunk: Callable[[], object]) -> object:
    """``given(e)``: true where e reads an absent argument."""
    try:
        return thunk()
    except Undefined as error:
        if error.cause == ABSENT:
            return True
        raise


def implies(guard: Callable[[], object], check: Callable[[], object]) -> object:
    """``implies(w, e)``: given(e) where w is true; unknown where w lacks data and e is not true; true elsewhere."""
    try:
        if guard() is not True:
            return True
    except Undefined as error:
        if error.cause != NO_DATA:
            return True
        if _is_true(check):
            return True
        raise NoData from None
    return given(check)


def _is_true(check: Callable[[], object]) -> bool:
    try:
        return given(check) is True
    except Undefined:
        return False


def in_table(rows: Sequence[Sequence[frozenset[object] | None]], *values: object) -> bool:
    """Whether some row holds every value; a cell None holds any."""
    return any(all(cell is None or value in cell for cell, value in zip(row, values, strict=True)) for row in rows)


# --- reading a call -----------------------------------------------------------------------------------------------


def numel(shape: Sequence[int]) -> int:
    """Number of elements; undefined when it leaves int64."""
    count = shapes.numel(shape)
    if count is None:
        raise Undefined
    return count


def strides(tensor: Tensor) -> tuple[int, ...]:
    """Strides in elements; a tensor without any is contiguous, unless they leave int64."""
    if tensor.strides is not None:
        return tensor.strides
    found = shapes.contiguous_strides(tensor.shape)
    if found and found[0] > HIGH:  # the largest
        raise Undefined
    return found


def storage_shape(tensor: Tensor) -> tuple[int, ...]:
    """The storage shape; a contiguous view that does not say has its own shape, another lacks the data."""
    if tensor.storage_shape is not None:
        return tensor.storage_shape
    if tensor.strides is None and tensor.offset == 0:
        return tensor.shape
    raise NoData


def storage_format(tensor: Tensor) -> str:
    """The storage format, by default the view's."""
    return tensor.storage_format or tensor.format


def values(tensor: Tensor) -> tuple[Number, ...]:
    """The elements in row-major order; complex ones do not compare and count as data that is not there."""
    if tensor.values is None or tensor.dtype.startswith("COMPLEX"):
        raise NoData
    return tensor.values


def value(scalar: Scalar) -> Number:
    """A scalar's value; a complex one does not compare and counts as data that is not there."""
    if scalar.value is None or isinstance(scalar.value, complex):
        raise NoData
    return scalar.value


def known(product: str | None) -> str:
    """The call's product, or undefined where the call does not say."""
    if product is None:
        raise NoData
    return product


def is_product(product: str | None, member: str | None, name: str) -> bool:
    """Whether the call's product is ``name``, an id or a member of one."""
    if product is None:
        raise NoData
    if name in (product, member):
        return True
    if member is None and name in _members(product):
        raise NoData  # the call names the family, the rule one of its members
    return False


def is_one_of_products(product: str | None, member: str | None, names: Sequence[str]) -> bool:
    """Three-valued: whether the call's product is one of ``names``."""
    if product in names or (member is not None and member in names):
        return True
    if names and product is None:
        raise NoData
    if member is None and product is not None and any(name in _members(product) for name in names):
        raise NoData  # the call names the family, the rule one of its members
    return False


def _members(product: str) -> tuple[str, ...]:
    from opspec.vocabulary import products

    return products.members(product)


# --- the function library -----------------------------------------------------------------------------------------


def bounded_range(low: int, high: int) -> range:
    """``range(low, high)``; undefined when it has more than a million elements."""
    if high - low > MAX_RANGE:
        raise Undefined
    return range(low, high)


def zipped(*lists: Sequence[object]) -> tuple[tuple[object, ...], ...]:
    """The elements of lists of equal length side by side; undefined when the lengths differ."""
    if len({len(items) for items in lists}) > 1:
        raise Undefined
    return tuple(zip(*lists, strict=True))


def total(numbers: Sequence[int]) -> int:
    """The sum; undefined when it leaves int64."""
    return int64(sum(numbers))


def prod(numbers: Sequence[int]) -> int:
    """The product; undefined when it leaves int64 (0 as soon as one factor is 0)."""
    if 0 in numbers:
        return 0
    result = 1
    for number in numbers:
        result = int64(result * number)
    return result


def least(*numbers: object) -> object:
    """The least of the arguments, or of one list; undefined for an empty list."""
    return _extreme(min, numbers)


def greatest(*numbers: object) -> object:
    """The greatest of the arguments, or of one list; undefined for an empty list."""
    return _extreme(max, numbers)


def _extreme(choose: Callable[..., object], numbers: tuple[object, ...]) -> object:
    items = numbers[0] if len(numbers) == 1 and isinstance(numbers[0], (tuple, list, range)) else numbers
    if not items:
        raise Undefined
    return choose(items)


def absolute(number: int) -> int:
    """The magnitude; undefined for the lowest int64."""
    return int64(abs(number))


def ceil_div(a: int, b: int) -> int:
    """a / b rounded up; undefined when b is 0."""
    if b == 0:
        raise Undefined
    return int64(-(-a // b))


def align_up(a: int, b: int) -> int:
    """The least multiple of b that is at least a; undefined when b is 0."""
    if b == 0:
        raise Undefined
    return int64(-(-a // b) * b)


def floor(number: float) -> int:
    """The number rounded down; undefined when it is not finite or leaves int64."""
    return _rounded(number, 0)


def ceil(number: float) -> int:
    """The number rounded up; undefined when it is not finite or leaves int64."""
    return _rounded(number, 1)


def _rounded(number: float, up: int) -> int:
    if number != number or number in (float("inf"), float("-inf")):
        raise Undefined
    return int64(-int(-number // 1) if up else int(number // 1))


def divide(a: float, b: float) -> float:
    """Quotient of two doubles; undefined when b is 0."""
    if b == 0:
        raise Undefined
    return float(a) / b


def shift_left(a: int, bits: int) -> int:
    """a * 2**bits; undefined unless 0 <= bits < 64 and the result is an int64."""
    if not 0 <= bits < 64:
        raise Undefined
    return int64(a << bits)


def shift_right(a: int, bits: int) -> int:
    """a // 2**bits; undefined unless 0 <= bits < 64."""
    if not 0 <= bits < 64:
        raise Undefined
    return int64(a >> bits)


def broadcast(*operands: Sequence[int]) -> tuple[int, ...]:
    """The broadcast shape; undefined when the shapes do not broadcast."""
    result = shapes.broadcast_pair(*operands) if len(operands) == 2 else shapes.broadcast(*operands)
    if result is None:
        raise Undefined
    return result


def promote(a: str, b: str) -> str:
    """The promoted dtype of two tensors; undefined when the table has none."""
    return _known(promotion.promote(a, b))


def promote_scalar(tensor: str, scalar: str) -> str:
    """The promoted dtype of a tensor and a scalar; undefined when the table has none."""
    return _known(promotion.promote_scalar(tensor, scalar))


def _known(dtype: str | None) -> str:
    if dtype is None:
        raise Undefined
    return dtype


def promotable(a: str, b: str) -> bool:
    """Whether two tensors' dtypes promote to a common one."""
    return promotion.promote(a, b) is not None


def bits(dtype: str) -> int:
    """Width of an element in bits; undefined for dtypes without one."""
    width = dtypes.bits(dtype)
    if width is None:
        raise Undefined
    return width


def is_floating(dtype: str) -> bool:
    """Whether the dtype is a floating-point type."""
    return dtypes.kind(dtype) == "float"


def is_integer(dtype: str) -> bool:
    """Whether the dtype is a signed or unsigned integer type (BOOL is not)."""
    return dtypes.kind(dtype) in ("int", "uint")


def is_complex(dtype: str) -> bool:
    """Whether the dtype is complex."""
    return dtypes.kind(dtype) == "complex"


def contiguous(tensor: Tensor) -> bool:
    """Whether the view's elements follow each other in row-major order."""
    return tensor.strides is None or shapes.is_contiguous(tensor.shape, tensor.strides)


def transposed_last2(tensor: Tensor) -> bool:
    """Whether the view is contiguous after its last two axes are swapped."""
    return tensor.strides is not None and shapes.is_transposed_last2(tensor.shape, tensor.strides)


def increasing(numbers: Sequence[float]) -> bool:
    """Whether each element is greater than the one before."""
    return all(a < b for a, b in zip(numbers, numbers[1:], strict=False))


def nondecreasing(numbers: Sequence[float]) -> bool:
    """Whether no element is less than the one before."""
    return all(a <= b for a, b in zip(numbers, numbers[1:], strict=False))


def distinct(items: Sequence[object]) -> bool:
    """Whether no element occurs twice; NaN differs from NaN."""
    if len(set(items)) == len(items):
        return True
    numbers = [item for item in items if item == item]
    return len(set(numbers)) == len(numbers)


def axis(dim: int, rank: int) -> int:
    """The axis that dim names in a tensor of this rank (a scalar has axis 0); undefined when it names none."""
    rank = max(rank, 1)
    if not -rank <= dim < rank:
        raise Undefined
    return dim + rank if dim < 0 else dim


def permuted(shape: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    """The shape with its axes in the given order; undefined unless order is a permutation of the axes."""
    if sorted(order) != list(range(len(shape))):
        raise Undefined
    return tuple(shape[i] for i in order)


def reduced(shape: Sequence[int], axes: Sequence[int], keep: bool) -> tuple[int, ...]:
    """The shape after reducing the axes (none named: all); undefined when an axis is not there or named twice."""
    named = [axis(dim, len(shape)) for dim in axes]
    if len(set(named)) != len(named):
        raise Undefined
    gone = set(named) or set(range(len(shape)))
    if keep:
        return tuple(1 if i in gone else dim for i, dim in enumerate(shape))
    return tuple(dim for i, dim in enumerate(shape) if i not in gone)


def starts_with(text: str, start: str) -> bool:
    """Whether the text begins with another."""
    return text.startswith(start)


is_private = formats.is_private
broadcast_or_none = shapes.broadcast_pair
broadcastable = shapes.broadcastable
broadcastable_to = shapes.broadcastable_to
castable = promotion.castable
