"""``opspec cases``: test cases of operators, made from their rules."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from opspec.calls.cases import gtest, kit
from opspec.calls.cases.made import Case, Cases, why
from opspec.cli import options
from opspec.cli.ending import FINDING, OK
from opspec.cli.list import none_legal
from opspec.errors import OpspecError
from opspec.files import read_bytes, read_standard_input
from opspec.jsontext import written
from opspec.registry.registry import Registry, definition_of, registry
from opspec.validator.api import resolved

FORMS = ("jsonl", "csv", "gtest", "rules")
MOST_TABLE = 1 << 26  # bytes of a table that is read


def run(words: list[str]) -> int:
    """The command: 0, or 1 when there is no legal call, or with ``--output rules`` no call for a rule alone."""
    asked = _parser().parse_args(words)
    known = registry(asked.specs)
    if asked.read is not None:
        if asked.op is not None:
            raise OpspecError("--read takes no operator: the table names them")
        for call in kit.calls(_table(asked.read), known.form, asked.read):
            print(written(call))
        return OK
    if asked.op is None:
        raise OpspecError("an operator is expected; see opspec cases --help")
    entry = known.find(asked.op, asked.release)
    definition = definition_of(entry)
    product, member = resolved(asked.product)
    cases = Cases(definition, known.form(entry.operator, entry.release), member or product, asked.seed)
    if asked.rule is not None and definition.rule(asked.rule) is None:
        raise OpspecError(f"{entry.operator} has no rule {asked.rule!r}; 'opspec show {entry.operator}' lists them")
    if asked.output == "rules":
        return _rules(cases, asked.rule)
    found = list(_chosen(cases, asked))
    _print(known, cases, found, asked.output)
    if any(not case.breaks for case in found) or asked.only == "illegal" or asked.rule is not None:
        return OK
    print(none_legal(entry), file=sys.stderr)
    return FINDING


def _parser() -> argparse.ArgumentParser:
    target = options.parser(
        "cases",
        "Make test cases of an operator from its rules: legal calls that differ in dtypes, formats, ranks, presence, "
        "bounds, empties and strides, and for each rule a call that breaks it, alone where one does.",
        "The same seed makes the same cases. 'expect' is the status that the first phase is predicted to return.",
    )
    target.add_argument("op", nargs="?", metavar="OP", help="the operator")
    options.add_release(target, "the CANN release (default: the newest that has the operator)")
    target.add_argument("--product", help="the product of all calls (default: the example's, one call for each other)")
    target.add_argument("--seed", type=int, default=0, help="other seeds make other cases (default: 0)")
    target.add_argument("--only", choices=("legal", "illegal"), help="only legal calls, or only illegal ones")
    target.add_argument("--rule", metavar="ID", help="only the call that breaks this rule")
    target.add_argument(
        "--output", choices=FORMS, default="jsonl",
        help="jsonl for 'opspec check' (default), csv as the vendor's test kit reads it, gtest a C++ source for one "
        "product, rules a line for each rule: whether a call breaks it alone, or why none does (status 1)",
    )  # fmt: skip
    target.add_argument("--read", metavar="FILE", help="print the calls of a table of the test kit as jsonl")
    options.add_specs(target)
    return target


def _table(path: str) -> str:
    """The text of a table."""
    data = read_standard_input() if path == "-" else read_bytes(path, MOST_TABLE + 1)
    if len(data) > MOST_TABLE:
        raise OpspecError(f"at most {MOST_TABLE >> 20} MiB are read of a table", where=path)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise OpspecError(f"no UTF-8: {error.reason} at byte {error.start}", where=path) from None


def _chosen(cases: Cases, asked: argparse.Namespace) -> Iterator[Case]:
    if asked.only != "illegal" and asked.rule is None:
        yield from cases.legal()
    if asked.only != "legal":
        with options.progress(len(cases.definition.rules)) as advance:
            for case in cases.illegal(asked.rule):
                advance(case.name)
                yield case


def _print(known: Registry, cases: Cases, found: list[Case], form: str) -> None:
    definition = cases.definition
    if form == "gtest":
        product = cases.product or (found[0].product if found else "")
        sys.stdout.write(gtest.source(definition, product, found))
    elif form == "csv":
        kinds = {param.name: param.kind for param in definition.params}
        for line in kit.table((case.record(), kinds) for case in found):
            print(line)
    else:
        for case in found:
            print(written(case.record()))


def _rules(cases: Cases, rule: str | None) -> int:
    for _ in cases.illegal(rule):
        pass
    for found in cases.findings:
        print(f"{found.rule.id}: {why(found)}")
    return FINDING if any(found.reason is not None for found in cases.findings) else OK
