"""One expression or one operator in both back ends."""

from __future__ import annotations

import math
from typing import Any

from opspec.language import interpret, runtime, tree
from opspec.language.functions import FUNCTIONS
from opspec.language.interpret import Env, Undef
from opspec.language.outcome import ABSENT
from opspec.language.python import Emitter, helper_names
from opspec.model.definition import Definition
from opspec.registry.compile import compile_operator
from opspec.registry.registry import Form

_NAMES: dict[str, object] = {name: getattr(runtime, target) for name, target in helper_names()}
_NAMES |= {f"f_{row.name}": row.python for row in FUNCTIONS.values()}
_NAMES |= {f"m_{row.name}": runtime.Remembered(row.python) for row in FUNCTIONS.values()}


def compiled_value(node: tree.Node, args: dict[str, object], product: str | None, member: str | None) -> object:
    """The value of an expression without derived values from the compiled form, or an Undef."""
    emitter = Emitter()
    text = emitter.emit(node)
    space = {**_NAMES, **{f"p_{name}": value for name, value in args.items()}}
    space |= {f"T{i}": table for i, table in enumerate(emitter.tables)}
    code = compile(f"lambda _product, _member: {text.text}", "<expression>", "eval")
    value: object
    try:
        value = eval(code, space)(product, member)  # noqa: S307
    except runtime.Undefined as error:
        value = Undef(error.cause)
    if isinstance(value, Undef):
        assert value.cause in text.causes, f"cause {value.cause} is not announced: {set(text.causes)}"
    return value


def same(a: object, b: object) -> bool:
    """Whether two values are one: of the same type, NaN equal to itself, undefined for the same cause."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if type(a) is not type(b):
        return False
    if isinstance(a, float) and isinstance(b, float):
        return a == b or (math.isnan(a) and math.isnan(b))
    if isinstance(a, Undef) and isinstance(b, Undef):
        return a.cause == b.cause
    return a is b or a == b


def form_of(definition: Definition) -> Form:
    """The operator's compiled form."""
    space: dict[str, Any] = {}
    exec(compile(compile_operator(definition).source, "<form>", "exec"), space)  # noqa: S102
    return Form(space)


def compiled_report(
    form: Form, args: tuple[object, ...], product: str | None, member: str | None
) -> dict[int, int]:  # fmt: skip
    """What the compiled form reports, without rules that do not apply."""
    report: list[tuple[int, int]] = []
    form.judge(args, product, member, report.append)
    return _told(report)


def interpreted_report(
    definition: Definition, args: tuple[object, ...], product: str | None, member: str | None
) -> dict[int, int]:  # fmt: skip
    """What the reference interpreter makes of the rules."""
    env = Env(
        dict(zip((param.name for param in definition.params), args, strict=True)), definition.lets, product, member
    )
    report = []
    for number, rule in enumerate(definition.rules):
        outcome = interpret.outcome(rule.when, rule.check, env)
        if outcome is not None:
            report.append((number, outcome))
    return _told(report)


def _told(report: list[tuple[int, int]]) -> dict[int, int]:
    """Number -> outcome; a rule whose argument is absent may be reported or not."""
    assert len({number for number, _ in report}) == len(report), f"a rule is reported twice: {report}"
    return {number: outcome for number, outcome in report if outcome != ABSENT}
