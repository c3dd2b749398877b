"""Which operators take which dtypes and formats on which products."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opspec.model.defaults import spelled_dtype
from opspec.model.sets import dtypes_on, formats_on
from opspec.model.spec import Param, Spec, TwinParam
from opspec.registry.folders import Entry
from opspec.registry.registry import spec_of

TENSORS = ("aclTensor*", "aclTensorList*")


@dataclass(frozen=True, slots=True)
class Row:
    """One tensor param of an operator on one product."""

    op: str
    release: str
    product: str
    support: str
    param: str
    io: str
    dtypes: tuple[str, ...]
    formats: tuple[str, ...]


def rows(entries: Iterable[Entry], only: tuple[str, ...] = ()) -> Iterator[Row]:
    """A row per operator, product and tensor param; on an unsupported product without dtypes.

    Args:
        only: product ids to look at; all that the spec names when empty.
    """
    for entry in entries:
        spec = spec_of(entry)
        for product, support in spec.products.items():
            if not only or product in only:
                yield from _params(entry, spec, product, support)


def _params(entry: Entry, spec: Spec, product: str, support: str) -> Iterator[Row]:
    for name, merged in _tensors(entry, spec).items():
        taken: tuple[str, ...] = ()
        laid: tuple[str, ...] = ()
        if support != "no":
            taken = _common([dtypes_on(spec, param, product).all for param in merged])
            laid = _common([formats_on(spec, param, product).all for param in merged])
        io = merged[0].io if len(merged) == 1 else "inout"
        yield Row(entry.operator, entry.release, product, support, name, io, taken, laid)


def _tensors(entry: Entry, spec: Spec) -> dict[str, list[Param]]:
    """Tensor params by the names that the operator knows them by; of a twin, one may be two of the spec's."""
    twin = spec.twin if spec.twin is not None and spec.twin.operator == entry.operator else None
    renamed = {} if twin is None else twin.rename
    own = {} if twin is None else {param.name: _said(param, spec) for param in twin.params}
    found: dict[str, list[Param]] = {}
    for param in spec.params:
        if param.ctype.removeprefix("const ") in TENSORS:
            name = renamed.get(param.name, param.name)
            found.setdefault(name, []).append(param.model_copy(update=own.get(name, {})))
    return found


def _said(param: TwinParam, spec: Spec) -> dict[str, object]:
    """What a twin's own table says of a param, in place of what the first operator's does."""
    said: dict[str, object] = {} if param.dtype is None else {"dtype": spelled_dtype(param.dtype, spec)}
    return said if param.format is None else {**said, "format": param.format}


def _common(sets: list[tuple[str, ...]]) -> tuple[str, ...]:
    """What all sets have, in the first one's order; an empty set says nothing."""
    said = [names for names in sets if names]
    return tuple(name for name in said[0] if all(name in names for names in said)) if said else ()
