"""Promise: a page says of a product what counts there: no limit that another one makes void, no format that its params
cannot have, and by its name.
"""

from __future__ import annotations

from opspec.docs.page import Page, page
from opspec.model.load import load_text

SPEC = """\
operator: aclnnX
release: 9.1.0
products: {910b: yes, A3: yes, 950: yes}
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT16, INT8], format: {any: [ND, FRACTAL_NZ], changes: [{on: [950],
     subtract: [FRACTAL_NZ]}]}, rank: 2}
  - {name: y, ctype: aclTensor*, io: out, dtype: [FLOAT16, INT8], rank: 2}
  - {name: size, ctype: int64_t}
rules:
"""


def made(rules: str) -> Page:
    """The page of an operator with some rules."""
    return page(load_text(SPEC + rules, "x.yaml").definitions[0], "en")


def said(rules: str) -> list[str]:
    """What the row of ``size`` says under some rules."""
    return [item.text for item in next(row for row in made(rules).params if row.name == "size").notes]


def test_a_limit_is_not_said_of_products_where_another_is_all_that_counts() -> None:
    """Nobody on a product where a value must be 0 is told that it may be 1."""
    wide = "  wide: {check: \"0 <= size <= (2 if product == 'A3' else 1)\", param: size}\n"
    none = "  none: {check: size == 0, when: \"product in ('910b', '950')\"}\n"
    assert said(wide) == [
        "On the Atlas A3 training and inference series, size must be in the range [0, 2]; on Ascend 950PR / Ascend "
        "950DT and the Atlas A2 training and inference series, it must be 0 or 1."
    ]
    assert said(wide + none) == [
        "On the Atlas A3 training and inference series, size must be in the range [0, 2].",
        "On the Atlas A2 training and inference series and Ascend 950PR / Ascend 950DT, size must be 0.",
    ]


def test_a_table_has_the_formats_that_its_params_have_where_it_counts() -> None:
    """A public format counts as ND; a table of all that rows list is none."""
    some = "  some: {check: 'table((x.dtype, x.format), (FLOAT16, (ND, NCHW)), (INT8, (ND, NCHW, FRACTAL_NZ)))'"
    (table,) = made(f"{some}, when: \"product == '910b'\"}}\n").tables
    assert table.rows == (("FLOAT16", "ND"), ("INT8", "FRACTAL_NZ, ND"))
    assert not made(f"{some}, when: \"product == '950'\"}}\n").tables
