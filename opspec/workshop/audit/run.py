"""Audits pages: reads each, runs every check, and words what they find."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from opspec.errors import OpspecError, printable
from opspec.workshop.audit.kinds import KINDS
from opspec.workshop.audit.model import Defect, Hit, Kind
from opspec.workshop.audit.on_products import listed
from opspec.workshop.audit.subject import Corpus, Subject, read
from opspec.workshop.importer.pipeline import pages_in

MOST_HITS = 200  # of one kind on one page: many times more than any page has
WHOLE = 300  # pages: fewer are not taken for all that links may lead to


def files(paths: Iterable[str]) -> list[Path]:
    """The pages at some paths.

    Raises:
        OpspecError: there is nothing, or no page, at one of them.
    """
    return pages_in(paths, ("*.md", "*.txt"), ".md or .txt files")


def audit(
    pages: Sequence[Path], kinds: Sequence[Kind] = KINDS, advance: Callable[[str], None] = lambda _: None
) -> tuple[list[Defect], list[OpspecError]]:
    """The defects of pages, in order, and the errors of files that are no pages."""
    corpus = Corpus(whole=len(pages) >= WHOLE)
    subjects, errors = [], []
    for path in pages:
        corpus.names.setdefault(path.name, []).append(str(path))
        advance(path.name)
        try:
            subjects.append(read(path, corpus))
        except OpspecError as error:
            errors.append(error)
        except RecursionError:
            errors.append(OpspecError("the page is nested too deeply", where=str(path)))
    corpus.pages = len(subjects)
    for subject in subjects:
        corpus.listed.update(listed(subject))
        for operator in subject.page.operators:
            corpus.operators.setdefault(operator, []).append(subject.document)
    return sorted({defect for subject in subjects for defect in defects(subject, kinds)}), errors


def defects(subject: Subject, kinds: Sequence[Kind] = KINDS) -> Iterator[Defect]:
    """The defects of a page."""
    for kind in kinds:
        for hit in islice(kind.check(subject), MOST_HITS):
            yield _defect(subject, kind, hit)


def _defect(subject: Subject, kind: Kind, hit: Hit) -> Defect:
    only = subject.functions[0].operator if len(subject.functions) == 1 else ""
    values = {name: printable(str(value)) for name, value in dataclasses.asdict(hit).items() if name != "line"}
    values["operator"] = values["operator"] or only
    return Defect(
        document=printable(subject.document),
        line=hit.line,
        kind=kind.id,
        level=kind.level,
        en=kind.en.format(**values),
        zh=kind.zh.format(**values),
        **values,
    )
