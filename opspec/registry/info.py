"""What is known of an operator beside the code that judges it: read only when there is something to explain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from opspec.errors import internal
from opspec.jsontext import Reader
from opspec.language.codec import Trees, Writer
from opspec.language.interpret import Env, evaluate, outcome
from opspec.language.outcome import EARLY
from opspec.language.record import record
from opspec.language.tree import Node
from opspec.later import later, typing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.vocabulary import literals
else:
    literals = later("opspec.vocabulary.literals")

Fact = tuple[str, str]  # param, facet; see opspec.language.facts
Report = list[tuple[int, int]]  # rule number, outcome; see opspec.language.outcome


@record(frozen=True, slots=True)
class ParamInfo:
    """A param.

    Args:
        kind: as of :class:`opspec.model.definition.ParamDef`.
        nullable: whether null may stand for it in some call.
        pointer: whether its C type is a pointer.
        low, high: the range of an integer.
        is_output: whether it holds nothing before the call.
    """

    name: str
    kind: str
    nullable: bool
    pointer: bool
    low: int | None
    high: int | None
    is_output: bool


@record(frozen=True, slots=True)
class AlternativeInfo:
    """One way of satisfying a scenario: where ``when`` holds, all checks hold together.

    Args:
        words: what sentences call it, in English and Chinese.
    """

    words: tuple[str, str]
    when: Node | None
    checks: tuple[Node, ...]


@record(frozen=True, slots=True)
class RuleInfo:
    """A rule.

    Args:
        param: the param that a finding is about.
        status: the number of the status code that breaking it leads to.
        stage: where that is.
        usual: what becomes of a call that breaks it, on products of which ``on`` says nothing.
        on: product -> what becomes of it there, where evidence says otherwise.
        assumed: no evidence of this release shows that: it is another one's, or the general default.
        by_page: what would be taken to become of it, at which stage and with which status, if there were no evidence.
        sources: places of the clauses that it formalises.
        facts: what its check reads.
        guarded_by: params that its guard reads more of than its check does.
        say: the author's own sentence, in English and in Chinese.
    """

    id: str
    kind: literals.Kind
    param: str | None
    status: int
    stage: literals.Stage
    basis: literals.Basis
    usual: literals.Enforcement
    on: Mapping[str, literals.Enforcement]
    assumed: bool
    by_page: tuple[literals.Enforcement, literals.Stage, int]
    sources: tuple[str, ...]
    facts: tuple[Fact, ...]
    guarded_by: tuple[str, ...]
    say: tuple[str, str] | None
    _when: int | None
    _check: int
    _alternatives: Sequence[tuple[list[str], int | None, list[int]]]
    _trees: Trees

    def on_product(self, product: str | None) -> literals.Enforcement:
        """What becomes of a call that breaks it."""
        return self.on.get(product or "", self.usual)

    @property
    def is_lookup(self) -> bool:
        """Whether it is what a generated interface looks up: dtypes and formats of a kernel together."""
        return self.kind == "kernel" and self.stage == "kernel"

    @property
    def when(self) -> Node | None:
        """The condition under which it applies."""
        return _node(self._trees, self._when)

    @property
    def check(self) -> Node:
        """What it requires."""
        return self._trees.node(self._check)

    @property
    def alternatives(self) -> tuple[AlternativeInfo, ...]:
        """Of a scenario."""
        if not self._alternatives:
            return ()
        trees = self._trees
        return tuple(
            AlternativeInfo((words[0], words[1]), _node(trees, when), tuple(map(trees.node, checks)))
            for words, when, checks in self._alternatives
        )


@record(frozen=True, slots=True)
class OperatorInfo:
    """An operator.

    Args:
        document: the page that it is described on.
        outputs: the params that hold nothing before the call.
        lets: derived values.
        words: what sentences call those that have words of their own.
        dims: those that are dims of symbolic shapes.
        products: those that it may run on.
        early: (condition, number of the first rule that is not checked where it holds).
        example: product and arguments of the spec's example, in the spec's own notation.
    """

    document: str | None
    outputs: tuple[str, ...]
    rules: tuple[RuleInfo, ...]
    lets: Mapping[str, Node]
    early: tuple[tuple[Node, int], ...]
    words: Mapping[str, tuple[str, str]]
    dims: frozenset[str]
    example: tuple[str | None, Mapping[str, typing.Any]] | None
    products: frozenset[str]


def _node(trees: Trees, place: int | None) -> Node | None:
    return None if place is None else trees.node(place)


def report(operator: str, info: OperatorInfo, env: Env) -> Report:
    """What the compiled form would report of a call, found by the reference interpreter.

    Raises:
        InternalError: a rule cannot be judged for a fault of opspec.
    """
    found: Report = []
    at = ""
    try:
        early = [position for when, position in info.early if evaluate(when, env) is True]
        for number, rule in enumerate(info.rules):
            at = rule.id
            found += [(EARLY, number) for position in early if position == number]
            broken = outcome(rule.when, rule.check, env)
            if broken is not None:
                found.append((number, broken))
    except Exception as error:
        raise internal(operator, at, error) from error
    return found


# --- as text

_READER = Reader()


def written(
    document: str | None,
    outputs: list[str],
    rules: list[RuleInfo],
    lets: dict[str, int],
    words: Mapping[str, tuple[str, str]],
    dims: frozenset[str],
    early: list[tuple[int, int]],
    example: tuple[str | None, Mapping[str, object]] | None,
    trees: Writer,
) -> str:
    """The JSON text that :func:`read` takes. A rule is a list of the fields of :class:`RuleInfo` but its trees."""
    import json  # imported late: who reads needs none of it

    table, places = trees.table()
    value = {
        "document": document, "outputs": outputs, "rules": _rows(rules, places),
        "lets": {name: places[number] for name, number in lets.items()}, "words": dict(words),
        "dims": sorted(dims), "early": [(places[number], position) for number, position in early], "example": example,
        "trees": table,
    }  # fmt: skip
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _rows(rules: list[RuleInfo], places: Mapping[int, int]) -> list[list[object]]:
    """What is written of rules: of a check how many rows of the table it stands behind that of the rule before, of its
    other trees how many before it. So rules that are alike are written alike, which packs best."""
    rows: list[list[object]] = []
    before = 0
    for rule in rules:
        *fields, when, check, alternatives = (getattr(rule, name) for name in _FIELDS)
        own = places[check]
        choices = [
            (words, None if given is None else own - places[given], [own - places[part] for part in parts])
            for words, given, parts in alternatives
        ]
        rows.append([*fields, None if when is None else own - places[when], own - before, choices])
        before = own
    return rows


def read(text: str, products: frozenset[str]) -> OperatorInfo:
    """The information that a compiled form holds, with the products that the operator may run on."""
    value: typing.Any = _READER.value(text)
    trees, example = Trees(value["trees"]), value["example"]
    return OperatorInfo(
        value["document"],
        tuple(value["outputs"]),
        tuple(_rules(value["rules"], trees)),
        {name: trees.node(place) for name, place in value["lets"].items()},
        tuple((trees.node(when), position) for when, position in value["early"]),
        {name: tuple(words) for name, words in value["words"].items()},
        frozenset(value["dims"]),
        None if example is None else tuple(example),
        products,
    )


#: what is written of a rule, in this order: the fields but the last, the trees of all rules
_FIELDS: tuple[str, ...] = RuleInfo.__match_args__[:-1]
_LISTS = tuple(map(_FIELDS.index, ("by_page", "sources", "guarded_by")))
_FACTS, _SAY, _WHEN, _CHECK, _CHOICES = map(_FIELDS.index, ("facts", "say", "_when", "_check", "_alternatives"))


def _rules(rows: list[list[typing.Any]], trees: Trees) -> Iterator[RuleInfo]:
    own = 0
    for row in rows:
        own += row[_CHECK]
        row[_CHECK] = own
        for place in _LISTS:
            row[place] = tuple(row[place])
        row[_FACTS] = tuple(map(tuple, row[_FACTS]))
        if row[_SAY] is not None:
            row[_SAY] = tuple(row[_SAY])
        if row[_WHEN] is not None:
            row[_WHEN] = own - row[_WHEN]
        if row[_CHOICES]:
            row[_CHOICES] = [
                (words, None if given is None else own - given, [own - part for part in parts])
                for words, given, parts in row[_CHOICES]
            ]
        yield RuleInfo(*[*row, trees])
