"""Where a C expression is written: the statements in front of it, the names that it may use, and what it reads."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import TypeVar

from opspec.codegen.rules.cvalues import Code, declared
from opspec.language import tree
from opspec.language.types import Type

C = TypeVar("C", bound="Context")


@dataclass(frozen=True, slots=True)
class Body:
    """The statements of a function.

    Args:
        reads: names that they read: arguments of the call (``p_x``, ``s_x``), and parameters of the function.
    """

    lines: list[str]
    reads: Set[str]


@dataclass(slots=True)
class Context(ABC):
    """The context in which expressions are emitted.

    Args:
        lets: derived value -> whether it is surely defined.
        present: C names of pointers known not to be null here.
        declarations: buffers and constants by name; they have to outlive the statement that the expression is part of.
        lines: statements in front of the expression.
        numbers: for the names of temporaries.
        reads: names that expressions and statements read: arguments, variables, buffers, constants, ``call``.
    """

    lets: Mapping[str, bool] = field(default_factory=dict)
    present: frozenset[str] = frozenset()
    declarations: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    bounds: dict[str, tuple[int, int]] = field(default_factory=dict)
    reads: set[str] = field(default_factory=set)

    @abstractmethod
    def emit(self, node: tree.Node, kind: Type | None = None) -> Code:
        """The C form of a tree, as a value of its own type or of another that it fits.

        Raises:
            CannotExpress: there is none.
        """

    @abstractmethod
    def pointer(self, node: tree.Node) -> Code:
        """A pointer to a tensor or scalar; sure when it is known not to be null."""

    def within(self: C, present: frozenset[str] = frozenset()) -> C:
        """A context for a part that may be left out, with statements of its own."""
        return replace(self, present=self.present | present, lines=[])

    def trial(self: C) -> C:
        """A context for what may not be taken: what it reads counts only once it is (:meth:`take`)."""
        return replace(self, lines=[], reads=set())

    def take(self, tried: Context) -> None:
        """Put what was emitted on trial in front."""
        self.lines += tried.lines
        self.reads |= tried.reads

    def read(self, name: str) -> str:
        """A name that stands in an expression."""
        self.reads.add(name)
        return name

    def new_name(self, prefix: str) -> str:
        """A name that nothing else has."""
        return f"{prefix}{next(self.numbers)}"

    def keep(self, code: Code, ctype: str) -> str:
        """A name for a value that is used more than once."""
        if code.text.replace("_", "").isalnum():
            return code.text
        name = self.new_name("t")
        self.lines.append(f"{declared(f'const {ctype}', name)} = {code.text};")
        return name

    def buffer(self, item: str, size: int | str) -> str:
        """Room for the elements of a list."""
        name = self.read(self.new_name("b"))
        self.declarations[name] = f"{declared(item, name)}[{size}];"
        return name

    def constant(self, item: str, items: list[str]) -> str:
        """A list of constants; equal ones are one."""
        form = f"static const {item} {{}}[] = {{{{{', '.join(items)}}}}};"
        for known, line in self.declarations.items():
            if line == form.format(known):
                return self.read(known)
        name = self.read(self.new_name("k"))
        self.declarations[name] = form.format(name)
        return name

    def fixed(self, item: str, texts: list[str]) -> str:
        """A list of constants as an expression."""
        return f"opspec_list({self.constant(item, texts)}, {len(texts)})"
