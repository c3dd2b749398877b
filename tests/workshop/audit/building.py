"""A small sound page, written for these tests, and ways to spoil it."""

from __future__ import annotations

from opspec.workshop.audit.kinds import KINDS
from opspec.workshop.audit.model import Defect
from opspec.workshop.audit.run import defects
from opspec.workshop.audit.subject import Corpus, parse

#: Nothing is wrong with it.
PAGE = """# aclnnToy

## 产品支持情况

| 产品 | 是否支持 |
| :--- | :---: |
| Ascend 950PR/Ascend 950DT | √ |
| Atlas A2 训练系列产品/Atlas A2 推理系列产品 | √ |
| Atlas 推理系列产品 | × |

## 功能说明

玩具算子。

## 函数原型

```cpp
aclnnStatus aclnnToyGetWorkspaceSize(
    const aclTensor *gradOut,
    const aclTensor *maskOptional,
    int64_t          keepDim,
    aclTensor       *out,
    uint64_t        *workspaceSize,
    aclOpExecutor  **executor)
```

```cpp
aclnnStatus aclnnToy(
    void          *workspace,
    uint64_t       workspaceSize,
    aclOpExecutor *executor,
    aclrtStream    stream)
```

## aclnnToyGetWorkspaceSize

- **参数说明：**

  <table>
  <tr><th>参数名</th><th>输入/输出</th><th>描述</th><th>使用说明</th><th>数据类型</th><th>数据格式</th><th>维度(shape)</th><th>非连续Tensor</th></tr>
  <tr><td>gradOut（aclTensor*）</td><td>输入</td><td>梯度。</td><td>支持空Tensor。</td><td>FLOAT16、BFLOAT16、FLOAT</td><td>ND</td><td>1-4</td><td>√</td></tr>
  <tr><td>maskOptional（aclTensor*）</td><td>可选输入</td><td>掩码。</td><td>-</td><td>BOOL</td><td>ND</td><td>2</td><td>√</td></tr>
  <tr><td>keepDim（int64_t）</td><td>输入</td><td>轴。</td><td>-</td><td>-</td><td>-</td><td>-</td><td>-</td></tr>
  <tr><td>out（aclTensor*）</td><td>输出</td><td>结果。</td><td>-</td><td>FLOAT16、BFLOAT16、FLOAT</td><td>ND</td><td>1-4</td><td>√</td></tr>
  <tr><td>workspaceSize（uint64_t*）</td><td>输出</td><td>大小。</td><td>-</td><td>-</td><td>-</td><td>-</td><td>-</td></tr>
  <tr><td>executor（aclOpExecutor**）</td><td>输出</td><td>执行器。</td><td>-</td><td>-</td><td>-</td><td>-</td><td>-</td></tr>
  </table>

  - Atlas A2 训练系列产品/Atlas A2 推理系列产品：gradOut和out的数据类型不支持FLOAT。

- **返回值：**

  <table>
  <tr><th>返回值</th><th>错误码</th><th>描述</th></tr>
  <tr><td>ACLNN_ERR_PARAM_NULLPTR</td><td>161001</td><td>传入的gradOut或out是空指针。</td></tr>
  <tr><td>ACLNN_ERR_PARAM_INVALID</td><td>161002</td><td>gradOut、out的数据类型不在支持的范围内。</td></tr>
  </table>

## aclnnToy

- **参数说明：**

  | 参数名 | 输入/输出 | 描述 |
  | --- | --- | --- |
  | workspace | 输入 | 地址。 |
  | workspaceSize | 输入 | 大小。 |
  | executor | 输入 | 执行器。 |
  | stream | 输入 | 流。 |

## 约束说明

- aclnnToy默认确定性实现。
"""


def found(text: str, document: str = "ops/toy/aclnnToy.md", corpus: Corpus | None = None) -> list[Defect]:
    """The defects of a page."""
    return list(defects(parse(text, document, corpus), KINDS))


def spoilt(old: str, new: str) -> str:
    """The page with one thing in another form."""
    assert PAGE.count(old) >= 1, f"{old!r} is not on the page"
    return PAGE.replace(old, new, 1)
