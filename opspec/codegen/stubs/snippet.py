"""A call of an operator in a few lines of C, as one writes it against CANN: what a page shows."""

from __future__ import annotations

import textwrap
from typing import Any

from opspec.codegen import ctext
from opspec.codegen.prototypes import entry, functions, header_path
from opspec.codegen.stubs import names
from opspec.codegen.stubs.example import CONSTANTS, plain, typed_arguments
from opspec.codegen.stubs.storage import literal, storage_of
from opspec.errors import OpspecError
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import Definition, ParamDef
from opspec.model.derived import usual_header
from opspec.vocabulary import dtypes, formats, groups
from opspec.vocabulary.shapes import contiguous_strides

_PRESUMED = " // presumed: the vendor's page names no header"
_KEPT = "\xa0"  # a space at which no line breaks
_SHORT = 80  # characters of a declaration that stays on one line
_LOCALS = ("size", "executor", "workspace", "status", "stream")
_RUN = """\
    if (status == 0 && size > 0) status = aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST);
    if (status == 0) status = {0}(workspace, size, executor, stream);
    if (status == 0) status = aclrtSynchronizeStream(stream);
    if (status != 0) printf("%s\\n", aclGetRecentErrMsg());
    if (workspace != NULL) aclrtFree(workspace);"""


def snippet(definition: Definition, args: dict[str, Any]) -> str | None:
    """A function that makes both phases of a call, of C99 and C++. It is given tensors' data, which are device memory,
    and names of groups of ranks. None where the call has no such form: a function of one phase, a pointer.

    Args:
        args: JSON values by param name.

    Raises:
        OpspecError: the arguments do not fit the params.
    """
    if definition.spec.interface != "two-phase" or definition.spec.partial is not None:
        return None
    call = _Call(definition)
    try:
        passed = [
            call.argument(param, value)
            for param, value in zip(definition.params, typed_arguments(definition, args), strict=True)
        ]
    except OpspecError:
        return None
    name = definition.name
    first = f"int status = {name}GetWorkspaceSize({', '.join([*passed, '&size', '&executor'])});"
    lines = [
        *call.declared(),
        *call.made,
        f"    uint64_t size = 0;\n    aclOpExecutor{_KEPT}*executor = NULL;\n    void{_KEPT}*workspace = NULL;",
        ctext.statement(first, 4),
        _RUN.format(name),
        *textwrap.wrap(
            " ".join(call.destroyed), ctext.WIDTH, initial_indent="    ", subsequent_indent="    ",
            break_long_words=False,
        ),
    ]  # fmt: skip
    head = ctext.statement(f"int run{names.stem(name)}({', '.join([*call.given, 'aclrtStream stream'])})", 0)
    header = header_path(entry(definition), usual_header(name))
    text = "\n".join((
        f'#include <stdio.h>\n#include "acl/acl.h"\n#include "{header}"{"" if definition.header else _PRESUMED}\n',
        head, "{", *lines, "    return status;\n}",
    ))  # fmt: skip
    return text.replace(_KEPT, " ")


class _Call:
    """Collects the statements of a call; every name is given once.

    Attributes:
        given: declarations of the function's params.
        made: statements that make the arguments.
        destroyed: statements that destroy them.
    """

    def __init__(self, definition: Definition) -> None:
        params = tuple(param.name for param in definition.params)
        bases = [f"acl{verb}{base}" for base in names.BASES.values() for verb in ("Create", "Destroy")]
        taken = (*_LOCALS, *functions(definition), f"run{names.stem(definition.name)}", *bases)
        self._own = ctext.identifiers(params, taken)
        self._used = {*taken, *self._own.values()}
        self._arrays: dict[tuple[str, tuple[int, ...]], str] = {}
        self._values: dict[str, list[str]] = {}  # type -> declarators of it
        self.given: list[str] = []
        self.made: list[str] = []
        self.destroyed: list[str] = []

    def declared(self) -> list[str]:
        """The statements that declare shapes and values, one for each type."""
        return [ctext.statement(f"{ctype} {', '.join(each)};", 4) for ctype, each in self._values.items()]

    def argument(self, param: ParamDef, value: Any) -> str:
        """What the first phase is given for a param."""
        own = self._own[param.name]
        if value is None:
            return f"/*{_KEPT}{param.name}{_KEPT}*/{_KEPT}NULL"
        match param.kind:
            case "tensor":
                made = self._tensor(value, self._data(f"void{_KEPT}*", own))
            case "tensor_list":
                data = f"{self._data(f'void{_KEPT}*const{_KEPT}*', own)}[{{}}]" if any(value) else ""
                items = [self._tensor(item, data.format(i)) if item else "NULL" for i, item in enumerate(value)]
                made = self._list("Tensor", own, items)
            case "scalar":
                made = self._scalar(own, value)
            case "scalar_list":
                made = self._list("Scalar", own, [self._scalar(f"{own}{i}", item) for i, item in enumerate(value)])
            case "int_array" | "float_array" | "bool_array":
                constants = [CONSTANTS[param.kind](item) for item in value]
                values = self._array(f"const {names.ELEMENTS[param.kind]}", f"{own}Values", constants)
                made = f"aclCreate{names.BASES[param.kind]}({values}, {len(value)})"
            case "string" if param.name in groups.PARAMS and value:
                self.given.append(f"const char{_KEPT}*{own}")  # no other text is the name of one
                return own
            case "string":
                return self._value("char", f"{own}[]", ctext.string(value)).removesuffix("[]")
            case "pointer":
                raise OpspecError("a pointer has no form in a few lines", where=param.name)
            case _:
                return f"/*{_KEPT}{param.name}{_KEPT}*/{_KEPT}{plain(param, value)}"
        base = names.BASES[param.kind]
        self.made.append(ctext.statement(f"acl{base}{_KEPT}*{own} = {made};", 4))
        self.destroyed.append(f"aclDestroy{base}({own});")
        return own

    def _data(self, ctype: str, own: str) -> str:
        name = ctext.unused(f"{own}Data", self._used)
        self.given.append(f"{ctype}{name}")
        return name

    def _value(self, ctype: str, name: str, value: str) -> str:
        declared = f"{name} = {value}"
        kept = declared.replace(" ", _KEPT) if len(declared) < _SHORT else declared
        self._values.setdefault(ctype, []).append(kept)
        return name

    def _array(self, ctype: str, name: str, items: list[str]) -> str:
        """A declared array and its name; NULL when it has no elements."""
        if not items:
            return "NULL"
        name = ctext.unused(name, self._used)
        self._value(ctype, f"{name}[]", f"{{{', '.join(items)}}}")
        return name

    def _dims(self, what: str, dims: tuple[int, ...]) -> str:
        """The array of some dims: one for all that are the same."""
        if (what, dims) not in self._arrays:
            name = what + "x".join(map(str, dims))
            self._arrays[what, dims] = self._array("const int64_t", name, [*map(ctext.integer, dims)])
        return self._arrays[what, dims]

    def _tensor(self, tensor: Tensor, data: str) -> str:
        stored = storage_of(tensor, data, is_given=True).storage_shape
        plain_strides = tensor.strides in (None, contiguous_strides(tensor.shape))
        strides = "NULL" if plain_strides else self._dims("stride", tensor.strides or ())
        layout = formats.enumerator(tensor.storage_format or tensor.format)
        return (
            f"aclCreateTensor({self._dims('shape', tensor.shape)}, {len(tensor.shape)}, "
            f"{dtypes.enumerator(tensor.dtype)}, {strides}, {tensor.offset}, {layout}, "
            f"{self._dims('shape', stored)}, {len(stored)}, {data})"
        )

    def _scalar(self, own: str, scalar: Scalar) -> str:
        if scalar.value is None:
            raise OpspecError("a scalar without a value has no form in a few lines")
        ctype = storage_of(Tensor((1,), scalar.dtype), scalar.dtype).ctype
        values = literal(scalar.dtype, scalar.value)
        if len(values) > 1:
            pointer = self._array(ctype, f"{own}Value", values)
        else:
            pointer = f"&{self._value(ctype, ctext.unused(f'{own}Value', self._used), values[0])}"
        return f"aclCreateScalar({pointer}, {dtypes.enumerator(scalar.dtype)})"

    def _list(self, base: str, own: str, items: list[str]) -> str:
        """A list made of an array of its items, which it owns."""
        if not items:
            return f"aclCreate{base}List(NULL, 0)"
        array = ctext.unused(f"{own}Items", self._used)
        self.made.append(f"    const acl{base} *const {array}[] = {{")
        self.made += [f"{ctext.statement(item, 8)}," for item in items]
        self.made.append("    };")
        return f"aclCreate{base}List({array}, {len(items)})"
