"""Promise: records of kernels' definitions become a table that says the same, each kernel once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from opspec.cli.main import main
from opspec.errors import OpspecError
from opspec.model.kernels import FILE, parsed
from opspec.workshop.kernels import kernels


def operand(name: str, kind: str, dtypes: list[str], formats: list[str]) -> dict[str, Any]:
    """An input or output of a record."""
    return {"name": name, "kind": kind, "dtype": dtypes, "format": formats}


def record(product: str, **changes: Any) -> dict[str, Any]:
    """A record of a kernel on a product."""
    one = {
        "graph_op": "Add", "product": product, "generated": True,
        "inputs": [
            operand("x", "REQUIRED", ["FLOAT", "FLOAT16", "FLOAT"], ["ND", "FRACTAL_NZ", "ND"]),
            operand("bias", "OPTIONAL", ["FLOAT", "FLOAT16", "FLOAT16"], ["ND", "ND", "ND"]),
        ],
        "outputs": [operand("y", "DYNAMIC", ["FLOAT", "FLOAT16", "FLOAT"], ["ND", "ND", "ND"])],
        "attrs": [{"name": "mode", "type": "String", "kind": "OPTIONAL", "default": "a"}],
    }  # fmt: skip
    return {**one, **changes}


def test_products_with_the_same_combinations_lie_together(tmp_path: Path) -> None:
    """Optional ones are no part of a row; columns that differ in them alone are one; hand-written ones are left out,
    but for those that specs name, and so are products that no page knows."""
    few = record("310p")
    for item in (*few["inputs"], *few["outputs"]):
        item["dtype"], item["format"] = item["dtype"][:1], item["format"][:1]
    hidden = [record("910", graph_op=name, generated=False) for name in ("Other", "Named")]
    records = [record("910b"), record("A3"), record("mc99"), few, *hidden]
    path = tmp_path / "records.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in records))
    (tmp_path / "9.9").mkdir()
    (tmp_path / "9.9" / "aclnnOther.yaml").write_text("operator: aclnnOther\nlooks_up: Named\n")
    assert main(["kernels", str(path), "--release", "9.9", "--out", str(tmp_path)]) == 0
    line, other = (tmp_path / "9.9" / FILE).read_bytes().splitlines()
    assert parsed(other, "a test").name == "Named"
    kernel = parsed(line, "a test")
    assert (kernel.name, kernel.attrs, kernel.compared) == ("Add", {"mode": "OPTIONAL"}, ("x", "y"))
    assert [(set(group.products), group.rows) for group in kernel.combinations] == [
        ({"910b", "A3"}, ((("FLOAT", "ND"), ("FLOAT", "ND")), (("FLOAT16", "FRACTAL_NZ"), ("FLOAT16", "ND")))),
        ({"310p"}, ((("FLOAT", "ND"), ("FLOAT", "ND")),)),
    ]


@pytest.mark.parametrize("changes", [{"inputs": None}, {"attrs": [{"name": "other", "kind": "OPTIONAL"}]}])
def test_a_record_that_does_not_fit_is_an_error(changes: dict[str, Any]) -> None:
    with pytest.raises(OpspecError):
        list(kernels([record("910b"), record("A3", **changes)]))
