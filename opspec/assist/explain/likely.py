"""The rules that a failure may mean, on the product that it is of; whether the page allows what was refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from opspec.assist.explain.answer import Asked
from opspec.assist.explain.clues import Clues, clues
from opspec.assist.explain.failures import Failure
from opspec.assist.explain.names import numbered, renamed
from opspec.assist.explain.ranking import LEAST, Candidate, candidates, said_by
from opspec.assist.explain.stated import Stated, tells_of_null
from opspec.calls.examples.call import Place, example
from opspec.calls.examples.legal import COMMON
from opspec.errors import OpspecError
from opspec.registry.registry import Form
from opspec.validator.api import resolved
from opspec.vocabulary import messages, status

#: what is put in before what
FIRST = ("value", "dtype", "format", "rank", "shape", "dim", "length", "element", "present")
_USUAL = 1.5  # points that the common product is ahead of others where a log names none


@dataclass(frozen=True, slots=True)
class Likely:
    """What a failure of an operator may mean.

    Attributes:
        product: the one that was asked for, else that of the log, else the one whose rules fit the messages best.
        ranked: the rules, the likeliest first, each with the message that tells of it.
    """

    product: str | None
    ranked: list[tuple[Candidate, Clues]]

    @property
    def score(self) -> float:
        """How much speaks for the likeliest."""
        return self.ranked[0][0].score if self.ranked else 0.0

    @property
    def page_allows(self) -> bool | None:
        """Whether the page allows what the messages object to; None where that is not known."""
        if any(item.broken for item, _ in self.ranked):
            return False
        return True if self.ranked and self.ranked[0][0].kept else None


def likely(form: Form, failure: Failure, asked: Asked, least: float = LEAST) -> Likely:
    """The rules of an operator that a failure may mean."""
    named = asked.product or failure.machine.product
    tried = [_ranked(form, failure, product, asked, least) for product in ([named] if named else _products(form))]
    best = max(tried, key=lambda found: found.score + (_USUAL if found.product == COMMON else 0.0))
    ids = {item.rule.id for item, _ in best.ranked}
    others = [found.ranked[0] for found in tried if found.ranked and found.score >= best.score - _USUAL]
    others = [pair for pair in others if pair[0].rule.id not in ids]
    if others and asked.most > 1:  # a rule of another product alone may be meant as well
        best.ranked[asked.most - 1 :] = [max(others, key=lambda pair: pair[0].score)]
    return best


def causes_of(failure: Failure) -> tuple[str, ...]:
    """What a failure tells of that is no argument."""
    texts = (*failure.messages, *failure.classes)
    return tuple(dict.fromkeys(name for text in texts for name in messages.causes(text)))


def said_of(form: Form, failure: Failure) -> tuple[Stated, ...]:
    """What the messages of a failure say of arguments, each place once: attributes first, for most hangs on them.

    What they object to comes last, and of that what they name first.
    """
    found: dict[Place, Stated] = {}
    for text in failure.messages:
        for item in said_by(form, _in_own_names(form, text)):
            found.setdefault(item.place, item)
    plain = sorted((one for one in found.values() if not one.objected), key=lambda one: FIRST.index(one.place.facet))
    return (*plain, *[one for one in found.values() if one.objected][::-1])


def _in_own_names(form: Form, text: str) -> str:
    """A message with the params' own names, whatever it calls them by."""
    tensors = [name for name, kind, *_ in form.params if kind.startswith("tensor")]
    return renamed(numbered(text, tensors), form.param_infos)


def _products(form: Form) -> Iterator[str | None]:
    """The products that a log without one may be of: the common one, that of the example, the others."""
    supported = [name for name, support in form.support.items() if support == "yes" and resolved(name)[1] is None]
    own = None if form.info.example is None else form.info.example[0]
    found = [name for name in (COMMON, own) if name in supported]
    yield from dict.fromkeys((*found, *supported)) if supported else (own,)


def _ranked(form: Form, failure: Failure, product: str | None, asked: Asked, least: float) -> Likely:
    best: dict[str, tuple[Candidate, Clues]] = {}
    code, owner, also, usual = _code(failure), resolved(product)[0], said_of(form, failure), example(form)
    by_status = all(map(messages.leaves_rules, causes_of(failure)))
    for text in failure.messages or [""] * by_status:
        told = clues(_in_own_names(form, text))
        for item in candidates(form, told, owner, code, asked.most, also, usual):
            known = best.get(item.rule.id)
            if (item.score >= least or item.by_status) and (known is None or item.score > known[0].score):
                best[item.rule.id] = item, told
    found = sorted(best.values(), key=lambda pair: (pair[0].by_status, -pair[0].score))
    if not by_status:  # what it tells of is no argument: a rule is meant only where the values break it
        found = [pair for pair in found if pair[0].broken]
    kept = [pair for pair in found if least == LEAST or not pair[0].by_status]
    return Likely(product, kept[: asked.most])


def _code(failure: Failure) -> int | None:
    """The status that was returned, or what is returned where what is said was said."""
    for code in failure.statuses:
        try:
            return status.number(code) or None
        except OpspecError:
            continue
    if failure.tiling:
        return status.TILING_ERROR
    of_null = any(map(tells_of_null, failure.messages))  # which either status of a check may be returned for
    return status.INVALID if messages.REFUSED in failure.classes and not of_null else None
