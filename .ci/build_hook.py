"""Build hook of the wheel: the specs in an archive, and the compiled form of every operator, so that no check compiles.

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

#: environment variable; 0 leaves out compiled forms
COMPILED = "OPSPEC_COMPILED"


class Registry(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the specs into the wheel as ``opspec/specs``, and compiled as ``opspec/_compiled``."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before the wheel is put together; an editable install reads the specs where they are."""
        if self.target_name != "wheel" or version == "editable":
            return
        sys.path.insert(0, self.root)
        from opspec.registry.ship import ship, ship_specs

        specs, compiled = self._empty("specs"), self._empty("compiled")
        ship_specs(specs, os.path.join(self.root, "specs"))
        build_data["force_include"][specs] = "opspec/specs"
        if os.environ.get(COMPILED) != "0":
            ship(compiled, os.cpu_count() or 1, _progress)
            build_data["force_include"][compiled] = "opspec/_compiled"

    def _empty(self, name: str) -> str:
        """A folder to build in, with nothing of an earlier build."""
        folder = os.path.join(self.directory, name)
        shutil.rmtree(folder, ignore_errors=True)
        return folder


def _progress(done: int, total: int) -> None:
    """A line for every tenth of the work."""
    if done * 10 // total > (done - 1) * 10 // total:
        print(f"opspec: {done} of {total} spec files compiled", file=sys.stderr, flush=True)
