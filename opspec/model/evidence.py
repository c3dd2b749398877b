"""What machines recorded of rules: a file per release beside its specs, and the sentence that it comes to.

``evidence.jsonl`` has an operator a line. Of each rule that recorded calls speak about it says, by product, how many
calls that break it were accepted, how many were refused for which it alone of the checked rules is to blame, how many
programs that break it ran, and one call each way; the status where it is not the one that the page gives the rule:

    {"op": "aclnnX",
     "rules": {"out-shape": {"910b": {"refused": 3, "status": 561103, "calls": ["out rank 0 3f2a91bc"]}}}}

One command writes it (``opspec conformance --record``); it is merged with the spec when a form is compiled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from opspec.errors import OpspecError
from opspec.language.record import record
from opspec.model import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

FILE = "evidence.jsonl"
REFUSED_WRONGLY = 2  # how much a wrong refusal weighs against a miss: it costs a user's trust


@record(frozen=True, slots=True)
class Recorded:
    """What recorded calls on one product say of a rule.

    Args:
        accepted: calls that break it and that the first phase's checks accept.
        refused: calls that are refused, for which this rule alone of the checked ones is to blame.
        ran: calls of programs that break it and ran to their end.
        status: of most of the refusals, where it is not the rule's own; otherwise 0.
        calls: one that was accepted or ran, one that was refused: how they were made, and a fingerprint.
    """

    accepted: int = 0
    refused: int = 0
    ran: int = 0
    status: int = 0
    calls: tuple[str, ...] = ()

    @property
    def checked(self) -> bool:
        """Whether the first phase is taken to refuse what breaks it."""
        return self.refused > REFUSED_WRONGLY * self.accepted

    @property
    def mixed(self) -> bool:
        """Whether it was accepted and refused alike: the rule is wrong, or holds under a condition."""
        return bool(self.accepted and self.refused)


OfRule: TypeAlias = Mapping[str, Recorded]  # by product
Evidence: TypeAlias = Mapping[str, OfRule]  # by rule


def together(recorded: Iterable[Recorded]) -> Recorded:
    """What calls on several products say: the counts added up, the status that most of the refusals have."""
    found = list(recorded)
    statuses: dict[int, int] = {}
    for one in found:
        statuses[one.status] = statuses.get(one.status, 0) + one.refused
    return Recorded(
        sum(one.accepted for one in found),
        sum(one.refused for one in found),
        sum(one.ran for one in found),
        max(statuses, key=lambda status: statuses[status], default=0),
        tuple(call for one in found for call in one.calls),
    )


# --- the file


def file_of(spec: str) -> str:
    """The file of evidence for a spec file."""
    return lines.file_of(spec, FILE)


def line_of(data: bytes, operator: str) -> bytes:
    """The line of an operator, empty where there is none."""
    return lines.line_of(data, "op", operator)


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
            '{"op": …, "rules": {rule: {product: {"accepted": n, "refused": n, "ran": n, "status": n, "calls": […]}}}}'
        )
        raise OpspecError(f"expected {form}", where=where) from None


def _recorded(value: dict[str, Any]) -> Recorded:
    accepted, refused, ran, status = (int(value.pop(name, 0)) for name in ("accepted", "refused", "ran", "status"))
    calls = tuple(map(str, value.pop("calls", ())))
    if value:
        raise ValueError
    return Recorded(accepted, refused, ran, status, calls)


def evidence_of(spec: str, operator: str) -> dict[str, dict[str, Recorded]]:
    """What was recorded of an operator's rules.

    Args:
        spec: the path of its spec.
    """
    path = file_of(spec)
    return parsed(line_of(lines.read(path), operator), path)


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
    fields = ("accepted", "refused", "ran", "status", "calls")
    return {
        on: {name: getattr(one, name) for name in fields if getattr(one, name)} for on, one in sorted(products.items())
    }


# --- in words


def said(recorded: OfRule) -> tuple[str, str]:
    """The sentence, in English and in Chinese.

    >>> said({"910b": Recorded(1, 2)})[0]
    'recorded calls: on 910b, 1 that breaks it was accepted, 2 that break it alone were refused'
    >>> said({"950": Recorded(3, 0)})[1]
    '调用记录：950上违反它的调用有3次被接受'
    """
    en = [f"on {product}, {_english(one)}" for product, one in sorted(recorded.items())]
    zh = [f"{product}上{_chinese(one)}" for product, one in sorted(recorded.items())]
    return f"recorded calls: {'; '.join(en)}", f"调用记录：{'；'.join(zh)}"


def _english(one: Recorded) -> str:
    parts = [f"{one.accepted} that {'breaks it was' if one.accepted == 1 else 'break it were'} accepted"]
    parts += [f"{one.refused} that {'breaks it alone was' if one.refused == 1 else 'break it alone were'} refused"]
    parts += [f"{one.ran} that {'breaks it' if one.ran == 1 else 'break it'} ran"]
    return ", ".join(part for part, count in zip(parts, (one.accepted, one.refused, one.ran), strict=True) if count)


def _chinese(one: Recorded) -> str:
    parts = [f"违反它的调用有{one.accepted}次被接受", f"仅违反它的调用有{one.refused}次被拒绝"]
    parts += [f"违反它的程序有{one.ran}个运行到结束"]
    return "，".join(part for part, count in zip(parts, (one.accepted, one.refused, one.ran), strict=True) if count)
