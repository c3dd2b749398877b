"""What is told of a failure: codes and causes in words, rules that may be meant, a call to begin with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from opspec.assist.explain.failures import Failure
from opspec.assist.explain.ranking import SURE
from opspec.assist.explain.stated import Stated
from opspec.assist.explain.template import Template
from opspec.calls.examples.call import Call, to_json
from opspec.registry.info import RuleInfo
from opspec.registry.registry import Form
from opspec.registry.versions import Reading
from opspec.vocabulary import messages, status
from opspec.vocabulary.literals import Enforcement, Lang

MOST = 3  #: rules of a failure, unless more are asked for


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
        by_status: whether little more than the status speaks for it.
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
    by_status: bool = False

    def to_dict(self) -> dict[str, object]:
        """The rule as JSON values."""
        return {
            "op": self.operator,
            "rule": f"{self.release}/{self.operator}/{self.rule.id}",
            "param": self.rule.param,
            "score": round(self.score, 1),
            "by_status": self.by_status,
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
        causes: ids of what the messages tell of that is no argument: an installation, resources, the device.
        page_allows: whether the page allows what the messages object to: True where the values that they give keep the
            rules that they tell of, False where they break one, None where that is not known.
        maybe: where a kernel is named and no operator, those that may have started it.
        meant: rules that may be meant, the likeliest first.
        release: the one whose rules are looked at; None where no operator is known.
        template: a legal call of the operator to begin with.
        failing: that call with what the messages object to, where that is known: it breaks what the failed one broke.
        holds: what the messages say of arguments that is so in it; ``lacks``: what no legal call was found with, or
            what is wrong.
        hint: where an operator is unknown, the nearest name.
        reading: the release that the log or the machine tells of, which need not have the operator.
        whole: whether the call that failed is known whole: then the template is that call, mended.
    """

    failure: Failure
    product: str | None
    codes: list[tuple[str, str, str | None]] = field(default_factory=list)
    causes: tuple[str, ...] = ()
    page_allows: bool | None = None
    maybe: tuple[str, ...] = ()
    meant: list[Meant] = field(default_factory=list)
    release: str | None = None
    template: dict[str, Any] | None = None
    failing: dict[str, Any] | None = None
    holds: tuple[Stated, ...] = ()
    lacks: tuple[Stated, ...] = ()
    hint: str = ""
    reading: Reading | None = None
    whole: bool = False

    @property
    def says_something(self) -> bool:
        """Whether anything is known of it."""
        return bool(self.codes or self.causes or self.maybe or self.meant or self.template)

    @property
    def is_unspoken(self) -> bool:
        """Whether messages say something that no rule of the operator surely speaks of."""
        unsure = all(meant.score < SURE and not meant.told for meant in self.meant)
        statuses = [int(code) for code, _, _ in self.codes if code.isdecimal()]
        of_arguments = not statuses or not status.OF_ARGUMENTS.isdisjoint(statuses)
        return bool(self.failure.messages) and not self.causes and unsure and of_arguments

    def causes_in(self, lang: Lang) -> list[tuple[str, str, str]]:
        """The causes, each with what it is and where to look."""
        return [(name, *messages.of_cause(name, lang)) for name in self.causes]

    def to_dict(self, lang: Lang = "en") -> dict[str, object]:
        """The failure as JSON values."""
        failure = self.failure
        return {
            "line": failure.line,
            "times": failure.times,
            "op": failure.operator,
            "unknown": failure.unknown,
            "product": self.product,
            "cann": failure.machine.cann,
            "torch_npu": failure.machine.torch_npu,
            "frame": failure.frame,
            "messages": failure.messages,
            "codes": [{"code": code, "meaning": said, "advice": advice} for code, said, advice in self.codes],
            "causes": [dict(zip(("cause", "meaning", "look"), row, strict=True)) for row in self.causes_in(lang)],
            "page_allows": self.page_allows,
            "maybe": [*self.maybe],
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
