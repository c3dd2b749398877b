"""The frame of a page of the site: what surrounds its content, and the templates of global pages."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from opspec.site.words import WORDS
from opspec.templating import environment
from opspec.vocabulary import products
from opspec.vocabulary.literals import Lang

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jinja2 import Environment

#: global pages of a release, in the order of the menu, each with the scripts that it loads beside those of the frame
PAGES: dict[str, tuple[str, ...]] = {
    "index": ("tables.js", "index.js"),
    "matrix": ("tables.js", "matrix.js"),
    "try": (
        "runtime.js", "vocabulary.js", "library.js", "judge.js", "arguments.js", "form.js", "code.js", "paste.js",
        "nearest.js", "try.js",
    ),
    "glossary": (),
    "drift": ("tables.js", "drift.js"),
}  # fmt: skip
_TITLES = {"index": "operators"}  # of a page whose name is no word


@dataclass(frozen=True, slots=True)
class Frame:
    """What surrounds a page. What scripts alone can use, the search and the switches, scripts put there.

    Args:
        page: its file's name without language and ending.
        description: what search engines show of it.
        releases: each release that has the page.
    """

    lang: Lang
    release: str
    page: str
    title: str
    scripts: tuple[str, ...]
    releases: tuple[str, ...]
    description: str = ""
    root: str = "../"

    @property
    def other(self) -> str:
        """The page in the other language."""
        return f"{self.page}.{'en' if self.lang == 'zh' else 'zh'}.html"

    @property
    def home(self) -> str:
        """The list of operators."""
        return f"index.{self.lang}.html"

    @property
    def products(self) -> list[tuple[str, str]]:
        """The products of a filter."""
        return products_named(self.lang)

    @property
    def products_and_members(self) -> list[tuple[str, str]]:
        """Every product that a call can name."""
        names = [name for product in products.ids() for name in (product, *products.members(product))]
        return [(name, products.name(name, self.lang)) for name in names]


def menu(lang: Lang) -> list[tuple[str, str]]:
    """Each global page of a release and its title."""
    return [(name, WORDS[lang][_TITLES.get(name, name)]) for name in PAGES]


def products_named(lang: Lang) -> list[tuple[str, str]]:
    """Each product and its name."""
    return [(product, products.name(product, lang)) for product in products.ids()]


@functools.cache
def _environment() -> Environment:
    return environment(html=True)


def rendered(template: str, frame: Frame, **values: object) -> str:
    """A page."""
    return _environment().get_template(f"site/{template}.html.j2").render(f=frame, w=WORDS[frame.lang], **values)


def home(releases: Sequence[tuple[str, int]], lang: Lang) -> str:
    """The page that says what there is, and finds it in the newest release.

    Args:
        releases: each with the number of its operators, the oldest first.
    """
    template = _environment().get_template("site/home.html.j2")
    return template.render(releases=releases, newest=releases[-1][0], lang=lang, w=WORDS[lang])


def not_found(root: str) -> str:
    """The page that a server shows in place of one that it does not have.

    Args:
        root: the path of the site on its server: such a page may stand in for one of any folder.
    """
    return _environment().get_template("site/404.html.j2").render(root=root, langs=_langs())


def _langs() -> list[tuple[str, str, dict[str, str]]]:
    """Language, its tag, its words."""
    return [("en", "en", WORDS["en"]), ("zh", "zh-CN", WORDS["zh"])]


def style_of_pages() -> str:
    """The style that pages of operators have wherever they are shown."""
    return _environment().get_template("style.css.j2").render()
