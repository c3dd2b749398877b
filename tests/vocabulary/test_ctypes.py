"""Promises of the C types: every prototype of the pages parses, and nothing outside the closed set does."""

from __future__ import annotations

import re
from typing import Any

import pytest

from opspec.errors import OpspecError
from opspec.vocabulary import ctypes_
from opspec.vocabulary.tables import table
from tests.paths import SHARED, needs_shared
from tests.vocabulary import absurd
from tests.vocabulary.pages import operator_pages, plain

#: Params of prototypes that are not C: a type written twice, a comma left out. Four pages, seven params.
_SLIPS = {
    "const aclTensor* aclTensor* x1",
    "const aclTensor* aclTensor* x2",
    "const aclTensor* aclTensor* bias",
    "const aclTensor* aclTensor* scale",
    "clTensor* valueOut",
    "const aclTensor *tokenGradOut const aclTensor *probsGradOut",
    "const aclTensor *dWeights const aclTensor *loss",
    "bool paddedMode const aclIntArray *restoreShapeOptional const aclTensor *out uint64_t *workspaceSize",
}


def _prototypes(text: str) -> list[list[str]]:
    """Params of each first phase and single-phase helper: second phases are known by their stream."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", plain(text))
    found = re.findall(r"\baclnn\w+\s*\(([^();{}`]*)\)", text)
    return [
        [" ".join(param.split()) for param in params.split(",") if param.strip()]
        for params in found
        if "*" in params and "aclrtStream" not in params and not re.search("[一-鿿]", params)
    ]


def _of_corpus() -> set[str]:
    params = set()
    for page in [*operator_pages(), *sorted((SHARED / "seeds").glob("*.txt"))]:
        text = page.read_text(encoding="utf-8")
        found = _prototypes(text)
        assert found or "aclnnStatus aclnn" not in text, f"no prototype was read from {page}"
        params |= {param for prototype in found for param in prototype}
    return params


@needs_shared
def test_every_param_of_the_pages_parses() -> None:
    params = _of_corpus()
    assert len(params) > 2000
    failed = set()
    for param in params:
        found = re.fullmatch(r"(.*[\s*])(\w+)", param)
        assert found is not None, param
        try:
            ctype = ctypes_.parse(found[1])
        except OpspecError:
            failed.add(param)
        else:
            assert ctype.text().replace("*", " *").split() == found[1].replace("*", " *").split()
    assert failed == _SLIPS


@needs_shared
def test_every_base_occurs_on_a_page() -> None:
    """Nothing was invented; void alone is not in a first phase: workspaces are params of second phases."""
    text = " ".join(_of_corpus())
    bases = [row["base"] for row in table("ctypes")["ctypes"]]
    assert {base for base in bases if not re.search(rf"\b{base}\b", text)} == {"void"}


@pytest.mark.parametrize(
    ("text", "canonical", "kind", "nullable"),
    [
        ("const aclTensor *", "const aclTensor*", "tensor", True),
        ("const aclTensor*", "const aclTensor*", "tensor", True),
        (" aclTensor  const\t* ", "const aclTensor*", "tensor", True),
        ("aclTensor*", "aclTensor*", "tensor", True),
        ("aclTensorList *", "aclTensorList*", "tensor_list", True),
        ("const aclScalar*", "const aclScalar*", "scalar", True),
        ("const aclScalarList*", "const aclScalarList*", "scalar_list", True),
        ("const aclIntArray*", "const aclIntArray*", "int_array", True),
        ("const aclFloatArray*", "const aclFloatArray*", "float_array", True),
        ("const aclBoolArray*", "const aclBoolArray*", "bool_array", True),
        ("const char *", "const char*", "string", True),
        ("char*", "char*", "string", True),
        ("int64_t", "int64_t", "int", False),
        ("const int64_t", "const int64_t", "int", False),
        ("bool", "bool", "bool", False),
        ("double", "double", "float", False),
        ("float", "float", "float", False),
        ("aclDataType", "aclDataType", "dtype", False),
        ("void *", "void*", "pointer", True),
        ("uint64_t *", "uint64_t*", "pointer", True),
        ("int64_t **", "int64_t**", "pointer", True),
        ("const float*", "const float*", "pointer", True),
        ("aclOpExecutor **", "aclOpExecutor**", "pointer", True),
        ("aclOpExecutor * *", "aclOpExecutor**", "pointer", True),
    ],
)
def test_spacing_kind_and_null(text: str, canonical: str, kind: str, nullable: bool) -> None:
    ctype = ctypes_.parse(text)
    assert (ctype.text(), ctype.kind, ctype.nullable) == (canonical, kind, nullable)
    assert ctypes_.parse(canonical) is ctype


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("int8_t", -128, 127),
        ("uint8_t", 0, 255),
        ("int32_t", -(2**31), 2**31 - 1),
        ("int", -(2**31), 2**31 - 1),
        ("uint32_t", 0, 2**32 - 1),
        ("int64_t", -(2**63), 2**63 - 1),
        ("uint64_t", 0, 2**64 - 1),
        ("uint64_t*", None, None),
        ("bool", None, None),
        ("double", None, None),
    ],
)
def test_integers_know_their_range(text: str, low: int | None, high: int | None) -> None:
    ctype = ctypes_.parse(text)
    assert (ctype.low, ctype.high) == (low, high)


@pytest.mark.parametrize(
    "text",
    [
        "aclTensor", "char", "void", "const", "*", "const *", "aclTensor* const", "const const int", "const int const",
        "int int", "unsigned int", "aclTensor***", "*aclTensor", "aclTensor*x", "aclTensor* aclTensor*", "acltensor*",
        "int64_t[]", "aclTensor*" + " " * 300 + "junk", "int&",
    ],
    ids=range(19),
)  # fmt: skip
def test_what_is_no_c_type_of_a_param(text: str) -> None:
    with pytest.raises(OpspecError):
        ctypes_.parse(text)


@pytest.mark.parametrize("value", absurd.NAMES)
def test_absurd_types_end_as_one_error(value: Any) -> None:
    with pytest.raises(OpspecError) as caught:
        ctypes_.parse(value)
    assert len(str(caught.value)) < 400


def test_an_error_names_the_nearest_base() -> None:
    with pytest.raises(OpspecError, match="did you mean 'aclTensor'"):
        ctypes_.parse("const aclTenser*")
    with pytest.raises(OpspecError, match=r"expected 'aclTensor\*'"):
        ctypes_.parse("aclTensor")
