"""What a page unpacks for itself: text in a third of its room, as letters that stand in HTML and scripts.

Browsers let no page of a folder read another file but a script, which is why that is not left to a server. What pages
have in common is not packed with each: deflate refers to what stands before a text, which the site has once.
"""

from __future__ import annotations

import base64
import functools
import os
import re
import zlib

from opspec.docs.words import WORDS
from opspec.files import read_bytes, template_folder
from opspec.language.prose.phrases import PHRASES
from opspec.language.prose.words import PAIRS
from opspec.vocabulary import dtypes, products
from opspec.vocabulary.literals import Lang

_FURTHEST = 2**15  # bytes that deflate looks back
_TEMPLATES = ("rules.html.j2", "page.html.j2")
_INSTRUCTION = re.compile(r"\{[%{#].*?[%}#]\}|\n\s*(?=\n)", re.S)


def packed(text: str, common: str = "") -> str:
    """A text as base64 of its raw deflate; ``opspec.unpacked`` of ``opspec/web/site/site.js`` reads it.

    Args:
        common: what stands before it where it is unpacked: :func:`opening`'s.
    """
    deflated = _behind(common).copy()
    return base64.b64encode(deflated.compress(text.encode()) + deflated.flush()).decode()


@functools.lru_cache(maxsize=4)
def _behind(common: str) -> zlib._Compress:
    """What packs a text behind another one, which it has read."""
    return zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=common.encode())


def opening(common: str) -> str:
    """A text packed so that others go on behind it."""
    deflated = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(deflated.compress(common.encode()) + deflated.flush(zlib.Z_SYNC_FLUSH)).decode()


def unpacked(text: str, common: str = "") -> str:
    """The text that was packed.

    Raises:
        ValueError: it is no packed text.
    """
    inflated = zlib.decompressobj(-zlib.MAX_WBITS, zdict=common.encode())
    try:
        found = inflated.decompress(base64.b64decode(text, validate=True))
    except zlib.error as error:
        raise ValueError(f"no packed text: {error}") from None
    if not inflated.eof:
        raise ValueError("no packed text: its end is missing")
    return found.decode()


@functools.cache
def common(lang: Lang) -> str:
    """What pages of operators have in common: the words of sentences, names, and the markup of their templates."""
    statements = [form for pair in PAIRS[lang].values() for form in pair]
    names = [*dtypes.names(), *(products.name(product, lang) for product in products.ids())]
    templates = (read_bytes(os.path.join(template_folder(), name)).decode() for name in _TEMPLATES)
    markup = _INSTRUCTION.sub("", "".join(templates))
    said = [*statements, *PHRASES[lang].values(), ", ".join(names), *WORDS[lang].values(), markup]
    return "\n".join(said).encode()[-_FURTHEST:].decode(errors="ignore")
