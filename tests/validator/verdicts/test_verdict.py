"""A verdict tells predicted status and legality apart, and lists findings in the first phase's order."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.cli.verdicts import LineRows
from opspec.errors import OpspecError
from opspec.jsontext import written
from opspec.language.values import Tensor
from opspec.model.evidence import Recorded
from opspec.validator.judge import judge, judge_by_interpreter
from opspec.validator.verdict import Verdict
from opspec.vocabulary.enforcement import CONTRADICTED, REFUSED, UNCHECKED, UNKNOWN, told, told_of_success
from opspec.vocabulary.literals import Enforcement, Lang
from tests.model.building import form

BODY = """
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT], format: [ND], rank: 2}
  - {name: w, ctype: const aclTensor*, optional: yes, dtype: [FLOAT], rank: 1}
  - {name: n, ctype: int64_t, range: "> 0"}
  - {name: out, ctype: aclTensor*, io: out, dtype: [FLOAT]}
rules:
  x.dtype: {enforced: yes}
  w.rank: {enforced: yes}
  n.range: {enforced: yes}
  tail: {check: "x.shape[2] == 1", param: x}
  w-dtype: {check: "w.dtype == x.dtype", param: w}
  soft: {check: "out.rank == 2", param: out, enforced: no, evidence: tests}
  hard: {check: "out.rank in (2, 3)", param: out, basis: observed, evidence: tests, contradicts: [soft]}
  tiling: {check: "n < 100", param: n, stage: tiling}
  later: {check: "n < 50", param: n, stage: device}
  sorted: {check: "increasing(x.values)", param: x}
  on-a3: {when: "product == 'A3'", check: "n == 1", param: n}
clauses:
  561001/1: [w.rank]
early_success:
  - {when: "0 in x.shape", after: rank}
"""

T = Tensor((2, 3), "FLOAT")


def verdict(product: str | None = "910b", member: str | None = None, **changes: Any) -> Verdict:
    """The verdict on a legal call with changes; both back ends must agree."""
    args = {"x": T, "w": None, "n": 1, "out": T, **changes}
    typed = tuple(args[name] for name in ("x", "w", "n", "out"))
    compiled = form(BODY)
    result = judge(compiled, typed, product, member)
    assert result.to_dict() == judge_by_interpreter(compiled, typed, product, member).to_dict()
    return result


def names(found: Verdict) -> tuple[list[str], list[str], list[str]]:
    """Ids of violations, warnings and undecided rules, those every call here has left out."""
    lists = (found.violations, found.warnings, found.undecided)
    a, b, c = ([finding.rule for finding in findings if finding.rule not in ("tail", "sorted")] for findings in lists)
    return a, b, c


EMPTY = Tensor((0, 3, 1), "FLOAT")


def test_findings_come_in_the_order_of_the_first_phase() -> None:
    """Null pointers, product, dtypes, formats, ranks, shapes, attributes; the status is the first one's."""
    found = verdict("310p", x=Tensor((1,), "INT8", "FRACTAL_NZ"), n=0, out=None)
    assert [finding.rule for finding in found.violations] == [
        "out.null", "product", "x.dtype", "x.private-format", "x.rank", "n.range",
    ]  # fmt: skip
    assert (found.code, found.status) == (161001, "ACLNN_ERR_PARAM_NULLPTR")


def test_a_rule_undefined_because_of_an_earlier_finding_is_skipped_and_names_it() -> None:
    found = verdict(x=Tensor((1,), "FLOAT"))
    assert [finding.rule for finding in found.violations] == ["x.rank"]
    assert {finding.rule: finding.message for finding in found.undecided}["tail"] == "skipped because of x.rank"


def test_a_rule_undefined_for_no_earlier_reason_is_violated() -> None:
    assert [finding.rule for finding in verdict().violations] == ["tail"]


def test_a_rule_over_an_absent_optional_argument_does_not_apply() -> None:
    assert names(verdict(w=None)) == ([], [], [])


def test_a_rule_without_its_data_is_listed_as_undecided() -> None:
    found = verdict()
    assert [finding.rule for finding in found.undecided] == ["sorted"]
    assert "x.values" in found.undecided[0].message
    carried = verdict(x=Tensor((2, 3), "FLOAT", values=(6, 5, 4, 3, 2, 1)))
    assert ways(carried)["sorted"] == UNCHECKED  # a first phase never reads values


def ways(found: Verdict) -> dict[str, str | None]:
    """What becomes of the call for each rule that it breaks."""
    return {finding.rule: finding.enforcement for finding in (*found.violations, *found.warnings)}


SOUND = BODY.replace("x.shape[2] == 1", "x.rank == 2")


def test_an_unchecked_rule_makes_a_call_illegal_with_status_0() -> None:
    """The runtime will not tell; a refused one beside it gives the status, wherever it stands."""
    args = (T, None, 1, Tensor((1, 1, 1), "FLOAT"))
    found = judge(form(SOUND), args, "910b")
    assert (found.legal, found.code, found.status, ways(found)) == (False, 0, "ACLNN_SUCCESS", {"soft": UNCHECKED})
    assert not found
    both = judge(form(SOUND), (*args[:2], 0, args[3]), "910b")
    assert (both.legal, both.code) == (False, 161002)
    assert ways(both) == {"soft": UNCHECKED, "n.range": REFUSED}


def test_an_observed_rule_is_refused() -> None:
    found = verdict(out=Tensor((), "FLOAT"))
    assert {**ways(found), "tail": None} == {"soft": UNCHECKED, "hard": REFUSED, "tail": None}
    assert {finding.rule: finding.basis for finding in found.violations}["hard"] == "observed"


ONE_RULE = """
params: [{name: n, ctype: int64_t}]
rules:
  small: "n < 100"
  seen: {check: "n != 7", basis: observed, evidence: a test}
"""


def of_evidence(product: str, recorded: dict[str, Recorded], n: int = 100) -> Verdict:
    """The verdict of both back ends on a call that breaks a rule of which calls on products say something."""
    known = form(ONE_RULE, evidence=dict.fromkeys(("small", "seen"), recorded))
    found = judge(known, (n,), product)
    assert found.to_dict() == judge_by_interpreter(known, (n,), product).to_dict()
    return found


def test_a_contradicted_rule_is_a_warning_and_the_call_is_legal() -> None:
    found = of_evidence("910b", {"910b": Recorded(ran=2)})
    assert (found.legal, found.code, found.violations) == (True, 0, ())
    assert [(finding.rule, finding.enforcement) for finding in found.warnings] == [("small", CONTRADICTED)]


def test_evidence_goes_by_product() -> None:
    """Where calls on a product say nothing, it is what all of them say together."""
    recorded = {"910b": Recorded(refused=9), "A3": Recorded(through=1)}
    for product, code, way in (("910b", 161002, REFUSED), ("A3", 0, UNCHECKED), ("950", 161002, REFUSED)):
        found = of_evidence(product, recorded)
        assert (found.legal, found.code, ways(found)["small"]) == (False, code, way)


def test_the_status_is_that_of_most_refusals() -> None:
    recorded = {"910b": Recorded(refused=3, stage="kernel", status=561103), "A3": Recorded(refused=1)}
    assert of_evidence("910b", recorded).code == 561103


UNTIL = {
    UNCHECKED: {"910b": Recorded(through=1)}, UNKNOWN: {"910b": Recorded(passed=1)},
    REFUSED: {"910b": Recorded(refused=1)}, CONTRADICTED: {"910b": Recorded(ran=2)},
}  # fmt: skip


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("elsewhere", [False, True])
@pytest.mark.parametrize(("way", "recorded"), UNTIL.items())
def test_a_verdict_says_how_far_calls_came_and_whether_that_is_seen(
    way: Enforcement, recorded: dict[str, Recorded], elsewhere: bool, lang: Lang
) -> None:
    """In JSON and in text alike: the runtime will not tell you stands where calls came through to the end, and the
    evidence is of this release; else it says what is known instead. Only a contradicted rule leaves a call legal."""
    known = form(ONE_RULE, evidence={"small": recorded}, recorded_elsewhere=elsewhere)
    found = judge(known, (100,), "910b", lang=lang)
    (finding,) = (*found.violations, *found.warnings)
    row = finding.to_dict()
    assert (row["enforcement"], row["assumed"]) == (way, finding.assumed)
    assert finding.assumed == elsewhere
    assert found.legal == (way == CONTRADICTED)
    text, silent = str(found), told(UNCHECKED, False, lang)
    assert (silent in text) == (way == UNCHECKED and not elsewhere)
    assert told(way, finding.assumed, lang) in text
    if way in (UNCHECKED, UNKNOWN):
        assert text.splitlines()[0].endswith(f"ACLNN_SUCCESS ({told_of_success(way, finding.assumed, lang)})")


def test_of_several_broken_rules_the_least_known_tells_what_is_known_of_a_call() -> None:
    body = ONE_RULE + '  big: "n < 90"\n'
    evidence = {"small": {"910b": Recorded(through=1)}, "big": {"910b": Recorded(passed=1)}}
    found = judge(form(body, evidence=evidence), (100,), "910b")
    assert (found.code, ways(found)) == (0, {"small": UNCHECKED, "big": UNKNOWN})
    first, *rest = str(found).splitlines()
    assert told_of_success(UNKNOWN, False, "en") in first
    assert told(UNCHECKED, False, "en") not in first
    assert told(UNCHECKED, False, "en") in "".join(rest)


def test_that_the_runtime_does_not_look_at_elements_is_no_guess() -> None:
    """As text and as JSON, without any call that shows it."""
    body = (
        "params: [{name: x, ctype: const aclTensor*, dtype: FLOAT}]\nrules: {positive: all(v > 0 for v in x.values)}\n"
    )
    found = judge(form(body), (Tensor((1,), "FLOAT", values=(0,)),), "910b")
    assert (found.legal, found.code, ways(found)) == (False, 0, {"positive": UNCHECKED})
    assert told(UNCHECKED, False, "en") in str(found)
    assert [violation.assumed for violation in found.violations] == [False]


def test_calls_do_not_take_an_observed_rule_back() -> None:
    """It was written because of calls; where it is wrong, its author is who mends it."""
    assert of_evidence("910b", {"910b": Recorded(through=9)}, 7).code == 161002


def test_stages_give_their_status() -> None:
    assert judge(form(SOUND), (T, Tensor((1, 1), "FLOAT"), 1, T), "910b").code == 561001
    late = verdict(n=100)
    assert {finding.rule: finding.status for finding in late.violations}["tiling"] == 561002
    assert ways(late)["later"] == UNCHECKED  # the device comes after the first phase


def test_after_an_early_success_nothing_is_refused() -> None:
    """An empty x returns 0 before shapes are looked at; what follows is documented all the same, and so illegal."""
    body = BODY.replace("rank: 2}", "rank: 1-3}", 1)
    found = judge(form(body), (Tensor((0,), "FLOAT"), None, 0, T), "910b")
    assert (found.legal, found.code) == (False, 0)
    assert ways(found) == {"tail": UNCHECKED, "n.range": UNCHECKED}
    assert not any(finding.assumed for finding in found.violations)
    open_ = judge(
        form(body, evidence={"tail": {"910b": Recorded(passed=1)}}), (Tensor((0,), "FLOAT"), None, 1, T), "910b"
    )
    assert ways(open_) == {"tail": UNCHECKED}  # what comes behind the checks is not reached either
    assert judge(form(body), (Tensor((0,), "INT8"), None, 0, T), "910b").code == 161002  # found before


@pytest.mark.parametrize(("product", "applies"), [("A3", True), ("910b", False), (None, None)])
def test_a_guard_on_the_product_that_the_call_does_not_name_is_undecided(
    product: str | None, applies: bool | None
) -> None:
    violations, _, undecided = names(verdict(product, n=2))
    assert ("on-a3" in violations) is (applies is True)
    assert ("on-a3" in undecided) is (applies is None)


def test_a_product_the_document_does_not_mention_is_judged_with_a_warning() -> None:
    found = verdict("950", x=Tensor((2, 3), "FLOAT"))
    assert [finding.rule for finding in found.warnings] == ["product.unknown"]


def test_a_rule_that_reads_a_null_argument_is_skipped() -> None:
    found = verdict(x=None)
    assert [finding.rule for finding in found.violations] == ["x.null"]
    assert {finding.message for finding in found.undecided} == {"skipped because of x.null"}


def test_a_rule_whose_guard_reads_a_null_argument_is_skipped() -> None:
    """Nobody knows whether it applies; by both back ends, and where the guard is a derived value."""
    guarded = form(
        """
        params:
          - {name: x, ctype: const aclTensor*, format: any}
          - {name: y, ctype: const aclTensor*, format: any}
        let: {large: "x.shape[0] > 4"}
        rules:
          of-large: {check: "y.dtype == INT8", when: "large", param: y}
        """
    )
    for back_end in (judge, judge_by_interpreter):
        found = back_end(guarded, (None, Tensor((2,), "FLOAT")), "910b")
        assert [finding.rule for finding in found.violations] == ["x.null"]
        said = {item.rule: item.message for item in found.undecided}
        assert said == dict.fromkeys(("of-large", "rank-limit"), "skipped because of x.null")


def test_words_are_made_in_both_languages() -> None:
    compiled = form(BODY)
    args = (Tensor((2, 3), "INT8"), None, 0, T)
    sentences: dict[Lang, str] = {
        "en": "the data type of x must be FLOAT; found x.dtype = INT8",
        "zh": "x的数据类型必须为FLOAT；实际为x.dtype = INT8",
    }
    for lang, sentence in sentences.items():
        assert judge(compiled, args, "910b", None, lang).violations[0].message == sentence


def test_a_finding_has_the_documented_keys() -> None:
    found = verdict(n=0).to_dict()
    assert list(found) == [
        "id",
        "op",
        "release",
        "product",
        "support",
        "status",
        "code",
        "legal",
        "violations",
        "warnings",
        "undecided",
    ]
    violation = found["violations"][-1]  # type: ignore[index]
    assert {"rule", "param", "message", "expected", "actual", "source", "enforcement"} <= violation.keys()
    assert (violation["rule"], violation["param"], violation["expected"], violation["actual"]) == (
        "n.range",
        "n",
        "> 0",
        "0",
    )


LISTS = """
params:
  - {name: xs, ctype: const aclTensorList*, dtype: [FLOAT], uniform: [rank]}
  - {name: ys, ctype: aclTensorList*, io: out, shape: same as xs}
"""


def test_a_finding_in_a_list_names_the_index() -> None:
    compiled = form(LISTS)
    good, bad = Tensor((2,), "FLOAT"), Tensor((2,), "INT8")
    found = judge(compiled, ((good, bad), (good, good)), "910b")
    assert [(finding.rule, finding.param) for finding in found.violations] == [("xs.dtype", "xs[1]")]
    null = judge(compiled, ((good, None), (good, good)), "910b")
    assert [(finding.rule, finding.param, finding.status) for finding in null.violations] == [
        ("xs.elements", "xs[1]", 161001)
    ]
    assert judge(compiled, ((), ()), "910b").legal
    uneven = judge(compiled, ((good,), (good, good)), "910b")
    assert [finding.rule for finding in uneven.violations] == ["ys.shape"]


TWIN = """
params:
  - {name: self, ctype: const aclTensor*, dtype: [FLOAT, INT8]}
  - {name: other, ctype: const aclTensor*, dtype: [FLOAT, INT8]}
  - {name: out, ctype: aclTensor*, io: out, dtype: same as self, shape: same as self}
rules:
  fits: {check: "broadcast(self.shape, other.shape) == out.shape", param: out}
twin: {operator: aclnnInplaceX, rename: {self: selfRef, out: selfRef}}
"""


OWN_WORDS = TWIN.replace(
    "twin: {operator: aclnnInplaceX, rename: {self: selfRef, out: selfRef}}",
    """twin:
  operator: aclnnInplaceX
  rename: {self: selfRef, out: selfRef}
  params:
    - {name: selfRef, dtype: [FLOAT], rank: 2}
    - {name: other, format: [ND, NCHW]}
  rules:
    fits: {check: "broadcast(selfRef.shape, other.shape) == selfRef.shape", when: "selfRef.rank == 2"}
    mine: "other.rank > 0"
  without: [other.dtype]""",
)


def test_a_twin_has_what_its_own_table_and_text_say() -> None:
    """A property in place of the first one's, a rule of the same id, another one, and one that does not hold."""
    first, second = form(OWN_WORDS), form(OWN_WORDS, 1)
    ids = {rule.id for rule in second.info.rules}
    assert {"mine", "selfRef.rank", "fits"} <= ids
    assert "other.dtype" not in ids
    assert {rule.id for rule in first.info.rules} == {rule.id for rule in form(TWIN).info.rules}
    good = Tensor((2, 3), "FLOAT")
    assert judge(second, (good, Tensor((1, 3), "DOUBLE", "NCHW")), "910b").legal
    for args, rules in (
        ((Tensor((2, 3), "INT8"), good), ["selfRef.dtype"]),
        ((Tensor((3,), "FLOAT"), Tensor((2, 3), "FLOAT")), ["selfRef.rank"]),
        ((Tensor((1, 3), "FLOAT"), good), ["fits"]),
        ((good, Tensor((), "FLOAT")), ["mine"]),
    ):
        assert [finding.rule for finding in judge(second, args, "910b").violations] == rules


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("name: selfRef", "name: selfRf", "unknown param 'selfRf'; did you mean 'selfRef'"),
        ("name: selfRef", "name: self", "unknown param 'self'"),
        ("[other.dtype]", "[other.dtyp]", "unknown rule 'other.dtyp'; did you mean 'other.dtype'"),
        ("other.rank > 0", "othr.rank > 0", "unknown name 'othr'"),
        ("rank: 2}", "rank: about 2}", "not an expression"),
        ("[FLOAT], rank", "[FLOTA], rank", "FLOTA"),
    ],
)
def test_faults_of_a_twin_have_their_place(before: str, after: str, message: str) -> None:
    assert before in OWN_WORDS
    with pytest.raises(OpspecError, match=r"^x\.yaml:\d+:\d+: ") as caught:
        form(OWN_WORDS.replace(before, after))
    assert message in str(caught.value)
    line = int(str(caught.value).split(":")[1])
    assert line > 4 + OWN_WORDS[: OWN_WORDS.index("twin:")].count("\n")


def test_a_twin_has_the_rules_of_the_first_under_its_own_names() -> None:
    """Rules that compare what became one param vanish; the rest keep their meaning."""
    compiled = form(TWIN, 1)
    assert compiled.operator == "aclnnInplaceX"
    assert [param[0] for param in compiled.params] == ["selfRef", "other"]
    ids = [rule.id for rule in compiled.info.rules]
    formats = [f"{name}.{kind}" for name in ("selfRef", "other") for kind in ("format", "private-format")]
    assert ids == [
        "selfRef.null",
        "other.null",
        "product",
        "selfRef.dtype",
        "other.dtype",
        *formats,
        "rank-limit",
        "fits",
    ]
    found = judge(compiled, (Tensor((1, 3), "FLOAT"), Tensor((2, 3), "FLOAT")), "910b")
    assert [(finding.rule, finding.param) for finding in found.violations] == [("fits", "selfRef")]


EXCEPTED = """\
params:
  - {name: x, ctype: const aclTensor*}
rules:
  r:
    when: "product != '910b'"
    check: "x.rank == 4 if product == '310p' else x.rank == 3 if product == 'A3' else x.rank == 2"
"""


def test_a_reason_says_once_which_products_it_is_not_about() -> None:
    """However many conditions exclude some; and where one says which it is, no more than that."""
    said = {
        product: next(item.message for item in judge(form(EXCEPTED), (Tensor((1,), "FLOAT"),), product).violations)
        for product in ("A3", "950")
    }
    assert said["A3"].endswith("(applies to the Atlas A3 training and inference series)")
    assert said["950"].count("applies to") == 1
    others = "the Atlas A2 and A3 training and inference series or the Atlas inference series"
    assert said["950"].endswith(f"(applies to products other than {others})")


LETTERED = """
params:
  - {name: x, ctype: const aclTensor*, dtype: FLOAT}
  - {name: y, ctype: aclTensor*, io: out, dtype: FLOAT}
let:
  n: {is: "x.shape[-1]", en: the column count N of `x`, zh: "`x`的列数N"}
rules:
  shaped: {check: "y.shape in ((n,), (1, n))"}
  sized: {check: "y.numel == n"}
"""


def test_values_are_told_by_the_letters_of_the_sentence() -> None:
    """Where it has explained one; else by the author's words, without an article."""
    told = {
        item.rule: item.message
        for item in judge(form(LETTERED), (Tensor((2, 3), "FLOAT"), Tensor((4, 1), "FLOAT")), "910b").violations
    }
    assert told["shaped"].endswith("where N is the column count of x; found y.shape = [4, 1], N = 3")
    assert told["sized"].endswith("; found y.numel = 4, column count N of x = 3")


NAMED = """
params:
  - {name: mode, ctype: char*, enum: [plain, fast]}
  - {name: n, ctype: int64_t}
rules:
  told: {check: "len(mode) == n", param: mode}
"""


@given(st.lists(st.text() | st.sampled_from(['"', "\\", "{0}", "{", "\ue000", "\ud83d", "\u2028"]), min_size=8))
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_row_is_the_verdict_as_json_whatever_stands_in_its_words(lang: Lang, texts: list[str]) -> None:
    """Words are put together of forms and values, in words and in JSON: before and after they are kept."""
    known, rows = form(NAMED), LineRows(lang, False)
    for text in (*texts, *texts):
        found = judge(known, (text, -1), "910b", lang=lang)
        assert rows.row(found) == written(found.to_dict()) + "\n"
