"""Checks of the ledger: which clause of the page each rule stems from, and what the rows of return codes say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, partial

from opspec.errors import did_you_mean
from opspec.language import normal, prose
from opspec.language.facts import PRODUCT_FACT
from opspec.language.text import spelled, write
from opspec.model.definition import Definition
from opspec.model.draft import Path
from opspec.model.evidence import evidence_of, together
from opspec.model.ledger import place_of
from opspec.model.spec import Rule, Scenario, Spec
from opspec.vocabulary import products
from opspec.workshop.lint.chances import Chances
from opspec.workshop.lint.subject import Fault, Found, Subject, of_each


def clauses(subject: Subject) -> Found:
    """Every documented rule comes from clauses that the page has, if there is one; the model sees to the reverse."""
    spec = subject.loaded.spec
    if spec.document is None:
        return  # an operator of one's own: the spec is its document
    if not subject.loaded.clauses and spec.partial is None:
        message = "the spec lists no clauses: nobody can tell what of the page it covers"
        yield Fault(("operator",), "clauses", message)
        return
    yield from _unsourced(subject)
    yield from _misplaced(subject)


@of_each
def _unsourced(subject: Subject, definition: Definition) -> Found:
    for rule in definition.rules:
        if rule.basis == "documented" and not rule.sources:
            yield Fault(rule.path, rule.id, f"the rule {rule.id!r} comes from no clause")


def _misplaced(subject: Subject) -> Found:
    """What a spec cites and the page does not have leads a reader astray."""
    definition = subject.own
    ids, params = definition.clauses, [param.name for param in definition.params]
    on_page = set(ids.values())
    for path, about, what, name in _cited(definition.spec) if on_page else ():
        if place_of(name, ids, params) not in on_page:
            hint = did_you_mean(name, [*ids, *on_page])
            yield Fault(path, about, f"{what} {name!r}, which is no clause of the page{hint}")


def _cited(spec: Spec) -> Iterator[tuple[Path, str, str, str]]:
    """Where a spec names a clause: its path, what it is said of, a sentence that begins so, and the clause's name."""
    entries: tuple[tuple[str, Mapping[str, Rule] | Mapping[str, Scenario]], ...]
    entries = (("rules", spec.rules), ("scenarios", spec.scenarios))
    for key, rules in entries:
        for rule_id, rule in rules.items():
            for i, name in enumerate(rule.from_):
                yield (key, rule_id, "from", i), rule_id, f"the rule {rule_id!r} comes from", name
    for name in spec.clauses:
        yield ("clauses", name), name, "the spec says which rules formalise", name


def reworded(subject: Subject) -> Found:
    """Where a page's words have changed, somebody reads whether its rules still say them."""
    for clause in subject.loaded.clauses:
        if clause.reworded:
            message = f"the page says {clause.id!r} in other words now: read {clause.at}, then import with --read"
            yield Fault(("operator",), clause.id, message)


@of_each
def evidence(subject: Subject, definition: Definition) -> Found:
    """What was recorded is of a rule that is there: the file of evidence outlives a rule that is renamed."""
    known = {rule.id for rule in definition.rules}
    for name in evidence_of(subject.path, definition.name):
        if name not in known:
            yield Fault(("operator",), name, f"evidence was recorded of {name!r}, which is no rule")


@of_each
def observed(subject: Subject, definition: Definition) -> Found:
    """An observed rule rests on calls: those that break it alone were refused, or its author names what was seen."""
    for rule in definition.rules:
        recorded = together(rule.recorded.values())
        if rule.basis != "observed" or (rule.evidence and not recorded.accepted):
            continue
        if not recorded.refused or not recorded.checked:
            counts = f"{recorded.refused} calls that break it alone were refused, {recorded.accepted} accepted"
            yield Fault(rule.path, rule.id, f"the observed rule {rule.id!r} is not what was observed: {counts}")


@of_each
def notes(subject: Subject, definition: Definition) -> Found:
    """A rule that the page states for some products only finds nothing on the others.

    Rows of return codes count for nothing here: they say what breaking a rule leads to, not where it holds. Of a rule
    that a param makes, its cells may say more for the others: it only has to read the product. A product that no
    clause of the page names is one that its words do not tell from the others: an older page names only what it knew.
    """
    scopes = _scopes(subject)
    named = frozenset[str]().union(*scopes.values())
    supported = [name for name, support in definition.spec.products.items() if support != "no" and _covers(named, name)]
    chances = cache(partial(Chances, definition))
    for rule in definition.rules:
        stated = [scopes[place] for place in rule.sources if not place.startswith("returns/") and place in scopes]
        if not stated or not all(stated):
            continue
        others = [name for name in supported if not any(_covers(scope, name) for scope in stated)]
        free = [name for name in others if chances(name).breaks(rule)]
        if free and not (rule.path[0] == "params" and PRODUCT_FACT in definition.read_by(rule)):
            about = ", ".join(sorted(set().union(*stated)))
            message = f"the page states {rule.id!r} for {about}, and it holds on {', '.join(free)} too"
            yield Fault(rule.path, rule.id, message)


def _scopes(subject: Subject) -> dict[str, frozenset[str]]:
    """Place -> the products of its clause; a clause in the same words for other products is about theirs, too."""
    by_words: dict[str, set[str]] = {}
    for clause in subject.loaded.clauses:
        if clause.on:
            by_words.setdefault(clause.words or clause.at, set()).update(clause.on)
    return {
        clause.at: frozenset(clause.on) | by_words[clause.words or clause.at] if clause.on else frozenset()
        for clause in subject.loaded.clauses
    }


def _covers(scope: frozenset[str], name: str) -> bool:
    """Whether a product, or a member of one, is among some products, whole or by its members."""
    return bool({name, products.owner(name)} & scope) or (
        name in products.ids() and any(products.owner(item) == name for item in scope)
    )


def words(subject: Subject) -> Found:
    """Every rule can be said in both languages."""
    for definition in subject.definitions:
        for rule in definition.rules:
            if not all(prose.requirement(rule.check, lang) for lang in prose.WORDS):
                yield Fault(rule.path, rule.id, f"the rule {rule.id!r} has no words", definition.name)


def silent(subject: Subject) -> Found:
    """A tensor of which no rule reads shape, rank or dtype accepts anything there."""
    definition = subject.own
    rules = (
        rule for rule in definition.rules if rule.kind != "rank-limit"
    )  # what holds of any tensor says nothing of it
    read = frozenset[tuple[str, str]]().union(*(definition.read_by(rule) for rule in rules))
    used = frozenset[tuple[str, str]]().union(*(definition.facts(node) for node in definition.results.values()), read)
    for i, param in enumerate(definition.params):
        if param.kind not in ("tensor", "tensor_list") or definition.rule(f"{param.name}.reserved"):
            continue
        facets = {facet for name, facet in used if name == param.name}
        for facet in ("dtype", "rank", "shape"):
            if facet not in facets and not _told(definition, param.name, facet, facets):
                message = f"no rule reads the {facet} of {param.name}: it accepts any"
                yield Fault(("params", i), f"{param.name}.{facet}", message)


def _told(definition: Definition, name: str, facet: str, facets: set[str]) -> bool:
    """Whether another facet tells this one: a shape its rank, and rank 0 the only shape that has it."""
    if facet != "shape":
        return facet == "rank" and "shape" in facets
    rule = definition.rule(f"{name}.rank")
    return rule is not None and write(normal.normal(rule.check)) == f"{spelled(name)}.rank == 0"
