"""The C rules from Python: operators built into a shared library, calls handed over as C structures."""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Sequence
from ctypes import (
    POINTER,
    Structure,
    Union,
    byref,
    c_char,
    c_char_p,
    c_double,
    c_int,
    c_int16,
    c_int32,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint64,
    c_void_p,
)
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opspec.cli.main import main
from opspec.codegen.rules.library import library_files, operator_path, runtime_files
from opspec.codegen.rules.operator import operator_file
from opspec.codegen.rules.vocabulary import product_numbers
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import Definition
from opspec.validator.verdict import Verdict
from opspec.vocabulary import dtypes, formats
from opspec.vocabulary.enforcement import REFUSED, UNCHECKED, UNKNOWN
from opspec.vocabulary.limits import MOST_RULES

WHOLE, REAL, BIG, NO_DATA = 0, 1, 6, 3
CFLAGS = "-O0 -Werror"  # compiling takes longer than all calls


class Number(Structure):
    class _As(Union):
        _fields_ = (("whole", c_int64), ("big", c_uint64), ("real", c_double))

    _fields_ = (("kind", c_int32), ("value", _As))


class Ints(Structure):
    _fields_ = (("items", POINTER(c_int64)), ("count", c_int64))


class Numbers(Structure):
    _fields_ = (("items", POINTER(Number)), ("count", c_int64))


class CTensor(Structure):
    _fields_ = (
        ("rank", c_int64), ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)), ("offset", c_int64),
        ("storage_shape", POINTER(c_int64)), ("storage_rank", c_int64), ("values", POINTER(Number)),
        ("value_count", c_int64), ("dtype", c_int32), ("format", c_int32), ("storage_format", c_int32),
        ("has_storage_format", ctypes.c_bool),
    )  # fmt: skip


class Pointers(Structure):
    _fields_ = (("items", POINTER(c_void_p)), ("count", c_int64))


class CScalar(Structure):
    _fields_ = (("value", Number), ("dtype", c_int32))


class Arg(Union):
    _fields_ = (("pointer", c_void_p), ("integer", c_int64), ("natural", c_uint64), ("real", c_double))


class Call(Structure):
    _fields_ = (("args", POINTER(Arg)), ("product", c_int32), ("member", c_int32))


class COperator(Structure):
    """As far as its functions."""

    _fields_ = (
        ("version", c_int32), ("name", c_char_p), ("release", c_char_p), ("params", c_void_p), ("rules", c_void_p),
        ("facts", c_void_p), ("support", c_void_p), ("param_count", c_int32), ("rule_count", c_int32),
        ("legal", ctypes.CFUNCTYPE(ctypes.c_bool, POINTER(Call))),
    )  # fmt: skip


class Undecided(Structure):
    _fields_ = (("rule", c_int16), ("because", c_int16), ("reason", c_int32))


class CVerdict(Structure):
    _fields_ = (
        ("status", c_int32), ("legal", ctypes.c_bool), ("limited", ctypes.c_bool), ("violation_count", c_int32),
        ("warning_count", c_int32), ("undecided_count", c_int32), ("decisive", c_int32), ("fault", c_char_p),
        ("fault_rule", c_int16),
        ("violations", c_int16 * MOST_RULES), ("refused", c_uint8 * MOST_RULES),
        ("unknown", c_uint8 * MOST_RULES), ("assumed", c_uint8 * MOST_RULES),
        ("warnings", c_int16 * (MOST_RULES + 1)), ("undecided", Undecided * MOST_RULES),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict as all back ends can say it: status, legal, rule ids in order; of violations, what becomes of such a
    call, and whether that is assumed."""

    code: int
    legal: bool
    violations: tuple[tuple[str, str, bool], ...]
    warnings: tuple[str, ...]
    undecided: tuple[str, ...]


def outcome_of(verdict: Verdict) -> Outcome:
    """What Python says."""
    lists = (verdict.warnings, verdict.undecided)
    violations = tuple((finding.rule, finding.enforcement or "", finding.assumed) for finding in verdict.violations)
    return Outcome(verdict.code, verdict.legal, violations, *(tuple(item.rule for item in one) for one in lists))


#: the name of a shared library of rules, in the folder that it is built in
LIBRARY = "libopspec_rules.so"


def build(folder: str, operators: Sequence[str], release: str = "9.1.0", flags: str = CFLAGS, cc: str = "cc") -> str:
    """The path of a shared library of operators."""
    assert main(["c", "--release", release, "--out", folder, *operators]) == 0
    return make(folder, flags, cc)


def build_definitions(folder: str, definitions: Sequence[Definition], flags: str = CFLAGS) -> str:
    """The path of a shared library of operators that are in no registry."""
    files = {operator_path("", one.name): operator_file(one) for one in definitions}
    files |= {**runtime_files(), **library_files({"": [one.name for one in definitions]})}
    for path, text in files.items():
        target = Path(folder, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return make(folder, flags)


def make(folder: str, flags: str = CFLAGS, cc: str = "cc") -> str:
    """The path of the shared library, built where the sources are."""
    command = ["make", "-s", "-j2", "-C", folder, f"CC={cc}", f"CFLAGS={flags}", LIBRARY]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    return os.path.join(folder, LIBRARY)


def _enforcement(verdict: CVerdict, place: int) -> str:
    return REFUSED if verdict.refused[place] else UNKNOWN if verdict.unknown[place] else UNCHECKED


class Library:
    """A built library; judges calls given as ``opspec.validator.convert`` types them."""

    def __init__(self, path: str) -> None:
        self._library = ctypes.CDLL(path)
        self._library.opspec_judge.argtypes = [c_void_p, POINTER(Call), POINTER(CVerdict)]
        self._library.opspec_say_call.argtypes = [c_void_p, POINTER(Call), c_char_p, c_size_t]
        self._library.opspec_say_call.restype = c_size_t
        self._library.opspec_say_rule.argtypes = [c_void_p, POINTER(Call), c_int, c_char_p, c_size_t]
        self._library.opspec_say_rule.restype = c_size_t
        self._verdict = CVerdict()
        self._products = product_numbers()
        self._found: dict[str, int] = {}

    def find(self, operator: str) -> int:
        """The address of an operator's description."""
        if operator not in self._found:
            self._found[operator] = ctypes.addressof(c_char.in_dll(self._library, f"opspec_{operator}"))
        return self._found[operator]

    def judge(
        self, operator: str, kinds: Sequence[str], args: Sequence[Any], product: str | None, member: str | None,
        rules: Sequence[str],
    ) -> tuple[Outcome, bool]:  # fmt: skip
        """The verdict, and whether a limit of the C library was met; ``rules`` are the ids in order."""
        keep: list[Any] = []
        return self.judged(operator, self.call(kinds, args, product, member, keep), rules)

    def judged(self, operator: str, call: Call, rules: Sequence[str]) -> tuple[Outcome, bool]:
        """The same of a call as C has it."""
        self._library.opspec_judge(self.find(operator), byref(call), byref(self._verdict))
        found = self._verdict
        outcome = Outcome(
            found.status,
            found.legal,
            tuple(
                (rules[found.violations[place]], _enforcement(found, place), bool(found.assumed[place]))
                for place in range(found.violation_count)
            ),
            tuple(rules[n] if n >= 0 else "product.unknown" for n in found.warnings[: found.warning_count]),
            tuple(rules[entry.rule] for entry in found.undecided[: found.undecided_count]),
        )
        return outcome, found.limited

    def at_once(self, operator: str, call: Call) -> bool:
        """Whether the operator's fast path decides that there is nothing to report of a call."""
        found = COperator.from_address(self.find(operator))
        return bool(found.legal(byref(call)))

    def call(
        self, kinds: Sequence[str], args: Sequence[Any], product: str | None, member: str | None,
        keep: list[Any] | Packed,
    ) -> Call:  # fmt: skip
        """A call as C has it; what it points to is valid as long as ``keep``."""
        arg = keep.arg if isinstance(keep, Packed) else lambda kind, value: _arg(kind, value, keep)
        packed = (Arg * max(len(args), 1))(*map(arg, kinds, args))
        numbers = self._products
        return Call(packed, numbers[product] if product else 0, numbers[member] if member else 0)

    def json(self, operator: str, call: Call, size: int | None = None) -> bytes:
        """A call as JSON; the first bytes of it when only ``size`` have room."""
        return self._said(self._library.opspec_say_call, self.find(operator), byref(call), size=size)

    def message(self, operator: str, call: Call, rule: int, size: int | None = None) -> bytes:
        """Why a call breaks a rule."""
        return self._said(self._library.opspec_say_rule, self.find(operator), byref(call), rule, size=size)

    @staticmethod
    def _said(function: Any, *words: Any, size: int | None) -> bytes:
        whole = function(*words, None, 0)
        room = whole + 1 if size is None else size
        buffer = ctypes.create_string_buffer(b"?" * (room + 1), room + 1)
        assert function(*words, buffer, room) == whole
        assert buffer.raw[room:] == b"?"  # nothing behind what there is room for
        return buffer.value

    def string(self, name: str, *words: Any) -> str | None:
        """What a function that gives a string gives."""
        function = self._library[name]
        function.restype = c_char_p
        found = function(*words)
        return None if found is None else found.decode()

    def number(self, name: str, *words: Any) -> int:
        """What a function that gives an int32 gives."""
        found: int = self._library[name](*words)
        return found


# --- arguments


class Packed:
    """Arguments as C has them, each made once: calls that are mutations of one have most of them in common."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], tuple[Arg, object]] = {}
        self._keep: list[Any] = []

    def arg(self, kind: str, value: object) -> Arg:
        """An argument; it is valid as long as this object."""
        key = (kind, id(value))
        if key not in self._known:
            self._known[key] = _arg(kind, value, self._keep), value  # with the value, so that its id stays its own
        return self._known[key][0]


def _arg(kind: str, value: Any, keep: list[Any]) -> Arg:
    arg = Arg()
    match kind:
        case "int" if value is not None:
            setattr(arg, "integer" if value < 2**63 else "natural", value)
        case "bool" | "dtype" if value is not None:
            arg.integer = dtypes.number(value) if kind == "dtype" else int(value)
        case "float" | "float32" if value is not None:
            arg.real = value
        case _ if value is not None:
            made = _object(kind, value, keep)
            keep.append(made)
            arg.pointer = ctypes.cast(made, c_void_p)
    return arg


def _object(kind: str, value: Any, keep: list[Any]) -> Any:
    match kind:
        case "tensor":
            return ctypes.pointer(_tensor(value, keep))
        case "scalar":
            return ctypes.pointer(_scalar(value))
        case "tensor_list" | "scalar_list":
            make = _tensor if kind == "tensor_list" else lambda item, _: _scalar(item)
            made = [None if item is None else make(item, keep) for item in value]
            keep.append(made)
            addresses = (c_void_p * len(made))(*(None if item is None else ctypes.addressof(item) for item in made))
            return ctypes.pointer(Pointers(addresses, len(made)))
        case "int_array" | "bool_array":
            return ctypes.pointer(Ints(_ints(value), len(value)))
        case "float_array":
            return ctypes.pointer(Numbers(_numbers(value), len(value)))
        case "string":
            return ctypes.create_string_buffer(value.encode())
        case _:
            return ctypes.create_string_buffer(1)


def _ints(items: Sequence[int]) -> Any:
    return (c_int64 * max(len(items), 1))(*items)


def _numbers(items: Sequence[Any]) -> Any:
    return (Number * max(len(items), 1))(*map(_number, items))


def _number(value: Any) -> Number:
    number = Number()
    if isinstance(value, float):
        number.kind = REAL
        number.value.real = value
    elif value is None or isinstance(value, complex):
        number.kind = NO_DATA
    else:
        number.kind = BIG if value >= 2**63 else WHOLE
        setattr(number.value, "big" if value >= 2**63 else "whole", value)
    return number


def _tensor(value: Tensor, keep: list[Any]) -> CTensor:
    made = CTensor(
        rank=len(value.shape), shape=_ints(value.shape), offset=value.offset, dtype=dtypes.number(value.dtype),
        format=formats.number(value.format),
    )  # fmt: skip
    if value.strides is not None:
        made.strides = _ints(value.strides)
    if value.storage_shape is not None:
        made.storage_shape = _ints(value.storage_shape)
        made.storage_rank = len(value.storage_shape)
    if value.storage_format is not None:
        made.storage_format = formats.number(value.storage_format)
        made.has_storage_format = True
    if value.values is not None:
        made.values = _numbers(value.values)
        made.value_count = len(value.values)
    return made


def _scalar(value: Scalar) -> CScalar:
    return CScalar(value=_number(value.value), dtype=dtypes.number(value.dtype))
