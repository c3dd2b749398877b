"""``opspec diff``: what differs between two releases, or two specs, and what of it breaks programs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from opspec.cli import options
from opspec.diff import accepted, report
from opspec.diff.change import BREAKING, LEVELS, Change
from opspec.diff.note import Note
from opspec.diff.release import Differences, differences
from opspec.errors import OpspecError, printable
from opspec.vocabulary.literals import Lang

FEW = 20  # operators of which every change is listed if no level is asked for; of more, those that break programs


def run(words: list[str]) -> int:
    """The command: 0 nothing breaks that is not accepted, 1 something does."""
    asked = _parser().parse_args(words)
    lang = options.language(asked.lang)
    if asked.calls is not None:
        from opspec.cli.diff_calls import told

        _refuse_beside_calls(asked)
        return told(asked.before, asked.after, asked.calls, asked.output, lang, asked.specs)
    known = frozenset() if asked.accept is None else accepted.read(asked.accept)
    with options.progress(None) as advance:
        found = differences(asked.specs, (asked.before, asked.after), asked.pattern, asked.examples, advance)
    prints = {change.fingerprint for change in found.changes}
    for stale in sorted(known - prints) if asked.pattern == "*" else ():
        print(f"opspec: {printable(asked.accept)}: {stale} accepts nothing that differs", file=sys.stderr)
    _print(asked, found, known, lang)
    return 1 if any(one.level == BREAKING and one.fingerprint not in known for one in found.changes) else 0


def _parser() -> argparse.ArgumentParser:
    target = options.parser(
        "diff",
        "Compare two releases, two specs, or an operator in two releases: what is new, gone or different, and which of "
        "it breaks programs, which is that a call that was legal or came through is illegal or refused now, or does "
        "not compile. Or, with --calls, say which of your calls change.",
        f"Of more than {FEW} operators a summary and what breaks is listed, unless --level asks for more. --output md "
        "writes a release note. With --output accept it prints the line for each breaking change that accepts it; a "
        "file of such lines, or of those of them that were looked at, is what --accept takes. A call of --calls that "
        "changes for the worse is such a change, and a row of it that is no call is bad input.",
    )
    target.add_argument("before", metavar="A", help="a release, RELEASE/OPERATOR, or a spec file")
    target.add_argument("after", metavar="B", help="the same: what came of it")
    target.add_argument("pattern", nargs="?", default="*", help="operators, with * and ? (default: all)")
    target.add_argument("--level", choices=(*LEVELS, "all"), help="only changes of this level are listed, or all")
    target.add_argument(
        "--calls",
        metavar="FILE",
        help="judge the calls of a file, as opspec check reads it, by both releases; - reads standard input",
    )
    target.add_argument(
        "--examples",
        action="store_true",
        help="look for a call that shows each breaking change (slow for many operators)",
    )
    target.add_argument("--accept", metavar="FILE", help="fingerprints of changes that break programs, and may")
    target.add_argument("--output", choices=("text", "md", "json", "accept"), default="text")
    options.add_lang(target)
    options.add_specs(target)
    return target


def _refuse_beside_calls(asked: argparse.Namespace) -> None:
    given = {
        "--level": asked.level, "--examples": asked.examples, "--accept": asked.accept,
        "a pattern": asked.pattern != "*", "--output accept": asked.output == "accept",
    }  # fmt: skip
    wrong = next((name for name, value in given.items() if value), None)
    if wrong is not None:
        raise OpspecError(f"--calls judges calls: {wrong} does not go with it")


def _shown(asked: argparse.Namespace, found: Differences) -> Sequence[Change]:
    """The changes that are listed."""
    level = asked.level or ("all" if asked.output != "text" or found.both <= FEW else BREAKING)
    return found.changes if level == "all" else [change for change in found.changes if change.level == level]


def _print(asked: argparse.Namespace, found: Differences, known: frozenset[str], lang: Lang) -> None:
    shown = _shown(asked, found)
    match asked.output:
        case "json":
            options.print_json(report.as_json(found, shown, known, lang))
        case "md":
            print("\n".join(Note(found, shown, known, lang).lines()))
        case "accept":
            for change in shown:
                if change.level == BREAKING:
                    print(printable(accepted.line(change)))
        case _:
            print("\n".join(report.text(found, shown, known, lang)))
