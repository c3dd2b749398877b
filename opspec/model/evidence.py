"""What recorded calls say of a rule: one sentence in the spec, in both languages wherever it is shown."""

from __future__ import annotations

import re

_SAID = re.compile(
    r"recorded first-phase calls: (?:(?P<broken>\d+) that breaks? it succeeds?)?(?:, )?"
    r"(?:(?P<alone>\d+) that breaks? it alone fails?)?"
)


def said(broken: int, alone: int) -> str:
    """The sentence: ``broken`` calls succeed though they break the rule, ``alone`` fail that break no other.

    >>> said(1, 2)
    'recorded first-phase calls: 1 that breaks it succeeds, 2 that break it alone fail'
    """
    parts = [f"{broken} that {'breaks it succeeds' if broken == 1 else 'break it succeed'}"] if broken else []
    parts += [f"{alone} that break it alone fail"] if alone else []
    return f"recorded first-phase calls: {', '.join(parts)}"


def in_chinese(text: str) -> str:
    """The same sentence in Chinese; any other text as it is.

    >>> in_chinese(said(3, 0))
    '第一段接口的调用记录：违反它的调用有3次成功'
    """
    found = _SAID.fullmatch(text)
    if not found:
        return text
    parts = [f"违反它的调用有{found['broken']}次成功"] if found["broken"] else []
    parts += [f"仅违反它的调用有{found['alone']}次失败"] if found["alone"] else []
    return f"第一段接口的调用记录：{'，'.join(parts)}"
