"""Numbers of the operators that stand for a call of PyTorch: the call itself computes them, on the processor."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import torch

from opspec.language.values import Tensor
from opspec.model.definition import Definition
from opspec.registry.registry import Form
from opspec.torch.binding import Signature, just, sources_of
from opspec.torch.spelled import Bound, overload_of
from opspec.torch.table import Case, Entry, Made, Source, table
from opspec.torch.values import torch_dtype, without_ranks
from opspec.vocabulary import products
from opspec.workshop.worked.code import known_as, line
from opspec.workshop.worked.numbers import (
    MOST_OUT,
    REFUSED,
    SETS,
    Worked,
    are_telling,
    formatted_as_shown,
    is_legal,
    with_elements,
)  # fmt: skip
from opspec.workshop.worked.sizes import smaller
from opspec.workshop.worked.tensors import elements, made

#: calls with more than one right result, and those that take what another call must have computed of the rest
NOT_UNIQUE = frozenset({
    "aten::linalg_qr", "aten::_linalg_svd", "aten::linalg_svd",
    "aten::max_pool2d_with_indices_backward", "aten::max_pool3d_with_indices_backward",
    "aten::adaptive_max_pool2d_backward", "aten::adaptive_max_pool3d_backward",
})  # fmt: skip
MOST_CALLS = 3  #: functions that are named
FACTORS = {"alpha": 2, "beta": 0.5, "value": 2}  #: numbers that the call multiplies by, 1 where none is given
NUMBER = 2  #: what stands where an entry says what numbers in place of tensors mean


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a call of PyTorch comes to an operator."""

    definition: Definition
    form: Form
    product: str
    called: Any
    entry: Entry
    case: Case
    numbers: frozenset[str]

    @property
    def sources(self) -> dict[str, str]:
        """Argument or result of PyTorch's call -> the param that is just this."""
        signature = Signature(self.called._schema, self.numbers, self.entry.let)
        found = sources_of(signature, self.case, self.form, table().defaults)
        result: dict[str, str] = {}
        for param, source in found.items():
            told = just(source) or _as_large_as(source)
            if told is not None:
                result.setdefault(told, param)
        return result


def _as_large_as(source: Source) -> str | None:
    """The argument or result that a tensor, or each of several, is as large as, and given apart: it is that."""
    first = source[0] if isinstance(source, tuple) else source
    if not isinstance(first, Made) or not first.shape[0].endswith(".shape"):
        return None
    return first.shape[0].removesuffix(".shape").removesuffix("[i]")  # of a list each tensor is


def computed(definition: Definition, form: Form, product: str) -> Worked | None:
    """A worked call of an operator by the first of its entries that gives one."""
    best = None
    for way in _ways(definition, form, product):
        if not _computes(way):
            continue
        plain = _arguments(way)
        for given in itertools.chain(_small({**plain, **_factors(way, plain)}), _small(plain)):
            found = next(_held(way, given), None)
            if found is not None and are_telling(found):
                return found
            best = best or found
            if found is not None:
                break
    return best


@functools.cache
def operators() -> frozenset[str]:
    """The operators that stand for a call."""
    entries = table().entries.values()
    return frozenset(
        case.operator for entry in entries for cases in (entry.cases, *entry.number.values()) for case in cases
    )


def _held(way: Way, given: dict[str, Any]) -> Iterator[Worked]:
    """The call with the numbers that it has results for."""
    best = None
    for held in SETS:
        try:
            found = _computed(way, given, held)
        except REFUSED:
            return
        if found is None:
            return
        if are_telling(found):
            yield found
            return
        best = best or found
    if best is not None:
        yield best


def called(definition: Definition, form: Form) -> tuple[str, ...]:
    """What of PyTorch and torch_npu comes to an operator."""
    return tuple(dict.fromkeys(known_as(way.called) for way in _ways(definition, form, "")))[:MOST_CALLS]


def _computes(way: Way) -> bool:
    """Whether a call computes what can be shown: a stand-in computes nothing, and what is random is no example."""
    is_random = torch.Tag.nondeterministic_seeded in way.called.tags
    return way.entry.schema is None and not is_random and way.entry.name not in NOT_UNIQUE


def _ways(definition: Definition, form: Form, product: str) -> Iterator[Way]:
    """The calls that an operator stands for."""
    name = definition.name
    for entry in table().entries.values():
        called = overload_of(entry.name)
        if called is None:
            continue
        for case in entry.cases:
            if case.operator == name:
                yield Way(definition, form, product, called, entry, case, frozenset())
        for number, cases in entry.number.items():
            for case in cases:
                if case.operator == name:
                    yield Way(definition, form, product, called, entry, case, frozenset({number}))


def _arguments(way: Way) -> dict[str, Any]:
    """The arguments of the table's example, tensors as (dtype, shape)."""
    found: dict[str, Any] = {}
    for argument in way.called._schema.arguments:
        kind = str(argument.real_type)
        if argument.name in way.numbers:
            found[argument.name] = NUMBER
        elif argument.name in way.entry.example:
            found[argument.name] = _value(way.entry.example[argument.name], kind)
        elif kind == "Tensor":
            found[argument.name] = Tensor((2, 3), "FLOAT")
    return found


def _factors(way: Way, given: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers other than 1 for the factors that a call is not given: 1 shows nothing."""
    named = {one.name: one for one in way.called._schema.arguments if one.name in FACTORS and one.name not in given}
    return {name: FACTORS[name] for name, one in named.items() if one.has_default_value() and one.default_value == 1}


def _value(text: Any, kind: str) -> Any:
    plain = kind.removeprefix("Optional[").removesuffix("]") if kind.startswith("Optional[") else kind
    if text is None:
        return None
    if isinstance(text, list):
        return [_value(item, plain.removeprefix("List[").removesuffix("]")) for item in text]
    match plain:
        case "Tensor":
            dtype, _, dims = text.partition("] ")[0].rstrip("]").partition("[")  # whatever format it has
            return Tensor(tuple(int(dim) for dim in dims.split(",") if dim.strip()), dtype)
        case "int" | "SymInt":
            return int(text)
        case "float":
            return float(text)
        case "number":
            return float(text) if "." in text else int(text)
        case "bool":
            return text == "true"
        case "ScalarType":
            return torch_dtype(text)
    return text


def _small(given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The same call with smaller sizes, and with numbers of FLOAT first."""
    shapes = [one.shape for value in given.values() for one in _tensors(value)]
    for changed in smaller(shapes):
        for plain in (True, False):
            yield {name: _changed(value, changed, plain=plain) for name, value in given.items()}


def _tensors(value: Any) -> list[Tensor]:
    return [one for one in (value if isinstance(value, (list, tuple)) else [value]) if isinstance(one, Tensor)]


def _changed(value: Any, sizes: Mapping[int, int], *, plain: bool) -> Any:
    if isinstance(value, list):
        return [_changed(item, sizes, plain=plain) for item in value]
    if isinstance(value, Tensor):
        dtype = "FLOAT" if plain and value.dtype in ("FLOAT16", "BFLOAT16") else value.dtype
        return Tensor(tuple(sizes.get(dim, dim) for dim in value.shape), dtype)
    if type(value) is int and value > max(3, 0):
        return sizes.get(value, value)
    return value


def _computed(way: Way, given: dict[str, Any], numbers: Any) -> Worked | None:
    """The worked call; None where it comes to no legal call of the operator."""
    first = {name: _torch(value) for name, value in given.items()}
    bound = _portable(way, first, _run(way, first)[0])
    if bound is None or any(prod(one.shape) > MOST_OUT for value in bound.values() for one in _tensors(value)):
        return None
    if not is_legal(way.form, way.definition, way.product, bound):
        formatted_as_shown(way.definition, bound)
        if not is_legal(way.form, way.definition, way.product, bound):
            return None
    names = way.sources
    if not _is_whole(way, given, bound, names):
        return None
    filled = with_elements(way.definition, way.product, bound, numbers)
    values = {}
    for name, value in given.items():
        if _tensors(value):
            if name not in names:
                return None
            values[name] = _torch_like(filled[names[name]], value)
        else:
            values[name] = value
    kept = {name: _copy(value) for name, value in values.items()}
    _, result = _run(way, values)
    return _worked(way, filled, kept, values, result, names)


def _portable(way: Way, given: Mapping[str, Any], bound: dict[str, Any] | None) -> dict[str, Any] | None:
    """The operator's arguments of a call as another product has them, where these are legal on more products."""

    def legal_on(args: Mapping[str, Any]) -> int:
        return sum(is_legal(way.form, way.definition, one, args) for one in products.ids())

    if bound is None:
        return None
    others = (_run(replace(way, product=one), given)[0] for one in products.ids() if one != way.product)
    return max([bound, *(one for one in others if one is not None)], key=legal_on)


def _is_whole(way: Way, given: Mapping[str, Any], bound: Mapping[str, Any], names: Mapping[str, str]) -> bool:
    """Whether each tensor that goes into the operator is one that PyTorch's call has, too."""
    told = {names.get(name) for name, value in given.items() if _tensors(value)}
    taken = {one.name for one in way.definition.params if one.io != "out" and _tensors(bound.get(one.name))}
    return taken <= told


def _torch(value: Any) -> Any:
    if isinstance(value, list):
        return [_torch(item) for item in value]
    if isinstance(value, Tensor):
        make = torch.ones if value.dtype.startswith(("FLOAT", "BF")) else torch.zeros
        return make(value.shape, dtype=torch_dtype(value.dtype))
    return value


def _torch_like(filled: Any, value: Any) -> Any:
    if isinstance(value, list):
        return [made(item) for item in filled]
    return made(Tensor(value.shape, value.dtype, values=filled.values))


def _copy(value: Any) -> Any:
    if isinstance(value, list):
        return [_copy(item) for item in value]
    return value.clone() if isinstance(value, torch.Tensor) else value


def _run(way: Way, given: Mapping[str, Any]) -> tuple[dict[str, Any] | None, Any]:
    """The arguments of the operator that a call comes to, None where it comes to another one; and its result."""
    args, kwargs = [], dict(given)
    for argument in way.called._schema.arguments:
        if argument.kwarg_only or argument.name not in kwargs:
            break
        args.append(kwargs.pop(argument.name))
    with Bound(way.product, way.form.release) as seen:
        result = way.called(*args, **kwargs)
    found = seen.calls[0] if seen.calls else []
    if len(found) != 1 or found[0][0] != way.form.operator:  # one handed over in parts is no example, either
        return None, result
    return without_ranks(found[0][1]), result


def _returns(way: Way) -> list[Any]:
    return list(way.called._schema.returns)


def _results(way: Way, result: Any) -> dict[str, Any]:
    """The results of a call by their names in the table."""
    returned = [result] if len(_returns(way)) == 1 else list(result or ())
    return {"result" if len(returned) == 1 else f"result{i}": value for i, value in enumerate(returned)}


def _target(way: Way, names: Mapping[str, str]) -> str:
    """What the results are, one beside the other; empty where nothing is to be said of them."""
    several = len(_returns(way)) > 1
    found = [names.get(f"result{i}" if several else "result", "_") for i in range(len(_returns(way)))]
    return "" if set(found) <= {"_"} else ", ".join(found)


def _worked(
    way: Way, filled: dict[str, Any], before: Mapping[str, Any], after: Mapping[str, Any], result: Any,
    names: Mapping[str, str],
) -> Worked | None:  # fmt: skip
    """What the call showed: inputs, outputs and those that were changed."""
    results = _results(way, result)
    info = [results[name] for name, about in zip(results, _returns(way), strict=True) if about.name == "info"]
    if any(bool(one.any()) for one in info):
        return None  # what it computes is of no use
    io = {one.name: one.io for one in way.definition.params}
    if any(io.get(names.get(name, "")) == "in" for name in results):
        return None
    out: dict[str, tuple[Any, ...]] = {}
    for name, value in {**after, **results}.items():
        param = names.get(name)
        if param is not None and isinstance(value, (torch.Tensor, list, tuple)) and io[param] != "in":
            out[param] = elements(value, filled[param])
    outputs = {one.name for one in way.definition.params if one.io != "in" and filled.get(one.name) is not None}
    if not out or outputs - set(out) or any(len(one) > MOST_OUT for one in out.values()):
        return None
    code = line(way.called, before, names, _target(way, names))
    return Worked(filled, out, (code,), (known_as(way.called),))
