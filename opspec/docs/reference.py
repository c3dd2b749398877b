"""The reference page of the rule language, from the tables that the language is made of."""

from __future__ import annotations

from typing import Any

from opspec.language.functions import FORMS, FUNCTIONS, Function, said
from opspec.language.types import ATTRIBUTES
from opspec.templating import environment

_TYPES = {
    "int": "an integer; int64, and undefined beyond",
    "float": "a double; a `float` param is rounded to binary32 first",
    "bool": "true or false",
    "str": "a text; only compared, searched for and measured",
    "dtype": "a dtype, written bare: `FLOAT16`",
    "format": "a format, written bare: `ND`",
    "product": "`product`, the call's; compared with quoted ids: `product in ('910b', 'A3')`",
    "tensor": "an aclTensor",
    "scalar": "an aclScalar",
    "list of …": "a shape, an array, a tensor list, a tuple",
}

_SYNTAX = [
    (
        "`a == b`, `!=`, `<`, `<=`, `>`, `>=`, `a < b <= c`",
        "comparison; a chain is the conjunction of its pairs; NaN compares false",
    ),
    ("`a in (b, c)`, `not in`", "membership"),
    ("`x is None`, `x is not None`", "whether a pointer is null; always defined"),
    ("`a and b`, `a or b`, `not a`", "three-valued logic"),
    ("`a if c else b`", "choice; undefined when `c` is"),
    ("`+ - * // %`", "integer arithmetic; `//` and `%` round down; `+` also joins lists"),
    ("`/`", "division of floats"),
    ("`<< >> & \\| ^ ~`", "shifts and masks of integers"),
    ("`x.shape[i]`, `x.shape[-1]`, `x.shape[1:-1]`", "element and slice; an element that is not there is undefined"),
    ("`(a, b)`, `(a,)`, `(*list, b)`", "list"),
    ("`[e for v in list if c]`", "list by rule"),
    ("`name_`", "a param whose name is a Python keyword, or `product`"),
    ("`undefined`", "what a symbolic dim is when nothing binds it"),
]


def reference() -> str:
    """The page as Markdown."""
    return rendered(
        "language.md.j2",
        types=[(name, text, _attributes(name)) for name, text in _TYPES.items()],
        syntax=_SYNTAX,
        functions=[_row(row) for row in FUNCTIONS.values()],
        special=[text.split(": ", 1) for text in FORMS.values()],
    )


def rendered(template: str, **values: object) -> str:
    """A reference page as Markdown, from tables or models of ours."""
    return environment().get_template(template).render(values)


def _attributes(name: str) -> str:
    return ", ".join(f"`.{attribute}`" for kind, attribute in ATTRIBUTES if kind.name == name)


def _row(row: Function) -> dict[str, Any]:
    takes = ", ".join(str(kind) for kind in row.takes) + (", …" if row.variadic else "")
    expression, value = row.example
    return {
        "signature": f"{row.name}({takes})",
        "gives": f"{row.gives}{', or undefined' if row.partial else ''}",
        "c": row.c,
        "en": said(row.en, 0),
        "zh": said(row.zh, 0),
        "example": f"`{expression}` = `{value}`" if expression else "",
    }
