"""``opspec check`` as its users see it: inputs, outputs, exit statuses, and errors of one line."""

from __future__ import annotations

import gzip
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from opspec.cli.main import main
from opspec.validator import files

OP = "aclnnGeluBackwardV2"
T = {"tensor": {"shape": [4, 16], "dtype": "FLOAT16", "format": "ND"}}
ARGS: dict[str, Any] = {"gradOutput": T, "self": T, "approximate": "none", "gradInput": T}
LEGAL: dict[str, Any] = {"id": "good", "op": OP, "product": "910b", "args": ARGS}
ILLEGAL: dict[str, Any] = {"id": "bad", "op": OP, "product": "910b", "args": {**ARGS, "approximate": "sine"}}
UNTOLD: dict[str, Any] = {
    **LEGAL,
    "id": "odd",
    "args": {**ARGS, "gradOutput": {"tensor": {**T["tensor"], "format": "FRACTAL_NZ"}}},
}

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line: (exit status, standard output, standard error)."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def call(*words: str, text: str | bytes = b"") -> tuple[int, str, str]:
        data = text.encode() if isinstance(text, str) else text
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        status = main(list(words))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


def lines(*calls: dict[str, Any]) -> str:
    """JSON lines."""
    return "\n".join(map(json.dumps, calls)) + "\n"


# --- inputs


def test_it_reads_json_jsonl_gz_yaml_and_standard_input(run: Run, tmp_path: Path) -> None:
    text = json.dumps(LEGAL)
    (tmp_path / "one.json").write_text(text)
    (tmp_path / "many.json").write_text(json.dumps([LEGAL, LEGAL]))
    (tmp_path / "lines.jsonl").write_text(lines(LEGAL, LEGAL, LEGAL))
    (tmp_path / "packed.jsonl.gz").write_bytes(gzip.compress(lines(LEGAL, LEGAL).encode()))
    (tmp_path / "call.yaml").write_text(f"op: {OP}\nproduct: 910\nargs: {json.dumps(ARGS)}\n")
    for name, count in (
        ("one.json", 1),
        ("many.json", 2),
        ("lines.jsonl", 3),
        ("packed.jsonl.gz", 2),
        ("call.yaml", 1),
    ):
        status, out, err = run("check", str(tmp_path / name))
        assert (status, out.count("legal"), err) == (0, count, ""), name
    assert run("check", text=text)[0] == 0
    assert run("check", "-", text=lines(LEGAL, LEGAL))[1].count("\n") == 2
    everything = [str(path) for path in sorted(tmp_path.iterdir())]
    assert run("check", *everything)[1].count("\n") == 9


def test_a_call_may_carry_release_and_product_and_options_win(run: Run) -> None:
    call = {**LEGAL, "release": "8.0", "product": "Ascend310P3"}
    found = json.loads(run("check", "--output", "jsonl", text=json.dumps(call))[1])
    assert (found["release"], found["product"]) == ("8.0", "310p")
    found = json.loads(
        run("check", "--output", "jsonl", "--release", "9.1.0", "--product", "A3", text=json.dumps(call))[1]
    )
    assert (found["release"], found["product"]) == ("9.1.0", "A3")


# --- outputs


def test_the_jsonl_form_has_the_documented_keys(run: Run) -> None:
    status, out, _ = run("check", "--output", "jsonl", text=lines(LEGAL, ILLEGAL))
    assert status == 1
    good, bad = map(json.loads, out.splitlines())
    for verdict in (good, bad):
        assert list(verdict) == [
            "id", "op", "release", "product", "support", "status", "code", "legal", "violations", "warnings",
            "undecided",
        ]  # fmt: skip
    assert (good["id"], good["code"], good["status"], good["legal"]) == ("good", 0, "ACLNN_SUCCESS", True)
    finding = bad["violations"][0]
    assert {"rule", "param", "message", "expected", "actual", "source", "enforcement"} <= finding.keys()
    assert finding["enforcement"] == "refused"
    assert (finding["rule"], finding["param"], finding["actual"]) == ("approximate.enum", "approximate", '"sine"')
    assert finding["expected"] == "none or tanh"
    assert "params/approximate" in finding["source"]


def test_the_json_form_is_one_array(run: Run) -> None:
    assert [
        verdict["legal"] for verdict in json.loads(run("check", "--output", "json", text=lines(LEGAL, ILLEGAL))[1])
    ] == [True, False]
    assert json.loads(run("check", "--output", "json", text="[]")[1]) == []


def test_text_is_one_line_on_success_and_names_rule_and_clause_otherwise(run: Run) -> None:
    assert run("check", text=json.dumps(LEGAL))[1] == f"legal  {OP}  9.1.0  910b  good\n"
    status, out, _ = run("check", text=json.dumps(ILLEGAL))
    assert status == 1
    first, error, place = out.splitlines()
    assert first == f"illegal  {OP}  9.1.0  910b  161002 ACLNN_ERR_PARAM_INVALID  bad"
    assert error == '  error  approximate must be none or tanh; found approximate = "sine"'
    assert f"9.1.0/{OP}/approximate.enum" in place


def test_the_rule_that_decides_the_status_is_named_where_another_is_told_first(run: Run) -> None:
    """Of a call with a rule that the runtime does not look at ahead of one for which it refuses."""
    args = ILLEGAL["args"] | {"gradOutput": UNTOLD["args"]["gradOutput"]}
    first, error, *_ = run("check", text=json.dumps(ILLEGAL | {"args": args}))[1].splitlines()
    assert "161002 ACLNN_ERR_PARAM_INVALID for approximate.enum" in first
    assert "the data format of gradOutput" in error


def test_a_call_that_the_runtime_accepts_all_the_same_is_illegal_and_said_so(run: Run) -> None:
    """In the line of the call and at each rule that the first phase does not look at."""
    status, out, _ = run("check", text=json.dumps(UNTOLD))
    first, error, place = out.splitlines()
    assert status == 1
    assert first == f"illegal  {OP}  9.1.0  910b  0 ACLNN_SUCCESS (the runtime will not tell you)  odd"
    assert error.startswith("  error  the data format of gradOutput must not be a private format")
    assert place.endswith("the runtime will not tell you")
    verdict = json.loads(run("check", "--output", "jsonl", text=json.dumps(UNTOLD))[1])
    assert (verdict["legal"], verdict["code"], verdict["status"]) == (False, 0, "ACLNN_SUCCESS")
    assert [finding["enforcement"] for finding in verdict["violations"]] == ["unchecked"]
    summary = run("check", "--output", "summary", text=lines(LEGAL, ILLEGAL, UNTOLD))[1]
    assert [" ".join(line.split()) for line in summary.splitlines()[:6]] == [
        "calls judged 3", "legal 1", "illegal 2", "0 ACLNN_SUCCESS 1", "the runtime will not tell you 1",
        "161002 ACLNN_ERR_PARAM_INVALID 1",
    ]  # fmt: skip


def test_a_rule_that_programs_contradict_is_noted_beside_no_fault(run: Run) -> None:
    """Where a page lists ND, programs run with other public formats all the time: a line says so, and no fault does."""
    call = {**LEGAL, "args": {**ARGS, "gradOutput": {"tensor": {**T["tensor"], "format": "NCHW"}}}}
    status, out, _ = run("check", text=json.dumps(call))
    assert status == 0
    assert out.splitlines() == [
        f"legal  {OP}  9.1.0  910b  good",
        "  note  gradOutput.format: programs that break it run",
    ]


def test_no_colour_unless_on_a_terminal(run: Run) -> None:
    assert "\x1b" not in run("check", text=lines(LEGAL, ILLEGAL))[1]


def test_findings_follow_the_locale_and_lang_wins(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.dumps(ILLEGAL)
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert "approximate必须为" in run("check", text=text)[1]
    assert "must be" in run("check", "--lang", "en", text=text)[1]
    monkeypatch.delenv("LC_ALL")
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert "must be" in run("check", text=text)[1]


# --- exit statuses


@pytest.mark.parametrize(
    ("calls", "gate", "status"),
    [
        ([LEGAL], "", 0), ([LEGAL, ILLEGAL], "", 1), ([UNTOLD], "", 1), ([UNTOLD], "legal", 1), ([UNTOLD], "status", 0),
        ([LEGAL], "status", 0), ([ILLEGAL, UNTOLD], "status", 1),
        ([ILLEGAL, {"op": "aclnnNone", "args": {}}], "", 2), ([{"op": "aclnnNone", "args": {}}, LEGAL], "", 2),
    ],
)  # fmt: skip
def test_0_is_legal_1_illegal_2_bad_input_and_2_wins(
    run: Run, calls: list[dict[str, Any]], gate: str, status: int
) -> None:
    """The gate says which calls count: those that break a rule, or only those that the first phase refuses."""
    assert run("check", *(["--gate", gate] if gate else []), text=lines(*calls))[0] == status


def test_all_gives_a_row_per_product_and_counts_the_supported_ones(run: Run) -> None:
    """Exit 0 although the page excludes a product; 1 as soon as one that it supports refuses the call."""
    status, out, _ = run("check", "--product", "all", "--output", "jsonl", text=json.dumps(LEGAL))
    rows = {verdict["product"]: verdict["legal"] for verdict in map(json.loads, out.splitlines())}
    assert rows == {"950": True, "A3": True, "910b": True, "310b": False, "310p": True, "910": True}
    assert status == 0
    bf16 = {name: {"tensor": {**T["tensor"], "dtype": "BF16"}} if name != "approximate" else "none" for name in ARGS}
    assert run("check", "--product", "all", text=json.dumps({**LEGAL, "args": bf16}))[0] == 1


def test_a_broken_line_is_reported_with_its_number_and_the_rest_still_judged(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    file.write_text(lines(LEGAL) + "{nonsense\n" + lines(ILLEGAL))
    status, out, err = run("check", str(file))
    assert status == 2
    assert [line.split()[0] for line in out.splitlines() if not line.startswith(" ")] == ["legal", "illegal"]
    assert f"{file}:2" in err
    assert err.count("\n") == 1


# --- bad input


def changed(**changes: Any) -> str:
    """A call with other keys."""
    return json.dumps({**LEGAL, **changes})


def shape(*dims: Any) -> str:
    """A call whose self has this shape."""
    return changed(args={**ARGS, "self": {"tensor": {**T["tensor"], "shape": list(dims)}}})


BAD = {
    "unknown operator": (changed(op="aclnnGeluBackwardV1"), "did you mean 'aclnnGeluBackwardV2'"),
    "unknown product": (changed(product="Ascend910X"), "unknown product"),
    "unknown release": (changed(release="9.9"), "there are 8.0, 8.5.0, 9.0.0, 9.1.0"),
    "unknown param": (changed(args={**ARGS, "approximat": "none"}), "did you mean 'approximate'"),
    "missing param": (changed(args={}), "required, but missing"),
    "unknown dtype": (changed(args={**ARGS, "self": {"tensor": {"shape": [], "dtype": "FLOAT17"}}}), "did you mean"),
    "unknown format": (
        changed(args={**ARGS, "self": {"tensor": {"shape": [], "dtype": "FLOAT", "format": "NCHV"}}}),
        "did you mean",
    ),
    "wrong type": (changed(args={**ARGS, "self": 5}), "a tensor is written"),
    "negative dim": (shape(2, -3), "self.shape[1]: a dim is at least 0, found -3"),
    "huge dim": (shape(2**70), "a dim is an int64"),
    "a dim of many digits": (shape(1).replace("[1]", "[" + "9" * 6000 + "]"), ""),
    "fractional dim": (shape(1.5), "a dim is an integer"),
    "NaN dim": (shape(1).replace("[1]", "[NaN]"), "NaN"),
    "rank 10,000": (shape(*[1] * 10_000), "at most 1024 dims"),
    "args is no object": (changed(args=[1]), "args is"),
    "no op": ('{"args": {}}', "op is missing"),
    "duplicate key": ('{"op": "a", "op": "b", "args": {}}', "twice"),
    "NUL in a name": (changed(op="aclnn\0"), "unknown operator"),
    "path in a name": (changed(op="../../etc/passwd"), "unknown operator"),
    "lone surrogate": (changed(op="\ud800"), "unknown operator"),
    "not JSON": ("{", ""),
    "empty": ("", ""),
    "a number": ("5", ""),
    "deep nesting": ("[" * 100_000, ""),
    "deep object": ('{"op":' * 50_000, ""),
    "bad UTF-8": (b'{"op": "\xff"}', ""),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gives_one_line_and_exit_status_2(run: Run, name: str) -> None:
    text, message = BAD[name]
    status, out, err = run("check", text=text)
    assert status == 2
    assert out == ""
    assert err.startswith("opspec: ")
    assert err.count("\n") == 1
    assert len(err) < 1500
    assert message in err


@pytest.mark.parametrize("name", ["nowhere.json", ".", "packed.gz", "bomb.yaml", "deep.yaml", "\0", "a" * 5000])
def test_files_that_cannot_be_read_are_one_line_and_exit_status_2(run: Run, name: str, tmp_path: Path) -> None:
    (tmp_path / "packed.gz").write_bytes(b"no gzip")
    bomb = "a: &a [x, x]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)}, *{chr(97 + i)}]\n" for i in range(20)
    )
    (tmp_path / "bomb.yaml").write_text(bomb)
    (tmp_path / "deep.yaml").write_text("[" * 50_000)
    status, out, err = run("check", str(tmp_path / name))
    assert (status, out, err.count("\n")) == (2, "", 1)


@pytest.mark.slow
def test_a_file_of_100_megabytes_is_refused_or_read_in_bounded_time(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "big.json"
    with file.open("w") as target:
        target.write('{"op": "')
        for _ in range(100):
            target.write("x" * 1_000_000)
        target.write('", "args": {}}')
    status, out, err = run("check", str(file))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert len(err) < 1500


@pytest.mark.parametrize(
    "words",
    [
        ["--product"],
        ["--output", "xml"],
        ["--lang", "fr"],
        ["--nope"],
        ["--specs", "/nowhere"],
        ["--release", "x"],
        ["--product", "x"],
    ],
)
def test_wrong_usage_is_one_line_and_exit_status_2(run: Run, words: list[str]) -> None:
    status, _, err = run("check", *words, text=json.dumps(LEGAL))
    assert (status, err.count("\n")) == (2, 1)


# --- gates


def test_rows_of_products_that_are_not_supported_say_so_and_do_not_count(run: Run) -> None:
    """With a product of the call's own they do: then it is what was asked."""
    call = json.dumps(LEGAL)
    status, out, _ = run("check", "--product", "all", text=call)
    assert status == 0
    rows = [line for line in out.splitlines() if not line.startswith(" ")]
    assert [line.split()[3] for line in rows if line.endswith("(not supported there)  good")] == ["310b"]
    verdicts = json.loads(run("check", "--product", "all", "--output", "json", text=call)[1])
    assert {verdict["product"]: verdict["support"] for verdict in verdicts if not verdict["legal"]} == {"310b": "no"}
    counted = json.loads(run("check", "--product", "all", "--output", "summary-json", text=call)[1])
    assert (counted["unsupported"], sum(row["calls"] for row in counted["illegal"])) == (1, 1)
    assert "not supported there" in run("check", "--product", "all", "--output", "summary", text=call)[1]
    assert run("check", "--product", "310b", text=call)[0] == 1


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "not decided  needs the product"), ("zh", "无法判定  需要知道产品")]
)
def test_a_call_without_a_product_says_that_its_product_rules_were_not_checked(run: Run, lang: str, words: str) -> None:
    """It may be legal as far as the other rules go, and no further."""
    call = {key: value for key, value in LEGAL.items() if key != "product"}
    status, out, _ = run("check", "--lang", lang, text=lines(call, LEGAL))
    head, rest, other = out.splitlines()
    assert status == 0
    assert head.endswith("-  good")
    assert rest.startswith(f"  {words}")
    assert "product" in rest.split(": ")[1]
    assert other.endswith("910b  good")
    counted = json.loads(run("check", "--output", "summary-json", text=lines(call, LEGAL))[1])
    assert counted["without_product"] == 1


@pytest.mark.parametrize("text", ["[]", "", "\n\n"])
@pytest.mark.parametrize("output", ["text", "json", "jsonl", "summary"])
def test_no_call_at_all_is_bad_input(run: Run, text: str, output: str) -> None:
    """A gate that judged nothing must not be green."""
    status, _, err = run("check", "--output", output, text=text)
    assert (status, err.count("\n")) == (2, 1)


def test_a_call_may_carry_keys_of_its_own(run: Run) -> None:
    """Whoever keeps calls has more to say of them; anything else is a slip of the pen."""
    own = {"x-ticket": 7, "x-": {"a": [1]}, "note": "n", "notes": ["n"], "note_of_mine": None}
    assert run("check", text=lines({**LEGAL, **own}))[:2] == run("check", text=lines(LEGAL))[:2]
    for key in ("X-ticket", "xnote", "my-note", "argss"):
        assert run("check", text=lines({**LEGAL, key: 1}))[0] == 2


def test_json_is_bounded_as_a_line_of_jsonl_is(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert files.MAX_DOCUMENT == files.MAX_LINE
    monkeypatch.setattr(files, "MAX_DOCUMENT", 1000)
    (tmp_path / "big.json").write_text(json.dumps([LEGAL] * 10))
    status, out, err = run("check", str(tmp_path / "big.json"))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "use JSONL" in err
