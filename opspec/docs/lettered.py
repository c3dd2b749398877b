"""Dims of tensors by the letters that a page shows them by: ``M must be at most 65535``."""

from __future__ import annotations

import re
from collections.abc import Mapping

from opspec.docs.alike import alike
from opspec.docs.shapes import opening, shapes
from opspec.docs.shortening import letters_of
from opspec.language import tree
from opspec.language.prose.terms import Terms, shared
from opspec.language.prose.trees import number
from opspec.language.types import INT
from opspec.model.definition import Definition

_LETTER = re.compile(r"[A-Z][A-Za-z]?\d?|(in|out)[A-Z]|[A-Z](in|out)")

Dims = Mapping[tuple[str, int], str]  #: param and place, from either end, or a derived value that is a dim -> letter


def dims(definition: Definition) -> Dims:
    """The dims that have a letter in every call: those of params that have one shape, with as many dims in each."""
    return alike(definition).once(_dims)


def _dims(definition: Definition) -> Dims:
    found, plain = opening(definition), shapes(definition)
    lists = {param.name for param in definition.params if param.kind == "tensor_list"}
    items: dict[tuple[str, int], str] = {}
    for param, cases in found.of.items() if not plain.is_usual else ():
        own = cases[0].items if len(cases) == 1 and cases == plain.of[param] and param not in lists else ()
        if not any(item.startswith(("*", ".")) for item in own):
            for place, item in enumerate(own):
                items[param, place] = items[param, place - len(own)] = item
    called = {**dict.fromkeys(definition.lets, ""), **letters_of(definition.terms)}
    lets = {(name, 0): letter or name for name, letter in called.items()}
    lets = {at: letter for at, letter in lets.items() if items.get(_place(definition.lets[at[0]])) == letter}
    other = {*called, *called.values(), *(param.name for param in definition.params)} - {*lets.values()}
    return {at: item for at, item in {**items, **lets}.items() if _LETTER.fullmatch(item) and item not in other}


def _place(node: tree.Node) -> tuple[str, int]:
    """The param and the place of what is one dim; of a derived value its name."""
    match node:
        case tree.Index(base=tree.Attr(base=tree.Param(name=param), name="shape"), index=index):
            return (param, place) if (place := number(index)) is not None else ("", 0)
        case tree.Let(name=name):
            return name, 0
    return "", 0


def with_letters(node: tree.Node, letters: Dims) -> tree.Node:
    """A statement with letters for dims; where both sides of a comparison were one letter, as it is."""
    if (at := _place(node)) in letters:
        return tree.Let(letters[at], INT)
    found = tree.rebuilt(node, lambda part: with_letters(part, letters))
    same = isinstance(found, tree.Compare) and len({*found.operands}) < len(found.operands)
    return node if same else found


def terms_with(terms: Terms, letters: Dims) -> Terms:
    """The terms of sentences that have these letters, too."""
    if not letters:
        return terms
    words = {**terms.words, **{letter: (letter, letter) for letter in letters.values()}}
    return shared(words, terms.trees, terms.dims.union(letters.values()), terms.products)
