"""Numbers of operators whose specs have a reference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from opspec.codegen.stubs.example import typed_arguments
from opspec.codegen.stubs.values import tensors_of
from opspec.errors import OpspecError
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import Definition
from opspec.model.example import arguments_written, example_of
from opspec.registry.registry import Form
from opspec.vocabulary import dtypes
from opspec.workshop.worked.evaluate import as_python, evaluated
from opspec.workshop.worked.numbers import MOST_OUT, REFUSED, SETS, Worked, are_telling, is_legal, with_elements
from opspec.workshop.worked.sizes import smaller
from opspec.workshop.worked.tensors import dtype_name, elements, made


def computed(definition: Definition, form: Form, product: str) -> Worked | None:
    """The first small call of an operator that its reference has numbers for and the validator calls legal."""
    best = None
    for given in _calls(definition):
        found = None
        for numbers in SETS:
            try:
                found = _computed(definition, form, product, given, numbers)
            except REFUSED:
                found = None
            if found is None or are_telling(found):
                break
            best = best or found
        if found is not None and are_telling(found):
            return found
        if best is not None:
            return best
    return None


def _calls(definition: Definition) -> Iterator[dict[str, Any]]:
    """Calls of which the outputs' shapes are those of the spec's example: typed arguments by param."""
    own = _own_names(definition)
    example = example_of(definition)[1]
    kinds = {param.name: param.kind for param in definition.params}
    small = arguments_written({own.get(name, name): v for name, v in definition.spec.small.items()}, kinds)
    base = _typed(definition, {**example, **small})
    if definition.spec.small:
        for name, value in _typed(definition, example).items():
            if isinstance(value, Tensor) and isinstance(base[name], Tensor):
                base[name].format = value.format
        yield base
        return
    written = {param.name for param in definition.params if param.io == "out"}
    shapes = [one.shape for name, value in base.items() if name not in written for one in tensors_of(value)]
    for changed in smaller(shapes):
        for plain in (True, False):
            yield {name: _changed(value, changed, plain=plain) for name, value in base.items()}


def _typed(definition: Definition, args: dict[str, Any]) -> dict[str, Any]:
    return dict(zip((param.name for param in definition.params), typed_arguments(definition, args), strict=True))


def _own_names(definition: Definition) -> dict[str, str]:
    """Name in the spec -> the operator's own, for a twin."""
    twin = definition.spec.twin
    return dict(twin.rename) if twin is not None and definition.name == twin.operator else {}


def _changed(value: Any, sizes: Mapping[int, int], *, plain: bool) -> Any:
    if isinstance(value, tuple):
        return tuple(_changed(item, sizes, plain=plain) for item in value)
    if isinstance(value, Tensor):
        return Tensor(tuple(sizes.get(dim, dim) for dim in value.shape), _plain(value.dtype, plain=plain), value.format)
    if isinstance(value, Scalar):
        return Scalar(_plain(value.dtype, plain=plain), value.value)
    return sizes.get(value, value) if type(value) is int and value > 3 else value


def _plain(dtype: str, *, plain: bool) -> str:
    return "FLOAT" if plain and dtype in ("FLOAT16", "BFLOAT16") else dtype


def _computed(definition: Definition, form: Form, product: str, given: dict[str, Any], numbers: Any) -> Worked | None:
    filled = with_elements(definition, product, given, numbers)
    own = _own_names(definition)
    values = {param.name: None for param in definition.spec.params}
    values |= {name: _value(filled.get(own.get(name, name))) for name in values}
    results = {own.get(name, name): value for name, value in evaluated(definition.spec.reference, values).items()}
    args, out = dict(filled), {}
    for param in definition.params:
        if param.io == "in" or filled.get(param.name) is None:
            continue
        if param.name not in results:
            if param.io == "inout" and results:
                continue  # the formula is of another output, and says nothing of what becomes of this one
            return None
        result = results[param.name]
        out[param.name] = elements(result, filled[param.name])
        if param.io == "out":
            args[param.name] = _shaped(filled[param.name], result)
        elif _misfits(filled[param.name], result):
            return None
    if not out or any(len(one) > MOST_OUT for one in out.values()):
        return None
    if not is_legal(form, definition, product, args):
        return None
    lines = _lines(definition, own)
    return Worked(args, out, tuple(as_python(key, text) for key, text in lines.items()))


def _lines(definition: Definition, own: Mapping[str, str]) -> dict[str, str]:
    """The reference's lines in the operator's own names."""

    def change(text: str) -> str:
        return re.sub(r"[A-Za-z_]\w*", lambda found: own.get(found[0], found[0]), text)

    return {change(key): change(text) for key, text in definition.spec.reference.items()}


def _value(value: Any) -> Any:
    """An argument as a reference reads it."""
    if isinstance(value, tuple):
        return [_value(item) for item in value]
    if isinstance(value, Tensor):
        return made(value)
    return value.value if isinstance(value, Scalar) else value


def _shaped(value: Any, result: Any) -> Any:
    """An output as its result is, in the dtype that the call gives it unless its kind is another, as that of integers
    is where a result has a fraction."""
    if isinstance(value, tuple):
        return tuple(_shaped(one, item) for one, item in zip(value, result, strict=True))
    given, found = value.dtype, dtype_name(result.dtype)
    kinds = [dtypes.kind(name).removeprefix("u") for name in (given, found)]
    is_whole = kinds == ["int", "float"] and bool((result == result.round()).all())  # what a quantised value is
    if kinds[0] != kinds[1] and not is_whole:
        raise OpspecError(f"{found} is not of the kind of {given}")
    return Tensor(tuple(result.shape), given, value.format)


def _misfits(value: Any, result: Any) -> bool:
    """Whether a result is none of what the call changes in place."""
    if isinstance(value, tuple):
        return any(_misfits(one, item) for one, item in zip(value, result, strict=True))
    return bool(tuple(result.shape) != value.shape)
