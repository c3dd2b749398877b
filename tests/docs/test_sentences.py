"""Sentences of pages that readers stumbled over: each says what is meant, once, in both languages."""

from __future__ import annotations

from typing import Literal

import pytest

from opspec.docs.ledger import rules_page
from opspec.docs.page import Page, page
from opspec.docs.related import alone
from opspec.docs.render import render, render_rules
from opspec.docs.requirements import unstated
from opspec.docs.saying import Sayings
from opspec.language import prose
from opspec.model.definition import Definition
from opspec.model.load import load_text
from tests.model.building import definition, spec

Lang = Literal["en", "zh"]
LANGS: tuple[Lang, ...] = ("en", "zh")

BODY = """\
params:
  - {name: x, ctype: const aclTensor*, dtype: FLOAT, rank: 1-4}
  - {name: y, ctype: const aclTensor*, dtype: FLOAT}
  - {name: z, ctype: const aclTensor*, dtype: FLOAT, strided: unknown}
  - {name: held, ctype: const aclTensor*, strided: unknown, reserved: "null"}
  - {name: list, ctype: const aclTensorList*, dtype: FLOAT}
  - {name: more, ctype: const aclTensorList*, dtype: FLOAT}
  - {name: third, ctype: const aclTensorList*, dtype: FLOAT}
  - {name: fourth, ctype: const aclTensorList*, dtype: FLOAT}
  - {name: sums, ctype: const aclIntArray*, optional: yes}
  - {name: unused, ctype: const aclIntArray*, optional: yes}
  - {name: how, ctype: const char*, optional: yes}
  - {name: flag, ctype: bool}
  - {name: out, ctype: aclTensor*, io: out, dtype: FLOAT, strided: unknown}
rules:
  both: {check: "(x.rank >= 2) == (y.rank >= 2)"}
  chain: {check: "x.rank == y.rank == z.rank"}
  named: {check: "y.rank == 2", when: "how is not None and how == 'fast'"}
  texts: {check: "how in ('', 'fast')"}
  any: {check: "y.shape[0] % (8 if flag else 1) == 0"}
  last: {check: "sums[-1] == x.shape[0]"}
  never: {check: "unused is None", param: unused}
  worded:
    check: "y.shape[0] == z.shape[0]"
    status: ACLNN_ERR_INNER_NULLPTR
    enforced: yes
    say: {en: "`y` has the rows of `z`", zh: "`y`与`z`的行数一致"}
  told:
    check: "x.shape[0] == z.shape[0]"
    status: ACLNN_ERR_INNER_CREATE_EXECUTOR
    enforced: yes
    say: {en: "`x` has the rows of `z`", zh: "`x`与`z`的行数一致"}
    fails: {en: "`x` has more or fewer rows than `z`", zh: "`x`的行数多于或少于`z`"}
  again: {check: "z.numel > 0", stage: tiling}
  once-more: {check: "z.numel > 0", basis: inferred, enforced: no}
"""


@pytest.fixture(scope="module")
def defined() -> Definition:
    return definition(BODY)


def requires(made: Definition, name: str, lang: Lang) -> str:
    rule = made.rule(name)
    assert rule is not None
    return prose.guarded(rule.when, rule.check, lang, made.terms)


def breaks(made: Definition, name: str, lang: Lang) -> str:
    rule = made.rule(name)
    assert rule is not None
    return prose.broken(rule.when, rule.check, lang, made.terms)


def of(made: Definition, lang: Lang = "en") -> Page:
    return page(made, lang, alone(made))


def test_two_conditions_that_go_together(defined: Definition) -> None:
    told = "if the rank of y is at least 2, the rank of x must be at least 2; otherwise, it must be less than 2"
    assert requires(defined, "both", "en") == told
    assert requires(defined, "both", "zh") == "当y的维数大于等于2时，x的维数必须大于等于2；否则，必须小于2"
    assert breaks(defined, "both", "en").startswith("of these exactly one holds: (1) the rank of x is at least 2; (2)")


def test_what_is_not_all_equal_is_no_range(defined: Definition) -> None:
    assert breaks(defined, "chain", "en") == "x, y and z do not all have the same rank"
    assert breaks(defined, "chain", "zh") == "x、y和z的维数不全一致"


def test_a_text_that_is_given_need_not_be_said_not_to_be_null(defined: Definition) -> None:
    assert requires(defined, "named", "en") == "if how is fast, the rank of y must be 2"
    assert "空指针" not in requires(defined, "named", "zh")


def test_an_empty_text_has_words(defined: Definition) -> None:
    assert requires(defined, "texts", "en") == "how must be the empty string or fast"
    assert requires(defined, "texts", "zh") == "how必须为空字符串或fast"


def test_nothing_is_said_of_multiples_of_one(defined: Definition) -> None:
    assert requires(defined, "any", "en") == "if flag is true, dimension 0 of y must be a multiple of 8"


def test_the_last_value_is_called_so(defined: Definition) -> None:
    assert requires(defined, "last", "en") == "the last value of sums must equal dimension 0 of x"
    assert "最后一个" in requires(defined, "last", "zh")


def test_what_must_be_null_is_not_said_to_be_optional(defined: Definition) -> None:
    rows = {row.name: row for row in of(defined).params}
    assert "may be null" in rows["sums"].tags
    assert "may be null" not in rows["unused"].tags


def test_the_limit_on_all_tensors_is_not_said_beside_a_narrower_one() -> None:
    body = """\
    params:
      - {name: x, ctype: aclTensor*, dtype: FLOAT, rank: 2-6}
    """
    made = of(definition(body))
    assert not any("more than 8 dimensions" in note.text for row in made.params for note in row.notes)


def test_a_row_says_nothing_twice(defined: Definition) -> None:
    notes = [note.text for row in of(defined).params if row.name == "z" for note in row.notes]
    assert len(notes) == len(set(notes))


def test_layouts_of_which_the_page_is_silent(defined: Definition) -> None:
    """What is reserved has no layout; names are listed as the language lists them."""
    assert of(defined).layouts.aside == "(of z and out the vendor's page does not say)"
    assert "（厂商文档未说明z和out是否支持）" in render(of(defined, "zh"), "md")


def test_elements_belong_to_lists(defined: Definition) -> None:
    failures = [item.text for row in of(defined).returns for item in row.failures]
    assert "An element of a list is null." in failures


def test_a_code_says_in_a_few_words_what_causes_it(defined: Definition) -> None:
    """What of which params is not supported, which requirements are not met: no list of places to look at."""
    rows = {row.code: [item.text for item in row.failures] for row in of(defined).returns}
    assert rows[161002][1:] == [
        "A data type or data format is not as the table of parameters has it.",
        "The value of held, sums, unused or how is not allowed.",
        "The rank of x is not in the range [1, 4].",
        "One of requirements 1-5 is not met.",
    ]
    sayings = Sayings(defined, "en")
    said = [sayings.sentence(sayings.failure(rule)) for rule in defined.rules]
    assert "The following constraint is violated: y has the rows of z." in said
    assert "x has more or fewer rows than z." in said


def test_only_words_for_requirements_leave_a_failure_unstated(defined: Definition) -> None:
    assert {name for lang in LANGS for name in unstated(Sayings(defined, lang))} == {"worded"}


TABLES = """\
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT, FLOAT16]}
  - {name: y, ctype: const aclTensor*, dtype: [FLOAT, FLOAT16]}
rules:
  plain: {check: "table((x.dtype, y.dtype), (FLOAT, FLOAT))", when: "product == '910b'"}
scenarios:
  kinds:
    when: "product == 'A3'"
    columns: [x.dtype, y.dtype]
    alternatives:
      - {id: half, about: {en: halves, zh: 半精度}, rows: [[FLOAT16, FLOAT16]]}
      - {id: whole, rows: [[FLOAT, FLOAT]]}
results: {y.format: "FRACTAL_NZ", y.storage_shape: "x.shape"}
"""


def test_a_table_says_where_it_counts_and_what_it_is() -> None:
    said = [table.on for table in of(definition(TABLES)).tables]
    assert "On the Atlas A2 training and inference series, one of these rows" in said
    assert "On the Atlas A3 training and inference series, one of these rows" in said
    columns = [[row[0] for row in table.rows if len(row) > 1] for table in of(definition(TABLES), "zh").tables]
    assert ["半精度", "whole"] in columns  # alternatives stand in one table, each by its name


def test_results_have_words() -> None:
    labels = [label for label, _ in of(definition(TABLES)).results]
    assert labels == ["Data format of y", "Storage shape of y"]
    assert of(definition(TABLES), "zh").results[0] == ("y的数据格式", "FRACTAL_NZ")


DISPUTED = """
params:
  - {name: self, ctype: const aclTensor*, dtype: FLOAT}
  - {name: mode, ctype: int64_t}
  - {name: out, ctype: aclTensor*, io: out, dtype: FLOAT}
conflicts:
  - {between: [self/rank, notes/1], resolution: {en: the note, zh: 以注为准}}
  - {between: [notes/2, notes/3], resolution: {en: "the first, for any `mode`", zh: "以前者为准，与`mode`无关"}}
  - {between: [constraints/1, constraints/2], resolution: {en: the second, zh: 以后者为准}}
twin: {operator: aclnnInplaceX, rename: {self: selfRef, out: selfRef}}
"""


@pytest.mark.parametrize("form", ["md", "html"])
def test_a_page_that_contradicts_itself_is_told_where_the_user_looks(form: Literal["md", "html"]) -> None:
    """In the row of the param that it is about, else among the notes, with a link to what is followed."""
    one, twin = load_text(spec(DISPUTED), "x.yaml").definitions
    made = page(one, "en")
    assert (made.disputes("self"), made.disputes("mode"), made.disputes()) == ((1,), (2,), (3,))
    assert page(twin, "en").disputes("selfRef") == (1,)
    for lang in LANGS:
        text = render(page(one, lang), form)
        rules = render_rules(rules_page(one, lang), form)
        for number in (1, 2, 3):
            assert text.count(f"aclnnX.rules.{lang}.{form}#dispute-{number}") == 1
            assert rules.count(f'id="dispute-{number}"') == 1
