"""Random typed expressions and random calls, for the tests that hold the back ends against each other.

Everything is built from one primitive, a choice below n, so that Hypothesis can drive the generation (and shrink what
fails) and a seeded generator can drive it for bulk runs.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ParamSpec, TypeVar

from opspec.errors import SpecError
from opspec.language import parse, tree
from opspec.language.functions import FUNCTIONS
from opspec.language.types import (
    BOOL,
    DTYPE,
    FLOAT,
    FORMAT,
    INT,
    INTS,
    SCALAR,
    STR,
    TENSOR,
    Type,
    list_of,
)  # fmt: skip
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import Definition, ParamDef
from opspec.model.draft import Draft, Path
from opspec.model.expand import settled
from opspec.model.names import Names
from opspec.model.order import in_order
from opspec.model.spec import Spec

T = TypeVar("T")
P = ParamSpec("P")

FLOATS, BOOLS, STRS, TENSORS, SCALARS, SHAPES = map(list_of, (FLOAT, BOOL, STR, TENSOR, SCALAR, INTS))
LOW, HIGH = -(2**63), 2**63 - 1

#: name, C type, may be null
PARAMS = (
    ("x", "const aclTensor*", False), ("y", "const aclTensor*", True), ("z", "aclTensor*", True),
    ("xs", "const aclTensorList*", False), ("ys", "const aclTensorList*", True),
    ("s", "const aclScalar*", False), ("t", "const aclScalar*", True), ("ss", "const aclScalarList*", True),
    ("ints", "const aclIntArray*", False), ("more", "const aclIntArray*", True),
    ("floats", "const aclFloatArray*", True), ("bools", "const aclBoolArray*", True),
    ("n", "int64_t", False), ("u", "uint64_t", False), ("lambda", "int8_t", False),
    ("d", "double", False), ("f", "float", False), ("flag", "bool", False),
    ("text", "const char*", False), ("word", "char*", True), ("dt", "aclDataType", False), ("p", "void*", True),
)  # fmt: skip

SPEC = Spec.model_validate({
    "operator": "aclnnRandom", "release": "9.1.0", "summary": {"en": "Tests.", "zh": "测试。"},
    "products": {"910b": "yes", "A3": "unknown"},
    "params": [{"name": name, "ctype": ctype, **({"optional": "yes"} if null else {})} for name, ctype, null in PARAMS],
})  # fmt: skip


def param_defs() -> tuple[ParamDef, ...]:
    """The params, as expansion makes them."""
    from opspec.model.expand import define

    return define(SPEC).params


DEFS = param_defs()
SCOPE = parse.Scope({param.name: (param.type, param.nullable) for param in DEFS})


def affordable(make: Callable[P, T]) -> Callable[P, T]:
    """Draws again what would cost too much, as iterations inside each other may."""

    @functools.wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> T:
        while True:
            try:
                return make(*args, **kwargs)
            except SpecError as error:
                if "steps" not in error.message:
                    raise

    return made


class Choices:
    """Choices from a source of numbers."""

    def __init__(self, below: Callable[[int], int]) -> None:
        self.below = below

    def of(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def chance(self, n: int) -> bool:
        """True once in n."""
        return self.below(n) == n - 1


def seeded(seed: int) -> Choices:
    """Choices of a seeded generator."""
    return Choices(random.Random(seed).randrange)


INT_LITERALS = ("0", "1", "2", "3", "-1", "-2", "7", "64", "4294967296", "4611686018427387904", "9223372036854775807",
                "-9223372036854775808", "9007199254740993")  # fmt: skip
FLOAT_LITERALS = ("0.0", "0.5", "-0.0", "1.0", "2.5", "-3.75", "1e300", "-1e300", "1e999", "5e-324")
STRINGS = ("''", "'BSND'", "'BS'", "'{'", "'}{0}'", "'a b'", '"it\'s"', "'数据'")
DTYPE_NAMES = (
    "FLOAT",
    "FLOAT16",
    "BFLOAT16",
    "INT8",
    "INT32",
    "INT64",
    "UINT8",
    "BOOL",
    "DOUBLE",
    "COMPLEX64",
    "STRING",
    "UINT16",
    "INT4",
)
FORMAT_NAMES = ("ND", "NCHW", "FRACTAL_NZ", "NC1HWC0", "UNDEFINED")
PRODUCTS = ("'910b'", "'A3'", "'950'", "'310p'", "'910'", "'950pr'", "'950dt'")


class Expressions:
    """Writes random expressions as source text; every one is well-typed."""

    def __init__(self, choices: Choices, lets: dict[str, Type] | None = None) -> None:
        self.c = choices
        self.lets = lets or {}
        self.bound: dict[str, Type] = {}
        self.fuel = 60

    def write(self, kind: Type, depth: int) -> str:
        """An expression of a type."""
        self.fuel -= 1
        if depth <= 0 or self.fuel <= 0:
            return self.c.of(self.leaves(kind))
        if self.c.chance(6):
            return self.c.of(self.leaves(kind))
        if self.c.chance(9):
            then, other = self.write(kind, depth - 1), self.write(kind, depth - 1)
            if self.c.chance(6):
                other = "undefined"
            return f"({then} if {self.write(BOOL, depth - 1)} else {other})"
        makers = self.makers(kind)
        return self.c.of(makers)(depth - 1) if makers else self.c.of(self.leaves(kind))

    # --- leaves

    def leaves(self, kind: Type) -> list[str]:
        """Names and literals of a type."""
        names = [name for name, found in (*self.lets.items(), *self.bound.items()) if found == kind]
        names += names  # prefer them
        names += [
            name + "_" * (name == "lambda") for name, (found, _) in SCOPE.params.items()
            if found == kind and name not in self.bound
        ]  # fmt: skip
        return names + list(_LITERALS.get(str(kind), ()))

    # --- makers

    def makers(self, kind: Type) -> list[Callable[[int], str]]:
        """Ways to make an expression of a type from smaller ones."""
        found: list[Callable[[int], str]] = [
            partial(self.call, row.name) for row in FUNCTIONS.values() if row.gives == kind
        ]
        owners: dict[str, Callable[[], list[Callable[[int], str]]]] = {
            "int": self.int_makers, "float": self.float_makers, "bool": self.bool_makers,
            "dtype": lambda: [lambda depth: f"{self.object(self.c.of((TENSOR, SCALAR)), depth)}.dtype"],
            "format": lambda: [
                lambda depth: f"{self.object(TENSOR, depth)}.{self.c.of(('format', 'storage_format'))}"
            ],
            "tensor": lambda: [lambda depth: self.index(TENSORS, depth)] * 2,
            "scalar": lambda: [lambda depth: self.index(SCALARS, depth)],
        }  # fmt: skip
        if kind.name in owners:
            found += owners[kind.name]()
        if kind.name == "list":
            found += self.list_makers(kind)
        return found

    def object(self, kind: Type, depth: int) -> str:
        """A tensor or scalar: mostly a name."""
        return self.c.of(self.leaves(kind)) if not self.c.chance(4) else f"({self.write(kind, depth)})"

    def call(self, name: str, depth: int) -> str:
        """A call of a library function."""
        row = FUNCTIONS[name]
        takes = list(row.takes)
        if row.alone is not None and self.c.chance(2):
            takes = [row.alone]
        elif row.variadic:
            takes += [takes[-1]] * (self.c.below(3) + (row.alone is not None))
        return f"{name}({', '.join(self.argument(kind, depth) for kind in takes)})"

    def argument(self, kind: Type, depth: int) -> str:
        """An argument of a function."""
        if kind == FLOATS and self.c.chance(2):
            kind = INTS
        return self.write(kind, depth)

    def index(self, kind: Type, depth: int) -> str:
        """An element of a list."""
        position = self.c.of(("0", "-1", "1", "5")) if self.c.chance(2) else self.write(INT, depth - 1)
        return f"({self.write(kind, depth)})[{position}]"

    def int_makers(self) -> list[Callable[[int], str]]:
        """Ways to make an int."""

        def binary(depth: int) -> str:
            op = self.c.of(("+", "-", "*", "//", "%", "<<", ">>", "&", "|", "^"))
            return f"({self.write(INT, depth)} {op} {self.write(INT, depth)})"

        return [
            binary, binary, binary,
            lambda depth: f"({self.c.of(('-', '~', '+'))} {self.write(INT, depth)})",
            lambda depth: f"len({self.write(self.c.of((INTS, FLOATS, TENSORS, SCALARS, STR, SHAPES)), depth)})",
            lambda depth: f"{self.object(TENSOR, depth)}.{self.c.of(('rank', 'numel', 'offset'))}",
            lambda depth: f"{self.object(TENSOR, depth)}.shape[{self.c.of(('0', '1', '-1', '7'))}]",
            lambda depth: self.index(INTS, depth),
        ]  # fmt: skip

    def float_makers(self) -> list[Callable[[int], str]]:
        """Ways to make a float."""

        def binary(depth: int) -> str:
            op = self.c.of(("+", "-", "*", "/"))
            kinds = self.c.of(((FLOAT, FLOAT), (FLOAT, INT), (INT, FLOAT)))
            return f"({self.write(kinds[0], depth)} {op} {self.write(kinds[1], depth)})"

        return [
            binary, binary,
            lambda depth: f"(-{self.write(FLOAT, depth)})",
            lambda depth: f"{self.object(SCALAR, depth)}.value",
            lambda depth: f"{self.object(TENSOR, depth)}.values[{self.c.of(('0', '-1', '3'))}]",
            lambda depth: self.index(FLOATS, depth),
            lambda depth: f"({self.write(FLOAT, depth)} if {self.write(BOOL, depth)} else {self.write(INT, depth)})",
        ]  # fmt: skip

    def list_makers(self, kind: Type) -> list[Callable[[int], str]]:
        """Ways to make a list."""
        item = kind.item or INT

        def display(depth: int) -> str:
            parts = [
                f"*({self.write(kind, depth)})" if self.c.chance(4) else self.write(item, depth)
                for _ in range(1 + self.c.below(3))
            ]
            return f"({', '.join(parts)},)"

        def cut(depth: int) -> str:
            ends = ["" if self.c.chance(3) else self.write(INT, depth - 1) for _ in range(2)]
            return f"({self.write(kind, depth)})[{ends[0]}:{ends[1]}]"

        found = [
            display, cut,
            lambda depth: f"({self.write(kind, depth)} + {self.write(kind, depth)})",
            lambda depth: f"[{self.comprehension(item, depth)}]",
            lambda depth: f"[{self.comprehension(item, depth)}]",
            lambda depth: f"({self.write(kind, depth)})",
        ]  # fmt: skip
        if kind == INTS:
            names = ("shape", "strides", "storage_shape")
            found += [lambda depth: f"{self.object(TENSOR, depth)}.{self.c.of(names)}"] * 3
            found += [lambda depth: self.range_(depth)]
        if kind == FLOATS:
            found += [lambda depth: f"{self.object(TENSOR, depth)}.values"] * 3
        return found

    def range_(self, depth: int) -> str:
        """A range that is short or undefined."""
        if self.c.chance(2):
            return f"range({self.c.of(('3', 'xs[0].rank', 'y.rank', '2', 'lambda_'))})"
        low = self.write(INT, min(depth, 1))
        return f"range({low}, min({low}, 4611686018427387904) + {self.c.of(('2', 'z.rank', '-1'))})"

    def comprehension(self, kind: Type, depth: int) -> str:
        """``element for variables in source if condition``."""
        kinds = [
            self.c.of((INT, FLOAT, BOOL, TENSOR, TENSOR, SCALAR, INTS)) for _ in range(2 if self.c.chance(3) else 1)
        ]
        sources = [self.write(list_of(kind), depth - 1) for kind in kinds]
        source = f"zip({', '.join(sources)})" if len(sources) > 1 else sources[0]
        if len(sources) > 1 and self.c.chance(2):
            source = f"zip({sources[0]}, {sources[0]})"
            kinds = [kinds[0], kinds[0]]
        names = self.c.of((("a", "b"), ("v", "w"), ("x", "n")))[: len(kinds)]
        before = dict(self.bound)
        self.bound.update(zip(names, kinds, strict=True))
        element = self.write(kind, depth - 1)
        condition = f" if {self.write(BOOL, depth - 1)}" if self.c.chance(3) else ""
        self.bound = before
        return f"{element} for {', '.join(names)} in {source}{condition}"

    def bool_makers(self) -> list[Callable[[int], str]]:
        """Ways to make a bool."""
        return [
            self.compare, self.compare, self.compare, self.chain, self.member, self.is_none, self.is_none,
            self.logic, self.logic, self.logic, self.quantified, self.quantified,
            lambda depth: f"(not {self.write(BOOL, depth)})",
            lambda depth: f"given({self.write(BOOL, depth)})",
            lambda depth: f"implies({self.write(BOOL, depth)}, {self.write(BOOL, depth)})",
            lambda depth: self.index(BOOLS, depth),
            self.product, self.table,
        ]  # fmt: skip

    def compare(self, depth: int) -> str:
        """One comparison."""
        kind = self.c.of((INT, INT, FLOAT, BOOL, STR, DTYPE, FORMAT, INTS, FLOATS, SHAPES))
        ops = ("==", "!=", "<", "<=", ">", ">=") if kind in (INT, FLOAT) else ("==", "!=")
        other = self.c.of((INT, FLOAT)) if kind in (INT, FLOAT) else kind
        return f"({self.write(kind, depth)} {self.c.of(ops)} {self.write(other, depth)})"

    def chain(self, depth: int) -> str:
        """A chain of comparisons."""
        count = 2 + self.c.below(2)
        text = self.write(INT, depth)
        for _ in range(count):
            op = self.c.of(("==", "!=", "<", "<=", ">", ">="))
            text += f" {op} {self.write(self.c.of((INT, INT, FLOAT)), depth - 1)}"
        return f"({text})"

    def member(self, depth: int) -> str:
        """Membership."""
        kind = self.c.of((INT, INT, FLOAT, STR, DTYPE, INTS))
        return f"({self.write(kind, depth)} {self.c.of(('in', 'not in'))} {self.write(list_of(kind), depth)})"

    def is_none(self, depth: int) -> str:
        """A test for null."""
        names = [name for name, (kind, _) in SCOPE.params.items()
                 if kind.name in ("tensor", "scalar", "list", "str", "pointer") and name not in self.bound]  # fmt: skip
        names += [name for name, kind in self.bound.items() if kind.name in ("tensor", "scalar", "list")]
        operand = self.c.of(names) if not self.c.chance(4) else self.index(TENSORS, depth)
        return f"({operand} is {self.c.of(('', 'not '))}None)"

    def logic(self, depth: int) -> str:
        """``and`` / ``or``."""
        op = self.c.of(("and", "or"))
        return "(" + f" {op} ".join(self.write(BOOL, depth) for _ in range(2 + self.c.below(2))) + ")"

    def quantified(self, depth: int) -> str:
        """``all`` / ``any``."""
        return f"{self.c.of(('all', 'any'))}({self.comprehension(BOOL, depth)})"

    def product(self, depth: int) -> str:
        """A comparison with the product."""
        if self.c.chance(2):
            return f"(product {self.c.of(('==', '!='))} {self.c.of(PRODUCTS)})"
        names = "".join(f"{self.c.of(PRODUCTS)}, " for _ in range(self.c.below(4)))
        return f"(product {self.c.of(('in', 'not in'))} ({names}))"

    def table(self, depth: int) -> str:
        """A table of combinations."""
        kinds = [self.c.of((DTYPE, FORMAT, INT, FLOAT, STR, BOOL, TENSOR)) for _ in range(1 + self.c.below(3))]
        heads = [self.column(kind, depth) for kind in kinds]
        rows = [f"({', '.join(self.cell(kind) for kind in kinds)},)" for _ in range(1 + self.c.below(3))]
        return f"table(({', '.join(heads)},), {', '.join(rows)})"

    def column(self, kind: Type, depth: int) -> str:
        """A column of a table."""
        if kind == TENSOR:
            return self.c.of(["y", "z", "xs", "ys"])
        return (
            self.write(kind, min(depth, 2)) if kind != DTYPE or self.c.chance(3) else self.c.of(("y", "z")) + ".dtype"
        )

    def cell(self, kind: Type) -> str:
        """A cell of a table."""
        if self.c.chance(5):
            return self.c.of(("any", "None"))
        literals = ["None", "present"] if kind == TENSOR else [text for text in _LITERALS[str(kind)] if text != "1e999"]
        if kind == TENSOR:
            literals = ["None", "True"]
        if self.c.chance(3):
            return f"({', '.join(self.c.of(literals) for _ in range(1 + self.c.below(2)))},)"
        return self.c.of(literals)


THREE = (3, 1, 2)  # as an expression writes it and as a call carries it: the two would else hardly ever meet

_LITERALS: dict[str, Sequence[str]] = {
    "int": INT_LITERALS,
    "float": FLOAT_LITERALS,
    "bool": ("True", "False"),
    "str": STRINGS,
    "dtype": DTYPE_NAMES,
    "format": FORMAT_NAMES,
    "list of int": ("(1,)[1:]", "(1, 2)", "(0,)", str(THREE)),
    "list of float": ("(0.5, 1.0)", "(1e999,)"),
    "list of bool": ("(True,)", "(True, False)"),
    "list of str": ("('BSND', 'BS')", "(text,)"),
    "list of dtype": ("(FLOAT, INT8)", "(BOOL,)"),
    "list of list of int": ("((1, 2), (0,)[:0])", "((0,),)"),
    "list of tensor": ("xs", "ys"),
    "list of scalar": ("ss",),
    "tensor": ("xs[0]",),
    "scalar": ("ss[0]",),
}


# --- calls


def numbers(c: Choices) -> int:
    """An int64."""
    return c.of((0, 1, 2, 3, -1, -2, 5, 31, 63, 64, 2**31, 2**53 + 1, 2**62, HIGH, LOW, LOW + 1))


def reals(c: Choices) -> float:
    """A double."""
    return c.of((0.0, -0.0, 1.0, 0.5, -2.5, float("nan"), float("inf"), float("-inf"), 1e308, 5e-324, 2.0**53))


def shape(c: Choices) -> tuple[int, ...]:
    """A view shape: short, empty or absurd."""
    if c.chance(9):
        return THREE
    dims = (1, 2, 3, 0, 4, 1, 2, 2**31, 2**62, HIGH)
    return tuple(c.of(dims[:5] if c.chance(2) else dims) for _ in range(c.below(5)))


def tensor(c: Choices) -> Tensor:
    """Metadata of a tensor."""
    dims = shape(c)
    dtype = c.of(DTYPE_NAMES)
    values: tuple[Any, ...] | None = None
    count = 1
    for dim in dims:
        count *= dim
    if 0 <= count <= 12 and c.chance(2):
        kinds: tuple[Callable[[], Any], ...] = (
            lambda: numbers(c), lambda: reals(c), lambda: c.chance(2), lambda: 2**64 - 1,
        )  # fmt: skip
        make = c.of(kinds)
        values = tuple(make() for _ in range(count))
    return Tensor(
        dims, dtype, c.of(FORMAT_NAMES),
        strides=tuple(numbers(c) for _ in dims) if c.chance(4) else None,
        offset=numbers(c) if c.chance(4) else 0,
        storage_shape=shape(c) if c.chance(4) else None,
        storage_format=c.of(FORMAT_NAMES) if c.chance(4) else None,
        values=values,
    )  # fmt: skip


def scalar(c: Choices) -> Scalar:
    """A scalar, with its value or without."""
    values: tuple[Any, ...] = (
        None,
        0,
        1,
        -1,
        0.5,
        True,
        2**64 - 1,
        LOW,
        float("nan"),
        float("-inf"),
        1 + 2j,
        2**53 + 1,
    )
    return Scalar(c.of(DTYPE_NAMES), c.of(values))


def some(c: Choices, make: Callable[[Choices], T]) -> tuple[T, ...]:
    """A list, often short or empty."""
    return tuple(make(c) for _ in range(c.below(4)))


def argument(c: Choices, param: ParamDef) -> object:
    """An argument that a call can carry for a param; null only where it may be."""
    if param.nullable and c.chance(2):
        return None
    makers: dict[str, Callable[[Choices], object]] = {
        "tensor": tensor, "tensor_list": lambda c: some(c, lambda c: None if c.chance(5) else tensor(c)),
        "scalar": scalar, "scalar_list": lambda c: some(c, scalar),
        "int_array": lambda c: THREE if c.chance(5) else some(c, numbers),
        "float_array": lambda c: some(c, reals), "bool_array": lambda c: some(c, lambda c: c.chance(2)),
        "float": reals, "float32": lambda c: c.of((0.0, 0.5, float("nan"), float("inf"), 0.10000000149011612)),
        "bool": lambda c: c.chance(2), "string": lambda c: c.of(("", "BSND", "BS", "{", "数据")),
        "dtype": lambda c: c.of(DTYPE_NAMES), "pointer": lambda c: True,
    }  # fmt: skip
    if param.kind == "int":
        low, high = LOW if param.low is None else param.low, HIGH if param.high is None else param.high
        return c.of([n for n in (0, 1, 2, -1, 3, 5, 64, 127, HIGH, LOW, 2**63, 2**64 - 1) if low <= n <= high])
    return makers[param.kind](c)


def arguments(c: Choices) -> tuple[object, ...]:
    """The arguments of a call."""
    return tuple(argument(c, param) for param in DEFS)


def product(c: Choices) -> tuple[str | None, str | None]:
    """A call's product and member."""
    return c.of(((None, None), ("910b", None), ("A3", None), ("950", None), ("950", "950pr"), ("950", "950dt")))


@affordable
def expression(c: Choices, kinds: Sequence[Type], depth: int) -> tuple[str, tree.Node]:
    """A random expression of one of these types, and its tree."""
    written = Expressions(c).write(c.of(kinds), depth)
    return written, parse.parse(written, SCOPE)


# --- operators


LET_TYPES = (INT, FLOAT, BOOL, DTYPE, STR, INTS, FLOATS, TENSOR, TENSORS, SHAPES, FORMAT)


@affordable
def lets(c: Choices, depth: int = 3) -> tuple[dict[str, Type], dict[str, str]]:
    """Derived values: their types and their sources; later ones may read earlier ones."""
    types: dict[str, Type] = {}
    texts: dict[str, str] = {}
    for name in ("L", "M", "N")[: c.below(4)]:
        kind = c.of(LET_TYPES)
        text = Expressions(c, types).write(kind, depth)
        texts[name] = text
        types[name] = Names(DEFS, texts, dict.fromkeys(texts, ("let",))).lets()[name].type
    return types, texts


@affordable
def operator(c: Choices, rules: int = 2, depth: int = 4) -> Definition:
    """An operator with random derived values and rules, some of them guarded."""
    types, texts = lets(c)
    paths: dict[str, Path] = dict.fromkeys(texts, ("let",))
    names = Names(DEFS, texts, paths)
    found = []
    for number in range(rules):
        when = names.read(Expressions(c, types).write(BOOL, 2)) if c.chance(3) else None
        check = names.read(Expressions(c, types).write(BOOL, depth))
        path = ("rules", f"r{number}", "check")
        found.append(Draft(id=f"r{number}", kind="relation", check=check, path=path, when=when))
    definition = Definition("aclnnRandom", SPEC, DEFS, names.lets(), paths)
    return in_order(replace(definition, rules=tuple(settled(draft, names, definition) for draft in found)))


def kinds_of(node: tree.Node) -> set[str]:
    """The kinds of nodes in a tree, to see that the generator covers the language."""
    return {type(part).__name__ for part in tree.walk(node)} | {
        part.function for part in tree.walk(node) if isinstance(part, tree.Call)
    }
