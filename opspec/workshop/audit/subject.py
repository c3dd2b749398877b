"""A page as the checks see it: the importer's model, the source, and prototype and table of each operator together."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from opspec.errors import OpspecError
from opspec.workshop.importer import assemble, blocks, lexicon, prototypes, tables
from opspec.workshop.importer.blocks import Block
from opspec.workshop.importer.draft import Draft, ParamDraft
from opspec.workshop.importer.facts import bullet_cells
from opspec.workshop.importer.page import Page, ParamRow, Section, document_of, parse_page, text_of
from opspec.workshop.importer.prototypes import CParam, Prototype

IMPLIED = assemble.IMPLIED - {"workspace_size"}  # prototypes spell it otherwise: readers may be told
MOST_PROTOTYPES = 500  # of one page, with calls; pages of the corpus have some dozen
_DECLARED = re.compile(r"\baclnn\w{1,120}\s*\(")
MOST_NESTED = 50  # tables that are never closed count, too
_TABLE = re.compile(r"<(/?)table\b", re.I)
_FAR = 3000  # lines below a table's first that its rows are looked for


@dataclass(slots=True)
class Function:
    """An operator's interface as a page shows it.

    Args:
        first: the prototype of its first phase, or of its only one.
        section: the section that describes the params.
        matched: row name -> param name, close spellings included.
    """

    operator: str
    first: Prototype | None
    second: Prototype | None
    section: Section | None
    two_phase: bool
    params: dict[str, CParam] = field(default_factory=dict)
    matched: dict[str, str] = field(default_factory=dict)

    @property
    def rows(self) -> list[ParamRow]:
        """The rows on params of its own."""
        return [row for row in self.section.rows if row.name.lower() not in IMPLIED] if self.section else []

    def typed_rows(self) -> Iterator[tuple[ParamRow, CParam]]:
        """Rows with the params that they describe."""
        for row in self.rows:
            param = self.params.get(self.matched.get(row.name, ""))
            if param is not None:
                yield row, param


@dataclass(slots=True)
class Corpus:
    """The pages that are audited together.

    Args:
        names: file name -> documents that have it.
        operators: operator -> documents whose titles name it.
        listed: product id -> number of pages whose tables list it; of ``pages`` in all.
        whole: whether a link to a page that is not among them leads nowhere.
    """

    names: dict[str, list[str]] = field(default_factory=dict)
    operators: dict[str, list[str]] = field(default_factory=dict)
    whole: bool = False
    listed: Counter[str] = field(default_factory=Counter)
    pages: int = 0


@dataclass(slots=True)
class Subject:
    """A page to be audited."""

    document: str
    page: Page
    lines: list[str]
    blocks: list[Block]
    functions: list[Function]
    corpus: Corpus

    @property
    def stem(self) -> str:
        """The page's file name without its ending."""
        return Path(self.document).stem

    @property
    def is_whole(self) -> bool:
        """Whether it has sections: scraped text has none, and some pages only lead elsewhere."""
        return any(block.kind == "heading" and block.indent == 2 for block in self.blocks)

    def line_of(self, start: int, *tokens: str) -> int:
        """The first line from ``start`` on that has one of the tokens as a word; ``start`` when none has."""
        patterns = [_word(token) for token in tokens if token]
        for i in range(max(start - 1, 0), min(len(self.lines), start + _FAR)):
            if any(pattern.search(self.lines[i]) for pattern in patterns):
                return i + 1
        return start

    def _cell_line(self, row: ParamRow) -> int:
        """Where a cell or an item begins with the row's name; otherwise where the name stands first."""
        begins = re.compile(rf"(?:<t[dh][^<>]*>|\||^\s*[-*+])[^A-Za-z0-9]{{0,6}}{_word(row.name).pattern}")
        for i in range(max(row.line - 1, 0), min(len(self.lines), row.line + _FAR)):
            if begins.search(self.lines[i]):
                return i + 1
        return self.line_of(row.line, row.name)

    def row_line(self, row: ParamRow, *tokens: str) -> int:
        """Where a row stands; with tokens, the line within it that has one of them."""
        line = self._cell_line(row)
        return self.line_of(line, *tokens) if tokens else line


@functools.lru_cache(4096)
def _word(token: str) -> re.Pattern[str]:
    escaped = r"\\?_".join(map(re.escape, token.split("_")))  # Markdown may escape it
    return re.compile(rf"(?<![A-Za-z0-9_]){escaped}(?![A-Za-z0-9_])")


def read(path: Path, corpus: Corpus) -> Subject:
    """The page in a file.

    Raises:
        OpspecError: it cannot be read, is no text, or is no page at all.
    """
    return parse(text_of(path), document_of(path), corpus, str(path))


def parse(text: str, document: str, corpus: Corpus | None = None, where: str = "") -> Subject:
    """The page of a text.

    Raises:
        OpspecError: it is larger than any page, or has nothing of a page.
    """
    where = where or document
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise OpspecError("expected a page, found an empty file", where=where)
    if sum(1 for _ in _DECLARED.finditer(text)) > MOST_PROTOTYPES:
        raise OpspecError(f"expected a page with at most {MOST_PROTOTYPES} prototypes", where=where)
    if tables.depth(text, _TABLE) > MOST_NESTED:
        raise OpspecError(f"expected tables nested at most {MOST_NESTED} deep", where=where)
    found = blocks.read(text, where)
    page = parse_page(text, document, where)
    if not (page.operators or page.sections or page.prototypes):
        raise OpspecError(
            "not a page of an aclnn operator: it names none in its title, headings or prototypes", where=where
        )
    page.prototypes = _prototypes(text)
    page.operators = page.operators or list(dict.fromkeys(item.operator for item in page.prototypes.values()))
    subject = Subject(document, page, text.split("\n"), found, [], corpus or Corpus())
    subject.functions = [_function(page, operator) for operator in page.operators]
    subject.functions += _helpers(page, subject.functions)
    return subject


def _prototypes(text: str) -> dict[str, Prototype]:
    """The prototypes by function. Read from the source: in running text the importer takes ``**`` for emphasis."""
    result: dict[str, Prototype] = {}
    for prototype in prototypes.find(re.sub(r"\\([_*])", r"\1", text.replace("`", " ").replace("\r", "")), 1):
        result.setdefault(prototype.function, prototype)
    return result


def _function(page: Page, operator: str) -> Function:
    first = page.prototypes.get(f"{operator}GetWorkspaceSize")
    second = page.prototypes.get(operator)
    two_phase = first is not None or second is None or second.stream is not None
    if not two_phase:
        first, second = second, None
    made = Function(operator, first, second, assemble.section_of(page, operator, first), two_phase)
    if made.section is not None:
        _match(made, page, made.section)
    else:
        made.params = {param.name: param for param in first.own} if first else {}
    return made


def _match(item: Function, page: Page, section: Section) -> None:
    """Fills in the params of a function and which row describes which."""
    item.section = _with_cells(section)
    item.params = {param.name: param for param in item.first.own} if item.first else {}
    draft = Draft(item.operator, page.document)
    draft.params = {name: ParamDraft(name, param.ctype or "") for name, param in item.params.items()}
    item.matched = assemble.match_rows(draft, item.section)


def _helpers(page: Page, known: list[Function]) -> list[Function]:
    """Functions beside the two phases of an operator that have a prototype and a section of their own."""
    phases = {name for item in known for name in (item.operator, f"{item.operator}GetWorkspaceSize")}
    made = []
    for name, prototype in page.prototypes.items():
        section = page.sections.get(name)
        if name not in phases and section is not None:
            item = Function(name, prototype, None, None, two_phase=False)
            _match(item, page, section)
            made.append(item)
    return made


def _with_cells(section: Section) -> Section:
    """A section whose bullets are sorted into cells, as those of a table are."""
    if section.form == "bullets":
        section.rows = [bullet_cells(row) for row in section.rows]
    return section


def words(text: str) -> list[str]:
    """The identifiers of a text, in order."""
    return re.findall(r"(?<![A-Za-z0-9_])[A-Za-z_][A-Za-z0-9_]*", text)


def fold(name: str) -> str:
    """A name without what spellings differ in: case and underscores."""
    return name.replace("_", "").lower()


def is_vocabulary(word: str) -> bool:
    """Whether a word is the name of a dtype or a format."""
    return lexicon.dtype(word) is not None or lexicon.format_(word) is not None
