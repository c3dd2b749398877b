"""What is fuzzed: how an input is made by chance, and how the program is given it.

An input is whatever the program reads: a line of calls, a spec, a page. It passes when the program ends with a
documented exit status, in time, and without an exception; what it says is not looked at.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import random
import signal
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

from opspec.cli.main import main
from opspec.errors import OpspecError
from opspec.model.load import load_text
from opspec.yamltext import read
from tests.fuzz import mutate
from tests.paths import REPOSITORY, SHARED
from tests.workshop.importer.building import PAGE

SECONDS = 10.0  # of the processor's time, after which the program is taken to hang
STATUSES = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Found:
    """An input that does not pass, and why."""

    data: str
    why: str


@dataclass(frozen=True, slots=True)
class Target:
    """Something that is fuzzed.

    Args:
        suffix: of a file that holds an input.
        make: an input.
        give: hands some inputs to the program in one go; raises what the program raises.
        batch: how many inputs go in one go.
    """

    name: str
    suffix: str
    make: Callable[[random.Random], str]
    give: Callable[[Sequence[str], Path], None]
    batch: int = 1


class UndocumentedStatusError(Exception):
    """The program ended with a status that it should not end with."""


class HangError(BaseException):
    """The program did not end in time; nothing that catches exceptions catches it."""


def failures(target: Target, inputs: Sequence[str], folder: Path) -> Iterator[Found]:
    """Those of the inputs that do not pass; of a batch that fails each is tried alone."""
    why = _tried(target, inputs, folder)
    if why is None:
        return
    if len(inputs) == 1:
        yield Found(inputs[0], why)
        return
    half = len(inputs) // 2
    before = [*failures(target, inputs[:half], folder), *failures(target, inputs[half:], folder)]
    yield from before or [Found("\n".join(inputs), why)]


def _tried(target: Target, inputs: Sequence[str], folder: Path) -> str | None:
    def late(*_: object) -> None:
        raise HangError

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            target.give(inputs, folder)
    except HangError:
        return f"no end after {SECONDS} s"
    except UndocumentedStatusError as error:
        return str(error)
    except Exception:
        return traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return None


def _command(words: list[str]) -> None:
    status = main(words)
    if status not in STATUSES:
        raise UndocumentedStatusError(f"exit status {status} of opspec {words[0]}")


# --- calls


@lru_cache(maxsize=1)
def _calls() -> list[mutate.Json]:
    """Recorded calls of every eighth operator: a form that is compiled costs as much as ten thousand checks."""
    with gzip.open(REPOSITORY / "tests" / "data" / "tests.jsonl.gz", "rt", encoding="utf-8") as file:
        found = [json.loads(line) for line in file]
    chosen = set(sorted({call["op"] for call in found})[::8])
    return [call for call in found if call["op"] in chosen]


def _call(chance: random.Random) -> str:
    made = mutate.tree(chance, chance.choice(_calls())) if chance.random() < 0.98 else chance.choice(mutate.ODD)
    line = json.dumps(made, ensure_ascii=chance.random() < 0.5)
    return mutate.text(chance, line, most=2) if chance.random() < 0.1 else line


def _check(inputs: Sequence[str], folder: Path) -> None:
    path = folder / "calls.jsonl"
    path.write_bytes("\n".join(inputs).encode("utf-8", "surrogatepass"))
    _command(["check", str(path), "--output", "jsonl"])


# --- specs


@lru_cache(maxsize=1)
def _specs() -> list[Path]:
    found = sorted((REPOSITORY / "specs" / "9.1.0").rglob("*.yaml"), key=lambda path: path.stat().st_size)
    return found[: len(found) // 2]  # large ones are made of the same


def _spec(chance: random.Random) -> str:
    """A spec whose text, or whose tree, is another one: what fits YAML and no model is found by the latter."""
    text = chance.choice(_specs()).read_text(encoding="utf-8")
    if chance.random() < 0.5:
        return mutate.text(chance, text)
    return yaml.safe_dump(mutate.tree(chance, read(text, "spec").value, most=2), allow_unicode=True, sort_keys=False)


def _load(inputs: Sequence[str], _folder: Path) -> None:
    for one in inputs:
        with contextlib.suppress(OpspecError):
            load_text(one.encode("utf-8", "surrogatepass"), str(REPOSITORY / "specs" / "9.1.0" / "math" / "made.yaml"))


def _lint(inputs: Sequence[str], folder: Path) -> None:
    for one in inputs:
        path = folder / "9.1.0" / "math" / "aclnnMade.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(one.encode("utf-8", "surrogatepass"))
        _command(["lint", str(path)])


# --- pages


@lru_cache(maxsize=1)
def _pages() -> list[str]:
    corpus = sorted((SHARED / "docs" / "9.1.0").rglob("*.md")) if SHARED.is_dir() else []
    return [PAGE, *(path.read_text(encoding="utf-8") for path in corpus[::20])]


def _page(chance: random.Random) -> str:
    return mutate.text(chance, chance.choice(_pages()), most=5)


def _import(inputs: Sequence[str], folder: Path) -> None:
    for one in inputs:
        path = folder / "page.md"
        path.write_bytes(one.encode("utf-8", "surrogatepass"))
        _command(["import", str(path), "--release", "9.1.0", "--out", str(folder / "specs"), "--dry-run"])


TARGETS = {
    target.name: target
    for target in (
        Target("calls", ".jsonl", _call, _check, batch=500),
        Target("specs", ".yaml", _spec, _load, batch=20),
        Target("lint", ".yaml", _spec, _lint),
        Target("pages", ".md", _page, _import),
    )
}
