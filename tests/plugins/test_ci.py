"""What users take into their own CI: hooks, the action of GitHub, the job of GitLab. Their scripts are run here."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from opspec.cli.main import COMMANDS, main
from opspec.plugins.tools import TOOLS
from tests.cli.test_check import ILLEGAL, LEGAL, lines
from tests.cli.test_forms import cases, command, log
from tests.paths import REPOSITORY
from tests.plugins.test_pytest_plugin import ran as project_ran
from tests.test_published import blocks

CI = REPOSITORY / "examples" / "ci"


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A checkout with a legal call in one file, and an illegal one in another whose name is unpleasant."""
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "good.calls.jsonl").write_text(lines(LEGAL))
    (tmp_path / "deep" / "er" / "a b.calls.jsonl").write_text(lines(LEGAL, ILLEGAL))
    return tmp_path


def ran(script: str, folder: Path, **settings: str) -> tuple[int, str]:
    """(exit status, standard output) of a script as CI hosts run it."""
    (folder / "bin").mkdir(exist_ok=True)
    program = folder / "bin" / "opspec"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m opspec "$@"\n')
    program.chmod(0o755)
    known = {**os.environ, **settings, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=folder, env=known, stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


def test_the_action_annotates_and_writes_a_log(project: Path) -> None:
    """Files by patterns; its inputs reach the shell as variables alone, never as text of the script."""
    action = read(CI / "action.yml")
    step = action["runs"]["steps"][1]
    assert not any("${{" in one["run"] for one in action["runs"]["steps"])
    given = {name: f"${{{{ inputs.{name.removeprefix('OPSPEC_').lower()} }}}}" for name in step["env"]}
    assert step["env"] == given
    assert {name.removeprefix("OPSPEC_").lower() for name in given} | {"package"} == set(action["inputs"])
    settings = {name: str(action["inputs"][name.removeprefix("OPSPEC_").lower()].get("default", "")) for name in given}
    settings |= {"OPSPEC_FILES": "**/*.calls.jsonl", "OPSPEC_SARIF": "log.sarif"}
    status, out = ran(step["run"], project, **settings)
    (line,) = out.splitlines()
    _, at, _ = command(line)
    assert (status, at["file"], at["line"]) == (1, "deep/er/a b.calls.jsonl", "2")
    (found,) = log((project / "log.sarif").read_text())["results"]
    assert found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "deep/er/a%20b.calls.jsonl"
    settings |= {"OPSPEC_FILES": "good*", "OPSPEC_PRODUCT": "A3", "OPSPEC_RELEASE": "9.1.0", "OPSPEC_SARIF": ""}
    assert ran(step["run"], project, **settings) == (0, "")
    assert ran(step["run"], project, **{**settings, "OPSPEC_FILES": "none*"})[0] == 2
    assert ran(step["run"], project, **{**settings, "OPSPEC_FILES": "--help"})[0] == 2


def test_the_job_of_gitlab_writes_a_report(project: Path) -> None:
    job = read(CI / "gitlab.yml")["opspec"]
    (script,) = job["script"]
    status, _ = ran(script, project, **job["variables"])
    shown = cases((project / job["artifacts"]["reports"]["junit"]).read_text())
    assert (status, len(shown)) == (1, 3)
    assert job["artifacts"]["when"] == "always"


def test_hooks_call_commands_that_take_files(project: Path) -> None:
    """With the files that their patterns mean."""
    hooks = {hook["id"]: hook for hook in read(REPOSITORY / ".pre-commit-hooks.yaml")}
    assert list(hooks) == ["opspec-check", "opspec-lint", "opspec-fmt"]
    assert all(hook["entry"].split()[1] in COMMANDS for hook in hooks.values())
    assert re.search(hooks["opspec-check"]["files"], "tests/x.calls.jsonl")
    assert not re.search(hooks["opspec-check"]["files"], "x.jsonl")
    assert all(re.search(hooks[name]["files"], "specs/9.1.0/math/x.yaml") for name in ("opspec-lint", "opspec-fmt"))
    assert ran(f"{hooks['opspec-check']['entry']} good.calls.jsonl", project)[0] == 0
    spec = next((REPOSITORY / "specs" / "9.1.0").rglob("aclnnGeluBackwardV2.yaml"))
    for name in ("opspec-lint", "opspec-fmt"):
        assert ran(f"{hooks[name]['entry']} {spec}", project)[0] == 0


@pytest.mark.parametrize("page", ["docs/ci.md", "docs/zh/ci.md"])
def test_what_the_page_says_of_the_project_is_there(page: str) -> None:
    """It names each hook, the files of CI and the plugin's settings; what it shows can be read."""
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    named = [hook["id"] for hook in read(REPOSITORY / ".pre-commit-hooks.yaml")]
    named += [f"`{name}`" for name in read(CI / "action.yml")["inputs"]]
    named += ["opspec_product", "opspec_release", "opspec_specs"]
    named += [f"examples/ci/{path.name}" for path in CI.iterdir()]
    assert [name for name in named if name not in text] == []
    assert all(yaml.safe_load(block) for block in blocks(text, "yaml"))


@pytest.mark.parametrize("page", ["docs/ci.md", "docs/zh/ci.md"])
def test_what_the_page_shows_happens(page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its command prints the annotation, its test passes, and so does its line of calls."""
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    words = blocks(text, "bash")[0].split()[1:]
    words[1] = str(REPOSITORY / words[1])
    assert main([*words, "--lang", "en"]) == 1
    shown = ".*".join(map(re.escape, blocks(text, "text")[0].split("…")))
    assert re.fullmatch(shown, capsys.readouterr().out.replace(f"{REPOSITORY}/", ""))
    (tmp_path / "test_page.py").write_text(blocks(text, "python")[0])
    (call,) = blocks(text, "json")
    (tmp_path / "page.calls.jsonl").write_text(" ".join(call.splitlines()) + "\n")
    status, out = project_ran(tmp_path)
    assert (status, "2 passed" in out) == (0, True)


@pytest.mark.parametrize("page", ["docs/agents.md", "docs/zh/agents.md"])
def test_the_page_for_agents_names_the_tools_and_its_example_runs(
    page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", text, re.M) == [tool.__name__ for tool in TOOLS]
    exec(compile(blocks(text, "python")[0], page, "exec"), {})  # noqa: S102 - our own example
    assert capsys.readouterr().out == blocks(text, "text")[0]
