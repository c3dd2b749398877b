"""Differences as a release note in Markdown: what breaks, what is new, what is gone, what is stated now; all changes
behind it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import groupby

from opspec.diff.change import BREAKING, LEVELS, STATED, Change
from opspec.diff.release import Differences
from opspec.diff.report import meaning, on, what
from opspec.diff.summary import GROUNDS, Summary, ground
from opspec.diff.words import GROUND_MEANS, LEVEL_MEANS, SEEN, WORDS
from opspec.docs.render import markdown
from opspec.jsontext import written
from opspec.vocabulary import products
from opspec.vocabulary.literals import Lang

MOST_NAMES = 12  # operators that a line names
MOST_LINES = 40  # of one ground that stand in the note; the rest stand behind it
MOST_STATED = 12

_ELSE = ("param-optional", "runtime-accepts", "rule-looser")


class Note:
    """The note.

    Args:
        shown: the changes that are to be told.
        accepted: fingerprints of those that somebody has looked at.
    """

    def __init__(self, found: Differences, shown: Sequence[Change], accepted: Set[str], lang: Lang) -> None:
        self.found, self.shown, self.accepted, self.lang = found, shown, accepted, lang
        self.words, self.counts = WORDS[lang], Summary(found)

    def lines(self) -> Iterator[str]:
        """The page."""
        words, found = self.words, self.found
        yield f"# {words['title'].format(*map(markdown, (found.before, found.after)))}"
        yield ""
        if not found.changes:
            yield words["none"]
            return
        both, added, removed = found.both, len(self.counts.added), len(self.counts.removed)
        yield words["operators"].format(both=both, added=added, removed=removed)
        if found.partial:
            yield from ("", words["partial"].format(markdown(found.partial)))
        yield from self._levels()
        parts = (("breaks", self._breaks), ("new", self._new), ("gone", self._gone), ("stated", self._stated),
                 ("families", self._families), ("details", self._details))  # fmt: skip
        for title, part in parts:
            lines = list(part())
            if lines:
                yield from ("", f"## {words[title]}", "", *lines)

    def _levels(self) -> Iterator[str]:
        words = self.words
        yield from (
            "",
            f"| {words['level']} | {words['changes']} | {words['of']} | {words['meaning']} |",
            "|---|--:|--:|---|",
        )
        for level, count in self.counts.levels.items():
            name = LEVELS[level][self.lang]
            yield f"| {name} | {count.changes} | {count.operators} | {LEVEL_MEANS[self.lang][level]} |"

    # --- what breaks

    def _breaks(self) -> Iterator[str]:
        breaking = [change for change in self.shown if change.level == BREAKING]
        for name in GROUNDS:
            group = [change for change in breaking if ground(change) == name]
            if group:
                yield from (f"### {_capital(GROUND_MEANS[self.lang][name])}", "")
                yield from self._alike(group)
                yield ""

    def _alike(self, changes: Sequence[Change]) -> Iterator[str]:
        """A line for what is alike, with the operators; those of most operators first."""
        lines = self._by(changes, lambda change: f"{meaning(change.kind, self.lang)}: {what(change, self.lang)}")
        for told, operators in lines[:MOST_LINES]:
            yield f"- {self._names(operators)}: {markdown(told)}"
        if len(lines) > MOST_LINES:
            yield f"- {self.words['others'].format(len(lines) - MOST_LINES)}"

    @staticmethod
    def _by(changes: Iterable[Change], told: Callable[[Change], str]) -> list[tuple[str, list[str]]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for change in changes:
            if change.operator not in found[told(change)]:
                found[told(change)].append(change.operator)
        return sorted(found.items(), key=lambda item: (-len(item[1]), item[1]))

    def _names(self, operators: Sequence[str], most: int = MOST_NAMES) -> str:
        named = ", ".join(f"`{markdown(name)}`" for name in operators[:most])
        left = len(operators) - most
        return f"{named}, {self.words['others'].format(left)}" if left > 0 else named

    # --- what is new, what is gone

    def _of_kinds(self, *kinds: str) -> list[Change]:
        return [change for change in self.shown if change.kind in kinds]

    def _new(self) -> Iterator[str]:
        parts = (
            ("new_operators", list(self._by_family(self._of_kinds("operator-added")))),
            ("new_products", list(self._products(("product-added", "added_on"), ("product-named", "named_on")))),
            ("new_dtypes", list(self._dtypes())),
            ("new_else", list(self._alike(self._of_kinds(*_ELSE)))),
        )
        for title, lines in parts:
            if lines:
                yield from (f"### {self.words[title]}", "", *lines, "")

    def _by_family(self, changes: Sequence[Change]) -> Iterator[str]:
        for family, group in groupby(sorted(changes, key=self.found.family), key=self.found.family):
            names = [change.operator for change in group]
            yield f"- {markdown(family or self.words['no_family'])} ({len(names)}): {self._names(names, len(names))}"

    def _products(self, *forms: tuple[str, str]) -> Iterator[str]:
        """Lines on products, by kind and the words of that."""
        for kind, form in forms:
            found: defaultdict[str, list[str]] = defaultdict(list)
            for change in self._of_kinds(kind):
                found[change.subject].append(change.operator)
            for product, names in sorted(found.items(), key=lambda item: -len(item[1])):
                name = products.name(product, self.lang)
                yield f"- {self.words[form].format(product=name, n=len(names), names=self._names(names))}"

    def _dtypes(self) -> Iterator[str]:
        """A line for each operator's params that take more, alike ones together."""
        wider = [change for change in self._of_kinds("widened", "replaced") if change.subject.endswith(" dtype")]
        params: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for change in wider:
            more = " ".join(word for word in change.after.split() if word.startswith("+"))
            params[change.operator, more + on(change.products, self.lang)].append(change.subject.removesuffix(" dtype"))
        alike: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for (operator, more), names in params.items():
            alike[", ".join(f"`{name}`" for name in names), more].append(operator)
        for (named, more), operators in sorted(alike.items(), key=lambda item: (-len(item[1]), item[1])):
            yield f"- {self._names(operators)}: {named} {markdown(more)}"

    def _gone(self) -> Iterator[str]:
        gone = self._of_kinds("operator-removed", "product-removed", "param-removed")
        yield from self._alike(gone)
        for change in self._of_kinds("operator-deprecated"):
            to = f" → {markdown(change.after)}" if change.after else ""
            yield f"- {self.words['deprecated']}: `{markdown(change.operator)}`{to}"

    # --- what is stated, counted, and behind it all

    def _stated(self) -> Iterator[str]:
        stated = [change for change in self.shown if change.level == STATED and not change.kind.startswith("product-")]
        if stated:
            refused = sum(change.seen == "refused" for change in stated)
            yield from (self.words["stated_intro"].format(n=refused, of=len(stated)), "")
            for told, operators in self._by(stated, lambda change: what(change, self.lang))[:MOST_STATED]:
                yield f"- {self._names(operators, 4)}: {markdown(told)}"
        yield from self._products(("product-excluded", "excluded_on"))

    def _families(self) -> Iterator[str]:
        if len(self.counts.families) > 1:
            levels = list(self.counts.levels)
            yield f"| {self.words['family']} | {' | '.join(LEVELS[level][self.lang] for level in levels)} |"
            yield f"|---|{'--:|' * len(levels)}"
            for family, counts in self.counts.families.items():
                cells = (str(counts[level].changes) if level in counts else "" for level in levels)
                yield f"| {markdown(family or self.words['no_family'])} | {' | '.join(cells)} |"

    def _details(self) -> Iterator[str]:
        """Every change, a table for each family, folded away."""
        by_family = sorted(self.shown, key=lambda change: (self.found.family(change), change.operator))
        order = {level: number for number, level in enumerate(LEVELS)}
        for family, changes in groupby(by_family, key=self.found.family):
            group = sorted(changes, key=lambda change: (order[change.level], change.operator))
            counted = Counter(change.level for change in group)
            told = ", ".join(f"{LEVELS[level][self.lang]} {counted[level]}" for level in LEVELS if counted[level])
            name = markdown(family or self.words["no_family"])
            yield from ("<details>", f"<summary>{name}: {told}</summary>", "")
            yield f"| {' | '.join((self.words['level'], *self.words['head'].split(',')))} |"
            yield "|---" * 6 + "|"
            yield from map(self._row, group)
            yield from ("", "</details>", "")

    def _row(self, change: Change) -> str:
        kept = f" {self.words['accepted']}" if change.fingerprint in self.accepted else ""
        told = change.text(self.lang) + on(change.products, self.lang)
        if change.seen:
            told += f" – {SEEN[self.lang][change.seen]}"
        if change.call is not None:
            told += f" {self.words['call']} {written(dict(change.call))}"
        level, kind = LEVELS[change.level][self.lang], meaning(change.kind, self.lang)
        cells = (level, change.operator, kind, change.subject, told, change.fingerprint + kept)
        return f"| {' | '.join(map(markdown, cells))} |"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
