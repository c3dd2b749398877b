"""``opspec infer``: the outputs of calls from their inputs."""

from __future__ import annotations

from collections.abc import Iterator

from opspec.cli import options, progress
from opspec.cli.answers import Answers
from opspec.cli.ending import BAD_INPUT, FINDING, OK
from opspec.cli.tables import safe
from opspec.jsontext import written
from opspec.registry.registry import registry
from opspec.validator.infer import Inference, InferredTensor, inferred
from opspec.validator.read import Call


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
    known, lang = registry(asked.specs), options.language(asked.lang)

    def outputs(call: Call) -> tuple[Call, Inference]:
        form = known.form(call.op, asked.release or call.release)
        return call, inferred(form, call.args, asked.product or call.product, lang)

    illegal = False
    answers = Answers()
    objects = options.Objects(asked.output) if asked.output in ("json", "jsonl") else None
    for call, found in answers.of_files(asked.files, outputs):
        if objects is not None:
            objects.add(found.to_dict())
        else:
            _print(call, found, asked.output)
        illegal = illegal or not found.legal
    if objects is not None:
        objects.end()
    return BAD_INPUT if answers.bad else FINDING if illegal else OK


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
