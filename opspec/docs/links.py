"""Where pages lie beside each other: what a form of pages needs to know to link them."""

from __future__ import annotations

from dataclasses import dataclass

from opspec.vocabulary.literals import Lang


@dataclass(frozen=True, slots=True)
class Links:
    """The links between pages of one release in one folder; a site of another layout has links of its own."""

    lang: Lang
    extension: str

    def op(self, name: str) -> str:
        """The page of an operator."""
        return f"{name}.{self.lang}.{self.extension}"

    def rules(self, name: str) -> str:
        """The page of all its rules."""
        return f"{name}.rules.{self.lang}.{self.extension}"

    def other(self, name: str) -> str:
        """The page of an operator in the other language."""
        return f"{name}.{'en' if self.lang == 'zh' else 'zh'}.{self.extension}"

    def index(self) -> str:
        """The list of operators."""
        return f"index.{self.lang}.{self.extension}"

    def glossary(self, anchor: str = "") -> str:
        """The glossary, or a term of it."""
        return f"glossary.{self.lang}.{self.extension}{'#' if anchor else ''}{anchor}"
