"""Writes down which documented rules recorded calls speak against or for: counts, in the release's file of evidence."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from opspec.model.definition import Definition
from opspec.model.evidence import Recorded, file_of, read_all, text_of
from opspec.registry.registry import Registry, definition_of
from opspec.workshop.conformance.witness import Record


def amended(registry: Registry, found: Mapping[str, Record], release: str | None) -> Iterator[tuple[Path, str, int]]:
    """(file of evidence, its new text, rules that change) for every release that recorded calls say something of.

    The calls of an operator and of its twin are looked at together: one spec says what holds for both. What is known of
    other operators stays.

    Raises:
        OpspecError: a spec, or a file of evidence, cannot be read.
    """
    by_spec: dict[str, list[str]] = defaultdict(list)
    for operator in sorted(found):
        by_spec[registry.find(operator, release).path].append(operator)
    files: dict[str, dict[str, dict[str, Recorded]]] = {}
    changes: Counter[str] = Counter()
    for path, operators in sorted(by_spec.items()):
        first = definition_of(registry.find(Path(path).stem.split("+")[0], release))
        record = Record()
        for operator in operators:
            _add(record, found[operator], first, operator)
        file = file_of(path)
        known = files.setdefault(file, read_all(file))
        now = {**known.get(first.name, {}), **_said_of(first, record)}
        changes[file] += sum(known.get(first.name, {}).get(rule) != one for rule, one in now.items())
        known[first.name] = now
    for file, known in sorted(files.items()):
        if changes[file]:
            yield Path(file), text_of(known), changes[file]


def _said_of(first: Definition, record: Record) -> dict[str, Recorded]:
    """What a record says of an operator's documented rules."""
    documented = [rule.id for rule in first.rules if rule.basis == "documented" and rule.id != "product"]
    let_go, checked = record.let_go(), record.checked()
    said = {}
    for rule in documented:
        if rule in let_go or rule in checked:
            said[rule] = record.recorded(rule)
    return said


def _add(record: Record, other: Record, first: Definition, operator: str) -> None:
    for kind in ("accepted", "refused", "passed", "missed"):
        mine, theirs = getattr(record, kind), getattr(other, kind)
        mine += [frozenset(name for rule in rules for name in _originals(rule, first, operator)) for rules in theirs]


def _originals(rule: str, first: Definition, operator: str) -> list[str]:
    """The rules of the first operator that a rule of the twin stems from."""
    known = {item.id for item in first.rules}
    twin = first.spec.twin
    if operator == first.name or twin is None:
        return [rule]
    subject, _, kind = rule.partition(".")
    names = [name for name, new in twin.rename.items() if new == subject]
    found = [f"{name}.{kind}" for name in names] + [
        f"{name}.{kind.removeprefix(name + '-')}" for name in names if kind.startswith(f"{name}-")
    ]
    return [name for name in found if name in known] or [rule]
