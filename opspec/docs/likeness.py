"""Params that must be alike, in as few sentences as say it: rules speak of pairs, a page of all that are of one kind.

``value same dtype as query``, ``key same dtype as query`` and ``value same dtype as key`` are one sentence, that query,
key and value must have the same data type.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from opspec.docs.params import equal_params
from opspec.docs.saying import Item, Sayings, ids_of
from opspec.docs.support import Column
from opspec.language import prose, tree
from opspec.model.definition import Definition, RuleDef

FEWEST = 3  # params that are told together
ATTRIBUTES = ("dtype", "format")


def same_items(sayings: Sayings, rules: Iterable[RuleDef]) -> Iterator[Item]:
    """Sentences on all that must have one data type, or one data format: first what rules of the lightest mark say."""
    plain = [rule for rule in rules if rule.when is None and rule.say is None]
    for attribute in ATTRIBUTES:
        pairs = {rule.id: pair for rule in plain if (pair := equal_params(rule, attribute)) is not None}
        for names in _connected(pairs.values()):
            mine = [rule for rule in plain if rule.id in pairs and set(pairs[rule.id]) <= names]
            if len(names) >= FEWEST:
                yield from _told(attribute, mine, pairs, sayings)


def tied(rules: Iterable[RuleDef], definition: Definition) -> list[set[str]]:
    """The params that must have one data type on any call by some rules, in sets."""
    plain = (rule for rule in rules if rule.when is None and rule.basis != "observed")
    return _connected(filter(None, (equal_params(rule, "dtype") or in_step(rule, definition) for rule in plain)))


def loose(columns: Iterable[Column], definition: Definition) -> Iterator[str]:
    """The lists of data types whose params may have different ones: no rule relates any two of them."""
    facts = (definition.facts(rule.check) for rule in definition.rules)
    related = [{name for name, facet in read if facet == "dtype"} for read in facts]
    for column in columns:
        if len(column.params) > 1 and all(len(names.intersection(column.params)) < 2 for names in related):
            yield column.name


def in_step(rule: RuleDef, definition: Definition) -> frozenset[str]:
    """The lists of which a rule says that each tensor has the data type of the one beside it in another."""
    match rule.check:
        case tree.Each(quantifier="all", element=tree.Compare(ops=("==",), operands=operands)):
            if all(isinstance(side, tree.Attr) and side.name == "dtype" for side in operands):
                return frozenset(name for name, facet in definition.facts(rule.check) if facet == "dtype")
    return frozenset()


def _connected(pairs: Iterable[Collection[str]]) -> list[set[str]]:
    """Names in sets of those that pairs connect."""
    found: list[set[str]] = []
    for pair in pairs:
        touched = [names for names in found if names & set(pair)]
        found = [names for names in found if names not in touched] + [set(pair).union(*touched)]
    return found


def _told(attribute: str, rules: list[RuleDef], pairs: dict[str, tuple[str, str]], sayings: Sayings) -> Iterator[Item]:
    """A sentence on those that the rules of the commonest mark connect, and for each other mark one on those left."""
    order = [param.name for param in sayings.definition.params]
    by_mark: dict[str, list[RuleDef]] = {}
    for rule in rules:
        by_mark.setdefault(sayings.mark(rule), []).append(rule)
    known: set[str] = set()
    for mark, group in sorted(by_mark.items(), key=lambda one: len(one[0])):
        for names in _connected(pairs[rule.id] for rule in group):
            mine = tuple(one for rule in group if set(pairs[rule.id]) <= names for one in ids_of(rule))
            new = sorted(names - known, key=order.index)
            if not new:
                continue
            key = f"same_{attribute}_as" if known else f"same_{attribute}"
            first = min(known, key=order.index, default="")
            text = sayings.words[key].format(prose.listing(new, sayings.lang, "and"), first)
            yield Item(text + sayings.words["stop"], mark, mine)
            known |= names
