"""What becomes of a call that breaks a rule: the four words that verdicts, pages, C and evidence share.

A documented rule stands whatever the runtime does. Evidence says which of these it is, on each product.
"""

from __future__ import annotations

from opspec.later import typing

REFUSED: typing.Final = "refused"  # the first phase refuses the call, with the rule's status
UNCHECKED: typing.Final = "unchecked"  # it comes through the whole first phase; the rule stands, and nobody will tell
UNKNOWN: typing.Final = "unknown"  # the checks let it pass; whether kernel lookup or tiling refuses it is not known
CONTRADICTED: typing.Final = "contradicted"  # programs that break it ran: the page is wrong there

ALL = (REFUSED, UNCHECKED, UNKNOWN, CONTRADICTED)
