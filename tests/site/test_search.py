"""Promise: what people type finds what they want: typos, names of PyTorch, ONNX and MindSpore, phrases and Chinese."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from opspec import web
from opspec.model.values import Bilingual
from opspec.registry.registry import Registry, spec_of
from opspec.site.names import called_so, other_names, other_words
from opspec.site.pages import search_files
from opspec.site.search import words
from opspec.yamltext.reader import read
from tests.once import once
from tests.site.sites import whole

HERE = Path(__file__).parent
RELEASE = "9.1.0"
FIRST = 59  #: of 60 queries
OTHERS = 36  #: of 40 that were written when the search was made


def records() -> list[dict[str, Any]]:
    """What the search has of every operator, without making its pages."""
    known = Registry()
    found = []
    for name, entry in sorted(known.entries(RELEASE).items()):
        spec = spec_of(entry)
        own = spec.twin.summary if spec.twin is not None and spec.twin.operator == name else None
        said = own or spec.summary
        summary = said.model_dump() if isinstance(said, Bilingual) else {"en": "", "zh": ""}
        params = [param[0] for param in known.form(name, RELEASE).params]
        listed = {"op": name, "family": entry.family, "summary": summary, "products": dict(spec.products)}
        abouts = [param.about for param in spec.params if isinstance(param.about, Bilingual)]
        texts = [text for about in abouts for text in about.model_dump().values()]
        found.append({**listed, "params": params, "texts": texts})
    return found


def write(folder: Path) -> None:
    """The files that the search loads."""
    for path, text in search_files(RELEASE, records()).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the release's data: of a whole site, or made here."""
    return (whole() or once(tmp_path_factory, "search", write)) / "data" / RELEASE


def answers(data: Path, queries: list[str], lang: str) -> list[dict[str, Any]]:
    """What the script of the site finds."""
    script = Path(web.SITE) / "find.js"
    command = ["node", str(HERE / "searching.js"), str(script), str(data), lang]
    ran = subprocess.run(command, input=json.dumps(queries), capture_output=True, text=True, check=True)
    found: list[dict[str, Any]] = json.loads(ran.stdout)
    return found


def missed(data: Path, name: str, lang: str) -> dict[str, list[str]]:
    """Query -> what came instead, of those of a file whose first answer is none that is wanted."""
    wanted: Any = read((HERE / "data" / name).read_bytes(), name).value
    found = answers(data, [*wanted], lang)
    return {
        query: answer["titles"][:3]
        for (query, names), answer in zip(wanted.items(), found, strict=True)
        if not {first := (answer["titles"] or [""])[0], re.sub(r"V\d+$", "", first)} & set(names)
    }


@pytest.mark.node
@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("name", "least", "of"),
    [
        ("queries.yaml", FIRST, 60),
        ("others.yaml", OTHERS, 40),
        ("found.yaml", 22, 22),
        ("typed.yaml", 29, 30),
        ("asked.yaml", 116, 120),
        ("unkind.yaml", 216, 227),
    ],
)
def test_what_is_wanted_comes_first(data: Path, lang: str, name: str, least: int, of: int) -> None:
    wrong = missed(data, name, lang)
    assert of - len(wrong) >= least, wrong


@pytest.mark.node
@pytest.mark.slow
def test_a_typo_is_said_and_what_is_written_well_is_not(data: Path) -> None:
    typo, well, nothing = answers(data, ["aclnnGeluBakwardV2", "GeluBackwardV2", "qqzzxx"], "en")
    assert (typo["read"], typo["titles"][0]) == ("gelubackwardv2", "aclnnGeluBackwardV2")
    assert (well["read"], well["titles"][0]) == (None, "aclnnGeluBackwardV2")
    assert nothing == {"read": None, "titles": []}


@pytest.mark.node
@pytest.mark.slow
def test_a_name_finds_its_operator(data: Path) -> None:
    """Every operator by its whole name, and every one by its name without the prefix, as words."""
    names = [*Registry().entries(RELEASE)]
    apart = [re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.removeprefix("aclnn")).lower() for name in names]
    for queries in (names, apart):
        found = answers(data, queries, "en")
        assert [name for name, answer in zip(names, found, strict=True) if name != (answer["titles"] or [""])[0]] == []


def test_other_names_are_of_operators_that_are_there() -> None:
    known = Registry()
    operators = {name for release in known.releases() for name in known.entries(release)}
    assert set(other_names()) <= operators
    assert "gelu_backward" not in other_names()["aclnnGeluBackward"]  # which is its name


def test_other_words_are_of_words_that_names_have() -> None:
    known = Registry()
    found = {word for name in known.entries(RELEASE) for word in words(name.removeprefix("aclnn"))}
    found = {word.rstrip("0123456789") for word in found}
    assert set(other_words()) - found == set()
    assert "backward" in called_so()["反向"]
