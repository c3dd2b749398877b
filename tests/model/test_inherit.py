"""Promise: a spec that extends another one is what it says and what it inherits, and its faults name the right file."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.cli.main import main
from opspec.errors import OpspecError
from opspec.model.canonical import canonical
from opspec.model.derived import filled, without_release
from opspec.model.inherit import difference, inherited
from opspec.model.ledger import path_beside, read_ledger
from opspec.model.load import Source, beside, load_file, spec_file, stated, whole
from opspec.model.param_changes import applied, changes
from opspec.model.raw import document_of, with_extended
from opspec.model.shorten import flat, shortened
from opspec.model.written import closed
from opspec.yamltext import read_file, write
from tests.committed import EVERY, SPECS
from tests.model.test_places import word_at

Data = dict[str, Any]


def source(path: Path) -> Source:
    """A spec file with what it extends."""
    return whole(read_file(str(path)), lambda operator: beside(str(path), operator))


def in_order(value: Any) -> Any:
    """A value that equals another only if the orders of their keys do."""
    if isinstance(value, dict):
        return [(key, in_order(item)) for key, item in value.items()]
    return [in_order(item) for item in value] if isinstance(value, list) else value


# --- the opposites


@pytest.mark.parametrize("paths", EVERY)
def test_flat_and_shortened_are_opposites_for_every_committed_spec(paths: list[Path]) -> None:
    """Tools that read a spec flat and write it again change nothing in it, nor in its ledger."""
    for path in paths:
        found, ledger = source(path), read_ledger(path_beside(str(path)))
        data = flat(found.value, ledger)
        sets = found.value.get("sets", {})
        parent = None if found.parent is None else found.parent.value
        said = found.document.value
        assert isinstance(sets, dict)
        assert isinstance(said, dict)
        own, again = shortened(data, sets, parent)
        text = canonical(write(closed(own, said), found.document.comments), str(path))
        assert text == path.read_text(encoding="utf-8")
        assert list(again.clauses.items()) == list(ledger.clauses.items()), path
        assert flat(filled(own) if parent is None else inherited(parent, own, again.clauses), again) == data, path


@pytest.mark.parametrize("paths", EVERY)
def test_every_committed_spec_that_extends_another_is_its_difference_from_it(paths: list[Path]) -> None:
    for path in paths:
        found = source(path)
        if found.parent is not None:
            clauses = stated(str(path))
            own = difference(found.parent.value, found.value, clauses)
            assert own is not None
            assert without_release(own, str(path)) == found.own, path
            assert inherited(found.parent.value, own, clauses) == found.value, path


_PARAMS: st.SearchStrategy[list[Any]] = st.lists(
    st.tuples(
        st.sampled_from("abcdef"),
        st.sampled_from(["int64_t", "bool"]),
        st.fixed_dictionaries({}, optional={key: st.sampled_from("xy") for key in ("about", "dtype", "rank")}),
    ),
    unique_by=lambda param: param[0],
).map(lambda params: [{"name": name, "ctype": ctype, **rest} for name, ctype, rest in params])


@given(_PARAMS, _PARAMS)
def test_params_in_whatever_order_are_what_differs_from_others(parent: list[Any], made: list[Any]) -> None:
    """Of any two lists, with params that are new, gone, called otherwise or moved; those that are as there are not
    named."""
    said = changes(parent, made)
    assert applied(parent, said) == made
    assert changes(parent, parent) == {}
    names, others = ([param["name"] for param in params] for params in (parent, made))
    if [name for name in names if name in others] == [name for name in others if name in names]:
        assert not said.keys() & {param["name"] for param in parent if param in made}


PLAIN: list[Any] = [{"name": name, "ctype": "bool", "dtype": "x", "rank": "2", "about": name} for name in "abc"]


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ({"n": {"ctype": "bool"}}, "abcn"),
        ({"b": {"rank": None}, "n": {"ctype": "bool"}, "m": {"ctype": "bool"}}, "abnmc"),
        ({"n": {"after": None, "ctype": "bool"}}, "nabc"),
        ({"n": {"after": "a", "ctype": "bool"}, "b": None}, "anc"),
        ({"a": {"after": "c"}}, "bca"),
        ({"n": {"was": "b"}}, "anc"),
        ({"n": {"was": "b"}, "b": {"ctype": "int64_t"}}, "anbc"),
        ({"a": {"was": "b"}, "b": {"was": "a"}}, "bac"),
    ],
)
def test_where_params_stand(said: Data, names: str) -> None:
    found: list[Any] = applied(PLAIN, said)
    assert "".join(param["name"] for param in found) == names


def test_a_param_that_is_called_otherwise_is_the_same_one() -> None:
    """It says its new name, and what else differs."""
    other: list[Any] = [PLAIN[0], {**PLAIN[1], "name": "n", "rank": "3"}, PLAIN[2]]
    assert changes(PLAIN, other) == {"n": {"was": "b", "rank": "3"}}
    another: list[Any] = [PLAIN[0], {**PLAIN[1], "name": "n", "about": "another"}, PLAIN[2]]
    assert changes(PLAIN, another).keys() == {"n", "b"}


# --- the same for specs that somebody edits

_EXTENDED = [path for path in SPECS if path.read_bytes().find(b"\nextends: ") >= 0][::6]
_WORDS = st.sampled_from(["a", "b", "self.rank", "x > 1"])
_NAMES = st.sampled_from(["new-1", "new-2", "new.3"])
_RULES = st.one_of(
    _WORDS,
    st.fixed_dictionaries(
        {"check": _WORDS},
        optional={
            "when": _WORDS,
            "param": _WORDS,
            "from": st.lists(_WORDS, min_size=1, max_size=2),
            "enforced": _WORDS,
            "say": st.fixed_dictionaries({"en": _WORDS, "zh": _WORDS}),
        },
    ),
    st.fixed_dictionaries({"say": st.fixed_dictionaries({"en": _WORDS})}),
    st.fixed_dictionaries({"enforced": _WORDS}),
)


_DERIVED = st.one_of(_WORDS, st.fixed_dictionaries({"is": _WORDS}, optional={"en": _WORDS, "zh": _WORDS}))


@st.composite
def _edited(draw: st.DrawFn) -> tuple[Data, Data]:
    """A committed spec, and what somebody made of it under another name."""
    parent = source(draw(st.sampled_from(_EXTENDED))).value
    made = copy.deepcopy(parent)
    made["operator"] = "aclnnMade"
    for _ in range(draw(st.integers(0, 6))):
        _edit(draw, made)
    return parent, made


def _edit(draw: st.DrawFn, made: Data) -> None:
    """One edit: of a param, a rule, a row of the table, a derived value, or another key."""
    match draw(st.sampled_from(["param", "rules", "clauses", "let", "key"])):
        case "param":
            _edit_params(draw, made["params"])
        case "key":
            key = draw(st.sampled_from(["summary", "products", "deterministic", "example", "formula", "header"]))
            if draw(st.booleans()):
                made.pop(key, None)
            else:
                made[key] = draw(_WORDS)
        case key:
            _edit_entries(draw, made, key)


@st.composite
def _edited_params(draw: st.DrawFn, params: list[Data]) -> list[Data]:
    """Params after one edit."""
    _edit_params(draw, params)
    return params


def _edit_params(draw: st.DrawFn, params: list[Data]) -> None:
    number = draw(st.integers(0, len(params) - 1))
    match draw(st.sampled_from(["gone", "new", "moved", "property", "no property"])):
        case "gone" if len(params) > 1:
            del params[number]
        case "new" if all(param["name"] != "made" for param in params):
            params.insert(number, {"name": "made", "ctype": draw(_WORDS)})
        case "moved":
            params.append(params.pop(number))
        case "property":
            params[number][draw(st.sampled_from(["dtype", "rank", "io"]))] = draw(_WORDS)
        case "no property":
            params[number].pop(draw(st.sampled_from(["dtype", "rank", "optional"])), None)


def _edit_entries(draw: st.DrawFn, made: Data, key: str) -> None:
    entries: Data = made.get(key, {})
    kinds = {"clauses": st.lists(_WORDS, min_size=1, max_size=2), "rules": _RULES, "let": _DERIVED}
    values = kinds[key]
    known = st.sampled_from(list(entries)) if entries else _NAMES
    match draw(st.sampled_from(["gone", "new", "other", "moved"])):
        case "moved" if entries and key != "clauses":
            name = draw(known)
            entries[name] = entries.pop(name)
        case "gone":
            entries.pop(draw(known), None)
        case "new":
            items, name = list(entries.items()), draw(_NAMES)
            if name not in entries:
                items.insert(draw(st.integers(0, len(items))), (name, draw(values)))
            entries = dict(items)
        case "other" if entries:
            entries[draw(known)] = draw(values)
    made.pop(key, None)
    if entries:
        made[key] = entries


@given(_edited())
def test_what_a_file_has_to_say_is_what_makes_the_whole_of_it(edited: tuple[Data, Data]) -> None:
    """Where the difference can be said, it says the whole, in its order; where not, nothing is said."""
    parent, made = edited
    before = copy.deepcopy(edited)
    own = difference(parent, made)
    if own is not None:
        again = inherited(parent, own)
        assert again == made
        for key in ("params", "rules", "let", "scenarios"):  # of the others nothing depends on it
            assert in_order(_keys(again, key)) == in_order(_keys(made, key))
    assert (parent, made) == before


def _keys(value: Data, key: str) -> Any:
    found = value.get(key)
    return [param["name"] for param in found] if key == "params" and found else list(found or ())


@given(st.sampled_from(_EXTENDED), st.data())
def test_an_edit_that_leaves_the_order_can_always_be_said(path: Path, data: st.DataObject) -> None:
    """A param or rule less, another property, another check: what versions of an operator differ in."""
    parent: Data = source(path).value
    made = copy.deepcopy(parent)
    made["operator"] = "aclnnMade"
    made["params"] = data.draw(_edited_params(made["params"]))
    rules = made.get("rules", {})
    if isinstance(rules, dict) and rules:
        name = data.draw(st.sampled_from(list(rules)))
        if data.draw(st.booleans()):
            rules[name] = data.draw(_RULES)
        elif len(rules) > 1:
            del rules[name]
    own = difference(parent, made)
    assert own is not None
    assert inherited(parent, own) == made


@given(st.permutations(list("abcd")), st.lists(st.sampled_from("abcdefgh"), unique=True), st.data())
def test_rules_in_whatever_order_are_what_differs_from_others(
    names: list[str], made: list[str], data: st.DataObject
) -> None:
    """Of any two lists: the checks and conditions of those that stay may be others, too."""
    rules = st.sampled_from(["x", "y", {"check": "x", "when": "z"}])
    theirs, own = ({name: data.draw(rules) for name in order} for order in (names, made))
    parent: Data = {"operator": "aclnnX", "rules": theirs}
    whole: Data = {"operator": "aclnnMade", **({"rules": own} if own else {})}
    said = difference(parent, whole)
    assert said is not None
    assert in_order(inherited(parent, said).get("rules", {})) == in_order(own)


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ({"n": "x"}, "abcn"),
        ({"b": {}, "n": "x"}, "abnc"),
        ({"n": {"after": None, "check": "x"}}, "nabc"),
        ({"a": {"after": "b"}, "n": "x"}, "banc"),
        ({"c": {"after": None, "when": "y"}}, "cab"),
    ],
)
def test_where_rules_stand(said: Data, names: str) -> None:
    parent: Data = {"operator": "aclnnX", "rules": {"a": "x", "b": {"check": "x", "param": "p"}, "c": "x"}}
    assert "".join(inherited(parent, {"operator": "aclnnY", "extends": "aclnnX", "rules": said})["rules"]) == names  # type: ignore[arg-type]


# --- faults

PARENT = """\
operator: aclnnParent
release: 9.9
summary: {en: X, zh: X}
products: {910b: yes}
params:
  - {name: n, ctype: int64_t}
  - {name: m, ctype: int64_t, range: "> 0"}
let:
  half: "n // 2"
rules:
  first: "n > 0"
  second: {check: "half > 1", when: "m > 3"}
"""
CHILD = """\
operator: aclnnChild
extends: aclnnParent
params:
  k: {after: null, ctype: int64_t}
  m: {after: k}
rules:
  second: {when: "m > 4"}
  third: "k > n"
"""


def files(folder: Path, parent: str = PARENT, child: str = CHILD, family: str = "one") -> Path:
    """The two files, the parent perhaps in another family; the child's path."""
    for name, text, below in (("aclnnParent", parent, family), ("aclnnChild", child, "one")):
        (folder / "9.9" / below).mkdir(parents=True, exist_ok=True)
        (folder / "9.9" / below / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder / "9.9" / "one" / "aclnnChild.yaml"


@pytest.mark.parametrize("family", ["one", "other"])
def test_a_child_is_what_it_says_and_what_it_inherits(family: str, tmp_path: Path) -> None:
    """Its params have its own order, a rule keeps what the child does not say."""
    path = files(tmp_path, family=family)
    spec = spec_file(str(path))
    assert (spec.operator, spec.release, spec.document) == ("aclnnChild", "9.9", None)
    assert [param.name for param in spec.params] == ["k", "m", "n"]
    assert spec.params[1].range == "> 0"
    assert list(spec.rules) == ["first", "second", "third"]
    assert (spec.rules["second"].check, spec.rules["second"].when) == ("half > 1", "m > 4")
    assert {rule.id for rule in load_file(str(path)).definitions[0].rules} == {"m.range", "first", "second", "third"}


def test_the_same_operator_of_another_release_has_its_page_in_the_same_place(tmp_path: Path) -> None:
    """A version of an operator has a page of its own; an edition of it says its page only where that lies elsewhere."""
    parent = PARENT + "document: repo/folder/aclnnParent.md\n"
    child = files(tmp_path, parent)
    assert spec_file(str(child)).document is None
    older = tmp_path / "9.8" / "one" / "aclnnParent.yaml"
    older.parent.mkdir(parents=True)
    for own, expected in (("", "repo/folder/aclnnParent.md"), ("document: a/aclnnParent.md\n", "a/aclnnParent.md"),
                          ("document: null\n", None)):  # fmt: skip
        older.write_text(f"operator: aclnnParent\nextends: 9.9/aclnnParent\n{own}", encoding="utf-8")
        assert spec_file(str(older)).document == expected
        assert document_of(with_extended(str(older))) == (expected or "")


def test_what_is_left_out_and_what_is_not_as_there(tmp_path: Path) -> None:
    child = CHILD.replace("extends: aclnnParent\n", "extends: aclnnParent\nwithout: [first]\n")
    child = child.replace('{when: "m > 4"}', "{when: null}").replace("m: {after: k}", "m: {after: k, range: null}")
    spec = spec_file(str(files(tmp_path, child=child)))
    assert list(spec.rules) == ["second", "third"]
    assert spec.rules["second"].when is None
    assert spec.params[1].range is None


def test_a_remark_on_products_that_the_child_names_none_of_is_not_inherited() -> None:
    """A remark is inherited where its products, whole or by their members, are among those that the child names."""
    remarks: list[Data] = [{"en": on, "on": [on]} for on in ("310p", "910b-training", "950dt", "A3")]
    parent: Data = {"operator": "aclnnX", "remarks": [*remarks, {"en": "all"}]}
    own: Data = {"operator": "aclnnX", "extends": "9.1.0/aclnnX", "products": {"910b": "yes", "950": "no"}}
    said = [item["en"] for item in cast(list[Data], inherited(parent, own, ())["remarks"])]
    assert said == ["910b-training", "950dt", "all"]
    del own["products"]
    assert inherited(parent, own, ())["remarks"] == parent["remarks"]


def test_a_child_of_a_child_and_of_a_pair(tmp_path: Path) -> None:
    path = files(tmp_path)
    pair = path.with_name("aclnnChild+aclnnInplaceChild.yaml")
    path.rename(pair)
    grandchild = path.with_name("aclnnGrandchild.yaml")
    grandchild.write_text('operator: aclnnGrandchild\nextends: aclnnChild\nrules: {third: "k > m"}\n', encoding="utf-8")
    spec = spec_file(str(grandchild))
    assert spec.rules["third"].check == "k > m"
    assert (spec.rules["second"].check, spec.rules["second"].when) == ("half > 1", "m > 4")


def refused(path: Path) -> list[OpspecError]:
    """What is wrong with a file."""
    with pytest.raises(OpspecError) as caught:
        load_file(str(path))
    return list(caught.value.faults)


CHILDS = [
    ('third: "k > n"', 'third: "k > nope"', "nope"),
    ('{when: "m > 4"}', '{when: "nope > 4"}', "nope"),
    ("ctype: int64_t}", "ctype: nope}", "nope"),
    ("ctype: int64_t}", "ctype: int64_t, range: nope}", "nope"),
    ("ctype: int64_t}", "ctype: int64_t, nope: 1}", "nope"),
    ("{after: k}", "{after: k, range: nope}", "nope"),
    ("{after: k}", "{after: k, enum: nope}", "nope"),
    ("m: {after: k}", "m: {after: nope}", "nope"),
    ("m: {after: k}", "m: {after: m}", "m"),
    ("m: {after: k}", "nope: {after: k}", "nope"),
    ("m: {after: k}", "nope: null", "nope"),
    ("m: {after: k}", "m: nope", "nope"),
    ("m: {after: k}", "m: {name: nope}", "nope"),
    ("m: {after: k}", "m2: {was: nope}", "nope"),
    ("m: {after: k}", "m2: {was: m}\n  m3: {was: m}", "m"),
    ('{when: "m > 4"}', '{when: "m > 4", nope: 1}', "nope"),
    ('{when: "m > 4"}', '{when: "m > 4", after: nope}', "nope"),
    ('{when: "m > 4"}', '{when: "m > 4", after: second}', "second"),
    ('third: "k > n"', 'third: "k > n"\nlet: {nope: "wrong"}', "wrong"),
    ('third: "k > n"', 'third: "k > n"\nclauses: {nope/1: [wrong]}', "wrong"),
    ('third: "k > n"', 'third: "k > n"\nnope: 1', "nope"),
    ('third: "k > n"', 'third: "k > n"\nsummary: {en: a, nope: b}', "nope"),
]


@pytest.mark.parametrize(("before", "after", "word"), CHILDS)
def test_a_fault_in_the_child_has_its_place_there(before: str, after: str, word: str, tmp_path: Path) -> None:
    assert before in CHILD
    child = CHILD.replace(before, after)
    path = files(tmp_path, child=child)
    found = refused(path)
    assert all(fault.where.startswith(f"{path}:") for fault in found), found
    assert any(word_at(child, fault.where) == word for fault in found), found


PARENTS = [
    ('first: "n > 0"', 'first: "n > nope"', "nope"),
    ('half: "n // 2"', 'half: "nope // 2"', "nope"),
    ('check: "half > 1"', 'check: "nope > 1"', "nope"),
    ('range: "> 0"', "range: nope", "nope"),
    ('range: "> 0"', "enum: nope", "nope"),
    ('range: "> 0"', "nope: 1", "nope"),
    ("ctype: int64_t, range", "ctype: nope, range", "nope"),
    ("{910b: yes}", "{910b: nope}", "nope"),
    ("{en: X, zh: X}", "{en: X, zh: X, nope: Y}", "nope"),
]


@pytest.mark.parametrize("family", ["one", "other"])
@pytest.mark.parametrize(("before", "after", "word"), PARENTS)
def test_a_fault_that_a_child_inherits_has_its_place_in_the_parent(
    before: str, after: str, word: str, family: str, tmp_path: Path
) -> None:
    """Though the params stand at other places there; its line is shown."""
    assert before in PARENT
    parent = PARENT.replace(before, after)
    path = files(tmp_path, parent=parent, family=family)
    home = path.parent.parent / family / "aclnnParent.yaml"
    found = refused(path)
    assert all(fault.where.startswith(f"{home}:") for fault in found), found
    assert any(word_at(parent, fault.where) == word for fault in found), found
    assert all(fault.caret.split("\n")[0].strip() in parent for fault in found)


def test_a_rule_of_the_parent_that_breaks_in_the_child_is_told(tmp_path: Path) -> None:
    """The child left out what the rule reads: the place is the rule's."""
    path = files(tmp_path, child=CHILD.replace("m: {after: k}", "m: {after: k}\n  n: null").replace("k > n", "k > m"))
    faults = refused(path)
    assert all("'n'" in fault.message for fault in faults), faults
    there = [fault for fault in faults if fault.where.startswith(f"{path.with_name('aclnnParent.yaml')}:")]
    assert there, faults
    assert all("in 9.9/aclnnChild, which extends this spec" in fault.message for fault in there), there


@pytest.mark.parametrize(
    ("before", "after", "place", "message"),
    [
        ("extends: aclnnParent", "extends: aclnnParnt", ":2:10: ", "the extended operator 'aclnnParnt' has no spec"),
        ("extends: aclnnParent", "extends: aclnnChild", ":2:10: ", "specs extend each other: aclnnChild -> aclnnChild"),
        ("extends: aclnnParent", "extends: [aclnnParent]", ":2:10: ", "expected a text"),
        ("extends: aclnnParent", "extends: aclnnParent\nwithout: [frst]", ":3:11: ", "did you mean 'first'"),
        ("extends: aclnnParent", "extends: aclnnParent\nwithout: first", ":3:10: ", "expected a list of rules"),
        ("extends: aclnnParent", "extends: aclnnParnt", ":2:10: ", "in this release; did you mean 'aclnnParent'"),
        ("extends: aclnnParent", "extends: 9.8/aclnnParent", ":2:10: ", "no release '9.8'; did you mean '9.9'"),
        ('third: "k > n"', "frst: null", ":8:3: ", "no 'frst' in rules; did you mean 'first'"),
        ("m: {after: k}", "m: {was: n}", ":5:12: ", "'m' is another param of the extended operator"),
        ("m: {after: k}", "mm: {rank: 1}", ":5:3: ", "did you mean 'm'?; a new one has its ctype"),
        ("m: {after: k}", "mm: {after: k}", ":5:3: ", "no param 'mm'; did you mean 'm'"),
        ("m: {after: k}", "m: {after: kk}", ":5:14: ", "no param 'kk' stands before it; did you mean 'k'"),
        ("  k: {after: null, ctype: int64_t}\n  m: {after: k}\n", "  - m\n", ":3:1: ", "params are {name: what"),
    ],
)  # fmt: skip
def test_what_cannot_be_extended_is_told_at_its_place(
    before: str, after: str, place: str, message: str, tmp_path: Path
) -> None:
    path = files(tmp_path, child=CHILD.replace(before, after))
    found = refused(path)
    assert any(str(fault).startswith(f"{path}{place}") and message in fault.message for fault in found), found


@pytest.mark.parametrize("length", [2, 3, 30])
def test_specs_that_extend_each_other_in_a_circle(
    length: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """However long it is, and whatever reads it: a check too."""
    folder = tmp_path / "9.9"
    folder.mkdir()
    names = [f"aclnnA{number}" for number in range(length)]
    for name, after in zip(names, (*names[1:], names[0]), strict=True):
        (folder / f"{name}.yaml").write_text(f"operator: {name}\nextends: {after}\n", encoding="utf-8")
    found = refused(folder / f"{names[0]}.yaml")
    assert re.search(r"aclnnA\d+\.yaml:2:10: specs extend each other: aclnnA", str(found[0]))
    call = tmp_path / "call.json"
    call.write_text('{"op": "aclnnA0", "product": "910b", "args": {}}', encoding="utf-8")
    assert main(["check", "--specs", str(tmp_path), str(call)]) == 2
    assert "specs extend each other" in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    "parent", ["", "- a\n", "operator: [\n", "3\n", "params: 3\n", "params: [3, {a: 1}]\nrules: 3\n", "\0"]
)
@pytest.mark.parametrize("child", [CHILD, "extends: aclnnParent\nparams: 3\nrules: [1]\nwithout: 3\n"])
def test_whatever_is_extended_the_error_has_a_place(parent: str, child: str, tmp_path: Path) -> None:
    path = files(tmp_path, parent=parent, child=child)
    for fault in refused(path):
        assert re.match(rf"{re.escape(str(tmp_path))}/9\.9/one/aclnn(Child|Parent)\.yaml(:\d+:\d+)?", fault.where), (
            fault
        )


def test_fmt_of_a_child_leaves_what_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is ordered, not filled up; one that fits no parent is left alone."""
    path = files(tmp_path)
    assert main(["fmt", str(path)]) == 0
    assert path.read_text(encoding="utf-8") == CHILD
    path.write_text(CHILD.replace("aclnnParent", "aclnnParnt"), encoding="utf-8")
    assert main(["fmt", str(path)]) == 2
    assert "has no spec in this release" in capsys.readouterr().err
