"""What every part of the writer of statements needs: forms with their subject, conditions, other variables."""

from __future__ import annotations

from opspec.language import tree
from opspec.language.prose.bound import Bound, Notes
from opspec.language.prose.clauses import Simple, Text
from opspec.language.prose.nouns import Nouns
from opspec.language.prose.words import PAIRS, SEVERAL
from opspec.language.record import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.prose.clauses import Clause
    from opspec.language.prose.terms import Terms
    from opspec.vocabulary.literals import Lang


class Writer(Nouns):
    """Writes statements.

    Args:
        mood: 0 requires, 1 states.
        fails: whether it states how a call breaks a rule, in a sentence of its own.
        letters: whether shapes may have letters that the sentence explains behind them.
    """

    def __init__(
        self,
        lang: Lang,
        mood: int,
        terms: Terms,
        bound: dict[str, Bound] | None = None,
        depth: int = 0,
        notes: Notes | None = None,
        fails: bool = False,
        letters: bool | None = None,
    ) -> None:
        super().__init__(lang, terms, bound, depth, notes)
        self.mood = mood
        self.fails = fails
        self.letters = (mood == 0 or fails) if letters is None else letters
        self.pairs = PAIRS[lang]

    def clause(self, node: tree.Node) -> Clause:
        """A boolean in parts."""
        raise NotImplementedError

    def negation(self, node: tree.Node) -> Clause:
        """What a boolean denies, in parts."""
        raise NotImplementedError

    def condition(self, node: tree.Node, letters: bool = False) -> Clause:
        """A boolean as a condition; ``letters``: one with a place of its own in the sentence."""
        raise NotImplementedError

    def with_bound(self, bound: dict[str, Bound]) -> Writer:
        """The same writer with other variables."""
        raise NotImplementedError

    def aside(self) -> Writer:
        """The same writer, of whose doubts and letters the sentence knows nothing."""
        raise NotImplementedError

    def statement(self, node: tree.Node) -> str:
        """A boolean as a clause of a sentence."""
        return Text(self.lang).of(self.clause(node))

    def stating(self, node: tree.Node) -> str:
        """A boolean as a condition."""
        return Text(self.lang).of(self.condition(node))

    def about(self, key: str, thing: tree.Node, **slots: str) -> Simple:
        """A form whose subject is a thing."""
        return self.form(key, self.is_several(thing), a=self.noun(thing), **slots)

    def form(self, key: str, several: bool = False, **slots: str) -> Simple:
        """A clause in the writer's mood; ``several``: of several things."""
        return self.filled_in(self.pairs[key][self.mood], several, **slots)

    def filled_in(self, form: str, several: bool, **slots: str) -> Simple:
        """The clause that a form with bars makes."""
        parts = form.split("|")
        if len(parts) == 1:
            return Simple("", "", form.format(**slots))
        subject, *link, verb, complement = parts
        if several and self.lang == "en":
            verb = SEVERAL.get(verb, verb)
        return Simple(subject.format(**slots), verb, complement.format(**slots), "".join(link), several)

    def pronoun(self, clause: Simple) -> Simple:
        """What is said of something that was named before."""
        named: Simple = replace(clause, subject=self.phrases["they" if clause.several else "it"])
        return named

    def is_named(self, name: str) -> bool:
        """Whether a text is a name, and no phrase."""
        return name.isascii() and " " not in name
