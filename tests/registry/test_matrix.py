"""``opspec matrix`` shows what the rules enforce: a dtype that it lists is accepted, one that it does not is not."""

from __future__ import annotations

import copy
import csv
import json

import pytest

from opspec.calls.convert import arguments
from opspec.cli.main import main
from opspec.registry.matrix import rows
from opspec.registry.registry import definition_of
from opspec.spec.lint import json_values
from opspec.spec.load import load_text
from opspec.spec.sets import Members, dtypes_on
from opspec.validator.api import registry, resolved
from opspec.validator.judge import judge
from opspec.vocabulary import dtypes

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
    ],
)
def test_changes_and_cases_are_read_per_product(param: int, product: str, members: Members) -> None:
    spec = load_text(SPEC).spec
    assert dtypes_on(spec, spec.params[param], product) == members


def test_the_matrix_lists_exactly_what_the_dtype_rules_accept() -> None:
    """For every operator, product and param: the param's own dtype rule agrees with the matrix on every dtype."""
    known = registry()
    entries = [entry for release in known.releases() for entry in known.entries(release).values()]
    for row in rows(entries):
        if row.support == "no":
            assert row.dtypes == ()
            continue
        form = known.form(row.op, row.release)
        example = definition_of(known.find(row.op, row.release)).spec.example or {}
        for dtype in dtypes.names():
            args = copy.deepcopy(json_values(example)["args"])
            args[row.param]["tensor"]["dtype"] = dtype
            verdict = judge(form, arguments(row.op, form.params, args), *resolved(row.product))
            refused = {finding.rule for finding in (*verdict.violations, *verdict.warnings)}
            assert (f"{row.param}.dtype" not in refused) is (dtype in row.dtypes), (row, dtype)


def test_the_outputs_carry_the_same_rows(capsys: pytest.CaptureFixture[str]) -> None:
    """JSON and CSV have a row per operator, product and tensor param; text and Markdown one per operator."""
    words = ["matrix", "*gelu*", "--release", "9.1.0", "--product", "Ascend310P3"]
    assert main([*words, "--output", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(row["param"], row["dtypes"]) for row in found] == [
        (name, ["FLOAT16", "FLOAT"]) for name in ("gradOutput", "self", "gradInput")
    ]
    assert main([*words, "--output", "csv"]) == 0
    lines = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [line["dtypes"].split() for line in lines] == [row["dtypes"] for row in found]
    assert main([*words, "--output", "md"]) == 0
    assert capsys.readouterr().out.splitlines()[2] == "| aclnnGeluBackwardV2 | 9.1.0 | FLOAT16 FLOAT |"


def test_a_filter_that_nothing_passes_exits_1_and_a_wrong_one_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matrix", "--dtype", "INT4"]) == 1
    assert main(["matrix", "--dtype", "INT3"]) == 2
    assert "did you mean" in capsys.readouterr().err
