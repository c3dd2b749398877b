"""Promises of opspec.validator.files: every documented kind is read, broken lines cost a line, nothing else escapes."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.errors import OpspecError
from opspec.validator import files
from opspec.validator.files import BrokenCall, RawCall, read_calls

A, B = {"op": "aclnnA", "args": {}}, {"op": "aclnnB", "args": {"x": [1, 2.5, None, True, "é"]}}
LINES = "".join(json.dumps(call, ensure_ascii=False) + "\n" for call in (A, B))


def read(source: Path | str, text: str | bytes | None = None, **more: str) -> list[RawCall | BrokenCall]:
    stdin = io.BytesIO(text.encode() if isinstance(text, str) else text or b"")
    return list(read_calls(str(source), stdin, **more))


def summary(calls: list[RawCall | BrokenCall]) -> list[tuple[int, str, object]]:
    return [(call.number, call.where, call.data if isinstance(call, RawCall) else str(call.error)) for call in calls]


def refusal(text: str | bytes, **more: str) -> str:
    with pytest.raises(OpspecError) as caught:
        read("-", text, **more)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("c.jsonl", LINES, [(1, "c.jsonl:1", A), (2, "c.jsonl:2", B)]),
        ("c.ndjson", "\n" + LINES, [(2, "c.ndjson:2", A), (3, "c.ndjson:3", B)]),
        ("c.json", json.dumps(B, indent=1), [(1, "c.json", B)]),
        ("c.json", json.dumps([A, B], indent=1), [(1, "c.json: call 1", A), (2, "c.json: call 2", B)]),
        ("c.json", LINES, [(1, "c.json:1", A), (2, "c.json:2", B)]),
        ("c.json", "[]", []),
        ("c.jsonl", "", []),
        ("calls", LINES, [(1, "calls:1", A), (2, "calls:2", B)]),
        ("calls", "\r\n\r\n" + json.dumps([A]), [(1, "calls: call 1", A)]),
        ("c.JSONL", "\ufeff" + LINES, [(1, "c.JSONL:1", A), (2, "c.JSONL:2", B)]),
        ("c.yaml", "op: aclnnA\nargs: {}\n", [(1, "c.yaml", A)]),
        ("c.yml", "- {op: aclnnA, args: {}}\n", [(1, "c.yml: call 1", A)]),
        ("c.yml", "op: aclnnA\nargs: {}\n---\n- op: aclnnB\n  args: {x: [1, 2.5, ~, yes, é]}\n",
         [(1, "c.yml: call 1", A), (2, "c.yml: call 2", B)]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("packed", [False, True])
def test_every_kind_is_read_plain_and_compressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, expected: object, packed: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    data = text.encode()
    file = Path(name + ".gz" * packed)
    file.write_bytes(gzip.compress(data) if packed else data)
    found = summary(read(file))
    assert [(number, where.replace(".gz", ""), data) for number, where, data in found] == expected


@pytest.mark.parametrize("text", [LINES, json.dumps([A, B])])
@pytest.mark.parametrize("packed", [False, True])
def test_standard_input_is_recognised(text: str, packed: bool) -> None:
    data = text.encode()
    calls = read("-", gzip.compress(data) if packed else data)
    assert [call.data for call in calls if isinstance(call, RawCall)] == [A, B]


def test_standard_input_may_be_a_text_stream() -> None:
    assert [call.where for call in read_calls("-", io.StringIO(LINES))] == ["<stdin>:1", "<stdin>:2"]
    assert [call.where for call in read_calls("-", io.TextIOWrapper(io.BytesIO(LINES.encode())))] == [
        "<stdin>:1",
        "<stdin>:2",
    ]


def test_yaml_on_standard_input_is_asked_for() -> None:
    assert summary(read("-", "op: aclnnA\nargs: {}\n", kind="yaml")) == [(1, "<stdin>", A)]
    assert "<stdin>:1:1: not valid JSON" in refusal("op: aclnnA\nargs: {}\n")
    assert "a kind of file is json, jsonl or yaml, found 'xml'" in refusal("", kind="xml")


def test_a_broken_line_costs_that_line() -> None:
    lines = [b'{"op": 1}', b'{"op": }', b"", b"[1]", b"\xff{}", b'{"a": 1, "a": 2}', b'{"x": NaN}', b'{"a": "\0"}',
             b'{"i": ' + b"1" * 5000 + b"}", b"[" * 100_000, b'{"x": 1e999}', b'{"op": 2}']  # fmt: skip
    calls = read("-", b"\n".join(lines))
    assert [call.number for call in calls] == [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    errors = [call.error for call in calls if isinstance(call, BrokenCall)]
    assert [str(error) for error in errors[:6]] == [
        "<stdin>:2:8: not valid JSON: expecting value",
        "<stdin>:4: a call is an object, found a list of 1",
        "<stdin>:5: not UTF-8 at byte 1",
        "<stdin>:6: not a call: the key 'a' occurs twice in one object",
        '<stdin>:7: not valid JSON: NaN; write "nan" with quotes',
        "<stdin>:8:8: not valid JSON: a NUL byte",
    ]
    assert [str(error) for error in errors[7:]] == [
        "<stdin>:10: not a call: nested too deeply",
        "<stdin>:11: not a call: '1e999' is beyond any double; infinity is written \"inf\"",
    ]
    assert all("\n" not in str(error) for error in errors)
    assert isinstance(calls[0], RawCall)
    assert isinstance(calls[-1], RawCall)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "<stdin>: empty, a call is expected"),
        ("\n \n", "<stdin>: empty, a call is expected"),
        ("\n{\n 'a': 1}", "<stdin>:3:2: not valid JSON: expecting property name enclosed in double quotes"),
        ("3", "<stdin>: a call is an object, or calls an array of them, found 3"),
        ('{"a": 1, "a": 2}', "the key 'a' occurs twice"),
        (b'\n[{"a": "\xff"}]', "<stdin>:2: not UTF-8 at byte 10"),
        ("{}".encode("utf-16"), "<stdin>: UTF-16 text, UTF-8 is expected"),
        (b"\x1f\x8b not gzip", "<stdin>: a damaged gzip file"),
        (gzip.compress(LINES.encode(), mtime=0)[:-9], "<stdin>: a damaged gzip file"),
        ("[" * 100_000, "<stdin>: not a call: nested too deeply"),
    ],
)
def test_a_broken_file_is_one_error(text: str | bytes, expected: str) -> None:
    assert expected in refusal(text)


def test_an_array_element_that_is_no_call_costs_that_element() -> None:
    assert summary(read("-", json.dumps([A, 3, B]))) == [
        (1, "<stdin>: call 1", A),
        (2, "<stdin>: call 2", "<stdin>: call 2: a call is an object, found 3"),
        (3, "<stdin>: call 3", B),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: &x 1\nb: *x\n", "<stdin>:1:4: anchors and aliases are not for calls"),
        ("a: !!python/name:os.system\n", "<stdin>:1:4: tags are not for calls"),
        ("[" * 100, "<stdin>:1:65: nesting deeper than 64 is not for calls"),
        ("a: 1\na: 2\n", "<stdin>:1:1: not valid YAML: a key occurs twice in one mapping"),
        ("a: " + "1" * 6000, "not valid YAML: an integer of 6000 digits"),
        ("a: 2020-13-45\n", "not valid YAML: "),
        ("a: [1\n", "not valid YAML: "),
        ("? [1]\n: 2\n", "not valid YAML: "),
        ("a: \0\n", "not valid YAML: "),
        ("# nothing\n", "<stdin>: empty, a call is expected"),
        ("just text", "<stdin>: a call is an object"),
    ],
)
def test_yaml_that_grows_or_acts_is_refused(text: str, expected: str) -> None:
    assert expected in refusal(text, kind="yaml")


def test_what_cannot_be_opened_is_one_error(tmp_path: Path) -> None:
    plain = tmp_path / "plain.jsonl.gz"
    plain.write_bytes(LINES.encode())
    for source, expected in [
        (str(tmp_path / "none.json"), "cannot be read: No such file or directory"),
        (str(tmp_path), "cannot be read: Is a directory"),
        (str(plain), "not a gzip file, though its name says so"),
        ("a\0b", "not a path: embedded null byte"),
    ]:
        with pytest.raises(OpspecError, match=expected):
            read(source)


@pytest.mark.slow
def test_what_a_file_may_cost_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_LINE", 1 << 20)
    monkeypatch.setattr(files, "MAX_DOCUMENT", 1 << 21)
    monkeypatch.setattr(files, "MAX_UNPACKED", 1 << 22)
    monkeypatch.setattr(files, "MAX_YAML", 1 << 20)
    space = b" " * (1 << 20)
    assert "<stdin>:2: a line of more than 1 MiB" in refusal(b"{}\n" + space + b"{}\n{}")
    assert "<stdin>: larger than 2 MiB" in refusal(b"[" + 3 * space + b"]")
    assert "<stdin>: unpacks to more than 4 MiB" in refusal(gzip.compress(b"{}\n" * (1 << 21)))
    assert "<stdin>: larger than 1 MiB" in refusal(b"a: 1" + space, kind="yaml")
    assert "<stdin>: begins with nothing but blank lines" in refusal(b"\n" * (3 << 20))


def survives(data: bytes, kind: str | None) -> None:
    messages = []
    try:
        for call in read_calls("-", io.BytesIO(data), kind=kind):
            if isinstance(call, BrokenCall):
                messages.append(str(call.error))
    except OpspecError as error:
        messages.append(str(error))
    assert all(message.startswith("<stdin>") and "\n" not in message for message in messages)


TEXT = st.text(alphabet=st.sampled_from("{}[]\",:0123456789.-eEtrufalsn\\ \n\0é&*!|>?#%@`'~=<\t"), max_size=60)
KIND = st.sampled_from([None, "json", "jsonl", "yaml"])


@given(st.binary(max_size=200), KIND)
def test_random_bytes_are_read_or_refused(data: bytes, kind: str | None) -> None:
    survives(data, kind)
    survives(b"\x1f\x8b" + data, kind)
    survives(gzip.compress(data), kind)


@given(TEXT, KIND)
def test_random_syntax_is_read_or_refused(text: str, kind: str | None) -> None:
    survives(text.encode(), kind)


@given(st.integers(0, 400), st.integers(0, 255))
def test_a_damaged_archive_is_read_or_refused(place: int, byte: int) -> None:
    data = bytearray(gzip.compress(LINES.encode(), mtime=0))
    data[place % len(data)] = byte
    survives(bytes(data), None)


# --- places


@given(st.lists(st.sampled_from(["", "\n", " ", "\n\n\t", "\r\n"]), min_size=4, max_size=4), st.integers(1, 4))
def test_calls_of_an_array_know_the_line_on_which_they_begin(blanks: list[str], count: int) -> None:
    """Whatever stands between them, and whatever they hold."""
    before, inside, between, behind = blanks
    one = json.dumps(B, ensure_ascii=False).replace(" ", f" {inside}", 1)
    text = f"{before}[{between}{f'{behind},{between}'.join([one] * count)}{behind}]\n"
    places = [place for place in range(len(text)) if text.startswith('{"op"', place)]
    found = read("-", text, kind="json")
    assert [call.data for call in found if isinstance(call, RawCall)] == [B] * count
    assert [call.place[1] for call in found] == [1 + text.count("\n", 0, place) for place in places]


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("x.json", '\n\n {"op": "aclnnA",\n "args": {}}', [3]),
        ("x.json", "[1,\n[2],\n{}]", [1, 2, 3]),
        ("x.jsonl", "\n{}\n\n1\n{]\n", [2, 4, 5]),
        ("x.yaml", "# a\nop: aclnnA\nargs: {x: [1,\n 2]}\n", [2]),
        ("x.yaml", "- op: aclnnA\n  args: {}\n\n- op: aclnnB\n- 3\n", [1, 4, 5]),
        ("x.yaml", "---\n---\nop: aclnnA\n---\n- op: aclnnB\n- [1, 2]\n---\n[]\n---\n7\n", [3, 5, 6, 10]),
    ],
)
def test_every_call_knows_the_line_on_which_it_begins(name: str, text: str, lines: list[int], tmp_path: Path) -> None:
    """Broken ones, too: what stands there is no call."""
    (tmp_path / name).write_text(text)
    assert [call.place for call in read(tmp_path / name)] == [(str(tmp_path / name), line) for line in lines]
