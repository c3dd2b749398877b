"""The templates of C files, rendered with what they may use."""

from __future__ import annotations

import functools
from math import prod
from typing import Any

from jinja2 import Environment

from opspec.codegen import ctext
from opspec.templating import environment
from opspec.vocabulary import dtypes, formats


@functools.cache
def _environment() -> Environment:
    made = environment(
        {"product": prod, "comment": ctext.comment, "filled": ctext.filled, "statement": ctext.statement}
    )
    made.globals["dtypes"] = [f"{dtypes.enumerator(name)} = {dtypes.number(name)}" for name in dtypes.names()]
    made.globals["formats"] = [f"{formats.enumerator(name)} = {formats.number(name)}" for name in formats.names()]
    return made


def render(template: str, **values: Any) -> str:
    """The text of a template."""
    return _environment().get_template(template).render(**values)
