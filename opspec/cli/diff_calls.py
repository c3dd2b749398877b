"""``opspec diff A B --calls FILE``: which calls change, call by call as they are read, and how many do not."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from opspec.cli.answers import Answers
from opspec.cli.ending import BAD_INPUT, FINDING, OK
from opspec.diff.calls import Changed, Comparer, Judged, as_dict
from opspec.diff.sides import side
from opspec.docs.render import markdown
from opspec.errors import OpspecError, printable
from opspec.jsontext import written
from opspec.registry.registry import registry
from opspec.validator.read import calls
from opspec.vocabulary.enforcement import told as told_of
from opspec.vocabulary.literals import Lang

_WORDS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "breaks": "breaks", "mended": "is taken now", "differs": "fares otherwise",
        "legal": "legal", "illegal": "illegal", "no": "cannot be written", "by": "by",
        "end": "{changed} of {all} calls change: {breaks} break, {mended} are taken now, {differs} fare otherwise; "
        "{same} do not change",
        "bad": "{bad} rows could not be read",
        "title": "Calls that change from {} to {}",
        "head": "place, operator, change, before, after",
    },
    "zh": {
        "breaks": "受影响", "mended": "现可用", "differs": "结果不同",
        "legal": "合法", "illegal": "不合法", "no": "无法编写", "by": "依据",
        "end": "{all}个调用中{changed}个有变化：{breaks}个受影响，{mended}个现可用，{differs}个结果不同；{same}个不变",
        "bad": "{bad}行无法读取",
        "title": "从 {} 到 {} 有变化的调用",
        "head": "位置,算子,变化,之前,之后",
    },
}  # fmt: skip


def told(before: str, after: str, source: str, output: str, lang: Lang, specs: Sequence[str]) -> int:
    """Judge the calls of a file by both sides and say which change.

    Returns:
        The exit status: 2 where a row is no call, 1 where a call breaks, else 0.

    Raises:
        OpspecError: a side is no release, or there is no call at all.
    """
    known = registry(tuple(specs))
    sides = side(known, before), side(known, after)
    comparer = Comparer(known, *sides, lang)
    rows = _FORMS[output](lang, (before, after))
    counts: Counter[str] = Counter()
    _write(rows.begin())
    answers = Answers()
    for item in answers.of(calls(source, sys.stdin), comparer.compare):
        counts[item.how] += 1
        if item.how != "same":
            _write(rows.row(item))
    counts["bad"] = answers.bad
    _write(rows.end(counts))
    if not counts.total():
        raise OpspecError("no call there: nothing was judged", where=source)
    return BAD_INPUT if counts["bad"] else FINDING if counts["breaks"] else OK


def _write(lines: Iterator[str]) -> None:
    for line in lines:
        print(line)


def _counted(counts: Counter[str], lang: Lang) -> str:
    words = _WORDS[lang]
    judged = counts.total() - counts["bad"]
    kinds = {name: counts[name] for name in ("breaks", "mended", "differs", "same")}
    end = words["end"].format(changed=judged - counts["same"], all=judged, **kinds)
    return end if not counts["bad"] else f"{end}; {words['bad'].format(bad=counts['bad'])}"


class _Rows(ABC):
    """A form of output, a call at a time."""

    def __init__(self, lang: Lang, names: tuple[str, str]) -> None:
        self.lang, self.names = lang, names
        self.words = _WORDS[lang]

    def begin(self) -> Iterator[str]:
        yield from ()

    @abstractmethod
    def row(self, changed: Changed) -> Iterator[str]: ...

    @abstractmethod
    def end(self, counts: Counter[str]) -> Iterator[str]: ...

    def place(self, changed: Changed) -> str:
        """Where a call stands, and what it is called."""
        call = changed.call
        return " ".join(filter(None, (call.where or str(call.number), call.id and f"({call.id})")))

    def side(self, judged: Judged) -> str:
        """One side's verdict in a line."""
        if judged.verdict is None:
            return f"{self.words['no']}: {judged.error}"
        legal = self.words["legal" if judged.legal else "illegal"]
        found = f"{legal}, {judged.verdict.status} ({judged.verdict.code})"
        rule = judged.deciding
        if rule is None:
            return found
        doubt = told_of(rule.enforcement, rule.assumed, self.lang)
        return f"{found}, {self.words['by']} {rule.rule}: {rule.message}" + (f" ({doubt})" if doubt else "")


class _Text(_Rows):
    def row(self, changed: Changed) -> Iterator[str]:
        call = changed.call
        on = f" {call.product}" if call.product else ""
        yield printable(f"{self.place(changed)}  {call.op}{on}: {self.words[changed.how]}")
        for name, judged in zip(self.names, (changed.before, changed.after), strict=True):
            yield printable(f"  {name}: {self.side(judged)}")

    def end(self, counts: Counter[str]) -> Iterator[str]:
        yield _counted(counts, self.lang)


class _Markdown(_Rows):
    def begin(self) -> Iterator[str]:
        yield f"# {self.words['title'].format(*map(markdown, self.names))}"
        yield from ("", f"| {' | '.join(self.words['head'].split(','))} |", "|---|---|---|---|---|")

    def row(self, changed: Changed) -> Iterator[str]:
        call = changed.call
        operator = f"{call.op} {call.product or ''}".strip()
        cells = (
            self.place(changed),
            operator,
            self.words[changed.how],
            self.side(changed.before),
            self.side(changed.after),
        )
        yield f"| {' | '.join(map(markdown, cells))} |"

    def end(self, counts: Counter[str]) -> Iterator[str]:
        yield from ("", _counted(counts, self.lang))


class _Json(_Rows):
    """One object; its calls are written as they come."""

    def __init__(self, lang: Lang, names: tuple[str, str]) -> None:
        super().__init__(lang, names)
        self._any = False

    def begin(self) -> Iterator[str]:
        yield f'{{"before": {written(self.names[0])}, "after": {written(self.names[1])}, "calls": ['

    def row(self, changed: Changed) -> Iterator[str]:
        row = {"where": changed.call.where, **as_dict(changed)}
        yield f"{',' if self._any else ''}{written(row)}"
        self._any = True

    def end(self, counts: Counter[str]) -> Iterator[str]:
        told = {name: counts[name] for name in ("breaks", "mended", "differs", "same", "bad")}
        yield f'], "counts": {written(told)}}}'


_FORMS: Mapping[str, type[_Text | _Markdown | _Json]] = {"text": _Text, "md": _Markdown, "json": _Json}
