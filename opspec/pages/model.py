"""The page of an operator as data, in one language: what every form of it (Markdown, HTML, the vendor's) is made from.

Nothing here knows an operator: sentences come from the rules, tables from the params, words from ``words``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from opspec.language import parse, prose
from opspec.pages.words import WORDS
from opspec.registry.compile import is_enforced
from opspec.spec.definition import Definition, RuleDef
from opspec.spec.model import Bilingual, Param
from opspec.spec.sets import dtypes_on, formats_on
from opspec.stubs.prototypes import prototypes
from opspec.vocabulary import products, status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.prose import Lang

_SLOT = "\0"  # where a sentence names its param

#: Kinds of rules that the columns of the param table say already.
IN_COLUMNS = frozenset({"null", "elements", "dtype", "format", "private-format", "rank", "strided"})


@dataclass(frozen=True, slots=True)
class ParamRow:
    """A row of the first phase's param table."""

    name: str
    ctype: str
    direction: str
    about: str
    usage: tuple[str, ...]
    dtypes: str
    formats: str
    rank: str
    strided: str


@dataclass(frozen=True, slots=True)
class ReturnRow:
    """A status and the sentences of which one is broken when it is returned."""

    status: str
    code: int
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule as the page lists it."""

    id: str
    full_id: str
    sentence: str
    code: int
    stage: str
    enforced: str
    basis: str
    sources: str
    evidence: str
    contradicts: tuple[str, ...]
    is_conflict: bool


@dataclass(frozen=True, slots=True)
class Page:
    """A page; the lists are in the order in which it shows them."""

    op: str
    release: str
    lang: Lang
    words: dict[str, str]
    summary: str
    partial: str
    document: str
    header: str
    interface: str
    products: tuple[tuple[str, str, str], ...]  # id, name, yes / no / unknown
    formulas: tuple[tuple[str, str], ...]  # title, LaTeX
    prototypes: tuple[str, ...]
    params: tuple[ParamRow, ...]
    notes: tuple[str, ...]
    npu_notes: tuple[tuple[str, str], ...]  # product ids, note
    derived: tuple[tuple[str, str], ...]
    returns: tuple[ReturnRow, ...]
    constraints: tuple[str, ...]
    example: str
    rules: tuple[RuleRow, ...]
    clauses: tuple[tuple[str, str], ...]  # place, reason

    @property
    def conflicts(self) -> tuple[RuleRow, ...]:
        """The rules in which page and runtime differ."""
        return tuple(rule for rule in self.rules if rule.is_conflict)


def page(definition: Definition, lang: Lang) -> Page:
    """The page of an operator in one language."""
    writer = _Writer(definition, lang)
    spec = definition.spec
    sep = "：" if lang == "zh" else ": "
    twin = spec.twin
    own = twin.summary if twin is not None and definition.name == twin.operator else None
    return Page(
        op=definition.name,
        release=spec.release,
        lang=lang,
        words=WORDS[lang],
        summary=writer.said(own or spec.summary),
        partial=writer.said(spec.partial),
        document=spec.document or "",
        header=definition.header or "",
        interface=spec.interface,
        products=tuple((name, products.name(name, lang), support) for name, support in spec.products.items()),
        formulas=tuple((writer.said(item.title), item.latex) for item in spec.formula),
        prototypes=tuple(prototypes(definition)),
        params=tuple(writer.param(i) for i in range(len(definition.params))),
        notes=tuple(f"{name}{sep}{note}" for name, note in writer.notes()),
        npu_notes=tuple(writer.npu_notes()),
        derived=tuple(definition.lets.items()),
        returns=tuple(writer.returns()),
        constraints=tuple(writer.constraints()),
        example=_example(definition),
        rules=tuple(writer.rule(rule) for rule in definition.rules),
        clauses=tuple(writer.clauses()),
    )


class _Writer:
    def __init__(self, definition: Definition, lang: Lang) -> None:
        self.definition = definition
        self.spec = definition.spec
        self.lang: Lang = lang
        self.words = WORDS[lang]
        renamed = self.spec.twin.rename if self.spec.twin and definition.name == self.spec.twin.operator else {}
        self.specs: dict[str, Param] = {}
        for param in self.spec.params:
            self.specs.setdefault(renamed.get(param.name, param.name), param)

    def said(self, text: Bilingual | None) -> str:
        """A text of the spec in the page's language."""
        return "" if text is None else (text.zh if self.lang == "zh" else text.en)

    def sentence(self, rule: RuleDef) -> str:
        """What a rule requires, with its guard, as a whole sentence."""
        scope = self.definition.scope
        text = self.said_why(rule) or prose.requirement(parse.parse(rule.check, scope), self.lang)
        if rule.alternatives:
            text = self._scenario(rule)
        if rule.when is not None:
            text = self.words["if"].format(prose.condition(parse.parse(rule.when, scope), self.lang), text)
        return _capital(text) + self.words["stop"]

    def said_why(self, rule: RuleDef) -> str:
        """The spec's own words for a rule, where it has some."""
        return "" if rule.why is None else rule.why[self.lang == "zh"]

    def _scenario(self, rule: RuleDef) -> str:
        names = [name for name, _, _ in rule.alternatives]
        listed = prose.listing(names, self.lang, "or")
        return f"the call must satisfy one of: {listed}" if self.lang == "en" else f"调用必须满足以下场景之一：{listed}"

    # --- params

    def param(self, number: int) -> ParamRow:
        """A row of the param table."""
        defined = self.definition.params[number]
        own = self.specs[defined.name]
        return ParamRow(
            name=defined.name,
            ctype=defined.ctype,
            direction=self.words[defined.io],
            about=self.said(own.about),
            usage=tuple(self._usage(defined.name, own)),
            dtypes=self._listed(dtypes_on(self.spec, own, None).all),
            formats=self._listed(formats_on(self.spec, own, None).all),
            rank=self._rank(own),
            strided={"yes": "√", "no": "×", None: "-"}.get(own.strided, "√"),
        )

    def _listed(self, names: tuple[str, ...]) -> str:
        return ("、" if self.lang == "zh" else ", ").join(names) or "-"

    def _rank(self, own: Param) -> str:
        if isinstance(own.rank, str):
            return own.rank
        if isinstance(own.rank, list) and all(isinstance(item, str) for item in own.rank):
            return self._listed(tuple(own.rank))
        if isinstance(own.shape, str) and own.shape.startswith("("):
            return own.shape
        if "aclTensor" not in own.ctype:
            return "-"
        return self.words["any_rank"]

    def _usage(self, name: str, own: Param) -> list[str]:
        stop = self.words["stop"]
        notes = []
        null = self.definition.rule(f"{name}.null")
        if own.optional is True:
            notes.append(self.words["optional"] + stop)
        elif null is not None and null.when is not None:
            notes.append(self.sentence(null))
        if own.empty is True:
            notes.append(self.words["empty"] + stop)
        notes += [self.sentence(rule) for rule in self.definition.rules if self._belongs(rule, name)]
        if isinstance(own.enum, dict):
            notes += [f"{value}: {text}{stop}" if self.lang == "en" else "" for value, text in own.enum.items()]
        return [note for note in dict.fromkeys(notes) if note]

    def _belongs(self, rule: RuleDef, name: str) -> bool:
        return rule.param == name and rule.kind not in IN_COLUMNS and rule.basis == "documented"

    def _differences(self) -> dict[str, list[str]]:
        """What a product takes less than the table says -> the products for which that is so."""
        found: dict[str, list[str]] = {}
        for product, support in self.spec.products.items():
            groups: dict[tuple[str, ...], list[str]] = {}
            for name, own in self.specs.items():
                here = dtypes_on(self.spec, own, product).all
                if support == "yes" and set(here) != set(dtypes_on(self.spec, own, None).all):
                    groups.setdefault(here, []).append(name)
            for names, params in groups.items():
                listed = prose.listing(params, self.lang, "and")
                verb = "" if self.lang == "zh" else " take " if len(params) > 1 else " takes "
                takes = self.words["takes"].format(self._listed(names))
                found.setdefault(f"{listed}{verb}{takes}{self.words['stop']}", []).append(product)
        return found

    def notes(self) -> list[tuple[str, str]]:
        """(product's name, where its dtypes differ from the table's)."""
        return [
            (products.name(product, self.lang), note)
            for note, named in self._differences().items()
            for product in named
        ]

    def npu_notes(self) -> list[tuple[str, str]]:
        """(product ids, note), as the vendor's comment blocks have them."""
        sep = "：" if self.lang == "zh" else ": "
        notes = []
        for note, named in self._differences().items():
            shown = "、".join(f"{products.name(product, self.lang)}" for product in named)
            notes.append((",".join(named), f"{shown}{sep}{note}"))
        return notes

    # --- returns and constraints

    def returns(self) -> list[ReturnRow]:
        """A row per status: first what the page's own table says, then what other rules give."""
        by_status: dict[str, list[RuleDef]] = {}
        listed = [rule for row in self.spec.returns for rule in row.rules]
        for rule in sorted(self.definition.rules, key=lambda rule: rule.id not in listed):
            if rule.basis == "documented" and is_enforced(rule, self.definition):
                by_status.setdefault(rule.status or "", []).append(rule)
        order = sorted(by_status, key=status.number)
        return [ReturnRow(name, status.number(name), tuple(self._together(by_status[name]))) for name in order]

    def _together(self, rules: list[RuleDef]) -> list[str]:
        """The sentences of rules, those that differ by their param alone said once."""
        groups: dict[str, list[str]] = {}
        for rule in rules:
            sentence = self.sentence(rule)
            pattern = re.sub(rf"\b{re.escape(rule.param)}\b", _SLOT, sentence, flags=re.A) if rule.param else sentence
            groups.setdefault(pattern, []).append(rule.param or "")
        return [self._said_of(pattern, params) for pattern, params in groups.items()]

    def _said_of(self, pattern: str, params: list[str]) -> str:
        """A sentence about one or several params; what stands in the slot several times is said of each."""
        if len(params) == 1:
            return pattern.replace(_SLOT, params[0])
        if pattern.count(_SLOT) > 1:
            return self.words["each"].format(prose.listing(params, self.lang, "and"), pattern.replace(_SLOT, "x"))
        token = re.search(rf"{_SLOT}(?:\.\w+)?", pattern)
        spot = token[0] if token is not None else _SLOT
        return pattern.replace(spot, prose.listing([spot.replace(_SLOT, name) for name in params], self.lang, "and"))

    def constraints(self) -> list[str]:
        """Determinism, and the rules about no single param or about values."""
        lines = []
        for item in self.spec.deterministic:
            on = (
                self.words["on"].format(self._listed(tuple(products.name(name, self.lang) for name in item.on)))
                if item.on
                else ""
            )
            key = "deterministic" if item.default else "switchable" if item.switchable else "nondeterministic"
            lines.append(on + self.words[key])
        for rule in self.definition.rules:
            if rule.basis == "documented" and (rule.param is None or rule.phase == "value") and rule.kind != "product":
                lines.append(self.sentence(rule))
        return list(dict.fromkeys(lines))

    # --- rules and clauses

    def rule(self, rule: RuleDef) -> RuleRow:
        """A rule with all that is known of it."""
        assumed = is_enforced(rule, self.definition)
        enforced = {"yes": self.words["yes"], "no": self.words["no"]}.get(rule.enforced or "")
        return RuleRow(
            id=rule.id,
            full_id=f"{self.spec.release}/{self.definition.name}/{rule.id}",
            sentence=self.sentence(rule),
            code=status.number(rule.status or ""),
            stage=rule.stage or "params",
            enforced=enforced or self.words["assumed_yes" if assumed else "assumed_no"],
            basis=self.words[rule.basis],
            sources=(", " if self.lang == "en" else "、").join(rule.sources),
            evidence=rule.evidence[self.lang == "zh"] if rule.evidence else "",
            contradicts=rule.contradicts,
            is_conflict=bool(rule.contradicts) or (rule.enforced == "no" and bool(rule.evidence)),
        )

    def clauses(self) -> list[tuple[str, str]]:
        """Clauses without a rule, and why."""
        return [
            (clause.at, self.words[clause.not_checkable or "not_yet"] + (f" ({clause.note})" if clause.note else ""))
            for clause in self.spec.clauses
            if not clause.rules
        ]


def _capital(text: str) -> str:
    """A sentence's first letter, unless it is the name of something in code."""
    first = text.split(" ", 1)[0]
    plain = first.isalpha() and first.islower() and first in ("if", "for", "it", "the")
    return text[0].upper() + text[1:] if plain else text


def _example(definition: Definition) -> str:
    """Both phases as one writes them, the arguments under their own names."""
    name = definition.name
    args = ", ".join(param.name for param in definition.params)
    if definition.spec.interface == "single-phase":
        return f"aclnnStatus status = {name}({args});"
    return (
        "uint64_t workspaceSize = 0;\n"
        "aclOpExecutor *executor = NULL;\n"
        f"aclnnStatus status = {name}GetWorkspaceSize({args}, &workspaceSize, &executor);\n"
        "void *workspace = NULL;\n"
        "if (status == 0 && workspaceSize > 0) {\n"
        "    status = aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST);\n"
        "}\n"
        "if (status == 0) {\n"
        f"    status = {name}(workspace, workspaceSize, executor, stream);\n"
        "}\n"
        "if (status == 0) {\n"
        "    status = aclrtSynchronizeStream(stream);\n"
        "}"
    )
