"""Calls read from a file: the object around the arguments.

``{"id": …, "op": "aclnnX", "product": "910b", "release": …, "args": {…}, "expect": …}``; only ``op`` and ``args``
are required. ``unknown``, which recorders write, names arguments that were not known: such a call is not judged. The
arguments stay JSON values here: :func:`~opspec.validator.arguments.arguments` types them once the params are known.
"""

from __future__ import annotations

from collections.abc import Iterator

from opspec.errors import OpspecError, did_you_mean, shown
from opspec.validator.convert import found
from opspec.validator.files import BrokenCall, RawCall, read_calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KEYS = ("id", "op", "product", "release", "args", "expect", "unknown")
#: further keys of calls that somebody recorded: how the call was made, how far the runtime came, on what ground that
#: stands and what it said, and why a call is of interest that nobody has judged
RECORDED = ("change", "stage", "basis", "depth", "said", "interface", "product_from", "mc2_topology", "expect_outputs",
            "why")  # fmt: skip
#: what keys of the caller's own begin with: nobody here looks at them
FREE = ("x-", "note")


class Call:
    """A call as given.

    Args:
        op: name of the operator, as written.
        args: JSON values by param name.
        product: as written, or None.
        release: as written, or None.
        id: the caller's name for the call, or None.
        expect: the status that a recorded call is expected to return, or None.
        change: how a recorded call was made from another one, empty where nobody says so.
        stage: where a recorded call failed, or how far its success reaches; empty where nobody says so.
        where: the place in a file, for messages.
        number: line or index in the file, from 1.
    """

    __slots__ = ("args", "change", "expect", "id", "number", "op", "product", "release", "stage", "where")

    def __init__(
        self,
        op: str,
        args: dict[str, object],
        *,
        product: str | None = None,
        release: str | None = None,
        id: str | None = None,
        expect: str | None = None,
        change: str = "",
        stage: str = "",
        where: str = "",
        number: int = 1,
    ) -> None:
        self.op = op
        self.args = args
        self.product = product
        self.release = release
        self.id = id
        self.expect = expect
        self.change = change
        self.stage = stage
        self.where = where
        self.number = number

    def __repr__(self) -> str:
        return f"Call({self.op}, {self.where or self.id})"


def calls(source: str, stdin: Any = None, *, kind: str | None = None) -> Iterator[Call | BrokenCall]:
    """The calls in a file or standard input; see :func:`opspec.validator.files.read_calls`."""
    for raw in read_calls(source, stdin, kind=kind):
        if isinstance(raw, BrokenCall):
            yield raw
            continue
        try:
            yield call(raw)
        except OpspecError as error:
            yield BrokenCall(raw.number, raw.where, error, raw.place)


def call(raw: RawCall) -> Call:
    """The parts of a raw call.

    Raises:
        OpspecError: ``op`` or ``args`` is missing, a key is unknown, or a part has the wrong type.
    """
    data, where = raw.data, raw.where
    for key in data:
        if key not in KEYS and key not in RECORDED and not (isinstance(key, str) and key.startswith(FREE)):
            word = key if isinstance(key, str) else found(key)
            hint = did_you_mean(word, KEYS) or f"; it has {', '.join(KEYS)}; keys of your own begin with x-"
            raise OpspecError(f"a call has no {shown(key)}{hint}", where=where)
    op, args = data.get("op"), data.get("args")
    if not isinstance(op, str) or not op:
        raise OpspecError(_wrong(data, "op", "the name of an operator"), where=where)
    if not isinstance(args, dict):
        raise OpspecError(_wrong(data, "args", "an object of arguments by param name"), where=where)
    _check_known(data.get("unknown", []), where)
    return Call(
        op,
        args,
        product=_text(raw, "product"),
        release=_text(raw, "release"),
        id=_text(raw, "id"),
        expect=_text(raw, "expect"),
        change=_text(raw, "change") or "",
        stage=_text(raw, "stage") or "",
        where=where,
        number=raw.number,
    )


def _check_known(unknown: object, where: str) -> None:
    """An argument that was not known is no null: a verdict without it would be one on another call."""
    if not isinstance(unknown, list) or not all(isinstance(name, str) for name in unknown):
        raise OpspecError(f"unknown is a list of params, found {found(unknown)}", where=where)
    if unknown:
        names = ", ".join(map(shown, unknown))
        raise OpspecError(f"not known when the call was recorded: {names}; it cannot be judged", where=where)


def _text(raw: RawCall, key: str) -> str | None:
    """The text of an optional key. A number stands for its text: YAML reads the product 910 as one."""
    value = raw.data.get(key)
    if value is None or isinstance(value, str):
        return value
    if type(value) is int or type(value) is float:
        return found(value)
    raise OpspecError(f"{key} is text, found {found(value)}", where=raw.where)


def _wrong(data: dict[str, object], key: str, what: str) -> str:
    return f"{key} is {what}, found {found(data[key])}" if key in data else f"{key} is missing: {what}"
