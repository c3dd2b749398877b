"""Inference: a broken rule itself says how to mend the call."""

from __future__ import annotations

import random

import pytest

from opspec.calls.examples.call import first
from opspec.calls.examples.search import Search
from tests.model.building import definition, form

PARAMS = """\
params:
  - {name: x, ctype: const aclTensor*, format: any}
  - {name: y, ctype: const aclTensor*, optional: yes, format: any}
  - {name: xs, ctype: const aclTensorList*, format: any}
  - {name: n, ctype: int64_t}
  - {name: flag, ctype: bool}
  - {name: mode, ctype: char*}
  - {name: axes, ctype: const aclIntArray*}
  - {name: scale, ctype: const aclScalar*}
  - {name: out, ctype: aclTensor*, io: out, format: any}
let:
  half: "x.shape[-1] // 2"
rules:
  own: {check: "%s"}
"""

#: rules that the plainest call breaks
RULES = (
    "x.dtype == INT8",
    "x.rank == 5",
    "x.shape == (3, 4, 5)",
    "x.shape[-1] == 7",
    "x.shape[1] % 16 == 0",
    "x.shape[0] * 3 == 21",
    "half == 12",
    "x.shape[:2] == (5, 6)",
    "x.shape == (*y.shape, n) and y is not None and n == 9",
    "y is not None and y.dtype == x.dtype",
    "n in (4, 5)",
    "7 in x.shape",
    "not n in (0, 1)",
    "n >= 100",
    "n == len(axes) + 2",
    "len(axes) == 4",
    "axes == (0, 2, 1)",
    "axes[1] == 6",
    "distinct(axes) and len(axes) == 3",
    "flag",
    "mode in ('sum', 'mean')",
    "implies(n > 0, mode == 'on')",
    "flag if n == 1 else mode == 'x'",
    "len(xs) == 3",
    "all(t.dtype == INT32 for t in xs)",
    "all(a.shape == b for a, b in zip(xs, ((3,), (4, 5))))",
    "all(axes[i] == i + 5 for i in range(3))",
    "table((x.dtype, out.dtype), (INT8, INT32), (INT16, (INT32, INT64)))",
    "broadcastable(x.shape, (3, 1, 7))",
    "promotable(x.dtype, COMPLEX64) and x.dtype == BOOL",
    "scale.dtype == INT32",
    "ceil_div(n, 32) == 4",
    "x.numel == 30",
    "out.shape == reduced(x.shape, (0,), True)",
    "x.format == NCHW and x.rank == 4",
    "transposed_last2(x) and x.shape == (3, 4)",
    "(x.dtype == INT8) == (out.dtype == FLOAT)",
    "x.dtype == (INT8 if n == 3 else FLOAT16) and x.dtype != FLOAT16",
    "bits(x.dtype) == 16",
    "all(t.rank == 3 for t in [u for u in xs if u.numel > 0])",
    "len(x.storage_shape) == 5",
)


@pytest.mark.parametrize("rule", RULES)
def test_the_call_is_mended(rule: str) -> None:
    """Every form of the language that pages' rules use says what to change."""
    search = Search(definition(PARAMS % rule), form(PARAMS % rule), "910b", None, random.Random(1))
    assert search.legal(300) is not None


def test_a_mode_that_several_params_make_is_left_in_one_row() -> None:
    """On the way from one value of all to another the call breaks more rules than before."""
    names = [f"n{i}" for i in range(10, 22)]
    params = "".join(f"  - {{name: {name}, ctype: int64_t}}\n" for name in names)
    rules = "".join(f"  {a}-{b}: {{check: '{a} == {b}'}}\n" for a in names for b in names if a < b)
    body = f"params:\n{params}  - {{name: out, ctype: aclTensor*, io: out, format: any}}\nrules:\n{rules}"
    whole = definition(body)
    for seed in range(5):
        search = Search(whole, form(body), "910b", None, random.Random(seed), keeps=lambda call: call["n10"] == 5)
        assert search.legal(100, start={**first(whole.params), "n10": 5}) is not None
