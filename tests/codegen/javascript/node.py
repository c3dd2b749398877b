"""Calls in Python and in JavaScript, judged by Node: the same verdict."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from opspec.codegen.javascript.arguments import packed
from opspec.codegen.javascript.operator import operator_script, runtime_files
from opspec.model.definition import Definition
from opspec.registry.registry import Form

COMPARE = Path(__file__).with_name("compare.js")

Product = tuple[str | None, str | None]


class Node:
    """Writes calls into a folder, and has Node judge all of them.

    Attributes:
        written: how many calls there are.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.written = 0
        self.scripts: list[Path] = []
        self._operator: tuple[str, str] | None = None
        self._lines = (folder / "calls.jsonl").open("w", encoding="utf-8")
        for name, text in runtime_files().items():
            self._script(name, text)

    def _script(self, name: str, text: str) -> None:
        path = self.folder / name
        path.write_text(text)
        self.scripts.append(path)

    def define(self, definition: Definition) -> None:
        """Have an operator's script."""
        self._script(f"{definition.spec.release}-{definition.name}.js", operator_script(definition))

    def add(self, form: Form, args: Sequence[Any], product: Product, said: object) -> None:
        """A call and what Python says of it (as :class:`tests.codegen.rules.native.Outcome` has it)."""
        operator = (form.operator, form.release)
        if operator != self._operator:
            self._operator = operator
            self._lines.write(json.dumps({"operator": form.operator, "release": form.release}) + "\n")
        named = {param[0]: packed(value, param[1]) for param, value in zip(form.params, args, strict=True)}
        self._lines.write(json.dumps([named, *product, said]) + "\n")
        self.written += 1

    def differences(self) -> list[list[str]]:
        """Operator, call and what JavaScript says where it is not what Python says; all calls were judged."""
        self._lines.close()
        with open(self._lines.name, encoding="utf-8") as calls:
            ran = subprocess.run(
                ["node", COMPARE, *self.scripts], stdin=calls, capture_output=True, text=True, check=True
            )  # fmt: skip
        count, *found = ran.stdout.splitlines()
        assert int(count) == self.written, f"{count} of {self.written} calls judged"
        return [json.loads(line) for line in found]
