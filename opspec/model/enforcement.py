"""The general default: whether the runtime enforces a rule when neither page nor observation says so.

One table for the whole registry; ``opspec conformance --document-only`` measures it. Of each rule that recorded first
phases broke alone, the numbers say how often the call was refused and how often it was accepted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from opspec.model.definition import Definition, RuleDef
from opspec.vocabulary import status


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
    "kernel": (True, True, True),  # what a generated interface looks up
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


def is_enforced(rule: RuleDef, definition: Definition) -> bool:
    """Whether the runtime is taken to refuse a call that breaks the rule."""
    if rule.enforced in ("yes", "no"):
        return rule.enforced == "yes"
    if definition.spec.generated_from is not None and rule.stage == "tiling":
        return tiling_refuses(rule, definition)
    found = {(name, facet) for name, facet in definition.facts(rule.check) if name}
    facets = {facet for _, facet in found}
    notes = bool(rule.sources) and all(place.startswith("notes/") for place in rule.sources)
    left_out = not rule.in_row and any(status.number(row.status) == status.INVALID for row in definition.returns)
    grounds = Grounds(rule.in_row, left_out, "values" in facets, facets == {"dtype"}, notes)
    return enforced_by_default(rule.kind, grounds)


#: kinds of rules that do not reach the tiling of a generated interface: public formats all count as ND there, and
#: inputs are made contiguous
_NOT_TILED = ("format", "private-format", "format-relation", "strided")


def tiling_refuses(rule: RuleDef, definition: Definition) -> bool:
    """Whether a generated interface is taken to refuse a call that breaks a rule of its page: if so, when it tiles.

    What only relates dtypes and formats that the kernel lookup has let pass is not looked at again. Of calls of the
    vendor's tiling tests that break rules of one kind alone, those that fail outnumber those that succeed in all kinds:
    relations 117 and 83, ranks 13 and 9, values 9 and 0, dtypes of optional inputs 8 and 0.
    """
    found = definition.facts(rule.check)
    if rule.kind in _NOT_TILED or any(facet == "values" for _, facet in found):
        return False
    return not found <= definition.looked_up


def is_enforced_by_page(rule: RuleDef, definition: Definition) -> bool:
    """Whether it would be taken to if there were no recorded calls."""
    return is_enforced(replace(rule, enforced=None) if rule.witnessed else rule, definition)


def is_conflict(rule: RuleDef, definition: Definition) -> bool:
    """Whether page and runtime differ in a rule: recorded calls show what the page does not lead one to expect."""
    if rule.basis == "observed":
        return True
    if rule.basis == "definition":  # of a kernel; beside the page but for what is about the same as rules of pages
        return rule.kind != "kernel"
    reads_values = any(facet == "values" for _, facet in definition.facts(rule.check))
    return rule.enforced == "no" and rule.evidence is not None and not reads_values
