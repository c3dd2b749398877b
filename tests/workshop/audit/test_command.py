"""The command: what it reads and prints, its exit status, and pages that mean no good."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path

import pytest

from opspec.cli.main import main
from opspec.workshop.audit.run import audit, files
from tests.paths import SHARED, needs_shared
from tests.workshop.audit.building import PAGE, spoilt

_SPOILT = spoilt("<td>BOOL</td>", "<td>BOOL、FLOAT8E5M2</td>")


def written(folder: Path, text: str | bytes, name: str = "aclnnToy.md") -> str:
    """A page in a file."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def test_a_sound_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", written(tmp_path, PAGE)]) == 0
    out = capsys.readouterr()
    assert out.out == ""
    assert out.err == "1 page, 0 defects\n"


def test_text_in_both_languages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, _SPOILT)
    assert main(["audit", path, "--lang", "en"]) == 1
    assert (
        "dtype-spelling        the cell of maskOptional lists FLOAT8E5M2; FLOAT8_E5M2 is meant"
        in capsys.readouterr().out
    )
    assert main(["audit", path, "--lang", "zh"]) == 1
    assert "参数maskOptional的数据类型写作FLOAT8E5M2，应为FLOAT8_E5M2" in capsys.readouterr().out


def test_json_and_markdown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, _SPOILT)
    assert main(["audit", path, "--output", "json"]) == 1
    row = json.loads(capsys.readouterr().out)[0]
    assert (row["kind"], row["level"], row["operator"], row["param"]) == (
        "dtype-spelling",
        "slip",
        "aclnnToy",
        "maskOptional",
    )
    assert (row["found"], row["expected"]) == ("FLOAT8E5M2", "FLOAT8_E5M2")
    assert main(["audit", path, "--output", "md", "--lang", "en"]) == 1
    text = capsys.readouterr().out
    assert "| `dtype-spelling` | slip | 1 |" in text
    assert "### aclnnToy.md" in text
    assert "FLOAT8\\_E5M2" in text


def test_kinds_and_levels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, _SPOILT)
    assert main(["audit", path, "--level", "error"]) == 0
    assert main(["audit", path, "--kind", "few-cells"]) == 0
    assert main(["audit", path, "--kind", "dtype-spelling"]) == 1
    assert main(["audit", path, "--kind", "dtype-speling"]) == 2
    assert "did you mean 'dtype-spelling'" in capsys.readouterr().err
    assert main(["audit", "--kinds"]) == 0
    assert "dtype-spelling" in capsys.readouterr().out
    assert main(["audit"]) == 2


def test_folders_are_read_without_context(tmp_path: Path) -> None:
    written(tmp_path, PAGE, "ops/toy/aclnnToy.md")
    written(tmp_path, "# 数据格式", "ops/context/数据格式.md")
    assert [path.name for path in files([str(tmp_path)])] == ["aclnnToy.md"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "found an empty file"),
        (b"# aclnnToy\n\xff\xfe", "cannot read"),
        ("# 天气\n\n晴。\n", "not a page of an aclnn operator"),
        ("aclnnStatus aclnnToy(" * 5000, "at most 500 prototypes"),
        ("# aclnnToy\n" + "<table><tr><td>" * 5000, "nested at most 50 deep"),
    ],
)
def test_what_is_no_page_is_named(
    tmp_path: Path, text: str | bytes, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """And the other pages are audited all the same."""
    bad, good = written(tmp_path, text, "bad.md"), written(tmp_path, _SPOILT)
    assert main(["audit", bad, good, "--lang", "en"]) == 2
    out = capsys.readouterr()
    assert "FLOAT8E5M2" in out.out
    assert f"{bad}: " in out.err
    assert message in out.err


def test_bad_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", str(tmp_path)]) == 2
    assert "no pages here" in capsys.readouterr().err
    assert main(["audit", str(tmp_path / "none")]) == 2
    assert main(["audit", "a\0b"]) == 2


@pytest.mark.parametrize(
    "text",
    [
        "# aclnnToy\n## 功能说明\n" + "x、grad_out的维度大于8" * 36_000,
        "# aclnnToy\n## 约束说明\n" + "- grad_out大于8。\n" * 30_000,
        PAGE.replace("  </table>", "<tr><td>out</td><td>输入</td><td>FLOAT99、FLOAT16</td></tr>\n" * 6_000, 1),
        "# aclnnToy\n## 功能说明\n" + "<ul><li>" * 20_000 + "(" * 100_000,
        PAGE.replace("玩具", "\0\x1b[31m玩具"),
        "# aclnnToy\n## 功能说明\n" + "F" * 1_000_000,
    ],
    ids=["one line", "many lines", "many rows", "deep", "control characters", "one word"],
)
def test_hostile_pages_take_bounded_time(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    started = time.process_time()
    assert main(["audit", written(tmp_path, text), "--level", "note"]) in (0, 1)
    assert time.process_time() - started < 20
    assert "\x1b" not in capsys.readouterr().out


@needs_shared
def test_the_corpus_of_9_1_0() -> None:
    """A few hundred defects that were looked at; the whole corpus takes well under a minute of processor time."""
    started = time.process_time()
    found, errors = audit(files([str(SHARED / "docs" / "9.1.0")]))
    assert time.process_time() - started < 60
    assert errors == []
    counts = Counter(defect.kind for defect in found if defect.level != "note")
    assert 500 <= counts.total() <= 900
    for kind, low, high in [
        ("unsupported-rules", 45, 60),
        ("status-number", 10, 16),
        ("order-differs", 20, 30),
        ("not-in-table", 8, 16),
        ("unknown-format", 6, 6),
        ("written-input", 30, 45),
        ("type-without-pointer", 110, 150),
        ("two-pages", 2, 2),
        ("no-return-type", 1, 1),
    ]:
        assert low <= counts[kind] <= high, (kind, counts[kind])


@needs_shared
@pytest.mark.parametrize("folder", ["docs/8.5.0", "seeds"])
def test_other_forms_are_read(folder: str) -> None:
    """Older pages and scraped ones: none is refused, and the scraped ones are not blamed for what scraping lost."""
    found, errors = audit(files([str(SHARED / folder)]))
    assert errors == []
    assert bool(found) == (folder != "seeds")
