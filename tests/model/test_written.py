"""Promise: blocks of rules and names are ways of writing. A spec means what it means without them, tools that read and
write it keep them, and an error points at what a person wrote."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.errors import OpspecError
from opspec.language.text import write as source_of
from opspec.model import named
from opspec.model.canonical import canonical
from opspec.model.load import Loaded, load_text
from opspec.model.written import closed, opened
from opspec.yamltext import read
from tests.model.building import spec
from tests.model.test_places import word_at

Data = dict[str, Any]

# --- the opposites

_GUARDS = st.sampled_from(["a", "b == ')'", "a or b", "not c", "(a or b)", "a if b else c", "f(a, b or c)", "'or'"])
_RULES = st.one_of(
    st.sampled_from(["x", "y"]),
    st.none(),
    st.fixed_dictionaries({"check": st.just("x")}, optional={"when": _GUARDS, "param": st.just("p")}),
    st.fixed_dictionaries({"param": st.just("p")}, optional={"when": _GUARDS}),
)
_IDS = st.lists(st.sampled_from([f"r{number}" for number in range(12)]), unique=True, min_size=1, max_size=8)


@st.composite
def _files(draw: st.DrawFn) -> Data:
    """Rules of a file, some of them in blocks, some of those in blocks."""
    waiting = draw(_IDS)
    number = 0

    def level(depth: int) -> Data:
        nonlocal number
        result: Data = {}
        while waiting and (depth == 0 or not result or draw(st.booleans())):
            if depth < 3 and draw(st.booleans()):
                number += 1
                name, guard = f"block-{number}", draw(_GUARDS)
                result[name] = {"when": guard, "rules": level(depth + 1)}
            else:
                result[waiting.pop()] = draw(_RULES)
        return result

    return level(0)


def in_order(value: Data) -> list[tuple[str, Any]]:
    """Rules as a list: equal only in the same order."""
    return list(value["rules"].items())


@given(file=_files(), other=_files())
def test_what_is_opened_is_closed_again(file: Data, other: Data) -> None:
    """In the blocks of whatever file rules are put, they say the same, in the same order; in those of their own file
    they stand as they stood."""
    plain = opened({"rules": file})
    for blocks in (file, other):
        again = closed(plain, {"rules": blocks})
        assert in_order(opened(again)) == in_order(plain)
    once = closed(plain, {"rules": file})
    assert closed(opened(once), once) == once


@given(file=_files(), new=st.sampled_from(["x", {"check": "x", "when": "a"}]), at=st.integers(0, 8))
def test_a_rule_that_joins_changes_no_other(file: Data, new: Any, at: int) -> None:
    """An importer puts it somewhere among the others."""
    plain = list(opened({"rules": file})["rules"].items())  # type: ignore[union-attr]
    plain.insert(at, ("new", new))
    again = closed({"rules": dict(plain)}, {"rules": file})
    assert in_order(opened(again)) == plain


_TEXT = st.sampled_from([{"en": "one", "zh": "一"}, {"en": "two", "zh": "二"}, "both alike"])
_ON = st.sampled_from([["910", "310p"], ["910b"]])
_SPECS = st.fixed_dictionaries(
    {
        "summary": _TEXT,
        "params": st.lists(
            st.fixed_dictionaries(
                {"name": st.just("p"), "about": _TEXT, "optional": st.fixed_dictionaries({"on": _ON})},
                optional={"enum": st.dictionaries(st.sampled_from(["on", "say"]), _TEXT)},
            )
        ),
        "rules": st.dictionaries(
            st.sampled_from(["on", "say", "r"]), st.fixed_dictionaries({"say": _TEXT}, optional={"evidence": _TEXT})
        ),
        "let": st.dictionaries(st.sampled_from(["about", "on"]), st.just("first")),
        "remarks": st.lists(st.fixed_dictionaries({"about": st.just("first"), "on": _ON})),
    }
)
_BY_NAME = st.dictionaries(
    st.sampled_from(["on", "about", "enum", "rules", "say", "p"]),
    st.none()
    | st.fixed_dictionaries(
        {},
        optional={
            "about": _TEXT,
            "dtype": st.fixed_dictionaries({"on": _ON}),
            "enum": st.fixed_dictionaries({"on": _TEXT}),
        },
    ),
)
NAMES: Data = {"words": {"first": {"en": "one", "zh": "一"}}, "groups": {"older": ["910", "310p"]}}


@given(_SPECS)
def test_what_has_a_name_stands_by_it_and_means_the_same(plain: Data) -> None:
    short = closed(plain, NAMES)
    assert opened(short) == plain
    assert str({"en": "one", "zh": "一"}) not in str({**short, "words": None})
    assert str(["910", "310p"]) not in str({**short, "groups": None})
    assert not list(named.unused(short))


@given(_SPECS, _BY_NAME)
def test_params_that_stand_by_name_are_not_mistaken_for_keys(plain: Data, params: Data) -> None:
    """In a file that extends another a param may be called as a key is."""
    short: Any = closed({**plain, "params": params}, NAMES)
    assert opened(short)["params"] == params
    assert short["params"].keys() == params.keys()
    assert [entry is None for entry in short["params"].values()] == [entry is None for entry in params.values()]


# --- what a spec means

PARAMS = """\
params:
  - {name: n, ctype: int64_t, optional: {on: older}}
  - {name: m, ctype: int64_t, about: size}
"""
NAMED = """\
words:
  size: {en: how many, zh: 数目}
  seen: {en: recorded calls show it, zh: 调用记录表明如此}
groups:
  older: [310p]
"""
BLOCKS = """\
rules:
  first: {check: "n > 0"}
  some:
    when: "n > 1 or m > 1"
    rules:
      both: {check: "n < 100", when: "m > 2", evidence: seen, enforced: no}
      alone: "m < 100"
      many:
        when: "n > 50"
        rules:
          most: {check: "m < n", when: "n == 60 or m == 60"}
  last: {check: "n >= m", when: "m == 7"}
"""
PLAIN = """\
params:
  - {name: n, ctype: int64_t, optional: {on: [310p]}}
  - {name: m, ctype: int64_t, about: {en: how many, zh: 数目}}
rules:
  first: {check: "n > 0"}
  both:
    check: "n < 100"
    when: "(n > 1 or m > 1) and m > 2"
    evidence: {en: recorded calls show it, zh: 调用记录表明如此}
    enforced: no
  alone: {check: "m < 100", when: "n > 1 or m > 1"}
  most: {check: "m < n", when: "(n > 1 or m > 1) and n > 50 and (n == 60 or m == 60)"}
  last: {check: "n >= m", when: "m == 7"}
"""
FILE = spec(NAMED + PARAMS + BLOCKS)


def said(loaded: Loaded) -> list[Any]:
    """All that a definition says of its rules, in their order."""
    return [
        (rule.id, source_of(rule.check), rule.when and source_of(rule.when), rule.step, rule.enforced, rule.evidence)
        for rule in loaded.definitions[0].rules
    ]


def test_a_spec_with_blocks_and_names_is_the_spec_without() -> None:
    with_blocks, without = load_text(FILE, "x.yaml"), load_text(spec(PLAIN), "x.yaml")
    assert said(with_blocks) == said(without)
    assert with_blocks.spec == without.spec


def test_fmt_keeps_blocks_and_names_and_writes_them_line_by_line() -> None:
    written = canonical(FILE, "x.yaml")
    assert read(written, "x").value == read(FILE, "x").value
    assert canonical(written, "x.yaml") == written
    assert '\n      alone: "m < 100"\n' in written
    assert "\n  older: [310p]\n" in written


HEIR = """\
operator: aclnnY
extends: aclnnX
without: [alone]
rules:
  both: {enforced: yes}
  odd:
    when: "m == 3"
    rules:
      last: {param: n}
      more: {check: "n == 9"}
"""


def test_an_heir_amends_rules_of_blocks_and_has_blocks_of_its_own(tmp_path: Any) -> None:
    """It says the same of a parent without blocks; what it says stands in its file, what it inherits in the other's."""
    (tmp_path / "aclnnX.yaml").write_text(FILE, encoding="utf-8")
    path = str(tmp_path / "aclnnY.yaml")
    heir = load_text(HEIR, path)
    found = {rule.id: rule for rule in heir.definitions[0].rules}
    assert "alone" not in found
    assert found["both"].enforced == "yes"
    assert source_of(found["last"].when) == source_of(found["more"].when) == "m == 3"  # type: ignore[arg-type]
    assert heir.where(found["more"].path).startswith(path)
    assert word_at(FILE, heir.where(found["most"].path)) == "m"
    (tmp_path / "aclnnX.yaml").write_text(spec(PLAIN), encoding="utf-8")
    assert said(load_text(HEIR, path)) == said(heir)


ANCHORING = """\
operator: aclnnY
extends: aclnnX
rules:
  first: {}
  more: {check: "n == 9"}
"""


def test_a_rule_that_an_heir_only_names_to_put_another_behind_it_stands_in_its_parent(tmp_path: Any) -> None:
    """A fault of its check is shown there, whether the parent says the check alone or more."""
    path = str(tmp_path / "aclnnY.yaml")
    for check in ('{check: "n > 0"}', '"n > 0"'):
        parent = FILE.replace('{check: "n > 0"}', check)
        (tmp_path / "aclnnX.yaml").write_text(parent, encoding="utf-8")
        heir = load_text(ANCHORING, path)
        place = heir.where(next(rule.path for rule in heir.definitions[0].rules if rule.id == "first"))
        assert "aclnnX.yaml" in place
        assert word_at(parent, place) == "n"


# --- places


@pytest.mark.parametrize(
    "text",
    ["n > 1 or m > 1", "n > 50", "m > 2", "n == 60 or m == 60", "n < 100", "m < 100", "m < n"],
)
def test_an_error_in_a_block_points_at_the_wrong_word(text: str) -> None:
    """Each word of each condition and check, in brackets or not where conditions are put together."""
    for found in re.finditer(r"\b[nm]\b", text):
        wrong = text[: found.start()] + "nope" + text[found.end() :]
        broken = FILE.replace(f'"{text}"', f'"{wrong}"')
        assert broken != FILE
        with pytest.raises(OpspecError) as caught:
            load_text(broken, "x.yaml")
        assert word_at(broken, caught.value.where) == "nope"


@pytest.mark.parametrize(
    ("before", "after", "word", "message"),
    [
        ('        when: "n > 50"\n', "", "when|rules", "a block says when its rules hold"),
        ('        when: "n > 50"\n', '        when: "n > 50"\n        whn: n\n', "n", "unknown key 'whn'"),
        ("most: {check", "both: {check", "", "two rules have the id 'both'"),
        ("many:", "first:", "when", "a rule has the name of this block"),
        ("about: size", "about: sise", "sise", "no sentence of this file is called 'sise'"),
        ("on: older", "on: oldr", "oldr", "no group of products of this file is called 'oldr'"),
        ("zh: 调用记录表明如此", "zh: []", "", "expected"),
        ("enforced: no", "enforced: maybe", "maybe", "expected yes or no"),
        ("groups:\n  older: [310p]\n", "groups: [310p]\n", "", "expected {name: group of products}"),
    ],
)  # fmt: skip
def test_a_fault_of_a_block_or_a_name_points_at_it(before: str, after: str, word: str, message: str) -> None:
    assert FILE.count(before) == 1
    broken = FILE.replace(before, after)
    with pytest.raises(OpspecError) as caught:
        load_text(broken, "x.yaml")
    first = caught.value.faults[0]
    assert message in first.message
    assert re.fullmatch(word or ".*", word_at(broken, first.where))


def test_all_faults_of_blocks_are_told_at_once() -> None:
    broken = FILE.replace("many:", "first:").replace("most:", "both:").replace("on: older", "on: oldr")
    with pytest.raises(OpspecError) as caught:
        load_text(broken, "x.yaml")
    assert len(caught.value.faults) == 3
