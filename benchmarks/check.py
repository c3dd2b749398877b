"""What a check costs: ratios measured side by side in one run, never wall time alone, each beside its target.

    python benchmarks/check.py

What is compared takes turns in short rounds, and the best round of each counts: so a busy machine slows both.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from typing import Any

from opspec.registry.registry import Registry
from opspec.validator.convert import arguments
from opspec.validator.judge import judge, judge_by_interpreter
from opspec.vocabulary import promotion, shapes

OP = "aclnnGeluBackwardV2"
PRODUCT = "910b"


def tensor(*shape: int) -> dict[str, object]:
    """A FLOAT16 tensor in the JSON form."""
    return {"tensor": {"shape": list(shape), "dtype": "FLOAT16", "format": "ND"}}


LEGAL = {"gradOutput": tensor(4, 16), "self": tensor(4, 16), "approximate": "tanh", "gradInput": tensor(4, 16)}
BROADCAST = {**LEGAL, "self": tensor(1, 16)}
ILLEGAL = {**LEGAL, "approximate": "sine"}


def best_of(runs: Mapping[str, Callable[[], object]], rounds: int, repeat: int) -> dict[str, float]:
    """The best mean time of a round of ``repeat`` runs, in microseconds, of functions that take turns."""
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            start = time.perf_counter()
            for _ in range(repeat):
                run()
            best[name] = min(best[name], (time.perf_counter() - start) / repeat * 1e6)
    return best


def line(what: str, ratio: float, target: float, than: str, took: str) -> None:
    """One row of the table."""
    mark = "ok" if ratio <= target else "MISSED"
    print(f"{what:<44} {ratio:6.2f} x {than:<22} target {target:5.2f}  {mark:<6} {took}")


DTYPES = {"910": ("FLOAT16", "FLOAT"), "310p": ("FLOAT16", "FLOAT")}
ALL_DTYPES = ("FLOAT16", "BFLOAT16", "FLOAT")


def by_hand(product: str, grad: Any, self: Any, approximate: Any, out: Any) -> int:
    """The status of the first phase, as one would type its conditions: those of the spec, in its order."""
    if grad is None or self is None or approximate is None or out is None:
        return 161001
    if product == "310b":
        return 161002
    dtypes = DTYPES.get(product, ALL_DTYPES)
    if grad.dtype not in dtypes or self.dtype not in dtypes or out.dtype not in dtypes:
        return 161002
    computed = promotion.promote(grad.dtype, self.dtype)
    if computed not in dtypes or out.dtype != computed:
        return 161002
    if grad.format != "ND" or self.format != "ND" or out.format != "ND":
        return 161002
    if len(grad.shape) > 8 or len(self.shape) > 8 or len(out.shape) > 8:
        return 161002
    if out.shape != shapes.broadcast(grad.shape, self.shape):
        return 161002
    return 0 if approximate in ("none", "tanh") else 161002


def main() -> None:
    """Measure and print."""
    cold()
    warm()


def cold() -> None:
    """``opspec check`` of one call from a file, byte code cached."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}

    def runs(*command: str) -> Callable[[], object]:
        def run() -> None:
            done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
            assert done.returncode in (0, 1), command

        return run

    with tempfile.TemporaryDirectory() as folder:
        todo = {"bare": runs(sys.executable, "-c", "pass")}
        for name, args in (("legal", LEGAL), ("illegal", ILLEGAL)):
            path = os.path.join(folder, f"{name}.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"op": OP, "product": PRODUCT, "args": args}, file)
            todo[name] = runs(sys.executable, "-m", "opspec", "check", path)
        took = best_of(todo, 21, 1)
    for name in ("legal", "illegal"):
        of = f"{took[name] / 1000:.0f} ms"
        line(f"cold opspec check, {name} call", took[name] / took["bare"], 3.0, "python -c pass", of)


def warm() -> None:
    """Calls whose operator was seen before."""
    form = Registry().form(OP)
    legal, broadcast, illegal = (arguments(OP, form.params, args) for args in (LEGAL, BROADCAST, ILLEGAL))
    for args, status in ((legal, 0), (broadcast, 0), (illegal, 161002)):
        assert judge(form, args, PRODUCT).code == by_hand(PRODUCT, *args) == status
    took = best_of(
        {
            "by hand": lambda: by_hand(PRODUCT, *legal),
            "legal": lambda: judge(form, legal, PRODUCT),
            "broadcast by hand": lambda: by_hand(PRODUCT, *broadcast),
            "broadcast": lambda: judge(form, broadcast, PRODUCT),
            "no product": lambda: judge(form, legal),
            "illegal": lambda: judge(form, illegal, PRODUCT),
            "messages": lambda: [finding.message for finding in judge(form, illegal, PRODUCT).violations],
            "read": lambda: arguments(OP, form.params, LEGAL),
            "interpreter": lambda: judge_by_interpreter(form, legal, PRODUCT),
        },
        400,
        20,
    )
    hand = took["by hand"]
    rows = (
        ("legal call", "legal", hand, 1.0),
        ("legal call that broadcasts", "broadcast", took["broadcast by hand"], 1.0),
        ("legal call, product not known", "no product", hand, 1.0),
        ("illegal call, its messages unread", "illegal", hand, 15.5),
        ("illegal call with its messages", "messages", hand, 15.5),  # 40 us where by hand takes 2.6
    )
    for what, name, than, target in rows:
        line(what, took[name] / than, target, "the same by hand", f"{took[name]:.2f} us against {than:.2f}")
    print(f"reading the arguments from JSON values: {took['read'] / took['legal']:.1f} x the check")
    print(f"reference interpreter: {took['interpreter'] / took['legal']:.0f} x the compiled check")


if __name__ == "__main__":
    main()
