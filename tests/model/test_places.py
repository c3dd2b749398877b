"""Promise: an error in an expression points at the wrong word in the file, whatever style the expression is written in.

The tests open the file at the place that the error names.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.cli.main import main
from opspec.errors import OpspecError
from opspec.model.load import load_file, load_text
from tests.model.building import spec

WRONG = "nope"
STYLES = {
    "plain": "{}",
    "single": "'{}'",
    "double": '"{}"',
    "escaped": '"\\x{code:02x}{rest}"',
    "folded": ">-\n      {}",
    "literal": "|\n      {}",
}
PLACES = {
    "short rule": "rules:\n  a: {}\n",
    "check": "rules:\n  a:\n    check: {}\n",
    "when": "rules:\n  a:\n    check: n == 1\n    when: {}\n",
    "let": "let:\n  a: {}\n",
}


def written(style: str, text: str) -> str:
    return STYLES[style].format(text, code=ord(text[0]), rest=text[1:])


def word_at(text: str, where: str) -> str:
    """The word at ``name:line:column`` of a text."""
    line, column = map(int, where.split(":")[-2:])
    found = re.match(r"\w+", text.split("\n")[line - 1][column - 1 :])
    return found.group() if found else ""


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("style", STYLES)
@given(ahead=st.integers(0, 4), behind=st.integers(0, 2), broken=st.booleans())
def test_the_place_of_an_unknown_word_is_that_words(
    place: str, style: str, ahead: int, behind: int, broken: bool
) -> None:
    gap = "\n      and " if broken and style != "escaped" else " and "
    terms = ["n == 1"] * ahead + [f"n > {WRONG}"] + ["n == 2"] * behind
    body = "params:\n  - {name: n, ctype: int64_t}\n" + PLACES[place].format(written(style, gap.join(terms)))
    text = spec(body)
    with pytest.raises(OpspecError) as caught:
        load_text(text, "x.yaml")
    assert word_at(text, caught.value.where) == WRONG
    line, mark = caught.value.caret.split("\n")
    assert line[mark.index("^") :].startswith(WRONG)


BROKEN = spec("params:\n  - {name: n, ctype: int64_t, rnge: '[0, 1]'}\n  - {name: m, ctype: int65_t}\n")


@pytest.mark.parametrize("command", [["lint"], ["fmt"]])
def test_the_command_line_shows_each_fault_with_its_line_and_a_caret(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "aclnnX.yaml"
    file.write_text(BROKEN, encoding="utf-8")
    assert main([*command, str(file)]) == 2
    printed = "".join(capsys.readouterr())
    for wrong in ("rnge", "int65_t"):
        line = next(line for line in BROKEN.splitlines() if wrong in line)
        assert f"\n{line}\n{' ' * line.index(wrong)}^" in printed


FAULTY = spec(
    """\
let: {k: wrong_1, m: k + 1}
params:
  - {name: n, ctype: int64_t, range: "> wrong_2"}
  - {name: x, ctype: const aclTensor*, rank: [2, wrong_3], dtype: same as wrong_4}
results: {n: wrong_5}
rules:
  a: {check: n == wrong_6}
  b: {check: n == m}
  c: {check: n == 1, when: x.rank == wrong_7}
scenarios:
  s: {columns: [n], alternatives: [{id: one, rows: [[1], [wrong_8]]}, {id: two, when: wrong_9, rows: [[2]]}]}
"""
)


def test_all_faulty_expressions_of_a_spec_are_told_at_once_each_with_a_caret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fault of a derived value is told where that stands, not where others read it; of one scenario the first."""
    file = tmp_path / "aclnnX.yaml"
    file.write_text(FAULTY, encoding="utf-8")
    assert main(["lint", str(file)]) == 2
    printed = capsys.readouterr().out
    lines = printed.splitlines()
    marked = [line for line, mark in zip(lines, lines[1:], strict=False) if mark.strip() == "^"]
    told = [line for line in lines if line.startswith(f"{file}:")]
    assert len(told) == len(marked) == 8, printed
    for number in range(1, 9):
        assert sum(f"wrong_{number}" in line for line in told) == 1, printed
    assert not any("n == m" in line for line in marked), printed


def test_faults_of_one_file_keep_their_places_when_they_are_put_into_another(tmp_path: Path) -> None:
    file = tmp_path / "aclnnX.yaml"
    file.write_text(BROKEN, encoding="utf-8")
    with pytest.raises(OpspecError) as caught:
        load_file(str(file))
    moved = caught.value.at("registry")
    assert [fault.where for fault in moved.faults] == [f"registry: {fault.where}" for fault in caught.value.faults]
    assert str(moved).splitlines() == [f"registry: {line}" for line in str(caught.value).splitlines()]
