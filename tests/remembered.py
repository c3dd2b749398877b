"""Specs of this repository are read once by a process: some fifteen tests of all operators read each of them."""

from __future__ import annotations

import functools
import os

import pytest

from opspec import yamltext
from opspec.model import load
from opspec.model.load import Loaded
from opspec.yamltext import Document
from tests.paths import REPOSITORY

_FOLDER = f"{REPOSITORY / 'specs'}{os.sep}"
_MOST = 2500  # files; together some 500 MiB
_load_document = load.load_document
_loaded: dict[int, tuple[Document, Loaded]] = {}  # by the document's id, with that, so that its id remains its own


def remember() -> None:
    """From now on a spec is read again only where its file has changed; files that tests write are always read."""
    patch = pytest.MonkeyPatch()
    patch.setattr(load, "read_file", read_file)
    patch.setattr(load, "load_document", load_document)


def read_file(path: str | os.PathLike[str]) -> Document:
    """As ``opspec.yamltext.read_file``."""
    name = os.fspath(path)
    if not os.path.abspath(name).startswith(_FOLDER):
        return yamltext.read_file(name)
    found = os.stat(name)
    return _document(name, found.st_mtime_ns, found.st_size)


@functools.lru_cache(maxsize=_MOST)
def _document(name: str, changed: int, size: int) -> Document:
    return yamltext.read_file(name)


def load_document(document: Document, path: str) -> Loaded:
    """As ``opspec.model.load.load_document``."""
    known = _loaded.get(id(document))
    if known is None:
        known = document, _load_document(document, path)
        if os.path.abspath(path).startswith(_FOLDER) and len(_loaded) < _MOST:
            _loaded[id(document)] = known
    return known[1]
