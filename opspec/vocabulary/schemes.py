"""What common alternatives of scenarios are called: schemes of quantisation.

Source: the terms of the pages' scenarios.
"""

from __future__ import annotations

import functools

from opspec.vocabulary.tables import table


@functools.cache
def _words() -> dict[str, tuple[str, str]]:
    return {row["name"]: (row["en"], row["zh"]) for row in table("schemes")["schemes"]}


def words(name: str) -> tuple[str, str] | None:
    """What sentences call a scheme, in English and Chinese; None for what is no common one."""
    return _words().get(name)
