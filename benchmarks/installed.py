"""What the first check of an operator costs an installed package, as in a CI job or a container, which start cold.

    OPSPEC_WHEEL=dist/opspec-….whl python benchmarks/installed.py

Without the variable nothing is measured: a wheel takes minutes to build. It is installed into a virtual environment of
its own, beside this one's dependencies. ``python benchmarks`` runs this with the others.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from figures import Figure, head

from opspec.model.example import example_of
from opspec.registry.registry import definition_of, registry, spec_of

WHEEL = "OPSPEC_WHEEL"  # environment variable
OPERATORS = 100

#: run by the package: milliseconds of the processor that forms take to load, and first checks with that
MEASURE = """
import json, sys, time
import opspec
from opspec.registry.registry import registry
known = registry()
loads, checks = [], []
for number, call in enumerate(json.load(sys.stdin)):
    start = time.process_time()
    known.form(call["op"], call["release"])
    loaded = time.process_time()
    opspec.check(call["op"], release=call["release"], product=call["product"], args=call["args"]).to_dict()
    if number:  # the first also loads the package
        loads.append(loaded - start)
        checks.append(time.process_time() - start)
print(json.dumps([1e3 * sum(loads) / len(loads), 1e3 * sum(checks) / len(checks)]))
"""


def figures() -> Iterator[Figure]:
    """The means over operators from all over the registry, with a cache that is empty."""
    wheel = os.environ.get(WHEEL)
    if not wheel:
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = os.path.join(folder, "bin", "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", wheel], check=True)
        environment = {**os.environ, "OPSPEC_CACHE": os.path.join(folder, "cache")}
        measured = subprocess.run(
            [python, "-c", MEASURE], input=json.dumps(calls()), env=environment, cwd=folder, text=True,
            stdout=subprocess.PIPE, check=True,
        )  # fmt: skip
    load, check = json.loads(measured.stdout)
    yield Figure("an installed package loads a compiled form", f"{load:.1f} ms", load, "ms", 3.0)
    yield Figure("an installed package checks an operator for the first time", f"{check:.1f} ms", check, "ms", 20.0)


def calls() -> list[dict[str, object]]:
    """The examples of so many operators, and of one before them, in no order of their names."""
    known = registry()
    release = known.releases()[-1]
    entries = list(known.entries(release).values())
    random.Random(0).shuffle(entries)
    found: list[dict[str, object]] = []
    for entry in entries:
        spec = spec_of(entry)
        if spec.example is not None and entry.operator == spec.operator:
            product, args = example_of(definition_of(entry))
            found.append({"op": entry.operator, "release": release, "product": product, "args": args})
        if len(found) == OPERATORS + 1:
            break
    return found


if __name__ == "__main__":
    print(head(), *figures(), sep="\n")
