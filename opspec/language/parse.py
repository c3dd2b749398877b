"""From the text of an expression to its typed tree.

The syntax is a closed subset of Python's, parsed with ``ast`` and never evaluated. Every node is typed as it is
built, so an unknown name, a dtype compared with a shape or a missing param is an error with its column.
"""

from __future__ import annotations

import ast
import keyword
import warnings
from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from opspec.errors import OpspecError, did_you_mean, shown
from opspec.language import tree
from opspec.language.cost import MOST_LEVELS, Cost, Meter, reason
from opspec.language.functions import FORMS, FUNCTIONS, Function
from opspec.language.types import (
    ATTRIBUTES,
    BOOL,
    DTYPE,
    EMPTY,
    FLOAT,
    FORMAT,
    INT,
    INTS,
    NUMBERS,
    POINTER,
    PRODUCT,
    SCALAR,
    STR,
    TENSOR,
    Type,
    list_of,
    pair_of,
    unify,
)  # fmt: skip
from opspec.vocabulary import dtypes, formats, products

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass, field
else:
    from opspec.language.record import field
    from opspec.language.record import record as dataclass

MAX_LENGTH = 200_000
MAX_DEPTH = 60
MAX_NODES = 100_000
MOST_PARTS = 100
INT64 = range(-(2**63), 2**63)


class ExpressionError(OpspecError):
    """A fault in an expression; ``column`` is 0-based within its text, ``let`` the derived value that is at fault."""

    def __init__(self, message: str, *, where: str = "", column: int = 0, let: str = "") -> None:
        super().__init__(message, where=where)
        self.column = column
        self.let = let


@dataclass(slots=True)
class Scope:
    """The names an expression may use.

    Args:
        params: name in the spec -> (type, whether it may be null).
        let: the tree of a derived value, parsed in this scope; None when there is no such name.
        known: trees of texts parsed before in this scope, for a scope whose names never change; None keeps none.
        costs: what the derived values read so far cost.
        level: how deep the expressions are that are being parsed, each because the one before reads it.
    """

    params: Mapping[str, tuple[Type, bool]] = field(default_factory=dict)
    let: Callable[[str], tree.Node | None] = lambda name: None
    let_names: tuple[str, ...] = ()
    known: dict[str, tree.Node] | None = None
    costs: dict[str, Cost] = field(default_factory=dict)
    level: int = 0


def parse(text: str, scope: Scope, expected: Type | None = None) -> tree.Node:
    """The typed tree of ``text``.

    Raises:
        ExpressionError: the text is not an expression of the language, or not one of type ``expected``.
    """
    node = None if scope.known is None else scope.known.get(text)
    if node is None:
        node = _Parser(scope).node(_syntax(text))
        _bound_cost(node, scope)
        if scope.known is not None:
            scope.known[text] = node
    if expected is not None and node.type != expected and not (expected is FLOAT and node.type is INT):
        raise ExpressionError(f"expected a {expected} expression, found {node.type}", column=node.column)
    return node


def _bound_cost(node: tree.Node, scope: Scope) -> Cost:
    """The cost of a tree; too much of it is an error."""
    meter = Meter(lambda name: _let_cost(name, scope))
    found = meter.cost(node)
    if meter.excess is not None:
        worst, cost = meter.excess
        raise ExpressionError(reason(cost), column=worst.column)
    return found


def _let_cost(name: str, scope: Scope) -> Cost:
    if name not in scope.costs:
        let = scope.let(name)
        assert let is not None  # its reader has been typed
        scope.costs[name] = _bound_cost(let, scope)
    return scope.costs[name]


def names_in(text: str) -> tuple[str, ...]:
    """The names an expression reads, apart from functions and bound variables, in order of appearance."""
    syntax = _syntax(text)
    functions = {id(node.func) for node in ast.walk(syntax) if isinstance(node, ast.Call)}
    bound = {
        name.id
        for node in ast.walk(syntax)
        if isinstance(node, ast.comprehension)
        for name in ast.walk(node.target)
        if isinstance(name, ast.Name)
    }
    found = {
        node.id: None
        for node in ast.walk(syntax)
        if isinstance(node, ast.Name) and id(node) not in functions and node.id not in bound
    }
    return tuple(found)


def _syntax(text: str) -> ast.expr:
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"an expression has at most {MAX_LENGTH} characters, this one has {len(text)}")
    line = text.translate(_BREAKS)
    indent = len(line) - len(line.lstrip())
    line = line.strip()
    try:
        syntax = _parsed(line or " ")
    except SyntaxError as error:
        raise ExpressionError(_syntax_message(error, text), column=indent + max((error.offset or 1) - 1, 0)) from None
    except (ValueError, RecursionError, MemoryError):
        raise ExpressionError("not an expression: it has NUL bytes, or is nested too deeply") from None
    _bound(syntax)
    _set_columns(syntax, line, indent)
    return syntax


def _parsed(line: str) -> ast.expr:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # what Python only frowns at ('\d', 1if x else y) becomes a SyntaxError
        return ast.parse(line, mode="eval").body


_BREAKS = dict.fromkeys(map(ord, "\n\r\f"), " ")


def _set_columns(syntax: ast.expr, line: str, indent: int) -> None:
    """Count columns in characters of the text as it was given, and refuse what Python drops behind an expression."""
    data = line.encode()
    end = len(data[: syntax.end_col_offset].decode())
    if "#" in line[end:]:
        raise ExpressionError("a comment is not part of an expression", column=indent + line.index("#", end))
    if indent or not line.isascii():
        columns = [column for column, char in enumerate(line, indent) for _ in char.encode()]
        for node in ast.walk(syntax):
            if isinstance(node, ast.expr):
                node.col_offset = columns[node.col_offset]


def _syntax_message(error: SyntaxError, text: str) -> str:
    if not text.strip():
        return "expected an expression, found nothing"
    hint = (
        "; product ids are written in quotes, as in product == '910b'"
        if "invalid decimal literal" in str(error)
        else ""
    )
    return f"not an expression: {error.msg}{hint}"


def _source(syntax: ast.expr) -> str:
    """An expression as a message shows it."""
    try:
        return shown(ast.unparse(syntax))
    except (ValueError, RecursionError):  # an integer of thousands of digits
        return "this expression"


def _bound(syntax: ast.expr) -> None:
    """Refuse trees too deep or too large to walk, without recursion."""
    level: list[ast.AST] = [syntax]
    count = 0
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        count += len(level)
        if not level:
            return
        if count > MAX_NODES:
            raise ExpressionError(f"an expression has at most {MAX_NODES} parts")
    raise ExpressionError(f"an expression is at most {MAX_DEPTH} levels deep")


_BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_COMPARE = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in",
    ast.NotIn: "not in",
}  # fmt: skip
_BOOLEANS = {"true": True, "false": False, "present": True}
_POINTERS = ("tensor", "scalar", "list", "str", "pointer")


class _Parser:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.bound: dict[str, Type] = {}
        self.level = scope.level

    def node(self, syntax: ast.expr) -> tree.Node:
        """Dispatch on the kind of syntax; anything not listed is outside the language."""
        method = getattr(self, "_" + type(syntax).__name__.lower(), None)
        if method is None:
            raise self._error(syntax, f"{type(syntax).__name__} is not part of the rule language")
        self.level += 1
        if self.level > MOST_LEVELS:
            raise self._error(syntax, f"nested more than {MOST_LEVELS} levels deep, derived values included")
        result: tree.Node = method(syntax)
        self.level -= 1
        if len(list(islice(_parts(result.type), MOST_PARTS + 1))) > MOST_PARTS:
            raise self._error(syntax, f"lists inside lists: a type has at most {MOST_PARTS} parts")
        return result

    def _error(self, syntax: ast.expr, message: str) -> ExpressionError:
        return ExpressionError(message, column=syntax.col_offset)

    def _typed(self, syntax: ast.expr, *expected: Type) -> tree.Node:
        node = self.node(syntax)
        if node.type not in expected:
            wanted = " or ".join(map(str, expected))
            raise self._error(syntax, f"expected {wanted}, found {node.type} ({_source(syntax)})")
        return node

    # --- atoms

    def _constant(self, syntax: ast.Constant) -> tree.Node:
        value = syntax.value
        if isinstance(value, bool):
            return tree.Const(value, BOOL, syntax.col_offset)
        if isinstance(value, int):
            if value not in INT64:
                raise self._error(syntax, f"{_source(syntax)} is not an int64")
            return tree.Const(value, INT, syntax.col_offset)
        if isinstance(value, float):
            return tree.Const(value, FLOAT, syntax.col_offset)
        if isinstance(value, str):
            if any("\ud800" <= char <= "\udfff" for char in value):
                raise self._error(syntax, "a text holds no half of a surrogate pair")
            return tree.Const(value, STR, syntax.col_offset)
        if value is None:
            raise self._error(syntax, "None is only compared: write 'x is None' or 'x is not None'")
        raise self._error(syntax, f"a {type(value).__name__} literal is not part of the rule language")

    def _name(self, syntax: ast.Name) -> tree.Node:
        name, column = syntax.id, syntax.col_offset
        if name in self.bound:
            return tree.Var(name, self.bound[name], column)
        if name == "product":
            raise self._error(syntax, "the product is only compared, as in product in ('910b', 'A3')")
        spelled = keyword.iskeyword(name[:-1]) or name[:-1] == "product"
        plain = name[:-1] if name.endswith("_") and spelled and name not in self.scope.params else name
        if plain in self.scope.params:
            kind, nullable = self.scope.params[plain]
            return tree.Param(plain, kind, nullable, column)
        let = self._let(name, column)
        if let is not None:
            return tree.Let(name, let.type, column)
        if name == "undefined":
            return tree.Undefined(INT, column)
        constant = _vocabulary_constant(name, column)
        if constant is not None:
            return constant
        known = [*self.scope.params, *self.scope.let_names, *self.bound, *dtypes.names(), *formats.names(), "product"]
        raise self._error(syntax, f"unknown name {shown(name)}{did_you_mean(name, known)}")

    def _let(self, name: str, column: int) -> tree.Node | None:
        """The tree of a derived value; a fault in it is told here as its own, for this is where it was found."""
        before, self.scope.level = self.scope.level, self.level
        try:
            return self.scope.let(name)
        except ExpressionError as error:
            inner = error.let or name
            message = error.message if error.let else f"in the derived value {name!r}: {error.message}"
            raise ExpressionError(message, column=column, let=inner) from None
        finally:
            self.scope.level = before

    def _attribute(self, syntax: ast.Attribute) -> tree.Node:
        base = self.node(syntax.value)
        found = ATTRIBUTES.get((base.type, syntax.attr))
        if found is None:
            known = [name for kind, name in ATTRIBUTES if kind == base.type]
            hint = did_you_mean(syntax.attr, known) or (f"; it has {', '.join(known)}" if known else "")
            raise self._error(syntax, f"a {base.type} has no {syntax.attr!r}{hint}")
        return tree.Attr(base, syntax.attr, found[0], syntax.col_offset)

    # --- lists

    def _tuple(self, syntax: ast.Tuple | ast.List) -> tree.Node:
        items: list[tree.Node] = []
        starred: list[bool] = []
        kind = EMPTY
        for part in syntax.elts:
            star = isinstance(part, ast.Starred)
            item = self.node(part.value if isinstance(part, ast.Starred) else part)
            wider = unify(kind, item.type if star else list_of(item.type))
            if wider is None or (star and item.type.name != "list"):
                raise self._error(part, f"a list has elements of one type: {kind}, then {item.type}")
            kind = wider
            items.append(item)
            starred.append(star)
        return tree.Seq(tuple(items), tuple(starred), kind, syntax.col_offset)

    _list = _tuple

    def _subscript(self, syntax: ast.Subscript) -> tree.Node:
        base = self.node(syntax.value)
        if base.type.name != "list" or base.type.item is None:
            raise self._error(syntax, f"a {base.type} has no elements to index")
        if isinstance(syntax.slice, ast.Slice):
            if syntax.slice.step is not None:
                raise self._error(syntax, "a slice has no step")
            low, high = (self._typed(part, INT) if part else None for part in (syntax.slice.lower, syntax.slice.upper))
            return tree.Slice(base, low, high, base.type, syntax.col_offset)
        return tree.Index(base, self._typed(syntax.slice, INT), base.type.item, syntax.col_offset)

    def _listcomp(self, syntax: ast.ListComp) -> tree.Node:
        return self._each("list", syntax)

    def _each(self, quantifier: tree.Quantifier, syntax: ast.ListComp | ast.GeneratorExp) -> tree.Node:
        if len(syntax.generators) != 1 or len(syntax.generators[0].ifs) > 1 or syntax.generators[0].is_async:
            raise self._error(syntax, "a comprehension has one 'for' and at most one 'if'")
        part = syntax.generators[0]
        source = self.node(part.iter)
        if source.type.name != "list":
            raise self._error(part.iter, f"expected a list to go through, found {source.type}")
        names = self._targets(part.target, source.type.item or INT)
        hidden = {name: self.bound[name] for name in names if name in self.bound}
        self.bound.update(names)
        condition = self._typed(part.ifs[0], BOOL) if part.ifs else None
        element = self.node(syntax.elt) if quantifier == "list" else self._typed(syntax.elt, BOOL)
        for name in names:
            del self.bound[name]
        self.bound.update(hidden)
        kind = list_of(element.type) if quantifier == "list" else BOOL
        return tree.Each(quantifier, element, tuple(names), source, condition, kind, syntax.col_offset)

    def _targets(self, target: ast.expr, item: Type) -> dict[str, Type]:
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        if not all(isinstance(part, ast.Name) and part.id.isascii() for part in parts):
            raise self._error(target, "expected one or more variable names")
        names = [part.id for part in parts if isinstance(part, ast.Name)]
        members = item.members if item.name == "pair" else (item,)
        if len(names) != len(members) or len(set(names)) != len(names):
            raise self._error(
                target, f"each element here is {item}: it needs {len(members)} different names, not {len(names)}"
            )
        return dict(zip(names, members, strict=True))

    # --- operators

    def _unaryop(self, syntax: ast.UnaryOp) -> tree.Node:
        if isinstance(syntax.op, ast.Not):
            return tree.Unary("not", self._typed(syntax.operand, BOOL), BOOL, syntax.col_offset)
        if isinstance(syntax.op, ast.UAdd):
            return self._typed(syntax.operand, *NUMBERS)
        if isinstance(syntax.op, ast.Invert):
            return tree.Unary("~", self._typed(syntax.operand, INT), INT, syntax.col_offset)
        return self._negated(syntax)

    def _negated(self, syntax: ast.UnaryOp) -> tree.Node:
        inner = syntax.operand
        if isinstance(inner, ast.Constant) and type(inner.value) in (int, float):
            return self._constant(ast.copy_location(ast.Constant(-inner.value), syntax))  # type: ignore[operator]
        operand = self._typed(inner, *NUMBERS)
        if isinstance(operand, tree.Const) and not repr(operand.value).startswith("-"):  # -(+5)
            return tree.Const(-operand.value, operand.type, syntax.col_offset)  # type: ignore[operator]
        return tree.Unary("-", operand, operand.type, syntax.col_offset)

    def _binop(self, syntax: ast.BinOp) -> tree.Node:
        op = _BINARY.get(type(syntax.op))
        if op is None:
            raise self._error(syntax, f"the operator of {_source(syntax)} is not part of the rule language")
        left, right = self.node(syntax.left), self.node(syntax.right)
        kind = _result_of(op, left.type, right.type)
        if kind is None:
            hint = "; integers divide with // (rounding down)" if op == "/" else ""
            raise self._error(syntax, f"{left.type} {op} {right.type} is not defined{hint}")
        return tree.Binary(op, left, right, kind, syntax.col_offset)

    def _boolop(self, syntax: ast.BoolOp) -> tree.Node:
        items = tuple(self._typed(part, BOOL) for part in syntax.values)
        return tree.Logic("and" if isinstance(syntax.op, ast.And) else "or", items, BOOL, syntax.col_offset)

    def _ifexp(self, syntax: ast.IfExp) -> tree.Node:
        condition = self._typed(syntax.test, BOOL)
        then, other = self.node(syntax.body), self.node(syntax.orelse)
        kind = unify(then.type, other.type)
        if isinstance(other, tree.Undefined) or isinstance(then, tree.Undefined):
            kind = then.type if isinstance(other, tree.Undefined) else other.type
        if kind is None:
            raise self._error(syntax, f"both sides of 'if' need one type, found {then.type} and {other.type}")
        return tree.If(condition, then, other, kind, syntax.col_offset)

    def _compare(self, syntax: ast.Compare) -> tree.Node:
        if any(isinstance(op, (ast.Is, ast.IsNot)) for op in syntax.ops):
            return self._is_none(syntax)
        operands = [self._operand(part) for part in (syntax.left, *syntax.comparators)]
        ops = [_COMPARE[type(op)] for op in syntax.ops]
        if len(ops) > 1 and any(operand.type == PRODUCT for operand in operands):
            raise self._error(syntax, "the product is compared with one thing at a time")
        for i, op in enumerate(ops):
            operands[i], operands[i + 1] = self._product_names(syntax, operands[i], operands[i + 1])
            self._comparable(syntax, op, operands[i].type, operands[i + 1].type)
        return tree.Compare(tuple(ops), tuple(operands), BOOL, syntax.col_offset)

    def _operand(self, syntax: ast.expr) -> tree.Node:
        """An operand of a comparison, the one place where the product stands."""
        if isinstance(syntax, ast.Name) and syntax.id == "product" and "product" not in self.bound:
            return tree.Product(PRODUCT, syntax.col_offset)
        return self.node(syntax)

    def _is_none(self, syntax: ast.Compare) -> tree.Node:
        right = syntax.comparators[0]
        if len(syntax.ops) != 1 or not (isinstance(right, ast.Constant) and right.value is None):
            raise self._error(syntax, "'is' compares with None only")
        operand = self.node(syntax.left)
        if not isinstance(operand, (tree.Param, tree.Var, tree.Index)) or operand.type.name not in _POINTERS:
            raise self._error(syntax, f"only a pointer argument can be None, not {_source(syntax.left)}")
        return tree.IsNone(operand, isinstance(syntax.ops[0], ast.IsNot), BOOL, syntax.col_offset)

    def _comparable(self, syntax: ast.expr, op: str, left: Type, right: Type) -> None:
        if op in ("<", "<=", ">", ">="):
            fits = left in NUMBERS and right in NUMBERS
        elif op in ("in", "not in"):
            fits = right.name == "list" and (right.item is None or unify(left, right.item) is not None)
        else:
            fits = unify(left, right) is not None
        if not fits or any(kind.name in ("tensor", "scalar", "pointer") for kind in (*_parts(left), *_parts(right))):
            raise self._error(syntax, f"{left} {op} {right} cannot be compared ({_source(syntax)})")

    def _product_names(self, syntax: ast.expr, left: tree.Node, right: tree.Node) -> tuple[tree.Node, tree.Node]:
        """Read string literals compared with the product as product ids or members."""
        if left.type == PRODUCT:
            return left, self._as_product(syntax, right)
        return (self._as_product(syntax, left), right) if right.type == PRODUCT else (left, right)

    def _as_product(self, syntax: ast.expr, node: tree.Node) -> tree.Node:
        if isinstance(node, tree.Seq):
            if any(node.starred) or not all(isinstance(item, tree.Const) for item in node.items):
                raise self._error(syntax, "the product is compared with quoted product ids only")
            items = tuple(self._as_product(syntax, item) for item in node.items)
            return tree.Seq(items, node.starred, list_of(PRODUCT), node.column)
        if not isinstance(node, tree.Const) or not isinstance(node.value, str):
            raise self._error(syntax, "the product is compared with quoted product ids only")
        known = [name for family in products.ids() for name in (family, *products.members(family))]
        if node.value not in known:
            hint = did_you_mean(node.value, known) or f"; ids are {', '.join(products.ids())}"
            raise ExpressionError(f"unknown product id {shown(node.value)}{hint}", column=node.column)
        return tree.Const(node.value, PRODUCT, node.column)

    # --- calls

    def _call(self, syntax: ast.Call) -> tree.Node:
        if not isinstance(syntax.func, ast.Name) or syntax.keywords:
            raise self._error(syntax, "only library functions are called, with arguments by position")
        name = syntax.func.id
        if name in FORMS:
            method: Callable[[ast.Call], tree.Node] = getattr(self, f"_{name}_form")
            return method(syntax)
        row = FUNCTIONS.get(name)
        if row is None:
            raise self._error(syntax, f"unknown function {shown(name)}{did_you_mean(name, [*FUNCTIONS, *FORMS])}")
        args = tuple(self.node(arg) for arg in syntax.args)
        return tree.Call(name, args, self._signature(syntax, row, args), syntax.col_offset)

    def _signature(self, syntax: ast.expr, row: Function, args: tuple[tree.Node, ...]) -> Type:
        takes = row.takes
        if row.alone is not None and len(args) == 1:
            takes = (row.alone,)
        elif row.variadic:
            takes = takes + (takes[-1],) * (len(args) - len(takes))
        if len(takes) != len(args):
            raise self._error(syntax, f"{row.name} takes {len(takes)} arguments, found {len(args)}")
        for wanted, arg in zip(takes, args, strict=True):
            if not _accepts(wanted, arg.type):
                raise self._error(syntax, f"{row.name} takes {wanted}, found {arg.type}")
        return row.gives

    # --- forms, by their names in ``functions.FORMS``

    def _all_form(self, syntax: ast.Call) -> tree.Node:
        return self._quantified("all", syntax)

    def _any_form(self, syntax: ast.Call) -> tree.Node:
        return self._quantified("any", syntax)

    def _quantified(self, name: tree.Quantifier, syntax: ast.Call) -> tree.Node:
        if len(syntax.args) != 1 or not isinstance(syntax.args[0], (ast.GeneratorExp, ast.ListComp)):
            raise self._error(syntax, f"{name} takes a comprehension, as in {name}(d > 0 for d in x.shape)")
        return self._each(name, syntax.args[0])

    def _len_form(self, syntax: ast.Call) -> tree.Node:
        args = tuple(self.node(arg) for arg in syntax.args)
        if len(args) != 1:
            raise self._error(syntax, f"len takes 1 arguments, found {len(args)}")
        if args[0].type.name != "list" and args[0].type != STR:
            raise self._error(syntax, f"len takes any list, found {args[0].type}")
        return tree.Length(args[0], INT, syntax.col_offset)

    def _range_form(self, syntax: ast.Call) -> tree.Node:
        args = tuple(self._typed(arg, INT) for arg in syntax.args)
        if len(args) not in (1, 2):
            raise self._error(syntax, "range takes one or two integers")
        return tree.Range(args[0] if len(args) == 2 else None, args[-1], INTS, syntax.col_offset)

    def _zip_form(self, syntax: ast.Call) -> tree.Node:
        args = tuple(self.node(arg) for arg in syntax.args)
        if len(args) < 2 or any(arg.type.name != "list" or arg.type.item is None for arg in args):
            raise self._error(syntax, "zip takes two or more lists")
        return tree.Zip(args, list_of(pair_of(*(arg.type.item or INT for arg in args))), syntax.col_offset)

    def _given_form(self, syntax: ast.Call) -> tree.Node:
        args = tuple(self._typed(arg, BOOL) for arg in syntax.args)
        if len(args) != 1:
            raise self._error(syntax, "given takes one statement")
        return tree.Given(args[0], BOOL, syntax.col_offset)

    def _implies_form(self, syntax: ast.Call) -> tree.Node:
        args = tuple(self._typed(arg, BOOL) for arg in syntax.args)
        if len(args) != 2:
            raise self._error(syntax, "implies takes a condition and a statement")
        return tree.Implies(args[0], args[1], BOOL, syntax.col_offset)

    def _table_form(self, syntax: ast.Call) -> tree.Node:
        if len(syntax.args) < 2 or not all(isinstance(arg, (ast.Tuple, ast.List)) for arg in syntax.args):
            raise self._error(syntax, "table takes a tuple of columns and one or more rows")
        heads, *rows = (arg.elts for arg in syntax.args if isinstance(arg, (ast.Tuple, ast.List)))
        columns = tuple(self._column(head) for head in heads)
        cells = []
        for row, arg in zip(rows, syntax.args[1:], strict=True):
            if len(row) != len(columns):
                raise self._error(arg, f"a row has {len(columns)} cells as the head has, found {len(row)}")
            cells.append(tuple(self._cell(cell, column) for cell, column in zip(row, columns, strict=True)))
        return tree.Table(columns, tuple(cells), BOOL, syntax.col_offset)

    def _column(self, syntax: ast.expr) -> tree.Node:
        """A column; a bare tensor or tensor list stands for whether it is there (cells ``present`` and ``None``)."""
        node = self.node(syntax)
        if isinstance(node, tree.Param) and node.type in (TENSOR, SCALAR, list_of(TENSOR), list_of(SCALAR), POINTER):
            return tree.IsNone(node, True, BOOL, node.column)
        if node.type not in (INT, FLOAT, BOOL, STR, DTYPE, FORMAT):
            raise self._error(syntax, f"a column is a dtype, a format, a number, a bool or a text, not a {node.type}")
        return node

    def _cell(self, syntax: ast.expr, column: tree.Node) -> frozenset[object] | None:
        if isinstance(syntax, ast.Name) and syntax.id == "any":
            return None
        parts = syntax.elts if isinstance(syntax, (ast.Tuple, ast.List)) else [syntax]
        return frozenset(self._cell_value(part, column) for part in parts)

    def _cell_value(self, syntax: ast.expr, column: tree.Node) -> object:
        """A literal of the column's type; texts and booleans may be written bare, as in YAML."""
        if isinstance(syntax, ast.Constant) and syntax.value is None:
            return False if isinstance(column, tree.IsNone) else None
        if isinstance(syntax, ast.Name) and column.type == STR:
            return syntax.id
        if isinstance(syntax, ast.Name) and column.type == BOOL and syntax.id.lower() in _BOOLEANS:
            return _BOOLEANS[syntax.id.lower()]
        node = self.node(syntax)
        if not isinstance(node, tree.Const) or unify(node.type, column.type) is None:
            raise self._error(syntax, f"expected a {column.type} literal, None or any in this column")
        if node.value in (float("inf"), float("-inf")):
            raise self._error(syntax, "a cell is a finite number")
        return node.value


def _parts(kind: Type) -> Iterator[Type]:
    """A type and the types inside it."""
    yield kind
    for item in kind.members if kind.item is None else (kind.item,):
        yield from _parts(item)


def _vocabulary_constant(name: str, column: int) -> tree.Const | None:
    if name in formats.names() and name not in dtypes.names():  # UNDEFINED; the dtype is DT_UNDEFINED
        return tree.Const(name, FORMAT, column)
    dtype = dtypes.aliases().get(name.lower()) if name.isupper() else None
    if dtype is not None:
        return tree.Const(dtype, DTYPE, column)
    layout = formats.aliases().get(name.lower()) if name.isupper() else None
    return tree.Const(layout, FORMAT, column) if layout is not None else None


def _result_of(op: str, left: Type, right: Type) -> Type | None:
    if op == "+" and left.name == "list" and right.name == "list":
        return unify(left, right)
    if left == INT and right == INT:
        return None if op == "/" else INT
    if left in NUMBERS and right in NUMBERS and op in "+-*/":
        return FLOAT
    return None


def _accepts(wanted: Type, found: Type) -> bool:
    return wanted == found or (unify(wanted, found) == wanted and wanted != BOOL)
