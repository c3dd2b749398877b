"""What a sentence of a log says that arguments were: values of attributes, dtypes, formats, shapes, dims, elements.

``When layout is TND, queryT(8) must be equal to the last element of actualSequenceLengthQ(5)`` says three things. What
a sentence says that arguments should have been is none of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from opspec.assist.explain.clues import MOST, dtype_of
from opspec.assist.explain.names import Meant, meant
from opspec.calls.examples.call import MOST_DIM, Place
from opspec.vocabulary import formats
from opspec.vocabulary.limits import MOST_DIMS

MOST_STATED = 12  #: of a sentence
_MOST_TOKENS = 400
_AHEAD = 300  # characters before a value among which the case is sought that it may belong to
_BEHIND = 60  # characters behind a value that may say what is wrong with it

_TOKEN = re.compile(
    r"(?P<index>(?i:(?<=dim)|(?<=dim )|(?<=axis)|(?<=shape)(?=\[-?\d\][ ]*(?:is|are|was|=+|:)?[ ]*[(\[]?\d)"
    r"|(?<=\w)(?=\[-?\d\][ ]*(?:is|are|was|=+)[ ]*\d))\[-?\d\])"
    r"|(?P<list>[\[(]{1,2}[ \t]*(?:-?\d{1,12}(?:\.\d{1,9})?[ \t]*,[ \t]*)*-?\d{1,12}(?:\.\d{1,9})?[ \t]*,?"
    r"[ \t]*[\])]{1,2}"
    r"|\[{1,2}\]{1,2})"
    r"|(?P<plain>dim(?:ension)?[ ](?:num(?:ber)?|size)\b|shape[ ]dims?\b)"
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_]*)|(?P<number>(?<![\w.])-?\d{1,18}(?:\.\d{1,9})?(?!\w|\.\d))"
)
#: words behind which stands what should have been, and behind which stands what was
_WANTED = re.compile(
    r"(?:should|must|expect(?:s|ed)?|exepected|supports?|lists?|in|range|need\w*|requires?|than|same|desired)$", re.I
)
_WAS = re.compile(r"(?:but|got|get|found|now|current(?:ly)?|actual(?:ly)?|instead|bug|when|if)$", re.I)
#: what stands before a value that a sentence objects to, of whatever it named before
_FOUND = re.compile(
    r"\b(?:but|got|get|found|now|current(?:ly)?|actual(?:ly)?|instead)(?:[ ]*(?:it|is|was|value|of|:|=|,))*[ ]*[\[(]?$",
    re.I,
)
_OBJECTS = re.compile(r"\b(?:but|instead|got|get|found|actual(?:ly)?|current(?:ly)?|bug)\b", re.I)
#: what stands between a name and its own value
_OWN = re.compile(
    r"""^["']?(?:'s)?[ ]*(?:tensor[ ])?(?:with[ ])?
    (?:data[ ]?type|d_?type|type|formats?|shapes?|sizes?|values?|dims?|layout)?
    [ ]*(?:is|are|was|of|has|=+|:)?[ ]*[:=]?[ ]*["'\[({<]*$""",
    re.VERBOSE | re.IGNORECASE,
)
_OWN_RANK = re.compile(
    r"^(?:'s)?[ ]*(?:rank|dim(?:ension)?s?[ _]?(?:num(?:ber)?)|ndim)[ ]*(?:is|are|was|=+|:)?[ ]*[:=(\[]*$", re.I
)
_OF_RANK = re.compile(
    r"\b(?:ranks?|shape dims?|dim(?:ension)?[ _]?num(?:ber)?|number of dim(?:ension)?s|ndim)\b|维数", re.IGNORECASE
)
_SHAPE_DIM = re.compile(r"\bshape dims?(?: is|:)? ?[\[(]?$", re.IGNORECASE)  # how many dims a shape has
_LAST = re.compile(r"\blast (?:element|value|one|item|number)(?: of)?(?: the)?\s*$", re.IGNORECASE)
_LENGTH = re.compile(r"\b(?:len(?:gth)?|number of elements|element (?:number|count)|size)(?: of)?(?: the)?\s*$", re.I)
_DIM = re.compile(
    r"\b(?:dim(?:ension)?|axis)[ _]?\[?(-?\d)\]?(?: (?:size|value))?(?: of)?(?: the)?(?: tensor)?\s*$", re.I
)
_OWN_DIM = re.compile(
    r"^(?:'s)?[ ]*(?:(?:dim(?:ension)?|axis|shape)[ _]?\[?|\[)(-?\d)\]?[ ]*(?:is|are|was|=+|:)?[ ]*[:=(\[]*$", re.I
)
_WHERE = re.compile(r"\b(?:in|at|of|on|along)(?: the)? $", re.I)  # ``but got 5 in dimension 0``
_REFUSED = re.compile(r"\b(?:not (?:be )?support(?:ed)?|unsupported|not allowed|不支持)[^,.;]{0,40}$", re.IGNORECASE)
_QUOTIENT = re.compile(r"\w\s+[/*%+]\s*$")
_OF_ANOTHER = re.compile(r"[\])]? (?:in|of) \w+(?:'s)? shape\b")  # ``numHeads(3) in value shape``
_NULL = re.compile(r"\bnull(?:ptr)?\b|\bNone\b|空指针", re.IGNORECASE)
_NOT_NULL = re.compile(r"(?:not|non)[ -]?(?:be )?null|不能为空", re.IGNORECASE)
_RANKS = ("rank", "dimnum", "dimension", "dimensions", "dims", "ndim")
_LAYOUT = re.compile(r"[A-Z]{2,6}(?:_[A-Z]{2,6})?")


@dataclass(frozen=True, slots=True)
class Stated:
    """Something that a sentence says of an argument.

    Attributes:
        value: what was there.
        objected: whether the sentence says so where it says what is wrong.
        context: whether it says so of the case that it is about: ``when layout is TND``.
        instead: what should have been there, where the sentence says that, too.
    """

    place: Place
    value: Any
    objected: bool = False
    instead: Any = None
    context: bool = False

    @property
    def better(self) -> Stated:
        """What should have been so, or else what was."""
        return self if self.instead is None else Stated(self.place, self.instead)

    @property
    def path(self) -> str:
        """Where in a call that is: ``x.dtype``, ``x.shape[0]``, ``lengths[-1]``."""
        place = self.place
        base = place.param if place.item is None else f"{place.param}[{place.item}]"
        behind = {"dim": f".shape[{place.index}]", "element": f"[{place.index}]", "value": "", "present": ""}
        return base + behind.get(place.facet, f".{place.facet}")

    @property
    def shown(self) -> Any:
        """The value as JSON has it."""
        if self.place.facet == "present":
            return None
        return list(self.value) if isinstance(self.value, tuple) else self.value


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # name, dtype, format, list, number, word
    value: Any
    start: int
    end: int


def stated(text: str, kinds: Mapping[str, str], texts: Mapping[str, frozenset[str]]) -> tuple[Stated, ...]:
    """What a sentence says of arguments, each place once.

    Args:
        kinds: param -> its kind.
        texts: param -> the texts that its rules compare it with, for params that are strings.
    """
    found: dict[Place, Stated] = {}
    for item in _Reader(text[:MOST], kinds, texts).read():
        if len(found) < MOST_STATED:
            found.setdefault(item.place, item)
    return tuple(found.values())


_CASE = re.compile(r"\b(?:when|if|in case|while|under|(?<!support )for)\b[^,.;]*$", re.IGNORECASE)
#: the same over several clauses: ``when the dtype of x is INT8, the format of y is ND, z should be …``
_LONG_CASE = re.compile(r"\b(?:when|if|in case)\b(?:(?!should|must|but|got)[^.;])*\b(?:is|are)\W*$", re.IGNORECASE)
#: what a sentence says behind a value that it objects to
_BUT = re.compile(
    r"^[ \])}]*[,.;]? ?(?:but|which) (?:currently |now |it )?(?:only )?(?:supports?|should|must|expect)", re.I
)
_SHAPE = re.compile(r"\[{1,2}[ ]*((?:\d{1,12}[ ]*,[ ]*)+\d{1,12})[ ]*,?[ ]*\]{1,2}")


def _truth(param: str, word: str) -> Stated | None:
    return Stated(Place(param, "value"), word.lower() == "true") if word.lower() in ("true", "false") else None


def wants(text: str) -> bool:
    """Whether a sentence says what should have been, or that something is not supported."""
    return any(map(_WANTED.match, re.findall(r"[A-Za-z]+", text[:MOST])))


def tells_of_null(text: str) -> bool:
    """Whether a sentence tells of a null pointer."""
    return _NULL.search(text[:MOST]) is not None


def unnamed_shapes(text: str) -> tuple[tuple[int, ...], ...]:
    """The lists of several dims in a sentence, for one that names no param."""
    found = (tuple(map(int, match[1].split(","))) for match in _SHAPE.finditer(text[:MOST]))
    return tuple(shape for shape in found if _is_shape(shape))[:MOST_STATED]


class _Reader:
    """Reads one sentence, a token at a time."""

    def __init__(self, text: str, kinds: Mapping[str, str], texts: Mapping[str, frozenset[str]]) -> None:
        self.text, self.kinds, self.texts = text, kinds, texts
        self.tokens = [*self._tokens()]
        self.layout = next(
            (word for word in _LAYOUT.findall(text) if any(word in known for known in texts.values())), ""
        )

    def _tokens(self) -> Iterator[_Token]:
        for number, match in enumerate(_TOKEN.finditer(self.text)):
            if number == _MOST_TOKENS:
                return
            kind, word = str(match.lastgroup), match[0]
            value: Any = word
            if kind == "index":  # it says which dim is meant, not what there is
                continue
            if kind == "plain":
                kind = "word"
            elif kind == "word":
                kind, value = self._word(word)
            elif kind == "number":
                value = float(word) if "." in word else int(word)
            else:
                value = tuple(
                    float(part) if "." in part else int(part) for part in re.findall(r"-?\d+(?:\.\d+)?", word)
                )
            yield _Token(kind, value, match.start(), match.end())

    def _word(self, word: str) -> tuple[str, Any]:
        dtype = dtype_of(word)
        if dtype is not None:
            return "dtype", dtype
        if word in formats.names():
            return "format", word
        if _WANTED.match(word) or _WAS.match(word):
            return "word", word
        name = meant(word, self.kinds)
        return ("word", word) if name is None else ("name", name)

    def read(self) -> Iterator[Stated]:
        """What is said: first of values that stand beside a name, then of those that a sentence objects to."""
        names: list[str] = []
        before: _Token | None = None
        sought = False  # whether it is said what that param should have been
        loose: dict[str, list[_Token]] = {"dtype": [], "list": []}
        sighted: dict[str, list[_Token]] = {"dtype": [], "list": []}
        numbers: list[int | float] = []  # that the sentence objects to
        refused: list[Stated] = []  # texts that the sentence says are not supported
        places: set[str] = set()  # params by which the sentence only says where something is
        wanted = False
        for token in self.tokens:
            own = None
            if token.kind == "word":
                wanted = not _WAS.match(token.value) and (wanted or bool(_WANTED.match(token.value)))
            if token.kind == "name":
                before, sought = token, wanted
                names += [token.value.param] if token.value.param not in names else []
                continue
            if before is not None and self._is_index(before, token):
                item = replace(before.value, item=token.value[0])
                before = replace(before, value=item, end=token.end)
                continue
            if before is not None:
                own = self._own(before, token)
                if (
                    token.kind == "number"
                    and token.start - before.end < 2
                    and _WHERE.search(self.text, 0, before.start)
                ):
                    places.add(before.value.param)
                if own is not None and sought and _OBJECTS.search(self.text, token.end):
                    own, before = None, None
                    continue
            if own is not None:
                behind = _BUT.match(self.text[token.end : token.end + _BEHIND]) is not None
                yield replace(own, objected=self._objected(token) or behind, context=self._is_case(token))
                before = None
            elif token.kind == "dtype" or (token.kind == "list" and self.text[token.start] == "["):
                (sighted if wanted else loose)[token.kind].append(token)
            elif token.kind == "word" and _REFUSED.search(self.text, 0, token.start):
                refused += [item for item in (self._text(name, token.value) for name in names) if item is not None]
            elif token.kind == "number" and (
                _FOUND.search(self.text, 0, token.start) or _SHAPE_DIM.search(self.text, 0, token.start)
            ):
                numbers.append(token.value)
        yield from (replace(item, objected=True) for item in refused if len(refused) == 1)
        yield from self._of_loose(names, loose, sighted)
        yield from self._of_numbers([name for name in names if name not in places], numbers)
        null = _NULL.search(self.text)
        named_later = null is not None and bool(re.search(r"\bbut\b", self._before_first_name(null.end())))
        if len(names) == 1 and null and not named_later and not _NOT_NULL.search(self.text) and not loose["dtype"]:
            yield Stated(Place(names[0], "present"), False)

    def _before_first_name(self, start: int) -> str:
        """What stands between a place and the first param that the sentence names, where that comes later."""
        first = next((token.start for token in self.tokens if token.kind == "name"), 0)
        return self.text[start:first]

    def _is_index(self, name: _Token, token: _Token) -> bool:
        """Whether a list behind a name names an element of a list of tensors or scalars: ``x[1]``."""
        listed = self.kinds[name.value.param].endswith("_list") and self.text[name.end : token.start] == ""
        single = token.kind == "list" and len(token.value) == 1 and self.text[token.start : token.start + 2] != "[["
        return listed and single and self.text[token.start] == "[" and isinstance(token.value[0], int)

    def _is_case(self, token: _Token) -> bool:
        ahead = self.text[max(0, token.start - _AHEAD) : token.start]
        return _CASE.search(ahead) is not None or _LONG_CASE.search(ahead) is not None

    def _objected(self, token: _Token) -> bool:
        return _OBJECTS.search(self.text, 0, token.start) is not None

    def _of_loose(
        self, names: list[str], loose: Mapping[str, list[_Token]], sought: Mapping[str, list[_Token]]
    ) -> Iterator[Stated]:
        """Values without a name: one is that of the first name, and as many as there are names are theirs in order.

        Of one that was there the sentence may say what should have been, too: then that is one value, no list of them.
        """
        for kind, tokens in loose.items():
            fitting = [name for name in names if self.kinds[name].startswith(("tensor", "scalar"))]
            if not fitting or len(tokens) not in (1, len(fitting)):
                continue
            better = sought[kind][0] if len(tokens) == len(sought[kind]) == 1 else None
            for name, token in zip(fitting, tokens, strict=False):
                for item in self._place(Meant(name), "dtype" if kind == "dtype" else "shape", token.value):
                    also = None if better is None or better.start > token.start else better.value
                    yield replace(item, objected=self._objected(token), instead=also)

    def _of_numbers(self, names: Iterable[str], numbers: Sequence[int | float]) -> Iterator[Stated]:
        """What the one attribute is that a sentence names, or how many dims its one tensor has, if it is of these."""
        fitting = [name for name in names if self.kinds[name] in ("int", "float", "float32")]
        tensors = [name for name in names if self.kinds[name].startswith("tensor")]
        if len(numbers) != 1 or len(fitting) > 1:
            return
        found = [self._number(Meant(name), numbers[0], "") for name in fitting]
        if not fitting and len(tensors) == 1 and _OF_RANK.search(self.text):
            found = [*self._place(Meant(tensors[0]), "rank", numbers[0])]
        yield from (replace(item, objected=True) for item in found if item is not None)

    def _own(self, name: _Token, token: _Token) -> Stated | None:
        """What is said of a param whose name stands just before a value."""
        between, ahead = self.text[name.end : token.start], self.text[: name.start]
        if _QUOTIENT.search(ahead[-_BEHIND:]) or _OF_ANOTHER.match(self.text, token.end):
            return None  # what is said is no value of this param, or not of it alone
        said: Meant = name.value
        value = token.value
        bare = value[0] if token.kind == "list" and len(value) == 1 else value
        own_dim = _OWN_DIM.match(between)
        if own_dim and token.kind in ("number", "list") and isinstance(bare, int):
            return next(self._place(said, "dim", bare, int(own_dim[1])), None)
        if _OWN_RANK.match(between) and token.kind in ("number", "list") and isinstance(bare, int):
            return next(self._place(said, "rank", bare), None)
        if not _OWN.match(between):
            return None
        kind = self.kinds[said.param]
        if token.kind in ("dtype", "format"):
            if token.kind == "format" and kind == "string":
                return self._text(said.param, value)
            return next(self._place(said, token.kind, value), None)
        if token.kind == "word" and kind == "bool":
            return _truth(said.param, str(value))
        if token.kind == "word":
            return self._text(said.param, str(value))
        single = token.kind == "number" or self.text[token.start] == "(" or kind in ("int", "float", "float32", "bool")
        if isinstance(bare, (int, float)) and single:
            return self._number(said, bare, ahead)
        return next(self._place(said, "shape" if kind.startswith("tensor") else "value", value), None)

    def _text(self, param: str, value: str) -> Stated | None:
        known = value in self.texts.get(param, ()) and self.kinds[param] == "string"
        return Stated(Place(param, "value"), value) if known else None

    def _number(self, said: Meant, value: int | float, ahead: str) -> Stated | None:
        """A number beside a name: a value, an element, a length, a dim that a layout has a letter for."""
        param, kind = said.param, self.kinds[said.param]
        dim = _DIM.search(ahead)
        if kind.endswith("_array") and isinstance(value, (int, float)):
            facet = "element" if _LAST.search(ahead) else "length" if _LENGTH.search(ahead) else None
            return None if facet is None else Stated(Place(param, facet, index=-1 if facet == "element" else 0), value)
        if kind.startswith("tensor"):
            if not isinstance(value, int):
                return None
            if dim is not None:
                return next(self._place(said, "dim", value, int(dim[1])), None)
            if said.rest in _RANKS:
                return next(self._place(said, "rank", value), None)
            if len(said.rest) == 1 and said.rest.upper() in self.layout.partition("_")[0]:
                return next(self._place(said, "dim", value, self.layout.index(said.rest.upper())), None)
            return None
        if said.rest or kind not in ("int", "float", "float32", "bool"):
            return None
        if kind == "bool":
            return Stated(Place(param, "value"), bool(value)) if value in (0, 1) else None
        if kind == "int":
            return Stated(Place(param, "value"), value) if isinstance(value, int) else None
        return Stated(Place(param, "value"), float(value))

    def _place(self, said: Meant, facet: str, value: Any, index: int = 0) -> Iterator[Stated]:
        """What is said of a param, where a param of its kind can have that."""
        param, kind = said.param, self.kinds[said.param]
        item = said.item if kind.endswith("_list") else None
        if kind.startswith("tensor"):
            if facet == "shape" and not _is_shape(value):
                return
            if facet in ("dim", "rank") and not (isinstance(value, int) and 0 <= value <= MOST_DIM):
                return
            yield Stated(Place(param, facet, item, index), value)
        elif kind.startswith("scalar") and facet == "dtype":
            yield Stated(Place(param, facet, item), value)
        elif kind == "dtype" and facet == "dtype":
            yield Stated(Place(param, "value"), value)
        elif kind.endswith("_array") and facet == "value":
            number = int if kind == "int_array" else float
            if kind != "bool_array" and (number is float or all(isinstance(one, int) for one in value)):
                yield Stated(Place(param, "value"), tuple(map(number, value)))


def _is_shape(value: Any) -> bool:
    items: Iterable[Any] = value if isinstance(value, tuple) else (None,)
    return len(value) <= MOST_DIMS and all(isinstance(dim, int) and 0 <= dim <= MOST_DIM for dim in items)
