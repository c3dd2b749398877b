"""``opspec.torch``: check the calls of a PyTorch model against an Ascend product, on a machine that has none.

>>> import opspec.torch
>>> with opspec.torch.check(product="910b") as report:
...     model(tokens)
>>> print(report)

Which operator stands for which call of ATen or torch_npu is a table, ``data/*.yaml``; the rules are those of the specs.
Where torch_npu is not installed, its operators that the table names are there as stand-ins: they make outputs of the
right shape and dtype, filled with zeros. :func:`record` writes calls as lines that ``opspec check`` reads, with what
they returned. :func:`install` makes ``import torch_npu`` work, too.
"""

from __future__ import annotations

from opspec.errors import OpspecError

try:
    import torch as _torch  # noqa: F401 - the modules below need it
except ImportError:
    raise OpspecError("opspec.torch needs PyTorch; install opspec[torch], or torch for the CPU alone") from None

from opspec.torch.mode import check
from opspec.torch.recording import record
from opspec.torch.report import Fault, Report
from opspec.torch.stand_ins import install, register

__all__ = ["Fault", "Report", "check", "install", "record"]

register()
