"""The tables of the vocabulary in C: dtypes, formats, products, promotion; written from its data."""

from __future__ import annotations

import functools
from collections.abc import Callable

from opspec.codegen import ctext
from opspec.codegen.lines import wrapped
from opspec.codegen.rules import limits
from opspec.codegen.rules.cvalues import dtype_name, format_name, product_name, status_name
from opspec.codegen.stubs.render import render
from opspec.language.functions import FUNCTIONS, Function
from opspec.language.types import FORMAT
from opspec.vocabulary import dtypes, formats, groups, products, promotion, status

HEADER = "opspec_vocabulary.h"
SOURCE = "opspec_vocabulary.c"


def header() -> str:
    """``opspec_vocabulary.h``."""
    return render(
        "rules/opspec_vocabulary.h.j2",
        limits=limits.lines(),
        dtypes=[(dtype_name(name), dtypes.number(name)) for name in dtypes.names()],
        dtypes_end=max(map(dtypes.number, dtypes.names())) + 1,
        formats=[(format_name(name), formats.number(name)) for name in formats.names()],
        products=[(product_name(name), number) for name, number in product_numbers().items()],
        statuses=[(status_name(name), status.number(name)) for name in status.names()],
        sets=[line for row in FUNCTIONS.values() if row.c_set for line in _set(row)],
        spellings=len(_spellings()),
    )


def source() -> str:
    """``opspec_vocabulary.c``."""
    by_number = {dtypes.number(name): name for name in dtypes.names()}
    order = [by_number.get(number) for number in range(max(by_number) + 1)]
    forms = [(form, product_numbers()[member or product]) for form, product, member in products.soc_forms()]
    named = (
        ("opspec_dtype_names", "", [(name, dtypes.number(name)) for name in dtypes.names()]),
        ("opspec_format_names", "", [(name, formats.number(name)) for name in formats.names()]),
        ("opspec_product_names", "", product_numbers().items()),
        ("opspec_status_names", "", [(name, status.number(name)) for name in status.names()]),
        ("opspec_product_spellings", "OPSPEC_SPELLINGS", _spellings()),
        ("opspec_soc_forms", "", forms),
    )
    return render(
        "rules/opspec_vocabulary.c.j2",
        matrices=[
            ("opspec_promotion", _matrix(order, promotion.promote)),
            ("opspec_scalar_promotion", _matrix(order, promotion.promote_scalar)),
        ],
        conversions=[hex(_converted(name)) for name in order],
        widths=wrapped("    " + ", ".join(str((name and dtypes.bits(name)) or 0) for name in order)),
        members=map(_members, product_numbers()),
        owners=[product_name(products.owner(name)) for name in product_numbers()],
        devices=[products.devices(products.owner(name)) for name in product_numbers()],
        groups=", ".join(map(ctext.string, groups.PARAMS)),
        named=[(name, count, [(ctext.string(text), number) for text, number in rows]) for name, count, rows in named],
    )


def _converted(name: str | None) -> int:
    """The dtypes that one converts to, as bits."""
    return sum(1 << dtypes.number(other) for other in dtypes.names() if name and promotion.castable(name, other))


@functools.cache
def product_numbers() -> dict[str, int]:
    """Product id or member -> its number in C: ids from 1, members behind them."""
    members = [member for name in products.ids() for member in products.members(name)]
    return {name: number for number, name in enumerate((*products.ids(), *members), 1)}


def _spellings() -> list[tuple[str, int]]:
    """Folded spellings of products in the order of their bytes."""
    found = [(name, product_numbers()[member or owner]) for name, (owner, member) in products.aliases().items()]
    return sorted(found, key=lambda row: row[0].encode())


def _bits(names: list[str]) -> str:
    return " | ".join(f"OPSPEC_BIT({name})" for name in names)


def _members(name: str) -> str:
    members = products.members(name) if name in products.ids() else ()
    return _bits([product_name(member) for member in members]) or "0"


def _set(row: Function) -> list[str]:
    """The dtypes or formats that a function is true of."""
    known = [(name, dtype_name(name)) for name in dtypes.names()]
    if row.takes == (FORMAT,):
        known = [(name, format_name(name)) for name in formats.names()]
    found = [form for name, form in known if row.python(name)]
    lines = wrapped(f"#define {row.c_set} ({_bits(found) or 'UINT64_C(0)'})", 2)
    return [*(f"{line} \\" for line in lines[:-1]), lines[-1]]


def _matrix(order: list[str | None], function: Callable[[str, str], str | None]) -> list[str]:
    rows = []
    for a in order:
        found = [function(a, b) if a and b else None for b in order]
        cells = ("-1" if name is None else str(dtypes.number(name)) for name in found)
        rows += wrapped(f"    {{{', '.join(cells)}}},")
    return rows
