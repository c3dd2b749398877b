"""From a spec to its definitions: sugar expanded, every expression typed, rules in the order of the first phase."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from opspec.errors import OpspecError, did_you_mean
from opspec.language import parse, tree
from opspec.language.functions import FUNCTIONS
from opspec.language.types import BOOL, DTYPE, FORMAT, INT, INTS, Type
from opspec.model import dims, lookup, sugar
from opspec.model.defaults import DefaultsError, spelled_out
from opspec.model.definition import Alternative, Definition, ParamDef, RuleDef, step_of
from opspec.model.draft import AlternativeText, Draft, Path
from opspec.model.ledger import ReturnRow, full_place, row_of
from opspec.model.patterns import shape_pattern
from opspec.model.spec import STEPS, Bilingual, Cell, Helper, Param, Rule, Scenario, Spec
from opspec.vocabulary import ctypes_, schemes, status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.model.evidence import Evidence
    from opspec.model.kernels import Kernel

NO_EVIDENCE: Evidence = {}


class SpecError(OpspecError):
    """A fault in a spec's meaning; ``path`` is its place, ``column`` counts from 0 within an expression."""

    def __init__(self, message: str, *, where: str = "", path: Path = (), column: int = 0) -> None:
        super().__init__(message, where=where)
        self.path = path
        self.column = column


def define(spec: Spec, evidence: Evidence = NO_EVIDENCE, kernel: Kernel | None = None) -> Definition:
    """The definition of a spec's operator (its twin is made from it by ``opspec.model.twin``).

    Args:
        evidence: what machines recorded of its rules.
        kernel: the kernel that its interface is generated from.

    Raises:
        SpecError: an expression is ill-typed, a name unknown, a dim unbound, an id taken or unknown.
    """
    try:
        spec = spelled_out(spec)
    except DefaultsError as error:
        raise SpecError(error.message, path=("params", error.param, "dtype")) from None
    params = tuple(_param(param) for param in spec.params)
    let_paths: dict[str, Path] = {
        name: ("let", name) if derived.words is None else ("let", name, "is") for name, derived in spec.let.items()
    }
    texts = {name: derived.is_ for name, derived in spec.let.items()}
    for name in texts:
        if any(param.name == name for param in params):
            raise SpecError(f"a derived value has the name of a param: {name}", path=("let", name))
    uses = _shape_uses(spec, params)
    with placed(("params",)):
        bound = dims.bind([use for found in uses.values() for use in found], {**texts, **{p.name: p for p in params}})
    for name, text in bound.items():
        texts[name] = text
        let_paths[name] = ("params",)
    names = Names(params, texts, let_paths)
    lets = names.lets()
    context = sugar.Context({p.name: p.kind for p in params}, bound, uses)
    found = None
    if kernel is not None:
        with placed(("generated_from",)):
            found = lookup.lookup(kernel, spec)
    drafts = _unique(_rules(spec, context, kernel))
    if found is not None:
        drafts = _unique((*drafts.values(), *lookup.rules(spec, found, drafts)))
    sources = _sources(spec, drafts)
    _amend(spec, drafts)
    if found is None:
        _account(sources, drafts)
        _default_stage(spec, drafts)
    else:
        drafts = {rule_id: lookup.as_looked_at(draft, found, sources) for rule_id, draft in drafts.items()}
    definition = Definition(
        spec.operator,
        spec,
        params,
        lets,
        let_paths,
        let_words={name: derived.words for name, derived in spec.let.items() if derived.words is not None},
        early=tuple(_early(spec, names, found)),
        results={name: names.typed(text, ("results", name)) for name, text in spec.results.items()},
        header=spec.header,
        helpers=tuple(_helper(spec, number, helper) for number, helper in enumerate(spec.helpers)),
    )
    _check_results(definition)
    _check_remarks(spec, params)
    places = _by_place(spec, drafts)
    rules = in_order(settled(draft, names, definition) for draft in drafts.values())
    return replace(definition, rules=recorded(rules, evidence), places=places, returns=_returns(sources))


def _early(spec: Spec, names: Names, found: lookup.Lookup | None) -> Iterator[tuple[tree.Node, str]]:
    """The early successes: the spec's own, and that of a generated interface."""
    for i, early in enumerate(spec.early_success):
        yield names.typed(early.when, ("early_success", i, "when"), BOOL), early.after
    text = "" if found is None else lookup.early_success(found)
    if text:
        yield names.typed(text, lookup.PATH, BOOL), "kernel"


def _helper(spec: Spec, number: int, helper: Helper) -> Definition:
    """A function beside the operator, as an operator of one phase."""
    own = {name: getattr(helper, name) for name in Helper.model_fields if name != "function"}
    kept = ("release", "document", "header", "products", "deterministic")
    fields = {**{name: getattr(spec, name) for name in kept}, **own}
    try:
        return define(Spec.model_construct(operator=helper.function, interface="single-phase", **fields))
    except SpecError as error:
        raise SpecError(error.message, path=("helpers", number, *error.path), column=error.column) from None


def _check_remarks(spec: Spec, params: tuple[ParamDef, ...]) -> None:
    """A remark beside a param is beside one that there is."""
    names = [param.name for param in params]
    for i, item in enumerate(spec.remarks):
        if item.param is not None and item.param not in names:
            message = f"unknown param {item.param!r}{did_you_mean(item.param, names)}"
            raise SpecError(message, path=("remarks", i, "param"))
        for j, place in enumerate(item.from_):
            _full(place, names, ("remarks", i, "from", j))


def _check_results(definition: Definition) -> None:
    """Results are of outputs that point to integers: an integer; of one to an array its integers, or their count.

    Or a tensor's format and storage shape, both, as a first phase leaves them.
    """
    params = {param.name: param for param in definition.params}
    for name, node in definition.results.items():
        path = ("results", name)
        name, _, label = name.partition(".")
        if name not in params:
            raise SpecError(f"unknown param {name!r}{did_you_mean(name, params)}", path=path)
        if label:
            _check_label(definition, params[name], label, node, path)
            continue
        ctype = ctypes_.parse(params[name].ctype)
        integers = re.fullmatch(r"int|u?int\d+_t", ctype.base) and ctype.kind == "pointer" and not ctype.const
        if definition.spec.interface != "single-phase" or params[name].io != "out" or not integers:
            raise SpecError(f"{name} is no output that a function of one phase writes", path=path)
        if node.type != INT and (node.type != INTS or ctype.pointer != 2):
            raise SpecError(f"expected {'integers or their count' if ctype.pointer == 2 else 'an integer'}", path=path)


def _check_label(definition: Definition, param: ParamDef, label: str, node: tree.Node, path: Path) -> None:
    if definition.spec.interface == "single-phase" or param.kind != "tensor":
        raise SpecError(f"{param.name} is no tensor that a first phase is given", path=path)
    if not {f"{param.name}.format", f"{param.name}.storage_shape"} <= definition.results.keys():
        raise SpecError("format and storage_shape of a tensor go together", path=path)
    if node.type != (FORMAT if label == "format" else INTS):
        raise SpecError("expected " + ("a format" if label == "format" else "dims"), path=path)


class placed:
    """Adds a place to errors that have none."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, sugar.SugarError):
            raise SpecError(error.message, path=error.path) from None
        if isinstance(error, parse.ExpressionError):
            raise SpecError(error.message, path=self.path, column=error.column) from None
        if isinstance(error, OpspecError) and not isinstance(error, SpecError):
            raise SpecError(str(error), path=self.path) from None


def _param(param: Param) -> ParamDef:
    ctype = ctypes_.parse(param.ctype)
    kind = "float32" if ctype.base == "float" and ctype.kind == "float" else ctype.kind
    nullable = ctype.nullable and (param.optional is not False or param.reserved == "null")
    return ParamDef(
        param.name, kind, param.ctype, param.io, nullable, not (ctype.nullable and nullable),
        tuple(param.also), ctype.low, ctype.high,
    )  # fmt: skip


def _shape_uses(spec: Spec, params: tuple[ParamDef, ...]) -> dict[str, list[dims.Use]]:
    uses: dict[str, list[dims.Use]] = {}
    for i, (param, defined) in enumerate(zip(spec.params, params, strict=True)):
        with placed(("params", i, "shape")):
            uses[param.name] = sugar.shape_uses(param, defined.nullable)
    return uses


# --- rules


def _rules(spec: Spec, context: sugar.Context, kernel: Kernel | None) -> Iterator[Draft]:
    yield from _product_rules(spec) if kernel is None else lookup.product_rules(spec, kernel)
    for i, param in enumerate(spec.params):
        with placed(("params", i)):
            yield from sugar.expand(param, ("params", i), context)
    for name, rule in spec.rules.items():
        if rule.check is not None:
            yield own_rule(name, rule, ("rules", name), context)
    for name, scenario in spec.scenarios.items():
        with placed(("scenarios", name)):
            yield _scenario_rule(name, scenario, context)
    if kernel is None:  # a generated interface takes tensors of any rank
        yield from _rank_limit(spec, context)


MOST_DIMS = 8  # of any tensor: what first phases refuse of nearly all operators, whether their pages say it or not


def _rank_limit(spec: Spec, context: sugar.Context) -> Iterator[Draft]:
    """No tensor has more than eight dims: one rule for all tensors, beside what the page says of each."""
    checks = [
        f"given({sugar.every(param, context, lambda x: f'{x}.rank <= {MOST_DIMS}')})"
        for param in spec.params
        if context.kinds[param.name] in ("tensor", "tensor_list") and param.reserved is None
    ]
    if checks:
        check = " and ".join(checks)
        yield Draft(id="rank-limit", kind="rank-limit", check=check, path=("params",), step="rank", basis="inferred")


def _product_rules(spec: Spec) -> Iterator[Draft]:
    denied = [name for name, support in spec.products.items() if support == "no"]
    if denied:
        names = ", ".join(map(repr, denied))
        yield Draft(
            id="product", kind="product", check=f"product not in ({names},)", path=("products",), step="product"
        )


_IN_WORDS = re.compile(r"([A-Za-z_]\w*) same (dtype|format|rank|shape) as ([A-Za-z_]\w*)")


def own_rule(name: str, rule: Rule, path: Path, context: sugar.Context) -> Draft:
    check, param = rule.check or "", rule.param
    words = _IN_WORDS.fullmatch(check)
    if words:
        subject, what, other = words.groups()
        if subject not in context.kinds:
            raise SpecError(f"unknown param {subject!r}{did_you_mean(subject, context.kinds)}", path=path)
        with placed((*path, "check")):
            check = sugar.same(subject, context.kinds, what, other)
        param = param or subject
    return Draft(
        id=name, kind=_own_kind(check), check=check, path=(*path, "check"), when=rule.when,
        param=param, step=rule.step, status=rule.status, stage=rule.stage, enforced=rule.enforced,
        basis=rule.basis, evidence=_both(rule.evidence), say=_both(rule.say), fails=_both(rule.fails),
        contradicts=tuple(rule.contradicts),
    )  # fmt: skip


def _own_kind(check: str) -> str:
    """What the general default goes by: an output's dtype that is to be what inputs promote to is a kind of its own."""
    return "promotion-result" if _PROMOTION.fullmatch(check) else "relation"


_PROMOTION = re.compile(
    rf"\w+\.dtype == (?:{'|'.join(row.name for row in FUNCTIONS.values() if row.gives == DTYPE)})\(.*\)"
)


def _scenario_rule(name: str, scenario: Scenario, context: sugar.Context) -> Draft:
    alternatives = []
    for i, alternative in enumerate(scenario.alternatives):
        parts = []
        if alternative.rows:
            parts.append(("rows", table_text(scenario.columns, alternative.rows)))
        for param, shapes in alternative.shapes.items():
            texts = [shapes] if isinstance(shapes, str) else shapes
            use = dims.Use(param, False, tuple(shape_pattern(text) for text in texts))
            parts.append((f"{param}.shape", dims.shape_check(use, context.bound) or dims.rank_check(use)))
        for rule_name, rule in alternative.rules.items():
            if rule.check is None:
                raise SpecError(
                    "a rule of an alternative has a check",
                    path=("scenarios", name, "alternatives", i, "rules", rule_name),
                )
            for key in ("say", "fails"):
                if getattr(rule, key) is not None:
                    path: Path = ("scenarios", name, "alternatives", i, "rules", rule_name, key)
                    raise SpecError(f"a scenario is said as a whole: `{key}` stands beside its alternatives", path=path)
            check = f"implies({rule.when}, {rule.check})" if rule.when else rule.check
            parts.append((rule_name, check))
        if not parts:
            raise SpecError("an alternative has rows, shapes or rules", path=("scenarios", name, "alternatives", i))
        given = tuple((part, f"given({check})") for part, check in parts)
        words = _called(alternative.id, alternative.about)
        alternatives.append(AlternativeText(alternative.id, words, alternative.when, given))
    guards = [item.when for item in alternatives if item.when is not None]
    when = scenario.when
    if len(guards) == len(alternatives):
        either = " or ".join(f"({guard})" for guard in guards)
        when = f"({when}) and ({either})" if when else either
    if all(item.when is None and [part for part, _ in item.parts] == ["rows"] for item in alternatives):
        check = table_text(scenario.columns, [row for item in scenario.alternatives for row in item.rows])
    else:
        check = " or ".join(_conjunction(item.when, item.parts) for item in alternatives)
    return Draft(
        id=name, kind="relation", check=check, path=("scenarios", name), when=when, param=scenario.param,
        status=scenario.status, stage=scenario.stage, enforced=scenario.enforced, evidence=_both(scenario.evidence),
        say=_both(scenario.say), fails=_both(scenario.fails), alternatives=tuple(alternatives),
    )  # fmt: skip


def _called(name: str, about: Bilingual | None) -> tuple[str, str]:
    """What sentences call an alternative: its id where nobody says more."""
    return _both(about) or schemes.words(name) or (name, name)


def _conjunction(guard: str | None, parts: Iterable[tuple[str, str]]) -> str:
    texts = ([f"({guard})"] if guard else []) + [check for _, check in parts]
    return f"({' and '.join(texts)})"


def table_text(columns: list[str], rows: list[list[Cell]]) -> str:
    """A tuple table as an expression; a cell of text is read by its column's own literals."""
    return f"table(({', '.join(columns)},), {', '.join(f'({_cells(row)},)' for row in rows)})"


def _cells(row: list[Cell]) -> str:
    return ", ".join(f"({', '.join(map(_cell, cell))},)" if isinstance(cell, list) else _cell(cell) for cell in row)


def _cell(cell: str | None) -> str:
    return "None" if cell is None else cell


# --- what the spec says about rules that it does not write itself


def _unique(drafts: Iterable[Draft]) -> dict[str, Draft]:
    seen: dict[str, Draft] = {}
    for draft in drafts:
        if draft.id in seen:
            raise SpecError(f"two rules have the id {draft.id!r}", path=draft.path)
        seen[draft.id] = draft
    return seen


def _both(text: Bilingual | None) -> tuple[str, str] | None:
    return None if text is None else (text.text("en"), text.text("zh"))


def _known(drafts: Mapping[str, Draft], rule_id: str, path: Path) -> Draft:
    if rule_id not in drafts:
        raise SpecError(f"unknown rule {rule_id!r}{did_you_mean(rule_id, drafts)}", path=path)
    return drafts[rule_id]


def _amend(spec: Spec, drafts: dict[str, Draft]) -> None:
    for name, entry in spec.rules.items():
        if entry.check is not None:
            continue
        draft = _known(drafts, name, ("rules", name))
        fields = ("when", "param", "status", "stage", "step", "enforced")
        changes: dict[str, Any] = {
            field: getattr(entry, field) for field in fields if getattr(entry, field) is not None
        }
        for field in ("evidence", "say", "fails"):
            if getattr(entry, field) is not None:
                changes[field] = _both(getattr(entry, field))
        if not changes and not entry.from_:
            raise SpecError("a rule has a check, or changes something of a derived rule", path=("rules", name))
        drafts[name] = replace(draft, **changes)
    for draft in drafts.values():
        for i, other in enumerate(draft.contradicts):
            if _known(drafts, other, ("rules", draft.id, "contradicts", i)).basis == "observed":
                raise SpecError(f"{other!r} is an observed rule itself", path=("rules", draft.id, "contradicts", i))


def _sources(spec: Spec, drafts: Mapping[str, Draft]) -> dict[str, tuple[str, ...]]:
    """Rule id -> the places of the clauses that it formalises, in full."""
    names = [param.name for param in spec.params]
    found: dict[str, list[str]] = {}
    own: list[tuple[str, str, list[str]]] = [("rules", name, rule.from_) for name, rule in spec.rules.items()]
    own += [("scenarios", name, scenario.from_) for name, scenario in spec.scenarios.items()]
    for key, rule_id, places in own:
        if places:
            found[rule_id] = [_full(place, names, (key, rule_id, "from", i)) for i, place in enumerate(places)]
    for place, rules in spec.clauses.items():
        full = _full(place, names, ("clauses", place))
        for i, rule_id in enumerate(rules):
            _known(drafts, rule_id, ("clauses", place, i))
            found.setdefault(rule_id, []).append(full)
    return {rule_id: tuple(places) for rule_id, places in found.items()}


def _full(place: str, params: list[str], path: Path) -> str:
    """The place in full; a row of return codes is one of a status that there is."""
    full = full_place(place, params)
    with placed(path):
        row_of(full)
    return full


def _account(sources: Mapping[str, tuple[str, ...]], drafts: dict[str, Draft]) -> None:
    """Places of clauses, and what a row of return codes says: status and stage."""
    for rule_id, places in sources.items():
        draft = replace(drafts[rule_id], sources=places)
        for name, _ in filter(None, map(row_of, places)):
            draft = replace(
                draft,
                status=draft.status or name,
                stage=draft.stage or _STAGES.get(name, "params"),
                in_row=True,
            )
        drafts[rule_id] = draft


def _default_stage(spec: Spec, drafts: dict[str, Draft]) -> None:
    """The stage of the operator's own rules that neither they nor a row of return codes say."""
    own = (*(name for name, rule in spec.rules.items() if rule.check is not None), *spec.scenarios)
    for name in own:
        if drafts[name].stage is None and spec.stage is not None:
            drafts[name] = replace(drafts[name], stage=spec.stage)


#: status of a row of return codes -> where the runtime finds what it is about; others: in the params
_STAGES = {
    status.name(status.INFERSHAPE_ERROR): "infershape",
    status.name(status.TILING_ERROR): "tiling",
}


def _returns(sources: Mapping[str, tuple[str, ...]]) -> tuple[ReturnRow, ...]:
    """The rows of return codes, in the order of the page."""
    rows: dict[tuple[str, str], list[str]] = {}
    for rule_id, places in sources.items():
        for row in filter(None, map(row_of, places)):
            rows.setdefault(row, []).append(rule_id)
    order = sorted(rows, key=lambda row: (status.number(row[0]), len(row[1]), row[1]))
    return tuple(ReturnRow(status=row[0], number=row[1], rules=tuple(rows[row])) for row in order)


def _by_place(spec: Spec, drafts: dict[str, Draft]) -> dict[str, tuple[str, ...]]:
    """Place -> rules: those that name it; of sugar, the cell of its property where it names no other."""
    found: dict[str, list[str]] = {}
    for draft in list(drafts.values()):
        for place in draft.sources:
            found.setdefault(place, []).append(draft.id)
        cell = _cell_of(draft) if spec.document is not None and not draft.sources else None
        if cell is not None:
            drafts[draft.id] = replace(draft, sources=(cell,))
    return {place: tuple(rules) for place, rules in found.items()}


def _cell_of(rule: Draft) -> str | None:
    """The cell of the page that a rule of sugar stems from: a property is the clause of its cell."""
    if rule.path == ("products",):
        return "products"
    if rule.path[:1] != ("params",) or len(rule.path) == 1:
        return None
    return f"params/{rule.param}/{rule.path[2] if len(rule.path) > 2 else 'io'}"


# --- types and order


class Names:
    """The names that a spec's expressions may use, and its derived values as they are first read."""

    def __init__(self, params: Iterable[ParamDef], texts: Mapping[str, str], paths: Mapping[str, Path]) -> None:
        self._texts = texts
        self._paths = paths
        self._trees: dict[str, tree.Node] = {}
        self._open: list[str] = []
        self._scope = parse.Scope(
            {param.name: (param.type, param.nullable and param.pointer) for param in params},
            lambda name: self._let(name) if name in self._texts else None,
            tuple(texts),
            {},
        )

    def typed(self, text: str, path: Path, expected: Type | None = None) -> tree.Node:
        """The tree of an expression at this place of the spec."""
        with placed(path):
            return parse.parse(text, self._scope, expected)

    def lets(self) -> dict[str, tree.Node]:
        """All derived values, in the order in which the spec has them."""
        for name, path in self._paths.items():
            with placed(path):
                self._let(name)
        return {name: self._trees[name] for name in self._texts}

    def _let(self, name: str) -> tree.Node:
        if name not in self._trees:
            if name in self._open:
                cycle = " -> ".join([*self._open[self._open.index(name) :], name])
                raise parse.ExpressionError(f"derived values go round in a circle: {cycle}")
            self._open.append(name)
            try:
                self._trees[name] = parse.parse(self._texts[name], self._scope)
            finally:
                self._open.pop()
        return self._trees[name]


def settled(draft: Draft, names: Names, definition: Definition) -> RuleDef:
    """The rule of a draft: its expressions read, and subject, step, stage and status filled in."""
    check = names.typed(draft.check, draft.path, BOOL)
    guard_path = (*draft.path[:-1], "when") if draft.path[-1:] == ("check",) else draft.path
    when = None if draft.when is None else names.typed(draft.when, guard_path, BOOL)
    types = {param.name: param.type for param in definition.params}
    if draft.param is not None and draft.param not in types:
        raise SpecError(f"unknown param {draft.param!r}{did_you_mean(draft.param, types)}", path=draft.path)
    param = draft.param or next(_read_params(check, definition), None)
    step = draft.step or step_of(param, definition.facts(check), types)
    stage = draft.stage or "params"
    return RuleDef(
        id=draft.id, kind=draft.kind, path=draft.path, param=param, enforced=draft.enforced, basis=draft.basis,
        evidence=draft.evidence, say=draft.say, fails=draft.fails, contradicts=draft.contradicts,
        sources=draft.sources, in_row=draft.in_row, check=check, when=when, step=step,
        status=draft.status or _status(step, stage), stage=stage,
        alternatives=tuple(_alternative(item, draft.path, names) for item in draft.alternatives),
    )  # fmt: skip


def _alternative(text: AlternativeText, path: Path, names: Names) -> Alternative:
    return Alternative(
        text.id,
        text.words,
        None if text.when is None else names.typed(text.when, path, BOOL),
        tuple((part, names.typed(check, path, BOOL)) for part, check in text.parts),
    )


def recorded(rules: Iterable[RuleDef], evidence: Evidence) -> tuple[RuleDef, ...]:
    """The rules with what machines recorded of them; of rules that are no more it says nothing."""
    return tuple(replace(rule, recorded=evidence.get(rule.id, rule.recorded)) for rule in rules)


def in_order(rules: Iterable[RuleDef]) -> tuple[RuleDef, ...]:
    """The rules in the order of the first phase."""
    return tuple(sorted(rules, key=lambda rule: STEPS.index(rule.step)))


def _read_params(node: tree.Node, definition: Definition) -> Iterator[str]:
    """The params that a tree reads, derived values included, in order."""
    for part in tree.expanded(node, definition.lets):
        if isinstance(part, tree.Param):
            yield part.name


def _status(step: str, stage: str) -> str:
    if step == "null":
        return status.name(status.NULLPTR)
    by_stage = {
        "infershape": status.INFERSHAPE_ERROR, "kernel": status.INNER_NULLPTR, "tiling": status.TILING_ERROR,
    }  # fmt: skip
    return status.name(by_stage.get(stage, status.INVALID))
