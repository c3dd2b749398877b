"""Writes down what recorded calls say of rules: counts, in the release's file of evidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from opspec.model.definition import Definition, RuleDef
from opspec.model.enforcement import Enforcement, by_default, enforcement, of_evidence
from opspec.model.evidence import Recorded, file_of, read_all, text_of
from opspec.model.neighbours import ALONE
from opspec.registry.registry import Registry, definition_of
from opspec.vocabulary import status
from opspec.vocabulary.enforcement import REFUSED
from opspec.vocabulary.literals import BEHIND_CHECKS
from opspec.workshop.conformance.count import Known, recorded
from opspec.workshop.conformance.seen import Seen, checks_of


def amended(registry: Registry, seen: Iterable[Seen], release: str | None) -> Iterator[tuple[Path, str, int]]:
    """(file of evidence, its new text, rules on which it now says something else) for every release spoken of.

    What is known of other operators stays; of an operator that the calls speak about, what they say replaces what was
    known.

    Raises:
        OpspecError: a spec, or a file of evidence, cannot be read.
    """
    by_operator: dict[str, list[Seen]] = defaultdict(list)
    for call in seen:
        by_operator[call.op].append(call)
    files: dict[str, dict[str, dict[str, dict[str, Recorded]]]] = {}
    changes: dict[str, int] = defaultdict(int)
    for operator, calls in sorted(by_operator.items()):
        entry = registry.find(operator, release)
        file = file_of(entry.path)
        if file not in files:
            files[file] = read_all(file)
        known = files[file]
        now = recorded(calls, known_of(definition_of(entry)))
        before = known.get(operator, {})
        changes[file] += sum(before.get(rule) != now.get(rule) for rule in before.keys() | now.keys())
        known[operator] = now
    for file, known in sorted(files.items()):
        if changes[file]:
            yield Path(file), text_of(known), changes[file]


def known_of(definition: Definition) -> Known:
    """What is known of an operator's rules before calls speak: page, author, and the general default.

    An observed rule was written because of calls, a rule of the kernel's because of its definition: calls settle no
    more of them, but for one that was observed on another release. What reads tensor values, or only the device
    notices, first phases cannot look at. What was recorded on the release that the spec stands on comes before the
    general default; what is known of neighbours does not count, for that is made of what is recorded here.
    """
    definition = replace(definition, neighbours=ALONE)
    rules = definition.rules
    documented = [rule for rule in rules if rule.basis not in ("observed", "definition") and rule.stage != "device"]
    default = {rule.id: _before(rule, definition) for rule in documented}
    by_page = {name for name, found in default.items() if found.usual == REFUSED} - definition.contradicted
    defined = {
        rule.id for rule in rules if enforcement(rule, definition).usual == REFUSED and rule.basis == "definition"
    }
    observed = {rule.id for rule in rules if rule.basis == "observed"}
    settleable = {rule.id for rule in documented if not definition.reads_values(rule.check)}
    settleable |= observed & definition.elsewhere.keys()
    settleable -= definition.contradicted  # the observed rules that contradict them say what becomes of a call
    checks = checks_of(rules)
    stages = {rule.id: (default[rule.id].stage if rule.id in default else None) or rule.stage for rule in rules}
    return Known(
        frozenset(by_page | observed | defined),
        frozenset(settleable),
        frozenset(settleable | observed | definition.contradicted),
        frozenset(name for name, stage in stages.items() if stage in BEHIND_CHECKS and stage not in checks),
        {rule.id: status.number(rule.status) for rule in rules},
        checks,
    )


def _before(rule: RuleDef, definition: Definition) -> Enforcement:
    """What is known of a documented rule without calls of its own release."""
    inherited = definition.elsewhere.get(rule.id)
    if not inherited:
        return by_default(rule, definition)
    return of_evidence(replace(rule, recorded=inherited, recorded_elsewhere=True), definition)
