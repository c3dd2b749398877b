"""Promise: what is not an expression of the language is refused where it stands, with the likely meaning."""

from __future__ import annotations

import warnings

import pytest

from opspec.errors import OpspecError, SpecError
from opspec.language import parse, text, tree
from opspec.language.parse import Scope
from opspec.language.types import BOOL, FLOAT, INT, INTS, TENSOR
from opspec.model.load import load_text
from tests.language.expressions import SCOPE


def refused(source: str, scope: Scope = SCOPE) -> SpecError:
    """The error that a text gives."""
    with pytest.raises(SpecError) as caught:
        parse.parse(source, scope)
    return caught.value


FAULTS = [
    # source, what stands at the column, part of the message
    ("y.rank == 1 and bolls[0]", "bolls", "unknown name 'bolls'; did you mean 'bools'?"),
    ("x.dtype == x.shape", "x.dtype", "dtype == list of int cannot be compared"),
    ("x.dtype in (FLOAT, INT99)", "INT99", "unknown name 'INT99'; did you mean"),
    ("n == 1 and x.dtyp == FLOAT", "x.dtyp", "a tensor has no 'dtyp'; did you mean 'dtype'?"),
    ("s.shape", "s.shape", "a scalar has no 'shape'; it has dtype, value"),
    ("n.rank == 1", "n.rank", "a int has no 'rank'"),
    ("flag and broadcastible(x.shape, y.shape)", "broadcastible", "unknown function 'broadcastible'; did you mean"),
    ("ceil_div(n) == 1", "ceil_div", "ceil_div takes 2 arguments, found 1"),
    ("promote(x.dtype, y.dtype, FLOAT) == FLOAT", "promote", "promote takes 2 arguments, found 3"),
    ("flag and promote(x.shape, FLOAT) == FLOAT", "promote", "promote takes dtype, found list of int"),
    ("min() == 1", "min", "found 0"),
    ("flag and product == '910c'", "'910c'", "unknown product id '910c'; did you mean '910'?"),
    ("product in ('910b', 'A4')", "'A4'", "unknown product id 'A4'; ids are 950, A3, 910b"),
    ("product == 910b", "0b", "product ids are written in quotes, as in product == '910b'"),
    ("product == n", "product", "the product is compared with quoted product ids only"),
    ("product == 910", "product", "the product is compared with quoted product ids only"),
    ("product == product", "product", "the product is compared with quoted product ids only"),
    ("product in (('910b',),)", "product", "the product is compared with quoted product ids only"),
    ("'910b' == product == 'A3'", "'910b'", "the product is compared with one thing at a time"),
    ("product < '910b'", "product", "cannot be compared"),
    ("len((product,)) == 1", "product", "the product is only compared, as in product in ('910b', 'A3')"),
    ("table((product, x.dtype), ('910b', FLOAT))", "product", "the product is only compared"),
    ("product", "product", "the product is only compared"),
    ("x.rank == None", "None", "None is only compared: write 'x is None'"),
    ("None is x", "None", "'is' compares with None only"),
    ("x is y", "x is", "'is' compares with None only"),
    ("n is None", "n is", "only a pointer argument can be None, not 'n'"),
    ("x.shape is None", "x.shape", "only a pointer argument can be None, not 'x.shape'"),
    ("x == y", "x ==", "tensor == tensor cannot be compared"),
    ("xs == ys", "xs", "list of tensor == list of tensor cannot be compared"),
    ("x in xs", "x in", "tensor in list of tensor cannot be compared"),
    ("flag < True", "flag", "bool < bool cannot be compared"),
    ("x.rank and flag", "x.rank", "expected bool, found int ('x.rank')"),
    ("not n", "n", "expected bool, found int"),
    ("n / 2 == 1", "n / 2", "int / int is not defined; integers divide with // (rounding down)"),
    ("d // 2 == 1", "d //", "float // int is not defined"),
    ("n ** 2 == 4", "n **", "the operator of 'n ** 2' is not part of the rule language"),
    ("text + text == text", "text", "str + str is not defined"),
    ("x.shape + n == x.shape", "x.shape", "list of int + int is not defined"),
    ("(1, x.dtype) == (1,)", "x.dtype", "a list has elements of one type: list of int, then dtype"),
    ("(n if flag else x.dtype) == 1", "n if", "both sides of 'if' need one type, found int and dtype"),
    ("x.shape[::2] == (1,)", "x.shape", "a slice has no step"),
    ("x[0] == 1", "x[0]", "a tensor has no elements to index"),
    ("x.shape['a'] == 1", "'a'", "expected int, found str"),
    ("all(x.shape)", "all", "all takes a comprehension, as in all(d > 0 for d in x.shape)"),
    ("all(d > 0 for d in x.shape for e in y.shape)", "(d", "a comprehension has one 'for' and at most one 'if'"),
    ("all(a > 0 for a, b in x.shape)", "a, b", "it needs 1 different names, not 2"),
    ("all(a > 0 for a, a in zip(ints, ints))", "a, a", "it needs 2 different names"),
    ("all(维 > 0 for 维 in x.shape)", "维 in", "expected one or more variable names"),
    ("all(d > 0 for d in n)", "n)", "expected a list to go through, found int"),
    ("zip(x.shape) == ()", "zip", "zip takes two or more lists"),
    ("sum(range(1, 2, 3)) == 1", "range", "range takes one or two integers"),
    ("given(n)", "n)", "expected bool, found int"),
    ("implies(flag)", "implies", "implies takes a condition and a statement"),
    ("table((x.dtype,))", "table", "table takes a tuple of columns and one or more rows"),
    ("table((x.dtype, n), (FLOAT,))", "(FLOAT,)", "a row has 2 cells as the head has, found 1"),
    ("table((x.dtype,), (3,))", "3", "expected a dtype literal, None or any in this column"),
    ("table((x.shape,), (any,))", "x.shape", "a column is a dtype, a format"),
    ("table((d,), (1e999,))", "1e999", "a cell is a finite number"),
    ("len(x=ints) == 1", "len", "only library functions are called, with arguments by position"),
    ("x.shape.index(1) == 1", "x.shape", "only library functions are called"),
    ("9223372036854775808 == n", "9223372036854775808", "'9223372036854775808' is not an int64"),
    ("n == 0x" + "f" * 6000, "0x", "is not an int64"),
    ("n @ 0x" + "f" * 6000, "n @", "is not part of the rule language"),
    ("(lambda: 1) == 1", "lambda", "Lambda is not part of the rule language"),
    ("f'{n}' == text", "f'", "JoinedStr is not part of the rule language"),
    ("(m := n) == 1", "m :=", "NamedExpr is not part of the rule language"),
    ("await x", "await", "Await is not part of the rule language"),
    ("{1, 2} == n", "{1", "Set is not part of the rule language"),
    ("{n: 1}", "{n", "Dict is not part of the rule language"),
    ("(v for v in ints) == ints", "(v", "GeneratorExp is not part of the rule language"),
    ("len(*ints) == 1", "*ints", "Starred is not part of the rule language"),
    ("b'a' == text", "b'a'", "a bytes literal is not part of the rule language"),
    ("1j == n", "1j", "a complex literal is not part of the rule language"),
    ("n == ...", "...", "literal is not part of the rule language"),
    ("'\\ud800' == text", "'\\ud800'", "a text holds no half of a surrogate pair"),
    ("n == 1  # as the page says", "#", "a comment is not part of an expression"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "place", "message"), FAULTS, ids=[fault[0][:40] for fault in FAULTS])
def test_a_fault_is_told_with_its_column_and_the_likely_meaning(source: str, place: str, message: str) -> None:
    error = refused(source)
    assert message in error.message
    assert len(error.message) < 300
    assert source[error.column :].startswith(place), f"column {error.column}: {source[error.column :]}"


@pytest.mark.parametrize(
    "source", ["x = 1", "import os", "x.rank == 1; n == 1", "del x", "def f(): pass", "n ==", "(n", ""]
)
def test_statements_and_halves_of_expressions_are_refused(source: str) -> None:
    assert refused(source).message.startswith(("not an expression: ", "expected an expression"))


@pytest.mark.parametrize("lead", ["", "  ", "\n\t ", "'数据' == word and "])
def test_columns_count_characters_of_the_text_as_given(lead: str) -> None:
    source = f"{lead}x.rank == floatz[0]"
    assert source[refused(source).column :] == "floatz[0]"
    source = f"{lead}x.rank == ("
    assert source[refused(source).column :] == "("


def test_lines_of_a_folded_text_are_one_expression() -> None:
    assert parse.parse("n == 1\n  and flag\r\n  and not flag", SCOPE) == parse.parse(
        "n == 1 and flag and not flag", SCOPE
    )


def test_a_comment_never_swallows_what_follows_it() -> None:
    assert "comment" in refused("n == 1 # first\nand flag").message
    assert parse.parse("word == '#'", SCOPE).type == BOOL


def test_an_escape_that_python_does_not_know_is_refused_in_silence() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "invalid escape" in refused(r"text == '\d'").message
        assert "invalid decimal literal" in refused("1if flag else n").message
    assert parse.parse(r"text == '\\'", SCOPE).type == BOOL


def test_an_expression_of_another_type_than_expected_is_refused() -> None:
    with pytest.raises(SpecError, match="expected a bool expression, found int"):
        parse.parse("x.rank + 1", SCOPE, BOOL)
    assert parse.parse("n", SCOPE, FLOAT).type == INT


def test_a_missing_param_is_an_error_with_file_line_and_column() -> None:
    spec = (
        "operator: aclnnA\nrelease: '9.1.0'\nsummary: {en: A., zh: 甲。}\nproducts: {910b: yes}\n"
        "params:\n  - {name: gradY, ctype: const aclTensor*}\nrules:\n  r: {check: 'gradY.rank == gradZ.rank'}\n"
    )
    with pytest.raises(OpspecError) as caught:
        load_text(spec, "a.yaml")
    line, column = 8, spec.split("\n")[7].index("gradZ") + 1
    assert str(caught.value).startswith(f"a.yaml:{line}:{column}: ")
    assert caught.value.report().endswith(f"\n{spec.splitlines()[7]}\n{' ' * (column - 1)}^")
    assert "unknown name 'gradZ'; did you mean 'gradY'?" in str(caught.value)


# --- names


def test_params_and_functions_are_separate_namespaces() -> None:
    names = {"max": INT, "shape": INTS, "zip": TENSOR, "all": BOOL, "range": INT}
    scope = Scope({name: (kind, False) for name, kind in names.items()})
    node = parse.parse("all(d < max for d in shape) and max(max, 1) == zip.rank and all", scope)
    assert {part.name for part in tree.walk(node) if isinstance(part, tree.Param)} == {"max", "shape", "zip", "all"}
    assert parse.parse(text.write(node), scope) == node


@pytest.mark.parametrize("name", ["lambda", "in", "None", "product", "is"])
def test_a_keyword_as_a_param_takes_an_underscore(name: str) -> None:
    scope = Scope({name: (INT, False)})
    node = parse.parse(f"{name}_ == 1", scope)
    assert node == parse.parse(text.write(node), scope)
    assert [part.name for part in tree.walk(node) if isinstance(part, tree.Param)] == [name]


def test_a_param_whose_own_name_ends_in_an_underscore_is_reached() -> None:
    scope = Scope({"lambda_": (INT, False)})
    assert parse.parse("lambda_", scope) == tree.Param("lambda_", INT)


def test_product_is_the_calls_product_whatever_the_params_are_called() -> None:
    scope = Scope({"product": (INT, False)})
    node = parse.parse("product == '910b' and product_ == 1", scope)
    assert {type(part).__name__ for part in tree.walk(node)} >= {"Product", "Param"}
    assert parse.parse(text.write(node), scope) == node


def test_names_of_the_vocabulary_are_canonical() -> None:
    """FLOAT32 is FLOAT; UNDEFINED is the format of that name, the dtype is DT_UNDEFINED."""
    assert text.write(parse.parse("x.dtype in (FLOAT32, BF16, DT_UNDEFINED)", SCOPE)) == (
        "x.dtype in (FLOAT, BFLOAT16, DT_UNDEFINED)"
    )
    assert parse.parse("x.format == UNDEFINED", SCOPE).type == BOOL


def test_a_variable_hides_a_param_and_gives_it_back() -> None:
    node = parse.parse("any(x > 0 for x in x.shape) and x.rank == 1", SCOPE)
    assert parse.parse(text.write(node), SCOPE) == node


@pytest.mark.parametrize(
    ("source", "written"),
    [
        ("- (+ 5) < n", "-5 < n"),
        ("--5 < n", "--5 < n"),
        ("-9223372036854775808 <= n", "-9223372036854775808 <= n"),
        ("d < 1e999", "d < 1e999"),
        ("d > -1e999", "d > -1e999"),
        ("(flag and flag) and flag", "(flag and flag) and flag"),
        ("n - (n - 1) == (n,)[0]", "n - (n - 1) == (n,)[0]"),
        ("[v for v in ints][0] == 1", "[v for v in ints][0] == 1"),
        ("(x if flag else y).rank == 1", "(x if flag else y).rank == 1"),
        ("() == ints", "() == ints"),
        ("(flag == True) == flag", "(flag == True) == flag"),
        ("not (not flag)", "not not flag"),
        (
            "table((ys, text), (present, BSND), (None, any))",
            "table((ys is not None, text,), (True, 'BSND',), (False, any,))",
        ),
    ],
)
def test_the_canonical_text_gives_the_tree_back(source: str, written: str) -> None:
    node = parse.parse(source, SCOPE)
    assert text.write(node) == written
    assert parse.parse(written, SCOPE) == node
