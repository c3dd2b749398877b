"""``opspec docs``: write documentation pages."""

from __future__ import annotations

import argparse
import os

from opspec.cli import options
from opspec.errors import OpspecError
from opspec.pages.model import Page, page
from opspec.pages.render import Form, index, render
from opspec.registry.folders import Entry
from opspec.registry.registry import Registry, definition_of
from opspec.validator.api import registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.prose import Lang


def run(words: list[str]) -> int:
    """The command: pages as DIR/<release>/<operator>.<lang>.<format>, and an index for each release and language."""
    asked = _parser().parse_args(words)
    form: Form = "upstream" if asked.layout == "upstream" else asked.format
    if form == "upstream" and (asked.format == "html" or asked.lang == "en"):
        raise OpspecError("the upstream layout is Markdown in Chinese: leave --format html and --lang en out")
    langs: list[Lang] = (
        ["zh"] if form == "upstream" or asked.lang == "zh" else ["en"] if asked.lang == "en" else ["en", "zh"]
    )
    by_release: dict[str, list[Entry]] = {}
    for entry in _entries(registry(asked.specs), asked):
        by_release.setdefault(entry.release, []).append(entry)
    for release, entries in by_release.items():
        folder = os.path.join(asked.out, release)
        options.make_folder(folder)
        definitions = [definition_of(entry) for entry in entries]
        for lang in langs:
            _write(folder, [page(definition, lang) for definition in definitions], form)
    print(f"{sum(map(len, by_release.values())) * len(langs)} pages in {asked.out}")
    return 0


def _parser() -> argparse.ArgumentParser:
    target = options.parser("docs", "Write the documentation of operators from their specs.")
    target.add_argument("ops", nargs="*", metavar="OP", help="operators (default: all)")
    target.add_argument(
        "--release", help="only this release (default: the newest of each named operator, or all releases)"
    )
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
        return [known.find(op, asked.release) for op in asked.ops]
    releases = [asked.release] if asked.release else known.releases()
    if asked.release and asked.release not in known.releases():
        raise OpspecError(f"unknown release {asked.release!r}; there are {', '.join(known.releases())}")
    return [entry for release in releases for _, entry in sorted(known.entries(release).items())]


def _write(folder: str, pages: list[Page], form: Form) -> None:
    extension = "html" if form == "html" else "md"
    for written in pages:
        name = f"{written.op}.md" if form == "upstream" else f"{written.op}.{written.lang}.{extension}"
        options.write_file(os.path.join(folder, name), render(written, form))
    if form != "upstream":
        options.write_file(os.path.join(folder, f"index.{pages[0].lang}.{extension}"), index(pages, form))
