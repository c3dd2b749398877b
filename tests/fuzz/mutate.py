"""Changes of a tree of JSON and of a text, by chance: most of what comes out is nearly an input, and none."""

from __future__ import annotations

import copy
import random
from typing import Any, TypeAlias

Json: TypeAlias = Any

#: values that stand where others should
ODD: tuple[Json, ...] = (
    None, True, False, 0, -1, 1, 7, 2**31, 2**63, -(2**63) - 1, 2**64, 10**40, 0.5, -0.0, 1e308, float("nan"),
    float("inf"), "", " ", "FLOAT", "float16", "DT_BF16", "ND", "NaN", "null", "-1", "\x00", "\x1b[2J\x07", "\ud800",
    "\u202e", "ａ", "无", "a" * 300, [], [[]], [0] * 2, [-1], [2**40] * 3, [1] * 200, [None], ["x"], [1.5], {}, {"": 0},
    {"tensor": None}, {"tensor": {}}, {"tensor": {"shape": [2], "dtype": "FLOAT"}}, {"scalar": 1}, {"int_array": [1]},
    {"tensor_list": []}, {"tensor_list": [None]}, {"bool_array": [True]}, {"value": []},
)  # fmt: skip
_WORDS = (
    "true", "null", "{", "}", "[", "]", ",", ":", "'", '"', "\\", "#", "&a", "*a", "!!python/object", "|", ">", "-",
    "<table>", "</td>", "<tr>", "&nbsp;", "|--|", "```", "self", "x.shape", "x.shape[-1]", "len(", "for every", "if",
    "else", "==", "<=", "% 0", "// 0", "2**63", "9" * 40, "same as x", "(N, C)", "0-8", "> 0", "\x00", "\ud7ff", "\t",
    "\r", "\u2028", "，", "（", "product == '910b'", "[FLOAT]", "extends: aclnnAdd", "yes", "...", "---", "<!--", "$x$",
)  # fmt: skip


def tree(chance: random.Random, value: Json, most: int = 4) -> Json:
    """The tree with some nodes replaced, taken away, doubled or put elsewhere."""
    made = copy.deepcopy(value)
    for _ in range(chance.randint(1, most)):
        holders = [holder for holder in _holders(made) if holder]
        if not holders:
            return copy.deepcopy(chance.choice(ODD))
        _change(chance, chance.choice(holders), holders)
    return made


_SIZES = (0, 1, 2, 3, 7, 8, 15, 16, 17, 32, 64, 100, 128, 256, 257, 1024, 65536, 2**31 - 1, 2**31)
_NAMES = ("FLOAT", "FLOAT16", "BFLOAT16", "INT8", "INT32", "INT64", "BOOL", "DOUBLE", "COMPLEX64", "UINT8", "INT4")
_LAYOUTS = ("ND", "NCHW", "NHWC", "NZ", "FRACTAL_NZ", "NCDHW")


def values(chance: random.Random, call: Json, most: int = 3) -> Json:
    """The call with some values in its arguments that are others of the same kind: it is a call as much as before."""
    made = copy.deepcopy(call)
    for _ in range(chance.randint(1, most)):
        places = [(holder, key) for holder in _holders(made["args"]) for key in _keys(holder)]
        if places:
            holder, key = chance.choice(places)
            holder[key] = _other(chance, key, holder[key])
    return made


def _keys(holder: Json) -> list[Json]:
    return list(holder) if isinstance(holder, dict) else list(range(len(holder)))


def _other(chance: random.Random, key: Json, value: Json) -> Json:
    """A value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return chance.choice((value + 1, value - 1, -1, chance.choice(_SIZES)))
    if isinstance(value, float):
        return chance.choice((0.0, -value, value * 2, 1e-5, "inf", "nan"))
    if key in ("dtype", "format"):
        return chance.choice(_NAMES if key == "dtype" else _LAYOUTS)
    if isinstance(value, list):
        return chance.choice((value[:-1], value + value[:1], value[::-1], []))
    return None if isinstance(value, dict) and chance.random() < 0.3 else value


def _holders(value: Json) -> list[Json]:
    found: list[Json] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, (dict, list)):
            found.append(one)
            waiting += one.values() if isinstance(one, dict) else one
    return found


def _change(chance: random.Random, holder: Json, holders: list[Json]) -> None:
    key = chance.choice(list(holder)) if isinstance(holder, dict) else chance.randrange(len(holder))
    match chance.randrange(6):
        case 0 | 1:
            holder[key] = copy.deepcopy(chance.choice(ODD))
        case 2:
            del holder[key]
        case 3 if isinstance(holder, dict):
            holder[chance.choice([f"{key}_", str(key).upper(), str(key)[:-1], "x-own", "note", "\x07", ""])] = holder[
                key
            ]
        case 4:
            holder[key] = copy.deepcopy(chance.choice(holders))
        case _:
            holder[key] = text(chance, holder[key]) if isinstance(holder[key], str) else [holder[key]] * 2


def text(chance: random.Random, value: str, most: int = 3) -> str:
    """The text with some letters, words or lines taken away, doubled, swapped or put in."""
    for _ in range(chance.randint(1, most)):
        value = _text(chance, value)
    return value


def _text(chance: random.Random, value: str) -> str:
    at = chance.randint(0, len(value))
    end = min(len(value), at + chance.choice((1, 1, 2, 5, 20)))
    match chance.randrange(7):
        case 0:
            return value[:at] + value[end:]
        case 1:
            return value[:at] + value[at:end] * chance.choice((2, 2, 50)) + value[end:]
        case 2 | 3:
            return value[:at] + chance.choice(_WORDS) + value[end:]
        case 4:
            return value[:at] + chr(chance.choice((0, 7, 27, 34, 39, 92, 160, 0x202E, 0x1F600))) + value[end:]
        case _:
            lines = value.split("\n")
            one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
            match chance.randrange(4):
                case 0:
                    del lines[one]
                case 1:
                    lines.insert(other, lines[one])
                case 2:
                    lines[one], lines[other] = lines[other], lines[one]
                case _:
                    lines[one] = chance.choice(("  ", "    ", "- ", "\t")) + lines[one]
            return "\n".join(lines)
