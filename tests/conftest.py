"""What tests are called by how they run, and what of that must not go unnoticed.

Markers are explained in ``pyproject.toml``. ``pytest`` runs what a clone and a C compiler can; ``pytest -m quick`` what
takes two to three minutes; ``.ci/run`` everything, and there a skipped test is a failed one.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import shutil
import zlib
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

from opspec.cli.main import COLLECTED
from opspec.registry import registry
from opspec.registry.toolkit import HOMES, NAMED
from tests.build.sdk.small import small_sdk
from tests.paths import ACL_HEADERS, SHARED
from tests.remembered import remember

__all__ = ["small_sdk"]

# No test fails because the machine is slow.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
#: where the same tests run a second time, under another Python
settings.register_profile("brief", settings.get_profile("patient"), max_examples=15)
settings.load_profile(os.environ.get("OPSPEC_PROPERTIES", "patient"))

# What programs write on standard error does not hang on how long they take; tests of progress switch it on again.
os.environ["OPSPEC_PROGRESS"] = "0"

# Programs that tests start load opspec hundreds of times: what the first has compiled, the others need not.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Tables are as wide as their content, not as the terminal that processes of a parallel run are told of.
os.environ.pop("COLUMNS", None)

# No toolkit of the machine decides by which release tests judge.
for variable in (NAMED, *HOMES):
    os.environ.pop(variable, None)

# As for the commands: trees of rules are many, and none of them is garbage soon.
gc.set_threshold(*COLLECTED)

# The interpreter is what code is compared with: nothing but its own test has it stand in for code.
registry.INTERPRETED = 0

remember()

#: what a quick run leaves out
LONGER = ("slow", "native", "corpus", "headers", "browser", "torch")

#: folders whose tests call a C compiler
NATIVE = ("build", "codegen", "csrc", "programs")

#: marker -> why its tests cannot run here, if they cannot
MISSING = {
    "corpus": None if SHARED.is_dir() else "the vendor's pages are not here: set OPSPEC_SHARED",
    "headers": None if ACL_HEADERS else "no ACL headers here: run .ci/fetch-acl-headers",
    "node": None if shutil.which("node") else "no Node here: it judges calls in JavaScript",
    "browser": None
    if shutil.which("chromium") and importlib.util.find_spec("playwright")
    else "no Chromium here, or no playwright to drive it (pip install -e '.[dev]')",
}

#: PART/PARTS: of the tests that were chosen, so many parts in all, those of one part; the same in every process
SHARE = os.environ.get("OPSPEC_SHARE", "0/1")

#: a skip is a failure: whoever sets ``CI`` says that everything is installed
STRICT = os.environ.get("CI", "") not in ("", "0", "false")


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests of C and of PyTorch by their folder, and as quick what nothing speaks against."""
    for item in items:
        if item.path.relative_to(config.rootpath / "tests").parts[0] in NATIVE:
            item.add_marker("native")
        if item.path.relative_to(config.rootpath / "tests").parts[0] == "torch":
            item.add_marker("torch")
        if not any(item.get_closest_marker(name) for name in LONGER):
            item.add_marker("quick")
    part, parts = map(int, SHARE.split("/"))
    items[:] = [item for item in items if zlib.crc32(item.nodeid.encode()) % parts == part]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what cannot run here."""
    for name, why in MISSING.items():
        if why and item.get_closest_marker(name):
            pytest.skip(why)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Green must not mean that nothing was tested: in CI a skip is a failure."""
    report = yield
    if STRICT and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = (
            f"{item.nodeid}: skipped, which is a failure where CI is set: {call.excinfo and call.excinfo.value}"
        )
    return report
