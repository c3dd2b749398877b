"""From failures to what a person needs: codes in words, rules that may be meant, what to change, a call."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import BinaryIO

from opspec.assist.explain.answer import Asked, Explained, Meant
from opspec.assist.explain.clues import Clues, clues
from opspec.assist.explain.failures import Failure, failures
from opspec.assist.explain.likely import Likely, causes_of, likely, said_of
from opspec.assist.explain.lines import line, lines
from opspec.assist.explain.operators import Operators
from opspec.assist.explain.ranking import LEAST, SURE, Candidate, facet_of, names_taken
from opspec.assist.explain.releases import Choice
from opspec.assist.explain.remedy import remedy
from opspec.assist.explain.stated import wants
from opspec.assist.explain.template import Template, template
from opspec.assist.explain.wrapping import unwrapped
from opspec.errors import OpspecError, unknown
from opspec.language import prose
from opspec.registry.info import RuleInfo
from opspec.registry.registry import Form, Registry
from opspec.validator.api import resolved
from opspec.validator.explain import terms_of
from opspec.validator.judge import judge
from opspec.vocabulary import messages, status
from opspec.vocabulary.literals import Lang

MOST_OPERATORS = 3  # that a message which names none may be about
MOST_VERSIONS = 12  # of an operator, or operators of a kernel


def explain_log(source: BinaryIO, known: Registry, asked: Asked) -> list[Explained]:
    """What a log tells, failure by failure; failures of which nothing is known are left out."""
    operators = Operators(known, asked.release)
    return _by_release(failures(lines(source), operators), operators, asked)


def _by_release(found: list[Failure], operators: Operators, asked: Asked) -> list[Explained]:
    """The failures explained, each by its release."""
    choice = Choice(operators, asked.release, asked.toolkit)
    told = []
    for failure in found:
        own, release = choice.of(failure)
        item = _explained(failure, own.known, own, replace(asked, release=release))
        item.reading = choice.reading(failure)
        told.append(item)
    return [item for item in told if item.says_something]


def explain_text(text: str, known: Registry, asked: Asked) -> list[Explained]:
    """What a text tells: a log, a message, a status, the id of a rule."""
    rule = _rule_named(text.strip(), known, asked)
    if rule is not None:
        return [rule]
    if "\n" in text.strip() or "\\n" in text:
        told_of = explain_log(io.BytesIO(text.encode("utf-8", "replace")), known, asked)
        if told_of:
            return told_of
    parts, operators = text.splitlines(), Operators(known, asked.release)
    told = (line(bare, number) for number, part in enumerate(parts, 1) for bare in unwrapped(part))
    found = failures(told, operators)
    return _by_release(found, operators, asked)


def _rule_named(text: str, known: Registry, asked: Asked) -> Explained | None:
    """``9.1.0/aclnnX/rule`` or ``aclnnX/rule``; None of any other text."""
    parts = text.split("/")
    if len(parts) not in (2, 3) or not parts[-2].startswith("aclnn") or any(char.isspace() for char in text):
        return None
    release = parts[0] if len(parts) == 3 else asked.release
    form = known.form(parts[-2], release)
    found = next((rule for rule in form.info.rules if rule.id == parts[-1]), None)
    if found is None:
        said = f"{form.operator} {form.release} has no rule"
        raise unknown("rule", parts[-1], [rule.id for rule in form.info.rules], said=said)
    product = asked.product
    explained = Explained(Failure(1, operator=form.operator), product)
    explained.codes = in_words([str(found.status)], [], asked.lang)
    made = template(known, form, product, ())
    explained.meant = [as_meant(form, Candidate(found, LEAST), clues(""), known, product, asked, made)]
    explained.fill(form, made)
    return explained


def _explained(failure: Failure, known: Registry, operators: Operators, asked: Asked) -> Explained:
    explained = Explained(failure, asked.product or failure.machine.product)
    explained.causes = causes_of(failure)
    elsewhere = not all(map(messages.leaves_rules, explained.causes))
    explained.codes = in_words(failure.statuses, failure.classes, asked.lang, advised=not elsewhere)
    if failure.operator is not None:
        _of_operator(explained, known, operators, asked)
    elif failure.unknown is not None:
        explained.hint = known.catalogue.meant(failure.unknown, asked.release)
    else:
        explained.maybe = _started(failure, operators)
        if not elsewhere:
            _of_guesses(explained, known, operators, asked)
    return explained


def _of_operator(explained: Explained, known: Registry, operators: Operators, asked: Asked) -> None:
    """What may be meant where a log names the operator, or what it was called for."""
    failure = explained.failure
    assert failure.operator is not None
    form = known.form(failure.operator, asked.release)
    found = likely(form, failure, asked)
    for name in operators.versions(failure.operator) if failure.weak else ():
        other = known.form(name, asked.release)
        better = likely(other, failure, asked)
        if better.score > found.score:
            form, found, failure.operator = other, better, name
    _filled(explained, form, found, known, asked)


def _started(failure: Failure, operators: Operators) -> tuple[str, ...]:
    """The operators that may have started the kernels that a failure names."""
    kernels = [name for kernel in failure.kernels for name in operators.of_kernel(kernel)][:MOST_VERSIONS]
    return tuple(dict.fromkeys(kernels))


def _of_guesses(explained: Explained, known: Registry, operators: Operators, asked: Asked) -> None:
    """What may be meant where a log names no operator: those of the kernel that it names, or of its words."""
    failure = explained.failure
    names = explained.maybe or operators.by_words(" ".join(failure.messages))
    least = LEAST if explained.maybe else SURE
    guesses = []
    for name in names:
        form = known.form(name, asked.release)
        guesses.append((form, likely(form, failure, asked, least)))
    guesses = sorted(
        (one for one in guesses if one[1].ranked and not one[1].ranked[0][0].by_status), key=lambda one: -one[1].score
    )
    for form, found in guesses[: max(asked.most, MOST_OPERATORS)]:
        item, told = found.ranked[0]
        explained.meant.append(as_meant(form, item, told, known, found.product, asked, None))
    if guesses:
        form, found = guesses[0]
        explained.fill(form, _template(form, failure, known, found))


def _filled(explained: Explained, form: Form, found: Likely, known: Registry, asked: Asked) -> None:
    explained.page_allows = found.page_allows
    made = _template(form, explained.failure, known, found)
    explained.meant = [as_meant(form, item, told, known, found.product, asked, made) for item, told in found.ranked]
    explained.fill(form, made)


def in_words(
    statuses: list[str], classes: list[str], lang: Lang, advised: bool = True
) -> list[tuple[str, str, str | None]]:
    """Statuses and classes that are known, in words."""
    found: list[tuple[str, str, str | None]] = []
    for code in statuses:
        try:
            number = status.number(code)
        except OpspecError:
            continue
        said = f"{status.name(number)}: {status.meaning(number, lang)}"
        found.append((str(number), said, messages.advice(number, lang) if advised else None))
    for code in classes:
        who = messages.meaning(code, lang)
        if who is not None:
            found.append((code, who, None))
    return list(dict.fromkeys(found))


def as_meant(
    form: Form, item: Candidate, told: Clues, known: Registry, product: str | None, asked: Asked, made: Template | None
) -> Meant:
    rule, info = item.rule, form.info
    requires = prose.authored(rule.say, asked.lang) if rule.say else prose.guarded(
        rule.when, rule.check, asked.lang, terms_of(info)
    )  # fmt: skip
    change = remedy(form, rule, told, made, product, asked.lang)
    return Meant(
        form.operator, form.release, rule, info.document, item.score, requires, change, _by_product(form, rule),
        rule.on_product(resolved(product)[0]), _here(form, rule, made, asked.lang), item.broken, item.by_status,
    )  # fmt: skip


def _here(form: Form, rule: RuleInfo, made: Template | None, lang: Lang) -> str:
    """What a rule requires of the call that failed, in the words of the verdict on it."""
    if made is None or made.failing is None:
        return ""
    verdict = judge(form, tuple(made.failing.values()), *resolved(made.product), lang)
    return next((found.message for found in verdict.violations if found.rule == rule.id), "")


def _by_product(form: Form, rule: RuleInfo) -> dict[str, dict[str, object]]:
    """What is so of a rule on each product that is supported, where they differ."""
    rows: dict[str, dict[str, object]] = {}
    for product in (name for name, support in form.support.items() if support == "yes"):
        row: dict[str, object] = {"enforcement": rule.on_product(resolved(product)[0])}
        if facet_of(rule):
            row["takes"] = names_taken(rule, form, *resolved(product))
        rows[product] = row
    return rows if len({repr(row) for row in rows.values()}) > 1 else {}


def _template(form: Form, failure: Failure, known: Registry, found: Likely) -> Template | None:
    """A legal call to which the likeliest rule applies, and in which holds what the messages say, as far as it can.

    No call is offered that has all that was refused: where the page allows it, only the case that the message is of is
    kept, and where that is not known, too.
    """
    said = said_of(form, failure)
    where = found.ranked[0][0].rule.when if found.ranked and said else None
    made = template(known, form, found.product, said, where)
    if made is None or made.lacks or all(item.context for item in said) or not _objects(failure):
        return made
    of_case = [item for item in said if item.context]
    made = template(known, form, found.product, of_case, where)
    return None if made is None else made.without([item for item in said if not item.context], form)


def _objects(failure: Failure) -> bool:
    """Whether a message says what should have been."""
    return any(map(wants, failure.messages))
