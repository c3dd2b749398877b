"""References: what an operator computes, as expressions over tensors that a machine without a device can evaluate.

The syntax is a closed subset of Python's, parsed with ``ast`` and never evaluated as text: names of params and of
earlier lines, numbers, arithmetic, comparisons, elements and slices, ``a if c else b``, lists made of tensors of a list
(``[exp(t) for t in x]``), and calls of the functions below, which are PyTorch's of these names. Who evaluates them, and
writes the numbers of pages, is ``opspec.workshop.worked``.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from opspec.errors import SpecError, did_you_mean, shown

MOST = 400  #: characters of an expression

#: functions of torch that a reference may call
TORCH = frozenset((
    "abs", "acos", "acosh", "add", "addcdiv", "addcmul", "amax", "amin", "arange", "argsort", "asin", "asinh",
    "atan", "atan2", "atanh", "baddbmm", "bitwise_and", "bitwise_or", "bitwise_xor", "bucketize", "cat", "cdist",
    "ceil", "clamp", "cos", "cosh", "cummax", "cummin", "cumprod", "cumsum", "diag", "diagflat", "einsum", "eq",
    "erf", "erfc", "exp", "exp2", "expm1", "eye", "flatten", "flip", "floor", "floor_divide", "fmod", "frac",
    "full", "full_like", "gather", "gcd", "ge", "gt", "index_add", "index_copy", "index_fill", "index_select",
    "isclose", "isfinite", "isin", "kthvalue", "le", "lerp", "linspace", "log", "log10", "log1p", "log2", "logaddexp",
    "logaddexp2", "logdet", "logical_and", "logical_not", "logical_or", "logical_xor", "logspace", "lt", "matmul",
    "max", "maximum", "mean", "min", "minimum", "nan_to_num", "nanmedian", "nansum", "ne", "neg", "nonzero", "norm",
    "ones_like", "outer", "permute", "pow", "prod", "relu", "remainder", "renorm", "repeat_interleave", "reshape",
    "rot90", "round", "rsqrt", "searchsorted", "sigmoid", "sign", "signbit", "sin", "sinc", "sinh", "softmax",
    "sqrt", "square", "stack", "std", "squeeze", "sum", "take", "tan", "tanh", "tensor", "tile", "topk", "transpose",
    "tril", "triu", "trunc", "unique", "unsqueeze", "var", "where", "xlogy", "zeros", "zeros_like",
))  # fmt: skip

#: functions of torch.nn.functional that a reference may call
FUNCTIONAL = frozenset((
    "adaptive_avg_pool3d", "adaptive_max_pool2d", "adaptive_max_pool3d", "affine_grid",
    "binary_cross_entropy_with_logits", "celu", "channel_shuffle", "cross_entropy", "elu", "gelu", "grid_sample",
    "hardsigmoid", "hardswish", "interpolate", "kl_div", "l1_loss", "layer_norm", "leaky_relu", "logsigmoid",
    "max_pool2d", "max_pool3d", "max_unpool2d", "max_unpool3d", "mish", "mse_loss", "one_hot", "pad", "pdist",
    "pixel_shuffle", "selu", "silu", "smooth_l1_loss", "softplus", "softshrink", "threshold",
))  # fmt: skip

#: functions that are none of PyTorch's: of numbers, sizes and lists
BUILT_IN = frozenset({"len", "zip", "range", "float", "int", "tuple", "list"})

_FUNCTIONS = TORCH | FUNCTIONAL | BUILT_IN

#: what may be asked of a tensor
PARTS = frozenset({"shape", "ndim", "T", "mT", "real"})

_NODES = (
    ast.Expression, ast.Name, ast.Load, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Compare, ast.IfExp, ast.Call,
    ast.keyword, ast.Subscript, ast.Slice, ast.Tuple, ast.List, ast.ListComp, ast.comprehension, ast.Store,
    ast.Attribute, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult, ast.USub,
    ast.Invert, ast.BitAnd, ast.BitOr, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Is, ast.IsNot,
    ast.Starred,
)  # fmt: skip


def parsed(text: str, names: Collection[str]) -> ast.expr:
    """The syntax of a reference.

    Args:
        names: those that it may read.

    Raises:
        SpecError: it is none: a form, a name or a function that there is not.
    """
    if len(text) > MOST:
        raise SpecError(f"a reference has at most {MOST} characters, this one has {len(text)}")
    try:
        body = ast.parse(" ".join(text.split()), mode="eval").body
    except SyntaxError as error:
        raise SpecError(f"not an expression: {error.msg}", column=error.offset or 0) from None
    nodes = [*ast.walk(body)]
    bound = {name.id for node in nodes if isinstance(node, ast.comprehension) for name in _names(node.target)}
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        _check(node, {*names, *bound}, called)
    return body


def _names(node: ast.AST) -> Iterator[ast.Name]:
    return (one for one in ast.walk(node) if isinstance(one, ast.Name))


def _check(node: ast.AST, names: Collection[str], called: Collection[int]) -> None:
    column = getattr(node, "col_offset", 0) + 1
    if not isinstance(node, _NODES):
        raise SpecError(f"a reference has no {type(node).__name__}", column=column)
    if isinstance(node, ast.Call) and not isinstance(node.func, ast.Name):
        raise SpecError("a reference calls functions by their names", column=column)
    if isinstance(node, ast.Attribute) and node.attr not in PARTS:
        raise SpecError(f"a tensor is not asked for {shown(node.attr)}{did_you_mean(node.attr, PARTS)}", column=column)
    if isinstance(node, ast.Name) and id(node) in called:
        if node.id not in _FUNCTIONS:
            raise SpecError(f"unknown function {shown(node.id)}{did_you_mean(node.id, _FUNCTIONS)}", column=column)
    elif isinstance(node, ast.Name) and node.id not in names:
        raise SpecError(f"unknown name {shown(node.id)}{did_you_mean(node.id, names)}", column=column)


def targets(key: str) -> tuple[str, ...]:
    """The names that a line gives a value: ``values, indices`` two."""
    return tuple(name.strip() for name in key.split(","))


def check(lines: Mapping[str, str], small: Collection[str], params: Collection[str]) -> None:
    """Hold a reference and the call it is evaluated on to the params of their operator.

    Raises:
        ValueError: a line is no expression, or names what there is not.
    """
    names = [*params]
    for key, text in lines.items():
        try:
            parsed(text, names)
        except SpecError as error:
            raise ValueError(f"reference of {key}: {error.message}") from None
        names += targets(key)
    for name in small:
        if name not in params:
            raise ValueError(f"small: there is no param {shown(name)}{did_you_mean(name, params)}")
