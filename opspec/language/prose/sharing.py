"""What several rules say of a param each, as one sentence about all of these params."""

from __future__ import annotations

from functools import lru_cache

from opspec.language import tree
from opspec.language.functions import FUNCTIONS
from opspec.language.prose import clauses, comparing, trees
from opspec.language.prose.bound import Bound
from opspec.language.prose.clauses import Simple, Text, listing
from opspec.language.prose.conditions import if_then
from opspec.language.prose.folding import folded
from opspec.language.prose.opposites import denied
from opspec.language.prose.phrases import PHRASES
from opspec.language.prose.statements import Statements
from opspec.language.prose.subjects import subject
from opspec.language.record import field, record, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from opspec.language.prose.clauses import Clause
    from opspec.language.prose.terms import Terms
    from opspec.vocabulary.literals import Lang

    Last: TypeAlias = Literal["and", "or"]

_TIES = ("中的", "的", "中")  # what binds the name of a thing in Chinese to that of its part
_KEPT = 8192  # statements of which the words are kept
_LONG: dict[Lang, int] = {"en": 240, "zh": 110}  # characters that a page shows in one piece: about 40 words
_ANY = "\0"  # what parts call a param that others may stand for


@record(frozen=True, slots=True)
class Statement:
    """What a rule requires, or what is so in a call that breaks it, as sentences say it.

    Args:
        fails: whether it is the latter.
        param: what it is about, if others may be in its place: its words are made once for all of them.
        apart: whether it is for a page, where what a long sentence counts up stands on lines of its own.
    """

    when: tree.Node | None
    check: tree.Node
    lang: Lang
    terms: Terms
    fails: bool = False
    param: str | None = None
    apart: bool = field(default=False, compare=False)

    def clause(self, bound: dict[str, Bound]) -> Clause:
        """Its parts; ``bound``: params that are said in other words."""
        return _clause(self, tuple(bound.items()))

    def _written(self, writer: Statements) -> Clause:
        check = folded(self.check)
        node = denied(check) if self.fails else check
        if self.when is None:
            return writer.clause(node)
        when = folded(self.when)
        return writer.failing(when, node) if self.fails else if_then(writer, when, node)

    def doubts(self) -> tuple[str, ...]:
        """What of it has no words: names of derived values that have none, and code."""
        writer = Statements(self.lang, int(self.fails), self.terms, fails=self.fails)
        self._written(writer)
        return tuple(sorted(writer.notes.doubts))

    def text(self) -> str:
        """Its sentence, without a final full stop."""
        return _text(self, self.apart)

    def of_any(self, param: str) -> Clause | None:
        """What it says of a param that one sentence may say of others, too; None where it says more than that.

        The same clause of another statement says the same of its param.
        """
        return _of_any(self, param)

    def _of_any(self, param: str) -> Clause | None:
        if (self.when is not None and _reads(self.when, param)) or not _belongs(_thing(self.check), param):
            return None
        clause = self.clause({param: Bound(_ANY, params=(_ANY,))})
        mentions = sum(phrase.count(_ANY) for phrase in clauses.phrases(clause))
        return clause if mentions == 1 and any(_ANY in name for name in clauses.subjects(clause)) else None

    def of_several(self, param: str, params: list[str], last: Last) -> str:
        """Its sentence as one about several params, in place of the one that it is about."""
        names = listing(params, self.lang, last)
        clause = self.clause({param: Bound(names, several=last == "and", params=tuple(params), last=last)})
        said = clauses.statements(clause)
        by_pronoun = len(said) > 1 and said[0].subject == names
        if last == "and" and (by_pronoun or not all(map(_asks, said))):
            each = PHRASES[self.lang]["each of"].format(a=names)
            clause = self.clause({param: Bound(each, params=tuple(params), last=last)})
        return self._put(clause)

    def in_row(self, param: str) -> str | None:
        """Its sentence where its param is named already; None where the sentence begins with something else."""
        thing = _thing(self.check)
        plainly = _belongs(thing, param)
        if not plainly and not isinstance(thing, tree.Let):
            return None
        rest = clauses.beginning(self.clause({}), lambda first: _unowned(first, param, self.lang, plainly))
        return None if rest is None else self._put(rest)

    def _put(self, clause: Clause) -> str:
        text = Text(self.lang).of(clause)
        return Text(self.lang, apart=True).of(clause) if self.apart and len(text) > _LONG[self.lang] else text


# Releases of an operator, and the pages of one, say much the same: what is made of a statement is kept.


@lru_cache(maxsize=_KEPT)
def _clause(said: Statement, bound: tuple[tuple[str, Bound], ...]) -> Clause:
    if not bound and said.param is not None and (common := said.of_any(said.param)) is not None:
        return clauses.renamed(common, _ANY, said.param)
    return said._written(Statements(said.lang, int(said.fails), said.terms, dict(bound), fails=said.fails))


@lru_cache(maxsize=_KEPT)
def _text(said: Statement, apart: bool) -> str:
    return said._put(said.clause({}))


@lru_cache(maxsize=_KEPT)
def _of_any(said: Statement, param: str) -> Clause | None:
    return said._of_any(param)


def _asks(clause: Simple) -> bool:
    """Whether a clause says what must or may be, which is said of one thing and of several alike."""
    return clause.verb.startswith(("must", "may", "必须", "不能"))


# --- what statements are about


def _thing(node: tree.Node) -> tree.Node | None:
    """What the requirement begins with that a check makes, whatever its conditions."""
    match node:
        case tree.Given():
            return _thing(node.operand)
        case tree.Implies():
            return _thing(node.then)
        case tree.If():
            return _thing(node.other if trees.is_const(node.then, True) else node.then)
        case tree.Logic():
            return _thing(node.items[0])
        case tree.Unary(op="not"):
            return _thing(node.operand)
        case tree.Each():
            return _thing_of_each(node)
        case tree.Compare() if len(node.ops) > 1 and set(node.ops) == {"=="}:
            return None  # which are told in a row
        case tree.Compare():
            return subject(comparing.flipped(node))
        case tree.Call():
            return node.args[0] if _begins_with_one(FUNCTIONS[node.function].en) else None
    return subject(node)


def _thing_of_each(node: tree.Each) -> tree.Node | None:
    """The list of which something is said of every element; what is like every element of a list."""
    thing = _thing(node.element)
    if thing is None or any(isinstance(part, tree.Var) and part.name in node.variables for part in tree.walk(thing)):
        return node.source
    return thing


def _begins_with_one(form: str) -> bool:
    """Whether the requirement of a row of the library begins with its first argument alone."""
    start = form.partition("[")[0].partition(" must")[0]
    return ("{0}" in start or "{b0}" in start or "{e0}" in start) and "{1}" not in start and "{b1}" not in start


def _belongs(node: tree.Node | None, param: str) -> bool:
    """Whether a thing is a param, or a part or an attribute of it."""
    match node:
        case tree.Param():
            return node.name == param
        case tree.Index(base=tree.Param()):
            return trees.number(node.index) == -1 and _belongs(node.base, param)  # no x[0], which is a name of its own
        case tree.Attr() | tree.Index() | tree.Slice():
            return _belongs(node.base, param)
        case tree.Zip():
            return any(_belongs(item, param) for item in node.items)
        case tree.Length():
            return _belongs(node.operand, param)
        case tree.Each():
            return _belongs(node.source, param)
        case tree.Call():
            return len(node.args) == 1 and _belongs(node.args[0], param)
    return False


def _reads(node: tree.Node, param: str) -> bool:
    return any(isinstance(part, tree.Param) and part.name == param for part in tree.walk(node))


# --- the row of a param


def _unowned(clause: Simple, owner: str, lang: Lang, plainly: bool) -> Simple | None:
    """A clause without the name of the thing that it is about; None where its subject does not show whose it is.

    Args:
        plainly: whether its subject is known to be an attribute or a part of the thing; an author's words may be.
    """
    name = clause.subject
    if name == owner:
        rest = ""
    elif lang == "en" and plainly and name.startswith("every ") and name.endswith(f" of {owner}"):
        rest = name.removesuffix(f" of {owner}")
    elif lang == "en":
        before, after = "the ", f" of {owner}"
        rest = name.removeprefix(before).removesuffix(after)
        if len(name) - len(rest) < len(before + after) or not (plainly or rest.islower()):
            return None  # a letter stays with the thing whose it is
    else:
        tie = next((tie for tie in _TIES if name.startswith(owner + tie)), "")
        if not name.startswith(owner) or not (tie or (plainly and not _is_listed(name.removeprefix(owner), lang))):
            return None
        rest = name.removeprefix(owner + tie)
    found: Simple = replace(clause, subject=rest)
    return found


def _is_listed(rest: str, lang: Lang) -> bool:
    """Whether what stands behind a name goes on with another one."""
    return rest.startswith((PHRASES[lang]["comma"], *_lists(lang)))


def _lists(lang: Lang) -> tuple[str, ...]:
    """What stands between two names."""
    phrases = PHRASES[lang]
    return (phrases["last and"], phrases["last or"], *(("与", phrases["comma"]) if lang == "zh" else ()))


# --- an author's own words


@record(frozen=True, slots=True)
class Authored:
    """A sentence in an author's own words, names in backticks: a statement as far as it begins with a name.

    Args:
        form: what it stands in, ``{0}`` in its place.
    """

    words: str
    lang: Lang
    form: str = "{0}"

    def text(self) -> str:
        """The sentence."""
        return self.form.format(_plain(self.words))

    def of_any(self, param: str) -> tuple[str, ...] | None:
        """What it says of the one that it is about, and names once: the param that it begins with, condition aside."""
        before, rest = self._around(param)
        told = rest is not None and f"`{param}`" not in rest
        return (self.form, before, rest) if told and rest is not None else None

    def of_several(self, param: str, params: list[str], last: Last) -> str:
        """The sentence about several params, in place of the one that it is about."""
        (before, rest), names = self._around(param), listing(params, self.lang, last)
        if last == "and" and not (rest or "").startswith(" must "):
            names = PHRASES[self.lang]["each of"].format(a=names)
        return self.form.format(_plain(before) + names + _plain(rest or ""))

    def in_row(self, param: str) -> str | None:
        """The sentence where its param is named already."""
        before, rest = self._around(param)
        if before or rest is None:
            return None
        tie = "" if self.lang == "en" else next(filter(rest.startswith, _TIES), "")
        return _plain(rest.removeprefix(tie).lstrip())

    def _around(self, param: str) -> tuple[str, str | None]:
        """What stands before and behind the param that it is about; nothing behind one that is a part of a phrase."""
        before, _, rest = self.words.partition(f"`{param}`")
        phrases = PHRASES[self.lang]
        clause = before.rpartition(phrases["between"])[2]
        in_condition = clause.lower().startswith(phrases["if"].partition("{")[0])
        listed = before.endswith((f"`{phrases['between']}", *_lists(self.lang))) or _is_listed(rest, self.lang)
        return before, None if not rest or rest.startswith("[") or in_condition or listed else rest


def _plain(words: str) -> str:
    return words.replace("`", "").rstrip(".。")
