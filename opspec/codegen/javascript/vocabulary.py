"""The tables that the library of rules looks up, as a script."""

from __future__ import annotations

from types import ModuleType

from opspec.codegen.javascript.jstext import data
from opspec.language import runtime
from opspec.vocabulary import dtypes, formats, products, promotion


def vocabulary() -> str:
    """``opspec.vocabulary``: what ``opspec/web/rules/library.js`` reads."""
    names = dtypes.names()
    tables: dict[str, object] = {
        "mostInRange": runtime.MAX_RANGE,
        "bits": {name: dtypes.bits(name) for name in names},
        "kinds": {name: dtypes.kind(name) for name in names},
        "formats": list(formats.names()),
        "privateFormats": [name for name in formats.names() if formats.is_private(name)],
        "spelled": {"dtype": _spelled(dtypes), "format": _spelled(formats)},
        "members": {product: products.members(product) for product in products.ids()},
        "tensorTensor": {row: _row(promotion.promote, row) for row in names},
        "tensorScalar": {
            row: _row(lambda scalar, tensor: promotion.promote_scalar(tensor, scalar), row) for row in names
        },
        "reach": {source: [target for target in names if promotion.castable(source, target)] for source in names},
    }
    return f'"use strict";\n\nopspec.vocabulary = {data(tables)};\n'


def _spelled(table: ModuleType) -> dict[str, str]:
    """Each other spelling in lower case, and each number, with the name that it is of."""
    return {**table.aliases(), **{str(table.number(name)): name for name in table.names()}}


def _row(function: object, row: str) -> dict[str, str]:
    assert callable(function)
    found = {column: function(row, column) for column in dtypes.names()}
    return {column: cell for column, cell in found.items() if cell is not None}
