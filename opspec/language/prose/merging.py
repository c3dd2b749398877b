"""Requirements side by side in fewer words: what is said of several things once, and a thing named once."""

from __future__ import annotations

import re

from opspec.language.prose.clauses import Joined, Simple, listing
from opspec.language.record import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec.language.prose.clauses import Clause
    from opspec.vocabulary.literals import Lang

_TIE: dict[Lang, str] = {"en": " of ", "zh": "的"}  # what binds a part to its thing
_NAME = re.compile(r"[\w\0]+(\[\w+\])*", re.ASCII)  # a param, or a tensor of a list
#: what makes a phrase one that cannot stand in a list: it lists, counts, computes or points back itself
_CLOSED = re.compile(r"\b(and|or|each|every|all|no|both|neither|it|its|they|their|times|plus|minus)\b|[,，/+×]"
                     r"|[和与或、每各其加减]|乘以|中的")  # fmt: skip
_EACH = ("a ", "an ", "one of ")  # how a complement begins that is one thing's


def merged(found: Sequence[Clause], lang: Lang) -> list[Clause]:
    """Requirements in fewer words; those of which one goes on with a pronoun as they are."""
    if any(isinstance(clause, Simple) and clause.verb and _is_pronoun(clause.subject) for clause in found):
        return list(found)
    runs: list[list[Clause]] = []
    for clause in found:
        if runs and _predicate(clause) is not None and _predicate(clause) == _predicate(runs[-1][0]):
            runs[-1].append(clause)
        else:
            runs.append([clause])
    return _named_once([one for run in runs for one in _of_all(run, lang)], lang)


def has_alternative(clause: Clause) -> bool:
    """Whether it ends in an alternative, behind which or before which another statement would be read as part of it."""
    return isinstance(clause, Joined) and clause.key in ("or", "or also")


def _is_pronoun(subject: str) -> bool:
    return re.match(r"(it|its|they|their)\b|其|$", subject) is not None


def _predicate(clause: Clause) -> tuple[str, ...] | None:
    """What is said of a thing; None of what cannot be said of several alike."""
    if not isinstance(clause, Simple) or clause.letters or clause.tails:
        return None
    plain = clause.verb.startswith(("must", "必须", "不能")) and not _CLOSED.search(clause.subject)
    return (clause.verb, clause.link, clause.complement) if plain else None


def _of_all(run: list[Clause], lang: Lang) -> list[Clause]:
    """Clauses that say the same of several things as one."""
    first = run[0]
    if len(run) == 1 or not isinstance(first, Simple):
        return run
    subject = _listed([clause.subject for clause in run if isinstance(clause, Simple)], lang)
    each = first.complement.startswith(_EACH) and " each of " not in f" {subject}"
    verb = f"{first.verb.removesuffix(' be')} each be" if each else first.verb
    complement = re.sub(r"^(equal |less than |at least |at most |)that of ", r"\1those of ", first.complement)
    return [replace(first, subject=subject, verb=verb, complement=complement, several=True)]


def _listed(subjects: list[str], lang: Lang) -> str:
    """Several things one after the other, what they have in common once."""
    tie = _TIE[lang]
    heads, _, rests = zip(*(subject.partition(tie) for subject in subjects), strict=True)
    if all(rests) and len(set(rests)) == 1 and lang == "en":
        return f"{_parts(heads)}{tie}{rests[0]}"
    if all(rests) and len(set(heads)) == 1:
        if lang == "zh":
            return f"{heads[0]}{tie}{listing(list(rests), lang, 'and')}"
        if all(map(_NAME.fullmatch, rests)):
            each = "" if heads[0].endswith("s") else "each of "
            return f"{heads[0]}{tie}{each}{listing(list(rests), lang, 'and')}"
    if all(rests) and len(set(rests)) == 1:
        return f"{listing(list(heads), lang, 'and')}{tie}{rests[0]}"
    return listing(subjects, lang, "and")


def _parts(heads: Sequence[str]) -> str:
    """``dimension 1, dimension 2``: dimensions 1 and 2; ``the first value, the last value``: the first and last one."""
    words = [head.split(" ") for head in heads]
    if all(len(one) == 2 and one[0] == words[0][0] for one in words):
        return f"{words[0][0]}s {listing([one[1] for one in words], 'en', 'and')}"
    if all(one[0] == "the" and one[-1] == words[0][-1] for one in words):
        return f"the {listing([' '.join(one[1:-1]) for one in words], 'en', 'and')} {words[0][-1]}"
    return listing(list(heads), "en", "and")


def _named_once(found: list[Clause], lang: Lang) -> list[Clause]:
    """Clauses about parts of one thing, of which those behind the first do not name it, where it is clear whose."""
    tie, owner = _TIE[lang], ""
    said: list[Clause] = []
    for clause in found:
        if isinstance(clause, Simple):
            part, thing = _taken_apart(clause.subject, lang)
            if owner and thing == owner and part:
                clause = replace(clause, subject=part)
            clear = tie not in clause.complement and not clause.letters and not clause.tails
            owner = thing if clear else ""
        said.append(clause)
    return said


def _taken_apart(subject: str, lang: Lang) -> tuple[str, str]:
    """A part and whose it is; nothing where it is no part of a thing with a name."""
    if lang == "en":
        part, _, thing = subject.partition(_TIE[lang])
    else:
        thing, _, part = subject.partition(_TIE[lang])
    return (part, thing) if part and _NAME.fullmatch(thing) and not _CLOSED.search(part) else ("", "")
