"""Statements of two releases' pages that say the same in other words."""

from __future__ import annotations

import pytest

from opspec.workshop.importer.alike import Statements, Wordings, pieces, says, vague


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("shape为(n，)，且需要与x一致。", "Shape为（n, ），必须与x保持一致"),
        ("数据类型同x。", "数据类型同x，数据格式支持ND。"),
        ("要求是一个1D的Tensor。", "映射关系，要求是一个1D的Tensor。"),
        ("轴y不大于8。", "轴 y <= 8"),
        ("当前输入a为INT32时，b必选。", "a为INT32时，b必选，c可选。"),
        ("数据类型是BOOL可转换的数据类型。", "数据类型需要是BOOL可转换的数据类型互转换关系，支持非连续的Tensor。"),
        ("shape与x一致。", "公式中的y，数据类型和shape与x一致。"),
        ("数据类型与x一致。", "数据类型支持FLOAT，需与x一致。"),
        ("true：不计算，y等于x。", "true即不计算，y等于x，是Host侧的BOOL值。"),
        ("数据格式与x的数据格式一致。", "数据类型和数据格式与x的数据类型和数据格式一致，shape不变。"),
        ("x2不支持非连续的Tensor。", "x2支持INT8，x2不支持非连续的tensor。"),
        ("预留参数，不支持。", "预留参数，不支持，需要传入0。"),
        ("值大于等于0且小于9。", "值大于等于0小于9，c可选。"),
        ("数据类型与x满足互推导关系。", "数据类型与x的数据类型满足数据类型推导规则。"),
        ("第1维与x一致，支持空Tensor。", "第1维与x一致。"),
        ("要求是一个2D的Tensor，b与x一致。", "要求是一个2D的Tensor，支持INT8，b与x一致。"),
    ],
)
def test_what_says_the_same_in_other_words(old: str, new: str) -> None:
    """Words around names, numbers and comparisons do not matter, nor what is said besides."""
    assert says(pieces(new), pieces(old))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("y大于8。", "y不大于8。"),
        ("长度为1或3。", "长度为1或2。"),
        ("shape与x一致。", "a为空时，shape与x一致。"),
        ("a为空时，shape与x一致。", "shape与x一致。"),
        ("支持FLOAT，长度为1。", "长度为1。"),
        ("shape与x一致。", "shape与x一致，除首维外。"),
        ("支持0：a，2：b。", "支持0：a，1：c，2：b。"),
        ("支持0：a，2：b。", "支持0：a，2：b，3：c。"),
        ("a大于0，小于c。", "a大于0，b大于1，小于c。"),
        ("", "x"),
    ],
)
def test_what_does_not(old: str, new: str) -> None:
    """Another number, a condition more or less, an exception, a longer list, another subject, or less."""
    assert not says(pieces(new), pieces(old))


def test_a_row_that_does_not_say_what_is_wrong() -> None:
    """Another page that has it, too, need not mean the same by it."""
    assert vague("参数的取值不在支持的范围内。")
    assert not vague("dims的长度大于8。")


def test_which_statements_say_which() -> None:
    """By fingerprints, with the names that the new page has; and which rules the new words still need."""
    old = Statements([], {"a": "shape与old一致。", "b": "长度为3。"}, {"a": ["same"]})
    new = Statements([], {"c": "shape必须与new一致，长度小于9。", "b": "长度为3。"}, {})
    words = Wordings.between(old, new, {"old": "new"})
    assert words.of("c") == ("c", "a")
    assert words.of("b") == ("b",)
    assert words.left("c", {"x": "same", "y": "other"}) == ["y"]
    assert words.left("b", {"y": "other"}) == []
    assert words.names("c", "new")
    assert not words.names("c", "ne")


def test_what_a_statement_says_of_one_property() -> None:
    """Where another page says as much of the data type and nothing of the format, the data type's rules hold there."""
    old = Statements([], {"a": "数据类型与x一致，数据格式与x一致。"}, {})
    new = Statements([], {"b": "数据类型与x一致。"}, {})
    words = Wordings.between(old, new, {})
    assert words.of("b") == ("b",)
    assert words.partly == {"b": {"dtype": ("a",)}}


@pytest.mark.parametrize(
    ("cell", "said", "drawn"),
    [
        ("有/无专家：(E, N1)、(N1)", "数据类型支持FLOAT，输入在有/无专家时分别为[E，N1]/[N1]。", True),
        ("(B, S, N) <br> N支持1、2", "shape为（B,S,N），N支持2、4、1。", True),
        ("(tokens_num * topK_num,)", "要求shape为一个1D的（tokens\\_num×topK\\_num，），支持非连续的Tensor。", True),
        ("(B, S, N) <br> N支持1、2、4", "shape为（B,S,N），N支持2。", False),
        ("(M, K)或(K, M)", "shape为(M, K)。", False),
        ("2", "支持2维。", False),
    ],
)
def test_shapes_that_a_sentence_draws(cell: str, said: str, drawn: bool) -> None:
    """A cell's shapes hold where a sentence has all of them and all numbers, be it among other things."""
    old = Statements([{"at": "params/x/rank", "fingerprint": "a"}], {"a": cell}, {})
    new = Statements([{"at": "params/x/usage/1", "fingerprint": "b"}], {"b": said}, {})
    words = Wordings.between(old, new, {})
    assert (words.of("b") == ("b", "a") or "shape" in words.partly["b"]) == drawn
