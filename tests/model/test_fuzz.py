"""Promise: whatever stands in a spec file, it loads and can be linted, or ends in an error that names a place."""

from __future__ import annotations

import random
import re

import pytest

from opspec.errors import OpspecError
from opspec.model.load import load_text
from opspec.workshop.lint import lint
from tests.model.test_lint import CLEAN, PATH

TOKENS = (
    "'", '"', ": ", "- ", "[", "]", "{", "}", "\n", "  ", "|", ">", "#", "&", "*", "!", "null", "~", "any", "0", "-1",
    "99999999999999999999", "1e999", "x", "n", "half", "==", " and ", "not ", "all(", "for d in ", "range(", "(", ")",
    "if ", "else ", "None", "product", "'910b'", "undefined", "same as ", "\\", "\t", "数", "\ufeff", "\0", "\x85",
    "let", "dtype", "rank", "shape", "table", "scenarios", "results", "twin", "example", "(N, C, *d)", "given(",
)  # fmt: skip


def mutated(chance: random.Random) -> str:
    """The clean spec with some pieces replaced."""
    text = CLEAN
    for _ in range(chance.randrange(1, 5)):
        words = list(re.finditer(r"[\w.]+|\W", text))
        start, end = chance.choice(words).span()
        text = text[: start if chance.random() < 0.7 else end] + chance.choice(TOKENS) + text[end:]
    return text


@pytest.mark.parametrize("seed", range(4))
def test_mutated_specs_are_linted_or_refused_at_a_place(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(200):
        text = mutated(chance)
        try:
            lint(load_text(text, PATH), PATH)
        except OpspecError as error:
            for fault in error.faults:
                assert re.fullmatch(rf"{re.escape(PATH)}:\d+:\d+", fault.where), text
