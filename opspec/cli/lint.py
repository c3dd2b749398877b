"""``opspec lint``: check spec files beyond their schema."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from opspec import archive
from opspec.build.processes import pool
from opspec.cli import options
from opspec.errors import OpspecError, printable
from opspec.jsontext import written
from opspec.model.beside import operators_named, release_folder
from opspec.model.load import load_file
from opspec.registry import folders
from opspec.workshop.lint import CHECKS, DEEP, SHALLOW, accepted, lint
from opspec.workshop.lint.releases import FROZEN, elsewhere, missing
from opspec.workshop.lint.subject import Check, Problem
from opspec.workshop.releases import base_of
from opspec.workshop.retired import retired_ids


@dataclass(frozen=True, slots=True)
class Linted:
    """What lint says of one file.

    Args:
        operators: what the file specifies; nothing when it cannot be loaded.
        carets: the line of a problem with its column marked, where there is one.
    """

    path: str
    operators: tuple[str, ...]
    problems: tuple[Problem, ...]
    carets: Mapping[Problem, str] = field(default_factory=dict)


def run(words: list[str]) -> int:
    """The command: 0 clean, 1 problems, 2 a file that cannot be loaded."""
    target = options.parser(
        "lint", "Check spec files: that they load, that rules type-check, and what goes beyond a schema."
    )
    target.add_argument(
        "paths", nargs="*", metavar="PATH", help="spec files or registry folders (default: the built-in registry)"
    )
    target.add_argument(
        "--output",
        choices=tuple(_OUTPUTS),
        default="text",
        help="form of the output (default: text); sarif and github are for CI (docs/ci.md)",
    )
    target.add_argument(
        "--deep",
        action="store_true",
        help="search for a legal call for each dtype and format that a product lists (takes minutes), and nothing else",
    )
    target.add_argument(
        "--check",
        action="append",
        choices=[check.id for check in CHECKS],
        metavar="CHECK",
        help="this check and no other",
    )
    target.add_argument("--jobs", type=int, default=1, metavar="N", help="processes (default: 1)")
    target.add_argument("--checks", action="store_true", help="list the checks")
    asked = target.parse_args(words)
    if asked.checks:
        _print_checks()
        return 0
    checks = DEEP if asked.deep else SHALLOW
    if asked.check:
        checks = tuple(check for check in CHECKS if check.id in asked.check)
    files = [path for root in asked.paths or [folders.built_in()] for path in spec_files(root)]
    with options.progress(len(files)) as advance:
        linted = list(_linted(files, checks, asked.jobs, advance))
    problems = list(_reported(linted, checks))
    if any(check.id == FROZEN for check in checks):
        problems += dict.fromkeys(elsewhere(one.path for one in linted if one.operators))
    _OUTPUTS[asked.output](problems, linted)
    if asked.output != "json":
        counts = options.number(len(files), "spec file"), options.number(len(problems), "problem")
        print(", ".join(counts), file=sys.stderr)
    return 2 if not all(one.operators for one in linted) else 1 if problems else 0


def _print_checks() -> None:
    for check in CHECKS:
        print(f"{check.id:14} {check.means}{_asked_for(check)}")


def _asked_for(check: Check) -> str:
    """How a check is asked for that does not run by itself."""
    return " (--deep)" if check.deep else f" (--check {check.id})" if check.asked else ""


# --- forms of output


def _print_text(problems: list[Problem], linted: list[Linted]) -> None:
    carets = {problem: caret for one in linted for problem, caret in one.carets.items()}
    for problem in problems:
        print(printable(str(problem)))
        if carets.get(problem):
            print(carets[problem])


def _print_json(problems: list[Problem], _: list[Linted]) -> None:
    options.print_json([{"where": one.where, "check": one.check, "message": one.message} for one in problems])


def _print_sarif(problems: list[Problem], linted: list[Linted]) -> None:
    from opspec.cli import sarif

    means = {"load": "a spec file that cannot be loaded", **{check.id: check.means for check in CHECKS}}
    rows = []
    for problem in problems:
        name, line, column = _place(problem.where)
        found = sarif.result(f"lint/{problem.check}", "error", problem.message, (name, line), column=column)
        rows.append(written(found))
    rules = [
        sarif.descriptor(f"lint/{check}", means[check]) for check in sorted({problem.check for problem in problems})
    ]
    closing = sarif.closing(rules, successful=all(one.operators for one in linted))
    sys.stdout.write(sarif.OPENING + sarif.BETWEEN.join(rows) + closing)


def _print_github(problems: list[Problem], _: list[Linted]) -> None:
    from opspec.cli.github import annotation

    for problem in problems:
        name, line, column = _place(problem.where)
        sys.stdout.write(annotation("error", f"opspec lint: {problem.check}", problem.message, (name, line), column))


_OUTPUTS: dict[str, Callable[[list[Problem], list[Linted]], None]] = {
    "text": _print_text, "json": _print_json, "sarif": _print_sarif, "github": _print_github,
}  # fmt: skip


def _place(where: str) -> tuple[str, int, int | None]:
    """File, line and column of ``file:line:column``; of a file as a whole its first line."""
    file, _, last = where.rpartition(":")
    name, _, line = file.rpartition(":")
    if name and line.isdecimal() and last.isdecimal():
        return name, int(line), int(last)
    return (file, int(last), None) if file and last.isdecimal() else (where, 1, None)


# --- linting files


def _linted(files: list[str], checks: tuple[Check, ...], jobs: int, advance: Callable[[str], None]) -> Iterator[Linted]:
    """What lint says of each file, in their order."""
    one = partial(_lint_file, ids=tuple(check.id for check in checks))
    if jobs <= 1 or len(files) <= 1:
        for path in files:
            advance(os.path.basename(path))
            yield one(path)
        return
    with pool(min(jobs, len(files))) as processes:
        for found in processes.map(one, files):
            advance(os.path.basename(found.path))
            yield found


def _lint_file(path: str, ids: tuple[str, ...]) -> Linted:
    try:
        loaded = load_file(path)
        checks = tuple(check for check in CHECKS if check.id in ids)
        problems = lint(loaded, path, retired_ids(folders.registry_folder(path)), checks)
    except OpspecError as error:
        carets = {Problem(fault.where or path, "load", fault.message): fault.caret for fault in error.faults}
        return Linted(path, (), tuple(carets), carets)
    return Linted(path, tuple(definition.name for definition in loaded.definitions), tuple(problems))


def _reported(linted: Iterable[Linted], checks: tuple[Check, ...]) -> Iterator[Problem]:
    """The problems that the releases' lists do not accept, and what these lists say too much."""
    by_folder: dict[str, list[Linted]] = {}
    for one in linted:
        by_folder.setdefault(release_folder(one.path), []).append(one)
    ids = {check.id for check in checks}
    for folder, here in by_folder.items():
        problems = [problem for one in here for problem in one.problems]
        entries = accepted.read(folder, (check.id for check in CHECKS))
        seen = {operator for one in here for operator in one.operators}
        there = {name for path in _below(folder) for name in operators_named(path)}
        yield from accepted.without(problems, (*entries, *_of_the_base(folder)))
        if FROZEN in ids:
            yield from missing(folder, there)
        yield from accepted.stale(
            problems,
            [
                entry
                for entry in entries
                if entry.check in ids and (entry.operator in seen or entry.operator not in there)
            ],
        )


def _of_the_base(folder: str) -> tuple[accepted.Accepted, ...]:
    """What the base of a release accepts: an overlay on it has the same findings where its pages say the same."""
    registry = os.path.dirname(folder)
    base = base_of(registry)
    if base in (None, os.path.basename(folder)):
        return ()
    return accepted.read(os.path.join(registry, str(base)), (check.id for check in CHECKS))


def spec_files(root: str) -> list[str]:
    """The spec files at a path: itself, or all below a folder.

    Raises:
        OpspecError: there is nothing there, or no spec in the folder.
    """
    if not archive.exists(root):
        raise OpspecError("no such file or folder", where=root)
    if not archive.is_folder(root):
        return [root]
    found = _below(root)
    if not found:
        raise OpspecError("no spec files here: expected .yaml files", where=root)
    return found


def _below(root: str) -> list[str]:
    """The spec files below a folder."""
    return sorted(
        path
        for path in archive.below(root)
        if path.endswith((".yaml", ".yml")) and not os.path.basename(path).startswith(".")
    )
