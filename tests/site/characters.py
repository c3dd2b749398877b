"""Which characters the site's own fonts have."""

from __future__ import annotations

from tests.paths import REPOSITORY

#: what pages are made of: specs, and the words of everything that writes
WRITTEN = ("specs/**/*.yaml", "opspec/**/*.py", "opspec/**/*.json", "opspec/**/*.js", "templates/**/*")

#: what formulas are set with: letters, Greek, accents, punctuation, arrows, operators, brackets, mathematical letters
BLOCKS = (
    (0x20, 0x7E), (0xA0, 0xFF), (0x131, 0x131), (0x237, 0x237), (0x300, 0x36F), (0x370, 0x3FF), (0x2000, 0x206F),
    (0x20D0, 0x20FF), (0x2100, 0x214F), (0x2190, 0x23FF), (0x25A0, 0x25FF), (0x27C0, 0x27FF), (0x2900, 0x2BFF),
    (0x1D400, 0x1D7FF),
)  # fmt: skip


def chinese() -> set[str]:
    """Chinese and its punctuation: what our own pages have, and what those of other people's operators may need."""
    punctuation = {*map(chr, range(0x3000, 0x3040)), *map(chr, range(0xFF00, 0xFFF0))}
    return written() | common() | punctuation


def written() -> set[str]:
    """The characters of our own pages that the style sheet leaves to the Chinese font."""
    found: set[str] = set()
    for pattern in WRITTEN:
        for path in REPOSITORY.glob(pattern):
            if path.is_file():
                found.update(path.read_text(encoding="utf-8"))
    return {character for character in found if "\u3000" <= character <= "\uffef"}


def common() -> set[str]:
    """The first level of GB 2312, the 3,755 commonest characters, which stand in its rows 16 to 55."""
    found: set[str] = set()
    for row in range(16, 56):
        for cell in range(1, 95):
            found.update(bytes((0xA0 + row, 0xA0 + cell)).decode("gb2312", "ignore"))
    return found


def mathematical() -> set[str]:
    """What formulas are set with."""
    return {chr(code) for first, last in BLOCKS for code in range(first, last + 1)}
