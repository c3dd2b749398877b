"""What a page says of rules: what they require, what a call does that breaks them, and what becomes of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from opspec.docs.words import WORDS
from opspec.language import prose, tree
from opspec.model.definition import Definition, RuleDef
from opspec.model.draft import Alternative
from opspec.model.enforcement import Enforcement, enforcement, is_conflict
from opspec.model.remarks import said
from opspec.model.values import Bilingual
from opspec.vocabulary import products, status
from opspec.vocabulary.enforcement import CONTRADICTED, REFUSED, UNCHECKED
from opspec.vocabulary.limits import MOST_DIMS
from opspec.vocabulary.literals import Lang

_SLOT = "\0"  # where a sentence names its param

#: Words of ours that a sentence may begin with; a name of the operator's is never capitalised.
_OPENING = frozenset({
    "if", "for", "it", "the", "every", "one", "some", "either", "on", "no", "all", "none", "not", "each", "a", "an",
    "data", "number", "layout", "elements", "this", "another", "unless", "except",
    "exactly", "alternative", "of", "there", "in",
    "neither", "with", "without", "storage",
})  # fmt: skip
_ELEMENT = re.compile(rf"{_SLOT}(\[[a-z]+\])")
_DIMENSION = re.compile(r"(dimensions?|element) (\S+ )+of ")
#: what stands beside a param in a sentence about several: another param in its place would be one more of these
_BESIDE = ("、", "与", "和", " and ", ", ")
#: what stands behind a param in the name of a part of it
_PART = ("[", "内的")
#: a condition, behind whose comma a sentence begins
_CLAUSE = re.compile(r"(?:If|On|For) [^,]*, ")

#: what marks a rule that the runtime does not check, that programs break, that no page says, that is presumed
MARKS = {UNCHECKED: "†", CONTRADICTED: "‡", "observed": "◆", "assumed": "≈"}

MANY = 4  # params that are not named one by one where all have a rule of one kind

#: kinds of rules whose failure is said in one short phrase for all params that have one
SHORT = frozenset({
    "null", "elements", "dtype", "scalar-dtype", "format", "private-format", "rank", "strided", "empty", "enum",
    "range", "length", "each", "reserved", "product", "shape",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a page about one rule or several, with the mark that says what the runtime makes of it."""

    text: str
    mark: str = ""
    rules: tuple[str, ...] = ()


class Sayings:
    """The sentences about an operator in one language."""

    def __init__(self, definition: Definition, lang: Lang) -> None:
        self.definition = definition
        self.spec = definition.spec
        self.lang: Lang = lang
        self.words = WORDS[lang]
        self._sentences: dict[str, str] = {}
        self._enforcement: dict[str, Enforcement] = {}

    def text(self, text: Bilingual | None) -> str:
        """A text of the spec in the page's language, with the operator's own names of params."""
        return "" if text is None else said(text, self.definition).text(self.lang)

    def listed(self, names: Iterable[str]) -> str:
        """Names one after the other; a dash where there are none."""
        return ("、" if self.lang == "zh" else ", ").join(names) or "-"

    def products(self, ids: Iterable[str]) -> str:
        """Products by name."""
        return self.listed(products.name(name, self.lang) for name in ids)

    # --- what a rule requires

    def requirement(self, rule: RuleDef) -> str:
        """What a rule requires, with its guard, as a whole sentence."""
        if rule.id not in self._sentences:
            text = self._requirement(rule)
            self._sentences[rule.id] = capital(text.rstrip(".。")) + self.words["stop"]
        return self._sentences[rule.id]

    def _requirement(self, rule: RuleDef) -> str:
        if rule.say is not None:
            return prose.authored(rule.say, self.lang)
        if rule.is_lookup:
            return self.words["lookup"].format(self.spec.generated_from)
        if rule.kind == "rank-limit":  # one statement on all tensors, which need not be told one by one
            return self.words["rank_limit"].format(MOST_DIMS)
        if not rule.alternatives:
            return prose.guarded(rule.when, rule.check, self.lang, self.definition.terms)
        told = self.words["semicolon"].join(map(self._alternative, rule.alternatives))
        return self._guarded(rule, self.words["scenario"].format(told))

    def always(self, rule: RuleDef) -> str:
        """What a rule requires, without its guard."""
        text = prose.guarded(None, rule.check, self.lang, self.definition.terms)
        return capital(text.rstrip(".。")) + self.words["stop"]

    def _guarded(self, rule: RuleDef, text: str) -> str:
        return text if rule.when is None else self.under(rule.when, text)

    def under(self, when: tree.Node, text: str) -> str:
        """A text behind the condition under which it counts."""
        return prose.under(when, text, self.lang, self.definition.terms)

    def _alternative(self, item: Alternative) -> str:
        """``name (if …): this holds, and that holds``."""
        stated = [
            self.words["row"] if isinstance(check, tree.Choice) else self.condition(check) for _, check in item.parts
        ]
        text = self.words["sep"].join(stated)
        if item.when is not None:
            text = self.words["if"].format(self.condition(item.when), text)
        return f"{self.called(item)}{self.words['colon']}{text}"

    def called(self, item: Alternative) -> str:
        """What an alternative of a scenario is called."""
        return prose.authored(item.words, self.lang)

    def condition(self, node: tree.Node) -> str:
        """A condition as a clause."""
        return prose.condition(node, self.lang, self.definition.terms)

    def phrase(self, node: tree.Node) -> str:
        """A value as a noun phrase."""
        return prose.phrase(node, self.lang, self.definition.terms)

    def brief(self, rule: RuleDef) -> str:
        """What a rule requires; of alternatives their names alone, which the page of all rules explains."""
        if not rule.alternatives or rule.say is not None:
            return self.requirement(rule)
        names = self.listed(map(self.called, rule.alternatives))
        return capital(self._guarded(rule, self.words["scenario_named"].format(names))) + self.words["stop"]

    # --- what a call does that breaks it

    def failure(self, rule: RuleDef) -> str:
        """What a call does that breaks a rule."""
        if rule.fails is not None:
            return prose.authored(rule.fails, self.lang)
        if rule.say is not None:
            return self.words["not_met"].format(prose.authored(rule.say, self.lang)).rstrip(".。")
        if rule.is_lookup:
            return self.words["fail_lookup"].format(self.spec.generated_from)
        if rule.kind == "rank-limit":
            return self.words["fail_rank_limit"].format(MOST_DIMS)
        if rule.alternatives:
            return self.words["fail_scenario"].format(self.listed(map(self.called, rule.alternatives)))
        if isinstance(rule.check, tree.Choice):
            columns = prose.listing(list(map(self.phrase, rule.check.columns)), self.lang, "and")
            return self.words["fail_table"].format(columns)
        return prose.broken(rule.when, rule.check, self.lang, self.definition.terms)

    def is_of_product(self, rule: RuleDef) -> bool:
        """Whether a rule is about nothing but the product, which the table of products says."""
        return rule.kind == "product" or (rule.kind == "kernel" and rule.step == "product")

    def fails_plainly(self, rule: RuleDef) -> bool:
        """Whether breaking a rule is said in a few words: its author's, or it is one of a kind, has no cases, or was
        observed."""
        if rule.fails is not None or rule.kind in SHORT or self.is_of_product(rule):
            return True
        if rule.basis in ("observed", "definition"):
            return True
        parts = (rule.check,) if rule.when is None else (rule.check, rule.when)
        long = any(_is_long(node) for part in parts for node in tree.walk(part))
        return not (long or rule.alternatives or rule.say is not None)

    def failures(self, rules: Iterable[RuleDef]) -> list[Item]:
        """What a call does that breaks one of some rules: in short where a rule is one of a kind."""
        short: dict[tuple[str, str], list[RuleDef]] = {}
        rest: list[RuleDef] = []
        for rule in rules:
            kind = "product" if self.is_of_product(rule) else rule.kind
            if kind in SHORT and not (kind == "null" and rule.when is not None) and rule.fails is None:
                short.setdefault((kind, self.mark(rule)), []).append(rule)
            else:
                rest.append(rule)
        found: dict[str, Item] = {}
        for (known_as, mark), group in short.items():
            names = self.tensors(known_as, group, "or")
            text = capital(self.words[f"fail_{known_as}"].format(names)) + self.words["stop"]
            known = found.get(text, Item(text, mark))  # of the same said twice the mark that says less counts
            ids = (*known.rules, *(rule.id for rule in group))
            found[text] = Item(text, min(known.mark, mark, key=len), ids)
        told = self.together(rest, lambda rule: capital(self.failure(rule)) + self.words["stop"], "or")
        return [*found.values(), *told]

    def tensors(self, kind: str, rules: Iterable[RuleDef], last: Literal["and", "or"]) -> str:
        """The params of some rules of a kind; in a word where those are all that have such a rule, and many."""
        names = list(dict.fromkeys(rule.param or "" for rule in rules))
        tensors = {param.name for param in self.definition.params if param.kind in ("tensor", "tensor_list")}
        all_of = {rule.param for rule in self.definition.rules if rule.kind == kind and not rule.alternatives}
        if len(names) >= MANY and all_of == set(names) <= tensors:
            if kind == "elements":
                return self.words["all_lists" if last == "and" else "any_list"]
            if kind == "null" and all_of < tensors:  # others may be null
                return self.words["required_of"]
            return self.words["all_of" if last == "and" else "any_of"]
        return prose.listing(names, self.lang, last)

    # --- several rules

    def together(
        self, rules: Iterable[RuleDef], say: Callable[[RuleDef], str], last: Literal["and", "or"] = "and"
    ) -> list[Item]:
        """The sentences of rules with their marks, those that differ by their param alone said once.

        Args:
            last: what stands before the last param: "and" of what must hold, "or" of what fails.
        """
        groups: dict[tuple[str, str], list[RuleDef]] = {}
        for rule in rules:
            groups.setdefault((_pattern(say(rule), rule.param), self.mark(rule)), []).append(rule)
        return [
            Item(
                self._said_of(pattern, list(dict.fromkeys(rule.param or "" for rule in group)), last),
                mark,
                tuple(rule.id for rule in group),
            )
            for (pattern, mark), group in groups.items()
        ]

    def _said_of(self, pattern: str, params: list[str], last: Literal["and", "or"]) -> str:
        """A sentence about one or several params; what stands in the slot several times is said of each."""
        if len(params) == 1:
            return pattern.replace(_SLOT, params[0])
        element = _ELEMENT.search(pattern)
        if element is not None:  # of lists that are read side by side: x[i] and y[i]
            params = [f"{name}{element[1]}" for name in params]
            pattern = pattern.replace(element[0], _SLOT)
        if self.lang == "en":
            pattern = pattern.replace(" must be a 1D tensor", " must each be a 1D tensor")
            pattern = pattern.replace(f"The shape of {_SLOT} must", f"The shapes of {_SLOT} must")
        several = prose.listing(params, self.lang, last)
        if self.lang == "en" and last == "and" and not re.search(r"\bmust\b", pattern):
            several = f"each of {several}"  # whose verb is one thing's: has, is, equals
        return capital(pattern.replace(_SLOT, several))

    def in_row(self, sentence: str, name: str) -> str:
        """A sentence in its param's own row, which need not name it again."""
        for form in self.words["row_subjects"].split("|"):
            subject = form.format(name)
            rest = sentence.removeprefix(subject)
            if rest not in (sentence, "") and not sentence.removeprefix(name).startswith((*_BESIDE, *_PART)):
                return rest[0].upper() + rest[1:] if self.lang == "en" else rest
        found = re.match(rf"The ([a-z ]+) of {re.escape(name)} (?=must|is)", sentence)
        return f"{found[1].capitalize()} {sentence[found.end() :]}" if found is not None else sentence

    # --- what the runtime makes of it

    def enforcement(self, rule: RuleDef) -> Enforcement:
        """What becomes of calls that break a rule."""
        if rule.id not in self._enforcement:
            self._enforcement[rule.id] = enforcement(rule, self.definition)
        return self._enforcement[rule.id]

    def code(self, rule: RuleDef) -> int:
        """The status that a first phase returns for it, as evidence has it."""
        return self.enforcement(rule).status or status.number(rule.status)

    def mark(self, rule: RuleDef) -> str:
        """What sets a rule apart from one that the page says, and that the runtime is known to check."""
        if rule.basis == "observed" or (rule.basis == "definition" and is_conflict(rule, self.definition)):
            return MARKS["observed"]
        found = self.enforcement(rule)
        kinds = [kind for kind in (CONTRADICTED, UNCHECKED) if kind in found.anywhere]
        sign = MARKS[kinds[0]] if kinds else ""
        if sign and REFUSED in found.anywhere:
            sign = f"({sign})"
        return sign + (MARKS["assumed"] if found.assumed else "")

    def is_checked(self, rule: RuleDef) -> bool:
        """Whether the first phase refuses calls that break it, on some product at least."""
        return REFUSED in self.enforcement(rule).anywhere


def _is_long(node: tree.Node) -> bool:
    """Whether a part of a tree takes many words."""
    return isinstance(node, (tree.If, tree.Binder, tree.Slice, tree.Choice)) or (
        isinstance(node, tree.Logic) and node.op == "or"
    )


def capital(text: str) -> str:
    """A sentence's first letter, unless it is the name of something in code."""
    first = text.split(" ", 1)[0]
    first = first.rstrip(",")
    plain = first in _OPENING or _DIMENSION.match(text) is not None
    return text[0].upper() + text[1:] if plain else text


def _pattern(sentence: str, param: str | None) -> str:
    """A sentence with a slot for its param, where others may stand there as well as it; else the sentence."""
    if param is None:
        return sentence
    pattern, count = re.subn(rf"\b{re.escape(param)}\b", _SLOT, sentence, flags=re.A)
    before, _, after = pattern.partition(_SLOT)
    listed = before.endswith(_BESIDE) and not before.endswith(", and ") and _CLAUSE.fullmatch(before) is None
    alone = not listed and not after.startswith(_BESIDE) and (after[:1] != "[" or _ELEMENT.search(pattern) is not None)
    return pattern if count == 1 and alone else sentence
