"""What a wheel carries of the registry: the specs in an archive, and the compiled forms of all built-in operators."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor

from opspec import archive, files
from opspec.model import kernels, lines, worked
from opspec.model.beside import LEDGER
from opspec.model.ledger import ledger_text, read_ledger, without_words
from opspec.model.load import load_bytes
from opspec.registry import cache, folders, shipped
from opspec.registry.compile import Compiled, compile_operator
from opspec.registry.content import content
from opspec.registry.registry import definition_in

AT_ONCE = 8  # files that a process is given

#: what of a registry's folder users need, in the order of the archive, where what is alike stands together; the rest is
#: the maintainers' own, such as what was imported from which page
SHIPPED = (".yaml", LEDGER, lines.EVIDENCE, lines.NEIGHBOURS, kernels.FILE, worked.FILE, "lint-accepted.txt",
           "retired.txt", folders.PARTIAL, worked.BASE)  # fmt: skip


def ship_specs(target: str, root: str) -> None:
    """Write the archive of a registry's folder into another one."""
    found = [path for path in archive.below(root) if path.endswith(SHIPPED)]
    contents = {}
    for path in sorted(found, key=_beside):
        data = files.read_bytes(path)
        contents[os.path.relpath(path, root).replace(os.sep, "/")] = _users(path, data)
    archive.write(target, contents)


def _beside(path: str) -> tuple[object, ...]:
    """Specs and ledgers by family, as those of a family are alike, whatever their release."""
    kind = next(number for number, end in enumerate(SHIPPED) if path.endswith(end))
    return kind, os.path.basename(os.path.dirname(path)), path


def _users(path: str, data: bytes) -> bytes:
    """What users need of a file."""
    if os.path.basename(path) == lines.EVIDENCE:
        return _without_calls(data)
    return ledger_text(without_words(read_ledger(path))).encode() if path.endswith(LEDGER) else data


def _without_calls(data: bytes) -> bytes:
    """Evidence without the names of single calls, which are for who records: three quarters of it are their digests."""
    found = []
    for line in data.decode().splitlines():
        value = json.loads(line)
        for products in value["rules"].values():
            for recorded in products.values():
                recorded.pop("calls", None)
        found.append(json.dumps(value, ensure_ascii=False) + "\n")
    return "".join(found).encode()


def ship(target: str, jobs: int = 1, progress: Callable[[int, int], None] = lambda done, total: None) -> int:
    """Write the compiled form of every built-in operator and the mark of the engine; returns how many.

    Args:
        jobs: processes that compile.
        progress: told how many spec files of how many are compiled.
    """
    engine = cache.engine_by_content()
    work = [(path, entries, engine) for path, entries in _files(folders.built_in())]
    forms: dict[tuple[str, str, str], tuple[str, str, Compiled]] = {}
    with ProcessPoolExecutor(jobs) as pool:
        for done, made in enumerate(pool.map(_forms, work, chunksize=AT_ONCE), 1):
            forms.update(made)
            progress(done, len(work))
    ordered = (forms[key] for key in sorted(forms))
    shipped.write(
        target, engine, [(release, name, (form.code, form.info, form.judge)) for release, name, form in ordered]
    )
    return len(forms)


def _files(root: str) -> Iterator[tuple[str, list[folders.Entry]]]:
    """The spec files of all releases, each with the operators that it has."""
    for release in folders.releases([root]):
        by_file: dict[str, list[folders.Entry]] = {}
        for entry in folders.entries([root], release).values():
            by_file.setdefault(entry.path, []).append(entry)
        yield from by_file.items()


def _forms(work: tuple[str, list[folders.Entry], bytes]) -> dict[tuple[str, str, str], tuple[str, str, Compiled]]:
    """The forms of one spec file's operators, by what brings those together that are alike.

    Twins lie side by side and are read once.
    """
    path, entries, engine = work
    loaded = load_bytes(content(entries[0])[0], path)
    made = {}
    for entry in entries:
        _, whole = content(entry)  # twins have evidence of their own
        name = f"{entry.operator}-{cache.key(whole, entry.operator, engine)}"
        form = compile_operator(definition_in(loaded, entry))
        made[entry.family, entry.operator, entry.release] = entry.release, name, form
    return made
