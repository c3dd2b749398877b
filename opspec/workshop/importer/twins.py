"""Pages for two operators: the second as the first with other names, where the two are the same but for those."""

from __future__ import annotations

from opspec.workshop.importer.draft import Draft


def rename(first: Draft, second: Draft) -> dict[str, str] | None:
    """Param of the first -> its name in the second, where that makes the second's params; otherwise None.

    In place means that the output, and often the input that it overwrites, are one param of the second: the first
    param there that is not const.
    """
    if not first.params or not second.params or first.interface != second.interface:
        return None
    tensors = [param for param in second.params.values() if param.is_tensor]
    # pages that declare the one tensor written const are mistaken: the first is taken
    target = next((param.name for param in (*(p for p in tensors if not p.ctype.startswith("const ")), *tensors)), None)
    if target is None:
        return None
    gone = [
        name
        for name in first.params
        if name not in second.params or (name == target and first.params[name].io == "out")
    ]
    outputs = [
        name
        for name in gone
        if first.params[name].is_tensor
        and (first.params[name].io == "out" or not first.params[name].ctype.startswith("const "))
    ]
    inputs = [name for name in gone if name not in outputs]
    if len(outputs) != 1 or len(inputs) > 1:
        return None
    names = {name: target for name in gone if name != target}
    merged = list(dict.fromkeys(names.get(name, name) for name in first.params))
    if merged != list(second.params):
        return None
    if any(first.params[name].kind != second.params[names.get(name, name)].kind for name in first.params):
        return None
    return names


def declared(first: Draft, second: Draft, names: dict[str, str]) -> list[dict[str, str]]:
    """The params of the second whose C type is not the first's: what both have become one is not const there."""
    made: dict[str, str] = {}
    for name, param in first.params.items():
        here = names.get(name, name)
        made[here] = param.ctype.removeprefix("const ") if here in made else param.ctype
    found = {name: param.ctype for name, param in second.params.items() if param.ctype != made[name]}
    return [{"name": name, "ctype": ctype} for name, ctype in found.items()]
