"""Promises of finding operators: by what logs and people call them, near what was meant, and fast where it fails."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from opspec.errors import OpspecError
from opspec.registry.names import Catalogue, Near, matches, spellings
from opspec.registry.registry import Registry, registry
from tests.committed import SPECS, operators

SPEC = "operator: {0}\nrelease: 9.1.0\nproducts: {{910b: yes}}\nparams:\n  - {{name: x, ctype: const aclTensor*}}\n"


@pytest.mark.parametrize("name", ["aclnnAdd", "Add", "aclnnAddGetWorkspaceSize", "AddGetWorkspaceSize"])
def test_an_operator_is_found_by_what_logs_and_people_call_it(name: str) -> None:
    """The function in a log or a backtrace is that of the first phase."""
    assert registry().find(name).operator == "aclnnAdd"
    assert registry().form(name).operator == "aclnnAdd"
    assert registry().find(name, "9.1.0").operator == "aclnnAdd"


def test_every_operator_is_found_by_each_spelling() -> None:
    known = registry()
    for release, name in operators(SPECS):
        for spelled in (name, name.removeprefix("aclnn"), f"{name}GetWorkspaceSize"):
            assert name in spellings(spelled)
            assert known.find(spelled, release).operator == name


def test_patterns_take_names_with_and_without_their_prefix() -> None:
    assert matches("aclnnAdd", "add")
    assert matches("aclnnAddLayerNorm", "Add*Norm")
    assert matches("aclnnAdd", "aclnnAddGetWorkspaceSize")
    assert not matches("aclnnInplaceAdd", "Add")


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("add", "aclnnAdd"), ("aclnnAddd", "aclnnAdd"), ("softmax", "aclnnSoftmax"), ("MatMul", "aclnnMatmul"),
        ("aclnnGeluBackwardV1", "aclnnGeluBackwardV2"), ("LayerNrom", "aclnnLayerNorm"),
        ("aclnnTpok", "aclnnTopk"), ("aclnnGleu", "aclnnGelu"),
        ("aclnnFlashAttention", "aclnnFlashAttentionScore"), ("aclnnMatmullGetWorkspaceSize", "aclnnMatmul"),
    ],
)  # fmt: skip
def test_what_is_suggested_is_near(word: str, name: str) -> None:
    with pytest.raises(OpspecError, match=f"did you mean '{name}'"):
        registry().find(word)


@pytest.mark.parametrize("word", ["", "x", "torch.add", "aclnn", "aclnnQqzzxx", "\0", "a" * 100_000, "é" * 50])
def test_nothing_is_suggested_for_what_is_near_nothing(word: str) -> None:
    with pytest.raises(OpspecError) as raised:
        registry().find(word)
    assert "did you mean" not in str(raised.value)


def test_every_name_is_nearest_to_itself_with_a_letter_wrong() -> None:
    """Or to another that is as near."""
    names = [name for _, name in operators(SPECS)]
    near = Near(names)
    for name in names:
        found = near.to(f"{name[:7]}q{name[8:]}" if len(name) > 9 else name)
        assert found is not None
        assert abs(len(found) - len(name)) <= 3, (name, found)


def test_a_spec_that_is_written_later_is_found(tmp_path: Path) -> None:
    """What was read of folders is read again when they change, at once and later."""
    folder = tmp_path / "9.1.0"
    folder.mkdir()
    known = Registry((str(tmp_path),))
    for number, name in enumerate(("aclnnMineA", "aclnnMineB")):
        with pytest.raises(OpspecError, match="unknown operator"):
            known.find(name)
        (folder if number else tmp_path / "9.1.0" / "own").mkdir(exist_ok=True)
        (folder / ("" if number else "own") / f"{name}.yaml").write_text(SPEC.format(name))
        assert known.find(name).operator == name


def test_unknown_operators_cost_far_less_than_reading_the_folders() -> None:
    """A file may name them a hundred thousand times."""
    known = Catalogue(registry().folders)
    start = time.process_time()
    with pytest.raises(OpspecError):
        known.find("aclnnUnheardOf0")
    first = time.process_time() - start
    start = time.process_time()
    for number in range(1, 101):
        with pytest.raises(OpspecError):
            known.find(f"aclnnUnheardOf{number}")
    assert (time.process_time() - start) / 100 < first / 3
