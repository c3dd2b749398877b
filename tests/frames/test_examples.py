"""The page on many calls: its examples are code, and what it shows of Dask, workers of Dask do."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.paths import REPOSITORY

PAGES = ("docs/frames.md", "docs/zh/frames.md")
LIBRARIES = ("pyarrow", "dask", "pyspark", "ray")


def examples(page: str) -> dict[str, str]:
    """Library -> the example that imports it first."""
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    return {re.findall(r"^(?:import|from) (\w+)", block, re.M)[0]: block for block in blocks}


@pytest.mark.parametrize("page", PAGES)
def test_there_is_an_example_of_each(page: str) -> None:
    """All of it Python."""
    found = examples(page)
    assert tuple(found) == LIBRARIES
    for block in found.values():
        ast.parse(block)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.filterwarnings("default")  # of libraries that are others'
def test_the_examples_run(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One process makes the file, workers of Dask judge it, in processes of their own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "calls.jsonl").write_bytes((REPOSITORY / "examples" / "gelu_backward.jsonl").read_bytes())
    for name in ("pyarrow", "dask"):
        exec(compile(examples(page)[name], page, "exec"), {"__name__": "__main__"})  # noqa: S102 - our own example
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    assert capsys.readouterr().out == "".join(re.findall(r"^```text\n(.*?)^```", text, re.M | re.S)[:2])
