"""A table of calls has the verdicts of ``opspec.check``, in whatever form it comes, and no row stops it."""

from __future__ import annotations

import gzip
import itertools
import json
import sys
from pathlib import Path
from typing import Any

import pandas
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from opspec import OpspecError, frames
from opspec.cli.main import main
from opspec.frames import rows
from opspec.registry.registry import registry
from opspec.validator.batch import Judge
from opspec.validator.read import Call, calls
from opspec.vocabulary.enforcement import REFUSED
from tests.recorded import JUDGED

KNOWN = [call for call in itertools.islice(calls(str(JUDGED)), 0, None, 3) if isinstance(call, Call)]
SHAPE = {"shape": [2, 3], "dtype": "FLOAT16"}
ABS = {"self": {"tensor": SHAPE}, "out": {"tensor": SHAPE}}


def table_of(known: list[Call]) -> pyarrow.Table:
    """Calls in columns of text."""
    columns = {name: [getattr(call, name) for call in known] for name in ("op", "product", "release")}
    return pyarrow.table({**columns, "args": [json.dumps(call.args) for call in known]})


def verdicts(found: Any) -> list[dict[str, Any]]:
    """The rows of a result, null as None."""
    arrow = pyarrow.Table.from_pandas(found, preserve_index=False) if isinstance(found, pandas.DataFrame) else found
    return [dict(row) for row in arrow.to_pylist()]


def test_verdicts_are_those_of_check() -> None:
    """Of recorded calls: legal and not, refused and not."""
    judge = Judge(registry(), None, None, "en")
    found = verdicts(frames.check(table_of(KNOWN)))
    assert len(found) == len(KNOWN) > 100
    assert {row["legal"] for row in found} >= {True, False}
    for call, row in zip(KNOWN, found, strict=True):
        verdict = judge.verdict(call)
        decisive = next((one for one in verdict.violations if one.enforcement == REFUSED), None)
        assert (row["legal"], row["status"], row["code"]) == (verdict.legal, verdict.status, verdict.code)
        assert (row["support"], row["judged_by"], row["error"]) == (verdict.support, verdict.release, None)
        for name in ("rules", "warnings", "undecided"):
            told = verdict.violations if name == "rules" else getattr(verdict, name)
            assert row[name] == [finding.rule for finding in told]
        if verdict.code:
            assert decisive is not None
            assert (row["rule"], row["message"]) == (decisive.rule, decisive.message)
        else:
            assert row["rule"] == next(iter(row["rules"]), None)


def test_every_form_of_a_table_says_the_same() -> None:
    """Table, batch, frame; text, whole lines, dicts in a frame, a struct with fields for many operators."""
    table = table_of(KNOWN)
    expected = verdicts(frames.check(table))
    assert verdicts(pyarrow.Table.from_batches(map(frames.check, table.to_batches(max_chunksize=50)))) == expected
    assert verdicts(frames.check(table.to_pandas())) == expected
    whole = [json.dumps({"op": call.op, "product": call.product, "args": call.args}) for call in KNOWN]
    assert verdicts(frames.check(pyarrow.table({"call": whole}))) == expected
    dicts = table.to_pandas().assign(args=[call.args for call in KNOWN])
    assert verdicts(frames.check(dicts)) == expected


def test_a_struct_has_fields_for_all_its_operators() -> None:
    """Null in a field of another operator is no argument; null of a param of its own is the null pointer."""
    table = pyarrow.table(
        {
            "op": ["aclnnAbs", "aclnnAdd", "aclnnAbs"],
            "args": [ABS, {**ABS, "other": {"tensor": SHAPE}, "alpha": {"scalar": {"dtype": "FLOAT"}}}, {"out": None}],
        }
    )
    for given_table in (table, table.to_pandas()):
        found = verdicts(frames.check(given_table, product="910b"))
        assert [row["error"] for row in found] == [None, None, None]
        assert [row["rule"] for row in found] == [None, None, "self.null"]


CELLS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.binary(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
OPS = st.sampled_from(["aclnnAbs", "Abs", "aclnnNone", "", json.dumps({"op": "aclnnAbs", "args": ABS})]) | CELLS
ARGS = st.sampled_from([json.dumps(ABS), ABS, "{", "[]", "1}, {", '{"self": null, "self": null}', "[" * 99_999]) | CELLS


@given(st.lists(st.tuples(OPS, CELLS, CELLS, ARGS, CELLS), max_size=4))
def test_no_row_raises(given_rows: list[tuple[Any, ...]]) -> None:
    """Whatever stands in a cell: a verdict or an error for each row, with the index of the frame."""
    names = ("op", "product", "release", "args", "unknown")
    columns = {name: pandas.Series([row[at] for row in given_rows], dtype=object) for at, name in enumerate(names)}
    frame = pandas.DataFrame(columns).set_axis([10 * at for at in range(len(given_rows))])
    found = frames.check(frame)
    assert list(found.index) == list(frame.index)
    assert all((row["error"] is None) == (row["legal"] is not None) for row in verdicts(found))
    for name in ("rules", "warnings", "undecided"):  # a null there is no list, which ends Spark's mapInPandas
        assert all(isinstance(value, list) for value in found[name])
    whole = frames.check(pandas.DataFrame({"call": columns["op"]}))
    assert len(whole) == len(given_rows)


def test_a_fault_of_opspec_is_an_error_of_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """And is no statement about the call."""
    monkeypatch.setattr(Judge, "usual_args", lambda *_: 1 / 0)
    (row,) = verdicts(frames.check(table_of(KNOWN[:1]), product="A2"))
    assert row["legal"] is None
    assert "this is a fault of opspec" in row["error"]


def test_identical_calls_are_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a partition, as long as there are not more that differ than are kept."""
    judged: list[tuple[object, ...]] = []
    real = Judge.usual_args

    def noted(self: Judge, *args: Any) -> Any:
        judged.append(args)
        return real(self, *args)

    monkeypatch.setattr(Judge, "usual_args", noted)
    few = table_of(KNOWN[:20])
    many = pyarrow.concat_tables([few] * 5)
    once = frames.check(many)
    assert len(judged) == len(set(judged)) <= 20
    monkeypatch.setattr(rows, "MOST_KEPT", 3)
    assert frames.check(many).equals(once)
    assert frames.check(few.slice(0, 0)).schema == once.schema


@pytest.mark.parametrize(
    ("table", "options", "said"),
    [
        ({"op": []}, {}, "a table of calls has the columns op and args, or call; its columns are 'op'"),
        ({"call": []}, {"keep": ["id"]}, "keep: there is no column 'id'"),
        ({"call": [], "code": []}, {"keep": ["code"]}, "a verdict has a column 'code' of its own"),
        ({"call": []}, {"keep": "call"}, "keep: a list of columns is expected"),
        ({"call": []}, {"product": "911"}, "unknown product '911'"),
        ({"call": []}, {"product": ["910b"]}, "product: a text is expected, found ['910b']"),
        ({"call": []}, {"product": "all"}, "a row has one verdict"),
        ({"call": []}, {"lang": "fr"}, "unknown language 'fr'"),
        ({"call": []}, {"specs": "nowhere"}, "nowhere"),
    ],
)
def test_what_is_no_table_of_calls_is_said(table: dict[str, Any], options: dict[str, Any], said: str) -> None:
    for made in (pyarrow.table(table), pandas.DataFrame(table)):
        with pytest.raises(OpspecError) as error:
            frames.check(made, **options)
        assert said in str(error.value)


def test_another_kind_of_table_is_said() -> None:
    with pytest.raises(OpspecError, match=r"expected a pyarrow.Table, a pyarrow.RecordBatch or a pandas.DataFrame"):
        frames.check([1])


def test_without_pyarrow_its_name_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(OpspecError, match="pip install 'opspec"):
        frames.check([1])


# --- files


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """What the layer records, with a blank line, one that was cut, and one that is no UTF-8."""
    path = tmp_path / "calls.jsonl"
    line = json.dumps({"op": "aclnnAbs", "product": "910b", "args": ABS}).encode()
    path.write_bytes(line + b"\n\n" + line[:-5] + b"\n" + line.replace(b"FLOAT16", b"\xff", 1) + b"\n" + line)
    return path


def test_a_log_is_read_in_batches(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line with its number; what is broken has an error."""
    packed = log.with_name("calls.jsonl.gz")
    packed.write_bytes(gzip.compress(log.read_bytes()))
    monkeypatch.setattr(frames.files, "ROWS", 3)
    for path in (log, packed):
        found = [row for batch in frames.read(path) for row in verdicts(frames.check(batch, keep=["line"]))]
        assert [(row["line"], row["legal"]) for row in found] == [(1, True), (3, None), (4, None), (5, True)]


def test_parquet_is_read_and_checked(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By the command as by the function; a row that is broken is named by its number."""
    path = log.with_name("calls.parquet")
    parquet.write_table(pyarrow.Table.from_batches(frames.read(log)), path)
    assert [row["legal"] for row in verdicts(pyarrow.Table.from_batches(map(frames.check, frames.read(path))))] == [
        True, None, None, True,
    ]  # fmt: skip
    assert main(["check", "--output", "summary", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.err.count("calls.parquet: row 2: ") == 1
    assert captured.out.split()[:3] == ["calls", "judged", "2"]
    assert main(["check", "--output", "github", str(path)]) == 2
    assert f"file={path},line=2," in capsys.readouterr().out
    parquet.write_table(table_of(KNOWN[:9]).append_column("id", [list("abcdefghi")]), path)
    assert main(["check", "--output", "jsonl", str(path)]) == 1
    assert [json.loads(line)["id"] for line in capsys.readouterr().out.splitlines()] == list("abcdefghi")


@pytest.mark.parametrize("content", [b"", b"PAR1", b"no parquet at all", b"PAR1" + b"\xff" * 64 + b"PAR1"])
def test_a_damaged_file_is_said(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.parquet"
    path.write_bytes(content)
    assert main(["check", str(path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"opspec: {path}: ")
    assert error.count("\n") == 1
