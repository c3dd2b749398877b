"""Formulas of HTML pages: LaTeX to MathML, which browsers set without any script.

LaTeX comes from spec files, which are untrusted: what the converter yields is parsed, and used only if it is MathML and
nothing else.
"""

from __future__ import annotations

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

        text = convert(_without_angles(latex), display="block")
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
