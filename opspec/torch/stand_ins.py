"""Operators of torch_npu that the table names, where it is not installed: zeros of the right shape and dtype."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from types import ModuleType
from typing import Any

import torch

from opspec.errors import OpspecError
from opspec.language.interpret import Env
from opspec.torch.binding import Signature, value_of
from opspec.torch.table import Entry, Made, table
from opspec.torch.values import Layouts, torch_dtype

NAMESPACE = "npu"
MODULE = "torch_npu"

#: product and member that the stand-ins play, where it matters to them
PLAYED: ContextVar[tuple[str | None, str | None]] = ContextVar("PLAYED", default=(None, None))

_LIBRARIES: list[Any] = []  # PyTorch forgets the operators of a library that nobody holds


def register() -> None:
    """Define what the table has a schema of and PyTorch does not know."""
    if _LIBRARIES:
        return
    library = torch.library.Library(NAMESPACE, "FRAGMENT")
    _LIBRARIES.append(library)
    for entry in table().entries.values():
        if entry.schema is not None and not _is_known(entry.name):
            library.define(_plain(entry.name) + entry.schema)
            library.impl(_plain(entry.name), _stand_in(entry), "CompositeExplicitAutograd")


def install() -> None:
    """Make ``import torch_npu`` work where it is not installed: a module with the stand-ins alone."""
    if MODULE in sys.modules or importlib.util.find_spec(MODULE) is not None:
        return
    register()
    module = ModuleType(MODULE, "Stand-ins of opspec for the operators of torch_npu.")
    module.__spec__ = importlib.util.spec_from_loader(MODULE, loader=None)
    for name, entry in table().entries.items():
        if entry.schema is not None:
            setattr(module, _plain(name), getattr(getattr(torch.ops, NAMESPACE), _plain(name)))
    sys.modules[MODULE] = module


def _plain(name: str) -> str:
    return name.partition("::")[2]


def _is_known(name: str) -> bool:
    return bool(torch._C._jit_get_schemas_for_operator(name))


def _stand_in(entry: Entry) -> Callable[..., Any]:
    signature: Signature | None = None

    def made(*args: Any, **kwargs: Any) -> Any:
        nonlocal signature
        if signature is None:
            packet = getattr(getattr(torch.ops, NAMESPACE), _plain(entry.name))
            signature = Signature(packet.default._schema, lets=entry.let)
        given = signature.given(args, kwargs)
        known = signature.values(given, _absent(signature), Layouts())
        like = next(_tensors(given.values()), None)
        if like is None:
            raise OpspecError("a tensor is expected", where=entry.name)
        env = signature.env(known, *PLAYED.get())
        found = [
            _output(entry, source, signature, given, env, like, about)
            for source, about in zip(entry.returns, signature.schema.returns, strict=True)
        ]
        return None if not found else found[0] if len(found) == 1 else tuple(found)

    return made


def _absent(signature: Signature) -> Any:
    """Outputs that are not there yet."""
    return None if len(signature.results) == 1 else [None] * len(signature.results)


def _output(
    entry: Entry,
    source: str | Made,
    signature: Signature,
    given: dict[str, Any],
    env: Env,
    like: torch.Tensor,
    about: Any,
) -> Any:
    """One output: the argument itself where the schema says that it is changed."""
    if about.alias_info is not None and isinstance(source, str):
        return given[source]
    try:
        wanted = value_of(source, signature.scope, env)
    except OpspecError as error:
        raise OpspecError(f"no output can be made: {error.message}", where=entry.name) from None
    if isinstance(wanted, int):
        return wanted
    if isinstance(wanted, tuple):
        return [_zeros(item, like) for item in wanted]
    return _zeros(wanted, like)


def _zeros(wanted: Any, like: torch.Tensor) -> torch.Tensor:
    return torch.zeros(wanted.shape, dtype=torch_dtype(wanted.dtype), device=like.device)


def _tensors(values: Iterable[Any]) -> Iterator[torch.Tensor]:
    """All tensors among arguments, those in lists too."""
    for value in values:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(value)
