"""What a page says of rules: what they require, what a call does that breaks them, and what becomes of it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from opspec.docs.alike import alike
from opspec.docs.demands import Demands
from opspec.docs.domains import NOTHING
from opspec.docs.lettered import dims, terms_with, with_letters
from opspec.docs.narrowing import Parts, domains, narrowed
from opspec.docs.shapes import opening
from opspec.docs.shapes.seen import unseen
from opspec.docs.shortening import short_terms
from opspec.docs.words import WORDS
from opspec.language import build, prose, tree
from opspec.language.prose.sharing import Authored, Statement
from opspec.model.definition import Definition, ParamDef, RuleDef
from opspec.model.draft import Alternative
from opspec.model.enforcement import Enforcement, enforcement, is_conflict
from opspec.model.remarks import said
from opspec.model.values import Bilingual
from opspec.vocabulary import products, status
from opspec.vocabulary.enforcement import CONTRADICTED, REFUSED, UNCHECKED, UNKNOWN
from opspec.vocabulary.limits import MOST_DIMS
from opspec.vocabulary.literals import Enforcement as Part
from opspec.vocabulary.literals import Lang

#: Words of ours that a sentence may begin with; a name of the operator's is never capitalised.
_OPENING = frozenset({
    "if", "for", "it", "the", "every", "one", "some", "either", "on", "no", "all", "none", "not", "each", "a", "an",
    "data", "number", "layout", "elements", "this", "another", "unless", "except",
    "exactly", "at", "alternative", "of", "there", "in",
    "neither", "both", "with", "without", "storage", "along", "breaks",
})  # fmt: skip
_DIMENSION = re.compile(r"(dimensions?|element) (\S+ )+of ")
#: what marks a rule that the runtime does not check, as calls show; of which that is not known; that programs break;
#: that no page says; of which it is presumed what the runtime makes of it
MARKS = {UNCHECKED: "†", UNKNOWN: "◇", CONTRADICTED: "‡", "observed": "◆", "assumed": "≈"}

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.prose.clauses import Clause

Last = Literal["and", "or"]

_BETWEEN = " "  # ids of rules that one stands for; no id has a space
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


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence about a rule, in parts where it has any; each is made when it is asked for.

    Args:
        text: the whole of it.
        common: what of it may be said of other params, too; two that have the same say the same, each of its own.
        of_several: it as a sentence about several params.
    """

    text: Callable[[], str]
    common: Callable[[], Hashable] = lambda: None
    of_several: Callable[[list[str], Last], str] | None = None


class Sayings:
    """The sentences about an operator in one language.

    Args:
        narrows: whether they are for those who know which data types params take, and see shapes in letters.
        upstream: whether the vendor's form is made of them.
        typed: whether what the page says leaves out arguments that it forbids anyway.

    Attributes:
        plain: the sentences for those who do not, as the vendor's form has them.
        domains: the values that arguments may have.
        chosen: lists of rules that were found by what they say, in whichever language, by what these are.
        terms: what sentences call derived values.
    """

    def __init__(
        self, definition: Definition, lang: Lang, narrows: bool = False, upstream: bool = False, typed: bool = False
    ) -> None:
        self.definition = definition
        self.spec = definition.spec
        self.upstream = upstream
        self.lang: Lang = lang
        self._apart = narrows and not upstream
        self.words = WORDS[lang]
        law = alike(definition)
        self.told = opening(definition).told if narrows else {}
        self.domains = domains(law) if narrows or typed else NOTHING
        self.dims = dims(definition) if narrows else {}
        self.terms = terms_with(short_terms(definition), self.dims) if narrows else definition.terms
        self.plain = Sayings(definition, lang) if narrows else self
        found = definition.once(_found)
        self.chosen: dict[str, list[RuleDef]] = found["chosen", narrows, upstream]
        said = law.once(_found)
        self._kept: dict[str, Parts | None] = said["parts", narrows, typed]
        self._sentences: dict[str, str] = found["sentences", narrows, typed, lang, upstream]
        self._statements: dict[tuple[str, bool], Statement] = said["statements", narrows, typed, lang, upstream]
        self._of_several: dict[str, Enforcement] = found["of several"]
        self._marks: dict[str, str] = found["marks"]
        self._ways: dict[str, frozenset[Part]] = found["ways"]

    def text(self, text: Bilingual | None) -> str:
        """A text of the spec in the page's language, with the operator's own names of params."""
        return "" if text is None else said(text, self.definition).text(self.lang)

    def listed(self, names: Iterable[str]) -> str:
        """Names one after the other; a dash where there are none."""
        return ("、" if self.lang == "zh" else ", ").join(names) or "-"

    def products(self, ids: Iterable[str]) -> str:
        """Products by name; the vendor's form names each as the vendor does."""
        if self.upstream:
            return self.listed(products.name(name, self.lang) for name in ids)
        return self.listed(products.listed(ids, self.lang))

    def on(self, ids: Sequence[str]) -> str:
        """What a line begins with that is for some products."""
        named = (
            self.products(ids) if self.upstream else prose.listing(products.in_text(ids, self.lang), self.lang, "and")
        )
        return self.words["only_on"].format(named)

    # --- what a rule requires

    def requirement(self, rule: RuleDef) -> str:
        """What a rule requires, with its guard, as a whole sentence."""
        if rule.id not in self._sentences:
            self._sentences[rule.id] = self.sentence(self._requirement(rule))
        return self._sentences[rule.id]

    def sentence(self, text: str) -> str:
        """A statement as a sentence of its own."""
        return capital(text.rstrip(".。")) + self.words["stop"]

    def _requirement(self, rule: RuleDef) -> str:
        if rule.say is not None:
            return prose.authored(rule.say, self.lang)
        if rule.is_lookup:
            return self.words["lookup"].format(self.spec.kernel)
        if rule.kind == "rank-limit":  # one statement on all tensors, which need not be told one by one
            return self.words["rank_limit"].format(MOST_DIMS, self._unlimited("all_of", "and"))
        if not rule.alternatives:
            return self._statement(rule).text()
        told = self.words["semicolon"].join(map(self._alternative, rule.alternatives))
        return self._guarded(rule, self.words["scenario"].format(told))

    def _statement(self, rule: RuleDef, fails: bool = False) -> Statement:
        """What a rule says by its trees."""
        at = rule.id, fails
        if at not in self._statements:
            when, check = self.parts(rule)
            if self.dims:
                when, check = when and with_letters(when, self.dims), with_letters(check, self.dims)
            terms = self.terms.read_by(when, check).naming(when)
            self._statements[at] = Statement(
                when, check, self.lang, terms, fails, rule.param, self._apart and not fails
            )
        return self._statements[at]

    def clause(self, rule: RuleDef) -> Clause:
        """What a rule requires, in parts."""
        return self._statement(rule).clause({})

    def can_be_broken(self, rule: RuleDef) -> bool:
        """Whether a call may break a rule whose data types are those that params take."""
        return rule.kind in SHORT or self._parts(rule) is not None

    def repeats_row(self, rule: RuleDef) -> bool:
        """Whether calls showed which data types one param may have, and its row says that anyway."""
        listed = not isinstance(rule.check, tree.Compare) or rule.check.ops == ("in",)
        plain = rule.when is None or tree.on_products(rule.when) is not None
        about = {(name, facet) for name, facet in self.definition.facts(rule.check) if name}
        shown = rule.basis == "observed" and listed and plain and about == {(rule.param, "dtype")}
        return shown and not self.can_be_broken(rule)

    def _parts(self, rule: RuleDef) -> Parts | None:
        """What is left of its condition and its statement where arguments have types that params take."""
        if rule.id not in self._kept:
            observed = self.plain is self and rule.basis == "observed"  # calls showed what no param should have
            found = None if observed else narrowed(rule, self.domains)
            self._kept[rule.id] = found and self._unseen(rule, *found)
        return self._kept[rule.id]

    def _unseen(self, rule: RuleDef, when: tree.Node | None, check: tree.Node) -> Parts:
        """A condition and a statement without what shapes and tables of the page show; of one that they show, all."""
        if self.plain is self or rule.kind in SHORT:
            return when, check
        shown = opening(self.definition).of
        kept = unseen(rule.but(when=when, check=check), shown, self.definition)
        kept = tuple(part for part in kept if not isinstance(part, tree.Choice))
        return when, build.all_of(kept) if kept else check

    def parts(self, rule: RuleDef) -> Parts:
        """The condition and the statement that sentences on a rule are made of."""
        return self._parts(rule) or (rule.when, rule.check)

    def joined(self, rules: Sequence[RuleDef], when: tree.Node | None) -> RuleDef:
        """Rules that require the same as one rule under one condition, whose id :func:`ids_of` takes apart."""
        found = [self.enforcement(rule) for rule in rules]
        shown = sorted({way for rule in rules for way in self._shown(rule)})
        assumed = UNCHECKED not in shown and any(one.assumed for one in found)
        one = rules[0].but(id=_BETWEEN.join(rule.id for rule in rules), when=when)
        self._kept[one.id] = when, self.parts(rules[0])[1]
        self._of_several[one.id] = Enforcement(shown[0], tuple(("", way) for way in shown[1:]), assumed)
        return one

    def is_of_trees(self, rule: RuleDef) -> bool:
        """Whether the sentence on what a rule requires is made of its trees."""
        return rule.say is None and not (rule.is_lookup or rule.alternatives or rule.kind == "rank-limit")

    def _authored(self, texts: tuple[str, str], form: str = "{0}") -> Authored:
        """An author's own words; ``form``: what they stand in."""
        return Authored(texts[self.lang == "zh"], self.lang, form)

    def briefly(self, rule: RuleDef) -> Sentence:
        """What a rule requires, as others may say it of their params."""
        if rule.say is not None:
            return self._shared(rule, self._authored(rule.say), lambda: self.requirement(rule))
        if not self.is_of_trees(rule):
            return Sentence(lambda: self.brief(rule))
        return self._shared(rule, self._statement(rule), lambda: self.requirement(rule))

    def _shared(self, rule: RuleDef, said: Statement | Authored, text: Callable[[], str]) -> Sentence:
        """What is said of a rule's param, as others may say it of theirs."""
        param = rule.param
        if param is None:
            return Sentence(text)
        return Sentence(
            text, lambda: said.of_any(param), lambda names, last: self.sentence(said.of_several(param, names, last))
        )

    def _guarded(self, rule: RuleDef, text: str) -> str:
        when, _ = self.parts(rule)
        return text if when is None else self.under(when, text)

    def under(self, when: tree.Node, text: str) -> str:
        """A text behind the condition under which it counts."""
        return prose.under(when, text, self.lang, self.terms)

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
        return prose.condition(node, self.lang, self.terms)

    def phrase(self, node: tree.Node) -> str:
        """A value as a noun phrase."""
        return prose.phrase(node, self.lang, self.terms)

    def brief(self, rule: RuleDef) -> str:
        """What a rule requires; of alternatives their names alone, which the page of all rules explains."""
        if not rule.alternatives or rule.say is not None:
            return self.requirement(rule)
        names = self.listed(map(self.called, rule.alternatives))
        return self.sentence(self._guarded(rule, self.words["scenario_named"].format(names)))

    # --- what a call does that breaks it

    def failure(self, rule: RuleDef) -> str:
        """What a call does that breaks a rule."""
        if rule.fails is not None:
            return prose.authored(rule.fails, self.lang)
        if rule.say is not None:
            return self.words["not_met"].format(prose.authored(rule.say, self.lang)).rstrip(".。")
        if rule.is_lookup:
            return self.words["fail_lookup"].format(self.spec.kernel)
        if rule.kind == "rank-limit":
            return self.words["fail_rank_limit"].format(MOST_DIMS, self._unlimited("any_of", "or"))
        if rule.alternatives:
            return self.words["fail_scenario"].format(self.listed(map(self.called, rule.alternatives)))
        if isinstance(rule.check, tree.Choice):
            columns = prose.listing(list(map(self.phrase, rule.check.columns)), self.lang, "and")
            return self.words["fail_table"].format(columns)
        return self._statement(rule, fails=True).text()

    def _unlimited(self, every: str, last: Last) -> str:
        """The tensors of which no checked rule says how many dims they have; all, where that is so of each or none."""
        definition = self.definition
        tensors = [param.name for param in definition.params if param.kind in ("tensor", "tensor_list")]
        own = [rule for rule in definition.rules if rule.when is None and rule.kind != "rank-limit"]
        own = [rule for rule in own if self.is_checked(rule)]
        told = {name for rule in own for name, facet in definition.facts(rule.check) if facet == "rank"}
        told |= {rule.param for rule in own if rule.kind == "shape" and rule.param is not None}
        rest = [name for name in tensors if name not in told]
        if len(rest) in (0, len(tensors)) or len(rest) > 2 * MANY:
            return self.words[every]
        return prose.listing(rest, self.lang, last)

    def fails(self, rule: RuleDef) -> Sentence:
        """What a call does that breaks a rule, as others may say it of their params."""
        if rule.fails is not None:
            said: Statement | Authored = self._authored(rule.fails)
        elif rule.say is not None:
            said = self._authored(rule.say, self.words["not_met"])
        elif not self.is_of_trees(rule) or isinstance(rule.check, tree.Choice):
            return Sentence(lambda: self.sentence(self.failure(rule)))
        else:
            said = self._statement(rule, fails=True)
        return self._shared(rule, said, lambda: self.sentence(said.text()))

    def kind(self, rule: RuleDef) -> str:
        """The kind of a rule; of one that the shape of a param tells, that."""
        return "shape" if rule.id in self.told else rule.kind

    def param(self, rule: RuleDef) -> str:
        """The param that a rule is about, as the page has it; empty where it is about several."""
        return self.told.get(rule.id, rule.param or "")

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
        nulls: set[frozenset[str] | None] = set()  # of two rules that the same call breaks one is told
        for rule in rules:
            kind = "product" if self.is_of_product(rule) else self.kind(rule)
            if kind in SHORT and not (kind == "null" and rule.when is not None) and rule.fails is None:
                short.setdefault((kind, self.mark(rule)), []).append(rule)
            elif (broken := _nulls(rule)) is None or broken not in nulls:
                rest.append(rule)
                nulls.add(broken)
        found: dict[str, Item] = {}
        for (known_as, mark), group in short.items():
            names = self.tensors(known_as, group, "or")
            text = capital(self.words[f"fail_{known_as.removeprefix('scalar-')}"].format(names)) + self.words["stop"]
            known = found.get(text, Item(text, mark))  # of the same said twice the mark that says less counts
            ids = (*known.rules, *(rule.id for rule in group))
            found[text] = Item(text, min(known.mark, mark, key=len), ids)
        told = self.together(rest, self.fails, "or")
        return [*found.values(), *told]

    def tensors(self, kind: str, rules: Iterable[RuleDef], last: Last) -> str:
        """The params of some rules of a kind; in a word where those are all that have such a rule, and many."""
        names = list(dict.fromkeys(self.param(rule) for rule in rules))
        tensors = {param.name for param in self.definition.params if param.kind in ("tensor", "tensor_list")}
        all_of = {
            self.param(rule) for rule in self.definition.rules if self.kind(rule) == kind and not rule.alternatives
        }
        if len(names) >= MANY and all_of == set(names) <= tensors:
            if kind == "elements":
                return self.words["all_lists" if last == "and" else "any_list"]
            if kind == "null" and all_of < tensors:  # others may be null
                return self.words["required_of"]
            return self.words["all_of" if last == "and" else "any_of"]
        return prose.listing(names, self.lang, last)

    def named(self, some: Sequence[str], tensors: Collection[str]) -> str:
        """Some tensors by name; of many those that are not among them."""
        rest = [name for name in tensors if name not in some]
        if len(some) <= max(2 * MANY, len(rest)):
            return prose.listing(list(some), self.lang, "and")
        return self.words["all_but"].format(prose.listing(rest, self.lang, "and")) if rest else self.words["all_of"]

    # --- several rules

    def together(
        self, rules: Iterable[RuleDef], say: Callable[[RuleDef], Sentence], last: Last = "and", most: int | None = None
    ) -> list[Item]:
        """The sentences of rules with their marks, those that differ by their param alone said once.

        Args:
            last: what stands before the last param: "and" of what must hold, "or" of what fails.
            most: sentences that there may be; where there are more, none is made.
        """
        marked = [(rule, self.mark(rule)) for rule in rules]
        if len(marked) == 1:  # as most often
            ((rule, mark),) = marked
            return [Item(say(rule).text(), mark, tuple(ids_of(rule)))]
        many = Counter(mark for _, mark in marked)
        groups: dict[tuple[Hashable, str], list[tuple[RuleDef, Sentence]]] = {}
        for rule, mark in marked:
            if most is not None and len(groups) > most and len({common for common, _ in groups}) > most:
                return []
            said = say(rule)
            common = said.common() if many[mark] > 1 else None
            if common is None:
                common, said = said.text(), Sentence(said.text)
            groups.setdefault((common, mark), []).append((rule, said))
        found: dict[str, Item] = {}
        for (_, mark), group in groups.items():
            text, ids = _said_of(group, last), tuple(name for rule, _ in group for name in ids_of(rule))
            known = found.get(text, Item(text, mark))  # of the same said twice the mark that says less counts
            found[text] = Item(text, min(known.mark, mark, key=len), (*known.rules, *ids))
        return [*found.values()] if most is None or len(found) <= most else []

    def in_row(self, rule: RuleDef) -> str:
        """What a rule requires in its param's own row, which need not name it again."""
        text = None
        if rule.say is not None:
            text = self._authored(rule.say).in_row(rule.param or "")
        elif self.is_of_trees(rule):
            text = self._statement(rule).in_row(rule.param or "")
        if text is None:
            return self.brief(rule)
        text = text.rstrip(".。") + self.words["stop"]
        return text[0].upper() + text[1:] if self.lang == "en" else text

    # --- what may be null

    def is_given(self, param: ParamDef) -> bool | None:
        """Whether every legal call gives a param, or none does; None where some do."""
        return self.domains.is_given(tree.Param(param.name, param.type)) if param.nullable else True

    def may_be_null(self, param: ParamDef) -> bool:
        """Whether some legal call does not give a param."""
        return self.is_given(param) is not True

    # --- what the runtime makes of it

    def enforcement(self, rule: RuleDef) -> Enforcement:
        """What becomes of calls that break a rule."""
        return self._of_several.get(rule.id) or enforcement(rule, self.definition)

    def code(self, rule: RuleDef) -> int:
        """The status that a first phase returns for it, as evidence has it."""
        return self.enforcement(rule).status or status.number(rule.status)

    def mark(self, rule: RuleDef) -> str:
        """What sets a rule apart from one that the page says, and that the runtime is known to check."""
        if rule.id not in self._marks:
            self._marks[rule.id] = self._mark(rule)
        return self._marks[rule.id]

    def _mark(self, rule: RuleDef) -> str:
        if self.is_observed(rule):
            return MARKS["observed"]
        shown = self._shown(rule)
        kind = next((kind for kind in (CONTRADICTED, UNCHECKED, UNKNOWN) if kind in shown), None)
        sign = MARKS[kind] if kind is not None else ""
        if sign and len(shown) > 1:
            sign = f"({sign})"
        presumed = self.enforcement(rule).assumed and kind != UNKNOWN and not self.is_of_product(rule)
        return sign + (MARKS["assumed"] if presumed else "")

    def is_observed(self, rule: RuleDef) -> bool:
        """Whether recorded calls have a rule, and no page, not even as part of another one."""
        if rule.basis == "observed":
            return not Demands.of(self.definition).include(rule, self.definition.lets)
        return rule.basis == "definition" and is_conflict(rule, self.definition)

    def part(self, rule: RuleDef) -> Part:
        """The part of a page that a rule stands in; its mark says where products differ."""
        shown = self._shown(rule)
        if shown == {CONTRADICTED}:
            return CONTRADICTED
        return next(part for part in (REFUSED, UNKNOWN, UNCHECKED) if part in shown)

    def _shown(self, rule: RuleDef) -> frozenset[Part]:
        """What becomes of calls that break a rule, on some product: that they come through is known where calls show
        it alone."""
        if rule.id not in self._ways:
            found = self.enforcement(rule)
            ways = frozenset(UNKNOWN if way == UNCHECKED and found.assumed else way for way in found.anywhere)
            self._ways[rule.id] = ways
        return self._ways[rule.id]

    def is_checked(self, rule: RuleDef) -> bool:
        """Whether the first phase refuses calls that break it, on some product at least."""
        return REFUSED in self.enforcement(rule).anywhere


def ids_of(rule: RuleDef) -> list[str]:
    """The id of a rule; of one that stands for several theirs."""
    return rule.id.split(_BETWEEN)


def _found(_: Definition) -> defaultdict[Hashable, dict[Any, Any]]:
    """What was found of rules that were asked for, by what that is: both languages, pages and comparisons ask alike."""
    return defaultdict(dict)


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


def _said_of(group: list[tuple[RuleDef, Sentence]], last: Last) -> str:
    """The sentence of rules that say the same, each of its param."""
    first = group[0][1]
    params = list(dict.fromkeys(rule.param or "" for rule, _ in group))
    return first.text() if first.of_several is None or len(params) == 1 else first.of_several(params, last)


def _nulls(rule: RuleDef) -> frozenset[str] | None:
    """The params that are null in a call that breaks a rule, where that is all that breaks it."""
    parts = (build.negated(rule.check), *(() if rule.when is None else build.conjuncts(rule.when)))
    found = set[str]()
    for part in parts:
        match part:
            case tree.IsNone(operand=tree.Param(name=name), negated=False):
                found.add(name)
            case tree.Unary(operand=tree.IsNone(operand=tree.Param(name=name), negated=True)):
                found.add(name)
            case _:
                return None
    return frozenset(found) if rule.fails is None else None
