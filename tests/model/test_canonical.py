"""``opspec fmt``: one canonical form that means the same, keeps comments, and is stable."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from opspec.cli.main import main
from opspec.model.canonical import canonical
from opspec.model.load import beside, validated, whole
from opspec.model.spec import Spec
from opspec.yamltext import Document, read, write
from tests.committed import EVERY

SHUFFLED = """\
# the file's head
params:
  # about x
  - {dtype: [FLOAT], name: x, ctype: const aclTensor*}   # trailing
release: "9.9"
products: {'910b': "yes"}
rules: {size: "x.rank > 1"}
summary: {zh: 甲, en: A}
operator: aclnnX
"""

CANONICAL = """\
operator: aclnnX
release: 9.9
summary: {en: A, zh: 甲}
products: {910b: yes}
params:
  - {name: x, dtype: [FLOAT]}
rules:
  size: "x.rank > 1"
"""


def test_keys_are_in_the_models_order_and_expressions_quoted() -> None:
    text = canonical(SHUFFLED, "x.yaml")
    bare = [line.split("#")[0].rstrip() for line in text.splitlines()]
    assert [line for line in bare if line] == CANONICAL.splitlines()


def test_keys_of_extends_stand_where_a_reader_looks_for_them() -> None:
    text = canonical("without: [size]\nextends: aclnnY\noperator: aclnnX\n", "x.yaml")
    assert text == "operator: aclnnX\nextends: aclnnY\nwithout: [size]\n"


def test_params_of_extends_are_ordered_by_key_whatever_they_are_called() -> None:
    """Where they were and where they stand comes first; their names are no keys of the format."""
    own = """\
operator: aclnnX
extends: aclnnY
params:
  let: {was: is, after: null, ctype: bool, rank: null}
  example: {shape: "(N,)"}
  shape: {dtype: [{on: [950], is: FLOAT}]}
"""
    mixed = own.replace(
        "{was: is, after: null, ctype: bool, rank: null}", "{rank: null, ctype: bool, after: null, was: is}"
    )
    assert canonical(mixed, "x.yaml") == own


def test_no_comment_is_lost() -> None:
    text = canonical(SHUFFLED, "x.yaml")
    for comment in ("# the file's head", "# about x", "# trailing"):
        assert text.count(comment) == 1


@pytest.mark.parametrize("paths", EVERY)
def test_any_order_of_keys_gives_the_same_text_and_meaning(paths: list[Path]) -> None:
    """Shuffling the keys of mappings whose order means nothing changes nothing, in every committed spec."""
    for path in paths:
        before = path.read_text(encoding="utf-8")
        document = read(before, str(path))
        assert isinstance(document.value, dict)
        shuffled = write(in_any_order(document.value, path.stem), document.comments)
        assert canonical(shuffled, str(path)) == before, path
        assert meaning(read(shuffled, str(path)), path) == meaning(document, path), path


def in_any_order(spec: dict[str, Any], seed: str) -> dict[str, Any]:
    """The spec with its keys shuffled."""
    keys = list(spec)
    random.Random(seed).shuffle(keys)
    return {key: spec[key] for key in keys}


def meaning(document: Document, path: Path) -> Spec:
    """The model of a spec's text that stands at this path, with what it extends."""
    return validated(whole(document, lambda operator: beside(str(path), operator)))


def test_fmt_changes_files_in_place_and_check_only_names_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(SHUFFLED, encoding="utf-8")
    assert main(["fmt", "--check", str(file)]) == 1
    assert file.read_text(encoding="utf-8") == SHUFFLED
    assert main(["fmt", str(file)]) == 0
    assert main(["fmt", "--check", str(file)]) == 0
    assert str(file) in capsys.readouterr().out


def test_fmt_leaves_a_broken_file_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.yaml"
    file.write_text("operator: [", encoding="utf-8")
    assert main(["fmt", str(file)]) == 2
    assert file.read_text(encoding="utf-8") == "operator: ["
    assert capsys.readouterr().err.count("\n") == 1
