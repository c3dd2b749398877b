"""Judge a call from Python: metadata is enough, and anything with ``.shape`` and ``.dtype`` is metadata."""

import opspec
from opspec import Tensor

verdict = opspec.check(
    "aclnnGroupedBiasAddGrad",
    product="910b",
    gradY=Tensor((1000, 30), "FLOAT"),
    groupIdxOptional=Tensor((3,), "INT32", values=(400, 600, 1000)),
    out=Tensor((3, 31), "FLOAT"),
)
print(verdict.status)
for finding in verdict.violations:
    print(f"{finding.full_id}: {finding.message}")
    print(f"  clause: {finding.source}")
