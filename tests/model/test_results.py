"""Promise: what a function of one phase writes is typed when its spec is loaded, as are functions beside operators.

So is what a first phase makes of a tensor, and what a twin's own prototype declares.
"""

from __future__ import annotations

import pytest

from opspec.codegen.prototypes import prototypes
from opspec.errors import OpspecError
from opspec.language import interpret
from opspec.language.text import write
from opspec.model.canonical import canonical
from opspec.model.definition import Definition
from opspec.model.load import load_text
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


LABELLED = """\
params: [{name: x, ctype: aclTensor*, io: inout}, {name: n, ctype: int64_t}]
results:
"""


def test_a_first_phase_may_change_what_a_tensor_is() -> None:
    of = definition(LABELLED + '  x.format: "FRACTAL_NZ"\n  x.storage_shape: "(n, 16)"\n')
    assert evaluated(of, "x.format") == "FRACTAL_NZ"
    assert evaluated(of, "x.storage_shape", n=3) == (3, 16)


@pytest.mark.parametrize(
    ("result", "fault"),
    [
        ('x.format: "FRACTAL_NZ"', "format and storage_shape of a tensor go together"),
        ('n.format: "ND"\n  n.storage_shape: "(n, n)"', "n is no tensor that a first phase is given"),
        ('x.format: "16"\n  x.storage_shape: "(n, n)"', "expected a format"),
        ('x.format: "ND"\n  x.storage_shape: "n"', "expected dims"),
        ('y.format: "ND"\n  y.storage_shape: "(n, n)"', "unknown param 'y'"),
    ],
)
def test_what_cannot_be_changed_is_named(result: str, fault: str) -> None:
    with pytest.raises(OpspecError, match=fault):
        definition(f"{LABELLED}  {result}\n")


TWINS = """\
params:
  - {name: self, ctype: const aclTensor*}
  - {name: out, ctype: aclTensor*, io: out}
twin:
  operator: aclnnInplaceX
  rename: {self: selfRef, out: selfRef}
"""


def test_a_twin_is_declared_as_its_own_prototype_has_it() -> None:
    """With const where that has one; nothing else of a type may differ, and no rule does."""
    plain, own = (twin(TWINS + more) for more in ("", "  params: [{name: selfRef, ctype: const aclTensor*}]\n"))
    assert [prototypes(one)[0].split("(")[1].split(",")[0] for one in (plain, own)] == [
        "aclTensor *selfRef", "const aclTensor *selfRef",
    ]  # fmt: skip
    assert own.rules == plain.rules
    assert (own.params[0].io, own.params[0].ctype) == ("inout", "const aclTensor*")
    with pytest.raises(OpspecError, match=r"const aclScalar\* is not aclTensor\*"):
        twin(TWINS + "  params: [{name: selfRef, ctype: const aclScalar*}]\n")


def test_what_two_params_owe_each_other_is_no_rule_where_they_are_one() -> None:
    """Relations with itself are left out, guarded ones too; what is asked of each is asked once; the rest stays."""
    rules = """\
rules:
  same: out same dtype as self
  promoted: "promotable(self.dtype, out.dtype)"
  format: "out.format in (ND, self.format)"
  complex: {when: "self.rank > 1 and is_complex(self.dtype)", check: is_complex(out.dtype)}
  ranks: "self.rank <= 8 and out.rank <= 8"
  floating: {when: self.dtype == BOOL, check: is_floating(out.dtype)}
"""
    own = {name for name, _, text in (line.strip().partition(":") for line in rules.splitlines()) if text}
    kept = {rule.id: write(rule.check) for rule in twin(TWINS + rules).rules if rule.id in own}
    assert kept == {"ranks": "selfRef.rank <= 8", "floating": "is_floating(selfRef.dtype)"}


def twin(text: str) -> Definition:
    """The second definition of a spec."""
    return load_text(spec(text), "x.yaml").definitions[1]


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
