"""No text of a spec gets into C: names are checked, texts stay in comments and literals."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from opspec.codegen import ctext
from opspec.codegen.prototypes import by_header, prototypes
from opspec.codegen.stubs.call import stub
from opspec.codegen.stubs.names import OWN
from opspec.errors import OpspecError
from opspec.model.definition import Definition
from opspec.model.load import load_text
from tests.codegen.stubs.compilers import LANGUAGES, compiled
from tests.codegen.stubs.operators import CLOSELY, OPERATORS, TRIAL, definitions, written

MARK = "MARKED"  # a word of every hostile text, which no code may hold

HOSTILE = (
    f"*/ #error {MARK} /*",
    f"</script><b>{MARK}</b>",
    f"\"; {MARK} '",
    f"line\n#error {MARK}\r\n{MARK}\u2028{MARK}",
    f"??/\n{MARK} ??/",
    f"{MARK}\\",
    f"{MARK} \\\n {MARK} \\u000a *\\/",
    f"// {MARK}\n{MARK}",
    f"*??/\n/ {MARK} /??/\n*",
    f"{MARK} 中文 é \U0001f600 \u202e",
    f"*\\/ */*/ **// {MARK} /*/*",
    f"{{{{ {MARK} }}}} {{% {MARK} %}}",
    f"%s%n %d {MARK}",
    f"{MARK} *" + "/" * 300,
    f"{MARK} " + "x" * 500 + "?" * 300,
)


class Dumper(yaml.SafeDumper):
    """Writes a value out wherever it is used: a spec has no anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        """Always."""
        return True


def definition_of(**changes: Any) -> Definition:
    """An operator with a tensor and a text, and what a test changes."""
    spec = {
        "operator": "aclnnHostile",
        "release": "9.1.0",
        "products": {"910b": "yes"},
        "params": [
            {"name": "x", "ctype": "const aclTensor*", "dtype": ["FLOAT"]},
            {"name": "text", "ctype": "const char*"},
            {"name": "out", "ctype": "aclTensor*", "io": "out", "dtype": ["FLOAT"]},
        ],
        **changes,
    }
    return load_text(yaml.dump(spec, allow_unicode=True, Dumper=Dumper)).definitions[0]


def hostile(text: str, *, with_example: bool) -> Definition:
    """An operator with a text wherever a spec may have one."""
    both = {"en": text, "zh": text}
    tensor = {"tensor": {"shape": [1], "dtype": "FLOAT"}}
    example = {"product": "910b", "args": {"x": tensor, "text": text, "out": tensor}}
    params = [
        {"name": "x", "ctype": "const aclTensor*", "about": both, "dtype": ["FLOAT"]},
        {"name": "text", "ctype": "const char*", "about": both, "enum": {text: both}},
        {"name": "out", "ctype": "aclTensor*", "io": "out", "about": both, "dtype": ["FLOAT"]},
    ]
    return definition_of(
        summary=both, document=text, formula=[text], params=params,
        rules={"some": {"check": "x.rank == 1", "enforced": "no", "evidence": both}},
        **({"example": example} if with_example else {}),
    )  # fmt: skip


_LEXED = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*', re.S)


def code(text: str) -> str:
    """C without comments and literals. What a trigraph or a line splice would make of it is none: there are none."""
    assert text.isascii()
    assert "??" not in text
    assert not re.search(r"\\\s*$", text, re.M)
    return _LEXED.sub(" ", text)


@pytest.mark.parametrize("with_example", [False, True])
@pytest.mark.parametrize("text", HOSTILE)
def test_texts_stay_in_comments_and_literals(text: str, with_example: bool) -> None:
    """Whatever a spec says, outside of comments and literals none of it is left."""
    for name, content in stub(hostile(text, with_example=with_example)).items():
        if name != "CMakeLists.txt":
            assert MARK not in code(content), name
        else:
            assert MARK not in content


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_texts_compile(language: str, tmp_path: Path) -> None:
    """With every text, in every language, trigraphs on: ``-std=c11`` reads them."""
    files = []
    for number, text in enumerate(HOSTILE):
        folder = tmp_path / str(number)
        folder.mkdir()
        files += written(hostile(text, with_example=True), folder)
    compiled(language, (), [path for path in files if path.name.endswith("_example.c")])


#: words of C and C++, types and macros that a stub uses, its own functions, types and variables
NAMES = sorted({
    *(name for name in ctext.RESERVED if re.fullmatch(r"[A-Za-z_]\w*", name)), *OWN.values(),
    "OpAllocate", "NO_MEMORY", "NOT_CREATED", "FILLED_IN", "RANKS", "Rank", "NamesArguments",
    "INT64_MAX", "UINT8_C", "INT_MAX", "ACL_FLOAT", "ACL_MAJOR_VERSION", "OPSPEC_NO_ACL", "OPSPEC_NAMES_H",
    "arguments", "status", "stream", "needed", "executor", "memory", "allocate", "context", "keep", "good", "made",
    "createTensor", "createScalar", "opTensor", "succeeded", "upload", "callOperator", "callNames", "checkNames",
    "half", "brain", "message", "place", "data", "values", "buffers", "dims_1", "dims_1_tensor",
    "i", "x", "x_0", "x_0_", "x_0_data", "_", "__", "_1", "_x", "_Bool", "__cplusplus", "__FILE__", "param_x",
    "aclnnNames", "aclnnNamesGetWorkspaceSize", "printf", "calloc", "memset", "memcpy", "ldexp",
    "aclCreateTensor", "aclDestroyTensor", "aclrtMalloc", "putc", "isnan", "std", "nullptr_t", "None", "lambda", "self",
})  # fmt: skip
CTYPES = ("const aclTensor*", "int64_t", "const aclScalar*")


def names(interface: str, shift: int) -> Definition:
    """An operator whose params have all these names; a shift gives each of them another type."""
    params = [{"name": name, "ctype": CTYPES[(number + shift) % len(CTYPES)]} for number, name in enumerate(NAMES)]
    return definition_of(operator="aclnnNames", params=params, interface=interface)


@pytest.mark.parametrize(
    ("interface", "language"), [*(("two-phase", language) for language in LANGUAGES), ("single-phase", "g++-c++17")]
)
def test_any_name_of_a_param_compiles(interface: str, language: str, tmp_path: Path) -> None:
    """Names that C, C++, ACL or the stub itself has already."""
    files = []
    for shift in range(len(CTYPES)):
        folder = tmp_path / str(shift)
        folder.mkdir()
        files += written(names(interface, shift), folder)
    compiled(language, (), [path for path in files if path.suffix == ".c"])


@pytest.mark.parametrize(
    "name", ["int", "main", "report", "aclCreateTensor", "_aclnnX", "aclnn", "aclnnStatus", "printf"]
)
def test_names_of_operators_that_are_others_are_refused(name: str) -> None:
    """A function of C, of ACL or of the stub is no operator."""
    with pytest.raises(OpspecError, match="no operator's functions in C can have the name"):
        stub(definition_of(operator=name))
    with pytest.raises(OpspecError, match="no operator's functions in C can have the name"):
        by_header([definition_of(operator=name)])


@pytest.mark.parametrize(
    "changes",
    [
        {"operator": "aclnnX(void); int y"},
        {"operator": "aclnnX\n"},
        {"release": "9.1.0 */"},
        {"header": 'a".h'},
        {"header": "a\n.h"},
        {"stream": "void *"},
        {"params": [{"name": "a b", "ctype": "int64_t"}]},
        {"params": [{"name": "x\n", "ctype": "int64_t"}]},
        {"params": [{"name": "é", "ctype": "int64_t"}]},
        {"params": [{"name": "x", "ctype": "int64_t; int y"}]},
        {"params": [{"name": "x", "ctype": "struct s*"}]},
    ],
)
def test_what_becomes_code_is_checked_when_the_spec_is_read(changes: dict[str, Any]) -> None:
    """Names, types, releases and paths of headers are of closed forms."""
    with pytest.raises(OpspecError):
        definition_of(**changes)


@pytest.mark.parametrize("header", ["../x.h", "/etc/x.h", "a/../../x.h", "./x.h", "a//x.h", "..h/../x.h"])
def test_headers_stay_in_their_folder(header: str) -> None:
    """A spec's path of a header leads nowhere else."""
    with pytest.raises(OpspecError, match="not the path of a header"):
        by_header([definition_of(header=header)])


def test_code_holds_nothing_but_known_identifiers() -> None:
    """Outside of comments and literals, a stub of unknown names has only those and words that other stubs have."""
    word = re.compile(r"[A-Za-z_]\w*")
    known = {name for definition in CLOSELY for text in stub(definition).values() for name in word.findall(text)}
    strange = definition_of(
        operator="aclnnQqq",
        params=[{"name": "qqx", "ctype": "const aclTensor*", "about": {"en": MARK, "zh": MARK}}],
        summary={"en": MARK, "zh": MARK},
    )
    for name, text in stub(strange).items():
        if name != "CMakeLists.txt":
            unknown = set(word.findall(code(text))) - known
            assert all("qq" in item.lower() for item in unknown), (name, unknown)


def test_partial_specs_have_no_stub() -> None:
    """What a spec leaves out may be a param."""
    partial = [definition for definition in definitions(TRIAL) if definition.spec.partial is not None]
    assert partial
    for definition in partial:
        with pytest.raises(OpspecError, match="the spec is partial, so its stub could not be right: "):
            stub(definition)


def test_prototypes_are_of_known_types() -> None:
    """Each parameter is a type of the closed set and an identifier."""
    param = re.compile(r"(const )?[a-z]\w* (\*{0,2})[A-Za-z]\w*|void", re.I)
    for definition in OPERATORS.values():
        for text in prototypes(definition):
            inside = text.split("(", 1)[1].rsplit(")", 1)[0]
            assert all(param.fullmatch(item.strip()) for item in inside.split(",")), text
