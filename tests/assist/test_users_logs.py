"""Logs as programs of users leave them: what of them is one failure, and which rule each wording tells of."""

from __future__ import annotations

import io

import pytest

from opspec.assist.explain.answer import Asked, Explained
from opspec.assist.explain.explain import explain_log, explain_text
from opspec.assist.explain.ranking import said_by
from opspec.assist.explain.text import as_lines
from opspec.registry.registry import registry
from opspec.vocabulary import status

DEVICE = "[W1011 03:24:09 compiler_depend.ts:528] Warning: NPU warning, error code is 507018[Error]: .\n"


def explained(text: str | bytes, **asked: object) -> list[Explained]:
    data = text.encode() if isinstance(text, str) else text
    return explain_log(io.BytesIO(data), registry(), Asked(**asked))  # type: ignore[arg-type]


def first_rules(operator: str, message: str, code: int, product: str = "910b") -> list[str]:
    (found,) = explained(f"call {operator} failed, error code is {code}\nEZ9999: {message}\n", product=product)
    assert found.failure.operator == operator
    return [meant.rule.id for meant in found.meant]


def test_a_call_that_is_told_before_and_behind_its_traceback_failed_once() -> None:
    """A logger tells of the call, Python shows the way to it, the exception says it again with the reason."""
    said = "aclnnPreluGetWorkspaceSize call failed, please check!"
    log = (
        f"[ERROR] KERNEL(4021,ffff,python): {said}\nTraceback (most recent call last):\n"
        f'  File "/home/me/train.py", line 66, in <module>\n    loss = net(x)\nRuntimeError: {said}\n'
        "EZ1001: [PID: 4021] Tensor out is not implemented for DT_INT32, it should be in [DT_FLOAT,DT_FLOAT16]\n"
    )
    (found,) = explained(log)
    assert (found.failure.times, found.failure.frame, found.meant[0].rule.id) == (
        1,
        "/home/me/train.py:66",
        "out.dtype",
    )


@pytest.mark.parametrize("said", ["Check lossOut != nullptr failed", "Assert ((lossOut) != nullptr) failed"])
def test_a_device_that_is_given_up_after_a_refusal_is_another_failure(said: str) -> None:
    """Whether the refusal gives a status or not; the first line that tells of it counts, whichever rank's it is."""
    log = f"RuntimeError: call aclnnCrossEntropyLoss failed, detail:EZ9999: [PID: 7] {said}\n"
    ranks = "".join(f"[rank{rank}]: {log}\n" for rank in (5, 2))
    found, after = explained(ranks + DEVICE)
    assert (found.failure.line, found.failure.times, found.meant[0].rule.id) == (1, 2, "lossOut.null")
    assert (after.failure.operator, after.causes) == (None, ("device",))
    shown = "\n".join(as_lines(after, "en", lambda _, text: text))
    assert "after the refused call above" in shown
    assert "look at" not in shown


def test_another_form_of_the_operator_in_a_message_is_no_other_call() -> None:
    """An interface in place says what the one behind it says of itself."""
    (found,) = explained(
        "call aclnnInplaceGeScalar failed, error code is 161002\n"
        "EZ1001: aclnnGeScalar is not implemented for input dtype DT_COMPLEX64\n"
    )
    assert found.failure.operator == "aclnnInplaceGeScalar"
    assert {"selfRef.dtype", "other.dtype"} <= {meant.rule.id for meant in found.meant}


def test_an_exception_may_stand_right_behind_a_frame_without_source() -> None:
    """Only what is set in below a place is its code."""
    (found,) = explained(
        'Traceback (most recent call last):\n  File "<string>", line 12, in step\n'
        "RuntimeError: call aclnnRoiAlignV2Backward failed, detail:EZ1001: inputShape should have 4 ints, but got 5\n"
    )
    assert found.failure.messages == ["inputShape should have 4 ints, but got 5"]


def test_a_log_in_utf_16_is_read() -> None:
    """As a shell of Windows writes it."""
    (found,) = explained("call aclnnAdd failed, error code is 161002\n".encode("utf-16"))
    assert (found.failure.operator, found.failure.statuses) == ("aclnnAdd", ["161002"])


@pytest.mark.parametrize(
    ("operator", "message", "expected"),
    [
        ("aclnnSliceV2", "step must be positive.", "steps.elements-bound"),
        ("aclnnAmax", "Provided dim 1000 must be in the range of [-2, 1].", "dim.axis"),
        ("aclnnGroupNormSwish", "the channels must be multiples of numGroups", "group-divides"),
        ("aclnnFatreluMul", "the threshold can only be one element", "threshold-one"),
        ("aclnnGroupQuant", "no support for the first dim of scale shape([0, 2]), less than 1", "scale-rows"),
    ],
)
def test_words_for_a_condition_lead_to_rules_of_its_kind(operator: str, message: str, expected: str) -> None:
    """Sentences say positive, range, multiple, one where rules compare, divide and count."""
    assert first_rules(operator, message, 161002)[0] == expected


@pytest.mark.parametrize(
    ("operator", "message", "expected"),
    [
        ("aclnnSWhere", "A null pointer was found for argument [t3].", "out.null"),
        ("aclnnHardswishBackward", "got null for argument t0.", "gradOutput.null"),
        ("aclnnDynamicQuantV4", "y must not be nullptr.", "yOut.null"),
        ("aclnnSparseLightningIndexerKLLossGrad", "Check dkOut != nullptr failed", "dk.null"),
    ],
)
def test_a_null_pointer_is_found_by_what_checks_call_it(operator: str, message: str, expected: str) -> None:
    """They number tensors, and put Out behind an output's name or leave it away."""
    product = "A3" if "Lightning" in operator else "950"
    assert first_rules(operator, message, 161001, product)[0] == expected


def test_the_key_of_a_kernel_tells_the_dtypes_that_were_passed() -> None:
    """Of inputs before the first that may be left out, and of outputs behind it; of the operator's own kernel alone."""
    kernel = "AddRmsNormQuant, integral key 0/1/|float16/ND/float/ND/float/ND/float/ND/int8/ND/int8/ND/float16/ND/."
    found = first_rules("aclnnAddRmsNormQuant", f"Cannot find bin of op {kernel}", 561103, "950")
    assert set(found[:2]) == {"x2-same-dtype", "gamma-dtype"}
    form = registry().form("aclnnAdd")
    assert said_by(form, "Cannot find bin of op Cast, integral key 0/1/|float16/ND/float/ND/.") == ()
    (add,) = {item.value for item in said_by(form, "Cannot find bin of op Add, 0/1/|int4/ND/int4/ND/int4/ND/.")}
    assert add == "INT4"


def test_values_are_those_of_what_they_are_said_of() -> None:
    """Null is what stands before ``but``; heads in a shape are no attribute; which dim a shape has wrong is none."""
    unpadded = registry().form("aclnnFlashAttentionVarLenScoreV5")
    assert said_by(unpadded, "PseInput is nullptr, but pseType is not the default") == ()
    prompt = registry().form("aclnnPromptFlashAttentionV3")
    said = {item.path: item.value for item in said_by(prompt, "numHeads(3) in value shape is not numKeyValueHeads(2)")}
    assert said == {"numKeyValueHeads": 2}
    assert said_by(registry().form("aclnnArgMax"), "Parameter x of Cast has a wrong shape dim 1") == ()


def test_nobody_is_told_to_pass_what_is_undefined() -> None:
    """A format that does for everybody is named alone."""
    (found,) = explain_text("aclnnPrelu/out.private-format", registry(), Asked())
    assert found.meant[0].change == "make out ND"
    (found,) = explain_text("aclnnInplaceRemainderTensorTensor/out-cast", registry(), Asked(product="910b"))
    assert "UNDEFINED" not in found.meant[0].change


def test_a_first_phase_refuses_for_arguments_or_for_what_is_not_installed() -> None:
    """Both end a call; what the device says later is another failure."""
    assert status.is_of_first_phase(561112)
    assert 561112 not in status.OF_ARGUMENTS
    assert all(map(status.is_of_first_phase, status.OF_ARGUMENTS))
    assert not any(map(status.is_of_first_phase, (0, 361001)))
    refused, after = explained(f"call aclnnAdd failed, error code is 561112\n{DEVICE}")
    assert (refused.failure.operator, after.causes) == ("aclnnAdd", ("device",))
