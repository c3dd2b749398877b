"""What differs in how a program writes a call: the function, its header, its params; and on which products it is."""

from __future__ import annotations

from collections.abc import Iterator

from opspec.diff.change import Change
from opspec.docs.changes import renamed
from opspec.model.definition import Definition
from opspec.vocabulary import products
from opspec.vocabulary.literals import Support


def renames(before: Definition, after: Definition) -> dict[str, str]:
    """Params of the first -> what the second calls them, where that is another name.

    Those that pages take for the same, and, where the C types are the same one by one, all that stand in the same
    places: C programs give them by place.
    """
    old, new = before.params, after.params
    found = dict(renamed(old, new))
    if [param.ctype for param in old] == [param.ctype for param in new]:
        names = {param.name for param in old}, {param.name for param in new}
        for was, now in zip(old, new, strict=True):
            if was.name not in names[1] and now.name not in names[0]:
                found[was.name] = now.name
    return found


def of_signature(before: Definition, after: Definition, names: dict[str, str]) -> Iterator[Change]:
    """What a compiler would see.

    Args:
        names: params of the first -> what the second one calls them.
    """
    operator = after.name
    if before.spec.interface != after.spec.interface:
        yield Change(operator, "interface", "", before.spec.interface, after.spec.interface)
    if before.header != after.header:
        both = before.header is not None and after.header is not None
        yield Change(operator, "header" if both else "header-named", "", before.header or "", after.header or "")
    old, new = ({param.name: param for param in side.params} for side in (before, after))
    for name in old:
        if name not in names:
            yield Change(operator, "param-removed", name, old[name].ctype)
        elif names[name] != name:
            yield Change(operator, "param-renamed", names[name], name, names[name])
    for name in new:
        if name not in names.values():
            yield Change(operator, "param-added", name, "", new[name].ctype)
    kept = [name for name in old if name in names]
    order = [name for name in new if name in names.values()]
    if [names[name] for name in kept] != order:
        yield Change(operator, "params-reordered", "", ", ".join(old), ", ".join(new))
    for name in kept:
        was, now = old[name].ctype, new[names[name]].ctype
        if was != now:
            bare = was.removeprefix("const ") == now.removeprefix("const ")
            yield Change(operator, "param-const" if bare else "param-type", names[name], was, now)


#: what the pages say of a product before and after -> the kind of that change; what a page leaves open changes nothing
_OF_PRODUCTS = {
    ("no", "yes"): "product-added", ("yes", "no"): "product-removed", ("unknown", "yes"): "product-named",
    ("yes", "unknown"): "product-unlisted", ("unknown", "no"): "product-excluded",
}  # fmt: skip


def of_products(before: Definition, after: Definition) -> Iterator[Change]:
    """What the pages say of products, and of members of one where either page tells them apart."""
    named = dict.fromkeys(str(name) for side in (before, after) for name in side.spec.products)
    split = {products.owner(name) for name in named if products.owner(name) != name}
    split = {owner for owner in split if len(products.members(owner)) > 1}
    for name in dict.fromkeys((*named, *(member for owner in sorted(split) for member in products.members(owner)))):
        if name not in split:
            old, new = support(before, name), support(after, name)
            kind = _OF_PRODUCTS.get((old, new))
            if kind is not None:
                yield Change(after.name, kind, name, old, new)


def support(definition: Definition, product: str) -> Support:
    """What a page says of a product or a member: of itself, of what it belongs to, or, yes, of a member of it."""
    said = definition.spec.products
    owner = products.owner(product)
    own = said.get(product) or said.get(owner)
    if own is None and owner == product and any(said.get(member) == "yes" for member in products.members(product)):
        return "yes"
    return own or "unknown"


def of_page(before: Definition, after: Definition) -> Iterator[Change]:
    """What is said of the operator as a whole."""
    if before.spec.deprecated is None and after.spec.deprecated is not None:
        yield Change(after.name, "operator-deprecated", "", "", ", ".join(after.spec.deprecated.successors))
    if before.spec.deprecated is not None and after.spec.deprecated is None:
        yield Change(after.name, "operator-kept", "", ", ".join(before.spec.deprecated.successors))
    was, now = map(_determinism, (before, after))
    if was != now:
        yield Change(after.name, "determinism", "", was, now)


def _determinism(definition: Definition) -> str:
    said = (item.model_dump(mode="json", exclude_defaults=True) for item in definition.spec.deterministic)
    return "; ".join(", ".join(f"{key}: {_listed(value)}" for key, value in item.items()) for item in said)


def _listed(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
