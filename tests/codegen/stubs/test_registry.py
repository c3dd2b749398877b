"""Every operator of the registry: headers and stubs of all of them compile."""

from __future__ import annotations

from pathlib import Path

import pytest

from opspec.codegen.prototypes import by_header, header
from opspec.codegen.stubs.call import stub
from opspec.errors import OpspecError
from opspec.model.definition import Definition
from opspec.registry.registry import Registry, all_loaded
from tests.codegen.stubs.compilers import LANGUAGES, compiled, with_headers
from tests.codegen.stubs.many import compile_each, compile_together, of_every_form
from tests.paths import needs_headers

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("stubs")]  # loads the specs of all operators, once


@pytest.fixture(scope="session")
def everything() -> list[Definition]:
    """All operators of the newest release."""
    known = Registry()
    return [definition for loaded in all_loaded(known, known.releases()[-1]) for definition in loaded.definitions]


@pytest.fixture(scope="session")
def operators(everything: list[Definition]) -> list[Definition]:
    """Those of which there can be a stub."""
    return [definition for definition in everything if definition.spec.partial is None]


def test_partial_operators_are_refused(everything: list[Definition]) -> None:
    """A partial spec may lack a param."""
    for definition in everything:
        if definition.spec.partial is not None:
            with pytest.raises(OpspecError, match="partial"):
                stub(definition)


@needs_headers
def test_all_prototypes_in_one_header_compile(operators: list[Definition], tmp_path: Path) -> None:
    """In every language, with and without CANN."""
    path = tmp_path / "all.h"
    path.write_text(header(operators, "ALL_H"), encoding="ascii")
    for language in LANGUAGES:
        compiled(language, (), [path])
        compiled(language, with_headers(), [path])


def test_a_header_per_header_of_cann_compiles(operators: list[Definition], tmp_path: Path) -> None:
    """All of them in one program."""
    texts = by_header(operators)
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")
    program = tmp_path / "all.c"
    program.write_text("".join(f'#include "{name}"\n' for name in texts), encoding="ascii")
    for language in ("gcc-c11", "clang++-c++17"):
        compiled(language, (f"-I{tmp_path}",), [program])


@needs_headers
@pytest.mark.parametrize(("language", "half"), [("g++-c++17", 0), ("clang++-c++17", 1)])
def test_all_stubs_compile(language: str, half: int, operators: list[Definition], tmp_path: Path) -> None:
    """As C++, half of them with each compiler; with examples and with placeholders."""
    compile_together(language, operators[half::2], tmp_path)


@pytest.mark.parametrize(("language", "step"), [("gcc-c11", 1), ("clang-c11", 5)])
def test_stubs_of_every_form_compile(language: str, step: int, operators: list[Definition], tmp_path: Path) -> None:
    """As C, an operator for every set of kinds of params; clang, which is slow to start, takes some of them."""
    compile_each(language, of_every_form(operators)[::step], tmp_path)
