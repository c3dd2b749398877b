"""Which operator a log means: by its name, by what frameworks, files and kernels call it, or by a message's words."""

from __future__ import annotations

import functools
import math
import re
from collections import Counter

from opspec.errors import OpspecError
from opspec.model.beside import release_folder
from opspec.model.raw import document_of, with_extended
from opspec.registry.names import PREFIX, SUFFIX
from opspec.registry.registry import Registry

MOST_READ = 16  # operators whose rules are held against a message that names none: versions have the same words
_TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,60}")
#: words of messages that most specs have
_COMMON = frozenset(
    ("tensor", "shape", "dtype", "input", "output", "expected", "must", "the", "and", "for", "with", "not")
)
_MOST_TOKENS = 16
_VERSION = re.compile(r"(?:V\d{1,2}|WeightNz|Nz)+$")


class Operators:
    """The operators of a registry, by what logs call them."""

    def __init__(self, known: Registry, release: str | None) -> None:
        self.known = known
        wanted = [release] if release is not None else known.releases()
        self.paths = {name: entry.path for each in wanted for name, entry in known.entries(each).items()}
        self._by_key = {_key(name): name for name in sorted(self.paths, reverse=True)}

    def named(self, name: str) -> str | None:
        """The operator of an aclnn name, with what first phases and executors put behind it."""
        bare = re.sub(r"_\d+$", "", name).removesuffix(SUFFIX)
        return bare if bare in self.paths else self._by_key.get(_key(bare))

    def called(self, name: str) -> str | None:
        """The operator that a framework's function, a source file or a kernel is called after."""
        bare = re.sub(r"_\d+$", "", name).removeprefix("npu_").removeprefix("aclnn_")
        return self._by_key.get(_key(bare))

    def of_kernel(self, name: str) -> list[str]:
        """The operators that a kernel may have been started for: those of its name, versions and variants with it.

        Where none is called after it, those whose page lies in the folder of the kernel's source.
        """
        wanted = _key(name)
        found = [operator for bare, operator in self._by_key.items() if bare.startswith(wanted)]
        found = found or [operator for operator in self.paths if self._sources[operator] == wanted]
        return sorted(found, key=lambda operator: (len(operator), operator))

    def versions(self, operator: str) -> list[str]:
        """The other versions and variants of an operator: a framework's function is called after all of them."""
        return [name for name in self.of_kernel(operator) if name != operator and _VERSION.match(name[len(operator) :])]

    @functools.cached_property
    def _sources(self) -> dict[str, str]:
        """Operator -> the folder of its source, which is called after its kernel."""
        folders: dict[str, str] = {}
        for path in dict.fromkeys(self.paths.values()):
            try:
                document = document_of(with_extended(path))
            except OpspecError:
                document = ""
            folders[path] = _key(document.rpartition("/")[0].rpartition("__")[2])
        return {operator: folders[path] for operator, path in self.paths.items()}

    def by_words(self, text: str) -> list[str]:
        """The operators whose specs have the rarer words of a message; those with most of them first."""
        tokens = [word for word in dict.fromkeys(_TOKEN.findall(text)) if word.lower() not in _COMMON][:_MOST_TOKENS]
        having = {token: _files_with(self.paths, token) for token in tokens}
        total = len(set(self.paths.values())) or 1
        scores: Counter[str] = Counter()
        for files in having.values():
            rarity = math.log(total / len(files)) if files else 0.0
            for file in files if rarity > 1 else ():
                scores[file] += rarity  # type: ignore[assignment]
        best = {file for file, _ in scores.most_common(MOST_READ)}
        found = [name for name, path in self.paths.items() if path in best]
        return sorted(found, key=lambda name: (-scores[self.paths[name]], name))[: 2 * MOST_READ]


def _key(name: str) -> str:
    return name.replace("_", "").lower().removeprefix(PREFIX)


def _files_with(paths: dict[str, str], token: str) -> list[str]:
    pattern = re.compile(rb"(?<![A-Za-z0-9_])" + token.encode("ascii") + rb"(?:Optional|Ref)?(?![A-Za-z0-9_])")
    wanted = token.encode("ascii")
    return [path for path in dict.fromkeys(paths.values()) if wanted in (data := _bytes(path)) and pattern.search(data)]


@functools.lru_cache(maxsize=4096)
def _bytes(path: str) -> bytes:
    """What a spec says, and what it has from those that it extends in its release."""
    release = release_folder(path)
    try:
        return b"\n".join(data for file, data in with_extended(path).items() if release_folder(file) == release)
    except OpspecError:
        return b""
