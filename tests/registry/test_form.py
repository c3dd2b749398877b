"""A compiled form says the same whether its code runs or the interpreter stands in for it, and when it was packed."""

from __future__ import annotations

from pathlib import Path

import pytest

from opspec.model.example import example_of
from opspec.registry import registry, shipped
from opspec.registry.registry import Registry, definition_of
from opspec.validator.arguments import arguments_of
from opspec.validator.judge import judge

OPERATORS = ("aclnnAddLora", "aclnnConvolution", "aclnnGeluBackwardV2", "aclnnScatter")


@pytest.mark.parametrize("operator", OPERATORS)
def test_the_first_calls_come_to_the_same_as_later_ones(operator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each argument of a legal call left out in turn: nulls, what is skipped for them, and what lacks data."""
    monkeypatch.setattr(registry, "INTERPRETED", 1)
    known = Registry()
    product, args = example_of(definition_of(known.find(operator)))
    for name, value in args.items():
        for other in (None, product):
            form = Registry().form(operator)
            if isinstance(value, dict):
                typed = arguments_of(form, {**args, name: None})
                first, later = (judge(form, typed, other) for _ in range(2))
                assert first.to_dict() == later.to_dict()


def test_what_is_packed_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several packs, and of an operator in several releases; what is not there is not found."""
    monkeypatch.setattr(shipped, "TOGETHER", (40, 100, 1000))
    forms = [
        (release, f"aclnn{number}-{number:024x}", (f"code {number} {release}", f"info {number}", f"judge {release}"))
        for number in range(30)
        for release in ("8.5.0", "9.1.0")
    ]
    shipped.write(str(tmp_path), b"mark", forms)
    monkeypatch.setattr(shipped, "FOLDER", str(tmp_path))
    assert shipped.engine() == b"mark"
    for release, name, parts in forms:
        assert shipped.name(release, name.partition("-")[0]) == name
        assert tuple(shipped.part(release, name, which) for which in range(3)) == parts
    assert shipped.name("9.1.0", "aclnn") is None
    assert shipped.part("9.1.0", "aclnn1-0", shipped.CODE) is None
