"""Sentences of expressions: what they say, in both languages."""

from __future__ import annotations

import pytest

from opspec.language import prose
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
         "y must have the same data type as every tensor of xs", "y的数据类型必须与xs中每个Tensor一致"),
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
         "one of these holds: (1) x is 1D and dim is not 0; (2) x is 2D and dim is not 1",
         "满足以下条件之一：（1）x为1维且dim不为0；（2）x为2维且dim不为1"),
    ],
)  # fmt: skip
def test_failures(rule: str, en: str, zh: str) -> None:
    """Plurals have plural verbs, brackets stand in no brackets, and one of several failures is said whole."""
    assert sentences(rule, broken=True) == (en, zh)
