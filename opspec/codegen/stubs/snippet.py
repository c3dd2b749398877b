"""A call of an operator in a few lines of C, with the stub's header and code: what a page shows."""

from __future__ import annotations

import textwrap
from typing import Any

from opspec.codegen import ctext
from opspec.codegen.stubs import names
from opspec.codegen.stubs.call import members_of
from opspec.codegen.stubs.example import CONSTANTS, plain, typed_arguments
from opspec.codegen.stubs.storage import literal, storage_of
from opspec.errors import OpspecError
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import Definition, ParamDef
from opspec.vocabulary import dtypes, formats
from opspec.vocabulary.shapes import contiguous_strides

_WIDTH = 100  # of a line that C may break
_KEPT = "\xa0"  # a space at which no line breaks
#: gives the operator the workspace that its first phase asks for
_ALLOCATE = """\
static void *allocate(size_t bytes, void *memory) // called where a workspace is needed
{
    return aclrtMalloc(memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST) == 0 ? *(void **)memory : NULL;
}"""
_END = """\
    }, stream, allocate, &memory);
    status = status ? status : aclrtSynchronizeStream(stream);
    if (memory) {
        aclrtFree(memory);
    }
    return status;
}"""


def snippet(definition: Definition, args: dict[str, Any]) -> str | None:
    """A function that makes the call, an argument a line; tensors' data are device memory that it is given, named like
    the params. None where the call has no such form: a function of one phase, a tensor that is not laid out in rows, a
    pointer.

    Args:
        args: JSON values by param name.

    Raises:
        OpspecError: the arguments do not fit the params.
    """
    if definition.spec.interface != "two-phase" or definition.spec.partial is not None:
        return None
    lines: list[str] = []
    data: list[str] = []
    try:
        for param, member, value in zip(
            definition.params, members_of(definition), typed_arguments(definition, args), strict=True
        ):
            if value is not None:
                lines.append(f"        .{member.member} = {_argument(param, member.local, value)},")
                data += _data(member.local, value)
    except OpspecError:
        return None
    name = definition.name
    file, stem = names.file_stem(name), names.stem(name)
    given = ", ".join([*(f"void{_KEPT}*{one}" for one in data), f"aclrtStream{_KEPT}stream"])
    head = textwrap.fill(f"int{_KEPT}run{stem}({given})", _WIDTH, subsequent_indent="    ", break_long_words=False)
    return "\n".join((
        f"// C99. {file}.h and {file}.c, which calls both phases, come from: opspec stub {name} --out .",
        f'#include "{file}.h"\n',
        f"{_ALLOCATE}\n",
        *(["// The tensors' data: addresses in device memory."] if data else []),
        head.replace(_KEPT, " "),
        "{\n    void *memory = NULL;",
        f"    int status = {names.call_name(name)}(&({names.arguments_name(name)}){{",
        *lines,
        _END,
    ))  # fmt: skip


def _data(name: str, value: Any) -> list[str]:
    """The names of the device memory of an argument's tensors."""
    if isinstance(value, tuple):
        return [f"{name}_{i}" for i, item in enumerate(value) if isinstance(item, Tensor)]
    return [name] if isinstance(value, Tensor) else []


def _argument(param: ParamDef, name: str, value: Any) -> str:
    match param.kind:
        case "tensor":
            return _tensor(name, value)
        case "tensor_list":
            items = [_tensor(f"{name}_{i}", item) if item else "NULL" for i, item in enumerate(value)]
            return _listed("OP_TENSORS", "OpTensorList", items)
        case "scalar":
            return _scalar(value)
        case "scalar_list":
            return _listed("OP_SCALARS", "OpScalarList", [_scalar(item) for item in value])
        case "int_array" | "float_array" | "bool_array":
            own = names.OWN[param.kind]
            return _listed(f"OP_{own[2:].upper()}", own, [CONSTANTS[param.kind](item) for item in value])
        case "string":
            return ctext.string(value)
        case "pointer":
            raise OpspecError("a pointer has no form in a few lines", where=param.name)
    return plain(param, value)


def _listed(macro: str, struct: str, items: list[str]) -> str:
    return f"{macro}({', '.join(items)})" if items else f"&({struct}){{0}}"


def _tensor(name: str, tensor: Tensor) -> str:
    if tensor.offset or tensor.strides not in (None, contiguous_strides(tensor.shape)):
        raise OpspecError("a view has no form in a few lines", where=name)
    made = f"OP_TENSOR({', '.join((name, dtypes.enumerator(tensor.dtype), *map(ctext.integer, tensor.shape)))})"
    layout = tensor.storage_format or tensor.format
    stored = () if tensor.storage_shape in (None, tensor.shape) else tensor.storage_shape
    if layout == "ND" and not stored:
        return made
    return f"OP_IN({', '.join((made, formats.enumerator(layout), *map(ctext.integer, stored or ())))})"


def _scalar(scalar: Scalar) -> str:
    if scalar.value is None:
        raise OpspecError("a scalar without a value has no form in a few lines")
    ctype = storage_of(Tensor((1,), scalar.dtype), scalar.dtype).ctype
    values = literal(scalar.dtype, scalar.value)
    return f"OP_SCALAR({', '.join((dtypes.enumerator(scalar.dtype), ctype, *values))})"
