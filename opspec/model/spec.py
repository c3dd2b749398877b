"""The models of spec format v1: what a YAML file of an operator may say.

Scalars arrive as text and are typed here. The models know the form of a spec, not the meaning of its expressions:
that is ``opspec.model.expand``. The docstrings and field descriptions are what ``opspec schema`` publishes.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from opspec.errors import OpspecError, did_you_mean
from opspec.vocabulary import ctypes_, dtypes, formats, products, status

IDENTIFIER = r"^[A-Za-z_][A-Za-z0-9_]{0,127}$"
RULE_NAME = r"^[A-Za-z][A-Za-z0-9_]*([.-][A-Za-z0-9_]+)*$"

STAGES = ("params", "infershape", "tiling", "device")
PHASES = ("null", "product", "dtype", "format", "rank", "shape", "attribute", "value")
NOT_CHECKABLE = ("device_data", "other_cards", "timing", "precision", "no_condition")

_YES_NO = {"yes": True, "true": True, "no": False, "false": False}


def _checked(function: Any) -> BeforeValidator:
    """A validator whose OpspecErrors become the model's errors."""

    def validate(value: Any) -> Any:
        try:
            return function(value)
        except OpspecError as error:
            raise ValueError(str(error)) from None

    return BeforeValidator(validate)


def _yes_no(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in _YES_NO:
        return _YES_NO[value.lower()]
    raise ValueError(f"expected yes or no, found {value!r}")


def _support(value: Any) -> Any:
    return "unknown" if value == "unknown" else ("yes" if _yes_no(value) else "no")


def _product(value: Any) -> str:
    text = str(value)
    known = [name for family in products.ids() for name in (family, *products.members(family))]
    if text not in known:
        raise ValueError(f"unknown product id {text!r}{did_you_mean(text, known)}")
    return text


def _ctype(value: Any) -> str:
    return ctypes_.parse(str(value)).text()


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, (str, dict)) else value


_YesNoInput = bool | Literal["yes", "no"]  # what an editor may see: YAML 1.1 reads yes as true
YesNo = Annotated[bool, BeforeValidator(_yes_no, json_schema_input_type=_YesNoInput)]
_SupportInput = bool | Literal["yes", "no", "unknown"]
Support = Annotated[Literal["yes", "no", "unknown"], BeforeValidator(_support, json_schema_input_type=_SupportInput)]
ProductId = Annotated[str, BeforeValidator(_product)]
Dtype = Annotated[str, _checked(dtypes.canonical)]
Format = Annotated[str, _checked(formats.canonical)]
CTypeText = Annotated[str, _checked(_ctype)]
StatusName = Annotated[str, _checked(status.canonical)]
Identifier = Annotated[str, StringConstraints(pattern=IDENTIFIER)]
RuleName = Annotated[str, StringConstraints(pattern=RULE_NAME, max_length=200)]
Expression = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]


class Model(BaseModel):
    """Base: unknown keys are errors, values do not change after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Bilingual(Model):
    """One text in English and in Chinese, written for this project."""

    en: Text
    zh: Text


def _both(value: Any) -> Any:
    return {"en": value, "zh": value} if isinstance(value, str) else value


#: A text in both languages, or one that stands in both.
Wording = Annotated[Bilingual, BeforeValidator(_both, json_schema_input_type=Text | Bilingual)]


class Case(Model):
    """One of several values of a property: the first whose products and condition match applies."""

    on: list[ProductId] = Field(default=[], description="products it holds on; all when empty")
    when: Expression | None = Field(default=None, description="condition under which it holds")
    is_: Any = Field(alias="is", description="the value, in the property's usual form")


class Change(Model):
    """How a set differs on some products or under a condition. Exactly one of subtract, add, replace."""

    on: list[ProductId] = []
    when: Expression | None = None
    subtract: list[str] = []
    add: list[str] = []
    replace: list[str] = []

    @model_validator(mode="after")
    def _one_kind(self) -> Change:
        if sum(map(bool, (self.subtract, self.add, self.replace))) != 1:
            raise ValueError("a change has exactly one of subtract, add, replace")
        if not self.on and self.when is None:
            raise ValueError("a change names the products (on) or the condition (when) it is for")
        return self


class Set(Model):
    """A set of dtypes or formats with its changes per product and condition."""

    any: list[str]
    changes: list[Change] = []


class ByRank(Model):
    """Formats per rank, as pages pair them."""

    by_rank: dict[Annotated[str, StringConstraints(pattern=r"^\d{1,2}$")], list[Format]]


class Optional_(Model):
    """When a param may be null."""

    on: list[ProductId] = Field(default=[], description="products on which it is optional; all when empty")
    when: Expression | None = Field(default=None, description="condition under which it is optional")


def _optional(value: Any) -> Any:
    if isinstance(value, dict):
        return value
    return value if value == "unknown" else _yes_no(value)


class Param(Model):
    """One param of the first phase, in prototype order (workspaceSize and executor are implied)."""

    name: Identifier
    ctype: CTypeText
    io: Literal["in", "out", "inout"] = "in"
    also: list[Identifier] = Field(default=[], description="other spellings: the header's, an earlier page's")
    about: Bilingual | None = None
    optional: Annotated[
        bool | Literal["unknown"] | Optional_,
        BeforeValidator(_optional, json_schema_input_type=_SupportInput | Optional_),
    ] = False
    dtype: Annotated[str | Set | list[Any] | None, Field(description="list, 'same as X', {any, changes} or cases")] = (
        None
    )
    format: str | Set | ByRank | list[Any] | None = None
    rank: str | list[Any] | None = None
    shape: str | list[Any] | None = None
    strided: Literal["yes", "no", "transposed"] | None = None
    empty: YesNo | None = None
    uniform: list[Literal["dtype", "format", "rank", "shape"]] = []
    elements: Literal["optional"] | None = None
    length: str | list[Any] | None = None
    each: str | list[Any] | None = None
    enum: dict[str, Wording] | list[Any] | None = None
    range: str | list[Any] | None = None
    reserved: str | None = Field(default=None, description="'null', or the one value allowed")
    used_when: Expression | None = Field(default=None, description="the param is ignored unless this holds")
    default: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _null_word(cls, data: Any) -> Any:
        if isinstance(data, dict) and "reserved" in data and data["reserved"] is None:
            return {**data, "reserved": "null"}
        return data


class Rule(Model):
    """A rule of the operator. Without ``check`` it amends the rule of this id that sugar or the model derives."""

    check: Expression | None = None
    when: Expression | None = None
    param: Identifier | None = Field(
        default=None, description="the param a finding is about; by default the first one read"
    )
    status: StatusName | None = None
    stage: Literal["params", "infershape", "tiling", "device"] | None = None
    phase: Literal["null", "product", "dtype", "format", "rank", "shape", "attribute", "value"] | None = None
    enforced: Annotated[
        Literal["yes", "no", "unknown"] | None,
        BeforeValidator(lambda v: v if v is None else _support(v), json_schema_input_type=_SupportInput | None),
    ] = None
    basis: Literal["documented", "observed"] = "documented"
    evidence: Wording | None = Field(
        default=None, description="what an observed rule, or the word on enforcement, rests on"
    )
    contradicts: list[RuleName] = Field(default=[], description="documented rules that this observed rule contradicts")
    why: Bilingual | None = None

    @model_validator(mode="after")
    def _observed_has_evidence(self) -> Rule:
        if self.basis == "observed" and not self.evidence:
            raise ValueError("an observed rule names its evidence")
        if self.contradicts and self.basis != "observed":
            raise ValueError("only an observed rule contradicts others")
        return self


class TableSpec(Model):
    """A tuple table: a call must match one row."""

    columns: list[Expression]
    rows: list[list[Any]]

    @model_validator(mode="after")
    def _rectangular(self) -> TableSpec:
        for number, row in enumerate(self.rows, 1):
            if len(row) != len(self.columns):
                raise ValueError(f"row {number} has {len(row)} cells, the table has {len(self.columns)} columns")
        if not self.rows:
            raise ValueError("a table has at least one row")
        return self


def _rule(value: Any) -> Any:
    return {"check": value} if isinstance(value, str) else value


RuleEntry = Annotated[Rule, BeforeValidator(_rule, json_schema_input_type=str | Rule)]


class Alternative(Model):
    """One way of satisfying a scenario: its tables, shapes and rules hold together."""

    id: RuleName
    about: Bilingual | None = None
    when: Expression | None = None
    table: TableSpec | None = None
    shapes: dict[Identifier, str | list[str]] = {}
    rules: dict[RuleName, RuleEntry] = {}


class Scenario(Model):
    """Named alternatives of which a call must satisfy one whole."""

    when: Expression | None = None
    status: StatusName | None = None
    stage: Literal["params", "infershape", "tiling", "device"] | None = None
    enforced: Annotated[
        Literal["yes", "no", "unknown"] | None,
        BeforeValidator(lambda v: v if v is None else _support(v), json_schema_input_type=_SupportInput | None),
    ] = None
    alternatives: list[Alternative]


class EarlySuccess(Model):
    """Where the first phase returns 0 before its later checks."""

    when: Expression
    after: Literal["null", "product", "dtype", "format", "rank", "shape", "attribute", "value"]
    evidence: Text | None = None


class ReturnRow(Model):
    """A row of the page's return-code table: these rules are enforced, with this status."""

    status: StatusName
    stage: Literal["params", "infershape", "tiling", "device"] = "params"
    rules: list[RuleName]


class Clause(Model):
    """One restricting statement of the page: its place, and the rules that formalise it or why there are none."""

    at: Text
    fingerprint: str | None = None
    rules: list[RuleName] = []
    not_checkable: Literal["device_data", "other_cards", "timing", "precision", "no_condition"] | None = None
    not_yet: YesNo | None = None
    note: Text | None = None

    @model_validator(mode="after")
    def _accounted(self) -> Clause:
        if bool(self.rules) + (self.not_checkable is not None) + bool(self.not_yet) != 1:
            raise ValueError("a clause has exactly one of rules, not_checkable, not_yet")
        return self


class Twin(Model):
    """A second operator of the same page whose params are this one's under other names."""

    operator: Identifier
    header: str | None = None
    rename: dict[Identifier, Identifier] = {}
    summary: Bilingual | None = None


Results = Annotated[
    dict[Identifier, Expression],
    Field(
        description="what a function of one phase writes: output -> its value; of an array its elements, or how many "
        "there are when their values are not told"
    ),
]


class Helper(Model):
    """A function of one phase beside the operator, of the same page."""

    function: Annotated[str, StringConstraints(pattern=r"^aclnn[A-Za-z0-9_]{1,120}$")]
    summary: Bilingual | None = None
    params: list[Param]
    let: dict[Identifier, Expression] = {}
    rules: dict[RuleName, RuleEntry] = {}
    returns: list[ReturnRow] = []
    results: Results = {}


class Formula(Model):
    """A formula in LaTeX, and what it is for when there are several."""

    latex: Text
    title: Bilingual | None = None


def _formulas(value: Any) -> Any:
    return [{"latex": item} if isinstance(item, str) else item for item in _as_list(value)]


class Determinism(Model):
    """Whether results are deterministic by default, and whether that can be switched on."""

    default: YesNo
    switchable: YesNo | None = None
    on: list[ProductId] = []


def _determinism(value: Any) -> Any:
    if isinstance(value, str):
        return [{"default": value}]
    return [value] if isinstance(value, dict) else value


class Conflict(Model):
    """Two statements of the pages that contradict each other, and which one the spec follows."""

    between: list[Text]
    resolution: Bilingual


class Spec(Model):
    """A spec file: one operator (and its twin) in one release."""

    operator: Identifier
    release: Annotated[str, StringConstraints(pattern=r"^\d+(\.\d+){1,3}$")]
    document: Text | None = Field(default=None, description="the page it was written from")
    header: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_./-]+\.h$")] | None = None
    family: str | None = None
    summary: Bilingual | None = None
    formula: Annotated[
        list[Formula], BeforeValidator(_formulas, json_schema_input_type=str | Formula | list[str | Formula])
    ] = []
    products: dict[ProductId, Support]
    deterministic: Annotated[
        list[Determinism],
        BeforeValidator(_determinism, json_schema_input_type=_YesNoInput | Determinism | list[Determinism]),
    ] = []
    interface: Literal["two-phase", "single-phase"] = "two-phase"
    stream: Literal["aclrtStream", "const aclrtStream"] = "aclrtStream"
    partial: Bilingual | None = Field(default=None, description="what this spec leaves out, when it is not whole")
    params: list[Param]
    let: dict[Identifier, Expression] = {}
    layouts: dict[str, Any] = Field(
        default={}, description="on: a string param; then its values, each with shapes by param"
    )
    rules: dict[RuleName, RuleEntry] = {}
    results: Results = {}
    scenarios: dict[RuleName, Scenario] = {}
    early_success: list[EarlySuccess] = []
    returns: list[ReturnRow] = []
    conflicts: list[Conflict] = []
    clauses: list[Clause] = []
    twin: Twin | None = None
    helpers: list[Helper] = []
    example: dict[str, Any] | None = Field(
        default=None, description="one legal call: product and args, as opspec check reads it"
    )

    @model_validator(mode="after")
    def _distinct_params(self) -> Spec:
        seen: dict[str, str] = {}
        for param in self.params:
            for name in (param.name, *param.also):
                if name in seen:
                    raise ValueError(f"param name {name!r} occurs twice")
                seen[name] = param.name
        return self


def is_same_as(text: object) -> str | None:
    """X where a property says 'same as X', otherwise None."""
    found = re.fullmatch(r"same as ([A-Za-z_][A-Za-z0-9_]*)", text) if isinstance(text, str) else None
    return found[1] if found else None
