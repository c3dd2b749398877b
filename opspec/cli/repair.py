"""``opspec repair``: the legal calls nearest to illegal ones."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from typing import Any

from opspec.assist.repair.api import LIMIT, MOST, Fix, fixes_of
from opspec.cli import options, progress
from opspec.cli.answers import Answers
from opspec.cli.ending import BAD_INPUT, FINDING, OK
from opspec.cli.verdicts import fix_lines, painted
from opspec.errors import OpspecError
from opspec.jsontext import written
from opspec.registry.registry import registry
from opspec.validator.api import ALL
from opspec.validator.batch import Judge
from opspec.validator.read import Call
from opspec.validator.text import Lines, plain
from opspec.validator.verdict import Verdict
from opspec.vocabulary.literals import Lang

#: above the call that is shown, where there are several fixes
_WITH_FIRST = {"en": "  the call with the first of these fixes:\n", "zh": "  按第一条修改后的调用：\n"}


@dataclass(frozen=True, slots=True)
class Repaired:
    """A call, the verdict on it, and legal calls near it where it is illegal."""

    call: Call
    verdict: Verdict
    fixes: tuple[Fix, ...]

    def to_dict(self) -> dict[str, object]:
        """The verdict as JSON values, with the fixes."""
        return {**self.verdict.to_dict(), "fixes": [fix.to_dict() for fix in self.fixes]}

    def nearest(self) -> dict[str, Any] | None:
        """The nearest legal call, as ``opspec check`` reads it; None where none is known."""
        name = {} if self.call.id is None else {"id": self.call.id}
        if self.fixes:
            return {**name, **self.fixes[0].call}
        verdict = self.verdict
        said = {"op": verdict.op, "release": verdict.release, "product": verdict.product, "args": self.call.args}
        return {**name, **said} if verdict.legal else None


def run(words: list[str]) -> int:
    """The command: 1 when an illegal call is left as it is."""
    asked = _parser().parse_args(words)
    if asked.product == ALL:
        raise OpspecError("a call is repaired on one product")
    lang = options.language(asked.lang)
    judge = Judge(registry(asked.specs), asked.release, asked.product, lang)

    def repaired(call: Call) -> Repaired:
        progress.advance("calls")
        verdict = judge.verdict(call)
        near = () if verdict.legal else fixes_of(judge.known, verdict, call.args, lang, asked.most)
        return Repaired(call, verdict, near)

    left = anything = False
    answers = Answers()
    objects = options.Objects(asked.output) if asked.output in ("json", "jsonl") else None
    progress.of(None)
    progress.not_while_typing(asked.files)
    for found in answers.of_files(asked.files or ["-"], repaired, asked.input):
        anything = True
        left = left or not (found.verdict.legal or found.fixes)
        if objects is not None:
            objects.add(found.to_dict())
        else:
            sys.stdout.write(_row(found, asked.output, lang))
    if not (anything or answers.bad):
        raise OpspecError("no call there: nothing was judged")
    if objects is not None:
        objects.end()
    return BAD_INPUT if answers.bad else FINDING if left else OK


def _parser() -> argparse.ArgumentParser:
    target = options.parser(
        "repair",
        "Find legal calls near illegal ones, those with the fewest changes first: another dtype, shape, format or "
        "attribute, an optional argument left out, another product, another version of the operator. What is "
        "shown, the validator calls legal.",
        "Calls are read as opspec check reads them. 'opspec schema fix' prints the JSON Schema of an object of "
        "--output json and jsonl; docs/repair.md tells more.",
    )
    target.add_argument("files", nargs="*", metavar="FILE", help="files of calls; standard input if none is named")
    options.add_release(target, "the CANN release to judge by (default: the call's)")
    target.add_argument("--product", default=None, help="the product, in any spelling (default: the call's)")
    target.add_argument(
        "--most", type=options.up_to(LIMIT), default=MOST, metavar="N", help=f"answers of each call (default: {MOST})"
    )
    target.add_argument(
        "--output", choices=("text", "json", "jsonl", "calls"), default="text",
        help="text (default), one JSON array, an object a line for each call, or the calls themselves with the nearest "
        "repair of each",
    )  # fmt: skip
    target.add_argument(
        "--input", choices=("json", "jsonl", "yaml"), help="form of the input, where its name does not tell"
    )
    options.add_specs(target)
    options.add_lang(target)
    return target


def _row(found: Repaired, output: str, lang: Lang) -> str:
    if output == "calls":
        nearest = found.nearest()
        return "" if nearest is None else written(nearest) + "\n"
    paint = painted if options.colours() else plain
    text = Lines(lang, paint).whole(found.verdict) + "\n" + fix_lines(found.fixes, lang, paint)
    if found.fixes:
        text += _WITH_FIRST[lang] * (len(found.fixes) > 1) + f"  {written(found.fixes[0].call)}\n"
    return text
