"""A legal call as somebody would write it: what the rules leave open is ordinary, what nothing needs is left out.

The search for a legal call takes whatever the rules allow: an epsilon of 128, an optional input that nothing asks for,
tensors without elements. Here each of these is replaced where the call stays legal, by what the spec's own example
has there, or by something small. What rules compare with values of their own (modes, layouts, sizes of tensors)
stays as the search chose it, so that examples differ in what the rules are about.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import count
from typing import Any

from opspec.calls.examples.call import Call, Place, items, places, put, tensors
from opspec.calls.examples.grown import Growth
from opspec.calls.examples.roles import role
from opspec.calls.examples.said import Said
from opspec.calls.examples.search import Search
from opspec.calls.examples.sizes import shrunk
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import Definition, ParamDef

MEND_STEPS = 60  # of a search that mends what another value broke
FILL_STEPS = 400  # of a search for a call with elements
MOST_SHOWN = 3  # optional inputs that nothing needs, of one call
LARGEST_SMALL = 16  # of numbers that rules read: what is above has been chosen at random, unless it is a size

MOST_TIMES = 4  # that numbers of an array are the example's, unless they are sizes of tensors

_REALS = (1.0, 0.5, 0.1)
_INTS = (1, 0)
_NUMBERS = ("int", "float", "float32", "int_array", "float_array", "bool_array")
_REAL_KINDS = ("float", "float32", "scalar")
_OPEN = ("int", "float", "float32", "scalar", "string", "float_array", "int_array")


@dataclass
class Plausible:
    """What makes calls of one search plausible.

    Args:
        usual: the arguments of the spec's example, where it has one.
        plain: leave out all that nothing needs; otherwise some of it is shown.
    """

    search: Search
    said: Said
    usual: Call | None
    plain: bool

    def of(self, call: Call) -> Call:
        """A call that is as legal as this one, and plainer."""
        call = shrunk(call, self._params, lambda new: not self.search.breaks(new))
        call = self._optional(self._usual_modes(self._with_elements(call)))
        call = self._switched_on(self._with_outputs(self._without_shapeless(call)))
        call = self._values(self._usual_numbers(self._alike(call)))
        growth = Growth(self._params, self.said.measured, self._mended, None if self.plain else self._random)
        call = self.search.tidied(growth.of(call))
        return growth.varied(call) if call == self.usual else call

    @property
    def _random(self) -> random.Random:
        return self.search.random

    @property
    def _definition(self) -> Definition:
        return self.search.definition

    @cached_property
    def _params(self) -> dict[str, ParamDef]:
        return {param.name: param for param in self._definition.params}

    # --- legal again

    def _if_legal(self, new: Call | None, old: Call) -> Call | None:
        return new if new is not None and self.search.cost(new) <= self.search.cost(old) else None

    def _mended(
        self, new: Call | None, old: Call, held: Callable[[Call], bool], free: Iterable[str] = ()
    ) -> Call | None:
        """The new call, or a legal one near it with the same dtypes, formats and ranks of inputs, where there is one.

        Args:
            free: params that may become what they like.
        """
        if new is None or self._if_legal(new, old) is not None:
            return new
        sketch, open_ = self._sketch(old), {*free}

        def keeps(call: Call) -> bool:
            now = self._sketch(call)
            changed = {name for name in call if now[name] != sketch[name]} - open_
            emptied = [name for name in call if _is_without_elements(call, name)]
            return (
                held(call)
                and not any(_is_lower(call[name], old[name]) for name in call)
                and all(now[name] is None and self._may_be_left_out(self._params[name]) for name in changed)
                and all(_is_without_elements(old, name) for name in emptied)
            )

        return self._if_legal(replace(self.search, keeps=keeps).legal(MEND_STEPS, start=new), old)

    def _sketch(self, call: Call) -> dict[str, Any]:
        """What of a call such a search leaves alone: that, words, switches and modes; outputs follow in their ranks."""
        return {
            name: value
            if isinstance(value, int) and name in self.said.compared
            else _outline(value, self._params[name].io != "out")
            for name, value in call.items()
        }

    # --- tensors without elements

    def _with_elements(self, call: Call) -> Call:
        """No tensor without elements where no rule asks for one."""
        empty = [name for name in call if _is_without_elements(call, name)]
        for names in (empty, *([name] for name in empty)):
            filled = {**call, **{name: _filled(call[name]) for name in names}}
            if any(_is_without_elements(call, name) for name in names):
                call = self._mended(filled, call, partial(_all_filled, names=names)) or call
        return call if _all_filled(call, call) else self._refilled(call)

    def _refilled(self, call: Call) -> Call:
        """With elements where that needs other ranks, modes or inputs, too: the nearest call that has them."""
        held = partial(_all_filled, names=list(call))
        for start in (call, self.usual):
            if start is not None:
                filled = {name: _filled(value) for name, value in start.items()}
                found = replace(self.search, keeps=held).legal(FILL_STEPS, start=filled)
                if found is not None:
                    return found
        return call

    # --- what may be left out

    def _without_shapeless(self, call: Call) -> Call:
        """Without optional tensors and arrays whose size nothing determines: what this mode does not write or read.

        What must be given is as in the spec's example.
        """
        for param in self._definition.params:
            if param.pointer and self._is_shapeless(param, call):
                call = self._if_legal({**call, param.name: None}, call) or self._as_shown(param, call)
        return call

    def _as_shown(self, param: ParamDef, call: Call) -> Call:
        """With a tensor in the shape that the spec's example has, where that is as legal."""
        old, shown = call[param.name], None if self.usual is None else self.usual[param.name]
        if not isinstance(old, Tensor) or not isinstance(shown, Tensor):
            return call
        return self._if_legal({**call, param.name: Tensor(shown.shape, old.dtype, old.format)}, call) or call

    def _is_shapeless(self, param: ParamDef, call: Call) -> bool:
        """Whether all dims of a tensor may be larger, or be 1, of a vector in another rank, too; or numbers be any.

        Of a list of tensors, whether those of all its tensors may.
        """
        others: list[Any]
        match call[param.name]:
            case Tensor() as value:
                others = [_larger(value), _of_ones(value)]
                if param.io == "in" and len(value.shape) < 2:
                    others.append(Tensor((*others[0].shape, 13, 17), value.dtype, value.format))
            case tuple() as value if param.kind == "tensor_list":
                others = [tuple(item and other(item) for item in value) for other in (_larger, _of_ones)]
            case tuple() as value if param.kind == "int_array":
                others = [tuple(-7 - at for at in range(len(value))), tuple(2**31 + at for at in range(len(value)))]
            case _:
                return False
        return all(self._if_legal({**call, param.name: other}, call) is not None for other in others)

    def _optional(self, call: Call) -> Call:
        """Without the optional inputs that nothing needs: all of them, or all but a few."""
        optional = [param.name for param in self._definition.params if self._may_be_left_out(param)]
        present = [name for name in optional if call[name] is not None]
        if not self.plain and not present and self._random.random() < 0.5:
            return self._with_another(call, optional)
        shown = 0 if self.plain else self._random.randint(1, MOST_SHOWN)
        for name in self._random.sample(present, max(0, len(present) - shown)):
            missing = {other for other in optional if call[other] is None} | {name}
            without = {**call, name: None}
            call = self._mended(without, call, partial(_has_none, names=missing)) or call
        return call

    def _may_be_left_out(self, param: ParamDef) -> bool:
        """Outputs are what a call is for, and a name that the example gives is one that programs give."""
        named = param.kind == "string" and self._usual(param) is not None and param.name not in self.said.compared
        return param.nullable and param.pointer and param.io != "out" and not named

    def _is_known(self, name: str) -> bool:
        """Whether a rule says what a param is like; numbers and words may be what they like."""
        return name in self.said.described or not self._params[name].kind.startswith("tensor")

    def _with_another(self, call: Call, optional: list[str]) -> Call:
        """With one more input, where one can be added."""
        known = [
            name for name in optional if self._definition.rule(f"{name}.reserved") is None and self._is_known(name)
        ]
        if not known:
            return call
        name = self._random.choice(known)
        more = put(call, Place(name, "present"), True, self._params)
        others = {other for other in call if call[other] is None} - {name}

        def held(new: Call) -> bool:
            return new[name] is not None and not _has_any(new, others)

        return self._mended(more, call, held, free=(name,)) or call

    def _with_outputs(self, call: Call) -> Call:
        """A call that computes something."""
        outputs = [param.name for param in self._definition.params if param.io != "in"]
        shown = [name for name in outputs if self.usual is not None and self.usual[name] is not None]
        for name in shown or outputs:
            if not _has_any(call, outputs):
                more = put(call, Place(name, "present"), True, self._params)
                call = self._mended(more, call, partial(_has_any, names=(name,)), (name, *self._switches)) or call
        return call

    @property
    def _switches(self) -> list[str]:
        """The params that say whether something is wanted."""
        return [param.name for param in self._definition.params if param.kind in ("bool", "bool_array")]

    def _switched_on(self, call: Call) -> Call:
        """With all elements of masks true that may be: a mask says which outputs are wanted, and those are given.

        A mask that would want nothing wants the first output that may be given.
        """
        outputs = [param.name for param in self._definition.params if param.io != "in"]
        for param in self._definition.params:
            if param.kind == "bool_array":
                places = [Place(param.name, "element", index=at) for at in range(len(call[param.name] or ()))]
                for place in places:
                    call = self._if_legal(put(call, place, True, self._params), call) or call
                for place in places:
                    if not any(call[param.name]):
                        on = put(call, place, True, self._params)
                        held = partial(_has_element, place=place)
                        call = self._mended(on, call, held, (param.name, *outputs)) or call
        return call

    # --- dtypes

    def _alike(self, call: Call) -> Call:
        """With one dtype in the tensors that have one in the spec's example: mixes are legal more often than meant."""
        leaders: dict[str, str] = {}
        for name in call:
            now, shown = _dtype(call, name), None if self.usual is None else _dtype(self.usual, name)
            if now is None or shown is None:
                continue
            leader = leaders.setdefault(shown, name)
            wanted = _dtype(call, leader)
            if now != wanted:
                new: Call | None = call
                for place, _ in places(call, name, "dtype"):
                    new = None if new is None else put(new, place, wanted, self._params)
                call = self._if_legal(new, call) or call
        return call

    # --- numbers

    def _usual_modes(self, call: Call) -> Call:
        """In the plainest call the modes of the spec's example; others may need inputs."""
        for param in self._definition.params:
            mode = None if self.usual is None else self.usual[param.name]
            if self.plain and param.kind == "int" and param.name in self.said.compared and mode is not None:
                call = self._if_legal({**call, param.name: mode}, call) or call
        return call

    def _usual_numbers(self, call: Call) -> Call:
        """With the numbers of the spec's example where they fit, all at once first: they may need each other."""
        usual = {
            param.name: self.usual[param.name]
            for param in self._definition.params
            if self.usual and param.kind in _NUMBERS and param.name not in self.said.compared
            if call[param.name] is not None and self.usual[param.name] is not None
            if self.plain or not self._is_ordinary(param, call[param.name])
            if not self._is_unusual(param, self.usual[param.name])
        }
        for together in (usual, *({name: value} for name, value in usual.items())):
            call = self._if_legal({**call, **together}, call) or call
        return call

    def _values(self, call: Call) -> Call:
        """With ordinary values where the rules leave them open."""
        for param in self._definition.params:
            value = call[param.name]
            if param.kind not in _OPEN or self._is_ordinary(param, value):
                continue
            for wanted in self._ordinary(param, value):
                new = put(call, Place(param.name, "value"), wanted, self._params)
                if new is not None and self._far_off(param, value, call):
                    held = partial(_has, name=param.name, value=new[param.name])
                    new = self._mended(new, call, held, free=(param.name,))
                if (new := self._if_legal(new, call)) is not None:
                    call = new
                    break
        return call

    def _is_ordinary(self, param: ParamDef, value: Any) -> bool:
        """Whether a value may stay."""
        number = value.value if isinstance(value, Scalar) else value
        if number is None:
            return param.kind != "string" or self._may_be_left_out(param)
        if self._is_unusual(param, number):
            return False
        if number == self._usual(param) or self._is_compared(param, number):
            return True
        if self._is_other_mode(param):
            return bool(number == self._other_mode(param))
        match number:
            case str():
                return self._usual(param) is None
            case tuple():
                return param.kind == "int_array" and all(map(_is_small, number))
            case int() if param.kind == "int" and param.name in self.said.read:
                return _is_small(number) or (number < 0 and param.name in self.said.negative)
        return param.kind in ("int", "scalar") and number in _INTS

    def _is_compared(self, param: ParamDef, number: Any) -> bool:
        """Whether a rule names the number."""
        return number in self.said.compared.get(param.name, ())

    def _is_other_mode(self, param: ParamDef) -> bool:
        """Whether a number that no rule names is one of a mode."""
        return param.kind == "int" and param.name in self.said.modes

    def _other_mode(self, param: ParamDef) -> int:
        """The mode that stands for all which no rule names."""
        named = self.said.compared.get(param.name, set())
        usual = self._usual(param)
        return usual if isinstance(usual, int) and usual not in named else next(i for i in count() if i not in named)

    def _is_unusual(self, param: ParamDef, number: Any) -> bool:
        """Whether it is a plain number where the param's role asks for another, or padding that cuts away."""
        wanted = role(param.name)
        chosen = number == self._usual(param) and number not in _REALS
        if wanted is not None and param.kind in _REAL_KINDS and not chosen and not self._is_compared(param, number):
            return not isinstance(number, (int, float)) or not wanted.fits(number)
        return (
            param.kind == "int_array" and isinstance(number, tuple) and (_is_cut(number) or self._is_odd(param, number))
        )

    def _is_odd(self, param: ParamDef, numbers: tuple[Any, ...]) -> bool:
        """Whether numbers that the spec's example has small are no sizes of a tensor and far larger: a stride of 33."""
        usual = self._usual(param)
        if not isinstance(usual, tuple) or not usual or param.name in self.said.compared:
            return False
        largest: int = max(1, *usual)
        return largest <= LARGEST_SMALL / 2 and max(numbers, default=0) > MOST_TIMES * largest

    def _far_off(self, param: ParamDef, value: Any, call: Call) -> bool:
        """Whether a value is worth a search that mends what another one breaks."""
        if param.kind == "int_array" and value:
            return self._is_unusual(param, value) and param.name not in self.said.compared
        return (
            param.kind == "int" and param.name in self.said.read and not _is_small(value) and value not in _sizes(call)
        )

    def _ordinary(self, param: ParamDef, value: Any) -> Iterator[Any]:
        """What may stand in place of a value, the likeliest first."""
        usual, wanted = self._usual(param), role(param.name)
        if self._is_other_mode(param):
            yield self._other_mode(param)
        if usual is not None and not self._is_unusual(param, usual):
            yield usual
        if wanted is not None and param.kind in _REAL_KINDS:
            yield wanted.usual
        if isinstance(value, tuple) and value:
            yield tuple(item if _is_small(item) else type(item)(1) for item in value)
        elif isinstance(value, Scalar):
            yield from (1.0, 1, 0)
        elif isinstance(value, float):
            yield from _REALS
            yield 0.0
        elif isinstance(value, int):
            yield from _INTS

    def _usual(self, param: ParamDef) -> Any:
        """What the spec's example has."""
        value = None if self.usual is None else self.usual[param.name]
        return value.value if isinstance(value, Scalar) else value


def _larger(tensor: Tensor) -> Tensor:
    """A tensor in the same rank that fits nothing which fits this one."""
    return Tensor(tuple(dim + 2 * at + 11 for at, dim in enumerate(tensor.shape)), tensor.dtype, tensor.format)


def _of_ones(tensor: Tensor) -> Tensor:
    return Tensor((1,) * len(tensor.shape), tensor.dtype, tensor.format)


def _is_small(value: Any) -> bool:
    return isinstance(value, int) and 0 <= value <= LARGEST_SMALL


def _is_lower(new: Any, old: Any) -> bool:
    """Whether numbers, none of which was negative, have become so."""
    now, before = (
        [item for item in items(value) if isinstance(item, int) and not isinstance(item, bool)] for value in (new, old)
    )
    return min(now, default=0) < 0 <= min(before, default=0)


def _is_cut(values: tuple[Any, ...]) -> bool:
    """Whether some numbers, not all, are below 0: axes from the end all are, a padding of -1 cuts a row away."""
    return any(item < 0 for item in values) and len(values) > 1 and any(item >= 0 for item in values)


def _sizes(call: Call) -> set[int]:
    """The dims of all tensors of a call."""
    return {dim for item in tensors(call) for dim in item.shape}


def _has_any(call: Call, names: Iterable[str]) -> bool:
    return any(call[name] is not None for name in names)


def _has_none(call: Call, names: Iterable[str]) -> bool:
    return not _has_any(call, names)


def _has(call: Call, name: str, value: Any) -> bool:
    return bool(call[name] == value)


def _has_element(call: Call, place: Place) -> bool:
    values = call[place.param]
    return values is not None and place.index < len(values) and bool(values[place.index])


def _dtype(call: Call, name: str) -> str | None:
    """The dtype of a tensor, or of the first of a list."""
    return next((item.dtype for item in items(call[name]) if isinstance(item, Tensor)), None)


def _outline(value: Any, ranked: bool) -> Any:
    """What a value is like apart from its sizes and numbers."""
    match value:
        case Tensor():
            return value.dtype, value.format, ranked and len(value.shape)
        case Scalar():
            return value.dtype
        case tuple() if any(isinstance(item, (Tensor, Scalar)) for item in value):
            return tuple(_outline(item, ranked) for item in value)
        case bool() | str():
            return value
    return None


def _is_without_elements(call: Call, name: str) -> bool:
    return any(isinstance(item, Tensor) and 0 in item.shape for item in items(call[name]))


def _all_filled(call: Call, names: Iterable[str]) -> bool:
    return not any(_is_without_elements(call, name) for name in names)


def _filled(value: Any) -> Any:
    """A tensor, or those of a list, with elements."""
    if isinstance(value, tuple):
        return tuple(map(_filled, value))
    if not isinstance(value, Tensor) or 0 not in value.shape:
        return value
    return Tensor(
        tuple(dim or 2 for dim in value.shape), value.dtype, value.format,
        storage_shape=value.storage_shape, storage_format=value.storage_format,
    )  # fmt: skip
