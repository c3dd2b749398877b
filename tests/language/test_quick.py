"""Promise: what costs a legal call little decides the usual call, and is right where it decides.

That both forms agree on whole verdicts is shown in ``test_differential``; here, that the quick one is used.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from opspec.calls.examples import call
from opspec.language.outcome import GUARD, NO_DATA
from opspec.language.values import Scalar, Tensor
from opspec.registry.registry import Form
from opspec.vocabulary import products
from tests.committed import EVERY, defined
from tests.language.differential import compiled_report, form_of
from tests.model.building import form

BODY = """
params:
  - {name: x, ctype: const aclTensor*}
  - {name: w, ctype: const aclTensor*, optional: yes}
  - {name: s, ctype: const aclScalar*}
  - {name: n, ctype: int64_t}
let: {T: "w.shape[0]", V: "x.values[0]"}
rules:
  absent: {check: "T == 2 and w.rank == 1"}
  guarded: {when: "w.dtype == FLOAT and n == 1", check: "x.rank == 2"}
  either: {check: "w.rank == 1 or w.rank == 2"}
  of-values: {check: "increasing(x.values)"}
  of-let: {check: "V > 0"}
  when-values: {when: "x.values[0] == n", check: "x.rank == 2"}
  of-product: {when: "product == '910b'", check: "n < 9"}
  of-member: {when: "product == '950pr'", check: "n < 8"}
  both: {check: "n < 7 or product == 'A3'"}
  of-scalar: {check: "s.value < 3"}
"""
LACKS = {("of-values", NO_DATA), ("of-let", NO_DATA), ("when-values", GUARD)}


def lacks(found: Form, args: tuple[object, ...], product: str | None = "910b") -> set[tuple[str, int]] | None:
    """What the quick form says that a call lacks; None where it leaves the call to the detailed one."""
    bits = found.case(product, None).quick(args)
    if bits < 0:
        return None
    return {(found.info.rules[number].id, why) for i, (number, why) in enumerate(found.lacks) if bits >> i & 1}


def test_what_a_call_lacks_is_told_by_its_bits() -> None:
    compiled = form(BODY)
    x, full, s = Tensor((2, 2), "FLOAT"), Tensor((2, 2), "FLOAT", values=(1, 2, 3, 4)), Scalar("FLOAT", 1.0)
    assert lacks(compiled, (x, None, s, 1)) == LACKS
    assert lacks(compiled, (full, None, s, 1)) == set()
    assert lacks(compiled, (x, Tensor((2,), "FLOAT"), s, 1)) == LACKS
    unknown = lacks(compiled, (full, None, s, 1), None)
    assert unknown == {("product", NO_DATA), ("of-product", GUARD), ("of-member", GUARD)}


@pytest.mark.parametrize(
    "args",
    [
        (Tensor((2, 2), "FLOAT"), None, Scalar("FLOAT", 1.0), 9),
        (Tensor((2,), "FLOAT"), Tensor((2,), "FLOAT"), Scalar("FLOAT", 1.0), 1),
        (Tensor((2, 2), "FLOAT"), Tensor((1,), "FLOAT"), Scalar("FLOAT", 1.0), 2),
        (None, None, Scalar("FLOAT", 1.0), 1),
    ],
)
def test_what_breaks_a_rule_is_left_to_the_detailed_form(args: tuple[object, ...]) -> None:
    assert lacks(form(BODY), args) is None


def test_what_only_the_detailed_form_can_tell_is_left_to_it() -> None:
    compiled = form(BODY)
    x = Tensor((2, 2), "FLOAT")
    assert lacks(compiled, (x, None, Scalar("FLOAT"), 1)) is None  # a scalar without its value
    assert compiled.case("950", None).quick((x, None, Scalar("FLOAT", 1.0), 1)) == -1  # which member is not said


VALUES = """
params:
  - {name: x, ctype: const aclTensor*}
  - {name: w, ctype: const aclTensor*, optional: yes}
rules:
  within: {check: "all(0 <= v < w.shape[1] for v in x.values)"}
"""


@pytest.mark.parametrize("w", [None, Tensor((2, 3), "FLOAT"), Tensor((2,), "FLOAT")])
def test_elements_that_are_missing_are_told_whatever_else_would_be_read(w: Tensor | None) -> None:
    compiled = form(VALUES)
    assert lacks(compiled, (Tensor((2,), "INT64"), w)) == {("within", NO_DATA)}
    full = Tensor((2,), "INT64", values=(0, 2))
    assert lacks(compiled, (full, w)) == (set() if w is None or len(w.shape) == 2 else None)


ORDER = """
params: [{name: perm, ctype: const aclIntArray*}, {name: n, ctype: int64_t}]
rules:
  equal: {check: "n != 1 or perm == (1, 0, 2)"}
  chosen: {check: "n != 2 or len(perm) == (3 if perm == (1, 0, 2) else 4)"}
  differs: {check: "n != 3 or perm != (1, 0, 2)"}
  member: {check: "n != 4 or n in (1, 4, 5) and n not in (1, 2, 3)"}
"""


@pytest.mark.parametrize(
    ("perm", "n", "quick"),
    [((1, 0, 2), 1, True), ((0, 1, 2), 1, False), ((1, 0, 2), 2, True), ((1, 0, 2, 3), 2, True), ((0, 1, 2), 2, False),
     ((0, 1, 2), 3, True), ((1, 0, 2), 3, False), ((), 4, True)],
)  # fmt: skip
def test_a_list_is_no_set_where_its_order_counts(perm: tuple[int, ...], n: int, quick: bool) -> None:
    """Only ``in`` asks for nothing but membership: there, constants may stand as a set."""
    assert lacks(form(ORDER), (perm, n)) == (set() if quick else None)


def test_no_product_is_needed_to_see_that_it_is_not_among_none() -> None:
    body = "params: [{name: n, ctype: int64_t}]\nrules: {none: {check: product not in ()}}\n"
    assert lacks(form(body), (1,), None) == {("product", NO_DATA)}  # of the rule on products that every operator has


ELEMENTS = """
params: [{name: x, ctype: const aclTensor*}, {name: ns, ctype: const aclIntArray*}, {name: s, ctype: const aclScalar*}]
rules:
  first: {when: "ns[0] == 1 and x.shape[-2] == 3", check: "x.rank == 2"}
  either: {when: "ns[1] == 1 or x.rank == 1", check: "x.rank == 1"}
  value: {when: "ns[0] == s.value", check: "x.rank == 2"}
"""


@pytest.mark.parametrize(
    ("shape", "ns", "quick"),
    [((), (), False), ((3, 1), (1, 2), True), ((3,), (2, 2), True), ((3,), (1, 2), True), ((3, 1, 1), (1, 2), True),
     ((1, 3, 1), (1, 2), False), ((1, 3, 1), (1, 1), False)],
)  # fmt: skip
def test_a_condition_that_reads_an_element_that_is_not_there_does_not_hold(
    shape: tuple[int, ...], ns: tuple[int, ...], quick: bool
) -> None:
    """Where that is decided at once; what else the condition may lack is left to the detailed form."""
    compiled = form(ELEMENTS)
    args = (Tensor(shape, "FLOAT"), ns, Scalar("FLOAT", 9.0))
    assert lacks(compiled, args) == (set() if quick else None)
    body = ELEMENTS[: ELEMENTS.index("  either")]
    assert lacks(form(body), args) == (None if len(shape) == 3 and shape[-2] == 3 else set())


@pytest.mark.parametrize("paths", EVERY)
def test_the_example_of_every_operator_is_decided_quickly(paths: list[Path]) -> None:
    """Unless there is something to say of it."""
    for definition in defined(paths):
        compiled = form_of(definition)
        written = call.example(compiled)
        if written is not None:
            example = definition.spec.example
            product = products.resolve("910b" if example is None or example.product is None else example.product)
            args = tuple(written.values())
            if compiled.case(*product).quick(args) < 0:
                assert compiled_report(compiled, args, *product), definition.name
