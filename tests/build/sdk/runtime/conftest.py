from __future__ import annotations

from pathlib import Path

import pytest

from .programs import ADDRESS, Sdk, build_sdk


@pytest.fixture(scope="session")
def sdk(tmp_path_factory: pytest.TempPathFactory) -> Sdk:
    """The run time with sanitizers of addresses and undefined behaviour."""
    folder: Path = tmp_path_factory.mktemp("runtime")
    return build_sdk(folder, ADDRESS)
