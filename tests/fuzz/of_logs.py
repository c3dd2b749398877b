"""Logs that nearly are ones: what opspec says of recorded calls as programs print it, garbled as users paste it."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from opspec import check
from opspec.errors import OpspecError
from tests.assist.logs import log_of
from tests.assist.test_explain import PROCESS_LOG, TRACEBACK
from tests.fuzz import mutate
from tests.fuzz.harness import ended
from tests.fuzz.of_calls import recorded


@lru_cache(maxsize=1)
def _logs() -> list[str]:
    """Logs of the illegal ones among some recorded calls."""
    made = [PROCESS_LOG, TRACEBACK]
    for call in recorded()[::7]:
        try:
            verdict = check(call["op"], call["args"], product=call.get("product"))
        except OpspecError:  # a recorded call that no C program can make
            continue
        for item in verdict.violations[:1]:
            stage = "tiling" if verdict.code // 100_000 == 5 else "params"
            record = {**call, "expect": verdict.status, "stage": stage, "said": item.message}
            made.append(log_of({"product": "910b", **record}))
    return made


def log(chance: random.Random) -> str:
    """A log: one or more, changed, cut off, coloured, with other ends of lines."""
    text = "".join(chance.choice(_logs()) for _ in range(chance.choice((1, 1, 1, 2, 5))))
    if chance.random() < 0.8:
        text = mutate.text(chance, text)
    match chance.randrange(8):
        case 0:
            text = text.replace("\n", "\r\n")
        case 1:
            text = text.replace("\n", "\x1b[0m\n\x1b[31m")
        case 2:
            text = text[: chance.randrange(len(text) + 1)]
        case 3:
            text = "> " + text.replace("\n", "\n> ")
        case 4:
            text = json.dumps({"log": text}, ensure_ascii=False)
        case _:
            pass
    return text


def explain(inputs: Sequence[str], folder: Path) -> None:
    """Something is told of a log, or it is bad input; in each form of output."""
    for number, one in enumerate(inputs):
        path = folder / "log.txt"
        path.write_bytes(one.encode("utf-8", "surrogatepass"))
        output = ("text", "json", "text", "calls")[number % 4]
        done = ended(["explain", str(path), "--output", output, "--lang", ("en", "zh")[number % 2]])
        done.expect(2 if done.refused else 0)


def reproduce(inputs: Sequence[str], folder: Path) -> None:
    """A program of what failed, or why there is none."""
    for one in inputs:
        path = folder / "log.txt"
        path.write_bytes(one.encode("utf-8", "surrogatepass"))
        done = ended(["reproduce", str(path), "--out", str(folder / "programs")])
        done.expect(2 if done.refused else 0)
