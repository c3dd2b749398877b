"""``opspec coverage``: how much of the pages is executable, per operator, per family and in all."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from rich.table import Table

from opspec.cli import options
from opspec.cli.tables import console
from opspec.errors import OpspecError, shown
from opspec.model.load import load_file
from opspec.registry.names import matches
from opspec.registry.registry import Registry, registry
from opspec.workshop.coverage import Count, count, total

_HEAD = ("operators", "clauses", "facts", "formalised", "not checkable", "not yet", "of checkable", "of statements")


def run(words: list[str]) -> int:
    """The command: 0, 1 for thin specs that wait for rules, 2 for bad input."""
    asked = _parser().parse_args(words)
    known = registry(asked.specs)
    release = asked.release or known.releases()[-1]
    known.check_release(release)
    if asked.thin:
        return _print_thin(known, release, asked.pattern, asked.thin)
    groups = _groups(known, release, asked.pattern, asked.by)
    if asked.output == "json":
        rows = {name: item.to_dict() for name, item in groups.items()}
        options.print_json({"release": release, "all": total(groups.values()).to_dict(), asked.by: rows})
    elif asked.output == "md":
        print("\n".join(_markdown(groups)))
    else:
        _print(groups, release)
    return 0


def _parser() -> argparse.ArgumentParser:
    target = options.parser(
        "coverage",
        "Count the clauses of pages: facts in cells, statements that rules formalise, not checkable, not yet.",
    )
    target.add_argument("pattern", nargs="?", default="*", help="operators by name, with * and ? (default: all)")
    target.add_argument("--release", help="default: the newest")
    target.add_argument("--by", choices=("family", "operator"), default="family")
    target.add_argument(
        "--thin",
        type=int,
        metavar="N",
        help="list the operators with fewer than N rules beside the facts of their params, and why",
    )
    target.add_argument("--output", choices=("text", "json", "md"), default="text")
    options.add_specs(target)
    return target


def _groups(known: Registry, release: str, pattern: str, by: str) -> dict[str, Count]:
    entries = known.entries(release)
    files = {entry.path: entry for _, entry in sorted(entries.items())}
    wanted = {entry.path for name, entry in entries.items() if matches(name, pattern)}
    if not wanted:
        meant = known.catalogue.meant(pattern, release)
        raise OpspecError(f"no operator is named {shown(pattern)} in release {release}{meant}")
    groups: dict[str, Count] = {}
    with options.progress(len(wanted)) as advance:
        for path, entry in files.items():
            if path in wanted:
                advance(entry.operator)
                name = entry.family if by == "family" else entry.operator
                groups.setdefault(name, Count()).add(count(load_file(path)))
    return dict(sorted(groups.items()))


def _print_thin(known: Registry, release: str, pattern: str, least: int) -> int:
    """Operators about which the registry may know too little to warn anybody: 0 none of them waits for rules."""
    counts = _groups(known, release, pattern, "operator")
    thin = {name: item for name, item in counts.items() if item.own_rules < least}
    table = Table("operator", "own rules", "facts", "not yet", "why", box=None, pad_edge=False)
    for name, item in sorted(thin.items(), key=lambda pair: (-pair[1].not_yet, pair[0])):
        why = f"{item.not_yet} statements wait" if item.not_yet else "the page states no more"
        table.add_row(name, str(item.own_rules), str(item.cells), str(item.not_yet), why)
    console().print(table)
    waiting = sum(item.not_yet > 0 for item in thin.values())
    print(f"\n{len(thin)} specs have fewer than {least} rules beside the facts of their params; {waiting} of them wait")
    return 1 if waiting else 0


def _cells(item: Count) -> list[str]:
    numbers = (item.operators, item.clauses, item.cells, item.rules, item.not_checkable.total(), item.not_yet)
    return [*map(str, numbers), f"{item.formalised:.1%}", f"{item.statements_formalised:.1%}"]


def _print(groups: Mapping[str, Count], release: str) -> None:
    table = Table("", *_HEAD, box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for name, item in groups.items():
        table.add_row(name, *_cells(item))
    whole = total(groups.values())
    table.add_row("all", *_cells(whole), style="bold")
    console().print(table)
    kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(whole.not_checkable.items()))
    print(f"\nrelease {release}: {whole.own_rules} rules beside the facts, {whole.observed} observed, ", end="")
    print(f"{whole.not_enforced} documented ones that the runtime lets pass; not checkable: {kinds or 'none'}")
    print(
        f"{whole.summaries} summaries, {whole.formulas} operators with formulas, {whole.examples} with examples, "
        f"{whole.partial} partial"
    )


def _markdown(groups: Mapping[str, Count]) -> list[str]:
    head = ["family or operator", *_HEAD]
    rows = [[name, *_cells(item)] for name, item in groups.items()]
    rows.append(["**all**", *_cells(total(groups.values()))])
    return [
        f"| {' | '.join(head)} |",
        f"| --- |{' ---: |' * len(_HEAD)}",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]
