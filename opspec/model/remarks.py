"""What a spec says that no rule can check, as an operator of it says it: a twin's params have names of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping

from opspec.model.definition import Definition
from opspec.model.ledger import place_of
from opspec.model.spec import Remark
from opspec.model.values import Bilingual

_IN_CODE = re.compile(r"`([^`]*)`")
_NAME = re.compile(r"(?<![A-Za-z0-9_.])[A-Za-z_][A-Za-z0-9_]*")


def renames(definition: Definition) -> Mapping[str, str]:
    """Param of the spec -> its name in the operator; nothing of the operator that the spec is written for."""
    twin = definition.spec.twin
    return twin.rename if twin is not None and twin.operator == definition.name else {}


def remarks_of(definition: Definition) -> tuple[Remark, ...]:
    """The remarks about an operator, with the names that its params have."""
    names = renames(definition)
    if not names:
        return tuple(definition.spec.remarks)
    return tuple(
        item.model_copy(
            update={
                "param": None if item.param is None else names.get(item.param, item.param),
                "en": item.en and renamed(item.en, names),
                "zh": item.zh and renamed(item.zh, names),
            }
        )
        for item in definition.spec.remarks
    )


def said(text: Bilingual, definition: Definition) -> Bilingual:
    """A text of the spec with the names that the operator's params have."""
    names = renames(definition)
    if not names:
        return text
    return Bilingual(en=text.en and renamed(text.en, names), zh=text.zh and renamed(text.zh, names))


def renamed(text: str, names: Mapping[str, str]) -> str:
    """A text in which the names in backticks are others.

    >>> renamed("`self` is the self of `other.shape[self]`", {"self": "selfRef", "other": "x"})
    '`selfRef` is the self of `x.shape[selfRef]`'
    """

    def code(found: re.Match[str]) -> str:
        return f"`{_NAME.sub(lambda name: names.get(name[0], name[0]), found[1])}`"

    return _IN_CODE.sub(code, text)


def remarked(definition: Definition) -> frozenset[str]:
    """The places of the clauses that remarks say, in full."""
    names = [param.name for param in definition.spec.params]
    said = (name for item in definition.spec.remarks for name in item.from_)
    return frozenset(place_of(name, definition.clauses, names) for name in said)
