"""Promise: pages have none of the sentences that engineers stumbled over, by class, and tell each product its rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opspec.docs.ledger import rules_page
from opspec.docs.page import page
from opspec.docs.render import render, render_rules
from opspec.docs.saying import Sayings
from opspec.language import prose
from opspec.model.definition import Definition
from opspec.model.load import load_text
from tests.committed import EVERY, defined
from tests.docs.regenerate import LANGS

#: class of clumsy sentences -> what shows it, in each language
CLUMSY = {
    "a constant that must be another": {
        "en": r"\b(?:true|false) must be (?:true|false)",
        "zh": r"\b(?:true|false)必须为",
    },
    "what must be exactly when": {"en": r"must [^.;|<]* if and only if", "zh": r"不?为空指针，当且仅当"},
    "two predicates of one thing": {
        "en": r"\b(\w+) is not null, \1 is not empty",
        "zh": r"(?<!\w)(\w+)不为空指针(?:且|，)\1不为空Tensor",
    },
    "a size as a product": {
        "en": r"elements of (\w+) times the size in bytes of an element of \1",
        "zh": r"(\w+)的元素个数乘以\1的单个元素字节数",
    },
    "several things apart": {
        "en": r"[Ee]ach of \w+(?:, \w+)* and \w+ must have the same data type as",
        "zh": r"(\w+)的数据类型必须与(\w+)一致，且\w+的数据类型必须与\2一致",
    },
    "an or within an or": {"en": r"(?!)", "zh": r"<br>不支持[^。；|<]*或[^。；|<（]*或"},
    "a heading in lower case": {"en": r"(?m)^(?!(?:NAMES)\b)[a-z]{3,} [^\n|]*:\n\n\$\$", "zh": r"(?!)"},
    "blanks in a Chinese summary": {
        "en": r"(?!)",
        "zh": r"\A# \S+\n\n(?:>.*\n\n)?.*(?:[\u4e00-\u9fff] [a-z]|[a-z] [\u4e00-\u9fff])",
    },
    "another spelling in capitals alone": {
        "en": r"(?i)\*\*(\w+)\*\*[^|]*\|[^|]*Also spelled \1\b",
        "zh": r"(?i)\*\*(\w+)\*\*[^|]*\|[^|]*也写作\1\b",
    },
    "numbers of dims without an or": {"en": r"(?:\| |, )\d, \d dims", "zh": r"(?:\| |，)\d、\d维"},
    "types of the runtime as those of the page": {  # of a param whose types no page lists nothing else tells them
        "en": r"<br>Data type must be [^<|]*is supported only on[^<|]*◆[^|]*\|[^|]*\| (?!aclTensor)",
        "zh": r"<br>数据类型必须为[^<|]*仅在[^<|]*上支持。 ◆[^|]*\|[^|]*\| (?!aclTensor)",
    },
    "a type that must be defined": {"en": r"promote to must be defined", "zh": r"推导后的数据类型必须为有效类型"},
    "the same of two things apart": {
        "en": r"(?:^|[ :|>])(?:[Dd]imension \d of )?[A-Za-z]\w* must((?: not)? [^,.;:|<]+), and (?:dimension \d of )?"
        r"[A-Za-z]\w* must\1(?=[.;<|]|, [a-z])",
        "zh": r"[A-Za-z0-9_]+(必须[^，。；：|<和]+)，且[A-Za-z0-9_]+\1(?=[，。；<|])",
    },
    "a thing named again with a part of it": {
        "en": r"[Dd]imension \d of (\w+) must (?:(?! of )[^,.;:|<])+, and dimension \d of \1 must",
        "zh": r"([A-Za-z0-9_]+)的第\d维必须(?:(?!的)[^，。；：|<])+，且\1的第\d维必须",
    },
    "an or behind an and": {
        "en": r"must [^,.;:|<]*, and [^,.;:|<]* must [^,.;:|<]*, or [^,.;:|<]* must",
        "zh": r"必须[^，。；：|<]*，且[^，。；：|<]*必须[^，。；：|<]*，或[^，。；：|<]*必须",
    },
    "the type of a type": {
        "en": r"data types of [^,.;|<]* and the data type that",
        "zh": r"推导后的数据类型的数据类型",
    },
    "what a sentence below says": {
        "en": r"\| [^|<]*[:;,] must be (\w+)(?: in this version)?(?:[;( ][^|<]*)?<br>(?:[^|]*<br>)?Must be \1\.",
        "zh": r"\| [^|<]*须为(\w+?)(?:[；（][^|<]*)?<br>(?:[^|]*<br>)?必须为\1。",
    },
    "none of two": {"en": r"[Nn]one of the (?:first|last) two", "zh": r"(?!)"},
    "more of what must be null": {"en": r"Must be null\.[^|<]*<br>format", "zh": r"必须为空指针。[^|<]*<br>格式"},
}

MOST_WORDS = 80  #: of a line of a page, in English

BODY = """
params:
  - {name: x, ctype: const aclTensor*, rank: 3-4, dtype: FLOAT, format: any}
  - {name: list, ctype: const aclTensorList*, rank: 3-4, dtype: FLOAT}
  - {name: layout, ctype: const char*, enum: {BSH: {en: a, zh: 甲}, BNSD: {en: b, zh: 乙}}}
let:
  order: {is: "'BNSD' if layout == 'BNSD' else 'TND' if layout == 'TND' else 'BSH'", en: the order, zh: 排列}
  packed: "order == 'TND'"
  axis: {is: "1 if order == 'BNSD' else 2", en: the axis, zh: 轴}
rules:
  never: {check: "x.rank == 3", when: packed}
  always: {check: "x.shape[0] == 1", when: "not packed and axis > 0"}
  both: {check: "x.shape[1] == 2", when: "order == 'BSH' and not packed"}
  formats: "implies(x.format == NCL, x.rank == 2) and implies(x.format == NCHW, x.rank == 4)"
  of-lists: "x.shape[2] == (4 if list[0].rank == 5 else 8)"
  by-product: {check: "x.shape[0] <= (4 if product == 'A3' else 8)", when: "x.rank == 4 and product == 'A3'"}
  of-member: {check: "x.shape[1] <= 16", when: "product == '950'"}
"""


def said(body: str, head: str, rule: str, lang: prose.Lang = "en") -> str | None:
    """What a page says of a rule; None where it goes without saying."""
    found = load_text(head + body, "x.yaml").definitions[0]
    sayings, asked = Sayings(found, lang, narrows=True), found.rule(rule)
    assert asked is not None
    return sayings.requirement(asked) if sayings.can_be_broken(asked) else None


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("never", None),
        ("always", "Dimension 0 of x must be 1."),
        ("both", "If the order is BSH, dimension 1 of x must be 2."),
        ("formats", "The data format of x must not be NCL; if the data format of x is NCHW, the rank of x must be 4."),
        ("of-lists", "Dimension 2 of x must be 8."),
        (
            "by-product",
            "On the Atlas A3 training and inference series, if x is 4D, dimension 0 of x must be at most 4.",
        ),
        ("of-member", "On Ascend 950DT, dimension 1 of x must be at most 16."),
    ],
)
def test_what_no_call_can_be_is_not_said(rule: str, text: str | None) -> None:
    """Of values derived of an attribute, of lists, of products of which but a member has the operator."""
    head = "operator: aclnnX\nrelease: 9.9\nsummary: {en: X, zh: X}\nproducts: {950dt: yes, 910b: yes, A3: yes}\n"
    assert said(BODY, head, rule) == text


def assert_reads_well(found: Definition) -> None:
    """No sentence of the two pages is of a clumsy class."""
    for lang in LANGS:
        made = page(found, lang)
        items = [item for group in made.requirements for item in group.items]
        items += [item for row in made.params for item in row.notes]
        for line in (line for item in items for line in item.text.split("\n")):
            assert len(line.split()) <= MOST_WORDS, (found.name, line)
        text = render(made, "md") + render_rules(rules_page(found, lang), "md")
        letters = [letter for formula in found.spec.formula for letter in formula.where]
        names = "|".join(map(re.escape, (*(param.name for param in found.params), *letters)))
        for name, marks in CLUMSY.items():
            wrong = re.search(marks[lang].replace("NAMES", names), text)
            assert wrong is None, (found.name, name, text[max(wrong.start() - 80, 0) : wrong.end() + 60])


@pytest.mark.parametrize("paths", EVERY)
def test_pages_read_well(paths: list[Path]) -> None:
    for found in defined(paths):
        assert_reads_well(found)
