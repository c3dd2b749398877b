"""The example of a page: a legal call in C and in Python, and what goes in and comes out where it is small."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from math import prod
from typing import Any

from opspec.codegen.stubs.example import typed_arguments
from opspec.codegen.stubs.snippet import snippet
from opspec.codegen.stubs.values import MOST, fillings, may_locate
from opspec.docs.saying import Sayings
from opspec.errors import OpspecError
from opspec.language import prose
from opspec.model.definition import Definition
from opspec.model.example import example_of
from opspec.model.remarks import remarks_of
from opspec.model.worked import Worked, worked_of
from opspec.registry.uncompiled import uncompiled
from opspec.validator.arguments import arguments
from opspec.validator.judge import judge_by_interpreter
from opspec.vocabulary import groups, products

#: what the JSON form of a tensor may say beside its shape, dtype and format
_LAYOUT = ("strides", "offset", "storage_shape", "storage_format")
_PYTORCH = "https://pytorch.org/docs/stable/generated/"
_UNDESCRIBED = ("torch.ops.", "torch_npu.")
SHOWN, _FIRST = 24, 8  # elements of a tensor that are shown whole, and of a larger one
MOST_LINES = 2  # of Python that compute what no single call does; of more the page shows the formula alone


@dataclass(frozen=True, slots=True)
class Example:
    """A call.

    Args:
        code: the call in C; empty where it has no short form there.
        needs: what is to be known of it: what it is given, on which products it is legal, what writes all of a program.
        python: the same with PyTorch, where it was run with the very arguments of the call in C.
        values: tensor, what it holds, before and after where it is changed.
        args: param, what is passed, where there is no code.
        null: params for which null is.
        product: the one that it is for, where it is not legal, with ``verdict``, what opspec says of it.
    """

    code: str
    needs: str
    python: tuple[str, ...]
    values: tuple[tuple[str, str], ...]
    args: tuple[tuple[str, str], ...]
    null: tuple[str, ...]
    product: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What opspec says of an example, in no language.

    Args:
        product: the one that the spec's example is for, if it says one.
        elsewhere: those that have the operator on which the call is not legal.
        args: of the call, in JSON.
        worked: the call with numbers, if it is that.
        pytorch: what is known of it in PyTorch, with numbers or without.
        snippet: the call in C; empty where it has no such form.
    """

    legal: bool
    code: int
    status: str
    product: str | None
    args: dict[str, Any]
    worked: Worked | None = None
    pytorch: Worked | None = None
    snippet: str = ""
    elsewhere: tuple[str, ...] = ()


def outcome(definition: Definition) -> Outcome | None:
    """What opspec says of an operator's example; None where its spec has none."""
    if definition.spec.example is None:
        return None
    known = worked_of(definition.home, definition.name) if definition.home else None
    product, given = example_of(definition)
    if known is not None and known.args:
        found = _judged(definition, product, known.args)
        if found is not None and found.legal:
            return replace(found, worked=known, pytorch=known, snippet=snippet(definition, found.args) or "")
    located = _judged(definition, product, _located(definition, product, given))
    found = located if located is not None and located.legal else _judged(definition, product, given)
    if found is None:
        return None
    others = [one for one in sorted(definition.supported) if product is not None and one != product]
    elsewhere = [one for one in others if (there := _judged(definition, one, found.args)) and not there.legal]
    text = snippet(definition, found.args) or ""
    return replace(found, pytorch=known, snippet=text, elsewhere=tuple(elsewhere))


def _located(definition: Definition, product: str | None, given: dict[str, Any]) -> dict[str, Any]:
    """The arguments with values of the tensors that say where in others something lies: those of the stub's program."""
    try:
        typed = typed_arguments(definition, given)
        filled = fillings(definition, product, typed) if any(map(may_locate, typed)) else {}
    except OpspecError:
        return given
    result = dict(given)
    for name, (filling, *_) in filled.items():
        body = given[name]
        if filling is not None and filling.locates and "tensor" in body:
            count = prod(body["tensor"]["shape"])
            if count <= MOST:
                result[name] = {"tensor": {**body["tensor"], "values": [*islice(cycle(filling.items), count)]}}
    return result


def _judged(definition: Definition, product: str | None, given: dict[str, Any]) -> Outcome | None:
    """What opspec says of a call; None of one that does not fit the params."""
    form = uncompiled(definition)
    try:
        typed = arguments(definition.name, form.params, given)
        verdict = judge_by_interpreter(form, typed, *products.resolve(product or "910b"))
    except OpspecError:
        return None
    return Outcome(verdict.legal, verdict.code, verdict.status, product, given)


def example(sayings: Sayings, found: Outcome | None) -> Example | None:
    """The example of an operator, of which opspec says what was found."""
    definition = sayings.definition
    if definition.spec.example is None or found is None:
        return None
    worked, given, product, code = found.worked, found.args, found.product, found.snippet
    names = [param.name for param in definition.params]
    args = () if code else tuple((name, _shown(given[name], sayings)) for name in names if given.get(name) is not None)
    null = () if code else tuple(name for name in names if given.get(name) is None)
    return Example(
        code,
        _needs(found, sayings) if code else "",
        _python(worked),
        tuple(_values(definition, given, worked)) if worked is not None or (code and _tells(given)) else (),
        args,
        null,
        sayings.products([product]) if product and not found.legal else "",
        "" if found.legal else sayings.words["verdict_illegal"].format(f"{found.status} ({found.code})"),
    )


def _needs(found: Outcome, sayings: Sayings) -> str:
    """What is to be known of a call in C."""
    words, definition = sayings.words, sayings.definition
    given = [param.name for param in definition.params if param.name in groups.PARAMS]
    named = [f"`{name}`" for name in given if f"const char *{name}" in found.snippet]
    told = [words["example_data"]] if "Data" in found.snippet else []
    told += [words["example_groups"].format(prose.listing(named, sayings.lang, "and"))] if named else []
    told += [words["example_made"].format(*pair) for pair in _made(found, sayings)]
    if found.elsewhere and found.legal:
        legal = [one for one in definition.spec.products if one in definition.supported and one not in found.elsewhere]
        named = products.in_text(legal, sayings.lang)
        told.append(words["example_on"].format(prose.listing(named, sayings.lang, "and")))
    return words["gap"].join([*told, words["example_program"].format(definition.name)])


def _made(found: Outcome, sayings: Sayings) -> Iterator[tuple[str, str]]:
    """The tensors of a call that have a data type which another operator makes, as a remark says, and that operator."""
    for remark in remarks_of(sayings.definition):
        text, passed = remark.text("en"), _tensors(found.args.get(remark.param or ""))
        operators = re.findall(r"`aclnn\w+`", text)
        if len(operators) == 1 and any(re.search(rf"\b{one.get('dtype')}\b", text) for one in passed):
            yield f"`{remark.param}`", operators[0]


def _python(known: Worked | None) -> tuple[str, ...]:
    """The lines of Python that make the call, or compute the same where they are few."""
    if known is None or not (known.calls or len(known.python) <= MOST_LINES):
        return ()
    return tuple(known.python)


def described(found: Outcome | None) -> tuple[tuple[str, str], ...]:
    """The functions of PyTorch that come to an operator, each with the page that describes it.

    Operators of ATen and of torch_npu have none; they are named where the example does not.
    """
    known = found.pytorch if found is not None else None
    if known is None:
        return ()
    links = {name: "" if name.startswith(_UNDESCRIBED) else f"{_PYTORCH}{name}.html" for name in known.calls}
    shown = _python(found.worked) if found is not None else ()
    return tuple((name, link) for name, link in links.items() if link or not shown)


def _tells(given: dict[str, Any]) -> bool:
    """Whether some tensor holds several numbers, or lengths: others say nothing without what comes out."""
    held = (one["values"] for body in given.values() for one in _tensors(body) if "values" in one)
    return any(value != values[0] or value > 1 for values in held for value in values)


def _values(definition: Definition, given: dict[str, Any], worked: Worked | None) -> Iterator[tuple[str, str]]:
    """What the tensors of a call hold, as far as it says; worked, if it is that."""
    for param in definition.params:
        body = given.get(param.name) or {}
        after = worked.out.get(param.name) if worked is not None else None
        tensors = _tensors(body)
        if not tensors:
            continue
        before = [_nested(one["values"], one["shape"]) for one in tensors if "values" in one and param.io != "out"]
        made = [] if after is None else after if "tensor_list" in body else [after]
        results = [_nested(values, one["shape"]) for values, one in zip(made, tensors, strict=True)] if made else []
        parts = [", ".join(each) for each in (before, results) if each]
        if parts:
            yield param.name, " → ".join(parts)


def _tensors(body: Any) -> list[dict[str, Any]]:
    if not isinstance(body, dict):
        return []
    return [body["tensor"]] if "tensor" in body else [one for one in body.get("tensor_list", ()) if one]


def _nested(values: Sequence[Any], shape: Sequence[int]) -> str:
    """Elements in brackets, a pair for each dim."""
    if not shape:
        return _number(values[0])
    if len(values) > SHOWN:  # of one or many dims
        return f"[{', '.join(map(_number, values[:_FIRST]))}, …]"
    if len(shape) == 1:
        return f"[{', '.join(map(_number, values))}]"
    size = len(values) // shape[0] if shape[0] else 0
    return f"[{', '.join(_nested(values[i * size : (i + 1) * size], shape[1:]) for i in range(shape[0]))}]"


def _number(value: Any) -> str:
    """A number as people write it: without a point where it is whole."""
    if isinstance(value, list):
        real, imag = value
        return f"{_number(real)}{'' if str(imag).startswith('-') else '+'}{_number(imag)}j"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _shown(value: Any, sayings: Sayings) -> str:
    """An argument as people write it: dtype and shape of a tensor, anything else as JSON."""
    null = sayings.words["null"]
    if value is None:
        return null
    if isinstance(value, dict) and isinstance(value.get("tensor"), dict):
        return _tensor(value["tensor"], sayings)
    if isinstance(value, dict) and isinstance(value.get("tensor_list"), list):
        items = [null if item is None else _tensor(item, sayings) for item in value["tensor_list"]]
        return f"[{'; '.join(items)}]"
    if isinstance(value, dict) and isinstance(value.get("scalar"), dict):
        scalar = value["scalar"]
        return f"{scalar.get('dtype', '')} {_json(scalar.get('value'))}"
    if isinstance(value, dict) and len(value) == 1:
        return _json(next(iter(value.values())))
    return _json(value)


def _tensor(tensor: dict[str, Any], sayings: Sayings) -> str:
    dims = ", ".join(map(str, tensor.get("shape", ())))
    parts = [f"{tensor.get('dtype', '')} [{dims}]"]
    if tensor.get("format", "ND") != "ND":
        parts.append(str(tensor["format"]))
    parts += [f"{key} = {_json(tensor[key])}" for key in _LAYOUT if key in tensor]
    parts += [_nested(tensor["values"], tensor["shape"])] if "values" in tensor else []
    return sayings.words["comma"].join(parts)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
