"""``scaled_dot_product_attention`` as a device's PyTorch runs it: one fused call, forward and backward.

A processor's PyTorch has another way for each dtype and mask, and ``meta`` tensors are taken apart into products and a
softmax: no operator of attention would be seen. Calls that torch_npu fuses are led to ATen's call for devices with an
implementation of their own, ``_scaled_dot_product_fused_attention_overrideable``, which the table knows; all others to
PyTorch's own formula, as on a device.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from threading import Lock
from types import TracebackType
from typing import Any

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

#: dtypes that are fused; what has no operator of attention goes by the formula
FUSED_DTYPES = (torch.float16, torch.bfloat16, torch.float32)

COMPOSED = "aten::scaled_dot_product_attention"
FORWARD = "aten::_scaled_dot_product_fused_attention_overrideable"
BACKWARD = "aten::_scaled_dot_product_fused_attention_overrideable_backward"


class Attention:
    """Leads ``scaled_dot_product_attention`` to the call that a device would see, in the thread that entered it.

    Below autocast and above autograd, wherever it is called from: PyTorch's own modules call it, too.
    """

    _lock = Lock()
    _entered = 0
    _library: Any = None
    _fast = True  #: whether processors may run a whole layer as one call, which no device has

    def __enter__(self) -> None:
        with Attention._lock:
            if Attention._entered == 0:
                Attention._library = torch.library.Library("aten", "IMPL")
                for device in ("CPU", "Meta"):
                    Attention._library.impl("scaled_dot_product_attention", _led_or_not, f"Autograd{device}")
                Attention._fast = torch.backends.mha.get_fastpath_enabled()
                torch.backends.mha.set_fastpath_enabled(False)
            Attention._entered += 1
        self._before = _LED.set(True)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        _LED.reset(self._before)
        with Attention._lock:
            Attention._entered -= 1
            if Attention._entered == 0:
                Attention._library._destroy()
                torch.backends.mha.set_fastpath_enabled(Attention._fast)


_LED: ContextVar[bool] = ContextVar("_LED", default=False)


def _led_or_not(*args: Any, **kwargs: Any) -> torch.Tensor:
    """A call of any thread, of which only those that are watched are led."""
    if _LED.get():
        return led(*args, **kwargs)
    return torch.ops.aten.scaled_dot_product_attention.default.decompose(*args, **kwargs)


def led(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> torch.Tensor:
    """``scaled_dot_product_attention``, fused where torch_npu fuses it, else by PyTorch's formula."""
    if _is_fused(query, key, value, attn_mask, is_causal, enable_gqa):
        fused = torch.ops.aten._scaled_dot_product_fused_attention_overrideable
        scale = query.shape[-1] ** -0.5 if scale is None else scale
        return fused(query, key, value, attn_mask, dropout_p, is_causal, scale=scale)[0]
    with sdpa_kernel(SDPBackend.MATH):
        return torch.ops.aten.scaled_dot_product_attention.default.decompose(
            query, key, value, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa
        )


def _is_fused(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    mask: torch.Tensor | None,
    is_causal: bool,
    enable_gqa: bool,
) -> bool:
    """[batch, heads, tokens, dim] of one dtype, with a mask of booleans or none; what PyTorch refuses it is to tell."""
    parts = (query, key, value)
    return (
        all(part.dim() == 4 and part.dtype == query.dtype and part.shape[0] == query.shape[0] for part in parts)
        and all(part.numel() > 0 for part in parts)
        and query.dtype in FUSED_DTYPES
        and (mask is None or (mask.dtype == torch.bool and not is_causal and 2 <= mask.dim() <= 4))
        and key.shape[:3] == value.shape[:3]
        and key.shape[3] == query.shape[3]
        and (key.shape[1] == query.shape[1] or (enable_gqa and query.shape[1] % key.shape[1] == 0))
    )


def forward(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_bias: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    return_debug_mask: bool = False,
    *,
    scale: float | None = None,
) -> tuple[Any, ...]:
    """What the fused call gives: the output, and what its backward pass needs."""
    seed = torch.randint(2**62, (), dtype=torch.int64) if dropout_p else torch.zeros((), dtype=torch.int64)
    weights, lse = _weights(query, key, attn_bias, is_causal, scale)
    output = _dropped(weights, dropout_p, seed) @ _for_heads(value, query).to(weights.dtype)
    none = query.new_empty(0)
    return (output.to(query.dtype), lse, none, none, query.shape[2], key.shape[2], seed, seed.clone(), none.clone())


def backward(
    grad_out: torch.Tensor,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_bias: torch.Tensor | None,
    grad_input_mask: Any,
    out: torch.Tensor,
    logsumexp: torch.Tensor,
    cum_seq_q: Any,
    cum_seq_k: Any,
    max_q: int,
    max_k: int,
    dropout_p: float,
    is_causal: bool,
    philox_seed: torch.Tensor,
    philox_offset: torch.Tensor,
    *,
    scale: float | None = None,
) -> tuple[Any, ...]:
    """The gradients of query, key and value; a mask of booleans has none."""
    weights, _ = _weights(query, key, attn_bias, is_causal, scale)
    wide, factor = weights.dtype, query.shape[-1] ** -0.5 if scale is None else scale
    grad, dropped = grad_out.to(wide), _dropped(weights, dropout_p, philox_seed)
    grad_value = dropped.mT @ grad
    grad_weights = _dropped(grad @ _for_heads(value, query).to(wide).mT, dropout_p, philox_seed)
    grad_scores = weights * (grad_weights - (grad_weights * weights).sum(-1, keepdim=True)) * factor
    grad_query = grad_scores @ _for_heads(key, query).to(wide)
    grad_key = grad_scores.mT @ query.to(wide)
    return (
        grad_query.to(query.dtype),
        _summed(grad_key, key),
        _summed(grad_value, value),
        None,
    )


#: calls that no device here implements -> what runs in their place
KERNELS: Mapping[str, Callable[..., Any]] = {FORWARD: forward, BACKWARD: backward}


def _weights(
    query: torch.Tensor, key: torch.Tensor, mask: torch.Tensor | None, is_causal: bool, scale: float | None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Softmax of the scores, and the logarithms of its sums; zeros where a row sees nothing."""
    wide = torch.promote_types(query.dtype, torch.float32)
    factor = query.shape[-1] ** -0.5 if scale is None else scale
    scores = (query.to(wide) * factor) @ _for_heads(key, query).to(wide).mT
    if is_causal:
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=query.device).tril()
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    lse = scores.logsumexp(-1)
    return torch.softmax(scores, -1).nan_to_num(0.0), lse


def _dropped(weights: torch.Tensor, dropout_p: float, seed: torch.Tensor) -> torch.Tensor:
    """The weights with those left out that the seed says, the others raised in turn."""
    if not dropout_p or weights.device.type == "meta":
        return weights
    generator = torch.Generator().manual_seed(int(seed))
    kept = torch.rand(weights.shape, generator=generator) >= dropout_p
    return weights * kept / (1 - dropout_p) if dropout_p < 1 else weights * 0


def _for_heads(part: torch.Tensor, query: torch.Tensor) -> torch.Tensor:
    """Keys or values for each head of the query, of which several share one."""
    return part.repeat_interleave(query.shape[1] // part.shape[1], dim=1)


def _summed(grad: torch.Tensor, part: torch.Tensor) -> torch.Tensor:
    """The gradient of keys or values: of all heads that share them."""
    shared = grad.shape[1] // part.shape[1]
    return grad.unflatten(1, (part.shape[1], shared)).sum(2).to(part.dtype)
