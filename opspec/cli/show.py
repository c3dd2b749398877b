"""``opspec show``: all that an operator's spec says, readable."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rich.table import Table

from opspec.calls.examples.legal import COMMON
from opspec.cli import brief, options
from opspec.cli.tables import console, dims, safe
from opspec.diff.history import past_of
from opspec.diff.told import as_json as history_as_json
from opspec.diff.told import in_words
from opspec.docs.described import as_json, clauses_of, dtypes_taken, formats_taken, taken
from opspec.docs.enforced import enforced_words
from opspec.docs.history import History
from opspec.docs.notes import deprecation
from opspec.docs.saying import Sayings
from opspec.docs.words import WORDS
from opspec.errors import OpspecError
from opspec.language.text import write
from opspec.model.definition import Definition
from opspec.model.remarks import remarks_of
from opspec.model.spec import Param, Spec
from opspec.model.stated import stated_of
from opspec.registry.registry import definition_of, registry
from opspec.vocabulary import products, status
from opspec.vocabulary.literals import Lang

if TYPE_CHECKING:
    from rich.console import Console

_WORDS: dict[str, dict[str, Any]] = {
    "en": {"support": "products", "params": "params", "rules": "rules", "lets": "derived values", "clauses": "clauses",
           "deterministic": "deterministic", "header": "header", "page": "page", "yes": "yes", "no": "no",
           "unknown": "unknown", "not_checkable": "not checkable", "not_yet": "not yet formalised",
           "columns": ("param", "C type", "direction", "dtypes", "formats", "dims", "about"), "remarks": "remarks",
           "rule": ("rule", "requires", "code", "runtime", "clause"),
           "observed": "observed", "conflicts": "conflicts", "early": "returns success early"},
    "zh": {"support": "产品支持", "params": "参数", "rules": "规则", "lets": "派生量", "clauses": "文档条款",
           "deterministic": "确定性", "header": "头文件", "page": "文档", "yes": "是", "no": "否", "unknown": "未知",
           "not_checkable": "不可检查", "not_yet": "尚未形式化",
           "columns": ("参数", "C类型", "方向", "数据类型", "数据格式", "维数", "说明"), "remarks": "说明",
           "rule": ("规则", "要求", "返回码", "运行时", "条款"),
           "observed": "实测", "conflicts": "冲突", "early": "提前返回成功"},
}  # fmt: skip


def run(words: list[str]) -> int:
    """The command."""
    target = options.parser(
        "show", "Show all that an operator's spec says: products, params, rules with their sources, clauses."
    )
    target.add_argument("op", metavar="OP", help="the operator")
    options.add_release(target, "the release (default: the newest that has the operator)")
    target.add_argument("--output", choices=("text", "json"), default="text")
    target.add_argument(
        "--brief", action="store_true", help="one screen: what the operator takes on one product (--product)"
    )
    target.add_argument("--product", help="of --brief, in any spelling (default: that of the spec's example)")
    options.add_specs(target)
    options.add_lang(target)
    asked = target.parse_args(words)
    if asked.product and not asked.brief:
        raise OpspecError("it narrows what --brief shows; without that all products are shown", where="--product")
    known = registry(asked.specs)
    definition = definition_of(known.find(asked.op, asked.release))
    if asked.brief:
        shown = definition.spec.example
        product = asked.product or (shown.product if shown is not None else None) or COMMON
        brief.show(definition, product, options.language(asked.lang), console())
        return 0
    found = past_of(definition, known)
    if asked.output == "json":
        options.print_json({**as_json(definition), "releases": history_as_json(found)})
    else:
        lang = options.language(asked.lang)
        _print(definition, lang, console())
        _history(in_words(found, lang), console())
    return 0


def _print(definition: Definition, lang: Lang, target: Console) -> None:
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
    for remark in remarks_of(definition):
        on = f" ({', '.join(remark.on)})" if remark.on else ""
        target.print(f"{words['remarks']}: {safe(remark.text(lang))}{on}", soft_wrap=True)
    _clauses(definition, words, target)


def _params(definition: Definition, words: dict[str, Any], lang: Lang, target: Console) -> None:
    table = Table(title=words["params"], title_justify="left", box=None, pad_edge=False)
    for column in words["columns"]:
        table.add_column(column)
    own = stated_of(definition)
    for param in definition.params:
        text = own[param.name][0].about
        table.add_row(
            *(param.name, safe(param.ctype), param.io),
            *(safe(_by_product(definition, own[param.name], of)) for of in (dtypes_taken, formats_taken)),
            safe(dims(own[param.name][0], param)),
            safe(text.text(lang) if text else ""),
        )
    target.print(table)


def _by_product(
    definition: Definition, own: tuple[Param, ...], of: Callable[[Spec, tuple[Param, ...], str | None], tuple[str, ...]]
) -> str:
    """What a param takes, once where it is the same on all products."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for product, members in taken(definition, own, of).items():
        groups.setdefault(tuple(members), []).append(product)
    if len(groups) == 1:
        return " ".join(next(iter(groups)))
    return "; ".join(f"{' '.join(on)}: {' '.join(members)}" for members, on in groups.items())


def _rules(definition: Definition, words: dict[str, Any], lang: Lang, target: Console) -> None:
    table = Table(title=words["rules"], title_justify="left", box=None, pad_edge=False)
    for column in words["rule"]:
        table.add_column(column, overflow="fold")
    says = Sayings(definition, lang)
    for rule in definition.rules:
        found = says.enforcement(rule)
        basis = f" ({words['observed']})" if rule.basis == "observed" else ""
        table.add_row(
            rule.id,
            safe(says.requirement(rule)),
            str(found.status or status.number(rule.status)),
            enforced_words(found, lang) + basis,
            safe(", ".join(rule.sources)),
        )
    target.print(table)


def _history(found: History, target: Console) -> None:
    target.print(f"{found.title}: {safe(found.summary)}", soft_wrap=True)
    for edition in found.editions:
        for line in edition.lines:
            target.print(f"  {edition.release}  {safe(line)}", soft_wrap=True)


def _clauses(definition: Definition, words: dict[str, Any], target: Console) -> None:
    rest = [clause for clause in clauses_of(definition) if not clause.rules]
    if rest:
        target.print(words["clauses"])
    for clause in rest:
        kind = f"{words['not_checkable']}: {safe(clause.not_checkable)}" if clause.not_checkable else words["not_yet"]
        where = clause.id if clause.id == clause.at else f"{clause.id} ({clause.at})"
        target.print(f"  {safe(where)}: {kind}", soft_wrap=True)
