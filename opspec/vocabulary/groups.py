"""Groups of ranks: which params name one.

Source: the prototypes of the vendor's pages of releases 8.5.0 and 9.1.0, where every text that names a group of
communication has one of these names.
"""

from __future__ import annotations

#: Params of type text whose value is the name of a group (``HcclGetCommName``); empty or null: of none.
PARAMS = ("group", "groupEp", "groupTp")

#: The room that ``HcclGetCommName`` asks for.
NAME_SIZE = 128

#: Group -> params of its number of ranks (the first that there is counts), and of the caller's rank in it.
SIZES = {
    "group": ("rankSize", "worldSize", "epWorldSize"), "groupEp": ("epWorldSize",), "groupTp": ("tpWorldSize",),
}  # fmt: skip
RANKS = {"groupEp": "epRankId", "groupTp": "tpRankId"}

#: The ranks of a group whose call does not say how many there are.
USUAL_SIZE = 2
