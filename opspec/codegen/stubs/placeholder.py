"""Arguments for the example program of an operator whose spec has no example.

They compile, and wait to be filled in.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

from opspec.codegen.stubs.words import spec_params
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import Definition, ParamDef
from opspec.model.sets import dtypes_on, formats_on
from opspec.model.spec import Param
from opspec.vocabulary import ctypes_, dtypes

#: kinds whose elements have a dtype
TYPED = ("tensor", "tensor_list", "scalar", "scalar_list")


def placeholders(definition: Definition) -> tuple[Any, ...]:
    """A typed argument for each param: one element or one number of a dtype that the spec names, null where it may."""
    written = spec_params(definition)
    return tuple(_placeholder(definition, param, written[param.name]) for param in definition.params)


def hints(definition: Definition) -> dict[str, str]:
    """Param -> what the spec asks of its argument, in a line."""
    written = spec_params(definition)
    return {param.name: _hint(definition, param, written[param.name]) for param in definition.params}


def _placeholder(definition: Definition, param: ParamDef, written: Param) -> Any:
    if param.nullable and param.pointer:
        return None
    taken = [name for name in _dtypes(definition, written) if dtypes.bits(name) is not None]
    layouts = _formats(definition, written)
    tensor = Tensor((1,), (taken or ["FLOAT"])[0], layouts[0] if layouts and "ND" not in layouts else "ND")
    scalar = Scalar(tensor.dtype, None)
    values: dict[str, Any] = {
        "tensor": tensor, "tensor_list": (tensor,), "scalar": scalar, "scalar_list": (scalar,), "int_array": (0,),
        "float_array": (0.0,), "bool_array": (False,), "int": 0, "float": 0.0, "float32": 0.0, "bool": False,
        "string": "", "dtype": "FLOAT",
    }  # fmt: skip
    return values[param.kind] if param.kind != "pointer" else _target(param)


def _target(param: ParamDef) -> Any:
    """Something to point to, unless only the library can make one."""
    ctype = ctypes_.parse(param.ctype)
    return None if ctype.pointer == 1 and ctype.base.startswith("acl") and ctype.base != "aclDataType" else True


def _hint(definition: Definition, param: ParamDef, written: Param) -> str:
    parts = [f"{param.name}: {param.ctype}"]
    if param.kind in TYPED:
        parts += [", ".join(_dtypes(definition, written)), ", ".join(_formats(definition, written))]
    # A list of cases says nothing without its conditions: those are for `opspec show`.
    said = {"rank": written.rank, "shape": written.shape, "range": written.range, "reserved for": written.reserved}
    parts += [f"{word} {text}" for word, text in said.items() if isinstance(text, str)]
    parts += [f"one of {', '.join(written.enum)}"] if isinstance(written.enum, dict) else []
    parts += ["may be NULL"] if param.nullable and param.pointer else []
    return "; ".join(filter(None, parts))


def _dtypes(definition: Definition, param: Param) -> list[str]:
    """The dtypes that a param takes on some product."""
    found = (dtypes_on(definition.spec, param, product).all for product in _products(definition))
    return list(dict.fromkeys(chain.from_iterable(found)))


def _formats(definition: Definition, param: Param) -> list[str]:
    """The formats that a param takes on some product."""
    found = (formats_on(definition.spec, param, product).all for product in _products(definition))
    return list(dict.fromkeys(chain.from_iterable(found)))


def _products(definition: Definition) -> list[str]:
    return [product for product, support in definition.spec.products.items() if support != "no"]
