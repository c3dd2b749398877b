"""Files to raw calls: JSON, JSONL, YAML, plain or compressed, or standard input.

One broken line of a JSONL file costs that line; a file that is broken as a whole ends the reading. What a file may
cost is bounded whatever it holds: a compressed one may unpack to far more than its size says. JSONL comes in
:class:`Lines`, pieces of a file that can be looked into anywhere, by another process too.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO, StringIO

from opspec.errors import OpspecError, shown
from opspec.jsontext import FAULTS, Reader
from opspec.later import typing
from opspec.validator.convert import found

Place = tuple[str, int]  # a file's name, and a line of it

NOWHERE = ("", 1)

MIB = 1 << 20
PIECE = MIB // 4  #: of JSONL that is read and judged at once; a stream that has less for now is not waited for
MAX_LINE = 64 * MIB
MAX_DOCUMENT = MAX_LINE  #: of JSON, which holds as much at once as the longest line
MAX_UNPACKED = 1024 * MIB
MAX_YAML = 16 * MIB  #: YAML nodes take a hundred times the text
MAX_YAML_EVENTS = 2_000_000
MAX_YAML_DEPTH = 64
MAX_DIGITS = 200  #: of a YAML integer, which may be written in binary; more takes quadratic time

#: suffix, ``.gz`` taken off -> kind; any other file is JSON or JSONL by its first line
KINDS = {".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".yaml": "yaml", ".yml": "yaml"}


class RawCall:
    """A call as it stands in a file, not looked into yet.

    Args:
        number: line of a JSONL file or index in an array or YAML stream, from 1.
        where: ``file:line`` of a line, ``file: call 3`` of an element, the file alone if it holds one call.
        data: the JSON object.
        place: the file's name, and the line on which it begins.
    """

    __slots__ = ("data", "number", "place", "where")

    def __init__(self, number: int, where: str, data: dict[str, object], place: Place = NOWHERE) -> None:
        self.number = number
        self.where = where
        self.data = data
        self.place = place


class BrokenCall:
    """Stands where a call should be: ``error`` says what is wrong there, and the calls after it are still read."""

    __slots__ = ("error", "number", "place", "where")

    def __init__(self, number: int, where: str, error: OpspecError, place: Place = NOWHERE) -> None:
        self.number = number
        self.where = where
        self.error = error
        self.place = place


class Lines:
    """Whole lines of a JSONL file, not looked into yet. Iterating gives their calls.

    Args:
        name: the file's name, for messages.
        number: of the first line in the file, from 1.
        data: the lines; only the last one of a file may lack its end.
    """

    __slots__ = ("data", "name", "number")

    def __init__(self, name: str, number: int, data: bytes) -> None:
        self.name = name
        self.number = number
        self.data = data

    def __iter__(self) -> Iterator[RawCall | BrokenCall]:
        for number, line in self.texts():
            found = self.call(number, line)
            if found is not None:
                yield found

    def texts(self) -> Iterator[tuple[int, str | bytes]]:
        """Number and text of each line, its end included; bytes where they are no UTF-8."""
        try:
            text = self.data.decode()
        except UnicodeDecodeError:
            for number, line in enumerate(BytesIO(self.data), self.number):
                yield number, _decoded(line)
        else:
            yield from enumerate(StringIO(text, newline="\n"), self.number)

    def call(self, number: int, line: str | bytes) -> RawCall | BrokenCall | None:
        """The call of one of the lines, as :meth:`texts` gives it; None for a blank one."""
        where, place = f"{self.name}:{number}", (self.name, number)
        try:
            text = line if isinstance(line, str) else line.decode()
            return _call(number, where, json_value(text), place) if text.strip(_BLANK) else None
        except UnicodeDecodeError as error:
            return BrokenCall(number, where, OpspecError(f"not UTF-8 at byte {error.start + 1}", where=where), place)
        except OpspecError as error:
            found = where + error.where[error.where.find(":") :] if error.where else where
            return BrokenCall(number, where, OpspecError(error.message, where=found), place)


_BLANK = " \t\n\r\v\f"


Piece = Lines | RawCall | BrokenCall  # of the input: lines to be read together, or one call


def _decoded(line: bytes) -> str | bytes:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line


def read_calls(source: str, stdin: typing.Any = None, *, kind: str | None = None) -> Iterator[RawCall | BrokenCall]:
    """The calls in a file; see :func:`read_pieces`."""
    for piece in read_pieces(source, stdin, kind=kind):
        if isinstance(piece, Lines):
            yield from piece
        else:
            yield piece


def read_pieces(
    source: str, stdin: typing.Any = None, *, kind: str | None = None
) -> Iterator[Lines | RawCall | BrokenCall]:
    """What a file holds: JSONL as pieces of many lines, anything else call by call.

    Args:
        source: a path, or ``-`` for standard input.
        stdin: what ``-`` reads from, a text or a binary stream; by default the process's own.
        kind: ``json``, ``jsonl`` or ``yaml``; by default the path's suffix says it. JSON and text of unknown kind are
            taken for JSONL when the first line alone is an object and more lines follow.

    Raises:
        OpspecError: the file cannot be read, is too large or is not of its kind.
    """
    if kind is not None and kind not in KINDS.values():
        raise OpspecError(f"a kind of file is json, jsonl or yaml, found {shown(kind)}", where="kind")
    name = "<stdin>" if source == "-" else source
    try:
        if source == "-":
            yield from _from_stdin(name, stdin, kind)
            return
        try:
            stream = open(source, "rb")  # noqa: SIM115 (closed below: only opening may raise ValueError)
        except ValueError as error:
            raise OpspecError(f"not a path: {error}", where=shown(source)) from None
        with stream:
            yield from _from_stream(name, stream, kind)
    except OSError as error:
        raise OpspecError(f"cannot be read: {error.strerror or error}", where=name) from None


def usual_json(text: str) -> object:
    """The value of a line of JSON without other spaces around it, for who counts its keys: no repeated one is noticed.

    Raises:
        FAULTS, RecursionError, OpspecError: not to be read so; :func:`json_value` says why.
    """
    value, end = _scan(text, 0)
    if end != len(text) and text[end:] not in ("\n", "\r\n"):
        raise ValueError
    return value


def json_value(text: str) -> object:
    """The value of a JSON text, stricter than Python's reader and bounded.

    Raises:
        OpspecError: ``where`` is ``line:column``, or empty where the reader does not say.
    """
    try:
        return _strict.value(text)
    except ValueError as error:
        raise _broken_json(text, error) from None
    except RecursionError:
        raise OpspecError("not a call: nested too deeply") from None


def _broken_json(text: str, error: ValueError) -> OpspecError:
    from json import JSONDecodeError

    if not isinstance(error, JSONDecodeError):  # Python's limit on the digits of an integer
        return OpspecError("not a call: an integer of thousands of digits")
    message = error.msg[:1].lower() + error.msg[1:]
    if error.pos < len(text) and text[error.pos] == "\0":
        message = "a NUL byte"
    return OpspecError(f"not valid JSON: {message}", where=f"{error.lineno}:{error.colno}")


# --- kinds of streams -------------------------------------------------------------------------------------------


def _from_stdin(name: str, stdin: typing.Any, kind: str | None) -> Iterator[Lines | RawCall | BrokenCall]:
    import io

    if stdin is None:
        import sys

        stdin = sys.stdin
    stream = getattr(stdin, "buffer", stdin)
    if stream is None:
        raise OpspecError("there is no standard input", where=name)
    if isinstance(stream, io.TextIOBase):  # a StringIO that stands in
        stream = io.BytesIO(stream.read().encode("utf-8", "surrogatepass"))
    return _from_stream(name, stream, kind)


def kind_of(name: str) -> str | None:
    """The kind of a file of calls by its name; None of one whose name tells none."""
    lower = name.lower().removesuffix(".gz")
    return KINDS.get(lower[lower.rfind(".") :]) if "." in lower else None


def _from_stream(name: str, stream: typing.BinaryIO, kind: str | None) -> Iterator[Lines | RawCall | BrokenCall]:
    start = stream.read(3)
    packed = start[:2] == b"\x1f\x8b"
    if name.lower().endswith(".gz") and not packed:
        raise OpspecError("not a gzip file, though its name says so", where=name)
    if kind is None:
        kind = kind_of(name)
    source = _Unpacked(name, _Rejoined(start, stream)) if packed else _Rejoined(start, stream)
    head = source.read(3) if packed else start
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise OpspecError("UTF-16 text, UTF-8 is expected", where=name)
    if packed:
        source = _Rejoined(head, source)
    if head == b"\xef\xbb\xbf":
        source.read(3)
    if kind == "yaml":
        return _yaml(name, _text(name, _all(name, source, b"", MAX_YAML)))
    if kind == "jsonl":
        return _lines(name, source, 0, b"")
    return _json_or_lines(name, source)


def _json_or_lines(name: str, source: _Rejoined | _Unpacked) -> Iterator[Lines | RawCall | BrokenCall]:
    """JSON, or JSONL if the first line alone is an object."""
    number, skipped, first = 0, 0, b""
    while not first.strip():
        skipped += len(first)
        first = source.readline(MAX_LINE + 1)
        if not first:
            raise OpspecError("empty, a call is expected", where=name)
        if skipped > MAX_LINE:
            raise OpspecError("begins with nothing but blank lines", where=name)
        number += 1
    if first.endswith(b"\n"):
        try:
            alone = isinstance(json_value(first.decode()), dict)
        except (OpspecError, UnicodeDecodeError):
            alone = False
        if alone:
            return _lines(name, source, number - 1, first)
    return _document(name, _text(name, _all(name, source, b"\n" * (number - 1) + first, MAX_DOCUMENT)))


def _lines(name: str, source: _Rejoined | _Unpacked, number: int, first: bytes) -> Iterator[Lines]:
    """All lines in pieces as they come; ``number`` lines were skipped, and ``first``, if not empty, is one."""
    if first:
        number += 1
        _check_length(name, number, len(first))
        yield Lines(name, number, first)
    parts: list[bytes] = []  # of a line whose end is still to come
    size = 0
    while True:
        block = source.read1(PIECE)
        _check_length(name, number + 1, size + (block.find(b"\n") + 1 or len(block)))
        end = block.rfind(b"\n") + 1
        if end or not block:
            data = b"".join((*parts, block[:end]))
            if data:
                yield Lines(name, number + 1, data)
            number += data.count(b"\n")
            parts, size = [], 0
        if not block:
            return
        parts.append(block[end:])
        size += len(block) - end


def _check_length(name: str, number: int, length: int) -> None:
    if length > MAX_LINE:
        raise OpspecError(f"a line of more than {MAX_LINE // MIB} MiB", where=f"{name}:{number}")


def _document(name: str, text: str) -> Iterator[RawCall | BrokenCall]:
    """One call, or an array of them."""
    try:
        array = _array(text)
        value = json_value(text) if array is None else array[0]
    except OpspecError as error:
        raise OpspecError(error.message, where=f"{name}:{error.where}" if error.where else name) from None
    return _calls(name, value, _first_line(text) if array is None else array[1])


def _first_line(text: str) -> list[int]:
    """The line on which a text's value begins."""
    return [1 + text.count("\n", 0, len(text) - len(text.lstrip()))]


def _array(text: str) -> tuple[list[object], list[int]] | None:
    """The elements of an array and the lines on which they begin; None of anything else, of faulty and empty ones."""
    at = _after_blank(text, 0)
    if text[at : at + 1] != "[":
        return None
    found: list[object] = []
    lines: list[int] = []
    line = 1
    counted = 0
    try:
        while not found or text[at] == ",":
            at = _after_blank(text, at + 1)
            line += text.count("\n", counted, at)
            counted = at
            value, end = _strict.scan(text, at)
            found.append(value)
            lines.append(line)
            at = _after_blank(text, end)
        return (found, lines) if text[at] == "]" and _after_blank(text, at + 1) == len(text) else None
    except (*FAULTS, IndexError, OpspecError, RecursionError):
        return None


def _after_blank(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\n\r":
        at += 1
    return at


def _calls(name: str, value: object, lines: list[int]) -> Iterator[RawCall | BrokenCall]:
    """The calls of a document, which begin on these lines."""
    if isinstance(value, dict):
        yield RawCall(1, name, value, (name, lines[0]))
    elif isinstance(value, list):
        for number, (item, line) in enumerate(zip(value, lines, strict=False), 1):
            yield _call(number, f"{name}: call {number}", item, (name, line))
    else:
        raise OpspecError(f"a call is an object, or calls an array of them, found {found(value)}", where=name)


def _call(number: int, where: str, value: object, place: Place) -> RawCall | BrokenCall:
    if isinstance(value, dict):
        return RawCall(number, where, value, place)
    return BrokenCall(number, where, OpspecError(f"a call is an object, found {found(value)}", where=where), place)


# --- JSON -------------------------------------------------------------------------------------------------------


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen = set()
        for key, _ in pairs:
            if key in seen:
                raise OpspecError(f"not a call: the key {shown(key)} occurs twice in one object")
            seen.add(key)
    return result


def _float(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise OpspecError(f'not a call: {shown(text)} is beyond any double; infinity is written "inf"')
    return value


def _constant(name: str) -> float:
    written = {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}[name]
    raise OpspecError(f'not valid JSON: {name}; write "{written}" with quotes')


_strict = Reader(object_pairs_hook=_object, parse_float=_float, parse_constant=_constant)
_scan = Reader(parse_float=_float, parse_constant=_constant).scan  # C makes the objects


# --- YAML -------------------------------------------------------------------------------------------------------


def _yaml(name: str, text: str) -> Iterator[RawCall | BrokenCall]:
    """Each document of a YAML stream is a call or a list of them."""
    import yaml

    loader = _yaml_loader()
    try:
        lines = _bounded(name, yaml.parse(text, Loader=loader))
        found = list(zip(yaml.load_all(text, Loader=loader), lines, strict=True))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{name}:{mark.line + 1}:{mark.column + 1}" if mark else name
        raise OpspecError(f"not valid YAML: {error.problem or error.context}", where=where) from None
    except yaml.YAMLError as error:
        raise OpspecError(f"not valid YAML: {' '.join(str(error).split())[:200]}", where=name) from None
    except (ValueError, OverflowError) as error:  # 2020-13-45 looks like a date
        raise OpspecError(f"not valid YAML: {shown(str(error))}", where=name) from None
    documents = [document for document in found if document[0] is not None]
    if not documents:
        raise OpspecError("empty, a call is expected", where=name)
    if len(documents) == 1:
        return _calls(name, *documents[0])
    parts = [part if isinstance(part, list) else [part] for part, _ in documents]
    return _calls(name, [item for part in parts for item in part], [line for _, own in documents for line in own])


def _bounded(name: str, events: typing.Any) -> list[list[int]]:
    """Refuse what makes a small YAML text large, before anything is built from it.

    Returns:
        Of each document the lines on which its calls begin: the elements of a list, else its own.
    """
    import yaml

    lines: list[list[int]] = []
    is_list = False
    depth = 0
    for count, event in enumerate(events):
        if isinstance(event, yaml.DocumentStartEvent):
            lines.append([])
            is_list = False
        elif isinstance(event, yaml.NodeEvent):
            if depth == 0 and isinstance(event, yaml.SequenceStartEvent):
                is_list = True
            elif depth == is_list:
                start: typing.Any = event.start_mark
                lines[-1].append(start.line + 1)
        refused = ""
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            refused = "anchors and aliases are"
        elif getattr(event, "tag", None) not in (None, "!"):
            refused = "tags are"
        elif isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_YAML_DEPTH:
                refused = f"nesting deeper than {MAX_YAML_DEPTH} is"
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if count > MAX_YAML_EVENTS:
            refused = f"more than {MAX_YAML_EVENTS} nodes are"
        if refused:
            mark = event.start_mark
            raise OpspecError(f"{refused} not for calls", where=f"{name}:{mark.line + 1}:{mark.column + 1}")
    return lines


def _yaml_loader() -> typing.Any:
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        """Safe loading where a key that occurs twice and an endless integer are errors, as in JSON."""

        def construct_mapping(self, node: typing.Any, deep: bool = False) -> typing.Any:
            result = super().construct_mapping(node, deep=deep)
            if len(result) != len(node.value):
                raise yaml.constructor.ConstructorError(
                    problem="a key occurs twice in one mapping", problem_mark=node.start_mark
                )
            return result

        def construct_yaml_int(self, node: typing.Any) -> typing.Any:
            if len(node.value) > MAX_DIGITS:
                raise yaml.constructor.ConstructorError(
                    problem=f"an integer of {len(node.value)} digits", problem_mark=node.start_mark
                )
            return super().construct_yaml_int(node)

    Loader.add_constructor("tag:yaml.org,2002:int", Loader.construct_yaml_int)
    return Loader


# --- bytes ------------------------------------------------------------------------------------------------------


class _Rejoined:
    """A stream with its first bytes, already read, put back in front."""

    __slots__ = ("_read1", "_start", "_stream")

    def __init__(self, start: bytes, stream: typing.Any) -> None:
        self._start = start
        self._stream = stream
        self._read1 = getattr(stream, "read1", stream.read)  # an unbuffered stream's only read waits for no more

    def read(self, size: int) -> bytes:
        start, self._start = self._start[:size], self._start[size:]
        return start + self._stream.read(size - len(start)) if len(start) < size else start

    def read1(self, size: int) -> bytes:
        start, self._start = self._start[:size], self._start[size:]
        return start or self._read1(size)

    def readline(self, size: int) -> bytes:
        start = self._start
        if not start:
            return self._stream.readline(size)  # type: ignore[no-any-return]
        end = start.find(b"\n") + 1 or len(start)
        line, self._start = start[:end], start[end:]
        return line if line.endswith(b"\n") else line + self._stream.readline(size - len(line))


class _Unpacked:
    """What a gzip stream holds, up to a limit."""

    __slots__ = ("_left", "_name", "_stream")

    def __init__(self, name: str, packed: _Rejoined) -> None:
        import gzip

        self._name = name
        self._left = MAX_UNPACKED
        self._stream = gzip.GzipFile(fileobj=packed, mode="rb")  # type: ignore[call-overload]

    def read(self, size: int) -> bytes:
        return self._counted(self._stream.read, size)

    def read1(self, size: int) -> bytes:
        return self._counted(self._stream.read1, size)

    def readline(self, size: int) -> bytes:
        return self._counted(self._stream.readline, size)

    def _counted(self, read: typing.Any, size: int) -> bytes:
        from zlib import error as zlib_error

        try:
            data: bytes = read(size)
        except (OSError, EOFError, zlib_error) as error:
            raise OpspecError(f"a damaged gzip file: {shown(str(error))}", where=self._name) from None
        self._left -= len(data)
        if self._left < 0:
            raise OpspecError(f"unpacks to more than {MAX_UNPACKED // MIB} MiB", where=self._name)
        return data


def _all(name: str, source: _Rejoined | _Unpacked, start: bytes, limit: int) -> bytes:
    """Everything that is left, ``start`` in front."""
    parts, left = [start], limit - len(start)
    while left >= 0:
        part = source.read(min(left + 1, MIB))
        if not part:
            return b"".join(parts)
        parts.append(part)
        left -= len(part)
    raise OpspecError(f"larger than {limit // MIB} MiB, the most for a single document; use JSONL", where=name)


def _text(name: str, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise OpspecError(f"not UTF-8 at byte {error.start + 1}", where=f"{name}:{line}") from None
