"""A typed tree written back as canonical source: what specs, messages and the reference page show."""

from __future__ import annotations

import keyword
from functools import lru_cache

from opspec.language import tree
from opspec.language.types import PRODUCT, STR

_LEVEL = {"if": 0, "or": 1, "and": 2, "not": 3, "compare": 4, "|": 5, "^": 6, "&": 7, "<<": 8, ">>": 8, "+": 9, "-": 9,
          "*": 10, "/": 10, "//": 10, "%": 10, "unary": 11, "atom": 12}  # fmt: skip


def write(node: tree.Node) -> str:
    """The source of a tree; parsing it in the same scope gives the tree back."""
    return _written(node)


@lru_cache(maxsize=8192)  # releases of an operator say much the same
def _written(node: tree.Node) -> str:
    return _write(node, 0)


def spelled(name: str) -> str:
    """A param's name as expressions write it: Python's keywords (and ``product``) take a trailing underscore."""
    return name + "_" if keyword.iskeyword(name) or name == "product" else name


def literal(value: object, quoted: bool) -> str:
    """A constant: strings in quotes, names of the vocabulary bare."""
    if isinstance(value, str):
        return repr(value) if quoted else value
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "1e999" if value > 0 else "-1e999"
    return repr(value)


def _write(node: tree.Node, level: int) -> str:
    text, own = _with_level(node)
    return f"({text})" if own < level else text


def _with_level(node: tree.Node) -> tuple[str, int]:
    match node:
        case tree.Logic():
            own = _LEVEL[node.op]
            return f" {node.op} ".join(_write(item, own + 1) for item in node.items), own
        case tree.Compare():
            own = _LEVEL["compare"]
            parts = [_write(node.operands[0], own + 1)]
            for op, operand in zip(node.ops, node.operands[1:], strict=True):
                parts += [op, _write(operand, own + 1)]
            return " ".join(parts), own
        case tree.IsNone():
            return f"{_write(node.operand, 5)} is {'not ' if node.negated else ''}None", _LEVEL["compare"]
        case tree.If():
            then, condition, other = (_write(part, 1) for part in (node.then, node.condition, node.other))
            return f"{then} if {condition} else {other}", 0
        case tree.Unary():
            own = _LEVEL["not"] if node.op == "not" else _LEVEL["unary"]
            return ("not " if node.op == "not" else node.op) + _write(node.operand, own), own
        case tree.Binary():
            own = _LEVEL[node.op]
            return f"{_write(node.left, own)} {node.op} {_write(node.right, own + 1)}", own
        case tree.Const() if isinstance(node.value, (int, float)) and node.value < 0:
            return literal(node.value, False), _LEVEL["unary"]
        case _:
            return _atom(node), _LEVEL["atom"]


def _atom(node: tree.Node) -> str:
    match node:
        case tree.Const():
            return literal(node.value, node.type in (STR, PRODUCT))
        case tree.Param():
            return spelled(node.name)
        case tree.Let() | tree.Var():
            return node.name
        case tree.Product():
            return "product"
        case tree.Undefined():
            return "undefined"
        case tree.Attr():
            return f"{_write(node.base, 12)}.{node.name}"
        case tree.Index():
            return f"{_write(node.base, 12)}[{_write(node.index, 0)}]"
        case tree.Slice():
            low, high = (_write(part, 0) if part is not None else "" for part in (node.low, node.high))
            return f"{_write(node.base, 12)}[{low}:{high}]"
        case tree.Seq():
            items = [
                ("*" if star else "") + _write(item, 1) for item, star in zip(node.items, node.starred, strict=True)
            ]
            return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
        case tree.Each():
            return _each(node)
        case tree.Length():
            return _called("len", node)
        case tree.Range():
            return _called("range", node)
        case tree.Zip():
            return _called("zip", node)
        case tree.Given():
            return _called("given", node)
        case tree.Implies():
            return _called("implies", node)
        case tree.Call():
            return _called(node.function, node)
        case tree.Table():
            rows = ", ".join(_row(row, node.columns) for row in node.rows)
            return f"table(({', '.join(_write(column, 0) for column in node.columns)},), {rows})"
        case _:
            raise AssertionError(node)


def _called(name: str, node: tree.Node) -> str:
    """A node whose parts are written as arguments."""
    return f"{name}({', '.join(_write(part, 0) for part in tree.children(node))})"


def _each(node: tree.Each) -> str:
    condition = f" if {_write(node.condition, 1)}" if node.condition is not None else ""
    inner = f"{_write(node.element, 1)} for {', '.join(node.variables)} in {_write(node.source, 1)}{condition}"
    return f"[{inner}]" if node.quantifier == "list" else f"{node.quantifier}({inner})"


def _row(row: tuple[frozenset[object] | None, ...], columns: tuple[tree.Node, ...]) -> str:
    return f"({', '.join(cell_text(cell, column) for cell, column in zip(row, columns, strict=True))},)"


def cell_text(cell: frozenset[object] | None, column: tree.Node) -> str:
    """A table cell as source."""
    if cell is None:
        return "any"
    items = sorted(
        (literal(value, column.type in (STR, PRODUCT)) for value in cell), key=lambda text: (text == "None", text)
    )
    return items[0] if len(items) == 1 else f"({', '.join(items)})"
