"""What becomes of calls that break a rule: as evidence says, else its author, else what is known of neighbours, else
one table of defaults.

The table (``opspec conformance --defaults`` measures it) has a row for each kind of rule, by what it reads, by the
direction of its param, by whether a row of return codes is about it, by whether a clause says it or its author infers
it, and by what first phases of the operator's family look at. Each row has how far the calls came that break such rules
alone: how many the checks refused, how many kernel lookup or tiling, how many came through, of how many nobody knows
what comes behind the checks. The default is what most of them met, but that the checks must have refused more than
twice as many as they let pass. Families that differ from the rest in one kind of rule stand apart, where enough of
their operators bear it out.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from opspec.language import tree
from opspec.language.types import FORMAT
from opspec.model.definition import Definition, RuleDef
from opspec.model.ends import BY_LOOKUP, BY_TILING, NOTHING, Ends, Met
from opspec.model.evidence import Recorded, ends_of, together
from opspec.model.neighbours import Names, names_of
from opspec.vocabulary import groups, products, status
from opspec.vocabulary.enforcement import CONTRADICTED, REFUSED, UNCHECKED, UNKNOWN
from opspec.vocabulary.literals import BEHIND_CHECKS, Kind, Stage
from opspec.vocabulary.literals import Enforcement as Outcome
from opspec.vocabulary.tables import table

SPARE_BY_ROWS = "spare by rows"  # of a family: the more rows about invalid arguments a page has, the more is checked
_MOST_ROWS = 3  # that tell operators of such a family apart
FEWEST = 20  # calls that a row of the table must rest on; with fewer, a coarser one decides
#: what a rule is about, by weight
_READS = ("values", "layout", "shape", "rank", "format", "dtype", "value", "presence")

#: what a row of the table says of the rules that it counts, in the order of ``Grounds``
_COLUMNS = ("kind", "reads", "io", "in_row", "stage", "inferred", "family")
#: what a row of a family that stands apart says
_APART = (*_COLUMNS, "folder")
#: of how many programs that break a rule and ran it takes to say that the page is wrong there
PROGRAMS = 2
#: facets of which no program that ran shows that a rule is wrong: a breach may read or write outside a tensor, and
#: what ran was one shape, one dtype; what a page says to leave out was ignored in the version and mode that ran
_DANGEROUS = frozenset(("values", "layout", "shape", "rank", "dtype", "presence"))


Table = dict[tuple[object, ...], Ends]


@dataclass(frozen=True, slots=True)
class Grounds:
    """What the default goes by.

    Args:
        kind: of the rule.
        reads: the weightiest facet that it reads; of a format that is to be ND this.
        io: the direction of its param, empty where it has none; out where it reads any output and the first phase does
            not leave nearly all checks to tiling: what it has inferred, it compares.
        in_row: a row of return codes is about it.
        stage: where the page says that it is checked.
        inferred: its author infers it, no clause says it.
        family: spare where first phases of the operator's family leave nearly all checks to tiling (with the number
            of rows where more than one tells how much they do check), thorough where they look at most of what the
            pages say in prose, too.
        folder: the operator's family by name.
    """

    kind: Kind
    reads: str
    io: str
    in_row: bool
    stage: Stage
    inferred: bool
    family: str
    folder: str = ""

    def rows(self) -> Iterator[tuple[object, ...]]:
        """Rows of the table that may decide, the finest first."""
        rest = (self.in_row, self.stage, self.inferred, self.family)
        yield (self.kind, self.reads, self.io, *rest)
        yield (self.kind, self.reads, None, *rest)
        yield (self.kind, None, None, *rest)
        yield (self.kind, None, None, None, None, self.inferred, None)


def added_up(counts: Iterable[tuple[Grounds, Ends]]) -> Table:
    """The table of what calls met, by grounds: coarser rows are added up from the finer ones."""
    found: Table = {}
    for grounds, ends in counts:
        for key in grounds.rows():
            found[key] = found.get(key, NOTHING).plus(ends)
    return found


def usual(grounds: Grounds, counts: Table, apart: Mapping[Grounds, Met], passed: bool = False) -> Met:
    """What most calls on these grounds met: those of a family that stands apart, else those of the finest row of the
    table that rests on enough of them. What comes behind the checks only those calls tell that came there.

    Args:
        passed: the checks are known to let calls pass.
    """
    if grounds in apart and not (passed and apart[grounds].by_checks):
        return apart[grounds]
    rows = [counts.get(key, NOTHING) for key in grounds.rows()]
    checks = next((ends for ends in rows if sum(ends) >= FEWEST), None)
    if checks is None and not passed:
        return Met(REFUSED)
    if checks is not None and checks.are_refused and not passed:
        return checks.usual
    behind = next((ends for ends in rows if ends.behind + ends.through >= FEWEST), NOTHING)
    return behind.past_checks.usual


@functools.cache
def _table() -> Table:
    return added_up(
        (Grounds(*(row[name] for name in _COLUMNS)), _counts_of(row)) for row in table("enforcement")["rows"]
    )


@functools.cache
def _apart() -> dict[Grounds, Met]:
    """The families that stand apart, and what most calls meet there."""
    return {Grounds(*(row[name] for name in _APART)): _counts_of(row).usual for row in table("enforcement")["apart"]}


def _counts_of(row: Mapping[str, int]) -> Ends:
    """The counts of a row of the table."""
    return Ends(*(row[name] for name in Ends._fields))


def defaults(part: Literal["rows", "apart"] = "rows") -> list[tuple[str, ...]]:
    """What decides, as text: the rows of the table that rest on enough calls, or the families that stand apart."""
    found: list[tuple[str, ...]] = []
    for row in table("enforcement")[part]:
        ends = _counts_of(row)
        if sum(ends) >= FEWEST:
            in_row, inferred = ("yes" if row[name] else "no" for name in ("in_row", "inferred"))
            words = (in_row, row["stage"], inferred, row["folder" if part == "apart" else "family"])
            found.append((row["kind"], row["reads"], row["io"], *words, *map(str, ends), ends.usual.words))
    return found


@functools.cache
def families() -> dict[str, str]:
    """Families of operators whose first phases look at less than others do, spare or spare by rows, or at more."""
    return dict(table("enforcement")["families"])


def family_of(definition: Definition) -> str:
    """The family that its spec lies in."""
    return os.path.basename(os.path.dirname(definition.home or ""))


def _family(definition: Definition) -> str:
    found = families().get(family_of(definition), "")
    if found != SPARE_BY_ROWS:
        return found
    rows = sum(status.number(row.status) == status.INVALID for row in definition.returns)
    return "spare" if rows < 2 else f"spare {min(rows, _MOST_ROWS)}"


def grounds_of(rule: RuleDef, definition: Definition) -> Grounds:
    """What the default for a rule goes by."""
    found, directions = definition.facts(rule.check), definition.once(_directions)
    facets = {facet for name, facet in found if name}
    family, folder = definition.once(_family), definition.once(family_of)
    io = directions.get(rule.param or "", "")
    if not family.startswith("spare") and any(directions.get(name) == "out" for name, _ in found):
        io = "out"
    reads = next((facet for facet in _READS if facet in facets), "")
    about = "shape" if reads == "layout" else "ND" if is_of_nd(rule) else reads
    inferred = rule.basis == "inferred"
    return Grounds(rule.kind, about, io, rule.in_row, rule.stage, inferred, family, folder)


@dataclass(frozen=True, slots=True)
class Enforcement:
    """What becomes of calls that break a rule.

    Args:
        usual: what it is on products of which ``on`` says nothing.
        on: what evidence says of products that differ.
        assumed: no evidence of this release speaks: it is that of another one, or the general default.
        stage: where they are refused; None: the rule's own stage.
        status: the number of the status of refusals; 0: the rule's own.
    """

    usual: Outcome
    on: tuple[tuple[str, Outcome], ...] = ()
    assumed: bool = False
    stage: Stage | None = None
    status: int = 0

    def on_product(self, product: str | None) -> Outcome:
        """What becomes of them on a product."""
        return next((found for name, found in self.on if name == product), self.usual)

    @property
    def anywhere(self) -> frozenset[Outcome]:
        """What becomes of them on some product."""
        return frozenset((self.usual, *(found for _, found in self.on))) if self.on else _ALONE[self.usual]


_ALONE: Mapping[Outcome, frozenset[Outcome]] = {
    found: frozenset((found,)) for found in (REFUSED, UNCHECKED, CONTRADICTED, UNKNOWN)
}


def enforcement(rule: RuleDef, definition: Definition) -> Enforcement:
    """What becomes of calls that break the rule: as evidence says, else its author, else the general default.

    An observed rule is refused: that is what was observed. What only the device would notice, elements of tensors
    above all, no first phase refuses: that is known without any call, and nothing that is assumed.
    """
    known = definition.once(_known)
    kept = known.get(rule.id)
    if kept is None or kept[0] is not rule:  # one that somebody tries in its place
        kept = known[rule.id] = rule, _enforcement(rule, definition)
    return kept[1]


def remember(definition: Definition, found: Iterable[tuple[RuleDef, Enforcement]]) -> None:
    """Keep what was found of its rules as they stood before: in another order, or where they read otherwise."""
    definition.once(_known).update((rule.id, (rule, each)) for rule, each in found)


def _known(_: Definition) -> dict[str, tuple[RuleDef, Enforcement]]:
    """Of the rules that were asked for what was found: pages ask a dozen times for each."""
    return {}


def _enforcement(rule: RuleDef, definition: Definition) -> Enforcement:
    if _is_of_device(rule, definition):
        return Enforcement(UNCHECKED)
    if rule.recorded:
        return of_evidence(rule, definition)
    if rule.basis == "observed":
        return Enforcement(REFUSED)
    if rule.enforced is not None:
        return Enforcement(REFUSED if rule.enforced == "yes" else _not_refused(rule, UNCHECKED))
    if rule.id in definition.contradicted:
        return Enforcement(_not_refused(rule, UNCHECKED))
    return by_default(rule, definition)


def _is_of_device(rule: RuleDef, definition: Definition) -> bool:
    """Whether only the device would notice a breach, or none would: the spec says so, or the rule is about elements of
    tensors, which lie on the device, where no first phase can look at them; but for one that refusals speak of."""
    if rule.stage == "device":
        return True
    told = rule.basis == "observed" or rule.enforced == "yes" or any(one.refused for one in rule.recorded.values())
    return not told and definition.reads_values(rule.check)


def of_evidence(rule: RuleDef, definition: Definition) -> Enforcement:
    """What calls show; where they only passed the checks on some product, those on the others say what comes behind,
    and where none does the spec's own word, else the default."""
    whole = together(rule.recorded.values())
    checks: Stage | None = "params" if rule.stage != "params" else None
    seen = _shown(rule, whole, definition)
    shown = [(product, _shown(rule, one, definition)) for product, one in sorted(rule.recorded.items())]
    if seen is not None and whole.refused and all(outcome for _, outcome in shown):  # calls tell all there is
        differs = tuple((product, outcome) for product, outcome in shown if outcome is not None and outcome != seen)
        return Enforcement(seen, differs, rule.recorded_elsewhere, whole.stage or checks, whole.status)
    default = Enforcement(REFUSED) if rule.enforced == "yes" else by_default(rule, definition, passed=True)
    behind = default.usual if (default.stage or rule.stage) in BEHIND_CHECKS else UNKNOWN
    if behind == REFUSED and whole.refused and not whole.is_late:  # the one stage and status told are the checks'
        behind = UNKNOWN
    usual = seen or behind
    passed = behind if whole.checked and not whole.is_late else usual  # elsewhere it is the checks that refuse it
    found = ((product, outcome or passed) for product, outcome in shown)
    differs = tuple((product, outcome) for product, outcome in found if outcome != usual)
    end = (whole.stage or checks, whole.status) if whole.refused else (default.stage, default.status)
    is_seen = seen is not None or usual == UNKNOWN  # that the checks let it pass
    return Enforcement(usual, differs, rule.recorded_elsewhere or not is_seen, *end)


def _shown(rule: RuleDef, recorded: Recorded, definition: Definition) -> Outcome | None:
    """What calls on a product show; None where they show only that the checks let them pass."""
    if recorded.checked:
        return REFUSED
    if rule.basis == "observed":  # on the release where calls came through it is not observed, whatever it is elsewhere
        return UNCHECKED if recorded.through and rule.id in definition.elsewhere else REFUSED
    if recorded.ran >= PROGRAMS and _may_be_wrong(rule, definition):
        return CONTRADICTED
    if recorded.through or recorded.ran:
        return _not_refused(rule, UNCHECKED)
    return None if recorded.passed else UNKNOWN


def _may_be_wrong(rule: RuleDef, definition: Definition) -> bool:
    """Whether programs that break a rule and ran can show that it is wrong.

    Of names of groups they show nothing: what ran on one machine was given a stand-in for all of them.
    """
    read = definition.facts(rule.check)
    return not any(facet in _DANGEROUS or name in groups.PARAMS for name, facet in read)


def _not_refused(rule: RuleDef, otherwise: Outcome) -> Outcome:
    """What a rule is that first phases do not look at.

    Where a page lists ND alone, programs run with other public formats all the time: torch_npu hands tensors of three,
    four and five dims on as NCL, NCHW and NCDHW. Their data lie as those of ND do.
    """
    return CONTRADICTED if is_of_nd(rule) else otherwise


def is_of_nd(rule: RuleDef) -> bool:
    """Whether a rule of a param's format names ND alone."""
    named = (part.value for part in tree.walk(rule.check) if isinstance(part, tree.Const) and part.type == FORMAT)
    return rule.kind == "format" and {*named} == {"ND"}


def by_default(rule: RuleDef, definition: Definition, passed: bool = False) -> Enforcement:
    """What becomes of them if there is no evidence: what the page leads one to expect.

    A spec without a page is its author's word on what the operator checks. A function of
    one phase has nothing behind its checks to leave a rule to. A generated interface refuses what it checks itself,
    null pointers and products.

    Args:
        passed: calls are known to pass the checks: what neighbours' and most calls met there is no answer.
    """
    if _is_of_device(rule, definition):
        return Enforcement(UNCHECKED)
    if rule.basis == "observed":
        return Enforcement(UNCHECKED, assumed=True)
    if rule.stage == "kernel" and rule.basis != "definition" and _is_of_lookup(rule, definition):
        before = None if passed else _before_lookup(rule, definition)
        return before or Enforcement(_not_refused(rule, UNKNOWN), assumed=True)
    spec = definition.spec
    if spec.interface == "single-phase" or (spec.document is None and spec.generated_from is None):
        return Enforcement(REFUSED, assumed=True)
    if rule.basis == "definition":
        return Enforcement(UNCHECKED if rule.enforced == "no" else REFUSED, assumed=True)
    if is_tiled(rule, definition):
        return _by_tiling(rule, definition)
    if spec.generated_from is not None:
        return Enforcement(REFUSED, assumed=True)
    met, passed = _of_neighbours(rule, definition, passed)
    met = met or by_table(rule, definition, passed)
    if met == BY_LOOKUP and spec.looks_up is not None:  # which does not compare what the rule is about
        met = BY_TILING
    if met.outcome == REFUSED and rule.stage == "kernel":  # its author knows that, and with which status
        return Enforcement(REFUSED, assumed=True)
    outcome = met.outcome if met.outcome == REFUSED else _not_refused(rule, met.outcome)
    return Enforcement(outcome, (), True, met.stage, met.status)


def by_table(rule: RuleDef, definition: Definition, passed: bool = False) -> Met:
    """What most calls met that break rules on the same grounds: what the table says.

    Args:
        passed: calls are known to pass the checks.
    """
    return usual(grounds_of(rule, definition), _table(), _apart(), passed)


def told(definition: Definition) -> Iterator[tuple[RuleDef, Names, Ends]]:
    """How far the operator's own calls came that break a rule alone, by what the rule is called among those of its
    neighbours: on all products together and, where tiling decides, on each."""
    for rule in definition.rules:
        if rule.recorded:
            names, own = _names(rule, definition), status.number(rule.status)
            yield rule, names, ends_of(rule.recorded, own)
            for product, recorded in rule.recorded.items() if is_tiled(rule, definition) else ():
                yield rule, names.on(product), ends_of({product: recorded}, own)


def _names(rule: RuleDef, definition: Definition) -> Names:
    return names_of(rule, grounds_of(rule, definition), definition.once(_params), is_tiled(rule, definition))


def _params(definition: Definition) -> frozenset[str]:
    return frozenset(param.name for param in definition.params)


def _directions(definition: Definition) -> dict[str, str]:
    return {param.name: param.io for param in definition.params}


def _own(definition: Definition) -> Mapping[str, Ends]:
    """How far its own calls came, by any name that a rule has among those of neighbours."""
    found: dict[str, Ends] = {}
    for _, names, ends in told(definition):
        for name in (names.id, names.check, names.family):
            found[name] = found.get(name, NOTHING).plus(ends)
    return found


def _of_neighbours(rule: RuleDef, definition: Definition, passed: bool = False) -> tuple[Met | None, bool]:
    return definition.neighbours.usual(_names(rule, definition), definition.once(_own), passed)


def _before_lookup(rule: RuleDef, definition: Definition) -> Enforcement | None:
    """That the checks refuse already what a lookup would be left with, as those of the operator's neighbours do."""
    met, _ = _of_neighbours(rule, definition)
    if met is None or not met.by_checks:
        return None
    return Enforcement(REFUSED, (), True, "params", met.status)


def is_refused(rule: RuleDef, definition: Definition) -> bool:
    """Whether the first phase is taken to refuse a call that breaks the rule, on some product."""
    return REFUSED in enforcement(rule, definition).anywhere


def _is_of_lookup(rule: RuleDef, definition: Definition) -> bool:
    """Whether what breaks a rule is left to the lookup that an interface ends in: where it is refused, the lookup
    tells."""
    return definition.spec.looks_up is not None and definition.facts(rule.check) <= definition.looked_up


def is_tiled(rule: RuleDef, definition: Definition) -> bool:
    """Whether only the tiling of a generated interface may refuse what breaks a rule."""
    return definition.spec.generated_from is not None and rule.stage == "tiling"


def _by_tiling(rule: RuleDef, definition: Definition) -> Enforcement:
    """What the tiling behind a generated interface is taken to do with calls that break a rule: what that of its
    neighbours does on the product, else on all, else what tiling does with most rules of the kind."""
    names, own = _names(rule, definition), definition.once(_own)
    met, _ = definition.neighbours.usual(names, own)
    refused = _tiling_refuses(rule, definition) if met is None else met.outcome == REFUSED
    default = _tiled(rule, refused)
    on = []
    for product in products.ids():
        there, _ = definition.neighbours.usual(names.on(product), own)
        if there is not None and (outcome := _tiled(rule, there.outcome == REFUSED)) != default:
            on.append((product, outcome))
    return Enforcement(default, tuple(on), assumed=True)


def _tiled(rule: RuleDef, refused: bool) -> Outcome:
    return REFUSED if refused else _not_refused(rule, UNKNOWN)


def _tiling_refuses(rule: RuleDef, definition: Definition) -> bool:
    """Whether the tiling behind a generated interface is taken to refuse what breaks a rule, where neither its calls
    nor its neighbours' tell anything.

    It looks at the range of numbers, whether tensors have as many dims as each other, and whether two have the same
    shape: of calls that break such a rule alone, where no neighbour tells, 45 are refused and 16 come through, 114 and
    53, 492 and 355. It cannot plan for an element of a list that is null. Of all other kinds most come through: other
    relations of shapes 1299 and 2491, of values 199 and 209, enumerations 167 and 276, ranks 6 and 175, dtypes 63 and
    158.
    """
    grounds = grounds_of(rule, definition)
    if grounds.kind != "relation":
        return grounds.kind in ("range", "elements")
    return grounds.reads == "rank" or _is_of_same_shape(rule.check)


def _is_of_same_shape(check: tree.Node) -> bool:
    """Whether a check is that two tensors have the same shape."""
    sides = check.operands if isinstance(check, tree.Compare) and check.ops == ("==",) else ()
    return bool(sides) and all(isinstance(side, tree.Attr) and side.name == "shape" for side in sides)


def is_conflict(rule: RuleDef, definition: Definition) -> bool:
    """Whether page and runtime differ in a rule: recorded calls show what the page does not lead one to expect.

    That calls which break it pass the checks shows no difference: what comes behind may refuse them.
    """
    if rule.basis == "observed":
        return True
    if rule.basis == "definition":  # of a kernel; beside the page but for what is about the same as rules of pages
        return rule.kind != "kernel"
    found = enforcement(rule, definition)
    if rule.stage == "device":  # which no first phase looks at, nor is expected to
        return CONTRADICTED in found.anywhere
    if found.assumed or definition.reads_values(rule.check):
        return False
    return not found.anywhere.isdisjoint((UNCHECKED, CONTRADICTED))
