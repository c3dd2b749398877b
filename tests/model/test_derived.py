"""Promise: a spec need not say what its folder, its operator's name and its params tell, and may say otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.cli.main import main
from opspec.errors import OpspecError
from opspec.model.canonical import canonical
from opspec.model.derived import filled, left_out, usual_header, with_ctypes, without_ctypes
from opspec.model.inherit import difference, inherited
from opspec.model.load import load_file, load_text
from opspec.registry.content import header
from opspec.yamltext import Tree

BODY = "products: {910b: yes}\nparams:\n  - {name: x, ctype: const aclTensor*, dtype: [FLOAT]}\n"
OTHER = "aclnnop/aclnn_other.h"


def written(folder: Path, operator: str, said: str = "", body: str = BODY) -> str:
    """The path of a spec in a folder; what it says of release and header is given."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{operator}.yaml"
    path.write_text(f"operator: {operator}\n{said}{body}", encoding="utf-8")
    return str(path)


# --- the release


@pytest.mark.parametrize("folder", ["9.9", "9.9/math"])
def test_the_folder_says_the_release(tmp_path: Path, folder: str) -> None:
    assert load_file(written(tmp_path / folder, "aclnnX")).spec.release == "9.9"


def test_a_file_outside_of_a_release_says_it(tmp_path: Path) -> None:
    assert load_file(written(tmp_path, "aclnnX", "release: 9.9\n")).spec.release == "9.9"


def test_a_release_that_nothing_says_is_missed(tmp_path: Path) -> None:
    with pytest.raises(OpspecError, match=r"aclnnX\.yaml:1:1: a required key is missing: 'release', and no folder"):
        load_file(written(tmp_path, "aclnnX"))


def test_a_release_that_contradicts_the_folder_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "9.9" / "math", "aclnnX", "release: 9.8\n")
    assert load_file(path).spec.release == "9.8"
    assert main(["lint", path]) == 1
    assert "the file lies in 9.9/math, its release is 9.8" in capsys.readouterr().out
    assert "release: 9.8\n" in canonical(Path(path).read_bytes(), path)


def test_a_spec_that_extends_one_of_another_release_is_of_its_own_folder(tmp_path: Path) -> None:
    written(tmp_path / "9.9" / "math", "aclnnX", f"header: {OTHER}\n")
    spec = load_file(written(tmp_path / "9.8" / "math", "aclnnX", "extends: 9.9/aclnnX\n", "")).spec
    assert (spec.release, spec.header) == ("9.8", OTHER)


# --- the header


@pytest.mark.parametrize(
    ("operator", "name"),
    [("aclnnAddRelu", "add_relu"), ("aclnnMoeDistributeDispatchV4", "moe_distribute_dispatch_v4"),
     ("aclnnFFNV3", "ffnv3"), ("aclnnBidirectionLSTMV2", "bidirection_lstmv2")],
)  # fmt: skip
def test_an_operators_name_gives_its_header(operator: str, name: str) -> None:
    assert usual_header(operator) == f"aclnnop/aclnn_{name}.h"


@pytest.mark.parametrize(
    ("said", "found"),
    [("", "aclnnop/aclnn_x.h"), (f"header: {OTHER}\n", OTHER), ("header: unknown\n", None)],
)
def test_a_spec_may_say_another_header_or_that_it_is_unknown(tmp_path: Path, said: str, found: str | None) -> None:
    path = written(tmp_path / "9.9" / "math", "aclnnX", said)
    assert load_file(path).spec.header == found
    assert header(path) == (found or "")


@pytest.mark.parametrize(
    ("parent", "own", "found"),
    [
        ("", "", "aclnnop/aclnn_y.h"),
        ("header: aclnnop/aclnn_x.h\n", "", "aclnnop/aclnn_y.h"),
        (f"header: {OTHER}\n", "", OTHER),
        (f"header: {OTHER}\n", "header: null\n", "aclnnop/aclnn_y.h"),
        ("", "header: aclnnop/aclnn_x.h\n", "aclnnop/aclnn_x.h"),
        ("header: unknown\n", "", None),
        ("header: unknown\n", "header: null\n", "aclnnop/aclnn_y.h"),
        (f"header: {OTHER}\n", "header: unknown\n", None),
    ],
)
def test_an_heir_has_no_header_that_the_other_name_gives(
    tmp_path: Path, parent: str, own: str, found: str | None
) -> None:
    """The reader of bytes says the same as the reader of YAML."""
    folder = tmp_path / "9.9" / "math"
    written(folder, "aclnnX", parent)
    path = written(folder, "aclnnY", f"extends: aclnnX\n{own}", "")
    assert load_file(path).spec.header == found
    assert header(path) == (found or "")


HEADERS = st.sampled_from([None, OTHER, "aclnnop/aclnn_x.h", "aclnnop/aclnn_y.h"])


@given(HEADERS, HEADERS)
def test_what_is_filled_in_is_left_out_again(parent: str | None, own: str | None) -> None:
    """Of a spec alone and of one that extends another, whichever headers they have."""
    one, other = (_whole(name, said) for name, said in (("aclnnX", parent), ("aclnnY", own)))
    assert filled(left_out(one)) == one
    said = difference(one, other)
    assert said is not None
    assert inherited(one, said) == other
    assert said.get("header") != usual_header("aclnnY")


def _whole(operator: str, said: str | None) -> dict[str, Tree]:
    return {"operator": operator, "release": "9.9", **({} if said is None else {"header": said})}


# --- the canonical form


def test_the_canonical_form_says_neither(tmp_path: Path) -> None:
    """Nor does it leave out what a comment stands beside."""
    path = str(tmp_path / "9.9" / "math" / "aclnnX.yaml")
    text = f"operator: aclnnX\nrelease: 9.9\nheader: aclnnop/aclnn_x.h\n{BODY}"
    short = canonical(text, path)
    assert "release" not in short
    assert "header" not in short
    assert canonical(short, path) == short
    assert canonical(text, "aclnnX.yaml") == short.replace("aclnnX\n", "aclnnX\nrelease: 9.9\n")
    commented = canonical(text.replace("_x.h", "_x.h  # as measured"), path)
    assert commented == short.replace("aclnnX\n", "aclnnX\nheader: aclnnop/aclnn_x.h  # as measured\n")


def test_fmt_leaves_out_the_header_of_an_heir_that_its_name_gives(tmp_path: Path) -> None:
    """Only where what it extends does not give another."""
    folder = tmp_path / "9.9" / "math"
    said = "extends: aclnnX\nheader: aclnnop/aclnn_y.h\n"
    for parent, left in (("", False), (f"header: {OTHER}\n", True)):
        written(folder, "aclnnX", parent)
        path = written(folder, "aclnnY", said, "")
        assert main(["fmt", path]) == 0
        assert ("header" in Path(path).read_text(encoding="utf-8")) is left
        assert load_file(path).spec.header == "aclnnop/aclnn_y.h"


def test_a_text_without_a_file_has_no_folder() -> None:
    with pytest.raises(OpspecError, match="missing: 'release'"):
        load_text(f"operator: aclnnX\n{BODY}", "x.yaml")


# --- C types


CTYPES = st.sampled_from(["const aclTensor*", "aclTensor*", "const aclTensorList*", "int64_t"])
PARAMS = st.lists(
    st.fixed_dictionaries({"ctype": CTYPES}, optional={"io": st.sampled_from(["in", "out", "inout"])}), max_size=4
)


@given(PARAMS)
def test_c_types_of_tensors_are_left_out_and_filled_in(params: list[dict[str, Tree]]) -> None:
    """Whoever writes them: a canonical text says none of a tensor's, and reads as the same params."""
    own: dict[str, Tree] = {"params": [{"name": f"x{i}", **param} for i, param in enumerate(params)]}
    said = without_ctypes(own)
    assert with_ctypes(said) == own
    kept = [param.get("ctype") for param in said["params"] if isinstance(param, dict)]  # type: ignore[union-attr]
    for param, ctype in zip(params, kept, strict=True):
        usual = "const aclTensor*" if param.get("io", "in") == "in" else "aclTensor*"
        assert ctype == (None if param["ctype"] == usual else param["ctype"])


def test_a_param_without_a_c_type_is_a_tensor() -> None:
    text = "operator: aclnnX\nrelease: 9.9\nproducts: {910b: yes}\nparams: [{name: x}, {name: y, io: out}]\n"
    found = load_text(text).definitions[0].params
    assert [(param.ctype, param.kind) for param in found] == [("const aclTensor*", "tensor"), ("aclTensor*", "tensor")]


def test_a_param_that_an_heir_adds_says_its_c_type(tmp_path: Path) -> None:
    """Else a name that is misspelled would be a new param."""
    written(tmp_path / "9.9" / "math", "aclnnX")
    path = written(tmp_path / "9.9" / "math", "aclnnY", "extends: aclnnX\nparams: {z: {io: out}}\n", "")
    with pytest.raises(OpspecError, match="the extended operator has no param 'z'; a new one has its ctype"):
        load_file(path)


def test_a_comment_on_a_c_type_keeps_it() -> None:
    text = "operator: aclnnX\nparams:\n  - name: x\n    # as the header has it\n    ctype: const aclTensor*\n"
    assert "ctype: const aclTensor*" in canonical(text, "x.yaml")
