"""Promise: compiled rules mean what the reference interpreter says, on every tree and every call.

``OPSPEC_EXAMPLES`` multiplies the number of seeded expressions, operators and calls, for a long run.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from time import process_time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opspec.calls.examples import call
from opspec.errors import SpecError
from opspec.language import interpret, parse, prose, text, tree
from opspec.language.functions import FUNCTIONS
from opspec.language.interpret import Env, Undef
from opspec.language.outcome import ABSENT
from opspec.language.python import Emitter
from opspec.language.types import BOOL, DTYPE, FLOAT, FORMAT, INT, INTS, list_of
from opspec.language.values import Tensor
from opspec.model.definition import Definition, ParamDef
from opspec.registry.registry import Form
from opspec.validator.judge import judge, judge_by_interpreter
from opspec.vocabulary import products
from opspec.vocabulary.literals import LANGS, Lang
from tests.committed import EVERY, MANY, defined, sample
from tests.language import expressions as random_
from tests.language.differential import compiled_report, compiled_value, form_of, interpreted_report, same
from tests.language.expressions import Choices, Expressions

BATCHES = range(8)
KINDS = (BOOL,) * 4 + (INT, INT, FLOAT, INTS, list_of(FLOAT), DTYPE, random_.TENSORS, random_.SHAPES, FORMAT)

few = settings(max_examples=60 * MANY, suppress_health_check=list(HealthCheck))


@st.composite
def choices(draw: st.DrawFn) -> Choices:
    """Choices that Hypothesis makes, so that what fails shrinks."""
    return Choices(lambda n: draw(st.integers(0, n - 1)))


def check_expression(c: Choices) -> Counter[str]:
    """One random expression: text, prose, and value in both back ends."""
    written, node = random_.expression(c, KINDS, 1 + c.below(5))
    again = text.write(node)
    assert parse.parse(again, random_.SCOPE) == node, again
    if node.type == BOOL:
        check_prose(node)
    for _ in range(3):
        args = dict(zip((param.name for param in random_.DEFS), random_.arguments(c), strict=True))
        product = random_.product(c)
        expected = interpret.evaluate(node, Env(args, {}, *product))
        if expected is None:
            expected = Undef(ABSENT)  # a null pointer that is read
        found = compiled_value(node, args, *product)
        assert same(expected, found), f"{written}\ninterpreted {expected!r}, compiled {found!r}: {args}"
    return Counter(random_.kinds_of(node))


def check_prose(node: tree.Node) -> None:
    """Prose in both languages, as a requirement and as a condition."""
    for lang in prose.WORDS:
        for words in (prose.requirement(node, lang), prose.condition(node, lang)):
            assert words.strip()
            assert not words.endswith((".", "。"))


def check_operator(c: Choices) -> None:
    """One operator with derived values and guarded rules, on a few calls; then the whole verdict."""
    definition = random_.operator(c)
    form = form_of(definition)
    for _ in range(3):
        args, product = random_.arguments(c), random_.product(c)
        expected = interpreted_report(definition, args, *product)
        found = compiled_report(form, args, *product)
        assert expected == found, f"{definition.lets} {definition.rules}: {args}"
        check_verdict(form, args, product, c.of(LANGS))


def check_verdict(
    form: Form, args: tuple[object, ...], product: tuple[str | None, str | None], lang: Lang = "en"
) -> None:  # fmt: skip
    """The verdict with all its words is the same from both."""
    compiled, interpreted = judge(form, args, *product, lang), judge_by_interpreter(form, args, *product, lang)
    assert compiled.to_dict() == interpreted.to_dict()


@few
@given(choices())
def test_back_ends_agree_on_every_expression(c: Choices) -> None:
    check_expression(c)


@few
@given(choices())
def test_back_ends_agree_on_every_operator(c: Choices) -> None:
    check_operator(c)


@pytest.mark.parametrize("batch", BATCHES)
def test_back_ends_agree_on_many_expressions(batch: int) -> None:
    for seed in range(batch, 2400 * MANY, len(BATCHES)):
        check_expression(random_.seeded(seed))


@pytest.mark.parametrize("batch", BATCHES)
def test_back_ends_agree_on_many_operators(batch: int) -> None:
    for seed in range(batch, 400 * MANY, len(BATCHES)):
        check_operator(random_.seeded(seed))


def test_the_generator_covers_the_language() -> None:
    seen = Counter[str]()
    for seed in range(1500):
        c = random_.seeded(seed)
        node = random_.expression(c, KINDS, 5)[1]
        seen.update(random_.kinds_of(node))
    kinds = {kind.__name__ for kind in interpret._METHODS}
    assert kinds - {"Let"} | set(FUNCTIONS) <= set(seen)
    assert any(random_.lets(random_.seeded(seed))[0] for seed in range(10))


# --- the operators of the registry


def check_mutations(path: Path, calls: int) -> None:
    """Mutations of the example call of each operator of a spec file."""
    for definition in defined([path]):
        form = form_of(definition)
        c = Choices(random.Random(f"{definition.spec.release}/{definition.name}").randrange)
        base = example(definition, form)
        named = (*map(products.resolve, form.support), (None, None), ("910b", None), ("950", "950pr"))
        for _ in range(calls * MANY):
            args = tuple(mutated(c, param, value) for param, value in zip(definition.params, base, strict=True))
            check_verdict(form, args, c.of(named), c.of(LANGS))


@pytest.mark.parametrize("path", sample(20), ids=lambda path: f"{path.parent.parent.name}/{path.stem}")
def test_verdicts_agree_on_mutations_of_the_example_call(path: Path) -> None:
    check_mutations(path, 150)


@pytest.mark.parametrize("paths", EVERY)
def test_verdicts_agree_on_some_calls_of_every_operator(paths: list[Path]) -> None:
    for path in paths:
        check_mutations(path, 3)


def example(definition: Definition, form: Form) -> tuple[object, ...]:
    """The arguments of the spec's example call, or random ones where it has none."""
    written = call.example(form)
    if written is None:
        return tuple(random_.argument(random_.seeded(1), param) for param in definition.params)
    return tuple(written.values())


def mutated(c: Choices, param: ParamDef, value: object) -> object:
    """An argument, now and then replaced or changed in one attribute."""
    if not c.chance(3):
        return value
    if param.pointer and c.chance(8):
        return None
    if isinstance(value, Tensor) and not c.chance(3):
        other = random_.tensor(c)
        parts = {slot: getattr(value, slot) for slot in value.__slots__}
        slot = c.of(("shape", "dtype", "format", "offset", "storage_shape", "storage_format"))
        parts[slot] = getattr(other, slot)
        if slot == "shape":
            parts |= {"strides": None, "values": None}
        return Tensor(parts.pop("shape"), parts.pop("dtype"), **parts)
    return random_.argument(c, param)


# --- arbitrary text and deep nesting


def quick(source: str) -> object:
    """Parse arbitrary text: a tree or a SpecError with a place in the text, soon."""
    start = process_time()
    result = parsed(source)
    assert process_time() - start < 5
    if isinstance(result, SpecError):
        assert "\n" not in result.message
        assert 0 <= result.column <= len(source) + 1
    return result


def parsed(source: str) -> tree.Node | SpecError:
    """The tree, or the error."""
    try:
        return parse.parse(source, random_.SCOPE)
    except SpecError as error:
        return error


WORDS = [
    "x",
    "y",
    "xs",
    ".shape",
    ".rank",
    ".dtype",
    "[",
    "]",
    "(",
    ")",
    ",",
    ":",
    " if ",
    " else ",
    " for ",
    " in ",
    " v ",
    "lambda",
    "lambda:",
    "await ",
    "f'{x}'",
    ":=",
    "==",
    "<",
    "!=",
    "is",
    "None",
    "not ",
    "and ",
    "or ",
    "all(",
    "zip(",
    "table(",
    "product",
    "'910b'",
    "910b",
    "1",
    "0x",
    "1e999",
    "#",
    "\\",
    "'",
    '"',
    "数据",
    "\ud800",
    "\0",
    "*",
    "**",
    "@",
    "-",
    "~",
    "{",
    "}",
    ";",
    "\n",
    "\r",
    "\t",
    "range(",
    "given(",
    "undefined",
    "FLOAT",
    "ND",
    "...",
    "1j",
]


@settings(max_examples=400 * MANY)
@given(st.text(max_size=60) | st.lists(st.sampled_from(WORDS), max_size=14).map("".join))
def test_arbitrary_text_is_a_tree_or_an_expression_error(source: str) -> None:
    quick(source)


@settings(max_examples=100 * MANY)
@given(choices(), st.data())
def test_a_damaged_expression_is_a_tree_or_an_expression_error(c: Choices, data: st.DataObject) -> None:
    source = Expressions(c).write(BOOL, 4)
    at = data.draw(st.integers(0, len(source)))
    quick(source[:at] + data.draw(st.sampled_from(WORDS)) + source[at + data.draw(st.integers(0, 3)) :])


@pytest.mark.parametrize("size", [10, 59, 100, 1000, 100_000])
@pytest.mark.parametrize(
    ("opening", "middle", "closing"),
    [
        ("(", "1", ")"), ("-", "n", ""), ("not ", "flag", ""), ("[v for v in ", "ints", "]"), ("x.shape[", "0", "]"),
        ("", "1", " + 1"), ("", "flag", " and flag"), ("", "1", " < 1"), ("", "x", ".shape"), ("all(", "flag", ")"),
        ("(1 if ", "flag", " else 2)"), ("", "(1", ", 1"), ("len(", "ints", ")"), ("{", "1", "}"), ("'", "", ""),
        ("1", "", ""), ("0x", "f" * 6000, ""), ("a ", "", ""), ("#", "", ""), ("f(", "", ""),
    ],
)  # fmt: skip
def test_deep_nesting_and_long_text_are_bounded(opening: str, middle: str, closing: str, size: int) -> None:
    quick(opening * size + middle + closing * size)


NESTED = {
    "bool": [
        "(y.rank == 1 and {bool})",
        "(flag or y.rank == 1 or z.rank == 2 and {bool})",
        "(not {bool})",
        "given({bool})",
        "implies({bool}, y.rank == 1)",
        "implies(y.rank == 1, {bool})",
        "(y.rank < {int} < z.rank)",
        "all({bool} for v, w in zip(ints, more) if v > 0)",
        "({bool} if y.rank == 1 else flag)",
        "(xs[{int}] is None)",
        "({bool} not in (flag, y.rank == 1))",
        "table(({int}, y.dtype), (1, any))",
    ],
    "int": [
        "({int} + y.rank)",
        "(-{int})",
        "({int} << y.rank)",
        "more[{int}]",
        "(1 if {bool} else y.rank)",
        "min({int}, n)",
        "sum([{int} for v in more if flag])",
        "(xs[{int}] if flag else y).rank",
    ],
}


@pytest.mark.parametrize("seed", range(60))
def test_whatever_parses_compiles(seed: int) -> None:
    """The deepest expressions that the parser lets through stay within the limits of Python's own compiler."""
    c = random_.seeded(seed)
    forms = {kind: [c.of(found) for _ in range(1 + c.below(3))] for kind, found in NESTED.items()}
    source, kind = "{bool}", "bool"
    node: tree.Node | None = None
    for _ in range(parse.MAX_DEPTH):
        source = source.replace(f"{{{kind}}}", c.of(forms[kind]))
        kind = "bool" if "{bool}" in source else "int"
        deeper = parsed(source.replace("{bool}", "flag").replace("{int}", "n"))
        if isinstance(deeper, SpecError):
            assert "levels deep" in deeper.message or "steps" in deeper.message
            break
        node = deeper
    assert node is not None
    start = process_time()
    code = Emitter().emit(node)
    compile(code.text, "<expression>", "eval")
    check_prose(node)
    assert parse.parse(text.write(node), random_.SCOPE) == node
    assert process_time() - start < 5
