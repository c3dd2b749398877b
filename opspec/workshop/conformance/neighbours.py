"""What a release's evidence says of operators' neighbours: :mod:`opspec.model.neighbours` reads it."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator

from opspec.model.definition import Definition, RuleDef
from opspec.model.ends import NOTHING, Ends
from opspec.model.enforcement import grounds_of, is_tiled
from opspec.model.evidence import ends_of
from opspec.model.neighbours import alike, on_product, speaks
from opspec.vocabulary import status
from opspec.workshop.conformance.defaults import is_of_page


def neighbours(definitions: Iterable[Definition]) -> dict[str, dict[str, Ends]]:
    """How far calls came that break a rule alone, by the folder of the operator's page and by its family, then by what
    :func:`alike` calls the rule; rules of which calls only passed the checks tell nothing."""
    found: dict[str, dict[str, Ends]] = defaultdict(lambda: defaultdict(lambda: NOTHING))
    for definition in definitions:
        folder = os.path.dirname(definition.spec.document or "")
        for rule in filter(is_of_page, definition.rules):
            grounds = grounds_of(rule, definition)
            for name, ends in _named(rule, alike(rule, grounds), definition):
                for place in (folder, grounds.folder):
                    found[place][name] = found[place][name].plus(ends)
    return {
        place: {name: ends for name, ends in rules.items() if speaks(ends)} for place, rules in found.items() if place
    }


def _named(rule: RuleDef, name: str, definition: Definition) -> Iterator[tuple[str, Ends]]:
    """How far its calls came, on all products together and, where tiling decides, on each."""
    own = status.number(rule.status)
    ends = ends_of(rule.recorded, own)
    if sum(ends) == ends.passed:
        return
    yield name, ends
    if is_tiled(rule, definition):
        for product, recorded in rule.recorded.items():
            yield on_product(name, product), ends_of({product: recorded}, own)
