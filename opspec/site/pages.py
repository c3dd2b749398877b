"""The global pages of a release: lists, matrix, try-it, glossary, drift board, and the data that they load."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import Markup

from opspec.docs.conflicts import KINDS
from opspec.docs.render import glossary_content
from opspec.site.frames import PAGES, Frame, families, rendered
from opspec.site.glossary import everything, groups
from opspec.site.names import called_so, names_of, other_words
from opspec.site.operators import LANGS
from opspec.site.scripts import script
from opspec.site.search import NAME, OTHER, PARAM, SUMMARY, TEXT, index, words
from opspec.site.words import WORDS
from opspec.vocabulary import dtypes, formats, products
from opspec.vocabulary.literals import Lang

Record = dict[str, Any]


def release_files(release: str, releases: Sequence[str], records: Sequence[Record]) -> dict[str, str]:
    """Path -> text of all files of a release that are no operator's."""
    files: dict[str, str] = {}
    for lang in LANGS:
        for page in PAGES:
            files[f"{release}/{page}.{lang}.html"] = _page(page, release, releases, records, lang)
    data = f"data/{release}"
    files |= search_files(release, records)
    for lang in LANGS:
        files[f"{data}/drift.{lang}.js"] = script("drift", [*_drift(records, lang)])
    files[f"{data}/matrix.js"] = script("matrix", _matrix(records))
    return files


def search_files(release: str, records: Sequence[Record]) -> dict[str, str]:
    """Path -> text of what the search loads: in each language what it can find, and the shards of its index.

    What it can find has a title, its place (that of an operator is its page), what is said of it, and its other names.

    Args:
        records: of each operator ``op``, ``family``, ``summary``, ``products``, ``params`` and ``texts`` as
            :func:`opspec.site.operators.made` has them.
    """
    files: dict[str, str] = {}
    data = f"data/{release}"
    for lang in LANGS:
        listed = [[record["op"], "", record["summary"][lang], *names_of(record["op"])] for record in records]
        listed += [[term.name, f"glossary#{term.anchor}", term.meaning, *term.also] for term in everything(lang)]
        files[f"{data}/documents.{lang}.js"] = script("documents", listed)
    files[f"{data}/products.js"] = script("products", _without(records))
    files[f"{data}/words.js"] = script("words", called_so())
    for name, shard in index([*map(_document, records), *_terms()]).items():
        files[f"{data}/search.{name}.js"] = script(f"search/{name}", shard)
    return files


def _without(records: Sequence[Record]) -> dict[str, list[int]]:
    """Product -> the numbers of the operators that it does not have."""
    return {
        product: [number for number, record in enumerate(records) if record["products"].get(product) == "no"]
        for product in products.ids()
    }


def _page(page: str, release: str, releases: Sequence[str], records: Sequence[Record], lang: Lang) -> str:
    of_family = {record["op"]: record["family"] for record in records}
    words = WORDS[lang]
    hrefs = tuple((name, f"../{name}/{page}.{lang}.html") for name in releases)
    title = f"{words['operators' if page == 'index' else page]} · CANN {release}"
    frame = Frame(lang, release, page, title, PAGES[page], hrefs, families(of_family), words["home_note"])
    return rendered(page, frame, **_values(page, release, records, lang))


def _values(page: str, release: str, records: Sequence[Record], lang: Lang) -> dict[str, object]:
    """What a page's template shows."""
    match page:
        case "index" | "try":
            return {"records": [_listed(record, lang) for record in records]}
        case "matrix":
            kept = {name for record in records for row in record["matrix"] for cell in row[3:] for name in cell}
            return {"dtypes": [name for name in dtypes.names() if name in kept],
                    "formats": [name for name in formats.names() if name in kept]}  # fmt: skip
        case "glossary":
            return {"groups": groups(lang), "body": Markup(glossary_content(release, lang).body)}
    counted = Counter(item[0] for record in records for item in record["conflicts"][lang])
    return {
        "figures": _figures(records, lang, sum(counted.values())),
        "kinds": [(kind, KINDS[kind][lang], counted[kind]) for kind in KINDS if counted[kind]],
    }


def _listed(record: Record, lang: Lang) -> dict[str, str]:
    supported = " ".join(product for product, support in record["products"].items() if support == "yes")
    return {"op": record["op"], "family": record["family"], "summary": record["summary"][lang], "supported": supported}


def _figures(records: Sequence[Record], lang: Lang, conflicts: int) -> list[tuple[str, int]]:
    words = WORDS[lang]
    counts: Counter[str] = Counter()
    for record in records:
        counts.update(record["rules"])
    kinds = {key: count for key, count in sorted(counts.items()) if key.startswith("basis.")}
    rows = [("operators", len(records)), ("rules", sum(kinds.values()))]
    rows += [(key.partition(".")[2] or key, count) for key, count in sorted(counts.items())]
    return [(words[f"figure_{key}"], count) for key, count in [*rows, ("conflicts", conflicts)]]


def _drift(records: Sequence[Record], lang: Lang) -> Iterator[list[str]]:
    """Operator, family, and what its page says of each difference."""
    for record in records:
        yield from ([record["op"], record["family"], *item] for item in record["conflicts"][lang])


def _matrix(records: Sequence[Record]) -> dict[str, object]:
    """Rows of operators; sets of names are numbers, as there are few of them."""
    sets: dict[tuple[str, ...], int] = {}

    def number(names: Sequence[str]) -> int:
        return sets.setdefault(tuple(names), len(sets))

    rows = [
        [record["op"], record["family"], record["products"],
         [[product, param, io, number(taken), number(laid)] for product, param, io, taken, laid in record["matrix"]]]
        for record in records
    ]  # fmt: skip
    return {"rows": rows, "sets": [*sets], "products": products.ids()}


def _document(record: Record) -> dict[int, list[str]]:
    name = record["op"].removeprefix("aclnn")
    also = [other for word in words(name) for other in other_words().get(word.rstrip("0123456789"), ())]
    return {
        NAME: [name, record["op"]],
        OTHER: [*names_of(record["op"]), *also],
        PARAM: record["params"],
        SUMMARY: [*record["summary"].values(), record["family"]],
        TEXT: record["texts"],
    }


def _terms() -> Iterator[dict[int, list[str]]]:
    """The glossary as documents: a term in both languages, as which language a reader searches in nobody knows."""
    for terms in zip(*map(everything, LANGS), strict=True):
        yield {
            NAME: [name for term in terms for name in (term.name, *term.also)],
            TEXT: [term.meaning for term in terms],
        }
