"""``opspec list``: the operators of the registry."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from opspec.cli import options
from opspec.cli.parser import Parser
from opspec.errors import OpspecError, printable, shown
from opspec.model.spec import Spec
from opspec.model.values import Bilingual
from opspec.registry.folders import Entry
from opspec.registry.names import matches
from opspec.registry.registry import Registry, registry
from opspec.validator.api import resolved
from opspec.vocabulary.literals import Lang


def run(words: list[str]) -> int:
    """The command: 0 something found, 2 nothing."""
    target = options.parser("list", "List the operators of the registry.")
    target.add_argument("pattern", nargs="?", default="*", help="names to list, with * and ? (default: all)")
    add_filters(target)
    target.add_argument("--summary", action="store_true", help="with what each does and where, which reads every spec")
    target.add_argument("--output", choices=("text", "json"), default="text")
    options.add_specs(target)
    options.add_lang(target)
    asked = target.parse_args(words)
    found = selected(registry(asked.specs), asked)
    if asked.output == "json":
        options.print_json([{**_named(entry), **(_summed_up(entry) if asked.summary else {})} for entry in found])
    else:
        _print(found, options.language(asked.lang) if asked.summary else None)
    return 0


def _named(entry: Entry) -> dict[str, object]:
    return {"op": entry.operator, "release": entry.release, "family": entry.family}


def _summed_up(entry: Entry) -> dict[str, object]:
    """What an operator does, and the products that have it."""
    from opspec.registry.registry import spec_of

    spec = spec_of(entry)
    summary = _summary(spec, entry.operator)
    return {
        "summary": summary.model_dump() if summary else None,
        "products": [product for product, support in spec.products.items() if support == "yes"],
    }


def _summary(spec: Spec, operator: str) -> Bilingual | None:
    """What an operator does: a twin may say so itself."""
    twin = spec.twin
    own = twin.summary if twin is not None and twin.operator == operator else None
    return own or spec.summary


def add_filters(target: Parser) -> None:
    """The filters that commands over many operators share."""
    options.add_release(target, "only this release (default: all)")
    target.add_argument("--product", help="only operators supported on this product")
    target.add_argument("--family", help="only this family")


def selected(known: Registry, asked: argparse.Namespace) -> list[Entry]:
    """The entries that the filters let through, by release and name.

    Raises:
        OpspecError: there are none.
    """
    found = list(_selected(known, asked))
    if not found:
        filters = ("release", "product", "family")
        told = "".join(f", {name} {shown(value)}" for name in filters if (value := getattr(asked, name)) is not None)
        raise OpspecError(f"no operator is named {shown(asked.pattern)}{told}{_meant(known, asked)}")
    return found


def _meant(known: Registry, asked: argparse.Namespace) -> str:
    """Where a single operator of this name is supported, else the nearest name."""
    by_name = list(_selected(known, asked, everywhere=True))
    if len({entry.operator for entry in by_name}) == 1:
        return "; " + ", ".join(f"{entry.operator} ({entry.release}) is {_supported(entry)}" for entry in by_name)
    return known.catalogue.meant(asked.pattern, asked.release) or "; see opspec list"


def _supported(entry: Entry) -> str:
    """The products that an operator is supported on, in words."""
    from opspec.registry.registry import spec_of

    products = [product for product, support in spec_of(entry).products.items() if support == "yes"]
    return f"of family {entry.family} and supported on {', '.join(products) or 'no product'}"


def none_legal(entry: Entry) -> str:
    """What is said where a search found no legal call."""
    return f"opspec: {entry.operator} ({entry.release}): no legal call found; it is {_supported(entry)}"


def _selected(known: Registry, asked: argparse.Namespace, everywhere: bool = False) -> Iterator[Entry]:
    """The entries, in order; `everywhere`: of all products and families."""
    releases = known.releases()
    known.check_release(asked.release)
    product, member = resolved(asked.product)
    for release in [asked.release] if asked.release else releases:
        entries = sorted(known.entries(release).items())
        for name, entry in options.counted(entries, lambda item: item[0]):
            if not matches(name, asked.pattern) or not (everywhere or asked.family in (None, entry.family)):
                continue
            if everywhere or product is None or "yes" in _support(entry, product, member):
                yield entry


def _support(entry: Entry, product: str, member: str | None) -> tuple[str | None, ...]:
    from opspec.registry.registry import spec_of

    support = spec_of(entry).products
    return support.get(product), support.get(member or "")


def _print(found: list[Entry], lang: Lang | None) -> None:
    """A line for each.

    Args:
        lang: of the summaries; none without.
    """
    from opspec.registry.registry import spec_of

    width = max((len(entry.operator) for entry in found), default=0)
    for entry in found:
        line = f"{entry.operator:<{width}}  {entry.release:<6}  {printable(entry.family)}"
        summary = None if lang is None else _summary(spec_of(entry), entry.operator)
        if lang is not None and summary is not None:
            line += f"  {printable(summary.text(lang))}"
        print(line.rstrip())
    print(options.number(len(found), "operator"), file=sys.stderr)
