"""The operator's rules beside its stub: the run time of the rules, the operator's own, and what hands them a call."""

from __future__ import annotations

from opspec.codegen import ctext
from opspec.codegen.rules.library import runtime_files
from opspec.codegen.rules.operator import operator_file, run_time_kind
from opspec.codegen.stubs import names
from opspec.codegen.stubs.render import render
from opspec.model.definition import Definition, ParamDef

FOLDER = "rules"

#: what the run time calls a kind -> the member of its argument
_MEMBERS = {
    "STRING": "string", "POINTER": "pointer", "INTEGER": "integer", "BOOL": "integer", "DTYPE": "integer",
    "NATURAL": "natural", "REAL": "real",
}  # fmt: skip

#: kind of object -> the member of its argument, and the function that fills what it points to
_OBJECTS = {
    "tensor": ("tensor", "tensorOf", "opspec_tensor"),
    "scalar": ("scalar", "scalarOf", "opspec_scalar"),
    "int_array": ("ints", "intsOf", "opspec_ints"),
    "tensor_list": ("tensors", "tensorsOf", "opspec_tensors"),
    "scalar_list": ("scalars", "scalarsOf", "opspec_scalars"),
    "bool_array": ("ints", "boolsOf", "opspec_ints"),
    "float_array": ("numbers", "floatsOf", "opspec_numbers"),
}


def check_files(definition: Definition, members: dict[str, str], facts: dict[str, object]) -> dict[str, str]:
    """Path -> text of the rules and of the function that judges a call by them.

    Args:
        members: param -> identifier in the struct of arguments.
        facts: what the templates ask about the operator.

    Raises:
        CannotExpress: the operator's rules have no form in C.
    """
    lines = [
        line for place, param in enumerate(definition.params) for line in _passed(place, param, members[param.name])
    ]
    allocated = [place for place, param in enumerate(definition.params) if param.kind in _ALLOCATED]
    text = render("check.c.j2", lines=lines, allocated=allocated, count=len(definition.params), **facts)
    runtime = {f"{FOLDER}/{path.rpartition('/')[2]}": content for path, content in runtime_files().items()}
    return {
        f"{names.file_stem(definition.name)}_check.c": text,
        **runtime,
        f"{FOLDER}/{ctext.operator_name(definition.name)}.c": operator_file(definition),
    }


#: kinds whose argument is made in memory of its own
_ALLOCATED = ("tensor_list", "scalar_list", "bool_array", "float_array")


def _passed(place: int, param: ParamDef, member: str) -> list[str]:
    """Statements that set an argument of the call that is judged."""
    given = f"arguments->{member}"
    if param.kind not in _OBJECTS:
        return [f"args[{place}].{_MEMBERS[run_time_kind(param.kind, param.high)]} = {given};"]
    field, function, ctype = _OBJECTS[param.kind]
    memory = f", &made[{place}]" if param.kind in _ALLOCATED else ""
    return [
        f"const {ctype} object{place} = {function}({given}{memory});",
        f"args[{place}].{field} = {given} != NULL ? &object{place} : NULL;",
    ]
