"""HCCL: a thread per rank; set-up, collectives, and what goes wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import THREAD, Run, Sdk, build_sdk, run


@pytest.fixture(scope="module")
def program(sdk: Sdk) -> Path:
    return sdk.program("ranks.cpp", "c++")


def ran(program: Path, scenario: str, **settings: str) -> Run:
    done = run(program, scenario, settings=settings)
    assert done.status == 0, done.errors
    return done


def tables(folder: Path) -> dict[str, str]:
    """A table of three ranks, and one with a rank that is there twice."""
    device = '{"device_id": "0", "device_ip": "192.168.1.8", "rank_id" : %s}'
    for name, ranks in (("good", ('"0"', '"1"', "2")), ("bad", ('"0"', '"0"'))):
        devices = ", ".join(device % rank for rank in ranks)
        (folder / name).write_text(f'{{"version": "1.0", "server_list": [{{"device": [{devices}]}}]}}')
    return {"RANK_TABLE": str(folder / "good"), "BAD_TABLE": str(folder / "bad")}


@pytest.mark.parametrize("scenario", ["root", "all", "named"])
def test_nothing_is_told_of_what_is_right(program: Path, scenario: str) -> None:
    done = ran(program, scenario)
    assert not done.findings()
    assert not done.findings("warning")


def test_a_table_of_ranks(program: Path, tmp_path: Path) -> None:
    done = ran(program, "table", **tables(tmp_path))
    assert not done.findings()
    assert any("a rank_id is there twice" in text for text in done.messages("runtime.refused"))


def test_ranks_that_do_not_come_or_do_not_agree(program: Path) -> None:
    done = ran(program, "mistakes", OPSPEC_HCCL_TIMEOUT="1")
    assert done.findings() == {
        "hccl.timeout": 1, "hccl.duplicate-rank": 1, "hccl.size": 2, "hccl.mismatch": 1, "stream.stuck": 1,
        "hccl.unknown": 3,
    }  # fmt: skip
    assert done.findings("warning")["hccl.leak"] == 1
    assert "1 of 3 ranks came within 1 s (OPSPEC_HCCL_TIMEOUT); rank 1 did not" in done.messages("hccl.timeout")[0]
    assert "of 16 elements of type 4" in done.messages("hccl.mismatch")[0]
    assert "HcclBarrier was not called by all ranks within 1 s" in done.messages("stream.stuck")[0]


def test_arguments(program: Path) -> None:
    found = ran(program, "arguments").findings()
    assert found == {"memory.out-of-bounds": 3, "memory.not-device": 1, "context.missing": 1}


def test_threads_do_not_race(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder: Path = tmp_path_factory.mktemp("threads")
    sdk = build_sdk(folder, THREAD)
    ranks, runtime = sdk.program("ranks.cpp", "c++"), sdk.program("runtime.c")
    for program, scenario in ((ranks, "root"), (ranks, "all"), (runtime, "threads"), (runtime, "callbacks")):
        ran(program, scenario)
