"""What a spec does not write out: its named sets and the defaults of params, put in their places."""

from __future__ import annotations

from opspec.errors import SpecError, did_you_mean
from opspec.model.faults import placed
from opspec.model.spec import Param, Spec, is_same_as
from opspec.model.values import Case, Set
from opspec.vocabulary import dtypes


def spelled_out(spec: Spec) -> Spec:
    """The spec with the members of sets in place of their names, and with the defaults of tensors.

    A tensor's format is ND and its layout may be non-contiguous, unless its ``format`` is ``any`` and its ``strided``
    ``unknown``: then the page does not say. Of a spec that is spelled out it is the spec.

    Raises:
        SpecError: a dtype property names no dtype, param or set.
    """
    params = []
    for number, param in enumerate(spec.params):
        with placed(("params", number, "dtype")):
            params.append(_param(param, spec))
    return spec.model_copy(update={"params": params})


def _param(param: Param, spec: Spec) -> Param:
    changes: dict[str, object] = {}
    if param.dtype is not None:
        changes["dtype"] = spelled_dtype(param.dtype, spec)
    if param.is_tensor:
        changes["format"] = ["ND"] if param.format is None else param.format
        changes["strided"] = param.strided or "yes"
    return param.model_copy(update=changes)


_Members = str | list[str] | Set
Members = _Members | list[Case[_Members]]


def spelled_dtype(value: Members, spec: Spec) -> Members:
    """A dtype property with the members of sets in place of their names."""
    if isinstance(value, str):
        return _members(value, spec)
    cases = [item for item in value if isinstance(item, Case)] if isinstance(value, list) else []
    return [item.model_copy(update={"is_": _members(item.is_, spec)}) for item in cases] or value


def _members(value: _Members, spec: Spec) -> _Members:
    if not isinstance(value, str) or is_same_as(value) is not None:
        return value
    if value in spec.sets:
        return spec.sets[value]
    if value.lower() not in dtypes.aliases():
        known = [*spec.sets, *dtypes.names()]
        raise SpecError(f"{value!r} is no dtype and no set of this spec{did_you_mean(value, known)}")
    return [value]
