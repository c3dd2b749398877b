"""The page of one release beside the spec of another: what the pages say alike is as people have it in the spec.

The spec's ledger has digests of what its own page said. Where the other page says the same, the spec's word stands: the
names, sets, relations and words that people made of it. Where it says something else the page wins, and what rests on
params or statements that this page does not have is left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from opspec.calls.examples.written import in_short
from opspec.model.beside import first_operator
from opspec.model.canonical import canonical
from opspec.model.defaults import spelled_out
from opspec.model.definition import Definition
from opspec.model.evidence import Evidence, evidence_of
from opspec.model.expand import define
from opspec.model.inherit import Data, citing
from opspec.model.kernels import kernel_of
from opspec.model.ledger import KINDS, Ledger, path_beside, place_of, read_ledger, rules_called
from opspec.model.load import beside, load_document, whole
from opspec.model.shorten import flat, shortened
from opspec.model.spec import Spec
from opspec.model.twin import twin_of
from opspec.workshop.importer.alike import NO_WORDINGS, Statements, Wordings, ranks
from opspec.workshop.importer.implied import implied, inferred, read_by
from opspec.workshop.importer.kept import legal_example
from opspec.workshop.importer.merge import WORDS, Leaf, built, digest, digests, leaves, name_of, plain, without
from opspec.workshop.importer.naming import NO_TEXTS, identified
from opspec.workshop.importer.numbers import renumbered
from opspec.workshop.importer.pipeline import Imported
from opspec.workshop.importer.said import said_of
from opspec.workshop.importer.settling import loaded
from opspec.yamltext import read, read_file, write

_ABSENT = object()
#: what is the spec's wherever a person has touched it: pages spell the same formula in many ways
_OF_PEOPLE = (
    "formula", "header", "summary", "example", "remarks", "generated_from", "looks_up", "kernel_parts", "let",
    "results", "scenarios",
)  # fmt: skip
#: what a page of its own says or does not say, and numbers that only the base's pages show; nothing of it is carried
_OF_PAGES = (
    "release", "document", "operator", "twin", "products", "deprecated", "conflicts", "helpers", "partial",
    "reference", "small",
)  # fmt: skip
#: what names a kernel, and parts of one
_OF_KERNELS = {"generated_from", "looks_up", "kernel_parts"}
#: properties of params that no cell has
_STATED = {("range",), ("length",), ("each",), ("enum",)}
_STATE = ("not_yet", "not_checkable")  # of a clause of which no rule is made
_NAME = re.compile(r"[A-Za-z_]\w*")


def carried(
    spec: Mapping[str, Any],
    words: Wordings,
    said: Mapping[str, str],
    page: Mapping[str, Any],
    seen: Evidence,
) -> dict[str, Any]:
    """The flat spec of a page.

    Args:
        spec: the flat spec of the same operator in another release.
        words: which statements of the two pages say the same in other words.
        said: digests of what that release's page said, leaf by leaf.
        page: what the importer makes of this release's page, flat.
        seen: what calls say of the other spec's rules.
    """
    places = {name_of(clause): str(clause["at"]) for clause in spec.get("clauses", ())}
    params = [str(param["name"]) for param in spec["params"]]
    spec = by_place(spec)
    listed = {"clauses": words.new.listed or page.get("clauses", ()), "rules": page.get("rules", {})}
    same = {clause["at"]: clause for clause in _same_clauses(spec, listed, words)}
    stated = {rule for clause in same.values() if not words.vague(clause) for rule in clause.get("rules", ())}
    page = _with_clauses(page, listed["clauses"], same)
    mine = dict(leaves({**spec, "clauses": [*same.values(), *_same_places(spec, said, page)]}))
    theirs = dict(leaves(page))
    result: dict[Leaf, Any] = {}
    for leaf in dict.fromkeys((*mine, *theirs)):
        old, new = mine.get(leaf, _ABSENT), theirs.get(leaf, _ABSENT)
        if leaf[2:] == ("optional",) and (*leaf[:2], "ctype") in mine:
            value = old  # what a null pointer comes to, calls have shown; pages say it in prose or nowhere
        elif new is _ABSENT and (
            not stated.isdisjoint((".".join(leaf[1:]), leaf[-1])) or _ranks_said(leaf, old, page, words)
        ):
            value = old  # no cell says it, but a sentence does
        else:
            value = _chosen(leaf, old, new, said.get("/".join(leaf)))
        if value is not _ABSENT and (leaf[2:] != WORDS or result.get(leaf[:2]) == mine.get(leaf[:2])):
            result[leaf] = value
    _released(mine, result)
    params = result[("params",)]
    gone = {param["name"] for param in spec["params"]} - set(params)
    for leaf in [leaf for leaf in result if leaf[0] == "params" and leaf[1:2] and leaf[1] in gone]:
        del result[leaf]
    if ("remarks",) in result:
        remarks = result[("remarks",)]
        cited = ([place_of(name, places, params) for name in item.get("from", ())] for item in remarks)
        result[("remarks",)] = [item for item, at in zip(remarks, cited, strict=True) if _is_told(at, words)]
    unfounded = _unfounded(spec, result)
    for leaf in [
        leaf for leaf in result if leaf[2:] in _STATED and ".".join(leaf[1:]) in unfounded and leaf not in theirs
    ]:
        del result[leaf]  # that a person read it in a statement, which this page makes otherwise
    sensible = _implied(spec, page, words, seen) & unfounded
    _leave_out(result, unfounded - sensible, gone)
    value = built(result, spec, page)
    _with_twin(value, spec, said.get("twin"))
    rules = value.get("rules", {})
    rules.update({name: inferred(rules[name], spec["release"]) for name in sensible if name in rules})
    return value


def _with_twin(value: dict[str, Any], spec: Mapping[str, Any], said: str | None) -> None:
    """The twin as people have it in the other spec, where the page says of it what the other page does; else at least
    with the rules that it has, or has not, there: no page says that of one, a person does."""
    known, own = _mapping(spec.get("twin")), _mapping(value.get("twin"))
    if own and digest(own) == said:
        value["twin"] = {**own, **known}
    elif own and all(known.get(key) == own.get(key) for key in ("operator", "rename")):
        value["twin"] = {**own, **{key: known[key] for key in ("rules", "without") if key in known and key not in own}}


def _released(mine: Mapping[Leaf, Any], result: dict[Leaf, Any]) -> None:
    """A param that had to be null, and here need not be, still may be."""
    for leaf, value in mine.items():
        if leaf[0] == "params" and leaf[2:] == ("reserved",) and value == "null" and leaf not in result:
            result[(*leaf[:2], "optional")] = "yes"


def by_place(spec: Mapping[str, Any]) -> dict[str, Any]:
    """A flat spec whose clauses are called by their places: ids say nothing of another page."""
    clauses = [without(clause, "id") for clause in spec.get("clauses", ())]
    return {**spec, "clauses": clauses} if clauses else dict(spec)


def _is_told(places: Collection[str], words: Wordings) -> bool:
    """Whether the page makes a statement that a remark says, or a similar one; yes where the pages are not at hand.

    Args:
        places: where the statements stand on the other page.
    """
    marks = {item["fingerprint"] for item in words.old.listed if item["at"] in places}
    return not marks or any(words.told(mark) for mark in marks)


def _implied(spec: Mapping[str, Any], page: Mapping[str, Any], words: Wordings, seen: Evidence) -> set[str]:
    """Rules that calls bear out on products of the page, and common sense."""
    params = [str(param["name"]) for param in page["params"]]
    here = {product for product, supported in page.get("products", {}).items() if supported != "no"}
    return {
        name
        for name, rule in spec.get("rules", {}).items()
        if implied(rule, [one for on, one in seen.get(name, {}).items() if on in here], params, words.new)
    }


def _same_clauses(spec: Mapping[str, Any], page: Mapping[str, Any], words: Wordings) -> Iterator[dict[str, Any]]:
    """The clauses of this page that say what clauses of the other page say, with what became of them there."""
    known: dict[str, list[dict[str, Any]]] = {}
    for clause in spec.get("clauses", ()):
        known.setdefault(clause.get("fingerprint"), []).append(clause)
    founded = _founded(spec, page, words, known)
    for clause in page.get("clauses", ()):
        mark = clause["fingerprint"]
        found = [item for text in words.of(mark) for item in meant(clause, known.get(text, []), words)]
        partly = list(_partly(clause, known, spec, words))
        if not found and not partly:
            continue
        rules = [rule for item in found for rule in _about(item, clause, spec)] + partly
        if words.vague(clause) and mark not in {item["fingerprint"] for item in found}:
            rules = [rule for rule in rules if rule in founded]
        if rules:
            own = {name: page["rules"][name] for name in clause.get("rules", ()) if name in page.get("rules", {})}
            yield {**without(clause, *_STATE), "rules": list(dict.fromkeys((*rules, *words.left(mark, own))))}
        elif found and "rules" not in found[0] and words.equal(mark, found[0]["fingerprint"]):
            yield _left_as(found[0], clause)


def _left_as(known: Mapping[str, Any], clause: Mapping[str, Any]) -> dict[str, Any]:
    """A clause of which no rule is made, as of a known one: for the same reason, or waiting as that one does."""
    if known["fingerprint"] == clause["fingerprint"]:
        return {**known, "at": clause["at"]}
    return {**without(clause, *_STATE), **{key: known[key] for key in _STATE if key in known}}


def _partly(
    clause: Mapping[str, Any], known: Mapping[str, list[dict[str, Any]]], spec: Mapping[str, Any], words: Wordings
) -> Iterator[str]:
    """Rules of statements of the same param, of which this one says what they say of the property that rules read."""
    param = _param_of(clause["at"])
    if param is None:
        return
    for about, texts in words.partly.get(clause["fingerprint"], {}).items():
        items = [item for text in texts for item in known.get(text, []) if _param_of(item["at"]) == param]
        for rule in (rule for item in items for rule in item.get("rules", ())):
            if read_by(spec.get("rules", {}).get(rule)) == {about}:
                yield rule


def _founded(
    spec: Mapping[str, Any], page: Mapping[str, Any], words: Wordings, known: Mapping[str, list[dict[str, Any]]]
) -> set[str]:
    """Rules for which this page has a statement that says what they require."""
    return {
        rule
        for clause in page.get("clauses", ())
        if not words.vague(clause)
        for text in words.of(clause["fingerprint"])
        for item in meant(clause, known.get(text, []), words)
        for rule in _about(item, clause, spec)
    }


def meant(clause: Mapping[str, Any], same: list[dict[str, Any]], words: Wordings) -> list[dict[str, Any]]:
    """Those of the statements with the same words that are about the same: at the same place, of the same param.

    What a page says twice, it says for other params or products.
    """
    place = clause["at"]
    exact = [item for item in same if item["at"] == place]
    if exact:
        beside = [item for item in same if _param_of(item["at"]) is None is _param_of(place) and item not in exact]
        return exact + [item for item in beside if set(item.get("on", ())) & set(clause.get("on", ()))]
    mine = _param_of(place)
    return [
        item
        for item in same
        if (theirs := _param_of(item["at"])) == mine
        or (mine is not None and theirs is None)
        or (mine is None and words.names(clause["fingerprint"], str(theirs)))
    ]


def _about(item: Mapping[str, Any], clause: Mapping[str, Any], spec: Mapping[str, Any]) -> list[str]:
    """The rules of a statement; where another page has it elsewhere than in the param's cell, those that read it."""
    param = _param_of(clause["at"])
    rules = list(item.get("rules", ()))
    if param is None or _param_of(item["at"]) == param:
        return rules
    said = spec.get("rules", {})
    rules = [f"{param}.{rule}" if rule in KINDS else rule for rule in rules]  # of all params', its own
    return [rule for rule in rules if rule.startswith(f"{param}.") or _reads(said.get(rule), {param})]


def _ranks_said(leaf: Leaf, old: Any, page: Mapping[str, Any], words: Wordings) -> bool:
    """Whether the page says in sentences of a param what its rank is in the other spec."""
    if leaf[0] != "params" or leaf[2:] != ("rank",):
        return False
    marks = [clause["fingerprint"] for clause in page.get("clauses", ()) if _param_of(clause["at"]) == leaf[1]]
    return words.ranks(marks) == ranks(old) != frozenset()


def _param_of(place: str) -> str | None:
    return place.split("/")[1] if place.startswith("params/") else None


def _with_clauses(page: Mapping[str, Any], listed: Any, same: Mapping[str, Any]) -> dict[str, Any]:
    """The page with the clauses that it lists and those that another spec formalises.

    Rules of statements that the other spec formalises in its own way are left out.
    """
    clauses = page.get("clauses", ())
    own = {clause["at"] for clause in clauses}
    stated = {rule for clause in clauses for rule in clause.get("rules", ())}
    now = [same.get(clause["at"], clause) for clause in clauses]
    still = {rule for clause in now for rule in clause.get("rules", ())}
    rules = {name: rule for name, rule in page.get("rules", {}).items() if name in still or name not in stated}
    kept = [clause for clause in listed if clause["at"] in own or clause["at"] in same]
    return {**page, "clauses": kept, "rules": rules}


def _same_places(spec: Mapping[str, Any], said: Mapping[str, str], page: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What people found beside the clauses: in the formula, which stays what the operator computes, and in cells."""
    cells = {"/".join(leaf): digest(value) for leaf, value in leaves(page) if leaf[0] == "params"}
    listed = {clause["at"] for clause in page.get("clauses", ())}
    for clause in spec.get("clauses", ()):
        place = clause["at"]
        found = "fingerprint" not in clause or (place in cells and place not in listed)
        if found and cells.get(place, said.get(place)) == said.get(place):
            yield clause


def _chosen(leaf: Leaf, old: Any, new: Any, said: str | None) -> Any:
    key = leaf[0]
    if key in _OF_PAGES:
        return new
    if key == "clauses" or leaf == ("params",):
        return old if key == "clauses" and old is not _ABSENT else new
    if leaf[2:] == WORDS:
        return old
    if leaf[2:] == ("dims",):  # names for readers, which a spec has where they tell something
        return new if old is _ABSENT and new is not _ABSENT and digest(new) != said else old
    of_people = old is not _ABSENT and digest(old) != said
    if key in _OF_PEOPLE:
        return old if of_people or new is _ABSENT else new
    if new is _ABSENT:
        return old if key == "rules" or said is None else _ABSENT
    if digest(new) == said:
        return old
    if leaf[2:] == ("enum",) and isinstance(old, dict) and isinstance(new, list) and set(map(str, new)) <= old.keys():
        return {str(value): old[str(value)] for value in new}
    return new


def _unfounded(spec: Mapping[str, Any], result: Mapping[Leaf, Any]) -> set[str]:
    """Rules that come from statements, none of which this page has."""
    stated = {rule for clause in spec.get("clauses", ()) for rule in clause.get("rules", ())}
    still = {rule for leaf, value in result.items() if leaf[0] == "clauses" for rule in value.get("rules", ())}
    return stated - still


def _leave_out(result: dict[Leaf, Any], rules: set[str], names: set[str]) -> None:
    """Takes away rules, and whatever reads a name that is no more."""
    names = set(names)
    while True:
        bad = [leaf for leaf, value in result.items() if leaf[0] != "clauses" and _rests_on(leaf, value, rules, names)]
        if not bad:
            break
        for leaf in bad:
            del result[leaf]
            if leaf[0] == "let" and len(leaf) == 2:
                names.add(leaf[1])
            if leaf[0] == "rules" and len(leaf) == 2:
                rules = {*rules, leaf[1]}
    for leaf in [leaf for leaf in result if leaf[2:] == WORDS and leaf[:2] not in result]:
        del result[leaf]
    if ("remarks",) in result:
        result[("remarks",)] = [item for item in result[("remarks",)] if not _reads(item, names)]
    known = {leaf[1] for leaf in result if leaf[0] == "rules"}
    for leaf in [leaf for leaf in result if leaf[0] == "clauses"]:
        result[leaf] = _with_rules(result[leaf], rules - known, names)


def _rests_on(leaf: Leaf, value: Any, rules: set[str], names: set[str]) -> bool:
    if leaf[0] == "rules" and leaf[1] in rules:
        return True
    return leaf not in (("params",), ("remarks",), ("formula",)) and _reads(value, names)


def _reads(value: Any, names: set[str]) -> bool:
    """Whether any text in a value has one of the names."""
    if isinstance(value, Mapping):
        return any(_reads(item, names) or str(key) in names for key, item in value.items())
    if isinstance(value, list):
        return any(_reads(item, names) for item in value)
    return bool(names) and isinstance(value, str) and not names.isdisjoint(_NAME.findall(value))


def _with_rules(clause: dict[str, Any], gone: set[str], names: set[str]) -> dict[str, Any]:
    """A clause with the rules that are left of those that formalise it."""
    if "rules" not in clause:
        return clause
    left = [rule for rule in clause["rules"] if rule not in gone and rule.split(".")[0] not in names]
    rest = without(clause, "rules")
    return {**rest, "rules": left} if left else {**rest, "not_yet": "yes"}


class Carrying:
    """A new spec that extends the one of another release.

    Args:
        base: the file of the spec in the other release.
        page: what the importer makes of the page, flat.
        new: what the page states.
        before: what the importer makes of the other release's page, where that page is at hand.
        taken: ids that no clause may have.

    Attributes:
        page: what the importer makes of the page, its clauses with their ids.
        changed: leaves in which the two releases differ.
    """

    def __init__(
        self,
        base: Path,
        page: dict[str, Any],
        new: Statements | None = None,
        before: Imported | None = None,
        taken: Collection[str] = (),
    ) -> None:
        self.source = whole(read_file(str(base)), lambda operator: beside(str(base), operator))
        ledger = read_ledger(path_beside(str(base)))
        spec = flat(self.source.value, ledger)
        names = spellings(spec, page)
        said = said_of(str(base.parent.parent), first_operator(str(base)))
        if said is None:  # a person made it; what its page says is as the page is read now
            said = {} if before is None else digests(plain(before.written.value))
        spec, said = renamed(spec, names), renamed(said, names)
        self.sets = _mapping(self.source.value.get("sets"))
        self.kernels = str(base)
        words = NO_WORDINGS if before is None or new is None else Wordings.between(before.statements, new, names)
        seen = {} if words is NO_WORDINGS else evidence_of(str(base), str(spec["operator"]))
        self.value = carried(*renumbered(spec, words, names), said, page, seen)
        self._settle()
        self.value = _named(self.value, spec, new, self._ids(), taken)
        self.page = _named_as(page, self.value)
        there = dict(leaves(spec))
        self.changed = [("/".join(leaf), "changed") for leaf, item in leaves(self.value) if there.get(leaf) != item]

    def text(self, path: Path) -> tuple[str, Ledger]:
        """The text of the file, and its ledger.

        Raises:
            OpspecError: it means nothing.
        """
        own, ledger = self._shortened()
        of_kernels = _OF_KERNELS & own.keys()
        if "extends" not in own and of_kernels:  # its kernel is one of the other release
            for key in of_kernels:
                del self.value[key]
            self._settle()
            own, ledger = self._shortened()
        definition = _loaded(own, path)[1]
        example = legal_example(definition) if definition.spec.products else None
        if example is not None:
            self.value["example"] = in_short(definition, example)
            own, ledger = self._shortened()
        return _loaded(own, path)[0], ledger

    def _shortened(self) -> tuple[Data, Ledger]:
        return shortened(self.value, self.sets, self.source.value)

    def _settle(self) -> None:
        """Leave out what means nothing without what this page lacks, one fault at a time.

        Raises:
            OpspecError: too much of it means nothing.
        """
        ids, _ = loaded(self.value, self._ids)
        self.value["clauses"] = [_of_rules(clause, ids) for clause in self.value.get("clauses", ())]

    def _ids(self) -> set[str]:
        """The ids of all rules that there are."""
        value, _ = shortened(without(self.value, "clauses"), self.sets)
        spec = spelled_out(Spec.model_validate(value))
        kernel = None if spec.kernel is None else kernel_of(self.kernels, spec.kernel)
        first = define(spec, kernel=kernel)
        twin = twin_of(first)
        return {rule.id for one in (first, twin) if one is not None for rule in one.rules}


def _named(
    value: dict[str, Any], spec: Mapping[str, Any], new: Statements | None, rules: set[str], taken: Collection[str]
) -> dict[str, Any]:
    """A carried spec whose clauses have their ids; of those that it takes over it cites what its page has."""
    texts = NO_TEXTS if new is None else new.texts
    clauses = identified(value.get("clauses", ()), spec.get("clauses", ()), texts, rules, taken)
    stated = {clause["id"] for clause in clauses}
    named: dict[str, Any] = {**value, **({"clauses": list(clauses)} if clauses else {})}
    for key in ("scenarios", "remarks"):
        if key in named:
            named[key] = citing(named[key], stated)
    return named


def _named_as(page: dict[str, Any], value: Mapping[str, Any]) -> dict[str, Any]:
    """What the importer makes of a page, its clauses with the ids that they have in the spec."""
    ids = {clause["at"]: clause["id"] for clause in value.get("clauses", ())}
    clauses = [{"id": ids.get(clause["at"], clause["at"]), **clause} for clause in page.get("clauses", ())]
    return {**page, "clauses": clauses} if clauses else page


def _loaded(own: Data, path: Path) -> tuple[str, Definition]:
    """The text of a spec file, and what it defines."""
    text = canonical(write(own), str(path))
    return text, load_document(read(text, str(path)), str(path)).definitions[0]


def spellings(spec: Mapping[str, Any], page: Mapping[str, Any]) -> dict[str, str]:
    """Params of a spec -> what the page calls them: spelt otherwise, or another name at the prototype's same place."""
    theirs = {_folded(param["name"]): str(param["name"]) for param in page["params"]}
    mine = [str(param["name"]) for param in spec["params"]]
    names = {name: theirs[_folded(name)] for name in mine if theirs.get(_folded(name), name) != name}
    if len(mine) == len(page["params"]):
        known = {*mine, *names.values()}
        for old, new in zip(spec["params"], page["params"], strict=True):
            if old["name"] not in theirs.values() and new["name"] not in known and old["ctype"] == new["ctype"]:
                names.setdefault(str(old["name"]), str(new["name"]))
    return {} if set(names.values()) & set(mine) else names


def _folded(name: str) -> str:
    return name.replace("_", "").lower()


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        return {renamed(key, names): renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    return _NAME.sub(lambda found: names.get(found[0], found[0]), value) if isinstance(value, str) else value


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _of_rules(clause: dict[str, Any], ids: set[str]) -> dict[str, Any]:
    return _with_rules(clause, {rule for rule in clause.get("rules", ()) if not rules_called(rule, ids)}, set())
