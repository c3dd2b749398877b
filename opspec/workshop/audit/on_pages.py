"""Checks of a page as a whole: its title, headings, tables and links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from opspec.workshop.audit.model import Hit
from opspec.workshop.audit.subject import Subject, fold

_SECTION = re.compile(r"^(?:产品支持情况|支持的产品型号|功能说明|函数原型|约束说明|aclnn\w+GetWorkspaceSize)$")
_LINK = re.compile(r"(?:\]\(|href=[\"'])([^)\"'\s#]{1,300})")


def title(subject: Subject) -> Iterator[Hit]:
    """A page that begins with a title that names no operator, or with none."""
    top = next((block for block in subject.blocks if block.kind == "heading"), None)
    if subject.is_whole and not (top is not None and top.indent == 1 and "aclnn" in top.text):
        yield Hit(1, expected="&".join(item.operator for item in subject.functions if item.two_phase))


def file_name(subject: Subject) -> Iterator[Hit]:
    """A file whose name is not that of its operators."""
    named = set(re.findall(r"aclnn[A-Za-z0-9_]+", subject.stem))
    if named and subject.page.operators and named != set(subject.page.operators):
        yield Hit(1, subject.stem, "&".join(subject.page.operators))


def heading(subject: Subject) -> Iterator[Hit]:
    """A heading that names a function that is none of this page's."""
    own = {item.operator for item in subject.functions}
    known = {name for operator in own for name in (operator, f"{operator}GetWorkspaceSize")}
    for section in subject.page.sections.values():
        name = section.function
        declared = name in subject.page.prototypes and any(name.startswith(operator) for operator in own)
        if own and name not in known and not declared:
            yield Hit(section.line, name, _nearest(name, known))


def _nearest(name: str, known: set[str]) -> str:
    """The function of the page that a heading stands for."""
    same = [other for other in known if fold(other) == fold(name)]
    phase = [
        other for other in sorted(known) if other.endswith("WorkspaceSize") == name.lower().endswith("workspacesize")
    ]
    return (same or phase or [""])[0]


def section_missing(subject: Subject) -> Iterator[Hit]:
    """A phase without a section of its own, and no heading that could be meant for it."""
    if not subject.is_whole or any(True for _ in heading(subject)):
        return
    for item in subject.functions:
        for name in (f"{item.operator}GetWorkspaceSize", item.operator):
            prototype = subject.page.prototypes.get(name)
            if item.two_phase and prototype and name not in subject.page.sections and not _stands(subject, name):
                yield Hit(prototype.line, expected=name, operator=item.operator)


def _stands(subject: Subject, name: str) -> bool:
    """Whether anything below the title reads like a heading of a function, of whatever level or form."""
    below = [block for block in subject.blocks if block.kind in ("heading", "text")][1:]
    return any(re.sub(r"[^\w]", "", block.text) == name for block in below)


def level(subject: Subject) -> Iterator[Hit]:
    """A section of every page, or of a function, whose heading is not of level 2: one hit for a page."""
    for block in subject.blocks:
        if block.kind == "heading" and block.indent != 2 and _SECTION.match(re.sub(r"\s", "", block.text)):
            yield Hit(block.line, "#" * block.indent, "##")
            break


def two_pages(subject: Subject) -> Iterator[Hit]:
    """An operator that another page describes too."""
    for operator in subject.page.operators:
        for other in subject.corpus.operators.get(operator, ()):
            if other != subject.document:
                yield Hit(1, other, operator=operator)


def link(subject: Subject) -> Iterator[Hit]:
    """A link to an operator's page that is not among the pages audited."""
    if not subject.corpus.whole:
        return
    for number, line in enumerate(subject.lines, 1):
        for target in _LINK.findall(line):
            name = unquote(target.rsplit("/", 1)[-1])
            if re.fullmatch(r"aclnn[A-Z]\w*(?:&aclnn\w+)*\.md", name) and name not in subject.corpus.names:
                yield Hit(number, target)


def table_open(subject: Subject) -> Iterator[Hit]:
    """A table that is not closed."""
    for block in subject.blocks:
        if block.table is not None and not block.table.closed:
            yield Hit(block.line)


def few_cells(subject: Subject) -> Iterator[Hit]:
    """A row of a param table that has fewer cells than its head."""
    for line, what in subject.page.faults:
        found = re.search(r"the row of (\S+).* has (\d+) of (\d+) cells", what)
        if found:
            name = re.split(r"[（(]", found[1])[0]
            yield Hit(subject.line_of(line, name), found[2], found[3], name)


def no_name(subject: Subject) -> Iterator[Hit]:
    """A row of a param table that names no param."""
    for line, what in subject.page.faults:
        if "names no param" in what:
            yield Hit(_place(subject, line, what), what.partition(": ")[2].strip("'")[:40])


def _place(subject: Subject, line: int, what: str) -> int:
    return subject.line_of(line, *re.findall(r"[A-Za-z_]\w*", what.partition(": ")[2])[:1])
