"""Which param a word of a log means: its name as it is, with something behind it, a part of it, written out or cut."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from opspec.assist.explain.clues import STOP, key, parts, split_words, stems

SHORTEST = 3  # letters of a name that is found in a longer one
#: words of sentences that are parts of many params' names and mean none of them where they stand alone
ORDINARY = frozenset(
    ("dim", "dims", "dtype", "length", "list", "max", "min", "mode", "num", "number", "shape", "size", "sizes",
     "tensor", "tensors", "type", "value", "values"),
)  # fmt: skip
#: words of which the field makes names of sizes: ``batchsize``, ``head num``
_OF_SIZES = frozenset(
    ("batch", "block", "dim", "expert", "group", "head", "hidden", "key", "len", "length", "num", "query", "rank",
     "seq", "sequence", "size", "token", "value", "world"),
)  # fmt: skip
_SYNONYMS = {"filter": "weight"}  # words of the field -> the name that params have for them
_FACETS = frozenset(("dtype", "format", "shape", "type"))  # behind a param's name they mean what is so of it
_OWN = frozenset(("rank", "dimnum", "shape", "dtype", "format"))  # what only a tensor has, so that a short name is one
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
    results = [bare for bare in names if is_result(said, bare)]
    if len(results) == 1:
        return Meant(names[results[0]])
    behind = [bare for bare in names if said.startswith(bare) and (len(bare) >= SHORTEST or said[len(bare) :] in _OWN)]
    if behind and word[:1].islower():
        bare = max(behind, key=len)
        return Meant(names[bare], said[len(bare) :])
    parts = [bare for bare in names if bare.startswith(said) or bare.endswith(said)]
    if len(said) >= SHORTEST and said not in STOP and said not in ORDINARY | _ROLES and len(parts) == 1:
        return Meant(names[parts[0]])
    return _alike(word, names)


def is_result(one: str, other: str) -> bool:
    """Whether two names are one, which either has with what interfaces put behind an output's: ``dk``, ``dkOut``."""
    return one == f"{other}out" or other == f"{one}out"


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


def renamed(text: str, params: Iterable[str]) -> str:
    """A sentence with the params' own names for what the field calls by another word, too: kernels have filters.

    >>> renamed("Parameter filter has incorrect dim 0", ("input", "weight"))
    'Parameter weight has incorrect dim 0'
    """
    text = text.replace("integral key", "")  # that of a kernel, no param
    names = {key(name): name for name in params}
    for word, meant_by in _SYNONYMS.items():
        if word in text and word not in names and meant_by in names:
            text = re.sub(rf"\b{word}\b", names[meant_by], text)
    return text


def numbered(text: str, tensors: Sequence[str]) -> str:
    """A sentence with the names of tensors where it numbers them as checks for null do: ``argument [t2]``.

    >>> numbered("got null for argument t1.", ("self", "other"))
    'got null for argument other.'
    """

    def name(found: re.Match[str]) -> str:
        number = int(found[1])
        return f"argument {tensors[number]}" if number < len(tensors) else found[0]

    return re.sub(r"\bargument \[?t(\d{1,2})\b\]?", name, text)


def joined(text: str, params: tuple[str, ...]) -> str:
    """A sentence with the names of params as they are, where it writes their words apart or in another order.

    >>> joined("key layout does not support PA_BSND", ("layoutKeyOptional", "key"))
    'layoutKeyOptional does not support PA_BSND'
    """
    for pattern, name in _apart(params):
        text = pattern.sub(name, text)
    return text


@functools.lru_cache(maxsize=256)
def _apart(params: tuple[str, ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    """How sentences write each param of two words apart, and its name."""
    found = []
    for name in params:
        words = [part for part in parts(name) if part not in ("optional", "ref")]
        if len(words) == 2 and not _FACETS.intersection(words) and words[0] != words[1]:
            one, other = words
            found.append((re.compile(rf"\b(?:{one} {other}|{other}[ _]{one})\b", re.IGNORECASE), name))
    return tuple(found)


def initials(text: str) -> frozenset[str]:
    """How the field abbreviates the names of sizes in a sentence: ``bs`` of ``batchsize``, ``batch size``."""
    found: set[str] = set()
    before = ""
    for word in re.findall(r"[A-Za-z]+", text):
        pieces = parts(word)
        halves = split_words(frozenset(pieces), _OF_SIZES) if len(pieces) == 1 else frozenset()
        if len(halves) == 2:
            pieces = tuple(sorted(halves, key=pieces[0].index))
        if len(pieces) == 1 and _OF_SIZES.issuperset((before, pieces[0])):
            pieces = (before, pieces[0])
        if len(pieces) == 2 and _OF_SIZES.issuperset(pieces):
            found.add("".join(piece[0] for piece in pieces))
        before = pieces[-1] if pieces else ""
    return frozenset(found)
