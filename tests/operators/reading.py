"""An independent reading: clauses drawn by a seed, beside the rules that are said to formalise them.

``python -m tests.operators.reading --seed N --count M`` prints them for somebody who has not seen the specs, who
judges each: ``agrees``, ``weaker`` (the rules say less), ``stronger`` (they say more) or ``wrong``. The judgements are
committed in ``reading.jsonl`` without the pages' words; ``--tally`` prints how far they agree.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from opspec.language import prose
from opspec.model.definition import RuleDef
from opspec.model.load import Loaded, load_file
from opspec.registry.folders import built_in
from opspec.workshop.importer import assemble
from opspec.workshop.importer.page import read_page
from tests.paths import SHARED

RELEASE = "9.1.0"

JUDGEMENTS = Path(__file__).with_name("reading.jsonl")
VERDICTS = ("agrees", "weaker", "stronger", "wrong")


@dataclass(frozen=True, slots=True)
class Drawn:
    """A clause that is said to be formalised, and how.

    Args:
        text: the page's words.
        rules: the rules in words.
    """

    operator: str
    at: str
    text: str
    rules: tuple[str, ...]


def drawn(seed: int, count: int) -> Iterator[Drawn]:
    """``count`` clauses of all formalised statements, the same for the same specs and seed."""
    pool = [
        (path, clause.at)
        for path in sorted(Path(built_in(), RELEASE).glob("*/*.yaml"))
        for clause in load_file(str(path)).clauses
        if clause.rules and not clause.at.startswith("function/")
    ]
    for path, at in random.Random(seed).sample(pool, count):
        loaded = load_file(str(path))
        text = _texts(loaded).get(at)
        if text is not None:
            clause = next(clause for clause in loaded.clauses if clause.at == at)
            yield Drawn(loaded.spec.operator, at, text, tuple(_said(loaded, clause.rules)))


def _texts(loaded: Loaded) -> dict[str, str]:
    """The statements of an operator's page with what stands over them."""
    page = read_page(SHARED / "docs" / RELEASE / str(loaded.spec.document))
    drafts = assemble.drafts(page)
    draft = next((item for item in drafts if item.operator == loaded.spec.operator), drafts[0])
    phase = page.sections.get(f"{draft.operator}GetWorkspaceSize") or page.sections.get(draft.operator)
    over = {f"constraints/{i}": item for i, item in enumerate(page.constraints, 1)}
    over |= {f"notes/{i}": item for i, item in enumerate(phase.notes if phase else (), 1)}
    texts = {}
    for clause in draft.clauses:
        item = over.get(clause.at)
        scope = f"<{', '.join(item.scope)}> " if item and item.scope else ""
        texts[clause.at] = scope + "".join(f"{head} / " for head in (item.head if item else ())) + clause.text
    return texts


def _said(loaded: Loaded, ids: tuple[str, ...]) -> Iterator[str]:
    definition = loaded.definitions[0]
    for rule_id in ids:
        rule = definition.rule(rule_id)
        if rule is not None:
            yield f"{rule.id}: {_sentence(rule)}"


def _sentence(rule: RuleDef) -> str:
    when = "" if rule.when is None else f"when {prose.condition(rule.when, 'en')}: "
    return f"{when}{prose.requirement(rule.check, 'en')}"


def judgements() -> list[dict[str, str]]:
    """The committed judgements: operator, place, verdict, and a note where the verdict is not ``agrees``."""
    if not JUDGEMENTS.exists():
        return []
    return [json.loads(line) for line in JUDGEMENTS.read_text(encoding="utf-8").splitlines()]


def agreement() -> str:
    """How many of the judged clauses agree with their rules: ``176 of 199``."""
    judged = judgements()
    return f"{sum(item['verdict'] == 'agrees' for item in judged)} of {len(judged)}"


def main() -> None:
    """Print clauses to judge, or the tally."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--tally", action="store_true")
    asked = parser.parse_args()
    if asked.tally:
        counted = Counter(item["verdict"] for item in judgements())
        print(", ".join(f"{name} {counted[name]}" for name in VERDICTS), f"of {counted.total()}")
        return
    print(f"seed {asked.seed}")
    for number, item in enumerate(drawn(asked.seed, asked.count), 1):
        print(f"\n{number}. {item.operator} {item.at}\n   {item.text}")
        for rule in item.rules:
            print(f"   - {rule}")


if __name__ == "__main__":
    main()
