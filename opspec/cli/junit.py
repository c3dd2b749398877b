"""JUnit XML of ``opspec check``: a test case for each call, as CI servers show test results."""

from __future__ import annotations

import sys
from tempfile import SpooledTemporaryFile
from xml.sax.saxutils import escape, quoteattr

from opspec.cli.verdicts import Rows, Tally
from opspec.errors import OpspecError, printable
from opspec.registry.registry import Registry
from opspec.validator.files import Place
from opspec.validator.text import Lines
from opspec.validator.verdict import Verdict
from opspec.vocabulary.literals import Lang

IN_MEMORY = 8 << 20  #: of test cases that are kept there until their number is known


class JUnitRows(Rows):
    """A test case for each verdict: failed where the call counts for exit status 1, an error where there is none."""

    def __init__(self, lang: Lang, colours: bool) -> None:
        super().__init__(lang, colours)
        self._lines = Lines(lang)
        self._tally = Tally()
        self._kept: SpooledTemporaryFile[str] | None = None

    def row(self, verdict: Verdict, place: Place = ("", 1), fails: bool = False) -> str:
        """A test case; what is said of a call that does not fail stands in its output."""
        self._tally.verdicts += 1
        self._tally.failed += fails
        name = " ".join(printable(str(part)) for part in (verdict.id, verdict.product) if part)
        case = _case(f"{verdict.release}.{verdict.op}", name, place)
        text = escape(self._lines.whole(verdict))
        if fails:
            message = printable(verdict.violations[0].message)
            failure = f"<failure message={quoteattr(message)} type={quoteattr(verdict.status)}>"
            return f"{case}>{failure}{text}</failure></testcase>\n"
        if not verdict.legal or verdict.warnings:
            return f"{case}><system-out>{text}</system-out></testcase>\n"
        return f"{case}/>\n"

    def broken(self, error: OpspecError, place: Place) -> str:
        """A test case with an error."""
        text = printable(str(error))
        return f'{_case("opspec", "", place)}><error message={quoteattr(text)} type="bad input"/></testcase>\n'

    def taken(self) -> Tally:
        """How many there were since this was last asked."""
        taken, self._tally = self._tally, Tally()
        return taken

    def put(self, text: str) -> None:
        """Kept: how many test cases there are stands in front of the first one."""
        if self._kept is None:
            self._kept = SpooledTemporaryFile(IN_MEMORY, "w+", encoding="utf-8", newline="")  # noqa: SIM115 (in `end`)
        self._kept.write(text)

    def end(self, total: Tally, shown: bool, known: Registry) -> str:
        """The whole document goes to standard output."""
        counts = f'tests="{total.verdicts + total.broken}" failures="{total.failed}" errors="{total.broken}"'
        sys.stdout.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites {counts}>\n')
        sys.stdout.write(f'<testsuite name="opspec check" {counts} skipped="0">\n')
        if self._kept is not None:
            self._kept.seek(0)
            for line in self._kept:
                sys.stdout.write(line)
            self._kept.close()
        sys.stdout.write("</testsuite>\n</testsuites>\n")
        return ""


def _case(group: str, name: str, place: Place) -> str:
    """A test case's opening, without its end. Its name tells it from all others of the file."""
    file, line = printable(place[0]), place[1]
    full = f"{file}:{line} {name}".rstrip()
    return f'<testcase classname={quoteattr(group)} name={quoteattr(full)} file={quoteattr(file)} line="{line}"'
