"""Promise: a sentence is read in one way only, names what people name, and a failure states what the call does."""

from __future__ import annotations

import pytest

from opspec.docs.saying import Sayings
from opspec.language.prose.sharing import Statement
from opspec.model.definition import Definition
from opspec.model.load import load_file
from opspec.vocabulary.literals import Lang
from tests.committed import sample
from tests.model.building import definition

PARAMS = """\
params:
  - {name: self, ctype: const aclTensor*, dtype: [FLOAT, INT32, INT8]}
  - {name: other, ctype: const aclTensor*, dtype: [FLOAT, INT32, INT8]}
  - {name: dim, ctype: int64_t}
  - {name: flag, ctype: bool}
  - {name: stride, ctype: const aclIntArray*}
let:
  at: {is: "axis(dim, self.rank)", en: the axis `dim`, zh: "`dim`轴"}
  G: {is: "other.shape[0]", en: "the number of groups G (the length of `other`)", zh: "分组数G（`other`的长度）"}
  H: {is: "self.shape[-1]", en: the last dimension H of `self`, zh: "`self`的最后一维H"}
"""


def of(check: str, when: str = "") -> tuple[Definition, str]:
    """An operator with one rule."""
    guard = f', when: "{when}"' if when else ""
    return definition(f'{PARAMS}rules:\n  r: {{check: "{check}"{guard}, param: self}}\n'), "r"


def requirement(check: str, when: str = "") -> tuple[str, str]:
    """What it requires, in English and in Chinese."""
    defined, name = of(check, when)
    rule = defined.rule(name)
    assert rule is not None
    return Sayings(defined, "en").requirement(rule), Sayings(defined, "zh").requirement(rule)


def failure(check: str, when: str = "") -> tuple[str, str]:
    """What a call does that breaks it."""
    defined, name = of(check, when)
    rule = defined.rule(name)
    assert rule is not None
    return Sayings(defined, "en").failure(rule), Sayings(defined, "zh").failure(rule)


@pytest.mark.parametrize("axis", ["at", "axis(dim, self.rank)"])
def test_the_last_axis_is_called_so(axis: str) -> None:
    """Nobody thinks of it as the rank minus one."""
    en, zh = requirement("self.numel > 0", f"{axis} != self.rank - 1")
    assert en.endswith("dim is not the last axis of self, self must not be empty.")
    assert zh.startswith("当dim")
    assert "不为self的最后一个轴时，" in zh
    en, _ = requirement(f"{axis} == self.rank - 1")
    assert en.endswith("dim must be the last axis of self.")


def test_a_list_that_is_longer_on_some_products_is_one_list() -> None:
    en, zh = requirement("self.dtype in (FLOAT, INT8, DOUBLE) or self.dtype == BFLOAT16 and product == '950'")
    assert en == (
        "The data type of self must be FLOAT, INT8, DOUBLE or BFLOAT16; "
        "BFLOAT16 is supported only on Ascend 950PR / Ascend 950DT."
    )
    assert zh.endswith("其中仅Ascend 950PR/Ascend 950DT支持BFLOAT16。")
    en, _ = failure("self.dtype in (FLOAT, INT8, DOUBLE) or self.dtype == BFLOAT16 and product == '950'")
    assert en == (
        "on Ascend 950PR / Ascend 950DT, the data type of self is none of FLOAT, INT8, DOUBLE and BFLOAT16; "
        "on the Atlas A2 and A3 training and inference series, it is none of FLOAT, INT8 and DOUBLE"
    )


def test_a_failure_asserts_its_condition_too() -> None:
    """Beside "if", it would say that every such call is one."""
    en, zh = failure("other.rank == self.rank", "flag")
    assert en == "flag is true, and other does not have the same rank as self"
    assert zh == "当flag为true时，other的维数与self不一致"
    en, _ = failure("other.rank == self.rank", "flag and product == '950'")
    assert en.startswith("on Ascend 950PR / Ascend 950DT, flag is true, and other does not")


def test_a_condition_of_two_things_is_no_clause_beside_another() -> None:
    """What would be read on into the failure stays a condition."""
    en, _ = failure("other.rank == self.rank", "flag or dim == 1")
    assert en.startswith("if flag is true or dim is 1, ")


def test_neither_and_none() -> None:
    en, zh = requirement("dim == 0", "self.numel > 0 and other.numel > 0")
    assert en == "If neither self nor other is empty, dim must be 0."
    assert zh.startswith("当self和other均不为空Tensor时，")


def test_each_of_some_elements() -> None:
    en, zh = requirement("all(1 <= s <= 63 for s in stride[-2:])")
    assert en == "Each of the last two elements of stride must be in the range [1, 63]."
    assert zh == "stride的最后两个元素的取值范围为[1, 63]。"
    assert requirement("all(1 <= s <= 63 for s in stride[-1:])")[0].startswith("The last element of stride must")


@pytest.mark.parametrize("lang", [0, 1])
def test_letters_stand_in_failures_too(lang: int) -> None:
    """A shape of phrases is hard to read, whether it is required or missed."""
    for text in (requirement("self.shape == (G, H)")[lang], failure("self.shape == (G, H)")[lang]):
        assert "[G, H]" in text
        assert ("G is the number of groups" in text) if lang == 0 else ("G为分组数（other的长度），H为" in text)


def test_chinese_products_are_joined_by_and() -> None:
    """Unsupported on each, not on one of them."""
    _, zh = requirement("product not in ('910', '310p')")
    assert "和" in zh
    assert "或" not in zh


def test_what_one_of_two_things_is_is_said_of_either() -> None:
    """In a condition, and of a call that fails."""
    condition, _ = requirement("dim > 0", "FLOAT in (self.dtype, other.dtype)")
    assert condition == "If self or other is FLOAT, dim must be greater than 0."
    must, _ = requirement("FLOAT in (self.dtype, other.dtype)")
    assert must == "At least one of the data types of self and other must be FLOAT."
    assert failure("FLOAT not in (self.dtype, other.dtype)")[0] == "the data type of self or other is FLOAT"


ROWS = """\
params:
  - {name: dim, ctype: int64_t}
  - {name: x, ctype: const aclTensor*, dtype: FLOAT}
  - {name: y, ctype: const aclTensor*, dtype: FLOAT}
  - {name: sizes, ctype: const aclIntArray*}
rules:
  plain: {check: "dim >= 0", param: dim}
  part: {check: "sizes[0] >= 0", param: sizes}
  attribute: {check: "x.rank <= dim", param: x}
  sum: {check: "dim + sizes[1] > 0", param: dim}
  listed: {check: "broadcastable(x.shape, y.shape)", param: x}
  guarded: {check: "x.rank == 2", when: "dim > 0", param: x}
  said: {check: "dim != 5", param: dim, say: {en: "`dim` must be small", zh: "`dim`内的值必须较小"}}
"""


@pytest.mark.parametrize(
    ("rule", "en", "zh"),
    [
        ("plain", "Must be at least 0.", "必须大于等于0。"),
        ("part", "sizes[0] must be at least 0.", "sizes[0]必须大于等于0。"),
        ("attribute", "Rank must be at most dim.", "维数必须小于等于dim。"),
        ("sum", "dim + sizes[1] must", "dim + sizes[1]必须"),
        ("listed", "x and y must be broadcastable.", "x与y必须"),
        ("guarded", "If dim is greater than 0, ", "当dim大于0时，"),
        ("said", "Must be small.", "内的值必须较小。"),
    ],
)
def test_a_row_names_no_param_twice_and_leaves_parts_their_names(rule: str, en: str, zh: str) -> None:
    """What its subject belongs to is left out where it is that param alone."""
    defined = definition(ROWS)
    found = defined.rule(rule)
    assert found is not None
    assert Sayings(defined, "en").in_row(found).startswith(en)
    assert Sayings(defined, "zh").in_row(found).startswith(zh)


TOGETHER = """\
params:
  - {name: x, ctype: const aclTensor*, dtype: FLOAT}
  - {name: y, ctype: const aclTensor*, dtype: FLOAT}
  - {name: a, ctype: const aclTensorList*, dtype: FLOAT}
  - {name: b, ctype: const aclTensorList*, dtype: FLOAT}
  - {name: c, ctype: const aclTensorList*, dtype: FLOAT}
rules:
  first: {check: "%s", param: %s}
  second: {check: "%s", param: %s}
"""


@pytest.mark.parametrize(
    ("param", "check", "required", "failed"),
    [
        ("x", "{0}.rank == 2", "The ranks of x and y must be 2.", "The rank of x or y is not 2."),
        ("x", "{0}.shape == (2,)", "The shapes of x and y must be [2].", "The shape of x or y is not [2]."),
        (
            "a",
            "all(t.dtype == u.dtype for t, u in zip({0}, c))",
            "For every i, a[i] and b[i] must have the same data type as c[i].",
            "For at least one i, a[i] or b[i] does not have the same data type as c[i].",
        ),
        (
            "a",
            "all(t.dtype == {0}[0].dtype for t in {0})",
            "All tensors of each of a and b must have the same data type.",
            "The tensors of a or b do not all have the same data type.",
        ),
    ],
)
def test_what_several_params_require_alike_is_said_once(param: str, check: str, required: str, failed: str) -> None:
    """Of all of them, in the number that it needs."""
    other = {"x": "y", "a": "b"}[param]
    defined = definition(TOGETHER % (check.format(param), param, check.format(other), other))
    rules = [rule for rule in defined.rules if rule.id in ("first", "second")]
    says = Sayings(defined, "en")
    (told,), (fails,) = says.together(rules, says.briefly), says.failures(rules)
    assert told.text.startswith(required)
    assert fails.text.startswith(failed)


@pytest.mark.parametrize(
    ("param", "check"),
    [
        ("x", "broadcastable({0}.shape, a[0].shape)"),
        ("x", "{0}.rank + a[0].rank == 4"),
        ("x", "a[0].rank == 2 if {0}.rank == 2 else a[0].rank == 1"),
        ("a", "{0}[0].rank == 2"),
    ],
)
def test_what_names_a_param_beside_others_is_said_of_it_alone(param: str, check: str) -> None:
    """Another one in its place would be taken for one more of these."""
    other = {"x": "y", "a": "b"}[param]
    defined = definition(TOGETHER % (check.format(param), param, check.format(other), other))
    rules = [rule for rule in defined.rules if rule.id in ("first", "second")]
    says = Sayings(defined, "en")
    assert len(says.together(rules, says.briefly)) == len(rules)


def test_a_failure_quotes_a_shape_that_is_like_another_but_for_some_dims() -> None:
    """ "Not" before it would deny that it is like the other one, and assert the rest."""
    assert failure("self.shape == (*other.shape[:-1], 4)")[1] == "self的shape不满足“与other一致，仅最后一维为4”"
    assert requirement("self.shape == (*other.shape[:-1], 4)")[1] == "self的shape必须与other一致，仅最后一维为4。"


@pytest.mark.parametrize(
    ("check", "en", "zh"),
    [
        (
            "self.dtype != BOOL and other.dtype != BOOL",
            "The data types of self and other must not be BOOL.",
            "self和other的数据类型不能为BOOL。",
        ),
        (
            "0 not in self.shape and 0 not in other.shape",
            "self and other must not be empty.",
            "self和other不能为空Tensor。",
        ),
        (
            "0 not in self.shape[:-1]",
            "No dimension of self but the last may be 0.",
            "self除最后一维外的各维均不能为0。",
        ),
        (
            "contiguous(self) == contiguous(other)",
            "Both or neither of self and other must be contiguous.",
            "self和other必须同为连续的Tensor或均不为连续的Tensor。",
        ),
        ("self.shape[:1] == (other.rank,)", "Dimension 0 of self must equal", "self的第0维必须等于other的维数。"),
        ("self.shape == ()", "self must be 0D.", "self必须为0维。"),
        (
            "self.shape == ((H, 2) if flag else (other.rank,))",
            "If flag is true, the shape of self must be [H, 2], where H is the last dimension of self; otherwise, self",
            "当flag为true时，self的shape必须为[H, 2]，其中H为self的最后一维；否则，self必须为1维",
        ),
        (
            "self.shape == ((other.rank,) if flag else (H, 2))",
            "If flag is true, self must be a 1D tensor whose size is the rank of other; otherwise, its shape must be",
            "当flag为true时，self必须为1维Tensor，长度等于other的维数；否则，其shape必须为[H, 2]",
        ),
        (
            "dim == ceil_div(self.rank - other.rank, 2)",
            "dim must equal ceil((the rank of self minus",
            "dim必须等于ceil((self",
        ),
    ],
)
def test_things_are_said_as_one_says_them(check: str, en: str, zh: str) -> None:
    """Of several things at once, in the negative too; of shapes with letters; of formulas with their brackets."""
    found = requirement(check)
    assert found[0].startswith(en)
    assert found[1].startswith(zh)


@pytest.mark.parametrize(
    ("check", "en", "zh"),
    [
        (
            "all(v == dim or 0 <= v < self.shape[0] for v in stride)",
            "Every element of stride other than dim must be at least 0 and less than dimension 0 of self.",
            "stride中每个元素（dim除外）的取值范围为[0, self的第0维)。",
        ),
        (
            "all(dim >= v for v in stride)",
            "Every element of stride must be at most dim.",
            "stride中每个元素必须小于等于dim。",
        ),
        (
            "any(s > 8 for s in stride)",
            "At least one element of stride must be greater than 8.",
            "stride中至少一个元素必须大于8。",
        ),
        (
            "any(dim == self.rank * s for s in (2, 4))",
            "dim must equal the rank of self times s, where s is 2 or 4.",
            "dim必须等于self的维数乘以s，其中s为2或4。",
        ),
    ],
)
def test_elements_need_no_letter(check: str, en: str, zh: str) -> None:
    """What is said of every element but some, and which values there are, is said in words."""
    assert requirement(check) == (en, zh)


def test_conditions_say_what_they_add() -> None:
    """Nothing that another condition says or rules out; each of two values has its own sentence."""
    en, zh = requirement("self.shape[1 if dim == 1 else 2] == 8", "dim in (1, 2)")
    assert en == "If dim is 1, dimension 1 of self must be 8; if dim is 2, dimension 2 of self must be 8."
    assert zh == "当dim为1时，self的第1维必须为8；当dim为2时，self的第2维必须为8。"
    en, _ = requirement(
        "flag", "self.dtype in (INT8, INT32) and self.dtype == INT8 and (self.dtype != INT8 or dim > 1)"
    )
    assert en == "If self is INT8 and dim is greater than 1, flag must be true."
    en, _ = requirement("flag", "(self.rank > 2 or dim == 1) and other.rank == 1")
    assert en == "If other is 1D, and either the rank of self is greater than 2 or dim is 1, flag must be true."
    en, zh = requirement("flag", "is_integer(self.dtype) or self.dtype == BOOL")
    assert en == "If the data type of self is an integer type or BOOL, flag must be true."
    assert zh == "当self的数据类型为整数类型或BOOL时，flag必须为true。"


def test_words_hang_on_no_terms_but_those_that_are_read() -> None:
    """A statement reads the same with the terms that it names and with all that its operator has."""
    langs: tuple[Lang, ...] = ("en", "zh")
    for path in sample(6):
        for defined in load_file(str(path)).definitions:
            every = defined.terms
            for rule, lang, fails in (
                (rule, lang, fails) for rule in defined.rules for lang in langs for fails in (0, 1)
            ):
                few, many = (
                    Statement(rule.when, rule.check, lang, terms, bool(fails))
                    for terms in (every.read_by(rule.when, rule.check), every)
                )
                assert few.text() == many.text(), rule.id
                assert rule.param is None or few.in_row(rule.param) == many.in_row(rule.param), rule.id


def test_comparisons_of_short_names_are_one_chain() -> None:
    """Where a phrase stands between, each is said."""
    en, zh = requirement("0 < dim <= stride[0] <= 256")
    assert en == "0 < dim ≤ stride[0] ≤ 256 must hold."
    assert zh == "0 < dim ≤ stride[0] ≤ 256必须成立。"
    said = requirement("0 < dim <= len(stride) <= self.shape[0] <= 256")
    assert "≤" not in said[0] + said[1]


@pytest.mark.parametrize(
    ("check", "en", "zh"),
    [
        (
            "stride[0] > 0 and stride[1] > 0",
            "stride[0] and stride[1] must be greater than 0.",
            "stride[0]和stride[1]必须大于0。",
        ),
        (
            "self.shape[2] == 1 and self.shape[3] == 1",
            "Dimensions 2 and 3 of self must be 1.",
            "self的第2维和第3维必须为1。",
        ),
        (
            "self.shape[1] % 16 == 0 and other.shape[1] % 16 == 0",
            "Dimension 1 of each of self and other must be a multiple of 16.",
            "self和other的第1维必须为16的整数倍。",
        ),
        (
            "self.rank == 2 and self.shape[0] == G",
            "The rank of self must be 2, and dimension 0 must equal the number of groups G (the length of other).",
            "self的维数必须为2，且第0维必须等于分组数G（other的长度）。",
        ),
        (
            "self.shape[0] == other.shape[1] and self.shape[1] == 1",
            "Dimension 0 of self must equal dimension 1 of other, and dimension 1 of self must be 1.",
            "self的第0维必须等于other的第1维，且self的第1维必须为1。",
        ),
        (
            "self.shape[0] == 2 and (other.dtype == INT8 or self.shape[1] % 2 == 0)",
            "Dimension 0 of self must be 2; the data type of other must be INT8, or dimension 1 of self must be even.",
            "self的第0维必须为2；other的数据类型必须为INT8，或self的第1维必须为偶数。",
        ),
        (
            "promotable(self.dtype, promote(other.dtype, INT8))",
            "The data types of self, other and INT8 must promote to a common one.",
            "self、other和INT8的数据类型必须满足互推导关系。",
        ),
    ],
)
def test_what_is_said_of_several_is_said_once(check: str, en: str, zh: str) -> None:
    """And a thing is named once, where it is clear whose part is meant; alternatives stand last."""
    assert requirement(check) == (en, zh)


def test_a_long_sentence_of_a_page_has_lines() -> None:
    """What stands under a condition, a line each, where a message has one line; a short sentence is as it was."""
    check = (
        "self.shape[0] == G and (self.shape[1] == 1 if flag else self.shape[1] == 2) and "
        "all(n > 0 for n in other.shape[1:]) and other.shape[0] * self.shape[0] <= 1024"
    )
    defined, name = of(check, "dim > 0 and self.rank == 4 and other.rank == 4")
    rule = defined.rule(name)
    assert rule is not None
    plain, page = (Sayings(defined, "en", narrows=narrows).requirement(rule) for narrows in (False, True))
    lead, *lines = page.split("\n")
    assert lead.startswith("If dim is greater than 0")
    assert lead.endswith(":")
    assert len(lines) == 4
    assert all(line.startswith("– ") for line in lines)
    assert "– if flag is true, dimension 1 of self must be 1; otherwise, it must be 2;" in lines
    assert "\n" not in plain
