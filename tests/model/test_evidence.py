"""Promise: what machines recorded of a rule says what becomes of calls that break it, by product; no more than that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.errors import OpspecError
from opspec.model.enforcement import SPARE_BY_ROWS, Enforcement, by_default, enforcement, families, grounds_of
from opspec.model.evidence import FILE, Recorded, evidence_of, file_of, line_of, parsed, read_all, said, text_of
from opspec.model.expand import recorded
from opspec.model.load import load_file
from opspec.vocabulary.enforcement import CONTRADICTED, REFUSED, UNCHECKED
from tests.model.building import definition, spec
from tests.paths import in_folder

BODY = """
params:
  - {name: n, ctype: int64_t, range: "> 0"}
  - {name: x, ctype: const aclTensor*, dtype: FLOAT}
rules:
  size: "x.rank == n"
  own: {check: "n != 7", enforced: no}
  told: {check: "n != 8", enforced: yes, evidence: "a test of mine"}
  row: {check: "n != 9", from: [161002/1]}
  seen: {check: "n != 10", basis: observed, evidence: "a test of mine"}
  late: {check: "n != 11", stage: device}
twin: {operator: aclnnInplaceX, rename: {x: xRef}}
"""


def ways(**evidence: Recorded) -> dict[str, Enforcement]:
    """What becomes of calls that break each rule, with what was recorded of some, all on one product."""
    known = {name.replace("_", "."): {"910b": one} for name, one in evidence.items()}
    found = definition(BODY)
    found = replace(found, rules=recorded(found.rules, known))
    return {rule.id: enforcement(rule, found) for rule in found.rules}


#: of each kind of evidence: what it comes to
SPEAKING = [
    (Recorded(accepted=1), UNCHECKED), (Recorded(refused=1), REFUSED), (Recorded(1, 2), UNCHECKED),
    (Recorded(1, 9), REFUSED), (Recorded(ran=1), CONTRADICTED), (Recorded(0, 9, 1), REFUSED),
]  # fmt: skip


@pytest.mark.parametrize(("one", "way"), SPEAKING)
def test_evidence_settles_what_becomes_of_a_call(one: Recorded, way: str) -> None:
    """Whatever page and author say; a wrong refusal weighs more than a miss; what ran, more than what was accepted."""
    for name in ("size", "n_range", "row", "own", "told"):
        found = ways(**{name: one})[name.replace("_", ".")]
        assert (found.usual, found.assumed) == (way, False)


def test_in_families_that_leave_most_to_tiling_rows_of_return_codes_tell_how_much_is_checked() -> None:
    """The number of rows about invalid arguments counts: one, two, or more."""
    rows = "\n".join(f'  told-{n}: {{check: "n != {20 + n}", from: [161002/{n}]}}' for n in range(1, 6))
    found = definition(f"params:\n  - {{name: n, ctype: int64_t}}\nrules:\n{rows}\n")
    for family in (name for name, kind in families().items() if kind == SPARE_BY_ROWS):
        home = f"specs/9.1.0/{family}/aclnnX.yaml"
        given = (replace(found, home=home, returns=found.returns[:count]) for count in range(6))
        assert [grounds_of(one.rules[0], one).family for one in given] == ["spare"] * 2 + ["spare 2"] + ["spare 3"] * 3


def test_without_evidence_it_is_the_authors_word_or_assumed() -> None:
    found = ways()
    assert [(found[name].usual, found[name].assumed) for name in ("own", "told")] == [
        (UNCHECKED, False), (REFUSED, False),
    ]  # fmt: skip
    rules = {rule.id: rule for rule in definition(BODY).rules}
    for name in ("size", "n.range", "row"):
        assert found[name] == Enforcement(by_default(rules[name], definition(BODY)), assumed=True)


@pytest.mark.parametrize("one", [Recorded(), *(one for one, _ in SPEAKING)])
def test_an_observed_rule_is_refused_and_a_rule_of_the_device_never(one: Recorded) -> None:
    """That is what was observed; and no first phase sees what only the device does."""
    assert ways(seen=one)["seen"].anywhere == {REFUSED}
    assert REFUSED not in ways(late=one)["late"].anywhere


_COUNTS = st.builds(Recorded, st.integers(0, 99), st.integers(0, 99), st.integers(0, 3), st.sampled_from([0, 561103]))
_ON = st.dictionaries(st.sampled_from(["910b", "A3", "950"]), _COUNTS, min_size=1, max_size=3)


@given(_ON)
def test_what_is_known_of_a_product_holds_there(on: dict[str, Recorded]) -> None:
    """On others it is what all calls together say."""
    found = definition(BODY)
    found = replace(found, rules=recorded(found.rules, {"size": on}))
    rule = found.rule("size")
    assert rule is not None
    seen = enforcement(rule, found)
    for product, one in on.items():
        alone = replace(rule, recorded={product: one})
        assert seen.on_product(product) == enforcement(alone, found).usual
    assert seen.on_product("310p") == seen.usual
    assert (seen.usual == CONTRADICTED) is (sum(one.ran - one.refused for one in on.values()) > 0)
    assert seen.status in {one.status for one in on.values()}
    for sentence in said(on):
        assert all(product in sentence for product in on)


def test_what_was_recorded_of_a_rule_that_is_no_more_is_ignored() -> None:
    assert ways(gone=Recorded(1, 0), x_gone=Recorded(0, 1)) == ways()


def test_a_twin_has_the_evidence_of_its_first_unless_it_has_its_own(tmp_path: Path) -> None:
    path = tmp_path / "aclnnX+aclnnInplaceX.yaml"
    path.write_text(spec(BODY), encoding="utf-8")
    first, own = {"910b": Recorded(accepted=1)}, {"910b": Recorded(refused=7)}
    for known, way in (({}, UNCHECKED), ({"xRef.dtype": own}, REFUSED)):
        text = text_of({"aclnnX": {"x.dtype": first}, "aclnnInplaceX": known})
        (tmp_path / FILE).write_text(text, encoding="utf-8")
        second = load_file(str(path)).definitions[1]
        rule = second.rule("xRef.dtype")
        assert rule is not None
        assert enforcement(rule, second).usual == way


_NAMES = st.from_regex(r"aclnn[A-Za-z0-9_]{1,6}", fullmatch=True)
_KNOWN = st.dictionaries(
    _NAMES, st.dictionaries(st.text(min_size=1, max_size=6), _ON, min_size=1, max_size=3), max_size=5
)


@given(_KNOWN, _NAMES)
def test_a_file_reads_back_whole_and_line_by_line(known: dict[str, dict[str, dict[str, Recorded]]], other: str) -> None:
    """The line of an operator is found among others of which the names begin alike."""
    text = text_of(known)
    for name in (*known, other):
        assert parsed(line_of(text.encode(), name), "x") == known.get(name, {})
    with in_folder() as folder:
        (folder / FILE).write_text(text, encoding="utf-8")
        assert read_all(str(folder / FILE)) == known


@pytest.mark.parametrize("families", ["", "family"])
def test_it_lies_beside_the_families_of_a_release_or_beside_the_spec(families: str, tmp_path: Path) -> None:
    folder = tmp_path / "9.9" / families
    folder.mkdir(parents=True)
    path = folder / "aclnnX+aclnnInplaceX.yaml"
    path.write_text(spec(BODY), encoding="utf-8")
    assert evidence_of(str(path), "aclnnX") == {}
    (tmp_path / "9.9" / FILE).write_text(text_of({"aclnnX": {"size": {"A3": Recorded(1, 0)}}}), encoding="utf-8")
    assert file_of(str(path)) == str(tmp_path / "9.9" / FILE)
    rule = load_file(str(path)).definitions[0].rule("size")
    assert rule is not None
    assert rule.recorded == {"A3": Recorded(1, 0)}


@pytest.mark.parametrize(
    "rules",
    [
        "3",
        "[]",
        '{"size": 1}',
        '{"size": [1]}',
        '{"size": {"A3": [1, 2]}}',
        '{"size": {"A3": {"refused": "a"}}}',
        '{"size": {"A3": {"accept": 1}}}',
        '{"size": {"A3": ',
        "null",
    ],
)
def test_a_damaged_line_is_an_error_that_names_the_file(rules: str, tmp_path: Path) -> None:
    path = tmp_path / "aclnnX.yaml"
    path.write_text(spec(BODY), encoding="utf-8")
    (tmp_path / FILE).write_text(f'{{"op": "aclnnX", "rules": {rules}}}\n', encoding="utf-8")
    with pytest.raises(OpspecError, match=r'expected \{"op"') as caught:
        load_file(str(path))
    assert caught.value.where == str(tmp_path / FILE)
