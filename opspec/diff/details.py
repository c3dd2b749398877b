"""What a history tells of a change beside what a comparison does: what was required before, which values are left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from opspec.diff.change import Change
from opspec.docs.changes import rank_of_shape
from opspec.docs.described import dtypes_taken, formats_taken
from opspec.docs.domains import NOTHING, Domain
from opspec.docs.narrowing import narrowed
from opspec.docs.saying import Sayings, Sentence
from opspec.language import tree
from opspec.model.definition import Definition, RuleDef
from opspec.model.spec import Param, Spec
from opspec.model.stated import stated_of
from opspec.vocabulary import products
from opspec.vocabulary.literals import Lang

Sentences = Mapping[str, Mapping[Lang, str]]
Taken = Callable[[Spec, tuple[Param, ...], str | None], tuple[str, ...]]

#: kinds of rules that list what a param takes, and who says what that is on a product
_LISTED: Mapping[str, Taken] = {"dtype": dtypes_taken, "format": formats_taken}
#: languages, and what stands between two sentences
_LANGS: tuple[tuple[Lang, str], ...] = (("en", " "), ("zh", ""))


@dataclass(frozen=True, slots=True)
class Told:
    """A change that is told.

    Args:
        now, was: what a rule, or those on a param's value, requires and did require, in sentences, without those that
            both say, on the products of the change; empty for others.
        left: of a param that takes less, the dtypes or formats that it takes now.
        alone: of one rule that is new, its sentence in each language, which others may share.
    """

    change: Change
    now: Mapping[Lang, str] = field(default_factory=dict)
    was: Mapping[Lang, str] = field(default_factory=dict)
    left: tuple[str, ...] = ()
    alone: Mapping[Lang, tuple[str, Sentence]] = field(default_factory=dict)


def told(change: Change, old: Definition, new: Definition) -> Iterator[Told]:
    """A change between two definitions as a history has it; nothing where but the words of a list differ."""
    param, _, facet = change.subject.rpartition(" ")
    if facet == "rank" and _fixed_rank(old, param) == _fixed_rank(new, param) is not None:
        return  # a shape that is said dim by dim leaves a list of ranks nothing to say
    if facet in _LISTED and param:
        yield Told(change, left=_left(new, param, facet, change.products))
    elif facet == "value" and param:
        yield _apart(change, (new, _on_value(new, param)), (old, _on_value(old, param)))
    elif change.kind.startswith("rule-"):
        yield from _of_rules(change, old, new)
    else:
        yield Told(change)


def _fixed_rank(definition: Definition, param: str) -> int | None:
    """How many dims a param has as its shape says; None where that says nothing of it."""
    found = filter(None, map(rank_of_shape, definition.rules))
    return next((rank for node, rank in found if isinstance(node, tree.Param) and node.name == param), None)


def _of_rules(change: Change, old: Definition, new: Definition) -> Iterator[Told]:
    before, after = old.rule(change.subject), new.rule(change.subject)
    if before is None or after is None:
        yield _apart(change, (new, [] if after is None else [after]), (old, []))
    elif before.kind == after.kind and after.kind in _LISTED and before.param and after.param:
        yield from _of_lists(change, (old, before), (new, after))
    else:
        yield _apart(change, (new, [after]), (old, [before]))


def _apart(change: Change, new: tuple[Definition, list[RuleDef]], old: tuple[Definition, list[RuleDef]]) -> Told:
    """What rules require and others did, without the sentences that both have."""
    now, was = (_sentences(*side, _where(change, side[0])) for side in (new, old))
    if not now and not was:
        now, was = (_sentences(*side, products.ids()) for side in (new, old))
    alone: dict[Lang, tuple[str, Sentence]] = {}
    if len(new[1]) == 1 and not was and new[1][0].param is not None:
        rule = _on_products(new[1][0], _where(change, new[0])) or new[1][0]
        alone = {lang: (rule.param or "", Sayings(new[0], lang).briefly(rule)) for lang, _ in _LANGS}
    return Told(change, _without(now, was), _without(was, now), alone=alone)


def _where(change: Change, definition: Definition) -> tuple[str, ...]:
    """The products of a change, or those that an operator supports."""
    return change.products or tuple(sorted(definition.supported))


def _without(sentences: Sentences, others: Sentences) -> dict[Lang, str]:
    """Sentences that the others have not; of two sides that read the same, all."""
    kept = [said for english, said in sentences.items() if english not in others or sentences == others]
    return {lang: gap.join(said[lang] for said in kept) for lang, gap in _LANGS}


def _sentences(definition: Definition, rules: list[RuleDef], on: tuple[str, ...]) -> Sentences:
    """What rules require on some products, by the English of it."""
    kept = [known for rule in rules if (known := _on_products(rule, on)) is not None]
    said = [{lang: Sayings(definition, lang).brief(rule) for lang, _ in _LANGS} for rule in kept]
    return {texts["en"]: texts for texts in said}


def _on_products(rule: RuleDef, ids: tuple[str, ...]) -> RuleDef | None:
    """A rule as it is on some products alone; None of one that has nothing to say there."""
    on = frozenset[object](ids)
    found = narrowed(rule, replace(NOTHING, of={"product": Domain(on, stated=on)}))
    if found is None or rule.alternatives or found == (rule.when, rule.check):
        return found and rule
    return rule.but(id=" ".join((rule.id, *ids)), when=found[0], check=found[1])


def _on_value(definition: Definition, param: str) -> list[RuleDef]:
    """The rules that look at nothing but a param's value, and perhaps the product."""
    found = []
    for rule in definition.rules:
        about = {fact for fact in definition.read_by(rule) if fact[0] and fact[1] != "presence"}
        if about == {(param, "value")} and not rule.alternatives:
            found.append(rule)
    return found


def _of_lists(change: Change, old: tuple[Definition, RuleDef], new: tuple[Definition, RuleDef]) -> Iterator[Told]:
    """Two lists of what a param takes, as what comes and goes on products that both support."""
    facet = new[1].kind
    was, now = (_taken(definition, rule.param or "", facet) for definition, rule in (old, new))
    groups: dict[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for product in (name for name in now if name in was):
        lost = tuple(name for name in was[product] if name not in now[product])
        gained = tuple(name for name in now[product] if name not in was[product])
        if lost or gained:
            groups.setdefault((lost, gained, now[product]), []).append(product)
    for (lost, gained, left), on in groups.items():
        kind = "replaced" if lost and gained else "narrowed" if lost else "widened"
        before, after = " ".join(f"-{name}" for name in lost), " ".join(f"+{name}" for name in gained)
        where = () if len(on) == len(now) else tuple(on)
        yield Told(Change(change.operator, kind, f"{new[1].param} {facet}", before, after, where, lost=lost), left=left)


def _left(definition: Definition, param: str, facet: str, on: tuple[str, ...]) -> tuple[str, ...]:
    """What a param takes on some products or all; nothing where they differ."""
    sets = {names for product, names in _taken(definition, param, facet).items() if product in on or not on}
    return sets.pop() if len(sets) == 1 else ()


def _taken(definition: Definition, param: str, facet: str) -> dict[str, tuple[str, ...]]:
    """Supported product -> what a param takes there."""
    spec, of = definition.spec, _LISTED[facet]
    own = stated_of(definition).get(param, ())
    supported = [product for product, support in spec.products.items() if support == "yes"]
    return {product: of(spec, own, product) for product in supported}
