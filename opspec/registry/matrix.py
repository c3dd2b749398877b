"""Which operators take which dtypes and formats on which products."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opspec.registry.folders import Entry
from opspec.registry.registry import spec_of
from opspec.spec.model import Spec
from opspec.spec.sets import dtypes_on, formats_on

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
    renamed = spec.twin.rename if spec.twin is not None and spec.twin.operator == entry.operator else {}
    seen: set[str] = set()
    for param in spec.params:
        name = renamed.get(param.name, param.name)
        if param.ctype.removeprefix("const ") in TENSORS and name not in seen:
            seen.add(name)
            taken, laid = (dtypes_on(spec, param, product).all, formats_on(spec, param, product).all)
            none: tuple[str, ...] = ()
            supported = support != "no"
            yield Row(
                entry.operator, entry.release, product, support, name, param.io,
                taken if supported else none, laid if supported else none,
            )  # fmt: skip
