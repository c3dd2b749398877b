"""Where in a model a call comes from: the module whose ``forward`` runs, and the line of code."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Any

import torch
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook

#: code that no line of a model stands in
SKIPPED = tuple(os.path.join(os.path.dirname(os.path.abspath(file)), "") for file in (torch.__file__, __file__))


def line() -> tuple[str, int]:
    """File and line of the innermost code that is neither PyTorch's nor opspec's."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(SKIPPED):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


class Modules:
    """Knows, while it is entered, which modules are running."""

    def __init__(self) -> None:
        self._running: list[str] = []
        self._names: dict[int, str] = {}
        self._hooks: list[Any] = []

    def __enter__(self) -> Modules:
        self._hooks = [
            register_module_forward_pre_hook(self._enter),
            register_module_forward_hook(self._leave, always_call=True),
        ]
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for hook in self._hooks:
            hook.remove()
        self._running.clear()

    @property
    def path(self) -> str:
        """The running module by its place in the outermost: ``Decoder.layers.0.attention``; empty outside of all."""
        return self._running[-1] if self._running else ""

    def _enter(self, module: Any, args: Any) -> None:
        own = type(module).__name__
        if not self._running:
            self._names = {id(part): f"{own}.{name}" if name else own for name, part in module.named_modules()}
        self._running.append(self._names.get(id(module)) or f"{self.path}.{own}")

    def _leave(self, module: Any, args: Any, result: Any) -> None:
        if self._running:
            self._running.pop()
