"""JSON Schemas of what ``opspec diff --output json`` writes: differences, and calls that change."""

from __future__ import annotations

from collections.abc import Mapping

from opspec.diff.change import KINDS, LEVELS
from opspec.diff.summary import GROUNDS
from opspec.diff.words import GROUND_MEANS, LEVEL_MEANS
from opspec.docs.schemas import DRAFT, Schema, list_of, object_of, optional
from opspec.vocabulary import enforcement

_TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}


def diff() -> Schema:
    """Of what differs between two releases or specs."""
    counts = object_of({level: {**_COUNT, "description": LEVEL_MEANS["en"][level]} for level in LEVELS})
    said = {
        "before": _TEXT,
        "after": _TEXT,
        "partial": {**optional(_TEXT), "description": "the release of which the registry holds but some operators"},
        "operators": object_of({"both": _COUNT, "added": list_of(_TEXT), "removed": list_of(_TEXT)}),
        "counts": counts,
        "kinds": _counts({kind: about.en for kind, about in KINDS.items()}),
        "grounds": {**_counts(GROUND_MEANS["en"]), "description": "what breaking changes rest on"},
        "families": {"type": "object", "additionalProperties": counts},
        "changes": list_of({"$ref": "#/$defs/change"}),
    }
    return {
        "$schema": DRAFT,
        "title": "what opspec finds different between two releases",
        **object_of(said),
        "$defs": {"change": _change()},
    }


def _counts(described: Mapping[str, str]) -> Schema:
    """Counts by name; what there is none of is left out."""
    properties = {name: {**_COUNT, "description": text} for name, text in described.items()}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _change() -> Schema:
    kinds = "; ".join(f"{kind} ({about.level}): {about.en}" for kind, about in KINDS.items())
    said = {
        "op": _TEXT,
        "family": _TEXT,
        "kind": {"enum": [*KINDS], "description": kinds},
        "level": {"enum": [*LEVELS]},
        "subject": {**_TEXT, "description": "a rule, a product, a param, or a param and what of it: self dtype"},
        "before": {**_TEXT, "description": "as the spec writes it; empty for nothing"},
        "after": _TEXT,
        "products": {**list_of(_TEXT), "description": "empty: all that both sides support"},
        "text": {**_TEXT, "description": "for people"},
        "rules": {**list_of(_TEXT), "description": "rules of the newer side that calls break which it hits"},
        "seen": {
            "enum": [*(name for name in GROUNDS if name not in ("interface", "pages")), None],
            "description": "what recorded calls that break it show: refused or through on the newer release, or both "
            "releases differ; null where only pages speak",
        },
        "by": {**list_of(_TEXT), "description": "of what moved: the rules of the other side that say it"},
        "fingerprint": {**_TEXT, "description": "what --accept takes"},
        "accepted": {"type": "boolean"},
    }
    call = {"type": "object", "description": "with --examples: a call that was legal and is illegal now"}
    return object_of(said, {"call": call})


def diff_calls() -> Schema:
    """Of the calls of a file that change from one release to another."""
    side = {
        "legal": {"type": "boolean"},
        "status": optional(_TEXT),
        "code": {**optional({"type": "integer"}), "description": "null: the call cannot be written"},
        "error": {**optional(_TEXT), "description": "why it cannot be: no such operator, no such param"},
        "rule": {**optional(_TEXT), "description": "the rule that decides: release/operator/rule"},
        "message": optional(_TEXT),
        "enforcement": {"enum": [*enforcement.ALL, None]},
        "assumed": optional({"type": "boolean"}),
    }
    hows = ("breaks", "mended", "differs")
    row = {
        "where": {**_TEXT, "description": "file:line"},
        "id": optional(_TEXT),
        "op": _TEXT,
        "product": optional(_TEXT),
        "change": {
            "enum": [*hows],
            "description": "breaks: it was legal or came through, and is not or does not now; mended: the other way "
            "round; differs: another status",
        },
        "before": {"$ref": "#/$defs/side"},
        "after": {"$ref": "#/$defs/side"},
    }
    counts = object_of(dict.fromkeys((*hows, "same", "bad"), _COUNT))
    return {
        "$schema": DRAFT,
        "title": "calls that change from one release to another",
        **object_of({"before": _TEXT, "after": _TEXT, "calls": list_of(object_of(row)), "counts": counts}),
        "$defs": {"side": object_of(side)},
    }
