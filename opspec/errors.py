"""Errors that people read.

Every error that opspec raises on purpose is an :class:`OpspecError`: one line that says where, what was
expected, what was found and, where one exists, the nearest valid spelling. The command line prints it and
exits with 2; a traceback is always a defect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class OpspecError(Exception):
    """Bad input or usage: what all errors of opspec are.

    The classes below it say which, for programs: :class:`UnknownOperatorError`, :class:`UnknownProductError` and
    :class:`UnknownReleaseError` (each an :class:`UnknownNameError`), :class:`ArgumentError`, :class:`SpecError`, and
    :class:`InternalError`. What has no class of its own, such as a file that cannot be read, is a plain one.

    Args:
        message: one sentence without a final full stop.
        where: ``file:line:column``, ``operator.param`` or whatever finds the place; empty when there is none.
        caret: the line of the place, and a second one with a caret under its column; empty when there is none.
    """

    def __init__(self, message: str, *, where: str = "", caret: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.caret = caret
        self._faults: tuple[OpspecError, ...] = ()

    def __str__(self) -> str:
        message = "\n".join(map(printable, self.message.split("\n")))  # a spec's faults stand one a line
        return f"{printable(self.where)}: {message}" if self.where else message

    def at(self, where: str) -> OpspecError:
        """The same error with ``where`` put in front of its own place."""
        from copy import copy  # imported late: only an error needs it

        if self._faults:
            return several(fault.at(where) for fault in self._faults)
        moved = copy(self)
        moved.where = f"{where}: {self.where}" if self.where else where
        return moved

    def placed(self, where: str) -> OpspecError:
        """Itself where it says where, else the same error at ``where``."""
        return self if self.where or not where else self.at(where)

    @property
    def faults(self) -> tuple[OpspecError, ...]:
        """The faults that the error tells of, each with its own place; itself where it is one."""
        return self._faults or (self,)

    def report(self) -> str:
        """What a terminal shows: each fault, and its line with the caret where the place is one of a text."""
        return "\n".join(f"{fault}\n{fault.caret}" if fault.caret else str(fault) for fault in self.faults)


def several(faults: Iterable[OpspecError]) -> OpspecError:
    """Faults that were found in one pass as one error, one a line; of faulty specs a :class:`SpecError`."""
    found = tuple(faults)
    kind = SpecError if all(isinstance(fault, SpecError) for fault in found) else OpspecError
    error = kind("\n".join(map(str, found)))
    error._faults = found
    return error


class UnknownNameError(OpspecError):
    """A name that means nothing to opspec.

    Attributes:
        subject: what it should be the name of: ``"operator"``, ``"product"``, ``"release"``, ``"rule"``, ``"dtype"`` …
        name: as it was given.
        suggestions: what may have been meant, the likeliest first; empty where nothing known is near.
    """

    subject = "name"

    def __init__(
        self, message: str, *, where: str = "", caret: str = "", subject: str = "", name: object = "",
        suggestions: Iterable[str] = (),
    ) -> None:  # fmt: skip
        super().__init__(message, where=where, caret=caret)
        if subject:
            self.subject = subject
        self.name = name
        self.suggestions = tuple(suggestions)


def unknown(
    subject: str, name: object, candidates: Iterable[str], before: str = "", behind: str = "", said: str = ""
) -> UnknownNameError:
    """The error that ``name`` is none of the candidates.

    Args:
        before, behind: what else the message says, before and behind ``did you mean``.
        said: what it begins with in place of ``unknown SUBJECT``.
    """
    found = nearest(str(name), candidates)
    hint = f"; did you mean {found!r}?" if found else ""
    message = f"{said or f'unknown {subject}'} {shown(name)}{before}{hint}{behind}"
    return UnknownNameError(message, subject=subject, name=name, suggestions=() if found is None else (found,))


class UnknownOperatorError(UnknownNameError):
    """An operator that has no spec, or none in the release that is asked for.

    Attributes:
        releases: those that have it, oldest first; empty where none does.

    >>> import opspec
    >>> try:
    ...     opspec.check("aclnnAddd")
    ... except opspec.UnknownOperatorError as error:
    ...     print(error.name, error.suggestions)
    aclnnAddd ('aclnnAdd',)
    """

    subject = "operator"
    releases: tuple[str, ...] = ()


class UnknownProductError(UnknownNameError):
    """A product that is not known, or a name that several share.

    >>> from opspec.vocabulary import products
    >>> try:
    ...     products.owner("911")
    ... except UnknownProductError as error:
    ...     print(error.name, error.suggestions)
    911 ('910',)
    """

    subject = "product"


class UnknownReleaseError(UnknownNameError):
    """A release that no registry folder holds; ``suggestions`` are those that there are.

    >>> import opspec
    >>> try:
    ...     opspec.infer("aclnnAdd", release="9.9")
    ... except opspec.UnknownReleaseError as error:
    ...     print(error.name, "9.1.0" in error.suggestions)
    9.9 True
    """

    subject = "release"


class ArgumentError(OpspecError):
    """An argument that is missing, not known or not in the form of its param: of an operator, or of a function here.

    Attributes:
        operator: the operator that the call is of, None where the argument is one of the function's own.
        param: the param, or what was given in place of one; ``where`` says which part of it; None where it is no single
            one.

    >>> import opspec
    >>> try:
    ...     opspec.check("aclnnAdd", selv=opspec.Tensor((2, 3), "FLOAT"))
    ... except opspec.ArgumentError as error:
    ...     print(error.operator, error.param, error.message, sep="; ")
    aclnnAdd; self; required, but missing; 'selv' is no param: did you mean 'self'?
    """

    def __init__(
        self, message: str, *, where: str = "", caret: str = "", operator: str | None = None, param: str | None = None
    ) -> None:
        super().__init__(message, where=where, caret=caret)
        self.operator = operator
        self.param = param


def of_argument(error: OpspecError, where: str, operator: str | None = None, param: str | None = None) -> ArgumentError:
    """What was found in reading an argument, as an error of the argument at its place."""
    kind = type(error) if isinstance(error, ArgumentError) else ArgumentError
    return kind(error.message, where=where, operator=operator, param=param)


class SpecError(OpspecError):
    """A spec that is faulty; ``where`` is ``file:line:column``.

    Attributes:
        path: keys and numbers that lead to the place, from the top of the spec.
        column: of the fault within the text there, from 0.
        let: the derived value that is at fault, where it was found by reading another expression.
    """

    def __init__(
        self, message: str, *, where: str = "", caret: str = "", path: tuple[str | int, ...] = (), column: int = 0,
        let: str = "",
    ) -> None:  # fmt: skip
        super().__init__(message, where=where, caret=caret)
        self.path = path
        self.column = column
        self.let = let


class InternalError(OpspecError):
    """A fault of opspec itself: no statement about the input, and never to be read as one."""


def internal(operator: str, rule: str, error: Exception) -> InternalError:
    """The error for an exception that no rule raises on purpose."""
    return InternalError(
        f"internal error while judging {rule}: {type(error).__name__}: {error}; this is a fault of opspec, "
        "and says nothing about the call",
        where=operator,
    )


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that ``word`` was most likely meant to be, or None. Case is ignored."""
    from difflib import get_close_matches  # imported late: only an error needs it

    known = {name.lower(): name for name in candidates}
    word = word[:200].lower()
    found = [one for one in swapped(word) if one in known] or get_close_matches(word, known, n=1, cutoff=0.6)
    return known[found[0]] if found else None


def swapped(word: str) -> Iterator[str]:
    """What a word may be in which two letters stand in each other's place: the slip that is made most."""
    return (word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1))


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """``"; did you mean 'x'?"`` for the nearest candidate, or an empty string."""
    found = nearest(word, candidates)
    return f"; did you mean {found!r}?" if found else ""


def printable(text: str) -> str:
    """The text on one line and harmless to a terminal: what is no printable character becomes an escape."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


_DIGITS = 256  # bits of an integer that is written out
_DEPTH = 3  # lists and objects inside each other that are written out


def shown(value: object, limit: int = 60) -> str:
    """``repr`` cut to ``limit`` characters, for messages, whatever the value is: input may be megabytes long.

    Never raises, and looks at no more of the value than it shows: not at the digits of an endless integer, nor at
    the depths of a nested list. An object of another kind is what its own ``repr`` says.
    """
    text = _repr(value, limit, 0)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _repr(value: object, limit: int, depth: int) -> str:
    try:
        if isinstance(value, (str, bytes)):
            return repr(value[: limit * 2])
        if isinstance(value, int) and value.bit_length() > _DIGITS:
            return f"an integer of {value.bit_length()} bits"
        if isinstance(value, (list, tuple, dict)):
            return _repr_items(value, limit, depth)
        return printable(repr(value))
    except Exception:  # of an object's own code
        return f"a {type(value).__name__}"


def _repr_items(value: list[object] | tuple[object, ...] | dict[object, object], limit: int, depth: int) -> str:
    opening, closing = "{}" if isinstance(value, dict) else "()" if isinstance(value, tuple) else "[]"
    items: list[str] = []
    room = limit
    for item in value:
        if room <= 0 or depth == _DEPTH:
            items.append("…")
            break
        text = _repr(item, room, depth + 1)
        if isinstance(value, dict):
            text += f": {_repr(value[item], room, depth + 1)}"
        items.append(text)
        room -= len(text) + 2
    lone = "," if isinstance(value, tuple) and len(value) == 1 else ""
    return opening + ", ".join(items) + lone + closing
