"""What a site in a folder was made from, so that only what changed is made again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from opspec.archive import PACKAGE
from opspec.errors import OpspecError
from opspec.files import read_bytes, template_folder, write_file
from opspec.registry.content import content
from opspec.registry.folders import Entry
from opspec.site.packing import packed, unpacked

STATE = ".opspec-site.json"

#: folders of the package that no page hangs on
_NOT_READ = frozenset({"__pycache__", "_compiled", "specs", "cli", "csrc"})


@dataclass(slots=True)
class State:
    """What lies in the folder.

    Args:
        digests: release/operator -> digest of what its files were made from.
        records: release/operator -> what global pages list of it.
        files: all files of the site, by their paths in the folder.
    """

    digests: dict[str, str] = field(default_factory=dict)
    records: dict[str, dict[str, Any]] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)


def read(folder: str) -> State:
    """The state of a folder; an empty one where there is none, or none that can be read."""
    path = os.path.join(folder, STATE)
    try:
        value = json.loads(read_bytes(path))
        files = [name for name in value["files"] if _is_inside(name)]
        return State(dict(value["digests"]), dict(json.loads(unpacked(value["records"]))), files)
    except (OpspecError, ValueError, KeyError, TypeError, AttributeError):
        return State()


def write(folder: str, state: State) -> None:
    """Keep the state in its folder."""
    records = json.dumps(dict(sorted(state.records.items())), ensure_ascii=False)  # in whichever order they were made
    value = {"digests": state.digests, "records": packed(records), "files": state.files}
    write_file(os.path.join(folder, STATE), json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _is_inside(name: object) -> bool:
    """Whether a path that a file says is one below the site's folder."""
    if not isinstance(name, str):
        return False
    parts = name.split("/")
    return not os.path.isabs(name) and all(part not in ("", ".", "..") for part in parts)


def engine() -> bytes:
    """What stands for all code, templates and tables of this opspec."""
    digest = blake2b(digest_size=32)
    for folder in (PACKAGE, template_folder()):
        for path in _files(folder):
            digest.update(os.path.relpath(path, folder).encode() + b"\0" + blake2b(read_bytes(path)).digest())
    return digest.digest()


def _files(folder: str) -> Iterator[str]:
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - _NOT_READ)
        yield from (os.path.join(root, name) for name in sorted(names))


class Digests:
    """What stands for all that operators' files are made from; each operator is read once.

    Args:
        mark: :func:`engine`'s.
    """

    def __init__(self, mark: bytes) -> None:
        self._mark = mark
        self._known: dict[tuple[str, str], bytes] = {}

    def of(self, entries: Sequence[Entry], context: str) -> str:
        """The digest of an operator.

        Args:
            entries: the operator, and those that it is compared with.
            context: what the frame of its pages says.
        """
        found = blake2b(digest_size=16, key=self._mark)
        for entry in entries:
            found.update(self._own(entry))
        found.update(context.encode())
        return found.hexdigest()

    def _own(self, entry: Entry) -> bytes:
        key = entry.operator, entry.path
        if key not in self._known:
            self._known[key] = blake2b(content(entry)[1]).digest()
        return self._known[key]
