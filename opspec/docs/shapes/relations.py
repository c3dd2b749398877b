"""What equations say of the shapes of params: how many dims each has, which are the same, what others hang on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field

from opspec.docs.shapes.equations import CHANNELS_FIRST, KERNEL, Equation, decided, equations, is_choice, shaped
from opspec.language import tree
from opspec.language.prose.shapes import pieces
from opspec.language.prose.trees import number
from opspec.language.types import INT, INTS
from opspec.model.definition import Definition
from opspec.model.sets import formats_on
from opspec.model.stated import stated_of

_SHORT = 2  # letters of a derived value's name that may stand for a dim
_LONGEST_NAME = 12  # of a derived value without a letter, by which its dim is called
_LAYOUTS = ("NCHW", "NHWC", "HWCN", "NCDHW", "NDHWC")
_ANY, _UNNAMED = "*", "_"  # stand for dims in any number, and for one that the page does not name
_SMALL = re.compile(r"\b[a-z]\b")  # letters of dims are great ones
_TUPLE = re.compile(r"\(([A-Z][a-z0-9]?(?:, ?[A-Z][a-z0-9]?)+)\)")  # a shape in letters, in words on a param


@dataclass(frozen=True, slots=True)
class Dim:
    """A dim of a param by its place; a negative one counts from the end."""

    param: str
    place: int


@dataclass(frozen=True, slots=True)
class Told:
    """What a param's shape must show for an equation to be told: a dim, or items."""

    param: str
    what: Dim | tuple[str, ...]


@dataclass(slots=True)
class Known:
    """What is known of a param before its shape is.

    Args:
        rank: how many dims it has, where that is always the same; ``least``, how many at least.
        front: dims from the start that are spoken of one by one; ``back``, those from the end.
        is_cut: whether it is cut at places that arguments give, so that it has one letter as a whole.
        wholes: what the shape is, by shapes of params before it; ``later``, by others.
    """

    order: int
    rank: int | None = None
    least: int | None = None
    front: int = 0
    back: int = 0
    is_cut: bool = False
    wholes: list[tuple[Equation, tree.Node]] = field(default_factory=list)
    later: list[tuple[Equation, tree.Node]] = field(default_factory=list)
    cases: list[tuple[Equation, tree.Node]] = field(default_factory=list)
    pieces: list[tuple[tree.Slice | tree.Index, tree.Node]] = field(default_factory=list)
    slices: list[tuple[Equation, tree.Slice, tree.Node]] = field(default_factory=list)


class Relations:
    """The params of an operator, and what its rules say of their shapes."""

    def __init__(
        self,
        definition: Definition,
        axes: Mapping[str, tuple[str, ...]] | None = None,
        ranks: Mapping[str, int] | None = None,
        bare: Container[str] | None = None,
    ) -> None:
        """``axes``: what a layout calls the dims of params; ``ranks``: how many they have, where that is assumed;
        ``bare``: in the usual case the params of whose shapes nothing is known in every case."""
        self.definition = definition
        self.axes = axes or {}
        self.ranks = ranks or {}
        self.is_usual = bare is not None
        self.bare = bare or ()
        tensors = sorted(
            (param for param in definition.params if param.kind in ("tensor", "tensor_list")),
            key=lambda param: ("in", "inout", "out").index(param.io),
        )
        self.params = {param.name: param for param in tensors}
        self.known = {param.name: Known(i, self.ranks.get(param.name)) for i, param in enumerate(tensors)}
        self.own = stated_of(definition)
        self.found = list(equations(definition, self.is_usual))
        self.dims: dict[Dim, list[tuple[Equation, tree.Node]]] = {}
        self.same: dict[Dim, Dim] = {}
        # with "=" what shapes of the spec say, "&" what a layout does, "!" what the page calls most, ":" what it calls
        # less, "?" what a format does, "~" a word
        self.names: dict[Dim, str] = {}
        self.parts: dict[Equation, dict[frozenset[Dim], list[Told]]] = {}
        self.assumed = False
        self._count()
        self._sort()
        self._name()

    # --- what is known beforehand

    def _count(self) -> None:
        """Ranks that are fixed, and the dims that are spoken of one by one."""
        for _ in self.known:  # ranks go from shape to shape
            before = [known.rank for known in self.known.values()]
            for equation in self.found:
                for side, other in equation.sides:
                    self._count_rank(equation, side, other)
            if before == [known.rank for known in self.known.values()]:
                break
        for rule in self.definition.rules:
            if rule.kind == "rank" and rule.param in self.known:
                self.known[rule.param].least = _least(rule.check)
        lets = {name: self.definition.lets[name] for name in self.definition.dims}
        seen: set[str] = set()
        trees = [side for equation in self.found if equation.case is None for side in (equation.left, equation.right)]
        for node in (*trees, *lets.values()):
            for part in self._walk(node, seen):
                self._count_in(part)
        for equation in self.found:  # what is the same has the same dims
            if equation.case is not None:
                continue
            one, two = (self.known.get(shaped(self.view(side)) or "") for side in (equation.left, equation.right))
            if one is not None and two is not None:
                one.front = two.front = max(one.front, two.front)
                one.back = two.back = max(one.back, two.back)
                one.is_cut = two.is_cut = one.is_cut or two.is_cut
        for name in self.ranks:
            self.known[name].is_cut = False

    def _count_rank(self, equation: Equation, side: tree.Node, other: tree.Node) -> None:
        """The rank that an equation gives a param."""
        rank: int | None = None
        if equation.case is not None:
            return
        if isinstance(side, tree.Attr) and side.name == "rank" and isinstance(side.base, tree.Param):
            name, rank = side.base.name, number(other)
            if isinstance(other, tree.Attr) and other.name == "rank" and isinstance(other.base, tree.Param):
                rank = self.known[other.base.name].rank if other.base.name in self.known else None
        else:
            name = shaped(self.view(side)) or ""
            items = self._items(other) if name in self.known else None
            rank = None if items is None else len(items)
        if rank is not None and name in self.known and self._is_about(equation, name):
            self.known[name].rank = rank

    def _is_about(self, equation: Equation, name: str) -> bool:
        """Whether an equation says what a param's shape is; in the usual case of an output whatever inputs it reads."""
        return equation.is_about(name) or (self.is_usual and equation.is_always and self.params[name].is_output)

    def _walk(self, node: tree.Node, seen: set[str]) -> Iterator[tree.Node]:
        """All that a tree reads in the usual case, derived values once."""
        if isinstance(node, tree.If):
            holds = decided(node.condition, self.definition)
            if holds is not None:
                yield from self._walk(node.then if holds else node.other, seen)
            elif node.type == INTS:  # each of them is shown
                yield from self._walk(node.then, seen)
                yield from self._walk(node.other, seen)
            return
        yield node
        if isinstance(node, tree.Let) and node.name not in seen:
            seen.add(node.name)
            yield from self._walk(self.definition.lets[node.name], seen)
        for part in tree.children(node):
            yield from self._walk(part, seen)

    def _count_in(self, part: tree.Node) -> None:
        if isinstance(part, tree.Index):
            known = self.known.get(shaped(part.base) or "")
            first = _first_of(part.index)
            if known is not None and first is not None:
                known.front = max(known.front, first)
            elif known is not None:
                self._reach(known, number(part.index), 0)
        if isinstance(part, tree.Slice):
            known = self.known.get(shaped(part.base) or "")
            known = None if known is not None and known.rank is not None and _has_numbers(part) else known
            for end in (part.low, part.high) if known is not None else ():
                if end is not None and known is not None:
                    self._reach(known, number(end), 1)

    def _reach(self, known: Known, place: int | None, end: int) -> None:
        if place is None:
            known.is_cut = True
        elif place < 0:
            known.back = max(known.back, -place)
        else:
            known.front = max(known.front, place + 1 - end)

    def _items(self, node: tree.Node, count: int | None = None) -> list[tree.Node] | None:
        """The dims of a shape, or of a part of it, one by one.

        Args:
            count: how many there must be, of an argument whose length is not known.
        """
        computed, node = node, self.view(node)
        match node:
            case tree.Each(quantifier="list", source=tree.Range(low=None, high=high)) if self.ranks:
                size = number(high) or count or 0  # dims of the usual case that are computed one by one
                return [tree.Index(computed, tree.Const(i, INT), INT) for i in range(size)] or None
            case tree.Seq() | tree.Binary(op="+") if node.type == INTS and not is_choice(node):
                return self._joined(node, count)
            case tree.Attr(name="shape") if (name := shaped(node)) in self.known:
                rank = self.known[name].rank
                return None if rank is None else [tree.Index(node, tree.Const(i, INT), INT) for i in range(rank)]
            case tree.Slice(base=base, low=low, high=high):
                ends = number(low), number(high)
                if (ends[0] is None) == (low is None) and (ends[1] is None) == (high is None):
                    of_array = isinstance(base, tree.Param) and count is not None and (ends[1] or 1) > 0
                    inner = self._items(base, (ends[0] or 0) + count if of_array and count is not None else None)
                    if inner is None and shaped(base) in self.known:  # counted from one end
                        places = range(ends[0] or 0, ends[1] or 0) if (ends[0] or 0) < 0 or ends[1] else ()
                        return [tree.Index(base, tree.Const(i, INT), INT) for i in places] or None
                    return None if inner is None else inner[slice(*ends)]
            case tree.Param() if count is not None and node.type == INTS:
                return [tree.Index(node, tree.Const(i, INT), INT) for i in range(count)]
        return None

    def _joined(self, node: tree.Node, count: int | None) -> list[tree.Node] | None:
        """The dims of a shape in pieces, of which one may have as many as are left of a count."""
        parts = [(piece, self._items(piece) if is_list else [piece]) for piece, is_list in pieces(node)]
        open_ = [piece for piece, part in parts if part is None]
        if len(open_) > 1 or (open_ and (count is None or open_[0] is node)):
            return None
        left = (count or 0) - sum(len(part) for _, part in parts if part is not None)
        every = [self._items(piece, left) if part is None else part for piece, part in parts]
        return None if None in every else [item for part in every for item in part or ()]

    def _sort(self) -> None:
        """Which equations say what a param's shape is, which a part of it, which a dim."""
        for equation in self.found:
            for side, other in equation.sides:
                self._sort_side(equation, side, other)

    def _sort_side(self, equation: Equation, side: tree.Node, other: tree.Node) -> None:
        side = self.view(side)
        whole = side.base if isinstance(side, tree.Slice) else side
        name = shaped(whole)
        if equation.case is not None:
            if whole is side and name in self.bare:
                self._sort_case(equation, name or "", other)
            return
        if name not in self.known:
            dim = self.dim(side)
            if dim is not None:
                self._sort_dim(equation, dim, other)
            elif isinstance(side, tree.Index) and (name := shaped(side.base)) in self.known:
                self.known[name].pieces.append((side, other))
            return
        known = self.known[name]
        own = self._items(side) if not known.is_cut else None
        items = None if own is None else self._items(other, len(own))
        if own is not None and items is not None and len(own) == len(items):
            for one, item in zip(own, items, strict=True):
                dim = self.dim(one)
                if dim is not None:
                    self._sort_dim(equation, dim, item)
        elif not self._is_about(equation, name):
            return
        elif all(self.known[read].order < known.order for read in self._read(other)):
            if not isinstance(side, tree.Slice):
                known.wholes.append((equation, other))
            elif known.is_cut:
                known.pieces.append((side, other))
            else:
                known.slices.append((equation, side, other))
        elif not isinstance(side, tree.Slice) and name not in self._read(other):
            known.later.append((equation, other))

    def _sort_case(self, equation: Equation, name: str, other: tree.Node) -> None:
        """Note a shape that a param has in one case; of two that have the same, of the later one."""
        read = self._read(other)
        is_copied = shaped(self.view(other)) in self.bare
        is_later = any(self.known[one].order >= self.known[name].order for one in read)
        if name not in read and not (is_copied and is_later):
            self.known[name].cases.append((equation, other))

    def _read(self, node: tree.Node) -> set[str]:
        """The params of whose shapes a tree speaks in the usual case."""
        return {name for part in self._walk(node, set()) if (name := shaped(part)) in self.known}

    def _sort_dim(self, equation: Equation, dim: Dim, other: tree.Node) -> None:
        second = self.dim(other)
        if isinstance(other, tree.Index) and isinstance(self.view(other.base), tree.Each):
            return  # a dim of its own
        if second is None:
            self.tell(equation, (dim,))
            if self._is_about(equation, dim.param):
                self.dims.setdefault(dim, []).append((equation, other))
        elif not self._is_told_whole(dim.param) and not self._is_told_whole(second.param):
            one, two = sorted((self.root(dim), self.root(second)), key=self._order)
            if one != two:
                self.same[two] = one
            later, first = sorted((dim, second), key=self._order, reverse=True)
            self.tell(equation, (later, first), Told(later.param, later), Told(first.param, first))
        else:
            self.dims.setdefault(dim, []).append((equation, other))
            self.tell(equation, (dim, second))

    def tell(self, equation: Equation, dims: tuple[Dim, ...], *told: Told) -> None:
        """Note what an equation says of dims, or of a whole shape; and what shapes must show for that to be told."""
        parts = self.parts.setdefault(equation, {})
        found = parts.setdefault(frozenset(dims), [])
        found += [] if found else told

    def _is_told_whole(self, name: str) -> bool:
        """Whether the shape is computed, so that its dims are what comes out."""
        return self.known[name].is_cut or (self.known[name].rank is None and bool(self.known[name].wholes))

    def _order(self, dim: Dim) -> tuple[int, int]:
        return self.known[dim.param].order, dim.place

    def root(self, dim: Dim) -> Dim:
        """The first of the dims that are the same."""
        while dim in self.same:
            dim = self.same[dim]
        return dim

    def _name(self) -> None:
        """Letters that the spec gives dims, or the data format."""
        terms = self.definition.terms
        lets = self.definition.lets  # a dim that has a letter is called by no other name
        for name in sorted(
            lets, key=lambda name: name not in self.definition.dims and terms.lettered(name, "en") is None
        ):
            dim = self.dim(lets[name])
            if dim is None:
                continue
            lettered = terms.lettered(name, "en")
            if lettered is not None and not self._fits(dim, lettered[0]):
                continue
            if name in self.definition.dims:
                self.names[self.root(dim)] = f"={name}"
            elif lettered is not None or len(name) <= _SHORT:
                self.names.setdefault(self.root(dim), name if lettered is None else lettered[0])
            elif len(name) <= _LONGEST_NAME:
                self.names.setdefault(self.root(dim), f"~{name}")
        for name, letters in self.axes.items():
            for i, letter in enumerate(letters if self.known[name].rank == len(letters) else ()):
                self.names.setdefault(self.root(Dim(name, i)), f"&{letter}")
        for dim, letter in self._on_page():
            self.names.setdefault(dim, letter)
        for name, known in self.known.items():
            layout = self._layout(name, known)
            for i, letter in enumerate(layout):
                self.names.setdefault(self.root(Dim(name, i)), f"?{letter}")

    def _fits(self, dim: Dim, letter: str) -> bool:
        """Whether the letter of a derived value is that of the dim by its layout, if it has one: values that count in
        other layouts alone may stand for any dim in this one."""
        letters = self.axes.get(dim.param, ())
        known = self.known[dim.param]
        if known.rank != len(letters) or len(letters[dim.place]) > 2:
            return True
        return letters[dim.place][0] == letter[0]

    def _on_page(self) -> Iterator[tuple[Dim, str]]:
        """The names that the page gives dims; none where it calls one dim by those of two."""
        said: dict[Dim, Counter[str]] = {}
        for name, known in self.known.items():
            for place, letter in self._in_words(name, known).items():
                if letter != _UNNAMED and letter not in self.own and not self._is_value(letter):
                    said.setdefault(self.root(Dim(name, place)), Counter())[letter] += 1
        times = sum((Counter(dict.fromkeys(names, 1)) for names in said.values()), Counter[str]())
        mixed = {dim for dim, names in said.items() if len(names) > 1 and any(times[name] > 1 for name in names)}
        if len(mixed) * 2 > sum(names.total() > 1 for names in said.values()):
            return  # the page has another order of dims in mind
        most: Counter[str] = Counter()
        for names in said.values():
            most |= names
        for dim, names in said.items():
            letter, count = names.most_common(1)[0]
            if dim not in mixed or count * 2 > names.total():
                yield dim, f"{'!' if count == most[letter] else ':'}{letter}"

    def _is_value(self, name: str) -> bool:
        """Whether a name is that of a derived value, and too long for another dim to have it with a number."""
        return name in self.definition.lets and len(name) > _SHORT

    def _in_words(self, name: str, known: Known) -> dict[int, str]:
        """What the page calls the dims of a param, or the letters of a shape in the words on it: ``(N, C, L)``."""
        own = self.own[name][0]
        texts = [] if own.dims is None else [_SMALL.sub(lambda letter: letter[0].upper(), own.dims)]
        texts += [] if own.about is None else _TUPLE.findall(own.about.text("en"))
        for letters in (text.replace(" ", "").split(",") for text in texts):
            if len(letters) == known.rank and _ANY not in letters:
                return dict(enumerate(letters))
            if _ANY in letters and known.rank is None:
                star = letters.index(_ANY)
                back = {place: letters[place] for place in range(star - len(letters) + 1, 0)}
                return {**dict(enumerate(letters[:star])), **back}
        return {}

    def _layout(self, name: str, known: Known) -> str:
        """The letters of a data format that is a tensor's only one of this many dims."""
        if known.rank is None or KERNEL.search(name):
            return ""
        formats = formats_on(self.definition.spec, self.own[name][0], None).all
        layouts = CHANNELS_FIRST if name in self.ranks else [layout for layout in _LAYOUTS if layout in formats]
        fitting = [layout for layout in layouts if len(layout) == known.rank]
        return fitting[0] if len(fitting) == 1 else ""

    # --- trees

    def view(self, node: tree.Node) -> tree.Node:
        """A node behind what stands for it: names of shapes and of dims, cases that are decided."""
        while True:
            match node:
                case tree.Given(operand=operand):
                    node = operand
                case tree.If(condition=condition, then=then, other=other):
                    holds = decided(condition, self.definition)
                    if holds is None:
                        return node
                    self.assumed = True
                    node = then if holds else other
                case tree.Let(name=name) if node.type == INTS or self._is_plain(self.definition.lets[name]):
                    node = self.definition.lets[name]
                case _:
                    return node

    def _is_plain(self, node: tree.Node) -> bool:
        """Whether a value is a dim or an argument, so that its name says no more."""
        if isinstance(node, tree.If):
            return decided(node.condition, self.definition) is not None
        return isinstance(node, (tree.Param, tree.Const)) or self.dim(node) is not None

    def dim(self, node: tree.Node) -> Dim | None:
        """The dim that a node is, with its place from the start where a param has a fixed number of them."""
        if isinstance(node, (tree.Let, tree.Given, tree.If)):
            node = self.view(node)
        if isinstance(node, tree.Attr) and node.name == "numel" and isinstance(node.base, tree.Param):
            vector = node.base.name in self.known and self.known[node.base.name].rank == 1
            return Dim(node.base.name, 0) if vector else None
        if not isinstance(node, tree.Index):
            return None
        name, place = shaped(node.base), number(node.index)
        if name not in self.known or place is None:
            return None
        rank = self.known[name].rank
        return Dim(name, place + rank if place < 0 and rank is not None else place)


def _least(check: tree.Node) -> int | None:
    """The fewest dims that a rule on ranks allows."""
    match check:
        case tree.Compare(ops=("<=", "<="), operands=(low, _, _)):
            return number(low)
        case tree.Compare(ops=(">=" | "==",), operands=(_, low)):
            return number(low)
        case tree.Compare(ops=("in",), operands=(_, tree.Seq(items=items))):
            found = [number(item) for item in items]
            return min((rank for rank in found if rank is not None), default=None)
        case tree.If(then=then, other=other):
            both = _least(then), _least(other)
            return None if None in both else min(rank for rank in both if rank is not None)
        case tree.Logic(op="or", items=items):
            every = [_least(item) for item in items]
            return None if None in every else min(rank for rank in every if rank is not None)
    return None


def _first_of(index: tree.Node) -> int | None:
    """The first of the dims that ``2 + i`` counts; None of any other index."""
    match index:
        case tree.Binary(op="+", left=tree.Const(value=int() as first), right=tree.Var()):
            return first
    return None


def _has_numbers(part: tree.Slice) -> bool:
    """Whether both ends are written as numbers."""
    return all(end is None or number(end) is not None for end in (part.low, part.high))
