"""``opspec diff A B --calls``: which calls change, with both verdicts; and the forms that programs read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from opspec.cli.main import main
from opspec.diff import schema


def _is_finite(dtype: str) -> dict[str, Any]:
    tensors = {"self": dtype, "out": "BOOL"}
    args = {name: {"tensor": {"shape": [4, 4], "dtype": value, "format": "ND"}} for name, value in tensors.items()}
    return {"op": "aclnnIsFinite", "product": "910b", "id": dtype, "args": args}


def _file(tmp_path: Path, *rows: object) -> str:
    path = tmp_path / "calls.jsonl"
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return str(path)


def test_calls_that_change_are_told_with_both_verdicts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """8.5.0 takes INT8 and 9.1.0 does not; those that do not change are counted. Status 1: a call breaks."""
    calls = _file(tmp_path, _is_finite("FLOAT"), _is_finite("INT8"), _is_finite("FLOAT16"))
    assert main(["diff", "8.5.0", "9.1.0", "--calls", calls, "--output", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    jsonschema.validate(told, schema.diff_calls())
    assert told["counts"] == {"breaks": 1, "mended": 0, "differs": 0, "same": 2, "bad": 0}
    (row,) = told["calls"]
    assert row["id"] == "INT8"
    assert row["where"].endswith(":2")
    assert row["before"]["legal"]
    assert row["before"]["rule"] is None
    assert not row["after"]["legal"]
    assert row["after"]["rule"] == "9.1.0/aclnnIsFinite/self.dtype"


@pytest.mark.parametrize("output", ["text", "md"])
def test_a_bad_row_stops_nothing(output: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told where it stands, the rows after it are judged, and the status says that there was one."""
    unknown = {**_is_finite("INT8"), "op": "aclnnNoSuch"}
    calls = _file(tmp_path, "{", unknown, {"op": "aclnnIsFinite"}, _is_finite("INT8"))
    assert main(["diff", "8.5.0", "9.1.0", "--calls", calls, "--output", output, "--lang", "en"]) == 2
    out, err = capsys.readouterr()
    assert [f"calls.jsonl:{line}" in err for line in (1, 2, 3, 4)] == [True, True, True, False]
    assert "1 of 1 calls change: 1 break" in out
    assert "3 rows could not be read" in out
    assert "self.dtype" in out


def test_the_other_way_round_calls_are_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 0: nothing breaks."""
    calls = _file(tmp_path, _is_finite("INT8"))
    assert main(["diff", "9.1.0", "8.5.0", "--calls", calls, "--lang", "en"]) == 0
    assert "1 are taken now" in capsys.readouterr().out


def test_an_operator_that_is_not_there_cannot_be_called(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A call of what one release alone has changes, and is no bad row."""
    tensor = {"tensor": {"shape": [2], "dtype": "FLOAT", "format": "ND"}}
    calls = _file(tmp_path, {"op": "aclnnXlog1py", "product": "950", "args": dict.fromkeys("xyz", tensor)})
    assert main(["diff", "8.5.0", "9.1.0", "--calls", calls, "--lang", "en"]) == 0
    assert "cannot be written" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["8.5.0", "9.1.0", "--calls", "{tmp}/nowhere"], "cannot be read"),
        (["8.5.0", "9.1.0", "--calls", "{tmp}/calls.jsonl", "--examples"], "--examples does not go with it"),
        (["8.5.0", "9.1.0", "--calls", "{tmp}/calls.jsonl", "--output", "accept"], "does not go with it"),
        (["{tmp}/toy.yaml", "9.1.0", "--calls", "{tmp}/calls.jsonl"], "calls are judged by releases"),
    ],
)
def test_what_does_not_go_together(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2, and what is expected."""
    _file(tmp_path, _is_finite("FLOAT"))
    (tmp_path / "toy.yaml").write_text(
        "operator: aclnnToy\nrelease: 8.8.0\ndocument: toy.md\nproducts: {910b: yes}\nparams:\n"
        "  - {name: x, ctype: const aclTensor*, dtype: [FLOAT]}\n",
        encoding="utf-8",
    )
    assert main(["diff", *(word.replace("{tmp}", str(tmp_path)) for word in words)]) == 2
    assert message in capsys.readouterr().err


def test_json_is_as_its_schema_says(capsys: pytest.CaptureFixture[str]) -> None:
    """Of several operators, with families and counts that add up."""
    main(["diff", "8.5.0", "9.1.0", "aclnnIs*", "--output", "json"])
    told = json.loads(capsys.readouterr().out)
    jsonschema.validate(told, schema.diff())
    assert sum(told["counts"].values()) == len(told["changes"]) == sum(told["kinds"].values())
    assert sum(told["grounds"].values()) == told["counts"]["breaking"]
    for level, count in told["counts"].items():
        assert sum(counts[level] for counts in told["families"].values()) == count


def test_the_note_begins_with_what_breaks(capsys: pytest.CaptureFixture[str]) -> None:
    """And has all changes behind it, folded away."""
    main(["diff", "8.5.0", "9.1.0", "aclnnIs*", "--output", "md", "--lang", "en"])
    page = capsys.readouterr().out
    assert page.index("## What breaks") < page.index("## What is new") < page.index("<details>")
    assert page.count("<details>") == page.count("</details>")


def test_a_release_of_which_little_is_here_gains_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """What the registry lacks of 8.0 is neither new nor gone."""
    main(["diff", "8.0", "8.5.0", "aclnnG*", "--output", "json"])
    told = json.loads(capsys.readouterr().out)
    assert told["partial"] == "8.0"
    assert told["operators"]["added"] == told["operators"]["removed"] == []
    assert told["operators"]["both"] == 2
