"""All ratios beside their targets, in one run.

    python benchmarks

The exit status is 1 when a ratio is beyond its target by more than ``MARGIN``: targets hold on a machine that does
nothing else, and this is what other work on it may add.
"""

from __future__ import annotations

import sys

import c_rules
import check
import installed
import layer
import searches
import tables
from figures import MARGIN, Figure, head


def main() -> int:
    """Measure and print; 1 when something is beyond the margin."""
    print(head())
    beyond: list[Figure] = []
    for measured in (
        check.figures, tables.figures, searches.figures, installed.figures, c_rules.figures, layer.figures,
    ):  # fmt: skip
        for figure in measured():
            print(figure, flush=True)
            beyond += [figure] if figure.beyond() else []
    for figure in beyond:
        print(f"beyond its target by more than {MARGIN} times: {figure.what}")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
