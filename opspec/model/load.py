"""From a file to definitions: text, model, expansion; every fault becomes ``file:line:column: message``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from opspec.errors import OpspecError, did_you_mean, several, shown
from opspec.model import spec as model
from opspec.model.definition import Definition
from opspec.model.expand import SpecError, define
from opspec.model.spec import Spec
from opspec.model.twin import twin_of
from opspec.yamltext import Document, Place, locate, read, read_file, within


@dataclass(frozen=True, slots=True)
class Loaded:
    """A spec file, read: its text's tree and places, its model, and the definitions of its operators."""

    document: Document
    spec: Spec
    definitions: tuple[Definition, ...]

    def where(self, path: tuple[str | int, ...], column: int = 0) -> str:
        """``file:line:column`` of a place in the spec."""
        return _named(self.document, _place(self.document, path, column))


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
        raise _at(document, _place(document, error.path, error.column), error.message) from None
    return Loaded(document, spec, (first,) if second is None else (first, second))


def validated(document: Document) -> Spec:
    """The model of a document.

    Raises:
        OpspecError: one line per fault.
    """
    if not isinstance(document.value, dict):
        raise _at(document, _place(document, ()), "a spec is a mapping with 'operator', 'release', 'params' …")
    try:
        return Spec.model_validate(document.value)
    except ValidationError as error:
        faults = {str(fault): fault for fault in (_fault(document, item) for item in error.errors())}
        raise several(list(faults.values())[:_MOST_FAULTS]) from None


_MOST_FAULTS = 20  # that one error tells of


def _at(document: Document, place: Place, message: str) -> OpspecError:
    """An error at a place of the file, with its line."""
    return OpspecError(message, where=_named(document, place), caret=document.caret(place))


def _named(document: Document, place: Place) -> str:
    return f"{document.name}:{place.line}:{place.column}"


def _place(document: Document, path: tuple[str | int, ...], column: int = 0) -> Place:
    """The place of a value; ``column`` counts characters of its text, where that is an expression as it stands."""
    # The expressions of a param are made from what its cells say: their columns mean nothing in the file.
    derived = "params" in (*path[:1], *path[2:3]) and path[-1] != "used_when"
    return within(document, path, 0 if derived else column)


def _fault(document: Document, item: Any) -> OpspecError:
    path = tuple(part for part in item["loc"])
    kind, message = item["type"], item["msg"]
    if kind == "extra_forbidden":
        key = str(path[-1])
        known = _fields_at(path[:-1])
        place = locate(document, path, key=True)
        return _at(document, place, f"unknown key {shown(key)}{did_you_mean(key, known)}")
    if kind == "missing":
        return _at(document, _place(document, path[:-1]), f"a required key is missing: {path[-1]!r}")
    text = message.removeprefix("Value error, ")
    if "pattern" in item.get("ctx", {}):
        text = f"{shown(item['input'])} is not of the form {item['ctx']['pattern']}"
    elif kind == "literal_error":
        text = f"expected {item['ctx']['expected']}, found {shown(item['input'])}"
    return _at(document, _place(document, path), text)


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
