"""The JSON Schema of spec files, for editors: derived from the models, with the forms that the models read as text.

Scalars of a spec are text typed by the model, so that ``910`` and ``yes`` may stand unquoted; an editor that reads
them as numbers and booleans must not mark them.
"""

from __future__ import annotations

from typing import Any

from opspec.model.spec import Model, Spec
from opspec.vocabulary import dtypes, formats, products

_SCALAR = ["string", "integer", "number", "boolean"]


def schema(of: type[Model] = Spec) -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of a spec file, or of a mapping in it."""
    result: dict[str, Any] = _relaxed(of.model_json_schema(by_alias=True))
    if of is not Spec:
        return result
    result["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    result["title"] = "opspec spec v2"
    # a file that extends another one leaves out what is as there
    result["required"] = [name for name in result["required"] if name in ("operator",)]
    result["properties"]["params"]["items"] = {"anyOf": [{"type": "string"}, result["properties"]["params"]["items"]]}
    definitions = result["$defs"]
    definitions["JsonValue"] = {"description": "any JSON value"}
    definitions["Dtypes"] = {"type": "array", "items": {"enum": [*dtypes.names()]}}
    definitions["Formats"] = {"type": "array", "items": {"enum": [*formats.names()]}}
    known = [name for family in products.ids() for name in (family, *products.members(family))]
    result["properties"]["products"]["propertyNames"] = {"enum": known}
    for name, listing in (("dtype", "Dtypes"), ("format", "Formats")):
        options = definitions["Param"]["properties"][name]["anyOf"]
        options.insert(0, {"$ref": f"#/$defs/{listing}"})
    return result


def _relaxed(value: Any) -> Any:
    """Texts may be numbers or booleans to an editor; what must be a certain text keeps its enumeration."""
    if isinstance(value, list):
        return [_relaxed(item) for item in value]
    if not isinstance(value, dict):
        return value
    relaxed = {key: _relaxed(item) for key, item in value.items()}
    if relaxed.get("type") == "string" and "enum" not in relaxed and "pattern" not in relaxed:
        relaxed["type"] = _SCALAR
    if "yes" in relaxed.get("enum", ()):  # YAML 1.1 reads yes as true
        return {
            **{key: item for key, item in relaxed.items() if key != "type"},
            "enum": [*relaxed["enum"], True, False],
        }
    if "pattern" in relaxed and relaxed.get("type") == "string":
        relaxed["type"] = ["string", "number"]
    return relaxed
