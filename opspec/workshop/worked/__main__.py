"""``python -m opspec.workshop.worked``: compute the numbers of all pages anew and write them beside the specs."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import torch

from opspec import files
from opspec.calls.examples.call import to_json
from opspec.codegen.stubs.example import typed_arguments
from opspec.errors import OpspecError
from opspec.model.definition import Definition
from opspec.model.example import example_of
from opspec.model.raw import with_extended
from opspec.model.worked import FILE
from opspec.registry.folders import Entry
from opspec.registry.registry import Form, definition_of, registry
from opspec.workshop.releases import base_of
from opspec.workshop.worked import pytorch, referred
from opspec.workshop.worked.code import in_place
from opspec.workshop.worked.numbers import Worked, are_telling, is_legal

AT_ONCE = 3  #: processes
PRODUCT = "910b"  #: what calls are made for where an operator's example does not say


def main() -> int:
    """Write the file, or the lines of some operators in it."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m opspec.workshop.worked")
    parser.add_argument("operators", nargs="*", metavar="OP", help="only these")
    given = parser.parse_args().operators
    known = registry()
    release = str(base_of(known.folders[0]))
    path = os.path.join(known.folders[0], release, FILE)
    torch.set_num_threads(1)  # a process that is forked has one
    entries = known.entries(release)
    lines = _lines(path) if given else {}
    names = given or sorted(name for name in entries if _may_be(entries[name]))
    if names:
        line_of(entries[names[0]])  # reads and compiles what all of them need
    for start in range(0, len(names), AT_ONCE):
        some = names[start : start + AT_ONCE]
        for name, pipe in [(name, _apart(entries[name])) for name in some]:
            with os.fdopen(pipe, "rb") as file:
                lines[name] = file.read().decode()
            os.wait()
            print(f"{name}: {'written' if lines[name] else 'nothing'}", file=sys.stderr)
        files.write_file(path, "".join(f"{lines[name]}\n" for name in sorted(lines) if lines[name]))
    return 0


def _may_be(entry: Entry) -> bool:
    """Whether there is something to compute the numbers of an operator with, seen without reading its spec."""
    with open(entry.path, encoding="utf-8") as file:
        has_lines = re.search(r"^(reference|extends):", file.read(), re.MULTILINE) is not None
    return has_lines or bool({entry.operator, entry.operator.replace("Inplace", "", 1)} & pytorch.operators())


def _lines(path: str) -> dict[str, str]:
    try:
        return {json.loads(one)["operator"]: one for one in files.read_bytes(path).decode().splitlines()}
    except OpspecError:
        return {}


def _apart(entry: Entry) -> int:
    """Where the line of an operator can be read from, empty where it has none: it is made in a process of its own,
    since PyTorch does not survive every call."""
    reading, writing = os.pipe()
    if not os.fork():
        try:
            os.write(writing, line_of(entry).encode())
        finally:
            os._exit(0)
    os.close(writing)
    return reading


def line_of(entry: Entry) -> str:
    """The line of an operator; empty where nothing is known of it."""
    definition = definition_of(entry)
    found = worked(definition)
    called = pytorch.called(definition, registry().form(definition.name, definition.spec.release))
    if found is None:
        return _written(definition, {"calls": called}) if called else ""
    return line(definition, replace(found, calls=called) if called else found)


def worked(definition: Definition) -> Worked | None:
    """The worked call of an operator; None where nothing computes one, or its numbers tell nothing."""
    example = definition.spec.example
    product = (example.product if example is not None else None) or PRODUCT
    form = registry().form(definition.name, definition.spec.release)
    if definition.spec.reference:
        found = referred.computed(definition, form, product)
    else:
        found = (
            pytorch.computed(definition, form, product)
            or _of_twin(definition, product)
            or _of_extended(definition, form, product)
        )
    return found if found is not None and are_telling(found) else None


def _of_twin(definition: Definition, product: str) -> Worked | None:
    """For an operator in place: what its page's first operator computes, under the names here."""
    twin = definition.spec.twin
    if twin is None or definition.name != twin.operator:
        return None
    first = definition_of(registry().find(definition.spec.operator, definition.spec.release))
    found = pytorch.computed(first, registry().form(first.name, first.spec.release), product)
    if found is None:
        return None
    own = {param.name: param for param in definition.params}
    args = {twin.rename.get(name, name): value for name, value in found.args.items()}
    out = {twin.rename.get(name, name): value for name, value in found.out.items()}
    given = {param.name: twin.rename.get(param.name, param.name) for param in first.params if param.io == "in"}
    args |= {own_name: found.args[name] for name, own_name in given.items() if name in found.args}
    args = {name: value for name, value in args.items() if name in own}
    if set(out) != {name for name in out if name in own and own[name].io != "in"}:
        return None
    if not is_legal(registry().form(definition.name, definition.spec.release), definition, product, args):
        return None
    out = {name: tuple(_in(args[name].dtype, one) for one in values) for name, values in out.items()}
    python = tuple(in_place(_renamed(text, twin.rename)) for text in found.python)
    return replace(found, args=args, out=out, python=python, calls=())


def _of_extended(definition: Definition, form: Form, product: str) -> Worked | None:
    """For an operator whose spec extends that of another with the same formula and the same params among its own: what
    that one computes. Its further params are as in its example, further tensors null."""
    for path in [*with_extended(definition.home or "")][1:2]:
        known = registry().entries(definition.spec.release)
        entry = next((one for one in known.values() if os.path.abspath(one.path) == path), None)
        base = definition_of(entry) if entry is not None else None
        own = {param.name: param for param in definition.params}
        if base is None or base.spec.formula != definition.spec.formula or not definition.spec.formula:
            return None
        alike = all(
            param.name in own and (param.kind, param.io) == (own[param.name].kind, own[param.name].io)
            for param in base.params
        )
        found = worked(base) if alike else None
        if found is not None:
            example = dict(zip(own, typed_arguments(definition, example_of(definition)[1]), strict=True))
            more = {name: None if param.kind.startswith("tensor") else example[name] for name, param in own.items()}
            args = {**more, **found.args}
            return replace(found, args=args, calls=()) if is_legal(form, definition, product, args) else None
    return None


def _in(dtype: str, value: Any) -> Any:
    """A number as a tensor of a dtype holds it: true and false are 1 and 0 where it is not of these."""
    return int(value) if isinstance(value, bool) and dtype != "BOOL" else value


def _renamed(text: str, names: Mapping[str, str]) -> str:
    return re.sub(r"(?<![\w.])[A-Za-z_]\w*(?!\w*=\w)", lambda found: names.get(found[0], found[0]), text)


def line(definition: Definition, found: Worked) -> str:
    """The line of the file."""
    kinds = {param.name: param.kind for param in definition.params}
    args: dict[str, Any] = to_json(dict(found.args), kinds)
    return _written(definition, {"args": args, "out": found.out, "python": found.python, "calls": found.calls})


def _written(definition: Definition, body: dict[str, Any]) -> str:
    return json.dumps({"operator": definition.name, **body}, ensure_ascii=False)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OpspecError as error:
        sys.exit(f"opspec.workshop.worked: {error}")
