"""What the runtime refuses beside what the tables say: private formats, told once, and data types of a param."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from opspec.docs.limits import choices_of
from opspec.docs.narrowing import domains
from opspec.docs.saying import Item, Sayings
from opspec.docs.typed import breaking
from opspec.language import build, prose, tree
from opspec.model.definition import Definition, RuleDef
from opspec.model.produced import taken_on
from opspec.model.sets import formats_on
from opspec.model.stated import stated_of
from opspec.vocabulary import formats, products

Pairs = tuple[tuple[str, str], ...]
Refused = tuple[tuple[str, str, str], ...]


def refusals(definition: Definition) -> dict[str, Pairs]:
    """Rule that says nothing else -> the params that take ND alone, each with a private format that is not its."""
    return definition.once(_refusals)


def _refusals(definition: Definition) -> dict[str, Pairs]:
    own = stated_of(definition)
    plain = {name for name, params in own.items() if formats_on(definition.spec, params[0], None).all == ("ND",)}
    found: dict[str, Pairs] = {}
    for rule in definition.rules:
        parts = [choices_of(part, "format") for part in build.conjuncts(rule.check)]
        said = [one for part in parts for one in part]
        pairs = tuple((name, form) for name, values, _ in said for form in sorted(map(str, values)))
        known = pairs and all(parts) and not any(inside for _, _, inside in said)
        private = all(name in plain and formats.is_private(form) for name, form in pairs)
        if known and private and (rule.when is None or tree.on_products(rule.when) is not None):
            found[rule.id] = pairs
    return found


def refused(sayings: Sayings, plain: frozenset[str]) -> Iterator[Item]:
    """A sentence for each private format and the products that refuse it: of which params, unless that is all.

    Args:
        plain: the params that take ND alone.
    """
    found: dict[tuple[str, str, str], tuple[dict[str, None], list[str]]] = {}
    known = refusals(sayings.definition)
    for rule in sayings.definition.rules:
        for param, form in known.get(rule.id, ()):
            params, rules = found.setdefault((form, _where(rule, sayings), sayings.mark(rule)), ({}, []))
            params[param] = None
            rules.append(rule.id)
    for (form, where, mark), (params, rules) in found.items():
        every = plain <= params.keys()
        text = sayings.words["refused" if every else "refused_of"].format(
            form, prose.listing(list(params), sayings.lang, "and")
        )
        if where:
            text = sayings.words["refused_on"].format(where, text)
        yield Item(text + sayings.words["stop"], mark, tuple(dict.fromkeys(rules)))


def _where(rule: RuleDef, sayings: Sayings) -> str:
    """The products that a rule is for."""
    on = None if rule.when is None else tree.on_products(rule.when)
    if on is None:
        return ""
    supported = sayings.definition.supported
    names = [name for name in sayings.spec.products if name in supported and on.holds(name)]
    return prose.listing(products.in_text(names, sayings.lang), sayings.lang, "and")


def refusing(sayings: Sayings) -> Mapping[str, Refused]:
    """The rules that the table of products tells since they refuse what it lists; none in the vendor's form."""
    return {} if sayings.upstream or sayings.plain is sayings else sayings.definition.once(refusals_of_types)


def refusals_of_types(definition: Definition) -> dict[str, Refused]:
    """Rule that no page has and that says nothing but which data types a param may have -> param, product, and one that
    its row has there."""
    own = stated_of(definition)
    found: dict[str, Refused] = {}
    for rule in definition.rules:
        about = {(name, facet) for name, facet in definition.facts(rule.check) if facet == "dtype"}
        plain = rule.when is None or tree.on_products(rule.when) is not None
        if rule.basis == "observed" and plain and rule.param and about == {(rule.param, "dtype")}:
            listed = own[rule.param]
            broken = breaking(rule, domains(definition)) or ()
            told = tuple(
                (rule.param, on, one) for on, (one,) in broken if one in taken_on(definition.spec, listed, on).all
            )
            found |= {rule.id: told} if told else {}
    return found
