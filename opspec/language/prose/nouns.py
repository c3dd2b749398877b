"""Values as noun phrases: attributes, dims and parts of shapes, arithmetic, derived values by their words."""

from __future__ import annotations

from opspec.language import text as source
from opspec.language import tree
from opspec.language.functions import FUNCTIONS, said
from opspec.language.prose import lists, places, shapes, trees
from opspec.language.prose.bound import Bound, Notes
from opspec.language.prose.clauses import listing
from opspec.language.prose.phrases import CHINESE, COUNTED, COUNTED_ZH, ORDINALS, PHRASES
from opspec.language.prose.terms import Terms
from opspec.language.types import BOOL, INT, INTS, PRODUCT, STR
from opspec.vocabulary import products

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from opspec.vocabulary.literals import Lang

_EVERY_AXIS = "\0axes"  # what stands for all axes where none is named
_INLINE = 10  # nodes of a derived value without words that is said by what it stands for
_DEEPEST = 4  # derived values that are said inside of one another
_LEVEL = {"|": 5, "^": 6, "&": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "//": 10, "%": 10}


class Nouns:
    """Writes noun phrases.

    Args:
        bound: a comprehension's variable, or a param that a sentence says in other words -> what stands for it.
        depth: how many derived values it is inside of.
        notes: what it shares with the other writers of a sentence.
    """

    def __init__(
        self,
        lang: Lang,
        terms: Terms,
        bound: dict[str, Bound] | None = None,
        depth: int = 0,
        notes: Notes | None = None,
    ) -> None:
        self.lang = lang
        self.terms = terms
        self.phrases = PHRASES[lang]
        self.bound = bound or {}
        self.depth = depth
        self.notes = Notes(set(), {}) if notes is None else notes

    def stating(self, node: tree.Node) -> str:
        """A condition inside of a noun; whoever writes statements knows."""
        raise NotImplementedError

    def noun(self, node: tree.Node) -> str:
        """A value."""
        match node:
            case tree.Attr():
                return self._attribute(node)
            case tree.Product():
                return self.phrases["the product"]
            case tree.Const():
                return self._constant(node)
            case tree.Let():
                return self._let(node)
            case tree.Param() | tree.Var():
                bound = self.bound.get(node.name)
                return node.name if bound is None else bound.text
            case tree.If():
                return self._choice(node)
            case tree.Length():
                return lists.counted(self, node) or self._of(_measure(node.operand), node.operand)
            case tree.Call():
                return lists.counted(self, node) or self._call(node)
            case tree.Index():
                return self._index(node)
            case tree.Slice():
                return places.part(self, node)
            case tree.Seq():
                return self._sequence(node)
            case tree.Binary():
                return self._arithmetic(node)
            case tree.Unary(op="-"):
                return f"-{self._operand(node.operand, 11)}"
            case tree.IsNone():
                return self.phrases["presence"].format(a=self.noun(node.operand))
            case tree.Each(quantifier="list"):
                return lists.mapped(self, node)
            case tree.Undefined():
                return self.phrases["undefined"]
        if node.type == BOOL:
            return self.phrases["whether"].format(a=self.stating(node))
        return self.code(node)

    def code(self, node: tree.Node) -> str:
        """What has no words, as it is written."""
        text = source.write(node)
        self.notes.doubts.add(text)
        return text

    def _doubt_name(self, node: tree.Let) -> None:
        if node.name not in self.terms.dims:
            self.notes.doubts.add(node.name)

    def listing(self, items: list[str], last: Literal["and", "or"]) -> str:
        """``a, b and c``."""
        return listing(items, self.lang, last)

    def counted(self, number: int) -> str:
        """A number of dims, in words."""
        return (COUNTED if self.lang == "en" else COUNTED_ZH).get(number, str(number))

    def some(self, key: str, number: int, **slots: str) -> str:
        """A phrase with a number, which one thing needs not."""
        one, bar, many = self.phrases[key].partition("|")
        return (many if bar and number != 1 else one).format(n=self.counted(number), **slots)

    def several(self, key: str, **slots: str) -> str:
        """A phrase with a number that is computed."""
        return self.phrases[key].rpartition("|")[2].format(**slots)

    def is_several(self, node: tree.Node) -> bool:
        """Whether the English phrase of a value is for several things."""
        match node:
            case tree.Attr():
                shared = f"several {node.name}" in self.phrases and self.is_several(node.base)
                return shared or node.name in ("values", "strides")
            case tree.Let() if self.terms.phrase(node.name, "en") is not None:
                return self.terms.is_several(node.name)
            case tree.Let():
                stands_for = self.stands_for(node)
                return stands_for is not None and self.is_several(stands_for)
            case tree.Param() | tree.Var():
                bound = self.bound.get(node.name)
                return bound is not None and bound.several
            case tree.Slice():
                return self._leaves_several(node)
        return False

    def _leaves_several(self, node: tree.Slice) -> bool:
        part = shapes.extent(node)
        if part is not None:
            return part[0].startswith("but") or part[1] > 1
        low, high = trees.number(node.low), trees.number(node.high)
        if low is not None and high is not None:
            return high > low + 1 >= 1
        return trees.is_attribute(node.base, "shape") and (node.low is None) != (node.high is None)

    def base(self, node: tree.Node) -> str:
        """The thing whose attribute is compared."""
        return self.noun(node.base) if isinstance(node, tree.Attr) else self.noun(node)

    def what(self, node: tree.Node) -> str:
        """The name of an attribute: data type."""
        name = node.name if isinstance(node, tree.Attr) else "length"
        return self.phrases.get(name, name)

    def attributes(self, nodes: tuple[tree.Node, ...]) -> str:
        """One attribute of several things: the data types of x and y."""
        things = self.listing(list(map(self.base, nodes)), "and")
        return self.phrases["attributes"].format(name=self.what(nodes[0]), a=things)

    def _choice(self, node: tree.If) -> str:
        """``a if c else (b if d else e)``: a if c, b if d, and e otherwise."""
        cases: list[str] = []
        rest: tree.Node = node
        while isinstance(rest, tree.If):
            case = self.phrases["case"].format(a=self.noun(rest.then), c=self.stating(rest.condition))
            cases.append(case)
            rest = rest.other
        cases.append(self.phrases["other case"].format(a=self.noun(rest)))
        return self.listing(cases, "and" if self.lang == "en" else "or")

    # --- names

    def _constant(self, node: tree.Const) -> str:
        if node.type == PRODUCT:
            return products.in_text([str(node.value)], self.lang)[0]
        if node.type == STR:
            text = str(node.value)
            if not text:
                return self.phrases["no text"]
            return text if text.isidentifier() else f'"{text}"'
        if isinstance(node.value, bool):
            return "true" if node.value else "false"
        return "null" if node.value is None else source.write(node)

    def _let(self, node: tree.Let) -> str:
        """By its words; a dim by its name; another by what it stands for, where that is short."""
        clause = self.terms.clause(node.name, self.lang)
        if clause is not None:
            return self.phrases["whether"].format(a=clause)
        words = self.terms.phrase(node.name, self.lang)
        if words is not None:
            return words
        stands_for = self.stands_for(node)
        if stands_for is None:
            self._doubt_name(node)
            return node.name
        self.depth += 1
        try:
            return self.noun(stands_for)
        finally:
            self.depth -= 1

    def stands_for(self, node: tree.Let) -> tree.Node | None:
        """The tree of a derived value without words, where a sentence may have it in place of its name."""
        found = self.terms.trees.get(node.name)
        if found is None or node.name in self.terms.dims or node.name in self.terms.words or self.depth >= _DEEPEST:
            return None
        if trees.count(found, _INLINE) > _INLINE:
            return None
        plain = not any(isinstance(part, (tree.Each, tree.If)) or trees.columns(part) for part in tree.walk(found))
        return found if plain else None

    # --- attributes and parts

    def _attribute(self, node: tree.Attr) -> str:
        return self._of(node.name, node.base)

    def _of(self, name: str, base: tree.Node) -> str:
        listed = name == "shape" or isinstance(base, (tree.Param, tree.Var))
        called = self.phrases.get(f"several {name}") if listed and self.is_several(base) else None
        return self.phrases["attribute"].format(name=called or self.phrases.get(name, name), a=self.noun(base))

    def _index(self, node: tree.Index) -> str:
        base, place = node.base, trees.number(node.index)
        if isinstance(base, tree.Let) and isinstance(self.stands_for(base), tree.Attr):
            base = self.stands_for(base) or base
        inner = self.terms.trees.get(base.name) if isinstance(base, tree.Let) else None
        if isinstance(inner, tree.Slice) and inner.low is None and place is not None and place >= 0:
            base = inner.base  # of the first dims of a shape one that is counted from the start
        if trees.is_attribute(base, "shape"):
            return self._dim(base.base, node.index)
        shaped = self.terms.shaped(base.name, self.lang) if isinstance(base, tree.Let) and place is not None else None
        if shaped is not None:
            return self._dim_of(shaped, node.index)
        if trees.is_attribute(base, "values"):
            key = {0: "first value", -1: "last value"}.get(0 if place == 0 else -1 if place == -1 else 1, "nth value")
            return self.phrases[key].format(a=self.noun(base.base), n=self.noun(node.index))
        if isinstance(base, tree.Call) and base.args and trees.is_attribute(base.args[0], "shape"):
            arranged = self.noun(tree.Call(base.function, (base.args[0].base, *base.args[1:]), base.type))
            return self._dim_of(arranged, node.index)
        if place == -1 and isinstance(base, tree.Param):
            return self.phrases["last value"].format(a=self.noun(base))
        if place is not None and place < 0 and isinstance(base, tree.Param):
            return self.phrases["value from end"].format(a=self.noun(base), n=self._ordinal(-place))
        name = self._operand(base, 12)
        if isinstance(base, tree.Let) and name != base.name and place is not None and place >= 0:
            return self.phrases["nth"].format(a=name, n=self._ordinal(place + 1))
        return self.element(name, self.noun(node.index))

    def element(self, name: str, place: str) -> str:
        """An element of a list: ``x[i]``, or of one that has words in words."""
        plain = name.isascii() and " " not in name
        return f"{name}[{place}]" if plain else self.phrases["element"].format(a=name, n=place)

    def stand_ins(self, node: tree.Node) -> tuple[str, ...]:
        """The params that a sentence names in place of one."""
        bound = self.bound.get(node.name) if isinstance(node, tree.Param) else None
        return () if bound is None else bound.params

    def element_of(self, node: tree.Node, place: str) -> str:
        """An element of a list, or of each of several that are named in its place: ``x[i] and y[i]``."""
        names = self.stand_ins(node)
        if not names:
            return self.element(self.noun(node), place)
        assert isinstance(node, tree.Param)
        return listing([self.element(name, place) for name in names], self.lang, self.bound[node.name].last)

    def _dim(self, base: tree.Node, index: tree.Node) -> str:
        return self._dim_of(self.noun(base), index)

    def _dim_of(self, name: str, index: tree.Node) -> str:
        place = trees.number(index)
        if place == -1:
            return self.phrases["last dim"].format(a=name)
        if place is not None and place < 0:
            return self.phrases["dim from end"].format(a=name, n=self._ordinal(-place))
        if place is not None:
            return self.phrases["dim"].format(a=name, n=place)
        axis = self.along(index)
        if axis is not None:
            return self.phrases["axis dim"].format(a=name, n=axis)
        listed = self._listing_axes(index)
        if listed is not None:
            every = self.phrases[f"listed {listed.key}"]
            return self.phrases["listed dim"].format(every=every, a=name, n=self.noun(listed.of or index))
        back = shapes.from_end(index)
        if back is not None:
            return self.phrases["back dim"].format(a=name, n=self.noun(back))
        text = self.phrases["var dim"].format(a=name, n=self.noun(index))
        if isinstance(index, tree.Binary):
            self.notes.doubts.add(text)
        return text

    def _ordinal(self, number: int) -> str:
        return (ORDINALS if self.lang == "en" else CHINESE).get(number, str(number))

    def _listing_axes(self, index: tree.Node) -> Bound | None:
        """A variable over the elements of a param that lists axes."""
        index = shapes.unrounded(index)
        bound = self.bound.get(index.name) if isinstance(index, tree.Var) else None
        plain = bound is not None and isinstance(bound.of, (tree.Param, tree.Let)) and bound.key in ("every", "some")
        return bound if plain and bound is not None and " " not in self.noun(bound.of or index) else None

    def axis(self, index: tree.Node | None) -> str | None:
        """The param that names an axis; None of a number that is computed."""
        while isinstance(index, tree.Let) and self.terms.phrase(index.name, self.lang) is None:
            index = self.terms.trees.get(index.name)
        index = None if index is None else shapes.axis_named(index)
        return self.noun(index) if isinstance(index, (tree.Param, tree.Let)) else None

    def along(self, index: tree.Node | None) -> str | None:
        """An axis by its param; the words of a derived value say that they name one."""
        axis = self.axis(index)
        plain = axis is not None and axis.isascii()
        return self.phrases["axis named"].format(a=axis) if plain else axis

    def _sequence(self, node: tree.Seq) -> str:
        if not any(node.starred):
            return f"[{', '.join(map(self.noun, node.items))}]"
        return self._pieces(shapes.pieces(node))

    def _piece(self, item: tree.Node, starred: bool) -> str:
        if starred and isinstance(item, tree.Each) and trees.number(item.element) == 1:
            length = _length_of(item.source)
            if length is not None:
                return self.phrases["ones"].format(n=self.noun(length))
        return self.noun(item)

    def with_bound(self, bound: dict[str, Bound]) -> Nouns:
        """The same writer with other variables."""
        raise NotImplementedError

    def predicate(self, node: tree.Node, variable: str) -> str | None:
        """What a condition says of its variable, to stand behind "that"; whoever writes statements knows."""
        raise NotImplementedError

    def each(self, node: tree.Node, key: str) -> str:
        """``every element of x``."""
        return lists.each(self, node, key)

    def elements(self, node: tree.Node) -> str:
        """All elements of a list; a tensor's values are theirs."""
        return lists.elements(self, node)

    # --- arithmetic

    def _arithmetic(self, node: tree.Binary) -> str:
        if _is_element_size(node):
            assert isinstance(node.left, tree.Call)
            return self.phrases["bytes"].format(a=self.base(node.left.args[0]))
        sized = _counted_in_bytes(node)
        if sized is not None:
            return self._arithmetic(sized)
        if _is_dim_in_bytes(node):
            return self.phrases["in bytes"].format(a=self.noun(node.left))
        whole = _size(node)
        if whole is not None:
            return self.phrases[whole[0]].format(a=self.base(whole[1]))
        if node.op == "%":
            return self.phrases["remainder"].format(a=self.noun(node.left), b=self.noun(node.right))
        up = shapes.rounded_up(node)
        if up is not None:
            return self._call(up)
        level = _LEVEL[node.op]
        left, right = self._operand(node.left, level), self._operand(node.right, level + 1)
        if node.op == "//":
            return f"floor({left} / {right})"
        if node.type.name == "list":
            return self._joined(node)
        spelled = _SPELLED.get(node.op)
        if spelled is not None and any(_is_phrase(text, self.lang) for text in (left, right)):
            return self.phrases[spelled].format(a=left, b=right)
        if node.op == "*":
            return f"{left} × {right}" if self.lang == "en" else f"{left}×{right}"
        return f"{left} {node.op} {right}"

    def _joined(self, node: tree.Binary) -> str:
        return self._pieces(shapes.pieces(node), node.type == INTS)

    def _pieces(self, found: list[tuple[tree.Node, bool]], is_shape: bool = True) -> str:
        """Lists and items that make up one: "the dimensions of x but the last, followed by [n, m]"."""
        texts: list[str] = []
        dims: list[str] = []
        for item, is_list in (*found, (None, True)):
            if is_list and dims:
                texts.append(dims[0] if len(dims) == 1 and len(found) > 1 else f"[{', '.join(dims)}]")
                dims = []
            if item is not None:
                (texts if is_list else dims).append(self._piece(item, is_list))
        if len(texts) == 1 or not is_shape:
            return self.listing(texts, "and")
        return self.phrases["followed"].format(a=texts[0], b=self.listing(texts[1:], "and"))

    def _operand(self, node: tree.Node, level: int) -> str:
        of_scalar = isinstance(node, tree.Attr) and node.name == "value"  # a formula has a scalar by its name
        text = self.base(node) if of_scalar else self.noun(node)
        inner = self.stands_for(node) if isinstance(node, tree.Let) else node
        loose = isinstance(inner, tree.If) or (isinstance(inner, tree.Binary) and _LEVEL[inner.op] < level)
        loose = loose and not (isinstance(inner, tree.Binary) and _is_element_size(inner))
        return f"({text})" if loose and not text.startswith(("floor(", "[")) else text

    # --- the library

    def _call(self, node: tree.Call) -> str:
        if node.function == "axis":
            return self.axis(node) or self.noun(node.args[0])
        row = FUNCTIONS[node.function]
        if node.function == "reduced" and isinstance(node.args[1], tree.Seq) and not node.args[1].items:
            every = tree.Var(_EVERY_AXIS, node.args[1].type)  # none named: all
            bound = {**self.bound, _EVERY_AXIS: Bound(self.phrases["every axis"])}
            return self.with_bound(bound).noun(tree.Call("reduced", (node.args[0], every, *node.args[2:]), node.type))
        if node.function == "prod" and not isinstance(node.args[0], tree.Param):
            if trees.is_attribute(node.args[0], "shape"):
                return self.noun(tree.Attr(node.args[0].base, "numel", node.type))
            text = self.noun(node.args[0])
            if text.startswith("the shape ") or (self.lang == "zh" and "shape" in text):
                return self.phrases["numel of"].format(a=text)
        return self.filled(said(row.en if self.lang == "en" else row.zh, 0), node.args, node.function)

    def filled(self, form: str, args: tuple[tree.Node, ...], function: str = "") -> str:
        """Words of the library with their arguments; ``b0`` is what the first is an attribute of."""
        every = _flat(args, function) if "{*" in form else args
        elements = {f"e{i}": self.elements(arg) for i, arg in enumerate(args) if f"{{e{i}}}" in form}
        slots = elements | {f"b{i}": self.base(arg) for i, arg in enumerate(args) if f"{{b{i}}}" in form}
        if "{c" in form:
            slots |= {f"c{i}": self.stating(arg) for i, arg in enumerate(args) if f"{{c{i}}}" in form}
        if "{*b}" in form:
            slots["bases"] = self.listing(list(dict.fromkeys(map(self.base, every))), "and")
        elif "{*}" in form:
            slots["all"] = self._listed(every)
        level = _LEVEL["/"] if " / " in form else 0
        nouns = [
            self._operand(_alone(arg), level + (level and i)) if f"{{{i}}}" in form else ""
            for i, arg in enumerate(args)
        ]
        if len(every) == 2:
            form = _OF_TWO.get(form, form)
        return form.replace("{*}", "{all}").replace("{*b}", "{bases}").format(*nouns, **slots)

    def _listed(self, args: tuple[tree.Node, ...]) -> str:
        nouns = list(map(self.noun, args))
        if self.lang == "zh" and len(args) > 1 and same_attribute(args):
            nouns = [*map(self.base, args[:-1]), nouns[-1]]
        return self.listing(nouns, "and")


def same_attribute(args: tuple[tree.Node, ...]) -> bool:
    """Whether all are one attribute of several things."""
    names = {arg.name if isinstance(arg, tree.Attr) else None for arg in args}
    return len(names) == 1 and None not in names


def _alone(node: tree.Node) -> tree.Node:
    """The axis of ``(dim,)``, which is not told as a list."""
    only = isinstance(node, tree.Seq) and len(node.items) == 1 and not node.starred[0]
    return node.items[0] if only and isinstance(node.items[0], tree.Param) else node  # type: ignore[union-attr]


def _flat(args: tuple[tree.Node, ...], function: str) -> tuple[tree.Node, ...]:
    """The arguments of a function, and of the same one, or what it asks about, inside of it: in words their order is
    all there is."""
    same = function, FUNCTIONS[function].defines
    found: list[tree.Node] = []
    for arg in args:
        inner = arg if isinstance(arg, tree.Call) and arg.function in same else None
        found += [arg] if inner is None else _flat(inner.args, inner.function)
    return tuple(found)


_OF_TWO = {"the least of {*}": "the smaller of {*}", "the greatest of {*}": "the larger of {*}",
           "{*}中的最小值": "{*}中的较小值", "{*}中的最大值": "{*}中的较大值"}  # fmt: skip
_SPELLED = {"+": "plus", "-": "minus", "*": "times"}


def _is_phrase(text: str, lang: Lang) -> bool:
    """Whether an operator beside a text would be lost in words."""
    return " of " in text if lang == "en" else "的" in text


def _measure(node: tree.Node) -> str:
    """What the length of a list is called; that of a shape is a rank."""
    return "rank" if isinstance(node, tree.Attr) and node.name.endswith("shape") else "length"


def _length_of(node: tree.Node) -> tree.Node | None:
    """How many elements a list has, as far as its form tells."""
    if isinstance(node, tree.Range):
        return node.high if node.low is None else None
    if isinstance(node, tree.Slice) and trees.is_attribute(node.base, "shape"):
        if node.high is None and trees.number(node.low) is not None:
            rank = tree.Attr(node.base.base, "rank", INT)
            return tree.Binary("-", rank, node.low, INT) if node.low is not None else None
        return node.high if node.low is None else None
    return None


def _is_width(node: tree.Node) -> bool:
    return isinstance(node, tree.Call) and node.function == "bits"


def _is_element_size(node: tree.Binary) -> bool:
    return node.op == "//" and trees.number(node.right) == 8 and _is_width(node.left)


def _is_dim_in_bytes(node: tree.Binary) -> bool:
    """Whether this is a dim of a tensor times the size of the tensor's elements."""
    if node.op != "*" or not isinstance(node.right, tree.Binary) or not _is_element_size(node.right):
        return False
    assert isinstance(node.right.left, tree.Call)
    dim, (dtype,) = node.left, node.right.left.args
    owner = dim.base if isinstance(dim, tree.Index) and trees.is_attribute(dim.base, "shape") else None
    return owner is not None and isinstance(dtype, tree.Attr) and dtype.base == owner.base


def _size(node: tree.Binary) -> tuple[str, tree.Node] | None:
    """The tensor of which this is all elements times the size of one, and the phrase for it."""
    if node.op != "*" or not isinstance(node.left, tree.Attr) or node.left.name != "numel":
        return None
    one, key = node.right, "size in bits"
    if isinstance(one, tree.Binary) and _is_element_size(one):
        one, key = one.left, "size in bytes"
    match one:
        case tree.Call(function="bits", args=(tree.Attr(name="dtype", base=base),)) if base == node.left.base:
            return key, base
    return None


def in_bytes(a: tree.Node, limit: tree.Node) -> tuple[tree.Node, tree.Node] | None:
    """``n * bits(x.dtype) >= 256`` as ``n * (bits(x.dtype) // 8) >= 32``, as one says it."""
    number = trees.number(limit)
    if not isinstance(number, int) or number % 8 or number == 0:
        return None
    if not isinstance(a, tree.Binary) or a.op != "*" or not _is_width(a.right):
        return None
    size = tree.Binary("//", a.right, tree.Const(8, INT), INT)
    return tree.Binary("*", a.left, size, INT), tree.Const(number // 8, INT)


def _counted_in_bytes(node: tree.Binary) -> tree.Binary | None:
    """``n * bits(x.dtype) // 8`` as ``n * (bits(x.dtype) // 8)``, as one says it; an element may have half a byte."""
    if node.op != "//" or trees.number(node.right) != 8:
        return None
    bits = node.left
    if not isinstance(bits, tree.Binary) or bits.op != "*" or not _is_width(bits.right):
        return None
    return tree.Binary("*", bits.left, tree.Binary("//", bits.right, node.right, INT), INT)
