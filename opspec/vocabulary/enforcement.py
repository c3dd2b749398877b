"""What becomes of a call that breaks a rule: the three words that verdicts, pages, C and evidence share.

A documented rule stands whatever the runtime does. Evidence says which of these it is, on each product.
"""

from __future__ import annotations

from opspec.later import typing

REFUSED: typing.Final = "refused"  # the first phase refuses the call, with the rule's status
UNCHECKED: typing.Final = "unchecked"  # its checks accept the call; the rule stands, and the runtime will not tell
CONTRADICTED: typing.Final = "contradicted"  # programs that break it ran: the page is wrong there

ALL = (REFUSED, UNCHECKED, CONTRADICTED)
