"""Sentences in parts: what statements become before they are text.

Whoever joins sentences asks their parts (what is it about, does it begin with a condition, which letters does it use),
never the text. ``Text`` puts the parts together, last of all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from opspec.language.prose.phrases import PHRASES
from opspec.language.record import record, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias, TypeVar

    from opspec.vocabulary.literals import Lang

    T = TypeVar("T")

ITEM = "\n– "  #: what stands before each thing that is counted up behind a colon


@record(frozen=True, slots=True)
class Simple:
    """A subject and what is said of it.

    Args:
        subject: a noun phrase or a pronoun; nothing where the complement is all of it.
        verb: "must be", 不能.
        link: what stands behind a subject only.
        several: whether the subject is several things.
        letters: those of the complement, and what each is.
        tails: what is added behind, of some of what the complement lists.
    """

    subject: str
    verb: str
    complement: str
    link: str = ""
    several: bool = False
    letters: tuple[tuple[str, str], ...] = ()
    tails: tuple[str, ...] = ()


@record(frozen=True, slots=True)
class Guarded:
    """A clause under a condition.

    Args:
        key: the phrase for products that it is about; nothing where it is about all.
        products: their names.
    """

    key: str
    products: str
    condition: Clause | None
    body: Clause


@record(frozen=True, slots=True)
class Otherwise:
    """What is so under a condition, and what where that does not hold."""

    first: Guarded
    other: Clause


@record(frozen=True, slots=True)
class Cases:
    """What is so on some products, one after the other, and what on those that are left."""

    cases: tuple[Guarded, ...]
    other: Clause | None


@record(frozen=True, slots=True)
class Joined:
    """Clauses that all hold, or of which one does: ``key`` is the phrase that joins the last two."""

    key: str
    parts: tuple[Clause, ...]


@record(frozen=True, slots=True)
class Numbered:
    """Alternatives that are counted, since "a, or b, and c" does not say what belongs together."""

    before: str
    parts: tuple[Clause, ...]


@record(frozen=True, slots=True)
class Framed:
    """A clause within a phrase: "for every i of x, …", "either …"."""

    before: str
    body: Clause
    after: str = ""
    leads: bool = False


if TYPE_CHECKING:
    Clause: TypeAlias = Simple | Guarded | Otherwise | Cases | Joined | Numbered | Framed


def is_conditional(clause: Clause) -> bool:
    """Whether some of it hangs on a condition, or on what it quantifies, that it begins with."""
    match clause:
        case Guarded() | Otherwise() | Cases():
            return True
        case Framed():
            return clause.leads
        case Simple():
            return bool(clause.tails)
        case Joined():
            return clause.key == "also" or any(map(is_conditional, clause.parts))
    return False


def has_numbers(clause: Clause) -> bool:
    """Whether it counts alternatives."""
    return isinstance(clause, Numbered) or any(map(has_numbers, inner(clause)))


def has_exception(clause: Clause) -> bool:
    """Whether it ends in an exception, behind which another statement would be read as a part of it."""
    return isinstance(clause, Joined) and (clause.key == "unless" or has_exception(clause.parts[-1]))


def has_conditions(clause: Clause) -> bool:
    """Whether some of it hangs on a condition that names things."""
    own = isinstance(clause, Guarded) and clause.condition is not None
    return own or any(map(has_conditions, inner(clause)))


def inner(clause: Clause) -> tuple[Clause, ...]:
    """The clauses inside of one."""
    match clause:
        case Guarded():
            return (clause.body,) if clause.condition is None else (clause.condition, clause.body)
        case Otherwise():
            return clause.first, clause.other
        case Cases():
            return clause.cases if clause.other is None else (*clause.cases, clause.other)
        case Joined() | Numbered():
            return clause.parts
        case Framed():
            return (clause.body,)
    return ()


def bodies(clause: Clause, change: Callable[[Simple], Simple]) -> Clause:
    """A clause with each simple one of it changed that is no condition."""
    match clause:
        case Simple():
            return change(clause)
        case Otherwise():
            first = replace(clause.first, body=bodies(clause.first.body, change))
            return Otherwise(first, bodies(clause.other, change))
        case Cases():
            cases = tuple(replace(case, body=bodies(case.body, change)) for case in clause.cases)
            return Cases(cases, None if clause.other is None else bodies(clause.other, change))
        case Joined() | Numbered():
            changed: Clause = replace(clause, parts=tuple(bodies(part, change) for part in clause.parts))
            return changed
        case Guarded() | Framed():
            within: Clause = replace(clause, body=bodies(clause.body, change))
            return within
    return clause


def statements(clause: Clause) -> tuple[Simple, ...]:
    """Its simple clauses, conditions left out."""
    found: list[Simple] = []

    def note(part: Simple) -> Simple:
        found.append(part)
        return part

    bodies(clause, note)
    return tuple(found)


def subjects(clause: Clause) -> tuple[str, ...]:
    """What its simple clauses are about, conditions left out."""
    return tuple(part.subject for part in statements(clause))


def beginning(clause: Clause, change: Callable[[Simple], Simple | None]) -> Clause | None:
    """A clause with the simple one changed that it begins with; None where it begins otherwise, or cannot be."""
    if isinstance(clause, Simple):
        return change(clause)
    if not isinstance(clause, Joined):
        return None
    first = beginning(clause.parts[0], change)
    return None if first is None else Joined(clause.key, (first, *clause.parts[1:]))


def simple(clause: Clause) -> Iterator[Simple]:
    """The simple clauses inside of one, those of its conditions too."""
    if isinstance(clause, Simple):
        yield clause
    for part in inner(clause):
        yield from simple(part)


def renamed(part: T, old: str, new: str) -> T:
    """A clause, or what one is made of, in which something has another name."""
    found: Any = part
    if isinstance(found, str):
        found = found.replace(old, new)
    elif isinstance(found, tuple):
        found = tuple(renamed(one, old, new) for one in found)
    elif isinstance(found, (Simple, Guarded, Otherwise, Cases, Joined, Numbered, Framed)):
        found = type(found)(*(renamed(getattr(found, name), old, new) for name in found.__match_args__))
    return found  # type: ignore[no-any-return]


def phrases(clause: Clause) -> Iterator[str]:
    """What its simple clauses are made of."""
    for part in simple(clause):
        yield from (part.subject, part.complement, *part.tails)
        yield from (words for _, words in part.letters)


_JOINS = re.compile(r" (?:and|or|nor) |[,;:]")  # what makes of a condition several


class Text:
    """Puts the parts of one sentence together; what a letter is it says where the letter stands first.

    Args:
        apart: whether what it counts up, be it requirements, cases or letters, stands on lines of its own.
    """

    def __init__(self, lang: Lang, apart: bool = False) -> None:
        self.lang = lang
        self.phrases = PHRASES[lang]
        self.told: set[str] = set()
        self.line = "\n" if apart else ""  # what stands before each
        self.nested = False  # whether what is written stands behind the colon of a condition

    def of(self, clause: Clause, within: bool = False) -> str:
        """The text of a clause; ``within`` another that goes on with "otherwise"."""
        match clause:
            case Simple():
                return self._simple(clause)
            case Guarded():
                return self._guarded(clause, within)
            case Otherwise():
                first = self._part(clause.first, True)
                key = self._lined("if else within" if within else "if else")
                then = self.of if isinstance(clause.other, Otherwise) else self._part  # of which each case is a line
                return key.format(a=first, b=then(clause.other, within))
            case Cases():
                text = self._lined("also").join(self._part(case, True) for case in clause.cases)
                return text if clause.other is None else self._lined("on others").format(
                    a=text, b=self._part(clause.other, True))  # fmt: skip
            case Joined():
                texts = [self._part(part, within) for part in clause.parts]
                if clause.key == "also":
                    return self._lined("also").join(texts)
                return self.phrases[clause.key].format(a=self.phrases["between"].join(texts[:-1]), b=texts[-1])
            case Numbered():
                items = [
                    self.phrases["alternative"].format(n=n, a=self._part(part))
                    for n, part in enumerate(clause.parts, 1)
                ]
                before, line = (clause.before.rstrip(), "\n") if self.line else (clause.before, "")
                return before + line + self._lined("also", line).join(items)
            case Framed():
                return f"{clause.before}{self.of(clause.body, within)}{clause.after}"

    def _part(self, clause: Clause, within: bool = False) -> str:
        """The text of what stands on a line, which is not taken apart itself."""
        line, self.line = self.line, ""
        text = self.of(clause, within)
        self.line = line
        return text

    def _lined(self, key: str, line: str | None = None) -> str:
        """A phrase, behind whose colon or semicolon a line begins where lines do."""
        line, phrase = self.line if line is None else line, self.phrases[key]
        for mark in (": ", "; ", "：", "；") if line else ():
            phrase = phrase.replace(mark, mark.rstrip() + line)
        return phrase

    def _simple(self, clause: Simple) -> str:
        between = " " if self.lang == "en" else ""
        start = (clause.subject + clause.link) if clause.subject else ""
        text = between.join(part for part in (start, clause.verb, clause.complement) if part)
        new = [(letter, words) for letter, words in clause.letters if letter not in self.told]
        if new:
            self.told.update(letter for letter, _ in new)
            text += self._where(new)
        return self.phrases["also"].join([text, *clause.tails])

    def _where(self, letters: list[tuple[str, str]]) -> str:
        told = [self.phrases["letter"].format(a=letter, b=words) for letter, words in letters]
        if self.line and len(told) > 2:
            return self._lined("where listed", ITEM).format(a=self._lined("also", ITEM).join(told))
        joined = listing(told, self.lang, "and") if self.lang == "en" else self.phrases["between"].join(told)
        return self.phrases["where"].format(a=joined)

    def _guarded(self, clause: Guarded, within: bool) -> str:
        cases = self._cases(clause.body) if isinstance(clause.body, Otherwise) else None
        if cases is not None:
            clause = replace(clause, body=cases)
        several = isinstance(clause.body, Joined) and clause.body.key == "also"
        if self.line and isinstance(clause.body, (Otherwise, Cases)):
            several = True
        line = self.line and ITEM
        if clause.condition is None:
            key, condition = (f"{clause.key} nested" if several else clause.key), clause.products
        else:
            joint = " nested" if is_conditional(clause.body) else " listed" if has_numbers(clause.condition) else ""
            alone = joint == " listed" and isinstance(clause.condition, Numbered)
            condition = self.of(clause.condition) if alone else self._part(clause.condition)
            inner_if = " inner" if self.nested and not joint else joint
            key = f"{clause.key} and{joint}" if clause.key else f"if{inner_if}"
        form = self._lined(key, line if several else "")
        inner = clause.body.body if isinstance(clause.body, Framed) else clause.body
        self.line = line if several or isinstance(inner, (Numbered, Simple)) else ""
        outer, self.nested = self.nested, is_conditional(clause.body)
        text = self.of(clause.body, within)
        self.nested = outer
        return form.format(p=clause.products, c=condition, a=text)

    def _cases(self, clause: Otherwise) -> Simple | None:
        """In English: what a thing must be case by case, "x must be 1 if a, 2 if b, and 3 otherwise", where no part
        of it could be taken for a part of another."""
        told: list[str] = []
        first = clause.first.body
        rest: Clause = clause
        while isinstance(rest, Otherwise):
            case = rest.first
            if case.key or case.condition is None or not _is_same(case.body, first):
                return None
            asked = self._part(case.condition)
            if self.lang != "en" or _JOINS.search(asked):
                return None
            told.append(self.phrases["in case"].format(a=case.body.complement, c=asked))  # type: ignore[union-attr]
            rest = rest.other
        if not _is_same(rest, first):
            return None
        last = self.phrases["else in case"].format(a=rest.complement)  # type: ignore[union-attr]
        found: Simple = replace(first, complement=self.phrases["comma"].join(told) + last)
        return found


def _is_same(clause: Clause, first: Clause) -> bool:
    """Whether a clause says of what another one is about that it must be something else, in as few words."""
    if not isinstance(clause, Simple) or not isinstance(first, Simple) or clause.letters or clause.tails:
        return False
    named = clause.subject in (first.subject, "it", "they")
    return named and (clause.verb, clause.link) == (first.verb, first.link) and "that of" not in clause.complement


def listing(items: list[str], lang: Lang, last: str) -> str:
    """``a, b and c``."""
    words = PHRASES[lang]
    if len(items) < 2:
        return "".join(items)
    return words["comma"].join(items[:-1]) + words[f"last {last}"] + items[-1]
