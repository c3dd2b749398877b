"""What a check costs: ratios measured side by side in one run, never wall time alone, each beside its target.

    python benchmarks/check.py

What is compared takes turns, and the best turn of each counts: other work on the machine hits long ones more often.
Rules written by hand stand for the least that judging a call can cost, ``json.loads`` for the least that reading one
can. ``python benchmarks`` runs this with the others.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from functools import partial
from itertools import cycle, islice
from typing import Any

from figures import SHARE, Figure, head

import opspec
from opspec.cli.check import OUTPUTS
from opspec.cli.main import COLLECTED
from opspec.cli.main import main as command
from opspec.model.example import example_of
from opspec.registry.registry import Registry, definition_of, spec_of
from opspec.validator.arguments import arguments_of
from opspec.validator.judge import judge, judge_by_interpreter
from opspec.vocabulary import promotion, shapes

OP, PRODUCT = "aclnnGeluBackwardV2", "910b"
LINES = 20_000  # of the files that are judged in one go
MANY = 100_000  # of those that are worth several processes
FAULTS = 5  # of a faulty call
MIXED = 40  # operators whose specs' examples are such a file


def tensor(*shape: int) -> dict[str, object]:
    """A FLOAT16 tensor in the JSON form."""
    return {"tensor": {"shape": list(shape), "dtype": "FLOAT16", "format": "ND"}}


LEGAL = {"gradOutput": tensor(4, 16), "self": tensor(4, 16), "approximate": "tanh", "gradInput": tensor(4, 16)}
BROADCAST = {**LEGAL, "self": tensor(1, 16)}
ILLEGAL = {**LEGAL, "approximate": "sine"}


class Times:
    """Seconds that each of some functions took, turn by turn."""

    def __init__(self, functions: Mapping[str, Callable[[], object]], *, turns: int, repeat: int = 1) -> None:
        self.repeat = repeat
        self.taken: dict[str, list[float]] = {name: [] for name in functions}
        for function in functions.values():
            function()
        for _ in range(-(-turns // SHARE)):
            for name, function in functions.items():
                start = time.perf_counter()
                for _ in range(repeat):
                    function()
                self.taken[name].append(time.perf_counter() - start)

    def best(self, name: str) -> float:
        """Seconds of one call in the best turn."""
        return min(self.taken[name]) / self.repeat

    def ratio(self, name: str, other: str) -> float:
        """How many times ``other`` a function takes, each in its best turn."""
        return self.best(name) / self.best(other)


# --- one call


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


def by_hand_from_json(args: Any) -> bool:
    """The same conditions on the JSON values, which are taken to be sound."""
    grad, self, out = args["gradOutput"]["tensor"], args["self"]["tensor"], args["gradInput"]["tensor"]
    computed = promotion.promote(grad["dtype"], self["dtype"])
    return (
        computed in ("FLOAT16", "BFLOAT16", "FLOAT")
        and out["dtype"] == computed
        and all(t["format"] == "ND" and len(t["shape"]) <= 8 for t in (grad, self, out))
        and tuple(out["shape"]) == shapes.broadcast(grad["shape"], self["shape"])
        and args["approximate"] in ("none", "tanh")
    )


def warm() -> Iterator[Figure]:
    """One call judged again and again."""
    form = Registry().form(OP)
    typed, stretched, wrong = (arguments_of(form, args) for args in (LEGAL, BROADCAST, ILLEGAL))
    for args, status in ((typed, 0), (stretched, 0), (wrong, 161002)):
        assert judge(form, args, PRODUCT).code == by_hand(PRODUCT, *args) == status
    named: dict[str, Any] = dict(zip(LEGAL, typed, strict=True))
    times = Times(
        {
            "hand": lambda: by_hand(PRODUCT, *typed),
            "hand, stretched": lambda: by_hand(PRODUCT, *stretched),
            "hand on dicts": lambda: by_hand_from_json(LEGAL),
            "legal": lambda: judge(form, typed, PRODUCT),
            "stretched": lambda: judge(form, stretched, PRODUCT),
            "illegal": lambda: judge(form, wrong, PRODUCT).to_dict(),
            "dicts": lambda: judge(form, arguments_of(form, LEGAL), PRODUCT),
            "named": lambda: opspec.check(OP, product=PRODUCT, **named),
        },
        turns=60,
        repeat=100,
    )
    for what, name, other, most in (
        ("legal call, prepared arguments, to one by hand", "legal", "hand", 1.0),
        ("legal call that broadcasts, to one by hand", "stretched", "hand, stretched", 1.0),
        ("legal call from JSON-like dicts, to one by hand", "dicts", "hand on dicts", 2.0),
        ("opspec.check with keyword arguments, to one by hand", "named", "hand", 2.5),
        ("illegal call with all its messages, to one by hand", "illegal", "hand", 8.0),
    ):
        yield Figure(what, f"{times.best(name) * 1e6:.1f} us", times.ratio(name, other), "x", most)
    slow = Times({"reference": lambda: judge_by_interpreter(form, typed, PRODUCT)}, turns=20, repeat=10)
    cost = slow.best("reference")
    what = "reference interpreter, to the compiled check"
    yield Figure(what, f"{cost * 1e6:.1f} us", cost / times.best("legal"), "x", None)


# --- processes and files


def cold(folder: str) -> Iterator[Figure]:
    """``opspec check`` of one call in a process of its own, against an interpreter that does nothing."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}

    def process(*words: str) -> Callable[[], object]:
        run = [sys.executable, *words]
        return lambda: subprocess.run(run, env=environment, stdout=subprocess.DEVNULL, check=False)

    functions = {"bare": process("-c", "pass")}
    for name, args in (("legal", LEGAL), ("illegal", ILLEGAL)):
        path = os.path.join(folder, f"{name}.json")
        write(path, [{"op": OP, "product": PRODUCT, "args": args}])
        functions[name] = process("-m", "opspec", "check", path)
    times = Times(functions, turns=25)
    for name in ("legal", "illegal"):
        what = f"cold opspec check of one {name} call, to python -c pass"
        yield Figure(what, f"{times.best(name) * 1e3:.0f} ms", times.ratio(name, "bare"), "x", 3.0)


def batch(folder: str) -> Iterator[Figure]:
    """Files of legal calls in one process and in all, against the reading of their JSON alone."""
    alike = [
        {"id": f"call {i}", "op": OP, "product": PRODUCT, "args": LEGAL | dict.fromkeys(TENSORS, tensor(1 + i % 9, 16))}
        for i in range(LINES)
    ]
    cores = len(os.sched_getaffinity(0))
    for title, calls in (("one operator", alike), (f"{MIXED} operators", list(islice(cycle(mixed()), LINES)))):
        path = os.path.join(folder, "calls.jsonl")
        write(path, calls)
        outputs = ("summary", "text", "jsonl")
        times = Times({"json.loads": partial(loads, path)} | {o: partial(check, path, o) for o in outputs}, turns=7)
        for output in outputs:
            what = f"JSONL, {title}, --output {output}: json.loads to it"
            cost = f"{times.best(output) / LINES * 1e6:.1f} us"
            yield Figure(what, cost, 100 * times.ratio("json.loads", output), "%", 25, least=True)
        for lines, target in ((LINES, 1.0), (MANY, 0.8 * cores)) if cores > 1 else ():
            write(path, islice(cycle(calls), lines))
            times = Times({str(jobs): partial(check, path, "jsonl", jobs) for jobs in (1, cores)}, turns=3)
            what = f"JSONL, {title}, {lines // 1000}k, one process to --jobs {cores}"
            yield Figure(what, f"{times.best(str(cores)):.2f} s", times.ratio("1", str(cores)), "x", target, least=True)


TENSORS = ("gradOutput", "self", "gradInput")


def faulty(folder: str) -> Iterator[Figure]:
    """Files of calls that break five rules each, in every form of output, against the reading of their JSON alone."""
    alike = [{"id": f"call {i}", "op": OP, "product": PRODUCT, "args": spoilt(LEGAL, i)} for i in range(LINES)]
    many = [{**call, "args": args} for call in mixed() if (args := broken(call)) is not None]
    for title, calls in (("one operator", alike), (f"{len(many)} operators", list(islice(cycle(many), LINES)))):
        path = os.path.join(folder, "faulty.jsonl")
        write(path, calls)
        times = Times(
            {"json.loads": partial(loads, path)} | {o: partial(check, path, o, status=1) for o in OUTPUTS}, turns=3
        )
        for output in OUTPUTS:
            what = f"JSONL, five faults each, {title}, {output}: json.loads to it"
            cost = f"{times.best(output) / LINES * 1e6:.1f} us"
            yield Figure(what, cost, 100 * times.ratio("json.loads", output), "%", 10, least=True)


def spoilt(args: dict[str, Any], number: int) -> dict[str, Any]:
    """Arguments that break five rules; those of each number have other shapes."""
    rows = 1 + number % 97
    wrong = {"gradOutput": tensor(rows, 16), "self": tensor(rows, 16), "gradInput": tensor(rows + 1 + number % 89, 16)}
    for name, facet, value in (
        ("gradOutput", "dtype", "INT32"),
        ("gradInput", "dtype", "INT8"),
        ("self", "format", "FRACTAL_NZ"),
    ):
        wrong[name]["tensor"][facet] = value  # type: ignore[index]
    return {**args, **wrong}


def broken(call: dict[str, Any]) -> dict[str, Any] | None:
    """A call's arguments with tensor after tensor made wrong until they break five rules; None where they never do."""
    args = json.loads(json.dumps(call["args"]))
    for value in args.values():
        if isinstance(value, dict) and isinstance(value.get("tensor"), dict):
            value["tensor"] = {"shape": [2] * 9, "dtype": "STRING", "format": "FRACTAL_NZ"}
            if len(opspec.check(call["op"], product=call["product"], args=args).violations) >= FAULTS:
                return args  # type: ignore[no-any-return]
    return None


def mixed() -> list[dict[str, Any]]:
    """The examples of specs from all over the registry."""
    known = Registry()
    entries = list(known.entries(known.releases()[-1]).values())
    found: list[dict[str, Any]] = []
    for entry in entries[:: len(entries) // (2 * MIXED)]:
        spec = spec_of(entry)
        if spec.example is not None and len(found) < MIXED and entry.operator == spec.operator:
            product, args = example_of(definition_of(entry))
            found.append({"id": f"of {entry.operator}", "op": entry.operator, "product": product, "args": args})
    return found


def write(path: str, calls: Iterable[dict[str, Any]]) -> None:
    """A file of calls."""
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(call) + "\n" for call in calls)


def loads(path: str) -> None:
    """What reading a file's JSON costs."""
    with open(path, encoding="utf-8") as file:
        for text in file:
            json.loads(text)


def check(path: str, output: str, jobs: int = 1, status: int = 0) -> None:
    """``opspec check`` of a file, as the console script runs it; its output goes to a file, too."""
    gc.set_threshold(*COLLECTED)
    with open(os.devnull, "w", encoding="utf-8") as output_file, redirect_stdout(output_file):
        assert command(["check", "--output", output, "--jobs", str(jobs), path]) == status


def figures() -> Iterator[Figure]:
    """What a check costs in a process that is there, in one of its own, and over files."""
    yield from warm()
    with tempfile.TemporaryDirectory() as folder:
        yield from cold(folder)
        yield from batch(folder)
        yield from faulty(folder)


if __name__ == "__main__":
    print(head(), *figures(), sep="\n")
