"""What a check costs: ratios measured side by side in one run, never wall time alone.

    python benchmarks/check.py

Prints a cold ``opspec check`` against a bare interpreter, and a warm legal check against the same conditions written
by hand and against the reference interpreter.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from opspec.registry.registry import Registry
from opspec.validator.convert import arguments
from opspec.validator.judge import judge, judge_by_interpreter
from opspec.vocabulary import promotion, shapes

OP = "aclnnGeluBackwardV2"


def tensor(*shape: int) -> dict[str, object]:
    """A FLOAT16 tensor in the JSON form."""
    return {"tensor": {"shape": list(shape), "dtype": "FLOAT16", "format": "ND"}}


LEGAL = {"gradOutput": tensor(4, 16), "self": tensor(4, 16), "approximate": "tanh", "gradInput": tensor(4, 16)}
ILLEGAL = {**LEGAL, "approximate": "sine"}


def cold(command: list[str], runs: int = 21) -> float:
    """Median wall time of a command in milliseconds, byte code cached."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
        times.append(time.perf_counter() - start)
    return median(times) * 1000


def warm(function: Callable[[], object], repeat: int = 200) -> float:
    """Best of many short runs of the mean time of a call, in microseconds: other work on the machine hits only some."""
    best = float("inf")
    for _ in range(50):
        start = time.perf_counter()
        for _ in range(repeat):
            function()
        best = min(best, (time.perf_counter() - start) / repeat)
    return best * 1e6


def by_hand(*typed: Any) -> bool:
    """The conditions that the runtime enforces, as one would type them."""
    grad, self, approximate, out = typed
    computed = promotion.promote(grad.dtype, self.dtype)
    return (
        computed in ("FLOAT16", "BFLOAT16", "FLOAT")
        and out.dtype == computed
        and all(t.format == "ND" and len(t.shape) <= 8 for t in (grad, self, out))
        and out.shape == shapes.broadcast(grad.shape, self.shape)
        and approximate in ("none", "tanh")
    )


def main() -> None:
    """Measure and print."""
    bare = cold([sys.executable, "-c", "pass"])
    print(f"python -c pass: {bare:.1f} ms")
    with tempfile.TemporaryDirectory() as folder:
        for name, args in (("legal", LEGAL), ("illegal", ILLEGAL)):
            path = os.path.join(folder, f"{name}.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"op": OP, "product": "910b", "args": args}, file)
            took = cold([sys.executable, "-m", "opspec", "check", path])
            print(f"cold opspec check, {name} call: {took:.1f} ms = {took / bare:.1f} x")
    form = Registry().form(OP)
    typed = arguments(OP, form.params, LEGAL)
    hand = warm(lambda: by_hand(*typed))
    compiled = warm(lambda: judge(form, typed, "910b"))
    slow = warm(lambda: judge_by_interpreter(form, typed, "910b"), 20)
    convert = warm(lambda: arguments(OP, form.params, LEGAL))
    print(f"warm legal check: {compiled:.1f} us = {compiled / hand:.1f} x the same by hand ({hand:.1f} us)")
    print(f"reference interpreter: {slow / compiled:.0f} x the compiled check")
    print(f"reading the arguments from JSON values: {convert / compiled:.1f} x the check")


if __name__ == "__main__":
    main()
