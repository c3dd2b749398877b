"""The form of a definition whose calls are interpreted: for who judges one call of an operator."""

from __future__ import annotations

from opspec.language import tree
from opspec.language.codec import Trees
from opspec.model.definition import Definition
from opspec.model.enforcement import enforcement
from opspec.model.example import example_written
from opspec.registry.compile import param_forms, rule_info
from opspec.registry.info import OperatorInfo, Report
from opspec.registry.registry import Form

_ASK = -1  # what a case's `quick` gives where the rules must be looked at


class _Held(Trees):
    """Trees that are at hand, by the numbers that they were given."""

    __slots__ = ("_nodes",)

    def __init__(self) -> None:
        super().__init__(())
        self._nodes: list[tree.Node] = []

    def add(self, node: tree.Node) -> int:
        """The number of a tree."""
        self._nodes.append(node)
        return len(self._nodes) - 1

    def node(self, place: int) -> tree.Node:
        """The tree of a number."""
        return self._nodes[place]


class _Interpreted(Form):
    """A form of which nothing is compiled, however many calls it judges."""

    def report(self, args: tuple[object, ...], product: str | None, member: str | None) -> Report:
        """What the reference interpreter reports of a call."""
        return self.interpreted(args, product, member)


def uncompiled(definition: Definition) -> Form:
    """The form of a definition; it judges as a compiled one does."""
    form = _Interpreted({
        "OPERATOR": definition.name,
        "RELEASE": definition.spec.release,
        "PARAMS": param_forms(definition),
        "SUPPORT": dict(definition.spec.products),
        "ATOMS": (),
        "LACKS": (),
        "quick_for": lambda _known, *_values: lambda _args: _ASK,
    })  # fmt: skip
    return form.with_info(_info(definition))


def _info(definition: Definition) -> OperatorInfo:
    held = _Held()
    return OperatorInfo(
        definition.spec.document,
        tuple(param.name for param in definition.params if param.io == "out"),
        # nobody asks such a form what pages lead one to expect
        tuple(rule_info(rule, definition, held, enforcement(rule, definition)) for rule in definition.rules),
        definition.lets,
        tuple((when, definition.early_position(after)) for when, after in definition.early),
        definition.let_words,
        definition.dims,
        example_written(definition),
        definition.supported,
    )
