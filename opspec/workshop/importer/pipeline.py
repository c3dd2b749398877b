"""From pages to spec files: which file each operator goes to, and what it says."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from opspec.errors import OpspecError
from opspec.workshop.importer import assemble, specfile, twins
from opspec.workshop.importer.alike import Statements
from opspec.workshop.importer.clauses import fingerprint
from opspec.workshop.importer.draft import Draft
from opspec.workshop.importer.page import Page
from opspec.workshop.importer.specfile import Written

HEADER_FOLDER = "aclnnop/"


@dataclass(slots=True)
class Imported:
    """The spec of one operator, or of an operator and its twin.

    Args:
        stem: the file's name without extension: ``aclnnX`` or ``aclnnX+aclnnInplaceX``.
        statements: all statements of the page, those that only seem to describe, too, and their texts.
    """

    stem: str
    family: str
    written: Written
    statements: Statements


@dataclass(slots=True)
class Result:
    """What a page yields: specs, and (line, what) that it does not."""

    specs: list[Imported] = field(default_factory=list)
    faults: list[tuple[int, str]] = field(default_factory=list)


def import_page(page: Page, release: str, headers: Mapping[str, str]) -> Result:
    """The specs of a page; an operator whose page fits no known form is left out and named in the faults."""
    result = Result(faults=list(page.faults))
    found = [draft for draft in assemble.drafts(page) if _usable(draft, result)]
    names = twins.rename(found[0], found[1]) if len(found) == 2 else None
    for draft in found[:1] if names is not None else found:
        try:
            written = specfile.spec_of(draft, release, headers.get(draft.operator))
        except OpspecError as error:
            result.faults.append((1, f"{draft.operator}: {error}"))
            continue
        stem = draft.operator
        if names is not None:
            twin = found[1].operator
            written.value["twin"] = {"operator": twin, "rename": names}
            if headers.get(twin) not in (None, headers.get(draft.operator)):
                written.value["twin"]["header"] = headers[twin]
            declared = twins.declared(found[0], found[1], names)
            if declared:
                written.value["twin"]["params"] = declared
            stem = f"{stem}+{twin}"
        result.faults += [(1, f"{draft.operator}: left out: {what}") for what in written.left_out]
        result.faults += [(1, f"{draft.operator}: not found: {what}") for what in draft.missing]
        result.faults += draft.faults
        result.specs.append(Imported(stem, assemble.family(page), written, _statements(draft, written.value)))
    return result


def _statements(draft: Draft, value: Mapping[str, Any]) -> Statements:
    """The statements of a page, in its order."""
    listed: list[dict[str, Any]] = list(value.get("clauses", ()))
    for before, clause in reversed(draft.passed):
        made: dict[str, Any] = {"at": clause.at, "fingerprint": fingerprint(clause.text), "not_yet": "yes"}
        listed.insert(before, {**made, "on": list(dict.fromkeys(clause.on))} if clause.on else made)
    every = [*draft.clauses, *(clause for _, clause in draft.passed)]
    texts = {fingerprint(clause.text): clause.text for clause in every}
    rules = value.get("rules", {})
    read = {item["fingerprint"]: [rules[name] for name in item.get("rules", ()) if name in rules] for item in listed}
    return Statements(listed, texts, read)


def _usable(draft: Draft, result: Result) -> bool:
    if draft.params and draft.products:
        return True
    result.faults.append((1, f"{draft.operator or 'no operator'}: left out: {', '.join(draft.missing) or 'no params'}"))
    return False


def pages_in(
    paths: Iterable[str], names: Sequence[str] = ("aclnn*.md", "*.txt"), called: str = "files named aclnn….md"
) -> list[Path]:
    """The pages at some paths: files themselves, and those of these names below folders but for context pages.

    Raises:
        OpspecError: there is nothing, or no page, at one of them.
    """
    result: dict[Path, None] = {}
    for path in paths:
        if os.path.isfile(path):  # unlike those of a Path, these never raise
            result[Path(path)] = None
            continue
        if not os.path.isdir(path):
            raise OpspecError("no such file or folder", where=path)
        found = []
        for folder, below, files in os.walk(path):
            below[:] = [name for name in below if name != "context" and not name.startswith(".")]
            pages = (name for name in files if any(fnmatch(name, wanted) for wanted in names))
            found += [Path(folder, name) for name in pages if not name.startswith(".")]
        if not found:
            raise OpspecError(f"no pages here: expected {called}", where=path)
        result.update(dict.fromkeys(sorted(found)))
    return list(result)


def read_headers(path: str | None) -> dict[str, str]:
    """Operator -> header as a program includes it, from a table with the columns ``operator`` and ``header``.

    Raises:
        OpspecError: the file cannot be read, or has no such columns.
    """
    if path is None:
        return {}
    try:
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, ValueError, csv.Error) as error:
        raise OpspecError(f"cannot read: {error}", where=path) from None
    if not rows or not {"operator", "header"} <= set(rows[0]):
        raise OpspecError("expected a table with the columns 'operator' and 'header'", where=path)
    return {row["operator"]: _included(row["header"]) for row in rows if row["header"]}


def _included(header: str) -> str:
    return header if "/" in header.removeprefix("level2/") else HEADER_FOLDER + header
