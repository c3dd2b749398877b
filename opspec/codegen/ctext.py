"""Texts and numbers in C: comments, string literals, identifiers, constants.

Only ASCII comes out, whatever goes in: no text of a spec can end a comment or a literal, splice lines or form a
trigraph.
"""

from __future__ import annotations

import math
import re
import textwrap
from struct import pack, unpack

from opspec.errors import OpspecError
from opspec.vocabulary.binary32 import shortest

WIDTH = 120  # columns of generated C

_KEYWORDS = """
    auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    alignas alignof and and_eq asm atomic_cancel atomic_commit atomic_noexcept bitand bitor bool catch char8_t char16_t
    char32_t class co_await co_return co_yield compl concept const_cast consteval constexpr constinit decltype delete
    dynamic_cast explicit export false friend mutable namespace new noexcept not not_eq nullptr operator or or_eq
    private protected public reflexpr reinterpret_cast requires static_assert static_cast synchronized template this
    thread_local throw true try typeid typename typeof typeof_unqual using virtual wchar_t xor xor_eq
"""
_MACROS = """
    NULL EOF NAN INFINITY BUFSIZ FILENAME_MAX FOPEN_MAX TMP_MAX L_tmpnam SEEK_SET SEEK_CUR SEEK_END EXIT_SUCCESS
    EXIT_FAILURE RAND_MAX MB_CUR_MAX SIZE_MAX PTRDIFF_MAX stdin stdout stderr errno assert offsetof noreturn main
    unix linux i386 signbit isnan isinf isfinite isnormal fpclassify
"""
_TYPES = """
    int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t ptrdiff_t aclTensor aclTensorList aclScalar
    aclScalarList aclIntArray aclFloatArray aclBoolArray aclOpExecutor aclDataType aclFormat aclnnStatus aclrtStream
    aclError
"""
RESERVED = frozenset((_KEYWORDS + _MACROS + _TYPES).split())

#: what a literal and a comment may hold as it is
_PLAIN = re.compile(r"[ !#->@-\[\]-~]*")

#: names of macros: of <stdint.h>, of ACL, of the headers that opspec writes
_MACRO = re.compile(r"U?INT\w*_(MIN|MAX|C)|(ACL|OPSPEC)\w*|\w+_(MIN|MAX)")


def identifiers(names: tuple[str, ...], taken: tuple[str, ...] = ()) -> dict[str, str]:
    """A C and C++ identifier for each name: itself wherever that is one, else with an underscore behind it.

    Args:
        taken: identifiers of the same scope.
    """
    used = set(taken)
    result: dict[str, str] = {}
    for name in names:
        word = plain_name(name)
        while word in RESERVED or word in used or (word != name and word in names):
            word += "_"
        used.add(word)
        result[name] = word
    return result


def unused(name: str, taken: set[str]) -> str:
    """The name with as many underscores behind it as make it one that is not taken; it is from then on."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def plain_name(name: str) -> str:
    """The name, or another in place of one with an underscore in front, which is the compiler's, or of a macro's."""
    return f"param_{name.lstrip('_')}" if name.startswith("_") or _MACRO.fullmatch(name) else name


def operator_name(name: str) -> str:
    """The name of an operator, which C takes as it is.

    Raises:
        OpspecError: it does not start as the names of aclnn functions do, so that it may be any function's or a word
            of C, or it is a type's.
    """
    if name in RESERVED or not re.fullmatch(r"aclnn[A-Za-z0-9_]+", name):
        raise OpspecError(f"no operator's functions in C can have the name {name!r}: aclnnXyz", where=name)
    return name


def own_name(operator: str, what: str) -> str:
    """What is an operator's own in its C, by a name that no other operator has, so that one source may hold several."""
    return f"{what}_{operator}"


def comment(text: str, indent: int = 0) -> str:
    """A block comment of one or more lines, without the indent of its first line."""
    room = WIDTH - indent - 6
    plain = _in_comment(text)
    if len(plain) <= room:
        return f"/* {plain} */"
    lines = textwrap.wrap(plain, room, break_long_words=True, break_on_hyphens=False)
    gap = " " * indent
    return f"/* {lines[0]}\n" + "\n".join(f"{gap} * {line}" for line in lines[1:]) + " */"


def _in_comment(text: str) -> str:
    """One line of printable ASCII that ends no comment, opens none, and has no backslash or trigraph."""
    plain = " ".join(text.split())
    if not plain.isascii() or not plain.isprintable():
        plain = "".join(char if " " <= char <= "~" else f"<U+{ord(char):04X}>" for char in plain)
    for unsafe, safe in (("\\", "|"), ("*/", "* /"), ("/*", "/ *"), ("??", "? ?")):
        while unsafe in plain:
            plain = plain.replace(unsafe, safe)
    return plain


def string(text: str) -> str:
    """A string literal: UTF-8, what is not printable ASCII as octal escapes of three digits."""
    plain = _PLAIN.fullmatch(text) is not None
    return f'"{text}"' if plain else '"' + "".join(map(_in_string, text.encode())) + '"'


def _in_string(byte: int) -> str:
    if chr(byte) in '"\\?':
        return "\\" + chr(byte)
    return chr(byte) if 0x20 <= byte <= 0x7E else f"\\{byte:03o}"


def integer(value: int, bits: int = 64, signed: bool = True) -> str:
    """An integer constant of a type of so many bits, in a form that no compiler warns of."""
    if signed and value == -(2 ** (bits - 1)) and bits >= 32:
        return f"INT{bits}_MIN"
    if -(2**31) < value < 2**31:
        return str(value)
    if bits <= 32:
        return f"{value}U"
    return f"{'' if signed else 'U'}INT64_C({value})"


def real(value: float, suffix: str = "") -> str:
    """A floating constant; with the suffix ``F`` a binary32 one."""
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    text = f"{shortest(value):.9g}" if suffix else repr(value)
    return (text if any(char in text for char in ".e") else f"{text}.0") + suffix


def boolean(value: bool) -> str:
    """``true`` or ``false``."""
    return "true" if value else "false"


def binary16(value: float) -> str:
    """The bits of a binary16 number; what is too large becomes infinite."""
    try:
        (bits,) = unpack("<H", pack("<e", value))
    except OverflowError:
        bits = 0x7C00 if value > 0 else 0xFC00
    return f"0x{bits:04x}"


def bfloat16(value: float) -> str:
    """The bits of a bfloat16 number, rounded to nearest even; what is too large becomes infinite."""
    if math.isnan(value):
        return "0x7fc0"
    try:
        (bits,) = unpack("<I", pack("<f", value))
    except OverflowError:
        bits = 0x7F800000 if value > 0 else 0xFF800000
    return f"0x{(bits + 0x7FFF + (bits >> 16 & 1)) >> 16:04x}"


def filled(items: list[str], indent: int, end: str = "") -> str:
    """Items between commas and an end, wrapped and indented, without the indent of the first line."""
    return _wrapped(", ".join(items) + end, indent, indent).lstrip()


def statement(text: str, indent: int) -> str:
    """A statement, indented, and wrapped between its arguments where it is too long."""
    return _wrapped(text, indent, indent + 4)


def _wrapped(text: str, indent: int, hang: int) -> str:
    """Lines that end after a comma, as long as they may be."""
    lines: list[str] = []
    line = " " * indent
    for part in text.replace(", ", ",\n").split("\n"):
        room = line if not line.strip() else line + " "
        if line.strip() and len(room + part) > WIDTH:
            lines.append(line)
            room = " " * hang
        line = room + part
    return "\n".join([*lines, line])
