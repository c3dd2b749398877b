"""Promise: the few lines of C that a page shows compile with the stub's header, without a warning."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opspec.codegen.stubs.call import stub
from opspec.codegen.stubs.snippet import snippet
from opspec.docs.example import outcome
from opspec.model.definition import Definition
from opspec.model.example import example_of
from opspec.registry.registry import definition_of, registry
from opspec.vocabulary import dtypes, formats
from tests.codegen.stubs.compilers import compiled

RELEASE = "9.1.0"
SHARE = 40  # of the registry's operators one in so many is compiled

#: what acl/acl.h has, for operators of which a page shows another call than the stub makes
_CONSTANTS = "".join(
    f"#ifndef {name}\n#define {name} {number}\n#endif\n"
    for name, number in (
        *((dtypes.enumerator(name), dtypes.number(name)) for name in dtypes.names()),
        *((formats.enumerator(name), formats.number(name)) for name in formats.names()),
    )
)


def program(text: str) -> str:
    """What a page shows as a file, with the constants that its header may lack and a prototype of its function."""
    (head,) = re.findall(r"^int run\w+\([^)]*\)$", text, re.M)
    assert all(line.endswith(",") for line in head.splitlines()[:-1]), head  # no param is torn
    return text.replace(head, f"{_CONSTANTS}{head};\n{head}")


def shown(definition: Definition) -> str | None:
    """The call that the page of an operator shows."""
    found = outcome(definition)
    if found is None:
        return None
    return snippet(definition, example_of(definition)[1] if found.worked is None else found.worked.args)


def written(definition: Definition, text: str, folder: Path) -> Path:
    """The file that makes the call, beside the stub's header."""
    for name, content in stub(definition).items():
        if name.endswith(".h"):
            (folder / name).write_text(content, encoding="utf-8")
    path = folder / f"{definition.name}_snippet.c"
    path.write_text(program(text) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("language", ["gcc-c11", "clang-c11"])
def test_calls_of_pages_compile(language: str, tmp_path: Path) -> None:
    """Of a share of all operators, those with lists, scalars, arrays and private formats among them."""
    entries = registry().entries(RELEASE)
    few = ["aclnnAddRelu", "aclnnGroupedMatmulV5", "aclnnForeachAddScalarList", "aclnnReplicationPad3d", "aclnnClamp"]
    files = []
    for name in (*few, *sorted(entries)[::SHARE]):
        definition = definition_of(entries[name])
        text = shown(definition)
        if text is not None:
            files.append(written(definition, text, tmp_path))
    assert len(files) > len(few)
    compiled(language, (f"-I{tmp_path}",), files)


def test_an_argument_stands_on_a_line() -> None:
    """In the order of the prototype, and none that is null."""
    definition = definition_of(registry().find("aclnnAddRelu", RELEASE))
    text = snippet(definition, {**example_of(definition)[1], "alpha": None})
    assert text is not None
    assert re.findall(r"^ +\.(\w+) =", text, re.M) == ["self", "other", "out"]


def test_a_view_has_no_such_form() -> None:
    """Strides are the whole program's."""
    definition = definition_of(registry().find("aclnnAddRelu", RELEASE))
    view = {"tensor": {"shape": [4, 2], "dtype": "FLOAT", "strides": [1, 4]}}
    assert snippet(definition, {**example_of(definition)[1], "self": view}) is None
