"""What stands around a message does not change what it means."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable

import pytest

from opspec.assist.explain.answer import Asked, Explained
from opspec.assist.explain.explain import explain_log, explain_text
from opspec.assist.explain.wrapping import unwrapped
from opspec.registry.registry import registry
from opspec.vocabulary import messages
from tests.assist.wrapped import FORMS, Said

SAID = (
    Said("aclnnMean", 161002, ["provided axis 2 of dim must lie within [-2, 1]"], inner=False),
    Said("aclnnAddRmsNorm", 561002, ["gamma dtype DT_INT8 should be the same as x1 dtype DT_FLOAT16"], inner=True),
    Said("aclnnMatmul", 161002, ["last dim of self 128 should equal first dim of mat2 3584"], inner=False),
    Said("aclnnGroupedMatmulV4", 561002, ["k dim of x[0] is 64, weight[0] has 32"], inner=True),
)


def told(text: str, operator: str) -> tuple[list[str], list[str]]:
    """The messages of an operator's failure, and the rules that it may mean."""
    found = explain_log(io.BytesIO(text.encode()), registry(), Asked())
    return of_operator(found, operator)


def of_operator(found: list[Explained], operator: str) -> tuple[list[str], list[str]]:
    (one,) = (item for item in found if item.failure.operator == operator)
    return one.failure.messages, [meant.rule.id for meant in one.meant]


@pytest.mark.parametrize("said", SAID, ids=lambda said: said.operator)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_a_log_means_what_its_message_means(form: Callable[[Said], str], said: Said) -> None:
    """In a traceback, a process log, a server's, an issue, quoted, coloured, in a container's JSON, on one line.

    A form that does not tell the status cannot weigh rules by it: it agrees on the first alone.
    """
    text = form(said)
    words, rules = told(text, said.operator)
    assert [word for word in words if word in said.messages] == list(said.messages)
    as_usual = told(FORMS[0](said), said.operator)[1]
    assert rules == as_usual if str(said.code) in text else rules[0] == as_usual[0]


@pytest.mark.parametrize("said", SAID, ids=lambda said: said.operator)
def test_words_are_unwrapped_as_files_are(said: Said) -> None:
    """What is pasted into a shell, or asked by an agent, has the same around it."""
    for form in FORMS:
        found = explain_text(form(said), registry(), Asked())
        assert of_operator(found, said.operator) == told(form(said), said.operator)


def test_the_place_in_the_program_is_found_behind_a_prefix() -> None:
    """Ranks and servers put one before each line of a traceback."""
    for form in FORMS[:1] + FORMS[2:3]:
        (found,) = explain_log(io.BytesIO(form(SAID[0]).encode()), registry(), Asked())
        assert found.failure.frame is not None


def test_ranks_that_print_at_once_fail_each_for_themselves() -> None:
    """Lines of several processes stand among each other: each failure has its own messages."""
    one, other = (
        [line.replace("rank3", rank).replace("RankID:3", f"R{rank[1:]}ID:{rank[-1]}").replace("PID: 71", pid)
         .replace("PID:71", pid.replace(" ", ""))
         for line in FORMS[0](said).splitlines()]
        for said, rank, pid in ((SAID[0], "rank0", "PID: 40"), (SAID[1], "rank1", "PID: 41"))
    )  # fmt: skip
    both = [line for pair in itertools.zip_longest(one, other) for line in pair if line is not None]
    for said, lines in ((SAID[0], one), (SAID[1], other)):
        assert told("\n".join(both), said.operator) == told("\n".join(lines), said.operator)


@pytest.mark.parametrize(
    ("text", "causes"),
    [
        ("error code is 507015", ["device"]),
        ("aclInit failed, error code is 507008", ["driver"]),
        ("EI0002: The Notify register has not received the record from remote rank", ["other-rank"]),
        ("ImportError: libascendcl.so: cannot open shared object file", ["missing-library"]),
        ("x.so: undefined symbol: aclnnAddGetWorkspaceSize", ["missing-symbol"]),
        ("call aclnnAdd failed, error code is 161002", []),
    ],
)
def test_what_is_no_argument_is_said_to_be_that(text: str, causes: list[str]) -> None:
    """A kernel that failed, a driver, another rank, a library that is not there, one that is too old."""
    assert messages.causes(text) == causes
    assert [item.causes for item in explain_text(text, registry(), Asked())] == [tuple(causes)]


def test_the_kernel_that_failed_on_the_device_leads_to_its_operators() -> None:
    """Its name, with what is put behind it, stands in what the runtime prints."""
    text = "Aicore kernel execute failed, fault kernel_name=IndexPutV2_8c1f_1_mix_aiv, error code is 507015"
    (found,) = explain_text(text, registry(), Asked())
    assert found.maybe


def test_a_status_of_the_installation_leaves_no_rule() -> None:
    """It was no argument, so none is named, and nobody is asked for the age of his CANN."""
    (found,) = explain_text("call aclnnAdd failed, error code is 561101, executor creation failed", registry(), Asked())
    assert not found.meant
    assert not found.is_unspoken


@pytest.mark.parametrize(
    "text", ["", "{", '{"log": 3}', "{}", "> > [rank0]: x", "\x1b[31mred\x1b[0m", "(a) b", "[1] x", "a\\nb", "[1, 2]"]
)
def test_whatever_a_line_is_it_can_be_unwrapped(text: str) -> None:
    """And what is around nothing is left alone."""
    assert all(isinstance(part, str) and "\x1b" not in part for part in unwrapped(text))
    assert list(unwrapped("(a) [1] x, [1, 2] > y")) == ["(a) [1] x, [1, 2] > y"]
