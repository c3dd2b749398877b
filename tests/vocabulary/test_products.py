"""Promises of the products: every spelling of the corpus and of users finds its product, errors help otherwise."""

from __future__ import annotations

import gzip
import json
import re
from typing import Any

import pytest

from opspec.errors import OpspecError
from opspec.vocabulary import products
from opspec.vocabulary.tables import table
from tests.paths import SHARED, needs_shared
from tests.recorded import RECORDS
from tests.vocabulary import absurd
from tests.vocabulary.pages import everything, operator_pages, plain

#: What pages put between term marks besides products: lists of dtypes, a param's name, headings of scenarios.
_NO_PRODUCT = re.compile(r"[A-Z][A-Z0-9]*(、[A-Z][A-Z0-9]*)*|cubeMathType|参数名|.*(约束(类型)?|量化模式)：?")


def _terms() -> set[str]:
    texts = (page.read_text(encoding="utf-8") for page in everything())
    # Some marks are written twice, the second one without its bracket.
    return {
        plain(term).strip() for text in texts for term in re.findall(r"<term>(?:term>)?(.*?)</term>", text, re.DOTALL)
    }


@needs_shared
def test_every_term_of_the_corpus_resolves() -> None:
    """Terms of one family resolve; terms that join families are taken apart; the rest are no products."""
    terms = _terms()
    assert len(terms) > 50
    failed = set()
    for term in terms:
        try:
            products.resolve_all(term)
        except OpspecError:
            failed.add(term)
    assert {term for term in failed if not _NO_PRODUCT.fullmatch(term)} == set()
    assert len(failed) < 60
    assert not any(word in term for term in failed for word in ("Atlas", "Ascend", "Kirin", "昇腾"))


@needs_shared
def test_every_row_of_a_product_table_resolves() -> None:
    """Each row is one product or member, and no row of such a section escapes the test."""
    count = 0
    for page in operator_pages():
        section = _section(page.read_text(encoding="utf-8"))
        names = _names(section)
        marks = re.findall(r"[|>]\s*[√×xX✓]\s*(?=[|<\n]|$)", section)
        assert len(names) == len(marks), page
        for name in names:
            assert products.resolve(name)[0] in products.ids(), (page, name)
        count += len(names)
    assert count > 7000


def _section(text: str) -> str:
    """The page's section on products, empty when it has none."""
    found = re.search(r"^#+[^\n]*产品支持情况[^\n]*\n(.*?)(?=^#|\Z)", text, re.DOTALL | re.MULTILINE)
    return re.sub(r"[ \t]+$", "", found[1], flags=re.MULTILINE) if found else ""


def _names(section: str) -> list[str]:
    """First cells of the rows with a tick or a cross, Markdown or HTML."""
    flat = re.sub(r"</t[dh]>\s*<t[dh][^>]*>", " | ", section)
    lines = (re.fullmatch(r"\W*?(\w.*?)\s*\|\s*[√×xX✓]\s*\|?", plain(line).strip()) for line in flat.splitlines())
    return [line[1] for line in lines if line]


@needs_shared
def test_product_lists_of_the_seeds_resolve() -> None:
    """Bullets of a seed's list of products; what scraping left in them is the importer's to remove."""
    count = 0
    for seed in sorted((SHARED / "seeds").glob("*.txt")):
        for line in seed.read_text(encoding="utf-8").splitlines():
            found = re.match(r"- (Atlas[^:：]*?)(?:[:：].*|。)?$", line.replace("[object Object]", ""))
            if found:
                assert products.resolve_all(found[1]), found[1]
                count += 1
    assert count >= 11


def test_products_of_recorded_calls_are_ids() -> None:
    tags = set()
    for path in RECORDS:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            tags |= {json.loads(line)["product"] for line in file}
    assert {(tag, None) for tag in tags} == {products.resolve(tag) for tag in tags}


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("Ascend910B1", ("910b", None)), ("Ascend910B2C", ("910b", None)), ("Ascend910B4-1", ("910b", None)),
        ("ascend910b", ("910b", None)), ("ASCEND910B", ("910b", None)), ("Ascend910_9391", ("A3", None)),
        ("Ascend910_9362", ("A3", None)), ("Ascend910_93", ("A3", None)), ("ascend910_93", ("A3", None)),
        ("Ascend950PR_9599", ("950", "950pr")), ("Ascend950PR_958b", ("950", "950pr")),
        ("Ascend950PR_95xx", ("950", "950pr")), ("Ascend950DT_9591", ("950", "950dt")),
        ("Ascend910_9589", ("950", None)),
        ("ascend950", ("950", None)), ("Ascend310P3", ("310p", None)), ("Ascend310B4", ("310b", None)),
        ("Ascend910ProB", ("910", None)), ("Ascend910PremiumA", ("910", None)), ("Ascend310", ("310", None)),
        ("Ascend910", ("910", None)), ("KirinX90", ("kirinx90", None)), ("Kirin 9030", ("kirin9030", None)),
        ("DAV_3510", ("950", None)), ("arch35", ("950", None)), ("a3", ("A3", None)), ("910B", ("910b", None)),
        ("Ascend950PR", ("950", "950pr")), ("Ascend 950DT", ("950", "950dt")), ("Ascend 950DT产品", ("950", "950dt")),
        ("Atlas 800I A2 推理产品", ("910b", "910b-inference")), ("Atlas 800I A2 inference", ("910b", "910b-inference")),
        ("A200I A2 Box 异构组件", ("910b", "910b-inference")), ("Atlas A3训练系列产品", ("A3", "A3-training")),
        ("Atlas 推理系列加速卡产品", ("310p", "310p-card")), ("A3-training", ("A3", "A3-training")),
    ],
)  # fmt: skip
def test_names_that_users_type(spelling: str, expected: tuple[str, str | None]) -> None:
    assert products.resolve(spelling) == expected


@pytest.mark.parametrize("separator", ["/", " / ", "、", "／", ",", "，", " 、 "])
def test_separators_spaces_and_width_do_not_matter(separator: str) -> None:
    for parts in (
        ("Atlas A2 训练系列产品", "Atlas 800I A2 推理产品"),
        ("atlas  A2训练系列产品", "AtlasA2\u3000推理系列产品"),
    ):
        assert products.resolve(separator.join(parts)) == ("910b", None)
    assert products.resolve(separator.join(("Ａtlas Ａ３ 训练系列产品", "Atlas A3 训练产品"))) == ("A3", "A3-training")
    assert products.resolve("Atlas 200I／500 A2 推理产品：") == ("310b", None)


def test_names_that_contain_a_separator_are_not_taken_apart() -> None:
    assert products.resolve("Atlas 200/300/500 推理产品") == ("310", None)
    joined = "Atlas 200I/500 A2 推理产品、Atlas 200/300/500 推理产品/Ascend 950DT"
    assert products.resolve_all(joined) == (("310b", None), ("310", None), ("950", "950dt"))


def test_products_of_several_families_are_no_single_product() -> None:
    joined = "Atlas A3 训练系列产品/Atlas A3 推理系列产品/Ascend 950DT"
    assert products.resolve_all(joined) == (("A3", None), ("950", "950dt"))
    with pytest.raises(OpspecError, match="names products A3 and 950"):
        products.resolve(joined)


@pytest.mark.parametrize("spelling", ["DAV_2201", "arch22"])
def test_an_architecture_of_two_families_is_not_guessed(spelling: str) -> None:
    with pytest.raises(OpspecError, match="common to products 910b and A3"):
        products.resolve(spelling)


@pytest.mark.parametrize(
    "spelling", ["Ascend950PR_9", "Ascend910_94xx", "Ascend950PR_95é9", "910d", "Atlas", "Atlas A2/Atlas"]
)
def test_what_is_near_a_name_is_not_guessed(spelling: str) -> None:
    with pytest.raises(OpspecError, match="unknown product"):
        products.resolve(spelling)


def test_ids_members_and_names() -> None:
    assert products.ids() == ("950", "A3", "910b", "310b", "310p", "910", "310", "kirinx90", "kirin9030")
    everyone = [*products.ids(), *(member for product in products.ids() for member in products.members(product))]
    assert len(everyone) == len(set(everyone))
    for thing in everyone:
        owner = products.owner(thing)
        assert thing == owner or thing in products.members(owner)
        for lang in ("en", "zh"):
            assert products.resolve(products.name(thing, lang)) == (owner, None if thing == owner else thing)
    assert products.members("A3") == ("A3-training", "A3-inference")
    assert products.members("310b") == ()


def test_no_spelling_stands_for_two_products() -> None:
    """aliases() would silently keep the last: the data file is read here on its own."""
    seen: dict[str, tuple[str, str | None]] = {}
    for row in table("products")["products"]:
        things = [(row, (row["id"], None)), *((member, (row["id"], member["id"])) for member in row["members"])]
        for thing, found in things:
            for spelling in (thing["id"], thing["en"], thing["zh"], *thing["aliases"]):
                assert products.resolve(spelling) == found, spelling
                assert seen.setdefault(re.sub(r"[\s_-]", "", spelling).lower(), found) == found
    assert set(products.aliases().values()) == set(seen.values())


@pytest.mark.parametrize("value", absurd.NAMES)
def test_absurd_products_end_as_one_error(value: Any) -> None:
    for function in (products.resolve, products.resolve_all, products.owner, products.members):
        with pytest.raises(OpspecError) as caught:
            function(value)
        assert len(str(caught.value)) < 400
    with pytest.raises(OpspecError):
        products.name(value, "en")


@pytest.mark.parametrize("lang", ["fr", "", None, []])
def test_a_language_is_en_or_zh(lang: Any) -> None:
    with pytest.raises(OpspecError, match="expected language"):
        products.name("910b", lang)


def test_an_error_names_the_nearest_spelling() -> None:
    with pytest.raises(OpspecError, match="did you mean 'ascend910b3'"):
        products.resolve("Asend910B3")
    with pytest.raises(OpspecError, match="did you mean '910b'"):
        products.members("910bb")
