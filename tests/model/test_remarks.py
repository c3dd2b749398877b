"""Remarks: what a page says and no rule can check, with the names that the operator's params have."""

from __future__ import annotations

import pytest

from opspec.errors import OpspecError
from opspec.model.inherit import difference, inherited
from opspec.model.ledger import full_place
from opspec.model.load import load_text
from opspec.model.remarks import remarked, remarks_of
from opspec.yamltext import Tree

SPEC = """\
operator: aclnnX
release: 9.1.0
products: {910b: yes}
params:
  - {name: self, ctype: const aclTensor*}
  - {name: out, ctype: aclTensor*, io: out}
remarks:
  - {about: pairing, en: "`self`: `out.shape`, not out.", zh: 传入`self`。, param: self, from: [self/usage/1]}
  - {about: memory, en: Allocate., zh: 预留。, on: [910b], from: [constraints/2]}
twin: {operator: aclnnInplaceX, rename: {self: selfRef, out: selfRef}}
"""


def test_a_twin_says_them_with_its_own_names() -> None:
    first, twin = load_text(SPEC, "aclnnX.yaml").definitions
    assert remarks_of(first) == tuple(first.spec.remarks)
    beside, note = remarks_of(twin)
    assert (beside.param, beside.en) == ("selfRef", "`selfRef`: `selfRef.shape`, not out.")
    assert beside.zh == "传入`selfRef`。"
    assert (note.param, note.on, note.about) == (None, ["910b"], "memory")


def test_they_say_clauses() -> None:
    first, twin = load_text(SPEC, "aclnnX.yaml").definitions
    assert remarked(first) == remarked(twin) == {"params/self/usage/1", "constraints/2"}
    assert full_place("self/usage/1", ["self"]) in remarked(first)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("param: self", "param: slef", "unknown param 'slef'; did you mean 'self'"),
        ("about: memory", "about: money", "expected 'usage', 'pairing'"),
        ("from: [constraints/2]", "from: [999999/2]", "999999"),
        ("en: Allocate., zh: 预留。, ", "", "a text is in English"),
        ("on: [910b]", "on: [911]", "unknown product id '911'"),
        ("param: self", "parm: self", "param"),
    ],
)
def test_faults_have_a_place(old: str, new: str, said: str) -> None:
    with pytest.raises(OpspecError) as caught:
        load_text(SPEC.replace(old, new), "aclnnX.yaml")
    assert said in str(caught.value)
    assert "aclnnX.yaml:" in str(caught.value)


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        (["memory", "other"], [["memory"], None]),
        (["memory", "memory/2"], [["memory", "memory/2"], None]),
        ([], [None]),
        (None, [["memory", "memory/2"], None]),
    ],
)
def test_another_page_takes_over_what_it_says_too(stated: list[str] | None, said: list[list[str] | None]) -> None:
    """A remark that comes from clauses is inherited where the heir's page has one of them, and cites those."""
    remark: dict[str, Tree] = {"about": "memory", "en": "Allocate.", "zh": "预留。"}
    cited: dict[str, Tree] = {**remark, "from": ["memory", "memory/2"]}
    parent: dict[str, Tree] = {"operator": "aclnnX", "params": [], "remarks": [cited, {**remark, "about": "usage"}]}
    whole = inherited(parent, {"operator": "aclnnXV2", "extends": "aclnnX"}, stated)
    remarks = whole["remarks"]
    assert isinstance(remarks, list)
    assert [item.get("from") for item in remarks if isinstance(item, dict)] == said
    assert difference(parent, whole, stated) == {"operator": "aclnnXV2", "extends": "aclnnX"}


def test_an_heir_has_remarks_of_its_own() -> None:
    """What it says itself is in place of what it inherits."""
    remark: dict[str, Tree] = {"about": "memory", "en": "Allocate.", "zh": "预留。", "from": ["memory"]}
    parent: dict[str, Tree] = {"operator": "aclnnX", "params": [], "remarks": [remark]}
    other: list[Tree] = [{**remark, "from": ["memory/2"]}]
    for own in (other, None):
        whole: dict[str, Tree] = {"operator": "aclnnXV2", "params": [], **({"remarks": own} if own else {})}
        said = difference(parent, whole, ["memory", "memory/2"])
        assert said is not None
        assert said["remarks"] == own
        assert inherited(parent, said, ["memory", "memory/2"]) == whole
