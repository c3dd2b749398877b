"""What opspec says of a call."""

from __future__ import annotations

from opspec.errors import internal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec.registry.registry import Case
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
        enforcement: of a broken rule, what the runtime does about it: refused (with ``status``), unchecked (its checks
            accept the call all the same) or contradicted (programs that break it ran). None of what was not decided.
        early: the first phase returns success before it would come to the rule.
        lang: language of its words, and of the page that it points at.
    """

    __slots__ = ("_explain", "_explanation", "_param", "basis", "early", "enforcement", "full_id", "lang", "rule", "source",
                 "stage", "status")  # fmt: skip

    def __init__(
        self,
        rule: str,
        param: str | None,
        case: Case,
        explain: Callable[[], Explanation],
        lang: str,
        status: int = 0,
        stage: str = "params",
        basis: str = "documented",
        source: str | None = None,
    ) -> None:
        self.rule = rule
        self.full_id = f"{case.release}/{case.operator}/{rule}"
        self.source = source
        self.lang = lang
        self.status = status
        self.stage = stage
        self.basis = basis
        self.enforcement: str | None = None
        self.early = False
        self._param = param
        self._explain = explain
        self._explanation: Explanation | None = None

    @property
    def words(self) -> Explanation:
        """Message, expected and actual value."""
        if self._explanation is None:
            try:
                self._explanation = self._explain()
            except Exception as error:
                raise internal(self.full_id.split("/")[1], self.rule, error) from error
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
            "enforcement": self.enforcement,
            "page": self.page,
        }

    def __repr__(self) -> str:
        return f"Finding({self.full_id}: {self.message})"


class Told:
    """What a verdict says; all calls with nothing to report have one in common."""

    __slots__ = ("code", "legal", "status", "undecided", "violations", "warnings")

    def __init__(
        self, code: int = 0, status: str = "ACLNN_SUCCESS", legal: bool = True,
        violations: tuple[Finding, ...] = (), warnings: tuple[Finding, ...] = (), undecided: tuple[Finding, ...] = (),
    ) -> None:  # fmt: skip
        self.code = code
        self.status = status
        self.legal = legal
        self.violations = violations
        self.warnings = warnings
        self.undecided = undecided


NOTHING = Told()


class Verdict:
    """What opspec says of a call.

    Attributes:
        id: the call's own, where it has one.
    """

    __slots__ = ("_case", "_told", "id")

    def __init__(self, case: Case, told: Told) -> None:
        self.id: object = None
        self._case = case
        self._told = told

    @property
    def op(self) -> str:
        """The operator."""
        return self._case.operator

    @property
    def release(self) -> str:
        """The release whose documents it was judged by."""
        return self._case.release

    @property
    def product(self) -> str | None:
        """The product, or the member of one that the call names."""
        return self._case.named

    @property
    def code(self) -> int:
        """Number of the status code that the first phase is expected to return."""
        return self._told.code

    @property
    def status(self) -> str:
        """Name of that status code."""
        return self._told.status

    @property
    def legal(self) -> bool:
        """Whether no rule is broken, other than those that programs which ran contradict.

        A call that breaks only rules which the first phase's checks do not look at is illegal with status 0: the
        runtime will not tell you.
        """
        return self._told.legal

    @property
    def violations(self) -> tuple[Finding, ...]:
        """The broken rules that make the call illegal, in the order of the first phase; ``enforcement`` says of each
        whether the runtime refuses the call for it."""
        return self._told.violations

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Broken rules that programs which ran contradict, and doubts about the product."""
        return self._told.warnings

    @property
    def undecided(self) -> tuple[Finding, ...]:
        """Rules that could not be judged, each with the reason as its message."""
        return self._told.undecided

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
            "violations": [finding.to_dict() for finding in self.violations],
            "warnings": [finding.to_dict() for finding in self.warnings],
            "undecided": [finding.to_dict() for finding in self.undecided],
        }

    def __bool__(self) -> bool:
        return self.legal

    def __repr__(self) -> str:
        named = f"{self.op} {self.release} {self.product}"
        return f"Verdict({named}: {self.code} {self.status}, {len(self.violations)} violations)"
