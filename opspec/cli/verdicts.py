"""How ``opspec check`` shows verdicts: as text, as JSON, or counted. Forms for CI have modules of their own.

A form of output turns each verdict into a row. Rows may be made in several processes; what stands around and between
them is added where they come together.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence

from opspec.errors import printable
from opspec.jsontext import written
from opspec.validator.files import NOWHERE
from opspec.validator.text import WORDS, Lines, plain
from opspec.vocabulary.enforcement import UNCHECKED, of_success, told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from opspec.assist.repair.api import Fix
    from opspec.errors import OpspecError
    from opspec.registry.registry import Case, Registry
    from opspec.validator.files import Place
    from opspec.validator.verdict import Finding, Told, Verdict
    from opspec.vocabulary.literals import Lang

    K = TypeVar("K")

_MOST_KEPT = 4096  # texts of legal calls, and of what stands around findings


class Rows:
    """One form of output.

    Attributes:
        opening, between, closing: what stands before the first row, between rows, and after the last one.
        empty: what stands for no row at all.
        pages: where the pages of ``opspec docs`` are served, for links.
        tells_fixes: whether the form says what would make a call legal.
    """

    tells_fixes = False

    opening = between = closing = empty = pages = ""

    def __init__(self, lang: Lang, colours: bool) -> None:
        self.lang = lang
        self.colours = colours

    def row(self, verdict: Verdict, place: Place = NOWHERE, fails: bool = False) -> str:
        """A verdict's row; empty when the form has none.

        Args:
            place: of the call.
            fails: the verdict counts for exit status 1.
        """
        raise NotImplementedError

    def fixed(self, row: str, fixes: Sequence[Fix]) -> str:
        """A row with what would make its call legal."""
        return row

    def broken(self, error: OpspecError, place: Place) -> str:
        """The row of what could not be judged; empty in forms that leave it to standard error."""
        return ""

    def taken(self) -> Tally | None:
        """What was counted since this was last asked, where the form counts."""
        return None

    def put(self, text: str) -> None:
        """Show rows, and what stands around them."""
        sys.stdout.write(text)

    def end(self, total: Tally, shown: bool, known: Registry) -> str:
        """What stands behind all rows.

        Args:
            total: all that was counted.
            shown: whether there was a row.
            known: where the operators are from.
        """
        return self.closing if shown else self.empty


# --- text

_CODES = {"red": "31", "green": "32", "yellow": "33", "bold": "1", "dim": "2"}


class TextRows(Rows):
    """Lines for people: one for a legal call."""

    tells_fixes = True

    def __init__(self, lang: Lang, colours: bool) -> None:
        super().__init__(lang, colours)
        self._lines = Lines(lang, painted if colours else plain)
        self._legal: dict[tuple[Case, Told], tuple[str, str]] = {}

    def row(self, verdict: Verdict, place: Place = NOWHERE, fails: bool = False) -> str:
        """A line that says which call and whether it is legal, and two for each finding."""
        lines = self._lines
        if not verdict.legal:
            return lines.whole(verdict) + "\n"
        around = self._legal.get(verdict.kind)
        if around is None:
            if len(self._legal) == _MOST_KEPT:
                self._legal.clear()
            around = self._legal[verdict.kind] = (lines.head(verdict), lines.rest(verdict) + "\n")
        return around[0] + lines.name(verdict) + around[1]

    def fixed(self, row: str, fixes: Sequence[Fix]) -> str:
        """A line for each."""
        return row + fix_lines(fixes, self.lang, self._lines.paint)


_OR = {"en": "or ", "zh": "或者"}  # ahead of each fix but the first


def fix_lines(fixes: Sequence[Fix], lang: Lang, paint: Callable[[str, str], str]) -> str:
    """A line for each change, or changes together, that makes a call legal; each is one by itself."""
    said = (_OR[lang] * (number > 0) + printable(fix.message) for number, fix in enumerate(fixes))
    return "".join(f"  {paint('green', 'fix:')}   {line}\n" for line in said)


def painted(colour: str, text: str) -> str:
    """Text in a colour, for a terminal."""
    return f"\x1b[{_CODES[colour]}m{text}\x1b[0m"


# --- JSON


class LineRows(Rows):
    """JSONL."""

    tells_fixes = True

    def __init__(self, lang: Lang, colours: bool) -> None:
        super().__init__(lang, colours)
        self._legal: dict[tuple[Case, Told], str] = {}
        self._heads: dict[tuple[Case, int], str] = {}
        self._of_rules: dict[object, str] = {}

    def row(self, verdict: Verdict, place: Place = NOWHERE, fails: bool = False) -> str:
        """A line of one object."""
        return self._object(verdict, "\n")

    def fixed(self, row: str, fixes: Sequence[Fix]) -> str:
        """One more key of the object."""
        said = written([fix.to_dict() for fix in fixes])
        before, _, after = row.rpartition("}")
        return f'{before}, "fixes": {said}}}{after}'

    def _object(self, verdict: Verdict, end: str = "") -> str:
        """The verdict as JSON; of legal calls of an operator mostly only the id differs."""
        if not verdict.legal:
            return self._illegal(verdict, end)
        rest = self._legal.get(verdict.kind) or _kept(self._legal, verdict.kind, lambda: self._without_id(verdict))
        return f'{{"id": {written(verdict.id)}, {rest}{end}'

    def _without_id(self, verdict: Verdict) -> str:
        """The text of a verdict's object behind its id, which is the first key."""
        values = verdict.to_dict()
        del values["id"]
        return written(values)[1:]

    def _illegal(self, verdict: Verdict, end: str) -> str:
        """The same of an illegal call, put together of parts: its findings are mostly those of other calls, too."""
        case, told = verdict.kind
        head = _kept(self._heads, (case, told.code), lambda: self._head(verdict))
        return (
            f'{{"id": {written(verdict.id)}, {head}, "violations": [{self._list(told.violations)}], '
            f'"warnings": [{self._list(told.warnings)}], "undecided": [{self._list(told.undecided)}]}}{end}'
        )

    def _list(self, findings: Sequence[Finding]) -> str:
        return ", ".join([one.words.text or self._finding(one) for one in findings]) if findings else ""

    def _head(self, verdict: Verdict) -> str:
        """What stands between the id and the lists of findings."""
        values = verdict.to_dict()
        return written({key: value for key, value in values.items() if key != "id" and not isinstance(value, list)})[
            1:-1
        ]

    def _finding(self, finding: Finding) -> str:
        """A finding in words that are new: of its object they alone are written."""
        remark, words = finding.kind
        rest = _kept(self._of_rules, remark, lambda: written(finding.of_rule())[1:])
        head = f'{{"rule": {written(finding.rule)}, "param": {written(finding.param)}'
        words.text = f"{head}, {words.json}, {rest}"
        return words.text


def _kept(texts: dict[K, str], key: K, make: Callable[[], str]) -> str:
    """The text of this key, made once for many calls."""
    known = texts.get(key)
    if known is None:
        if len(texts) == _MOST_KEPT:
            texts.clear()
        known = texts[key] = make()
    return known


class ArrayRows(LineRows):
    """One JSON array."""

    opening, between, closing, empty = "[\n", ",\n", "\n]\n", "[]\n"

    def row(self, verdict: Verdict, place: Place = NOWHERE, fails: bool = False) -> str:
        """An element."""
        return self._object(verdict)


# --- counts


class Tally:
    """How many calls there were of which kind.

    Attributes:
        verdicts, legal: calls judged, and those that are legal.
        silent: illegal ones that the runtime accepts, as calls show.
        unknown: illegal ones with status 0 of which that is not known, or only assumed.
        statuses: (code, name) of the status predicted for illegal calls -> how many.
        rules: (operator, release, rule) -> how many violations.
        unsupported: those that are illegal on a product which the page says is not supported.
        no_product: those without a product, of which the rules that hang on it were not checked.
        broken: what could not be judged.
        failed: those that count for exit status 1, where the form asks.
    """

    __slots__ = (
        "broken", "failed", "legal", "no_product", "rules", "silent", "statuses", "unknown", "unsupported", "verdicts",
    )  # fmt: skip

    def __init__(self) -> None:
        self.verdicts = self.legal = self.silent = self.unknown = 0
        self.unsupported = self.no_product = self.broken = self.failed = 0
        self.statuses: Counter[tuple[int, str]] = Counter()
        self.rules: Counter[tuple[str, str, str]] = Counter()

    def add(self, verdict: Verdict) -> None:
        """Count a verdict."""
        self.verdicts += 1
        self.no_product += verdict.product is None
        if verdict.legal:
            self.legal += 1
            return
        if verdict.code == 0:
            known = of_success((finding.enforcement, finding.assumed) for finding in verdict.violations)
            self.silent += known == (UNCHECKED, False)
            self.unknown += known != (UNCHECKED, False)
        self.unsupported += verdict.support == "no"
        self.statuses[verdict.code, verdict.status] += 1
        for finding in verdict.violations:
            self.rules[verdict.op, verdict.release, finding.rule] += 1

    def merge(self, other: Tally) -> None:
        """Count what another one counted."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def sorted_rules(self) -> list[tuple[tuple[str, str, str], int]]:
        """The rules violated most often first."""
        return sorted(self.rules.items(), key=lambda item: (-item[1], item[0]))


class Counts(Rows):
    """Nothing but counts, for large files."""

    def __init__(self, lang: Lang, colours: bool) -> None:
        super().__init__(lang, colours)
        self.tally = Tally()

    def row(self, verdict: Verdict, place: Place = NOWHERE, fails: bool = False) -> str:
        """Counted, not shown."""
        self.tally.add(verdict)
        return ""

    def taken(self) -> Tally:
        """What was counted since this was last asked."""
        tally, self.tally = self.tally, Tally()
        return tally

    def end(self, total: Tally, shown: bool, known: Registry) -> str:
        """The counts as columns."""
        words = _COUNTED[self.lang]
        rows = [(words["calls"], total.verdicts), (words["legal"], total.legal)]
        rows.append((words["illegal"], total.verdicts - total.legal))
        for (code, name), number in sorted(total.statuses.items()):
            rows.append((f"  {code} {name}", number))
            parts = (("silent", total.silent), ("unknown", total.unknown)) if code == 0 else ()
            rows += [(f"    {words[key]}", n) for key, n in parts if n]
        rows += [(f"  {words[key]}", n) for key, n in (("unsupported", total.unsupported),) if n]
        rows += [(words[key], n) for key, n in (("no_product", total.no_product),) if n]
        rows.append((words["broken"], total.broken))
        found = [(f"  {release}/{op}/{rule}", number) for (op, release, rule), number in total.sorted_rules()]
        if found:
            rows += [(words["rules"], sum(number for _, number in found)), *found]
        room, digits = max(len(label) for label, _ in rows), max(len(str(number)) for _, number in rows)
        return "".join(f"{label:<{room}}  {number:>{digits}}\n" for label, number in rows)


_COUNTED = {
    "en": {"calls": "calls judged", "legal": "legal", "illegal": "illegal", "silent": told(UNCHECKED, False, "en"),
           "unknown": "not known, or only assumed, to come through the whole first phase",
           "unsupported": WORDS["en"]["unsupported"], "no_product": "without a product: its rules not checked",
           "broken": "not judged", "rules": "violations"},
    "zh": {"calls": "已检查的调用", "legal": "合法", "illegal": "非法", "silent": told(UNCHECKED, False, "zh"),
           "unknown": "是否能通过整个一阶段未知，或仅为推定",
           "unsupported": WORDS["zh"]["unsupported"], "no_product": "没有给出产品，与产品有关的规则未检查",
           "broken": "无法检查", "rules": "违反的规则"},
}  # fmt: skip


class JsonCounts(Counts):
    """The counts as one JSON object."""

    def end(self, total: Tally, shown: bool, known: Registry) -> str:
        """The counts as one object."""
        statuses = [{"code": code, "status": name, "calls": n} for (code, name), n in sorted(total.statuses.items())]
        rules = [{"op": op, "release": release, "rule": rule, "violations": number}
                 for (op, release, rule), number in total.sorted_rules()]  # fmt: skip
        values = {
            "calls": total.verdicts,
            "legal": total.legal,
            "silent": total.silent,
            "unknown": total.unknown,
            "illegal": statuses,
            "unsupported": total.unsupported,
            "without_product": total.no_product,
            "not_judged": total.broken,
            "rules": rules,
        }
        return written(values) + "\n"
