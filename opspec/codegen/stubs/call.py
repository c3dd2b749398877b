"""The call stub of an operator: its files, from its definition."""

from __future__ import annotations

from dataclasses import dataclass

from opspec.codegen import ctext
from opspec.codegen.prototypes import guard_of, header, parameters
from opspec.codegen.stubs.example import example
from opspec.codegen.stubs.render import render
from opspec.errors import OpspecError
from opspec.model.definition import Definition, ParamDef
from opspec.vocabulary import ctypes_

#: kind of object -> its C types on the host, and on the device
HOST = {
    "tensor": "HostTensor", "tensor_list": "HostTensorList", "scalar": "HostScalar", "scalar_list": "HostScalarList",
    "int_array": "HostIntArray", "float_array": "HostFloatArray", "bool_array": "HostBoolArray",
}  # fmt: skip
DEVICE = {
    "tensor": "DeviceTensor ", "tensor_list": "DeviceTensorList ", "scalar": "aclScalar *",
    "scalar_list": "aclScalarList *", "int_array": "aclIntArray *", "float_array": "aclFloatArray *",
    "bool_array": "aclBoolArray *",
}  # fmt: skip

#: kinds whose handle is all there is of them on the device
PLAIN = ("scalar", "scalar_list", "int_array", "float_array", "bool_array")

#: types of the stub's own: in C++ no member of a struct may have the name of a type that the struct uses
TYPES = ("Objects", *HOST.values(), *(ctype.rstrip() for ctype in DEVICE.values() if ctype.startswith("Device")))

#: kind, its aclnn type without ``acl``, and what its create function is given
_VALUES = (
    ("scalar", "Scalar", "host->value, host->dtype"),
    ("int_array", "IntArray", "host->values, host->size"),
    ("float_array", "FloatArray", "host->values, host->size"),
    ("bool_array", "BoolArray", "host->values, host->size"),
)


@dataclass(frozen=True, slots=True)
class Member:
    """A param in the struct of arguments.

    Args:
        member: its identifier there.
        declared: its declaration there.
        about: what is to be said of it, if anything.
        device: C type of the object made of it, empty for a value that is passed on.
        base: the aclnn type, without ``acl``: ``IntArray`` in ``aclCreateIntArray``.
    """

    name: str
    kind: str
    member: str
    declared: str
    about: str
    device: str
    base: str
    out: bool

    def passed(self, objects: str) -> str:
        """What the operator is given: ``objects`` is how the struct of objects is reached."""
        if not self.device:
            return f"arguments->{self.member}"
        handle = ".handle" if self.kind in ("tensor", "tensor_list") else ""
        return f"{objects}{self.member}{handle}"

    @property
    def create(self) -> str:
        """The statement that makes its object."""
        return f'create{self.base}("{self.name}", arguments->{self.member}, &objects->{self.member});'

    @property
    def copy_back(self) -> str:
        """The statement that copies its storage to the host."""
        return f'copy{self.base}Back("{self.name}", arguments->{self.member}, &objects->{self.member});'

    @property
    def release(self) -> str:
        """The expression that releases its object."""
        return f'release{self.base}("{self.name}", {"" if self.kind in PLAIN else "&"}objects->{self.member})'


def stub(definition: Definition) -> dict[str, str]:
    """File -> text: header, call stub, example program and CMakeLists.txt.

    Raises:
        OpspecError: the spec is partial, so that no stub can be right, or its name is no name in C.
    """
    if definition.spec.partial is not None:
        text = definition.spec.partial.text("en")
        raise OpspecError(f"the spec is partial, so its stub could not be right: {text}", where=definition.name)
    op = ctext.operator_name(definition.name)
    members = _members(definition)
    facts = _facts(definition, members)
    shown = example(definition, {member.name: member.member for member in members})
    return {
        f"{op}.h": header([definition], guard_of(f"{op}.h")),
        f"{op}_call.h": render("call.h.j2", guard=guard_of(f"{op}_call.h"), **facts),
        f"{op}_call.c": render("call.c.j2", **facts),
        f"{op}_example.c": render("example.c.j2", **facts, **shown),
        "CMakeLists.txt": render("CMakeLists.txt.j2", op=op, groups=bool(shown["groups"])),
    }


def _facts(definition: Definition, members: list[Member]) -> dict[str, object]:
    """What the templates ask about an operator."""
    kinds = {member.kind for member in members}
    two_phase = definition.spec.interface == "two-phase"
    passed = [member.passed("objects->" if two_phase else "objects.") for member in members]
    return {
        "op": definition.name,
        "release": definition.spec.release,
        "members": members,
        "objects": [member for member in members if member.device],
        "outputs": [member for member in members if member.out],
        "kinds": kinds,
        "tensors": bool(kinds & {"tensor", "tensor_list"}),
        "scalars": bool(kinds & {"scalar", "scalar_list"}),
        "lists": bool(kinds & {"tensor_list", "scalar_list"}),
        "creators": [(base, fields) for kind, base, fields in _VALUES if kind in kinds],
        "plain": sorted({member.base for member in members if member.kind in PLAIN}),
        "list_outputs": any(member.out and member.kind == "tensor_list" for member in members),
        "arguments_used": any(not member.device for member in members),
        "two_phase": two_phase,
        "call": _call(definition.name, bool(members), two_phase),
        "passed": [*passed, "&workspaceSize", "&executor"] if two_phase else passed or [""],
    }


def _call(op: str, arguments: bool, two_phase: bool) -> str:
    """The stub's function, as it is declared."""
    params = [f"const {op}Arguments *arguments"] if arguments else []
    params += ["aclrtStream stream", "uint32_t runs"] if two_phase else []
    return f"int {op}Call({', '.join(params) or 'void'})"


def _members(definition: Definition) -> list[Member]:
    names = ctext.identifiers(tuple(param.name for param in definition.params), (*TYPES, f"{definition.name}Arguments"))
    declarations = parameters(definition)
    about = {param.name: param.about.text("en") for param in definition.spec.params if param.about is not None}
    twin = definition.spec.twin
    if twin is not None and definition.name == twin.operator:
        for old, new in twin.rename.items():
            if old in about:
                about.setdefault(new, about[old])
    return [_member(param, names[param.name], about.get(param.name), declarations) for param in definition.params]


def _member(param: ParamDef, name: str, about: str | None, declarations: dict[str, str]) -> Member:
    ctype = ctypes_.parse(param.ctype)
    text = {"in": "Input", "out": "Output", "inout": "Input and output"}[param.io]
    text += f": {about}." if about else "."
    text += " May be NULL." if param.nullable and param.pointer else ""
    text = "" if text == "Input." else text
    if param.kind in HOST:
        declared = f"const {HOST[param.kind]} *{name}"
        out = param.io != "in" and param.kind in ("tensor", "tensor_list")
        base = ctype.base.removeprefix("acl")
        return Member(param.name, param.kind, name, declared, text, DEVICE[param.kind], base, out)
    constant = "const " if ctype.const and ctype.pointer else ""
    declared = f"{constant}{ctype.base} {'*' * ctype.pointer}{name}"
    return Member(param.name, param.kind, name, declared, text, "", ctype.base, False)
