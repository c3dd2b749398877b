"""What a row's text says of an attribute's values: enumerations, ranges, lengths."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from opspec.workshop.importer import guards, lexicon
from opspec.workshop.importer.draft import ParamDraft
from opspec.workshop.importer.facts import scoped_lines
from opspec.workshop.importer.page import ParamRow, product_head, sentences
from opspec.workshop.importer.wording import maybe, one_of

_NUMBER = r"-?\d+(?:\.\d+)?(?:[eE]-?\d+)?"
_TEXT = r"[\"'“‘`][\w.+-]{1,40}[\"'”’`]"
_ITEM = rf"(?:{_NUMBER}|{_TEXT}|[A-Z][A-Z_]{{2,12}}|true|false|True|False)"
_NOTE = r"(?:[（(][^（）()]{0,60}[)）])?"
_SEPARATOR = r"\s*(?:、|/|,|，|或者|或|和|以及|\|)\s*"
_NAMED_VALUES = ("枚举值", "取值")
#: 仅支持的取值有：, 取值范围为, 可配置为, 只能取: what stands before the values that an attribute may have
_MAY_BE = one_of(
    "(?:仅|只)?支持(?:的)?(?:传入?|输入|配置|设置)?(?:为|值为)?"
    f"{maybe(*_NAMED_VALUES, '配置值', '的?值', '模式', '配置')}(?:有|为|是|：|:)?",
    f"{one_of(*_NAMED_VALUES, '可?选值', '可取值?', '合法值', '配置值')}(?:范围)?"
    "(?:仅|只)?(?:支持|为|是|包括|有|：|:|在)?(?:以下)?",
    "可?(?:配置|设置)为",
    "(?:仅|只)(?:能|可)(?:取|为|传入?|是)",
)


def _enum(item: str) -> re.Pattern[str]:
    """A sentence that lists the values of an attribute and says nothing else."""
    values = rf"(?P<list>{item}{_NOTE}(?:{_SEPARATOR}{item}{_NOTE})*)"
    return re.compile(
        "^(?:参数|当前|目前|该参数|版本|暂|现|可|则|取值|输入|配置)*"
        rf"{_MAY_BE}\s*[{{\[（(【]?\s*{values}\s*[}}\]）)】]?\s*"
        "(?:种?(?:模式|取值|类型|场景|两种|之一|中的一[个种]|范围内|即可))*$"
    )


_ENUM = _enum(_ITEM)
_ENUM_OF_WORDS = _enum(rf"(?:{_TEXT}|[A-Za-z][A-Za-z0-9_]{{1,24}})")
#: 共享专家数，当前版本不支持，传0即可: what is not supported yet has one value
_NOT_YET = re.compile(r"(?:^|，)(?:预留参数，)?(?:当前|目前)?(?:版本)?暂?不支持，传入?(?P<value>-?\d{1,4})(?:即可)?$")
_STRING_LENGTH = re.compile(
    r"字符串长度(?:要求|范围|需|必须|应|支持|为|在|是)*"
    r"(?:[\[(（](?P<a>\d+)[,，、]\s*(?P<b>\d+)[\])）]|大于(?P<c>\d+)，?小于(?P<d>\d+))"
)
#: -1：…, 为"ND"时表示…: a value, and behind it what it means
_MEANING = re.compile(
    r"^(?:-(?!\d)|\*|当?(?:取值)?为|值为|(?:当前|目前|仅|只)*支持(?:取值)?|=)?\s*"
    rf"(?P<value>{_TEXT}|-?\d{{1,4}}|true|false|True|False)\s*"
    r"(?:[:：=]|-?(?:表示|代表)|（|\(|[，,]?即|时[，,:：]?\s*(?:表示|代表)?)"
)
#: 该值必须: what may stand before a bound, and before one in words
_SUBJECT = ("取值", "值", "参数", "该值", "数值", "其值", "必须", "需要?", "应该?", "要求", "范围", "为", "是", "的")
_SUBJECT_OF_SIGN = ("取值", "值", "参数", "必须", "需要?", "应该?", "要求", "范围", "仅?支持", "为", "是", "的")
_AND_A_NUMBER = rf"\s*(?P<n>{_NUMBER})(?:的?(?:整数|数|正?整数|值))?$"


def _compared(before: Sequence[str], relation: str) -> re.Pattern[str]:
    """A sentence that says nothing but how a number compares with another."""
    return re.compile(f"^{one_of(*before)}*(?:{relation}){_AND_A_NUMBER}")


#: (wording, the range that it stands for)
_COMPARED = (
    (_compared((*_SUBJECT, "一般"), "大于或等于|大于等于|不小于|≥|>="), ">= {}"),
    (_compared((*_SUBJECT, "不能"), "大于|>|＞"), "> {}"),
    (_compared(_SUBJECT, "小于或等于|小于等于|不大于|不超过|≤|<="), "<= {}"),
    (
        re.compile(
            f"^{one_of(*_SUBJECT_OF_SIGN)}*非负(?:数|整数|值)?$|^(?:不能|不可|不支持)(?:传入?|为|是|输入)?负(?:值|数)$"
        ),
        ">= 0",
    ),
    (re.compile(f"^{one_of(*_SUBJECT_OF_SIGN)}*(?:正(?:数|整数|值)|大于0的(?:正?整数|数))$"), "> 0"),
)
_DASH = re.compile(
    r"^(?:取值|值|参数|支持|仅|范围|为|是|在|的|：|:|配置值|输入)*"
    r"\s*(?P<a>-?\d+(?:\.\d+)?)\s*(?:~|～|-|到|至)\s*(?P<b>-?\d+(?:\.\d+)?)(?:之间|范围内|以内)?$"
)
#: brackets with nothing around them but words of ranges
_SPAN_WORDS = re.compile(
    "^(?:参数|当前|目前|该参数|版本|仅|只|支持|的|取值|值|范围|为|是|在"
    "|必须|需要?|应该?|要求|限制|元素|：|:|输入|配置|约束|大小)*"
    r"[\[(（【].*[\])）】](?:之间|范围内|内|区间|的?(?:整数|区间|数|值|范围))*$"
)
_LENGTH = re.compile(
    r"^(?:数组|列表|该|参数|仅|只|支持|要求|其)*(?:size|长度|元素个数|元素数量|数组长度|大小)(?:大小)?"
    r"(?:必须|需要?|应|固定|只能|仅支持)?(?:为|是|等于|=)\s*(?P<n>\d+)(?:个元素)?$"
)
_CASE = re.compile(r"时|场景|模式(?:[下，,]|$)|当(?!前)|如果|若|对于|情况|方案|否则|其[他它余]|分别|前\d|后\d|除")
_EACH = re.compile(r"各?(?:个)?元素(?:值)?(?:均|都|必须|需)*(?:大于|>)(?:0|零)$|(?:取值|值)均?大于0$")
_JOIN = r"\s*(?:、|和|与|及|以及|/)\s*"
_PART = r"[A-Za-z_]\w{0,40}[A-Z]"  # strideH: the element of stride along an axis
_PARTS_SPAN = re.compile(
    rf"^(?P<parts>{_PART}(?:{_JOIN}{_PART}){{0,3}})"
    r"(?:的|取值|值|范围|均|都|必须|需要?|应该?|须|为|是|在|于|∈|：|:|\s){1,8}"
    r"[\[(（【][^\])）】]{1,60}[\])）】](?:的|范围|之|内|间|\s)*$"
)


def read(param: ParamDraft, row: ParamRow) -> None:
    """Fills in enumeration, range or length of an attribute from its row."""
    if param.is_tensor or param.kind in ("scalar_list", "pointer") or "可选" in row.text("io"):
        return  # an optional attribute has a value for "not given" that rows leave out
    lines = [*row.cells.get("usage", ()), *row.cells.get("about", ())]
    if param.kind.endswith("_array"):
        _array(param, lines)
    elif param.kind == "string":
        _string_length(param, lines)
        _value(param, lines)
    elif param.kind != "scalar":
        _value(param, lines)


def _string_length(param: ParamDraft, lines: Sequence[str]) -> None:
    """``[1, 128)`` characters, without the NUL."""
    for line in lines:
        found = _STRING_LENGTH.search(line)
        if found and not product_head(line)[0]:
            text = found[0]
            low, high = int(found["a"] or found["c"]), int(found["b"] or found["d"])
            low += found["c"] is not None or "(" in text or "（" in text
            high -= found["d"] is not None or text.endswith((")", "）"))
            param.properties["length"] = f"[{low}, {high}]"


def is_conditional(sentence: str) -> bool:
    """Whether a sentence holds only in some case, so that its values are not the attribute's."""
    return bool(_CASE.search(sentence))


def unconditional(line: str) -> Iterator[str]:
    """The sentences of a line and their parts up to the first that holds only in some case."""
    for whole in sentences(line):
        if not is_conditional(whole):
            yield whole
        elif re.search(r"其[他它余]|否则|分别", whole):
            continue
        for piece in whole.split("，"):
            if is_conditional(piece):
                break
            yield piece


def _value(param: ParamDraft, lines: Sequence[str]) -> None:
    for scope, line in scoped_lines(lines):
        for sentence in unconditional(line):
            if "enum" in param.properties or "range" in param.properties:
                return
            text = _tidy(sentence)
            values = enumeration(param, text)
            span = None if values else bound(param, text)
            if values and not (scope and len(values) < 1):
                param.properties["enum"] = [{"on": list(scope), "is": values}] if scope else values
            elif span:
                param.properties["range"] = [{"on": list(scope), "is": span}] if scope else span
    if "enum" not in param.properties and "range" not in param.properties:
        values = _meanings(param, lines)
        if values:
            param.properties["enum"] = values


def _tidy(sentence: str) -> str:
    text = re.sub(r"[（(](?:默认|推荐|建议|含)[^（）()]*[)）]", "", sentence.strip().rstrip("。；;，,"))
    text = re.sub(r"，?(?:默认值?|建议|推荐|综合约束|参见|详见).*$", "", text)
    return text.strip("，, ")


def enumeration(param: ParamDraft, text: str) -> list[str] | None:
    """The values that a sentence lists for an attribute, as they stand in a spec."""
    not_yet = _NOT_YET.search(text)
    if not_yet is not None and param.kind == "int":
        return values(param, [not_yet["value"]])
    found = (_ENUM_OF_WORDS if param.kind == "string" else _ENUM).match(text)
    if (
        not found
        or param.kind in ("float", "float32")
        or re.search(rf"[\[(（【]\s*{_NUMBER}\s*[,，]\s*{_NUMBER}\s*[\])）】]", text)
    ):
        return None  # two numbers in brackets are the ends of a range
    words = re.split(
        _SEPARATOR,
        re.sub(_NOTE + r"(?=\s*(?:、|/|,|，|或|和|\||以及|$))", "", found["list"]),
    )
    return values(param, words)


def values(param: ParamDraft, words: Sequence[str]) -> list[str] | None:
    """Words as values of an attribute, or None when one of them is none of its type."""
    literals = [guards.literal(param, word.strip()) for word in words if word.strip()]
    if not literals or None in literals:
        return None
    unique = list(dict.fromkeys(item.strip("'") for item in literals if item is not None))
    if param.kind == "bool":
        return [item.lower() for item in unique] if len(unique) == 1 else None
    if param.kind == "string" and any(not re.search(r"[A-Za-z]", item) for item in unique):
        return None
    return unique


def _meanings(param: ParamDraft, lines: Sequence[str]) -> list[str] | None:
    """The values whose meanings a cell explains line by line; two at least, and all of them."""
    if param.kind not in ("int", "string"):
        return None
    pieces = [
        piece
        for line in lines
        for whole in sentences(line)
        for piece in re.split(r"[，,](?=\s*(?:-?\d{1,3}|[\"'“‘][\w]+[\"'”’])\s*(?:[:：=]|-?(?:表示|代表)))", whole)
    ]
    # the first one may have the attribute's own name before it: 则groupType取值-1：不分组，0：m轴分组
    before = re.compile(rf"^.{{0,80}}?(?<![A-Za-z_]){re.escape(param.name)}的?取值(?:为|：|:)?\s*(?=[-\d\"'“‘])")
    pieces = [before.sub("", piece.strip()) for piece in pieces]
    words = [found["value"].strip("\"'“”‘’`") for piece in pieces if (found := _MEANING.match(piece))]
    quoted = param.kind == "string"
    if len(set(words)) < 2 or (quoted and any(word.isdigit() for word in words)):
        return None
    if any(re.search(r"其他|其它|大于|小于|范围|等$|\.\.\.", piece) for piece in pieces):
        return None
    return values(param, words)


def bound(param: ParamDraft, text: str) -> str | None:
    """The range that a sentence states for a number."""
    if param.kind not in ("int", "float", "float32"):
        return None
    for pattern, template in _COMPARED:
        found = pattern.match(text)
        if found:
            return template.format(found.groupdict().get("n"))
    found = _DASH.match(text)
    if found and float(found["a"]) < float(found["b"]):
        return f"[{found['a']}, {found['b']}]"
    return lexicon.interval(text) if _SPAN_WORDS.match(text) else None


def _array(param: ParamDraft, lines: Sequence[str]) -> None:
    lengths = {found["n"] for line in lines for found in re.finditer(r"(?:size|长度|元素个数)\D{0,6}(?P<n>\d+)", line)}
    for line in lines:
        for whole in sentences(line):
            for piece in unconditional(whole):
                found = _LENGTH.match(_tidy(piece))
                if found and "length" not in param.properties and len(lengths) == 1:
                    param.properties["length"] = found["n"]
                if _EACH.search(_tidy(piece)) and param.kind == "int_array":
                    param.properties["each"] = "> 0"
                span = _all_parts(param, _tidy(piece), lines)
                if span is not None:
                    param.properties.setdefault("each", span)


def _all_parts(param: ParamDraft, text: str, lines: Sequence[str]) -> str | None:
    """The range of all elements of an array that a sentence calls by names of their own: ``strideH和strideW∈[1, 63]``.

    None where the row has names for more of them.
    """
    found = _PARTS_SPAN.match(text) if param.kind == "int_array" else None
    if found is None:
        return None
    own = rf"(?<![A-Za-z_]){re.escape(param.name)}[A-Z](?![A-Za-z_])"
    named = set(re.split(_JOIN, found["parts"]))
    every = {name for line in lines for name in re.findall(own, line)}
    return lexicon.interval(text[found.end("parts") :]) if len(named) > 1 and named == every else None
