"""Promise: what the site knows of how functions are called names operators and params that there are."""

from __future__ import annotations

import re

import pytest

from opspec.registry.registry import Registry
from opspec.site.signatures import signatures

_DEFAULT = r"(?:=(?:'[^']*'|\[[^\]]*\]|[^,)]*))?"
_PARAM = re.compile(r"(@?)\*?(\w+)(?:>(\w*)(?:\.t)?)?(?:\[\d\])?(?:\{[^}]*\})?(>?)" + _DEFAULT + "(?:, |$)")


def compact(name: str) -> str:
    """A name as ``opspec/web/site/code.js`` compares it."""
    return re.sub(r"(?<=.)_|optional$|ref$", "", name.lower())


@pytest.mark.parametrize("library", ["torch", "npu"])
def test_operators_and_params_are_there(library: str) -> None:
    known = Registry()
    operators = {name: release for release in known.releases() for name in known.entries(release)}
    wrong = []
    for function, texts in signatures().items():
        for text in texts if function.startswith("npu_") == (library == "npu") else ():
            operator, _, rest = text.removesuffix(")").partition("(")
            form = known.form(f"aclnn{operator}", operators[f"aclnn{operator}"])
            params = {compact(param[0]) for param in form.params}
            for always, name, target, none in _PARAM.findall(rest):
                named = always or target or (library == "torch" and not none and f"{name}>" not in rest)
                if named and compact(target or name) not in params:
                    wrong.append((function, operator, target or name))
    assert not wrong


def test_a_function_of_torch_npu_is_called_as_its_schema_says() -> None:
    usual, joined = sorted(signatures()["npu_fusion_attention"], key=len)
    assert usual.startswith("FlashAttentionScore(query, key, value, head_num, input_layout, pse>realShiftOptional=None")
    assert "scale>scaleValue=1." in usual
    assert joined.startswith("FlashAttentionVarLenScore(query, key, value, head_num, input_layout{TND:TND}")
