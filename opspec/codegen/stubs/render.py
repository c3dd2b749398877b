"""The templates of C files, rendered with what they may use."""

from __future__ import annotations

import functools
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from opspec.codegen import ctext
from opspec.files import template_folder
from opspec.vocabulary import dtypes, formats


@functools.cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(template_folder()),
        undefined=StrictUndefined,
        autoescape=False,  # C, not HTML: every text passes through ctext
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["comment"] = ctext.comment
    environment.filters["filled"] = ctext.filled
    environment.filters["statement"] = ctext.statement
    environment.globals["dtypes"] = [(dtypes.enumerator(name), dtypes.number(name)) for name in dtypes.names()]
    environment.globals["formats"] = [(formats.enumerator(name), formats.number(name)) for name in formats.names()]
    return environment


def render(template: str, **values: Any) -> str:
    """The text of a template."""
    return _environment().get_template(template).render(**values)
