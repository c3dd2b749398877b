"""What a spec need not write: the release, which its folder tells, the header, which its operator's name tells, and the
C type of most params, which is a tensor's.

``with_release`` and ``without_release`` are opposites, for what a file says, and so are ``with_ctypes`` and
``without_ctypes`` for one that extends no other; ``filled`` and ``left_out`` are, for the header of a whole spec.
"""

from __future__ import annotations

import re

from opspec.model.beside import release_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec.yamltext import Tree

    Data = dict[str, Tree]

UNKNOWN = "unknown"  #: what `header` says where nobody knows which header declares the operator


def usual_header(operator: str) -> str:
    """The header that declares an operator by the rule that most follow.

    >>> usual_header("aclnnAddRelu"), usual_header("aclnnLSTMCell")
    ('aclnnop/aclnn_add_relu.h', 'aclnnop/aclnn_lstm_cell.h')
    """
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", operator.removeprefix("aclnn"))
    return f"aclnnop/aclnn_{words.lower()}.h"


def with_release(own: Data, path: str) -> Data:
    """What a file says, with the release of the folder that it lies in where it says none."""
    release = release_of(path) if own.get("release") is None else None
    return own if release is None else {**own, "release": release}


def without_release(own: Data, path: str) -> Data:
    """What a file has to say: not the release of the folder that it lies in."""
    told = "release" in own and own["release"] == release_of(path)
    return {key: value for key, value in own.items() if key != "release"} if told else own


def usual_ctype(io: Tree) -> str:
    """The C type of a param that says none: a tensor's, const where it is only read.

    >>> usual_ctype("in"), usual_ctype("inout")
    ('const aclTensor*', 'aclTensor*')
    """
    return "aclTensor*" if io in ("out", "inout") else "const aclTensor*"


def with_ctypes(own: Data) -> Data:
    """What a file says, each of its params with a C type."""
    return _of_params(own, lambda param: {"ctype": usual_ctype(param.get("io")), **param})


def without_ctypes(own: Data) -> Data:
    """What a file has to say: not the C types that params have without."""

    def said(param: Data) -> Data:
        is_usual = param.get("ctype") == usual_ctype(param.get("io"))
        return {key: item for key, item in param.items() if not (is_usual and key == "ctype")}

    return _of_params(own, said)


def _of_params(own: Data, changed: Callable[[Data], Data]) -> Data:
    """What a file says with each of its params changed; where it extends another, its params are that one's."""
    params = own.get("params")
    if "extends" in own or not isinstance(params, list):
        return own
    return {**own, "params": [changed(param) if isinstance(param, dict) else param for param in params]}


def filled(value: Data) -> Data:
    """A whole spec with the header that its operator's name tells; without any where that is unknown."""
    said = value.get("header")
    if said == UNKNOWN:
        return {key: item for key, item in value.items() if key != "header"}
    operator = value.get("operator")
    return {**value, "header": usual_header(operator)} if said is None and isinstance(operator, str) else value


def left_out(value: Data) -> Data:
    """A whole spec as it is written, and as another one inherits it: a header that its operator's name tells is not."""
    said = value.get("header")
    if said is None:
        return {**value, "header": UNKNOWN}
    if said != usual_header(str(value.get("operator"))):
        return value
    return {key: item for key, item in value.items() if key != "header"}
