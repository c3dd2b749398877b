"""The example programs of operators and the driver of their runs, compiled and linked with an SDK into one program."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from opspec.build.layout import Target, chip
from opspec.codegen.stubs.names import arguments_name, call_name
from opspec.model.definition import Definition
from opspec.registry.registry import Registry, definition_of
from opspec.vocabulary import products
from tests.codegen.stubs.many import together
from tests.codegen.stubs.operators import HERE, written

DRIVER = HERE / "driver"

#: operators in one file for the compiler
BATCH = 60

LIBRARIES = (
    "opapi_math", "opapi_nn", "opapi_cv", "opapi_transformer", "ascendcl", "nnopbase", "hccl", "opspec_sim", "m",
)  # fmt: skip

#: functions that the driver makes fail in the simulator's place
WRAPPED = re.findall(r"^RELEASES\((\w+),", (DRIVER / "driver.c").read_text(encoding="ascii"), re.M)
WRAPPED += ["aclFinalize", "calloc"]


@dataclass(frozen=True, slots=True)
class Case:
    """An example program.

    Args:
        soc: one on which the example is legal.
        arguments: whether the operator has any.
    """

    op: str
    soc: str
    two_phase: bool
    arguments: bool

    @classmethod
    def of(cls, definition: Definition) -> Case:
        """That of an operator."""
        example = definition.spec.example
        product = "910b" if example is None or example.product is None else example.product
        soc = chip(Target(definition.spec.release, *products.resolve(product)))
        return cls(definition.name, soc, definition.spec.interface == "two-phase", bool(definition.params))

    @property
    def head(self) -> str:
        """The example, as it is called in the whole program."""
        return f"int run_{self.op}(void)"


def build(folder: Path, sdk: Path, release: str, names: Sequence[str], jobs: int) -> Path:
    """The program of operators of the registry, as C++ and fast."""
    batches = [names[start : start + BATCH] for start in range(0, len(names), BATCH)]
    with ProcessPoolExecutor(jobs) as pool:
        works = [pool.submit(_batch, folder, sdk, release, batch) for batch in batches]
        cases = [case for work in works for case in work.result()]
    return _linked(folder, sdk, cases, ("clang",), ("-lstdc++",))


def _batch(folder: Path, sdk: Path, release: str, names: Sequence[str]) -> list[Case]:
    """Compile the stubs of some operators as one source; those of partial specs are left out, being none."""
    entries = Registry().entries(release)
    definitions = [one for one in (definition_of(entries[name]) for name in names) if one.spec.partial is None]
    cases = [Case.of(definition) for definition in definitions]
    source = folder / f"{names[0]}_batch.cpp"
    source.write_text(together(definitions, folder) + "\n".join(map(_runner, cases)) + "\n", encoding="ascii")
    options = ("-std=c++17", "-O0", "-w", *_includes(folder, sdk))
    _ran("clang++", *options, "-c", str(source), "-o", f"{source}.o")
    return cases


def build_sanitized(folder: Path, sdk: Path, definitions: Iterable[Definition]) -> Path:
    """The program of any operators, as C, each file by itself, under sanitizers."""
    cases = []
    compiler = ("gcc", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    for definition in definitions:
        cases.append(Case.of(definition))
        for path in written(definition, folder):
            if path.suffix == ".c":
                options = (f"-Dmain=run_{definition.name}", "-std=c11", *_includes(folder, sdk))
                _ran(*compiler, *options, "-c", str(path), "-o", f"{path}.o")
    return _linked(folder, sdk, cases, compiler, ())


def _includes(folder: Path, sdk: Path) -> tuple[str, ...]:
    return (f"-I{folder}", f"-I{DRIVER}", "-isystem", str(sdk / "include"))


def _linked(folder: Path, sdk: Path, cases: list[Case], compiler: Sequence[str], more: Sequence[str]) -> Path:
    """The program of all objects in a folder, with the driver and its table."""
    table, program, libraries = folder / "table.c", folder / "driver", sdk / "lib64"
    table.write_text(_table(cases), encoding="ascii")
    own = ("-std=gnu11", *_includes(folder, sdk), str(DRIVER / "driver.c"), str(table))
    wrapped = [f"-Wl,--wrap={name}" for name in WRAPPED]
    found = (f"-L{libraries}", f"-Wl,-rpath,{libraries}", *(f"-l{name}" for name in LIBRARIES), *more)
    _ran(*compiler, *own, *wrapped, *map(str, sorted(folder.glob("*.o"))), *found, "-o", str(program))
    return program


def _runner(case: Case) -> str:
    """Functions of one name in the whole program: the example, and the wrapper as its header declares it."""
    own = f'extern "C" {case.head} {{ return in_{case.op}_example::main(); }}'
    values = ["arguments"] * case.arguments + ["stream", "allocate", "context"] * case.two_phase
    types = {
        "arguments": f"const {arguments_name(case.op)} *", "stream": "aclrtStream ", "allocate": "OpAllocate ",
        "context": "void *",
    }  # fmt: skip
    declared = ", ".join(types[name] + name for name in values)
    call = call_name(case.op)
    return f'{own}\nextern "C" int {call}({declared}) {{ return in_{case.op}_call::{call}({", ".join(values)}); }}'


def _table(cases: list[Case]) -> str:
    rows = [f'    {{"{case.op}", "{case.soc}", run_{case.op}}},' for case in cases]
    heads = [f"{case.head};" for case in cases]
    lines = ['#include "driver.h"', *heads, "const driver_case driver_cases[] = {", *rows, "};"]
    return "\n".join([*lines, f"const int driver_case_count = {len(cases)};", ""])


def _ran(*command: str) -> None:
    """Run a command; what it says is the fault when it fails.

    Raises:
        RuntimeError: it failed.
    """
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{result.stderr}")
