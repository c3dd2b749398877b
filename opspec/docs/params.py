"""The table of params: what each means, what it takes, and the rules about it alone."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from opspec.docs.domains import MOST, is_sure
from opspec.docs.glance import cell
from opspec.docs.glossary import Glossary
from opspec.docs.joining import as_one
from opspec.docs.limits import implied, limit_of, runs
from opspec.docs.refused import refusals, refused, refused_types
from opspec.docs.saying import MARKS, Item, Sayings, Sentence
from opspec.docs.shapes import shapes
from opspec.docs.support import Support, limiting
from opspec.docs.tables import in_step, same_types
from opspec.language import build, prose, tree
from opspec.language.normal import key
from opspec.language.types import INT
from opspec.model.definition import Definition, ParamDef, RuleDef
from opspec.model.remarks import remarks_of
from opspec.model.sets import dtypes_on, formats_on
from opspec.model.spec import Param, is_same_as
from opspec.model.stated import stated_of
from opspec.model.values import Case
from opspec.vocabulary.literals import LANGS

#: kinds of rules that the columns of the table say already
IN_COLUMNS = frozenset({"null", "elements", "dtype", "scalar-dtype", "format", "private-format", "rank", "strided"})

#: kinds whose cells list what is so on some condition or other, and do not say on which
_WITH_CASES = frozenset({"dtype", "scalar-dtype", "format", "rank"})

_SEVERAL = 2  # tensors of which one sentence says what each row would, and values that words may name

#: kinds of rules that the cell of the shape says
_IN_SHAPE = ("rank", "shape", "rank-relation", "shape-relation")


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


def param_rows(sayings: Sayings, table: Support, glossary: Glossary) -> tuple[ParamRow, ...]:
    """The rows in the prototype's order."""
    own, usual = stated_of(sayings.definition), layouts(sayings)
    params = sayings.definition.params
    return tuple(_Row(sayings, param, own[param.name][0], usual).made(table, glossary) for param in params)


@dataclass(frozen=True, slots=True)
class Layouts:
    """What is so of tensors whose rows say nothing of format and layout, and of which the vendor's page is silent.

    Args:
        usual: the key of the words that tell what is so of the others; none where there are no others.
        unsaid: the params of which the page does not say whether they may be non-contiguous.
        mark: what the runtime makes of formats other than ND.
        empty: that all tensors may be empty, or that none may.
        refused: private formats that those are refused in which are ND.
    """

    usual: str
    unsaid: str
    mark: str
    empty: Item | None
    refused: tuple[Item, ...]


def layouts(sayings: Sayings) -> Layouts:
    """What the rows leave out, since it is so of nearly every tensor."""
    own = stated_of(sayings.definition)
    tensors = {param.name: own[param.name][0] for param in sayings.definition.params if _is_tensor(param)}
    strided = any(param.strided == "yes" for param in tensors.values())
    plain = frozenset(name for name, param in tensors.items() if formats_on(sayings.spec, param, None).all == ("ND",))
    unsaid = [name for name, param in tensors.items() if param.strided == "unknown" and param.reserved is None]
    return Layouts(
        ("usual" if plain else "usual_layout") if strided else "usual_format" if plain else "",
        sayings.named(unsaid, tensors) if unsaid else "",
        _format_mark(sayings, tensors),
        _empty(sayings, tensors),
        tuple(refused(sayings, plain)),
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


def _format_mark(sayings: Sayings, tensors: Mapping[str, Param]) -> str:
    """The mark of the rule that most tensors have which take ND alone, in brackets where others have another one."""
    plain = [name for name, param in tensors.items() if formats_on(sayings.spec, param, None).all == ("ND",)]
    rules = (sayings.definition.rule(f"{name}.format") for name in plain)
    marks = Counter(sayings.mark(rule).replace(MARKS["assumed"], "") for rule in rules if rule is not None)
    first = marks.most_common(1)[0][0] if marks else ""
    return f"({first.strip('()')})" if first and len(marks.keys() - {""}) > 1 else first


def ranks_are_told(sayings: Sayings) -> bool:
    """Whether rows and shapes say of every tensor how many dims it may have: a limit of all says nothing more then."""
    definition = sayings.definition
    told = {rule.param for rule in definition.rules if rule.kind in _IN_SHAPE}
    for rule in definition.rules:  # some say the limit themselves, as it was observed
        if rule.when is None and rule.kind != "rank-limit":
            told |= {name for part in build.conjuncts(rule.check) if (name := _limited_in_rank(part))}
    found = shapes(definition).of
    counted = {word for name in told for shape in found.get(name or "", ()) for word in shape.stars}
    told |= {name for name, own in found.items() if own and all(shape.is_counted(counted) for shape in own)}
    given = (param for param in definition.params if _is_tensor(param) and sayings.is_given(param) is not False)
    return all(param.name in told for param in given)


def _is_of_rank(rule: RuleDef, param: str) -> bool:
    """Whether a rule says on any call how many dims a param has at most."""
    return rule.when is None and any(_limited_in_rank(part) == param for part in build.conjuncts(rule.check))


def _limited_in_rank(part: tree.Node) -> str:
    """The param of which a statement says how many dims it has at most."""
    match part:
        case tree.Compare(
            ops=("<=" | "<",), operands=(tree.Attr(name="rank", base=tree.Param(name=name)), tree.Const())
        ):
            return name
    return ""


def in_columns(rule: RuleDef, sayings: Sayings) -> bool:
    """Whether cells of the table say a rule: not one whose cases hang on other params, which a cell cannot tell."""
    if rule.id in sayings.told or (sayings.plain is not sayings and rule.id in refusals(sayings.definition)):
        return True
    if rule.id in limiting(sayings):
        return True
    if rule.kind not in IN_COLUMNS or rule.kind not in _WITH_CASES:
        return rule.kind in IN_COLUMNS
    own = [other for other in sayings.definition.rules if other.param == rule.param and other.kind == rule.kind]
    return _asked_for(rule.check, rule.when if len(own) > 1 else None) <= {rule.param}  # one cell has all that one says


@lru_cache(maxsize=4096)  # pages of an operator ask for each rule several times
def _asked_for(check: tree.Node, when: tree.Node | None) -> frozenset[str]:
    """The params and derived values that the conditions of a rule read, those within its statement among them."""
    conditions = [part.condition for part in tree.walk(check) if isinstance(part, (tree.If, tree.Implies))]
    if when is not None:
        conditions.append(when)
    read = (part for condition in conditions for part in tree.walk(condition))
    return frozenset(part.name for part in read if isinstance(part, (tree.Param, tree.Let)))


def in_row(rule: RuleDef, sayings: Sayings) -> bool:
    """Whether a rule stands in the row of its param: one that reads nothing else or is about its values, and all rules
    of an attribute.

    What was observed stands there, too, beside what it speaks against.
    """
    if rule.param is None or rule.alternatives or rule.is_lookup:  # which the tables say
        return False
    if any(param.name == rule.param and not _is_tensor(param) for param in sayings.definition.params):
        return True
    if rule.basis == "observed" or rule.id in sayings.definition.contradicted:
        return True
    found = sayings.definition.facts(rule.check)
    if {name for name, facet in found if facet == "values"} == {rule.param}:
        return True
    return {name for name, _ in sayings.definition.read_by(rule) if name} == {rule.param}


def follows(rule: RuleDef, sayings: Sayings) -> bool:
    """Whether a rule goes without saying: the cells or a rule on whole shapes, which is checked, say more."""
    definition = sayings.definition
    alike = definition.once(_by_meaning)
    always = alike.get(key(rule.check, None), ()) if rule.when is not None else ()  # which says more
    if any(other.id != rule.id and sayings.is_checked(other) for other in (*alike[_meaning(rule)], *always)):
        return True
    if any(other.id != rule.id and sayings.mark(other) == sayings.mark(rule) for other in always):
        return True
    for pair, attribute in ((equal_params(rule, "rank"), "shape"), (_promoted(rule), "dtype")):
        if pair is not None and any(
            other.when in (None, rule.when)
            and frozenset(equal_params(other, attribute) or ()) == frozenset(pair)
            and sayings.is_checked(other)
            for other in definition.rules
        ):
            return True
    pair = equal_params(rule, "dtype")
    return pair is not None and frozenset(pair) in same_types(definition)


def _by_meaning(definition: Definition) -> dict[tuple[str, str], list[RuleDef]]:
    """The rules of an operator by what they mean."""
    found: dict[tuple[str, str], list[RuleDef]] = {}
    for rule in definition.rules:
        found.setdefault(_meaning(rule), []).append(rule)
    return found


def _meaning(rule: RuleDef) -> tuple[str, str]:
    """What a rule requires and when; that what it reads is given goes without saying."""
    when = rule.when
    given = isinstance(when, tree.IsNone) and when.negated and when.operand in tree.walk(rule.check)
    return key(rule.check, None if given else when)


def promotes(rule: RuleDef) -> bool:
    """Whether all that a rule requires is that data types promote to a common one."""
    return _promoted(rule) is not None


def _promoted(rule: RuleDef) -> tuple[str, ...] | None:
    """The params of which a rule says that their data types promote to a common one, as equal ones do."""
    check = rule.check
    if not isinstance(check, tree.Call) or check.function != "promotable":
        return None
    bases = [side.base for side in check.args if isinstance(side, tree.Attr)]
    return tuple(base.name for base in bases if isinstance(base, tree.Param)) if len(bases) == 2 else None


def equal_params(rule: RuleDef, attribute: str) -> tuple[str, str] | None:
    """The params of which a rule says that this attribute is the same."""
    check = rule.check
    if not isinstance(check, tree.Compare) or check.ops != ("==",) or rule.basis == "observed":
        return None
    left, right = check.operands
    if not isinstance(left, tree.Attr) or not isinstance(right, tree.Attr) or left.name != attribute != right.name:
        return None
    names = [side.base.name for side in (left, right) if isinstance(side.base, tree.Param)]
    return (names[0], names[1]) if len(names) == 2 and left.name == right.name else None


def _is_tensor(param: ParamDef) -> bool:
    return param.kind in ("tensor", "tensor_list")


class _Row:
    def __init__(self, sayings: Sayings, param: ParamDef, own: Param, usual: Layouts) -> None:
        self.sayings = sayings
        self.usual = usual
        self.words = sayings.words
        self.param = param
        self.own = own
        self.rules = [rule for rule in sayings.definition.rules if rule.param == param.name]
        told = [rule for rule in sayings.definition.rules if sayings.told.get(rule.id) == param.name]
        self.shaped = [rule for rule in told if equal_params(rule, "rank") is None]  # which the same shape implies

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
        """The rule on values that the words on it name all, and no others: ``0 none, 1 ReLU``."""
        for rule in self.rules:
            limit = limit_of(rule.check) if rule.when is None and rule.basis != "observed" else None
            mine = limit is not None and limit[0] == self.param.name and self.param.type == INT
            allowed = limit[1].among(range(-MOST, MOST)) if mine and limit is not None else None
            texts = [] if self.own.about is None else [self.own.about.text(lang) for lang in LANGS]
            if (
                allowed
                and len(allowed) >= _SEVERAL
                and all(allowed == set(map(int, _VALUES.findall(text))) for text in texts)
            ):
                return (rule.id,)
        return ()

    def _marked(self, text: str, kinds: tuple[str, ...]) -> str:
        """A cell with the mark of the rules that it stands for, where all have one."""
        rules = [rule for rule in self.rules if rule.kind in kinds]
        rules += self.shaped if kinds == _IN_SHAPE else []
        if "dtype" in kinds:
            limits = limiting(self.sayings)
            every, name = self.sayings.definition.rules, self.param.name
            rules += [rule for rule in every if any(one.param == name for one in limits.get(rule.id, ()))]
        marks = [self.sayings.mark(rule).replace(MARKS["assumed"], "") for rule in rules]
        if not any(marks):
            return text
        first = next(filter(None, marks))
        in_part = "dtype" in kinds and any(map(self.sayings.repeats_row, self.rules))
        return f"{text} {first}" if {*marks} == {first} and not in_part else f"{text} ({first.strip('()')})"

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
        if text and all(any(item[0] in "*." for item in shape.items) for shape in found) and ranks:
            text = f"{text}{self.words['comma']}{self._dims(ranks)}"
        if not text and ranks:
            text = self._dims(ranks)
        if not text and self._same():
            text = self.words["rank_of"].format(self._same())
        return self._marked(text, _IN_SHAPE) if text else ""

    def _dims(self, ranks: list[str]) -> str:
        if ranks == ["1"]:
            return self.words["dims_one"]
        told = _together(ranks) if all(map(_RANKS.fullmatch, ranks)) else ranks
        return self.words["dims"].format(prose.listing(told, self.sayings.lang, "or"))

    def _tags(self, about: str) -> Iterator[str]:
        """Null, formats and layout, where they are not as usual."""
        null = self.sayings.definition.rule(f"{self.param.name}.null")
        if null is not None and null.when is not None:
            yield self._marked(self.words["null_if"].format(self.sayings.condition(null.when)), ("null",))
        elif null is not None and self._marked("", ("null",)):
            yield self._marked(self.words["not_null"], ("null",))
        elif null is None and self.param.pointer and not self.own.reserved and self._may_be_null():
            yield from () if _NULL_MEANS.search(about) else (self.words["may_be_null"],)
        others = [name for name in self.own.also if name.lower() != self.param.name.lower()]
        if others:
            yield self.words["also"].format(self.sayings.listed(others))
        if self.own.is_tensor and self.own.reserved:
            return  # null, of which no more is to be said
        formats = formats_on(self.sayings.spec, self.own, None).all
        mark = self._marked("", ("format",))
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
            shown = [rule for rule in shown if rule.kind not in _IN_SHAPE]
        narrower = implied(rule for rule in self.rules if rule.basis != "observed")
        narrower |= frozenset(self.usual.empty.rules if self.usual.empty else ())
        shown = [rule for rule in shown if rule.id not in narrower]
        shown = [rule for rule in shown if self._is_news(rule) and self.sayings.can_be_broken(rule)]
        shown = as_one(shown, self.sayings)
        return iter(self.sayings.together(shown, lambda rule: Sentence(partial(self._note, rule))))

    def _note(self, rule: RuleDef) -> str:
        """What a rule requires; of data types that no page refuses, that the runtime does."""
        return refused_types(rule, self.sayings) or self.sayings.in_row(rule)

    def _is_news(self, rule: RuleDef) -> bool:
        """Whether a rule does not go without saying; a limit on all tensors does beside narrower cells."""
        if rule.kind == "rank-limit":
            return not any(other.kind in _IN_SHAPE or _is_of_rank(other, self.param.name) for other in self.rules)
        if in_step(rule, self.sayings.definition) == {self.param.name} and self._is_beside_uniform():
            return False
        return self.sayings.is_checked(rule) or not follows(rule, self.sayings)

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
                on = self.words["note"].format(self.sayings.products(remark.on)) if remark.on else ""
                yield f"{remark.text(self.sayings.lang)}{on}"

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
    r"|(?<![不须])为?空(?:指针)?(?:表示|按|则|时|取)"
)
_LETTER = re.compile(r"[A-Za-z]\w*")
_RANKS = re.compile(r"\d+(-\d+)?")
#: values of an attribute with what each means: ``0 none``, ``0为无``
_VALUES = re.compile(r"(?<![\w.-])(-?\d+)(?=[=:：]? ?[A-Za-z(（\u4e00-\u9fff])", re.A)


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
