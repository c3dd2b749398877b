"""Facts in the cells of a param's row: direction, optionality, dtypes, formats, rank, strides, emptiness."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from opspec.errors import OpspecError
from opspec.vocabulary import dtypes, formats, products
from opspec.workshop.importer import lexicon
from opspec.workshop.importer.draft import Draft, ParamDraft
from opspec.workshop.importer.page import ParamRow, Scope, product_head, sentences
from opspec.workshop.importer.wording import maybe, one_of, spotting

NamesIn = Callable[[str], lexicon.Found]
_NO_POINTER = ("空指针", "nullptr")
_PASSED = "传入?"
_NOT_YET = "(?:暂|当前|目前)"  # what pages say of what a later version may take
_THIS = "(?:该|此)(?:参数|输入)"
_NOTHING_ELSE = "(?!或者?空[tT]ensor)"

#: a param may be null
_NULL = spotting(
    "可选|nullptr|空指针|传空",
    "为空(?!间|[tT]ensor)",  # 为空间 goes on as a space, 为空Tensor is a tensor without elements
    r"可不传|不传|传None|传入None|null\b",
    "(?<!不)(?:可以|可|允许)(?:设置)?为?空",
    r"非空时|NULL\b",
    "(?:预留|保留)(?:参数|输入|输出|字段)|暂未使用|暂不使用",  # nobody reads it
    f"{_NOT_YET}不支持{_THIS}",
    f"{_THIS}暂不支持",
)
#: … must not be null
_NOT_NULL = spotting(
    one_of("不能", "不可", "不可以", "不允许", "不支持", "不得", "禁止")
    + f"{one_of(_PASSED, '设置', '为', '是', '设为', '输入')}*"
    + one_of("空指针", "空(?!tensor)", "nullptr", "NULL", "null"),
    "非空指针|必选|必传",
    f"必须{_PASSED}(?!空|nullptr)",
    "不支持可选|非可选|不为空指针",
)
#: … can only be null: where 或空Tensor follows, a tensor without elements may stand for it, too
_ONLY_NULL = spotting(
    one_of("(?:仅|只)支持", "必须", "只能", "需要?", "固定", "应")
    + f"{one_of(_PASSED, '输入', '设置?为', '为', '配置为', '填')}*"
    + one_of(*_NO_POINTER, "空(?!指针|tensor|Tensor|字符)", "null(?!ptr)", "NULL")
    + _NOTHING_ELSE,
    f"当前(?:版本)?不支持，?(?:需要?)?{_PASSED}{one_of(*_NO_POINTER)}(?:即可)?{_NOTHING_ELSE}",
    f"{_NOT_YET}(?:版本)?(?:不支持|不使用|未使用)(?:.{{0,6}}(?:需要?|请)|[，,])"
    + f"(?:{_PASSED}|设置为){one_of(*_NO_POINTER, '空(?!指针|字符|[tT]ensor|的)')}{_NOTHING_ELSE}",
)
_NO_ELEMENTS = r"空(?:的)?\s*[tT]ensor"
#: a tensor may be empty; a group that matches says that it may not
_EMPTY = re.compile(
    f"(不)?支持(?:输入)?(?:为)?{_NO_ELEMENTS}|(不能|不可)(?:{_PASSED}|为|是){_NO_ELEMENTS}|"
    rf"可以?(?:{_PASSED}|为)空\s*[tT]ensor"
)
_OF_TENSORS = ("数据类型", "数据格式", "维度", "shape")
#: 与x一致, 数据类型和x相同: a cell that names another param
_SAME = re.compile(
    f"^{maybe(*_OF_TENSORS, 'rank')}(?:需要?|应|必须)?(?:与|和|同|保持与)(?:输入|入参|参数|输出)?"
    '[“"]?([A-Za-z_][A-Za-z0-9_]*)[”"]?'
    f"(?:的?{one_of(*_OF_TENSORS, '类型', 'dtype', '维数')})?(?:参数)?(?:保持)?(?:一致|相同|一样)?$"
)
#: Words that a list of dtypes or formats may hold beside its members; any other makes it prose.
_PROSE = re.compile(
    r"(?!(?:数据类型|数据格式|类型|格式|支持|仅|只|为|或者|或|和|与|及|以及"
    r"|注|等|元素|场景|列表|内|张量|维))[\u4e00-\u9fff]"
)
_WORDS_FOR_YES = ("√", "✓", "支持", "是", "✔")
_WORDS_FOR_NO = ("×", "x", "X", "✗", "不支持", "否", "╳")


def read(draft: Draft, row: ParamRow) -> None:
    """Fills in what a row says of its param."""
    param = draft.named(row.name)
    if param is None:
        return
    param.io = _direction(param, row)
    if param.is_tensor or param.kind == "scalar":
        _members(draft, param, row, "dtype", lexicon.dtypes_in)
    if param.is_tensor:
        _members(draft, param, row, "format", lexicon.formats_in)
        _rank(draft, param, row)
        _strided(param, row)
        _empty(param, row)
    _optional(param, row)


_ITEM = re.compile(
    r"\s*([A-Za-z][A-Za-z0-9_]{0,40})\s*(?:[（(]仅[^（）()]{1,200}支持[)）])?\s*(?:、|/|,|，|和|或者|或|以及|及)?"
)
_ARE = r"(?:仅|只|当前|目前)*(?:支持|要求|为|是|：|:){1,2}\s*(?=[A-Za-z])"
_DTYPES_ARE = re.compile(rf"(?<!参数)(?<!推导后的)(?<!推导之后的)(?:数据类型|dtype){_ARE}")
_FORMATS_ARE = re.compile(rf"(?:数据格式|format){_ARE}")
_DIGIT = r"[\d一二三四五六七八]"
_ASIDE = r"(?:[（(][^（）()]{0,60}[）)])?"  # what a page adds to one of several ranks
_RANK = r"(?:[sS]hape|维度|维数)(?:的?维度)?"
_AT_MOST = one_of("不超过", "不大于", "不高于", "小于等于", "最高支持", "最大支持", "最多支持")
_RANK_IS = re.compile(
    rf"(?:(?<!最大)(?<!最高){_RANK}(?:仅|只|当前|目前)*(?:支持|要求|为|是)?\s*|支持(?={_DIGIT}维\s*[-~～到至]))"
    rf"(不支持{_DIGIT}维以上|{_AT_MOST}{_DIGIT}维?|{_DIGIT}维?\s*[-~～到至]\s*{_DIGIT}维?"
    rf"|{_DIGIT}维(?:{_ASIDE}(?:、|或者|或|和|/){_DIGIT}维)*)"
    r"(?=[，,。；;、（(且并的]|[tT]ensor|$)"
)
_RANK_AT_LEAST = re.compile(
    rf"{_RANK}(?:需|须|必须|要求)?(?:至少|不小于|大于等于)(?:是|为)?\s*({_DIGIT})维(?=[，,。；;]|$)"
)
_STRIDED = re.compile(r"(不)?支持(?:(?:空|连续)[^，,。；;]{0,12}?[，、和与])?非连续")
_CASE = re.compile(r"时|场景|如果|若|当(?!前)|情况")


def bullet_cells(row: ParamRow) -> ParamRow:
    """A bullet's sentences sorted into the cells that a table would have, below the products that lead their lines."""
    made = ParamRow(row.name, row.line, row.ctype, dict(row.cells))
    for line in row.cells.get("usage", ()):
        own, rest = product_head(line)
        head = [line.removesuffix(rest)] if own else []
        for column, text in _cells_in(rest, led=bool(own)):
            if own or column not in made.cells:
                made.cells[column] = [*made.cells.get(column, ()), *head, text]
    return made


def _cells_in(text: str, led: bool) -> Iterator[tuple[str, str]]:
    """The (column, text) of what a line says; behind a product a list of dtypes may stand alone."""
    dtypes = _list_behind(_DTYPES_ARE, text, lexicon.dtype) or (_listed(text, 0, lexicon.dtype) if led else "")
    if dtypes:
        yield "dtype", dtypes
    formats_ = _list_behind(_FORMATS_ARE, text, lexicon.format_)
    if formats_:
        yield "format", formats_
    strided = _STRIDED.search(text)
    if strided:
        yield "strided", "×" if strided[1] else "√"
    rank, least = (
        next((match[1] for part in sentences(text) if (match := form.search(part)) and not _case_before(match)), None)
        for form in (_RANK_IS, _RANK_AT_LEAST)
    )
    most = None if rank is None else re.fullmatch(rf"不支持({_DIGIT})维以上", rank)
    if least is not None and (rank is None or most is not None):
        yield "rank", f"至少{least}" if most is None else f"{least}-{most[1]}维"
    elif rank is not None:
        yield "rank", re.sub(_ASIDE, "", rank)


def _case_before(match: re.Match[str]) -> bool:
    """Whether what stands before a rank says that it is that of some cases."""
    return _CASE.search(match.string[: match.start()]) is not None


def _list_behind(words: re.Pattern[str], text: str, known: Callable[[str], str | None]) -> str:
    """The first list of names of a kind that stands behind some words; all of them, where each is that of a case."""
    lists = [(lead, found) for lead in words.finditer(text) if (found := _listed(text, lead.end(), known))]
    if len(lists) > 1 and all(
        _CASE.search(text, text.rfind("。", 0, lead.start()) + 1, lead.start()) for lead, _ in lists
    ):
        return "、".join(dict.fromkeys(name for _, found in lists for name in found.split("、")))
    return next((found for _, found in lists), "")


def _listed(text: str, start: int, known: Callable[[str], str | None]) -> str:
    """The names of a kind that a text lists from a place on."""
    end = start
    while (item := _ITEM.match(text, end)) and known(item[1]):
        end = item.end()
    return text[start:end].strip("、/,，和或者以及 ")


def _direction(param: ParamDraft, row: ParamRow) -> str:
    text = row.text("io")
    is_output = "输出" in text or "出参" in text
    if is_output and ("输入" in text or "入参" in text):
        return "inout" if param.is_tensor else "in"
    if is_output and param.is_pointer:
        return "out"
    if param.is_tensor and not param.ctype.startswith("const"):  # C and its name say that it is written to
        return "inout" if param.name.endswith("Ref") else "out" if param.name.lower().endswith("out") else "in"
    return "in"


# --- dtypes and formats


def _members(draft: Draft, param: ParamDraft, row: ParamRow, column: str, names_in: NamesIn) -> None:
    """The union of dtypes or formats that a cell lists, and the sets that it lists for products of their own."""
    other = _same_as(draft, param, row.text(column))
    if other is not None:
        if param.kind != "scalar":  # which is converted to the tensor's dtype
            param.properties[column] = f"same as {other}"
        return
    base: list[str] = []
    changes: list[dict[str, object]] = []
    for scope, text in scoped_lines(row.cells.get(column, ())):
        if _PROSE.search(re.sub(r"[（(][^（）()]*[)）]", "", text)):
            continue
        found = names_in(re.split(r"[（(]?注", text)[0])
        for name, marks in found.notes.items():
            param.marks.setdefault(name, set()).update(marks)
        if column == "dtype" and _NAMES.fullmatch(text):
            draft.faults += _none(row, found.unknown)
        base += [name for name in found.names if name not in base]
        if scope and found.names:
            changes.append({"on": list(scope), "replace": found.names})
        changes += _only_on(text, names_in, draft)
    if base:
        param.properties[column] = {"any": base, "changes": changes}


_NAMES = re.compile(r"[A-Za-z0-9_、，,/\s]+[。.]?", re.A)  # nothing but names


def _none(row: ParamRow, unknown: Iterable[str]) -> Iterator[tuple[int, str]]:
    """What a list of data types has that looks like one and is none: a slip, or one that only a newer release has."""
    for word in filter(lexicon.LIKE_DTYPE.match, unknown):
        try:
            dtypes.canonical(word)
        except OpspecError as error:
            yield row.line, f"the data types of {row.name}: {error}"


#: BFLOAT16（仅Atlas A2 训练系列产品支持）
_ONLY_ON = re.compile(r"([A-Za-z][A-Za-z0-9_]{0,40})\s*[（(]仅([^（）()]{1,200})支持[)）]")


def _only_on(text: str, names_in: NamesIn, draft: Draft) -> Iterator[dict[str, object]]:
    """Members that the text gives only some products: changes that take them from the operator's others."""
    for found in _ONLY_ON.finditer(text):
        with suppress(OpspecError):
            named = {product for product, _ in products.resolve_all(found[2])}
            supported = (name for name, mark in draft.products.items() if mark == "yes")
            others = [name for name in supported if products.owner(name) not in named]
            if others:
                yield {"on": others, "subtract": names_in(found[1]).names}


def scoped_lines(lines: Iterable[str]) -> Iterator[tuple[Scope, str]]:
    """The lines of a cell with the products that limit them: those of their own beginning, or of a line above that
    names products and says nothing else.
    """
    above: Scope = ()
    for line in lines:
        own, rest = product_head(line)
        if own:
            above = () if rest else own
        if rest:
            yield own or above, rest


def _same_as(draft: Draft, param: ParamDraft, text: str) -> str | None:
    found = _SAME.match(text.strip().rstrip("。；;"))
    other = draft.named(found[1]) if found else None
    return other.name if other is not None and other.is_tensor and other is not param else None


# --- rank, strides, emptiness


def _rank(draft: Draft, param: ParamDraft, row: ParamRow) -> None:
    text = row.text("rank")
    if any(map(formats.is_private, lexicon.formats_in(row.text("format")).names)):
        return  # the rank may be that of the storage shape, which a private format has of its own
    other = _same_as(draft, param, text)
    if other is not None:
        # the column's head means dims or shapes: of the two readings the weaker is certain
        param.properties["shape" if "shape" in text.lower() else "rank"] = f"same as {other}"
        return
    lines = list(scoped_lines(row.cells.get("rank", ())))
    cases = [(scope, lexicon.rank(line)) for scope, line in lines]
    if len(cases) > 1 and all(scope and value for scope, value in cases):
        param.properties["rank"] = [{"on": list(scope), "is": value} for scope, value in cases]
        return
    value = lexicon.rank(text)
    if value is None and len(cases) > 1 and all(value is not None for _, value in cases):
        value = lexicon.rank("、".join(line for _, line in lines))
    if value is not None:
        param.properties["rank"] = _with_shapes(value, row)


#: a bracket behind a name is an index or an argument: ``spatial_size[1]``, ``\prod(kernel_size)``
_SHAPE_IN_TEXT = re.compile(
    r"(?<![A-Za-z0-9_])[（(\[]\s*([A-Za-z0-9_*+/ ]+(?:[,，][A-Za-z0-9_*+/ ]+)*[,，]?)\s*[)）\]]"
)


def _with_shapes(value: str | list[str], row: ParamRow) -> str | list[str]:
    """The rank of the cell and those of the shapes that the row's text gives: pages contradict themselves here."""
    if isinstance(value, str) and not value.isdigit():
        return value
    ranks = {int(value)} if isinstance(value, str) else set(map(int, value))
    for line in _texts(row):
        if "shape" in line:
            groups = [re.split(r"[,，]", found.strip("，, ")) for found in _SHAPE_IN_TEXT.findall(line)]
            ranks |= {len(dims) for dims in groups if any(re.search(r"[A-Za-z]", dim) for dim in dims) or dims == ["1"]}
    return lexicon.ranks(sorted(ranks)) or value


def _strided(param: ParamDraft, row: ParamRow) -> None:
    text = row.text("strided")
    if "转置" in text or "transpose" in text:
        param.properties["strided"] = "transposed"
    elif text.startswith(_WORDS_FOR_NO):
        param.properties["strided"] = "no"
    elif text.startswith(_WORDS_FOR_YES):
        param.properties["strided"] = "yes"


def _empty(param: ParamDraft, row: ParamRow) -> None:
    found = {
        bool(match[1] or match[2]) for line in _texts(row) for match in _EMPTY.finditer(line) if not _conditional(line)
    }
    if len(found) == 1:
        param.properties["empty"] = "no" if found.pop() else "yes"


def _conditional(line: str) -> bool:
    return bool(re.search(r"时|场景|情况|如果|若", line)) or bool(product_head(line)[0])


def _texts(row: ParamRow) -> Iterator[str]:
    for column in ("about", "usage"):
        yield from row.cells.get(column, ())


# --- optionality


def _optional(param: ParamDraft, row: ParamRow) -> None:
    if not param.is_pointer:
        return
    texts = [*_texts(row), row.text("dtype"), row.text("rank")]
    if any(_ONLY_NULL.search(text) and not _conditional(text) for text in texts):
        param.properties["reserved"] = "null"
        return
    marked = "可选" in row.text("io") or "optional" in param.name.lower()
    spoken = any(_NULL.search(_NOT_NULL.sub("", _others_left_out(text, param))) for text in texts)
    if marked or spoken:
        param.properties["optional"] = "yes"


def _others_left_out(text: str, param: ParamDraft) -> str:
    """A text without the word that other params are optional: 有可选输入mask时 says it of mask."""
    return re.sub(
        r"可选(?:输入|参数)(?=([A-Za-z_]\w{0,80}))", lambda found: found[0][found[1] != param.name and 2 :], text
    )


#: what may stand between a param and its being null: other params and words, and after a comma only words of modality
_AND_OTHERS = r"(?:⟦\w{1,80}⟧|[⟧、/\w\s]){0,200}"
_MODALS = "，|参数|传入?|设置|可以?|允许|支持|输入|当前|版本|如果|若|不支持|预留参数|暂"
_LEFT_OUT = "可选|nullptr|空指针|传空|空(?!间|[tT]ensor)|NULL|null|传None|None|不传"


def spoken_of_as_optional(text: str, mark: str) -> bool:
    """Whether a statement elsewhere on the page lets the param that it marks so be null."""
    bare = _NOT_NULL.sub("", text)
    near = rf"{mark}{_AND_OTHERS}(?:，(?:{_MODALS}){{0,16}})?(?:为|是)?(?:{_LEFT_OUT})"
    return bool(re.search(near, bare)) or bool(re.search(rf"(?:不传入?|未传入?|无){mark}", bare))
