"""Statements in parts: what a rule requires, and what a condition says."""

from __future__ import annotations

from opspec.language import tree
from opspec.language.functions import FUNCTIONS, said
from opspec.language.prose import comparing, conditions, patterns, shapes, trees
from opspec.language.prose.bound import Bound, Notes
from opspec.language.prose.clauses import Guarded, Joined, Simple, Text
from opspec.language.prose.nouns import same_attribute
from opspec.language.prose.words import MUST
from opspec.language.prose.writer import Writer
from opspec.later import later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.prose import elements, joining, meaning, opposites
    from opspec.language.prose.clauses import Clause
else:  # what the words of most findings need not
    elements = later("opspec.language.prose.elements")
    joining = later("opspec.language.prose.joining")
    meaning = later("opspec.language.prose.meaning")
    opposites = later("opspec.language.prose.opposites")

_DEEPEST = 4  # conditions with names that are said inside of one another


class Statements(Writer):
    """Writes statements."""

    def condition(self, node: tree.Node, letters: bool = False) -> Clause:
        return Statements(
            self.lang, 1, self.terms, self.bound, self.depth, self.notes, letters=letters and self.letters
        ).clause(node)

    def with_bound(self, bound: dict[str, Bound]) -> Statements:
        return Statements(
            self.lang, self.mood, self.terms, bound, self.depth, self.notes, self.fails, self.letters
        )  # fmt: skip

    def predicate(self, node: tree.Node, variable: str) -> str | None:
        bound = {**self.bound, variable: Bound("", several=True)}
        said_of = self.with_bound(bound).condition(node)
        plain = isinstance(said_of, Simple) and not said_of.subject
        return Text(self.lang).of(said_of) if plain else None

    def aside(self) -> Statements:
        return Statements(self.lang, self.mood, self.terms, self.bound, self.depth, Notes(set(), {}))

    def clause(self, node: tree.Node) -> Clause:
        """A boolean in parts."""
        match node:
            case tree.Compare():
                return comparing.compare(self, node)
            case tree.IsNone():
                return self.about("not null" if node.negated else "null", node.operand)
            case tree.Logic():
                return joining.logic(self, node)
            case tree.Unary(op="not"):
                return self.negation(node.operand)
            case tree.If():
                plain = opposites.as_alternatives(node) if self.mood and not self.fails else None
                return conditions.branches(self, node) if plain is None else self.clause(plain)
            case tree.Each():
                return elements.each(self, node)
            case tree.Given():
                return self.clause(node.operand)
            case tree.Implies():
                return conditions.if_then(self, node.condition, node.then)
            case tree.Call():
                return self._library(node, True)
            case tree.Let():
                return self._named(node, True)
        columns = trees.columns(node)
        if columns is not None:
            return self._combination("table", columns)
        return self.about("true", node)

    def negation(self, node: tree.Node) -> Clause:
        """What a boolean denies, in parts."""
        opposite = opposites.negated(node)
        if opposite is not None:
            return self.clause(opposite)
        match node:
            case tree.Call():
                return self._library(node, False)
            case tree.Let():
                return self._named(node, False)
            case tree.Param() | tree.Var() | tree.Attr() | tree.Index():
                return self.about("false", node)
            case tree.Logic() | tree.If() | tree.Implies() | tree.Each(quantifier="all" | "any"):
                return self.clause(opposites.denied(node))
            case tree.Compare():
                return comparing.denial(self, node)
            case tree.Given():
                return self.negation(node.operand)
        columns = trees.columns(node)
        if columns is not None:
            return self._combination("no table", columns)
        return self.form("negation", a=self.stating(node))

    def failing(self, when: tree.Node, node: tree.Node) -> Clause:
        """How a call breaks a rule that has a condition: in English both hold, "if" would assert the second."""
        found = conditions.if_then(self, when, node)
        told = isinstance(found, Guarded) and found.condition is not None and not conditions.is_apart(found)
        if self.lang != "en" or not told or meaning.is_loose(self, when) or meaning.is_loose(self, node):
            return found
        assert isinstance(found, Guarded)
        assert found.condition is not None
        both = Joined("and", (found.condition, found.body))
        return Guarded(found.key, found.products, None, both) if found.key else both

    def _combination(self, key: str, columns: tuple[tree.Node, ...]) -> Simple:
        if len(columns) > 1 and same_attribute(columns):
            return self.form(key, True, a=self.attributes(columns))
        named = self.listing(list(map(self.noun, columns)), "and")
        return self.form(key, a=self.phrases["combination"].format(a=named) if len(columns) > 1 else named)

    def _named(self, node: tree.Let, holds: bool) -> Clause:
        """A condition with a name: by what it stands for where that is short, else by its words."""
        stands_for = meaning.meant(self, node)
        if stands_for is not node and self.depth < _DEEPEST:
            self.depth += 1
            try:
                return self.clause(stands_for) if holds else self.negation(stands_for)
            finally:
                self.depth -= 1
        clause = self.terms.clause(node.name, self.lang)
        if clause is not None:
            denied = None if holds else opposites.denied_words(clause, self.lang)
            return self.form("so" if holds or denied else "not so", a=denied or clause)
        words = self.terms.phrase(node.name, self.lang)
        if words is not None:
            return self.form("holds" if holds else "fails", a=words)
        self._doubt_name(node)
        return self.form("true" if holds else "false", a=node.name)

    # --- the library

    def _library(self, node: tree.Call, holds: bool) -> Clause:
        row = FUNCTIONS[node.function]
        dims = self._broadcast_dims(node, holds) if node.function == "broadcastable" else None
        if dims is not None:
            return dims
        if node.function == "distinct" and patterns.are_axes(node.args[0]):
            listed = node.args[0]
            assert isinstance(listed, tree.Each)
            return self.form("no axis twice" if holds else "an axis twice", a=self.noun(listed.source))
        cases = comparing.chosen(node)
        if cases is not None:
            return conditions.branches(self, cases) if holds else self.clause(opposites.denied(cases))
        form = (row.en if self.lang == "en" else row.zh) if holds else (row.not_en if self.lang == "en" else row.not_zh)
        subject, verb, complement = self._parts(form)
        slots = (node.args, node.function)
        several = self._is_of_several(subject, node.args)
        simple = self.filled_in(f"|{verb}|", several)
        return Simple(self.filled(subject, *slots), simple.verb, self.filled(complement, *slots), several=several)

    def _parts(self, form: str) -> tuple[str, str, str]:
        """The subject, the verb and the rest of a requirement of the library, in the writer's mood."""
        subject, bracket, rest = form.partition("[")
        if bracket:
            moods, _, complement = rest.partition("]")
            return subject.rstrip(), said(f"[{moods}]", self.mood), complement.lstrip()
        for must, states in MUST[self.lang]:
            subject, found, complement = form.partition(must)
            if found:
                return subject.rstrip(), states if self.mood else must, complement.lstrip()
        return "", "", form

    def _is_of_several(self, subject: str, args: tuple[tree.Node, ...]) -> bool:
        """Whether the subject of a row names two things, or its only one is several."""
        return " and " in subject or (subject in ("{0}", "{b0}") and self.is_several(args[0]))

    def _broadcast_dims(self, node: tree.Call, holds: bool) -> Simple | None:
        """``broadcastable(x.shape[:-2], y.shape[:-2])``: x and y must be broadcastable in all dimensions but …"""
        a, b = node.args
        if not isinstance(a, tree.Slice) or not isinstance(b, tree.Slice) or (a.low, a.high) != (b.low, b.high):
            return None
        part = shapes.extent(a)
        if part is None or not trees.is_attribute(a.base, "shape") or not trees.is_attribute(b.base, "shape"):
            return None
        names = self.listing([self.noun(a.base.base), self.noun(b.base.base)], "and")
        rest = self.some(f"rest {part[0]}", part[1])
        return self.form("broadcast dims" if holds else "no broadcast dims", a=names, n=rest)
