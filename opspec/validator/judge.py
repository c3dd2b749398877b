"""From what a compiled form reports of a call to the verdict.

``judge`` reports every rule that is not plainly satisfied as (rule number, outcome). Here that becomes violations,
warnings and unchecked rules, in the order of the first phase. A call with nothing to report costs one small object.
"""

from __future__ import annotations

from opspec.validator.verdict import Finding, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from opspec.registry.registry import Form
    from opspec.validator.explain import Explainer, Explanation

EARLY, VIOLATED, NEITHER, NO_DATA, ABSENT, GUARD = -1, 0, 1, 2, 3, 4


def judge(
    form: Form, args: tuple[object, ...], product: str | None = None, member: str | None = None, lang: str = "en"
) -> Verdict:
    """The verdict on a call.

    Args:
        args: arguments in param order, as ``opspec.validator.convert.arguments`` gives them.
        product: product id, or None when the call does not say; rules that hang on it are then unchecked.
        member: a member of the product, where the call names one.
        lang: language of the findings, ``en`` or ``zh``.
    """
    report: list[tuple[int, int]] = []
    form.judge(args, product, member, report.append)
    named = member or product
    if not report and (product is None or _supported(form, product, member)):
        return Verdict(form.operator, form.release, named)
    return _Sorter(form, args, product, member, lang).verdict(report)


def judge_by_interpreter(
    form: Form, args: tuple[object, ...], product: str | None = None, member: str | None = None, lang: str = "en"
) -> Verdict:
    """The same verdict from the reference interpreter: slow, for tests."""
    sorter = _Sorter(form, args, product, member, lang)
    return sorter.verdict(sorter.explainer.report(sorter.explainer.environment(args, product, member)))


def _supported(form: Form, product: str, member: str | None) -> bool:
    return form.support.get(product) == "yes" or (member is not None and form.support.get(member) == "yes")


class _Sorter:
    def __init__(
        self, form: Form, args: tuple[object, ...], product: str | None, member: str | None, lang: str
    ) -> None:
        self.form = form
        self.args = args
        self.product = product
        self.member = member
        self.lang = lang
        self.rules: list[dict[str, Any]] = form.detail["rules"]
        self.violations: list[tuple[int, Finding]] = []
        self.warnings: list[tuple[int, Finding]] = []
        self.unchecked: list[Finding] = []
        self.violated: list[int] = []
        self._env: Any = None

    @property
    def explainer(self) -> Explainer:
        """The operator's explainer, kept with its form."""
        if self.form.explainer is None:
            from opspec.validator.explain import Explainer

            self.form.explainer = Explainer(self.form.detail)
        known: Explainer = self.form.explainer
        return known

    def verdict(self, report: Sequence[tuple[int, int]]) -> Verdict:
        """Sort the report into the verdict's three lists."""
        nulls = self._nulls(report)
        skipped_for_null = self._reading(nulls)
        self.violated = [n for n, outcome in report if outcome == VIOLATED and n not in skipped_for_null]
        early = False
        for number, outcome in report:
            if number == EARLY:
                early = early or not self.violations
            elif number not in skipped_for_null:
                self._sort(number, outcome, early)
        for number, cause in skipped_for_null.items():
            self.unchecked.append(self._skipped(number, self.rules[cause]["id"]))
        code = self.violations[0][1].status if self.violations else 0
        status = "ACLNN_SUCCESS" if code == 0 else _status_name(code)
        portable = (
            not any(finding.basis == "documented" for _, finding in (*self.violations, *self.warnings)) and code == 0
        )
        doubts = self._doubts()
        return Verdict(
            self.form.operator, self.form.release, self.member or self.product, code, status, portable,
            tuple(finding for _, finding in self.violations), (*doubts, *(finding for _, finding in self.warnings)),
            tuple(self.unchecked),
        )  # fmt: skip

    def _nulls(self, report: Sequence[tuple[int, int]]) -> dict[str, int]:
        """Param that must not be null and is -> the number of the rule that says so."""
        found = ((number, self.rules[number]) for number, outcome in report if number != EARLY and outcome == VIOLATED)
        return {rule["param"]: number for number, rule in found if rule["kind"] == "null" and "param" in rule}

    def _reading(self, nulls: Mapping[str, int]) -> dict[int, int]:
        """Rules that read a null argument, in their guards too -> the null rule that explains why they are skipped."""
        if not nulls:
            return {}
        skipped = {}
        for number, rule in enumerate(self.rules):
            read = (*(name for name, _ in rule.get("facts", ())), *rule.get("guarded_by", ()))
            cause = next((nulls[name] for name in read if name in nulls), None)
            if cause is not None and rule["kind"] != "null":
                skipped[number] = cause
        return skipped

    def _sort(self, number: int, outcome: int, early: bool) -> None:
        rule = self.rules[number]
        if outcome == ABSENT:
            return
        if outcome in (NO_DATA, GUARD):
            self.unchecked.append(self._finding(rule, lambda: _no_data(rule, self.lang)))
            return
        if outcome == NEITHER:
            cause = self._cause(number)
            if cause is not None:
                self.unchecked.append(self._skipped(number, cause))
                return
        finding = self._finding(rule, lambda: self._explained(rule))
        enforced = rule.get("enforced", False) and rule.get("stage") != "device" and not early
        (self.violations if enforced else self.warnings).append((number, finding))

    def _cause(self, number: int) -> str | None:
        """The finding that made a rule undefined, if there is one.

        It is one reported before that reads the same facet of the same param; or a violation reported later (attributes
        are checked last) of a rule about the value of an attribute that this one reads.
        """
        mine = self._facts(number)
        for other, finding in sorted((*self.violations, *self.warnings), key=lambda item: item[0]):
            if mine & self._facts(other):
                return finding.rule
        values = {fact for fact in mine if fact[1] == "value"}
        for other in self.violated:
            if other > number and values & self._facts(other):
                rule_id: str = self.rules[other]["id"]
                return rule_id
        return None

    def _facts(self, number: int) -> set[tuple[str, str]]:
        """What a rule reads; rank and shape are one thing where it comes to dimensions that are not there."""
        facts = self.rules[number].get("facts", ())
        return {(name, "shape" if facet == "rank" else facet) for name, facet in facts}

    def _finding(self, rule: dict[str, Any], explain: Callable[[], Explanation]) -> Finding:
        form = self.form
        document = form.detail.get("document")
        sources = rule.get("sources", ())
        source = f"{document}: {', '.join(sources)}" if document and sources else document
        return Finding(rule, f"{form.release}/{form.operator}/{rule['id']}", source, explain, self.lang)

    def _skipped(self, number: int, cause: str) -> Finding:
        rule = self.rules[number]
        return self._finding(rule, lambda: _because(rule, cause, self.lang))

    def _explained(self, rule: Mapping[str, Any]) -> Explanation:
        if self._env is None:
            self._env = self.explainer.environment(self.args, self.product, self.member)
        return self.explainer.explain(rule, self._env, self.lang)  # type: ignore[arg-type]

    def _doubts(self) -> tuple[Finding, ...]:
        """A warning where the document does not say whether the operator supports the call's product."""
        if self.product is None or _supported(self.form, self.product, self.member):
            return ()
        if "no" in (self.form.support.get(self.product), self.form.support.get(self.member or "")):
            return ()
        rule = {"id": "product.unknown", "status": 0, "param": None}
        return (self._finding(rule, lambda: _unknown_product(self.member or self.product or "", self.form, self.lang)),)


def _status_name(code: int) -> str:
    from opspec.vocabulary import status

    return status.name(code)


_REASONS = {
    "no_data": {
        "en": "needs data that the call does not carry ({0})",
        "zh": "需要调用中没有给出的数据（{0}）",
    },
    "skipped": {"en": "skipped because of {0}", "zh": "因{0}而跳过"},
    "product": {
        "en": "the document does not say whether {0} is supported; it names {1}",
        "zh": "文档未说明是否支持{0}；文档列出的产品有{1}",
    },
}


def _reason(key: str, lang: str, *parts: str) -> Explanation:
    from opspec.validator.explain import Explanation

    return Explanation(_REASONS[key][lang].format(*parts), "", "", None)


def _no_data(rule: Mapping[str, Any], lang: str) -> Explanation:
    needed = sorted(
        f"{name}.{facet}" if name else facet
        for name, facet in rule.get("facts", ())
        if facet in ("values", "value", "layout", "product")
    )
    return _reason("no_data", lang, ", ".join(needed) or rule["check"])


def _because(rule: Mapping[str, Any], cause: str, lang: str) -> Explanation:
    return _reason("skipped", lang, cause)


def _unknown_product(name: str, form: Form, lang: str) -> Explanation:
    named = ", ".join(product for product, support in form.support.items() if support == "yes")
    return _reason("product", lang, name, named)
