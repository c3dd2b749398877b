"""What a page says, and where: marks, rows of params, return codes, neighbours, changes, terms, remarks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from opspec.docs.glossary import data
from opspec.docs.ledger import rules_page
from opspec.docs.page import Page, page
from opspec.docs.related import Neighbours, version_before
from opspec.docs.render import content, glossary, render, render_rules
from opspec.docs.requirements import PARTS
from opspec.docs.saying import Sayings
from opspec.model.definition import Definition
from opspec.model.evidence import Recorded, Witnesses
from opspec.model.expand import recorded
from opspec.model.load import load_text
from opspec.model.produced import produced_on
from opspec.registry.registry import Registry, definition_of
from opspec.vocabulary.enforcement import CONTRADICTED, REFUSED, UNCHECKED, UNKNOWN
from opspec.vocabulary.literals import LANGS

KNOWN = Registry()
NEIGHBOURS = Neighbours(KNOWN)


def of(op: str, release: str = "9.1.0") -> Page:
    """A page in English, with what lies around its operator."""
    definition = definition_of(KNOWN.find(op, release))
    return page(definition, "en", NEIGHBOURS.of(definition))


def row(made: Page, name: str) -> str:
    """The notes in the row of a param."""
    param = next(param for param in made.params if param.name == name)
    return " | ".join(f"{note.text} {note.mark}" for note in param.notes)


def test_what_was_observed_stands_beside_what_it_contradicts() -> None:
    """A reader of the row learns what the verdict will say."""
    text = row(of("aclnnPreluBackward"), "gradWeight")
    sayings = Sayings(definition_of(KNOWN.find("aclnnPreluBackward", "9.1.0")), "en")
    against = sayings.definition.rule("gradWeight-shape")
    assert against is not None
    assert f"gradWeight must have the same shape as weight. {sayings.mark(against)}" in text
    assert "the shape of gradWeight must be [C]" in text
    assert text.endswith(" ◆")


def test_every_rule_stands_once_in_a_row_or_a_list() -> None:
    """Rules of columns are in cells; any other is in one place, whether the runtime checks it or not."""
    made = of("aclnnConvolution")
    items = [item for group in made.groups() for item in group.items]
    items += [note for param in made.params for note in param.notes]
    listed = [rule for item in items for rule in item.rules]
    assert len(listed) == len(set(listed))
    assert {"output-promoted", "stride-length", "conv3d-310p"} & set(listed)


def test_return_codes_state_the_failure() -> None:
    first, *rest = of("aclnnTopk").returns
    assert [item.text for item in first.failures] == ["self, valuesOut or indicesOut is null."]
    said = [item.text for row_ in rest for item in row_.failures]
    assert "The value of k or dim is not allowed." in said
    assert not any(" must " in text for text in said)


def test_a_code_that_the_runtime_gives_for_nothing_says_so() -> None:
    """The vendor lists 161001 for null pointers, which get 561103: the row says both."""
    said = {row_.code: [item.text for item in row_.failures] for row_ in of("aclnnBitwiseNot").returns}
    assert said[161001] == []
    assert said[561103] == ["self or out is null (the vendor's page: 161001)."]


def test_what_may_not_be_checked_is_told_among_the_causes() -> None:
    """The vendor's row lists them; calls showed one that passed the checks, beyond which nothing is known."""
    rows = {
        row_.code: {item.text: item.mark for item in row_.failures} for row_ in of("aclnnChunkGatedDeltaRule").returns
    }
    assert rows[561002]["B or T is at most 0."] == "◇"
    assert rows[561002]["The shape of key is not [T, Nk, Dk]."] == ""


def test_no_two_codes_are_told_by_the_same_words() -> None:
    """Which data formats get which code is said, not that some are not supported."""
    said = {row_.code: [item.text for item in row_.failures] for row_ in of("aclnnAddmv").returns}
    assert "The data format of self is private (the vendor's page: 161002)." in said[561103]
    assert "The data format of self, mat, vec or out is FRACTAL_NZ." in said[161002]


def test_what_two_params_broadcast_to_is_said_with_all() -> None:
    lines = [item.text for group in of("aclnnInplaceAddcmul").requirements for item in group.items]
    said = [line for line in lines if "broadcast" in line]
    assert said == ["tensor1 and tensor2 must be broadcastable to the shape of selfRef."]


def test_words_that_say_a_limit_are_not_repeated() -> None:
    """``always 256``, ``above 0``: the mark stands behind them."""
    params = {param.name: param for param in of("aclnnApplyAdamWQuant").params}
    assert params["blockSize"].notes == params["step"].notes == ()
    assert params["step"].about == "step count t, above 0, for bias correction †"


def test_a_rank_limit_is_said_once_of_one_shape() -> None:
    params = {param.name: param for param in of("aclnnCos").params}
    assert params["input"].notes
    assert not params["out"].notes


@pytest.mark.parametrize(
    ("op", "kind", "other"),
    [
        ("aclnnGeluBackwardV2", "Versions", "aclnnGeluBackward"),
        ("aclnnGeluBackwardV2", "Forward and backward", "aclnnGeluV2"),
        ("aclnnPrelu", "Forward and backward", "aclnnPreluBackward"),
        ("aclnnAdd", "In-place and out-of-place", "aclnnInplaceAdd"),
        ("aclnnInplaceAdd", "In-place and out-of-place", "aclnnAdd"),
        ("aclnnLayerNorm", "Variants", "aclnnLayerNormWithImplMode"),
        ("aclnnLayerNormWithImplMode", "Variants", "aclnnLayerNorm"),
        ("aclnnGroupedMatmulV4", "Use instead", "aclnnGroupedMatmulV5"),
    ],
)
def test_related_operators(op: str, kind: str, other: str) -> None:
    assert other in dict(of(op).related)[kind]


def test_a_version_by_name_alone_is_none() -> None:
    """aclnnGather takes the inputs of aclnnGatherV2 and makes an output of the index's shape of them."""
    assert "Versions" not in dict(of("aclnnGather").related)
    assert dict(of("aclnnGatherV2").related)["Versions"] == ("aclnnGatherV3",)
    assert of("aclnnGatherV2").changes is None


def test_the_version_before() -> None:
    names = {"aclnnX", "aclnnXV2", "aclnnXV4"}
    assert version_before("aclnnXV4", names) == "aclnnXV2"
    assert version_before("aclnnXV2", names) == "aclnnX"
    assert version_before("aclnnX", names) is None


BEFORE = """\
operator: aclnnX
release: 9.1.0
products: {910b: yes, 910: yes}
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT]}
  - {name: old, ctype: int64_t}
  - {name: flag, ctype: bool}
  - {name: low, ctype: int64_t}
  - {name: gone, ctype: int64_t}
rules:
  kept: {check: "x.rank == 2"}
  renamed: {check: "x.numel > 0"}
  ended: {check: "x.rank < 5"}
"""
AFTER = """\
operator: aclnnXV2
release: 9.1.0
products: {910b: yes, 950: yes}
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT, FLOAT16]}
  - {name: new, ctype: int64_t}
  - {name: flag, ctype: bool}
  - {name: more, ctype: int64_t}
  - {name: most, ctype: int64_t}
rules:
  kept: {check: "x.rank == 3"}
  otherwise: {check: "x.numel > 0"}
  begun: {check: "new > 0 or x.rank > 1", param: x}
"""


def test_what_changed_is_said() -> None:
    """Params, dtypes, products and rules; a rule of another name that says the same is the same.

    One new param between two that stay is the one that stood there; of several nobody can tell.
    """
    from opspec.docs.changes import changes
    from opspec.docs.saying import Sayings

    before, after = (load_text(text, "x.yaml").definitions[0] for text in (BEFORE, AFTER))
    found = changes(Sayings(after, "en"), before)
    assert found.since == "aclnnX"
    assert found.lines == (
        "New params: `more`, `most`",
        "Params that are gone: `low`, `gone`",
        "Renamed: `old` to `new`",
        "`x` also takes FLOAT16",
        "Also on Ascend 950PR / Ascend 950DT",
        "New: new must be greater than 0, or the rank of x must be greater than 1.",
        "Now: The rank of x must be 3.",
        "No longer: The rank of x must be less than 5.",
    )


SAME = """\
operator: aclnnX
release: 9.1.0
products: {910b: yes}
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT, FLOAT16], rank: 3-4}
  - {name: y, ctype: const aclTensor*, dtype: [FLOAT, FLOAT16], shape: same as x}
  - {name: z, ctype: aclTensor*, io: out, dtype: [FLOAT, FLOAT16]}
let:
  both: {is: "promote(x.dtype, y.dtype)", en: the common type, zh: 共同的类型}
rules:
  x-y: {check: x same dtype as y}
  x-z: {check: x same dtype as z}
  takes: {check: "z.dtype == both", when: "x.numel > 0"}
"""
SAME_IN_OTHER_RULES = """\
operator: aclnnX
release: 8.5.0
products: {910b: yes}
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT, FLOAT16]}
  - {name: y, ctype: const aclTensor*, dtype: [FLOAT, FLOAT16]}
  - {name: z, ctype: aclTensor*, io: out, dtype: [FLOAT, FLOAT16]}
rules:
  x-rank: {check: "x.rank in (3, 4)"}
  shapes: {check: "x.shape == y.shape"}
  y-z: {check: "z.dtype == y.dtype"}
  common: {check: "promote(y.dtype, x.dtype) == z.dtype"}
  gone: {check: "x.rank != 5"}
"""


def test_what_other_rules_still_require_is_not_gone() -> None:
    """Params require it, equalities follow from others, or a derived value has another name."""
    from opspec.docs.changes import changes
    from opspec.docs.saying import Sayings

    before, after = (load_text(text, "x.yaml").definitions[0] for text in (SAME_IN_OTHER_RULES, SAME))
    lines = changes(Sayings(after, "en"), before).lines
    assert [line for line in lines if line.startswith("No longer")] == ["No longer: The rank of x must not be 5."]


FOLLOWS = """\
operator: aclnnX
release: 9.1.0
products: {910b: yes}
params:
  - {name: x, ctype: const aclTensor*, dtype: FLOAT, rank: 1-8, empty: yes}
  - {name: y, ctype: aclTensor*, io: out, dtype: FLOAT}
  - {name: mode, ctype: int64_t, enum: {0: {en: fast, zh: 快}, 1: {en: exact, zh: 精确}}}
rules:
  y-shape: {check: y same shape as x, enforced: yes}
  y-rank: {check: y same rank as x, enforced: no}
  format: {check: x same format as y, enforced: yes}
  mode.enum: {enforced: no}
  rank-limit: {enforced: no}
"""


def test_what_goes_without_saying_is_not_said() -> None:
    """A rank beside a shape that is checked; the limit of all ranks beside each. The cell of a shape says the rule."""
    made = page(load_text(FOLLOWS, "x.yaml").definitions[0], "en")
    told = {item.rules[0]: group.subject for group in made.groups() for item in group.items}
    assert "y-rank" not in told
    assert told["format"] == "Data formats"
    assert [param.shape for param in made.params[:2]] == ["[*S], 1-8 dims", "[*S]"]
    assert made.params[2].mark == "†"
    assert made.params[0].tags == ("may be empty",)
    assert ("†", made.words["mark_unchecked"]) in made.marks


FOUR = """\
operator: aclnnX
release: 9.1.0
products: {910b: yes, 950: yes}
document: x.md
params:
  - {name: x, ctype: const aclTensor*}
  - {name: y, ctype: const aclTensor*}
  - {name: z, ctype: const aclTensor*}
rules:
  checked: "x.format == y.format"
  through: "x.numel == z.numel"
  passed: "y.numel != z.numel"
  wrong: "x.format != NCHW or y.format == ND"
  differs: "x.format != NCL or z.format == ND"
"""
FOUR_SEEN = {
    "checked": {"910b": Recorded(refused=1)}, "through": {"910b": Recorded(through=1)},
    "passed": {"910b": Recorded(passed=1)}, "wrong": {"910b": Recorded(ran=2)},
    "differs": {"910b": Recorded(refused=9), "950": Recorded(through=1)},
}  # fmt: skip


@pytest.mark.parametrize("elsewhere", [False, True])
def test_each_rule_stands_in_the_part_that_says_what_is_known_of_it(elsewhere: bool) -> None:
    """† stands for what came through to the end in calls of the release alone; a call is said to be illegal where
    ``opspec check`` says so."""
    found = load_text(FOUR, "x.yaml").definitions[0]
    calls = Witnesses(elsewhere=FOUR_SEEN) if elsewhere else Witnesses(own=FOUR_SEEN)
    known = replace(found, rules=recorded(found.rules, calls))
    sayings = Sayings(known, "en")
    marks = {rule.id: sayings.mark(rule) for rule in known.rules if rule.id in FOUR_SEEN}
    parts = {rule.id: sayings.part(rule) for rule in known.rules}
    if elsewhere:
        assert marks == {"checked": "≈", "through": "◇", "passed": "◇", "wrong": "‡≈", "differs": "(◇)"}
        assert parts["through"] == UNKNOWN
    else:
        assert marks == {"checked": "", "through": "†", "passed": "◇", "wrong": "‡", "differs": "(†)"}
        assert parts["through"] == UNCHECKED
    assert (parts["checked"], parts["differs"], parts["passed"]) == (REFUSED, REFUSED, UNKNOWN)
    assert parts["wrong"] == CONTRADICTED
    for lang in LANGS:
        made = page(known, lang)
        assert [part for part, _ in made.parts] == [part for part in PARTS if part in parts.values()]
        items = [(part, item) for part, groups in made.parts for group in groups for item in group.items]
        listed = {rule: part for part, item in items for rule in item.rules}
        assert FOUR_SEEN.keys() <= listed.keys()
        assert all(part == parts[rule] for rule, part in listed.items())
        merged = [item for group in made.requirements for item in group.items]
        rules = {rule.id: rule for rule in known.rules}
        assert all(item.mark == sayings.mark(rules[item.rules[0]]) for item in merged)
        assert {item.rules for item in merged} == {item.rules for _, item in items}


REMARKED = """\
operator: aclnnX
release: 9.1.0
products: {910b: yes, 910: yes}
params:
  - {name: self, ctype: const aclTensor*}
  - {name: mode, ctype: int64_t, enum: {0: {en: zero, zh: 零}, 1: {en: one, zh: 一}}}
remarks:
  - {about: pairing, en: Pass `self` on., zh: 传`self`。, param: self}
  - {about: memory, en: Takes 200 MB., zh: 需200MB。, on: [910]}
twin: {operator: aclnnInplaceX, rename: {self: selfRef}}
"""


def remarked() -> tuple[Definition, ...]:
    """An operator with remarks, and its twin."""
    return load_text(REMARKED, "aclnnX.yaml").definitions


def test_remarks_stand_where_they_belong() -> None:
    first, twin = (page(definition, "en") for definition in remarked())
    assert first.params[0].remarks == ("Pass `self` on.",)
    assert twin.params[0].remarks == ("Pass `selfRef` on.",)
    assert [(group.title, group.lines) for group in first.notes] == [
        ("Memory", ("On the Atlas training series: Takes 200 MB.",))
    ]
    assert "Pass <code>selfRef</code> on." in render(twin, "html")
    assert "Pass `selfRef` on." in render(twin, "md")


def test_an_enumeration_that_operators_share_is_referred_to() -> None:
    """Its own meanings stand on the page where they differ from the shared ones."""
    shared = next(param for param in of("aclnnConvolution").params if param.name == "cubeMathType")
    assert shared.shared == ("Modes of the Cube unit", "enum-cubemathtype")
    assert ("0", "KEEP_DTYPE") in shared.values
    own = page(remarked()[0], "en").params[1]
    assert (own.shared, own.values) == (None, (("0", "zero"), ("1", "one")))


def test_the_glossary_has_every_term_in_both_languages() -> None:
    for lang in ("en", "zh"):
        text = glossary("9.1.0", lang, "md")
        assert all(f'id="{term.id}"' in text for term in data().terms)
        assert all(f'id="{item.id}"' in text for item in data().enums)
    sections = [section.id for section in data().sections]
    ids = [*sections, *(term.id for term in data().terms), *(item.id for item in data().enums)]
    assert len(ids) == len(set(ids))
    assert {term.section for term in data().terms} < set(sections)


@pytest.mark.parametrize(
    "name", ["aclnnConvolution", "aclnnAddcmul", "aclnnQuantMatmulV5", "aclnnRotaryPositionEmbedding"]
)
def test_a_page_has_the_same_terms_in_both_languages(name: str) -> None:
    """Whichever of the two has the word for it."""
    definition = definition_of(KNOWN.find(name, "9.1.0"))
    english, chinese = ([term.anchor for term in page(definition, lang).terms] for lang in ("en", "zh"))
    assert english == chinese
    assert english


def test_null_is_said_once() -> None:
    """A rule that says that a param must be null or something else says that it may be null."""
    row = next(param for param in of("aclnnQuantMatmulV5").params if param.name == "x1Offset")
    assert "may be null" not in row.tags
    assert [note.text for note in row.notes] == ["Must be null or empty."]


def test_a_page_without_its_shell() -> None:
    """A site takes title, contents and body, and no document around them."""
    made = content(of("aclnnTopk"))
    assert (made.title, made.lang, made.release) == ("aclnnTopk", "en", "9.1.0")
    assert [anchor for anchor, _ in made.toc][:3] == ["signature", "formula", "params"]
    assert all(f'id="{anchor}"' in made.body for anchor, _ in made.toc)
    assert "<body" not in made.body
    assert "<style" not in made.body


PRODUCED = """\
operator: aclnnX
release: 9.1.0
products: {910b: yes, 910: yes}
params:
  - {name: x, ctype: const aclTensor*, dtype: {any: [FLOAT, BFLOAT16], changes: [{on: [910], subtract: [BFLOAT16]}]}}
  - {name: flag, ctype: bool}
  - {name: y, ctype: aclTensor*, io: out, dtype: [FLOAT, BFLOAT16]}
  - {name: z, ctype: aclTensor*, io: out, dtype: [FLOAT, BFLOAT16]}
rules:
  y: {check: y same dtype as x}
  z: {check: "z.dtype == x.dtype", when: flag}
"""


def test_an_output_has_the_dtypes_that_its_inputs_lead_to() -> None:
    """What is said under a condition alone narrows nothing."""
    spec = load_text(PRODUCED, "x.yaml").spec
    assert produced_on(spec, spec.params[2], "910").all == ("FLOAT",)
    assert produced_on(spec, spec.params[2], "910b").all == ("FLOAT", "BFLOAT16")
    assert produced_on(spec, spec.params[3], "910").all == ("FLOAT", "BFLOAT16")


def test_a_param_that_may_be_null_is_no_reason_for_a_code() -> None:
    """What all required tensors have in common is not said of the optional ones."""
    made = of("aclnnEmbeddingBag")
    null = next(row for row in made.returns if row.code == 161001)
    assert [item.text for item in null.failures] == ["A required argument is null."]


def test_tables_say_when_they_count() -> None:
    """A kernel's table names the products that it is for, as the table of products does, unless those are all that have
    the operator."""
    assert [table.on for table in of("aclnnForeachAddcmulList").tables] == [""]
    assert [table.on for table in of("aclnnAddLayerNorm").tables] == [
        "Ascend 950PR / Ascend 950DT, Atlas A2 and A3 training and inference series",
        "Atlas inference series",
    ]


def test_a_table_of_one_data_type_in_each_row_is_a_sentence() -> None:
    """Once, where it is so on all products; what a requirement or rows of params say already is not said."""
    said = [table.text for table in of("aclnnDeepNormGrad").tables]
    assert said == ["dy, x, gx, gamma, dxOut and dgxOut must have the same data type."]
    text = render(of("aclnnDeepNormGrad"), "md")
    assert said[0] in text
    assert "combinations are supported" not in text
    lists = of("aclnnForeachSinh")  # all of whose tensors have the data type of their list's first
    assert [table.text for table in lists.tables] == ["x and out must have the same data type."]
    assert "Data types" not in {group.subject for _, groups in lists.parts for group in groups}
    text = next(table.text for table in of("aclnnAddLayerNorm").tables if table.text)
    assert text.startswith("Atlas inference series: x1, x2, gamma, ")


def test_where_checks_end_is_told_where_rules_stand_in_their_order() -> None:
    """On the page of all rules, and not on the other, which says what may be empty."""
    told = {"en": "after checking the ranks: what stands below is not", "zh": "检查维数后即返回成功"}
    for lang in LANGS:
        found, after = definition_of(KNOWN.find("aclnnAminmax", "9.1.0")), told[lang]
        (early,) = rules_page(found, lang).early
        assert after in early
        assert early in render_rules(rules_page(found, lang), "md")
        assert after not in render(page(found, lang), "md")


def test_what_may_differ_in_data_type_is_told_of_lists_of_several_params() -> None:
    """Not where all of a list must have one; what is promoted is named where no requirement says so."""
    assert of("aclnnTopk").differing == ""
    page = of("aclnnSoftmax")
    assert page.differing == "Parameters of T1 may differ in data type." in render(page, "md")
    told = "Parameters of T1 and T2 may differ in data type, unless stated otherwise."
    assert of("aclnnAddmv").differing == f"{told} The data types of self, mat and vec are promoted to a common one."


CASES = """\
operator: aclnnX
release: 9.1.0
products: {910b: yes, 910: yes}
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT, INT8], rank: [{when: "mode == 0", is: 1}, {is: 2}]}
  - {name: y, ctype: const aclTensor*, dtype: [FLOAT, FLOAT16], rank: "<= 4"}
  - {name: mode, ctype: int64_t}
  - {name: list, ctype: const aclTensorList*, dtype: FLOAT, rank: 0-8, empty: yes, strided: no}
  - {name: other, ctype: const aclTensorList*, dtype: FLOAT, rank: 0-8}
  - {name: out, ctype: aclTensorList*, io: out, dtype: FLOAT, rank: 0-8}
  - {name: flag, ctype: bool}
rules:
  both:
    check: "not flag and mode > 0"
    param: flag
    say: {en: "`flag` and `mode` must differ", zh: "`flag`须与`mode`不同"}
  same-empty: {check: x same shape as y, when: "y.numel == 0", status: ACLNN_ERR_INNER_NULLPTR}
  same-filled: {check: x same shape as y, when: "y.numel > 0"}
  list-format: {check: other same format as list}
  list-dtype: {check: other same dtype as list}
  out-dtype: {check: out same dtype as list}
  taken: {check: "x.dtype in (FLOAT, FLOAT16)", basis: observed}
  taken-there: {check: "y.dtype in (FLOAT, INT8)", when: "product == '910'", basis: observed}
"""


def cased(lang: str = "en") -> Page:
    """A page of an operator whose cells cannot say all."""
    return page(load_text(CASES, "x.yaml").definitions[0], "zh" if lang == "zh" else "en")


def said(made: Page, *, subject: str = "") -> list[str]:
    """What a page lists below its table of params."""
    groups = [group for group in made.groups() if subject in ("", group.subject)]
    return [item.text for group in groups for item in group.items]


def test_a_condition_that_no_cell_can_tell_is_told() -> None:
    """The cell has all numbers of dims, and a sentence which of them is meant when."""
    made = cased()
    assert made.params[0].shape == "[*S], 1 or 2 dims"
    assert "If mode is 0, the rank of x must be 1; otherwise, it must be 2." in said(made)
    assert not any("rank of y" in text for text in said(made))


def test_what_must_hold_in_any_case_is_said_once() -> None:
    """Rules apart for their codes alone are one requirement, which the cells of both say; the codes tell them apart."""
    made = cased()
    assert [param.shape.split(",")[0] for param in made.params[:2]] == ["[*S]", "[*S]"]
    assert not [text for text in said(made) if "shape as y" in text]
    rules = {row_.code: {rule for item in row_.failures for rule in item.rules} for row_ in made.returns}
    assert "same-empty" in rules[561103]
    assert "same-filled" in rules[161002]


def test_lists_that_are_read_side_by_side_share_a_sentence() -> None:
    made = cased()
    dtypes = said(made, subject="Data types")
    assert "For every i, other[i] and out[i] must have the same data type as list[i]." in dtypes
    assert said(made, subject="Data formats") == ["For every i, other[i] must have the same data format as list[i]."]


KEPT = """\
operator: aclnnX
release: 9.1.0
products: {910b: yes}
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT, INT8], rank: 2-3, empty: no}
  - {name: y, ctype: const aclTensor*, dtype: FLOAT, rank: 1, empty: no}
  - {name: mode, ctype: int64_t, enum: [0, 1]}
  - {name: flag, ctype: bool}
let:
  B: {is: "x.shape[0]", en: the batch size B of `x`, zh: "`x`的batch大小B"}
rules:
  y-size: {check: "y.shape[0] == B", when: "y.rank == 1 and B > 2"}
  by-rank: {check: "x.dtype == FLOAT", when: "x.rank >= 2 and mode != 0"}
  never: {check: "x.dtype == INT8", when: "mode == 2"}
  off: {check: "not flag", param: flag}
  flagged: {check: "B < 9", when: "not flag"}
  even: {check: "B % 2 == 0 or mode == 1"}
"""


def test_what_every_call_keeps_is_no_condition() -> None:
    """Numbers of dims, enumerations and flags that other rules settle are not asked for again; a letter that rules
    share is explained once; that none may be empty is one sentence."""
    made = page(load_text(KEPT, "x.yaml").definitions[0], "en")
    texts = said(made) + [note.text for param in made.params for note in param.notes]
    assert "If mode is 1, the data type of x must be FLOAT." in texts
    assert "If B is greater than 2, dimension 0 of y must equal B." in texts
    assert "B must be less than 9." in texts
    assert not any("INT8" in text for text in texts)
    assert made.explained == (("B", "the batch size of x"),)
    assert made.layouts.empty is not None
    assert made.layouts.empty.text == "No tensor may be empty."
    assert not any("must not be empty" in text.lower() for text in texts)


def test_requirements_of_a_long_page_stand_by_param() -> None:
    """Who looks for what a param's shape must be finds it under its name, the params in the prototype's order."""
    made = of("aclnnGroupedMatmulV5")
    subjects = [group.subject for group in made.requirements]
    assert "Shapes: scaleOptional" in subjects
    order = [param.name for param in made.params]
    named = [subject.removeprefix("Shapes: ") for subject in dict.fromkeys(subjects) if subject.startswith("Shapes: ")]
    assert named == sorted(named, key=order.index)


def test_a_table_says_more_than_the_rows_or_is_none() -> None:
    """Data types that no row lists stand in no table of combinations, and one line of what rows list is none."""
    assert of("aclnnMoeInitRoutingQuantV2").tables == ()
    cells = [cell for table in of("aclnnIncreFlashAttentionV2").tables for row_ in table.rows for cell in row_[:1]]
    assert cells
    assert not any("INT8" in cell for cell in cells)


def test_small_words_of_the_table() -> None:
    """A sentence on two params keeps both, tags are in lower case, and a limit of all says nothing new."""
    made, chinese = cased(), cased("zh")
    notes = {param.name: [note.text for note in param.notes] for param in made.params}
    assert notes["flag"] == ["flag and mode must differ."]
    assert notes["x"] == notes["y"] == []
    assert [row.cells for row in made.support.rows] == [
        ("FLOAT; the runtime refuses INT8 ◆", "FLOAT, FLOAT16"),
        ("FLOAT; the runtime refuses INT8 ◆", "FLOAT; the runtime refuses FLOAT16 ◆"),
    ]
    tags = next(param.tags for param in made.params if param.name == "list")
    assert [tag.split(" †")[0] for tag in tags] == ["contiguous only", "may be empty"]
    assert next(param.types for param in chinese.params if param.name == "list").startswith("FLOAT的列表")
    assert not any("more than 8 dimensions" in text for text in said(made))


OBSERVED = """\
operator: aclnnX
release: 9.1.0
products: {910b: yes, 910: yes}
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT, INT8]}
  - {name: mode, ctype: int8_t, enum: [0, 1, 2, 3]}
rules:
  wide: {check: -1 <= mode <= 4, when: "product == '910b'", basis: observed}
  never: {check: mode != 3, when: "product == '910'"}
  rarely: {check: "mode not in (-1, 3)", when: "product == '910' and x.dtype == FLOAT", basis: observed}
  other: {check: mode != 2, when: "product == '910' and x.dtype == FLOAT", basis: observed}
"""


def test_what_was_observed_goes_without_saying_beside_what_says_more() -> None:
    """A limit wider than the values that may be, and what must hold anyway where a page says so."""
    made = page(load_text(OBSERVED, "x.yaml").definitions[0], "en")
    (mode,) = (param for param in made.params if param.name == "mode")
    assert [name for note in mode.notes for name in note.rules] == ["mode.enum", "never", "other"]


def test_two_shapes_that_are_one_have_one_mark() -> None:
    """Whichever of them the rule on both is filed under."""
    found = {param.name: param.shape for param in of("aclnnApplyAdamWQuant").params}
    assert found["mRef"] == found["vRef"] == found["grad"]


def test_the_legend_says_what_is_so_of_the_rest() -> None:
    """Of tensors whose formats are all told it says nothing of formats; names end in "and"."""
    resized = of("aclnnUpsampleBilinear2d")
    assert (resized.layouts.usual, resized.layouts.aside) == ("usual_layout", "")
    bags = of("aclnnEmbeddingBag")
    assert bags.layouts.usual == "usual"
    assert bags.layouts.aside == "(of offsets and perSampleWeights the vendor's page does not say)"
    assert (
        bags.layouts.others
        == " (NCHW and other public formats that frameworks set run, too, but private ones are illegal †)"
    )


def test_a_rank_that_a_shape_implies_is_not_gone() -> None:
    """An earlier release asked for one dim, this one for the shape [1]."""
    from opspec.docs.changes import changes
    from opspec.docs.saying import Sayings

    before = load_text(BEFORE.replace("x.rank < 5", "x.rank == 1"), "x.yaml").definitions[0]
    after = load_text(AFTER.replace("x.rank == 3", "x.shape == (1,)"), "x.yaml").definitions[0]
    assert not [line for line in changes(Sayings(after, "en"), before).lines if line.startswith("No longer: ")]


def test_a_status_has_few_lines_and_leaves_no_rule_out() -> None:
    """Lines stand for all rules that have none, by the numbers and rows that say them."""
    row_ = next(row for row in of("aclnnEmbeddingBag").returns if row.code == 161002)
    assert len(row_.failures) <= 6
    told = [rule for item in row_.failures for rule in item.rules]
    assert len(told) == len(set(told)) > 3
    assert {"indices-rank", "weights-count", "maxIndices-rank-most", "bagSize.rank"} <= set(told)
