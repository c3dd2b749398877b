"""Where in a spec a fault is: whoever finds one need not know it."""

from __future__ import annotations

from opspec.errors import OpspecError, SpecError, several
from opspec.model.draft import Path


class placed:  # a generator made into one costs more, for each expression of a spec
    """Adds a place to the errors that have none.

    >>> with placed(("params", 0, "rank")):
    ...     raise SpecError("a span goes upwards")
    Traceback (most recent call last):
    ...
    opspec.errors.SpecError: a span goes upwards

    Raises:
        SpecError: of a fault in it, with its own place or this one.
    """

    __slots__ = ("_path",)

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OpspecError) and (found := _at(error, self._path)) is not error:
            raise found from None


class _Kept:
    """Keeps the errors of a part, which have a place then."""

    __slots__ = ("_found", "_path")

    def __init__(self, path: Path, found: list[OpspecError]) -> None:
        self._path, self._found = path, found

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, OpspecError):
            return False
        self._found += _at(error, self._path).faults
        return True


def _at(error: OpspecError, path: Path) -> SpecError:
    """An error as one of a spec, with this place where it has none."""
    if not isinstance(error, SpecError):
        return SpecError(str(error), path=path)
    error.path = error.path or path
    return error


class Faults:
    """Gathers the faults of a spec's parts, so that all of them are told at once.

    >>> faults = Faults()
    >>> for part in ("a", "b"):
    ...     with faults.placed(("rules", part)):
    ...         raise SpecError(f"{part} is no rule")
    >>> faults.tell()
    Traceback (most recent call last):
    ...
    opspec.errors.SpecError: a is no rule
    b is no rule
    """

    def __init__(self) -> None:
        self._found: list[OpspecError] = []

    def placed(self, path: Path) -> _Kept:
        """Keeps the fault of one part, at this place where it has none; what follows goes on."""
        return _Kept(path, self._found)

    def tell(self) -> None:
        """Ends here where faults were found.

        Raises:
            SpecError: all of them; a fault of a derived value once, not again for each expression that reads it.
        """
        causes = [fault for fault in self._found if not (isinstance(fault, SpecError) and fault.let)] or self._found
        if len(causes) == 1:
            raise causes[0]
        if causes:
            raise several(causes)
