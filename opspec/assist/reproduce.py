"""A call as the smallest program that makes it: C, and Python where torch_npu has an interface for it.

For a report to the vendor, or to run alone: what was expected and the rule stand at the head.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass

from opspec.assist.definitions import definition
from opspec.codegen.stubs.example import Given
from opspec.codegen.stubs.reproduce import program
from opspec.registry.registry import Form, Registry
from opspec.validator.arguments import arguments_of
from opspec.validator.judge import judge
from opspec.validator.verdict import Verdict
from opspec.vocabulary.enforcement import REFUSED


@dataclass(frozen=True, slots=True)
class Program:
    """A call as programs.

    Args:
        verdict: what opspec says of it.
        files: the end of a file's name -> its text.
    """

    verdict: Verdict
    files: Mapping[str, str]


def reproduced(
    known: Registry, form: Form, args: Mapping[str, object], product: str | None, member: str | None
) -> Program:
    """The programs that make a call.

    Args:
        known: the registry that the form is of.
        args: JSON values by param name.
        product, member: what the call is for, as :func:`opspec.validator.api.resolved` tells them.

    Raises:
        OpspecError: the arguments do not fit the operator, the spec is partial, or the call has no form in C.
    """
    arguments = arguments_of(form, dict(args))
    verdict = judge(form, arguments, product, member, "en")
    said = _said(verdict)
    files = {".c": program(definition(known, form.operator, form.release), Given(member or product, dict(args), said))}
    if importlib.util.find_spec("torch") is not None:
        from opspec.torch.spelled import python_of

        text = python_of(form, dict(zip((param[0] for param in form.params), arguments, strict=True)), product)
        if text is not None:
            files[".py"] = "".join(f"# {line}\n" for line in said.split("\n")) + text
    return Program(verdict, files)


def _said(verdict: Verdict) -> str:
    """What a reader of the program is told: the call, what is expected of it, and why."""
    on = f" on {verdict.product}" if verdict.product else ""
    lines = [f"A call of {verdict.op}, CANN {verdict.release}{on}. Expected of its first phase: {_expected(verdict)}."]
    for finding in verdict.violations:
        source = f", {finding.source}" if finding.source else ""
        known = "" if finding.enforcement == REFUSED else " (which the runtime is not expected to refuse)"
        lines.append(f"{finding.message}{known}: rule {finding.rule}{source}.")
    return "\n".join(lines)


def _expected(verdict: Verdict) -> str:
    return "success" if verdict.code == 0 else f"{verdict.code} {verdict.status}"
