"""Promises: a call that C writes as JSON is the same call when Python reads it; C has the vocabulary's names."""

from __future__ import annotations

import ctypes
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from opspec.codegen.rules.vocabulary import product_numbers
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import Definition
from opspec.registry.registry import Registry, definition_of
from opspec.validator.arguments import arguments
from opspec.validator.convert import INT64_MAX, INT64_MIN
from opspec.validator.files import RawCall, json_value
from opspec.validator.read import call as call_of
from opspec.vocabulary import dtypes, formats, products, status
from opspec.vocabulary.enforcement import REFUSED
from tests.codegen.rules.differential import generated
from tests.codegen.rules.native import LIBRARY, CTensor, Library, Pointers, build_definitions
from tests.committed import MANY
from tests.language import expressions as random_
from tests.language.differential import form_of
from tests.once import once

RELEASE = "9.1.0"
REGISTRY = Registry()
OPERATORS = ("aclnnAdd", "aclnnCat", "aclnnFlashAttentionScoreV4", "aclnnForeachAddcdivScalarList", "aclnnAddr")

KINDS = {
    "t": "tensor", "ts": "tensor_list", "s": "scalar", "ss": "scalar_list", "xs": "int_array", "bs": "bool_array",
    "fs": "float_array", "c": "string", "p": "pointer", "i": "int", "n": "int", "b": "bool", "d": "dtype",
    "f": "float", "g": "float32",
}  # fmt: skip


def one_of_each() -> Definition:
    """An operator with a param of each kind and no rules."""
    some = random_.operator(random_.seeded(1))
    plain = some.params[0]
    params = []
    for name, kind in KINDS.items():
        low, high = (0, 2**64 - 1) if name == "n" else (None, None)
        pointer = kind not in ("int", "bool", "dtype", "float", "float32")
        ctype = "const aclTensor*" if pointer else "int64_t"
        params.append(replace(plain, name=name, kind=kind, ctype=ctype, low=low, high=high, spellings=()))
    return Definition("aclnnEach", some.spec, tuple(params), {}, {})


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """Some operators of the registry, and one with a param of each kind; compiled once for all workers."""
    definitions = [*(definition_of(REGISTRY.find(name, RELEASE)) for name in OPERATORS), one_of_each()]
    folder = once(tmp_path_factory, "rules-that-speak", lambda folder: build_definitions(str(folder), definitions))
    return Library(str(folder / LIBRARY))


FIRST: dict[str, Any] = {
    "t": Tensor((2, 3), "FLOAT"), "ts": (Tensor((), "INT8"), None), "s": Scalar("FLOAT", 1.5), "ss": (), "xs": (1, 2),
    "bs": (True, False), "fs": (0.5,), "c": "text", "p": True, "i": -1, "n": 3, "b": True, "d": "FLOAT16", "f": 0.1,
    "g": 0.5,
}  # fmt: skip

WHOLE = (INT64_MIN, INT64_MAX, 0)
REALS = (float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 5e-324, 1.7976931348623157e308, 1e22, 1e16,
         123456789012345680.0, 0.0001, 0.00001, 1e-7, 0.1, 1 / 3, 2.0**63)  # fmt: skip
ODD: tuple[tuple[str, Any], ...] = (
    *((name, None) for name in ("t", "ts", "s", "ss", "xs", "bs", "fs", "c", "p")),
    *(("i", number) for number in WHOLE),
    *(("n", number) for number in (0, 2**63, 2**64 - 1)),
    *(("f", number) for number in REALS),
    *(("s", Scalar("DOUBLE", number)) for number in (*REALS, 2**64 - 1, INT64_MIN, None)),
    ("t", Tensor((0, INT64_MAX), "INT4", "NCHW", strides=(0, INT64_MIN), offset=-1, storage_shape=())),
    ("t", Tensor((1,), "INT4", "NCHW", storage_shape=(4, 5), storage_format="NC1HWC0")),
    ("t", Tensor((len(REALS),), "FLOAT", values=REALS)),
    ("t", Tensor((2,), "UINT64", values=(2**64 - 1, True))),
    ("t", Tensor((1,) * 1024, "BOOL")),
    ("t", Tensor((0,), "INT64", values=())),
    *(("c", text) for text in ("", '"', "\\", "a\tb\n\x01\x1f\x7f", "中文 \U0001f600 é", "%s%n", "x" * 4095)),
    ("xs", ()), ("xs", WHOLE), ("bs", ()), ("fs", (float("nan"), 0.10000000149011612)), ("d", "DT_UNDEFINED"),
)  # fmt: skip


def read(text: bytes, params: Sequence[Any]) -> tuple[Any, ...]:
    """The typed arguments of a call that was written."""
    data = json_value(text.decode())
    assert isinstance(data, dict)
    found = call_of(RawCall(1, "", data))
    return arguments(found.op, params, found.args)


def told(value: Any) -> Any:
    """A value that can be compared: NaN is itself, a boolean among numbers a number; complex values are not carried."""
    if isinstance(value, Tensor):
        facets = {name: getattr(value, name) for name in Tensor.__slots__}
        if value.dtype.startswith("COMPLEX"):
            facets["values"] = None
        return {name: told(facet) for name, facet in facets.items()}
    if isinstance(value, Scalar):
        number = None if isinstance(value.value, complex) else value.value
        if isinstance(number, float) and dtypes.kind(value.dtype) != "float" and number == number // 1:
            number = int(number)  # the reader does so, too
        return value.dtype, told(number)
    if isinstance(value, tuple):
        return [told(item) for item in value]
    return repr(int(value) if isinstance(value, bool) else value)


def forms(definition: Definition) -> tuple[Any, ...]:
    """What the reader needs to know of the params."""
    return tuple(form_of(definition).params)


@pytest.mark.parametrize(("name", "value"), ODD)
def test_a_written_call_reads_back(library: Library, name: str, value: Any) -> None:
    args = {**FIRST, name: value}
    keep: list[Any] = []
    call = library.call(list(KINDS.values()), tuple(args.values()), "910b", None, keep)
    text = library.json("aclnnEach", call)
    assert told(read(text, forms(one_of_each()))) == told(tuple(args.values())), text
    assert json.loads(text)["product"] == "910b"
    assert "unknown" not in json.loads(text)


def _beyond(scalar: Scalar) -> bool:
    """Whether a scalar has a number that none of its dtype can hold."""
    number = scalar.value
    is_odd = isinstance(number, float) and (number == 1e300 or not math.isfinite(number))
    return is_odd and dtypes.kind(scalar.dtype) in ("int", "uint")


def test_generated_calls_read_back(library: Library) -> None:
    count = 0
    for name in OPERATORS:
        form = REGISTRY.form(name, RELEASE)
        definition = definition_of(REGISTRY.find(name, RELEASE))
        kinds = [param.kind for param in definition.params]
        for call, product in generated(definition, form, seeds=2, mutations=100 * MANY):
            keep: list[Any] = []
            args = tuple(call[param.name] for param in definition.params)
            text = library.json(name, library.call(kinds, args, *product, keep))
            if any(isinstance(value, Scalar) and _beyond(value) for value in args):
                continue  # no scalar of an integer dtype can hold it, and the reader says so
            assert told(read(text, form.params)) == told(args), text
            assert json.loads(text).get("product") == (product[1] or product[0])
            count += 1
    assert count > 400


def test_bytes_that_are_no_text(library: Library) -> None:
    keep: list[Any] = []
    call = library.call(list(KINDS.values()), tuple(FIRST.values()), None, None, keep)
    place = list(KINDS).index("c")
    for raw, shown in (
        (b"a\xffb", "a\ufffdb"), (b"\xc3", "\ufffd"), (b"\xc0\x80", "\ufffd\ufffd"), (b"\xed\xa0\x80", "\ufffd" * 3),
        (b"\xf4\x90\x80\x80", "\ufffd" * 4), (b"\xe4\xb8", "\ufffd\ufffd"), (b"\xf0\x9f\x98\x80", "\U0001f600"),
    ):  # fmt: skip
        buffer = ctypes.create_string_buffer(raw)
        call.args[place].pointer = ctypes.cast(buffer, ctypes.c_void_p)
        assert json.loads(library.json("aclnnEach", call))["args"]["c"] == shown
    endless = ctypes.create_string_buffer(b"x" * 4096, 4096)
    call.args[place].pointer = ctypes.cast(endless, ctypes.c_void_p)
    written = json.loads(library.json("aclnnEach", call))
    assert written["unknown"] == ["c"]
    assert "c" not in written["args"]


def test_what_is_not_known_is_named(library: Library) -> None:
    keep: list[Any] = []
    call = library.call(list(KINDS.values()), tuple(FIRST.values()), None, None, keep)
    tensor = CTensor(rank=-3)
    listed = Pointers((ctypes.c_void_p * 2)(None, ctypes.addressof(tensor)), 2)
    call.args[0].pointer = ctypes.addressof(tensor)
    call.args[1].pointer = ctypes.addressof(listed)
    written = json.loads(library.json("aclnnEach", call))
    assert written["unknown"] == ["t", "ts"]
    assert set(written["args"]) == set(KINDS) - {"t", "ts"}


def test_a_short_buffer_ends_at_a_character(library: Library) -> None:
    keep: list[Any] = []
    args = {**FIRST, "c": "中文" * 10}
    call = library.call(list(KINDS.values()), tuple(args.values()), "910b", None, keep)
    whole = library.json("aclnnEach", call)
    for size in range(len(whole) + 2):
        part = library.json("aclnnEach", call, size) if size else b""
        assert whole.startswith(part)
        assert len(part) > size - 5 or len(part) == len(whole)
        part.decode()


def test_names(library: Library) -> None:
    for words, function in ((dtypes, "opspec_dtype_name"), (formats, "opspec_format_name")):
        for name in words.names():
            assert library.string(function, words.number(name)) == name
        assert library.string(function, 12345) is None
    for name in status.names():
        assert library.string("opspec_status_name", status.number(name)) == name
    assert library.string("opspec_status_name", 77) is None
    for name, number in product_numbers().items():
        assert library.string("opspec_product_name", number) == name
        assert library.number("opspec_product_id", number) == product_numbers()[products.owner(name)]
    assert [library.number("opspec_product_id", number) for number in (-1, 0, 99)] == [0, 0, 0]


def test_products_by_name(library: Library) -> None:
    known = [*products.aliases(), "Ascend910B1", "ASCEND 910-b2", "Ascend910_9391", "Ascend950PR_9599"]
    for name in (*known, "Ascend910_95é1", "Ascend950PR_959", "", "A9", "x" * 5000, "Ascend"):
        found = products.resolve(name) if name in known else None
        expected = product_numbers()[found[1] or found[0]] if found else 0
        assert library.number("opspec_product_of", name.encode()) == expected, name
        is_soc = name.lower().startswith("ascend")
        assert library.number("opspec_product_of_soc", name.encode()) == (expected if is_soc else 0), name


def test_unknown_arguments_leave_their_rules_undecided(library: Library) -> None:
    """Rules that read such an argument are undecided; whether it is there is known, and other rules are as ever."""
    definition = definition_of(REGISTRY.find("aclnnAdd", RELEASE))
    rules = [rule.id for rule in definition.rules]
    args = [Tensor((2,), "FLOAT"), Tensor((2,), "FLOAT"), Scalar("FLOAT", 1.0), Tensor((2,), "FLOAT", "NC1HWC0")]
    kinds = [param.kind for param in definition.params]
    keep: list[Any] = []
    call = library.call(kinds, args, "910b", None, keep)
    tensor = CTensor(rank=-3)
    call.args[0].pointer = ctypes.addressof(tensor)
    outcome, limited = library.judged("aclnnAdd", call, rules)
    assert not limited
    assert outcome.code == 0
    reading = {
        rule.id
        for rule in definition.rules
        if any(name == "self" and facet != "presence" for name, facet in definition.facts(rule.check))
        or "self" in definition.guarded_by(rule)
    }
    assert set(outcome.undecided) == reading
    assert "out.private-format" in [rule for rule, found, _ in outcome.violations if found != REFUSED]
    call.args[0].pointer = None
    assert library.judged("aclnnAdd", call, rules)[0].code == status.NULLPTR
