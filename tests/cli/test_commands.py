"""The command line as a whole: help, unknown commands, and the commands that print what the registry holds."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from opspec import __version__
from opspec.cli.main import COMMANDS, main
from opspec.vocabulary import findings
from opspec.vocabulary.literals import Lang
from tests.committed import operators, sample


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    assert stopped.value.code == 0
    assert f"usage: opspec {command}" in capsys.readouterr().out


def test_the_overview_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {command} " in shown for command in COMMANDS)
    assert main([]) == 2
    assert main(["--version"]) == 0
    assert __version__ in capsys.readouterr().out


def test_an_unknown_command_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chekc"]) == 2
    assert "did you mean 'check'" in capsys.readouterr().err
    assert main(["-v"]) == 2
    assert "did you mean '-V'" in capsys.readouterr().err


def test_the_program_runs_as_a_module() -> None:
    result = subprocess.run([sys.executable, "-m", "opspec", "--version"], capture_output=True, text=True, check=True)
    assert result.stdout == f"opspec {__version__}\n"


def test_a_reader_that_stops_early_is_no_error() -> None:
    """``opspec language | head -1``."""
    command = f"{sys.executable} -m opspec language | head -n 1"
    result = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert result.stdout == "# The rule language\n"
    assert result.stderr == ""


def test_list_filters_by_name_release_product_and_family(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "*prelu*", "--release", "9.1.0", "--output", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == [
        {"op": name, "release": "9.1.0", "family": "activation"} for name in ("aclnnPrelu", "aclnnPreluBackward")
    ]
    assert main(["list", "--product", "310p", "--release", "8.0", "--family", "activation", "--output", "json"]) == 0
    assert {row["op"] for row in json.loads(capsys.readouterr().out)} == {"aclnnGeluBackwardV2"}
    assert main(["list", "nothing*"]) == 2
    assert main(["list", "--release", "latest"]) == 2


@pytest.mark.parametrize(("release", "name"), operators(sample(30)))
def test_show_says_all_that_the_spec_says(
    release: str, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every param, every rule's id and that of every clause without a rule is shown, in both languages."""
    monkeypatch.setenv("COLUMNS", "20000")  # nothing is folded
    words = ["show", name, "--release", release]
    assert main([*words, "--output", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    for lang in ("en", "zh"):
        assert main([*words, "--lang", lang]) == 0
        shown = capsys.readouterr().out
        assert all(param["name"] in shown for param in data["params"])
        assert all(rule["id"] in shown and rule[lang] in shown for rule in data["rules"])
        waiting = [clause for clause in data["clauses"] if not clause.get("rules")]
        assert all(f"  {clause['id']}" in shown and clause["at"] in shown for clause in waiting)  # what `from` names
        assert data["summary"][lang] in shown


@pytest.mark.parametrize("command", ["schema", "language"])
def test_output_that_cannot_be_written_is_an_error_and_leaves_nothing(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for target in (tmp_path / "missing" / "x", tmp_path):
        assert main([command, "--out", str(target)]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_conformance_counts_agreement_and_lists_disagreements(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tensor = {"tensor": {"shape": [2], "dtype": "FLOAT"}}
    args = {"gradOutput": tensor, "self": tensor, "approximate": "none", "gradInput": tensor}

    def call(expect: str, op: str = "aclnnGeluBackwardV2", **changes: object) -> str:
        return json.dumps({"id": expect, "op": op, "product": "910b", "args": {**args, **changes}, "expect": expect})

    negative = {"tensor": {"shape": [-1], "dtype": "FLOAT"}}
    file = tmp_path / "calls.jsonl"
    good = [
        call("ACLNN_SUCCESS"), call("ACLNN_ERR_PARAM_NULLPTR", self=None),
        call("ACLNN_ERR_PARAM_INVALID", approximate="x"), call("REJECT", approximate="x"),
        call("ACLNN_ERR_PARAM_INVALID", self=negative),
        call("ACLNN_SUCCESS", op="aclnnOther"),
    ]  # fmt: skip
    file.write_text("\n".join(good))
    assert main(["conformance", str(file), "--output", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["judged"], found["exact"], found["not_in_registry"]) == (5, 1.0, 1)
    file.write_text("\n".join([*good, call("ACLNN_SUCCESS", approximate="x")]))
    assert main(["conformance", str(file), "--output", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["differences"][0]["rules"] == ["approximate.enum"]
    assert found["false_alarms"] == 0.5
    assert main(["conformance", str(file)]) == 1
    assert "5 of 6 calls agree" in " ".join(capsys.readouterr().out.split())
    file.write_text(good[0].replace('"expect"', '"expected"'))
    assert main(["conformance", str(file)]) == 2


def test_specs_broken_in_any_way_give_clean_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Random damage to the committed specs: lint and fmt answer 0, 1 or 2, never with a traceback."""
    luck = random.Random(7)
    texts = [path.read_text(encoding="utf-8") for path in sample(60)]
    file = tmp_path / "9.1.0" / "aclnnX.yaml"
    file.parent.mkdir()
    for _ in range(150):
        text = luck.choice(texts)
        for _ in range(luck.randint(1, 3)):
            at = luck.randrange(len(text))
            junk = luck.choice(
                ["", "", "\n", ":", "{", "]", "'", '"', "x", "9", "-", "null", "\t", "é", "# ", "[a", "not ", "**"]
            )
            text = text[:at] + junk + text[at + luck.randint(0, 12) :]
        file.write_text(text, encoding="utf-8")
        assert main(["lint", str(file)]) in (0, 1, 2)
        assert main(["fmt", "--check", str(file)]) in (0, 1, 2)
    assert "Traceback" not in capsys.readouterr().err


def test_the_exit_status_reaches_the_shell(tmp_path: Path) -> None:
    environment = {**os.environ, "OPSPEC_CACHE": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, "-m", "opspec", "check", "/nowhere.json"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert result.returncode == 2
    assert result.stderr == "opspec: /nowhere.json: cannot be read: No such file or directory\n"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_kinds_of_findings_are_listed(lang: Lang, capsys: pytest.CaptureFixture[str]) -> None:
    """In each form all of them, with what they mean."""
    for output in ("text", "json", "md"):
        assert main(["kinds", "--output", output, "--lang", lang]) == 0
        shown = capsys.readouterr().out
        assert all(kind.id in shown and kind.meaning(lang) in shown for kind in findings.kinds().values())
    assert main(["kinds", "memory.leak"]) == 0
    assert capsys.readouterr().out.startswith("memory.leak  simulator: error  ")
    assert main(["kinds", "memory.leek"]) == 2
    assert "did you mean 'memory.leak'" in capsys.readouterr().err
