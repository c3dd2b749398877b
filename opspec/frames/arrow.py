"""pyarrow, where somebody has installed it."""

from __future__ import annotations

from types import ModuleType

from opspec.errors import OpspecError


def arrow() -> ModuleType:
    """The module.

    Raises:
        OpspecError: it is not there.
    """
    try:
        import pyarrow
    except ImportError:
        raise OpspecError("this needs pyarrow: pip install 'opspec[frames]'") from None
    module: ModuleType = pyarrow
    return module
