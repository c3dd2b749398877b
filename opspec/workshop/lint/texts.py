"""Checks of what a spec says in words: every param has some, in both languages, each in its own script."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opspec.docs.symbols import letters as found_letters
from opspec.docs.symbols import unexplained
from opspec.errors import did_you_mean
from opspec.model.draft import Path
from opspec.model.ledger import place_of
from opspec.model.values import Bilingual
from opspec.vocabulary import schemes
from opspec.workshop.lint.subject import Fault, Found, Subject

_CHINESE = re.compile(r"[\u3400-\u9fff\u3000-\u303f\uff00-\uffef]")


def texts(subject: Subject) -> Found:
    """Whoever reads a page of one language finds all of it there, and nothing in the other's script.

    An operator of one's own may be in one language, and needs no words.
    """
    spec = subject.loaded.spec
    if spec.document is None:
        return
    for i, param in enumerate(spec.params):
        if param.about is None:
            message = f"nothing says what {param.name} means"
            yield Fault(("params", i), f"{param.name}.about", message)
    for name, scenario in spec.scenarios.items():
        for i, item in enumerate(scenario.alternatives):
            if item.about is None and schemes.words(item.id) is None:
                message = "nothing says what sentences call this alternative: give it `about`"
                yield Fault(("scenarios", name, "alternatives", i), f"{name}.{item.id}", message)
    for i, conflict in enumerate(spec.conflicts):
        for j, place in enumerate(conflict.between):
            if place.en == place.zh and " " in place.text("en"):
                message = f"{place.en!r} is no place, and words are in both languages: write {{en: …, zh: …}}"
                yield Fault(("conflicts", i, "between", j), f"conflicts.{i + 1}", message)
    for path, about, text in _texts(subject):
        if text.en is None or text.zh is None:
            yield Fault(path, about, f"the text is not in {'English' if text.en is None else 'Chinese'}")
        elif _CHINESE.search(text.en):
            yield Fault(path, about, f"the English text has Chinese characters: {text.en!r}")


def _texts(subject: Subject) -> Iterator[tuple[Path, str, Bilingual]]:
    spec = subject.loaded.spec
    if spec.summary is not None:
        yield ("summary",), "summary", spec.summary
    for i, formula in enumerate(spec.formula):
        if formula.title is not None:
            yield ("formula", i, "title"), "formula", formula.title
        for symbol, text in formula.where.items():
            yield ("formula", i, "where", symbol), "formula", text
    for i, param in enumerate(spec.params):
        if param.about is not None:
            yield ("params", i, "about"), f"{param.name}.about", param.about
        if isinstance(param.enum, dict):
            for value, meaning in param.enum.items():
                yield ("params", i, "enum", value), f"{param.name}.enum", meaning
    for name, scenario in spec.scenarios.items():
        for i, item in enumerate(scenario.alternatives):
            if item.about is not None:
                yield ("scenarios", name, "alternatives", i, "about"), f"{name}.{item.id}", item.about
    for i, remark in enumerate(spec.remarks):
        yield ("remarks", i), f"remarks.{i + 1}", remark
    for i, conflict in enumerate(spec.conflicts):
        yield ("conflicts", i, "resolution"), f"conflicts.{i + 1}", conflict.resolution
        for j, place in enumerate(conflict.between):
            yield ("conflicts", i, "between", j), f"conflicts.{i + 1}", place


def letters(subject: Subject) -> Found:
    """Whoever reads a formula knows what each letter of it stands for: from the params, the glossary or a legend."""
    definition = subject.definitions[0]
    own = subject.loaded.document.value
    if not isinstance(own, dict) or "formula" not in own:
        return  # one that is inherited is looked at where it stands
    for name in unexplained(definition):
        formulas = definition.spec.formula
        i = next(i for i, item in enumerate(formulas) if name in {letter for letter, _ in found_letters(item.latex)})
        yield Fault(("formula", i), "formula", f"nothing on the page explains {name}")


def remarks(subject: Subject) -> Found:
    """A remark stems from the page: from clauses that its ledger lists."""
    own = subject.loaded.document.value
    spec = subject.loaded.spec
    if spec.document is None or not isinstance(own, dict) or "remarks" not in own:
        return  # one that the extended operator's page makes is looked at there
    names = [param.name for param in spec.params]
    ids = subject.own.clauses
    known = {clause.at for clause in subject.loaded.clauses}
    for i, remark in enumerate(spec.remarks):
        for j, name in enumerate(remark.from_):
            if place_of(name, ids, names) not in known:
                message = f"the page has no clause {name!r}{did_you_mean(name, [*ids, *known])}"
                yield Fault(("remarks", i, "from", j), f"remarks.{i + 1}", message)
