"""The operators whose stubs are tested, and the double of each, made from its definition."""

from __future__ import annotations

from pathlib import Path

from opspec.spec.definition import Definition, ParamDef
from opspec.spec.load import load_file
from opspec.stubs.prototypes import declared, parameters, prototypes
from tests.paths import REPOSITORY

HERE = Path(__file__).resolve().parent

OWN = sorted((HERE / "specs").glob("*/*/*.yaml"))
TRIAL = sorted((REPOSITORY / "tests" / "trial" / "specs").glob("*/*.yaml"))
BUILT_IN = sorted((REPOSITORY / "specs").glob("*/*/*.yaml"))


def _definitions() -> dict[str, Definition]:
    """All operators by ``release/name``. The trial specs are taken as whole: what they leave out are rules."""
    found: dict[str, Definition] = {}
    for path in (*BUILT_IN, *TRIAL, *OWN):
        for definition in load_file(str(path)).definitions:
            definition.spec = definition.spec.model_copy(update={"partial": None})
            if definition.spec.example is not None:
                found[f"{definition.spec.release}/{definition.name}"] = definition
    return found


OPERATORS = _definitions()


def double_of(definition: Definition) -> str:
    """The C text of the functions of an operator: they tell the double of ACL what they are given."""
    op = definition.name
    head = prototypes(definition)
    arguments = [f'    doubleArguments("{op}");', *(_told(definition, param) for param in definition.params)]
    lines = [f'#include "{op}.h"', '#include "double.h"', "", head[0].rstrip(";"), "{", *arguments]
    if definition.spec.interface == "single-phase":
        return "\n".join([*lines, f'    return doubleStep("{op}");', "}", ""])
    return "\n".join([
        *lines, f'    return doublePlan("{op}GetWorkspaceSize", workspaceSize, (void **)executor);', "}", "",
        head[1].rstrip(";"), "{",
        f'    return doubleExecute("{op}", workspace, workspaceSize, executor, stream);', "}", "",
    ])  # fmt: skip


def _told(definition: Definition, param: ParamDef) -> str:
    """The statement that tells the double of an argument."""
    name = parameters(definition)[param.name].removeprefix(declared(param.ctype, ""))
    match param.kind:
        case "int" | "bool" | "dtype":
            return f'    doubleInteger("{param.name}", (int64_t){name});'
        case "float" | "float32":
            return f'    doubleReal("{param.name}", (double){name});'
        case "string":
            return f'    doubleText("{param.name}", {name});'
        case "pointer":
            return f'    doublePointer("{param.name}", {name});'
    return f'    doubleObject("{param.name}", {name}, {int(param.io != "in")});'
