"""The layer under sanitizers, with threads, garbage and destroyed handles: no races, and no bad addresses."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.build.layer.install import Host, build_layer, fake_install, linked_host
from tests.once import once

WORDS = ("legal", "null", "shapes", "lists", "again", "garbage", "destroyed", "unseen:3", "kinds", "threads", "many")


def _host(factory: pytest.TempPathFactory, name: str, *flags: str) -> tuple[Host, Path]:
    """A host and a layer in front of it, both built with a sanitizer."""

    def make(folder: Path) -> None:
        install = fake_install(folder / "cann")
        words = ("--installed", str(install), "--cc", " ".join(("cc", "-g", *flags)))
        build_layer(folder / "layer", *words, operators=("aclnnAdd", "aclnnCat"))
        linked_host(folder, install, "-DFAKE", "-DNO_COUNT", *flags)

    folder = once(factory, name, make)
    return Host(folder / "linked", folder / "cann"), folder / "layer" / "libopspec_layer.so"


def _runtime(name: str) -> str:
    return subprocess.run(["cc", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()


def test_addresses_and_undefined_behaviour(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> None:
    host, layer = _host(
        tmp_path_factory, "layer-asan", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"
    )
    events, record = str(tmp_path / "events"), str(tmp_path / "record")
    preload = f"{_runtime('libasan.so')}:{layer}"
    done = host.run(
        *WORDS, preload=preload, ASAN_OPTIONS="detect_leaks=0", events=events, record=record, severity="info"
    )
    assert "handle.destroyed" in done.stderr
    assert "runtime error" not in done.stderr


def test_threads(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> None:
    host, layer = _host(tmp_path_factory, "layer-tsan", "-fsanitize=thread")
    done = host.run("threads", "null", "threads", preload=str(layer), events=str(tmp_path / "events"), severity="info")
    assert "WARNING: ThreadSanitizer" not in done.stderr
    assert "aclnnAdd/self.null" in done.stderr
