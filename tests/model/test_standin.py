"""Promise: of an operator whose calls nobody recorded those speak that stand nearest: its own on another release, then
its twin's, then those of another version that has rules in common with it; and what they say is no more than assumed.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from opspec.model.enforcement import enforcement
from opspec.model.evidence import Recorded, text_of
from opspec.model.lines import EVIDENCE
from opspec.model.load import load_file
from opspec.model.standin import numbered, stand_ins
from opspec.registry.content import content
from opspec.registry.folders import Entry
from opspec.vocabulary.enforcement import REFUSED, UNCHECKED
from tests.model.building import spec

RULE = "out-shape"
BODY = f"""
params:
  - {{name: self, ctype: const aclTensor*, dtype: [FLOAT]}}
  - {{name: out, ctype: aclTensor*, io: out, dtype: [FLOAT]}}
rules:
  {RULE}: out same shape as self
"""
REFUSALS, SUCCESSES = {"910b": Recorded(refused=5)}, {"910b": Recorded(through=5)}


def write(root: Path, release: str, operator: str, extends: str = "") -> Path:
    """A spec of a registry: of its own, or one that extends another."""
    path = root / release / "math" / f"{operator}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = spec(BODY).replace("aclnnX", operator).replace("release: 9.9", f"release: {release}")
    path.write_text(f"operator: {operator}\nextends: {extends}\n" if extends else whole, encoding="utf-8")
    return path


def record(root: Path, release: str, **operators: dict[str, Recorded]) -> None:
    """What was recorded on a release of the rule that all operators here have."""
    known = {operator: {RULE: recorded} for operator, recorded in operators.items()}
    (root / release / EVIDENCE).write_text(text_of(known), encoding="utf-8")


def found(path: Path) -> tuple[str, bool]:
    """What becomes of calls that break the rule, and whether that is assumed."""
    (definition,) = load_file(str(path)).definitions
    met = enforcement(next(rule for rule in definition.rules if rule.id.endswith(RULE)), definition)
    return met.on_product("910b"), met.assumed


@pytest.mark.parametrize(("first", "second"), [("aclnnX", "aclnnXV2"), ("aclnnXV2", "aclnnX")])
def test_another_version_speaks_whichever_extends_the_other(tmp_path: Path, first: str, second: str) -> None:
    path, heir = write(tmp_path, "9.1.0", first), write(tmp_path, "9.1.0", second, first)
    for silent, telling in ((path, second), (heir, first)):
        record(tmp_path, "9.1.0", **{telling: SUCCESSES})
        assert found(silent) == (UNCHECKED, True)


@pytest.mark.parametrize(("release", "operator"), [("9.1.0", "aclnnXV2"), ("8.5.0", "aclnnX")])
def test_one_that_shares_no_rules_does_not_speak(tmp_path: Path, release: str, operator: str) -> None:
    """Be it another version or another release: neither spec extends the other."""
    path = write(tmp_path, "9.1.0", "aclnnX")
    before = found(path)
    write(tmp_path, release, operator)
    record(tmp_path, release, **{operator: SUCCESSES if before[0] == REFUSED else REFUSALS})
    assert found(path) == before


def test_an_interface_that_is_generated_does_not_speak_for_one_written_by_hand(tmp_path: Path) -> None:
    """It leaves to tiling what the other checks itself."""
    path, heir = write(tmp_path, "9.1.0", "aclnnX"), write(tmp_path, "9.1.0", "aclnnXV2", "aclnnX")
    record(tmp_path, "9.1.0", aclnnX=SUCCESSES)
    assert found(heir) == (UNCHECKED, True)
    path.write_text(f"{path.read_text(encoding='utf-8')}generated_from: X\n", encoding="utf-8")
    heir.write_text(f"{heir.read_text(encoding='utf-8')}generated_from: null\n", encoding="utf-8")
    assert [*stand_ins(str(heir), "aclnnXV2")] == []


def test_an_operators_twin_speaks_before_another_version_and_each_where_the_others_tell_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, "9.1.0", "aclnnX")
    twins = path.with_name("aclnnX+aclnnInplaceX.yaml")
    twin = "twin: {operator: aclnnInplaceX, rename: {self: selfRef, out: selfRef}}\n"
    twins.write_text(f"{path.read_text(encoding='utf-8')}{twin}", encoding="utf-8")
    path.unlink()
    write(tmp_path, "9.1.0", "aclnnXV2", "aclnnX")
    record(tmp_path, "9.1.0", aclnnInplaceX=REFUSALS, aclnnXV2=SUCCESSES)
    whose = [json.loads(line)["op"] for _, line in stand_ins(str(twins), "aclnnX")]
    assert whose == ["aclnnInplaceX", "aclnnXV2"]
    first, _ = load_file(str(twins)).definitions
    assert enforcement(next(rule for rule in first.rules if rule.id == RULE), first).on_product("910b") == REFUSED


def test_its_own_calls_come_first_then_those_of_another_release_then_the_nearest_version(tmp_path: Path) -> None:
    path = write(tmp_path, "9.1.0", "aclnnXV3")
    write(tmp_path, "9.1.0", "aclnnXV2", "aclnnXV3")
    write(tmp_path, "9.1.0", "aclnnX", "aclnnXV3")
    write(tmp_path, "8.5.0", "aclnnXV3", "9.1.0/aclnnXV3")
    record(tmp_path, "9.1.0", aclnnX=REFUSALS, aclnnXV2=SUCCESSES)
    assert found(path) == (UNCHECKED, True)
    record(tmp_path, "8.5.0", aclnnXV3=REFUSALS)
    assert found(path) == (REFUSED, True)
    record(tmp_path, "9.1.0", aclnnXV3=SUCCESSES)
    assert found(path) == (UNCHECKED, False)


def test_a_form_is_compiled_anew_where_what_speaks_for_it_changes(tmp_path: Path) -> None:
    path = write(tmp_path, "9.1.0", "aclnnX")
    write(tmp_path, "9.1.0", "aclnnXV2", "aclnnX")
    entry = Entry("aclnnX", "9.1.0", "math", str(path))
    seen = set()
    for recorded in ({}, {"aclnnXV2": REFUSALS}, {"aclnnXV2": SUCCESSES}):
        record(tmp_path, "9.1.0", **recorded)
        seen.add(content(entry)[1])
    assert len(seen) == 3


def test_versions_are_told_by_their_numbers() -> None:
    assert numbered("aclnnXV3") == ("aclnnX", 3)
    assert numbered("aclnnX") == ("aclnnX", 1)
    assert numbered("aclnnConv2d") == ("aclnnConv2d", 1)


@pytest.mark.parametrize(("enforced", "met"), [("no", UNCHECKED), ("yes", REFUSED)])
def test_what_its_author_knows_to_come_through_no_other_release_overrules(
    tmp_path: Path, enforced: str, met: str
) -> None:
    older, path = write(tmp_path, "8.5.0", "aclnnX", "9.1.0/aclnnX"), write(tmp_path, "9.1.0", "aclnnX")
    says = f"{RULE}: {{check: out same shape as self, enforced: {enforced}, evidence: what it says}}"
    path.write_text(path.read_text(encoding="utf-8").replace(f"{RULE}: out same shape as self", says), encoding="utf-8")
    record(tmp_path, "8.5.0", aclnnX=REFUSALS)
    assert found(path)[0] == met
    assert found(older)[0] == REFUSED
