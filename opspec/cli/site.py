"""``opspec site``: the pages of all operators as a site that works from a folder."""

from __future__ import annotations

import argparse

from opspec.cli import options
from opspec.cli.building import add_jobs
from opspec.errors import printable
from opspec.registry.registry import registry
from opspec.site.build import build


def run(words: list[str]) -> int:
    """The command: 0 made."""
    asked = _parser().parse_args(words)
    known = registry(asked.specs)
    releases = known.releases()
    known.check_release(asked.release)
    with options.progress(None) as advance:
        done = build(known, asked.out, [asked.release] if asked.release else releases, asked.jobs, advance, asked.url)
    print(
        f"{done.made} operators made, {done.kept} unchanged; {done.written} files written, {done.removed} removed in "
        f"{printable(asked.out)}"
    )
    return 0


def _parser() -> argparse.ArgumentParser:
    target = options.parser(
        "site",
        "Make a static site of all operators, in both languages: open DIR/index.html, or serve the folder.",
        "A folder that holds a site is renewed: only what changed is made again, and what is gone is removed.",
    )
    target.add_argument("--out", metavar="DIR", required=True, help="the folder to write to; made when it is not there")
    target.add_argument("--url", help="where it will be published: adds sitemap.xml and 404.html, which need to know")
    options.add_release(target, "only this release (default: all)")
    add_jobs(target)
    options.add_specs(target)
    return target
