"""The nearest legal calls: from an illegal one, the cheapest call so far is changed as its broken rules suggest.

A call is worth its distance from the one that was given and a little for each rule that it still breaks; what comes
out is what the validator calls legal. How much is tried is bounded by a count, so that the answer is the same on any
machine.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from opspec.assist.repair.changes import Change, differences, weight
from opspec.assist.repair.likeness import Sizes
from opspec.assist.repair.sizes import everywhere
from opspec.calls.examples.aim import mending
from opspec.calls.examples.call import Call, Param, Place, example, items, put
from opspec.language.interpret import Env
from opspec.language.values import Scalar, Tensor
from opspec.registry.info import ParamInfo, RuleInfo
from opspec.registry.registry import Form
from opspec.validator.judge import judge
from opspec.validator.verdict import Verdict

MOST_TRIED = 1500  #: calls that are judged for one
MOST_ELEMENTS = 50_000  # items of lists in all tried calls together: one of thousands of tensors is tried less often
MOST_JUDGED = 150_000  # rules of all tried calls together
MOST_RULES = 6  # broken rules of a call whose suggestions are followed
MOST_CHANGES = 32  # suggestions of a rule
PER_RULE = 0.55  # what a broken rule counts beside the distance
DEEPEST = 4.5  # distance beyond which nothing is tried
UNLIKE = 0.3  # what a size that the others of the call are unlike counts, at most
CHOSEN = 0.4  # what it counts that outputs fit another flag or axis
MOST_CHOICES = 6  # answers among which what else may be changed is sought
FARTHER = 2.5  # than the nearest answer: further ones are not looked for
_AXIS, _AXES = ".axis", 4  # rules that say that a param names a dim, and so many dims are tried
_OPERANDS, _ITEMS = 3, 4  # tensors of a rule, and items of a list, that take the shape of another
WORST = 12.0  # of an answer that is made from the operator's example


@dataclass(frozen=True, slots=True)
class Found:
    """A legal call near the one that was given."""

    call: Call
    changes: tuple[Change, ...]
    distance: float


@dataclass(slots=True)
class Repair:
    """The search around one call. The compiled form has all that it asks of an operator: no spec is read.

    Args:
        member: a member of the product, or None.
    """

    form: Form
    product: str | None
    member: str | None
    given: Call
    tried: int = 0
    _params: dict[str, ParamInfo] = field(init=False)
    _by_id: dict[str, RuleInfo] = field(init=False)
    _seen: set[object] = field(default_factory=set)
    _frozen: dict[int, object] = field(default_factory=dict)
    _kept: list[object] = field(default_factory=list)
    _found: dict[tuple[tuple[tuple[str, ...], str], ...], Found] = field(default_factory=dict)
    _sizes: Sizes = field(init=False)

    def __post_init__(self) -> None:
        self._sizes = Sizes(self.given)
        self._params = self.form.param_infos
        self._by_id = {rule.id: rule for rule in self.form.info.rules}

    def nearest(self, most: int) -> list[Found]:
        """Up to so many legal calls, the nearest first, no two of which change the same things."""
        number = itertools.count()
        heap: list[tuple[float, int, Call, tuple[RuleInfo, ...]]] = []
        budget = min(MOST_TRIED, MOST_ELEMENTS // (1 + _size(self.given)), MOST_JUDGED // (1 + len(self._by_id)))
        self._seen.add(self._key(self.given))
        first = self.verdict(self.given)
        heapq.heappush(heap, (0.0, next(number), self.given, self._rules(first)))
        while heap and self.tried < budget and not self._enough(most, heap[0][0]):
            _, _, call, broken = heapq.heappop(heap)
            for new in self._changed(call, broken):
                key = self._key(new)
                if key in self._seen:
                    continue
                self._seen.add(key)
                changes = differences(self.given, new, self._params.values())
                far = weight(changes)
                if far > DEEPEST or self.tried >= budget:
                    continue
                verdict = self.verdict(new)
                if verdict.legal:
                    self._keep(new, changes, far)
                else:
                    rules = self._rules(verdict)
                    heapq.heappush(heap, (far + PER_RULE * len(rules), next(number), new, rules))
        if not self._found:
            self._from_example()
        self._weigh_choices()
        return self._best(most)

    def _key(self, call: Call) -> object:
        """What tells calls apart. Most arguments are the very ones of another call, and are looked at once."""
        return tuple([self._frozen.get(id(value)) or self._looked_at(value) for value in call.values()])

    def _looked_at(self, value: object) -> object:
        frozen = _frozen(value)
        self._kept.append(value)  # so that its id remains its own
        self._frozen[id(value)] = frozen
        return frozen

    def verdict(self, call: Call) -> Verdict:
        """The verdict on a call."""
        self.tried += 1
        return judge(self.form, tuple(call.values()), self.product, self.member)

    def _keep(self, call: Call, changes: list[Change], far: float) -> None:
        """Of calls in which the same things are changed the nearest is kept."""
        far -= UNLIKE * self._sizes.gain(changes)
        what = tuple((change.paths, change.kind) for change in changes)
        known = self._found.get(what)
        if known is None or far < known.distance:
            self._found[what] = Found(call, tuple(changes), far)

    def _weigh_choices(self) -> None:
        """A flag or an axis is the slip where outputs fit another one, and that alone: they could have any shape.

        Where the other flag asks for nothing, or what it asks for is absent, that they fit says nothing.
        """
        others = [found for found in self._best(MOST_CHOICES) if all(map(_is_of_output, found.changes))]
        for what, found in [(what, found) for what, found in self._found.items() if self._is_choice(found)]:
            (name,) = found.changes[0].paths
            both = [{**other.call, name: found.call[name]} for other in others]
            if both and not any(self.verdict(call).legal for call in both):
                self._found[what] = replace(found, distance=found.distance - CHOSEN)

    def _is_choice(self, found: Found) -> bool:
        """Whether a flag or axes are all that is changed."""
        change, *more = found.changes
        of_axes = any(f"{path}{_AXIS}" in self._by_id for path in change.paths)
        return not more and change.kind == "value" and (of_axes or isinstance(change.old, bool))

    def _best(self, most: int) -> list[Found]:
        """The nearest of what is found, without those that change all that a nearer one changes, and more."""
        best: list[tuple[Found, frozenset[object]]] = []
        for what, found in sorted(self._found.items(), key=lambda item: item[1].distance):
            places = frozenset((path, kind) for paths, kind in what for path in paths)
            if len(best) < most and not any(fewer <= places for _, fewer in best):
                best.append((found, places))
        return [found for found, _ in best]

    def _enough(self, most: int, next_best: float) -> bool:
        """Whether nothing that is still to be tried can be nearer than what is found."""
        nearest = self._best(most)
        return bool(nearest) and (
            nearest[0].distance + FARTHER <= next_best
            or (len(nearest) == most and nearest[-1].distance + UNLIKE <= next_best)
        )

    def _rules(self, verdict: Verdict) -> tuple[RuleInfo, ...]:
        return tuple(self._by_id[finding.rule] for finding in verdict.violations if finding.rule in self._by_id)

    def _changed(self, call: Call, broken: tuple[RuleInfo, ...]) -> Iterator[Call]:
        params = self._params
        env = Env(call, self.form.info.lets, self.product, self.member)
        together: set[tuple[object, ...]] = set()  # suggested of one tensor of a list after the other
        for rule in broken[:MOST_RULES]:
            suggested = itertools.islice(mending(rule, env), MOST_CHANGES)
            for place, value in (*suggested, *self._plain(rule, call)):
                new = put(call, place, value, params)
                if new is None:
                    continue
                if place.facet == "present" and value:
                    yield from _like_others(new, place.param, params)
                yield new
                yield from everywhere(call, new, place.param, params)
                if place.facet == "present" and value:
                    yield from _of_fewer_dims(new, place.param, params)
                old = _held(call, place)
                if old is not None and (place.param, place.facet, old, value) not in together:
                    together.add((place.param, place.facet, old, value))
                    yield from _in_all(call, place, old, value, params)

    def _plain(self, rule: RuleInfo, call: Call) -> Iterator[tuple[Place, object]]:
        """What often helps whatever a rule says: format ND, contiguous data, an optional argument left out."""
        read = {name for name, _ in rule.facts} | {rule.param}
        for param in self._params.values():
            if call[param.name] is None or param.name not in read:
                continue
            if (param.name, "format") in rule.facts:
                yield Place(param.name, "format"), "ND"
            if (param.name, "layout") in rule.facts:
                yield Place(param.name, "strides"), None
            if param.nullable and param.pointer:
                yield Place(param.name, "present"), False
            if param.kind == "int" and (param.name, "value") in rule.facts and f"{param.name}{_AXIS}" in self._by_id:
                yield from ((Place(param.name, "value"), axis) for axis in range(_AXES))
        yield from _shapes_of_others(rule, call)

    def _from_example(self) -> None:
        """The operator's example with as much of the given call as can stand in it."""
        call = example(self.form)
        if call is None or not self.verdict(call).legal:
            return
        for _ in range(2):  # what one argument allows may hang on a later one
            for name, value in self.given.items():
                mixed = {**call, name: value}
                if call[name] != value and self.verdict(mixed).legal:
                    call = mixed
        changes = differences(self.given, call, self._params.values())
        far = weight(changes)
        foreign = any(change.kind == "shape" and not change.output for change in changes)
        if far <= WORST and not foreign:  # the caller's data have the shapes that they have
            self._keep(call, changes, far)


def _is_of_output(change: Change) -> bool:
    """Whether an output that is there is another one."""
    return change.output and change.kind not in ("given", "dropped")


def _shapes_of_others(rule: RuleInfo, call: Call) -> Iterator[tuple[Place, object]]:
    """For each tensor whose shape a rule reads the shapes of the others of its rank, a list's item by item."""
    names = {name for name, facet in rule.facts if facet == "shape"}
    held = [(name, number, item) for name in names for number, item in enumerate(items(call[name])[:_ITEMS])]
    shapes = [(name, number, item.shape) for name, number, item in held if isinstance(item, Tensor)]
    if len(names) > _OPERANDS:
        return
    for name, number, shape in sorted(shapes):
        for other, place, wanted in shapes:
            if other != name and place == number and wanted != shape and len(wanted) == len(shape):
                yield Place(name, "shape", number if isinstance(call[name], tuple) else None), wanted


def _like_others(call: Call, name: str, params: Mapping[str, Param]) -> Iterator[Call]:
    """A call with a tensor that was not there, of the shape and dtype of another one: the caller's, not made up."""
    if not isinstance(call[name], Tensor):
        return
    seen = set()
    for other, value in call.items():
        if other != name and isinstance(value, Tensor) and (value.shape, value.dtype) not in seen:
            seen.add((value.shape, value.dtype))
            new = put(call, Place(name, "shape"), value.shape, params)
            new = None if new is None else put(new, Place(name, "dtype"), value.dtype, params)
            if new is not None:
                yield new


def _of_fewer_dims(call: Call, name: str, params: Mapping[str, Param]) -> Iterator[Call]:
    """A call with a tensor that was not there, of its last dims only: what its shape follows may hang on its rank."""
    made = call[name]
    for rank in range(1, len(made.shape) if isinstance(made, Tensor) else 0):
        new = put(call, Place(name, "shape"), made.shape[-rank:], params)
        if new is not None:
            yield new


def _held(call: Call, place: Place) -> object:
    """The dtype or format that is at a place; None where there is none."""
    held = items(call[place.param])
    return getattr(held[place.item or 0], place.facet, None) if held and place.facet in ("dtype", "format") else None


def _in_all(call: Call, place: Place, old: object, value: object, params: Mapping[str, Param]) -> Iterator[Call]:
    """A new dtype or format in all elements of a list that have the old one, and in all tensors of the call."""
    for names in ([place.param], list(call)):
        new: Call | None = call
        for name in names:
            if new is not None:
                new = _in_each(new, name, place.facet, old, value, params[name])
        if new is not None:
            yield new


def _in_each(call: Call, name: str, facet: str, old: object, value: object, param: Param) -> Call | None:
    """A new dtype or format in an argument, or in all of its elements that have the old one."""
    made: list[object] = []
    for item in items(call[name]):
        if isinstance(item, (Tensor, Scalar)) and getattr(item, facet, None) == old:
            alone: Call = {name: (item,) if isinstance(call[name], tuple) else item}
            changed = put(alone, Place(name, facet, 0 if isinstance(call[name], tuple) else None), value, {name: param})
            if changed is None:
                return None
            made += items(changed[name])
        else:
            made.append(item)
    return {**call, name: tuple(made) if isinstance(call[name], tuple) else made[0]}


def _size(call: Call) -> int:
    return sum(len(value) for value in call.values() if isinstance(value, tuple))


def _frozen(value: object) -> object:
    if isinstance(value, (Tensor, Scalar)):
        return tuple(getattr(value, name) for name in value.__slots__)
    if isinstance(value, tuple):
        return tuple(map(_frozen, value))
    return type(value), repr(value) if isinstance(value, float) else value
