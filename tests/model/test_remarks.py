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


def test_another_page_takes_them_over_without_their_places() -> None:
    """What a spec inherits covers no clause of its own page; what it says itself is in place of it."""
    remark: dict[str, Tree] = {"about": "memory", "en": "Allocate.", "zh": "预留。"}
    parent: dict[str, Tree] = {"operator": "aclnnX", "params": [], "remarks": [{**remark, "from": ["constraints/2"]}]}
    whole = inherited(parent, {"operator": "aclnnXV2", "extends": "aclnnX"})
    assert whole["remarks"] == [remark]
    assert difference(parent, whole) == {"operator": "aclnnXV2", "extends": "aclnnX"}
    placed: dict[str, Tree] = {**whole, "remarks": [{**remark, "from": ["constraints/3"]}]}
    own = difference(parent, placed)
    assert own is not None
    assert own["remarks"] == placed["remarks"]
    assert inherited(parent, own) == placed
    bare = {key: value for key, value in whole.items() if key != "remarks"}
    assert inherited(parent, difference(parent, bare) or {}) == bare
