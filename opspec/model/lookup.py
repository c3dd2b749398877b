"""What a generated interface checks: the same for all of them, from the kernel's definition and nothing else.

In this order: null pointers that the definition requires, the product, the length of lists, and the kernel lookup, in
which dtype and format of all required inputs and outputs must equal one combination of the table, all together. Of a
list the first tensor counts, nothing is cast, and optional ones are not compared. What else a page says of such an
operator, nothing looks at before tiling.

Some interfaces that are written by hand end in a generated one of their kernel, behind checks of their own: of these
the definition says what is looked up, and no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from opspec.errors import OpspecError, did_you_mean
from opspec.language import build, facts, tree
from opspec.language.types import INT
from opspec.model.definition import Definition
from opspec.model.draft import Draft, Path
from opspec.model.kernels import DYNAMIC, OPTIONAL, PLAIN, Combinations, Kernel, Word
from opspec.model.names import Names
from opspec.model.sets import dtypes_on
from opspec.model.spec import Param, Spec
from opspec.vocabulary import ctypes_, products, status
from opspec.vocabulary.literals import Kind, Step

PATH: Path = ("generated_from",)
COMBINATION, WITHOUT_KERNEL, EXCLUDED = "kernel.combination", "kernel.product", "product.excluded"
MOST_TENSORS = 256  # of a list
NONE = "none"  # what stands for a part that an interface fills in itself
#: formats that count as ND, and dtypes of scalars that count as FLOAT
_AS_PLAIN = ("ND", "NCHW", "NHWC", "NCDHW", "NCL")
_AS_FLOAT = ("FLOAT", "DOUBLE")
#: kind of a param -> the only dtype that it can stand for
_OF_ARRAYS = {"int_array": "INT64", "float_array": "FLOAT", "bool_array": "BOOL"}
_CONFIGURED = ("the vendor's configuration has its kernels there", "厂商的算子配置在该产品上列有其kernel")
_OPERANDS = ("tensor", "tensor_list", "scalar", "scalar_list", *_OF_ARRAYS)


@dataclass(frozen=True, slots=True)
class Lookup:
    """A kernel, and the param that each part of its definition is in the interface.

    Args:
        params: input, attribute or output -> its param; what an interface fills in itself has none.
        kinds: param -> REQUIRED, OPTIONAL or DYNAMIC.
        filled: parts that the interface fills in whatever it is given.
        packed: params of which an INT32 holds eight INT4: the interface hands it on as these.
    """

    kernel: Kernel
    params: Mapping[str, Param]
    kinds: Mapping[str, str]
    filled: frozenset[str] = frozenset()
    packed: frozenset[str] = frozenset()

    @property
    def outputs(self) -> list[Param]:
        """The params that stand for outputs."""
        return [self.params[name] for name in self.kernel.outputs if name in self.params]

    @property
    def tells_outputs(self) -> bool:
        """Whether some param stands for an output, and one for each that a call must have."""
        needed = {name for name, kind in self.kernel.outputs.items() if kind != OPTIONAL and name not in self.filled}
        return bool(self.outputs) and needed <= self.params.keys()

    def requires(self, param: str) -> bool:
        """Whether the interface refuses null for a param."""
        return self.kinds[param] != OPTIONAL


def lookup(kernel: Kernel, spec: Spec) -> Lookup:
    """The kernel with the params that stand for its parts.

    An interface takes inputs, attributes and outputs in their order; an earlier version of it lacks optional ones, so
    that inputs and attributes go by their names there.

    Raises:
        OpspecError: params and definition do not agree.
    """
    taken, written = [*kernel.inputs, *kernel.attrs], kernel.own_outputs
    parts = [*taken, *written]
    end = len(spec.params) - len(written)
    if len(parts) == len(spec.params):
        params = dict(zip(parts, spec.params, strict=True))
    else:
        by_name = {_bare(param.name): param for param in spec.params[: max(0, end)]}
        params = {part: by_name[_bare(part)] for part in taken if _bare(part) in by_name}
        params.update(zip(written, spec.params[max(0, end) :], strict=False))
    kinds = {**kernel.outputs, **kernel.attrs, **kernel.inputs}
    missing = [part for part in parts if part not in params and kinds[part] != OPTIONAL]
    named = {param.name for param in params.values()}
    beyond = [param.name for param in spec.params if param.name not in named]
    if missing or beyond:
        wrong = f"no param for {', '.join(missing)}" if missing else f"no part for {', '.join(beyond)}"
        raise OpspecError(f"params and the definition of {kernel.name} do not agree: {wrong}")
    for part, param in params.items():
        _check(kernel, part, param)
        if (part in kernel.outputs) != (param.io != "in"):
            raise _mistaken(kernel, part, param, "an output" if part in kernel.outputs else "an input")
    return Lookup(kernel, params, {param.name: kinds[part] for part, param in params.items()})


def behind_checks(kernel: Kernel, spec: Spec) -> Lookup:
    """The kernel with the params that a hand-written interface hands on to its generated one.

    These go by their names, outputs that are called otherwise by their order, and what the spec says of a part comes
    first: an interface may have params that its kernel has not, and fill parts in itself.

    Raises:
        OpspecError: the spec names a part or a param that is not there, or nothing is compared.
    """
    parts = {name: kind for part in (kernel.inputs, kernel.attrs, kernel.outputs) for name, kind in part.items()}
    by_name = {param.name: param for param in spec.params}
    for part, name in spec.kernel_parts.items():
        if part not in parts:
            raise OpspecError(f"{kernel.name} has no part {part!r}{did_you_mean(part, parts)}")
        if name != NONE and name not in by_name:
            raise OpspecError(f"unknown param {name!r}{did_you_mean(name, by_name)}")
    bare = {_bare(param.name): param for param in spec.params if param.name not in spec.kernel_parts.values()}
    params = {part: bare[_bare(part)] for part in parts if _bare(part) in bare}
    written = [param for param in spec.params if param.io == "out"]
    if len(written) == len(kernel.own_outputs):
        params.update(zip(kernel.own_outputs, written, strict=True))
    params.update((part, by_name[name]) for part, name in spec.kernel_parts.items() if name != NONE)
    filled = frozenset(part for part, name in spec.kernel_parts.items() if name == NONE)
    params = {part: param for part, param in params.items() if part not in filled}
    for part in kernel.compared:
        if part in params:
            _check(kernel, part, params[part])
    if not params.keys() & set(kernel.compared):
        raise OpspecError(f"no param stands for a part of {kernel.name} that is compared; name some in kernel_parts")
    kinds = {param.name: parts[part] for part, param in params.items()}
    return Lookup(kernel, params, kinds, filled, frozenset(_packed(kernel, params, spec)))


def _packed(kernel: Kernel, params: Mapping[str, Param], spec: Spec) -> Iterator[str]:
    """Params that take INT4 and INT32 where the kernel lists INT4 alone."""
    for part in (part for part in kernel.compared if part in params):
        listed = {_word_of(kernel, part, row)[0] for group in kernel.combinations for row in group.rows}
        taken = {name for product in _said(spec, "yes") for name in dtypes_on(spec, params[part], product).all}
        if "INT4" in listed & taken and "INT32" in taken - listed:
            yield params[part].name


def _check(kernel: Kernel, part: str, param: Param) -> None:
    """Whether a param can stand for a part of the definition."""
    kind = ctypes_.parse(param.ctype).kind
    dynamic = DYNAMIC in (kernel.inputs.get(part), kernel.outputs.get(part))
    if part in kernel.attrs:
        if kind.startswith("tensor"):
            raise _mistaken(kernel, part, param, "an attribute")
    elif kind not in _OPERANDS:
        raise _mistaken(kernel, part, param, "an input or output")
    elif dynamic != (kind == "tensor_list"):
        raise _mistaken(kernel, part, param, "a list of tensors" if dynamic else "one tensor")


def _mistaken(kernel: Kernel, part: str, param: Param, what: str) -> OpspecError:
    return OpspecError(f"{param.name} stands for {part} of {kernel.name}, which is {what}")


def _bare(name: str) -> str:
    return re.sub(r"(_?(optional|ref|out))+$", "", name, flags=re.IGNORECASE).replace("_", "").lower()


# --- the rules


def rules(spec: Spec, found: Lookup, known: Mapping[str, Draft], names: Names) -> Iterator[Draft]:
    """The rules that the definition adds to those of the page.

    Args:
        known: the rules of the page.
    """
    yield from _required(spec, found, known, names)
    yield from _without_kernel(spec, found.kernel)
    yield from _compared(found, known, names, "kernel")
    yield from _promised(spec, found, known, names)


def inner_rules(found: Lookup, known: Mapping[str, Draft], names: Names) -> Iterator[Draft]:
    """The rules that the definition adds to those of a page whose interface ends in a generated one: behind its checks.

    Args:
        known: the rules of the page.
    """
    yield from _compared(found, known, names, "value")


def is_of_lookup(draft: Draft, definition: Definition, compared: facts.Facts) -> bool:
    """Whether a rule of the page is about nothing but dtypes and formats that a lookup compares, and may be its."""
    read = definition.facts(draft.check)
    is_checked = draft.path == PATH or draft.stage not in (None, "params")
    return not is_checked and read <= compared and any(facet in ("dtype", "format") for _, facet in read)


def _compared(found: Lookup, known: Mapping[str, Draft], names: Names, step: Step) -> Iterator[Draft]:
    """The lookup itself, and the length of the lists that it takes the first tensor of."""
    said = {draft.check for draft in known.values() if draft.when is None}
    for name, kind in found.kinds.items():
        if kind == DYNAMIC:
            few = _few(names.param(name))
            if few not in said:
                yield _of_definition(f"{name}.tensors", "kernel", few, param=name, step=step, stage="params")
    yield _combination(found, names, step)


def _required(spec: Spec, found: Lookup, known: Mapping[str, Draft], names: Names) -> Iterator[Draft]:
    """Params that the page lets be null and the definition does not."""
    for param in spec.params:
        name = param.name
        null = known.get(f"{name}.null")
        if not ctypes_.parse(param.ctype).nullable or not found.requires(name):
            continue
        if null is None or null.when is not None:
            yield _of_definition(
                f"{name}.required", "null", build.present(names.param(name)), param=name, step="null", stage="params",
                evidence=_says(found.kernel, "requires it", "要求必须传入"),
            )  # fmt: skip


def _without_kernel(spec: Spec, kernel: Kernel) -> Iterator[Draft]:
    """Products that the page does not exclude and that have no kernel; a conflict where it names one of them."""
    here = [name for name in products.ids() if name in kernel.products]
    gone = [name for name in products.ids() if name not in here and name not in _said(spec, "no")]
    promised = any(products.owner(name) in gone for name in _said(spec, "yes"))
    if gone:
        yield _of_definition(
            WITHOUT_KERNEL, "product" if promised else "kernel", build.on_products(gone, "not in"),
            step="product", stage="params", status=status.name(status.NULLPTR),
            evidence=_says(kernel, f"is for {', '.join(here)} only", f"仅用于{'、'.join(here)}"),
        )  # fmt: skip


def _promised(spec: Spec, found: Lookup, known: Mapping[str, Draft], names: Names) -> Iterator[Draft]:
    """Dtypes that the page names on a product and no combination has: a conflict, which the lookup decides."""
    for part in dict.fromkeys(found.kernel.compared):
        param = found.params[part]
        column: tree.Node | None = None
        taken: dict[Cell, list[str]] = {}
        for group in found.kernel.combinations:
            cells = [dict(_cells(param, _word_of(found.kernel, part, row), names)) for row in group.rows]
            column = next((node for cell in cells for node in cell if _reads(node, "dtype")), column)
            members = tuple(dict.fromkeys(name for cell in cells for name in cell.get(column, ()))) if column else ()
            for product in group.products:
                if spec.products.get(product) == "yes" and set(dtypes_on(spec, param, product).all) - {*members}:
                    taken.setdefault(members, []).append(product)
        check: tree.Node = build.TRUE
        for members, on in taken.items():
            assert column is not None
            check = build.chosen(build.on_products(on), _one_of(column, members), check)
        if taken and f"{param.name}.dtype" in known:
            yield _of_definition(
                f"{param.name}.kernel-dtype", "dtype", check, param=param.name, step="dtype", stage="kernel",
                status=status.name(status.INVALID), evidence=_says(found.kernel, "has no other", "未列出其他数据类型"),
            )  # fmt: skip


def _word_of(kernel: Kernel, part: str, row: tuple[Word, ...]) -> Word:
    return row[kernel.compared.index(part)]


def _few(param: tree.Node) -> tree.Node:
    return build.compare(["<="], [build.length(param), build.constant(MOST_TENSORS, INT)])


def early_success(found: Lookup, names: Names) -> tree.Node:
    """The condition under which a call succeeds once its combination is found: no output has an element; what may be
    null is not there, or filled in without any."""
    return build.all_of([_without_elements(param, names) for param in found.outputs])


def _without_elements(param: Param, names: Names) -> tree.Node:
    subject = names.param(param.name)
    every = build.every(subject, _is_empty, [names.variable("t")]) if _is_list(param) else _is_empty(subject)
    return build.given(every) if _may_be_null(param) else every


def _is_empty(x: tree.Node) -> tree.Node:
    return build.equal(build.attribute(x, "numel"), build.constant(0, INT))


def _is_list(param: Param) -> bool:
    return ctypes_.parse(param.ctype).kind.endswith("_list")


def product_rules(spec: Spec, kernel: Kernel | None) -> Iterator[Draft]:
    """The products that the page excludes: those without a kernel, and those that have one all the same.

    Args:
        kernel: the one that the interface is generated from; of a hand-written one the spec says what is configured.
    """
    denied = _said(spec, "no")
    if kernel is None:
        has, said = set(spec.configured), _CONFIGURED
    else:
        has, said = set(kernel.products), _says(kernel, "has combinations there", "在该产品上列有组合")
    there = [name for name in denied if products.owner(name) in has]
    gone = [name for name in denied if name not in there]
    if gone:
        check = build.on_products(gone, "not in")
        yield Draft(id="product", kind="product", check=check, path=("products",), step="product")
    if there:
        check = build.on_products(there, "not in")
        yield Draft(
            id=EXCLUDED, kind="product", check=check, path=("products",), step="product", enforced="no", evidence=said,
        )  # fmt: skip


def as_looked_at(draft: Draft, found: Lookup, sources: Mapping[str, tuple[str, ...]], names: Names) -> Draft:
    """A rule as the interface looks at it: null pointers and the product first, all else of the page when it tiles.

    What rows of return codes say of stage and status, the interface does not know.
    """
    draft = draft.but(sources=sources.get(draft.id, draft.sources))
    if draft.path == PATH or draft.stage == "device":
        return draft
    if draft.kind == "product" or (draft.step == "null" and draft.kind == "null" and found.requires(draft.param or "")):
        return draft.but(stage="params", status=status.name(status.NULLPTR))
    listed = draft.param is not None and draft.when is None and found.kinds.get(draft.param) == DYNAMIC
    if listed and draft.check == _few(names.param(draft.param or "")):
        return draft.but(stage="params", status=status.name(status.INVALID), step="kernel", kind="kernel")
    return draft.but(stage="tiling", status=status.name(status.TILING_ERROR))


def _said(spec: Spec, support: str) -> list[str]:
    return [name for name, said in spec.products.items() if said == support]


def _of_definition(rule_id: str, kind: Kind, check: tree.Node, **more: Any) -> Draft:
    """A rule that the definition states: the interface is generated to check it."""
    return Draft(id=rule_id, kind=kind, check=check, path=PATH, enforced="yes", basis="definition", **more)


def _says(kernel: Kernel, en: str, zh: str) -> tuple[str, str]:
    return f"the definition of the kernel {kernel.name} {en}", f"算子{kernel.name}的原型定义{zh}"


# --- the lookup


def _combination(found: Lookup, names: Names, step: Step) -> Draft:
    """Dtypes and formats of all that is compared, by product: ``(… and …) if product in (…) else (…)``."""
    check: tree.Node = build.TRUE
    for group in reversed(found.kernel.combinations):
        check = build.chosen(build.on_products(group.products), build.all_of(list(_parts(group, found, names))), check)
    return _of_definition(
        COMBINATION, "kernel", check, step=step, stage="kernel", status=status.name(status.INVALID),
        evidence=_says(found.kernel, "lists the combinations", "列出了各组合"),
    )  # fmt: skip


def _parts(group: Combinations, found: Lookup, names: Names) -> Iterator[tree.Node]:
    """What is the same in all combinations of a group, and a table of the rest."""
    columns, rows = _columns(group, found, names)
    rows = _merged(rows)
    absent = {_subject(param, names) for param in found.params.values() if _may_be_null(param)}
    if not rows:
        yield build.FALSE
        return
    varying = [i for i in range(len(columns)) if len({row[i] for row in rows}) > 1]
    for i, column in enumerate(columns):
        if i not in varying:
            yield _one_of(column, rows[0][i])
    if varying:
        yield build.table(
            [columns[i] for i in varying],
            [
                tuple(frozenset[object]((*row[i], *([None] if _of(columns[i]) in absent else []))) for i in varying)
                for row in rows
            ],
        )


def _of(column: tree.Node) -> tree.Node:
    """The subject that a column reads a property of."""
    return column.base if isinstance(column, tree.Attr) else column


def _may_be_null(param: Param) -> bool:
    """Whether a hand-written interface takes null for it and fills in a tensor of its own, which always fits."""
    return ctypes_.parse(param.ctype).nullable and (param.optional is not False or param.reserved == "null")


def _one_of(column: tree.Node, members: Iterable[str]) -> tree.Node:
    return build.member(column, [build.constant(name, column.type) for name in members])


Cell = tuple[str, ...]


def _columns(group: Combinations, found: Lookup, names: Names) -> tuple[list[tree.Node], list[tuple[Cell, ...]]]:
    """What is compared, and what it may be in each combination; an input that is an output, too, is one thing."""
    rows: list[dict[tree.Node, Cell] | None] = []
    for row in (taken for listed in group.rows for taken in _as_taken(listed, found)):
        cells: dict[tree.Node, Cell] | None = {}
        for part, word in zip(found.kernel.compared, row, strict=True):
            if part not in found.params:
                continue
            for column, cell in _cells(found.params[part], word, names):
                if cells is not None and (not cell or cells.setdefault(column, cell) != cell):
                    cells = None
        rows.append(cells)
    kept = [cells for cells in rows if cells is not None]
    columns = sorted({column: None for cells in kept for column in cells}, key=lambda node: _reads(node, "format"))
    return columns, list(dict.fromkeys(tuple(cells[column] for column in columns) for cells in kept))


def _as_taken(row: tuple[Word, ...], found: Lookup) -> Iterable[tuple[Word, ...]]:
    """A combination as it is listed, and as the interface takes it with INT4 packed: in all params or in none."""
    packed = {part for part, param in found.params.items() if param.name in found.packed}
    words = zip(found.kernel.compared, row, strict=True)
    return dict.fromkeys(
        (row, tuple(("INT32", word[1]) if part in packed and word[0] == "INT4" else word for part, word in words))
    )


def _reads(column: tree.Node, facet: str) -> bool:
    return isinstance(column, tree.Attr) and column.name == facet


def _cells(param: Param, word: Word, names: Names) -> Iterator[tuple[tree.Node, Cell]]:
    """What a word asks of a param: (what is read, what it may be); nothing it may be where no argument can have it."""
    dtype, format_ = word
    kind = ctypes_.parse(param.ctype).kind
    subject = _subject(param, names)
    if kind in _OF_ARRAYS:
        if dtype != _OF_ARRAYS[kind] or format_ != PLAIN:
            yield subject, ()
    elif kind.startswith("scalar"):
        cell = _AS_FLOAT if dtype == "FLOAT" else () if dtype in _AS_FLOAT else (dtype,)
        yield build.attribute(subject, "dtype"), cell
    else:
        yield build.attribute(subject, "dtype"), (dtype,)
        yield build.attribute(subject, "format"), _AS_PLAIN if format_ == PLAIN else (format_,)


def _subject(param: Param, names: Names) -> tree.Node:
    """What is compared of a param: of a list its first element."""
    subject = names.param(param.name)
    return build.index(subject, 0) if _is_list(param) else subject


def _merged(rows: list[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    """Fewer rows that say the same: two that differ in one cell are one that has both values there."""
    merged = list(rows)
    for i in range(len(rows[0]) if rows else 0):
        groups: dict[tuple[Cell, ...], list[str]] = {}
        for row in merged:
            groups.setdefault((*row[:i], *row[i + 1 :]), []).extend(row[i])
        merged = [(*rest[:i], tuple(dict.fromkeys(values)), *rest[i:]) for rest, values in groups.items()]
    return merged
