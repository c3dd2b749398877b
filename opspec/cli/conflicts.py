"""``opspec conflicts``: where pages and runtime differ, and where pages contradict themselves."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from rich.padding import Padding
from rich.text import Text

from opspec.cli import options
from opspec.cli.list import add_filters, selected
from opspec.cli.tables import console
from opspec.docs.conflicts import KINDS, Conflict, conflicts
from opspec.docs.render import markdown
from opspec.errors import printable
from opspec.model.definition import Definition
from opspec.model.load import load_file
from opspec.registry.folders import Entry
from opspec.registry.registry import registry
from opspec.vocabulary.literals import Lang

_HEAD = {
    "en": ("operator", "release", "rule", "clauses", "statement", "evidence"),
    "zh": ("算子", "版本", "规则", "条款", "内容", "依据"),
}


def run(words: list[str]) -> int:
    """The command: 0 no conflict, 1 conflicts."""
    asked = _parser().parse_args(words)
    lang = options.language(asked.lang)
    entries = selected(registry(asked.specs), asked)
    order = {(entry.operator, entry.release): number for number, entry in enumerate(entries)}
    found = sorted(conflicts(_definitions(entries), lang), key=lambda item: order[item.operator, item.release])
    if asked.output == "json":
        options.print_json([asdict(item) for item in found])
    elif asked.output == "md":
        print("\n".join(_markdown(found, lang)))
    else:
        _print(found, lang)
    return 1 if found else 0


def _parser() -> argparse.ArgumentParser:
    target = options.parser(
        "conflicts",
        "List where pages and runtime differ, as recorded calls show, and where pages contradict themselves.",
        "Each is recorded in a spec with its evidence; a documented rule stays: a call that breaks it is illegal, "
        "unless programs that break it ran.",
    )
    target.add_argument("pattern", nargs="?", default="*", help="operators, with * and ? (default: all)")
    add_filters(target)
    target.add_argument("--output", choices=("text", "json", "md"), default="text")
    options.add_lang(target)
    options.add_specs(target)
    return target


def _definitions(entries: Sequence[Entry]) -> Iterator[Definition]:
    wanted = {(entry.path, entry.operator) for entry in entries}
    files = dict.fromkeys(entry.path for entry in entries)  # twins share theirs
    with options.progress(len(files)) as advance:
        for path in files:
            advance(Path(path).stem)
            yield from (item for item in load_file(path).definitions if (path, item.name) in wanted)


def _print(found: list[Conflict], lang: Lang) -> None:
    shown = console()
    for (operator, release), group in groupby(found, lambda item: (item.operator, item.release)):
        shown.print(Text(f"{operator} {release}", style="bold"))
        for item in group:
            line = Text.assemble((item.kind, "yellow"), "  ", (item.rule, "cyan"), "  " if item.rule else "")
            shown.print(Padding(line + Text(printable(item.statement)), (0, 0, 0, 2), expand=False))
            shown.print(Padding(Text(printable(item.evidence), style="dim"), (0, 0, 0, 4), expand=False))
    counted = Counter(item.kind for item in found)
    for kind, meaning in KINDS.items():
        if counted[kind]:
            shown.print(f"{counted[kind]:5}  {kind}: {meaning[lang]}", soft_wrap=True)


def _markdown(found: Iterable[Conflict], lang: Lang) -> Iterator[str]:
    for kind, group in groupby(sorted(found, key=lambda item: list(KINDS).index(item.kind)), lambda item: item.kind):
        yield from (f"## {KINDS[kind][lang]}", "", f"| {' | '.join(_HEAD[lang])} |", "|---" * 6 + "|")
        for item in group:
            cells = (item.operator, item.release, item.rule, item.places, item.statement, item.evidence)
            yield f"| {' | '.join(map(markdown, cells))} |"
        yield ""
