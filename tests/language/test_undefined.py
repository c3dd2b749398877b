"""Promise: each row of the table of undefined values holds, in every back end.

An undefined check is not applicable when the cause is an absent optional argument, undecided when data is missing,
skipped when a reported violation caused it (which it then names), and otherwise a violation.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from opspec.language import interpret, parse
from opspec.language import outcome as outcomes
from opspec.language.interpret import Env, Undef
from opspec.language.values import Scalar, Tensor
from opspec.model.load import load_text
from opspec.validator.judge import judge, judge_by_interpreter
from opspec.validator.verdict import Verdict
from tests.language.differential import compiled_value, form_of, same
from tests.language.expressions import SCOPE, argument, param_defs, seeded

HIGH = 2**63 - 1
NEITHER, NO_DATA, ABSENT = map(Undef, (outcomes.NEITHER, outcomes.NO_DATA, outcomes.ABSENT))
UNDECIDED = "undecided"

SPEC = """
operator: aclnnSmall
release: "9.1.0"
summary: {en: A test., zh: 测试。}
products: {910b: yes, 950: yes, 910: no}
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT, INT64], rank: 1-4}
  - {name: opt, ctype: const aclTensor*, optional: yes, rank: 1-4}
  - {name: xs, ctype: const aclTensorList*}
  - {name: ys, ctype: const aclTensorList*}
  - {name: dims, ctype: const aclIntArray*}
  - {name: alpha, ctype: const aclScalar*, optional: yes}
  - {name: n, ctype: int64_t}
  - {name: u, ctype: uint64_t}
"""

ARGS: dict[str, Any] = {
    "x": Tensor([2, 3], "FLOAT"), "opt": None, "xs": (), "ys": (), "dims": (1, 2), "alpha": None, "n": 2, "u": 2,
}  # fmt: skip


def verdict(rules: str, product: str | None = "910b", lets: str = "", **args: Any) -> Verdict:
    """The verdict of both back ends, which is one, on a call of the small operator."""
    form = form_of(load_text(f"{SPEC}{lets}rules:\n{rules}").definitions[0])
    values = tuple({**ARGS, **args}.values())
    found, other = judge(form, values, product), judge_by_interpreter(form, values, product)
    assert found.to_dict() == other.to_dict()
    return found


def outcome(check: str, when: str | None = None, lets: str = "", **args: Any) -> str:
    """What becomes of one rule: holds, violated or the reason why it is undecided."""
    guard = f", when: {when!r}" if when else ""
    found = verdict(f"  r: {{check: {check!r}, param: n, enforced: yes{guard}}}\n", lets=lets, **args)
    if any(finding.rule == "r" for finding in (*found.violations, *found.warnings)):
        return "violated"
    undecided = [finding.message for finding in found.undecided if finding.rule == "r"]
    assert all("needs data that the call does not carry" in message for message in undecided)
    return UNDECIDED if undecided else "holds"


# --- the rows of the table


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        ("n == 2", "holds"),
        ("n == 3", "violated"),
        ("opt.rank == 9", "holds"),  # absent: not applicable
        ("not (opt.rank == 9)", "holds"),
        ("alpha.value == 9", "holds"),
        ("x.values[0] == 9", UNDECIDED),
        ("x.storage_shape == x.shape and x.values[0] == 1.0", UNDECIDED),
        ("x.shape[7] == 1", "violated"),  # nothing earlier explains it
        ("dims[7] == 1", "violated"),
        ("n // (n - 2) == 1", "violated"),
        ("n + 9223372036854775807 > 0", "violated"),
    ],
)
def test_what_becomes_of_a_check(check: str, expected: str) -> None:
    assert outcome(check) == expected


def test_a_check_that_an_earlier_violation_made_undefined_is_skipped_and_names_it() -> None:
    found = verdict("  last: {check: 'x.shape[-1] == 3', param: n}\n", x=Tensor([], "FLOAT"))
    assert [finding.rule for finding in (*found.violations, *found.warnings)] == ["x.rank"]
    assert [(finding.rule, finding.message) for finding in found.undecided] == [("last", "skipped because of x.rank")]


def test_a_violation_that_reads_something_else_explains_nothing() -> None:
    found = verdict("  r: {check: 'dims[7] == 1', param: n, enforced: yes}\n", x=Tensor([], "FLOAT"))
    assert "r" in [finding.rule for finding in found.violations]


def test_a_rule_that_reads_a_null_required_argument_is_skipped_naming_it() -> None:
    found = verdict("  r: {check: 'dims[0] == x.rank', param: n}\n", dims=None)
    assert [finding.rule for finding in found.violations] == ["dims.null"]
    assert found.code == 161001
    assert [finding.message for finding in found.undecided] == ["skipped because of dims.null"]


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("n == 2", "violated"),
        ("n == 3", "holds"),
        ("opt.rank == 1", "holds"),
        ("x.values[0] == 1.0", UNDECIDED),
        ("x.shape[7] == 1", "holds"),
        ("n // (n - 2) == 1", "holds"),
        ("x.values[0] == 1.0 and n == 3", "holds"),
        ("x.values[0] == 1.0 or n == 2", "violated"),
    ],
)
def test_a_rule_applies_only_when_its_guard_is_true(when: str, expected: str) -> None:
    """A guard undefined for want of data lists the rule as undecided."""
    assert outcome("n == 3", when) == expected


def test_a_guard_without_data_leaves_even_a_satisfied_rule_undecided() -> None:
    assert outcome("n == 2", "x.values[0] == 1.0") == UNDECIDED


def test_a_rule_on_the_product_is_undecided_when_the_call_names_none() -> None:
    rules = "  r: {check: 'n == 3', when: \"product == '910b'\", param: n}\n"
    assert "r" in [finding.rule for finding in verdict(rules, product=None).undecided]
    assert "r" in [finding.rule for finding in verdict(rules).warnings + verdict(rules).violations]
    assert "r" not in [finding.rule for finding in verdict(rules, product="950").warnings]


def test_a_derived_value_is_undefined_only_for_who_reads_it() -> None:
    lets = "let: {L: 'opt.shape[0]', M: 'x.values[0]', N: 'x.shape[7]'}\n"
    assert outcome("n == 2", lets=lets) == "holds"
    assert outcome("L == 9", lets=lets) == "holds"
    assert outcome("M == 9", lets=lets) == UNDECIDED
    assert outcome("N == 9", lets=lets) == "violated"
    assert outcome("N == 9 or n == 2", lets=lets) == "holds"


# --- values


def value(source: str, **args: object) -> object:
    """The value in both back ends, which is one."""
    known = {param.name: argument(seeded(0), param) for param in param_defs()}
    known |= {
        "x": Tensor([2, 3], "FLOAT"), "y": None, "xs": (Tensor([2], "FLOAT"), None), "ys": None,
        "more": None, "t": None, "n": 2, "u": 2**64 - 1, "ints": (1, 2), "floats": (float("nan"), 1.0),
        "word": None, "flag": True, "p": True,
    }  # fmt: skip
    known |= args
    node = parse.parse(source, SCOPE)
    found = compiled_value(node, known, None, None)
    expected = interpret.evaluate(node, Env(known))
    assert same(found, expected)
    return found


#: a statement of every truth value: true, false, and undefined for each cause
TRUTH: dict[object, str] = {
    True: "n == 2", False: "n == 3", NEITHER: "ints[9] == 1", NO_DATA: "x.values[0] == 1.0", ABSENT: "y.rank == 1",
}  # fmt: skip


def strongest(*values: object) -> object:
    """The cause that wins: absent beats missing data beats the rest."""
    return Undef(max(value.cause for value in values if isinstance(value, Undef)))


def conjunction(a: object, b: object) -> object:
    """Kleene's ``and``, with causes."""
    if a is False or b is False:
        return False
    return True if a is True and b is True else strongest(a, b)


def negation(a: object) -> object:
    """Kleene's ``not``."""
    return not a if isinstance(a, bool) else a


def disjunction(a: object, b: object) -> object:
    """Kleene's ``or``."""
    return negation(conjunction(negation(a), negation(b)))


@pytest.mark.parametrize(("a", "b"), list(itertools.product(TRUTH, TRUTH)))
def test_and_or_not_are_three_valued(a: object, b: object) -> None:
    left, right = TRUTH[a], TRUTH[b]
    assert value(f"{left} and {right}") == conjunction(a, b)
    assert value(f"{left} or {right}") == disjunction(a, b)
    assert value(f"not ({left})") == negation(a)


@pytest.mark.parametrize(("a", "b", "c"), list(itertools.product(TRUTH, TRUTH, TRUTH)))
def test_all_any_if_and_implies_are_three_valued(a: object, b: object, c: object) -> None:
    first, second, third = TRUTH[a], TRUTH[b], TRUTH[c]
    each = f"({first}) if i == 0 else (({second}) if i == 1 else ({third}))"
    assert value(f"all({each} for i in range(3))") == conjunction(a, conjunction(b, c))
    assert value(f"any({each} for i in range(3))") == disjunction(a, disjunction(b, c))
    assert value(f"all({second} for i in range(2) if {first})") == disjunction(negation(a), b)
    assert value(f"any({second} for i in range(2) if {first})") == conjunction(a, b)
    chosen = (b if a else c) if isinstance(a, bool) else a
    assert value(f"({second}) if {first} else ({third})") == chosen
    given = True if b == ABSENT else b
    assert value(f"given({second})") == given
    if a is True:
        assert value(f"implies({first}, {second})") == given
    elif a == NO_DATA:
        assert value(f"implies({first}, {second})") == (True if given is True else NO_DATA)
    else:
        assert value(f"implies({first}, {second})") is True


UNDEFINED = {NEITHER: "ints[9]", NO_DATA: "x.storage_shape[0]", ABSENT: "y.rank"}


@pytest.mark.parametrize(("a", "b"), list(itertools.product(UNDEFINED, UNDEFINED)))
@pytest.mark.parametrize(
    "form",
    ["{0} + {1} == 1", "{0} // {1} == 1", "{0} < {1}", "max({0}, {1}) == 1", "({0}, {1}) == ints", "{0} in (1, {1})",
     "ints[{0}:{1}] == ints", "1 < {0} < {1} < 2", "broadcast(({0},), ({1},)) == ints", "{0} << {1} == 1",
     "table(({0} + 0, {1} + 0), (1, 1))", "len((*ints, {0}, {1})) == 1"],
)  # fmt: skip
def test_absent_beats_missing_data_beats_the_rest(form: str, a: Undef, b: Undef) -> None:
    strided = Tensor([2, 3], "FLOAT", strides=[1, 1])
    assert value(form.format(UNDEFINED[a], UNDEFINED[b]), x=strided) == strongest(a, b)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("y is None", True),
        ("y is not None", False),
        ("x is None", False),
        ("ys is None", True),
        ("word is None", True),
        ("any(t is None for t in xs)", True),
        ("all(t is not None for t in xs)", False),
        ("xs[1] is None", True),
        ("xs[0] is None", False),
        ("[1 for t in xs if t is None] == (1,)", True),
        ("any(a is None for a, b in zip(xs, xs))", True),
        ("p is None", False),
    ],
)
def test_is_none_is_always_defined(source: str, expected: bool) -> None:
    assert value(source) is expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("all(t.rank == 1 for t in xs)", ABSENT), ("any(t.rank == 1 for t in xs)", True), ("xs[1].rank == 1", ABSENT),
        ("given(xs[1].rank == 1)", True), ("xs[1].rank == 1 or n == 2", True), ("len(xs) == 2", True),
        ("[t.rank for t in xs] == (1, 1)", ABSENT), ("all(t.rank == 1 for t in (x, y))", ABSENT),
        ("len([t for t in xs]) == 2", ABSENT), ("len((x, y)) == 2", ABSENT), ("contiguous(xs[1])", ABSENT),
        ("all(t is None or t.rank == 1 for t in xs)", True), ("(y if flag else x).rank == 1", ABSENT),
    ],
)  # fmt: skip
def test_a_null_element_is_undefined_for_who_reads_it(source: str, expected: object) -> None:
    assert value(source) == expected


def test_a_null_element_is_a_finding() -> None:
    found = verdict("  r: {check: n == 2}\n", ys=(Tensor([1], "FLOAT"), None))
    assert [finding.rule for finding in (*found.violations, *found.warnings)] == ["ys.elements"]
    assert [finding.param for finding in (*found.violations, *found.warnings)] == ["ys[1]"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("all(a == b for a, b in zip(ints, (1, 2)))", True), ("all(a == b for a, b in zip(ints, (1,)))", NEITHER),
        ("len(zip(ints, (3, 4, 5))) == 2", NEITHER),
        ("len(zip(ints, xs)) == 2", True), ("zip(ints, ints) + () == zip(ints, ints)", True),
    ],
)  # fmt: skip
def test_zip_of_unequal_length_is_undefined(source: str, expected: object) -> None:
    assert value(source) == expected


@pytest.mark.parametrize(
    "source",
    ["9223372036854775807 + n", "-9223372036854775808 - n", "9223372036854775807 * n", "-(-9223372036854775808 + 0)",
     "abs(-9223372036854775808)", "-9223372036854775808 // (1 - n)", "n << 62", "1 << 64", "1 << -1", "n >> 64",
     "sum((9223372036854775807, 1))", "prod((9223372036854775807, n))", "align_up(9223372036854775807, n)",
     "u + 0", "-u", "~u", "u // 1", "(u - 1) % u", "u & u", "u | 1", "u ^ 0", "u >> 0", "floor(1e300)", "ceil(1e999)",
     "x.numel"],
)  # fmt: skip
def test_arithmetic_beyond_int64_is_undefined(source: str) -> None:
    """A uint64 argument compares exactly; a result of arithmetic is an int64."""
    assert value(f"{source} == 1", x=Tensor([HIGH, 2], "FLOAT")) == NEITHER


@pytest.mark.parametrize(
    "source", ["n // 0", "n % 0", "d / 0", "d / 0.0", "ceil_div(n, 0)", "align_up(n, 0)", "n % (n - 2)"]
)
def test_division_by_zero_is_undefined(source: str) -> None:
    assert value(f"{source} == 1") == NEITHER


def test_strides_that_leave_int64_are_undefined() -> None:
    assert value("x.strides[2] == 1", x=Tensor([HIGH, HIGH, HIGH], "FLOAT")) == NEITHER
    assert value("x.strides == (1,)", x=Tensor([HIGH], "FLOAT")) is True


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("-7 // 2 == -4", True), ("-7 % 2 == 1", True), ("7 // -2 == -4", True), ("7 % -2 == -1", True),
        ("-1 >> 1 == -1", True), ("~0 == -1", True), ("ceil_div(-7, 2) == -3", True), ("floor(-2.5) == -3", True),
        ("u == 2 + n", False), ("u > 9223372036854775807", True), ("u & 1 == 1", True), ("u % 8 == 7", True),
        ("u // 2 == 9223372036854775807", True), ("u in (1, 2)", False),
    ],
)  # fmt: skip
def test_integers_floor_and_uint64_compares_exactly(source: str, expected: bool) -> None:
    assert value(source) is expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("floats[0] == floats[0]", False),
        ("floats[0] < 1.0", False),
        ("floats[0] >= 1.0", False),
        ("floats[0] != 1.0", True),
        ("floats == floats", False),
        ("floats != floats", True),
        ("floats[0] in floats", False),
        ("1 in floats", True),
        ("floats[0] not in floats", True),
        ("floats in (floats,)", False),
        ("distinct((floats[0], floats[0]))", True),
        ("distinct((floats[0], 1.0, floats[0], 1.0))", False),
        ("increasing(floats)", False),
        ("0 < floats[0] < 1", False),
        ("floats[:1] == floats[:1]", False),
        ("floats[1:] == floats[1:]", True),
    ],
)
def test_nan_compares_false_wherever_it_stands(source: str, expected: bool) -> None:
    assert value(source) is expected


def test_a_scalar_is_a_double_in_arithmetic_and_exact_in_comparisons() -> None:
    big = Scalar("INT64", 2**63 - 1)
    assert value("s.value == 9223372036854775807", s=big) is True
    assert value("s.value == 9223372036854775806", s=big) is False
    assert value("s.value + 1 == 9223372036854775808.0", s=big) is True
    assert value("-s.value < 0", s=Scalar("UINT64", 2**64 - 1)) is True
    assert value("s.value * s.value > 1e37", s=big) is True
    assert value("s.value == 1.0", s=Scalar("COMPLEX64", 1 + 2j)) == NO_DATA


def test_a_range_of_more_than_a_million_is_undefined() -> None:
    assert value("len(range(1000000)) == 1000000") is True
    assert value("len(range(1000001)) == 1") == NEITHER
    assert value("len(range(3, 1)) == 0") is True


def test_an_empty_list_passes_what_is_said_of_every_element() -> None:
    assert value("all(t.rank == 1 for t in xs)", xs=()) is True
    assert value("any(t.rank == 1 for t in xs)", xs=()) is False
    assert value("max(ints) == 1", ints=()) == NEITHER


def test_a_column_of_an_absent_param_is_null() -> None:
    assert value("table((y.dtype, x.dtype), (None, FLOAT))") is True
    assert value("table((y.dtype, x.dtype), (INT8, FLOAT))") is False
    assert value("table((y, x.dtype), (present, FLOAT))") is False
    assert value("table((x.values[0],), (1,))") == NO_DATA
