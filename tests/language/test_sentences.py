"""Promise: a sentence is read in one way only, names what people name, and a failure states what the call does."""

from __future__ import annotations

import pytest

from opspec.docs.saying import Sayings
from opspec.model.definition import Definition
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
    assert zh.endswith("其中BFLOAT16仅在Ascend 950PR/Ascend 950DT上支持。")
    en, _ = failure("self.dtype in (FLOAT, INT8, DOUBLE) or self.dtype == BFLOAT16 and product == '950'")
    assert en == (
        "on Ascend 950PR / Ascend 950DT, the data type of self is none of FLOAT, INT8, DOUBLE and BFLOAT16; "
        "on other products, it is none of FLOAT, INT8 and DOUBLE"
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
    assert must == "One of the data types of self and other must be FLOAT."
    assert failure("FLOAT not in (self.dtype, other.dtype)")[0] == "the data type of self or other is FLOAT"


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("dim必须大于等于0", "必须大于等于0"),
        ("dim[0]必须大于等于0", "dim[0]必须大于等于0"),
        ("dim内的专家数必须大于0", "dim内的专家数必须大于0"),
    ],
)
def test_a_row_names_no_param_twice_and_leaves_parts_their_names(sentence: str, shown: str) -> None:
    assert Sayings(of("dim > 0")[0], "zh").in_row(sentence, "dim") == shown
