"""``python -m opspec``."""

from opspec.cli.main import run

if __name__ == "__main__":
    run()
