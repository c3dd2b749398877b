"""The SDK that stubs are run with: it has operators of the tests' own, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.build.sdk.small import built_once
from tests.codegen.stubs.operators import HERE, RUN


@pytest.fixture(scope="session")
def stub_sdk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an SDK with the operators whose stubs run here."""
    return built_once(tmp_path_factory, "stub-sdk", tuple(RUN), ("--specs", str(HERE / "specs")))
