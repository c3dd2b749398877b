"""Statements that two pages make alike but for their numbers: the rules are those of the other page, with these.

A limit is what changes most between releases. Where a statement says ``at most 2048`` and the other page's says
``at most 1024`` in the same words, and the rule that people made of that has the number, the rule here has the other
one. It is not taken over where the number stands for the place of a dim, where it stands in no rule of the statement or
oftener than in the statement, or where another statement of the same rule says something else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from opspec.workshop.importer.alike import Wordings, pieces

_NUMBER = re.compile(r"(?<![a-z0-9_.])\d+(?:\.\d+)?(?![a-z0-9_]|\.\d)", re.I)
#: in a rule, but for the place of a dim: ``x.shape[0]``
_LITERAL = re.compile(r"(?<![A-Za-z0-9_.])(?<!\[)(?<!\[-)\d+(?:\.\d+)?(?![A-Za-z0-9_]|\.\d)")
_PROPERTIES = ("range", "length", "each")
_AUTHORED = ("say", "fails")

Change = Mapping[str, str]  # number -> the one that stands in its place


def renumbered(
    spec: Mapping[str, Any], words: Wordings, names: Mapping[str, str]
) -> tuple[Mapping[str, Any], Wordings]:
    """The other page's spec with the numbers of this one, and the statements that say the same then.

    Args:
        spec: the flat spec of the other page, its params named as here.
        words: which statements say the same.
        names: params of the other page -> what this one calls them.
    """
    said = {mark: _apart(_renamed(text, names)) for mark, text in words.old.texts.items()}
    found = list(_found(spec, words, said))
    changes: dict[str, list[Change]] = {}
    for clause in spec.get("clauses", ()):
        mark = clause.get("fingerprint")
        here = [change for _, old, change in found if old is clause] or [_same(said.get(mark, ("", ()))[1])]
        if mark in said:
            for rule in clause.get("rules", ()):
                changes.setdefault(rule, []).extend(here)
    whole = {rule: change for rule, each in changes.items() if (change := _one(each)) is not None}
    same = dict(words.same)
    with_these: dict[str, Change] = {}
    for mark, old, change in found:
        mine = {rule: whole[rule] for rule in old["rules"] if rule in whole}
        if len(mine) == len(old["rules"]) and _is_written(change, said[old["fingerprint"]][1], spec, mine):
            with_these.update(mine)
            same[mark] = (*same.get(mark, ()), str(old["fingerprint"]))
    return _with(spec, with_these) if with_these else spec, replace(words, same=same)


def _found(
    spec: Mapping[str, Any], words: Wordings, said: Mapping[str, tuple[str, tuple[str, ...]]]
) -> Iterator[tuple[str, Mapping[str, Any], Change]]:
    """Statements of this page of which nothing is known, with those of the other one that differ by numbers alone."""
    known = [clause for clause in spec.get("clauses", ()) if clause.get("rules") and clause.get("fingerprint") in said]
    here = {item["fingerprint"] for item in words.new.listed}
    gone = [clause for clause in known if clause["fingerprint"] not in here]
    for item in words.new.listed:
        mark = item["fingerprint"]
        if mark in words.old.texts or words.same.get(mark) or words.new.read.get(mark):
            continue
        form, numbers = _apart(words.new.texts.get(mark, ""))
        for clause in gone:
            old_form, before = said[clause["fingerprint"]]
            if numbers and form == old_form and _about(clause["at"]) == _about(item["at"]):
                change = _one([{old: new} for old, new in zip(before, numbers, strict=True)])
                if change is not None:
                    yield mark, clause, change


def _apart(text: str) -> tuple[str, tuple[str, ...]]:
    """A statement without its numbers, whatever it says in other words, and they."""
    plain = ";".join(pieces(text))
    return _NUMBER.sub("#", plain), tuple(_NUMBER.findall(plain))


def _about(place: str) -> str:
    """The param of a statement, or the part of the page that it is in."""
    parts = place.split("/")
    return "/".join(parts[:2]) if parts[0] in ("params", "returns") else parts[0]


def _renamed(text: str, names: Mapping[str, str]) -> str:
    return re.sub(r"[A-Za-z_]\w*", lambda found: names.get(found[0], found[0]), text, flags=re.A)


def _same(numbers: tuple[str, ...]) -> Change:
    return {number: number for number in numbers}


def _is_written(change: Change, numbers: tuple[str, ...], spec: Mapping[str, Any], rules: Collection[str]) -> bool:
    """Whether the numbers that are others now stand in the rules of a statement, and no oftener than it says them: a 0
    may be a limit here and a number of dims there."""
    gone = {old for old, new in change.items() if old != new}
    found = [Counter(_LITERAL.findall(" ".join(_texts(spec, rule)))) for rule in rules]
    return all(0 < max(each[old] for each in found) <= numbers.count(old) for old in gone)


def _one(changes: list[Change]) -> Change | None:
    """Several changes as one; None where they contradict each other."""
    result: dict[str, str] = {}
    for change in changes:
        for old, new in change.items():
            if result.setdefault(old, new) != new:
                return None
    return result


def _texts(spec: Mapping[str, Any], rule: str) -> Iterator[str]:
    """What of a spec says a rule: its own expressions, or a property of a param."""
    said = spec.get("rules", {}).get(rule)
    for text in said.values() if isinstance(said, Mapping) else [said]:
        if isinstance(text, str):
            yield text
    for param in spec["params"]:
        yield from (str(param[key]) for key in _PROPERTIES if f"{param['name']}.{key}" == rule and key in param)


def _with(spec: Mapping[str, Any], changes: Mapping[str, Change]) -> dict[str, Any]:
    """A spec whose rules have other numbers, and where they have, no words of their own."""
    rules = {name: _changed(rule, changes.get(name, {})) for name, rule in spec.get("rules", {}).items()}
    params = [
        {key: _numbers(item, changes.get(f"{param['name']}.{key}", {})) for key, item in param.items()}
        for param in spec["params"]
    ]
    return {**spec, "params": params, **({"rules": rules} if rules else {})}


def _changed(rule: Any, change: Change) -> Any:
    if not isinstance(rule, Mapping):
        return _numbers(rule, change)
    said = {key: _numbers(item, change) if key in ("check", "when") else item for key, item in rule.items()}
    return rule if said == rule else {key: item for key, item in said.items() if key not in _AUTHORED}


def _numbers(value: Any, change: Change) -> Any:
    if not change or isinstance(value, Mapping):
        return value
    if isinstance(value, list):
        return [_numbers(item, change) for item in value]
    return _LITERAL.sub(lambda found: change.get(found[0], found[0]), value) if isinstance(value, str) else value
