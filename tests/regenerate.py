"""Write every generated file anew: ``python -m tests.regenerate``, then read the difference.

The schema, the reference of the rule language, golden pages and golden stubs; with ``--figures`` the registry's
figures, too, which takes a minute.
"""

from __future__ import annotations

import sys

from opspec.cli.main import main as opspec
from tests.codegen.stubs import regenerate as stubs
from tests.docs import regenerate as pages
from tests.operators import figures
from tests.paths import REPOSITORY


def main(words: list[str]) -> None:
    """What a command of opspec writes first: tests of the others read it."""
    specs = REPOSITORY / "specs"
    opspec(["schema", "--out", str(specs / "schema.json")])
    opspec(["schema", "--output", "md", "--out", str(specs / "FORMAT.md")])
    opspec(["language", "--out", str(specs / "LANGUAGE.md")])
    pages.main()
    stubs.main()
    if "--figures" in words:
        figures.write()


if __name__ == "__main__":
    main(sys.argv[1:])
