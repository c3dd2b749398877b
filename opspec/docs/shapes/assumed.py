"""What rules say in the usual case of tensors that have elements, where they say it of elements: of a list without its
empty tensors, of how many elements a tensor has.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from opspec.docs.shapes.equations import decided
from opspec.language import build, tree
from opspec.language.facts import expanded
from opspec.language.prose.trees import is_attribute, number
from opspec.language.types import INT, TENSOR
from opspec.model.definition import Definition

MOST_LENGTHS = 2  #: lengths that a vector may have in turn


def assumed(node: tree.Node, definition: Definition, bare: Container[str]) -> tree.Node | None:
    """What a part of a rule says in the usual case; None of one that says it already.

    Args:
        bare: the params of whose shapes nothing is known without it.
    """
    match node:
        case tree.Each(quantifier="all", variables=(index,), source=tree.Range(low=None), element=element):
            return _kept(element, index, node.condition)
        case tree.Each(quantifier="list", element=tree.Var() as one, variables=(name,), source=source) if (
            one.name == name and node.condition is not None and one.type == TENSOR
        ):
            return source if decided(node.condition, definition) else None
        case tree.Logic(op="or", items=items):
            return _any_length(items, definition, bare)
        case tree.Compare(ops=(op,), operands=(counted, other)) if is_attribute(counted, "numel"):
            base = counted.base
            if not (isinstance(base, tree.Var) or (isinstance(base, tree.Param) and base.name in bare)):
                return None
            shape = build.attribute(base, "shape")
            if op == ">=" and is_attribute(other, "numel"):  # room for all elements
                return build.equal(shape, build.attribute(other.base, "shape"))
            if op == "==" and _is_length(other, definition):
                return build.equal(shape, build.sequence([other]))
            if op == "in" and isinstance(other, tree.Seq) and all(_is_length(one, definition) for one in other.items):
                return build.member(shape, [build.sequence([one]) for one in other.items])
    return None


def _any_length(items: Iterable[tree.Node], definition: Definition, bare: Container[str]) -> tree.Node | None:
    """That a vector has one of the lengths which its number of elements may be, whatever else each asks for."""
    sizes: dict[tree.Node, list[tree.Node]] = {}
    for item in items:
        for part in build.conjuncts(item):
            match part:
                case tree.Compare(
                    ops=("==",), operands=(tree.Attr(name="numel", base=tree.Param(name=name) as base), size)
                ):
                    if name not in bare or len(sizes.setdefault(base, [])) > MOST_LENGTHS:
                        return None
                    sizes[base] += [size] if _is_length(size, definition) else []
                    break
        else:
            return None
    found = [(base, lengths) for base, lengths in sizes.items() if lengths]
    if len(sizes) != 1 or not found:
        return None
    return build.member(build.attribute(found[0][0], "shape"), [build.sequence([size]) for size in found[0][1]])


def _kept(equal: tree.Node, index: str, condition: tree.Node | None) -> tree.Node | None:
    """That each dim of two shapes but one is the same, said of those before it and behind it."""
    match equal, condition:
        case (
            tree.Compare(ops=("==",), operands=(tree.Index(base=one), tree.Index(base=two))),
            tree.Compare(ops=("!=",), operands=(tree.Var(name=name), at)),
        ) if name == index and all(is_attribute(shape, "shape") for shape in (one, two)):
            behind = build.arithmetic("+", at, build.constant(1, INT))
            parts = [(None, at), (behind, None)]
            return build.all_of([build.equal(*(build.part(shape, *ends) for shape in (one, two))) for ends in parts])
    return None


def _is_length(count: tree.Node, definition: Definition) -> bool:
    """Whether so many elements are one dim: not of what is counted by the dims of another tensor in turn."""
    parts = [*expanded(count, definition.lets)]
    return number(count) != 0 and not any(map(_is_made, parts))


def _is_made(part: tree.Node) -> bool:
    """Whether a number is a product of dims."""
    match part:
        case tree.Binary(op="*") | tree.Call(function="prod", args=(tree.Slice() | tree.Attr(),)):
            return True
    return False
