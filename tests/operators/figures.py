"""The registry's figures against recorded calls, committed beside this file.

``python -m tests.operators.figures`` measures them anew; a figure that falls needs a reason in the changelog.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opspec.model.load import load_file
from opspec.registry.folders import built_in
from opspec.registry.registry import Registry
from opspec.workshop.conformance import measure
from opspec.workshop.conformance.measure import Agreement
from opspec.workshop.conformance.seen import Witness
from opspec.workshop.coverage import Count, count, total
from tests.operators import reading
from tests.paths import REPOSITORY
from tests.recorded import SAMPLES, TESTS, recorded

RELEASE = "9.1.0"
UNREAD = "unread"  # in place of a rule: the call itself is not one of the operator
COMMITTED = Path(__file__).with_name("figures.json")


@dataclass(frozen=True, slots=True)
class Measured:
    """What the specs come to.

    Args:
        figures: what is committed: agreement with the recorded tests and samples, with and without what specs have
            learned from them; coverage.
        families: the ledgers of the specs, counted by family.
        refused: the recorded samples that are not accepted, by operator and the rule that they break first.
    """

    figures: dict[str, dict[str, object]]
    families: dict[str, Count]
    refused: Counter[tuple[str, str]]


def measured() -> Measured:
    """The figures as they are now."""
    known = Registry(())
    figures: dict[str, dict[str, object]] = {}
    refused = Counter[tuple[str, str]]()
    for name, path in (("tests", TESTS), ("samples", SAMPLES)):
        for document_only in (False, True):
            witness = Witness(known, RELEASE, document_only)
            # samples are programs that ran to their end
            result = measure.measured(witness.seen(recorded(path), ran=path == SAMPLES))
            figures[f"{name}, document only" if document_only else name] = {
                "calls": result.total,
                "exact": round(result.exact, 4),
                "false alarms": round(result.false_alarms, 4),
                "not in the registry": sum(witness.unknown.values()),
            }
            if path == SAMPLES and not document_only:
                refused = _by_rule(result)
    families = _by_family()
    figures["coverage"] = total(families.values()).to_dict()
    return Measured(figures, families, refused)


def _by_rule(samples: Agreement) -> Counter[tuple[str, str]]:
    found = Counter[tuple[str, str]]()
    for one in samples.sorted():
        operator, _, _, rules = one.reason
        found[operator, rules[0] if rules else UNREAD] += one.calls
    return found


def _by_family() -> dict[str, Count]:
    found: dict[str, Count] = defaultdict(Count)
    for path in specs():
        found[path.parent.name].add(count(load_file(str(path))))
    return found


def specs() -> list[Path]:
    """The spec files of the release."""
    return sorted(Path(built_in(), RELEASE).glob("*/*.yaml"))


def committed() -> dict[str, dict[str, object]]:
    """What was measured last."""
    known: dict[str, dict[str, object]] = json.loads(COMMITTED.read_text(encoding="utf-8"))
    return known


PAGES = {"en": REPOSITORY / "docs" / "registry.md", "zh": REPOSITORY / "docs" / "zh" / "registry.md"}
_MARKS = re.compile(r"(<!-- figures -->\n).*?(<!-- end figures -->)", re.S)
_WORDS = {
    "en": (
        "| figure | measured | repeated by |",
        "operators, with a summary in English and Chinese",
        "clauses of their pages, each accounted for",
        "facts in cells, and statements that rules formalise, of the checkable clauses",
        "recorded first-phase tests whose status is predicted exactly",
        "calls expected to succeed that are refused",
        "recorded samples, all meant to be legal, that are accepted",
        "tests predicted exactly, calls refused wrongly, from the documents alone",
        "clauses drawn at random whose rules an independent reader found to say the same; the others were mended",
    ),
    "zh": (
        "| 指标 | 实测值 | 复现命令 |",
        "算子数，均有中英文一句话说明",
        "文档条款数，全部有着落",
        "可检查条款中已成为事实或规则的比例",
        "第一段接口测试记录中状态码预测完全一致的比例",
        "预期成功却被拒绝的调用比例",
        "样例调用（均应合法）被接受的比例",
        "仅凭文档：预测完全一致的比例，误拒比例",
        "随机抽取的条款中，独立读者认为规则与之一致的数量；其余已修正",
    ),
}


def table(figures: dict[str, Any], lang: str) -> str:
    """The table of figures as the page on the registry has it."""
    head, operators, clauses, share, exact, refused, samples, alone, read = _WORDS[lang]
    coverage, tests = figures["coverage"], figures["tests"]
    documents = figures["tests, document only"]
    cases = "`opspec conformance --summary tests/data/tests.jsonl.gz`"
    rows = [
        (operators, f"{coverage['operators']:,}", "`opspec list --release 9.1.0`"),
        (clauses, f"{coverage['clauses']:,}", "`opspec coverage`"),
        (share, f"{coverage['share_of_checkable']:.1%}", "`opspec coverage`"),
        (exact, f"{tests['exact']:.1%} / {tests['calls']:,}", cases),
        (refused, f"{tests['false alarms']:.1%}", cases),
        (
            samples,
            f"{figures['samples']['exact']:.1%} / {figures['samples']['calls']}",
            cases.replace("--summary", "--summary --ran").replace("tests.jsonl", "samples.jsonl"),
        ),
        (
            alone,
            f"{documents['exact']:.1%}, {documents['false alarms']:.1%}",
            cases.replace("--summary", "--summary --document-only"),
        ),
        (read, reading.agreement(), "`python -m tests.operators.reading --tally`"),
    ]
    return "\n".join([head, "|---|---:|---|", *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


def stated(lang: str) -> str:
    """The table that the page has now."""
    found = _MARKS.search(PAGES[lang].read_text(encoding="utf-8"))
    return found[0].split("\n", 1)[1].removesuffix("<!-- end figures -->") if found else ""


def write() -> None:
    """Measure, and write file and pages."""
    figures = measured().figures
    COMMITTED.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    for lang, path in PAGES.items():
        before, mark, rest = path.read_text(encoding="utf-8").partition("<!-- figures -->\n")
        _, end, after = rest.partition("<!-- end figures -->")
        path.write_text(before + mark + table(figures, lang) + end + after, encoding="utf-8")


if __name__ == "__main__":
    write()
