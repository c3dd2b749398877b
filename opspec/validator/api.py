"""``opspec.check``: judge calls from Python, and what the command line shares with it."""

from __future__ import annotations

import functools

from opspec.errors import OpspecError
from opspec.registry.registry import registry
from opspec.validator.judge import judge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from opspec.registry.registry import Form
    from opspec.validator.verdict import Verdict

LANGUAGES = ("en", "zh")


def check(
    op: str,
    /,
    *,
    product: str | None = None,
    release: str | None = None,
    args: Mapping[str, Any] | None = None,
    specs: Sequence[str] | str = (),
    lang: str = "en",
    values: bool = False,
    **named: Any,
) -> Verdict:
    """Judge one call.

    Args:
        op: the operator, such as ``"aclnnGeluBackwardV2"``.
        product: any spelling of a product; without it, rules that hang on the product are left unchecked.
        release: the release whose documents to judge by, by default the newest that has the operator.
        args: arguments by param name: ``opspec.Tensor`` and ``opspec.Scalar``, anything with ``.shape`` and
            ``.dtype`` (NumPy arrays, torch tensors), lists, numbers, texts, None for null, or the JSON forms. A
            required param must be named; an optional one left out is null.
        specs: registry folders beside the built-in one.
        lang: language of the findings, ``"en"`` or ``"zh"``.
        values: read the elements of array-like arguments; otherwise only their metadata.
        **named: arguments by param name, in place of ``args``. Where a param has the name of one of this function's
            own arguments, use ``args``.

    Returns:
        The verdict; true when the call is legal.

    Raises:
        OpspecError: unknown operator, release, product or param, or an argument that is none.
    """
    if args is not None and named:
        raise OpspecError("give the arguments either as args={…} or by name, not both", where=op)
    if lang not in LANGUAGES:
        raise OpspecError(f"unknown language {lang!r}; there are en and zh")
    form = registry([specs] if isinstance(specs, str) else specs).form(op, release)
    data = named if args is None else args
    typed = _with_values(op, form, data) if values else (form.python_reader or _reader(form))(data)
    return judge(form, typed, *resolved(product), lang)


def _reader(form: Form) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
    from opspec.validator.python_args import python_reader  # imported late: the command line reads no Python values

    return python_reader(form)


def _with_values(op: str, form: Form, data: Mapping[str, Any]) -> tuple[Any, ...]:
    from opspec.validator.python_args import python_arguments

    return python_arguments(op, form.params, data, values=True)


@functools.lru_cache(maxsize=256)  # a file names few products, each of them often
def resolved(product: str | None) -> tuple[str | None, str | None]:
    """Product id and member of any spelling.

    Raises:
        OpspecError: unknown spelling.
    """
    if product is None:
        return None, None
    from opspec.vocabulary import products

    return products.resolve(product)
