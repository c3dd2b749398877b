"""From a spec to its definitions: sugar expanded, every expression typed, rules in the order of the first phase."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from opspec.errors import SpecError, did_you_mean
from opspec.language import build, parse, tree
from opspec.language.facts import expanded
from opspec.language.functions import FUNCTIONS
from opspec.language.types import BOOL, DTYPE, FORMAT, INT, INTS
from opspec.model import dims, lookup, sugar
from opspec.model.defaults import spelled_out
from opspec.model.definition import Definition, ParamDef, RuleDef, step_of
from opspec.model.draft import Alternative, Draft, Path, RuleBase
from opspec.model.evidence import Witnesses
from opspec.model.faults import Faults, placed
from opspec.model.kernels import Kernel
from opspec.model.ledger import ReturnRow, implied, place_of, row_of, rules_called
from opspec.model.names import Derived, Names
from opspec.model.order import in_order
from opspec.model.patterns import shape_pattern
from opspec.model.spec import Cell, Helper, Param, Rule, Scenario, Spec
from opspec.model.values import Bilingual
from opspec.vocabulary import ctypes_, schemes, status
from opspec.vocabulary.limits import MOST_DIMS
from opspec.vocabulary.literals import Kind, Stage, Status, Step

NOBODY = Witnesses()
NO_CLAUSES: Mapping[str, str] = {}


def define(
    spec: Spec,
    known: Witnesses = NOBODY,
    kernel: Kernel | None = None,
    clauses: Mapping[str, str] = NO_CLAUSES,
    home: str | None = None,
) -> Definition:
    """The definition of a spec's operator (its twin is made from it by ``opspec.model.twin``).

    Args:
        clauses: id of each clause of its page -> its place, in the page's order.
        known: what machines recorded of its rules.
        kernel: the kernel that its interface is generated from, or whose generated interface it ends in.
        home: the file of the spec.

    Raises:
        SpecError: an expression is ill-typed, a name unknown, a dim unbound, an id taken or unknown.
    """
    spec = spelled_out(spec)
    faults = Faults()
    params = tuple(_param(param) for param in spec.params)
    let_paths, context = _context(spec, params, faults)
    names, lets = context.names, {name: tree.one(node) for name, node in context.names.lets(faults).items()}
    found, inner = _lookups(spec, kernel)
    written = list(_rules(spec, context, None if found is None else kernel, faults))
    early = tuple(_early(spec, names, found, inner, faults))
    results = dict(_results(spec, names, faults))
    faults.tell()
    drafts = _unique(written)
    if found is not None:
        drafts = _unique((*written, *lookup.rules(spec, found, drafts, names)))
    elif inner is not None:
        drafts = _unique((*written, *lookup.inner_rules(inner, drafts, names)))
    sources = _sources(spec, drafts, clauses)
    drafts = _amended(spec, drafts, names)
    if found is None:
        drafts = _staged(spec, _accounted(sources, drafts))
    else:
        looked_at = (lookup.as_looked_at(draft, found, sources, names) for draft in drafts.values())
        drafts = {draft.id: draft for draft in looked_at}
    definition = Definition(
        spec.operator, spec, params, lets, let_paths,
        let_words={name: value.words for name, value in spec.let.items() if value.words is not None},
        early=early, results=results, header=spec.header, home=home,
        helpers=tuple(_helper(spec, number, helper) for number, helper in enumerate(spec.helpers)),
        elsewhere=known.elsewhere, neighbours=known.neighbours,
    )  # fmt: skip
    if inner is not None:
        drafts = _behind_lookup(drafts, definition)
    _check_results(definition)
    _check_remarks(spec, params, clauses)
    places = _by_place(drafts.values())
    if spec.document is not None:
        drafts = {draft.id: _with_cell(draft) for draft in drafts.values()}
    rules = []
    for draft in drafts.values():
        with faults.placed(draft.path):
            rules.append(settled(draft, names, definition))
    faults.tell()
    found_rules = recorded(rules, known)
    return in_order(replace(definition, rules=found_rules, places=places, returns=_returns(sources), clauses=clauses))


def _lookups(spec: Spec, kernel: Kernel | None) -> tuple[lookup.Lookup | None, lookup.Lookup | None]:
    """What a generated interface looks up, and what one does that ends in such a one; none of others."""
    if kernel is None:
        return None, None
    with placed((spec.kernel_key,)):
        if spec.looks_up is None:
            return lookup.lookup(kernel, spec), None
        return None, lookup.behind_checks(kernel, spec)


def _behind_lookup(drafts: Mapping[str, Draft], definition: Definition) -> dict[str, Draft]:
    """The rules of an interface that ends in a generated one: of those about nothing but what is looked up, the lookup
    tells."""
    compared = definition.facts(drafts[lookup.COMBINATION].check)
    return {
        name: draft.but(stage="kernel", status=draft.status or status.name(status.INVALID))
        if lookup.is_of_lookup(draft, definition, compared)
        else draft
        for name, draft in drafts.items()
    }


def _context(spec: Spec, params: tuple[ParamDef, ...], faults: Faults) -> tuple[dict[str, Path], sugar.Context]:
    """The places of the derived values, and what the rules of a spec's params may look at."""
    paths: dict[str, Path] = {
        name: ("let", name) if value.words is None else ("let", name, "is") for name, value in spec.let.items()
    }
    derived: dict[str, Derived] = {name: value.is_ for name, value in spec.let.items()}
    taken = {param.name: param for param in params}
    for name in derived.keys() & taken.keys():
        raise SpecError(f"a derived value has the name of a param: {name}", path=("let", name))
    uses: dict[str, list[dims.Use]] = {}
    for i, param in enumerate(spec.params):
        with faults.placed(("params", i, "shape")):
            uses[param.name] = sugar.shape_uses(param, taken[param.name].nullable)
    faults.tell()
    with placed(("params",)):
        bound = dims.bind([use for found in uses.values() for use in found], {**derived, **taken})
    paths.update((name, ("params",)) for name in bound)
    names = Names(params, {**derived, **bound}, paths)
    return paths, sugar.Context(names, {param.name: param.kind for param in params}, frozenset(bound), uses)


def _early(
    spec: Spec, names: Names, found: lookup.Lookup | None, inner: lookup.Lookup | None, faults: Faults
) -> Iterator[tuple[tree.Node, Step]]:
    """The early successes: the spec's own, and that of a generated interface; behind the checks of one that ends in
    such a one."""
    for i, early in enumerate(spec.early_success):
        with faults.placed(("early_success", i, "when")):
            yield names.read(early.when, BOOL), early.after
    if found is not None and found.outputs:
        yield lookup.early_success(found, names), "kernel"
    if inner is not None and inner.tells_outputs:
        yield lookup.early_success(inner, names), "value"


def _results(spec: Spec, names: Names, faults: Faults) -> Iterator[tuple[str, tree.Node]]:
    for name, text in spec.results.items():
        with faults.placed(("results", name)):
            yield name, names.read(text)


def _helper(spec: Spec, number: int, helper: Helper) -> Definition:
    """A function beside the operator, as an operator of one phase."""
    own = {name: getattr(helper, name) for name in Helper.model_fields if name != "function"}
    kept = ("release", "document", "header", "products", "deterministic")
    fields = {**{name: getattr(spec, name) for name in kept}, **own}
    try:
        return define(Spec.model_construct(operator=helper.function, interface="single-phase", **fields))
    except SpecError as error:
        for fault in error.faults:
            if isinstance(fault, SpecError):
                fault.path = ("helpers", number, *fault.path)
        raise


def _check_remarks(spec: Spec, params: tuple[ParamDef, ...], clauses: Mapping[str, str]) -> None:
    """A remark beside a param is beside one that there is, a row of return codes one of a status that there is."""
    names = [param.name for param in params]
    for i, item in enumerate(spec.remarks):
        if item.param is not None and item.param not in names:
            message = f"unknown param {item.param!r}{did_you_mean(item.param, names)}"
            raise SpecError(message, path=("remarks", i, "param"))
        for j, name in enumerate(item.from_):
            with placed(("remarks", i, "from", j)):
                row_of(place_of(name, clauses, names))


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


def _param(param: Param) -> ParamDef:
    ctype = ctypes_.parse(param.ctype)
    kind = "float32" if ctype.base == "float" and ctype.kind == "float" else ctype.kind
    nullable = ctype.nullable and (param.optional is not False or param.reserved == "null")
    return ParamDef(
        param.name, kind, param.ctype, param.io, nullable, not (ctype.nullable and nullable),
        tuple(param.also), ctype.low, ctype.high,
    )  # fmt: skip


# --- rules


def _rules(spec: Spec, context: sugar.Context, kernel: Kernel | None, faults: Faults) -> Iterator[Draft]:
    yield from lookup.product_rules(spec, kernel)
    for i, param in enumerate(spec.params):
        yield from sugar.expand(param, ("params", i), context, faults)
    for name, rule in spec.rules.items():
        if rule.check is not None:
            with faults.placed(("rules", name)):
                yield own_rule(name, rule, ("rules", name), context)
    for name, scenario in spec.scenarios.items():
        with faults.placed(("scenarios", name)):
            yield _scenario_rule(name, scenario, context)
    if kernel is None:  # a generated interface takes tensors of any rank
        yield from _rank_limit(spec, context)


def _rank_limit(spec: Spec, context: sugar.Context) -> Iterator[Draft]:
    """No tensor has more than eight dims: one rule for all tensors, beside what the page says of each."""
    checks = [
        build.given(context.every(param.name, _has_few_dims))
        for param in spec.params
        if context.kinds[param.name] in ("tensor", "tensor_list") and param.reserved is None
    ]
    if checks:
        yield Draft(
            id="rank-limit", kind="rank-limit", check=build.all_of(checks), path=("params",), step="rank",
            basis="inferred",
        )  # fmt: skip


def _has_few_dims(x: tree.Node) -> tree.Node:
    return build.compare(["<="], [build.attribute(x, "rank"), build.constant(MOST_DIMS, INT)])


_IN_WORDS = re.compile(r"([A-Za-z_]\w*) same (dtype|format|rank|shape) as ([A-Za-z_]\w*)")


def own_rule(name: str, rule: Rule, path: Path, context: sugar.Context) -> Draft:
    """The rule that a spec writes itself."""
    text, param = rule.check or "", rule.param
    words = _IN_WORDS.fullmatch(text)
    if words:
        subject, what, other = words.groups()
        if subject not in context.kinds:
            raise SpecError(f"unknown param {subject!r}{did_you_mean(subject, context.kinds)}", path=path)
        with placed((*path, "check")):
            check = sugar.same(context, subject, what, other)
        param = param or subject
    else:
        check = context.names.typed(text, (*path, "check"), BOOL)
    return Draft(
        id=name, kind=_own_kind(check), check=check, path=(*path, "check"),
        when=None if rule.when is None else context.names.typed(rule.when, (*path, "when"), BOOL),
        param=param, step=rule.step, status=rule.status, stage=rule.stage, enforced=rule.enforced,
        basis=rule.basis, evidence=_both(rule.evidence), say=_both(rule.say), fails=_both(rule.fails),
        contradicts=tuple(rule.contradicts),
    )  # fmt: skip


def _own_kind(check: tree.Node) -> Kind:
    """What the general default goes by: an output's dtype that is to be what inputs promote to is a kind of its own."""
    match check:
        case tree.Compare(ops=("==",), operands=(tree.Attr(name="dtype"), tree.Call(function=name))):
            return "promotion-result" if FUNCTIONS[name].gives == DTYPE else "relation"
    return "relation"


def _scenario_rule(name: str, scenario: Scenario, context: sugar.Context) -> Draft:
    path: Path = ("scenarios", name)
    names = context.names
    columns = [names.typed(text, path) for text in scenario.columns]
    alternatives = tuple(
        _alternative(scenario, i, columns, (*path, "alternatives", i), context)
        for i in range(len(scenario.alternatives))
    )
    guards = [item.when for item in alternatives if item.when is not None]
    when = None if scenario.when is None else names.typed(scenario.when, (*path, "when"), BOOL)
    if len(guards) == len(alternatives):
        either = build.any_of(guards)
        when = either if when is None else build.all_of([when, either])
    if all(item.when is None and [part for part, _ in item.parts] == ["rows"] for item in alternatives):
        with placed(path):
            check = _table(columns, [row for item in scenario.alternatives for row in item.rows])
    else:
        check = build.any_of([_conjunction(item) for item in alternatives])
    return Draft(
        id=name, kind="relation", check=check, path=path, when=when, param=scenario.param,
        status=scenario.status, stage=scenario.stage, enforced=scenario.enforced, evidence=_both(scenario.evidence),
        say=_both(scenario.say), fails=_both(scenario.fails), alternatives=alternatives,
    )  # fmt: skip


def _alternative(
    scenario: Scenario, number: int, columns: list[tree.Node], path: Path, context: sugar.Context
) -> Alternative:
    """One of a scenario's alternatives: its rows, its shapes and its rules, each given what it reads."""
    names, alternative = context.names, scenario.alternatives[number]
    parts: list[tuple[str, tree.Node]] = []
    with placed((*path, "rows")):
        if alternative.rows:
            parts.append(("rows", _table(columns, alternative.rows)))
    for param, shapes in alternative.shapes.items():
        with placed((*path, "shapes", param)):
            parts.append((f"{param}.shape", _symbolic(param, shapes, context)))
    for name, rule in alternative.rules.items():
        own: Path = (*path, "rules", name)
        if rule.check is None:
            raise SpecError("a rule of an alternative has a check", path=own)
        for key in ("say", "fails"):
            if getattr(rule, key) is not None:
                message = f"a scenario is said as a whole: `{key}` stands beside its alternatives"
                raise SpecError(message, path=(*own, key))
        check = names.typed(rule.check, (*own, "check"), BOOL)
        if rule.when:
            check = build.implies(names.typed(rule.when, (*own, "when"), BOOL), check)
        parts.append((name, check))
    if not parts:
        raise SpecError("an alternative has rows, shapes or rules", path=path)
    when = None if alternative.when is None else names.typed(alternative.when, (*path, "when"), BOOL)
    given = tuple((part, build.given(check)) for part, check in parts)
    return Alternative(alternative.id, _called(alternative.id, alternative.about), when, given)


def _symbolic(param: str, shapes: str | list[str], context: sugar.Context) -> tree.Node:
    """That a param has one of some symbolic shapes."""
    if param not in context.kinds:
        raise SpecError(f"unknown name {param!r}{did_you_mean(param, context.kinds)}")
    texts = [shapes] if isinstance(shapes, str) else shapes
    use, subject = dims.Use(param, False, tuple(map(shape_pattern, texts))), context.names.param(param)
    return dims.shape_check(use, subject, context.names, context.bound) or dims.rank_check(use, subject)


def _called(name: str, about: Bilingual | None) -> tuple[str, str]:
    """What sentences call an alternative: its id where nobody says more."""
    return _both(about) or schemes.words(name) or (name, name)


def _conjunction(item: Alternative) -> tree.Node:
    return build.all_of([*([] if item.when is None else [item.when]), *item.checks])


def _table(columns: list[tree.Node], rows: list[list[Cell]]) -> tree.Node:
    """A tuple table; a cell of text is read by its column's own literals."""
    heads = [build.heading(column) for column in columns]
    for row in rows:
        if len(row) != len(heads):
            raise SpecError(f"a row has {len(heads)} cells as the head has, found {len(row)}")
    return build.table(heads, [tuple(map(_cell, row, heads)) for row in rows])


def _cell(cell: Cell, column: tree.Node) -> frozenset[object] | None:
    return parse.cell(
        ["None" if text is None else text for text in (cell if isinstance(cell, list) else [cell])], column
    )


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


def _amended(spec: Spec, drafts: Mapping[str, Draft], names: Names) -> dict[str, Draft]:
    """The rules with what the spec changes of those that it does not write itself."""
    amended = dict(drafts)
    for name, entry in spec.rules.items():
        if entry.check is not None:
            continue
        draft = _known(drafts, name, ("rules", name))
        said = ("param", "status", "stage", "step", "enforced")
        changes: dict[str, Any] = {field: getattr(entry, field) for field in said if getattr(entry, field) is not None}
        if entry.when is not None:
            changes["when"] = names.typed(entry.when, ("rules", name, "when"), BOOL)
        for field in ("evidence", "say", "fails"):
            if getattr(entry, field) is not None:
                changes[field] = _both(getattr(entry, field))
        if not changes and not entry.from_:
            raise SpecError("a rule has a check, or changes something of a derived rule", path=("rules", name))
        amended[name] = draft.but(**changes)
    for draft in amended.values():
        for i, other in enumerate(draft.contradicts):
            if _known(drafts, other, ("rules", draft.id, "contradicts", i)).basis == "observed":
                raise SpecError(f"{other!r} is an observed rule itself", path=("rules", draft.id, "contradicts", i))
    return amended


def _sources(spec: Spec, drafts: Mapping[str, Draft], clauses: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Rule id -> the places of the clauses that it formalises, in full and in the page's order.

    Args:
        clauses: id of a clause -> its place.
    """
    params = [param.name for param in spec.params]
    order = {place: number for number, place in enumerate(clauses.values())}
    written = [name for name, rule in spec.rules.items() if rule.check is not None]
    found: dict[str, dict[str, None]] = {rule_id: {} for rule_id in (*written, *spec.scenarios)}
    for rule_id, name, path in _citations(spec, drafts, clauses):
        place = place_of(name, clauses, params)
        with placed(path):
            row_of(place)  # a row of return codes is one of a status that there is
        found.setdefault(rule_id, {})[place] = None
    return {
        rule_id: tuple(sorted(places, key=lambda place: order.get(place, len(order))))
        for rule_id, places in found.items()
        if places
    }


def _citations(spec: Spec, drafts: Mapping[str, Draft], clauses: Mapping[str, str]) -> Iterator[tuple[str, str, Path]]:
    """(rule, id of a clause that it formalises, where the spec says so)."""
    entries: tuple[tuple[str, Mapping[str, Rule] | Mapping[str, Scenario]], ...]
    entries = (("rules", spec.rules), ("scenarios", spec.scenarios))
    for key, rules in entries:
        for rule_id, rule in rules.items():
            for i, name in enumerate(rule.from_):
                yield rule_id, name, (key, rule_id, "from", i)
    known = [rule_id for rule_id in drafts if rule_id not in spec.scenarios]
    named = implied(clauses, spec.clauses, known)
    for name in dict.fromkeys((*clauses, *spec.clauses)):
        for rule_id in named.get(name, ()):
            yield rule_id, name, ("rules", rule_id)
        for i, called in enumerate(spec.clauses.get(name, ())):
            for rule_id in rules_called(called, known) or [_known(drafts, called, ("clauses", name, i)).id]:
                yield rule_id, name, ("clauses", name)


def _accounted(sources: Mapping[str, tuple[str, ...]], drafts: Mapping[str, Draft]) -> dict[str, Draft]:
    """The rules with the places of their clauses, and what rows of return codes say: status and stage."""
    return {
        rule_id: _of_places(draft, sources[rule_id]) if rule_id in sources else draft
        for rule_id, draft in drafts.items()
    }


def _of_places(draft: Draft, places: tuple[str, ...]) -> Draft:
    rows = [name for name, _ in filter(None, map(row_of, places))]
    if not rows:
        return draft.but(sources=places)
    status_ = draft.status or rows[0]
    return draft.but(sources=places, status=status_, stage=draft.stage or _STAGES.get(rows[0], "params"), in_row=True)


def _staged(spec: Spec, drafts: Mapping[str, Draft]) -> dict[str, Draft]:
    """The rules with the operator's own stage where neither they nor a row of return codes say another."""
    own = {*(name for name, rule in spec.rules.items() if rule.check is not None), *spec.scenarios}
    return {
        name: draft.but(stage=spec.stage) if name in own and draft.stage is None else draft
        for name, draft in drafts.items()
    }


#: status of a row of return codes -> where the runtime finds what it is about; others: in the params
_STAGES: dict[str, Stage] = {
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


def _by_place(drafts: Iterable[Draft]) -> dict[str, tuple[str, ...]]:
    """Place -> the rules that name it."""
    found: dict[str, list[str]] = {}
    for draft in drafts:
        for place in draft.sources:
            found.setdefault(place, []).append(draft.id)
    return {place: tuple(rules) for place, rules in found.items()}


def _with_cell(rule: Draft) -> Draft:
    """A rule of sugar that names no place with the cell of its property."""
    cell = None if rule.sources else _cell_of(rule)
    return rule if cell is None else rule.but(sources=(cell,))


def _cell_of(rule: Draft) -> str | None:
    """The cell of the page that a rule of sugar stems from: a property is the clause of its cell."""
    if rule.path == ("products",):
        return "products"
    if rule.path[:1] != ("params",) or len(rule.path) == 1:
        return None
    return f"params/{rule.param}/{rule.path[2] if len(rule.path) > 2 else 'io'}"


# --- order


def settled(draft: Draft, names: Names, definition: Definition) -> RuleDef:
    """The rule of a draft: subject, step, stage and status filled in."""
    check = names.bounded(draft.check, draft.path)
    when = None if draft.when is None else tree.one(draft.when)
    types = definition.types
    if draft.param is not None and draft.param not in types:
        raise SpecError(f"unknown param {draft.param!r}{did_you_mean(draft.param, types)}", path=draft.path)
    param = draft.param or next(_read_params(check, definition), None)
    step = draft.step or step_of(param, definition.facts(check), types)
    stage = draft.stage or "params"
    kept = {name: getattr(draft, name) for name in _KEPT}
    status_ = draft.status or _status(step, stage)
    own = {"check": check, "when": when, "param": param, "step": step, "stage": stage, "status": status_}
    return RuleDef(**{**kept, **own})


_KEPT = tuple(field.name for field in fields(RuleBase))


def recorded(rules: Iterable[RuleDef], known: Witnesses) -> tuple[RuleDef, ...]:
    """The rules with what machines recorded of them, which keep what they have where nothing was; what its author knows
    to come through, calls that stand in for the operator's own do not overrule."""
    found = ((rule, *known.of(rule.id)) for rule in rules)
    return tuple(
        rule.but(recorded=calls, recorded_elsewhere=elsewhere)
        if calls and not (known.stand_in and rule.enforced == "no")
        else rule
        for rule, calls, elsewhere in found
    )


def _read_params(node: tree.Node, definition: Definition) -> Iterator[str]:
    """The params that a tree reads, derived values included, in order."""
    for part in expanded(node, definition.lets):
        if isinstance(part, tree.Param):
            yield part.name


def _status(step: Step, stage: Stage) -> Status:
    if step == "null":
        return status.name(status.NULLPTR)
    by_stage = {
        "infershape": status.INFERSHAPE_ERROR, "kernel": status.INNER_NULLPTR, "tiling": status.TILING_ERROR,
    }  # fmt: skip
    return status.name(by_stage.get(stage, status.INVALID))
