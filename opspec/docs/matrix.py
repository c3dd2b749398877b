"""Which params of which operators take which dtypes and formats on which products."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from opspec.model.produced import overwritten_on
from opspec.model.sets import formats_on
from opspec.model.spec import Param, Spec
from opspec.model.stated import common, stated
from opspec.registry.folders import Entry
from opspec.registry.registry import spec_of


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


@dataclass(frozen=True, slots=True)
class Line:
    """Params of an operator that take the same on the same products."""

    op: str
    release: str
    params: tuple[str, ...]
    products: tuple[str, ...]
    support: str
    members: tuple[str, ...]


def rows(entries: Iterable[Entry], only: tuple[str, ...] = ()) -> Iterator[Row]:
    """A row per operator, product and tensor param; on an unsupported product without dtypes.

    Args:
        only: product ids to look at; all that the spec names when empty.
    """
    for entry in entries:
        yield from rows_of(entry.operator, spec_of(entry), only)


def rows_of(operator: str, spec: Spec, only: tuple[str, ...] = ()) -> Iterator[Row]:
    """The rows of one operator whose spec is read already."""
    tensors = _tensors(operator, spec)
    for product, support in spec.products.items():
        if not only or product in only:
            yield from _params(operator, spec, tensors, product, support)


def lines(found: Iterable[Row], cells: str) -> list[Line]:
    """Rows with those together that say the same, in their order.

    Args:
        cells: ``dtypes`` or ``formats``, whichever are compared; ``support`` compares neither, and names no params.
    """
    by_param: dict[tuple[str, str, str, tuple[str, ...]], dict[str, list[str]]] = {}
    for row in found:
        members: tuple[str, ...] = () if cells == "support" or row.support == "no" else getattr(row, cells)
        key = (row.op, row.release, row.support, members)
        param = "" if cells == "support" or row.support == "no" else row.param
        named = by_param.setdefault(key, {}).setdefault(param, [])
        if row.product not in named:
            named.append(row.product)
    made: list[Line] = []
    for (op, release, support, members), params in by_param.items():
        by_products: dict[tuple[str, ...], list[str]] = {}
        for param, products in params.items():
            by_products.setdefault(tuple(products), []).append(param)
        for on, names in by_products.items():
            made.append(Line(op, release, tuple(filter(None, names)), on, support, members))
    order = {op: i for i, op in enumerate(dict.fromkeys((line.op, line.release) for line in made))}
    return sorted(made, key=lambda line: order[line.op, line.release])


def _params(
    operator: str, spec: Spec, tensors: Mapping[str, tuple[Param, ...]], product: str, support: str
) -> Iterator[Row]:
    for name, merged in tensors.items():
        taken: tuple[str, ...] = ()
        laid: tuple[str, ...] = ()
        if support != "no":
            taken = common([members.all for members in overwritten_on(spec, merged, product)])
            laid = common([formats_on(spec, param, product).all for param in merged])
        io = merged[0].io if len(merged) == 1 else "inout"
        yield Row(operator, spec.release, product, support, name, io, taken, laid)


def _tensors(operator: str, spec: Spec) -> dict[str, tuple[Param, ...]]:
    """Tensor params by the names that the operator knows them by."""
    return {name: own for name, own in stated(spec, operator).items() if own[0].is_tensor}
