"""The names that a spec's expressions may use: params, and derived values as they are first read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from typing import TypeAlias

from opspec.errors import SpecError
from opspec.language import build, parse, tree
from opspec.language.types import BOOL, Type
from opspec.model.definition import ParamDef
from opspec.model.draft import Path
from opspec.model.faults import Faults, placed

#: a derived value: its text, its tree, or what makes its tree
Derived: TypeAlias = "str | tree.Node | Callable[[Names], tree.Node]"


class Names:
    """The names of one spec.

    Args:
        lets: the derived values; one may read others, wherever they stand.
        paths: where in the spec each of them stems from.
    """

    def __init__(self, params: Iterable[ParamDef], lets: Mapping[str, Derived], paths: Mapping[str, Path]) -> None:
        self._lets = lets
        self._paths = paths
        self._trees: dict[str, tree.Node] = {}
        self._failed: dict[str, SpecError] = {}
        self._open: list[str] = []
        self._scope = parse.Scope(
            {param.name: (param.type, param.nullable and param.pointer) for param in params},
            lambda name: self.let(name) if name in self._lets else None,
            tuple(lets),
            {},
        )

    def param(self, name: str) -> tree.Param:
        """A param as expressions read it."""
        kind, nullable = self._scope.params[name]
        return tree.Param(name, kind, nullable)

    def read(self, text: str, expected: Type | None = None) -> tree.Node:
        """The tree of an expression.

        Raises:
            SpecError: it is none, or of another type; its place is for the caller to say (:func:`placed`).
        """
        return parse.parse(text, self._scope, expected)

    def typed(self, text: str, path: Path, expected: Type | None = None) -> tree.Node:
        """The tree of an expression at this place of the spec."""
        with placed(path):
            return self.read(text, expected)

    def bounded(self, node: tree.Node, path: Path) -> tree.Node:
        """A tree that was built for this place of the spec, and costs no more than a text there may."""
        with placed(path):
            return parse.bounded(node, self._scope)

    def condition(self, on: Sequence[str], when: str | None) -> tree.Node | None:
        """That the product is one of some and a condition holds; None where neither is said."""
        parts: list[tree.Node] = [build.on_products(on)] if on else []
        parts += [self.read(when, BOOL)] if when else []
        return build.all_of(parts) if parts else None

    def variable(self, name: str) -> str:
        """A name like this one for a variable, which hides no param and no derived value."""
        while name in self._scope.params or name in self._lets:
            name += "_"
        return name

    def lets(self, faults: Faults | None = None) -> dict[str, tree.Node]:
        """All derived values, in the order in which the spec has them.

        Args:
            faults: keeps the faults of those that cannot be read, which are left out.
        """
        for name, path in self._paths.items():
            if faults is None:
                with placed(path):
                    self.let(name)
            elif name not in self._failed:
                with suppress(SpecError):
                    self.let(name)
        if faults is not None:
            self._tell(faults)
        return {name: self._trees[name] for name in self._lets if name in self._trees}

    def let(self, name: str) -> tree.Node:
        """A derived value.

        Raises:
            SpecError: it reads itself, or is no expression.
        """
        if name in self._failed:
            raise copy(self._failed[name])
        if name not in self._trees:
            if name in self._open:
                cycle = " -> ".join([*self._open[self._open.index(name) :], name])
                raise SpecError(f"derived values go round in a circle: {cycle}")
            self._open.append(name)
            try:
                self._trees[name] = self._made(self._lets[name])
            except SpecError as error:
                self._failed[name] = error
                raise
            finally:
                self._open.pop()
        return self._trees[name]

    def _tell(self, faults: Faults) -> None:
        """Of the derived values that cannot be read, those that are themselves at fault; of a circle its first."""
        failed = [name for name in self._paths if name in self._failed]
        for name in [name for name in failed if not self._failed[name].let] or failed[:1]:
            with faults.placed(self._paths[name]):
                error = copy(self._failed[name])
                error.let = ""
                raise error

    def _made(self, derived: Derived) -> tree.Node:
        if isinstance(derived, str):
            return self.read(derived)
        return parse.bounded(derived(self), self._scope) if callable(derived) else derived
