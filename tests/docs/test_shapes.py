"""Pages show shapes in letters as rules relate them: of every operator what is shown is so in its example."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opspec.docs import glance
from opspec.docs.page import page
from opspec.docs.saying import Sayings
from opspec.docs.shapes import opening, shapes
from opspec.language import tree
from opspec.model.definition import Definition
from tests.committed import EVERY, SOME, defined
from tests.docs.symbolic import Env, Mismatch, bound, environment, matched, shapes_of
from tests.model.building import definition
from tests.paths import REPOSITORY

LEAST_SYMBOLIC = 0.7  # of all cells of tensors; 0.04 in 0.2.0
LEAST_OPENING = 0.81  # of all tensors in the lines that pages open with

TENSOR = "ctype: const aclTensor*, dtype: FLOAT"
OUT = "ctype: aclTensor*, io: out, dtype: FLOAT"


def line(body: str) -> str:
    """The line that a page of an operator with these params and rules opens with."""
    return glance.line(Sayings(definition(body), "en", narrows=True)).replace("\n    ", "")


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (  # what inputs share and no output has is summed over
            f"params: [{{name: a, {TENSOR}, rank: 2}}, {{name: b, {TENSOR}, rank: 2}}, {{name: out, {OUT}, rank: 2}}]\n"
            'rules: {k: "a.shape[1] == b.shape[0]", o: "out.shape == (a.shape[0], b.shape[1])"}',
            "out[M, N] = aclnnX(a[M, K], b[K, N])",
        ),
        (  # letters of the spec, a formula, a dim of its own, and one that may be null
            f'params: [{{name: a, {TENSOR}, shape: "(B, D)"}}, {{name: s, {TENSOR}, rank: 1, optional: yes}},'
            f" {{name: t, {TENSOR}, rank: 2}}, {{name: out, {OUT}, rank: 2}}]\n"
            'rules: {s: "s.shape == (B,)", o: "out.shape == (B, ceil_div(D, 2))"}',
            "out[B, ceil(D/2)] = aclnnX(a[B, D], s[B]?, t[_, _])",
        ),
        (  # names of the page, where what rules make one dim has one of them; of one that has no other
            f'params: [{{name: a, {TENSOR}, rank: 2, dims: "M, H"}}, {{name: b, {TENSOR}, rank: 2, dims: "k, _"}},'
            f' {{name: c, {TENSOR}, dims: "*, W"}}, {{name: out, {OUT}, rank: 2, dims: "M, H"}}]\n'
            'rules: {o: "out.shape == a.shape", c: "c.shape[-1] == a.shape[1]"}',
            "out[M, H] = aclnnX(a[M, H], b[K, _], c[..., H])",
        ),
        (  # not those of a page that calls one dim by the names of two
            f'params: [{{name: a, {TENSOR}, rank: 2, dims: "C, D"}}, {{name: out, {OUT}, rank: 2, dims: "D, C"}}]\n'
            'rules: {o: "out.shape == a.shape"}',
            "out[M, N] = aclnnX(a[M, N])",
        ),
        (  # axes that may be null: what is so where they are given
            f"params: [{{name: a, {TENSOR}}}, {{name: dim, ctype: const aclIntArray*, optional: yes}},"
            f" {{name: keep, ctype: bool}}, {{name: out, {OUT}}}]\n"
            'rules: {o: "out.shape == reduced(a.shape, (dim if dim is not None else ()), keep)"}',
            "out[*reduced(S, dim, keep)] = aclnnX(a[*S], dim, keep)",
        ),
        (  # all dims together
            f"params: [{{name: a, {TENSOR}}}, {{name: b, {TENSOR}}}, {{name: out, {OUT}}}]\n"
            'rules: {o: "out.shape == broadcast(a.shape, b.shape)"}',
            "out[*broadcast(A, B)] = aclnnX(a[*A], b[*B])",
        ),
        (  # parts of them
            f"params: [{{name: a, {TENSOR}}}, {{name: dim, ctype: int64_t}}, {{name: out, {OUT}}}]\n"
            'let: {at: "axis(dim, a.rank)"}\n'
            'rules: {o: "out.shape == a.shape[:at] + (a.shape[at] // 2,) + a.shape[at + 1:]"}',
            "out[*S[:dim], S[dim]//2, *S[dim+1:]] = aclnnX(a[*S], dim)",
        ),
        (  # of the first or the last dims alone
            f"params: [{{name: a, {TENSOR}}}, {{name: w, {TENSOR}, rank: 1}}, {{name: out, {OUT}}}]\n"
            'rules: {w: "w.shape[0] == a.shape[-1]", o: "out.shape[:-1] == a.shape[:-1]"}',
            "out[*S, _] = aclnnX(a[*S, K], w[K])",
        ),
        (  # cases that an argument chooses from
            f"params: [{{name: a, {TENSOR}, rank: 2}}, {{name: flag, ctype: bool}}, {{name: out, {OUT}}}]\n"
            'rules: {o: "out.shape == (a.shape if flag else (a.shape[0],))"}',
            "out[M, N] | [M] = aclnnX(a[M, N], flag)",
        ),
        (  # lists, and what nothing relates
            "params: [{name: x, ctype: const aclTensorList*, dtype: FLOAT}, {name: y, ctype: aclTensorList*, io: out,"
            f" dtype: FLOAT}}, {{name: z, {TENSOR}}}]\n"
            'rules: {y: "all(a.shape == b.shape for a, b in zip(x, y))"}',
            "{y[*S]} = aclnnX({x[*S]}, z[...])",
        ),
        (  # matrices that are not transposed, in the letters of the page
            f'params: [{{name: a, {TENSOR}, rank: 2, dims: "M, K"}}, {{name: b, {TENSOR}, rank: 2, dims: "K, N"}},'
            f' {{name: transA, ctype: bool}}, {{name: out, {OUT}, rank: 2, dims: "M, N"}}]\n'
            'rules: {k: "(a.shape[0] if transA else a.shape[1]) == b.shape[0]",'
            ' o: "out.shape == (a.shape[1] if transA else a.shape[0], b.shape[1])"}',
            "out[M, N] = aclnnX(a[M, K], b[K, N], transA)",
        ),
        (  # nor where their name says so in another way, or the tensor itself
            f'params: [{{name: a, {TENSOR}, rank: 2, dims: "M, K"}}, {{name: b, {TENSOR}, rank: 2, dims: "K, N"}},'
            f' {{name: adjA, ctype: bool}}, {{name: out, {OUT}, rank: 2, dims: "M, N"}}]\n'
            'rules: {k: "(a.shape[0] if adjA else a.shape[1]) == b.shape[0 if not transposed_last2(b) else 1]",'
            ' o: "out.shape == (a.shape[1] if adjA else a.shape[0], b.shape[1])"}',
            "out[M, N] = aclnnX(a[M, K], b[K, N], adjA)",
        ),
        (  # what nothing but a param behind it says: a shape, one of two, a dim
            f"params: [{{name: a, {TENSOR}, rank: 2}}, {{name: bias, {TENSOR}}}, {{name: c, {TENSOR}}},"
            f" {{name: d, {TENSOR}, rank: 2}}, {{name: out, {OUT}}}]\n"
            'rules: {o: "out.shape == (a.shape[0], a.shape[1], 2)", c: "c.shape == out.shape",'
            ' bias: "bias.shape in ((out.shape[1],), (1, out.shape[1]))", d: "d.shape[1] == out.shape[0]"}',
            "out[M, N, 2] = aclnnX(a[M, N], bias[N] | [1, N], c[M, N, 2], d[_, M])",
        ),
        (  # no name of the page with a number
            f'params: [{{name: a, {TENSOR}, rank: 2, dims: "bs, C"}}, {{name: b, {TENSOR}, rank: 2, dims: "bs, Q"}},'
            f" {{name: out, {OUT}, rank: 4}}]\n"
            'rules: {o: "out.shape == (a.shape[0], a.shape[1], b.shape[0], b.shape[1])"}',
            "out[bs, C, M, Q] = aclnnX(a[bs, C], b[M, Q])",
        ),
        (  # images with a batch, and what is computed by letters of its own; without the flag that changes it
            f"params: [{{name: a, {TENSOR}, format: [NCHW, NHWC], rank: [3, 4]}}, {{name: up, ctype: bool}},"
            f" {{name: out, {OUT}, format: [NCHW, NHWC], rank: [3, 4]}}]\n"
            'let: {size: "[a.shape[i - 2] // 2 for i in range(2)]"}\n'
            'rules: {o: {check: "out.shape == (*a.shape[:-2], *size)", when: "not up"}}',
            "out[N, C, Hout, Wout] = aclnnX(a[N, C, H, W], up)",
        ),
        (  # axes that are not empty
            f"params: [{{name: a, {TENSOR}}}, {{name: dim, ctype: const aclIntArray*}},"
            f" {{name: keep, ctype: bool}}, {{name: out, {OUT}}}]\n"
            'rules: {o: {check: "out.shape == reduced(a.shape, dim, keep)", when: "len(dim) > 0"}}',
            "out[*reduced(S, dim, keep)] = aclnnX(a[*S], dim, keep)",
        ),
        (  # an output that has room for all elements, and one number among tensors
            f"params: [{{name: a, {TENSOR}}}, {{name: s, {TENSOR}}}, {{name: out, {OUT}}}]\n"
            'rules: {n: "s.numel == 1", o: "out.numel >= a.numel"}',
            "out[*S] = aclnnX(a[*S], s[1])",
        ),
        (  # tensors of a list that have elements, joined at an axis
            "params: [{name: x, ctype: const aclTensorList*, dtype: FLOAT}, {name: dim, ctype: int64_t},"
            f" {{name: out, {OUT}}}]\n"
            'let: {solid: "[t for t in x if t.numel > 0]", at: "axis(dim, solid[0].rank)"}\n'
            'rules: {o: {check: "out.shape[:at] == solid[0].shape[:at]'
            " and out.shape[at] == sum([t.shape[at] for t in solid])"
            ' and out.shape[at + 1:] == solid[0].shape[at + 1:]", when: "len(solid) > 1"}}',
            "out[*S[:dim], M, *S[dim+1:]] = aclnnX({x[*S]}, dim)",
        ),
        (  # an axis that alone is changed
            f"params: [{{name: a, {TENSOR}}}, {{name: dim, ctype: int64_t}}, {{name: n, ctype: int64_t}},"
            f" {{name: out, {OUT}}}]\n"
            'rules: {n: "out.shape[axis(dim, a.rank)] == n",'
            ' o: "all(out.shape[i] == a.shape[i] for i in range(a.rank) if i != axis(dim, a.rank))"}',
            "out[*S[:dim], n, *S[dim+1:]] = aclnnX(a[*S], dim, n)",
        ),
        (  # what data types tell apart
            f"params: [{{name: a, {TENSOR}, rank: 2}},"
            " {name: out, ctype: aclTensor*, io: out, dtype: [INT8, INT32]}]\n"
            'rules:\n  b: {check: "out.shape == a.shape", when: "out.dtype == INT8"}\n'
            '  p: {check: "out.shape == (a.shape[0], a.shape[1] // 8)", when: "out.dtype == INT32"}',
            "out[M, N] | [M, N//8] = aclnnX(a[M, N])",
        ),
        (  # a chain that ends in what hangs on nothing
            f"params: [{{name: a, {TENSOR}}}, {{name: b, {TENSOR}}}, {{name: c, {TENSOR}}}]\n"
            'rules: {r: "a.rank == b.rank == c.rank == 2", s: "b.shape == a.shape and c.shape == a.shape"}',
            "aclnnX(a[M, N], b[M, N], c[M, N])",
        ),
        (  # a loss, and one of all elements
            f"params: [{{name: a, {TENSOR}}}, {{name: reduction, ctype: int64_t, enum: {{0: {{en: none, zh: 无}},"
            f" 1: {{en: mean, zh: 均值}}}}}}, {{name: out, {OUT}}}]\n"
            'rules:\n  n: {check: "out.shape == a.shape", when: "reduction == 0"}\n'
            '  r: {check: "out.shape in ((1,), ())", when: "reduction != 0"}',
            "out[*S] | [1] | [] = aclnnX(a[*S], reduction)",
        ),
        ("params: [{name: n, ctype: int64_t}]", ""),
    ],
)
def test_an_operator_is_a_function_of_shapes(body: str, shown: str) -> None:
    assert line(body) == shown


def test_a_rule_that_holds_on_a_condition_relates_nothing() -> None:
    """Neither one of a mode, nor one that an optional param brings for another, nor what was only observed."""
    body = (
        f"params: [{{name: a, {TENSOR}}}, {{name: q, {TENSOR}, optional: yes}}, {{name: mode, ctype: int64_t}},"
        f" {{name: out, {OUT}}}]\n"
        'rules:\n  m: {check: "out.shape == a.shape", when: "mode == 1"}\n'
        '  q: {check: "a.rank == 2", when: "q is not None"}\n'
        '  o: {check: "out.rank == 3", basis: observed}\n'
    )
    assert line(body) == "out[...] = aclnnX(a[...], q[...]?, mode)"


def test_what_shapes_show_is_said_by_no_sentence() -> None:
    """And what they show in part is."""
    body = (
        f"params: [{{name: a, {TENSOR}, rank: 2}}, {{name: b, {TENSOR}, rank: 2}}, {{name: out, {OUT}, rank: 2}}]\n"
        'rules: {shown: "b.shape == a.shape", part: "out.shape[0] == a.shape[0] and out.numel > 4"}'
    )
    made = page(definition(body), "en")
    told = {rule for group in made.groups() for item in group.items for rule in item.rules}
    assert "shown" not in told
    assert "part" in told
    assert [param.shape for param in made.params] == ["[M, N]", "[M, N]", "[M, _]"]


def test_letters_that_are_no_dims_are_told() -> None:
    """A formula with its cases, and the spec's words for what has none."""
    body = (
        f"params: [{{name: a, {TENSOR}, rank: 2}}, {{name: mode, ctype: int64_t}}, {{name: out, {OUT}, rank: 2}}]\n"
        'let:\n  width: {is: "a.shape[1] * 2 if mode == 1 else a.shape[1]", en: the width, zh: 宽}\n'
        '  rows: {is: "sum([v for v in a.shape])", en: the sum of all dims, zh: 各维之和}\n'
        'rules: {o: "out.shape == (rows, width)"}'
    )
    made = page(definition(body), "en")
    assert made.glance == "out[rows, width] = aclnnX(a[_, M], mode)"
    assert set(made.letters) == {("width", "M*2 if mode == 1 else M", True), ("rows", "the sum of all dims", False)}


# --- all operators


def assert_is_so(found: Definition) -> None:
    """What is shown of an operator's tensors is so in its example, where that has no empty tensor.

    Tensors that have another shape in the usual case, which the example need not be, are left out.
    """
    env = environment(found)
    if env is None:
        return
    shown, every = opening(found), shapes(found).of
    flags = [(rule.when, rule.check) for rule in found.rules if isinstance(rule.when, tree.Param)]
    unasked = {name for when, check in flags if env.args.get(when.name) is False for name, _ in found.facts(check)}
    skipped = {name for name in unasked if all(shape.is_open for shape in every.get(name, ()))}
    skipped |= {name for name in shown.of if shown.of[name] != every.get(name)}
    tensors = [(name, shape) for name in shown.of for shape in shapes_of(env.args.get(name))[:1] if name not in skipped]
    for name, shape in tensors:
        if len(shown.of[name]) == 1:
            bound(shown.of[name][0].items, shape, env)
    for name, shape in tensors:
        if 0 not in shape and not any(matched(case.items, shape, env) for case in shown.of[name]):
            raise Mismatch(f"{found.name}: {name} is {shape}, shown as {list(map(str, shown.of[name]))}; {env.names}")


@pytest.mark.parametrize("paths", SOME)
def test_letters_of_formulas_are_told(paths: list[Path]) -> None:
    """A letter that the formula of another has is told, too; none by the list that computes it."""
    for found in defined(paths):
        told = {letter: meant for letter, meant, _ in glance.letters(Sayings(found, "en", narrows=True))}
        assert not any("every element of range(" in meant for meant in told.values()), found.name
        of = opening(found)
        shown = {item for own in of.of.values() for shape in own for item in shape.items}
        words = (
            {word for letter in told for word in re.findall(r"[A-Za-z_]\w*", of.letters[letter].formula)}
            if told
            else set()
        )
        assert words & of.letters.keys() <= told.keys() | shown, found.name


@pytest.mark.parametrize("paths", EVERY)
def test_shapes_are_those_of_examples(paths: list[Path]) -> None:
    for found in defined(paths):
        assert_is_so(found)


@pytest.mark.slow
def test_most_cells_of_shapes_have_letters() -> None:
    """Over all operators of the newest release."""
    counts, heads = [0, 0], [0, 0]
    for found in defined(sorted((REPOSITORY / "specs" / "9.1.0").rglob("*.yaml"))):
        for cases in shapes(found).of.values():
            counts[not any(case.is_open for case in cases)] += 1
        for cases in opening(found).of.values():
            heads[not any(case.items and case.is_open for case in cases)] += 1
    print(f"{counts[1]} of {sum(counts)} cells of shapes have letters")
    assert counts[1] >= LEAST_SYMBOLIC * sum(counts)
    assert heads[1] >= LEAST_OPENING * sum(heads)


def test_no_shape_has_a_place_left_open() -> None:
    """Letters are chosen for all, each told where it is no dim to be seen."""
    for found in defined([REPOSITORY / "specs" / "9.1.0" / "matmul" / "aclnnMatmul.yaml"]):
        made = page(found, "en")
        assert made.glance == "out[*broadcast(A, B), M, N] = aclnnMatmul(self[*A, M, K], mat2[*B, K, N], cubeMathType)"
        assert not re.search("\x00", "".join(param.shape for param in made.params))


def test_env_names_are_plain() -> None:
    """The reader of shapes in tests knows the functions that shapes name."""
    assert {"broadcast", "reduced", "permuted", "ceil", "align_up"} <= set(Env({}, {}).names)
