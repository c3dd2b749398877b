"""The example of a spec as a C program's data: what tensors hold, texts and arrays, and the arguments made of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from opspec.codegen import ctext
from opspec.codegen.stubs import names
from opspec.codegen.stubs.placeholder import hints, placeholders
from opspec.codegen.stubs.storage import MOST_BYTES, Storage, c_bits, literal, storage_of
from opspec.codegen.stubs.values import Filling, fillings
from opspec.errors import OpspecError
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import Definition, ParamDef
from opspec.model.example import example_of
from opspec.validator.arguments import arguments as typed
from opspec.vocabulary import ctypes_, dtypes, formats, groups
from opspec.vocabulary.shapes import contiguous_strides

INDENT = 4
MAX_RANK = 25  # dims of an OpTensor
MOST_DATA = 2**16  # bytes of an array that the program's file itself may hold

_MARK = re.compile(r"@\d+@")  # the place of a buffer's memory

#: kinds of params whose arguments point at data of the example
POINTED = frozenset({*names.OWN, "string", "pointer"})


@dataclass(frozen=True, slots=True)
class Given:
    """A call that a program makes in place of the spec's example.

    Args:
        product: the one that it is for, in any spelling.
        args: JSON values by param name.
        said: what a reader of the program is told of it; None of the spec's own example.
    """

    product: str | None
    args: dict[str, Any]
    said: str | None = None


@dataclass(frozen=True, slots=True)
class Printed:
    """How elements of an output are printed.

    Args:
        name: of the function that prints them.
        ctype: of an element.
        form: what ``printf`` is given.
        value: the element as it is printed, of ``values[i]``.
    """

    name: str
    ctype: str
    form: str
    value: str


@dataclass(frozen=True, slots=True)
class Buffer:
    """Device memory of a tensor.

    Args:
        place: which of the program's it is.
        data: array that holds the same on the host.
        given: bytes of it that are given, to be repeated throughout it; 0: it is as it is.
    """

    place: int
    param: str
    data: str
    given: int

    @property
    def arguments(self) -> str:
        """What ``upload`` is given besides the repeated bytes."""
        return f'{self.place}, "{self.param}", {self.data}, sizeof {self.data}'

    def download(self, memory: str) -> str:
        """What copies it back from a place of some memory."""
        sizes = f"sizeof {self.data}, {memory}[{self.place}], sizeof {self.data}"
        call = f"aclrtMemcpy({self.data}, {sizes}, ACL_MEMCPY_DEVICE_TO_HOST)"
        return f'succeeded("aclrtMemcpy", "{self.param}", {call})'


@dataclass(frozen=True, slots=True)
class Group:
    """A group of ranks whose name is an argument.

    Args:
        size: number of its ranks.
        place: which of a rank's groups it is.
    """

    param: str
    size: int
    place: int


class Writer:
    """Collects the declarations of the example; every name is given once.

    Args:
        is_given: the call is somebody's: a tensor too large to be written into a program is left without memory, which
            the first phase does not look at.

    Attributes:
        lines: what is declared once for the program.
        started: statements with which the program starts.
        made: statements that make arguments when the operator is called.
        buffers: what is copied to the device; outputs: those of it that are copied back.
        prints: statements that print the outputs.
    """

    def __init__(self, definition: Definition, arguments: tuple[Any, ...], *, is_given: bool = False) -> None:
        self.where = definition.name
        self.params = definition.params
        self.arguments = arguments
        self.is_given = is_given
        self.lines: list[str] = []
        self.started: list[str] = []
        self.made: list[str] = []
        self.buffers: list[Buffer] = []
        self.outputs: list[Buffer] = []
        self.prints: list[str] = []
        self.printed: dict[str, Printed] = {}
        self.repeats = False
        self.dims: dict[tuple[int, ...], str] = {}
        self.groups = _groups(definition, arguments)
        self._names: set[str] = set()

    def name(self, text: str) -> str:
        """A name that is not taken: the suffix that a caller gives keeps it apart from library names."""
        return ctext.unused(text, self._names)

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
        """A constant struct of the call, and its name."""
        name = self.name(name)
        self.made.append(f"const {ctype} {name} = {{{', '.join(fields)}}};")
        return name


def example(definition: Definition, members: dict[str, str], given: Given | None = None) -> dict[str, Any]:
    """What the template of the example program asks.

    Without an example in the spec, or with one that has no form in C, the arguments are placeholders to be filled in.

    Args:
        members: param -> identifier in the struct of arguments.
        given: a call in place of the spec's example.

    Raises:
        OpspecError: the call that is given does not fit the params, or has no form in C.
    """
    if given is not None:
        return {"missing": None, "said": given.said, **_called(definition, members, given)}
    try:
        product, args = example_of(definition)
        return {"missing": None, "said": None, **_called(definition, members, Given(product, args))}
    except OpspecError as error:
        found = _written(Writer(definition, placeholders(definition)), members, {}, hints(definition))
        return {"missing": error.message, "said": None, **found}


def _called(definition: Definition, members: dict[str, str], call: Given) -> dict[str, Any]:
    arguments = typed_arguments(definition, call.args)
    filled = fillings(definition, call.product, arguments)
    return _written(Writer(definition, arguments, is_given=call.said is not None), members, filled, {})


def _written(
    writer: Writer, members: dict[str, str], filled: Mapping[str, list[Filling | None]], about: dict[str, str]
) -> dict[str, Any]:
    """Declarations of what the arguments point to, and per argument its member, expression, and what is said of it."""
    values = []
    for param, value in zip(writer.params, writer.arguments, strict=True):
        said = about.get(param.name, "")
        declared = param.kind in POINTED and value is not None
        if declared:
            writer.lines += ["", ctext.comment(said)] if said else [""] * (not writer.lines)
        expression = _argument(writer, param, value, filled.get(param.name, []))
        values.append((members[param.name], expression, "" if declared else said))
    text = "\n".join([*writer.lines, *writer.started, *writer.made, *(value for _, value, _ in values)])
    halves = {name for name in ("half", "brain") if any(f"{name}(" in one.value for one in writer.printed.values())}
    groups_ = list(writer.groups.values())
    return {
        "declarations": writer.lines,
        "started": writer.started,
        "made": [*_uploaded(writer)],
        "values": values,
        "buffers": writer.buffers,
        "outputs": writer.outputs,
        "printed": list(writer.printed.values()),
        "prints": writer.prints,
        "repeats": writer.repeats,
        "copied": writer.repeats or "memcpy(" in text or "brain" in halves,
        "halves": sorted(halves),
        "math": "NAN" in text or "INFINITY" in text or "half" in halves,
        "groups": groups_,
        "table": len(groups_) == 1,
    }


def _uploaded(writer: Writer) -> Iterator[str]:
    """The statements, with the device memory in the place of each mark: uploaded there, or before by the rank's."""
    memory = {}
    for buffer in writer.buffers:
        given = f", {buffer.given}" if writer.repeats else ""
        place = f"rank->memory[{buffer.place}]" if writer.groups else f"upload({buffer.arguments}{given})"
        memory[f"@{buffer.place}@"] = place
    for line in writer.made:
        yield _MARK.sub(lambda mark: memory.get(mark[0], mark[0]), line)


def _groups(definition: Definition, arguments: tuple[Any, ...]) -> dict[str, Group]:
    """The groups that a call names, with as many ranks as it says there are."""
    known = {param.name: value for param, value in zip(definition.params, arguments, strict=True)}
    kinds = {param.name: param.kind for param in definition.params}
    named = [name for name in groups.PARAMS if kinds.get(name) == "string" and known[name]]
    sizes = [next((known[one] for one in groups.SIZES[name] if known.get(one)), groups.USUAL_SIZE) for name in named]
    return {name: Group(name, size, place) for place, (name, size) in enumerate(zip(named, sizes, strict=True))}


def typed_arguments(definition: Definition, args: dict[str, Any]) -> tuple[Any, ...]:
    """The typed arguments of a call in param order.

    Raises:
        OpspecError: they do not fit the params.
    """
    forms = [(p.name, p.kind, p.pointer, p.required, p.spellings, p.low, p.high) for p in definition.params]
    return typed(definition.name, forms, args)


def _argument(writer: Writer, param: ParamDef, value: Any, filled: list[Filling | None]) -> str:
    """The expression of an argument; what it points at has been declared."""
    if value is None:
        return "NULL"
    name = ctext.plain_name(param.name)
    match param.kind:
        case "tensor":
            return f"&{_tensor(writer, name, value, param.io != 'in', filled[0] if filled else None)}"
        case "tensor_list":
            each = filled or [None] * len(value)
            items = [
                f"&{_tensor(writer, f'{name}_{i}', item, param.io != 'in', filling)}" if item else "NULL"
                for i, (item, filling) in enumerate(zip(value, each, strict=True))
            ]
            return f"&{_list(writer, name, 'OpTensor', items)}"
        case "scalar":
            return f"&{_scalar(writer, name, value)}"
        case "scalar_list":
            items = [f"&{_scalar(writer, f'{name}_{i}', item)}" for i, item in enumerate(value)]
            return f"&{_list(writer, name, 'OpScalar', items)}"
        case "int_array" | "float_array" | "bool_array":
            return f"&{_array(writer, name, param.kind, value)}"
        case "string":
            if param.name in writer.groups:  # the name of one that the program makes: no other name is one
                return f"rank->names[{writer.groups[param.name].place}]"
            return _text(writer, name, value)
        case "pointer":
            return _pointer(writer, name, param)
    for group in writer.groups.values():
        if groups.RANKS.get(group.param) == param.name:
            return f"rank->places[{group.place}]"
    return plain(param, value)


def _tensor(writer: Writer, name: str, tensor: Tensor, output: bool, filling: Filling | None) -> str:
    """A tensor of the call, and what is copied to its device memory."""
    where = f"{writer.where}.{name}"
    storage = storage_of(tensor, where, filling, is_given=writer.is_given)
    if max(len(storage.shape), len(storage.storage_shape)) > MAX_RANK:
        raise OpspecError(f"a tensor of more than {MAX_RANK} dims has no form in C", where=where)
    buffer = _buffer(writer, name, tensor, storage, output)
    shape = _dims(writer, storage.shape)
    made = writer.name(f"{name}_tensor")
    layout = formats.enumerator(tensor.storage_format or tensor.format)
    device = "NULL" if buffer is None else f"@{buffer.place}@"
    start = f"opTensor({device}, {dtypes.enumerator(tensor.dtype)}, {shape}, {len(storage.shape)})"
    changed = []
    if layout != "ACL_FORMAT_ND":
        changed.append(f"{made}.format = {layout};")
    if tensor.strides is not None and tensor.strides != contiguous_strides(tensor.shape) and storage.strides:
        strides = _dims(writer, storage.strides)
        changed.append(f"memcpy({made}.strides, {strides}, sizeof {strides});")
    if tensor.offset:
        changed.append(f"{made}.offset = {tensor.offset};")
    if storage.storage_shape != storage.shape:
        stored = _dims(writer, storage.storage_shape)
        changed.append(f"{made}.storageRank = {len(storage.storage_shape)};")
        changed += [f"memcpy({made}.storageShape, {stored}, sizeof {stored});"] if stored != "NULL" else []
    writer.made += [f"{'' if changed else 'const '}OpTensor {made} = {start};", *changed]
    return made


def _buffer(writer: Writer, name: str, tensor: Tensor, storage: Storage, output: bool) -> Buffer | None:
    """The device memory of a tensor, if it has any; its data are declared."""
    if storage.left_out:
        writer.lines.append(
            ctext.comment(f"The example's values of {name} are left out: C cannot place or write them.")
        )
    if storage.length == 0:
        return None
    if storage.bytes > MOST_BYTES:
        if not writer.is_given:
            text = f"the example's storage takes {storage.bytes} bytes, at most {MOST_BYTES} are written"
            raise OpspecError(text, where=f"{writer.where}.{name}")
        writer.lines.append(ctext.comment(f"{name} takes {storage.bytes} bytes: it has no memory here."))
        return None
    if storage.said:
        again = ", repeated" if storage.repeated else ""
        writer.lines.append(ctext.comment(f"{name}, {tensor.dtype}: {storage.said}{again}"))
    large = storage.length * c_bits(storage.ctype) > MOST_DATA * 8
    literals = list(storage.literals or (() if large else storage.repeated))
    data = writer.array(storage.ctype, f"{name}_data", literals, storage.length)
    if storage.repeated and large:
        first = writer.array(f"const {storage.ctype}", f"{name}_first", list(storage.repeated))
        writer.started.append(f"memcpy({data}, {first}, sizeof {first});")
    writer.repeats = writer.repeats or bool(storage.repeated)
    buffer = Buffer(len(writer.buffers), name, data, len(storage.repeated) * c_bits(storage.ctype) // 8)
    writer.buffers.append(buffer)
    if output:
        writer.outputs.append(buffer)
        writer.prints.append(f'{_printer(writer, tensor.dtype, storage.ctype)}("{name}", {data}, {storage.length});')
    return buffer


def _printer(writer: Writer, dtype: str, ctype: str) -> str:
    """The function that prints elements of a dtype."""
    form, value = _FORMS[ctype]
    if dtype in ("FLOAT16", "COMPLEX32"):
        form, value = "%g", "half(values[i])"
    elif dtype == "BFLOAT16":
        form, value = "%g", "brain(values[i])"
    elif ctype == "uint8_t" and dtype != "UINT8":
        form = "%02x"  # no number of C
    name = f"print{dtype.title().replace('_', '')}"
    writer.printed[name] = Printed(name, ctype, form, value)
    return name


#: C type of elements -> how they are printed
_FORMS = {
    "float": ("%g", "(double)values[i]"), "double": ("%g", "values[i]"), "bool": ("%d", "(int)values[i]"),
    "int8_t": ("%d", "(int)values[i]"), "int16_t": ("%d", "(int)values[i]"), "int32_t": ("%ld", "(long)values[i]"),
    "int64_t": ("%lld", "(long long)values[i]"), "uint8_t": ("%u", "(unsigned)values[i]"),
    "uint16_t": ("%u", "(unsigned)values[i]"), "uint32_t": ("%lu", "(unsigned long)values[i]"),
    "uint64_t": ("%llu", "(unsigned long long)values[i]"),
}  # fmt: skip


def _dims(writer: Writer, values: tuple[int, ...]) -> str:
    """An array of dims or strides, which tensors may share."""
    if values not in writer.dims:
        name = "_".join(("dims", *(str(value).replace("-", "minus") for value in values)))
        writer.dims[values] = writer.array("const int64_t", name, [ctext.integer(value) for value in values])
    return writer.dims[values]


def _list(writer: Writer, name: str, ctype: str, items: list[str]) -> str:
    array = writer.name(f"{name}_items") if items else "NULL"
    if items:
        writer.made.append(f"const {ctype} *const {array}[{len(items)}] = {{{', '.join(items)}}};")
    return writer.struct(f"{ctype}List", f"{name}_list", [array, str(len(items))])


def _scalar(writer: Writer, name: str, scalar: Scalar) -> str:
    ctype = storage_of(Tensor((1,), scalar.dtype), f"{writer.where}.{name}").ctype
    constants = [] if scalar.value is None else literal(scalar.dtype, scalar.value)
    length = max(1, len(constants), (dtypes.bits(scalar.dtype) or 0) // c_bits(ctype))
    value = writer.array(ctype, f"{name}_value", constants, length)
    return writer.struct("OpScalar", f"{name}_scalar", [dtypes.enumerator(scalar.dtype), value])


#: kind of array -> how C writes an element
CONSTANTS: dict[str, Callable[[Any], str]] = {
    "int_array": ctext.integer, "float_array": lambda value: ctext.real(value, "F"), "bool_array": ctext.boolean,
}  # fmt: skip


def _array(writer: Writer, name: str, kind: str, values: tuple[Any, ...]) -> str:
    constants = [CONSTANTS[kind](value) for value in values]
    array = writer.array(f"const {names.ELEMENTS[kind]}", f"{name}_values", constants)
    return writer.struct(names.OWN[kind], f"{name}_array", [array, str(len(values))])


def _text(writer: Writer, name: str, value: str) -> str:
    """A text in an array of its own: the param may be ``char *``, which a literal of C++ is not."""
    array = writer.name(f"{name}_text")
    writer.lines.append(f"static char {array}[] = {ctext.string(value)};")
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
    if param.io != "in" and base in _FORMS:
        form, value = _FORMS[base]
        values = target if ctype.pointer > 1 else f"&{target}"
        there = f"if ({target} != NULL) " if ctype.pointer > 1 else ""
        shown = value.replace("values[i]", f"{values}[0]" if ctype.pointer > 1 else target)
        writer.prints.append(f'{there}printf("{param.name}: {form}\\n", {shown});')
    return f"&{target}"


def plain(param: ParamDef, value: Any) -> str:
    """The constant of an argument that is one value."""
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
