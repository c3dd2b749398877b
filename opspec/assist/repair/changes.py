"""What differs between two calls of an operator: each change with its weight, and in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from opspec.assist.repair.sizes import resized
from opspec.calls.examples.call import Call, Param
from opspec.language.values import Scalar, Tensor
from opspec.validator.explain import show
from opspec.vocabulary import dtypes
from opspec.vocabulary.binary32 import shortest
from opspec.vocabulary.languages import by_language
from opspec.vocabulary.literals import Lang

#: what a change of a kind costs: a caller allocates outputs himself, and an argument that was not there needs data
WEIGHTS = {
    "dtype": 1.0, "shape": 1.0, "format": 1.0, "strides": 0.9, "storage_shape": 1.0, "storage_format": 1.0,
    "offset": 0.9, "values": 1.0, "value": 1.0, "length": 1.3, "dropped": 1.6, "without": 1.2, "given": 1.4,
    "product": 2.0, "operator": 2.5,
}  # fmt: skip
OUTPUT = 0.8  # an output's change counts so much of an input's
FURTHER = 0.3  # and the same change of one more element of a list
AGAIN = 0.4  # and the same cast of one more argument
BESIDE = 0.3  # and another respect in which one tensor is wrong
RESIZED = 0.15  # and the same size in one more argument
AGREED = 0.6  # and at least so much any change of one more output: outputs that agree are seldom all wrong
TRUTH = 0.15  # of an attribute that is true or false beside any other's: it says what is computed
EMPTIED = 6.0  # a tensor that holds nothing any more: more than all that is tried
#: what a cast costs beside that by what it may lose
LOSSES = {"imaginary": 0.6, "truth": 0.5, "fraction": 0.4, "sign": 0.3, "values": 0.2}

PLAIN = "ND"  #: the format that a tensor has unless somebody gave it another
_NAMED = ("dtype", "format", "storage_format", "product", "operator")  # whose values are names
_FACETS = ("dtype", "format", "shape", "storage_shape", "storage_format", "strides", "offset", "values")
_ROWS: dict[str, tuple[str, str]] = {
    "dtype": ("cast {0} from {1} to {2}", "将{0}由{1}转换为{2}"),
    "out": ("make {0} {2} in place of {1}", "将{0}的数据类型由{1}改为{2}"),
    "shape": ("give {0} the shape {2} in place of {1}", "将{0}的shape由{1}改为{2}"),
    "format": ("give {0} the format {2} in place of {1}", "将{0}的数据格式由{1}改为{2}"),
    "strides": ("make {0} contiguous", "将{0}改为连续"),
    "swapped": ("lay {0} out with the strides {2}", "将{0}的strides改为{2}"),
    "storage_shape": ("give {0} the storage shape {2} in place of {1}", "将{0}的storage shape由{1}改为{2}"),
    "storage_format": ("give {0} the storage format {2} in place of {1}", "将{0}的storage format由{1}改为{2}"),
    "offset": ("let {0} begin at {2} in its storage in place of {1}", "将{0}的offset由{1}改为{2}"),
    "values": ("fill {0} with other values", "更改{0}的元素值"),
    "value": ("set {0} to {2} in place of {1}", "将{0}由{1}改为{2}"),
    "length": ("pass {2} elements in {0} in place of {1}", "将{0}的元素个数由{1}改为{2}"),
    "dropped": ("pass null for {0}", "{0}传入空指针"),
    "without": ("leave out {0}", "不再传{0}"),
    "given": ("pass {0}: {2}", "传入{0}：{2}"),
    "product": ("call it on {2} in place of {1}", "在{2}上调用（原为{1}）"),
    "operator": ("call {2} in place of {1}", "改为调用{2}（原为{1}）"),
    "none": ("none", "无"),
    "lost imaginary": (" (loses the imaginary part)", "（丢失虚部）"),
    "lost truth": (" (keeps only whether a value is zero)", "（仅保留是否为零）"),
    "lost fraction": (" (loses fractions)", "（丢失小数部分）"),
    "lost sign": (" (loses negative values)", "（丢失负值）"),
    "lost values": (" (loses precision or range)", "（丢失精度或缩小取值范围）"),
    "and": (" and ", "、"),
}

_WORDS: dict[Lang, dict[str, str]] = by_language(_ROWS)


@dataclass(frozen=True, slots=True)
class Change:
    """Something that differs.

    Args:
        paths: ``x``, or ``x[0]``: where it differs, in all of them alike; nothing of a product or an operator.
        kind: a key of :data:`WEIGHTS`.
        old, new: what was and what is there.
        output: whether the caller makes it only to hold a result.
        lost: what values may lose by it, as :func:`opspec.vocabulary.dtypes.lost` says.
    """

    paths: tuple[str, ...]
    kind: str
    old: object
    new: object
    output: bool = False
    lost: str | None = None

    @property
    def weight(self) -> float:
        """What it costs: more where the new value is far from the old one."""
        more = min(1.0, (len(self.paths) - 1) * FURTHER)
        far = _far(self.kind, self.old, self.new) + (0.0 if self.lost is None else LOSSES[self.lost])
        return (WEIGHTS[self.kind] + more) * (OUTPUT if self.output else 1.0) + far

    @property
    def size(self) -> tuple[int, int] | None:
        """The one size that is changed: its old and new value; None of other changes."""
        match self.kind, self.old, self.new:
            case "shape", tuple() as old, tuple() as new:
                return resized(old, new)
            case "value", int() as old, int() as new:
                return None if isinstance(old, bool) else (old, new)
        return None

    def words(self, lang: Lang) -> str:
        """The change as an instruction."""
        words, key = _WORDS[lang], self.kind
        if key == "dtype" and self.output:
            key = "out"
        elif key == "strides" and self.new is not None:
            key = "swapped"
        old, new = (self._shown(value, words["none"], lang) for value in (self.old, self.new))
        said = words[key].format(words["and"].join(self.paths), old, new)
        return said if self.lost is None else said + words[f"lost {self.lost}"]

    def to_dict(self, lang: Lang) -> dict[str, object]:
        """The change as JSON values."""
        said = [self._shown(value, "", lang) for value in (self.old, self.new)]
        return {"params": [*self.paths], "kind": self.kind, "from": said[0], "to": said[1], "lost": self.lost,
                "message": self.words(lang)}  # fmt: skip

    def _shown(self, value: object, none: str, lang: Lang) -> str:
        return str(value or none) if self.kind in _NAMED else _shown(value, none, lang)


def differences(old: Call, new: Call, params: Iterable[Param]) -> list[Change]:
    """What differs, in the order of the params."""
    found: list[Change] = []
    for param in params:
        before, after = old[param.name], new[param.name]
        if before is after or before == after:
            continue
        output = param.is_output
        if before is None or after is None:
            found.append(Change((param.name,), "given" if before is None else "dropped", before, after, output))
        elif param.kind.endswith("_list"):
            found += _of_list(param.name, before, after, output)
        else:
            found += _of_one(param.name, before, after, output)
    return found


def weight(changes: Sequence[Change]) -> float:
    """What changes cost together: the same cast, format or size of one more argument costs less than another change."""
    total, seen = 0.0, set()
    looked_at: set[str] = set()
    outputs: set[str] = set()
    for change in changes:
        size = change.size
        same = (change.kind, repr(change.old), repr(change.new)) if size is None else ("size", *map(str, size))
        again = (change.kind in ("dtype", "format") or size is not None) and same in seen
        beside = not again and change.kind in _FACETS and not looked_at.isdisjoint(change.paths)
        share = BESIDE if beside else 1.0 if not again else AGAIN if size is None else RESIZED
        further = change.output and bool(outputs - {*change.paths})
        total += change.weight * (max(share, AGREED) if further else share)
        looked_at.update(change.paths)
        outputs.update(change.paths if change.output else ())
        seen.add(same)
    return total


def _of_list(name: str, before: Sequence[Any], after: Sequence[Any], output: bool) -> Iterator[Change]:
    if len(before) != len(after):
        yield Change((name,), "length", len(before), len(after), output)
    alike: dict[tuple[str, str, str, str | None], Change] = {}
    for number, (one, other) in enumerate(zip(before, after, strict=False)):
        for change in () if one == other else _of_one(f"{name}[{number}]", one, other, output):
            key = (change.kind, repr(change.old), repr(change.new), change.lost)
            known = alike.get(key)
            paths = change.paths if known is None else (*known.paths, *change.paths)
            alike[key] = replace(change, paths=paths)
    yield from alike.values()


def _of_one(path: str, before: Any, after: Any, output: bool) -> Iterator[Change]:
    if isinstance(before, Tensor) and isinstance(after, Tensor):
        moved = before.shape != after.shape
        for facet in _FACETS:
            old, new = getattr(before, facet), getattr(after, facet)
            follows = facet in ("strides", "offset", "values") or (facet == "storage_shape" and old == before.shape)
            if old != new and not (moved and follows and not new):
                lost = dtypes.lost(old, new) if facet == "dtype" and not output and 0 not in before.shape else None
                yield Change((path,), facet, old, new, output, lost)
    elif isinstance(before, Scalar) and isinstance(after, Scalar):
        if before.dtype != after.dtype:
            same = (
                before.value == after.value
                and isinstance(before.value, (int, float))
                and float(before.value).is_integer()
            )
            lost = None if same else dtypes.lost(before.dtype, after.dtype)
            yield Change((path,), "dtype", before.dtype, after.dtype, output, lost)
        if before.value != after.value:
            yield Change((path,), "value", before.value, after.value, output)
    else:
        yield Change((path,), "value", before, after, output)


def _far(kind: str, old: object, new: object) -> float:
    """How far a new value is from the old one: less than any change."""
    if kind == "dtype" and isinstance(old, str) and isinstance(new, str):
        wider = (dtypes.bits(new) or 0) >= (dtypes.bits(old) or 0)
        return (0.0 if dtypes.kind(old) == dtypes.kind(new) else 0.15) + (0.0 if wider else 0.05)
    if kind == "format":
        return 0.0 if new == PLAIN else 0.25
    if kind in ("shape", "storage_shape") and isinstance(old, tuple) and isinstance(new, tuple):
        sizes = sum(_ratio(a, b) for a, b in zip(reversed(old), reversed(new), strict=False))
        empty = EMPTIED if 0 in new and 0 not in old else 0.0
        return min(0.4, 0.1 * abs(len(old) - len(new)) + 0.02 * sizes) + empty
    if isinstance(old, bool):
        return TRUTH
    if kind == "value" and _is_number(old) and _is_number(new):
        return min(0.4, 0.02 * _ratio(old, new))  # type: ignore[arg-type]
    if kind == "value" and isinstance(old, tuple) and isinstance(new, tuple):
        left = sum(0.02 * _ratio(a, b) for a, b in zip(old, new, strict=False) if _is_number(a) and _is_number(b))
        return min(0.4, left + 0.1 * max(0, len(old) - len(new)) + 0.05 * max(0, len(new) - len(old)))
    return 0.0


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _ratio(old: float, new: float) -> float:
    """How many times one number has the other, as a logarithm; 0 of equal ones."""
    if old == new or not (math.isfinite(old) and math.isfinite(new)):
        return 0.0 if old == new else 10.0
    return math.log2(2 + abs(old - new)) + (0.0 if (old < 0) == (new < 0) else 1.0)


def _shown(value: object, none: str, lang: Lang) -> str:
    if value is None:
        return none
    if isinstance(value, Tensor):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, Scalar):
        return f"{value.dtype} {show(value.value, lang)}"
    if isinstance(value, tuple) and any(isinstance(item, (Tensor, Scalar)) for item in value):
        return ", ".join(_shown(item, none, lang) for item in value[:4]) + (" …" if len(value) > 4 else "")
    plain = shortest(value) if isinstance(value, float) else value
    return show(plain, lang, quoted=isinstance(value, str))
