"""Checks of what sentences say: no code in them, and no name that nothing explains.

A sentence that is made of a rule's tree says by itself what of the tree has no words; an author's own words are read
for what does not belong into them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from opspec.docs import glossary
from opspec.docs.requirements import unstated
from opspec.docs.saying import Sayings
from opspec.language import prose
from opspec.language.text import spelled
from opspec.model.definition import Definition, RuleDef
from opspec.vocabulary.literals import Lang
from opspec.workshop.lint.subject import Fault, Found, Subject, of_each

LANGS: tuple[Lang, ...] = ("en", "zh")
#: code in a sentence -> how a message calls it
_CODE = {
    r"\bzip\(": "zip(", r"\[[^\[\]]*\bfor\b[^\[\]]*\]": "a comprehension", r"\bif\b[^,;；，]*\belse\b": "if … else",
    r"\[[^\[\]\s]*:[^\[\]]*\]": "a slice", r"//": "//", r"==|!=": "==", r"\b(None|True|False)\b": "a literal of Python",
    r"\w\.(shape|dtype|rank|format|numel|values)\b": "an attribute", r"\blambda\b": "lambda",
    r"(?<![A-Za-z0-9])(310[bp]|910b|950dt)(?![A-Za-z0-9])": "a product's tag",
    r"(?:the product is(?: not)?|产品不?为) ?(?:950|910|A3)": "a product's tag",
}  # fmt: skip
_IN_CODE = re.compile(r"`([^`]*)`")
_LETTER = re.compile(r"(?<![\w.'\[-])[B-HJ-Zb-z](?![\w'.\]-])")
#: words that explain the letter in front of or behind them
_EXPLAINED = (
    r"where {0} is\b", r"\b(?:every|at least one|axis|integer|index|tensor|dimensions?|size|width|length) {0}\b",
    r"\b{0} being\b", r"\b(?:with|and|,) {0} [a-z]+s\b",
    r"{0}为", r"，{0}在", r"(?:每个|整数|下标|中的|维|大小|长度|个数|数){0}",
)  # fmt: skip


@of_each
def sentences(subject: Subject, definition: Definition) -> Found:
    """A reader of a page or a message finds words and names of the page in it, nothing of the language of specs."""
    for rule in definition.rules:
        for lang in LANGS:
            found = list(dict.fromkeys(doubts(definition, rule, lang)))
            if found:
                message = f"the sentence of {rule.id!r} needs words ({lang}): {'; '.join(found)}"
                yield Fault(rule.path, rule.id, message, definition.name)
                break
    for name, texts in definition.let_words.items():
        found = [f for text in texts for f in in_words(text, definition)]
        if found:
            yield Fault(("let", name), name, f"the words of {name!r}: {'; '.join(found)}", definition.name)


@of_each
def failures(subject: Subject, definition: Definition) -> Found:
    """Whoever gets a status reads what a call did that got it, not what another call would have done.

    An operator of one's own needs no words for that.
    """
    if definition.spec.document is None:
        return
    for name in dict.fromkeys(name for lang in LANGS for name in unstated(Sayings(definition, lang))):
        rule = definition.rule(name)
        assert rule is not None
        message = f"return codes say of {name!r} only that it is violated: write `fails` beside `say`"
        yield Fault(rule.path, name, message, definition.name)


def doubts(definition: Definition, rule: RuleDef, lang: Lang) -> Iterator[str]:
    """What of a rule's sentence is no words: code, and names of derived values that have none."""
    if rule.fails is not None:
        yield from in_words(rule.fails[lang == "zh"], definition)
    if rule.say is not None:
        yield from in_words(rule.say[lang == "zh"], definition)
        return
    if rule.is_lookup or rule.kind == "rank-limit":  # each has a sentence of its own
        return
    terms = definition.terms
    if not rule.alternatives:
        yield from prose.doubts(rule.when, rule.check, lang, terms)
        return
    for item in rule.alternatives:
        for check in item.checks:
            yield from prose.doubts(item.when, check, lang, terms)


def in_words(text: str, definition: Definition) -> Iterator[str]:
    """What does not belong into an author's words."""
    known = {param.name for param in definition.params} | definition.lets.keys()
    known |= {spelled(param.name) for param in definition.params}
    for quoted in _IN_CODE.findall(text):
        name = re.match(r"\w*", quoted)
        if name is None or name[0] not in known:
            yield f"`{quoted}` names no param and no derived value"
    plain = _IN_CODE.sub(" ", text)
    shown = text.replace("`", "")
    for pattern, name_of in _CODE.items():
        if re.search(pattern, shown if name_of != "an attribute" else plain):
            yield f"{name_of} in {text!r}"
    known |= _explained(definition)
    for letter in dict.fromkeys(_LETTER.findall(plain)):
        bound = letter in definition.dims or letter in known
        if not bound and not any(re.search(words.format(letter), shown) for words in _EXPLAINED):
            yield f"{letter} in {text!r} is nothing that the page explains"


def _explained(definition: Definition) -> set[str]:
    """The letters of the glossary, and those that words for params and derived values bring in: ``the last dim P``."""
    texts = [text for words in definition.let_words.values() for text in words]
    texts += [param.about.text("en") for param in definition.spec.params if param.about is not None]
    said = {letter for text in texts for letter in _LETTER.findall(_IN_CODE.sub(" ", text))}
    return said.union(*(term.dims for term in glossary.data().terms))
