"""Each kind of defect: a page that has it and nothing else, and the sound page that has none."""

from __future__ import annotations

import pytest

from opspec.workshop.audit.kinds import KINDS
from opspec.workshop.audit.subject import Corpus
from tests.workshop.audit.building import PAGE, found, spoilt

#: (kind, what on the sound page, put in its place, what the defect finds, what it expects)
SPOILT = [
    ("title", "# aclnnToy\n", "# 玩具\n", "", "aclnnToy"),
    ("heading", "## aclnnToy\n", "## aclnnTory\n", "aclnnTory", "aclnnToy"),
    ("heading-level", "## 约束说明", "### 约束说明", "###", "##"),
    ("section-missing", "## aclnnToy\n", "## 第二段\n", "", "aclnnToy"),
    ("table-open", "  </table>\n\n  - Atlas", "\n\n  - Atlas", "", ""),
    ("few-cells", "<td>轴。</td><td>-</td>", "<td>轴。</td>", "7", "8"),
    ("no-name", "executor（aclOpExecutor**）", "（aclTensor*）", "（aclTensor*）", ""),
    ("no-products", "## 产品支持情况", "## 其他", "", ""),
    ("unknown-product", "| Atlas 推理系列产品 |", "| Atlas 9000 推力产品 |", "Atlas 9000 推力产品", ""),
    ("no-mark", "| × |", "| 也许 |", "也许", "√ / ×"),
    ("product-twice", "| Atlas 推理系列产品 | × |", "| Atlas 推理系列产品 | × |\n| Atlas 推理系列产品 | √ |", "× √", ""),
    ("unsupported-rules", "- aclnnToy默认", "- Atlas 推理系列产品：gradOut不超过3维。\n- aclnnToy默认", "310p", "√"),
    ("no-return-type", "aclnnStatus aclnnToyGetWork", "aclnnToyGetWork", "aclnnToyGetWorkspaceSize", "aclnnStatus"),
    ("second-missing", "aclnnStatus aclnnToy(", "见另一页 (", "", "aclnnToy"),
    ("invalid-c", "int64_t          keepDim", "long          keepDim", "long keepDim", ""),
    ("missing-comma", "*gradOut,\n", "*gradOut\n", "const aclTensor *gradOut const aclTensor *maskOptional", ""),
    ("param-twice", "const aclTensor *gradOut,", "const aclTensor *gradOut, const aclTensor *gradOut,", "gradOut", ""),
    ("first-tail", "**executor)", "**opExecutor)", "aclOpExecutor **opExecutor", "aclOpExecutor** executor"),
    ("second-params", "    uint64_t       workspaceSize,\n", "    uint64_t       workspace_size,\n", "workspace_size", "workspaceSize"),
    ("not-in-table", "    int64_t          keepDim,\n", "    int64_t          keepDim,\n    bool train,\n", "", "train"),
    ("not-a-param", "    int64_t          keepDim,\n", "", "keepDim", ""),
    ("name-differs", "<td>maskOptional（", "<td>masksOptional（", "masksOptional", "maskOptional"),
    ("order-differs", "    int64_t          keepDim,\n    aclTensor       *out,\n", "    aclTensor       *out,\n    int64_t          keepDim,\n", "keepDim", "out"),
    ("row-twice", "  <tr><td>workspaceSize（", "  <tr><td>out</td><td>输出</td><td>-</td><td>-</td><td>-</td><td>-</td><td>-</td><td>-</td></tr>\n  <tr><td>workspaceSize（", "out", ""),
    ("type-differs", "keepDim（int64_t）", "keepDim（bool）", "bool", "int64_t"),
    ("type-without-pointer", "out（aclTensor*）", "out（aclTensor）", "aclTensor", "aclTensor*"),
    ("no-direction", "</td><td>输入</td><td>轴。", "</td><td>keepDim</td><td>轴。", "keepDim", ""),
    ("written-input", "<td>输出</td><td>结果", "<td>输入</td><td>结果", "输入", "输出"),
    ("const-output", "    aclTensor       *out", "    const aclTensor *out", "const aclTensor*", "aclTensor*"),
    ("unknown-dtype", "<td>BOOL</td>", "<td>BOOL、FLOAT99</td>", "FLOAT99", ""),
    ("dtype-spelling", "<td>BOOL</td>", "<td>BOOL、FLOAT8E5M2</td>", "FLOAT8E5M2", "FLOAT8_E5M2"),
    ("dtype-in-text", "玩具算子。", "玩具算子，支持BFOLAT16。", "BFOLAT16", "BFLOAT16"),
    ("unknown-format", "<td>ND</td><td>2</td>", "<td>ND、NWWC</td><td>2</td>", "NWWC", "NHWC"),
    ("unknown-format", "玩具算子。", "玩具算子（ACL_FORMAT_DHWCN）。", "ACL_FORMAT_DHWCN", "HWCN"),
    ("same-twice", "<td>BOOL</td>", "<td>FLOAT、BOOL、FLOAT32</td>", "FLOAT, FLOAT32", "FLOAT"),
    ("footnote", "<td>BOOL</td>", "<td>BOOL<sup>1</sup></td>", "BOOL^1", "1"),
    ("status-number", "<td>161001</td>", "<td>161002</td>", "ACLNN_ERR_PARAM_NULLPTR (161002)", "161001 / ACLNN_ERR_PARAM_INVALID"),
    ("unknown-status", "ACLNN_ERR_PARAM_NULLPTR", "ACLNN_ERRPARAM_NULLPTR", "ACLNN_ERRPARAM_NULLPTR", "ACLNN_ERR_PARAM_NULLPTR"),
    ("no-null-row", "  <tr><td>ACLNN_ERR_PARAM_NULLPTR</td><td>161001</td><td>传入的gradOut或out是空指针。</td></tr>\n", "", "161002", "161001"),
    ("null-no-param", "传入的gradOut或out是", "传入的gradOut或result是", "result", ""),
    ("return-no-param", "gradOut、out的数据类型不在", "gradOut、result、out的数据类型不在", "result", ""),
    ("name-in-text", "- aclnnToy默认", "- keep_dim小于8。\n- aclnnToy默认", "keep_dim", "keepDim"),
    ("optional-null", "传入的gradOut或out是", "传入的gradOut、maskOptional或out是", "maskOptional", "可选输入"),
    ("note-takes-away", "不支持FLOAT。", "不支持FLOAT、INT8。", "INT8", ""),
    ("note-goes-beyond", "gradOut和out的数据类型不支持FLOAT。", "gradOut和out的数据类型支持FLOAT16、INT8。", "INT8", ""),
    ("empty-tensor", "<td>支持空Tensor。</td>", "<td><ul><li>支持空Tensor。</li><li>不支持空Tensor。</li></ul></td>", "", ""),
    ("strides", "<td>支持空Tensor。</td>", "<td>不支持非连续的Tensor。</td>", "不支持非连续的Tensor", "√"),
    ("rank-shape", "<td>掩码。</td><td>-</td>", "<td>掩码。</td><td>shape为(B, S, H)。</td>", "(B, S, H)", "2"),
    ("rank-return", "gradOut、out的数据类型不在支持的范围内。", "gradOut的维度大于8。", "> 8", "1-4"),
]  # fmt: skip
#: Defects that come with another one, because they are seen from two sides.
WITH = {
    "table-open": {"no-null-row"},
    "status-number": {"no-null-row"},
    "missing-comma": {"not-a-param"},
    "second-missing": {"heading"},
}
#: Kinds that need other pages: tested below.
OF_CORPUS = {"file-name", "two-pages", "link", "products-missing", "foreign-prototype", "prototype-missing"}


def test_the_sound_page_has_no_defect() -> None:
    assert found(PAGE) == []
    assert found("\ufeff" + PAGE.replace("\n", "\r\n")) == []


@pytest.mark.parametrize(("kind", "old", "new", "is_", "expected"), SPOILT, ids=[row[0] for row in SPOILT])
def test_a_spoilt_page_has_the_one_defect(kind: str, old: str, new: str, is_: str, expected: str) -> None:
    defects = found(spoilt(old, new))
    mine = [defect for defect in defects if defect.kind == kind]
    assert [(defect.found, defect.expected) for defect in mine] == [(is_, expected)]
    assert {defect.kind for defect in defects} - {kind} <= WITH.get(kind, set())
    assert 1 <= mine[0].line <= len(PAGE.split("\n")) + 2


def test_every_kind_is_tested() -> None:
    assert {row[0] for row in SPOILT} | OF_CORPUS == {kind.id for kind in KINDS}


def test_a_defect_stands_at_its_line() -> None:
    """The line of the cell or the token, not of the table."""
    text = spoilt("<td>BOOL</td>", "<td>BOOL、FLOAT99</td>")
    number = next(i for i, line in enumerate(text.split("\n"), 1) if "FLOAT99" in line)
    assert [defect.line for defect in found(text)] == [number]


def test_ids_and_sentences_are_whole() -> None:
    """Ids are unique, both languages have the same places."""
    assert len({kind.id for kind in KINDS}) == len(KINDS)
    for kind in KINDS:
        for name in ("{param", "{expected", "{found", "{operator"):
            assert kind.en.count(name) == kind.zh.count(name), kind.id


def test_kinds_that_need_the_file_or_other_pages() -> None:
    assert [d.kind for d in found(PAGE, "ops/toy/aclnnToi.md")] == ["file-name"]
    corpus = Corpus(operators={"aclnnToy": ["ops/toy/aclnnToy.md", "ops/toy2/aclnnToy.md"]})
    assert [(d.kind, d.found) for d in found(PAGE, corpus=corpus)] == [("two-pages", "ops/toy2/aclnnToy.md")]
    linked = spoilt("玩具算子。", "见[aclnnToe](../../toe/docs/aclnnToe.md)。")
    assert found(linked, corpus=Corpus(names={"aclnnToy.md": []})) == []
    assert [d.kind for d in found(linked, corpus=Corpus(names={"aclnnToy.md": []}, whole=True))] == ["link"]
    corpus = Corpus(pages=100)
    corpus.listed.update({"950": 100, "910b": 100, "310p": 100, "910": 95, "310": 5})
    assert [(d.kind, d.expected) for d in found(PAGE, corpus=corpus)] == [("products-missing", "910")]


def test_prototypes_of_others_or_none() -> None:
    foreign = PAGE.replace(
        "    aclrtStream    stream)\n", "    aclrtStream    stream)\naclnnStatus aclnnTree(const aclTensor *x)\n"
    )
    assert [(d.kind, d.found) for d in found(foreign)] == [("foreign-prototype", "aclnnTree")]
    start, end = PAGE.index("## 函数原型"), PAGE.index("## aclnnToyGet")
    assert {d.kind for d in found(PAGE[:start] + PAGE[end:])} == {"prototype-missing"}


def test_what_is_meant_is_no_defect() -> None:
    """Conditions, words that params share, products that the table does not name, other spellings of dtypes."""
    for old, new in [
        ("传入的gradOut或out是空指针。", "当keepDim为1时，传入的result是空指针。"),
        ("<td>BOOL</td>", "<td>bool、BF16、FLOAT32</td>"),
        ("不支持FLOAT。", "不支持FLOAT。使能HFLOAT32。"),
        ("- aclnnToy默认", "- Atlas 推理系列产品：不支持此算子。\n- aclnnToy默认"),
        ("<td>支持空Tensor。</td>", "<td>支持空Tensor。keepDim为0的场景不支持空Tensor。</td>"),
        ("<td>BOOL</td>", "<td>INT32、INT4（INT32表示8个INT4）</td>"),
    ]:
        assert found(spoilt(old, new)) == [], new
