"""What is published stays true: the schema, the language reference, the README, and the specs themselves."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

import opspec
from opspec.cli.main import COMMANDS, main
from opspec.docs.reference import reference
from opspec.model.schema import schema
from opspec.validator.api import check
from opspec.validator.convert import FORMS, SCALAR_KEYS, TENSOR_KEYS
from opspec.validator.read import KEYS
from tests.committed import EVERY, SPECS
from tests.paths import REPOSITORY as ROOT


def test_the_published_schema_is_the_models_schema() -> None:
    """Regenerate with: opspec schema --out specs/schema.json"""
    assert json.loads((ROOT / "specs" / "schema.json").read_text(encoding="utf-8")) == schema()


def test_the_published_reference_is_the_languages() -> None:
    """Regenerate with: opspec language --out specs/LANGUAGE.md"""
    assert (ROOT / "specs" / "LANGUAGE.md").read_text(encoding="utf-8") == reference()


class _Loader(getattr(yaml, "CBaseLoader", yaml.BaseLoader)):  # type: ignore[misc]  # by libyaml where there is one
    """Reads scalars as YAML 1.2 types them, which is what editors do: plain numbers are numbers, yes is a text."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self.keys: set[yaml.Node] = set()

    def construct_scalar(self, node: yaml.ScalarNode) -> Any:
        """A quoted scalar is a text; so is a key, of JSON."""
        value: str = super().construct_scalar(node)
        if node.style or node in self.keys:
            return value
        return None if value == "null" else int(value) if re.fullmatch(r"-?[0-9]+", value) else value

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:
        """Remembers which nodes are keys."""
        self.keys.update(key for key, _ in node.value)
        return super().construct_mapping(node, deep)


def loaded(path: Path) -> Any:
    """A spec as an editor sees it."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)  # noqa: S506


@pytest.mark.parametrize("paths", EVERY)
def test_the_schema_accepts_every_spec(paths: list[Path]) -> None:
    """An editor that checks with the schema marks nothing in the committed specs."""
    validator = jsonschema.Draft202012Validator(schema())
    for path in paths:
        found = [f"{path}: {error.json_path}: {error.message}" for error in validator.iter_errors(loaded(path))]
        assert found == []


PARAM = [{"name": "x", "ctype": "aclTensor*", "io": "sideways"}]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"operatr": "x"}, []),
        ({"params": PARAM}, ["params", 0, "io"]),
        ({"rules": {"a": {"chek": "True"}}}, ["rules", "a"]),
        ({"example": {"args": "text"}}, ["example", "args"]),
    ],
)
@pytest.mark.parametrize("extends", [False, True])
def test_the_schema_marks_mistakes(change: dict[str, Any], where: list[str | int], extends: bool) -> None:
    """What the model refuses an editor marks, at the right place; in a file that extends another, too."""
    spec = {"operator": "aclnnX", "extends": "aclnnY"} if extends else loaded(SPECS[0])
    validator = jsonschema.Draft202012Validator(schema())
    assert list(validator.iter_errors(spec)) == []
    if extends and change == {"params": PARAM}:
        change, where = {"params": {param.pop("name"): param for param in deepcopy(PARAM)}}, ["params", "x", "io"]
    marked = [list(error.absolute_path) for error in validator.iter_errors({**spec, **change})]
    assert any(path[: len(where)] == where or (path and where[: len(path)] == path) or not where for path in marked)


@pytest.mark.parametrize("key", ["products", "params"])
def test_only_a_file_that_extends_another_may_leave_out_what_every_spec_says(key: str) -> None:
    spec = {name: value for name, value in loaded(SPECS[0]).items() if name != key}
    own = {name: value for name, value in spec.items() if name != "params"}
    validator = jsonschema.Draft202012Validator(schema())
    assert not validator.is_valid(spec)
    assert validator.is_valid({**own, "extends": "aclnnY"})
    assert validator.is_valid({**own, "extends": "aclnnY", key: None}) is (key != "params")
    assert not validator.is_valid({**spec, key: None})


def test_the_schema_says_what_differences_are() -> None:
    """Params stand by name, null for what is not as there; elsewhere neither is accepted."""
    own = {
        "operator": "aclnnX", "extends": "aclnnY", "without": ["a"],
        "params": {"x": {"rank": None}, "y": {"was": "z", "after": None}, "w": None},
        "rules": {"a": {"when": None}, "b": None}, "clauses": {"a/1": None},
    }  # fmt: skip
    validator = jsonschema.Draft202012Validator(schema())
    assert list(validator.iter_errors(own)) == []
    assert not validator.is_valid({**own, "params": {"x": 3}})
    assert not validator.is_valid({**own, "params": [{"name": "x", "rank": 2}]})
    whole = loaded(SPECS[0])
    assert not validator.is_valid({**whole, "params": {"x": {"ctype": "int64_t"}}})
    assert not validator.is_valid({**whole, "params": [{"name": "x", "ctype": "int64_t", "after": None}]})


@pytest.mark.parametrize("paths", EVERY)
def test_lint_finds_nothing(paths: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    """The registry is clean."""
    assert main(["lint", *map(str, paths)]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("paths", EVERY)
def test_every_spec_is_in_canonical_form(paths: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    """``opspec fmt`` has nothing to change."""
    assert main(["fmt", "--check", *map(str, paths)]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_readme_names_every_command(name: str) -> None:
    """Both languages list the commands that exist, and no others."""
    text = (ROOT / name).read_text(encoding="utf-8")
    cells = re.findall(r"^\| (`opspec [^|]*)", text, re.M)
    assert [name for cell in cells for name in re.findall(r"`opspec (\w+)", cell)] == list(COMMANDS)


@pytest.mark.parametrize(("name", "lang"), [("README.md", "en"), ("README.zh.md", "zh")])
def test_the_readme_shows_what_its_command_prints(name: str, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The first text block is the output of the first command, to the letter."""
    text = (ROOT / name).read_text(encoding="utf-8")
    shown = text.split("```text\n", 1)[1].split("```", 1)[0]
    assert main(["check", "--lang", lang, str(ROOT / "examples" / "gelu_backward.jsonl")]) == 1
    assert capsys.readouterr().out == shown


#: page -> the same in Chinese
PAGES = {"README.md": "README.zh.md"} | {
    f"docs/{path.name}": f"docs/zh/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))
}
TEXTS = {name: (ROOT / name).read_text(encoding="utf-8") for pair in PAGES.items() for name in pair}


def test_a_readme_is_read_in_one_sitting() -> None:
    """What is longer stands in docs."""
    assert all(TEXTS[name].count("\n") < 150 for name in ("README.md", "README.zh.md"))
    assert TEXTS["README.md"].count("python3 -m venv") == 2


def blocks(text: str, kinds: str) -> list[str]:
    """What a page shows in fences of some kinds."""
    return re.findall(rf"^```(?:{kinds})\n(.*?)^```", text, re.M | re.S)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_the_same_in_chinese(page: str) -> None:
    """Chapters, commands, calls, rows of tables; what is written in words a person compares."""
    english, chinese = TEXTS[page], TEXTS[PAGES[page]]
    shown = [re.sub("--lang (en|zh) ?", "", block) for block in blocks(english, "bash|json|python|yaml|c")]
    assert [re.sub("--lang (en|zh) ?", "", block) for block in blocks(chinese, "bash|json|python|yaml|c")] == shown
    for pattern in ("^#+ ", "^\\| ", "^```"):
        assert len(re.findall(pattern, english, re.M)) == len(re.findall(pattern, chinese, re.M)), pattern


@pytest.mark.parametrize("page", [*TEXTS, "ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_link_leads_somewhere(page: str) -> None:
    """To a file of the repository."""
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / page).read_text(encoding="utf-8")):
        assert (ROOT / page).parent.joinpath(link).exists(), link


def test_the_readme_shows_the_call_that_it_judges() -> None:
    """The first of the example's calls."""
    first = (ROOT / "examples" / "gelu_backward.jsonl").read_text(encoding="utf-8").splitlines()[0]
    assert json.loads(blocks(TEXTS["README.md"], "json")[0]) == json.loads(first)


@pytest.mark.parametrize("page", ["docs/calls.md", "docs/zh/calls.md"])
def test_the_page_on_calls_knows_every_key_and_form(page: str) -> None:
    """Whatever a call or a verdict may hold; and its call is one."""
    words = set(re.findall(r"`[{\"]*(\w+)", TEXTS[page])) | set(re.findall(r'"(\w+)"', TEXTS[page]))
    verdict = check("aclnnAbs", product="910b", args={"self": None, "out": None})
    finding = verdict.violations[0].to_dict()
    assert {*KEYS, *TENSOR_KEYS, *SCALAR_KEYS, *WRAPPERS, *verdict.to_dict(), *finding} - words == set()
    shown = json.loads(blocks(TEXTS[page], "json")[0])
    assert check(shown["op"], product=shown["product"], args=shown["args"])


#: kinds of arguments that are written as an object with the kind as its key
WRAPPERS = [kind for kind, (_, form) in FORMS.items() if form.startswith("{")]


@pytest.mark.parametrize("folder", ["docs", "docs/zh"])
def test_every_setting_is_documented(folder: str) -> None:
    """Whatever simulator and layer read from the environment, and the commands that build them."""
    sources = [path for path in (ROOT / "opspec" / "csrc").rglob("*") if path.suffix in (".c", ".h")]
    read = {word for path in sources for word in re.findall(r'"(OPSPEC_[A-Z_]+)"', path.read_text(encoding="utf-8"))}
    told = set(re.findall(r"`(OPSPEC_[A-Z_]+)", TEXTS[f"{folder}/layer.md"] + TEXTS[f"{folder}/simulator.md"]))
    assert read | {"OPSPEC_CACHE"} == told


@pytest.mark.parametrize("page", ["docs/python.md", "docs/zh/python.md", "docs/infer.md", "docs/zh/infer.md"])
def test_a_page_on_python_shows_what_its_example_prints(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It runs as it stands."""
    exec(compile(blocks(TEXTS[page], "python")[0], page, "exec"), {})  # noqa: S102 - our own example
    assert capsys.readouterr().out == blocks(TEXTS[page], "text")[0]


@pytest.mark.parametrize("page", ["docs/python.md", "docs/zh/python.md"])
def test_the_classes_of_errors_are_documented(page: str) -> None:
    """Each that is exported, and which attributes it has."""
    told = TEXTS[page]
    for name in opspec.__all__:
        if name.endswith("Error"):
            assert f"`{name}`" in told
            own = {*vars(getattr(opspec, name)("", where=""))} - {*vars(opspec.OpspecError(""))}
            own -= {*vars(opspec.SpecError(""))}  # its place in the spec: ``where`` says it
            assert all(f"`{attribute}`" in told for attribute in own)


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """examples/check_from_python.py finds the one fault that it shows."""
    source = (ROOT / "examples" / "check_from_python.py").read_text(encoding="utf-8")
    exec(compile(source, "check_from_python.py", "exec"), {})  # noqa: S102 - our own example
    assert "out-shape" in capsys.readouterr().out
