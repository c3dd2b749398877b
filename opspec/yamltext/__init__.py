"""Text to plain data with positions and comments, and back to one canonical text.

The package knows nothing of specs: a document is a tree of mappings, lists and texts.
"""

from opspec.yamltext.content import within
from opspec.yamltext.document import (
    Comments,
    Document,
    Limits,
    Path,
    Place,
    SpecTextError,
    Tree,
    locate,
    value_at,
)
from opspec.yamltext.reader import read, read_file
from opspec.yamltext.writer import write

__all__ = [
    "Comments", "Document", "Limits", "Path", "Place", "SpecTextError", "Tree", "locate", "read", "read_file",
    "value_at", "within", "write",
]  # fmt: skip
