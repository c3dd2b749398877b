"""Process, devices, contexts, streams, events, callbacks, threads; faults on purpose."""

from __future__ import annotations

from pathlib import Path

import pytest

from opspec.codegen.rules.vocabulary import product_numbers

from .programs import Run, Sdk, run


@pytest.fixture(scope="module")
def program(sdk: Sdk) -> Path:
    return sdk.program("runtime.c")


def ran(program: Path, scenario: str, **settings: str) -> Run:
    done = run(program, scenario, settings=settings)
    assert done.status == 0, done.errors
    return done


def test_what_a_parent_holds_is_no_leak_of_its_child(program: Path) -> None:
    done = ran(program, "fork")
    assert not done.findings() + done.findings("warning")


@pytest.mark.parametrize("scenario", ["process", "errors", "callbacks"])
def test_refused_calls_are_warnings(program: Path, scenario: str) -> None:
    done = ran(program, scenario)
    assert not done.findings()
    assert set(done.findings("warning")) == {"runtime.refused"}


def test_a_thread_without_a_context_is_an_error(program: Path) -> None:
    """Nothing it asked for is done: a program that goes on computes with what is not there."""
    assert ran(program, "context_of_another_thread").findings() == {"context.missing": 1}


def test_a_device_may_be_reset_once_or_as_often_as_it_was_set(program: Path) -> None:
    done = ran(program, "devices")
    assert done.findings() == {"context.missing": 3}
    assert done.findings("warning") == {"runtime.refused": 2, "stream.leak": 1}


@pytest.mark.parametrize(
    ("scenario", "findings"),
    [
        ("contexts", {"stream.other-context": 1, "context.unknown": 3}),
        ("streams", {"stream.unknown": 5, "context.missing": 2}),
        ("events", {"event.unknown": 3}),
        ("values", {"buffer.unknown": 1}),
        ("threads", {"memory.foreign-free": 80}),
    ],
)
def test_handles_that_are_not_alive_are_told(program: Path, scenario: str, findings: dict[str, int]) -> None:
    assert ran(program, scenario).findings() == findings


def test_without_init_programs_run_and_are_warned(program: Path) -> None:
    assert ran(program, "without_init").findings("warning") == {"runtime.not-initialised": 1}


@pytest.mark.parametrize(
    ("settings", "product", "member", "devices", "warnings"),
    [
        ({}, "910b", "910b-inference", 8, {}),
        ({"OPSPEC_SOC_NAME": "Ascend950PR_9599", "OPSPEC_DEVICES": "2"}, "950", "950pr", 2, {}),
        ({"OPSPEC_SOC_NAME": "Toaster", "OPSPEC_DEVICES": "many"}, "910b", "910b-inference", 8, {"setting.invalid": 2}),
    ],
)
def test_the_machine_is_what_the_sdk_or_the_environment_says(
    program: Path, settings: dict[str, str], product: str, member: str, devices: int, warnings: dict[str, int]
) -> None:
    numbers = product_numbers()
    done = ran(program, "machine", **settings)
    assert done.output.split()[1:] == [str(numbers[product]), str(numbers[member]), str(devices)]
    assert {kind: n for kind, n in done.findings("warning").items() if kind == "setting.invalid"} == warnings


@pytest.fixture(scope="module")
def faulty(sdk: Sdk) -> Path:
    return sdk.program("faults.c")


def test_every_call_that_can_fail_is_counted_and_fails_when_it_is_told_to(faulty: Path) -> None:
    done = run(faulty, settings={"OPSPEC_FAIL": "0"})
    assert (done.status, done.messages("fault.count")) == (0, ["at exit: 10 calls could have failed"])
    for number in range(1, 11):
        done = run(faulty, settings={"OPSPEC_FAIL": str(number)})
        assert done.status == 1, number
        assert f"fails on purpose (OPSPEC_FAIL={number})" in done.output
        assert not done.findings() + done.findings("warning"), number  # all was cleaned up
    assert run(faulty, settings={"OPSPEC_FAIL": "11"}).status == 0


def test_one_function_can_be_chosen_to_fail(faulty: Path) -> None:
    done = run(faulty, settings={"OPSPEC_FAIL": "1", "OPSPEC_FAIL_FUNCTION": "aclrtMallocHost"})
    assert "aclrtMallocHost(&host, 32): 207001: aclrtMallocHost: fails on purpose" in done.output
    assert not run(faulty).messages("fault.count")


def test_functions_with_bounds(sdk: Sdk) -> None:
    program = sdk.program("bounds.c")
    for scenario in ("bytes", "strings", "formats"):
        done = run(program, scenario)
        assert done.status == 0, done.errors
