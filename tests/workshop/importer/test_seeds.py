"""The five pages that this project started from, imported, agree with the specs that were made from them by hand."""

from __future__ import annotations

from typing import Any

import pytest

from opspec.model.derived import with_ctypes
from opspec.workshop.importer.page import read_page
from opspec.workshop.importer.pipeline import Result, import_page
from opspec.yamltext import read_file
from tests.paths import REPOSITORY, SHARED, needs_shared
from tests.workshop.importer.building import MODE, OUT, SECOND, X, imported, spec
from tests.workshop.importer.facts_of import ABSENT, NAMES, facts, supported

SPECS = {path.stem: path for path in sorted((REPOSITORY / "specs" / "8.0").rglob("*.yaml"))}

#: (operator, param, fact) -> why the importer does not say what the spec does. A channel vector's rank is in its shape.
EXCEPTIONS = {
    ("aclnnAdaptiveAvgPool2dBackward", "gradOutput", "rank"): "follows from the formats NCHW and NCL",
    ("aclnnAdaptiveAvgPool2dBackward", "self", "rank"): "follows from the formats NCHW and NCL",
    ("aclnnAdaptiveAvgPool2dBackward", "out", "rank"): "follows from the formats NCHW and NCL",
}


@pytest.fixture(scope="session")
def seeds() -> dict[str, Result]:
    """What each of the five pages yields."""
    found = [import_page(read_page(path), "8.0", {}) for path in sorted((SHARED / "seeds").glob("*.txt"))]
    return {made.stem: result for result in found for made in result.specs}


def _hand_made(op: str) -> dict[str, Any]:
    value = read_file(str(SPECS[op])).value
    assert isinstance(value, dict)
    return with_ctypes(value)


@needs_shared
@pytest.mark.parametrize("op", SPECS)
def test_a_seed_agrees_with_the_spec_made_by_hand(op: str, seeds: dict[str, Result]) -> None:
    """Names, order, types, directions, optionality, and on every product dtypes, formats, ranks and strides."""
    mine, theirs = _hand_made(op), seeds[op].specs[0].written.value
    assert seeds[op].faults == []
    assert supported(theirs) == supported(mine)
    assert [param["name"] for param in theirs["params"]] == [param["name"] for param in mine["params"]]
    assert theirs.get("stream", "aclrtStream") == mine["stream"]
    shaped = {param["name"] for param in mine["params"] if "(C,)" in str(param.get("shape"))}
    for on in sorted(supported(mine)):
        by_hand, by_importer = facts(mine, on), facts(theirs, on)
        for param, wanted in by_hand.items():
            differ = {name for name in NAMES if wanted[name] != by_importer[param][name]}
            differ -= {"rank"} if param in shaped and by_importer[param]["rank"] == {1} else set()
            assert differ == {fact for operator, name, fact in EXCEPTIONS if (operator, name) == (op, param)}


@needs_shared
@pytest.mark.parametrize(("op", "param", "fact"), EXCEPTIONS)
def test_where_they_differ_the_importer_is_silent(op: str, param: str, fact: str, seeds: dict[str, Result]) -> None:
    """An exception is something that the importer does not know, never something that it has wrong."""
    theirs = seeds[op].specs[0].written.value
    assert facts(theirs, "910b")[param][fact] == ABSENT


@needs_shared
@pytest.mark.parametrize("op", SPECS)
def test_every_rule_of_a_seed_is_one_of_the_spec(op: str, seeds: dict[str, Result]) -> None:
    """What the importer concludes from sentences is among what a reader concluded; promotion commutes."""

    def normal(check: Any) -> str:
        text = str(check["check"] if isinstance(check, dict) else check)
        return text.replace("promote(self.dtype, gradOutput.dtype)", "promote(gradOutput.dtype, self.dtype)")

    mine = _hand_made(op)
    derived = {value["is"]: name for name, value in mine.get("let", {}).items()}
    known = {normal(rule) for rule in mine["rules"].values() if isinstance(rule, str) or "check" in rule}
    for param in mine["params"]:
        _, same, other = str(param.get("shape")).partition("same as ")
        known |= {f"{param['name']}.shape == {other}.shape"} if same else set()
    for rule in seeds[op].specs[0].written.value.get("rules", {}).values():
        text = normal(rule)
        for value, name in derived.items():
            text = text.replace(value, name)
        assert text in known


# --- the form of these pages, in a page of our own


def _scraped() -> str:
    """The page of the other forms as a scraper would leave it."""
    params = ", ".join(f"{row.ctype} {row.name}" for row in (X, MODE, OUT))
    lines = [
        "aclnnToy",
        "支持的产品型号",
        "- [object Object]Atlas 推理系列产品[object Object]。",
        "- Atlas A2训练系列产品/Atlas A2推理系列产品。",
        "接口原型",
        f"aclnnStatus aclnnToyGetWorkspaceSize({params}, uint64_t* workspaceSize, aclOpExecutor** executor)",
        SECOND.format("aclnnToy").split("\n")[1],
        "功能描述",
        "- 算子功能:玩具undefined。[object Object]",
        "aclnnToyGetWorkspaceSize",
        "参数说明:",
        "- x(aclTensor*, 计算输入): 左操作数,"
        "数据类型支持FLOAT16、FLOAT32、BFLOAT16(仅Atlas A2训练系列产品/Atlas A2推理系列产品支持),"
        "shape仅支持2-4维,支持undefined,undefined支持ND。",
        "mode(int64_t,计算输入):模式。",
        "out(aclTensor *, 计算输出):结果,支持,支持ND。",
        "- Atlas 推理系列产品:数据类型支持FLOAT16。",
        "- Atlas A2训练系列产品/Atlas A2推理系列产品:数据类型支持FLOAT16、FLOAT32。",
        "- workspaceSize(uint64_t*, 出参): 大小。",
        "返回值:",
        "aclnnStatus: 返回状态码,具体参见undefined。",
        "[object Object]",
        "aclnnToy",
        "参数说明:",
        "- workspace(void*, 入参): 地址。",
        "约束与限制",
        "- out的shape与x的shape一致。",
        "调用示例",
        "[object Object]",
    ]
    return "\n".join(lines)


def test_a_scraped_page_has_the_facts_of_any_other() -> None:
    """Its headings are bare lines, its links are lost, its products stand below the params."""
    found = spec(_scraped())
    x, mode, out = found["params"]
    assert found["operator"] == "aclnnToy"
    assert found["products"] == {"910b": "yes", "310p": "yes"}
    assert (x["rank"], facts(found, "310p")["x"]["strided"], "format" in x) == ("2-4", "yes", False)
    assert facts(found, "310p")["x"]["dtype"] == {"FLOAT16", "FLOAT"}
    assert facts(found, "910b")["x"]["dtype"] == {"FLOAT16", "FLOAT", "BFLOAT16"}
    assert mode == {"name": "mode", "ctype": "int64_t"}
    assert (out["io"], "strided" in out, "format" in out) == ("out", False, False)
    assert facts(found, "310p")["out"]["dtype"] == {"FLOAT16"}
    assert facts(found, "910b")["out"]["dtype"] == {"FLOAT16", "FLOAT"}
    assert found["rules"] == {"out-same-shape": "out.shape == x.shape"}


def test_places_on_a_scraped_page_are_those_of_its_file() -> None:
    """A fault names the line of the file, though marks were added."""
    lines = _scraped().replace("- Atlas A2训练系列产品/Atlas A2推理系列产品。", "- Atlas Z9训练系列产品。").split("\n")
    (line, what), *_ = imported("\n".join(lines)).faults
    assert "Z9" in what
    assert "Z9" in lines[line - 1]


def test_a_page_with_headings_is_not_taken_for_a_scraped_one() -> None:
    """One heading, and the lines mean what they mean in Markdown."""
    assert imported("aclnnToy\n\n# 标题\n").specs == []
