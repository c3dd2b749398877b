"""``opspec stub --check``: the wrapper judges its arguments as ``opspec check`` does, before it calls anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from opspec.codegen.stubs.call import stub
from opspec.model.definition import Definition
from tests.codegen.stubs.compilers import LANGUAGES, compiled, ran, with_headers
from tests.codegen.stubs.linked import LIBRARIES
from tests.codegen.stubs.operators import CLOSELY, RUN
from tests.codegen.stubs.test_run import run
from tests.paths import needs_headers


def written(definition: Definition, folder: Path) -> list[Path]:
    """The files of a stub with rules: its own C, then all other C."""
    paths = []
    for name, text in stub(definition, check=True).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return [path for path in paths if path.suffix == ".c"]


def linked(definition: Definition, folder: Path, sdk: Path) -> Path:
    """Its program, under sanitizers."""
    libraries, program = sdk / "lib64", folder / "example"
    found = (f"-L{libraries}", f"-Wl,-rpath,{libraries}", *(f"-l{name}" for name in LIBRARIES))
    options = ("-std=c11", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    sources = (str(path) for path in sorted(folder.rglob("*.c")))
    ran("gcc", *options, f"-I{folder / 'rules'}", f"-I{sdk / 'include'}", *sources, *found, "-o", str(program))
    return program


C_ONLY = [name for name in LANGUAGES if name.endswith("c11")]


@pytest.mark.parametrize("definition", CLOSELY, ids=lambda definition: definition.name)
@pytest.mark.parametrize("language", C_ONLY)
def test_the_checked_stub_compiles(language: str, definition: Definition, tmp_path: Path) -> None:
    """Every kind of param."""
    own = [path for path in written(definition, tmp_path) if path.parent == tmp_path]
    compiled(language, ("-isystem", str(tmp_path / "rules")), own)


@needs_headers
@pytest.mark.parametrize("language", C_ONLY)
def test_the_checked_stub_compiles_with_the_real_headers(language: str, tmp_path: Path) -> None:
    """With every kind of param at once."""
    own = [path for path in written(RUN["aclnnStubKinds"], tmp_path) if path.parent == tmp_path]
    compiled(language, (*with_headers(), "-isystem", str(tmp_path / "rules")), own)


@pytest.mark.parametrize("name", ["aclnnGeluBackwardV2", "aclnnForeachAddcdivScalarList", "aclnnStubKinds"])
def test_a_legal_call_passes(name: str, stub_sdk: Path, tmp_path: Path) -> None:
    """The rules of the call say nothing, and it is made."""
    written(RUN[name], tmp_path)
    events = tmp_path / "events.jsonl"
    code, said = run(linked(RUN[name], tmp_path, stub_sdk), OPSPEC_EVENTS=events, OPSPEC_OUTPUT="none")
    assert (code, "breaks the rule" in said) == (0, False)
    assert [json.loads(line)["event"] for line in events.read_text(encoding="utf-8").splitlines()].count("call") == 1


def test_an_illegal_call_is_refused_before_anything_is_called(stub_sdk: Path, tmp_path: Path) -> None:
    """With the rule that it breaks; the first phase never sees it."""
    written(RUN["aclnnGeluBackwardV2"], tmp_path)
    source, events = tmp_path / "gelu_backward_v2_example.c", tmp_path / "events.jsonl"
    text = source.read_text(encoding="ascii")
    source.write_text(text.replace('"none"', '"sigmoid"'), encoding="ascii")
    code, said = run(linked(RUN["aclnnGeluBackwardV2"], tmp_path, stub_sdk), OPSPEC_EVENTS=events, OPSPEC_OUTPUT="none")
    assert code == 1
    assert said.startswith("aclnnGeluBackwardV2: breaks the rule approximate.")
    told = [json.loads(line) for line in events.read_text(encoding="utf-8").splitlines()]
    assert not [
        event for event in told if event["event"] in ("call", "finding") and event.get("kind") != "numerics.none"
    ]
