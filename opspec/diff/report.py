"""Changes as text, Markdown and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import groupby
from typing import Any

from opspec.diff.change import KINDS, LEVELS, Change
from opspec.docs.render import markdown
from opspec.errors import printable
from opspec.jsontext import written
from opspec.vocabulary import products
from opspec.vocabulary.literals import Lang

_WORDS = {
    "en": {
        "none": "nothing differs",
        "accepted": "accepted",
        "call": "was legal, and is illegal now:",
        "head": ("operator", "change", "of", "what", "fingerprint"),
        "on": " ({})",
        "title": "From {} to {}",
    },
    "zh": {
        "none": "没有差异",
        "accepted": "已接受",
        "call": "原先合法、现在不合法的调用：",
        "head": ("算子", "变更", "对象", "内容", "指纹"),
        "on": "（{}）",
        "title": "从 {} 到 {}",
    },
}


def text(changes: Iterable[Change], accepted: Set[str], lang: Lang) -> Iterator[str]:
    """Lines for a terminal, operator by operator, and how many there are of each kind."""
    words: Any = _WORDS[lang]
    counted: Counter[str] = Counter()
    for operator, group in groupby(changes, lambda change: change.operator):
        yield printable(operator)
        for change in group:
            counted[change.kind] += 1
            kept = f", {words['accepted']}" if change.fingerprint in accepted else ""
            head = f"  {LEVELS[change.level][lang]}{kept}  {change.kind}"
            yield printable(f"{head}  {_what(change, lang)}  [{change.fingerprint}]")
            if change.call is not None:
                yield f"    {words['call']}"
                yield f"    {written(dict(change.call))}"
    if not counted:
        yield words["none"]
    for kind, about in KINDS.items():
        if counted[kind]:
            yield f"{counted[kind]:6}  {LEVELS[about.level][lang]}  {kind}: {_meaning(kind, lang)}"


def as_markdown(
    changes: Sequence[Change], accepted: Set[str], lang: Lang, sides: tuple[str, str]
) -> Iterator[str]:  # fmt: skip
    """A page: a table per level, breaking changes first."""
    words: Any = _WORDS[lang]
    yield f"# {words['title'].format(*map(markdown, sides))}"
    for level, name in LEVELS.items():
        chosen = [change for change in changes if change.level == level]
        if chosen:
            yield from ("", f"## {name[lang]}", "", f"| {' | '.join(words['head'])} |", "|---" * 5 + "|")
        for change in chosen:
            kept = f" {words['accepted']}" if change.fingerprint in accepted else ""
            told = change.text(lang) + _on(change, lang)
            if change.call is not None:
                told += f" {words['call']} {written(dict(change.call))}"
            cells = (change.operator, _meaning(change.kind, lang), change.subject, told, change.fingerprint + kept)
            yield f"| {' | '.join(map(markdown, cells))} |"
    if not changes:
        yield from ("", words["none"])


def as_json(changes: Iterable[Change], accepted: Set[str], lang: Lang, sides: tuple[str, str]) -> dict[str, Any]:
    """The same for programs."""
    rows = [_row(change, accepted, lang) for change in changes]
    levels = Counter(row["level"] for row in rows)
    return {
        "before": sides[0],
        "after": sides[1],
        "counts": {level: levels[level] for level in LEVELS},
        "changes": rows,
    }


def _row(change: Change, accepted: Set[str], lang: Lang) -> dict[str, Any]:
    row = {
        "op": change.operator,
        "kind": change.kind,
        "level": change.level,
        "subject": change.subject,
        "before": change.before,
        "after": change.after,
        "products": list(change.products),
        "text": change.text(lang),
        "rules": list(change.rules),
        "fingerprint": change.fingerprint,
        "accepted": change.fingerprint in accepted,
    }
    return row if change.call is None else {**row, "call": change.call}


def _what(change: Change, lang: Lang) -> str:
    colon = "：" if lang == "zh" else ": "
    return colon.join(filter(None, (change.subject, change.text(lang)))) + _on(change, lang)


def _on(change: Change, lang: Lang) -> str:
    names = [products.name(name, lang) for name in change.products]
    on: str = _WORDS[lang]["on"]  # type: ignore[assignment]
    return on.format(("、" if lang == "zh" else ", ").join(names)) if names else ""


def _meaning(kind: str, lang: Lang) -> str:
    return KINDS[kind].zh if lang == "zh" else KINDS[kind].en
