"""Work shared among processes: what builds of the simulator and of the layer do."""

from __future__ import annotations

import ctypes
import functools
import os
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

from opspec.errors import OpspecError

T = TypeVar("T")

_FAULTS_SHOWN = 5
_PARENT_DEATH_SIGNAL = 1  # of prctl


@dataclass(frozen=True, slots=True)
class Task(Generic[T]):
    """A function to call in another process.

    Args:
        name: what progress is told.
        function: a module's function, or a method of what can be pickled.
    """

    name: str
    function: Callable[..., T]
    arguments: tuple[Any, ...]


def results(tasks: Sequence[Task[T]], jobs: int, progress: Callable[[str], None]) -> list[T]:
    """What the tasks return, in their order; they are begun in it, so that long ones had better come first.

    An interrupt ends all of them with what they have begun, and raises KeyboardInterrupt.

    Raises:
        OpspecError: some tasks raised one: the first few together; or a process was ended.
    """
    with pool(jobs) as processes:
        running = [processes.submit(task.function, *task.arguments) for task in tasks]
        _wait({future: task.name for future, task in zip(running, tasks, strict=True)}, progress)
        return [future.result() for future in running]


@contextmanager
def pool(jobs: int, first: Callable[..., None] | None = None, *arguments: object) -> Iterator[ProcessPoolExecutor]:
    """Processes that are ended, whatever they are at, when what uses them does not come to its end.

    Args:
        first: what each of them calls with the arguments before anything else.

    Raises:
        OpspecError: a process was ended from outside.
    """
    others = set(active_children())
    made = ProcessPoolExecutor(jobs, initializer=functools.partial(begin, first, *arguments))
    finished = False
    try:
        yield made
        finished = True
    except BrokenProcessPool:
        raise OpspecError("a process of --jobs was ended from outside; memory may have run out") from None
    finally:
        if not finished:
            end(made, set(active_children()) - others)
        made.shutdown(wait=finished, cancel_futures=True)


def _wait(names: dict[Future[T], str], progress: Callable[[str], None]) -> None:
    faults: list[str] = []
    for done in as_completed(names):
        error = done.exception()
        if error is None:
            progress(names[done])
            continue
        if isinstance(error, BrokenProcessPool):
            raise OpspecError("a process of the build was ended from outside, perhaps for want of memory: try -j 1")
        if not isinstance(error, OpspecError):
            raise error
        faults.append(str(error))
        if len(faults) == _FAULTS_SHOWN:
            break
    if faults:
        raise OpspecError("\n".join(faults))


def end(pool: ProcessPoolExecutor, processes: Collection[BaseProcess]) -> None:
    """End the processes of a pool and whatever they have started, and let go of the thread that deals with them.

    That thread reads to the end what a process was writing when it was ended, and before Python 3.11.9 waits for a pipe
    that nobody reads any more: for ever, as the pool keeps the other ends of both pipes.
    """
    _let_fail(getattr(pool, "_executor_manager_thread", None))
    for process in processes:
        if process.pid is not None:
            with suppress(ProcessLookupError, PermissionError):  # it may not have begun
                os.killpg(process.pid, signal.SIGTERM)
            process.kill()
    for process in processes:
        process.join()
    for queue, pipe in (("_call_queue", "_reader"), ("_result_queue", "_writer")):
        connection = getattr(getattr(pool, queue, None), pipe, None)
        if connection is not None:
            connection.close()


def _let_fail(thread: threading.Thread | None) -> None:
    """Say nothing of a pool's thread that fails from now on.

    It tells each future that the processes are gone, and raises InvalidStateError where the future was cancelled in
    the meantime; under load that came behind the command's own last words.
    """
    before = threading.excepthook

    def hook(failed: threading.ExceptHookArgs) -> None:
        if thread is None or failed.thread is not thread:
            before(failed)

    threading.excepthook = hook


def begin(first: Callable[..., None] | None = None, *arguments: object) -> None:
    """A process: signals are the parent's to handle, it does not outlive the parent, and it ends with its children."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, int(signal.SIGKILL))
    if first is not None:
        first(*arguments)
