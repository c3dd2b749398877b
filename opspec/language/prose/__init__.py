"""A typed tree as prose, in English and in Chinese: what a rule requires, what a condition says, how a rule is broken.

The words come from tables (``words``: statements, ``phrases``: the rest) and from the rows of the function library, so
that a rule reads the same in a message, on a page and in ``opspec show``. Statements are made in parts (``clauses``),
which are put together last; ``nouns`` says values, ``statements`` what is or must be of them: ``conditions``,
``joining``, ``comparing``, ``likeness`` of shapes and ``elements`` of lists, each for its kind of trees. ``trees``,
``shapes``, ``subjects``, ``folding``, ``opposites``, ``patterns`` and ``scopes`` answer what these ask about trees;
``terms`` holds an author's own words. ``sharing`` makes one sentence of what several rules say alike, each of its own
param.
"""

from __future__ import annotations

from collections.abc import Sequence

from opspec.language import tree
from opspec.language.prose.clauses import Simple, Text, listing
from opspec.language.prose.conditions import guarded as under_condition
from opspec.language.prose.conditions import reasons as reasons_of
from opspec.language.prose.folding import folded
from opspec.language.prose.statements import Statements
from opspec.language.prose.terms import NO_TERMS, Terms, authored, shared
from opspec.language.prose.words import PAIRS as WORDS
from opspec.later import later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.prose import opposites, sharing
    from opspec.vocabulary.literals import Lang
else:  # what the words of most findings need not
    opposites, sharing = later("opspec.language.prose.opposites"), later("opspec.language.prose.sharing")

__all__ = [
    "NO_TERMS",
    "WORDS",
    "Lang",
    "Terms",
    "authored",
    "broken",
    "condition",
    "doubts",
    "guarded",
    "lettered",
    "listing",
    "negated",
    "phrase",
    "reasons",
    "requirement",
    "shared",
    "under",
]  # fmt: skip


def requirement(node: tree.Node, lang: Lang, terms: Terms = NO_TERMS) -> str:
    """What a check requires, as a sentence without a final full stop."""
    return lettered(node, lang, terms)[0]


def lettered(node: tree.Node, lang: Lang, terms: Terms = NO_TERMS) -> tuple[str, dict[str, str]]:
    """What a check requires, and the noun phrases for which the sentence has letters that it explains."""
    writer, text = Statements(lang, 0, terms), Text(lang)
    said = text.of(writer.clause(folded(node)))
    letters = {phrase: letter for phrase, (letter, _) in writer.notes.letters.items() if letter in text.told}
    return said, letters


def condition(node: tree.Node, lang: Lang, terms: Terms = NO_TERMS) -> str:
    """What a guard says, to stand behind "if" or 当."""
    return Statements(lang, 1, terms).statement(folded(node))


def reasons(guards: Sequence[tree.Node], lang: Lang, terms: Terms = NO_TERMS) -> str:
    """Why a requirement counts in a call, to stand behind it: "applies to …, because …"; nothing without conditions."""
    return reasons_of(Statements(lang, 1, terms), list(map(folded, guards)))


def guarded(when: tree.Node | None, node: tree.Node, lang: Lang, terms: Terms = NO_TERMS) -> str:
    """What a check requires where its guard holds."""
    return sharing.Statement(when, node, lang, terms).text()


def under(when: tree.Node, text: str, lang: Lang, terms: Terms = NO_TERMS) -> str:
    """A text behind a guard: "on …, if …, text"."""
    return Text(lang).of(under_condition(Statements(lang, 0, terms), when, Simple("", "", text)))


def broken(when: tree.Node | None, node: tree.Node, lang: Lang, terms: Terms = NO_TERMS) -> str:
    """What is so in a call that breaks a rule: the opposite of what its check requires, where its guard holds."""
    return sharing.Statement(when, node, lang, terms, fails=True).text()


def doubts(when: tree.Node | None, node: tree.Node, lang: Lang, terms: Terms = NO_TERMS) -> tuple[str, ...]:
    """What of a guarded check has no words: names of derived values that have none, and code."""
    return sharing.Statement(when, node, lang, terms).doubts()


def negated(node: tree.Node) -> tree.Node | None:
    """A node that says the opposite without a ``not``, where there is a plain one."""
    return opposites.negated(node)


def phrase(node: tree.Node, lang: Lang, terms: Terms = NO_TERMS) -> str:
    """A value as a noun phrase."""
    return Statements(lang, 0, terms).noun(node)
