"""What the key of a kernel tells that was not found: the dtypes with which it was sought.

``Cannot find bin of op Foo, integral key 0/1/|float16/ND/int32/ND/`` lists a dtype and a format of each input and then
of each output. What is optional may be left out there, so that only the inputs before it and the outputs behind it
are certain.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from opspec.assist.explain.clues import key
from opspec.assist.explain.stated import Stated
from opspec.calls.examples.call import Place
from opspec.registry.info import ParamInfo
from opspec.registry.registry import Form
from opspec.vocabulary import dtypes

_KEY = re.compile(r"\bop ([A-Z]\w{1,80}),[^|]{0,60}\|((?:\w{0,20}/\w{0,20}/){1,64})")


def sought(form: Form, text: str) -> tuple[Stated, ...]:
    """The dtypes that the key of an operator's own kernel says that its arguments had."""
    found = _KEY.search(text)
    if found is None or not key(form.operator).removeprefix("aclnn").removeprefix("inplace").startswith(key(found[1])):
        return ()
    listed = [dtypes.aliases().get(name.lower()) for name in found[2].split("/")[:-1:2]]
    params = [info for info in form.param_infos.values() if info.kind.startswith("tensor") or "array" in info.kind]
    inputs = _certain(info for info in params if not info.is_output)
    outputs = _certain(info for info in reversed(params) if info.is_output)
    pairs = [*zip(inputs, listed, strict=False), *zip(outputs, reversed(listed), strict=False)]
    return tuple(Stated(Place(name, "dtype"), dtype, objected=True) for name, dtype in pairs if dtype)


def _certain(params: Iterator[ParamInfo]) -> list[str]:
    """The params up to the first one that may be left out, or that is no single tensor."""
    return [info.name for info in itertools.takewhile(lambda info: info.kind == "tensor" and not info.nullable, params)]
