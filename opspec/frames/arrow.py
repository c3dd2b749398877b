"""pyarrow, where somebody has installed it."""

from __future__ import annotations

from opspec.errors import OpspecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


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
