"""The page of an operator as data, in one language: what every form of it (Markdown, HTML, the vendor's) is made from.

Nothing here knows an operator: sentences come from the rules, tables from the params, words from ``words``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from opspec.codegen.prototypes import prototypes
from opspec.docs.enforced import enforced_words, evidence_of
from opspec.docs.words import WORDS
from opspec.language import prose, tree
from opspec.language.text import write
from opspec.model.definition import Alternative, Definition, RuleDef
from opspec.model.enforcement import enforcement, is_conflict, is_refused
from opspec.model.example import example_of
from opspec.model.expand import MOST_DIMS
from opspec.model.kernels import PLAIN
from opspec.model.ledger import clauses
from opspec.model.sets import dtypes_on, formats_on
from opspec.model.spec import Bilingual, Case, Deprecated, Determinism, Param, is_same_as
from opspec.vocabulary import products, status
from opspec.vocabulary.enforcement import REFUSED, UNCHECKED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.prose import Lang

_SLOT = "\0"  # where a sentence names its param

#: Words of ours that a sentence may begin with; a name of the operator's is never capitalised.
_OPENING = frozenset(
    {"if", "for", "it", "the", "every", "one", "some", "either", "on", "no", "all", "none", "not", "each"}
)

#: What the JSON form of a tensor may say beside its shape, dtype and format.
_LAYOUT = ("strides", "offset", "storage_shape", "storage_format", "values")

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
    """A status and the sentences of which one is broken when it is returned.

    Args:
        sentences: with a remark where the runtime does otherwise.
        documented: the same without remarks.
    """

    status: str
    code: int
    sentences: tuple[str, ...]
    documented: tuple[str, ...]


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
    standing: str  # its basis, and what it contradicts
    is_conflict: bool


@dataclass(frozen=True, slots=True)
class Combinations:
    """A table of which a call must match a row; ``rule`` is the rule that holds it."""

    rule: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


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
    document: str
    header: str
    interface: str
    twin: str
    products: tuple[tuple[str, str, str], ...]  # id, name, yes / no / unknown
    formulas: tuple[tuple[str, str], ...]  # title, LaTeX
    prototypes: tuple[str, ...]
    params: tuple[ParamRow, ...]
    notes: tuple[str, ...]
    npu_notes: tuple[tuple[str, str], ...]  # product ids, note
    derived: tuple[tuple[str, str], ...]
    results: tuple[tuple[str, str], ...]
    returns: tuple[ReturnRow, ...]
    silent: tuple[str, ...]  # what a call must keep though the first phase returns success
    constraints: tuple[str, ...]
    example: str
    example_args: tuple[str, ...]  # a legal call's arguments, with the product it is legal on
    example_product: str
    rules: tuple[RuleRow, ...]
    tables: tuple[Combinations, ...]
    disputes: tuple[tuple[str, str], ...]  # places that contradict each other, what the spec follows
    clauses: tuple[tuple[str, str], ...]  # place, reason

    @property
    def conflicts(self) -> tuple[RuleRow, ...]:
        """The rules in which page and runtime differ."""
        return tuple(rule for rule in self.rules if rule.is_conflict)


def deprecation(item: Deprecated | None, lang: Lang) -> str:
    """What is said of a deprecated operator; nothing of any other."""
    if item is None:
        return ""
    words = WORDS[lang]
    return words["instead"].format(words["and"].join(item.successors)) if item.successors else words["withdrawn"]


def page(definition: Definition, lang: Lang) -> Page:
    """The page of an operator in one language."""
    writer = _Writer(definition, lang)
    spec = definition.spec
    twin = spec.twin
    own = twin.summary if twin is not None and definition.name == twin.operator else None
    other = "" if twin is None else spec.operator if definition.name == twin.operator else twin.operator
    notes = tuple(writer.product_notes())
    return Page(
        op=definition.name,
        release=spec.release,
        lang=lang,
        words=WORDS[lang],
        summary=writer.said(own or spec.summary),
        partial=writer.said(spec.partial),
        deprecated=deprecation(spec.deprecated, lang),
        document=spec.document or "",
        header=definition.header or "",
        interface=spec.interface,
        twin=other,
        products=tuple((name, products.name(name, lang), support) for name, support in spec.products.items()),
        formulas=tuple((writer.said(item.title), item.latex) for item in spec.formula),
        prototypes=tuple(prototypes(definition)),
        params=tuple(writer.param(i) for i in range(len(definition.params))),
        notes=tuple(note for _, note in notes),
        npu_notes=notes,
        derived=tuple((name, write(node)) for name, node in definition.lets.items()),
        results=tuple(_results(definition)),
        returns=tuple(writer.returns()),
        silent=tuple(writer.silent()),
        constraints=tuple(writer.constraints()),
        example=_example(definition),
        example_args=tuple(writer.example_args()),
        example_product=(spec.example.product if spec.example is not None else None) or "",
        rules=tuple(writer.rule(rule) for rule in definition.rules),
        tables=tuple(table for rule in definition.rules for table in writer.tables(rule)),
        disputes=tuple((" / ".join(item.between), writer.said(item.resolution)) for item in spec.conflicts),
        clauses=tuple(writer.clauses()),
    )


def sentences(definition: Definition, lang: Lang) -> dict[str, str]:
    """The sentence of each rule, by its id."""
    writer = _Writer(definition, lang)
    return {rule.id: writer.sentence(rule) for rule in definition.rules}


def _results(definition: Definition) -> Iterator[tuple[str, str]]:
    """What the function of one phase writes, and what functions beside the operator do."""
    yield from ((name, write(node)) for name, node in definition.results.items())
    for helper in definition.helpers:
        for name, node in (*helper.lets.items(), *helper.results.items()):
            yield f"{helper.name}: {name}", write(node)


class _Writer:
    def __init__(self, definition: Definition, lang: Lang) -> None:
        self.sentences: dict[str, str] = {}
        self.failures: dict[str, str] = {}
        self.definition = definition
        self.spec = definition.spec
        self.lang: Lang = lang
        self.words = WORDS[lang]
        renamed = self.spec.twin.rename if self.spec.twin and definition.name == self.spec.twin.operator else {}
        self.renamed = renamed
        self.pointers = {param.name: param.pointer for param in definition.params}
        self.specs: dict[str, Param] = {}
        for param in self.spec.params:
            self.specs.setdefault(renamed.get(param.name, param.name), param)

    def said(self, text: Bilingual | None) -> str:
        """A text of the spec in the page's language."""
        return "" if text is None else text.text(self.lang)

    def sentence(self, rule: RuleDef) -> str:
        """What a rule requires, with its guard, as a whole sentence."""
        if rule.id not in self.sentences:
            self.sentences[rule.id] = self._sentence(rule)
        return self.sentences[rule.id]

    def _sentence(self, rule: RuleDef) -> str:
        return _capital(self._required(rule).rstrip(".。")) + self.words["stop"]

    def _required(self, rule: RuleDef) -> str:
        when, terms = rule.when, self.definition.terms
        if rule.say is not None:
            text = prose.authored(rule.say, self.lang)
        elif rule.is_lookup:
            text = self.words["lookup"].format(self.spec.generated_from)
        elif rule.kind == "rank-limit":  # one statement on all tensors, which need not be told one by one
            text = self.words["rank_limit"].format(MOST_DIMS)
        elif not rule.alternatives:
            text = prose.guarded(when, rule.check, self.lang, terms)
        else:
            text = self._scenario(rule)
            if when is not None:
                text = self.words["if"].format(prose.condition(when, self.lang, terms), text)
        return text

    def failure(self, rule: RuleDef) -> str:
        """What is so in a call that breaks a rule, as a whole sentence: what a row of return codes is about."""
        if rule.id not in self.failures:
            self.failures[rule.id] = _capital(self._failure(rule).rstrip(".。")) + self.words["stop"]
        return self.failures[rule.id]

    def _failure(self, rule: RuleDef) -> str:
        if rule.say is not None:
            return self.words["not_met"].format(prose.authored(rule.say, self.lang))
        if rule.is_lookup:
            return self.words["no_lookup"].format(self.spec.generated_from)
        if rule.kind == "rank-limit":
            return self.words["above_limit"].format(MOST_DIMS)
        if rule.alternatives:
            return self.words["not_met"].format(self.sentence(rule).removesuffix(self.words["stop"]))
        return prose.broken(rule.when, rule.check, self.lang, self.definition.terms)

    def _formats(self, rule: RuleDef, rules: list[RuleDef]) -> RuleDef | None:
        """Of the two rules on a param's formats one that says both; None in place of the other."""
        name, _, kind = rule.id.rpartition(".")
        other = {"format": "private-format", "private-format": "format"}.get(rule.kind)
        if other is None or kind != rule.kind or not any(item.id == f"{name}.{other}" for item in rules):
            return rule
        return None if rule.kind == "private-format" else replace(rule, check=_whole(rule.check))

    def _scenario(self, rule: RuleDef) -> str:
        return self.words["scenario"].format("; ".join(map(self._alternative, rule.alternatives)))

    def _alternative(self, item: Alternative) -> str:
        """``name (if …): this holds, and that holds``."""
        stated = [
            self.words["row"]
            if tree.as_table(check) is not None
            else prose.condition(check, self.lang, self.definition.terms)
            for _, check in item.parts
        ]
        text = self.words["sep"].join(stated)
        if item.when is not None:
            text = self.words["if"].format(prose.condition(item.when, self.lang, self.definition.terms), text)
        return f"{item.id}{self.words['colon']}{text}"

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
            rank=self._rank(defined.name, own),
            strided=self._strided(own),
        )

    def _listed(self, names: tuple[str, ...]) -> str:
        return ("、" if self.lang == "zh" else ", ").join(names) or "-"

    def _strided(self, own: Param) -> str:
        if own.strided == "transposed":
            return self.words["transposed"]
        return {"yes": "√", "no": "×"}.get(own.strided or "", "-")

    def _rank(self, name: str, own: Param) -> str:
        """Ranks as the vendor's tables have them, and the symbolic shape where the spec gives one."""
        shapes = [text for text in _texts(own.shape) if text.startswith("(")]
        ranks = _texts(own.rank) or sorted({str(rank) for text in shapes if (rank := _rank_of(text)) is not None})
        shown = [text for text in (*ranks, *shapes) if is_same_as(text) is None]
        if shown:
            return self._listed(tuple(dict.fromkeys(shown)))
        other = is_same_as(own.rank) or is_same_as(own.shape)
        if other is not None:
            return self.words["same"].format(self.renamed.get(other, other))
        ruled = any(rule.param == name and rule.step in ("rank", "shape") for rule in self.definition.rules)
        return self.words["any_rank"] if "aclTensor" in own.ctype and not ruled else "-"

    def _usage(self, name: str, own: Param) -> list[str]:
        notes = [*self._remarks(name, own)]
        notes += [self._in_row(rule, name) for rule in self.definition.rules if self._belongs(rule, name)]
        if isinstance(own.enum, dict):
            colon, stop = self.words["colon"], self.words["stop"]
            notes += [f"{value}{colon}{self.said(text)}{stop}" for value, text in own.enum.items()]
        return list(dict.fromkeys(notes))

    def _in_row(self, rule: RuleDef, name: str) -> str:
        """A sentence in its param's own row, which need not name it again."""
        sentence = self.sentence(rule)
        for form in self.words["row_subjects"].split("|"):
            subject = form.format(name)
            if sentence.startswith(subject) and len(sentence) > len(subject):
                rest = sentence[len(subject) :]
                return rest[0].upper() + rest[1:]
        found = re.match(rf"The ([a-z ]+) of {re.escape(name)} (?=must|is)", sentence)
        return f"{found[1].capitalize()} {sentence[found.end() :]}" if found is not None else sentence

    def _remarks(self, name: str, own: Param) -> Iterator[str]:
        """What the spec says of a param besides rules about its value."""
        stop = self.words["stop"]
        null = self.definition.rule(f"{name}.null")
        if null is not None and null.when is not None:
            yield self.sentence(null)
        elif null is None and self.pointers[name] and not own.reserved:
            yield self.words["optional"] + stop
        if own.also:
            yield self.words["also"].format(self._listed(tuple(own.also))) + stop
        if own.empty is True:
            yield self.words["empty"] + stop

    def _belongs(self, rule: RuleDef, name: str) -> bool:
        return rule.param == name and rule.kind not in IN_COLUMNS and rule.basis == "documented"

    def _differences(self) -> dict[str, list[str]]:
        """What a product takes less than the table says -> the products for which that is so."""
        found: dict[str, list[str]] = {}
        for product, support in self.spec.products.items():
            if support == "no":
                continue
            for what, sets_on in (("dtype", dtypes_on), ("format", formats_on)):
                groups: dict[tuple[str, ...], list[str]] = {}
                for name, own in self.specs.items():
                    here, anywhere = (sets_on(self.spec, own, on).all for on in (product, None))
                    if here and set(here) != set(anywhere):
                        groups.setdefault(tuple(n for n in anywhere if n in here), []).append(name)
                for names, params in groups.items():
                    values = prose.listing(list(names), self.lang, "and")
                    note = self.words[f"takes_{what}"].format(prose.listing(params, self.lang, "and"), values)
                    found.setdefault(note, []).append(product)
        return found

    def product_notes(self) -> list[tuple[str, str]]:
        """(product ids, note), as the vendor's comment blocks pair them."""
        notes = []
        for note, named in self._differences().items():
            shown = self._listed(tuple(products.name(product, self.lang) for product in named))
            notes.append((",".join(named), f"{shown}{self.words['colon']}{note}"))
        return notes

    # --- returns and constraints

    def returns(self) -> list[ReturnRow]:
        """A row per status: first what the document's own table says, then what other rules that are refused give."""
        by_code: dict[int, list[RuleDef]] = {}
        listed = self._listed_in_rows()
        for rule in sorted(self.definition.rules, key=lambda rule: rule.id not in listed):
            if rule.id in listed:
                by_code.setdefault(status.number(rule.status), []).append(rule)
            elif rule.basis != "observed" and is_refused(rule, self.definition):
                by_code.setdefault(self._code(rule), []).append(rule)
        return [self._return_row(code, rules) for code, rules in sorted(by_code.items())]

    def silent(self) -> list[str]:
        """What a call must keep though the first phase returns success: what no row of return codes speaks of."""
        listed = self._listed_in_rows()
        return self._together(
            [rule for rule in self.definition.rules if rule.id not in listed and self._slips(rule)], {}, False
        )

    def _slips(self, rule: RuleDef) -> bool:
        """Whether the first phase accepts calls that break the rule, on all products, and the rule stands."""
        found = enforcement(rule, self.definition).anywhere
        return UNCHECKED in found and REFUSED not in found

    def _listed_in_rows(self) -> frozenset[str]:
        return frozenset(rule for row in self.definition.returns for rule in row.rules)

    def _code(self, rule: RuleDef) -> int:
        """The status that a first phase returns for it, as evidence has it."""
        return enforcement(rule, self.definition).status or status.number(rule.status)

    def _return_row(self, code: int, rules: list[RuleDef]) -> ReturnRow:
        remarks = {rule.id: self._remark(rule, code) for rule in rules}
        return ReturnRow(
            status.name(code), code, tuple(self._together(rules, remarks)), tuple(self._together(rules, {}))
        )

    def _remark(self, rule: RuleDef, code: int) -> str:
        """What the runtime does with a call that breaks the rule, where that is not to return this status."""
        found = enforcement(rule, self.definition)
        if REFUSED in found.anywhere:
            return "" if self._code(rule) == code else self.words["other_status"].format(self._code(rule))
        return self.words["unchecked" if UNCHECKED in found.anywhere else "runs"]

    def _together(self, rules: list[RuleDef], remarks: Mapping[str, str], failing: bool = True) -> list[str]:
        """The sentences of rules with their remarks, those that differ by their param alone said once.

        Args:
            failing: what is so where a rule is broken; else what it requires.
        """
        groups: dict[str, list[str]] = {}
        for rule in rules:
            said = self._formats(rule, rules)
            if said is None:
                continue
            if said is rule:
                sentence = self.failure(rule) if failing else self.sentence(rule)
            else:
                sentence = _capital(self._failure(said) if failing else self._required(said)) + self.words["stop"]
            if remarks.get(rule.id):
                sentence = sentence.removesuffix(self.words["stop"]) + remarks[rule.id] + self.words["stop"]
            pattern = _pattern(sentence, rule.param)
            groups.setdefault(pattern, []).append(rule.param or "")
        return [self._said_of(pattern, params) for pattern, params in groups.items()]

    def _said_of(self, pattern: str, params: list[str]) -> str:
        """A sentence about one or several params; what stands in the slot several times is said of each."""
        if len(params) == 1:
            return pattern.replace(_SLOT, params[0])
        failing = self.lang == "en" and not re.search(r"\bmust\b", pattern)
        return pattern.replace(_SLOT, prose.listing(params, self.lang, "or" if failing else "and"))

    def constraints(self) -> list[str]:
        """Determinism, early success, and the rules about no single param or about values."""
        lines = [self._determinism(item) for item in self.spec.deterministic]
        for rule in self.definition.rules:
            if rule.basis != "observed" and (rule.param is None or rule.step == "value") and rule.kind != "product":
                lines.append(self.sentence(rule))
        for when, after in self.definition.early:
            text = prose.condition(when, self.lang, self.definition.terms)
            lines.append(_capital(self.words["early"].format(text, self.words[f"step_{after}"])))
        return list(dict.fromkeys(lines))

    def _determinism(self, item: Determinism) -> str:
        names = self._listed(tuple(products.name(name, self.lang) for name in item.on))
        key = "deterministic" if item.default else "switchable" if item.switchable else "nondeterministic"
        said = self.words[key].format(
            self.words["environment"].format(item.by) if item.by else "aclrtCtxSetSysParamOpt"
        )
        subject, colon, said = said.partition(self.words["colon"])
        return f"{subject}{self.words['note'].format(names) if item.on else ''}{colon}{said}"

    # --- the example

    def example_args(self) -> Iterator[str]:
        """``name: what the example passes``, in the order of the params."""
        if self.spec.example is None:
            return
        _, given = example_of(self.definition)
        for param in self.definition.params:
            yield f"{param.name}{self.words['colon']}{self._shown(given.get(param.name))}"

    def _shown(self, value: Any) -> str:
        """An argument as people write it: dtype, shape and format of a tensor, anything else as JSON."""
        if value is None:
            return self.words["null"]
        if isinstance(value, dict) and isinstance(value.get("tensor"), dict):
            return self._tensor(value["tensor"])
        if isinstance(value, dict) and isinstance(value.get("tensor_list"), list):
            items = [self.words["null"] if item is None else self._tensor(item) for item in value["tensor_list"]]
            return f"[{'; '.join(items)}]"
        if isinstance(value, dict) and isinstance(value.get("scalar"), dict):
            scalar = value["scalar"]
            return f"{scalar.get('dtype', '')} {_json(scalar.get('value'))}"
        if isinstance(value, dict) and len(value) == 1:
            return _json(next(iter(value.values())))
        return _json(value)

    def _tensor(self, tensor: dict[str, Any]) -> str:
        shape = tuple(tensor.get("shape", ()))
        parts = [str(tensor.get("dtype", "")), str(shape).replace("'", ""), str(tensor.get("format", "ND"))]
        parts += [f"{key} = {_json(tensor[key])}" for key in _LAYOUT if key in tensor]
        return self.words["comma"].join(parts)

    # --- rules and clauses

    def rule(self, rule: RuleDef) -> RuleRow:
        """A rule with all that is known of it."""
        return RuleRow(
            id=rule.id,
            full_id=f"{self.spec.release}/{self.definition.name}/{rule.id}",
            sentence=self.sentence(rule),
            code=self._code(rule),
            stage=self.words[f"stage_{rule.stage}"],
            enforced=enforced_words(enforcement(rule, self.definition), self.lang),
            basis=self.words[rule.basis],
            sources=(", " if self.lang == "en" else "、").join(rule.sources),
            evidence=evidence_of(rule, self.lang) or self._against(rule),
            contradicts=rule.contradicts,
            standing=self._standing(rule),
            is_conflict=is_conflict(rule, self.definition),
        )

    def _against(self, rule: RuleDef) -> str:
        """What is known of a rule by those that contradict it."""
        others = (evidence_of(other, self.lang) for other in self.definition.rules if rule.id in other.contradicts)
        return next(others, "")

    def tables(self, rule: RuleDef) -> Iterator[Combinations]:
        """The tables of combinations that a rule, or an alternative of it, refers to."""
        if rule.is_lookup:
            yield from self._supported(rule)
            return
        parts = [("", rule.check)] if not rule.alternatives else []
        parts += [(item.id, check) for item in rule.alternatives for _, check in item.parts]
        for name, check in parts:
            for node in tree.walk(check):
                if isinstance(node, tree.Table):
                    columns = tuple(prose.phrase(column, self.lang, self.definition.terms) for column in node.columns)
                    rows = tuple(tuple(map(self._cell, row)) for row in node.rows)
                    yield Combinations(rule.id, f"{rule.id} {name}".strip(), columns, rows)

    def _supported(self, rule: RuleDef) -> Iterator[Combinations]:
        """What a kernel takes, by product; formats where they are others than those that count as ND."""
        node = rule.check
        while isinstance(node, tree.If):
            on = self._listed(tuple(str(value) for value in sorted(_constants(node.condition), key=str)))
            columns: list[tree.Node] = []
            shared: list[frozenset[object]] = []
            rows: tuple[tuple[frozenset[object] | None, ...], ...] = ((),)
            for check in node.then.items if isinstance(node.then, tree.Logic) else (node.then,):
                if isinstance(check, tree.Table):
                    columns += check.columns
                    rows = check.rows
                elif isinstance(check, tree.Compare) and PLAIN not in _constants(check):
                    columns.insert(len(shared), check.operands[0])
                    shared.append(_constants(check))
            heads = tuple(prose.phrase(column, self.lang, self.definition.terms) for column in columns)
            cells = tuple(tuple(map(self._cell, (*shared, *row))) for row in rows)
            yield Combinations(rule.id, f"{self.spec.generated_from} {on}", heads, cells)
            node = node.other

    def _cell(self, cell: frozenset[object] | None) -> str:
        """A cell of such a table: one value, several, or any."""
        if cell is None:
            return self.words["any_rank"]
        shown = [self.words["null"] if value is None else str(value) for value in cell]
        return self._listed(tuple(sorted(shown)))

    def _standing(self, rule: RuleDef) -> str:
        if not rule.contradicts:
            return self.words[rule.basis]
        contradicted = self.words["contradicted"].format(self._listed(rule.contradicts))
        return f"{self.words[rule.basis]}{self.words['comma']}{contradicted}"

    def clauses(self) -> list[tuple[str, str]]:
        """Clauses without a rule, and why."""
        return [
            (clause.at, self.words[clause.not_checkable or "not_yet"])
            for clause in clauses(self.definition.home, self.definition.places)
            if not clause.rules
        ]


def _texts(value: Any) -> list[str]:
    """The texts that a property may take, cases included: ``2-3``, or one per case."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list):
        return []
    found = [
        text for item in value for text in _texts(Case.model_validate(item).is_ if isinstance(item, dict) else item)
    ]
    return list(dict.fromkeys(found))


def _rank_of(shape: str) -> int | None:
    """The rank of a symbolic shape; None where it has any number of leading dims."""
    inner = shape.strip("() ")
    if "*" in inner.split(",")[0] and inner.startswith("*"):
        return None
    depth, dims = 0, [""]
    for char in inner:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(char, 0)
        if char == "," and depth == 0:
            dims.append("")
        else:
            dims[-1] += char
    return None if any(dim.strip().startswith("*") for dim in dims) else sum(bool(dim.strip()) for dim in dims)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _capital(text: str) -> str:
    """A sentence's first letter, unless it is the name of something in code."""
    first = text.split(" ", 1)[0]
    first = first.rstrip(",")
    plain = first in _OPENING or _DIMENSION.match(text) is not None
    return text[0].upper() + text[1:] if plain else text


_DIMENSION = re.compile(r"(dimensions?|element) (\S+ )+of ")
#: what stands beside a param in a sentence about several: another param in its place would be one more of these
_BESIDE = ("、", "与", "和", " and ", ", ")


def _pattern(sentence: str, param: str | None) -> str:
    """A sentence with a slot for its param, where others may stand there as well as it; else the sentence."""
    if param is None:
        return sentence
    pattern, count = re.subn(rf"\b{re.escape(param)}\b", _SLOT, sentence, flags=re.A)
    before, _, after = pattern.partition(_SLOT)
    alone = not before.endswith(_BESIDE) and not after.startswith(_BESIDE)
    return pattern if count == 1 and alone else sentence


def _whole(node: tree.Node) -> tree.Node:
    """A rule on formats that are not private as one on all of them."""
    if isinstance(node, tree.Implies) and isinstance(node.condition, tree.Unary):
        return node.then
    return tree.rebuilt(node, _whole)


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


def _constants(node: tree.Node) -> frozenset[object]:
    """The constants that a tree names."""
    return frozenset(part.value for part in tree.walk(node) if isinstance(part, tree.Const))
