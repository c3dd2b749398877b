"""A log is read by the release of the version of CANN that it tells of, else of the machine's, and that is said."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from opspec.assist.explain.answer import Asked, Explained
from opspec.assist.explain.explain import explain_log, explain_text
from opspec.assist.explain.machine import cann
from opspec.assist.explain.text import as_lines
from opspec.cli.main import main
from opspec.registry.registry import registry
from opspec.registry.toolkit import NAMED, installed
from opspec.validator.text import plain
from opspec.vocabulary.literals import Lang

KNOWN = registry()
FAILURE = "call aclnnGeluBackwardV2 failed, detail:EZ1001: the dtype of gradInput is DT_INT8, error code is 161002\n"
NEWER = "call aclnnXlog1py failed, error code is 161002\n"  # an operator that 9.1.0 alone has


def explained(log: str, asked: Asked | None = None) -> Explained:
    (found,) = explain_log(io.BytesIO(log.encode()), KNOWN, asked or Asked())
    return found


def release_line(found: Explained, lang: Lang = "en") -> list[str]:
    """The lines that speak of releases."""
    lines = map(str.strip, as_lines(found, lang, plain, Asked(lang)))
    return [
        line
        for line in lines
        if ("CANN" in line or "newest" in line) and not line.startswith(("said", "消息", "there:", "运行环境"))
    ]


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("CANN 8.5.0", "8.5.0"),
        ("[INFO] CANN version: 8.2.RC1", "8.2.RC1"),
        ("-- CANN 版本 (e.g., CANN 3.0.x，5.x.x): 8.5.0", "8.5.0"),
        ("-- CANN 版本 (e.g., CANN 3.0.x，5.x.x):", None),
        ("CANN版本：8.0.RC3.alpha001", "8.0.RC3.alpha001"),
        ("cann_version = '9.0.0-beta.2'", "9.0.0-beta.2"),
        ("docker.io/ascend/cann:8.1.rc1-910b-ubuntu22.04-py3.10", "8.1.rc1"),
        ("Ascend-cann-kernels-910b_8.3.RC1_linux-aarch64.run", "8.3.RC1"),
        ("/usr/local/Ascend/ascend-toolkit/8.0.RC2/opp/built-in", "8.0.RC2"),
        ("path=/usr/local/Ascend/cann-8.5.1/aarch64-linux", "8.5.1"),
        ("toolkit_running_version=[7.5.0.2.220:8.0.RC3]", "8.0.RC3"),
        ("CANN 8.3 and torch_npu 2.5.1", "8.3"),
        ("torch_npu 2.5.1 driver 24.1.0", None),
        ("this needs CANN 8.3 or later", None),
        ("please upgrade to CANN 8.5.0", None),
        ("建议升级CANN到8.5.0及以上版本", None),
        ("requires: CANN >= 8.2", None),
        ("I scann 9.1.0 pages, cannot 8.5.0", None),
        ("CANN", None),
    ],
)
def test_the_version_that_a_line_tells(line: str, version: str | None) -> None:
    """As images, folders, packages and people write it; what ought to be there is not what is."""
    assert cann(line) == version


@pytest.mark.parametrize("place", ["before", "behind"])
@pytest.mark.parametrize(("version", "release"), [("8.2.RC1", "8.5.0"), ("9.0.1", "9.0.0"), ("10.0", "9.1.0")])
def test_a_log_tells_its_release(version: str, release: str, place: str) -> None:
    """Wherever in the log; rules, calls and the sentence about it are that release's."""
    said = f"[INFO] CANN version: {version}\n"
    found = explained(said + FAILURE if place == "before" else FAILURE + said)
    assert found.release == release
    assert {meant.release for meant in found.meant} == {release}
    assert found.template is not None
    assert found.template["release"] == release
    assert {found.to_dict()[key] for key in ("version", "cann")} == {version}
    (line,) = release_line(found)
    assert line == KNOWN.nearest(version, "log").words("en")
    assert f"CANN {version} (as the log says)" in line


def test_words_tell_it_as_well() -> None:
    (found,) = explain_text(f"CANN 8.5.0\n{FAILURE}", KNOWN, Asked())
    assert release_line(found) == ["by CANN 8.5.0 (as the log says)"]
    assert release_line(found, "zh") == ["按CANN 8.5.0处理（见日志）"]


def test_who_asks_decides() -> None:
    """A release that is asked for wins; without any word it is the newest that has the operator, as before."""
    assert explained(f"CANN 8.5.0\n{FAILURE}", Asked(release="9.0.0")).release == "9.0.0"
    found = explained(FAILURE)
    assert found.to_dict()["version"] is None
    (line,) = release_line(found)
    assert line.startswith("not said there: the release, so the newest, 9.1.0 (--release)")


def test_the_machine_tells_where_the_log_does_not() -> None:
    """The log knows better where the program ran; a variable of ours is a word of who asks."""
    toolkit = installed(KNOWN, {NAMED: "9.0.0"})
    assert toolkit is not None
    home = KNOWN.nearest("9.0.0", "ASCEND_HOME_PATH")
    for read in (toolkit, home):
        assert explained(FAILURE, Asked(toolkit=read)).release == "9.0.0"
    assert explained(f"CANN 8.5.0\n{FAILURE}", Asked(toolkit=home)).release == "8.5.0"
    assert explained(f"CANN 8.5.0\n{FAILURE}", Asked(toolkit=toolkit)).release == "9.0.0"


def test_an_operator_that_the_release_does_not_have() -> None:
    """It is looked up where it is, and that is said: the log cannot be wrong about what failed."""
    found = explained(f"CANN 8.2.RC1\n{NEWER}")
    assert found.release == "9.1.0"
    assert release_line(found)[1:] == ["8.5.0 does not have aclnnXlog1py: by 9.1.0, the newest that does"]


def test_the_command_reads_the_environment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And says so, in text and in JSON."""
    log = tmp_path / "train.log"
    log.write_text(FAILURE, encoding="utf-8")
    home = tmp_path / "cann-9.0.0"
    home.mkdir()
    monkeypatch.setenv("ASCEND_HOME_PATH", str(home))
    assert main(["explain", str(log), "--output", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["release"], found["version"]) == ("9.0.0", "9.0.0")
    assert main(["explain", str(log), "--lang", "en"]) == 0
    assert "  by CANN 9.0.0 (ASCEND_HOME_PATH)\n" in capsys.readouterr().out
    assert main(["explain", str(log), "--lang", "en", "--release", "9.1.0"]) == 0
    assert "ASCEND_HOME_PATH" not in capsys.readouterr().out
