"""``opspec lint``: check spec files beyond their schema."""

from __future__ import annotations

import json
import os
import sys

from opspec.cli import options
from opspec.errors import OpspecError
from opspec.model.load import load_file
from opspec.registry import folders
from opspec.registry.folders import is_release
from opspec.workshop.lint import Problem, lint, retired_ids


def run(words: list[str]) -> int:
    """The command: 0 clean, 1 problems, 2 a file that cannot be loaded."""
    target = options.parser(
        "lint", "Check spec files: that they load, that rules type-check, and what goes beyond a schema."
    )
    target.add_argument(
        "paths", nargs="*", metavar="PATH", help="spec files or registry folders (default: the built-in registry)"
    )
    target.add_argument("--output", choices=("text", "json"), default="text")
    asked = target.parse_args(words)
    files = [path for root in asked.paths or [folders.built_in()] for path in spec_files(root)]
    problems: list[Problem] = []
    carets: dict[Problem, str] = {}
    broken = 0
    for path in files:
        try:
            problems += lint(load_file(path), path, retired_ids(_registry_folder(path)))
        except OpspecError as error:
            broken += 1
            faults = {Problem(fault.where or path, "load", fault.message): fault.caret for fault in error.faults}
            problems += faults
            carets |= faults
    if asked.output == "json":
        rows = [{"where": problem.where, "check": problem.check, "message": problem.message} for problem in problems]
        print(json.dumps(rows, ensure_ascii=False, indent=1))
    else:
        for problem in problems:
            print(problem)
            if carets.get(problem):
                print(carets[problem])
        print(f"{len(files)} spec files, {len(problems)} problems", file=sys.stderr)
    return 2 if broken else 1 if problems else 0


def spec_files(root: str) -> list[str]:
    """The spec files at a path: itself, or all below a folder.

    Raises:
        OpspecError: there is nothing there.
    """
    if not os.path.exists(root):
        raise OpspecError("no such file or folder", where=root)
    if not os.path.isdir(root):
        return [root]
    found = [
        os.path.join(folder, name)
        for folder, _, names in os.walk(root)
        for name in names
        if name.endswith((".yaml", ".yml")) and not name.startswith(".")
    ]
    return sorted(found)


def _registry_folder(path: str) -> str:
    """The folder above the release folder that a spec lies in."""
    folder = os.path.dirname(os.path.abspath(path))
    for _ in range(3):
        if is_release(os.path.basename(folder)):
            return os.path.dirname(folder)
        folder = os.path.dirname(folder)
    return os.path.dirname(os.path.abspath(path))
