"""Promise: a site is renewed where something changed and nowhere else; what is gone goes; other files stay."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from opspec.cli.main import main
from opspec.errors import OpspecError
from opspec.registry.registry import Registry
from opspec.site import state
from opspec.site.build import build
from opspec.site.search import index, shard, terms
from tests.paths import REPOSITORY
from tests.site.sites import Small, built

NAMES = ("aclnnAdd", "aclnnPreluBackward")


def pages(*names: str) -> int:
    """How many pages there are of operators: one a release that has them."""
    known = Registry()
    return sum(name in known.entries(release) for release in known.releases() for name in names)


def contents(folder: Path) -> dict[str, bytes]:
    """Path -> content of all files."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_did_not_change_is_left(tmp_path: Path) -> None:
    first = built(Small(NAMES), tmp_path)
    before = contents(tmp_path)
    again = built(Small(NAMES), tmp_path)
    assert (first.made, first.kept) == (pages(*NAMES), 0)
    assert (again.made, again.kept, again.written, again.removed) == (0, pages(*NAMES), 0, 0)
    assert contents(tmp_path) == before


def test_programs_that_read_text_find_every_operator_of_the_newest_release(tmp_path: Path) -> None:
    built(Small(NAMES), tmp_path)
    links = re.findall(r"^- \[\w+\]\((.*?)\): \S", (tmp_path / "llms.txt").read_text(encoding="utf-8"), re.M)
    assert sorted(links) == [f"9.1.0/{name}.en.html" for name in NAMES]
    assert all((tmp_path / link).is_file() for link in links)


def test_two_sites_are_equal_byte_for_byte(tmp_path: Path) -> None:
    for name in ("a", "b"):
        built(Small(NAMES), tmp_path / name)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_an_edited_spec_is_made_again_and_alone(tmp_path: Path) -> None:
    """With its pages of other releases, which tell what changed."""
    specs, site = tmp_path / "specs", tmp_path / "site"
    for path in (REPOSITORY / "specs" / "9.1.0").rglob("aclnnAbs.*"):
        target = specs / "9.1.0" / path.parent.name / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    registry = Small(("aclnnAbs", "aclnnCat"), (str(specs),))
    built(registry, site)
    spec = next(specs.rglob("aclnnAbs.yaml"))
    spec.write_text(spec.read_text().replace("summary:", "summary:\n  # a remark", 1))
    again = built(registry, site)
    assert (again.made, again.kept) == (pages("aclnnAbs"), pages("aclnnCat"))


def test_a_lost_page_is_made_again(tmp_path: Path) -> None:
    built(Small(NAMES), tmp_path)
    lost = tmp_path / "9.1.0" / "aclnnAdd.en.html"
    before = lost.read_bytes()
    lost.unlink()
    assert built(Small(NAMES), tmp_path).made == 1
    assert lost.read_bytes() == before


def test_what_is_gone_goes_and_what_is_not_ours_stays(tmp_path: Path) -> None:
    built(Small(NAMES), tmp_path)
    own = tmp_path / "9.1.0" / "own.html"
    own.write_text("mine")
    gone = built(Small(NAMES[1:]), tmp_path)
    assert gone.removed
    assert not list(tmp_path.rglob("aclnnAdd.*"))
    assert own.read_text() == "mine"


def test_a_state_that_names_files_elsewhere_takes_none_away(tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("mine")
    site = tmp_path / "site"
    built(Small(NAMES[1:]), site)
    path = site / state.STATE
    value = json.loads(path.read_text())
    path.write_text(json.dumps({**value, "files": [*value["files"], "../other.txt", str(other)]}))
    built(Small(NAMES[1:]), site)
    assert other.read_text() == "mine"
    for hostile in ("", "[]", "{", '{"files": 1}', '{"digests": {}, "records": {}, "files": [1]}'):
        path.write_text(hostile)
        assert built(Small(NAMES[1:]), site).made == pages(*NAMES[1:])


def test_terms_of_names_begin_at_each_word() -> None:
    assert [*terms("aclnnGeluBackwardV2")] == ["aclnngelubackwardv2", "gelubackwardv2", "backwardv2", "v2"]
    assert [*terms("层归一化, gradients of")] == ["gradient", "of", "层归", "归一", "一化", "化"]
    found = index([{20: ["GroupNorm"], 5: ["normalizes 组"]}])
    assert found[shard("norm")]["norm"] == [0, 20]
    assert found["u" + str(ord("组") % 16)] == {"组": [0, 5]}


@pytest.mark.node
@pytest.mark.parametrize("page", ["docs/site.md", "docs/zh/site.md"])
def test_the_scripts_judge_without_a_browser_as_the_docs_show(tmp_path: Path, page: str) -> None:
    built(Small(NAMES), tmp_path / "build" / "site")
    example = re.findall(r"```bash\n(node .*?)```", (REPOSITORY / page).read_text(encoding="utf-8"), re.S)
    ran = subprocess.run(["bash", "-c", example[0]], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stdout == "[ 'out-broadcast-shape' ]\n"


def test_the_command_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["site", "--release", "latest", "--out", str(tmp_path)]) == 2
    assert "there are 8.0, 8.5.0, 9.0.0, 9.1.0" in capsys.readouterr().err
    assert main(["site", "--release", "8.0", "--out", str(tmp_path), "-j", "1"]) == 0
    assert capsys.readouterr().out.startswith(f"{len(Registry().entries('8.0'))} operators made, 0 unchanged")


def test_matrix_and_drift_board_take_a_release(tmp_path: Path) -> None:
    """Each release has its own, with data of its own, and leads to those of all others."""
    registry = Small(("aclnnAbs", "aclnnCat"))
    built(registry, tmp_path)
    releases = [release for release in registry.releases() if registry.entries(release)]
    assert len(releases) > 2
    for release in registry.releases():
        for page in ("matrix", "drift"):
            for lang in ("en", "zh"):
                text = (tmp_path / release / f"{page}.{lang}.html").read_text()
                assert f'data-releases="{" ".join(registry.releases())}"' in text
        matrix = (tmp_path / "data" / release / "matrix.js").read_text()
        assert [name in matrix for name in ("aclnnAbs", "aclnnCat")] == [
            name in registry.entries(release) for name in ("aclnnAbs", "aclnnCat")
        ]


def test_a_site_that_knows_its_address_lists_its_pages_and_says_what_is_not_there(tmp_path: Path) -> None:
    registry = Small(("aclnnAbs",))
    build(registry, str(tmp_path), ["9.1.0"], jobs=1, url="https://example.org/a/b")
    places = re.findall("<loc>https://example.org/a/b/(.*?)</loc>", (tmp_path / "sitemap.xml").read_text())
    pages = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.html")}
    assert sorted(places) == sorted(pages - {"404.html"})
    assert 'href="/a/b/index.html"' in (tmp_path / "404.html").read_text()
    for wrong in ("example.org", "file:///tmp", "https://example.org/?a=b", "https://[", ""):
        with pytest.raises(OpspecError, match="an address such as"):
            build(registry, str(tmp_path), ["9.1.0"], jobs=1, url=wrong)
    build(registry, str(tmp_path), ["9.1.0"], jobs=1)
    assert not (tmp_path / "404.html").exists()


def test_search_engines_are_told_what_an_operator_does(tmp_path: Path) -> None:
    built(Small(("aclnnAbs",)), tmp_path)
    text = (tmp_path / "9.1.0" / "aclnnAbs.en.html").read_text()
    assert '<meta name="description" content="Computes the element-wise absolute value.">' in text
