"""Two definitions of an operator face to face: which rules of theirs mean the same, and which of the rest follow from
the other side's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from opspec.diff.law import DEEP, FLAT, Law, counts
from opspec.diff.meaning import Meaning, meaning, normal_meaning, parts_said
from opspec.diff.signature import renames, support
from opspec.docs.saying import Sayings
from opspec.language.facts import PRODUCT_FACT
from opspec.language.text import write
from opspec.model.definition import Definition, RuleDef
from opspec.vocabulary.literals import Lang

_SHOWN = 400  # characters of a rule's source
#: what the engine says of every operator; a page that says nothing of formats has such a rule all the same
GENERAL = ("rank-limit", "private-format")


@dataclass(frozen=True, slots=True)
class Follows:
    """Where a rule of one side follows from those of the other.

    Args:
        by: the rules that it follows from; none where it says nothing on any product of both.
        open: the products on which it is not shown to.
    """

    by: tuple[str, ...]
    open: tuple[str, ...]


class Pair:
    """Two definitions, and what their rules have to do with each other.

    Args:
        sources: whether it is told which rules say what moved.

    Attributes:
        names: params of the first -> what the second calls them.
        old, new: rules by id, without those that other changes tell of.
        same: id of a rule of the second -> that of the one of the first that means the same.
        products: those that both sides support.
    """

    def __init__(self, before: Definition, after: Definition, sources: bool = True) -> None:
        self.before, self.after, self._sources = before, after, sources
        kept = {param.name for param in after.params}
        self.names = {param.name: param.name for param in before.params if param.name in kept}
        self.names |= renames(before, after)
        self.old = {rule.id: rule for rule in before.rules if _is_own(rule, before, set(self.names))}
        self.new = {rule.id: rule for rule in after.rules if _is_own(rule, after, set(self.names.values()))}
        self.products = supported_by_both(before, after)
        self.same = self._same()
        self.kept = frozenset(self.same.values())
        self._params_of: dict[tuple[bool, str], frozenset[str]] = {}
        self._parts_of: dict[tuple[bool, str, str], tuple[str, frozenset[str]] | None] = {}

    def _same(self) -> dict[str, str]:
        """By text, and what is left by normal form, which takes longer; of rules of one meaning, by id."""
        found = {name: name for name, rule in self.old.items() if self._is_kept(rule)}
        if len(found) == len(self.new):  # as most often
            return found
        found = {}
        for form in (meaning, normal_meaning):
            left = {name: form(rule, self.after, {}) for name, rule in self.new.items() if name not in found}
            taken = set(found.values())
            known: dict[Meaning, str] = {}
            for name, rule in self.old.items():
                if name not in taken:
                    said = form(rule, self.before, self.names)
                    if left.get(name) == said:
                        found[name] = name
                    known.setdefault(said, name)
            found |= {name: known[said] for name, said in left.items() if name not in found and said in known}
        return found

    def _is_kept(self, rule: RuleDef) -> bool:
        """Whether the second has a rule of this id and of the very trees of one of the first, which read the same."""
        now = self.new.get(rule.id)
        is_one = now is not None and now.check is rule.check and now.when is rule.when
        return is_one and now is not None and not (now.alternatives or rule.alternatives) and self._is_read_alike

    @cached_property
    def _is_read_alike(self) -> bool:
        """Whether names mean the same on both sides."""
        return self.before.lets == self.after.lets and all(name == other for name, other in self.names.items())

    def unmatched_new(self) -> list[RuleDef]:
        """Rules of the second that no rule of the first is the same as."""
        return [rule for name, rule in self.new.items() if name not in self.same]

    def unmatched_old(self) -> list[RuleDef]:
        """Rules of the first that no rule of the second is the same as."""
        return [rule for name, rule in self.old.items() if name not in self.kept]

    @cached_property
    def _old_law(self) -> Law:
        back = {now: was for was, now in self.names.items()}
        return Law(self.before, self.after, self.unmatched_new(), back)

    @cached_property
    def _new_law(self) -> Law:
        return Law(self.after, self.before, self.unmatched_old(), self.names)

    def follows(self, rule: RuleDef, deep: bool = False, products: Iterable[str] = (), first: bool = False) -> Follows:
        """Where a rule of one side, not the same as any of the other, follows from the other side's.

        Args:
            deep: try harder.
            products: those that are asked about; all of :attr:`products` when empty.
            first: whether one product is enough on which it is not shown to.
        """
        law, asked = self._law(rule), tuple(products) or self.products
        if rule.kind == "null":
            return Follows((), asked)
        states = DEEP if deep else FLAT
        by: dict[str, None] = {}
        left = []
        for product in asked:
            said = self._said_by(rule, product)
            if said is not None:
                by.update(dict.fromkeys(said))
            elif (found := law.requires(rule, product, states)) is None:
                left.append(product)
                if first:
                    break
            elif found and not by and self._sources:
                by.update(dict.fromkeys(law.fewest(rule, product, states)))
        return Follows(tuple(by), tuple(left))

    def _said_by(self, rule: RuleDef, product: str) -> tuple[str, ...] | None:
        """The rules of the other side that say each part of a rule on a product, word by word, none where it says
        nothing there; None where a part is not said."""
        ours = self.new.get(rule.id) is rule
        told = self._told(rule, not ours, product)
        if told is None:
            return ()
        guard, parts = told
        said = self._parts(ours, product, rule)
        by = [said.get(("", part)) or said.get((guard, part)) for part in parts]
        return tuple(sorted({name for name in by if name is not None})) if all(by) else None

    def _parts(self, old: bool, product: str, asked: RuleDef) -> dict[tuple[str, str], str]:
        """What one side says on a product: (condition, part of what must hold under it) -> the rule that says so, of
        those by which calls are illegal and that read something that a rule of the other side reads."""
        side, found, read = self.before if old else self.after, dict[tuple[str, str], str](), self._read(asked, not old)
        for rule in side.rules:
            if read.isdisjoint(self._read(rule, old)) or not counts(rule, side):
                continue
            guard, parts = self._told(rule, old, product) or ("", frozenset())
            for part in parts:
                found.setdefault((guard, part), rule.id)
        return found

    def _read(self, rule: RuleDef, old: bool) -> frozenset[str]:
        """The params that a rule of one side requires something of, as the second calls them."""
        at = old, rule.id
        if at not in self._params_of:
            facts = (self.before if old else self.after).facts(rule.check)
            names = self.names if old else {}
            self._params_of[at] = frozenset(names.get(name, name) for name, _ in facts)
        return self._params_of[at]

    def _told(self, rule: RuleDef, old: bool, product: str) -> tuple[str, frozenset[str]] | None:
        """What a rule of one side says on a product; one that does not ask for the product says the same on all."""
        side, names = (self.before, self.names) if old else (self.after, {})
        nodes = (rule.check, rule.when) if rule.when is not None else (rule.check,)
        asks = any(PRODUCT_FACT in side.facts(node) for node in nodes)
        at = old, rule.id, product if asks else ""
        if at not in self._parts_of:
            self._parts_of[at] = parts_said(rule, side, names, product)
        return self._parts_of[at]

    def _law(self, rule: RuleDef) -> Law:
        """The other side's."""
        return self._old_law if self.new.get(rule.id) is rule else self._new_law

    def where(self, products: Iterable[str]) -> tuple[str, ...]:
        """Products to tell; none where they are all that both support."""
        found = tuple(products)
        return () if len(found) == len(self.products) else found

    def says(self, rule: RuleDef) -> dict[Lang, str]:
        """The sentence about a rule of either side, by language."""
        side = self.after if self.new.get(rule.id) is rule else self.before
        return {"en": Sayings(side, "en").brief(rule), "zh": Sayings(side, "zh").brief(rule)}


def both_said(old: Mapping[Lang, str], new: Mapping[Lang, str]) -> dict[Lang, str]:
    """Sentences about a rule as it is, and as it was where it read otherwise."""
    was: Mapping[Lang, str] = {"en": "{} Before: {}", "zh": "{}之前：{}"}
    return {lang: text if old[lang] == text else was[lang].format(text, old[lang]) for lang, text in new.items()}


def supported_by_both(before: Definition, after: Definition) -> tuple[str, ...]:
    """The products that rules are compared on: both pages say yes, or, where there is none, the newer one does and the
    older does not say no."""
    yes = [name for name, support in after.spec.products.items() if support == "yes"]
    was = {name: support(before, name) for name in yes}
    return tuple(name for name in yes if was[name] == "yes") or tuple(name for name in yes if was[name] != "no")


def source(rule: RuleDef | None) -> str:
    """A rule as its spec writes it; nothing of no rule."""
    if rule is None:
        return ""
    text = write(rule.check) if not rule.alternatives else " or ".join(item.id for item in rule.alternatives)
    when = "" if rule.when is None else f" if {write(rule.when)}"
    return f"{text}{when}"[:_SHOWN]


def _is_own(rule: RuleDef, definition: Definition, params: set[str]) -> bool:
    """Whether a rule is no other change's: of a product alone, of the engine, or of a param that comes or goes."""
    if rule.kind == "rank-limit" or (not rule.alternatives and definition.facts(rule.check) == {PRODUCT_FACT}):
        return False
    return rule.param is None or rule.param in params
