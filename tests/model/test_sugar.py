"""Sugar on params expands to rules that a person could have written, with ids ``param.kind``."""

from __future__ import annotations

import pytest

from opspec.errors import OpspecError, SpecError
from opspec.language import tree
from opspec.language.parse import Scope, parse
from opspec.language.text import write
from opspec.language.types import INT
from opspec.model.load import load_text
from opspec.model.patterns import count, interval, shape_pattern
from tests.model.building import definition, rules, spec, written_in

PARAMS = {
    "tensor": "const aclTensor*",
    "list": "const aclTensorList*",
    "ints": "const aclIntArray*",
    "int": "int64_t",
    "text": "const char*",
    "scalar": "const aclScalar*",
}

SILENT = "\n    format: any"  # else a tensor's format is ND

CASES = [
    ("tensor", "dtype: [FLOAT32, bf16]", {"x.dtype": (None, "x.dtype in (FLOAT, BFLOAT16)")}),
    ("tensor", "dtype: same as self", {"x.dtype": (None, "x.dtype == self.dtype")}),
    (
        "tensor",
        "dtype: {any: [FLOAT, INT8], changes: [{on: [A3], subtract: [INT8]}]}",
        {"x.dtype": (None, "x.dtype in (FLOAT,) if product in ('A3',) else x.dtype in (FLOAT, INT8)")},
    ),
    (
        "tensor",
        "dtype: {any: [FLOAT], changes: [{on: [A3], when: n > 0, add: [INT8]}]}",
        {"x.dtype": (None, "x.dtype in (FLOAT, INT8) if product in ('A3',) and n > 0 else x.dtype in (FLOAT,)")},
    ),
    ("list", "dtype: [FLOAT]", {"x.dtype": (None, "all(t.dtype in (FLOAT,) for t in x)")}),
    ("list", "dtype: same as self", {"x.dtype": (None, "all(t.dtype == self.dtype for t in x)")}),
    (
        "tensor",
        "format: [ND]",
        {
            "x.format": (None, "implies(not is_private(x.format), x.format in (ND,))"),
            "x.private-format": (None, "not is_private(x.format)"),
        },
    ),
    (
        "tensor",
        "format: [ND, NZ]",
        {
            "x.format": (None, "implies(not is_private(x.format), x.format in (ND, FRACTAL_NZ))"),
            "x.private-format": (None, "implies(is_private(x.format), x.format in (ND, FRACTAL_NZ))"),
        },
    ),
    ("tensor", "rank: 2-8", {"x.rank": (None, "2 <= x.rank <= 8")}),
    ("tensor", "rank: 2", {"x.rank": (None, "x.rank == 2")}),
    ("tensor", "rank: [2, 4]", {"x.rank": (None, "x.rank in (2, 4)")}),
    ("tensor", 'rank: "<= 8"', {"x.rank": (None, "x.rank <= 8")}),
    ("tensor", "shape: same as self", {"x.shape": (None, "x.shape == self.shape")}),
    ("tensor", 'shape: "(n, 4)"', {"x.rank": (None, "x.rank == 2"), "x.shape": (None, "x.shape == (n, 4)")}),
    ("tensor", 'shape: "(A, B)"', {"x.rank": (None, "x.rank == 2")}),
    ("tensor", 'shape: "(A, A)"', {"x.rank": (None, "x.rank == 2"), "x.shape": (None, "x.shape == (A, A)")}),
    ("tensor", "strided: no", {"x.strided": (None, "contiguous(x)")}),
    ("tensor", "strided: transposed", {"x.strided": (None, "contiguous(x) or transposed_last2(x)")}),
    ("tensor", "empty: no", {"x.empty": (None, "0 not in x.shape")}),
    ("list", "uniform: [dtype]", {"x.uniform-dtype": (None, "all(t.dtype == x[0].dtype for t in x)")}),
    ("int", "enum: {0: replace, 1: add}", {"x.enum": (None, "x in (0, 1)")}),
    ("text", 'enum: [BSH, ""]', {"x.enum": (None, "x in ('BSH', '')")}),
    ("int", 'range: "[1, 65535]"', {"x.range": (None, "1 <= x <= 65535")}),
    ("int", 'range: "(0, n)"', {"x.range": (None, "0 < x < n")}),
    ("int", 'range: "> 0"', {"x.range": (None, "x > 0")}),
    ("int", 'range: [{on: [A3], is: "[0, 1]"}]', {"x.range": (None, "0 <= x <= 1 if product in ('A3',) else True")}),
    ("scalar", 'range: ">= 0"', {"x.range": (None, "x.value >= 0")}),
    ("ints", "length: 3", {"x.length": (None, "len(x) == 3")}),
    ("text", 'length: "[1, 128)"', {"x.length": (None, "1 <= len(x) < 128")}),
    ("ints", 'each: "> 0"', {"x.each": (None, "all(v > 0 for v in x)")}),
    ("tensor", "optional: yes", {}),
    ("tensor", "optional: {when: n == 0}", {"x.null": ("not n == 0", "x is not None")}),
    ("tensor", "optional: {on: [A3]}", {"x.null": ("not product in ('A3',)", "x is not None")}),
    ("tensor", "reserved: null", {"x.reserved": (None, "x is None")}),
    ("int", "reserved: 0", {"x.reserved": (None, "x == 0")}),
]


@pytest.mark.parametrize(("kind", "sugar", "expected"), CASES, ids=[f"{kind} {sugar}" for kind, sugar, _ in CASES])
def test_a_property_becomes_these_rules(kind: str, sugar: str, expected: dict[str, tuple[str | None, str]]) -> None:
    body = f"""
params:
  - name: x
    ctype: {PARAMS[kind]}
    {sugar}{SILENT if "ensor" in PARAMS[kind] and "format: " not in sugar else ""}
  - {{name: self, ctype: const aclTensor*, optional: yes}}
  - {{name: n, ctype: int64_t}}
"""
    found = {name: rule for name, rule in rules(body).items() if name.startswith("x.")}
    if "x.null" not in expected:  # what every pointer and list has, unless the case is about it
        found.pop("x.null", None)
    found.pop("x.elements", None)
    written = written_in(body)
    assert found == {
        name: (None if when is None else written(when), written(check)) for name, (when, check) in expected.items()
    }


def test_required_pointers_and_list_elements_must_not_be_null() -> None:
    body = "params: [{name: x, ctype: const aclTensorList*, format: any}, {name: n, ctype: int64_t}]"
    assert rules(body) == {
        "x.null": (None, "x is not None"),
        "x.elements": (None, "all(t is not None for t in x)"),
        "rank-limit": (None, "given(all(t.rank <= 8 for t in x))"),
    }


def test_a_tensor_is_of_format_nd_and_of_any_layout_unless_its_row_says_otherwise() -> None:
    """``any`` and ``unknown`` are for pages that do not say; nothing else has these defaults."""
    said = "params: [{{name: x, ctype: {}, optional: yes{}}}]"
    for ctype in ("const aclTensor*", "aclTensor*", "const aclTensorList*"):
        written_out = rules(said.format(ctype, ", format: [ND], strided: yes"))
        assert {"x.format", "x.private-format"} < written_out.keys() | {"x"}
        assert rules(said.format(ctype, "")) == written_out
        assert rules(said.format(ctype, ", strided: unknown")) == written_out
        silent = rules(said.format(ctype, ", format: any, strided: unknown"))
        assert silent == {name: rule for name, rule in written_out.items() if not name.endswith("format")}
    assert rules(said.format("const aclIntArray*", "")) == {}


SETS = """
sets:
  T: {any: [FLOAT, INT8], changes: [{on: [A3], subtract: [INT8]}]}
  OF_INDICES: [INT32, INT64]
params:
  - {name: x, ctype: const aclTensor*, dtype: T}
  - {name: y, ctype: const aclTensor*, dtype: [{when: n > 0, is: T}, {is: OF_INDICES}]}
  - {name: n, ctype: int64_t}
"""


def test_a_named_set_stands_for_its_members() -> None:
    spelled = "{any: [FLOAT, INT8], changes: [{on: [A3], subtract: [INT8]}]}"
    out = SETS.replace("dtype: T}", f"dtype: {spelled}}}").replace("is: T", f"is: {spelled}")
    assert rules(SETS) == rules(out.replace("is: OF_INDICES", "is: [INT32, INT64]"))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (SETS.replace("is: OF_INDICES", "is: OF_INDICE"), "'OF_INDICE' is no dtype and no set of this spec; did"),
        (SETS.replace("[FLOAT, INT8]", "[FLOAT, INT9]"), "did you mean 'INT8'"),
    ],
)  # fmt: skip
def test_a_set_that_is_none_is_named_with_its_place(body: str, message: str) -> None:
    with pytest.raises(OpspecError, match=r"^x\.yaml:\d+:\d+: ") as caught:
        load_text(spec(body), "x.yaml")
    assert message in str(caught.value)


IN_WORDS = """
params:
  - {{name: x, ctype: const aclTensor*}}
  - {{name: list, ctype: const aclTensorList*}}
  - {{name: other, ctype: const aclTensor*, optional: yes}}
rules:
  {}
"""


@pytest.mark.parametrize("what", ["dtype", "format", "rank", "shape"])
@pytest.mark.parametrize(("a", "b"), [("x", "other"), ("list", "other"), ("x", "list")])
def test_a_rule_in_words_says_what_the_property_says(what: str, a: str, b: str) -> None:
    """``x same dtype as y`` is for what the property cannot say: with a condition, an id, a row of return codes."""
    mine = definition(IN_WORDS.format(f"r: {a} same {what} as {b}")).rule("r")
    assert mine is not None
    assert mine.param == a
    about = definition(IN_WORDS.format(f"r: {{check: {a} same {what} as {b}, param: {b}}}")).rule("r")
    assert about is not None
    assert (about.param, about.check) == (b, mine.check)
    if what != "format":
        own = IN_WORDS.format("r: 'True'").replace(f"name: {a},", f"name: {a}, {what}: same as {b},")
        assert definition(own).rule(f"{a}.{what}").check == mine.check  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("r: same dtype as x", "not an expression"),
        ("r: x same dtype as nope", "nope"),
        ("r: xx same dtype as other", "unknown param 'xx'; did you mean 'x'"),
        ("r: x same colour as other", "not an expression"),
        ("r: {check: x same dtype as other, param: nope}", "nope"),
    ],
)
def test_words_that_mean_nothing_are_named_with_their_place(rule: str, message: str) -> None:
    with pytest.raises(OpspecError, match=r"^x\.yaml:11:\d+: ") as caught:
        load_text(spec(IN_WORDS.format(rule)), "x.yaml")
    assert message in str(caught.value)


def test_a_dim_binds_at_the_first_param_that_is_present() -> None:
    body = """
params:
  - {name: a, ctype: const aclTensor*, optional: yes, shape: "(N, 2)"}
  - {name: b, ctype: const aclTensor*, shape: "(*batch, N, M)"}
  - {name: c, ctype: const aclTensor*, shape: ["(M,)", "(N * M, 1)"]}
"""
    lets = {name: write(node) for name, node in definition(body).lets.items()}
    assert lets == {
        "N": "a.shape[0] if a is not None else b.shape[-2]",
        "M": "b.shape[-1]",
        "batch": "b.shape[:-2]",
    }
    found = rules(body)
    assert found["b.rank"] == (None, "b.rank >= 2")
    assert found["b.shape"] == (None, "b.shape == (*batch, N, M)")
    assert found["c.rank"] == (None, "c.rank in (1, 2)")


def test_a_dim_that_nothing_binds_is_an_error() -> None:
    with pytest.raises(OpspecError, match=r"x\.yaml:\d+:\d+: nothing binds the dim 'K' of a"):
        load_text(spec('params: [{name: a, ctype: const aclTensor*, shape: "(K * 2,)"}]'), "x.yaml")


V = tree.Param("v", INT)
SCOPE = Scope({"v": (INT, False), "r": (INT, False)})


def read(text: str) -> tree.Node:
    """An expression over the ends of an interval."""
    return parse(text, SCOPE)


@pytest.mark.parametrize(
    ("text", "check"),
    [("[0, 8)", "0 <= v < 8"), ("(-inf, 3]", "v <= 3"), (">= -1", "v >= -1"), ("[-max(r, 1), max(r, 1) - 1]",
     "-max(r, 1) <= v <= max(r, 1) - 1")],
)  # fmt: skip
def test_intervals(text: str, check: str) -> None:
    assert write(interval(text, V, read)) == check


@pytest.mark.parametrize("text", ["", "[1", "1, 2", "[1, 2, 3]", "(-inf, inf)", "[]", "about three"])
def test_what_is_no_interval_is_an_error(text: str) -> None:
    with pytest.raises(SpecError, match="found"):
        interval(text, V, read)


@pytest.mark.parametrize("text", ["N", "(*a, *b)", "(a b)", "[N, M]", "(a,", "\0"])
def test_what_is_no_symbolic_shape_is_an_error(text: str) -> None:
    with pytest.raises(SpecError):
        shape_pattern(text)


def test_a_span_goes_upwards() -> None:
    with pytest.raises(SpecError, match="upwards"):
        count("8-2", V, read)


FAULTS = [
    ("params: [{name: x, ctype: const aclTensor*, dtype: [FLOAT, FLOTA16]}]", "5:52", "did you mean 'FLOAT16'"),
    ("params: [{name: x, ctype: aclTenser*}]", "5:27", "unknown C type"),
    ("params: [{name: x, ctyp: int64_t}]", "5:20", "unknown key 'ctyp'; did you mean 'ctype'?"),
    ("params: [{ctype: int64_t}]", "5:10", "a required key is missing: 'name'"),
    ("params: []\nrules: {a: {check: 'nn > 1'}}", "6:21", "unknown name 'nn'"),
    ("params: [{name: n, ctype: int64_t}]\nrules: {a: 'n + 1'}", "6:13", "expected a bool expression, found int"),
    ("params: [{name: n, ctype: int64_t}]\nlet: {a: b + 1, b: a + 1}", "6:10", "circle"),
    ("params: [{name: n, ctype: int64_t}]\nlet: {n: '1'}", "6:11", "has the name of a param"),
    ("params: [{name: n, ctype: int64_t}, {name: n, ctype: int64_t}]", "1:1", "param name 'n' occurs twice"),
    ("params: [{name: x, ctype: const aclTensor*, dtype: same as slef}]", "5:52", "'same as' names no param: slef"),
    ("params: []\nclauses: {a/1: [b]}", "6:17", "unknown rule 'b'"),
    (
        "params: [{name: n, ctype: int64_t}]\nrules: {a: {check: n > 0, from: [b c]}}",
        "6:34",
        "'b c' is not of the form",
    ),
    ("params: [{name: n, ctype: int64_t}]\nrules: {a: {check: n > 0, from: [a/1, 999/1]}}", "6:39", "999"),
    ("params: []\nclauses: {99999999999999999999/1: [product]}", "6:35", "99999999999999999999"),
    ("params: [{name: n, ctype: int64_t}]\nrules: {n.null: {from: [n/usage/1]}}", "6:17", "unknown rule 'n.null'"),
    ("params: [{name: n, ctype: int64_t}]\nrules: {n.enum: {enforced: no}}", "6:17", "unknown rule 'n.enum'"),
    ("params: []\nproducts: {910x: yes}", "6:1", "keys 'products'"),
]


@pytest.mark.parametrize(("body", "place", "message"), FAULTS)
def test_a_fault_names_file_line_column_and_what_was_meant(body: str, place: str, message: str) -> None:
    with pytest.raises(OpspecError) as caught:
        load_text(spec(body), "x.yaml")
    assert f"x.yaml:{place}" in str(caught.value)
    assert message in str(caught.value) or message.startswith("keys")


def test_a_variable_of_a_rule_hides_no_param() -> None:
    """A param may be called as the variables of generated rules are."""
    body = """\
params:
  - {name: t, ctype: int64_t}
  - {name: x, ctype: const aclTensorList*, rank: t}
"""
    assert rules(body)["x.rank"] == (None, "all(t_.rank == t for t_ in x)")
