"""Logs as users paste them: what one call said, as frameworks, servers, issues and terminals put it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_DATE = "2026-04-22-08:49:02.433.180"


@dataclass(frozen=True, slots=True)
class Said:
    """What a call said that failed.

    Attributes:
        inner: whether what lies behind the argument checks said it.
    """

    operator: str
    code: int
    messages: Sequence[str]
    inner: bool

    @property
    def function(self) -> str:
        """What torch_npu may call its own function."""
        bare = self.operator.removeprefix("aclnn")
        return "npu_" + "".join(f"_{char.lower()}" if char.isupper() else char for char in bare).lstrip("_")


def _block(said: Said) -> list[str]:
    kind = "EZ9999" if said.inner else "EZ1001"
    first = f"{kind}: Inner Error!" if said.inner else ""
    return [
        first,
        *(f"{kind}[PID: 71] {_DATE} ({kind}):  {message}" for message in said.messages),
        "        TraceBack (most recent call last):",
        "       Check NnopbaseExecutorDoTiling(executor) failed" if said.inner else "",
    ]


def _head(said: Said) -> str:
    return (
        f"RuntimeError: {said.function}:build/CMakeFiles/torch_npu.dir/compiler_depend.ts:275 NPU function error: call "
        f"{said.operator} failed, error code is {said.code}"
    )


def traceback(said: Said) -> str:
    """A traceback of torch_npu on one rank of many."""
    lines = [
        "Traceback (most recent call last):",
        '  File "/home/me/train.py", line 88, in <module>',
        "    loss = model(batch)",
        '  File "/usr/local/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1751, in _wrapped_call_impl',
        "    return self._call_impl(*args, **kwargs)",
        _head(said),
        f"[ERROR] {_DATE[:19]} (PID:71, Device:0, RankID:3) ERR00100 PTA call acl api failed.",
        *_block(said),
    ]
    return "\n".join(f"[rank3]: {line}" for line in lines) + "\n"


def plog(said: Said) -> str:
    """Lines of a process log among others."""
    around = (
        f"[ERROR] OP(71,python3):{_DATE} [checks.cpp:12][NNOP][Check]71 errno[{said.code}] OpName:[{said.operator}_7] "
    )
    quiet = f"[INFO] OP(71,python3):{_DATE} [cache.cpp:7][NNOP][Hit]71 key of aclnnAdd_3 shape [2, 3] found\n"
    return quiet + "".join(f"{around}{message}\n{quiet}" for message in said.messages)


def server(said: Said) -> str:
    """What an inference server prints, a prefix at each line."""
    lines = [
        "EngineCore encountered a fatal error.",
        "Traceback (most recent call last):",
        '  File "/vllm-workspace/vllm-ascend/vllm_ascend/worker/model_runner_v1.py", line 2231, in execute_model',
        "    hidden_states = self._generate_process_reqs_hidden_states(",
        _head(said),
        *_block(said),
    ]
    return "".join(f"(EngineCore_DP0 pid=71) ERROR 04-22 08:49:02 [core.py:720] {line}\n" for line in lines)


def mindspore(said: Said) -> str:
    """MindSpore's error, with the stack below it."""
    kind = "EZ9999" if said.inner else "EZ1001"
    return "\n".join([
        f"[ERROR] DEVICE(71,ffff9e3f4020,python):{_DATE} [mindspore/ops/kernel/ascend/opapi/aclnn_kernel_mod.h:342]",
        f"RuntimeError: {said.operator}GetWorkspaceSize call failed, please check!",
        "", "-" * 52, "- Ascend Error Message:", "-" * 52,
        *(f"{kind}: [PID: 71] {_DATE} {message}" for message in said.messages),
        "", "(Please search \"CANN Common Error Analysis\" at https://www.mindspore.cn for error code description)",
        "", "-" * 52, "- C++ Call Stack: (For framework developers)", "-" * 52,
        "mindspore/ccsrc/plugin/device/ascend/hal/hardware/ge_kernel_executor.cc:1010 LaunchKernel", "",
    ])  # fmt: skip


def atb(said: Said) -> str:
    """A library above aclnn: its own operation, then what aclnn said."""
    return "\n".join([
        f"[2026-04-22 08:49:02.433] [error] [71] [acl_nn_operation.cpp:88] LinearOperation_3 call {said.operator}"
        f"GetWorkspaceSize fail, error:{said.code}",
        "[2026-04-22 08:49:02.433] [error] [71] [acl_nn_operation.cpp:141] Node_12 setup fail",
        *(f"{'EZ9999' if said.inner else 'EZ1001'}: [PID: 71] {_DATE} {message}" for message in said.messages), "",
    ])  # fmt: skip


def issue(said: Said) -> str:
    """An issue in Chinese, with the log quoted in it."""
    return "\n".join([
        "### 问题描述", "用 torch_npu 2.7.1 跑推理时报错，同样的代码在 GPU 上没有问题，麻烦帮忙看一下，谢谢！", "",
        "**报错信息：**", "```shell", _head(said), *_block(said), "```", "",
        "### 复现步骤", "1. `python infer.py --model Qwen3 --dtype bfloat16`", "2. 必现",
        "### 备注", "之前 batch 为 4 的时候是正常的，改成 8 就不行了。", "",
    ])  # fmt: skip


def quoted(said: Said) -> str:
    """A reply that quotes an issue."""
    return "> " + traceback(said).replace("\n", "\n> ") + "\nsame here, any update?\n"


def coloured(said: Said) -> str:
    """As a terminal shows it."""
    return "".join(f"\x1b[1;31m{line}\x1b[0m\n" for line in server(said).splitlines())


def windows(said: Said) -> str:
    """With other ends of lines, and a mark at the beginning."""
    return "\ufeff" + issue(said).replace("\n", "\r\n")


def container(said: Said) -> str:
    """Lines as a container's log keeps them."""
    lines = traceback(said).splitlines(keepends=True)
    return "".join(
        json.dumps({"log": line, "stream": "stderr", "time": "2026-04-22T08:49:02Z"}) + "\n" for line in lines
    )


def one_line(said: Said) -> str:
    """A log that lost its ends of lines."""
    return traceback(said).replace("\n", "\\n")


def journal(said: Said) -> str:
    """As the journal of a machine keeps what a service prints."""
    return "".join(f"Apr 22 08:49:02 npu-07 python3[4711]: {line}\n" for line in server_lines(said))


def server_lines(said: Said) -> list[str]:
    """What torch_npu prints of a failure, without a traceback."""
    return [_head(said), *filter(None, _block(said))]


def ray(said: Said) -> str:
    """As Ray hands on what its workers print."""
    return "".join(
        f"\x1b[36m(RayWorkerWrapper pid=4711, ip=10.44.0.3)\x1b[0m {line}\n" for line in traceback(said).splitlines()
    )


def loguru(said: Said) -> str:
    """With what a logger of Python puts before each line."""
    return "".join(
        f"2026-04-22 08:49:02.433 | ERROR    | engine.run:step:214 - {line}\n" for line in server_lines(said)
    )


def exception_in_json(said: Said) -> str:
    """A structured log, which keeps the exception apart from the message."""
    text = "\n".join(server_lines(said))
    return json.dumps({"level": "error", "msg": "worker died", "error": {"kind": "RuntimeError", "stack": text}}) + "\n"


def pytest_report(said: Said) -> str:
    """What pytest prints of a test that failed."""
    lines = ["= FAILURES =", "tests/test_ops.py:77: ", *(f"E       {line}" for line in server_lines(said))]
    return "\n".join([*lines, "", "tests/test_ops.py:77: RuntimeError", "FAILED tests/test_ops.py::test_it"]) + "\n"


def asynchronous(said: Said) -> str:
    """What torch_npu prints where a call failed in its queue."""
    head = (
        "RuntimeError: The Inner error is reported as above. The process exits for this inner error, and the current "
        f"working operator name is {said.operator}."
    )
    return "\n".join([head, *_block(said)]) + "\n"


def before_others(said: Said) -> str:
    """The first failure of several: other ranks wait for this one in vain, and the device is given up."""
    return asynchronous(said) + "\n".join([
        "[rank1]: RuntimeError: NPU error: HCCL watchdog thread terminated with exception: error code is 507015",
        f"EI0002: [PID: 72] {_DATE} The wait execution of the Notify register times out.",
        f"[ERROR] {_DATE} (PID:72, Device:1, RankID:1) ERR02200 DIST call hccl api failed.",
        f"[ERROR] {_DATE} (PID:71, Device:0, RankID:0) ERR00100 the aicore execution failed, error code is 507015", "",
    ])  # fmt: skip


def after_another(said: Said) -> str:
    """Behind a failure of another operator."""
    other = Said("aclnnCast", 561103, ["self dtype DT_COMPLEX32 is not supported"], inner=False)
    return traceback(other) + "\n" * 3 + plog(said)


FORMS: tuple[Callable[[Said], str], ...] = (
    traceback, plog, server, mindspore, atb, issue, quoted, coloured, windows, container, one_line, after_another,
    journal, ray, loguru, exception_in_json, pytest_report, asynchronous, before_others,
)  # fmt: skip
