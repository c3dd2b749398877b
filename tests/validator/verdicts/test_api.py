"""``opspec.check`` in Python: what it accepts, what it refuses, and what importing it costs."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import opspec
from opspec import OpspecError, Scalar, Tensor
from opspec.cli.main import main
from opspec.vocabulary.literals import Lang

OP = "aclnnGeluBackwardV2"
GRAD = Tensor((4, 16), "FLOAT16")
ARGS: dict[str, Any] = {"gradOutput": GRAD, "self": GRAD, "approximate": "none", "gradInput": GRAD}


def test_the_docstrings_example_is_true() -> None:
    assert doctest.testmod(opspec).failed == 0


def test_arguments_go_by_name_or_as_args() -> None:
    assert opspec.check(OP, product="910b", **ARGS).legal
    assert opspec.check(OP, product="910b", args=ARGS).legal
    with pytest.raises(OpspecError, match="not both"):
        opspec.check(OP, args=ARGS, approximate="none")


def test_arrays_are_metadata_unless_values_are_asked_for() -> None:
    """NumPy arrays stand for tensors by shape, dtype and strides; elements are read with values=True only."""
    grad = np.zeros((1000, 30), np.float32)
    ends = np.array([400, 300, 1000], np.int64)
    args = {"gradY": grad, "groupIdxOptional": ends, "out": np.zeros((3, 30), np.float32)}
    without = opspec.check("aclnnGroupedBiasAddGrad", product="A2", args=args)
    assert "group-order" in [finding.rule for finding in without.undecided]
    carried = opspec.check("aclnnGroupedBiasAddGrad", product="A2", args=args, values=True)
    assert [(finding.rule, finding.enforcement) for finding in carried.violations] == [("group-order", "unchecked")]


def test_anything_with_shape_and_dtype_is_a_tensor() -> None:
    class Like:
        shape = (4, 16)
        dtype = "torch.float16"

    assert opspec.check(OP, product="910b", args={**ARGS, "self": Like()}).legal


def test_the_default_release_is_the_newest() -> None:
    assert opspec.check(OP, args=ARGS).release == "9.1.0"
    assert opspec.check(OP, release="8.0", args=ARGS).release == "8.0"


@pytest.mark.parametrize(
    ("op", "options", "message"),
    [
        ("aclnnGeluBackwardV3", {}, "did you mean 'aclnnGeluBackwardV2'"),
        (OP, {"release": "7.0"}, "there are 8.0, 8.5.0, 9.0.0, 9.1.0"),
        (OP, {"product": "Atlas A7"}, "unknown product"),
        (OP, {"lang": "fr"}, "there are en and zh"),
        (OP, {"specs": "/nowhere"}, "does not exist"),
        (OP, {"args": {**ARGS, "slef": GRAD}}, "did you mean 'self'"),
        (OP, {"args": {"self": GRAD}}, "missing"),
        (OP, {"args": {**ARGS, "self": Tensor((1,), "FLOTA")}}, "did you mean"),
        (OP, {"args": {**ARGS, "self": Tensor((-1,), "FLOAT")}}, "a dim is at least 0"),
        (OP, {"args": {**ARGS, "self": Scalar("FLOAT", 1.0)}}, "found a Scalar"),
    ],
)
def test_what_is_wrong_is_said_with_what_was_meant(op: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OpspecError, match=message):
        opspec.check(op, **{"args": ARGS, **options})


def test_findings_come_in_the_language_asked_for() -> None:
    found = opspec.check(OP, product="910b", lang="zh", args={**ARGS, "approximate": "x"})
    assert found.violations[0].message.startswith("approximate必须为")


def test_a_registry_folder_of_ones_own_stands_beside_the_built_in_one(tmp_path: Path) -> None:
    folder = tmp_path / "1.0" / "own"
    folder.mkdir(parents=True)
    (folder / "aclnnOwn.yaml").write_text(
        "operator: aclnnOwn\nrelease: 1.0\nsummary: {en: own, zh: 自有}\nproducts: {910b: yes}\n"
        "params: [{name: x, ctype: const aclTensor*, rank: 1}]\n",
        encoding="utf-8",
    )
    assert opspec.check("aclnnOwn", specs=str(tmp_path), product="910b", x=Tensor((1,), "FLOAT")).legal
    assert not opspec.check("aclnnOwn", specs=[str(tmp_path)], product="910b", x=Tensor((), "FLOAT"))
    assert opspec.check(OP, specs=str(tmp_path), args=ARGS).release == "9.1.0"


@pytest.mark.parametrize(
    ("op", "options", "message"),
    [(None, {}, "op is a text, found None"), (b"aclnnAbs", {}, "op is a text"), (["aclnnAbs"], {}, "op is a text"),
     (OP, {"specs": 5}, "specs is folders, found 5"), (OP, {"args": [1]}, "args is an object"),
     (OP, {"args": ARGS, "product": ["910b"]}, "product is a text")],
)  # fmt: skip
def test_arguments_of_other_types_are_told(op: Any, options: dict[str, Any], message: str) -> None:
    """As any bad input: by name, with what was expected and found."""
    with pytest.raises(OpspecError, match=message):
        opspec.check(op, **options)


SCRIPT = """
import sys, opspec
before = set(sys.modules)
assert not before & {"json", "argparse", "opspec.check"}, "importing opspec alone loads nothing"
T = opspec.Tensor((4, 16), "FLOAT16")
args = {"gradOutput": T, "self": T, "approximate": "none", "gradInput": T}
assert opspec.check("aclnnGeluBackwardV2", product="910b", args=args)
wrong = opspec.check("aclnnGeluBackwardV2", product="910b", args={**args, "approximate": "x"})
assert wrong.violations[0].message
heavy = {"pydantic", "yaml", "jinja2", "rich", "dataclasses", "inspect"}
light = {"opspec.model", *(f"opspec.model.{name}" for name in ("evidence", "beside", "lines", "raw", "standin"))}
print(sorted(name for name in sys.modules if name in heavy or (name.startswith("opspec.model") and name not in light)))
"""


def test_checking_and_explaining_import_nothing_heavy(tmp_path: Path) -> None:
    """Neither pydantic nor YAML nor Jinja2, nor what makes dataclasses slow to import; a first run fills the cache."""
    for _ in range(2):
        result = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


# --- the module


def test_what_is_public_can_be_explored() -> None:
    """Completion and ``help`` know what ``__all__`` names, before it is used."""
    script = "import opspec, sys; print({*opspec.__all__} <= {*dir(opspec)}, 'opspec.validator.api' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "True False"
    assert all(getattr(opspec, name) is not None for name in opspec.__all__)
    assert "TYPE_CHECKING" not in dir(opspec)


def test_arguments_go_by_position_too() -> None:
    """In the order of the first phase's params, and the rest by name."""
    named = opspec.check(OP, product="910b", args=ARGS).to_dict()
    assert opspec.check(OP, GRAD, GRAD, "none", GRAD, product="910b").to_dict() == named
    assert opspec.check(OP, GRAD, GRAD, product="910b", approximate="none", gradInput=GRAD).to_dict() == named
    assert opspec.check(OP, GRAD, product="910b", args={k: v for k, v in ARGS.items() if k != "gradOutput"})
    with pytest.raises(OpspecError, match=r"given twice, by position and by name"):
        opspec.check(OP, GRAD, product="910b", args=ARGS)
    with pytest.raises(OpspecError, match=r"5 arguments are given by position; its params are gradOutput, self"):
        opspec.check(OP, GRAD, GRAD, "none", GRAD, GRAD)


def test_all_products_are_judged_at_once() -> None:
    """Together true when the call is legal wherever it is supported; never true because there are verdicts at all."""
    found = opspec.check(OP, product="all", args=ARGS)
    assert {product: verdict.legal for product, verdict in found.items()} == {
        "950": True, "A3": True, "910b": True, "310b": False, "310p": True, "910": True,
    }  # fmt: skip
    assert found["310b"].support == "no"
    assert found
    assert found.legal
    assert found.to_dict()["910b"] == opspec.check(OP, product="910b", args=ARGS).to_dict()
    bf16 = Tensor((4, 16), "BF16")
    some = opspec.check(OP, bf16, bf16, "none", bf16, product="all")
    assert some["910b"].legal
    assert not some


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_verdict_reads_as_check_prints_it(lang: Lang, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    tensor = {"tensor": {"shape": [4, 16], "dtype": "FLOAT16"}}
    args = {"gradOutput": tensor, "self": tensor, "approximate": "sine\x1b", "gradInput": tensor}
    file = tmp_path / "call.json"
    file.write_text(json.dumps({"op": OP, "product": "910b", "args": args}))
    assert main(["check", "--lang", lang, str(file)]) == 1
    assert str(opspec.check(OP, product="910b", args=args, lang=lang)) + "\n" == capsys.readouterr().out
    assert main(["check", "--lang", lang, "--product", "all", str(file)]) == 1
    assert str(opspec.check(OP, product="all", args=args, lang=lang)) + "\n" == capsys.readouterr().out
    assert str(opspec.check(OP, product="910b", args=ARGS)) == f"legal  {OP}  9.1.0  910b"
