"""Promise: what a function of one phase writes is typed when its spec is loaded, as are functions beside operators."""

from __future__ import annotations

import pytest

from opspec.codegen.prototypes import prototypes
from opspec.errors import OpspecError
from opspec.language import interpret
from opspec.model.canonical import canonical
from opspec.model.definition import Definition
from tests.model.building import definition, spec

ONE_PHASE = """\
interface: single-phase
params:
  - {name: shape, ctype: const aclIntArray*}
  - {name: size, ctype: uint64_t*, io: out}
  - {name: dims, ctype: "int64_t**", io: out}
results:
"""


def evaluated(of: Definition, name: str, **args: object) -> object:
    env = interpret.Env(args, of.lets, None)
    return interpret.evaluate(of.results[name], env)


def test_results_are_expressions_over_the_arguments() -> None:
    of = definition(ONE_PHASE + '  size: "prod(shape) * 2"\n  dims: "(16, *shape)"\n')
    assert evaluated(of, "size", shape=(3, 4)) == 24
    assert evaluated(of, "dims", shape=(3, 4)) == (16, 3, 4)


@pytest.mark.parametrize(
    ("result", "fault"),
    [
        ('  siz: "1"', "unknown param 'siz'; did you mean 'size'"),
        ('  size: "shape"', "expected an integer"),
        ('  size: "1 == 1"', "expected an integer"),
        ('  dims: "1.5"', "expected integers or their count"),
        ('  shape: "1"', "shape is no output"),
        ('  size: "len(shap)"', "shap"),
    ],
)
def test_wrong_results_are_named_with_their_place(result: str, fault: str) -> None:
    with pytest.raises(OpspecError, match=r"x\.yaml:11:\d+: ") as caught:
        definition(ONE_PHASE + result + "\n")
    assert fault in str(caught.value)


def test_two_phases_have_no_results() -> None:
    with pytest.raises(OpspecError, match="size is no output that a function of one phase writes"):
        definition('params: [{name: size, ctype: "uint64_t*", io: out}]\nresults: {size: "1"}\n')


HELPED = """\
params:
  - {name: x, ctype: const aclTensor*}
helpers:
  - function: aclnnXSize
    params:
      - {name: x, ctype: const aclTensor*, rank: 2-4}
      - {name: size, ctype: uint64_t*, io: out}
    results: {size: "x.numel"}
"""


def test_a_function_beside_the_operator_is_one_of_its_own() -> None:
    (helper,) = definition(HELPED).helpers
    assert (helper.name, helper.spec.interface) == ("aclnnXSize", "single-phase")
    assert {"x.null", "x.rank", "size.null", "product"} <= {rule.id for rule in helper.rules}
    assert prototypes(definition(HELPED))[-1] == "aclnnStatus aclnnXSize(const aclTensor *x, uint64_t *size);"


def test_its_faults_have_their_place_in_the_operators_file() -> None:
    with pytest.raises(OpspecError, match=r"x\.yaml:12:\d+: unknown name"):
        definition(HELPED.replace("x.numel", "y.numel"))


def test_their_canonical_form() -> None:
    text = canonical(spec(HELPED), "x.yaml")
    assert 'size: "x.numel"' in text
    assert canonical(text, "x.yaml") == text
