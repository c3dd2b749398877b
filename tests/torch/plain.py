"""Models in PyTorch's own words, as people write them before they know of torch_npu: an MLP, a GPT, a Llama."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

WIDTH, HEADS, KV_HEADS, TOKENS, WORDS = 64, 4, 2, 8, 100
DIM = WIDTH // HEADS


class Mlp(nn.Module):
    """Linear layers with bias, and what stands between them."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(WIDTH, 2 * WIDTH), nn.ReLU(), nn.Linear(2 * WIDTH, WIDTH), nn.GELU(), nn.Dropout(0.1),
            nn.Linear(WIDTH, 10),
        )  # fmt: skip

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers(x)


def attended(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """Causal attention, [batch, heads, tokens, dim] in and [batch, tokens, width] out."""
    batch, _, tokens, dim = query.shape
    ahead = torch.ones(tokens, tokens, dtype=torch.bool, device=query.device).tril().logical_not()
    scores = (query @ key.transpose(-2, -1)) * dim**-0.5
    weights = functional.softmax(scores.masked_fill(ahead, float("-inf")), dim=-1, dtype=torch.float32).to(query.dtype)
    return (weights @ value).transpose(1, 2).reshape(batch, tokens, -1)


class GptLayer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.before, self.behind = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        parts = self.qkv(self.before(x)).split(WIDTH, dim=-1)
        heads = [part.view(*part.shape[:2], HEADS, DIM).transpose(1, 2) for part in parts]
        x = x + self.dropout(self.out(attended(*heads)))
        return x + self.dropout(self.down(functional.gelu(self.up(self.behind(x)), approximate="tanh")))


class Gpt(nn.Module):
    """Learned positions, LayerNorm, biases everywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(TOKENS, WIDTH)
        self.layers, self.norm = nn.Sequential(GptLayer(), GptLayer()), nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, WORDS, bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        places = torch.arange(tokens.shape[1], device=tokens.device)
        return self.head(self.norm(self.layers(self.words(tokens) + self.places(places))))


class RmsNorm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        wide = x.float()
        return self.weight * (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)).to(x.dtype)


def turned(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Rotary positions."""
    first, second = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-second, first), dim=-1) * sin


class LlamaLayer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.before, self.behind = RmsNorm(), RmsNorm()
        self.query, self.out = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(2))
        self.key, self.value = (nn.Linear(WIDTH, KV_HEADS * DIM, bias=False) for _ in range(2))
        self.gate, self.up = (nn.Linear(WIDTH, 3 * WIDTH, bias=False) for _ in range(2))
        self.down = nn.Linear(3 * WIDTH, WIDTH, bias=False)

    def forward(self, x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
        normed = self.before(x)
        query, key, value = (
            layer(normed).view(*x.shape[:2], -1, DIM).transpose(1, 2) for layer in (self.query, self.key, self.value)
        )
        query, key = turned(query, cos, sin), turned(key, cos, sin)
        key, value = (part.repeat_interleave(HEADS // KV_HEADS, dim=1) for part in (key, value))
        x = x + self.out(attended(query, key, value))
        normed = self.behind(x)
        return x + self.down(functional.silu(self.gate(normed)) * self.up(normed))


class Llama(nn.Module):
    """Rotary positions, RMSNorm, grouped heads, SwiGLU, no bias."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.layers = nn.ModuleList(LlamaLayer() for _ in range(2))
        self.norm, self.head = RmsNorm(), nn.Linear(WIDTH, WORDS, bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x, device = self.words(tokens), tokens.device
        speeds = 10000 ** -(torch.arange(0, DIM, 2, device=device).float() / DIM)
        angles = torch.outer(torch.arange(tokens.shape[1], device=device).float(), speeds).repeat(1, 2)
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        for layer in self.layers:
            x = layer(x, cos, sin)
        return self.head(self.norm(x))


def step(model: nn.Module, given: torch.Tensor) -> None:
    """A step of training."""
    optimizer = torch.optim.AdamW(model.parameters(), foreach=False)
    found = model(given).flatten(0, -2).float()
    wanted = torch.zeros(found.shape[0], dtype=torch.int64, device=given.device)
    functional.cross_entropy(found, wanted).backward()
    optimizer.step()
    optimizer.zero_grad()
