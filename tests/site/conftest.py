"""A site, and a browser to look at it with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.once import once
from tests.site.sites import Small, built, whole

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LEFT = "net::ERR_ABORTED"  #: what becomes of requests when a page is left


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site: the whole one, or a small one that all workers share."""
    return whole() or once(tmp_path_factory, "site", lambda folder: built(Small(), folder))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; as root it has no sandbox."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as run:
        found = run.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def page(browser: Browser, site: Path) -> Iterator[Page]:
    """An empty page on which nothing may go wrong: no error, and no request that leaves the folder."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    tab = context.new_page()
    faults: list[str] = []
    tab.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("requestfailed", lambda request: faults.append(request.url) if request.failure != LEFT else None)
    tab.on("request", lambda request: None if request.url.startswith(site.as_uri()) else faults.append(request.url))
    yield tab
    context.close()
    assert not faults
