"""``opspec kinds``: the kinds of findings beside broken rules."""

from __future__ import annotations

from collections.abc import Iterable

from opspec.cli import options
from opspec.vocabulary import findings
from opspec.vocabulary.findings import Kind
from opspec.vocabulary.literals import Lang


def run(words: list[str]) -> int:
    """The command."""
    target = options.parser(
        "kinds",
        "List the kinds of findings that the simulator and the layer tell beside broken rules.",
        "OPSPEC_MUTE takes these names, and 'opspec run' prints them.",
    )
    target.add_argument("kind", nargs="*", metavar="KIND", help="only these (default: all)")
    target.add_argument("--output", choices=("text", "json", "md"), default="text")
    options.add_lang(target)
    asked = target.parse_args(words)
    found = [findings.kind(name) for name in asked.kind] or list(findings.kinds().values())
    if asked.output == "json":
        options.print_json([kind._asdict() for kind in found])
    else:
        form = _markdown if asked.output == "md" else _text
        print("\n".join(form(found, options.language(asked.lang))))
    return 0


def _text(found: list[Kind], lang: Lang) -> Iterable[str]:
    wide, told = (max(map(len, column)) for column in zip(*((kind.id, _told(kind)) for kind in found), strict=True))
    return [f"{kind.id:<{wide}}  {_told(kind):<{told}}  {kind.meaning(lang)}" for kind in found]


def _markdown(found: list[Kind], lang: Lang) -> Iterable[str]:
    head = "| 种类 | 报告者与级别 | 含义 |" if lang == "zh" else "| kind | told by, as | meaning |"
    return [head, "|---|---|---|", *(f"| `{kind.id}` | {_told(kind)} | {kind.meaning(lang)} |" for kind in found)]


def _told(kind: Kind) -> str:
    return ", ".join(f"{source}: {severity}" for source, severity in kind.told.items())
