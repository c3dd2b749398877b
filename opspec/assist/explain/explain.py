"""From failures to what a person needs: codes in words, rules that may be meant, what to change, a call."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO

from opspec.assist.explain.clues import Clues, clues
from opspec.assist.explain.failures import Failure, failures
from opspec.assist.explain.lines import line, lines
from opspec.assist.explain.operators import Operators
from opspec.assist.explain.ranking import LEAST, Candidate, candidates, facet_of, names_taken, said_by
from opspec.assist.explain.releases import Choice, Heard
from opspec.assist.explain.releases import told as version_told
from opspec.assist.explain.remedy import remedy
from opspec.assist.explain.stated import Stated
from opspec.assist.explain.template import Template, template
from opspec.calls.examples.call import Call, Place, example, to_json
from opspec.errors import OpspecError, unknown
from opspec.language import prose
from opspec.registry.info import RuleInfo
from opspec.registry.registry import Form, Registry
from opspec.registry.versions import Reading
from opspec.validator.api import resolved
from opspec.validator.judge import judge
from opspec.vocabulary import messages, status
from opspec.vocabulary.literals import Enforcement, Lang

MOST = 3  #: rules of a failure, unless more are asked for
MOST_OPERATORS = 3  # that a message which names none may be about
#: what is put in before what
FIRST = ("value", "dtype", "format", "rank", "shape", "dim", "length", "element", "present")
SURER = 7.0  # what a rule must have for itself where the operator is a guess


@dataclass(frozen=True, slots=True)
class Asked:
    """How it is to be explained.

    Args:
        release: the release whose rules are looked at, by default that of the log or the machine, else the newest that
            has the operator.
        product: the product, in any spelling, where the log does not say or is wrong.
        toolkit: the release of the machine's own toolkit, which counts where the log tells of none.
    """

    lang: Lang = "en"
    release: str | None = None
    product: str | None = None
    most: int = MOST
    toolkit: Reading | None = None


@dataclass(frozen=True, slots=True)
class Meant:
    """A rule that may be meant.

    Attributes:
        requires: its clause in words.
        change: what is likely to mend it.
        here: what it requires of the call that failed, as far as that is known; "" where it is not known to break it.
        told: whether a message gives values that break it: then the runtime looks at it, whatever was recorded.
        products: product -> what becomes of a call that breaks it there, and what of its param is taken where that is
            a set; empty where products do not differ.
    """

    operator: str
    release: str
    rule: RuleInfo
    document: str | None
    score: float
    requires: str
    change: str
    products: dict[str, dict[str, object]]
    enforcement: Enforcement
    here: str = ""
    told: bool = False

    def to_dict(self) -> dict[str, object]:
        """The rule as JSON values."""
        return {
            "op": self.operator,
            "rule": f"{self.release}/{self.operator}/{self.rule.id}",
            "param": self.rule.param,
            "score": round(self.score, 1),
            "requires": self.requires,
            "change": self.change,
            "enforcement": self.enforcement,
            "assumed": self.rule.assumed,
            "status": self.rule.status,
            "stage": self.rule.stage,
            "source": self.source,
            "products": self.products,
        }

    @property
    def source(self) -> str | None:
        """Document and place of the clause."""
        places = ", ".join(self.rule.sources)
        return f"{self.document}: {places}" if self.document and places else self.document


@dataclass(slots=True)
class Explained:
    """A failure, explained.

    Attributes:
        codes: (code as the log has it, what it means, what may be done or None).
        meant: rules that may be meant, the likeliest first.
        release: the one whose rules are looked at; None where no operator is known.
        template: a legal call of the operator to begin with.
        failing: that call with what the messages object to, where that is known: it breaks what the failed one broke.
        holds: what the messages say of arguments that is so in it; ``lacks``: what no legal call was found with, or
            what is wrong.
        hint: where an operator is unknown, the nearest name.
        reading: the release that the log or the machine tells of, which need not have the operator.
    """

    failure: Failure
    product: str | None
    codes: list[tuple[str, str, str | None]] = field(default_factory=list)
    meant: list[Meant] = field(default_factory=list)
    release: str | None = None
    template: dict[str, Any] | None = None
    failing: dict[str, Any] | None = None
    holds: tuple[Stated, ...] = ()
    lacks: tuple[Stated, ...] = ()
    hint: str = ""
    reading: Reading | None = None

    @property
    def says_something(self) -> bool:
        """Whether anything is known of it."""
        return bool(self.codes or self.meant or self.template)

    def to_dict(self) -> dict[str, object]:
        """The failure as JSON values."""
        failure = self.failure
        return {
            "line": failure.line,
            "times": failure.times,
            "op": failure.operator,
            "unknown": failure.unknown,
            "product": self.product,
            "frame": failure.frame,
            "messages": failure.messages,
            "codes": [{"code": code, "meaning": said, "advice": advice} for code, said, advice in self.codes],
            "rules": [meant.to_dict() for meant in self.meant],
            "release": self.release,
            "version": None if self.reading is None else self.reading.version,
            "template": self.template,
            "failing": self.failing,
            "holds": [{"path": item.path, "value": item.shown} for item in self.holds],
            "lacks": [{"path": item.path, "value": item.shown} for item in self.lacks],
        }

    def fill(self, form: Form, made: Template | None) -> None:
        """Show a template."""
        self.release = form.release
        if made is None:
            return
        kinds = {name: kind for name, kind, *_ in form.params}

        def shown(call: Call) -> dict[str, Any]:
            head = {"op": form.operator, "release": form.release, "product": made.product}
            return {**head, "args": to_json(call, kinds)}

        self.template = shown(made.call)
        self.failing = None if made.failing is None else shown(made.failing)
        self.holds, self.lacks = made.holds, made.lacks


def explain_log(source: BinaryIO, known: Registry, asked: Asked) -> list[Explained]:
    """What a log tells, failure by failure; failures of which nothing is known are left out."""
    heard, operators = Heard(source), Operators(known, asked.release)
    found = failures(lines(heard), operators)
    return _by_release(found, operators, asked, heard.version)


def _by_release(found: list[Failure], operators: Operators, asked: Asked, version: str | None) -> list[Explained]:
    """The failures explained, each by its release; the log tells of this version of CANN."""
    choice = Choice(operators, asked.release, asked.toolkit, version)
    told = []
    for failure in found:
        own, release = choice.of(failure)
        item = _explained(failure, own.known, own, replace(asked, release=release))
        item.reading = choice.reading
        told.append(item)
    return [item for item in told if item.says_something]


def explain_text(text: str, known: Registry, asked: Asked) -> list[Explained]:
    """What a text of one or more lines tells: a message, a status, the id of a rule."""
    rule = _rule_named(text.strip(), known, asked)
    if rule is not None:
        return [rule]
    parts, operators = text.splitlines(), Operators(known, asked.release)
    found = failures((line(part, number) for number, part in enumerate(parts, 1)), operators)
    return _by_release(found, operators, asked, next(filter(None, map(version_told, parts)), None))


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
    explained.codes = _codes([str(found.status)], [], asked.lang)
    made = template(known, form, product, ())
    explained.meant = [_meant(form, Candidate(found, LEAST), clues(""), known, product, asked, made)]
    explained.fill(form, made)
    return explained


def _explained(failure: Failure, known: Registry, operators: Operators, asked: Asked) -> Explained:
    product = asked.product or _product(failure.product)
    explained = Explained(failure, product, _codes(failure.statuses, failure.classes, asked.lang))
    if failure.operator is not None:
        form = known.form(failure.operator, asked.release)
        product = product or _examples(form)
        usual = example(form)
        ranked = _ranked(form, failure, product, asked, LEAST, usual)
        made = _template(form, failure, known, product, ranked)
        explained.meant = [_meant(form, item, told, known, product, asked, made) for item, told in ranked]
        explained.fill(form, made)
    elif failure.unknown is None:
        explained.meant = _guessed(failure, known, operators, product, asked)
        if explained.meant:
            form = known.form(explained.meant[0].operator, asked.release)
            ranked = _ranked(form, failure, product, asked, SURER)
            explained.fill(form, _template(form, failure, known, product, ranked))
    else:
        explained.hint = known.catalogue.meant(failure.unknown, asked.release)
    return explained


def _examples(form: Form) -> str | None:
    """The product of an operator's example, for which a log is read that names none."""
    return None if form.info.example is None else form.info.example[0]


def _product(spelling: str | None) -> str | None:
    if spelling is None:
        return None
    try:
        product, member = resolved(spelling.replace(" ", ""))
    except OpspecError:
        return None
    return member or product


def _codes(statuses: list[str], classes: list[str], lang: Lang) -> list[tuple[str, str, str | None]]:
    """Statuses and classes that are known, in words."""
    found: list[tuple[str, str, str | None]] = []
    for code in statuses:
        try:
            number = status.number(code)
        except OpspecError:
            continue
        said = f"{status.name(number)}: {status.meaning(number, lang)}"
        found.append((str(number), said, messages.advice(number, lang)))
    for code in classes:
        who = messages.meaning(code, lang)
        if who is not None:
            found.append((code, who, None))
    return list(dict.fromkeys(found))


def _ranked(
    form: Form, failure: Failure, product: str | None, asked: Asked, least: float, usual: Call | None = None
) -> list[tuple[Candidate, Clues]]:
    """The rules that the messages of a failure may mean, each once with its message, the likeliest first."""
    best: dict[str, tuple[Candidate, Clues]] = {}
    code = _number(failure.statuses)
    owner, also = resolved(product)[0], _said(form, failure)
    for text in failure.messages:
        told = clues(text)
        for item in candidates(form, told, owner, code, asked.most, also, usual):
            known_one = best.get(item.rule.id)
            if item.score >= least and (known_one is None or item.score > known_one[0].score):
                best[item.rule.id] = item, told
    return sorted(best.values(), key=lambda item: -item[0].score)[: asked.most]


def _guessed(failure: Failure, known: Registry, operators: Operators, product: str | None, asked: Asked) -> list[Meant]:
    """The rules of whatever operators a message may be about that names none."""
    found: list[Meant] = []
    for operator in operators.by_words(" ".join(failure.messages)):
        form = known.form(operator, asked.release)
        best = _ranked(form, failure, product, asked, SURER)[:1]
        found += [_meant(form, item, told, known, product, asked, None) for item, told in best]
    return sorted(found, key=lambda meant: -meant.score)[: max(asked.most, MOST_OPERATORS)]


def _number(statuses: list[str]) -> int | None:
    for code in statuses:
        try:
            return status.number(code) or None
        except OpspecError:
            continue
    return None


def _meant(
    form: Form, item: Candidate, told: Clues, known: Registry, product: str | None, asked: Asked, made: Template | None
) -> Meant:
    rule, info = item.rule, form.info
    terms = prose.Terms(info.words, info.lets, info.dims)
    requires = prose.authored(rule.say, asked.lang) if rule.say else prose.guarded(
        rule.when, rule.check, asked.lang, terms
    )  # fmt: skip
    change = remedy(form, rule, told, made, product, asked.lang)
    return Meant(
        form.operator, form.release, rule, info.document, item.score, requires, change, _by_product(form, rule),
        rule.on_product(resolved(product)[0]), _here(form, rule, made, asked.lang), item.broken,
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


def _said(form: Form, failure: Failure) -> tuple[Stated, ...]:
    """What the messages of a failure say of arguments, each place once: attributes first, for most hangs on them.

    What they object to comes last, and of that what they name first.
    """
    found: dict[Place, Stated] = {}
    for text in failure.messages:
        for item in said_by(form, text):
            found.setdefault(item.place, item)
    plain = sorted((one for one in found.values() if not one.objected), key=lambda one: FIRST.index(one.place.facet))
    return (*plain, *[one for one in found.values() if one.objected][::-1])


def _template(
    form: Form, failure: Failure, known: Registry, product: str | None, ranked: list[tuple[Candidate, Clues]]
) -> Template | None:
    """A legal call to which the likeliest rule applies, and in which holds what the messages say, as far as it can."""
    said = _said(form, failure)
    where = ranked[0][0].rule.when if ranked and said else None
    return template(known, form, product, said, where)
