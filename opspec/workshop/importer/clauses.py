"""The ledger: which statements restrict a call, where they stand, and which kinds of them no validator can check."""

from __future__ import annotations

import hashlib
import re

from opspec.workshop.importer.wording import one_of, spotting

#: A statement without any of these words describes; one with them may restrict.
_RESTRICTS = spotting(
    "需|必须|应该?(?!用)|要求|不支持|支持",
    "一致|相同|相等|满足|范围",
    "不能|不可|不允许|不超过|不大于|不小于|小于|大于|等于|≤|≥|<|>",
    "仅|只能",
    "shape|维|数据类型|数据格式|枚举|取值",
    "空指针|nullptr|为空",
    "长度|个数|元素|整数倍|整除|互斥|同时|对齐|连续",
    "限制|约束|合法|保证|禁止|至少|最多|必[选传填]|可选",
    "倍数|一一对应|广播|broadcast",
    r"值域|上限为|不得超过|数值(?:在|为(?:非负|\d))|∈|\w ?= ?\[\d|\\[lg][et]\b",
)
#: A statement that gives a range restricts, whatever it describes besides; the meaning of a letter only tells it.
_RANGE = re.compile(
    r"(?!\w+\s*[：:|]).*(?:值域|(?:取值|数值)范围[是为在]?\s*[\[(（]"
    r"|(?:范围|要求|需要?|数值为?)(?:大于|小于|非负))",
    re.DOTALL,
)
_POINTER = "(?:空指针|nullptr)"
#: A statement that has such a word restricts, whatever else it says.
_DEMANDS = (
    "必须|必[传填]|不支持|[仅只]支持|不能|不可(?!导)|不允许|不得",
    "需要?(?:同时)?(?:传入|提供|存在|满足)|同时(?:传入|存在)",
)
_RESTRICTS_STILL = spotting(*_DEMANDS, "一致$|相同$", "不超过.*数值范围")
#: a demand that the section on the function may have besides, among words that tell what is computed
_DEMANDS_OF_FUNCTION = spotting(
    *_DEMANDS,
    "(?<!不)需要?(?:为|是|配置|同时|与|和|以)|都需|(?<!对)应该?(?:小于|大于|为|与)",
    "的限制|配套使用",
)
_RANGE_OF_PARAM = re.compile(r"⟦\w+⟧(?!在).{0,40}(?:取值|有效)范围")
#: it speaks of other interfaces, or of letters of a formula
_OF_OTHERS = spotting("^相似接口|^V1版本", "^[A-Z][：:]", "与.{0,40}区别", "切片|切起", "^在采样过程中|两段式接口")
#: A statement that begins or ends so, or has such a word, describes.
_DESCRIBES = spotting(
    "^(?:综合)?(?:约束|限制)?(?:请)?(?:参见|详见|见|参考)",  # a reference
    "^无[。]?$|^-$|^公式",
    "默认(?:值|为|支持)",
    r"^支持(?:传入)?空\s*[tT]ensor|^支持非连续",  # a permission
    "建议|推荐",
    "^预留参数[，。]?暂未使用",
    "表示|代表",
    "^(?:其中|例如|如：|比如|示例|说明)",
    "^(?:支持的?)?(?:shape|枚举值|取值)(?:为|如下)?：?$|：$|:$",  # a heading
    "参数说明|^Device侧|是指|可用于|指定|^该接口|^返回|aclnnStatus",
    "^如果传入nullptr|不使用该功能时可传|可选参数[，。]?$|^可选",
    f"^支持传入?{_POINTER}|^支持(?:传)?空指针",
)
#: Headings, references, and what a value makes an operator do; whatever other words they hold.
_NO_STATEMENT = spotting(
    "(?<!数值范围)[:：]$|^(?:详?见|参见|参考|请参)",
    r"^[\w/（）]{0,16}(?:约束|说明|要求|场景|限制|规则)$",
    "对应(?:于)?(?:计算)?公式(?:描述)?中?的?[^，。]{0,30}。?$",
    "会转换为.{0,20}计算(?!.*不支持)",
    "^支持(?:不?转置|转置[/、]非?不?转置)(?:场景)?。?$",
    "^(?:流模式的?枚举|reduce轴的?维度是否保留)",
)
#: A part of a sentence that explains what the others say, with the pause before it; and what the others may ask for,
#: where they do not lead up to a formula or tell what a value means
_ASIDE = re.compile("[，,；;(（][^，。；;()（）]*(?:表示|代表)[^，。；;()（）]*")
_ALIKE = re.compile(r"(?!\d|.*公式).*(?:与|和)[^，。；]{1,40}(?:一致|相同|broadcast关系)", re.DOTALL)
_C_TYPE = "(?:u?int(?:8|16|32|64)?(?:_t)?|bool|float(?:16|32)?|double|char|string)"
_TYPE = re.compile(
    rf"(?:(?:数据类型|dtype)(?:仅|只)?(?:支持|为)|[仅只]支持){_C_TYPE}"
    r"\s*\*?(?:类型)?(?:[，,]?数据格式支持ND)?|数据格式支持ND",
    re.IGNORECASE,
)
#: What a return row says of the machinery, not of the call.
_MACHINERY = re.compile(r"runtime|Runtime|aclOpExecutor|API内部校验错误|算子执行失败|变量初始化失败")
_ELEMENTS = one_of("元素", "数据", "中的值", "的值", "取值", "索引", "数值", "值域", "内容")
_MUST = one_of("必须", "需要?", "应", "均", "都", "不能", "不可", "大小", "不允许")
#: how elements of a tensor may have to be: in a range, in an order, each once
_SO = one_of(
    "在", "不能", "不可", "为", "小于", "大于", "等于", "递增", "升序", "降序", "有序", "唯一", "重复",
    "不超过", "合法", "有效", "取值范围",
)  # fmt: skip
#: what no check of arguments can decide, by kind
_KINDS = {
    "other_cards": spotting(
        "各卡|每张卡|其他卡|通信域|多卡|所有卡|卡间|rank间|各rank|多机|单机|集群|节点间|超节点",
        "HCCL|hccl|BUFFSIZE|环境变量",
    ),
    "precision": spotting(
        r"精度|性能|溢出|误差|inf\b|nan\b|NaN|Inf|劣化|耗时|截断|舍入|降精度|确定性|饱和",
    ),
    "device_data": spotting(
        f"{_ELEMENTS}{_MUST}*{_SO}",
        "递增|非递减|升序|不重复|累加和|cumsum|前缀和|排序|每个元素|各元素",
    ),
    "timing": spotting(
        "配套使用|同一个?stream|异步|同步|多线程|并发|图模式|aclgraph|捕获|生命周期|释放|先调用|调用顺序|同一进程|线程",
    ),
}
_SUBJECT_OF_SHAPES = re.compile(r"shape|维|数据类型|数据格式|Ⓣ|Ⓢ")


def restricts(text: str) -> bool:
    """Whether a statement can restrict a call; descriptions, references and defaults do not."""
    bare = text.strip()
    if len(bare) < 3 or not _RESTRICTS.search(bare) or (len(bare) < 60 and _NO_STATEMENT.search(bare)):
        return False
    return not _DESCRIBES.search(bare) or bool(
        _RANGE.match(bare) or _RESTRICTS_STILL.search(bare) or _asks_for_likeness(bare)
    )


def demands(marked: str) -> bool:
    """Whether a statement of the section on the function, its params in brackets, says what a call must be like."""
    if _OF_OTHERS.search(marked):
        return False
    return bool(_DEMANDS_OF_FUNCTION.search(marked) or _RANGE_OF_PARAM.search(marked))


def _asks_for_likeness(text: str) -> bool:
    """Whether a statement that explains a size or a letter asks for the same shape or type, too."""
    rest = _ASIDE.sub("", text)
    return rest != text and not _DESCRIBES.search(rest) and bool(_ALIKE.match(rest))


def types(text: str) -> bool:
    """Whether a statement only says an attribute's type, which its declaration in C has."""
    return bool(_TYPE.fullmatch(text.strip(" -。；;")))


def about_machinery(text: str) -> bool:
    """Whether a return row speaks of failures inside the library, which no argument causes."""
    return bool(_MACHINERY.search(text))


def not_checkable(text: str, about_tensor: bool) -> str | None:
    """The kind of a statement that no check of arguments can decide, or None.

    Args:
        about_tensor: whether it is about a tensor, whose values live on the device; an attribute's can be checked.
    """
    for kind, pattern in _KINDS.items():
        if kind == "device_data" and (not about_tensor or _SUBJECT_OF_SHAPES.search(text)):
            continue
        if pattern.search(text):
            return kind
    return None


def fingerprint(text: str) -> str:
    """Eight hex digits that stand for a statement's words; spaces and punctuation at its end do not matter."""
    bare = re.sub(r"\s+", "", text).rstrip("。；;，,.：:")
    return hashlib.blake2b(bare.encode(), digest_size=4).hexdigest()
