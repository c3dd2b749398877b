"""The canonical form of a spec file: keys in the model's order, expressions quoted, short mappings on one line."""

from __future__ import annotations

import re

from opspec.model import spec as model
from opspec.model import values
from opspec.model.derived import left_out, without_ctypes, without_release
from opspec.model.draft import Path
from opspec.model.load import Find, Source, validated, whole
from opspec.model.param_changes import AFTER, WAS
from opspec.yamltext import Document, Tree, read, write

#: keys whose mappings have a line for each entry, wherever they would fit on one
_BLOCKS = ("sets", "words", "groups", "let", "rules", "scenarios", "results", "clauses", "twin", "example",
           "reference", "small")  # fmt: skip
#: rules that stand in words, which need no quotes
_IN_WORDS = re.compile(r"\w+ same \w+ as \w+")
_EXPRESSIONS = frozenset({"check", "when", "columns"})


def canonical(text: str | bytes, name: str, find: Find | None = None) -> str:
    """The canonical text of a spec, without the release that the folders above it tell; comments survive.

    Args:
        name: the file's path, as errors show it.
        find: finds what it extends; without it that is not looked at, and the spec not validated.

    Raises:
        OpspecError: the text is no spec.
    """
    document = read(text, name)
    source = None if find is None else whole(document, find)
    if source is not None:
        validated(source)
    return write(_ordered(_said(document, source), ()), document.comments, quote=_is_expression, flow=_in_flow)


def _said(document: Document, source: Source | None) -> Tree:
    """What a file has to say: not what its folders, its operator's name and its params tell, unless a comment stands
    there."""
    value = document.value
    if not isinstance(value, dict):
        return value
    said = without_release(value, document.name)
    if "header" in said and ("extends" not in said or _inherits_no_header(source)):
        said = left_out(said)
    paths = [path for path in (*document.comments.before, *document.comments.trailing) if path]
    commented = {path[0] for path in paths}
    own = {key: item for key, item in value.items() if key in said or key in commented}
    return own if any(path[-1] == "ctype" for path in paths) else without_ctypes(own)


def _inherits_no_header(source: Source | None) -> bool:
    """Whether a spec that says no header has the one that its operator's name tells."""
    return source is not None and source.parent is not None and "header" not in left_out(source.parent.value)


def _ordered(value: Tree, path: Path) -> Tree:
    if isinstance(value, dict):
        order = _order(path)
        keys = sorted(value, key=lambda key: order.index(key) if key in order else len(order))
        return {key: _ordered(value[key], (*path, key)) for key in keys}
    if isinstance(value, list):
        return [_ordered(item, (*path, i)) for i, item in enumerate(value)]
    return value


_ENTRIES: dict[str, type[values.Model]] = {
    "params": model.Param, "early_success": model.EarlySuccess, "changes": values.Change, "formula": model.Formula,
    "alternatives": model.Alternative, "conflicts": model.Conflict, "helpers": model.Helper,
    "deterministic": model.Determinism, "remarks": model.Remark,
}  # fmt: skip
_NAMED: dict[str, type[values.Model]] = {
    "rules": model.Rule,
    "scenarios": model.Scenario,
    "sets": values.Set,
    "words": values.Bilingual,
    "let": model.Derived,
}
_OWNERS: dict[str, type[values.Model]] = {
    "deprecated": model.Deprecated, "twin": model.Twin, "example": model.ExampleCall,
    "dtype": values.Set, "format": values.Set,
    **dict.fromkeys(("summary", "about", "title", "partial", "evidence", "resolution"), values.Bilingual),
    **dict.fromkeys(("say", "fails"), values.Bilingual),
}  # fmt: skip


#: what entries of a spec that extends another say of their places, ahead of the rest
_PLACED: dict[type[values.Model] | None, tuple[str, ...]] = {
    model.Param: (WAS, AFTER), model.Rule: (AFTER,), model.Derived: (AFTER,), model.Scenario: (AFTER,),
}  # fmt: skip


def _order(path: Path) -> list[str]:
    """The canonical order of the keys of a mapping at this path; empty where the author's order means something."""
    owner: type[values.Model] | None = None
    path = _in_a_list(path)
    if not path:
        owner = model.Spec
    elif "args" in path:
        owner = None
    elif isinstance(path[-1], int):
        owner = _ENTRIES.get(str(path[-2]))
    elif len(path) >= 2 and path[-2] in _NAMED:
        owner = _NAMED[str(path[-2])]
    else:
        owner = _OWNERS.get(str(path[-1]))
    keys = [] if owner is None else [field.alias or name for name, field in owner.model_fields.items()]
    return [*_PLACED.get(owner, ()), *keys]


def _in_a_list(path: Path) -> Path:
    """A path below params by name, which could be mistaken for keys, as below those of a list."""
    return ("params", 0, *path[2:]) if len(path) > 1 and path[0] == "params" else path


def _is_expression(path: Path, text: str) -> bool:
    names = [part for part in _in_a_list(path) if isinstance(part, str) and part not in ("helpers", "twin")]
    if not names or "example" in names:
        return False
    last = names[-1]
    if names[0] in ("small", "example"):
        return False
    if names[0] in ("let", "results"):
        return len(names) == 2 or last == "is"
    shape = last == "shape" or ("shape" in names and last == "is")
    rule = _is_rule(path)
    if text.startswith("same as ") or ((rule or last == "check") and _IN_WORDS.fullmatch(text)):
        return False
    return last in _EXPRESSIONS or shape or "columns" in names or "shapes" in names or rule


def _in_flow(path: Path, value: Tree) -> bool:
    """Mappings that may stand on one line: all but those that a reader looks through from line to line."""
    if not path or (path[0] == "helpers" and len(path) < 4) or _is_rule((*path, "")):
        return False
    return not (len(path) == 1 and path[0] in (*_BLOCKS, "params"))


def _is_rule(path: Path) -> bool:
    """Whether an entry of `rules` stands at a path, or one of a block of rules."""
    return len(path) > 1 and len(path) % 2 == 0 and all(part == "rules" for part in path[::2])
