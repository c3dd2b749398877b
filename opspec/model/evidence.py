"""What machines recorded of rules: a file per release beside its specs, and the sentence that it comes to.

``evidence.jsonl`` has an operator a line: ``{"op": "aclnnX", "rules": {"out-shape": [3, 1]}}`` says that three recorded
calls that break the rule succeeded, and that one which breaks no other failed. One command writes it (``opspec
conformance --record``); it is merged with the spec when a form is compiled.
"""

from __future__ import annotations

import os

from opspec.errors import OpspecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from dataclasses import dataclass
    from typing import TypeAlias
else:
    from opspec.language.record import record as dataclass

FILE = "evidence.jsonl"


@dataclass(frozen=True, slots=True)
class Recorded:
    """What recorded calls say of a rule.

    Args:
        accepted: calls that break it and succeed.
        refused: calls that break it alone, and fail.
    """

    accepted: int
    refused: int

    @property
    def enforced(self) -> str:
        """Whether the runtime is taken to refuse what breaks it: one call that succeeds is enough to say no."""
        return "no" if self.accepted else "yes"


if TYPE_CHECKING:
    Evidence: TypeAlias = Mapping[str, Recorded]


def file_of(spec: str) -> str:
    """The file of evidence for a spec file: beside the families of its release, or beside itself."""
    folder = os.path.dirname(os.path.abspath(spec))
    above = os.path.join(os.path.dirname(folder), FILE)
    return above if os.path.exists(above) else os.path.join(folder, FILE)


def read_bytes(path: str) -> bytes:
    """The file's bytes; none where there is no file."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise OpspecError(f"cannot read: {error.strerror}", where=path) from None


def line_of(data: bytes, operator: str) -> bytes:
    """The line of an operator, empty where there is none: found without reading the others."""
    start = data.find(b'{"op": "' + operator.encode() + b'",')
    return b"" if start < 0 else data[start:].split(b"\n", 1)[0]


def parsed(line: bytes, where: str) -> dict[str, Recorded]:
    """Rule -> what was recorded, of an operator's line.

    Raises:
        OpspecError: the line is damaged.
    """
    import json

    try:
        found = json.loads(line)["rules"] if line else {}
        return {rule: Recorded(int(accepted), int(refused)) for rule, (accepted, refused) in found.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise OpspecError('expected {"op": …, "rules": {rule: [accepted, refused]}}', where=where) from None


def evidence_of(spec: str, operator: str) -> dict[str, Recorded]:
    """What was recorded of an operator's rules.

    Args:
        spec: the path of its spec.
    """
    path = file_of(spec)
    return parsed(line_of(read_bytes(path), operator), path)


def read_all(path: str) -> dict[str, dict[str, Recorded]]:
    """Operator -> rule -> what was recorded."""
    import json

    found = {}
    for number, line in enumerate(read_bytes(path).splitlines(), 1):
        where = f"{path}:{number}"
        rules = parsed(line, where)
        found[str(json.loads(line)["op"])] = rules
    return found


def text_of(known: Mapping[str, Evidence]) -> str:
    """The text of a file of evidence."""
    import json

    lines = [
        json.dumps({"op": operator, "rules": {rule: [one.accepted, one.refused] for rule, one in rules.items()}})
        for operator, rules in sorted(known.items())
        if rules
    ]
    return "".join(f"{line}\n" for line in lines)


def said(recorded: Recorded) -> tuple[str, str]:
    """The sentence, in English and in Chinese.

    >>> said(Recorded(1, 2))[0]
    'recorded first-phase calls: 1 that breaks it succeeds, 2 that break it alone fail'
    >>> said(Recorded(3, 0))[1]
    '第一段接口的调用记录：违反它的调用有3次成功'
    """
    accepted, refused = recorded.accepted, recorded.refused
    en = [f"{accepted} that {'breaks it succeeds' if accepted == 1 else 'break it succeed'}"] if accepted else []
    en += [f"{refused} that break it alone fail"] if refused else []
    zh = [f"违反它的调用有{accepted}次成功"] if accepted else []
    zh += [f"仅违反它的调用有{refused}次失败"] if refused else []
    return f"recorded first-phase calls: {', '.join(en)}", f"第一段接口的调用记录：{'，'.join(zh)}"
