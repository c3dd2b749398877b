"""From a file to definitions: text, model, expansion; every fault becomes ``file:line:column: message``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from opspec.errors import OpspecError, did_you_mean, shown
from opspec.model import spec as model
from opspec.model.definition import Definition
from opspec.model.expand import SpecError, define
from opspec.model.spec import Spec
from opspec.model.twin import twin_of
from opspec.yamltext import Document, locate, read, read_file


@dataclass(frozen=True, slots=True)
class Loaded:
    """A spec file, read: its text's tree and places, its model, and the definitions of its operators."""

    document: Document
    spec: Spec
    definitions: tuple[Definition, ...]

    def where(self, path: tuple[str | int, ...], column: int = 0) -> str:
        """``file:line:column`` of a place in the spec."""
        return _where(self.document, path, column)


def load_file(path: str) -> Loaded:
    """Read a spec file.

    Raises:
        OpspecError: the file cannot be read, is no YAML, does not fit the model, or means nothing; all its faults
            that one pass can find are in the message, one a line.
    """
    return _load(read_file(path))


def load_text(text: str | bytes, name: str = "spec") -> Loaded:
    """Read a spec from text; see :func:`load_file`."""
    return _load(read(text, name))


def _load(document: Document) -> Loaded:
    spec = validated(document)
    try:
        first = define(spec)
        second = twin_of(first)
    except SpecError as error:
        raise OpspecError(error.message, where=_where(document, error.path, error.column)) from None
    return Loaded(document, spec, (first,) if second is None else (first, second))


def validated(document: Document) -> Spec:
    """The model of a document.

    Raises:
        OpspecError: one line per fault.
    """
    if not isinstance(document.value, dict):
        raise OpspecError("a spec is a mapping with 'operator', 'release', 'params' …", where=_where(document, ()))
    try:
        return Spec.model_validate(document.value)
    except ValidationError as error:
        faults = [_fault(document, item) for item in error.errors()]
        best = list(dict.fromkeys(faults))[:20]
        raise OpspecError("\n".join(best)) from None


def _where(document: Document, path: tuple[str | int, ...], column: int = 0) -> str:
    place = locate(document, path)
    return f"{document.name}:{place.line}:{place.column + column}"


def _fault(document: Document, item: Any) -> str:
    path = tuple(part for part in item["loc"])
    kind, message = item["type"], item["msg"]
    if kind == "extra_forbidden":
        key = str(path[-1])
        place = locate(document, path, key=True)
        known = _fields_at(path[:-1])
        return f"{document.name}:{place.line}:{place.column}: unknown key {shown(key)}{did_you_mean(key, known)}"
    if kind == "missing":
        return f"{_where(document, path[:-1])}: a required key is missing: {path[-1]!r}"
    text = message.removeprefix("Value error, ")
    if "pattern" in item.get("ctx", {}):
        text = f"{shown(item['input'])} is not of the form {item['ctx']['pattern']}"
    elif kind == "literal_error":
        text = f"expected {item['ctx']['expected']}, found {shown(item['input'])}"
    return f"{_where(document, path)}: {text}"


def _fields_at(path: tuple[str | int, ...]) -> list[str]:
    """Keys that the model allows at a path, for suggestions."""
    owners: dict[str, type[model.Model]] = {
        "params": model.Param, "rules": model.Rule, "scenarios": model.Scenario, "alternatives": model.Alternative,
        "clauses": model.Clause, "returns": model.ReturnRow, "early_success": model.EarlySuccess, "twin": model.Twin,
        "changes": model.Change, "helpers": model.Helper, "table": model.TableSpec, "conflicts": model.Conflict,
    }  # fmt: skip
    for part in reversed(path):
        if part in owners:
            return [field.alias or name for name, field in owners[str(part)].model_fields.items()]
    return list(Spec.model_fields)
