"""A legal call of an operator, found by mending what its rules find wrong.

The search starts from the plainest call and takes one change at a time, of those that the broken rules themselves
suggest (``aim.py``); a change stays when the call then breaks no more rules than before, and sometimes
otherwise, so that the search leaves dead ends.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from opspec.calls.examples.aim import Change, mending
from opspec.calls.examples.call import Call, Place, elements, first, items, places, put, tensors
from opspec.language import tree
from opspec.language.interpret import Env, evaluate
from opspec.language.outcome import NEITHER, VIOLATED
from opspec.language.values import Tensor
from opspec.model.definition import Definition, ParamDef, RuleDef
from opspec.registry.registry import Form
from opspec.vocabulary import dtypes

MOST_STEPS = 4000
MOST_IN_A_ROW = 24
MOST_NEAR = 4  # params that differ from the spec's example at first, where a search starts near it
EVERYWHERE = 0.15  # how often a dtype or format changes in all tensors that have it
HALVES = ("FLOAT16", "BFLOAT16")  # the dtypes that models are run in: a series of calls begins with them
_MOST_KNOWN = 100  # changes that are kept: of so many calls' rules
MOST_ELEMENTS = 2**24  # of all tensors of a call; a larger one is legal, too, but no good example


@dataclass(slots=True)
class Search:
    """The search for calls of one operator on one product.

    Args:
        form: the compiled form of ``definition``.
        member: a member of the product, or None.
        keeps: what every call on the way must satisfy beside the rules.
        ignored: numbers of rules that a call may break.
        broken: the numbers of the rules that a call breaks, where that is not what the form reports of it.
        words: the values that rules compare params with, by param: those of texts that have no enumeration.
        turn: the place of its call in a series whose calls go through the dtypes one after another, from 1.
    """

    definition: Definition
    form: Form
    product: str
    member: str | None
    random: random.Random
    keeps: Callable[[Call], bool] = lambda call: True
    ignored: frozenset[int] = frozenset()
    broken: Callable[[Call], list[int]] | None = None
    words: Mapping[str, set[Any]] = field(default_factory=dict)
    turn: int = 1
    _known: dict[tuple[int, int], tuple[Call, list[Change]]] = field(default_factory=dict, init=False, repr=False)
    _judged: dict[int, tuple[Call, list[int]]] = field(default_factory=dict, init=False, repr=False)

    def legal(
        self, steps: int = MOST_STEPS, plain: bool = True, start: Call | None = None, patience: int = MOST_STEPS
    ) -> Call | None:
        """A call that no rule objects to, documented or observed, enforced or not; None when none was found.

        Args:
            plain: begin with the plainest call; otherwise with one whose params have been changed at random.
            start: begin with this call instead.
            patience: give up after so many steps that came no nearer.
        """
        best = call = first(self.definition.params) if start is None else start
        if not plain and start is None:
            best = call = self._altered(self.typed(call), [param.name for param in self.definition.params])
        least = cost = self.cost(call)
        last = 0
        for step in range(steps):
            if least == 0 or step - last > patience:
                break
            changed = self._changed(call)
            new = self.cost(changed)
            warmth = 0.5 * (1 - step / steps) + 0.05
            if new <= cost or self.random.random() < math.exp((cost - new) / warmth):
                call, cost = changed, new
            if cost < least:
                best, least, last = call, cost, step
        return best if least < 1 else None

    def near(self, call: Call) -> Call:
        """The call with a few of its params changed at random: attributes, and what may be left out.

        Tensors that must be there stay in their sizes: ties between them that no rule tells would break.
        """
        free = [
            param.name for param in self.definition.params
            if (param.nullable and param.pointer) or not param.kind.startswith("tensor")
        ]  # fmt: skip
        most = max(1, min(MOST_NEAR, len(call) // 3))
        return self._altered(call, self.random.sample(free, min(len(free), self.random.randint(1, most))))

    def tidied(self, call: Call) -> Call:
        """A legal call without the optional inputs that have no element: who writes a call leaves them out."""
        for param in self.definition.params:
            if param.nullable and param.pointer and _is_empty(call[param.name]):
                without = {**call, param.name: None}
                call = call if self.cost(without) > self.cost(call) else without
        return call

    def _changed(self, call: Call) -> Call:
        """The call after one change; sometimes after several, each of which mends what the one before broke.

        So a mode is left that several params make together: what was changed on the way stays, rules come first that
        were not broken before, and when all of these are mended, the way is at its end.
        """
        before, done = frozenset(self._broken(call)), set[Place]()
        for _ in range(self.random.randint(2, MOST_IN_A_ROW) if self.random.random() < 0.3 else 1):
            anew = [number for number in self._broken(call) if number not in before]
            if done and not anew:
                break
            change = self._change(call, anew, done)
            if change is None:
                return call
            new = put(call, *change, self._params)
            if new is not None and self.random.random() < EVERYWHERE:
                new = self._everywhere(call, new, *change)
            if new is not None and self.keeps(new):
                call = new
                done.add(change[0])
        return call

    def _everywhere(self, call: Call, new: Call, place: Place, value: Any) -> Call:
        """A new dtype or format, in all tensors that had the old one: relations tie them to each other."""
        old = [getattr(item, place.facet, None) for item in items(call[place.param])]
        if place.facet not in ("dtype", "format") or not any(old):
            return new
        for other, item in (found for name in call for found in places(call, name, place.facet)):
            if getattr(item, place.facet, None) == old[place.item or 0]:
                new = put(new, other, value, self._params) or new
        return new

    @property
    def _params(self) -> Mapping[str, ParamDef]:
        return {param.name: param for param in self.definition.params}

    def _broken(self, call: Call) -> list[int]:
        """The rules that a call breaks: of each call they are asked for as it is made, and as it is changed."""
        known = self._judged.get(id(call))
        if known is None:
            if len(self._judged) == _MOST_KNOWN:
                self._judged.clear()
            known = self._judged[id(call)] = call, self._judge(call)  # with the call, whose id it is
        return known[1]

    def _judge(self, call: Call) -> list[int]:
        if self.broken is not None:
            return self.broken(call)
        report: list[tuple[int, int]] = []
        args = tuple(call[param.name] for param in self.definition.params)
        self.form.judge(args, self.product, self.member, report.append)
        return [number for number, outcome in report if outcome in (VIOLATED, NEITHER) and number not in self.ignored]

    def breaks(self, call: Call) -> bool:
        """Whether a call breaks any rule."""
        return bool(self._broken(call))

    def cost(self, call: Call) -> float:
        """How many rules the call breaks, and a little for what makes it large."""
        return len(self._broken(call)) + (0.5 if elements(call) > MOST_ELEMENTS else 0.0)

    def _change(self, call: Call, anew: Sequence[int], done: Set[Place]) -> Change | None:
        """A change that mends a broken rule, chosen at random; early ones of a rule are likelier.

        Args:
            anew: the broken rules that come first; without any, all do.
            done: the places that stay as they are.
        """
        broken = anew or self._broken(call)
        if not broken:
            return self._smaller(call)
        number = self.random.choice(broken)
        found = [change for change in self._mending(call, number) if change[0] not in done]
        if not found or self.random.random() < 0.08:
            return self._any(self._about(self.definition.rules[number], call), call)
        return found[min(int(self.random.expovariate(3 / len(found))), len(found) - 1)]

    def _mending(self, call: Call, number: int) -> list[Change]:
        """What may mend a rule in a call: a search that gets no further asks for it again and again."""
        key = id(call), number
        if key not in self._known:
            if len(self._known) == _MOST_KNOWN:
                self._known.clear()
            env = Env(call, self.definition.lets, self.product, self.member)
            self._known[key] = call, list(mending(self.definition.rules[number], env))  # with the call, whose id it is
        return self._known[key][1]

    def typed(self, call: Call) -> Call:
        """The call with another dtype of the first input that has a choice, and of all that share it and may go on.

        A search alone would leave FLOAT wherever rules allow it.
        """
        tensors = [name for name in call if any(isinstance(item, Tensor) for item in items(call[name]))]
        choices = ((name, self._dtypes(name, call)) for name in tensors)
        first_choice = next(((name, some) for name, some in choices if len(some) > 1), None)
        if first_choice is None:
            return call
        leading, chosen = first_choice
        chosen.sort(key=lambda name: name not in HALVES)
        dtype = chosen[(self.turn - 1) % len(chosen)]
        now = _dtype_of(call[leading])
        sharing = [name for name in tensors if _dtype_of(call[name]) == now]
        for name in sharing:
            if dtype in self._dtypes(name, call):
                call = self._with_dtype(call, name, dtype)
        for param in self.definition.params:
            if param.kind == "dtype" and call[param.name] == now:
                call = put(call, Place(param.name, "value"), dtype, self._params) or call
        return call

    def _dtypes(self, name: str, call: Call) -> list[str]:
        """The dtypes that a param's own set allows on this product; none where it has no set."""
        rule = self.definition.rule(f"{name}.dtype")
        return [] if rule is None else [dtype for dtype in dtypes.names() if self._allows(rule, name, dtype, call)]

    def _allows(self, rule: RuleDef, name: str, dtype: str, call: Call) -> bool:
        env = Env(self._with_dtype(call, name, dtype), self.definition.lets, self.product, self.member)
        return evaluate(rule.check, env) is True and (rule.when is None or evaluate(rule.when, env) is True)

    def _with_dtype(self, call: Call, name: str, dtype: str) -> Call:
        """The call with this dtype in a tensor, or in all tensors of a list."""
        for place, _ in places(call, name, "dtype"):
            call = put(call, place, dtype, self._params) or call
        return call

    def _altered(self, call: Call, names: Iterable[str]) -> Call:
        """The call with each of these params changed at random."""
        for name in names:
            change = self._any([name], call)
            call = (put(call, *change, self._params) if change is not None else None) or call
        return call

    def _about(self, rule: RuleDef, call: Call) -> list[str]:
        return sorted({name for name, _ in self.definition.read_by(rule) if name in call} or set(call))

    def _any(self, names: list[str], call: Call) -> Change | None:
        """A change of any of these params: what it is like now counts for nothing."""
        name = self.random.choice(names)
        param = next(item for item in self.definition.params if item.name == name)
        if param.nullable and param.pointer and self.random.random() < 0.5:
            return Place(param.name, "present"), call[param.name] is None
        value = call[param.name]
        if isinstance(value, Tensor):
            shapes = [item.shape for item in tensors(call)]
            sizes = [dim for shape in shapes for dim in shape] or [1]
            if self.random.random() < 0.5:
                return Place(param.name, "shape"), self.random.choice(shapes)
            return Place(param.name, "dim", index=self.random.randrange(max(1, len(value.shape)))), self.random.choice(
                (1, 2, 4, 8, 16, 32, 64, *sizes)
            )
        named = self._named(param)
        if named and self.random.random() < 0.5:
            return Place(param.name, "value"), self.random.choice(named)
        return (Place(param.name, "value"), self._value(param.kind)) if param.kind in ("int", "float", "bool") else None

    def _named(self, param: ParamDef) -> list[Any]:
        """The values that the param's own enumeration lists; without one, the words that rules compare it with."""
        rule = self.definition.rule(f"{param.name}.enum")
        if rule is None and param.kind == "string":
            return sorted(word for word in self.words.get(param.name, ()) if isinstance(word, str))
        parts = () if rule is None else tree.walk(rule.check)
        return [part.value for part in parts if isinstance(part, tree.Const) and part.type == param.type]

    def _value(self, kind: str) -> Any:
        if kind == "bool":
            return self.random.random() < 0.5
        number = self.random.choice((-1, 0, 1, 2, 3, 4, 8, 16, 32, 64, 128))
        return float(number) if kind == "float" else number

    def _smaller(self, call: Call) -> Change | None:
        """Tensors that are too large for an example."""
        large = [name for name, value in call.items() if isinstance(value, Tensor) and math.prod(value.shape) > 2**16]
        if not large:
            return None
        name = self.random.choice(large)
        return Place(name, "dim", index=self.random.randrange(len(call[name].shape))), self.random.choice((1, 2, 16))


def _dtype_of(value: Any) -> str | None:
    """The dtype of a tensor, or of the first of a list."""
    return next((item.dtype for item in items(value) if isinstance(item, Tensor)), None)


def _is_empty(value: Any) -> bool:
    """Whether a tensor, or all of a list, has no element."""
    found = items(value)
    return all(isinstance(item, Tensor) for item in found) and not any(math.prod(item.shape) for item in found)
