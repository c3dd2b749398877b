"""Which rules of an operator a sentence of a log may mean: each rule is weighed against what the sentence tells."""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from opspec.assist.explain.clues import Clues, clues, hint, key, split_words, stems, words
from opspec.assist.explain.kernel_key import sought
from opspec.assist.explain.known import Known, texts_of
from opspec.assist.explain.names import ORDINARY, initials, is_result, joined
from opspec.assist.explain.stated import Stated, stated, unnamed_shapes, wants
from opspec.calls.examples.call import Call, Place
from opspec.language import prose, tree
from opspec.language.facts import PRODUCT_FACT, expanded
from opspec.language.interpret import Env, Undef, evaluate
from opspec.language.values import Scalar, Tensor
from opspec.registry.info import RuleInfo
from opspec.registry.registry import Form
from opspec.validator.explain import terms_of
from opspec.vocabulary import dtypes, formats, status
from opspec.vocabulary.enforcement import CONTRADICTED, REFUSED


@dataclass(frozen=True, slots=True)
class Weights:
    """What a rule gains (loses, where it is negative) by each thing that a sentence, a status or a call tells.

    They are points, set by hand: 1.0 is a hint that other rules of an operator share. What sets a rule apart from most
    others is worth three times that, as much as a candidate needs; a proof outweighs all hints together.
    """

    # params: which ones a sentence names says most about which rule it means
    subject: float = 3.0  # it names the param that the rule is about
    subject_first: float = 1.0  # and no other before it: messages begin with what they object to
    param: float = 1.2  # it names another param of the rule: relations name both, but so do lists of arguments
    stranger: float = -0.35  # it does not name a param of the rule: many messages name only one side of a relation
    others: float = -4.0  # it names params, and none of the rule: more than the right facet can make good

    # facets: dtype, format, shape …
    facet: float = 3.0  # the share of the rule's facets that it speaks of: "dtype" alone is said of each param
    no_facet: float = -2.0  # it speaks of others; less than the gain, for messages confuse dims and shapes

    # dtypes and formats
    breaks: float = 3.0  # the dtype that it objects to breaks the rule, whatever else the call is
    keeps: float = -2.0  # it keeps the rule: that of another release may be meant
    denied: float = -4.0  # the share of dtypes that it lists as allowed and the rule does not take
    same_set: float = 3.0  # it lists what is allowed, and the rule lists the same: rules of other params may, too

    # the values that the sentence gives, as far as the interpreter can tell with them alone
    broken: float = 8.0  # they break the rule where it applies: a proof
    perhaps: float = 2.0  # they break it, if it applies
    unbroken: float = -3.0  # they keep it: no proof, for a message may give values of another place
    elsewhere: float = -6.0  # it does not apply to them
    case: float = 2.0  # its condition reads what the sentence gives as the case that it is about
    unusual: float = -1.5  # its condition does not hold for usual calls

    # words
    hint: float = 3.0  # a word that stands for a function of the rule: "contiguous", "broadcast"
    same: float = 1.0  # "same", and the rule is an equality: many relations are
    number: float = 0.4  # a number of the rule that is none of 0, 1 and 2: numbers in messages are mostly values
    limit: float = 2.0  # one that it gives as a limit, of two at most, times its rarity among the operator's rules
    constant: float = 1.5  # a text of the rule, such as the name of a mode
    against: float = -1.5  # a text that its condition excludes
    word: float = 0.9  # another word of its sentence, times its rarity among the operator's rules

    # statuses and what was observed
    status: float = 0.7  # the one that the rule returns: few statuses stand for many rules
    other_status: float = -1.5  # another one: libraries return unlike ones for the same breach
    excluded: float = -9.0  # it does not apply on this product: more than all hints together
    refused: float = 1.5  # the runtime was seen to look at it
    contradicted: float = -2.5  # the runtime was seen to let it pass


WEIGHTS = Weights()
_ON_PRODUCT = {REFUSED: WEIGHTS.refused, CONTRADICTED: WEIGHTS.contradicted}
_MOST_TEXTS = 500  # of a rule that are looked at
_STRANGERS_MOST = 4  # params that count against a rule: a rule about ten is no less likely than one about six
_WORDS_MOST = 3.0  # what words may add up to: no more than a subject, however long the sentence is
LEAST = 3.0  #: of a candidate: what says less is chance
SURE = 7.0  #: of one that needs no others beside it


@dataclass(frozen=True, slots=True)
class Traits:
    """What is known of a rule that a sentence may speak of."""

    number: int
    subject: str
    params: frozenset[str]
    facets: frozenset[str]
    dtypes: frozenset[str]
    texts: frozenset[str]
    against: frozenset[str]
    numbers: frozenset[int]
    hints: frozenset[str]
    equal: bool
    words: frozenset[str]
    sizes: frozenset[str]
    guarded_by: frozenset[str]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule that may be meant, and how much speaks for it.

    Attributes:
        broken: whether the values that the sentence gives break it where it applies, whatever else the call is.
        kept: whether they keep it where it applies.
        by_status: whether little more than the status speaks for it.
    """

    rule: RuleInfo
    score: float
    broken: bool = False
    kept: bool = False
    by_status: bool = False


def candidates(
    form: Form, told: Clues, product: str | None, code: int | None, most: int, also: tuple[Stated, ...] = (),
    usual: Call | None = None,
) -> list[Candidate]:  # fmt: skip
    """The rules of an operator that a sentence may mean, the likeliest first.

    Args:
        product: id of the product, where it is known.
        code: the status that was returned, where it is known.
        also: what other sentences say of the same call.
        usual: a call as programs make it, which a message is about more likely than a special case.
    """
    text = joined(told.text, tuple(name for name, *_ in form.params))
    told = told if text == told.text else clues(text)
    facts = (*also, *said_by(form, told.text))
    known = Known(form, facts, product, None)
    case = Known(form, [item for item in facts if item.context], product, None)
    env = None if usual is None else Env(usual, form.info.lets, product, None)
    named, rarity = _named(form, told), _rarity(form)
    own = (_FACETS_OF_PLACES.get(item.place.facet) for item in said_by(form, told.text) if not item.context)
    told = told.with_more(split_words(told.words, rarity), frozenset(facet for facet in own if facet))
    shapes = () if named else unnamed_shapes(told.text)
    sizes = frozenset() if named else initials(told.text)
    found = []
    for traits in _traits(form):
        rule = form.info.rules[traits.number]
        score = _score(traits, rule, form, told, named, rarity, product) + _of_status(rule, code)
        of_values = _of_values(rule, known, case) or _of_shapes(rule, form, shapes, product)
        score += _ON_PRODUCT.get(rule.on_product(product), 0.0) + of_values
        score += 0.0 if sizes.isdisjoint(traits.sizes) else WEIGHTS.subject
        score += 0.0 if case.params.isdisjoint(traits.guarded_by) else WEIGHTS.case
        score += WEIGHTS.excluded if rule.id in _excluded(form, product) else 0.0
        if rule.when is not None and env is not None and score >= LEAST and evaluate(rule.when, env) is not True:
            score += WEIGHTS.unusual
        found.append(Candidate(rule, score, of_values >= WEIGHTS.broken, of_values == WEIGHTS.unbroken))
    if wants(told.text) and all(item.score < SURE for item in found):  # the runtime may refuse what the page allows
        found = [replace(item, score=item.score - WEIGHTS.unbroken) if item.kept else item for item in found]
    found.sort(key=lambda item: -item.score)
    sure = [item for item in found[:most] if item.score >= LEAST]
    if code is None or (sure and sure[0].score >= SURE):
        return sure
    rest = (
        replace(item, by_status=True) for item in found if item.score < LEAST and _may_be_by_status(item, code, product)
    )
    return [*sure, *itertools.islice(rest, most - len(sure))]


def _may_be_by_status(item: Candidate, code: int, product: str | None) -> bool:
    """Whether a rule may be meant of which a log tells the status and little else."""
    excluded = item.score <= WEIGHTS.excluded / 2
    return (
        not excluded
        and code in status.OF_ARGUMENTS
        and _is_alike(item.rule.status, code)
        and item.rule.on_product(product) == REFUSED
    )


@functools.lru_cache(maxsize=64)
def said_by(form: Form, text: str) -> tuple[Stated, ...]:
    """What a sentence says of an operator's arguments."""
    text = joined(text, tuple(name for name, *_ in form.params))
    return sought(form, text) or stated(text, {name: kind for name, kind, *_ in form.params}, texts_of(form))


def _of_values(rule: RuleInfo, known: Known, case: Known) -> float:
    """Whether a rule is broken with the values that a sentence gives, as far as they tell.

    Args:
        case: what of them is only the case that it speaks of, which is one that the runtime takes.
    """
    if not known.params or not known.reads(rule):
        return 0.0
    if case.params and case.reads(rule) and case.breaks(rule) != (True, None) and case.breaks(rule)[1] is not None:
        return WEIGHTS.elsewhere if case.breaks(rule)[1] else 0.0
    applies, broken = known.breaks(rule)
    if applies is False:
        return WEIGHTS.elsewhere
    if broken is False:
        return WEIGHTS.unbroken
    return 0.0 if broken is None else WEIGHTS.broken if applies else WEIGHTS.perhaps


def _of_shapes(rule: RuleInfo, form: Form, shapes: tuple[tuple[int, ...], ...], product: str | None) -> float:
    """Whether a rule is broken by shapes that a sentence gives without a name, if they are its tensors' in order."""
    read = {name for name, facet in rule.facts if facet in ("shape", "rank", "empty")}
    tensors = [name for name, kind, *_ in form.params if name in read and kind.startswith("tensor")]
    if not shapes or len(tensors) < len(shapes):
        return 0.0
    kinds = {name: kind for name, kind, *_ in form.params}
    facts = [
        Stated(Place(name, "shape", 0 if kinds[name].endswith("_list") else None), shape)
        for name, shape in zip(tensors, shapes, strict=False)
    ]
    _, broken = Known(form, facts, product, None).breaks(rule)
    return 0.0 if broken is None else WEIGHTS.perhaps if broken else WEIGHTS.keeps / 2


@functools.lru_cache(maxsize=64)
def _excluded(form: Form, product: str | None) -> frozenset[str]:
    """The rules that do not apply on a product, whatever the call is."""
    if product is None:
        return frozenset()
    nothing = Known(form, (), product, None)
    return frozenset(
        rule.id
        for rule in form.info.rules
        if rule.kind == "product" or (rule.when is not None and nothing.breaks(rule)[0] is False)
    )


def _named(form: Form, told: Clues) -> dict[str, float]:
    """The params that a sentence names, and how surely; a name may be part of a param's, or be written out or cut."""
    found = {key(name): 1.0 for name, *_ in form.params if key(name) in told.names}
    others = [word for word in told.names if word not in found and word not in ORDINARY]
    for name, *_ in form.params:
        bare = key(name)
        if bare not in found and any(_within(word, bare) for word in others):
            found[bare] = 0.5
        if bare not in found and any(is_result(word, bare) for word in others):
            found[bare] = 0.7
        if found.get(bare, 0.0) < 0.7 and any(_alike(name, word) for word in told.compounds):
            found[bare] = 0.7
    outputs = [info.name for info in form.param_infos.values() if info.is_output]
    if not found and len(outputs) == 1 and _OUTPUT.search(told.text) and not _INPUT.search(told.text):
        found[key(outputs[0])] = 0.5
    return found


_OUTPUT, _INPUT = (re.compile(word, re.IGNORECASE) for word in ("output", "input"))


def _within(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= 3 and (long.startswith(short) or long.endswith(short))


def _alike(param: str, word: str) -> bool:
    """Whether two compound names are made of the same words, cut or written out: ``seqLens``, ``sequenceLength``."""
    mine, theirs = stems(param), stems(word)
    return min(len(mine), len(theirs)) > 1 and 2 * len(mine & theirs) > max(len(mine), len(theirs))


def _score(
    traits: Traits, rule: RuleInfo, form: Form, told: Clues, named: dict[str, float], rarity: Rarity,
    product: str | None,
) -> float:  # fmt: skip
    score = 0.0
    if traits.subject in named:
        first = next((name for name in told.names if name in named), None)
        score += WEIGHTS.subject * named[traits.subject] + (WEIGHTS.subject_first if traits.subject == first else 0.0)
    others = traits.params - {traits.subject}
    score += sum(WEIGHTS.param * named[name] for name in others if name in named)
    score += WEIGHTS.stranger * min(_STRANGERS_MOST, sum(1 for name in others if name not in named))
    about_others = bool(traits.params) and 1.0 in named.values() and traits.params.isdisjoint(named)
    shared = traits.facets & told.facets
    if told.facets and traits.facets:
        score += WEIGHTS.facet * len(shared) / len(traits.facets) if shared else WEIGHTS.no_facet
    score += WEIGHTS.others if about_others else _of_dtypes(traits, rule, form, told, product)
    score += WEIGHTS.hint * len(traits.hints & told.hints) + (WEIGHTS.same if told.same and traits.equal else 0.0)
    limits = traits.numbers & told.limits - {0, 1, 2}
    score += WEIGHTS.number * len(traits.numbers & told.numbers - {0, 1, 2} - limits)
    score += WEIGHTS.limit * sum(sorted(rarity.get(str(number), 0.0) for number in limits)[-2:])
    score += WEIGHTS.constant * len(traits.texts & told.words) + WEIGHTS.against * len(traits.against & told.words)
    return score + min(_WORDS_MOST, WEIGHTS.word * sum(rarity.get(word, 0.0) for word in traits.words & told.words))


def _of_dtypes(traits: Traits, rule: RuleInfo, form: Form, told: Clues, product: str | None) -> float:
    """Whether the dtype that the sentence objects to breaks the rule, and whether it lists those that the rule has."""
    score = 0.0
    if told.allowed and traits.dtypes:
        mine = traits.dtypes
        if traits.facets == {"dtype"} and len(traits.params) == 1:
            mine = frozenset(names_taken(rule, form, product, None) or ()) or mine
            score += WEIGHTS.denied * len(told.allowed - mine) / len(told.allowed)
        score += WEIGHTS.same_set * len(told.allowed & mine) / len(told.allowed | mine)
    if told.wrong is not None and traits.facets == {"dtype"} and rule.param is not None:
        holds = taken(rule, form, rule.param, "dtype", told.wrong, product)
        score += 0.0 if holds is None else WEIGHTS.keeps if holds else WEIGHTS.breaks
    return score


def taken(
    rule: RuleInfo, form: Form, param: str, facet: str, value: str, product: str | None, member: str | None = None
) -> bool | None:
    """Whether a rule takes a dtype or format of a param, whatever the others are; None where they matter."""
    kind = next(item[1] for item in form.params if item[0] == param)
    one: object
    if kind.startswith("tensor"):
        one = Tensor((2, 2), value) if facet == "dtype" else Tensor((2, 2), "FLOAT", value)
    elif kind.startswith("scalar") and facet == "dtype":
        one = Scalar(value)
    else:
        return None
    args: dict[str, object] = {item[0]: None for item in form.params}
    args[param] = (one,) if kind.endswith("_list") else one
    env = Env(args, form.info.lets, product, member)
    if rule.when is not None:
        guard = evaluate(rule.when, env)
        if guard is not True:
            return True if guard is False and {name for name, _ in rule.facts} <= {param, ""} else None
    found = evaluate(rule.check, env)
    return None if isinstance(found, Undef) else found is True


def facet_of(rule: RuleInfo) -> str | None:
    """``dtype`` or ``format`` where that of its param is all that a rule is about; None of other rules."""
    facet = next((facet for name, facet in rule.facts if name), "")
    alone = {name for name, _ in rule.facts if name} == {rule.param}
    return facet if alone and facet in ("dtype", "format") else None


def names_taken(rule: RuleInfo, form: Form, product: str | None, member: str | None) -> list[str] | None:
    """The dtypes or formats of its param that a rule takes; None where it is of something else, or takes all.

    Args:
        product: id of the product, or None.
        member: a member of it, where that matters.
    """
    facet = facet_of(rule)
    if facet is None or rule.param is None:
        return None
    names = dtypes.names() if facet == "dtype" else formats.names()
    found = [name for name in names if taken(rule, form, rule.param, facet, name, product, member)]
    return found if len(found) < len(names) else None


def _of_status(rule: RuleInfo, code: int | None) -> float:
    if code is None:
        return 0.0
    expected = rule.status
    if _is_alike(code, expected):
        return WEIGHTS.status
    if expected == status.NULLPTR or code == status.NULLPTR:
        return 2 * WEIGHTS.other_status
    return WEIGHTS.other_status


def _is_alike(one: int, other: int) -> bool:
    """Whether two statuses are one, or both say that something inside failed: which of those is not certain."""
    return one == other or min(one, other) // _INNER == max(one, other) // _INNER == 5


@functools.lru_cache(maxsize=64)
def _traits(form: Form) -> tuple[Traits, ...]:
    info = form.info
    terms = terms_of(info)
    return tuple(_traits_of(number, rule, form, terms) for number, rule in enumerate(info.rules))


def _traits_of(number: int, rule: RuleInfo, form: Form, terms: prose.Terms) -> Traits:
    nodes = list(expanded(rule.check, form.info.lets))
    guard = [] if rule.when is None else expanded(rule.when, form.info.lets)
    constants = [node.value for node in nodes if isinstance(node, tree.Const)]
    applies = [] if rule.when is None else _said(rule.when, form)
    told = [*applies, *_said(rule.check, form)]
    against = {text for text, holds in applies if not holds} - {text for text, holds in applies if holds}
    named = {value for value in constants if isinstance(value, str)}
    texts = {text for text, holds in told if holds} - against
    params = {key(name) for name, _ in rule.facts if name}
    facets = {_FACETS.get(facet, facet) for _, facet in rule.facts} - {PRODUCT_FACT[1]}
    lists = {name for name, kind, *_ in form.params if kind in ("tensor_list", "scalar_list")}
    if facets > {"value"} and lists >= {name for name, facet in rule.facts if facet == "values" or facet == "value"}:
        facets -= {"value"}  # reading their elements
    if facets != {"presence"} and not any(
        isinstance(node, tree.IsNone) and node.negated for node in tree.walk(rule.check)
    ):
        facets -= {"presence"}  # reading what may be absent
    called = {node.function for node in nodes if isinstance(node, tree.Call)}
    equal = any(isinstance(node, tree.Compare) and "==" in node.ops for node in nodes) and len(params) > 1
    said = rule.say[0] if rule.say else prose.requirement(rule.check, "en", terms)
    return Traits(
        number,
        key(rule.param or ""),
        frozenset(params),
        frozenset(facets),
        frozenset(named & set(dtypes.names())),
        frozenset(value.lower() for value in texts - set(dtypes.names()) - set(formats.names())),
        frozenset(value.lower() for value in against - set(dtypes.names())),
        frozenset(value for value in constants if type(value) is int),
        frozenset((*filter(None, map(hint, called)), *filter(None, map(_condition, nodes)))),
        equal,
        words(f"{rule.id} {said}") | (_LAST if any(map(_is_last, nodes)) else frozenset()),
        frozenset(node.name.lower() for node in _limited(rule.check) if isinstance(node, tree.Let)),
        frozenset(node.name for node in guard if isinstance(node, tree.Param)),
    )


def _limited(check: tree.Node) -> Iterator[tree.Node]:
    """What the comparisons of a requirement compare."""
    for node in tree.walk(check):
        if isinstance(node, tree.Compare):
            yield from node.operands


def _condition(node: tree.Node) -> str | None:
    """The kind of a condition for which sentences have words of their own."""
    if isinstance(node, tree.Binary) and node.op == "%":
        return "multiple"
    if not isinstance(node, tree.Compare):
        return None
    if len(node.ops) > 1:
        return "range"
    one, other = node.operands
    if isinstance(one, tree.Const) and node.ops == ("not in",):  # no dim is 0
        return "empty" if one.value == 0 and isinstance(other, tree.Attr) and other.name == "shape" else None
    if not isinstance(other, tree.Const):
        return None
    if other.value == 0 and node.ops[0] in (">", ">="):
        return "sign"
    return "single" if other.value == 1 and isinstance(one, tree.Attr) and one.name == "numel" else None


_LAST = frozenset(("last", "element"))


def _is_last(node: tree.Node) -> bool:
    """Whether an expression reads the last element of something."""
    return isinstance(node, tree.Index) and isinstance(node.index, tree.Const) and node.index.value == -1


def _said(node: tree.Node, form: Form) -> list[tuple[str, bool]]:
    return list(itertools.islice(_texts(node, form.info.lets, True, set()), _MOST_TEXTS))


def _texts(node: tree.Node, lets: Mapping[str, tree.Node], holds: bool, seen: set[str]) -> Iterator[tuple[str, bool]]:
    """The texts in a statement, and whether it says that something is so, or is not so."""
    if isinstance(node, tree.Const) and isinstance(node.value, str):
        yield node.value, holds
    if isinstance(node, tree.Let) and node.name not in seen:
        yield from _texts(lets[node.name], lets, holds, seen | {node.name})
    denies = (isinstance(node, tree.Unary) and node.op == "not") or (
        isinstance(node, tree.Compare) and node.ops[0] in ("!=", "not in")
    )
    for part in tree.children(node):
        yield from _texts(part, lets, holds is not denies, seen)


_FACETS = {"values": "value"}
_FACETS_OF_PLACES = {
    "dtype": "dtype", "format": "format", "rank": "rank", "shape": "shape", "dim": "shape", "present": "presence",
}  # fmt: skip
_INNER = 100_000  # statuses of one kind have the same first digit
Rarity = dict[str, float]


@functools.lru_cache(maxsize=64)
def _rarity(form: Form) -> Rarity:
    """How much a word or a number tells, up to 1: the fewer rules have it the more."""
    counts = Counter(word for traits in _traits(form) for word in (*traits.words, *map(str, traits.numbers)))
    total = math.log(len(_traits(form)) + 1)
    return {word: math.log((len(_traits(form)) + 1) / count) / total for word, count in counts.items()}
