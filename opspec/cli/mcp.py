"""``opspec mcp``: serve agents over standard input and output."""

from __future__ import annotations

from opspec.cli import options, progress
from opspec.errors import OpspecError


def run(words: list[str]) -> int:
    """The command: 0 when the agent closes standard input."""
    target = options.parser(
        "mcp",
        "Serve agents that speak the Model Context Protocol, over standard input and output: search, show, check, "
        "explain, repair, infer, example, stub, docs, diff.",
        "It needs the extra: pip install 'opspec[mcp]'. docs/agents.md says how agents are told of it.",
    )
    target.parse_args(words)
    try:
        from opspec.plugins.mcp_server import server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise OpspecError("the SDK of the protocol is not installed; pip install 'opspec[mcp]'") from None
    progress.stop()
    server().run("stdio")
    return 0
