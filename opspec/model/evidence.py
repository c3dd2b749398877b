"""What machines recorded of rules: a file per release beside its specs, and the sentence that it comes to.

``evidence.jsonl`` has an operator a line. Of each rule that recorded calls speak about it says, by product, how far the
calls came that break it: how many were refused for which it alone of the checked rules is to blame, how many came
through the whole first phase, of how many is known only that they passed its checks, how many programs ran; and one
call each way. Stage and status of the refusals stand there where they are not the checks of arguments, and the code
that the page gives the rule:

    {"op": "aclnnX",
     "rules": {"out-shape": {"910b": {"refused": 3, "stage": "tiling", "status": 561002,
                                      "calls": ["out rank 0 3f2a91bc"]}}}}

One command writes it (``opspec conformance --record``); it is merged with the spec when a form is compiled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from opspec.errors import OpspecError
from opspec.language.record import record
from opspec.model import lines
from opspec.model.ends import NOTHING, REFUSED_WRONGLY, Ends
from opspec.model.neighbours import ALONE, Neighbours
from opspec.model.standin import stand_ins
from opspec.vocabulary import status
from opspec.vocabulary.literals import BEHIND_CHECKS, STAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

    from opspec.vocabulary.literals import Stage


@record(frozen=True, slots=True)
class Recorded:
    """What recorded calls on one product say of a rule.

    Args:
        through: calls that break it and that come through the whole first phase.
        passed: calls that break it and pass the checks; whether what comes behind refuses them is not known.
        refused: calls that are refused, for which this rule alone of the checked ones is to blame.
        ran: calls of programs that break it and ran to their end.
        stage: where most of the refusals were, empty for the checks of arguments.
        status: of most of the refusals, where it is not the rule's own; otherwise 0.
        calls: one that was accepted or ran, one that was refused: how they were made, and a fingerprint.
    """

    through: int = 0
    passed: int = 0
    refused: int = 0
    ran: int = 0
    stage: Stage | Literal[""] = ""
    status: int = 0
    calls: tuple[str, ...] = ()

    @property
    def accepted(self) -> int:
        """Calls that were not refused, as far as they came."""
        return self.through + self.passed

    @property
    def is_late(self) -> bool:
        """Whether it is kernel lookup or tiling that refuses."""
        return self.stage in BEHIND_CHECKS

    @property
    def checked(self) -> bool:
        """Whether the first phase is taken to refuse what breaks it: who only passed the checks says nothing against
        what is refused behind them."""
        return self.refused > REFUSED_WRONGLY * (self.through if self.is_late else self.accepted)

    @property
    def mixed(self) -> bool:
        """Whether it was accepted and refused alike: the rule is wrong, or holds under a condition."""
        return bool(self.accepted and self.refused)


OfRule: TypeAlias = Mapping[str, Recorded]  # by product
Evidence: TypeAlias = Mapping[str, OfRule]  # by rule


def together(recorded: Iterable[Recorded]) -> Recorded:
    """What calls on several products say: the counts added up, stage and status as most of the refusals have them."""
    found = list(recorded)
    if len(found) == 1 and found[0].refused:
        return found[0]
    ends: dict[tuple[Stage | Literal[""], int], int] = {}
    for one in found:
        if one.refused:
            ends[one.stage, one.status] = ends.get((one.stage, one.status), 0) + one.refused
    stage, code = max(ends, key=lambda end: ends[end], default=("", 0))
    return Recorded(
        sum(one.through for one in found),
        sum(one.passed for one in found),
        sum(one.refused for one in found),
        sum(one.ran for one in found),
        stage,
        code,
        tuple(call for one in found for call in one.calls),
    )


def ends_of(recorded: OfRule, own: int) -> Ends:
    """How far calls came that break a rule, on all products together.

    Args:
        own: the number of the rule's status.
    """
    found = NOTHING
    for one in recorded.values():
        found = found.plus(Ends(through=one.through, passed=one.passed)).plus(_refused(one, one.status or own))
    return found


def _refused(one: Recorded, code: int) -> Ends:
    if one.stage == "tiling":
        return Ends(tiling=one.refused)
    if one.stage == "kernel":
        return Ends(lookup=one.refused) if code == status.INVALID else Ends(kernel=one.refused)
    return Ends(inner=one.refused) if status.is_inner(code) else Ends(refused=one.refused)


@record(frozen=True, slots=True)
class Witnesses:
    """What was recorded of an operator's rules.

    Args:
        own: on its release.
        elsewhere: on the release that its spec stands on.
        stand_in: of other versions or releases, where nothing was on these.
        neighbours: of operators beside it.
    """

    own: Evidence = MappingProxyType({})
    elsewhere: Evidence = MappingProxyType({})
    stand_in: Evidence = MappingProxyType({})
    neighbours: Neighbours = ALONE

    def of(self, rule: str) -> tuple[OfRule, bool]:
        """What calls say of a rule, and whether they are of another release or version: they speak where those of its
        own do not tell what becomes of a call that breaks it."""
        if not self.own and not self.elsewhere:
            return self.stand_in.get(rule, {}), True
        own, other = self.own.get(rule, {}), self.elsewhere.get(rule, {})
        if not other or any(one.through or one.refused or one.ran for one in own.values()):
            return own, False
        seen_by_checks = together(other.values())
        if own and seen_by_checks.refused and not seen_by_checks.is_late:  # here the checks let it pass
            return own, False
        return other, True


# --- the file


def file_of(spec: str) -> str:
    """The file of evidence for a spec file."""
    return lines.file_of(spec, lines.EVIDENCE)


def parsed(line: bytes, where: str) -> dict[str, dict[str, Recorded]]:
    """Rule -> product -> what was recorded, of an operator's line.

    Raises:
        OpspecError: the line is damaged.
    """
    import json

    try:
        found = json.loads(line)["rules"] if line else {}
        return {rule: {on: _recorded(one) for on, one in products.items()} for rule, products in found.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        form = (
            '{"op": …, "rules": {rule: {product: {"through": n, "passed": n, "refused": n, "ran": n, "stage": …, '
            '"status": n, "calls": […]}}}}'
        )
        raise OpspecError(f"expected {form}", where=where) from None


def _recorded(value: dict[str, Any]) -> Recorded:
    through, passed, refused, ran = (int(value.pop(name, 0)) for name in ("through", "passed", "refused", "ran"))
    stage, code, calls = value.pop("stage", ""), int(value.pop("status", 0)), tuple(map(str, value.pop("calls", ())))
    if value or stage not in ("", *STAGES):
        raise ValueError
    return Recorded(through, passed, refused, ran, stage, code, calls)


def evidence_of(spec: str, operator: str) -> dict[str, dict[str, Recorded]]:
    """What was recorded of an operator's rules.

    Args:
        spec: the path of its spec.
    """
    path = file_of(spec)
    return parsed(lines.line(path, "op", operator), path)


def evidence_instead(spec: str, operator: str) -> dict[str, dict[str, Recorded]]:
    """What speaks for the rules of an operator of which nothing was recorded.

    Args:
        spec: the path of its spec, on the release that its specs stand on.
    """
    found: dict[str, dict[str, Recorded]] = {}
    for path, line in stand_ins(spec, operator):
        found = {**parsed(line, path), **found}
    return found


def read_all(path: str) -> dict[str, dict[str, dict[str, Recorded]]]:
    """Operator -> rule -> product -> what was recorded."""
    import json

    found = {}
    for number, line in enumerate(lines.read(path).splitlines(), 1):
        where = f"{path}:{number}"
        rules = parsed(line, where)
        found[str(json.loads(line)["op"])] = rules
    return found


def text_of(known: Mapping[str, Evidence]) -> str:
    """The text of a file of evidence."""
    import json

    texts = [
        json.dumps(
            {"op": operator, "rules": {rule: _products(products) for rule, products in sorted(rules.items())}},
            ensure_ascii=False,
        )
        for operator, rules in sorted(known.items())
        if rules
    ]
    return "".join(f"{line}\n" for line in texts)


def _products(products: OfRule) -> dict[str, dict[str, object]]:
    fields = ("through", "passed", "refused", "ran", "stage", "status", "calls")
    return {
        on: {name: getattr(one, name) for name in fields if getattr(one, name)} for on, one in sorted(products.items())
    }


# --- in words


def said(recorded: OfRule, elsewhere: bool = False) -> tuple[str, str]:
    """The sentence, in English and in Chinese.

    Args:
        elsewhere: the calls are of another release, or of another version of the operator.

    >>> said({"910b": Recorded(through=1, refused=2)})[0]
    'recorded calls: on 910b, 1 that breaks it came through, 2 that break it alone were refused'
    >>> said({"950": Recorded(passed=3)})[1]
    '调用记录：950上违反它的调用有3次通过参数检查'
    """
    en = [f"on {product}, {_english(one)}" for product, one in sorted(recorded.items())]
    zh = [f"{product}上{_chinese(one)}" for product, one in sorted(recorded.items())]
    whose = (" of another release or version", "其他版本的") if elsewhere else ("", "")
    return f"recorded calls{whose[0]}: {'; '.join(en)}", f"{whose[1]}调用记录：{'；'.join(zh)}"


#: where calls are refused -> words of that
_WHERE = {
    "": ("", ""), "params": ("", ""), "infershape": (" by shape inference", "在形状推导中"),
    "kernel": (" by the kernel lookup", "在查找算子实现时"), "tiling": (" by tiling", "在tiling中"), "device": ("", ""),
}  # fmt: skip


def _english(one: Recorded) -> str:
    where = _WHERE[one.stage][0]
    said_of = (
        (one.through, "that breaks it came through", "that break it came through"),
        (one.passed, "that breaks it passed the checks", "that break it passed the checks"),
        (one.refused, f"that breaks it alone was refused{where}", f"that break it alone were refused{where}"),
        (one.ran, "that breaks it ran", "that break it ran"),
    )
    return ", ".join(f"{count} {single if count == 1 else several}" for count, single, several in said_of if count)


def _chinese(one: Recorded) -> str:
    where = _WHERE[one.stage][1]
    said_of = (
        (one.through, "违反它的调用有{0}次通过整个一阶段"), (one.passed, "违反它的调用有{0}次通过参数检查"),
        (one.refused, f"仅违反它的调用有{{0}}次{where}被拒绝"), (one.ran, "违反它的程序有{0}个运行到结束"),
    )  # fmt: skip
    return "，".join(words.format(count) for count, words in said_of if count)
