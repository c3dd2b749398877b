"""``opspec check --jobs``: pieces of files are judged by several processes and shown in the order of the files."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future

from opspec.build.processes import pool
from opspec.validator.files import Lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Protocol, TypeVar

    from opspec.validator.files import Piece

    Part = TypeVar("Part")
    Part_co = TypeVar("Part_co", covariant=True)

    class Checker(Protocol[Part_co]):
        """What judges pieces of files."""

        def part(self, piece: Piece, /) -> Part_co: ...


AHEAD = 4  #: pieces for each process that are read before the first of them is shown: what bounds the memory

_checker: Checker[Any]  # of a process of its own


def in_processes(
    make: Callable[[], Checker[Part]], here: Checker[Part], jobs: int, pieces: Iterable[Piece], alone: int = 0
) -> Iterator[Part]:
    """What became of the pieces, in their order. What is not JSONL was read as a whole, and is judged here.

    Args:
        make: makes the checker of a process.
        here: the checker of this process.
        jobs: how many other processes there are.
        alone: bytes of JSONL that are judged here before other processes begin: there may be no more of it.

    Raises:
        OpspecError: a process was ended from outside.
    """
    left = iter(pieces)
    while alone > 0:
        piece = next(left, None)
        if piece is None:
            return
        yield here.part(piece)
        alone -= len(piece.data) if isinstance(piece, Lines) else 0
    yield from _shared(make, here, jobs, left)


def _shared(
    make: Callable[[], Checker[Part]], here: Checker[Part], jobs: int, pieces: Iterator[Piece]
) -> Iterator[Part]:
    waiting: deque[Future[Part] | Part] = deque()
    with pool(jobs, _start, make) as processes:
        for piece in pieces:
            waiting.append(processes.submit(_part, piece) if isinstance(piece, Lines) else here.part(piece))
            while len(waiting) > jobs * AHEAD or _is_ready(waiting):
                yield _result(waiting.popleft())
        while waiting:
            yield _result(waiting.popleft())


def _start(make: Callable[[], Checker[Any]]) -> None:
    """In a new process: its checker."""
    global _checker
    _checker = make()


def _part(piece: Lines) -> Any:
    return _checker.part(piece)


def _is_ready(waiting: deque[Future[Part] | Part]) -> bool:
    if not waiting:
        return False
    first = waiting[0]
    return not isinstance(first, Future) or first.done()


def _result(item: Future[Part] | Part) -> Part:
    return item.result() if isinstance(item, Future) else item
