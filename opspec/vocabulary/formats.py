"""Data formats: canonical names, aclFormat numbers, and which ranks and privacy they have.

Source: aclFormat of the public ACL headers; the context page on formats names the public formats, the private ones,
and the rank that each public one asks for.
"""

from __future__ import annotations

from opspec.vocabulary.names import Names

_NAMES = Names("format", "formats", ("acl_format_", "format_", "acl_"))

canonical = _NAMES.canonical
number = _NAMES.number
enumerator = _NAMES.enumerator
from_number = _NAMES.from_number
names = _NAMES.names
aliases = _NAMES.aliases


def is_public(name: str) -> bool:
    """Whether it is one of the formats for general use: ND, NCHW, NHWC, HWCN, NDHWC, NCDHW, NC, NCL.

    Raises:
        OpspecError: unknown format.
    """
    return bool(_NAMES.row(name)["kind"] == "public")


def is_private(name: str) -> bool:
    """Whether only APIs that name the format may be given it. UNDEFINED is neither public nor private.

    Raises:
        OpspecError: unknown format.
    """
    return bool(_NAMES.row(name)["kind"] == "private")


def ranks(name: str) -> tuple[int, ...] | None:
    """The ranks that the name of a format speaks of: (4,) for NCHW; None for ND, UNDEFINED and private formats: any.

    Raises:
        OpspecError: unknown format.
    """
    rank = _NAMES.row(name)["rank"]
    return None if rank is None else (rank,)
