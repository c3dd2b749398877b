"""What operators are called elsewhere: by PyTorch, ONNX and MindSpore, and by people, in both languages.

``data/names.yaml`` has names and the operators that do it, ``data/words.yaml`` words of operators' names and what else
people call them; PyTorch's and torch_npu's own calls are those of the table in ``opspec/torch/data``.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator, Mapping

from opspec.archive import PACKAGE
from opspec.files import read_bytes
from opspec.yamltext.document import Tree
from opspec.yamltext.reader import read

_DATA = os.path.join(PACKAGE, "site", "data")
#: not by ``opspec.torch.table``: that room needs PyTorch, and the names do not
_TORCH = tuple(os.path.join(PACKAGE, "torch", "data", name) for name in ("aten.yaml", "npu.yaml"))
_GRADIENT = re.compile(r"(?:Backward|Grad)$")
_INNER = re.compile(r"^_+(?:native_)?|^native_|_+$|_kernel$|_data$|_for_cpu$")


@functools.cache
def other_names() -> Mapping[str, tuple[str, ...]]:
    """Operator -> its other names, those of people first; what differs in case and underscores alone stands once."""
    found: dict[str, dict[str, str]] = {}
    for name, operator in [*_listed(), *_called()]:
        if plain(name) != plain(operator.removeprefix("aclnn")):
            found.setdefault(operator, {}).setdefault(plain(name), name)
    return {operator: tuple(names.values()) for operator, names in found.items()}


def names_of(operator: str) -> tuple[str, ...]:
    """The other names of an operator; that of a gradient has those of what it is the gradient of, too.

    >>> "层归一化反向" in names_of("aclnnLayerNormBackward")
    True
    """
    own = other_names().get(operator, ())
    forward = _GRADIENT.sub("", operator)
    if forward == operator:
        return own
    return own + tuple(name + (" backward" if name.isascii() else "反向") for name in other_names().get(forward, ()))


@functools.cache
def other_words() -> Mapping[str, tuple[str, ...]]:
    """Word of a name, in lower case and without digits that end it -> what else people call it."""
    return {word: _texts(others) for word, others in mapping(tree_of(os.path.join(_DATA, "words.yaml"))).items()}


def called_so() -> dict[str, list[str]]:
    """What people say -> the words of names that it may stand for."""
    found: dict[str, list[str]] = {}
    for word, others in other_words().items():
        for other in others:
            found.setdefault(other.lower(), []).append(word)
    return dict(sorted(found.items()))


def plain(name: str) -> str:
    """A name without case and whatever is neither letter nor digit.

    >>> plain("Layer_norm V2")
    'layernormv2'
    """
    return "".join(filter(str.isalnum, name)).lower()


def _listed() -> Iterator[tuple[str, str]]:
    """The names of the table for search, each with an operator."""
    groups = mapping(tree_of(os.path.join(_DATA, "names.yaml")))
    for group in sorted(groups, key="people".__ne__):
        for name, operators in mapping(groups[group]).items():
            yield from ((name.rpartition(".")[2], operator) for operator in _texts(operators))


def _called() -> Iterator[tuple[str, str]]:
    """The names of PyTorch's and torch_npu's calls, each with an operator that it may come to."""
    for call, entry in calls():
        name = call.partition("::")[2].partition(".")[0]
        while (inner := _INNER.sub("", name)) != name:
            name = inner
        yield from ((name, operator) for operator in _operators(entry))


def calls() -> Iterator[tuple[str, Tree]]:
    """The entries of the table of PyTorch's and torch_npu's calls, by the calls' names."""
    for path in _TORCH:
        yield from mapping(mapping(tree_of(path))["calls"]).items()


def _operators(entry: Tree) -> Iterator[str]:
    """Those that an entry of the table of calls names."""
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, dict):
        yield from _operators(entry.get("operator"))
        for case in entry.get("cases") or ():
            yield from _operators(case)


def tree_of(path: str) -> Tree:
    """What a file of data has."""
    return read(read_bytes(path), path).value


def mapping(tree: Tree) -> dict[str, Tree]:
    """A mapping, which every file of data is."""
    assert isinstance(tree, dict), tree
    return tree


def _texts(tree: Tree) -> tuple[str, ...]:
    assert isinstance(tree, list), tree
    return tuple(map(str, tree))
