"""The stub of an operator: its files, from its definition."""

from __future__ import annotations

import re
from dataclasses import dataclass

from opspec.codegen import ctext
from opspec.codegen.prototypes import entry as header_entry
from opspec.codegen.prototypes import guard_of, header_path, prototypes
from opspec.codegen.stubs import names
from opspec.codegen.stubs.check import check_files
from opspec.codegen.stubs.example import MAX_RANK, Given, example
from opspec.codegen.stubs.render import render
from opspec.codegen.stubs.words import meaning, spec_params
from opspec.errors import OpspecError
from opspec.model.definition import Definition, ParamDef
from opspec.vocabulary import ctypes_, dtypes, formats, groups

#: the order in which the header declares handles
_HANDLES = ("tensor", "tensor_list", "scalar", "scalar_list", "int_array", "float_array", "bool_array")


@dataclass(frozen=True, slots=True)
class Member:
    """A param in the struct of arguments.

    Args:
        member: its identifier there.
        local: the variable that holds its handle while it is called; empty for a value that is passed on.
        declared: its declaration there.
        about: what is to be said of it, if anything.
    """

    name: str
    kind: str
    member: str
    local: str
    declared: str
    about: str

    @property
    def base(self) -> str:
        """The aclnn type of its handle, without ``acl``."""
        return names.BASES[self.kind]

    @property
    def documented(self) -> str:
        """Its line in the struct; where the words are long, under them."""
        line = f"    {self.declared};"
        if not self.about:
            return line
        said = ctext.comment(self.about, 4)
        beside = f"{line} {said}"
        return beside if "\n" not in said and len(beside) <= ctext.WIDTH else f"    {said}\n{line}"

    @property
    def passed(self) -> str:
        """What the operator is given."""
        return self.local or f"arguments->{self.member}"

    @property
    def create(self) -> str:
        """The statement that makes its handle."""
        made = f'create{self.base}("{self.name}", arguments->{self.member}, &status)'
        return f"acl{self.base} *{self.local} = {made};"

    @property
    def destroy(self) -> str:
        """The statement that destroys it."""
        call = f"{self.local} != NULL ? aclDestroy{self.base}({self.local}) : 0"
        return f'keep(&status, "aclDestroy{self.base}", "{self.name}", {call});'


def stub(definition: Definition, *, check: bool = False, given: Given | None = None) -> dict[str, str]:
    """File -> text: the wrapper and its header, the example program and CMakeLists.txt.

    Args:
        check: with the operator's rules, which the wrapper asks before it calls the operator.
        given: a call that the program makes in place of the spec's example.

    Raises:
        OpspecError: the spec is partial, so that no stub can be right, its name is no name in C, or the call that is
            given has no form in C.
    """
    if definition.spec.partial is not None:
        text = definition.spec.partial.text("en")
        raise OpspecError(f"the spec is partial, so its stub could not be right: {text}", where=definition.name)
    op = ctext.operator_name(definition.name)
    file = names.file_stem(op)
    members = members_of(definition)
    facts = _facts(definition, members, check=check)
    shown = example(definition, {member.name: member.member for member in members}, given)
    program = render("example.c.j2", **{**facts, **shown})
    constants = _constants([program], tensors=bool(facts["tensors"]), two_phase=bool(facts["two_phase"]))
    rules = check_files(definition, {member.name: member.member for member in members}, facts) if check else {}
    return {
        f"{file}.h": render("stub.h.j2", guard=guard_of(f"{file}.h"), constants=constants, **facts),
        f"{file}.c": render("stub.c.j2", **facts),
        f"{file}_example.c": program,
        **rules,
        "CMakeLists.txt": render(
            "CMakeLists.txt.j2", op=op, file=file, groups=bool(shown["groups"]), math=bool(shown["math"]),
            sources=sorted(path for path in rules if path.endswith(".c")),
        ),
    }  # fmt: skip


def _facts(definition: Definition, members: list[Member], *, check: bool) -> dict[str, object]:
    """What the templates ask about an operator."""
    op, kinds = definition.name, {member.kind for member in members}
    two_phase = definition.spec.interface == "two-phase"
    tensors, scalars = bool(kinds & {"tensor", "tensor_list"}), bool(kinds & {"scalar", "scalar_list"})
    made = {*kinds, *(["tensor"] if tensors else []), *(["scalar"] if scalars else [])}
    handles = [f"acl{names.BASES[kind]}" for kind in _HANDLES if kind in made or kind in _declared(definition)]
    params = [f"const {names.arguments_name(op)} *arguments"] if members else []
    phases = ["aclrtStream stream", "OpAllocate allocate", "void *context"] if two_phase else []
    passed = [member.passed for member in members]
    return {
        "op": op,
        "file": names.file_stem(op),
        "about": f"{op} of CANN {definition.spec.release}, called with tensors in device memory. Generated by opspec.",
        "release": definition.spec.release,
        "header": header_path(header_entry(definition), "") if definition.header else "",
        "arguments": names.arguments_name(op),
        "called": names.call_name(op),
        "members": members,
        "objects": [member for member in members if member.local],
        "kinds": kinds,
        "tensors": tensors,
        "scalars": scalars,
        "lists": bool(kinds & {"tensor_list", "scalar_list"}),
        "item_lists": [base for kind, base in (("tensor_list", "Tensor"), ("scalar_list", "Scalar")) if kind in kinds],
        "arrays": [
            (names.BASES[kind], names.OWN[kind], ctype) for kind, ctype in names.ELEMENTS.items() if kind in kinds
        ],
        "handles": [*handles, "aclOpExecutor"] if two_phase else handles,
        "max_rank": MAX_RANK,
        "name_size": groups.NAME_SIZE,
        "two_phase": two_phase,
        "prototypes": [
            " ".join(text.split()).replace("( ", "(") for text in prototypes(definition)[: 2 if two_phase else 1]
        ],
        "functions": _functions(tensors=tensors, two_phase=two_phase),
        "declaration": f"int {names.call_name(op)}({', '.join([*params, *phases]) or 'void'})",
        "check": check,
        "check_declaration": f"int {names.check_name(op)}({', '.join([*params, 'const char *soc'])})",
        "checked": f"{names.check_name(op)}({'arguments, ' if members else ''}aclrtGetSocName())",
        "passed": [*passed, "&needed", "&executor"] if two_phase else passed or [""],
        "second": f"{op}(memory, needed, executor, stream));",
    }


def _functions(*, tensors: bool, two_phase: bool) -> list[str]:
    """The functions of CANN's acl/acl.h that wrapper and example call, without their common type."""
    found = ["aclInit(const char *path)", "aclFinalize(void)", "aclrtSetDevice(int32_t device)"]
    found += ["aclrtResetDevice(int32_t device)"]
    if two_phase:
        found += ["aclrtCreateStream(aclrtStream *stream)", "aclrtDestroyStream(aclrtStream stream)"]
        found += ["aclrtSynchronizeStream(aclrtStream stream)"]
    if tensors or two_phase:
        found += ["aclrtMalloc(void **data, size_t size, aclrtMemMallocPolicy policy)", "aclrtFree(void *data)"]
    if tensors:
        found += ["aclrtMemcpy(void *to, size_t room, const void *from, size_t count, aclrtMemcpyKind kind)"]
    return found


def _constants(texts: list[str], *, tensors: bool, two_phase: bool) -> list[tuple[str, int]]:
    """The enumerators of CANN's acl/acl.h that some texts name, with their numbers."""
    numbers = {dtypes.enumerator(name): dtypes.number(name) for name in dtypes.names()}
    numbers |= {formats.enumerator(name): formats.number(name) for name in formats.names()}
    used = set(re.findall(r"\bACL_\w+", "\n".join(texts)))
    memory = [("ACL_MEM_MALLOC_HUGE_FIRST", 0)] * (tensors or two_phase)
    copies = [("ACL_MEMCPY_HOST_TO_DEVICE", 1), ("ACL_MEMCPY_DEVICE_TO_HOST", 2)] * tensors
    nd = {"ACL_FORMAT_ND"} if tensors else set()
    return [*((name, number) for name, number in numbers.items() if name in used | nd), *memory, *copies]


def _declared(definition: Definition) -> set[str]:
    """Kinds of handles that the prototypes name besides: pointers to them."""
    bases = {base: kind for kind, base in names.BASES.items()}
    found = (ctypes_.parse(param.ctype).base.removeprefix("acl") for param in definition.params)
    return {bases[base] for base in found if base in bases}


def members_of(definition: Definition) -> list[Member]:
    """The params in the struct of arguments, in their order."""
    op, params = definition.name, tuple(param.name for param in definition.params)
    taken = (names.arguments_name(op), *names.OWN.values())
    members = ctext.identifiers(params, taken)
    functions = (f"{verb}{base}" for base in names.BASES.values() for verb in ("create", "aclDestroy"))
    locals_ = ctext.identifiers(
        params,
        (*functions, *taken, *_LOCALS, op, f"{op}GetWorkspaceSize", names.call_name(op), names.check_name(op)),
    )
    written = spec_params(definition)
    return [
        _member(param, members[param.name], locals_[param.name], meaning(param, written.get(param.name)))
        for param in definition.params
    ]


#: what else the function that calls the operator names, and types that a variable would hide
_LOCALS = (
    "arguments", "stream", "allocate", "context", "status", "needed", "executor", "memory", "keep",
    "aclDestroyAclOpExecutor", "aclrtGetSocName", "OpAllocate", "NO_MEMORY", "NOT_CREATED",
    "opTensor", "nullptr_t", "max_align_t", "wchar_t",
)  # fmt: skip


def _member(param: ParamDef, member: str, local: str, about: str) -> Member:
    if param.kind in names.OWN:
        return Member(param.name, param.kind, member, local, f"const {names.OWN[param.kind]} *{member}", about)
    ctype = ctypes_.parse(param.ctype)
    constant = "const " if ctype.const and ctype.pointer else ""
    declared = f"{constant}{ctype.base} {'*' * ctype.pointer}{member}"
    return Member(param.name, param.kind, member, "", declared, about)
