"""``opspec.repair``: the nearest legal calls to an illegal one, from Python and for the commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from opspec.assist.repair.changes import WEIGHTS, Change
from opspec.assist.repair.elsewhere import other_products, other_versions
from opspec.assist.repair.search import Found, Repair
from opspec.calls.examples.call import to_json
from opspec.errors import ArgumentError
from opspec.registry.registry import Registry, registry
from opspec.validator.api import ALL, by_name, given, language, resolved, with_values
from opspec.validator.arguments import arguments_of
from opspec.validator.verdict import Verdict
from opspec.vocabulary.literals import Lang

MOST = 3  #: answers, unless more are asked for
LIMIT = 20  #: and no more than so many


@dataclass(frozen=True, slots=True)
class Fix:
    """A legal call near an illegal one.

    Attributes:
        op, product, args: the call, its arguments as JSON values.
        changes: what differs from the one that was given.
        distance: how far it is from it: about 1 for a change of one argument.

    >>> from opspec import Tensor, check
    >>> x, out = Tensor((2, 3), "FLOAT"), Tensor((2, 3), "INT32")
    >>> fix = repair("aclnnSin", product="910b", self=x, out=out)[0]
    >>> str(fix), len(fix.changes)
    ('make out FLOAT in place of INT32', 1)
    >>> bool(check(fix.op, args=fix.args, product=fix.product, release=fix.release))
    True
    """

    op: str
    release: str
    product: str | None
    args: dict[str, Any]
    changes: tuple[Change, ...]
    distance: float
    lang: Lang = "en"

    @property
    def message(self) -> str:
        """What to change, in one line."""
        return ("; " if self.lang == "en" else "；").join(change.words(self.lang) for change in self.changes)

    @property
    def call(self) -> dict[str, Any]:
        """The call as ``opspec check`` reads it."""
        return {"op": self.op, "release": self.release, "product": self.product, "args": self.args}

    def to_dict(self) -> dict[str, object]:
        """The fix as JSON values."""
        return {
            "message": self.message,
            "changes": [change.to_dict(self.lang) for change in self.changes],
            "distance": self.distance,
            "call": self.call,
        }

    def __str__(self) -> str:
        return self.message


def repair(
    op: str,
    /,
    *positional: object,
    product: str | None = None,
    release: str | None = None,
    args: Mapping[str, object] | None = None,
    specs: Sequence[str] | str = (),
    lang: Lang = "en",
    values: bool = False,
    most: int = MOST,
    **named: object,
) -> tuple[Fix, ...]:
    """The nearest legal calls to a call.

    Args:
        op, *positional, product, release, args, specs, lang, values, **named: as ``opspec.check`` takes them.
        most: how many are wanted, up to 20.

    Returns:
        The nearest first; nothing of a call that is legal already, or where none is found.

    Raises:
        UnknownOperatorError, UnknownReleaseError, UnknownProductError: there is none of that name.
        ArgumentError: an argument that is missing, of no param, or not in the form of its param.
        SpecError: the operator's spec is faulty.
        InternalError: a fault of opspec: nothing is said of the call.

    >>> from opspec import Scalar, Tensor
    >>> x, out = Tensor((2, 3), "FLOAT"), Tensor((2, 4), "FLOAT")
    >>> fix, *others = repair("aclnnAdd", product="910b", self=x, other=x, alpha=Scalar("FLOAT"), out=out)
    >>> fix.message
    'give out the shape [2, 3] in place of [2, 4]'
    >>> fix.call["args"]["out"]
    {'tensor': {'shape': [2, 3], 'dtype': 'FLOAT', 'format': 'ND'}}
    """
    data = given(op, args, named)
    if product == ALL:
        raise ArgumentError("a call is repaired on one product", param="product")
    known = registry(specs)
    form = known.form(op, release)
    typed = with_values(op, form, by_name(op, form, positional, data), values)
    return fixes(known, form.operator, form.release, typed, product, lang=language(lang), most=most)


def fixes_of(
    known: Registry, verdict: Verdict, written: Mapping[str, object], lang: Lang, most: int = MOST
) -> tuple[Fix, ...]:
    """The nearest legal calls to the one that a verdict is on, whose arguments were given as JSON values."""
    args = arguments_of(known.form(verdict.op, verdict.release), written)
    return fixes(known, verdict.op, verdict.release, args, verdict.product, lang=lang, most=most, written=written)


def fixes(
    known: Registry,
    operator: str,
    release: str,
    args: tuple[Any, ...],
    named: str | None,
    *,
    lang: Lang = "en",
    most: int = MOST,
    written: Mapping[str, object] | None = None,
) -> tuple[Fix, ...]:
    """The same of typed arguments.

    Args:
        args: in the order of the params.
        named: the product, in any spelling.
        written: the arguments as JSON values that were given: what does not change stays as it is written.
    """
    if not 1 <= most <= LIMIT:
        raise ArgumentError(f"from 1 to {LIMIT} answers can be asked for, found {most}", param="most")
    product, member = resolved(named)
    form = known.form(operator, release)
    call = dict(zip(form.param_infos, args, strict=True))
    search = Repair(form, product, member, call)
    if search.verdict(call).legal:
        return ()
    found = [(operator, member or product, item) for item in search.nearest(most)]
    if product is not None:
        found += [(operator, name, item) for name, item in _first(other_products(form, call, member or product))]
    if sum(item.distance <= WEIGHTS["operator"] for _, _, item in found) < most:  # else none is among the nearest
        versions = other_versions(known, form, call, product, member)
        found += [(name, member or product, item) for name, item in _first(versions)]
    found.sort(key=lambda item: item[2].distance)
    return tuple(_fix(known, name, release, on, item, written, lang) for name, on, item in found[:most])


def _first(found: Iterable[tuple[str, Found]]) -> list[tuple[str, Found]]:
    """The nearest alone: a call that is legal on five products has one answer, not five."""
    return sorted(found, key=lambda item: item[1].distance)[:1]


def _fix(
    known: Registry, operator: str, release: str, product: str | None, found: Found,
    written: Mapping[str, object] | None, lang: Lang,
) -> Fix:  # fmt: skip
    kinds = {name: kind for name, kind, *_ in known.form(operator, release).params}
    args = to_json(found.call, kinds)
    changed = {path.partition("[")[0] for change in found.changes for path in change.paths}
    kept = {name: value for name, value in (written or {}).items() if name in args and name not in changed}
    return Fix(operator, release, product, {**args, **kept}, found.changes, round(found.distance, 2), lang)
