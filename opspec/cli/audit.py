"""``opspec audit``: list defects of the vendor's pages themselves."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from opspec.cli import options
from opspec.cli.tables import console
from opspec.errors import OpspecError, did_you_mean
from opspec.vocabulary.literals import Lang
from opspec.workshop.audit import report
from opspec.workshop.audit.kinds import KINDS
from opspec.workshop.audit.model import LEVELS, Defect, Kind
from opspec.workshop.audit.run import audit, files

_STYLES = {"error": "bold red", "slip": "yellow", "note": "dim"}


def run(words: list[str]) -> int:
    """The command: 0 nothing found, 1 defects, 2 a file that is no page."""
    asked = _parser().parse_args(words)
    if asked.kinds:
        _print_kinds(options.language(asked.lang))
        return 0
    if not asked.pages:
        raise OpspecError("expected pages or folders; see opspec audit --help")
    kinds, pages = _kinds(asked), files(asked.pages)
    with options.progress(len(pages)) as advance:
        found, errors = audit(pages, kinds, advance)
    _print(found, asked.output, options.language(asked.lang))
    for error in errors:
        print(f"opspec: {error}", file=sys.stderr)
    counts = options.number(len(pages) - len(errors), "page"), options.number(len(found), "defect")
    print(", ".join(counts), file=sys.stderr)
    return 2 if errors else 1 if found else 0


def _parser() -> argparse.ArgumentParser:
    target = options.parser(
        "audit",
        "List defects of the vendor's pages: contradictions, names of what is not there, misspellings.",
        "Level error misleads a caller, slip is spelt or formed wrongly, note is odd and may be meant. Links and "
        "operators on two pages are judged among the pages given; links only when they are some hundreds.",
    )
    target.add_argument(
        "pages", nargs="*", metavar="PAGE", help="pages, or folders of them (folders 'context' are left out)"
    )
    target.add_argument("--kind", action="append", default=[], help="only this kind (may be repeated)")
    target.add_argument("--level", choices=LEVELS, default="slip", help="this level and those above (default: slip)")
    target.add_argument("--kinds", action="store_true", help="list the kinds and end")
    target.add_argument("--output", choices=("text", "json", "md"), default="text")
    options.add_lang(target)
    return target


def _kinds(asked: argparse.Namespace) -> Sequence[Kind]:
    known = {kind.id: kind for kind in KINDS}
    for name in asked.kind:
        if name not in known:
            raise OpspecError(f"unknown kind {name!r}{did_you_mean(name, known)}; see opspec audit --kinds")
    if asked.kind:
        return [known[name] for name in dict.fromkeys(asked.kind)]
    return [kind for kind in KINDS if LEVELS.index(kind.level) <= LEVELS.index(asked.level)]


def _print(found: Sequence[Defect], output: str, lang: Lang) -> None:
    if output == "json":
        print(report.as_json(found))
    elif output == "md":
        print(report.as_markdown(found, lang))
    elif found:
        _print_text(found, lang)


def _print_text(found: Sequence[Defect], lang: Lang) -> None:
    shown = console()
    document = ""
    for defect in found:
        if defect.document != document:
            document = defect.document
            shown.print(Text(document, style="bold"), soft_wrap=True)
        text = Text(f"  {defect.line:>5}  ").append(f"{defect.kind:<20}", style=_STYLES[defect.level])
        shown.print(text.append(f"  {defect.text(lang)}"), soft_wrap=True)
    table = Table("kind", "level", "count", box=None, pad_edge=False)
    for kind, level, number in report.counts(found):
        table.add_row(kind, Text(level, style=_STYLES[level]), str(number))
    shown.print()
    shown.print(table)


def _print_kinds(lang: Lang) -> None:
    width = max(len(kind.id) for kind in KINDS)
    for kind in KINDS:
        print(f"{kind.id:<{width}}  {kind.level:<5}  {kind.zh if lang == 'zh' else kind.en}")
