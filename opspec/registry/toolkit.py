"""The version of CANN that a machine has: named outright, or found in the toolkit that its environment points to."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from glob import escape, iglob

from opspec.errors import OpspecError
from opspec.files import read_bytes
from opspec.registry.registry import Registry
from opspec.registry.versions import VERSION, Reading, version

NAMED = "OPSPEC_RELEASE"  #: the variable that names a release, or a version of CANN
HOMES = ("ASCEND_TOOLKIT_HOME", "ASCEND_HOME_PATH")  #: variables that name the folder of a toolkit
_MOST_BYTES = 65_536  # of a file that says a version
_MOST_FILES = 32

#: files of a toolkit that say its version, below its folder, and the lines that do. ``Version=`` of a part of a toolkit
#: may be that part's own, which has more numbers than one of CANN
_FILES = (
    ("*-linux/ascend_*_install.info", r"^version=(\S+)"),
    ("version.cfg", rf"^\w+_(?:running|upgrade|installed)_version=\[[^\]\n]*?:({VERSION})\]"),
    ("version.info", r"^version_dir=(?:cann-)?(\S+)"),
    ("toolkit/version.info", r"^version_dir=(?:cann-)?(\S+)"),
    ("runtime/version.info", r"^version_dir=(?:cann-)?(\S+)"),
    ("share/info/*/version.info", r"^version_dir=(?:cann-)?(\S+)"),
    ("version.info", r"^Version=(\S+)"),
    ("share/info/*/version.info", r"^Version=(\S+)"),
)
_FOLDER = re.compile(rf"(?:cann-)?({VERSION})", re.IGNORECASE | re.ASCII)


def installed(known: Registry, environment: Mapping[str, str] | None = None) -> Reading | None:
    """The release that the machine's version of CANN is read as; None where the environment tells of none.

    Args:
        environment: variables; those of the process by default.

    Raises:
        UnknownReleaseError: ``OPSPEC_RELEASE`` is neither a release nor a version of CANN.
    """
    variables = os.environ if environment is None else environment
    named = variables.get(NAMED)
    if named:
        if named in known.releases():
            return Reading(named, named, (named,), NAMED)
        try:
            return known.nearest(named, NAMED)
        except OpspecError as error:
            raise error.at(NAMED) from None
    for variable in HOMES:
        found = _version_in(variables.get(variable, ""))
        if found is not None and known.whole():
            return known.nearest(found, variable)
    return None


def read_as(known: Registry, release: str | None) -> Reading | None:
    """The release that a caller asks for, or that the machine has; None where neither tells one.

    Args:
        release: a release, or a version of CANN, which is read as the nearest release.

    Raises:
        UnknownReleaseError: it is neither; ``OPSPEC_RELEASE`` is neither.
    """
    return installed(known) if release is None else known.nearest(release)


def _version_in(home: str) -> str | None:
    """The version that the files of a toolkit's folder say, or else the folder's name."""
    if not os.path.isdir(home):
        return None
    for pattern, line in _FILES:
        for path in sorted(iglob(os.path.join(escape(home), pattern)))[:_MOST_FILES]:
            for found in re.finditer(line, _text(path), re.MULTILINE):
                if version(found[1]) is not None:
                    return found[1]
    named = (_FOLDER.fullmatch(part) for part in reversed(os.path.realpath(home).split(os.sep)))
    return next((found[1] for found in named if found is not None), None)


def _text(path: str) -> str:
    try:
        return read_bytes(path, _MOST_BYTES).decode("utf-8", "replace")
    except OpspecError:
        return ""
