"""Each form of page that the importer knows yields what the page says; one of no known form is named and left out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from opspec.errors import OpspecError
from opspec.workshop.importer import clauses as clauses_module
from opspec.workshop.importer.page import parse_page, read_page
from opspec.workshop.importer.pipeline import import_page
from tests.workshop.importer import building
from tests.workshop.importer.building import (
    IMPLIED,
    MASK,
    MODE,
    OUT,
    PAGE,
    PRODUCTS,
    ROWS,
    Row,
    X,
    Y,
    clauses,
    html,
    imported,
    markdown,
    page,
    params,
    phase,
    prototype,
    spec,
    table,
    twins,
)

FORMS = ("html", "markdown", "bullets")
A2, P950 = "Atlas A2 训练系列产品/Atlas A2 推理系列产品", "Ascend 950PR/Ascend 950DT"


# --- the three forms of params


@pytest.mark.parametrize("form", FORMS)
def test_every_form_yields_the_facts_of_its_params(form: str) -> None:
    """Types and order come from the prototype, all else from the row; a table and bullets say the same."""
    found = params(page(form=form))
    both = {
        "ctype": "const aclTensor*",
        "dtype": ["FLOAT16", "FLOAT"],
        "rank": "2-4",
    }
    assert list(found) == ["x", "y", "maskOptional", "mode", "out"]
    assert found["x"] == {"name": "x", "empty": "yes", **both}
    assert found["y"] == {"name": "y", **both}
    assert found["out"] == {"name": "out", "io": "out", **both, "ctype": "aclTensor*"}
    mask = found["maskOptional"]
    assert (mask["optional"], mask["dtype"], mask["rank"], mask["strided"]) == ("yes", "BOOL", "1", "no")
    assert found["mode"]["ctype"] == "int64_t"
    assert imported(page(form=form)).faults == []


def test_the_two_kinds_of_tables_yield_the_same_spec() -> None:
    """Only the lines of the page differ, which a spec does not hold."""
    assert spec(page(form="html")) == spec(page(form="markdown"))


def test_what_a_whole_page_yields() -> None:
    """Products, rules, return codes and the ledger of clauses, each from its section."""
    found = spec(PAGE)
    assert found["operator"] == "aclnnToy"
    assert found["document"] == "repository/math__toy/aclnnToy.md"
    assert found["products"] == {"950": "yes", "910b": "yes", "310p": "no"}
    assert found["rules"] == {"y-same-shape": "y.shape == x.shape"}
    assert clauses(PAGE)["returns/161001/1"]["rules"] == ["null"]
    assert clauses(PAGE)["returns/161002/1"]["rules"] == ["x.dtype", "y.dtype"]
    assert imported(PAGE).specs[0].family == "math"
    assert params(PAGE)["mode"]["enum"] == ["0", "1", "2"]
    assert clauses(PAGE)["params/y/usage/1"]["rules"] == ["y-same-shape"]


def test_the_section_on_the_function_is_read_for_what_it_demands() -> None:
    """Beside what is computed it may say what a call must be like; of formulas and other interfaces it tells."""
    told = (
        "- 接口功能：玩具算子，将x的每个元素都限制在[0, 1]范围内。\n"
        "- x与y的数据类型必须一致。\n"
        "- 相似接口有aclnnOther（仅支持2维Tensor）。\n"
        "- N：需满足N=D/2\n"
        "- Ascend 950PR/Ascend 950DT：暂不支持y参数。\n"
        "- 该接口必须与aclnnOther配套使用。\n"
    )
    found = clauses(page(function=told))
    at = [place for place in found if place.startswith("function/")]
    assert at == ["function/2", "function/5", "function/6"]
    assert found["function/2"]["rules"] == ["y-same-dtype"]
    assert found["function/5"]["on"] == ["950"]
    assert found["function/6"]["not_checkable"] == "timing"


def test_a_statement_that_no_pattern_knows_stays_in_the_ledger() -> None:
    """Nothing that restricts is lost: what is not understood is an open clause."""
    text = page(constraints="- x必须满足天气预报的约束。\n- y的值不能溢出，否则精度不保证。\n")
    assert clauses(text)["constraints/1"]["not_yet"] == "yes"
    assert clauses(text)["constraints/2"]["not_checkable"] == "precision"


@pytest.mark.parametrize(
    ("words", "restricts"),
    [
        ("头的数量num_heads = [2, 4, 8]", True),
        ("值域为[0, 1]。", True),
        ("数值在[0.0, 1.0]之间。", True),
        ("数值为非负数。", True),
        ("数值上限为700。", True),
        ("strideH和strideW∈[1,63]。", True),
        (r"$0 \lt Dv \le 128$", True),
        ("其中每个元素的取值范围是[0, C - 1]", True),
        ("取值范围在[0.0, 1.0]的浮点数，其中0.0表示不平滑。", True),
        ("其值需大于0且小于无穷，默认值为7.0。", True),
        ("数据类型与x具有一定对应关系，且数值不超过x的数据类型的数值范围：", True),  # a heading that limits values
        ("H1：表示隐藏层大小，取值范围(0, 65536)。", False),  # the meaning of a letter, which other statements use
        ("0：数值为cumsum结果；", False),
        ("表示权重参数，用于调整输入数据的权重。", False),
    ],
)
def test_a_statement_that_gives_a_range_restricts(words: str, restricts: bool) -> None:
    """A range in words, brackets or LaTeX is no description, whatever it describes besides."""
    assert clauses_module.restricts(words) == restricts


@pytest.mark.parametrize(
    ("words", "restricts"),
    [
        ("首轴需要和x的首轴一致，都用N表示。", True),
        ("shape与x的前几维相同，前几维表示不做归一化的维。", True),
        ("需要与x满足broadcast关系（前几维相同，表示不做归一化的维）。", True),
        ("由公式得出块数s（s表示块数），其中m与x的m一致，其余同理。", False),
        ("2：均值，表示除以个数，与定义一致。", False),  # what a value means
    ],
)
def test_a_statement_that_asks_for_likeness_restricts(words: str, restricts: bool) -> None:
    """What explains a size beside it makes no description of a sentence that asks for the same shape."""
    assert clauses_module.restricts(words) == restricts


def test_code_a_bullet_in_bold_and_footnotes() -> None:
    """Markup of names and marks of footnotes are no part of the facts."""
    row = replace(X, dtype="`FLOAT16`<sup>1</sup>、**FLOAT**")
    text = page((row, OUT), more=f"- {A2}：上表数据类型列中的角标“1”代表该系列不支持的数据类型。\n")
    assert params(text)["x"]["dtype"] == {
        "any": ["FLOAT16", "FLOAT"],
        "changes": [{"on": ["910b"], "subtract": ["FLOAT16"]}],
    }


@pytest.mark.parametrize(
    ("ctype", "name", "io"),
    [
        ("aclTensor*", "xOut", "out"),
        ("aclTensor*", "xRef", "inout"),
        ("aclTensor*", "x", None),
        ("const aclTensor*", "xOut", None),
    ],
)
def test_what_is_written_to_though_its_row_says_input(ctype: str, name: str, io: str | None) -> None:
    """C and the name tell, where a column has it wrong; the name of a const tensor tells nothing."""
    assert params(page((replace(X, ctype=ctype, name=name), OUT)))[name].get("io") == io


# --- spans


def test_a_name_that_spans_rows_is_one_param() -> None:
    """Rows of one name cell add to each other."""
    cells = X.cells
    spanned = [
        [f"<td rowspan=2>{cells[0]}", "<td rowspan='2'>输入", *cells[2:4], "FLOAT16", *cells[5:]],
        ["续行。", "-", "FLOAT", *cells[5:]],
        OUT.cells,
        *(row.cells for row in IMPLIED),
    ]
    text = page((X, OUT), phases=phase("aclnnToy", html(spanned)))
    assert params(text)["x"]["dtype"] == ["FLOAT16", "FLOAT"]
    assert list(params(text)) == ["x", "out"]


def test_a_cell_that_spans_columns_stands_in_each() -> None:
    """Here dtype and format of a param that is no tensor, in one cell."""
    cells = [*MODE.cells[:4], "<td colspan=4>-"]
    text = page((X, MODE, OUT), phases=phase("aclnnToy", html([X.cells, cells, OUT.cells])))
    assert imported(text).faults == []
    assert params(text)["mode"]["enum"] == ["0", "1", "2"]


def test_a_cell_that_spans_a_row_of_two_params() -> None:
    """One cell of dtypes counts for both rows that it spans."""
    rows = [[*X.cells[:4], "<td rowspan=2>FLOAT16、FLOAT", *X.cells[5:]], [*Y.cells[:4], *Y.cells[5:]], OUT.cells]
    found = params(page((X, Y, OUT), phases=phase("aclnnToy", html(rows))))
    assert found["x"]["dtype"] == found["y"]["dtype"] == ["FLOAT16", "FLOAT"]
    assert found["y"]["rank"] == "2-4"


def test_a_return_code_that_spans_rows() -> None:
    """Each of its texts is a statement of the code."""
    rows = [
        ["<td rowspan=2>ACLNN_ERR_PARAM_INVALID", "<td rowspan=2>161002", "x、y的数据类型不在支持的范围之内。"],
        ["x和y的shape不一致。"],
    ]
    text = page(phases=phase("aclnnToy", table(ROWS), html(rows, ("返回值", "错误码", "描述"))))
    assert [(clause, found["rules"]) for clause, found in clauses(text).items() if clause.startswith("returns")] == [
        ("returns/161002/1", ["x.dtype", "y.dtype"]),
        ("returns/161002/2", ["y-same-shape"]),
    ]


def test_a_row_of_empty_shapes_is_none_of_null_pointers() -> None:
    """A shape that is empty has no elements: the row stands for the rules on that, and makes no param required."""
    x = replace(X, usage="不支持空Tensor。")
    rows = [("ACLNN_ERR_PARAM_INVALID", "561002", "x、y的shape为空。")]
    codes = html(rows, ("返回值", "错误码", "描述"))
    found = clauses(page(phases=phase("aclnnToy", table((x, *ROWS[1:])), codes)))
    assert found["returns/561002/1"]["rules"] == ["x.empty"]


def test_return_codes_as_text() -> None:
    """The older pages list them as items."""
    codes = "  返回161001（ACLNN_ERR_PARAM_NULLPTR）：1. 传入的x或out是空指针。\n"
    found = clauses(page(phases=phase("aclnnToy", table(ROWS), codes)))
    assert found["returns/161001/1"]["rules"] == ["x.null", "out.null"]


def test_names_that_share_a_row() -> None:
    """``x、y`` names two params."""
    shared = ["x、y", *X.cells[1:]]
    found = params(page((X, Y, OUT), phases=phase("aclnnToy", html([shared, OUT.cells]))))
    assert found["x"]["rank"] == found["y"]["rank"] == "2-4"


def test_a_name_that_the_table_spells_otherwise() -> None:
    """The prototype is law for names; the other spelling is kept as one, and statements may use it."""
    row = replace(MASK, name="mask_Optional")
    text = page(
        (X, MASK, OUT), phases=phase("aclnnToy", table((X, row, OUT))), constraints="- mask_Optional的维度不超过3维。\n"
    )
    assert params(text)["maskOptional"]["also"] == ["mask_Optional"]


def test_names_that_the_table_leaves_the_role_off() -> None:
    """Outputs are dX and dMask in the table, dXOut and dMaskOut in the prototype."""
    outputs = [replace(OUT, name=name) for name in ("dXOut", "dMaskOut")]
    rows = [replace(one, name=one.name.removesuffix("Out")) for one in outputs]
    found = params(page((X, *outputs), phases=phase("aclnnToy", table((X, *rows)))))
    assert [found[one.name]["also"] for one in outputs] == [["dX"], ["dMask"]]


# --- products


def test_products_by_table_spans_and_items() -> None:
    """A table of products, with a mark that spans rows, or a list of those that are supported."""
    spanned = "<table><tr><th>产品</th><th>是否支持</th></tr>\n"
    spanned += f"<tr><td>{P950}</td><td rowspan=2>√</td></tr><tr><td>{A2}</td></tr>\n"
    spanned += "<tr><td>Atlas 推理系列产品</td><td>×</td></tr></table>\n"
    assert spec(page(products=spanned))["products"] == {"950": "yes", "910b": "yes", "310p": "no"}
    assert spec(page(products=f"- {A2}。\n- Atlas 推理系列产品\n"))["products"] == {"910b": "yes", "310p": "yes"}


def test_a_product_or_a_mark_that_is_none_is_a_fault() -> None:
    """It is named with its line, and the others count."""
    rows = (*PRODUCTS, ("Atlas Z9 训练系列产品", "√"), ("Atlas 训练系列产品", "有时"))
    result = imported(page(products=markdown(rows, ("产品", "是否支持"))))
    assert result.specs[0].written.value["products"] == {"950": "yes", "910b": "yes", "310p": "no"}
    assert [line for line, _ in result.faults] == [5, 5]
    assert "Atlas Z9" in result.faults[0][1]
    assert "'有时'" in result.faults[1][1]


def test_items_below_a_product_count_for_it_alone() -> None:
    """The product above an item limits its sets and its rules."""
    more = f"  - {A2}：\n    - x的数据类型不支持FLOAT。\n    - y的维度为3。\n  - {P950}：x的shape与out的shape一致。\n"
    found = spec(page(more=more))
    assert params(page(more=more))["x"]["dtype"]["changes"] == [{"on": ["910b"], "subtract": ["FLOAT"]}]
    assert found["rules"]["x-same-shape"] == {"check": "x.shape == out.shape", "param": "x", "when": "product == '950'"}


def test_sets_that_a_cell_gives_product_by_product() -> None:
    """The union is the set, and each product's own a change."""
    cell = f"{P950}：FLOAT16、FLOAT<br>{A2}：FLOAT16"
    found = params(page((replace(X, dtype=cell), OUT)))["x"]["dtype"]
    assert found == {"any": ["FLOAT16", "FLOAT"], "changes": [{"on": ["910b"], "replace": ["FLOAT16"]}]}


def test_an_item_of_a_cell_behind_one_of_a_product_counts_for_all() -> None:
    """A product that begins an item limits that item; one that has its own line limits those below it."""
    row = replace(Y, usage=f"<ul><li>{A2}：y的维度为3。</li><li>shape与x一致。</li></ul>")
    assert spec(page((X, row, OUT)))["rules"]["y-same-shape"] == "y.shape == x.shape"
    row = replace(Y, usage=f"<ul><li>{A2}：<ul><li>y的维度为3。</li><li>shape与x一致。</li></ul></li></ul>")
    found = spec(page((X, row, OUT)))["rules"]["y-same-shape"]
    assert (found["check"], found["when"]) == ("y.shape == x.shape", "product == '910b'")


@pytest.mark.parametrize(
    ("usage", "fact"),
    [
        ("当前版本不支持，传空指针即可。", "reserved"),
        ("当前版本仅支持nullptr。", "reserved"),
        ("当前版本仅支持nullptr或空tensor。", "optional"),
        ("当前版本不支持，需要传入nullptr或者空tensor。", "optional"),
        ("必须传入空指针或空Tensor。", "optional"),
    ],
)
def test_what_may_be_null_or_empty_may_be_a_tensor(usage: str, fact: str) -> None:
    """Only where null is all that may be passed is a param reserved for it."""
    found = params(page((X, replace(MASK, usage=usage), OUT)))["maskOptional"]
    assert {"reserved", "optional"} & found.keys() == {fact}


def test_a_comment_block_for_products() -> None:
    """What stands between the comments counts for the products that the first names."""
    more = (
        '  <!-- npu="910b" a1 -->\n  - x的shape与out的shape一致。\n  <!-- end a1 -->\n  - y的shape与out的shape一致。\n'
    )
    found = spec(page((X, Y, OUT), more=more))["rules"]
    assert found["x-same-shape"] == {"check": "x.shape == out.shape", "param": "x", "when": "product == '910b'"}
    assert found["y-same-shape-2"] == "y.shape == out.shape"


def test_details_that_fold_a_part_away() -> None:
    """The summary that names products limits what stands in it, and a table in it is read like any other."""
    more = (
        f"  <details>\n\n  <summary><term>{A2}</term></summary>\n\n    - x的shape与out的shape一致。\n\n  </details>\n\n"
        "  - y的数据类型与out的数据类型一致。\n"
    )
    found = spec(page(more=more))["rules"]
    assert found["x-same-shape"] == {"check": "x.shape == out.shape", "param": "x", "when": "product == '910b'"}
    assert found["y-same-dtype"] == "y.dtype == out.dtype"
    folded = f"  <details>\n  <summary>展开</summary>\n\n{table(ROWS)}\n  </details>\n"
    assert params(page(phases=phase("aclnnToy", folded))) == params(PAGE)


# --- links


@pytest.mark.parametrize(
    "link",
    [
        "[{0}](../../../docs/zh/context/a.md)",
        "[{0}](common/a.md)",
        '<a href="../../../docs/zh/context/a.md">{0}</a>',
        '[{0}](./../../../docs/zh/context/a.md "{0}")',
        "{0}",
    ],
)
def test_links_to_general_rules(link: str) -> None:
    """Whichever way a page links to the general rules, the words of the link are what counts."""
    promotion, broadcast = link.format("互推导关系"), link.format("broadcast关系")
    text = page(constraints=f"- x和y的数据类型满足{promotion}。\n- x与y的shape满足{broadcast}。\n")
    found = spec(text)["rules"]
    assert found["x-y-promote"] == "promotable(x.dtype, y.dtype)"
    assert found["x-y-broadcast"] == "broadcastable(x.shape, y.shape)"


# --- elements with names of their own


@pytest.mark.parametrize(
    ("usage", "each"),
    [
        ("strideH和strideW∈[1,63]。", "[1, 63]"),
        ("strideH、strideW应该在【1，63】的范围内。", "[1, 63]"),
        ("数组长度需等于2。strideH和strideW的取值范围为（0,63]。", "(0, 63]"),
        ("strideH∈[1,63]。", None),  # and the other?
        ("strideH和strideW∈[1,63]。strideD∈[1,1000]。", None),
        ("3D场景，strideH和strideW∈[1,63]。", None),
    ],
)
def test_a_range_of_elements_that_are_called_by_their_axes(usage: str, each: str | None) -> None:
    """It is that of the array where the row names no other element, and no case."""
    stride = building.Row("const aclIntArray*", "stride", "输入", "步长。", usage, "INT64", "-", "-", "-")
    text = page(prototypes=prototype("aclnnToy", (X, stride, OUT)), phases=phase("aclnnToy", table((X, stride, OUT))))
    assert params(text)["stride"].get("each") == each


# --- several operators, other interfaces


def test_an_operator_and_its_twin_in_place() -> None:
    """One spec for both: the output and the input that it overwrites are one param of the twin."""
    ref = building.Row("aclTensor*", "x", "输入/输出", "操作数。", "-", "FLOAT16、FLOAT", "ND", "2-4", "√")
    (made,) = imported(twins((ref, Y))).specs
    assert made.stem == "aclnnToy+aclnnInplaceToy"
    assert made.written.value["twin"] == {"operator": "aclnnInplaceToy", "rename": {"out": "x"}}


@pytest.mark.parametrize(
    ("said", "deprecated"),
    [
        (
            "须知：该接口后续版本会废弃，请使用aclnnSum和[aclnnToyV2](./aclnnToyV2.md)替代本接口。",
            {"successors": ["aclnnSum", "aclnnToyV2"]},
        ),
        ("此接口后续版本会废弃，请勿使用该接口。", {}),
        ("须知：该接口仅用于推理。", None),
    ],
)
def test_an_operator_that_will_go_names_what_to_call_instead(said: str, deprecated: object) -> None:
    """It is said above all sections."""
    assert spec(page(title=f"# aclnnToy\n\n**{said}**")).get("deprecated") == deprecated


def test_a_twin_is_declared_as_its_own_prototype_has_it() -> None:
    """Pages, and headers with them, declare some tensors const that the operator overwrites."""
    ref = building.Row("const aclTensor*", "x", "输入/输出", "操作数。", "-", "FLOAT16、FLOAT", "ND", "2-4", "√")
    (made,) = imported(twins((ref, Y))).specs
    assert made.written.value["twin"]["params"] == [{"name": "x", "ctype": "const aclTensor*"}]


def test_two_operators_that_are_notwins() -> None:
    """Each has a spec of its own."""
    found = imported(twins((X, MODE, OUT), "aclnnToyV2")).specs
    assert [made.stem for made in found] == ["aclnnToy", "aclnnToyV2"]
    assert [param["name"] for param in found[1].written.value["params"]] == ["x", "mode", "out"]


def test_a_single_phase_helper() -> None:
    """A function without stream and executor is an operator of one phase."""
    size = building.Row("uint64_t*", "size", "输出", "元素个数。")
    text = page(
        title="# aclnnToySize",
        prototypes="```cpp\naclnnStatus aclnnToySize(const aclTensor *x, int64_t mode, uint64_t *size)\n```\n",
        phases=phase("aclnnToySize", html([row.cells for row in (X, MODE, size)])).replace(
            "SizeGetWorkspaceSize", "Size"
        ),
    )
    found = spec(text)
    assert found["interface"] == "single-phase"
    assert [(param["name"], param.get("io", "in")) for param in found["params"]] == [
        ("x", "in"),
        ("mode", "in"),
        ("size", "out"),
    ]


def test_a_stream_that_is_const() -> None:
    """The spec says so."""
    assert spec(PAGE.replace("aclrtStream stream", "const aclrtStream stream"))["stream"] == "const aclrtStream"


def test_a_title_that_is_damaged() -> None:
    """The functions tell the operator, and the fault is named."""
    result = imported(PAGE.replace("# aclnnToy\n", "玩具\n", 1))
    assert [made.stem for made in result.specs] == ["aclnnToy"]
    assert result.faults == [(1, "no title names an operator")]


# --- what fits no form


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "no title names an operator"),
        ("# 其他\n\n正文。\n", "no title names an operator"),
        (PAGE.replace("产品支持情况", "别的"), "aclnnToy: left out: the products"),
        (page(prototypes="无\n"), "aclnnToy: left out: the prototype of the first phase"),
    ],
)
def test_a_page_of_no_known_form_is_left_out_and_named(text: str, fault: str) -> None:
    """Nothing is guessed: without prototype or products there is no spec, and the fault says what is missing."""
    result = imported(text)
    assert result.specs == []
    assert [what for _, what in result.faults] == [fault]


def test_a_page_without_a_table_of_params_is_partial() -> None:
    """The prototype alone makes a spec that says what it lacks."""
    found = spec(page(phases=""))
    assert "the table of params" in found["partial"]["en"]
    assert [param["name"] for param in found["params"]] == ["x", "y", "maskOptional", "mode", "out"]


def test_a_type_that_is_not_known_is_partial() -> None:
    """The param is left out and named."""
    text = PAGE.replace("int64_t mode", "std::vector<int> mode")
    assert "the type of param mode" in spec(text)["partial"]["en"]
    assert [what for _, what in imported(text).faults] == ["aclnnToy: not found: the type of param mode"]


@pytest.mark.parametrize(
    ("cell", "told"), [("FLOAT16、FLAOT32", True), ("FLOAT16、ND", False), ("x1为FLOAT时支持INT9", False)]
)
def test_a_data_type_that_is_none_is_told(cell: str, told: bool) -> None:
    """The set lacks it: it is a slip, or newer than what is known of data types; what a sentence names is neither."""
    faults = [what for _, what in imported(page((replace(X, dtype=cell), *ROWS[1:]))).faults]
    assert [what.partition(";")[0] for what in faults] == ["the data types of x: unknown dtype 'FLAOT32'"] * told


def test_a_file_far_larger_than_any_page_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "aclnnToy.md"
    path.write_bytes(PAGE.encode() + b" " * 2**20)
    with pytest.raises(OpspecError, match="more than 1 MiB"):
        read_page(path)


def test_rows_that_lack_cells_are_faults_with_a_line() -> None:
    """The rest of the row still counts."""
    rows = [X.cells, Y.cells[:5], OUT.cells]
    result = imported(page((X, Y, OUT), phases=phase("aclnnToy", html(rows))))
    line, what = result.faults[0]
    assert "y（aclTensor*）" in what
    assert "5 of 8 cells" in what
    assert page((X, Y, OUT), phases=phase("aclnnToy", html(rows))).split("\n")[line - 1] == "<table>"
    assert result.specs[0].written.value["params"][1]["dtype"] == ["FLOAT16", "FLOAT"]


def test_a_table_that_is_not_closed_is_a_fault() -> None:
    """Its rows are read all the same."""
    result = imported(PAGE.replace("</table>\n", "", 1))
    assert any(what == "a table that is not closed" for _, what in result.faults)
    assert result.specs[0].written.value["params"][0]["rank"] == "2-4"


@pytest.mark.parametrize("level", ["#", "###"])
def test_phases_under_headings_of_another_level(level: str) -> None:
    """What stands below them is read as below those of level 2."""
    text = page().replace("## aclnnToyGetWorkspaceSize", f"{level} aclnnToyGetWorkspaceSize")
    assert text != page(), "the page is another one"
    made, other = (import_page(parse_page(one, "aclnnToy.md"), "9.9.9", {}) for one in (text, page()))
    assert made.specs[0].written.value == other.specs[0].written.value


def test_a_prototype_without_a_comma_has_both_params() -> None:
    """And a type that is written twice is one."""
    text = page().replace("const aclTensor* y,", "const aclTensor* aclTensor* y\n")
    assert text != page(), "the page is another one"
    made, other = (import_page(parse_page(one, "aclnnToy.md"), "9.9.9", {}) for one in (text, page()))
    assert made.specs[0].written.value["params"] == other.specs[0].written.value["params"]


def test_a_table_that_only_has_widths_around_the_one_that_has_rows() -> None:
    """The rows are read."""
    text = page().replace("<table>", "<table><colgroup>\n<col style='width: 1px'>\n</colgroup>\n<table>", 1)
    text = text.replace("</table>", "</table>\n</table>", 1)
    made, other = (import_page(parse_page(one, "aclnnToy.md"), "9.9.9", {}) for one in (text, page()))
    assert made.specs[0].written.value["clauses"] == other.specs[0].written.value["clauses"]


# --- ranks and sets in sentences


@pytest.mark.parametrize(
    ("said", "rank"),
    [
        ("shape支持3维(x的shape是2维)和4维(x的shape是3维)", ["3", "4"]),
        ("shape为(C,size[0],size[1])或(N,C,size[0],size[1])，shape支持3维和4维", ["3", "4"]),
        ("shape为(N,ceildiv(K, 64),2)，shape支持3维", "3"),
        ("shape为(N,K)，shape支持3维", ["2", "3"]),
        ("shape至少是2维，支持非连续的Tensor，数据维度不支持8维以上", "2-8"),
        ("shape至少是2维", ">= 2"),
        ("数据维度不支持8维以上", "0-8"),
        ("当mode为0时，shape至少是2维。数据维度不支持8维以上", "0-8"),
        ("Device侧的tensor，支持1维~8维", "1-8"),
    ],
)
def test_a_bullets_sentences_give_the_rank(said: str, rank: object) -> None:
    """An index or an argument in brackets is no shape; what holds in some cases alone is no rank."""
    row = replace(X, usage=f"{said}。", rank="-")
    assert params(page((row, Y, OUT), "bullets"))["x"]["rank"] == rank


def test_a_bullets_type_may_leave_out_the_asterisk() -> None:
    """A tensor whose page forgets it is read as any other."""
    text = page((X, Y, OUT), "bullets")
    assert params(text.replace("(aclTensor*, ", "(const aclTensor，", 1)) == params(text)


def test_the_types_of_all_cases_are_a_bullets_types() -> None:
    """A list of one case is no set where the next sentence lists those of another."""
    row = replace(X, dtype="-", usage="mode为0时，数据类型支持FLOAT。mode为1时，数据类型支持FLOAT、FLOAT16。")
    assert params(page((row, Y, OUT), "bullets"))["x"]["dtype"] == ["FLOAT", "FLOAT16"]


def test_an_index_in_a_tables_text_is_no_shape() -> None:
    row = replace(X, usage="shape为(1)或(B, ceildiv(H, 64), 2)，第0维为sizes[0]。", rank="1、3")
    assert params(page((row, Y, OUT)))["x"]["rank"] == ["1", "3"]


def test_what_a_bullet_says_of_a_scalar_on_a_product_is_about_the_scalar() -> None:
    """Another param with the same data types stays as its own bullet says."""
    scalar = Row("const aclScalar*", "prob", "输入", "概率。")
    text = page((X, scalar, OUT), "bullets")
    line = next(line for line in text.splitlines() if line.startswith("  - prob("))
    found = params(text.replace(line, f"{line}\n    - <term>{A2}</term>：数据类型支持FLOAT16。"))
    assert found["x"] == params(text)["x"]
    assert found["out"] == params(text)["out"]


def test_bullets_of_values_may_say_what_each_stands_for() -> None:
    """``取值为0，即…`` lists a value as ``0：…`` does."""
    for words in ("当取值为{}，即为某种模式", "{}：某种模式", "{}表示某种模式"):
        listed = "".join(f"<li>{words.format(value)}</li>" for value in range(3))
        row = replace(MODE, usage=f"支持三种取值：<ul>{listed}</ul>")
        assert params(page((X, row, OUT)))["mode"]["enum"] == ["0", "1", "2"], words


def test_the_first_value_may_follow_the_attributes_name_and_may_be_negative() -> None:
    """``则mode取值-1：…，0：…`` lists three values: neither the first nor its sign is lost."""
    for words in ("如下所示，则mode取值-1：不分组，0：按行，2：按列", "-1：不分组，0：按行，2：按列"):
        row = replace(MODE, usage=words)
        assert params(page((X, row, OUT)))["mode"]["enum"] == ["-1", "0", "2"], words


def test_a_value_may_have_a_dash_before_what_it_stands_for() -> None:
    """``0表示不分组，1表示按行，2-表示按列`` lists three values."""
    row = replace(MODE, usage="0表示不分组，1表示按行，2-表示按列，默认值为0")
    assert params(page((X, row, OUT)))["mode"]["enum"] == ["0", "1", "2"]


def test_the_first_value_may_follow_what_is_supported() -> None:
    """``支持0：不分组，1：按行，2：按列`` lists three values."""
    row = replace(MODE, usage="支持0：不分组，1：按行，2：按列")
    assert params(page((X, row, OUT)))["mode"]["enum"] == ["0", "1", "2"]


def test_what_is_not_supported_yet_has_one_value() -> None:
    """``当前版本不支持，传0即可``; where it is not supported in some case, others have more."""
    for words in ("通信量化类型，当前版本不支持，传0即可。", "预留参数，当前版本不支持，传0。"):
        assert params(page((X, replace(MODE, usage=words), OUT)))["mode"]["enum"] == ["0"], words
    for words in ("x为空时，当前版本不支持，传0即可。", "不支持负数，传0表示不分组。"):
        assert "enum" not in params(page((X, replace(MODE, usage=words), OUT)))["mode"], words


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        ("必选参数，Device侧的aclTensor，数据类型支持FLOAT16、FLOAT，数据格式支持ND。", ["x.dtype", "x.format"]),
        ("公式中的x，数据类型支持FLOAT16, FLOAT，支持非连续的Tensor。", ["x.dtype"]),
        ("shape支持2-4维，数据格式支持ND。", ["x.rank", "x.format"]),
        ("mode为0时，数据类型支持FLOAT16。", None),
        ("数据类型支持FLOAT16、FLOAT，最后一维需要对齐到32。", None),
    ],
)
def test_sentences_of_facts_in_a_bullet(words: str, facts: list[str] | None) -> None:
    """A sentence that states facts of its param and nothing else that restricts comes to those; others stay open."""
    found = clauses(page((replace(X, usage=words), OUT)))["params/x/usage/1"]
    assert found.get("rules") == facts


def test_that_an_attribute_has_its_type_restricts_nothing() -> None:
    """The declaration in C says it; the one value that is supported stays a statement."""
    row = replace(MODE, usage="数据类型支持INT64。仅支持double类型。mode仅支持0。")
    assert [at for at in clauses(page((X, row, OUT))) if "/mode/" in at] == ["params/mode/usage/3"]


def test_a_list_of_types_for_a_product_says_nothing_of_others() -> None:
    """What a note lists for one product beyond the cell is no other product's."""
    found = params(page(more=f"- {P950}：x数据类型支持FLOAT16、FLOAT、UINT16。\n"))["x"]["dtype"]
    assert found == {"any": ["FLOAT16", "FLOAT"], "changes": [{"on": ["950"], "add": ["UINT16"]}]}


def test_a_row_about_ranks_stands_for_those_of_cells_too() -> None:
    """Of two params that a row names, one has its rank in its cell, and the row gives the other one its own."""
    text = "aclnnToy", table((X, replace(OUT, rank="-")))
    returns = markdown([("ACLNN_ERR_PARAM_INVALID", "161002", "x或out的维数大于8。")], ("返回值", "错误码", "描述"))
    found = clauses(page((X, replace(OUT, rank="-")), phases=phase(*text, returns)))
    assert found["returns/161002/1"]["rules"] == ["out.rank-bound", "x.rank"]
