"""The page of one release beside the spec of another: what the pages say alike is as people have it in the spec.

The spec's ledger has digests of what its own page said. Where the other page says the same, the spec's word stands: the
names, sets, relations and words that people made of it. Where it says something else the page wins, and what rests on
params or statements that this page does not have is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from opspec.errors import OpspecError
from opspec.model.canonical import canonical
from opspec.model.defaults import spelled_out
from opspec.model.definition import Definition
from opspec.model.expand import SpecError, define
from opspec.model.inherit import Data
from opspec.model.kernels import kernel_of
from opspec.model.ledger import Ledger, path_beside, read_ledger
from opspec.model.load import beside, load_document, whole
from opspec.model.shorten import flat, shortened
from opspec.model.spec import Spec
from opspec.model.twin import twin_of
from opspec.workshop.conformance.examples import in_short
from opspec.workshop.examples.kept import legal_example
from opspec.workshop.importer.merge import WORDS, Leaf, built, digest, leaves
from opspec.yamltext import read, read_file, write

ATTEMPTS = 60  # pieces that a single spec may lose before it is given up

_ABSENT = object()
#: what is the spec's wherever a person has touched it: pages spell the same formula in many ways
_OF_PEOPLE = ("formula", "header", "summary", "example", "remarks", "generated_from", "let", "results", "scenarios")
#: what a page of its own says or does not say; nothing of it is carried
_OF_PAGES = ("release", "document", "operator", "twin", "products", "deprecated", "conflicts", "helpers", "partial")
#: what a spec can do without, whole
_OPTIONAL = ("example", "remarks", "early_success", "results", "generated_from")
_NAME = re.compile(r"[A-Za-z_]\w*")


def carried(spec: Mapping[str, Any], said: Mapping[str, str], page: Mapping[str, Any]) -> dict[str, Any]:
    """The flat spec of a page.

    Args:
        spec: the flat spec of the same operator in another release.
        said: digests of what that release's page said, leaf by leaf.
        page: what the importer makes of this release's page, flat.
    """
    before = {**spec, "clauses": [*_same_clauses(spec, page), *_same_places(spec, said, page)]}
    mine, theirs = dict(leaves(before)), dict(leaves(page))
    result: dict[Leaf, Any] = {}
    for leaf in dict.fromkeys((*mine, *theirs)):
        old, new = mine.get(leaf, _ABSENT), theirs.get(leaf, _ABSENT)
        if leaf[2:] == ("optional",) and (*leaf[:2], "ctype") in mine:
            value = old  # what a null pointer comes to, calls have shown; pages say it in prose or nowhere
        else:
            value = _chosen(leaf, old, new, said.get("/".join(leaf)))
        if value is not _ABSENT and (leaf[2:] != WORDS or result.get(leaf[:2]) == mine.get(leaf[:2])):
            result[leaf] = value
    params = result[("params",)]
    gone = {param["name"] for param in spec["params"]} - set(params)
    for leaf in [leaf for leaf in result if leaf[0] == "params" and leaf[1:2] and leaf[1] in gone]:
        del result[leaf]
    _leave_out(result, _unfounded(spec, result), gone)
    return built(result, spec, page)


def _same_clauses(spec: Mapping[str, Any], page: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The clauses of this page whose words the other page has, with what became of them there, wherever it has them."""
    known: dict[str, list[dict[str, Any]]] = {}
    for clause in spec.get("clauses", ()):
        known.setdefault(clause.get("fingerprint"), []).append(clause)
    for clause in page.get("clauses", ()):
        same = known.get(clause["fingerprint"], [])
        found = next((item for item in same if item["at"] == clause["at"]), same[0] if same else None)
        if found is not None:
            yield {**found, "at": clause["at"]}


def _same_places(spec: Mapping[str, Any], said: Mapping[str, str], page: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What people found beside the clauses: in the formula, which stays what the operator computes, and in cells."""
    cells = {"/".join(leaf): digest(value) for leaf, value in leaves(page) if leaf[0] == "params"}
    for clause in spec.get("clauses", ()):
        place = clause["at"]
        if "fingerprint" not in clause and cells.get(place, said.get(place)) == said.get(place):
            yield clause


def _chosen(leaf: Leaf, old: Any, new: Any, said: str | None) -> Any:
    key = leaf[0]
    if key in _OF_PAGES:
        return new
    if key == "clauses" or leaf == ("params",):
        return old if key == "clauses" and old is not _ABSENT else new
    if leaf[2:] == WORDS:
        return old
    of_people = old is not _ABSENT and digest(old) != said
    if key in _OF_PEOPLE:
        return old if of_people or new is _ABSENT else new
    if new is _ABSENT:
        return old if key == "rules" or said is None else _ABSENT
    if leaf[2:] == ("enum",) and isinstance(old, dict) and isinstance(new, list) and set(map(str, new)) <= old.keys():
        return {str(value): old[str(value)] for value in new}
    return old if digest(new) == said else new


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
        kept = [item for item in result[("remarks",)] if not _reads(item, names)]
        result[("remarks",)] = [{key: value for key, value in item.items() if key != "from"} for item in kept]
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
    rest = {key: value for key, value in clause.items() if key != "rules"}
    return {**rest, "rules": left} if left else {**rest, "not_yet": "yes"}


class Carrying:
    """A new spec that extends the one of another release.

    Args:
        base: the file of the spec in the other release.
        page: what the importer makes of the page, flat.

    Attributes:
        changed: leaves in which the two releases differ.
    """

    def __init__(self, base: Path, page: dict[str, Any]) -> None:
        self.source = whole(read_file(str(base)), lambda operator: beside(str(base), operator))
        ledger = read_ledger(path_beside(str(base)))
        spec = flat(self.source.value, ledger)
        names = _spellings(spec, page)
        spec, said = _renamed(spec, names), _renamed(ledger.imported or {}, names)
        self.sets = _mapping(self.source.value.get("sets"))
        self.kernels = str(base)
        self.value = carried(spec, said, page)
        self._settle()
        there = dict(leaves(spec))
        self.changed = [("/".join(leaf), "changed") for leaf, item in leaves(self.value) if there.get(leaf) != item]

    def text(self, path: Path) -> tuple[str, Ledger]:
        """The text of the file, and its ledger.

        Raises:
            OpspecError: it means nothing.
        """
        own, ledger = self._shortened()
        if "extends" not in own and "generated_from" in own:  # its kernel is one of the other release
            del self.value["generated_from"]
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
        for _ in range(ATTEMPTS):
            try:
                ids = self._ids()
            except SpecError as error:
                path, message = error.path, error.message
            except ValidationError as error:
                path, message = tuple(error.errors()[0]["loc"]), error.errors()[0]["msg"]
            else:
                self.value["clauses"] = [_of_rules(clause, ids) for clause in self.value.get("clauses", ())]
                return
            if not self._drop(path):
                raise OpspecError(f"{'/'.join(map(str, path))}: {message}", where=self.value["operator"])
        raise OpspecError("too many of its rules mean nothing", where=self.value["operator"])

    def _ids(self) -> set[str]:
        """The ids of all rules that there are."""
        value, _ = shortened({key: item for key, item in self.value.items() if key != "clauses"}, self.sets)
        spec = spelled_out(Spec.model_validate(value))
        kernel = None if spec.generated_from is None else kernel_of(self.kernels, spec.generated_from)
        first = define(spec, kernel=kernel)
        twin = twin_of(first)
        return {rule.id for one in (first, twin) if one is not None for rule in one.rules}

    def _drop(self, path: tuple[str | int, ...]) -> bool:
        """Leave out the rule, the derived value or the property that a fault is in, with all that rests on it."""
        if not path:
            return False
        key, *rest = path
        if key in ("rules", "let", "results", "scenarios", "twin") and rest:
            part = self.value.get(str(key), {})
            if key == "twin":
                part, rest = part.get(str(rest[0]), {}), rest[1:]
            return bool(rest) and isinstance(part, dict) and part.pop(rest[0], None) is not None
        if key == "params" and len(rest) > 1 and isinstance(rest[0], int):
            return self.value["params"][rest[0]].pop(str(rest[1]), None) is not None
        return key in _OPTIONAL and self.value.pop(str(key), None) is not None


def _loaded(own: Data, path: Path) -> tuple[str, Definition]:
    """The text of a spec file, and what it defines."""
    text = canonical(write(own), str(path))
    return text, load_document(read(text, str(path)), str(path)).definitions[0]


def _spellings(spec: Mapping[str, Any], page: Mapping[str, Any]) -> dict[str, str]:
    """Params of a spec -> what the page calls them, where upper and lower case or an underscore alone differ."""
    theirs = {_folded(param["name"]): str(param["name"]) for param in page["params"]}
    mine = [str(param["name"]) for param in spec["params"]]
    names = {name: theirs[_folded(name)] for name in mine if theirs.get(_folded(name), name) != name}
    return {} if set(names.values()) & set(mine) else names


def _folded(name: str) -> str:
    return name.replace("_", "").lower()


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        return {_renamed(key, names): _renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, names) for item in value]
    return _NAME.sub(lambda found: names.get(found[0], found[0]), value) if isinstance(value, str) else value


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _of_rules(clause: dict[str, Any], ids: set[str]) -> dict[str, Any]:
    return _with_rules(clause, {rule for rule in clause.get("rules", ()) if rule not in ids}, set())
