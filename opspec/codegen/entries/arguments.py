"""C lines that bring the arguments of a first phase to the rules; what they call is in ``arguments.h``.

The simulator's phases and the layer's entries are the same in this: parameters as the header declares them, and a line
for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from opspec.codegen import ctext
from opspec.codegen.prototypes import PHASE_PARAMS, declared
from opspec.codegen.rules.operator import run_time_kind
from opspec.model.definition import Definition

#: names of the function that the lines are in, so that no parameter has one of them
LOCALS = ("args", "handles", "passed", "workspaceSize", "executor", "status", "call", "results")

#: what the run time calls a kind -> the function that passes it, and of a handle what it should be
_CALLS = {
    "TENSOR": "opspec_pass(&passed, {place}, OPSPEC_HANDLE_TENSOR, {name});",
    "TENSORS": "opspec_pass(&passed, {place}, OPSPEC_HANDLE_TENSORS, {name});",
    "SCALAR": "opspec_pass(&passed, {place}, OPSPEC_HANDLE_SCALAR, {name});",
    "SCALARS": "opspec_pass(&passed, {place}, OPSPEC_HANDLE_SCALARS, {name});",
    "INTS": "opspec_pass(&passed, {place}, OPSPEC_HANDLE_INTS, {name});",
    "BOOLS": "opspec_pass(&passed, {place}, OPSPEC_HANDLE_BOOLS, {name});",
    "NUMBERS": "opspec_pass(&passed, {place}, OPSPEC_HANDLE_NUMBERS, {name});",
    "STRING": "opspec_pass_string(&passed, {place}, {name});",
    "POINTER": "opspec_pass_pointer(&passed, {place}, {name});",
    "INTEGER": "opspec_pass_integer(&passed, {place}, {name});",
    "BOOL": "opspec_pass_integer(&passed, {place}, {name});",
    "DTYPE": "opspec_pass_integer(&passed, {place}, {name});",
    "NATURAL": "opspec_pass_natural(&passed, {place}, {name});",
    "REAL": "opspec_pass_real(&passed, {place}, {name});",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """What a function needs that takes an operator's arguments.

    Args:
        declarations: its parameters, as C declares them, without those of the phases.
        names: the same without their types, to pass on.
        lines: statements, without indent: after them ``passed`` (an ``opspec_passed``) has the arguments.
    """

    declarations: tuple[str, ...]
    names: tuple[str, ...]
    lines: tuple[str, ...]


def entry(definition: Definition, taken: tuple[str, ...] = LOCALS) -> Entry:
    """The parameters of an operator's first phase (or only function), and the lines that fill ``passed``.

    Args:
        taken: names that no parameter has; ``LOCALS`` are among them.
    """
    names = ctext.identifiers(tuple(param.name for param in definition.params), taken)
    room = max(len(names), 1)
    lines = [
        f"opspec_arg args[{room}];",
        f"const void *handles[{room}];",
        f"opspec_passed passed = opspec_passed_none(args, handles, {len(names)});",
    ]
    for place, param in enumerate(definition.params):
        call = _CALLS[run_time_kind(param.kind, param.high)]
        lines.append(call.format(place=place, name=names[param.name]))
    declarations = tuple(declared(param.ctype, names[param.name]) for param in definition.params)
    return Entry(declarations, tuple(names.values()), tuple(lines))


def relabelled(definition: Definition, names: Sequence[str]) -> dict[str, str]:
    """Tensor params whose format and storage shape the first phase changes -> their names in C.

    Args:
        names: of all params, in their order.
    """
    rows = zip(definition.params, names, strict=True)
    return {param.name: name for param, name in rows if f"{param.name}.format" in definition.results}


def first_phase(definition: Definition) -> str:
    """The head of the first phase's definition: ``aclnnStatus aclnnXGetWorkspaceSize(...)``."""
    return head(f"{definition.name}GetWorkspaceSize", (*entry(definition).declarations, *PHASE_PARAMS))


def head(name: str, parameters: tuple[str, ...]) -> str:
    """The head of a function's definition, wrapped between parameters."""
    return ctext.statement(f"aclnnStatus {name}({', '.join(parameters) or 'void'})", 0)
