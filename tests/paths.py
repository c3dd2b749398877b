"""Where tests find the reference material, which is no part of the repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent

#: Vendor pages and recorded calls: ``OPSPEC_SHARED``, or ``shared`` beside the repository.
SHARED = Path(os.environ.get("OPSPEC_SHARED") or REPOSITORY.parent / "shared")

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the reference material is not here")
