"""What a page opens with: the operator as a function of its tensors' shapes, and what the letters stand for."""

from __future__ import annotations

from collections.abc import Iterator

from opspec.docs.saying import Sayings
from opspec.docs.shapes import Shape, shapes
from opspec.model.definition import ParamDef

_MOST = 12  # params that stand in the line; of more, those that may be null and attributes are left out
_WIDTH = 100  # of a line of it


def line(sayings: Sayings) -> str:
    """``out[M, N] = aclnnMm(self[M, K], mat2[K, N], cubeMathType)``, in lines; empty of an operator without tensors."""
    definition = sayings.definition
    of = shapes(definition).of
    if not of:
        return ""
    reserved = {param.name for param in sayings.spec.params if param.reserved is not None}
    given = [param for param in definition.params if param.io != "out" and param.name not in reserved]
    results = [param for param in definition.params if param.io != "in" and param.name in of]
    kept = [param for param in given if len(given) <= _MOST or (param.name in of and not param.nullable)]
    args = [_named(param, of.get(param.name, ())) for param in kept]
    args += ["…"] if len(kept) < len(given) else []
    left = [_named(param, of[param.name]) for param in results]
    return _wrapped(left, definition.name, args)


def letters(sayings: Sayings) -> Iterator[tuple[str, str, bool]]:
    """The letters that are no dims to be seen: each with what it stands for, and whether that is a formula."""
    for letter, meant in shapes(sayings.definition).letters.items():
        if meant.formula:
            yield letter, meant.formula, True
        else:
            yield letter, sayings.phrase(meant.node), False


def cell(found: tuple[Shape, ...], sayings: Sayings) -> str:
    """The shapes of a param as a cell of the table has them; empty where they say nothing of its dims."""
    if any(shape.is_open for shape in found):
        return ""
    return sayings.words["shape_or"].join(map(str, found))


def _named(param: ParamDef, found: tuple[Shape, ...]) -> str:
    """A param with its shapes: in braces a list of such, with ``?`` what may be null."""
    text = param.name + " | ".join(map(str, found))
    text = f"{{{text}}}" if param.kind == "tensor_list" else text
    return f"{text}?" if param.nullable and found else text


def _wrapped(left: list[str], name: str, args: list[str]) -> str:
    """The line, broken behind commas where it is long."""
    head = f"{', '.join(left)} = {name}(" if left else f"{name}("
    whole = f"{head}{', '.join(args)})"
    if len(whole) <= _WIDTH:
        return whole
    rows = [head]
    row = "   "
    for i, arg in enumerate(args):
        text = f" {arg}{',' if i < len(args) - 1 else ')'}"
        if len(row) + len(text) > _WIDTH and row.strip():
            rows.append(row)
            row = "   "
        row += text
    return "\n".join((*rows, row))
