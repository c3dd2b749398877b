"""Data that a page of the site loads: scripts, as browsers let no page of a folder read another file."""

from __future__ import annotations

import json

from opspec.site.packing import packed

_SMALL = 2000  # bytes that are sooner read than unpacked


def script(name: str, value: object) -> str:
    """A script that gives ``value`` to ``opspec.data(name)``, packed where it is long.

    It is UTF-8, as are the pages that load it: escapes would double what is Chinese.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if len(text) > _SMALL:
        return f'opspec.give({json.dumps(name)}, null, "{packed(text)}");\n'
    return f"opspec.give({json.dumps(name)}, {text});\n"
