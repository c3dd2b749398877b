"""Promise: no link of the site leads nowhere, nothing loads from elsewhere, no page has a script or style inside.

Pages lead to the vendor's: whether those are there is not looked up.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.site.sites import SAMPLE, shown, whole

LINK = re.compile(r'<(?:a|link|script|img)\b[^>]*?\s(?:href|src)="([^"]*)"')
ID = re.compile(r'\sid="([^"]*)"')
PACKED = '<div id="packed"'
INLINE = re.compile(r'<script(?![^>]*\ssrc=)|<style|\sstyle="|\son\w+="|javascript:', re.I)

pytestmark = pytest.mark.browser


def test_every_link_leads_somewhere(site: Path) -> None:
    files = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    pages = {name: shown(site / name) for name in sorted(files) if name.endswith(".html")}
    ids = {name: set(ID.findall(text)) for name, text in pages.items()}
    broken = []
    for page, text in pages.items():
        for link in dict.fromkeys(LINK.findall(text)):
            if link.startswith("https://"):
                continue
            place, _, anchor = link.replace("&amp;", "&").partition("#")
            if whole() is None and place.startswith("acl") and place.split(".")[0] not in SAMPLE:
                continue  # the small site has few operators
            target = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(place))) if place else page
            is_state = "=" in anchor  # what a script of the page reads
            if target not in files or (anchor and not is_state and unquote(anchor) not in ids.get(target, ())):
                broken.append(f"{page}: {link}")
    assert len(pages) > 20
    assert not broken, broken[:20]


def test_who_has_no_scripts_is_led_to_a_page_that_needs_none(site: Path) -> None:
    """From each page that scripts unpack, to the operator's own of the newest release that has it."""
    packed = [page for page in site.rglob("*.html") if PACKED in page.read_text(encoding="utf-8")]
    for page in packed:
        (said,) = re.findall(rf"{PACKED}.*?<noscript>(.*?)</noscript>", page.read_text(encoding="utf-8"), re.S)
        (link,) = LINK.findall(said)
        target = page.parent / link
        assert target.is_file(), (page, link)
        assert PACKED not in target.read_text(encoding="utf-8"), (page, link)
    assert packed


def test_pages_keep_the_content_security_policy(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = shown(path)
        assert "default-src 'none'; script-src 'self'; style-src 'self'" in text, path
        assert not INLINE.search(text), (path, INLINE.search(text))
        assert not re.search(r'src="(?:https?:)?//|<link\b[^>]*href="(?:https?:)?//', text), path


def test_identifiers_stand_once(site: Path) -> None:
    for path in site.rglob("*.html"):
        found = ID.findall(shown(path))
        assert len(found) == len(set(found)), (path, [name for name in set(found) if found.count(name) > 1][:5])
