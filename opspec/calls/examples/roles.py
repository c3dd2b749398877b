"""What numbers usually are, by the role that a param's name tells: an epsilon is small, a probability below 1.

Rules often leave such a number open, or bound it far away from what anybody passes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Role:
    """What a number of a role is like.

    Args:
        words: of a param's name, one of which tells the role.
        low, high: what it lies between, the bounds excluded.
        usual: what most programs pass.
    """

    words: frozenset[str]
    low: float
    high: float
    usual: float

    def fits(self, value: float) -> bool:
        """Whether somebody may pass it."""
        return self.low < value < self.high


_ROLES = tuple(
    Role(frozenset(names.split()), low, high, usual)
    for names, low, high, usual in (
        ("eps epsilon", 0.0, 0.1, 1e-5),
        ("keep", 0.0, 1.0 + 1e-9, 1.0),
        ("prob dropout", 0.0, 1.0, 0.5),
        ("lr rate", 0.0, 0.5, 1e-3),
        ("decay", -1e-9, 0.5, 0.01),
        ("momentum", -1e-9, 1.0, 0.9),
        ("beta1", 0.5, 1.0, 0.9),
        ("beta2", 0.5, 1.0, 0.999),
        ("rtol", -1e-9, 0.1, 1e-5),
        ("atol", -1e-9, 0.1, 1e-8),
        ("growth", 1.0, 16.0, 2.0),
        ("backoff", 0.0, 1.0, 0.5),
        ("scalevalue", 0.0, 1.0, 128**-0.5),  # of attention, 1 / sqrt(head dim)
        ("slope lower", 0.0, 0.5, 0.01),
        ("upper", 0.0, 0.9, 0.3),
        ("min", -1e30, 1.0, 0.0),
    )
)
_WORD = re.compile(r"[A-Z]?[a-z]+[0-9]*|[A-Z]+(?![a-z])")


def role(name: str) -> Role | None:
    """The role of a param; None where its name tells none.

    >>> role("layerNormEps").usual
    1e-05
    """
    found = words(name) | {name.lower()}
    return next((item for item in _ROLES if found & item.words), None)


def words(name: str) -> frozenset[str]:
    """The words of a param's name.

    >>> sorted(words("backoffFactor"))
    ['backoff', 'factor']
    """
    return frozenset(word.lower() for word in _WORD.findall(name))
