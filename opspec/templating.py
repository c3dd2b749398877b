"""The templates of pages and C files, all read in one way."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from opspec.files import template_folder


class _Environment(Environment):
    """An environment to whose templates words are given as a mapping: that ``w.title`` is an item is tried first."""

    def getattr(self, obj: object, attribute: str) -> object:
        """``obj.attribute``."""
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        try:
            return getattr(obj, attribute)
        except AttributeError:
            return super().getattr(obj, attribute)


def environment(filters: Mapping[str, Callable[..., object]] | None = None, *, html: bool = False) -> Environment:
    """What renders the templates.

    Args:
        filters: what they may call.
        html: every text is escaped; Markdown and C pass theirs through filters.
    """
    made = _Environment(
        loader=FileSystemLoader(template_folder()),
        undefined=StrictUndefined,
        autoescape=html,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(filters or {})
    return made
