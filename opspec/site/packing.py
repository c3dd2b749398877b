"""What a page unpacks for itself: text in a third of its room, as letters that stand in HTML and scripts.

Browsers let no page of a folder read another file but a script, which is why that is not left to a server.
"""

from __future__ import annotations

import base64
import zlib


def packed(text: str) -> str:
    """A text as base64 of its raw deflate; ``opspec.unpacked`` of ``opspec/web/site/site.js`` reads it."""
    deflated = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(deflated.compress(text.encode()) + deflated.flush()).decode()


def unpacked(text: str) -> str:
    """The text that was packed.

    Raises:
        ValueError: it is no packed text.
    """
    try:
        return zlib.decompress(base64.b64decode(text, validate=True), -zlib.MAX_WBITS).decode()
    except zlib.error as error:
        raise ValueError(f"no packed text: {error}") from None
