"""The JSON Schema of spec files, for editors: derived from the models, with the forms that the models read as text.

Scalars of a spec are text typed by the model, so that ``910`` and ``yes`` may stand unquoted; an editor that reads
them as numbers and booleans must not mark them.
"""

from __future__ import annotations

from typing import Any

from opspec.model.param_changes import AFTER, WAS
from opspec.model.spec import Spec
from opspec.model.values import Model
from opspec.vocabulary import dtypes, formats, products

_SCALAR = ["string", "integer", "number", "boolean"]


def schema(of: type[Model] = Spec) -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of a spec file, or of a mapping in it."""
    result: dict[str, Any] = _relaxed(of.model_json_schema(by_alias=True))
    if of is not Spec:
        return result
    result["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    result["title"] = "opspec spec v2"
    result["required"].remove("release")  # the file's folder tells it
    definitions = result["$defs"]
    definitions["JsonValue"] = {"description": "any JSON value"}
    definitions["Dtypes"] = {"type": "array", "items": {"enum": [*dtypes.names()]}}
    definitions["Formats"] = {"type": "array", "items": {"enum": [*formats.names()]}}
    known = [name for family in products.ids() for name in (family, *products.members(family))]
    result["properties"]["products"]["propertyNames"] = {"enum": known}
    for name, listing in (("dtype", "Dtypes"), ("format", "Formats")):
        options = definitions["Param"]["properties"][name]["anyOf"]
        options.insert(0, {"$ref": f"#/$defs/{listing}"})
    return _with_differences(result)


#: mappings of a spec of which a file that extends another one says single entries
_BY_KEY = ("sets", "let", "rules", "results", "scenarios", "clauses")
#: those of which it says only what differs in an entry
_IN_PARTS = {"rules": "Rule", "scenarios": "Scenario", "let": "Derived"}


def _with_differences(whole: dict[str, Any]) -> dict[str, Any]:
    """The schema with what a file may say that extends another one: nothing but the differences, null for what is not.

    >>> sorted(_with_differences({"$defs": {}, "$schema": "x", "properties": {"a": {}}, "required": ["a"]}))
    ['$defs', '$schema', 'else', 'if', 'then']
    """
    definitions = whole.pop("$defs")
    head: dict[str, Any] = {key: whole.pop(key) for key in ("$schema", "title") if key in whole}
    own = _difference(whole, ["operator", "extends"])
    for model in _IN_PARTS.values():
        if model in definitions:
            definitions[f"{model}Difference"] = _placed(_difference(definitions[model], []))
    parts = {key: [{"$ref": f"#/$defs/{model}Difference"}] for key, model in _IN_PARTS.items()}
    if "Block" in definitions:
        parts["rules"].append({"$ref": "#/$defs/BlockDifference"})
        block = definitions["Block"]["properties"]
        inner = _entries(block["rules"], [{"type": "null"}, *parts["rules"]])
        definitions["BlockDifference"] = {**definitions["Block"], "properties": {**block, "rules": inner}}
    for key in _BY_KEY:
        if key in own["properties"]:
            entries = _entries(whole["properties"][key], [{"type": "null"}, *parts.get(key, [])])
            own["properties"][key] = _or_null(entries)
    if "params" in own["properties"]:
        definitions["ParamDifference"] = _param_difference(definitions["Param"])
        entry = {"anyOf": [{"$ref": "#/$defs/ParamDifference"}, {"type": "null"}]}
        own["properties"]["params"] = {
            "type": "object",
            "description": whole["properties"]["params"]["description"],
            "propertyNames": {"pattern": definitions["Param"]["properties"]["name"]["pattern"]},
            "additionalProperties": entry,
        }
    definitions |= {"Spec": whole, "Difference": own}
    choice = {"if": {"required": ["extends"]}, "then": {"$ref": "#/$defs/Difference"}, "else": {"$ref": "#/$defs/Spec"}}
    return {**head, "$defs": definitions, **choice}


def _difference(whole: dict[str, Any], required: list[str]) -> dict[str, Any]:
    """What may be said of an object that is otherwise as another one: all but what says which it is may be null."""
    properties = {key: item if key in required else _or_null(item) for key, item in whole["properties"].items()}
    return {**whole, "required": required, "properties": properties}


def _placed(whole: dict[str, Any]) -> dict[str, Any]:
    """An entry that may say where it stands among the others."""
    after = {"type": "string", "description": "the entry that it stands behind; null: it is the first"}
    return {**whole, "properties": {AFTER: _or_null(after), **whole["properties"]}}


def _param_difference(whole: dict[str, Any]) -> dict[str, Any]:
    """What is said of a param by its name: how it differs, or a new one."""
    result = _difference(whole, [])
    result["properties"].pop("name")
    name = {key: whole["properties"]["name"][key] for key in ("type", "pattern")}
    was = {**name, "description": "the name that it has in the spec that is extended"}
    after = {**name, "description": "the param that it stands behind; null: it is the first"}
    result["properties"] |= {WAS: was, AFTER: _or_null(after)}
    return result


def _or_null(item: dict[str, Any]) -> dict[str, Any]:
    """A property that may be null, too; what it is for stands beside it."""
    about = {"description": item["description"]} if "description" in item else {}
    return {**about, "anyOf": [item, {"type": "null"}]}


def _entries(mapping: dict[str, Any], also: list[dict[str, Any]]) -> dict[str, Any]:
    """A mapping of which the entries may have other forms, too."""
    result = dict(mapping)
    if "additionalProperties" in mapping:
        item = mapping["additionalProperties"]
        result["additionalProperties"] = {"anyOf": [item, *also]} if isinstance(item, dict) else item
    if "patternProperties" in mapping:
        items = mapping["patternProperties"].items()
        result["patternProperties"] = {pattern: {"anyOf": [item, *also]} for pattern, item in items}
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
