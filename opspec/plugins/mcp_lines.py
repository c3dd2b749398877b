"""The lines that the server reads: one that is no message of the protocol gets an error, where the SDK says nothing.

Who asked would wait for ever otherwise. JSON-RPC 2.0 has the codes; an error has the id of what was asked where the
line tells it.
"""

from __future__ import annotations

import json
from typing import Any

from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
)
from pydantic import ValidationError

GREETING = "initialize"
Item = SessionMessage | Exception


async def messages(
    lines: ObjectReceiveStream[Item], into: ObjectSendStream[Item], answers: ObjectSendStream[SessionMessage]
) -> None:
    """Pass messages on, and answer what is none.

    Args:
        lines: what the SDK made of each line: a message, or why it is none.
        into: what the server reads; closed where the lines end.
        answers: what the server writes to.
    """
    greeted = False
    async with into:
        async for item in lines:
            if isinstance(item, SessionMessage):
                error = unanswerable(item.message, greeted)
                greeted = greeted or getattr(item.message, "method", None) == GREETING
                await (into.send(item) if error is None else answers.send(SessionMessage(error)))
            elif isinstance(item, ValidationError):
                error = refusal(item)
                if error is not None:
                    await answers.send(SessionMessage(error))


def unanswerable(message: JSONRPCMessage, greeted: bool) -> JSONRPCError | None:
    """The error for a message that the SDK leaves without an answer, or answers without saying what is wrong.

    Args:
        greeted: whether the client has begun the session.
    """
    if isinstance(message, JSONRPCNotification) and not message.method.startswith("notifications/"):
        return _error(None, INVALID_REQUEST, f"{message.method} is a request, whose id is a string or an integer")
    if not isinstance(message, JSONRPCRequest):
        return None
    if not greeted and message.method not in (GREETING, "ping"):
        return _error(message.id, INVALID_REQUEST, f"a session begins with {GREETING}, found {message.method}")
    given = message.params or {}
    named, args = isinstance(given.get("name"), str), isinstance(given.get("arguments") or {}, dict)
    if message.method == "tools/call" and not (named and args):
        return _error(message.id, INVALID_PARAMS, "a call of a tool has a name, a string, and arguments, an object")
    return None


def refusal(reason: ValidationError) -> JSONRPCError | None:
    """The error for a line that is no message; None of an empty line, which asks nothing."""
    first = reason.errors()[0]
    line = first["input"]
    if first["type"] != "json_invalid":
        found = next((error["input"] for error in reason.errors() if isinstance(error["input"], dict)), None)
        return _error(
            _id(found), INVALID_REQUEST, "a line is one message of JSON-RPC 2.0: an object with jsonrpc, method"
        )
    if not line.strip():
        return None
    found = _read(line)
    if found is None:
        return _error(None, PARSE_ERROR, f"the line is no JSON: {first['ctx']['error']}")
    return _error(
        _id(found), INVALID_REQUEST, "a text of the message holds half a surrogate pair, which is no character"
    )


def _read(line: str) -> Any:
    """What Python reads in a line that the SDK did not: half a surrogate pair is what they differ in; else None."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _id(message: object) -> int | str | None:
    """What a message is known by to who sent it; None where it does not say."""
    found = message.get("id") if isinstance(message, dict) else None
    if isinstance(found, str):
        return found if found.isprintable() else None
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def _error(known: int | str | None, code: int, said: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=known, error=ErrorData(code=code, message=said))
