"""What a site needs to know its address for: a list of pages for search engines, and the page of what is not there."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote, urlsplit

from markupsafe import escape

from opspec.errors import OpspecError, shown
from opspec.site.frames import not_found


def published_files(url: str, paths: Iterable[str]) -> dict[str, str]:
    """Path -> text: ``sitemap.xml`` and ``404.html``.

    Args:
        url: where the site will be, such as ``https://example.org/opspec``.
        paths: of its pages.
    """
    base = url.rstrip("/") + "/"
    places = "".join(f"<url><loc>{escape(base + quote(path))}</loc></url>\n" for path in sorted(paths))
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    return {"sitemap.xml": f"{head}{places}</urlset>\n", "404.html": not_found(urlsplit(base).path)}


def check_address(url: str) -> None:
    """Whether it is where a site can be.

    Raises:
        OpspecError: it is none.
    """
    try:
        parts = urlsplit(url)
    except ValueError:  # such as https://[
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise OpspecError(f"--url: an address such as https://example.org/opspec is expected, found {shown(url)}")
