"""Pages in their forms: Markdown, HTML, and the vendor's own Markdown.

An HTML page is a :class:`Content`, which knows nothing of what stands around it, in a shell.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from opspec.docs.formulas import in_lines, mathml
from opspec.docs.glossary import Glossary
from opspec.docs.ledger import RulesPage
from opspec.docs.links import Links
from opspec.docs.page import Page
from opspec.docs.words import WORDS
from opspec.templating import environment
from opspec.vocabulary.literals import Lang

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jinja2 import Environment

Form = Literal["md", "html", "upstream"]


@dataclass(frozen=True, slots=True)
class Content:
    """An HTML page without its shell.

    Args:
        up: (link, title) of what it belongs to.
        body: markup, from its heading on.
    """

    title: str
    lang: Lang
    release: str
    up: tuple[tuple[str, str], ...]
    body: str

    @property
    def toc(self) -> tuple[tuple[str, str], ...]:
        """Its sections, each an anchor and a title: its headings of the second level, which all have an anchor."""
        from markupsafe import Markup

        return tuple((found[1], Markup(found[2]).unescape()) for found in _HEADING.finditer(self.body))


@functools.cache
def _environment(html: bool) -> Environment:
    filters = {"md": markdown, "cell": cell, "code": code, "math": math, "anchor": anchor, "hints": code_spans}
    return environment({**filters, "mathml": mathml, "spans": spans, "token": token}, html=html)


def _rendered(template: str, **values: object) -> str:
    html = template.endswith(".html.j2")
    text = _environment(html).get_template(template).render(**values)
    return text if html else re.sub(r"\n{3,}", "\n\n", text).rstrip("\n") + "\n"


def render(page: Page, form: Form) -> str:
    """The text of the page of an operator."""
    if form == "html":
        return shell(content(page))
    name = "upstream.md.j2" if form == "upstream" else "page.md.j2"
    return _rendered(name, page=page, w=page.words, links=Links(page.lang, "md"))


def render_rules(page: RulesPage, form: Literal["md", "html"]) -> str:
    """The text of the page of all rules of an operator."""
    if form == "html":
        return shell(rules_content(page))
    return _rendered("rules.md.j2", page=page, w=page.words, links=Links(page.lang, "md"))


def glossary(release: str, lang: Lang, form: Literal["md", "html"]) -> str:
    """The text of the glossary; it lies beside the pages of each release."""
    if form == "html":
        return shell(glossary_content(release, lang))
    return _rendered("glossary.md.j2", glossary=Glossary(lang), w=WORDS[lang], links=Links(lang, "md"))


def content(page: Page, links: Links | None = None) -> Content:
    """The page of an operator for a shell of one's own.

    Args:
        links: where other pages lie; by default beside it.
    """
    links = links or Links(page.lang, "html")
    body = _rendered("page.html.j2", page=page, w=page.words, links=links)
    up = ((links.index(), page.words["index"]),)
    return Content(page.op, page.lang, page.release, up, body)


def rules_content(page: RulesPage, links: Links | None = None) -> Content:
    """The page of all rules of an operator for a shell of one's own."""
    links = links or Links(page.lang, "html")
    body = _rendered("rules.html.j2", page=page, w=page.words, links=links)
    up = ((links.index(), page.words["index"]), (links.op(page.op), page.op))
    return Content(f"{page.op}: {page.words['all_rules']}", page.lang, page.release, up, body)


def glossary_content(release: str, lang: Lang, links: Links | None = None, products: bool = True) -> Content:
    """The glossary for a shell of one's own, which may list the ids of products itself, behind ``#product-ids``."""
    links = links or Links(lang, "html")
    body = _rendered("glossary.html.j2", glossary=Glossary(lang, products), w=WORDS[lang], links=links)
    return Content(WORDS[lang]["glossary"], lang, release, ((links.index(), WORDS[lang]["index"]),), body)


_HEADING = re.compile(r'<h2 id="([^"]+)">(.*?)</h2>', re.S)


def shell(made: Content) -> str:
    """A page that stands for itself: with its style, without scripts."""
    return _rendered("shell.html.j2", page=made, w=WORDS[made.lang])


def index(operators: Sequence[tuple[str, str]], release: str, lang: Lang, form: Form) -> str:
    """The list of a release's pages in one language.

    Args:
        operators: (name, summary) of each.
    """
    name = "index.html.j2" if form == "html" else "index.md.j2"
    links = Links(lang, "html" if form == "html" else "md")
    text = _rendered(name, operators=operators, w=WORDS[lang], lang=lang, release=release, links=links)
    title = f"{WORDS[lang]['index']} · CANN {release}"
    return shell(Content(title, lang, release, (), text)) if form == "html" else text


_ROW = re.compile(r'^(?:\| \[|<tr><td><a href=")(\w+).*$', re.M)


def rows_of(text: str) -> dict[str, str]:
    """The lines of an index, by operator."""
    return {found[1]: found[0] for found in _ROW.finditer(text)}


def with_rows(text: str, rows: Mapping[str, str]) -> str:
    """An index in which some operators' lines are others."""
    return _ROW.sub(lambda found: rows.get(found[1], found[0]), text)


def anchor(rule_id: str) -> str:
    """The anchor of a rule on the page of all rules: what messages link to."""
    return f"rule-{rule_id}"


def markdown(text: str) -> str:
    """A text that Markdown shows as it is, on one line."""
    entities = _one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    escaped = re.sub(r"([\\`*|~$\[\]]|(?<!\w)_|_(?!\w))", r"\\\1", entities)
    return re.sub(r"^([-+#=])(?=[-\s#=])|^(\d+)(?=[.)])", lambda found: f"{found[2] or ''}\\{found[1] or ''}", escaped)


_IN_CODE = re.compile(r"`([^`\s][^`]*)`")


def spans(text: str) -> str:
    """A text whose names in backticks are code in Markdown, in a table, too; the rest stands as it is, line by line."""
    return "<br>".join(map(_spans, text.split("\n")))


def _spans(line: str) -> str:
    parts: list[str] = []
    last, text = 0, _one_line(line)
    for found in _IN_CODE.finditer(text):
        parts += [markdown_inside(text[last : found.start()], not last), code(found[1], True)]
        last = found.end()
    return "".join((*parts, markdown_inside(text[last:], not last)))


def markdown_inside(text: str, first: bool) -> str:
    """A part of a line as Markdown shows it, with the blanks at its ends."""
    shown = markdown(text) if first else markdown(f"x{text}")[1:]
    lead = " " if text[:1] == " " and not shown.startswith(" ") else ""
    tail = " " if text[-1:] == " " and len(text) > 1 and not shown.endswith(" ") else ""
    return f"{lead}{shown}{tail}"


def cell(text: str) -> str:
    """A text in the cell of an HTML table that stands in Markdown: up to the next blank line all is HTML."""
    return _one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def code(text: str, in_table: bool = False) -> str:
    """A text as inline code; in a table a bar would end the cell even there."""
    ticks = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    shown = f"{ticks}{pad}{_one_line(text)}{pad}{ticks}"
    return shown.replace("|", "\\|") if in_table else shown


def token(text: str) -> str:
    """A value of an enumeration as inline code; one that is no single word as text."""
    return code(text) if re.fullmatch(r"[\w.+/-]+", text) else markdown(text)


def math(latex: str) -> str:
    """LaTeX between dollar signs of one's own, of which nothing ends it or becomes markup.

    What would be a tag is said by commands; a dollar inside the text is escaped.
    """
    plain = re.sub(r"<(?=[A-Za-z/!?])", r"\\lt ", _one_line(in_lines(latex)))
    return re.sub(r"(?<!\\)\$", r"\\$", plain)


def code_spans(text: str) -> Any:
    """A text whose backticks become code in HTML, and whose lines stay apart."""
    from markupsafe import Markup, escape

    if "\n" in text:
        return Markup("<br>").join(map(code_spans, text.split("\n")))
    if "`" not in text:
        return escape(text)
    parts: list[Any] = []
    last = 0
    for found in _IN_CODE.finditer(text):
        parts += [escape(text[last : found.start()]), Markup("<code>{}</code>").format(found[1])]
        last = found.end()
    return Markup("").join((*parts, escape(text[last:])))


def _one_line(text: str) -> str:
    return " ".join(text.split())
