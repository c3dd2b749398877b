"""Stubs compile without a warning: as C11 and as C++17, with gcc and clang, with and without CANN's headers."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from opspec.codegen.prototypes import header, prototypes
from opspec.codegen.stubs.call import stub
from opspec.codegen.stubs.names import file_stem
from opspec.model.definition import Definition
from tests.codegen.stubs.compilers import LANGUAGES, compiled, ran, with_headers
from tests.codegen.stubs.operators import CLOSELY, OPERATORS, written
from tests.paths import needs_headers

KINDS = OPERATORS["9.1.0/aclnnStubKinds"]  # its second phase takes a const aclrtStream
VALUES = OPERATORS["9.1.0/aclnnStubValues"]  # its second phase takes an aclrtStream


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """All files of the operators that are looked at closely."""
    folder = tmp_path_factory.mktemp("stubs")
    found: list[Path] = []
    for definition in CLOSELY:
        header_, *sources = written(definition, folder)
        by_itself = folder / f"{header_.stem}_header.c"
        by_itself.write_text(f'#include "{header_.name}"\n', encoding="ascii")
        found += [by_itself, *sources]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_file_compiles_without_cann(language: str, files: list[Path]) -> None:
    """Headers by themselves too: each includes what it needs."""
    compiled(language, (), files)


@needs_headers
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_file_compiles_with_the_real_headers(language: str, files: list[Path]) -> None:
    """What is declared without CANN agrees with what CANN declares."""
    compiled(language, with_headers(), files)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_optimiser_finds_nothing_to_warn_of(language: str, files: list[Path], tmp_path: Path) -> None:
    """Some warnings, as of a value that may not be set, need the data flow."""
    source = next(path for path in files if path.name == "stub_kinds.c")
    compiled(language, (), [source], mode=("-O2", "-c", "-o", str(tmp_path / "call.o")))


@needs_headers
@pytest.mark.parametrize("language", LANGUAGES)
def test_our_acl_declarations_are_the_real_ones(language: str, tmp_path: Path) -> None:
    """Numbers of dtypes and formats, and the prototypes that a stub declares by itself, beside the real headers."""
    text = written(KINDS, tmp_path)[0].read_text(encoding="ascii")
    own = header([KINDS], "OWN_H").replace("#ifdef __has_include", "#if 0")
    names = re.findall(r"\b(ACL_\w+) = (-?\d+)", own) + re.findall(r"^#define (ACL_\w+) (\d+)$", text, re.M)
    assert len(names) > 40
    lines = [f'_Static_assert({name} == {number}, "");' for name, number in names]
    if "c++" in language:
        lines = [line.replace("_Static_assert", "static_assert") for line in lines]
    functions = text.split("#ifdef OPSPEC_NO_ACL\n", 1)[1].split("#endif", 1)[0]
    prototyped = [functions]
    assert functions.count("aclrt") >= 7
    source = tmp_path / "agree.c"
    begin, end = ('extern "C" {', "}") if "c++" in language else ("", "")
    source.write_text("\n".join(['#include "acl/acl.h"', begin, *prototyped, end, *lines, ""]), encoding="ascii")
    compiled(language, with_headers(), [source])


# --- beside the vendor's headers

#: of the shape of CANN's: C++ only
ACL_META = """\
#ifndef OP_API_ACL_META_H_
#define OP_API_ACL_META_H_
#include <cstdint>
#include "acl/acl_base.h"
#define ACL_META_API __attribute__((visibility("default")))
#ifdef __cplusplus
extern "C" {
#endif
typedef struct aclOpExecutor aclOpExecutor;
typedef struct aclTensor aclTensor;
typedef struct aclScalar aclScalar;
typedef struct aclIntArray aclIntArray;
typedef struct aclFloatArray aclFloatArray;
typedef struct aclBoolArray aclBoolArray;
typedef struct aclTensorList aclTensorList;
typedef struct aclScalarList aclScalarList;
typedef int32_t aclnnStatus;
constexpr aclnnStatus OK = 0;
ACL_META_API aclTensor *aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType,
    const int64_t *stride, int64_t offset, aclFormat format, const int64_t *storageDims, uint64_t storageDimsNum,
    void *tensorData);
ACL_META_API aclScalar *aclCreateScalar(void *value, aclDataType dataType);
ACL_META_API aclIntArray *aclCreateIntArray(const int64_t *value, uint64_t size);
ACL_META_API aclFloatArray *aclCreateFloatArray(const float *value, uint64_t size);
ACL_META_API aclBoolArray *aclCreateBoolArray(const bool *value, uint64_t size);
ACL_META_API aclTensorList *aclCreateTensorList(const aclTensor *const *value, uint64_t size);
ACL_META_API aclScalarList *aclCreateScalarList(const aclScalar *const *value, uint64_t size);
ACL_META_API aclnnStatus aclDestroyTensor(const aclTensor *tensor);
ACL_META_API aclnnStatus aclDestroyScalar(const aclScalar *scalar);
ACL_META_API aclnnStatus aclDestroyIntArray(const aclIntArray *array);
ACL_META_API aclnnStatus aclDestroyFloatArray(const aclFloatArray *array);
ACL_META_API aclnnStatus aclDestroyBoolArray(const aclBoolArray *array);
ACL_META_API aclnnStatus aclDestroyTensorList(const aclTensorList *array);
ACL_META_API aclnnStatus aclDestroyScalarList(const aclScalarList *array);
ACL_META_API aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor);
ACL_META_API aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor);
#ifdef __cplusplus
}
#endif
#endif
"""


def vendor_header(definition: Definition, swapped: bool) -> str:
    """A header of the shape of the vendor's that declares an operator.

    Args:
        swapped: whether the second phase has the other form of the stream.
    """
    lines = ["#pragma once", '#include "aclnn/acl_meta.h"', 'extern "C" {']
    for text in prototypes(definition):
        if swapped and "const aclrtStream" in text:
            text = text.replace("const aclrtStream stream", "aclrtStream stream")
        elif swapped:
            text = text.replace("aclrtStream stream", "const aclrtStream stream")
        lines.append(f'__attribute__((visibility("default"))) {text}')
    return "\n".join([*lines, "}", ""])


@needs_headers
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("definition", [KINDS, VALUES, OPERATORS["9.1.0/aclnnStubHelper"]], ids=lambda op: op.name)
def test_the_vendors_headers_may_stand_before_and_after(definition: Definition, swapped: bool, tmp_path: Path) -> None:
    """A C++ program that includes both, in any order, compiles; so does a stub that is part of one."""
    file = file_stem(definition.name)
    for name, text in {"aclnn/acl_meta.h": ACL_META, "aclnnop/vendor.h": vendor_header(definition, swapped)}.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, encoding="ascii")
    written(definition, tmp_path)
    ours, theirs, stub_text = f'#include "{file}.h"', '#include "aclnnop/vendor.h"', f'#include "{file}.c"'
    orders = ([ours, theirs], [theirs, ours], [theirs, stub_text], [stub_text, theirs])
    sources = []
    for number, lines in enumerate(orders):
        source = tmp_path / f"order{number}.cpp"
        source.write_text("\n".join([*lines, 'static_assert(OK == 0, "");', ""]), encoding="ascii")
        sources.append(source)
    for language in ("g++-c++17", "clang++-c++17"):
        compiled(language, (*with_headers(), f"-I{tmp_path}"), sources)


# --- the build file


def test_the_build_file_names_every_source() -> None:
    """Library and program, each of the file that is written; libraries of old and new CANN."""
    files = stub(VALUES)
    text = files["CMakeLists.txt"]
    assert "add_library(stub_values STATIC stub_values.c)" in text
    assert "add_executable(stub_values_example stub_values_example.c)" in text
    assert all(f"{name}.c" in files for name in ("stub_values", "stub_values_example"))
    assert "opapi opapi_math opapi_nn opapi_cv opapi_transformer hccl" in text  # it names a group of ranks


@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake here")
@pytest.mark.parametrize("library", ["opapi", "opapi_nn"])
def test_the_build_file_builds_against_an_installed_cann(library: str, stub_sdk: Path, tmp_path: Path) -> None:
    """With the operators in one library or in one per family, the program that it builds runs."""
    source, cann = tmp_path / "source", tmp_path / "cann"
    source.mkdir()
    written(VALUES, source)
    (source / "CMakeLists.txt").write_text(stub(VALUES)["CMakeLists.txt"], encoding="ascii")
    (cann / "lib64").mkdir(parents=True)
    os.symlink(stub_sdk / "include", cann / "include")
    for name in ("ascendcl", "nnopbase", "hccl", "opspec_sim", library):
        os.symlink(stub_sdk / "lib64" / f"lib{name}.so", cann / "lib64" / f"lib{name}.so")
    environment = {"PATH": os.environ["PATH"], "ASCEND_HOME_PATH": str(cann)}
    for command in (["cmake", "-S", str(source), "-B", "build"], ["cmake", "--build", "build"]):
        result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
        assert result.returncode == 0, result.stdout + result.stderr
    # the simulator's one library of operators leads to those of the families, which a CANN of that age does not have
    found = f"LD_LIBRARY_PATH={stub_sdk / 'lib64'}"
    assert ran("env", found, str(tmp_path / "build" / "stub_values_example")) == ""


@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake here")
def test_the_build_file_says_that_cann_is_missing(tmp_path: Path) -> None:
    """And which variables name it."""
    for name, text in stub(VALUES).items():
        (tmp_path / name).write_text(text, encoding="ascii")
    result = subprocess.run(
        ["cmake", "-S", str(tmp_path), "-B", str(tmp_path / "build")],
        capture_output=True, text=True, check=False, env={"PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert result.returncode != 0
    assert "acl/acl.h not found: set ASCEND_HOME_PATH or ASCEND_TOOLKIT_HOME" in " ".join(result.stderr.split())
