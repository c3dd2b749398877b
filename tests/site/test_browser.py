"""Promise: in a browser the site finds, filters and judges as opspec does, in both languages, from a folder and from a
server; it can be used with the keyboard and read by machines that read aloud, on a desk and on a phone, light and dark.
"""

from __future__ import annotations

import json
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import unquote, urlencode, urlsplit

import pytest

from opspec.codegen.javascript.arguments import packed
from opspec.docs.matrix import rows
from opspec.language.tree import on_products, walk
from opspec.model.example import example_of
from opspec.registry.registry import Registry, definition_of, spec_of
from opspec.validator.api import check
from opspec.validator.judge import judge
from tests.codegen.rules.native import Outcome, outcome_of
from tests.codegen.rules.recorded import readable
from tests.recorded import RECORDS
from tests.site.sites import SAMPLE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

pytestmark = pytest.mark.browser

RELEASE = "9.1.0"
LONGEST = 20_000  # characters of an address
CALLS = 150

#: every kind of page
KINDS = ("index", "matrix", "try", "glossary", "drift", "aclnnLayerNorm", "aclnnLayerNorm.rules")
#: what a page is looked at with: its address, and what waits until it is whole
STATES = {"index": "#family=norm", "matrix": "#product=910b", "try": "#op=aclnnLayerNorm"}


def address(site: Path, page: str, lang: str = "en") -> str:
    """Where a page is."""
    return f"{site.as_uri()}/{RELEASE}/{page}.{lang}.html"


def titles(page: Page, query: str) -> list[str]:
    """What the search lists."""
    page.fill("#search-text", query)
    page.wait_for_function("query => document.getElementById('search-results').dataset.of === query", arg=query)
    return page.locator("#search-results b").all_inner_texts()


def example_call(operator: str) -> dict[str, Any]:
    """The example of an operator's spec as a call."""
    product, args = example_of(definition_of(Registry().find(operator, RELEASE)))
    return {"op": operator, "release": RELEASE, "product": product, "args": dict(args)}


# --- search


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("gelubackward", "aclnnGeluBackwardV2"),  # the beginning of a name
        ("aclnnCat", "aclnnCat"),
        ("backwardv2", "aclnnGeluBackwardV2"),  # a word inside a name
        ("normalizedShape", "aclnnLayerNorm"),  # a param
        ("group normalization", "aclnnGroupNorm"),  # words of the summary
        ("层归一化", "aclnnLayerNorm"),
        ("拼接", "aclnnCat"),
        ("加", "aclnnAdd"),  # one character
        ("FRACTAL_NZ", "FRACTAL_NZ"),  # the glossary
    ],
)
def test_search_finds_names_words_params_and_chinese(page: Page, site: Path, lang: str, query: str, found: str) -> None:
    page.goto(address(site, "index", lang))
    assert found in titles(page, query)
    assert not titles(page, "qqzzxx")


def test_search_is_used_with_the_keyboard(page: Page, site: Path) -> None:
    page.goto(address(site, "glossary"))
    page.keyboard.press("/")
    page.keyboard.type("layernorm")
    page.wait_for_selector("#found-0")
    page.keyboard.press("ArrowDown")
    assert page.get_attribute("#search-text", "aria-activedescendant") == "found-0"
    page.keyboard.press("Escape")
    assert not page.locator("#search-results").is_visible()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Control+k")
    page.keyboard.type("gelubackwardv2")
    page.keyboard.press("Enter")  # faster than what is loaded
    page.wait_for_url("**/aclnnGeluBackwardV2.en.html")
    page.fill("#search-text", "top k")
    page.wait_for_selector("#found-0")
    page.keyboard.press("Tab")
    assert not page.locator("#search-results").is_visible()  # which would hide what has the focus


def test_a_typo_is_answered_with_what_was_meant(page: Page, site: Path) -> None:
    page.goto(address(site, "index"))
    assert titles(page, "aclnnGeluBakwardV2")[0] == "aclnnGeluBackwardV2"
    assert "Did you mean gelubackwardv2?" in page.inner_text("#search-results .meant")


def test_a_product_that_is_chosen_narrows_matrix_and_search(page: Page, site: Path) -> None:
    page.goto(address(site, "matrix"))
    page.wait_for_selector("#matrix[data-ready]")
    page.select_option("#product", "310b")
    assert page.input_value("#filters [name=product]") == "310b"
    assert "product=310b" in page.url
    assert titles(page, "gelubackwardv2")[0] == "aclnnGeluBackwardV2"
    assert page.locator("#search-results em").count() >= 1  # said to be not supported
    page.goto(address(site, "glossary"))
    page.goto(address(site, "matrix"))
    page.wait_for_selector("#matrix[data-ready]")
    assert page.input_value("#filters [name=product]") == "310b"
    page.select_option("#filters [name=product]", "")
    assert page.input_value("#product") == ""


def test_a_product_that_is_chosen_narrows_what_a_page_says(page: Page, site: Path) -> None:
    """What is about other products alone is left out, which the page says; without a choice all is there."""
    definition = definition_of(Registry().find("aclnnMatmul", RELEASE))
    named = {
        rule.id
        for rule in definition.rules
        if rule.when is not None and any(on_products(part) is not None for part in walk(rule.when))
    }
    page.goto(address(site, "aclnnMatmul.rules"))
    page.wait_for_selector("[data-dressed]", state="attached")
    assert not page.locator("main .ledger tr[hidden]").count()
    page.select_option("#product", "910b")
    hidden = page.locator("main .ledger tr[hidden] code[id]").evaluate_all("all => all.map(one => one.id.slice(5))")
    assert hidden
    assert set(hidden) <= named
    assert "left out" in page.inner_text("#narrowed")
    page.goto(address(site, "aclnnMatmul"))
    page.wait_for_selector("[data-dressed]", state="attached")
    rows_of_support = page.locator("main .support tbody tr:not([hidden])").all_inner_texts()
    assert len(rows_of_support) == 1
    page.select_option("#product", "")
    assert page.locator("main .support tbody tr:not([hidden])").count() > 1


def test_rule_ids_are_copied_headings_linked_and_marks_explained(page: Page, site: Path) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(address(site, "aclnnLayerNorm.rules"))
    first = page.locator("main .ledger th code[id]").first.inner_text()
    page.locator("main .ledger th .copy").first.click()
    assert page.evaluate("navigator.clipboard.readText()") == first
    assert page.get_attribute("#rules .permalink", "href") == "#rules"
    page.goto(address(site, "aclnnLayerNorm"))
    signs = page.eval_on_selector_all("main a.mark", "marks => marks.map(mark => mark.title)")
    assert all(signs)


def test_the_first_thing_that_the_keyboard_reaches_leads_to_the_content(page: Page, site: Path) -> None:
    page.goto(address(site, "aclnnAdd"))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#main"


# --- switches


def test_language_release_product_and_theme_are_switched(page: Page, site: Path) -> None:
    page.goto(address(site, "aclnnGeluBackwardV2") + "?product=310b#params")
    assert "Not supported" in page.inner_text("#product-note")
    page.click("#language")
    page.wait_for_url("**/aclnnGeluBackwardV2.zh.html#params")
    page.click(".releases a:not([aria-current])")
    page.wait_for_url("**/8.0/aclnnGeluBackwardV2.zh.html#params")
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    after = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert before != after
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == after


# --- filters


def test_the_matrix_is_that_of_the_command(page: Page, site: Path) -> None:
    page.goto(address(site, "matrix") + "#product=910b&dtype=BFLOAT16&q=layernorm")
    page.wait_for_selector("#matrix[data-ready]")
    names = [name for name in Registry().entries(RELEASE) if "layernorm" in name.lower()]
    entries = [entry for name, entry in Registry().entries(RELEASE).items() if name in names]
    expected = {
        (row.op, row.param, " ".join(row.dtypes)) for row in rows(entries, ("910b",)) if "BFLOAT16" in row.dtypes
    }
    shown = {
        (cells[0], cells[2], cells[4])
        for cells in page.eval_on_selector_all(
            "#matrix tbody tr", "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
        )
    }
    assert shown
    assert shown <= expected  # all of them on the whole site
    page.select_option("#filters [name=dtype]", "DOUBLE")
    assert "dtype=DOUBLE" in page.url
    link = page.url
    page.goto(address(site, "index"))
    page.goto(link)
    page.wait_for_selector("#matrix[data-ready]")
    assert page.input_value("#filters [name=dtype]") == "DOUBLE"


def test_lists_are_filtered_by_family_product_and_words(page: Page, site: Path) -> None:
    page.goto(address(site, "index"))
    assert page.locator("#families details").count() > 5
    page.goto(address(site, "index") + "#family=norm")
    cells = "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    page.wait_for_selector("#operators tbody tr")
    rows_of_family = page.eval_on_selector_all("#operators tbody tr", cells)
    assert {family for _, family, _ in rows_of_family} == {"norm"}
    assert all(summary for *_, summary in rows_of_family)
    page.select_option("#product", "310b")
    page.wait_for_function("() => JSON.parse(document.getElementById('operators').dataset.of)[1] === '310b'")
    known = Registry().entries(RELEASE)
    supported = [name for name, *_ in page.eval_on_selector_all("#operators tbody tr", cells)]
    assert all(spec_of(known[name]).products.get("310b") == "yes" for name in supported)
    assert len(supported) < len(rows_of_family)


def test_the_drift_board_is_filtered(page: Page, site: Path) -> None:
    page.goto(address(site, "drift", "zh"))
    page.wait_for_selector("#drift[data-ready]", state="attached")
    assert not page.locator("#drift tbody tr").count()  # nothing is loaded before something is chosen
    page.goto(address(site, "drift", "zh") + "#q=aclnnAdd")
    page.wait_for_selector("#drift tbody tr")
    texts = page.locator("#drift tbody tr").all_inner_texts()
    assert texts
    assert all("aclnnAdd" in text for text in texts)


# --- verdicts


def verdict(page: Page) -> Outcome:
    """What the page says of the call in its address."""
    page.wait_for_function("() => document.getElementById('verdict').dataset.of === location.hash")
    found = page.evaluate(
        """() => {
          const {status, legal} = document.getElementById('verdict').dataset;
          const list = (id) => [...document.querySelectorAll(`#${id} > li`)]
            .map(({dataset}) => [dataset.rule, dataset.enforcement, dataset.assumed === "yes"]);
          return [status, legal, list('violations'), list('warnings'), list('undecided')];
        }"""
    )
    status, legal, violations, warnings, undecided = found
    names = [tuple(rule for rule, *_ in items) for items in (warnings, undecided)]
    return Outcome(int(status), legal == "true", tuple(map(tuple, violations)), *names)


def test_verdicts_on_recorded_calls_are_those_of_python(page: Page, site: Path) -> None:
    registry, count, illegal = Registry(), 0, 0
    page.goto(address(site, "try"))
    counts: dict[str, int] = {}
    for path in RECORDS:
        for name, args, (product, member) in readable(path, registry, RELEASE, SAMPLE):
            counts[name] = counts.get(name, 0) + 1
            if counts[name] > CALLS // len(SAMPLE) * 2:
                continue
            form = registry.form(name, RELEASE)
            named = {param[0]: packed(value, param[1]) for param, value in zip(form.params, args, strict=True)}
            call = urlencode({"op": name, "product": member or product or "-", "call": json.dumps(named)})
            if len(call) > LONGEST:
                continue
            page.evaluate("hash => { location.hash = hash }", call)
            expected = outcome_of(judge(form, args, product, member))
            assert verdict(page) == expected, (name, named, product)
            count, illegal = count + 1, illegal + (not expected.legal)
    assert count > 60
    assert 10 < illegal < count


def test_a_call_is_changed_in_the_form_and_handed_on_as_a_link(page: Page, site: Path) -> None:
    page.goto(address(site, "try") + "#op=aclnnAdd")
    page.wait_for_selector("#form fieldset")
    assert page.get_attribute("#verdict", "data-legal") == "true"
    page.locator("[data-param=other]").get_by_label("Shape", exact=True).fill("3, 5, 7, 11")
    assert page.get_attribute("#verdict", "data-legal") == "false"
    assert page.locator("#violations li").count() > 0
    link = page.url
    page.goto(address(site, "index"))
    page.goto(link.replace(".en.html", ".zh.html"))
    page.wait_for_selector("#violations li")
    call = json.loads(page.text_content("#json") or "")
    assert call["args"]["other"]["tensor"]["shape"] == [3, 5, 7, 11]
    page.locator("[data-param=other]").get_by_label("形状", exact=True).fill("3, x")
    assert page.get_attribute("#verdict", "data-status") == "input"
    assert page.locator("[aria-invalid=true]").count() == 1


def test_a_damaged_link_is_said_to_be_and_nothing_else_is_judged(page: Page, site: Path) -> None:
    """A call that was cut is not the example's, nor is one whose arguments are of another form."""
    for call in ('{"self', "7", '{"self":{"shape":7}}', '{"self":5}', '{"alpha":{"dtype":"FLOAT","value":{}}}'):
        page.goto("about:blank")
        page.goto(address(site, "try") + "#" + urlencode({"op": "aclnnAdd", "call": call}))
        page.wait_for_selector("#problem:not([hidden])")
        assert "damaged" in page.inner_text("#problem")
        assert not page.locator("#try").is_visible()
    page.click("#problem a")
    page.wait_for_selector("#verdict[data-legal=true]")
    page.goto(address(site, "try") + "#op=..%2F..%2Fx")
    page.wait_for_selector("#problem:not([hidden])")


def test_what_a_choice_is_among_is_offered_first(page: Page, site: Path) -> None:
    """Enumerations are choices, data types that a param takes come first, and each param says what it means."""
    page.goto(address(site, "try") + "#op=aclnnGeluBackwardV2")
    choices = page.locator("[data-param=approximate] select option")
    choices.first.wait_for(state="attached")
    assert choices.all_inner_texts()[:2] == ["none", "tanh"]
    form = Registry().form("aclnnGeluBackwardV2", RELEASE)
    taken = page.locator("[data-param=self]").get_by_label("Data type").locator("> option").all_inner_texts()
    assert set(taken) == {"FLOAT", "FLOAT16", "BFLOAT16"}
    notes = page.locator("#form .param > .note")
    assert notes.count() == len(form.params)
    page.locator("[data-param=approximate] select").select_option("")
    page.locator("[data-param=approximate] input:visible").last.fill("cubic")
    assert page.locator("[data-param=approximate] .broken").is_visible()  # beside what was changed
    assert 'Found: approximate = "cubic".' in page.inner_text("#violations")


def pasted(page: Page, site: Path, text: str) -> dict[str, Any]:
    """The call that the page reads a text as."""
    page.goto("about:blank")
    page.goto(address(site, "try"))
    page.click("#paste summary")
    page.fill("#pasting textarea", text)
    page.click("#pasting button")
    page.wait_for_selector("#said p")
    call: dict[str, Any] = json.loads(page.text_content("#json") or "")
    return call


def broken(page: Page) -> list[str]:
    """The rules that the call on the page breaks."""
    rules: list[str] = page.locator("#violations > li").evaluate_all("all => all.map(one => one.dataset.rule)")
    return rules


def test_a_call_is_pasted_as_json_log_or_code(page: Page, site: Path) -> None:
    call = example_call("aclnnLayerNorm")
    found = pasted(page, site, json.dumps(call))
    assert found["op"] == "aclnnLayerNorm"
    assert found["args"]["input"] == call["args"]["input"]
    for spelt in ({"dtype": "torch.float16", "format": "nd"}, {"dtype": 1, "format": 2}, {"dtype": "DT_FLOAT16"}):
        other = {"input": {"shape": call["args"]["input"]["tensor"]["shape"], **spelt}}
        read = pasted(page, site, json.dumps(call | {"args": call["args"] | other}))
        assert read["args"]["input"]["tensor"]["dtype"] == "FLOAT16"
        assert read["args"]["input"]["tensor"]["format"] == "ND"
    log = "E19999: aclnnAddGetWorkspaceSize: Tensor self not implemented for DT_COMPLEX32, should be in [DT_FLOAT]."
    assert pasted(page, site, log)["args"]["self"]["tensor"]["dtype"] == "COMPLEX32"
    wrong = {"input": {"tensor": {"shape": [3, 7], "dtype": "INT32"}}}
    told = check("aclnnLayerNorm", args=call["args"] | wrong, product=call["product"], release=RELEASE)
    again = pasted(
        page, site, "\n".join(f"{item.message} {RELEASE}/aclnnLayerNorm/{item.rule}" for item in told.violations)
    )
    assert again["args"]["input"]["tensor"]["dtype"] == "INT32"
    code = "x = torch.randn(2, 8, 16).half()\ny = torch.nn.functional.layer_norm(x, [16])"
    found = pasted(page, site, code)
    assert found["op"] == "aclnnLayerNorm"
    assert found["args"]["input"]["tensor"] == {"shape": [2, 8, 16], "dtype": "FLOAT16", "format": "ND"}
    assert found["args"]["normalizedShape"] == {"int_array": [16]}
    assert page.get_attribute("#verdict", "data-legal") == "true"  # outputs are made to fit


def test_code_is_read_as_torch_reads_it(page: Page, site: Path) -> None:
    """Arguments by their places and names, defaults of PyTorch, lists and signs; outputs fit, whatever the rest is."""
    made = "x = torch.randn(1, 3, 8, 8)\nw = torch.randn(4, 3, 3, 3)\n"
    conv = pasted(page, site, f"{made}y = F.conv2d(x, w, stride=2, padding=1)")
    assert conv["args"]["stride"] == {"int_array": [2, 2]}
    assert conv["args"]["bias"] is None
    assert conv["args"]["output"]["tensor"]["shape"] == [1, 4, 4, 4]
    assert page.get_attribute("#verdict", "data-legal") == "true"
    topk = pasted(page, site, "x = torch.randn(2, 5)\nv, i = x.topk(7)")
    assert topk["args"]["dim"] == -1
    assert broken(page) == ["k-range"]
    cat = pasted(page, site, "x = torch.ones(2, 3)\ny = torch.cat(\n    [x, x.half().float()],\n    dim=1)")
    assert cat["args"]["out"]["tensor"]["shape"] == [2, 6]
    found = pasted(page, site, "a = torch.randn(4, 8); b = torch.randn(9, 5)\nc = a @ b")
    assert found["op"] == "aclnnMatmul"
    assert broken(page) == ["mat2-reduce-dim"]
    told = check("aclnnMatmul", args=found["args"], product=found["product"], release=RELEASE)
    assert [item.rule for item in told.violations] == ["mat2-reduce-dim"]


def test_a_log_says_what_was_found(page: Page, site: Path) -> None:
    log = "call aclnnLayerNorm failed, detail:EZ1001: weightOptional expected scalar type DT_FLOAT but found DT_INT8."
    assert pasted(page, site, log)["args"]["weightOptional"]["tensor"]["dtype"] == "INT8"


def test_what_cannot_be_read_is_said(page: Page, site: Path) -> None:
    for text, why in (
        ('{"op": "aclnnAdd", "args": {', "JSON"),
        ('{"args": {}}', "names its operator"),
        ("hello", "Neither"),
        ("AclNN_Parameter_Error(EZ1001): bias dtype is not right!", "Neither"),  # no code, in spite of its brackets
    ):
        page.goto("about:blank")
        page.goto(address(site, "try"))
        page.click("#paste summary")
        page.fill("#pasting textarea", text)
        page.click("#pasting button")
        page.wait_for_selector("#problem:not([hidden])")
        assert why in page.inner_text("#problem")
        assert not page.locator("#try").is_visible()


def test_the_nearest_legal_call_is_a_button(page: Page, site: Path) -> None:
    call = example_call("aclnnAdd")
    broken = call["args"] | {"out": {"tensor": {"shape": [9, 9, 9], "dtype": "FLOAT"}}}
    pasted(page, site, json.dumps(call | {"args": broken}))
    assert page.get_attribute("#verdict", "data-legal") == "false"
    page.click("#nearest")
    page.wait_for_selector("#take")
    assert page.locator("#changes li").all_inner_texts()[0].startswith("out.shape: [9,9,9] →")
    page.click("#take")
    assert page.get_attribute("#verdict", "data-legal") == "true"
    repaired = json.loads(page.text_content("#json") or "")
    assert check("aclnnAdd", args=repaired["args"], product=repaired["product"], release=RELEASE).legal
    assert repaired["args"]["self"]["tensor"]["shape"] == call["args"]["self"]["tensor"]["shape"]


def test_on_a_phone_title_and_verdict_are_in_sight(browser: Browser, site: Path) -> None:
    """One row stands before the title, the list of operators is a few screens, the verdict stays while one changes."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    top = "document.querySelector('h1').getBoundingClientRect().top"
    for kind in KINDS:
        page.goto(address(site, kind))
        page.wait_for_selector("[data-dressed]", state="attached")
        assert page.evaluate(top) < 120, kind
    page.goto(address(site, "index"))
    assert page.evaluate("document.documentElement.scrollHeight") < 5000
    page.goto(address(site, "matrix") + "#product=910b&q=aclnnAdd")
    cell = page.locator("#matrix tbody td").first
    cell.wait_for()
    assert cell.evaluate("cell => getComputedStyle(cell).display") == "block"  # rows are cards
    assert cell.get_attribute("data-label")
    page.goto(address(site, "try") + "#op=aclnnAdd")
    page.locator("[data-param=out] input").first.scroll_into_view_if_needed()
    box = page.locator("#summary").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 844
    context.close()


@pytest.mark.parametrize(("kind", "most"), [("index", 100_000), ("matrix", 300_000), ("drift", 300_000)])
def test_little_is_loaded_before_something_is_chosen(page: Page, site: Path, kind: str, most: int) -> None:
    """Scripts, style and fonts of all pages aside; of the whole site, where one was built (OPSPEC_SITE)."""
    asked: set[str] = set()
    page.on("request", lambda request: asked.add(request.url))
    page.goto(address(site, kind))
    page.wait_for_timeout(500)
    own = [Path(unquote(urlsplit(url).path)) for url in asked if "/assets/" not in url]
    assert own
    assert sum(path.stat().st_size for path in own) <= most


def test_the_home_page_finds_and_says_what_there_is(page: Page, site: Path) -> None:
    page.goto(f"{site.as_uri()}/index.html")
    assert titles(page, "gelubackwardv2")[0] == "aclnnGeluBackwardV2"
    page.locator("#search-results a").first.click()
    page.wait_for_url("**/9.1.0/aclnnGeluBackwardV2.en.html")
    page.goto(f"{site.as_uri()}/index.zh.html")
    assert page.locator("#do + dl a").count() == 4


def test_pages_of_older_releases_are_whole(page: Page, site: Path) -> None:
    """They are packed in their files; a link into one leads to its place."""
    page.goto(f"{site.as_uri()}/8.5.0/aclnnAdd.rules.en.html#rule-self.dtype")
    page.wait_for_selector("[data-dressed]", state="attached")
    assert page.locator("#rules").is_visible()
    assert page.locator("[id='rule-self.dtype']").count() == 1


# --- every kind of page


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "lang"), [(1280, "en"), (390, "zh")])
def test_pages_are_accessible_and_fit(
    browser: Browser, site: Path, kind: str, scheme: Literal["light", "dark"], width: int, lang: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

    viewport: ViewportSize = {"width": width, "height": 900}
    context = browser.new_context(viewport=viewport, color_scheme=scheme, bypass_csp=True)  # for axe, which is no part
    page = context.new_page()
    faults: list[str] = []
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(address(site, kind, lang) + STATES.get(kind, ""))
    if kind in ("matrix", "drift"):
        page.wait_for_selector(f"#{kind}[data-ready]", state="attached")
    if kind == "try":
        page.wait_for_selector("#form fieldset")
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert not faults
    found = Axe().run(page, options={"preload": False})
    context.close()
    assert wide <= 0, "the page itself never scrolls sideways"
    assert not found.violations_count, found.generate_report()


def test_a_server_serves_it_as_well(browser: Browser, site: Path) -> None:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{server.server_port}/{RELEASE}/index.en.html")
    found = titles(page, "gelubackward")
    page.close()
    server.shutdown()
    server.server_close()
    assert "aclnnGeluBackwardV2" in found
