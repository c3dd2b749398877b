"""What the simulator and the layer tell, in C: kinds of findings, and words on broken rules; from the vocabulary."""

from __future__ import annotations

from opspec.codegen import ctext
from opspec.codegen.stubs.render import render
from opspec.vocabulary import enforcement, findings

HEADER = "opspec_findings.h"
SOURCE = "opspec_findings.c"


def files() -> dict[str, str]:
    """File name -> text, of what ``opspec/csrc/shared`` is compiled with."""
    return {HEADER: _header(), SOURCE: _source()}


def enumerator(name: str) -> str:
    """What C calls a kind: ``FOUND_MEMORY_LEAK``."""
    return "FOUND_" + name.replace(".", "_").replace("-", "_").upper()


def _header() -> str:
    return render(
        f"rules/{HEADER}.j2",
        enforcements=enforcement.ALL,
        severities=("off", *findings.severities()),
        sources=findings.sources(),
        kinds=[*map(enumerator, findings.kinds())],
    )


def _source() -> str:
    told = {name: [enforcement.told(name, assumed, "en") for assumed in (False, True)] for name in enforcement.ALL}
    kinds = findings.kinds().values()
    return render(
        f"rules/{SOURCE}.j2",
        enforcements=[(ctext.string(name), map(ctext.string, words)) for name, words in told.items()],
        severities=map(ctext.string, ("off", *findings.severities())),
        sources=map(ctext.string, findings.sources()),
        kinds=[(ctext.string(kind.id), [kind.told.get(one, "off") for one in findings.sources()]) for kind in kinds],
    )
