"""From what a compiled form reports of a call to the verdict.

``judge`` reports every rule that is not plainly satisfied as (rule number, outcome). Here that becomes violations,
warnings and undecided rules, in the order of the first phase. A call with nothing to report costs one small object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from opspec.language.outcome import ABSENT, EARLY, GUARD, NEITHER, NO_DATA, VIOLATED
from opspec.registry.registry import Case, Form
from opspec.validator.verdict import NOTHING, About, Finding, Told, Verdict
from opspec.vocabulary.enforcement import CONTRADICTED, REFUSED, UNCHECKED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.interpret import Env
    from opspec.registry.info import Fact, RuleInfo
    from opspec.validator.explain import Explanation
    from opspec.validator.reads import Reader
    from opspec.vocabulary.literals import Lang, Status


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
    return Verdict(case, _Sorter(case, args, lang).told(report))


def judge_by_interpreter(
    form: Form, args: tuple[object, ...], product: str | None = None, member: str | None = None, lang: Lang = "en"
) -> Verdict:
    """The same verdict from the reference interpreter: slow, for tests."""
    case = form.case(product, member)
    return verdict_of(case, args, form.interpreted(args, product, member), lang)


@lru_cache(maxsize=256)
def _told_of_lacks(case: Case, lacks: int, lang: Lang) -> Told:
    """What there is to say of all calls that lack the same data and have nothing else to report."""
    report = [found for bit, found in enumerate(case.form.lacks) if lacks >> bit & 1]
    return _Sorter(case, (), lang).told(report)


class _Sorter:
    """Makes of one report what a verdict says.

    Attributes:
        found: violations and warnings with the numbers of their rules, in order.
        violated: numbers of the rules that are plainly violated.
    """

    def __init__(self, case: Case, args: tuple[object, ...], lang: Lang) -> None:
        self.case = case
        self.args = args
        self.lang = lang
        self.info = case.form.info
        self.rules = self.info.rules
        self.violations: list[Finding] = []
        self.warnings: list[Finding] = []
        self.undecided: list[Finding] = []
        self.found: list[tuple[int, Finding]] = []
        self.violated: list[int] = []
        self._env: Env | None = None

    def told(self, report: Sequence[tuple[int, int]]) -> Told:
        """Sort the report into the verdict's three lists."""
        broken = [number for number, outcome in report if outcome == VIOLATED and number != EARLY]
        skipped = self._reading(self._nulls(broken))
        if _lookups(self.case.form):
            skipped.update(self._looked_up([number for number in broken if number not in skipped]))
        self.violated = [number for number in broken if number not in skipped] if skipped else broken
        early = False
        for number, outcome in report:
            if number == EARLY:
                early = early or not self._refused()
            elif number not in skipped:
                self._sort(number, outcome, early)
        for number, cause in sorted(skipped.items()):
            self.undecided.append(self._skipped(number, self.rules[cause].id))
        code = self._refused()
        told = Told(
            code, "ACLNN_SUCCESS" if code == 0 else _status_name(code), not self.violations,
            tuple(self.violations), (*self._doubts(), *self.warnings), tuple(self.undecided),
        )  # fmt: skip
        for findings in (self.violations, self.warnings, self.undecided, self.found):
            findings.clear()  # which hold on to this for their words: a circle is work for the garbage collector
        return told

    def _refused(self) -> int:
        """The status of the first violation that the first phase refuses the call for; 0 where there is none."""
        for finding in self.violations:
            if finding.enforcement == REFUSED:
                return finding.status
        return 0

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
        rule = self.rules[number]
        if outcome == ABSENT:
            return
        if outcome in (NO_DATA, GUARD):
            self.undecided.append(self._finding(number, lambda: self._no_data(rule, outcome)))
            return
        if outcome == NEITHER:
            cause = self._cause(number)
            if cause is not None:
                self.undecided.append(self._skipped(number, cause))
                return
        finding = self._finding(number, lambda: self._explained(number))
        self.found.append((number, finding))
        found = rule.on_product(self.case.product)
        ends = early and found != CONTRADICTED  # with success: what comes later is not reached
        finding.enforcement = UNCHECKED if ends else found
        finding.assumed = rule.assumed and not ends
        finding.early = early
        (self.warnings if found == CONTRADICTED else self.violations).append(finding)

    def _cause(self, number: int) -> str | None:
        """The finding that made a rule undefined, if there is one.

        It is one reported before that reads the same facet of the same param; or a violation reported later (attributes
        are checked last) of a rule about the value of an attribute that this one reads.
        """
        mine = self._facts(number)
        for other, finding in self.found:
            if mine & self._facts(other):
                return finding.rule
        values = {fact for fact in mine if fact[1] == "value"}
        for other in self.violated:
            if other > number and values & self._facts(other):
                return self.rules[other].id
        return None

    def _facts(self, number: int) -> set[Fact]:
        """What a rule reads; rank and shape are one thing where it comes to dimensions that are not there."""
        return {(name, "shape" if facet == "rank" else facet) for name, facet in self.rules[number].facts}

    def _finding(self, number: int, explain: Callable[[], Explanation]) -> Finding:
        return Finding(_about(self.case.form, number), explain, self.lang)

    def _skipped(self, number: int, cause: str) -> Finding:
        return self._finding(number, lambda: _reason("skipped", self.lang, cause))

    def _explained(self, number: int) -> Explanation:
        """The words on a broken rule: those of another call that is alike in all that the rule reads, if there was one.

        They are looked for once an operator has had calls enough that its ``judge`` is compiled.
        """
        case = self.case
        read = _reader(case.form, number) if case.form.is_compiled else None
        alike = None if read is None else read(self.args)
        if alike is None:
            return self._made(number)
        key = case, number, self.lang, alike
        known = _told.get(key)
        if known is None:
            if len(_told) >= MOST_TOLD:
                _told.clear()
            known = _told[key] = self._made(number)
        return known

    def _made(self, number: int) -> Explanation:
        from opspec.validator.explain import explain

        if self._env is None:
            case = self.case
            self._env = case.form.environment(self.args, case.product, case.member)
        return explain(self.rules[number], self._env, self.lang, self.info)

    def _no_data(self, rule: RuleInfo, outcome: int) -> Explanation:
        from opspec.validator.explain import lacking

        node = rule.when if outcome == GUARD and rule.when is not None else rule.check
        lacks = lacking(node, self.case.form)
        return _reason("no_product" if lacks == "product" else "no_data", self.lang, lacks)

    def _doubts(self) -> tuple[Finding, ...]:
        """A warning where the document does not say whether the operator supports the call's product."""
        if self.case.support != "unknown":
            return ()
        about = About("product.unknown", _full_id(self.case.form, "product.unknown"), source=self.info.document)
        return (Finding(about, lambda: _unknown_product(self.case, self.lang), self.lang),)


MOST_TOLD = 4096  #: words that are kept, of all operators

_told: dict[tuple[Case, int, Lang, tuple[object, ...]], Explanation] = {}


@lru_cache(maxsize=4096)
def _reader(form: Form, number: int) -> Reader | None:
    """What a rule reads of a call, as a key; None where its words are made for each call."""
    from opspec.validator.reads import reader

    return reader(form.info.rules[number], form.info, form.params)


@lru_cache(maxsize=256)
def _lookups(form: Form) -> bool:
    """Whether the operator has a kernel lookup."""
    return any(rule.is_lookup for rule in form.info.rules)


@lru_cache(maxsize=4096)
def _about(form: Form, number: int) -> About:
    """What findings on a rule have in common."""
    info, rule = form.info, form.info.rules[number]
    source = f"{info.document}: {', '.join(rule.sources)}" if info.document and rule.sources else info.document
    return About(rule.id, _full_id(form, rule.id), rule.param, rule.status, rule.stage, rule.basis, source)


def _full_id(form: Form, rule: str) -> str:
    return f"{form.release}/{form.operator}/{rule}"


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


@lru_cache(maxsize=1024)  # of all calls that lack the same, so that their words are written once, too
def _reason(key: str, lang: Lang, *parts: str) -> Explanation:
    from opspec.validator.explain import Explanation

    return Explanation(_REASONS[key][lang].format(*parts), "", "", None)


def _unknown_product(case: Case, lang: Lang) -> Explanation:
    named = ", ".join(product for product, support in case.form.support.items() if support == "yes")
    return _reason("product", lang, case.named or "", named)
