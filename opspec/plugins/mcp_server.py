"""A server of the Model Context Protocol, with the official SDK: the tools of :mod:`opspec.plugins.tools`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

from opspec import __version__
from opspec.errors import OpspecError
from opspec.plugins.tools import TOOLS

P = ParamSpec("P")
R = TypeVar("R")

INSTRUCTIONS = (
    "opspec knows the documented rules of Ascend CANN aclnn operators, and what the runtime makes of them. Begin with "
    "'example' for a legal call, change it, and let 'check' judge it; 'legal' and 'status' are two answers: a call may "
    "be illegal though the runtime accepts it."
)


def server() -> MCPServer:
    """The server, with a tool for each function."""
    made = MCPServer("opspec", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING")
    for tool in TOOLS:
        made.add_tool(_told(tool), annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))
    return made


def _told(tool: Callable[P, R]) -> Callable[P, R]:
    """The tool, with bad input as an error that the agent reads."""

    @wraps(tool)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return tool(*args, **kwargs)
        except OpspecError as error:
            raise ToolError(str(error)) from None
        except RecursionError:
            raise ToolError("the input is nested too deeply") from None

    return run
