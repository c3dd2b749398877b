"""Derived values that a page calls by their names: those that its shapes show so, and those whose words are long and
would be read again and again.
"""

from __future__ import annotations

import re
from collections import Counter

from opspec.docs.shapes import shapes
from opspec.language import tree
from opspec.language.prose.terms import Terms, shared
from opspec.language.types import INT
from opspec.model.definition import Definition

MOST_WORDS = 6  # of a phrase that is said wherever it is meant
_WORD = 3  # letters of a word
MOST_TIMES = 2  # that a longer one is said


def short_terms(definition: Definition) -> Terms:
    """What sentences of a page call derived values: long words that several rules would repeat are left to the list of
    derived values, which has their formulas.
    """
    return definition.once(_short_terms)


def _short_terms(definition: Definition) -> Terms:
    terms = definition.terms
    trees = [node for rule in definition.rules for node in (rule.check, rule.when) if node is not None]
    times = Counter(part.name for node in trees for part in tree.walk(node) if isinstance(part, tree.Let))
    shown = _shown(definition)
    long = {
        name
        for name, (english, _) in terms.words.items()
        if definition.lets[name].type == INT
        and terms.lettered(name, "en") is None
        and (name in shown or (len(english.split()) > MOST_WORDS and times[name] > MOST_TIMES and _is_sign(name)))
    }
    words = {name: (name, name) if name in long else own for name, own in terms.words.items()}
    return shared(words, terms.trees, terms.dims, terms.products) if long else terms


def _is_sign(name: str) -> bool:
    """Whether a name is seen to be one in a sentence, as no word alone is."""
    return len(name) < _WORD or not (name.isalpha() and name.islower())


def _shown(definition: Definition) -> frozenset[str]:
    """The words in the shapes that a page opens with, and in the formulas of what stands there."""
    found = shapes(definition)
    texts = [item for own in found.of.values() for shape in own for item in shape.items]
    texts += [letter.formula for letter in found.letters.values()]
    return frozenset(word for text in texts for word in re.findall(r"[A-Za-z_]\w+", text))
