"""What C headers declare, as clang reads them: names with types, numbers and fields, in a form that can be compared."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

_NUMBER = re.compile(r"\(?(-?)(0[xX][0-9a-fA-F]+|\d+)[uUlL]*\)?")


def declarations(includes: Sequence[str], options: Sequence[str], folder: Path) -> dict[str, str]:
    """Name -> what it is: functions, types, enumerators, constants and macros that are numbers."""
    source = folder / "includes.cpp"
    source.write_text("".join(f'#include "{name}"\n' for name in includes))
    found: dict[str, str] = {}
    tree = json.loads(_clang("-Xclang", "-ast-dump=json", "-fsyntax-only", *options, str(source)))
    for node in _nodes(tree):
        found.update(_described(node))
    for line in _clang("-dM", "-E", *options, str(source)).splitlines():
        _, name, *value = line.split(" ", 2)
        number = _NUMBER.fullmatch(value[0].strip()) if value else None
        if number:
            found[name] = _value(int(number[1] + number[2], 0))
    return found


def _clang(*words: str) -> str:
    done = subprocess.run(["clang++", "-std=c++17", "-w", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for child in node.get("inner", ()):
        if child["kind"] == "LinkageSpecDecl":
            yield from _nodes(child)
        elif "name" in child or child["kind"] == "EnumDecl":
            yield child


def _described(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    match node["kind"]:
        case "FunctionDecl":
            yield node["name"], f"function {_type(node)}"
        case "TypedefDecl":
            yield node["name"], f"type {_type(node)}"
        case "VarDecl":
            literal = re.search(r'"value": "(\d+)"', json.dumps(node.get("inner", [])))
            if literal:
                yield node["name"], _value(int(literal[1]))
        case "CXXRecordDecl" if node.get("completeDefinition"):
            fields = [child for child in node.get("inner", ()) if child["kind"] == "FieldDecl"]
            text = "; ".join(f"{_type(field)} {field.get('name')}" for field in fields)
            yield f"{node['tagUsed']} {node['name']}", text
        case "EnumDecl":
            yield from _enumerators(node)


def _enumerators(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    number = -1
    for child in node.get("inner", ()):
        if child["kind"] == "EnumConstantDecl":
            said = re.search(r'"kind": "ConstantExpr".*?"value": "(-?\d+)"', json.dumps(child))
            number = int(said[1]) if said else number + 1
            yield child["name"], _value(number)


def _type(node: dict[str, Any]) -> str:
    text: str = node["type"]["qualType"]
    return re.sub(r"\b(struct|union|enum) ", "", text)


def _value(number: int) -> str:
    """Of 32 bits: headers write -1 as 0xffffffff, too."""
    return f"number {number % 2**32 if -(2**31) <= number < 2**32 else number}"
