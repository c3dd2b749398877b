"""Stubs run: the example succeeds against the simulator, and whichever call fails, all is released exactly once.

Here those of a few operators, as C under sanitizers; those of all operators in ``all_run.py``.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from opspec.codegen.stubs.example import typed_arguments
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import Definition
from opspec.model.example import example_of
from opspec.vocabulary import groups
from opspec.vocabulary.shapes import contiguous_strides
from tests.codegen.stubs.all_run import faults, runs
from tests.codegen.stubs.compilers import ran
from tests.codegen.stubs.linked import LIBRARIES, build_sanitized
from tests.codegen.stubs.operators import HERE, PLACEHOLDER, RUN, written

EXAMPLES = {name: definition for name, definition in RUN.items() if definition.spec.example is not None}


def test_examples_succeed_and_every_failure_is_clean(stub_sdk: Path, tmp_path: Path) -> None:
    """With and without workspace; then each call that can fail does."""
    program = build_sanitized(tmp_path, stub_sdk, EXAMPLES.values())
    failing: dict[str, Counter[str]] = {name: Counter() for name in EXAMPLES}
    for run in runs(program, 2):
        assert faults(run) == [], run
        failing[run.op][run.injected] += 1
    for name, definition in EXAMPLES.items():
        assert failing[name][""] == 3  # as it is, past its last call, without workspace
        assert failing[name].keys() >= {"aclInit", "aclrtSetDevice", "aclrtResetDevice", "aclFinalize"}
        if definition.spec.interface == "two-phase":
            assert failing[name].keys() >= {
                f"{name}GetWorkspaceSize",
                name,
                "aclrtCreateStream",
                "aclrtSynchronizeStream",
                "aclrtDestroyStream",
            }
    assert failing["aclnnStubKinds"].keys() >= {
        "calloc", "aclrtMalloc", "aclrtMemcpy", "aclrtFree", "aclCreateTensor", "aclDestroyTensor", "aclCreateScalar",
        "aclDestroyScalar", "aclCreateTensorList", "aclDestroyTensorList", "aclCreateScalarList",
        "aclDestroyScalarList", "aclCreateIntArray", "aclDestroyIntArray", "aclCreateFloatArray",
        "aclDestroyFloatArray", "aclCreateBoolArray", "aclDestroyBoolArray",
    }  # fmt: skip


def linked(definition: Definition, folder: Path, sdk: Path, *options: str) -> Path:
    """The program of an operator's files in a folder."""
    program, libraries = folder / "example", sdk / "lib64"
    found = (f"-I{sdk / 'include'}", f"-L{libraries}", f"-Wl,-rpath,{libraries}", *(f"-l{name}" for name in LIBRARIES))
    ran("gcc", "-std=c11", *options, *map(str, sorted(folder.glob("*.c"))), *found, "-o", str(program))
    return program


def run(program: Path, *words: str, **settings: str | Path) -> tuple[int, str]:
    """Exit code and standard error of a program."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OPSPEC_")}
    environment = {**clean, **{name: str(value) for name, value in settings.items()}}
    result = subprocess.run([program, *words], capture_output=True, text=True, check=False, env=environment)
    return result.returncode, result.stderr


def test_an_example_of_ranks_joins_the_group_that_it_is_told(stub_sdk: Path, tmp_path: Path) -> None:
    """By a table of ranks a process of each, without one a group of its own; what is wrong with a table is said."""
    program, table = tmp_path / "example", tmp_path / "ranks.json"
    written(RUN["aclnnStubValues"], tmp_path)
    linked(RUN["aclnnStubValues"], tmp_path, stub_sdk)
    table.write_text(json.dumps({"server_list": [{"device": [{"rank_id": "0"}, {"rank_id": "1"}]}]}))
    assert run(program)[0] == 0
    for rank in ("0", "1"):
        assert run(program, RANK_TABLE_FILE=table, RANK_ID=rank, DEVICE_ID=rank)[0] == 0
    code, said = run(program, RANK_TABLE_FILE=table, RANK_ID="2")
    assert (code, f"HcclCommInitClusterInfo({table}) failed with code 1" in said) == (1, True)


def test_placeholders_say_what_to_do_and_run_once_that_is_done(stub_sdk: Path, tmp_path: Path) -> None:
    """Without an example in the spec the program compiles, refuses to run, and calls as soon as it is told to."""
    written(PLACEHOLDER, tmp_path)
    said = "aclnnStubPlaceholder_example: fill in the arguments, then set FILLED_IN to true\n"
    assert run(linked(PLACEHOLDER, tmp_path, stub_sdk)) == (1, said)
    source, events = tmp_path / "stub_placeholder_example.c", tmp_path / "events.jsonl"
    text = source.read_text(encoding="ascii")
    source.write_text(text.replace("FILLED_IN = false", "FILLED_IN = true"), encoding="ascii")
    code, said = run(linked(PLACEHOLDER, tmp_path, stub_sdk), OPSPEC_EVENTS=events, OPSPEC_OUTPUT="none")
    assert code == 1  # they are no legal call, yet
    assert "aclnnStubPlaceholder: aclnnStubPlaceholderGetWorkspaceSize() failed with code 161002" in said
    told = [json.loads(line) for line in events.read_text(encoding="utf-8").splitlines()]
    assert [event["event"] for event in told] == ["start", "call", "end"]


# --- what the operator is given


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_argument_arrives_as_the_example_has_it(name: str, stub_sdk: Path, tmp_path: Path) -> None:
    """Of tensors what describes them, of anything else the values, too."""
    definition, record = EXAMPLES[name], tmp_path / "calls.jsonl"
    written(definition, tmp_path)
    code, said = run(linked(definition, tmp_path, stub_sdk), OPSPEC_RECORD=record)
    assert code == 0, said
    call, *others = map(json.loads, record.read_text(encoding="utf-8").splitlines())
    assert all(other["args"].keys() == call["args"].keys() for other in others)  # of other ranks
    made, arrived = (typed_arguments(definition, args) for args in (example_of(definition)[1], call["args"]))
    for param, expected, value in zip(definition.params, made, arrived, strict=True):
        if param.name in groups.PARAMS:
            assert value.startswith("opspec_group")  # a group that the program made
            continue
        assert plain(value) == plain(expected), param.name
        if isinstance(expected, Tensor) and expected.storage_shape is not None:
            assert value.storage_shape == expected.storage_shape


def plain(value: Any) -> Any:
    """An argument in the one form that an example and a record have in common."""
    if isinstance(value, Tensor):
        strides = value.strides if value.strides is not None else contiguous_strides(value.shape)
        return value.shape, value.dtype, value.storage_format or value.format, strides, value.offset
    if isinstance(value, Scalar):
        return value.dtype, plain(value.value)
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return f"{value:.6g}" if isinstance(value, float) else value  # some are rounded to binary32; NaN equals itself


def test_values_reach_the_device_bit_by_bit(stub_sdk: Path, tmp_path: Path) -> None:
    """Each dtype's values, in the places that strides and offset give them, in the order of params."""
    definition = EXAMPLES["aclnnStubKinds"]
    written(definition, tmp_path)
    wrapped = linked(definition, tmp_path, stub_sdk, str(HERE / "driver" / "copied.c"), "-Wl,--wrap=aclrtMemcpy")
    expected = [
        "003c00c00038ff7b0000007c",  # x: the last is too large for binary16: infinite
        "000000000000000001000000030000000000000002000000" + "00000080",  # strided
        "01020304" * 128,  # stored: the example has no values
        "9a9999999999b93f",  # point
        "f107",  # small, INT4: the first element in the low bits
        "0000803f00000000000000c000000000",  # wide
        "0000",  # odd: HIFLOAT8 has no form in C
        "803f4940",  # the first of list; the others are null and empty
        "010203ff",  # selfRef
    ]
    assert re.findall(r"^copied (\w+)$", run(wrapped)[1], re.M)[: len(expected)] == expected
