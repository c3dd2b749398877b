"""The derived values of an operator in a C function: each once, before what first reads it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from opspec.codegen import ctext
from opspec.codegen.rules.c import Emitter, needed
from opspec.codegen.rules.cvalues import form_of, identifier
from opspec.language import tree
from opspec.language.text import write
from opspec.model.definition import Definition


class Values:
    """The derived values that stand in a function so far, and emitters for what reads them."""

    def __init__(self, definition: Definition, present: frozenset[str] = frozenset()) -> None:
        """Args: present: C names of pointers that are known not to be null all over the function."""
        self.definition = definition
        self.present = present
        self.lets: dict[str, bool] = {}
        self.numbers = itertools.count(1)
        self.reads: set[str] = set()  # what the statements of the function read; see Context

    def emitter(self, declarations: dict[str, str], present: Iterable[str] = ()) -> Emitter:
        """An emitter of expressions; see there."""
        there = self.present | frozenset(present)
        return Emitter(self.lets, there, declarations, numbers=self.numbers, reads=self.reads)

    def lets_of(self, *nodes: tree.Node) -> list[str]:
        """Statements for the derived values that these trees read and that do not stand there yet."""
        lines: list[str] = []
        for name in self.definition.let_order(nodes):
            if name not in self.lets:
                lines += self._let(name, self.definition.lets[name])
        return lines

    def _let(self, name: str, node: tree.Node) -> list[str]:
        """A derived value; undefined for want of an argument when it cannot do without one that is null."""
        there = [pointer for pointer in needed(node) if pointer not in self.present]
        declarations: dict[str, str] = {}
        emitter = self.emitter(declarations, there)
        code = emitter.emit(node)
        form = form_of(node.type)
        own = identifier("L_", name)
        self.lets[name] = code.sure and not there
        head = ["", *comment(f"{name} = {write(node)}"), *declarations.values()]
        if not there:
            return [*head, *emitter.lines, f"const {form.ctype} {own} = {code.text};"]
        self.reads.update(there)
        absent = form.undefined.format("OPSPEC_ABSENT")
        guard = " && ".join(f"{pointer} != NULL" for pointer in there)
        if not emitter.lines:
            cast = "(opspec_int)" if form.ctype == "opspec_int" else ""
            return [*head, f"const {form.ctype} {own} = {guard} ? {cast}{code.text} : {absent};"]
        inner = [f"    {line}" for line in [*emitter.lines, f"{own} = {code.text};"]]
        return [*head, f"{form.ctype} {own} = {absent};", f"if ({guard}) {{", *inner, "}"]


def comment(text: str) -> list[str]:
    """The lines of a comment inside a function."""
    return ctext.comment(text, 4).replace("\n    ", "\n").split("\n")
