"""Statements in words: what a rule requires, and what a condition says."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from opspec.language import tree
from opspec.language.functions import FUNCTIONS, said
from opspec.language.prose import patterns, scopes, shapes
from opspec.language.prose.nouns import Nouns, same_attribute
from opspec.language.prose.terms import Terms
from opspec.language.prose.words import MUST, PAIRS
from opspec.language.record import replace
from opspec.language.types import BOOL, DTYPE, FORMAT, INT, INTS, STR, TENSOR, list_of
from opspec.later import later, pattern
from opspec.vocabulary import products

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Literal

    from opspec.vocabulary.literals import Lang
else:
    re = later("re")

_EXPANDED = 14  # nodes of a condition with a name that is said by what it stands for
_NOT = {"is": "is not", "same": "not same", "multiple": "no multiple", "divides": "not divides", "shaped": "not shaped",
        "mirrored": "not mirrored", "within": "not within"}  # fmt: skip
_FLIPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_ORDER = {"<": "increase", "<=": "not decrease", ">": "decrease", ">=": "not increase"}


class Statements(Nouns):
    """Writes statements.

    Args:
        mood: 0 requires, 1 states.
        fails: whether it states how a call breaks a rule, in a sentence of its own.
    """

    def __init__(
        self,
        lang: Lang,
        mood: int,
        terms: Terms,
        bound: dict[str, str] | None = None,
        depth: int = 0,
        doubts: set[str] | None = None,
        fails: bool = False,
    ) -> None:
        super().__init__(lang, terms, bound, depth, doubts)
        self.mood = mood
        self.fails = fails
        self.pairs = PAIRS[lang]

    def stating(self, node: tree.Node) -> str:
        return Statements(self.lang, 1, self.terms, self.bound, self.depth, self.doubts).statement(node)

    def with_bound(self, bound: dict[str, str]) -> Statements:
        return Statements(self.lang, self.mood, self.terms, bound, self.depth, self.doubts, self.fails)

    def statement(self, node: tree.Node) -> str:
        """A boolean as a clause."""
        match node:
            case tree.Compare():
                return self._compare(node)
            case tree.IsNone():
                return self.form("not null" if node.negated else "null", a=self.noun(node.operand))
            case tree.Logic():
                return self._logic(node)
            case tree.Unary(op="not"):
                return self._negation(node.operand)
            case tree.If():
                return self._branches(node.condition, node.then, node.other)
            case tree.Each():
                return self._each(node)
            case tree.Given():
                return self.statement(node.operand)
            case tree.Implies():
                return self.if_then(node.condition, node.then)
            case tree.Call():
                return self._library(node, True)
            case tree.Table():
                return self.form("table", a=self._combination(node))
            case tree.Let():
                return self._named(node, True)
        return self.form("true", a=self.noun(node))

    def form(self, key: str, **slots: str) -> str:
        """A clause in the writer's mood."""
        text = self.pairs[key][self.mood]
        if self.mood and self.lang == "en" and _PLURAL.match(slots.get("a", "")):
            for one, many in _VERBS:
                text = text.replace(one, many)
        return text.format(**slots)

    def _combination(self, node: tree.Table) -> str:
        if len(node.columns) > 1 and same_attribute(node.columns):
            names, what = self.listing(list(map(self.base, node.columns)), "and"), self._what(node.columns[0])
            return f"the {what}s of {names}" if self.lang == "en" else f"{names}的{what}"
        named = self.listing(list(map(self.noun, node.columns)), "and")
        return self.phrases["combination"].format(a=named) if len(node.columns) > 1 else named

    def _named(self, node: tree.Let, holds: bool) -> str:
        """A condition with a name: by what it stands for where that is short, else by its words."""
        stands_for = self.terms.trees.get(node.name)
        if stands_for is not None and self.depth < 4 and shapes.count(stands_for, _EXPANDED) <= _EXPANDED:
            self.depth += 1
            try:
                return self.statement(stands_for) if holds else self._negation(stands_for)
            finally:
                self.depth -= 1
        words = self.terms.phrase(node.name, self.lang)
        if words is not None:
            return self.form("holds" if holds else "fails", a=words)
        self._doubt_name(node)
        return self.form("true" if holds else "false", a=node.name)

    # --- conditions

    def if_then(self, when: tree.Node, node: tree.Node) -> str:
        """A requirement under a condition; it does not name again what the condition is about."""
        node = shapes.fitting(when, node)
        if isinstance(node, tree.Implies) and self.mood == 0 and scopes.scope(when)[0] is None:
            return self.if_then(
                tree.Logic("and", (*patterns.parts(when), *patterns.parts(node.condition)), BOOL), node.then
            )
        body = self._about(when, node)
        public = self._public(when, node, body)
        if public is not None:
            return public
        nested = self._is_conditional(node) and (";" in body or "；" in body or body.startswith(_CONDITIONS))
        return self.under(when, body, nested)

    def under(self, when: tree.Node, body: str, nested: bool = False) -> str:
        """A text under a condition; ``nested``: one that begins with a condition of its own."""
        on, rest = scopes.scope(when)
        if on is None:
            condition = self.stating(when)
            return self.phrases[f"if{self._joint(condition, nested)}"].format(c=condition, a=body)
        key = "on" if on.inside else "elsewhere"
        names = self._products(on, "or" if key == "elsewhere" and self.lang == "en" else "and")
        if rest is None:
            return self.phrases[key].format(c=names, a=body)
        condition = self.stating(rest)
        return self.phrases[f"{key} and{self._joint(condition, nested)}"].format(p=names, c=condition, a=body)

    def _joint(self, condition: str, nested: bool) -> str:
        """How a text is joined to its condition: one that has a condition of its own, or lists alternatives."""
        return " nested" if nested else " listed" if _ITEM in condition else ""

    def failing(self, when: tree.Node, node: tree.Node) -> str:
        """How a call breaks a rule that has a condition: in English both hold, "if" would assert the second."""
        text = self.if_then(when, node)
        condition = scopes.scope(when)[1]
        if self.lang != "en" or condition is None or self._is_loose(condition) or self._is_loose(node):
            return text
        said_so = self.stating(condition)
        before, lead, after = text.partition(f"if {said_so}, ")
        scoped = before == "" or before.startswith("on ")
        return f"{before}{said_so}, and {after}" if lead and scoped else text

    def _is_loose(self, node: tree.Node) -> bool:
        """Whether a sentence that goes on behind it would be read as a part of it."""
        meant = self._meant(node)
        if isinstance(meant, tree.Logic) and meant.op == "or":
            return shapes.one_of(meant) is meant and shapes.said_of(meant.items)[1] is None
        return self._is_conditional(meant)

    def _public(self, when: tree.Node, node: tree.Node, body: str) -> str | None:
        """What the data format of a thing must be that is of no private one, which other rules are about."""
        asked = when.operand if isinstance(when, tree.Unary) and when.op == "not" else None
        if self.mood or not isinstance(asked, tree.Call) or asked.function != "is_private":
            return None
        if not patterns.is_about(node, asked.args[0]):
            return None
        name = self.noun(asked.args[0])
        text = self.statement(node)
        return text.replace(name, self.phrases["public"].format(a=name), 1) if name in text else None

    def _products(self, on: tree.OnProducts, last: str) -> str:
        return self._named_products(on.ids, last)

    def _named_products(self, ids: list[str], last: str) -> str:
        return self.listing(products.in_text(ids, self.lang), "and" if last == "and" else "or")

    def _branches(self, when: tree.Node, then: tree.Node, other: tree.Node) -> str:
        if shapes.is_const(other, True) or shapes.is_any_multiple(other):
            return self.if_then(when, then)
        if shapes.is_const(then, True) or shapes.is_any_multiple(then):
            return self.if_then(tree.Unary("not", when, when.type), other)
        if isinstance(when, tree.Unary) and when.op == "not":
            when, then, other = when.operand, other, then
        by_product = scopes.by_product(tree.If(when, then, other, BOOL))
        if by_product is not None:
            return self._on_each(*by_product)
        if shapes.is_conditional(then) and not shapes.is_conditional(other):
            when, then, other = (
                tree.Unary("not", when, BOOL),
                other,
                then,
            )  # so that it is clear which "otherwise" is whose
        first = self.if_then(when, then)
        if isinstance(other, tree.If) and not (shapes.is_const(other.then, True) or shapes.is_const(other.other, True)):
            rest = self._branches(other.condition, other.then, other.other)
            return self.phrases["if else"].format(a=first, b=rest)
        return self.phrases["if else"].format(a=first, b=_told_once(first, self._about(then, other)))

    def _on_each(self, cases: list[tuple[list[str], tree.Node]], other: tree.Node | None) -> str:
        """What is so on some products, and what on the others."""
        if other is not None and self._is_everything([name for names, _ in cases for name in names]):
            other = None
        together = self._shared_list(cases, other)
        if together is not None:
            return together
        said_so = [self.phrases["on"].format(c=self._named_products(cases[0][0], "and"), a=self.statement(cases[0][1]))]
        for (_, before), (names, node) in itertools.pairwise(cases):
            text = self._about(before, node)
            said_so.append(self.phrases["on"].format(c=self._named_products(names, "and"), a=text))
        text = self.phrases["also"].join(said_so)
        return text if other is None else self.phrases["on others"].format(a=text, b=self._about(cases[-1][1], other))

    def _is_everything(self, names: list[str]) -> bool:
        """Whether an operator runs on these products alone."""
        return bool(self.terms.products) and self.terms.products <= set(names)

    def _shared_list(self, cases: list[tuple[list[str], tree.Node]], other: tree.Node | None) -> str | None:
        """``x is a, b or c; c is not supported on p``, where products differ by a few of many data types."""
        lists = [shapes.choices(node) for _, node in cases] + ([] if other is None else [shapes.choices(other)])
        first = lists[0]
        if self.mood or len(lists) < 2 or first is None:
            return None
        subject = first[0]
        if subject.type not in (DTYPE, FORMAT) or any(one is None or one[0] != subject for one in lists):
            return None
        sets = [one[1] for one in lists if one is not None]
        every = list(dict.fromkeys(item for items in sorted(sets, key=len, reverse=True) for item in items))
        apart = [item for item in every if not all(item in items for items in sets)]
        groups: dict[tuple[str, tuple[str, ...]], list[tree.Node]] = {}
        for item in apart:
            holds = other is None or item in sets[-1]
            named = [name for (names, _), items in zip(cases, sets, strict=False) for name in names
                     if (item in items) != holds]  # fmt: skip
            groups.setdefault(("not on" if holds else "only on", tuple(named)), []).append(item)
        if 2 * len(apart) > len(every) or len(groups) > 2:
            return None
        listed = tree.Seq(tuple(every), (False,) * len(every), list_of(subject.type))
        said_so, tails = self.statement(tree.Compare(("in",), (subject, listed), BOOL)), list[str]()
        for (key, names), items in groups.items():
            key, names = self._fewer(key, names)
            form = self.phrases[key if len(items) == 1 else f"{key} many"]
            denies = key == "not on" and self.lang == "en"
            what = self.listing(list(map(self.noun, items)), "and")
            tails.append(form.format(a=what, p=self._named_products(list(names), "or" if denies else "and")))
        return self._with_tails(said_so, tails)

    def _with_tails(self, text: str, tails: list[str]) -> str:
        """A list, and what of it is supported only here or not there."""
        if not tails:
            return text
        return self.phrases["also"].join([text, self.phrases["of these"].format(a=tails[0]), *tails[1:]])

    def _fewer(self, key: str, names: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        """``not on a, b or c`` as ``only on d`` where that is the shorter."""
        left = self.terms.products - set(names)
        if key != "not on" or not left or len(left) >= len(names) or not set(names) <= set(products.ids()):
            return key, names
        return "only on", tuple(name for name in products.ids() if name in left)

    def _about(self, before: tree.Node, node: tree.Node) -> str:
        """The statement of ``node``, with a pronoun (in Chinese with nothing) where ``before`` has the same subject."""
        text = self.statement(node)
        subject, known = shapes.subject(node), shapes.subject(before)
        owner = patterns.owner(before)
        if owner is not None and subject is not None and patterns.owner_of(subject) == owner:
            name = self.noun(owner)
            if text.startswith(name) and text[len(name) : len(name) + 1] in _AFTER_A_SUBJECT:
                return self.phrases["it"] + text[len(name) :]
        if subject is None or known is None or isinstance(node, (tree.Logic, tree.Each, tree.If)):
            return text
        if self._is_unnamed(before):
            return text
        aside = Statements(self.lang, self.mood, self.terms, self.bound, self.depth)  # its doubts are not this text's
        name, earlier = aside.noun(subject), aside.noun(known)
        if name == earlier and text.startswith(name):
            rest = text[len(name) :]
            if rest.startswith(_RANGED):
                return rest.removeprefix("的")
            return self.phrases["it"] + rest if rest[:1] in _AFTER_A_SUBJECT else text
        own = isinstance(subject, tree.Attr) and self.lang == "en" and text.startswith(name)
        if own and isinstance(subject, tree.Attr) and self.noun(subject.base) == earlier:
            return self.phrases["its"].format(name=self.phrases.get(subject.name, subject.name)) + text[len(name) :]
        return text

    def _is_unnamed(self, node: tree.Node) -> bool:
        """Whether a condition says that a thing is or is not empty, and does not name the number that it compares."""
        if not isinstance(node, tree.Compare) or len(node.ops) != 1:
            return False
        counted, number = node.operands[0], shapes.number(node.operands[1])
        emptiness = (node.ops[0], number) in _FILLED or (node.ops[0] in ("==", "!=") and number == 0)
        length = isinstance(counted, tree.Length) and (self.lang == "en" or counted.operand.type == STR)
        return emptiness and (length or shapes.is_attribute(counted, "numel"))

    # --- and, or, not

    def _logic(self, node: tree.Logic) -> str:
        if node.op == "or":
            return self._or(node)
        items = shapes.grouped(shapes.spanned(tuple(dict.fromkeys(self._flat(node.items)))))
        if self.mood:
            items = patterns.without_presence(items)
        if len(items) == 1:
            return self.statement(items[0])
        several = self._of_several(items, "and")
        if several is not None:
            return several
        alike = patterns.alike(items)
        if alike is not None:
            what = self.listing([self._what(item.operands[0]) for item in alike], "and")
            a, b = (self.base(side) for side in alike[0].operands)
            return self.form("same", a=a, b=b, what=what)
        if any(map(self._is_conditional, items)):  # last: what "otherwise" is about must not be read on
            ordered = items if self.mood else sorted(items, key=self._is_conditional)
            return self.phrases["also"].join(self._named_once(ordered))
        return self._joined_by("and", items)

    def _flat(self, items: tuple[tree.Node, ...]) -> Iterator[tree.Node]:
        """All that holds where several statements do, with what conditions with short names stand for."""
        for item in items:
            opened = shapes.opened(item, self._meant)
            if isinstance(opened, tree.Logic) and opened.op == "and":
                yield from self._flat(opened.items)
            else:
                yield opened

    def _named_once(self, items: Sequence[tree.Node]) -> list[str]:
        """Statements one after the other, of which those behind the first do not name its subject again."""
        texts = list(map(self.statement, items))
        subject = shapes.subject(items[0])
        name = self.noun(subject) if subject is not None else ""
        if not name or not texts[0].startswith(name) or self.mood:
            return texts
        again = ((f"{name} must", "it must"),) if self.lang == "en" else (
            (f"{name}必须", "必须"), (f"{name}的取值范围", "取值范围"))  # fmt: skip
        for number, text in enumerate(texts[1:], 1):
            for long, short in again:
                if len(name) > _NAME and text.count(name) == text.count(long) and not text.startswith(name):
                    text = text.replace(long, short)
            texts[number] = text
        return texts

    def _joined_by(self, word: str, items: tuple[tree.Node, ...]) -> str:
        said_so = [self._clause(items[0])]
        for before, item in zip(items, items[1:], strict=False):
            text = self._clause(item, self._after(said_so[-1], before, item))
            before = self._meant(before)
            joined = self._neither(before, said_so[-1], text) if word == "and" and self.mood else None
            if joined is not None:
                said_so[-1] = joined
            else:
                said_so.append(self._of_given(before, text) if self.mood else text)
        if len(said_so) == 1:
            return said_so[0]
        predicates = self._predicates(said_so) if word == "and" and not self.mood else None
        if predicates is not None:
            return predicates
        if self.mood and word == "or" and any(_LISTING.search(text) for text in said_so):
            return self.phrases["or"].format(a=self.phrases["between"].join(said_so[:-1]), b=said_so[-1])
        form = self.phrases[f"{word} also" if self.mood else word]
        return form.format(a=self.phrases["between"].join(said_so[:-1]), b=said_so[-1])

    def _neither(self, before: tree.Node, text: str, other: str) -> str | None:
        """``x is neither null nor empty``."""
        if not isinstance(before, tree.IsNone) or not before.negated:
            return None
        name = self.noun(before.operand)
        if self.lang == "en":
            known = text == f"{name} is not null" and other in (f"{name} is not empty", "it is not empty")
            return f"{name} is neither null nor empty" if known else None
        return f"{text}且{other.removeprefix(name + '的')}" if other == f"{name}的长度大于0" else None

    def _of_given(self, before: tree.Node, text: str) -> str:
        """A statement about an attribute of what is given, as the one before says: its data type is …"""
        if not isinstance(before, tree.IsNone) or not before.negated:
            return text
        name = self.noun(before.operand)
        if self.lang == "zh":
            own = text.removeprefix(f"{name}的")
            return f"其{own}" if own != text and not own.startswith("长度") else text
        found = re.match(rf"the (data type|data format|rank|length) of {re.escape(name)} (?=is )", text)
        return f"its {found[1]} {text[found.end() :]}" if found is not None else text

    def _predicates(self, texts: list[str]) -> str | None:
        """``x must be a multiple of 32 and at most 512``."""
        if self.lang != "en" or not all(text.startswith("it must be ") for text in texts[1:]):
            return None
        if texts[0].count(" must be ") != 1 or ", where " in texts[0]:
            return None
        parts = [texts[0], *(text.removeprefix("it must be ") for text in texts[1:])]
        tails = [_RANGE.sub("", part.split(" must be ", 1)[-1]) for part in parts]
        listed = any(map(_LISTING.search, tails))
        if len(parts) == 2 and not listed:
            return f"{parts[0]} and {parts[1]}"
        if listed:  # beside "a, b or c" it must be clear where the next begins
            parts[1:] = [f"must be {part}" for part in parts[1:]]
        return f"{', '.join(parts[:-1])}, and {parts[-1]}"

    def _of_several(self, items: tuple[tree.Node, ...], word: Literal["and", "or"]) -> str | None:
        """``a.rank > 2 and b.rank > 2``: the rank of each of a and b must be greater than 2."""
        things, common = shapes.said_of(items)
        if common is None:
            return None
        names = self.listing([self.noun(thing) for thing in things], word)
        if self.mood and word == "and" and self.lang == "en" and shapes.is_denial(common):
            either = [self.noun(thing) for thing in things]
            none = f"neither {' nor '.join(either)}" if len(either) == 2 else f"none of {names}"
            return self.with_bound({**self.bound, shapes.ANY: none}).statement(shapes.denied(common))
        one = shapes.is_of_thing(common) or self.lang == "zh" or word == "or" or self._is_short_of(common)
        bound = {**self.bound, shapes.ANY: names if one else self.phrases["each of"].format(a=names)}
        text = self.with_bound(bound).statement(common)
        if text.startswith("every "):
            text = text.replace(" of each of ", " of ", 1)
        if self.mood and word == "and" and self.lang == "zh" and text.startswith(names):
            text = re.sub(r"^((?:的[^，为]+?)?)(不为|既不为)", r"\1均\2", text.removeprefix(names), count=1)
            return f"{names}{text}"
        plural = self.mood and word == "and" and one and self.lang == "en"
        return text.replace(" is ", " are ") if plural else text

    def _clause(self, node: tree.Node, text: str | None = None) -> str:
        """A statement beside others; of alternatives among them it is clear what belongs together."""
        text = self.statement(node) if text is None else text
        inner = self._meant(node)
        loose = isinstance(inner, tree.Logic) and inner.op == "or" and shapes.one_of(inner) is inner
        numbered = _ITEM in text  # which says for itself where the alternatives begin and end
        return self.phrases["either"].format(a=text) if loose and self.mood and not numbered else text

    def _after(self, said_before: str, before: tree.Node, node: tree.Node) -> str:
        """A statement behind another one, with a pronoun where both begin with the same name."""
        text = self._about(before, node)
        subject = shapes.subject(node)
        if self.lang == "en" and isinstance(subject, tree.Attr):
            name = self.noun(subject.base) + " "
            if text.startswith(name) and said_before.startswith((name, self.phrases["it"] + " ")):
                return f"{self.phrases['it']} {text[len(name) :]}"
        return text

    def _is_conditional(self, node: tree.Node) -> bool:
        """Whether its sentence begins with a condition."""
        if isinstance(node, tree.Logic) and self.mood == 0:
            if node.op == "or":
                return shapes.one_of(node) is node and patterns.as_implication(node) is not None
            return any(map(self._is_conditional, node.items))
        return shapes.is_conditional(node)

    def _meant(self, node: tree.Node) -> tree.Node:
        """What a condition with a name stands for, where its sentence says that."""
        if not isinstance(node, tree.Let):
            return node
        found = self.terms.trees.get(node.name)
        return node if found is None or shapes.count(found, _EXPANDED) > _EXPANDED else found

    def _meant_plainly(self, node: tree.Node) -> tree.Node:
        """What a condition with a name stands for, without what goes without saying."""
        inner = self._meant(node)
        if isinstance(inner, tree.Logic) and inner.op == "and":
            items = patterns.without_presence(inner.items)
            return items[0] if len(items) == 1 else inner
        return inner

    def _or(self, node: tree.Logic) -> str:
        node = tree.Logic("or", tuple(map(self._meant_plainly, node.items)), BOOL)
        choice = shapes.one_of(node)
        if isinstance(choice, tree.Compare):
            return self._pair("in", *choice.operands)
        more = shapes.more_on(node)
        if more is not None:
            return self.statement(more)
        also = None if self.mood else self._also_on(node)
        if also is not None:
            return also
        several = self._of_several(node.items, "or") if self.mood else None
        if several is not None:
            return several
        unless = patterns.as_implication(node) if self.mood == 0 else None
        if unless is not None:
            return self.if_then(*unless)
        if any(isinstance(self._meant(item), tree.Logic) or self._is_conditional(item) for item in node.items):
            return self._alternatives(node)
        return self._joined_by("or", node.items)

    def _also_on(self, node: tree.Logic) -> str | None:
        """``x is a, b, c or d; c is supported only on p; d is supported only on q``."""
        few, *rest = node.items
        found = shapes.choices(few)
        only = [shapes.choice_on(item) for item in rest]
        if found is None or found[0].type not in (DTYPE, FORMAT) or len(only) < 2:
            return None
        every, tails = list(found[1]), list[str]()
        for one in only:
            if one is None or one[1] != found[0]:
                return None
            new = [item for item in one[2] if item not in every]
            if new:
                every += new
                form = self.phrases["only on" if len(new) == 1 else "only on many"]
                where = self._named_products(one[0].ids, "and")
                tails.append(form.format(a=self.listing(list(map(self.noun, new)), "and"), p=where))
        listed = tree.Seq(tuple(every), (False,) * len(every), list_of(found[0].type))
        first = self.statement(tree.Compare(("in",), (found[0], listed), BOOL))
        return self._with_tails(first, tails)

    def _alternatives(self, node: tree.Logic) -> str:
        """Numbered, since "a, or b, and c" does not say what belongs together."""
        parts = [self.phrases["alternative"].format(n=n, a=self.stating(item)) for n, item in enumerate(node.items, 1)]
        return self.form("alternatives", items=self.phrases["also"].join(parts))

    def _negation(self, node: tree.Node) -> str:
        opposite = shapes.negated(node)
        if opposite is not None:
            return self.statement(opposite)
        match node:
            case tree.Call():
                return self._library(node, False)
            case tree.Let():
                return self._named(node, False)
            case tree.Param() | tree.Var() | tree.Attr() | tree.Index():
                return self.form("false", a=self.noun(node))
            case tree.Table():
                return self.form("no table", a=self._combination(node))
            case tree.Logic() | tree.If() | tree.Implies() | tree.Each(quantifier="all" | "any"):
                return self.statement(shapes.denied(node))
            case tree.Compare() if len(node.ops) > 1 and set(node.ops) == {"=="} and shapes.lifted(node) is None:
                return self._all_equal(node.operands, False)
            case tree.Compare() if len(node.ops) == 2:
                cases = shapes.lifted(node)
                return self._within(node, False) if cases is None else self.statement(shapes.denied(cases))
            case tree.Compare() if len(node.ops) == 1:
                return self.statement(tree.Compare((_OPPOSITE[node.ops[0]],), node.operands, BOOL))
            case tree.Given():
                return self._negation(node.operand)
        return self.form("negation", a=self.stating(node))

    # --- comparisons

    def _compare(self, node: tree.Compare) -> str:
        if patterns.is_choice(node):
            return self._plain(node)
        cases = shapes.lifted(node)
        if cases is not None:
            return self._branches(cases.condition, cases.then, cases.other)
        return self._plain(node)

    def _plain(self, node: tree.Compare) -> str:
        """A comparison whose parts hang on no condition."""
        if len(node.ops) == 2 and set(node.ops) <= {"<", "<="}:
            return self._within(node, True)
        if len(node.ops) > 1 and set(node.ops) == {"=="}:
            return self._all_equal(node.operands)
        pairs = zip(node.ops, node.operands, node.operands[1:], strict=False)
        texts = [self._pair(op, a, b) for op, a, b in pairs]
        text = texts[0]
        for other in texts[1:]:
            text = self.phrases["and"].format(a=text, b=other)
        return text

    def _all_equal(self, operands: tuple[tree.Node, ...], holds: bool = True) -> str:
        no = "" if holds else "not "
        if same_attribute(operands):
            what = self._what(operands[0])
            return self.form(f"{no}all same", all=self.listing(list(map(self.base, operands)), "and"), what=what)
        *things, last = operands
        of_one_kind = isinstance(last, tree.Seq) and same_attribute(tuple(things)) and len(things) > 1
        if of_one_kind and holds and not self.mood:
            names, what = self.listing(list(map(self.base, things)), "and"), self._what(things[0])
            subject = f"the {what}s of {names}" if self.lang == "en" else f"{names}的{what}"
            return self.form("is", a=subject, b=self.noun(last))
        return self.form(f"{no}all equal", all=self.listing(list(map(self.noun, operands)), "and"))

    def _what(self, node: tree.Node) -> str:
        name = node.name if isinstance(node, tree.Attr) else "length"
        return self.phrases.get(name, name)

    def _within(self, node: tree.Compare, holds: bool) -> str:
        low, middle, high = node.operands
        no = "" if holds else "not "
        if patterns.mirrored(node):
            bound = self._at_least_one(high)
            if self.mood and self.lang == "zh":  # the form has brackets of its own
                bound = bound.replace("（", "，").replace("）", "")
            return self.form(f"{no}mirrored", a=self.noun(middle), b=bound)
        if holds and node.ops == ("<=", "<=") and patterns.neighbours(node):
            return self.form("is", a=self.noun(middle), b=self.listing([self.noun(low), self.noun(high)], "or"))
        closed = patterns.closed(node)
        if closed is not None:
            return self.form(f"{no}within", a=self.noun(middle), interval=f"[{closed[0]}, {closed[1]}]")
        bounds = self.noun(low), self.noun(high)
        if holds and any(" " in bound for bound in bounds):
            key = f"between {node.ops[0]} {node.ops[1]}"
            return self.form(key, a=self.noun(middle), low=bounds[0], high=bounds[1])
        return self.form(f"{no}within", a=self.noun(middle), interval=_interval(node.ops[0], *bounds, node.ops[1]))

    def _at_least_one(self, node: tree.Node) -> str:
        """``max(x.rank, 1)``, and any other bound."""
        floor = node.args[1:] if isinstance(node, tree.Call) and node.function == "max" else ()
        if isinstance(node, tree.Call) and len(floor) == 1 and shapes.number(floor[0]) == 1:
            return self.phrases["at least one"].format(a=self.noun(node.args[0]))
        return self.noun(node)

    def _pair(self, op: str, a: tree.Node, b: tree.Node) -> str:
        on = tree.on_products(tree.Compare((op,), (a, b), BOOL))
        if on is not None:
            return self._on_product(on)
        if isinstance(a, tree.Const) and not isinstance(b, tree.Const) and op in _FLIPPED:
            op, a, b = _FLIPPED[op], b, a
        if isinstance(a, tree.IsNone) and isinstance(b, tree.IsNone) and op in ("==", "!="):
            both = (op == "==") == (a.negated == b.negated)
            return self.form("both null" if both else "one null", a=self.noun(a.operand), b=self.noun(b.operand))
        if a.type == BOOL and op in ("==", "!="):
            return self._boolean(op, a, b)
        if op in ("in", "not in"):
            return self._membership(op, a, b)
        if op in ("==", "!="):
            return self._equality(op == "==", a, b)
        filled = _FILLED.get((op, shapes.number(b)))
        if filled is not None and shapes.is_attribute(a, "numel"):
            return self.form(f"{filled}empty", a=self.noun(a.base))
        if filled is not None and isinstance(a, tree.Length):
            return self.form(f"{filled}empty {_KIND.get(a.operand.type, 'list')}", a=self.noun(a.operand))
        count = self._counted_tensors(op, a, b)
        return self.form(op, a=self.noun(a), b=self._that_of(a, b)) if count is None else count

    def _counted_tensors(self, op: str, a: tree.Node, b: tree.Node) -> str | None:
        """In a condition: x has one tensor, several, or at most one."""
        key = _TENSORS.get((op, shapes.number(b)))
        if key is None or not self.mood or self.fails or not isinstance(a, tree.Length):
            return None
        of_tensors = a.operand.type.name == "list" and a.operand.type.item == TENSOR
        return self.form(key, a=self.noun(a.operand)) if of_tensors else None

    def _on_product(self, on: tree.OnProducts) -> str:
        last = "or" if on.inside == bool(self.mood) or not on.inside else "and"
        if self.lang == "zh" and not on.inside and not self.mood:
            last = "and"
        text = self._products(on, last)
        if self.mood and self.lang == "en" and text.startswith("the "):
            text = f"one of {text}"
        return self.form("product" if on.inside else "no product", b=text)

    def _boolean(self, op: str, a: tree.Node, b: tree.Node) -> str:
        if isinstance(b, tree.Const):
            return self.statement(a) if (op == "==") == bool(b.value) else self._negation(a)
        together = self._together(op == "==", a, b)
        if together is not None:
            return together
        first = self.statement(a) if op == "==" and self.lang == "en" else self.stating(a)
        return self.form("both or neither" if op == "==" else "one alone", a=first, b=self.stating(b))

    def _together(self, alike: bool, a: tree.Node, b: tree.Node) -> str | None:
        """``(x.dtype == FLOAT) == (y.dtype == FLOAT)``: both or neither of x and y must be FLOAT."""
        if not isinstance(a, tree.Compare) or not isinstance(b, tree.Compare) or a.ops != b.ops or len(a.ops) != 1:
            return None
        (one, value), (other, same) = a.operands, b.operands
        if value != same or not isinstance(one, tree.Attr) or not isinstance(other, tree.Attr):
            return None
        if one.name != other.name:
            return None
        key = "both" if alike else "one of both"
        names = self.listing([self.noun(one.base), self.noun(other.base)], "and")
        if one.name == "numel" and (a.ops[0], shapes.number(value)) in (("==", 0), (">", 0)):
            return self.form(key, a=names, b=self.phrases["empty"])
        values = value.items if isinstance(value, tree.Seq) else (value,)
        if a.ops[0] not in ("==", "in") or not all(isinstance(item, tree.Const) for item in values):
            return None
        if one.name != "dtype":
            what = self._what(one)
            names = f"the {what}s of {names}" if self.lang == "en" else f"{names}的{what}"
        return self.form(key, a=names, b=self.listing(list(map(self.noun, values)), "or"))

    def _membership(self, op: str, a: tree.Node, b: tree.Node) -> str:
        holds = op == "in"
        if isinstance(b, tree.Seq) and not any(b.starred):
            return self._among(holds, a, b.items) if isinstance(a, tree.Const) else self._listed_values(holds, a, b)
        if isinstance(a, tree.Const):
            if a.value == 0 and shapes.is_attribute(b, "shape"):
                return self.form("empty" if holds else "not empty", a=self.noun(b.base))
            return self.form("contain" if holds else "not contain", a=self.noun(b), b=self.noun(a))
        return self.form(op, a=self.noun(a), b=self.noun(b))

    def _listed_values(self, holds: bool, a: tree.Node, b: tree.Seq) -> str:
        """Of values that are listed one, or none."""
        span = patterns.span(a, b)
        if span is not None:
            return self.form("within" if holds else "not within", a=self.noun(a), interval=f"[{span[0]}, {span[1]}]")
        names, where = self._lettered(b.items)
        subject = self._thing_of(a, b.items)
        if not where:
            names = [self._value_like(a, item) for item in b.items]
        if holds or len(names) < 2 or not self.mood:
            return self.form("is" if holds else "is not", a=subject, b=self.listing(names, "or")) + where
        if self.lang == "zh":
            key, last = ("neither", "也不为") if len(names) == 2 else ("none of", "或")
            return self.form(key, a=subject, b="、".join(names[:-1]) + last + names[-1]) + where
        if len(names) == 2:
            return self.form("neither", a=subject, b=f"{names[0]} nor {names[1]}") + where
        return self.form("none of", a=subject, b=self.listing(names, "and")) + where

    def _thing_of(self, a: tree.Node, values: tuple[tree.Node, ...]) -> str:
        """What is compared; in conditions a thing itself is of a data type and of a rank: "x is FLOAT", "x is 2D"."""
        return self.noun(a.base) if self._is_short(a, values) else self.noun(a)  # type: ignore[union-attr]

    def _is_short(self, a: tree.Node, values: tuple[tree.Node, ...]) -> bool:
        brief = bool(self.mood) and not self.fails and isinstance(a, tree.Attr) and a.name in ("dtype", "rank")
        return brief and all(isinstance(value, tree.Const) for value in values)

    def _is_short_of(self, node: tree.Node) -> bool:
        """Whether a condition says of a thing itself what it is."""
        if not isinstance(node, tree.Compare) or node.ops not in (("==",), ("in",)):
            return False
        value = node.operands[1]
        return self._is_short(node.operands[0], value.items if isinstance(value, tree.Seq) else (value,))

    def _value_like(self, a: tree.Node, b: tree.Node) -> str:
        """A value in a list; of a thing's rank in a condition "2D"."""
        if isinstance(b, tree.Const) and b.type == INT and self._is_short(a, (b,)):
            return self.phrases["dims"].format(n=b.value)
        return self._that_of(a, b)

    def _that_of(self, a: tree.Node, b: tree.Node) -> str:
        """A value; "that of" where it is the same attribute or dimension of another thing."""
        owner = shapes.like(a, b) if self.lang == "en" else None
        return self.noun(b) if owner is None else self.phrases["that of"].format(a=self.noun(owner))

    def _among(self, holds: bool, value: tree.Node, items: tuple[tree.Node, ...]) -> str:
        """Of several things one has this value, or none."""
        if same_attribute(items):
            name = self._what(items[0])
            if holds and self._is_short(items[0], (value,)):
                either = self.listing(list(map(self.base, items)), "or")
                return self.form("is", a=either, b=self._value_like(items[0], value))
            if holds and self.mood and self.lang == "en":
                either = self.listing(list(map(self.base, items)), "or")
                return self.form("is", a=f"the {name} of {either}", b=self.noun(value))
            if self._is_short(items[0], (value,)) and len(items) == 2 and self.lang == "en":
                either = " nor ".join(map(self.base, items))
                return self.form("is", a=f"neither {either}", b=self._value_like(items[0], value))
            whole = self.listing(list(map(self.base, items)), "and")
            subject = f"the {name}s of {whole}" if self.lang == "en" else f"{whole}的{name}"
        else:
            subject = self.listing(list(map(self.noun, items)), "and")
        return self.form("one is" if holds else "none is", a=subject, b=self.noun(value))

    def _equality(self, holds: bool, a: tree.Node, b: tree.Node) -> str:
        if isinstance(a, tree.Binary) and a.op == "%" and shapes.number(b) == 0:
            if shapes.number(a.right) == 2:
                return self.form("even" if holds else "odd", a=self.noun(a.left))
            key = "multiple" if isinstance(a.right, tree.Const) else "divides"
            return self.form(key if holds else _NOT[key], a=self.noun(a.left), b=self.noun(a.right))
        if self._is_last_axis(a, b) and isinstance(b, tree.Binary):
            thing, axis = self.base(b.left), self._axis(a)
            return self.form("last axis" if holds else "no last axis", a=axis or self.noun(a), b=thing)
        counted = self._counted_tensors("==", a, b) if holds else None
        if counted is not None:
            return counted
        if shapes.is_attribute(a, "numel") and shapes.number(b) == 0:
            return self.form("empty" if holds else "not empty", a=self.noun(a.base))
        if isinstance(a, tree.Length) and a.operand.type == STR and shapes.number(b) == 0:
            return self.form("empty text" if holds else "not empty text", a=self.noun(a.operand))
        if INTS in (a.type, b.type):
            shaped = self._shaped(holds, a, b)
            if shaped is not None:
                return shaped
        alike = isinstance(a, tree.Attr) and isinstance(b, tree.Attr) and a.name == b.name
        if alike or (isinstance(a, tree.Length) and isinstance(b, tree.Length)):
            first, second = (part.base if isinstance(part, tree.Attr) else part.operand for part in (a, b))  # type: ignore[union-attr]
            key = "same" if holds else "not same"
            return self.form(key, a=self.noun(first), b=self.noun(second), what=self._what(a))
        plain = isinstance(b, (tree.Const, tree.Seq, tree.If)) or b.type in (DTYPE, FORMAT)
        plain = plain or (isinstance(b, tree.Unary) and isinstance(b.operand, tree.Const))
        key = ("is" if holds else "is not") if plain else ("==" if holds else "!=")
        if b.type == INTS and any(is_list for _, is_list in shapes.pieces(b)) and len(shapes.pieces(b)) > 1:
            key = "consist" if holds else "not consist"
        names, where = self._lettered((b,))
        return self.form(key, a=self._thing_of(a, (b,)), b=names[0] if where else self._value_like(a, b)) + where

    def _is_last_axis(self, a: tree.Node, b: tree.Node) -> bool:
        """``axis(dim, x.rank) == x.rank - 1``."""
        while isinstance(a, tree.Let) and a.name in self.terms.trees:
            a = self.terms.trees[a.name]
        return (
            isinstance(a, tree.Call)
            and a.function == "axis"
            and isinstance(b, tree.Binary)
            and (b.op, b.left, shapes.number(b.right)) == ("-", a.args[1], 1)
            and shapes.is_attribute(b.left, "rank")
        )

    def _lettered(self, items: tuple[tree.Node, ...]) -> tuple[list[str], str]:
        """Shapes whose dims are letters, and what these are; nothing of the second where they need none."""
        listed = all(isinstance(item, tree.Seq) and item.type == INTS and not any(item.starred) for item in items)
        parts = [part for item in items for part in tree.walk(item)]
        if (
            (self.mood and not self.fails)
            or not listed
            or any(isinstance(part, (tree.If, tree.Each, tree.Slice)) for part in parts)
        ):
            return [], ""
        writer = Lettering(self)
        texts = list(map(writer.noun, items))
        if not writer.phrases_of or not writer.is_worth_it(items):
            return [], ""
        letters = writer.letters()
        for number, (letter, _) in enumerate(letters):
            texts = [text.replace(MARK.format(number), letter) for text in texts]
        told = [self.phrases["letter"].format(a=letter, b=words) for letter, words in letters]
        joined = self.listing(told, "and") if self.lang == "en" else self.phrases["between"].join(told)
        return texts, self.phrases["where"].format(a=joined)

    # --- shapes

    def _shaped(self, holds: bool, a: tree.Node, b: tree.Node) -> str | None:
        """What a tensor's shape is like; None where it is nothing that sentences have words for."""
        if isinstance(a, tree.Slice) and isinstance(b, tree.Slice):
            return self._agreeing(holds, a, b)
        whole = shapes.suffix(a, b) or shapes.suffix(b, a)
        if whole is not None:
            return self.form("suffix" if holds else "no suffix", a=self.noun(whole[0]), b=self.noun(whole[1]))
        if not shapes.is_attribute(a, "shape") or isinstance(b, tree.Attr):
            return None
        size = self._only_dim(b)
        if size is not None:
            return self.form("one dim sized" if holds else "not one dim sized", a=self.noun(a.base), k=size)
        words = self._like(b)
        if words is None:
            return None
        return self.form("shaped" if holds else "not shaped", a=self.noun(a.base), b=words)

    def _agreeing(self, holds: bool, a: tree.Slice, b: tree.Slice) -> str | None:
        """``x.shape[:-2] == y.shape[:-2]``: in which dims two shapes agree."""
        part = shapes.extent(a)
        if part is None or (a.low, a.high) != (b.low, b.high) or not same_attribute((a.base, b.base)):
            return None
        if not shapes.is_attribute(a.base, "shape"):
            return None
        text = self.pairs[f"{'agree' if holds else 'differ'} {part[0]}"][self.mood]
        if part[1] == 1:
            text = text.replace("{n} dimensions", "dimension").replace("last {n}", "last").replace("first {n}", "first")
            text = text.replace("前{n}维", "第0维")
        return text.format(a=self.base(a.base), b=self.base(b.base), n=self.counted(part[1]))

    def _like(self, node: tree.Node) -> str | None:
        """``the same shape as x except along dim, where the size is k``."""
        found = shapes.parts(node)
        if not found:
            return None
        bases = {id(part.base): part.base for part in found if part.base is not None}
        known = list(dict.fromkeys(bases.values()))
        if len(known) != 1:
            return None
        base = known[0]
        assert isinstance(base, tree.Attr)
        name = self.noun(base.base)
        dims = [part.dim for part in found if part.dim is not None]
        sizes = self._sizes(dims)
        slots = {"b": name, "k": sizes, "is": self.phrases["is is" if self.mood else "is must"]}
        match found:
            case [shapes.Part(low=None, high=None, base=tree.Attr()), *_] if len(found) == len(dims) + 1:
                return self.phrases["appended"].format(**slots) if dims else None
            case [*_, shapes.Part(low=None, high=None, base=tree.Attr())] if len(found) == len(dims) + 1:
                return self.phrases["prepended"].format(**slots)
            case [shapes.Part(low=None, high=high, base=tree.Attr()), *_] if len(found) == len(dims) + 1 and dims:
                return self._except_last(shapes.number(high), dims, slots)
            case [*_, shapes.Part(low=low, high=None, base=tree.Attr())] if len(found) == len(dims) + 1 and dims:
                return self._except_first(shapes.number(low), dims, slots)
            case [shapes.Part(low=None, high=at), shapes.Part(low=after, high=None)] if not dims:
                return self._without(at, after, slots)
            case [shapes.Part(low=None, high=at), *_, shapes.Part(low=after, high=None)] if len(found) == len(dims) + 2:
                return self._except_at(at, after, dims, slots)
            case [shapes.Part(low=low, high=high)]:
                extent = shapes.extent(tree.Slice(base, low, high, INTS))
                if extent is not None and extent[0].startswith("but_"):
                    return self.some(f"without {extent[0].removeprefix('but_')}", extent[1], b=name)
        return None

    def _sizes(self, dims: list[tree.Node]) -> str:
        if len(dims) == 1:
            return self.noun(dims[0])
        return f"[{', '.join(map(self.noun, dims))}]" if dims else ""

    def _only_dim(self, node: tree.Node) -> str | None:
        """The size of a single dim, where that is a phrase."""
        if isinstance(node, tree.Slice) and shapes.extent(node) == ("first", 1):
            return self.noun(tree.Index(node.base, tree.Const(0, INT), INT))
        if not isinstance(node, tree.Seq) or len(node.items) != 1 or node.starred[0]:
            return None
        size = self.noun(node.items[0])
        return size if (" " in size or "的" in size) else None

    def _except_last(self, high: int | None, dims: list[tree.Node], slots: dict[str, str]) -> str | None:
        if high is None or high != -len(dims):
            return None if high is None or high > 0 else self.some("led", -high, b=slots["b"], k=slots["k"])
        if len(dims) == 1:
            return self.phrases["except last"].format(**slots)
        return self.phrases["except lasts"].format(n=self.counted(len(dims)), **slots)

    def _except_first(self, low: int | None, dims: list[tree.Node], slots: dict[str, str]) -> str | None:
        if low is None or low != len(dims):
            return None
        if low == 1:
            return self.phrases["except dim"].format(n=0, **slots)
        return self._except_dims(0, low, slots)

    def _except_dims(self, low: int, high: int, slots: dict[str, str]) -> str:
        dims = f"dimensions {low} to {high - 1}" if self.lang == "en" else f"第{low}至第{high - 1}维"
        return self.phrases["except dims"].format(n=dims, **slots)

    def _except_at(
        self, at: tree.Node | None, after: tree.Node | None, dims: list[tree.Node], slots: dict[str, str]
    ) -> str | None:
        low, high = shapes.number(at), shapes.number(after)
        if low is not None and high is not None and high - low == len(dims) and (low < 0) == (high < 0):
            if len(dims) == 1 and low >= 0:
                return self.phrases["except dim"].format(n=low, **slots)
            return self._except_dims(low, high, slots) if low >= 0 else None
        axis = self._along(at)
        if axis is None or len(dims) != 1 or not shapes.follows(after, at):
            return None
        return self.phrases["except along"].format(n=axis, **slots)

    def _without(self, at: tree.Node | None, after: tree.Node | None, slots: dict[str, str]) -> str | None:
        if not shapes.follows(after, at):
            return None
        place = shapes.number(at)
        axis = self.phrases["axis named"].format(a=place) if place is not None else self._along(at)
        return None if axis is None else self.phrases["without"].format(n=axis, b=slots["b"])

    # --- elements

    def _each(self, node: tree.Each) -> str:
        apart = patterns.taken_apart(node)
        if apart is not None:
            return self.statement(apart)
        ways = (
            self._of_formats, self._in_order, self._of_values, self._alike_throughout, self._of_every_element,
            self._like_every_element, self._side_by_side,
        )  # fmt: skip
        for way in ways:
            said_so = way(node)
            if said_so is not None:
                return said_so
        if node.quantifier == "all" and isinstance(node.element, tree.Logic) and node.element.op == "and":
            parts = tuple(replace(node, element=item) for item in node.element.items)
            if all(any(way(part) is not None for way in ways) for part in parts):
                return self.statement(tree.Logic("and", parts, BOOL))
        names = self.phrases["comma"].join(node.variables)
        # One or the other: what writes a part twice at every level takes exponential time.
        if node.condition is None:
            inner = self.statement(node.element)
        elif node.quantifier == "all":
            inner = self.if_then(node.condition, node.element)
        else:
            inner = self.statement(tree.Logic("and", (node.condition, node.element), BOOL))
        key = "every" if node.quantifier == "all" else "some"
        if isinstance(node.source, tree.Range):
            return self._of_range(node.source, node.quantifier == "all", names, inner)
        return self.phrases[key].format(v=names, a=self.noun(node.source), b=inner)

    def _of_range(self, over: tree.Range, every: bool, names: str, inner: str) -> str:
        """Integers: the indices of a list, the axes of a tensor, or any."""
        high = over.high
        if over.low is None and isinstance(high, tree.Length):
            return self.phrases["index" if every else "some place"].format(v=names, a=self.noun(high.operand), b=inner)
        if over.low is None and shapes.is_attribute(high, "rank"):
            return self.phrases["axis" if every else "some axis"].format(v=names, a=self.noun(high.base), b=inner)
        low = "0" if over.low is None else self.noun(over.low)
        interval = _interval("<=", low, self.noun(high), "<")
        return self.phrases["integers" if every else "some integer"].format(v=names, a=interval, b=inner)

    def _of_formats(self, node: tree.Each) -> str | None:
        """What the data formats of all tensors of a list must be."""
        element, source = node.element, node.source
        if self.mood or node.quantifier != "all" or node.condition is not None or len(node.variables) != 1:
            return None
        if not isinstance(source, (tree.Param, tree.Let)):
            return None
        if isinstance(element, tree.Unary) and element.op == "not" and patterns.is_private(element.operand):
            name = self.noun(source)
            return (
                f"no tensor of {name} may have a private data format"
                if self.lang == "en"
                else f"{name}中每个Tensor的数据格式均不能为私有格式"
            )
        if not isinstance(element, tree.Implies):
            return None
        denied = isinstance(element.condition, tree.Unary) and element.condition.op == "not"
        asked = element.condition.operand if isinstance(element.condition, tree.Unary) else element.condition
        if not patterns.is_private(asked):
            return None
        bound = {**self.bound, node.variables[0]: self.each(source, "every" if denied else "a")}
        return self.with_bound(bound).statement(element)

    def _in_order(self, node: tree.Each) -> str | None:
        """``all(p <= q for p, q in zip(x[:-1], x[1:]))``: the elements of x must not decrease."""
        base = shapes.neighbours(node.source)
        if base is None or node.condition is not None or not isinstance(node.element, tree.Compare):
            return None
        element = node.element
        named = [part.name if isinstance(part, tree.Var) else None for part in element.operands]
        if len(element.ops) != 1 or sorted(map(str, named)) != sorted(node.variables) or node.quantifier != "all":
            return None
        op = element.ops[0] if named == list(node.variables) else _FLIPPED.get(element.ops[0], "")
        if op == "==":
            return self.form("all equal", all=self.elements(base))
        return self.form(_ORDER[op], a=self.elements(base)) if op in _ORDER else None

    def _of_values(self, node: tree.Each) -> str | None:
        """``any(x == s for s in (2, 4))``: x is one of these."""
        element = node.element
        if node.quantifier != "any" or not isinstance(node.source, tree.Seq) or node.condition is not None:
            return None
        if not isinstance(element, tree.Compare) or element.ops != ("==",) or any(node.source.starred):
            return None
        left, right = element.operands
        if isinstance(left, tree.Var) and left.name in node.variables:
            left, right = right, left
        if not isinstance(right, tree.Var) or right.name not in node.variables or right in tree.walk(left):
            return None
        return self._membership("in", left, node.source)

    def _of_every_element(self, node: tree.Each) -> str | None:
        """``every element of x must be …``, where the statement names its one variable once and denies nothing."""
        element = shapes.plain(node.element)
        named = [part for part in tree.walk(element) if isinstance(part, tree.Var) and part.name in node.variables]
        if node.condition is not None or len(node.variables) != 1 or len(named) != 1:
            return None
        kinds = (tree.Param, tree.Let, tree.Attr, tree.Seq, tree.Slice)
        one_of_several = isinstance(node.source, tree.Var) and node.source.name == shapes.ANY
        if not (one_of_several or isinstance(node.source, kinds)) or (
            shapes.denies(element) and node.quantifier == "all"
        ):
            return self._no_element(node)
        subject = shapes.subject(element)
        if subject is None or named[0] not in tree.walk(subject):
            return None
        key = "every" if node.quantifier == "all" else "some"
        bound = {**self.bound, node.variables[0]: self.each(node.source, key)}
        text = self.with_bound(bound).statement(element)
        if self.mood and node.quantifier == "all":
            text = text.replace("中每个Tensor为", "中每个Tensor均为")
        return text.replace("Tensor必须是连续的Tensor", "Tensor必须连续")

    def _alike_throughout(self, node: tree.Each) -> str | None:
        """``all(t.dtype == x[0].dtype for t in x)``: all tensors of x must have the same data type."""
        sides = patterns.compared_with(node)
        if sides is None or not isinstance(node.source, tree.Param):
            return None
        first = sides[1].base
        if not isinstance(first, tree.Index) or first.base != node.source or shapes.number(first.index) != 0:
            return None
        key = "same throughout" if node.quantifier == "all" else "not same throughout"
        return self.form(key, a=self.noun(node.source), what=self._what(sides[0]))

    def _like_every_element(self, node: tree.Each) -> str | None:
        """``all(y.dtype == t.dtype for t in x)``: y must have the same data type as every tensor of x."""
        sides = patterns.compared_with(node)
        if sides is None or not isinstance(node.source, tree.Param):
            return None
        each = self.each(node.source, "every" if node.quantifier == "all" else "some")
        same = "same" if node.quantifier == "all" else "not same"
        return self.form(same, a=self.noun(sides[1].base), b=each, what=self._what(sides[0]))

    def _no_element(self, node: tree.Each) -> str | None:
        """``no element of x may be null``."""
        element = node.element
        if self.mood or node.quantifier != "all" or not isinstance(node.source, (tree.Param, tree.Let)):
            return None
        name = self.noun(node.source)
        if isinstance(element, tree.IsNone) and element.negated and isinstance(element.operand, tree.Var):
            return f"no tensor of {name} may be null" if self.lang == "en" else f"{name}中的Tensor不能为空指针"
        empty = isinstance(element, tree.Compare) and element.ops == ("not in",) and element.operands[0] == _ZERO
        if empty and isinstance(element, tree.Compare) and shapes.is_attribute(element.operands[1], "shape"):
            return f"no tensor of {name} may be empty" if self.lang == "en" else f"{name}中的Tensor不能为空Tensor"
        return None

    def _side_by_side(self, node: tree.Each) -> str | None:
        """Elements of lists that are read together: ``for every i, x[i] must …``."""
        if not isinstance(node.source, tree.Zip) or node.condition is not None:
            return None
        taken = {part.name for part in tree.walk(node) if isinstance(part, (tree.Param, tree.Let, tree.Var))}
        index = next(name for name in ("i", "j", "k", "index") if name not in taken - set(node.variables))
        places = [patterns.placed(part, index) for part in node.source.items]
        if None in places or len(node.variables) != len(places):
            return None
        bound = {
            variable: self.element(self.noun(place[0]), place[1])
            for variable, place in zip(node.variables, places, strict=True)
            if place is not None
        }
        inner = self.with_bound({**self.bound, **bound}).statement(node.element)
        return self.phrases["every index" if node.quantifier == "all" else "some index"].format(v=index, b=inner)

    # --- the library

    def _library(self, node: tree.Call, holds: bool) -> str:
        row = FUNCTIONS[node.function]
        dims = self._broadcast_dims(node, holds) if node.function == "broadcastable" else None
        if dims is not None:
            return dims
        if node.function == "distinct" and patterns.are_axes(node.args[0]):
            listed = node.args[0]
            assert isinstance(listed, tree.Each)
            return self.form("no axis twice" if holds else "an axis twice", a=self.noun(listed.source))
        form = (row.en if self.lang == "en" else row.zh) if holds else (row.not_en if self.lang == "en" else row.not_zh)
        form = said(form, self.mood)
        if self.mood:
            for must, states in MUST[self.lang]:
                if must in form:
                    form = form.replace(must, states)
                    break
        several = _SEVERAL.match(form) is not None
        text = self.filled(form, node.args, node.function)
        return text.replace(" is ", " are ", 1) if self.mood and (several or _PLURAL.match(text)) else text

    def _broadcast_dims(self, node: tree.Call, holds: bool) -> str | None:
        """``broadcastable(x.shape[:-2], y.shape[:-2])``: x and y must be broadcastable in all dimensions but …"""
        a, b = node.args
        if not isinstance(a, tree.Slice) or not isinstance(b, tree.Slice) or (a.low, a.high) != (b.low, b.high):
            return None
        part = shapes.extent(a)
        if part is None or not shapes.is_attribute(a.base, "shape") or not shapes.is_attribute(b.base, "shape"):
            return None
        names = self.listing([self.noun(a.base.base), self.noun(b.base.base)], "and")
        rest = self.some(f"rest {part[0]}", part[1])
        return self.form("broadcast dims" if holds else "no broadcast dims", a=names, n=rest)


MARK = "\1{}\2"
_FORMULAS = frozenset({"ceil_div", "floor", "min", "max", "align_up"})
_POOL = "NMPQRSTUVWXYZDEFGH"
_NAMED = {
    "en": pattern(
        r"(the .+?)(?<! along)(?<! of)(?<! in)(?<! per)(?<! for)(?<! by)(?<! and) "
        r"([A-Z][A-Za-z0-9]{0,3})((?: (?:of |\().+)?)"
    ),
    "zh": pattern(r"(.*[\u4e00-\u9fff])([A-Z][A-Za-z0-9]{0,2})((?:（.+）)?)"),
}


class Lettering(Statements):
    """Writes a shape with letters in place of phrases."""

    def __init__(self, plain: Statements) -> None:
        super().__init__(plain.lang, plain.mood, plain.terms, plain.bound, plain.depth, plain.doubts)
        self.plain = plain
        self.phrases_of: list[str] = []

    def noun(self, node: tree.Node) -> str:
        """A value; a phrase by a mark, for which its letter is put."""
        own = isinstance(node, (tree.Attr, tree.Index, tree.Length)) or (
            isinstance(node, tree.Call) and node.function not in _FORMULAS
        )
        if isinstance(node, tree.Let):
            stands_for = self.stands_for(node) if self.terms.phrase(node.name, self.lang) is None else None
            if stands_for is not None:
                return super().noun(node)
            own = True
        text = self.plain.noun(node) if own else super().noun(node)
        if not own or (text.isascii() and " " not in text):
            return text
        if text not in self.phrases_of:
            self.phrases_of.append(text)
        return MARK.format(self.phrases_of.index(text))

    def is_worth_it(self, items: tuple[tree.Node, ...]) -> bool:
        """Whether phrases have an article, brackets of their own or stand in a formula; others may stand in a list."""
        if self.lang == "en" and any(text.startswith("the ") for text in self.phrases_of):
            return True
        if self.lang == "zh" and any("（" in text for text in self.phrases_of):
            return True
        if self.lang == "zh" and len(items) > 1 and len(self.phrases_of) > 1:
            return True
        return any(
            isinstance(part, (tree.Binary, tree.Call)) for item in items if isinstance(item, tree.Seq)
            for part in item.items
        )  # fmt: skip

    def letters(self) -> list[tuple[str, str]]:
        """The letter of each phrase, by which its own words call it where they do, and what it is."""
        found: list[tuple[str, str]] = []
        named = [_NAMED[self.lang].fullmatch(text) for text in self.phrases_of]
        own = [match[2] if match is not None else "" for match in named]
        taken = {*own, *self.terms.trees}
        pool = (letter for letter in _POOL if letter not in taken)
        for number, (text, match) in enumerate(zip(self.phrases_of, named, strict=True)):
            if match is not None and match[2] not in own[:number]:
                found.append((match[2], match[1] + match[3]))
            else:
                found.append((next(pool), text))
        return found


_PLURAL = pattern(
    r"the (first|last) \S+ dimensions|all (dimensions|elements)|(the )?dimensions |some of the"
    r"|the ((?!of |number )[a-z-]+ ){0,2}"
    r"(values|strides|elements|sizes|lengths|axes|counts|heads|types|formats|ranks) of"
)
_SEVERAL = pattern(r"\{\w+\} and \{\w+\} is ")  # a form that is said of two things
_VERBS = (("{a} is ", "{a} are "), ("{a} equals", "{a} equal"), ("{a} does ", "{a} do "), ("{a} has ", "{a} have "),
          ("{a} contains ", "{a} contain "))  # fmt: skip

#: comparisons of a number of elements that say whether there are any
_FILLED: dict[tuple[str, int | None], str] = {(">", 0): "not ", (">=", 1): "not ", ("<=", 0): "", ("<", 1): ""}

_RANGE = pattern(r"[\[(][^\])]*[\])]")
_LISTING = pattern(r", | or | and |或|且")  # beside which another "or" is lost
#: what a statement that begins with a condition begins with
_CONDITIONS = ("if ", "on ", "for ", "当", "在", "对")
_KIND = {STR: "text"}
#: comparisons of the length of a list of tensors that have words of their own
_TENSORS: dict[tuple[str, int | None], str] = {("==", 1): "one tensor", (">", 1): "tensors", ("<=", 1): "not tensors"}
_WHERE = pattern(r", where [^;]*$|，其中[^；]*$")
_ZERO = tree.Const(0, INT)
_RANGED = "的取值范围"  # behind a subject that is left out no 的 is left
_NAME = 12  # characters of a subject that is not said twice in a sentence
_ITEM = "(2) "  # of a condition that lists alternatives

#: what may stand where the subject is left out: 必须, 不能, 大于, 小于, 等于, 为
_AFTER_A_SUBJECT = frozenset(" 必不大小等为")
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<", "in": "not in", "not in": "in"}


def _told_once(before: str, text: str) -> str:
    """A statement without what its letters are, where the one before has said so."""
    found = _WHERE.search(text)
    return text[: found.start()] if found is not None and found[0] in before else text


def _interval(low_op: str, low: str, high: str, high_op: str) -> str:
    return f"{'[' if low_op == '<=' else '('}{low}, {high}{']' if high_op == '<=' else ')'}"
