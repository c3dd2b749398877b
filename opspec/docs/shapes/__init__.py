"""The shapes of an operator's tensors in letters, as its rules relate them: ``self[M, K]``, ``mat2[K, N]``.

A dim that rules make equal to another has its letter, one that they compute has its formula. Letters are those of the
spec where it names the dim, those of the data format, else some that are free. Nothing is typed by hand per operator:
``equations`` reads the rules, ``relations`` sorts what they say by params and dims, ``solver`` puts shapes together,
``lettering`` gives letters, ``seen`` tells which rules these show; ``cases`` does so under each layout that an operator
may be told, ``usual`` in the usual case, in which ``assumed`` says what rules on elements come to.
"""

from __future__ import annotations

import dataclasses
import re

from opspec.docs.alike import alike
from opspec.docs.shapes.cases import Case, cases, fixed, joined, letters
from opspec.docs.shapes.equations import shaped
from opspec.docs.shapes.lettering import STARS, Lettering
from opspec.docs.shapes.parted import parted
from opspec.docs.shapes.result import OPEN, Letter, Shape, Shapes
from opspec.docs.shapes.seen import unseen
from opspec.docs.shapes.solver import Solver
from opspec.docs.shapes.usual import clearer, together, usual
from opspec.language import tree
from opspec.model.definition import Definition

_BROADCAST = ("broadcast", "broadcastable", "broadcastable_to")

__all__ = ["Letter", "Shape", "Shapes", "opening", "shapes"]


def shapes(definition: Definition) -> Shapes:
    """The shapes of an operator's tensors."""
    return alike(definition).once(_parted_spread)


def opening(definition: Definition) -> Shapes:
    """Those that a page opens with: of the usual case, where these say more."""
    return alike(definition).once(_opening_spread)


def _parted_spread(definition: Definition) -> Shapes:
    return _spread(definition.once(_parted), definition)


def _opening_spread(definition: Definition) -> Shapes:
    return _spread(definition.once(_opening), definition)


def _spread(found: Shapes, definition: Definition) -> Shapes:
    """Shapes with a letter for each tensor of which no more is known than what it is broadcast to or with."""
    rules = (rule.check for rule in definition.rules if rule.when is None)
    calls = (part for check in rules for part in tree.walk(check) if isinstance(part, tree.Call))
    named = {shaped(arg) for call in calls if call.function in _BROADCAST for arg in call.args}
    of = dict(found.of)
    for name in of:
        if name in named and of[name] == (Shape((OPEN,)),):
            taken = set(re.findall(r"\w+", " ".join(str(shape) for own in of.values() for shape in own)))
            letter = next((one for one in STARS if one not in taken and one not in found.letters), None)
            of[name] = of[name] if letter is None else (Shape((f"*{letter}",)),)
    return dataclasses.replace(found, of=of)


def _opening(definition: Definition) -> Shapes:
    found = definition.once(_shapes)
    every = () if found.layouts else usual(fixed(definition), found)
    results = {param.name for param in definition.params if param.io != "in"}
    shown = clearer(found, together([_solved(case, letters(definition)) for case in every], results), definition)
    return parted(_listed(shown, definition))


def _listed(found: Shapes, definition: Definition) -> Shapes:
    """Shapes with what the page calls the dims of tensors in lists in the usual case, where no rule says these."""
    lists = {param.name for param in definition.params if param.kind == "tensor_list"}
    called = {
        param.name: (Shape(tuple(dims.split(", "))),)
        for param in definition.spec.params
        if param.name in lists and "*" not in (dims := param.dims or "*")
        if all(len(shape.items) == 1 or shape.is_open for shape in found.of[param.name])
    }
    named = {item for (shape,) in called.values() for item in shape.items}
    meant = {name: letter for name, letter in found.letters.items() if name not in named}
    shown, is_usual = {**found.of, **called}, found.is_usual or bool(called)
    return dataclasses.replace(found, of=shown, letters=meant, is_usual=is_usual, free=found.free - named)


def _shapes(definition: Definition) -> Shapes:
    kept = letters(definition)
    found = _solved(fixed(definition), kept)
    for several in cases(definition).values():
        under = {case.value: _solved(case, kept) for case in several}
        found = joined(found, under, {case.value: case.definition for case in several})
    return dataclasses.replace(found, told={**_counted(definition, parted(found)), **found.told})


def _parted(definition: Definition) -> Shapes:
    return parted(definition.once(_shapes))


def _counted(definition: Definition, found: Shapes) -> dict[str, str]:
    """The rules that say nothing beside the shapes, and those on numbers of dims beside one that others give as a
    whole."""
    whole = {name for name in found.told.values() if all(OPEN not in shape.items for shape in found.of[name])}
    told: dict[str, str] = {}
    for rule in definition.rules:
        if rule.param is not None and rule.param in found.of and not unseen(rule, found.of, definition):
            told[rule.id] = rule.param
        match rule.check:
            case tree.Compare(ops=("==",), operands=(tree.Attr(name="rank", base=tree.Param(name=name)), other)):
                if name in whole and rule.when is None and not isinstance(other, tree.Const):
                    told[rule.id] = name
    return told


def _solved(case: Case, kept: frozenset[str]) -> Shapes:
    solver = Solver(case.definition, case.axes, case.ranks, case.bare)
    return Lettering(solver, solver.solved(), kept).shapes()
