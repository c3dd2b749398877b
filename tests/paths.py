"""Where tests find the reference material, which is no part of the repository."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent

#: Vendor pages and recorded calls: the folder that ``OPSPEC_SHARED`` names; without it a path that nothing is below.
SHARED = Path(os.environ.get("OPSPEC_SHARED") or os.devnull).absolute()

needs_shared = pytest.mark.corpus

_HEADERS = Path(os.environ.get("OPSPEC_ACL_HEADERS") or REPOSITORY / ".acl-headers").resolve()

#: The folder that holds ``acl/acl.h``: ``OPSPEC_ACL_HEADERS``, or what ``.ci/fetch-acl-headers`` fetched; else None.
ACL_HEADERS: Path | None = _HEADERS if (_HEADERS / "acl" / "acl.h").is_file() else None

needs_headers = pytest.mark.headers


@contextmanager
def in_folder() -> Iterator[Path]:
    """An empty folder for one example of a property, gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)
