"""A version of CANN that is no release, given to a tool for agents: read as the nearest, which the answer says."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, ParamSpec, TypeVar

from pydantic import Field
from typing_extensions import NotRequired, TypedDict  # pydantic asks for it before Python 3.12

from opspec.registry.registry import registry

P = ParamSpec("P")
R = TypeVar("R", bound=Mapping[str, object])


class Noted(TypedDict):
    """An answer that may say how the question was read."""

    note: NotRequired[Annotated[str, Field(description="which release the version that was asked for is read as")]]


def nearest(tool: Callable[P, R]) -> Callable[P, R]:
    """The tool, whose argument ``release`` may be any version of CANN."""
    signature = inspect.signature(tool)

    @wraps(tool)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        given = signature.bind(*args, **kwargs)
        asked = given.arguments.get("release")
        if not isinstance(asked, str):
            return tool(*args, **kwargs)
        reading = registry().nearest(asked)
        given.arguments["release"] = reading.release
        found = tool(*given.args, **given.kwargs)
        said = reading.words("zh" if given.arguments.get("lang") == "zh" else "en")
        if said and isinstance(found, dict):
            found["note"] = said
        return found

    return run
