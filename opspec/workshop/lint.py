"""What lint finds beyond the schema: each check is a generator of problems over one loaded spec.

The table ``CHECKS`` is the whole list. A check sees a spec that already fits its model and whose expressions are
typed (faults of those kinds are errors of loading).
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from opspec.errors import OpspecError
from opspec.language import interpret, prose, tree
from opspec.language.text import write
from opspec.language.types import BOOL, TENSOR
from opspec.language.values import Tensor
from opspec.model.definition import Definition, RuleDef
from opspec.model.draft import Path
from opspec.model.example import json_values
from opspec.model.load import Loaded
from opspec.model.spec import Param
from opspec.registry.compile import compile_operator
from opspec.registry.registry import Form
from opspec.validator.convert import arguments
from opspec.validator.judge import judge
from opspec.vocabulary import dtypes, formats, products


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault in a spec: where it is, which check found it, and what it is."""

    where: str
    check: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message} [{self.check}]"


@dataclass(frozen=True, slots=True)
class Subject:
    """What the checks look at."""

    loaded: Loaded
    path: str
    retired: frozenset[str]

    @property
    def definitions(self) -> tuple[Definition, ...]:
        """The operators of the spec."""
        return self.loaded.definitions


Found = Iterator[tuple[Path, str]]


def lint(loaded: Loaded, path: str, retired: frozenset[str] = frozenset()) -> list[Problem]:
    """All problems of a loaded spec."""
    subject = Subject(loaded, path, retired)
    return [
        Problem(loaded.where(place), name, message)
        for name, check in CHECKS.items()
        for place, message in check(subject)
    ]


def retired_ids(folder: str) -> frozenset[str]:
    """The ids in a registry folder's ``retired.txt``: full rule ids, one a line, ``#`` comments."""
    path = os.path.join(folder, "retired.txt")
    if not os.path.isfile(path):
        return frozenset()
    with open(path, encoding="utf-8") as file:
        lines = (line.split("#")[0].strip() for line in file)
        return frozenset(line for line in lines if line)


# --- the file and its ids


def _file_name(subject: Subject) -> Found:
    """Finding an operator reads file names alone, so they must tell the truth."""
    spec = subject.loaded.spec
    stem = os.path.splitext(os.path.basename(subject.path))[0]
    wanted = "+".join(definition.name for definition in subject.definitions)
    if stem != wanted:
        yield ("operator",), f"the file is named {stem}, its operators ask for {wanted}"
    folders = os.path.dirname(os.path.abspath(subject.path)).split(os.sep)[-2:]
    if spec.release not in folders:
        yield ("release",), f"the file lies in {'/'.join(folders)}, its release is {spec.release}"


def _retired(subject: Subject) -> Found:
    """An id that was retired keeps its meaning forever: nothing else may take it."""
    for definition in subject.definitions:
        for rule in definition.rules:
            if f"{definition.spec.release}/{definition.name}/{rule.id}" in subject.retired:
                yield rule.path, f"the id {rule.id!r} is retired"


def _shadowed(subject: Subject) -> Found:
    """A param or derived value that hides a word of the vocabulary makes rules hard to read."""
    words = {*dtypes.names(), *formats.names(), "product", "undefined"}
    for definition in subject.definitions[:1]:
        for i, param in enumerate(definition.spec.params):
            if param.name in words:
                yield ("params", i, "name"), f"the param {param.name!r} hides a word of the vocabulary"
        for name in definition.lets:
            if name in words:
                yield definition.let_paths[name], f"the derived value {name!r} hides a word of the vocabulary"


# --- params against the prototype's conventions


def _prototype(subject: Subject) -> Found:
    """The prototype is generated from the params: direction, const, and the params that every first phase ends with."""
    for i, param in enumerate(subject.loaded.spec.params):
        if param.name in ("workspaceSize", "executor") and subject.loaded.spec.interface == "two-phase":
            yield ("params", i), f"{param.name} ends every first phase and is not listed"
        if param.io == "inout" and param.ctype.startswith("const "):
            yield ("params", i, "ctype"), f"{param.name} is written by the call and cannot be const"
        for name in _misplaced(param):
            yield ("params", i, name), f"{name!r} says nothing about a {param.ctype}"


_TENSOR_ONLY = ("format", "rank", "shape", "strided", "empty")


def _misplaced(param: Param) -> Iterator[str]:
    tensors = param.ctype.removeprefix("const ") in ("aclTensor*", "aclTensorList*")
    for name in _TENSOR_ONLY:
        if not tensors and getattr(param, name) is not None:
            yield name
    if "List" not in param.ctype:
        yield from (name for name in ("uniform", "elements") if getattr(param, name))


def _duplicates(subject: Subject) -> Found:
    """No two rules require the same under the same condition: one of them would change without the other."""
    definition = subject.definitions[0]
    seen: dict[tuple[str, str], str] = {}
    for rule in definition.rules:
        if rule.alternatives:
            continue
        other = seen.setdefault((write(rule.check), "" if rule.when is None else write(rule.when)), rule.id)
        if other != rule.id:
            yield rule.path, f"the rule {rule.id!r} requires what {other!r} does"


# --- clauses


def _clauses(subject: Subject) -> Found:
    """Every documented rule comes from a clause, and every clause is accounted for (the model sees to that)."""
    spec = subject.loaded.spec
    if not spec.clauses and spec.partial is None:
        yield ("operator",), "the spec lists no clauses: nobody can tell what of the page it covers"
        return
    for rule in subject.definitions[0].rules:
        if rule.basis == "documented" and not rule.sources:
            yield rule.path, f"the rule {rule.id!r} comes from no clause"


# --- rules


def _guards(subject: Subject) -> Found:
    """A guard that can never hold, or under which the check can never hold, is a mistake."""
    for definition in subject.definitions:
        for rule in definition.rules:
            if isinstance(rule.check, tree.Const) or rule.when == tree.Const(False, BOOL):
                continue
            yield from _decided(definition, rule)


def _decided(definition: Definition, rule: RuleDef) -> Found:
    check, when = rule.check, rule.when
    worlds = list(
        itertools.islice(_worlds(definition, [node for node in (when, check) if node is not None]), _MOST_WORLDS)
    )
    if when is not None:
        own = list(itertools.islice(_worlds(definition, [when]), _MOST_WORLDS))
        if own and len(own) < _MOST_WORLDS and all(interpret.evaluate(when, env) is False for env in own):
            yield rule.path, f"the guard of {rule.id!r} can never hold"
            return
    if not worlds or len(worlds) == _MOST_WORLDS:
        return
    reached = [env for env in worlds if when is None or interpret.evaluate(when, env) is True]
    if reached and all(interpret.evaluate(check, env) is False for env in reached):
        yield rule.path, f"no call can satisfy {rule.id!r}"


_MOST_WORLDS = 4096


def _worlds(definition: Definition, nodes: list[tree.Node]) -> Iterator[interpret.Env]:
    """All combinations of what the expressions read, when each of it has few values; nothing otherwise."""
    domains: dict[str, list[object]] = {}
    for node in nodes:
        for part in tree.expanded(node, definition.lets):
            if isinstance(part, (tree.Attr, tree.Each)) or _is_made_list(part):
                return
            if isinstance(part, (tree.Param, tree.Product)):
                domain = _domain(part, definition)
                if domain is None:
                    return
                domains[part.name if isinstance(part, tree.Param) else ""] = domain
    for combination in itertools.product(*domains.values()):
        args = dict(zip(domains, combination, strict=True))
        product = args.pop("", None)
        yield interpret.Env(args, definition.lets, product if isinstance(product, str) else None)


def _is_made_list(part: tree.Node) -> bool:
    """Whether it makes a list, which may be too long to make thousands of times."""
    return isinstance(part, (tree.Binary, tree.Call)) and part.type.name == "list"


def _domain(part: tree.Param | tree.Product, definition: Definition) -> list[object] | None:
    if isinstance(part, tree.Product):
        return [name for name in products.ids() if definition.spec.products.get(name) != "no"]
    if part.type == BOOL:
        return [True, False]
    param = next((param for param in definition.spec.params if param.name == part.name), None)
    if part.type == TENSOR:
        return [Tensor((), "FLOAT"), *([None] if part.nullable else [])]
    if (
        param is not None
        and isinstance(param.enum, (dict, list))
        and not any(isinstance(item, dict) for item in param.enum)
    ):
        values: list[object] = [_typed(str(item), part) for item in param.enum]
        return values + ([None] if part.nullable else [])
    return None


def _typed(text: str, part: tree.Param) -> object:
    return int(text) if part.type.name == "int" and text.lstrip("-").isdigit() else text


def _unused(subject: Subject) -> Found:
    """A derived value that nothing reads."""
    definition = subject.definitions[0]
    used: set[str] = set()
    trees = [node for rule in definition.rules for node in (rule.check, rule.when) if node is not None]
    for node in [*trees, *(when for when, _ in definition.early), *definition.results.values()]:
        for part in tree.expanded(node, definition.lets):
            if isinstance(part, tree.Let):
                used.add(part.name)
    for name in definition.spec.let:
        if name not in used:
            yield ("let", name), f"nothing uses the derived value {name!r}"


def _prose(subject: Subject) -> Found:
    """Every rule can be said in both languages."""
    for definition in subject.definitions:
        for rule in definition.rules:
            if not all(prose.requirement(rule.check, lang) for lang in prose.WORDS):
                yield rule.path, f"the rule {rule.id!r} has no words"


def _conflicts(subject: Subject) -> Found:
    """A documented rule that an observation contradicts is not enforced: the pair is the conflict."""
    definition = subject.definitions[0]
    for rule in definition.rules:
        for name in rule.contradicts:
            other = definition.rule(name)
            if other is not None and other.enforced != "no":
                yield other.path, f"{name!r} is contradicted by {rule.id!r} and must say 'enforced: no'"


# --- the example


def _example(subject: Subject) -> Found:
    """The example is one legal, portable call: pages, stubs and generated cases start from it.

    It is wanted once every clause has its rules: nobody can vouch for a call while one is open.
    """
    spec = subject.loaded.spec
    if spec.example is None:
        if spec.partial is None and not any(clause.not_yet for clause in spec.clauses):
            yield ("operator",), "the spec has no example"
        return
    for definition in subject.definitions:
        try:
            yield from _judged_example(definition, spec.example)
        except OpspecError as error:
            yield ("example",), f"the example of {definition.name} cannot be judged: {error}"


def _judged_example(definition: Definition, example: Mapping[str, Any]) -> Found:
    namespace: dict[str, Any] = {}
    exec(compile(compile_operator(definition), f"<{definition.name}>", "exec"), namespace)  # noqa: S102 - from typed trees
    form = Form(namespace)
    twin = definition.spec.twin
    args = json_values(example.get("args") or {})
    if twin is not None and definition.name == twin.operator:
        args = {twin.rename.get(name, name): value for name, value in args.items()}
    typed = arguments(definition.name, form.params, args)
    verdict = judge(form, typed, *products.resolve(str(example.get("product", "910b"))))
    for finding in (*verdict.violations, *verdict.warnings):
        yield ("example",), f"the example of {definition.name} is not clean: {finding.message} ({finding.rule})"


CHECKS: dict[str, Callable[[Subject], Found]] = {
    "file-name": _file_name,
    "retired": _retired,
    "shadowed": _shadowed,
    "prototype": _prototype,
    "clauses": _clauses,
    "guards": _guards,
    "unused": _unused,
    "prose": _prose,
    "conflicts": _conflicts,
    "duplicate": _duplicates,
    "example": _example,
}
