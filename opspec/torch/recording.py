"""``opspec.torch.record``: each call that PyTorch makes of an operator as a line that ``opspec check`` reads."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

import torch
from torch.utils._pytree import tree_map

from opspec.calls.examples.call import to_json
from opspec.errors import OpspecError
from opspec.registry.registry import registry
from opspec.registry.toolkit import read_as
from opspec.torch.mode import Calls, watched
from opspec.torch.places import Modules
from opspec.torch.report import Report
from opspec.torch.table import Entry
from opspec.torch.values import without_ranks
from opspec.validator.api import resolved
from opspec.validator.python_args import python_arguments
from opspec.vocabulary import status

MOST_SAID = 4096  #: characters of a message that are kept
_CODE = re.compile(r"(?<!\d)(?:161|361|561)\d{3}(?!\d)")  # of a first phase that failed, in what torch_npu says of it


@contextmanager
def record(
    path: str | os.PathLike[str] = "", *, product: str | None = None, release: str | None = None
) -> Iterator[Report]:
    """Append the calls made inside to a file, with the status and the message that each returned.

    With torch_npu on a device they are what the device said; beside the stand-ins, that PyTorch went on. torch_npu
    tells a failure where it happens only with ``TASK_QUEUE_ENABLE=0``.

    Args:
        path: the file; without it, the one that ``OPSPEC_RECORD`` names.
        product: any spelling of the product that the calls ran on; lines without one are judged with ``--product``.
        release: the release of the toolkit, or its version of CANN, as :func:`opspec.torch.check` takes it.

    Yields:
        A report whose ``judged`` counts the lines; ``unmapped``, ``without_operator`` and ``not_judged`` are
        what has none.

    Raises:
        OpspecError: unknown product or release, ``OPSPEC_RELEASE`` among them, or the file cannot be written.
    """
    name = os.fspath(path) or os.environ.get("OPSPEC_RECORD", "")
    if not name:
        raise OpspecError("no file to record to: give a path, or set OPSPEC_RECORD")
    reading = read_as(registry(), release)
    report = Report(resolved(product)[1] or resolved(product)[0], reading)
    by = None if reading is None else reading.release
    with watched(product, lambda modules: _Recorded(report, modules, product, by, name)):
        yield report


class _Recorded(Calls):
    """Writes a line for each call that comes to an operator."""

    def __init__(self, report: Report, modules: Modules, product: str | None, release: str | None, path: str) -> None:
        super().__init__(report, modules, product, release, (), "en")
        self._path = path
        self._lock = Lock()
        self._write("")  # a file that cannot be written is said before anything runs

    def failed(self, entry: Entry, func: Any, args: Any, kwargs: Any, error: Exception) -> None:
        """Write a call that failed, with what it would have made."""
        self._keep(entry, func, args, kwargs, _on_meta(func, args, kwargs), error)

    def done(self, entry: Entry, func: Any, args: Any, kwargs: Any, result: Any) -> None:
        """Write a call that has run."""
        self._keep(entry, func, args, kwargs, result, None)

    def _keep(self, entry: Entry, func: Any, args: Any, kwargs: Any, result: Any, error: Exception | None) -> None:
        try:
            lines = [self._line(*found, error) for found in self.bound(entry, func, args, kwargs, result)]
        except OpspecError as fault:
            self.report.not_judged[entry.name, str(fault)] += 1
            return
        if not lines:
            self.report.unmapped[entry.name] += 1
            return
        self._write("".join(lines))
        self.report.judged += len(lines)

    def _line(self, operator: str, arguments: dict[str, Any], error: Exception | None) -> str:
        form = registry().form(operator, self.release)
        kinds = {name: kind for name, kind, *_ in form.params}
        typed = python_arguments(operator, form.params, without_ranks(arguments))
        call: dict[str, Any] = {"op": operator, "release": form.release}
        if self.product is not None:
            call["product"] = self.product
        call["args"] = to_json(dict(zip(kinds, typed, strict=True)), kinds)
        call["expect"] = _status(error)
        if error is not None:
            call["said"] = str(error)[:MOST_SAID]
        return json.dumps({**call, "x-by": "torch", "x-module": self.modules.path}, ensure_ascii=False) + "\n"

    def _write(self, line: str) -> None:
        """Append a line whole: threads and processes share the file."""
        try:
            with self._lock:
                descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
                try:
                    os.write(descriptor, line.encode("utf-8", "backslashreplace"))
                finally:
                    os.close(descriptor)
        except OSError as error:
            raise OpspecError(f"cannot be written: {error.strerror}", where=self._path) from None


def _status(error: Exception | None) -> str:
    """The status that a call returned, as far as the message tells it."""
    if error is None:
        return status.name(status.SUCCESS)
    found = _CODE.search(str(error))
    try:
        return status.name(int(found[0])) if found else status.REJECT
    except OpspecError:
        return status.REJECT


def _on_meta(func: Any, args: Any, kwargs: Any) -> Any:
    """What a call that failed would have made, without data; None where that is not known, either."""

    def bare(value: Any) -> Any:
        return value.to("meta") if isinstance(value, torch.Tensor) else value

    try:
        return func(*tree_map(bare, args), **tree_map(bare, kwargs))
    except Exception:  # PyTorch itself refuses it, or knows no meta of the operator
        return None
