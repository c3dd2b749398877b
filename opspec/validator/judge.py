"""From what a compiled form reports of a call to the verdict.

``judge`` reports every rule that is not plainly satisfied as (rule number, outcome). Here that becomes violations,
warnings and undecided rules, in the order of the first phase. A call with nothing to report costs one small object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from opspec.language.outcome import ABSENT, EARLY, GUARD, NEITHER, NO_DATA, VIOLATED
from opspec.later import later
from opspec.registry.registry import Case, Form
from opspec.validator.verdict import NOTHING, Call, Finding, Remark, Told, Verdict
from opspec.vocabulary.enforcement import CONTRADICTED, REFUSED, UNCHECKED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.registry.info import Fact, RuleInfo
    from opspec.validator import explain, explanation
    from opspec.validator.explanation import Explanation
    from opspec.validator.reads import Reader
    from opspec.vocabulary.literals import Lang, Status
else:
    explain, explanation = later("opspec.validator.explain"), later("opspec.validator.explanation")


def judge(
    form: Form, args: tuple[object, ...], product: str | None = None, member: str | None = None, lang: Lang = "en"
) -> Verdict:
    """The verdict on a call.

    Args:
        args: arguments in param order, as ``opspec.validator.arguments.arguments`` gives them.
        product: product id, or None when the call does not say; rules that hang on it are then undecided.
        member: a member of the product, where the call names one.
        lang: language of the findings, ``en`` or ``zh``.

    Raises:
        InternalError: a rule cannot be judged for a fault of opspec.
    """
    try:
        case = form.cases[product, member]
    except KeyError:
        case = form.case(product, member)
    lacks = case.quick(args)
    if lacks == 0 and case.supported:
        return Verdict(case, NOTHING)
    if lacks >= 0:
        return Verdict(case, _told_of_lacks(case, lacks, lang))
    return verdict_of(case, args, form.report(args, product, member), lang)


def verdict_of(case: Case, args: tuple[object, ...], report: Sequence[tuple[int, int]], lang: Lang = "en") -> Verdict:
    """The verdict on a call of which the form has reported."""
    return Verdict(case, _sorted(case, tuple(report), lang).told(Call(case, args)))


def judge_by_interpreter(
    form: Form, args: tuple[object, ...], product: str | None = None, member: str | None = None, lang: Lang = "en"
) -> Verdict:
    """The same verdict from the reference interpreter: for one call, and for tests."""
    case = form.case(product, member)
    return verdict_of(case, args, form.interpreted(args, product, member), lang)


@lru_cache(maxsize=256)
def _told_of_lacks(case: Case, lacks: int, lang: Lang) -> Told:
    """What there is to say of all calls that lack the same data and have nothing else to report."""
    report = tuple(found for bit, found in enumerate(case.form.lacks) if lacks >> bit & 1)
    return _sorted(case, report, lang).told(Call(case, ()))


# --- what a report amounts to, whatever the call


class _Sorted:
    """What all calls with one report on a product have in common: findings without words."""

    __slots__ = ("code", "legal", "status", "undecided", "violations", "warnings")

    def __init__(
        self, code: int, violations: Sequence[_Breach], warnings: Sequence[Remark], undecided: Sequence[Remark]
    ) -> None:
        self.code = code
        self.status: Status = "ACLNN_SUCCESS" if code == 0 else _status_name(code)
        self.legal = not violations
        self.violations = violations
        self.warnings = warnings
        self.undecided = undecided

    def told(self, call: Call) -> Told:
        """The same of one call."""
        return Told(
            self.code, self.status, self.legal,
            _findings(self.violations, call), _findings(self.warnings, call), _findings(self.undecided, call),
        )  # fmt: skip


def _findings(remarks: Sequence[Remark], call: Call) -> tuple[Finding, ...]:
    return tuple([Finding(remark, call) for remark in remarks]) if remarks else ()


@lru_cache(maxsize=4096)
def _sorted(case: Case, report: tuple[tuple[int, int], ...], lang: Lang) -> _Sorted:
    """What a report amounts to on a product."""
    return _Sorter(case, lang).sorted(report)


# --- what is said of a rule


class _Reason(Remark):
    """Why a rule was not judged, or what is doubtful: of all calls in the same words, made when first read."""

    __slots__ = ("_say", "_words")

    def __init__(self, form: Form, rule: RuleInfo | None, lang: Lang, say: Callable[[], Explanation]) -> None:
        super().__init__(form, rule, lang)
        self._say = say
        self._words: Explanation | None = None

    def words(self, call: Call) -> Explanation:
        """The reason."""
        if self._words is None:
            self._words = self._say()
        return self._words


class _Breach(Remark):
    """That a rule is broken.

    Attributes:
        read: makes a key of all that the rule reads of a call; None until it is asked for.
    """

    __slots__ = ("_form", "_number", "_worth", "read")

    def __init__(self, case: Case, number: int, lang: Lang, early: bool) -> None:
        rule = case.form.info.rules[number]
        super().__init__(case.form, rule, lang)
        found = rule.on_product(case.product)
        ends = early and found != CONTRADICTED  # with success: what comes later is not reached
        self.enforcement = UNCHECKED if ends else found
        self.assumed = rule.assumed and not ends
        self.early = early
        self._form = case.form
        self._number = number
        self._worth = 0
        self.read: Reader | None = None

    def words(self, call: Call) -> Explanation:
        """The words on a broken rule: those of another call that is alike in all that the rule reads, if there was one.

        They are looked for once an operator has had calls enough that its ``judge`` is compiled, and no more where
        calls are hardly ever alike.
        """
        if self.read is None:
            if not self._form.is_compiled:
                return self._explained(call)
            self.read = _reader(self._form, self._number) or _no_key
        alike = self.read(call.args)
        if alike is None:
            return self._explained(call)
        key = self, alike
        known = _told.get(key)
        if known is not None:
            self._worth += 1
            return known
        self._worth -= 1
        if self._worth < -MOST_UNLIKE:
            self.read = _no_key
        if len(_told) >= MOST_TOLD:
            _told.clear()
        known = _told[key] = self._explained(call)
        return known

    def _explained(self, call: Call) -> Explanation:
        info = self._form.info
        return explain.explain(info.rules[self._number], call.env, self.lang, info)


_breach = lru_cache(maxsize=4096)(_Breach)  # of all reports, so that its words are found again


class _Sorter:
    """Sorts the reports on one operator on one product.

    Attributes:
        found: numbers of the rules on which there are violations and warnings so far.
        violated: numbers of the rules that are plainly violated.
    """

    def __init__(self, case: Case, lang: Lang) -> None:
        self.case = case
        self.lang: Lang = lang
        self.rules = case.form.info.rules
        self.violations: list[_Breach] = []
        self.warnings: list[Remark] = []
        self.undecided: list[Remark] = []
        self.found: list[int] = []
        self.violated: list[int] = []

    def sorted(self, report: Sequence[tuple[int, int]]) -> _Sorted:
        """Sort a report into the verdict's three lists."""
        broken = [number for number, outcome in report if outcome == VIOLATED and number != EARLY]
        skipped = self._reading(self._nulls(broken))
        if any(rule.is_lookup for rule in self.rules):
            skipped.update(self._looked_up([number for number in broken if number not in skipped]))
        self.violated = [number for number in broken if number not in skipped]
        early = False
        for number, outcome in report:
            if number == EARLY:
                early = early or not self._refused()
            elif number not in skipped:
                self._sort(number, outcome, early)
        self.undecided += [self._skipped(number, self.rules[cause].id) for number, cause in sorted(skipped.items())]
        return _Sorted(self._refused(), self.violations, [*self._doubts(), *self.warnings], self.undecided)

    def _refused(self) -> int:
        """The status of the first violation that the first phase refuses the call for; 0 where there is none."""
        return next((found.status for found in self.violations if found.enforcement == REFUSED), 0)

    def _looked_up(self, broken: Sequence[int]) -> dict[int, int]:
        """Broken rules about nothing but dtypes and formats that a kernel lookup refuses -> the lookup: it says why."""
        lookup = next((n for n in broken if self.rules[n].is_lookup), None)
        if lookup is None:
            return {}
        compared = {*self.rules[lookup].facts}
        return {n: lookup for n in broken if n > lookup and compared.issuperset(self.rules[n].facts)}

    def _nulls(self, broken: Sequence[int]) -> dict[str, int]:
        """Param that must not be null and is -> the number of the rule that says so."""
        nulls = {}
        for number in broken:
            rule = self.rules[number]
            if rule.kind == "null" and rule.param is not None:
                nulls[rule.param] = number
        return nulls

    def _reading(self, nulls: Mapping[str, int]) -> dict[int, int]:
        """Rules that read a null argument, in their guards too -> the null rule that explains why they are skipped."""
        if not nulls:
            return {}
        skipped = {}
        for number, rule in enumerate(self.rules):
            read = (*(name for name, _ in rule.facts), *rule.guarded_by)
            cause = next((nulls[name] for name in read if name in nulls), None)
            if cause is not None and rule.kind != "null":
                skipped[number] = cause
        return skipped

    def _sort(self, number: int, outcome: int, early: bool) -> None:
        if outcome == ABSENT:
            return
        if outcome in (NO_DATA, GUARD):
            self.undecided.append(self._reason(number, lambda: self._lacking(number, outcome)))
            return
        if outcome == NEITHER:
            cause = self._cause(number)
            if cause is not None:
                self.undecided.append(self._skipped(number, cause))
                return
        breach = _breach(self.case, number, self.lang, early)
        self.found.append(number)
        (self.warnings if breach.enforcement == CONTRADICTED else self.violations).append(breach)

    def _cause(self, number: int) -> str | None:
        """The finding that made a rule undefined, if there is one.

        It is one reported before that reads the same facet of the same param; or a violation reported later (attributes
        are checked last) of a rule about the value of an attribute that this one reads.
        """
        mine = self._facts(number)
        for other in self.found:
            if mine & self._facts(other):
                return self.rules[other].id
        values = {fact for fact in mine if fact[1] == "value"}
        for other in self.violated:
            if other > number and values & self._facts(other):
                return self.rules[other].id
        return None

    def _facts(self, number: int) -> set[Fact]:
        """What a rule reads; rank and shape are one thing where it comes to dimensions that are not there."""
        return {(name, "shape" if facet == "rank" else facet) for name, facet in self.rules[number].facts}

    def _reason(self, number: int, words: Callable[[], Explanation]) -> Remark:
        return _Reason(self.case.form, self.rules[number], self.lang, words)

    def _skipped(self, number: int, cause: str) -> Remark:
        return self._reason(number, lambda: _reason("skipped", self.lang, cause))

    def _lacking(self, number: int, outcome: int) -> Explanation:
        """Which data the call lacks to decide a rule, or its guard."""
        rule = self.rules[number]
        node = rule.when if outcome == GUARD and rule.when is not None else rule.check
        lacks = explain.lacking(node, self.case.form)
        return _reason("no_product" if lacks == "product" else "no_data", self.lang, lacks)

    def _doubts(self) -> Iterator[Remark]:
        """Where the document does not say whether the operator supports the product."""
        case, form = self.case, self.case.form
        if case.support == "unknown":
            named = ", ".join(product for product, support in form.support.items() if support == "yes")
            yield _Reason(form, None, self.lang, lambda: _reason("product", self.lang, case.named or "", named))


# --- words that are kept


MOST_TOLD = 4096  #: words that are kept, of all operators
MOST_UNLIKE = 256  #: how much more often a rule's words may be made than found before they are kept no more

_told: dict[tuple[_Breach, tuple[object, ...]], Explanation] = {}


@lru_cache(maxsize=4096)
def _reader(form: Form, number: int) -> Reader | None:
    """What a rule reads of a call, as a key; None where its words are made for each call."""
    from opspec.validator.reads import reader

    return reader(form.info.rules[number], form.info, form.params)


def _no_key(args: tuple[object, ...]) -> None:
    """The key of what a rule reads whose words are made for each call."""


@lru_cache(maxsize=64)
def _status_name(code: int) -> Status:
    from opspec.vocabulary import status

    return status.name(code)


_REASONS = {
    "no_data": {
        "en": "needs data that the call does not carry ({0})",
        "zh": "需要调用中没有给出的数据（{0}）",
    },
    "no_product": {"en": "needs the product, which the call does not name", "zh": "需要知道产品，而调用没有给出"},
    "skipped": {"en": "skipped because of {0}", "zh": "因{0}而跳过"},
    "product": {
        "en": "the document does not say whether {0} is supported; it names {1}",
        "zh": "文档未说明是否支持{0}；文档列出的产品有{1}",
    },
}


def _reason(key: str, lang: Lang, *parts: str) -> Explanation:
    return explanation.said(_REASONS[key][lang].format(*parts), "", "", None)
