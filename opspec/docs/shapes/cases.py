"""Shapes under each layout that an operator may be told: a tensor whose shape hangs on a layout has no one shape in
letters, under each layout it has, in the letters of the layout.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from opspec.docs.shapes.equations import constant
from opspec.docs.shapes.relations import Relations
from opspec.docs.shapes.result import OPEN, Shape, Shapes
from opspec.language import tree
from opspec.language.types import BOOL, INT, INTS, STR
from opspec.model.definition import Definition, RuleDef
from opspec.model.enforcement import enforcement, remember

_LETTERS = re.compile(r"(?=[BSNT]{2,3}[DH])[BSNT]+[DH]|[BS]{2}H")
_PAGED = frozenset({"PA_BBND", "PA_BSND"})
_OF_PAGED = ("blockNum", "blockSize", "N", "D")
_OF_ONE = frozenset("STN")  # letters that differ between the tensors of one layout and those of another
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Case:
    """An operator as if an attribute had a value.

    Args:
        axes: what the layout calls the dims of params.
        ranks: how many dims params have, where that is assumed.
        bare: in the usual case, in which all params are given and the vendor's page is right, those of whose shapes
            nothing is known in every case.
    """

    definition: Definition
    axes: Mapping[str, tuple[str, ...]]
    value: str = ""
    ranks: Mapping[str, int] = dataclasses.field(default_factory=dict)
    bare: frozenset[str] | None = None


def axes(value: str, is_output: bool = False) -> tuple[str, ...]:
    """What a layout calls the dims: ``B, S, N, D`` of ``BSND``; nothing of what is no layout.

    Args:
        is_output: of ``BNSD_BSND``, which inputs have the first of and outputs the second.
    """
    if value in _PAGED:
        return _OF_PAGED
    parts = value.split("_")
    return tuple(parts[-is_output]) if len(parts) <= 2 and all(map(_LETTERS.fullmatch, parts)) else ()


def letters(definition: Definition) -> frozenset[str]:
    """The letters of an operator's layouts, which nothing else is called by."""
    return frozenset(letter for _, values in _layouts(definition) for value in values for letter in axes(value))


def fixed(definition: Definition) -> Case:
    """The operator as it is, with what a layout calls dims that is the only one it takes."""
    one = next((values[0] for _, values in _layouts(definition) if len(values) == 1), None)
    tensors = [param.name for param in definition.params if param.kind == "tensor"]
    return Case(definition, {} if one is None else dict.fromkeys(tensors, axes(one)))


def cases(definition: Definition) -> Mapping[str, tuple[Case, ...]]:
    """The operator under each layout, by the attribute that names it."""
    several = [(name, values) for name, values in _layouts(definition) if len(values) > 1]
    relations = Relations(definition) if several else None
    found: dict[str, tuple[Case, ...]] = {}
    for place, (name, values) in enumerate(several):
        end = "2" if place else ""
        fitting = {None, *([len(axes(values[0]))] if len({len(axes(value)) for value in values}) == 1 else ())}
        open_ = {} if relations is None else {
            param: relations.params[param].is_output
            for param, own in relations.known.items()
            if own.rank in fitting
        }  # fmt: skip

        def called(value: str, is_output: bool, end: str = end) -> tuple[str, ...]:
            return tuple(f"{one}{end * (one in _OF_ONE)}" for one in axes(value, is_output))

        found[name] = tuple(
            Case(_assumed(definition, name, value), {one: called(value, out) for one, out in open_.items()}, value)
            for value in values
        )
    return found


def _layouts(definition: Definition) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The attributes that name a layout, with the layouts that they may name."""
    for param in definition.spec.params:
        values = tuple(map(str, param.enum or ()))
        if values and all(map(axes, values)):
            yield param.name, values


def _assumed(definition: Definition, name: str, value: str) -> Definition:
    """The operator as if an attribute had a value: what hangs on it is decided."""
    chosen = tree.Const(value, STR)
    return supposed(definition, lambda node: chosen if isinstance(node, tree.Param) and node.name == name else None)


def supposed(definition: Definition, known: Callable[[tree.Node], tree.Node | None]) -> Definition:
    """The operator as if some things were what is known of them: what hangs on these is decided."""
    lets: dict[str, tree.Node] = {}

    def change(node: tree.Node) -> tree.Node:
        if (value := known(node)) is not None:
            return value
        if isinstance(node, tree.Let) and node.name in lets:
            if isinstance(lets[node.name], tree.Const):
                return lets[node.name]
            holds = constant(lets[node.name])
            is_param = isinstance(lets[node.name], tree.Param) and node.type not in (INT, INTS)
            return lets[node.name] if is_param else node if holds is None else tree.Const(holds, BOOL)
        made = tree.rebuilt(node, change)
        if made is not node and (value := known(made)) is not None:
            return value
        if isinstance(made, tree.Length) and isinstance(made.operand, tree.Const):
            return tree.Const(len(str(made.operand.value)), INT)
        holds = constant(made.condition) if isinstance(made, tree.If) else None
        return made if holds is None or not isinstance(made, tree.If) else made.then if holds else made.other

    for key, node in definition.lets.items():
        lets[key] = change(node)

    def changed(rule: RuleDef) -> RuleDef:
        check, when = change(rule.check), None if rule.when is None else change(rule.when)
        return rule if check is rule.check and when is rule.when else rule.but(check=check, when=when)

    rules = tuple(map(changed, definition.rules))
    made = dataclasses.replace(definition, rules=rules, lets=lets)
    # what becomes of calls that break a rule does not hang on how it reads
    remember(made, zip(rules, (enforcement(rule, definition) for rule in definition.rules), strict=True))
    return made


def joined(usual: Shapes, under: Mapping[str, Shapes], definitions: Mapping[str, Definition]) -> Shapes:
    """Shapes with those of tensors that are not counted without a layout in turn, under each.

    Args:
        under: layout -> the shapes that the operator has under it.
        definitions: layout -> the operator under it.
    """
    shown = {name: found for name in usual.of if (found := _in_turn(name, usual, under)) is not None}
    while left := [name for name in shown if _stars(usual.of[name]) & _stars_of_others(usual, shown)]:
        for name in left:
            del shown[name]
    told = {rule: param for rule, param in _told(under, definitions).items() if param in shown}
    words = {
        word for name, own in shown.items() for shape in own for item in shape.items for word in _WORD.findall(item)
    }
    letters = {word: letter for own in under.values() for word, letter in own.letters.items() if word in words}
    labels = {name: tuple(found.values()) for name, found in shown.items() if len(found) > 1}
    return dataclasses.replace(
        usual,
        of={name: tuple(shown[name]) if name in shown else own for name, own in usual.of.items()},
        letters={**letters, **usual.letters},
        told={**told, **usual.told},
        layouts={**usual.layouts, **labels},
    )


def _in_turn(name: str, usual: Shapes, under: Mapping[str, Shapes]) -> dict[Shape, str] | None:
    """The shapes of a param with the layouts that each is for; None where these say no more, or say it in letters
    that others may have."""
    is_layout = all(shapes.of[name] == (Shape(axes(value)),) for value, shapes in under.items())
    is_open = any(item.startswith(("*", OPEN)) for item in usual.of[name][0].items)
    if len(usual.of[name]) == 1 and not (is_open or is_layout):
        return None
    found: dict[Shape, str] = {}
    for value, shapes in under.items():
        own = shapes.of[name]
        words = {word for shape in own for item in shape.items for word in _WORD.findall(item)}
        counted = all(not item.startswith(("*", OPEN)) for shape in own for item in shape.items)
        if len(own) != 1 or not counted or words & shapes.free:
            return None
        found[own[0]] = f"{found[own[0]]}/{value}" if own[0] in found else value
    return found


def _stars(found: tuple[Shape, ...]) -> set[str]:
    """The letters of dims in any number."""
    return {word for shape in found for word in shape.stars}


def _stars_of_others(usual: Shapes, shown: Mapping[str, object]) -> set[str]:
    return {letter for name, own in usual.of.items() if name not in shown for letter in _stars(own)}


def _told(under: Mapping[str, Shapes], definitions: Mapping[str, Definition]) -> dict[str, str]:
    """The rules that shapes tell under each layout under which they require anything."""
    found: dict[str, str] = {}
    silent: set[str] = set()
    for value, definition in definitions.items():
        for rule in definition.rules:
            if rule.when is not None and constant(rule.when) is False:
                continue
            param = under[value].told.get(rule.id) or _counted(rule.check)
            if param is None:
                silent.add(rule.id)
            else:
                found[rule.id] = param
    return {rule: param for rule, param in found.items() if rule not in silent}


def _counted(check: tree.Node) -> str | None:
    """The param of which a rule says how many dims it has."""
    match check:
        case tree.Compare(
            ops=("==",), operands=(tree.Attr(name="rank", base=tree.Param(name=name)), tree.Const(value=int()))
        ):
            return name
    return None
