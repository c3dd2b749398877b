"""The fast path of an operator in C: plain conditions under which there is nothing at all to report of a call.

Each rule becomes a condition that is true only if the rule holds, or does not apply. What is undefined makes it false;
so does what would take long to decide. Then the detailed function judges the call: it says what is wrong, if anything.
Conditions stand once: what equals another thing needs no check of its own, and an equality with a broadcast says that
its shapes are broadcastable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from opspec.codegen.rules.c import needed
from opspec.codegen.rules.context import Body
from opspec.codegen.rules.cvalues import (
    WHOLE,
    bits_of,
    identifier,
    indented,
    present_if,
    product_name,
    whole,
)  # fmt: skip
from opspec.codegen.rules.values import Values, comment
from opspec.codegen.rules.vocabulary import product_numbers
from opspec.language import build, runtime, tree
from opspec.language.functions import FUNCTIONS
from opspec.language.text import write
from opspec.language.types import DTYPE, FORMAT, INTS
from opspec.model.definition import Definition, RuleDef

Present = frozenset[str]

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
#: what of an argument says that nothing is known of it
_UNKNOWN = {
    "tensor": "{}->rank < 0", "scalar": "{}->dtype == OPSPEC_DTYPE_UNKNOWN", "int_array": "{}->count < 0",
    "bool_array": "{}->count < 0", "float_array": "{}->count < 0",
}  # fmt: skip
#: the same of a list in a call, whether it is there or not
_UNKNOWN_LISTS = {
    "tensor_list": "opspec_is_unknown(OPSPEC_KIND_TENSORS, &call->args[{place}])",
    "scalar_list": "opspec_is_unknown(OPSPEC_KIND_SCALARS, &call->args[{place}])",
}  # fmt: skip


class _NeedsStatements(Exception):
    """The node has no form as a condition."""


@dataclass(frozen=True, slots=True)
class _Text:
    """An expression of C, most often a condition, and the names that it reads."""

    text: str
    reads: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return self.text


def _text(form: str, *parts: object) -> _Text:
    """Text with parts in it; it reads what they read."""
    return _Text(form.format(*parts), _read(parts))


def _read(parts: Iterable[object]) -> frozenset[str]:
    return frozenset().union(*(part.reads for part in parts if isinstance(part, _Text)))


@dataclass(frozen=True, slots=True)
class _Whole:
    """An integer, dtype or format.

    Args:
        text: an expression, of 64 bits at most if ``narrow``.
        given: conditions under which it is defined.
    """

    text: _Text
    given: tuple[_Text, ...] = ()
    narrow: bool = True


@dataclass(frozen=True, slots=True)
class _Emitted:
    """An expression as the detailed function has it; ``sure`` says that its value is defined."""

    text: _Text
    sure: bool


def required(definition: Definition) -> frozenset[str]:
    """The params that are never null without a finding."""
    rules = [rule for rule in definition.rules if rule.kind == "null"]
    return frozenset(
        rule.param for rule in rules if isinstance(rule.check, tree.IsNone) and rule.param is not None
    ) - {rule.param for rule in rules if rule.when is not None}  # fmt: skip


def fast_path(definition: Definition) -> Body:
    """The statements of a function that says whether there is surely nothing to report of a call."""
    fast = _Fast(definition)
    return Body(fast.lines(), fast.values.reads)


class _Fast:
    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.present = frozenset(identifier("p_", name) for name in required(definition))
        self.values = Values(definition, self.present)
        self.conditions = _Conditions(self.values)
        self.known: set[object] = set()
        self.equals: dict[tree.Node, tree.Node] = {}

    def lines(self) -> list[str]:
        """All statements."""
        lines = [*self._product(), *self._arguments()]
        for rule in sorted(self.definition.rules, key=_rank):
            lines += self._rule(rule)
        return [f"    {line}" if line else "" for line in [*lines, "", "return true;"]]

    def _product(self) -> list[str]:
        supported = [name for name, value in self.definition.spec.products.items() if value == "yes"]
        names = [product_name(name) for name in supported if name in product_numbers()]
        self.values.reads.add("call")
        return [
            "const opspec_product_sets on = opspec_product_sets_of(call);",
            f"if (!(on.is & ({bits_of(names) or '0'})))",
            "    return false;",
        ]

    def _arguments(self) -> list[str]:
        """Required ones that are null, and any of which nothing is known."""
        tests = [f"{pointer} == NULL" for pointer in sorted(self.present)]
        for place, param in enumerate(self.definition.params):
            pointer = identifier("p_", param.name)
            if param.kind in _UNKNOWN_LISTS:
                tests.append(_UNKNOWN_LISTS[param.kind].format(place=place))
            elif param.kind in _UNKNOWN:
                test = _UNKNOWN[param.kind].format(pointer)
                tests.append(test if pointer in self.present else f"({pointer} != NULL && {test})")
                self.values.reads.add(pointer)
        self.values.reads |= self.present
        return [f"if ({' || '.join(tests)})", "    return false;"] if tests else []

    # --- rules

    def _rule(self, rule: RuleDef) -> list[str]:
        check, when = rule.check, rule.when
        if (
            rule.kind == "null"
            and isinstance(check, tree.IsNone)
            and identifier("p_", rule.param or "") in self.present
        ):
            return []
        parts = build.conjuncts(check) if when is None else (check,)
        checks = [part for part in parts if not self._is_known(part, when)]
        if not checks:
            return []
        text = write(check) if when is None else f"{write(check)}, when {write(when)}"
        lines = self.values.lets_of(*(node for node in (when, check) if node is not None))
        lines += ["", *comment(f"{rule.id}: {text}")]
        for one in checks:
            lines += self._check(one, when)
            self._learn(one, when)
        return lines

    def _check(self, check: tree.Node, when: tree.Node | None) -> list[str]:
        """Return false unless there is nothing to report of a check."""
        try:
            there = frozenset[str]() if when is None else present_if(when, True)
            test = self.conditions.passes(check, self.present | there)
            if when is not None:
                test = self._guarded(test, when)
            lines = [*self.conditions.taken(test), f"if (!{_grouped(test)})", "    return false;"]
            self.values.reads |= test.reads
            return lines if len(lines) == 2 else ["{", *indented(lines), "}"]
        except _NeedsStatements:
            return self._statements(check, when)

    def _guarded(self, test: _Text, when: tree.Node) -> _Text:
        """A guard that lacks data is to be reported; one that is undefined otherwise does not apply."""
        sure = self.conditions.exact(when, self.present)
        if sure is not None:
            return _text("!{} || {}", sure, test)
        if not _is_plain(when, self.present):
            raise _NeedsStatements
        fails, applies = self.conditions.fails(when, self.present), self.conditions.holds(when, self.present)
        return _text("{} || ({} && {})", fails, applies, _grouped(test))

    def _statements(self, check: tree.Node, when: tree.Node | None) -> list[str]:
        """As the detailed function decides it."""
        absent = [pointer for pointer in needed(check) if pointer not in self.present]
        self.conditions.taken(_Text(""))
        declarations: dict[str, str] = {}
        before: list[str] = []
        guards: list[str] = []
        present = self.present
        if when is not None:
            emitter = self.values.emitter(declarations, present)
            guard = emitter.emit(when)
            before = list(emitter.lines)
            present |= present_if(when, True) if guard.sure else frozenset()
            if guard.sure:
                guards.append(guard.text)
            else:
                name = emitter.new_name("g")
                before += [f"const int {name} = {guard.text};", f"if (!opspec_decides({name}))", "    return false;"]
                guards.append(f"{name} == OPSPEC_TRUE")
        absent = [pointer for pointer in absent if pointer not in present]
        guards += [f"{pointer} != NULL" for pointer in absent]
        self.values.reads.update(absent)
        emitter = self.values.emitter(declarations, present | frozenset(absent))
        code = emitter.emit(check)
        test = f"!{_grouped(_Text(code.text))}" if code.sure else f"!opspec_holds({code.text})"
        inner = [*emitter.lines, f"if ({test})", "    return false;"]
        if guards:
            inner = [f"if ({_grouped(_Text(' && '.join(guards))).text[1:-1]}) {{", *indented(inner), "}"]
        return ["{", *indented([*declarations.values(), *before, *inner]), "}"]

    # --- what is known by then

    def _canonical(self, node: tree.Node) -> tree.Node:
        """The node with what it reads replaced by what that equals."""
        if not self.equals:
            return node
        if isinstance(node, tree.Attr):
            return self.equals.get(node, node)
        return tree.rebuilt(node, self._canonical)

    def _key(self, node: tree.Node) -> object:
        found = self._canonical(node)
        if isinstance(found, tree.Call) and FUNCTIONS[found.function].symmetrical:
            return (found.function, frozenset(found.args))
        if isinstance(found, tree.Compare) and found.ops == ("==",):
            return ("==", frozenset(found.operands))
        return found

    def _is_known(self, node: tree.Node, when: tree.Node | None) -> bool:
        key = self._key(node)
        if when is not None:
            return (key, self._key(when)) in self.known
        return key in self.known or (isinstance(key, tuple) and key[0] == "==" and len(key[1]) == 1)

    def _learn(self, node: tree.Node, when: tree.Node | None) -> None:
        """What holds behind the condition of a node; of one that may be absent only that it passed."""
        key = self._key(node)
        self.known.add(key if when is None else (key, self._key(when)))
        if when is not None or not isinstance(node, tree.Compare) or node.ops != ("==",):
            return
        if not set(needed(node)) <= self.present:
            return
        left, right = map(self._canonical, node.operands)
        if isinstance(left, tree.Attr) and isinstance(right, tree.Attr) and left.type in (*WHOLE, INTS):
            self.equals = {one: left if to == right else to for one, to in self.equals.items()}
            self.equals[right] = left
        for call in _results(node):
            for statement in _SAID_BY[call.function]:
                for i, one in enumerate(call.args):
                    for other in call.args[:i]:
                        self.known.add((statement, frozenset(map(self._canonical, (one, other)))))


def _rank(rule: RuleDef) -> int:
    """Equalities first, then what is equal to a broadcast: what follows from them needs no check."""
    check = rule.check
    if rule.when is not None or not isinstance(check, tree.Compare) or check.ops != ("==",):
        return 2
    if all(isinstance(operand, tree.Attr) for operand in check.operands):
        return 0
    return 1 if _results(check) else 2


def _results(node: tree.Compare) -> list[tree.Call]:
    """The operands that are a function's result for shapes, such as the broadcast of them."""
    return [part for part in node.operands if isinstance(part, tree.Call) and FUNCTIONS[part.function].c_equal]


#: function -> the statements that are true where it is defined
_SAID_BY = {
    name: [row.name for row in FUNCTIONS.values() if row.defines == name and row.symmetrical] for name in FUNCTIONS
}


def _is_plain(node: tree.Node, present: Present) -> bool:
    """Whether a guard reads no pointer that may be null, unless it asks whether it is."""
    asked = {part.operand for part in tree.walk(node) if isinstance(part, tree.IsNone)}
    read = [part for part in tree.walk(node) if isinstance(part, tree.Param) and part not in asked]
    return all(pointer in present for part in read for pointer in needed(part))


def _grouped(test: _Text) -> _Text:
    """In parentheses, once."""
    text, depth = test.text, 0
    for place, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return test if place == len(text) - 1 and text.startswith("(") else _text("({})", test)
    return _text("({})", test)


# --- conditions


class _Conditions:
    """Expressions of C that are true only if a node is true, or false; 0 where that is not known."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.declarations: dict[str, str] = {}

    def taken(self, test: _Text) -> list[str]:
        """The declarations that a condition needs; others were of expressions that it has not."""
        declarations, self.declarations = self.declarations, {}
        return [line for name, line in declarations.items() if name in test.reads]

    def passes(self, node: tree.Node, present: Present) -> _Text:
        """A condition that is true only if the node is true, or undefined for want of an argument."""
        match node:
            case tree.Logic():
                parts = sorted(node.items, key=lambda item: not present_if(item, node.op == "and"))
                texts = []
                for part in parts:
                    texts.append(self.passes(part, present))
                    present |= present_if(part, node.op == "and")
                return _joined(texts, " && " if node.op == "and" else " || ")
            case tree.If():
                return self._if(node, present, self.passes)
            case tree.Implies():
                guard, check = node.condition, node.then
                inner = self.passes(check, present | present_if(guard, True))
                absent = [_is_null(pointer) for pointer in needed(guard) if pointer not in present]
                present |= frozenset(needed(guard))
                return _joined([*absent, self._is(guard, False, present), inner], " || ")
        lacking = [pointer for pointer in needed(node) if pointer not in present]
        test = self._is(node, True, present | frozenset(lacking))
        return _joined([*map(_is_null, lacking), test], " || ") if lacking else test

    def holds(self, node: tree.Node, present: Present) -> _Text:
        """A condition that is true only if the node is true."""
        return self._is(node, True, present)

    def fails(self, node: tree.Node, present: Present) -> _Text:
        """A condition that is true only if the node is false."""
        return self._is(node, False, present)

    def exact(self, node: tree.Node, present: Present) -> _Text | None:
        """A condition that is true if and only if the node is, which is never undefined; None: there is none."""
        code = self._emitted(node, present)
        return _grouped(code.text) if code is not None and code.sure else None

    def _is(self, node: tree.Node, wanted: bool, present: Present) -> _Text:
        match node:
            case tree.Logic():
                return self._logic(node, wanted, present)
            case tree.Unary() if node.op == "not":
                return self._is(node.operand, not wanted, present)
            case tree.If():
                return self._if(node, present, lambda part, inner: self._is(part, wanted, inner))
            case tree.Implies() if wanted:
                inner = self._is(node.then, True, present | present_if(node.condition, True))
                return _text("({} || {})", self._is(node.condition, False, present), inner)
            case tree.Call() if FUNCTIONS[node.function].c_set:
                bits = FUNCTIONS[node.function].c_set
                return self._member(node.args[0], bits, wanted, present) or self._plain(node, wanted, present)
            case tree.Compare():
                return self._compare(node, wanted, present)
        return self._plain(node, wanted, present)

    def _logic(self, node: tree.Logic, wanted: bool, present: Present) -> _Text:
        """In ``and`` wanted, or ``or`` not wanted, all parts are as wanted; otherwise some part is."""
        every = (node.op == "and") is wanted
        parts = sorted(node.items, key=lambda item: not present_if(item, every is wanted))
        texts = []
        for part in parts:
            texts.append(self._is(part, wanted, present))
            present |= present_if(part, wanted if every else not wanted)
        return _parenthesised(texts, " && " if every else " || ")

    def _if(self, node: tree.If, present: Present, form: Callable[[tree.Node, Present], _Text]) -> _Text:
        applies, other = self.holds(node.condition, present), self.fails(node.condition, present)
        yes = form(node.then, present | present_if(node.condition, True))
        no = form(node.other, present | present_if(node.condition, False))
        return _text("({} ? {} : ({} && {}))", applies, yes, other, no)

    def _compare(self, node: tree.Compare, wanted: bool, present: Present) -> _Text:
        on = tree.on_products(node)
        if on is not None:
            return self._product(on, wanted)
        steps = list(zip(node.ops, node.operands, node.operands[1:], strict=False))
        found = [self._step(op, left, right, wanted, present) for op, left, right in steps]
        texts = [text for text in found if text is not None]
        if len(texts) < len(found):
            return self._plain(node, wanted, present)
        return _parenthesised(texts, " && " if wanted else " || ") if len(texts) > 1 else texts[0]

    def _product(self, on: tree.OnProducts, wanted: bool) -> _Text:
        if len(on.ids) != len(on.named) or not on.named:
            raise _NeedsStatements
        bits = bits_of(map(product_name, on.ids))
        return _Text(f"((on.is & ({bits})) != 0)" if on.inside is wanted else f"((on.may & ({bits})) == 0)")

    def _step(self, op: str, left: tree.Node, right: tree.Node, wanted: bool, present: Present) -> _Text | None:
        if op in ("in", "not in"):
            return self._among(left, right, (op == "in") is wanted, present)
        if op == "==" and wanted and INTS in (left.type, right.type):
            return self._same_shape(left, right, present)
        if left.type not in WHOLE or right.type not in WHOLE:
            return None
        a, b = self._whole(left, present), self._whole(right, present)
        if a is None or b is None:
            return None
        relation = op if wanted else _OPPOSITE[op]
        return _joined([*a.given, *b.given, _text("{} {} {}", a.text, relation, b.text)])

    def _same_shape(self, left: tree.Node, right: tree.Node, present: Present) -> _Text | None:
        if isinstance(left, tree.Call):
            left, right = right, left
        pointer = _shape_of(left, present)
        if pointer is None:
            return None
        other = _shape_of(right, present)
        if other is not None:
            return _text("opspec_same_shape({}, {})", pointer, other)
        if not isinstance(right, tree.Call) or not FUNCTIONS[right.function].c_equal:
            return None
        shapes = [shape for arg in right.args if (shape := _shape_of(arg, present)) is not None]
        if len(shapes) < 2 or len(shapes) < len(right.args):
            return None
        items = _listed(shapes, ", ")
        name = FUNCTIONS[right.function].c_equal
        return _text("{}({}, (const opspec_tensor *const[]){{{}}}, {})", name, pointer, items, len(shapes))

    def _among(self, item: tree.Node, items: tree.Node, inside: bool, present: Present) -> _Text | None:
        constant = isinstance(items, tree.Seq) and all(isinstance(part, tree.Const) for part in items.items)
        if not constant or item.type not in WHOLE:
            return None
        assert isinstance(items, tree.Seq)
        values = list(dict.fromkeys(part.value for part in items.items if isinstance(part, tree.Const)))
        if not values or any(isinstance(value, int) and value > runtime.HIGH for value in values):
            return None
        names = [whole(value, item.type) for value in values]
        if len(names) > 2 and item.type in (DTYPE, FORMAT) and not any(name.endswith("_UNDEFINED") for name in names):
            return self._member(item, bits_of(names), inside, present)
        found = self._whole(item, present)
        if found is None or len(names) > 8:
            return None
        op, join = ("==", " || ") if inside else ("!=", " && ")
        return _joined([*found.given, _joined([_text("{} {} {}", found.text, op, name) for name in names], join)])

    def _member(self, item: tree.Node, bits: str, inside: bool, present: Present) -> _Text | None:
        found = self._whole(item, present)
        if found is None or not found.narrow:
            return None
        return _joined([*found.given, _text("{}opspec_has({}, {})", "" if inside else "!", bits, found.text)])

    def _whole(self, node: tree.Node, present: Present) -> _Whole | None:
        if isinstance(node, tree.Index):
            return _element(node, present)
        if isinstance(node, tree.Let) and not self.values.lets[node.name]:
            name = _Text(identifier("L_", node.name))
            return _Whole(name, (_text("opspec_cause({}) == 0", name),), False)
        code = self._emitted(node, present)
        if code is None or not code.sure or len(code.text.text) > 60:
            return None
        narrow = isinstance(node, tree.Attr) and node.name in ("dtype", "format", "rank")
        return _Whole(code.text, (), narrow)

    def _plain(self, node: tree.Node, wanted: bool, present: Present) -> _Text:
        code = self._emitted(node, present)
        if code is None:
            raise _NeedsStatements
        if code.sure:
            return code.text if wanted else _text("(!{})", code.text)
        return _text("({} == {})", code.text, "OPSPEC_TRUE" if wanted else "OPSPEC_FALSE")

    def _emitted(self, node: tree.Node, present: Present) -> _Emitted | None:
        """The node as an expression; None where it needs statements in front."""
        emitter = self.values.emitter(self.declarations, present).trial()
        code = emitter.emit(node)
        return None if emitter.lines else _Emitted(_Text(code.text, frozenset(emitter.reads)), code.sure)


def _is_null(pointer: str) -> _Text:
    return _Text(f"{pointer} == NULL", frozenset({pointer}))


def _listed(parts: list[_Text], join: str) -> _Text:
    return _Text(join.join(map(str, parts)), _read(parts))


def _parenthesised(parts: list[_Text], join: str) -> _Text:
    return _text("({})", _listed(parts, join))


def _joined(parts: list[_Text], join: str = " && ") -> _Text:
    return parts[0] if len(parts) == 1 and parts[0].text.startswith("(") else _parenthesised(parts, join)


def _shape_of(node: tree.Node, present: Present) -> _Text | None:
    """The tensor whose shape the node is, where it surely has one."""
    if isinstance(node, tree.Attr) and node.name == "shape" and isinstance(node.base, tree.Param):
        pointer = identifier("p_", node.base.name)
        return _Text(pointer, frozenset({pointer})) if pointer in present else None
    return None


def _element(node: tree.Index, present: Present) -> _Whole | None:
    """A dim of a shape by a constant index."""
    pointer = _shape_of(node.base, present)
    place = node.index
    if pointer is None or not isinstance(place, tree.Const) or not isinstance(place.value, int):
        return None
    if place.value >= 0:
        return _Whole(_text("{}->shape[{}]", pointer, place.value), (_text("{}->rank > {}", pointer, place.value),))
    back = -place.value
    return _Whole(_text("{0}->shape[{0}->rank - {1}]", pointer, back), (_text("{}->rank >= {}", pointer, back),))
