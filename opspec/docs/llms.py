"""``llms.txt`` of a site: where programs that read text find the page of each operator, and how to ask opspec."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

ABOUT = (
    "Documented rules of Ascend CANN aclnn operators: params, dtypes and formats by product, shapes, constraints, "
    "return codes, and what the runtime makes of each rule. Pages are made of machine-readable specs."
)
ASKING = (
    "A program can ask instead of reading: `opspec check` judges a call, `opspec example OP` prints a legal one, "
    "`opspec mcp` serves both as tools."
)


class Linked(NamedTuple):
    """A page that is listed.

    Args:
        link: as it is reached from where the text lies.
    """

    title: str
    link: str
    about: str = ""


def llms(operators: Mapping[str, Iterable[Linked]], guides: Iterable[Linked] = ()) -> str:
    """The text: guides first, then the operators of each family.

    Args:
        operators: family -> pages of its operators.
        guides: pages for people who use opspec.
    """
    sections = {"Guides": list(guides), **{name: list(pages) for name, pages in sorted(operators.items())}}
    listed = [f"## {_line(name)}\n\n{_listed(pages)}" for name, pages in sections.items() if pages]
    return "\n".join([f"# opspec\n\n> {ABOUT}\n\n{ASKING}\n", *listed])


def _listed(pages: Iterable[Linked]) -> str:
    return "".join(
        f"- [{_title(page.title)}]({page.link}){f': {_line(page.about)}' if page.about else ''}\n" for page in pages
    )


def _line(text: str) -> str:
    return " ".join(text.split())


def _title(text: str) -> str:
    return re.sub(r"([\[\]])", r"\\\1", _line(text))
