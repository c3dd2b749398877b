"""Promise: ``--output json`` is one JSON document and ``jsonl`` one object a line, whichever command prints them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from opspec.cli.completion import commands
from opspec.cli.main import main
from tests.cli.test_check import ILLEGAL, LEGAL
from tests.paths import REPOSITORY
from tests.workshop.audit.building import PAGE

OP = "aclnnGeluBackwardV2"
SHAPES: dict[str, dict[str, type]] = {"json": {"array": list, "object": dict}, "jsonl": {"object": dict}}


def _calls(folder: Path) -> str:
    path = folder / "calls.jsonl"
    path.write_text("".join(json.dumps(call) + "\n" for call in (LEGAL, ILLEGAL)))
    return str(path)


def _page(folder: Path) -> str:
    path = folder / "aclnnX.md"
    path.write_text(PAGE, encoding="utf-8")
    return str(path)


def _recorded(folder: Path) -> str:
    path = folder / "recorded.jsonl"
    path.write_text(json.dumps({**LEGAL, "expect": "ACLNN_SUCCESS"}) + "\n")
    return str(path)


#: command -> its other words; what needs a C compiler is told by its own tests
WORDS: dict[str, Callable[[Path], list[str]]] = {
    "check": lambda folder: [_calls(folder)],
    "explain": lambda folder: [f"{OP}/out-shape"],
    "repair": lambda folder: [_calls(folder)],
    "infer": lambda folder: [_calls(folder)],
    "list": lambda folder: [OP],
    "show": lambda folder: [OP],
    "cases": lambda folder: ["aclnnAbs", "--only", "legal"],
    "kinds": lambda folder: [],
    "matrix": lambda folder: ["aclnnAbs"],
    "diff": lambda folder: ["8.5.0/aclnnAbs", "9.1.0/aclnnAbs"],
    "audit": lambda folder: [_page(folder)],
    "lint": lambda folder: [str(REPOSITORY / "specs/9.1.0/math/aclnnAbs.yaml")],
    "schema": lambda folder: ["verdict"],
    "coverage": lambda folder: ["aclnnAbs"],
    "conflicts": lambda folder: ["aclnnAbs"],
    "conformance": lambda folder: [_recorded(folder)],
}
COMPILED = {"run"}


def outputs() -> list[tuple[str, str]]:
    """Each command with each of ``json`` and ``jsonl`` that its parser takes."""
    return [
        (command.name, word)
        for command in commands()
        for option in command.options
        if "--output" in option.flags
        for word in option.words
        if word in SHAPES
    ]


def documented(page: str) -> dict[tuple[str, str], str]:
    """The table of outputs on a page: (command, output) -> array or object."""
    found: dict[tuple[str, str], str] = {}
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    for line in re.findall(r"^\| `opspec (\w+)` \| (.*) \| (.*) \|$", text, flags=re.M):
        for output, cell in zip(SHAPES, line[1:], strict=True):
            shape = next((shape for shape in ("array", "object") if cell.startswith((shape, _ZH[shape]))), None)
            if shape is not None:
                found[line[0], output] = shape
    return found


_ZH = {"array": "数组", "object": "对象"}


@pytest.mark.parametrize("page", ["docs/agents.md", "docs/zh/agents.md"])
def test_the_table_of_outputs_is_whole(page: str) -> None:
    """Every command that has one, and no other."""
    assert set(documented(page)) == set(outputs())


@pytest.mark.parametrize(("command", "output"), [found for found in outputs() if found[0] not in COMPILED])
def test_json_is_one_document_and_jsonl_an_object_a_line(
    command: str, output: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the shape that the table says; where a command has both, they hold the same."""
    shape = documented("docs/agents.md")[command, output]
    found = _printed(command, output, tmp_path, capsys)
    assert all(type(value) is SHAPES[output][shape] for value in (found if output == "jsonl" else [found]))
    if output == "jsonl":
        assert found
        if (command, "json") in outputs():
            assert found == _printed(command, "json", tmp_path, capsys)


def _printed(command: str, output: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    assert main([command, *WORDS[command](folder), "--output", output]) in (0, 1)
    text = capsys.readouterr().out
    return json.loads(text) if output == "json" else [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(("words", "count"), [(["infer"], 0), (["repair"], 0)])
def test_json_is_whole_where_every_call_is_broken(
    words: list[str], count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty array, and exit status 2."""
    path = tmp_path / "calls.jsonl"
    path.write_text("{}\n[]\n")
    assert main([*words, str(path), "--output", "json"]) == 2
    assert json.loads(capsys.readouterr().out) == []


def test_options_are_told_like_commands_and_help_is_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    """``opspec help CMD`` is ``opspec CMD --help``, ``-V`` is ``--version``; a misspelt option names the nearest."""
    with pytest.raises(SystemExit) as stopped:
        main(["help", "check"])
    assert stopped.value.code == 0
    helped = capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["check", "--help"])
    assert helped == capsys.readouterr().out
    assert main(["help"]) == main(["-V"]) == 0
    capsys.readouterr()
    for name, option in ((command.name, word.flags[0]) for command in commands() for word in command.options):
        if option.startswith("--") and option != "--help":
            wrong = option[:-1] + option[-1] * 2
            assert main([name, *(["build"] if name in ("sdk", "layer") else []), wrong, "x"]) == 2
            said = capsys.readouterr().err
            assert f"unrecognized option '{wrong}'; did you mean '--" in said, said
