"""Products: stable ids, their members, and every spelling that a document or a user may use.

An id is the tag of the vendor's own pages (``910b``, ``A3`` …). Where pages split a family (training and inference,
950PR and 950DT) its parts are members. Source: product names in the pages of releases 8.0, 8.5.0 and 9.1.0; SoC names.
"""

from __future__ import annotations

from opspec.errors import OpspecError, did_you_mean, shown
from opspec.vocabulary.tables import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ALIASES: dict[str, tuple[str, str | None]] = {}
_SPACES = dict.fromkeys(map(ord, " \t\u3000\u00a0_-"), None) | {
    ord("／"): "/",
    ord("、"): "/",
    ord("，"): "/",
    ord(","): "/",
}


def _rows() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = table("products")["products"]
    return rows


def ids() -> tuple[str, ...]:
    """All product ids."""
    return tuple(row["id"] for row in _rows())


def members(product: str) -> tuple[str, ...]:
    """The members of a product; empty for most."""
    return tuple(member["id"] for row in _rows() if row["id"] == product for member in row["members"])


def owner(name: str) -> str:
    """The id that a member belongs to; an id is its own."""
    return resolve(name)[0]


def name(name_: str, lang: str) -> str:
    """The display name of an id or member, ``en`` or ``zh``."""
    for row in _rows():
        for thing in (row, *row["members"]):
            if thing["id"] == name_:
                text: str = thing[lang]
                return text
    raise OpspecError(f"unknown product id {shown(name_)}{did_you_mean(name_, ids())}")


def aliases() -> dict[str, tuple[str, str | None]]:
    """Folded spelling (lower case, no spaces, dashes or underscores) -> (id, member or None)."""
    if not _ALIASES:
        for row in _rows():
            for spelling in (row["id"], row["en"], row["zh"], *row["aliases"]):
                _ALIASES[_folded(spelling)] = (row["id"], None)
            for member in row["members"]:
                for spelling in (member["id"], member["en"], member["zh"], *member["aliases"]):
                    _ALIASES[_folded(spelling)] = (row["id"], member["id"])
    return _ALIASES


def _folded(spelling: str) -> str:
    return spelling.translate(_SPACES).lower().strip("/。：:")


def resolve(spelling: object) -> tuple[str, str | None]:
    """Id and member of a product in any spelling; members of one family named together are the family.

    Raises:
        OpspecError: unknown, or names products of several families; the nearest spelling is named.
    """
    if not isinstance(spelling, str):
        raise OpspecError(f"a product is a name, found {shown(spelling)}")
    known = aliases()
    folded = _folded(spelling) if len(spelling) < 200 else ""
    found = known.get(folded) or _combined(folded)
    if found is not None:
        return found
    raise OpspecError(f"unknown product {shown(spelling)}{did_you_mean(folded, known)}; ids are {', '.join(ids())}")


def _combined(folded: str) -> tuple[str, str | None] | None:
    """``A/B`` where both are of one family."""
    parts = [aliases().get(part) for part in folded.split("/") if part]
    families = {part[0] for part in parts if part is not None}
    if len(parts) < 2 or None in parts or len(families) != 1:
        return None
    named = {part[1] for part in parts if part is not None}
    return families.pop(), named.pop() if len(named) == 1 else None
