"""The arguments of a call, each in its place: which param a name means, what may be null, what is missing.

:func:`arguments` is the one source of errors. :func:`reader` makes, once per operator, what takes the usual call apart;
all that is unusual it leaves to :func:`arguments`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from opspec.errors import ArgumentError, OpspecError, did_you_mean, nearest, of_argument, shown
from opspec.language.values import Argument
from opspec.registry.registry import Form, ParamForm
from opspec.validator.convert import (
    CONVERTERS,
    FORMS,
    INT64_MIN,
    SHORT_LIST,
    UINT64_MAX,
    found,
    integer,
    key_names,
)

_ABSENT = object()


def arguments(
    op: str,
    params: Sequence[ParamForm],
    data: Mapping[str, object],
    *,
    read: Callable[[str, object, int | None, int | None], Argument] | None = None,
) -> tuple[Argument, ...]:
    """The typed arguments of a call in param order.

    Args:
        op: name of the operator, for messages.
        params: what is known of each param of the first phase.
        data: the call's ``args``: JSON values by param name.
        read: types one value, given kind, value, low and high; by default as JSON.

    Raises:
        ArgumentError: an argument is missing, unknown, given twice or not in the form of its param.
    """
    if not isinstance(data, dict):
        data = _as_dict(op, data)
    given = len(data)
    result: list[Argument] = []
    name = ""
    try:
        for name, kind, nullable, required, spellings, low, high in params:
            value = data.get(name, _ABSENT)
            if spellings:
                value = _respelled(data, name, spellings, value)
            if value is _ABSENT:
                if required:
                    raise _missing(params, name, nullable, data)
                result.append(None)
                continue
            given -= 1
            if value is None:
                if not nullable:
                    raise ArgumentError(f"{FORMS[kind][0]} is never null")
                result.append(None)
            elif read is not None:
                result.append(read(kind, value, low, high))
            elif kind == "int":
                result.append(integer(value, low, high))
            else:
                result.append(CONVERTERS[kind](value))
    except OpspecError as error:
        raise of_argument(error, f"{op}.{name}{error.where}", op, name) from None
    if given:
        raise _unknown_argument(op, params, data)
    return tuple(result)


def reader(
    op: str,
    params: Sequence[ParamForm],
    converter: Callable[[str, int | None, int | None], Callable[[object], Argument]],
    read: Callable[[str, object, int | None, int | None], Argument] | None = None,
) -> Callable[[Mapping[str, object]], tuple[Argument, ...]]:
    """A function that does what :func:`arguments` does, for one operator: worth making where calls are many.

    Args:
        op, params: as for :func:`arguments`.
        converter: what types the values of a param that are not null, given kind, low and high.
        read: the same in one step, as for :func:`arguments`, which it is given to where a call is unusual.
    """
    plan = tuple(
        (name, converter(kind, low, high), nullable, required)
        for name, kind, nullable, required, _, low, high in params
    )

    def usual(data: Mapping[str, object]) -> tuple[Argument, ...]:
        if type(data) is dict:
            result: list[Argument] = []
            left_out = 0
            try:
                for name, convert, nullable, required in plan:
                    value = data.get(name)
                    if value is not None:
                        result.append(convert(value))
                        continue
                    if name not in data:
                        left_out += 1
                        nullable = not required
                    if not nullable:
                        break
                    result.append(None)
                else:
                    if len(data) + left_out == len(result):
                        return tuple(result)
            except OpspecError:
                pass  # said below, with its place
        return arguments(op, params, data, read=read)

    return usual


def arguments_of(form: Form, data: Mapping[str, object]) -> tuple[Argument, ...]:
    """:func:`arguments` of an operator's compiled form, by its reader."""
    return (form.reader or reader_of(form))(data)


def reader_of(form: Form) -> Callable[[Mapping[str, object]], tuple[Argument, ...]]:
    """The reader of an operator's compiled form, made once."""
    if form.reader is None:
        form.reader = reader(form.operator, form.params, _converter)
    return form.reader


def _converter(kind: str, low: int | None, high: int | None) -> Callable[[object], Argument]:
    if kind != "int":
        return CONVERTERS[kind]
    least, most = INT64_MIN if low is None else low, UINT64_MAX if high is None else high

    def bounded(value: object) -> int:
        return value if type(value) is int and least <= value <= most else integer(value, low, high)

    return bounded


def _respelled(data: Mapping[str, object], name: str, spellings: tuple[str, ...], value: object) -> object:
    """The value under whichever spelling of the param the call uses."""
    used = name
    for spelling in spellings:
        if spelling in data:
            if value is not _ABSENT:
                raise ArgumentError(f"given twice, as {used!r} and as {spelling!r}")
            used, value = spelling, data[spelling]
    return value


# --- errors -----------------------------------------------------------------------------------------------------


def _as_dict(op: str, data: object) -> dict[str, object]:
    """Another kind of mapping, from Python callers."""
    from collections.abc import Mapping

    if isinstance(data, Mapping):
        return dict(data)
    raise ArgumentError(f"args is an object, found {found(data)}", where=op, operator=op)


def _missing(params: Sequence[ParamForm], name: str, nullable: bool, data: Mapping[str, object]) -> ArgumentError:
    known = _spellings(params)
    meant = nearest(name, [key for key in data if isinstance(key, str) and key not in known])
    if meant:
        return ArgumentError(f"required, but missing; {meant!r} is no param: did you mean {name!r}?")
    own = next((word for form in params if form[0] == name for word in form[4] if word == f"{name}_"), "")
    hint = f"; by name it is given as {own}" if own else "; a null pointer is written null" if nullable else ""
    return ArgumentError(f"required, but missing; the call has {key_names(data) or 'no arguments'}{hint}")


def _unknown_argument(op: str, params: Sequence[ParamForm], data: Mapping[str, object]) -> ArgumentError:
    known = _spellings(params)
    key = next(key for key in data if key not in known)
    word = key if isinstance(key, str) else found(key)
    names = [form[0] for form in params]
    listed = f"; its params are {', '.join(names)}" if 0 < len(names) <= SHORT_LIST else ""
    message = f"no param {shown(key)}{did_you_mean(word, known)}{listed}"
    return ArgumentError(message, where=op, operator=op, param=word)


def _spellings(params: Sequence[ParamForm]) -> list[str]:
    return [spelling for form in params for spelling in (form[0], *form[4])]
