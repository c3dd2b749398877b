"""Examples have sizes that somebody would try."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from opspec.calls.examples.call import Call
from opspec.calls.examples.sizes import resized, shrunk
from opspec.language.values import Tensor
from opspec.registry.registry import definition_of, registry

_PARAMS = {param.name: param for param in definition_of(registry().find("aclnnUniqueConsecutive")).params}
_SIZES = st.sampled_from([1, 3, 128, 4096, 524288, 1 << 23])


def call(rows: int, width: int) -> Call:
    """An input, an output of its shape, and an axis that is as many as the rows are."""
    shape = (rows, width)
    found: Call = dict.fromkeys(_PARAMS)
    return {
        **found,
        "self": Tensor(shape, "FLOAT"),
        "dim": rows,
        "valueOut": Tensor(shape, "FLOAT"),
        "returnInverse": False,
    }


@given(_SIZES, _SIZES)
def test_sizes_change_together(rows: int, width: int) -> None:
    """Wherever a size stands, the same one stands afterwards; what nothing may change stays."""
    new = shrunk(call(rows, width), _PARAMS, lambda found: found["self"] == found["valueOut"])
    assert new["self"] == new["valueOut"]
    assert new["dim"] == new["self"].shape[0]
    assert new["self"].shape[0] * new["self"].shape[1] <= 1 << 23
    assert shrunk(call(rows, width), _PARAMS, lambda found: False) == call(rows, width)
    assert (new == call(rows, width)) == (2 * rows * width <= 1 << 24)


def test_only_that_size_changes() -> None:
    assert resized(call(7, 8), 7, 2, _PARAMS) == {**call(2, 8)}
    assert resized(call(7, 8), 9, 2, _PARAMS) == call(7, 8)
