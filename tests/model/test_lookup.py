"""Promise: a generated interface checks what its kernel's definition says, in one order, and nothing else."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from opspec.errors import OpspecError
from opspec.language.interpret import Env, evaluate
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import Definition
from opspec.model.ends import Ends
from opspec.model.enforcement import by_default, grounds_of, is_conflict, is_refused
from opspec.model.kernels import FILE, Kernel, kernel_of, parsed, text_of
from opspec.model.lines import line
from opspec.model.load import load_file, load_text
from opspec.model.lookup import lookup
from opspec.model.neighbours import Neighbours, names_of
from opspec.registry.compile import compile_operator
from opspec.registry.registry import Form
from opspec.validator.judge import judge, judge_by_interpreter
from opspec.validator.verdict import Verdict
from opspec.vocabulary.enforcement import REFUSED, UNKNOWN
from tests.committed import MANY, SPECS
from tests.model.building import definition as definition_of
from tests.model.building import form, spec
from tests.paths import REPOSITORY

TABLE = REPOSITORY / "specs" / "9.1.0" / FILE
KERNEL = (
    '{"kernel": "AddAll", "inputs": {"x": "DYNAMIC", "scale": "OPTIONAL", "alpha": "REQUIRED", "acc": "REQUIRED"}, '
    '"attrs": {"mode": "OPTIONAL"}, "outputs": {"acc": "REQUIRED", "y": "REQUIRED"}, "combinations": ['
    '{"products": ["910b"], "rows": ["FLOAT FLOAT INT32 INT32 FLOAT", '
    '"FLOAT16 FLOAT INT32 INT32 FLOAT16/FRACTAL_NZ"]}]}'
)
BODY = """
generated_from: AddAll
params:
  - {name: x, ctype: const aclTensorList*, dtype: [FLOAT, FLOAT16, BFLOAT16], rank: 1-8}
  - {name: scaleOptional, ctype: const aclTensor*, optional: yes, dtype: FLOAT}
  - {name: alpha, ctype: const aclScalar*, optional: yes, dtype: [FLOAT, DOUBLE]}
  - {name: accRef, ctype: aclTensor*, io: inout, dtype: INT32}
  - {name: mode, ctype: char*, enum: [plain, fast]}
  - {name: out, ctype: aclTensor*, io: out, format: any}
rules:
  same: {check: "x[0].shape == out.shape", enforced: yes, from: [161002/1]}
  mode.enum: {enforced: yes}
clauses:
  161002/2: [x.dtype, scaleOptional.dtype]
"""
X, ACC = Tensor((2, 3), "FLOAT"), Tensor((2, 3), "INT32")
CALL = {
    "x": (X,),
    "scaleOptional": None,
    "alpha": Scalar("FLOAT", 1.0),
    "accRef": ACC,
    "own": 0,
    "mode": "plain",
    "out": X,
}


@pytest.fixture
def definition(tmp_path: Path) -> Definition:
    """An operator whose interface is generated from the kernel."""
    return loaded(tmp_path)


def loaded(folder: Path, body: str = BODY) -> Definition:
    """The operator, of the family that the folder's name says."""
    (folder / FILE).write_text(f"{KERNEL}\n")
    return load_text(spec(body), str(folder / "x.yaml")).definitions[0]


def verdict(definition: Definition, product: str = "910b", **changes: Any) -> Verdict:
    """What both back ends say of a legal call with changes."""
    namespace: dict[str, object] = {}
    exec(compile(compile_operator(definition).source, "<x>", "exec"), namespace)  # noqa: S102 - generated from typed trees
    form = Form(namespace)
    args = tuple({**CALL, **changes}[param.name] for param in definition.params)
    found = judge(form, args, product)
    assert found.to_dict() == judge_by_interpreter(form, args, product).to_dict()
    return found


def test_the_first_that_applies_decides(definition: Definition) -> None:
    wrong = Tensor((2, 3), "INT8")
    assert verdict(definition).code == 0
    for changes, product, rule, code in (
        ({"x": None, "out": wrong}, "A3", "x.null", 161001),
        ({"alpha": None}, "910b", "alpha.required", 161001),
        ({"out": wrong}, "310p", "product", 161001),
        ({"out": wrong}, "A3", "kernel.product", 161001),
        ({"x": (X,) * 257, "out": wrong}, "910b", "x.tensors", 161002),
        ({"out": wrong, "mode": "odd"}, "910b", "kernel.combination", 161002),
        ({"mode": "odd"}, "910b", "mode.enum", 561002),
        ({"out": Tensor((7,), "FLOAT")}, "910b", "same", 561002),
    ):
        found = verdict(definition, product, **changes)
        assert (found.violations[0].rule, found.code) == (rule, code)


@pytest.mark.parametrize("family", ["math", "posembedding"])
def test_null_pointers_are_refused_in_every_family(tmp_path: Path, family: str) -> None:
    """Also where hand-written first phases leave nearly all checks to tiling."""
    folder = tmp_path / family
    folder.mkdir()
    found = loaded(folder)
    assert verdict(found, x=None).code == verdict(found, out=None).code == 161001


def test_all_required_ones_equal_one_combination_together(definition: Definition) -> None:
    half = Tensor((2, 3), "FLOAT16")
    stored = Tensor((2, 3), "FLOAT16", "FRACTAL_NZ")
    assert verdict(definition, x=(half,), out=stored).code == 0
    assert verdict(definition, x=(half,), out=half).code == 161002
    assert verdict(definition, x=(X,), out=stored).code == 161002
    assert verdict(definition, x=(Tensor((2, 3), "BFLOAT16"),)).code == 161002  # the page has it, no combination


@pytest.mark.parametrize("format_", ["ND", "NCHW", "NHWC", "NCDHW", "NCL"])
def test_formats_that_count_as_nd(definition: Definition, format_: str) -> None:
    assert verdict(definition, accRef=Tensor((2, 3), "INT32", format_)).code == 0


def test_what_is_not_compared(definition: Definition) -> None:
    """Optional ones, elements behind the first, a scalar's DOUBLE; formats beyond are."""
    assert verdict(definition, alpha=Scalar("DOUBLE", 1.0)).code == 0
    assert verdict(definition, x=(X, Tensor((2, 3), "INT8"))).code == 0
    assert verdict(definition, scaleOptional=Tensor((2,), "INT8")).violations[0].stage == "tiling"
    assert verdict(definition, accRef=Tensor((2, 3), "INT32", "NDHWC")).code == 161002
    assert verdict(definition, alpha=Scalar("INT64", 1)).code == 161002


def test_outputs_without_elements_end_the_first_phase_once_the_combination_is_found(definition: Definition) -> None:
    empty, nothing = Tensor((0,), "FLOAT"), Tensor((0,), "INT32")
    assert verdict(definition, accRef=nothing, out=empty, mode="odd").code == 0
    assert verdict(definition, accRef=nothing, mode="odd").code == 561002
    assert verdict(definition, accRef=nothing, out=Tensor((0,), "INT8")).code == 161002


def test_the_lookup_alone_says_what_it_refuses(definition: Definition) -> None:
    """A rule of the page about the same dtypes is not a second finding; the nearest combination is named, short."""
    found = verdict(definition, x=(Tensor((2, 3), "INT8"),))
    assert [finding.rule for finding in (*found.violations, *found.warnings)] == ["kernel.combination"]
    assert "in the nearest supported combination, the data type of x[0] must be FLOAT" in found.violations[0].message
    assert len(found.violations[0].message) < 200
    assert "x.dtype" in [finding.rule for finding in found.undecided]


def test_rows_of_return_codes_do_not_reach_what_the_interface_does_not_look_at(definition: Definition) -> None:
    rules = {rule.id: rule for rule in definition.rules}
    assert {rules[name].stage for name in ("same", "mode.null", "x.dtype", "scaleOptional.dtype")} == {"tiling"}
    assert not is_refused(rules["x.dtype"], definition)
    assert is_refused(rules["same"], definition)


RELATED = BODY.replace(
    "rules:\n",
    'rules:\n  alike: "accRef.rank == out.rank"\n  beside: "accRef.shape == out.shape"\n'
    '  first: "accRef.shape[0] == out.shape[0]"\n',
)


def test_tiling_is_taken_to_look_at_what_most_tilings_look_at(tmp_path: Path) -> None:
    """Where neither calls nor neighbours tell: at whole shapes beside others and their ranks, not at single sizes."""
    definition = loaded(tmp_path, RELATED)
    rules = {rule.id: rule for rule in definition.rules}
    assert is_refused(rules["alike"], definition)
    assert is_refused(rules["beside"], definition)
    assert not is_refused(rules["first"], definition)


def test_neighbours_tell_what_tiling_does_on_each_product(tmp_path: Path) -> None:
    definition = loaded(tmp_path, RELATED)
    rule = next(rule for rule in definition.rules if rule.id == "beside")
    names = names_of(
        rule, grounds_of(rule, definition), frozenset(param.name for param in definition.params), tiled=True
    )
    through, refused = Ends(through=9), Ends(tiling=4)
    known = Neighbours(family={names.family: through.plus(refused), names.on("A3").family: refused})
    found = by_default(rule, replace(definition, neighbours=known))
    assert (found.usual, found.on_product("910b"), found.on_product("A3")) == (UNKNOWN, UNKNOWN, REFUSED)


@pytest.mark.parametrize(("configured", "code"), [("", 161002), ("configured: [310p]", 0)])
def test_what_the_configuration_has_is_not_refused_for_its_product(configured: str, code: int) -> None:
    """A page that denies a product which kernels of a hand-written interface are configured for: a conflict."""
    body = f"{configured}\nparams:\n  - {{name: x, ctype: const aclTensor*}}\n"
    found = judge(form(body), (X,), "310p")
    assert (found.legal, found.code) == (False, code)
    denied = [rule for rule in definition_of(body).rules if rule.id == "product.excluded"]
    assert [is_conflict(rule, definition_of(body)) for rule in denied] == ([True] if configured else [])


def test_where_page_and_definition_differ_is_a_conflict(definition: Definition) -> None:
    found = {rule.id for rule in definition.rules if is_conflict(rule, definition)}
    assert found == {"alpha.required", "kernel.product", "x.kernel-dtype"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("AddAll", "AddAl", "unknown kernel 'AddAl'; did you mean 'AddAll'"),
        ("name: out,", "name: other, ctype: int64_t}\n  - {name: out,", "do not agree: no part for other"),
        (
            "  - {name: alpha, ctype: const aclScalar*, optional: yes, dtype: [FLOAT, DOUBLE]}\n",
            "",
            "no param for alpha",
        ),
        ("{name: x, ctype: const aclTensorList*,", "{name: x, ctype: const aclTensor*,", "x stands for x of AddAll"),
        ("io: inout, ", "", "accRef stands for acc of AddAll, which is an output"),
    ],
)
def test_params_agree_with_the_definition(tmp_path: Path, old: str, new: str, said: str) -> None:
    (tmp_path / FILE).write_text(f"{KERNEL}\n")
    with pytest.raises(OpspecError, match=r"x\.yaml:\d+") as caught:
        load_text(spec(BODY.replace(old, new)), str(tmp_path / "x.yaml"))
    assert said in str(caught.value)


def test_an_earlier_version_lacks_optional_parts(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(f"{KERNEL}\n")
    text = BODY.replace("  - {name: mode, ctype: char*, enum: [plain, fast]}\n", "")
    text = text.replace("  mode.enum: {enforced: yes}\n", "")
    assert load_text(spec(text), str(tmp_path / "x.yaml")).definitions[0].rule("kernel.combination")


# --- interfaces that end in a generated one

ENDS_IN = BODY.replace("generated_from: AddAll", "looks_up: AddAll\nkernel_parts: {y: out}").replace(
    "  - {name: mode,", "  - {name: own, ctype: int64_t, range: '[0, 7]'}\n  - {name: mode,"
)
ENDS_IN = ENDS_IN.replace("rules:\n", 'rules:\n  late: {check: "own != 3", stage: tiling}\n')


@pytest.fixture
def ends_in(tmp_path: Path) -> Definition:
    """An operator whose hand-written interface, with a param of its own, ends in the generated one of the kernel."""
    (tmp_path / FILE).write_text(f"{KERNEL}\n")
    return load_text(spec(ENDS_IN), str(tmp_path / "x.yaml")).definitions[0]


def test_own_checks_come_before_the_lookup(ends_in: Definition) -> None:
    """Nothing else of the definition holds there: not what it requires, nor the products that it is for."""
    wrong = Tensor((2, 3), "INT8")
    assert verdict(ends_in, own=0).code == 0
    for changes, product, rule, code in (
        ({"x": None, "out": wrong}, "910b", "x.null", 161001),
        ({"own": 8, "out": wrong}, "910b", "own.range", 161002),
        ({"x": (X,) * 257}, "910b", "x.tensors", 161002),
        ({"out": wrong}, "910b", "kernel.combination", 161002),
    ):
        found = verdict(ends_in, product, **{"own": 0, **changes})
        assert (found.violations[0].rule, found.code) == (rule, code)
    ids = {rule.id for rule in ends_in.rules}
    assert not ids & {"alpha.required", "kernel.product", "product.excluded", "x.kernel-dtype"}
    assert "kernel.combination" not in {one.rule for one in verdict(ends_in, "A3", own=0, out=wrong).violations}


def test_outputs_without_elements_end_it_behind_checks_and_lookup(ends_in: Definition) -> None:
    empty, nothing = Tensor((0,), "FLOAT"), Tensor((0,), "INT32")
    assert verdict(ends_in, own=8, accRef=nothing, out=empty).code == 161002
    assert verdict(ends_in, own=0, accRef=nothing, out=Tensor((0,), "INT8")).code == 161002
    for acc, code in ((ACC, 561002), (nothing, 0)):
        found = verdict(ends_in, own=3, x=(empty,), accRef=acc, out=empty)
        assert "late" in {one.rule for one in found.violations}
        assert found.code == code


def test_behind_checks_the_lookup_alone_says_what_it_refuses(ends_in: Definition) -> None:
    found = verdict(ends_in, own=0, x=(Tensor((2, 3), "INT8"),))
    assert [finding.rule for finding in found.violations] == ["kernel.combination"]
    rules = {rule.id: rule for rule in ends_in.rules}
    assert not is_refused(rules["x.dtype"], ends_in)  # where the lookup lets it pass
    assert not is_conflict(rules["kernel.combination"], ends_in)


def test_what_may_be_null_is_filled_in(tmp_path: Path) -> None:
    """A required part whose param may be null is compared where it is there."""
    (tmp_path / FILE).write_text(f"{KERNEL}\n")
    text = ENDS_IN.replace("io: out, format: any", "io: out, format: any, optional: yes")
    found = load_text(spec(text), str(tmp_path / "x.yaml")).definitions[0]
    half = Tensor((2, 3), "FLOAT16")
    assert "kernel.combination" not in {one.rule for one in verdict(found, own=0, x=(half,), out=None).violations}
    assert verdict(found, own=0, x=(half,), out=X).code == 161002


def test_eight_int4_may_come_as_one_int32(tmp_path: Path) -> None:
    """Where params take both and the kernel lists INT4 alone, they are looked up as INT4: all of them, or none."""
    (tmp_path / FILE).write_text(
        KERNEL.replace('"FLOAT16 FLOAT', '"INT4 FLOAT INT32 INT32 INT4", "FLOAT16 FLOAT') + "\n"
    )
    text = ENDS_IN.replace("BFLOAT16]", "BFLOAT16, INT4, INT32]").replace("io: out,", "io: out, dtype: [INT4, INT32],")
    found = load_text(spec(text), str(tmp_path / "x.yaml")).definitions[0]
    for x, out, fits in (("INT4", "INT4", True), ("INT32", "INT32", True), ("INT32", "INT4", False)):
        broken = {one.rule for one in verdict(found, own=0, x=(Tensor((2, 3), x),), out=Tensor((2, 3), out)).violations}
        assert ("kernel.combination" not in broken) == fits


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{y: out}", "{z: out}", "AddAll has no part 'z'"),
        ("{y: out}", "{y: ou}", "unknown param 'ou'; did you mean 'out'"),
        ("kernel_parts:", "generated_from: AddAll\nkernel_parts:", "not both"),
        ("{y: out}", "{x: none, alpha: none, acc: none, y: none}", "no param stands for a part"),
    ],
)
def test_parts_that_a_spec_names_are_there(tmp_path: Path, old: str, new: str, said: str) -> None:
    (tmp_path / FILE).write_text(f"{KERNEL}\n")
    with pytest.raises(OpspecError, match=r"x\.yaml:\d+") as caught:
        load_text(spec(ENDS_IN.replace(old, new)), str(tmp_path / "x.yaml"))
    assert said in str(caught.value)


# --- the table


def test_lines_are_what_is_read_of_them() -> None:
    for row in TABLE.read_bytes().splitlines():
        kernel = parsed(row, "a test")
        assert text_of(kernel).encode() == row
        assert line(str(TABLE), "kernel", kernel.name) == row


@pytest.mark.parametrize(
    "line",
    [b"{", b"[]", b'{"kernel": "X"}', KERNEL.replace("FLOAT FLOAT INT32", "FLOAT INT32").encode(),
     KERNEL.replace("DYNAMIC", "SOME").encode()],
)  # fmt: skip
def test_a_damaged_line_is_an_error(line: bytes) -> None:
    with pytest.raises(OpspecError, match="expected"):
        parsed(line, "kernels.jsonl")


def test_the_lookup_says_what_the_rows_say() -> None:
    """Factored and merged, the check accepts the very combinations of the table: on committed specs."""
    generated = [path for path in SPECS if b"\ngenerated_from: " in path.read_bytes()]
    rng = random.Random(3)
    for path in rng.sample(generated, min(6 * MANY, len(generated))):
        definition = load_file(str(path)).definitions[0]
        name = definition.spec.generated_from
        if name is not None:
            compare(definition, kernel_of(str(path), name), rng)


def compare(definition: Definition, kernel: Kernel, rng: random.Random) -> None:
    """Rows, and rows with one word of another row, against the words themselves."""
    found = lookup(kernel, definition.spec)
    rule = definition.rule("kernel.combination")
    assert rule is not None
    kinds = {param.name: param.kind for param in definition.params}
    for group in kernel.combinations:
        for _ in range(40):
            row = list(rng.choice(group.rows))
            place = rng.randrange(len(row))
            row[place] = rng.choice(rng.choice(group.rows))
            args: dict[str, object] = dict.fromkeys(kinds)
            clash = False
            for part, (dtype, format_) in zip(kernel.compared, row, strict=True):
                param = found.params[part].name
                value = argument(kinds[param], dtype, format_)
                clash = clash or args[param] not in (None, value) or value is None
                args[param] = value
            if not clash:
                env = Env(args, definition.lets, group.products[0], None)
                assert evaluate(rule.check, env) is (tuple(row) in group.rows)


def argument(kind: str, dtype: str, format_: str) -> object:
    """An argument of this dtype and format; None where the kind has none of them, or counts it as another."""
    if kind.startswith("scalar") and dtype == "DOUBLE":
        return None
    one = Scalar(dtype, 1) if kind.startswith("scalar") else Tensor((2,), dtype, format_)
    if kind.endswith("_array"):
        return (1,) if dtype == {"int_array": "INT64", "float_array": "FLOAT", "bool_array": "BOOL"}[kind] else None
    return (one,) if kind.endswith("_list") else one
