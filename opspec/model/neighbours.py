"""What calls met that break the rule of the same name of an operator's neighbours.

Operators whose pages lie in one folder of the vendor's sources end in the same kernel: versions, variants in place,
with a scalar or a tensor. What their first phases make of a rule they mostly do alike; so do, less surely, operators of
one family. ``neighbours.jsonl`` of a release has a line for each folder and each family, made of its evidence by
``opspec conformance --neighbours``: of each rule, by what :func:`alike` calls it, how far the calls came that break it
alone, in the order of :class:`opspec.model.ends.Ends`:

    {"of": "ops-nn/matmul__mat_mul_v3", "rules": {"out-shape row params ": [31, 0, 0, 0, 0, 0, 2]}}
"""

from __future__ import annotations

import functools
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
#: kinds of rules that list what a param may be: two operators or releases whose lists differ have two rules by one id
LISTS: tuple[Kind, ...] = ("dtype", "enum")
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
class Neighbours:
    """What is known of rules of an operator's neighbours, by what :func:`alike` calls them.

    Args:
        folder: of operators whose pages lie in the same folder.
        family: of those of the same family.
    """

    folder: Mapping[str, Ends] = _NONE
    family: Mapping[str, Ends] = _NONE

    def usual(self, rule: str, own: Ends, passed: bool = False) -> Met | None:
        """What most calls met that break the rules of this name; None where too few speak.

        Args:
            rule: what :func:`alike` calls it.
            own: how far the operator's own calls came, which are not its neighbours'.
            passed: the checks are known to let its calls pass: only what neighbours' calls met behind them counts.
        """
        for known in (self.folder, self.family):
            ends = known[rule].without(own) if rule in known else NOTHING
            if speaks(ends):
                if ends.are_refused and not passed:
                    return ends.usual
                if ends.behind + ends.through >= FEWEST:
                    return ends.past_checks.usual
        return None


ALONE = Neighbours()


def speaks(ends: Ends) -> bool:
    """Whether enough calls came so far that they tell what becomes of others; who passed the checks tells nothing."""
    return sum(ends) - ends.passed >= FEWEST


def alike(rule: Rule, grounds: Grounds) -> str:
    """What a rule is called among those of neighbours: its id, where it is checked, and a digest of what it lists.

    One that a page gives a return code and one that it has in prose do not speak for each other.
    """
    listed = f" {zlib.crc32(text.write(rule.check).encode()) & 0xFFFF:04x}" if rule.kind in LISTS else ""
    return f"{rule.id} {'row' if grounds.in_row else ''} {grounds.stage} {grounds.family}{listed}"


def on_product(name: str, product: str) -> str:
    """What a rule of that name is called where only calls on one product count: tiling differs by product."""
    return f"{name} @{product}"


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
