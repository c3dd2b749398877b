"""What a release's evidence says of operators' neighbours: :mod:`opspec.model.neighbours` reads it. It is made after
the table of defaults, beside which it is held.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable

from opspec.model.definition import Definition
from opspec.model.ends import NOTHING, Ends, Met
from opspec.model.enforcement import by_table, family_of, told
from opspec.model.neighbours import FEWEST, tells
from opspec.vocabulary.literals import BEHIND_CHECKS
from opspec.workshop.conformance.defaults import is_of_page


def neighbours(definitions: Iterable[Definition]) -> dict[str, dict[str, Ends]]:
    """How far calls came that break a rule alone, by the folder of the operator's page and by its family, then by what
    the rule is called there; those tell nothing of which calls say now this, now that, nor do those of a family that
    met what the table of defaults says. Who is alone in a folder has no neighbours there."""
    found: dict[str, dict[str, Ends]] = defaultdict(lambda: defaultdict(lambda: NOTHING))
    defaults: dict[str, set[tuple[Met, Met]]] = defaultdict(set)
    inhabitants: Counter[str] = Counter()
    for definition in definitions:
        folder, family = os.path.dirname(definition.spec.document or ""), family_of(definition)
        inhabitants.update((folder, family))
        for rule, names, ends in told(definition):
            if is_of_page(rule):
                for place, name in ((folder, names.id), (folder, names.check), (family, names.family)):
                    found[place][name] = found[place][name].plus(ends)
                if rule.stage not in BEHIND_CHECKS:
                    passed = by_table(rule, definition, passed=True)
                    defaults[f"{family} {names.family}"].add((by_table(rule, definition), passed))
    return {
        place: {
            name: ends
            for name, ends in rules.items()
            if sum(ends) >= FEWEST and ends.are_clear and not _is_usual(ends, defaults[f"{place} {name}"])
        }
        for place, rules in found.items()
        if place and inhabitants[place] > 1
    }


def _is_usual(ends: Ends, defaults: Iterable[tuple[Met, Met]]) -> bool:
    """Whether most calls met what they would be taken to meet by default, and where the checks let them pass, too."""
    known = list(defaults)
    return bool(known) and all(
        (tells(ends) or passed, tells(ends, passed=True) or passed) == (default, passed) for default, passed in known
    )
