"""What calls met that break the same rule of an operator's neighbours.

Operators whose pages lie in one folder of the vendor's sources end in the same kernel: versions, variants in place,
with a scalar or a tensor. What their first phases make of a rule they mostly do alike, wherever their pages say it; so
they do with rules of other names that check the same of other params. Less surely, operators of one family do.
``neighbours.jsonl`` of a release has a line for each folder and each family, made of its evidence by ``opspec
conformance --neighbours``: of each rule, by what :class:`Names` calls it there, how far the calls came that break it
alone, in the order of :class:`opspec.model.ends.Ends`:

    {"of": "ops-nn/matmul__mat_mul_v3", "rules": {"out-shape": [31, 0, 0, 0, 0, 0, 2]}}
"""

from __future__ import annotations

import functools
import re
import zlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from opspec.errors import OpspecError
from opspec.language import text, tree
from opspec.language.record import record
from opspec.model import lines
from opspec.model.ends import NOTHING, Ends, Met
from opspec.vocabulary.literals import Kind, Stage

FEWEST = 3  # calls that must speak for what neighbours do
#: kinds of rules that list what a param may be: two operators whose lists differ have two rules by one id
LISTS: tuple[Kind, ...] = ("dtype", "enum", "format")
_NONE: Mapping[str, Ends] = MappingProxyType({})


class Rule(Protocol):
    """What of a rule counts (:class:`opspec.model.definition.RuleDef`)."""

    @property
    def id(self) -> str: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def check(self) -> tree.Node: ...


class Grounds(Protocol):
    """What of a rule's grounds counts (:class:`opspec.model.enforcement.Grounds`)."""

    @property
    def in_row(self) -> bool: ...
    @property
    def stage(self) -> Stage: ...
    @property
    def family(self) -> str: ...


@record(frozen=True, slots=True)
class Names:
    """What a rule is called among those of neighbours.

    Args:
        id: in one folder: by its id and what it lists.
        check: in one folder, too: by what it checks of params, whatever these are called.
        family: in one family: by its id and what it lists, whether a row of return codes is about it, and where the
            page says that it is checked; rules that differ there do not speak for each other.
    """

    id: str
    check: str
    family: str

    def on(self, product: str) -> Names:
        """What it is called where only calls on one product count: tiling differs by product."""
        return Names(*(f"{name} @{product}" for name in (self.id, self.check, self.family)))


@record(frozen=True, slots=True)
class Neighbours:
    """What is known of rules of an operator's neighbours, by what :class:`Names` calls them.

    Args:
        folder: of operators whose pages lie in the same folder.
        family: of those of the same family.
    """

    folder: Mapping[str, Ends] = _NONE
    family: Mapping[str, Ends] = _NONE

    def usual(self, names: Names, own: Mapping[str, Ends], passed: bool = False) -> tuple[Met | None, bool]:
        """What clearly most calls met that break the rules of these names, None where too few tell; and whether the
        checks let them pass.

        Args:
            own: how far the operator's own calls came, which are not its neighbours', by any name.
            passed: the checks are known to let its calls pass: only what neighbours' calls met behind them counts.
        """
        for known, name in ((self.folder, names.id), (self.folder, names.check), (self.family, names.family)):
            ends = known[name].without(own.get(name, NOTHING)) if name in known else NOTHING
            if sum(ends) < FEWEST or not (passed or ends.are_clear):
                continue
            met = tells(ends, passed)
            passed = passed or not ends.are_refused
            if met is not None:
                return met, passed
        return None, passed


ALONE = Neighbours()


def tells(ends: Ends, passed: bool = False) -> Met | None:
    """What clearly most calls met; None where it is only known that the checks let them pass."""
    if ends.are_refused and not passed:
        return ends.usual
    tell = ends.behind + ends.through >= FEWEST and ends.are_clear_behind
    return ends.past_checks.usual if tell else None


_WORD = re.compile(r"'[^']*'|\w+")


def names_of(rule: Rule, grounds: Grounds, params: frozenset[str], tiled: bool = False) -> Names:
    """What a rule is called among those of neighbours.

    Args:
        params: names of the operator's params.
        tiled: only the tiling of a generated interface may refuse what breaks it; no other rule is alike.
    """
    check = text.write(rule.check)
    placed = _placed(check, params)
    listed = f" {_digest(check)}" if rule.kind in LISTS else ""
    by_tiling = " tiled" if tiled else ""
    return Names(
        f"{rule.id}{listed}{by_tiling}",
        f"~{_digest(f'{rule.kind} {placed}')} {grounds.stage}{by_tiling}",
        f"{rule.id} {'row' if grounds.in_row else ''} {grounds.stage} {grounds.family}{listed}",
    )


@functools.lru_cache(maxsize=4096)  # releases of an operator say much the same
def _placed(check: str, params: frozenset[str]) -> str:
    """What checks have in common that differ in what params are called."""
    places = dict[str, str]()
    return _WORD.sub(
        lambda word: places.setdefault(word[0], f"#{len(places)}") if word[0].rstrip("_") in params else word[0], check
    )


def _digest(words: str) -> str:
    return f"{zlib.crc32(words.encode()) & 0xFFFF:04x}"


def neighbours_of(spec: str, document: str | None) -> Neighbours:
    """What is known of the neighbours of a spec's operators.

    Args:
        spec: the path of the spec.
        document: its page.

    Raises:
        OpspecError: the file is damaged.
    """
    path, folder, family = lines.of_neighbours(spec, document or "")
    return Neighbours(_parsed(folder, path), _parsed(family, path))


@functools.lru_cache(maxsize=64)
def _parsed(line: bytes, where: str) -> Mapping[str, Ends]:
    """What a line says of each rule; operators of a folder and a family have theirs in common."""
    import json

    try:
        found = json.loads(line)["rules"] if line else {}
        return {rule: Ends(*map(int, counts)) for rule, counts in found.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        names = ", ".join(Ends._fields)
        raise OpspecError(f'expected {{"of": …, "rules": {{rule: [{names}]}}}}', where=where) from None


def text_of(known: Mapping[str, Mapping[str, Ends]]) -> str:
    """The text of a file of neighbours: by folder or family, then by rule."""
    import json

    return "".join(
        json.dumps({"of": name, "rules": {rule: list(ends) for rule, ends in sorted(rules.items())}}) + "\n"
        for name, rules in sorted(known.items())
    )
