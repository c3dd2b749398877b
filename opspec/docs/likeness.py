"""Params that must be alike, in as few sentences as say it: rules speak of pairs, a page of all that are of one kind.

``value same dtype as query``, ``key same dtype as query`` and ``value same dtype as key`` are one sentence, that query,
key and value must have the same data type.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator

from opspec.docs.cells import equal_params, promoted
from opspec.docs.saying import MARKS, Item, Sayings, ids_of
from opspec.docs.support import Column
from opspec.docs.tables import in_step, same_types
from opspec.language import build, prose, tree
from opspec.model.definition import Definition, RuleDef
from opspec.vocabulary.enforcement import CONTRADICTED

FEWEST = 3  # params that are told together
ATTRIBUTES = ("dtype", "format")


def same_items(
    sayings: Sayings, rules: Iterable[RuleDef], tables: Collection[Collection[str]] = ()
) -> list[tuple[set[str], Item]]:
    """Sentences on all that must have one data type, or one data format, whatever the runtime makes of each rule, with
    the params that each is about.

    Args:
        tables: params that have one data type by tables.
    """
    plain = [rule for rule in rules if sayings.parts(rule)[0] is None and sayings.part(rule) != CONTRADICTED]
    found: list[tuple[set[str], Item]] = []
    for attribute in ATTRIBUTES:
        others = tables if attribute == "dtype" else ()
        pairs = {rule.id: own for rule in plain if (own := _pairs(rule, attribute))}
        every = _connected([*itertools.chain(*pairs.values()), *others])
        whole = {
            rule: own for rule, own in pairs.items() if any(names.issuperset(itertools.chain(*own)) for names in every)
        }
        for names in _connected([*itertools.chain(*whole.values()), *others]):
            mine = [rule for rule in plain if rule.id in whole and names.issuperset(itertools.chain(*whole[rule.id]))]
            if mine and len(names) >= FEWEST:
                marks = {sayings.mark(rule) for rule in mine}.union("" for one in others if names.issuperset(one))
                found.append((names, _told(attribute, names, mine, marks, sayings)))
    return found


def _pairs(rule: RuleDef, attribute: str) -> list[tuple[str, str]]:
    """The params of which a rule says in pairs, and no more, that this attribute is the same."""
    found: list[tuple[str, str]] = []
    for part in build.conjuncts(rule.check):
        match part.operand if isinstance(part, tree.Given) else part:
            case tree.Compare(ops=ops, operands=sides) if set(ops) == {"=="} and rule.basis != "observed":
                own = [one.base for one in sides if isinstance(one, tree.Attr) and one.name == attribute]
                names = [base.name for base in own if isinstance(base, tree.Param)]
                if len(names) < len(sides):
                    return []
                found += itertools.pairwise(names)
            case _:
                return []
    return found


def tied(rules: Iterable[RuleDef], definition: Definition) -> list[set[str]]:
    """The params that must have one data type on any call by some rules, in sets."""
    plain = (rule for rule in rules if rule.when is None and rule.basis != "observed")
    return _connected(filter(None, (equal_params(rule, "dtype") or in_step(rule, definition) for rule in plain)))


def differing(
    columns: Iterable[Column], rules: Collection[RuleDef], known: Iterable[Collection[str]], sayings: Sayings
) -> str:
    """What is said of params that may have different data types: what the lists mean that several have, unless all of
    a list must have one, and which data types are promoted.

    Args:
        rules: those that the page tells.
        known: params that have one data type by what it tells.
    """
    alike = _connected([*known, *tied(rules, sayings.definition), *same_types(sayings.definition)])
    several = [column for column in columns if not any(names.issuperset(column.params) for names in alike)]
    several = [column for column in several if len(column.params) > 1]
    promotes = sayings.words["promoted"]
    told = [promotes.format(prose.listing(names, sayings.lang, "and")) for names in _free(rules, alike, sayings)]
    results = prose.listing([*dict.fromkeys(_converted(rules, alike, sayings))], sayings.lang, "and")
    told += [sayings.words["converted"].format(results)] if results else []
    return sayings.words["gap"].join([*([_meaning(several, sayings)] if several else ()), *told])


def _meaning(columns: Collection[Column], sayings: Sayings) -> str:
    """What lists of data types mean whose params may have different ones, on some condition where rules relate them."""
    rules = filter(sayings.can_be_broken, sayings.definition.rules)
    read = [{name for name, facet in sayings.definition.facts(rule.check) if facet == "dtype"} for rule in rules]
    related = any(len(names.intersection(column.params)) > 1 for column in columns for names in read)
    names = prose.listing([column.name for column in columns], sayings.lang, "and")
    return sayings.words["sets"].format(names, sayings.words["sets_related"] if related else "")


def _free(rules: Iterable[RuleDef], alike: Collection[set[str]], sayings: Sayings) -> Iterator[list[str]]:
    """Inputs whose data types are promoted to a common one by rules that all in the table keep, and may differ."""
    own = {rule.id for rule in rules}
    plain = (rule for rule in sayings.definition.rules if rule.basis != "observed" and rule.id not in own)
    pairs = [pair for rule in plain if (pair := (promoted(rule) if rule.when is None else None) or _cast(rule)[0])]
    inputs = [param.name for param in sayings.definition.params if param.io != "out"]
    for names in _connected(pairs):
        listed = [name for name in inputs if name in names]
        types = [known.values for name in listed if (known := sayings.domains.of.get(f"{name}.dtype"))]
        if len(listed) > 1 and len(set().union(*types)) > 1 and not any(len(names & one) > 1 for one in alike):
            yield listed


def _converted(rules: Iterable[RuleDef], alike: Collection[set[str]], sayings: Sayings) -> Iterator[str]:
    """Outputs whose data types may differ from what inputs have or promote to, which all in the table can become."""
    own = {rule.id for rule in rules}
    results = {param.name for param in sayings.definition.params if param.io != "in"}
    for rule in sayings.definition.rules:
        given, result = _cast(rule)
        if not given or result not in results or rule.id in own or rule.basis == "observed":
            continue
        types = [known.values for name in (*given, result) if (known := sayings.domains.of.get(f"{name}.dtype"))]
        if len(set().union(*types)) > 1 and not any({*given, result} <= one for one in alike):
            yield result


def _cast(rule: RuleDef) -> tuple[tuple[str, ...], str]:
    """The inputs whose data types, or what they promote to, an output's must be one to convert to, whatever else is so
    than its own data type; and the output."""
    match rule.check:
        case tree.Call(function="castable", args=(given, tree.Attr(base=tree.Param(name=result)) as own)):
            read = {part for part in tree.walk(rule.when or build.TRUE) if isinstance(part, tree.Attr)}
            sides = given.args if isinstance(given, tree.Call) and given.function == "promote" else (given,)
            names = [
                side.base.name for side in sides if isinstance(side, tree.Attr) and isinstance(side.base, tree.Param)
            ]
            return (tuple(names), result) if len(names) == len(sides) and read <= {own} else ((), "")
    return (), ""


def _connected(pairs: Iterable[Collection[str]]) -> list[set[str]]:
    """Names in sets of those that pairs connect."""
    found: list[set[str]] = []
    for pair in pairs:
        touched = [names for names in found if names & set(pair)]
        found = [names for names in found if names not in touched] + [set(pair).union(*touched)]
    return found


def _told(
    attribute: str, names: Collection[str], rules: Iterable[RuleDef], marks: Collection[str], sayings: Sayings
) -> Item:
    """The sentence on all that some rules connect; its mark is in brackets where it is not that of all of them."""
    listed = [param.name for param in sayings.definition.params if param.name in names]
    text = sayings.words[f"same_{attribute}"].format(prose.listing(listed, sayings.lang, "and"))
    sign = next((sign for sign in MARKS.values() if any(sign in mark for mark in marks)), "")
    mark = f"({sign})" if len(marks) > 1 and sign else "".join(marks)
    return Item(text + sayings.words["stop"], mark, tuple(one for rule in rules for one in ids_of(rule)))
