"""Repaired calls: legal by the validator, near the call that was given, and found for nearly all."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import opspec
from opspec import OpspecError, Tensor, check, repair
from opspec.assist.definitions import definition
from opspec.assist.repair.api import fixes_of
from opspec.assist.repair.changes import WEIGHTS, Change, differences
from opspec.assist.repair.search import MOST_TRIED
from opspec.cli.main import main
from opspec.docs import schemas
from opspec.registry.registry import registry
from tests.assist.judged import verdict_of
from tests.assist.measure import COMMITTED
from tests.paths import REPOSITORY
from tests.recorded import JUDGED, sample

FIX = jsonschema.Draft202012Validator(schemas.fix())
VERDICT = jsonschema.Draft202012Validator(schemas.verdict())
PROMISED = 0.9  # of illegal calls that one change made
#: how a call was made that is not one change of a call which the runtime accepts
WHOLE = ("blind", "rule", "legal", "example", "base")
EXAMPLE = REPOSITORY / "examples" / "gelu_backward.jsonl"


def gelu(**changed: object) -> dict[str, object]:
    plain = {name: Tensor((4, 16), "FLOAT16") for name in ("gradOutput", "self", "gradInput")}
    return {**plain, "approximate": "tanh", **changed}


def fixed(product: str | None = "910b", /, **changed: object) -> tuple[opspec.Fix, ...]:
    return repair("aclnnGeluBackwardV2", product=product, args=gelu(**changed))


@pytest.mark.parametrize(
    ("changed", "kind", "path"),
    [
        ({"gradInput": Tensor((4, 16), "INT8")}, "dtype", "gradInput"),
        ({"gradInput": Tensor((4, 8), "FLOAT16")}, "shape", "gradInput"),
        ({"approximate": "sine"}, "value", "approximate"),
        ({"self": None}, "given", "self"),
        ({"self": Tensor((4, 16), "FLOAT16", "FRACTAL_NZ")}, "format", "self"),
    ],
)
def test_one_fault_is_mended_where_it_is(changed: dict[str, object], kind: str, path: str) -> None:
    (change,) = fixed(**changed)[0].changes
    assert (change.kind, change.paths) == (kind, (path,))


def test_what_is_shown_is_legal_and_differs_in_what_it_says() -> None:
    found = fixed(self=Tensor((4, 8), "FLOAT16"), gradInput=Tensor((4, 16), "INT8"))
    assert 0 < len(found) <= 3
    assert [fix.distance for fix in found] == sorted(fix.distance for fix in found)
    for fix in found:
        assert check(fix.op, product=fix.product, release=fix.release, args=fix.args)
        assert fix.message == "; ".join(change.words("en") for change in fix.changes)
    sets = [{(path, change.kind) for change in fix.changes for path in change.paths} for fix in found]
    assert not any(few < many for few in sets for many in sets)


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ("COMPLEX64", "FLOAT", "imaginary"),
        ("FLOAT", "INT32", "fraction"),
        ("FLOAT", "FLOAT16", "values"),
        ("INT8", "UINT8", "sign"),
        ("FLOAT16", "FLOAT", None),
    ],
)
def test_a_cast_that_loses_something_says_what_and_costs_more(old: str, new: str, lost: str | None) -> None:
    """Of data that a caller has: nothing is in an output yet, or in a tensor without elements."""
    params = definition(registry(), "aclnnAbs", "9.1.0").params
    call = {param.name: Tensor((4,), old) for param in params}

    def cast(name: str, before: dict[str, Tensor]) -> Change:
        (change,) = differences(before, {**before, name: Tensor(before[name].shape, new)}, params)
        return change

    change, free = cast("self", call), replace(cast("self", call), lost=None)
    assert change.lost == lost
    assert change.to_dict("en")["lost"] == lost
    assert (change.weight > free.weight) is (lost is not None)
    for lang in ("en", "zh"):
        assert (change.words(lang) != free.words(lang)) is (lost is not None)
    assert cast("out", call).lost is None
    assert cast("self", {**call, "self": Tensor((0,), old)}).lost is None


def test_a_repair_that_loses_nothing_comes_before_one_that_does() -> None:
    """An INT4 among operands: what holds every value of it is nearer than what does not."""
    found = fixed(self=Tensor((4, 16), "COMPLEX64"))
    assert "(loses the imaginary part)" in found[0].message
    assert "loses" not in fixed(self=Tensor((4, 16), "INT8"))[0].message


def test_arguments_are_given_as_to_check() -> None:
    """By position, by name or by both."""
    given = gelu(approximate="sine")
    first, second, *_ = given.values()
    rest: dict[str, Any] = {name: given[name] for name in ("approximate", "gradInput")}
    assert repair("aclnnGeluBackwardV2", first, second, product="910b", **rest) == fixed(approximate="sine")


def test_a_legal_call_needs_none() -> None:
    assert fixed() == ()


def test_another_product_is_an_answer() -> None:
    """A dtype that one product does not take and another does."""
    call = {name: Tensor((4, 16), "BFLOAT16") for name in ("gradOutput", "self", "gradInput")}
    found = repair("aclnnGeluBackwardV2", product="310p", most=20, args={**call, "approximate": "tanh"})
    (elsewhere,) = [fix for fix in found if fix.product != "310p"]
    assert [change.kind for change in elsewhere.changes] == ["product"]
    assert any(fix.product == "310p" for fix in found)


def test_another_version_is_an_answer() -> None:
    """With what it lacks."""
    found = repair("aclnnGeluBackwardV2", product="910b", most=20, args=gelu(approximate="sine"))
    (other,) = [fix for fix in found if fix.op != "aclnnGeluBackwardV2"]
    assert [change.kind for change in other.changes] == ["operator", "without"]
    assert check(other.op, product=other.product, args=other.args)


def test_elements_and_places_stay_where_a_dtype_changes() -> None:
    """A cast moves nothing."""
    odd = Tensor((4, 16), "INT8", strides=(1, 4), offset=2, values=range(64))
    (fix, *_) = fixed(gradInput=odd)
    body = fix.args["gradInput"]["tensor"]
    assert (body["strides"], body["offset"], body["values"]) == ([1, 4], 2, [*range(64)])


def test_a_call_without_a_product_is_repaired_as_far_as_it_is_judged() -> None:
    found = fixed(None, approximate="sine")
    assert found
    assert found[0].product is None


@pytest.mark.parametrize("wrong", [{"most": 0}, {"most": 21}, {"lang": "fr"}, {"product": "all"}])
def test_what_cannot_be_asked_for_is_said(wrong: dict[str, object]) -> None:
    with pytest.raises(OpspecError):
        repair("aclnnAbs", args={"self": None, "out": None}, **wrong)  # type: ignore[arg-type]
    with pytest.raises(OpspecError):
        repair("aclnnAbs", args={}, self=None)


READING = """
import sys
from opspec.cli.main import main
status = main(["repair", sys.argv[1]])
print(status, sorted({"pydantic", "yaml", "jinja2"} & sys.modules.keys()), file=sys.stderr)
"""


def test_a_repair_reads_no_spec() -> None:
    """Compiled forms have all that it needs, examples of other versions included: reading specs took longer than it."""
    for _ in range(2):  # the first run fills the cache
        result = subprocess.run(
            [sys.executable, "-c", READING, str(EXAMPLE)], capture_output=True, text=True, check=True
        )
    assert "fix:" in result.stdout
    assert result.stderr.strip() == "0 []"


def test_a_list_of_thousands_is_given_up_in_time() -> None:
    """Fewer calls are tried of one that is large."""
    many = [{"shape": [2], "dtype": "STRING"}] * 5000
    call = {
        "op": "aclnnForeachAbs",
        "product": "910b",
        "args": {"x": {"tensor_list": many}, "out": {"tensor_list": []}},
    }
    repair("aclnnForeachAbs", product="910b", args=call["args"])  # type: ignore[arg-type]
    assert MOST_TRIED < 10_000


def test_the_commands_say_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``repair`` and ``check --fix``, as text and as JSON; what is repaired is legal."""
    main(["repair", "--lang", "en", str(EXAMPLE)])
    text = capsys.readouterr().out
    fix_lines = [line for line in text.splitlines() if line.startswith("  fix:")]
    assert main(["check", "--lang", "en", "--fix", str(EXAMPLE)]) == 1
    assert [line for line in capsys.readouterr().out.splitlines() if line.startswith("  fix:")] == fix_lines != []
    main(["repair", "--output", "jsonl", str(EXAMPLE)])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    main(["check", "--fix", "--output", "jsonl", str(EXAMPLE)])
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == lines
    for line in lines:
        FIX.validate(line)
        VERDICT.validate(line)
    assert main(["repair", "--output", "calls", str(EXAMPLE)]) == 0
    calls = tmp_path / "calls.jsonl"
    calls.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["check", str(calls)]) == 0


def test_exit_statuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty, odd = tmp_path / "empty.jsonl", tmp_path / "odd.jsonl"
    empty.write_text("")
    odd.write_text('{"op": "aclnnNobody", "args": {}}\n' + EXAMPLE.read_text(encoding="utf-8"))
    assert main(["repair", str(empty)]) == 2
    assert main(["repair", str(odd)]) == 2
    assert "aclnnNobody" in capsys.readouterr().err


def test_the_schema_knows_every_kind_of_change() -> None:
    assert {*schemas.CHANGES} == {*WEIGHTS}


@pytest.mark.slow
def test_nearly_all_calls_that_one_change_made_illegal_are_repaired() -> None:
    """Those of this repository; the committed figures are of all operators."""
    import gzip

    with gzip.open(JUDGED, "rt", encoding="utf-8") as file:
        records = sample(map(json.loads, file))
    tried = mended = 0
    for _, group in groupby(records, key=lambda record: record["op"]):
        for record in group:
            verdict = verdict_of(record, registry())
            if verdict is None or verdict.legal or record["change"].startswith(WHOLE):
                continue
            tried += 1
            mended += bool(fixes_of(registry(), verdict, record["args"], "en"))
    assert tried > 30
    assert mended >= PROMISED * tried


def test_the_committed_figures_keep_what_is_promised() -> None:
    figures = json.loads(COMMITTED.read_text(encoding="utf-8"))
    assert figures["explain"]["operator"] >= 0.99
    assert figures["explain"]["among three"] >= 0.85
    assert figures["repair"]["repaired"] >= 0.99
    assert figures["repair"]["one of three changes that argument alone"] >= PROMISED
    assert figures["repair"]["of these first changes that argument alone"] >= PROMISED


def attention(**changed: object) -> dict[str, object]:
    """A paged decode of FusedInferAttentionScoreV3: a block table, blocks of 128, four requests."""
    cache = Tensor((64, 128, 256), "BFLOAT16")
    whole = {
        "query": Tensor((4, 1, 2048), "BFLOAT16"), "key": [cache], "value": [cache],
        "actualSeqLengthsKvOptional": [100, 200, 300, 400], "blockTableOptional": Tensor((4, 16), "INT32"),
        "numHeads": 16, "scaleValue": 0.088, "preTokens": 2147483647, "nextTokens": 2147483647, "inputLayout": "BSH",
        "numKeyValueHeads": 2, "sparseMode": 0, "innerPrecise": 1, "blockSize": 128, "antiquantMode": 0,
        "softmaxLseFlag": False, "keyAntiquantMode": 0, "valueAntiquantMode": 0,
        "attentionOut": Tensor((4, 1, 2048), "BFLOAT16"),
    }  # fmt: skip
    names = [name for name, *_ in registry().form("aclnnFusedInferAttentionScoreV3").params]
    return {name: {**whole, **changed}.get(name) for name in names}


def repaired_attention(**changed: object) -> opspec.Fix:
    return repair("aclnnFusedInferAttentionScoreV3", product="910b", args=attention(**changed))[0]


def test_a_size_is_changed_wherever_it_stands() -> None:
    """A block size in a cache's shapes and in its attribute; a head dimension in every tensor."""
    cache = Tensor((64, 17, 256), "BFLOAT16")
    fix = repaired_attention(key=[cache], value=[cache], blockSize=17)
    assert {path.partition("[")[0] for change in fix.changes for path in change.paths} == {"key", "value", "blockSize"}
    (size,) = {change.size for change in fix.changes}
    assert size is not None
    assert (size[0], size[1] % 16) == (17, 0)


def test_a_list_that_is_too_short_is_filled_not_cut() -> None:
    fix = repaired_attention(actualSeqLengthsKvOptional=[100, 200, 300])
    (change,) = fix.changes
    assert isinstance(change.new, tuple)
    assert (change.new[:3], len(change.new)) == ((100, 200, 300), 4)


@pytest.mark.parametrize(("axes", "mended"), [((2, -1), [2]), ((0, 0), [0]), ((1, 2, -2), [1, 2])])
def test_an_axis_that_is_named_twice_is_named_once(axes: tuple[int, ...], mended: list[int]) -> None:
    """What else is there fits it: the caller meant each axis once, however he counts them."""
    shape = [dim for axis, dim in enumerate((4, 5, 6)) if axis not in [value % 3 for value in axes]]
    args = {"self": {"shape": [4, 5, 6], "dtype": "FLOAT"}, "dim": {"int_array": [*axes]}, "keepDim": False,
            "dtype": {"dtype": "FLOAT"}, "out": {"shape": shape, "dtype": "FLOAT"}}  # fmt: skip
    fixed = repair("aclnnMean", args=args, product="910b")[0]
    assert fixed.call["args"]["dim"] == {"int_array": mended}
    assert len(fixed.changes) == 1


def test_what_is_missing_is_made_like_the_callers_other_tensors() -> None:
    (change,) = fixed(self=None)[0].changes
    assert isinstance(change.new, Tensor)
    assert (change.new.shape, change.new.dtype) == ((4, 16), "FLOAT16")


def test_nothing_is_emptied_to_make_a_call_legal() -> None:
    """Nor is the example put in place of what the caller has."""
    for changed in ({"self": Tensor((4, 8), "FLOAT16")}, {"gradInput": Tensor((4, 8), "INT8")}):
        for fix in fixed(**changed):
            assert all(0 not in arg["tensor"]["shape"] for arg in fix.args.values() if isinstance(arg, dict))


def test_outputs_that_agree_outweigh_the_one_argument_that_differs() -> None:
    """Two outputs of one shape are seldom both wrong: the attribute or input that asks for another one is."""
    half = {"dtype": "FLOAT16", "format": "ND"}
    indices = {"shape": [16], "dtype": "INT32"}
    call = {"self": {"shape": [16, 2], **half}, "dim": -2, "keepdim": False, "out": {"shape": [16], **half}}
    first, *_ = repair("aclnnMinDim", product="310p", args={**call, "indices": indices})
    assert [change.paths for change in first.changes] == [("dim",)]
    first, *_ = repair("aclnnMinDim", product="310p", args={**call, "dim": 1, "indices": {**indices, "shape": [2]}})
    assert [change.paths for change in first.changes] == [("indices",)]


@pytest.mark.parametrize("slip", ["self", "out"])
@pytest.mark.parametrize(("right", "wrong"), [(8, 5120), (8, 7), (8, 1), (64, 63), (8, 0)])
def test_a_size_that_nothing_else_of_the_call_is_like_is_the_slip(slip: str, right: int, wrong: int) -> None:
    """Whichever of two tensors has it: the others say what size was meant."""
    call = {name: Tensor((8, 64, wrong if name == slip else right), "FLOAT") for name in ("self", "out")}
    (change,) = repair("aclnnAcosh", product="910b", args=call)[0].changes
    assert (change.paths, change.new) == ((slip,), (8, 64, right))


def test_a_tensor_that_is_another_in_two_respects_is_put_back_as_a_whole() -> None:
    """Rather than one respect in it and the other one in each tensor that agrees with the rest."""
    odd, plain = Tensor((2, 2), "FLOAT"), Tensor((8, 2), "INT8")
    for name in ("self", "other"):
        call = {"self": plain, "other": plain, "alpha": opspec.Scalar("INT8", 1), "out": plain, name: odd}
        paths = {change.paths for change in repair("aclnnAddRelu", product="950", args=call)[0].changes}
        assert paths == {(name,)}


@pytest.mark.parametrize("keep", [True, False])
def test_an_output_that_fits_the_other_value_of_a_flag_is_no_accident(keep: bool) -> None:
    """The flag is the slip: of all shapes that the output could have by mistake it has that one."""
    call = {"self": Tensor((16, 2), "FLOAT"), "dim": [1], "keepDim": keep, "dtype": "FLOAT",
            "out": Tensor((16,) if keep else (16, 1), "FLOAT")}  # fmt: skip
    (change,) = repair("aclnnMean", product="910b", args=call)[0].changes
    assert (change.paths, change.new) == (("keepDim",), not keep)


def test_a_flag_that_asks_for_an_output_stays_where_the_output_fits_nothing() -> None:
    """With the flag off any shape would do: that it would says nothing for it."""
    x = Tensor((64, 2), "FLOAT16")
    row = Tensor((2,), "FLOAT16")
    call = {"gradOut": x, "input": x, "mean": row, "invstd": row, "weight": row, "inputG": False, "weightG": True,
            "biasG": False, "sumDy": None, "sumDyXmu": None, "gradWeight": Tensor((3,), "FLOAT"),
            "gradBias": None}  # fmt: skip
    (change,) = repair("aclnnBatchNormReduceBackward", product="910b", args=call)[0].changes
    assert change.paths == ("gradWeight",)


def test_what_is_computed_is_changed_after_what_holds_it() -> None:
    """A quantisation that is asked to be asymmetric gets its offsets, and is not made another one."""
    rows = {"shape": [2], "dtype": "FLOAT"}
    first, *_ = repair(
        "aclnnDynamicQuantV4",
        product="950",
        args={
            "x": {"shape": [2, 64], "dtype": "FLOAT16"},
            "smoothScalesOptional": None,
            "groupIndexOptional": None,
            "dstType": 2,
            "isSymmetrical": False,
            "quantMode": "pertoken",
            "dstTypeMax": 0.0,
            "yOut": {"shape": [2, 64], "dtype": "INT8"},
            "scaleOut": rows,
            "offsetOut": None,
        },
    )
    assert [(change.kind, change.paths) for change in first.changes] == [("given", ("offsetOut",))]
