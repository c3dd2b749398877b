"""Derived values that a page calls by a letter or by their names, which it explains once.

By its letter one that several rules speak of; by their names those that shapes show so, and those whose words are long
and would be read again and again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from opspec.docs.alike import alike
from opspec.docs.shapes import opening
from opspec.language import tree
from opspec.language.prose.terms import Terms, shared
from opspec.language.types import INT
from opspec.model.definition import Definition

MOST_WORDS = 6  # of a phrase that is said wherever it is meant
_WORD = 3  # letters of a word
MOST_TIMES = 2  # that a longer one is said, or one that has a letter


def short_terms(definition: Definition) -> Terms:
    """What sentences of a page call derived values: long words that several rules would repeat are left to the list of
    derived values, which has their formulas.
    """
    return alike(definition).once(_short_terms)


def _short_terms(definition: Definition) -> Terms:
    terms = definition.terms
    if not terms.words:
        return terms
    times = definition.once(_times)
    shown = _shown(definition)
    long = {
        name
        for name, (english, _) in terms.words.items()
        if definition.lets[name].type == INT
        and terms.lettered(name, "en") is None
        and (name in shown or (len(english.split()) > MOST_WORDS and times[name] > MOST_TIMES and _is_sign(name)))
    }
    letters = {name: letter for name, letter in legend(definition).items() if name not in long}
    return _renamed(terms, {**{name: name for name in long}, **letters})


def legend(definition: Definition) -> Mapping[str, str]:
    """Derived value -> the letter by which its page calls it: no other thing there has it."""
    return alike(definition).once(_legend)


def _legend(definition: Definition) -> Mapping[str, str]:
    letters = letters_of(definition.terms)
    if not letters:
        return {}
    times = definition.once(_times)
    having = Counter(letters.values())
    found = opening(definition)
    dims = {item for own in found.of.values() for shape in own for item in shape.items}
    return {
        name: letter
        for name, letter in letters.items()
        if times[name] > (0 if letter in dims else MOST_TIMES) and having[letter] == 1 and letter not in found.free
    }


def _times(definition: Definition) -> Counter[str]:
    """How often rules name each derived value."""
    trees = (node for rule in definition.rules for node in (rule.check, rule.when) if node is not None)
    return Counter(part.name for node in trees for part in tree.walk(node) if isinstance(part, tree.Let))


def lettered(terms: Terms) -> Terms:
    """The terms with letters alone where they have some, as shapes do."""
    return _renamed(terms, letters_of(terms))


def letters_of(terms: Terms) -> dict[str, str]:
    """Derived value -> the letter in its words."""
    return {name: found[0] for name in terms.words if (found := terms.lettered(name, "en")) is not None}


def _renamed(terms: Terms, names: Mapping[str, str]) -> Terms:
    words = {name: (names[name],) * 2 if name in names else own for name, own in terms.words.items()}
    return shared(words, terms.trees, terms.dims, terms.products) if names else terms


def _is_sign(name: str) -> bool:
    """Whether a name is seen to be one in a sentence, as no word alone is."""
    return len(name) < _WORD or not (name.isalpha() and name.islower())


def _shown(definition: Definition) -> frozenset[str]:
    """The words in the shapes that a page opens with, and in the formulas of what stands there."""
    found = opening(definition)
    texts = [item for own in found.of.values() for shape in own for item in shape.items]
    texts += [letter.formula for letter in found.letters.values()]
    return frozenset(word for text in texts for word in re.findall(r"[A-Za-z_]\w+", text))
