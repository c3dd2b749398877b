"""Formulas of HTML pages: LaTeX to MathML, which browsers set without any script.

LaTeX comes from spec files, which are untrusted: what the converter yields is parsed, and used only if it is MathML and
nothing else.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree

_NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
_ELEMENTS = frozenset({
    "math", "mrow", "mi", "mo", "mn", "mtext", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover",
    "munderover", "mtable", "mtr", "mtd", "mspace", "mstyle", "mfenced", "menclose", "mpadded", "mphantom", "merror",
    "mmultiscripts", "mprescripts", "none",
})  # fmt: skip
_ATTRIBUTES = frozenset({
    "display", "stretchy", "fence", "form", "separator", "mathvariant", "displaystyle", "scriptlevel", "columnalign",
    "columnspacing", "columnlines", "rowspacing", "rowlines", "linethickness", "accent", "accentunder", "width",
    "height", "depth", "lspace", "rspace", "movablelimits", "minsize", "maxsize", "notation", "largeop", "symmetric",
    "voffset", "linebreak",
})  # fmt: skip
_LONGEST = 5_000  # characters; the longest formula of the pages has some hundreds


_MARKS = re.compile(r"\\\\|\\[{}]|\\begin\s*\{[^{}]*\}|\\end\s*\{[^{}]*\}|[{}]")
#: environments of lines that the converter does not know -> one that it does
_LINES = re.compile(r"\\(begin|end)\s*\{(?:aligned|gathered|eqnarray\*?)\}")


def in_lines(latex: str) -> str:
    r"""A formula whose lines break outside of any environment, in one: there, neither browsers nor KaTeX break them.

    >>> print(in_lines(r"a = b \\ c = d"))
    \begin{aligned} a = b \\ c = d \end{aligned}
    >>> print(in_lines(r"x = \begin{cases} 0 \\ 1 \end{cases}"))
    x = \begin{cases} 0 \\ 1 \end{cases}
    """
    latex = _LAST_BREAK.sub("", latex)
    depth = 0
    for mark in _MARKS.findall(latex):
        if mark == "\\\\" and depth == 0:
            return f"\\begin{{aligned}} {latex.strip()} \\end{{aligned}}"
        depth += (mark == "{" or mark.startswith("\\begin")) - (mark == "}" or mark.startswith("\\end"))
    return latex


def mathml(latex: str, inline: bool = False) -> Any:
    """Markup of a formula, by itself or in a line of text; its LaTeX as code where it cannot be set.

    >>> str(mathml("x^2"))[:5]
    '<math'
    """
    from markupsafe import Markup

    found = _converted(latex, "inline" if inline else "block")
    return Markup('<code class="math">{}</code>').format(latex) if found is None else Markup(found)


@lru_cache(maxsize=1024)  # the same in both languages and most releases
def _converted(latex: str, display: str) -> str | None:
    if len(latex) > _LONGEST or latex.count("{") > 500:
        return None
    try:
        from latex2mathml.converter import convert

        text = convert(_prepared(latex), display=display)
        root = ElementTree.fromstring(text)
    except Exception:  # the converter raises what it likes at LaTeX that is none
        return None
    return text if all(_is_mathml(element) for element in root.iter()) else None


_ARG = re.compile(r"\\arg\s*\\(min|max)(?![A-Za-z])")  # two commands that the converter takes for one it does not know
_TEXT = re.compile(r"\\text(?:bf|it|rm|tt)?\s*\{[^{}]*\}")
_LAST_BREAK = re.compile(r"(?:\\\\\s*)+(?=$|\\end\s*\{)")
_LAST_CELL = re.compile(r"&\s*(?=\\\\|\\end\s*\{)")  # an empty cell at the end of a row, with which the converter ends
_OPENING_BRACKET = re.compile(r"(\\begin\s*\{split\}|\\\\)(\s*)\[")  # no argument of what stands before it


def _prepared(latex: str) -> str:
    """LaTeX as the converter reads it right."""
    latex = _ARG.sub(r"\\operatorname{arg\1}", latex)
    lines = _LAST_CELL.sub("", _LAST_BREAK.sub("", in_lines(latex)))
    known = _OPENING_BRACKET.sub(r"\1\2{}[", _LINES.sub(r"\\\1{split}", lines))
    parts: list[str] = []
    last = 0
    for found in _TEXT.finditer(known):
        parts += [_without_angles(known[last : found.start()]), _plain(found[0])]
        last = found.end()
    return "".join((*parts, _without_angles(known[last:])))


def _without_angles(latex: str) -> str:
    """Angles as commands: the converter copies them as they stand."""
    return latex.replace("<", r"\lt ").replace(">", r"\gt ")


def _plain(text: str) -> str:
    """``\\text{…}`` whose inside is copied as it stands: without commands, as markup."""
    command, _, inside = text.partition("{")
    words = re.sub(r"\\(?:([A-Za-z]+) ?|(.))", lambda found: found[1] or found[2], inside[:-1])
    escaped = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"{command}{{{escaped}}}"


def _is_mathml(element: ElementTree.Element) -> bool:
    known = element.tag.removeprefix(_NAMESPACE) in _ELEMENTS
    return known and _ATTRIBUTES.issuperset(element.attrib)
