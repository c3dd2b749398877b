"""What a terminal is given: nothing of the input but what it can show, in any encoding, and no forged line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.forked import ended

HOSTILE = "\x1b[2J\nlegal  aclnnX  \x07\r\x9b31m\u202e\x7f\0"
LONE = "\ud800"
TENSOR = {"tensor": {"shape": [4, 16], "dtype": "FLOAT16"}}

SPEC = r"""
operator: aclnnEsc
release: 9.1.0
summary: {en: "a \e[31m \a b", zh: "甲 \e[31m"}
products: {910b: yes}
params:
  - {name: x, ctype: const aclTensor*, about: {en: "hi \e[2J", zh: "乙 \e[2J"}, optional: false}
  - {name: mode, ctype: const char*, enum: ["a\e[2J"], optional: false}
"""


def call(**changes: Any) -> dict[str, Any]:
    """A call whose text arguments and id are hostile."""
    args = {"gradOutput": TENSOR, "self": TENSOR, "approximate": HOSTILE.replace("\0", ""), "gradInput": TENSOR}
    return {"id": HOSTILE, "op": "aclnnGeluBackwardV2", "product": "910b", "args": args, **changes}


CALLS = [
    call(), call(id=LONE), call(id="é 张 😀"), call(op=HOSTILE), call(product=HOSTILE), call(args={HOSTILE: 1}),
    call(release=HOSTILE), {HOSTILE: 1},
]  # fmt: skip


@pytest.fixture(scope="module")
def specs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A registry folder with a hostile spec, a page, and a folder of a hostile name."""
    root = tmp_path_factory.mktemp("hostile")
    for family in ("math", "ma\x1b[2Jth"):
        folder = root / ("specs" if family == "math" else "others") / "9.1.0" / family
        folder.mkdir(parents=True)
        (folder / "aclnnEsc.yaml").write_text(SPEC, encoding="utf-8")
    (root / "page.md").write_text("# aclnnEsc\x1b[2J\n\n## 函数原型\x07\n\n`aclnnEscGetWorkspaceSize(x\x1b[2J)`\n")
    return root


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ascii", "gbk"])
def test_nothing_hostile_reaches_a_terminal_and_no_encoding_stops_a_command(encoding: str, specs: Path) -> None:
    """Control characters of ids, names, texts of specs, pages and folders stand as escapes wherever they are shown."""
    lines = "\n".join(map(json.dumps, CALLS))
    (specs / "calls.jsonl").write_text(json.dumps({**call(), "expect": HOSTILE, "change": HOSTILE}) + "\n")
    own, others = ["--specs", str(specs / "specs")], ["--specs", str(specs / "others")]
    cases: list[dict[str, Any]] = []
    for output in ("text", "json", "jsonl", "summary", "summary-json"):
        cases += [{"words": ["check", "--lang", lang, "--output", output], "stdin": lines} for lang in ("en", "zh")]
    cases += [{"words": words} for words in (
        ["show", "aclnnEsc", *own], ["show", "aclnnEsc", "--lang", "zh", *own],
        ["show", "aclnnEsc", "--output", "json", *own],
        ["list", "aclnnEsc", *others], ["lint", str(specs / "others")], ["fmt", "--check", str(specs / "others")],
        ["conflicts", "aclnnEsc", *own], ["matrix", "aclnnEsc", *own], ["matrix", "aclnnAdd"], ["language"],
        ["coverage", "aclnnEsc", *own], ["example", "aclnnEsc", *own], ["audit", str(specs / "page.md")],
        ["conformance", str(specs / "calls.jsonl")], ["list", HOSTILE.replace("\0", "")], ["check", "--help"],
        ["check", "/no\x1b[2Jwhere"], ["no\x1b[2Jthing"], ["check", "--no\x1b[2Jthing"], ["kinds", "--lang", "zh"],
        ["import", str(specs / "page.md"), "--release", "9.1.0", "--out", str(specs / "new"), "--dry-run"],
        ["docs", "aclnnEsc", *own, "--out", str(specs / "p\x1b[2J")],
    )]  # fmt: skip
    for case in cases:
        case["encoding"] = encoding
    for case, found in zip(cases, ended(cases), strict=True):
        for text in (found.out.decode(encoding), found.err.decode(encoding)):
            assert all(line.isprintable() for line in text.split("\n")), (case["words"], text)
        assert b"Traceback" not in found.err, (case["words"], found.err)
        assert found.status in (0, 1, 2), case["words"]
        if "jsonl" in case["words"]:
            ids = [json.loads(line)["id"] for line in found.out.decode(encoding).splitlines()]
            assert ids == [HOSTILE, LONE, "é 张 😀"]
        elif "json" in case["words"]:
            json.loads(found.out.decode(encoding))
        elif case["words"][0] == "check" and "text" in case["words"]:
            heads = [line for line in found.out.decode(encoding).splitlines() if not line.startswith(" ")]
            assert len(heads) == 3
