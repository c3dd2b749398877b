"""The models of spec format v2: what a YAML file of an operator may say.

What a key may hold is in ``opspec.model.values``. The models know the form of a spec, not the meaning of its
expressions: that is ``opspec.model.expand``. The docstrings and field descriptions are what ``opspec schema``
publishes.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, get_args

from pydantic import (
    BeforeValidator,
    Field,
    JsonValue,
    StringConstraints,
    model_validator,
)

from opspec.model import reference
from opspec.model.derived import usual_ctype
from opspec.model.values import (
    EXTENDED,
    RELEASE,
    Bilingual,
    CTypeText,
    EnumProperty,
    Expression,
    Identifier,
    Members,
    MembersProperty,
    Model,
    ProductId,
    Products,
    RuleName,
    Sentence,
    StatusText,
    SupportInput,
    SupportText,
    Text,
    TextsProperty,
    Wording,
    YesNo,
    YesNoInput,
    support,
    yes_no,
)
from opspec.vocabulary.literals import Ground, Stage, Step, Support


class Optional_(Model):
    """When a param may be null."""

    on: Products = Field(default=[], description="products on which it is optional; all when empty")
    when: Expression | None = Field(default=None, description="condition under which it is optional")


def _optional(value: object) -> object:
    if isinstance(value, dict):
        return value
    try:
        return yes_no(value)
    except ValueError:
        raise ValueError(f"expected yes, no or {{on: [products], when: condition}}, found {value!r}") from None


class Param(Model):
    """One param of the first phase, in prototype order (workspaceSize and executor are implied)."""

    name: Identifier = Field(description="its name in the prototype")
    ctype: CTypeText = Field(
        default=usual_ctype("in"),
        description="its C type; without, a tensor's: `const aclTensor*`, and `aclTensor*` of what is written. A param "
        "that a spec adds to those of another says it",
    )
    io: Literal["in", "out", "inout"] = Field(default="in", description="who writes it")
    also: list[Identifier] = Field(default=[], description="other spellings: the header's, an earlier page's")
    about: Wording | None = Field(default=None, description="what it means")
    optional: Annotated[bool | Optional_, BeforeValidator(_optional, json_schema_input_type=YesNoInput | Optional_)] = (
        Field(default=False, description="whether null may stand for it: yes, or {on: [products], when: condition}")
    )
    dtype: MembersProperty | None = Field(
        default=None,
        description="its dtypes: a dtype, a list, the name of one of the spec's `sets`, `same as X`, a set with "
        "changes, or cases",
    )
    format: MembersProperty | None = Field(
        default=None, description="its formats, in the same forms; a tensor's are [ND] by default, `any`: no rule"
    )
    rank: TextsProperty | None = Field(
        default=None, description="its number of dims: `3`, `2-8`, `<= 4`, a list of them, `same as X`, or cases"
    )
    shape: TextsProperty | None = Field(
        default=None, description='its symbolic shape: `"(B, N, S, D)"`, a list of alternatives, `same as X`, or cases'
    )
    dims: Annotated[str, StringConstraints(pattern=r"^(\*|\w+)(, (\*|\w+))*$", max_length=200)] | None = Field(
        default=None,
        description="what the page calls its dims, for readers: `_` has no name, `*` stands for any number of dims",
    )
    strided: Literal["yes", "no", "transposed", "unknown"] | None = Field(
        default=None,
        description="whether its layout may be non-contiguous (a tensor's may by default); transposed: in the last "
        "two axes only; unknown: the page does not say",
    )
    empty: YesNo | None = Field(default=None, description="whether it may have no elements, where the page says so")
    uniform: list[Literal["dtype", "format", "rank", "shape"]] = Field(
        default=[], description="what all elements of the list have in common"
    )
    length: TextsProperty | None = Field(default=None, description="how many elements an array or list has")
    each: TextsProperty | None = Field(
        default=None, description="what each element of an array is: a range, or a list of values"
    )
    enum: EnumProperty | None = Field(
        default=None, description="its values: a list, values with their meanings, or cases"
    )
    range: TextsProperty | None = Field(
        default=None, description="its range: `[1, 65535]`, `> 0`, several of which one must hold, or cases"
    )
    reserved: str | None = Field(default=None, description="`null`, or the one value allowed")

    @model_validator(mode="before")
    @classmethod
    def _said(cls, data: object) -> object:
        if not isinstance(data, dict):
            return data
        null = {"reserved": "null"} if "reserved" in data and data["reserved"] is None else {}
        return {"ctype": usual_ctype(data.get("io")), **data, **null}

    @property
    def is_tensor(self) -> bool:
        """Whether it is a tensor or a list of tensors."""
        return self.ctype.removeprefix("const ") in ("aclTensor*", "aclTensorList*")


#: property of a tensor -> what is written where the page does not say, in place of its default
NOT_SAID = {"format": "any", "strided": "unknown"}

Enforced = Annotated[
    Support | None,
    BeforeValidator(lambda v: v if v is None else support(v), json_schema_input_type=SupportInput | None),
]
#: A clause of the page by its id: ``out-shape``, ``161002/out-shape``, ``out-shape/2``; beside no ledger, by its place:
#: ``self/usage/1`` (a cell of the table of params), ``161002/3`` (a row of return codes), ``constraints/4``.
ClauseName = Annotated[str, StringConstraints(pattern=r"^[^\s/]+(/[^\s/]+)*$", max_length=200)]


_SAY = (
    "the whole requirement as a sentence, its condition included and its final full stop left out; names of params "
    "stand in backticks. It takes the place of the sentence that is made of the expressions"
)
_FAILS = (
    "what a call does that breaks the rule, as a clause that a row of return codes says of it; its final full stop is "
    "left out, names of params stand in backticks. Without it what `say` requires is called violated there"
)


class Rule(Model):
    """A rule of the operator. Without ``check`` it amends the rule of this id that sugar or the model derives."""

    check: Expression | None = Field(
        default=None, description="what must hold; `out same dtype as self` (also shape, format, rank) says so in words"
    )
    when: Expression | None = Field(default=None, description="the condition under which it must hold")
    param: Identifier | None = Field(
        default=None, description="the param a finding is about; by default the first one read"
    )
    status: StatusText | None = Field(
        default=None, description="the status code that breaking it leads to; by default its return-code row's"
    )
    stage: Stage | None = Field(
        default=None, description="where the runtime checks it; by default its row's, or params"
    )
    step: Step | None = Field(default=None, description="the step of the first phase's order that it belongs to")
    enforced: Enforced = Field(
        default=None, description="whether the runtime refuses a call that breaks it, where the author knows"
    )
    basis: Ground = Field(
        default="documented",
        description="what the rule rests on: a clause, a formula or common sense as its author reads them, calls alone",
    )
    evidence: Wording | None = Field(
        default=None,
        description="what an observed rule, or the word on enforcement, rests on, beside what machines recorded",
    )
    say: Sentence | None = Field(default=None, description=_SAY)
    fails: Sentence | None = Field(default=None, description=_FAILS)
    contradicts: list[RuleName] = Field(default=[], description="documented rules that this observed rule contradicts")
    from_: list[ClauseName] = Field(
        default=[],
        alias="from",
        description="the clauses of the page that it formalises, beside those that have its name",
    )

    @model_validator(mode="after")
    def _only_observed_contradicts(self) -> Rule:
        if self.contradicts and self.basis != "observed":
            raise ValueError("only an observed rule contradicts others")
        return self


Cell = str | None | list[str | None]


def _rule(value: object) -> object:
    return {"check": value} if isinstance(value, str) else value


RuleEntry = Annotated[Rule, BeforeValidator(_rule, json_schema_input_type=str | Rule)]


class Block(Model):
    """Rules of the operator under a condition that they share; its name in `rules` is for readers.

    A rule in it has the id that it has outside of it: others amend it and leave it out as any rule. Blocks may stand in
    blocks.
    """

    when: Expression = Field(
        description="the condition of all its rules; one that has a condition of its own, too, holds where both do"
    )
    rules: dict[RuleName, RuleEntry | Block] = Field(description="its rules, as those of the operator")


#: the operator's rules: blocks are opened (`opspec.model.written`) before a spec is one of these models
RulesAndBlocks = Annotated[
    dict[RuleName, RuleEntry], BeforeValidator(lambda v: v, json_schema_input_type=dict[RuleName, str | Rule | Block])
]


class Derived(Model):
    """A derived value that sentences call by words of its own instead of its name."""

    is_: Expression = Field(alias="is", description="the expression")
    en: Text | None = Field(
        default=None,
        description="a noun phrase that stands in English sentences for its name, names of params in backticks; of a "
        "condition one of which it can be said that it holds, or 'that' and a clause, which stands as it is",
    )
    zh: Text | None = Field(default=None, description="the same in Chinese")

    @property
    def words(self) -> tuple[str, str] | None:
        """Its noun phrases in English and in Chinese; a language without one has its name."""
        return None if self.en is None and self.zh is None else (self.en or "", self.zh or "")


def _derived(value: object) -> object:
    return {"is": value} if isinstance(value, str) else value


DerivedEntry = Annotated[Derived, BeforeValidator(_derived, json_schema_input_type=str | Derived)]


class Alternative(Model):
    """One way of satisfying a scenario: a row of its own, its shapes and its rules hold together."""

    id: RuleName = Field(description="its name")
    about: Wording | None = Field(
        default=None, description="what sentences call it; common schemes of quantisation (`int8`, `a8w4` …) have words"
    )
    when: Expression | None = Field(default=None, description="the condition under which it applies")
    rows: list[list[Cell]] = Field(
        default=[],
        description="combinations of the scenario's columns, of which a call must have one; a cell is a value, a list "
        "of values, null or `any`",
    )
    shapes: dict[Identifier, str | list[str]] = Field(default={}, description="symbolic shapes by param")
    rules: dict[RuleName, RuleEntry] = Field(default={}, description="rules, as those of the operator")


class Scenario(Model):
    """Named alternatives of which a call must satisfy one whole."""

    when: Expression | None = Field(default=None, description="the condition under which one must be satisfied")
    param: Identifier | None = Field(default=None, description="the param a finding is about; else the first one read")
    status: StatusText | None = Field(default=None, description="the status code of a call that satisfies none")
    stage: Stage | None = Field(default=None, description="where the runtime checks it")
    enforced: Enforced = Field(default=None, description="whether the runtime refuses such a call")
    evidence: Wording | None = Field(default=None, description="what the word on enforcement rests on")
    say: Sentence | None = Field(default=None, description=_SAY)
    fails: Sentence | None = Field(default=None, description=_FAILS)
    from_: list[ClauseName] = Field(
        default=[], alias="from", description="the clauses that it formalises, beside those that have its name"
    )
    columns: list[Expression] = Field(
        default=[],
        description="what the alternatives' rows tell, column by column: `x.dtype`, an attribute, a tensor's presence",
    )
    alternatives: list[Alternative] = Field(description="the alternatives, the likeliest first")

    @model_validator(mode="after")
    def _rectangular(self) -> Scenario:
        for alternative in self.alternatives:
            for number, row in enumerate(alternative.rows, 1):
                if len(row) != len(self.columns):
                    raise ValueError(
                        f"row {number} of {alternative.id} has {len(row)} cells, there are {len(self.columns)} columns"
                    )
        return self


class EarlySuccess(Model):
    """Where the first phase returns 0 before its later checks."""

    when: Expression = Field(description="the calls for which it does")
    after: Step = Field(description="the step after which it returns")
    evidence: Text | None = Field(default=None, description="how this is known")


class TwinParam(Model):
    """What the twin's own prototype and table say of a param otherwise."""

    name: Identifier = Field(description="the param, by its name here")
    ctype: CTypeText | None = Field(default=None, description="its C type, where only `const` differs")
    dtype: MembersProperty | None = Field(default=None, description="its dtypes, in the forms of a param")
    format: MembersProperty | None = Field(default=None, description="its formats")
    rank: TextsProperty | None = Field(default=None, description="its number of dims")


class Twin(Model):
    """A second operator of the same page whose params are this one's under other names.

    Where two params are one here, what is asked of one beside the other (the same data type, a format of the other) is
    no rule: it always holds.
    """

    operator: Identifier = Field(description="its name")
    header: str | None = Field(default=None, description="where it is declared, where that is elsewhere")
    rename: dict[Identifier, Identifier] = Field(default={}, description="param of the first operator -> its name here")
    summary: Wording | None = Field(default=None, description="what it does, in a line")
    params: list[TwinParam] = Field(default=[], description="params of which its own table says something else")
    rules: dict[RuleName, RuleEntry] = Field(
        default={},
        description="rules of its own, or of the same id but other; `twin/` begins a place in its own section (`from`)",
    )
    without: list[RuleName] = Field(default=[], description="rules of the first operator that do not hold here")


#: An output; or what a first phase makes of a tensor: ``weightRef.format``, ``weightRef.storage_shape``.
ResultName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*(\.(format|storage_shape))?$")]
Results = Annotated[
    dict[ResultName, Expression],
    Field(
        description="what a function of one phase writes: output -> its value; of an array its elements, or how many "
        "there are when their values are not told. Of two phases: what the first one makes of a tensor that it is "
        "given, `PARAM.format` and `PARAM.storage_shape`"
    ),
]


class Helper(Model):
    """A function of one phase beside the operator, of the same page."""

    function: Annotated[str, StringConstraints(pattern=r"^aclnn[A-Za-z0-9_]{1,120}$")] = Field(description="its name")
    summary: Wording | None = Field(default=None, description="what it does, in a line")
    params: list[Param] = Field(description="its params")
    let: dict[Identifier, DerivedEntry] = Field(default={}, description="derived values, as those of the operator")
    rules: dict[RuleName, RuleEntry] = Field(default={}, description="its rules")
    clauses: dict[ClauseName, list[RuleName]] = Field(default={}, description="clauses that derived rules formalise")
    results: Results = Field(default={}, description="what it writes, by output")


class Formula(Model):
    """A formula in LaTeX, and what it is for when there are several."""

    latex: Text = Field(description="the formula in LaTeX")
    title: Wording | None = Field(default=None, description="what it is for, where there are several")
    where: dict[Text, Wording] = Field(
        default={}, description="what its letters stand for that nothing else on the page explains, each in LaTeX"
    )


def _formulas(value: object) -> object:
    items = [value] if isinstance(value, (str, dict)) else value
    return [{"latex": item} if isinstance(item, str) else item for item in items] if isinstance(items, list) else items


class Deprecated(Model):
    """That the vendor is going to withdraw the operator, and what a program calls instead."""

    successors: list[Identifier] = Field(default=[], description="operators that together do what this one does")


class Determinism(Model):
    """Whether results are deterministic by default, and whether that can be switched on."""

    default: YesNo = Field(description="whether results are deterministic if nothing is switched")
    switchable: YesNo | None = Field(default=None, description="whether that can be switched on")
    by: Literal["HCCL_DETERMINISTIC"] | None = Field(
        default=None, description="the environment variable that does; `aclrtCtxSetSysParamOpt` where none is named"
    )
    on: Products = Field(default=[], description="products this is said of; all when empty")


def _determinism(value: object) -> object:
    if isinstance(value, str):
        return [{"default": value}]
    return [value] if isinstance(value, dict) else value


class Conflict(Model):
    """Two statements of the pages that contradict each other, and which one the spec follows."""

    between: list[Wording] = Field(
        description="the clauses that contradict each other; a place that is none of them, or words"
    )
    resolution: Wording = Field(description="which one the spec follows, and why")


Kind = Literal[
    "usage", "pairing", "order", "environment", "communication", "memory", "data", "determinism", "precision",
    "performance", "limits",
]  # fmt: skip


class _About(Model):
    about: Kind = Field(
        description="what it is about: `usage`, `pairing` with other operators, `order` of calls, `environment`, "
        "`communication` among cards, `memory`, `data` on the device, `determinism`, `precision`, `performance`, "
        "`limits` that no call shows"
    )


class Remark(Bilingual, _About):  # keys are in this order: about, the texts, what follows
    """Something to know that no rule can check. Names of params stand in backticks; a twin has its own there."""

    param: Identifier | None = Field(default=None, description="the param beside which a page shows it")
    on: Products = Field(default=[], description="products it is about; all when empty")
    from_: list[ClauseName] = Field(default=[], alias="from", description="the clauses of the page that it says")


#: what a remark may be about, in the order in which pages show them
KINDS: tuple[Kind, ...] = get_args(Kind)


class ExampleCall(Model):
    """One legal call."""

    product: str | None = Field(default=None, description="the product that it is legal on")
    args: dict[str, JsonValue] = Field(
        description="arguments by param: `FLOAT[2, 3]` is a tensor, `FLOAT 1.0` a scalar, lists are lists, others as "
        "opspec check reads them"
    )


#: An output, or a name that a line of a reference gives a value; several share one that is a tuple.
ReferenceTargets = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_]\w*(, [A-Za-z_]\w*)*$")]


class Spec(Model):
    """A spec file: one operator (and its twin) in one release."""

    operator: Identifier = Field(description="the operator's name")
    extends: Annotated[str, StringConstraints(pattern=EXTENDED)] | None = Field(
        default=None,
        description="the operator that this one is a version or variant of, or the same one in another release "
        "(`9.1.0/aclnnAdd`): what is not said is as there. `params` "
        "is {name: what differs}; a key with null is not as there, and not said",
    )
    without: list[RuleName] = Field(default=[], description="rules of the extended operator that do not hold")
    release: Annotated[str, StringConstraints(pattern=RELEASE)] = Field(
        description="the CANN release; not written where the name of a folder above the file says it"
    )
    document: Text | None = Field(default=None, description="the page it was written from")
    header: Annotated[str, StringConstraints(pattern=r"^([A-Za-z0-9_./-]+\.h|unknown)$")] | None = Field(
        default=None,
        description="the header that declares it, as a program includes it, or `unknown`; where it is not said it is "
        "that of the operator's name: `aclnnop/aclnn_add_relu.h` of `aclnnAddRelu`",
    )
    deprecated: Deprecated | None = Field(
        default=None, description="that the page says not to use it any more, and what to use instead"
    )
    summary: Wording | None = Field(default=None, description="what it does, in a line")
    formula: Annotated[
        list[Formula], BeforeValidator(_formulas, json_schema_input_type=str | Formula | list[str | Formula])
    ] = Field(default=[], description="what it computes, in LaTeX")
    reference: dict[ReferenceTargets, Expression] = Field(
        default={},
        description="what it computes, for the numbers of its page: output, or a name for the lines below -> an "
        "expression over tensors (opspec/model/reference.py); without one, the call of PyTorch that the "
        "operator stands for does it. Who extends the operator does not have it",
    )
    small: dict[Identifier, JsonValue] = Field(
        default={},
        description="inputs of a call that is small enough to show numbers, in the notation of `example`; those that "
        "it leaves out, and values, are chosen",
    )
    products: dict[ProductId, SupportText] = Field(description="product -> whether it is supported; others are unknown")
    configured: list[ProductId] = Field(
        default=[],
        description="products that `products` denies, as the page does, and the vendor's configuration has kernels "
        "for: a call there is illegal, and the first phase does not refuse it for its product",
    )
    deterministic: Annotated[
        list[Determinism],
        BeforeValidator(_determinism, json_schema_input_type=YesNoInput | Determinism | list[Determinism]),
    ] = Field(default=[], description="whether its results are deterministic")
    interface: Literal["two-phase", "single-phase"] = Field(
        default="two-phase", description="whether it has a first phase that plans, or is one function"
    )
    generated_from: Identifier | None = Field(
        default=None,
        description="the kernel that the interface is generated from: its definition in the release's `kernels.jsonl` "
        "says what the first phase checks, and nothing else does before tiling",
    )
    looks_up: Identifier | None = Field(
        default=None,
        description="the kernel whose generated interface a hand-written one ends in: its definition says which dtypes "
        "and formats are looked up behind the checks",
    )
    kernel_parts: dict[Identifier, Identifier] = Field(
        default={},
        description="part of the kernel that `looks_up` names -> the param that stands for it, where their names and "
        "order do not tell; `none` where the interface fills it in itself",
    )
    stream: Literal["aclrtStream", "const aclrtStream"] = Field(
        default="aclrtStream", description="the type of the second phase's last param"
    )
    partial: Wording | None = Field(default=None, description="what this spec leaves out, when it is not whole")
    sets: dict[Identifier, Members] = Field(
        default={}, description="names for sets that several params have; `dtype: NAME` uses one"
    )
    words: dict[RuleName, Wording] = Field(
        default={},
        description="names for sentences that stand in the file more than once; `evidence: NAME`, `about: NAME` and "
        "whatever else is in two languages may use one, in this file",
    )
    groups: dict[RuleName, list[ProductId]] = Field(
        default={},
        description="names for products that stand together more than once; `on: NAME` uses one, in this file",
    )
    params: list[Param] = Field(description="the params of the first phase, in the prototype's order")
    let: dict[Identifier, DerivedEntry] = Field(
        default={},
        description="derived values: name -> expression, or {is: expression, en: noun phrase, zh: noun phrase}; rules "
        "and other derived values may read them",
    )
    stage: Stage | None = Field(
        default=None,
        description="where the runtime checks the rules below that do not say so and stand in no row of return codes",
    )
    rules: RulesAndBlocks = Field(
        default={},
        description="id -> the rule; an expression alone stands for {check: expression}; name -> a block of rules",
    )
    results: Results = Field(default={})
    scenarios: dict[RuleName, Scenario] = Field(default={}, description="id -> alternatives of which one must hold")
    early_success: list[EarlySuccess] = Field(default=[], description="where the first phase returns 0 early")
    clauses: dict[ClauseName, list[RuleName]] = Field(
        default={},
        description="clause -> the rules derived from params that formalise it; its own name then says nothing",
    )
    remarks: list[Remark] = Field(default=[], description="what to know that no rule can check")
    conflicts: list[Conflict] = Field(default=[], description="statements of the pages that contradict each other")
    twin: Twin | None = Field(default=None, description="the second operator of the page: the in-place variant")
    helpers: list[Helper] = Field(default=[], description="functions of one phase beside the operator")
    example: ExampleCall | None = Field(default=None, description="one legal call; lint verifies it")

    @property
    def kernel(self) -> str | None:
        """The kernel whose definition says what its first phase looks up."""
        return self.generated_from or self.looks_up

    @property
    def kernel_key(self) -> str:
        """The key that says so."""
        return "generated_from" if self.looks_up is None else "looks_up"

    @model_validator(mode="after")
    def _one_kernel(self) -> Spec:
        if self.generated_from is not None and self.looks_up is not None:
            raise ValueError("an interface is generated from a kernel, or ends in a generated one: not both")
        return self

    @model_validator(mode="after")
    def _distinct_params(self) -> Spec:
        seen: dict[str, str] = {}
        for param in self.params:
            for name in (param.name, *param.also):
                if name in seen:
                    raise ValueError(f"param name {name!r} occurs twice")
                seen[name] = param.name
        return self

    @model_validator(mode="after")
    def _readable_reference(self) -> Spec:
        reference.check(self.reference, self.small, [param.name for param in self.params])
        return self


def is_same_as(text: object) -> str | None:
    """X where a property says 'same as X', otherwise None."""
    found = re.fullmatch(r"same as ([A-Za-z_][A-Za-z0-9_]*)", text) if isinstance(text, str) else None
    return found[1] if found else None
