"""Promise: what a page shows in heads, cells, tables and words on values it does not require again."""

from __future__ import annotations

from dataclasses import replace

from opspec.docs.page import page
from opspec.model.evidence import Witnesses
from opspec.model.expand import recorded
from opspec.model.load import load_text
from tests.docs.test_content import FOUR, FOUR_SEEN

SHOWN = """\
operator: aclnnX
release: 9.1.0
products: {910b: yes, 950: yes, 910: no}
deterministic: [{default: yes, on: [910]}, {default: yes, on: [910b, 950]}]
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT, INT8], rank: 1-8}
  - {name: w, ctype: const aclTensor*, dtype: [FLOAT, INT8], rank: 2}
  - {name: how, ctype: int64_t, about: {en: "how: 0 fast, 2 slow", zh: 方式：0为快，2为慢}, enum: [0, 2]}
  - {name: why, ctype: int64_t, about: {en: "why: 0 fun", zh: 原因：0为玩}, enum: [0, 2]}
  - {name: fused, ctype: const char*, enum: {"": {en: nothing, zh: 无}, relu: {en: ReLU, zh: ReLU}}}
  - {name: out, ctype: aclTensor*, io: out, dtype: [FLOAT, INT8], rank: 1-8}
rules:
  out-shape: "out.shape == x.shape"
  ranks: "x.rank == out.rank and x.rank <= 8 and w.rank == 2"
  dims: "w.rank == 2 and w.shape[0] > 4"
  types: "table((x.dtype, w.dtype, out.dtype), (FLOAT, INT8, FLOAT), (FLOAT, INT8, INT8), (INT8, FLOAT, INT8))"
"""


def test_what_is_shown_is_no_requirement() -> None:
    """Shapes, tables, words that name all values; what is left of a statement is said alone."""
    made = page(load_text(SHOWN, "x.yaml").definitions[0], "en")
    assert made.requirements == ()
    rows = {row.name: row for row in made.params}
    assert [note.text for note in rows["w"].notes] == ["Dimension 0 of w must be greater than 4."]
    assert (rows["how"].about, rows["how"].notes) == ("how: 0 fast, 2 slow ≈", ())
    assert [note.text for note in rows["why"].notes] == ["Must be 0 or 2."]
    assert rows["fused"].values == (('""', "nothing"), ("relu", "ReLU"))
    (table,) = made.tables
    assert table.rows == (("FLOAT", "INT8", "FLOAT, INT8"), ("INT8", "FLOAT", "INT8"))
    assert [note.lines for note in made.notes] == [("Results are deterministic by default.",)]


def test_equal_types_are_told_once_whatever_becomes_of_each() -> None:
    """One sentence on all that rules connect, marked in part; what programs contradict stays apart."""
    text = FOUR.replace("numel == z.numel", "format == z.format").replace("numel != z.numel", "format == z.format")
    found = load_text(text, "x.yaml").definitions[0]
    made = page(replace(found, rules=recorded(found.rules, Witnesses(own=FOUR_SEEN))), "en")
    told = {item.text: (item.mark, item.rules) for group in made.requirements for item in group.items}
    assert told["x, y and z must have the same data format."] == ("(†)", ("checked", "through", "passed"))
    assert not any("must have the same data format as" in text for text in told)
