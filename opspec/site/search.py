"""The search index: which operators a word, a param or some Chinese characters occur in.

A term is a word in lower case, or two Chinese characters beside each other (the last of a run stands alone, too). A
name is cut where its words begin, and indexed from each of them on: who types the beginning of any word finds it. Terms
lie in shards by their beginning, of which a page loads those that a query needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

NAME, OTHER, PARAM, SUMMARY, TEXT = 20, 14, 8, 5, 2  #: what a term weighs by where it stands
CJK_SHARDS = 16

_LATIN = re.compile(r"[A-Za-z0-9]+")
_WORDS = re.compile(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+")
_CJK = re.compile("[\u3400-\u9fff]+")


def terms(text: str) -> Iterator[str]:
    """The terms of a text.

    >>> list(terms("GeluBackwardV2 的梯度"))
    ['gelubackwardv2', 'backwardv2', 'v2', '的梯', '梯度', '度']
    """
    for found in _LATIN.finditer(text):
        token = found[0]
        for word in _WORDS.finditer(token):
            yield plain(token[word.start() :])
    for run in _CJK.findall(text):
        yield from (run[i : i + 2] for i in range(len(run)))


@lru_cache(maxsize=2**16)  # releases say much the same
def _terms(text: str) -> tuple[str, ...]:
    return tuple(terms(text))


def words(name: str) -> list[str]:
    """The words that a name is made of, in lower case.

    >>> words("GeluBackwardV2")
    ['gelu', 'backward', 'v2']
    """
    return [word.lower() for word in _WORDS.findall(name)]


def plain(word: str) -> str:
    """A word in lower case, without the s of a plural; ``opspec/web/site/find.js`` does the same to a query."""
    lower = word.lower()
    return lower[:-1] if len(lower) > 3 and lower.endswith("s") and not lower.endswith("ss") else lower


def shard(term: str) -> str:
    """The shard that a term lies in."""
    first = term[0]
    return first if first.isascii() else f"u{ord(first) % CJK_SHARDS}"


def index(documents: Sequence[Mapping[int, Iterable[str]]]) -> dict[str, dict[str, list[int]]]:
    """Shard -> term -> number and weight of each document that has it, one after the other.

    Args:
        documents: of each, weight -> texts.
    """
    shards: dict[str, dict[str, list[int]]] = {}
    for number, document in enumerate(documents):
        weights: dict[str, int] = {}
        for weight, texts in sorted(document.items()):
            for text in texts:
                weights.update(dict.fromkeys(_terms(text), weight))
        for term, weight in weights.items():
            shards.setdefault(shard(term), {}).setdefault(term, []).extend((number, weight))
    return shards
