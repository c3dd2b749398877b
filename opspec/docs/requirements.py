"""What a call must keep, told apart by what the runtime makes of it, by subject; and what statuses say."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from opspec.docs.cells import follows, in_columns, in_row, promotes, ranks_are_told
from opspec.docs.described import clauses_of
from opspec.docs.joining import as_one
from opspec.docs.limits import runs
from opspec.docs.saying import MANY, MARKS, SHORT, Item, Sayings, capital, ids_of
from opspec.docs.tables import in_step, is_of_size, same_types, says_more
from opspec.language import build, prose, tree
from opspec.language.prose.clauses import ITEM
from opspec.model.definition import Definition, RuleDef
from opspec.model.ledger import row_of
from opspec.vocabulary import status
from opspec.vocabulary.enforcement import CONTRADICTED, REFUSED, UNCHECKED, UNKNOWN
from opspec.vocabulary.literals import Enforcement as Part
from opspec.vocabulary.literals import Lang

#: what a rule reads of tensors -> the subject under which a page lists it, the weightiest first
_BY_FACET = {
    "values": "values", "layout": "shapes", "shape": "shapes", "rank": "shapes", "dtype": "dtypes", "format": "formats",
}  # fmt: skip
SUBJECTS = ("dtypes", "formats", "shapes", "attributes", "values")

MOST_FLAT = 20  #: rules of a page that does not tell apart which products they are for
MOST_LED = 4  #: of these those that are for some products
MOST_TOGETHER = 12  #: lines about a subject that stand together; of more those of one param stand apart
FEWEST = 2  #: lines about a param that stand apart
MOST_RANGES = 6  #: ranges of requirements that a status names; of more it says what they are about
MOST_SAID = 4  #: requirements that a status says in words; more it names by number
MOST_SHAPES = 6  #: relations between shapes that it says in words, which have no number
MOST_NAMED = 4  #: params that a status names; of more it says that it is about one of them
_LONGEST: Mapping[Lang, int] = {"en": 100, "zh": 76}  #: columns of what a status says of one rule alone
_OF_VALUES = ("attributes", "length", "values")  #: what is allowed or not, and not supported or not
_OF_TENSORS = ("dtypes", "formats", "shapes", "ranks")
_APART = ("null", "elements")  #: kinds of rules that return codes tell by the names of params


@dataclass(frozen=True, slots=True)
class Group:
    """Lines about one subject, counted over the page.

    Args:
        where: the products that they are for, where those of others stand apart.
        first: the number of the first.
        place: where it stands among others, by subject and param.
    """

    subject: str
    items: tuple[Item, ...]
    where: str = ""
    first: int = 1
    place: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class ReturnRow:
    """A status and what a call does that gets it.

    Args:
        failures: what calls do for which it is returned; none where the runtime returns it for nothing that is known.
        documented: what they do by the page, whatever the runtime makes of it: for the vendor's form.
    """

    status: str
    code: int
    failures: tuple[Item, ...]
    documented: tuple[str, ...]


#: the parts of a page, in order
PARTS: tuple[Part, ...] = (REFUSED, UNKNOWN, UNCHECKED, CONTRADICTED)


def related(sayings: Sayings) -> list[RuleDef]:
    """The rules that neither cells nor rows of params nor tables of combinations say."""
    if "related" not in sayings.chosen:
        sayings.chosen["related"] = _related(sayings)
    return sayings.chosen["related"]


def _related(sayings: Sayings) -> list[RuleDef]:
    found: list[RuleDef] = []
    broadcasts = _broadcasts(sayings)
    for rule in sayings.definition.rules:
        told = in_columns(rule, sayings) or sayings.is_of_product(rule) or in_row(rule, sayings)
        told = told or (rule.kind == "rank-limit" and ranks_are_told(sayings)) or _is_table(rule)
        told = told or in_step(rule, sayings.definition) in same_types(sayings.definition)
        told = told or is_of_size(rule, sayings.definition)
        told = told or rule.id in broadcasts
        weak = sayings.part(rule) != REFUSED or promotes(rule)  # of equal data types none says that they promote
        if not told and sayings.can_be_broken(rule) and not (weak and follows(rule, sayings)):
            found.append(rule)
    return found


def _broadcasts(sayings: Sayings) -> dict[str, RuleDef]:
    """Rule that two params broadcast -> a rule on what they and others broadcast to, which says that, too."""
    wholes = [
        (rule, _broadcast(side))
        for rule in sayings.definition.rules
        if rule.when is None and rule.id not in sayings.told and sayings.is_of_trees(rule) and sayings.is_checked(rule)
        for side in (rule.check.operands if isinstance(rule.check, tree.Compare) and rule.check.ops == ("==",) else ())
    ]
    return {
        rule.id: whole
        for rule in sayings.definition.rules
        if isinstance(rule.check, tree.Call) and rule.check.function == "broadcastable" and rule.basis != "observed"
        for whole, params in wholes
        if frozenset() != _shapes_of(rule.check) <= params
    }


def _broadcast(node: tree.Node) -> frozenset[str]:
    """The params of which a value is the shape that they broadcast to."""
    return _shapes_of(node) if isinstance(node, tree.Call) and node.function == "broadcast" else frozenset()


def _shapes_of(call: tree.Call) -> frozenset[str]:
    """The params whose shapes a function is called with; none where it is called with anything else."""
    shapes = [arg.base for arg in call.args if isinstance(arg, tree.Attr) and arg.name == "shape"]
    names = [base.name for base in shapes if isinstance(base, tree.Param)]
    return frozenset(names) if len(names) == len(call.args) else frozenset()


def _is_table(rule: RuleDef) -> bool:
    """Whether a table of combinations, which stands above or on the page of all rules, says all that a rule does."""
    return rule.is_lookup or (isinstance(rule.check, tree.Choice) and rule.say is None)


def requirements(sayings: Sayings, rules: Sequence[RuleDef], part: Part, alike: Sequence[Item]) -> tuple[Group, ...]:
    """Those of some rules that are of a part of a page, by subject.

    Args:
        alike: what :func:`opspec.docs.likeness.same_items` says of these rules.
    """
    by_id = {name: rule for rule in rules for name in ids_of(rule)}
    found: dict[str, list[Item]] = {subject: [] for subject in SUBJECTS}
    for item in alike:
        mine = [by_id[name] for name in item.rules]
        if part == min(map(sayings.part, mine), key=PARTS.index):
            found[_subject(mine[0], sayings)].append(item)
    said = {name for item in alike for name in item.rules}
    by_subject: dict[str, list[RuleDef]] = {}
    for rule in rules:
        if sayings.part(rule) == part and said.isdisjoint(ids_of(rule)):
            by_subject.setdefault(_subject(rule, sayings), []).append(rule)
    for subject, group in by_subject.items():
        found[subject] += sayings.together(group, sayings.briefly)
    many = len(rules) > MOST_FLAT
    led = many or sum(bool(_start(rule, sayings)) for rule in rules) > MOST_LED
    apart = _crowded(rules, sayings) if many else frozenset()
    about = {name: _about(rule, sayings) for rule in rules for name in ids_of(rule)}
    listed: list[Group] = []
    for i, (name, items) in enumerate(found.items()):
        for j, (param, own) in enumerate(_by_params(items, name, apart, about, sayings).items()):
            subject = sayings.words[f"subject_{name}"]
            subject = sayings.words["subject_of"].format(subject, param) if param else subject
            groups = _by_products(subject, own, sayings) if led else [Group(subject, tuple(own))] if own else []
            listed += (replace(group, place=(i, j)) for group in groups)
    return tuple(listed)


def _crowded(rules: Iterable[RuleDef], sayings: Sayings) -> frozenset[tuple[str, str]]:
    """The params whose rules about a subject stand apart, since there are many about the subject."""
    about = Counter((_subject(rule, sayings), _about(rule, sayings)) for rule in rules)
    most = Counter(itertools.chain.from_iterable([subject] * number for (subject, _), number in about.items()))
    return frozenset(
        (subject, param)
        for (subject, param), number in about.items()
        if param and number >= FEWEST and most[subject] > MOST_TOGETHER
    )


def _about(rule: RuleDef, sayings: Sayings) -> str:
    """The param that a rule is about, where it is not about all."""
    return "" if rule.kind == "rank-limit" else sayings.param(rule)


def _by_params(
    items: Sequence[Item],
    subject: str,
    apart: Collection[tuple[str, str]],
    about: Mapping[str, str],
    sayings: Sayings,
) -> dict[str, list[Item]]:
    """Lines by the param that they are about, in the prototype's order: first those whose params do not stand apart.

    Args:
        about: rule -> that param.
    """
    if not items:
        return {}
    found: dict[str, list[Item]] = {"": [], **{param.name: [] for param in sayings.definition.params}}
    for item in items:
        names = {about[rule] for rule in item.rules}
        name = names.pop() if len(names) == 1 else ""
        found[name if (subject, name) in apart else ""].append(item)
    return found


def _by_products(subject: str, items: Iterable[Item], sayings: Sayings) -> list[Group]:
    """Lines about a subject, those for some products apart, which need not be told of each."""
    found: dict[str, list[Item]] = {"": []}
    for item in items:
        starts = {_start(rule, sayings) for rule in sayings.definition.rules if rule.id in item.rules}
        start = starts.pop() if len(starts) == 1 else ""
        if start and item.text.startswith(tuple(capital(start) + end for end in ",，:：")):
            rest = capital(item.text[len(start) :].lstrip(" ,，:：\n–").replace(ITEM, "\n"))
            found.setdefault(start, []).append(replace(item, text=rest))
        else:
            found[""].append(item)
    return [Group(subject, tuple(own), where) for where, own in found.items() if own]


def _start(rule: RuleDef, sayings: Sayings) -> str:
    """What a sentence on a rule begins with that is for some products: ``on Ascend 950PR / Ascend 950DT``."""
    when = sayings.parts(rule)[0]
    parts = () if when is None else build.conjuncts(when)
    on = [part for part in parts if tree.on_products(part) is not None]
    return sayings.under(on[0], "").rstrip(" ,，") if len(on) == 1 else ""


def merged(parts: Iterable[tuple[Part, tuple[Group, ...]]]) -> tuple[Group, ...]:
    """The lines of all parts by subject: marks say what the runtime makes of each."""
    found: dict[str, dict[str, list[Item]]] = {}
    for group in sorted((group for _, groups in parts for group in groups), key=lambda group: group.place):
        found.setdefault(group.subject, {"": []}).setdefault(group.where, []).extend(group.items)
    listed = [(subject, where, tuple(items)) for subject, own in found.items() for where, items in own.items() if items]
    firsts = itertools.accumulate((len(items) for _, _, items in listed), initial=1)
    return tuple(
        Group(subject, items, where, first) for (subject, where, items), first in zip(listed, firsts, strict=False)
    )


def numbered(groups: Iterable[Group]) -> dict[str, int]:
    """Rule -> the number of the line that says it."""
    return {
        rule: number for group in groups for number, item in enumerate(group.items, group.first) for rule in item.rules
    }


def _subject(rule: RuleDef, sayings: Sayings) -> str:
    """What a rule is about: its attribute, whatever else it reads; else what it reads of tensors."""
    definition = sayings.definition
    if any(param.name == rule.param and param.kind not in ("tensor", "tensor_list") for param in definition.params):
        return "attributes"
    facets = {facet for name, facet in definition.facts(rule.check) if name}
    return next((subject for facet, subject in _BY_FACET.items() if facet in facets), "attributes")


def returns(sayings: Sayings, numbers: Mapping[str, int], modes: Mapping[str, str]) -> tuple[ReturnRow, ...]:
    """A row per status: those of the page's own table, and those that other rules are refused with.

    Args:
        numbers: rule -> the number of the requirement that says it.
        modes: rule -> the attribute whose table says it.
    """
    definition = sayings.definition
    listed = _listed(definition)
    documented: dict[int, list[RuleDef]] = {}
    refused: dict[int, list[RuleDef]] = {}
    broadcasts = _broadcasts(sayings)
    for rule in sorted(definition.rules, key=lambda rule: rule.id not in listed):
        code, checked = sayings.code(rule), sayings.is_checked(rule)
        if rule.id in listed:
            documented.setdefault(status.number(rule.status), []).append(rule)
        elif rule.basis != "observed" and checked:
            documented.setdefault(code, []).append(rule)
        whole = broadcasts.get(rule.id)
        is_news = whole is None or sayings.code(whole) != code
        shown = checked or ((rule.id in listed or rule.id in numbers) and sayings.part(rule) == UNKNOWN)
        if shown and is_news and (sayings.can_be_broken(rule) or sayings.repeats_row(rule)):
            refused.setdefault(code, []).append(rule)
    ruled = documented.keys() | refused.keys()
    told = _Told(sayings, refused.values(), numbers, modes)
    rows = [
        ReturnRow(
            status.name(code),
            code,
            tuple(_failures(told, code, refused.get(code, []), listed)),
            tuple(dict.fromkeys(item.text for item in sayings.plain.failures(documented.get(code, []))))
            if sayings.upstream
            else (),
        )
        for code in ruled
    ]
    return tuple(sorted((*rows, *_without_rules(sayings, ruled)), key=lambda row: row.code))


def _listed(definition: Definition) -> dict[str, frozenset[int]]:
    """Rule -> the statuses that the page's own table has for it."""
    found: dict[str, frozenset[int]] = {}
    for row in definition.returns:
        for rule in row.rules:
            found[rule] = found.get(rule, frozenset()) | {status.number(row.status)}
    return found


def _failures(told: _Told, code: int, rules: Iterable[RuleDef], listed: Mapping[str, frozenset[int]]) -> Iterator[Item]:
    """The lines of a status: apart is what the page's own table has under another one, and what may not be checked."""
    sayings = told.sayings
    groups: dict[tuple[frozenset[int], bool], list[RuleDef]] = {}
    for rule in rules:
        own = listed.get(rule.id, frozenset())
        groups.setdefault((frozenset() if code in own else own, sayings.is_checked(rule)), []).append(rule)
    found: dict[str, Item] = {}
    ends: dict[str, str] = {}
    for (others, checked), group in sorted(groups.items(), key=lambda item: (not item[0][1], not item[0][0])):
        end = sayings.words["fail_other"].format(sayings.listed(map(str, sorted(others)))) if others else ""
        for item in told.failures(group):
            known = found.get(item.text, replace(item, mark=item.mark if checked else MARKS[UNKNOWN], rules=()))
            found[item.text] = replace(known, rules=(*known.rules, *item.rules))
            ends.setdefault(item.text, end)
    stop = sayings.words["stop"]
    for text in sorted(found, key=lambda text: (found[text].mark == MARKS[UNKNOWN], bool(ends[text]))):
        yield replace(found[text], text=f"{text.removesuffix(stop)}{ends[text]}{stop}" if ends[text] else text)


def _without_rules(sayings: Sayings, ruled: Collection[int]) -> Iterable[ReturnRow]:
    """Statuses of the page's own table that no call brings about, such as a fault of the driver."""
    definition = sayings.definition
    told: dict[str, bool] = {}  # whether rules, which have other statuses, say what the table has for it
    for clause in clauses_of(definition):
        if row := row_of(clause.at):
            told[row[0]] = told.get(row[0], False) or bool(clause.rules)
    for name, is_told in told.items():
        code = status.number(name)
        if code not in ruled:
            text = capital(status.meaning(code, sayings.lang)) + sayings.words["stop"]
            yield ReturnRow(name, code, () if is_told else (Item(text, "", ()),), (text,))


def unstated(sayings: Sayings) -> list[str]:
    """The rules of which all that is said of a code is that they are violated: authors say what they require alone."""
    start = capital(sayings.words["not_met"].partition("{")[0])
    by_code: dict[int, list[RuleDef]] = {}
    for rule in sayings.definition.rules:
        if sayings.is_checked(rule):
            by_code.setdefault(sayings.code(rule), []).append(rule)
    found: list[str] = []
    for rules in by_code.values():
        plain = [rule for rule in rules if sayings.fails_plainly(rule)]
        rest = [rule for rule in rules if rule not in plain]
        for item in sayings.failures([*plain, *(rest if len(rest) == 1 else ())]):
            found += item.rules if item.text.startswith(start) else ()
    return found


def _of_null(sayings: Sayings, rules: list[RuleDef]) -> list[Item]:
    """Null pointers: by name, unless those are all that must be given."""
    every = [rule for rule in sayings.definition.rules if rule.kind == "null" and rule.when is None]
    mine = [rule for rule in rules if rule.kind == "null" and rule.when is None]
    if len(mine) < MANY or len(mine) < len(every):
        return sayings.failures(rules)
    text = capital(sayings.words["fail_required"]) + sayings.words["stop"]
    marks = [sayings.mark(rule) for rule in mine]  # of two as short the first, in whichever process
    rest = sayings.failures([rule for rule in rules if rule not in mine])
    return [Item(text, min(marks, key=len), tuple(rule.id for rule in mine)), *rest]


class _Told:
    """What calls do that get a status, in a few words: what of which params is not supported, and about what the
    requirements are that they do not meet, by number."""

    def __init__(
        self,
        sayings: Sayings,
        refused: Iterable[Sequence[RuleDef]],
        numbers: Mapping[str, int],
        modes: Mapping[str, str],
    ) -> None:
        self.sayings = sayings
        self.words = sayings.words
        self.numbers = numbers
        self.modes = modes
        checked = ([rule for rule in rules if sayings.is_checked(rule)] for rules in refused)
        self.shared = _of_several(checked, self._about)

    def failures(self, rules: list[RuleDef]) -> list[Item]:
        """The lines of a status."""
        nulls = _of_null(self.sayings, [rule for rule in rules if rule.kind in _APART])
        rest = [rule for rule in rules if rule.kind not in _APART]
        if len(rest) == 1 and not self._relates(rest[0]) and (self._is_shown(rest[0]) or not rest[0].is_lookup):
            alone = self.sayings.failures(rest)
            is_stated = self.sayings.fails_plainly(rest[0]) or rest[0].id not in self.numbers
            if is_stated and self._is_short(alone[0], 2):
                return [*nulls, *alone]
        whole = list(self._whole(rule for rule in rest if self._is_whole(rule)))
        said = {name for item in whole for name in item.rules}
        return [*nulls, *whole, *self._broken([rule for rule in rest if rule.id not in said])]

    def _sentence(self, text: str) -> str:
        """A text of ours, which begins with no name, as a sentence."""
        return f"{text[0].upper() if self.sayings.lang == 'en' else text[0]}{text[1:]}{self.words['stop']}"

    def _is_short(self, item: Item, times: int = 1) -> bool:
        columns = len(item.text.encode("gb18030"))  # a Chinese character takes two
        return columns <= times * _LONGEST[self.sayings.lang]

    def _whole(self, rules: Iterable[RuleDef]) -> Iterator[Item]:
        """What is said by itself; of combinations that would take many words that they are in no table."""
        found = self.sayings.failures(rules)
        yield from filter(self._is_short, found)
        if long := [name for item in found if not self._is_short(item) for name in item.rules]:
            yield Item(self._sentence(self.words["fail_tables"]), "", tuple(long))

    def _is_whole(self, rule: RuleDef) -> bool:
        """Whether what breaks a rule is said by itself: of the product, of a table, that something is empty."""
        return self._is_shown(rule) or self.sayings.is_of_product(rule) or rule.kind in ("empty", "strided")

    def _is_shown(self, rule: RuleDef) -> bool:
        """Whether a table of combinations is what a call breaks; some say no more than the rows do."""
        return _is_table(rule) and (not rule.is_lookup or says_more(rule, self.sayings))

    def _broken(self, rules: list[RuleDef]) -> Iterator[Item]:
        """What of params is not as their rows have it, which modes it does not fit, and which requirements."""
        own = [rule for rule in rules if rule.id not in self.numbers and rule.id not in self.modes]
        shared = [rule for rule in own if self._about(rule) in self.shared]
        related = self._briefly(
            [rule for rule in own if self._relates(rule) and rule not in shared], 2 if len(rules) == 1 else 1
        )
        related += self._briefly(shared, 2)  # else nothing tells one code from the other
        related += self._in_numbers([rule for rule in own if rule not in shared])
        said = {name for item in related for name in item.rules}
        for key, subjects in (("fail_taken", _OF_TENSORS), ("fail_value", _OF_VALUES)):
            mine = (rule for rule in own if rule.id not in said and self._subject(rule) in subjects)
            yield from self._named(mine, key)
        yield from related
        for attribute in dict.fromkeys(self.modes[rule.id] for rule in rules if rule.id in self.modes):
            names = tuple(rule.id for rule in rules if self.modes.get(rule.id) == attribute)
            yield Item(self._sentence(self.words["fail_mode"].format(attribute)), "", names)
        unmet = [rule for rule in rules if rule.id in self.numbers]
        yield from (found := self._briefly(unmet))
        said = {name for item in found for name in item.rules}
        if rest := [rule for rule in unmet if rule.id not in said]:
            yield Item(self._sentence(self._unmet(rest)), "", tuple(rule.id for rule in rest))

    def _in_numbers(self, rules: Sequence[RuleDef]) -> list[Item]:
        """What breaks rules on ranks, which numbers say as shortly, and a shape that rows alone tell of."""
        ranks = self._briefly([rule for rule in rules if rule.kind == "rank"])
        shaped = [rule for rule in rules if self._subject(rule) == "shapes" and self.sayings.kind(rule) not in SHORT]
        return [item for found in (ranks, self._briefly(shaped)) if len(found) == 1 for item in found]

    def _briefly(self, rules: Sequence[RuleDef], times: int = 1) -> list[Item]:
        """What breaks each of some rules that takes few words, where the rules are few."""
        rules = [rule for rule in rules if rule.fails is not None or rule.say is None]  # others only say what they ask
        worded = [rule for rule in rules if rule.fails is not None]  # each as its author says it
        rules = [*as_one((rule for rule in rules if rule not in worded), self.sayings), *worded]
        most = MOST_SAID if any(rule.id in self.numbers for rule in rules) else MOST_SHAPES
        found = self.sayings.together(rules, self.sayings.fails, "or", most) if rules else []
        return [item for item in found if self._is_short(item, times)]

    def _relates(self, rule: RuleDef) -> bool:
        """Whether a rule that shapes tell is about several params."""
        if rule.id not in self.sayings.told:
            return False
        return len({name for name, _ in self.sayings.definition.facts(rule.check) if name}) > 1

    def _about(self, rule: RuleDef) -> tuple[str, str]:
        return self._subject(rule), self.sayings.param(rule)

    def _subject(self, rule: RuleDef) -> str:
        """What of its param a rule is about: of a scalar it may be its data type, of a list how long it is."""
        definition = self.sayings.definition
        kind = next((param.kind for param in definition.params if param.name == rule.param), None)
        if {facet for name, facet in definition.facts(rule.check) if name == rule.param} == {"dtype"}:
            return "dtypes"
        found = "ranks" if rule.kind == "rank" else _subject(rule, self.sayings)
        is_length = rule.kind == "length" or (found == "attributes" and kind == "tensor_list")
        return "length" if is_length else found

    def _unmet(self, rules: Sequence[RuleDef]) -> str:
        """The requirements that are not met, by number, ``one of requirements 1-3 or 5``, else by subject."""
        numbers = sorted({self.numbers[rule.id] for rule in rules})
        if len(numbers) <= 2:
            return self.words["fail_number"].format(prose.listing(list(map(str, numbers)), self.sayings.lang, "or"))
        ranges = _ranges(numbers)
        if len(ranges) > MOST_RANGES:
            found = {_subject(rule, self.sayings) for rule in rules}
            subjects = [self.words[f"subject_{subject}"] for subject in SUBJECTS if subject in found]
            text = self.words["note"].format(self.sayings.listed(f"{name[0].lower()}{name[1:]}" for name in subjects))
            return self.words["fail_numbers"].format(text.strip())
        return self.words["fail_numbers"].format(self.sayings.listed(ranges))

    def _named(self, rules: Iterable[RuleDef], key: str) -> Iterator[Item]:
        """``the data type or shape of self or out is not supported``: what is about the same params together; of many
        params that one is not as the table has it."""
        params: dict[str, dict[str, None]] = {}
        found: dict[str, list[str]] = {}
        for rule in rules:
            subject, param = self._about(rule)
            params.setdefault(self.words[f"about_{subject}"], {})[param] = None
            found.setdefault(self.words[f"about_{subject}"], []).append(rule.id)
        subjects: dict[str, list[str]] = {}
        for subject, names in params.items():
            subjects.setdefault(self._form(names, key), []).append(subject)
        for form, own in subjects.items():
            ids = tuple(name for subject in own for name in found[subject])
            yield Item(self._sentence(form.format(prose.listing(own, self.sayings.lang, "or"))), "", ids)

    def _form(self, names: Collection[str], key: str) -> str:
        """What stands around the subjects of some params."""
        if "" in names or len(names) > MOST_NAMED:
            return self.words["fail_some"]
        own = sorted(names, key=self._place)
        is_zh = self.sayings.lang == "zh"  # one "or" in a sentence
        of_one = self.words["of_one"].format(
            "{0}", self.sayings.listed(own) if is_zh else prose.listing(own, "en", "or")
        )
        return self.words[key].format(of_one)

    def _place(self, name: str) -> int:
        """Where a param stands in the prototype."""
        return next((i for i, param in enumerate(self.sayings.definition.params) if param.name == name), 0)


def _ranges(numbers: Iterable[int]) -> list[str]:
    """``1, 2, 3, 5`` as ``1-3`` and ``5``."""
    return [str(first) if first == last else f"{first}-{last}" for first, last in runs(numbers)]


def _of_several(
    groups: Iterable[Iterable[RuleDef]], about: Callable[[RuleDef], tuple[str, str]]
) -> frozenset[tuple[str, str]]:
    """What rules of more than one group are about."""
    number = Counter(itertools.chain.from_iterable({about(rule) for rule in group} for group in groups))
    return frozenset(what for what, times in number.items() if times > 1)
