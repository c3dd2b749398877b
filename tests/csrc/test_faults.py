"""A fault of opspec itself is told as one, with operator and rule: it never reads as a legal call."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.csrc.build import HERE, RULES, build

FAILED = -1
BEYOND = "the rule came to what no rule comes to"
#: what is broken -> the rule that is named, and what is said
BROKEN = {
    **dict.fromkeys(
        ("outcome_beyond", "outcome_below", "outcome_wide", "outcome_true", "outcome_guard", "guard_beyond",
         "guard_below"), (1, BEYOND),
    ),
    "rule_twice": (0, BEYOND),
    **dict.fromkeys(("early_beyond", "rule_beyond", "rule_below", "too_many_early"), (-1, BEYOND)),
    "too_many": (-1, BEYOND),
    "other_version": (-1, "the operator was compiled for another version of opspec"),
    "too_large": (-1, "the operator has more rules than there is room for"),
}  # fmt: skip


@pytest.mark.parametrize("cc", ["gcc", "clang"])
def test_what_no_rule_comes_to_is_a_fault_and_names_the_rule(cc: str, tmp_path: Path) -> None:
    if shutil.which(cc) is None:
        pytest.skip(f"no {cc} here")
    sources = [
        HERE / "faults_main.c", RULES / "opspec_judge.c", RULES / "opspec_rules.c",
        tmp_path / "rules" / "runtime" / "opspec_vocabulary.c",
    ]  # fmt: skip
    program = build(tmp_path / "faults", sources, "-fsanitize=address,undefined", "-lm", cc=cc)
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    found = {}
    for line in done.stdout.splitlines():
        name, returned, legal, status, rule, fault = line.split("|")
        assert returned == status
        assert legal == str(int(status == "0"))
        found[name] = (int(status), int(rule), fault)
    assert found.pop("legal") == (0, -1, "")
    assert found.pop("illegal") == (161002, -1, "")
    assert found == {name: (FAILED, rule, fault) for name, (rule, fault) in BROKEN.items()}
