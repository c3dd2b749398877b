"""``--release``: a version of CANN that is no release of the registry is read as the nearest, and that is said."""

from __future__ import annotations

from collections.abc import Sequence

from opspec.cli.ending import tell
from opspec.errors import printable
from opspec.registry.registry import registry
from opspec.vocabulary.literals import Lang


def read(release: str | None, specs: Sequence[str], lang: Lang) -> str | None:
    """The release that is meant; None stays None.

    Args:
        specs: registry folders beside the built-in one.

    Raises:
        UnknownReleaseError: it is neither a release nor a version of CANN.
    """
    known = registry(specs)
    if release is None or release in known.releases():
        return release
    reading = known.nearest(release)
    said = reading.words(lang)
    if said:
        tell(printable(said))
    return reading.release
