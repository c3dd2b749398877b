"""``opspec.check``: judge calls from Python, and what the command line shares with it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence

from opspec.errors import ArgumentError, shown
from opspec.later import later
from opspec.registry.registry import Form, registry
from opspec.validator.judge import judge
from opspec.validator.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, overload

    from opspec.vocabulary import literals
else:
    literals = later("opspec.vocabulary.literals")

ALL = "all"  #: stands for every product of the operator


class Verdicts(dict[str, Verdict]):
    """A call judged on every product: product, or member of one, -> verdict."""

    @property
    def legal(self) -> bool:
        """Whether the call is legal on every product that the page supports."""
        return all(verdict.legal for verdict in self.values() if verdict.support == "yes")

    def __bool__(self) -> bool:
        return self.legal

    def __str__(self) -> str:
        """What ``opspec check --product all`` prints."""
        return "\n".join(map(str, self.values()))

    def to_dict(self) -> dict[str, dict[str, object]]:
        """The verdicts as JSON values."""
        return {product: verdict.to_dict() for product, verdict in self.items()}


if TYPE_CHECKING:

    @overload
    def check(
        op: str,
        /,
        *positional: Any,
        product: Literal["all"],
        release: str | None = None,
        args: Mapping[str, Any] | None = None,
        specs: Sequence[str] | str = (),
        lang: literals.Lang = "en",
        values: bool = False,
        **named: Any,
    ) -> Verdicts: ...
    @overload
    def check(
        op: str,
        /,
        *positional: Any,
        product: str | None = None,
        release: str | None = None,
        args: Mapping[str, Any] | None = None,
        specs: Sequence[str] | str = (),
        lang: literals.Lang = "en",
        values: bool = False,
        **named: Any,
    ) -> Verdict: ...


def check(
    op: str,
    /,
    *positional: object,
    product: str | None = None,
    release: str | None = None,
    args: Mapping[str, object] | None = None,
    specs: Sequence[str] | str = (),
    lang: literals.Lang = "en",
    values: bool = False,
    **named: object,
) -> Verdict | Verdicts:
    """Judge one call.

    Args:
        op: the operator, such as ``"aclnnGeluBackwardV2"``.
        *positional: arguments in the order of the first phase's params, before those by name.
        product: any spelling of a product; without it, rules that hang on the product are undecided. ``"all"`` judges
            the call on each.
        release: the release whose documents to judge by, by default the newest that has the operator.
        args: arguments by param name: ``opspec.Tensor`` and ``opspec.Scalar``, anything with ``.shape`` and
            ``.dtype`` (NumPy arrays, torch tensors), lists, numbers, texts, None for null, or the JSON forms. A
            required param must be named; an optional one left out is null.
        specs: registry folders beside the built-in one.
        lang: language of the findings, ``"en"`` or ``"zh"``.
        values: read the elements of array-like arguments; otherwise only their metadata.
        **named: arguments by param name, in place of ``args``. A param that has the name of a keyword of Python, or of
            an option of ``check``, ``infer`` or ``repair``, takes an underscore behind it: ``values_=…``, ``from_=…``.

    Returns:
        The verdict; true when the call is legal. With ``product="all"`` a verdict by product, together true when the
        call is legal on every product that is supported.

    Raises:
        UnknownOperatorError, UnknownReleaseError, UnknownProductError: there is none of that name.
        ArgumentError: an argument that is missing, of no param, or not in the form of its param.
        SpecError: the operator's spec is faulty.
        InternalError: a fault of opspec: nothing is said of the call.

    >>> from opspec import Scalar, Tensor
    >>> x = Tensor((2, 3), "FLOAT")
    >>> verdict = check("aclnnAdd", x, Tensor((3,), "FLOAT"), Scalar("FLOAT", 1.0), product="910b", out=x)
    >>> verdict.legal, verdict.status
    (True, 'ACLNN_SUCCESS')
    >>> check("aclnnAdd", x, Tensor((2,), "FLOAT"), Scalar("FLOAT"), product="910b", out=x).violations[0].rule
    'self-other-broadcast'
    >>> sorted(name for name, one in check("aclnnAdd", x, x, Scalar("FLOAT"), x, product="all").items() if one.legal)
    ['910', '910b', '950', 'A3']
    """
    data = named if args is None else given(op, args, named)
    if lang != "en":  # two calls less where nothing is to be looked at: a twentieth of the whole
        lang = language(lang)
    try:
        form = registry(specs).form(op, release)
        if positional:
            data = by_name(op, form, positional, data)
        typed = with_values(op, form, data, values) if values else (form.python_reader or _reader(form))(data)
        if product == ALL:
            return Verdicts(on_all(form, typed, lang))
        on, member = resolved(product)  # by name: Python calls what is given with a star more slowly
        return judge(form, typed, on, member, lang)
    except (AttributeError, TypeError):
        _check_types(op, product, release, args, specs)
        raise


def language(lang: str) -> literals.Lang:
    """The language of findings that is asked for.

    Raises:
        ArgumentError: there is no such language.
    """
    if lang == "en":
        return "en"
    if lang == "zh":
        return "zh"
    raise ArgumentError(f"unknown language {shown(lang)}; there are en and zh", param="lang")


def given(op: str, args: Mapping[str, object] | None, named: Mapping[str, object]) -> Mapping[str, object]:
    """The arguments of a call, however they were given.

    Raises:
        ArgumentError: they were given in both ways.
    """
    if args is not None and named:
        raise ArgumentError("give the arguments either as args={…} or by name, not both", where=op, operator=op)
    return named if args is None else args


def _check_types(op: object, product: object, release: object, args: object, specs: object) -> None:
    """Say which argument of a call of :func:`check` is of another type than it takes; looked at when it has failed.

    Raises:
        ArgumentError: one is.
    """
    folders = specs if isinstance(specs, (list, tuple)) else (specs,)
    wrong = [
        ("op", op, "a text", isinstance(op, str)),
        ("product", product, "a text", product is None or isinstance(product, str)),
        ("release", release, "a text", release is None or isinstance(release, str)),
        ("args", args, "a mapping", args is None or hasattr(args, "keys")),
        ("specs", specs, "folders", all(isinstance(folder, str) for folder in folders)),
    ]
    for name, value, expected, fits in wrong:
        if not fits:
            raise ArgumentError(f"{name} is {expected}, found {shown(value)}", param=name) from None


def on_all(form: Form, args: tuple[object, ...], lang: literals.Lang) -> Iterator[tuple[str, Verdict]]:
    """Each product of the operator, and the verdict on a call there."""
    for name in form.support:
        yield name, judge(form, args, *resolved(name), lang)


def by_name(op: str, form: Form, positional: tuple[object, ...], data: Mapping[str, object]) -> dict[str, object]:
    """Arguments by name, those that were given by position too."""
    names = [param[0] for param in form.params]
    if len(positional) > len(names):
        listed = ", ".join(names) or "none"
        said = f"{len(positional)} arguments are given by position; its params are {listed}"
        raise ArgumentError(said, where=op, operator=op)
    found = dict(zip(names, positional, strict=False))
    twice = next((name for name in found if name in data), None)
    if twice is not None:
        raise ArgumentError("given twice, by position and by name", where=f"{op}.{twice}", operator=op, param=twice)
    return {**found, **data}


def _reader(form: Form) -> Callable[[Mapping[str, object]], tuple[object, ...]]:
    from opspec.validator.python_args import python_reader  # imported late: the command line reads no Python values

    return python_reader(form)


def with_values(op: str, form: Form, data: Mapping[str, object], values: object) -> tuple[object, ...]:
    """The arguments of a call with the elements of what is like an array, where ``values`` asks for them."""
    from opspec.validator.python_args import python_arguments

    if not isinstance(values, bool):
        message = f"values is True or False, found {shown(values)}; a param of that name is given as values_"
        raise ArgumentError(message, where=op, param="values")
    return python_arguments(op, form.params, data, values=values)


@functools.lru_cache(maxsize=256)  # a file names few products, each of them often
def resolved(product: str | None) -> tuple[str | None, str | None]:
    """Product id and member of any spelling.

    Raises:
        UnknownProductError: unknown spelling.
    """
    if product is None:
        return None, None
    from opspec.vocabulary import products

    return products.resolve(product)
