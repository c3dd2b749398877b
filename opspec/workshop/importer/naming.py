"""Ids of a page's clauses: those that they have had, and new ones, short and readable.

A clause keeps its id through editions of its page, and shares it with the same clause of another version or release:
by its words; else by what stands around it, where a sentence was edited; else by the rules that formalise it. A new
clause is called by the rule that is made of it (:mod:`opspec.model.ledger`); one of which none is made by its subject
and what it is about: ``x/on-shape``, ``161002/on-dtype``, ``note/on-precision``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, TypeAlias

from opspec.model.ledger import KINDS, named_after
from opspec.workshop.importer.merge import without

Clause: TypeAlias = dict[str, Any]  # of a flat spec

NO_TEXTS: Mapping[str, str] = {}

#: what a clause is called by which nothing is made, by why that is
_REASONS = {
    "device_data": "on-data", "other_cards": "on-cards", "precision": "on-precision", "timing": "on-timing",
}  # fmt: skip
#: the same by words of its text, the most telling first
_ABOUT = (
    ("on-dtype", re.compile(r"数据类型|dtype|DataType", re.IGNORECASE)),
    ("on-format", re.compile(r"数据格式|\bND\b|\bNZ\b|NCHW|NHWC")),
    ("on-empty", re.compile(r"空\s*tensor|空指针|nullptr", re.IGNORECASE)),
    ("on-strides", re.compile(r"连续")),
    ("on-shape", re.compile(r"shape|维|轴", re.IGNORECASE)),
    ("on-size", re.compile(r"长度|大小|个数|数量")),
    ("on-values", re.compile(r"取值|范围|枚举|大于|小于|等于|[≤≥<>=]")),
    ("on-modes", re.compile(r"场景|模式|量化")),
)  # fmt: skip
_REMARK = "remark"
#: sections of a page as the subject of what names no param
_SECTIONS = {"notes": "note", "constraints": "constraint", "examples": "example"}
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def identified(
    clauses: Sequence[Clause],
    known: Sequence[Clause] = (),
    texts: Mapping[str, str] = NO_TEXTS,
    rules: Collection[str] | None = None,
    taken: Iterable[str] = (),
) -> list[Clause]:
    """The clauses of a page with their ids.

    Args:
        clauses: in the page's order; an id that one has already is looked for anew.
        known: those of an earlier edition, of another release or version, with their ids.
        texts: the clauses' words, by fingerprint.
        rules: all rules that there are; None: nobody knows, and what is known keeps its id in any case.
        taken: ids that mean something else, such as retired ones.
    """
    clauses = list({clause["at"]: clause for clause in clauses}.values())  # a page may have a row twice
    kept = _Kept(clauses, known, rules)
    kept.match()
    used = {*kept.ids.values(), *(item["id"] for item in known), *taken}
    fresh = _Fresh(clauses, texts, set(rules or ()), used)
    return [
        {"id": kept.ids[i] if i in kept.ids else fresh.name(clause), **without(clause, "id")}
        for i, clause in enumerate(clauses)
    ]


def _home(clause: Clause) -> str:
    """The part of a page that a clause stands in: a param's row, the rows of one status, the formulas, a section."""
    parts = str(clause["at"]).split("/")
    return "/".join(parts[:2]) if parts[0] in ("params", "returns") or "formula" in parts else parts[0]


@dataclass(slots=True)
class _Kept:
    """Clauses that have been known before.

    Attributes:
        ids: number of a clause -> the id that it keeps.
    """

    clauses: Sequence[Clause]
    known: Sequence[Clause]
    rules: Collection[str] | None
    ids: dict[int, str] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)

    def match(self) -> None:
        """Find them, the surest first."""
        self._by_place()
        homes = dict.fromkeys(map(_home, self.clauses))
        edited = [pair for home in homes for pair in self._in_home(home)]
        self._by(lambda clause: (_home(clause), clause["fingerprint"]) if clause.get("fingerprint") else None)
        elsewhere = {item.get("fingerprint") for j, item in enumerate(self.known) if j not in self.used}
        for i, j in edited:
            has_moved = self.clauses[i].get("fingerprint") in elsewhere  # from another section: it has an id of its own
            was_words = self.known[j].get("fingerprint")  # what a person found elsewhere was none that could be edited
            if was_words and not has_moved and _alike(self.clauses[i].get("rules", ()), self.known[j].get("rules", ())):
                self._keep(i, j)
        self._by(lambda clause: clause.get("fingerprint"))
        self._by(lambda clause: (_home(clause), *clause["rules"]) if clause.get("rules") else None)
        self._by(lambda clause: (status_of(clause), *clause["rules"]) if clause.get("rules") else None)

    def _keep(self, i: int, j: int) -> None:
        """Give a clause the id of a known one, unless that is the name of a rule that it does not say."""
        name = named_after(self.known[j]["id"])
        misleads = self.rules is not None and name in self.rules and name not in self.clauses[i].get("rules", ())
        if i in self.ids or j in self.used or misleads or status_of(self.clauses[i]) != status_of(self.known[j]):
            return
        self.ids[i] = self.known[j]["id"]
        self.used.add(j)

    def _by_place(self) -> None:
        """The same words at the same place, or one of which a person wrote down the place alone."""
        places = {(item["at"], item.get("fingerprint")): j for j, item in enumerate(self.known)}
        for i, clause in enumerate(self.clauses):
            here = clause["at"]
            found = places.get((here, clause.get("fingerprint")), places.get((here, None)))
            if found is not None:
                self._keep(i, found)

    def _in_home(self, home: str) -> list[tuple[int, int]]:
        """Keep the same words in the same order; what stands between them, where as many do, may have been edited."""
        ours = [i for i, clause in enumerate(self.clauses) if _home(clause) == home]
        theirs = [j for j, clause in enumerate(self.known) if _home(clause) == home]
        words = ([self.clauses[i].get("fingerprint") for i in ours], [self.known[j].get("fingerprint") for j in theirs])
        edited: list[tuple[int, int]] = []
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, *words, autojunk=False).get_opcodes():
            pairs = zip(ours[i1:i2], theirs[j1:j2], strict=False)
            if tag == "equal":
                for i, j in pairs:
                    self._keep(i, j)
            elif tag == "replace" and i2 - i1 == j2 - j1:
                edited += pairs
        return edited

    def _by(self, key: Any) -> None:
        """What is the same in another respect, in order."""
        waiting: dict[Any, list[int]] = {}
        for j, item in enumerate(self.known):
            mark = key(item)
            if j not in self.used and mark is not None:
                waiting.setdefault(mark, []).append(j)
        for i, clause in enumerate(self.clauses):
            if i not in self.ids:
                for j in waiting.get(key(clause), ()):
                    self._keep(i, j)


def status_of(clause: Mapping[str, Any]) -> str | None:
    """The status of the row of return codes that a clause is."""
    parts = str(clause["at"]).split("/")
    return parts[1] if parts[0] == "returns" and len(parts) > 1 and parts[1].isdigit() else None


def _alike(ours: Collection[str], theirs: Collection[str]) -> bool:
    """Whether two clauses may be one that was edited: they have a rule in common, or one of them has none."""
    return not ours or not theirs or not set(ours).isdisjoint(theirs)


@dataclass(slots=True)
class _Fresh:
    """Names for clauses that have none.

    Args:
        used: ids that are taken; those that are given are added.
    """

    clauses: Sequence[Clause]
    texts: Mapping[str, str]
    rules: set[str]
    used: set[str]
    cited: Counter[str] = field(init=False)
    params: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.cited = Counter(rule for clause in self.clauses for rule in clause.get("rules", ()))
        places = (str(clause["at"]).split("/") for clause in self.clauses)
        self.params = tuple(dict.fromkeys(parts[1] for parts in places if parts[0] == "params"))

    def name(self, clause: Clause) -> str:
        """A new id: the first that is free."""
        status = status_of(clause)
        base = self._name(clause)
        first = base if status is None else f"{status}/{base}"
        found, number = first, 2
        while found in self.used:
            found, number = f"{first}/{number}", number + 1
        self.used.add(found)
        return found

    def _name(self, clause: Clause) -> str:
        rules = clause.get("rules", ())
        if rules:  # one that few clauses state: it need not name them
            return str(min(rules, key=lambda rule: ("." in rule or rule in KINDS, self.cited[rule])))
        section, *rest = str(clause["at"]).split("/")
        if section == "params" and len(rest) == 2 and not rest[1].isdigit():
            return "/".join(rest)  # a cell: a param and its property
        text = self.texts.get(clause.get("fingerprint", ""), "")
        return "/".join((*self._subject(section, rest, text), self._about(clause, text)))

    def _subject(self, section: str, rest: list[str], text: str) -> Iterator[str]:
        if section == "params":
            yield rest[0]
        elif section != "returns":
            named = (name for name in _NAME.findall(text) if name in self.params)
            yield next(named, _SECTIONS.get(section, section))

    def _about(self, clause: Clause, text: str) -> str:
        reason = _REASONS.get(clause.get("not_checkable", ""))
        return reason or next((name for name, words in _ABOUT if words.search(text)), _REMARK)
