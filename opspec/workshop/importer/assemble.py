"""From a page to drafts: one for each operator that the page describes, or one for an operator and its twin."""

from __future__ import annotations

import difflib
import re
from dataclasses import replace

from opspec.workshop.importer import attributes, axes, clauses, facts, notes, patterns, returns
from opspec.workshop.importer.draft import ClauseDraft, Draft, ParamDraft, RuleDraft
from opspec.workshop.importer.normal import Normaliser
from opspec.workshop.importer.page import BULLET, Page, ParamRow, Section, Statement, product_head, sentences
from opspec.workshop.importer.prototypes import Prototype

#: what every phase has, in the spellings of tables
IMPLIED = frozenset({"workspacesize", "workspace_size", "executor", "opexecutor", "workspace", "stream"})
_CLOSE = 0.84  # similarity of a misspelt name


def drafts(page: Page) -> list[Draft]:
    """The drafts of a page, each as far as the page could be read."""
    return [draft_of(page, operator) for operator in page.operators]


def draft_of(page: Page, operator: str) -> Draft:
    """The draft of one operator of a page."""
    draft = Draft(operator, page.document, products=dict(page.support))
    draft.formulas = [text for _, text in page.formulas]
    draft.deprecated = page.deprecated
    first = page.prototypes.get(f"{operator}GetWorkspaceSize")
    second = page.prototypes.get(operator)
    if first is None and second is not None and second.stream is None:
        draft.interface = "single-phase"
        first = second
    elif second is not None:
        draft.stream = second.stream or "aclrtStream"
    section = section_of(page, operator, first)
    if first is None:
        draft.missing.append("the prototype of the first phase")
    else:
        _params(draft, first)
    if not page.support:
        draft.missing.append("the products")
    if section is None or not section.rows:
        draft.missing.append("the table of params")
    else:
        _read(draft, page, section)
    return draft


def section_of(page: Page, operator: str, first: Prototype | None) -> Section | None:
    """The section on an operator's params: by its title, or by the params that its table has."""
    section = page.sections.get(f"{operator}GetWorkspaceSize") or page.sections.get(first.function if first else "")
    if section is not None and section.rows:
        return section
    wanted = {param.name for param in first.own} if first else set()
    for other in page.sections.values():
        is_own = other.function == operator or len(page.operators) == 1  # no section of a twin
        if is_own and len(wanted & {row.name for row in other.rows}) * 2 > len(wanted) > 0:
            return other
    return section


# --- params


def _params(draft: Draft, first: Prototype) -> None:
    for param in first.own:
        if param.ctype is None:
            draft.missing.append(f"the type of param {param.name}")
        elif param.name not in draft.params:
            draft.params[param.name] = ParamDraft(param.name, param.ctype)


def match_rows(draft: Draft, section: Section) -> dict[str, str]:
    """Row name -> param name; a row that only differs in spelling from the one param left over is that param's."""
    own = [row.name for row in section.rows if row.name.lower() not in IMPLIED]
    matched = {name: name for name in own if name in draft.params}
    left = [name for name in draft.params if name not in matched.values()]
    for name in own:
        if name in matched or not left:
            continue
        folded = {_folded(other): other for other in left}
        close = difflib.get_close_matches(_folded(name), folded, 1, _CLOSE)
        if close:
            matched[name] = folded[close[0]]
            left.remove(folded[close[0]])
    open_rows = [name for name in own if name not in matched]
    if len(open_rows) == len(left) == 1 and abs(own.index(open_rows[0]) - list(draft.params).index(left[0])) <= 1:
        matched[open_rows[0]] = left[0]
    return matched


def _folded(name: str) -> str:
    return name.replace("_", "").lower().removesuffix("optional").removesuffix("out")


def _read(draft: Draft, page: Page, section: Section) -> None:
    matched = match_rows(draft, section)
    for name, param in matched.items():
        if name != param and name not in draft.params[param].also:
            draft.params[param].also.append(name)
    rows = [
        facts.bullet_cells(row) if section.form == "bullets" else row for row in section.rows if row.name in matched
    ]
    normaliser = Normaliser([name for param in draft.params.values() for name in (param.name, *param.also)])
    for row in rows:
        facts.read(draft, row)
    for row in rows:
        named = draft.named(row.name)
        if named is not None:
            attributes.read(named, row)
            notes.read_row(draft, normaliser, row)
    usages = (line for row in rows for line in row.cells.get("usage", ()))
    axes.read(draft, rows, (*usages, *(statement.text for statement in (*section.notes, *page.constraints))))
    _optional_elsewhere(draft, page, section, normaliser)
    reader = _Statements(draft, normaliser, _matrices(rows))
    for row in rows:
        reader.row(row)
    for i, statement in enumerate(section.notes, 1):
        reader.statement(statement, f"notes/{i}")
    for i, statement in enumerate(page.constraints, 1):
        reader.statement(statement, f"constraints/{i}")
    counts: dict[int, int] = {}
    for row_ in section.returns:
        if row_.number is not None:
            counts[row_.number] = counts.get(row_.number, 0) + 1
            ids = returns.read(draft, normaliser, row_) if not product_head(row_.text)[0] else []
            # Only digits: a cell of the codes that spans too few rows.
            if ids or not (row_.text.isdigit() or clauses.about_machinery(row_.text)):
                at = f"returns/{row_.number}/{counts[row_.number]}"
                draft.clauses.append(ClauseDraft(at, row_.text, list(ids)))
    for i, statement in enumerate(page.function, 1):
        if clauses.demands(normaliser.marked(statement.text)):
            reader.statement(statement, f"function/{i}")
    draft.deterministic = _determinism(draft, page.constraints)


_OPERAND = re.compile(
    r"(?:矩阵乘|mm|matmul|MatMul).{0,8}(?:第[一二]个|左|右)|第[一二]个矩阵|左(?:输入)?矩阵|右(?:输入)?矩阵|Reduce维度"
)


def _matrices(rows: list[ParamRow]) -> set[str]:
    """The params that their rows call operands of a matrix product."""
    texts = {row.name: " ".join((*row.cells.get("about", ()), *row.cells.get("usage", ()))) for row in rows}
    return {name for name, text in texts.items() if _OPERAND.search(text)}


def _optional_elsewhere(draft: Draft, page: Page, section: Section, normaliser: Normaliser) -> None:
    """Params that another part of the page lets be null; an unconditional row of 161001 naming them outweighs it."""
    required = {
        name
        for row in section.returns
        if row.number == 161001 and not re.search(r"^(?:当|若|如果)|时[，,]|场景", row.text)
        for name in re.findall(r"⟦(\w+)⟧", normaliser.marked(row.text))
    }
    texts = [
        normaliser.marked(" ".join((*item.head, item.text)))
        for item in (*section.notes, *page.constraints, *page.function)
    ]
    texts += [
        normaliser.marked(line)
        for row in section.rows
        for line in (*row.cells.get("usage", ()), *row.cells.get("about", ()))
    ]
    texts += [normaliser.marked(row.text) for row in section.returns if row.number == 161002]
    for param in draft.params.values():
        names = {param.name, *param.also}
        if not param.is_pointer or {"optional", "reserved"} & set(param.properties) or names & required:
            continue
        if any(
            facts.spoken_of_as_optional(text, f"⟦{name}⟧") for name in names for text in texts if f"⟦{name}⟧" in text
        ):
            param.properties["optional"] = "yes"


def _determinism(draft: Draft, statements: list[Statement]) -> object:
    """Determinism by default, and whether it can be switched on; per product where the page says so."""
    found: list[dict[str, object]] = []
    for statement in statements:
        match = re.search(r"默认(?:为)?(非)?确定性", statement.text) or re.search(
            r"(不支持)?确定性(?:计算|实现)", statement.text
        )
        others = [name for name in re.findall(r"aclnn\w+", statement.text) if name != draft.operator]
        if not match or (others and draft.operator not in statement.text) or "默认" not in statement.text:
            continue
        entry: dict[str, object] = {"default": "no" if match[1] else "yes"}
        if match[1] and re.search(r"开启|aclrtCtxSetSysParamOpt|aclrtSetSysParamOpt|支持通过", statement.text):
            entry["switchable"] = "no" if re.search(r"不支持(?:通过|配置|开启)", statement.text) else "yes"
            if "HCCL_DETERMINISTIC" in statement.text:
                entry["by"] = "HCCL_DETERMINISTIC"
        if statement.scope:
            entry["on"] = list(statement.scope)
        if entry not in found:
            found.append(entry)
    if len(found) == 1 and list(found[0]) == ["default"]:
        return found[0]["default"]
    return found or None


# --- statements

#: Sentences that say in words what a cell of the row says in figures.
_CELL_AGAIN = {
    "rank": re.compile(
        r"(?:shape|维度|当前版本|目前|要求|为|是|需要?|(?:仅|只)?支持|一个)*[\d一二三四五六七八](?:[-~到至][\d一二三四五六七八])?(?:维|D)"
        r"(?:或者?[\d一二三四五六七八](?:维|D))?(?:的)?(?:输入|[tT]ensor|张量)?"
    ),
    "format": re.compile(r"(?:数据格式|format)(?:仅|只)?支持[A-Z_0-9、]+(?:格式)?"),
    "dtype": re.compile(r"(?:数据类型|dtype)(?:仅|只)?(?:支持|为)[A-Za-z_0-9、，]+"),
}
#: Pieces of a sentence that say a fact of the row's param, beside others and beside what only describes.
_FACTS = {
    "dtype": re.compile(r"(?:数据类型|dtype)(?:要求|仅|只)*(?:支持|为)[A-Za-z_0-9、和或]+"),
    "format": re.compile(r"(?:数据格式|format)(?:要求|仅|只)*(?:支持|为)[A-Z_0-9、和]+"),
    "rank": re.compile(
        rf"{_CELL_AGAIN['rank'].pattern}度?|(?:数据|shape)?维[度数](?:最大)?(?:不支持8维以上|不(?:超过|高于|大于)8维?|(?:小于等于|≤)8维?)"
    ),
    "strided": re.compile(r"(?:不支持非连续|[仅只]支持连续)的?(?:[tT]ensor)?"),
    "empty": re.compile(r"不支持空[tT]ensor"),
}
_LISTED = re.compile(r"[A-Z][A-Z_0-9]{2,}(?:、[A-Z][A-Z_0-9]{2,})*")  # the rest of a list with commas
_IN_FRONT = re.compile(r"必选(?:参数|输入|输出)?|Device侧的?(?:aclTensor)?")  # what a bullet begins with


#: A shape whose dims have names, which other params' dims may have, too.
_NAMED_DIMS = re.compile(r"[\[(（]\s*[A-Za-z_][^\])）]*[\])）]")

#: A constraint that begins so has its subject above it, in words.
_NO_SUBJECT = re.compile(r"(?:数据类型|数据格式|不?支持)")


class _Statements:
    """Turns the statements of an operator into rules and ledger entries."""

    def __init__(self, draft: Draft, normaliser: Normaliser, matrices: set[str]) -> None:
        self.draft = draft
        self.normaliser = normaliser
        self.matrices = matrices
        self.item: tuple[int, ParamDraft | None] = (0, None)

    def row(self, row: ParamRow) -> None:
        param = self.draft.named(row.name)
        if param is None:
            return
        for column in ("about", "usage"):
            number = 0
            for scope, line in facts.scoped_lines(row.cells.get(column, ())):
                for sentence in sentences(line):
                    number += 1
                    place = f"params/{param.name}/{column}/{number}"
                    self._one(Statement(sentence, row.line, scope), place, param)
        for column in ("dtype", "format", "rank"):
            if (
                param.is_tensor
                and row.text(column)
                and not ({column, "shape"} & set(param.properties) if column == "rank" else column in param.properties)
            ):
                self.draft.clauses.append(ClauseDraft(f"params/{param.name}/{column}", row.text(column)))
            elif param.is_tensor and column == "rank" and _NAMED_DIMS.search(row.text(column)):
                cell = ClauseDraft(f"params/{param.name}/{column}", row.text(column))
                self.draft.passed.append((len(self.draft.clauses), cell))  # its rank is read, not what its dims owe

    def statement(self, statement: Statement, place: str) -> None:
        """A statement of the notes or constraints; one item's sentences have the param that its bullet names."""
        bullet = BULLET.match(statement.text)
        if bullet and self.draft.named(bullet[1]) is not None:
            self.item = (statement.line, self.draft.named(bullet[1]))
            statement = replace(statement, text=bullet[4])
        own = self.item[1] if self.item[0] == statement.line else None
        if own is None and place.startswith("constraints/") and _NO_SUBJECT.match(statement.text):
            self.draft.clauses.append(ClauseDraft(place, statement.text, on=statement.scope))
            return  # what it is about stands above it, in words
        head = next(
            (name for name in reversed(statement.head) if re.search(r"(?<!计算)时|场景|若|当|模式|情况", name)), None
        )
        self._one(statement, place, own, head)

    def _one(self, statement: Statement, place: str, own: ParamDraft | None, head: str | None = None) -> None:
        if re.search(r"确定性(?:计算|实现)", statement.text):
            return
        ids: list[str] = []
        if head is None:
            subject = own if own is not None and (own.is_tensor or place.startswith("params/")) else None
            ids = notes.read(self.draft, self.normaliser, statement, subject) or self._attribute(statement, own)
        if not ids and head is None:
            made = patterns.apply(
                self.draft, self.normaliser, statement.text, own.name if own else None, statement.scope
            )
            kept = [rule for rule in map(self._of_matrices, made) if rule is not None]
            ids = [self.draft.add(rule) for rule in kept]
        typed = own is not None and not own.is_tensor and clauses.types(statement.text)
        if not ids and (typed or not clauses.restricts(statement.text)):
            passed = ClauseDraft(place, statement.text, on=statement.scope)
            self.draft.passed.append((len(self.draft.clauses), passed))
            return
        clause = ClauseDraft(place, statement.text, list(dict.fromkeys(ids)), on=statement.scope)
        if not ids:
            marked = self.normaliser.marked(statement.text)
            named = [self.draft.named(name) for name in re.findall(r"⟦(\w+)⟧", marked)] or [own]
            tensors = any(param is not None and param.is_tensor for param in named)
            clause.not_checkable = clauses.not_checkable(statement.text, tensors)
        self.draft.clauses.append(clause)

    def _facts(self, text: str, own: ParamDraft) -> list[str]:
        """The facts of a param that a sentence states of all calls, if it states nothing else that restricts one."""
        found: list[str] = []
        if attributes._CASE.search(text):
            return found
        for piece in filter(None, map(str.strip, re.split(r"[，,。；;]", text))):
            kind = next((kind for kind, words in _FACTS.items() if words.fullmatch(piece)), None)
            if kind is None and found[-1:] == [f"{own.name}.dtype"] and _LISTED.fullmatch(piece):
                continue
            if kind is not None and kind in own.properties:
                found.append(f"{own.name}.{kind}")
            elif kind is not None or (clauses.restricts(piece) and not _IN_FRONT.fullmatch(piece)):
                return []
        return list(dict.fromkeys(found))

    def _of_matrices(self, rule: RuleDraft) -> RuleDraft | None:
        """Operands of a matrix product broadcast over their batch dims: the last two are the matrices."""
        shapes = re.fullmatch(r"\w+\.shape == broadcast\((.*)\)", rule.check)
        if shapes and set(re.findall(r"(\w+)\.shape", shapes[1])) & self.matrices:
            return None
        found = re.fullmatch(r"broadcastable\((\w+)\.shape, (\w+)\.shape\)", rule.check)
        if found and {found[1], found[2]} & self.matrices:
            if not {found[1], found[2]} <= self.matrices:
                return None
            rule.check = f"broadcastable({found[1]}.shape[:-2], {found[2]}.shape[:-2])"
        return rule

    def _attribute(self, statement: Statement, own: ParamDraft | None) -> list[str]:
        """The rule that an attribute's row yields from this very sentence."""
        if own is None:
            return []
        if own.is_tensor:
            for kind, pattern in _CELL_AGAIN.items():
                if kind in own.properties and pattern.fullmatch(statement.text.strip("。；; ")):
                    return [f"{own.name}.{kind}"]
            stated = self._facts(statement.text, own)
            if stated:
                return stated
        kinds = [kind for kind in ("enum", "range", "length", "each") if kind in own.properties]
        pieces = [attributes._tidy(piece) for piece in attributes.unconditional(statement.text)]
        if "length" in kinds and any(attributes._LENGTH.match(piece) for piece in pieces):
            return [f"{own.name}.length"]
        if "each" in kinds and any(attributes._EACH.search(piece) for piece in pieces):
            return [f"{own.name}.each"]
        if "reserved" in own.properties and facts._ONLY_NULL.search(statement.text):
            return [f"{own.name}.reserved"]
        if "empty" in own.properties and facts._EMPTY.search(statement.text) and own.properties["empty"] == "no":
            return [f"{own.name}.empty"]
        if "length" in kinds and attributes._STRING_LENGTH.search(statement.text):
            return [f"{own.name}.length"]
        for piece in pieces:
            if "enum" in kinds and attributes.enumeration(own, piece):
                return [f"{own.name}.enum"]
            if "range" in kinds and attributes.bound(own, piece):
                return [f"{own.name}.range"]
        return []


def family(page: Page) -> str:
    """The vendor's family of a page: the first part of its folder's name."""
    parts = page.document.split("/")
    return parts[1].split("__")[0] if len(parts) == 3 else ""
