"""A server of the Model Context Protocol, with the official SDK: the tools of :mod:`opspec.plugins.tools`."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server
from mcp_types import ToolAnnotations
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from opspec import __version__
from opspec.errors import OpspecError, did_you_mean
from opspec.plugins.mcp_lines import Item, messages
from opspec.plugins.nearest import nearest
from opspec.plugins.tools import EXAMPLES, TOOLS

P = ParamSpec("P")
R = TypeVar("R")

INSTRUCTIONS = (
    "opspec knows the documented rules of Ascend CANN aclnn operators, and what the runtime makes of them. Begin with "
    "'example' for a legal call, change it, and let 'check' judge it; 'legal' and 'status' are two answers: a call may "
    "be illegal though the runtime accepts it."
)


class Server(MCPServer):
    """The SDK's server, with errors in words that an agent can act on, for whatever comes in."""

    async def run_stdio_async(self) -> None:
        """Serve standard input and output until the input ends; a line that is no message is answered, too."""
        read, wanted = anyio.create_memory_object_stream[Item](0)
        async with stdio_server() as (lines, answers), wanted, anyio.create_task_group() as group:
            group.start_soon(messages, lines, read, answers)
            lowlevel = self._lowlevel_server
            await lowlevel.run(wanted, answers, lowlevel.create_initialization_options())

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool.

        Raises:
            ToolError: there is no such tool, or it does not take such arguments.
        """
        tool = self._tool_manager.get_tool(name)
        if tool is None:
            known = [each.name for each in self._tool_manager.list_tools()]
            raise ToolError(
                f"there is no tool {name!r}{did_you_mean(name, known) or '; there are ' + ', '.join(known)}"
            )
        takes = list(tool.parameters["properties"])
        for word in arguments:
            if word not in takes:
                near = did_you_mean(word, takes)
                raise ToolError(f"{name} takes no {word!r}{near or '; it takes ' + ', '.join(takes)}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            raise ToolError(_in_words(name, error.__cause__.errors())) from None


def _in_words(tool: str, faults: Iterable[ErrorDetails]) -> str:
    """What is wrong with a tool's arguments."""
    said = [
        f"{'.'.join(map(str, fault['loc']))} is missing"
        if fault["type"] == "missing"
        else f"{'.'.join(map(str, fault['loc']))}: {fault['msg'][0].lower()}{fault['msg'][1:]}; "
        f"found {_short(fault['input'])}"
        for fault in faults
    ]
    return f"{tool}: {'; '.join(said)}; as in {json.dumps(EXAMPLES[tool])}"


def _short(value: object) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 80 else f"{text[:79]}…"


def server() -> Server:
    """The server, with a tool for each function."""
    made = Server("opspec", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING")
    for tool in TOOLS:
        said = f"{inspect.getdoc(tool)}\n\nExample: {json.dumps(EXAMPLES[tool.__name__])}"
        annotations = ToolAnnotations(read_only_hint=True, open_world_hint=False)
        made.add_tool(_told(nearest(tool)), description=said, annotations=annotations)
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
