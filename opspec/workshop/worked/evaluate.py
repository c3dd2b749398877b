"""The value of a reference: its lines over tensors, one after the other. Nothing of it is evaluated as text."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

import torch

from opspec.errors import OpspecError
from opspec.model.reference import BUILT_IN, FUNCTIONAL, TORCH, parsed, targets

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.MatMult: operator.matmul,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
}  # fmt: skip
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
}  # fmt: skip
_BUILT_IN: dict[str, Callable[..., Any]] = {
    "len": len, "zip": zip, "range": range, "float": float, "int": int, "tuple": tuple, "list": list,
}  # fmt: skip
assert set(_BUILT_IN) == BUILT_IN


def function(name: str) -> tuple[str, Callable[..., Any]]:
    """A function of references: as one writes it in Python, and itself."""
    if name in TORCH:
        return f"torch.{name}", getattr(torch, name)
    if name in FUNCTIONAL:
        return f"torch.nn.functional.{name}", getattr(torch.nn.functional, name)
    return name, _BUILT_IN[name]


def evaluated(lines: Mapping[str, str], given: Mapping[str, Any]) -> dict[str, Any]:
    """The values that the lines give names.

    Args:
        given: tensors, numbers and lists by param.

    Raises:
        OpspecError: a line gives another number of values than it names.
    """
    known = dict(given)
    found: dict[str, Any] = {}
    for key, text in lines.items():
        value = _Evaluator(known).visit(parsed(text, known))
        names = targets(key)
        values = (value,) if len(names) == 1 else tuple(value)
        if len(values) != len(names):
            raise OpspecError(f"{key}: {len(values)} values")
        found.update(zip(names, values, strict=True))
        known.update(found)
    return found


def as_python(key: str, text: str) -> str:
    """A line of a reference as one writes it in Python."""
    syntax = ast.parse(" ".join(text.split()), mode="eval")
    for node in ast.walk(syntax):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            node.func = ast.Name(function(node.func.id)[0])
    return f"{key} = {ast.unparse(syntax)}"


class _Evaluator(ast.NodeVisitor):
    """Walks the syntax of a reference; :func:`parsed` has seen that there is nothing else in it."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        self.known = known

    def visit_Constant(self, node: ast.Constant) -> Any:
        return node.value

    def visit_Name(self, node: ast.Name) -> Any:
        return self.known[node.id]

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        return _BINARY[type(node.op)](self.visit(node.left), self.visit(node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        value = self.visit(node.operand)
        return ~value if isinstance(node.op, ast.Invert) else -value

    def visit_Compare(self, node: ast.Compare) -> Any:
        (relation,), (right,) = node.ops, node.comparators
        return _COMPARED[type(relation)](self.visit(node.left), self.visit(right))

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        return self.visit(node.body if self.visit(node.test) else node.orelse)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        return getattr(self.visit(node.value), node.attr)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        return self.visit(node.value)[self.visit(node.slice)]

    def visit_Slice(self, node: ast.Slice) -> Any:
        return slice(*(None if part is None else self.visit(part) for part in (node.lower, node.upper, node.step)))

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        return tuple(self._items(node.elts))

    def visit_List(self, node: ast.List) -> Any:
        return self._items(node.elts)

    def visit_ListComp(self, node: ast.ListComp) -> Any:
        (loop,) = node.generators
        result = []
        for item in self.visit(loop.iter):
            names = [loop.target] if isinstance(loop.target, ast.Name) else getattr(loop.target, "elts", [])
            values = [item] if isinstance(loop.target, ast.Name) else list(item)
            bound = {name.id: value for name, value in zip(names, values, strict=True)}
            result.append(_Evaluator({**self.known, **bound}).visit(node.elt))
        return result

    def visit_Call(self, node: ast.Call) -> Any:
        assert isinstance(node.func, ast.Name)
        named = {str(word.arg): self.visit(word.value) for word in node.keywords}
        return function(node.func.id)[1](*self._items(node.args), **named)

    def _items(self, nodes: list[ast.expr]) -> list[Any]:
        result: list[Any] = []
        for node in nodes:
            result += self.visit(node.value) if isinstance(node, ast.Starred) else [self.visit(node)]
        return result
