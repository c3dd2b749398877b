"""The usual case of an operator, which the line that a page opens with shows where it shows more: matrices that are not
transposed, images with a batch, arrays of axes that are not empty, and flags that are off; losses with and without
reduction.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Container, Mapping, Sequence

from opspec.docs.shapes.assumed import assumed
from opspec.docs.shapes.cases import Case, supposed
from opspec.docs.shapes.equations import CHANNELS_FIRST, KERNEL, decided, shaped
from opspec.docs.shapes.result import ALONE, OPEN, Shape, Shapes
from opspec.language import tree
from opspec.language.prose.trees import number
from opspec.language.types import BOOL, FORMAT, INT, INTS, STR
from opspec.model.definition import Definition
from opspec.model.kernels import PLAIN
from opspec.model.sets import formats_on
from opspec.model.stated import stated_of
from opspec.vocabulary.formats import is_private

_TRANSPOSES = re.compile(r"(is_?)?(trans(pose)?|adj)(_?(self|mat|x|(g?mm)?weight|batch)?_?[A-Z0-9]?\d?|Mat\w+)?$", re.I)
_REDUCTION = re.compile(r"reduction", re.I)
_IMAGES = re.compile(r"(\d)d(?![a-z])")  # how many dims images have beside batch and channels, in an operator's name
_PART = re.compile(r"[A-Z]\d?\[")  # a dim of what has a letter as a whole
_UNSAID = 4  # how much a shape leaves open of which nothing is said
_PICTURE = 4  # dims of an image of two
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[A-Za-z_]\w*")
#: comparisons of lengths with 0 that hold of arrays with items, and with 1 of lists of tensors
_FILLED = {">": True, "!=": True, "==": False, "<=": False}


def usual(case: Case, shown: Shapes) -> tuple[Case, ...]:
    """An operator in its usual case, a loss in both.

    Args:
        shown: its shapes in every case.
    """
    found = next((param for param in case.definition.spec.params if param.enum and _REDUCTION.match(param.name)), None)
    values = [] if found is None else [int(value) if value.isdigit() else value for value in map(str, found.enum or ())]
    if found is None:
        every = [_supposed(case, {}, shown)]
    else:
        every = [
            _supposed(case, {found.name: tree.Const(value, STR if isinstance(value, str) else INT)}, shown)
            for value in (values[0], values[-1])
        ]
    return tuple(every)


def _supposed(case: Case, chosen: Mapping[str, tree.Const], shown: Shapes) -> Case:
    definition = case.definition
    bare = frozenset(name for name, own in shown.of.items() if _is_bare(own))
    uncounted = {name for name in bare if OPEN in shown.of[name][0].items}
    off = _off(definition)
    ranks = _ranks(definition)
    fixed = {param.name for param in definition.spec.params if [*(param.enum or ())] == ["true"]}

    def known(node: tree.Node) -> tree.Node | None:
        match node:
            case tree.Param(name=name) if name in fixed:
                return tree.Const(True, BOOL)
            case tree.Param(name=name) if name in chosen:
                return chosen[name]
            case tree.Param(name=name) if name in off:
                return tree.Const(False, BOOL) if node.type == BOOL else tree.Const(0, INT)
            case tree.Attr(name="rank", base=tree.Param(name=name)) if name in ranks:
                return tree.Const(ranks[name], INT)
            case tree.Compare(ops=(op,), operands=(tree.Length(operand=tree.Param() as array), limit)):
                least = 0 if array.type == INTS else 1
                holds = _FILLED.get(op) if number(limit) in (0, least) else None
                return None if holds is None else tree.Const(holds, BOOL)
            case tree.Call(function="distinct", args=(tree.Param(),)):
                return tree.Const(True, BOOL)
            case tree.Call(function="transposed_last2"):
                return tree.Const(False, BOOL)
            case tree.Compare(operands=(tree.Attr(name="format"), _)):
                holds = _of_plain(node, definition)
                return None if holds is None else tree.Const(holds, BOOL)
            case tree.If(then=tree.Const(value=several), other=tree.Const(value=1) as single, condition=asked):
                if isinstance(several, int) and several > 1 and _is_of_types(asked):
                    return single
            case tree.Binary(op="*" | "//", left=left, right=right) if number(right) == 1:
                return left
        return assumed(node, definition, uncounted)

    return dataclasses.replace(case, definition=supposed(definition, known), ranks=ranks, bare=bare)


def _of_plain(node: tree.Node | None, definition: Definition) -> bool | None:
    """Whether a condition on the format of a tensor holds in the usual case, where one that may be ND is."""
    match node:
        case tree.Compare(ops=(op,), operands=(tree.Attr(name="format", base=tree.Param(name=name)), right)):
            named = [part.value for part in tree.walk(right) if isinstance(part, tree.Const) and part.type == FORMAT]
            taken = formats_on(definition.spec, stated_of(definition)[name][0], None).all
            if named and PLAIN in taken and all(one == PLAIN or is_private(str(one)) for one in named):
                return (PLAIN in named) == (op in ("==", "in"))
            return decided(node, definition)
    return None


def _is_of_types(node: tree.Node) -> bool:
    """Whether a condition is about nothing but which data types tensors have."""
    read = [part for part in tree.walk(node) if isinstance(part, tree.Attr)]
    return bool(read) and all(part.name == "dtype" for part in read)


def _off(definition: Definition) -> frozenset[str]:
    """The attributes that are off: those that transpose, and flags without which a rule says what a shape is."""
    flags = {param.name for param in definition.params if param.kind not in ("tensor", "tensor_list")}
    found = {name for name in flags if _TRANSPOSES.fullmatch(name)}
    for rule in definition.rules:
        when = rule.when
        if not {facet for _, facet in definition.facts(rule.check)} & {"shape", "rank"}:
            continue
        for part in when.items if isinstance(when, tree.Logic) and when.op == "and" else (when,):
            match part:
                case tree.Unary(op="not", operand=tree.Param(name=name)) if name in flags:
                    found.add(name)
    return frozenset(found)


def _ranks(definition: Definition) -> dict[str, int]:
    """How many dims images have, as many as their format with a batch, and what may lack one of the dims that it is
    called by."""
    called = None if definition.dims else _IMAGES.search(definition.name)
    named = set() if called is None else {int(called[1]) + 2}
    texts = {name: own[0].rank for name, own in stated_of(definition).items() if own[0].is_tensor}
    found: dict[str, int] = {}
    for name, text in texts.items():
        formats = formats_on(definition.spec, stated_of(definition)[name][0], None).all
        layouts = {len(layout) for layout in CHANNELS_FIRST if layout in formats and len(layout) >= _PICTURE}
        numbers = list(map(int, _NUMBER.findall(str(text))))
        dims = stated_of(definition)[name][0].dims
        said = set() if dims is None or "*" in dims else {dims.count(",") + 1}
        for rank in layouts | named | said if not KERNEL.search(name) else ():
            if numbers == [rank - 1, rank] or (numbers == [rank] and rank in layouts):
                found[name] = rank
    for rule in definition.rules:
        match rule.check:
            case tree.Compare(ops=("==",), operands=(tree.Attr(name="rank", base=tree.Param(name=name)), many)):
                if _of_plain(rule.when, definition) and (count := number(many)) is not None:
                    found[name] = count
    alike = {name: str(text).removeprefix("same as ") for name, text in texts.items()}
    return {**{name: found[other] for name, other in alike.items() if other in found}, **found}


def together(found: Sequence[Shapes], results: Container[str]) -> Shapes | None:
    """The shapes of the usual case; of two those that differ in turn, where these take no more letters.

    Args:
        results: the params that are written, of which each case must say what they are.
    """
    if len(found) < 2:
        return found[0] if found else None
    first, second = found
    of: dict[str, tuple[Shape, ...]] = {}
    for name, own in first.of.items():
        other = second.of[name]
        if name not in results and (_is_bare(own) or _is_bare(other)):
            other = own  # an input says what letters are, not in which case it has which shape
        is_open = _is_bare(other)
        if own != other and (is_open or not _words(other) <= _words(own)):
            return None
        of[name] = tuple(dict.fromkeys((*own, *other)))
    return dataclasses.replace(first, of=of)


def _is_bare(shapes: Sequence[Shape]) -> bool:
    """Whether shapes say nothing of any dim."""
    return all(shape.items and shape.is_open for shape in shapes)


def _words(shapes: Sequence[Shape]) -> set[str]:
    return {word for shape in shapes for item in shape.items for word in _WORD.findall(item)}


def clearer(found: Shapes, other: Shapes | None, definition: Definition) -> Shapes:
    """The shapes that say more: how many dims params have and what they are, of none of them less."""
    if other is None or any(_hides(own, other.of[name]) for name, own in found.of.items()):
        return found
    if _open(other) >= _open(found):
        return found
    changed = {name for name, own in found.of.items() if own != other.of[name]}
    is_same = _are_lettered_anew(found, other)
    reads = {rule.id: {name for name, _ in definition.facts(rule.check)} for rule in definition.rules}
    pairs = {rule.id for rule in definition.rules if None not in map(shaped, tree.children(rule.check))}
    told = {
        rule: param
        for rule, param in found.told.items()
        if ((is_same or rule in pairs or param not in changed) and rule in other.told)
        or changed.isdisjoint(reads[rule])
    }
    return dataclasses.replace(other, told=told, is_usual=True)


def _hides(own: tuple[Shape, ...], other: tuple[Shape, ...]) -> bool:
    """Whether shapes of a param leave out cases of it, or what is known of its dims."""
    told = any(set(shape.items) - {OPEN, ALONE} for shape in own)
    fewer = len(other) < len(own) and all(shape.items for shape in own)  # without dims in the odd case alone
    return fewer or (told and all(shape.items and shape.is_open for shape in other))


def _are_lettered_anew(found: Shapes, other: Shapes) -> bool:
    """Whether shapes that say something differ in nothing but letters, each of which stands for another."""
    called: dict[str, str] = {}
    for name, own in found.of.items():
        pairs = [(before, after) for before, after in zip(own, other.of[name], strict=False) if not before.is_open]
        if any(len(before.items) != len(after.items) for before, after in pairs):
            return False
        items = [pair for before, after in pairs for pair in zip(before.items, after.items, strict=True)]
        if any(_left(one) != 1 and called.setdefault(one, two) != two for one, two in items):
            return False
    return len(set(called.values())) == len(called)


def _open(found: Shapes) -> tuple[int, int]:
    """What is open in shapes: dims that are not counted, named, or a letter's; then letters."""
    every = [shape for own in found.of.values() for shape in own]
    opened = sum(_UNSAID if shape.items and shape.is_open else sum(map(_left, shape.items)) for shape in every)
    return opened, len(_words(every))


def _left(item: str) -> int:
    """How much an item of a shape leaves open."""
    return 2 if item[0] in "*." else int(item == ALONE or _PART.match(item) is not None)
