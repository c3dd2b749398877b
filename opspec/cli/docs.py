"""``opspec docs``: write documentation pages."""

from __future__ import annotations

import argparse
import os

from opspec.cli import options
from opspec.diff.told import histories
from opspec.docs.ledger import rules_page
from opspec.docs.page import page
from opspec.docs.related import Neighbours, first_version
from opspec.docs.render import Form, glossary, index, render, render_rules, rows_of, with_rows
from opspec.errors import OpspecError, printable
from opspec.files import read_bytes, write_below
from opspec.registry.folders import Entry
from opspec.registry.registry import Registry, registry
from opspec.vocabulary.literals import Lang


def run(words: list[str]) -> int:
    """The command: pages as DIR/<release>/<operator>.<lang>.<format>, <operator>.rules… with all rules of each, and an
    index and a glossary for each release and language.

    Everything is rendered before the first file is written: a fault in a spec leaves the folder as it was. An index
    lists the pages that lie there already, too.
    """
    asked = _parser().parse_args(words)
    form: Form = "upstream" if asked.layout == "upstream" else asked.format
    if form == "upstream" and (asked.format == "html" or asked.lang == "en"):
        raise OpspecError("the upstream layout is Markdown in Chinese: leave --format html and --lang en out")
    langs: list[Lang] = ["zh"] if form == "upstream" else [asked.lang] if asked.lang else ["en", "zh"]
    known = registry(asked.specs)
    entries = _entries(known, asked)
    files = _rendered(entries, langs, form, asked.out, Neighbours(known, histories))
    write_below(asked.out, dict(files))
    print(f"{options.number(len(entries) * len(langs), 'page')} in {printable(asked.out)}")
    return 0


def _rendered(
    entries: list[Entry], langs: list[Lang], form: Form, out: str, neighbours: Neighbours
) -> list[tuple[str, str]]:
    """(file's name below the folder, text) of every page, then of the indexes and glossaries."""
    extension = "html" if form == "html" else "md"
    files: list[tuple[str, str]] = []
    listed: dict[tuple[str, Lang], list[tuple[str, str]]] = {}
    with options.progress(len(entries)) as advance:
        for entry in entries:
            advance(f"{entry.release} {entry.operator}")
            definition = neighbours.definition(entry)
            near = neighbours.of(definition)
            for lang in langs:
                made = page(definition, lang, near, upstream=form == "upstream")
                name = f"{made.op}.md" if form == "upstream" else f"{made.op}.{lang}.{extension}"
                files.append((f"{entry.release}/{name}", render(made, form)))
                if form != "upstream":
                    text = render_rules(rules_page(definition, lang), form)
                    files.append((f"{entry.release}/{made.op}.rules.{lang}.{extension}", text))
                listed.setdefault((entry.release, lang), []).append((made.op, made.summary))
    if form != "upstream":
        for (release, lang), operators in listed.items():
            name = f"{release}/index.{lang}.{extension}"
            before = rows_of(_text(os.path.join(out, name)))
            there = _pages(os.path.join(out, release), f".{lang}.{extension}")
            made_now = {operator for operator, _ in operators}
            listing = sorted({**dict.fromkeys(there, ""), **dict(operators)}.items())
            kept = {operator: row for operator, row in before.items() if operator not in made_now}
            files.append((name, with_rows(index(listing, release, lang, form), kept)))
            files.append((f"{release}/glossary.{lang}.{extension}", glossary(release, lang, form)))
    return files


def _pages(folder: str, ending: str) -> list[str]:
    """The operators whose pages lie in a folder."""
    if not os.path.isdir(folder):
        return []
    names = [name.removesuffix(ending) for name in os.listdir(folder) if name.endswith(ending)]
    return [name for name in names if name not in ("index", "glossary") and name.isidentifier()]


def _text(path: str) -> str:
    """What a file holds that may be there."""
    return read_bytes(path).decode("utf-8", "replace") if os.path.isfile(path) else ""


def _parser() -> argparse.ArgumentParser:
    target = options.parser("docs", "Write the documentation of operators from their specs.")
    target.add_argument("ops", nargs="*", metavar="OP", help="operators (default: all)")
    options.add_release(target, "only this release (default: the newest of each named operator, or all releases)")
    target.add_argument("--lang", choices=("zh", "en"), default=None, help="only this language (default: both)")
    target.add_argument("--format", choices=("md", "html"), default="md")
    target.add_argument(
        "--layout", choices=("opspec", "upstream"), default="opspec", help="'upstream' is the vendor's own form"
    )
    target.add_argument("--out", metavar="DIR", required=True, help="the folder to write to; made when it is not there")
    options.add_specs(target)
    return target


def _entries(known: Registry, asked: argparse.Namespace) -> list[Entry]:
    if asked.ops:
        return [known.find(op, asked.release) for op in dict.fromkeys(asked.ops)]
    known.check_release(asked.release)
    releases = [asked.release] if asked.release else known.releases()
    found = [entry for release in releases for entry in known.entries(release).values()]
    # what pages compare stands together, so that each spec is read once
    return sorted(found, key=lambda entry: (first_version(entry.operator), entry.operator))
