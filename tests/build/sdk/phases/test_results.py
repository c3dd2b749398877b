"""Promise: functions of one phase write what their specs' results say, as the pages' examples have it."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ctypes import POINTER, byref, c_int, c_int64, c_uint64, c_void_p
from pathlib import Path

import pytest

from opspec.codegen.rules.vocabulary import product_numbers
from opspec.language import interpret
from opspec.language.values import Tensor
from opspec.model.definition import Definition
from opspec.registry.registry import Registry, definition_of
from opspec.vocabulary import dtypes, formats
from tests.build.sdk.phases.build import build
from tests.committed import MANY

MATMUL, MATMUL_V2 = "aclnnCalculateMatmulWeightSize", "aclnnCalculateMatmulWeightSizeV2"
CONVOLUTION, SPARSE, QUANT = "aclnnCalculateConvolutionWeightSize", "aclnnTransSparse4to2Para", "aclnnTransQuantParam"
CAST = "aclnnNpuFormatCast"
SUCCESS, NULLPTR, INVALID, RUNTIME = 0, 161001, 161002, 361001


def definition(name: str) -> Definition:
    return definition_of(Registry().find(name, "9.1.0"))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The functions, in a library with libnnopbase and a stand-in for the rest."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    folder = tmp_path_factory.mktemp("results")
    operators = (MATMUL, MATMUL_V2, CONVOLUTION, SPARSE, QUANT, CAST)
    found = ctypes.CDLL(str(build(folder, "gcc", ("-fPIC", "-shared"), None, operators)))
    for name in ("aclCreateIntArray", "aclCreateTensor"):
        getattr(found, name).restype = c_void_p
    return found


def int_array(library: ctypes.CDLL, values: Sequence[int]) -> c_void_p:
    return c_void_p(library.aclCreateIntArray((c_int64 * len(values))(*values), c_uint64(len(values))))


def expected(of: Definition, args: dict[str, object], product: str = "910b") -> dict[str, object]:
    """The results, by the interpreter of the rule language."""
    env = interpret.Env(args, of.lets, product)
    return {name: interpret.evaluate(node, env) for name, node in of.results.items()}


@contextmanager
def product(library: ctypes.CDLL, name: str) -> Iterator[None]:
    """What the simulator plays, meanwhile."""
    played = ctypes.c_int32.in_dll(library, "world_product")
    before, played.value = played.value, product_numbers()[name]
    yield
    played.value = before


def weight_size(library: ctypes.CDLL, function: str, shape: Sequence[int], *more: object) -> tuple[int, int]:
    size = c_uint64(7)
    status = getattr(library, function)(int_array(library, shape), *more, byref(size))
    return status, size.value


def test_documented_sizes(library: ctypes.CDLL) -> None:
    half, byte = c_int(dtypes.number("FLOAT16")), c_int(dtypes.number("INT8"))
    assert weight_size(library, MATMUL, [510, 510]) == (SUCCESS, 262144)
    assert weight_size(library, MATMUL_V2, [510, 510], half) == (SUCCESS, 262144)
    assert weight_size(library, MATMUL_V2, [510, 270], byte) == (SUCCESS, 147456)
    with product(library, "310p"):
        found = weight_size(library, CONVOLUTION, [2, 4, 8, 8], ctypes.c_bool(False), c_int64(1), half)
        assert found == (SUCCESS, 16384)
        found = weight_size(library, CONVOLUTION, [2, 0, 8, 8], ctypes.c_bool(False), c_int64(1), half)
        assert found == (SUCCESS, 0)
        found = weight_size(library, CONVOLUTION, [32, 1, 3, 3], ctypes.c_bool(False), c_int64(32), half)
        assert found == (SUCCESS, 2 * 9 * 16 * 16)  # 16 groups of (1, 1) channels fill a block


def test_refused(library: ctypes.CDLL) -> None:
    half = c_int(dtypes.number("FLOAT16"))
    assert weight_size(library, MATMUL, [510]) == (INVALID, 7)
    assert weight_size(library, MATMUL_V2, [2**62, 2**62], half) == (INVALID, 7)
    assert getattr(library, MATMUL)(None, byref(c_uint64())) == NULLPTR
    assert getattr(library, MATMUL)(int_array(library, [2, 2]), None) == NULLPTR


def test_sizes_as_the_interpreter_has_them(library: ctypes.CDLL) -> None:
    rng = random.Random(5)
    for _ in range(50 * MANY):
        shape = tuple(rng.randint(1, 300) for _ in range(rng.randint(2, 6)))
        dtype = rng.choice(["FLOAT16", "BFLOAT16", "INT8"])
        found = weight_size(library, MATMUL_V2, shape, c_int(dtypes.number(dtype)))
        wanted = expected(definition(MATMUL_V2), {"tensorShape": shape, "dataType": dtype})
        assert found == (SUCCESS, wanted["weightTensorSize"]), (shape, dtype)


def test_arrays_of_the_caller(library: ctypes.CDLL) -> None:
    dense, index = POINTER(ctypes.c_int8)(), POINTER(ctypes.c_uint8)()
    dims, index_dims, count, index_count = POINTER(c_int64)(), POINTER(c_int64)(), c_uint64(), c_uint64()
    weight = (ctypes.c_int8 * 1)()
    outputs = [byref(one) for one in (dense, dims, count, index, index_dims, index_count)]
    assert getattr(library, SPARSE)(weight, int_array(library, [20, 72]), *outputs) == SUCCESS
    assert (dims[: count.value], index_dims[: index_count.value]) == ([2, 2, 16, 32], [2, 2, 16, 8])
    assert dense[0] == dense[2 * 2 * 16 * 32 - 1] == index[2 * 2 * 16 * 8 - 1] == 0x5A
    quantum, size = POINTER(c_uint64)(), c_uint64()
    floats = (ctypes.c_float * 3)()
    found = getattr(library, QUANT)(floats, c_uint64(3), floats, c_uint64(1), byref(quantum), byref(size))
    assert (found, size.value, quantum[15]) == (SUCCESS, 16, 0x5A5A5A5A5A5A5A5A)
    for scales, padded in ((1, 1), (16, 16), (17, 32)):
        found = getattr(library, QUANT)(floats, c_uint64(scales), None, c_uint64(0), byref(quantum), byref(size))
        assert (found, size.value) == (SUCCESS, padded)


#: shape and format of a tensor, the format that is asked for -> the shape, with blocks of FLOAT16
CASTS = [
    ((2, 33, 40), "ND", "FRACTAL_NZ", (2, 3, 3, 16, 16)),
    ((2, 33, 40), "FRACTAL_NZ", "ND", (2, 33, 40)),
    ((2, 17, 5, 6), "NCHW", "NC1HWC0", (2, 2, 5, 6, 16)),
    ((2, 5, 6, 17), "NHWC", "NC1HWC0", (2, 2, 5, 6, 16)),
    ((20, 17, 5, 6), "NCHW", "FRACTAL_Z", (60, 2, 16, 16)),
    ((5, 6, 17, 20), "HWCN", "FRACTAL_Z", (60, 2, 16, 16)),
    ((20, 17, 3, 5, 6), "NCDHW", "NDC1HWC0", (20, 3, 2, 5, 6, 16)),
    ((20, 3, 5, 6, 17), "NDHWC", "NDC1HWC0", (20, 3, 2, 5, 6, 16)),
    ((20, 17, 3, 5, 6), "NCDHW", "FRACTAL_Z_3D", (180, 2, 16, 16)),
]


@pytest.mark.parametrize(("shape", "source", "target", "wanted"), CASTS)
def test_format_cast(
    library: ctypes.CDLL, shape: tuple[int, ...], source: str, target: str, wanted: tuple[int, ...]
) -> None:
    status, found = cast(library, shape, "FLOAT16", source, target, "FLOAT16")
    assert (status, found) == (SUCCESS, (wanted, target))
    (helper,) = definition(CAST).helpers
    args = {
        "srcTensor": Tensor(shape, "FLOAT16", source), "dstFormat": formats.number(target), "additionalDtype": 1,
    }  # fmt: skip
    result = expected(helper, args)
    assert result == {
        "dstShape": wanted, "dstShapeSize": len(wanted), "actualFormat": formats.number(target),
    }  # fmt: skip


def test_format_cast_refused(library: ctypes.CDLL) -> None:
    assert cast(library, (2, 3), "FLOAT16", "ND", "NC1HWC0", "FLOAT16")[0] == RUNTIME
    assert cast(library, (2, 3), "DOUBLE", "ND", "FRACTAL_NZ", "FLOAT16")[0] == INVALID
    assert cast(library, (2, 3), "FLOAT16", "ND", "FRACTAL_NZ", "DOUBLE")[0] == INVALID
    assert library.aclnnNpuFormatCastCalculateSizeAndFormat(None, 29, 1, None, None, None) == NULLPTR


@pytest.mark.parametrize(
    ("dtype", "additional", "wanted", "c0"),
    [
        ("FLOAT", "FLOAT16", "FRACTAL_NZ_C0_16", 16),
        ("INT32", "BFLOAT16", "FRACTAL_NZ_C0_16", 16),
        ("FLOAT", "FLOAT8_E4M3FN", "FRACTAL_NZ_C0_32", 32),
        ("FLOAT16", "FLOAT16", "FRACTAL_NZ", 16),
        ("FLOAT4_E2M1", "FLOAT4_E2M1", "FRACTAL_NZ", 64),
    ],
)
def test_format_cast_to_actual_formats(library: ctypes.CDLL, dtype: str, additional: str, wanted: str, c0: int) -> None:
    with product(library, "950"):
        found = cast(library, (32, 64), dtype, "ND", "FRACTAL_NZ", additional)
    assert found == (SUCCESS, ((64 // c0, 2, 16, c0), wanted))


def cast(
    library: ctypes.CDLL, shape: Sequence[int], dtype: str, source: str, target: str, additional: str
) -> tuple[int, tuple[tuple[int, ...], str] | None]:
    dims = (c_int64 * len(shape))(*shape)
    rank = c_uint64(len(shape))
    tensor = c_void_p(
        library.aclCreateTensor(
            dims, rank, dtypes.number(dtype), None, c_int64(0), formats.number(source), dims, rank, None
        )
    )
    found, count, actual = POINTER(c_int64)(), c_uint64(), c_int()
    status = library.aclnnNpuFormatCastCalculateSizeAndFormat(
        tensor, formats.number(target), dtypes.number(additional), byref(found), byref(count), byref(actual)
    )
    if status != SUCCESS:
        return status, None
    names = {formats.number(name): name for name in formats.names()}
    return status, (tuple(found[: count.value]), names[actual.value])


def test_helper_program(tmp_path: Path) -> None:
    """A header declares the function beside the operator, and a program that calls it compiles."""
    program = build(tmp_path, "gcc", ("-fsanitize=address,undefined",), "results_main.c", (MATMUL, CAST))
    assert subprocess.run([program], capture_output=True, text=True).stdout == "262144 4\n"
