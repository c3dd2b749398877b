"""``opspec import``: read the vendor's pages into specs."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from opspec.cli import options
from opspec.errors import OpspecError, printable, unknown
from opspec.files import alone, make_folder, write_files
from opspec.model.beside import is_release, operators_named
from opspec.model.ledger import path_beside, read_ledger
from opspec.workshop.importer.page import read_page
from opspec.workshop.importer.pipeline import Imported, import_page, pages_in, read_headers
from opspec.workshop.importer.said import with_said
from opspec.workshop.importer.update import Outcome, Update
from opspec.workshop.releases import base_of
from opspec.workshop.retired import with_retired

SHOWN = 12  # leaves of one spec that are listed


def run(words: list[str]) -> int:
    """The command: 0 every page was read whole, 1 something was left out, 2 bad input."""
    asked = _parser().parse_args(words)
    for release in (asked.release, asked.base):
        if release is not None and not is_release(release):
            raise OpspecError(f"expected a release such as 9.1.0, found {release!r}")
    headers = read_headers(asked.headers)
    on = asked.base or base_of(asked.out)
    base = None if on in (None, asked.release) else Path(asked.out) / on
    pages = None if asked.base_pages is None else Path(asked.base_pages)
    folder = Path(asked.out) / asked.release
    update = Update(folder, keep_headers=asked.headers is None, base=base, pages=pages, read=asked.read)
    outcomes, faults = _imported(asked, headers, update)
    if not outcomes and not faults:
        raise OpspecError("no operator of these pages is asked for")
    _check_read(asked.read, outcomes)
    if not asked.dry_run:
        _write(outcomes, folder)
    _report(outcomes, faults, asked.dry_run)
    return 1 if faults else 0


def _parser() -> argparse.ArgumentParser:
    target = options.parser(
        "import",
        "Read pages into specs. What a person wrote into a spec stays; what only the importer wrote follows the page.",
    )
    target.add_argument("pages", nargs="+", metavar="PAGE", help="a page, or a folder of pages")
    target.add_argument("--release", required=True, help="the release that the pages document")
    target.add_argument(
        "--base",
        metavar="RELEASE",
        help="a release in the folder whose specs hold where their pages say the same (default: what base.txt names)",
    )
    target.add_argument(
        "--base-pages", metavar="DIR", help="that release's pages: what they say alike in other words counts, too"
    )
    target.add_argument("--out", metavar="DIR", required=True, help="the registry folder to write to")
    target.add_argument("--headers", metavar="CSV", help="which header declares which operator")
    target.add_argument("--op", action="append", default=[], help="only this operator (may be repeated)")
    target.add_argument(
        "--read",
        action="append",
        default=[],
        metavar="OP[/CLAUSE]",
        help="somebody has read what the page says now of this clause, or of all of the operator's (may be repeated)",
    )
    target.add_argument("--dry-run", action="store_true", help="show what would change, write nothing")
    return target


def _imported(
    asked: argparse.Namespace, headers: dict[str, str], update: Update
) -> tuple[list[Outcome], list[tuple[str, int, str]]]:
    outcomes: list[Outcome] = []
    faults: list[tuple[str, int, str]] = []
    seen: dict[str, str] = {}
    paths = pages_in(asked.pages)
    with options.progress(len(paths)) as advance:
        for path in paths:
            advance(path.name)
            try:
                page = read_page(path)
            except OpspecError as error:
                faults.append((str(path), 1, error.message))
                continue
            result = import_page(page, asked.release, headers)
            faults += [(str(path), line, what) for line, what in result.faults]
            for spec in result.specs:
                if not asked.op or set(asked.op) & set(operators_named(spec.stem)):
                    _add(spec, path, update, seen, outcomes, faults)
    return outcomes, faults


def _check_read(names: list[str], outcomes: list[Outcome]) -> None:
    """Nothing counts as read that no page has: a name that is misspelt is no word of a reader's.

    Raises:
        UnknownNameError: ``--read`` names an operator that is not imported, or a clause that it does not have.
    """
    specs = {outcome.operator: outcome.path for outcome in outcomes}
    for name in names:
        operator, slash, clause = name.partition("/")
        if operator not in specs:
            raise unknown("operator", operator, specs, before=" in --read, none of what is imported")
        ids = read_ledger(path_beside(str(specs[operator]))).clauses
        if slash and clause not in ids:
            raise unknown("clause", clause, ids, before=f" of {operator} in --read")


def _add(
    spec: Imported,
    path: Path,
    update: Update,
    seen: dict[str, str],
    outcomes: list[Outcome],
    faults: list[tuple[str, int, str]],
) -> None:
    for operator in operators_named(spec.stem):
        if operator in seen:
            faults.append((str(path), 1, f"{operator} is on {seen[operator]} too, which is the one that is imported"))
            return
        seen[operator] = path.name
    try:
        outcomes.append(update.add(spec))
    except OpspecError as error:
        faults.append((str(path), 1, f"{spec.stem}: {error}"))


def _write(outcomes: list[Outcome], release: Path) -> None:
    """Each spec with its ledger and what pages said, all of them or none: what another import writes stays."""
    texts = {str(outcome.path): outcome.text for outcome in outcomes if outcome.text is not None}
    texts |= {path_beside(str(outcome.path)): outcome.ledger for outcome in outcomes if outcome.ledger is not None}
    said = {outcome.operator: outcome.said for outcome in outcomes if outcome.said is not None}
    retired = [name for outcome in outcomes for name in outcome.retired]
    if not texts and not said:
        return
    for folder in dict.fromkeys((*map(os.path.dirname, texts), str(release))):
        make_folder(folder)
    with alone(str(release)):  # another import may change the files that all specs have in common
        texts |= [with_said(str(release), said)] if said else []
        texts |= [with_retired(str(release.parent), retired)] if retired else []
        write_files(texts)


def _report(outcomes: list[Outcome], faults: list[tuple[str, int, str]], dry: bool) -> None:
    for outcome in outcomes:
        lines = [f"  {kind}: {leaf}" for leaf, kind in outcome.changed if leaf]
        lines += [f"  kept, though the page says something else: {leaf}" for leaf in outcome.kept]
        if lines:
            print(printable(f"{outcome.path}:"))
            for line in lines[:SHOWN]:
                print(printable(line))
            if len(lines) > SHOWN:
                print(f"  and {len(lines) - SHOWN} more")
    for where, number, what in faults:
        print(printable(f"{where}:{number}: {what}"), file=sys.stderr)
    new = sum(outcome.is_new for outcome in outcomes)
    changed = sum(not outcome.is_new and (outcome.text or outcome.ledger) is not None for outcome in outcomes)
    verb = "would be " if dry else ""
    same = len(outcomes) - new - changed
    print(f"{new} specs {verb}new, {changed} {verb}changed, {same} as before; {len(faults)} faults")
