"""The SDK's headers: they agree with the real ones, compile alone, in any order, as C and as C++, and with opspec's."""

from __future__ import annotations

import csv
import itertools
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from opspec.cli.main import main
from opspec.codegen.headers import own_headers
from opspec.codegen.prototypes import prototypes
from opspec.csrc import INCLUDE
from opspec.model.derived import usual_header
from opspec.registry.registry import Registry, definition_of
from opspec.vocabulary import dtypes, formats
from tests.build.sdk.declarations import declarations
from tests.codegen.stubs.compilers import LANGUAGES, compiled, ran, with_headers
from tests.paths import ACL_HEADERS, SHARED, needs_headers, needs_shared

OURS = ("-I", INCLUDE)
ACL = ("acl/acl.h", "acl/acl_op_compiler.h")
CPLUSPLUS_ONLY = "aclnn/opdev/"


FUNCTIONS = SHARED / "functions.csv"


def _words(text: str) -> list[str]:
    return text.split()


#: What programs call, by ``sdk.md``, of headers that the fetched ones do not have.
META = _words("""
    aclCreateTensor aclDestroyTensor aclCreateIntArray aclDestroyIntArray aclCreateScalar aclDestroyScalar
    aclCreateTensorList aclDestroyTensorList aclCreateBoolArray aclDestroyBoolArray aclCreateFloatArray
    aclDestroyFloatArray aclCreateScalarList aclDestroyScalarList aclInitTensor aclGetViewShape
    aclSetAclOpExecutorRepeatable aclDestroyAclOpExecutor aclGetRawTensorAddr aclSetRawTensorAddr aclGetStorageShape
    aclGetViewStrides aclGetViewOffset aclGetFormat aclGetDataType aclGetIntArraySize aclGetFloatArraySize
    aclGetBoolArraySize aclGetTensorListSize aclGetScalarListSize aclDumpOpTensors
""")
#: The same of headers that the fetched ones have.
CALLED = _words("""
    aclInit aclFinalize aclrtSetDevice aclrtResetDevice aclrtCreateStream aclrtDestroyStream aclrtSynchronizeStream
    aclrtSynchronizeStreamWithTimeout aclrtMalloc aclrtFree aclrtMemcpy aclrtMemset aclrtCreateContext
    aclrtSetCurrentContext aclrtDestroyContext aclrtGetSocName aclDataTypeSize aclFloatToFloat16 aclFloat16ToFloat
    aclGetRecentErrMsg aclSetCompileopt HcclCommInitAll HcclGetCommName HcclCommDestroy HcclCommInitClusterInfo
    HcclCommInitClusterInfoConfig HcclCommInitRootInfo HcclCommInitRootInfoConfig HcclGetRootInfo
    HcclCreateSubCommConfig HcclGetRankId HcclGetRankSize HcclBarrier
""")


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the real headers declare."""
    if ACL_HEADERS is None or shutil.which("clang++") is None:
        pytest.skip("needs clang++ and the real headers")
    return declarations((*ACL, "hccl/hccl.h"), with_headers(), tmp_path_factory.mktemp("real"))


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the SDK's headers declare."""
    if shutil.which("clang++") is None:
        pytest.skip("needs clang++")
    return declarations((*ACL, "hccl/hccl.h", "aclnn/aclnn_base.h"), OURS, tmp_path_factory.mktemp("ours"))


@needs_headers
def test_what_both_declare_is_the_same(real: dict[str, str], ours: dict[str, str]) -> None:
    both = real.keys() & {name for name, text in ours.items() if _is_theirs(name)}
    differing = {name: (real[name], ours[name]) for name in both if real[name] != ours[name]}
    assert not differing
    assert sum(ours[name].startswith("function") for name in both) > 100
    assert sum(ours[name].startswith("number") for name in both) > 400


@needs_headers
def test_nothing_is_declared_that_the_real_headers_do_not_have(real: dict[str, str], ours: dict[str, str]) -> None:
    aclnn = {"aclTensor", "aclScalar", "aclIntArray", "aclFloatArray", "aclBoolArray", "aclTensorList"}
    aclnn |= {"aclScalarList", "aclOpExecutor", "aclnnStatus", "aclnnInit", "aclnnFinalize", *META}
    aclnn |= {f"aclSet{kind}TensorAddr" for kind in ("", "Input", "Output", "Dynamic", "DynamicInput", "DynamicOutput")}
    in_c = {"HcclConfigValue"}  # C++ needs no typedef for its union
    assert {name for name in ours if _is_theirs(name)} - real.keys() - aclnn - in_c == set()


def test_what_programs_call_is_declared(ours: dict[str, str]) -> None:
    assert [name for name in [*META, *CALLED] if not ours.get(name, "").startswith("function")] == []


def test_numbers_are_those_of_the_vocabulary(ours: dict[str, str]) -> None:
    """Of dtypes and formats, without the real headers."""
    numbers = {dtypes.enumerator(name): dtypes.number(name) for name in dtypes.names()}
    numbers |= {formats.enumerator(name): formats.number(name) for name in formats.names()}
    assert {name: ours.get(name) for name in numbers} == {
        name: f"number {number % 2**32}" for name, number in numbers.items()
    }


def _is_theirs(name: str) -> bool:
    return name.split(" ")[-1].lower().startswith(("acl", "hccl"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_header_compiles_alone(language: str, tmp_path: Path) -> None:
    sources: list[Path] = []
    for path in own_headers():
        if path.startswith(CPLUSPLUS_ONLY) and "++" not in language:
            continue
        sources.append(tmp_path / f"{len(sources)}.c")
        sources[-1].write_text(f'#include "{path}"\n#include "{path}"\ntypedef int there_is_something;\n')
    compiled(language, OURS, sources)


@pytest.mark.parametrize("language", ["gcc-c11", "clang++-c++17"])
def test_headers_go_together_in_any_order(language: str, tmp_path: Path) -> None:
    """Prototypes of "opspec header" among them."""
    own = tmp_path / "own.h"
    assert main(["header", "aclnnAdd", "aclnnGridSampler2D", "--release", "9.1.0", "--out", str(own)]) == 0
    sdk = tmp_path / "sdk"
    assert _headers(sdk, "aclnnAdd", "aclnnGridSampler2D") == 0
    names = ("acl/acl.h", "aclnn/acl_meta.h", "hccl/hccl.h", "aclnnop/aclnn_add.h", str(own))
    sources: list[Path] = []
    for order in [*itertools.permutations(names, 2), names, names[::-1]]:
        sources.append(tmp_path / f"{len(sources)}.c")
        sources[-1].write_text("".join(f'#include "{name}"\n' for name in order))
    compiled(language, ("-I", str(sdk / "include")), sources)


def test_an_operators_header_is_found_in_three_ways(tmp_path: Path) -> None:
    """``aclnnop/x.h``, ``aclnnop/level2/x.h`` and ``x.h``; it declares the objects, too."""
    assert _headers(tmp_path / "sdk", "aclnnAdd", "aclnnAdds") == 0
    include = tmp_path / "sdk" / "include"
    for number, name in enumerate(("aclnnop/aclnn_add.h", "aclnnop/level2/aclnn_add.h", "aclnn_add.h")):
        source = tmp_path / f"{number}.c"
        source.write_text(f'#include "{name}"\nvoid *functions[] = {{(void *)aclnnAdds, (void *)aclCreateTensor}};\n')
        ran("cc", "-fsyntax-only", "-I", str(include), "-I", str(include / "aclnnop"), str(source))


def test_an_unknown_header_gets_a_name_like_the_others() -> None:
    assert usual_header("aclnnMoeDistributeDispatchV4") == "aclnnop/aclnn_moe_distribute_dispatch_v4.h"
    assert usual_header("aclnnFFNV3") == "aclnnop/aclnn_ffnv3.h"


def test_half_precision_numbers(tmp_path: Path) -> None:
    """Every bit pattern becomes the float that the compiler makes of it, and floats become what it rounds them to."""
    if shutil.which("g++") is None:
        pytest.skip("no g++ here")
    source = tmp_path / "half.cpp"
    source.write_text(HALF)
    ran("g++", "-std=c++17", "-O1", *OURS, str(source), "-o", str(tmp_path / "half"))
    assert ran(str(tmp_path / "half")) == "0 differ\n1.5 3 1 -0.5\n"


def test_small_floating_point_numbers(tmp_path: Path) -> None:
    """Every pattern becomes a number that becomes it again, in order; what lies between two goes to the nearer one."""
    if shutil.which("g++") is None:
        pytest.skip("no g++ here")
    source = tmp_path / "small.cpp"
    source.write_text(SMALL)
    ran("g++", "-std=c++11", "-O1", "-Wall", "-Wextra", "-Werror", *OURS, str(source), "-o", str(tmp_path / "small"))
    assert ran(str(tmp_path / "small")) == "0 0.5 1 1.5 2 3 4 6\n448 57344 0 wrong\n"


def test_what_the_vendors_headers_use_is_there(tmp_path: Path) -> None:
    """Marks of declarations, and in C++ the standard headers that programs have through an operator's header."""
    assert _headers(tmp_path / "sdk", "aclnnAdd") == 0
    source = tmp_path / "marks.cpp"
    source.write_text(MARKS)
    include = tmp_path / "sdk" / "include"
    ran("g++", "-std=c++11", "-Wall", "-Werror", "-fsyntax-only", "-I", str(include), str(source))


def test_operators_of_unknown_header_are_found_beside_their_siblings(tmp_path: Path) -> None:
    """In the header of their own name, and in those of the operators of the same folder of pages."""
    known, unknown = "aclnnRotaryPositionEmbedding", "aclnnRotaryPositionEmbeddingV2"
    assert _headers(tmp_path / "sdk", known, unknown, "aclnnAdd") == 0
    for header, declares in (
        ("aclnn_rotary_position_embedding.h", True), ("aclnn_rotary_position_embedding_v2.h", True),
        ("aclnn_add.h", False),
    ):  # fmt: skip
        source = tmp_path / "one.c"
        source.write_text(f'#include "aclnnop/{header}"\nvoid *there = (void *){unknown};\n')
        done = subprocess.run(
            ["cc", "-fsyntax-only", "-I", str(tmp_path / "sdk" / "include"), str(source)], capture_output=True
        )
        assert (done.returncode == 0) == declares


@needs_shared
def test_every_function_is_declared_as_the_vendor_declares_it() -> None:
    """In the same header, with the same types, const and all: both headers may be included."""
    known = Registry()
    declared = {}
    for operator in known.entries("9.1.0"):
        definition = definition_of(known.find(operator, "9.1.0"))
        for prototype in prototypes(definition):
            function, params = re.fullmatch(r"aclnnStatus (\w+)\((.*)\);", prototype, re.S).groups()  # type: ignore[union-attr]
            declared[function] = (definition.header or usual_header(operator), _types(params))
    with FUNCTIONS.open(encoding="utf-8") as file:
        theirs = {row["function"]: (row["header"], _types(row["parameters"])) for row in csv.DictReader(file)}
    both = declared.keys() & theirs.keys()
    assert len(both) > 1700
    assert {name: declared[name] for name in both if declared[name] != theirs[name]} == {}


def _types(params: str) -> list[str]:
    """The types of params; ``const`` of what is passed by value makes no other function."""
    found = []
    for param in params.split(","):
        words = param.replace("*", " * ").split()
        stars = words.count("*")
        names = [word for word in words if word != "*"]
        if names and names != ["void"]:
            bare = [word for word in names[:-1] if stars or word != "const"]
            found.append(" ".join(sorted(bare)) + "*" * stars)
    return found


SMALL = r"""
#include "aclnn/opdev/bfloat16.h"
#include "aclnn/opdev/float4_e2m1.h"
#include "aclnn/opdev/float8_e4m3fn.h"
#include "aclnn/opdev/float8_e5m2.h"
#include <cstdio>

static int wrong;

template <typename Number, typename Bits>
void check(unsigned positive)
{
    for (unsigned bits = 0; bits < 2 * positive; ++bits) {
        const float value = Number(static_cast<Bits>(bits), Number::FromBits());
        wrong += !std::isnan(value) && Number(value).value != bits;
    }
    for (unsigned bits = 0; bits + 1 < positive; ++bits) {
        const float low = Number(static_cast<Bits>(bits), Number::FromBits());
        const float high = Number(static_cast<Bits>(bits + 1), Number::FromBits());
        if (std::isnan(high) || std::isinf(high))
            break;
        const float middle = low + (high - low) / 2;
        wrong += !(low < high) || Number(middle).value != (bits % 2 == 0 ? bits : bits + 1);
        wrong += Number(std::nextafter(middle, INFINITY)).value != bits + 1;
        wrong += Number(std::nextafter(middle, 0.0F)).value != bits;
    }
}

int main()
{
    for (uint8_t bits = 0; bits < 8; ++bits) {
        const op::Float4E2M1 number(bits, op::Float4E2M1::FromBits());
        std::printf("%g%s", static_cast<float>(number), bits < 7 ? " " : "\n");
    }
    check<op::Float4E2M1, uint8_t>(8);
    check<op::Float8E4M3FN, uint8_t>(128);
    check<op::Float8E5M2, uint8_t>(128);
    check<op::bfloat16, uint16_t>(32768);
    const op::Float8E5M2 largest(static_cast<uint8_t>(0x7B), op::Float8E5M2::FromBits());
    const float large = op::bfloat16(3.4e38), none = op::bfloat16(NAN);
    wrong += !std::isinf(large) || !std::isnan(none);
    std::printf("%g %g %d wrong\n", static_cast<float>(op::Float8E4M3FN(1000)), static_cast<float>(largest), wrong);
}
"""

MARKS = r"""
#include "aclnnop/aclnn_add.h"

ACLNN_API ACL_DEPRECATED_MESSAGE("no more") aclnnStatus there();
std::array<int64_t, 2> shape;
std::string name;
aclnnStatus (*dump)(const char *, const char *, aclTensor **, size_t, size_t, aclrtStream) = aclDumpOpTensors;
static_assert(OK == 0, "as of CANN");
"""

HALF = r"""
#include "aclnn/opdev/fp16_t.h"
#include <cmath>
#include <cstdio>
#include <iostream>
#include <vector>

int main()
{
    long differing = 0;
    for (uint32_t bits = 0; bits < 65536; ++bits) {
        const op::fp16_t half = op::fp16_t(static_cast<uint16_t>(bits), op::fp16_t::from_bits());
        _Float16 known;
        memcpy(&known, &bits, sizeof known);
        const float found = half, wanted = static_cast<float>(known);
        differing += std::isnan(wanted) ? !std::isnan(found) : memcmp(&found, &wanted, sizeof found) != 0;
    }
    uint32_t bits = 1;
    for (int round = 0; round < 1000000; ++round) {
        bits = bits * 1664525u + 1013904223u;
        float number;
        memcpy(&number, &bits, sizeof number);
        const _Float16 rounded = static_cast<_Float16>(number);
        uint16_t wanted;
        memcpy(&wanted, &rounded, sizeof wanted);
        differing += !std::isnan(number) && op::fp16_t(number).val != wanted;
    }
    printf("%ld differ\n", differing);
    fflush(stdout);
    std::vector<op::fp16_t> values = {1.5f, 2, 0.5};
    values[2] -= values[1] * op::fp16_t(0.5);
    std::cout << values[0] << " " << values[0] + op::fp16_t(1.5) << " " << int(values[0]) << " " << values[2] << "\n";
}
"""


def _headers(folder: Path, *operators: str) -> int:
    command = ["sdk", "build", "--release", "9.1.0", "--product", "910b", "--headers-only", "--out", str(folder)]
    return main([*command, *operators])
