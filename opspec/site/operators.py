"""What the site has of one operator: its pages, the script that judges its calls, and what global pages list of it."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from opspec.codegen.javascript.arguments import packed
from opspec.codegen.javascript.operator import operator_script
from opspec.diff.told import histories
from opspec.docs.conflicts import Conflict, on_page
from opspec.docs.ledger import rules_page
from opspec.docs.matrix import Row, rows_of
from opspec.docs.page import Page, page
from opspec.docs.related import Neighbours, version_before
from opspec.docs.render import Content, content, rules_content
from opspec.errors import OpspecError
from opspec.language import build, tree
from opspec.model.definition import Definition
from opspec.model.enforcement import enforcement
from opspec.model.example import example_of
from opspec.model.stated import stated_of
from opspec.registry.folders import Entry
from opspec.registry.registry import Unchanging
from opspec.site.scripts import script
from opspec.validator.arguments import arguments
from opspec.vocabulary import products
from opspec.vocabulary.literals import Lang

Json: TypeAlias = dict[str, Any]

LANGS: tuple[Lang, ...] = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Made:
    """What is made of an operator.

    Args:
        pages: (name below the release's folder without language and ending, language) -> the content of a page.
        only_on: rule -> the products that it is about, of those that are not about all.
        script: judges its calls; ``words`` has its rules' sentences and an example.
        record: what global pages list of it, as JSON.
    """

    pages: dict[tuple[str, Lang], Content]
    only_on: dict[str, list[str]]
    script: str
    words: str
    record: Json


def page_names(operator: str) -> tuple[str, str]:
    """Its page, and that of all its rules."""
    return operator, f"{operator}.rules"


def compared_with(of_release: Mapping[str, Mapping[str, Entry]], entry: Entry) -> list[Entry]:
    """The entries that its pages compare it with: the version before it, and itself in the other releases.

    Args:
        of_release: release -> operator -> its entry.
    """
    names = of_release[entry.release]
    version = version_before(entry.operator, names)
    others = [found.get(entry.operator) for name, found in of_release.items() if name != entry.release]
    return [*([] if version is None else [names[version]]), *filter(None, others)]


def made(entry: Entry, folders: tuple[str, ...] = ()) -> Made:
    """All that the site has of an operator but the frame of its pages.

    Args:
        folders: of specs beside those of opspec.
    """
    neighbours = _neighbours(folders)
    definition = neighbours.definition(entry)
    near = neighbours.of(definition)
    pages = {lang: page(definition, lang, near) for lang in LANGS}
    rules = {lang: rules_page(definition, lang) for lang in LANGS}
    own, ledger = page_names(entry.operator)
    contents = {(own, lang): content(pages[lang]) for lang in LANGS}
    contents |= {(ledger, lang): rules_content(rules[lang]) for lang in LANGS}
    rows = [*rows_of(entry.operator, definition.spec)]
    words = {
        "say": {lang: [rule.sentence for rule in rules[lang].rules] for lang in LANGS},
        "params": _params(definition, pages, rows),
        "example": _example(definition),
    }
    record = {
        "op": entry.operator,
        "family": entry.family,
        "summary": {lang: pages[lang].summary for lang in LANGS},
        "products": dict(definition.spec.products),
        "params": [param.name for param in definition.params],
        "texts": [text for lang in LANGS for text in _texts(pages[lang])],
        "matrix": [[row.product, row.param, row.io, row.dtypes, row.formats] for row in rows],
        "conflicts": {lang: [_conflict(item) for item in on_page(definition, rules[lang])] for lang in LANGS},
        "rules": _counts(definition),
    }
    name = f"words/{entry.release}/{entry.operator}"
    return Made(contents, _only_on(definition), operator_script(definition), script(name, words), record)


@functools.cache
def _neighbours(folders: tuple[str, ...]) -> Neighbours:
    """What finds the neighbours of operators: in a process of its own, one for all that it makes."""
    return Neighbours(Unchanging(folders), histories)


def _texts(shown: Page) -> list[str]:
    """What a page says of params, and the titles of its formulas."""
    return [param.about for param in shown.params if param.about] + [
        formula.title for formula in shown.formulas if formula.title
    ]


def _conflict(item: Conflict) -> list[str]:
    found = asdict(item)
    return [found[name] for name in ("kind", "rule", "places", "statement", "evidence")]


def _only_on(definition: Definition) -> dict[str, list[str]]:
    """Rule -> the products that its condition names, of the rules that have such a condition."""
    found: dict[str, list[str]] = {}
    for rule in definition.rules:
        parts = () if rule.when is None else build.conjuncts(rule.when)
        named = [on for on in map(tree.on_products, parts) if on is not None]
        if named:
            found[rule.id] = [name for name in products.ids() if all(on.holds(name) for on in named)]
    return found


def _params(definition: Definition, pages: Mapping[Lang, Page], rows: Iterable[Row]) -> list[Json]:
    """What a form asks of each param, and what it offers first."""
    taken: dict[str, dict[str, None]] = {}
    for row in rows:
        taken.setdefault(row.param, {}).update(dict.fromkeys(row.dtypes))
    own = stated_of(definition)
    found = []
    for place, param in enumerate(definition.params):
        low, high = ("" if bound is None else str(bound) for bound in (param.low, param.high))
        shown = {lang: pages[lang].params[place] for lang in LANGS}
        known = {"name": param.name, "kind": param.kind, "ctype": param.ctype, "io": param.io, "pointer": param.pointer,
                 "low": low, "high": high, "dtypes": [*taken.get(param.name, {})],
                 "about": {lang: shown[lang].about for lang in LANGS if shown[lang].about},
                 "values": [*map(str, own[param.name][0].enum or ())]}  # fmt: skip
        found.append({name: value for name, value in known.items() if value not in ("", [], {})})
    return found


def _example(definition: Definition) -> Json | None:
    """A legal call as the form of the try-it page takes it."""
    try:
        product, args = example_of(definition)
    except OpspecError:
        return None
    forms = tuple(
        (param.name, param.kind, param.pointer, param.required, param.spellings, param.low, param.high)
        for param in definition.params
    )
    typed = arguments(definition.name, forms, args)
    named = zip(definition.params, typed, strict=True)
    return {"product": product, "args": {param.name: packed(value, param.kind) for param, value in named}}


def _counts(definition: Definition) -> dict[str, int]:
    """How many rules there are: of each basis, and of each thing that becomes of a call that breaks one."""
    counts: dict[str, int] = {}
    for rule in definition.rules:
        found = enforcement(rule, definition)
        for key in (f"basis.{rule.basis}", f"enforcement.{found.usual}", *(("assumed",) if found.assumed else ())):
            counts[key] = counts.get(key, 0) + 1
    return counts
