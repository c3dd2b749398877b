"""Words on a finding are those of another call only where that one is alike in all that the rule reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import opspec
from opspec.errors import OpspecError
from opspec.language.values import Argument, Scalar, Tensor
from opspec.registry.registry import Form, Registry
from opspec.validator.api import resolved
from opspec.validator.arguments import arguments_of
from opspec.validator.judge import judge, judge_by_interpreter
from opspec.validator.read import Call
from opspec.validator.reads import LONGEST, reader
from opspec.vocabulary.literals import Lang
from tests.model.building import form
from tests.recorded import JUDGED, recorded

BODY = """
params:
  - {name: x, ctype: const aclTensor*}
  - {name: s, ctype: const aclScalar*}
  - {name: xs, ctype: const aclTensorList*}
  - {name: ints, ctype: const aclIntArray*}
let: {wide: "x.shape[0] + len(ints)"}
rules:
  dtype: {check: "x.dtype == FLOAT"}
  rank: {check: "x.rank == 2"}
  scalar: {check: "s.value > 0"}
  list: {check: "all(t.rank == 1 for t in xs)"}
  elements: {check: "x.values[0] == 0"}
  through: {check: "wide == 2"}
"""
X = Tensor((2, 3), "FLOAT")
ARGS: dict[str, Argument] = {"x": X, "s": Scalar("FLOAT", 1.0), "xs": (X, None), "ints": (1, 2)}


def reader_of(rule: str) -> Callable[[tuple[Argument, ...]], object] | None:
    """What the rule reads."""
    found = form(BODY)
    return reader(next(row for row in found.info.rules if row.id == rule), found.info, found.params)


def alike(rule: str, **changes: Argument) -> bool:
    """Whether a call with changes is one with the same words on a rule."""
    read = reader_of(rule)
    assert read is not None
    return read(tuple(ARGS.values())) == read(tuple({**ARGS, **changes}.values())) is not None


def test_what_a_rule_does_not_read_makes_no_difference() -> None:
    """Rules on one attribute have one key for calls that differ in others, so that words are made once."""
    assert alike("dtype", x=Tensor((9,), "FLOAT", "NCHW"), ints=(7,), s=None)
    assert alike("rank", x=Tensor((2, 3), "INT8"))


@pytest.mark.parametrize(
    ("rule", "changes"),
    [
        ("dtype", {"x": Tensor((2, 3), "INT8")}),
        ("dtype", {"x": None}),
        ("rank", {"x": Tensor((2, 4), "FLOAT")}),
        ("scalar", {"s": Scalar("FLOAT", 2.0)}),
        ("scalar", {"s": Scalar("DOUBLE", 1.0)}),
        ("scalar", {"s": Scalar("FLOAT", 1)}),
        ("list", {"xs": (X,)}),
        ("list", {"xs": (X, Tensor((2, 4), "FLOAT"))}),
        ("through", {"x": Tensor((3, 3), "FLOAT")}),
        ("through", {"ints": (1, 2, 3)}),
    ],
)
def test_what_a_rule_reads_does(rule: str, changes: dict[str, Argument]) -> None:
    """No call has the words of one that differs in what the rule reads, through derived values and lists, too."""
    assert not alike(rule, **changes)


def test_zeros_are_told_apart_by_their_sign() -> None:
    """Words show a number as it is: equal numbers that are written otherwise have words of their own."""
    read = reader_of("scalar")
    assert read is not None
    plus, minus = (read((X, Scalar("FLOAT", value), (), ())) for value in (0.0, -0.0))
    assert plus != minus


def test_elements_and_what_is_long_have_no_key() -> None:
    """Nothing large is kept for its words: elements of tensors, long lists."""
    assert reader_of("elements") is None
    read = reader_of("through")
    assert read is not None
    assert read((X, None, (), (1,) * (LONGEST + 1))) is None


def calls() -> Iterator[Call]:
    """A fifth of the recorded calls that first phases themselves judged."""
    for number, call in enumerate(recorded(JUDGED)):
        if isinstance(call, Call) and number % 5 == 0:
            yield call


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_words_of_a_call_that_is_alike_are_its_own(lang: Lang) -> None:
    """Of recorded calls in a row each has the words that it has alone."""
    kept, plain = Registry(), Registry()
    compared = 0
    for call in calls():
        try:
            own, other = kept.form(call.op), plain.form(call.op)
            typed, case = arguments_of(own, call.args), resolved(call.product)
        except OpspecError:
            continue
        own.judge  # noqa: B018 (compiled: from then on words are looked for)
        found = judge(own, typed, *case, lang)
        if not found.legal:
            compared += 1
            assert found.to_dict() == alone(other, typed, *case, lang)
    assert compared


def alone(other: Form, typed: tuple[Argument, ...], product: str | None, member: str | None, lang: Lang) -> object:
    """The verdict with words of its own."""
    assert not other.is_compiled
    return judge_by_interpreter(other, typed, product, member, lang).to_dict()


@pytest.mark.parametrize("count", [3, 300])
def test_tensors_that_are_alike_are_looked_at_once_and_named_by_their_places(count: int) -> None:
    """What is said of each tensor and each other names the first pair that fails, however many are alike before it."""
    shapes = [(1,)] * count + [(4,), (1, 4), (5,)]
    indices = [opspec.Tensor(shape, "INT64") for shape in shapes]
    args = {"self": opspec.Tensor((3, 4), "FLOAT"), "indices": indices, "out": opspec.Tensor((4,), "FLOAT")}
    found = opspec.check("aclnnIndex", product="910b", args=args)
    broken = next(item for item in found.violations if item.rule == "indices-broadcast")
    assert f"indices[{count}]" in broken.message
    assert f"indices[{count + 2}]" in broken.message
