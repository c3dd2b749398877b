"""Logs made of what the runtime said of a judged call, in the forms in which programs print it."""

from __future__ import annotations

import re

from opspec.vocabulary import status
from tests.assist.judged import Record, number

_SOC = {
    "910b": "Ascend910B3", "A3": "Ascend910_9392", "950": "Ascend950PR_9589", "310p": "Ascend310P3",
    "910": "Ascend910A", "310b": "Ascend310B4",
}  # fmt: skip
_DATE = "2026-04-22-08:49:02.433.180"


def said(record: Record) -> list[str]:
    """The messages of a judged call, without what the recorder put around them."""
    parts = record["said"].split(" # ")
    bare = [re.sub(r"^E[A-Z0-9]\d{4}:\s*", "", part) for part in parts]
    first = re.sub(r"^(?:\w+: )?(?:[\w/.]+\.(?:cpp|cc|h):\d+\])?(?:\[\w+\]\s*)?", "", bare[0])
    first = re.sub(r"^errno(?:\[-?\d+\])?\s*", "", first)
    return list(dict.fromkeys([first, *bare[1:]]))


def log_of(record: Record) -> str:
    """What a program prints when that call has failed."""
    text = f"{record['op']} {record['said']} {record['args']}"
    form, machine = number(text) % 4, number("machine " + text) % 2
    code, operator = status.number(record["expect"]), record["op"]
    messages, inner = said(record), record["stage"] != "params"
    head = [f"torch_npu 2.7.1, {_SOC[record['product']]}"] if machine and record["product"] in _SOC else []
    if form == 0:
        head.append(f"RuntimeError: forward:compiler_depend.ts:112 NPU function error: call {operator} failed, "
                    f"error code is {code}")  # fmt: skip
        head.append(f"[ERROR] {_DATE} (PID:71, Device:0, RankID:-1) ERR00100 PTA call acl api failed.")
        head.append("EZ9999: Inner Error!" if inner else "")
        around = (
            f"EZ9999[PID: 71] {_DATE} (EZ9999):  " if inner else f"[PID: 71] {_DATE} AclNN_Parameter_Error(EZ1001): "
        )
        return "\n".join([*head, *(around + message for message in messages)]) + "\n"
    if form == 1:
        kind = "EZ9999" if inner else "EZ1001"
        head.append(f"RuntimeError: call {operator} failed, detail:{kind}: [PID: 71] {_DATE} {messages[0]}")
        return "\n".join([*head, *messages[1:], "", "ERR01100 OPS call acl api failed"]) + "\n"
    if form == 2:
        around = f"[ERROR] OP(71,python3):{_DATE} [x.cpp:12][NNOP][Check] 71 errno[{code}] OpName:[{operator}_7] "
        return "\n".join([*head, *(around + message for message in messages)]) + "\n"
    head.append(f"{operator}GetWorkspaceSize failed. ERROR: {code}")
    return "\n".join([*head, *messages]) + "\n"
