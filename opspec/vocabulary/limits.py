"""Limits that several rooms keep to, or C as well as Python."""

from __future__ import annotations

MOST_DIMS = 8
"""Dims of any tensor: what first phases refuse of nearly all operators, whether their pages say it or not."""
MOST_RULES = 512
"""Rules of an operator in C, where a report has room for each."""
MOST_EARLY = 8
"""Early successes of an operator in C."""
