"""What sentences of an operator call its derived values."""

from __future__ import annotations

from collections.abc import Mapping

from opspec.language.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language import tree
    from opspec.vocabulary.literals import Lang


@record(frozen=True, slots=True)
class Terms:
    """What sentences of an operator call its derived values.

    Args:
        words: derived value -> its noun phrases in English and in Chinese, names of params in backticks.
        trees: derived value -> what it stands for.
        dims: those that are dims of symbolic shapes: their names are what readers know them by.
        products: those that the operator runs on; none where that is not known.
    """

    words: Mapping[str, tuple[str, str]]
    trees: Mapping[str, tree.Node]
    dims: frozenset[str] = frozenset()
    products: frozenset[str] = frozenset()

    def phrase(self, name: str, lang: Lang) -> str | None:
        """The author's words for a derived value."""
        said = self.words.get(name)
        return authored(said, lang) if said is not None and said[lang == "zh"] else None


NO_TERMS = Terms({}, {})


def authored(texts: tuple[str, str], lang: Lang) -> str:
    """An author's own words: the backticks tell names from words, and are not shown."""
    return texts[lang == "zh"].replace("`", "")
