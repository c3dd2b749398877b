"""``opspec fmt``: one canonical form that means the same, keeps comments, and is stable."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from opspec.cli.main import main
from opspec.spec.canonical import canonical
from opspec.spec.load import load_text
from opspec.yamltext import read, write

SPECS = sorted((Path(__file__).resolve().parent.parent.parent / "specs").glob("*/*/*.yaml"))

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
summary:
  en: A
  zh: 甲
products: {910b: yes}
params:
  - name: x
    ctype: const aclTensor*
    dtype: [FLOAT]
rules:
  size: "x.rank > 1"
"""


def test_keys_are_in_the_models_order_and_expressions_quoted() -> None:
    text = canonical(SHUFFLED, "x.yaml")
    bare = [line.split("#")[0].rstrip() for line in text.splitlines()]
    assert [line for line in bare if line] == CANONICAL.splitlines()


def test_no_comment_is_lost() -> None:
    text = canonical(SHUFFLED, "x.yaml")
    for comment in ("# the file's head", "# about x", "# trailing"):
        assert text.count(comment) == 1


@pytest.mark.parametrize("path", SPECS, ids=lambda path: f"{path.parent.parent.name}/{path.stem}")
def test_any_order_of_keys_gives_the_same_text_and_meaning(path: Path) -> None:
    """Shuffling the keys of mappings whose order means nothing changes nothing."""
    before = path.read_text(encoding="utf-8")
    document = read(before, path.name)
    assert isinstance(document.value, dict)
    keys = list(document.value)
    random.Random(path.stem).shuffle(keys)
    shuffled = write({key: document.value[key] for key in keys})
    assert canonical(shuffled, path.name) == before
    assert load_text(shuffled).spec == load_text(before).spec


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
