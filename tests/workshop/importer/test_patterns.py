"""Every row of the tables of patterns knows a wording, and makes of it the rule that the wording means."""

# ruff: noqa: E501 (a table: one row a case)
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest

from opspec.workshop.importer import guards, patterns
from opspec.workshop.importer.draft import Draft, ParamDraft
from opspec.workshop.importer.normal import Normaliser
from opspec.workshop.importer.patterns.row import Pattern, look_up
from opspec.workshop.importer.returns import violations

TENSOR, LIST, INTS = "const aclTensor*", "const aclTensorList*", "const aclIntArray*"
MANY = {
    **dict.fromkeys(("x", "y", "z"), TENSOR), "s": "const aclScalar*", "xs": LIST, "scales": "const aclFloatArray*",
    **dict.fromkeys(("stride", "padding", "dims"), INTS), **dict.fromkeys(("dim", "mode", "low", "high"), "int64_t"),
    "flag": "bool", "out": "aclTensor*",
}  # fmt: skip
PADDED = {"self": TENSOR, "pad": INTS, "grad": TENSOR, "out": "aclTensor*"}
REDUCED = {"x": TENSOR, "dims": INTS, "keepDim": "bool", "out": "aclTensor*"}


@dataclass(frozen=True, slots=True)
class Case:
    """A row's name, a sentence, and the checks it yields; the params of the operator, the condition of the
    rules, and whether its params are optional."""

    row: str
    text: str
    checks: Sequence[str]
    params: Mapping[str, str] | None = None
    when: str | None = None
    optional: bool = False

    @property
    def draft(self) -> Draft:
        """An operator with these params."""
        made = Draft("aclnnToy", "repository/folder/file")
        for name, ctype in (self.params or MANY).items():
            made.params[name] = ParamDraft(name, ctype, "out" if name == "out" else "in")
            made.params[name].properties |= {"optional": "yes"} if self.optional else {}
        return made

    @property
    def normal(self) -> str:
        """The sentence in normal form."""
        return Normaliser(self.draft.params).normal(self.text)


_AXIS = "-max(x.rank, 1) <= dim < max(x.rank, 1)"
_CHANNELS_FIRST = "{}.format not in (NHWC, NDHWC)"
_GROWN = "all({0}.shape[-1 - i] == self.shape[-1 - i] + pad[2 * i] + pad[2 * i + 1] for i in range(len(pad) // 2))"
_MATRICES = "x.rank >= 2 and y.rank >= 2"
_PRODUCT = "x.shape[-1] == y.shape[-2]"

STATEMENTS = (
    Case("equal", "x的数据类型与y的数据类型必须一致。", ["x.dtype == y.dtype"]),
    Case("equal", "x的shape跟随y", ["x.shape == y.shape"]),
    Case("equal", "xs的数据格式与x的数据格式一致", ["all(t.format == x.format for t in xs)"]),
    Case("all equal", "x、y和z的数据类型两两一致", ["y.dtype == x.dtype", "z.dtype == x.dtype"]),
    Case("uniform", "xs中所有Tensor的数据类型需要一致", ["all(t.dtype == xs[0].dtype for t in xs)"]),
    Case("result of broadcast", "out的shape是x和y做broadcast之后的shape", ["out.shape == broadcast(x.shape, y.shape)"]),
    Case("broadcast", "x的shape与y的shape需满足broadcast关系", ["broadcastable(x.shape, y.shape)"]),
    Case("broadcast to", "x的shape可以broadcast到out的shape", ["broadcastable_to(x.shape, out.shape)"]),
    Case("promotion", "x的数据类型与y的数据类型需满足数据类型推导规则（参见规则）", ["promotable(x.dtype, y.dtype)"]),
    Case("promoted dtype", "out的数据类型与x、y推导之后的数据类型一致", ["out.dtype == promote(x.dtype, y.dtype)"]),
    Case("promoted dtype", "out的数据类型与x、s推导之后的数据类型一致", ["out.dtype == promote_scalar(x.dtype, s.dtype)"]),
    Case("castable from", "out的数据类型是x与y推导之后可转换的数据类型", ["castable(promote(x.dtype, y.dtype), out.dtype)"]),
    Case("castable to", "x的数据类型可转换为out的数据类型", ["castable(x.dtype, out.dtype)"]),
    Case("rank at most", "x、y的维度不支持8维以上", ["x.rank <= 8", "y.rank <= 8"]),
    Case("rank at most", "xs的维度不超过六维", ["all(t.rank <= 6 for t in xs)"]),
    Case("channels", "y的shape长度与x的channel轴长度一致", ["y.numel == (x.shape[-1] if x.format in (NHWC, NDHWC) else x.shape[1])"]),
    Case("number of elements", "y的元素个数为1", ["y.numel == 1"]),
    Case("leading dims", "x的N轴和C轴的大小与out一致", ["x.shape[:2] == out.shape[:2]"], when=_CHANNELS_FIRST.format("x")),
    Case("same dim", "x的最后一维与y的第一维相等", ["x.shape[-1] == y.shape[0]"]),
    Case("same dim", "x的尾轴为64", ["x.shape[-1] == 64"]),
    Case("same dim", "y的倒数第二维等于mode", ["y.shape[-2] == mode"]),
    Case("dim multiple", "x的尾轴是32的整数倍", ["x.shape[-1] % 32 == 0"]),
    Case("reduce dims", "x的Reduce维度与y的Reduce维度大小相等", [_PRODUCT], when=_MATRICES),
    Case("as many elements", "x的元素个数大于等于y的元素个数", ["x.numel >= y.numel"]),
    Case("length", "scales的长度与xs的列表长度一致", ["len(scales) == len(xs)"]),
    Case("length", "dims的元素个数与x的维数一致", ["len(dims) == x.rank"]),
    Case("most tensors", "xs支持最多50个Tensor", ["len(xs) <= 50"]),
    Case("lengths", "stride、padding的长度一致", ["len(padding) == len(stride)"]),
    Case("axis", "dim的取值范围为[-x.dim(), x.dim()-1]", [_AXIS]),
    Case("axis", "dims的取值范围为[-x.dim(), x.dim())", ["all(-max(x.rank, 1) <= d < max(x.rank, 1) for d in dims)"]),
    Case("dtypes", "当mode为1时，x的数据类型仅支持FLOAT16、FLOAT", ["x.dtype in (FLOAT16, FLOAT)"], when="mode == 1"),
    Case("values", "如果x的数据类型为INT8，则mode仅支持取0或1", ["mode in (0, 1)"], when="x.dtype == INT8"),
    Case("absent", "x为3维时，y只能传入空指针", ["y is None"], when="x.rank == 3"),
    Case("given", "mode=2或4时，x需要提供", ["x is not None"], when="mode in (2, 4)"),
    Case("given", "当x为3维时，y为必填。", ["y is not None"], when="x.rank == 3"),
    Case("together", "x需与y同时传入或同为nullptr", ["(x is None) == (y is None)"], optional=True),
    Case("multiple", "mode必须是8的整数倍", ["mode % 8 == 0"]),
)  # fmt: skip

VIOLATIONS = (
    Case("padding not less", "pad内的数值大于等于self的维度", ["all(pad[i] < self.shape[-1 - i // 2] for i in range(len(pad)))"], PADDED),
    Case("not padded", "out后两维度的值不等于self后两维度的值加pad", [_GROWN.format("out")], PADDED),
    Case("gradient not padded", "grad的shape与toy_pad1d正向传播的output的shape不一致", [_GROWN.format("grad")], PADDED),
    Case("not castable", "x和y推导后的数据类型无法转换为输出out的类型", ["castable(promote(x.dtype, y.dtype), out.dtype)"]),
    Case("not the broadcast shape", "x、y做broadcast后的shape与out的shape不一致", ["out.shape == broadcast(x.shape, y.shape)"]),
    Case("not the broadcast shape", "out的shape与x、y做broadcast后的shape不一致", ["out.shape == broadcast(x.shape, y.shape)"]),
    Case("not the broadcast shape", "out的shape与broadcast后的shape不一致", ["out.shape == broadcast(x.shape, y.shape, z.shape)"]),
    Case("not broadcastable", "x和y的shape无法做broadcast", ["broadcastable(x.shape, y.shape)"]),
    Case("unequal", "x的数据类型与y的数据类型不一致", ["x.dtype == y.dtype"]),
    Case("unequal", "x、y的shape不一致", ["y.shape == x.shape"]),
    Case("not promotable", "x和y的数据类型无法做数据类型推导", ["promotable(x.dtype, y.dtype)"]),
    Case("rank over", "x的维度大于8", ["x.rank <= 8"]),
    Case("rank not", "x的维度不是3维或4维", ["x.rank in (3, 4)"]),
    Case("rank under", "x的维度小于2维", ["x.rank >= 2"]),
    Case("length not", "stride的长度不为2", ["len(stride) == 2"]),
    Case("lengths unequal", "stride与padding的长度不一致", ["len(padding) == len(stride)"]),
    Case("axes repeated", "dims中有重复元素", ["distinct([axis(d, max(x.rank, 1)) for d in dims])"]),
    Case("axis of a scalar tensor", "当x.dim()=0时，dim的取值范围不在[-1, 0]内", [_AXIS]),
    Case("axis outside", "dim的值超出x的维度范围", [_AXIS]),
    Case("element", "stride中某个元素小于等于0", ["all(v > 0 for v in stride)"]),
    Case("element", "mode小于0", ["mode >= 0"]),
    Case("no matrix product", "x和y不满足矩阵相乘条件", [_PRODUCT], when=_MATRICES),
    Case("leading dims", "x和out在N、C维度上的大小不相等", ["x.shape[:2] == out.shape[:2]"], when=_CHANNELS_FIRST.format("x")),
    Case("spatial dims", "out在H、W维度上的大小与stride[0]和stride[1]不相等", ["out.shape[2:4] == stride[:2]"], when=_CHANNELS_FIRST.format("out")),
    Case("flag", "flag为true", ["not flag"]),
    Case("order", "low大于high", ["low <= high"]),
    Case("number not", "mode的取值不为1", ["mode == 1"]),
    Case("number of elements", "y的元素个数不为1", ["y.numel == 1"]),
    Case("not reduced", "out的shape与推导的shape不一致", ["out.shape == reduced(x.shape, dims, keepDim)"], REDUCED),
)  # fmt: skip


def _id(case: Case) -> str:
    return f"{case.row}: {case.text}"


def _answering(table: Sequence[Pattern], case: Case) -> int | None:
    """The number of the row that answers a sentence, or what follows its condition."""
    cut = guards.split(case.normal)
    for text in (case.normal, cut[1] if cut else ""):
        for number, pattern in enumerate(table):
            if look_up((pattern,), case.draft, text, conditional=text != case.normal):
                return number
    return None


@pytest.mark.parametrize("case", STATEMENTS, ids=_id)
def test_a_statement_yields_its_rule(case: Case) -> None:
    """The row of this name answers, with these checks and under this condition."""
    made = patterns.apply(case.draft, Normaliser(case.draft.params), case.text, None)
    assert [rule.check for rule in made] == list(case.checks)
    assert {rule.when for rule in made} == {case.when}
    number = _answering(patterns.TABLE, case)
    assert number is not None
    assert patterns.TABLE[number].name == case.row


@pytest.mark.parametrize("case", VIOLATIONS, ids=_id)
def test_a_violation_yields_the_rule_that_it_breaks(case: Case) -> None:
    """What a row of return codes says is wrong is the opposite of the check."""
    made = violations.rules(case.draft, case.normal)
    assert [rule.check for rule in made] == list(case.checks)
    assert {rule.when for rule in made} == {case.when}
    number = _answering(violations.TABLE, case)
    assert number is not None
    assert violations.TABLE[number].name == case.row


@pytest.mark.parametrize(
    ("table", "cases"), [(patterns.TABLE, STATEMENTS), (violations.TABLE, VIOLATIONS)], ids=["statements", "violations"]
)
def test_every_row_has_a_case(table: Sequence[Pattern], cases: Sequence[Case]) -> None:
    """A row that nobody shows to work may have stopped to, or never have."""
    shown = {_answering(table, case) for case in cases}
    assert [f"{number}: {pattern.name}" for number, pattern in enumerate(table) if number not in shown] == []


@pytest.mark.parametrize(
    "text",
    [
        "x的数据类型仅支持FLOAT16、FLOAT",
        "mode仅支持取0或1",
        "y只能传入空指针",
    ],
)
def test_rows_for_conditions_need_one(text: str) -> None:
    """Without a condition these sentences repeat what a cell says."""
    case = Case("", text, [])
    assert patterns.apply(case.draft, Normaliser(case.draft.params), text, None) == []


@pytest.mark.parametrize(
    "text",
    [
        "x的数据类型与y的数据类型一致，风和日丽",  # a part that nobody knows
        "当天气晴朗时，x的shape与y的shape一致",  # a condition that nobody knows
        "x的数据类型与y的数据类型可能一致",
        "w的shape与v的shape一致",  # params that the operator does not have
        "",
    ],
)
def test_what_is_not_understood_whole_yields_nothing(text: str) -> None:
    """No rule is made of half a sentence."""
    case = Case("", text, [])
    assert patterns.apply(case.draft, Normaliser(case.draft.params), text, None) == []


def test_requirements_with_commas_between_and_products() -> None:
    """Each part is a rule on the products of the statement, with the subject of the first part."""
    case = Case("", "x的数据类型与y的数据类型一致，且shape与out的shape一致", [])
    made = patterns.apply(case.draft, Normaliser(case.draft.params), case.text, None, ("910b", "950"))
    assert [(rule.check, rule.when) for rule in made] == [
        ("x.dtype == y.dtype", "product in ('910b', '950')"),
        ("x.shape == out.shape", "product in ('910b', '950')"),
    ]


def test_a_row_is_about_the_param_of_its_sentence() -> None:
    """A sentence without a subject in a param's row has that param."""
    case = Case("", "shape与y一致", [])
    made = patterns.apply(case.draft, Normaliser(case.draft.params), case.text, "x")
    assert [rule.check for rule in made] == ["x.shape == y.shape"]
