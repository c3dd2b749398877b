"""Write the golden stubs anew: ``python -m tests.codegen.stubs.regenerate``, then read the difference."""

from __future__ import annotations

from tests.codegen.stubs.kept import GOLDEN, kept_texts


def main() -> None:
    """Write every golden file, and remove those that are none any more."""
    texts = kept_texts()
    for path in GOLDEN.glob("*/*"):
        if path not in texts:
            path.unlink()
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
