"""Rules on data types that none of the table breaks go without saying; of others pages name those that are refused."""

from __future__ import annotations

import pytest

from opspec.docs.page import page
from opspec.docs.saying import Sayings
from opspec.model.load import load_text

SPEC = """\
operator: aclnnX
release: 9.1.0
products: {950dt: yes, A3: yes, 910b: yes}
params:
  - name: x
    ctype: const aclTensor*
    dtype: {any: [FLOAT, FLOAT16, BFLOAT16], changes: [{on: [910b], subtract: [BFLOAT16]}]}
  - {name: y, ctype: const aclTensor*, dtype: [FLOAT, FLOAT16]}
rules:
"""
TOLD = (
    "{check: \"x.dtype in (FLOAT, FLOAT16) or x.dtype == BFLOAT16 and product != '910b'\", basis: observed}",
    '{check: "x.dtype != BFLOAT16", when: "product == \'910b\'"}',
    '{check: "x.dtype in (FLOAT, FLOAT16)", when: "product == \'910b\'", basis: observed}',
    '{check: "promotable(x.dtype, y.dtype)"}',
)
BROKEN = {
    '{check: "x.dtype in (FLOAT, BFLOAT16)", basis: observed}': "The runtime refuses FLOAT16.",
    '{check: "x.dtype == FLOAT", when: "product == \'A3\'", basis: observed}': (
        "On the Atlas A3 training and inference series, the runtime refuses FLOAT16 and BFLOAT16."
    ),
    '{check: "x.dtype != BFLOAT16", when: "product == \'950\'", basis: observed}': (
        "On Ascend 950DT, the runtime refuses BFLOAT16."
    ),
    "{check: \"x.dtype in (FLOAT, FLOAT16) or product == 'A3'\", basis: observed}": (
        "On Ascend 950DT, the runtime refuses BFLOAT16."
    ),
}


@pytest.mark.parametrize("rule", TOLD)
def test_what_all_in_the_table_keep_is_no_news(rule: str) -> None:
    """Product by product, for each data type that the table lists there, whatever else the statement names."""
    found = load_text(f"{SPEC}  one: {rule}\n").definitions[0]
    own = found.rule("one")
    assert own is not None
    assert not Sayings(found, "en", narrows=True).can_be_broken(own)


@pytest.mark.parametrize("rule", BROKEN)
def test_what_is_refused_of_the_table_is_named(rule: str) -> None:
    """With the products that refuse it; a rule on a product counts on each of its members."""
    made = page(load_text(f"{SPEC}  one: {rule}\n").definitions[0], "en")
    notes = [note.text for param in made.params if param.name == "x" for note in param.notes]
    assert notes == [BROKEN[rule]]
