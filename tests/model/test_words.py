"""Authors' own words, of rules and of derived values, and who may change them."""

from __future__ import annotations

from typing import Any

import pytest

from opspec.docs.saying import Sayings
from opspec.errors import OpspecError
from opspec.language import prose
from opspec.language.values import Tensor
from opspec.model.canonical import canonical
from opspec.model.inherit import difference, inherited
from opspec.model.load import load_text
from opspec.validator.judge import judge
from opspec.workshop.importer.merge import digests, merge
from tests.model.building import definition, form, spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.prose import Lang

BODY = """\
params:
  - {name: self, ctype: const aclTensor*, dtype: FLOAT}
  - {name: out, ctype: aclTensor*, io: out, dtype: FLOAT}
let:
  rows: {is: "self.shape[0]", en: "the rows of `self`, for self-evident reasons", zh: "`self`的行数"}
rules:
  out-rows: {check: "out.shape[0] == rows"}
  out-rank:
    check: "out.rank == self.rank"
    when: "self.rank > 1"
    say: {en: "With several axes, `out.rank` is that of `self`", zh: "多维时`out`与`self`维数相同"}
    fails: {en: "`self` has several axes and `out` not as many", zh: "`self`为多维而`out`与其维数不同"}
twin: {operator: aclnnInplaceX, rename: {self: selfRef}}
"""
ALTERNATIVE = "{id: a, rules: {r: {check: 'self.rank == 1', say: A}}}"


def test_a_sentence_has_the_words_of_a_derived_value() -> None:
    defined = definition(BODY)
    rule = defined.rule("out-rows")
    assert rule is not None
    assert "the rows of self, for self-evident reasons" in prose.requirement(rule.check, "en", defined.terms)
    assert "self的行数" in prose.requirement(rule.check, "zh", defined.terms)


def test_a_twin_renames_what_stands_in_backticks_and_nothing_else() -> None:
    twin = load_text(spec(BODY), "x.yaml").definitions[1]
    assert twin.let_words["rows"] == ("the rows of `selfRef`, for self-evident reasons", "`selfRef`的行数")
    rule = twin.rule("out-rank")
    assert rule is not None
    assert rule.say is not None
    assert rule.say[0] == "With several axes, `out.rank` is that of `selfRef`"
    assert rule.fails == ("`selfRef` has several axes and `out` not as many", "`selfRef`为多维而`out`与其维数不同")


def test_the_canonical_form_keeps_words() -> None:
    text = canonical(spec(BODY), "x.yaml")
    assert canonical(text, "x.yaml") == text
    assert load_text(text, "x.yaml").definitions[0].let_words == definition(BODY).let_words


def test_a_finding_says_the_authors_sentence() -> None:
    found = judge(form(BODY), (Tensor((2, 3), "FLOAT"), Tensor((2,), "FLOAT")), "910b")
    (message,) = [finding.message for finding in found.violations if finding.rule == "out-rank"]
    assert message.startswith("With several axes, out.rank is that of self; found ")
    assert "because" not in message


NAMED = """\
params:
  - {name: self, ctype: const aclTensor*, dtype: FLOAT}
scenarios:
  modes:
    alternatives:
      - {id: flat, about: {en: the flat `self`, zh: 一维的`self`}, rules: {r: "self.rank == 1"}}
      - {id: deep, when: "self.rank > 4", rules: {r: "self.rank == 8"}}
twin: {operator: aclnnInplaceX, rename: {self: selfRef}}
"""


@pytest.mark.parametrize(
    ("lang", "number", "opening"),
    [
        ("en", 0, "under the nearest alternative (the flat self), "),
        ("zh", 0, "按最接近的场景（一维的self），"),
        ("en", 1, "under the nearest alternative (the flat selfRef), "),
    ],
)
def test_a_finding_calls_an_alternative_as_its_author_does(lang: Lang, number: int, opening: str) -> None:
    found = judge(form(NAMED, number), (Tensor((2, 3), "FLOAT"),), "910b", lang=lang)
    assert any(finding.message.startswith(opening) for finding in found.violations)


def test_pages_call_an_alternative_as_its_author_does_and_by_its_name_where_there_are_no_words() -> None:
    expected: dict[Lang, str] = {"en": "the flat self", "zh": "一维的self"}
    for lang, flat in expected.items():
        sayings = Sayings(definition(NAMED), lang)
        rule = sayings.definition.rule("modes")
        assert rule is not None
        for text in (sayings.requirement(rule), sayings.brief(rule), sayings.failure(rule)):
            assert flat in text
            assert "deep" in text
            assert "flat" not in text.replace(flat, "")


def test_an_heir_calls_the_alternatives_that_it_inherits_as_its_parent_does() -> None:
    mode = {"id": "flat", "about": {"en": "F", "zh": "平"}, "rows": [[1]]}
    parent: dict[str, Any] = {**PARENT, "scenarios": {"s": {"columns": ["a"], "alternatives": [mode]}}}
    own: dict[str, Any] = {"operator": "aclnnY", "extends": "aclnnX", "scenarios": {"s": {"when": "b"}}}
    whole: Any = inherited(parent, own)
    assert whole["scenarios"]["s"]["alternatives"] == [mode]
    assert difference(parent, whole) == own


@pytest.mark.parametrize(
    "body",
    [
        BODY.replace("is that of `self`", "is that of `self`."),
        BODY.replace("多维时`out`与`self`维数相同", "多维时`out`与`self`维数相同。"),
        BODY.replace("let:", f"scenarios: {{s: {{alternatives: [{ALTERNATIVE}]}}}}\nlet:"),
    ],
)
def test_words_that_cannot_be_shown_are_errors(body: str) -> None:
    with pytest.raises(OpspecError):
        load_text(spec(body), "x.yaml")


PARENT: dict[str, Any] = {
    "operator": "aclnnX",
    "let": {"n": {"is": "a", "en": "the a", "zh": "a数"}, "m": "b"},
    "rules": {"r": {"check": "c", "say": {"en": "C"}, "fails": {"en": "no C"}}},
    "params": [],
}


def test_an_heir_has_the_words_of_what_it_does_not_change() -> None:
    whole: Any = inherited(PARENT, {"operator": "aclnnY", "extends": "aclnnX", "rules": {"r": {"status": "s"}}})
    assert whole["let"] == PARENT["let"]
    assert whole["rules"] == {"r": {"check": "c", "say": {"en": "C"}, "fails": {"en": "no C"}, "status": "s"}}


def test_an_heir_that_says_something_else_has_no_words_for_it() -> None:
    own: dict[str, Any] = {
        "operator": "aclnnY",
        "extends": "aclnnX",
        "rules": {"r": {"check": "d"}},
        "let": {"n": {"is": "z"}},
    }
    whole: Any = inherited(PARENT, own)
    assert whole["rules"] == {"r": {"check": "d"}}
    assert whole["let"]["n"] == {"is": "z"}
    assert difference(PARENT, whole) == own


def test_an_heir_may_give_words_to_what_it_inherits() -> None:
    own: dict[str, Any] = {"operator": "aclnnY", "extends": "aclnnX", "let": {"m": {"en": "the b"}}}
    assert inherited(PARENT, own)["let"] == {**PARENT["let"], "m": {"is": "b", "en": "the b"}}


def test_importing_again_keeps_words_as_long_as_the_rule_is_the_same() -> None:
    imported: dict[str, Any] = {
        "operator": "aclnnX",
        "params": [],
        "rules": {"r": "c", "s": {"check": "d", "when": "e"}},
    }
    say = {"en": "C", "zh": "C"}
    rules = {"r": {"check": "c", "say": say, "fails": say}, "s": {"check": "d", "when": "e", "fails": say}}
    current = {**imported, "rules": rules}
    same = merge(current, imported, digests(imported))
    assert (same.value, same.changed, same.kept) == (current, [], [])
    other = merge(current, {**imported, "rules": {"r": "x", "s": imported["rules"]["s"]}}, digests(imported))
    assert other.value["rules"] == {"r": "x", "s": current["rules"]["s"]}
