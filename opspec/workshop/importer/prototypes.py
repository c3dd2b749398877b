"""C prototypes as pages print them: names, params, and the order that is law for a spec."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import zip_longest

from opspec.errors import OpspecError
from opspec.vocabulary import ctypes_

_START = re.compile(
    r"(?:\b(?:aclnn[Ss]tatus|aclError)\s+|^\s*(?=aclnn\w+GetWorkspaceSize\s*\(\s*(?:const|acl)))"
    r"(aclnn\w{1,120})\s*\(",
    re.M,
)  # a page that forgets the return type is understood, and audited
_LONGEST = 20_000
_PARAM = re.compile(
    r"^(?P<const>const\s+)?(?P<base>[A-Za-z_]\w*)(?P<later>\s+const\b)?\s*(?P<stars>[*\s]*)(?:const\s+)?(?P<name>[A-Za-z_]\w*)\s*(?:\[\s*\])?$"
)
_FORGOTTEN = re.compile(r"(?<=\w)(?<!\bconst) (?=(?:const )?(?:acl\w+|u?int\d+_t|double|float|bool|char)\b)")
_TWICE = re.compile(r"\b(\w+ ?\*) ?\1(?= ?\w)")


@dataclass(slots=True)
class CParam:
    """A param as the prototype declares it; ``ctype`` is None when it is no valid C of the known types."""

    name: str
    ctype: str | None
    text: str


@dataclass(slots=True)
class Prototype:
    """A prototype: the function's name and its params in order."""

    function: str
    params: list[CParam] = field(default_factory=list)
    line: int = 0

    @property
    def operator(self) -> str:
        """The operator that it belongs to."""
        return self.function.removesuffix("GetWorkspaceSize")

    @property
    def own(self) -> list[CParam]:
        """The params without workspace size and executor, which every first phase has."""
        params = [param for written in self.params for param in _meant(written)]
        ends = [i for i, param in enumerate(params) if _is_implied(param)]
        return params[: ends[0]] if ends else params

    @property
    def stream(self) -> str | None:
        """How the last param of a second phase is declared."""
        for param in self.params:
            if "aclrtStream" in param.text:
                return "const aclrtStream" if "const" in param.text else "aclrtStream"
        return None


def _meant(param: CParam) -> list[CParam]:
    """The params of a piece that is no valid C: without a comma between two of them, or with a type written twice."""
    if param.ctype is not None:
        return [param]
    meant = [_param(_TWICE.sub(r"\1", part)) for part in _FORGOTTEN.split(param.text)]
    return meant if all(one.ctype is not None for one in meant) else [param]


def _is_implied(param: CParam) -> bool:
    return bool(re.search(r"aclOpExecutor|\buint64_t\s*\*?\s*workspace_?size", param.text, re.I))


def find(text: str, line: int) -> list[Prototype]:
    """All prototypes in a piece of code or text."""
    found = []
    starts = list(_START.finditer(text))
    for start, following in zip_longest(starts, starts[1:]):
        end = start.end() + _LONGEST if following is None else min(following.start(), start.end() + _LONGEST)
        body = _parenthesised(text[start.end() : end])  # none holds another
        if body is None:
            continue
        prototype = Prototype(start[1], line=line + text.count("\n", 0, start.start()))
        prototype.params = [_param(part) for part in _without_comments(body).split(",") if part.strip()]
        found.append(prototype)
    return found


def _parenthesised(text: str) -> str | None:
    depth = 1
    for i, character in enumerate(text):
        depth += (character in "(（") - (character in ")）")
        if depth == 0:
            return text[:i]
    return None


def _without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


def _param(text: str) -> CParam:
    flat = " ".join(text.replace("\\*", "*").replace("\\", " ").split())
    found = _PARAM.match(flat)
    if not found:
        name = re.search(r"([A-Za-z_]\w*)\s*(?:\[\s*\])?$", flat)
        return CParam(name[1] if name else flat, None, flat)
    stars = found["stars"].count("*")
    const = "const " if found["const"] or found["later"] else ""
    try:
        ctype = ctypes_.parse(f"{const}{found['base']}{'*' * stars}").text()
    except OpspecError:
        return CParam(found["name"], None, flat)
    return CParam(found["name"], ctype, flat)
