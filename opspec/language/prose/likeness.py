"""What shapes are like: that of another tensor, without a dim, with one in its place."""

from __future__ import annotations

from collections.abc import Iterator

from opspec.language import tree
from opspec.language.prose import lettering, shapes, trees
from opspec.language.prose.nouns import same_attribute
from opspec.language.prose.phrases import CHINESE, ORDINALS
from opspec.language.record import replace
from opspec.language.types import INT, INTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from opspec.language.prose.clauses import Clause
    from opspec.language.prose.writer import Writer

    Letters: TypeAlias = tuple[tuple[str, str], ...]


def shaped(writer: Writer, holds: bool, a: tree.Node, b: tree.Node) -> Clause | None:
    """What a tensor's shape is like; None where it is nothing that sentences have words for."""
    if isinstance(a, tree.Slice) and isinstance(b, tree.Slice):
        return _agreeing(writer, holds, a, b)
    whole = shapes.suffix(a, b) or shapes.suffix(b, a)
    if whole is not None:
        return writer.about("suffix" if holds else "no suffix", whole[0], b=writer.noun(whole[1]))
    if not trees.is_attribute(a, "shape") or isinstance(b, tree.Attr):
        return None
    if isinstance(b, tree.Seq) and not b.items:
        return writer.about("is" if holds else "is not", a.base, b=writer.phrases["dims"].format(n=0))
    size = _only_dim(writer, b)
    if size is not None:
        several = "several " if writer.is_several(a.base) else ""
        return writer.about(f"{several}one dim sized" if holds else "not one dim sized", a.base, k=size)
    found = _like(writer, b)
    if found is None:
        return None
    words, letters, replaced = found
    key = "shaped" if holds else "not shaped so" if replaced else "not shaped"
    return replace(writer.about(key, a.base, b=words), letters=letters)  # type: ignore[no-any-return]


def _agreeing(writer: Writer, holds: bool, a: tree.Slice, b: tree.Slice) -> Clause | None:
    """``x.shape[:-2] == y.shape[:-2]``: in which dims two shapes agree."""
    part = shapes.extent(a)
    if part is None or (a.low, a.high) != (b.low, b.high) or not same_attribute((a.base, b.base)):
        return None
    if not trees.is_attribute(a.base, "shape"):
        return None
    end = part[0].removeprefix("but_")
    counted = writer.some(f"count {part[0]}", part[1]) if f"count {part[0]}" in writer.phrases else ""
    return writer.form(
        f"{'agree' if holds else 'differ'} {part[0]}", a=writer.base(a.base), b=writer.base(b.base),
        part=writer.some(f"part {end}", part[1]), count=counted,
    )  # fmt: skip


def _like(writer: Writer, node: tree.Node) -> tuple[str, Letters, bool] | None:
    """``the same shape as x except along dim, where the size is k``, what letters in it are, and whether it excepts."""
    for found in _ways(writer, node):
        known = list(dict.fromkeys(part.base for part in found if part.base is not None))
        if len(known) != 1:
            continue
        base = known[0]
        assert isinstance(base, tree.Attr)
        dims = [part.dim for part in found if part.dim is not None]
        states = writer.phrases["is is" if writer.mood else "is must"]
        sizes, letters = _sizes(writer, dims)
        words = _likened(writer, found, base, dims, {"b": writer.noun(base.base), "k": sizes, "is": states})
        if words is not None:
            return words, letters, _replaces(found, dims)
    return None


def _replaces(found: list[shapes.Part], dims: list[tree.Node]) -> bool:
    """Whether dims stand in the place of some of a shape, and nowhere else."""
    kept = [part for part in found if part.base is not None]
    if not dims or any(part.low is None and part.high is None for part in kept):
        return False
    return len(kept) > 1 or kept[0].low is not None or trees.number(kept[0].high) == -len(dims)


def _likened(
    writer: Writer, found: list[shapes.Part], base: tree.Attr, dims: list[tree.Node], slots: dict[str, str]
) -> str | None:
    match found:
        case [shapes.Part(low=None, high=None, base=tree.Attr()), *_] if len(found) == len(dims) + 1:
            return writer.phrases["appended"].format(**slots) if dims else None
        case [*_, shapes.Part(low=None, high=None, base=tree.Attr())] if len(found) == len(dims) + 1:
            return writer.phrases["prepended"].format(**slots)
        case [shapes.Part(low=None, high=high, base=tree.Attr()), *_] if len(found) == len(dims) + 1 and dims:
            return _except_last(writer, trees.number(high), dims, slots)
        case [*_, shapes.Part(low=low, high=None, base=tree.Attr())] if len(found) == len(dims) + 1 and dims:
            return _except_first(writer, trees.number(low), dims, slots)
        case [shapes.Part(low=None, high=at), shapes.Part(low=after, high=None)] if not dims:
            return _without(writer, at, after, slots)
        case [shapes.Part(low=None, high=at), *_, shapes.Part(low=after, high=None)] if len(found) == len(dims) + 2:
            return _except_at(writer, at, after, dims, slots)
        case [shapes.Part(low=low, high=high)]:
            extent = shapes.extent(tree.Slice(base, low, high, INTS))
            if extent is not None and extent[0].startswith("but_"):
                return writer.some(f"without {extent[0].removeprefix('but_')}", extent[1], b=slots["b"])
    return None


def _ways(writer: Writer, node: tree.Node) -> Iterator[list[shapes.Part]]:
    """The pieces of a shape: with dims of a tensor as parts of its shape, and as they are written."""

    def named(part: tree.Node) -> tree.Node:
        stands_for = writer.terms.trees.get(part.name) if isinstance(part, tree.Let) else None
        of_shape = isinstance(stands_for, (tree.Slice, tree.Index)) and trees.is_attribute(stands_for.base, "shape")
        return stands_for if of_shape and stands_for is not None else part

    plain = shapes.parts(node)
    found = shapes.parts(node, named)
    if found is not None:
        joined = shapes.merged(found, named)
        if joined != plain:
            yield joined
    if plain:
        yield plain


def one_of(writer: Writer, holds: bool, a: tree.Node, items: tuple[tree.Node, ...]) -> Clause | None:
    """``x.shape in (…)`` where each choice is like another tensor's shape."""
    if not trees.is_attribute(a, "shape") or len(items) < 2:
        return None
    found = [likened for likened in (_like(writer, item) for item in items) if likened is not None]
    if len(found) < len(items):
        return None
    words = [words for words, _, _ in found]
    letters = tuple(dict.fromkeys(letter for _, told, _ in found for letter in told))
    text = writer.phrases["or"].format(a=writer.phrases["between"].join(words[:-1]), b=words[-1])
    key = "shaped" if holds else "not shaped so" if any(replaced for _, _, replaced in found) else "not shaped"
    return replace(writer.about(key, a.base, b=text), letters=letters)  # type: ignore[no-any-return]


def _sizes(writer: Writer, dims: list[tree.Node]) -> tuple[str, Letters]:
    if len(dims) < 2:
        return "".join(map(writer.noun, dims)), ()
    listed = tree.Seq(tuple(dims), (False,) * len(dims), INTS)
    texts, letters = lettering.lettered(writer, (listed,))
    return (texts[0] if letters else writer.noun(listed)), letters


def _only_dim(writer: Writer, node: tree.Node) -> str | None:
    """The size of a single dim, where that is a phrase."""
    if isinstance(node, tree.Slice) and shapes.extent(node) == ("first", 1):
        return writer.noun(tree.Index(node.base, tree.Const(0, INT), INT))
    if not isinstance(node, tree.Seq) or len(node.items) != 1 or node.starred[0]:
        return None
    size = writer.noun(node.items[0])
    return None if writer.is_named(size) else size


def _except_last(writer: Writer, high: int | None, dims: list[tree.Node], slots: dict[str, str]) -> str | None:
    if high is None or high != -len(dims):
        return None if high is None or high > 0 else writer.some("led", -high, b=slots["b"], k=slots["k"])
    if len(dims) == 1:
        return writer.phrases["except last"].format(**slots)
    return writer.phrases["except lasts"].format(n=writer.counted(len(dims)), **slots)


def _except_first(writer: Writer, low: int | None, dims: list[tree.Node], slots: dict[str, str]) -> str | None:
    if low is None or low != len(dims):
        return None
    if low == 1:
        return writer.phrases["except dim"].format(n=0, **slots)
    return _except_dims(writer, 0, low, slots)


def _except_dims(writer: Writer, low: int, high: int, slots: dict[str, str]) -> str:
    dims = f"dimensions {low} to {high - 1}" if writer.lang == "en" else f"第{low}至第{high - 1}维"
    return writer.phrases["except dims"].format(n=dims, **slots)


def _except_at(
    writer: Writer, at: tree.Node | None, after: tree.Node | None, dims: list[tree.Node], slots: dict[str, str]
) -> str | None:
    low, high = trees.number(at), trees.number(after)
    if low is not None and high is not None and high - low == len(dims) and (low < 0) == (high < 0):
        if len(dims) == 1 and low >= 0:
            return writer.phrases["except dim"].format(n=low, **slots)
        if len(dims) == 1:
            return writer.phrases["except from end"].format(n=_ordinal(writer, -low), **slots)
        return _except_dims(writer, low, high, slots) if low >= 0 else None
    axis = writer.along(at)
    if axis is None or len(dims) != 1 or not shapes.follows(after, at):
        return None
    return writer.phrases["except along"].format(n=axis, **slots)


def _ordinal(writer: Writer, number: int) -> str:
    return (ORDINALS if writer.lang == "en" else CHINESE).get(number, str(number))


def _without(writer: Writer, at: tree.Node | None, after: tree.Node | None, slots: dict[str, str]) -> str | None:
    if not shapes.follows(after, at):
        return None
    place = trees.number(at)
    if place is not None and place < 0:
        return writer.phrases["without from end"].format(n=_ordinal(writer, -place), b=slots["b"])
    axis = writer.phrases["axis named"].format(a=place) if place is not None else writer.along(at)
    return None if axis is None else writer.phrases["without"].format(n=axis, b=slots["b"])
