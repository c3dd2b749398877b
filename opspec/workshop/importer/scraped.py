"""Pages scraped from the vendor's site as bare text: headings are gone, stand-ins are where links were.

Such a page is given the marks of the others, line by line, so that places stay what they are.
"""

from __future__ import annotations

import re

_OPERATOR = re.compile(r"\s*(aclnn\w{1,120})\s*")
#: what stands for a link, a formula or a picture that the scraping lost
_LOST = re.compile(r"\[object Object\]")
_SECTION = re.compile(
    r"\s*(?:(?P<products>支持的产品型号|产品支持情况)|(?P<prototypes>接口原型|函数原型)|(?P<function>功能描述|功能说明)"
    r"|(?P<constraints>约束与限制|约束说明)|调用示例|(?P<operator>aclnn\w{1,120}))\s*[:：]?\s*"
)
_PARAM = re.compile(
    r"\s*(?:-\s*)?[A-Za-z_]\w{0,80}\s*[(（][^()（）]{1,80}[,，]\s*(?:计算输入|计算输出|入参|出参|输入|输出)\s*[)）]"
)
_PART = re.compile(r"\s*(?:参数说明|返回值|返回码)")
_ITEM = re.compile(r"\s*-\s")
#: lost links have left their verb: 支持undefined,undefined支持ND is 支持非连续的Tensor，数据格式支持ND
_FORMAT = re.compile(
    r"([,，]\s*)(?:undefined)?(?=支持\s?[A-Z]{2,8}(?:[、。，,]|$))|(?<=[,，])\s*undefined(?=与)|undefined(?=支持)"
)
_STRIDED = re.compile(r"(?<=支持)(?:undefined)?(?=[,，])")


def is_scraped(text: str) -> bool:
    """Whether a page is bare text: its first line is an operator's name and no line is a heading."""
    first = next((line for line in text.split("\n", 100) if line.strip()), "")
    return bool(_OPERATOR.fullmatch(first)) and not re.search(r"^ {0,3}#{1,6}\s", text, re.M)


def restored(text: str) -> str:
    """The page with marks of headings and items; any other page as it is."""
    if not is_scraped(text):
        return text
    lines = text.split("\n")
    title = next(i for i, line in enumerate(lines) if line.strip())
    made = [*lines[:title], f"# {lines[title].strip()}"]
    in_params = False
    for line in lines[title + 1 :]:
        bare = _LOST.sub(" ", line)
        section = _SECTION.fullmatch(bare)
        if section:
            in_params = section["operator"] is not None
            made.append(f"## {bare.strip()}")
        elif _PART.match(bare):
            made.append(f"- {bare.strip()}")
        elif in_params and _PARAM.match(bare):
            made.append("- " + _words(bare.strip().removeprefix("-").strip()))
        elif in_params and _ITEM.match(bare):
            made.append("  " + _words(bare.strip()))  # an item below the param above it
        else:
            made.append(bare)
    return "\n".join(made)


def _words(text: str) -> str:
    """A param's sentences with the words that its lost links had."""
    return _FORMAT.sub(lambda found: f"{found[1] or ''}数据格式", _STRIDED.sub("非连续的Tensor", text))
