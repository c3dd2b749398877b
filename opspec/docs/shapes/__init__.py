"""The shapes of an operator's tensors in letters, as its rules relate them: ``self[M, K]``, ``mat2[K, N]``.

A dim that rules make equal to another has its letter, one that they compute has its formula. Letters are those of the
spec where it names the dim, those of the data format, else some that are free. Nothing is typed by hand per operator:
``equations`` reads the rules, ``relations`` sorts what they say by params and dims, ``solver`` puts shapes together,
``lettering`` gives letters.
"""

from __future__ import annotations

from opspec.docs.shapes.lettering import Lettering
from opspec.docs.shapes.result import Letter, Shape, Shapes
from opspec.docs.shapes.solver import Solver
from opspec.model.definition import Definition

__all__ = ["Letter", "Shape", "Shapes", "shapes"]


def shapes(definition: Definition) -> Shapes:
    """The shapes of an operator's tensors."""
    return definition.once(_shapes)


def _shapes(definition: Definition) -> Shapes:
    solver = Solver(definition)
    return Lettering(solver, solver.solved()).shapes()
