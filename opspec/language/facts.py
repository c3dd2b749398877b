"""What a tree reads: which params, and which of their facets.

Two uses: the place of a rule in the first phase's order, and finding the earlier violation that made a later rule
undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from opspec.language import tree
from opspec.language.functions import FUNCTIONS
from opspec.language.types import ATTRIBUTES, TENSOR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.vocabulary.literals import Facet

Facts = frozenset[tuple[str, "Facet"]]

PRODUCT_FACT: tuple[str, Facet] = ("", "product")
_NO_LETS: Mapping[str, Facts] = {}


def facts(node: tree.Node, let: Callable[[str], Facts]) -> Facts:
    """(param, facet) pairs a tree reads; facets are presence, dtype, format, rank, shape, layout, values, value."""
    known = _alone(node)
    if known is not None:
        return known
    found: set[tuple[str, Facet]] = set()
    _collect(node, let, {}, found)
    return frozenset(found)


@lru_cache(maxsize=8192)
def _alone(node: tree.Node) -> Facts | None:
    """What a tree reads that names no derived value; None of others. Releases of an operator say much the same."""
    if reads_lets(node):
        return None
    found: set[tuple[str, Facet]] = set()
    _collect(node, _NO_LETS.__getitem__, {}, found)
    return frozenset(found)


def _collect(
    node: tree.Node, let: Callable[[str], Facts], bound: Mapping[str, frozenset[str]], found: set[tuple[str, Facet]]
) -> None:
    match node:
        case tree.Attr():
            facet = ATTRIBUTES[(node.base.type, node.name)][1]
            found.update((name, facet) for name in _roots(node.base, bound))
            if not isinstance(node.base, (tree.Param, tree.Var)):
                _collect(node.base, let, bound, found)
        case tree.IsNone():
            found.update((name, "presence") for name in _roots(node.operand, bound))
        case tree.Param():
            found.add((node.name, "value"))
        case tree.Let():
            found |= let(node.name)
        case tree.Product():
            found.add(PRODUCT_FACT)
        case tree.Call() if (read := FUNCTIONS[node.function].facet) is not None:
            for arg in node.args:
                found.update((name, read) for name in _roots(arg, bound))
        case tree.Binder():
            _collect(node.source, let, bound, found)
            inner = {**bound, **dict.fromkeys(node.variables, _roots(node.source, bound))}
            for part in node.inside:
                _collect(part, let, inner, found)
        case _:
            for child in tree.children(node):
                _collect(child, let, bound, found)


def _roots(node: tree.Node, bound: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Params that the object a node names comes from."""
    if isinstance(node, tree.Param):
        return frozenset({node.name})
    if isinstance(node, tree.Var):
        return bound.get(node.name, frozenset())
    return frozenset().union(*(_roots(child, bound) for child in tree.children(node)))


def reads_lets(node: tree.Node) -> bool:
    """Whether a tree names derived values."""
    return any(isinstance(part, tree.Let) for part in tree.walk(node))


def expanded(node: tree.Node, lets: Mapping[str, tree.Node], seen: set[str] | None = None) -> Iterator[tree.Node]:
    """The node and everything below it, parents first, each derived value's own tree behind its first use.

    Args:
        lets: the trees of the derived values.
        seen: the derived values that are left out, for they have been given; those of this tree are added.
    """
    known = set() if seen is None else seen
    for part in tree.walk(node):
        yield part
        if isinstance(part, tree.Let) and part.name not in known:
            known.add(part.name)
            yield from expanded(lets[part.name], lets, known)


#: attributes of a tensor that hang on its dtype and shape alone -> the one of these that they are read from
_PLAIN = {"dtype": "dtype", "shape": "shape", "rank": "shape", "numel": "shape"}


def told_apart_by(node: tree.Binder) -> tuple[str, ...] | None:
    """What of the tensors of a list a quantifier reads, ``dtype`` and ``shape``; None where that is more.

    Tensors that are alike there come to the same, and need one look: "each goes with each" of 6,000 index tensors is
    36 million looks, of their three shapes it is nine.
    """
    is_list = isinstance(node, tree.Each) and node.quantifier == "list"
    if is_list or len(node.variables) != 1 or node.source.type.item != TENSOR:
        return None
    found: set[str] = set()
    ahead = [part for part in (node.condition, node.element) if part is not None]
    while ahead:
        part = ahead.pop()
        if isinstance(part, tree.Attr) and isinstance(part.base, tree.Var) and part.base.name in node.variables:
            if part.name not in _PLAIN:
                return None
            found.add(_PLAIN[part.name])
        elif isinstance(part, tree.Var) and part.name in node.variables:
            return None
        else:
            ahead += tree.children(part)
    return tuple(sorted(found))
