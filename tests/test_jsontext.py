"""Promise: JSON is read as ``json`` reads it, faults included, without loading what ``json`` loads."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.jsontext import Reader

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
BROKEN = ["", " ", "{", '{"a": 1', "[1,]", '"a\nb"', "nul", "1 2", '{"a" 1}', "\ufeff1", '"\\x"', "01", "[1]x"]


@given(VALUES, st.text(" \t\r\n"), st.text(" \t\r\n"))
def test_a_sound_text_gives_what_json_gives(value: object, before: str, after: str) -> None:
    text = before + json.dumps(value) + after
    assert repr(Reader().value(text)) == repr(json.loads(text))


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_text_is_refused_as_json_refuses_it(text: str) -> None:
    with pytest.raises(json.JSONDecodeError) as found:
        Reader().value(text)
    with pytest.raises(json.JSONDecodeError) as expected:
        json.JSONDecoder().decode(text)
    assert (found.value.msg, found.value.pos) == (expected.value.msg, expected.value.pos)


def test_hooks_are_those_of_json() -> None:
    reader = Reader(object_pairs_hook=tuple, parse_float=str, parse_constant=str.lower)
    assert reader.value('{"a": [1.50, NaN, 2]}') == (("a", ["1.50", "nan", 2]),)


PROGRAM = """
import sys
from opspec.jsontext import Reader
assert Reader().value('{"a": [1, 2.5, null]}') == {"a": [1, 2.5, None]}
assert not {"json", "re"} & set(sys.modules)
for text in %r:
    try:
        Reader().value(text)
    except ValueError:
        continue
    raise AssertionError(text)
"""


@pytest.mark.parametrize("text", BROKEN)
def test_nothing_is_loaded_before_there_is_a_fault(text: str) -> None:
    subprocess.run([sys.executable, "-S", "-c", PROGRAM % [text]], check=True)
