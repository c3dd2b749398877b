"""What a line of a log tells of the machine: the product, and the versions of CANN and torch_npu."""

from __future__ import annotations

import re
from dataclasses import dataclass

from opspec.errors import OpspecError
from opspec.vocabulary import products

_VERSION = r"(\d{1,2}\.\d{1,2}(?:\.(?:\d{1,4}|T\d{1,4}|[a-z]{2,6}\d{1,3}|(?:RC|rc|alpha|beta)\d{0,3}))*)"
_CANN = re.compile(
    rf"\bCANN(?:[ _-]?(?:toolkit|kernels?|version|nnae))?(?:-\w{{1,12}}_)?[\s:=_v-]{{0,4}}{_VERSION}", re.I | re.ASCII
)
_TORCH = re.compile(
    rf"\btorch[_-]npu[ \"']*(?:version)?[\s:=_v\"'-]{{1,6}}{_VERSION}", re.I | re.ASCII
)  # of the package, a list of packages, a sentence
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
    cann, torch = _CANN.search(text), _TORCH.search(text)
    return Machine(_product(text), cann[1] if cann else None, torch[1] if torch else None)


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
