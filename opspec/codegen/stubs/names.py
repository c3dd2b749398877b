"""What a stub calls its own things: no name of the vendor's is among them."""

from __future__ import annotations

import re

from opspec.codegen import ctext

#: kind of object -> its C type in the arguments of a call
OWN = {
    "tensor": "OpTensor", "tensor_list": "OpTensorList", "scalar": "OpScalar", "scalar_list": "OpScalarList",
    "int_array": "OpInts", "float_array": "OpFloats", "bool_array": "OpBools",
}  # fmt: skip

#: kind of object -> its aclnn type without ``acl``
BASES = {
    "tensor": "Tensor", "tensor_list": "TensorList", "scalar": "Scalar", "scalar_list": "ScalarList",
    "int_array": "IntArray", "float_array": "FloatArray", "bool_array": "BoolArray",
}  # fmt: skip

#: kind of array -> the C type of its elements
ELEMENTS = {"int_array": "int64_t", "float_array": "float", "bool_array": "bool"}


def stem(op: str) -> str:
    """``GeluBackwardV2`` for ``aclnnGeluBackwardV2``: what names of its own end in, or start with.

    Raises:
        OpspecError: the operator's name is no name in C.
    """
    rest = ctext.operator_name(op).removeprefix("aclnn")
    return rest if rest[0].isalpha() else f"Op{rest}"


def file_stem(op: str) -> str:
    """``gelu_backward_v2`` for ``aclnnGeluBackwardV2``: the start of its files' names."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", stem(op))
    return words.strip("_").lower() or "operator"


def call_name(op: str) -> str:
    """The function that calls an operator."""
    return f"call{stem(op)}"


def check_name(op: str) -> str:
    """The function that judges a call by the operator's rules."""
    return f"check{stem(op)}"


def arguments_name(op: str) -> str:
    """The struct of an operator's arguments."""
    return f"{stem(op)}Arguments"
