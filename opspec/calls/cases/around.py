"""Calls around a call: what is changed at one argument, or wherever its like stands.

``opspec.calls.examples.aim`` reads off a rule how it can be met or broken; here every facet that a rule reads is
given the values that usually make a difference, since often only one of them breaks no other rule.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from opspec.calls.examples.call import TRANSPOSED, Call, Place, fresh, items, put
from opspec.language.facts import Facts
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import Definition, ParamDef
from opspec.vocabulary import dtypes, shapes
from opspec.vocabulary.limits import MOST_DIMS

MOST_VALUES = 256  # elements of a tensor that is given values
MOST_ITEMS = 3  # elements of a list, dims of a shape and of an array that are changed one by one
HIGHEST_RANK = MOST_DIMS + 1  # which no runtime takes

_FORMATS = ("ND", "NCHW", "NHWC", "NCDHW", "NDHWC", "NCL", "HWCN", "FRACTAL_NZ", "NC1HWC0", "FRACTAL_Z", "UNDEFINED")
_INTS = (
    0, 1, -1, 2, 3, 4, 5, 7, 8, 16, 17, 33, 64, 127, 255, 1023, 4096, 2**17, 10**6, 2**31 - 1, 2**31, 2**62, -2, -9,
)  # fmt: skip
_DIMS = (0, 1, 2, 3, 5, 7, 8, 16, 17, 33, 64, 100, 129, 257, 513, 1025, 8193, 2**16, 2**17 + 1, 2**20, 2**31 - 1, 2**31)
_LEVELS = (1, 0, 16)
_FLOATS = (0.0, 1.0, -1.0, 0.5, 2.0, -0.5, 1e-6, 1e6, 1.5, -3e38, 3e38)
_FILLS = (0, 1, -1, 2, 7, 255, 2**31 - 1, -(2**31))


def around(definition: Definition, call: Call, read: Facts) -> Iterator[Call]:
    """The calls that differ from a call in a facet that a rule reads; those with one change first."""
    params = {param.name: param for param in definition.params}
    later: list[Iterator[Call]] = []
    for name, facet in sorted(read):
        if name not in params:
            continue
        param = params[name]
        if facet == "presence":
            yield from _presence(param, call)
            continue
        if call[name] is None:
            continue
        yield from _of_facet(param, facet, call)
        if facet in ("dtype", "format", "shape", "rank"):
            later.append(_alike(definition, param, facet, call))
    for calls in later:
        yield from calls


def levelled(definition: Definition, call: Call) -> Iterator[Call]:
    """The call with all dims of all tensors alike: rules often say something else of one element, or of none."""
    for dim in _LEVELS:
        new = dict(call)
        for param in definition.params:
            value = call[param.name]
            found = tuple(_with(x, shape=(dim,) * len(x.shape)) if isinstance(x, Tensor) else x for x in items(value))
            new[param.name] = found if isinstance(value, tuple) else found[0]
        yield new


def _presence(param: ParamDef, call: Call) -> Iterator[Call]:
    if param.pointer:
        yield {**call, param.name: None if call[param.name] is not None else fresh(param.kind)}
    if param.kind in ("tensor_list", "scalar_list") and call[param.name]:
        listed = call[param.name]
        yield {**call, param.name: (None, *listed[1:])}
        yield {**call, param.name: (*listed, None)}


def _of_facet(param: ParamDef, facet: str, call: Call) -> Iterator[Call]:
    value = call[param.name]
    if isinstance(value, tuple) and param.kind in ("tensor_list", "scalar_list"):
        for listed in _lists(param, value):
            yield {**call, param.name: listed}
        for number, item in enumerate(value[:MOST_ITEMS]):
            for new in _items(item, facet):
                yield {**call, param.name: (*value[:number], new, *value[number + 1 :])}
                if len(value) == 1:  # whose elements differ from each other in nothing
                    yield {**call, param.name: (item, new)}
        return
    for new in _items(value, facet) if isinstance(value, (Tensor, Scalar)) else _plain(param, value):
        yield {**call, param.name: new}


def _lists(param: ParamDef, value: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The list shorter and longer."""
    filler = value[-1] if value else fresh(param.kind)[0]
    yield from (value[:-1], (*value, filler), (), (*value, filler, filler), (filler,) * 65, (filler,) * 257)


def _items(item: Any, facet: str) -> Iterator[Any]:
    """A tensor or scalar with another value of a facet."""
    if isinstance(item, Scalar):
        if facet == "dtype":
            yield from (_scalar(item, "dtype", name) for name in dtypes.names() if name != item.dtype)
        values = (*_INTS, *_FLOATS) if facet != "dtype" else ()
        yield from (new for new in (_scalar(item, "value", value) for value in values) if new != item)
    elif isinstance(item, Tensor):
        match facet:
            case "dtype":
                yield from (_with(item, dtype=name) for name in dtypes.names() if name != item.dtype)
            case "format":
                yield from (_with(item, format=name) for name in _FORMATS if name != item.format)
                yield from (_with(item, storage_format=name) for name in _FORMATS)
            case "rank" | "shape":
                yield from (_with(item, shape=shape) for shape in _shapes(item.shape))
                yield from (_with(item, storage_shape=shape) for shape in _shapes(item.shape))
            case "layout":
                yield from (_with(item, strides=strides) for strides in _strides(item.shape))
                yield _with(item, offset=1)
            case "values":
                yield from (_with(item, values=values) for values in _fills(item))


def _with(item: Tensor, **changed: Any) -> Tensor:
    """The tensor with other facets; with another shape it is contiguous and its values are not known."""
    facets = {name: getattr(item, name) for name in item.__slots__}
    if "shape" in changed:
        facets.update(strides=None, values=None, storage_shape=None, offset=0)
        if item.strides is not None and len(changed["shape"]) > 1:
            new = put({"x": Tensor(changed["shape"], item.dtype)}, Place("x", "strides"), TRANSPOSED, _ONE)
            facets["strides"] = None if new is None else new["x"].strides
    return Tensor(**{**facets, **changed})


def _scalar(item: Scalar, facet: str, value: Any) -> Scalar:
    """The scalar with another dtype, whose values it then has, or another value, if its dtype has it."""
    new = put({"x": item}, Place("x", facet), value, _SCALAR)
    found: Scalar = item if new is None else new["x"]
    return found


_ONE = {"x": ParamDef("x", "tensor", "const aclTensor*", "in", False, True, (), None, None)}
_SCALAR = {"x": ParamDef("x", "scalar", "const aclScalar*", "in", False, True, (), None, None)}


def _shapes(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Shapes like this one: another dim, another rank."""
    for at in {*range(min(MOST_ITEMS, len(shape))), *range(max(0, len(shape) - MOST_ITEMS), len(shape))}:
        now = shape[at]
        for dim in dict.fromkeys((now + 1, now - 1, now * 2, now // 2, *_DIMS)):
            if dim != now and dim >= 0:
                yield (*shape[:at], dim, *shape[at + 1 :])
    if len(shape) > 1:
        yield (*shape[:-2], shape[-1], shape[-2])
    for rank in range(HIGHEST_RANK + 1):
        more = rank - len(shape)
        if more < 0:
            yield shape[-more:]
            yield shape[: len(shape) + more]
        elif more:
            yield (*(1,) * more, *shape)
            yield (*shape, *(1,) * more)
            yield (*(2,) * more, *shape)


def _strides(shape: tuple[int, ...]) -> Iterator[tuple[int, ...] | None]:
    """Contiguous, with gaps, with the last axes swapped, with another pair swapped, with one element for all."""
    yield None
    if not shape:
        return
    yield tuple(2 * stride for stride in shapes.contiguous_strides(shape))
    for one, other in ((-1, -2), (0, -1), (0, 1), (1, 2)):
        if max(one, other) < len(shape) and -min(one, other) <= len(shape) and len(shape) > 1:
            order = list(range(len(shape)))
            order[one], order[other] = order[other], order[one]
            swapped = shapes.contiguous_strides(tuple(shape[i] for i in order))
            places = sorted(range(len(shape)), key=order.__getitem__)
            yield tuple(swapped[i] for i in places)
    yield (0,) * len(shape)


def _fills(item: Tensor) -> Iterator[tuple[Any, ...]]:
    """Values that a tensor may hold: all alike, rising, falling."""
    count = math.prod(item.shape)
    if count > MOST_VALUES:
        return
    for fill in _FILLS:
        yield (fill,) * count
    yield tuple(range(count))
    yield tuple(range(1, count + 1))
    yield tuple(range(count, 0, -1))
    yield (*(0,) * max(0, count - 1), *(1,) * min(1, count))
    yield (*(1,) * max(0, count - 1), *(1 - count,) * min(1, count))


def _plain(param: ParamDef, value: Any) -> Iterator[Any]:
    """Other values of an attribute, as far as its C type has them."""
    match param.kind, value:
        case "bool", _:
            found: Iterable[Any] = (not value,)
        case "int", int():
            found = (value + 1, value - 1, *_INTS)
        case "float" | "float32", _:
            found = (value + 1.0, value - 1.0, *_FLOATS)
        case "string", str():
            found = ("", "none", value + "x", value[:-1], value.upper(), value.lower(), "x" * 127, "x" * 128, "x" * 256)
        case "dtype", _:
            found = dtypes.names()
        case "int_array" | "float_array" | "bool_array", tuple():
            found = _arrays(value, {"int": _INTS, "float": _FLOATS, "bool": (False, True)}[param.kind.split("_")[0]])
        case _:
            return
    for new in found:
        taken = put({param.name: value}, Place(param.name, "value"), new, {param.name: param})
        if taken is not None and taken[param.name] != value:
            yield taken[param.name]


def _arrays(value: tuple[Any, ...], others: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    filler = value[-1] if value else others[0]
    yield from ((), value[:-1], (*value, filler), (*value, *others[:1]), value[::-1], (filler,) * 9, (filler,) * 64)
    for at in range(min(MOST_ITEMS, len(value))):
        for other in others:
            yield (*value[:at], other, *value[at + 1 :])
    for other in others:
        yield (other,) * len(value)


# --- the same in all that is alike


def _alike(definition: Definition, param: ParamDef, facet: str, call: Call) -> Iterator[Call]:
    """The same change in other tensors that are like this one: in all of them, in outputs, and in one at a time.

    What relations tie to the changed one then follows it, and only the rule itself is broken.
    """
    seen = "shape" if facet == "rank" else facet
    old = _first(call[param.name], seen)
    if old is None:
        return
    others = [
        other for other in definition.params if other.name != param.name and _first(call[other.name], seen) == old
    ]
    outputs = [other for other in others if other.io != "in"]
    groups = [group for group in (others, outputs, *([other] for other in others)) if group]
    unique = {tuple(other.name for other in group): group for group in groups}
    for changed in _items(_one(call[param.name]), facet):
        if getattr(changed, seen, None) == old:
            continue
        for group in unique.values():
            yield _spread(call, [param, *group], seen, old, getattr(changed, seen))


def _one(value: Any) -> Any:
    return value[0] if isinstance(value, tuple) and value else value


def _first(value: Any, facet: str) -> Any:
    return getattr(_one(value), facet, None)


def _spread(call: Call, params: list[ParamDef], facet: str, old: Any, new: Any) -> Call:
    for param in params:
        value = call[param.name]
        changed = tuple(_replaced(item, facet, old, new) for item in items(value))
        call = {**call, param.name: changed if isinstance(value, tuple) else changed[0]}
    return call


def _replaced(item: Any, facet: str, old: Any, new: Any) -> Any:
    if getattr(item, facet, None) != old:
        return item
    if isinstance(item, Scalar):
        return _scalar(item, facet, new)
    return _with(item, **{facet: new})
