"""Differences as text for a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import groupby
from typing import Any

from opspec.diff.change import KINDS, LEVELS, Change
from opspec.diff.release import Differences
from opspec.diff.summary import Count, Summary
from opspec.diff.words import GROUND_MEANS, LEVEL_MEANS, SEEN, WORDS
from opspec.errors import printable
from opspec.jsontext import written
from opspec.vocabulary import products
from opspec.vocabulary.literals import Lang


def text(found: Differences, shown: Sequence[Change], accepted: Set[str], lang: Lang) -> Iterator[str]:
    """Lines for a terminal: a summary, then the changes that are to be shown, family by family."""
    words = WORDS[lang]
    if not found.changes:
        yield words["none"]
        return
    if len({change.operator for change in found.changes}) > 1:
        yield from _summary(found, lang)
        yield ""
    else:
        yield printable(WORDS[lang]["title"].format(found.before, found.after))
    by_family = sorted(shown, key=lambda change: (found.family(change), change.operator))
    for family, group in groupby(by_family, key=found.family):
        yield printable(f"[{family or words['no_family']}]")
        for operator, changes in groupby(group, lambda change: change.operator):
            yield printable(operator)
            for change in changes:
                yield from _lines(change, accepted, lang)
    if len(shown) < len(found.changes):
        yield ""
        yield words["more"].format(n=len(found.changes) - len(shown))


def _summary(found: Differences, lang: Lang) -> Iterator[str]:
    words, counts = WORDS[lang], Summary(found)
    yield printable(words["title"].format(found.before, found.after))
    yield words["operators"].format(both=found.both, added=len(counts.added), removed=len(counts.removed))
    if found.partial:
        yield printable(words["partial"].format(found.partial))
    yield ""
    yield f"{words['changes']:>8} {words['of']:>12}"
    for level, count in counts.levels.items():
        yield f"{_count(count)}  {LEVELS[level][lang]}: {LEVEL_MEANS[lang][level]}"
    if counts.grounds:
        yield from ("", f"{words['rests']}:")
        for ground, count in counts.grounds.items():
            yield f"{_count(count)}  {GROUND_MEANS[lang][ground]}"
    for level, name in LEVELS.items():
        kinds = list(counts.of_level(level))
        if kinds:
            yield from ("", f"{name[lang]}:")
            for kind, count in kinds:
                yield f"{_count(count)}  {kind}: {meaning(kind, lang)}"
    if len(counts.families) > 1:
        yield from _families(counts, lang)


def _families(counts: Summary, lang: Lang) -> Iterator[str]:
    words = WORDS[lang]
    yield ""
    yield f"{words['families']}: {' / '.join(LEVELS[level][lang] for level in counts.levels)}"
    for family, levels in counts.families.items():
        cells = (levels[level].changes if level in levels else 0 for level in counts.levels)
        yield printable(f"{''.join(f'{cell:8}' for cell in cells)}  {family or words['no_family']}")
    if counts.worst:
        yield ""
        yield printable(f"{words['worst']}: {', '.join(f'{name} ({n})' for name, n in counts.worst)}")


def _count(count: Count) -> str:
    return f"{count.changes:8} {count.operators:12}"


def _lines(change: Change, accepted: Set[str], lang: Lang) -> Iterator[str]:
    words = WORDS[lang]
    kept = f", {words['accepted']}" if change.fingerprint in accepted else ""
    seen = f"  {SEEN[lang][change.seen]}" if change.seen else ""
    head = f"  {LEVELS[change.level][lang]}{kept}  {change.kind}"
    yield printable(f"{head}  {what(change, lang)}{seen}  [{change.fingerprint}]")
    if change.call is not None:
        yield f"    {words['call']}"
        yield f"    {written(dict(change.call))}"


def what(change: Change, lang: Lang) -> str:
    """What a change is about and what is different, with the products."""
    colon = "：" if lang == "zh" else ": "
    subject = products.name(change.subject, lang) if change.kind.startswith("product-") else change.subject
    by = f" ← {', '.join(change.by)}" if change.by else ""
    return colon.join(filter(None, (subject, change.text(lang)))) + by + on(change.products, lang)


def on(ids: Iterable[str], lang: Lang) -> str:
    """Products in brackets; nothing of none."""
    names = [products.name(name, lang) for name in ids]
    return WORDS[lang]["on"].format(("、" if lang == "zh" else ", ").join(names)) if names else ""


def meaning(kind: str, lang: Lang) -> str:
    """What a kind of changes is."""
    return KINDS[kind].zh if lang == "zh" else KINDS[kind].en


def as_json(found: Differences, shown: Iterable[Change], accepted: Set[str], lang: Lang) -> dict[str, Any]:
    """The same for programs; its schema is ``opspec schema diff``."""
    counts = Summary(found)
    return {
        "before": found.before,
        "after": found.after,
        "partial": found.partial or None,
        "operators": {"both": found.both, "added": list(counts.added), "removed": list(counts.removed)},
        "counts": {level: counts.levels[level].changes if level in counts.levels else 0 for level in LEVELS},
        "kinds": {kind: count.changes for kind, count in counts.kinds.items()},
        "grounds": {ground: count.changes for ground, count in counts.grounds.items()},
        "families": {
            family or "": {level: levels[level].changes if level in levels else 0 for level in LEVELS}
            for family, levels in counts.families.items()
        },
        "changes": [_row(change, found.family(change), accepted, lang) for change in shown],
    }


def _row(change: Change, family: str, accepted: Set[str], lang: Lang) -> dict[str, Any]:
    row = {
        "op": change.operator,
        "family": family,
        "kind": change.kind,
        "level": change.level,
        "subject": change.subject,
        "before": change.before,
        "after": change.after,
        "products": list(change.products),
        "text": change.text(lang),
        "rules": list(change.rules),
        "seen": change.seen or None,
        "by": list(change.by),
        "fingerprint": change.fingerprint,
        "accepted": change.fingerprint in accepted,
    }
    return row if change.call is None else {**row, "call": change.call}
