"""Back end: a typed tree as C.

An undefined value is a value of the same C type (``csrc/rules/opspec_rules.h``), so an expression of the language
is an expression of C. One that is surely defined is written with C's own operators; otherwise functions of the run time
hand the causes on. Comprehensions, and what has to be evaluated once, become statements in front; those of an operand
that may be left out stand inside an ``if``. Lists that an expression makes are in buffers of a fixed size.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

from opspec.codegen import ctext
from opspec.codegen.rules import clists
from opspec.codegen.rules.clists import LIST_MAX
from opspec.codegen.rules.context import Context
from opspec.codegen.rules.cvalues import (
    WHOLE,
    CannotExpress,
    CForm,
    Code,
    bits_of,
    form_of,
    identifier,
    indented,
    nested,
    pointer_name,
    present_if,
    product_name,
    whole,
)  # fmt: skip
from opspec.language import ranges, runtime, tree
from opspec.language.functions import FUNCTIONS, NUMBERS_LIST, Function
from opspec.language.python import must_be_present, nullable
from opspec.language.types import BOOL, DTYPE, FLOAT, FORMAT, INT, INTS, SCALAR, STR, TENSOR, Type

_SIMPLE = 60  # characters of an expression that may be written twice


@dataclass(slots=True)
class Emitter(Context):
    """Emits expressions in one context."""

    def emit(self, node: tree.Node, kind: Type | None = None) -> Code:
        """See :meth:`Context.emit`."""
        kind = node.type if kind is None else kind
        if kind.name == "list" and isinstance(node, (tree.Seq, tree.If)):
            return self.seq(node, kind) if isinstance(node, tree.Seq) else self.if_(node, kind)
        if isinstance(node, tree.Undefined):
            return Code(form_of(kind).undefined.format("OPSPEC_NEITHER"), False)
        if kind == FLOAT:
            return self._number(node)
        if kind.name == "list" and node.type.name == "list" and form_of(kind) is not form_of(node.type):
            raise CannotExpress(f"a {node.type} as a {kind}")
        return self._own(node)

    # --- helpers

    def _own(self, node: tree.Node) -> Code:
        """As a value of its own type."""
        return node.code if isinstance(node, _Kept) else tree.visit(self, node)

    def _number(self, node: tree.Node) -> Code:
        """A value as an ``opspec_number``."""
        if node.type == INT:
            code = self.emit(node)
            return Code(f"opspec_whole({code.text})", code.sure)
        return self._own(node)

    def _range_of(self, node: tree.Node) -> tuple[int, int]:
        return ranges.range_of(node, self.bounds)

    # --- leaves

    def const(self, node: tree.Const) -> Code:
        if node.type == STR:
            return Code(f"opspec_text({ctext.string(str(node.value))}, {len(str(node.value).encode())})")
        if isinstance(node.value, float):
            return Code(f"opspec_real({ctext.real(node.value)})")
        if node.type == FLOAT:
            return Code(f"opspec_whole({whole(node.value, INT)})")
        if node.type in WHOLE or node.type == BOOL:
            return Code(whole(node.value, node.type))
        raise CannotExpress(f"a constant of type {node.type}")

    def param(self, node: tree.Param) -> Code:
        name = self.read(identifier("s_" if node.type == STR else "p_", node.name))
        if node.type in WHOLE or node.type == BOOL:
            return Code(name)
        if node.type == FLOAT:
            return Code(f"opspec_real({name})")
        if node.type == STR:
            return Code(name, False)
        form = form_of(node.type)
        if name in self.present:
            return Code(f"(*{name})")
        return Code(f"{form.ctype}_of({name})", False)

    def let(self, node: tree.Let) -> Code:
        return Code(identifier("L_", node.name), self.lets[node.name])

    def var(self, node: tree.Var) -> Code:
        return Code(self.read(identifier("v_", node.name)))

    def product(self, node: tree.Product) -> Code:
        raise CannotExpress("the product other than in a comparison")

    def undefined(self, node: tree.Undefined) -> Code:
        return Code(form_of(node.type).undefined.format("OPSPEC_NEITHER"), False)

    # --- tensors, scalars and their attributes

    def pointer(self, node: tree.Node) -> Code:
        """A pointer to a tensor or scalar; sure when it is known not to be null."""
        match node:
            case tree.Param() | tree.Var():
                name = self.read(identifier("p_" if isinstance(node, tree.Param) else "v_", node.name))
                return Code(name, name in self.present)
            case tree.Index() if node.type in (TENSOR, SCALAR):
                return Code(
                    f"opspec_{node.type.name}_at({self.emit(node.base).text}, {self.emit(node.index).text})", False
                )
        raise CannotExpress(f"a {node.type} from {_kind(node)}")

    def attr(self, node: tree.Attr) -> Code:
        base = self.pointer(node.base)
        if node.base.type == SCALAR:
            sure = base.sure and node.name == "dtype"
            return Code(f"{base.text}->dtype" if sure else f"opspec_scalar_{node.name}({base.text})", sure)
        if node.name in ("rank", "dtype", "format", "offset") and base.sure:
            return Code(f"{base.text}->{node.name}")
        if node.name == "strides":
            return Code(f"opspec_strides({self.buffer('int64_t', LIST_MAX)}, {base.text})", False)
        return Code(f"opspec_{node.name}({base.text})", base.sure and node.name in ("shape", "storage_format"))

    def index(self, node: tree.Index) -> Code:
        index = self.emit(node.index)
        if isinstance(node.base, tree.Attr) and node.base.name == "shape" and node.base.base.type == TENSOR:
            return Code(f"opspec_dim({self.pointer(node.base.base).text}, {index.text})", False)
        base = self.emit(node.base)
        match form_of(node.base.type).suffix:
            case "":
                text = f"opspec_at({base.text}, {index.text})"
                return Code(f"opspec_truth({text})" if node.type == BOOL else text, False)
            case "_numbers":
                return Code(f"opspec_number_at({base.text}, {index.text})", False)
        raise CannotExpress(f"an element of a {node.base.type}")

    def slice(self, node: tree.Slice) -> Code:
        base = self.emit(node.base)
        suffix = form_of(node.base.type).suffix
        if suffix not in ("", "_numbers"):
            raise CannotExpress(f"a slice of a {node.base.type}")
        low = Code("0") if node.low is None else self.emit(node.low)
        high = Code("OPSPEC_END") if node.high is None else self.emit(node.high)
        text = f"opspec_slice{suffix}({base.text}, {low.text}, {high.text})"
        return Code(text, base.sure and low.sure and high.sure)

    def is_none(self, node: tree.IsNone) -> Code:
        operand = node.operand
        if isinstance(operand, tree.Index):
            if operand.type != TENSOR:
                raise CannotExpress(f"whether an element of a {operand.base.type} is null")
            text = f"opspec_tensor_is_null({self.pointer(operand).text})"
            return Code(f"opspec_not({text})" if node.negated else text, False)
        name = pointer_name(operand)
        if name is None:
            raise CannotExpress(f"whether {_kind(operand)} is null")
        if operand.type in WHOLE or operand.type in (BOOL, FLOAT):
            return Code("OPSPEC_TRUE" if node.negated else "OPSPEC_FALSE")
        return Code(f"({self.read(name)} {'!=' if node.negated else '=='} NULL)")

    # --- arithmetic

    def unary(self, node: tree.Unary) -> Code:
        operand = self.emit(node.operand)
        if node.op == "not":
            return Code(f"(!{operand.text})") if operand.sure else Code(f"opspec_not({operand.text})", False)
        if node.type == FLOAT and node.op == "-":
            zero = self.emit(tree.Const(0.0, FLOAT))
            return Code(f"opspec_number_{_REAL_OPERATIONS['-']}({zero.text}, {operand.text})", operand.sure)
        if node.type != INT:
            raise CannotExpress(f"{node.op} of a {node.type}")
        low, high = self._range_of(node.operand)
        safe = low > runtime.LOW if node.op == "-" else high <= runtime.HIGH
        name = {"-": "neg", "~": "invert"}[node.op]
        return Code(f"opspec_{name}({operand.text})", operand.sure and safe and high <= runtime.HIGH)

    def binary(self, node: tree.Binary) -> Code:
        if node.type.name == "list":
            return clists.join(self, [(node.left, True), (node.right, True)], node.type)
        left, right = self.emit(node.left, node.type), self.emit(node.right, node.type)
        sure = left.sure and right.sure
        if node.type == FLOAT:
            if node.op not in _REAL_OPERATIONS:
                raise CannotExpress(f"{node.op} of floats")
            name = _REAL_OPERATIONS[node.op]
            return Code(f"opspec_number_{name}({left.text}, {right.text})", sure and name != "div")
        if node.type != INT:
            raise CannotExpress(f"{node.op} of type {node.type}")
        divides = node.op in ("//", "%") and self._range_of(node.right)[0] <= 0
        shifts = node.op in ("<<", ">>")
        safe = not shifts and not divides and ranges.fits(ranges.interval(node, self.bounds))
        if sure and safe and node.op in ("+", "-") and isinstance(node.right, tree.Const):
            return Code(f"({left.text} {node.op} {right.text})")
        return Code(f"opspec_{_WHOLE_OPERATIONS[node.op]}({left.text}, {right.text})", sure and safe)

    # --- comparisons

    def compare(self, node: tree.Compare) -> Code:
        on = tree.on_products(node)
        if on is not None:
            return self._compare_product(on)
        if len(node.ops) == 1:
            return self._compare(node.ops[0], node.operands[0], node.operands[1])
        operands = [self._once(operand) for operand in node.operands]
        steps = zip(node.ops, operands, operands[1:], strict=False)
        parts = [self._compare(op, left, right) for op, left, right in steps]
        if all(part.sure for part in parts):
            return Code("(" + " && ".join(part.text for part in parts) + ")")
        return Code(nested("opspec_and", [part.text for part in parts]), False)

    def _once(self, node: tree.Node) -> tree.Node:
        """The operand, or a variable that holds it when writing it twice would be too much."""
        trial = replace(self.trial(), declarations={**self.declarations})
        if len(trial.emit(node).text) <= _SIMPLE and not trial.lines:
            return node
        code = self.emit(node)
        name = self.keep(code, form_of(node.type).ctype)
        return _Kept(Code(name, code.sure), node.type)  # type: ignore[return-value]

    def _compare(self, op: str, left: tree.Node, right: tree.Node) -> Code:
        if op in ("in", "not in"):
            found = self._contains(left, right)
        elif op == "!=" and not _is_whole(left, right):
            found = self._compare("==", left, right)
        else:
            return self._ordered(op, left, right)
        if op in ("==", "in"):
            return found
        return Code(f"(!{found.text})") if found.sure else Code(f"opspec_not({found.text})", False)

    def _ordered(self, op: str, left: tree.Node, right: tree.Node) -> Code:
        kind = _common(left.type, right.type)
        a, b = self.emit(left, kind), self.emit(right, kind)
        sure = a.sure and b.sure
        name = _COMPARISONS[op]
        if kind in WHOLE or kind == BOOL:
            if sure:
                return Code(f"({a.text} {op} {b.text})")
            if kind == BOOL and op != "==":
                raise CannotExpress(f"{op} of booleans")
            return Code(f"opspec_{'bool_' if kind == BOOL else ''}{name}({a.text}, {b.text})", False)
        if kind == FLOAT:
            return Code(f"opspec_number_{name}({a.text}, {b.text})", sure)
        if op == "==" and (kind == STR or kind.name == "list"):
            function = "str_eq" if kind == STR else f"equal{form_of(kind).suffix}"
            if function in ("str_eq", "equal", "equal_numbers", "equal_lists"):
                return Code(f"opspec_{function}({a.text}, {b.text})", sure)
        raise CannotExpress(f"{op} of type {kind}")

    def _contains(self, item: tree.Node, items: tree.Node) -> Code:
        if items.type.name != "list":
            raise CannotExpress(f"'in' a {items.type}")
        constants = isinstance(items, tree.Seq) and all(isinstance(part, tree.Const) for part in items.items)
        if constants and item.type in WHOLE and items.type.item in (*WHOLE, None):
            assert isinstance(items, tree.Seq)
            return self._among(item, items)
        kind = _common(item.type, items.type.item or item.type)
        a, b = self.emit(item, kind), self.emit(items, Type("list", kind))
        suffix = {BOOL: "", FLOAT: "_number"}.get(
            kind, "" if kind in WHOLE else "_list" if kind.name == "list" else "!"
        )
        sure = a.sure and b.sure
        if kind == STR:
            return Code(f"opspec_str_in({a.text}, {b.text})", sure)
        if suffix == "!":
            raise CannotExpress(f"'in' a {items.type}")
        text = f"opspec_of_bool({a.text})" if kind == BOOL and not a.sure else a.text
        return Code(f"opspec_contains{suffix}({b.text}, {text})", sure)

    def _among(self, item: tree.Node, items: tree.Seq) -> Code:
        """Whether an integer, dtype or format is among constants."""
        code = self.emit(item)
        constants = list(dict.fromkeys(part.value for part in items.items if isinstance(part, tree.Const)))
        names = [whole(value, item.type) for value in constants]
        if item.type in (DTYPE, FORMAT) and not any(name.endswith("_UNDEFINED") for name in names):
            return Code(f"opspec_in_set({code.text}, {bits_of(names) or '0'})", code.sure)
        if code.sure and 0 < len(names) <= 4 and len(code.text) <= _SIMPLE:
            return Code("(" + " || ".join(f"{code.text} == {name}" for name in names) + ")")
        if not names:
            return Code(f"opspec_contains(opspec_list(NULL, 0), {code.text})", code.sure)
        if any(isinstance(value, int) and value > runtime.HIGH for value in constants):
            raise CannotExpress("a list with an integer beyond int64")
        return Code(f"opspec_contains({self.fixed('int64_t', names)}, {code.text})", code.sure)

    def _compare_product(self, on: tree.OnProducts) -> Code:
        if any(isinstance(name, tree.Product) for name in on.named):
            return Code("OPSPEC_TRUE" if on.inside else "OPSPEC_FALSE")
        if len(on.ids) != len(on.named):
            raise CannotExpress("the product compared with something computed")
        found = f"opspec_product_in({self.read('call')}, {bits_of(map(product_name, on.ids)) or '0'})"
        return Code(found if on.inside else f"opspec_not({found})", False)

    # --- logic

    def logic(self, node: tree.Logic) -> Code:
        """Sure operands first: they guard the others, and narrow what may be null in them."""
        wanted = node.op == "and"
        join, decided = ("&&", "OPSPEC_FALSE") if wanted else ("||", "OPSPEC_TRUE")
        sure: list[str] = []
        unsure: list[str] = []
        late: list[tuple[list[str], str]] = []
        present: frozenset[str] = frozenset()
        for item in node.items:
            inner = self.within(present)
            code = inner.emit(item)
            if inner.lines:
                late.append((inner.lines, code.text))
            elif code.sure:
                sure.append(code.text)
                present |= present_if(item, wanted)
            else:
                unsure.append(code.text)
        function = f"opspec_{node.op}"
        start = f" {join} ".join(sure)
        text = nested(function, unsure) if unsure else ""
        if text and sure:
            text = f"({start} ? {text} : {decided})" if wanted else f"({start} ? {decided} : {text})"
        text = text or (f"({start})" if len(sure) > 1 else start)
        if not late:
            return Code(text, not unsure)
        name = self.new_name("t")
        self.lines.append(f"int {name} = {text or ('OPSPEC_TRUE' if wanted else 'OPSPEC_FALSE')};")
        for lines, last in late:
            self._if(f"{name} != {decided}", [*lines, f"{name} = {function}({name}, {last});"])
        return Code(name, False)

    def _if(self, condition: str, lines: list[str], other: list[str] | None = None) -> None:
        self.lines += [f"if ({condition}) {{", *indented(lines)]
        self.lines += ["} else {", *indented(other), "}"] if other else ["}"]

    def if_(self, node: tree.If, kind: Type | None = None) -> Code:
        kind = node.type if kind is None else kind
        form = form_of(kind)
        condition = self.emit(node.condition)
        branches = [self.within(present_if(node.condition, truth)) for truth in (True, False)]
        then, other = (inner.emit(part, kind) for inner, part in zip(branches, (node.then, node.other), strict=True))
        sure = condition.sure and then.sure and other.sure
        test = condition.text if condition.sure else self.keep(condition, "int")
        is_true = test if condition.sure else f"{test} == OPSPEC_TRUE"
        undefined = form.undefined.format(test)
        if not any(inner.lines for inner in branches):
            if condition.sure:
                return Code(f"({test} ? {_wide(then, form)} : {other.text})", sure)
            return Code(
                f"({is_true} ? {_wide(then, form)} : {test} == OPSPEC_FALSE ? {other.text} : {undefined})", sure
            )
        name = self.new_name("t")
        start = "" if condition.sure else f" = {undefined}"
        self.lines.append(f"{form.ctype} {name}{start};")
        yes = [*branches[0].lines, f"{name} = {then.text};"]
        no = [*branches[1].lines, f"{name} = {other.text};"]
        if condition.sure:
            self._if(test, yes, no)
        else:
            self._if(is_true, yes)
            self._if(f"{test} == OPSPEC_FALSE", no)
        return Code(name, sure)

    # --- functions

    def call(self, node: tree.Call) -> Code:
        row = FUNCTIONS[node.function]
        if row.takes == (TENSOR,):
            base = self.pointer(node.args[0])
            return Code(f"{row.c}({base.text})", base.sure)
        if row.alone is not None:
            return self._listed(node, row)
        kinds = [
            arg.type if row.variadic else kind for arg, kind in zip(node.args, itertools.cycle(row.takes), strict=False)
        ]
        suffix = ""
        if row.takes == (NUMBERS_LIST,) and form_of(node.args[0].type).suffix == "":
            suffix, kinds = "_ints", [node.args[0].type]
        parts = [self.emit(arg, kind) for arg, kind in zip(node.args, kinds, strict=True)]
        sure = all(part.sure for part in parts) and not row.partial and not row.c_limit and suffix != "_ints"
        texts = [part.text for part in parts]
        if row.gives == INTS and row.variadic:
            return Code(self._folded(row, texts), False)
        if row.gives == INTS:
            texts.insert(0, self.buffer("int64_t", LIST_MAX))
        return Code(f"{row.c}{suffix}({', '.join(texts)})", sure)

    def _folded(self, row: Function, texts: list[str]) -> str:
        """A list made of any number of lists, from left to right; of one, of that and an empty one."""
        found = texts[0]
        for other in texts[1:] or ["opspec_list(NULL, 0)"]:
            found = f"{row.c}({self.buffer('int64_t', LIST_MAX)}, {found}, {other})"
        return found

    def _listed(self, node: tree.Call, row: Function) -> Code:
        """A function of integers, or of one list of them."""
        if len(node.args) == 1 and node.args[0].type.name == "list":
            if form_of(node.args[0].type).suffix:
                raise CannotExpress(f"{node.function} of a {node.args[0].type}")
            return Code(f"{row.c}_of({self.emit(node.args[0]).text})", False)
        if any(arg.type != INT for arg in node.args):
            raise CannotExpress(f"{node.function} of {', '.join(str(arg.type) for arg in node.args)}")
        parts = [self.emit(arg) for arg in node.args]
        return Code(nested(row.c, [part.text for part in parts]), all(p.sure for p in parts))

    # --- lists and tables

    def seq(self, node: tree.Seq, kind: Type | None = None) -> Code:
        return clists.seq(self, node, kind)

    def each(self, node: tree.Each) -> Code:
        return clists.each(self, node)

    def table(self, node: tree.Table) -> Code:
        return clists.table(self, node)

    def range(self, node: tree.Range) -> Code:
        raise CannotExpress("range() other than in a comprehension")

    def zip(self, node: tree.Zip) -> Code:
        raise CannotExpress("zip() other than in a comprehension")

    def length(self, node: tree.Length) -> Code:
        code = self.emit(node.operand)
        if node.operand.type == STR:
            return Code(f"opspec_str_len({code.text})", code.sure)
        if code.sure:
            return Code(f"{code.text}.count")
        return Code(f"opspec_len({code.text})", False)

    def given(self, node: tree.Given) -> Code:
        code = self.emit(node.operand)
        return code if code.sure else Code(f"opspec_given({code.text})", False)

    def implies(self, node: tree.Implies) -> Code:
        guard = self.emit(node.condition)
        inner = self.within(present_if(node.condition, True) if guard.sure else frozenset())
        check = inner.emit(node.then)
        held = check.text if check.sure else f"opspec_given({check.text})"
        if guard.sure and not inner.lines:
            if check.sure:
                return Code(f"(!{guard.text} || {held})")
            return Code(f"({guard.text} ? {held} : OPSPEC_TRUE)", False)
        if not inner.lines:
            return Code(f"opspec_implies({guard.text}, {check.text})", False)
        name, test = self.new_name("t"), self.keep(guard, "int")
        self.lines.append(f"int {name} = OPSPEC_TRUE;")
        applies = test if guard.sure else f"opspec_may_apply({test})"
        self._if(
            applies, [*inner.lines, f"{name} = {held if guard.sure else f'opspec_implies({test}, {check.text})'};"]
        )
        return Code(name, False)


@dataclass(frozen=True, slots=True)
class _Kept:
    """An operand that stands in a variable of C."""

    code: Code
    type: Type


_COMPARISONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_REAL_OPERATIONS = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
_WHOLE_OPERATIONS = {
    "+": "add", "-": "sub", "*": "mul", "//": "floor_div", "%": "mod", "<<": "shift_left", ">>": "shift_right",
    "&": "bit_and", "|": "bit_or", "^": "bit_xor",
}  # fmt: skip


def needed(node: tree.Node) -> list[str]:
    """C names of the pointers that the node is undefined without, whatever else it reads."""
    return sorted(f"p_{name}" for name in must_be_present(nullable(node)))


def _kind(node: tree.Node) -> str:
    return type(node).__name__.lower()


def _common(a: Type, b: Type) -> Type:
    """The type in which values of two types are compared."""
    if a == b:
        return a
    if FLOAT in (a, b) and INT in (a, b):
        return FLOAT
    if a.name == b.name == "list":
        if a.item is None or b.item is None:
            return b if a.item is None else a
        return Type("list", _common(a.item, b.item))
    raise CannotExpress(f"a {a} compared with a {b}")


def _is_whole(a: tree.Node, b: tree.Node) -> bool:
    return (a.type in WHOLE and b.type in WHOLE) or FLOAT in (a.type, b.type)


def _wide(code: Code, form: CForm) -> str:
    """A branch of ``?:`` between integers, whose types need not be one."""
    return f"(opspec_int){code.text}" if form.ctype == "opspec_int" else code.text
