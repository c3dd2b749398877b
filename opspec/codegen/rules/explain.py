"""What C says of a broken rule: words as constants, and a function that finds the part that failed and its values.

The parts, words and values are those of ``opspec.validator.explain``. Most rules need nothing but constants: what is
required, under which conditions, and the names of the values to show. The others have a case in the function.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence

from opspec.codegen import ctext
from opspec.codegen.rules import clists
from opspec.codegen.rules.c import Emitter
from opspec.codegen.rules.context import Body
from opspec.codegen.rules.cvalues import WHOLE, CannotExpress, identifier, indented, pointer_name
from opspec.codegen.rules.values import Values
from opspec.language import prose, ranges, tree
from opspec.language.text import write
from opspec.language.types import BOOL, DTYPE, FLOAT, FORMAT, INT, INTS, STR, TENSOR, Type
from opspec.model.definition import Definition, RuleDef
from opspec.model.draft import Alternative
from opspec.validator.elements import NO_NAMES, Names, named, names
from opspec.validator.explain import (
    NO_LETTERS,
    NOT_APPLICABLE,
    SAYS,
    atom_name,
    atoms,
    because,
    cell_words,
    computed,
    list_name,
    own_sentence,
)  # fmt: skip

Guards = tuple[tree.Node, ...]
At = tuple[str, ...]  # by list that the part is in, outermost first: the statement that tells the place

#: what the functions that show values of a type are named after, and those of lists of them
_SHOWN = {INT: "int", BOOL: "bool", DTYPE: "dtype", FORMAT: "format", FLOAT: "number", STR: "str", TENSOR: "tensor"}


ALTERNATIVE, COMBINATION = SAYS["en"]["alternative"], SAYS["en"]["combination"]


class Words:
    """Texts of an operator, each once, in one array of characters; a text is known by its place."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.size = 0

    def place(self, text: str) -> int:
        """Where a text is."""
        if text not in self.places:
            self.places[text] = self.size
            self.size += len(text.encode()) + 1
        return self.places[text]

    def lines(self, name: str) -> list[str]:
        """The array of that name: parts that end with a NUL, on lines of their own."""
        if not self.places:
            return []
        lines = [f"static const char {name}[] ="]
        for text in self.places:
            lines.append("    " + " ".join(literal for part in text.split("\0") for literal in _literals(part)))
        lines[-1] += ";"
        return [*lines, ""]


def _literals(part: str) -> list[str]:
    """A part with its NUL, in literals that fit a line."""
    room = ctext.WIDTH - 20
    pieces = [part] if len(part) <= room else textwrap.wrap(part, room, drop_whitespace=False, break_on_hyphens=False)
    return [ctext.string(piece) for piece in pieces[:-1]] + [ctext.string(pieces[-1])[:-1] + '\\0"']


class Explainer:
    """Words and cases of an operator's rules.

    Args:
        words: where the texts go.
    """

    def __init__(self, definition: Definition, words: Words) -> None:
        self.values = Values(definition)
        self.words = words
        self.terms = definition.terms
        self.first: list[int] = []  # by rule: the place of its words, or of its first part's
        self.head: list[str] = []  # derived values that some case reads
        self.cases: list[str] = []
        for number, rule in enumerate(definition.rules):
            self._rule(number, rule)

    def body(self) -> Body:
        """The body of the function; empty when no rule needs a case."""
        if not self.cases:
            return Body([], frozenset())
        body = [*self.head, "", "switch (rule) {", *self.cases, "default: break;", "}"]
        return Body([f"    {line}" if line else "" for line in body], self.values.reads | {"rule", "say"})

    def _rule(self, number: int, rule: RuleDef) -> None:
        check = rule.check
        guards = () if rule.when is None else (rule.when,)
        declarations: dict[str, str] = {}
        part = _Part(self, rule)
        emitter = self.values.emitter(declarations)
        lines = part.scenario(guards, emitter) if rule.alternatives else part.lines(check, guards, emitter)
        self.first.append(part.places[0])
        if part.is_case:
            self.cases += [f"case {number}: {{", *indented([*declarations.values(), *lines, "break;"]), "}"]

    def let(self, node: tree.Node) -> None:
        """See to it that the derived values that a node reads stand at the head."""
        self.head += self.values.lets_of(node)


class _Part:
    """Writes the statements that tell one rule's failed part."""

    def __init__(self, owner: Explainer, rule: RuleDef) -> None:
        self.owner = owner
        self.rule = rule
        self.places: list[int] = []
        self.is_case = False
        self.under = ""  # the alternative that a requirement belongs to
        self.names = NO_NAMES  # of the elements that the part is of

    def lines(self, node: tree.Node, guards: Guards, emitter: Emitter, at: At = ()) -> list[str]:
        """Statements for a part; as ``explain._step`` finds the next smaller one."""
        match node:
            case tree.Logic(op="and"):
                return self._conjunction(node, guards, emitter, at)
            case tree.If():
                return self._branches(node, guards, emitter, at)
            case tree.Given():
                return self.lines(node.operand, guards, emitter, at)
            case tree.Implies():
                return self.lines(node.then, (*guards, node.condition), emitter, at)
            case tree.Binder(quantifier="all"):
                return self._elements(node, guards, emitter, at)
            case tree.Choice():
                return self._row(node, guards, emitter, at)
        return self._words(node, guards, emitter, at)

    def scenario(self, guards: Guards, emitter: Emitter) -> list[str]:
        """What the nearest alternative lacks first; as ``explain._nearest`` finds it."""
        if len(self.rule.alternatives) == 1:
            return self._lacking(self.rule.alternatives[0], guards, emitter)
        inner = emitter.within()
        lacks = [self._lack(inner, item) for item in self.rule.alternatives]
        told = (self._lacking(item, guards, emitter.within()) for item in self.rule.alternatives)
        return [*inner.lines, *_switched(emitter.new_name("t"), "opspec_least", lacks, told)]

    def _lacking(self, item: Alternative, guards: Guards, emitter: Emitter) -> list[str]:
        """What a call lacks of an alternative first."""
        self.under = ALTERNATIVE.format(prose.authored(item.words, "en"))
        check = item.checks[0] if len(item.checks) == 1 else tree.Logic("and", item.checks, BOOL)
        return self.lines(check, guards, emitter)

    def _lack(self, emitter: Emitter, item: Alternative) -> str:
        """How much a call lacks of an alternative."""
        terms = []
        if item.when is not None:
            terms.append(f"({self._emitted(emitter, item.when)} == OPSPEC_TRUE ? 0 : {NOT_APPLICABLE})")
        for check in item.checks:
            if isinstance(check, tree.Choice):
                self.owner.let(check)
                misfits = clists.misfits(emitter, check)
                terms.append(f"opspec_bit_count({misfits.bits}[{misfits.nearest}])")
            else:
                terms.append(f"({self._emitted(emitter, check)} == OPSPEC_TRUE ? 0 : 1)")
        return " + ".join(terms)

    def _emitted(self, emitter: Emitter, node: tree.Node) -> str:
        self.owner.let(node)
        self.is_case = True
        return emitter.emit(node).text

    def _conjunction(self, node: tree.Logic, guards: Guards, emitter: Emitter, at: At) -> list[str]:
        inner = emitter.within()
        texts = [self._emitted(inner, item) for item in node.items]
        told = (self.lines(item, guards, emitter.within(), at) for item in node.items)
        return [*inner.lines, *_switched(emitter.new_name("t"), "opspec_first", texts, told)]

    def _branches(self, node: tree.If, guards: Guards, emitter: Emitter, at: At) -> list[str]:
        inner = emitter.within()
        text = self._emitted(inner, node.condition)
        name = emitter.new_name("t")
        opposite = prose.negated(node.condition)
        rest = guards if opposite is None else (*guards, opposite)
        lines = [*inner.lines, f"const int {name} = {text};", f"if ({name} == OPSPEC_TRUE) {{"]
        lines += indented(self.lines(node.then, (*guards, node.condition), emitter.within(), at))
        lines += ["} else {" if _is_defined(node.condition) else f"}} else if ({name} == OPSPEC_FALSE) {{"]
        lines += indented(self.lines(node.other, rest, emitter.within(), at))
        if not _is_defined(node.condition):
            lines += ["} else {", *indented(self._words(node, guards, emitter, at))]
        return [*lines, "}"]

    def _elements(self, node: tree.Binder, guards: Guards, emitter: Emitter, at: At) -> list[str]:
        """The first element that the statement is false for, or else the first that it is undefined for."""
        self.owner.let(node)
        bounds = {**emitter.bounds, **ranges.variable_bounds(node, emitter.bounds)}
        outer = emitter.within()
        loop = clists.loop(outer, node)
        inner = _bound(outer.within(), bounds, node)
        found = emitter.new_name("f")
        step: list[str] = []
        if node.condition is not None:
            condition = inner.emit(node.condition)
            step += [*inner.lines, f"if ({condition.text} == OPSPEC_FALSE)", "    continue;"]
            inner = _bound(outer.within(), bounds, node)
        value = self._emitted(inner, node.element)
        step += [*inner.lines, f"opspec_seek(&{found}, {loop.index}, {value});"]
        lines = [*outer.lines, f"opspec_sought {found} = {{0, 0}};"]
        lines += [loop.head.format(f" && {found}.outcome != OPSPEC_FAILED"), *indented([*loop.opening, *step]), "}"]
        kind, cast = ("opspec_int", "") if loop.itself else ("int64_t", "(int64_t)")
        outside, self.names = self.names, names(node, self.names, len(at) + 1)
        place = self._place(node, outside, at, loop.index)
        part = _bound(outer.trial(), bounds, node)
        told = self.lines(node.element, guards, part, (*at, place))
        emitter.reads |= part.reads
        self.names = outside
        unused = [f"(void){name};" for name in loop.variables if name not in part.reads]
        inside = [*loop.opening, *unused, *told]
        lines += [f"if ({found}.outcome != 0) {{", f"    const {kind} {loop.index} = {cast}{found}.place;"]
        lines += [f"    (void){loop.index};", *indented(inside), "}"]
        if _is_given(node.source):
            return lines
        return [*lines[:-1], "} else {", *indented(self._words(node, guards, emitter, at)), "}"]

    def _place(self, node: tree.Binder, outside: Names, at: At, index: str) -> str:
        """The statement that tells which element failed, and of which list, unless words name that themselves."""
        is_named = self.names.keys() >= {*node.variables} and not self._own
        name = None if is_named else list_name(node, self.rule.param, outside)
        if isinstance(node.source, tree.Range) and not at:
            return ""
        return f"opspec_say_at(say, {len(at) + 1}, {index}, {'NULL' if name is None else ctext.string(name)});"

    def _words(self, node: tree.Node, guards: Guards, emitter: Emitter, at: At) -> list[str]:
        """A part that explains itself: what is required, why, and the values that it reads."""
        required, letters = prose.lettered(named(node, self.names), "en", self.owner.terms)
        said = self._own
        shown = self._atoms(node, NO_LETTERS if said else letters)
        plain: list[str] = []
        while shown and _is_plain(next(iter(shown.values()))):
            plain.append(next(iter(shown)))
            del shown[plain[-1]]
        required = said or self.under + required
        reason = self._because(node, () if said else guards)
        text = "\0".join([required, reason, *plain, ""])
        place = self.owner.words.place(text)
        self.places.append(place)
        inner = emitter.within()
        values = [self._value(inner, atom, name) for name, atom in shown.items()]
        right = computed(node)
        values += [] if right is None else [self._value(inner, right, None)]
        told = [line for line in values if line]
        self.is_case = self.is_case or bool(told or any(at))
        return [*filter(None, at), f"opspec_say_words(say, {place});", *inner.lines, *told]

    @property
    def _own(self) -> str:
        return own_sentence(self.rule.say, bool(self.rule.alternatives), "en")

    def _atoms(self, node: tree.Node, letters: Mapping[str, str] = NO_LETTERS) -> dict[str, tree.Node]:
        """What a part reads, by its name; ``letters``: noun phrases for which the sentence before it has letters."""
        found: dict[str, tree.Node] = {}
        for atom in atoms(node, self.owner.terms):
            found.setdefault(atom_name(named(atom, self.names), self.owner.terms, "en", letters), atom)
        return found

    def _because(self, node: tree.Node, guards: Guards) -> str:
        given = [named(guard, self.names) for guard in guards]
        return because(named(node, self.names), given, "en", self.owner.terms)

    def _row(self, node: tree.Choice, guards: Guards, emitter: Emitter, at: At) -> list[str]:
        """The nearest row of a table, and what it lacks."""
        self.owner.let(node)
        self.is_case = True
        inner = emitter.within()
        misfits = clists.misfits(inner, node)
        words = self.owner.words
        names = words.place("\0".join([*(self._cell(column, frozenset())[0] for column in node.columns), ""]))
        cells = [
            str(words.place("any" if cell is None else self._cell(column, cell)[1]))
            for row in node.rows
            for column, cell in zip(node.columns, row, strict=True)
        ]
        lacked = emitter.new_name("t")
        table = emitter.new_name("t")
        reason = self._because(node, guards)
        introduced = words.place("\0".join([self.under or COMBINATION, reason, ""]))
        self.places.append(introduced)
        lines = [
            *inner.lines,
            f"static const uint32_t {table}[] = {{{', '.join(cells)}}};",
            f"const uint64_t {lacked} = {misfits.bits}[{misfits.nearest}];",
            *filter(None, at),
            f"opspec_say_words(say, {introduced});",
            f"opspec_say_must(say, {lacked}, {names}, {table} + {misfits.nearest} * {len(node.columns)});",
        ]
        for number, column in enumerate(node.columns):
            lines += [f"if ({lacked} >> {number} & 1) {{", *indented(self._in_column(column, emitter)), "}"]
        return lines

    def _cell(self, column: tree.Node, cell: frozenset[object]) -> tuple[str, str]:
        return cell_words(named(column, self.names), cell, "en", self.owner.terms)

    def _in_column(self, column: tree.Node, emitter: Emitter) -> list[str]:
        """Statements that show a column's value; of one that hangs on a null argument, that it is null."""
        inner = emitter.within()
        values = [line for name, atom in self._atoms(column).items() if (line := self._value(inner, atom, name))]
        lines = [*inner.lines, *values]
        root = tree.root(column)
        name = pointer_name(root) if isinstance(root, tree.Param) else None
        if name is None or not isinstance(root, tree.Param) or root.type in WHOLE:
            return lines
        null = f"opspec_found(say, {ctext.string(write(root))});"
        return [f"if ({inner.read(name)} == NULL) {{", f"    {null}", "} else {", *indented(lines), "}"]

    def _value(self, emitter: Emitter, node: tree.Node, name: str | None) -> str:
        """The statement that shows a value; empty for one that C has no form for."""
        quoted = "NULL" if name is None else ctext.string(name)
        if name is not None and _is_plain(node):
            return f"opspec_found(say, {quoted});"
        kind = INTS if isinstance(node, tree.Attr) and node.name == "strides" else node.type
        suffix = _suffix(kind)
        if suffix is None:
            return ""
        trial = emitter.trial()
        try:
            self.owner.let(node)
            code = trial.pointer(node) if kind == TENSOR else trial.emit(node, kind)
        except CannotExpress:
            return ""
        emitter.take(trial)
        return f"opspec_found_{suffix}(say, {quoted}, {code.text});"


def _switched(name: str, function: str, values: Sequence[str], told: Iterable[list[str]]) -> Iterator[str]:
    """Statements for the one of several values that a function of the run time chooses, told as they are taken."""
    yield f"const int {name} = {function}((const int[]){{{', '.join(values)}}}, {len(values)});"
    for number, lines in enumerate(told):
        test = f"if ({name} == {number}) " if number < len(values) - 1 else ""
        yield f"{'} else ' if number else ''}{test}{{"
        yield from indented(lines)
    yield "}"


def _bound(emitter: Emitter, bounds: dict[str, tuple[int, int]], node: tree.Binder) -> Emitter:
    """An emitter for an element of a comprehension."""
    own = frozenset(identifier("v_", name) for name in node.variables)
    emitter.bounds = bounds
    emitter.present = emitter.present - own
    return emitter


def _is_plain(atom: tree.Node) -> bool:
    """Whether a value is known by its name: of a param, an attribute of one, a list's length, the product."""
    match atom:
        case tree.Param() | tree.Product():
            return True
        case tree.Attr(base=tree.Param()):
            return True
        case tree.Length(operand=tree.Param()):
            return True
    return False


def _is_given(source: tree.Node) -> bool:
    """Whether a list is there where a rule over it is broken: it is an argument, or a tensor's shape."""
    return isinstance(source, tree.Param) or (isinstance(source, tree.Attr) and isinstance(source.base, tree.Param))


def _is_defined(condition: tree.Node) -> bool:
    """Whether a condition on which a rule hangs is defined where the rule is broken."""
    match condition:
        case tree.IsNone():
            return True
        case tree.Compare():
            return tree.on_products(condition) is not None
        case tree.Logic() | tree.Unary():
            return all(map(_is_defined, tree.children(condition)))
        case tree.Param():
            return condition.type == BOOL
    return False


def _suffix(kind: Type) -> str | None:
    """What the function that shows a value of a type is named after."""
    if kind in _SHOWN:
        return _SHOWN[kind]
    if kind.name != "list":
        return None
    if kind.item is None:
        return "ints"
    if kind.item.name == "list":
        return "lists" if kind.item.item in (INT, None) else None
    return None if kind.item not in _SHOWN else f"{_SHOWN[kind.item]}s"


def explained(definition: Definition) -> tuple[list[str], Body, list[int]]:
    """The array of words, the body of the function (empty when there is none), and by rule the place of its words.

    Raises:
        CannotExpress: as the rules themselves.
    """
    words = Words()
    explainer = Explainer(definition, words)
    return words.lines(ctext.own_name(definition.name, "words")), explainer.body(), explainer.first
