"""What people wait for: repairs, examples and cases of hard operators, calls with thousands of tensors.

    python benchmarks/searches.py

Seconds are of the processor, of a process of its own or of this one. ``python benchmarks`` runs this with the others.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from figures import Figure, head

import opspec
from opspec.model.example import example_of
from opspec.registry.registry import definition_of, registry

HARD = "aclnnFusedInferAttentionScoreV3"
TENSORS = (1_000, 3_000, 6_000)  # of the calls of aclnnIndex


def figures() -> Iterator[Figure]:
    """Long searches in seconds, and how the cost of a long list grows."""
    yield from repairs()
    for what, words in (
        (f"opspec example {HARD} --count 10", ("example", HARD, "--count", "10")),
        ("opspec cases aclnnAdd", ("cases", "aclnnAdd")),
    ):
        taken = command(*words)
        yield Figure(what, f"{taken:.2f} s", taken, "s", 3.0)
    yield from lists()


def repairs() -> Iterator[Figure]:
    """Calls that have one thing wrong, each of another argument: by the command, and in a process that is there."""
    entry = registry().find(HARD)
    product, args = example_of(definition_of(entry))
    calls = [wrong for name in args if (wrong := spoilt(args, name)) is not None]
    assert not any(opspec.check(HARD, product=product, args=wrong).legal for wrong in calls)
    opspec.repair(HARD, product=product, args=calls[0])
    taken = [seconds(partial(opspec.repair, HARD, product=product, args=wrong)) for wrong in calls]
    yield Figure(f"opspec.repair of a call of {HARD}, slowest", f"{max(taken):.2f} s", max(taken), "s", 0.5)
    alone = max(repaired(wrong, product) for wrong in calls)
    yield Figure(f"opspec repair of a call of {HARD}, slowest", f"{alone:.2f} s", alone, "s", 0.5)


def repaired(args: dict[str, Any], product: str | None) -> float:
    """What the command takes of the processor that repairs one call."""
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump({"op": HARD, "product": product, "args": args}, file)
        file.flush()
        return command("repair", file.name)


def spoilt(args: dict[str, Any], name: str) -> dict[str, Any] | None:
    """The arguments with another dtype of a tensor, or another number or word; None of what has neither."""
    wrong = json.loads(json.dumps(args))
    match wrong[name]:
        case {"tensor": {"dtype": _}}:
            wrong[name]["tensor"]["dtype"] = "INT32"
        case str():
            wrong[name] = "none of these"
        case _:
            return None
    return wrong  # type: ignore[no-any-return]


def lists() -> Iterator[Figure]:
    """What a tensor costs in a list of thousands, to what it costs in a shorter one: 1 where the cost is linear."""
    for name, judged in (("check", check), ("infer", infer)):
        taken = {count: min(seconds(partial(judged, count)) for _ in range(3)) for count in TENSORS}
        few = taken[TENSORS[0]] / TENSORS[0]
        for count in TENSORS[1:]:
            what = f"opspec.{name}, aclnnIndex with {count:,} tensors, each to one of {TENSORS[0]:,}"
            yield Figure(what, f"{taken[count] * 1e3:.0f} ms", taken[count] / count / few, "x", 1.5)


def check(count: int) -> None:
    """A call with so many index tensors, with its words."""
    opspec.check("aclnnIndex", product="910b", args={**inputs(count), "out": opspec.Tensor((4,), "FLOAT")}).to_dict()


def infer(count: int) -> None:
    """The output of a call with so many index tensors."""
    opspec.infer("aclnnIndex", product="910b", args=inputs(count)).to_dict()


def inputs(count: int) -> dict[str, Any]:
    """The inputs of such a call."""
    shapes = ((4,), (1,), (4, 4))
    indices = [opspec.Tensor(shapes[number % 3], "INT64") for number in range(count)]
    return {"self": opspec.Tensor((3, 4), "FLOAT"), "indices": indices}


def seconds(function: Callable[[], object]) -> float:
    """What a call takes of the processor."""
    start = time.process_time()
    function()
    return time.process_time() - start


def command(*words: str) -> float:
    """What a command takes of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "opspec", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    print(head(), *figures(), sep="\n")
