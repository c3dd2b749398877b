"""Build hook of the wheel: ship the compiled form of every operator, so that an installed check compiles nothing."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledForms(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles the specs into ``opspec/_compiled`` inside the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before the wheel is put together; editable installs compile on demand instead."""
        if self.target_name != "wheel" or version == "editable":
            return
        sys.path.insert(0, self.root)
        from opspec.registry.ship import ship

        folder = os.path.join(self.directory, "compiled")
        shutil.rmtree(folder, ignore_errors=True)
        ship(folder)
        build_data["force_include"][folder] = "opspec/_compiled"
