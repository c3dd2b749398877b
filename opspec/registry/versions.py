"""Versions of CANN, as people, toolkits and logs write them, and which release of the registry each is read as.

CANN has more versions than the registry has releases: candidates, betas, patches, and those in between. One that is not
there is read as the nearest that is, and whoever does so says it (:meth:`Reading.words`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from opspec.model.beside import release_key
from opspec.vocabulary.literals import Lang

#: ``8.5.0``, ``8.0.RC3``, ``8.2.rc1.alpha002``, ``9.0.0-beta.2``; one number alone is no version
VERSION = r"\d{1,4}(?:\.\d{1,4}){1,3}(?:[.-]?(?i:rc|alpha|beta)[.-]?\d{0,4}){0,3}"
_WHOLE = re.compile(rf"(?:CANN[ _:-]?|V)?({VERSION}|\d{{1,4}})(?:\.x)?", re.IGNORECASE | re.ASCII)
_NUMBERS = re.compile(r"\d{1,4}(?:\.\d{1,4})*", re.ASCII)

_READ = {
    "en": "CANN {0}{1} is none of the releases here ({2}): read as {3}, the nearest",
    "zh": "此处没有CANN {0}{1}（已有{2}）：按最接近的{3}处理",
}
_FROM = {"en": " ({0})", "zh": "（{0}）"}
LOG = "log"  #: the source of a version that a log tells of
_SOURCES = {LOG: {"en": "as the log says", "zh": "见日志"}}


@dataclass(frozen=True, slots=True)
class Reading:
    """A version of CANN, and the release that it is read as.

    Args:
        version: as it was written.
        release: one of the registry's.
        there: the releases that it was read among.
        source: what says so, such as the name of a variable, or :data:`LOG`; empty where a person did.
    """

    version: str
    release: str
    there: tuple[str, ...]
    source: str = ""

    @property
    def is_exact(self) -> bool:
        """Whether it is that release; parts that are 0 need not be written."""
        return self.version == self.release or (
            _NUMBERS.fullmatch(self.version) is not None and _key(self.version) == _key(self.release)
        )

    def said_by(self, lang: Lang) -> str:
        """What says the version, in words."""
        return _SOURCES[self.source][lang] if self.source in _SOURCES else self.source

    def words(self, lang: Lang) -> str:
        """A sentence, without a full stop, that says what it is read as; empty where it is that release."""
        if self.is_exact:
            return ""
        source = _FROM[lang].format(self.said_by(lang)) if self.source else ""
        among = ", ".join(self.there) if lang == "en" else "、".join(self.there)
        return _READ[lang].format(self.version, source, among, self.release)


def version(text: str) -> str | None:
    """The version that a text is: itself without what people put around it; None where it is none.

    >>> version("CANN 8.2.RC1"), version("v10"), version("8.x"), version("latest")
    ('8.2.RC1', '10', '8', None)
    """
    found = _WHOLE.fullmatch(text.strip())
    return None if found is None else found[1]


def nearest(wanted: str, releases: Iterable[str]) -> str | None:
    """The release that a version is nearest to: the one before it or the one behind it.

    A candidate of a release is that release. Else the one of the two counts with which it has more of its number in
    common, then the one whose next part is nearer, then the older one.

    Args:
        wanted: as :func:`version` gives it.

    Returns:
        None where there are no releases.

    >>> there = ("8.5.0", "9.0.0", "9.1.0")
    >>> [nearest(each, there) for each in ("7.0", "8.3.RC1", "8.9", "9.0.1", "9.1.0-beta.1", "10.0")]
    ['8.5.0', '8.5.0', '8.5.0', '9.0.0', '9.1.0', '9.1.0']
    """
    found = _NUMBERS.match(wanted)
    own = _key(found[0] if found is not None else "0")
    ordered = sorted(releases, key=release_key)
    beside = [
        *[each for each in ordered if _key(each) <= own][-1:],
        *[each for each in ordered if _key(each) > own][:1],
    ]
    return min(beside, key=lambda each: _distance(_key(each), own), default=None)


def _key(text: str) -> tuple[int, ...]:
    """The parts of a number, those that are not said being 0."""
    parts = [int(part) for part in text.split(".")]
    return (*parts, *[0] * (4 - len(parts)))


def _distance(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """How far two numbers are apart, the first part that differs before all others."""
    place = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    return (-len(other), 0) if place is None else (-place, abs(one[place] - other[place]))
