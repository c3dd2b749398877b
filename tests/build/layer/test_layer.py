"""The layer before libraries that play the real ones: both ways of loading, what it tells, what it leaves alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from opspec.build.installed import exported
from opspec.cli.main import main
from opspec.vocabulary.enforcement import UNCHECKED, UNKNOWN, told
from tests.build.layer.install import Host, build_layer, fake_install, linked_host, searching_host, vendor
from tests.events import read_events
from tests.once import once

LEGAL = "legal 0\n"


@dataclass(frozen=True, slots=True)
class Kit:
    install: Path
    layer: Path
    bare: Path  # built without an install, for A3
    linked: Host
    searching: Host


def _make(folder: Path) -> None:
    install = fake_install(folder / "cann")
    build_layer(folder / "layer", "--installed", str(install))
    operators = ("aclnnAbs", "aclnnMul", "aclnnCalculateMatmulWeightSize")
    build_layer(folder / "bare", "--product", "A3", operators=operators)
    linked_host(folder, install, "-DFAKE")
    searching_host(folder, install, "-DFAKE")


@pytest.fixture(scope="session")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Kit:
    folder = once(tmp_path_factory, "layer", _make)
    install = folder / "cann"
    linked, searching = (Host(folder / name, install) for name in ("linked", "searching"))
    return Kit(install, folder / "layer", folder / "bare", linked, searching)


@pytest.fixture(params=["linked", "searching"])
def run(request: pytest.FixtureRequest, kit: Kit) -> Any:
    """A function that runs the host with the layer: preloaded, or found by the search."""

    def call(*words: str, **settings: Any) -> subprocess.CompletedProcess[str]:
        if request.param == "linked":
            return kit.linked.run(*words, preload=kit.layer, **settings)
        return kit.searching.run(*words, ASCEND_CUSTOM_OPP_PATH=str(kit.layer / "opspec"), **settings)

    return call


def events(path: Path, kind: str) -> list[dict[str, Any]]:
    return [one for one in read_events(path) if one["event"] == kind]


# --- what is told, and what is left alone


def test_a_legal_call_says_nothing(run: Any) -> None:
    done = run("legal", severity="warning")
    assert (done.stdout, done.stderr) == (LEGAL, "")


@pytest.mark.parametrize(
    ("word", "rule", "status"), [("null", "self.null", 161001), ("shapes", "self-other-broadcast", 161002)]
)
def test_a_wrong_call_is_told_and_handed_on_as_it_is(run: Any, word: str, rule: str, status: int) -> None:
    done = run(word)
    assert done.stdout == f"{word} 0\n"  # the library's word counts
    assert done.stderr.startswith(f"opspec layer: error: aclnnAdd/{rule}: ")
    assert f"({status} " in done.stderr
    assert done.stderr.count("\n") == 1


def test_what_is_not_refused_is_told_as_an_error(run: Any, tmp_path: Path) -> None:
    """The rules predict success, as the library returns it: nothing differs, nothing is vetoed. Line and event say
    alike what is known of the call."""
    path = tmp_path / "events"
    done = run("format", severity="warning", veto="1", events=str(path))
    assert done.stdout == "format 0\n"
    (line,) = done.stderr.splitlines()
    assert line.startswith("opspec layer: error: aclnnAdd/self.private-format: ")
    (call,) = events(path, "call")
    assert (call["predicted"], call["actual"]) == (0, 0)
    (one,) = call["violations"]
    assert one["enforcement"] in (UNCHECKED, UNKNOWN)
    assert line.endswith(f" ({one['enforcement']}: {told(one['enforcement'], one['assumed'], 'en')})")


@pytest.mark.parametrize("status", [0, 161002, 361001])
def test_results_are_the_librarys(run: Any, status: int) -> None:
    assert run("legal", "null", FAKE_STATUS=str(status)).stdout == f"legal {status}\nnull {status}\n"


def test_a_status_that_no_rule_says_is_a_warning(run: Any) -> None:
    assert run("legal", FAKE_STATUS="161002").stderr == ""
    told = run("legal", FAKE_STATUS="161002", severity="warning").stderr
    assert "aclnnAdd/status.differs: the library returned 161002 ACLNN_ERR_PARAM_INVALID, the rules say 0" in told


def test_veto_returns_what_the_rules_say(run: Any) -> None:
    done = run("legal", "null", "shapes", veto="1")
    assert done.stdout == "legal 0\nnull 161001\nshapes 161002\n"
    assert run("null", veto="0").stdout == "null 0\n"
    broken = run("null", veto="yes")
    assert broken.stdout == "null 0\n"
    assert "OPSPEC_VETO: yes is neither 0 nor 1; taken as 0" in broken.stderr


def test_mute_repeat_and_output(run: Any, tmp_path: Path) -> None:
    assert run("null", mute="self.null").stderr == ""
    assert run("null", mute="aclnnAdd/*").stderr == ""
    assert run("null", output="none").stderr == ""
    assert len(run(*["null"] * 5, repeat="2").stderr.splitlines()) == 3
    run("null", output=str(tmp_path / "out"))
    assert "aclnnAdd/self.null" in (tmp_path / "out").read_text()


def test_events_name_calls_and_findings(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "events"
    run("legal", "null", events=str(path), output="none")
    (start,), (calling,), (legal, null), (end,) = (events(path, kind) for kind in ("start", "calling", "call", "end"))
    assert (start["release"], start["product"]) == ("9.1.0", "910b")
    assert [one["rule"] for one in calling["violations"]] == ["self.null"]
    assert (legal["predicted"], legal["actual"], legal["violations"]) == (0, 0, [])
    assert (null["predicted"], null["actual"]) == (161001, 0)
    assert (end["calls"], end["findings"]) == (2, {"aclnnAdd/self.null": 1})


def test_recorded_calls_are_read_by_opspec_check(run: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, told = tmp_path / "calls.jsonl", tmp_path / "events"
    run("legal", "null", "shapes", "lists", "destroyed", record=str(path), events=str(told), output="none")
    *known, member, destroyed = path.read_text().splitlines()
    assert json.loads(member)["unknown"] == ["self"]  # what is not known of a call cannot be judged again
    assert json.loads(destroyed)["unknown"] == ["other"]
    assert main(["check", "--output", "json", str(path)]) == 2
    assert "not known when the call was recorded: 'self'" in capsys.readouterr().err
    path.write_text("\n".join(known))
    assert main(["check", "--output", "json", str(path)]) == 1
    verdicts = json.loads(capsys.readouterr().out)
    calls = events(told, "call")[: len(known)]
    assert len(verdicts) == len(calls) == 5
    assert [one["code"] for one in verdicts] == [one["predicted"] for one in calls]
    for verdict, call in zip(verdicts, calls, strict=True):
        assert [one["rule"] for one in verdict["violations"]] == [one["rule"] for one in call["violations"]]


def test_a_legal_call_allocates_nothing(run: Any) -> None:
    assert run("allocations").stdout == "allocations 0\n"


def test_what_a_library_calls_on_its_own_behalf_is_not_judged(run: Any) -> None:
    done = run("nested", severity="info")
    assert done.stdout == "nested 0\n"
    assert "aclnnAdd" not in done.stderr


@pytest.mark.parametrize(
    ("soc", "product"), [("Ascend910B1", "910b"), ("Ascend310P3", "310p"), ("new", None), ("", None)]
)
def test_the_product_is_the_devices(run: Any, tmp_path: Path, soc: str, product: str | None) -> None:
    path = tmp_path / "events"
    run("legal", FAKE_SOC=soc, events=str(path))
    assert [one["product"] for one in events(path, "start")] == [product]


def test_the_product_can_be_built_in(kit: Kit, tmp_path: Path) -> None:
    kit.linked.run("nested", preload=kit.bare, events=str(tmp_path / "events"))
    assert [one["product"] for one in events(tmp_path / "events", "start")] == ["A3"]


def test_a_library_that_does_not_come_back_leaves_what_was_wrong(run: Any, tmp_path: Path) -> None:
    told = tmp_path / "events"
    done = run("null", FAKE_CRASH="1", status=-6, events=str(told))
    assert "aclnnAdd/self.null" in done.stderr
    (calling,) = events(told, "calling")
    assert (calling["op"], calling["call"]["op"]) == ("aclnnAdd", "aclnnAdd")
    assert events(told, "call") == []


def test_what_a_library_returned_and_said_is_recorded_and_the_program_gets_it(kit: Kit, tmp_path: Path) -> None:
    """A library gives its message out once: the layer hands on what it has read."""
    path, words = tmp_path / "calls.jsonl", ("legal", "message", "message")
    known: dict[str, Any] = {"FAKE_STATUS": "561002", "FAKE_MESSAGE": "EZ9999: no tiling"}
    done = kit.linked.run(*words, preload=kit.layer, record=str(path), output="none", **known)
    assert done.stdout == "legal 561002\nmessage EZ9999: no tiling\nmessage none\n"
    (call,) = map(json.loads, path.read_text().splitlines())
    assert (call["expect"], call["said"]) == ("ACLNN_ERR_INNER_TILING_ERROR", "EZ9999: no tiling")
    assert kit.linked.run(*words, preload=kit.layer, output="none", **known).stdout == done.stdout  # nobody records
    path.unlink()
    kit.linked.run("legal", preload=kit.layer, record=str(path), output="none", FAKE_STATUS="0")
    kit.linked.run("legal", preload=kit.layer, record=str(path), output="none", FAKE_STATUS="507018")
    passed, other = map(json.loads, path.read_text().splitlines())
    assert (passed["expect"], passed["stage"]) == ("ACLNN_SUCCESS", "ok")
    assert (other["expect"], other["x-status"]) == ("REJECT", 507018)


def test_a_veto_sets_the_message(kit: Kit) -> None:
    """As the library that was not asked would."""
    done = kit.linked.run("null", "message", "message", preload=kit.layer, veto="1", output="none")
    first, said, again = done.stdout.splitlines()
    assert (first, again) == ("null 161001", "message none")
    assert said.startswith("message aclnnAdd/self.null: ")


def test_opspec_run_puts_it_in_front(kit: Kit) -> None:
    """And says which call a library did not come back from."""
    words = [sys.executable, "-m", "opspec", "run", "--layer", str(kit.layer), str(kit.linked.program)]
    known = {name: value for name, value in os.environ.items() if not name.startswith("OPSPEC_")}
    known["LD_LIBRARY_PATH"] = str(kit.install / "lib64")
    done = subprocess.run([*words, "legal", "null"], env=known, capture_output=True, text=True)
    assert done.stdout == "legal 0\nnull 0\n"
    assert "aclnnAdd/self.null" in done.stderr
    assert "2 calls of 1 operator on 9.1.0 910b, 0 refused, 1 illegal but not refused; 1 error" in done.stderr
    done = subprocess.run([*words, "null"], env={**known, "FAKE_CRASH": "1"}, capture_output=True, text=True)
    assert done.returncode == 128 + 6
    assert "was ended by signal 6 (SIGABRT), after a call of aclnnAdd" in done.stderr
    assert "aclnnAdd/self.null" in done.stderr


def test_what_is_not_checked_is_handed_on_with_all_its_arguments(run: Any) -> None:
    """In registers and on the stack, and the result in memory: the first time, and when the function is known."""
    assert run("many").stdout == "many 36.75 28 7 1\n"


# --- handles


def test_tensors_that_were_not_seen_created_are_asked_about(run: Any) -> None:
    assert run("unseen:2", severity="info").stderr == ""
    assert "aclnnAdd/self-other-broadcast" in run("unseen:3").stderr
    assert run("unseen:3").stdout == "unseen 0\n"


@pytest.mark.parametrize("settings", [{"getters": "0"}, {"FAKE_GETTERS": "bad"}])
def test_tensors_that_cannot_be_asked_about_are_not_checked(run: Any, settings: dict[str, str]) -> None:
    done = run("unseen:3", severity="info", **settings)
    assert "handle.unknown: aclnnAdd: the aclTensor other was not seen created" in done.stderr
    assert "aclnnAdd/self-other-broadcast: not decided" in done.stderr
    assert "error" not in done.stderr


def test_garbage_handles_are_not_followed(run: Any) -> None:
    done = run("garbage", severity="info", mute="*.*type,*shape*,broadcast*")
    assert done.stdout == "garbage 0\n" * 4
    assert done.stderr.count("handle.unknown: aclnnAdd: the aclTensor other was not seen created") == 4
    assert "error" not in done.stderr


def test_destroyed_handles_are_told(run: Any) -> None:
    done = run("destroyed")
    assert done.stdout == "destroyed 0\n"
    assert done.stderr == "opspec layer: error: handle.destroyed: aclnnAdd: the aclTensor other was destroyed\n"


def test_where_objects_are_made_past_the_layer_none_is_called_destroyed(run: Any) -> None:
    """The address of a destroyed object may be one's that was not seen created."""
    assert run("unseen:2", "destroyed", "destroyed").stderr == ""


def test_handles_of_another_kind_are_told(run: Any) -> None:
    told = run("kinds").stderr
    what = "aclnnAdd: self is to be an aclTensor, but is another kind of object"
    assert told == f"opspec layer: error: handle.other-kind: {what}\n"


def test_a_tensor_that_is_initialised_again_is_another_one(run: Any) -> None:
    assert "aclnnAdd/self-other-broadcast" in run("again").stderr


def test_lists_know_their_members_and_own_them(run: Any) -> None:
    done = run("lists")
    assert done.stdout == "cat 0\ncat 0\nmember 0\n"
    first, second = done.stderr.splitlines()
    assert first.startswith("opspec layer: error: aclnnCat/")
    assert second == "opspec layer: error: handle.destroyed: aclnnAbs: the aclTensor self was destroyed"


def test_threads(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "events"
    done = run("threads", events=str(path), output="none")
    assert done.stdout == ""
    calls = events(path, "call")
    assert len(calls) == 6 * 300
    assert sum(one["predicted"] != 0 for one in calls) == 6 * 6
    assert events(path, "finding") == []


# --- names


def test_exports_are_those_of_the_installed_libraries(kit: Kit) -> None:
    real = exported(str(kit.install / "lib64" / "libopapi_math.so")) | exported(
        str(kit.install / "lib64" / "libnnopbase.so")
    )
    own = exported(str(kit.layer / "libcust_opapi.so"))
    assert own == {
        name for name in real if name.startswith(("aclnn", "aclCreate", "aclDestroy", "aclInit", "aclGetRec"))
    }
    assert "aclnnMulGetWorkspaceSize" not in own  # has a spec, but is not installed
    assert "aclnnFakeMany" in own  # is installed, but has no spec


def test_without_an_install_entries_of_operators_are_exported_and_nothing_else(kit: Kit) -> None:
    own = exported(str(kit.bare / "libopspec_layer.so"))
    assert {name for name in own if not name.startswith(("aclCreate", "aclDestroy"))} == {
        "aclnnAbsGetWorkspaceSize", "aclnnMulGetWorkspaceSize", "aclnnCalculateMatmulWeightSize", "aclInitTensor",
        "aclGetRecentErrMsg",
    }  # fmt: skip
    assert not (kit.bare / "libcust_opapi.so").exists()


def test_a_framework_finds_what_exists_and_nothing_else(kit: Kit) -> None:
    custom = str(kit.layer / "opspec")
    names = ("aclnnAdd", "aclnnFakeMany", "aclnnMulGetWorkspaceSize", "aclnnMul", "aclCreateTensor", "opspec_judge")
    words = [f"found:{name}" for name in names]
    with_layer = kit.searching.run(*words, ASCEND_CUSTOM_OPP_PATH=custom).stdout
    assert with_layer == kit.searching.run(*words).stdout
    assert [line.split(" ", 1)[1] for line in with_layer.splitlines()] == [
        "found", "found", "not found", "not found", "found", "not found"
    ]  # fmt: skip


def test_a_library_of_another_owner_is_not_taken(kit: Kit, tmp_path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can give a file away")
    folder = tmp_path / "op_api" / "lib"
    folder.mkdir(parents=True)
    copy = folder / "libcust_opapi.so"
    copy.write_bytes((kit.layer / "libopspec_layer.so").read_bytes())
    assert kit.searching.run("null", ASCEND_CUSTOM_OPP_PATH=str(tmp_path)).stderr != ""
    os.chown(copy, 12345, 12345)
    assert kit.searching.run("null", ASCEND_CUSTOM_OPP_PATH=str(tmp_path)).stderr == ""


def test_loaded_both_ways_it_is_one(kit: Kit, tmp_path: Path) -> None:
    path = tmp_path / "events"
    custom = str(kit.layer / "opspec")
    done = kit.searching.run(
        "legal", "null", preload=kit.layer, ASCEND_CUSTOM_OPP_PATH=custom, events=str(path), output="none"
    )
    assert done.stdout == "legal 0\nnull 0\n"
    assert len(events(path, "start")) == 1
    assert len(events(path, "call")) == 2


def test_a_vendors_library_comes_before_the_toolkits(kit: Kit, tmp_path: Path) -> None:
    """The layer stands for both, in the order in which they would have been searched."""
    own = vendor(tmp_path / "vendor")
    both = ("--installed", str(own / "op_api" / "lib"), "--installed", str(kit.install))
    layer = build_layer(tmp_path / "layer", *both, operators=("aclnnAdd",))
    for custom in (f"{own}", f"{layer / 'opspec'}:{own}"):
        done = kit.searching.run("legal", "calls:aclnnOnlyHere", ASCEND_CUSTOM_OPP_PATH=custom)
        assert done.stdout == "legal 77\naclnnOnlyHere 2\n"


def test_where_calls_go_can_be_said_at_run_time(kit: Kit, tmp_path: Path) -> None:
    other = vendor(tmp_path / "vendor") / "op_api" / "lib" / "libcust_opapi.so"
    to = f"{other}:{kit.install / 'lib64' / 'libopapi_math.so'}"
    done = kit.searching.run("legal", ASCEND_CUSTOM_OPP_PATH=str(kit.layer / "opspec"), forward_to=to)
    assert done.stdout == "legal 77\n"
    gone = kit.searching.run("legal", ASCEND_CUSTOM_OPP_PATH=str(kit.layer / "opspec"), forward_to="/none/lib.so")
    assert gone.stdout == LEGAL  # the libraries that the search itself has loaded


def test_a_function_that_no_library_has_is_told(kit: Kit) -> None:
    """With LD_PRELOAD the layer has names that the real libraries may lack."""
    code = "import ctypes; print(ctypes.CDLL(None).aclnnMulGetWorkspaceSize(None, None, None, None, None))"
    known = os.environ | {"LD_PRELOAD": str(kit.bare / "libopspec_layer.so")}
    done = subprocess.run(["python3", "-c", code], capture_output=True, text=True, env=known, timeout=60)
    assert done.stdout == "561000\n"
    assert "library.missing: aclnnMulGetWorkspaceSize: no library that is loaded has it" in done.stderr


def test_a_library_that_is_loaded_for_one_caller_only_is_found(kit: Kit) -> None:
    """As Python loads its extensions: what they are linked against is in no global scope."""
    code = (
        "import ctypes, os\n"
        f"ctypes.CDLL({str(kit.install / 'lib64' / 'libopapi.so')!r}, mode=os.RTLD_LOCAL | os.RTLD_LAZY)\n"
        "print(ctypes.CDLL(None).aclnnAbsGetWorkspaceSize(None, None, None, None))"
    )
    known = os.environ | {"LD_PRELOAD": str(kit.bare / "libopspec_layer.so")}
    done = subprocess.run(["python3", "-c", code], capture_output=True, text=True, env=known, timeout=60)
    assert done.stdout == "0\n"
    assert "aclnnAbs/self.null" in done.stderr
