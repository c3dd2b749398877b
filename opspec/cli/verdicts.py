"""How ``opspec check`` shows verdicts: as text, as JSON, or counted.

A form of output turns each verdict into a row. Rows may be made in several processes; what stands around and between
them is added where they come together.
"""

from __future__ import annotations

from functools import lru_cache

from opspec.vocabulary.enforcement import UNCHECKED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeVar

    from opspec.registry.registry import Case
    from opspec.validator.verdict import Finding, Told, Verdict

    T = TypeVar("T")

_MOST_KEPT = 4096  # texts of legal calls; those that the detailed form judged have one each


@lru_cache(maxsize=1)
def _encoder() -> Callable[[object], str]:
    """What writes JSON, made when an output wants it: a cold check of one call mostly does not."""
    from json import JSONEncoder

    return JSONEncoder(ensure_ascii=False).encode


class Rows:
    """One form of output.

    Attributes:
        opening, between, closing: what stands before the first row, between rows, and after the last one.
        empty: what stands for no row at all.
    """

    opening = between = closing = empty = ""

    def __init__(self, lang: str, colours: bool) -> None:
        self.lang = lang
        self.colours = colours

    def row(self, verdict: Verdict) -> str:
        """A verdict's row; empty when the form has none."""
        raise NotImplementedError

    def taken(self) -> Tally | None:
        """What was counted since this was last asked, where the form counts."""
        return None


# --- text

_WORDS = {
    "en": {"ok": "legal", "bad": "illegal", "error": "error", "warning": "warning", "undecided": "not decided",
           "source": "source", "more": " and {0} more",
           "silent": "the runtime will not tell you"},
    "zh": {"ok": "合法", "bad": "非法", "error": "错误", "warning": "警告", "undecided": "无法判定",
           "source": "出处", "more": "等另外{0}条", "silent": "运行时不会报错"},
}  # fmt: skip

_MANY = 4  # of the undecided rules with one reason, so many are named
_CODES = {"red": "31", "green": "32", "yellow": "33", "bold": "1", "dim": "2"}


class TextRows(Rows):
    """Lines for people: one for a legal call."""

    def __init__(self, lang: str, colours: bool) -> None:
        super().__init__(lang, colours)
        self.words = _WORDS[lang]
        self._legal: dict[tuple[Case, Told], str] = {}

    def row(self, verdict: Verdict) -> str:
        """A line that says which call and whether it is legal, and two for each finding."""
        if verdict.legal and not verdict.warnings:
            head = self._legal.get(verdict.kind)
            if head is None:
                if len(self._legal) == _MOST_KEPT:
                    self._legal.clear()
                head = self._legal[verdict.kind] = self._head(verdict)
            return f"{head}  {verdict.id}\n" if verdict.id else head + "\n"
        return "\n".join(self._lines(verdict)) + "\n"

    def _head(self, verdict: Verdict) -> str:
        """The call's line up to its id."""
        words = self.words
        head = self._paint("green", words["ok"]) if verdict.legal else self._paint("red", words["bad"])
        status = "" if verdict.legal else f"  {verdict.code} {verdict.status}"
        if not verdict.legal and verdict.code == 0:
            status += f" ({words['silent']})"
        return f"{head}  {self._paint('bold', verdict.op)}  {verdict.release}  {verdict.product or '-'}{status}"

    def _lines(self, verdict: Verdict) -> Iterator[str]:
        yield self._head(verdict) + (f"  {verdict.id}" if verdict.id else "")
        for kind, colour, findings in (("error", "red", verdict.violations), ("warning", "yellow", verdict.warnings)):
            for finding in findings:
                yield from self._finding(finding, kind, colour)
        yield from self._undecided(verdict)

    def _undecided(self, verdict: Verdict) -> Iterator[str]:
        """The rules that were not judged, summed up by reason."""
        rules: dict[str, list[str]] = {}
        for finding in verdict.undecided:
            rules.setdefault(finding.message, []).append(finding.rule)
        for reason, names in rules.items():
            more = self.words["more"].format(len(names) - _MANY) if len(names) > _MANY else ""
            yield f"  {self._paint('dim', self.words['undecided'])}  {reason}: {', '.join(names[:_MANY])}{more}"

    def _finding(self, finding: Finding, kind: str, colour: str) -> Iterator[str]:
        yield f"  {self._paint(colour, self.words[kind])}  {finding.message}"
        source = f"  {self.words['source']}: {finding.source}" if finding.source else ""
        silent = f"  {self.words['silent']}" if finding.enforcement == UNCHECKED else ""
        yield f"         {self._paint('dim', finding.full_id + source + silent)}"

    def _paint(self, colour: str, text: str) -> str:
        return f"\x1b[{_CODES[colour]}m{text}\x1b[0m" if self.colours else text


# --- JSON


class LineRows(Rows):
    """JSONL."""

    def __init__(self, lang: str, colours: bool) -> None:
        super().__init__(lang, colours)
        self._encode = _encoder()
        self._legal: dict[tuple[Case, Told], str] = {}

    def row(self, verdict: Verdict) -> str:
        """A line of one object."""
        return self._object(verdict) + "\n"

    def _object(self, verdict: Verdict) -> str:
        """The verdict as JSON; of legal calls of an operator mostly only the id differs."""
        if not verdict.legal:
            return self._encode(verdict.to_dict())
        key = verdict.kind
        rest = self._legal.get(key)
        if rest is None:
            if len(self._legal) == _MOST_KEPT:
                self._legal.clear()
            rest = self._legal[key] = self._without_id(verdict)
        return f'{{"id": {self._encode(verdict.id)}, {rest}'

    def _without_id(self, verdict: Verdict) -> str:
        """The text of a verdict's object behind its id, which is the first key."""
        values = verdict.to_dict()
        del values["id"]
        return self._encode(values)[1:]


class ArrayRows(LineRows):
    """One JSON array."""

    opening, between, closing, empty = "[\n", ",\n", "\n]\n", "[]\n"

    def row(self, verdict: Verdict) -> str:
        """An element."""
        return self._object(verdict)


# --- counts


class Tally:
    """How many calls there were of which kind.

    Attributes:
        verdicts, legal, silent: calls judged, those that are legal, and illegal ones that the runtime accepts.
        statuses: (code, name) of the status predicted for illegal calls -> how many.
        rules: (operator, release, rule) -> how many violations.
        broken: what could not be judged.
    """

    __slots__ = ("broken", "legal", "rules", "silent", "statuses", "verdicts")

    def __init__(self) -> None:
        self.verdicts = self.legal = self.silent = self.broken = 0
        self.statuses: dict[tuple[int, str], int] = {}
        self.rules: dict[tuple[str, str, str], int] = {}

    def add(self, verdict: Verdict) -> None:
        """Count a verdict."""
        self.verdicts += 1
        if verdict.legal:
            self.legal += 1
            return
        self.silent += verdict.code == 0
        _count(self.statuses, (verdict.code, verdict.status), 1)
        for finding in verdict.violations:
            _count(self.rules, (verdict.op, verdict.release, finding.rule), 1)

    def merge(self, other: Tally) -> None:
        """Count what another one counted."""
        self.verdicts += other.verdicts
        self.legal += other.legal
        self.silent += other.silent
        self.broken += other.broken
        for status, number in other.statuses.items():
            _count(self.statuses, status, number)
        for rule, number in other.rules.items():
            _count(self.rules, rule, number)

    def sorted_rules(self) -> list[tuple[tuple[str, str, str], int]]:
        """The rules violated most often first."""
        return sorted(self.rules.items(), key=lambda item: (-item[1], item[0]))


def _count(counts: dict[T, int], key: T, number: int) -> None:
    counts[key] = counts.get(key, 0) + number


class Counts(Rows):
    """Nothing but counts, for large files."""

    def __init__(self, lang: str, colours: bool) -> None:
        super().__init__(lang, colours)
        self.tally = Tally()

    def row(self, verdict: Verdict) -> str:
        """Counted, not shown."""
        self.tally.add(verdict)
        return ""

    def taken(self) -> Tally:
        """What was counted since this was last asked."""
        tally, self.tally = self.tally, Tally()
        return tally

    def text(self, total: Tally) -> str:
        """The counts as columns."""
        words = _COUNTED[self.lang]
        rows = [(words["calls"], total.verdicts), (words["legal"], total.legal)]
        rows.append((words["illegal"], total.verdicts - total.legal))
        for (code, name), number in sorted(total.statuses.items()):
            rows.append((f"  {code} {name}" + ("" if code else f" ({words['silent']})"), number))
        rows.append((words["broken"], total.broken))
        found = [(f"  {release}/{op}/{rule}", number) for (op, release, rule), number in total.sorted_rules()]
        if found:
            rows += [(words["rules"], sum(number for _, number in found)), *found]
        room, digits = max(len(label) for label, _ in rows), max(len(str(number)) for _, number in rows)
        return "".join(f"{label:<{room}}  {number:>{digits}}\n" for label, number in rows)


_COUNTED = {
    "en": {"calls": "calls judged", "legal": "legal", "illegal": "illegal", "silent": _WORDS["en"]["silent"],
           "broken": "not judged", "rules": "violations"},
    "zh": {"calls": "已检查的调用", "legal": "合法", "illegal": "非法", "silent": _WORDS["zh"]["silent"],
           "broken": "无法检查", "rules": "违反的规则"},
}  # fmt: skip


class JsonCounts(Counts):
    """The counts as one JSON object."""

    def text(self, total: Tally) -> str:
        """The counts as one object."""
        statuses = [{"code": code, "status": name, "calls": n} for (code, name), n in sorted(total.statuses.items())]
        rules = [{"op": op, "release": release, "rule": rule, "violations": number}
                 for (op, release, rule), number in total.sorted_rules()]  # fmt: skip
        values = {
            "calls": total.verdicts,
            "legal": total.legal,
            "silent": total.silent,
            "illegal": statuses,
            "not_judged": total.broken,
            "rules": rules,
        }
        return _encoder()(values) + "\n"


OUTPUTS: dict[str, Callable[[str, bool], Rows]] = {
    "text": TextRows, "json": ArrayRows, "jsonl": LineRows, "summary": Counts, "summary-json": JsonCounts,
}  # fmt: skip
