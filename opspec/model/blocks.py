"""Blocks of rules: a condition that several rules share stands once, over them.

    rules:
      paged:
        when: "blockTable is not None"
        rules:
          block-size: "blockSize % 16 == 0"
          cache-rank: {check: "key.rank == 4", when: "layout == 'BNSD'"}

says the same as

    rules:
      block-size: {check: "blockSize % 16 == 0", when: "blockTable is not None"}
      cache-rank: {check: "key.rank == 4", when: "blockTable is not None and layout == 'BNSD'"}

A block's name is for readers: ids of rules do not have it, and rules are inherited, amended and left out one by one
whether or not they stand in a block. All functions work on the plain data of ``rules``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from opspec.errors import SpecError, did_you_mean, shown
from opspec.yamltext import Path, Tree

Data: TypeAlias = dict[str, Tree]

KEYS = ("when", "rules")

# Texts, brackets, and the words that bind less than ``and``.
_TOKEN = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[(\[{]|[)\]}]|\b(?:or|if|else)\b""")


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule as it stands in a file.

    Args:
        path: keys that lead to it from the top of the spec.
        guards: the conditions of the blocks around it, the outermost first.
    """

    name: str
    path: Path
    guards: tuple[str, ...]
    value: Tree

    def opened(self) -> Tree:
        """The rule as it reads outside of all blocks; what is neither a rule nor its check alone stays as it is."""
        if not self.guards or not isinstance(self.value, (str, dict)):
            return self.value
        rule: Data = {"check": self.value} if isinstance(self.value, str) else dict(self.value)
        own = rule.get("when")
        return {**rule, "when": joined((*self.guards, *([own] if isinstance(own, str) else [])))}

    def within(self, path: Path, column: int) -> tuple[Path, int]:
        """Where a part of the opened rule stands in the file: ``path`` from the rule, column within its text."""
        if path[:1] != ("when",) or not self.guards:
            return (*self.path, *path), column
        own = self.value.get("when") if isinstance(self.value, dict) else None
        texts = (*self.guards, *([own] if isinstance(own, str) else []))
        start = number = 0
        for number, text in enumerate(texts):
            length = len(_operand(text) if len(texts) > 1 else text)
            if column < start + length or number == len(texts) - 1:
                break
            start += length + len(" and ")
        bracket = len(texts) > 1 and _operand(texts[number]) != texts[number]
        # A block's path is that of its rules without what is behind its name: block, "rules", block, "rules", rule.
        home = self.path if number == len(self.guards) else self.path[: 2 * number + 2]
        return (*home, "when"), max(column - start - bracket, 0)


def is_block(value: Tree) -> bool:
    """Whether an entry of ``rules`` is a block."""
    return isinstance(value, dict) and "rules" in value


def joined(guards: tuple[str, ...]) -> str:
    """The condition that all of some say.

    >>> joined(("a == 1", "b or c"))
    'a == 1 and (b or c)'
    """
    return guards[0] if len(guards) == 1 else " and ".join(map(_operand, guards))


def _operand(text: str) -> str:
    """An expression that stands beside ``and``: in brackets where it would fall apart there."""
    loose = any(depth == 0 and token in ("or", "if", "else") for token, depth in _tokens(text))
    return f"({text})" if loose else text


def _in_brackets(text: str) -> bool:
    """Whether one pair of brackets stands around all of an expression."""
    depths = [depth for _, depth in _tokens(text)]
    return text[:1] == "(" and text[-1:] == ")" and depths[-1] == 0 and all(depth > 0 for depth in depths[:-1])


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """What may hold an expression together or not, and in how many brackets what follows it is."""
    depth = 0
    for token in _TOKEN.findall(text):
        depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
        yield token, depth


def entries(rules: Mapping[str, Tree], path: Path = ("rules",), guards: tuple[str, ...] = ()) -> Iterator[Entry]:
    """All rules, those of blocks too, in the order of the file."""
    for name, value in rules.items():
        here = (*path, name)
        inner = value.get("rules") if isinstance(value, dict) else None
        if isinstance(value, dict) and isinstance(inner, dict):
            guard = value.get("when")
            yield from entries(inner, (*here, "rules"), (*guards, *([guard] if isinstance(guard, str) else [])))
        elif not is_block(value):
            yield Entry(name, here, guards, value)


def opened(rules: Data) -> Data:
    """Rules without blocks, each with its whole condition."""
    return {entry.name: entry.opened() for entry in entries(rules)}


def faults(rules: Mapping[str, Tree]) -> Iterator[SpecError]:
    """What is wrong with the blocks themselves; the rules in them are looked at where all others are."""
    seen: set[str] = set()
    for entry in entries(rules):
        if entry.name in seen:
            yield SpecError(f"two rules have the id {entry.name!r}", path=entry.path)
        seen.add(entry.name)
    for path, block in _blocks(rules, ("rules",)):
        if path[-1] in seen:
            yield SpecError(f"a rule has the name of this block: {path[-1]!r}", path=path)
        yield from _faults(path, block)


def _blocks(rules: Mapping[str, Tree], path: Path) -> Iterator[tuple[Path, Data]]:
    for name, value in rules.items():
        if isinstance(value, dict) and is_block(value):
            yield (*path, name), value
            inner = value["rules"]
            yield from _blocks(inner if isinstance(inner, dict) else {}, (*path, name, "rules"))


def _faults(path: Path, block: Data) -> Iterator[SpecError]:
    for key in block:
        if key not in KEYS:
            message = f"unknown key {shown(key)}{did_you_mean(key, KEYS)}; here stands {{when, rules}}"
            yield SpecError(message, path=(*path, key))
    if not isinstance(block.get("when"), str):
        yield SpecError("a block says when its rules hold: {when: condition, rules: {id: rule}}", path=path)
    if not isinstance(block["rules"], dict) or not block["rules"]:
        yield SpecError("expected the rules of the block, {id: rule}", path=(*path, "rules"))


def closed(rules: Data, written: Mapping[str, Tree]) -> Data:
    """Opened rules in the blocks of a file: ``opened(closed(rules, written)) == rules``, in the same order.

    A rule that no longer stands with the others of its block, or no longer under its condition, leaves it; a new one
    among them that holds under it joins them.

    Args:
        written: ``rules`` of the file.
    """
    return _Closing({entry.name for entry in entries(written)}, rules.keys()).closed(rules, written, ())


@dataclass(frozen=True, slots=True)
class _Closing:
    """Rules on their way into blocks.

    Args:
        known: ids of the rules that the file has.
        taken: ids of the rules that there are: no block has the name of one.
    """

    known: Collection[str]
    taken: Collection[str]

    def closed(self, rules: Data, written: Mapping[str, Tree], guards: tuple[str, ...]) -> Data:
        """The rules in the blocks that the file has at one level, below these conditions."""
        blocks = {
            name: value
            for name, value in written.items()
            if isinstance(value, dict) and is_block(value) and name not in self.taken
        }
        homes = {entry.name: name for name in blocks for entry in entries({name: blocks[name]})}
        under = {name: (*guards, str(block["when"])) for name, block in blocks.items()}
        runs: dict[str, Data] = {}
        result: Data = {}
        last = ""
        for name, rule in rules.items():
            home = homes.get(name, last if name not in self.known else "")
            if home and (home == last or home not in runs) and _fits(rule, under[home]):
                runs.setdefault(home, {})[name] = rule
                result[home] = None  # its place among the others
            else:
                result[name] = _within(rule, guards)
                home = ""
            last = home
        for name, run in runs.items():
            inner = blocks[name]["rules"]
            block = self.closed(run, inner if isinstance(inner, dict) else {}, under[name])
            result[name] = {"when": blocks[name]["when"], "rules": block}
        return result


def _fits(rule: Tree, guards: tuple[str, ...]) -> bool:
    """Whether a rule holds under these conditions alone, or under more of them that are joined to these."""
    if not isinstance(rule, dict):
        return rule is None
    when = rule.get("when")
    return isinstance(when, str) and _own(when, guards) is not None


def _within(rule: Tree, guards: tuple[str, ...]) -> Tree:
    """A rule without the conditions around it; its check alone where it says nothing else."""
    if not guards or not isinstance(rule, dict):
        return rule
    own = _own(str(rule["when"]), guards)
    kept = {key: own if key == "when" else value for key, value in rule.items() if key != "when" or own}
    return kept["check"] if list(kept) == ["check"] else kept


def _own(when: str, guards: tuple[str, ...]) -> str | None:
    """What a condition says beside others that stand ahead of it: empty where nothing, None where they do not."""
    if when == joined(guards):
        return ""
    ahead = " and ".join(map(_operand, guards)) + " and "
    rest = when.removeprefix(ahead)
    options = (rest[1:-1], rest) if _in_brackets(rest) else (rest,)
    return next((text for text in options if when.startswith(ahead) and joined((*guards, text)) == when), None)
