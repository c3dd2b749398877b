"""Calls for the comparison of back ends: legal ones with many seeds, and mutations of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from opspec.calls.examples.call import Call, fresh
from opspec.calls.examples.search import Search
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import Definition
from opspec.registry.registry import Form
from opspec.vocabulary import dtypes, formats, products

NUMBERS = (0, 1, -1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 32, 64, 127, 128, 256, 512, 1024, 2**20, 2**31 - 1, 2**31, -(2**31),
           2**62, 2**63 - 1, -(2**63))  # fmt: skip
REALS = (0.0, 1.0, -1.0, 0.5, 1e-5, 0.1, 2.0, float("nan"), float("inf"), float("-inf"), 1e300, -2.5, 2.0**63)
WORDS = (
    "",
    "a",
    "ND",
    "BSND",
    "BNSD",
    "TND",
    "BSH",
    "SBH",
    "sum",
    "mean",
    "none",
    "nearest",
    "x" * 127,
    "中文",
    "tanh",
)

Product = tuple[str | None, str | None]


def base_calls(definition: Definition, form: Form, seeds: int, steps: int = 150) -> Iterator[tuple[Call, Product]]:
    """The calls that short searches for legal ones end with; most are legal."""
    supported = [name for name, support in form.support.items() if support == "yes"] or ["910b"]
    for seed in range(seeds):
        rng = random.Random(f"{definition.name} {seed}")
        name = rng.choice(supported)
        owner = products.owner(name)
        member = None if name == owner else name
        search = Search(definition, form, owner, member, rng)
        found = search.legal(steps=steps, plain=seed == 0)
        plain = {p.name: _fresh(p.kind) for p in definition.params}
        yield found or search._altered(plain, list(plain)), (owner, member)


def mutated(call: Call, product: Product, definition: Definition, rng: random.Random) -> tuple[Call, Product]:
    """The call after one to four changes, sensible or absurd."""
    call = dict(call)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        if not definition.params or rng.random() < 0.06:
            product = _product(rng)
            continue
        param = rng.choice(definition.params)
        call[param.name] = _changed(call[param.name], param, call, rng)
    return call, product


def _product(rng: random.Random) -> Product:
    if rng.random() < 0.2:
        return None, None
    owner = rng.choice(products.ids())
    members = products.members(owner)
    return owner, rng.choice(members) if members and rng.random() < 0.5 else None


def _fresh(kind: str) -> Any:
    return fresh(kind)


def _changed(value: Any, param: Any, call: Call, rng: random.Random) -> Any:
    kind = param.kind
    if param.pointer and rng.random() < 0.12:
        return None
    if value is None:
        return _fresh(kind)
    match kind:
        case "tensor":
            return tensor(value, call, rng)
        case "tensor_list":
            return _items(value, lambda item: tensor(item, call, rng), rng, (None,))
        case "scalar":
            return scalar(value, rng)
        case "scalar_list":
            return _items(value, lambda item: scalar(item, rng), rng, ())
        case "int_array":
            return _items(value, lambda item: _integer(item, rng), rng, ())
        case "float_array":
            return _items(value, lambda item: rng.choice(REALS[:7]), rng, ())
        case "bool_array":
            return _items(value, lambda item: not item, rng, ())
        case "int":
            low = -(2**63) if param.low is None else param.low
            high = 2**64 - 1 if param.high is None else param.high
            return min(max(rng.choice((_integer(value, rng), high if rng.random() < 0.2 else 1)), low), high)
        case "bool":
            return not value
        case "float":
            return rng.choice(REALS)
        case "float32":
            return rng.choice([real for real in REALS if real != 1e300])
        case "string":
            return rng.choice((*WORDS, value + "x", value.lower()))
        case "dtype":
            return rng.choice(dtypes.names())
    return value


def _items(value: Any, change: Any, rng: random.Random, others: tuple[Any, ...]) -> Any:
    items = list(value)
    action = rng.random()
    if not items or action < 0.15:
        return (*items, *items[-1:])
    if action < 0.3:
        return tuple(items[:-1])
    if action < 0.35:
        return ()
    if action < 0.4:
        return tuple(items * rng.choice((2, 3, 40)))[:300]
    at = rng.randrange(len(items))
    items[at] = rng.choice((*others, None)) if others and rng.random() < 0.1 else _or_fresh(items[at], change)
    return tuple(items)


def _or_fresh(item: Any, change: Any) -> Any:
    return Tensor((2,), "FLOAT") if item is None else change(item)


def _integer(value: int, rng: random.Random) -> int:
    new = rng.choice((value + 1, value - 1, -value, value * 2, rng.choice(NUMBERS), rng.choice(NUMBERS)))
    return min(max(new, -(2**63)), 2**63 - 1)


def scalar(value: Scalar, rng: random.Random) -> Scalar:
    """Another scalar."""
    if rng.random() < 0.5:
        return Scalar(rng.choice(dtypes.names()), value.value)
    return Scalar(value.dtype, rng.choice((None, True, 2**64 - 1, 1 + 2j, *REALS, *NUMBERS)))


def tensor(value: Tensor, call: Call, rng: random.Random) -> Tensor:
    """Another tensor: one facet changed, or as another argument."""
    facets = {name: getattr(value, name) for name in Tensor.__slots__}
    match rng.choice("ddfffsssssssrrtvvvogc"):
        case "d":
            facets["dtype"] = rng.choice(dtypes.names())
        case "f":
            facets["format"] = rng.choice(formats.names())
        case "g":
            facets["storage_format"] = rng.choice(formats.names())
        case "s":
            facets["shape"] = _shape(value.shape, rng)
        case "r":
            facets["shape"] = tuple(
                rng.choice((0, 1, 2, 3, 8, 16)) for _ in range(rng.choice((0, 1, 2, 3, 4, 5, 8, 9)))
            )
            if rng.random() < 0.05:
                facets["shape"] = (1,) * rng.choice((100, 129, 300))
        case "c":
            others = [item for item in call.values() if isinstance(item, Tensor)] or [value]
            facets["shape"] = rng.choice(others).shape
            facets["dtype"] = rng.choice(others).dtype
        case "o":
            facets["offset"] = rng.choice((0, 1, 8, -1))
            if rng.random() < 0.5:
                facets["storage_shape"] = _shape(value.shape, rng)
        case "t":
            facets["strides"] = _strides(facets["shape"], rng)
        case "v":
            facets["values"] = ()
    shape = facets.pop("shape")
    if facets["strides"] is not None and len(facets["strides"]) != len(shape):
        facets["strides"] = None
    if facets["values"] is not None:
        facets["values"] = _values(shape, rng)
    return Tensor(shape, facets.pop("dtype"), facets.pop("format"), **facets)


def _shape(shape: tuple[int, ...], rng: random.Random) -> tuple[int, ...]:
    dims = list(shape)
    action = rng.random()
    if not dims or action < 0.15:
        dims.insert(rng.randint(0, len(dims)), rng.choice((0, 1, 2, 16)))
    elif action < 0.3:
        del dims[rng.randrange(len(dims))]
    elif action < 0.4:
        rng.shuffle(dims)
    else:
        at = rng.randrange(len(dims))
        dims[at] = abs(_integer(dims[at], rng)) % 2**63
    return tuple(dims)


def _strides(shape: tuple[int, ...], rng: random.Random) -> tuple[int, ...]:
    order = list(range(len(shape)))
    if rng.random() < 0.5 and len(order) > 1:
        order[-1], order[-2] = order[-2], order[-1]
    elif rng.random() < 0.3:
        rng.shuffle(order)
    strides = [0] * len(shape)
    step = 1
    for i in reversed(order):
        strides[i] = min(step, 2**63 - 1)
        step *= max(shape[i], 1)
    if strides and rng.random() < 0.2:
        strides[rng.randrange(len(strides))] = rng.choice((0, 1, 2, -1, 2**62))
    return tuple(strides)


def _values(shape: tuple[int, ...], rng: random.Random) -> tuple[Any, ...] | None:
    count = 1
    for dim in shape:
        count *= dim
    if count > 200:
        return None
    if rng.random() < 0.5:
        return tuple(sorted(rng.choice((0, 1, 2, 3, 8, 16, 64)) for _ in range(count)))
    return tuple(rng.choice((*REALS, *NUMBERS, True, 2**64 - 1, 3)) for _ in range(count))
