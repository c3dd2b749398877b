"""The layer in front of the simulator's libraries, which play the real ones: both judge every call, and agree."""

from __future__ import annotations

import os
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from opspec.build.installed import exported
from opspec.codegen.entries.layer import MESSAGE, OBJECTS
from tests.build.layer.install import build_layer, linked_host, searching_host
from tests.build.sdk.small import LIBRARIES, flags
from tests.events import read_events
from tests.once import once

PROGRAMS = Path(__file__).parents[2] / "programs"
#: in the style of real samples: lists, arrays, views, threads, processes, and errors on purpose
SAMPLES = (
    "arrays",
    "destroyed_twice",
    "forks",
    "lists",
    "null_out",
    "pipeline",
    "trans_weight",
    "wrong_dtype",
    "wrong_shape",
)
#: what those programs and the host call; the layer hands the rest on
CHECKED = (
    "aclnnAdd", "aclnnCat", "aclnnConvolutionBackward", "aclnnForeachAddcdivScalarList", "aclnnGeluV2", "aclnnMatmul",
    "aclnnMatmulWeightNz", "aclnnPermute", "aclnnReduceSum", "aclnnRelu", "aclnnSplitTensor", "aclnnTransMatmulWeight",
)  # fmt: skip


@pytest.fixture(scope="session")
def layer(tmp_path_factory: pytest.TempPathFactory, small_sdk: Path) -> Path:
    """A layer for the small SDK: it forwards to it, too."""

    def make(folder: Path) -> None:
        build_layer(folder, "--installed", str(small_sdk), operators=CHECKED)
        linked_host(folder, small_sdk, "-DUNARY=aclnnReluGetWorkspaceSize", libraries=("-lascendcl",))
        searching_host(folder, small_sdk, "-DUNARY=aclnnReluGetWorkspaceSize")

    return once(tmp_path_factory, "sdk-layer", make)


def run(program: Path, *words: str, sdk: Path, folder: Path, **environment: str) -> list[dict[str, Any]]:
    """The events of a program; that of both sources are in one file."""
    path = folder / "events"
    known = {name: value for name, value in os.environ.items() if not name.startswith(("OPSPEC_", "ASCEND_"))}
    known |= {"ASCEND_HOME_PATH": str(sdk), "LD_LIBRARY_PATH": str(sdk / "lib64")}
    known |= {"OPSPEC_EVENTS": str(path), "OPSPEC_OUTPUT": "none", **environment}
    subprocess.run([str(program), *words], env=known, capture_output=True, timeout=120, check=False)
    return read_events(path)


def calls(events: list[dict[str, Any]], source: str) -> dict[int, list[tuple[Any, ...]]]:
    """By thread, what each call came to."""
    found = defaultdict(list)
    for one in events:
        if one["event"] == "call" and one["source"] == source:
            broken = [
                [(rule["rule"], rule["enforcement"], rule["message"]) for rule in one[name]]
                for name in ("violations", "warnings")
            ]
            found[one["thread"]].append((one["op"], one["predicted"], one["actual"], broken, one["undecided"]))
    return found


@pytest.mark.parametrize("name", SAMPLES)
def test_both_agree_on_every_call(name: str, small_sdk: Path, layer: Path, tmp_path: Path) -> None:
    """Status, rules in their order, and the words; and the layer sees every call."""
    program = tmp_path / name
    words = ["c++", "-std=c++17", *flags(small_sdk), str(PROGRAMS / f"{name}.cpp"), *LIBRARIES, "-lpthread"]
    done = subprocess.run([*words, "-o", str(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    events = run(program, sdk=small_sdk, folder=tmp_path, LD_PRELOAD=str(layer / "libopspec_layer.so"))
    of_layer, of_simulator = (calls(events, source) for source in ("layer", "simulator"))
    assert of_layer == of_simulator
    assert sum(map(len, of_layer.values())) > 0 or name == "destroyed_twice"
    assert {one["kind"] for one in events if one["event"] == "finding" and one["source"] == "layer"} <= {
        one["kind"] for one in events if one["event"] == "finding" and one["source"] == "simulator"
    }


@pytest.fixture(params=["linked", "searching"])
def host(request: pytest.FixtureRequest, small_sdk: Path, layer: Path, tmp_path: Path) -> Any:
    """A function that runs the host, with the layer found one way or the other, and gives its events."""
    names = {"linked": ("LD_PRELOAD", "libopspec_layer.so"), "searching": ("ASCEND_CUSTOM_OPP_PATH", "opspec")}
    variable, path = names[request.param]
    known = {variable: str(layer / path)}
    return lambda *words: run(layer / request.param, *words, sdk=small_sdk, folder=tmp_path, **known)


def test_both_ways_of_loading(host: Any) -> None:
    """Every call is seen, in threads, too, and by one layer."""
    events = host("legal", "null", "shapes", "format", "again", "threads")
    of_layer, of_simulator = (calls(events, source) for source in ("layer", "simulator"))
    assert of_layer == of_simulator
    assert sum(map(len, of_layer.values())) == 5 + 6 * 300
    assert len([one for one in events if one["event"] == "start" and one["source"] == "layer"]) == 1


def test_wrong_handles_are_found_by_both(host: Any) -> None:
    events = host("lists", "garbage", "destroyed", "kinds")
    kinds = {"handle.destroyed", "handle.other-kind", "handle.unknown"}
    for source in ("layer", "simulator"):
        assert {one["kind"] for one in events if one["event"] == "finding" and one["source"] == source} >= kinds
    assert [one["actual"] for one in events if one["event"] == "call" and one["source"] == "layer"].count(0) == 1


def test_exports_are_those_of_the_sdk(small_sdk: Path, layer: Path) -> None:
    libraries = [*(small_sdk / "lib64").glob("libopapi*.so"), small_sdk / "lib64" / "libnnopbase.so"]
    real = {name for path in libraries for name in exported(str(path))}
    own = exported(str(layer / "libcust_opapi.so"))
    assert own == {name for name in real if name.startswith("aclnn") or name in OBJECTS} | {MESSAGE}
