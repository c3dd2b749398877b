"""SARIF 2.1.0, the form of findings that code hosts and editors read: of ``opspec check`` and of ``opspec lint``.

A log is written as it comes: results first, and the rules that they name behind them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias
from urllib.parse import quote

from opspec import __version__
from opspec.cli.verdicts import Rows, Tally
from opspec.errors import OpspecError, printable
from opspec.jsontext import written
from opspec.language import prose
from opspec.registry.info import OperatorInfo, RuleInfo
from opspec.registry.registry import Registry
from opspec.validator.explain import terms_of
from opspec.validator.files import Place
from opspec.validator.verdict import Finding, Verdict, page_of
from opspec.vocabulary import status
from opspec.vocabulary.literals import Lang

Level: TypeAlias = Literal["error", "warning", "note"]

OPENING = (
    '{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{"columnKind": '
    '"unicodeCodePoints", "results": [\n'
)
BETWEEN = ",\n"

BAD_INPUT = "opspec/bad-input"
_BAD_INPUT = {"en": "What stands there is no call, and was not judged.", "zh": "此处不是一个调用，未作检查。"}
_DOUBT = {
    "en": "The page does not say whether the operator is supported on this product.",
    "zh": "文档没有说明该算子是否支持此产品。",
}
_HELP = {
    "en": {"clause": "Clause", "status": "Status of the first phase", "stage": "Checked in", "usual": "Runtime",
           "basis": "Basis", "page": "Page"},
    "zh": {"clause": "条款", "status": "第一段接口的返回码", "stage": "检查阶段", "usual": "运行时", "basis": "依据",
           "page": "页面"},
}  # fmt: skip


# --- parts of a log


def result(
    rule: str,
    level: Level,
    message: str,
    place: Place,
    *,
    column: int | None = None,
    properties: Mapping[str, object] | None = None,
) -> dict[str, object]:
    """A finding at a place of a file; its properties are of this tool alone."""
    found = {**_head(rule, level, message), "locations": _where(place, column)}
    if properties:
        found["properties"] = dict(properties)
    return found


def _head(rule: str, level: Level, message: str) -> dict[str, object]:
    return {"ruleId": rule, "level": level, "message": {"text": _text(message)}}


def _where(place: Place, column: int | None = None) -> list[object]:
    name, line = place
    region = {"startLine": line} if column is None else {"startLine": line, "startColumn": column}
    return [{"physicalLocation": {"artifactLocation": {"uri": _uri(name)}, "region": region}}]


def descriptor(rule: str, sentence: str, help_text: str = "", markdown: str = "", link: str = "") -> dict[str, object]:
    """A rule that results name: what it requires, and what else is to be said of it."""
    found: dict[str, object] = {"id": rule, "shortDescription": {"text": _text(sentence)}}
    found["help"] = {"text": _text(help_text or sentence), "markdown": markdown or sentence}
    if link:
        found["helpUri"] = link
    return found


def closing(rules: list[dict[str, object]], *, successful: bool) -> str:
    """What stands behind the results.

    Args:
        successful: whether all input could be read.
    """
    semantic = __version__.replace(".dev", "-dev")  # as semver.org writes it
    driver = {"name": "opspec", "version": __version__, "semanticVersion": semantic, "rules": rules}
    rest = {"invocations": [{"executionSuccessful": successful}], "tool": {"driver": driver}}
    return f"\n], {written(rest)[1:]}]}}\n"


def _uri(name: str) -> str:
    """A path as a reference; a relative one counts from where opspec ran, the root of a checkout mostly."""
    path = quote(name.removeprefix("./"), safe="/")
    return f"file://{path}" if name.startswith("/") else path


def _text(message: str) -> str:
    """A message of printable lines in which nothing is taken for a link."""
    return "\n".join(map(printable, message.split("\n"))).replace("](", "] (")


# --- verdicts

MOST_KEPT = 4096  #: findings whose words are kept as text


class SarifRows(Rows):
    """A result for each broken rule, and for what could not be judged."""

    opening, between, empty = OPENING, BETWEEN, OPENING

    def __init__(self, lang: Lang, colours: bool) -> None:
        super().__init__(lang, colours)
        self._rules = Tally()
        self._heads: dict[object, str] = {}

    def row(self, verdict: Verdict, place: Place = ("", 1), fails: bool = False) -> str:
        """The findings of a verdict.

        Their level is error where the call counts for exit status 1; contradicted rules are notes.
        """
        level: Level = "error" if fails else "warning"
        where = written(_where(place))
        found = [self._result(verdict, finding, level, where) for finding in verdict.violations]
        found += [self._result(verdict, finding, "note", where) for finding in verdict.warnings]
        return BETWEEN.join(found)

    def _result(self, verdict: Verdict, finding: Finding, level: Level, where: str) -> str:
        """The text of :func:`result`: up to the place it is mostly that of another call's finding."""
        key = verdict.op, verdict.release, finding.rule
        self._rules.rules[key] = self._rules.rules.get(key, 0) + 1
        said = {"call": verdict.id, "product": verdict.product, "param": finding.param, "status": verdict.status,
                "enforcement": finding.enforcement, "assumed": finding.assumed}  # fmt: skip
        given = {name: value for name, value in said.items() if value is not None}
        kind = finding.kind, level
        head = self._heads.get(kind)
        if head is None:
            if len(self._heads) == MOST_KEPT:
                self._heads.clear()
            head = self._heads[kind] = written(_head(finding.full_id, level, finding.message))[:-1]
        return f'{head}, "locations": {where}, "properties": {written(given)}}}'

    def broken(self, error: OpspecError, place: Place) -> str:
        """A result for it."""
        return written(result(BAD_INPUT, "error", str(error), place))

    def taken(self) -> Tally:
        """The rules of the results since this was last asked."""
        taken, self._rules = self._rules, Tally()
        return taken

    def end(self, total: Tally, shown: bool, known: Registry) -> str:
        """The rules that results name, with their help."""
        rules = [descriptor(BAD_INPUT, _BAD_INPUT[self.lang])] if total.broken else []
        rules += [self._descriptor(known, *key) for key in sorted(total.rules)]
        return ("" if shown else self.empty) + closing(rules, successful=not total.broken)

    def _descriptor(self, known: Registry, op: str, release: str, rule: str) -> dict[str, object]:
        full = f"{release}/{op}/{rule}"
        info = known.form(op, release).info
        found = next((row for row in info.rules if row.id == rule), None)
        if found is None:  # a doubt about the product: no rule of the operator
            return descriptor(full, _DOUBT[self.lang])
        sentence = _sentence(found, info, self.lang)
        rows = self._help(found, info.document)
        page = quote(page_of(full, self.lang, "html"), safe="/#")
        link = f"{self.pages.rstrip('/')}/{page}" if self.pages else ""
        if link:
            rows.append((_HELP[self.lang]["page"], link))
        text = "\n".join(f"{name}: {value}" for name, value in rows)
        markdown = "\n".join(f"* {name}: {value}" for name, value in rows)
        return descriptor(full, sentence, f"{sentence}\n{text}", f"{sentence}\n\n{markdown}", link)

    def _help(self, rule: RuleInfo, document: str | None) -> list[tuple[str, str]]:
        words = _HELP[self.lang]
        rows = [(words["clause"], f"{document}: {', '.join(rule.sources)}")] if document and rule.sources else []
        rows.append((words["status"], f"{rule.status} {status.name(rule.status)}"))
        rows += [(words[name], getattr(rule, name)) for name in ("stage", "usual", "basis")]
        return rows


def _sentence(rule: RuleInfo, info: OperatorInfo, lang: Lang) -> str:
    """What a rule requires, and under which condition."""
    language: prose.Lang = "zh" if lang == "zh" else "en"
    if rule.say is not None:
        return prose.authored(rule.say, language)
    return prose.guarded(rule.when, rule.check, language, terms_of(info))
