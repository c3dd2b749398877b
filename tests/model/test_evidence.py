"""Promise: what machines recorded of a rule says what becomes of calls that break it, by product; no more than that:
that calls passed the checks says nothing of what comes behind them, and one program does not take a rule back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from opspec.errors import OpspecError
from opspec.model.enforcement import (
    PROGRAMS,
    SPARE_BY_ROWS,
    Enforcement,
    by_default,
    enforcement,
    families,
    grounds_of,
    is_conflict,
)
from opspec.model.evidence import (
    Evidence,
    Recorded,
    Witnesses,
    evidence_of,
    file_of,
    parsed,
    read_all,
    said,
    text_of,
    together,
)
from opspec.model.expand import recorded
from opspec.model.lines import EVIDENCE, FEW, line
from opspec.model.load import load_file
from opspec.model.order import in_order
from opspec.vocabulary.enforcement import CONTRADICTED, REFUSED, UNCHECKED, UNKNOWN
from opspec.vocabulary.literals import STAGES
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
  elements: "all(v >= 0 for v in x.values)"
twin: {operator: aclnnInplaceX, rename: {x: xRef}}
"""


def ways(**evidence: Recorded) -> dict[str, Enforcement]:
    """What becomes of calls that break each rule, with what was recorded of some, all on one product."""
    known = {name.replace("_", "."): {"910b": one} for name, one in evidence.items()}
    found = definition(BODY)
    found = replace(found, rules=recorded(found.rules, own(known)))
    return {rule.id: enforcement(rule, found) for rule in found.rules}


#: of each kind of evidence: what it comes to
SPEAKING = [
    (Recorded(through=1), UNCHECKED), (Recorded(refused=1), REFUSED), (Recorded(through=1, refused=2), UNCHECKED),
    (Recorded(through=1, refused=9), REFUSED), (Recorded(ran=1), UNCHECKED), (Recorded(refused=9, ran=1), REFUSED),
    (Recorded(through=1, passed=9), UNCHECKED), (Recorded(passed=9, refused=1, stage="tiling"), REFUSED),
]  # fmt: skip


def own(known: Evidence) -> Witnesses:
    """What was recorded on the release itself."""
    return Witnesses(own=known)


@pytest.mark.parametrize(("one", "way"), SPEAKING)
def test_evidence_settles_what_becomes_of_a_call(one: Recorded, way: str) -> None:
    """Whatever page and author say; a wrong refusal weighs more than a miss. What ran came through. Calls that passed
    the checks do not speak against a refusal behind them."""
    for name in ("size", "n_range", "row", "own", "told"):
        found = ways(**{name: one})[name.replace("_", ".")]
        assert (found.usual, found.assumed) == (way, False)


def test_calls_that_passed_the_checks_do_not_show_what_comes_behind() -> None:
    """The runtime will not tell: that is never said because of them, nor that page and runtime differ."""
    for name in ("size", "n_range", "row", "own", "told"):
        found = ways(**{name: Recorded(passed=9)})[name.replace("_", ".")]
        assert found.usual in (UNKNOWN, REFUSED)
        assert found.usual == UNKNOWN or found.assumed
    known = definition(BODY)
    for one, differs in ((Recorded(passed=9), False), (Recorded(through=1), True), (Recorded(refused=1), False)):
        (size, *_) = recorded([rule for rule in known.rules if rule.id == "size"], own({"size": {"910b": one}}))
        assert is_conflict(size, known) is differs


@pytest.mark.parametrize("ran", range(PROGRAMS + 1))
def test_programs_contradict_a_rule_of_plain_values_alone(ran: int) -> None:
    """Of ranks, shapes, dtypes and data of tensors a breach may read or write outside of one: there a rule is at most
    unchecked, however many programs ran. So are those of names of groups, which recorded programs were lent. Of others
    it takes two."""
    many = ways(n_range=Recorded(ran=ran, through=1), size=Recorded(ran=ran, through=1), x_dtype=Recorded(ran=99))
    assert many["n.range"].usual == (CONTRADICTED if ran >= PROGRAMS else UNCHECKED)
    assert (many["size"].usual, many["x.dtype"].usual) == (UNCHECKED, UNCHECKED)
    apart = definition('params:\n  - {name: groupEp, ctype: const char*}\nrules: {named: "len(groupEp) > 3"}\n')
    rules = recorded(apart.rules, own({"named": {"910b": Recorded(ran=ran, through=1)}}))
    assert [enforcement(rule, apart).usual for rule in rules if rule.id == "named"] == [UNCHECKED]


def test_programs_do_not_contradict_that_a_param_must_be_null() -> None:
    """That they passed it shows that it was ignored, in the version and mode that ran."""
    optional = definition(
        "params:\n  - {name: x, ctype: const aclTensor*, optional: yes, dtype: FLOAT}\nrules: {absent: x is None}\n"
    )
    rules = recorded(optional.rules, own({"absent": {"910b": Recorded(ran=PROGRAMS, through=1)}}))
    assert [enforcement(rule, optional).usual for rule in rules if rule.id == "absent"] == [UNCHECKED]


@pytest.mark.parametrize(("stage", "way"), [("kernel", REFUSED), ("tiling", REFUSED), ("params", UNKNOWN)])
def test_of_what_comes_behind_the_checks_the_author_speaks_where_calls_only_passed_these(stage: str, way: str) -> None:
    """Calls that passed the checks speak of these alone."""
    body = f'{{told: {{check: "n != 8", stage: {stage}, enforced: yes}}}}'
    told = definition(f"params:\n  - {{name: n, ctype: int64_t}}\nrules: {body}\n")
    (rule,) = (one for one in recorded(told.rules, own({"told": {"910b": Recorded(passed=9)}})) if one.id == "told")
    assert enforcement(rule, told).usual == way


def test_in_families_that_leave_most_to_tiling_rows_of_return_codes_tell_how_much_is_checked() -> None:
    """The number of rows about invalid arguments counts: one, two, or more."""
    rows = "\n".join(f'  told-{n}: {{check: "n != {20 + n}", from: [161002/{n}]}}' for n in range(1, 6))
    found = definition(f"params:\n  - {{name: n, ctype: int64_t}}\nrules:\n{rows}\n")
    for family in (name for name, kind in families().items() if kind == SPARE_BY_ROWS):
        home = f"specs/9.1.0/{family}/aclnnX.yaml"
        given = (replace(found, home=home, returns=found.returns[:count]) for count in range(6))
        assert [grounds_of(one.rules[0], one).family for one in given] == ["spare"] * 2 + ["spare 2"] + ["spare 3"] * 3


def test_a_function_of_one_phase_leaves_no_rule_to_what_comes_behind_its_checks() -> None:
    """There is nothing behind them."""
    body = "document: repo/folder/aclnnX.md\ninterface: single-phase\nparams:\n" \
        '  - {name: n, ctype: int64_t, range: "> 0"}\nrules:\n  size: "n < 7"\n'  # fmt: skip
    found = definition(body)
    met = {rule.id: enforcement(rule, found) for rule in found.rules if rule.id in ("n.range", "size")}
    assert met == dict.fromkeys(("n.range", "size"), Enforcement(REFUSED, assumed=True))


def test_without_evidence_it_is_the_authors_word_or_assumed() -> None:
    found = ways()
    assert [(found[name].usual, found[name].assumed) for name in ("own", "told")] == [
        (UNCHECKED, False), (REFUSED, False),
    ]  # fmt: skip
    rules = {rule.id: rule for rule in definition(BODY).rules}
    for name in ("size", "n.range", "row"):
        assert found[name] == by_default(rules[name], definition(BODY))
        assert found[name].assumed


@pytest.mark.parametrize("one", [Recorded(), *(one for one, _ in SPEAKING)])
def test_an_observed_rule_is_refused_and_a_rule_of_the_device_never(one: Recorded) -> None:
    """That is what was observed; and no first phase sees what only the device does."""
    assert ways(seen=one)["seen"].anywhere == {REFUSED}
    assert REFUSED not in ways(late=one)["late"].anywhere


@pytest.mark.parametrize("one", [Recorded(), *(one for one, _ in SPEAKING if not one.refused)])
def test_that_no_first_phase_looks_at_elements_is_known_without_calls(one: Recorded) -> None:
    """They lie on the device: that is nothing assumed, whatever came of calls that break such a rule."""
    assert ways(elements=one)["elements"] == Enforcement(UNCHECKED)


_COUNT = st.integers(0, 1) | st.integers(0, 99)
_COUNTS = st.builds(
    Recorded, _COUNT, _COUNT, _COUNT, st.integers(0, 3), st.sampled_from(["", "kernel", "tiling"]),
    st.sampled_from([0, 561103]),
)  # fmt: skip
_ON = st.dictionaries(st.sampled_from(["910b", "A3", "950"]), _COUNTS, min_size=1, max_size=3)


@given(_ON)
@example({"A3": Recorded(ran=1), "950": Recorded(passed=1)})
@example({"A3": Recorded(ran=1), "950": Recorded(passed=1, refused=1)})
def test_what_is_known_of_a_product_holds_there(on: dict[str, Recorded]) -> None:
    """On others, and where calls only passed the checks, it is what all calls together say; but of one that passed the
    checks it is not that checks refuse it elsewhere."""
    found = definition(BODY)
    found = replace(found, rules=recorded(found.rules, own({"size": on})))
    rule = found.rule("size")
    assert rule is not None
    seen, whole = enforcement(rule, found), together(on.values())
    by_checks = whole.checked and not whole.is_late
    for product, one in on.items():
        alone = enforcement(replace(rule, recorded={product: one}), found)
        only_passed = one.passed and not (one.through or one.ran or one.checked)
        as_all = alone.assumed or (only_passed and not by_checks)
        assert seen.on_product(product) == (seen.usual if as_all else alone.usual)
    assert seen.on_product("310p") == seen.usual
    assert CONTRADICTED not in seen.anywhere
    refusals = [one for one in on.values() if one.refused]
    assert not refusals or (seen.stage or "", seen.status) in {(one.stage, one.status) for one in refusals}
    for sentence in said(on):
        assert all(product in sentence for product in on)


def test_what_was_recorded_of_a_rule_that_is_no_more_is_ignored() -> None:
    assert ways(gone=Recorded(through=1), x_gone=Recorded(refused=1)) == ways()


def test_a_twin_has_the_evidence_of_its_first_unless_it_has_its_own(tmp_path: Path) -> None:
    path = tmp_path / "aclnnX+aclnnInplaceX.yaml"
    path.write_text(spec(BODY), encoding="utf-8")
    first, own = {"910b": Recorded(through=1)}, {"910b": Recorded(refused=7)}
    for known, way in (({}, UNCHECKED), ({"xRef.dtype": own}, REFUSED)):
        text = text_of({"aclnnX": {"x.dtype": first}, "aclnnInplaceX": known})
        (tmp_path / EVIDENCE).write_text(text, encoding="utf-8")
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
    with in_folder() as folder:
        path = folder / EVIDENCE
        path.write_text(text_of(known), encoding="utf-8")
        for name in (*known, other) * 2:  # sought for, then found among all
            assert parsed(line(str(path), "op", name), "x") == known.get(name, {})
        assert read_all(str(path)) == known


def test_lines_that_stand_in_no_order_are_refused(tmp_path: Path) -> None:
    path = tmp_path / EVIDENCE
    path.write_text('{"op": "aclnnMul", "rules": {}}\n{"op": "aclnnAdd", "rules": {}}\n', encoding="utf-8")
    for _ in range(FEW):
        line(str(path), "op", "aclnnDiv")
    with pytest.raises(OpspecError, match=r"jsonl:2: expected lines in the order of names, found 'aclnnAdd' behind"):
        line(str(path), "op", "aclnnAdd")


@pytest.mark.parametrize("families", ["", "family"])
def test_it_lies_beside_the_families_of_a_release_or_beside_the_spec(families: str, tmp_path: Path) -> None:
    folder = tmp_path / "9.9" / families
    folder.mkdir(parents=True)
    path = folder / "aclnnX+aclnnInplaceX.yaml"
    path.write_text(spec(BODY), encoding="utf-8")
    assert evidence_of(str(path), "aclnnX") == {}
    (tmp_path / "9.9" / EVIDENCE).write_text(text_of({"aclnnX": {"size": {"A3": Recorded(1, 0)}}}), encoding="utf-8")
    assert file_of(str(path)) == str(tmp_path / "9.9" / EVIDENCE)
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
    (tmp_path / EVIDENCE).write_text(f'{{"op": "aclnnX", "rules": {rules}}}\n', encoding="utf-8")
    with pytest.raises(OpspecError, match=r'expected \{"op"') as caught:
        load_file(str(path))
    assert caught.value.where == str(tmp_path / EVIDENCE)


@given(st.dictionaries(st.sampled_from(["size", "n.range", "row", "told", "x.dtype"]), _ON))
def test_rules_are_in_the_order_of_what_refuses_them(known: dict[str, dict[str, Recorded]]) -> None:
    """The checks of arguments come first, in their steps; then what kernel lookup and tiling refuse, whatever stage the
    page gives a rule: its place and its stage are those where calls end."""
    found = definition(BODY)
    found = in_order(replace(found, rules=recorded(found.rules, own(known))))
    assert {rule.id for rule in found.rules} == {rule.id for rule in definition(BODY).rules}
    assert all(rule.seen_at == (enforcement(rule, found).stage or rule.stage) for rule in found.rules)
    stages = [STAGES.index(rule.seen_at) for rule in found.rules]
    assert stages == sorted(stages)


def test_what_inference_was_to_refuse_is_refused_where_calls_end_and_behind_all_checks() -> None:
    """An interface that infers a shape itself, or copies a result, refuses that before anything is looked up."""
    body = BODY.replace("rules:\n", "rules:\n  inner: {check: x.rank > 1, stage: infershape, step: rank}\n", 1)
    ends = Recorded(refused=3), Recorded(refused=3, stage="infershape"), Recorded(refused=3, stage="tiling")
    for end in ends:
        found = definition(body)
        known = own({"inner": {"910b": end}})
        found = in_order(replace(found, rules=recorded(found.rules, known)))
        rule = found.rule("inner")
        assert rule is not None
        assert (rule.seen_at, rule.is_behind) == (end.stage or "params", True)
        assert all(one.is_behind for one in found.rules[found.rules.index(rule) :])


def test_calls_of_another_release_speak_where_no_call_of_its_own_tells_of_the_operator(tmp_path: Path) -> None:
    """Of what a param may be, too, though releases may list that differently; the newest other release that has calls
    of a rule decides."""
    path = tmp_path / "9.9" / "math" / "aclnnX.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(spec(BODY), encoding="utf-8")
    older = {"size": {"910b": Recorded(through=3)}, "x.dtype": {"910b": Recorded(through=3)}}
    for release, known in (("9.7", {"size": {"910b": Recorded(refused=5)}}), ("9.8", older)):
        (tmp_path / release / "math").mkdir(parents=True)
        (tmp_path / release / "math" / "aclnnX.yaml").write_text(
            "operator: aclnnX\nextends: 9.9/aclnnX\n", encoding="utf-8"
        )
        (tmp_path / release / EVIDENCE).write_text(text_of({"aclnnX": known}), encoding="utf-8")
    rules = {rule.id: rule for rule in load_file(str(path)).definitions[0].rules}
    for name in older:
        assert (rules[name].recorded, rules[name].recorded_elsewhere) == (older[name], True)
    (tmp_path / "9.9" / EVIDENCE).write_text(
        text_of({"aclnnX": {"own": {"910b": Recorded(passed=1)}}}), encoding="utf-8"
    )
    changed = tmp_path / "9.9" / "norm" / "aclnnX.yaml"
    changed.parent.mkdir()
    changed.write_text(spec(BODY), encoding="utf-8")
    assert not {rule.id: rule for rule in load_file(str(changed)).definitions[0].rules}["size"].recorded
