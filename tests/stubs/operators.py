"""The operators whose stubs are tested, and the double of each, made from its definition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from opspec.spec.definition import Definition, ParamDef
from opspec.spec.load import load_file
from opspec.stubs.call import stub
from opspec.stubs.prototypes import declared, parameters, prototypes
from tests.paths import REPOSITORY

HERE = Path(__file__).resolve().parent

OWN = sorted((HERE / "specs").glob("*/*/*.yaml"))
TRIAL = sorted((REPOSITORY / "tests" / "trial" / "specs").glob("*/*.yaml"))

#: operators of the registry whose stubs run; those of all others are compiled (test_registry.py)
SEEDS = (
    "aclnnAdaptiveAvgPool2dBackward", "aclnnBatchNormElemtBackward", "aclnnGeluBackwardV2",
    "aclnnGroupedBiasAddGrad", "aclnnPreluBackward",
)  # fmt: skip
BUILT_IN = [path for name in SEEDS for path in sorted((REPOSITORY / "specs").glob(f"*/*/{name}.yaml"))]


def definitions(paths: Iterable[Path]) -> Iterator[Definition]:
    """The operators of spec files."""
    for path in paths:
        yield from load_file(str(path)).definitions


def whole(definition: Definition) -> Definition:
    """An operator as if its spec were whole: what the trial specs leave out are rules."""
    definition.spec = definition.spec.model_copy(update={"partial": None})
    return definition


_ALL = {
    f"{definition.spec.release}/{definition.name}": whole(definition)
    for definition in definitions((*BUILT_IN, *TRIAL, *OWN))
}

#: those with an example, by ``release/name``
OPERATORS = {name: definition for name, definition in _ALL.items() if definition.spec.example is not None}

#: the one without
PLACEHOLDER = _ALL["9.1.0/aclnnStubPlaceholder"]

_NAMES = (
    "aclnnGeluBackwardV2", "aclnnForeachAddcdivScalarList", "aclnnStubArrays", "aclnnStubBare", "aclnnStubHelper",
    "aclnnStubKinds", "aclnnStubValues",
)  # fmt: skip

#: what is looked at more closely: every kind of param, both interfaces, both forms of the stream
CLOSELY = (PLACEHOLDER, *(OPERATORS[f"9.1.0/{name}"] for name in _NAMES))


def written(definition: Definition, folder: Path) -> list[Path]:
    """The files of an operator's stub, written to a folder: all but the build file."""
    texts = {folder / name: text for name, text in stub(definition).items() if name != "CMakeLists.txt"}
    for path, text in texts.items():
        path.write_text(text, encoding="ascii")
    return list(texts)


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
