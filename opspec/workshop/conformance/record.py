"""Writes into specs which documented rules recorded calls speak against or for, with the calls as evidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from opspec.model.canonical import canonical
from opspec.model.definition import Definition
from opspec.model.evidence import said
from opspec.registry.registry import Registry, definition_of
from opspec.workshop.conformance.witness import Record
from opspec.yamltext import read_file, write


def amended(registry: Registry, found: Mapping[str, Record], release: str | None) -> Iterator[tuple[Path, str, int]]:
    """(spec file, its new text, rules that change) for every spec that recorded calls say something of.

    The calls of an operator and of its twin are looked at together: one spec says what holds for both.

    Raises:
        OpspecError: a spec cannot be read.
    """
    by_file: dict[str, list[str]] = defaultdict(list)
    for operator in sorted(found):
        by_file[registry.find(operator, release).path].append(operator)
    for path, operators in sorted(by_file.items()):
        first = definition_of(registry.find(Path(path).stem.split("+")[0], release))
        record = Record()
        for operator in operators:
            _add(record, found[operator], first, operator)
        documented = {rule.id for rule in first.rules if rule.basis == "documented" and rule.id != "product"}
        say = {rule: ("no", record.evidence(rule)) for rule in sorted(record.let_go() & documented)}
        say |= {rule: ("yes", said(0, n)) for rule, n in record.checked().items() if rule in documented - set(say)}
        if say:
            text = _text(path, say)
            if text != Path(path).read_text(encoding="utf-8"):
                yield Path(path), text, len(say)


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


def _text(path: str, say: Mapping[str, tuple[str, str]]) -> str:
    """The spec's text with these rules' (enforced, evidence); comments survive."""
    document = read_file(path)
    value: Any = document.value
    rules = value.setdefault("rules", {})
    for name, (enforced, text) in say.items():
        entry = rules.get(name, {})
        entry = {"check": entry} if isinstance(entry, str) else dict(entry)
        rules[name] = {**entry, "enforced": enforced, "evidence": text}
    return canonical(write(value, document.comments), path)
