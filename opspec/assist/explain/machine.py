"""What a line of a log tells of the machine: the product, and the versions of CANN and torch_npu."""

from __future__ import annotations

import re
from dataclasses import dataclass

from opspec.errors import OpspecError
from opspec.registry.versions import VERSION
from opspec.vocabulary import products

#: ``CANN 8.5.0``, ``CANN version: 8.2.RC1``, ``CANN 版本 (e.g., CANN 3.0.x): 8.5.0``, ``CANN版本：8.2``,
#: ``…/cann-8.5.0/…``, ``cann-toolkit_8.2.RC1_linux``; the folder of an older toolkit; a line of its ``version.cfg``
_CANN = re.compile(
    rf"""(?<![A-Za-z])cann (?:[ _-]?(?:version|toolkit|kernels?|nnae|nnrt|版本))? (?:-\w{{1,12}})?
            (?:[ ]?[(（](?:e\.g\.|如|例如)[^()（）]{{0,60}}[)）])? [ =:：_v"'(-]{{0,6}} (?P<a>{VERSION}) (?!\d|\.\d)
       |(?:ascend-toolkit|nnae|nnrt)/(?P<b>{VERSION})
       |(?:toolkit|runtime|compiler|opp)_(?:running|installed)_version=\[[^\]:]{{0,40}}:(?P<c>{VERSION})""",
    re.VERBOSE | re.IGNORECASE,
)
#: what stands before and behind a version that ought to be there: it says nothing of the one that is
_WANTED = re.compile(
    r"(?:e\.g\.|for example|例如|requires?|needs?|since|upgrade|at least|minimum|>=?|需要|升级|不低于)[^.;，。]{0,20}$",
    re.IGNORECASE,
)
_OR_LATER = re.compile(r"\s?(?:\+|(?:or|and) (?:later|newer|above|higher)|及?以上|及之后)", re.IGNORECASE)
_TORCH_VERSION = r"(\d{1,2}\.\d{1,2}(?:\.(?:\d{1,4}|[a-z]{2,6}\d{1,3}|(?:RC|rc|alpha|beta)\d{0,3}))*)"
_TORCH = re.compile(
    rf"\btorch[_-]npu[ \"']*(?:version)?[\s:=_v\"'-]{{1,6}}{_TORCH_VERSION}", re.I | re.ASCII
)  # of the package, a list of packages, a sentence
#: what a line has that tells any of it
MAY_TELL = re.compile(
    r"(?i:ascend|CANN|torch[_-]npu|atlas)|\b(?:910|310|950)[A-Za-z_]|(?:nnae|nnrt)/|_(?:running|installed)_version=\["
)
_SOC = re.compile(r"\bAscend ?(?:\d{3}[A-Za-z0-9_-]{0,12}|kirin\w{1,10})", re.IGNORECASE | re.ASCII)
_CHIP = re.compile(r"(?<![\w.])(?:910[ABC]\d?|910_9\d{1,3}|950(?:PR|DT)|310[PB]\d?)(?![\w.])", re.IGNORECASE | re.ASCII)
_SERVER = re.compile(r"\bAtlas ?\d{3}\w? ?(?:[IVT] ?)?(?:Duo|Pro|(?:\w{1,12} )?A[23])\b", re.ASCII)


@dataclass(frozen=True, slots=True)
class Machine:
    """Where a program ran, as far as a text says.

    Attributes:
        product: its id, or that of a member of it.
        cann, torch_npu: versions, as they are written there.
    """

    product: str | None = None
    cann: str | None = None
    torch_npu: str | None = None

    def __bool__(self) -> bool:
        return any((self.product, self.cann, self.torch_npu))

    def over(self, other: Machine) -> Machine:
        """This, and what the other knows beside it."""
        return Machine(self.product or other.product, self.cann or other.cann, self.torch_npu or other.torch_npu)


NOTHING = Machine()


def machine(text: str) -> Machine:
    """What a text tells."""
    torch = _TORCH.search(text)
    return Machine(_product(text), cann(text), torch[1] if torch else None)


def cann(text: str) -> str | None:
    """The version of CANN that a text says is there; None where it says none.

    >>> cann("CANN version: 8.2.RC1"), cann("needs CANN 8.3 or later"), cann("/usr/local/Ascend/cann-8.5.0/lib64")
    ('8.2.RC1', None, '8.5.0')
    """
    for found in _CANN.finditer(text):
        wanted = _WANTED.search(text, max(0, found.start() - 60), found.start())
        if wanted is None and _OR_LATER.match(text, found.end()) is None:
            return found["a"] or found["b"] or found["c"]
    return None


def _product(text: str) -> str | None:
    """The first product of a text, by the name of a SoC, a server or a chip."""
    for form, before in ((_SOC, ""), (_SERVER, ""), (_CHIP, "Ascend")):
        for found in form.finditer(text):
            named = _resolved(before + found[0])
            if named is not None:
                return named
    return None


def _resolved(spelling: str) -> str | None:
    """A product by its name; a server that the vocabulary does not list by the generation behind it."""
    for name in (
        spelling,
        *(f"Atlas {end}" for end in ("A2", "A3") if spelling.endswith(end) and " 200" not in spelling),
    ):
        try:
            product, member = products.resolve(name.rstrip("-_"))
        except OpspecError:
            continue
        return member or product
    return None
