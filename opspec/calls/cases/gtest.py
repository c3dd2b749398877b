"""Cases as GoogleTest source: each calls the first phase and expects the status that the rules predict."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from opspec.calls.cases.made import Case
from opspec.calls.examples.call import tensors
from opspec.codegen import ctext, prototypes
from opspec.codegen.stubs.render import render
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import Definition, ParamDef
from opspec.model.derived import usual_header
from opspec.vocabulary import dtypes, formats, status

_ELEMENTS = {"int_array": "int64_t", "float_array": "float", "bool_array": "bool"}


def source(definition: Definition, product: str, cases: Iterable[Case]) -> str:
    """A source file of tests; C++17, for CANN's headers or those of the simulator's SDK.

    Cases that hang on values of tensors are left out (they lie on the device, where no first phase reads), and those
    whose storage has another format than the view: no function makes such a tensor.

    Raises:
        OpspecError: a name is no name in C.
    """
    entry = prototypes.entry(definition)
    kept = [case for case in cases if case.product == product and not any(map(_beyond, tensors(case.call)))]
    return render(
        "cases.gtest.cpp.j2",
        op=ctext.operator_name(definition.name),
        release=definition.spec.release,
        product=product,
        header=prototypes.header_path(entry, usual_header(definition.name)),
        suite=definition.name[0].upper() + definition.name[1:],
        tests=[_test(definition, case, name) for case, name in zip(kept, _names(kept), strict=True)],
    )


def _names(cases: Sequence[Case]) -> Iterator[str]:
    """Names in C, each once: ``x.format`` and ``x-format`` would have the same."""
    taken: Counter[str] = Counter()
    for case in cases:
        name = re.sub(r"[^A-Za-z0-9]+", "_", case.name)
        taken[name] += 1
        yield name if taken[name] == 1 else f"{name}_{taken[name]}"


def _test(definition: Definition, case: Case, name: str) -> dict[str, Any]:
    return {
        "name": name,
        "note": ctext.comment(case.note, 4),
        "arguments": [_argument(param, case.call[param.name]) for param in definition.params],
        "expect": status.number(case.expect),
        "status": case.expect,
    }


def _beyond(tensor: Tensor) -> bool:
    return bool(tensor.values) or tensor.storage_format not in (None, tensor.format)


def _argument(param: ParamDef, value: Any) -> str:
    if value is None:
        return "nullptr"
    match param.kind:
        case "tensor":
            return f"made.tensor({_tensor(value)})"
        case "tensor_list":
            items = ["nullptr" if item is None else f"made.element({_tensor(item)})" for item in value]
            return f"made.tensors({{{', '.join(items)}}})"
        case "scalar":
            return f"made.scalar({_scalar(value)})"
        case "scalar_list":
            items = ["nullptr" if item is None else f"made.scalarElement({_scalar(item)})" for item in value]
            return f"made.scalars({{{', '.join(items)}}})"
        case "int_array" | "float_array" | "bool_array":
            items = [_number(item, _ELEMENTS[param.kind] == "float") for item in value]
            name = {"int_array": "integers", "float_array": "floats", "bool_array": "booleans"}[param.kind]
            return f"made.{name}({{{', '.join(items)}}})"
        case "string":
            return f"made.text({ctext.string(value)})"
        case "dtype":
            return dtypes.enumerator(value)
        case "pointer":
            return f"static_cast<{param.ctype}>(made.anything())"
        case _:
            return _number(value, param.kind == "float32")


def _tensor(value: Tensor) -> str:
    parts = [_list(value.shape), dtypes.enumerator(value.dtype), formats.enumerator(value.format)]
    strided = value.strides is not None or value.offset or value.storage_shape is not None
    if strided:
        parts += [_list(value.strides or ()), str(value.offset), _list(value.storage_shape or ())]
    return ", ".join(parts)


def _list(items: Iterable[int]) -> str:
    return "{" + ", ".join(ctext.integer(item) for item in items) + "}"


def _scalar(value: Scalar) -> str:
    number = value.value if isinstance(value.value, (bool, int, float)) else 0
    kind = dtypes.kind(value.dtype)
    if kind in ("int", "uint", "bool"):
        return f"{dtypes.enumerator(value.dtype)}, {ctext.integer(int(number))}, 0.0"
    return f"{dtypes.enumerator(value.dtype)}, 0, {ctext.real(float(number))}"


def _number(value: Any, single: bool) -> str:
    if isinstance(value, bool):
        return ctext.boolean(value)
    if isinstance(value, float):
        return ctext.real(value, "F" if single else "")
    return ctext.integer(value)
