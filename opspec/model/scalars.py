"""What the models of a spec are made of: scalars that arrive as text, and texts in two languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from opspec.errors import OpspecError, did_you_mean
from opspec.vocabulary import ctypes_, dtypes, formats, products, status
from opspec.vocabulary.literals import Lang, Status, Support

IDENTIFIER = r"^[A-Za-z_][A-Za-z0-9_]{0,127}$"
RELEASE = r"^\d+(\.\d+){1,3}$"
EXTENDED = rf"^({RELEASE[1:-1]}/)?{IDENTIFIER[1:-1]}$"
RULE_NAME = r"^[A-Za-z][A-Za-z0-9_]*([.-][A-Za-z0-9_]+)*$"

_YES_NO = {"yes": True, "true": True, "no": False, "false": False}


def _checked(function: Callable[[str], str]) -> BeforeValidator:
    """A validator whose OpspecErrors become the model's errors."""

    def validate(value: object) -> str:
        try:
            return function(value if isinstance(value, str) else str(value))
        except OpspecError as error:
            raise ValueError(str(error)) from None

    return BeforeValidator(validate, json_schema_input_type=str)


def yes_no(value: object) -> object:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in _YES_NO:
        return _YES_NO[value.lower()]
    raise ValueError(f"expected yes or no, found {value!r}")


def support(value: object) -> object:
    return "unknown" if value == "unknown" else ("yes" if yes_no(value) else "no")


def _product(value: object) -> str:
    text = str(value)
    known = [name for family in products.ids() for name in (family, *products.members(family))]
    if text not in known:
        raise ValueError(f"unknown product id {text!r}{did_you_mean(text, known)}")
    return text


def _ctype(value: str) -> str:
    return ctypes_.parse(value).text()


YesNoInput = bool | Literal["yes", "no"]  # what an editor may see: YAML 1.1 reads yes as true
YesNo = Annotated[bool, BeforeValidator(yes_no, json_schema_input_type=YesNoInput)]
SupportInput = bool | Support
SupportText = Annotated[Support, BeforeValidator(support, json_schema_input_type=SupportInput)]
Enforced = Annotated[
    Support | None,
    BeforeValidator(lambda v: v if v is None else support(v), json_schema_input_type=SupportInput | None),
]
ProductId = Annotated[str, BeforeValidator(_product)]
Dtype = Annotated[str, _checked(dtypes.canonical)]
Format = Annotated[str, _checked(formats.canonical)]
CTypeText = Annotated[str, _checked(_ctype)]
StatusText = Annotated[Status, _checked(status.canonical)]
Identifier = Annotated[str, StringConstraints(pattern=IDENTIFIER)]
RuleName = Annotated[str, StringConstraints(pattern=RULE_NAME, max_length=200)]
Expression = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]


class Model(BaseModel):
    """Base: unknown keys are errors, values do not change after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Bilingual(Model):
    """One text in English and in Chinese, or in the one language that its author writes."""

    en: Text | None = Field(default=None, description="in English")
    zh: Text | None = Field(default=None, description="in Chinese")

    @model_validator(mode="after")
    def _one_at_least(self) -> Bilingual:
        if self.en is None and self.zh is None:
            raise ValueError("a text is in English (en), in Chinese (zh), or in both")
        return self

    def text(self, lang: Lang) -> str:
        """The text in a language, or in the other one where it is in one alone."""
        found = (self.zh, self.en) if lang == "zh" else (self.en, self.zh)
        return found[0] or found[1] or ""


def _both(value: object) -> object:
    return {"en": value, "zh": value} if isinstance(value, str) else value


#: A text in both languages, or one that stands for both.
Wording = Annotated[Bilingual, BeforeValidator(_both, json_schema_input_type=Text | Bilingual)]


def _sentence(value: Bilingual) -> Bilingual:
    for text in filter(None, (value.en, value.zh)):
        if text.rstrip()[-1:] in (".", "。"):
            raise ValueError("a sentence is written without its final full stop: pages add it")
    return value


#: a whole sentence in both languages, names of params in backticks
Sentence = Annotated[Wording, AfterValidator(_sentence)]
