"""Dims of tensors by the letters that a page shows them by: ``M must be at most 65535``."""

from __future__ import annotations

import re
from collections.abc import Mapping

from opspec.docs.shapes import opening, shapes
from opspec.docs.shortening import letters_of
from opspec.language import tree
from opspec.language.prose.terms import NO_TERMS, Terms, shared
from opspec.language.prose.trees import number
from opspec.language.types import INT
from opspec.model.definition import Definition

_LETTER = re.compile(r"[A-Z][A-Za-z]?\d?")

Dims = Mapping[tuple[str, int], str]  #: param and place, counted from the first and from the last -> letter


def dims(definition: Definition) -> Dims:
    """The dims that have a letter in every call: those of params that have one shape, with as many dims in each."""
    return definition.once(_dims)


def _dims(definition: Definition) -> Dims:
    found, plain = opening(definition), shapes(definition)
    items: dict[tuple[str, int], str] = {}
    lists = {param.name for param in definition.params if param.kind == "tensor_list"}
    for param, cases in found.of.items() if not plain.is_usual else ():
        own = cases[0].items if len(cases) == 1 and cases == plain.of[param] and param not in lists else ()
        if not any(item.startswith(("*", ".")) for item in own):
            for place, item in enumerate(own):
                items[param, place] = items[param, place - len(own)] = item
    called = letters_of(definition.terms)
    names = {name: called.get(name, name) for name in definition.lets}
    derived = {letter for name, letter in names.items() if _is_dim(definition.lets[name], letter, items)}
    other = {*called.values(), *definition.lets, *(param.name for param in definition.params)} - derived
    return {at: item for at, item in items.items() if _LETTER.fullmatch(item) and item not in other}


def _is_dim(node: tree.Node, letter: str, items: Dims) -> bool:
    """Whether a derived value is the dim that its letter stands for in shapes."""
    at = _place(node)
    return at is not None and items.get(at) == letter


def _place(node: tree.Node) -> tuple[str, int] | None:
    """The param and the place of what is one dim."""
    match node:
        case tree.Index(base=tree.Attr(base=tree.Param(name=param), name="shape"), index=index):
            place = number(index)
            return None if place is None else (param, place)
    return None


def with_letters(node: tree.Node, letters: Dims, terms: Terms = NO_TERMS) -> tree.Node:
    """A statement with letters for dims; where both sides of a comparison were one letter, as it is."""
    if (at := _place(node)) is not None:
        return tree.Let(letters[at], INT) if at in letters else node
    found = tree.rebuilt(node, lambda part: with_letters(part, letters, terms))
    if not isinstance(found, tree.Compare):
        return found
    return node if len({_sign(side, terms) for side in found.operands}) < len(found.operands) else found


def _sign(node: tree.Node, terms: Terms) -> tree.Node | str:
    """The letter that sentences have for something, be it alone or in words; of anything else that itself."""
    if not isinstance(node, tree.Let):
        return node
    found, words = terms.lettered(node.name, "en"), terms.words.get(node.name)
    return found[0] if found is not None else words[0] if words is not None else node.name


def terms_with(terms: Terms, letters: Dims) -> Terms:
    """The terms of sentences that have these letters, too."""
    if not letters:
        return terms
    words = {**terms.words, **{letter: (letter, letter) for letter in letters.values()}}
    return shared(words, terms.trees, terms.dims.union(letters.values()), terms.products)
