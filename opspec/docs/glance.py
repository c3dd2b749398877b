"""What a page opens with: the operator as a function of its tensors' shapes, and what the letters stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opspec.docs.saying import Sayings
from opspec.docs.shapes import opening
from opspec.docs.shapes.result import ALONE
from opspec.language import tree
from opspec.language.types import INT
from opspec.model.definition import Definition, ParamDef

_MOST = 12  # params that stand in the line; of more, those that may be null and attributes are left out
_MOST_LAYOUTS = 2  # whose shapes stand in the line
_WIDTH = 100  # of a line of it


def line(sayings: Sayings) -> str:
    """``out[M, N] = aclnnMm(self[M, K], mat2[K, N], cubeMathType)``, in lines; empty of an operator without tensors."""
    definition = sayings.definition
    of = opening(definition).of
    if not of:
        return ""
    null = {param.name for param in sayings.spec.params if param.reserved is not None}
    null |= {param.name for param in definition.params if sayings.is_given(param) is False}
    given = [param for param in definition.params if param.io != "out" and param.name not in null]
    results = [param for param in definition.params if param.io != "in" and param.name in of and param.name not in null]
    kept = [param for param in given if len(given) <= _MOST or (param.name in of and not sayings.may_be_null(param))]
    args = [_named(param, sayings) for param in kept]
    args += ["…"] if len(kept) < len(given) else []
    left = [_named(param, sayings) for param in results]
    return _wrapped(left, definition.name, args)


def letters(sayings: Sayings) -> Iterator[tuple[str, str, bool]]:
    """The letters that are no dims to be seen: each with what it stands for, and whether that is a formula."""
    found = opening(sayings.definition)
    shown = {item for own in found.of.values() for shape in own for item in shape.items}
    labelled = {item for name in found.layouts for shape in found.of[name] for item in shape.items}
    text = " ".join(shown)
    left = [
        letter
        for letter in found.letters
        if letter not in labelled or _is_of_attributes(letter, sayings.definition)  # others are to be seen
    ]
    while (letter := next((one for one in left if _has(text, one)), None)) is not None:
        left.remove(letter)
        meant = found.letters[letter]
        if meant.formula and ALONE not in meant.formula.split():
            yield letter, meant.formula, True
            text += f" {meant.formula}"
        else:
            yield letter, _stands_for(letter, meant.node, sayings.plain), False
    for name in sayings.definition.lets:
        if name not in found.letters and _has(text, name) and _is_of_attributes(name, sayings.definition):
            yield name, sayings.plain.phrase(tree.Let(name, INT)), False


def _stands_for(letter: str, node: tree.Node, sayings: Sayings) -> str:
    """What a letter is, in words that do not name it."""
    found = sayings.terms.lettered(node.name, sayings.lang) if isinstance(node, tree.Let) else None
    return found[1] if found is not None and found[0] == letter else sayings.phrase(node)


def _is_of_attributes(name: str, definition: Definition) -> bool:
    """Whether a derived value is computed of attributes alone: no shape shows what it is."""
    if name not in definition.lets:
        return False
    tensors = {param.name for param in definition.params if param.kind in ("tensor", "tensor_list")}
    return tensors.isdisjoint(param for param, _ in definition.let_facts(name))


def _has(text: str, letter: str) -> bool:
    """Whether a letter stands in formulas."""
    return re.search(rf"(?<![A-Za-z_]){re.escape(letter)}(?!\w)", text) is not None


def cell(param: str, sayings: Sayings) -> str:
    """The shapes of a param as a cell of the table has them; empty where they say nothing of its dims."""
    found = opening(sayings.definition).of.get(param, ())
    if any(shape.is_open for shape in found):
        return ""
    labels = opening(sayings.definition).layouts.get(param, ())
    texts = [f"{shape}{sayings.words['note'].format(label)}" for shape, label in zip(found, labels, strict=False)]
    return sayings.words["shape_or"].join(texts or map(str, found))


def _first(param: str, sayings: Sayings) -> tuple[object, ...]:
    """The shapes of a param; of those of many layouts the first, for its cell has all."""
    found = opening(sayings.definition)
    own = found.of.get(param, ())
    return own if len(found.layouts.get(param, ())) <= _MOST_LAYOUTS else (own[0], "…")


def _named(param: ParamDef, sayings: Sayings) -> str:
    """A param, a tensor with its shapes: in braces a list of such, with ``?`` what may be null."""
    found = _first(param.name, sayings)
    text = param.name + " | ".join(map(str, found))
    text = f"{{{text}}}" if param.kind == "tensor_list" else text
    return f"{text}?" if sayings.may_be_null(param) and found else text


def _wrapped(left: list[str], name: str, args: list[str]) -> str:
    """The line, broken behind commas where it is long."""
    whole = f"{', '.join(left)} = {name}({', '.join(args)})" if left else f"{name}({', '.join(args)})"
    if len(whole) <= _WIDTH:
        return whole
    results = f"{', '.join(left)} = {name}(" if left else f"{name}("
    if len(results) > _WIDTH:
        results = f"{_rows(left, '')} =\n{name}("
    return f"{results}\n{_rows(args, '   ')})"


def _rows(items: list[str], start: str) -> str:
    """Items in rows, broken behind commas."""
    rows = [start]
    for i, item in enumerate(items):
        text = f"{' ' if rows[-1] else ''}{item}{',' if i < len(items) - 1 else ''}"
        if len(rows[-1]) + len(text) >= _WIDTH and rows[-1].strip():
            rows.append(start)
            text = text if start else text.lstrip()
        rows[-1] += text
    return "\n".join(rows)
