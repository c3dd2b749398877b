"""Data formats: canonical names, aclFormat numbers, and which ranks and privacy they have.

Source: aclFormat of the public ACL headers; the context page on formats names the public formats, the private ones,
and the rank that each public one asks for.
"""

from __future__ import annotations

from opspec.vocabulary.names import Names

_NAMES = Names("format", "formats", ("acl_format_", "format_", "acl_"))

canonical = _NAMES.canonical
from_number = _NAMES.from_number
names = _NAMES.names
aliases = _NAMES.aliases


def number(name: str) -> int:
    """The aclFormat value of a format in any spelling."""
    value: int = _NAMES.row(canonical(name))["number"]
    return value


def is_public(name: str) -> bool:
    """Whether any API may be given the format: ND, NCHW, NHWC, HWCN, NDHWC, NCDHW, NC, NCL."""
    return bool(_NAMES.row(canonical(name))["kind"] == "public")


def is_private(name: str) -> bool:
    """Whether only APIs that name the format may be given it. UNDEFINED is neither public nor private."""
    return bool(_NAMES.row(canonical(name))["kind"] == "private")


def ranks(name: str) -> tuple[int, ...] | None:
    """The ranks that the name of a format speaks of: (4,) for NCHW; None for ND and private formats: any."""
    rank = _NAMES.row(canonical(name))["rank"]
    return None if rank is None else (rank,)


def for_rank(rank: int) -> tuple[str, ...]:
    """The public formats that a tensor of this rank may have."""
    return tuple(name for name in names() if is_public(name) and ranks(name) in (None, (rank,)))
