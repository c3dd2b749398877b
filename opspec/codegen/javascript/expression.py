"""A typed tree as a JavaScript expression over the run time in ``opspec/web/rules``.

The run time's operations take undefined operands and yield the highest cause, as the interpreter's do, so that each
kind of node is one call. What need not be looked at once the result is known is passed as a function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from opspec.codegen.javascript.jstext import array, literal
from opspec.language import tree
from opspec.language.types import FLOAT

#: what expressions have short names for, by the run time: most of a script is made of these
SHORT = "const { read: d, compare: is, list: of } = r;"


@dataclass(slots=True)
class Emitter:
    """Emits the expressions of an operator.

    Args:
        params: param -> its place among the arguments.
        lets: derived value -> its place.
        tables: constants of tables; emitted as ``T0``, ``T1`` …
    """

    params: Mapping[str, int]
    lets: Mapping[str, int]
    tables: list[str] = field(default_factory=list)

    def emit(self, node: tree.Node) -> str:
        """The value of a tree that is read: a null pointer is undefined."""
        match node:
            case tree.Param():
                return f"c.arg({self.params[node.name]})"
            case tree.Let():
                return f"c.derived({self.lets[node.name]})"
            case tree.Index():
                return f"r.item({self._of_list(node)})"
            case tree.Var():
                return f"r.present({self.raw(node)})"
        return self.raw(node)

    def raw(self, node: tree.Node) -> str:
        """The value of a tree, which may be a null pointer."""
        method: Callable[[tree.Node], str] = getattr(self, tree.METHODS[type(node)])
        return method(node)

    def lazy(self, node: tree.Node) -> str:
        """A function that yields the value."""
        return f"()=>{self.emit(node)}"

    # --- one method per kind of node

    def const(self, node: tree.Const) -> str:
        return literal(node.value)

    def param(self, node: tree.Param) -> str:
        return f"c.args[{self.params[node.name]}]"

    def let(self, node: tree.Let) -> str:
        return f"c.let({self.lets[node.name]})"

    def var(self, node: tree.Var) -> str:
        return f"v_{node.name}"

    def undefined(self, node: tree.Undefined) -> str:
        return "r.NEITHER"

    def attr(self, node: tree.Attr) -> str:
        return f"d.{node.name}({self.emit(node.base)})"

    def index(self, node: tree.Index) -> str:
        return f"r.element({self._of_list(node)})"

    def _of_list(self, node: tree.Index) -> str:
        return f"{self.emit(node.base)},{self.emit(node.index)}"

    def slice(self, node: tree.Slice) -> str:
        ends = ("null" if end is None else self.emit(end) for end in (node.low, node.high))
        return f"r.slice({self.emit(node.base)},{','.join(ends)})"

    def unary(self, node: tree.Unary) -> str:
        name = "realNegative" if node.op == "-" and node.type == FLOAT else _UNARY[node.op]
        return f"r.{name}({self.emit(node.operand)})"

    def binary(self, node: tree.Binary) -> str:
        name = _LISTS[node.op] if node.type.name == "list" else _REAL[node.op] if node.type == FLOAT else _INT[node.op]
        return f"r.{name}({self.emit(node.left)},{self.emit(node.right)})"

    def compare(self, node: tree.Compare) -> str:
        on = tree.on_products(node)
        if on is not None:
            return _compared_product(on)
        operands = [self.emit(operand) for operand in node.operands]
        if len(operands) == 2:
            return f"is({literal(node.ops[0])},{','.join(operands)})"
        return f"r.chain({array(map(literal, node.ops))},{array(operands)})"

    def is_none(self, node: tree.IsNone) -> str:
        operand = self.raw(node.operand)
        return f"r.isNull({operand},{literal(node.negated)})"

    def logic(self, node: tree.Logic) -> str:
        first, *rest = node.items
        return f"r.{node.op}({','.join([self.emit(first), *map(self.lazy, rest)])})"

    def if_(self, node: tree.If) -> str:
        return f"r.choose({self.emit(node.condition)},{self.lazy(node.then)},{self.lazy(node.other)})"

    def seq(self, node: tree.Seq) -> str:
        starred = f",{array(map(literal, node.starred))}" if any(node.starred) else ""
        return f"of({array(map(self.emit, node.items))}{starred})"

    def each(self, node: tree.Each) -> str:
        names = ",".join(f"v_{name}" for name in node.variables)
        head = f"([{names}])" if len(node.variables) > 1 else names
        name = "each" if node.quantifier == "list" else node.quantifier
        condition = "" if node.condition is None else f",{head}=>{self.emit(node.condition)}"
        return f"r.{name}({self.emit(node.source)},{head}=>{self.emit(node.element)}{condition})"

    def length(self, node: tree.Length) -> str:
        return f"r.length({self.emit(node.operand)})"

    def range(self, node: tree.Range) -> str:
        return f"r.range({'0' if node.low is None else self.emit(node.low)},{self.emit(node.high)})"

    def zip(self, node: tree.Zip) -> str:
        return f"r.zip({array(map(self.emit, node.items))})"

    def given(self, node: tree.Given) -> str:
        return f"r.given({self.emit(node.operand)})"

    def implies(self, node: tree.Implies) -> str:
        return f"r.implies({self.emit(node.condition)},{self.lazy(node.then)})"

    def call(self, node: tree.Call) -> str:
        return f"f.{node.function}({','.join(map(self.emit, node.args))})"

    def table(self, node: tree.Table) -> str:
        cells = array(array("null" if cell is None else _cell(cell) for cell in row) for row in node.rows)
        if cells not in self.tables:
            self.tables.append(cells)
        return f"r.inTable(T{self.tables.index(cells)},{array(map(self._column, node.columns))})"

    def _column(self, node: tree.Node) -> str:
        """A column's value: null where its own param is absent."""
        root = tree.root(node)
        if not isinstance(root, tree.Param):
            return self.emit(node)
        return f"{self.param(root)}===null?null:{self.emit(node)}"


def _cell(cell: frozenset[object]) -> str:
    return array(sorted(map(literal, cell)))


def _compared_product(on: tree.OnProducts) -> str:
    names = (literal(item.value) if isinstance(item, tree.Const) else "true" for item in on.named)
    return f"r.product(c,{array(names)},{literal(not on.inside)})"


_UNARY = {"not": "not", "-": "negative", "~": "inverse"}
_LISTS = {"+": "concatenated"}
_REAL = {"+": "realAdd", "-": "realSubtract", "*": "realMultiply", "/": "realDivide"}
_INT = {
    "+": "add", "-": "subtract", "*": "multiply", "//": "floorDivide", "%": "modulo", "<<": "shiftLeft",
    ">>": "shiftRight", "&": "bitAnd", "|": "bitOr", "^": "bitXor",
}  # fmt: skip
