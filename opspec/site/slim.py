"""Pages of operators without what scripts of the site put back, or browsers know without being told.

A site has ten thousand pages: what each says again and again is most of it.
"""

from __future__ import annotations

import functools
import re
from html import unescape

#: the link of a statement to its rule says the rule's name twice
_NAMED = re.compile(r'(<a class="rule" href="[^"#]*#rule-([^"]*)") title="\2">')
#: the name of a rule that leads to itself
_ITSELF = re.compile(r'<a id="rule-([^"]*)" href="#rule-\1"><code>([^<]*)</code></a>')
#: what a cell is called where rows stand as cards: as the head of its column
_LABEL = re.compile(r' data-label="[^"]*"')
#: what a head is the head of: of a table whose heads are its first row and its first column browsers know that
_SCOPE = re.compile(r'(?<=<th) scope="(?:col|row)"')
_MATH = re.compile(r"<math\b.*?</math>", re.S)
_ENTITY = re.compile(r"&#x0*([0-9A-Fa-f]+);")
#: brackets are fences that stretch, and know on which side they stand
_FENCE = re.compile(
    r'<mo stretchy="true" fence="true" form="(?:prefix">(?=[(\[{]<)|postfix">(?=[)\]}]<))', re.ASCII
)  # fmt: skip
_MARKUP = frozenset("<>&")


def slim(body: str) -> str:
    """The markup of a page as the site has it."""
    body = _NAMED.sub(r"\1>", body)
    body = _ITSELF.sub(r'<code id="rule-\1">\2</code>', body)
    body = _SCOPE.sub("", _LABEL.sub("", body)).replace('<div class="formula" tabindex="0">', '<div class="formula">')
    return _MATH.sub(_formula, body)


def _formula(found: re.Match[str]) -> str:
    return _slim_formula(found[0])


@functools.lru_cache(maxsize=1024)  # the same in both languages and most releases
def _slim_formula(text: str) -> str:
    text = _ENTITY.sub(_character, text.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', ""))
    return _FENCE.sub("<mo>", text)


def _character(found: re.Match[str]) -> str:
    character = unescape(found[0])
    return found[0] if character in _MARKUP else character
