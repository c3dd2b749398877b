"""The templates of pages and C files, all read in one way."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from jinja2 import Environment, FileSystemLoader, StrictUndefined, nodes
from jinja2.compiler import CodeGenerator, Frame
from markupsafe import escape

from opspec.files import template_folder

_MARKUP = re.compile("[&<>'\"]")


class _Code(CodeGenerator):
    """Templates that put texts out which need no escape as they are, where Jinja makes markup of each."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape or finalize.src is not None:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("environment.escaped(")


class _Environment(Environment):
    """An environment to whose templates words are given as a mapping: that ``w.title`` is an item is tried first."""

    code_generator_class = _Code

    @staticmethod
    def escaped(value: object) -> str:
        """A value as markup."""
        return value if type(value) is str and _MARKUP.search(value) is None else escape(value)

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
        auto_reload=False,  # nobody changes them while a process runs
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(filters or {})
    return made
