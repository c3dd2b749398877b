"""A legal call whose tensors have sizes that somebody would try: where a rule names a limit, a search takes the limit.

All dims that are of one size are of another together, and so are the numbers that say the same: relations between
tensors stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from opspec.calls.examples.call import Call, Place, elements, places, put, tensors
from opspec.calls.examples.search import MOST_ELEMENTS
from opspec.model.definition import ParamDef

SIZES = (1024, 512, 256, 128, 64, 32, 16, 8)  #: the first that is legal is taken


def shrunk(call: Call, params: Mapping[str, ParamDef], is_legal: Callable[[Call], bool]) -> Call:
    """The call with its largest sizes made smaller one after another, until it is not too large for an example."""
    for size in sorted({dim for item in tensors(call) for dim in item.shape}, reverse=True):
        if elements(call) <= MOST_ELEMENTS:
            break
        tried = (resized(call, size, smaller, params) for smaller in SIZES if smaller < size)
        call = next((new for new in tried if is_legal(new)), call)
    return call


def resized(call: Call, size: int, other: int, params: Mapping[str, ParamDef]) -> Call:
    """The call with another size wherever it has this one: in shapes, in integers, in arrays of them."""
    new = call
    for name, value in call.items():
        if type(value) is int and value == size:
            new = put(new, Place(name, "value"), other, params) or new
        for at, (place, item) in enumerate(places(call, name, "dim")):
            if type(item) is int and item == size:
                new = put(new, Place(name, "element", index=at), other, params) or new
            for index, dim in enumerate(getattr(item, "shape", ())):
                if dim == size:
                    new = put(new, replace(place, index=index), other, params) or new
    return new
