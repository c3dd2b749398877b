"""What recorded calls of two releases show that their first phases do otherwise, and what those of the newer one show
of a rule that the older one does not have.

Only what is plain counts. Calls of a release that break a rule show that it is refused where none of them was accepted,
and that it is not where one came through the whole first phase, or ran, and none was refused. The calls of two releases
are different ones: where a release has some of both, which of them are alike is not known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from opspec.diff.change import Change, Seen
from opspec.model.definition import Definition, RuleDef
from opspec.model.evidence import Recorded, together
from opspec.vocabulary import status
from opspec.vocabulary.literals import Lang

#: "refused", "through" or, where calls do not tell, nothing
Plain: TypeAlias = str
#: the sentence about a rule, by language
Says: TypeAlias = Callable[[RuleDef], Mapping[Lang, str]]

_KINDS = {("through", "refused"): "runtime-refuses", ("refused", "through"): "runtime-accepts"}


def differences(
    before: Definition, after: Definition, same: Iterable[tuple[RuleDef, RuleDef]], says: Says
) -> Iterator[Change]:
    """What calls that break a rule meet on both releases, where that is not the same.

    Args:
        same: rules of both that mean the same.
        says: the sentence about a rule of the newer release, by language.
    """
    for old, new in same:
        was, now = _own(old), _own(new)
        if not all(plain(together(side.values())) for side in (was, now)):
            continue  # some calls of a release fare one way, some the other
        found: defaultdict[str, list[str]] = defaultdict(list)
        for product in was.keys() & now.keys():
            kind = _KINDS.get((plain(was[product]), plain(now[product]))) or _other_status(
                old, was[product], new, now[product]
            )
            if kind:
                found[kind].append(product)
        for kind, on in found.items():
            products = tuple(sorted(on))
            ends = [together(side[product] for product in products) for side in (was, now)]
            told = _says(says(new), zip((before.spec.release, after.spec.release), (old, new), ends, strict=True))
            where = (_end(old, ends[0]), _end(new, ends[1]), products)
            yield Change(after.name, kind, new.id, *where, told, (new.id,), seen="both")


def seen(rules: Iterable[RuleDef], products: Iterable[str] = ()) -> Seen:
    """What calls of the newer release show of breaches of rules; nothing unless all of them show the same."""
    on = set(products)
    shown = {
        plain(one) for rule in rules for product, one in _own(rule).items() if not on or product in on
    } - {""}  # fmt: skip
    if len(shown) != 1:
        return ""
    return "refused" if "refused" in shown else "through"


def plain(recorded: Recorded) -> Plain:
    """What calls on a product show, where they all show the same."""
    if recorded.refused:
        return "" if recorded.accepted or recorded.ran else "refused"
    return "through" if recorded.through or recorded.ran else ""


def _own(rule: RuleDef) -> Mapping[str, Recorded]:
    """What was recorded of a rule on its own release."""
    return {} if rule.recorded_elsewhere else rule.recorded


def _other_status(old: RuleDef, was: Recorded, new: RuleDef, now: Recorded) -> str:
    """Where both refuse: whether the status is another. Which of 561xxx an inner failure gets is not known."""
    if plain(was) != "refused" or plain(now) != "refused":
        return ""
    codes = [_code(rule, one) for rule, one in ((old, was), (new, now))]
    return "runtime-status" if len(set(map(status.known_of, codes))) > 1 else ""


def _code(rule: RuleDef, recorded: Recorded) -> int:
    return recorded.status or status.number(rule.status)


def _end(rule: RuleDef, recorded: Recorded) -> str:
    """How calls fared, without counts: ``through``, ``refused 561002``."""
    return f"refused {_code(rule, recorded)}" if recorded.refused else "through"


def _says(sentence: Mapping[Lang, str], sides: Iterable[tuple[str, RuleDef, Recorded]]) -> Mapping[Lang, str]:
    """The rule, and how calls that break it fared on each release."""
    parts = [(release, _code(rule, one) if one.refused else 0, one) for release, rule, one in sides]
    en = [
        f"{release}: {one.refused} refused ({code})" if code else f"{release}: {one.through + one.ran} came through"
        for release, code, one in parts
    ]
    zh = [
        f"{release}：{one.refused}次报错（{code}）" if code else f"{release}：{one.through + one.ran}次通过"
        for release, code, one in parts
    ]
    return {
        "en": f"{sentence['en']} Calls that break it: {', '.join(en)}.",
        "zh": f"{sentence['zh']}违反它的调用：{'，'.join(zh)}。",
    }
