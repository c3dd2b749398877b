"""Promises of the dtype vocabulary: every spelling finds its dtype, nothing else does, and errors help."""

from __future__ import annotations

from typing import Any

import pytest

from opspec.errors import OpspecError
from opspec.vocabulary import dtypes
from opspec.vocabulary.tables import table
from tests.paths import needs_shared
from tests.vocabulary import absurd
from tests.vocabulary.pages import REPOSITORIES, context, rows


@needs_shared
@pytest.mark.parametrize("repository", REPOSITORIES)
def test_the_page_of_short_names_agrees_both_ways(repository: str) -> None:
    """Each row's enumerator and spellings are one dtype; the page has all of ours but the undefined one."""
    page = [row for row in rows(context(repository, "数据类型")) if row[0].startswith("ACL_")]
    found = {}
    for enumerator, spellings in page:
        names = {dtypes.canonical(spelling) for spelling in (enumerator, *spellings.split("或"))}
        assert len(names) == 1, (enumerator, spellings)
        name = names.pop()
        assert name in spellings.split("或"), "the canonical name is a spelling of the page"
        found[enumerator] = name
    ours = {row["enum"]: row["name"] for row in table("dtypes")["dtypes"] if row["kind"] != "undefined"}
    assert found == ours


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("FLOAT32", "FLOAT"), ("float64", "DOUBLE"), ("bf16", "BFLOAT16"), ("BFloat16", "BFLOAT16"),
        ("half", "FLOAT16"), ("ACL_BF16", "BFLOAT16"), ("DT_BF16", "BFLOAT16"), ("dt_float", "FLOAT"),
        ("undefined", "DT_UNDEFINED"), ("ACL_DT_UNDEFINED", "DT_UNDEFINED"), ("torch.float16", "FLOAT16"),
        ("torch.float", "FLOAT"), ("torch.long", "INT64"), ("torch.int", "INT32"), ("torch.bool", "BOOL"),
        ("float8_e4m3fn", "FLOAT8_E4M3FN"), ("torch.float8_e8m0fnu", "FLOAT8_E8M0"), ("complex64", "COMPLEX64"),
        ("torch.cfloat", "COMPLEX64"), ("np.float32", "FLOAT"), ("numpy.bool_", "BOOL"), ("np.float_", "DOUBLE"),
        (" int8 ", "INT8"), ("FP32", "FLOAT"),
    ],
)  # fmt: skip
def test_spellings_of_pages_and_frameworks(spelling: str, name: str) -> None:
    assert dtypes.canonical(spelling) == name


@pytest.mark.parametrize("spelling", ["int", "long", "np.int_", "torch.float4_e2m1fn_x2", "FLOAT8", "INT7", "BF"])
def test_what_means_no_single_dtype_is_refused(spelling: str) -> None:
    """torch's and NumPy's int differ, an x2 type packs two elements, FLOAT8 is a family."""
    with pytest.raises(OpspecError, match="unknown dtype"):
        dtypes.canonical(spelling)


def test_names_numbers_and_spellings_round_trip() -> None:
    for name in dtypes.names():
        assert (
            dtypes.canonical(name) == dtypes.canonical(name.lower()) == dtypes.from_number(dtypes.number(name)) == name
        )
    assert set(dtypes.aliases().values()) == set(dtypes.names())
    assert all(alias == alias.lower() and dtypes.canonical(alias) == name for alias, name in dtypes.aliases().items())
    assert list(map(dtypes.number, dtypes.names())) == sorted(map(dtypes.number, dtypes.names()))


def test_no_spelling_stands_for_two_dtypes() -> None:
    spellings = [
        spelling
        for row in table("dtypes")["dtypes"]
        for spelling in {s.lower() for s in (row["name"], row["enum"], *row["aliases"])}
    ]
    assert len(spellings) == len(set(spellings))


def test_widths_and_kinds_follow_from_the_names() -> None:
    """The digits of a name are its width, its letters its kind; what has no digits is listed here."""
    other = {"FLOAT": (32, "float"), "DOUBLE": (64, "float"), "BOOL": (8, "bool"), "STRING": (None, "string")}
    other["DT_UNDEFINED"] = (None, "undefined")
    for name in dtypes.names():
        word = name.split("_E")[0]
        digits = word.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ_")
        letters = word.removesuffix(digits)
        kind = {"BFLOAT": "float", "HIFLOAT": "float"}.get(letters, letters.lower())
        assert (dtypes.bits(name), dtypes.kind(name)) == other.get(name, (int(digits or 0), kind)), name


@pytest.mark.parametrize("value", absurd.NAMES)
def test_absurd_names_end_as_one_error(value: Any) -> None:
    for function in (dtypes.canonical, dtypes.number, dtypes.bits, dtypes.kind):
        with pytest.raises(OpspecError) as caught:
            function(value)
        assert len(str(caught.value)) < 400


@pytest.mark.parametrize("value", [5, -2, 42, *absurd.NUMBERS])
def test_numbers_that_no_dtype_has(value: Any) -> None:
    with pytest.raises(OpspecError, match="no dtype has the number"):
        dtypes.from_number(value)


def test_an_error_names_the_nearest_spelling() -> None:
    with pytest.raises(OpspecError, match="did you mean 'BFLOAT16'"):
        dtypes.canonical("BFLOT16")


def _integers(name: str) -> range | None:
    kind, bits = dtypes.kind(name), dtypes.bits(name)
    if kind not in ("int", "uint") or bits is None:
        return None
    return range(2**bits) if kind == "uint" else range(-(2 ** (bits - 1)), 2 ** (bits - 1))


def test_nothing_is_lost_where_every_value_of_one_dtype_is_one_of_the_other() -> None:
    """Of integers by their ranges; of the others by what floating-point formats hold."""
    for old in dtypes.names():
        assert dtypes.lost(old, old) is None
        assert dtypes.lost("BOOL", old) is None
        for new in dtypes.names():
            lost, one, other = dtypes.lost(old, new), _integers(old), _integers(new)
            assert lost in (None, *dtypes.LOSSES)
            if one is not None and other is not None:
                assert (lost is None) is (one[0] in other and one[-1] in other)
            if lost is None and one is not None and dtypes.kind(new) in ("float", "complex"):
                assert max(abs(one[0]), one[-1]).bit_length() <= table_digits(new) + 1


def table_digits(name: str) -> int:
    (row,) = [row for row in table("dtypes")["dtypes"] if row["name"] == name]
    digits: int = row["digits"]
    return digits


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ("COMPLEX64", "DOUBLE", "imaginary"), ("COMPLEX64", "INT8", "imaginary"), ("COMPLEX128", "COMPLEX64", "values"),
        ("DOUBLE", "COMPLEX64", "values"), ("FLOAT", "COMPLEX64", None), ("FLOAT16", "BFLOAT16", "values"),
        ("BFLOAT16", "FLOAT16", "values"), ("BFLOAT16", "FLOAT", None), ("FLOAT", "INT64", "fraction"),
        ("INT32", "FLOAT", "values"), ("INT32", "DOUBLE", None), ("INT8", "BFLOAT16", None), ("INT64", "BOOL", "truth"),
        ("INT8", "UINT8", "sign"), ("UINT8", "INT8", "values"), ("FLOAT8_E5M2", "FLOAT16", None),
        ("FLOAT8_E8M0", "FLOAT16", "values"), ("torch.float", "half", "values"), ("STRING", "FLOAT", None),
    ],
)  # fmt: skip
def test_what_a_cast_loses_is_known(old: str, new: str, lost: str | None) -> None:
    assert dtypes.lost(old, new) == lost
