"""Stubs run: the example succeeds against a double of ACL, and whichever call fails, all is released exactly once."""

from __future__ import annotations

import math
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from opspec.calls.model import Scalar, Tensor
from opspec.spec.definition import Definition
from opspec.stubs.example import example_arguments
from opspec.vocabulary import dtypes, formats
from opspec.vocabulary.shapes import contiguous_strides
from tests.stubs.compilers import ran
from tests.stubs.operators import HERE, OPERATORS, PLACEHOLDER, double_of, written

SANITIZED = ("-std=c11", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
NOT_CREATED, OUT_OF_MEMORY = 500001, 200000
SUMMARY = re.compile(r"double: calls=(\d+) faults=(\d+) live=(\d+) unread=(\d+)\n")


@pytest.fixture(scope="session")
def double(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The double of ACL, compiled."""
    target = tmp_path_factory.mktemp("double") / "acl_double.o"
    ran("gcc", *SANITIZED, "-Wall", "-Wextra", "-c", str(HERE / "double" / "acl_double.c"), "-o", str(target))
    return target


def build(definition: Definition, folder: Path, double: Path) -> Path:
    """The example program of an operator, linked with the doubles."""
    written(definition, folder)
    return linked(definition, folder, double)


def linked(definition: Definition, folder: Path, double: Path) -> Path:
    """The program of an operator's files in a folder, linked with the doubles."""
    (folder / "double.c").write_text(double_of(definition), encoding="ascii")
    program, sources = folder / "example", sorted(folder.glob("*.c"))
    options = (*SANITIZED, f"-I{HERE / 'double'}", "-Wl,--wrap=calloc")
    ran("gcc", *options, *map(str, sources), str(double), "-lm", "-o", str(program))
    return program


class Run:
    """A run of an example program: exit code, what it said, and what the double counted."""

    def __init__(self, program: Path, *words: str, **settings: int) -> None:
        environment = {f"OPSPEC_DOUBLE_{name.upper()}": str(value) for name, value in settings.items()}
        sanitizers = {"ASAN_OPTIONS": "exitcode=66:detect_leaks=1", "UBSAN_OPTIONS": "exitcode=67"}
        result = subprocess.run(
            [str(program), *words], capture_output=True, text=True, check=False,
            env={**os.environ, **sanitizers, **environment},
        )  # fmt: skip
        self.code, self.said = result.returncode, result.stderr
        found = SUMMARY.search(self.said)
        assert found, self.said
        self.calls, self.faults, self.live, self.unread = map(int, found.groups())

    @property
    def clean(self) -> bool:
        """Nothing is left, nothing was released twice or used after its release."""
        return self.faults == self.live == 0


@pytest.mark.parametrize("name", OPERATORS)
def test_the_example_succeeds_and_every_failure_is_clean(name: str, tmp_path: Path, double: Path) -> None:
    """Success with and without workspace and executor reuse; then each call of the success fails in turn."""
    definition = OPERATORS[name]
    program = build(definition, tmp_path, double)
    two_phase = definition.spec.interface == "two-phase"
    first = 1
    for words in [("1",), ("3",), ("0",)] if two_phase else [()]:
        good = Run(program, *words)
        assert (good.code, good.clean, good.unread) == (0, True, 0), good.said
        for number in range(first, good.calls + 1):
            step = failing(definition.name, Run(program, *words, fail=number), number)
            if step == f"{definition.name}GetWorkspaceSize":
                first = number  # the number of runs makes no difference before it
    without = Run(program, workspace=0)
    assert (without.code, without.clean) == (0, True), without.said
    traced(definition, Run(program, trace=1).said)


def failing(op: str, run: Run, number: int) -> str:
    """A failed call ends in exit code 1, one message with operator, step and code, and nothing left.

    Returns the step.
    """
    assert (run.code, run.clean) == (1, True), run.said
    found = re.search(r"double: failing (\w+) with (\d+)\n", run.said)
    assert found, run.said
    step = found[1]
    code = NOT_CREATED if step.startswith("aclCreate") else OUT_OF_MEMORY if step == "calloc" else int(found[2])
    message = f"the double made call {number} fail"
    assert re.search(rf"^{op}: {step}\(\w*\) failed with code {code}: {message}$", run.said, re.M), run.said
    return step


def test_placeholders_say_what_to_do_and_run_once_that_is_done(tmp_path: Path, double: Path) -> None:
    """Without an example in the spec the program compiles, refuses to run, and runs as soon as it is told to."""
    source = tmp_path / "aclnnStubPlaceholder_example.c"
    result = subprocess.run([build(PLACEHOLDER, tmp_path, double)], capture_output=True, text=True, check=False)
    said = "aclnnStubPlaceholder_example: fill in the arguments, then set FILLED_IN to true\n"
    assert (result.returncode, result.stdout, result.stderr) == (1, "", said)
    text = source.read_text(encoding="ascii")
    source.write_text(text.replace("FILLED_IN = false", "FILLED_IN = true"), encoding="ascii")
    run = Run(linked(PLACEHOLDER, tmp_path, double), trace=1)
    assert (run.code, run.clean, run.unread) == (0, True, 0), run.said
    assert "argument self dtype=34 format=0 offset=0 shape=1 strides=1 storage=1" in run.said


@pytest.mark.parametrize("word", ["", "x", "3x", "-1", "65536", "99999999999999999999999"])
def test_a_number_of_runs_that_is_none_is_bad_usage(word: str, program: Path) -> None:
    """Exit code 2, before anything is done."""
    result = subprocess.run([program, word], capture_output=True, text=True, check=False)
    said = "aclnnStubArrays_example: RUNS is a number from 0 to 65535\n"
    assert (result.returncode, result.stdout, result.stderr) == (2, "", said)


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory, double: Path) -> Path:
    """Any program with two phases."""
    return build(OPERATORS["9.1.0/aclnnStubArrays"], tmp_path_factory.mktemp("program"), double)


# --- what the operator is given


def traced(definition: Definition, said: str) -> None:
    """Every argument arrives as the example has it."""
    seen = dict(re.findall(r"^argument (\w+) (.*)$", said, re.M))
    assert list(seen) == [param.name for param in definition.params]
    for param, value in zip(definition.params, example_arguments(definition), strict=True):
        same(param.kind, value, seen[param.name])


def same(kind: str, value: Any, shown: str) -> None:
    """One argument, as the double shows it."""
    if value is None:
        assert shown == "null"
    elif isinstance(value, Tensor):
        assert shown.startswith(tensor_text(value)), shown
    elif isinstance(value, Scalar):
        assert shown.startswith(f"dtype={dtypes.number(value.dtype)} ")
    elif kind.endswith(("_array", "_list")):
        assert shown.startswith(f"size={len(value)}"), shown
        for item in value if kind == "tensor_list" else ():
            assert ("[null]" if item is None else f"[{tensor_text(item)}") in shown
    elif kind == "string":
        assert shown == f"text data={value.encode()[:64].hex()}"
    elif kind == "int":
        assert (int(shown) - value) % 2**64 == 0
    elif kind.startswith("float"):
        assert float(shown) == value or (math.isnan(float(shown)) and math.isnan(value))
    else:
        expected = {"bool": lambda: str(int(value)), "dtype": lambda: str(dtypes.number(value))}
        assert shown == expected.get(kind, lambda: "pointer")()


def tensor_text(tensor: Tensor) -> str:
    """The metadata of a tensor, in the double's words."""
    strides = tensor.strides if tensor.strides is not None else contiguous_strides(tensor.shape)
    number = formats.number(tensor.storage_format or tensor.format)
    text = f"dtype={dtypes.number(tensor.dtype)} format={number} offset={tensor.offset}"
    text += f" shape={listed(tensor.shape)} strides={listed(strides)}"
    if tensor.storage_shape is not None:
        size = (math.prod(tensor.storage_shape) * (dtypes.bits(tensor.dtype) or 0) + 7) // 8
        text += f" storage={listed(tensor.storage_shape)}" + (f" bytes={size}" if size else "")
    return text


def listed(values: tuple[int, ...]) -> str:
    """Dims as the double shows them."""
    return ",".join(map(str, values))


def test_values_reach_the_device_bit_by_bit(tmp_path: Path, double: Path) -> None:
    """Each dtype's values, in the places that strides and offset give them."""
    definition = OPERATORS["9.1.0/aclnnStubKinds"]
    said = Run(build(definition, tmp_path, double), trace=1).said
    seen = dict(re.findall(r"^argument (\w+) (.*)$", said, re.M))
    expected = {
        "x": "003c00c00038ff7b0000007c",  # the last is too large for binary16: infinite
        "strided": "000000000000000001000000030000000000000002000000" + "00000080",
        "point": "9a9999999999b93f",
        "small": "f107",  # INT4: the first element in the low bits
        "wide": "0000803f00000000000000c000000000",
        "odd": "0000",  # HIFLOAT8 has no form in C
        "alpha": "cdcccc3d",
        "class": "000000000000000000f2052a01000000ffffffffffffffff",
        "class_": "0000c03fcdcccc3d",
        "executor": "0100",
        "selfRef": "010203ff",
    }
    for name, data in expected.items():
        assert seen[name].endswith(f"data={data}"), (name, seen[name])
    assert "bytes=4 data=803f4940]" in seen["list"]
    assert seen["scalars"] == "size=2 [dtype=12 data=01] [dtype=9 data=0000000000000080]"
