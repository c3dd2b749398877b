"""Small pages, written for these tests, in each of the forms that the importer reads; and what they come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from opspec.model.canonical import canonical
from opspec.model.shorten import shortened
from opspec.workshop.importer.naming import identified
from opspec.workshop.importer.page import Page, parse_page
from opspec.workshop.importer.pipeline import Imported, Result, import_page
from opspec.workshop.importer.scraped import restored
from opspec.yamltext import write

HEAD = ("参数名", "输入/输出", "描述", "使用说明", "数据类型", "数据格式", "维度(shape)", "非连续Tensor")
PRODUCTS = (
    ("Ascend 950PR/Ascend 950DT", "√"),
    ("Atlas A2 训练系列产品/Atlas A2 推理系列产品", "√"),
    ("Atlas 推理系列产品", "×"),
)
RETURNS = (
    ("ACLNN_ERR_PARAM_NULLPTR", "161001", "传入的x、y或out是空指针。"),
    ("ACLNN_ERR_PARAM_INVALID", "161002", "x、y的数据类型不在支持的范围之内。"),
)
SECOND = """```cpp
aclnnStatus {0}(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
```
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A param of a page: its declaration, and the cells of its row."""

    ctype: str
    name: str
    io: str
    about: str = "操作数。"
    usage: str = "-"
    dtype: str = "-"
    format: str = "-"
    rank: str = "-"
    strided: str = "-"

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells below ``HEAD``."""
        name = f"{self.name}（{self.ctype.removeprefix('const ')}）"
        return (name, self.io, self.about, self.usage, self.dtype, self.format, self.rank, self.strided)


X = Row("const aclTensor*", "x", "输入", "左操作数。", "支持空Tensor。", "FLOAT16、FLOAT", "ND", "2-4", "√")
Y = Row("const aclTensor*", "y", "输入", "右操作数。", "shape与x一致。", "FLOAT16、FLOAT", "ND", "2-4", "√")
MASK = Row("const aclTensor*", "maskOptional", "可选输入", "掩码。", "可传入空指针。", "BOOL", "ND", "1", "×")
MODE = Row("int64_t", "mode", "输入", "模式。", "取值为0、1或2。")
OUT = Row("aclTensor*", "out", "输出", "结果。", "-", "FLOAT16、FLOAT", "ND", "2-4", "√")
ROWS = (X, Y, MASK, MODE, OUT)
IMPLIED = (Row("uint64_t*", "workspaceSize", "输出", "大小。"), Row("aclOpExecutor**", "executor", "输出", "执行器。"))


def html(rows: Sequence[Sequence[str]], head: Sequence[str] = HEAD) -> str:
    """An HTML table; a cell may bring its own tag, ``<td rowspan=2>…``."""
    lines = ["<table>", "<tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr>"]
    for row in rows:
        lines.append(
            "<tr>" + "".join(f"{cell if cell.startswith('<td') else '<td>' + cell}</td>" for cell in row) + "</tr>"
        )
    return "\n".join((*lines, "</table>")) + "\n"


def markdown(rows: Sequence[Sequence[str]], head: Sequence[str] = HEAD) -> str:
    """A Markdown table."""
    lines = [f"| {' | '.join(row)} |" for row in (head, [":---"] * len(head), *rows)]
    return "\n".join(lines) + "\n"


def bullets(rows: Sequence[Row]) -> str:
    """The older form: an item a param, its facts in sentences."""
    return "".join(
        f"  - {row.name}({row.ctype.removeprefix('const ')}, {_role(row)}): {_sentence(row)}\n" for row in rows
    )


def _role(row: Row) -> str:
    return {"输入": "计算输入", "输出": "计算输出", "可选输入": "计算输入"}[row.io]


def _sentence(row: Row) -> str:
    parts = [
        "可选参数" if "可选" in row.io else "",
        row.about.rstrip("。"),
        "" if row.usage == "-" else row.usage.rstrip("。"),
    ]
    if row.dtype != "-":
        parts.append(f"数据类型支持{row.dtype}")
    if row.rank != "-":
        parts.append(f"shape支持{row.rank}维")
    if row.strided != "-":
        parts.append("支持非连续的Tensor" if row.strided == "√" else "不支持非连续的Tensor")
    if row.format != "-":
        parts.append(f"数据格式支持{row.format}")
    return "，".join(part for part in parts if part) + "。"


def table(rows: Sequence[Row], form: str = "html") -> str:
    """The params of a page in one of the forms."""
    rows = (*rows, *IMPLIED)
    if form == "bullets":
        return bullets(rows)
    return (html if form == "html" else markdown)([row.cells for row in rows])


def prototype(operator: str, rows: Sequence[Row]) -> str:
    """The two functions of an operator."""
    params = ", ".join(f"{row.ctype} {row.name}" for row in (*rows, *IMPLIED))
    return f"```cpp\naclnnStatus {operator}GetWorkspaceSize({params})\n```\n\n{SECOND.format(operator)}"


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a page; each can be replaced."""

    title: str = "# aclnnToy"
    products: str = markdown(PRODUCTS, ("产品", "是否支持"))
    function: str = "- 接口功能：玩具算子。\n"
    prototypes: str = prototype("aclnnToy", ROWS)
    phases: str = ""
    constraints: str = "无\n"

    @property
    def text(self) -> str:
        """The page."""
        return (
            f"{self.title}\n\n## 产品支持情况\n\n{self.products}\n## 功能说明\n\n{self.function}\n"
            f"## 函数原型\n\n{self.prototypes}\n{self.phases}\n## 约束说明\n\n{self.constraints}"
        )


def phase(operator: str, params: str, returns: str | None = None, more: str = "") -> str:
    """The section on an operator's first phase."""
    codes = html(RETURNS, ("返回值", "错误码", "描述")) if returns is None else returns
    return f"## {operator}GetWorkspaceSize\n\n- **参数说明：**\n\n{params}\n{more}\n- **返回值：**\n\n{codes}\n"


def page(rows: Sequence[Row] = ROWS, form: str = "html", more: str = "", **changes: str) -> str:
    """A page for ``aclnnToy`` with these params.

    Args:
        more: notes below the table of params.
        changes: parts of it that are replaced.
    """
    made = Parts(prototypes=prototype("aclnnToy", rows), phases=phase("aclnnToy", table(rows, form), more=more))
    return replace(made, **changes).text


def twins(second: tuple[Row, ...], name: str = "aclnnInplaceToy") -> str:
    """A page for ``aclnnToy`` and another operator with these params."""
    prototypes = prototype("aclnnToy", (X, Y, OUT)) + "\n" + prototype(name, second)
    phases = (
        phase("aclnnToy", table((X, Y, OUT))) + "\n## aclnnToy\n\n- **参数说明：** 无\n\n" + phase(name, table(second))
    )
    return page(title=f"# aclnnToy&{name}", prototypes=prototypes, phases=phases)


PAGE = page()


def read(text: str) -> Page:
    """The model of a page."""
    return parse_page(restored(text), "repository/math__toy/aclnnToy.md")


def imported(text: str) -> Result:
    """What a page yields."""
    return import_page(read(text), "9.9.9", {})


def text_of(made: Imported) -> str:
    """The canonical text of an imported spec's file, its clauses by ids that are made of the rules alone."""
    value = {**made.written.value, "clauses": identified(made.written.value.get("clauses", ()))}
    return canonical(write(shortened(value)[0]), made.stem)


def spec(text: str) -> dict[str, Any]:
    """The one spec that a page yields."""
    (made,) = imported(text).specs
    return made.written.value


def params(text: str) -> dict[str, dict[str, Any]]:
    """The params of that spec by name."""
    return {param["name"]: param for param in spec(text)["params"]}


def clauses(text: str) -> dict[str, dict[str, Any]]:
    """Its ledger by place."""
    return {clause["at"]: clause for clause in spec(text)["clauses"]}
