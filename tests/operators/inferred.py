"""Figures on inferred outputs: how many are right, and how many calls they complete.

``python -m tests.operators.inferred INFER DEVICE [--write]`` reads calls of the vendor's shape-inference tests, which
say what shapes they expect, and inputs of its device tests, which ran; it prints where the two differ from what the
rules give, which operators are determined, and compares the figures with those that are committed beside this file.
``inferred.yaml`` says why outputs of the tests are not as inferred; what it does not say is printed, and ends the
command with 1. The files of calls are not part of this repository.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from opspec.errors import OpspecError
from opspec.registry.registry import Form, registry
from opspec.validator.infer import Inference, InferredTensor, inferred
from opspec.yamltext import read_file

COMMITTED = Path(__file__).with_name("inferred.json")
EXPLAINED = Path(__file__).with_name("inferred.yaml")
MOST_SHOWN = 60
PRODUCT = "910b"  # that calls which name none ran on

Figures = dict[str, dict[str, int]]
Differing = Counter[tuple[str, str, str]]  # operator, output, "wrong" or "open"


def records(path: str) -> Iterator[dict[str, Any]]:
    """The lines of a file of recorded calls."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def of_tests(path: str, differing: Differing) -> Counter[str]:
    """Outputs of the shape-inference tests: right, wrong or open."""
    counts: Counter[str] = Counter()
    for record in records(path):
        if record["expect"] != "SUCCESS" or not record["expect_outputs"]:
            continue
        form = registry().form(record["op"])
        args = {name: value for name, value in record["args"].items() if name not in form.info.outputs}
        try:
            found = inferred(form, args, record["product"])
        except OpspecError:
            counts["calls without what they need"] += 1
            continue
        for name, wanted in record["expect_outputs"].items():
            way = _way(_shapes(found, name), _expected(wanted), _sure(found, name))
            counts[f"outputs {way}"] += 1
            if way != "right":
                differing[record["op"], name, way if way == "open" else "wrong"] += 1
    return counts


def explained() -> Iterator[tuple[tuple[str, str, str], int, str]]:
    """What is known not to be as inferred: where, in how many calls, and the kind of reason."""
    items: Any = read_file(EXPLAINED).value
    for item in items:
        for output in item["outputs"]:
            yield (item["operator"], output, item["way"]), int(item["calls"]), item["kind"]


def reasons() -> Counter[str]:
    """How many outputs are explained, by way and kind."""
    counts: Counter[str] = Counter()
    for (_, _, way), calls, kind in explained():
        counts[f"{way}: {kind}"] += calls
    return counts


def without_reason(differing: Differing) -> Differing:
    """What differs and is not explained; below zero what is explained and no longer so."""
    left: Differing = Counter(differing)
    for where, calls, _ in explained():
        left[where] -= calls
    return Counter({where: count for where, count in left.items() if count})


def _shapes(found: Inference, name: str) -> list[list[int] | None]:
    output = found.outputs.get(name)
    items: tuple[InferredTensor | None, ...] = output if isinstance(output, tuple) else (output,)
    return [None if item is None or item.shape is None else list(item.shape) for item in items]


def _expected(wanted: Any) -> list[list[int]]:
    return [item["shape"] for item in (wanted if isinstance(wanted, list) else [wanted])]


def _sure(found: Inference, name: str) -> bool:
    output = found.outputs.get(name)
    items = output if isinstance(output, tuple) else (output,)
    return all(item is not None and "shape" in item.determined for item in items)


def _way(found: list[list[int] | None], wanted: list[list[int]], sure: bool) -> str:
    if None in found:
        return "open"
    return "right" if found == wanted else "wrong though determined" if sure else "guessed wrong"


def of_devices(path: str, shown: Counter[str]) -> tuple[Counter[str], dict[str, bool]]:
    """Calls that ran, completed; and of each operator whether they determine shape and dtype of all outputs."""
    counts: Counter[str] = Counter()
    determined: dict[str, bool] = defaultdict(lambda: True)
    for record in records(path):
        form = registry().form(record["op"])
        try:
            found = inferred(form, {name: _first(value) for name, value in record["args"].items()}, PRODUCT)
        except OpspecError:
            counts["without what they need"] += 1
            continue
        determined[record["op"]] &= found.determined
        way = _completed(form, found)
        counts[way] += 1
        if way != "legal":
            rules = "" if found.verdict is None else ", ".join(item.rule for item in found.verdict.violations)
            shown[f"{way}: {record['op']} {rules}".rstrip()] += 1
    return counts, determined


def _completed(form: Form, found: Inference) -> str:
    if found.verdict is None:
        return "open"
    if found.legal:
        return "legal"
    about = {rule.id: {name for name, _ in rule.facts} for rule in form.info.rules}
    if any(not about.get(item.rule, set()) & {*found.outputs} for item in found.verdict.violations):
        return "illegal by their inputs alone"
    return "illegal with any outputs" if found.against else "illegal with these outputs"


def _first(value: Any) -> Any:
    """A list of values is a choice; a range that is none says nothing."""
    if isinstance(value, list):
        return value[0]
    if isinstance(value, dict):
        return {kind: _without_range(part) for kind, part in value.items()}
    return value


def _without_range(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: value for key, value in part.items() if key != "range"}
    return [_without_range(item) for item in part] if isinstance(part, list) else part


def main(words: list[str]) -> int:
    """The command: 0 as good as what is committed, 1 worse."""
    shown: Counter[str] = Counter()
    differing: Differing = Counter()
    tests = of_tests(words[0], differing)
    unexplained = without_reason(differing)
    devices, determined = of_devices(words[1], shown)
    for text, count in shown.most_common(MOST_SHOWN):
        print(f"{count:5}  {text}")
    for name, whole in sorted(determined.items()):
        print(f"{'determined' if whole else 'not determined':15} {name}")
    for (operator, output, way), count in sorted(unexplained.items()):
        print(f"{way}, {count:+} against inferred.yaml: {operator}.{output}")
    operators = {"determined": sum(determined.values()), "all": len(determined)}
    now: Figures = {
        "tests": dict(sorted(tests.items())),
        "explained": dict(sorted(reasons().items())),
        "devices": dict(sorted(devices.items())),
        "operators": operators,
    }
    print(json.dumps(now, indent=1))
    if "--write" in words:
        COMMITTED.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
        return 0
    before: Figures = json.loads(COMMITTED.read_text(encoding="utf-8"))
    good = [("tests", "outputs right"), ("devices", "legal"), ("operators", "determined")]
    return int(bool(unexplained) or any(now[part][name] < before[part][name] for part, name in good))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
