"""What lies around an operator: other operators of its release, and what it was before."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from opspec.docs.example import Outcome, outcome
from opspec.docs.glossary import operators_for
from opspec.docs.history import History
from opspec.errors import OpspecError
from opspec.model.definition import Definition
from opspec.model.example import example_of
from opspec.model.load import load_file
from opspec.model.remarks import remarks_of
from opspec.model.sets import formats_on
from opspec.model.standin import numbered
from opspec.registry.folders import Entry
from opspec.registry.registry import Registry, definition_in
from opspec.registry.uncompiled import uncompiled
from opspec.validator.infer import InferredTensor, inferred
from opspec.vocabulary.literals import Lang

_IN_PLACE = "Inplace"
_GRADIENT = ("Backward", "Grad")
_VARIANT = re.compile(r"With|WeightNz|V\d+With")  # what the name of a variant goes on with
_OPERATOR = re.compile(r"\baclnn[A-Z]\w*")
#: kinds of relations, in the order in which a page lists them
RELATIONS = ("successor", "versions", "in_place", "gradient", "variants", "preparation", "mentioned")


#: gives the history of an operator in each language, of the registry and of what reads definitions
Historian: TypeAlias = Callable[[str, Registry, Callable[[str, str], Definition | None]], Mapping[Lang, History]]


@dataclass(frozen=True, slots=True)
class Near:
    """What a page says beside its operator, in no language.

    Args:
        related: kind -> operators of the same release.
        version: the version before it.
        history: its releases, in each language.
        outcome: what opspec says of its example.
    """

    related: tuple[tuple[str, tuple[str, ...]], ...] = ()
    version: Definition | None = None
    history: Mapping[Lang, History] = field(default_factory=dict)
    outcome: Outcome | None = None


def alone(definition: Definition) -> Near:
    """What a page of an operator without a registry says beside it."""
    return Near(outcome=outcome(definition))


class Neighbours:
    """Finds what lies around operators; what it reads of them it keeps for the next ones.

    Args:
        history: who tells the history of an operator, given the registry and what reads definitions; none by default.
    """

    def __init__(self, known: Registry, history: Historian | None = None) -> None:
        self._known = known
        self._names = functools.cache(lambda release: frozenset(known.entries(release)))
        self._loaded = functools.lru_cache(maxsize=64)(load_file)
        self._history = functools.cache(self._told)
        self._historian = history

    def definition(self, entry: Entry) -> Definition:
        """The definition of an operator that is one of the registry's.

        Raises:
            OpspecError: its spec is faulty.
        """
        return definition_in(self._loaded(entry.path), entry)

    def of(self, definition: Definition) -> Near:
        """What lies around an operator."""
        release = definition.spec.release
        names = self._names(release) - self._others(definition)
        before = version_before(definition.name, names)
        return Near(
            tuple(_related(definition, names)),
            None if before is None else self._definition(before, release),
            self._history(definition.name),
            outcome(definition),
        )

    def _others(self, definition: Definition) -> frozenset[str]:
        """Operators that have the name of a version of this one and compute something else: of versions that follow
        each other one that does, and all behind it."""
        names, release = self._names(definition.spec.release), definition.spec.release
        versions = _versions(first_version(definition.name), names)
        own = versions.index(definition.name) if definition.name in versions else 0
        found: set[str] = set()
        for side in (versions[own + 1 :], versions[:own][::-1]):
            known = definition
            for at, name in enumerate(side):
                other = self._definition(name, release)
                if other is not None and _differ(known, other):
                    found.update(side[at:])
                    break
                known = other or known
        return frozenset(found)

    def _told(self, operator: str) -> Mapping[Lang, History]:
        return {} if self._historian is None else self._historian(operator, self._known, self._definition)

    def _definition(self, operator: str, release: str) -> Definition | None:
        try:
            return self.definition(self._known.find(operator, release))
        except OpspecError:
            return None  # a faulty spec has no page, and is told where it has one


def _differ(one: Definition, other: Definition) -> bool:
    """Whether two operators that take the same inputs make outputs of other shapes of them, by the example of one."""
    inputs, theirs = ({param.name: param.kind for param in each.params if param.io != "out"} for each in (one, other))
    if inputs != theirs or one.spec.example is None:
        return False
    product, args = example_of(one)
    given = {name: args.get(name) for name in inputs}
    try:
        made, else_made = (inferred(uncompiled(each), given, product).outputs for each in (one, other))
    except OpspecError:
        return False
    return any(
        isinstance(found, InferredTensor)
        and isinstance(against := else_made.get(name), InferredTensor)
        and "shape" in {*found.determined} & {*against.determined}
        and found.shape != against.shape
        for name, found in made.items()
    )


def first_version(name: str) -> str:
    """The name of an operator without the number of its version: that of the first."""
    return numbered(name)[0]


def version_before(name: str, names: Collection[str]) -> str | None:
    """The version before an operator's among some: of aclnnXV3 aclnnXV2, else aclnnX."""
    first, number = numbered(name)
    candidates = [f"{first}V{i}" for i in range(number - 1, 1, -1)] + ([first] if number > 1 else [])
    return next((candidate for candidate in candidates if candidate in names), None)


def _related(definition: Definition, names: frozenset[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    spec, own = definition.spec, definition.name
    first = first_version(own)
    plain = first.replace(_IN_PLACE, "", 1)
    forward = _without_ending(plain)
    twin = spec.twin
    found: dict[str, list[str]] = {kind: [] for kind in RELATIONS}
    found["successor"] += spec.deprecated.successors if spec.deprecated is not None else []
    found["versions"] += sorted(names & {*_versions(first, names)}, key=numbered)
    if twin is not None:
        found["in_place"] += [twin.operator, spec.operator]
    found["in_place"] += _versions(f"aclnn{_IN_PLACE}{plain.removeprefix('aclnn')}", names)
    found["in_place"] += _versions(plain, names) if _IN_PLACE in first else []
    ends = [f"{forward}{ending}" for ending in _GRADIENT] if forward == plain else [forward]
    found["gradient"] += [name for end in ends for name in _versions(end, names)]
    near = sorted(name for name in names if name.startswith(plain))
    found["variants"] += [name for name in near if _VARIANT.match(name, len(plain))]
    shorter = re.match(r"(.+?)(?:V\d+)?(?:With[A-Z]|WeightNz)", own)
    found["variants"] += _versions(shorter[1], names) if shorter else []
    formats = {name for param in spec.params if param.io == "in" for name in formats_on(spec, param, None).all}
    found["preparation"] += operators_for(formats)
    texts = " ".join(f"{item.en} {item.zh}" for item in remarks_of(definition))
    found["mentioned"] += _OPERATOR.findall(texts)
    said = {own}
    for kind, listed in found.items():
        new = tuple(name for name in dict.fromkeys(listed) if name in names and name not in said)
        said.update(new)
        if new:
            yield kind, new


def _without_ending(name: str) -> str:
    return next((name.removesuffix(ending) for ending in _GRADIENT if name.endswith(ending)), name)


def _versions(first: str, names: Collection[str]) -> list[str]:
    """All versions of an operator."""
    highest = 12
    return [name for name in (first, *(f"{first}V{i}" for i in range(2, highest))) if name in names]
