"""What a rule can come to on a call, other than to hold: the numbers that a compiled form reports.

NEITHER, NO_DATA and ABSENT are the causes for which a check is undefined, in ascending precedence.
"""

from __future__ import annotations

VIOLATED = 0
NEITHER = 1  # a dimension or element that is not there, a division by zero, a result outside int64
NO_DATA = 2  # the call does not carry what the check reads: values, a storage shape, the product
ABSENT = 3  # an argument that is null was read
GUARD = 4  # the rule's condition lacks data

EARLY = -1  # in place of a rule's outcome: the rules from here on come after an early success
