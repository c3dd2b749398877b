"""Pages are sound whatever a spec says: well-formed, escaped, every rule an anchor; and commands fail cleanly."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Literal

import pytest

from opspec.cli.main import main
from opspec.docs.ledger import rules_page
from opspec.docs.page import page
from opspec.docs.render import Form, anchor, glossary, index, render, render_rules
from opspec.model.definition import Definition
from opspec.model.load import load_text
from opspec.registry.registry import Registry, definition_of, registry
from opspec.validator.api import check
from tests.docs.regenerate import LANGS, OPERATORS, RELEASES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.prose import Lang

VOID = {"meta", "br", "link", "hr", "img"}
NASTY = "*/ </script> --> \"q\" 'q' {{ 7*7 }} {% if %} | ` ``` <b> &amp; $x$ \\ _i_ ~~s~~"


class Well(HTMLParser):
    """A stack of tags, and all ids and links."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Push."""
        if tag not in VOID:
            self.stack.append(tag)
        for key, value in attrs:
            if key == "id":
                self.ids.append(value or "")
            if key == "href":
                self.links.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        """Pop what was pushed last."""
        assert self.stack, f"</{tag}> closes nothing"
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        """Text as a reader sees it."""
        self.text.append(data)


def parsed(html: str) -> Well:
    """A page that is well-formed."""
    parser = Well()
    parser.feed(html)
    parser.close()
    assert parser.stack == []
    assert len(parser.ids) == len(set(parser.ids))
    return parser


def definition(op: str, release: str) -> Definition:
    """A definition of the built-in registry."""
    return definition_of(Registry().find(op, release))


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("op", OPERATORS)
@pytest.mark.parametrize("lang", LANGS)
def test_html_is_well_formed_and_every_rule_an_anchor(op: str, release: str, lang: Lang) -> None:
    """Links within the page lead somewhere."""
    made = definition(op, release)
    found, rules = parsed(render(page(made, lang), "html")), parsed(render_rules(rules_page(made, lang), "html"))
    assert {anchor(rule.id) for rule in made.rules} <= set(rules.ids)
    for one in (found, rules):
        assert {link[1:] for link in one.links if link.startswith("#")} <= set(one.ids)
    there = {f"{op}.rules.{lang}.html#{place}" for place in rules.ids}
    assert {link for link in found.links if ".rules." in link and "#" in link} <= there
    terms = {f"glossary.{lang}.html#{place}" for place in parsed(glossary(release, lang, "html")).ids}
    assert {link for link in found.links if link.startswith("glossary.") and "#" in link} <= terms


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("op", OPERATORS)
def test_every_rule_is_an_anchor_in_markdown(op: str, release: str) -> None:
    """Rows of every table have as many cells as its head."""
    made = definition(op, release)
    text = render_rules(rules_page(made, "en"), "md")
    assert sorted(re.findall(r'<a id="(rule-.*?)">', text)) == sorted(anchor(rule.id) for rule in made.rules)
    assert_tables(text)
    assert_tables(render(page(made, "en"), "md"))


def assert_tables(text: str) -> None:
    """Every row of a Markdown table has its head's number of cells."""
    width = 0
    for line in text.splitlines():
        cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        assert not (cells and width) or cells == width, line
        width = cells


def test_a_finding_names_its_place_on_the_page(tmp_path: Path) -> None:
    """The file exists where ``opspec docs`` writes, and has the anchor."""
    verdict = check("aclnnGeluBackwardV2", product="910b", release="9.1.0", lang="zh", args=legal(gradInput="INT8"))
    assert verdict.violations
    assert main(["docs", "aclnnGeluBackwardV2", "--out", str(tmp_path)]) == 0
    for finding in verdict.violations:
        name, _, place = finding.page.partition("#")
        assert name == "9.1.0/aclnnGeluBackwardV2.rules.zh.md"
        assert f'<a id="{place}">' in (tmp_path / name).read_text(encoding="utf-8")


def legal(**dtypes: str) -> dict[str, object]:
    """Arguments of GELU's backward, with some other dtypes."""
    tensors = {name: {"shape": [4], "dtype": dtypes.get(name, "FLOAT")} for name in ("gradOutput", "self", "gradInput")}
    return {"approximate": "none", **{name: {"tensor": tensor} for name, tensor in tensors.items()}}


# --- texts that mean something elsewhere


def nasty() -> str:
    """A spec with such texts in every field that holds prose."""
    quoted = '"' + (NASTY.replace("\\", "\\\\").replace('"', '\\"')) + '\\nsecond line"'
    both = f"{{en: {quoted}, zh: {quoted}}}"
    return f"""\
operator: aclnnNasty
release: 9.1.0
document: {quoted}
header: aclnnop/aclnn_nasty.h
summary: {both}
formula:
  - latex: {quoted}
    title: {both}
products: {{910b: yes}}
partial: {both}
params:
  - name: x
    ctype: const aclTensor*
    about: {both}
    dtype: [FLOAT]
    format: [ND]
  - name: mode
    ctype: char*
    enum: {{a: {both}, {quoted}: {both}}}
rules:
  own: {{check: "x.rank == 1", enforced: no, evidence: {both}}}
  bits: {{check: "flags == 1"}}
let:
  flags: "x.rank | 1"
remarks:
  - {{about: usage, en: {quoted}, zh: {quoted}}}
  - {{about: memory, en: {quoted}, zh: {quoted}, param: x}}
conflicts:
  - between: [{quoted}, {quoted}]
    resolution: {both}
example:
  product: 910b
  args:
    x: {{tensor: {{shape: [1], dtype: FLOAT}}}}
    mode: {quoted}
"""


@pytest.fixture(scope="module")
def dangerous() -> Definition:
    """The definition of the spec with such texts."""
    return load_text(nasty().encode(), "nasty.yaml").definitions[0]


@pytest.mark.parametrize("lang", LANGS)
def test_nothing_in_a_text_becomes_html(dangerous: Definition, lang: Lang) -> None:
    """The page is well-formed, and shows the text as it stands."""
    count = 0
    for html in (render(page(dangerous, lang), "html"), render_rules(rules_page(dangerous, lang), "html")):
        found = parsed(html)
        assert "<script" not in html
        assert "<b>" not in re.sub("<b>.</b>", "", html)  # a mark of the legend
        assert "49" not in "".join(found.text)
        count += " ".join("".join(found.text).split()).count(NASTY)
    assert count >= 10


@pytest.mark.parametrize("form", ["md", "upstream", "rules"])
def test_nothing_in_a_text_becomes_markdown(dangerous: Definition, form: Form | Literal["rules"]) -> None:
    """No line, no cell, no comment and no tag of the text's own."""
    text = render_rules(rules_page(dangerous, "zh"), "md") if form == "rules" else render(page(dangerous, "zh"), form)
    assert "<b>" not in text
    outside = re.sub(r"\$\$.*?\$\$", "", text, flags=re.S)  # LaTeX is shown by what reads LaTeX
    assert "</script>" not in outside
    assert "<b>" not in outside
    assert not re.search(r"(?<!!)-->(?!\n)", re.sub(r"<!-- .*? -->\n", "", outside))
    assert not re.search(r"^second line", text, re.M)
    assert "{{ 7*7 }}" in text or r"{{ 7\*7 }}" in text
    assert_tables(text)
    assert text.count("```") % 2 == 0 or "\\`" in text


@pytest.mark.parametrize("form", ["md", "html"])
def test_nothing_in_a_summary_breaks_the_index(form: Form) -> None:
    """A row stays a row."""
    text = index([("aclnnNasty", NASTY + "\nsecond line")], "9.1.0", "en", form)
    if form == "html":
        assert NASTY in "".join(parsed(text).text)
    else:
        assert_tables(text)


# --- specs that say little


BARE = """\
operator: aclnnBare
release: 9.1.0
summary: {en: Does nothing., zh: 什么也不做。}
products: {910b: unknown}
partial: {en: "only the prototype is known", zh: "仅有函数原型"}
params:
  - {name: x, ctype: const aclTensor*}
  - {name: n, ctype: int64_t}
"""


@pytest.mark.parametrize(
    ("op", "word"), [("aclnnGroupedMatmulV4", "aclnnGroupedMatmulV5 instead"), ("aclnnGroupedMatmulV5", "")]
)
@pytest.mark.parametrize("form", ["md", "html", "upstream"])
def test_a_deprecated_operator_names_its_successors(
    op: str, word: str, form: Form, capsys: pytest.CaptureFixture[str]
) -> None:
    """Page and command say so; the version that extends it is not deprecated."""
    text = render(page(definition_of(registry(()).find(op, "9.1.0")), "en"), form)
    assert main(["show", op, "--release", "9.1.0", "--lang", "en"]) == 0
    for said in (text, capsys.readouterr().out):
        assert (word in said) if word else "Deprecated" not in said


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("form", ["md", "html", "upstream"])
def test_a_partial_spec_has_a_page_that_says_so(lang: Lang, form: Form) -> None:
    """No texts, no formula, no example, no clauses: still every section that the vendor's page has."""
    made = page(load_text(BARE.encode(), "bare.yaml").definitions[0], lang)
    text = render(made, form)
    assert ("only the prototype is known" if lang == "en" else "仅有函数原型") in text
    assert "None" not in text.replace("None.", "")
    assert form == "html" or "\n\n\n" not in text
    if form == "html":
        parsed(text)
    else:
        assert_tables(text)


@pytest.mark.parametrize("form", ["md", "html", "upstream"])
def test_an_operator_without_a_summary_has_a_page(form: Form) -> None:
    """A dash stands where the text is missing."""
    made = replace(page(load_text(BARE.encode(), "bare.yaml").definitions[0], "zh"), summary="", document="", header="")
    text = render(made, form)
    assert {"md": "\n-\n", "html": '<p class="lead">-</p>', "upstream": "接口功能：-\n"}[form] in text


def test_a_helper_of_one_phase_has_no_second() -> None:
    """Nothing of workspaces on its page."""
    spec = BARE.replace("params:", "interface: single-phase\nparams:")
    for form in ("md", "html", "upstream"):
        text = render(page(load_text(spec.encode(), "bare.yaml").definitions[0], "en"), form)
        assert "workspace" not in text


# --- the command


def test_the_command_writes_pages_and_indexes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One page per operator, release and language; those of all releases are the site's, whose links are followed."""
    releases = RELEASES[:1]
    assert main(["docs", "--out", str(tmp_path), "--format", "html", "--release", *releases]) == 0
    names = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.html"))
    pages = [f"{release}/{op}.{lang}.html" for release in releases for op in OPERATORS for lang in LANGS]
    assert set(pages) | {f"{release}/index.{lang}.html" for release in releases for lang in LANGS} <= set(names)
    for path in tmp_path.rglob("*.html"):
        for link in parsed(path.read_text(encoding="utf-8")).links:
            assert link.startswith("#") or (path.parent / link.partition("#")[0]).is_file(), link
    assert " pages in " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["docs", "aclnnGeluBackwardV", "--out", "o"], "did you mean 'aclnnGeluBackwardV2'"),
        (["docs", "aclnnGeluBackwardV2", "--release", "latest", "--out", "o"], "latest"),
        (["docs", "--release", "latest", "--out", "o"], "there are 8.0, 8.5.0, 9.0.0, 9.1.0"),
        (["docs", "--layout", "upstream", "--lang", "en", "--out", "o"], "leave --format html and --lang en out"),
        (["docs"], "--out"),
        (["docs", "aclnnGeluBackwardV2", "--out", "file"], "cannot make the folder"),
    ],
)
def test_bad_usage(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line, exit status 2, nothing written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert main(words) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_faulty_spec_leaves_nothing_half_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Everything is rendered before the first file is written."""
    folder = tmp_path / "specs" / "9.1.0" / "x"
    folder.mkdir(parents=True)
    (folder / "aclnnZebra.yaml").write_text("operator: aclnnZebra\nrelease: 9.1.0\n", encoding="utf-8")
    names = ["aclnnGeluBackwardV2", "aclnnZebra", "aclnnPreluBackward"]
    words = ["--release", "9.1.0", "--specs", str(tmp_path / "specs"), "--out", str(tmp_path / "o")]
    assert main(["docs", *names, *words]) == 2
    assert "aclnnZebra.yaml" in capsys.readouterr().err
    assert not (tmp_path / "o").exists()


def test_a_page_that_cannot_be_written_leaves_no_other_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder in the page's place: an error that names it, and no temporary file."""
    place = tmp_path / "9.1.0" / "aclnnGeluBackwardV2.en.md"
    place.mkdir(parents=True)
    assert main(["docs", "aclnnGeluBackwardV2", "--lang", "en", "--out", str(tmp_path)]) == 2
    assert "cannot write" in capsys.readouterr().err
    assert [path.name for path in place.parent.iterdir()] == [place.name]
