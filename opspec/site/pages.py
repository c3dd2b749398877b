"""The global pages of a release: lists, matrix, try-it, glossary, drift board, and the data that they load."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import Markup

from opspec.docs.conflicts import KINDS
from opspec.docs.render import glossary_content
from opspec.site.frames import PAGES, Frame, rendered
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
    families = of_families(records)
    files[f"{data}/families.js"] = script("families", families)
    for number, family in enumerate(families):
        members = [record for record in records if record["family"] == family]
        files |= {
            f"{data}/drift.{lang}.{number}.js": script(f"drift/{number}", [*_drift(members, lang)]) for lang in LANGS
        }
    files[f"{data}/matrix.js"] = script("matrix", _supported(records))
    for product in products.ids():
        files[f"{data}/matrix.{product}.js"] = script(f"matrix/{product}", _matrix(records, product))
    return files


def of_families(records: Sequence[Record]) -> dict[str, list[str]]:
    """Family -> its operators."""
    found: dict[str, list[str]] = {}
    for record in sorted(records, key=lambda record: (record["family"], record["op"])):
        found.setdefault(record["family"], []).append(record["op"])
    return found


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
    words = WORDS[lang]
    title = f"{words['operators' if page == 'index' else page]} · CANN {release}"
    frame = Frame(lang, release, page, title, PAGES[page], tuple(releases), words["home_note"])
    return rendered(page, frame, families=of_families(records), **_values(page, release, records, lang))


def _values(page: str, release: str, records: Sequence[Record], lang: Lang) -> dict[str, object]:
    """What a page's template shows."""
    match page:
        case "index" | "try":
            return {}
        case "matrix":
            kept = {name for record in records for row in record["matrix"] for cell in row[3:] for name in cell}
            return {"dtypes": [name for name in dtypes.names() if name in kept],
                    "formats": [name for name in formats.names() if name in kept]}  # fmt: skip
        case "glossary":
            return {"groups": groups(lang), "body": Markup(glossary_content(release, lang, products=False).body)}
    counted = Counter(item[0] for record in records for item in record["conflicts"][lang])
    return {
        "figures": _figures(records, lang, sum(counted.values())),
        "kinds": [(kind, KINDS[kind][lang], counted[kind]) for kind in KINDS if counted[kind]],
        "counts": _conflicts_of(records, lang),
    }


def _conflicts_of(records: Sequence[Record], lang: Lang) -> dict[str, int]:
    """Family -> how many differences its pages have."""
    found: Counter[str] = Counter()
    for record in records:
        found[record["family"]] += len(record["conflicts"][lang])
    return dict(sorted(found.items()))


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
    """Operator, and what its page says of each difference."""
    for record in records:
        yield from ([record["op"], *item] for item in record["conflicts"][lang])


_SIGNS = {"yes": "y", "no": "n", "unknown": "u"}


def _supported(records: Sequence[Record]) -> dict[str, object]:
    """Of each operator its family and a letter for each product: whether it is supported there."""
    ids = products.ids()
    rows = [
        [record["op"], record["family"], "".join(_SIGNS[record["products"].get(product, "unknown")] for product in ids)]
        for record in records
    ]
    return {"rows": rows, "products": ids}


def _matrix(records: Sequence[Record], product: str) -> dict[str, object]:
    """Operator -> its tensor params on a product; sets of names are numbers, as there are few of them."""
    sets: dict[tuple[str, ...], int] = {}

    def number(names: Sequence[str]) -> int:
        return sets.setdefault(tuple(names), len(sets))

    params: dict[str, list[list[object]]] = {}
    for record in records:
        for on, param, io, taken, laid in record["matrix"]:
            if on == product:
                params.setdefault(record["op"], []).append([param, io, number(taken), number(laid)])
    return {"params": params, "sets": [*sets]}


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
