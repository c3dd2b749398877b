"""What is fuzzed: how an input is made by chance, and how the program is given it."""

from __future__ import annotations

from tests.fuzz import of_agents, of_calls, of_logs, of_specs
from tests.fuzz.harness import Target

TARGETS = {
    target.name: target
    for target in (
        Target("calls", ".jsonl", of_calls.call, of_calls.check, batch=500),
        Target("near", ".jsonl", of_calls.near, of_calls.check, batch=500),
        Target("infer", ".jsonl", of_calls.near, of_calls.infer, batch=100),
        Target("repair", ".jsonl", of_calls.near, of_calls.repair),
        Target("reproduce", ".jsonl", of_calls.near, of_calls.reproduce, batch=50),
        Target("diff", ".jsonl", of_calls.near, of_calls.diff, batch=200),
        Target("records", ".jsonl", of_calls.near, of_calls.conformance, batch=200),
        Target("logs", ".txt", of_logs.log, of_logs.explain, batch=4),
        Target("programs", ".txt", of_logs.log, of_logs.reproduce),
        Target("agents", ".jsonl", of_agents.message, of_agents.serve, batch=100),
        Target("specs", ".yaml", of_specs.spec, of_specs.load, batch=20),
        Target("lint", ".yaml", of_specs.spec, of_specs.lint),
        Target("pages", ".md", of_specs.page, of_specs.import_),
    )
}
