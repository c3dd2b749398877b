"""Build hook of the wheel: the specs, and the compiled form of every operator, so that no check compiles one.

    pip install .                           with compiled forms: a first check takes milliseconds, wherever it runs
    OPSPEC_COMPILED=0 pip install .         specs alone: an operator is compiled when it is first checked, in 0.8 s

Compiling all operators takes two minutes of processor time, on all processors; without, forms are kept in the user's
cache folder, which CI jobs and containers find empty. Progress goes to standard error, which pip shows with ``-v``.
"""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: what of ``specs`` users need; the rest is the maintainers' own, such as what was imported from which page
SHIPPED = (
    ".yaml", "retired.txt", "lint-accepted.txt", "schema.json", "LANGUAGE.md", "FORMAT.md", ".ledger.json",
    "evidence.jsonl", "kernels.jsonl",
)  # fmt: skip

#: environment variable; 0 leaves out compiled forms
COMPILED = "OPSPEC_COMPILED"


class CompiledForms(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the specs into the wheel, and compiled into ``opspec/_compiled``."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before the wheel is put together; an editable install reads the specs where they are."""
        if self.target_name != "wheel" or version == "editable":
            return
        build_data["force_include"].update(_specs(os.path.join(self.root, "specs")))
        if os.environ.get(COMPILED) != "0":
            build_data["force_include"][self._compiled()] = "opspec/_compiled"

    def _compiled(self) -> str:
        """A folder with all compiled forms."""
        sys.path.insert(0, self.root)
        from opspec.registry.ship import ship

        folder = os.path.join(self.directory, "compiled")
        shutil.rmtree(folder, ignore_errors=True)
        ship(folder, os.cpu_count() or 1, _progress)
        return folder


def _progress(done: int, total: int) -> None:
    """A line for every tenth of the work."""
    if done * 10 // total > (done - 1) * 10 // total:
        print(f"opspec: {done} of {total} spec files compiled", file=sys.stderr, flush=True)


def _specs(root: str) -> dict[str, str]:
    """Path -> place in the wheel of what users need."""
    return {
        os.path.join(folder, name): os.path.join("opspec", "specs", os.path.relpath(folder, root), name)
        for folder, _, names in sorted(os.walk(root))
        for name in sorted(names)
        if name.endswith(SHIPPED)
    }
