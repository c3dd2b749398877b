"""Kinds of findings beside broken rules: what the simulator and the layer tell, how grave it is, what it means.

C has the same table (:mod:`opspec.codegen.entries.findings`): a kind stands here and nowhere else.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

from opspec.errors import unknown
from opspec.vocabulary.tables import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.vocabulary.literals import Lang


class Kind(NamedTuple):
    """A kind of finding.

    Args:
        id: ``memory.leak``: what it is about, and what is wrong with that.
        told: who tells it -> how grave it is there.
        en, zh: what it means, in one line.
    """

    id: str
    told: dict[str, str]
    en: str
    zh: str

    def meaning(self, lang: Lang) -> str:
        """What it means in ``en`` or ``zh``."""
        return self.zh if lang == "zh" else self.en


@functools.cache
def kinds() -> dict[str, Kind]:
    """All kinds by id, in the order of ids."""
    return {row["id"]: Kind(**row) for row in table("findings")["kinds"]}


@functools.cache
def severities() -> tuple[str, ...]:
    """How grave a finding can be, the gravest first; a note is no finding, and an event has it as info."""
    return tuple(table("findings")["severities"])


@functools.cache
def sources() -> tuple[str, ...]:
    """Who tells findings."""
    return tuple(table("findings")["sources"])


def kind(name: str) -> Kind:
    """The kind of that id.

    Raises:
        UnknownNameError: there is none; the nearest one is named.
    """
    if name not in kinds():
        raise unknown("kind of finding", name, kinds(), behind="; see opspec kinds")
    return kinds()[name]
