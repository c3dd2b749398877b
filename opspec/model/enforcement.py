"""The general default: whether the runtime enforces a rule when neither page nor observation says so.

One table for the whole registry; ``opspec conformance --document-only`` measures it. Of each rule that recorded first
phases broke alone, the numbers say how often the call was refused and how often it was accepted.
"""

from __future__ import annotations

from dataclasses import dataclass

from opspec.model.definition import Definition, RuleDef
from opspec.model.evidence import Recorded, together
from opspec.vocabulary import status
from opspec.vocabulary.enforcement import CONTRADICTED, REFUSED, UNCHECKED


@dataclass(frozen=True, slots=True)
class Grounds:
    """What the default goes by, beside the rule's kind.

    Args:
        in_row: a row of return codes is about it.
        left_out: the page has rows of return codes, and none is about it.
        reads_values: it reads tensor values.
        only_dtypes: it reads dtypes and nothing else.
        only_notes: only the page's notes per product state it.
    """

    in_row: bool = False
    left_out: bool = False
    reads_values: bool = False
    only_dtypes: bool = False
    only_notes: bool = False


#: kind of rule -> whether a first phase is taken to refuse a call that breaks it: where a row of return codes is about
#: it, where the page has no such rows, and where they leave it out.
GENERAL_DEFAULT: dict[str, tuple[bool, bool, bool]] = {
    "null": (True, True, True),
    "elements": (True, True, True),
    "product": (True, True, True),
    "reserved": (True, True, True),
    "dtype": (True, True, False),  # in a row: refused 310, accepted 53; left out: 12 and 10
    "scalar-dtype": (True, False, False),  # a scalar's value is converted to the dtype that the computation needs
    "dtype-relation": (True, True, False),  # left out: 15 and 21
    "uniform": (True, True, True),
    "format": (True, False, False),  # an unlisted public format: refused 270, accepted 776
    "private-format": (False, False, False),  # in a row: 21 and 33; left out: 38 and 59
    "format-relation": (True, False, False),
    "rank": (True, True, False),  # in a row: 66 and 3; left out: 26 and 25
    "rank-relation": (True, True, True),
    "shape": (True, True, True),
    "shape-relation": (True, True, True),
    "strided": (True, False, False),  # first phases make contiguous copies themselves
    "empty": (True, False, False),  # 19 and 17: a first phase often returns early on an empty tensor
    "enum": (True, True, True),
    "range": (True, True, True),
    "length": (True, True, True),
    "each": (True, True, False),  # left out: 0 and 4
    "relation": (True, True, True),
    "promotion-result": (True, False, False),  # an output is converted to its own dtype: 3 and 18
    "scenario": (True, True, True),
}


def enforced_by_default(kind: str, grounds: Grounds) -> bool:
    """The default for a rule of this kind on these grounds.

    Tensor values live on the device: a first phase never reads them. A rule of the operator's own that relates dtypes
    counts as such. What only a note on a product says, and no row, is seldom checked: refused 6, accepted 26.
    """
    if grounds.reads_values:
        return False
    if kind == "relation" and grounds.left_out:
        if grounds.only_notes:
            return False
        if grounds.only_dtypes:
            kind = "dtype-relation"
    in_row, without_rows, left_out = GENERAL_DEFAULT[kind]
    return in_row if grounds.in_row else left_out if grounds.left_out else without_rows


@dataclass(frozen=True, slots=True)
class Enforcement:
    """What becomes of calls that break a rule.

    Args:
        usual: refused, unchecked or contradicted, on products of which ``on`` says nothing.
        on: what evidence says of products that differ.
        assumed: no evidence speaks: it is the general default.
        status: the number of the status of refusals, as evidence has it; 0: the rule's own.
    """

    usual: str
    on: tuple[tuple[str, str], ...] = ()
    assumed: bool = False
    status: int = 0

    def on_product(self, product: str | None) -> str:
        """What becomes of them on a product."""
        return next((found for name, found in self.on if name == product), self.usual)

    @property
    def anywhere(self) -> frozenset[str]:
        """What becomes of them on some product."""
        return frozenset((self.usual, *(found for _, found in self.on)))


def enforcement(rule: RuleDef, definition: Definition) -> Enforcement:
    """What becomes of calls that break the rule: as evidence says, else its author, else the general default.

    An observed rule is refused: that is what was observed. What only the device would notice no first phase refuses.
    """
    if rule.stage == "device":
        return Enforcement(CONTRADICTED if together(rule.recorded.values()).ran else UNCHECKED)
    if rule.recorded:
        whole = together(rule.recorded.values())
        usual = _shown(rule, whole)
        found = ((product, _shown(rule, one)) for product, one in sorted(rule.recorded.items()))
        return Enforcement(usual, tuple(item for item in found if item[1] != usual), status=whole.status)
    if rule.basis == "observed":
        return Enforcement(REFUSED)
    if rule.enforced is not None:
        return Enforcement(REFUSED if rule.enforced == "yes" else UNCHECKED)
    return Enforcement(by_default(rule, definition), assumed=True)


def _shown(rule: RuleDef, recorded: Recorded) -> str:
    """What calls on a product show."""
    if rule.basis == "observed":
        return REFUSED
    if recorded.ran:
        return CONTRADICTED
    return REFUSED if recorded.checked else UNCHECKED


def by_default(rule: RuleDef, definition: Definition) -> str:
    """What becomes of them if there is no evidence: what the page leads one to expect."""
    if rule.basis == "observed" or rule.stage == "device":
        return UNCHECKED
    found = {(name, facet) for name, facet in definition.facts(rule.check) if name}
    facets = {facet for _, facet in found}
    notes = bool(rule.sources) and all(place.startswith("notes/") for place in rule.sources)
    left_out = not rule.in_row and any(status.number(row.status) == status.INVALID for row in definition.returns)
    grounds = Grounds(rule.in_row, left_out, "values" in facets, facets == {"dtype"}, notes)
    return REFUSED if enforced_by_default(rule.kind, grounds) else UNCHECKED


def is_refused(rule: RuleDef, definition: Definition) -> bool:
    """Whether the first phase is taken to refuse a call that breaks the rule, on some product."""
    return REFUSED in enforcement(rule, definition).anywhere


def is_conflict(rule: RuleDef, definition: Definition) -> bool:
    """Whether page and runtime differ in a rule: recorded calls show what the page does not lead one to expect."""
    if rule.basis == "observed":
        return True
    found = enforcement(rule, definition)
    reads_values = any(facet == "values" for _, facet in definition.facts(rule.check))
    return not found.assumed and found.anywhere != {REFUSED} and not reads_values
