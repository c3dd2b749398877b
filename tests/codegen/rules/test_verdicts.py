"""Promise: the C rules come to the verdicts of Python: status, legality, what is refused, unchecked,
unknown, contradicted and undecided, and what of it is assumed, in order.

Here for a sample of operators, on recorded calls, legal ones and mutations of them. ``OPSPEC_EXAMPLES`` multiplies the
sample; ``OPSPEC_C_LIBRARY`` names a library of all operators of 9.1.0 that was built before (``opspec c``, then
``make libopspec_rules.so``), and all of them are compared.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from opspec.registry.registry import Registry, definition_of
from tests.codegen.rules.differential import Tally, compare_generated, generated, messages
from tests.codegen.rules.native import LIBRARY, Library, build
from tests.codegen.rules.recorded import compare_recorded
from tests.committed import MANY
from tests.once import once
from tests.recorded import RECORDS

RELEASE = "9.1.0"
REGISTRY = Registry()
ENTRIES = REGISTRY.entries(RELEASE)

#: constructs that are rare in specs: tables, lists of lists, scenarios, uint64_t, values, early successes, many rules,
#: kernel lookups
RARE = (
    "aclnnWeightQuantBatchMatmulV2", "aclnnTransQuantParam", "aclnnQuantMatmulV5", "aclnnFlashAttentionScoreV4",
    "aclnnSplitTensor", "aclnnAddr", "aclnnLSTM", "aclnnScatter", "aclnnForeachAddcdivScalarList", "aclnnNonzero",
    "aclnnGroupedMatmulWeightNz", "aclnnAddLayerNorm", "aclnnMlaPreprocess",
)  # fmt: skip


def names() -> list[str]:
    """The operators to compare."""
    if "OPSPEC_C_LIBRARY" in os.environ:
        return sorted(ENTRIES)
    others = sorted(set(ENTRIES) - set(RARE))
    return [*RARE, *random.Random(6).sample(others, min(15 * MANY, len(others)))]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The operators, compiled once for all workers."""
    built = os.environ.get("OPSPEC_C_LIBRARY")
    if built:
        return Library(built)
    folder = once(tmp_path_factory, "rules-of-a-sample", lambda folder: build(str(folder), names()))
    return Library(str(folder / LIBRARY))


def test_generated_calls(library: Library, capsys: pytest.CaptureFixture[str]) -> None:
    tally = Tally()
    for name in names():
        definition, form = definition_of(ENTRIES[name]), REGISTRY.form(name, RELEASE)
        compare_generated(library, definition, form, seeds=2 * MANY, mutations=60 * MANY, tally=tally)
    with capsys.disabled():
        print(f"\n{tally}")
    assert not tally.differences, tally.differences[:3]
    assert tally.legal > tally.calls / 10
    assert tally.calls - tally.legal > tally.calls / 10
    assert tally.untold > tally.calls / 100
    assert tally.limited < tally.calls / 100
    assert tally.wrong == 0
    assert tally.at_once > tally.silent * 0.8, "the fast path is there to decide most legal calls"


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: str(path.name))
def test_recorded_calls(library: Library, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What C says of a broken rule is what Python says, too: requirement, failed element, values, condition."""
    tally = Tally()
    for name in names():
        compare_recorded(library, REGISTRY.form(name, RELEASE), path, tally)
    with capsys.disabled():
        print(f"\n{path.name}: {tally}")
    assert tally.calls
    assert not tally.differences, tally.differences[:3]
    assert tally.sentences
    assert not tally.reworded, tally.reworded[:3]


def test_messages_of_generated_calls(library: Library, capsys: pytest.CaptureFixture[str]) -> None:
    """The same of calls that no one would record; Python tells a boolean among numbers, C does not."""
    count, different = 0, []
    for name in names():
        form = REGISTRY.form(name, RELEASE)
        definition = definition_of(ENTRIES[name])
        for call, product in generated(definition, form, seeds=1, mutations=6 * MANY):
            args = tuple(call[param.name] for param in definition.params)
            for told in messages(library, form, args, product):
                count += 1
                different += [(name, *told)] if told[1] != told[2] else []
    with capsys.disabled():
        print(f"\n{count} messages, {len(different)} of them different")
    assert count
    assert len(different) <= count / 50, different[:3]
