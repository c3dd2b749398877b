"""Recorded calls beside their verdicts: what every question about conformance starts from."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import replace as changed
from functools import lru_cache

from opspec.errors import OpspecError
from opspec.language.record import replace
from opspec.model.definition import RuleDef
from opspec.registry.info import RuleInfo
from opspec.registry.registry import Form, Registry
from opspec.validator.api import resolved
from opspec.validator.arguments import arguments
from opspec.validator.convert import ImpossibleTensor
from opspec.validator.files import BrokenCall
from opspec.validator.judge import judge
from opspec.validator.read import Call
from opspec.validator.verdict import Finding, Verdict
from opspec.vocabulary import dtypes, status
from opspec.vocabulary.enforcement import CONTRADICTED, REFUSED
from opspec.vocabulary.literals import BEHIND_CHECKS, Stage

SUCCESS = "ACLNN_SUCCESS"
BAD_INPUT = "BAD_INPUT"
FIRST_STAGES: tuple[Stage, ...] = ("params", "infershape")  # those that every recorded call reaches
ALL_STAGES: tuple[Stage, ...] = (*FIRST_STAGES, *BEHIND_CHECKS)  #: of a whole first phase
#: what a record says of where a call ended -> the stages that had their say
REACHED: dict[str, tuple[Stage, ...]] = {
    **dict.fromkeys((*ALL_STAGES, "ok"), ALL_STAGES),
    **dict.fromkeys(("weak", "unknown"), FIRST_STAGES),
}
_INNER = frozenset(name for name in status.names() if status.is_inner(status.number(name)))


@dataclass(frozen=True, slots=True)
class Seen:
    """A recorded call and what the registry says of it.

    Args:
        name: its id, or how it was made and a fingerprint of its arguments.
        change: how it was made from one that the runtime accepts; empty where nobody says so.
        ran: it is of a program that ran to its end.
        stage: where it ended, as the record says; empty where it does not.
        stages: those whose refusals would have been seen.
        expected: the status that the runtime returned, REJECT for any failure.
        predicted: the status that the verdict expects of the stages that the call reached.
        broken: the rules that it breaks and that the first phase comes to, refused or not, in order.
        refused: those of them that the prediction rests on.
        message: of the first of these, or why the call cannot be read.
    """

    op: str
    product: str | None
    name: str
    change: str
    ran: bool
    stage: str
    stages: tuple[Stage, ...]
    expected: str
    predicted: str
    broken: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    legal: bool = True
    message: str = ""

    @property
    def accepted(self) -> bool:
        """Whether the runtime took it."""
        return self.expected == SUCCESS

    @property
    def agrees(self) -> bool:
        """Whether the prediction is what happened. Which code an inner failure gets is not certain: any will do."""
        return status.is_outcome(self.predicted, self.expected) or (
            self.predicted in _INNER and self.expected in _INNER
        )


class Witness:
    """Reads recorded calls and judges them.

    Args:
        release: judge by this release (default: the newest that has the operator).
        document_only: leave out what is known from recorded calls: observed rules, and all evidence on enforcement.
            What remains is what a new operator gets: its page and the general default.
    """

    def __init__(self, registry: Registry, release: str | None, document_only: bool = False) -> None:
        self.registry = registry
        self.release = release
        self.document_only = document_only
        self.unknown: dict[str, int] = {}  # operators that the registry does not have -> calls
        self._of_pages: dict[Form, Form] = {}

    def seen(self, calls: Iterable[Call | BrokenCall], ran: bool = False) -> Iterator[Seen]:
        """Each call beside its verdict.

        Args:
            ran: they are of programs that ran to their end, and so reached every stage.

        Raises:
            OpspecError: a record is broken or expects no status.
        """
        for call in calls:
            if isinstance(call, BrokenCall):
                raise call.error
            if call.expect is None:
                raise OpspecError("a recorded call says what it expects ('expect')", where=call.where)
            try:
                form = self.registry.form(call.op, self.release or call.release)
            except OpspecError:
                self.unknown[call.op] = self.unknown.get(call.op, 0) + 1
                continue
            yield self._judged(self._by_page(form) if self.document_only else form, call, ran)

    def _judged(self, form: Form, call: Call, ran: bool) -> Seen:
        expected = status.outcome(call.expect or "")
        stages = _stages(form, call, ran)
        shown = (call.op, call.product, name_of(call), call.change, ran, call.stage, stages, expected)
        try:
            args = arguments(call.op, form.params, _as_created(call.args))
        except ImpossibleTensor as error:  # no aclTensor can be made of it, so the runtime refuses it too
            return Seen(*shown, status.name(status.INVALID), legal=False, message=str(error))
        except OpspecError as error:
            return Seen(*shown, BAD_INPUT, legal=False, message=str(error))
        verdict = judge(form, args, *resolved(call.product))
        refused = [finding for finding in _refusals(verdict) if finding.stage in stages]
        return Seen(
            *shown,
            status.name(refused[0].status) if refused else SUCCESS,
            _broken(form, verdict),
            tuple(finding.rule for finding in refused),
            verdict.legal,
            refused[0].message if refused and expected in (SUCCESS, status.REJECT) else "",
        )

    def judged_again(self, calls: Iterable[Seen]) -> Iterator[Seen]:
        """Calls that were judged before, by what is known now of the rules that they were seen to break."""
        known: dict[str, dict[str, RuleInfo]] = {}
        for call in calls:
            if call.op not in known:
                form = self.registry.form(call.op, self.release)
                form = self._by_page(form) if self.document_only else form
                known[call.op] = {rule.id: rule for rule in form.info.rules}
            yield _again(call, [known[call.op][name] for name in call.broken]) if call.broken else call

    def _by_page(self, form: Form) -> Form:
        """The form as it would be if there were no recorded calls."""
        if form not in self._of_pages:
            rules = tuple(_as_paged(rule) for rule in form.info.rules)
            self._of_pages[form] = form.with_info(replace(form.info, rules=rules))
        return self._of_pages[form]


def _as_paged(rule: RuleInfo) -> RuleInfo:
    """The rule as it would be if there were no recorded calls."""
    usual, stage, status_ = rule.by_page
    found: RuleInfo = replace(rule, usual=usual, on={}, stage=stage, status=status_)
    return found


def _again(call: Seen, broken: list[RuleInfo]) -> Seen:
    product, _ = resolved(call.product)
    ways = {rule.id: rule.on_product(product) for rule in broken}
    refused = [rule for rule in broken if ways[rule.id] == REFUSED and rule.stage in call.stages]
    return changed(
        call,
        predicted=status.name(refused[0].status) if refused else SUCCESS,
        refused=tuple(rule.id for rule in refused),
        legal=set(ways.values()) <= {CONTRADICTED},
    )


def _stages(form: Form, call: Call, ran: bool) -> tuple[Stage, ...]:
    return ALL_STAGES if ran else REACHED.get(call.stage) or stages_of(form)


@lru_cache(maxsize=4096)
def stages_of(form: Form) -> tuple[Stage, ...]:
    """The stages that recorded first phases of an operator reach: a generated interface looks its kernel up itself."""
    return checks_of(form.info.rules)


def checks_of(rules: Iterable[RuleInfo | RuleDef]) -> tuple[Stage, ...]:
    """The stages of an operator's checks: those of unit tests, which end before a hand-written interface hands on to
    the generated one that it ends in.

    Args:
        rules: the operator's; a limit of ranks is a rule of hand-written interfaces alone.
    """
    found = list(rules)
    is_generated = any(rule.is_lookup for rule in found) and all(rule.kind != "rank-limit" for rule in found)
    return (*FIRST_STAGES, "kernel") if is_generated else FIRST_STAGES


def _refusals(verdict: Verdict) -> Iterator[Finding]:
    return (finding for finding in verdict.violations if finding.enforcement == REFUSED)


def _broken(form: Form, verdict: Verdict) -> tuple[str, ...]:
    """The broken rules in order, but for those that an early success comes before."""
    found = {finding.rule for finding in (*verdict.violations, *verdict.warnings) if not finding.early}
    return tuple(rule.id for rule in form.info.rules if rule.id in found)


def _as_created(args: Mapping[str, object]) -> dict[str, object]:
    """Recorded arguments as the runtime got them.

    A recording has the number that a test was written with; a scalar that was created with an integer dtype holds what
    C makes of it, its whole part.
    """
    return {
        name: _whole(value) if isinstance(value, dict) and "scalar" in value else value for name, value in args.items()
    }


def _whole(value: dict[str, object]) -> dict[str, object]:
    scalar = value["scalar"]
    if not isinstance(scalar, dict) or type(scalar.get("value")) is not float or not math.isfinite(scalar["value"]):
        return value
    dtype = scalar.get("dtype")
    is_integer = isinstance(dtype, str) and dtypes.kind(dtype) in ("int", "uint")
    return {"scalar": {**scalar, "value": int(scalar["value"])}} if is_integer else value


def name_of(call: Call) -> str:
    """What a recorded call is called: its id, or how it was made and a fingerprint of its arguments."""
    if call.id:
        return call.id
    mark = zlib.crc32(json.dumps(call.args, sort_keys=True).encode())
    return f"{call.change} {mark:08x}".strip()
