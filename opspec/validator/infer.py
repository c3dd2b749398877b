"""``opspec.infer``: the outputs of a call from its inputs, where the rules determine them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod

from opspec.language.interpret import Env
from opspec.language.record import record
from opspec.language.values import Tensor
from opspec.later import later, typing
from opspec.registry.registry import Form, ParamForm, registry
from opspec.validator.api import given, language, resolved
from opspec.validator.arguments import arguments
from opspec.validator.demand import NOT_KNOWN, demand, suggest, value
from opspec.validator.judge import judge
from opspec.validator.python_args import by_name, metadata
from opspec.validator.verdict import Verdict
from opspec.validator.wanted import DTYPE, FORMAT, SHAPE, Contradiction, State, Wanted, WantedList
from opspec.vocabulary.enforcement import CONTRADICTED, REFUSED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from opspec.registry.info import RuleInfo
    from opspec.vocabulary import literals

    C = TypeVar("C")
else:
    literals = later("opspec.vocabulary.literals")

USUAL_FORMAT = "ND"


@record(frozen=True, slots=True)
class InferredTensor:
    """An output, or a tensor of one that is a list.

    Args:
        shape: None where the rules leave it open.
        dtype, format: the one that the rules leave, else a likely one of those that they do.
        determined: what of it the rules and the inputs determine.
    """

    shape: tuple[int, ...] | None
    dtype: str | None
    format: str | None
    determined: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether a tensor can be made of it."""
        return self.shape is not None and self.dtype is not None

    def to_dict(self) -> dict[str, object]:
        """As JSON values."""
        shape = None if self.shape is None else list(self.shape)
        return {SHAPE: shape, DTYPE: self.dtype, FORMAT: self.format, "determined": list(self.determined)}


@record(frozen=True, slots=True)
class Inference:
    """What the rules say of the outputs that a call leaves out.

    Args:
        product: id of the product, None where the call does not say.
        outputs: by param, without those that must be null; a tuple where the param is a list, None where its number of
            tensors is open.
        against: rules that the inputs break, or that cannot hold together with the others for these inputs.
        verdict: on the call with these outputs, None where one that must be there is open.
        args: the arguments of that call, in param order.

    >>> from opspec import Tensor
    >>> found = infer("aclnnSin", product="910b", self=Tensor((2, 3), "FLOAT"))
    >>> found.outputs["out"].shape, found.outputs["out"].dtype
    ((2, 3), 'FLOAT')
    >>> found.legal, found.against
    (True, ())
    """

    operator: str
    release: str
    product: str | None
    outputs: Mapping[str, InferredTensor | tuple[InferredTensor, ...] | None]
    against: tuple[str, ...]
    verdict: Verdict | None
    args: tuple[typing.Any, ...] | None

    @property
    def determined(self) -> bool:
        """Whether shape and dtype of every output follow from the inputs."""
        wanted = {SHAPE, DTYPE}
        return all(
            found is not None and all(wanted <= {*item.determined} for item in _items(found))
            for found in self.outputs.values()
        )

    @property
    def legal(self) -> bool:
        """Whether the call is legal with these outputs."""
        return self.verdict is not None and self.verdict.legal

    def completed(self, args: Mapping[str, object]) -> dict[str, object] | None:
        """The arguments of the call in their JSON form with these outputs; None where one is open.

        Args:
            args: the arguments that the call has.
        """
        if self.args is None:
            return None
        return {**args, **{name: _as_argument(found) for name, found in self.outputs.items()}}

    def to_dict(self) -> dict[str, object]:
        """As JSON values."""
        return {
            "op": self.operator,
            "release": self.release,
            "product": self.product,
            "determined": self.determined,
            "outputs": {name: _as_json(found) for name, found in self.outputs.items()},
            "against": list(self.against),
            "verdict": None if self.verdict is None else self.verdict.to_dict(),
        }


def infer(
    op: str,
    /,
    *,
    product: str | None = None,
    release: str | None = None,
    args: Mapping[str, object] | None = None,
    specs: Sequence[str] | str = (),
    lang: literals.Lang = "en",
    **named: object,
) -> Inference:
    """The outputs of a call that leaves them out.

    Args:
        op: the operator.
        product: any spelling of a product; without it, rules that hang on it say nothing.
        release: the release whose documents to go by, by default the newest that has the operator.
        args: arguments by param name, as :func:`opspec.check` takes them; outputs that are there are kept.
        specs: registry folders beside the built-in one.
        lang: language of the verdict's findings.
        **named: arguments by param name, in place of ``args``, as :func:`opspec.check` takes them.

    Raises:
        UnknownOperatorError, UnknownReleaseError, UnknownProductError: there is none of that name.
        ArgumentError: an argument that is missing, of no param, or not in the form of its param.
        SpecError: the operator's spec is faulty.
        InternalError: a fault of opspec: nothing is said of the call.

    >>> from opspec import Scalar, Tensor
    >>> found = infer("aclnnAdd", product="910b", self=Tensor((2, 3), "FLOAT"), other=Tensor((3,), "FLOAT"),
    ...               alpha=Scalar("FLOAT"))
    >>> found.outputs["out"].shape, found.outputs["out"].determined, found.determined
    ((2, 3), ('shape',), False)
    """
    data = given(op, args, named)
    return inferred(registry(specs).form(op, release), data, product, language(lang), metadata)


def inferred(
    form: Form, data: Mapping[str, typing.Any], product: str | None, lang: literals.Lang = "en", read: typing.Any = None
) -> Inference:
    """The outputs of a call whose arguments are given by name.

    Args:
        read: types one argument, as for :func:`opspec.validator.arguments.arguments`.
    """
    case = resolved(product)
    params = form.params if read is None else by_name(form.params)
    given_names = {name for name, *_, spellings, _, _ in params if any(word in data for word in (name, *spellings))}
    kinds = {param[0]: param[1] for param in form.params if param[1] in ("tensor", "tensor_list")}
    open_names = [name for name in form.info.outputs if name not in given_names and name in kinds]
    left_out = [_may_be_missing(param) if param[0] in open_names else param for param in params]
    typed = arguments(form.operator, left_out, data, read=read)
    known: dict[str, typing.Any] = dict(zip((param[0] for param in form.params), typed, strict=True))
    wanted = {name: Wanted() if kinds[name] == "tensor" else WantedList() for name in open_names}
    against = _Search(form, known, wanted, *case).run()
    outputs = {name: _shown(found) for name, found in wanted.items() if not found.absent}
    whole = _completed(form, known, outputs)
    verdict = None if whole is None else judge(form, whole, *case, lang)
    return Inference(form.operator, form.release, case[0], outputs, against, verdict, whole)


class _Search:
    """Takes the rules of an operator as true of a call, again and again until nothing new follows."""

    def __init__(
        self,
        form: Form,
        known: dict[str, typing.Any],
        wanted: Mapping[str, Wanted | WantedList],
        product: str | None,
        member: str | None,
    ) -> None:
        self.form, self.known, self.wanted = form, known, wanted
        self.product, self.member = product, member
        ways = [(rule.on_product(product), rule) for rule in form.info.rules]
        self.rules = [rule for way, rule in ways if way == REFUSED]  # first: what is checked is surely so
        self.rules += [rule for way, rule in ways if way not in (REFUSED, CONTRADICTED)]
        self.telling = [rule for rule in self.rules if self._tells(rule)]
        self.ideas = [(suggest, rule) for rule in self.telling]  # each is had once
        self.ideas += [  # what most calls do all the same
            (demand, rule) for way, rule in ways if way == CONTRADICTED and self._tells(rule)
        ]
        self.against: dict[str, None] = {}
        self.guessed = False

    def _tells(self, rule: RuleInfo) -> bool:
        """Whether a rule reads an output that is left out: of others it demands nothing."""
        return any(name in self.wanted for name, _ in rule.facts)

    def run(self) -> tuple[str, ...]:
        """Find what follows, then what is likely and what follows from that; the rules that cannot hold beside."""
        self._settle()
        self.against.update(dict.fromkeys(self._broken(self.rules)))
        for _, output in self._tensors():
            output.sure = output.known
        self.guessed = True  # what does not go together from here on is not the inputs' fault
        self._guess()
        while self._settle() or self._round(likely=True) or self._have_idea():
            pass
        self._guess()  # of tensors in lists whose length was found late
        return tuple(self.against)

    def _tensors(self) -> Iterator[tuple[str, Wanted]]:
        for name, found in self.wanted.items():
            for output in (found,) if isinstance(found, Wanted) else found.items or ():
                yield name, output

    def _guess(self) -> None:
        """Leave one dtype, format and shape of each output: the inputs' own where no rule is against it."""
        given = [found for found in map(_first_tensor, self.known.values()) if found is not None]
        for name, output in self._tensors():
            self._guess_name(name, output, DTYPE, [tensor.dtype for tensor in given])
            self._guess_name(name, output, FORMAT, [USUAL_FORMAT, *(tensor.format for tensor in given)])
            self._guess_shape(name, output, given)

    def _guess_name(self, name: str, output: Wanted, facet: str, liked: list[str]) -> None:
        left = output.among.get(facet)
        if left is None or len(left) > 1:
            usual = [found for found in liked if left is None or found in left]
            candidates = list(dict.fromkeys([*usual, *map(str, left or ())]))

            def take(candidate: str) -> None:
                output.among[facet] = (candidate,)

            if not self._take_one(name, facet, candidates, take) and candidates:
                take(candidates[0])

    def _guess_shape(self, name: str, output: Wanted, given: Sequence[Tensor]) -> None:
        """The first of several shapes; where a number of elements is all that is known, an input's, or one dim."""
        if output.known_shape() is None:
            candidates = output.shapes_left()
            if not candidates and output.rank is None:
                candidates = _of_count(output.known_numel, given)

            def take(candidate: tuple[int, ...]) -> None:
                output.rank, output.dims = len(candidate), dict(enumerate(candidate))

            before = output.state
            if not self._take_one(name, SHAPE, candidates, take):
                output.restore(before)

    def _take_one(self, name: str, facet: str, candidates: Sequence[C], take: Callable[[C], None]) -> bool:
        """Take the first candidate that no rule is against; whether there is one."""
        facets = (facet, "rank") if facet == SHAPE else (facet,)
        rules = [rule for rule in self.rules if any((name, one) in rule.facts for one in facets)]
        for candidate in candidates:
            take(candidate)
            if not self._broken(rules):
                return True
        return False

    def _settle(self) -> bool:
        new = False
        while self._round(likely=False):
            new = True
        return new

    def _round(self, likely: bool) -> bool:
        """Whether a rule says anything new: one that applies, or, where likely, one that may for all that is known."""
        new = False
        for rule in self.telling:
            env = self._env()
            try:
                if self._applies(rule, env, likely) and demand(rule.check, env):
                    new = True
            except Contradiction:
                if not self.guessed:
                    self.against[rule.id] = None
            if new and likely:
                return True  # what is sure comes first again
        return new

    def _have_idea(self) -> bool:
        """Whether one of the ideas says anything that no rule is against."""
        for idea in self.ideas:
            read, rule = idea
            env, before = self._env(), [(output, output.state) for _, output in self._tensors()]
            try:
                if not self._applies(rule, env, likely=False) or not read(rule.check, env):
                    continue
                good = not (broken := self._broken(self.rules))
            except Contradiction:
                good, broken = False, []
            if not good:
                after = [(output, output.state) for output, _ in before]
                _restore(before)
                if broken and {*broken} <= {*self._broken(self.rules)}:  # by the inputs alone
                    _restore(after)
            self.ideas.remove(idea)
            return True
        return False

    def _broken(self, rules: Sequence[RuleInfo]) -> list[str]:
        """The rules of these that are known not to hold."""
        env = self._env()
        return [rule.id for rule in rules if value(rule.check, env) is False and self._applies(rule, env, likely=False)]

    def _env(self) -> Env:
        now = {
            name: None if found.absent else found.items if isinstance(found, WantedList) and found.items else found
            for name, found in self.wanted.items()
        }
        return Env({**self.known, **now}, self.form.info.lets, self.product, self.member)

    def _applies(self, rule: RuleInfo, env: Env, likely: bool) -> bool:
        if rule.when is None:
            return not likely
        found = value(rule.when, env)
        return found is NOT_KNOWN if likely else found is True


def _restore(states: Sequence[tuple[Wanted, State]]) -> None:
    for output, state in states:
        output.restore(state)


def _may_be_missing(param: ParamForm) -> ParamForm:
    name, kind, _, _, spellings, low, high = param
    return name, kind, True, False, spellings, low, high


def _first_tensor(argument: object) -> Tensor | None:
    items = argument if isinstance(argument, tuple) else (argument,)
    return next((item for item in items if isinstance(item, Tensor)), None)


def _of_count(count: int | None, given: Sequence[Tensor]) -> list[tuple[int, ...]]:
    """Likely shapes of so many elements."""
    if count is None:
        return []
    alike = [tensor.shape for tensor in given if prod(tensor.shape) == count]
    return [(), (1,)] if count == 1 else list(dict.fromkeys([*alike, (count,)]))


def _shown(found: Wanted | WantedList) -> InferredTensor | tuple[InferredTensor, ...] | None:
    if isinstance(found, WantedList):
        return None if found.items is None else tuple(map(_tensor, found.items))
    return _tensor(found)


def _tensor(found: Wanted) -> InferredTensor:
    return InferredTensor(found.known_shape(), _name(found, DTYPE), _name(found, FORMAT), found.sure)


def _name(found: Wanted, facet: str) -> str | None:
    left = found.among.get(facet, ())
    return str(left[0]) if len(left) == 1 else None


def _completed(
    form: Form, known: Mapping[str, typing.Any], outputs: Mapping[str, typing.Any]
) -> tuple[typing.Any, ...] | None:
    """The arguments with these outputs; None where one that must be there is open."""
    needed = {rule.param for rule in form.info.rules if rule.kind == "null" and rule.when is None}
    result: list[typing.Any] = []
    for name, *_ in form.params:
        if name not in outputs:
            result.append(known[name])
            continue
        found = outputs[name]
        is_open = found is None or not all(item.complete for item in _items(found))
        if is_open and name in needed:
            return None
        result.append(None if is_open else _made(found))
    return tuple(result)


def _made(found: InferredTensor | tuple[InferredTensor, ...]) -> Tensor | tuple[Tensor, ...]:
    if isinstance(found, InferredTensor):
        return Tensor(found.shape or (), found.dtype or "", found.format or USUAL_FORMAT)
    return tuple(Tensor(item.shape or (), item.dtype or "", item.format or USUAL_FORMAT) for item in found)


def _items(found: InferredTensor | tuple[InferredTensor, ...]) -> Iterator[InferredTensor]:
    yield from found if isinstance(found, tuple) else (found,)


def _as_argument(found: InferredTensor | tuple[InferredTensor, ...] | None) -> object:
    if found is None or not all(item.complete for item in _items(found)):
        return None
    tensors = [{SHAPE: list(item.shape or ()), DTYPE: item.dtype, FORMAT: item.format} for item in _items(found)]
    return {"tensor_list": tensors} if isinstance(found, tuple) else {"tensor": tensors[0]}


def _as_json(found: InferredTensor | tuple[InferredTensor, ...] | None) -> object:
    if found is None:
        return None
    return [item.to_dict() for item in found] if isinstance(found, tuple) else found.to_dict()
