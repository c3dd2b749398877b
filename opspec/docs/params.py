"""The table of params: what each means, what it takes, and the rules about it alone."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from opspec.docs.cells import IN_SHAPE, equal_params, follows, in_columns, in_row, is_of_rank, is_tensor
from opspec.docs.domains import MOST, is_sure
from opspec.docs.glance import cell
from opspec.docs.glossary import Glossary
from opspec.docs.joining import as_one
from opspec.docs.limits import Limit, implied, limit_of, runs
from opspec.docs.refused import refused
from opspec.docs.saying import MARKS, Item, Sayings, Sentence
from opspec.docs.shapes import shapes
from opspec.docs.support import Support, limiting
from opspec.docs.tables import in_step
from opspec.language import build, prose, tree
from opspec.language.prose.scopes import scope
from opspec.language.text import write
from opspec.language.types import INT
from opspec.model.definition import ParamDef, RuleDef
from opspec.model.remarks import remarks_of
from opspec.model.sets import dtypes_on, formats_on
from opspec.model.spec import Param, is_same_as
from opspec.model.stated import stated_of
from opspec.model.values import Case
from opspec.vocabulary import products
from opspec.vocabulary.enforcement import CONTRADICTED, UNCHECKED
from opspec.vocabulary.limits import MOST_DIMS
from opspec.vocabulary.literals import LANGS

Marked = tuple[tuple[str, str], ...]

_SEVERAL = 2  # tensors of which one sentence says what each row would, and values that words may name


@dataclass(frozen=True, slots=True)
class ParamRow:
    """A row of the table.

    Args:
        usage: all that the vendor's form says of it beside its cells.
        types: data types or the name of a set of them, with a mark; of what has none its C type.
        shape: symbols where the spec has some, else numbers of dims, with a mark.
        tags: in a word or two: optional, formats other than ND, layout.
        notes: rules about it alone and what was observed of it.
        values: of an enumeration: value, meaning.
        mark: what the runtime makes of other values.
        shared: (title, anchor) of the glossary where the meanings stand.
        remarks: what no rule can check.
    """

    name: str
    ctype: str
    direction: str
    about: str
    usage: tuple[str, ...]
    dtypes: str
    formats: str
    rank: str
    strided: str
    io: str
    types: str
    shape: str
    tags: tuple[str, ...]
    notes: tuple[Item, ...]
    values: tuple[tuple[str, str], ...]
    mark: str
    shared: tuple[str, str] | None
    remarks: tuple[str, ...]


def param_rows(sayings: Sayings, table: Support, glossary: Glossary, usual: Layouts) -> tuple[ParamRow, ...]:
    """The rows in the prototype's order; ``usual``: what they leave out."""
    own = stated_of(sayings.definition)
    params = sayings.definition.params
    return tuple(_Row(sayings, param, own[param.name][0], usual).made(table, glossary) for param in params)


def alike_in_marks(rows: tuple[ParamRow, ...], tensors: Collection[str]) -> tuple[tuple[ParamRow, ...], Marked]:
    """Rows without the mark that all tensors have in a column, and these marks by the column's word."""
    found: list[tuple[str, str]] = []
    for column in ("shape", "types"):
        cells = {row.name: cell for row in rows if row.name in tensors and (cell := getattr(row, column))}
        signs = {cell.rpartition(" ")[2] for cell in cells.values()}
        if len(cells) > _SEVERAL and len(signs) == 1 and (sign := signs.pop()).strip("()") in MARKS.values():
            found.append((column, sign))
            without = {name: cell.removesuffix(f" {sign}") for name, cell in cells.items()}
            rows = tuple(replace(row, **{column: without.get(row.name, getattr(row, column))}) for row in rows)
    return rows, tuple(found)


@dataclass(frozen=True, slots=True)
class Layouts:
    """What is so of tensors whose rows say nothing of format and layout, and of which the vendor's page is silent.

    Args:
        usual: the key of the words that tell what is so of the others; none where there are no others.
        unsaid: what is said of the params of which the page does not say whether they may be non-contiguous, where no
            tensor may.
        aside: the same beside what is said of those that may.
        mark: what the runtime makes of formats other than ND.
        others: what stands beside ND: that mark, or that other formats run, and that private ones must not be.
        empty: that all tensors may be empty, or that none may.
        refused: private formats that those are refused in which are ND.
    """

    usual: str
    unsaid: str
    aside: str
    mark: str
    others: str
    empty: Item | None
    refused: tuple[Item, ...]


def layouts(sayings: Sayings) -> Layouts:
    """What the rows leave out, since it is so of nearly every tensor."""
    own = stated_of(sayings.definition)
    tensors = {param.name: own[param.name][0] for param in sayings.definition.params if is_tensor(param)}
    strided = any(param.strided == "yes" for param in tensors.values())
    plain = [name for name, param in tensors.items() if formats_on(sayings.spec, param, None).all == ("ND",)]
    unsaid = [name for name, param in tensors.items() if param.strided == "unknown" and param.reserved is None]
    silent = (
        sayings.words["unsaid_of" if strided else "unsaid"].format(sayings.named(unsaid, tensors)) if unsaid else ""
    )
    mark = _mark_of(sayings, plain, "format")
    return Layouts(
        ("usual" if plain else "usual_layout") if strided else "usual_format" if plain else "",
        "" if strided else silent,
        silent if strided else "",
        mark,
        _others(sayings, plain, mark),
        _empty(sayings, tensors),
        tuple(refused(sayings, frozenset(plain))),
    )


def _empty(sayings: Sayings, tensors: Mapping[str, Param]) -> Item | None:
    """Whether tensors may be empty, where the page says the same of all, with the mark that most rules have."""
    if (
        tensors
        and not tensors.keys() & sayings.domains.filled.keys()
        and all(param.empty is True for param in tensors.values())
    ):
        return Item(sayings.words["all_empty"])
    rules = [rule for rule in sayings.definition.rules if rule.kind == "empty" and rule.when is None]
    wanted = {name for name, param in tensors.items() if param.reserved is None}
    if len(wanted) < _SEVERAL or not wanted <= {rule.param for rule in rules}:
        return None
    (mark, number), *_ = Counter(sayings.mark(rule).strip("()") for rule in rules).most_common(1)
    mark = mark if number == len(rules) or not mark else f"({mark})"
    return Item(sayings.words["none_empty"], mark, tuple(rule.id for rule in rules))


def _others(sayings: Sayings, plain: Collection[str], mark: str) -> str:
    """What stands beside ND of other formats: where programs run that use them, that, else the mark."""
    if MARKS[CONTRADICTED] not in mark:
        return f" {mark}" if mark else ""
    text = sayings.words["others_run_some" if mark.startswith("(") else "others_run"]
    if any(sayings.definition.rule(f"{name}.private-format") for name in plain):
        private = _mark_of(sayings, plain, "private-format")
        text += sayings.words["others_but"].format(f" {private}" if private else "")
    return sayings.words["note"].format(text)


def _mark_of(sayings: Sayings, tensors: Collection[str], kind: str) -> str:
    """The mark of the rule of a kind that most of some tensors have, in brackets where others have another one."""
    rules = (sayings.definition.rule(f"{name}.{kind}") for name in tensors)
    marks = Counter(_shown(sayings.mark(rule)) for rule in rules if rule is not None)
    first = marks.most_common(1)[0][0] if marks else ""
    return f"({first.strip('()')})" if first and len(marks.keys() - {""}) > 1 else first


def _shown(mark: str) -> str:
    """What cells show of a mark: not that it is presumed, which would stand in every other one."""
    return mark.replace(MARKS["assumed"], "")


class _Row:
    def __init__(self, sayings: Sayings, param: ParamDef, own: Param, usual: Layouts) -> None:
        self.sayings = sayings
        self.usual = usual
        self.words = sayings.words
        self.param = param
        self.own = own
        self.rules = [rule for rule in sayings.definition.rules if rule.param == param.name]
        told = [rule for rule in sayings.definition.rules if rule.id in sayings.told and self._is_told(rule)]
        self.shaped = [rule for rule in told if equal_params(rule, "rank") is None]  # which the same shape implies

    def _is_told(self, rule: RuleDef) -> bool:
        """Whether the shape of the param says a rule: one that two shapes say together both do."""
        return self.param.name in (self.sayings.told[rule.id], *(equal_params(rule, "shape") or ()))

    def made(self, table: Support, glossary: Glossary) -> ParamRow:
        """The row."""
        sayings, own, name = self.sayings, self.own, self.param.name
        values = own.enum if isinstance(own.enum, dict) else {}
        meanings = tuple((value or '""', sayings.text(text)) for value, text in values.items())
        shared = glossary.shared(name, meanings)
        named = self._named()
        notes = tuple(note for note in self._notes() if note.rules != named)
        marks = (self.sayings.mark(rule) for rule in self.rules if rule.id in named)
        about = " ".join(filter(None, [sayings.text(own.about), *marks]))
        taken = table.taken.get(name, "")
        return ParamRow(
            name=name,
            ctype=self.param.ctype,
            direction=self.words[self.param.io],
            about=about,
            usage=tuple(dict.fromkeys((*self._usage(), *self._meanings(meanings)))) if sayings.upstream else (),
            dtypes=sayings.listed(dtypes_on(sayings.spec, own, None).all),
            formats=sayings.listed(formats_on(sayings.spec, own, None).all),
            rank=self._rank(),
            strided=self._strided(),
            io=self.param.io,
            types=self._marked(self._list_of(taken), ("dtype", "scalar-dtype")) if taken else self.param.ctype,
            shape=self._shape(),
            tags=tuple(self._tags(about)),
            notes=notes,
            values=shared.labelled if shared else meanings,
            mark=self._marked("", ("enum",)).strip() if meanings else "",
            shared=(shared.title, shared.anchor) if shared else None,
            remarks=tuple(self._remarks()),
        )

    def _named(self) -> tuple[str, ...]:
        """The rule on values that the words on it say, or whose values they name all, and no others: ``0 none, 1
        ReLU``."""
        texts = {} if self.own.about is None else {lang: self.own.about.text(lang) for lang in LANGS}
        for rule in self.rules if texts else ():
            limit = self._limit(rule) if rule.when is None and rule.basis != "observed" else None
            if limit is not None and all(limit.is_said(text, lang) for lang, text in texts.items()):
                return (rule.id,)
            is_listed = limit is not None and self.param.type == INT
            allowed = limit.among(range(-MOST, MOST)) if is_listed and limit is not None else None
            if (
                allowed
                and len(allowed) >= _SEVERAL
                and all(allowed == set(map(int, _VALUES.findall(text))) for text in texts.values())
            ):
                return (rule.id,)
        return ()

    def _limit(self, rule: RuleDef) -> Limit | None:
        """What a rule says of the value of the param, or of each of its values."""
        name, check = self.param.name, rule.check
        match check:
            case tree.Each(quantifier="all", variables=(own,), source=source, condition=None, element=said):
                if name not in {part.name for part in tree.walk(source) if isinstance(part, tree.Param)}:
                    return None
                name, check = own, said
        found = limit_of(check)
        return found[1] if found is not None and found[0] in (name, f"{name}.value") else None

    def _marked(self, text: str, kinds: tuple[str, ...]) -> str:
        """A cell with the mark of the rules that it stands for, where all have one."""
        rules = [rule for rule in self.rules if rule.kind in kinds]
        rules += self.shaped if kinds == IN_SHAPE else []
        if "dtype" in kinds:
            limits = limiting(self.sayings)
            every, name = self.sayings.definition.rules, self.param.name
            rules += [rule for rule in every if any(one.param == name for one in limits.get(rule.id, ()))]
        marks = [_shown(self.sayings.mark(rule)) for rule in rules]
        if not any(marks):
            return text
        first = next(filter(None, marks))
        in_part = "dtype" in kinds and any(map(self.sayings.repeats_row, self.rules))
        in_part |= kinds == IN_SHAPE and first == MARKS[UNCHECKED] and self._is_limited()
        return f"{text} {first}" if {*marks} == {first} and not in_part else f"{text} ({first.strip('()')})"

    def _is_limited(self) -> bool:
        """Whether more dims are refused than the most that it may have, though fewer than the least are not."""
        most = any(text.endswith(f"-{MOST_DIMS}") for text in _texts(self.own.rank))
        limits = (
            rule for rule in self.sayings.definition.rules if rule.kind == "rank-limit" or rule.basis == "observed"
        )
        limits = (rule for rule in limits if rule.kind == "rank-limit" or is_of_rank(rule, self.param.name))
        return most and any(map(self.sayings.is_checked, limits))

    def _list_of(self, text: str) -> str:
        return self.words["list_of"].format(text) if "List" in self.param.ctype else text

    # --- cells

    def _strided(self) -> str:
        if self.own.strided == "transposed":
            return self.words["transposed"]
        return {"yes": "√", "no": "×"}.get(self.own.strided or "", "-")

    def _rank(self) -> str:
        """Ranks as the vendor's tables have them, and the symbolic shape where the spec gives one."""
        shapes = [text for text in _texts(self.own.shape) if text.startswith("(")]
        ranks = _texts(self.own.rank) or sorted({str(rank) for text in shapes if (rank := _rank_of(text)) is not None})
        shown = [text for text in (*ranks, *shapes) if is_same_as(text) is None]
        if shown:
            return self.sayings.listed(dict.fromkeys(shown))
        other = self._same()
        if other:
            return self.words["same"].format(other)
        ruled = any(rule.step in ("rank", "shape") for rule in self.rules)
        return self.words["any_rank"] if "aclTensor" in self.own.ctype and not ruled else "-"

    def _same(self) -> str:
        other = is_same_as(self.own.rank) or is_same_as(self.own.shape)
        twin = self.sayings.spec.twin
        mine = twin is not None and twin.operator == self.sayings.definition.name
        return "" if other is None else twin.rename.get(other, other) if twin is not None and mine else other

    def _shape(self) -> str:
        """The shape in letters, with how many dims there may be where letters do not say it."""
        found = shapes(self.sayings.definition).of.get(self.param.name, ())
        text = cell(self.param.name, self.sayings)
        ranks = [rank for rank in _texts(self.own.rank) if is_same_as(rank) is None]
        if text and (on := self._shaped_on()):
            text += self.words["note"].format(self.sayings.products(on))
        if text and all(any(item[0] in "*." for item in shape.items) for shape in found) and ranks:
            text = f"{text}{self.words['comma']}{self._dims(ranks)}"
        if not text and ranks:
            text = self._dims(ranks)
        if not ranks and self._same() and not self._has_as_many(self._same()):
            text = self.words["comma"].join(filter(None, [text, self.words["rank_of"].format(self._same())]))
        return self._marked(text, IN_SHAPE) if text else ""

    def _has_as_many(self, other: str) -> bool:
        """Whether letters show that it has as many dims as another param."""
        of = shapes(self.sayings.definition).of
        mine, its = ([shape.items for shape in of.get(name, ())] for name in (self.param.name, other))
        lone = {items[0] for items in (*mine, *its) if len(items) == 1 and items[0].startswith("*")}
        return bool(mine) and (mine == its or len(lone) < 2)

    def _shaped_on(self) -> list[str]:
        """The products that its shape is for, where the one rule that says it is for some and it is given on others."""
        every = [rule.when for rule in self.sayings.definition.rules if _shaped(rule.check) == self.param.name]
        on = tree.on_products(every[0]) if len(every) == 1 else None
        own = [name for name in self.sayings.spec.products if name in self.sayings.definition.supported]
        kept = [] if on is None else [name for name in own if on.holds(name) or on.holds(products.owner(name))]
        null = [rule.when for rule in self.rules if self._is_of_null(rule.check) and rule.when is not None]
        return kept if len(kept) < len(own) and not null else []

    def _dims(self, ranks: list[str]) -> str:
        if ranks == ["1"]:
            return self.words["dims_one"]
        told = _together(ranks) if all(map(_RANKS.fullmatch, ranks)) else ranks
        return self.words["dims"].format(prose.listing(told, self.sayings.lang, "or"))

    def _tags(self, about: str) -> Iterator[str]:
        """Null, formats and layout, where they are not as usual."""
        null = self.sayings.definition.rule(f"{self.param.name}.null")
        if null is not None and null.when is not None:
            on, rest = scope(null.when)
            on = on if rest is None else None
            named = [name for name, own in self.sayings.spec.products.items() if on and own != "no" and on.holds(name)]
            key, said = (
                ("null_on", self.sayings.products(named)) if named else ("null_if", self.sayings.condition(null.when))
            )
            yield self._marked(self.words[key].format(said), ("null",))
        elif null is not None and self._marked("", ("null",)):
            yield self._marked(self.words["not_null"], ("null",))
        elif null is None and self.param.pointer and not self.own.reserved and self._may_be_null():
            empty = any(_is_of_no_length(rule.check, self.param.name) for rule in self.rules)
            yield from () if _NULL_MEANS.search(about) else (self.words["null_is_empty" if empty else "may_be_null"],)
        others = [name for name in self.own.also if name.lower() != self.param.name.lower()]
        if others:
            yield self.words["also"].format(self.sayings.listed(others))
        if self.own.is_tensor and self.own.reserved:
            return  # null, of which no more is to be said
        formats = formats_on(self.sayings.spec, self.own, None).all
        mark = self._marked("", ("format",))
        if mark.strip() == MARKS[CONTRADICTED] and self.sayings.definition.rule(f"{self.param.name}.private-format"):
            mark = f" ({mark.strip()})"  # private formats are illegal all the same
        if formats and (formats != ("ND",) or bool(mark) != bool(self.usual.mark)):
            yield f"{self.words['formats'].format(self.sayings.listed(formats))}{mark}"
        if self._marked("", ("elements",)):
            yield self._marked(self.words["no_null_element"], ("elements",))
        if self.own.is_tensor and self.own.strided in ("no", "transposed"):
            word = "contiguous" if self.own.strided == "no" else "transposed_tag"
            yield self._marked(self.words[word], ("strided",))
        if self.own.empty is True and not self.usual.empty and not self._is_filled():
            yield self.words["empty_tag"]

    def _is_filled(self) -> bool:
        """Whether it is not empty whatever its row says: by a rule, or since all its dims are of tensors that are
        not."""
        filled = self.sayings.domains.filled
        mine, known = self._dims_of([self.param.name]), self._dims_of(filled)
        return self.param.name in filled or (bool(mine) and mine <= known)

    def _dims_of(self, tensors: Iterable[str]) -> set[str]:
        """The letters in the shapes of some tensors that are dims."""
        found = shapes(self.sayings.definition)
        text = " ".join(item for name in tensors for shape in found.of.get(name, ()) for item in shape.items)
        others = {param.name for param in self.sayings.definition.params} | found.letters.keys()
        return set(_LETTER.findall(text)) - others

    def _may_be_null(self) -> bool:
        """Whether no rule of the operator's own says whether it may be null: that it must (or else must be something),
        or that it must not, whatever the page says."""
        said = any(self._is_of_null(part) for rule in self.rules if rule.when is None for part in _either(rule.check))
        return not said and self.sayings.is_given(self.param) is None

    def _is_of_null(self, node: tree.Node) -> bool:
        return (
            isinstance(node, tree.IsNone)
            and isinstance(node.operand, tree.Param)
            and node.operand.name == self.param.name
        )

    # --- what stands below them

    def _notes(self) -> Iterator[Item]:
        shown = [rule for rule in self.rules if not in_columns(rule, self.sayings) and in_row(rule, self.sayings)]
        if isinstance(self.own.enum, dict):
            shown = [rule for rule in shown if rule.kind != "enum"]
        if self.own.shape is not None and not _is_cased(self.own.shape):
            shown = [rule for rule in shown if rule.kind not in IN_SHAPE]
        if not shown:  # as of most
            return iter(())
        stated = [rule for rule in self.rules if rule.basis != "observed"]
        narrower = implied(stated)
        sure = [rule for rule in stated if is_sure(rule, self.sayings.definition)]
        narrower |= {one.id for one in shown if one.basis == "observed" and one.id in implied([*sure, one])}
        narrower |= frozenset(self.usual.empty.rules if self.usual.empty else ())
        shown = [rule for rule in shown if rule.id not in narrower]
        shown = [rule for rule in shown if self._is_news(rule) and self.sayings.can_be_broken(rule)]
        places: dict[str, int] = {"": 0}  # what is for some products behind the rest, product by product
        shown = sorted(as_one(shown, self.sayings), key=lambda rule: places.setdefault(_products(rule), len(places)))
        return iter(self.sayings.together(shown, lambda rule: Sentence(partial(self.sayings.in_row, rule))))

    def _is_news(self, rule: RuleDef) -> bool:
        """Whether a rule does not go without saying; a limit on all tensors does beside narrower cells."""
        if rule.kind == "rank-limit":
            return not any(other.kind in IN_SHAPE or is_of_rank(other, self.param.name) for other in self.rules)
        if is_of_rank(rule, self.param.name) and self._is_shaped_as_limited(rule):
            return False
        if in_step(rule, self.sayings.definition) == {self.param.name} and self._is_beside_uniform():
            return False
        return self.sayings.is_checked(rule) or not follows(rule, self.sayings)

    def _is_shaped_as_limited(self, rule: RuleDef) -> bool:
        """Whether it has the shape, as shapes tell, of an earlier param of which the same is said."""
        definition, mine = self.sayings.definition, self.param.name
        earlier = [param.name for param in itertools.takewhile(lambda param: param.name != mine, definition.params)]
        pairs = [equal_params(other, "shape") for other in definition.rules if other.id in self.sayings.told]
        same = {name for pair in pairs if pair and mine in pair for name in pair if name in earlier}
        limit = limit_of(rule.check)
        return limit is not None and any(
            (found := limit_of(other.check)) is not None and found[1] == limit[1] and is_of_rank(other, other.param)
            for other in definition.rules
            if other.param in same and other.param is not None
        )

    def _is_beside_uniform(self) -> bool:
        """Whether each tensor has the data type of the one beside it in an earlier list that has one data type."""
        definition = self.sayings.definition
        sure = (rule for rule in definition.rules if rule.when is None and is_sure(rule, definition))
        alike = {in_step(rule, definition) for rule in sure}
        earlier = itertools.takewhile(lambda param: param.name != self.param.name, definition.params)
        return any({frozenset({one.name}), frozenset({one.name, self.param.name})} <= alike for one in earlier)

    def _remarks(self) -> Iterator[str]:
        for remark in remarks_of(self.sayings.definition):
            if remark.param == self.param.name:
                on = self.sayings.on(remark.on) if remark.on else ""
                yield f"{on}{remark.text(self.sayings.lang)}"

    def _usage(self) -> Iterator[str]:
        """What the vendor's form says of a param beside its cells."""
        stop = self.words["stop"]
        null = self.sayings.definition.rule(f"{self.param.name}.null")
        if null is not None and null.when is not None:
            yield self.sayings.plain.requirement(null)
        elif null is None and self.param.pointer and not self.own.reserved:
            yield self.words["optional"] + stop
        if self.own.also:
            also = self.words["also"].format(self.sayings.listed(self.own.also))
            yield also[0].upper() + also[1:] + stop
        if self.own.empty is True:
            yield self.words["empty"] + stop
        for rule in self.rules:
            if not in_columns(rule, self.sayings.plain) and rule.basis == "documented":
                yield self.sayings.plain.in_row(rule)
        yield from self._remarks()

    def _meanings(self, meanings: tuple[tuple[str, str], ...]) -> Iterator[str]:
        return (f"{value}{self.words['colon']}{text}{self.words['stop']}" for value, text in meanings)


#: what words on a param say that tells that it may be null, too
_NULL_MEANS = re.compile(
    r"(?<!not )\bnull(?:: | (?:or|\()[^:;<]*: | (?:without|when|where) )|\b(?:else|otherwise) null\b"
    r"|(?<![不须])为?空(?:指针)?(?:或空(?:字符)?串)?(?:表示|按|则|时|取)|传空指针"
)
_LETTER = re.compile(r"[A-Za-z]\w*")
_RANKS = re.compile(r"\d+(-\d+)?")
#: values of an attribute with what each means: ``0 none``, ``0为无``
_VALUES = re.compile(r"(?<![\w.-])(-?\d+)(?=[=:：]? ?[A-Za-z(（\u4e00-\u9fff])", re.A)


def _is_of_no_length(check: tree.Node, param: str) -> bool:
    """Whether a text must be empty, which null is, too."""
    match check:
        case tree.Compare(ops=("==",), operands=(tree.Length(operand=tree.Param(name=name)), tree.Const(value=0))):
            return name == param
    return False


def _shaped(check: tree.Node) -> str:
    """The param of which a rule says the shape."""
    match check:
        case tree.Compare(ops=("==" | "in",), operands=(tree.Attr(name="shape", base=tree.Param(name=name)), _)):
            return name
    return ""


def _products(rule: RuleDef) -> str:
    """What a rule says of the products that it is for."""
    parts = () if rule.when is None else build.conjuncts(rule.when)
    return " and ".join(write(part) for part in parts if tree.on_products(part) is not None)


def _together(ranks: Iterable[str]) -> list[str]:
    """Numbers and ranges of dims, each number once: three or more in a row as a range."""
    ends = [[int(end) for end in rank.split("-")] for rank in ranks]
    found: list[str] = []
    for first, last in runs(sorted({number for end in ends for number in range(end[0], end[-1] + 1)})):
        found += [f"{first}-{last}"] if last > first + 1 else map(str, range(first, last + 1))
    return found


def _either(check: tree.Node) -> tuple[tree.Node, ...]:
    """The alternatives of a check."""
    return check.items if isinstance(check, tree.Logic) and check.op == "or" else (check,)


def _texts(value: Any) -> list[str]:
    """The texts that a property may take, cases included: ``2-3``, or one per case."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list):
        return []
    found = [text for item in value for text in _texts(item.is_ if isinstance(item, Case) else item)]
    return list(dict.fromkeys(found))


def _is_cased(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, Case) for item in value)


def _rank_of(shape: str) -> int | None:
    """The rank of a symbolic shape; None where it has any number of leading dims."""
    inner = shape.strip("() ")
    if "*" in inner.split(",")[0] and inner.startswith("*"):
        return None
    depth, dims = 0, [""]
    for char in inner:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(char, 0)
        if char == "," and depth == 0:
            dims.append("")
        else:
            dims[-1] += char
    return None if any(dim.strip().startswith("*") for dim in dims) else sum(bool(dim.strip()) for dim in dims)
