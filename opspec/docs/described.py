"""All that an operator's spec says as JSON values: for programs, and for agents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opspec.docs.enforced import evidence_of
from opspec.docs.saying import Sayings
from opspec.language.text import write
from opspec.model.definition import Definition, RuleDef
from opspec.model.ledger import Clause, clauses
from opspec.model.produced import overwritten_on
from opspec.model.remarks import remarks_of
from opspec.model.sets import formats_on
from opspec.model.spec import Param, Spec
from opspec.model.stated import common, stated_of
from opspec.vocabulary import status
from opspec.vocabulary.literals import Lang


def as_json(definition: Definition) -> dict[str, Any]:
    """The operator as JSON values: the spec's own content, and the rules that it amounts to."""
    spec = definition.spec
    says: dict[Lang, Sayings] = {"en": Sayings(definition, "en"), "zh": Sayings(definition, "zh")}
    return {
        "op": definition.name,
        "release": spec.release,
        "header": definition.header,
        "deprecated": spec.deprecated.model_dump() if spec.deprecated else None,
        "summary": spec.summary.model_dump() if spec.summary else None,
        "formula": [item.model_dump() for item in spec.formula],
        "products": dict(spec.products),
        "params": _params_json(definition),
        "let": {name: write(node) for name, node in definition.lets.items()},
        "results": dict(spec.results),
        "rules": [_rule_json(rule, says) for rule in definition.rules],
        "remarks": [item.model_dump(by_alias=True, exclude_none=True) for item in remarks_of(definition)],
        "clauses": [clause.model_dump(exclude_none=True, exclude_defaults=True) for clause in clauses_of(definition)],
    }


def clauses_of(definition: Definition) -> tuple[Clause, ...]:
    """The clauses of its page, with the rules that formalise them."""
    return definition.once(_clauses)


def _clauses(definition: Definition) -> tuple[Clause, ...]:
    return clauses(definition.home, definition.places)


def _params_json(definition: Definition) -> list[dict[str, Any]]:
    """Params with what each takes on each product; what holds under a condition only is listed, too."""
    own = stated_of(definition)
    return [
        {
            "name": param.name,
            "ctype": param.ctype,
            "io": param.io,
            "nullable": param.nullable and param.pointer,
            "about": about.model_dump() if (about := own[param.name][0].about) else None,
            "rank": _plain(own[param.name][0].rank),
            "shape": _plain(own[param.name][0].shape),
            "dtypes": taken(definition, own[param.name], dtypes_taken),
            "formats": taken(definition, own[param.name], formats_taken),
        }
        for param in definition.params
    ]


def _plain(value: Any) -> Any:
    """A property as the file has it."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.model_dump(by_alias=True, exclude_none=True) if hasattr(value, "model_dump") else value


def dtypes_taken(spec: Spec, own: tuple[Param, ...], product: str | None) -> tuple[str, ...]:
    """The dtypes that a param takes on a product by all its statements, under whatever condition."""
    return common([members.all for members in overwritten_on(spec, own, product)])


def formats_taken(spec: Spec, own: tuple[Param, ...], product: str | None) -> tuple[str, ...]:
    """The formats that a param takes on a product by all its statements, under whatever condition."""
    return common([formats_on(spec, param, product).all for param in own])


def taken(
    definition: Definition, own: tuple[Param, ...], of: Callable[[Spec, tuple[Param, ...], str | None], tuple[str, ...]]
) -> dict[str, list[str]]:
    """Product -> what a param takes there; nothing where its spec does not say."""
    spec = definition.spec
    found = {product: list(of(spec, own, product)) for product, support in spec.products.items() if support != "no"}
    return found if any(found.values()) else {}


def _rule_json(rule: RuleDef, says: dict[Lang, Sayings]) -> dict[str, Any]:
    found = says["en"].enforcement(rule)
    return {
        "id": rule.id,
        "when": None if rule.when is None else write(rule.when),
        "check": write(rule.check),
        "en": says["en"].requirement(rule),
        "zh": says["zh"].requirement(rule),
        "status": status.name(found.status) if found.status else rule.status,
        "stage": rule.seen_at,
        "enforcement": found.usual,
        "on": dict(found.on),
        "assumed": found.assumed,
        "basis": rule.basis,
        "evidence": evidence_of(rule, "en") or None,
        "sources": list(rule.sources),
    }
