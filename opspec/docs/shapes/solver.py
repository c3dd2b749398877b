"""Shapes of params put together from what is known of them; places for letters that are chosen in the end stay open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping

from opspec.docs.shapes.equations import Equation, is_choice, shaped
from opspec.docs.shapes.relations import Dim, Known, Relations, Told
from opspec.docs.shapes.result import OPEN_PLACE
from opspec.language import build, tree
from opspec.language.facts import expanded
from opspec.language.prose.shapes import axis_named, pieces
from opspec.language.prose.trees import number
from opspec.language.text import write
from opspec.language.types import INTS, TENSOR
from opspec.model.definition import Definition

_LONGEST = 30  # a formula that stands in a shape; a longer one has a letter
_LONGEST_FORMULA = 120
_USUAL_RANK = 2  # dims that a tensor has in the usual case, though it may have fewer
_MOST_CASES = 3  # shapes that a param has in turn
_LEVELS = {"+": 1, "-": 1, "*": 2, "//": 2, "/": 2}

Items = tuple[str, ...]


class Solver(Relations):
    """The shapes of an operator's params, with open places.

    Attributes:
        open: for each open place the letter that is wanted there.
        meanings: what open places stand for that are no dims to be seen; ``formulas``, how that is computed.
    """

    def __init__(
        self,
        definition: Definition,
        axes: Mapping[str, Items] | None = None,
        ranks: Mapping[str, int] | None = None,
        bare: Container[str] | None = None,
    ) -> None:
        super().__init__(definition, axes, ranks, bare)
        self.made: dict[str, Items] = {}
        self.making: set[str] = set()
        self.open: list[str | None] = []
        self.open_of: dict[object, str] = {}
        self.meanings: dict[str, tree.Node] = {}
        self.formulas: dict[str, str] = {}
        self._computed_dims = {self.root(dim) for dim in self.dims}

    def solved(self) -> dict[str, tuple[Items, ...]]:
        """The shapes of each param, of which it has one."""
        return self._filled({name: self._cases(name) for name in self.params})

    def _filled(self, found: dict[str, tuple[Items, ...]]) -> dict[str, tuple[Items, ...]]:
        """Shapes with the dims that nothing but params behind them says something of, now that these are known."""
        count = Counter(place for cases in found.values() for items in cases for place in items)
        lone = [(dim, place) for dim, place in self.open_of.items() if isinstance(dim, Dim) and count[place] == 1]
        for dim, place in lone:
            text = self._as_stated(dim) if self._is_nameless(place) else None
            if text is not None and place not in text:
                self.open_of[dim] = text
                own = found[dim.param]
                found[dim.param] = tuple(tuple(text if item == place else item for item in items) for items in own)
        return found

    def _is_nameless(self, place: str) -> bool:
        """Whether a dim is open, and no letter is wanted for it."""
        opened = OPEN_PLACE.fullmatch(place)
        return opened is not None and self.open[int(opened[2])] is None

    def _as_stated(self, dim: Dim) -> str | None:
        """What a dim is computed from, in letters that are shown anyway."""
        letters = len(self.meanings)
        for equation, node in self.dims.get(dim, ()):
            text = None if dim.param in self._read(node) else self.value(node)
            if text is not None and "[" not in text and len(self.meanings) == letters:
                self.tell(equation, (dim,), Told(dim.param, (text,)))
                return text
        return None

    def _cases(self, name: str) -> tuple[Items, ...]:
        """The shapes of a param in turn: those of its spec, or of cases that no one can decide beforehand."""
        texts = [text for text in _texts(self.own[name][0].shape) if text.startswith("(")]
        if texts:
            return tuple(_items_of(text) for text in texts)
        known = self.known[name]
        for equation, node in known.wholes or known.later:
            branches = list(_branches(self.view(node), self))
            if 1 < len(branches) <= _MOST_CASES:
                letters = len(self.meanings)
                found = [self.items(branch) for branch in branches]
                if None not in found and (known.wholes or len(self.meanings) == letters):  # no others than are shown
                    self.tell(equation, (), *(Told(name, items) for items in found if items is not None))
                    return tuple(dict.fromkeys(items for items in found if items is not None))
        for _, node in self.known[name].wholes:
            other = shaped(self.view(node))
            if other in self.known and len(cases := self._cases(other)) > 1:
                return cases
        return self._in_turn(name) or (self.shape(name),)

    def _in_turn(self, name: str) -> tuple[Items, ...]:
        """The shapes of a param in the cases that rules tell apart, where they say nothing of it otherwise."""
        known = self.known[name]
        if known.wholes or not _are_cases([equation.case for equation, _ in known.cases]):
            return ()
        every = [branch for _, node in known.cases for branch in _branches(self.view(node), self)]
        found = [self.items(branch) for branch in every] if len(every) <= 2 * _MOST_CASES else [None]
        shown = tuple(dict.fromkeys(items for items in found if items is not None))
        return shown if None not in found and len(shown) <= _MOST_CASES else ()

    def shape(self, name: str) -> Items:
        """The items of a param's shape."""
        if name not in self.made:
            self.making.add(name)
            self.made[name] = self._made(name)
            self.making.discard(name)
        return self.made[name]

    def _made(self, name: str) -> Items:
        known = self.known[name]
        if known.rank is not None and not known.is_cut:
            return tuple(self.at(Dim(name, i)) for i in range(known.rank))
        found = self._as_stated_whole(name, known.wholes)
        if found is not None:
            return found
        if known.is_cut:
            return self._pieced(known) or (self.opened("s", name),)
        return self._of_parts(name, known)

    def _pieced(self, known: Known) -> Items | None:
        """A shape of which rules say what it is up to a place that arguments give, there, and behind it."""
        place: str | None = None  # where the last piece ended
        made: list[str] = []
        for _ in known.pieces:
            found = next((one for one in known.pieces if _start(one[0]) == place), None)
            if found is None:
                return None
            piece, node = found
            items = self._one(node) if isinstance(piece, tree.Index) else self.items(node)
            if items is None:
                return None
            made += items
            end = piece.index if isinstance(piece, tree.Index) else piece.high
            if end is None:
                return tuple(made)
            place = f"{_place(end)} + 1" if isinstance(piece, tree.Index) else _place(end)
        return None

    def _of_parts(self, name: str, known: Known) -> Items:
        """A shape by what is said of its first or last dims."""
        for equation, part, node in known.slices:
            low, high = number(part.low), number(part.high)
            found = self.items(node) if (low is None) != (high is None) else None
            if found is None:
                continue
            if low is None and high is not None and high < 0:
                self.tell(equation, (), Told(name, found))
                return (*found, *(self.at(Dim(name, i)) for i in range(high, 0)))
            if high is None and low is not None and low > 0:
                self.tell(equation, (), Told(name, found))
                return (*(self.at(Dim(name, i)) for i in range(low)), *found)
        self._fit(known)
        front = tuple(self.at(Dim(name, i)) for i in range(known.front))
        back = tuple(self.at(Dim(name, i)) for i in range(-known.back, 0))
        if not (front or back):  # nothing is said of it but by shapes of params behind it
            found = self._as_stated_whole(name, known.later)
            if found is not None:
                return found
        return (*front, self.opened("s", name), *back)

    def _as_stated_whole(self, name: str, stated: Iterable[tuple[Equation, tree.Node]]) -> Items | None:
        """A shape by the first statement that gives it as a whole, whatever the case; None where none does."""
        for equation, node in stated:
            seen = self.view(node)
            found = None if is_choice(seen) or isinstance(seen, tree.If) else self.items(node)
            if found is not None:
                self.tell(equation, (), Told(name, found))
                return found
        return None

    def _fit(self, known: Known) -> None:
        """No more dims one by one than there are in every call."""
        least = known.front + known.back if known.least is None else max(known.least, _USUAL_RANK)
        if known.front + known.back > least:
            known.front = 0
            known.back = known.back if known.back <= least else 0

    def at(self, dim: Dim) -> str:
        """A dim: what it is computed from, or its letter."""
        root = self.root(dim)
        if root in self.open_of:
            return self.open_of[root]
        self.open_of[root] = self.opened("d", root, self.names.get(root))
        if not self._is_shown(root):
            shape = build.attribute(tree.Param(root.param, TENSOR), "shape")
            self.meanings[self.open_of[root]] = build.index(shape, root.place)
        members = [root, *(other for other in self.same if self.root(other) == root)]
        found: str | None = None
        stated = [(member, *one) for member in members for one in self.dims.get(member, ())]
        for member, equation, node in stated:
            text = self._computed(member, node)
            if text is not None and found in (None, text):
                second = self.dim(node)
                self.tell(equation, (member,) if second is None else (member, second), Told(member.param, (text,)))
                self.open_of[root] = found = text
        return self.open_of[root]

    def _is_shown(self, dim: Dim) -> bool:
        """Whether the dim has a place of its own in its param's shape."""
        known = self.known[dim.param]
        if known.rank is not None or known.wholes or known.is_cut:
            return True
        self._fit(known)
        return dim.place < known.front if dim.place >= 0 else -dim.place <= known.back

    def _computed(self, dim: Dim, node: tree.Node) -> str | None:
        """What a dim is computed from, where that is known before it."""
        if any(self._is_later(name, dim) for name in self._read(node)):
            return None
        return self.value(node)

    def _is_later(self, name: str, dim: Dim) -> bool:
        """Whether the shape of a param may be computed from a dim, or is put together behind it."""
        known = self.known[name]
        if known.order < self.known[dim.param].order:
            return False
        dims = [Dim(name, place) for place in range(known.rank or 0)]
        return (
            name == dim.param or known.is_cut or not dims or any(self.root(one) in self._computed_dims for one in dims)
        )

    def opened(self, kind: str, key: object, letter: str | None = None) -> str:
        """A place for a letter that is chosen in the end; the same for the same thing."""
        if (kind, key) not in self.open_of:
            self.open_of[kind, key] = f"{'*' if kind == 's' else ''}\x00{kind}{len(self.open)}\x00"
            self.open.append(letter)
        return self.open_of[kind, key]

    def items(self, node: tree.Node) -> Items | None:
        """The items of a shape that is computed; None where a tensor's shape hangs on itself."""
        called, node = node, self.view(node)
        if isinstance(node, (tree.Seq, tree.Binary)):
            found: list[str] = []
            for piece, is_list in pieces(node):
                if is_list and piece is node:
                    return self._named(called)
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
        return self._named(called)

    def _one(self, node: tree.Node) -> Items | None:
        text = self.value(node)
        return None if text is None else (text,)

    def _named(self, node: tree.Node) -> Items | None:
        """A letter for a shape that takes many words, unless the spec has some for it."""
        if any(shaped(part) in self.making for part in expanded(node, self.definition.lets)):
            return None
        text = self.opened("s", node)
        self.meanings[text.lstrip("*")] = node
        match self.view(node):
            case tree.Each(quantifier="list", element=tree.Const(value=value), source=source):
                size = self.value(source.high) if isinstance(source, tree.Range) and source.low is None else None
                self.formulas[text.lstrip("*")] = f"[{value}, …]" if size is None else f"[{value}] * {size}"
        return (text,)

    def _cut(self, node: tree.Slice) -> Items | None:
        """Some dims of a tensor's shape."""
        name = shaped(node.base)
        if name not in self.known and not isinstance(node.base, tree.Param):
            return self._named(node)
        if name in self.making:
            return None
        whole = (f"*{node.base.name}",) if isinstance(node.base, tree.Param) else self.shape(name or "")
        low, high = number(node.low), number(node.high)
        if (low is None) == (node.low is None) and (high is None) == (node.high is None):
            found = sliced(whole, low, high)
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
        match node:
            case tree.Binary(op="-", left=tree.Attr(name="rank"), right=right):
                inner = self._text(right, 2)
                return None if inner is None else f"-{inner}"
        return self.value(axis_named(node))

    def _called(self, node: tree.Call) -> Items | None:
        """A shape that a function makes of others."""
        texts: list[str] = []
        for i, arg in enumerate(node.args):
            found = (
                self.items(arg) if arg.type == INTS and (i == 0 or node.function == "broadcast") else self._given(arg)
            )
            if found is None:
                return None
            texts.append(found[0][1:] if len(found) == 1 and found[0].startswith("*") else f"[{', '.join(found)}]")
        texts = list(dict.fromkeys(texts)) if node.function == "broadcast" else texts
        return (f"*{texts[0]}",) if len(texts) == 1 else (f"*{node.function}({', '.join(texts)})",)

    def _given(self, node: tree.Node) -> Items | None:
        """An argument that says how a shape is changed."""
        node = self.view(node)
        if isinstance(node, tree.Each) and isinstance(axis_named(node.element), tree.Var) and node.condition is None:
            node = node.source  # axes, each counted from its own end
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
        if text is None or len(OPEN_PLACE.sub("x", text)) <= _LONGEST:
            return text
        return self._lettered(node)

    def _lettered(self, node: tree.Node) -> str:
        name = node.name if isinstance(node, tree.Let) else None
        lettered = None if name is None else self.definition.terms.lettered(name, "en")
        text = self.opened("d", node, name if lettered is None else lettered[0])
        if text not in self.meanings:
            self.meanings[text] = node
            formula = self._formula(self.definition.lets[name] if name is not None else node)
            if formula is not None and text not in formula:
                self.formulas[text] = formula
        return text

    def _formula(self, node: tree.Node) -> str | None:
        """A computed dim with its cases, written with letters of dims; None of what takes other letters or is long."""
        node = self.view(node)
        known = len(self.meanings)
        if isinstance(node, tree.If):
            sides = self.view(node.then), self.view(node.other)
            if any(isinstance(part, (tree.If, tree.Let)) for part in (*sides, *tree.walk(node.condition))):
                return None
            then, other = (self._text(side, 0) for side in sides)
            text = f"{then} if {write(node.condition)} else {other}" if then != other else str(then)
        elif isinstance(node, (tree.Binary, tree.Call, tree.Const, tree.Param, tree.Length, tree.Index)):
            text = self._text(node, 0) or "None"
        else:
            return None
        is_plain = len(self.meanings) <= known + 1 and len(text) <= _LONGEST_FORMULA
        return text if is_plain and "None" not in text and not OPEN_PLACE.fullmatch(text) else None

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
            case tree.If(then=then, other=other) if (text := self._text(then, level)) == self._text(other, level):
                return text
            case tree.Binary(op=op, left=left, right=right) if op in _LEVELS:
                own = _LEVELS[op]
                sides = self._text(left, own), self._text(right, own + 1)
                if None in sides or sides[1] == "0":
                    return sides[0] if op in "+-" and sides[1] == "0" else None
                if sides[1] == "1" and own > 1:
                    return sides[0]
                if sides[0] == sides[1] and op == "//":
                    return "1"
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
            case tree.Index(base=tree.Param(name=name), index=index) if (place := self._text(index, 0)) is not None:
                return f"{name}[{place}]"
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
            known = len(self.meanings)
            text = self._text(inner, level)
            is_short = text is not None and len(OPEN_PLACE.sub("x", text)) <= _LONGEST // 2
            if text is not None and is_short and len(self.meanings) == known:
                return text
        return self._lettered(node)

    def _at_place(self, dim: Dim) -> str | None:
        """A dim of a shape that may be computed."""
        if dim.param in self.making and not self._is_counted(dim):
            return None
        if self._is_counted(dim) and (self._is_shown(dim) or dim.param in self.making):
            return self.at(dim)
        whole = self.shape(dim.param)
        found = sliced(whole, dim.place, dim.place + 1 or None)
        if found is not None and len(found) == 1 and not found[0].startswith("*"):
            return found[0]
        if len(whole) == 1:
            return f"{whole[0][1:]}[{dim.place}]"
        return self.at(dim)

    def _is_counted(self, dim: Dim) -> bool:
        """Whether a dim has a letter of its own, whatever else is known of its tensor's shape."""
        known = self.known[dim.param]
        if known.is_cut:
            return False
        return known.rank is not None or not known.wholes


def _are_cases(conditions: list[tree.Node | None]) -> bool:
    """Whether conditions tell cases apart: several, those of a product, or that of an output which is asked for."""
    return len(conditions) > 1 or any(
        isinstance(one, tree.Param | tree.Index) or (one is not None and tree.on_products(one) is not None)
        for one in conditions
    )


def _start(piece: tree.Slice | tree.Index) -> str | None:
    """Where a piece of a shape begins; None at its first dim."""
    start = piece.index if isinstance(piece, tree.Index) else piece.low
    return None if start is None else _place(start)


def _place(node: tree.Node) -> str:
    """A place of a shape in words that are the same wherever an axis was counted from."""
    if isinstance(node, tree.Binary):
        return f"{_place(node.left)} {node.op} {write(node.right)}"
    return write(axis_named(node))


def sliced(items: Items, low: int | None, high: int | None) -> Items | None:
    """Some items of a shape; None where dims in any number stand before an end that is counted."""
    stars = [i for i, item in enumerate(items) if item.startswith("*")]
    if not stars:
        return items[low:high]
    before, behind = stars[0], len(items) - stars[-1] - 1
    for end in (low, high):
        if end is not None and (end > before if end >= 0 else -end > behind):
            return None
    start = 0 if low is None else low if low >= 0 else len(items) + low
    stop = len(items) if high is None else high if high >= 0 else len(items) + high
    return items[start:stop]


def _branches(node: tree.Node, solver: Solver) -> Iterator[tree.Node]:
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


def _items_of(text: str) -> Items:
    """The items of a symbolic shape as a spec writes it."""
    depth, items = 0, [""]
    for char in text.strip()[1:-1]:
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            items.append("")
        else:
            items[-1] += char
    return tuple(item.strip() for item in items if item.strip())
