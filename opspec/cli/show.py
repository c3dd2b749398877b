"""``opspec show``: all that an operator's spec says, readable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table

from opspec.cli import options
from opspec.cli.tables import console, safe
from opspec.docs.enforced import enforced_words, evidence_of
from opspec.docs.page import deprecation
from opspec.docs.words import WORDS
from opspec.language import prose
from opspec.language.text import write
from opspec.model.enforcement import enforcement
from opspec.model.ledger import Clause, clauses
from opspec.registry.registry import definition_of, registry
from opspec.vocabulary import products, status

if TYPE_CHECKING:
    from rich.console import Console

    from opspec.model.definition import Definition, RuleDef

_WORDS: dict[str, dict[str, Any]] = {
    "en": {"support": "products", "params": "params", "rules": "rules", "lets": "derived values", "clauses": "clauses",
           "deterministic": "deterministic", "header": "header", "page": "page", "yes": "yes", "no": "no",
           "unknown": "unknown", "not_checkable": "not checkable", "not_yet": "not yet formalised", "if": "if {0}: ",
           "columns": ("param", "C type", "direction", "about"),
           "rule": ("rule", "requires", "code", "runtime", "clause"),
           "observed": "observed", "conflicts": "conflicts", "early": "returns success early"},
    "zh": {"support": "产品支持", "params": "参数", "rules": "规则", "lets": "派生量", "clauses": "文档条款",
           "deterministic": "确定性", "header": "头文件", "page": "文档", "yes": "是", "no": "否", "unknown": "未知",
           "not_checkable": "不可检查", "not_yet": "尚未形式化", "if": "当{0}时：",
           "columns": ("参数", "C类型", "方向", "说明"), "rule": ("规则", "要求", "返回码", "运行时", "条款"),
           "observed": "实测", "conflicts": "冲突", "early": "提前返回成功"},
}  # fmt: skip


def run(words: list[str]) -> int:
    """The command."""
    target = options.parser(
        "show", "Show all that an operator's spec says: products, params, rules with their sources, clauses."
    )
    target.add_argument("op", metavar="OP", help="the operator")
    target.add_argument("--release", help="the release (default: the newest that has the operator)")
    target.add_argument("--output", choices=("text", "json"), default="text")
    options.add_specs(target)
    options.add_lang(target)
    asked = target.parse_args(words)
    definition = definition_of(registry(asked.specs).find(asked.op, asked.release))
    if asked.output == "json":
        options.print_json(as_json(definition))
    else:
        _print(definition, options.language(asked.lang), console())
    return 0


def as_json(definition: Definition) -> dict[str, Any]:
    """The operator as JSON values: the spec's own content, and the rules that it amounts to."""
    spec = definition.spec
    return {
        "op": definition.name,
        "release": spec.release,
        "header": definition.header,
        "deprecated": spec.deprecated.model_dump() if spec.deprecated else None,
        "summary": spec.summary.model_dump() if spec.summary else None,
        "formula": [item.model_dump() for item in spec.formula],
        "products": dict(spec.products),
        "params": [
            {"name": p.name, "ctype": p.ctype, "io": p.io, "nullable": p.nullable and p.pointer}
            for p in definition.params
        ],
        "let": {name: write(node) for name, node in definition.lets.items()},
        "results": dict(spec.results),
        "rules": [_rule_json(rule, definition) for rule in definition.rules],
        "clauses": [clause.model_dump(exclude_none=True, exclude_defaults=True) for clause in _clauses_of(definition)],
    }


def _clauses_of(definition: Definition) -> tuple[Clause, ...]:
    return clauses(definition.home, definition.places)


def _rule_json(rule: RuleDef, definition: Definition) -> dict[str, Any]:
    found = enforcement(rule, definition)
    return {
        "id": rule.id,
        "when": None if rule.when is None else write(rule.when),
        "check": write(rule.check),
        "en": _said(rule, definition, "en"),
        "zh": _said(rule, definition, "zh"),
        "status": status.name(found.status) if found.status else rule.status,
        "stage": rule.stage,
        "enforcement": found.usual,
        "on": dict(found.on),
        "assumed": found.assumed,
        "basis": rule.basis,
        "evidence": evidence_of(rule, "en") or None,
        "sources": list(rule.sources),
    }


def _said(rule: RuleDef, definition: Definition, lang: prose.Lang) -> str:
    if rule.say is not None:
        return prose.authored(rule.say, lang)
    return prose.requirement(rule.check, lang, definition.terms)


def _print(definition: Definition, lang: prose.Lang, target: Console) -> None:
    spec, words = definition.spec, _WORDS[lang]
    summary = "" if spec.summary is None else spec.summary.text(lang)
    target.print(f"[bold]{definition.name}[/]  {spec.release}  {safe(summary)}".rstrip())
    if spec.deprecated is not None:
        target.print(f"{WORDS[lang]['deprecated']}: {safe(deprecation(spec.deprecated, lang))}", soft_wrap=True)
    target.print(f"{words['header']}: {safe(definition.header or words['unknown'])}", soft_wrap=True)
    target.print(f"{words['page']}: {safe(spec.document or words['unknown'])}", soft_wrap=True)
    support = ", ".join(f"{name} ({products.name(name, lang)}) {words[value]}" for name, value in spec.products.items())
    target.print(f"{words['support']}: {safe(support)}", soft_wrap=True)
    for item in spec.formula:
        title = f"{item.title.text(lang)}: " if item.title else ""
        target.print(f"  {safe(title + item.latex)}", soft_wrap=True)
    _params(definition, words, lang, target)
    for name, node in definition.lets.items():
        target.print(f"  {safe(name)} = {safe(write(node))}", soft_wrap=True)
    for name, text in spec.results.items():
        target.print(f"  {safe(name)} = {safe(text)}", soft_wrap=True)
    _rules(definition, words, lang, target)
    for when, after in definition.early:
        target.print(f"{words['early']}: {safe(write(when))} ({after})", soft_wrap=True)
    _clauses(definition, words, target)


def _params(definition: Definition, words: dict[str, Any], lang: prose.Lang, target: Console) -> None:
    table = Table(title=words["params"], title_justify="left", box=None, pad_edge=False)
    for column in words["columns"]:
        table.add_column(column)
    about = {param.name: param.about for param in definition.spec.params}
    for param in definition.params:
        text = about.get(param.name)
        table.add_row(param.name, safe(param.ctype), param.io, safe(text.text(lang) if text else ""))
    target.print(table)


def _rules(definition: Definition, words: dict[str, Any], lang: prose.Lang, target: Console) -> None:
    table = Table(title=words["rules"], title_justify="left", box=None, pad_edge=False)
    for column in words["rule"]:
        table.add_column(column, overflow="fold")
    for rule in definition.rules:
        text = _said(rule, definition, lang)
        if rule.when is not None and rule.say is None:
            text = words["if"].format(prose.condition(rule.when, lang, definition.terms)) + text
        found = enforcement(rule, definition)
        basis = f" ({words['observed']})" if rule.basis == "observed" else ""
        table.add_row(
            rule.id,
            safe(text),
            str(found.status or status.number(rule.status)),
            enforced_words(found, lang) + basis,
            safe(", ".join(rule.sources)),
        )
    target.print(table)


def _clauses(definition: Definition, words: dict[str, Any], target: Console) -> None:
    rest = [clause for clause in _clauses_of(definition) if not clause.rules]
    if rest:
        target.print(words["clauses"])
    for clause in rest:
        kind = f"{words['not_checkable']}: {safe(clause.not_checkable)}" if clause.not_checkable else words["not_yet"]
        target.print(f"  {safe(clause.at)}: {kind}", soft_wrap=True)
