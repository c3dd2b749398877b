"""The general default: whether the runtime enforces a rule of a kind when neither page nor observation says so.

One table for the whole registry; ``opspec conformance`` measures it.
"""

from __future__ import annotations

#: kind of rule -> whether a first phase is taken to refuse a call that breaks it.
GENERAL_DEFAULT: dict[str, bool] = {
    "null": True,
    "elements": True,
    "product": True,
    "reserved": True,
    "dtype": True,
    "scalar-dtype": False,  # a scalar's value is converted to the dtype that the computation needs
    "dtype-relation": True,
    "uniform": True,
    "format": False,  # an unlisted public format alone: accepted 776 times, refused 270 in the recorded calls
    "private-format": False,  # alone: rightly refused 38 times, wrongly 59, most of those element-wise operators
    "format-relation": False,
    "rank": True,  # outside the listed range: accepted 39 times, refused 246
    "rank-relation": True,
    "shape": True,
    "shape-relation": True,
    "strided": False,  # first phases make contiguous copies themselves
    "empty": False,  # alone: refused 19 times, accepted 17: a first phase often returns early on an empty tensor
    "enum": True,
    "range": True,
    "length": True,
    "each": True,
    "relation": True,
    "promotion-result": False,  # an output is converted to its own dtype: alone rightly refused 3 times, wrongly 18
    "scenario": True,
    "values": False,  # tensor values live on the device: a first phase never reads them
}


def enforced_by_default(kind: str, reads_values: bool) -> bool:
    """The default for a rule of this kind; one that reads tensor values is never enforced by a first phase."""
    return GENERAL_DEFAULT["values"] if reads_values else GENERAL_DEFAULT[kind]
