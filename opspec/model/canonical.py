"""The canonical form of a spec file: keys in the model's order, expressions quoted, one block style."""

from __future__ import annotations

from typing import Any

from opspec.model import spec as model
from opspec.model.load import validated
from opspec.yamltext import read, write

_EXPRESSIONS = frozenset({"check", "when", "used_when", "shape", "is", "columns"})
_FLOW_PARENTS = frozenset({
    "about", "changes", "dtype", "format", "optional", "range", "enum", "rules", "returns", "clauses", "early_success",
    "products", "deterministic", "title", "args", "columns", "shapes", "is", "rename", "scalar", "layouts",
})  # fmt: skip


def canonical(text: str | bytes, name: str) -> str:
    """The canonical text of a spec; comments survive.

    Raises:
        OpspecError: the text is no spec.
    """
    document = read(text, name)
    validated(document)
    value = _ordered(document.value, ())
    return write(value, document.comments, quote=_is_expression, flow=_in_flow)


def _ordered(value: Any, path: tuple[str | int, ...]) -> Any:
    if isinstance(value, dict):
        order = _order(path)
        keys = sorted(value, key=lambda key: order.index(key) if key in order else len(order))
        return {key: _ordered(value[key], (*path, key)) for key in keys}
    if isinstance(value, list):
        return [_ordered(item, (*path, i)) for i, item in enumerate(value)]
    return value


def _order(path: tuple[str | int, ...]) -> list[str]:
    """The canonical order of the keys of a mapping at this path; empty where the author's order means something."""
    owners: dict[str, type[model.Model]] = {
        "params": model.Param, "returns": model.ReturnRow, "clauses": model.Clause, "early_success": model.EarlySuccess,
        "changes": model.Change, "alternatives": model.Alternative, "formula": model.Formula,
        "conflicts": model.Conflict, "helpers": model.Helper,
    }  # fmt: skip
    if not path:
        owner: type[model.Model] | None = model.Spec
    elif isinstance(path[-1], int):
        owner = owners.get(str(path[-2]))
    elif path[-1] == "twin":
        owner = model.Twin
    elif len(path) >= 2 and path[-2] in ("rules", "scenarios"):
        owner = model.Rule if path[-2] == "rules" else model.Scenario
    else:
        owner = (
            model.Bilingual
            if path[-1] in ("summary", "about", "title", "why", "partial", "evidence", "resolution")
            else None
        )
    return [] if owner is None else [field.alias or name for name, field in owner.model_fields.items()]


def _is_expression(path: tuple[str | int, ...], text: str) -> bool:
    names = [part for part in path if isinstance(part, str) and part != "helpers"]
    if not names or "example" in names:
        return False
    if names[0] in ("let", "layouts", "results") and names[-1] != "on":
        return True
    return (
        names[-1] in _EXPRESSIONS
        or "columns" in names
        or "shapes" in names
        or (len(names) == 2 and names[0] == "rules")
    )


def _in_flow(path: tuple[str | int, ...], value: object) -> bool:
    """Small mappings that read best on a line of their own."""
    names = [part for part in path if isinstance(part, str)]
    if not names or names[-1] in ("args",) or (len(path) == 1 and names[0] not in ("products",)):
        return False
    return any(part in _FLOW_PARENTS for part in names) or "example" in names
