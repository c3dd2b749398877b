"""Device memory: mistakes are told, and what is no mistake is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import Run, Sdk, run


@pytest.fixture(scope="module")
def program(sdk: Sdk) -> Path:
    return sdk.program("memory.c")


def ran(program: Path, scenario: str, **settings: str) -> Run:
    done = run(program, scenario, settings=settings)
    assert done.status == 0, done.errors
    return done


@pytest.mark.parametrize("scenario", ["clean", "freed_late", "room"])
def test_nothing_is_told_of_what_is_right(program: Path, scenario: str) -> None:
    done = ran(program, scenario)
    assert not done.findings()
    if scenario != "room":
        assert not done.findings("warning")


def test_refused_calls_have_the_documented_status(program: Path) -> None:
    """They are warnings, but for sizes that cannot be meant so and a thread without a context."""
    done = ran(program, "statuses")
    assert done.findings() == {"memory.copy-size": 3, "context.missing": 1}
    assert set(done.findings("warning")) == {"runtime.refused"}
    assert any("count is 8, and destMax only 4" in text for text in done.messages("memory.copy-size"))


@pytest.mark.parametrize(
    ("scenario", "findings"),
    [
        ("out_of_bounds", {"memory.out-of-bounds": 5}),
        ("red_zones", {"memory.out-of-bounds": 3, "memory.leak": 1}),
        ("use_after_free", {"memory.use-after-free": 5}),
        ("wrong_free", {"memory.foreign-free": 4, "memory.double-free": 2}),
        ("rounding", {"memory.out-of-bounds": 3}),
        ("confusion", {"memory.not-device": 2, "memory.out-of-bounds": 1}),
        ("leaks", {"memory.leak": 3}),
        ("unsynchronised", {"memory.unsynchronised": 3, "memory.freed-in-use": 1}),
    ],
)
def test_mistakes_are_told(program: Path, scenario: str, findings: dict[str, int]) -> None:
    assert ran(program, scenario).findings() == findings


def test_what_is_told_names_function_block_and_distance(program: Path) -> None:
    first, second, third = ran(program, "red_zones").messages("memory.out-of-bounds")
    assert first.startswith("aclrtSynchronizeDevice: device memory 0x")
    assert first.endswith("100 bytes, allocation 1 by aclrtMalloc on device 0 was written to 60 bytes past its end")
    assert second.startswith("aclrtFree: ")
    assert second.endswith("written to 3 bytes before its start")
    assert third.startswith("aclrtResetDevice: ")
    assert third.endswith("written to 571 bytes past its end")


def test_what_was_not_destroyed_is_a_warning_at_exit(program: Path) -> None:
    done = ran(program, "leaks")
    leaks = ("context.leak", "stream.leak", "event.leak", "buffer.leak", "device.not-reset", "runtime.not-finalised")
    assert done.findings("warning") == dict.fromkeys(leaks, 1)
    assert done.errors.count("error") == 3  # leaks are told without any setting


def test_what_memory_is_freed_from_is_told(program: Path) -> None:
    [told] = ran(program, "unsynchronised").messages("memory.freed-in-use")
    assert (
        "allocation 1 by aclrtMalloc on device 0 is freed while aclrtMemsetAsync (devPtr), which writes to it" in told
    )


def test_the_direction_of_a_copy_follows_from_its_addresses(program: Path) -> None:
    """CANN documents that ``kind`` has no effect: a kind that says otherwise is told, and the copy is made."""
    done = ran(program, "confusion")
    assert done.findings("warning") == {"memory.copy-kind": 6}
    told = done.messages("memory.copy-kind")
    assert sum("kind says that src is device memory" in text for text in told) == 2


def test_device_memory_has_the_bytes_that_cann_rounds_up_to(program: Path) -> None:
    """To a multiple of 32, and 32 more; using them is told, and neither refused nor taken for damage."""
    done = ran(program, "rounding")
    assert done.findings("warning") == {"memory.past-size": 4}
    *_, watched = done.messages("memory.past-size")
    assert watched.endswith("was written to 0 bytes past its end, where CANN rounds up")
