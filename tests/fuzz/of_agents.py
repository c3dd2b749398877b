"""Sessions of agents that nearly are ones: questions to each tool, changed, and lines that are no message."""

from __future__ import annotations

import io
import json
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from opspec.plugins.tools import EXAMPLES
from tests.fuzz import mutate
from tests.fuzz.harness import SECONDS, WrongStatusError, ended
from tests.fuzz.of_calls import recorded

#: those that take longest are asked least
_OFTEN = {"check": 12, "infer": 6, "explain": 4, "search": 4, "show": 3, "example": 2, "repair": 1, "stub": 1}
_FIRST = 123_000  # what the first question is known by; no other id is one by chance
_HELLO = {
    "jsonrpc": "2.0", "id": "hello", "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}},
}  # fmt: skip
_STARTED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def message(chance: random.Random) -> str:
    """A line that nearly is a question."""
    name = chance.choices([*_OFTEN, "docs"], [*_OFTEN.values(), 1])[0]
    given = EXAMPLES[name]
    if name in ("check", "infer", "repair") and chance.random() < 0.9:
        known = chance.choice(recorded())
        given = {key: known[key] for key in ("op", "product", "args") if key in known}
    asked = {"jsonrpc": "2.0", "id": 0, "method": "tools/call", "params": {"name": name, "arguments": given}}
    where = chance.choice(("arguments", "arguments", "arguments", "params", "all"))
    if where == "all":
        asked = mutate.tree(chance, asked, most=2)
    elif where == "params":
        asked["params"] = mutate.tree(chance, asked["params"], most=2)
    else:
        asked["params"] = {"name": name, "arguments": mutate.tree(chance, given, most=2)}
    line = json.dumps(asked, ensure_ascii=chance.random() < 0.5)
    return mutate.text(chance, line, most=1) if chance.random() < 0.1 else line


class _Patient(io.BytesIO):
    """Standard input that an agent closes when it has as many answers as it has asked questions."""

    def __init__(self, sent: bytes, questions: set[int]) -> None:
        super().__init__(sent)
        self.questions = questions

    def readline(self, size: int | None = -1) -> bytes:
        """A line; the end is late."""
        line = super().readline(size)
        end = time.monotonic() + 12 * SECONDS  # by the clock: others may be at work
        while not line and self.questions - _answered() and time.monotonic() < end:
            time.sleep(0.01)
        return line

    read = read1 = readline


def _answered() -> set[object]:
    """What was answered so far."""
    written = sys.stdout.buffer.getvalue().split(b"\n")  # type: ignore[union-attr]
    return {json.loads(line).get("id") for line in written[:-1]}


def serve(inputs: Sequence[str], _folder: Path) -> None:
    """Each question is answered once, in words, and the server ends with its input."""
    lines = [_numbered(one, number) for number, one in enumerate(inputs, _FIRST)]
    sent = "\n".join([json.dumps(_HELLO), json.dumps(_STARTED), *lines, ""])
    wanted = {number for number, line in enumerate(lines, _FIRST) if _asks(line, number)}
    patient = _Patient(sent.encode("utf-8", "surrogatepass"), wanted)
    done = ended(["mcp"], patient)
    done.expect(0)
    answers = [json.loads(line) for line in done.out.splitlines()]
    told = [answer.get("id") for answer in answers]
    lost = sorted(number for number in wanted if told.count(number) != 1)
    if lost:
        raise WrongStatusError(f"answered {told.count(lost[0])} times: {lines[lost[0] - _FIRST][:2000]}")
    for answer in answers:
        if "Traceback" in json.dumps(answer) and "Traceback" not in sent:
            raise WrongStatusError(f"a traceback for an answer: {json.dumps(answer)[:2000]}")
    if "Traceback" in done.err:
        raise WrongStatusError(done.err)


def _numbered(line: str, number: int) -> str:
    """The line with its own id, where it has one as it was made."""
    return line.replace('"id": 0', f'"id": {number}', 1)


def _asks(line: str, number: int) -> bool:
    """Whether a line is a question of that number; the SDK takes a CR in it for its end."""
    if "\r" in line:
        return False
    try:
        made = json.loads(line)
    except (ValueError, RecursionError):
        return False
    if not isinstance(made, dict) or type(made.get("id")) is not int or made["id"] != number:
        return False
    return made.get("method") == "tools/call" and made.get("jsonrpc") == "2.0"
