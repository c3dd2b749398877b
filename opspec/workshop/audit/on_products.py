"""Checks of the table of products, and of the rest of the page against it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opspec.errors import OpspecError
from opspec.vocabulary import products
from opspec.workshop.audit.model import Hit
from opspec.workshop.audit.subject import Subject
from opspec.workshop.importer.facts import scoped_lines
from opspec.workshop.importer.page import Scope
from opspec.workshop.importer.tables import Table

_USUAL, _ENOUGH = 0.9, 20  # share of the pages that list a usual product; fewer pages tell nothing
_NO_RULE = re.compile(r"不支持(?:此|该|本)?(?:算子|接口|产品|系列)?[。；;]?$|^(?:暂|当前|目前)?不支持[。；;]?$")


def unknown_product(subject: Subject) -> Iterator[Hit]:
    """A row whose name is no product."""
    for line, name, _ in _rows(subject):
        if name and not _ids(name):
            yield Hit(subject.line_of(line, *re.findall(r"[A-Za-z0-9]+", name)[-1:]), name[:60])


def no_mark(subject: Subject) -> Iterator[Hit]:
    """A row that marks its product neither as supported nor as not."""
    for line, what in subject.page.faults:
        if what.startswith("neither yes nor no"):
            yield Hit(line, what.partition(": ")[2].strip("'"), "√ / ×")


def _table(subject: Subject) -> Table | None:
    """The table under the heading on products."""
    inside = False
    for block in subject.blocks:
        if block.kind == "heading" and block.indent == 2:
            inside = re.sub(r"\s", "", block.text).startswith(("产品支持", "支持的产品"))
        elif inside and block.table is not None:
            return block.table
    return None


def _rows(subject: Subject) -> Iterator[tuple[int, str, str]]:
    table = _table(subject)
    for row in table.rows[1:] if table is not None else ():
        if len(row) >= 2:
            yield table.line if table else 1, row[0].text.rstrip("。；;"), row[-1].text.strip()


def _ids(name: str) -> list[str]:
    try:
        return [member or product for product, member in products.resolve_all(name)]
    except OpspecError:
        return []


def listed(subject: Subject) -> set[str]:
    """The products that a page's table lists."""
    return {products.owner(product) for _, name, _ in _rows(subject) for product in _ids(name)}


def missing(subject: Subject) -> Iterator[Hit]:
    """A table that leaves products out that nearly all pages audited together list."""
    corpus, named = subject.corpus, listed(subject)
    usual = [name for name in products.ids() if corpus.listed[name] >= _USUAL * corpus.pages]
    absent = [name for name in usual if name not in named]
    if named and absent and corpus.pages >= _ENOUGH:
        yield Hit(subject.page.support_line, ", ".join(sorted(named)), ", ".join(absent))


def no_table(subject: Subject) -> Iterator[Hit]:
    """A page that says nothing of products."""
    if subject.is_whole and not subject.page.support and not any(True for _ in _rows(subject)):
        yield Hit(subject.page.support_line or 1)


def contradiction(subject: Subject) -> Iterator[Hit]:
    """Two rows on one product with different marks."""
    marks: dict[str, str] = {}
    for line, name, mark in _rows(subject):
        for product in _ids(name):
            if marks.setdefault(product, mark) != mark:
                yield Hit(line, f"{marks[product]} {mark}", param=product)


def unsupported(subject: Subject) -> Iterator[Hit]:
    """A product that the table marks as unsupported while the text has rules or notes for it."""
    seen: set[str] = set()
    for line, scope, text in _scoped(subject):
        for product in scope:
            if product not in seen and _support(subject, product) == "no" and not _NO_RULE.search(text):
                seen.add(product)
                yield Hit(line, product, "√", param=product)


def _support(subject: Subject, product: str) -> str | None:
    support = subject.page.support
    return support.get(product) or support.get(products.owner(product))


def _scoped(subject: Subject) -> Iterator[tuple[int, Scope, str]]:
    """What the page says of some products alone, with its line."""
    page = subject.page
    for statement in (*page.function, *page.constraints):
        yield statement.line, statement.scope, statement.text
    for section in page.sections.values():
        for statement in section.notes:
            yield statement.line, statement.scope, statement.text
        for row in section.rows:
            for lines in row.cells.values():
                for scope, text in scoped_lines(lines):
                    if scope:
                        yield subject.row_line(row), scope, text
