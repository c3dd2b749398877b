"""``opspec matrix`` shows what the rules enforce: a dtype that it lists is accepted, one that it does not is not."""

from __future__ import annotations

import copy
import csv
import json
from pathlib import Path
from typing import Any

import pytest

from opspec.cli.main import main
from opspec.docs.matrix import rows
from opspec.language import interpret, tree
from opspec.language.values import Tensor
from opspec.model.definition import Definition
from opspec.model.example import example_of
from opspec.model.load import load_text
from opspec.model.sets import Members, dtypes_on
from opspec.registry.folders import Entry
from opspec.registry.registry import definition_of, registry
from opspec.validator.api import resolved
from opspec.validator.arguments import arguments
from opspec.validator.judge import judge
from opspec.vocabulary import dtypes, products
from tests.committed import BY_HAND, EVERY, defined

SPEC = """
operator: aclnnX
release: 9.9
summary: {en: X, zh: X}
products: {910b: yes, 310p: yes, 950: yes}
params:
  - {name: flag, ctype: bool}
  - name: x
    ctype: const aclTensor*
    dtype: {any: [FLOAT, INT8], changes: [{on: [310p], subtract: [INT8]}, {on: [950], when: flag, add: [HIFLOAT8]}]}
  - {name: y, ctype: aclTensor*, io: out, dtype: same as x}
  - name: z
    ctype: const aclTensor*
    dtype: [{on: [310p], is: [INT4]}, {when: flag, is: [INT8]}, {is: [INT8, INT32]}]
  - {name: w, ctype: aclTensor*, dtype: {any: [FLOAT, INT8], changes: [{on: [310p-card], subtract: [INT8]}]}}
"""


@pytest.mark.parametrize(
    ("param", "product", "members"),
    [
        (1, "910b", Members(("FLOAT", "INT8"))),
        (1, "310p", Members(("FLOAT",))),
        (1, "950", Members(("FLOAT", "INT8"), ("HIFLOAT8",))),
        (2, "310p", Members(("FLOAT",))),
        (3, "310p", Members(("INT4",))),
        (3, "910b", Members(("INT8",), ("INT32",))),
        (4, "310p-card", Members(("FLOAT",))),
        (4, "310p", Members(("FLOAT",), ("INT8",))),
    ],
)
def test_changes_and_cases_are_read_per_product(param: int, product: str, members: Members) -> None:
    spec = load_text(SPEC).spec
    assert dtypes_on(spec, spec.params[param], product) == members


@pytest.mark.slow
def test_the_matrix_lists_exactly_what_verdicts_accept() -> None:
    """For every product and param of operators with an example: no verdict names the dtype rule, or the matrix does."""
    known = registry()
    entries = [known.find(name, release) for release in known.releases() for name in BY_HAND]
    for row in rows(entries):
        if row.support == "no":
            assert row.dtypes == ()
            continue
        form = known.form(row.op, row.release)
        example: dict[str, Any] = dict(example_of(definition_of(known.find(row.op, row.release)))[1])
        for dtype in dtypes.names():
            args = copy.deepcopy(example)
            args[row.param]["tensor"]["dtype"] = dtype
            verdict = judge(form, arguments(row.op, form.params, args), *resolved(row.product))
            refused = {finding.rule for finding in (*verdict.violations, *verdict.warnings)}
            assert (f"{row.param}.dtype" not in refused) is (dtype in row.dtypes), (row, dtype)


@pytest.mark.parametrize("paths", EVERY)
def test_the_matrix_lists_exactly_what_the_dtype_rules_accept(paths: list[Path]) -> None:
    """For every operator, product and param: the dtype rules of its page agree with the matrix on every dtype.

    Of an output the matrix may list less: what its inputs lead to.
    """
    compared = 0
    for path in paths:
        for definition in defined([path]):
            known: dict[tuple[str, str | None], set[str]] = {}
            for row in rows([entry_of(definition, path)]):
                checks = dtype_checks(definition, row.param)
                if row.support != "no" and checks:
                    product = row.product if any(map(reads_product, checks)) else None
                    if (row.param, product) not in known:
                        known[row.param, product] = accepted(checks, row.param, product, definition)
                    listed, taken = set(row.dtypes), known[row.param, product]
                    assert listed <= taken if row.io == "out" else listed == taken, row
                    compared += 1
    assert compared > 5 * len(paths)


def entry_of(definition: Definition, path: Path) -> Entry:
    """The registry's entry of an operator."""
    return Entry(definition.name, definition.spec.release, path.parent.name, str(path))


def dtype_checks(definition: Definition, param: str) -> list[tree.Node]:
    """The checks of a param's dtype, unless one of them reads anything else of the call than the product."""
    rules = [
        rule for rule in definition.rules if rule.kind == "dtype" and rule.param == param and rule.basis != "definition"
    ]  # of its page: what a kernel takes stands in its own table
    checks = [rule.check for rule in rules]
    alone = {(param, "dtype"), (param, "value")}  # the value of a list is its elements
    reads = {read for check in checks for read in definition.facts(check) if read[1] != "product"}
    return checks if reads <= alone and all(rule.when is None for rule in rules) else []


def reads_product(check: tree.Node) -> bool:
    """Whether a check is not the same on all products."""
    return any(isinstance(node, tree.Product) for node in tree.walk(check))


def accepted(checks: list[tree.Node], param: str, named: str | None, definition: Definition) -> set[str]:
    """The dtypes that satisfy the checks on some part of a product."""
    several = any(own.name == param and own.kind == "tensor_list" for own in definition.params)
    product, member = resolved(named)
    parts = (member,) if product is None or member else (*products.members(product), "another part")

    def satisfies(dtype: str) -> bool:
        tensor = Tensor((1,), dtype)
        args: dict[str, object] = {param: (tensor,) if several else tensor}
        envs = [interpret.Env(args, {}, product, part) for part in parts]
        return any(all(interpret.evaluate(check, env) is True for check in checks) for env in envs)

    return set(filter(satisfies, dtypes.names()))


def test_the_outputs_carry_the_same_rows(capsys: pytest.CaptureFixture[str]) -> None:
    """JSON and CSV have a row per operator, product and tensor param; Markdown one for params that take the same."""
    words = ["matrix", "aclnnGeluBackwardV2", "--release", "9.1.0", "--product", "Ascend310P3"]
    assert main([*words, "--output", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(row["param"], row["dtypes"]) for row in found] == [
        (name, ["FLOAT16", "FLOAT"]) for name in ("gradOutput", "self", "gradInput")
    ]
    assert main([*words, "--output", "csv"]) == 0
    lines = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [line["dtypes"].split() for line in lines] == [row["dtypes"] for row in found]
    assert main([*words, "--output", "md"]) == 0
    line = "| aclnnGeluBackwardV2 | 9.1.0 | gradOutput self gradInput | 310p | yes | FLOAT16 FLOAT |"
    assert capsys.readouterr().out.splitlines()[2] == line


def test_an_output_has_what_its_inputs_lead_to(capsys: pytest.CaptureFixture[str]) -> None:
    """A page that narrows the inputs on a product, and forgets the output, does not make the operator take more."""
    words = ["matrix", "aclnnConvolution", "--release", "9.1.0"]
    assert main([*words, "--dtype", "FLOAT8_E4M3FN", "--product", "910b"]) == 2
    assert main([*words, "--dtype", "FLOAT8_E4M3FN", "--product", "950", "--output", "json"]) == 0
    assert "output" in {row["param"] for row in json.loads(capsys.readouterr().out)}


def test_a_filter_that_nothing_passes_and_a_wrong_one_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matrix", "aclnnGelu*", "--dtype", "INT4"]) == 2
    assert main(["matrix", "--dtype", "INT3"]) == 2
    assert "did you mean" in capsys.readouterr().err
