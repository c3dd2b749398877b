"""A log becomes rules: whatever it looks like, however long it is, and whatever bytes it holds."""

from __future__ import annotations

import io
import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec import check
from opspec.assist.explain.answer import Asked, Explained
from opspec.assist.explain.clues import clues
from opspec.assist.explain.explain import explain_log, explain_text
from opspec.assist.explain.lines import LONGEST, line, lines
from opspec.assist.explain.ranking import candidates, said_by
from opspec.assist.explain.template import is_so
from opspec.assist.explain.text import as_lines
from opspec.cli.ending import ended
from opspec.cli.main import main
from opspec.docs import schemas
from opspec.errors import OpspecError
from opspec.registry.registry import registry
from opspec.validator.arguments import arguments_of
from opspec.validator.text import plain
from opspec.vocabulary import messages, status
from opspec.vocabulary.literals import Lang

EXPLAINED = jsonschema.Draft202012Validator(schemas.explained())

PROCESS_LOG = """\
[ERROR] OP(71,python3):2026-11-22-10:00:00.123.456 [aclnn_ascend_quant.cpp:12][NNOP][Check] 71 errno[161002] \
OpName:[aclnnAscendQuant_1] dtype of scale is DT_INT4, not in the list [DT_FLOAT,DT_FLOAT16,DT_BFLOAT16,].
[INFO] OP(71,python3):2026-11-22-10:00:00.200.000 [cache.cpp:7] nothing of interest
[ERROR] OP(71,python3):2026-11-22-10:00:01.123.456 [aclnn_add.cpp:12][NNOP][Check] 71 errno[161001] \
OpName:[aclnnAdd_2] the pointer of argument other is null.
"""
TRACEBACK = """\
Traceback (most recent call last):
  File "/home/me/model.py", line 33, in forward
    y = torch_npu.npu_fused_infer_attention_score(q, k, v)
RuntimeError: call aclnnFusedInferAttentionScoreV3 failed, error code is 561002
[ERROR] 2026-11-22-10:00:01 (PID:1234, Device:0, RankID:-1) ERR01100 OPS call acl api failed
EZ9999: Inner Error!
EZ9999: [PID: 1234] 2026-11-22-10:00:01.000.000 When layout is TND, queryT(8) must be equal to the last element of \
actualSequenceLengthQ(5)[FUNC:CheckTnd][FILE:tiling.cc][LINE:88]
        TraceBack (most recent call last):
        Tiling failed
"""


def explained(text: str | bytes, **asked: object) -> list[Explained]:
    data = text.encode() if isinstance(text, str) else text
    return explain_log(io.BytesIO(data), registry(), Asked(**asked))  # type: ignore[arg-type]


def rules(found: Explained) -> list[str]:
    return [meant.rule.id for meant in found.meant]


def test_failures_of_a_process_log_are_told_apart() -> None:
    first, second = explained(PROCESS_LOG)
    assert (first.failure.operator, rules(first)[0]) == ("aclnnAscendQuant", "scale.dtype")
    assert (second.failure.operator, rules(second)[0]) == ("aclnnAdd", "other.null")
    assert [found.codes[0][0] for found in (first, second)] == ["161002", "161001"]
    assert first.meant[0].change.startswith("cast scale from INT4 to ")
    assert first.meant[0].products["310p"]["takes"] == ["FLOAT", "FLOAT16"]


def test_what_is_told_again_is_counted() -> None:
    found = explained(PROCESS_LOG * 3)
    assert [(item.failure.operator, item.failure.times) for item in found] == [("aclnnAscendQuant", 3), ("aclnnAdd", 3)]


def test_a_traceback_of_torch_npu() -> None:
    """The call that failed is what counts, not what the framework calls it; and the place in the program."""
    (found,) = explained(TRACEBACK)
    assert found.failure.operator == "aclnnFusedInferAttentionScoreV3"
    assert found.failure.frame == "/home/me/model.py:33"
    assert [code for code, _, _ in found.codes] == ["561002", "ERR01100", "EZ9999"]
    assert "lengths-total" in rules(found)
    assert found.template is not None
    assert found.template["op"] == found.failure.operator


def test_a_message_without_an_operator_is_held_against_those_that_have_its_words() -> None:
    text = "When layout is TND, queryT(8) must be equal to the last element of actualSequenceLengthQ(5)"
    (found,) = explain_text(text, registry(), Asked())
    assert {meant.operator[:27] for meant in found.meant} == {"aclnnFusedInferAttentionSco"}
    # the last length is the number of tokens: an inferred rule, and one that the newest version's page states
    assert set(rules(found)) == {"lengths-total", "packed-ends"}


def test_a_rule_is_explained_by_its_id() -> None:
    for name in ("aclnnAdd/self.dtype", "9.1.0/aclnnAdd/self.dtype"):
        (found,) = explain_text(name, registry(), Asked(lang="zh"))
        assert rules(found) == ["self.dtype"]
        assert "数据类型" in found.meant[0].requires


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_status_and_class_has_words(lang: Lang) -> None:
    for name in status.names():
        number = status.number(name)
        assert messages.advice(number, lang)
        for spelled in [str(number), name] if number else []:
            (found,) = explain_text(spelled, registry(), Asked(lang=lang))
            assert found.codes[0][0] == str(number)
    for prefix in messages.prefixes():
        code = f"{prefix}100" if prefix.startswith("ERR") else f"{prefix}9999"[: 6 if len(prefix) == 2 else 7]
        assert messages.meaning(code, lang), code
        assert explain_text(code, registry(), Asked())[0].codes
    for code in ("EZ1001", "EZ9999", "E69999", "E89999"):
        assert messages.meaning(code, lang)
    assert messages.meaning("EQ1234", lang) is None


def test_an_unknown_operator_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "call", "aclnnGeluBackwardV22", "failed,", "error", "code", "is", "161002"]) == 0
    out = capsys.readouterr().out
    assert "no spec describes aclnnGeluBackwardV22; did you mean 'aclnnGeluBackwardV2'?" in out


@pytest.mark.parametrize(
    "words",
    [["all", "is", "well"], ["aclnnAdd/no-such-rule"], ["--product", "none", "161002"], ["--most", "0", "161002"]],
)
def test_nothing_found_is_bad_input(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(lambda: main(["explain", *words])) == 2
    assert capsys.readouterr().out == ""


def test_a_status_that_is_misspelt_has_a_nearest_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "aclnn_err_param_invald"]) == 2
    assert "did you mean 'ACLNN_ERR_PARAM_INVALID'?; there is no such file" in capsys.readouterr().err


RMS_NORM = """\
ERR01100 OPS call acl api failed
aclnnRmsNorm failed, error code is 161002
AclNN_Parameter_Error(EZ1001): Tensor gamma not implemented for DT_INT8, should be in dtype support list \
[DT_FLOAT,DT_FLOAT16,DT_BFLOAT16,].
"""


@pytest.mark.parametrize("log", [PROCESS_LOG, TRACEBACK, RMS_NORM])
def test_calls_alone_are_read_by_the_other_commands(
    log: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From a log to a repaired call: calls to begin with are legal, failing ones break the rule that is named."""
    (tmp_path / "train.log").write_text(log, encoding="utf-8")
    for which, status_of_check in (("calls", 0), ("failing", 1)):
        assert main(["explain", "--product", "910b", "--output", which, str(tmp_path / "train.log")]) == 0
        calls = capsys.readouterr().out
        (tmp_path / "made.jsonl").write_text(calls, encoding="utf-8")
        assert main(["check", "--output", "jsonl", str(tmp_path / "made.jsonl")]) == status_of_check
        verdicts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert len(verdicts) == len(calls.splitlines()) > 0
        assert main(["repair", "--output", "calls", str(tmp_path / "made.jsonl")]) == 0
        (tmp_path / "repaired.jsonl").write_text(capsys.readouterr().out, encoding="utf-8")
        assert main(["check", str(tmp_path / "repaired.jsonl")]) == 0
        capsys.readouterr()
    of_line = {f"line {found.failure.line}": found for found in explained(log, product="910b")}
    for verdict in verdicts:
        told = {item["rule"] for item in (*verdict["violations"], *verdict["undecided"])}
        assert rules(of_line[verdict["id"]])[0] in told


def test_no_call_is_printed_where_none_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--output", "calls", "561103"], ["--output", "failing", "aclnnAdd", "161002"]):
        assert ended(lambda words=words: main(["explain", *words])) == 2  # type: ignore[misc]
        assert capsys.readouterr().out == ""


@pytest.mark.parametrize("release", ["9.1.0", "9.0.0", "8.5.0"])
def test_a_message_that_names_a_param_means_no_rule_of_others(release: str) -> None:
    """And the rule that its values break is not said to be one that the runtime leaves alone."""
    (found,) = explained(RMS_NORM, release=release)
    assert rules(found)[0] == "gamma.dtype"
    assert all("gamma" in {name for name, _ in meant.rule.facts} for meant in found.meant)
    assert found.meant[0].change == "cast gamma from INT8 to FLOAT"
    assert "does not look at it" not in "".join(as_lines(found, "en", plain))


def test_what_is_taken_for_granted_is_said() -> None:
    """Which release and product it is read for, unless the log or the question says."""
    (found,) = explained(RMS_NORM)
    for asked, said in (
        (Asked(), "not said there: the release, so the newest, 9.1.0 (--release) and the product, so 910b (--product)"),
        (Asked(product="A3"), "not said there: the release"),
        (Asked(release="8.5.0"), "not said there: the product"),
    ):
        (found,) = explained(RMS_NORM, release=asked.release, product=asked.product)
        assert said in "\n".join(as_lines(found, "en", plain, asked))
    (found,) = explained(RMS_NORM, release="8.5.0", product="A3")
    assert "not said" not in "\n".join(as_lines(found, "en", plain, Asked("en", "8.5.0", "A3")))


@pytest.mark.parametrize("said", ["在Ascend910B3上调用{}算子返回{}是什么原因", "调用{}失败，错误码{}。Ascend910B3卡"])
@pytest.mark.parametrize("code", ["161001", "561103", "ACLNN_ERR_PARAM_INVALID"])
def test_names_and_codes_are_found_in_chinese_that_has_no_blanks(said: str, code: str) -> None:
    """The operator, the status and the product are read wherever they stand between Chinese characters."""
    (found,) = explained(said.format("aclnnCat", code))
    assert found.failure.operator == "aclnnCat"
    assert found.failure.statuses == [code]
    assert found.product == explained("Ascend910B3: call aclnnCat failed 161001")[0].product
    assert found.product != explained("call aclnnCat failed 161001")[0].product


def test_json_is_what_its_schema_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "train.log"
    log.write_text(PROCESS_LOG + TRACEBACK + "call aclnnNobody failed, error code is 561103\n", encoding="utf-8")
    assert main(["explain", "--output", "json", str(log)]) == 0
    found = json.loads(capsys.readouterr().out)
    EXPLAINED.validate(found)
    assert len(found) == 4


def test_a_log_of_any_length_is_read_in_bounded_memory() -> None:
    """A line without end, and lines without end."""

    class Endless(io.RawIOBase):
        left = 64

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            self.left -= 1
            if self.left < 0:
                return 0
            buffer[:] = b"e" * len(buffer)
            return len(buffer)

    reader = io.BufferedReader(Endless(), 1 << 20)
    assert all(len(found.message) <= LONGEST for found in lines(reader))
    (found,) = explained("error " + "x" * (1 << 22) + "\n" + PROCESS_LOG.splitlines()[0])
    assert rules(found)[0] == "scale.dtype"


@given(st.binary(max_size=600), st.sampled_from(["en", "zh"]))
def test_any_bytes_are_read_and_shown_harmlessly(data: bytes, lang: str) -> None:
    """Between lines that tell of a failure, so that the bytes are looked at."""
    for found in explained(b"error: aclnnAdd 161002 " + data + b"\nself dtype " + data, lang=lang):
        EXPLAINED.validate([found.to_dict()])
        assert all(text.isprintable() for text in as_lines(found, "zh" if lang == "zh" else "en", plain))


@given(st.text(alphabet="[({DT_FLOAT16, ])}aA0_ .:'", max_size=3000))
def test_a_message_of_any_form_is_taken_apart_in_time(text: str) -> None:
    """Brackets that open and never close, above all."""
    assert clues(text).text == text
    clues("[" * 4000 + text)
    clues("DT_FLOAT, " * 400 + text)


@pytest.mark.parametrize(
    "part", ["when a is ", "exceed ", "k dim 1 ", "than be 11111 ", "x    / ", "[1,", "when INT8, "]
)
def test_what_a_message_says_is_read_in_time(part: str) -> None:
    """Of sentences that begin again and again and never end."""
    form = registry().form("aclnnSoftmax")
    text = (part * 4000)[:4000]
    candidates(form, clues(text), "910b", 161002, 3, said_by(form, text + " dim 3"))


@pytest.mark.parametrize(
    ("operator", "message", "said"),
    [
        (
            "aclnnFusedInferAttentionScoreV3",
            "When layout is TND, queryT(8) must be equal to the last element of actualSequenceLengthQ(5)",
            {"inputLayout": "TND", "query.shape[0]": 8, "actualSeqLengthsOptional[-1]": 5},
        ),
        (
            "aclnnAscendQuant",
            "Tensor scale not implemented for DT_INT4, should be in dtype support list [DT_FLOAT,DT_BFLOAT16,].",
            {"scale.dtype": "INT4"},
        ),
        (
            "aclnnAbs",
            "Expected tensor for self to have same size as tensor for out, but [3, 3] does not equal [2, 3].",
            {"self.shape": [3, 3], "out.shape": [2, 3]},
        ),
        ("aclnnAbs", "Tensor self expected dtype is DT_FLOAT but found DT_INT16.", {"self.dtype": "INT16"}),
        ("aclnnLogdet", "expect shape of out is [1, 2, 1], but got [2, 1].", {"out.shape": [2, 1]}),
        (
            "aclnnAvgPool2d",
            "self and out should all be NCHW when 4D. Actual: self [NCL], out [NCHW].",
            {"self.format": "NCL", "out.format": "NCHW"},
        ),
        (
            "aclnnScatter",
            "Apart from dimension -1, index shape [2, 2] should be smaller than self shape [1, 2].",
            {"index.shape": [2, 2], "self.shape": [1, 2]},
        ),
        (
            "aclnnSoftmax",
            "Expected dim to be in range [-2, 1], but got dim = 3, self dim num is 2.",
            {"dim": 3, "self.rank": 2},
        ),
        ("aclnnAdd", "Expected a proper Tensor but got null for argument other.", {"other": None}),
        ("aclnnAdd", "self and other must not be null", {}),
        ("aclnnIndexSelect", "dim must be in [-2, 1] but got 5", {"dim": 5}),
        ("aclnnPromptFlashAttentionV3", "inner_precise should be 0 or 1, current is 4", {"innerPrecise": 4}),
        ("aclnnLog", "type DT_COMPLEX64 cannot be cast to output type DT_FLOAT16", {"out.dtype": "FLOAT16"}),
        ("aclnnConvolution", "weight has a wrong shape dim 2, should be 3", {"weight.rank": 2}),
        ("aclnnMatmul", "self dim num should be in [1, 6], but got 8", {"self.rank": 8}),
        ("aclnnMatmul", "the shapes of self and mat2 do not match, but got 8", {}),
        ("aclnnAddmm", "k differs: mat1[1] = 32, mat2[0] is 64", {"mat1.shape[1]": 32, "mat2.shape[0]": 64}),
        ("aclnnTopk", "k(9) is out of range [0, 8] of self dim 1.", {"k": 9, "dim": 1}),
        (
            "aclnnCat",
            "Sizes of tensors must match except in dimension 1. Expected 4 in dimension 0 but got 5.",
            {},
        ),
        ("aclnnMatmul", "self dim[1] 32 not equal mat2 dim[0] 64.", {"self.shape[1]": 32, "mat2.shape[0]": 64}),
        (
            "aclnnMatmul",
            "self shape[1] is 32, mat2 shape [64, 8], out axis[0] differs",
            {
                "self.shape[1]": 32,
                "mat2.shape": [64, 8],
            },
        ),
    ],
)
def test_what_a_message_says_of_arguments_is_read(operator: str, message: str, said: dict[str, object]) -> None:
    """What was there, and nothing of what should have been."""
    assert {item.path: item.shown for item in said_by(registry().form(operator), message)} == said


@pytest.mark.parametrize(
    ("operator", "message", "first"),
    [
        ("aclnnSoftmax", "dim is 3, self rank is 2", "dim.axis"),
        ("aclnnAddcdiv", "self [4, 3] tensor1 [4, 2] wrong shape", "self-tensor1-broadcast"),
        ("aclnnAbs", "self has shape [3, 3] and out has shape [2, 3]", "out-same-shape"),
        ("aclnnFusedInferAttentionScoreV3", "numHeads(5) numKeyValueHeads(2)", "heads-multiple"),
    ],
)
def test_a_rule_that_the_values_break_comes_first(operator: str, message: str, first: str) -> None:
    form = registry().form(operator)
    assert candidates(form, clues(message), None, None, 3)[0].rule.id == first


def test_of_rules_that_are_broken_alike_that_of_the_usual_call_comes_first() -> None:
    """One table is of calls without quantisation, which the operator's example is; the other of special ones."""
    x, weight = "The dtype of x [DT_FLOAT16] should be equal with weight [DT_BFLOAT16]", "weight is DT_BFLOAT16"
    (found,) = explained(f"call aclnnGroupedMatmulV4 failed: {x}\n{weight}", product="910b")
    assert found.meant[0].rule.id == "dtypes-910b"
    assert found.meant[0].change.startswith("cast weight[0] from BFLOAT16 to FLOAT16")
    assert not [item.rule.id for item in found.meant if "950" in item.rule.id]


def test_words_of_a_sentence_that_end_a_params_name_do_not_name_it() -> None:
    """``groupListOptional`` is not in a support list."""
    message = "Tensor weight not implemented for DT_BFLOAT16, should be in dtype support list [DT_FLOAT16]"
    named = candidates(registry().form("aclnnGroupedMatmulV4"), clues(message), "910b", None, 5)
    assert all("weight" in {name for name, _ in item.rule.facts} for item in named)


def test_a_rule_that_the_values_keep_loses() -> None:
    form = registry().form("aclnnSoftmax")

    def score(message: str) -> float:
        return {item.rule.id: item.score for item in candidates(form, clues(message), None, None, 99)}["dim.axis"]

    assert score("dim is 1, self rank is 2") < score("dim of self is wrong") < score("dim is 3, self rank is 2")


@pytest.mark.parametrize(
    ("operator", "message", "product", "holds", "lacks"),
    [
        (
            "aclnnFusedInferAttentionScoreV3",
            "When layout is TND, queryT(8) must be equal to the last element of actualSequenceLengthQ(5)",
            "910b",
            {"inputLayout": "TND", "query.shape[0]": 8},
            {"actualSeqLengthsOptional[-1]": 5},
        ),
        (
            "aclnnAdd",
            "Expected tensor for out to have same size as [4, 8], but got [4, 1].",
            "950",
            {"out.shape": [4, 8]},
            {"out.shape": [4, 1]},
        ),
        ("aclnnSoftmax", "but got dim = 3, self dim num is 2", "310p", {"self.rank": 2}, {"dim": 3}),
        ("aclnnIndexSelect", "dim must be in [-2, 1] but got 5", "910b", {}, {"dim": 5}),
        ("aclnnIncreFlashAttentionV4", "blockSize(100) should be a multiple of 16", "910b", {}, {"blockSize": 100}),
        (
            "aclnnAbs",
            "self is DT_FLOAT16 with shape [3, 5]",
            "910",
            {"self.dtype": "FLOAT16", "self.shape": [3, 5]},
            {},
        ),
    ],
)
def test_the_template_is_a_legal_call_as_the_message_says(
    operator: str, message: str, product: str, holds: dict[str, object], lacks: dict[str, object]
) -> None:
    """On the product of the log; what cannot be, or is objected to, is told, and the likely change begins there."""
    (found,) = explained(f"call {operator} failed: {message}", product=product)
    assert found.template is not None
    verdict = check(operator, product=product, args=found.template["args"])
    assert verdict.legal
    assert found.template["product"] == product
    assert {item.path: item.shown for item in found.holds} == holds
    assert {item.path: item.shown for item in found.lacks} == lacks
    again = said_by(registry().form(operator), message)
    given = dict(zip((name for name, *_ in registry().form(operator).params), _typed(operator, found), strict=True))
    assert all(is_so(given, item) is (item.path in holds and item.shown == holds[item.path]) for item in again)


def _typed(operator: str, found: Explained) -> tuple[object, ...]:
    assert found.template is not None
    return arguments_of(registry().form(operator), found.template["args"])


def test_the_likely_change_mends_what_the_message_objects_to() -> None:
    for message, change in (
        (
            "call aclnnAdd failed: Expected out to have same size as [4, 8], but got [4, 1].",
            "give out the shape [4, 8]",
        ),
        ("call aclnnSoftmax failed: but got dim = 3, self dim num is 2", "set dim to 1"),
        ("call aclnnIncreFlashAttentionV4 failed: blockSize(100) should be a multiple of 16", "set blockSize to"),
        ("call aclnnIndexSelect failed: dim must be in [-2, 1] but got 5", "set dim to"),
        ("aclnnRmsNorm 161001 Expected a proper Tensor but got null for argument gamma.", "pass gamma: FLOAT[16]"),
    ):
        (found,) = explained(message)
        assert found.meant[0].change.startswith(change)


def test_the_frame_is_that_of_ones_own_program() -> None:
    frames = '  File "/me/model.py", line 3, in forward\n  File "/usr/lib/site-packages/torch/_ops.py", line 1, in f\n'
    (found,) = explained(f"Traceback:\n{frames}RuntimeError: call aclnnAdd failed, error code is 161002\n")
    assert found.failure.frame == "/me/model.py:3"


def test_what_a_program_prints_of_its_progress_is_no_message() -> None:
    (found,) = explained("call aclnnAdd failed, error code is 161002\nstep 4 took 2.31\n")
    assert found.failure.messages == []


def test_what_interfaces_put_behind_a_name_is_no_part_of_it() -> None:
    """Of an operator that a spec describes, and of one that none does."""
    (found,) = explained("aclnnAddGetWorkspaceSize failed, ret 161002\n")
    assert found.failure.operator == "aclnnAdd"
    (found,) = explained("aclnnNobodysOwnGetWorkspaceSize failed, ret 161002\n")
    assert found.failure.unknown == "aclnnNobodysOwn"


@pytest.mark.parametrize("said", ["return 161002.", "ret=161002", "failed. ERROR: 161002", "error code is 161002,"])
def test_a_status_is_read_where_a_sentence_ends(said: str) -> None:
    """Programs print what a first phase returned each in its own way."""
    assert line(f"aclnnAbsGetWorkspaceSize {said}").statuses == ("161002",)
    assert not line("version 1.161002.3 of 161002.5 KiB").statuses


def test_a_status_that_was_wanted_is_none_that_was_returned() -> None:
    (found,) = explained('aclnnAdd: Assert "ret == ACLNN_SUCCESS" failed\n')
    assert (found.failure.operator, found.failure.statuses, found.meant) == ("aclnnAdd", [], [])
    assert explained("aclnnAdd returned ACLNN_SUCCESS\n")[0].failure.statuses == ["ACLNN_SUCCESS"]


def test_the_status_alone_names_the_rules_that_return_it() -> None:
    """161001: the pointers that may not be null; and it is said that nothing else speaks for them."""
    (found,) = explained("call aclnnMatmul failed, error code is 161001\n", most=9)
    form = registry().form("aclnnMatmul")
    needed = [rule.id for rule in form.info.rules if rule.id.endswith(".null")]
    assert sorted(rules(found)) == sorted(needed)
    assert all(meant.by_status for meant in found.meant)
    assert "what the status leaves" in "\n".join(as_lines(found, "en", plain))


@pytest.mark.parametrize(
    ("log", "cause"),
    [
        (
            "call aclnnRmsNorm failed, error code is 161001\nExecution_Error(EZ1009): Failed to execute operator "
            "RmsNorm_0. Reason: SoC version ascend310p verification failed.",
            "not-registered",
        ),
        ("call aclnnEqScalar failed, detail:EZ9999: Op Equal does not has any binary.", "no-kernels"),
        ("call aclnnAdd failed\nHCCL_BUFFSIZE is too small", "communicator"),
        ("RuntimeError: aclnnAdd or aclnnAddGetWorkspaceSize not in libopapi.so", "missing-symbol"),
        ("call aclnnAdd failed\nNPU out of memory. Tried to allocate 2.00 GiB", "memory"),
        ("call aclnnAdd failed\nthe aicore execution is abnormal, aicore exception, 507015", "device"),
    ],
)
def test_what_no_argument_is_to_blame_for_is_said_to_be_that(log: str, cause: str) -> None:
    """With what to look at, in both languages, and no rule beside it."""
    (found,) = explained(log)
    assert found.causes == (cause,)
    assert found.meant == []
    assert all(advice is None for _, _, advice in found.codes)
    for lang, head in (("en", "look at: "), ("zh", "请检查: ")):
        assert head in "\n".join(as_lines(found, lang, plain))  # type: ignore[arg-type]


def test_tiling_that_finds_no_room_may_still_mean_a_rule() -> None:
    (found,) = explained("call aclnnRotaryPositionEmbeddingGrad failed, error code is 561002\n2592 too large for UB")
    assert found.causes == ("on-chip-memory",)
    assert found.meant


def test_a_kernel_leads_to_the_operators_that_start_it() -> None:
    """By its name, or by the folder of its source; where that is one operator, it is that one."""
    (found,) = explained("UpsampleNearest do tiling failed, ret is -1\n")
    assert {"aclnnUpsampleNearest1d", "aclnnUpsampleNearest2d"} <= {*found.maybe}
    (found,) = explained("op[QuantBatchMatmulV3], x1 must not be empty\n")
    assert "aclnnQuantMatmulV4" in found.maybe
    (found,) = explained("RmsNorm do tiling failed, ret is -1\n")
    assert found.failure.operator == "aclnnRmsNorm"


@pytest.mark.parametrize(
    ("text", "product", "cann", "torch_npu"),
    [
        ("CANN 8.3.RC1, torch_npu 2.7.1.post2, Ascend910B3", "910b", "8.3.RC1", "2.7.1.post2"),
        ("Ascend-cann-toolkit_8.2.RC1 on Atlas 800T A2", "910b", "8.2.RC1", None),
        ("torch-npu==2.5.1\nCANN version: 9.0.0\nsocVersion [ascend910_93]", "A3", "9.0.0", "2.5.1"),
        ("cards: 910B2", "910b", None, None),
        ("Ascend310P3, cann=8.0.0", "310p", "8.0.0", None),
        ("torch_npu.npu_rms_norm at 12.5 ms", None, None, None),
    ],
)
def test_where_it_ran_is_read_wherever_the_log_says_so(
    text: str, product: str | None, cann: str | None, torch_npu: str | None
) -> None:
    """Long before the failure, or behind it."""
    failure = "call aclnnAdd failed, error code is 161002\n"
    for log in (text + "\n" + "fine\n" * 300 + failure, failure + "fine\n" * 20 + text):
        found = next(item for item in explained(log) if item.failure.operator == "aclnnAdd")
        machine = found.failure.machine
        assert (found.product, machine.cann, machine.torch_npu) == (product, cann, torch_npu)


def test_what_the_page_allows_is_said_and_not_offered_again() -> None:
    """The values keep the rule that the message tells of: then the runtime is another one than the page's."""
    message = "call aclnnMoeGatingTopK failed: renorm is: 1, but currently only support 0"
    (found,) = explained(message)
    assert rules(found)[0].startswith("renorm")
    assert found.page_allows is True
    assert found.template is not None
    assert found.template["args"]["renorm"] != 1
    assert "is your CANN newer or older?" in "\n".join(as_lines(found, "en", plain))
    tnd = "When layout is TND, queryD(256), keyD(256) and valueD(256) must be same equal 192/128/64"
    (found,) = explained(f"call aclnnFusedInferAttentionScoreV3 failed, error code is 561002\n{tnd}")
    assert "packed-dims" in rules(found)
    assert found.template is not None
    assert found.template["args"]["inputLayout"] == "TND"
    assert found.template["args"]["query"]["tensor"]["shape"][-1] != 256


@pytest.mark.parametrize(
    ("operator", "message", "expected"),
    [
        ("aclnnMatmul", "The k-axis of the two inputs are different [8,128], [64,64]", "mat2-reduce-dim"),
        ("aclnnPromptFlashAttentionV3", "numHeads / numKeyValueHeads = 71, cannot be larger than 64", "group-limit"),
        (
            "aclnnGroupedMatmulV4",
            "k dim value in x[0] should be equal to k dim value in weight[0], but got 64 and 32",
            "weights-depth",
        ),
        ("aclnnSwiGlu", "dim size 65 must be even", "dim-even"),
        ("aclnnConvolution", "param filter has a wrong shape dim 0, should be one of {3, 4, 5}", "weight.rank"),
        ("aclnnLog", "type DT_COMPLEX64 cannot be cast to output type DT_FLOAT16", "out-complex"),
        (
            "aclnnQuantMatmulWeightNz",
            "Tensor scale not implemented for DT_FLOAT16, should be in dtype support list "
            "[DT_UINT64,DT_BFLOAT16,DT_INT64,DT_FLOAT,].",
            "x2Scale.dtype",
        ),
        (
            "aclnnWeightQuantBatchMatmulV2",
            "when weight's dtype is [int4], weight's format is [FRACTAL_NZ], antiquantGroupSize should be 128 or 64",
            "nz-int4",
        ),
        (
            "aclnnQuantMatmulWeightNz",
            "E69999: Inner Error!\nE69999: op[QuantBatchMatmulV3], this platform only support output transpose_x1 "
            "false and transpose_x2 true, actual [false, false][FUNC:A][FILE:quant_batch_matmul_v3_tiling.cc]",
            "transposed-310p",
        ),
    ],
)
def test_the_rule_that_a_message_tells_of_is_among_the_first(operator: str, message: str, expected: str) -> None:
    """By shapes without a name, a limit, a part of a name, the case that it is about, a product that is not named."""
    (found,) = explained(f"call {operator} failed, detail:{message}")
    assert expected in rules(found)


def test_a_message_that_goes_on_in_the_next_line_is_one() -> None:
    (found,) = explained(
        "call aclnnFFNV3 failed\nTensor bias1 not implemented for DT_BFLOAT16,\nshould be [DT_FLOAT,].\n"
    )
    assert len(found.failure.messages) == 1


def test_a_launch_that_failed_and_the_exception_that_says_why_are_one_failure() -> None:
    """MindSpore logs the one, and raises the other."""
    (found,) = explained(
        "[ERROR] KERNEL(71,ffff,python):2026-03-04-12:24:07.082.662 [x.cc:57] Call] aclnnAdd launch failed\n"
        'Traceback (most recent call last):\n  File "net.py", line 31, in <module>\n    y = ops.add(a, b)\n'
        "RuntimeError: Call aclnnAdd failed, detail:EZ1001: [PID: 71] the shape of out must be [2], but is [3].\n"
    )
    assert found.failure.operator == "aclnnAdd"
    assert found.meant


@pytest.mark.parametrize("said", ["size is not same with", "is not equal to", "does mismatch"])
def test_what_differs_is_a_message_in_whatever_words(said: str) -> None:
    """Below a sentence of whoever asks, without the lines around it."""
    (found,) = explained(f"I get this from aclnnHeaviside, any idea?\n\nThe out shape {said} the broadcast shape.\n")
    assert rules(found)[0] in ("out-shape", "out-count")


def test_input_without_end_stops_where_that_of_check_does() -> None:
    """A line that never ends is no log."""

    class Zeros(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            buffer[:] = bytes(len(buffer))
            return len(buffer)

    with pytest.raises(OpspecError, match="more than 64 MiB"):
        list(lines(io.BufferedReader(Zeros(), 1 << 20)))
