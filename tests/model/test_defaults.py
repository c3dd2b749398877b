"""Promise: what is spelled out stays as it is when it is spelled out again, whatever a param says or leaves out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.model.defaults import spelled_out
from opspec.model.load import beside, spec_file, validated, whole
from opspec.model.sets import formats_on
from opspec.model.spec import NOT_SAID, Spec
from opspec.yamltext import read
from tests.committed import sample
from tests.model.building import spec

DTYPES = ("FLOAT", "T", "[FLOAT, INT8]", "same as y", "{any: [FLOAT], changes: [{on: [A3], add: [INT8]}]}",
          "[{on: [A3], is: T}, {is: FLOAT}]")  # fmt: skip
FORMATS = ("any", "ND", "[ND, NCHW]", "same as y", "[{on: [A3], is: NCHW}, {is: ND}]")
LAYOUTS = ("yes", "no", "transposed", "unknown")


@st.composite
def params(draw: st.DrawFn) -> str:
    """A spec with a tensor that says something of its dtype, format and layout, or nothing."""
    values = {"dtype": DTYPES, "format": FORMATS, "strided": LAYOUTS}
    said = "".join(f", {key}: {draw(st.sampled_from(known))}" for key, known in values.items() if draw(st.booleans()))
    kind = draw(st.sampled_from(("aclTensor", "aclTensorList")))
    return spec(
        f"sets:\n  T: [FLOAT, FLOAT16]\nparams:\n  - {{name: x, ctype: const {kind}*{said}}}\n"
        "  - {name: y, ctype: const aclTensor*, dtype: FLOAT}\n"
    )


def modelled(text: str) -> Spec:
    """The model of a spec as it is written."""
    return validated(whole(read(text, "x.yaml"), lambda operator: beside("x.yaml", operator)))


@given(params())
def test_spelling_out_twice_is_spelling_out_once(text: str) -> None:
    once = spelled_out(modelled(text))
    assert spelled_out(once) == once
    assert all(param.format is not None and param.strided is not None for param in once.params)


@pytest.mark.parametrize("path", sample(20), ids=lambda path: path.stem)
def test_committed_specs_stay_as_they_are(path: object) -> None:
    once = spec_file(str(path))
    assert spelled_out(once) == once


def test_a_page_that_does_not_say_is_no_default() -> None:
    text = spec("params:\n  - {name: x, ctype: const aclTensor*, format: any, strided: unknown}\n")
    once = spelled_out(modelled(text))
    assert {name: getattr(once.params[0], name) for name in NOT_SAID} == NOT_SAID
    assert formats_on(once, once.params[0], None).all == ()
