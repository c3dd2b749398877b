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
    '{check: "x.dtype in (FLOAT, BFLOAT16)", basis: observed}': {
        "950dt": "FLOAT16",
        "A3": "FLOAT16",
        "910b": "FLOAT16",
    },
    '{check: "x.dtype == FLOAT", when: "product == \'A3\'", basis: observed}': {"A3": "FLOAT16 and BFLOAT16"},
    '{check: "x.dtype != BFLOAT16", when: "product == \'950\'", basis: observed}': {"950dt": "BFLOAT16"},
    "{check: \"x.dtype in (FLOAT, FLOAT16) or product == 'A3'\", basis: observed}": {"950dt": "BFLOAT16"},
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
    """On the products that refuse it, in the table; a rule on a product counts on each of its members."""
    made = page(load_text(f"{SPEC}  one: {rule}\n").definitions[0], "en")
    assert not [note for param in made.params for note in param.notes]
    told = {on: row.cells[0] for row in made.support.rows for on in row.ids}
    start = "the runtime refuses "
    found = {on: cell.partition(start)[2].removesuffix(" ◆") for on, cell in told.items() if start in cell}
    assert found == BROKEN[rule]
