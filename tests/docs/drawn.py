"""Rules drawn at random, and how natural their sentences read to somebody who did not write them.

``python -m tests.docs.drawn`` draws anew: the same rules as long as the registry has them, by a fixed seed, most of
them written by hand, which carry information. A judgement stays with its sentence and goes when that changes.
Judges fill in ``en`` and ``zh`` of ``judged``: natural, clumsy or wrong; ``remark`` says why it is not natural.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from opspec.docs.saying import Sayings
from opspec.model.definition import Definition
from opspec.registry.registry import Registry, all_loaded, definition_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.prose import Lang

FILE = Path(__file__).resolve().parent / "drawn.jsonl"
SEED = 20261122
BY_HAND, OF_PARAMS = 200, 100
LANGS: tuple[Lang, ...] = ("en", "zh")
GRADES = ("natural", "clumsy", "wrong")


@dataclass(frozen=True, slots=True)
class Drawn:
    """A rule with its sentences, and what a judge thinks of them; an empty grade: not judged yet."""

    release: str
    operator: str
    rule: str
    en: str
    zh: str
    judged: dict[str, str] = field(default_factory=lambda: dict.fromkeys(LANGS, ""))
    remark: str = ""

    @property
    def is_judged(self) -> bool:
        """Whether both sentences are."""
        return all(self.judged.get(lang) in GRADES for lang in LANGS)

    @property
    def sentences(self) -> tuple[str, str]:
        """What was judged."""
        return self.en, self.zh


def read(file: Path = FILE) -> list[Drawn]:
    """The rows that were drawn; none where there is no file."""
    if not file.is_file():
        return []
    return [Drawn(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


def draw(definitions: Iterable[Definition]) -> list[Drawn]:
    """Rules by chance, each with its sentences."""
    by_hand: list[tuple[Definition, str]] = []
    of_params: list[tuple[Definition, str]] = []
    for definition in definitions:
        for rule in definition.rules:
            own = rule.path[0] in ("rules", "scenarios")
            (by_hand if own else of_params).append((definition, rule.id))
    chance = random.Random(SEED)
    found = [*_some(chance, by_hand, BY_HAND), *_some(chance, of_params, OF_PARAMS)]
    return [Drawn(of.spec.release, of.name, rule, *_said(of, rule)) for of, rule in found]


def _some(chance: random.Random, rules: list[tuple[Definition, str]], number: int) -> list[tuple[Definition, str]]:
    return chance.sample(rules, min(number, len(rules)))


def _said(definition: Definition, rule: str) -> tuple[str, str]:
    found = definition.rule(rule)
    assert found is not None
    return Sayings(definition, "en").requirement(found), Sayings(definition, "zh").requirement(found)


def now(row: Drawn, registry: Registry) -> tuple[str, str]:
    """What the sentences of a row are today; empty where the rule is no more."""
    definition = definition_of(registry.find(row.operator, row.release))
    return _said(definition, row.rule) if definition.rule(row.rule) is not None else ("", "")


def registered() -> Iterator[Definition]:
    """Operators of the registry, but twins and what other releases say the same of: they have the same rules."""
    registry = Registry()
    for release in registry.releases():
        for loaded in all_loaded(registry, release):
            if "/" not in (loaded.spec.extends or ""):
                yield loaded.definitions[0]


def main() -> None:
    """Draw, keeping the judgements of sentences that are as they were."""
    known = {(row.release, row.operator, row.rule, row.sentences): row for row in read(FILE)}
    rows = draw(registered())
    kept = [known.get((row.release, row.operator, row.rule, row.sentences), row) for row in rows]
    lines = [json.dumps(asdict(row), ensure_ascii=False) for row in kept]
    FILE.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
