"""Which library an operator is in: CANN 9 has one for each of the repositories that its operators come from."""

from __future__ import annotations

from opspec.model.definition import Definition

GROUPS = ("math", "nn", "cv", "transformer")

#: what the path of a page of the corpus begins with, and what operators come from
_REPOSITORY = "ops-"

#: families of specs that name no page of the corpus: those of the seed documents, and of users' own
_FAMILIES = {
    "attention": "transformer",
    "conversion": "math",
    "ffn": "transformer",
    "gmm": "transformer",
    "image": "cv",
    "math": "math",
    "mc2": "transformer",
    "mhc": "transformer",
    "moe": "transformer",
    "objdetect": "cv",
    "posembedding": "transformer",
    "random": "math",
}
_REST = "nn"


def group_of(definition: Definition, family: str) -> str:
    """The group of an operator.

    Args:
        family: the folder that its spec is in.
    """
    repository = (definition.spec.document or "").split("/", 1)[0]
    group = repository.removeprefix(_REPOSITORY)
    return group if group != repository and group in GROUPS else _FAMILIES.get(family, _REST)
