"""Whether two pages state the same in other words.

Pages are edited between releases: punctuation, "must be" for "needs to be", one sentence in two cells or two in
one. None of that changes what a statement requires. Names, numbers, comparisons and negations do, and stay.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

#: what is said in several ways, as one of them; in this order
_SAME = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (r"\((?:参见|详见|参考|见|如)[^()]*\)|\[([^\]]*)\]\([^)]*\)", r"\1"),
        (r"公式中的?[a-z_]\w*|参[见考]说明|(?<=类型)互(?:转换|推导)关系$|(?<=类型)互(?:转换|推导)关系(?=[,，;。])", ""),
        (r"(?<!不)(?=支持非连续)|(?<=关系)(?=支持|shape)", ","),
        (r"×", "*"),
        (r"(?<![a-z])(true|false)(?:即|表示)", r"\1,"),
        (r"(?:必须|需要?|应)传入?(?:该参数)?(?=$|[,;。])|必传", "必选"),
        (r"取值(?=不?(?:一致|相同|等于))", ""),
        (r"(?<![a-z0-9])([a-z])轴", r"\1"),
        (r"(?<=[一-鿿]\))(?=[a-z])", "、"),
        (r"大于或?等于|不小于|≥|>=|大于等于", "≥"),
        (r"小于或?等于|不大于|不超过|不能超过|≤|<=|小于等于", "≤"),
        (r"不等于|!=|≠", "≠"),
        (r"等于|==", "="),
        (r"大于", ">"),
        (r"小于", "<"),
        (r"—|－|–", "-"),
        (r"dtype|数据类型", "类型"),
        (r"数据格式|format", "格式"),
        (r"[dD]evice侧的?", ""),
        (r"(?:完全)?(?:保持|相互)?(?:一致|相同|相等)", "同"),
        (r"一维|1维|(?<![a-z0-9])1-?d(?![a-z])", "1维"),
        (r"二维|2维|两维|(?<![a-z0-9])2-?d(?![a-z])", "2维"),
        (r"三维|(?<![a-z0-9])3-?d(?![a-z])", "3维"),
        (r"四维|(?<![a-z0-9])4-?d(?![a-z])", "4维"),
        (r"五维|(?<![a-z0-9])5-?d(?![a-z])", "5维"),
        (r"六维|(?<![a-z0-9])6-?d(?![a-z])", "6维"),
        (r"八维|(?<![a-z0-9])8-?d(?![a-z])", "8维"),
        (r"nullptr|空指针|None", "空"),
        (r"float32", "float"),
        (r"维度", "维"),
        (r"([≥>]\d+)(?=[<≤])", r"\1;"),
        (r"shape(?:为|支持)?(?=[(\[]|n?hwc\()", ""),
        (r"使能|启用|打开", "开启"),
        (r"之间|以内", "间"),
        (r"维(?:为)?(?=\d维)|[,;](?=即)|即为?|其中|如果|若|当(?!前)|的?(?:场景|情况)下?(?=[,，])|的时候", ""),
        (r"(?<=不在)(?:支持|可选|合法)的?范围(?:之内|内)?", "范围"),
        (r"必须|必需|需要|需|应该|应当|应|要求|满足|确保|保证", ""),
        (r"并且|而且|同时|且", ";"),
        (r"以及|或者|[与和跟及或、/]", "、"),
        (
            r"暂时|当前|目前|只能|传入|输入|输出|入参|出参|参数|均|都|的|其(?![余他它])|该|为|是|在|可以|暂|张量|tensor",
            "",
        ),
        (r"取?值范围", "范围"),
        (r"shape(?=第)", ""),
        (r"(?:类型){2,}", "类型"),
        (r"互?推导(?:关系|规则)", "推导"),
        (r"互?转换(?:关系|规则)", "转换"),
        (r"类型(?=推导)", ""),
        (r"及以(?=[上下])", "以"),
    )
)
_PIECES = re.compile(r"[,;。;:!]")
#: a piece that limits what stands behind it, or takes something from what stands before
_CONDITION = re.compile(r"时$|场景|^(?:product|ascend|atlas)|模式下?$|情况|默认|例如|比如")
_OPEN = re.compile(r"(?:时|场景|情况)下?$|^(?:默认|例如|比如)")  # a last piece to which something is lacking
_EXCEPTION = re.compile(r"^(?:除|否则|其余|其他|其它|但|不含|仅|例外)|除外")
_VAGUE = re.compile(
    r"不在.{0,8}范围|不支持(?:的|[。;；]?$)|不合法|校验|不满足.{0,6}(?:条件|约束|限制|要求)|不正确|不符合"
)
_RANK = re.compile(
    r"(?<![第前后末最每个a-z0-9.*+<>≤≥=(\[、-])((?:[0-8](?:[-~][1-8])?维?、)*[0-8](?:[-~][1-8])?)维(?!以|大小|长度|上|元素|、)"
)
_SUBJECT = re.compile(r"^[A-Za-z]\w*\s*的?", re.A)  # the param that a cell need not name
#: what must be as something else is: several properties in one piece, or one behind the name
_PROPERTY = "shape|类型|格式|维"
_TOGETHER = re.compile(rf"(.*?)((?:{_PROPERTY})(?:、(?:{_PROPERTY}))+)(、.*同)")
_TWICE = re.compile(rf"((?:.*、)?)({_PROPERTY})((?:、(?:{_PROPERTY}))*)、([a-z_]\w*?)\2\3同", re.A)
_BEHIND = re.compile(rf"、([a-z_]\w*?)({_PROPERTY})同", re.A)
_BARE = re.compile(r"、[a-z_]\w*同", re.A)  # as something else is, and nobody says what
#: what allows something, and so takes nothing from a statement that lacks it
_ALLOWS = re.compile(r"支持(?:空|非?连续|\d-\d维|\d维)*")
#: what a piece is about, where it says so
_ABOUT = {
    "dtype": re.compile(r"类型|castable"),
    "format": re.compile(r"格式"),
    "shape": re.compile(r"shape|维|轴|大小|长度|个数|元素"),
    "value": re.compile(r"^(?:取|数)?值"),
}
_LEANS = re.compile(r"^[≥≤<>=≠、同\d]")  # a piece that is about what stands right before it
_LISTED = re.compile(r"^[、\d]|\d$")  # one of a list of values
#: a shape as pages write it, ``(B, S, N, D)`` or ``[E, K1, N1]``: at least one of its dims has a name
_SHAPE = re.compile(r"[\[(]([\w.*+/,、-]*[a-z][\w.*+/,、-]*)[\])]", re.A)
_CELL = re.compile(r"params/\w+/rank$", re.A)
_SIMILAR = 0.5  # of two statements on one matter; by hand, 17 of 18 that are less alike were on different ones
_SHORT = 4  # characters of a piece that says too little to stand for a whole statement


def pieces(text: str) -> tuple[str, ...]:
    """A statement's parts between punctuation, without what may be said in other words."""
    bare = unicodedata.normalize("NFKC", text).lower()
    bare = re.sub(r"<[^>]{1,20}>|(?:^|(?<=\s))(?:•|\d[.)]|-(?=\s+\w*[^\W\da-z_]))\s+|[\s`*$_]+", "", bare)
    for pattern, plain in _SAME:
        bare = pattern.sub(plain, bare)
    bare = re.sub(r"(\d),(?=\d)", r"\1、", re.sub(r"[,、](?=[)\]])", "", bare))
    found = [piece for piece in _PIECES.split(bare) if piece]
    whole = [*found[:-1], found[-1].removesuffix("时") or found[-1]] if found else []
    return tuple(one for piece in _whole(whole) for one in _apart(piece))


def _whole(found: list[str]) -> Iterator[str]:
    """Pieces, with the property that stands in the piece before: "the type is one of these, as that of x"."""
    for before, piece in zip(["", *found], found, strict=False):
        property_ = re.findall("类型|格式", before) if _BARE.fullmatch(piece) else []
        yield f"{property_[0]}{piece}" if len(property_) == 1 else piece


def _apart(piece: str) -> list[str]:
    """What is said of shape and type in one piece as two pieces; "x's type" as "the type of x"."""
    piece = _TWICE.sub(r"\1\2\3、\4同", piece)
    found = _TOGETHER.fullmatch(piece)
    if found:
        return [f"{found[1]}{one}{found[3]}" for one in found[2].split("、")]
    behind = _BEHIND.fullmatch(piece)
    return [f"{behind[2]}、{behind[1]}同"] if behind else [piece]


def says(new: tuple[str, ...], old: tuple[str, ...]) -> bool:
    """Whether the pieces of a new statement have all those of an old one, under no other condition."""
    if "".join(new) == "".join(old):
        return bool(old)
    old = tuple(piece for piece in old if not _ALLOWS.fullmatch(piece))
    if not old or not new:
        return False
    if len(new) < len(old) or sum(map(len, old)) < _SHORT or _OPEN.search(old[-1]):
        return False
    own = bool(re.search("时|场景", old[0]))  # a condition of its own
    for start in range(len(new) - len(old) + 1):
        end = _end(new, old, start)
        if end is not None:
            limited = not own and any(_CONDITION.search(piece) for piece in new[:start])
            longer = any(_LISTED.search(piece) for piece in old) and _LISTED.match(new[end]) if new[end:] else None
            return not limited and not longer and not (new[end:] and _EXCEPTION.search(new[end]))
    return False


def _end(new: tuple[str, ...], old: tuple[str, ...], start: int) -> int | None:
    """Where the pieces of an old statement end that begin here in a new one, with no other than plain ones between."""
    place = start
    for number, piece in enumerate(old):
        while number and place < len(new) and new[place] != piece:
            if _LEANS.search(piece) or _CONDITION.search(new[place]) or _EXCEPTION.search(new[place]):
                return None
            place += 1
        if place == len(new) or new[place] != piece:
            return None
        place += 1
    return place


def part(said: tuple[str, ...], about: str) -> tuple[str, ...]:
    """The pieces of a statement without those that are about something else: another property of its param."""
    kept = [piece for piece in said if _CONDITION.search(piece) or about in (facets := properties(piece)) or not facets]
    return tuple(kept) if any(about in properties(piece) for piece in kept) else ()


def properties(piece: str) -> set[str]:
    """What a piece is about, where it says so: data type, format, shape, value."""
    return {name for name, words in _ABOUT.items() if words.search(piece)}


def ranks(said: Any) -> frozenset[int]:
    """The numbers of dims that ``2``, ``1-8`` or a list of such stands for; none for what is no number."""
    if isinstance(said, list):
        return frozenset().union(*map(ranks, said))
    found = re.fullmatch(r"(\d)(?:[-~](\d))?", str(said))
    return frozenset(range(int(found[1]), int(found[2] or found[1]) + 1)) if found else frozenset()


def shapes(text: str) -> frozenset[str]:
    """The shapes that a text writes in brackets, without what may be written in other ways."""
    bare = re.sub(r"<[^>]{1,20}>|[\s`$\\\\]+", "", unicodedata.normalize("NFKC", text).lower()).replace("×", "*")
    return frozenset(found.replace("、", ",").rstrip(",") for found in _SHAPE.findall(bare))


def _draws(new: str, old: str) -> bool:
    """Whether a statement has all shapes that a cell of shapes has, and all numbers."""
    drawn = shapes(old)
    return bool(drawn) and drawn <= shapes(new) and set(re.findall(r"\d+", old)) <= set(re.findall(r"\d+", new))


def vague(text: str) -> bool:
    """Whether a row of return codes only says that something is wrong, not what."""
    return bool(_VAGUE.search(text))


@dataclass(frozen=True, slots=True)
class Statements:
    """All statements of a page about one operator.

    Args:
        listed: them in the page's order, as the flat spec lists clauses; also those that only seem to describe.
        texts: their words, by fingerprint.
        read: by fingerprint, the rules that an importer makes of them.
    """

    listed: list[dict[str, Any]]
    texts: Mapping[str, str]
    read: Mapping[str, list[Any]]


@dataclass(frozen=True, slots=True)
class Wordings:
    """Which statements of a new page say what statements of an old one say.

    Args:
        same: statement of the new page -> those of the old page that it says, whole.
        more: statements of the new page that say more than that.
        partly: statement of the new page -> property -> those of the old page, of which it says what they say of it.
        old: the statements of the old page.
        new: those of the new one.
    """

    same: Mapping[str, tuple[str, ...]]
    more: frozenset[str]
    partly: Mapping[str, Mapping[str, tuple[str, ...]]]
    old: Statements
    new: Statements

    @classmethod
    def between(cls, old: Statements, new: Statements, names: Mapping[str, str]) -> Wordings:
        """Compare two pages.

        Args:
            old: the statements of the old page.
            new: those of the new one.
            names: params of the old page -> what the new one calls them.
        """
        before = [(mark, pieces(_renamed(text, names))) for mark, text in old.texts.items()]
        now = {mark: pieces(text) for mark, text in new.texts.items()}
        cells = {mark for mark, text in old.texts.items() if not _SUBJECT.match(text)}
        bare = {mark: pieces(_SUBJECT.sub("", text)) for mark, text in new.texts.items()}
        about = {item["fingerprint"]: str(item["at"]).split("/")[1] for item in new.listed if "params/" in item["at"]}
        named = {mark: _named(_renamed(text, names)) for mark, text in old.texts.items()}
        same = {
            mark: tuple(
                known
                for known, said in before
                if known != mark
                and (
                    says(now[mark], said)
                    or (known in cells and says(bare[mark], said))
                    or (named[known][0] == about.get(mark) and says(now[mark], named[known][1]))
                )
            )
            for mark in now
        }
        whole = {"".join(said) for _, said in before}
        parts = {about: list(_parts(before, about)) for about in ("dtype", "format", "shape")}
        partly = {mark: _partly(said, parts, same[mark]) for mark, said in now.items()}
        for mark, cells_drawn in _drawn(old, new, names):
            partly[mark]["shape"] = tuple(dict.fromkeys((*partly[mark].get("shape", ()), *cells_drawn)))
        more = frozenset(mark for mark in now if "".join(now[mark]) not in whole)
        return cls(same, more, partly, old, new)

    def equal(self, mark: str, old: str) -> bool:
        """Whether a statement of the new page says what one of the old page says, and no more than that."""
        if mark == old:
            return True
        texts = (self.new.texts.get(mark), self.old.texts.get(old))
        now, before = ("" if text is None else "".join(pieces(text)) for text in texts)
        return now == before != ""

    def left(self, mark: str, rules: Mapping[str, Any]) -> list[str]:
        """Of the rules that an importer makes of a statement those that no statement of the old page made."""
        parts = [old for found in self.partly.get(mark, {}).values() for old in found]
        done = [rule for old in (*self.of(mark), *parts) for rule in self.old.read.get(old, ())]
        return [name for name, rule in rules.items() if rule not in done] if mark in self.more else []

    def told(self, old: str) -> bool:
        """Whether the new page makes a statement of the old one, be it in rather different words."""
        if any(old == mark or old in self.of(mark) for mark in self.new.texts):
            return True
        text = self.old.texts.get(old, "")
        return any(SequenceMatcher(None, text, other).ratio() >= _SIMILAR for other in self.new.texts.values())

    def of(self, mark: str) -> tuple[str, ...]:
        """The statements of the old page that one of the new page says: in the same words, if there is such a one."""
        return (mark, *self.same.get(mark, ()))

    def vague(self, clause: Mapping[str, Any]) -> bool:
        """Whether a clause is a row of return codes that only says that something is wrong, not what."""
        return str(clause["at"]).startswith("returns/") and vague(self.new.texts.get(clause["fingerprint"], ""))

    def ranks(self, marks: Iterable[str]) -> frozenset[int]:
        """The numbers of dims that statements of a param say, wherever they say some."""
        said = [found for mark in marks for found in _RANK.findall("".join(pieces(self.new.texts.get(mark, ""))))]
        return frozenset().union(*(ranks(part) for text in said for part in text.replace("维", "").split("、")))

    def names(self, mark: str, param: str) -> bool:
        """Whether a statement names a param; without its words, nobody knows, and it is taken to do so."""
        text = self.new.texts.get(mark)
        return text is None or bool(re.search(rf"(?<![A-Za-z0-9_]){re.escape(param)}(?![A-Za-z0-9_])", text))


_NONE = Statements([], {}, {})
NO_WORDINGS = Wordings({}, frozenset(), {}, _NONE, _NONE)


def _named(text: str) -> tuple[str, tuple[str, ...]]:
    """The param that a statement begins with, and the pieces of the rest: what a cell of that param says."""
    found = _SUBJECT.match(text)
    return ("", ()) if found is None else (found[0].rstrip("的 "), pieces(text[found.end() :]))


def _parts(before: list[tuple[str, tuple[str, ...]]], about: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What statements that say something else, too, say of a property."""
    for mark, said in before:
        less = part(said, about)
        if 0 < len(less) < len(said):
            yield mark, less


def _partly(
    new: tuple[str, ...], parts: Mapping[str, list[tuple[str, tuple[str, ...]]]], whole: tuple[str, ...]
) -> dict[str, tuple[str, ...]]:
    """By property, the old statements of which a new one says what they say of it, and not the rest."""
    found = {
        about: tuple(
            mark for mark, said in items if mark not in whole and not set(new).isdisjoint(said) and says(new, said)
        )
        for about, items in parts.items()
    }
    return {about: marks for about, marks in found.items() if marks}


def _drawn(old: Statements, new: Statements, names: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Statements of the new page, each with the old page's cells of shapes that it draws, among other things."""
    texts = {item["fingerprint"]: old.texts[item["fingerprint"]] for item in old.listed if _CELL.match(item["at"])}
    cells = [(mark, _renamed(text, names)) for mark, text in texts.items()]
    for mark, text in new.texts.items():
        found = [known for known, cell in cells if known != mark and _draws(text, cell)]
        if found:
            yield mark, found


def _renamed(text: str, names: Mapping[str, str]) -> str:
    return re.sub(r"[A-Za-z_]\w*", lambda found: names.get(found[0], found[0]), text, flags=re.A) if names else text
