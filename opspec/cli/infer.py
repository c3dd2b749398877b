"""``opspec infer``: the outputs of calls from their inputs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from opspec.cli import options, progress
from opspec.cli.ending import BAD_INPUT, FINDING, OK
from opspec.cli.tables import safe
from opspec.errors import OpspecError
from opspec.jsontext import written
from opspec.registry.registry import Registry, registry
from opspec.validator.files import BrokenCall
from opspec.validator.infer import Inference, InferredTensor, inferred
from opspec.validator.read import Call, calls
from opspec.vocabulary.literals import Lang


def run(words: list[str]) -> int:
    """The command: 0 all outputs were found and the calls are legal with them, 1 not, 2 broken calls."""
    target = options.parser(
        "infer",
        "Find shape and dtype of the outputs that calls leave out, as far as the rules determine them, and judge the "
        "calls with them.",
        "A call is written as for 'opspec check'; outputs that it has are kept. 'opspec schema inference' describes "
        "the JSON output.",
    )
    target.add_argument("files", nargs="+", metavar="FILE", help="calls in JSON, JSONL or YAML; '-' is standard input")
    target.add_argument("--product", help="the product, in any spelling (default: the call's)")
    options.add_release(target, "the CANN release to go by (default: the call's, else the newest)")
    target.add_argument(
        "--output", choices=("text", "json", "jsonl", "calls"), default="text",
        help="text (default), one JSON array, an object a line, or the completed calls, a line each, for "
        "'opspec check'; open ones are left out",
    )  # fmt: skip
    options.add_lang(target)
    options.add_specs(target)
    asked = target.parse_args(words)
    progress.not_while_typing(asked.files)
    bad = illegal = False
    objects = options.Objects(asked.output) if asked.output in ("json", "jsonl") else None
    for found in _found(asked):
        if isinstance(found, OpspecError):
            bad = True
            sys.stdout.flush()
            print(f"opspec: {found}", file=sys.stderr)
            continue
        if objects is not None:
            objects.add(found[1].to_dict())
        else:
            _print(*found, asked.output)
        illegal = illegal or not found[1].legal
    if objects is not None:
        objects.end()
    return BAD_INPUT if bad else FINDING if illegal else OK


def _found(asked: argparse.Namespace) -> Iterator[tuple[Call, Inference] | OpspecError]:
    """The outputs of each call, or why there are none."""
    known, lang = registry(asked.specs), options.language(asked.lang)
    for path in asked.files:
        try:
            for call in calls(path, sys.stdin):
                yield (
                    call.error.placed(call.where)
                    if isinstance(call, BrokenCall)
                    else _outputs(call, asked, known, lang)
                )
        except OpspecError as error:
            yield error


def _outputs(
    call: Call | BrokenCall, asked: argparse.Namespace, known: Registry, lang: Lang
) -> tuple[Call, Inference] | OpspecError:
    if isinstance(call, BrokenCall):
        return call.error.placed(call.where)
    try:
        form = known.form(call.op, asked.release or call.release)
        return call, inferred(form, call.args, asked.product or call.product, lang)
    except OpspecError as error:
        return error.at(call.where)


def _print(call: Call, found: Inference, output: str) -> None:
    if output == "calls":
        args = found.completed(call.args)
        if args is not None:
            named = {"id": call.id, "op": found.operator, "product": found.product, "release": found.release}
            print(written({key: value for key, value in named.items() if value is not None} | {"args": args}))
    else:
        print("\n".join(_lines(call, found)))


def _lines(call: Call, found: Inference) -> Iterator[str]:
    yield safe(" ".join(part for part in (call.id, found.operator, found.release, found.product) if part))
    for name, output in found.outputs.items():
        if output is None:
            yield f"  {name}: open"
        elif isinstance(output, InferredTensor):
            yield f"  {name}: {_shown(output)}"
        else:
            yield from (f"  {name}[{i}]: {_shown(item)}" for i, item in enumerate(output))
    said = () if found.verdict is None else {finding.rule for finding in found.verdict.violations}
    yield from (f"  against: {rule}" for rule in found.against if rule not in said)
    if found.verdict is not None:
        yield from (f"  {line}" for line in str(found.verdict).splitlines())


def _shown(output: InferredTensor) -> str:
    """``FLOAT[2, 3] ND``, and what of it is a guess."""
    shape = "[open]" if output.shape is None else str(list(output.shape))
    likely = [
        name
        for name, value in (("dtype", output.dtype), ("format", output.format))
        if value is not None and name not in output.determined
    ]
    if output.shape is not None and "shape" not in output.determined:
        likely.insert(0, "shape")
    more = f"  (likely: {', '.join(likely)})" if likely else ""
    return f"{output.dtype or 'open'}{shape} {output.format or ''}".rstrip() + more
