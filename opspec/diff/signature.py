"""What differs in how a program writes a call: the function, its header, its params; and on which products it is."""

from __future__ import annotations

from collections.abc import Iterator

from opspec.diff.change import Change
from opspec.model.definition import Definition


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


def of_products(before: Definition, after: Definition) -> Iterator[Change]:
    """Products that are supported now, or no longer."""
    was, now = ({str(name): str(value) for name, value in side.spec.products.items()} for side in (before, after))
    for name in dict.fromkeys((*was, *now)):
        old, new = was.get(name, "unknown"), now.get(name, "unknown")
        if (old == "yes") != (new == "yes"):
            kind = "product-added" if new == "yes" else "product-removed" if new == "no" else "product-unlisted"
            yield Change(after.name, kind, name, old, new)


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
