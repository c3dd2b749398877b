"""What a generated interface checks: the same for all of them, from the kernel's definition and nothing else.

In this order: null pointers that the definition requires, the product, the length of lists, and the kernel lookup, in
which dtype and format of all required inputs and outputs must equal one combination of the table, all together. Of a
list the first tensor counts, nothing is cast, and optional ones are not compared. What else a page says of such an
operator, nothing looks at before tiling.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from opspec.errors import OpspecError
from opspec.language.text import spelled
from opspec.model.draft import Draft, Path
from opspec.model.kernels import DYNAMIC, OPTIONAL, PLAIN, Combinations, Kernel, Word
from opspec.model.sets import dtypes_on
from opspec.model.spec import Param, Spec
from opspec.vocabulary import ctypes_, products, status

PATH: Path = ("generated_from",)
COMBINATION, WITHOUT_KERNEL, EXCLUDED = "kernel.combination", "kernel.product", "product.excluded"
MOST_TENSORS = 256  # of a list
#: formats that count as ND, and dtypes of scalars that count as FLOAT
_AS_PLAIN = ("ND", "NCHW", "NHWC", "NCDHW", "NCL")
_AS_FLOAT = ("FLOAT", "DOUBLE")
#: kind of a param -> the only dtype that it can stand for
_OF_ARRAYS = {"int_array": "INT64", "float_array": "FLOAT", "bool_array": "BOOL"}
_OPERANDS = ("tensor", "tensor_list", "scalar", "scalar_list", *_OF_ARRAYS)


@dataclass(frozen=True, slots=True)
class Lookup:
    """A kernel, and the param that each part of its definition is in the interface.

    Args:
        params: input, attribute or output -> its param.
        kinds: param -> REQUIRED, OPTIONAL or DYNAMIC.
    """

    kernel: Kernel
    params: Mapping[str, Param]
    kinds: Mapping[str, str]

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
    return Lookup(kernel, params, {param.name: kinds[part] for part, param in params.items()})


def _check(kernel: Kernel, part: str, param: Param) -> None:
    """Whether a param can stand for a part of the definition."""
    kind = ctypes_.parse(param.ctype).kind
    is_output = part in kernel.outputs
    dynamic = DYNAMIC in (kernel.inputs.get(part), kernel.outputs.get(part))
    wrong = ""
    if part in kernel.attrs:
        wrong = "an attribute" if kind.startswith("tensor") else ""
    elif kind not in _OPERANDS:
        wrong = "an input or output"
    elif dynamic != (kind == "tensor_list"):
        wrong = "a list of tensors" if dynamic else "one tensor"
    elif is_output != (param.io != "in"):
        wrong = "an output" if is_output else "an input"
    if wrong:
        raise OpspecError(f"{param.name} stands for {part} of {kernel.name}, which is {wrong}")


def _bare(name: str) -> str:
    return re.sub(r"(Optional|Ref|Out)+$", "", name).replace("_", "").lower()


# --- the rules


def rules(spec: Spec, found: Lookup, known: Mapping[str, Draft]) -> Iterator[Draft]:
    """The rules that the definition adds to those of the page.

    Args:
        known: the rules of the page.
    """
    yield from _required(spec, found, known)
    yield from _without_kernel(spec, found.kernel)
    said = {draft.check for draft in known.values() if draft.when is None}
    for name, kind in found.kinds.items():
        if kind == DYNAMIC and _few(name) not in said:
            yield _of_definition(f"{name}.tensors", "kernel", _few(name), param=name, step="kernel", stage="params")
    yield _combination(found)
    yield from _promised(spec, found, known)


def _required(spec: Spec, found: Lookup, known: Mapping[str, Draft]) -> Iterator[Draft]:
    """Params that the page lets be null and the definition does not."""
    for param in spec.params:
        name = param.name
        null = known.get(f"{name}.null")
        if not ctypes_.parse(param.ctype).nullable or not found.requires(name):
            continue
        if null is None or null.when is not None:
            yield _of_definition(
                f"{name}.required", "null", f"{spelled(name)} is not None", param=name, step="null", stage="params",
                evidence=_says(found.kernel, "requires it", "要求必须传入"),
            )  # fmt: skip


def _without_kernel(spec: Spec, kernel: Kernel) -> Iterator[Draft]:
    """Products that the page does not exclude and that have no kernel; a conflict where it names one of them."""
    here = [name for name in products.ids() if name in kernel.products]
    gone = [name for name in products.ids() if name not in here and name not in _said(spec, "no")]
    promised = any(products.owner(name) in gone for name in _said(spec, "yes"))
    if gone:
        yield _of_definition(
            WITHOUT_KERNEL, "product" if promised else "kernel", f"product not in {_tuple(map(repr, gone))}",
            step="product", stage="params", status=status.name(status.NULLPTR),
            evidence=_says(kernel, f"is for {', '.join(here)} only", f"仅用于{'、'.join(here)}"),
        )  # fmt: skip


def _promised(spec: Spec, found: Lookup, known: Mapping[str, Draft]) -> Iterator[Draft]:
    """Dtypes that the page names on a product and no combination has: a conflict, which the lookup decides."""
    for part in dict.fromkeys(found.kernel.compared):
        param = found.params[part]
        column = f"{_subject(param)}.dtype"
        taken: dict[Cell, list[str]] = {}
        for group in found.kernel.combinations:
            cells = [dict(_cells(param, _word_of(found.kernel, part, row))) for row in group.rows]
            names = tuple(dict.fromkeys(name for cell in cells for name in cell.get(column, ())))
            for product in group.products:
                if spec.products.get(product) == "yes" and set(dtypes_on(spec, param, product).all) - {*names}:
                    taken.setdefault(names, []).append(product)
        check = "True"
        for names, on in taken.items():
            check = f"({column} in {_tuple(names)}) if product in {_tuple(map(repr, on))} else ({check})"
        if taken and f"{param.name}.dtype" in known:
            yield _of_definition(
                f"{param.name}.kernel-dtype", "dtype", check, param=param.name, step="dtype", stage="kernel",
                status=status.name(status.INVALID), evidence=_says(found.kernel, "has no other", "未列出其他数据类型"),
            )  # fmt: skip


def _word_of(kernel: Kernel, part: str, row: tuple[Word, ...]) -> Word:
    return row[kernel.compared.index(part)]


def _few(param: str) -> str:
    return f"len({spelled(param)}) <= {MOST_TENSORS}"


def early_success(found: Lookup) -> str:
    """The condition under which a call succeeds once its combination is found: no output has an element."""
    outputs = [found.params[name] for name in found.kernel.outputs if name in found.params]
    return " and ".join(
        f"all(t.numel == 0 for t in {spelled(param.name)})" if _is_list(param) else f"{spelled(param.name)}.numel == 0"
        for param in outputs
    )


def _is_list(param: Param) -> bool:
    return ctypes_.parse(param.ctype).kind.endswith("_list")


def product_rules(spec: Spec, kernel: Kernel) -> Iterator[Draft]:
    """The products that the page excludes: those without a kernel, and those that have one all the same."""
    denied = _said(spec, "no")
    there = [name for name in denied if products.owner(name) in kernel.products]
    gone = [name for name in denied if name not in there]
    if gone:
        check = f"product not in {_tuple(map(repr, gone))}"
        yield Draft(id="product", kind="product", check=check, path=("products",), step="product")
    if there:
        check = f"product not in {_tuple(map(repr, there))}"
        said = _says(kernel, "has combinations there", "在该产品上列有组合")
        yield Draft(
            id=EXCLUDED, kind="product", check=check, path=("products",), step="product", enforced="no", evidence=said,
        )  # fmt: skip


def as_looked_at(draft: Draft, found: Lookup, sources: Mapping[str, tuple[str, ...]]) -> Draft:
    """A rule as the interface looks at it: null pointers and the product first, all else of the page when it tiles.

    What rows of return codes say of stage and status, the interface does not know.
    """
    draft = replace(draft, sources=sources.get(draft.id, draft.sources))
    if draft.path == PATH or draft.stage == "device":
        return draft
    if draft.kind == "product" or (draft.step == "null" and draft.kind == "null" and found.requires(draft.param or "")):
        return replace(draft, stage="params", status=status.name(status.NULLPTR))
    if draft.check == _few(draft.param or "") and draft.when is None and found.kinds.get(draft.param or "") == DYNAMIC:
        return replace(draft, stage="params", status=status.name(status.INVALID), step="kernel", kind="kernel")
    return replace(draft, stage="tiling", status=status.name(status.TILING_ERROR))


def _said(spec: Spec, support: str) -> list[str]:
    return [name for name, said in spec.products.items() if said == support]


def _of_definition(rule_id: str, kind: str, check: str, **more: Any) -> Draft:
    """A rule that the definition states: the interface is generated to check it."""
    return Draft(id=rule_id, kind=kind, check=check, path=PATH, enforced="yes", basis="definition", **more)


def _says(kernel: Kernel, en: str, zh: str) -> tuple[str, str]:
    return f"the definition of the kernel {kernel.name} {en}", f"算子{kernel.name}的原型定义{zh}"


# --- the lookup


def _combination(found: Lookup) -> Draft:
    """Dtypes and formats of all that is compared, by product: ``(… and …) if product in (…) else (…)``."""
    checks = "True"
    for group in reversed(found.kernel.combinations):
        check = " and ".join(_parts(group, found)) or "True"
        checks = f"({check}) if product in {_tuple(map(repr, group.products))} else ({checks})"
    return _of_definition(
        COMBINATION, "kernel", checks, step="kernel", stage="kernel", status=status.name(status.INVALID),
        evidence=_says(found.kernel, "lists the combinations", "列出了各组合"),
    )  # fmt: skip


def _parts(group: Combinations, found: Lookup) -> Iterator[str]:
    """What is the same in all combinations of a group, and a table of the rest."""
    columns, rows = _columns(group, found)
    rows = _merged(rows)
    if not rows:
        yield "False"
        return
    varying = []
    for i, column in enumerate(columns):
        cells = {row[i] for row in rows}
        if len(cells) > 1:
            varying.append(i)
        else:
            yield f"{column} in {_tuple(rows[0][i])}"
    if varying:
        texts = [f"({', '.join(_tuple(row[i]) for i in varying)},)" for row in rows]
        yield f"table(({', '.join(columns[i] for i in varying)},), {', '.join(texts)})"


Cell = tuple[str, ...]


def _columns(group: Combinations, found: Lookup) -> tuple[list[str], list[tuple[Cell, ...]]]:
    """What is compared, and what it may be in each combination; an input that is an output, too, is one thing."""
    rows: list[dict[str, Cell] | None] = []
    for row in group.rows:
        cells: dict[str, Cell] | None = {}
        for part, word in zip(found.kernel.compared, row, strict=True):
            for column, cell in _cells(found.params[part], word):
                if cells is not None and (not cell or cells.setdefault(column, cell) != cell):
                    cells = None
        rows.append(cells)
    kept = [cells for cells in rows if cells is not None]
    columns = sorted({column: None for cells in kept for column in cells}, key=lambda name: name.endswith(".format"))
    return columns, list(dict.fromkeys(tuple(cells[column] for column in columns) for cells in kept))


def _cells(param: Param, word: Word) -> Iterator[tuple[str, Cell]]:
    """What a word asks of a param: (what is read, what it may be); nothing it may be where no argument can have it."""
    dtype, format_ = word
    kind = ctypes_.parse(param.ctype).kind
    subject = _subject(param)
    if kind in _OF_ARRAYS:
        if dtype != _OF_ARRAYS[kind] or format_ != PLAIN:
            yield subject, ()
    elif kind.startswith("scalar"):
        yield f"{subject}.dtype", _AS_FLOAT if dtype == "FLOAT" else () if dtype in _AS_FLOAT else (dtype,)
    else:
        yield f"{subject}.dtype", (dtype,)
        yield f"{subject}.format", _AS_PLAIN if format_ == PLAIN else (format_,)


def _subject(param: Param) -> str:
    """What is compared of a param: of a list its first element."""
    return spelled(param.name) + ("[0]" if _is_list(param) else "")


def _merged(rows: list[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    """Fewer rows that say the same: two that differ in one cell are one that has both values there."""
    merged = list(rows)
    for i in range(len(rows[0]) if rows else 0):
        groups: dict[tuple[Cell, ...], list[str]] = {}
        for row in merged:
            groups.setdefault((*row[:i], *row[i + 1 :]), []).extend(row[i])
        merged = [(*rest[:i], tuple(dict.fromkeys(values)), *rest[i:]) for rest, values in groups.items()]
    return merged


def _tuple(items: Iterable[str]) -> str:
    texts = list(items)
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"
