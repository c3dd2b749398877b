"""Examples of specs from recorded calls."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from opspec.cli.main import main

SPEC = """\
operator: aclnnX
release: "9.9"
products: {910b: yes, 950: yes}
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT, BFLOAT16], rank: 1}
  - {name: y, ctype: const aclTensor*, optional: yes, dtype: [FLOAT], rank: 1}
  - {name: n, ctype: double}
"""
MADE = """\
example:
  product: 910b
  args: {x: "FLOAT[2]", n: 1}
"""


def _call(shape: list[int], dtype: str = "FLOAT", product: str = "910b", n: float = 0.5) -> str:
    args = {"x": {"tensor": {"shape": shape, "dtype": dtype, "format": "ND", "values": [0]}}, "y": None, "n": n}
    return json.dumps({"op": "aclnnX", "product": product, "args": args, "expect": "ACLNN_SUCCESS"})


def _after(folder: Path, spec: str, option: str, *lines: str) -> str:
    path = folder / "9.9" / "math" / "aclnnX.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(spec, encoding="utf-8")
    records = folder / "calls.jsonl"
    records.write_text("\n".join(lines), encoding="utf-8")
    assert main(["conformance", "--examples", *([option] if option else []), str(records), "--specs", str(folder)]) == 0
    return path.read_text(encoding="utf-8").partition("example:")[2]


def test_a_program_stands_in_place_of_a_made_up_example(tmp_path: Path) -> None:
    """The smallest legal call of a program that ran, in the usual spelling, without nulls that go without saying."""
    programs = (_call([9]), _call([3], "BF16", n=1.7020000219345093))
    found = _after(tmp_path, SPEC + MADE, "--ran", *programs)
    assert found.split() == ["product:", "910b", "args:", "{x:", '"BFLOAT16[3]",', "n:", "1.702}"]


def test_the_product_stays_where_a_program_ran_on_it(tmp_path: Path) -> None:
    """A smaller program for another product does not change whom the example is for."""
    assert "[9]" in _after(tmp_path, SPEC + MADE, "--ran", _call([9]), _call([3], product="950"))


@pytest.mark.parametrize(("spec", "shape"), [(SPEC + MADE, "[2]"), (SPEC, "[9]")])
def test_a_recorded_test_is_an_example_where_there_is_none(tmp_path: Path, spec: str, shape: str) -> None:
    """A call of a unit test is no program."""
    assert shape in _after(tmp_path, spec, "", _call([9]))
