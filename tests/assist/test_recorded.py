"""Of recorded calls nothing is guessed: what a verdict says of them is told, and those that came through are not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from opspec.cli.ending import ended
from opspec.cli.main import main

RIGHT = {"shape": [2, 3], "dtype": "FLOAT"}


def call(status: str, said: str = "", **args: Any) -> str:
    """A line of a record: an addition, as a layer in front of the libraries writes it."""
    given = {"self": RIGHT, "other": RIGHT, "alpha": {"scalar": {"dtype": "FLOAT", "value": 1.0}}, "out": RIGHT, **args}
    written = {"op": "aclnnAdd", "release": "9.1.0", "product": "910b", "args": given, "expect": status}
    return json.dumps({**written, **({"said": said} if said else {}), "x-by": "layer"}) + "\n"


@pytest.fixture
def explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """What the command tells of lines of a record."""

    def tell(*lines: str) -> list[dict[str, Any]]:
        file = tmp_path / "calls.jsonl"
        file.write_text("".join(lines))
        assert main(["explain", str(file), "--output", "json"]) == 0
        found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
        return found

    return tell


def test_what_failed_is_told_once_with_the_rule_that_it_breaks(explained: Any) -> None:
    """Between calls that came through; the failing call is the recorded one, and the other is that one, mended."""
    wrong = call("ACLNN_ERR_PARAM_INVALID", "no words that a rule has", other={"shape": [2, 4], "dtype": "FLOAT"})
    (found,) = explained(call("ACLNN_SUCCESS"), wrong, call("ACLNN_SUCCESS"), wrong)
    assert (found["op"], found["line"], found["times"], found["product"]) == ("aclnnAdd", 2, 2, "910b")
    assert [rule["rule"] for rule in found["rules"]] == ["9.1.0/aclnnAdd/self-other-broadcast"]
    assert found["failing"]["args"]["other"]["tensor"]["shape"] == [2, 4]
    assert found["template"]["args"]["other"]["tensor"]["shape"] == [2, 3]


def test_a_refusal_that_no_rule_of_the_page_explains_is_said_to_be_one(explained: Any) -> None:
    """The call is legal by the page: another release refuses it."""
    (found,) = explained(call("ACLNN_ERR_PARAM_INVALID", "Tensor self not implemented for DT_FLOAT"))
    assert found["page_allows"] is True
    assert found["template"] is None
    assert [code["code"] for code in found["codes"]] == ["161002"]


@pytest.mark.parametrize("broken", ["{\n", '{"op": "aclnnAdd", "args": {}}\n', '{"op": "aclnnNone", "args": {}}\n'])
def test_a_line_that_is_no_call_stops_none_of_the_others(explained: Any, broken: str) -> None:
    """A record may end in the middle of a line."""
    wrong = call("ACLNN_ERR_PARAM_NULLPTR", out=None)
    (found,) = explained(wrong, broken)
    assert [rule["rule"] for rule in found["rules"]] == ["9.1.0/aclnnAdd/out.null"]


def test_nothing_more_is_asked_for_of_a_call_that_is_known_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody is told to find a message, or to give the call itself."""
    file = tmp_path / "calls.jsonl"
    file.write_text(call("ACLNN_ERR_INNER_NULLPTR"))
    assert main(["explain", str(file), "--lang", "en"]) == 0
    told = capsys.readouterr().out
    assert told.rstrip().endswith("is your CANN newer or older?")


def test_a_record_without_failures_has_nothing_to_explain(tmp_path: Path) -> None:
    """It is said, and no rule is made up for a call that came through."""
    file = tmp_path / "calls.jsonl"
    file.write_text(call("ACLNN_SUCCESS") * 3)
    assert ended(lambda: main(["explain", str(file)])) == 2
