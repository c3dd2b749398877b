"""Rows to rows of verdicts. Identical calls are judged once, and what is the same of many verdicts is kept once.

No row raises: what cannot be judged has its error in place of a verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from json import JSONEncoder
from typing import TypeAlias, TypeVar

from opspec.errors import ArgumentError, OpspecError, internal
from opspec.frames.cells import WHOLE, Cells, Parts, call_of_parts, parts_of, plain, whole_call
from opspec.registry.registry import registry
from opspec.validator.api import ALL, language, resolved
from opspec.validator.batch import Judge
from opspec.validator.files import RawCall
from opspec.validator.read import call
from opspec.validator.verdict import Finding, Verdict
from opspec.vocabulary.literals import Lang

#: values of :data:`COLUMNS`
Told: TypeAlias = tuple[
    bool | None, str | None, int | None, str | None, str | None, tuple[str, ...], tuple[str, ...], tuple[str, ...],
    str | None, str | None, str | None,
]  # fmt: skip
T = TypeVar("T")

#: of verdicts, with their types in SQL
COLUMNS = {
    "legal": "boolean",
    "status": "string",
    "code": "int",
    "rule": "string",
    "message": "string",
    "rules": "array<string>",
    "warnings": "array<string>",
    "undecided": "array<string>",
    "support": "string",
    "judged_by": "string",
    "error": "string",
}
DDL = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())  #: as Spark takes a schema

MOST_KEPT = 65_536  #: calls of a partition that are known again; when there are more, it begins anew


class Judged:
    """The verdicts on the rows of a partition.

    Attributes:
        told: verdicts that differ.
        places: of each row, where its verdict is in ``told``.
    """

    __slots__ = ("places", "told")

    def __init__(self, told: list[Told], places: list[int]) -> None:
        self.told = told
        self.places = places


class Rows:
    """Judges the rows of partitions.

    Args:
        release, product: win over what a row says.

    Raises:
        OpspecError: unknown product or language, or a folder of specs that is not there.
    """

    def __init__(self, release: str | None, product: str | None, specs: Sequence[str], lang: Lang) -> None:
        if product == ALL:
            message = "a row has one verdict: name a product, or check the table once for each"
            raise ArgumentError(message, param="product")
        resolved(product)
        self._judge = Judge(registry(specs), release, product, language(lang))

    def judged(self, cells: Cells) -> Judged:
        """A verdict for each row."""
        if WHOLE in cells:
            return _once(cells[WHOLE], lambda text: text if isinstance(text, str) else None, self._of_whole)
        return _once(parts_of(cells), _key, self._of_parts)

    def _of_whole(self, text: object) -> Verdict:
        usual = self._judge.usual(text) if isinstance(text, str) else None
        return self._judge.verdict(call(whole_call(text))) if usual is None else usual

    def _of_parts(self, parts: Parts) -> Verdict:
        op, release, product, args, unknown = parts
        usual = None
        if isinstance(args, str) and not unknown:
            usual = self._judge.usual_args(op, release, product, args)
        return self._judge.verdict(call(raw_call(self._judge, parts))) if usual is None else usual


def raw_call(judge: Judge, parts: Parts) -> RawCall:
    """The call of a row, whose operator says which fields of a struct are params.

    Raises:
        OpspecError: unknown operator or release, or ``args`` is text that is no JSON.
    """
    op, release, _, args, _ = parts
    if isinstance(args, str) or not isinstance(op, str):
        return call_of_parts(parts, ())
    form = judge.form(op, release if isinstance(release, str) else None)
    return call_of_parts(parts, [name for param in form.params for name in (param[0], *param[4])])


def _once(rows: Iterable[T], key_of: Callable[[T], object], verdict_of: Callable[[T], Verdict]) -> Judged:
    """What is told of each row, judging those once that have a key in common."""
    known: dict[object, int] = {}
    told: dict[Told, int] = {}
    places: list[int] = []
    for row in rows:
        key = key_of(row)
        place = None if key is None else known.get(key)
        if place is None:
            place = told.setdefault(_told_of(row, verdict_of), len(told))
            if len(known) == MOST_KEPT:
                known.clear()
            if key is not None:
                known[key] = place
        places.append(place)
    return Judged(list(told), places)


def _told_of(row: T, verdict_of: Callable[[T], Verdict]) -> Told:
    try:
        return _told(verdict_of(row))
    except OpspecError as error:
        return _broken(str(error))
    except RecursionError:
        return _broken("not a call: nested too deeply")
    except Exception as error:  # one row is no reason to lose a partition; it is told as what it is
        return _broken(str(internal("frames", "a row", error)))


def _key(parts: Parts) -> object:
    """What identical calls have in common; None of what is not looked for again."""
    op, release, product, args, unknown = parts
    if unknown is not None or not all(part is None or isinstance(part, str) for part in (op, release, product)):
        return None
    if isinstance(args, str):
        return parts
    try:
        return op, release, product, _written(plain(args)), None
    except (TypeError, ValueError, RecursionError):
        return None


_written = JSONEncoder().encode


def _told(verdict: Verdict) -> Told:
    decisive = verdict.decisive
    return (
        verdict.legal, verdict.status, verdict.code,
        decisive.rule if decisive else None, decisive.message if decisive else None,
        _names(verdict.violations), _names(verdict.warnings), _names(verdict.undecided),
        verdict.support, verdict.release, None,
    )  # fmt: skip


def _broken(message: str) -> Told:
    # Lists are empty: of a null in their place pandas makes what Spark takes for no list.
    return None, None, None, None, None, (), (), (), None, None, message


def _names(findings: Sequence[Finding]) -> tuple[str, ...]:
    return tuple(finding.rule for finding in findings)
