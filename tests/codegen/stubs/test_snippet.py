"""Promise: the call that a page shows compiles against the SDK's headers as C99 and as C++17, without a warning."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opspec.codegen.headers import operator_headers
from opspec.codegen.prototypes import entry
from opspec.codegen.stubs.snippet import snippet
from opspec.docs.example import outcome
from opspec.model.definition import Definition
from opspec.model.example import example_of
from opspec.registry.registry import definition_of, registry
from tests.codegen.stubs.compilers import compiled
from tests.paths import REPOSITORY

RELEASE = "9.1.0"
SHARE = 40  # of the registry's operators one in so many is compiled
HEADERS = REPOSITORY / "opspec" / "csrc" / "include"


def program(text: str) -> str:
    """What a page shows as a file, with a prototype of its function."""
    (head,) = re.findall(r"^int run\w+\([^)]*\)$", text, re.M)
    assert all(line.endswith(",") for line in head.splitlines()[:-1]), head  # no param is torn
    return text.replace(head, f"{head};\n{head}")


def shown(definition: Definition) -> str | None:
    """The call that the page of an operator shows."""
    found = outcome(definition)
    return None if found is None else snippet(definition, found.args)


def written(calls: list[tuple[Definition, str]], folder: Path) -> list[Path]:
    """The files that make calls, beside the operators' headers."""
    for name, content in operator_headers(entry(definition) for definition, _ in calls).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    files = []
    for definition, text in calls:
        files.append(folder / f"{definition.name}_snippet.c")
        files[-1].write_text(program(text) + "\n", encoding="utf-8")
    return files


def changed(definition: Definition, **args: object) -> str:
    """The call of an operator's example with other arguments."""
    text = snippet(definition, {**example_of(definition)[1], **args})
    assert text is not None
    return text


@pytest.mark.parametrize(("language", "standard"), [("gcc-c11", "c99"), ("clang-c11", "c99"), ("g++-c++17", "c++17")])
def test_calls_of_pages_compile(language: str, standard: str, tmp_path: Path) -> None:
    """Of a share of all operators, those with lists, scalars, arrays and private formats among them."""
    entries = registry().entries(RELEASE)
    few = ["aclnnAddRelu", "aclnnGroupedMatmulV5", "aclnnForeachAddScalarList", "aclnnReplicationPad3d", "aclnnClamp"]
    chosen = [definition_of(entries[name]) for name in sorted({*few, *sorted(entries)[::SHARE]})]
    files = written([(one, text) for one in chosen if (text := shown(one)) is not None], tmp_path)
    assert len(files) > len(few)
    compiled(language, (f"-std={standard}", f"-I{tmp_path}", f"-I{HEADERS}"), files)


def test_a_null_has_the_name_of_its_param() -> None:
    """Of what is no variable a reader would not know which param it is."""
    text = changed(definition_of(registry().find("aclnnAddRelu", RELEASE)), alpha=None)
    assert "GetWorkspaceSize(self, other, /* alpha */ NULL, out, &size, &executor);" in text


def test_a_view_has_strides() -> None:
    """And the storage that holds it."""
    view = {"tensor": {"shape": [4, 2], "dtype": "FLOAT", "strides": [1, 4]}}
    text = changed(definition_of(registry().find("aclnnAddRelu", RELEASE)), self=view)
    assert "aclCreateTensor(shape4x2, 2, ACL_FLOAT, stride1x4, 0, ACL_FORMAT_ND, shape8, 1, selfData);" in text


def test_the_name_of_a_group_is_given() -> None:
    """No text but one of HCCL's is such a name; an empty one, which is none, stands in the call."""
    text = changed(definition_of(registry().find("aclnnMoeDistributeCombineV2", RELEASE)))
    assert "const char *groupEp" in text.partition(")")[0]
    assert 'char groupTp[] = "";' in text
