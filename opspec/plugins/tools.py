"""What agents may ask, as functions with typed answers: each is one question to the Python API.

The descriptions of the tools are the functions' docstrings, and their schemas the annotations.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import NotRequired, TypedDict  # pydantic asks for it before Python 3.12

from opspec.assist.explain.answer import Asked
from opspec.assist.explain.recorded import explained_text
from opspec.assist.repair import api as repairs
from opspec.calls.examples.legal import legal_calls
from opspec.codegen.stubs.call import stub as stub_files
from opspec.diff import report
from opspec.diff.compare import compared
from opspec.diff.history import past_of
from opspec.diff.release import Differences
from opspec.diff.sides import Side, side
from opspec.diff.told import as_json as history_as_json
from opspec.docs.described import as_json
from opspec.docs.page import page
from opspec.docs.render import render
from opspec.errors import OpspecError
from opspec.plugins.nearest import Noted
from opspec.registry.names import matches
from opspec.registry.registry import definition_of, registry
from opspec.registry.toolkit import installed
from opspec.validator.api import resolved
from opspec.validator.batch import Judge
from opspec.validator.files import RawCall
from opspec.validator.infer import inferred
from opspec.validator.read import call

MOST_FOUND = 200  #: operators that one search names

Operator = Annotated[str, Field(description="the operator: aclnnMatmul", min_length=1, max_length=200)]
Release = Annotated[
    str | None,
    Field(
        description="the CANN release (default: the newest that has the operator), or a version near one: 8.2.RC1",
        max_length=40,
    ),
]
Product = Annotated[
    str | None,
    Field(description="the product in any spelling: 910b, Ascend910B3, 'Atlas A2 训练系列产品'", max_length=200),
]
Language = Annotated[Literal["en", "zh"], Field(description="language of the words")]
Arguments = Annotated[
    dict[str, Any],
    Field(
        description="arguments by param name: tensors as {'tensor': {'shape': [2, 3], 'dtype': 'FLOAT16', 'format': "
        "'ND'}}, scalars as {'scalar': {'dtype': 'FLOAT', 'value': 1}}, arrays as lists, numbers, booleans and texts "
        "as themselves, null pointers as null; the tool example gives a call to begin with"
    ),
]


class Known(TypedDict):
    """An operator of the registry."""

    op: str
    release: str
    family: str


class Found(Noted):
    """Operators by name; ``total`` counts those that were not named, too."""

    operators: list[Known]
    total: int


class Finding(TypedDict):
    """What a verdict says of a rule."""

    rule: str
    param: str | None
    message: str
    expected: str
    actual: str
    source: str | None
    status: int
    stage: str
    basis: str
    enforcement: str | None
    assumed: bool
    page: str


class Fix(TypedDict):
    """A legal call near an illegal one, and what differs."""

    message: str
    changes: list[dict[str, Any]]
    distance: float
    call: dict[str, Any]


class Verdict(TypedDict):
    """What opspec says of a call on a product."""

    id: str | None
    op: str
    release: str
    product: str | None
    support: str | None
    status: str
    code: int
    legal: bool
    violations: list[Finding]
    warnings: list[Finding]
    undecided: list[Finding]
    fixes: NotRequired[list[Fix]]


class Fixes(Noted):
    """Legal calls near an illegal one, the nearest first; none where it is legal, or none was found."""

    fixes: list[Fix]


class Explanations(Noted):
    """What the failures of a text mean."""

    failures: list[dict[str, Any]]


class Judged(Noted):
    """Verdicts by product: one, unless all were asked for."""

    legal: bool
    verdicts: list[Verdict]


class Call(Noted):
    """A call, as the tool check takes it."""

    op: str
    release: str
    product: str
    args: dict[str, Any]


class Files(Noted):
    """Texts of files by name."""

    files: dict[str, str]


class Page(Noted):
    """A documentation page."""

    markdown: str


def search(
    query: Annotated[str, Field(description="a name, a part of it, or a pattern with * and ?", max_length=200)],
    release: Release = None,
    family: Annotated[str | None, Field(description="only this family: matmul, attention …", max_length=100)] = None,
    limit: Annotated[int, Field(ge=1, le=MOST_FOUND)] = 20,
) -> Found:
    """Find operators of the registry by name."""
    known = registry()
    releases = known.releases()
    known.check_release(release)
    pattern = query if any(char in query for char in "*?") else f"*{query.strip()}*"
    found = [
        Known(op=name, release=each, family=entry.family)
        for each in ([release] if release else reversed(releases))
        for name, entry in sorted(known.entries(each).items())
        if family in (None, entry.family) and matches(name, pattern)
    ]
    if not found:
        raise OpspecError(f"no operator is named so{known.catalogue.meant(query, release)}", where=query)
    return Found(operators=found[:limit], total=len(found))


def show(
    op: Operator,
    release: Release = None,
    lang: Language = "en",
    clauses: Annotated[bool, Field(description="list the clauses of the vendor's page, too")] = False,
) -> dict[str, Any]:
    """Show all that an operator's spec says: params, products, derived values, rules with ids and sources; in which
    releases it is, and what changed in each."""
    known = registry()
    definition = definition_of(known.find(op, release))
    found = as_json(definition)
    other = "zh" if lang == "en" else "en"
    found["rules"] = [{key: value for key, value in rule.items() if key != other} for rule in found["rules"]]
    if not clauses:
        del found["clauses"]
    steps = history_as_json(past_of(definition, known))
    found["releases"] = [{key: value for key, value in step.items() if key != other} for step in steps]
    return found


def check(
    op: Operator, args: Arguments, product: Product = None, release: Release = None, lang: Language = "en"
) -> Judged:
    """Judge a call: whether it is legal, which status the first phase is expected to return, which documented clause it
    breaks. The product 'all' judges it on every product. An illegal call with status ACLNN_SUCCESS is one that the
    runtime accepts in silence."""
    asked = call(RawCall(1, "", {"op": op, "args": args}))
    verdicts = list(Judge(registry(), release, product, lang).verdicts(asked))
    legal = all(verdict.legal for verdict, counts in verdicts if counts)
    found: Any = [verdict.to_dict() for verdict, _ in verdicts]
    return Judged(legal=legal, verdicts=found)


def infer(
    op: Operator, args: Arguments, product: Product = None, release: Release = None, lang: Language = "en"
) -> dict[str, Any]:
    """Infer the outputs of a call that leaves them out, as far as rules determine them: shapes, dtypes, formats."""
    return inferred(registry().form(op, release), args, product, lang).to_dict()


def repair(
    op: Operator, args: Arguments, product: Product = None, release: Release = None, lang: Language = "en"
) -> Fixes:
    """Find the nearest legal calls to an illegal one, each verified: a dtype, a shape, an attribute, a param left out,
    another product or version of the operator."""
    found = repairs.repair(op, product=product, release=release, args=args, lang=lang)
    fixes: Any = [fix.to_dict() for fix in found]
    return Fixes(fixes=fixes)


def explain(
    text: Annotated[
        str, Field(description="lines of a log, a message, a status or the id of a rule", max_length=200_000)
    ],
    product: Product = None,
    release: Release = None,
    lang: Language = "en",
) -> Explanations:
    """Explain a failure at run time: the operator, the rules that may be broken with their clauses, what is likely to
    mend the call, a legal call to begin with, and the failing one as far as it is known, which ``repair`` takes."""
    found = explained_text(text, registry(), Asked(lang, release, product, toolkit=installed(registry())))
    if not found:
        raise OpspecError("nothing known there: no operator, status, class of messages or message that a rule matches")
    return Explanations(failures=[item.to_dict(lang) for item in found])


def diff(
    op: Operator,
    before: Annotated[str, Field(description="the older release: 8.5.0", max_length=40)],
    after: Annotated[str, Field(description="the newer release: 9.1.0", max_length=40)],
    lang: Language = "en",
) -> dict[str, Any]:
    """Say how an operator differs between two releases, and what of it breaks programs."""
    old, new = (_of(op, release) for release in (before, after))
    changes = tuple(compared(old.read(op), new.read(op)))
    found = Differences(before, after, changes, {op: new.entries[op].family}, 1)
    return report.as_json(found, changes, frozenset(), lang)


def _of(op: str, release: str) -> Side:
    registry().find(op, release)  # says what is near an unknown name
    return side(registry(), release)


def example(
    op: Operator,
    release: Release = None,
    product: Product = None,
    seed: Annotated[int, Field(description="0 gives the plainest call, others various ones", ge=0, le=2**31)] = 0,
) -> Call:
    """Make a legal call of an operator from its rules."""
    entry = registry().find(op, release)
    owner, member = resolved(product)
    form = registry().form(entry.operator, entry.release)
    found = next(legal_calls(definition_of(entry), form, member or owner, seed), None)
    if found is None:
        raise OpspecError("no legal call was found", where=f"{entry.operator} ({entry.release})")
    return Call(op=found["op"], release=found["release"], product=found["product"], args=found["args"])


def stub(op: Operator, release: Release = None) -> Files:
    """Write C that calls an operator: header, call stub, an example program and CMakeLists.txt."""
    return Files(files=dict(stub_files(definition_of(registry().find(op, release)))))


def docs(op: Operator, release: Release = None, lang: Language = "en") -> Page:
    """The documentation page of an operator: each param, constraint and return code in sentences."""
    made = page(definition_of(registry().find(op, release)), lang)
    return Page(markdown=render(made, "md"))


TOOLS = (search, show, check, explain, repair, infer, example, stub, docs, diff)

_TENSOR = {"tensor": {"shape": [2, 16], "dtype": "FLOAT16"}}
_GELU = {"op": "aclnnGelu", "args": {"self": _TENSOR, "out": {"tensor": {"shape": [2, 8], "dtype": "FLOAT16"}}}}

#: a question to each tool, for agents that learn from one
EXAMPLES: dict[str, dict[str, Any]] = {
    "search": {"query": "gelu"},
    "show": {"op": "aclnnGelu"},
    "check": {**_GELU, "product": "910b"},
    "explain": {
        "text": "call aclnnGelu failed, detail: EZ1001: self and out should have the same shape",
        "product": "910b",
    },
    "repair": {**_GELU, "product": "910b"},
    "infer": {"op": "aclnnGelu", "args": {"self": _TENSOR}},
    "example": {"op": "aclnnMatmul", "product": "910b"},
    "stub": {"op": "aclnnGelu"},
    "docs": {"op": "aclnnGelu", "lang": "zh"},
    "diff": {"op": "aclnnMatmul", "before": "8.5.0", "after": "9.1.0"},
}
