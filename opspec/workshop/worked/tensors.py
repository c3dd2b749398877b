"""Tensors of PyTorch and opspec's values."""

from __future__ import annotations

from typing import Any

import torch

from opspec.language.values import Tensor
from opspec.torch.values import TORCH_NAMES, torch_dtype
from opspec.workshop.worked.numbers import rounded


def made(value: Tensor) -> torch.Tensor:
    """The tensor of PyTorch with the elements of a value, in double precision; zeros where it has none."""
    dtype = torch.float64 if value.dtype in ("FLOAT", "FLOAT16", "BFLOAT16") else torch_dtype(value.dtype)
    if value.values is None:
        return torch.zeros(value.shape, dtype=dtype)
    return torch.tensor(list(value.values), dtype=dtype).reshape(value.shape)


def dtype_name(dtype: torch.dtype) -> str:
    """The vendor's name of PyTorch's dtype."""
    plain = str(dtype).removeprefix("torch.")
    names = {value: key for key, value in TORCH_NAMES.items()}
    return names.get(plain, plain.upper())


def elements(value: Any, of: Any) -> tuple[Any, ...]:
    """The elements of a result as they are written, in row-major order; of a list one tuple each.

    Args:
        of: the argument that the result is, whose dtypes it has.
    """
    if isinstance(of, tuple):
        return tuple(elements(item, one) for item, one in zip(value, of, strict=True))
    result = value if isinstance(value, torch.Tensor) else torch.tensor(value)
    return tuple(rounded(item) for item in _as(result.detach(), of.dtype).reshape(-1).tolist())


def _as(value: torch.Tensor, dtype: str) -> torch.Tensor:
    """A result as it lies in a tensor of a dtype; one of FLOAT has more digits than are written."""
    wanted = torch.float64 if dtype in ("FLOAT", "DOUBLE") else torch_dtype(dtype)
    return value if wanted == value.dtype else value.to(wanted)
