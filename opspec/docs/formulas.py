"""Formulas of HTML pages: LaTeX to MathML, which browsers set without any script.

LaTeX comes from spec files, which are untrusted: what the converter yields is parsed, and used only if it is MathML and
nothing else.
"""

from __future__ import annotations

import re
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
    depth = 0
    for mark in _MARKS.findall(latex):
        if mark == "\\\\" and depth == 0:
            return f"\\begin{{aligned}} {latex.strip()} \\end{{aligned}}"
        depth += (mark == "{" or mark.startswith("\\begin")) - (mark == "}" or mark.startswith("\\end"))
    return latex


def mathml(latex: str) -> Any:
    """Markup of a formula; its LaTeX as code where it cannot be set.

    >>> str(mathml("x^2"))[:5]
    '<math'
    """
    from markupsafe import Markup

    found = _converted(latex)
    return Markup('<code class="math">{}</code>').format(latex) if found is None else Markup(found)


def _converted(latex: str) -> str | None:
    if len(latex) > _LONGEST or latex.count("{") > 500:
        return None
    try:
        from latex2mathml.converter import convert

        text = convert(_LINES.sub(r"\\\1{split}", _without_angles(in_lines(latex))), display="block")
        root = ElementTree.fromstring(text)
    except Exception:  # the converter raises what it likes at LaTeX that is none
        return None
    return text if all(_is_mathml(element) for element in root.iter()) else None


def _without_angles(latex: str) -> str:
    """Angles as commands: the converter copies the texts of ``\\text`` as they stand."""
    return latex.replace("<", r"\lt ").replace(">", r"\gt ")


def _is_mathml(element: ElementTree.Element) -> bool:
    known = element.tag.removeprefix(_NAMESPACE) in _ELEMENTS
    return known and _ATTRIBUTES.issuperset(element.attrib)
