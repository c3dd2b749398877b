"""Untrusted YAML text to a :class:`Document`.

The reader consumes parser events one by one, so no depth of nesting can exhaust the stack. PyYAML parses with
libyaml where that is built in and with Python code otherwise; where the two disagree, the reader refuses the text,
so that a spec means the same everywhere.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, NoReturn, TypeAlias

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from opspec.errors import shown
from opspec.files import read_bytes
from opspec.yamltext.collector import Collector, Frame
from opspec.yamltext.document import (
    UNREADABLE,
    Document,
    Limits,
    Path,
    Place,
    SpecTextError,
    Tree,
    caret,
)

LIMITS = Limits()

NULLS = frozenset({"", "~", "null"})

_SURROGATE = re.compile("[\ud800-\udfff]")
# Between tokens: a comment, the marks that start an item or an explicit key, and the tab, which libyaml takes for
# white space and PyYAML's Python parser does not.
_GAP = re.compile(r"#[^\n]*|[-?\t]")
_LOOSE_COLON = re.compile(r"\s*:(?=[,\[\]{}])")
_BLOCK_TAB = re.compile(r"\n *\t")


def read(text: str | bytes, name: str, *, limits: Limits = LIMITS, pure: bool = False) -> Document:
    """Read one YAML document as data.

    All scalars are text; a plain ``null``, ``~`` or nothing at all is None. Keys are always text.

    Args:
        text: the document; bytes must be UTF-8.
        name: the name of the text in errors.
        pure: parse without libyaml even where it is available; the result is the same.

    Raises:
        SpecTextError: the text is not one document of mappings, lists and texts within ``limits``.
    """
    source = _decoded(text, name, limits)
    builder = _Builder(source, name, limits)
    for event in _events(source, name, pure):
        builder.take(event)
    return builder.document()


def read_file(path: str | os.PathLike[str], *, limits: Limits = LIMITS) -> Document:
    """Read the document in a file; a file that cannot be read is an :class:`OpspecError`, too."""
    name = os.fspath(path)
    return read(read_bytes(name, limits.size + 1), name, limits=limits)


# --- text -------------------------------------------------------------------------------------------------------


def fail(source: str, name: str, line: int, column: int, message: str) -> NoReturn:
    """Raise the error at a place (1-based) of the text."""
    text = source.split("\n", line)[line - 1] if line <= source.count("\n") + 1 else ""
    where = f"{name}:{line}:{column}"
    raise SpecTextError(" ".join(message.split()), where=where, caret=caret(text, column))


def _fail_at_index(source: str, name: str, index: int, message: str) -> NoReturn:
    line_start = source.rfind("\n", 0, index) + 1
    fail(source, name, source.count("\n", 0, index) + 1, index - line_start + 1, message)


def _decoded(text: str | bytes, name: str, limits: Limits) -> str:
    """The text with plain line ends and without byte order mark, known to be of readable characters only."""
    size = len(text) if isinstance(text, bytes) or len(text) > limits.size else len(text.encode(errors="replace"))
    if size > limits.size:
        message = f"larger than the {limits.size:,} bytes that a document may have"
        raise SpecTextError(message, where=f"{name}:1:1", caret="")
    if isinstance(text, bytes):
        try:
            source = text.decode("utf-8")
        except UnicodeDecodeError as error:
            before = text[: error.start].decode("utf-8")
            line = before + text[error.start :].decode("utf-8", "replace").partition("\n")[0]
            _fail_at_index(line, name, len(before), f"not UTF-8 text: byte 0x{text[error.start]:02x}")
    else:
        source = text
    source = source.removeprefix("\ufeff").replace("\r\n", "\n")
    if not source.endswith("\n"):  # an editor that leaves it out must not change a block of text
        source += "\n"
    bad = UNREADABLE.search(source)
    if bad:
        char = bad.group()
        _fail_at_index(
            source,
            name,
            bad.start(),
            f"character U+{ord(char):04X} must not stand in a document; "
            f'inside double quotes, write it as "{escape(char)}"',
        )
    return source


def escape(char: str) -> str:
    """The escape sequence of one character in double quotes, readable by YAML 1.1 and 1.2."""
    short = _ESCAPES.get(char)
    if short:
        return short
    code = ord(char)
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


_ESCAPES = {"\\": "\\\\", '"': '\\"', "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "\\0"}


# --- events -----------------------------------------------------------------------------------------------------


def _events(source: str, name: str, pure: bool) -> Iterator[Event]:
    """The parser's events; what the parser refuses becomes a :class:`SpecTextError`."""
    loader: Any = (yaml.BaseLoader if pure else getattr(yaml, "CBaseLoader", yaml.BaseLoader))(source)
    try:
        while True:
            try:
                event = loader.get_event()
            except yaml.MarkedYAMLError as error:
                _syntax_error(source, name, error)
            except (yaml.YAMLError, ValueError, OverflowError) as error:
                # ValueError and OverflowError: the Python parser calls chr() and int() on what the text says.
                mark = loader.get_mark() if isinstance(loader, yaml.BaseLoader) else None
                line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
                fail(source, name, line, column, f"not valid YAML: {_BAD_NUMBER.get(type(error), str(error))}")
            if event is None:
                return
            yield event
    finally:
        loader.dispose()


_BAD_NUMBER: dict[type[Exception], str] = {
    ValueError: "a number in an escape or a directive is out of range",
    OverflowError: "a number in an escape or a directive is out of range",
}


def _syntax_error(source: str, name: str, error: yaml.MarkedYAMLError) -> NoReturn:
    mark = error.problem_mark or error.context_mark
    line, column, index = (mark.line, mark.column, mark.index) if mark else (0, 0, 0)
    if source[index : index + 1] == "\t":
        fail(source, name, line + 1, column + 1, _TAB)
    if source[index : index + 1] == "?":
        fail(source, name, line + 1, column + 1, _QUESTION)
    message = f"not valid YAML: {error.problem or error.context or 'unknown problem'}"
    if error.context and error.problem:
        start = error.context_mark
        since = f" that starts at line {start.line + 1}" if start and start.line != line else ""
        message += f" ({error.context}{since})"
    fail(source, name, line + 1, column + 1, message)


_TAB = "tab outside of quotes; indent and separate with spaces"
_QUESTION = "quote a text with '?' inside brackets: YAML reads it as the mark of a key"
_MARKS = {
    "&": "anchors are not allowed: write the value out where it is needed, or use 'same as'",
    "*": "aliases are not allowed: write the value out, or use 'same as'; quote a text that starts with '*'",
    "!": "tags are not allowed: every scalar is text; quote a text that starts with '!'",
}


_Event: TypeAlias = Any  # PyYAML's stubs make every mark optional; events of a parser have them


class _Builder:
    """Builds the tree from events, and hands the gaps between them to the comment collector."""

    def __init__(self, source: str, name: str, limits: Limits) -> None:
        self.source = source
        self.name = name
        self.limits = limits
        self.has_tabs = "\t" in source
        self.position = 0  # end of the last token
        self.nodes = 0
        self.documents = 0
        self.root: Tree = None
        self.stack: list[Frame] = []
        self.places: dict[Path, Place] = {}
        self.key_places: dict[Path, Place] = {}
        self.comments = Collector(self.stack)

    def take(self, event: _Event) -> None:
        """Account for the next event."""
        index = event.start_mark.index
        # The parsers put the empty value of "{a: }" at different places: the next token accounts for the gap.
        if index > self.position and not (
            index == event.end_mark.index and self.stack and self.stack[-1].flow and isinstance(event, ScalarEvent)
        ):
            self._gap(index, event)
        handler = self._HANDLERS.get(type(event))
        if handler:
            handler(self, event)

    def document(self) -> Document:
        """The result, after the last event."""
        if not self.documents:
            fail(self.source, self.name, 1, 1, "the text has no document; at least one key is expected")
        comments = self.comments.finished()
        return Document(self.name, self.root, self.places, self.key_places, comments, self.source)

    def _fail(self, mark: Any, message: str) -> NoReturn:
        fail(self.source, self.name, mark.line + 1, mark.column + 1, message)

    def _gap(self, end: int, event: _Event) -> None:
        """Find the comments between the last token and ``end``."""
        source = self.source
        for match in _GAP.finditer(source, self.position, end):
            char = source[match.start()]
            if char == "#":
                line_start = source.rfind("\n", 0, match.start()) + 1
                ahead = source[line_start : match.start()].strip()
                ends_collection = isinstance(event, (MappingEndEvent, SequenceEndEvent))
                self.comments.add(
                    match.group().rstrip(),
                    match.start() - line_start,
                    own_line=ahead in ("", "---", "..."),
                    closing=ends_collection,
                )
            elif char == "\t":
                _fail_at_index(source, self.name, match.start(), _TAB)
            elif char == "-":
                self.comments.dash()
            else:
                self.comments.question()
        self.position = end

    # -- one method per event --

    def _document_start(self, event: _Event) -> None:
        self.documents += 1
        if self.source.startswith("%", event.start_mark.index):
            self._fail(event.start_mark, "directives are not allowed")
        if self.documents > 1:
            self._fail(event.start_mark, "a second document starts here; a file holds exactly one")

    def _node(self, event: _Event, *, empty: bool = False) -> Path:
        """What all keys and values have in common; gives the value's path."""
        mark = event.start_mark
        char = self.source[mark.index : mark.index + 1]
        if char in _MARKS:  # no token without an anchor, alias or tag starts with these
            self._fail(mark, _MARKS[char])
        self.nodes += 1
        if self.nodes > self.limits.nodes:
            self._fail(mark, f"more than {self.limits.nodes:,} keys and values in one document")
        path = self.stack[-1].next_path() if self.stack else ()
        if empty and path in self.key_places:
            self.places[path] = self.key_places[path]  # nothing to point at: the parsers differ here, too
        else:
            self.places[path] = Place(mark.line + 1, mark.column + 1)
        return path

    def _scalar(self, event: _Event) -> None:
        value: str = event.value
        plain = not event.style
        self._check_scalar(event, value, plain)
        frame = self.stack[-1] if self.stack else None
        if frame is not None and frame.wants_key:
            self._key(frame, event, value, plain)
        else:
            path = self._node(event, empty=event.start_mark.index == event.end_mark.index)
            self._attach(None if plain and value in NULLS else value)
            self.comments.value(path)
        if event.end_mark.index > event.start_mark.index:
            self.position = event.end_mark.index
        if event.style in ("|", ">"):
            self._block_header(event)

    def _key(self, frame: Frame, event: _Event, value: str, plain: bool) -> None:
        mark = event.start_mark
        if plain and value == "":
            self._fail(mark, 'a key is expected; write the empty key as ""')
        if plain and value == "<<":
            self._fail(mark, "merge keys are not allowed: write the entries out, or use 'same as'")
        path = (*frame.path, value)
        earlier = self.key_places.get(path)
        if earlier:
            self._fail(
                mark,
                f"key {shown(value)} stands twice in one mapping, on line {earlier.line} and on line {mark.line + 1}",
            )
        frame.key = value
        self._node(event)
        del self.places[path]  # the value's place follows
        self.key_places[path] = Place(mark.line + 1, mark.column + 1)
        self.comments.key(path)

    def _start(self, event: _Event) -> None:
        mark = event.start_mark
        if self.stack and self.stack[-1].wants_key:
            self._fail(mark, "a key must be text, not a mapping or a list")
        if len(self.stack) >= self.limits.depth:
            self._fail(mark, f"more than {self.limits.depth} mappings and lists inside each other")
        path = self._node(event)
        value: Tree = {} if isinstance(event, MappingStartEvent) else []
        self._attach(value)
        frame = Frame(path, value, flow=bool(event.flow_style), column=mark.column)
        self.stack.append(frame)
        self.comments.opened(frame)
        if frame.flow:
            self.position = max(self.position, event.end_mark.index)

    def _end(self, event: _Event) -> None:
        frame = self.stack.pop()
        if frame.flow:
            self.position = max(self.position, event.end_mark.index)
        self.comments.closed(frame)

    def _alias(self, event: _Event) -> None:
        self._fail(event.start_mark, _MARKS["*"])

    _HANDLERS: ClassVar[dict[type[Event], Callable[[_Builder, _Event], None]]] = {
        DocumentStartEvent: _document_start,
        ScalarEvent: _scalar,
        MappingStartEvent: _start,
        SequenceStartEvent: _start,
        MappingEndEvent: _end,
        SequenceEndEvent: _end,
        AliasEvent: _alias,
    }

    # -- helpers --

    def _attach(self, value: Tree) -> None:
        if self.stack:
            self.stack[-1].put(value)
        else:
            self.root = value

    def _check_scalar(self, event: _Event, value: str, plain: bool) -> None:
        if len(value) > self.limits.scalar:
            self._fail(event.start_mark, f"a text longer than {self.limits.scalar:,} characters")
        start, end = event.start_mark.index, event.end_mark.index
        if event.style == '"' and _SURROGATE.search(value):  # libyaml refuses it itself
            self._fail(event.start_mark, "half of a surrogate pair is not a character; write \\U and 8 digits")
        if plain and self.stack and self.stack[-1].flow:
            self._check_plain_in_flow(start, end)
        if self.has_tabs:
            self._check_tabs(event, start, end)

    def _check_plain_in_flow(self, start: int, end: int) -> None:
        """Refuse what only one of the two parsers can read."""
        mark = self.source.find("?", start, end)
        if mark >= 0:
            _fail_at_index(self.source, self.name, mark, _QUESTION)
        colon = _LOOSE_COLON.match(self.source, end)
        if colon:
            _fail_at_index(self.source, self.name, colon.end() - 1, "a space is missing behind ':'")

    def _check_tabs(self, event: _Event, start: int, end: int) -> None:
        if not event.style:
            tab = self.source.find("\t", start, end)
        elif event.style in ("|", ">"):
            inner = _BLOCK_TAB.search(self.source, start, end)
            head = self.source[start : self.source.find("\n", start)].partition("#")[0].find("\t")
            tab = start + head if head >= 0 else inner.end() - 1 if inner else -1
        else:
            tab = -1
        if tab >= 0:
            _fail_at_index(self.source, self.name, tab, _TAB)

    def _block_header(self, event: _Event) -> None:
        """A comment behind ``>-`` lies inside the token."""
        start = event.start_mark.index
        end = self.source.find("\n", start)
        head, sign, rest = self.source[start : end if end >= 0 else None].partition("#")
        if sign and not head[-1].isspace():
            self._fail(event.start_mark, f"a space is missing ahead of '#' behind {head!r}")
        if sign:
            self.comments.add(sign + rest.rstrip(), event.start_mark.column + len(head), own_line=False, closing=False)
