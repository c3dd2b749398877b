"""What a release's evidence says of operators' neighbours: :mod:`opspec.model.neighbours` reads it."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable

from opspec.model.definition import Definition
from opspec.model.ends import NOTHING, Ends
from opspec.model.enforcement import grounds_of
from opspec.model.neighbours import alike, speaks
from opspec.workshop.conformance.defaults import ends_of_rules


def neighbours(definitions: Iterable[Definition]) -> dict[str, dict[str, Ends]]:
    """How far calls came that break a rule alone, by the folder of the operator's page and by its family, then by what
    :func:`alike` calls the rule; rules of which calls only passed the checks tell nothing."""
    found: dict[str, dict[str, Ends]] = defaultdict(lambda: defaultdict(lambda: NOTHING))
    for definition in definitions:
        for rule, ends in ends_of_rules(definition):
            if sum(ends) == ends.passed:
                continue
            grounds = grounds_of(rule, definition)
            name = alike(rule, grounds)
            for place in (os.path.dirname(definition.spec.document or ""), grounds.folder):
                found[place][name] = found[place][name].plus(ends)
    return {
        place: {name: ends for name, ends in rules.items() if speaks(ends)} for place, rules in found.items() if place
    }
