"""What the site has of one operator: its pages, the script that judges its calls, and what global pages list of it."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any

from opspec.codegen.javascript.arguments import packed
from opspec.codegen.javascript.operator import operator_script
from opspec.docs.conflicts import Conflict, on_page
from opspec.docs.page import Page, page
from opspec.docs.render import render
from opspec.errors import OpspecError
from opspec.model.definition import Definition
from opspec.model.enforcement import enforcement
from opspec.model.example import example_of
from opspec.registry.folders import Entry
from opspec.registry.registry import definition_of
from opspec.site.scripts import script
from opspec.validator.arguments import arguments
from opspec.workshop.matrix import rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from opspec.language.prose import Lang

    Json: TypeAlias = dict[str, Any]

LANGS: tuple[Lang, ...] = ("en", "zh")

_BODY = re.compile(r"<body>(.*)</body>", re.S)


@dataclass(frozen=True, slots=True)
class Made:
    """What is made of an operator.

    Args:
        bodies: language -> the content of its page.
        script: judges its calls; ``words`` has its rules' sentences and an example.
        record: what global pages list of it, as JSON.
    """

    bodies: dict[Lang, str]
    script: str
    words: str
    record: Json


def made(entry: Entry) -> Made:
    """All that the site has of an operator but the frame of its pages."""
    definition = definition_of(entry)
    pages = {lang: page(definition, lang) for lang in LANGS}
    sentences = {lang: {rule.id: rule.sentence for rule in pages[lang].rules} for lang in LANGS}
    words = {
        "say": {lang: [sentences[lang][rule.id] for rule in definition.rules] for lang in LANGS},
        "params": [_param(definition, place) for place in range(len(definition.params))],
        "example": _example(definition),
    }
    record = {
        "op": entry.operator,
        "family": entry.family,
        "summary": {lang: pages[lang].summary for lang in LANGS},
        "deprecated": bool(pages["en"].deprecated),
        "products": dict(definition.spec.products),
        "params": [param.name for param in definition.params],
        "texts": [text for lang in LANGS for text in _texts(pages[lang])],
        "matrix": [[row.product, row.param, row.io, row.dtypes, row.formats] for row in rows([entry])],
        "conflicts": {lang: [_conflict(item) for item in on_page(definition, pages[lang])] for lang in LANGS},
        "rules": _counts(definition),
    }
    bodies = {lang: _body(render(pages[lang], "html")) for lang in LANGS}
    name = f"words/{entry.release}/{entry.operator}"
    return Made(bodies, operator_script(definition), script(name, words), record)


def _body(document: str) -> str:
    found = _BODY.search(document)
    if found is None:
        raise OpspecError("a page has no body")
    return found[1]


def _texts(shown: Page) -> list[str]:
    """What a page says of params, and the titles of its formulas."""
    return [param.about for param in shown.params if param.about] + [title for title, _ in shown.formulas if title]


def _conflict(item: Conflict) -> list[str]:
    found = asdict(item)
    return [found[name] for name in ("kind", "rule", "places", "statement", "evidence")]


def _param(definition: Definition, place: int) -> Json:
    param = definition.params[place]
    low, high = ("" if bound is None else str(bound) for bound in (param.low, param.high))
    return {"name": param.name, "kind": param.kind, "ctype": param.ctype, "io": param.io, "pointer": param.pointer,
            "low": low, "high": high}  # fmt: skip


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
