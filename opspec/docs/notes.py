"""What a page notes beside its rules: determinism, values of outputs, and remarks by kind."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from opspec.docs.saying import Sayings, capital
from opspec.docs.words import WORDS
from opspec.language.text import write
from opspec.model.remarks import remarks_of
from opspec.model.spec import KINDS, Deprecated, Determinism
from opspec.vocabulary import products
from opspec.vocabulary.literals import Lang


@dataclass(frozen=True, slots=True)
class Notes:
    """Notes of one kind."""

    title: str
    lines: tuple[str, ...]


def notes(sayings: Sayings) -> tuple[Notes, ...]:
    """Remarks that stand beside no param, by kind, determinism among them."""
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    found["determinism"] += _by_products(sayings)
    by_place: dict[str, list[tuple[str, str]]] = {"": []}  # what is for some products behind the rest, place by place
    for remark in remarks_of(sayings.definition):
        if remark.param is None and (on := _where(remark.on, sayings)) is not None:
            by_place.setdefault(on, []).append((remark.about, on + remark.text(sayings.lang)))
    for about, text in itertools.chain(*by_place.values()):
        found[about].append(text)
    return tuple(Notes(sayings.words[f"kind_{kind}"], tuple(lines)) for kind, lines in found.items() if lines)


def _by_products(sayings: Sayings) -> list[str]:
    """Whether results are deterministic on which products, in one line; none where the spec does not say."""
    starts = [(item, _where(item.on, sayings)) for item in sayings.spec.deterministic]
    told = [on + _determined(item, sayings) for item, on in starts if on is not None]
    return [sayings.words["gap"].join(told)] if told else []


def _where(named: Collection[str], sayings: Sayings) -> str | None:
    """What a note begins with that is for some of the products that have the operator; None where it is for none."""
    having = [name for name in sayings.spec.products if name in sayings.definition.supported]
    mine = [name for name in having if name in named or products.owner(name) in named]
    if not named or len(mine) == len(having) > 0:
        return ""
    return sayings.on(mine) if mine else None


def constraints(sayings: Sayings) -> tuple[str, ...]:
    """What the vendor's form lists as constraints: the notes, and rules about no single param or about values."""
    lines = [f"{sayings.words['determinism']}{_determinism(item, sayings)}" for item in sayings.spec.deterministic]
    for rule in sayings.definition.rules:
        if rule.basis != "observed" and (rule.param is None or rule.step == "value") and rule.kind != "product":
            lines.append(sayings.plain.requirement(rule))
    lines += [line for group in notes(sayings) for line in group.lines]
    said = _by_products(sayings)
    return tuple(line for line in dict.fromkeys(lines) if line not in said)


def _determinism(item: Determinism, sayings: Sayings) -> str:
    on = sayings.on(item.on) if item.on else ""
    return on + _determined(item, sayings)


def _determined(item: Determinism, sayings: Sayings) -> str:
    """Whether results are deterministic."""
    key = "deterministic" if item.default else "switchable" if item.switchable else "nondeterministic"
    words = sayings.words
    switch = words["environment"].format(item.by) if item.by else "aclrtCtxSetSysParamOpt"
    return words[key].format(switch)


def deprecation(item: Deprecated | None, lang: Lang) -> str:
    """What is said of a deprecated operator; nothing of any other."""
    if item is None:
        return ""
    words = WORDS[lang]
    return words["instead"].format(words["and"].join(item.successors)) if item.successors else words["withdrawn"]


def results(sayings: Sayings) -> Iterator[tuple[str, str]]:
    """What the function of one phase writes, in words, and what functions beside the operator do."""
    for name, node in sayings.definition.results.items():
        param, _, attribute = name.partition(".")
        label = sayings.words[f"result_{attribute}"].format(param) if attribute else f"`{name}`"
        yield capital(label), sayings.phrase(node)
    for helper in sayings.definition.helpers:
        for name, node in (*helper.lets.items(), *helper.results.items()):
            yield f"`{helper.name}: {name}`", write(node)
