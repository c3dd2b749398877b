"""The shapes of an operator's tensors in letters, as its rules relate them: ``self[M, K]``, ``mat2[K, N]``, ``out[M, N]``.

A dim that rules make equal to another has its letter, one that they compute has its formula. Letters are those of the
spec where it names the dim, those of the data format, else some that are free. Nothing is typed by hand per operator.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from opspec.docs.equations import Equation, decided, equations, is_choice, shaped, stated_whole
from opspec.language import build, tree
from opspec.language.prose.shapes import axis_named, pieces
from opspec.language.prose.trees import number
from opspec.language.text import write
from opspec.language.types import INT, INTS, TENSOR
from opspec.model.definition import Definition, ParamDef
from opspec.model.sets import formats_on
from opspec.model.stated import stated

_LONGEST = 30  # a formula that stands in a shape; a longer one has a letter
_LONGEST_FORMULA = 120
_USUAL_RANK = 2  # dims that a tensor has in the usual case, though it may have fewer
_SHORT = 2  # letters of a derived value's name that may stand for a dim
_ROUNDS = 2  # in which ranks go from shape to shape
_MOST_CASES = 3  # shapes that a param has in turn
_POOL = "MNPQRUVXYZJLTGFI"
_STARS = "ABEFGIJQ"
_LAYOUTS = ("NCHW", "NHWC", "HWCN", "NCDHW", "NDHWC")
_OPEN = re.compile("\x00([ds])(\\d+)\x00")
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape: of each item its text, dims in any number with a star."""

    items: tuple[str, ...]

    def __str__(self) -> str:
        return f"[{', '.join(self.items)}]"

    @property
    def is_open(self) -> bool:
        """Whether it says nothing of any dim but that it is there."""
        return set(self.items) <= {OPEN, ALONE}


OPEN = "..."  #: any number of dims of which nothing else is said
ALONE = "_"  #: one such dim


@dataclass(frozen=True, slots=True)
class Letter:
    """What a letter stands for, and its formula where that can be written with letters."""

    node: tree.Node
    formula: str


@dataclass(frozen=True, slots=True)
class Shapes:
    """What a page shows.

    Args:
        of: param -> its shapes, of which it has one; none of what no rule relates and whose dims are not counted.
        letters: what letters stand for that are no dims to be seen.
        told: rule -> the param whose shape says all that it says.
        is_usual: whether they are those of the usual case: of tensors with elements and dims.
    """

    of: Mapping[str, tuple[Shape, ...]]
    letters: Mapping[str, Letter]
    told: Mapping[str, str]
    is_usual: bool


def shapes(definition: Definition) -> Shapes:
    """The shapes of an operator's tensors."""
    return definition.once(_shapes)


def _shapes(definition: Definition) -> Shapes:
    return _Solver(definition).solved()


@dataclass(frozen=True, slots=True)
class _Dim:
    """A dim of a param by its place; a negative one counts from the end."""

    param: str
    place: int


@dataclass(slots=True)
class _Known:
    """What is known of a param before its shape is.

    Args:
        rank: how many dims it has, where that is always the same; ``least``, how many at least.
        front: dims from the start that are spoken of one by one; ``back``, those from the end.
        is_cut: whether it is cut at places that arguments give, so that it has one letter as a whole.
    """

    order: int
    rank: int | None = None
    least: int | None = None
    front: int = 0
    back: int = 0
    is_cut: bool = False
    wholes: list[tuple[Equation, tree.Node]] = field(default_factory=list)
    slices: list[tuple[Equation, tree.Slice, tree.Node]] = field(default_factory=list)


class _Solver:
    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        tensors = sorted(
            (param for param in definition.params if param.kind in ("tensor", "tensor_list")),
            key=lambda param: ("in", "inout", "out").index(param.io),
        )
        self.params = {param.name: param for param in tensors}
        self.known = {param.name: _Known(i) for i, param in enumerate(tensors)}
        self.own = stated(definition.spec, definition.name)
        self.found = list(equations(definition))
        self.dims: dict[_Dim, list[tuple[Equation, tree.Node]]] = {}
        self.same: dict[_Dim, _Dim] = {}
        self.made: dict[str, tuple[str, ...]] = {}
        self.making: set[str] = set()
        self.names: dict[_Dim, str] = {}
        self.open: list[str | None] = []  # the letter that is wanted for each open one
        self.open_of: dict[object, str] = {}
        self.meanings: dict[str, tree.Node] = {}
        self.formulas: dict[str, str] = {}
        self.used: dict[Equation, str] = {}
        self.assumed = False

    # --- what is known beforehand

    def solved(self) -> Shapes:
        """All shapes, with letters."""
        self._count()
        self._sort()
        self._name()
        of = {name: self._cases(name) for name in self.params}
        return _Lettering(self, of).shapes()

    def _count(self) -> None:
        """Ranks that are fixed, and the dims that are spoken of one by one."""
        for _ in range(_ROUNDS):
            for equation in self.found:
                for side, other in equation.sides:
                    self._count_rank(equation, side, other)
        for rule in self.definition.rules:
            if rule.kind == "rank" and rule.param in self.known:
                self.known[rule.param].least = _least(rule.check)
        lets = {name: self.definition.lets[name] for name in self.definition.dims}
        seen: set[str] = set()
        trees = [side for equation in self.found for side in (equation.left, equation.right)]
        for node in (*trees, *lets.values()):
            for part in self._walk(node, seen):
                self._count_in(part)
        for equation in self.found:  # what is the same has the same dims
            one, two = (self.known.get(shaped(self.view(side)) or "") for side in (equation.left, equation.right))
            if one is not None and two is not None:
                one.front = two.front = max(one.front, two.front)
                one.back = two.back = max(one.back, two.back)
                one.is_cut = two.is_cut = one.is_cut or two.is_cut

    def _count_rank(self, equation: Equation, side: tree.Node, other: tree.Node) -> None:
        """The rank that an equation gives a param."""
        rank: int | None = None
        if isinstance(side, tree.Attr) and side.name == "rank" and isinstance(side.base, tree.Param):
            name, rank = side.base.name, number(other)
            if isinstance(other, tree.Attr) and other.name == "rank" and isinstance(other.base, tree.Param):
                rank = self.known[other.base.name].rank if other.base.name in self.known else None
        else:
            name = shaped(self.view(side)) or ""
            items = self._items(other) if name in self.known else None
            rank = None if items is None else len(items)
        if rank is not None and name in self.known and equation.is_about(name):
            self.known[name].rank = rank

    def _walk(self, node: tree.Node, seen: set[str]) -> Iterator[tree.Node]:
        """All that a tree reads in the usual case, derived values once."""
        if isinstance(node, tree.If):
            holds = decided(node.condition, self.definition)
            if holds is not None:
                yield from self._walk(node.then if holds else node.other, seen)
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
            if known is not None:
                self._reach(known, number(part.index), 0)
        if isinstance(part, tree.Slice):
            known = self.known.get(shaped(part.base) or "")
            known = None if known is not None and known.rank is not None and _has_numbers(part) else known
            for end in (part.low, part.high) if known is not None else ():
                if end is not None and known is not None:
                    self._reach(known, number(end), 1)

    def _reach(self, known: _Known, place: int | None, end: int) -> None:
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
        node = self.view(node)
        match node:
            case tree.Seq(items=items, starred=starred) if not is_choice(node):
                parts = [self._items(item) if star else [item] for item, star in zip(items, starred, strict=True)]
                return None if None in parts else [item for part in parts for item in part or ()]
            case tree.Binary(op="+", left=left, right=right) if node.type == INTS:
                both = self._items(left), self._items(right)
                return None if both[0] is None or both[1] is None else both[0] + both[1]
            case tree.Attr(name="shape") if (name := shaped(node)) in self.known:
                rank = self.known[name].rank
                return None if rank is None else [tree.Index(node, tree.Const(i, INT), INT) for i in range(rank)]
            case tree.Slice(base=base, low=low, high=high):
                ends = number(low), number(high)
                if (ends[0] is None) == (low is None) and (ends[1] is None) == (high is None):
                    of_array = isinstance(base, tree.Param) and count is not None and (ends[1] or 1) > 0
                    inner = self._items(base, (ends[0] or 0) + count if of_array and count is not None else None)
                    return None if inner is None else inner[slice(*ends)]
            case tree.Param() if count is not None and node.type == INTS:
                return [tree.Index(node, tree.Const(i, INT), INT) for i in range(count)]
        return None

    def _sort(self) -> None:
        """Which equations say what a param's shape is, which a part of it, which a dim."""
        for equation in self.found:
            for side, other in equation.sides:
                self._sort_side(equation, side, other)

    def _sort_side(self, equation: Equation, side: tree.Node, other: tree.Node) -> None:
        side = self.view(side)
        whole = side.base if isinstance(side, tree.Slice) else side
        name = shaped(whole)
        if name not in self.known:
            dim = self.dim(side)
            if dim is not None:
                self._sort_dim(equation, dim, other)
            return
        known = self.known[name]
        own = self._items(side) if not known.is_cut else None
        items = None if own is None else self._items(other, len(own))
        if own is not None and items is not None and len(own) == len(items):
            for one, item in zip(own, items, strict=True):
                dim = self.dim(one)
                if dim is not None:
                    self._sort_dim(equation, dim, item)
        elif not equation.is_about(name):
            return
        elif all(self.known[read].order < known.order for read in self._read(other)):
            if not isinstance(side, tree.Slice):
                known.wholes.append((equation, other))
            elif not known.is_cut:
                known.slices.append((equation, side, other))

    def _read(self, node: tree.Node) -> set[str]:
        """The params of whose shapes a tree speaks in the usual case."""
        return {name for part in self._walk(node, set()) if (name := shaped(part)) in self.known}

    def _sort_dim(self, equation: Equation, dim: _Dim, other: tree.Node) -> None:
        second = self.dim(other)
        if second is None:
            if equation.is_about(dim.param):
                self.dims.setdefault(dim, []).append((equation, other))
        elif not self._is_told_whole(dim.param) and not self._is_told_whole(second.param):
            one, two = sorted((self.root(dim), self.root(second)), key=self._order)
            if one != two:
                self.same[two] = one
            self.used.setdefault(equation, max(dim, second, key=self._order).param)
        else:
            self.dims.setdefault(dim, []).append((equation, other))

    def _is_told_whole(self, name: str) -> bool:
        """Whether the shape is computed, so that its dims are what comes out."""
        return self.known[name].is_cut or (self.known[name].rank is None and bool(self.known[name].wholes))

    def _order(self, dim: _Dim) -> tuple[int, int]:
        return self.known[dim.param].order, dim.place

    def root(self, dim: _Dim) -> _Dim:
        """The first of the dims that are the same."""
        while dim in self.same:
            dim = self.same[dim]
        return dim

    def _name(self) -> None:
        """Letters that the spec gives dims, or the data format."""
        terms = self.definition.terms
        for name, node in self.definition.lets.items():
            dim = self.dim(node)
            if dim is None:
                continue
            lettered = terms.lettered(name, "en")
            letter = name if name in self.definition.dims else lettered[0] if lettered is not None else name
            if letter != name or name in self.definition.dims or len(name) <= _SHORT:
                self.names.setdefault(self.root(dim), letter)
        for name, known in self.known.items():
            layout = self._layout(name, known)
            for i, letter in enumerate(layout):
                self.names.setdefault(self.root(_Dim(name, i)), f"?{letter}")

    def _layout(self, name: str, known: _Known) -> str:
        """The letters of a data format that is a tensor's only one of this many dims."""
        if known.rank is None or re.search("weight|filter|kernel", name, re.I):
            return ""
        formats = formats_on(self.definition.spec, self.own[name][0], None).all
        fitting = [layout for layout in _LAYOUTS if layout in formats and len(layout) == known.rank]
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

    def dim(self, node: tree.Node) -> _Dim | None:
        """The dim that a node is, with its place from the start where a param has a fixed number of them."""
        if isinstance(node, (tree.Let, tree.Given, tree.If)):
            node = self.view(node)
        if isinstance(node, tree.Attr) and node.name == "numel" and isinstance(node.base, tree.Param):
            vector = node.base.name in self.known and self.known[node.base.name].rank == 1
            return _Dim(node.base.name, 0) if vector else None
        if not isinstance(node, tree.Index):
            return None
        name, place = shaped(node.base), number(node.index)
        if name not in self.known or place is None:
            return None
        rank = self.known[name].rank
        return _Dim(name, place + rank if place < 0 and rank is not None else place)

    # --- shapes

    def _cases(self, name: str) -> tuple[tuple[str, ...], ...]:
        """The shapes of a param in turn: those of its spec, or of cases that no one can decide beforehand."""
        texts = [text for text in _texts(self.own[name][0].shape) if text.startswith("(")]
        if texts:
            return tuple(_items_of(text) for text in texts)
        for equation, node in self.known[name].wholes:
            branches = list(_branches(self.view(node), self))
            if 1 < len(branches) <= _MOST_CASES:
                found = [self.items(branch) for branch in branches]
                if all(found):
                    self.used.setdefault(equation, name)
                    return tuple(dict.fromkeys(items for items in found if items is not None))
        return (self.shape(name),)

    def shape(self, name: str) -> tuple[str, ...]:
        """The items of a param's shape."""
        if name not in self.made:
            self.making.add(name)
            self.made[name] = self._made(name)
            self.making.discard(name)
        return self.made[name]

    def _made(self, name: str) -> tuple[str, ...]:
        known = self.known[name]
        if known.rank is not None and not known.is_cut:
            return tuple(self.at(_Dim(name, i)) for i in range(known.rank))
        for equation, node in known.wholes:
            found = None if is_choice(self.view(node)) else self.items(node)
            if found is not None:
                self.used.setdefault(equation, name)
                return found
        if known.is_cut:
            return (self.opened("s", name),)
        return self._of_parts(name, known)

    def _of_parts(self, name: str, known: _Known) -> tuple[str, ...]:
        """A shape by what is said of its first or last dims."""
        for equation, part, node in known.slices:
            low, high = number(part.low), number(part.high)
            found = self.items(node) if (low is None) != (high is None) else None
            if found is None:
                continue
            if low is None and high is not None and high < 0:
                self.used.setdefault(equation, name)
                return (*found, *(self.at(_Dim(name, i)) for i in range(high, 0)))
            if high is None and low is not None and low > 0:
                self.used.setdefault(equation, name)
                return (*(self.at(_Dim(name, i)) for i in range(low)), *found)
        self._fit(known)
        front = tuple(self.at(_Dim(name, i)) for i in range(known.front))
        back = tuple(self.at(_Dim(name, i)) for i in range(-known.back, 0))
        return (*front, self.opened("s", name), *back)

    def _fit(self, known: _Known) -> None:
        """No more dims one by one than there are in every call."""
        least = known.front + known.back if known.least is None else max(known.least, _USUAL_RANK)
        if known.front + known.back > least:
            known.front = 0
            known.back = known.back if known.back <= least else 0

    def at(self, dim: _Dim) -> str:
        """A dim: what it is computed from, or its letter."""
        root = self.root(dim)
        if root in self.open_of:
            return self.open_of[root]
        self.open_of[root] = self.opened("d", root, self.names.get(root))
        if not self._is_shown(root):
            shape = build.attribute(tree.Param(root.param, TENSOR), "shape")
            self.meanings[self.open_of[root]] = build.index(shape, root.place)
        members = [root, *(other for other in self.same if self.root(other) == root)]
        for member in members:
            for equation, node in self.dims.get(member, ()):
                text = self._computed(member, node)
                if text is not None:
                    self.used.setdefault(equation, member.param)
                    self.open_of[root] = text
                    return text
        return self.open_of[root]

    def _is_shown(self, dim: _Dim) -> bool:
        """Whether the dim has a place of its own in its param's shape."""
        known = self.known[dim.param]
        if known.rank is not None or known.wholes or known.is_cut:
            return True
        self._fit(known)
        return dim.place < known.front if dim.place >= 0 else -dim.place <= known.back

    def _computed(self, dim: _Dim, node: tree.Node) -> str | None:
        """What a dim is computed from, where that is known before it."""
        if any(self.known[name].order >= self.known[dim.param].order for name in self._read(node)):
            return None
        return self.value(node)

    def opened(self, kind: str, key: object, letter: str | None = None) -> str:
        """A place for a letter that is chosen in the end; the same for the same thing."""
        if (kind, key) not in self.open_of:
            self.open_of[kind, key] = f"{'*' if kind == 's' else ''}\x00{kind}{len(self.open)}\x00"
            self.open.append(letter)
        return self.open_of[kind, key]

    def items(self, node: tree.Node) -> tuple[str, ...] | None:
        """The items of a shape that is computed; None where a tensor's shape hangs on itself."""
        node = self.view(node)
        if isinstance(node, (tree.Seq, tree.Binary)):
            found: list[str] = []
            for piece, is_list in pieces(node):
                if is_list and piece is node:
                    return self._named(node)
                inner = self.items(piece) if is_list else self._one(piece)
                if inner is None:
                    return None
                found += inner
            return tuple(found)
        name = shaped(node)
        if name in self.known:
            return None if name in self.making else self.shape(name)
        match node:
            case tree.Slice():
                return self._cut(node)
            case tree.Param(name=own):
                return (f"*{own}",)
            case tree.Call(function="broadcast" | "reduced" | "permuted"):
                return self._called(node)
        return self._named(node)

    def _one(self, node: tree.Node) -> tuple[str, ...] | None:
        text = self.value(node)
        return None if text is None else (text,)

    def _named(self, node: tree.Node) -> tuple[str, ...] | None:
        """A letter for a shape that takes many words."""
        if any(shaped(part) in self.making for part in tree.expanded(node, self.definition.lets)):
            return None
        text = self.opened("s", node)
        self.meanings[text.lstrip("*")] = node
        return (text,)

    def _cut(self, node: tree.Slice) -> tuple[str, ...] | None:
        """Some dims of a tensor's shape."""
        name = shaped(node.base)
        if name not in self.known:
            return self._named(node)
        if name in self.making:
            return None
        whole = self.shape(name)
        low, high = number(node.low), number(node.high)
        if (low is None) == (node.low is None) and (high is None) == (node.high is None):
            found = _sliced(whole, low, high)
            if found is not None:
                return found
        if len(whole) != 1 or not whole[0].startswith("*"):
            return self._named(node)
        low_text, high_text = (self._end(end) for end in (node.low, node.high))
        return None if low_text is None or high_text is None else (f"{whole[0]}[{low_text}:{high_text}]",)

    def _end(self, node: tree.Node | None) -> str | None:
        if node is None:
            return ""
        if isinstance(node, tree.Binary) and node.op == "+" and number(node.right) == 1:
            inner = self._end(node.left)
            return None if inner is None else f"{inner}+1"
        if isinstance(node, tree.Binary) and node.op == "-" and _is_rank(node.left):
            inner = self._text(node.right, 2)
            return None if inner is None else f"-{inner}"
        return self.value(axis_named(node))

    def _called(self, node: tree.Call) -> tuple[str, ...] | None:
        """A shape that a function makes of others."""
        texts: list[str] = []
        for i, arg in enumerate(node.args):
            found = self.items(arg) if arg.type == INTS and (i == 0 or node.function == "broadcast") else self._given(arg)
            if found is None:
                return None
            texts.append(found[0][1:] if len(found) == 1 and found[0].startswith("*") else f"[{', '.join(found)}]")
        texts = list(dict.fromkeys(texts)) if node.function == "broadcast" else texts
        return (f"*{texts[0]}",) if len(texts) == 1 else (f"*{node.function}({', '.join(texts)})",)

    def _given(self, node: tree.Node) -> tuple[str, ...] | None:
        """An argument that says how a shape is changed."""
        node = self.view(node)
        if isinstance(node, tree.Param):
            return (f"*{node.name}",)
        text = self.value(node) if node.type != INTS else None
        if text is not None:
            return (f"*{text}",)
        items = self._items(node)
        found = [self.value(axis_named(item)) for item in items] if items is not None else []
        return tuple(text for text in found if text is not None) or None

    def value(self, node: tree.Node) -> str | None:
        """A number: a dim, an argument, a short formula of such; else a letter. None where it hangs on itself."""
        text = self._text(node, 0)
        if text is None or len(_OPEN.sub("x", text)) <= _LONGEST:
            return text
        return self._lettered(node)

    def _lettered(self, node: tree.Node) -> str:
        name = node.name if isinstance(node, tree.Let) else None
        text = self.opened("d", node, name)
        if text not in self.meanings:
            self.meanings[text] = node
            formula = self._formula(self.definition.lets[name] if name is not None else node)
            if formula is not None and text not in formula:
                self.formulas[text] = formula
        return text

    def _formula(self, node: tree.Node) -> str | None:
        """A computed dim with its cases, written with letters; None of what has none that is short."""
        node = self.view(node)
        if isinstance(node, tree.If):
            then, other = self._formula(node.then), self._formula(node.other)
            text = f"{then} if {write(node.condition)} else {other}"
            return None if then is None or other is None or len(text) > _LONGEST_FORMULA else text
        if isinstance(node, (tree.Binary, tree.Call, tree.Const, tree.Param, tree.Length, tree.Index)):
            return self._text(node, 0)
        return None

    def _text(self, node: tree.Node, level: int) -> str | None:
        node = self.view(node)
        dim = self.dim(node)
        if dim is not None:
            return self._at_place(dim)
        match node:
            case tree.Const(value=bool() as value):
                return "true" if value else "false"
            case tree.Const(value=int() as value):
                return str(value)
            case tree.Param(name=name):
                return name
            case tree.Let():
                return self._named_value(node, level)
            case tree.Binary(op=op, left=left, right=right) if op in _LEVELS:
                own = _LEVELS[op]
                sides = self._text(left, own), self._text(right, own + 1)
                if None in sides:
                    return None
                text = f"{sides[0]}{op}{sides[1]}" if own > 1 else f"{sides[0]} {op} {sides[1]}"
                return f"({text})" if own < level else text
            case tree.Call(function="ceil_div", args=(left, right)):
                both = self._text(left, 2), self._text(right, 3)
                return None if None in both else f"ceil({both[0]}/{both[1]})"
            case tree.Call(function=("max" | "min" | "align_up") as function, args=args) if all(
                arg.type != INTS for arg in args
            ):
                found = [self._text(arg, 0) for arg in args]
                return None if None in found else f"{function}({', '.join(map(str, found))})"
            case tree.Call(function="axis", args=(inner, _)):
                return self._text(inner, level)
            case tree.Index(base=base, index=index) if (whole := self._cut_whole(base)) is not None:
                place = self._text(index, 0)
                return None if place is None else f"{whole}[{place}]"
            case tree.Length(operand=tree.Param(name=name)):
                return f"len({name})"
            case tree.Attr(name="numel" | "rank" as function, base=tree.Param(name=name)):
                return f"{function}({name})"
            case tree.Index(base=tree.Param(name=name), index=index) if number(index) is not None:
                return f"{name}[{number(index)}]"
        return self._lettered(node)

    def _cut_whole(self, node: tree.Node) -> str | None:
        """The letter of a shape that has one as a whole."""
        name = shaped(node)
        if name not in self.known or name in self.making:
            return None
        whole = self.shape(name)
        return whole[0][1:] if len(whole) == 1 and whole[0].startswith("*") else None

    def _named_value(self, node: tree.Let, level: int) -> str:
        """A derived value: its formula where that is short, its name where it is a dim, else a letter."""
        if node.name in self.definition.dims:
            return node.name
        inner = self.view(self.definition.lets[node.name])
        if isinstance(inner, (tree.Binary, tree.Call, tree.Index, tree.Length)):
            text = self._text(inner, level)
            if text is not None and len(_OPEN.sub("x", text)) <= _LONGEST // 2:
                return text
        return self._lettered(node)

    def _at_place(self, dim: _Dim) -> str | None:
        """A dim of a shape that may be computed."""
        if dim.param in self.making and not self._is_counted(dim):
            return None
        if self._is_counted(dim):
            return self.at(dim)
        whole = self.shape(dim.param)
        found = _sliced(whole, dim.place, dim.place + 1 or None)
        if found is not None and len(found) == 1 and not found[0].startswith("*"):
            return found[0]
        if len(whole) == 1:
            return f"{whole[0][1:]}[{dim.place}]"
        return self.at(dim)

    def _is_counted(self, dim: _Dim) -> bool:
        """Whether a dim has a letter of its own, whatever else is known of its tensor's shape."""
        known = self.known[dim.param]
        if known.is_cut:
            return False
        return known.rank is not None or not known.wholes


_LEVELS = {"+": 1, "-": 1, "*": 2, "//": 2, "/": 2}


class _Lettering:
    """Letters for all that is open once all shapes are made."""

    def __init__(self, solver: _Solver, of: Mapping[str, tuple[tuple[str, ...], ...]]) -> None:
        self.solver = solver
        self.of = of
        definition = solver.definition
        texts = "\n".join(item for cases in of.values() for items in cases for item in items)
        self.taken = {*_WORD.findall(_OPEN.sub(" ", texts)), *(param.name for param in definition.params)}
        self.uses: dict[str, list[str]] = {}
        self.texts: list[str] = []
        for name, cases in of.items():
            self._use(name, [item for items in cases for item in items])
        self.letters: dict[str, str] = {}

    def _use(self, name: str, texts: list[str]) -> None:
        """Note what is open in a param's shape, and in the formulas of what is open there."""
        self.texts += texts
        for key in dict.fromkeys(map("".join, _OPEN.findall("\n".join(texts)))):
            is_new = key not in self.uses
            if name not in self.uses.setdefault(key, []):
                self.uses[key].append(name)
            formula = self.solver.formulas.get(f"\x00{key}\x00")
            if is_new and formula is not None:
                self._use(name, [formula])

    def shapes(self) -> Shapes:
        """The shapes with their letters, those of dims as the spec calls them first."""
        for pass_ in (self._wanted, self._summed, self._free):
            for key in self.uses:
                if key not in self.letters:
                    letter = pass_(key)
                    if letter is not None:
                        self.letters[key] = letter
                        self.taken.update({letter} - {ALONE, OPEN})
        solver = self.solver
        of = {name: tuple(_closed(tuple(map(self._written, items))) for items in cases) for name, cases in self.of.items()}
        meanings = {_OPEN.fullmatch(key): node for key, node in solver.meanings.items()}
        letters = {
            self.letters["".join(found.groups())]: Letter(node, self._written(solver.formulas.get(found[0], "")))
            for found, node in meanings.items()
            if found is not None and "".join(found.groups()) in self.letters
        }
        whole = stated_whole(solver.definition, solver.found)
        told = {equation.rule: name for equation, name in solver.used.items() if equation.rule in whole}
        written = {name for name, own in solver.own.items() if isinstance(own[0].shape, str)}
        for rule in solver.definition.rules:
            if rule.kind == "shape" and rule.param in written:
                told[rule.id] = rule.param
            match rule.check:
                case tree.Compare(ops=("==",), operands=(tree.Attr(name="rank", base=one), tree.Attr(name="rank", base=two))):
                    if rule.when is None and self._has_as_many(one, two) and isinstance(one, tree.Param):
                        told[rule.id] = one.name
        usual = solver.assumed or any(not equation.plain for equation in solver.used)
        return Shapes(of, letters, told, usual)

    def _has_as_many(self, one: tree.Node, two: tree.Node) -> bool:
        """Whether the shapes of two params show that they have as many dims."""
        names = [node.name for node in (one, two) if isinstance(node, tree.Param)]
        found = [self.of[name] for name in names if name in self.of]
        if len(found) < 2 or any(len(cases) != 1 for cases in found):
            return False
        stars = [sorted(item for item in cases[0] if item.startswith("*")) for cases in found]
        return stars[0] == stars[1] and len(found[0][0]) == len(found[1][0])

    def _written(self, item: str) -> str:
        text = _OPEN.sub(lambda found: self.letters["".join(found.groups())], item)
        return OPEN if text == f"*{OPEN}" else text

    def _wanted(self, key: str) -> str | None:
        wanted = self.solver.open[int(key[1:])]
        if wanted is None:
            return None
        plain = wanted.removeprefix("?")
        if plain not in self.taken:
            return plain
        if self._is_alone(key):
            return None
        is_out = all(self.solver.params[name].is_output for name in self.uses[key])
        longer = f"{plain}out" if is_out else f"{plain}2"
        return longer if plain != wanted and longer not in self.taken else None

    def _is_alone(self, key: str) -> bool:
        """Whether nothing but one place of one param has it, and nothing says what it is."""
        if len(self.uses[key]) > 1 or self._count(key) > 1 or int(key[1:]) in self._meant():
            return False
        return key[0] == "d" or self.solver.params[self.uses[key][0]].io != "inout"

    def _summed(self, key: str) -> str | None:
        """K, of a dim that inputs share and no output has."""
        params = [self.solver.params[name] for name in self.uses[key]]
        ins = [param for param in params if param.io == "in"]
        outs = [shape for name, shape in self.of.items() if self.solver.params[name].is_output]
        is_summed = len(ins) > 1 and len(ins) == len(params) and any(len(items) > 1 for cases in outs for items in cases)
        return "K" if key[0] == "d" and is_summed and "K" not in self.taken else None

    def _free(self, key: str) -> str:
        if self._is_alone(key):
            return ALONE if key[0] == "d" else OPEN
        if key[0] == "d":
            return next(letter for letter in (*_POOL, *(f"N{i}" for i in range(2, 99))) if letter not in self.taken)
        stars = [one for one in self.uses if one[0] == "s" and not self._is_alone(one)]
        pool = ("S",) if len(stars) == 1 else ()
        return next(letter for letter in (*pool, *_STARS, *(f"S{i}" for i in range(1, 99))) if letter not in self.taken)

    def _meant(self) -> set[int]:
        return {int(found[2]) for key in self.solver.meanings if (found := _OPEN.fullmatch(key)) is not None}

    def _count(self, key: str) -> int:
        return sum(text.count(f"\x00{key}\x00") for text in self.texts)


def _closed(items: tuple[str, ...]) -> Shape:
    """A shape; of one of which nothing is known but that it has some dims no more is said."""
    return Shape((OPEN,) if OPEN in items and set(items) <= {OPEN, ALONE} else items)


def _is_rank(node: tree.Node) -> bool:
    return isinstance(node, tree.Attr) and node.name == "rank"


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


def _has_numbers(part: tree.Slice) -> bool:
    """Whether both ends are written as numbers."""
    return all(end is None or number(end) is not None for end in (part.low, part.high))


def _sliced(items: tuple[str, ...], low: int | None, high: int | None) -> tuple[str, ...] | None:
    """Some items of a shape; None where dims in any number stand before an end that is counted."""
    star = next((i for i, item in enumerate(items) if item.startswith("*")), None)
    if star is None:
        return items[low:high]
    behind = len(items) - star - 1
    for end in (low, high):
        if end is not None and (end > star if end >= 0 else -end > behind):
            return None
    start = 0 if low is None else low if low >= 0 else len(items) + low
    stop = len(items) if high is None else high if high >= 0 else len(items) + high
    return items[start:stop]


def _branches(node: tree.Node, solver: _Solver) -> Iterator[tree.Node]:
    """The cases of a shape that an argument chooses from."""
    if isinstance(node, tree.If):
        yield from _branches(solver.view(node.then), solver)
        yield from _branches(solver.view(node.other), solver)
    elif is_choice(node) and isinstance(node, tree.Seq):
        for item in node.items:
            yield from _branches(solver.view(item), solver)
    else:
        yield node


def _texts(value: object) -> Iterator[str]:
    """The texts of a property, cases included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(getattr(item, "is_", item))


def _items_of(text: str) -> tuple[str, ...]:
    """The items of a symbolic shape as a spec writes it."""
    depth, items = 0, [""]
    for char in text.strip()[1:-1]:
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            items.append("")
        else:
            items[-1] += char
    return tuple(item.strip() for item in items if item.strip())
