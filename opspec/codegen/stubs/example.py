"""The example of a spec as C data: host tensors, scalars, arrays and texts, and the arguments made of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opspec.codegen import ctext
from opspec.codegen.stubs.placeholder import hints, placeholders
from opspec.codegen.stubs.storage import c_bits, literal, storage_of
from opspec.errors import OpspecError
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import Definition, ParamDef
from opspec.model.example import example_of
from opspec.validator.arguments import arguments as typed
from opspec.vocabulary import ctypes_, dtypes, formats, groups

INDENT = 4

#: kinds of params whose arguments point at data of the example
POINTED = frozenset(
    {"tensor", "tensor_list", "scalar", "scalar_list", "int_array", "float_array", "bool_array", "string", "pointer"}
)


class Writer:
    """Collects the declarations of the example; every name is given once."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.lines: list[str] = []
        self.groups: list[str] = []  # arrays that take the name of a group of ranks
        self._names: set[str] = set()

    def name(self, text: str) -> str:
        """A file-scope name that is not taken: the suffix that a caller gives keeps it apart from library names."""
        while text in self._names:
            text += "_"
        self._names.add(text)
        return text

    def array(self, ctype: str, name: str, items: list[str], length: int | None = None) -> str:
        """A static array and its name; NULL when it has no elements.

        Args:
            length: elements, where there are more than items: the rest is zero.
        """
        count = len(items) if length is None else length
        if count == 0:
            return "NULL"
        name = self.name(name)
        head = f"static {ctype} {name}[{count}]"
        if not items:
            self.lines.append(f"{head};")
            return name
        line = f"{head} = {{{', '.join(items)}}};"
        if len(line) > ctext.WIDTH:
            line = f"{head} = {{\n    {ctext.filled(items, INDENT, '};')}"
        self.lines.append(line)
        return name

    def struct(self, ctype: str, name: str, fields: list[str]) -> str:
        """A static const struct and its name."""
        name = self.name(name)
        line = f"static const {ctype} {name} = {{{', '.join(fields)}}};"
        if len(line) > ctext.WIDTH:
            line = f"static const {ctype} {name} = {{\n    {ctext.filled(fields, INDENT, '};')}"
        self.lines.append(line)
        return name


def example(definition: Definition, members: dict[str, str]) -> dict[str, object]:
    """What the template of the example program asks.

    Without an example in the spec, or with one that has no form in C, the arguments are placeholders to be filled in.

    Args:
        members: param -> identifier in the struct of arguments.
    """
    try:
        return {"missing": None, **_written(definition, members, example_arguments(definition), {})}
    except OpspecError as error:
        found = _written(definition, members, placeholders(definition), hints(definition))
        return {"missing": error.message, **found}


def _written(
    definition: Definition, members: dict[str, str], arguments: tuple[Any, ...], about: dict[str, str]
) -> dict[str, object]:
    """Declarations of what the arguments point to, and per argument its member, expression, and what is said of it."""
    writer = Writer(definition.name)
    values = []
    for param, value in zip(definition.params, arguments, strict=True):
        said = about.get(param.name, "")
        declared = param.kind in POINTED and value is not None
        if declared:
            writer.lines += ["", ctext.comment(said)] if said else [""]
        values.append((members[param.name], _argument(writer, param, value), "" if declared else said))
    text = "\n".join([*writer.lines, *(value for _, value, _ in values)])
    needs_math = "NAN" in text or "INFINITY" in text
    return {"declarations": writer.lines, "values": values, "needs_math": needs_math, "groups": writer.groups}


def example_arguments(definition: Definition) -> tuple[Any, ...]:
    """The typed arguments of the spec's example in param order, for a twin under its own names.

    Raises:
        OpspecError: the spec has no example, or it does not fit the params.
    """
    return typed_arguments(definition, example_of(definition)[1])


def typed_arguments(definition: Definition, args: dict[str, Any]) -> tuple[Any, ...]:
    """The typed arguments of a call in param order.

    Raises:
        OpspecError: they do not fit the params.
    """
    forms = [(p.name, p.kind, p.pointer, p.required, p.spellings, p.low, p.high) for p in definition.params]
    return typed(definition.name, forms, args)


def _argument(writer: Writer, param: ParamDef, value: Any) -> str:
    """The expression of an argument; what it points at has been declared."""
    if value is None:
        return "NULL"
    name = ctext.plain_name(param.name)
    match param.kind:
        case "tensor":
            return f"&{_tensor(writer, name, value)}"
        case "tensor_list":
            items = [f"&{_tensor(writer, f'{name}_{i}', item)}" if item else "NULL" for i, item in enumerate(value)]
            return f"&{_list(writer, name, 'HostTensor', items)}"
        case "scalar":
            return f"&{_scalar(writer, name, value)}"
        case "scalar_list":
            items = [f"&{_scalar(writer, f'{name}_{i}', item)}" for i, item in enumerate(value)]
            return f"&{_list(writer, name, 'HostScalar', items)}"
        case "int_array" | "float_array" | "bool_array":
            return f"&{_array(writer, name, param.kind, value)}"
        case "string":
            return _group(writer, name) if param.name in groups.PARAMS and value else _text(writer, name, value)
        case "pointer":
            return _pointer(writer, name, param)
    return _plain(param, value)


def _tensor(writer: Writer, name: str, tensor: Tensor) -> str:
    storage = storage_of(tensor, f"{writer.where}.{name}")
    if storage.left_out:
        writer.lines.append(
            ctext.comment(f"The example's values of {name} are left out: C cannot place or write them.")
        )
    data = writer.array(storage.ctype, f"{name}_data", list(storage.literals), storage.length)
    shape = _dims(writer, f"{name}_shape", storage.shape)
    strides = _dims(writer, f"{name}_strides", storage.strides)
    same = storage.storage_shape == storage.shape
    stored = shape if same else _dims(writer, f"{name}_storage_shape", storage.storage_shape)
    layout = formats.enumerator(tensor.storage_format or tensor.format)
    size = f"sizeof {data}" if data != "NULL" else "0"
    fields = [
        shape, str(len(storage.shape)), dtypes.enumerator(tensor.dtype), layout, strides, str(tensor.offset),
        stored, str(len(storage.storage_shape)), data, size,
    ]  # fmt: skip
    return writer.struct("HostTensor", f"{name}_tensor", fields)


def _dims(writer: Writer, name: str, values: tuple[int, ...]) -> str:
    return writer.array("const int64_t", name, [ctext.integer(value) for value in values])


def _list(writer: Writer, name: str, ctype: str, items: list[str]) -> str:
    array = writer.array(f"const {ctype} *const", f"{name}_items", items)
    return writer.struct(f"{ctype}List", f"{name}_list", [array, str(len(items))])


def _scalar(writer: Writer, name: str, scalar: Scalar) -> str:
    ctype = storage_of(Tensor((1,), scalar.dtype), f"{writer.where}.{name}").ctype
    constants = [] if scalar.value is None else literal(scalar.dtype, scalar.value)
    length = max(1, len(constants), (dtypes.bits(scalar.dtype) or 0) // c_bits(ctype))
    value = writer.array(ctype, f"{name}_value", constants, length)
    return writer.struct("HostScalar", f"{name}_scalar", [dtypes.enumerator(scalar.dtype), value])


_ARRAYS: dict[str, tuple[str, str, Callable[[Any], str]]] = {
    "int_array": ("int64_t", "HostIntArray", ctext.integer),
    "float_array": ("float", "HostFloatArray", lambda value: ctext.real(value, "F")),
    "bool_array": ("bool", "HostBoolArray", ctext.boolean),
}


def _array(writer: Writer, name: str, kind: str, values: tuple[Any, ...]) -> str:
    ctype, host, constant = _ARRAYS[kind]
    array = writer.array(f"const {ctype}", f"{name}_values", [constant(value) for value in values])
    return writer.struct(host, f"{name}_array", [array, str(len(values))])


def _text(writer: Writer, name: str, value: str) -> str:
    """A text in an array of its own: the param may be ``char *``, which a literal of C++ is not."""
    array = writer.name(f"{name}_text")
    writer.lines.append(f"static char {array}[] = {ctext.string(value)};")
    return array


def _group(writer: Writer, name: str) -> str:
    """Room for the name of a group of ranks, which the program makes: no other name is one."""
    array = writer.name(f"{name}_name")
    writer.lines.append(f"static char {array}[{groups.NAME_SIZE}]; /* see joinGroup */")
    writer.groups.append(array)
    return array


def _pointer(writer: Writer, name: str, param: ParamDef) -> str:
    """The address of a zero for the function to write to, or to read."""
    ctype = ctypes_.parse(param.ctype)
    target = writer.name(f"{name}_target")
    opaque = ctype.base.startswith("acl") and ctype.base != "aclDataType"
    if ctype.pointer == 1 and opaque:
        raise OpspecError(f"an example cannot make a {ctype.text()}", where=f"{writer.where}.{param.name}")
    base = "char" if ctype.base == "void" and ctype.pointer == 1 else ctype.base
    writer.lines.append(f"static {base} {'*' * (ctype.pointer - 1)}{target};")
    return f"&{target}"


def _plain(param: ParamDef, value: Any) -> str:
    match param.kind:
        case "dtype":
            return dtypes.enumerator(value)
        case "bool":
            return ctext.boolean(value)
        case "float":
            return ctext.real(value)
        case "float32":
            return ctext.real(value, "F")
    low, high = param.low or 0, param.high or 0
    return ctext.integer(value, (high - low).bit_length(), low < 0)
