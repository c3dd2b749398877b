"""Imported specs into a registry folder: each file merged with what is there, all of them written or none."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from opspec.model.canonical import canonical
from opspec.model.ledger import Ledger, ledger_text, path_beside, read_ledger
from opspec.model.load import beside, load_text, validated, whole
from opspec.model.shorten import flat, shortened
from opspec.model.written import closed
from opspec.workshop.importer import merge
from opspec.workshop.importer.alike import Statements
from opspec.workshop.importer.carry import Carrying
from opspec.workshop.importer.merge import plain
from opspec.workshop.importer.page import read_page
from opspec.workshop.importer.pipeline import Imported, import_page
from opspec.yamltext import read_file, write


@dataclass(slots=True)
class Outcome:
    """What importing one spec comes to.

    Args:
        path: the file below the release's folder.
        text: its new text, or None when it stays as it is.
        ledger: the text of the ledger beside it, or None when it stays as it is.
        changed: leaves that follow the page.
        kept: leaves where a person's word stays though the page says something else.
    """

    path: Path
    text: str | None
    ledger: str | None
    changed: list[tuple[str, str]] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)

    @property
    def is_new(self) -> bool:
        """There was no such file."""
        return self.changed[:1] == [("", "new")]


class Update:
    """The update of a release's folder, prepared spec by spec.

    Args:
        keep_headers: headers are not known this time: those that specs name stay.
        base: the folder of another release: what its pages say alike is new here as it is there.
        pages: where the pages of that release lie: with their words at hand, what is said alike in other words counts.
    """

    def __init__(
        self, folder: Path, keep_headers: bool = False, base: Path | None = None, pages: Path | None = None
    ) -> None:
        self.folder = folder
        self.keep_headers = keep_headers
        self.files = {path.stem: path for path in _specs(folder)}
        self.pages = pages
        self.base = {path.stem.split("+")[0]: path for path in (_specs(base) if base is not None else ())}

    def add(self, spec: Imported) -> Outcome:
        """The outcome for one spec, and its ledger with the digests of what was imported.

        Raises:
            OpspecError: the file that is there is no spec, or the two together mean nothing.
        """
        path = self.files.get(spec.stem, self.folder / spec.family / f"{spec.stem}.yaml")
        value = plain(spec.written.value)
        if not path.exists():
            base = self.base.get(spec.stem.split("+")[0])
            carrying = None if base is None else Carrying(base, value, spec.statements, self._statements(base, spec))
            text, ledger = _new(value) if carrying is None else carrying.text(path)
            changed = [("", "new"), *(carrying.changed if carrying is not None else ())]
            return Outcome(path, text, _ledger_text(ledger, merge.digests(value)), changed)
        document = read_file(str(path))
        source = whole(document, lambda operator: beside(str(path), operator))
        validated(source)
        before = read_ledger(path_beside(str(path)))
        mine = flat(source.value, before)
        if self.keep_headers:
            value = _with_headers(value, mine)
        merged = merge.merge(mine, value, before.imported)
        sets = source.value.get("sets")
        own, ledger = shortened(
            merged.value, sets if isinstance(sets, dict) else {}, None if source.parent is None else source.parent.value
        )
        text = canonical(write(closed(own, plain(document.value)), document.comments), str(path))
        digests = None if before.imported is None else self._digests(value, before.imported)
        beside_it = _ledger_text(ledger, digests)
        same = text == path.read_text(encoding="utf-8") and beside_it == _ledger_text(before, before.imported)
        if before.imported is None or same:
            return Outcome(path, None, None, merged.changed, merged.kept)
        load_text(text, str(path))  # a rule of a person's may lean on something that is gone
        return Outcome(path, text, beside_it, merged.changed, merged.kept)

    def _statements(self, base: Path, spec: Imported) -> Statements | None:
        """What the page of the other release's spec states, if it is there."""
        document = plain(read_file(str(base)).value).get("document")
        path = None if self.pages is None or document is None else self.pages / document
        if path is None or not path.is_file():
            return None
        specs = import_page(read_page(path), spec.written.value["release"], {}).specs
        operator = base.stem.split("+")[0]
        return next((other.statements for other in specs if other.stem.split("+")[0] == operator), None)

    def _digests(self, value: dict[str, Any], before: dict[str, str]) -> dict[str, str]:
        """The digests of what was imported; of a header that stays, what was imported before."""
        made = merge.digests(value)
        if not self.keep_headers:
            return made
        kept = {name: digest for name, digest in before.items() if name == "header"}
        return {name: kept.get(name, digest) for name, digest in made.items() if name != "header" or kept}


def _specs(folder: Path) -> list[Path]:
    there = os.path.isdir(folder)  # never raises; rglob does for a name that is none, since Python 3.13
    return sorted(folder.rglob("*.yaml") if there else ())


def _new(value: dict[str, Any]) -> tuple[str, Ledger]:
    own, ledger = shortened(value)
    return canonical(write(own), str(value["operator"])), ledger


def _with_headers(value: dict[str, Any], mine: dict[str, Any]) -> dict[str, Any]:
    """What was imported, with the headers that the spec names, where the importer says them."""
    result = {}
    for key, item in value.items():
        result[key] = item
        if key == "document" and "header" in mine:
            result["header"] = mine["header"]
    twin = mine.get("twin") or {}
    if "header" in twin and "twin" in result:
        result["twin"] = {**result["twin"], "header": twin["header"]}
    return result


def _ledger_text(ledger: Ledger, digests: dict[str, str] | None) -> str:
    return ledger_text(ledger.model_copy(update={"imported": digests}))
