"""``opspec check``: judge calls."""

from __future__ import annotations

import sys

from opspec.cli import options
from opspec.errors import OpspecError
from opspec.registry.registry import registry
from opspec.validator.api import resolved
from opspec.validator.convert import arguments
from opspec.validator.files import BrokenCall
from opspec.validator.judge import judge
from opspec.validator.read import calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from opspec.registry.registry import Registry
    from opspec.validator.read import Call
    from opspec.validator.verdict import Finding, Verdict

EPILOG = (
    'A call is {"op": …, "product": …, "release": …, "args": {param: value}} in JSON, JSONL (also .gz) or YAML; '
    "'-' reads standard input. Exit status: 0 all calls are legal (with --strict: portable), 1 a call is not, "
    "2 bad input (wins over 1)."
)


def run(words: list[str]) -> int:
    """The command."""
    asked = _parser().parse_args(words)
    known = registry(asked.specs)
    lang = options.language(asked.lang)
    emit = _OUTPUTS[asked.output](asked, lang)
    bad = illegal = False
    for source in asked.files or ["-"]:
        for verdict, counts in _judged(source, asked, known, lang):
            if isinstance(verdict, OpspecError):
                bad = True
                sys.stdout.flush()
                print(f"opspec: {verdict}", file=sys.stderr)
                continue
            emit(verdict)
            if counts and not (verdict.portable if asked.strict else verdict.legal):
                illegal = True
    emit(None)
    return 2 if bad else 1 if illegal else 0


def _parser() -> argparse.ArgumentParser:
    target = options.parser(
        "check",
        "Judge calls: which status the first phase returns, and which documented clause each one breaks.",
        EPILOG,
    )
    target.add_argument("files", nargs="*", metavar="FILE", help="files of calls; standard input when none is named")
    target.add_argument(
        "--release", help="the CANN release to judge by (default: the call's, else the newest that has the operator)"
    )
    target.add_argument(
        "--product", help="the product, in any spelling; 'all' gives a row per product (default: the call's)"
    )
    options.add_specs(target)
    options.add_lang(target)
    target.add_argument("--strict", action="store_true", help="exit 1 also for calls that are legal but not portable")
    target.add_argument("--output", choices=tuple(_OUTPUTS), default="text", help="form of the output (default: text)")
    target.add_argument(
        "--input",
        choices=("json", "jsonl", "yaml"),
        default=None,
        help="form of the input, where its name does not tell",
    )
    return target


def _judged(
    source: str, asked: argparse.Namespace, known: Registry, lang: str
) -> Iterator[tuple[Verdict | OpspecError, bool]]:  # fmt: skip
    """(verdict, whether it counts for the exit status) of every call; errors stand where a call could not be judged."""
    try:
        for call in calls(source, sys.stdin, kind=asked.input):
            if isinstance(call, BrokenCall):
                yield (call.error if call.error.where else call.error.at(call.where)), True
                continue
            try:
                yield from _verdicts(call, asked, known, lang)
            except OpspecError as error:
                yield error.at(call.where), True
    except OpspecError as error:
        yield error, True


def _verdicts(call: Call, asked: argparse.Namespace, known: Registry, lang: str) -> Iterator[tuple[Verdict, bool]]:
    form = known.form(call.op, asked.release or call.release)
    args = arguments(call.op, form.params, call.args)
    if asked.product != "all":
        product, member = resolved(asked.product or call.product)
        yield _named(judge(form, args, product, member, lang), call), True
        return
    for name, support in form.support.items():
        yield _named(judge(form, args, *resolved(name), lang), call), support == "yes"


def _named(verdict: Verdict, call: Call) -> Verdict:
    verdict.id = call.id
    return verdict


# --- output


def _jsonl(asked: argparse.Namespace, lang: str) -> Callable[[Verdict | None], None]:
    import json

    def emit(verdict: Verdict | None) -> None:
        if verdict is not None:
            sys.stdout.write(json.dumps(verdict.to_dict(), ensure_ascii=False) + "\n")

    return emit


def _json(asked: argparse.Namespace, lang: str) -> Callable[[Verdict | None], None]:
    """One array, written as it goes."""
    import json

    count = 0

    def emit(verdict: Verdict | None) -> None:
        nonlocal count
        if verdict is None:
            sys.stdout.write("\n]\n" if count else "[]\n")
            return
        sys.stdout.write(",\n" if count else "[\n")
        sys.stdout.write(json.dumps(verdict.to_dict(), ensure_ascii=False))
        count += 1

    return emit


_TEXT = {
    "en": {"ok": "legal", "bad": "illegal", "error": "error", "warning": "warning", "unchecked": "not checked",
           "source": "source", "more": " and {0} more"},
    "zh": {"ok": "合法", "bad": "非法", "error": "错误", "warning": "警告", "unchecked": "未检查",
           "source": "出处", "more": "等另外{0}条"},
}  # fmt: skip

_MANY = 4  # of the unchecked rules with one reason, so many are named


def _text(asked: argparse.Namespace, lang: str) -> Callable[[Verdict | None], None]:
    words = _TEXT[lang]
    paint = _painter()

    def emit(verdict: Verdict | None) -> None:
        if verdict is not None:
            sys.stdout.write("\n".join(_lines(verdict, words, paint)) + "\n")

    return emit


def _lines(verdict: Verdict, words: dict[str, str], paint: Callable[[str, str], str]) -> Iterator[str]:
    head = paint("green", words["ok"]) if verdict.legal else paint("red", words["bad"])
    where = f"  {verdict.id}" if verdict.id else ""
    status = "" if verdict.legal else f"  {verdict.code} {verdict.status}"
    yield f"{head}  {paint('bold', verdict.op)}  {verdict.release}  {verdict.product or '-'}{status}{where}"
    for kind, colour, findings in (("error", "red", verdict.violations), ("warning", "yellow", verdict.warnings)):
        for finding in findings:
            yield from _finding(finding, words[kind], paint, colour, words)
    if not verdict.legal or verdict.warnings:
        yield from _unchecked(verdict, words, paint)


def _unchecked(verdict: Verdict, words: dict[str, str], paint: Callable[[str, str], str]) -> Iterator[str]:
    """The rules that were not judged, summed up by reason."""
    rules: dict[str, list[str]] = {}
    for finding in verdict.unchecked:
        rules.setdefault(finding.message, []).append(finding.rule)
    for reason, names in rules.items():
        listed = ", ".join(names[:_MANY]) + (words["more"].format(len(names) - _MANY) if len(names) > _MANY else "")
        yield f"  {paint('dim', words['unchecked'])}  {reason}: {listed}"


def _finding(
    finding: Finding, kind: str, paint: Callable[[str, str], str], colour: str, words: dict[str, str]
) -> Iterator[str]:
    yield f"  {paint(colour, kind)}  {finding.message}"
    source = f"  {words['source']}: {finding.source}" if finding.source else ""
    yield f"         {paint('dim', finding.full_id + source)}"


_CODES = {"red": "31", "green": "32", "yellow": "33", "bold": "1", "dim": "2"}


def _painter() -> Callable[[str, str], str]:
    if not options.colours():
        return lambda colour, text: text
    return lambda colour, text: f"\x1b[{_CODES[colour]}m{text}\x1b[0m"


_OUTPUTS: dict[str, Callable[[argparse.Namespace, str], Callable[[Verdict | None], None]]] = {
    "text": _text, "json": _json, "jsonl": _jsonl,
}  # fmt: skip
