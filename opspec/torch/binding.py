"""From a call of PyTorch to the arguments of the operator that stands for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from opspec.errors import OpspecError, did_you_mean
from opspec.language import tree
from opspec.language.interpret import Env, Undef, evaluate
from opspec.language.outcome import ABSENT
from opspec.language.parse import Scope, parse
from opspec.language.types import BOOL, DTYPE, INT, INTS
from opspec.language.values import Argument, Scalar, Tensor
from opspec.registry.registry import Form
from opspec.torch.table import Case, Made, Number, One, Source
from opspec.torch.values import Layouts, in_rows, kind_of, type_of


class Signature:
    """What expressions may read of the calls of one overload.

    Args:
        schema: PyTorch's.
        numbers: arguments that are tensors by the schema, for which a call gave numbers.
        lets: names of expressions that others read.

    Attributes:
        kinds: argument or result -> its kind and whether it may be absent.
        results: names of the results, in their order; None for one that is no tensor.
    """

    def __init__(
        self, schema: Any, numbers: frozenset[str] = frozenset(), lets: Mapping[str, str] | None = None
    ) -> None:
        self.schema = schema
        self._lets = {} if lets is None else lets
        self._trees: dict[str, tree.Node] = {}
        self.kinds: dict[str, tuple[str, bool]] = {}
        for argument in schema.arguments:
            found = ("scalar", False) if argument.name in numbers else kind_of(argument)
            if found is not None:
                self.kinds[argument.name] = found
        several = len(schema.returns) > 1
        self.results: list[str | None] = []
        for index, returned in enumerate(schema.returns):
            found = kind_of(returned)
            name = f"result{index}" if several else "result"
            is_tensor = found is not None and found[0] in ("tensor", "tensor_list")
            self.results.append(name if is_tensor else None)
            if found is not None and is_tensor:
                self.kinds[name] = (found[0], True)
        params = {name: (type_of(kind), nullable) for name, (kind, nullable) in self.kinds.items()}
        self.scope = Scope(params, self._let, tuple(self._lets), known={})

    def _let(self, name: str) -> tree.Node | None:
        if name in self._lets and name not in self._trees:
            self._trees[name] = parse(self._lets[name], self.scope)
        return self._trees.get(name)

    def env(self, values: Mapping[str, Argument], product: str | None = None, member: str | None = None) -> Env:
        """What expressions are evaluated against, for one call."""
        return Env(values, self._trees, product, member)

    def given(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call by name, defaults too."""
        found = {}
        for index, argument in enumerate(self.schema.arguments):
            if not argument.kwarg_only and index < len(args):
                found[argument.name] = args[index]
            else:
                found[argument.name] = kwargs.get(argument.name, argument.default_value)
        return found

    def values(self, given: Mapping[str, Any], result: Any, layouts: Layouts) -> dict[str, Argument]:
        """What expressions read of one call.

        Raises:
            OpspecError: an argument has no counterpart, such as a sparse tensor.
        """
        found = {name: _value(value, self.kinds[name], layouts) for name, value in given.items() if name in self.kinds}
        returned = [result] if len(self.results) == 1 else result if self.results else []
        for name, value, about in zip(self.results, returned, self.schema.returns, strict=True):
            if name is not None:
                made = _value(value, self.kinds[name], layouts)
                found[name] = made if about.alias_info is not None else _as_made(made)
        return found


def in_parts(values: dict[str, Argument], most: int | None) -> Iterator[dict[str, Argument]]:
    """What expressions read of a call, a part of its lists at a time; all at once where ``most`` is None."""
    count = max((len(value) for value in values.values() if isinstance(value, tuple)), default=0)
    if most is None or count <= most:
        yield values
        return
    for start in range(0, count, most):
        yield {
            name: value[start : start + most] if isinstance(value, tuple) and len(value) == count else value
            for name, value in values.items()
        }


def _value(value: Any, kind: tuple[str, bool], layouts: Layouts) -> Argument:
    return None if value is None else layouts.value(value, kind[0])


def _as_made(value: Argument) -> Argument:
    """A new tensor as a device has it: in rows, whatever order a processor keeps."""
    if isinstance(value, tuple):
        return tuple(map(_as_made, value))  # type: ignore[arg-type]
    if isinstance(value, Tensor):
        value.strides, value.offset = None, 0
    return value


class Binding:
    """Where each param of an operator takes its argument from, for the calls of one overload.

    Raises:
        OpspecError: the table names a param that the operator does not have, leaves out one that it needs, or an
            expression is none.
    """

    def __init__(self, signature: Signature, case: Case, form: Form, defaults: Mapping[str, Source]) -> None:
        self.signature = signature
        self.form = form
        self.sources = sources_of(signature, case, form, defaults)
        for param, source in self.sources.items():
            _parse(signature, source, f"{form.operator}.{param}")

    def arguments(self, values: Mapping[str, Argument], product: str | None, member: str | None) -> dict[str, Any]:
        """The operator's arguments by param name."""
        env = self.signature.env(values, product, member)
        scope = self.signature.scope
        return {param: value_of(source, scope, env) for param, source in self.sources.items()}


def sources_of(signature: Signature, case: Case, form: Form, defaults: Mapping[str, Source]) -> dict[str, Source]:
    """Param -> where its argument comes from."""
    params = [param[0] for param in form.params]
    wrong = next((name for name in case.args if name not in params), None)
    if wrong is not None:
        raise OpspecError(f"it has no param {wrong!r}{did_you_mean(wrong, params)}", where=form.operator)
    by_key = {_key(argument): argument for argument in signature.kinds if argument not in signature.results}
    outputs = dict(zip(form.info.outputs, signature.results))  # noqa: B905 - what is left over is found below
    found: dict[str, Source] = {}
    for name, _, _, required, *_ in form.params:
        source = case.args.get(name, _NOT_NAMED)
        if source is _NOT_NAMED:
            source = outputs[name] if outputs.get(name) else by_key.get(_key(name), defaults.get(name, _NOT_NAMED))
        if source is not _NOT_NAMED:
            found[name] = source
        elif required:
            raise OpspecError(f"nothing is said of its param {name!r}", where=form.operator)
    return found


def just(source: Source) -> str | None:
    """The argument or result of PyTorch's call that a source hands on as it is; None of what is made or computed."""
    first = source[0] if isinstance(source, tuple) else source
    told = first.value if isinstance(first, Number) else first
    return told.removesuffix(".value") if isinstance(told, str) else None


_NOT_NAMED = "(not named)"


def _key(name: str) -> str:
    """What names of one thing have in common: ``keepdim``, ``keep_dim``, ``keepDim``; ``selfRef``; ``biasOptional``."""
    plain = name.replace("_", "").lower()
    for suffix in ("optional", "ref"):
        plain = plain.removesuffix(suffix) or plain
    return plain


INDEX = "i"


def with_index(scope: Scope) -> Scope:
    """A scope where expressions may also read which tensor of a list is made."""
    return Scope({**scope.params, INDEX: (INT, False)}, scope.let, scope.let_names, known={})


def _parse(signature: Signature, source: Source, where: str) -> None:
    try:
        match source:
            case str():
                parse(source, signature.scope)
            case Made():
                scope = signature.scope if source.several is None else with_index(signature.scope)
                for texts, expected in ((source.shape, INTS), (source.dtype, DTYPE)):
                    for text in texts:
                        parse(text, scope, expected)
            case Number():
                parse(source.value, signature.scope)
                parse(source.dtype, signature.scope, DTYPE)
            case tuple():
                for one in source:
                    _parse(signature, one, where)
    except OpspecError as error:
        raise OpspecError(f"{error.message} in {source!r}", where=where) from None


def value_of(source: Source, scope: Scope, env: Env) -> Any:
    """The argument that comes from a source.

    Raises:
        OpspecError: it hangs on something that the call does not say.
    """
    match source:
        case None:
            return None
        case Made(several=str() as several):
            one = replace(source, several=None)
            count = value_of(several, scope, env)
            scope = with_index(scope)
            return tuple(
                value_of(one, scope, Env({**env.args, INDEX: index}, env.lets, env.product, env.member))
                for index in range(count)
            )
        case Made():
            shape, dtype = value_of(source.shape, scope, env), value_of(source.dtype, scope, env)
            return None if shape is None or dtype is None else in_rows(Tensor(shape, dtype))
        case Number():
            value, dtype = value_of(source.value, scope, env), value_of(source.dtype, scope, env)
            return None if value is None or dtype is None else Scalar(dtype, value)
        case tuple():
            return _first(source, scope, env)
        case str():
            value = evaluate(parse(source, scope), env)
            if not isinstance(value, Undef):
                return value
            if value.cause == ABSENT:
                return None
            raise OpspecError(f"{source} has no value for this call")


def _first(sources: tuple[One, ...], scope: Scope, env: Env) -> Any:
    """The first argument of several that there is; what the last of them lacks, if there is none."""
    for source in sources[:-1]:
        try:
            value = value_of(source, scope, env)
        except OpspecError:
            continue
        if value is not None:
            return value
    return value_of(sources[-1], scope, env)


def chosen(cases: Sequence[Case], signature: Signature, env: Env) -> Case | None:
    """The first case whose condition holds."""
    for case in cases:
        if case.when is None or evaluate(parse(case.when, signature.scope, BOOL), env) is True:
            return case
    return None
