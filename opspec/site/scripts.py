"""Data that a page of the site loads: scripts, as browsers let no page of a folder read another file."""

from __future__ import annotations

from opspec.codegen.javascript.jstext import data


def script(name: str, value: object) -> str:
    """A script that gives ``value`` to ``opspec.loaded(name)``."""
    return f"opspec.give({data(name)}, {data(value)});\n"
