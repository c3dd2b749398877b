"""Modules that are loaded when something of them is asked for: for annotations, which nobody reads in a usual run.

``typing`` takes longer to load than a call takes to judge, and what explains a verdict longer still. A module that a
check loads names their types as ``typing.Any`` or ``explain.Explanation``, of a module that is loaded later;
``typing.get_type_hints`` finds them there. Type checkers see the module itself::

    if TYPE_CHECKING:
        from opspec.validator import explain
    else:
        explain = later("opspec.validator.explain")
"""

from __future__ import annotations

__all__ = ["later", "pattern", "typing"]


class Later:
    """Stands for a module."""

    __slots__ = ("_module", "_name")

    def __init__(self, name: str) -> None:
        self._name = name
        self._module: object = None

    def __getattr__(self, name: str) -> object:
        if self._module is None:
            from importlib import import_module

            self._module = import_module(self._name)
        return getattr(self._module, name)


def later(name: str) -> Later:
    """What stands for the module of that name until something of it is asked for."""
    return Later(name)


class Pattern:
    """A regular expression that is compiled when it is first used. Type checkers see ``re.compile`` in its place.

    Loading ``re`` and compiling those of sentences takes 4 ms, a sixth of a cold check, and few sentences need one.
    """

    __slots__ = ("_compiled", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._compiled: object = None

    def __getattr__(self, name: str) -> object:
        if self._compiled is None:
            import re

            self._compiled = re.compile(self._text)
        return getattr(self._compiled, name)


TYPE_CHECKING = False
if TYPE_CHECKING:
    import typing
    from re import compile as pattern
else:
    typing, pattern = later("typing"), Pattern
