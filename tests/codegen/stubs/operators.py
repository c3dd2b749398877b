"""The operators whose stubs are tested."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from opspec.codegen.stubs.call import stub
from opspec.model.definition import Definition
from opspec.model.load import load_file
from tests.paths import REPOSITORY

HERE = Path(__file__).resolve().parent

OWN = sorted((HERE / "specs").glob("*/*/*.yaml"))
TRIAL = sorted((REPOSITORY / "tests" / "trial" / "specs").glob("*/*.yaml"))

#: operators of the registry whose stubs run under sanitizers; those of all others run, too (all_run.py)
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
    return replace(definition, spec=definition.spec.model_copy(update={"partial": None}))


_ALL = {
    f"{definition.spec.release}/{definition.name}": whole(definition)
    for definition in definitions((*BUILT_IN, *TRIAL, *OWN))
}

#: those with an example, by ``release/name``
OPERATORS = {name: definition for name, definition in _ALL.items() if definition.spec.example is not None}

#: the one without
PLACEHOLDER = _ALL["9.1.0/aclnnStubPlaceholder"]

#: those whose stubs run, by name: of the registry, and of the tests' own
RUN = {
    definition.name: definition
    for definition in (
        *definitions(path for path in BUILT_IN if path.parts[-3] == "9.1.0"),
        *definitions(sorted((REPOSITORY / "specs" / "9.1.0").glob("*/aclnnForeachAddcdivScalarList.yaml"))),
        *definitions(OWN),
    )
}

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
