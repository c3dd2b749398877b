"""``opspec diff``: what differs between two releases, or two specs, and what of it breaks programs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from opspec.cli import options
from opspec.diff import accepted, report
from opspec.diff.calls import with_calls
from opspec.diff.change import BREAKING, LEVELS, Change
from opspec.diff.compare import compared
from opspec.diff.sides import names, side
from opspec.errors import printable
from opspec.model.definition import Definition
from opspec.registry.registry import registry
from opspec.vocabulary.literals import Lang


def run(words: list[str]) -> int:
    """The command: 0 nothing breaks that is not accepted, 1 something does."""
    asked = _parser().parse_args(words)
    lang = options.language(asked.lang)
    known = frozenset() if asked.accept is None else accepted.read(asked.accept)
    changes = list(_changes(asked))
    for stale in sorted(known - {change.fingerprint for change in changes}) if asked.pattern == "*" else ():
        print(f"opspec: {printable(asked.accept)}: {stale} accepts nothing that differs", file=sys.stderr)
    breaking = [change for change in changes if change.level == BREAKING and change.fingerprint not in known]
    _print(asked, [change for change in changes if change.level in _levels(asked)], known, lang)
    return 1 if breaking else 0


def _parser() -> argparse.ArgumentParser:
    target = options.parser(
        "diff",
        "Compare two releases, two specs, or an operator in two releases: what is new, gone or different, and which of "
        "it breaks programs, which is that a call that was legal is illegal now or does not compile.",
        "With --output accept it prints the line for each breaking change that accepts it; a file of such lines, or of "
        "those of them that were looked at, is what --accept takes.",
    )
    target.add_argument("before", metavar="A", help="a release, RELEASE/OPERATOR, or a spec file")
    target.add_argument("after", metavar="B", help="the same: what came of it")
    target.add_argument("pattern", nargs="?", default="*", help="operators, with * and ? (default: all)")
    target.add_argument("--level", choices=tuple(LEVELS), help="only changes of this level are shown")
    target.add_argument(
        "--calls", action="store_true", help="look for a call that shows each breaking change (slow for many operators)"
    )
    target.add_argument("--accept", metavar="FILE", help="fingerprints of changes that break programs, and may")
    target.add_argument("--output", choices=("text", "md", "json", "accept"), default="text")
    options.add_lang(target)
    options.add_specs(target)
    return target


def _levels(asked: argparse.Namespace) -> tuple[str, ...]:
    return tuple(LEVELS) if asked.level is None else (asked.level,)


def _changes(asked: argparse.Namespace) -> Iterator[Change]:
    known = registry(asked.specs)
    before, after = side(known, asked.before), side(known, asked.after)
    compared_ = names(before, after, asked.pattern)
    with options.progress(len(compared_)) as advance:
        for old, new in compared_:
            advance(new or old or "")
            if old is None and new is not None:
                yield Change(new, "operator-added")
            elif old is not None and new is None:
                yield Change(old, "operator-removed")
            elif old is not None and new is not None:
                yield from _between(before.read(old), after.read(new), asked.calls)


def _between(before: Definition, after: Definition, calls: bool) -> list[Change]:
    changes = compared(before, after)
    return with_calls(before, after, changes) if calls else changes


def _print(asked: argparse.Namespace, changes: list[Change], known: frozenset[str], lang: Lang) -> None:
    match asked.output:
        case "json":
            options.print_json(report.as_json(changes, known, lang, (asked.before, asked.after)))
        case "md":
            print("\n".join(report.as_markdown(changes, known, lang, (asked.before, asked.after))))
        case "accept":
            for change in changes:
                if change.level == BREAKING:
                    print(printable(accepted.line(change)))
        case _:
            print("\n".join(report.text(changes, known, lang)))
