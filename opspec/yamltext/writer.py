"""Plain data and comments to the one canonical text.

Two people who write the same data get the same bytes: block style with two spaces, lists of texts on one line while
they fit, texts plain where every YAML parser reads them back unchanged and in double quotes otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from opspec.errors import OpspecError, shown
from opspec.yamltext.document import UNREADABLE, Comments, Limits, Path, Tree
from opspec.yamltext.reader import escape

WIDTH = 120
"""Characters a line may have before a collection is spread over lines and a text is folded."""

# A key that is longer needs the explicit form: parsers look at most 1024 characters ahead for the colon.
_LONGEST_SIMPLE_KEY = 1000

_Quote: TypeAlias = Callable[[Path, str], bool]
_Flow: TypeAlias = Callable[[Path, Tree], bool]


def write(
    value: Tree,
    comments: Comments | None = None,
    *,
    quote: _Quote | None = None,
    flow: _Flow | None = None,
) -> str:
    """Write a tree of dict, list, str and None; ``read`` gives the same tree and the same comments back.

    Args:
        comments: comments by path. Those of a path that ``value`` does not have go to its nearest ancestor.
        quote: says which texts are double-quoted though they could stand plain.
        flow: says which mappings, and lists of more than texts, may stand on one line where they fit.

    Raises:
        OpspecError: the tree holds something else, is nested too deep, or a comment is not one line behind ``#``.
    """
    _check(value, (), Limits().depth)
    writer = _Writer(_kept(comments or Comments(), value), quote or _never, flow or _never)
    writer.node((), value, "", -2)
    return "\n".join(writer.lines) + "\n"


def _never(path: Path, value: object) -> bool:
    return False


# --- one text ---------------------------------------------------------------------------------------------------

# Other YAML readers make null of the last two, '=' is a type of its own in YAML 1.1, '<<' its merge key.
_MEANS_SOMETHING = frozenset({"", "~", "null", "Null", "NULL", "=", "<<"})
_PLAIN_START = re.compile(r"""[^\s\-?:,\[\]{}#&*!|>'"%@`]|-[^\s\-,\[\]{}?:#]""")
_PLAIN_STOP = re.compile(r"\s\#|:\s|:$|^\.\.\.|\t")
# Inside brackets, old parsers end a text at any of these.
_FLOW_STOP = re.compile(r"[,\[\]{}:?]")
_TO_ESCAPE = re.compile(f'{UNREADABLE.pattern}|["\\\\\t\n]')
_SINGLE_SPACE = re.compile("(?<! ) (?! )")


def is_plain(text: str, *, in_flow: bool) -> bool:
    """True if ``text`` without quotes is read as the same text."""
    return (
        text not in _MEANS_SOMETHING
        and _PLAIN_START.match(text) is not None
        and not text[-1].isspace()
        and "\n" not in text
        and not _PLAIN_STOP.search(text)
        and not UNREADABLE.search(text)
        and not (in_flow and _FLOW_STOP.search(text))
    )


def quoted(text: str) -> str:
    """``text`` in double quotes; only what must be escaped is."""
    return '"' + _TO_ESCAPE.sub(lambda match: escape(match.group()), text) + '"'


def _can_fold(text: str) -> bool:
    """True if breaking ``text`` at single spaces and folding it again changes nothing."""
    return (
        text != ""
        and not text[0].isspace()
        and not text[-1].isspace()
        and "\n" not in text
        and "\t" not in text
        and not UNREADABLE.search(text)
        and _SINGLE_SPACE.search(text) is not None
    )


def _folded(text: str, width: int) -> list[str]:
    """Lines of at most ``width`` characters where the words allow."""
    lines: list[str] = []
    for word in _SINGLE_SPACE.split(text):
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines


def _can_be_literal(text: str) -> bool:
    """True if the lines of ``text`` can stand as they are: nothing invisible that an editor would change."""
    return (
        "\n" in text
        and not text[0].isspace()
        and "\t" not in text
        and not UNREADABLE.search(text)
        and not any(line and line[-1].isspace() for line in text.split("\n"))
    )


# --- the tree ---------------------------------------------------------------------------------------------------


class _Writer:
    """Appends lines node by node.

    ``head`` is what stands on the line ahead of a value (``  key:`` or ``  -``, nothing at the root), ``column``
    that of its key or dash; two less than the column of its children.
    """

    def __init__(self, comments: Comments, quote: _Quote, flow: _Flow) -> None:
        self.lines: list[str] = []
        self.comments = comments
        self.quote = quote
        self.flow = flow
        paths = {*comments.before, *comments.trailing, *comments.after}
        self.has_comments_inside = {path[:end] for path in paths for end in range(len(path))}

    def node(self, path: Path, value: Tree, head: str, column: int) -> None:
        """Write a value with all of its comments."""
        margin = " " * (len(head) - len(head.lstrip(" ")))
        self.lines.extend(margin + text for text in self.comments.before.get(path, ()))
        if isinstance(value, (dict, list)):
            inline = self.inline(path, value, WIDTH - len(head.rpartition("\n")[2]) - 1)
            filled = self.filled(path, value, head, column) if inline is None else None
            if inline is not None:
                self.line(head, inline, self.comments.trailing.get(path, ""))
            elif filled is not None:
                self.lines.extend(filled)
            else:
                self.collection(path, value, head, column)
        else:
            self.scalar(path, value, head, column)
        indent = " " * (column + 2)
        self.lines.extend(indent + text for text in self.comments.after.get(path, ()))

    def line(self, head: str, text: str, trailing: str) -> None:
        """One line; ``head`` and ``trailing`` may be empty."""
        first = f"{head} {text}" if head and text else head + text
        self.lines.extend((f"{first}  {trailing}" if trailing else first).split("\n"))

    def collection(self, path: Path, value: dict[str, Tree] | list[Tree], head: str, column: int) -> None:
        """A mapping or list with one line or more for each child."""
        trailing = self.comments.trailing.get(path, "")
        start = " " * (column + 2)
        if head.endswith(":"):
            self.line(head, "", trailing)
            first = start
        else:  # the first child shares the line of the dash, where its own comment ends
            if trailing:
                self.lines.append(" " * (len(head) - len(head.lstrip(" "))) + trailing)
            first = f"{head} " if head else ""
        children = value.items() if isinstance(value, dict) else enumerate(value)
        for part, child in children:
            name = "-" if isinstance(part, int) else self.key(part, column + 2)
            self.node((*path, part), child, first + name, column + 2)
            first = start

    def key(self, key: str, column: int) -> str:
        """A key with its colon."""
        text = key if is_plain(key, in_flow=False) else quoted(key)
        return f"{text}:" if len(text) <= _LONGEST_SIMPLE_KEY else f"? {text}\n{' ' * column}:"

    def scalar(self, path: Path, text: str | None, head: str, column: int) -> None:
        """A text, over several lines if it has or needs them."""
        trailing = self.comments.trailing.get(path, "")
        inline = self.inline_scalar(path, text, in_flow=False)
        # A comment behind a block of text, as deep as the text, would become part of it.
        may_spread = bool(text) and path not in self.comments.after
        long = text is not None and len(head.rpartition("\n")[2]) + 1 + len(inline) > WIDTH and _can_fold(text)
        if text is None or not may_spread or (self.quote(path, text) and not long):
            self.line(head, inline, trailing)
            return
        indent = " " * max(column + 2, 2)
        if _can_be_literal(text):
            body = text.rstrip("\n")
            ends = len(text) - len(body)
            self.line(head, "|" + ("-", "", "+")[min(ends, 2)], trailing)
            self.lines.extend(indent + line if line else "" for line in body.split("\n"))
            self.lines.extend([""] * (ends - 1))
        elif long:
            self.line(head, ">-", trailing)
            self.lines.extend(indent + line for line in _folded(text, max(WIDTH - len(indent), 40)))
        else:
            self.line(head, inline, trailing)

    def inline_scalar(self, path: Path, text: str | None, *, in_flow: bool) -> str:
        """A text on one line."""
        if text is None:
            return "null"
        if is_plain(text, in_flow=in_flow) and not self.quote(path, text):
            return text
        return quoted(text)

    def inline(self, path: Path, value: Tree, room: int) -> str | None:
        """The value on one line, or None if it must not or does not fit there."""
        if not isinstance(value, (dict, list)):
            if value is not None and "\n" in value and not self.quote(path, value):
                return None  # it reads better as a block
            text = self.inline_scalar(path, value, in_flow=True)
            return text if len(text) <= room else None
        if not value:
            return "{}" if isinstance(value, dict) else "[]"
        texts_only = isinstance(value, list) and not any(isinstance(item, (dict, list)) for item in value)
        if path in self.has_comments_inside or not (texts_only or self.flow(path, value)):
            return None
        parts: list[str] = []
        left = room - 2
        for part, child in value.items() if isinstance(value, dict) else enumerate(value):
            head = "" if isinstance(part, int) else self.flow_key(part) + ": "
            item = self.inline((*path, part), child, left - len(head))
            if item is None:
                return None
            parts.append(head + item)
            left -= len(parts[-1]) + 2
        line = ", ".join(parts)
        return (f"{{{line}}}" if isinstance(value, dict) else f"[{line}]") if len(line) + 2 <= room else None

    def filled(self, path: Path, value: Tree, head: str, column: int) -> list[str] | None:
        """The lines of a list in brackets that fill line after line; None where an item needs its own.

        It holds texts, and among them lists of texts: a row of a table.
        """
        commented = path in self.has_comments_inside or path in self.comments.trailing
        if not isinstance(value, list) or commented or not self.is_row(path, value):
            return None
        indent = " " * (column + 4)
        items = [self.inline((*path, number), item, WIDTH - len(indent) - 2) for number, item in enumerate(value)]
        lines = [f"{head} ["]
        for item in items:
            if item is None:
                return None
            if lines[-1].endswith("["):
                lines[-1] += f"{item},"
            elif len(lines[-1]) + len(item) + 2 <= WIDTH:
                lines[-1] += f" {item},"
            else:
                lines.append(f"{indent}{item},")
        lines[-1] = lines[-1][:-1] + "]"
        return lines if len(lines[0]) <= WIDTH else None

    def is_row(self, path: Path, value: list[Tree]) -> bool:
        """Whether a list holds texts, or may stand in brackets and some of its texts are lists of them."""
        lists = [item for item in value if isinstance(item, list)]
        flat = not any(isinstance(part, (dict, list)) for item in lists for part in item)
        if any(isinstance(item, dict) for item in value) or not flat or len(lists) == len(value):
            return False
        return not lists or self.flow(path, value)

    def flow_key(self, key: str) -> str:
        """A key inside braces."""
        return key if is_plain(key, in_flow=True) else quoted(key)


# --- input ------------------------------------------------------------------------------------------------------


def _check(value: object, path: Path, depth: int) -> None:
    """Refuse what the reader would not give back."""
    where = ".".join(map(str, path))[:200] or "document"
    if isinstance(value, str):
        _check_text(value, where)
    elif isinstance(value, (dict, list)):
        if depth == 0:
            raise OpspecError(f"more than {len(path)} mappings and lists inside each other", where=where)
        for part, child in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(value, dict):
                if not isinstance(part, str):
                    raise OpspecError(f"a key must be text, not {shown(part)}", where=where)
                _check_text(part, where)
            _check(child, (*path, part), depth - 1)
    elif value is not None:
        raise OpspecError(f"only mappings, lists, text and None can be written, not {shown(value)}", where=where)


def _check_text(text: str, where: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise OpspecError(f"{shown(text)} has half of a surrogate pair, which no file can hold", where=where) from None


def _kept(comments: Comments, value: Tree) -> Comments:
    """The comments, those of vanished paths moved behind the nearest ancestor."""
    before: dict[Path, tuple[str, ...]] = {}
    trailing: dict[Path, str] = {}
    after: dict[Path, tuple[str, ...]] = {}
    for path, texts in _by_path(comments.before):
        if _exists(value, path):
            _add(before, value, _outermost(value, path), texts)
        else:
            _add(after, value, path, texts)
    for path, text in comments.trailing.items():
        _check_comment(text)
        if _exists(value, path):
            trailing[path] = text
        else:
            _add(after, value, path, (text,))
    for path, texts in _by_path(comments.after):
        _add(after, value, path, texts)
    return Comments(before, trailing, after)


def _by_path(comments: Mapping[Path, tuple[str, ...]]) -> list[tuple[Path, tuple[str, ...]]]:
    for texts in comments.values():
        for text in texts:
            _check_comment(text)
    return list(comments.items())


def _add(target: dict[Path, tuple[str, ...]], value: Tree, path: Path, texts: tuple[str, ...]) -> None:
    while not _exists(value, path):
        path = path[:-1]
    target[path] = target.get(path, ()) + texts


def _outermost(value: Tree, path: Path) -> Path:
    """The list item that starts where ``path`` starts: a comment ahead of both is the item's."""
    while len(path) > 1 and isinstance(path[-2], int):
        parent: Tree = _at(value, path[:-1])
        if path[-1] != (0 if isinstance(parent, list) else next(iter(parent or ()))):
            break
        path = path[:-1]
    return path


def _exists(value: Tree, path: Path) -> bool:
    try:
        _at(value, path)
    except (KeyError, IndexError, TypeError):
        return False
    return True


def _at(value: Tree, path: Path) -> Tree:
    node: Any = value
    for part in path:
        if isinstance(node, str):
            raise TypeError  # a text has no parts
        node = node[part]
    found: Tree = node
    return found


def _check_comment(text: str) -> None:
    if not text.startswith("#") or "\n" in text or UNREADABLE.search(text):
        raise OpspecError(f"a comment must be one line that starts with '#', not {shown(text)}")
