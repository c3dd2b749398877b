"""The registry's figures against recorded calls, committed beside this file.

``python -m tests.operators.figures`` measures them anew; a figure that falls needs a reason in the changelog.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from opspec.calls.read import calls
from opspec.conformance.measure import measure
from opspec.registry.coverage import count, total
from opspec.registry.folders import built_in
from opspec.registry.registry import Registry
from opspec.spec.load import load_file
from tests.paths import SHARED

RELEASE = "9.1.0"
COMMITTED = Path(__file__).with_name("figures.json")


def measured() -> dict[str, dict[str, object]]:
    """Agreement with the recorded tests and samples, with and without what specs have learned from them; coverage."""
    found: dict[str, dict[str, object]] = {}
    for name in ("tests", "samples"):
        for document_only in (False, True):
            registry = Registry(())  # its forms are changed by looking at the documents alone
            records = calls(str(SHARED / "cases" / f"{name}.jsonl.gz"), sys.stdin)
            result = measure(registry, records, RELEASE, document_only)
            found[f"{name}, document only" if document_only else name] = {
                "calls": result.total,
                "exact": round(result.exact, 4),
                "false alarms": round(result.false_alarms, 4),
                "not in the registry": result.unknown.total(),
            }
    found["coverage"] = total(count(load_file(str(path))) for path in specs()).to_dict()
    return found


def specs() -> list[Path]:
    """The spec files of the release."""
    return sorted(Path(built_in(), RELEASE).glob("*/*.yaml"))


def committed() -> dict[str, dict[str, object]]:
    """What was measured last."""
    known: dict[str, dict[str, object]] = json.loads(COMMITTED.read_text(encoding="utf-8"))
    return known


if __name__ == "__main__":
    COMMITTED.write_text(json.dumps(measured(), indent=1) + "\n", encoding="utf-8")
