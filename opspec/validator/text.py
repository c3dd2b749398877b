"""Verdicts as lines for people: on a terminal, in ``str(verdict)``. Nothing of a call reaches them unescaped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from opspec.errors import printable
from opspec.vocabulary.enforcement import CONTRADICTED, of_success, told, told_of_success

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from opspec.vocabulary.literals import Enforcement, Lang, Support

    class Finding(Protocol):
        """What lines say of a finding; see :mod:`opspec.validator.verdict`, which has lines for ``str``."""

        @property
        def kind(self) -> tuple[object, object]: ...
        @property
        def rule(self) -> str: ...
        @property
        def full_id(self) -> str: ...
        @property
        def message(self) -> str: ...
        @property
        def source(self) -> str | None: ...
        @property
        def enforcement(self) -> Enforcement | None: ...
        @property
        def assumed(self) -> bool: ...

    class Verdict(Protocol):
        """What they say of a verdict."""

        @property
        def id(self) -> object: ...
        @property
        def op(self) -> str: ...
        @property
        def release(self) -> str: ...
        @property
        def product(self) -> str | None: ...
        @property
        def support(self) -> Support | None: ...
        @property
        def legal(self) -> bool: ...
        @property
        def code(self) -> int: ...
        @property
        def status(self) -> str: ...
        @property
        def violations(self) -> Sequence[Finding]: ...
        @property
        def decisive(self) -> Finding | None: ...
        @property
        def warnings(self) -> Sequence[Finding]: ...
        @property
        def undecided(self) -> Sequence[Finding]: ...


WORDS = {
    "en": {"ok": "legal", "bad": "illegal", "error": "error", "warning": "warning", "undecided": "not decided",
           "note": "note",
           "for": " for {0}", "source": "source", "more": " and {0} more", "unsupported": "not supported there"},
    "zh": {"ok": "合法", "bad": "非法", "error": "错误", "warning": "警告", "undecided": "无法判定",
           "note": "提示",
           "for": "（依据{0}）", "source": "出处", "more": "等另外{0}条", "unsupported": "该产品不支持"},
}  # fmt: skip

_MOST_KEPT = 4096  # rules of which is kept what stands around messages
_MANY = 4  # of the undecided rules with one reason, so many are named


def plain(_colour: str, text: str) -> str:
    """Text without colours."""
    return text


class Lines:
    """Makes the lines of verdicts.

    Args:
        lang: of the words around findings.
        paint: gives a text a colour: red, green, yellow, bold or dim.
    """

    def __init__(self, lang: Lang, paint: Callable[[str, str], str] = plain) -> None:
        self.lang: Lang = lang
        self.words = WORDS[lang]
        self.paint = paint
        self._around: dict[object, tuple[str, str]] = {}

    def whole(self, verdict: Verdict) -> str:
        """All lines of a verdict."""
        return self.head(verdict) + self.name(verdict) + self.rest(verdict)

    def head(self, verdict: Verdict) -> str:
        """The call's line up to its id."""
        words = self.words
        head = self.paint("green", words["ok"]) if verdict.legal else self.paint("red", words["bad"])
        status = "" if verdict.legal else f"  {verdict.code} {verdict.status}"
        if not verdict.legal and verdict.code == 0:
            found = of_success((finding.enforcement, finding.assumed) for finding in verdict.violations)
            status += f" ({told_of_success(*found, self.lang)})"
        status += self._decided_by(verdict)
        if verdict.support == "no":
            status += f" ({words['unsupported']})"
        return f"{head}  {self.paint('bold', verdict.op)}  {verdict.release}  {verdict.product or '-'}{status}"

    def _decided_by(self, verdict: Verdict) -> str:
        """The rule for which the runtime returns the status, where it is not the first that is told."""
        decisive = verdict.decisive
        if decisive is None or decisive is verdict.violations[0]:
            return ""
        return self.words["for"].format(decisive.rule)

    def name(self, verdict: Verdict) -> str:
        """The call's id, where it has one."""
        return f"  {printable(str(verdict.id))}" if verdict.id else ""

    def rest(self, verdict: Verdict) -> str:
        """The lines below the first, each with a line break in front.

        Of a legal call there are some where something is doubtful, or the product is not known: most rules hang on it.
        """
        if verdict.legal and not verdict.warnings and verdict.product is not None:
            return ""
        return "".join(
            [
                *[self._finding(finding, "error", "red") for finding in verdict.violations],
                *[
                    self._finding(finding, "warning", "yellow")
                    for finding in verdict.warnings
                    if finding.enforcement != CONTRADICTED
                ],
                *self._contradicted(verdict),
                *[f"\n{line}" for line in self._undecided(verdict)],
            ]
        )

    def _contradicted(self, verdict: Verdict) -> Iterator[str]:
        """The rules that running programs contradict, in a line of their own: no fault of the call is among them."""
        rules: dict[str, list[str]] = {}
        for finding in verdict.warnings:
            if finding.enforcement == CONTRADICTED:
                way = told(finding.enforcement, finding.assumed, self.lang)
                rules.setdefault(way, []).append(finding.rule)
        for way, names in rules.items():
            yield f"\n  {self.paint('dim', self.words['note'])}  {self._named(names)}: {way}"

    def _undecided(self, verdict: Verdict) -> Iterator[str]:
        """The rules that were not judged, summed up by reason."""
        rules: dict[str, list[str]] = {}
        for finding in verdict.undecided:
            rules.setdefault(finding.message, []).append(finding.rule)
        for reason, names in rules.items():
            yield f"  {self.paint('dim', self.words['undecided'])}  {printable(reason)}: {self._named(names)}"

    def _named(self, rules: Sequence[str]) -> str:
        """The first few of some rules, and how many more there are."""
        more = self.words["more"].format(len(rules) - _MANY) if len(rules) > _MANY else ""
        return f"{', '.join(rules[:_MANY])}{more}"

    def _finding(self, finding: Finding, kind: str, colour: str) -> str:
        """The two lines of a finding, each with a line break in front: but for the message those of another call's."""
        key = finding.kind[0], kind
        around = self._around.get(key)
        if around is None:
            if len(self._around) == _MOST_KEPT:
                self._around.clear()
            around = self._around[key] = self._around_message(finding, kind, colour)
        return f"{around[0]}{printable(finding.message)}{around[1]}"

    def _around_message(self, finding: Finding, kind: str, colour: str) -> tuple[str, str]:
        source = f"  {self.words['source']}: {printable(finding.source)}" if finding.source else ""
        way = told(finding.enforcement, finding.assumed, self.lang)
        behind = self.paint("dim", finding.full_id + source + (f"  {way}" if way else ""))
        return f"\n  {self.paint(colour, self.words[kind])}  ", f"\n         {behind}"
