"""Which param a word of a log means: its name as it is, with something behind it, a part of it, written out or cut."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from opspec.assist.explain.clues import STOP, key, stems

SHORTEST = 3  # letters of a name that is found in a longer one
#: words of sentences that are parts of many params' names and mean none of them where they stand alone
ORDINARY = frozenset(
    ("dim", "dims", "dtype", "length", "list", "max", "min", "mode", "num", "number", "shape", "size", "sizes",
     "tensor", "tensors", "type", "value", "values"),
)  # fmt: skip
_ROLES = frozenset(("input", "inputs", "output", "outputs", "weight"))  # as many may have, but few of an operator's


@dataclass(frozen=True, slots=True)
class Meant:
    """A param that a word means.

    Attributes:
        rest: what the word has behind the param's name, in lower case: ``t`` of ``queryT``.
        item: the element of a list of tensors or scalars that an index behind the word names.
    """

    param: str
    rest: str = ""
    item: int = 0


def meant(word: str, params: Iterable[str]) -> Meant | None:
    """The param that a word means; None where it means none, or one of several."""
    names = {key(name): name for name in params}
    said = key(word)
    if said in names:
        return Meant(names[said])
    behind = [bare for bare in names if len(bare) >= SHORTEST and said.startswith(bare)]
    if behind and word[:1].islower():
        bare = max(behind, key=len)
        return Meant(names[bare], said[len(bare) :])
    parts = [bare for bare in names if bare.startswith(said) or bare.endswith(said)]
    if len(said) >= SHORTEST and said not in STOP and said not in ORDINARY | _ROLES and len(parts) == 1:
        return Meant(names[parts[0]])
    return _alike(word, names)


def _alike(word: str, names: dict[str, str]) -> Meant | None:
    """The param whose name is made of the same words, cut or written out: ``seqLens``, ``sequenceLength``."""
    theirs = stems(word)
    if len(theirs) < 2:
        return None
    shares = {name: len(stems(name) & theirs) / len(stems(name) | theirs) for name in names.values()}
    best = sorted(shares, key=lambda name: -shares[name])[:2]
    if not best or shares[best[0]] <= 0.5 or (len(best) > 1 and shares[best[0]] == shares[best[1]]):
        return None
    return Meant(best[0])
