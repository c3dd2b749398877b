"""The closed sets of words that verdicts say and options take, as types.

It loads ``typing``: what a check loads names it by :func:`opspec.later.later`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

#: language of findings and pages
Lang: TypeAlias = Literal["en", "zh"]
LANGS: tuple[Lang, ...] = get_args(Lang)

#: what a page says of a product, or an author of whether a rule is checked
Support: TypeAlias = Literal["yes", "no", "unknown"]

#: what kind of rule it is, after the property that it stems from; the general default for enforcement goes by it
Kind: TypeAlias = Literal[
    "product", "null", "elements", "reserved", "dtype", "scalar-dtype", "dtype-relation", "promotion-result", "uniform",
    "format", "private-format", "format-relation", "rank", "rank-limit", "rank-relation", "shape", "shape-relation",
    "strided", "empty", "enum", "range", "length", "each", "relation", "kernel",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)

#: the steps in which a first phase checks, in their order
Step: TypeAlias = Literal["null", "product", "kernel", "dtype", "format", "rank", "shape", "attribute", "value"]
STEPS: tuple[Step, ...] = get_args(Step)

#: where a rule is checked, in the runtime's order
Stage: TypeAlias = Literal["params", "infershape", "kernel", "tiling", "device"]
STAGES: tuple[Stage, ...] = get_args(Stage)
#: those that come behind argument checks and shape inference, and still belong to the first phase
BEHIND_CHECKS: tuple[Stage, ...] = ("kernel", "tiling")

#: what a rule of a spec rests on, as its author says
Ground: TypeAlias = Literal["documented", "inferred", "observed"]

#: who says that a rule holds; ``definition``: that of a kernel
Basis: TypeAlias = Literal[Ground, "definition"]
BASES: tuple[Basis, ...] = get_args(Basis)

#: what becomes of a call that breaks a rule; see :mod:`opspec.vocabulary.enforcement`
Enforcement: TypeAlias = Literal["refused", "unchecked", "unknown", "contradicted"]

#: what of an argument a rule reads
Facet: TypeAlias = Literal["presence", "dtype", "format", "rank", "shape", "layout", "values", "value", "product"]

#: names of the status codes of a first phase; their numbers: :mod:`opspec.vocabulary.status`
Status: TypeAlias = Literal[
    "ACLNN_SUCCESS", "ACLNN_ERR_PARAM_NULLPTR", "ACLNN_ERR_PARAM_INVALID", "ACLNN_ERR_RUNTIME_ERROR",
    "ACLNN_ERR_INNER", "ACLNN_ERR_INNER_INFERSHAPE_ERROR", "ACLNN_ERR_INNER_TILING_ERROR",
    "ACLNN_ERR_INNER_FIND_KERNEL_ERROR", "ACLNN_ERR_INNER_CREATE_EXECUTOR", "ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR",
    "ACLNN_ERR_INNER_NULLPTR", "ACLNN_ERR_INNER_WRONG_ATTR_INFO_SIZE", "ACLNN_ERR_INNER_KEY_CONFLICT",
    "ACLNN_ERR_INNER_INVALID_IMPL_MODE", "ACLNN_ERR_INNER_OPP_PATH_NOT_FOUND", "ACLNN_ERR_INNER_LOAD_JSON_FAILED",
    "ACLNN_ERR_INNER_JSON_VALUE_NOT_FOUND", "ACLNN_ERR_INNER_JSON_FORMAT_INVALID",
    "ACLNN_ERR_INNER_JSON_DTYPE_INVALID", "ACLNN_ERR_INNER_OPP_KERNEL_PKG_NOT_FOUND",
    "ACLNN_ERR_INNER_OP_FILE_INVALID", "ACLNN_ERR_INNER_ATTR_NUM_OUT_OF_BOUND", "ACLNN_ERR_INNER_ATTR_LEN_NOT_ENOUGH",
    "ACLNN_ERR_INNER_INPUT_NUM_IN_JSON_TOO_LARGE", "ACLNN_ERR_INNER_INPUT_JSON_IS_NULL",
    "ACLNN_ERR_INNER_STATIC_WORKSPACE_INVALID", "ACLNN_ERR_INNER_STATIC_BLOCK_DIM_INVALID",
]  # fmt: skip
