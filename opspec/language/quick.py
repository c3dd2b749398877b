"""Back end: all rules of an operator as one Python function that decides whether there is nothing to report.

Most calls are legal, so this is what a check costs: 0.4 us for aclnnGeluBackwardV2, of which the detailed form takes
1.6 and the interpreter more than 100. The function may raise whatever it likes: a call of which it does not say
"nothing to report" goes to the detailed form (:mod:`opspec.language.python`), which decides. So it needs no care for
undefined values, nor for the order of the rules: what several rules read is read once, rules under the same condition
stand together, and what hangs on the product alone (an *atom*) was computed before.

A rule over data that calls seldom carry, such as the elements of a tensor, is reported where they are missing; the
function returns such reports as bits of a number, and -1 for "ask the detailed form".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeGuard

from opspec.language import ranges, tree
from opspec.language.blocks import Block
from opspec.language.codec import Writer
from opspec.language.facts import reads_lets
from opspec.language.functions import FUNCTIONS
from opspec.language.outcome import ABSENT, GUARD, NEITHER, NO_DATA
from opspec.language.python import (
    Causes,
    Code,
    Emitter,
    may_meet_nan,
    must_be_present,
    needs_elements,
    needs_product,
    needs_values,
    nullable,
)
from opspec.language.types import BOOL, INT, INTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Rule: TypeAlias = tuple[tree.Node | None, tree.Node]  # guard, check

MOST_NODES = 2000  # of a tree with its derived values put in; a larger one is not looked into
MOST_LEVELS = 40  # of conditions inside each other; below, one expression says the rest
MOST_LOOPS = 12  # Python allows 20 blocks inside each other


@dataclass(frozen=True, slots=True)
class Quick:
    """The function.

    Args:
        lines: the source of ``quick_for``, which takes whether the product is known, and the atoms' values.
        atoms: expressions over ``_product`` and ``_member``.
        lacks: (rule number, outcome) of each bit.
        called: the names of library and run time that both call.
    """

    lines: list[str]
    atoms: list[str]
    lacks: list[tuple[int, int]]
    called: set[str]


def quick(
    params: Sequence[str],
    lets: Mapping[str, tree.Node],
    rules: Sequence[Rule],
    tables: list[object],
) -> Quick:
    """The function for an operator.

    Args:
        lets: derived values, each after those that it reads.
        tables: constants, shared with the detailed form.
    """
    writer = _Quick({name: _prepared(node) for name, node in lets.items()}, tables)
    prepared = _without_implied(
        [(None if when is None else _prepared(when), _prepared(check)) for when, check in rules]
    )
    writer.count([rule for rule in prepared if rule is not None])
    for number, rule in enumerate(prepared):
        if rule is not None:
            writer.rule(number, *rule)
    names = ", ".join(f"p_{name}" for name in params)
    body = [
        *([f"{names}, = _args"] if names else []),
        *(["u = 0"] if writer.lacks else []),
        *writer.statements(),
        f"return {'u' if writer.lacks else '0'}",
    ]
    lines = [
        f"def quick_for({', '.join(['known', *(f'k{i}' for i in range(len(writer.atoms)))])}):",
        " def quick(_args):",
        "  try:",
        *(f"   {line}" for line in body),
        "  except Exception:",
        "   return -1",
        " return quick",
    ]
    return Quick(lines, writer.atoms, writer.lacks, writer.called)


def _prepared(node: tree.Node) -> tree.Node:
    """The tree with any pointer taken for one that may be null, and a rank for the length of the shape."""
    if isinstance(node, tree.Param):
        return nullable(node)
    node = tree.rebuilt(node, _prepared)
    if isinstance(node, tree.Attr) and node.name == "rank":
        return tree.Length(tree.Attr(node.base, "shape", INTS), INT)
    return node


def _without_implied(rules: Sequence[Rule]) -> list[Rule | None]:
    """The rules, with ``not f(x)`` and ``x in (…) where not f(x)`` made one where f holds of none of the list."""
    result: list[Rule | None] = list(rules)
    denials = {check: number for number, (when, check) in enumerate(rules) if when is None and _is_denial(check)}
    for number, (when, check) in enumerate(rules):
        if when is None and isinstance(check, tree.Implies):
            denial, member = check.condition, check.then
            if denial in denials and _excludes(member, denial):
                result[denials[denial]] = None
                result[number] = None, member
    return result


def _is_denial(node: tree.Node) -> bool:
    return isinstance(node, tree.Unary) and node.op == "not" and isinstance(node.operand, tree.Call)


def _excludes(member: tree.Node, denial: tree.Node) -> bool:
    """Whether ``x in (…)`` says ``not f(x)``, too."""
    if not isinstance(denial, tree.Unary) or not isinstance(denial.operand, tree.Call):
        return False
    function, arguments = FUNCTIONS[denial.operand.function], denial.operand.args
    if not isinstance(member, tree.Compare) or member.ops != ("in",) or arguments != member.operands[:1]:
        return False
    items = member.operands[1]
    if not isinstance(items, tree.Seq) or not all(isinstance(item, tree.Const) for item in items.items):
        return False
    return not any(function.python(item.value) for item in items.items if isinstance(item, tree.Const))


class _Quick(Emitter):
    """Writes statements that return -1 where a rule does not hold, and expressions that may raise anything.

    Attributes:
        block: where statements go.
        certain: the expression being written is evaluated whenever its block is.
    """

    def __init__(self, lets: Mapping[str, tree.Node], tables: list[object]) -> None:
        super().__init__({}, frozenset(), tables)
        self.trees = lets
        self.top = self.block = Block()
        self.certain = True
        self.atoms: list[str] = []
        self.lacks: list[tuple[int, int]] = []
        self.locals = 0
        self.hidden: frozenset[str] = frozenset()  # variables of comprehensions around
        self.counts = Counter[int]()
        self._writer = Writer()
        self._keys: dict[int, tuple[tree.Node, int, frozenset[str]]] = {}
        self._closed: dict[str, tree.Node | None] = {}
        self._wholes: dict[int, tuple[tree.Node, tree.Node | None]] = {}

    # --- what occurs more than once

    def count(self, rules: Sequence[Rule]) -> None:
        """See what the rules and the derived values read, and which arguments can never be null."""
        sure = {
            check.operand.name
            for when, check in rules
            if when is None and isinstance(check, tree.IsNone) and check.negated
            if isinstance(check.operand, tree.Param)
        }
        self.top.present = frozenset(sure)
        for node in (*self.trees.values(), *(node for rule in rules for node in rule if node is not None)):
            self.counts.update(self._key(part)[0] for part in tree.walk(node) if _is_shared(part))

    def _key(self, node: tree.Node) -> tuple[int, frozenset[str]]:
        """A number that equal trees share, and the variables in the tree."""
        found = self._keys.get(id(node))
        if found is None:
            names = frozenset(part.name for part in tree.walk(node) if isinstance(part, tree.Var))
            found = self._keys[id(node)] = (node, self._writer.add(node), names)  # kept: its id must stay its own
        return found[1:]

    def emit(self, node: tree.Node) -> Code:
        """The source of a tree; what occurs twice and has to be evaluated is kept in a local."""
        if not _is_shared(node):
            return super().emit(node)
        key, names = self._key(node)
        if names & self.hidden:
            return super().emit(node)
        known = self.block.local(key)
        if known is not None:
            return Code(known)
        wanted = self.counts[key] > 1 or _may_be_none(node)
        if wanted and (self.certain or isinstance(node, tree.Let)):
            return self._kept(node, key)
        return super().emit(node)

    def _kept(self, node: tree.Node, key: int) -> Code:
        """A local for a tree. One that may not be needed stays unbound where it is undefined."""
        if self.certain and _may_be_none(node) and len(node.args) == 2:
            return self._broadcast(node, key)
        text = super().emit(node).text
        name = self._new_local()
        line = f"{name} = {text}"
        self.block.lines += [line] if self.certain else ["try:", f" {line}", "except Exception:", " pass"]
        self.block.known[key] = name
        return Code(name)

    def _broadcast(self, node: tree.Call, key: int) -> Code:
        """The broadcast of two shapes, which are mostly equal."""
        a, b = (self.emit(arg).text for arg in node.args)
        name = self.block.known[key] = self._new_local()
        self.block.lines += [
            f"{name} = {a}",
            f"if {a} != {b}:",
            f" {name} = {self._calls(f'_{node.function}', a, b)}",
            f" if {name} is None:",
            "  return -1",
        ]
        return Code(name)

    def _new_local(self) -> str:
        self.locals += 1
        return f"t{self.locals}"

    @contextmanager
    def _uncertain(self) -> Iterator[None]:
        before, self.certain = self.certain, False
        yield
        self.certain = before

    def _maybe(self, node: tree.Node) -> Code:
        """A part that is evaluated or not."""
        with self._uncertain():
            return self.emit(node)

    @contextmanager
    def _in(self, block: Block, bounds: Mapping[str, tuple[int, int]] | None = None) -> Iterator[None]:
        before = self.block, self.bounds
        self.block, self.bounds = block, {**self.bounds, **(bounds or {})}
        yield
        self.block, self.bounds = before

    # --- expressions

    def _join(self, parts: list[Code], build: object, extra: Causes = frozenset()) -> Code:
        return Code(build(*(part.text for part in parts)))  # type: ignore[operator]

    def read(self, node: tree.Node) -> Code:
        """A null argument must not pass for a value; where an attribute is read, Python sees to it."""
        if isinstance(node, tree.Param) and node.name in self.block.present:
            return Code(f"p_{node.name}")
        return super().read(node)

    def _unread(self, node: tree.Node) -> Code:
        if isinstance(node, tree.Index):
            return Code(f"{self.emit(node.base).text}[{self.emit(node.index).text}]", frozenset({ABSENT}))
        return super()._unread(node)

    def let(self, node: tree.Let) -> Code:
        return self.emit(self.trees[node.name])

    def attr(self, node: tree.Attr) -> Code:
        return Code(self._attribute(node.name, self._unread(node.base).text))

    def logic(self, node: tree.Logic) -> Code:
        first, *rest = node.items
        texts = [self.emit(first).text, *(self._maybe(item).text for item in rest)]
        return Code(f"({f' {node.op} '.join(texts)})")

    def if_(self, node: tree.If) -> Code:
        condition, then, other = self.emit(node.condition), self._maybe(node.then), self._maybe(node.other)
        return Code(f"({then.text} if {condition.text} else {other.text})")

    def table(self, node: tree.Table) -> Code:
        with self._uncertain():
            return super().table(node)

    def _column(self, node: tree.Node) -> Code:
        text = self.emit(node).text
        root = tree.root(node)
        if not isinstance(root, tree.Param) or root.name in self.block.present:
            return Code(text)
        return Code(f"({text} if p_{root.name} is not None else None)")

    def compare(self, node: tree.Compare) -> Code:
        on = tree.on_products(node)
        if on is not None:
            text = super()._compare_product(on).text
            if text not in self.atoms:
                self.atoms.append(text)
            return Code(f"k{self.atoms.index(text)}")
        if any(map(may_meet_nan, node.operands, node.operands[1:])):
            with self._uncertain():
                return super().compare(node)
        if len(node.operands) == 2 and node.ops[0] == "in" and _is_single(node.operands[1]):
            return Code(f"({self.emit(node.operands[0]).text} == {self.emit(node.operands[1].items[0]).text})")
        if len(node.operands) == 3 and node.ops[0] == "<=" and self._is_at_least(node.operands[1], node.operands[0]):
            return self.compare(tree.Compare(node.ops[1:], node.operands[1:], node.type))
        parts = [self.emit(item) if i < 2 else self._maybe(item) for i, item in enumerate(node.operands)]
        text = parts[0].text
        for op, operand, part in zip(node.ops, node.operands[1:], parts[1:], strict=True):
            text += f" {op} {(_as_set(operand) if op in ('in', 'not in') else None) or part.text}"
        return Code(f"({text})")

    def _is_at_least(self, node: tree.Node, low: tree.Node) -> bool:
        """Whether an integer expression can be no less than a constant."""
        return isinstance(low, tree.Const) and type(low.value) is int and self._range_of(node)[0] >= low.value

    def each(self, node: tree.Each) -> Code:
        source = self.emit(node.source)
        quantified = node.quantifier != "list"
        hidden, self.hidden = self.hidden, self.hidden.union(node.variables)
        with self._in(self.block, ranges.variable_bounds(node, self.bounds)):
            element = self._maybe(tree.conditioned(node) if quantified else node.element)
            condition = self._maybe(node.condition) if node.condition is not None and not quantified else Code("")
        self.hidden = hidden
        names = ", ".join(f"v_{name}" for name in node.variables)
        test = f" if {condition.text}" if condition.text else ""
        opening = node.quantifier if quantified else "tuple"
        return Code(f"{opening}([{element.text} for {names} in {source.text}{test}])")

    def call(self, node: tree.Call) -> Code:
        row = FUNCTIONS[node.function]
        if row.of_equals and not row.of_names and len(node.args) == 2:  # two shapes are mostly equal
            a, b = (self.emit(arg).text for arg in node.args)
            equal = f"{a} == {b} or" if row.gives == BOOL else f"{a} if {a} == {b} else"
            return Code(f"({equal} {self._calls(f'f_{row.name}', a, b)})")
        return super().call(node)

    def given(self, node: tree.Given) -> Code:
        return self._given_text(node.operand)

    def implies(self, node: tree.Implies) -> Code:
        return Code(f"(not {self.emit(node.condition).text} or {self._given_text(node.then).text})")

    def _given_text(self, node: tree.Node) -> Code:
        names = sorted(must_be_present(self._whole(node) or node) - self.block.present)
        absent = "".join(f"p_{name} is None or " for name in names)
        return Code(f"({absent}{self._maybe(node).text})")

    # --- rules

    def rule(self, number: int, when: tree.Node | None, check: tree.Node) -> None:
        """The statements of a rule."""
        block = self.top
        if when is not None:
            block = self._under_condition(self._with_data(block, when, (number, GUARD)), when, is_guard=True)
        self._require(check, self._with_data(block, check, (number, NO_DATA)))

    def _with_data(self, block: Block, node: tree.Node, report: tuple[int, int]) -> Block:
        """Where the arguments are there that a tree needs, and the data; data that is missing is reported."""
        block = self._with_present(block, node)
        whole = self._whole(node)
        if whole is None:
            return block
        headers = ["if known:"] if needs_product(whole) else []
        headers += [f"if p_{name}.values is not None:" for name in sorted(needs_values(whole))]
        if not headers or ABSENT in Emitter({}, block.present).emit(_read_first(whole)).causes:
            return block
        bit = 1 << len(self.lacks)
        self.lacks.append(report)
        for header in headers:
            block = block.under(header)
            block.mask |= bit
        return block

    def _with_present(self, block: Block, node: tree.Node) -> Block:
        """Where those arguments are there without which a tree is undefined."""
        for name in sorted(must_be_present(self._whole(node) or node)):
            if name not in block.present:
                block = block.under(f"if p_{name} is not None:", [name])
        return block

    def _whole(self, node: tree.Node) -> tree.Node | None:
        """The tree with derived values put in; None where that is too large."""
        found = self._wholes.get(id(node))
        if found is None:
            found = self._wholes[id(node)] = node, self._put_in(node)  # kept: its id must stay its own
        return found[1]

    def _put_in(self, node: tree.Node) -> tree.Node | None:
        if not reads_lets(node):
            return node
        for part in tree.walk(node):
            if isinstance(part, tree.Let) and part.name not in self._closed:
                self._closed[part.name] = self._whole(self.trees[part.name])

        def put_in(part: tree.Node) -> tree.Node:
            return self._closed[part.name] or part if isinstance(part, tree.Let) else tree.rebuilt(part, put_in)

        sizes = [_size(self._closed[part.name]) for part in tree.walk(node) if isinstance(part, tree.Let)]
        return put_in(node) if 0 not in sizes and sum(sizes) <= MOST_NODES else None

    def _under_condition(self, block: Block, node: tree.Node, is_guard: bool = False) -> Block:
        """Where a condition holds; one that reads an absent argument does not.

        Args:
            is_guard: nothing is required where it is undefined, for want of an element either.
        """
        items = tuple(self._conjuncts(node))
        if block.level + len(items) > MOST_LEVELS:
            items = (node,)
        for item in items:
            block = self._with_present(block, item)
            if is_guard:
                block = self._with_elements(block, item)
            with self._in(block):
                header = f"if {self.emit(item).text}:"
            block = block.under(header)
        return block

    def _with_elements(self, block: Block, node: tree.Node) -> Block:
        """Where those elements are there without which a condition is undefined, where that is all it can lack."""
        whole = self._whole(node)
        needed = needs_elements(whole) if whole is not None else frozenset()
        if whole is None or not needed or Emitter({}, block.present).emit(whole).causes != {NEITHER}:
            return block
        for base, index in sorted(needed, key=repr):
            with self._in(block):
                header = f"if {self.emit(tree.Length(base, INT)).text} > {index if index >= 0 else -1 - index}:"
            block = block.under(header)
        return block

    def _conjuncts(self, node: tree.Node) -> Iterator[tree.Node]:
        """What holds together where a condition does; a derived value that says several things is several, too."""
        said = self.trees[node.name] if isinstance(node, tree.Let) else node
        if isinstance(said, tree.Logic) and said.op == "and":
            for item in said.items:
                yield from self._conjuncts(item)
        else:
            yield node

    def _require(self, node: tree.Node, block: Block) -> None:
        """Return -1 where a statement does not hold; one that reads an absent argument counts as if it did."""
        block = self._with_present(block, node)
        if block.level < MOST_LEVELS:
            match node:
                case tree.Logic(op="and"):
                    for item in node.items:
                        self._require(item, block)
                    return
                case tree.Compare() if len(node.ops) > 1 and self._may_lack(node, block):
                    for op, a, b in zip(node.ops, node.operands, node.operands[1:], strict=False):
                        self._require(tree.Compare((op,), (a, b), BOOL), block)
                    return
                case tree.Given():
                    self._require(node.operand, block)
                    return
                case tree.Implies():
                    self._require(node.then, self._under_condition(block, node.condition, is_guard=True))
                    return
                case tree.If():
                    self._require(node.then, self._under_condition(block, node.condition))
                    self._require(node.other, self._under_condition(block, _not(node.condition)))
                    return
                case tree.Each(quantifier="all") if self._can_loop(node, block):
                    self._loop(node, block)
                    return
        block.required.append((node, self.bounds))

    def statements(self) -> Iterator[str]:
        """The function's statements: those of a block are written before those of the blocks in it."""
        self._write(self.top)
        return self.top.render()

    def _write(self, block: Block) -> None:
        for node, bounds in block.required:
            with self._in(block, bounds):
                self._line(node)
        for inner in block.inner.values():
            self._write(inner)

    def _line(self, node: tree.Node) -> None:
        if isinstance(node, tree.Call) and FUNCTIONS[node.function].defines:
            defined = FUNCTIONS[FUNCTIONS[node.function].defines]
            result = tree.Call(defined.name, node.args, defined.gives)
            if self.counts[self._key(result)[0]] > (not defined.or_none):
                self.emit(result)  # into a local, as other rules want it, too; this raises where it is undefined
                return
        if isinstance(node, tree.Logic) and node.op == "or":
            parts = [self._given_text(item).text for item in node.items]  # absent wins over other causes, and holds
            test = f"not ({' or '.join(parts)})"
        elif isinstance(node, tree.Unary) and node.op == "not":
            test = self.emit(node.operand).text
            self.block.holds.add(f"if (not {test}):")
        else:
            test = f"not {self.emit(node).text}"
        self.block.lines += [f"if {test}:", " return -1"]

    def _may_lack(self, node: tree.Compare, block: Block) -> bool:
        return any(must_be_present(operand) - block.present for operand in node.operands)

    def _can_loop(self, node: tree.Each, block: Block) -> bool:
        return block.loops < MOST_LOOPS and not block.variables.intersection(node.variables)

    def _loop(self, node: tree.Each, block: Block) -> None:
        names = ", ".join(f"v_{name}" for name in node.variables)
        bounds = ranges.variable_bounds(node, self.bounds)
        with self._in(block):
            header = f"for {names} in {self.emit(node.source).text}:"
        with self._in(block, bounds):
            inner = block.under(header, variables=node.variables)
            if node.condition is not None:
                inner = self._under_condition(inner, node.condition)
            self._require(node.element, inner)


def _read_first(node: tree.Node) -> tree.Node:
    """The part that is undefined before any other is looked at: of a quantifier the list that it runs over."""
    return _read_first(node.source) if isinstance(node, tree.Each) else node


def _is_shared(node: tree.Node) -> bool:
    """Whether a local is worth it for such an expression."""
    return isinstance(node, (tree.Attr, tree.Let, tree.Index, tree.Length, tree.Call))


def _may_be_none(node: tree.Node) -> TypeGuard[tree.Call]:
    """Whether it is a call that can be asked without an exception; its result is kept in any case."""
    return isinstance(node, tree.Call) and FUNCTIONS[node.function].or_none


def _not(node: tree.Node) -> tree.Node:
    return node.operand if isinstance(node, tree.Unary) and node.op == "not" else tree.Unary("not", node, BOOL)


def _is_single(node: tree.Node) -> TypeGuard[tree.Seq]:
    return isinstance(node, tree.Seq) and len(node.items) == 1 and isinstance(node.items[0], tree.Const)


def _as_set(node: tree.Node) -> str | None:
    """A list of three or more names as a set, which Python keeps as a constant."""
    if not isinstance(node, tree.Seq) or len(node.items) < 3:
        return None
    values = [item.value for item in node.items if isinstance(item, tree.Const)]
    if len(values) < len(node.items) or not all(type(value) is str or type(value) is int for value in values):
        return None
    return f"{{{', '.join(map(repr, values))}}}"


def _size(node: tree.Node | None) -> int:
    """How many nodes a tree has; 0 for none at all."""
    return 0 if node is None else sum(1 for _ in tree.walk(node))
