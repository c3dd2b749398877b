"""The letters of formulas, and those of them that nothing on a page explains.

A word of three letters and more says what it stands for; a letter does not. Letters are explained by the table of
params, by the glossary, by any text of the page, by the formula itself where it computes them, and by its legend.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Iterator

from opspec.docs import glossary
from opspec.model.definition import Definition
from opspec.model.spec import Formula
from opspec.model.values import Bilingual

_GREEK = {
    "alpha", "beta", "gamma", "delta", "epsilon", "varepsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda",
    "mu", "nu", "xi", "rho", "sigma", "tau", "phi", "varphi", "chi", "psi", "omega", "Gamma", "Delta", "Theta",
    "Lambda", "Phi", "Psi", "Omega",
}  # fmt: skip
#: words that are no longer than names
_WORDS = frozenset({"if", "is", "to", "or", "of", "in", "at", "as", "by", "on", "no", "ln", "lg", "np", "tr", "else"})
#: what mathematics calls so everywhere
_STANDARD = frozenset({"e", "d", "dx", "dt", r"\epsilon", r"\varepsilon"})
_STANDARD_BEFORE = {r"\sigma": "(", r"\Phi": "(", r"\Gamma": "(", r"\phi": "(", r"\psi": "(", r"\zeta": "("}
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[A-Za-z][A-Za-z0-9]*|\d+(?:\.\d+)?(?:e-?\d+)?|[^\s]")
_NAMED = re.compile(r"\\(?:text|mathrm|mathit|mathbf|mathcal|boldsymbol|bf|rm|texttt|operatorname\*?)(?![A-Za-z])")
_EQUALS = ("=", ":", r"\leftarrow", r"\gets", r"\coloneqq")
_LONGEST = 2  # letters of a name that says nothing


def letters(latex: str) -> Iterator[tuple[str, bool]]:
    """The letters of a formula outside of subscripts, each with whether the formula says there what it is."""
    tokens = _tokens(latex)
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token == "_":
            i = _behind_group(tokens, i + 1)
            continue
        if token == "[" and i and _is_name(tokens[i - 1]):
            i = _behind_brackets(tokens, i)
            continue
        after = _behind_scripts(tokens, i + 1)
        if _is_letter(token) and not _is_standard(token, tokens, i, after):
            yield token, _is_computed(tokens, after) or _is_counted(tokens, i, after)
        i += 1


def indices(latex: str) -> frozenset[str]:
    """The letters of subscripts: they count something."""
    tokens = _tokens(latex)
    found: set[str] = set()
    for i, token in enumerate(tokens):
        if token == "_":
            found.update(part for part in tokens[i + 1 : _behind_group(tokens, i + 1)] if _is_letter(part))
        elif token == "[" and i and _is_name(tokens[i - 1]):
            found.update(part for part in tokens[i : _behind_brackets(tokens, i)] if _is_letter(part))
    return frozenset(found)


def arrays(latex: str) -> frozenset[str]:
    """The letters that have indices in brackets: no dims."""
    tokens = _tokens(latex)
    return frozenset(token for token, after in itertools.pairwise(tokens) if after == "[" and _is_letter(token))


def unexplained(definition: Definition) -> tuple[str, ...]:
    """The letters of an operator's formulas that a reader of its page cannot know, in their order."""
    formulas = definition.spec.formula
    if not formulas:
        return ()
    counted = frozenset[str]().union(*(indices(item.latex) for item in formulas))
    found = [pair for item in formulas for pair in letters(item.latex)]
    known = {name for name, is_said in found if is_said} | {name for name in counted if name.islower()}
    known |= {name for item in formulas for name in legend_letters(item)}
    known |= _dims().difference(*(arrays(item.latex) for item in formulas))
    text = "\n".join(_texts(definition))
    open_ = dict.fromkeys(name for name, _ in found if name not in known and not _is_param(name, definition))
    return tuple(name for name in open_ if not _is_in(name, text))


def legend_letters(formula: Formula) -> Iterator[str]:
    """The letters that the legend of a formula explains."""
    for symbol in formula.where:
        yield from (token for token in _tokens(symbol) if _is_letter(token))


@functools.cache
def _dims() -> frozenset[str]:
    return frozenset(symbol for term in glossary.data().terms for symbol in term.dims)


def _tokens(latex: str) -> list[str]:
    """The tokens of LaTeX; two capitals are a product."""
    found = _TOKEN.findall(_without_texts(latex))
    return list(
        itertools.chain.from_iterable(token if re.fullmatch("[A-Z]{2}", token) else (token,) for token in found)
    )


def _without_texts(latex: str) -> str:
    """LaTeX without words of a sentence; a name alone stays."""
    latex = re.sub(r"\^\s*\{\s*[A-Za-z]{2,}\s*\}|\\mathbb\s*\{[^{}]*\}", " ", latex)  # labels, sets of numbers
    latex = re.sub(r"\\(?:begin|end)\s*\{[^{}]*\}(?:\s*\{[lcr|\s]*\})?", " ", latex)
    return re.sub(
        _NAMED.pattern + r"\s*\{([^{}]*)\}",
        lambda found: f" {found[1].replace(chr(92) + '_', 'xx')} " if re.fullmatch(r"\s*[\w\\]+\s*", found[1]) else " ",
        latex,
    ).replace(r"\_", "xx")


def _is_letter(token: str) -> bool:
    if token.startswith("\\"):
        return token[1:] in _GREEK
    return (
        token[0].isalpha()
        and token.isascii()
        and token not in _WORDS
        and sum(char.isalpha() for char in token) <= _LONGEST
    )


def _is_name(token: str) -> bool:
    """Whether brackets behind a token hold its indices."""
    return token[0].isalpha() or token in ("}", "]")


def _is_standard(token: str, tokens: list[str], i: int, after: int) -> bool:
    following = tokens[after] if after < len(tokens) else ""
    if following == r"\left":
        following = tokens[after + 1] if after + 1 < len(tokens) else ""
    if token == "T" and "^" in tokens[max(i - 2, 0) : i]:  # transposed
        return True
    if i and tokens[i - 1] == r"\partial" and token == "L":  # the loss that gradients are of
        return True
    if f"d{token}" in tokens or ("d", token) in itertools.pairwise(tokens):  # what an integral runs over
        return True
    if following in ("(", "[") and token == "E":  # the expectation
        return True
    if following == "(" and (token in _STANDARD_BEFORE or token in ("f", "g", "U")):
        return True
    return token in _STANDARD


def _is_computed(tokens: list[str], after: int) -> bool:
    """Whether the letter stands before an equals sign, alone or in a list: ``(a, b) = …``."""
    while after < len(tokens):
        if tokens[after] in ("&", ",", ")", r"\right", r"\,") or (
            tokens[after - 1] == "," and (tokens[after][0].isalpha() or _is_letter(tokens[after]))
        ):
            after = _behind_scripts(tokens, after + 1)
        elif tokens[after] in ("[", "("):
            after = _behind_brackets(tokens, after)
        else:
            break
    return after < len(tokens) and tokens[after] in _EQUALS


def _is_counted(tokens: list[str], i: int, after: int) -> bool:
    """Whether it runs over what is said behind it: ``i \\in [0, N)``, ``u \\sim Uniform(0, 1)``."""
    limits = ("<", r"\leq", r"\le", r"\lt")
    bounded = i > 0 and tokens[i - 1] in (*limits, "=") and after < len(tokens) and tokens[after] in limits
    return bounded or (after < len(tokens) and tokens[after] in (r"\in", r"\sim"))


def _behind_group(tokens: list[str], i: int) -> int:
    """The index behind a group in braces or a token alone."""
    if i >= len(tokens) or tokens[i] != "{":
        return i + 1
    depth = 0
    for j in range(i, len(tokens)):
        depth += (tokens[j] == "{") - (tokens[j] == "}")
        if depth == 0:
            return j + 1
    return len(tokens)


def _behind_brackets(tokens: list[str], i: int) -> int:
    """The index behind brackets; right behind the first where they do not end."""
    depth = 0
    for j in range(i, len(tokens)):
        depth += (tokens[j] in ("[", "(")) - (tokens[j] in ("]", ")"))
        if depth == 0:
            return j + 1
    return i + 1


def _behind_scripts(tokens: list[str], i: int) -> int:
    """The index behind subscripts, superscripts, primes and closing braces."""
    while i < len(tokens):
        if tokens[i] in ("_", "^"):
            i = _behind_group(tokens, i + 1)
        elif tokens[i] in ("'", "}"):
            i += 1
        else:
            break
    return i


def _is_param(name: str, definition: Definition) -> bool:
    plain = name.removeprefix("\\").removeprefix("var").lower()
    for param in definition.params:
        own = re.sub(r"(Optional|Ref|Out)$", "", param.name).lower()
        if plain == own or (plain in ("epsilon", "eps") and own.startswith("eps")):
            return True
    return False


def _is_in(name: str, text: str) -> bool:
    if name.startswith("\\"):
        return re.search(rf"(?<![A-Za-z]){name[1:].removeprefix('var')}(?![A-Za-z])", text, re.I) is not None
    return re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", text, re.A) is not None


def _texts(definition: Definition) -> Iterator[str]:
    """What a page says in Chinese, where a letter that stands alone is always a symbol, and its shapes."""
    spec = definition.spec
    texts: list[Bilingual | None] = [spec.summary, *(item.title for item in spec.formula), *spec.remarks]
    for param in spec.params:
        texts.append(param.about)
        if isinstance(param.enum, dict):
            texts += param.enum.values()
        yield from _shapes(param.shape)
    yield from (text.text("zh") for text in texts if text is not None)
    yield from (words[1] for words in definition.let_words.values())


def _shapes(value: object) -> Iterable[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [text for item in value for text in _shapes(getattr(item, "is_", item))]
    return []
