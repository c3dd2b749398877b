"""Calls that somebody recorded, with the status that they returned and what was said: nothing of them is guessed.

Of a call that is known whole a verdict tells the rules that it breaks. What was said only puts them in order.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import BinaryIO

from opspec.assist.explain.answer import Asked, Explained
from opspec.assist.explain.clues import Clues, clues
from opspec.assist.explain.explain import as_meant, explain_log, explain_text, in_words
from opspec.assist.explain.failures import MOST, Failure
from opspec.assist.explain.likely import likely
from opspec.assist.explain.lines import line
from opspec.assist.explain.machine import Machine
from opspec.assist.explain.ranking import SURE, Candidate
from opspec.assist.explain.template import Template
from opspec.assist.repair.search import Repair
from opspec.errors import OpspecError
from opspec.registry.registry import Form, Registry
from opspec.validator.api import resolved
from opspec.validator.arguments import arguments_of
from opspec.validator.files import BrokenCall, RawCall, read_calls
from opspec.validator.judge import judge
from opspec.validator.read import Call, call
from opspec.validator.verdict import Verdict
from opspec.vocabulary import status
from opspec.vocabulary.enforcement import REFUSED

_BEGIN = re.compile(rb'\s*\[?\s*\{[^{}]{0,4000}"op"\s*:\s*"')
_ARGS = re.compile(rb'"args"\s*:')
_HEAD = 1 << 13  # bytes that tell calls from a log


def holds_calls(source: BinaryIO) -> bool:
    """Whether what comes next in a stream that can look ahead is a call as ``opspec check`` reads it."""
    ahead = getattr(source, "peek", None)
    head = b"" if ahead is None else ahead(_HEAD)[:_HEAD]
    return _BEGIN.match(head) is not None and _ARGS.search(head) is not None


def explained(source: BinaryIO, known: Registry, asked: Asked, name: str = "-") -> list[Explained]:
    """What a stream tells, which holds a log or recorded calls.

    Args:
        name: of the stream, for messages.
    """
    if holds_calls(source):
        return explain_calls(source, known, asked, name)
    return explain_log(source, known, asked)


def explained_text(text: str, known: Registry, asked: Asked) -> list[Explained]:
    """What a text tells: recorded calls, or what :func:`explain_text` reads."""
    source = io.BufferedReader(io.BytesIO(text.encode("utf-8", "surrogatepass")))
    return explain_calls(source, known, asked) if holds_calls(source) else explain_text(text, known, asked)


def explain_calls(source: BinaryIO, known: Registry, asked: Asked, name: str = "-") -> list[Explained]:
    """What is to be told of the calls that failed; each once, with how often it was recorded.

    Raises:
        OpspecError: none of them failed, or what failed is no call.
    """
    kept: dict[object, Explained] = {}
    count, broken = 0, None
    for raw in read_calls("-", source, kind=None):
        count += 1
        try:
            if isinstance(raw, BrokenCall):
                raise raw.error
            found = _explained(call(raw), raw, known, asked)
        except OpspecError as error:
            broken = broken or error
            continue
        if found is None:
            continue
        same = found.failure.same, found.product, tuple(meant.rule.id for meant in found.meant)
        if same in kept:
            kept[same].failure.times += 1
        elif len(kept) < MOST:
            kept[same] = found
    if not kept and broken is not None:
        raise broken
    if not kept:
        raise OpspecError(
            f"none of its calls failed ({count}): opspec check tells which of them are illegal", where=name
        )
    return list(kept.values())


def _explained(one: Call, raw: RawCall, known: Registry, asked: Asked) -> Explained | None:
    """What is to be told of a call; None of one that succeeded, or that nobody says failed and no rule forbids."""
    outcome = None if one.expect is None else status.outcome(one.expect)
    if outcome == status.name(status.SUCCESS):
        return None
    form = known.form(one.op, asked.release or one.release)
    product, member = resolved(asked.product or one.product)
    arguments = arguments_of(form, one.args)
    verdict = judge(form, arguments, product, member, asked.lang)
    if outcome is None and verdict.legal:
        return None
    failure = Failure(one.number, operator=form.operator, machine=Machine(member or product))
    said = raw.data.get("said")
    failure.messages = [line(said).message or said] if isinstance(said, str) and said else []
    failure.statuses = [str(status.number(outcome))] if outcome in status.names() else []
    explained = Explained(failure, member or product, whole=True)
    explained.codes = in_words(failure.statuses, [], asked.lang, advised=verdict.legal)
    told = likely(form, failure, replace(asked, product=member or product))
    explained.page_allows = True if verdict.legal else None
    given = dict(zip(form.param_infos, arguments, strict=True))
    near = [] if verdict.legal else Repair(form, product, member, given).nearest(1)
    made = Template(near[0].call if near else given, member or product, (), (), given)
    spoken = [pair for pair in told.ranked if not pair[0].by_status]  # it keeps those that the status alone leaves
    ranked = spoken if verdict.legal else list(_broken(form, verdict, spoken))
    explained.meant = [
        as_meant(form, item, words, known, member or product, asked, made) for item, words in ranked[: asked.most]
    ]
    explained.fill(form, made)
    explained.template = explained.template if near else None
    return explained


def _broken(
    form: Form, verdict: Verdict, ranked: Iterable[tuple[Candidate, Clues]]
) -> Iterator[tuple[Candidate, Clues]]:
    """The rules that a call breaks: those first for which it is refused, among them the one that was spoken of."""
    spoken = {item.rule.id: number for number, (item, _) in enumerate(ranked)}
    rules = {rule.id: rule for rule in form.info.rules}

    def order(number: int) -> tuple[object, ...]:
        found = verdict.violations[number]
        refused = found.enforcement == REFUSED
        return not refused, refused and found.status != verdict.code, spoken.get(found.rule, len(spoken)), number

    for number in sorted(range(len(verdict.violations)), key=order):
        found = verdict.violations[number]
        if found.rule in rules:
            yield Candidate(rules[found.rule], SURE, broken=True), clues("")
