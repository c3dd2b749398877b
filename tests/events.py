"""Events of a run, each held against the schema: what is read here is what the schema promises."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import jsonschema

from opspec import csrc
from opspec.vocabulary import findings

SCHEMA = Path(csrc.SHARED, "events.schema.json")


@functools.cache
def _validator() -> jsonschema.protocols.Validator:
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def checked(event: dict[str, Any]) -> dict[str, Any]:
    """An event that is as the schema says, and of a kind that the table has."""
    _validator().validate(event)
    if event["event"] == "finding":
        severity = findings.kind(event["kind"]).told[event["source"]]
        assert event["severity"] == ("info" if severity == "note" else severity)
    return event


def read_events(path: Path) -> list[dict[str, Any]]:
    """The events of a file."""
    return [checked(json.loads(line)) for line in path.read_text().splitlines()]
