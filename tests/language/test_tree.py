"""Promise: a node that is added to the language costs the back ends, which give it a form, and nobody else.

Who walks trees otherwise asks a node what it has: its parts, what it binds, which rows of values it lets pass.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest
from hypothesis import given

from opspec.calls.examples import aim
from opspec.codegen.javascript import expression
from opspec.codegen.rules import c
from opspec.docs import saying
from opspec.language import cost, interpret, python, text, tree
from opspec.language.facts import facts
from opspec.language.interpret import Env
from opspec.language.normal import normal
from opspec.language.prose import NO_TERMS
from opspec.language.record import field, record, replace
from opspec.language.types import BOOL, DTYPE, INT, TENSOR, Type, list_of
from opspec.language.values import Tensor
from opspec.validator import demand, explain
from opspec.validator.elements import named
from opspec.validator.wanted import Wanted
from tests.language.expressions import Choices, Expressions
from tests.language.test_codec import parsed
from tests.language.test_differential import KINDS, choices, few
from tests.paths import REPOSITORY

MOST = 10  # modules that know what a table is


@record(frozen=True, slots=True)
class Most(tree.Binder):
    """A node that no module knows: whether a statement holds for more than half of a list's elements."""

    parts = ("source", "condition", "element")
    scoped = ("condition", "element")

    quantifier: tree.Quantifier
    element: tree.Node
    variables: tuple[str, ...]
    source: tree.Node
    condition: tree.Node | None
    type: Type
    column: int = field(default=0, compare=False)


@record(frozen=True, slots=True)
class Menu(tree.Choice):
    """Another one: a table, whatever it is called."""

    parts = ("columns",)

    columns: tuple[tree.Node, ...]
    rows: tuple[tuple[frozenset[object] | None, ...], ...]
    type: Type
    column: int = field(default=0, compare=False)


X, Y = tree.Param("x", TENSOR), tree.Param("y", TENSOR)
XS = tree.Param("xs", list_of(TENSOR))
V = tree.Var("v", TENSOR)
DIMS = tree.Compare(("==",), (tree.Attr(V, "rank", INT), tree.Attr(X, "rank", INT)), BOOL)
MOST_OF = Most("any", DIMS, ("v",), XS, None, BOOL)
DTYPES = (tree.Attr(X, "dtype", DTYPE), tree.Attr(Y, "dtype", DTYPE))
MENU = Menu(DTYPES, ((frozenset({"FLOAT"}), frozenset({"FLOAT"})), (frozenset({"INT8", "INT32"}), None)), BOOL)
CALL = Env({"x": Tensor((2,), "FLOAT"), "y": Tensor((2,), "INT8"), "xs": (Tensor((2, 2), "FLOAT"),)})


def test_parts_are_walked_and_changed() -> None:
    """Parents first, in evaluation order; the same node comes back where nothing changes."""
    assert [*tree.children(MOST_OF)] == [XS, DIMS]
    assert [*tree.walk(MENU)] == [MENU, DTYPES[0], X, DTYPES[1], Y]
    changed = tree.rebuilt(MENU, lambda part: tree.substituted(part, {}) if part is not DTYPES[0] else DTYPES[1])
    assert [*tree.children(changed)] == [DTYPES[1], DTYPES[1]]
    assert tree.rebuilt(MOST_OF, lambda part: part) is MOST_OF


def test_records_are_made_of_what_is_given_and_the_last_defaults() -> None:
    """By place, by name, or by both; a change of a field that there is none of is an error, as of dataclasses."""
    assert tree.Const(1, INT).column == 0 == tree.Const(1, type=INT).column
    assert (tree.Const(1, INT, 7).column, replace(tree.Const(1, INT, 7), value=2)) == (7, tree.Const(2, INT))
    for make in (lambda: tree.Const(1), lambda: tree.Const(1, INT, 0, 0), lambda: replace(X, title="y")):  # type: ignore[call-arg]
        with pytest.raises(TypeError):
            make()


def test_equal_trees_are_one() -> None:
    """Wherever in its text each stood."""
    first = tree.one(tree.Const(12345, INT, 1))
    assert tree.one(tree.Const(12345, INT, 2)) is first


def test_what_a_node_binds_is_its_own() -> None:
    """A variable of the same name outside is another one, and a variable reads what it stands for."""
    inside = tree.Logic("and", (tree.IsNone(V, True, BOOL), MOST_OF), BOOL)
    renamed = named(inside, {"v": "w"})
    assert [part.name for part in tree.walk(renamed) if isinstance(part, tree.Var)] == ["w", "v"]
    assert facts(MOST_OF, lambda name: frozenset()) == {("xs", "value"), ("xs", "rank"), ("x", "rank")}
    assert cost.Meter(lambda name: cost.Cost(1, 1)).cost(MOST_OF).steps > cost.ELEMENTS
    other = replace(MOST_OF, element=named(DIMS, {"v": "w"}), variables=("w",))
    assert other != MOST_OF
    assert normal(other) == normal(MOST_OF)


def test_what_a_node_lets_pass_is_read() -> None:
    """Row by row: by those who look for a call, who infer outputs, who say what is lacking."""
    assert MENU.lacking(["FLOAT", "INT8"]) == [[(DTYPES[1], frozenset({"FLOAT"}))], [(DTYPES[0], {"INT8", "INT32"})]]
    assert [(place.param, value) for place, value in aim.aims(MENU, True, CALL)] == [
        ("y", "FLOAT"), ("x", "INT32"), ("x", "INT8"),
    ]  # fmt: skip
    out = Wanted()
    assert demand.demand(MENU, Env({"x": Tensor((2,), "FLOAT"), "y": out}))
    assert out.among["dtype"] == ("FLOAT",)
    assert saying._is_long(MENU)
    assert saying._is_long(MOST_OF)
    assert [*explain.atoms(MOST_OF, NO_TERMS)] == [XS]


@pytest.mark.parametrize("node", [MOST_OF, MENU], ids=["binder", "choice"])
@pytest.mark.parametrize(
    "back_end",
    [
        text.write,
        lambda node: interpret.evaluate(node, CALL),
        lambda node: python.Emitter().emit(node),
        lambda node: c.Emitter().emit(node),
        lambda node: expression.Emitter({"x": 0, "y": 1, "xs": 2}, {}).emit(node),
    ],
    ids=["text", "interpreter", "python", "c", "javascript"],
)
def test_a_back_end_refuses_what_it_has_no_form_for(node: tree.Node, back_end: Callable[[tree.Node], object]) -> None:
    """None of them makes something else of it in silence."""
    with pytest.raises((KeyError, AssertionError)):
        back_end(node)


def test_few_modules_know_what_a_table_is() -> None:
    """Back ends have a form for it, text and prose words; who makes one names it, too. More would mean that a node
    like it costs more than that: ask for :class:`opspec.language.tree.Choice` in place of it."""
    paths = sorted((REPOSITORY / "opspec").rglob("*.py"))
    naming = [path.name for path in paths if _names(ast.parse(path.read_text(encoding="utf-8")), "Table")]
    assert len(naming) <= MOST, naming


def _names(module: ast.Module, kind: str) -> bool:
    """Whether a module names a kind of node: all import the module of nodes, and none a node out of it."""
    return any(ast.unparse(part) == f"tree.{kind}" for part in ast.walk(module) if isinstance(part, ast.Attribute))


@few
@given(choices())
def test_no_part_of_a_node_is_left_out(c: Choices) -> None:
    """A field that holds a node is one of its parts: a walk comes to all of the tree."""
    node = parsed(Expressions(c).write(c.of(KINDS), 1 + c.below(5)))
    for part in tree.walk(node) if node is not None else ():
        held = (getattr(part, name) for name in vars(type(part))["__match_args__"])
        nodes = (item for value in held for item in (value if isinstance(value, tuple) else (value,)))
        assert {id(item) for item in nodes if isinstance(item, tree.NodeBase)} == {*map(id, tree.children(part))}
