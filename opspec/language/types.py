"""The types of rule expressions.

A shape, an ``aclIntArray`` and a tuple of integers are one type, ``list of int``: they compare with each other.
"""

from __future__ import annotations

from opspec.later import later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.vocabulary import literals
else:
    literals = later("opspec.vocabulary.literals")


class Type:
    """A type of the rule language: a name, the element type of a list, or the member types of a zip's pairs.

    Of each there is one, so that trees, which ask for it all the time, compare it as fast as can be.
    """

    __slots__ = ("item", "members", "name")
    __match_args__ = ("name", "item", "members")

    name: str
    item: Type | None
    members: tuple[Type, ...]

    def __new__(cls, name: str, item: Type | None = None, members: tuple[Type, ...] = ()) -> Type:
        """The type, made where nobody has asked for it before."""
        key = name, item, members
        found = _KNOWN.get(key)
        if found is None:
            found = _KNOWN[key] = object.__new__(cls)
            found.name, found.item, found.members = key
        return found

    def __repr__(self) -> str:
        return f"Type({self.name!r}, {self.item!r}, {self.members!r})"

    def __str__(self) -> str:
        if self.name == "list":
            return f"list of {self.item}" if self.item else "empty list"
        if self.name == "pair":
            return "(" + ", ".join(map(str, self.members)) + ")"
        return self.name


_KNOWN: dict[tuple[str, Type | None, tuple[Type, ...]], Type] = {}

INT = Type("int")
INT64 = range(-(2**63), 2**63)  #: what an integer may be
FLOAT = Type("float")
BOOL = Type("bool")
STR = Type("str")
DTYPE = Type("dtype")
FORMAT = Type("format")
PRODUCT = Type("product")
TENSOR = Type("tensor")
SCALAR = Type("scalar")
POINTER = Type("pointer")
NONE = Type("none")
EMPTY = Type("list")


def list_of(item: Type) -> Type:
    """The type of a list whose elements have type ``item``."""
    return Type("list", item)


def pair_of(*members: Type) -> Type:
    """The type of zip's elements."""
    return Type("pair", None, members)


INTS = list_of(INT)
NUMBERS = (INT, FLOAT)

#: Kind of a C type (``opspec.vocabulary.ctypes_``) -> type of the param in expressions.
OF_KIND = {
    "tensor": TENSOR,
    "tensor_list": list_of(TENSOR),
    "scalar": SCALAR,
    "scalar_list": list_of(SCALAR),
    "int_array": INTS,
    "float_array": list_of(FLOAT),
    "bool_array": list_of(BOOL),
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "string": STR,
    "dtype": DTYPE,
    "pointer": POINTER,
}

#: (type, attribute) -> (type of the attribute, facet that reading it touches).
ATTRIBUTES: dict[tuple[Type, str], tuple[Type, literals.Facet]] = {
    (TENSOR, "shape"): (INTS, "shape"),
    (TENSOR, "rank"): (INT, "rank"),
    (TENSOR, "numel"): (INT, "shape"),
    (TENSOR, "dtype"): (DTYPE, "dtype"),
    (TENSOR, "format"): (FORMAT, "format"),
    (TENSOR, "strides"): (INTS, "layout"),
    (TENSOR, "offset"): (INT, "layout"),
    (TENSOR, "storage_shape"): (INTS, "layout"),
    (TENSOR, "storage_format"): (FORMAT, "format"),
    (TENSOR, "values"): (list_of(FLOAT), "values"),
    (SCALAR, "dtype"): (DTYPE, "dtype"),
    (SCALAR, "value"): (FLOAT, "value"),
}


def unify(a: Type, b: Type) -> Type | None:
    """The common type of two expressions that may stand in each other's place, or None."""
    if a == b:
        return a
    if a in NUMBERS and b in NUMBERS:
        return FLOAT
    if a.name == "list" and b.name == "list":
        if a.item is None or b.item is None:
            return b if a.item is None else a
        item = unify(a.item, b.item)
        return list_of(item) if item else None
    return None
