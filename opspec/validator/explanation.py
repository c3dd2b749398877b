"""A finding's words: forms that are made once for all calls that break a rule, and the values of one call."""

from __future__ import annotations

from collections.abc import Sequence

from opspec.jsontext import written

MARKS = [*map(chr, range(0xE000, 0xE040))]  #: characters of no text, which stand for values in forms
_BRACES = {ord("{"): "{{", ord("}"): "}}"}
_GAPS = {**_BRACES, **{ord(mark): f"{{{place}}}" for place, mark in enumerate(MARKS)}}


class Forms:
    """Message, what is required and what is there, with gaps for values as ``str.format`` fills them.

    Attributes:
        json: the same as members of a JSON object.
    """

    __slots__ = ("actual", "expected", "json", "message")

    def __init__(self, message: str, expected: str, actual: str) -> None:
        self.message = message
        self.expected = expected
        self.actual = actual
        self.json = f'"message": {written(message)}, "expected": {written(expected)}, "actual": {written(actual)}'


class Explanation:
    """A finding's words: the message, what was required, what was there, and the path of its param.

    Args:
        values: what stands in the gaps of the forms.

    Attributes:
        text: the finding as JSON, once somebody wrote it.
    """

    __slots__ = ("_forms", "_values", "path", "text")

    def __init__(self, forms: Forms, values: Sequence[str], path: str | None) -> None:
        self._forms = forms
        self._values = values
        self.path = path
        self.text = ""

    @property
    def message(self) -> str:
        """The whole sentence."""
        return self._forms.message.format(*self._values)

    @property
    def expected(self) -> str:
        """What the rule requires here."""
        return self._forms.expected.format(*self._values)

    @property
    def actual(self) -> str:
        """What the call has."""
        return self._forms.actual.format(*self._values)

    @property
    def json(self) -> str:
        """Message, expected and actual as members of a JSON object."""
        values = self._values
        plain = "".join(values)
        if len(written(plain)) > len(plain) + 2:
            values = [written(value)[1:-1] for value in values]
        return self._forms.json.format(*values)


def marked(*texts: str) -> Forms:
    """Forms of texts in which :data:`MARKS` stand for values."""
    return Forms(*[text.translate(_GAPS) for text in texts])


def said(message: str, expected: str, actual: str, path: str | None) -> Explanation:
    """Words of one call alone, whatever stands in them."""
    return Explanation(Forms(*[text.translate(_BRACES) for text in (message, expected, actual)]), (), path)
