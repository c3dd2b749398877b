"""Two small models as one writes them for torch_npu, each right unless it is told to make one mistake."""

from __future__ import annotations

import torch
from torch import nn

HIDDEN, HEADS, KV_HEADS, DIM = 512, 4, 2, 128
BLOCK, BLOCKS = 128, 8  # tokens in a block of the cache, blocks
EXPERTS, TOP = 8, 2
HALF = torch.float16


class RmsNorm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(HIDDEN, dtype=HALF))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.ops.npu.npu_rms_norm(x, self.weight, 1e-6)[0]


class PagedAttention(nn.Module):
    """One token a sequence, its keys and values in blocks that a table names."""

    def __init__(self, wrong: bool) -> None:
        super().__init__()
        self.wrong = wrong
        self.qkv = nn.Linear(HIDDEN, (HEADS + 2 * KV_HEADS) * DIM, bias=False, dtype=HALF)
        self.out = nn.Linear(HEADS * DIM, HIDDEN, bias=False, dtype=HALF)
        self.register_buffer("keys", torch.zeros(BLOCKS, BLOCK, KV_HEADS * DIM, dtype=HALF))
        self.register_buffer("values", torch.zeros(BLOCKS, BLOCK, KV_HEADS * DIM, dtype=HALF))

    def forward(
        self,
        x: torch.Tensor,
        cos: torch.Tensor,
        sin: torch.Tensor,
        tables: torch.Tensor,
        slots: torch.Tensor,
        lengths: list[int],
    ) -> torch.Tensor:
        batch = x.shape[0]
        query, key, value = self.qkv(x).split((HEADS * DIM, KV_HEADS * DIM, KV_HEADS * DIM), dim=-1)
        query = torch.ops.npu.npu_rotary_mul(query.reshape(batch, 1, HEADS, DIM), cos, sin)
        key = torch.ops.npu.npu_rotary_mul(key.reshape(batch, 1, KV_HEADS, DIM), cos, sin)
        for cache, new in ((self.keys, key), (self.values, value)):
            torch.ops.npu.npu_scatter_nd_update_(cache.view(-1, KV_HEADS * DIM), slots, new.reshape(batch, -1))
        if self.wrong:
            tables = tables.to(torch.int64)
        found, _ = torch.ops.npu.npu_fused_infer_attention_score(  # MISTAKE: attention
            query.reshape(batch, 1, HEADS * DIM),
            self.keys,
            self.values,
            actual_seq_lengths_kv=lengths,
            block_table=tables,
            num_heads=HEADS,
            num_key_value_heads=KV_HEADS,
            scale=DIM**-0.5,
            block_size=BLOCK,
            input_layout="BSH",
        )
        return self.out(found)


class FeedForward(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.up = nn.Linear(HIDDEN, 4 * HIDDEN, bias=False, dtype=HALF)
        self.down = nn.Linear(2 * HIDDEN, HIDDEN, bias=False, dtype=HALF)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down(torch.ops.npu.npu_swiglu(self.up(x)))


class Layer(nn.Module):
    def __init__(self, wrong: bool) -> None:
        super().__init__()
        self.before, self.attention = RmsNorm(), PagedAttention(wrong)
        self.gamma, self.feed_forward = nn.Parameter(torch.ones(HIDDEN, dtype=HALF)), FeedForward()

    def forward(self, x: torch.Tensor, *place: object) -> torch.Tensor:
        found = self.attention(self.before(x), *place)
        normed, _, total = torch.ops.npu.npu_add_rms_norm(found, x, self.gamma, 1e-6)
        return total + self.feed_forward(normed)


class Decoder(nn.Module):
    """A Llama-like decoder, a step of it: paged attention, rotary positions, SwiGLU.

    Args:
        wrong: the layer whose attention is given a block table of INT64.
    """

    def __init__(self, layers: int = 2, wrong: int | None = None) -> None:
        super().__init__()
        self.embedding = nn.Embedding(1000, HIDDEN, dtype=HALF)
        self.layers = nn.ModuleList(Layer(index == wrong) for index in range(layers))
        self.norm, self.head = RmsNorm(), nn.Linear(HIDDEN, 1000, bias=False, dtype=HALF)

    def forward(
        self, tokens: torch.Tensor, tables: torch.Tensor, slots: torch.Tensor, lengths: list[int]
    ) -> torch.Tensor:
        x = self.embedding(tokens)
        angles = torch.arange(DIM, device=tokens.device, dtype=torch.float32).reshape(1, 1, 1, DIM)
        cos, sin = angles.cos().to(HALF), angles.sin().to(HALF)
        for layer in self.layers:
            x = layer(x, cos, sin, tables, slots, lengths)
        return self.head(self.norm(x)).argmax(-1)


def decoder_step(device: str) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, list[int]]:
    """Arguments of a step with two sequences."""
    tokens = torch.zeros(2, 1, dtype=torch.int64, device=device)
    tables = torch.zeros(2, 4, dtype=torch.int32, device=device)
    slots = torch.zeros(2, 1, dtype=torch.int64, device=device)
    return tokens, tables, slots, [100, 200]


class Experts(nn.Module):
    """A mixture of experts: tokens are sorted by expert, multiplied in groups and put together again.

    Args:
        wrong: number the experts' tokens in INT32, as the operator before gives them.
    """

    def __init__(self, wrong: bool = False) -> None:
        super().__init__()
        self.wrong = wrong
        self.gate = nn.Linear(HIDDEN, EXPERTS, bias=False, dtype=HALF)
        self.up = nn.Parameter(torch.zeros(EXPERTS, HIDDEN, 4 * HIDDEN, dtype=HALF))
        self.down = nn.Parameter(torch.zeros(EXPERTS, 2 * HIDDEN, HIDDEN, dtype=HALF))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        npu, count = torch.ops.npu, x.shape[0]
        scales, experts, rows = npu.npu_moe_gating_top_k_softmax(self.gate(x), None, TOP)
        sorted_, places, order = npu.npu_moe_init_routing(x, rows, experts, count)
        groups = npu.npu_moe_compute_expert_tokens(order, EXPERTS)
        if not self.wrong:
            groups = groups.to(torch.int64)
        (wide,) = npu.npu_grouped_matmul(  # MISTAKE: groups
            [sorted_], [self.up], group_list=groups, split_item=2, group_type=0
        )
        narrow = npu.npu_swiglu(wide)
        (found,) = npu.npu_grouped_matmul(
            [narrow], [self.down], group_list=groups.to(torch.int64), split_item=2, group_type=0
        )
        return npu.npu_moe_finalize_routing(found, None, None, None, scales, places, experts)
