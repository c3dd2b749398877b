"""What cells of the table of params say of rules: which they hold, and which go without saying beside them."""

from __future__ import annotations

from functools import lru_cache

from opspec.docs.refused import refusals, refusing
from opspec.docs.saying import Sayings
from opspec.docs.shapes import shapes
from opspec.docs.support import limiting
from opspec.docs.tables import same_types
from opspec.language import build, tree
from opspec.language.normal import key
from opspec.model.definition import Definition, ParamDef, RuleDef

#: kinds of rules that the columns of the table say already
IN_COLUMNS = frozenset({"null", "elements", "dtype", "scalar-dtype", "format", "private-format", "rank", "strided"})

#: kinds whose cells list what is so on some condition or other, and do not say on which
_WITH_CASES = frozenset({"dtype", "scalar-dtype", "format", "rank"})

#: kinds of rules that the cell of the shape says
IN_SHAPE = ("rank", "shape", "rank-relation", "shape-relation")


def ranks_are_told(sayings: Sayings) -> bool:
    """Whether rows and shapes say of every tensor how many dims it may have: a limit of all says nothing more then."""
    definition = sayings.definition
    told = {rule.param for rule in definition.rules if rule.kind in IN_SHAPE}
    for rule in definition.rules:  # some say the limit themselves, as it was observed
        if rule.kind != "rank-limit":
            parts = [*build.conjuncts(rule.check)]
            told |= {name for part in parts if rule.when is None and (name := _limited_in_rank(part))}
            told |= {name for part in parts if (name := _counted(part))}
    found = shapes(definition).of
    counted = {word for name in told for shape in found.get(name or "", ()) for word in shape.stars}
    told |= {name for name, own in found.items() if own and all(shape.is_counted(counted) for shape in own)}
    given = (param for param in definition.params if is_tensor(param) and sayings.is_given(param) is not False)
    return all(param.name in told for param in given)


def is_of_rank(rule: RuleDef, param: str) -> bool:
    """Whether a rule says on any call how many dims a param has at most."""
    return rule.when is None and any(_limited_in_rank(part) == param for part in build.conjuncts(rule.check))


def _counted(part: tree.Node) -> str:
    """The param of which a statement says how many dims it has, or which: it may do so of some calls alone."""
    match part:
        case tree.Compare(
            ops=("==" | "in",),
            operands=(
                tree.Attr(name="rank" | "shape", base=tree.Param(name=name)),
                (tree.Const() | tree.Seq()) as right,
            ),
        ) if not any(isinstance(one, tree.Seq) and any(one.starred) for one in tree.walk(right)):
            return name
    return ""


def _limited_in_rank(part: tree.Node) -> str:
    """The param of which a statement says how many dims it has at most."""
    match part:
        case tree.Compare(
            ops=("<=" | "<",), operands=(tree.Attr(name="rank", base=tree.Param(name=name)), tree.Const())
        ):
            return name
    return ""


def in_columns(rule: RuleDef, sayings: Sayings) -> bool:
    """Whether cells of the table say a rule: not one whose cases hang on other params, which a cell cannot tell."""
    if rule.id in sayings.told or (sayings.plain is not sayings and rule.id in refusals(sayings.definition)):
        return True
    if rule.id in limiting(sayings) or rule.id in refusing(sayings):
        return True
    if rule.kind not in IN_COLUMNS or rule.kind not in _WITH_CASES:
        return rule.kind in IN_COLUMNS
    own = [other for other in sayings.definition.rules if other.param == rule.param and other.kind == rule.kind]
    return _asked_for(rule.check, rule.when if len(own) > 1 else None) <= {rule.param}  # one cell has all that one says


@lru_cache(maxsize=4096)  # pages of an operator ask for each rule several times
def _asked_for(check: tree.Node, when: tree.Node | None) -> frozenset[str]:
    """The params and derived values that the conditions of a rule read, those within its statement among them."""
    conditions = [part.condition for part in tree.walk(check) if isinstance(part, (tree.If, tree.Implies))]
    if when is not None:
        conditions.append(when)
    read = (part for condition in conditions for part in tree.walk(condition))
    return frozenset(part.name for part in read if isinstance(part, (tree.Param, tree.Let)))


def in_row(rule: RuleDef, sayings: Sayings) -> bool:
    """Whether a rule stands in the row of its param: one that reads nothing else or is about its values, and all rules
    of an attribute.

    What was observed stands there, too, beside what it speaks against.
    """
    if rule.param is None or rule.alternatives or rule.is_lookup:  # which the tables say
        return False
    if any(param.name == rule.param and not is_tensor(param) for param in sayings.definition.params):
        return True
    if rule.basis == "observed" or rule.id in sayings.definition.contradicted:
        return True
    found = sayings.definition.facts(rule.check)
    if {name for name, facet in found if facet == "values"} == {rule.param}:
        return True
    return {name for name, _ in sayings.definition.read_by(rule) if name} == {rule.param}


def follows(rule: RuleDef, sayings: Sayings) -> bool:
    """Whether a rule goes without saying: the cells or a rule on whole shapes, which is checked, say more."""
    definition = sayings.definition
    alike = definition.once(_by_meaning)
    always = alike.get(key(rule.check, None), ()) if rule.when is not None else ()  # which says more
    if any(other.id != rule.id and sayings.is_checked(other) for other in (*alike[_meaning(rule)], *always)):
        return True
    if any(other.id != rule.id and sayings.mark(other) == sayings.mark(rule) for other in always):
        return True
    for pair, attribute in ((equal_params(rule, "rank"), "shape"), (promoted(rule), "dtype")):
        if pair is not None and any(
            other.when in (None, rule.when)
            and frozenset(equal_params(other, attribute) or ()) == frozenset(pair)
            and sayings.is_checked(other)
            for other in definition.rules
        ):
            return True
    pair = equal_params(rule, "dtype")
    return pair is not None and frozenset(pair) in same_types(definition)


def _by_meaning(definition: Definition) -> dict[tuple[str, str], list[RuleDef]]:
    """The rules of an operator by what they mean."""
    found: dict[tuple[str, str], list[RuleDef]] = {}
    for rule in definition.rules:
        found.setdefault(_meaning(rule), []).append(rule)
    return found


def _meaning(rule: RuleDef) -> tuple[str, str]:
    """What a rule requires and when; that what it reads is given goes without saying."""
    when = rule.when
    given = isinstance(when, tree.IsNone) and when.negated and when.operand in tree.walk(rule.check)
    return key(rule.check, None if given else when)


def promotes(rule: RuleDef) -> bool:
    """Whether all that a rule requires is that data types promote to a common one."""
    return promoted(rule) is not None


def promoted(rule: RuleDef) -> tuple[str, ...] | None:
    """The params of which a rule says that their data types promote to a common one, as equal ones do."""
    check = rule.check
    if not isinstance(check, tree.Call) or check.function != "promotable":
        return None
    bases = [side.base for side in check.args if isinstance(side, tree.Attr)]
    return tuple(base.name for base in bases if isinstance(base, tree.Param)) if len(bases) == 2 else None


def equal_params(rule: RuleDef, attribute: str) -> tuple[str, str] | None:
    """The params of which a rule says that this attribute is the same."""
    check = rule.check
    if not isinstance(check, tree.Compare) or check.ops != ("==",) or rule.basis == "observed":
        return None
    left, right = check.operands
    if not isinstance(left, tree.Attr) or not isinstance(right, tree.Attr) or left.name != attribute != right.name:
        return None
    names = [side.base.name for side in (left, right) if isinstance(side.base, tree.Param)]
    return (names[0], names[1]) if len(names) == 2 and left.name == right.name else None


def is_tensor(param: ParamDef) -> bool:
    return param.kind in ("tensor", "tensor_list")
