"""Build hook of the wheel: ship the specs, and the compiled form of every operator, so that no check compiles."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: what of ``specs`` users need; the rest is the maintainers' own, such as what was imported from which page
SHIPPED = (".yaml", "retired.txt", "lint-accepted.txt", "schema.json", "LANGUAGE.md")


class CompiledForms(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the specs into the wheel, and compiled into ``opspec/_compiled``."""

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
        build_data["force_include"].update(_specs(os.path.join(self.root, "specs")))


def _specs(root: str) -> dict[str, str]:
    """Path -> place in the wheel of what users need."""
    return {
        os.path.join(folder, name): os.path.join("opspec", "specs", os.path.relpath(folder, root), name)
        for folder, _, names in sorted(os.walk(root))
        for name in sorted(names)
        if name.endswith(SHIPPED)
    }
