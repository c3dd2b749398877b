"""Products: stable ids, their members, and every spelling that a document or a user may use.

An id is the tag of the vendor's own pages (``910b``, ``A3`` …). Where pages split a family (training and inference,
950PR and 950DT) its parts are members. Source: product names in the pages of releases 8.0, 8.5.0 and 9.1.0; SoC names.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

from opspec.errors import OpspecError, UnknownProductError, nearest, shown
from opspec.vocabulary.tables import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec.vocabulary.literals import Lang

    Found = tuple[str, str | None]

_DEVICES = 8  # of a machine, where a product's row says nothing else
LONGEST = 200  # characters: the longest spelling of the pages has 70
_PARTS = 12  # products named together: more than any page does
#: Nothing in a spelling depends on spaces, dashes and underscores; full-width characters are the others' twins.
_FOLD = dict.fromkeys(map(ord, " \t\r\n\u3000\u00a0_-‐–—"), None) | {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys(map(ord, "、，,＋+＆&；;|／"), "/"),
    ord("－"): None,
    ord("＿"): None,
}


@functools.cache
def _rows() -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in table("products")["products"]}


@functools.cache
def ids() -> tuple[str, ...]:
    """All product ids, newest family first."""
    return tuple(_rows())


@functools.cache
def _members() -> dict[str, tuple[str, ...]]:
    return {row["id"]: tuple(member["id"] for member in row["members"]) for row in _rows().values()}


def members(product: str) -> tuple[str, ...]:
    """The members of a product id; empty for most.

    Raises:
        UnknownProductError: not a product id.
    """
    if not isinstance(product, str) or product not in _rows():
        raise _not_an_id(product, ids())
    return _members()[product]


@functools.cache
def owners() -> dict[str, str]:
    """Member -> the product id that it belongs to."""
    return {member: product for product, members_ in _members().items() for member in members_}


def devices(product: str) -> int:
    """How many devices a usual machine with this product id has.

    Raises:
        UnknownProductError: not a product id.
    """
    if not isinstance(product, str) or product not in _rows():
        raise _not_an_id(product, ids())
    found: int = _rows()[product].get("devices", _DEVICES)
    return found


def owner(member: str) -> str:
    """The id that a member, in any spelling, belongs to; an id is its own.

    Raises:
        UnknownProductError: unknown.
    """
    return resolve(member)[0]


def name(id_or_member: str, lang: Lang) -> str:
    """The display name of an id or member.

    Args:
        id_or_member: an id or a member's id, exactly as :func:`ids` and :func:`members` give it.
        lang: ``en`` or ``zh``.

    Raises:
        OpspecError: unknown id or language.
    """
    if lang not in ("en", "zh"):
        raise OpspecError(f"expected language 'en' or 'zh', found {shown(lang)}")
    for row in _rows().values():
        for thing in (row, *row["members"]):
            if thing["id"] == id_or_member:
                text: str = thing[lang]
                return text
    raise _not_an_id(id_or_member, [*ids(), *(member for row in _members().values() for member in row)])


def in_text(ids_or_members: Iterable[str], lang: Lang) -> list[str]:
    """Ids or members as running text names them, families that a text names together as one.

    Raises:
        OpspecError: unknown id or language.
    """
    listed = list(dict.fromkeys(ids_or_members))
    found = {listed_: _running(listed_, lang) for listed_ in listed}
    for row in table("products")["together"]:
        if found.keys() >= set(row["of"]):
            first = next(one for one in listed if one in row["of"])
            found = {one: text for one, text in found.items() if one == first or one not in row["of"]}
            found[first] = row["in_text"][lang == "zh"]
    return list(found.values())


def listed(ids_or_members: Iterable[str], lang: Lang) -> list[str]:
    """Ids or members by the names of :func:`in_text`, as lists and tables have them.

    Raises:
        OpspecError: unknown id or language.
    """
    return [text.removeprefix("the ") for text in in_text(ids_or_members, lang)]


def _running(id_or_member: str, lang: Lang) -> str:
    plain = name(id_or_member, lang)
    for row in _rows().values():
        for thing in (row, *row["members"]):
            if thing["id"] == id_or_member and "in_text" in thing:
                text: str = thing["in_text"][lang == "zh"]
                return text
    return plain


@functools.cache
def aliases() -> dict[str, Found]:
    """Folded spelling (lower case; no spaces, dashes or underscores) -> (id, member or None).

    The mapping is shared: do not change it. SoC names whose last characters vary are not listed; see :func:`resolve`.
    """
    known: dict[str, Found] = {}
    for row in _rows().values():
        for spelling in (row["id"], row["en"], row["zh"], *row["aliases"]):
            known[_folded(spelling)] = (row["id"], None)
        for member in row["members"]:
            for spelling in (member["id"], member["en"], member["zh"], *member["aliases"]):
                known[_folded(spelling)] = (row["id"], member["id"])
    return known


@functools.cache
def _exact() -> dict[str, Found]:
    """What ids of products and of members stand for: the usual spellings."""
    named = (*ids(), *owners())
    return {spelling: aliases()[_folded(spelling)] for spelling in named}


def soc_forms() -> tuple[tuple[str, str, str | None], ...]:
    """(Folded name of a SoC without its last two characters, which vary; id; member or None)."""
    rows: list[tuple[str, str, str | None]] = table("products")["soc_forms"]
    return tuple((form, product, member) for form, product, member in rows)


def _folded(spelling: str) -> str:
    return spelling.translate(_FOLD).lower().strip("/。.：:")


def resolve(spelling: str) -> Found:
    """Id, and member or None, of a product in any spelling; members of one family named together are the family.

    Case, spaces, dashes, underscores and full-width characters do not matter; ``/``, ``、`` and commas separate.
    SoC names Ascend950PR_95xx, Ascend950DT_95xx, Ascend910_95xx and Ascend910_93xx are known by their form.

    Raises:
        UnknownProductError: unknown, or names products of several families; the nearest spelling is named.
    """
    if isinstance(spelling, str) and spelling in _exact():
        return _exact()[spelling]
    found = _all(spelling)
    families = tuple(dict.fromkeys(product for product, _ in found))
    if len(families) > 1:
        raise _several(spelling, "names", families)
    return found[0] if len(found) == 1 else (families[0], None)


def resolve_all(spelling: str) -> tuple[Found, ...]:
    """Every product that a spelling names, one entry a family: ``Atlas A3 …/Ascend 950DT`` -> A3 and 950dt.

    Members of one family named together are the family.

    Raises:
        UnknownProductError: a part of it is unknown; the nearest spelling is named.
    """
    named: dict[str, list[str | None]] = {}
    for product, member in _all(spelling):
        named.setdefault(product, []).append(member)
    return tuple((product, members[0] if len(members) == 1 else None) for product, members in named.items())


def _all(spelling: str) -> list[Found]:
    """Distinct products in the order of their mention; longest names first, since some contain a separator."""
    if not isinstance(spelling, str):
        raise UnknownProductError(f"expected the name of a product, found {shown(spelling)}", name=spelling)
    folded = _folded(spelling) if len(spelling) <= LONGEST else ""
    parts = [part for part in folded.split("/") if part]
    if len(parts) > _PARTS:
        parts = []
    result: dict[Found, None] = {}
    start = 0
    while start < len(parts):
        for end in range(len(parts), start, -1):
            one = _one("/".join(parts[start:end]))
            if one is not None:
                result[one] = None
                start = end
                break
        else:
            raise _unknown(spelling, folded, parts[start])
    if not result:
        raise _unknown(spelling, folded, folded)
    return list(result)


def _one(folded: str) -> Found | None:
    known = aliases().get(folded)
    if known is not None:
        return known
    stem, variant = folded[:-2], folded[-2:]
    for form, product, member in soc_forms():
        if stem == form and variant.isascii() and variant.isalnum():
            return product, member
    return None


def _several(spelling: str, says: str, families: Sequence[str]) -> UnknownProductError:
    message = f"{shown(spelling)} {says} products {' and '.join(families)}; expected one of them"
    return UnknownProductError(message, name=spelling, suggestions=families)


def _unknown(spelling: str, folded: str, part: str) -> UnknownProductError:
    shared = table("products")["shared"].get(folded)
    if shared is not None:
        return _several(spelling, "is common to", shared)
    return _none(spelling, part[:LONGEST], "unknown product", aliases(), f"; ids are {', '.join(ids())}")


def _not_an_id(value: object, known: Sequence[str]) -> UnknownProductError:
    word = value if isinstance(value, str) else ""
    return _none(value, word, "unknown product id", known, f"; expected one of {', '.join(known)}")


def _none(value: object, word: str, said: str, known: Iterable[str], behind: str) -> UnknownProductError:
    found = nearest(word, known)
    hint = f"; did you mean {found!r}?" if found else ""
    suggestions = () if found is None else (found,)
    return UnknownProductError(f"{said} {shown(value)}{hint}{behind}", name=value, suggestions=suggestions)
