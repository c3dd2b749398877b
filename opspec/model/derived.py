"""What a spec need not write: the release, which its folder tells, and the header, which its operator's name tells.

``with_release`` and ``without_release`` are opposites, for what a file says; ``filled`` and ``left_out`` are, for the
header of a whole spec.
"""

from __future__ import annotations

import re

from opspec.model.beside import release_of

TYPE_CHECKING = False
if TYPE_CHECKING:
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
