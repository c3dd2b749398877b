"""The first spec of an operator of one's own, from its prototype: legal as it stands, to be made true."""

from __future__ import annotations

import re

from opspec.errors import OpspecError, shown
from opspec.model.canonical import canonical
from opspec.workshop.importer.prototypes import CParam, Prototype, find
from opspec.yamltext import Tree, write

#: What an operator is taken to be that no prototype is given of.
UNARY = [CParam("x", "const aclTensor*", ""), CParam("out", "aclTensor*", "")]
_NAME = re.compile(r"aclnn[A-Za-z0-9]{1,100}")
_TENSORS = ("aclTensor*", "aclTensorList*")


def params_of(operator: str, text: str, where: str) -> list[CParam]:
    """The params of an operator's first phase, as a prototype among some C declares them.

    Raises:
        OpspecError: there is none, or a param is of no type that the first phase takes.
    """
    found = find(text, 1)
    for prototype in found:
        if prototype.function in (f"{operator}GetWorkspaceSize", operator) and _is_first_phase(prototype):
            for param in prototype.own:
                if param.ctype is None:
                    raise OpspecError(f"{param.text!r} is of no type that a first phase takes", where=where)
            return prototype.own
    declared = ", ".join(sorted({prototype.function for prototype in found})) or "no function of an operator"
    raise OpspecError(f"found no prototype of {operator}GetWorkspaceSize; there is {declared}", where=where)


def _is_first_phase(prototype: Prototype) -> bool:
    return len(prototype.own) < len(prototype.params) or prototype.function.endswith("GetWorkspaceSize")


def skeleton(operator: str, params: list[CParam]) -> str:
    """The text of a spec in a release's folder, in its canonical form: a tensor of two dtypes, the others like it.

    Raises:
        OpspecError: the name is none of an operator.
    """
    if not _NAME.fullmatch(operator):
        raise OpspecError(f"an operator's name is aclnn and letters and digits, found {shown(operator)}")
    inputs = [param.name for param in params if _kind(param) in _TENSORS and not _is_output(param)]
    spec: Tree = {
        "operator": operator,
        "summary": "what it computes, in a line",
        "products": {"910b": "yes"},
        "params": [_param(param, inputs[0] if inputs else None) for param in params],
    }
    return canonical(write(spec), operator)


def _kind(param: CParam) -> str:
    return (param.ctype or "").removeprefix("const ")


def _is_output(param: CParam) -> bool:
    """A tensor that is not const is written, the way the interfaces declare it."""
    return _kind(param) in _TENSORS and not (param.ctype or "").startswith("const ")


def _param(param: CParam, like: str | None) -> Tree:
    made: dict[str, Tree] = {"name": param.name, "ctype": param.ctype}
    if _is_output(param):
        made["io"] = "out"
    if param.name.endswith("Optional"):
        made["optional"] = "yes"
    if _kind(param) not in _TENSORS:
        return made
    if like is not None and param.name != like:
        return {**made, "dtype": f"same as {like}", "shape": f"same as {like}"}
    return {**made, "dtype": ["FLOAT", "FLOAT16"], "rank": "0-8"}
