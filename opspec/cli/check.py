"""``opspec check``: judge calls."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence

from opspec.cli import options, progress
from opspec.cli.ending import BAD_INPUT, FINDING, OK, tell
from opspec.cli.verdicts import ArrayRows, Counts, JsonCounts, LineRows, Tally, TextRows
from opspec.errors import OpspecError
from opspec.registry.registry import registry
from opspec.validator.batch import Judge
from opspec.validator.convert import FORMS
from opspec.validator.files import MIB, BrokenCall, Lines, read_pieces
from opspec.validator.read import call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from opspec.assist.repair.api import Fix
    from opspec.cli.parser import Parser
    from opspec.cli.programs import Programs
    from opspec.cli.verdicts import Rows
    from opspec.language.prose import Lang
    from opspec.validator.files import Piece, Place, RawCall
    from opspec.validator.read import Call
    from opspec.validator.verdict import Verdict

    #: a verdict, or why there is none; whether it counts for the exit status; the place of the call; what would make it
    #: legal, where that is asked for
    Judged: TypeAlias = tuple[Verdict | OpspecError, bool, Place, Sequence[Fix] | None]


def _sarif(lang: Lang, colours: bool) -> Rows:
    from opspec.cli.sarif import SarifRows

    return SarifRows(lang, colours)


def _junit(lang: Lang, colours: bool) -> Rows:
    from opspec.cli.junit import JUnitRows

    return JUnitRows(lang, colours)


def _github(lang: Lang, colours: bool) -> Rows:
    from opspec.cli.github import GithubRows

    return GithubRows(lang, colours)


#: Forms of output. Those for CI are imported when they are asked for.
OUTPUTS: dict[str, Callable[[Lang, bool], Rows]] = {
    "text": TextRows, "json": ArrayRows, "jsonl": LineRows, "summary": Counts, "summary-json": JsonCounts,
    "sarif": _sarif, "junit": _junit, "github": _github,
}  # fmt: skip

_A_CALL = (
    'A call is {"op": …, "product": …, "release": …, "id": …, "args": {param: value}} in JSON, JSONL (also .gz) or '
    "YAML; '-' reads standard input. Keys that begin with x- or note are the caller's own. A null pointer is written "
    "null, else "
)
_MORE = (
    "'opspec example OP' prints a call to begin with, 'opspec schema call' the JSON Schema of calls and 'opspec schema "
    "verdict' that of the JSON output; docs/calls.md tells all of both."
)

MOST_JOBS = 256
ENOUGH = 16 * MIB  #: of input for --jobs: less is judged before other processes have begun


def _jobs(text: str) -> int:
    count = int(text)
    if not 1 <= count <= MOST_JOBS:
        raise ValueError
    return count


_jobs.__name__ = f"number of processes from 1 to {MOST_JOBS}"  # argparse names a type that refuses a text

#: flag -> what argparse is told of it
OPTIONS: dict[str, dict[str, Any]] = {
    "--release": {
        "default": None,
        "help": "the CANN release to judge by (default: the call's, else the newest that has the operator)",
    },
    "--product": {
        "default": None,
        "help": "the product, in any spelling; 'all' gives a row per product (default: the call's)",
    },
    "--specs": {
        "default": [], "action": "append", "metavar": "DIR",
        "help": "a registry folder of your own, beside the built-in one",
    },
    "--lang": {"default": None, "choices": ("en", "zh"), "help": "language of the findings (default: the locale's)"},
    "--gate": {
        "default": "legal", "choices": ("legal", "status"),
        "help": "what exit status 1 stands for: a call that breaks a rule (default), or only one that the first phase "
        "is expected to refuse",
    },
    "--output": {
        "default": "text", "choices": tuple(OUTPUTS),
        "help": "form of the output (default: text); a summary counts calls, statuses and violated rules; sarif, "
        "junit and github are for CI (docs/ci.md)",
    },
    "--pages": {
        "default": "", "metavar": "URL",
        "help": "where the HTML pages of 'opspec docs' are served: rules of the sarif form link there",
    },
    "--input": {
        "default": None, "choices": ("json", "jsonl", "yaml", "parquet"),
        "help": "form of the input, where its name does not tell",
    },
    "--fix": {
        "default": False, "action": "store_true",
        "help": "with each illegal call, say which changes make it legal (text, json, jsonl); see opspec repair",
    },
    "--reproduce": {
        "default": None, "metavar": "DIR",
        "help": "write the smallest programs that make illegal calls, up to 100, into a folder; see opspec reproduce",
    },
    "--jobs": {
        "default": 1, "type": _jobs, "metavar": "N",
        "help": f"judge the lines of more than {ENOUGH // MIB} MiB of JSONL in so many processes (default: 1); less is "
        "done sooner in one; the output is the same",
    },
}  # fmt: skip


def run(words: list[str]) -> int:
    """The command."""
    asked, files = _asked(words)
    progress.not_while_typing(files)
    checker = Checker(asked)
    pieces = _pieces(files or ["-"], asked.input, checker.judge)
    size = _size(files) if asked.jobs > 1 else 0
    if size is None or size >= ENOUGH:
        from functools import partial

        from opspec.cli.jobs import in_processes

        parts = in_processes(partial(Checker, asked), checker, asked.jobs, pieces, 0 if size is not None else ENOUGH)
    else:
        parts = map(checker.part, pieces)
    return _shown(parts, checker)


def _size(files: list[str]) -> int | None:
    """How many bytes the files hold; None for what tells only when it is read."""
    if not files or any(name == "-" or name.endswith(".gz") for name in files):
        return None
    return sum(os.path.getsize(name) for name in files if os.path.isfile(name))


class Asked:
    """What the command line asks for."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.product: str | None = values["--product"]
        self.specs: list[str] = values["--specs"]
        self.lang: Lang = options.language(values["--lang"])
        self.release: str | None = values["--release"]
        if self.release is not None:
            from opspec.cli.releases import read  # imported late: most ask for none

            self.release = read(self.release, self.specs, self.lang)
        self.gate: str = values["--gate"]
        self.output: str = values["--output"]
        self.pages: str = values["--pages"]
        self.input: str | None = values["--input"]
        self.fix: bool = values["--fix"]
        self.reproduce: str | None = values["--reproduce"]
        self.jobs: int = values["--jobs"]
        self.colours = options.colours()


def _asked(words: list[str]) -> tuple[Asked, list[str]]:
    """What is asked for and the files."""
    found = options.plain(words, OPTIONS)
    if found is None:
        values = vars(parser().parse_args(words))
        found = {flag: values[flag[2:]] for flag in OPTIONS}, values["files"]
    return Asked(found[0]), found[1]


def parser() -> Parser:
    """The command's parser, for what is not spelt plainly."""
    forms = "; ".join(f"{what} is written {form}" for what, form in dict.fromkeys(FORMS.values()))
    target = options.parser(
        "check",
        "Judge calls: which status the first phase returns, and which documented clause each one breaks.",
        f"{_A_CALL}{forms}. {_MORE}",
    )
    target.add_argument("files", nargs="*", metavar="FILE", help="files of calls; standard input if none is named")
    for flag, row in OPTIONS.items():
        target.add_argument(flag, **row)
    return target


def _pieces(files: list[str], kind: str | None, judge: Judge) -> Iterator[Piece]:
    """What the files hold; an error stands where a file cannot be read or be read further."""
    for source in files:
        try:
            if kind == "parquet" or (kind is None and source.lower().endswith(".parquet")):
                from opspec.frames.files import calls  # imported late: it needs what few have installed

                yield from calls(source, judge)
            else:
                yield from read_pieces(source, sys.stdin, kind=kind)
        except OpspecError as error:
            yield BrokenCall(0, "", error, (source, 1))


class Part:
    """What became of a piece: shown text and errors in order, and what counts.

    Attributes:
        shown: pairs of text for standard output and the error that comes after it, or None.
        illegal: whether a call was not as it should be.
        unwritten: whether a program of a call could not be written.
        calls: how many there were, without those that are broken.
        tally: counts, where the output is made of them.
    """

    __slots__ = ("calls", "illegal", "shown", "tally", "unwritten")

    def __init__(self) -> None:
        self.shown: list[tuple[str, str | None]] = []
        self.illegal = False
        self.unwritten = False
        self.calls = 0
        self.tally: Tally | None = None


class Checker:
    """Judges pieces of files and makes rows of the verdicts: there is one in each process."""

    def __init__(self, asked: Asked) -> None:
        self.judge = Judge(registry(asked.specs), asked.release, asked.product, asked.lang)
        self.by_status = asked.gate == "status"
        self.rows: Rows = OUTPUTS[asked.output](asked.lang, asked.colours)
        self.rows.pages = asked.pages
        if asked.fix and not self.rows.tells_fixes:
            raise OpspecError(f"{asked.output} has no room for it; text, json and jsonl have", where="--fix")
        if asked.pages and asked.output != "sarif":
            raise OpspecError("only the sarif form links to pages", where="--pages")
        self.fix = asked.fix
        self.lang = asked.lang
        self.programs: Programs | None = None
        self.unwritten = False
        if asked.reproduce is not None:
            from opspec.cli.programs import Programs  # imported late: few ask for it

            self.programs = Programs(asked.reproduce, self.judge.known, asked.release)

    def part(self, piece: Piece) -> Part:
        """What becomes of a piece."""
        result = Part()
        rows: list[str] = []
        self.unwritten = False
        for verdict, counts, place, fixes in self._lines(piece) if isinstance(piece, Lines) else self._call(piece):
            if isinstance(verdict, OpspecError):
                row = self.rows.broken(verdict, place)
                rows += [row] if row else []
                result.shown.append((self.rows.between.join(rows), str(verdict)))
                rows.clear()
                continue
            fails = counts and not (verdict.code == 0 if self.by_status else verdict.legal)
            row = self.rows.row(verdict, place, fails)
            if row:
                rows.append(row if fixes is None else self.rows.fixed(row, fixes))
            result.calls += 1
            if fails:
                result.illegal = True
        result.shown.append((self.rows.between.join(rows), None))
        result.tally = self.rows.taken()
        result.unwritten = self.unwritten
        return result

    def _lines(self, piece: Lines) -> Iterator[Judged]:
        usual, name = self.judge.usual, piece.name
        plain = not (self.fix or self.programs)
        for number, line in piece.texts():
            verdict = usual(line) if isinstance(line, str) else None
            if verdict is not None and (plain or verdict.legal):
                yield verdict, True, (name, number), () if self.fix else None
                continue
            found = piece.call(number, line)
            if found is not None:
                yield from self._call(found)

    def _call(self, found: RawCall | BrokenCall) -> Iterator[Judged]:
        """What is said of every product asked for."""
        if isinstance(found, BrokenCall):
            yield found.error.placed(found.where), False, found.place, None
            return
        try:
            known = call(found)
        except OpspecError as error:
            yield error.placed(found.where), False, found.place, None
            return
        wanted = self.programs
        try:
            for verdict, counts in self.judge.verdicts(known):
                if wanted is not None and not verdict.legal:
                    self._write(wanted, known, verdict.product or known.product)
                    wanted = None  # of several products the first that it is illegal on
                yield verdict, counts, found.place, self._fixes(verdict, known) if self.fix else None
        except OpspecError as error:
            yield error.at(found.where), False, found.place, None

    def _write(self, programs: Programs, known: Call, product: str | None) -> None:
        """Write the programs of a call; one that has none is said, and judged none the less."""
        if programs.is_full:
            return
        try:
            programs.write(known, product)
        except OpspecError as error:
            self.unwritten = True
            tell(error.at(known.where).report())

    def _fixes(self, verdict: Verdict, known: Call) -> Sequence[Fix]:
        """What would make a call legal, where the operator is supported at all."""
        if verdict.legal or verdict.support == "no":
            return ()
        from opspec.assist.repair.api import fixes_of

        return fixes_of(self.judge.known, verdict, known.args, self.lang)


def _shown(parts: Iterable[Part], checker: Checker) -> int:
    """Write what became of the pieces; the exit status."""
    rows = checker.rows
    bad = illegal = shown = False
    judged = 0
    between = rows.opening
    total = Tally()
    progress.of(None)
    for part in parts:
        progress.advance("calls", part.calls)
        illegal = illegal or part.illegal
        bad = bad or part.unwritten
        judged += part.calls
        for text, error in part.shown:
            if text:
                rows.put(between + text)
                between = rows.between
                shown = True
            if error is not None:
                bad = True
                total.broken += 1
                sys.stdout.flush()
                print(f"opspec: {error}", file=sys.stderr)
        if part.tally is not None:
            total.merge(part.tally)
    sys.stdout.write(rows.end(total, shown, checker.judge.known))
    if not (judged or bad):
        raise OpspecError("no call there: nothing was judged")
    return BAD_INPUT if bad else FINDING if illegal else OK
