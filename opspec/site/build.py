"""A site in a folder: operators by several processes, each if what it is made from changed; then what lists them."""

from __future__ import annotations

import gc
import itertools
import json
import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from opspec import web
from opspec.build.processes import Task, results
from opspec.codegen.javascript.jstext import data
from opspec.codegen.javascript.operator import runtime_files
from opspec.docs.llms import Linked, llms
from opspec.docs.related import first_version
from opspec.docs.render import Content
from opspec.files import make_folder, read_bytes, write_file, write_files
from opspec.model.beside import first_operator
from opspec.registry.folders import Entry
from opspec.registry.registry import Registry
from opspec.site import state
from opspec.site.frames import Frame, home, menu, products_named, rendered, style_of_pages
from opspec.site.operators import LANGS, Made, compared_with, made, page_names
from opspec.site.packing import common, opening, packed
from opspec.site.pages import release_files
from opspec.site.published import check_address, published_files
from opspec.site.scripts import script
from opspec.site.signatures import signatures
from opspec.site.slim import slim
from opspec.site.words import WORDS
from opspec.vocabulary.literals import Lang

FONTS = ("stix-two-math.woff2", "LICENSE-stix-two-math.txt", "noto-sans-sc.woff2", "LICENSE-noto-sans-sc.txt")
ASSETS = (
    "site.css", "icon.svg", "theme.js", "tables.js", "index.js", "matrix.js", "form.js", "code.js", "paste.js",
    "nearest.js", "try.js", "drift.js",
)  # fmt: skip
OF_FRAME = ("site.js", "find.js", "search.js")  # what every page has


@dataclass(frozen=True, slots=True)
class Built:
    """What a run did: how many operators it made anew and how many it left, files written, files taken away."""

    made: int
    kept: int
    written: int
    removed: int


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an operator's pages stand: the releases that have it."""

    releases: tuple[str, ...]

    def frame(self, entry: Entry, page: str, made: Content, summary: str) -> Frame:
        """The frame of one of its pages."""
        title = f"{made.title} · CANN {entry.release}"
        return Frame(made.lang, entry.release, page, title, (), self.releases, summary)


def build(
    registry: Registry,
    out: str,
    releases: list[str],
    jobs: int,
    progress: Callable[[str], None] = lambda name: None,
    url: str | None = None,
) -> Built:
    """Make or renew a site.

    Args:
        url: where it will be published, if that is known.

    Raises:
        OpspecError: a spec is faulty, the address is none, or a file cannot be written. What was written then stays.
    """
    if url is not None:
        check_address(url)
    before, digests = state.read(out), state.Digests(state.engine())
    everywhere = {release: registry.entries(release) for release in registry.releases()}
    entries = {release: everywhere[release] for release in releases}
    after, todo = state.State(), dict[str, list[tuple[Entry, _Place]]]()
    for release, found in entries.items():
        make_folder(os.path.join(out, release))
        make_folder(os.path.join(out, "data", release, "operators"))
        for name, entry in sorted(found.items()):
            place = _Place(tuple(other for other in releases if name in entries[other]))
            key = f"{release}/{name}"
            context = json.dumps([place.releases, entry.family])
            digest = digests.of([entry, *compared_with(everywhere, entry)], context)
            after.digests[key] = digest
            after.files += _paths(entry)
            if before.digests.get(key) == digest and key in before.records and _all_there(out, _paths(entry)):
                after.records[key] = before.records[key]
            else:
                todo.setdefault(_kin(entry), []).append((entry, place))
    # versions and releases of an operator are compared, and twins share a file: together each spec is read once
    tasks = [Task(name, _write_operators, (each, out, registry.folders[1:])) for name, each in sorted(todo.items())]
    for records in results(tasks, jobs, progress) if tasks else ():
        after.records |= records
    made_now = [entry for each in todo.values() for entry, _ in each]
    written = sum(len(_paths(entry)) for entry in made_now)
    files = _global_files(entries, after.records)
    if url is not None:
        files |= published_files(url, (path for path in [*after.files, *files] if path.endswith(".html")))
    written += _write_changed(out, files, after)
    kept = set(after.files)
    removed = [name for name in before.files if name not in kept]
    for name in removed:
        with suppress(OSError):
            os.unlink(os.path.join(out, name))
    state.write(out, after)
    return Built(len(made_now), len(after.digests) - len(made_now), written, len(removed))


def _kin(entry: Entry) -> str:
    """The first version of the operator that an entry's spec is of: of all that read the same specs one name."""
    return first_version(first_operator(entry.path))


def _paths(entry: Entry) -> list[str]:
    """The files of an operator."""
    data = f"data/{entry.release}/operators/{entry.operator}"
    return [*(_path(entry, *key) for key in itertools.product(page_names(entry.operator), LANGS)), *_data(data)]


def _path(entry: Entry, page: str, lang: Lang) -> str:
    return f"{entry.release}/{page}.{lang}.html"


def _data(stem: str) -> tuple[str, str]:
    return f"{stem}.js", f"{stem}.words.js"


def _all_there(out: str, paths: list[str]) -> bool:
    return all(os.path.isfile(os.path.join(out, path)) for path in paths)


def _write_operators(todo: list[tuple[Entry, _Place]], out: str, folders: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """Write the files of some operators, in a process of their own; release/operator -> what lists have of it."""
    gc.set_threshold(4_000_000, 100, 100)  # what pages are made of has few circles, and looking for them takes time
    return {f"{entry.release}/{entry.operator}": _write_operator(entry, place, out, folders) for entry, place in todo}


def _write_operator(entry: Entry, place: _Place, out: str, folders: tuple[str, ...]) -> dict[str, Any]:
    """Write an operator's files, and say what lists have of it."""
    found = made(entry, folders)
    newest = place.releases[-1] == entry.release
    texts = {
        _path(entry, page, lang): _framed(
            entry, place.frame(entry, page, content, found.record["summary"][lang] if newest else ""), content, found
        )
        for (page, lang), content in found.pages.items()
    }
    stem = f"data/{entry.release}/operators/{entry.operator}"
    texts |= zip(_data(stem), (found.script, found.words), strict=True)
    write_files({os.path.join(out, path): text for path, text in texts.items()})
    return found.record


def _framed(entry: Entry, frame: Frame, content: Content, made: Made) -> str:
    """A page of an operator; what one can do with it stands below its title.

    What readers ask for most, the operator's page of the newest release, stands as it is. The others are packed.
    """
    title, end, body = slim(content.body).partition("</h1>")
    products = made.record["products"].items()
    support = [(kind, " ".join(name for name, found in products if found == kind)) for kind in ("no", "yes")]
    only_on = json.dumps({rule: " ".join(names) for rule, names in made.only_on.items()}) if made.only_on else ""
    newest = frame.releases[-1]
    is_whole = frame.release == newest and frame.page == entry.operator
    return rendered(
        "operator", frame, op=entry.operator, title=Markup(title + end), body=Markup(body), support=support,
        only_on=only_on, packed=lambda content: packed(content, common(frame.lang)),
        newest="" if is_whole else f"../{newest}/{entry.operator}.{frame.lang}.html",
    )  # fmt: skip


def _global_files(entries: Mapping[str, Mapping[str, Entry]], records: Mapping[str, dict[str, Any]]) -> dict[str, str]:
    """Path -> text of all that is no operator's."""
    counted = [(release, len(found)) for release, found in entries.items()]
    files = {"index.html": home(counted, "en"), "index.zh.html": home(counted, "zh")}
    files |= {f"assets/{name}": text for name, text in runtime_files().items()}
    files |= {f"assets/{name}": read_bytes(os.path.join(web.SITE, name)).decode() for name in ASSETS}
    files |= {f"assets/frame.{lang}.js": _script_of_frame(lang) for lang in LANGS}
    files["assets/site.css"] = style_of_pages() + files["assets/site.css"]
    files["assets/signatures.js"] = script("signatures", signatures())
    for release, found in entries.items():
        listed = [records[f"{release}/{name}"] for name in sorted(found)]
        files |= release_files(release, list(entries), listed)
        files["llms.txt"] = _llms(release, listed)  # of the newest, which comes last
    return files


def _llms(release: str, records: list[dict[str, Any]]) -> str:
    """What programs that read text are told of a release's pages."""
    of_family: dict[str, list[Linked]] = {}
    for record in records:
        page = Linked(record["op"], f"{release}/{record['op']}.en.html", record["summary"]["en"])
        of_family.setdefault(record["family"] or release, []).append(page)
    return llms(of_family)


def _script_of_frame(lang: Lang) -> str:
    """The script that every page loads: words and products in its language, and what each page has."""
    shared = {"opening": opening(common(lang)), "length": len(common(lang))}  # no character of it is two in JavaScript
    values = {"words": WORDS[lang], "products": products_named(lang), "menu": menu(lang), "common": shared}
    known = "".join(f"opspec.{name} = {data(value)};\n" for name, value in values.items())
    scripts = [read_bytes(os.path.join(web.SITE, name)).decode() for name in OF_FRAME]
    return f"var opspec = globalThis.opspec || (globalThis.opspec = {{}});\n{known}{''.join(scripts)}"


def _write_changed(out: str, files: Mapping[str, str], after: state.State) -> int:
    """Write those that are not there as they are; how many."""
    count = 0
    for path, text in files.items():
        after.files.append(path)
        target = os.path.join(out, path)
        if not os.path.isfile(target) or read_bytes(target) != text.encode():
            make_folder(os.path.dirname(target))
            write_file(target, text)
            count += 1
    make_folder(os.path.join(out, "assets", "fonts"))
    for name in FONTS:
        path = f"assets/fonts/{name}"
        after.files.append(path)
        shutil.copyfile(os.path.join(web.SITE, "fonts", name), os.path.join(out, path))
    return count
