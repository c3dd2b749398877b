"""What sentences of an operator call its derived values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from opspec.language import tree
from opspec.language.record import record
from opspec.language.types import INTS
from opspec.later import later, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec.language import build
    from opspec.vocabulary import products
    from opspec.vocabulary.literals import Lang
else:  # what the words of a finding need not
    build = later("opspec.language.build")
    products = later("opspec.vocabulary.products")

#: what an author's English words for a condition begin with that are a clause: "that `x` is quantised"
CLAUSE = "that "

#: an author's words with the letter by which pages call what they name: "the last dimension N of `x`"
_LETTERED = {
    "en": pattern(
        r"(the .+?)(?<! along)(?<! of)(?<! in)(?<! per)(?<! for)(?<! by)(?<! and) "
        r"([A-Z][A-Za-z0-9]{0,3}|n)((?: (?:of |\().+)?)"
    ),
    "zh": pattern(r"(.*[\u4e00-\u9fff])([A-Z][A-Za-z0-9]{0,2}|n)((?:（.+）)?)"),
}
#: an author's words for several things
_SEVERAL = pattern(
    r"(the )?dimensions |all (dimensions|elements)|the (first|last) \S+ dimensions"
    r"|the ((?!of )[a-z0-9-]+ ){0,5}(shapes|data types)\b"
    r"|the ((?!of |number )[a-z/-]+ ){0,2}"
    r"(values|strides|elements|sizes|lengths|axes|counts|heads|types|formats|ranks|tensors) (of|that|along)\b"
)


@record(frozen=True, slots=True)
class Terms:
    """What sentences of an operator call its derived values.

    Args:
        words: derived value -> its noun phrases in English and in Chinese, names of params in backticks; a condition
            may have clauses, the English one behind "that".
        trees: derived value -> what it stands for.
        dims: those that are dims of symbolic shapes: their names are what readers know them by.
        products: those that the operator runs on; none where that is not known.
        among: those of them that a sentence may be about, where it is to name those that an "otherwise" is about.
    """

    words: Mapping[str, tuple[str, str]]
    trees: Mapping[str, tree.Node]
    dims: frozenset[str] = frozenset()
    products: frozenset[str] = frozenset()
    letters: frozenset[str] = frozenset()
    among: frozenset[str] = frozenset()

    def read_by(self, *nodes: tree.Node | None) -> Terms:
        """Those of them that the words of some trees hang on: releases that differ in others say the same of these."""
        return _read_by(self, nodes)

    def naming(self, when: tree.Node | None) -> Terms:
        """The same for sentences that name the products which an "otherwise" is about, of those a condition leaves."""
        ons = [tree.on_products(part) for part in (build.conjuncts(when) if when is not None else ())]
        among = frozenset(one for one in self.products if all(on is None or _may_hold(on, one) for on in ons))
        if not among:
            return self
        return _shared(_Named(self.words), _Named(self.trees), self.dims, self.products, self.letters, among)

    def _found_by(self, nodes: tuple[tree.Node | None, ...]) -> Terms:
        names: dict[str, None] = {}
        of_product, of_shapes, waiting = False, False, [node for node in nodes if node is not None]
        while waiting:
            named, asks_product, has_shapes = _named(waiting.pop())
            of_product, of_shapes = of_product or asks_product, of_shapes or has_shapes
            fresh = [name for name in named if name not in names]
            names.update(dict.fromkeys(fresh))
            waiting += [self.trees[name] for name in fresh if name in self.trees]
        on = self.products if of_product else _NONE
        letters = self.letters if of_shapes else _NONE
        if not (names or on or letters):
            return NO_TERMS
        words = {name: self.words[name] for name in names if name in self.words}
        trees = {name: self.trees[name] for name in names if name in self.trees}
        return _shared(_Named(words), _Named(trees), self.dims.intersection(names), on, letters)

    def phrase(self, name: str, lang: Lang) -> str | None:
        """The author's words for a derived value."""
        said = self.words.get(name)
        return authored(said, lang) if said is not None and said[lang == "zh"] else None

    def clause(self, name: str, lang: Lang) -> str | None:
        """The author's words for a condition where these are a clause, without "that"."""
        said = self.words.get(name)
        if said is None or not said[0].startswith(CLAUSE) or not said[1]:
            return None
        return authored((said[0].removeprefix(CLAUSE), said[1]), lang)

    def lettered(self, name: str, lang: Lang) -> tuple[str, str] | None:
        """The letter in an author's words, and the words without it."""
        words = self.phrase(name, lang)
        found = None if words is None else _LETTERED[lang].fullmatch(words)
        return None if found is None else (found[2], found[1] + found[3])

    def shaped(self, name: str, lang: Lang) -> str | None:
        """The thing whose shape an author's words are."""
        words = self.phrase(name, lang)
        if words is None:
            return None
        if lang == "en":
            return words.removeprefix("the shape of ") if words.startswith("the shape of ") else None
        return words.removesuffix("shape").removesuffix("的") if words.endswith("shape") else None

    def is_several(self, name: str) -> bool:
        """Whether an author's English words are for several things."""
        words = self.phrase(name, "en")
        return words is not None and _SEVERAL.match(words) is not None


@lru_cache(maxsize=8192)
def _read_by(terms: Terms, nodes: tuple[tree.Node | None, ...]) -> Terms:
    return terms._found_by(nodes)


def _may_hold(on: tree.OnProducts, product: str) -> bool:
    """Whether a condition may hold on a product, be it that it is one of its members that it names."""
    own = {product, products.owner(product)}
    if not on.inside:
        return own.isdisjoint(on.ids)
    return not own.isdisjoint(on.ids) or product in map(products.owner, on.ids)


@lru_cache(maxsize=8192)
def _named(node: tree.Node) -> tuple[tuple[str, ...], bool, bool]:
    """The derived values that a tree names, whether it asks for the product, and whether it has shapes."""
    parts = [*tree.walk(node)]
    names = dict.fromkeys(part.name for part in parts if isinstance(part, tree.Let))
    of_product = any(isinstance(part, tree.Product) for part in parts)
    return tuple(names), of_product, any(part.type == INTS for part in parts)


_NONE: frozenset[str] = frozenset()


class _Named(dict[str, "Any"]):
    """A mapping that nobody changes, and that can be a part of a key."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


NO_TERMS = Terms(_Named(), _Named())


def shared(
    words: Mapping[str, tuple[str, str]],
    trees: Mapping[str, tree.Node],
    dims: frozenset[str] = frozenset(),
    products: frozenset[str] = frozenset(),
) -> Terms:
    """The terms of an operator, the same object for releases that have the same: what is made of statements with them
    is kept."""
    called = (*trees, *(english for english, _ in words.values()))
    return _shared(_Named(words), _Named(trees), dims, products, frozenset(name for name in called if len(name) == 1))


@lru_cache(maxsize=8192)
def _shared(
    words: _Named,
    trees: _Named,
    dims: frozenset[str],
    products: frozenset[str],
    letters: frozenset[str],
    among: frozenset[str] = _NONE,
) -> Terms:
    return Terms(words, trees, dims, products, letters, among)


def authored(texts: tuple[str, str], lang: Lang) -> str:
    """An author's own words: the backticks tell names from words, and are not shown."""
    return texts[lang == "zh"].replace("`", "")
