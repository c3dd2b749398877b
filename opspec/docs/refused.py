"""Private formats that tensors are refused in whose page says ND: told once, beside what is said of ND."""

from __future__ import annotations

from collections.abc import Iterator

from opspec.docs.saying import Item, Sayings
from opspec.language import prose, tree
from opspec.model.definition import Definition, RuleDef
from opspec.model.sets import formats_on
from opspec.model.stated import stated_of
from opspec.vocabulary import formats, products

Pairs = tuple[tuple[str, str], ...]


def refusals(definition: Definition) -> dict[str, Pairs]:
    """Rule that says nothing else -> the params that take ND alone, each with a private format that is not its."""
    return definition.once(_refusals)


def _refusals(definition: Definition) -> dict[str, Pairs]:
    own = stated_of(definition)
    plain = {name for name, params in own.items() if formats_on(definition.spec, params[0], None).all == ("ND",)}
    found: dict[str, Pairs] = {}
    for rule in definition.rules:
        pairs = _pairs(rule.check)
        known = pairs and all(name in plain and formats.is_private(form) for name, form in pairs)
        if known and (rule.when is None or tree.on_products(rule.when) is not None):
            found[rule.id] = pairs
    return found


def _pairs(check: tree.Node) -> Pairs:
    """The params and formats of a statement that these do not meet; none of any other."""
    match check:
        case tree.Logic(op="and", items=items):
            parts = [_pairs(item) for item in items]
            return tuple(pair for part in parts for pair in part) if all(parts) else ()
        case tree.Compare(
            ops=("!=",),
            operands=(tree.Attr(name="format", base=tree.Param(name=name)), tree.Const(value=str(form))),
        ):
            return ((name, form),)
        case tree.Compare(ops=("not in",), operands=(tree.Const(value=str(form)), tree.Seq(items=items))):
            names = [
                item.base.name
                for item in items
                if isinstance(item, tree.Attr) and item.name == "format" and isinstance(item.base, tree.Param)
            ]
            return tuple((name, form) for name in names) if len(names) == len(items) else ()
    return ()


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
