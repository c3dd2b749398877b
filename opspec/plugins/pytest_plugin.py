"""A plugin of pytest: the fixture ``opspec_check``, and files ``*.calls.jsonl`` as tests, a line each.

pytest loads it wherever opspec is installed, so it imports nothing of opspec before a test asks for it.
"""

from __future__ import annotations

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import Any

    from opspec.validator.files import BrokenCall
    from opspec.validator.read import Call
    from opspec.validator.verdict import Verdict

SUFFIX = ".calls.jsonl"

_LONGEST = 80  # characters of a call's id in the name of its test


def pytest_addoption(parser: pytest.Parser) -> None:
    """What a project may set for all its calls."""
    parser.addini("opspec_product", "the product of calls that name none", default="")
    parser.addini("opspec_release", "the CANN release to judge calls by (default: the newest)", default="")
    parser.addini("opspec_specs", "registry folders beside the built-in one", type="paths")


@pytest.fixture
def opspec_check(pytestconfig: pytest.Config) -> Callable[..., Verdict]:
    """A function that fails the test when a call is not legal: it takes what ``opspec.check`` takes, but not ``all``
    products, and returns the verdict."""
    __tracebackhide__ = True

    def check(op: str, /, *positional: Any, **named: Any) -> Verdict:
        __tracebackhide__ = True
        import opspec

        given: dict[str, Any] = {
            "product": _setting(pytestconfig, "product"),
            "release": _setting(pytestconfig, "release"),
            "specs": _specs(pytestconfig),
        }
        wrong = None
        try:
            found: Any = opspec.check(op, *positional, **{**given, **named})
        except opspec.OpspecError as error:
            wrong = str(error)
        if wrong is not None:  # where in opspec it was noticed tells who wrote the arguments nothing
            pytest.fail(wrong, pytrace=False)
        if not found:
            pytest.fail(str(found), pytrace=False)
        verdict: Verdict = found
        return verdict

    return check


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> CallsFile | None:
    """Files of calls."""
    return CallsFile.from_parent(parent, path=file_path) if file_path.name.endswith(SUFFIX) else None


class CallsFile(pytest.File):
    """A file of calls."""

    def collect(self) -> Iterator[CallItem]:
        """A test for each line."""
        from opspec.errors import OpspecError
        from opspec.validator.read import calls

        try:
            for call in calls(str(self.path), kind="jsonl"):
                yield CallItem.from_parent(self, name=_name(call), call=call)
        except OpspecError as error:
            raise self.CollectError(str(error)) from None


class CallItem(pytest.Item):
    """A call, which is legal, or returns what it says under ``expect``: a status, or ``REJECT`` for any failure."""

    def __init__(self, *, call: Call | BrokenCall, **more: Any) -> None:
        super().__init__(**more)
        self.call = call

    def runtest(self) -> None:
        """Judge the call."""
        from opspec.registry.registry import registry
        from opspec.validator.batch import Judge
        from opspec.validator.files import BrokenCall

        call = self.call
        if isinstance(call, BrokenCall):
            raise call.error
        call.product = call.product or _setting(self.config, "product")
        call.release = call.release or _setting(self.config, "release")
        judge = Judge(registry(_specs(self.config)), None, None, "en")
        for verdict, _ in judge.verdicts(call):
            if not _as_expected(call, verdict):
                raise UnexpectedVerdict(call.expect, verdict)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any) -> str | Any:
        """The verdict, or what is wrong with the line."""
        from opspec.errors import OpspecError

        if isinstance(excinfo.value, (UnexpectedVerdict, OpspecError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The line of the file."""
        return self.path, self.call.number - 1, self.name


class UnexpectedVerdict(Exception):
    """A call is not legal, or does not return the status that it should."""

    def __init__(self, expected: str | None, verdict: Verdict) -> None:
        super().__init__(f"expected {expected}:\n{verdict}" if expected else str(verdict))


def _as_expected(call: Call, verdict: Verdict) -> bool:
    if call.expect is None:
        return verdict.legal
    from opspec.vocabulary import status

    return status.is_outcome(verdict.status, status.outcome(call.expect))


def _name(call: Call | BrokenCall) -> str:
    """The line's number, which no other has, and the call's id."""
    own = getattr(call, "id", None)
    if not own:
        return str(call.number)
    from opspec.errors import printable

    return f"{call.number}-{printable(own)[:_LONGEST]}"


def _setting(config: pytest.Config, name: str) -> str | None:
    value: str = config.getini(f"opspec_{name}")
    return value or None


def _specs(config: pytest.Config) -> list[str]:
    return [str(path) for path in config.getini("opspec_specs")]
