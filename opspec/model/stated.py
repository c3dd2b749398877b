"""The params of an operator as its spec states them, by the names that the operator knows them by."""

from __future__ import annotations

from opspec.model.defaults import spelled_dtype
from opspec.model.definition import Definition
from opspec.model.spec import Param, Spec, TwinParam


def stated(spec: Spec, operator: str) -> dict[str, tuple[Param, ...]]:
    """Name -> the param; of a twin, one may be two of the spec's."""
    twin = spec.twin if spec.twin is not None and spec.twin.operator == operator else None
    renamed = {} if twin is None else twin.rename
    own = {} if twin is None else {param.name: _said(param, spec) for param in twin.params}
    found: dict[str, tuple[Param, ...]] = {}
    for param in spec.params:
        name = renamed.get(param.name, param.name)
        found[name] = (*found.get(name, ()), param.model_copy(update=own.get(name, {})))
    return found


def stated_of(definition: Definition) -> dict[str, tuple[Param, ...]]:
    """The same of the operator of a definition."""
    return definition.once(_stated)


def _stated(definition: Definition) -> dict[str, tuple[Param, ...]]:
    return stated(definition.spec, definition.name)


def common(sets: list[tuple[str, ...]]) -> tuple[str, ...]:
    """What all sets have, in the first one's order; an empty set says nothing."""
    said = [names for names in sets if names]
    return tuple(name for name in said[0] if all(name in names for names in said)) if said else ()


def _said(param: TwinParam, spec: Spec) -> dict[str, object]:
    """What a twin's own table says of a param, in place of what the first operator's does."""
    said: dict[str, object] = {} if param.dtype is None else {"dtype": spelled_dtype(param.dtype, spec)}
    if param.rank is not None:
        said["rank"] = param.rank
    return said if param.format is None else {**said, "format": param.format}
