"""Which node a comment belongs to.

A comment behind something on its line belongs to that node. A comment on a line of its own belongs to the node
that follows, unless it is indented deeper than a node that it closes: then it speaks of that one::

    let:
      a: b
        # behind let.a
      # behind let
    # before params
    params: …
"""

from __future__ import annotations

from dataclasses import dataclass

from opspec.yamltext.document import Comments, Path, Tree


class Frame:
    """A mapping or list that is open."""

    __slots__ = ("column", "flow", "key", "last", "path", "value")

    def __init__(self, path: Path, value: Tree, *, flow: bool, column: int) -> None:
        self.path = path
        self.value = value
        self.flow = flow
        self.column = column  # of the keys, or of the dashes
        self.key: str | None = None  # the key whose value is awaited
        self.last: Path | None = None  # the newest complete child

    @property
    def wants_key(self) -> bool:
        """The next node is a key."""
        return self.key is None and isinstance(self.value, dict)

    def next_path(self) -> Path:
        """The path of the value that comes next."""
        if isinstance(self.value, list):
            return (*self.path, len(self.value))
        return (*self.path, self.key or "")

    def put(self, value: Tree) -> None:
        """Add the value that was awaited."""
        self.last = None  # incomplete until it is closed
        if isinstance(self.value, list):
            self.value.append(value)
        elif isinstance(self.value, dict):
            self.value[self.key or ""] = value
        self.key = None


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A comment that waits for the node after it, and the nodes before it that it may belong to instead."""

    text: str
    column: int
    candidates: tuple[tuple[Path, int], ...]  # path and column, outermost first


class Collector:
    """Follows the builder's stack and assigns comments to paths."""

    def __init__(self, stack: list[Frame]) -> None:
        self.stack = stack
        self.before: dict[Path, list[str]] = {}
        self.trailing: dict[Path, str] = {}
        self.after: dict[Path, list[str]] = {}
        self.waiting: list[_Waiting] = []
        self.newest: Path | None = None  # the node of the token that was read last
        self.root_done = False

    def add(self, text: str, column: int, *, own_line: bool, closing: bool) -> None:
        """Take a comment at the current position; ``closing``: the next event ends a collection."""
        top = self.stack[-1] if self.stack else None
        if not own_line and self.newest is not None:
            if self.newest in self.trailing:  # two lines become one: the earlier comment moves ahead of the node
                self.before.setdefault(self.newest, []).append(self.trailing[self.newest])
            self.trailing[self.newest] = text
        elif top and top.flow and closing:
            self.after.setdefault(top.path, []).append(text)
        else:
            self.waiting.append(_Waiting(text, column, self._candidates()))

    def dash(self) -> None:
        """A ``-`` was passed: what comes next is inside the next item."""
        top = self.stack[-1] if self.stack else None
        if top and not top.flow and isinstance(top.value, list):
            self.newest = top.next_path()
            self._settle(self.newest)

    def question(self) -> None:
        """A ``?`` was passed: a comment on its line belongs to a key that is not known yet."""
        self.newest = None

    def key(self, path: Path) -> None:
        """A key was read."""
        self.newest = path
        self._settle(path)

    def value(self, path: Path) -> None:
        """A text was read as the value at ``path``."""
        self.newest = path
        self._settle(path)
        self._complete(path)

    def opened(self, frame: Frame) -> None:
        """A collection starts."""
        if frame.flow:
            self.newest = frame.path
            self._settle(frame.path)
        elif isinstance(frame.value, list):
            self._settle((*frame.path, 0))
        # A comment ahead of a block mapping belongs to its first key, which comes next.

    def closed(self, frame: Frame) -> None:
        """A collection ends."""
        if frame.flow:
            self.newest = frame.path
        self._complete(frame.path)

    def finished(self) -> Comments:
        """All comments, after the last event."""
        self._settle(None)
        return Comments(
            {path: tuple(texts) for path, texts in self.before.items()},
            self.trailing,
            {path: tuple(texts) for path, texts in self.after.items()},
        )

    def _complete(self, path: Path) -> None:
        if self.stack:
            self.stack[-1].last = path
        else:
            self.root_done = True

    def _candidates(self) -> tuple[tuple[Path, int], ...]:
        """The open nodes and the newest complete one, with the column of their key or dash."""
        if not self.stack:
            return (((), -1),) if self.root_done else ()
        top = self.stack[-1]
        if top.flow:
            return ()
        columns = [-1, *(frame.column for frame in self.stack)]
        found = [(frame.path, column) for frame, column in zip(self.stack, columns, strict=False)]
        if top.last is not None and top.key is None:
            found.append((top.last, top.column))
        return tuple(found)

    def _settle(self, following: Path | None) -> None:
        """Assign the waiting comments, now that the node after them is known (None: the document ends)."""
        for comment in self.waiting:
            for path, column in reversed(comment.candidates):
                closed = following is None or following[: len(path)] != path
                if closed and comment.column > column:
                    self.after.setdefault(path, []).append(comment.text)
                    break
            else:
                self.before.setdefault(following or (), []).append(comment.text)
        self.waiting.clear()
