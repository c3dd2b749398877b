"""Promises about the C itself: it compiles without a warning in gcc and clang, needs libc only, is clean under
sanitizers, survives garbage, and a build can take the operators it wants."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from opspec.cli.c import run
from opspec.cli.main import main
from opspec.codegen.rules import operator as operator_module
from opspec.codegen.rules.library import WARNINGS
from opspec.errors import OpspecError
from opspec.registry.registry import Registry
from tests.codegen.rules.native import build
from tests.committed import MANY
from tests.paths import REPOSITORY

OPERATORS = ("aclnnAdd", "aclnnConvolution", "aclnnQuantMatmulV5", "aclnnCat", "aclnnWeightQuantBatchMatmulV2")
STRICT = "-O1 -Werror"

GARBAGE = """
#include <stdio.h>
#include <string.h>
#include "opspec_registry.h"
#include "opspec_say.h"

/* Every operator is judged with all pointers null, with tensors of absurd ranks and dims, and with absurd numbers. */
static const int64_t dims[1100] = {0, INT64_MAX, INT64_MAX, -1, INT64_MIN, 3};
static char endless[OPSPEC_TEXT_MAX];

static opspec_arg garbage(opspec_kind kind, int round)
{
    static opspec_tensor tensor;
    static const opspec_tensor *tensors[3];
    static opspec_tensors list;
    static opspec_scalar scalar;
    static const opspec_scalar *scalars[2];
    static opspec_scalars values;
    static opspec_ints ints;
    static opspec_numbers numbers;
    static const opspec_number number = {77, {-1}};
    static const int64_t ranks[] = {0, 100, 1024, 5, -7};
    opspec_arg arg = {.natural = round % 2 ? UINT64_MAX : (uint64_t)1 << 63};
    tensor = (opspec_tensor){.rank = ranks[round % 5], .shape = dims, .strides = round % 2 ? dims : NULL, .offset = -9,
                             .dtype = round * 1000 - 3000, .format = 64 - round * 7};
    tensors[0] = tensors[2] = &tensor;
    list = (opspec_tensors){tensors, round % 4};
    scalar = (opspec_scalar){number, -round};
    scalars[0] = &scalar;
    values = (opspec_scalars){scalars, 1};
    ints = (opspec_ints){dims, round % 3 ? 1100 : 0};
    numbers = (opspec_numbers){&number, round % 2};
    if (kind == OPSPEC_KIND_TENSOR)
        arg.tensor = &tensor;
    else if (kind == OPSPEC_KIND_TENSORS)
        arg.tensors = &list;
    else if (kind == OPSPEC_KIND_SCALAR)
        arg.scalar = &scalar;
    else if (kind == OPSPEC_KIND_SCALARS)
        arg.scalars = &values;
    else if (kind == OPSPEC_KIND_INTS || kind == OPSPEC_KIND_BOOLS)
        arg.ints = &ints;
    else if (kind == OPSPEC_KIND_NUMBERS)
        arg.numbers = &numbers;
    else if (kind == OPSPEC_KIND_STRING)
        arg.string = round % 2 ? endless : "";
    else if (kind == OPSPEC_KIND_REAL)
        arg.real = round % 2 ? 1e300 * 1e300 : -1.5;
    return arg;
}

/* Everything that can be said of a call, into a buffer that is often too small. */
static void say(const opspec_operator *op, const opspec_call *call, const opspec_verdict *verdict)
{
    static char text[300];
    static size_t size;
    for (int i = 0; i < verdict->violation_count; i++)
        (void)opspec_say_rule(op, call, verdict->violations[i], text, size++ % sizeof text);
    for (int i = 0; i < verdict->warning_count; i++)
        (void)opspec_say_rule(op, call, verdict->warnings[i], text, size++ % sizeof text);
    for (int rule = 0; rule < op->rule_count; rule++)
        (void)opspec_say_rule(op, call, rule, text, sizeof text);
    (void)opspec_say_call(op, call, text, size++ % sizeof text);
}

int main(void)
{
    static opspec_verdict verdict;
    opspec_arg args[256];
    int judged = 0;
    memset(endless, 'x', sizeof endless);
    for (int i = 0; i < OPSPEC_OPERATOR_COUNT; i++) {
        const opspec_operator *op = opspec_operators[i];
        if (opspec_find(op->name) != op || op->param_count > 256)
            return 1;
        for (int round = -1; round < 8; round++) {
            const opspec_call call = {args, round * 3 - 3, round * 9 - 18};
            for (int j = 0; j < op->param_count; j++) {
                if (round < 0)
                    args[j] = (opspec_arg){.pointer = NULL};
                else
                    args[j] = garbage(op->params[j].kind, round);
            }
            opspec_judge(op, &call, &verdict);
            judged++;
            say(op, &call, &verdict);
        }
    }
    printf("%d\\n", judged);
    return opspec_find("aclnnNone") != NULL;
}
"""


@pytest.mark.parametrize("cc", ["gcc", "clang"])
def test_no_compiler_warns(cc: str, tmp_path: Path) -> None:
    if shutil.which(cc) is None:
        pytest.skip(f"no {cc} here")
    build(str(tmp_path), OPERATORS, flags=STRICT, cc=cc)


@pytest.mark.slow
@pytest.mark.parametrize("cc", ["gcc", "clang"])
def test_no_compiler_warns_of_any_operator(cc: str, tmp_path: Path) -> None:
    """Here of a sample; with ``OPSPEC_EXAMPLES=18`` of all operators."""
    if shutil.which(cc) is None:
        pytest.skip(f"no {cc} here")
    known = sorted(Registry().entries("9.1.0"))
    names = random.Random(7).sample(known, min(60 * MANY, len(known)))
    assert main(["c", "--release", "9.1.0", "--out", str(tmp_path), *names]) == 0
    files = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.c"))
    for start in range(0, len(files), 100):
        words = [
            cc,
            "-std=c11",
            "-fsyntax-only",
            *WARNINGS.split(),
            "-Werror",
            "-Iinclude",
            *files[start : start + 100],
        ]
        subprocess.run(words, cwd=tmp_path, check=True)


@pytest.mark.slow
def test_garbage_under_sanitizers(tmp_path: Path) -> None:
    sanitized = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all"
    build(str(tmp_path), OPERATORS, flags=sanitized)
    (tmp_path / "garbage.c").write_text(GARBAGE)
    command = f"cc -std=c11 {sanitized} -Iinclude garbage.c libopspec_rules.so -Wl,-rpath,{tmp_path} -o garbage"
    subprocess.run(command.split(), cwd=tmp_path, check=True)
    done = subprocess.run(["./garbage"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert int(done.stdout) == 9 * len(OPERATORS)


def test_only_libc_is_needed(tmp_path: Path) -> None:
    path = build(str(tmp_path), ["aclnnAdd"])
    done = subprocess.run(["nm", "-D", "--undefined-only", path], capture_output=True, text=True, check=True)
    names = {line.split()[-1].split("@")[0] for line in done.stdout.splitlines()}
    own = {name for name in names if not name.startswith(("_", "__"))}
    texts = {"snprintf", "strtod", "strtol", "strlen", "strchr", "strcmp", "strncmp", "strcspn"}  # of messages and JSON
    assert own <= {"memchr", "memcmp", "memset", "memcpy", *texts}, own
    listed = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
    assert "libm." not in listed


def test_a_build_takes_the_operators_it_wants(tmp_path: Path) -> None:
    folder = str(tmp_path)
    assert main(["c", "--release", "9.1.0", "--out", folder, *OPERATORS]) == 0
    subprocess.run(["make", "-s", "-C", folder, "some", "OPERATORS=aclnnAdd aclnnCat"], check=True)
    (tmp_path / "one.c").write_text(
        '#include "opspec_rules.h"\nextern const opspec_operator opspec_aclnnAdd;\n'
        "int main(void) { static opspec_verdict v; const opspec_arg args[4] = {{NULL}};\n"
        "return opspec_judge(&opspec_aclnnAdd, &(opspec_call){args, 0, 0}, &v) != 161001; }\n"
    )
    command = "cc -std=c11 -Iinclude one.c libopspec_some.a -o one"
    subprocess.run(command.split(), cwd=folder, check=True)
    assert subprocess.run([f"{folder}/one"]).returncode == 0
    listed = subprocess.run(
        ["ar", "t", f"{folder}/libopspec_some.a"], capture_output=True, text=True, check=True
    ).stdout
    assert {"aclnnAdd.o", "aclnnCat.o"} <= set(listed.split())
    assert "aclnnConvolution.o" not in listed


@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake here")
def test_cmake_builds_the_same(tmp_path: Path) -> None:
    folder = str(tmp_path)
    assert main(["c", "--release", "9.1.0", "--out", folder, "aclnnAdd", "aclnnCat"]) == 0
    for build_folder, wanted in (("all", ""), ("one", "-DOPSPEC_OPERATORS=aclnnAdd")):
        words = ["cmake", "-S", folder, "-B", f"{folder}/{build_folder}", *([wanted] if wanted else [])]
        subprocess.run(words, check=True, capture_output=True)
        subprocess.run(["cmake", "--build", f"{folder}/{build_folder}"], check=True, capture_output=True)
    assert (tmp_path / "one" / "libopspec_some.a").exists()
    assert (tmp_path / "all" / "libopspec_math.a").exists()


@pytest.mark.parametrize("page", ["docs/c.md", "docs/zh/c.md"])
def test_the_commands_of_the_page_on_c(page: str, tmp_path: Path) -> None:
    text = Path(REPOSITORY, page).read_text()
    start = text.index("```bash\nopspec c aclnnAdd")
    commands, output = text[start:].split("```")[1].removeprefix("bash\n"), text[start:].split("```")[3]
    script = f'opspec() {{ "{sys.executable}" -m opspec "$@" >&2; }}\n' + commands.replace("build/rules", str(tmp_path))
    done = subprocess.run(["bash", "-euc", script], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert done.stdout == output.removeprefix("text\n")


def test_sources_are_the_same_each_time(tmp_path: Path) -> None:
    texts = []
    for seed in ("1", "2"):
        out = tmp_path / seed
        words = [sys.executable, "-m", "opspec", "c", "--release", "9.1.0", "--out", str(out), *OPERATORS]
        subprocess.run(words, check=True, capture_output=True, cwd=REPOSITORY, env={"PYTHONHASHSEED": seed})
        texts.append({path.relative_to(out): path.read_text() for path in out.rglob("*") if path.is_file()})
    assert texts[0] == texts[1]
    code = [line for text in texts[0].values() for line in text.splitlines()]
    assert sum(len(line) > 120 for line in code) < len(code) / 200


def test_an_unknown_operator_writes_nothing(tmp_path: Path) -> None:
    assert main(["c", "--release", "9.1.0", "--out", str(tmp_path / "out"), "aclnnNone"]) == 2
    assert not (tmp_path / "out").exists()


def test_an_unknown_release_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["c", "--release", "latest", "--out", str(tmp_path / "out")]) == 2
    assert "unknown release 'latest'; there are 8.0, 8.5.0, 9.0.0, 9.1.0" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_an_operator_with_too_many_rules_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(operator_module, "MOST_RULES", 3)
    with pytest.raises(OpspecError, match="more than 3 rules"):
        run(["--release", "9.1.0", "--out", str(tmp_path), "aclnnAdd"])
