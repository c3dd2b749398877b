"""Forms for CI: what code hosts and servers read is what their formats allow, whatever a call holds."""

from __future__ import annotations

import functools
import gzip
import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.cli.github import annotation
from opspec.cli.lint import _place
from opspec.cli.main import main
from opspec.registry.registry import registry
from tests.cli.test_check import ILLEGAL, LEGAL, UNTOLD, Run, lines, run
from tests.paths import REPOSITORY, in_folder
from tests.recorded import JUDGED, count

__all__ = ["run"]

FORMS = ("sarif", "junit", "github")


@functools.cache
def schema() -> Any:
    """The official schema, as the npm package ``@microsoft/jest-sarif`` carries it."""
    data = (REPOSITORY / "tests" / "data" / "sarif-2.1.0.schema.json.gz").read_bytes()
    return json.loads(gzip.decompress(data))


def log(text: str) -> dict[str, Any]:
    """The run of a SARIF log, which is as the schema asks, and whose results name rules that are listed."""
    value = json.loads(text)
    jsonschema.validate(value, schema(), format_checker=jsonschema.FormatChecker())
    assert value["version"] == "2.1.0"
    (found,) = value["runs"]
    rules = [rule["id"] for rule in found["tool"]["driver"]["rules"]]
    assert sorted(rules) == sorted({result["ruleId"] for result in found["results"]})
    return dict(found)


def cases(text: str) -> list[ElementTree.Element]:
    """The test cases of JUnit XML, whose counts are those that it states."""
    root = ElementTree.fromstring(text)
    found = list(root.iter("testcase"))
    for counted in (root, *root):
        assert counted.get("tests") == str(len(found))
        assert counted.get("failures") == str(len(list(root.iter("failure"))))
        assert counted.get("errors") == str(len(list(root.iter("error"))))
    names = [case.get("name") for case in found]
    assert len(set(names)) == len(names)
    return found


def command(line: str) -> tuple[str, dict[str, str], str]:
    """What GitHub's runner reads of a line: the command, its properties and its text."""
    assert line.startswith("::")
    head, _, text = line[2:].partition("::")
    name, _, rest = head.partition(" ")
    properties = dict(part.split("=", 1) for part in rest.split(","))
    return name, {key: unquote(value) for key, value in properties.items()}, unquote(text)


# --- what is said where


def test_every_form_says_what_is_wrong_with_which_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "some calls.jsonl"
    path.write_text("\n" + lines(LEGAL, ILLEGAL) + "{\n" + lines(UNTOLD))
    for words in (("--output", "sarif", "--fix"), ("--pages", "https://host/docs/")):  # of no effect, and said to be
        assert run("check", str(path), *words)[0] == 2
    status, out, err = run("check", str(path), "--output", "sarif", "--pages", "https://host/docs/")
    found = log(out)
    rule = "9.1.0/aclnnGeluBackwardV2/approximate.enum"
    places = [
        (result["ruleId"], result["level"], result["locations"][0]["physicalLocation"]["region"]["startLine"])
        for result in found["results"]
    ]
    assert places[:2] == [(rule, "error", 3), ("opspec/bad-input", "error", 4)]
    assert {(level, line) for _, level, line in places[2:]} == {("error", 5)}
    uri = found["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote(uri) == f"file://{path}"
    assert "%20" in uri
    assert found["invocations"] == [{"executionSuccessful": False}]
    described = next(one for one in found["tool"]["driver"]["rules"] if one["id"] == rule)
    assert described["helpUri"] == "https://host/docs/9.1.0/aclnnGeluBackwardV2.rules.en.html#rule-approximate.enum"
    assert "161002" in described["help"]["text"]
    assert (status, err.count("\n")) == (2, 1)

    status, out, _ = run("check", str(path), "--output", "junit")
    shown = {case.get("line"): [child.tag for child in case] for case in cases(out)}
    assert (status, shown) == (2, {"2": [], "3": ["failure"], "4": ["error"], "5": ["failure"]})

    status, out, _ = run("check", str(path), "--output", "github")
    told = [command(line) for line in out.splitlines()]
    assert [(name, at["file"], at["line"]) for name, at, _ in told] == [
        ("error", str(path), line) for line in ("3", "4", "5")
    ]
    assert rule in told[0][2]
    assert status == 2


def test_what_does_not_count_for_the_exit_status_fails_nothing(run: Run) -> None:
    """An illegal call that the runtime accepts, where only its status is asked for."""
    words = ("check", "--gate", "status", "--output")
    status, out, _ = run(*words, "sarif", text=lines(UNTOLD))
    assert (status, {result["level"] for result in log(out)["results"]}) == (0, {"warning"})
    status, out, _ = run(*words, "junit", text=lines(UNTOLD))
    assert (status, [child.tag for case in cases(out) for child in case]) == (0, ["system-out"])
    status, out, _ = run(*words, "github", text=lines(UNTOLD))
    assert (status, command(out.rstrip("\n"))[0]) == (0, "warning")


def test_legal_calls_make_whole_documents_too(run: Run) -> None:
    status, out, _ = run("check", "--output", "sarif", text=lines(LEGAL))
    assert (status, log(out)["results"]) == (0, [])
    status, out, _ = run("check", "--output", "junit", text=lines(LEGAL, LEGAL))
    assert (status, len(cases(out))) == (0, 2)
    assert run("check", "--output", "github", text=lines(LEGAL))[:2] == (0, "")


def test_every_product_has_a_test_case(run: Run) -> None:
    out = run("check", "--product", "all", "--output", "junit", text=lines(ILLEGAL))[1]
    assert len(cases(out)) == len(registry().form(ILLEGAL["op"]).support)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_recorded_calls_make_sound_documents(run: Run, lang: str) -> None:
    """Broken rules of several operators, each described in the log."""
    words = ("check", str(JUDGED), "--lang", lang, "--output")
    described = log(run(*words, "sarif")[1])["tool"]["driver"]["rules"]
    assert len(described) > 20
    assert all(rule["shortDescription"]["text"] for rule in described)
    assert len(cases(run(*words, "junit")[1])) == count(JUDGED)
    for line in run(*words, "github")[1].splitlines():
        command(line)


# --- hostile input

TEXTS = st.text() | st.sampled_from(
    ["::set-env name=A::b", "\n::error::x", "a%0Ab,c:d", "]]>", "<!--&", "[a](http://b)"]
)


@given(TEXTS, TEXTS)
def test_whatever_a_call_holds_the_documents_are_sound(name: str, text: str) -> None:
    call = {**ILLEGAL, "id": name, "args": {**ILLEGAL["args"], "approximate": f"x{text}"}}
    with in_folder() as folder:
        (folder / "x.jsonl").write_text(lines(call))
        found = {form: _printed(["check", str(folder / "x.jsonl"), "--output", form], folder) for form in FORMS}
    assert len(log(found["sarif"])["results"]) == 1
    assert len(cases(found["junit"])) == 1
    (line,) = found["github"].splitlines()
    assert command(line)[0] == "error"


def _printed(words: list[str], folder: Path) -> str:
    """What a command prints; read back from a file, as hypothesis shares one capture among its examples."""
    import contextlib

    with open(folder / "out", "w", encoding="utf-8") as file, contextlib.redirect_stdout(file):
        main(words)
    return (folder / "out").read_text(encoding="utf-8")


@given(TEXTS, TEXTS, TEXTS)
def test_an_annotation_is_one_command(title: str, message: str, file: str) -> None:
    (line,) = annotation("error", title, message, (file, 7), 3).split("\n")[:-1]
    name, properties, text = command(line)
    assert (name, properties["line"], properties["col"]) == ("error", "7", "3")
    assert set(properties) == {"file", "line", "col", "title"}
    assert text.count("\n") == message.count("\n")


# --- lint


def test_lint_has_them_too(run: Run, tmp_path: Path) -> None:
    spec = next((REPOSITORY / "specs" / "9.1.0").rglob("aclnnGeluBackward.yaml"))
    (tmp_path / "aclnnOther.yaml").write_bytes(b"release: 9.1.0\n" + spec.read_bytes())
    (tmp_path / "broken.yaml").write_text("x: [")
    status, out, _ = run("lint", str(tmp_path), "--output", "sarif")
    found = log(out)
    assert (status, found["invocations"]) == (2, [{"executionSuccessful": False}])
    assert {"lint/load", "lint/file-name"} <= {result["ruleId"] for result in found["results"]}
    status, out, _ = run("lint", str(tmp_path), "--output", "github")
    told = [command(line) for line in out.splitlines()]
    assert (status, len(told)) == (2, len(found["results"]))
    assert {os.path.basename(at["file"]) for _, at, _ in told} == {"aclnnOther.yaml", "broken.yaml"}
    status, out, _ = run("lint", str(spec), "--output", "sarif")
    assert (status, log(out)["results"]) == (0, [])


@pytest.mark.parametrize(
    ("where", "place"),
    [
        ("a/b.yaml:3:14", ("a/b.yaml", 3, 14)),
        ("a/b.yaml:3", ("a/b.yaml", 3, None)),
        ("a:1:b.yaml", ("a:1:b.yaml", 1, None)),
        ("", ("", 1, None)),
    ],
)
def test_the_place_of_a_problem_is_read(where: str, place: tuple[str, int, int | None]) -> None:
    assert _place(where) == place
