"""The stubs that are kept as files under review, and where."""

from __future__ import annotations

from pathlib import Path

from opspec.codegen.stubs.call import stub
from tests.codegen.stubs.operators import HERE, OPERATORS, PLACEHOLDER

GOLDEN = HERE / "golden"

#: a usual operator, one of lists, a helper of one phase, and one whose arguments are to be filled in
KEPT = (
    OPERATORS["9.1.0/aclnnGeluBackwardV2"],
    OPERATORS["9.1.0/aclnnForeachAddcdivScalarList"],
    OPERATORS["9.1.0/aclnnStubHelper"],
    PLACEHOLDER,
)


def kept_texts() -> dict[Path, str]:
    """File -> what it is to hold."""
    return {GOLDEN / kept.name / name: text for kept in KEPT for name, text in stub(kept).items()}
