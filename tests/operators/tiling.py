"""Figures against the vendor's tiling tests: what fails there and is refused, what succeeds and is refused, sorted.

``python -m tests.operators.tiling FILE [--write]`` prints counts by kind of interface, and of what succeeds though it
is refused what the refusal rests on; it compares them with those that are committed beside this file. Tiling tests are
sloppy where tiling does not look: an output's shape, an input that is not used. The file is not part of this
repository.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from opspec.registry.info import RuleInfo
from opspec.registry.registry import Registry
from opspec.validator.read import calls
from opspec.workshop.conformance.seen import BAD_INPUT, SUCCESS, Seen, Witness

RELEASE = "9.1.0"
COMMITTED = Path(__file__).with_name("tiling.json")
MOST_SHOWN = 40

Figures = dict[str, dict[str, int]]


def measured(path: str, shown: Counter[str]) -> Figures:
    """The counts, by kind of interface."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        records: list[dict[str, Any]] = [json.loads(line) for line in file]
    registry = Registry(())
    seen = Witness(registry, RELEASE).seen(calls(path), ran=True)
    found: dict[str, Counter[str]] = {}
    for record, call in zip(records, seen, strict=True):
        counts = found.setdefault(record["interface"], Counter())
        refused = call.predicted != SUCCESS
        counts[f"{record['expect']} {'refused' if refused else 'legal' if call.legal else 'illegal'}"] += 1
        if refused and record["expect"] == "SUCCESS":
            form = registry.form(call.op, RELEASE)
            rules = {rule.id: rule for rule in form.info.rules}
            reason = rests_on(record, call, rules, form.info.outputs)
            counts[f"refused though it succeeds: {reason}"] += 1
            shown[f"{record['interface']}: {reason}: {call.op} {', '.join(call.refused[:3])}"] += 1
    return {name: dict(sorted(counts.items())) for name, counts in sorted(found.items())}


def rests_on(record: dict[str, Any], call: Seen, rules: dict[str, RuleInfo], outputs: tuple[str, ...]) -> str:
    """What the refusal of a call that succeeds in tiling rests on."""
    if call.predicted == BAD_INPUT or not call.refused:
        return "no such call can be made"
    broken = [rules[name] for name in call.refused]
    if any(rule.is_lookup for rule in broken):
        return "the kernel lookup, which the test goes around"
    if all({name for name, _ in rule.facts} & {*outputs} for rule in broken):
        return "an output, which the test need not set"
    if record.get("notes"):
        return "an argument that was matched by position or left out"
    if any(rule.kind in ("null", "reserved") or rule.param is None for rule in broken):
        return "arguments together, some of them not used"
    return "an input: documented, but not looked at"


def main(words: list[str]) -> int:
    """The command: 0 as good as what is committed, 1 worse."""
    shown: Counter[str] = Counter()
    now = measured(words[0], shown)
    for text, count in shown.most_common(MOST_SHOWN):
        print(f"{count:5}  {text}")
    for name, counts in now.items():
        for expect, good in (("FAILED", "refused"), ("SUCCESS", "legal")):
            total = sum(count for key, count in counts.items() if key.startswith(expect))
            print(f"{name}: {counts.get(f'{expect} {good}', 0)} of {total} {expect} are {good}")
    print(json.dumps(now, indent=1))
    if "--write" in words:
        COMMITTED.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
        return 0
    before: Figures = json.loads(COMMITTED.read_text(encoding="utf-8"))
    good_ones = ("FAILED refused", "SUCCESS legal")
    return int(any(now[name].get(key, 0) < part.get(key, 0) for name, part in before.items() for key in good_ones))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
