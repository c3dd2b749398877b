"""Frozen, slotted records, as ``dataclasses`` makes them but without its start-up cost.

A cold ``opspec check`` of an illegal call imports the language to explain it. ``dataclasses`` imports ``inspect`` and
compiles several methods per class: for the nodes of the tree alone that cost more than starting Python. Type checkers
see the standard ones in place of these.
"""

from __future__ import annotations

from _operator import attrgetter
from collections.abc import Callable

from opspec.later import typing

__all__ = ["field", "record", "replace"]

_MISSING: typing.Any = object()


class Field:
    """A field's default, its factory, and whether it counts when records are compared."""

    __slots__ = ("compare", "default", "default_factory")

    def __init__(
        self, default: typing.Any = _MISSING, default_factory: typing.Any = None, compare: bool = True
    ) -> None:
        self.default = default
        self.default_factory = default_factory
        self.compare = compare


def _field(*, default: typing.Any = _MISSING, default_factory: typing.Any = None, compare: bool = True) -> typing.Any:
    """As ``dataclasses.field``."""
    return Field(default, default_factory, compare)


def _record(*, frozen: bool = False, slots: bool = True) -> Callable[[type], type]:
    """As ``dataclasses.dataclass(frozen=…, slots=True)``."""

    def make(plain: type) -> type:
        names = tuple(plain.__annotations__)
        space = {name: value for name, value in vars(plain).items() if name not in (*names, "__dict__", "__weakref__")}
        space["__slots__"] = (*names, "_hashed") if frozen else names
        space["__match_args__"] = names
        space["_fields"] = {name: _own(vars(plain).get(name, _MISSING)) for name in names}
        space["_key"] = staticmethod(_key(tuple(name for name, own in space["_fields"].items() if own.compare)))
        space.update(__init__=_init, __eq__=_eq, __repr__=_repr, __hash__=_hash if frozen else None)
        if frozen:
            space["__setattr__"] = space["__delattr__"] = _refuse
        return type(plain)(plain.__name__, plain.__bases__, space)

    return make


def replace(instance: typing.Any, **changes: typing.Any) -> typing.Any:
    """As ``dataclasses.replace``."""
    fields = instance._fields
    if not changes.keys() <= fields.keys():
        raise TypeError(f"{type(instance).__name__} has {', '.join(fields)}")
    return type(instance)(*[changes[name] if name in changes else getattr(instance, name) for name in fields])


def _own(value: typing.Any) -> Field:
    return value if isinstance(value, Field) else Field(value)


def _init(self: typing.Any, *values: typing.Any, **named: typing.Any) -> None:
    """What makes the first record of a kind: from then on a method of its own does, which takes half the time."""
    kind = type(self)
    kind.__init__ = _compiled(kind)
    self.__init__(*values, **named)


def _compiled(kind: typing.Any) -> typing.Any:
    """The ``__init__`` of a kind of records."""
    space: dict[str, typing.Any] = {"__name__": kind.__module__, "_missing": _MISSING}
    taken, lines = [], []
    for name, own in kind._fields.items():
        space[f"_put_{name}"] = getattr(kind, name).__set__
        space[f"_of_{name}"] = own.default_factory or own.default
        made = own.default_factory is not None
        is_needed = not made and own.default is _MISSING
        taken.append(name if is_needed else f"{name}={'_missing' if made else f'_of_{name}'}")
        value = f"_of_{name}() if {name} is _missing else {name}" if made else name
        lines.append(f"    _put_{name}(_self, {value})\n")
    if "_hashed" in kind.__slots__:
        space["_put__hashed"] = kind._hashed.__set__
        lines.append("    _put__hashed(_self, None)\n")
    exec(f"def __init__(_self, {', '.join(taken)}):\n{''.join(lines) or '    pass'}", space)  # noqa: S102
    space["__init__"].__qualname__ = f"{kind.__qualname__}.__init__"
    return space["__init__"]


_set = object.__setattr__


def _key(names: tuple[str, ...]) -> Callable[[typing.Any], typing.Any]:
    """What records are compared by."""
    return attrgetter(*names) if names else lambda record: ()


def _eq(self: typing.Any, other: typing.Any) -> typing.Any:
    if self is other:
        return True
    if type(other) is not type(self):
        return NotImplemented
    key = self._key
    return key(self) == key(other)


def _hash(self: typing.Any) -> int:
    """Found once: trees are deep, and stand in tables by the thousand."""
    found: int | None = self._hashed
    if found is None:
        found = hash((type(self).__name__, self._key(self)))
        _set(self, "_hashed", found)
    return found


def _repr(self: typing.Any) -> str:
    return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._fields)})"


def _refuse(self: typing.Any, name: str, value: typing.Any = None) -> None:
    raise AttributeError(f"a {type(self).__name__} does not change: {name}")


TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass as record
    from dataclasses import field
else:
    record, field = _record, _field
