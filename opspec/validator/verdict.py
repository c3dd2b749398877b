"""What opspec says of a call."""

from __future__ import annotations

from collections.abc import Callable

from opspec.errors import internal
from opspec.later import later
from opspec.registry.registry import Case

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.validator import explain
    from opspec.vocabulary import literals
else:
    explain = later("opspec.validator.explain")
    literals = later("opspec.vocabulary.literals")


class About:
    """What all findings on one rule of an operator have in common; its parts are those of :class:`Finding`."""

    __slots__ = ("basis", "full_id", "pages", "param", "rule", "source", "stage", "status")

    def __init__(
        self, rule: str, full_id: str, param: str | None = None, status: int = 0,
        stage: literals.Stage = "params", basis: literals.Basis = "documented", source: str | None = None,
    ) -> None:  # fmt: skip
        self.rule = rule
        self.full_id = full_id
        self.param = param
        self.status = status
        self.stage = stage
        self.basis = basis
        self.source = source
        self.pages: dict[str, str] = {}  # by language


def page_of(full_id: str, lang: literals.Lang, form: str = "md") -> str:
    """Where ``opspec docs --out DIR`` writes a rule, below DIR."""
    release, operator, rule = full_id.split("/", 2)
    if rule == "product.unknown":  # a doubt, no rule of the operator
        return f"{release}/{operator}.{lang}.{form}"
    return f"{release}/{operator}.rules.{lang}.{form}#rule-{rule}"


class Finding:
    """One thing a verdict says about one rule; its words are made when first read.

    Attributes:
        lang: language of its words, and of the page that it points at.
        enforcement: of a broken rule, what the runtime does about it: refused (with ``status``), unchecked (the call
            comes through the whole first phase), unknown (the argument checks let it pass, and what comes behind them
            is not known) or contradicted (programs that break it ran). None of what was not decided.
        assumed: no call recorded of the release shows that.
        early: the first phase returns success before it would come to the rule.

    >>> from opspec import Tensor, check
    >>> x, out = Tensor((2, 3), "FLOAT"), Tensor((2, 4), "FLOAT")
    >>> finding = check("aclnnSin", product="910b", self=x, out=out).violations[0]
    >>> finding.full_id, finding.param, finding.enforcement
    ('9.1.0/aclnnSin/out-same-shape', 'out', 'refused')
    >>> finding.assumed
    False
    >>> finding.message
    'out must have the same shape as self; found out.shape = [2, 4], self.shape = [2, 3]'
    >>> finding.expected, finding.actual
    ('[2, 3]', '[2, 4]')
    """

    __slots__ = ("_about", "_explain", "_explanation", "assumed", "early", "enforcement", "lang")

    def __init__(
        self, about: About, words: Callable[[], explain.Explanation], lang: literals.Lang,
        enforcement: literals.Enforcement | None = None, assumed: bool = False, early: bool = False,
    ) -> None:  # fmt: skip
        self.lang = lang
        self.enforcement = enforcement
        self.assumed = assumed
        self.early = early
        self._about = about
        self._explain = words
        self._explanation: explain.Explanation | None = None

    @property
    def kind(self) -> tuple[About, explain.Explanation, literals.Enforcement | None, bool]:
        """All that it says; findings of calls that are alike in what a rule reads have it in common."""
        return self._about, self._explanation or self.words, self.enforcement, self.assumed

    @property
    def rule(self) -> str:
        """The rule's id within the operator."""
        return self._about.rule

    @property
    def full_id(self) -> str:
        """The rule's id with release and operator."""
        return self._about.full_id

    @property
    def source(self) -> str | None:
        """Document and place of the clause that the rule formalises."""
        return self._about.source

    @property
    def status(self) -> int:
        """Number of the status code that the rule stands for."""
        return self._about.status

    @property
    def stage(self) -> literals.Stage:
        """Where it is checked: params, infershape, kernel, tiling or device."""
        return self._about.stage

    @property
    def basis(self) -> literals.Basis:
        """Who says so: documented, definition (of a kernel), inferred or observed."""
        return self._about.basis

    @property
    def words(self) -> explain.Explanation:
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
        return self.words.path or self._about.param

    @property
    def page(self) -> str:
        """Where ``opspec docs --out DIR`` writes the rule, below DIR: ``9.1.0/aclnnX.rules.en.md#rule-y.dtype``."""
        pages = self._about.pages
        if self.lang not in pages:
            pages[self.lang] = page_of(self.full_id, self.lang)
        return pages[self.lang]

    def to_dict(self) -> dict[str, object]:
        """The finding as JSON values."""
        about, words = self._about, self.words
        return {
            "rule": about.rule,
            "param": words.path or about.param,
            "message": words.message,
            "expected": words.expected,
            "actual": words.actual,
            **self.of_rule(),
        }

    def of_rule(self) -> dict[str, object]:
        """What of :meth:`to_dict` comes behind the words: all calls that break the rule have it in common."""
        about = self._about
        return {
            "source": about.source,
            "status": about.status,
            "stage": about.stage,
            "basis": about.basis,
            "enforcement": self.enforcement,
            "assumed": self.assumed,
            "page": self.page,
        }

    def __repr__(self) -> str:
        return f"Finding({self.full_id}: {self.message})"


class Told:
    """What a verdict says; all calls with nothing to report have one in common."""

    __slots__ = ("code", "legal", "status", "undecided", "violations", "warnings")

    def __init__(
        self, code: int = 0, status: literals.Status = "ACLNN_SUCCESS", legal: bool = True,
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

    >>> from opspec import Tensor, check
    >>> x, out = Tensor((2, 3), "FLOAT"), Tensor((2, 4), "FLOAT")
    >>> verdict = check("aclnnSin", product="910b", self=x, out=out)
    >>> bool(verdict), verdict.code, verdict.status, [finding.rule for finding in verdict.violations]
    (False, 161002, 'ACLNN_ERR_PARAM_INVALID', ['out-same-shape'])
    >>> verdict.op, verdict.product, verdict.support, verdict.warnings, verdict.undecided
    ('aclnnSin', '910b', 'yes', (), ())
    """

    __slots__ = ("_case", "_told", "id")

    def __init__(self, case: Case, told: Told) -> None:
        self.id: object = None
        self._case = case
        self._told = told

    @property
    def kind(self) -> tuple[Case, Told]:
        """All but the id; many legal calls have it in common."""
        return self._case, self._told

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
    def support(self) -> literals.Support | None:
        """What the page says of the product: yes, no or unknown; None where the call names none."""
        return None if self._case.named is None else self._case.support

    @property
    def code(self) -> int:
        """Number of the status code that the first phase is expected to return."""
        return self._told.code

    @property
    def status(self) -> literals.Status:
        """Name of that status code."""
        return self._told.status

    @property
    def legal(self) -> bool:
        """Whether no rule is broken, other than those that programs which ran contradict.

        A call that breaks only rules for which it is not known to be refused is illegal with status 0. Where all of
        them are unchecked, and calls show it, the runtime will not tell you.
        """
        return self._told.legal

    @property
    def violations(self) -> tuple[Finding, ...]:
        """The broken rules that make the call illegal, in the order of the first phase; ``enforcement`` says of each
        whether the runtime refuses the call for it."""
        return self._told.violations

    @property
    def decisive(self) -> Finding | None:
        """The violation whose status the first phase returns; where it refuses for none, the first."""
        from opspec.vocabulary.enforcement import REFUSED  # known to whoever has a finding, and to no legal call

        broken = self.violations
        return next((one for one in broken if one.enforcement == REFUSED), broken[0] if broken else None)

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
        case, told = self._case, self._told
        return {
            "id": self.id,
            "op": case.operator,
            "release": case.release,
            "product": case.named,
            "support": self.support,
            "status": told.status,
            "code": told.code,
            "legal": told.legal,
            "violations": [finding.to_dict() for finding in told.violations],
            "warnings": [finding.to_dict() for finding in told.warnings],
            "undecided": [finding.to_dict() for finding in told.undecided],
        }

    def __bool__(self) -> bool:
        return self.legal

    def __str__(self) -> str:
        """What ``opspec check`` prints of it."""
        from opspec.validator.text import Lines

        told = (*self.violations, *self.warnings, *self.undecided)
        return Lines(told[0].lang if told else "en").whole(self)

    def __repr__(self) -> str:
        named = f"{self.op} {self.release} {self.product}"
        return f"Verdict({named}: {self.code} {self.status}, {len(self.violations)} violations)"
