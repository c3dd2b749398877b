"""What opspec says of a call."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from opspec.validator.explain import Explanation


class Finding:
    """One thing a verdict says about one rule; its words are made when first read.

    Attributes:
        rule: the rule's id within the operator; ``full_id`` adds release and operator.
        param: the param it is about, with an index where an element of a list is meant.
        message, expected, actual: in the language that the check was asked for.
        source: document and place of the clause that the rule formalises, or None.
        status: number of the status code that the rule stands for.
        stage: params, infershape, tiling or device.
        basis: documented or observed.
        lang: language of its words, and of the page that it points at.
    """

    __slots__ = ("_explain", "_explanation", "_param", "basis", "full_id", "lang", "rule", "source", "stage", "status")

    def __init__(
        self,
        rule: dict[str, Any],
        full_id: str,
        source: str | None,
        explain: Callable[[], Explanation],
        lang: str = "en",
    ) -> None:
        self.rule: str = rule["id"]
        self.full_id = full_id
        self.source = source
        self.lang = lang
        self.status: int = rule["status"]
        self.stage: str = rule.get("stage", "params")
        self.basis: str = rule.get("basis", "documented")
        self._param: str | None = rule.get("param")
        self._explain = explain
        self._explanation: Explanation | None = None

    @property
    def words(self) -> Explanation:
        """Message, expected and actual value."""
        if self._explanation is None:
            self._explanation = self._explain()
        return self._explanation

    @property
    def message(self) -> str:
        """The whole sentence."""
        return self.words.message

    @property
    def expected(self) -> str:
        """What the rule requires here."""
        return self.words.expected

    @property
    def actual(self) -> str:
        """What the call has."""
        return self.words.actual

    @property
    def param(self) -> str | None:
        """The param, with the index of a list's element where one is meant."""
        return self.words.path or self._param

    @property
    def page(self) -> str:
        """Where ``opspec docs --out DIR`` writes the rule, below DIR: ``9.1.0/aclnnX.en.md#rule-out-dtype``."""
        release, operator, rule = self.full_id.split("/", 2)
        anchor = "" if rule == "product.unknown" else f"#rule-{rule}"  # a doubt, no rule of the operator
        return f"{release}/{operator}.{self.lang}.md{anchor}"

    def to_dict(self) -> dict[str, object]:
        """The finding as JSON values."""
        return {
            "rule": self.rule,
            "param": self.param,
            "message": self.message,
            "expected": self.expected,
            "actual": self.actual,
            "source": self.source,
            "status": self.status,
            "stage": self.stage,
            "basis": self.basis,
            "page": self.page,
        }

    def __repr__(self) -> str:
        return f"Finding({self.full_id}: {self.message})"


class Verdict:
    """What opspec says of a call.

    Attributes:
        status, code: name and number of the status code that the first phase is expected to return.
        legal: whether that is success.
        portable: whether moreover no documented rule is violated.
        violations: rules that the runtime is taken to enforce, in the order of the first phase.
        warnings: documented rules that the runtime lets pass, and doubts about the product.
        unchecked: rules that could not be judged, each with the reason as its message.
    """

    __slots__ = (
        "code", "id", "legal", "op", "portable", "product", "release", "status", "unchecked", "violations", "warnings",
    )  # fmt: skip

    def __init__(
        self, op: str, release: str, product: str | None, code: int = 0, status: str = "ACLNN_SUCCESS",
        portable: bool = True,
        violations: tuple[Finding, ...] = (), warnings: tuple[Finding, ...] = (), unchecked: tuple[Finding, ...] = (),
    ) -> None:  # fmt: skip
        self.id: object = None
        self.op = op
        self.release = release
        self.product = product
        self.code = code
        self.status = status
        self.legal = code == 0
        self.portable = portable
        self.violations = violations
        self.warnings = warnings
        self.unchecked = unchecked

    def to_dict(self) -> dict[str, object]:
        """The verdict as JSON values."""
        return {
            "id": self.id,
            "op": self.op,
            "release": self.release,
            "product": self.product,
            "status": self.status,
            "code": self.code,
            "legal": self.legal,
            "portable": self.portable,
            "violations": [finding.to_dict() for finding in self.violations],
            "warnings": [finding.to_dict() for finding in self.warnings],
            "unchecked": [finding.to_dict() for finding in self.unchecked],
        }

    def __bool__(self) -> bool:
        return self.legal

    def __repr__(self) -> str:
        named = f"{self.op} {self.release} {self.product}"
        return f"Verdict({named}: {self.code} {self.status}, {len(self.violations)} violations)"
