"""What opspec says of a call."""

from __future__ import annotations

from opspec.errors import internal
from opspec.later import later, typing
from opspec.registry.registry import Case, Form

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language import interpret
    from opspec.registry import info
    from opspec.validator import explanation
    from opspec.vocabulary import literals
else:
    interpret = later("opspec.language.interpret")
    info = later("opspec.registry.info")
    explanation = later("opspec.validator.explanation")
    literals = later("opspec.vocabulary.literals")


UNKNOWN = "product.unknown"  #: what is said where the document does not say whether it supports a product


class Call:
    """A call of which findings speak, when somebody reads them."""

    __slots__ = ("_env", "args", "case")

    def __init__(self, case: Case, args: tuple[typing.Any, ...]) -> None:
        self.case = case
        self.args = args
        self._env: interpret.Env | None = None

    @property
    def env(self) -> interpret.Env:
        """What the interpreter evaluates its rules against."""
        if self._env is None:
            self._env = self.case.form.environment(self.args, self.case.product, self.case.member)
        return self._env


class Remark:
    """What all findings on one rule of an operator have in common, on one product and in one language; its parts are
    those of :class:`Finding`.

    Args:
        rule: None for the doubt whether the operator supports the product, which is no rule of it.
    """

    __slots__ = (
        "_page", "assumed", "basis", "early", "enforcement", "full_id", "lang", "param", "rule", "source", "stage",
        "status",
    )  # fmt: skip

    def __init__(self, form: Form, rule: info.RuleInfo | None, lang: literals.Lang) -> None:
        document = form.info.document
        self.lang = lang
        self.rule = UNKNOWN if rule is None else rule.id
        self.full_id = f"{form.release}/{form.operator}/{self.rule}"
        self.source = f"{document}: {', '.join(rule.sources)}" if document and rule and rule.sources else document
        self.param = None if rule is None else rule.param
        self.status = 0 if rule is None else rule.status
        self.stage: literals.Stage = "params" if rule is None else rule.stage
        self.basis: literals.Basis = "documented" if rule is None else rule.basis
        self.enforcement: literals.Enforcement | None = None
        self.assumed = False
        self.early = False
        self._page = ""

    @property
    def page(self) -> str:
        """See :attr:`Finding.page`."""
        if not self._page:
            self._page = page_of(self.full_id, self.lang)
        return self._page

    def words(self, call: Call) -> explanation.Explanation:
        """How it is said of a call."""
        raise NotImplementedError


def page_of(full_id: str, lang: literals.Lang, form: str = "md") -> str:
    """Where ``opspec docs --out DIR`` writes a rule, below DIR."""
    release, operator, rule = full_id.split("/", 2)
    if rule == UNKNOWN:
        return f"{release}/{operator}.{lang}.{form}"
    return f"{release}/{operator}.rules.{lang}.{form}#rule-{rule}"


class Finding:
    """One thing a verdict says about one rule; its words are made when first read.

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

    __slots__ = ("_call", "_remark", "_words")

    def __init__(self, remark: Remark, call: Call) -> None:
        self._remark = remark
        self._call = call
        self._words: explanation.Explanation | None = None

    @property
    def kind(self) -> tuple[Remark, explanation.Explanation]:
        """All that it says; findings of calls that are alike in what a rule reads have it in common."""
        return self._remark, self._words or self.words

    @property
    def lang(self) -> literals.Lang:
        """Language of its words, and of the page that it points at."""
        return self._remark.lang

    @property
    def rule(self) -> str:
        """The rule's id within the operator."""
        return self._remark.rule

    @property
    def full_id(self) -> str:
        """The rule's id with release and operator."""
        return self._remark.full_id

    @property
    def source(self) -> str | None:
        """Document and place of the clause that the rule formalises."""
        return self._remark.source

    @property
    def status(self) -> int:
        """Number of the status code that the rule stands for."""
        return self._remark.status

    @property
    def stage(self) -> literals.Stage:
        """Where it is checked: params, infershape, kernel, tiling or device."""
        return self._remark.stage

    @property
    def basis(self) -> literals.Basis:
        """Who says so: documented, definition (of a kernel), inferred or observed."""
        return self._remark.basis

    @property
    def enforcement(self) -> literals.Enforcement | None:
        """Of a broken rule, what the runtime does about it: refused (with ``status``), unchecked (the call comes
        through the whole first phase), unknown (the argument checks let it pass, and what comes behind them is not
        known) or contradicted (programs that break it ran). None of what was not decided."""
        return self._remark.enforcement

    @property
    def assumed(self) -> bool:
        """No call recorded of the release shows that."""
        return self._remark.assumed

    @property
    def early(self) -> bool:
        """The first phase returns success before it would come to the rule."""
        return self._remark.early

    @property
    def words(self) -> explanation.Explanation:
        """Message, expected and actual value."""
        if self._words is None:
            try:
                self._words = self._remark.words(self._call)
            except Exception as error:
                raise internal(self.full_id.split("/")[1], self.rule, error) from error
        return self._words

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
        return self.words.path or self._remark.param

    @property
    def page(self) -> str:
        """Where ``opspec docs --out DIR`` writes the rule, below DIR: ``9.1.0/aclnnX.rules.en.md#rule-y.dtype``."""
        return self._remark.page

    def to_dict(self) -> dict[str, object]:
        """The finding as JSON values."""
        remark, words = self.kind
        return {
            "rule": remark.rule,
            "param": words.path or remark.param,
            "message": words.message,
            "expected": words.expected,
            "actual": words.actual,
            **self.of_rule(),
        }

    def of_rule(self) -> dict[str, object]:
        """What of :meth:`to_dict` comes behind the words: all calls that break the rule have it in common."""
        remark = self._remark
        return {
            "source": remark.source,
            "status": remark.status,
            "stage": remark.stage,
            "basis": remark.basis,
            "enforcement": remark.enforcement,
            "assumed": remark.assumed,
            "page": remark.page,
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
