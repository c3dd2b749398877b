"""``opspec show OP --product P --brief``: what an operator takes on a product, on one screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.table import Table

from opspec.cli.tables import dims, safe
from opspec.docs import glance
from opspec.docs.described import dtypes_taken, formats_taken, taken
from opspec.docs.joining import as_one
from opspec.docs.likeness import same_items
from opspec.docs.requirements import PARTS, related, requirements
from opspec.docs.saying import Sayings
from opspec.errors import OpspecError
from opspec.language import build, tree
from opspec.language.narrowed import on_product
from opspec.model.definition import Definition, ParamDef, RuleDef
from opspec.model.spec import Param, Spec
from opspec.model.stated import stated_of
from opspec.validator.api import resolved
from opspec.vocabulary import products
from opspec.vocabulary.literals import Lang

if TYPE_CHECKING:
    from rich.console import Console

MOST = 8  #: conditions between params that are shown

_WORDS: dict[str, dict[str, str]] = {
    "en": {"yes": "supported", "no": "not supported", "unknown": "the page says nothing of it", "param": "param",
           "dtypes": "data types", "formats": "formats", "shape": "shape", "null": "may be null", "out": "out",
           "more": "{0} more conditions: opspec show {1}"},
    "zh": {"yes": "支持", "no": "不支持", "unknown": "文档未提及", "param": "参数",
           "dtypes": "数据类型", "formats": "数据格式", "shape": "shape", "null": "可为空", "out": "输出",
           "more": "另有{0}项条件：opspec show {1}"},
}  # fmt: skip


def show(definition: Definition, spelling: str, lang: Lang, target: Console) -> None:
    """Print it.

    Args:
        spelling: the product in any spelling.

    Raises:
        OpspecError: there is no such product.
    """
    product, member = resolved(spelling)
    if product is None:
        raise OpspecError("name a product, such as 910b, Ascend910B3 or 'Atlas A2'", where="--product")
    sayings, words = Sayings(definition, lang), _WORDS[lang]
    support = words[definition.spec.products.get(product, "unknown")]
    name = f"{member or product} ({products.name(member or product, lang)})"
    target.print(f"[bold]{definition.name}[/]  CANN {definition.spec.release}  {safe(name)}: {support}", soft_wrap=True)
    if definition.spec.products.get(product) == "no":
        return
    for line in glance.line(sayings).splitlines():
        target.print(safe(line), soft_wrap=True)
    target.print(_table(definition, product, sayings, words))
    items = list(_conditions(_narrowed(definition, product), product, lang))
    for text in items[:MOST]:
        target.print(f"- {safe(text)}", soft_wrap=True)
    if len(items) > MOST:
        target.print(words["more"].format(len(items) - MOST, definition.name))


def _narrowed(definition: Definition, product: str) -> Definition:
    """An operator as it is on one product: without the conditions that are about others."""
    rules = [made for rule in definition.rules if (made := _on(rule, product)) is not None]
    lets = {name: on_product(node, product) for name, node in definition.lets.items()}
    return replace(definition, rules=tuple(rules), lets=lets)


def _on(rule: RuleDef, product: str) -> RuleDef | None:
    """A rule as it is on a product; None where it requires nothing there."""
    when = build.TRUE if rule.when is None else on_product(rule.when, product)
    check = rule.check if rule.alternatives or rule.kind == "product" else on_product(rule.check, product)
    if when == build.FALSE or check == build.TRUE:
        return None
    check = rule.check if check == build.FALSE else check  # which says where its condition may hold
    return replace(rule, when=None if when == build.TRUE else when, check=check)


def _conditions(definition: Definition, product: str, lang: Lang) -> Iterator[str]:
    """What a call must keep on the product beside what the table says, as the page says it, the refused first."""
    sayings = Sayings(definition, lang)
    on = {rule.id for rule in definition.rules if _holds_on(rule, product)}
    rules = as_one(related(sayings), sayings)
    alike = [item for _, item in same_items(sayings, rules)]
    for part in PARTS[:-1]:
        for group in requirements(sayings, rules, part, alike):
            for item in group.items:
                if not on.isdisjoint(item.rules):
                    yield item.text


def _holds_on(rule: RuleDef, product: str) -> bool:
    """Whether a rule speaks of calls on a product; one that says nothing of products does."""
    parts = () if rule.when is None else build.conjuncts(rule.when)
    found = [on for part in parts if (on := tree.on_products(part)) is not None]
    return all(on.holds(product) for on in found)


def _table(definition: Definition, product: str, sayings: Sayings, words: dict[str, str]) -> Table:
    """A row for each param that a caller chooses something of."""
    table = Table(box=None, pad_edge=False)
    for column in ("param", "dtypes", "formats", "shape", "null"):
        table.add_column(words[column], overflow="fold")
    own = stated_of(definition)
    for param in definition.params:
        name = f"{param.name} ({words['out']})" if param.io == "out" else param.name
        table.add_row(
            safe(name),
            *(
                safe(_taken(definition, own[param.name], each, param, product))
                for each in (dtypes_taken, formats_taken)
            ),
            safe(glance.cell(param.name, sayings) or dims(own[param.name][0], param)),
            words["null"] if param.nullable and param.pointer else "",
        )
    return table


def _taken(
    definition: Definition,
    own: tuple[Param, ...],
    of: Callable[[Spec, tuple[Param, ...], str | None], tuple[str, ...]],
    param: ParamDef,
    product: str,
) -> str:
    """The data types or formats that a param takes on a product."""
    if param.kind not in _HANDLES:
        return param.kind if of is dtypes_taken else ""
    return " ".join(taken(definition, own, of).get(product, ()))


_HANDLES = ("tensor", "tensor_list", "scalar", "scalar_list")
