"""The function library: one row per function owns its type, Python, C, English, Chinese, a checked example, and whatever
else is known of it: who has to know a function asks its row, and nobody knows one by its name.

To add a function, add its implementation to ``runtime``, by a name of its own, and a row here; parser, interpreter, compiler, prose and the
reference page follow from the row. What a row leaves out costs nothing but an opportunity.
"""

from __future__ import annotations

from collections.abc import Callable

from opspec.language import runtime, solutions
from opspec.language.ranges import WIDE, Bounds
from opspec.language.record import record
from opspec.language.types import BOOL, DTYPE, FLOAT, FORMAT, INT, INTS, STR, TENSOR, Type, list_of
from opspec.later import later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.vocabulary import literals
else:
    literals = later("opspec.vocabulary.literals")

NUMBERS_LIST = list_of(FLOAT)


def _anywhere(*args: Bounds) -> Bounds:
    return WIDE


@record(frozen=True, slots=True)
class Function:
    """A row of the library.

    Args:
        name: as written in expressions.
        takes: types of the arguments; with ``variadic`` the last repeats one or more times.
        gives: type of the result.
        python: the implementation; raises ``runtime.Undefined`` where the result is undefined.
        partial: whether the result can be undefined although every argument is defined.
        c: the C function the C back end calls; one of numbers has a second of integers, one that can be alone a
            second of a list.
        en, zh: noun phrase (or, for a boolean, a statement) with ``{0}``, ``{1}`` … for the arguments; where a condition
            has other words than "is" for what "must be", both: ``[must start|starts]``.
            ``{b0}`` is what the first argument is an attribute of, ``{*}`` and ``{*b}`` list all of them; ``{c2}`` says
            the third as a condition, ``{e0}`` the elements of the first.
        not_en, not_zh: the statement's denial, for booleans.
        example: an expression without params and what it yields, run as a test.
        alone: type of a single argument in place of several: a list of them; with several, the result is defined.
        symmetrical: whether the order of the arguments changes nothing.
        of_equals: whether it is true of two equal arguments, or yields them.
        defines: the function that is defined where this statement is true, and only there.
        facet: what it reads of the tensors that it takes.
        bounds: bounds of an integer that it yields, by those of the arguments.
        solve: arguments that may give a result.
        or_none: whether ``runtime`` has it as ``NAME_or_none``, too, which yields None where the result is undefined.
        c_limit: whether C, which allocates nothing, can be unable to say.
        c_set: the set of C that it asks for its one argument.
        c_equal: of shapes: the C function that compares a tensor's with the result for those of others.
    """

    name: str
    takes: tuple[Type, ...]
    gives: Type
    python: Callable[..., object]
    c: str
    en: str
    zh: str
    example: tuple[str, str]
    partial: bool = False
    variadic: bool = False
    not_en: str = ""
    not_zh: str = ""
    alone: Type | None = None
    symmetrical: bool = False
    of_equals: bool = False
    defines: str = ""
    facet: literals.Facet | None = None
    bounds: Callable[..., Bounds] = _anywhere
    solve: solutions.Solve = solutions.unknown
    or_none: bool = False
    c_limit: bool = False
    c_set: str = ""
    c_equal: str = ""

    @property
    def of_names(self) -> bool:
        """Whether it takes nothing but names of dtypes and formats: results for these few are remembered."""
        return all(kind in (DTYPE, FORMAT) for kind in self.takes)


def said(words: str, mood: int) -> str:
    """Words of a row as a requirement (0) or as a condition (1), where they differ."""
    before, bracket, rest = words.partition("[")
    moods, _, after = rest.partition("]")
    return before + moods.split("|")[mood] + after if bracket else words


def _axes(_: Bounds, rank: Bounds) -> Bounds:
    return 0, max(rank[1] - 1, 0)


def _least(*args: Bounds) -> Bounds:
    return min(low for low, _ in args), min(high for _, high in args)


def _greatest(*args: Bounds) -> Bounds:
    return max(low for low, _ in args), max(high for _, high in args)


_ROWS = (
    Function("abs", (INT,), INT, runtime.absolute, "opspec_abs", "the magnitude of {0}", "{0}的绝对值", ("abs(-3)", "3"), partial=True),
    Function("min", (INT,), INT, runtime.least, "opspec_min", "the least of {*}", "{*}中的最小值", ("min(3, 1, 2)", "1"), partial=True, variadic=True, alone=INTS,
             symmetrical=True, bounds=_least, solve=solutions.both),
    Function("max", (INT,), INT, runtime.greatest, "opspec_max", "the greatest of {*}", "{*}中的最大值", ("max(3, 1, 2)", "3"), partial=True, variadic=True, alone=INTS,
             symmetrical=True, bounds=_greatest, solve=solutions.both),
    Function("sum", (INTS,), INT, runtime.total, "opspec_sum", "the sum of {0}", "{0}的总和", ("sum((1, 2, 3))", "6"), partial=True, solve=solutions.single),
    Function("prod", (INTS,), INT, runtime.prod, "opspec_prod", "the product of {0}", "{0}的乘积", ("prod((2, 3, 4))", "24"), partial=True, solve=solutions.single),
    Function("ceil_div", (INT, INT), INT, runtime.ceil_div, "opspec_ceil_div", "ceil({0} / {1})", "ceil({0} / {1})", ("ceil_div(7, 2)", "4"), partial=True, solve=solutions.dividend),
    Function("align_up", (INT, INT), INT, runtime.align_up, "opspec_align_up", "{0} rounded up to a multiple of {1}", "{0}向上对齐到{1}的倍数", ("align_up(7, 4)", "8"), partial=True, solve=solutions.first),
    Function("floor", (FLOAT,), INT, runtime.floor, "opspec_floor", "floor({0})", "floor({0})", ("floor(2.5)", "2"), partial=True),
    Function("ceil", (FLOAT,), INT, runtime.ceil, "opspec_ceil", "ceil({0})", "ceil({0})", ("ceil(2.5)", "3"), partial=True),
    Function("broadcast", (INTS,), INTS, runtime.broadcast, "opspec_broadcast", "the shape that {*b} broadcast to", "{*b}广播后的shape", ("broadcast((2, 1), (3,))", "(2, 3)"), partial=True, variadic=True, symmetrical=True,
             of_equals=True, solve=solutions.both, or_none=True, c_equal="opspec_is_broadcast"),
    Function("broadcastable", (INTS, INTS), BOOL, runtime.broadcastable, "opspec_broadcastable", "{b0} and {b1} must be broadcastable", "{b0}与{b1}必须满足broadcast关系", ("broadcastable((2, 3), (4,))", "False"),
             not_en="{b0} and {b1} must not be broadcastable", not_zh="{b0}与{b1}不能满足broadcast关系", symmetrical=True, of_equals=True,
             defines="broadcast", solve=solutions.alike),
    Function("broadcastable_to", (INTS, INTS), BOOL, runtime.broadcastable_to, "opspec_broadcastable_to", "{b0} must be broadcastable to {1}", "{b0}必须能广播为{1}", ("broadcastable_to((1, 3), (2, 3))", "True"),
             not_en="{b0} must not be broadcastable to {1}", not_zh="{b0}[不能|无法]广播为{1}", of_equals=True, solve=solutions.alike),
    Function("promote", (DTYPE, DTYPE), DTYPE, runtime.promote, "opspec_promote", "the data type that {*b} promote to", "{*b}推导后的数据类型", ("promote(FLOAT16, FLOAT)", "FLOAT"), partial=True, symmetrical=True, solve=solutions.both),
    Function("promotable", (DTYPE, DTYPE), BOOL, runtime.promotable, "opspec_promotable", "the data types of {*b} [must promote|promote] to a common one", "{*b}的数据类型必须满足互推导关系", ("promotable(UINT16, FLOAT)", "False"),
             not_en="the data types of {*b} [must not promote|do not promote] to a common one", not_zh="{*b}的数据类型[不能满足|不满足]互推导关系", symmetrical=True,
             of_equals=True, defines="promote", solve=solutions.alike),
    Function("promote_scalar", (DTYPE, DTYPE), DTYPE, runtime.promote_scalar, "opspec_promote_scalar", "the data type that tensor {b0} and scalar {b1} promote to", "Tensor {b0}与Scalar {b1}推导后的数据类型", ("promote_scalar(FLOAT16, DOUBLE)", "FLOAT16"), partial=True, solve=solutions.both),
    Function("castable", (DTYPE, DTYPE), BOOL, runtime.castable, "opspec_castable", "{0} must be convertible to {1}", "{0}[必须能|能]转换为{1}", ("castable(FLOAT, INT32)", "False"),
             not_en="{0} must not be convertible to {1}", not_zh="{0}[不能|无法]转换为{1}", of_equals=True, solve=solutions.alike),
    Function("bits", (DTYPE,), INT, runtime.bits, "opspec_bits", "the bit width of {b0}", "{b0}的位宽", ("bits(FLOAT16)", "16"), partial=True, solve=solutions.width),
    Function("is_floating", (DTYPE,), BOOL, runtime.is_floating, "opspec_is_floating", "{0} must be a floating-point type", "{0}必须为浮点类型", ("is_floating(BFLOAT16)", "True"),
             not_en="{0} must not be a floating-point type", not_zh="{0}不能为浮点类型", c_set="OPSPEC_FLOATING"),
    Function("is_integer", (DTYPE,), BOOL, runtime.is_integer, "opspec_is_integer", "{0} must be an integer type", "{0}必须为整数类型", ("is_integer(UINT8)", "True"),
             not_en="{0} must not be an integer type", not_zh="{0}不能为整数类型", c_set="OPSPEC_INTEGER"),
    Function("is_complex", (DTYPE,), BOOL, runtime.is_complex, "opspec_is_complex", "{0} must be a complex type", "{0}必须为复数类型", ("is_complex(COMPLEX64)", "True"),
             not_en="{0} must not be a complex type", not_zh="{0}不能为复数类型", c_set="OPSPEC_COMPLEX"),
    Function("is_private", (FORMAT,), BOOL, runtime.is_private, "opspec_is_private", "{0} must be a private format", "{0}必须为私有格式", ("is_private(FRACTAL_NZ)", "True"),
             not_en="{0} must not be a private format", not_zh="{0}不能为私有格式", c_set="OPSPEC_PRIVATE"),
    Function("contiguous", (TENSOR,), BOOL, runtime.contiguous, "opspec_contiguous", "{0} must be contiguous", "{0}[必须是|是]连续的Tensor", ("", ""),
             not_en="{0} must not be contiguous", not_zh="{0}[不能是|不是]连续的Tensor", facet="layout"),
    Function("transposed_last2", (TENSOR,), BOOL, runtime.transposed_last2, "opspec_transposed_last2", "{0} must be a view with its last two axes swapped", "{0}[必须是|是]后两维转置的视图", ("", ""),
             not_en="{0} must not be a view with its last two axes swapped", not_zh="{0}[不能是|不是]后两维转置的视图", facet="layout"),
    Function("increasing", (NUMBERS_LIST,), BOOL, runtime.increasing, "opspec_increasing", "{0} must be strictly increasing", "{0}必须严格递增", ("increasing((1, 2, 2))", "False"),
             not_en="{0} must not be strictly increasing", not_zh="{0}不能严格递增"),
    Function("nondecreasing", (NUMBERS_LIST,), BOOL, runtime.nondecreasing, "opspec_nondecreasing", "{0} [must not decrease|does not decrease]", "{0}必须单调不减", ("nondecreasing((1, 2, 2))", "True"),
             not_en="{0} [must decrease|decreases] somewhere", not_zh="{0}不能单调不减"),
    Function("distinct", (NUMBERS_LIST,), BOOL, runtime.distinct, "opspec_distinct", "{e0} [must differ|differ] from each other", "{e0}必须互不相同", ("distinct((1, 2, 1))", "False"),
             not_en="some of {e0} [must be|are] equal", not_zh="{e0}中[必须有|有]相同的值", solve=solutions.counted, c_limit=True),
    Function("axis", (INT, INT), INT, runtime.axis, "opspec_axis", "the axis {0} of {1}", "{1}维中的{0}轴", ("axis(-1, 4)", "3"), partial=True, bounds=_axes, solve=solutions.first),
    Function("permuted", (INTS, INTS), INTS, runtime.permuted, "opspec_permuted", "{0} permuted by {1}", "{0}按{1}重排后的结果", ("permuted((2, 3, 4), (2, 0, 1))", "(4, 2, 3)"), partial=True),
    Function("reduced", (INTS, INTS, BOOL), INTS, runtime.reduced, "opspec_reduced", "{0} reduced along {1} (with every reduced dimension kept at size 1 if {c2})", "{0}沿{1}轴规约后的结果（{c2}时被规约的轴保留为1）", ("reduced((2, 3, 4), (1,), False)", "(2, 4)"), partial=True, solve=solutions.unreduced),
    Function("starts_with", (STR, STR), BOOL, runtime.starts_with, "opspec_starts_with", "{0} [must start|starts] with {1}", "{0}必须以{1}开头", ("starts_with('BSND', 'BS')", "True"),
             not_en="{0} [must not start|does not start] with {1}", not_zh="{0}不能以{1}开头", solve=solutions.alike),
)  # fmt: skip

FUNCTIONS: dict[str, Function] = {row.name: row for row in _ROWS}

#: Forms whose operands are no plain arguments, each a kind of node of its own (``tree``), as it is written and what it means.
FORMS = {
    "len": "`len(x)`: how many elements a list has, characters a text",
    "all": "`all(e for v in list)`: every element satisfies e (three-valued)",
    "any": "`any(e for v in list)`: some element satisfies e (three-valued)",
    "range": "`range(n)`, `range(a, b)`: the integers from 0 or a up to n or b, exclusive; at most a million",
    "zip": "`zip(a, b, …)`: elements side by side; undefined when the lengths differ",
    "given": "`given(e)`: e, and true where e reads an absent argument",
    "implies": "`implies(w, e)`: given(e) where w is true; true where w is false",
    "table": "`table((column, …), (cell, …), …)`: some row holds every column's value",
}
