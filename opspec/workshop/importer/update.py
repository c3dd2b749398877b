"""Imported specs into a registry folder: each file merged with what is there, all of them written or none."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from opspec.model.beside import first_operator
from opspec.model.canonical import canonical
from opspec.model.ledger import Ledger, ledger_text, path_beside, read_ledger
from opspec.model.load import beside, load_file, load_text, validated, whole
from opspec.model.raw import document_of, with_extended
from opspec.model.shorten import flat, shortened
from opspec.model.written import closed
from opspec.workshop.importer import merge
from opspec.workshop.importer.carry import Carrying
from opspec.workshop.importer.merge import plain
from opspec.workshop.importer.naming import identified
from opspec.workshop.importer.page import read_page
from opspec.workshop.importer.pipeline import Imported, import_page
from opspec.workshop.importer.said import Digests, said_of
from opspec.workshop.importer.settled import settled
from opspec.workshop.retired import clause_id, clauses_of, retired_ids
from opspec.yamltext import read_file, write


@dataclass(slots=True)
class Outcome:
    """What importing one spec comes to.

    Args:
        path: the file below the release's folder.
        text: its new text, or None when it stays as it is.
        ledger: the text of the ledger beside it, or None when it stays as it is.
        said: the digests of what was imported, or None when they stay as they are.
        changed: leaves that follow the page.
        kept: leaves where a person's word stays though the page says something else.
        retired: full ids of clauses that the page no longer has.
    """

    path: Path
    text: str | None = None
    ledger: str | None = None
    said: Digests | None = None
    changed: list[tuple[str, str]] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    retired: list[str] = field(default_factory=list)

    @property
    def is_new(self) -> bool:
        """There was no such file."""
        return self.changed[:1] == [("", "new")]

    @property
    def operator(self) -> str:
        """The file's first operator."""
        return first_operator(str(self.path))


class Update:
    """The update of a release's folder, prepared spec by spec.

    Args:
        keep_headers: headers are not known this time: those that specs name stay.
        base: the folder of another release: what its pages say alike is new here as it is there.
        pages: where the pages of that release lie: with their words at hand, what is said alike in other words counts.
        read: operators, or ``OPERATOR/CLAUSE``, whose words as they are now somebody has read.
    """

    def __init__(
        self,
        folder: Path,
        keep_headers: bool = False,
        base: Path | None = None,
        pages: Path | None = None,
        read: Collection[str] = (),
    ) -> None:
        self.folder = folder
        self.keep_headers = keep_headers
        self.files = {path.stem: path for path in _specs(folder)}
        self.pages = pages
        self.base = {first_operator(path.stem): path for path in (_specs(base) if base is not None else ())}
        self.read = read
        self.retired = retired_ids(str(folder.parent))

    def add(self, spec: Imported) -> Outcome:
        """The outcome for one spec.

        Raises:
            OpspecError: the file that is there is no spec, or the two together mean nothing.
        """
        path = self.files.get(spec.stem, self.folder / spec.family / f"{spec.stem}.yaml")
        value = plain(spec.written.value)
        return self._merged(path, spec, value) if path.exists() else self._new(path, spec, value)

    def _new(self, path: Path, spec: Imported, value: dict[str, Any]) -> Outcome:
        """A spec of which there was no file."""
        taken = clauses_of(self.retired, str(value["release"]), str(value["operator"]))
        base = self.base.get(first_operator(spec.stem))
        if base is None:
            value = _identified(value, identified(value.get("clauses", ()), texts=spec.statements.texts, taken=taken))
            own, ledger = shortened(value)
            text, changed = canonical(write(own), str(path)), list[tuple[str, str]]()
        else:
            carrying = Carrying(base, value, spec.statements, self._before(base, spec), taken)
            (text, ledger), changed = carrying.text(path), carrying.changed
            value = carrying.page
        return Outcome(path, text, ledger_text(ledger), merge.digests(value), [("", "new"), *changed])

    def _merged(self, path: Path, spec: Imported, value: dict[str, Any]) -> Outcome:
        """A spec together with the file that is there."""
        document = read_file(str(path))
        source = whole(document, lambda operator: beside(str(path), operator))
        validated(source)
        before = read_ledger(path_beside(str(path)))
        mine = flat(source.value, before)
        release, operator = str(value["release"]), first_operator(str(path))
        taken = clauses_of(self.retired, release, operator)
        known: Any = mine.get("clauses", ())
        value = _identified(value, identified(value.get("clauses", ()), known, spec.statements.texts, taken=taken))
        if self.keep_headers:
            value = _with_headers(value, mine)
        said = said_of(str(self.folder), operator)
        merged = merge.merge(mine, value, said)
        merged.value = self._settled(path, spec, merged.value)
        sets = source.value.get("sets")
        own, ledger = shortened(
            merged.value, sets if isinstance(sets, dict) else {}, None if source.parent is None else source.parent.value
        )
        ledger = self._reworded(ledger, value, operator)
        text = canonical(write(closed(own, plain(document.value)), document.comments), str(path))
        outcome = Outcome(path, changed=merged.changed, kept=merged.kept)
        if said is None:
            return outcome
        digests = self._digests(value, said)
        if text != path.read_text(encoding="utf-8"):
            load_text(text, str(path))  # a rule of a person's may lean on something that is gone
            outcome.text = text
        if ledger != before or outcome.text is not None:
            outcome.ledger = ledger_text(ledger)
        outcome.said = digests if digests != said else None
        outcome.retired = [clause_id(release, operator, name) for name in before.clauses if name not in ledger.clauses]
        return outcome

    def _settled(self, path: Path, spec: Imported, value: dict[str, Any]) -> dict[str, Any]:
        """A spec whose clauses no longer wait where the other release's spec tells what became of them."""
        base = self.base.get(first_operator(spec.stem))
        old = None if base is None else self._before(base, spec)
        if base is None or old is None or not any("not_yet" in clause for clause in value.get("clauses", ())):
            return value
        rules = {rule.id for definition in load_file(str(path)).definitions for rule in definition.rules}
        return settled(value, base, spec.statements, old.statements, rules)

    def _reworded(self, ledger: Ledger, value: Mapping[str, Any], operator: str) -> Ledger:
        """The ledger with what the page says now of clauses whose rules were read from other words."""
        now = {item["id"]: item.get("fingerprint") for item in value.get("clauses", ())}
        entries = {}
        for name, entry in ledger.clauses.items():
            words = now.get(name)
            if words is None or entry.words in (None, words):  # None: a person found it, by no words of the importer's
                entries[name] = entry
            elif not {operator, f"{operator}/{name}"}.isdisjoint(self.read):
                entries[name] = entry.model_copy(update={"words": words})
            else:
                entries[name] = entry.model_copy(update={"now": words})
        return Ledger(clauses=entries)

    def _before(self, base: Path, spec: Imported) -> Imported | None:
        """What the importer makes of the page of the other release's spec, if it is there."""
        document = document_of(with_extended(str(base)))
        path = None if self.pages is None or not document else self.pages / document
        if path is None or not path.is_file():
            return None
        specs = import_page(read_page(path), spec.written.value["release"], {}).specs
        operator = first_operator(base.stem)
        return next((other for other in specs if first_operator(other.stem) == operator), None)

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


def _identified(value: dict[str, Any], clauses: list[dict[str, Any]]) -> dict[str, Any]:
    """A flat spec whose clauses have their ids."""
    return {**value, "clauses": clauses} if clauses else value


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
