"""What it may cost at most to evaluate an expression once, found from its tree alone.

A step is one node evaluated, or one element of a list looked at. A derived value is evaluated once in a call, so
reading it is one step. How long the lists of a call are is not known here: they count as ``ELEMENTS`` and ``DIMS``,
which is more than operators take; a ``range`` counts what its ends allow, and the million that the runtime allows
where they do not say. Iterations inside each other multiply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import zip_longest

from opspec.language import ranges, runtime, tree
from opspec.language.facts import reads_lets
from opspec.language.functions import FUNCTIONS
from opspec.language.record import record
from opspec.language.types import INT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.types import Type

ELEMENTS = 256
"""Elements that a list of a call counts as having."""
DIMS = 64
"""Dims that a shape counts as having."""
MOST_STEPS = 500 * runtime.MAX_RANGE
"""Steps that one expression may take: some hundreds for each element of the longest range."""
MOST_LEVELS = 150
"""Nodes inside each other, those of derived values included: whoever walks a tree may recurse."""

_SHAPES = ("shape", "strides", "storage_shape")
_LOOK_AT_ALL = (tree.Compare, tree.Binary, tree.Slice, tree.Seq, tree.Choice, tree.Zip, tree.Call)


@record(frozen=True, slots=True)
class Cost:
    """Upper bounds of one expression.

    Args:
        steps: to evaluate it once.
        levels: nodes inside each other, derived values included.
        lengths: of a list its elements, the elements of each of those, and so on.
        bounds: of an integer, or of the elements of a range.
    """

    steps: int
    levels: int
    lengths: tuple[int, ...] = ()
    bounds: ranges.Bounds = ranges.WIDE

    @property
    def size(self) -> int:
        """Elements of elements of a list, 0 of anything else."""
        size = 1 if self.lengths else 0
        for length in self.lengths:
            size *= length
        return size


class Meter:
    """Measures the expressions of one scope.

    Args:
        let: the cost of a derived value.
    """

    def __init__(self, let: Callable[[str], Cost]) -> None:
        self._let = let
        self._bound: dict[str, Cost] = {}
        self.excess: tuple[tree.Node, Cost] | None = None  # the first node whose cost is too much

    def cost(self, node: tree.Node) -> Cost:
        """The cost of a node."""
        if isinstance(node, tree.Const):
            found = Cost(1, 1, _of_type(node.type), _bounds(node, []))
        elif isinstance(node, tree.Let):
            let = self._let(node.name)
            found = Cost(1, let.levels + 1, let.lengths, let.bounds)
        elif isinstance(node, tree.Var):
            found = self._bound[node.name]
        elif isinstance(node, tree.Binder):
            found = self._each(node)
        else:
            found = self._plain(node)
        if self.excess is None and (found.steps > MOST_STEPS or found.levels > MOST_LEVELS):
            self.excess = node, found
        return found

    def _plain(self, node: tree.Node) -> Cost:
        parts = [self.cost(part) for part in tree.children(node)]
        lengths, bounds = _lengths(node, parts), _bounds(node, parts)
        own = 1
        if isinstance(node, _LOOK_AT_ALL):
            own += sum(part.size for part in parts)
        if isinstance(node, tree.Choice):
            own += len(node.rows) * len(node.columns)
        if isinstance(node, (tree.Binary, tree.Range, tree.Zip, tree.Call)):
            own += lengths[0] if lengths else 0
        return Cost(own + sum(part.steps for part in parts), 1 + _deepest(parts), lengths, bounds)

    def _each(self, node: tree.Binder) -> Cost:
        source = self.cost(node.source)
        length = source.lengths[0] if source.lengths else 0
        hidden = dict(self._bound)
        item = Cost(1, 1, source.lengths[1:], source.bounds)
        self._bound.update(dict.fromkeys(node.variables, item))
        parts = [self.cost(part) for part in node.inside]
        self._bound = hidden
        steps = 1 + source.steps + length * (1 + sum(part.steps for part in parts))
        lengths = (length, *parts[-1].lengths) if node.quantifier == "list" else ()
        return Cost(steps, 1 + _deepest([source, *parts]), lengths)


@lru_cache(maxsize=8192)
def is_bounded(node: tree.Node) -> bool:
    """Whether a tree costs no more than it may, whatever derived values there are: it names none.

    Releases of an operator say much the same, and what a text says is built into larger trees.
    """
    if reads_lets(node):
        return False
    meter = Meter(_NO_LETS.__getitem__)
    meter.cost(node)
    return meter.excess is None


_NO_LETS: Mapping[str, Cost] = {}


def reason(found: Cost) -> str:
    """Why a cost is too much."""
    if found.levels > MOST_LEVELS:
        return f"nested more than {MOST_LEVELS} levels deep, derived values included"
    steps = f"{found.steps:,}" if found.steps < 10**15 else f"more than {10**15:,}"
    return (
        f"one call could need {steps} steps to evaluate this, at most {MOST_STEPS:,} are allowed: iterations inside "
        f"each other multiply, and a range whose end is not fixed counts as {runtime.MAX_RANGE:,}"
    )


def _deepest(parts: Iterable[Cost]) -> int:
    return max((part.levels for part in parts), default=0)


def _widest(lengths: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(max(level) for level in zip_longest(*lengths, fillvalue=0))


# --- how long lists are


def _lengths(node: tree.Node, parts: list[Cost]) -> tuple[int, ...]:
    match node:
        case tree.Attr() if node.name in _SHAPES:
            return (DIMS,)
        case tree.Index():
            return parts[0].lengths[1:]
        case tree.Slice():
            return parts[0].lengths
        case tree.If():
            return _widest(part.lengths for part in parts[1:])
        case tree.Seq():
            items = list(zip(node.starred, parts, strict=True))
            count = sum(part.lengths[0] if star else 1 for star, part in items)
            return (count, *_widest(part.lengths[1:] if star else part.lengths for star, part in items))
        case tree.Binary() if node.type.name == "list":
            return (sum(part.lengths[0] for part in parts), *_widest(part.lengths[1:] for part in parts))
        case tree.Range():
            return (_range_length(parts),)
        case tree.Zip():
            return (min(part.lengths[0] for part in parts), *_widest(part.lengths[1:] for part in parts))
        case tree.Call() if node.type.name == "list":
            return _widest(part.lengths for part in parts)
    return _of_type(node.type)


def _of_type(kind: Type) -> tuple[int, ...]:
    """Of a list of a call."""
    return (ELEMENTS, *_of_type(kind.item or INT)) if kind.name == "list" else ()


def _range_length(ends: list[Cost]) -> int:
    low = ends[0].bounds[0] if len(ends) == 2 else 0
    return min(max(ends[-1].bounds[1] - low, 0), runtime.MAX_RANGE)


# --- how large integers are


def _bounds(node: tree.Node, parts: list[Cost]) -> ranges.Bounds:
    match node:
        case tree.Const() if isinstance(node.value, int):
            return node.value, node.value
        case tree.Attr() if node.name == "rank":
            return 0, DIMS
        case tree.Length() if parts[0].lengths:
            return 0, parts[0].lengths[0]
        case tree.Range():
            low = parts[0].bounds[0] if len(parts) == 2 else 0
            return low, max(low, parts[-1].bounds[1] - 1)
        case tree.Call():
            return FUNCTIONS[node.function].bounds(*(part.bounds for part in parts))
        case tree.If():
            return min(part.bounds[0] for part in parts[1:]), max(part.bounds[1] for part in parts[1:])
        case tree.Binary() if node.type == INT:
            low, high = ranges.combined(node.op, parts[0].bounds, parts[1].bounds)
            return max(low, runtime.LOW), min(high, runtime.HIGH)
    return ranges.WIDE
