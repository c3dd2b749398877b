"""Sentences of expressions: what they say, in both languages."""

from __future__ import annotations

import pytest

from opspec.language import prose, tree
from opspec.language.types import BOOL, INT, INTS, TENSOR
from tests.model.building import definition

BODY = """
params:
  - {{name: x, ctype: const aclTensor*, dtype: FLOAT}}
  - {{name: y, ctype: const aclTensor*, dtype: FLOAT}}
  - {{name: xs, ctype: const aclTensorList*, dtype: FLOAT}}
  - {{name: ys, ctype: const aclIntArray*}}
  - {{name: dim, ctype: int64_t}}
  - {{name: kept, ctype: const aclTensor*, dtype: FLOAT, optional: yes}}
let:
  count: {{is: "x.shape[0]", en: the number K of experts of a token, zh: 每个token选出的所有专家的个数K}}
  has: "kept is not None"
  sizes: {{is: "x.shape[1:]", en: "the spatial sizes of `x`", zh: "`x`的空间维大小"}}
  lead: {{is: "y.shape[:-2]", en: "the dimensions of `y` before its last two", zh: "`y`除最后两维外的各维"}}
  last: {{is: "y.shape[-1]", en: "the last dimension N of `y`", zh: "`y`的最后一维N"}}
  steps: {{is: "[s + 1 for s in ys]", en: "the steps that `ys` gives", zh: "`ys`给出的各步长"}}
  squared:
    is: "x.rank == 2 and x.shape[0] == x.shape[1] and x.numel > 4 and dim > 7 and y.rank == 2"
    en: that `x` is a large square
    zh: "`x`为大方阵"
rules:
  it: {rule}
"""


def sentences(rule: str, *, broken: bool = False) -> tuple[str, str]:
    """A rule in English and in Chinese: what it requires, or what a call does that breaks it."""
    defined = definition(BODY.format(rule=rule))
    found = defined.rule("it")
    assert found is not None
    say = prose.broken if broken else prose.guarded
    en, zh = (say(found.when, found.check, lang, defined.terms) for lang in ("en", "zh"))
    return en, zh


@pytest.mark.parametrize(
    ("rule", "en", "zh"),
    [
        ('{check: "x.numel == y.numel", when: "x.numel > 0"}',
         "if x is not empty, it must have the same number of elements as y",
         "当x不为空Tensor时，x的元素个数必须与y一致"),
        ('{check: "x.numel <= 5", when: "x.numel > 0"}',
         "if x is not empty, the number of elements of x must be at most 5",
         "当x不为空Tensor时，x的元素个数必须小于等于5"),
        ('{check: "len(ys) == 2", when: "len(ys) > 0"}',
         "if ys is not empty, the length of ys must be 2", "当ys的长度大于0时，必须为2"),
        ('{check: "all(y.dtype == t.dtype for t in xs)"}',
         "y must have the same data type as every tensor in xs", "y的数据类型必须与xs中每个Tensor一致"),
        ('{check: "all(t.dtype == xs[0].dtype for t in xs)"}',
         "all tensors of xs must have the same data type", "xs中各Tensor的数据类型必须一致"),
        ('{check: "table((x.dtype, y.dtype), (FLOAT, FLOAT), (FLOAT16, FLOAT16))"}',
         "the data types of x and y must be one of the combinations in the table",
         "x和y的数据类型必须为组合表中的一种组合"),
        ('{check: "dim in (16, 32) and dim >= x.rank and dim % len(ys) == 0"}',
         "dim must be 16 or 32, must be at least the rank of x, and must be divisible by the length of ys",
         "dim必须为16或32，必须大于等于x的维数，且必须能被ys的长度整除"),
        ("""{check: "count <= dim and (1 <= count <= 16 if product == '910b' else 1 <= count <= 8)"}""",
         "the number K of experts of a token must be at most dim; on the Atlas A2 training and inference series, it"
         " must be in the range [1, 16]; on other products, it must be in the range [1, 8]",
         "每个token选出的所有专家的个数K必须小于等于dim；在Atlas A2 训练/推理系列产品上，取值范围为[1, 16]；"
         "在其他产品上，取值范围为[1, 8]"),
        ('{check: "dim == 0", when: "dim < 9 and has and kept.dtype == FLOAT"}',
         "if dim is less than 9 and kept is FLOAT, dim must be 0",
         "当dim小于9且kept为FLOAT时，dim必须为0"),
        ('{check: "x.dtype == y.dtype or x.dtype == INT8 and y.rank == 2"}',
         "x must have the same data type as y, unless x is INT8 and y is 2D",
         "x的数据类型必须与y一致，除非x为INT8且y为2维"),
        ('{check: "dim == 0 or dim % 8 == 0 and dim <= y.rank"}',
         "if dim is not 0, dim must be a multiple of 8 and at most the rank of y",
         "当dim不为0时，dim必须为8的整数倍，且必须小于等于y的维数"),
        ('{check: "x.dtype == FLOAT", when: "x.rank == 2 and y.rank == 3 or dim == 1 and y.rank == 4"}',
         "if x is 2D and y is 3D, or if dim is 1 and y is 4D, the data type of x must be FLOAT",
         "当x为2维且y为3维，或者dim为1且y为4维时，x的数据类型必须为FLOAT"),
        ('{check: "y.shape[0] == (4 if dim == 1 else 8)", when: "dim in (1, 2, 3)"}',
         "if dim is 1, dimension 0 of y must be 4; if dim is 2 or 3, dimension 0 of y must be 8",
         "当dim为1时，y的第0维必须为4；当dim为2或3时，y的第0维必须为8"),
        ('{check: "x.dtype == FLOAT", when: "x.rank > 0"}',
         "if x is not 0D, the data type of x must be FLOAT", "当x不为0维时，x的数据类型必须为FLOAT"),
        ('{check: "dim * 1 + 0 <= 16 * 256"}', "dim must be at most 4096", "dim必须小于等于4096"),
        ("""{check: "dim < (5 if product == '910b' else 5)"}""", "dim must be less than 5", "dim必须小于5"),
        ("""{check: "dim == 1 if product == '910b' else dim == 1 if product == '950' else dim == 2"}""",
         "on the Atlas A2 training and inference series and Ascend 950PR / Ascend 950DT, dim must be 1; on other"
         " products, it must be 2",
         "在Atlas A2 训练/推理系列产品和Ascend 950PR/Ascend 950DT上，dim必须为1；在其他产品上，必须为2"),
        ('{check: "x is not None or kept is not None"}',
         "at least one of x and kept must not be null", "x和kept中必须至少有一个不为空指针"),
        ('{check: "ys is not None and len(ys) > 0"}',
         "ys must be neither null nor empty", "ys不能为空指针且长度必须大于0"),
        ('{check: "dim == 0", when: "x.numel > 0 and (y.rank == 2 if has else y.rank == 3)"}',
         "if x is not empty and at least one of these holds: (1) kept is not null and y is 2D; "
         "(2) kept is null and y is 3D, then dim must be 0",
         "当x不为空Tensor且（满足以下条件之一：（1）kept不为空指针且y为2维；（2）kept为空指针且y为3维）时，dim必须为0"),
        ('{check: "not (x.rank == 2 and y.rank == 3)", when: "dim > 3"}',
         "if dim is greater than 3 and x is 2D, the rank of y must not be 3", "当dim大于3且x为2维时，y的维数不能为3"),
        ('{check: "x.shape[0] * bits(x.dtype) // 8 % 32 == 0"}',
         "dimension 0 of x in bytes must be a multiple of 32",
         "x的第0维的字节数必须为32的整数倍"),
    ],
)  # fmt: skip
def test_requirements(rule: str, en: str, zh: str) -> None:
    """A pronoun stands for what was named; what is said of all tensors of a list needs no letter."""
    assert sentences(rule) == (en, zh)


@pytest.mark.parametrize(
    ("rule", "en", "zh"),
    [
        ('{check: "sizes == ys"}', "the spatial sizes of x do not equal ys", "x的空间维大小不等于ys"),
        ('{check: "x.numel == 4 * len(ys)"}',
         "the number of elements of x does not equal 4 times the length of ys", "x的元素个数不等于4乘以ys的长度"),
        ('{check: "-max(x.rank, 1) <= dim < max(x.rank, 1)"}',
         "dim is not in the range [-R, R), where R is the rank of x (counted as 1 if it is 0)",
         "dim不在[-R, R)范围内，R为x的维数，0按1计"),
        ('{check: "all(t.dtype == xs[0].dtype for t in xs)"}',
         "the tensors of xs do not all have the same data type", "xs中各Tensor的数据类型不一致"),
        ('{check: "implies(x.rank == 1, dim == 0) and implies(x.rank == 2, dim == 1)"}',
         "at least one of these holds: (1) x is 1D and dim is not 0; (2) x is 2D and dim is not 1",
         "满足以下条件之一：（1）x为1维且dim不为0；（2）x为2维且dim不为1"),
    ],
)  # fmt: skip
def test_failures(rule: str, en: str, zh: str) -> None:
    """Plurals have plural verbs, brackets stand in no brackets, and one of several failures is said whole."""
    assert sentences(rule, broken=True) == (en, zh)


@pytest.mark.parametrize(
    ("rule", "en", "zh"),
    [
        ('{check: "kept is not None or x.rank == 2"}',
         "if kept is null, the rank of x must be 2", "当kept为空指针时，x的维数必须为2"),
        ("""{check: "x.rank == 2 and (product == '910b' or x.numel < 9)"}""",
         "the rank of x must be 2; on products other than the Atlas A2 training and inference series, the number of"
         " elements of x must be less than 9",
         "x的维数必须为2；在Atlas A2 训练/推理系列产品以外的产品上，x的元素个数必须小于9"),
        ('{check: "x.rank == 2", when: "squared"}',
         "if x is a large square, the rank of x must be 2", "当x为大方阵时，x的维数必须为2"),
        ('{check: "x.rank == 2", when: "not squared"}',
         "the rank of x must be 2, unless x is a large square", "x的维数必须为2，除非x为大方阵"),
        ('{check: "x.rank == 2 and y.rank == dim", when: "not squared"}',
         "if x is not a large square, the rank of x must be 2, and the rank of y must equal dim",
         "当x不为大方阵时，x的维数必须为2，且y的维数必须等于dim"),
        ('{check: "x.rank == 2 if dim != 3 else x.rank == 1"}',
         "if dim is 3, the rank of x must be 1; otherwise, it must be 2", "当dim为3时，x的维数必须为1；否则，必须为2"),
        ('{check: "(x is None) == (y is None) and (y is None) == (kept is None)"}',
         "x, y and kept must all be null or all be given", "x、y和kept必须同时为空指针或同时不为空指针"),
        ('{check: "(x.rank, y.rank) == (2, dim)"}',
         "the rank of x must be 2, and the rank of y must equal dim", "x的维数必须为2，且y的维数必须等于dim"),
    ],
)  # fmt: skip
def test_circumstances(rule: str, en: str, zh: str) -> None:
    """What a call is like is a condition of what it must be, and an author's clause stands as it is."""
    assert sentences(rule) == (en, zh)


@pytest.mark.parametrize(
    ("rule", "en", "zh"),
    [
        ('{check: "x.shape == ((dim, last, 2) if dim > 4 else (last, dim))"}',
         "if dim is greater than 4, the shape of x must be [dim, N, 2], where N is the last dimension of y; otherwise,"
         " it must be [N, dim]",
         "当dim大于4时，x的shape必须为[dim, N, 2]，其中N为y的最后一维；否则，必须为[N, dim]"),
        ('{check: "x.shape == (*lead, last)"}',
         "x must have the shape of y without the second-to-last dimension",
         "x的shape必须为y的shape去掉倒数第二维后的结果"),
        ('{check: "x.shape in ((*lead, last), (*lead, 1, last))"}',
         "x must have the shape of y without the second-to-last dimension, or the same shape as y except for the"
         " second-to-last dimension, which must be 1",
         "x的shape必须为y的shape去掉倒数第二维后的结果，或与y一致，仅倒数第二维为1"),
        ('{check: "x.shape[0] == (y.shape[0] + 7) // 8"}',
         "dimension 0 of x must equal ceil(dimension 0 of y / 8)", "x的第0维必须等于ceil(y的第0维 / 8)"),
    ],
)  # fmt: skip
def test_shapes(rule: str, en: str, zh: str) -> None:
    """A letter is explained once a sentence; a shape is told by what it has in place of another's dims."""
    assert sentences(rule) == (en, zh)


@pytest.mark.parametrize(
    ("rule", "en", "zh"),
    [
        ('{check: "all(a <= b for a, b in zip(ys, steps))"}',
         "every element of ys must be at most the corresponding element of the steps that ys gives",
         "ys中每个元素必须小于等于ys给出的各步长中的对应元素"),
        ('{check: "all(x.shape[i - 2] % steps[i] == 0 for i in range(2))"}',
         "each of the last two dimensions of x must be divisible by the corresponding element of the steps that ys"
         " gives",
         "x的最后两维必须能被ys给出的各步长中的对应元素整除"),
        ('{check: "sum([1 for v in ys if v != 1]) <= 4"}',
         "the number of elements of ys that are not 1 must be at most 4", "ys中不为1的元素个数必须小于等于4"),
        ('{check: "distinct([v for v in ys if v >= 0])"}',
         "the elements of ys that are at least 0 must differ from each other", "ys中大于等于0的各元素必须互不相同"),
        ('{check: "dim == sum([a * b for a, b in zip(ys, steps)])"}',
         "dim must equal the sum of the products of the corresponding elements of ys and the steps that ys gives",
         "dim必须等于ys和ys给出的各步长对应元素的乘积的总和"),
        ('{check: "all(v != 0 for v in x.values)"}', "no value of x may be 0", "x的元素值不能为0"),
        ('{check: "all(0 <= v for v in x.values)"}',
         "every value of x must be at least 0", "x的每个元素值必须大于等于0"),
        ('{check: "all(ys[0] != v for v in x.values)"}',
         "for every v in the values of x, ys[0] must not equal v", "对x的元素值中的每个v，ys[0]不能等于v"),
    ],
)  # fmt: skip
def test_elements(rule: str, en: str, zh: str) -> None:
    """Elements of lists that are read side by side, and those that a condition leaves, need no letter."""
    assert sentences(rule) == (en, zh)


def test_a_condition_inside_of_a_case_stays_with_it() -> None:
    """What is so "otherwise" is so where the first condition does not hold, whatever its case asks besides."""
    rule = """{check: "(kept is None or x.rank == 2) if dim > 4 else x.rank == 1"}"""
    assert sentences(rule)[0] == (
        "if dim is greater than 4: if kept is not null, the rank of x must be 2; otherwise, the rank of x must be 1"
    )


def test_words_of_a_function_have_every_slot_filled() -> None:
    """Also where an argument is undefined, whose type is none of its own."""
    shape = tree.Attr(tree.Param("x", TENSOR), "shape", INTS)
    reduced = tree.Call("reduced", (shape, tree.Param("axes", INTS), tree.Undefined(INT)), INTS)
    for lang in prose.WORDS:
        assert prose.requirement(tree.Compare(("==",), (shape, reduced), BOOL), lang)
