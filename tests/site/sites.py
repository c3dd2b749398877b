"""Sites to test: a small one that is built here, or a whole one that was (``OPSPEC_SITE``)."""

from __future__ import annotations

import os
import re
from pathlib import Path

from opspec.registry.folders import Entry
from opspec.registry.registry import Registry
from opspec.site.build import Built, build
from opspec.site.packing import common, unpacked
from opspec.vocabulary.literals import Lang

#: operators of the small site: both releases, twins, lists, scalars, arrays, texts, several families, a kernel lookup
SAMPLE = (
    "aclnnAdd", "aclnnAdds", "aclnnInplaceAdd", "aclnnCat", "aclnnGeluBackwardV2", "aclnnLayerNorm", "aclnnMatmul",
    "aclnnTopk", "aclnnConvolution", "aclnnFlashAttentionScoreV4", "aclnnScatter", "aclnnMlaPreprocess",
    "aclnnForeachAddcdivScalarList", "aclnnGroupNorm", "aclnnInplaceScatter",
)  # fmt: skip


class Small(Registry):
    """The registry of a few operators."""

    def __init__(self, names: tuple[str, ...] = SAMPLE, extra: tuple[str, ...] = ()) -> None:
        super().__init__(extra)
        self.names = names

    def entries(self, release: str) -> dict[str, Entry]:
        """The operators of a release that the small registry has."""
        return {name: entry for name, entry in super().entries(release).items() if name in self.names}


def built(registry: Registry, folder: Path) -> Built:
    """Build or renew a site of all releases here."""
    return build(registry, str(folder), registry.releases(), jobs=2)


_PACKED = re.compile(r'<div id="packed" data-text="([^"]*)">.*?</div>', re.S)


def shown(page: Path) -> str:
    """The markup of a page as it is shown: what was packed in its place."""
    lang: Lang = "zh" if ".zh." in page.name else "en"
    return _PACKED.sub(lambda found: unpacked(found[1], common(lang)), page.read_text(encoding="utf-8"))


def whole() -> Path | None:
    """A site of all operators, if one was built before."""
    found = os.environ.get("OPSPEC_SITE")
    return Path(found).resolve() if found else None
