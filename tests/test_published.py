"""What is published stays true: the schema, the language reference, the README, and the specs themselves."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from opspec.cli.main import COMMANDS, main
from opspec.docs.reference import reference
from opspec.model.schema import schema
from tests.committed import PARTS, SPECS, part
from tests.paths import REPOSITORY as ROOT


def test_the_published_schema_is_the_models_schema() -> None:
    """Regenerate with: opspec schema --out specs/schema.json"""
    assert json.loads((ROOT / "specs" / "schema.json").read_text(encoding="utf-8")) == schema()


def test_the_published_reference_is_the_languages() -> None:
    """Regenerate with: opspec language --out specs/LANGUAGE.md"""
    assert (ROOT / "specs" / "LANGUAGE.md").read_text(encoding="utf-8") == reference()


def as_an_editor_reads_it(value: Any) -> Any:
    """Texts as YAML 1.2 types them, which is what editors read: numbers are numbers, yes and on are texts."""
    if isinstance(value, dict):
        return {key: as_an_editor_reads_it(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_an_editor_reads_it(item) for item in value]
    return int(value) if re.fullmatch(r"-?[0-9]+", value) else value


def loaded(path: Path) -> Any:
    """A spec as an editor sees it."""
    return as_an_editor_reads_it(yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader))  # noqa: S506


_Loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # texts alone, by libyaml where there is one


@pytest.mark.slow
@pytest.mark.parametrize("number", PARTS)
def test_the_schema_accepts_every_spec(number: int) -> None:
    """An editor that checks with the schema marks nothing in the committed specs."""
    validator = jsonschema.Draft202012Validator(schema())
    for path in part(number):
        found = [f"{path}: {error.json_path}: {error.message}" for error in validator.iter_errors(loaded(path))]
        assert found == []


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"operatr": "x"}, []),
        ({"params": [{"name": "x", "ctype": "aclTensor*", "io": "sideways"}]}, ["params", 0, "io"]),
        ({"rules": {"a": {"chek": "True"}}}, ["rules", "a"]),
    ],
)
def test_the_schema_marks_mistakes(change: dict[str, Any], where: list[str | int]) -> None:
    """What the model refuses an editor marks, at the right place."""
    errors = list(jsonschema.Draft202012Validator(schema()).iter_errors({**loaded(SPECS[0]), **change}))
    assert any(list(error.absolute_path)[: len(where)] == where for error in errors)


@pytest.mark.slow
def test_lint_finds_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """The registry is clean."""
    assert main(["lint"]) == 0, capsys.readouterr().out


@pytest.mark.slow
def test_every_spec_is_in_canonical_form(capsys: pytest.CaptureFixture[str]) -> None:
    """``opspec fmt`` has nothing to change."""
    assert main(["fmt", "--check"]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_readme_names_every_command(name: str) -> None:
    """Both languages list the commands that exist, and no others."""
    text = (ROOT / name).read_text(encoding="utf-8")
    assert re.findall(r"^\| `opspec (\w+)", text, re.M) == list(COMMANDS)


@pytest.mark.parametrize(("name", "lang"), [("README.md", "en"), ("README.zh.md", "zh")])
def test_the_readme_shows_what_its_command_prints(name: str, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The first text block is the output of the first command, to the letter."""
    text = (ROOT / name).read_text(encoding="utf-8")
    shown = text.split("```text\n", 1)[1].split("```", 1)[0]
    assert main(["check", "--lang", lang, str(ROOT / "examples" / "gelu_backward.jsonl")]) == 1
    assert capsys.readouterr().out == shown


def test_both_readmes_have_the_same_commands() -> None:
    """The test command that CI runs is the Chinese page's too."""
    blocks = [
        re.findall(r"^python3 -m venv .*$", (ROOT / name).read_text(encoding="utf-8"), re.M)
        for name in ("README.md", "README.zh.md")
    ]
    assert len(blocks[0]) == 2
    assert [line.replace(" --lang zh", "") for line in blocks[1]] == blocks[0]


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """examples/check_from_python.py finds the one fault that it shows."""
    source = (ROOT / "examples" / "check_from_python.py").read_text(encoding="utf-8")
    exec(compile(source, "check_from_python.py", "exec"), {})  # noqa: S102 - our own example
    assert "out-shape" in capsys.readouterr().out
