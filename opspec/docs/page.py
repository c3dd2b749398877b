"""The page of an operator as data, in one language: what every form of it (Markdown, HTML, the vendor's) is made from.

Nothing here knows an operator: sentences come from the rules, tables from the params, words from ``words``. All rules
with their clauses are on a page of their own, of :mod:`opspec.docs.ledger`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from opspec.codegen.prototypes import prototypes
from opspec.docs import glance, glossary
from opspec.docs.cells import is_tensor
from opspec.docs.changes import Changes, changes
from opspec.docs.conflicts import disputed
from opspec.docs.example import Example, described, example
from opspec.docs.figures import Figure, figures
from opspec.docs.history import History
from opspec.docs.joining import as_one
from opspec.docs.ledger import page_link, page_name
from opspec.docs.likeness import differing, same_items, tied
from opspec.docs.modes import Modes, modes
from opspec.docs.notes import Notes, constraints, deprecation, notes, results
from opspec.docs.params import Layouts, Marked, ParamRow, alike_in_marks, layouts, param_rows
from opspec.docs.related import Near, alone
from opspec.docs.requirements import PARTS, Group, ReturnRow, merged, numbered, related, requirements, returns
from opspec.docs.saying import MARKS, Sayings
from opspec.docs.shapes import opening
from opspec.docs.shortening import legend
from opspec.docs.support import Support, support
from opspec.docs.tables import Combinations, on_page
from opspec.language.text import write
from opspec.language.types import BOOL
from opspec.model.definition import Definition
from opspec.vocabulary import products
from opspec.vocabulary.literals import Enforcement as Part
from opspec.vocabulary.literals import Lang

_CASE = re.compile(r"[^:：]+[:：]\s*(?=\S)")  # what the title of a formula begins with that is for one case


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula; its title is empty where there is one alone.

    Args:
        where: what its letters stand for, each in LaTeX.
        case: of the first of several in a row that are for one case, what that is.
        rest: the title without the case that it shares.
    """

    title: str
    latex: str
    where: tuple[tuple[str, str], ...]
    case: str
    rest: str


@dataclass(frozen=True, slots=True)
class Page:
    """A page; the lists are in the order in which it shows them."""

    op: str
    release: str
    lang: Lang
    words: dict[str, str]
    summary: str
    partial: str
    deprecated: str
    glance: str  # the operator as a function of shapes
    letters: tuple[tuple[str, str, bool], ...]  # letter, what it stands for, whether that is a formula
    is_usual: bool  # whether these are the shapes of the usual case
    document: str  # the name of the vendor's page
    link: str  # to it
    header: str
    interface: str
    prototypes: tuple[str, ...]
    formulas: tuple[Formula, ...]
    params: tuple[ParamRow, ...]
    marked: Marked  # column, the mark that all tensors have there
    layouts: Layouts
    derived: tuple[tuple[str, str], ...]
    legend: tuple[tuple[str, str], ...]  # letters of sentences, and what they stand for
    results: tuple[tuple[str, str], ...]
    figures: tuple[Figure, ...]  # of forms that can show them
    support: Support
    products: tuple[tuple[str, str, str], ...]  # id, name, yes / no / unknown
    differing: str  # what lists of data types mean whose params may have different ones
    tables: tuple[Combinations, ...]
    longer: tuple[Combinations, ...]  # tables that are on the page of all rules
    modes: tuple[Modes, ...]  # what values of an attribute ask of tensors
    parts: tuple[tuple[Part, tuple[Group, ...]], ...]  # what a call must keep, by what the runtime makes of it
    returns: tuple[ReturnRow, ...]
    example: Example | None
    notes: tuple[Notes, ...]
    constraints: tuple[str, ...]  # what the vendor's form lists as such
    disputed: tuple[tuple[str, ...], ...]  # the params that each contradiction of the vendor's page is about
    related: tuple[tuple[str, tuple[str, ...]], ...]  # relation, operators
    pytorch: tuple[tuple[str, str], ...]  # functions that come to it, and where they are described
    changes: Changes | None  # since the version before
    history: History | None

    def groups(self, *parts: Part) -> Iterator[Group]:
        """The lines of some parts, or of all."""
        return (group for part, groups in self.parts if not parts or part in parts for group in groups)

    @property
    def requirements(self) -> tuple[Group, ...]:
        """What a call must keep beside what the rows of params say, by subject."""
        return merged(self.parts)

    def disputes(self, param: str = "") -> tuple[int, ...]:
        """The contradictions of the vendor's page about a param, by number; without one those about no param."""
        about = enumerate(self.disputed, 1)
        return tuple(number for number, names in about if (param in names if param else not names))

    @property
    def terms(self) -> tuple[glossary.Link, ...]:
        """The terms of the glossary that stand on the page and need telling."""
        texts = [self.summary, self._text, self.differing, *(line for group in self.notes for line in group.lines)]
        texts += [text for param in self.params for text in (param.about, *param.remarks, *param.tags)]
        texts += [text for param in self.params for _, text in param.values]
        formats = [name for param in self.params for name in param.formats.replace("、", ", ").split(", ")]
        named = [param.name for param in self.params]
        return tuple(glossary.Glossary(self.lang).links("\n".join(texts), named, formats))

    @property
    def has_signs(self) -> bool:
        """Whether what it opens with has signs to explain: shapes, lists, params that may be null."""
        return any(sign in self.glance for sign in "[{?|")

    @property
    def marks_of_all(self) -> str:
        """The marks that all tensors have in a column, each behind what the column is called."""
        return self.words["comma"].join(f"{self.words[column].lower()} {sign}" for column, sign in self.marked)

    @property
    def used(self) -> tuple[tuple[str, str], ...]:
        """The derived values that sentences of the page name, and those that these read."""
        text = self._text
        found: list[tuple[str, str]] = []
        told = {name for name, _, _ in self.letters}  # and what stands in shapes is seen there
        told |= {word for param in self.params for word in re.findall(r"\w+", param.shape, re.A)}
        for name, value in reversed(self.derived):
            if name not in told and _has(text, name):
                found.insert(0, (name, value))
                text += f" {value}"
        return tuple(found)

    @property
    def explained(self) -> tuple[tuple[str, str], ...]:
        """The letters that sentences of the page name and its head does not explain."""
        told, text = {letter for letter, _, _ in self.letters}, self._text
        return tuple((letter, what) for letter, what in self.legend if letter not in told and _has(text, letter))

    @property
    def _text(self) -> str:
        """Its sentences on rules."""
        items = [item for group in self.groups() for item in group.items]
        items += [item for param in self.params for item in param.notes]
        cells = [cell for one in self.modes for _, row in one.rows for cell in row]
        return " ".join([*(item.text for item in items), *cells])

    @property
    def marks(self) -> tuple[tuple[str, str], ...]:
        """The marks that the page uses, and what they say."""
        items = [item for group in self.groups() for item in group.items]
        items += [item for param in self.params for item in param.notes]
        items += [item for row in self.returns for item in row.failures]
        items += (*self.layouts.refused, *filter(None, [self.layouts.empty]))
        text = "".join((*(item.mark for item in items), *(sign for _, sign in self.marked)))
        cells = [(one.about, one.types, one.shape, one.mark, *one.tags) for one in self.params]
        text += "".join(itertools.chain.from_iterable(cells))
        text += self.layouts.others + "".join(
            cell for one in self.modes for _, row in one.rows for cell in (one.title, *row)
        )
        text += "".join(table.on + table.text for table in self.tables)
        text += "".join(cell for row in self.support.rows for cell in row.cells)
        found = [(sign, self.words[f"mark_{name}"]) for name, sign in MARKS.items() if sign in text]
        some = any(f"({sign}" in text for sign in MARKS.values())
        return (*found, ("( )", self.words["mark_some"])) if some else tuple(found)


def _has(text: str, name: str) -> bool:
    """Whether a name stands in a text."""
    return re.search(rf"(?<![\w.`-]){re.escape(name)}(?![\w`-])", text, re.A) is not None


def page(definition: Definition, lang: Lang, near: Near | None = None, upstream: bool = False) -> Page:
    """The page of an operator in one language.

    Args:
        near: what lies around it; without it the page tells of no other operator.
        upstream: whether with what the vendor's form alone has.
    """
    sayings = Sayings(definition, lang, narrows=True, upstream=upstream)
    spec = definition.spec
    near = near or alone(definition)
    table = support(sayings)
    twin = spec.twin
    own = twin.summary if twin is not None and definition.name == twin.operator else None
    tables, longer = on_page(sayings)
    rules = related(sayings)
    by_mode = modes(sayings, rules)
    listed = as_one((rule for rule in rules if not any(rule.id in one.rules for one in by_mode)), sayings)
    same = [one.same for one in tables if one.same and not one.on]
    known = tied((rule for rule in listed if not sayings.mark(rule)), definition)  # which no table need say again
    alike = same_items(sayings, listed, same)
    known += [names for names, _ in alike]
    in_tables = {rule: one.by for one in by_mode for rule in one.rules}
    said = [item for _, item in alike]
    usual = layouts(sayings)
    rows = param_rows(sayings, table, glossary.Glossary(lang), usual)
    rows, marked = alike_in_marks(rows, [param.name for param in definition.params if is_tensor(param)])
    parts = tuple((part, groups) for part in PARTS if (groups := requirements(sayings, listed, part, said)))
    return Page(
        op=definition.name,
        release=spec.release,
        lang=lang,
        words=sayings.words,
        summary=sayings.text(own or spec.summary),
        partial=sayings.text(spec.partial),
        deprecated=deprecation(spec.deprecated, lang),
        glance=glance.line(sayings),
        letters=tuple(glance.letters(sayings)),
        is_usual=opening(definition).is_usual,
        document=page_name(spec.document),
        link=page_link(spec.document, spec.release),
        header=definition.header or "",
        interface=spec.interface,
        prototypes=tuple(prototypes(definition)),
        formulas=tuple(_formulas(sayings)),
        params=rows,
        marked=marked,
        layouts=usual,
        derived=tuple(
            (name, write(node))
            for name, node in definition.lets.items()
            if _is_called(name, sayings) and node.type != BOOL
        ),  # what has words stands in sentences by them, and a condition by what it says
        legend=tuple(
            (letter, found[1])
            for name, letter in legend(definition).items()
            if (found := sayings.plain.terms.lettered(name, lang)) is not None
        ),
        results=tuple(results(sayings)),
        figures=figures(sayings),
        support=table,
        products=tuple((name, products.name(name, lang), value) for name, value in spec.products.items()),
        differing=differing(table.columns, listed, [*known, *same], sayings),
        tables=tuple(one for one in tables if not one.same or not any(one.same <= names for names in known)),
        longer=tuple(longer),
        modes=by_mode,
        parts=parts,
        returns=returns(sayings, numbered(merged(parts)), in_tables),
        example=example(sayings, near.outcome),
        notes=notes(sayings),
        constraints=constraints(sayings) if upstream else (),
        disputed=disputed(definition),
        related=tuple((sayings.words[f"related_{kind}"], names) for kind, names in near.related),
        pytorch=described(near.outcome),
        changes=None if near.version is None else changes(sayings, near.version),
        history=near.history.get(lang),
    )


def _is_called(name: str, sayings: Sayings) -> bool:
    """Whether sentences have a derived value's name in place of words."""
    called = sayings.terms.words.get(name, (name, name)) == (name, name)
    return called and name not in legend(sayings.definition)


def _formulas(sayings: Sayings) -> Iterator[Formula]:
    """The formulas; what the titles of several in a row begin with is told once, and so is what params of the form
    that is not in place are called in the one that is."""
    items, twin = sayings.spec.formula, sayings.spec.twin
    called = dict(twin.rename) if twin is not None and twin.operator == sayings.definition.name else {}
    titles = [sayings.text(item.title) for item in items]
    cases = ["" if (found := _CASE.match(title)) is None else found[0] for title in titles]
    shared = ["", *(one if one == two else "" for one, two in itertools.pairwise(cases)), ""]
    for i, (item, title) in enumerate(zip(items, titles, strict=True)):
        start = shared[i] or shared[i + 1]
        used: dict[str, list[str]] = {}
        for name in [name for name in called if re.search(rf"(?<![A-Za-z\\]){name}(?![A-Za-z])", item.latex)]:
            used.setdefault(called.pop(name), []).append(name)
        named = {*item.where, *(param.name for param in sayings.definition.params)}
        yield Formula(
            _heading(title, named),
            item.latex,
            (
                *((name, sayings.text(text)) for name, text in item.where.items()),
                *((", ".join(names), f"`{param}`") for param, names in used.items()),
            ),
            _heading(start.rstrip(" :："), named) if not shared[i] else "",
            _heading(title.removeprefix(start), named),
        )


def _heading(text: str, names: Collection[str]) -> str:
    """A text as a heading: it begins with a capital, unless with the name of something: ``mean of`` is a word."""
    first = re.match(r"([a-z]{2,})(?=( of )|[ ,:;-]|$)", text)
    is_name = first is None or (first[1] in names and not first[2])
    return text if is_name else text[0].upper() + text[1:]
