"""Imported specs into a registry folder: each file merged with what is there, all of them written or none."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from opspec.model.canonical import canonical
from opspec.model.load import load_text, validated
from opspec.workshop.importer import merge
from opspec.workshop.importer.pipeline import Imported
from opspec.yamltext import Comments, read_file, write


@dataclass(slots=True)
class Outcome:
    """What importing one spec comes to.

    Args:
        path: the file below the release's folder.
        text: its new text, or None when it stays as it is.
        changed: leaves that follow the page.
        kept: leaves where a person's word stays though the page says something else.
    """

    path: Path
    text: str | None
    changed: list[tuple[str, str]] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)

    @property
    def is_new(self) -> bool:
        """There was no such file."""
        return self.changed == [("", "new")]


class Update:
    """The update of a release's folder, prepared spec by spec.

    Raises:
        OpspecError: the folder's record of earlier imports is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lock = merge.read_lock(folder)
        there = os.path.isdir(folder)  # never raises; rglob does for a name that is none, since Python 3.13
        self.files = {path.stem: path for path in sorted(folder.rglob("*.yaml") if there else ())}

    def add(self, spec: Imported) -> Outcome:
        """The outcome for one spec; the record of imports is brought up to date.

        Raises:
            OpspecError: the file that is there is no spec, or the two together mean nothing.
        """
        path = self.files.get(spec.stem, self.folder / spec.family / f"{spec.stem}.yaml")
        value = plain(spec.written.value)
        if not path.exists():
            self.lock[spec.stem] = merge.digests(value)
            return Outcome(path, spec.written.text(), [("", "new")])
        document = read_file(str(path))
        validated(document)
        base = self.lock.get(spec.stem)
        merged = merge.merge(document.value, value, base)  # type: ignore[arg-type]
        if base is not None:
            self.lock[spec.stem] = merge.digests(value)
        text = _text(merged.value, document.comments, spec.stem)
        unchanged = text == path.read_text(encoding="utf-8") or base is None
        if not unchanged:
            load_text(text, str(path))  # a rule of a person's may lean on something that is gone
        return Outcome(path, None if unchanged else text, merged.changed, merged.kept)

    def lock_text(self) -> str:
        """The text of the record of imports."""
        return merge.lock_text(self.lock)


def plain(value: Any) -> Any:
    """Plain data as it reads back from a file: every scalar is text."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value if value is None else str(value)


def _text(value: dict[str, Any], comments: Comments, name: str) -> str:
    return canonical(write(value, comments), name)
