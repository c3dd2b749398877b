"""How values of the rule language stand in C: types, literals, what stands for an undefined one.

The types themselves, and the functions named here, are in ``opspec/csrc/rules/opspec_rules.h``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from opspec.codegen import ctext
from opspec.errors import OpspecError
from opspec.language import runtime, tree
from opspec.language.types import BOOL, DTYPE, FLOAT, FORMAT, INT, POINTER, SCALAR, STR, TENSOR, Type
from opspec.vocabulary import dtypes, formats, status


class CannotExpress(OpspecError):
    """A construct that the C back end has no form for."""


@dataclass(frozen=True, slots=True)
class Code:
    """A C expression; ``sure`` says that its value is defined."""

    text: str
    sure: bool = True


@dataclass(frozen=True, slots=True)
class CForm:
    """How values of a type stand in C.

    Args:
        ctype: the C type.
        undefined: an expression for an undefined value, ``{}`` stands for the cause.
        suffix: what functions over lists of these elements end with.
        item: C type of a list's elements.
    """

    ctype: str
    undefined: str
    suffix: str = ""
    item: str = ""


_BOOL = CForm("int", "{}")
_INT = CForm("opspec_int", "OPSPEC_UNDEFINED({})")
_NUMBER = CForm("opspec_number", "opspec_no_number({})")
_STR = CForm("opspec_str", "opspec_no_str({})")
_INTS = CForm("opspec_ints", "opspec_no_ints({})", "", "int64_t")
_NUMBERS = CForm("opspec_numbers", "opspec_no_numbers({})", "_numbers", "opspec_number")
_STRS = CForm("opspec_strs", "opspec_no_strs({})", "_strs", "opspec_str")
_TENSORS = CForm("opspec_tensors", "opspec_no_tensors({})", "_tensors", "const opspec_tensor *")
_SCALARS = CForm("opspec_scalars", "", "_scalars", "const opspec_scalar *")
_LISTS = CForm("opspec_lists", "opspec_no_lists({})", "_lists", "opspec_ints")

WHOLE = (INT, DTYPE, FORMAT)  # types whose values are opspec_int

_LISTS_OF = {
    **dict.fromkeys((*WHOLE, BOOL, None), _INTS),
    FLOAT: _NUMBERS, STR: _STRS, TENSOR: _TENSORS, SCALAR: _SCALARS,
}  # fmt: skip


def form_of(kind: Type) -> CForm:
    """How values of a type stand in C.

    Raises:
        CannotExpress: they do not.
    """
    if kind in WHOLE:
        return _INT
    for one, form in ((BOOL, _BOOL), (FLOAT, _NUMBER), (STR, _STR)):
        if kind == one:
            return form
    if kind.name == "list":
        if kind.item in _LISTS_OF:
            return _LISTS_OF[kind.item]
        if kind.item is not None and kind.item.name == "list" and form_of(kind.item) is _INTS:
            return _LISTS
    raise CannotExpress(f"values of type {kind}")


def whole(value: object, kind: Type) -> str:
    """A constant of type int, bool, dtype or format.

    Raises:
        CannotExpress: an integer beyond 64 bits.
    """
    if kind == DTYPE:
        return dtype_name(str(value))
    if kind == FORMAT:
        return format_name(str(value))
    assert isinstance(value, int)
    if not runtime.LOW <= value <= 2**64 - 1:
        raise CannotExpress(f"the integer {value}")
    if kind == BOOL:
        return "OPSPEC_TRUE" if value else "OPSPEC_FALSE"
    text = ctext.integer(value) if value <= runtime.HIGH else f"(opspec_int)UINT64_C({value})"
    return f"({text})" if value < 0 or value > runtime.HIGH else text


def dtype_name(name: str) -> str:
    """The enumerator of a dtype."""
    return f"OPSPEC_DT_{dtypes.canonical(name).removeprefix('DT_')}"


def format_name(name: str) -> str:
    """The enumerator of a format."""
    return f"OPSPEC_FORMAT_{formats.canonical(name)}"


def product_name(name: str) -> str:
    """The enumerator of a product id or a member."""
    return "OPSPEC_PRODUCT_" + "".join(char if char.isalnum() else "_" for char in name).upper()


def status_name(name: str) -> str:
    """The enumerator of a status."""
    return f"OPSPEC_{status.canonical(name)}"


def bits_of(names: Iterable[str]) -> str:
    """The set of these enumerators: ``DT_(FLOAT) | DT_(FLOAT16)``, with the short macros of ``opspec_source.h``."""
    return " | ".join(_bit(name) for name in names)


def _bit(name: str) -> str:
    for prefix, macro in (("OPSPEC_DT_", "DT_"), ("OPSPEC_FORMAT_", "FORMAT_"), ("OPSPEC_PRODUCT_", "PRODUCT_")):
        if name.startswith(prefix):
            return f"{macro}({name.removeprefix(prefix)})"
    raise AssertionError(name)


def identifier(prefix: str, name: str) -> str:
    """The C identifier for a name of a spec.

    Raises:
        CannotExpress: the name has characters that C identifiers have not.
    """
    if not (name.isascii() and name.isidentifier()):
        raise CannotExpress(f"the name {name!r}")
    return prefix + name


def present_if(node: tree.Node, truth: bool) -> frozenset[str]:
    """C names of the pointers that are not null where the node is true (or, without ``truth``, false)."""
    match node:
        case tree.IsNone() if node.negated is truth:
            name = pointer_name(node.operand)
            return frozenset() if name is None else frozenset({name})
        case tree.Logic() if (node.op == "and") is truth:
            return frozenset().union(*(present_if(item, truth) for item in node.items))
        case tree.Unary() if node.op == "not":
            return present_if(node.operand, not truth)
    return frozenset()


def pointer_name(node: tree.Node) -> str | None:
    """The C name of a pointer that the node stands for, if it does."""
    if isinstance(node, tree.Param):
        return identifier("p_", node.name)
    if isinstance(node, tree.Var) and node.type in (TENSOR, SCALAR, POINTER):
        return identifier("v_", node.name)
    return None


def nested(function: str, texts: list[str]) -> str:
    """``f(a, f(b, c))``."""
    found = texts[-1]
    for text in reversed(texts[:-1]):
        found = f"{function}({text}, {found})"
    return found


def declared(ctype: str, name: str) -> str:
    """The declaration of a variable."""
    return f"{ctype}{'' if ctype.endswith('*') else ' '}{name}"


def indented(lines: list[str]) -> list[str]:
    """Lines of an inner scope."""
    return [f"    {line}" for line in lines]
