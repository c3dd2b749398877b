"""The general default: whether the runtime enforces a rule when neither page nor observation says so.

One table for the whole registry; ``opspec conformance --document-only`` measures it. Of each rule that recorded first
phases broke alone, the numbers say how often the call was refused and how often it was accepted.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grounds:
    """What the default goes by, beside the rule's kind.

    Args:
        in_row: a row of return codes is about it.
        reads_values: it reads tensor values.
        only_dtypes: it reads dtypes and nothing else.
        only_notes: only the page's notes per product state it.
    """

    in_row: bool
    reads_values: bool = False
    only_dtypes: bool = False
    only_notes: bool = False


#: kind of rule -> whether a first phase is taken to refuse a call that breaks it: where a row of return codes is about
#: it, and where none is.
GENERAL_DEFAULT: dict[str, tuple[bool, bool]] = {
    "null": (True, True),
    "elements": (True, True),
    "product": (True, True),
    "reserved": (True, True),
    "dtype": (True, False),  # in a row: refused 310, accepted 53; without: 12 and 10
    "scalar-dtype": (True, False),  # a scalar's value is converted to the dtype that the computation needs
    "dtype-relation": (True, False),  # without a row: 15 and 21
    "uniform": (True, True),
    "format": (True, False),  # an unlisted public format: refused 270, accepted 776
    "private-format": (False, False),  # in a row: 21 and 33; without: 38 and 59
    "format-relation": (True, False),
    "rank": (True, False),  # in a row: 66 and 3; without: 26 and 25
    "rank-relation": (True, True),
    "shape": (True, True),
    "shape-relation": (True, True),
    "strided": (True, False),  # first phases make contiguous copies themselves
    "empty": (True, False),  # 19 and 17: a first phase often returns early on an empty tensor
    "enum": (True, True),
    "range": (True, True),
    "length": (True, True),
    "each": (True, False),  # without a row: 0 and 4
    "relation": (True, True),
    "promotion-result": (True, False),  # an output is converted to its own dtype: 3 and 18
    "scenario": (True, True),
}


def enforced_by_default(kind: str, grounds: Grounds) -> bool:
    """The default for a rule of this kind on these grounds.

    Tensor values live on the device: a first phase never reads them. A rule of the operator's own that relates dtypes
    counts as such. What only a note on a product says is seldom checked: refused 6, accepted 26.
    """
    if grounds.reads_values:
        return False
    if kind == "relation" and not grounds.in_row:
        if grounds.only_notes:
            return False
        if grounds.only_dtypes:
            kind = "dtype-relation"
    return GENERAL_DEFAULT[kind][0 if grounds.in_row else 1]
