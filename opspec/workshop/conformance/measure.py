"""Compare verdicts with the status that recorded calls are expected to return.

Only what argument checks and shape inference return is compared: rules of the tiling and device stages are left out,
as recorded first phases do not reach them. Calls of programs that ran to their end reached every stage.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from opspec.errors import OpspecError
from opspec.language.record import replace
from opspec.registry.registry import Form, Registry
from opspec.validator.api import resolved
from opspec.validator.arguments import arguments
from opspec.validator.convert import ImpossibleTensor
from opspec.validator.files import BrokenCall
from opspec.validator.judge import judge
from opspec.validator.read import Call
from opspec.validator.verdict import Verdict
from opspec.vocabulary import status

SUCCESS = "ACLNN_SUCCESS"
REJECT = "REJECT"  # any failure
FIRST_STAGES = ("params", "infershape")  # those that recorded first phases reach
BAD_INPUT = "BAD_INPUT"


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A recorded call whose predicted status is not the recorded one, with the rules that made the verdict."""

    id: str
    op: str
    product: str | None
    expected: str
    predicted: str
    rules: tuple[str, ...]
    message: str

    def to_dict(self) -> dict[str, object]:
        """As JSON values."""
        return {
            "id": self.id, "op": self.op, "product": self.product, "expected": self.expected,
            "predicted": self.predicted, "rules": list(self.rules), "message": self.message,
        }  # fmt: skip


@dataclass(slots=True)
class Agreement:
    """Counts over recorded calls."""

    judged: Counter[str] = field(default_factory=Counter)  # by operator
    agreed: Counter[str] = field(default_factory=Counter)
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)  # (expected, predicted)
    unknown: Counter[str] = field(default_factory=Counter)  # operators that the registry does not have
    disagreements: list[Disagreement] = field(default_factory=list)

    @property
    def total(self) -> int:
        """Calls that were judged."""
        return self.judged.total()

    @property
    def exact(self) -> float:
        """Share of judged calls whose status was predicted exactly."""
        return self.agreed.total() / self.total if self.total else 1.0

    @property
    def false_alarms(self) -> float:
        """Share of the calls expected to succeed that were refused."""
        expected = sum(count for (wanted, _), count in self.confusion.items() if wanted == SUCCESS)
        refused = sum(count for (wanted, found), count in self.confusion.items() if wanted == SUCCESS != found)
        return refused / expected if expected else 0.0

    def to_dict(self) -> dict[str, object]:
        """As JSON values."""
        return {
            "judged": self.total,
            "exact": round(self.exact, 4),
            "false_alarms": round(self.false_alarms, 4),
            "not_in_registry": self.unknown.total(),
            "operators": {op: [self.agreed[op], count] for op, count in sorted(self.judged.items())},
            "confusion": [[wanted, found, count] for (wanted, found), count in sorted(self.confusion.items())],
            "disagreements": [item.to_dict() for item in self.disagreements],
        }


def measure(
    registry: Registry,
    calls: Iterable[Call | BrokenCall],
    release: str | None,
    document_only: bool = False,
    stages: tuple[str, ...] = FIRST_STAGES,
) -> Agreement:
    """Judge recorded calls and count.

    Args:
        document_only: leave out what specs have learned from recorded calls: observed rules, and the word on which
            documented ones the runtime lets pass. What remains is the pages and the general default.
        stages: those that the calls reached.

    Raises:
        OpspecError: a record is broken or expects no status.
    """
    result = Agreement()
    of_pages: dict[Form, Form] = {}
    for call in calls:
        if isinstance(call, BrokenCall):
            raise call.error
        if call.expect is None:
            raise OpspecError("a recorded call says what it expects ('expect')", where=call.where)
        wanted = call.expect if call.expect == REJECT else status.canonical(call.expect)
        try:
            form = registry.form(call.op, release or call.release)
        except OpspecError:
            result.unknown[call.op] += 1
            continue
        if document_only:
            if form not in of_pages:
                of_pages[form] = _by_page(form)
            form = of_pages[form]
        _count(result, call, wanted, *_predicted(form, call, stages))
    return result


def _by_page(form: Form) -> Form:
    """The form as it would be if there were no recorded calls."""
    rules = tuple(replace(rule, enforced=rule.by_page) for rule in form.info.rules)
    return form.with_info(replace(form.info, rules=rules))


def _predicted(form: Form, call: Call, stages: tuple[str, ...]) -> tuple[str, tuple[str, ...], str]:
    """Status, rules and message of the stages that the call reached."""
    try:
        args = arguments(call.op, form.params, call.args)
    except ImpossibleTensor as error:  # no aclTensor can be made of it, so the runtime refuses it too
        return status.name(status.INVALID), (), str(error)
    except OpspecError as error:
        return BAD_INPUT, (), str(error)
    verdict = judge(form, args, *resolved(call.product))
    if any(rule.is_lookup for rule in form.info.rules):
        stages = (*stages, "kernel")  # a generated interface looks its kernel up itself
    return (
        compared_status(verdict, stages),
        tuple(finding.rule for finding in verdict.violations),
        _first_message(verdict),
    )


def compared_status(verdict: Verdict, stages: tuple[str, ...] = FIRST_STAGES) -> str:
    """The status without what later stages than these would notice."""
    for finding in verdict.violations:
        if finding.stage in stages:
            return status.name(finding.status)
    return SUCCESS


def _first_message(verdict: Verdict) -> str:
    return verdict.violations[0].message if verdict.violations else ""


def _count(result: Agreement, call: Call, wanted: str, found: str, rules: tuple[str, ...], message: str) -> None:
    result.judged[call.op] += 1
    result.confusion[wanted, found] += 1
    if found == wanted or (wanted == REJECT and found != SUCCESS):
        result.agreed[call.op] += 1
    else:
        result.disagreements.append(
            Disagreement(call.id or call.where, call.op, call.product, wanted, found, rules, message)
        )
