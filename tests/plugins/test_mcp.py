"""The server of the Model Context Protocol, asked by the SDK's own client: in this process, and over stdio."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client, StdioServerParameters
from mcp_types import JSONRPCRequest, jsonrpc_message_adapter
from pydantic import ValidationError

from opspec.cli.main import main
from opspec.docs import schemas
from opspec.plugins import mcp_lines, tools
from opspec.plugins.mcp_server import server
from tests.cli.test_check import ARGS, ILLEGAL, OP

NAMES = ["search", "show", "check", "explain", "repair", "infer", "example", "stub", "docs", "diff"]


def asked(*questions: tuple[str, dict[str, Any]]) -> list[Any]:
    """What the tools answer, one after the other."""

    async def ask(client: Client) -> list[Any]:
        return [await client.call_tool(name, given) for name, given in questions]

    return with_client(ask, server())


def with_client(ask: Callable[[Client], Awaitable[list[Any]]], to: Any) -> list[Any]:
    async def run() -> list[Any]:
        async with Client(to) as client:
            return list(await ask(client))

    return anyio.run(run)


def answer(name: str, **given: Any) -> dict[str, Any]:
    """A tool's structured answer, which is as its schema says, and its text the same."""
    (found,) = asked((name, given))
    assert not found.is_error, found.content
    schema = next(tool.output_schema for tool in with_client(_tools, server()) if tool.name == name)
    jsonschema.validate(found.structured_content, schema)
    assert json.loads(found.content[0].text) == found.structured_content
    return dict(found.structured_content)


async def _tools(client: Client) -> list[Any]:
    return list((await client.list_tools()).tools)


def error(name: str, **given: Any) -> str:
    """What a tool says of a question that it cannot answer."""
    (found,) = asked((name, given))
    assert found.is_error
    text: str = found.content[0].text
    assert "Traceback" not in text
    return text


def test_every_tool_says_what_it_takes_and_gives() -> None:
    found = with_client(_tools, server())
    assert [tool.name for tool in found] == NAMES
    for tool in found:
        assert tool.description
        assert tool.output_schema
        assert tool.annotations.read_only_hint
        assert all(row.get("description") or "anyOf" in row or row["type"] == "integer"
                   for row in tool.input_schema["properties"].values())  # fmt: skip


@pytest.mark.parametrize("tool", NAMES)
def test_the_example_of_a_tool_is_answered(tool: str) -> None:
    """And stands in its description, where an agent reads it."""
    assert answer(tool, **tools.EXAMPLES[tool])
    (described,) = (each for each in with_client(_tools, server()) if each.name == tool)
    assert json.dumps(tools.EXAMPLES[tool]) in described.description


def test_an_agent_finds_an_operator_and_makes_a_call_legal() -> None:
    """The way that an agent goes, with the answer of one tool as the question of the next."""
    found = answer("search", query="gelubackwardv2")
    assert {"op": OP, "release": "9.1.0", "family": "activation"} in found["operators"]
    made = answer("example", op=OP, product="910b")
    assert answer("check", **made)["legal"]
    made["args"]["approximate"] = "sine"
    judged = answer("check", **made)
    (verdict,) = judged["verdicts"]
    assert (judged["legal"], verdict["status"]) == (False, "ACLNN_ERR_PARAM_INVALID")
    assert verdict["violations"][0]["rule"] == "approximate.enum"
    assert "approximate.enum" in {rule["id"] for rule in answer("show", op=OP)["rules"]}
    inputs = {name: value for name, value in ARGS.items() if name != "gradInput"}
    assert answer("infer", op=OP, product="910b", args=inputs)["outputs"]["gradInput"]["shape"] == [4, 16]
    assert "CMakeLists.txt" in answer("stub", op=OP)["files"]
    assert answer("docs", op=OP, lang="zh")["markdown"].startswith(f"# {OP}\n")


def test_all_products_are_judged_apart() -> None:
    found = answer("check", op=OP, args=ARGS, product="all")
    assert len(found["verdicts"]) > 3
    assert found["legal"]


def test_an_illegal_call_is_explained_and_repaired() -> None:
    """From what a log says to a call that is legal."""
    failures = answer("explain", text=f"{OP} failed, error code is 161002: gradInput dtype")["failures"]
    assert failures[0]["op"] == OP
    fixes = answer("repair", op=OP, args=ILLEGAL["args"], product="910b")["fixes"]
    assert fixes
    assert answer("check", op=OP, args=fixes[0]["call"]["args"], product="910b")["legal"]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("search", {"query": "gelubackwardv2"}),
        ("show", {"op": OP}),
        ("check", {"op": OP, "args": ARGS, "product": "910b"}),
        ("explain", {"text": f"{OP} failed, error code is 161002: gradInput dtype"}),
        ("repair", {"op": OP, "args": ILLEGAL["args"], "product": "910b"}),
        ("infer", {"op": OP, "args": ARGS, "product": "910b"}),
        ("example", {"op": OP}),
        ("stub", {"op": OP}),
        ("docs", {"op": OP}),
    ],
)
def test_a_version_is_read_as_the_nearest_release(name: str, given: dict[str, Any]) -> None:
    """The answer is that of the release, with a note."""
    found = answer(name, **given, release="8.2.RC1")
    note = found.pop("note")
    assert note.endswith("read as 8.5.0, the nearest")
    assert found == answer(name, **given, release="8.5.0")


def test_an_operators_past_is_shown() -> None:
    """In one language, as the rules are."""
    steps = answer("show", op="aclnnIsFinite", lang="zh")["releases"]
    assert [step["release"] for step in steps] == ["8.5.0", "9.0.0", "9.1.0"]
    assert all(step["zh"] and "en" not in step for step in steps)


def test_releases_are_compared() -> None:
    found = answer("diff", op="aclnnAdd", before="8.5.0", after="9.1.0")
    assert (found["before"], found["after"]) == ("8.5.0", "9.1.0")
    assert "did you mean" in error("diff", op="aclnnAd", before="8.5.0", after="9.1.0")
    assert "1.2" in error("diff", op="aclnnAdd", before="1.2", after="/etc/passwd")


def test_a_verdict_has_the_same_keys_everywhere() -> None:
    verdict = schemas.verdict()
    assert set(tools.Verdict.__annotations__) == set(verdict["properties"])
    assert set(tools.Finding.__annotations__) == set(verdict["$defs"]["finding"]["properties"])


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("check", {"op": "aclnnGelluBackwardV2", "args": {}}, "did you mean 'aclnnGeluBackwardV2'"),
        ("check", {"op": OP, "args": {}}, "gradOutput: required, but missing"),
        ("check", {"op": OP, "args": ARGS, "product": "abacus"}, "abacus"),
        ("check", {"op": OP, "args": ARGS, "release": "one"}, "there are 8.0, 8.5.0"),
        ("check", {"op": OP, "args": "x"}, "args"),
        ("check", {"op": OP, "args": ARGS, "lang": "fr"}, "lang"),
        ("check", {"op": 3, "args": ARGS}, "op"),
        ("check", {"args": ARGS}, "op"),
        ("show", {"op": "../../etc/passwd"}, "passwd"),
        ("search", {"query": "nothing is named so"}, "no operator is named so"),
        ("search", {"query": "a", "limit": 10**9}, "limit"),
        ("example", {"op": OP, "seed": -1}, "seed"),
        ("docs", {"op": "x" * 10_000}, "op"),
        ("check", {"op": OP, "arg": ARGS}, "check takes no 'arg'; did you mean 'args'?"),
        ("check", {"args": ARGS}, "op is missing; as in {"),
        ("shwo", {"op": OP}, "there is no tool 'shwo'; did you mean 'show'?"),
    ],
)
def test_bad_questions_are_told_what_is_wrong(name: str, given: dict[str, Any], told: str) -> None:
    """In words for who asked, without those of the library that checks arguments."""
    said = error(name, **given)
    assert told in said
    assert "pydantic" not in said
    assert "validation error" not in said


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["tensor", "shape", "x"]), inner),
    max_leaves=6,
)


@settings(max_examples=50)
@given(st.dictionaries(st.sampled_from([*ARGS, "other"]), JSON))
def test_whatever_arguments_are_given_the_answer_is_a_verdict_or_says_why(args: dict[str, Any]) -> None:
    (found,) = asked(("check", {"op": OP, "args": {**ARGS, **args}}))
    assert not found.is_error or OP in found.content[0].text


def test_it_serves_over_stdio() -> None:
    """As agents start it: a process of its own."""
    command = StdioServerParameters(command=sys.executable, args=["-m", "opspec", "mcp"])

    async def ask(client: Client) -> list[Any]:
        return [await client.call_tool("check", {key: ILLEGAL[key] for key in ("op", "product", "args")})]

    (found,) = with_client(ask, command)
    assert found.structured_content["legal"] is False


HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}},
}  # fmt: skip
STARTED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def served(*lines: bytes) -> list[dict[str, Any]]:
    """What a server of its own writes, that is told these lines after the greeting; the end of input is its end."""
    sent = b"\n".join([json.dumps(HELLO).encode(), json.dumps(STARTED).encode(), *lines, b""])
    done = subprocess.run([sys.executable, "-m", "opspec", "mcp"], input=sent, capture_output=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(one["jsonrpc"] == "2.0" for one in answers)  # standard output is the protocol alone
    assert answers[0]["result"]["serverInfo"]["name"] == "opspec"
    return answers[1:]


def test_each_line_that_is_no_message_gets_an_error() -> None:
    """Who sent it does not wait for ever, and reads which of its questions it was."""
    surrogate = b'{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "show\\ud800"}}'
    answers = served(surrogate, b"{", b"nothing", b"\xff", b"", b"[]", b'{"id": 3}', b"[" * 10_000)
    assert [(one["id"], one["error"]["code"]) for one in answers] == [
        (2, -32600), (None, -32700), (None, -32700), (None, -32700), (None, -32600), (3, -32600), (None, -32700),
    ]  # fmt: skip
    assert "half a surrogate pair" in answers[0]["error"]["message"]


def test_each_message_that_cannot_be_answered_is_told_why() -> None:
    """A request without an id that it may have, and a call of a tool that names none."""
    lines: list[dict[str, Any]] = [
        {"id": None, "method": "tools/list"}, {"id": 1.5, "method": "tools/list"}, {"method": "tools/list"},
        {"id": 4, "method": "tools/call"}, {"id": 6, "method": "tools/call", "params": {"arguments": {}}},
        {"id": 5, "method": "tools/call", "params": {"name": "show", "arguments": [1]}},
        {"method": "notifications/unknown"},
    ]  # fmt: skip
    answers = served(*(json.dumps({"jsonrpc": "2.0", **line}).encode() for line in lines))
    assert [(one["id"], one["error"]["code"]) for one in answers] == [
        (None, -32600), (None, -32600), (None, -32600), (4, -32602), (6, -32602), (5, -32602),
    ]  # fmt: skip
    assert "a string or an integer" in answers[0]["error"]["message"]


def test_a_session_begins_with_a_greeting() -> None:
    """Who asks before it is told so, and may begin it then."""
    asked = JSONRPCRequest(jsonrpc="2.0", id=1, method="tools/list")
    error = mcp_lines.unanswerable(asked, greeted=False)
    assert error is not None
    assert "initialize" in error.error.message
    assert mcp_lines.unanswerable(asked, greeted=True) is None
    assert mcp_lines.unanswerable(asked.model_copy(update={"method": "initialize"}), greeted=False) is None


@settings(max_examples=300)
@given(st.binary(max_size=30).map(lambda line: line.decode(errors="replace")) | JSON.map(json.dumps))
def test_whatever_a_line_is_it_is_a_message_or_gets_an_error(line: str) -> None:
    """Of which the SDK makes a line; only an empty one asks nothing."""
    try:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as reason:
        error = mcp_lines.refusal(reason)
        assert (error is None) == (not line.strip())
        assert error is None or json.loads(error.model_dump_json())["error"]["message"]


def test_without_the_sdk_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "opspec.plugins.mcp_server")
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    assert main(["mcp"]) == 2
    assert "pip install 'opspec[mcp]'" in capsys.readouterr().err
