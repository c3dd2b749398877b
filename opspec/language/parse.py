"""From the text of an expression to its typed tree.

The syntax is a closed subset of Python's, parsed with ``ast`` and never evaluated. Every node is typed as it is
built, so an unknown name, a dtype compared with a shape or a missing param is an error with its column.
"""

from __future__ import annotations

import ast
import keyword
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice

from opspec.errors import SpecError, did_you_mean, shown
from opspec.language import build, tree
from opspec.language.cost import MOST_LEVELS, Cost, Meter, is_bounded, reason
from opspec.language.record import field
from opspec.language.record import record as dataclass
from opspec.language.types import BOOL, DTYPE, FLOAT, FORMAT, INT, NUMBERS, PRODUCT, STR, Type, list_of, unify
from opspec.vocabulary import dtypes, formats

MAX_LENGTH = 200_000
MAX_DEPTH = 60
MAX_NODES = 100_000
MOST_PARTS = 100
_WORD = re.compile(r"\w+")


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

    >>> from opspec.language.text import write
    >>> write(parse("len( axes ) == (n)", Scope({"axes": (list_of(INT), False), "n": (INT, False)})))
    'len(axes) == n'

    Raises:
        SpecError: the text is not an expression of the language, or not one of type ``expected``.
    """
    node = None if scope.known is None else scope.known.get(text)
    if node is None:
        node = _alike(text, scope) or _Parser(scope).node(_syntax(text))
        if not is_bounded(node):
            _bound_cost(node, scope)
        if scope.known is not None:
            scope.known[text] = node
    if expected is not None and node.type != expected and not (expected is FLOAT and node.type is INT):
        raise SpecError(f"expected a {expected} expression, found {node.type}", column=node.column)
    return node


def _alike(text: str, scope: Scope) -> tree.Node | None:
    """Of a text that names no derived value the tree, which the same text of another release has, too."""
    words = {*_WORD.findall(text)}
    if not scope.level and words.isdisjoint(scope.let_names):
        plain = {name for word in words for name in (word, word.removesuffix("_"))}
        with suppress(SpecError):  # which names all that is in scope
            return _alone(text, tuple((name, scope.params[name]) for name in sorted(plain & scope.params.keys())))
    return None


@lru_cache(maxsize=8192)
def _alone(text: str, params: tuple[tuple[str, tuple[Type, bool]], ...]) -> tree.Node:
    return _Parser(Scope(dict(params))).node(_syntax(text))


def cell(texts: Sequence[str], column: tree.Node) -> frozenset[object] | None:
    """A cell of a table as it stands in a column, None for ``any``: one text, as it is written there, or several.

    Raises:
        SpecError: they are no literals of the column's type.
    """
    parser = _Parser(Scope())
    if len(texts) == 1:
        return parser.cell(_syntax(texts[0]), column)
    return frozenset(parser.value(_syntax(text), column) for text in texts)


def bounded(node: tree.Node, scope: Scope) -> tree.Node:
    """The one that stands for a tree that was built, not parsed, whose depth and cost are bounded as if it had been.

    Raises:
        SpecError: it is too deep to walk, or costs too much.
    """
    level = [node]
    for _ in range(MOST_LEVELS + 1):
        level = _below(level)
        if not level:
            node = tree.one(node)
            if not is_bounded(node):
                _bound_cost(node, scope)
            return node
    raise SpecError(f"nested more than {MOST_LEVELS} levels deep, derived values included")


def _below(nodes: Iterable[tree.Node]) -> list[tree.Node]:
    """The direct parts of some nodes together."""
    found: list[tree.Node] = []
    for node in nodes:
        for name in node.parts:
            part = getattr(node, name)
            if type(part) is tuple:
                found += part
            elif part is not None:
                found.append(part)
    return found


def _bound_cost(node: tree.Node, scope: Scope) -> Cost:
    """The cost of a tree; too much of it is an error."""
    meter = Meter(lambda name: _let_cost(name, scope))
    found = meter.cost(node)
    if meter.excess is not None:
        worst, cost = meter.excess
        raise SpecError(reason(cost), column=worst.column)
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
        raise SpecError(f"an expression has at most {MAX_LENGTH} characters, this one has {len(text)}")
    line = text.translate(_BREAKS)
    indent = len(line) - len(line.lstrip())
    line = line.strip()
    try:
        syntax = _parsed(line or " ")
    except SyntaxError as error:
        raise SpecError(_syntax_message(error, text), column=indent + max((error.offset or 1) - 1, 0)) from None
    except (ValueError, RecursionError, MemoryError):
        raise SpecError("not an expression: it has NUL bytes, or is nested too deeply") from None
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
        raise SpecError("a comment is not part of an expression", column=indent + line.index("#", end))
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
            raise SpecError(f"an expression has at most {MAX_NODES} parts")
    raise SpecError(f"an expression is at most {MAX_DEPTH} levels deep")


_BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_COMPARE = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in",
    ast.NotIn: "not in",
}  # fmt: skip
_BOOLEANS = {"true": True, "false": False, "present": True}


class _Parser:
    """Reads the syntax of one expression; above each method stands what it reads, as a grammar has it."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.bound: dict[str, Type] = {}
        self.level = scope.level

    def node(self, syntax: ast.expr) -> tree.Node:
        """expression = atom | attribute | index | list | comprehension | operation | call"""
        self.level += 1
        if self.level > MOST_LEVELS:
            raise _error(syntax, f"nested more than {MOST_LEVELS} levels deep, derived values included")
        result = self._of_kind(syntax)
        self.level -= 1
        if len(list(islice(build.parts(result.type), MOST_PARTS + 1))) > MOST_PARTS:
            raise _error(syntax, f"lists inside lists: a type has at most {MOST_PARTS} parts")
        return result

    def _of_kind(self, syntax: ast.expr) -> tree.Node:
        column = syntax.col_offset
        match syntax:
            case ast.Name():
                return self._name(syntax)
            case ast.Constant():
                return self._constant(syntax)
            case ast.Attribute():
                return build.attribute(self.node(syntax.value), syntax.attr, column)
            case ast.Compare():
                return self._compare(syntax)
            case ast.BoolOp():
                op = "and" if isinstance(syntax.op, ast.And) else "or"
                return build.logic(op, [self.node(operand) for operand in syntax.values], column)
            case ast.UnaryOp():
                return self._unary(syntax)
            case ast.BinOp():
                return self._binary(syntax)
            case ast.Tuple() | ast.List():
                return self._sequence(syntax)
            case ast.Subscript():
                return self._subscript(syntax)
            case ast.Call():
                return self._call(syntax)
            case ast.IfExp():
                condition = build.expect(self.node(syntax.test), BOOL)
                return build.chosen(condition, self.node(syntax.body), self.node(syntax.orelse), column)
            case ast.ListComp():
                return self._each("list", syntax)
        raise _error(syntax, f"{type(syntax).__name__} is not part of the rule language")

    def _typed(self, syntax: ast.expr, *expected: Type) -> tree.Node:
        return build.expect(self.node(syntax), *expected)

    # --- atoms

    def _constant(self, syntax: ast.Constant) -> tree.Node:
        """atom = INT | FLOAT | TEXT | "True" | "False" """
        value, column = syntax.value, syntax.col_offset
        if isinstance(value, bool):
            return tree.Const(value, BOOL, column)
        if isinstance(value, int):
            return build.constant(value, INT, column)
        if isinstance(value, float):
            return tree.Const(value, FLOAT, column)
        if isinstance(value, str):
            if any("\ud800" <= char <= "\udfff" for char in value):
                raise _error(syntax, "a text holds no half of a surrogate pair")
            return tree.Const(value, STR, column)
        if value is None:
            raise _error(syntax, "None is only compared: write 'x is None' or 'x is not None'")
        raise _error(syntax, f"a {type(value).__name__} literal is not part of the rule language")

    def _name(self, syntax: ast.Name) -> tree.Node:
        """atom = VARIABLE | PARAM | LET | "undefined" | DTYPE | FORMAT"""
        name, column = syntax.id, syntax.col_offset
        if name in self.bound:
            return tree.Var(name, self.bound[name], column)
        if name == "product":
            raise _error(syntax, "the product is only compared, as in product in ('910b', 'A3')")
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
        raise _error(syntax, f"unknown name {shown(name)}{did_you_mean(name, known)}")

    def _let(self, name: str, column: int) -> tree.Node | None:
        """The tree of a derived value; a fault in it is told here as its own, for this is where it was found."""
        before, self.scope.level = self.scope.level, self.level
        try:
            return self.scope.let(name)
        except SpecError as error:
            inner = error.let or name
            message = error.message if error.let else f"in the derived value {name!r}: {error.message}"
            raise SpecError(message, column=column, let=inner) from None
        finally:
            self.scope.level = before

    # --- lists

    def _sequence(self, syntax: ast.Tuple | ast.List) -> tree.Node:
        """list = "(" (["*"] expression ",")* ")" | "[" … "]" """
        items = [self.node(part.value if isinstance(part, ast.Starred) else part) for part in syntax.elts]
        return build.sequence(items, [isinstance(part, ast.Starred) for part in syntax.elts], syntax.col_offset)

    def _subscript(self, syntax: ast.Subscript) -> tree.Node:
        """index = expression "[" (expression | [expression] ":" [expression]) "]" """
        base, column = self.node(syntax.value), syntax.col_offset
        if not isinstance(syntax.slice, ast.Slice):
            return build.index(base, self.node(syntax.slice), column)
        if syntax.slice.step is not None:
            raise _error(syntax, "a slice has no step")
        low, high = (self.node(part) if part else None for part in (syntax.slice.lower, syntax.slice.upper))
        return build.part(base, low, high, column)

    def _each(self, quantifier: tree.Quantifier, syntax: ast.ListComp | ast.GeneratorExp) -> tree.Node:
        """comprehension = expression "for" NAME ("," NAME)* "in" expression ["if" expression]"""
        if len(syntax.generators) != 1 or len(syntax.generators[0].ifs) > 1 or syntax.generators[0].is_async:
            raise _error(syntax, "a comprehension has one 'for' and at most one 'if'")
        part = syntax.generators[0]
        source = self.node(part.iter)
        names = build.variables(source, _targets(part.target), part.target.col_offset)
        outside = dict(self.bound)
        self.bound.update(names)
        condition = self._typed(part.ifs[0], BOOL) if part.ifs else None
        element = self.node(syntax.elt) if quantifier == "list" else self._typed(syntax.elt, BOOL)
        self.bound = outside
        kind = list_of(element.type) if quantifier == "list" else BOOL
        return tree.Each(quantifier, element, tuple(names), source, condition, kind, syntax.col_offset)

    # --- operators

    def _unary(self, syntax: ast.UnaryOp) -> tree.Node:
        """operation = ("not" | "-" | "+" | "~") expression"""
        column = syntax.col_offset
        match syntax.op:
            case ast.Not():
                return build.negated(self.node(syntax.operand), column)
            case ast.UAdd():
                return self._typed(syntax.operand, *NUMBERS)
            case ast.Invert():
                return tree.Unary("~", self._typed(syntax.operand, INT), INT, column)
        inner = syntax.operand
        if isinstance(inner, ast.Constant) and type(inner.value) in (int, float):
            return self._constant(ast.copy_location(ast.Constant(-inner.value), syntax))  # type: ignore[operator]
        operand = self._typed(inner, *NUMBERS)
        if isinstance(operand, tree.Const) and not repr(operand.value).startswith("-"):  # -(+5)
            return tree.Const(-operand.value, operand.type, column)  # type: ignore[operator]
        return tree.Unary("-", operand, operand.type, column)

    def _binary(self, syntax: ast.BinOp) -> tree.Node:
        """operation = expression ("+" | "-" | "*" | "/" | "//" | "%" | "<<" | ">>" | "&" | "|" | "^") expression"""
        op = _BINARY.get(type(syntax.op))
        if op is None:
            raise _error(syntax, f"the operator of {_source(syntax)} is not part of the rule language")
        return build.arithmetic(op, self.node(syntax.left), self.node(syntax.right), syntax.col_offset)

    def _compare(self, syntax: ast.Compare) -> tree.Node:
        """operation = operand (("==" | "!=" | "<" | "<=" | ">" | ">=" | ["not"] "in") operand)+"""
        if any(isinstance(op, (ast.Is, ast.IsNot)) for op in syntax.ops):
            return self._is_none(syntax)
        operands = [self._operand(part) for part in (syntax.left, *syntax.comparators)]
        return build.compare([_COMPARE[type(op)] for op in syntax.ops], operands, syntax.col_offset)

    def _operand(self, syntax: ast.expr) -> tree.Node:
        """operand = expression | "product", which stands nowhere else"""
        if isinstance(syntax, ast.Name) and syntax.id == "product" and "product" not in self.bound:
            return tree.Product(PRODUCT, syntax.col_offset)
        return self.node(syntax)

    def _is_none(self, syntax: ast.Compare) -> tree.Node:
        """operation = expression "is" ["not"] "None" """
        right = syntax.comparators[0]
        if len(syntax.ops) != 1 or not (isinstance(right, ast.Constant) and right.value is None):
            raise _error(syntax, "'is' compares with None only")
        make = build.present if isinstance(syntax.ops[0], ast.IsNot) else build.is_none
        return make(self.node(syntax.left), syntax.col_offset)

    # --- calls

    def _call(self, syntax: ast.Call) -> tree.Node:
        """call = FUNCTION "(" [expression ("," expression)*] ")" | form"""
        if not isinstance(syntax.func, ast.Name) or syntax.keywords:
            raise _error(syntax, "only library functions are called, with arguments by position")
        name, column = syntax.func.id, syntax.col_offset
        match name:
            case "all" | "any":
                return self._quantified(name, syntax)
            case "table":
                return self._table(syntax)
        args = [self.node(arg) for arg in syntax.args]
        match name, args:
            case "len", [operand]:
                return build.length(operand, column)
            case "range", [high]:
                return build.integers(None, high, column)
            case "range", [low, high]:
                return build.integers(low, high, column)
            case "zip", _:
                return build.side_by_side(args, column)
            case "given", [statement]:
                return build.given(statement, column)
            case "implies", [condition, then]:
                return build.implies(condition, then, column)
        if name in _TAKES:
            raise _error(syntax, f"{name} takes {_TAKES[name]}")
        return build.call(name, args, column)

    def _quantified(self, name: tree.Quantifier, syntax: ast.Call) -> tree.Node:
        """form = ("all" | "any") "(" comprehension ")" """
        if len(syntax.args) != 1 or not isinstance(syntax.args[0], (ast.GeneratorExp, ast.ListComp)):
            raise _error(syntax, f"{name} takes a comprehension, as in {name}(d > 0 for d in x.shape)")
        return self._each(name, syntax.args[0])

    def _table(self, syntax: ast.Call) -> tree.Node:
        """form = "table" "(" "(" expression ("," expression)* ")" ("," "(" cell ("," cell)* ")")+ ")" """
        if len(syntax.args) < 2 or not all(isinstance(arg, (ast.Tuple, ast.List)) for arg in syntax.args):
            raise _error(syntax, "table takes a tuple of columns and one or more rows")
        heads, *rows = (arg.elts for arg in syntax.args if isinstance(arg, (ast.Tuple, ast.List)))
        columns = tuple(build.heading(self.node(head)) for head in heads)
        cells = []
        for row, arg in zip(rows, syntax.args[1:], strict=True):
            if len(row) != len(columns):
                raise _error(arg, f"a row has {len(columns)} cells as the head has, found {len(row)}")
            cells.append(tuple(self.cell(item, column) for item, column in zip(row, columns, strict=True)))
        return build.table(columns, cells, syntax.col_offset)

    def cell(self, syntax: ast.expr, column: tree.Node) -> frozenset[object] | None:
        """cell = "any" | value | "(" value ("," value)* ")" """
        if isinstance(syntax, ast.Name) and syntax.id == "any":
            return None
        parts = syntax.elts if isinstance(syntax, (ast.Tuple, ast.List)) else [syntax]
        return frozenset(self.value(part, column) for part in parts)

    def value(self, syntax: ast.expr, column: tree.Node) -> object:
        """value = atom | "None", a literal of the column's type; texts and booleans may be written bare, as in YAML"""
        if isinstance(syntax, ast.Constant) and syntax.value is None:
            return False if isinstance(column, tree.IsNone) else None
        if isinstance(syntax, ast.Name) and column.type == STR:
            return syntax.id
        if isinstance(syntax, ast.Name) and column.type == BOOL and syntax.id.lower() in _BOOLEANS:
            return _BOOLEANS[syntax.id.lower()]
        node = self.node(syntax)
        if not isinstance(node, tree.Const) or unify(node.type, column.type) is None:
            raise _error(syntax, f"expected a {column.type} literal, None or any in this column")
        if node.value in (float("inf"), float("-inf")):
            raise _error(syntax, "a cell is a finite number")
        return node.value


#: forms whose operands are counted, and what they take
_TAKES = {
    "len": "1 argument", "range": "one or two integers", "given": "one statement",
    "implies": "a condition and a statement",
}  # fmt: skip


def _error(syntax: ast.expr, message: str) -> SpecError:
    return SpecError(message, column=syntax.col_offset)


def _targets(target: ast.expr) -> list[str]:
    """The names of a comprehension's variables."""
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    found = [name.id for name in names if isinstance(name, ast.Name) and name.id.isascii()]
    if len(found) != len(names):
        raise _error(target, "expected one or more variable names")
    return found


def _vocabulary_constant(name: str, column: int) -> tree.Const | None:
    if name in formats.names() and name not in dtypes.names():  # UNDEFINED; the dtype is DT_UNDEFINED
        return tree.Const(name, FORMAT, column)
    dtype = dtypes.aliases().get(name.lower()) if name.isupper() else None
    if dtype is not None:
        return tree.Const(dtype, DTYPE, column)
    layout = formats.aliases().get(name.lower()) if name.isupper() else None
    return tree.Const(layout, FORMAT, column) if layout is not None else None
