"""``opspec run``: run a host program under the simulator or the layer, and say what its calls came to."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict

from opspec.build.program import environment, execute
from opspec.build.tally import SEVERITIES, Counted, Tally, tally
from opspec.cli import options, progress
from opspec.errors import OpspecError, printable
from opspec.vocabulary import findings
from opspec.vocabulary.enforcement import ALL, told
from opspec.vocabulary.literals import Lang

_PRODUCT = "910b"  # what a simulator plays that is made for a program, unless told


def run(words: list[str]) -> int:
    """The command: the program's own status; 1 findings though it is 0; 2 not started; 128+n ended by a signal."""
    asked = _parser().parse_args(words)
    command = asked.program[1:] if asked.program[:1] == ["--"] else asked.program
    if not command:
        raise OpspecError("name a program to run; see opspec run --help")
    sdk = asked.sdk or _made_for(command[0], asked)
    as_json = asked.output == "json"
    with tempfile.TemporaryDirectory(prefix="opspec-run-") as folder:
        events = os.path.join(folder, "events.jsonl")
        known = environment(sdk=sdk, layer=asked.layer, events=events, severity=asked.severity, record=asked.record)
        sys.stdout.flush()
        progress.stop()  # the terminal is the program's now
        code = execute(command, known, stdout=sys.stderr.fileno() if as_json else None)
        found = _read(events)
    lang = options.language(asked.lang)
    shown = _shown(found, asked.severity or os.environ.get("OPSPEC_SEVERITY", ""))
    status = 128 - code if code < 0 else code or int(found.count("error") > 0)
    if as_json:
        options.print_json(_as_json(command, code, status, found, shown, lang))
    else:
        _print(command, (code, status), found, shown, lang)
    return status


def _parser() -> argparse.ArgumentParser:
    target = options.parser(
        "run",
        "Run a host program under the simulator SDK or the layer, and print what its calls came to.",
        "Where the loader finds no libraries of CANN for the program, or with --product, a simulator of the operators "
        "that the program names is built first, and kept; otherwise, without --sdk and --layer, the program finds its "
        "libraries as it would without opspec. Its input and output are this command's; the report follows on standard "
        "error. With --output json the report is all that standard output holds: what the program writes there goes to "
        "standard error.",
    )
    target.add_argument("--sdk", metavar="DIR", help="an SDK that 'opspec sdk build' made")
    target.add_argument("--product", help="the product that a simulator made for the program plays (default: 910b)")
    options.add_release(target, "and the release of CANN (default: the newest)")
    options.add_specs(target)
    target.add_argument("--layer", metavar="DIR", help="the folder of the layer, which goes in front of the libraries")
    target.add_argument("--output", choices=("text", "json"), default="text")
    options.add_lang(target)
    target.add_argument(
        "--severity", choices=(*SEVERITIES, "off"), help="tell findings of this severity and above (default: error)"
    )
    target.add_argument("--record", metavar="FILE", help="append all calls to a file that 'opspec check' reads")
    target.add_argument("program", metavar="PROGRAM", nargs=argparse.REMAINDER, help="the program and its arguments")
    return target


def _made_for(program: str, asked: argparse.Namespace) -> str | None:
    """A simulator for a program that has no libraries, or is to have another product's; None where it needs none.

    Raises:
        OpspecError: the program names no operator of the release, or the simulator cannot be built.
    """
    from opspec.build.used import Program

    found = Program(program)
    if asked.product is None and (asked.layer is not None or not found.lacks_libraries):
        return None
    from opspec.build.compiler import find_compiler
    from opspec.build.layout import Target
    from opspec.build.used import named, sdk_of
    from opspec.cli.building import processors
    from opspec.registry.registry import registry
    from opspec.vocabulary import products

    known = registry(asked.specs)
    release = asked.release or known.releases()[-1]
    product = asked.product or _PRODUCT
    specs = named(found.files(), known.entries(release))
    if not specs:
        raise OpspecError(
            f"it names no operator of {release}, so that no simulator can be made for it: name an SDK with --sdk",
            where=program,
        )
    target = Target(release, *products.resolve(product))
    operators = options.number(len(specs), "operator")
    print(f"opspec: simulator of CANN {release} for {product}, {operators}", file=sys.stderr, flush=True)
    return sdk_of(specs, target, lambda: find_compiler(None), processors(), options.progress)


def _read(events: str) -> Tally:
    try:
        with open(events, "rb") as file:
            return tally(file)
    except FileNotFoundError:
        return Tally()
    except OSError as error:
        raise OpspecError(f"cannot read the events: {error.strerror}", where=events) from None


def _shown(found: Tally, severity: str) -> list[Counted]:
    """The findings to tell: errors first, those of one severity in the order in which they came."""
    level = SEVERITIES.index(severity) if severity in SEVERITIES else -1 if severity == "off" else 0
    kept = [item for item in found.findings.values() if SEVERITIES.index(item.severity) <= level]
    return sorted(kept, key=lambda item: SEVERITIES.index(item.severity))


def _notes(command: list[str], code: int, found: Tally) -> Iterator[str]:
    """What there is to say beside the tables."""
    if code < 0:
        after = f", after a call of {found.last_call}" if found.last_call else ""
        yield f"{command[0]} was ended by signal {-code} ({_signal_name(-code)}){after}"
    if found.silent:
        yield (
            "no events: the program was not linked against the SDK's libraries or started behind the layer (see ldd), "
            "or it ended before aclInit"
        )
    elif not found.operators:
        yield "the program called no operator"
    if found.started > found.ended:
        early = f"{found.started - found.ended} of {options.number(found.started, 'process', 'es')}"
        yield f"{early} ended early: what it left behind is not known"
    if found.cut:
        yield "the last event is cut"
    if found.broken:
        yield f"events that are broken and were passed over: {found.broken}"
    if found.untold:
        yield f"events of further kinds, which are not listed: {found.untold}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "of no name"


def _as_json(
    command: list[str], code: int, status: int, found: Tally, shown: list[Counted], lang: Lang,
) -> dict[str, object]:  # fmt: skip
    return {
        "program": command,
        "status": status,
        "exit": code if code >= 0 else None,
        "signal": _signal_name(-code) if code < 0 else None,
        "releases": list(found.releases),
        "products": list(found.products),
        "calls": sum(item.calls for item in found.operators.values()),
        "refused": sum(item.refused for item in found.operators.values()),
        "silent": sum(item.silent for item in found.operators.values()),
        "unknown": sum(item.unknown for item in found.operators.values()),
        **{f"{severity}s": found.count(severity) for severity in SEVERITIES},
        "operators": [asdict(item) for item in found.operators.values()],
        "findings": [
            {**asdict(item), "messages": list(item.messages), "meaning": _meaning(item, lang)} for item in shown
        ],
        "processes": found.started,
        "notes": list(_notes(command, code, found)),
    }


def _print(command: list[str], ended: tuple[int, int], found: Tally, shown: list[Counted], lang: Lang) -> None:
    """The report; ended: the program's own status, and this command's."""
    from rich.table import Column, Table
    from rich.text import Text

    from opspec.cli import tables

    console = tables.console(stderr=True)
    bounded = console.width < tables.ENDLESS
    several = len(found.sources) > 1
    if found.operators:
        table = Table("operator", box=None, pad_edge=False)
        more = ("not as predicted",) if any(item.differing for item in found.operators.values()) else ()
        for name in ("calls", "refused", "illegal, not refused", "not fully decided", *more):
            table.add_column(name, justify="right")
        for item in found.operators.values():
            numbers = [item.calls, item.refused, item.silent, item.undecided, *([item.differing] if more else [])]
            name = _told_by(item.op, item.source, several)
            table.add_row(Text(_printable(name)), *map(str, numbers))
        console.print()
        console.print(table)
    if shown:
        wide = Column("found", ratio=1 if bounded else None, overflow="fold")
        table = Table("", Column("times", justify="right"), Column("where", overflow="fold"), wide, box=None,
                      pad_edge=False, expand=bounded)  # fmt: skip
        for finding in shown:
            where = _told_by("/".join(filter(None, (finding.op, finding.kind))), finding.source, several)
            text = "\n".join(finding.messages) + ("\n…" if sum(finding.messages.values()) < finding.times else "")
            text += f"\n({way})" if (way := _way(finding, lang)) else ""
            table.add_row(finding.severity, str(finding.times), Text(_printable(where)), Text(_printable(text)))
        console.print()
        console.print(table)
        for name, meaning in _meanings(shown, lang).items():
            console.print(Text(f"{name}: {meaning}", style="dim"), soft_wrap=True)
    console.print()
    for note in (*_notes(command, ended[0], found), _summary(found, *ended)):
        console.print(Text(f"opspec: {_printable(note)}"), soft_wrap=True)


def _meaning(finding: Counted, lang: Lang) -> str | None:
    """What a kind of finding means; None of a rule, whose message says it, and of what is no kind."""
    kind = None if finding.op else findings.kinds().get(finding.kind)
    return None if kind is None else kind.meaning(lang)


def _way(finding: Counted, lang: Lang) -> str:
    """What is told beside an error, or nothing: a warning's message stands for itself."""
    found = next((name for name in ALL if name == finding.enforcement), None)
    return told(found, finding.assumed, lang) if finding.severity == "error" else ""


def _meanings(shown: list[Counted], lang: Lang) -> dict[str, str]:
    found = ((finding.kind, _meaning(finding, lang)) for finding in shown)
    return {name: meaning for name, meaning in found if meaning is not None}


def _told_by(name: str, source: str, several: bool) -> str:
    return f"{name} ({source})" if several else name


def _summary(found: Tally, code: int, status: int) -> str:
    calls = sum(item.calls for item in found.operators.values())
    refused = sum(item.refused for item in found.operators.values())
    silent = sum(item.silent for item in found.operators.values())
    unknown = sum(item.unknown for item in found.operators.values())
    machine = " ".join([*found.releases, *found.products])
    operators = options.number(len({item.op for item in found.operators.values()}), "operator")
    text = f"{options.number(calls, 'call')} of {operators}{f' on {machine}' if machine else ''}"
    text += f", {refused} refused" + (f", {silent} illegal but not refused" if silent else "")
    text += f" (of {unknown} not known whether a device refuses them)" if unknown else ""
    text += f"; {options.number(found.count('error'), 'error')}, {options.number(found.count('warning'), 'warning')}"
    return text + (f"; the program ended with {code}" if 0 <= code != status else "") + f"; exit status {status}"


def _printable(text: str) -> str:
    """The text without what would move a terminal's cursor, but for ends of lines."""
    return "\n".join(map(printable, text.split("\n")))
