"""A page in its forms: Markdown, HTML, and the vendor's own Markdown."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from opspec.docs.formulas import in_lines, mathml
from opspec.docs.page import Page
from opspec.docs.words import WORDS
from opspec.templating import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jinja2 import Environment

    from opspec.language.prose import Lang

Form = Literal["md", "html", "upstream"]

TEMPLATES: dict[Form, str] = {"md": "page.md.j2", "html": "page.html.j2", "upstream": "upstream.md.j2"}


@functools.cache
def _environment(html: bool) -> Environment:
    filters = {"md": markdown, "cell": cell, "code": code, "math": math, "anchor": anchor, "hints": code_spans}
    return environment({**filters, "mathml": mathml}, html=html)


def render(page: Page, form: Form) -> str:
    """The text of a page."""
    text = _environment(form == "html").get_template(TEMPLATES[form]).render(page=page, w=page.words)
    return text if form == "html" else re.sub(r"\n{3,}", "\n\n", text).rstrip("\n") + "\n"


def index(operators: Sequence[tuple[str, str]], release: str, lang: Lang, form: Form) -> str:
    """The list of a release's pages in one language.

    Args:
        operators: (name, summary) of each.
    """
    name = "index.html.j2" if form == "html" else "index.md.j2"
    values: dict[str, Any] = {"operators": operators, "w": WORDS[lang], "lang": lang, "release": release}
    return _environment(form == "html").get_template(name).render(**values)


_ROW = re.compile(r'^(?:\| \[|<tr><td><a href=")(\w+).*$', re.M)


def rows_of(text: str) -> dict[str, str]:
    """The lines of an index, by operator."""
    return {found[1]: found[0] for found in _ROW.finditer(text)}


def with_rows(text: str, rows: Mapping[str, str]) -> str:
    """An index in which some operators' lines are others."""
    return _ROW.sub(lambda found: rows.get(found[1], found[0]), text)


def anchor(rule_id: str) -> str:
    """The anchor of a rule on its page: what messages link to."""
    return f"rule-{rule_id}"


def markdown(text: str) -> str:
    """A text that Markdown shows as it is, on one line."""
    entities = _one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    escaped = re.sub(r"([\\`*|~$\[\]]|(?<!\w)_|_(?!\w))", r"\\\1", entities)
    return re.sub(r"^([-+#=])(?=[-\s#=])|^(\d+)(?=[.)])", lambda found: f"{found[2] or ''}\\{found[1] or ''}", escaped)


def cell(text: str) -> str:
    """A text in the cell of an HTML table that stands in Markdown: up to the next blank line all is HTML."""
    return _one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def code(text: str, in_table: bool = False) -> str:
    """A text as inline code; in a table a bar would end the cell even there."""
    ticks = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    shown = f"{ticks}{pad}{_one_line(text)}{pad}{ticks}"
    return shown.replace("|", "\\|") if in_table else shown


def math(latex: str) -> str:
    """LaTeX between dollar signs of one's own; one inside the text is escaped."""
    return re.sub(r"(?<!\\)\$", r"\\$", _one_line(in_lines(latex)))


def code_spans(text: str) -> Any:
    """A fixed text of ours whose backticks become code in HTML."""
    from markupsafe import Markup, escape

    parts = [escape(part) for part in text.split("`")]
    return Markup("").join(Markup("<code>{}</code>").format(part) if i % 2 else part for i, part in enumerate(parts))


def _one_line(text: str) -> str:
    return " ".join(text.split())
