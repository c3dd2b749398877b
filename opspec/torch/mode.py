"""``opspec.torch.check``: judge each call that PyTorch makes while a model runs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from opspec.errors import OpspecError
from opspec.registry.registry import registry
from opspec.registry.toolkit import read_as
from opspec.torch.attention import KERNELS, Attention
from opspec.torch.binding import Binding, Signature, chosen, in_parts
from opspec.torch.parts import parts_of
from opspec.torch.places import Modules, line
from opspec.torch.report import Report
from opspec.torch.stand_ins import PLAYED
from opspec.torch.table import Case, Entry, table
from opspec.torch.values import Layouts, format_name, with_dims, without_ranks
from opspec.validator.api import check as judged
from opspec.validator.api import resolved
from opspec.validator.verdict import Verdict
from opspec.vocabulary.literals import Lang

KEPT = 1 << 16  #: most legal calls that are remembered, so that a run of any length keeps its memory


@contextmanager
def check(
    *, product: str | None = None, release: str | None = None, specs: Sequence[str] | str = (), lang: Lang = "en"
) -> Iterator[Report]:
    """Judge the calls made inside.

    Args:
        product: any spelling of a product; without it, rules that hang on the product are undecided.
        release: the release whose documents to judge by, or a version of CANN, which is read as the nearest release; by
            default that of the toolkit that the environment names (:func:`opspec.registry.toolkit.read_as`), else the
            newest that has the operator.
        specs: registry folders beside the built-in one.
        lang: language of the findings, ``"en"`` or ``"zh"``.

    Yields:
        The report, which grows as the model runs.

    Raises:
        OpspecError: unknown product or release; ``OPSPEC_RELEASE`` among them.
    """
    known = registry(specs)
    reading = read_as(known, release)
    report = Report(resolved(product)[1] or resolved(product)[0], reading)
    by = None if reading is None else reading.release
    with watched(product, lambda modules: Calls(report, modules, product, by, specs, lang)):
        yield report


@contextmanager
def watched(product: str | None, made: Callable[[Modules], Calls]) -> Iterator[None]:
    """Let a mode see the calls made inside, as a product would see them.

    Args:
        made: the mode, given what knows which modules are running.
    """
    played = PLAYED.set(resolved(product))
    try:
        with Modules() as modules, Attention(), made(modules):
            yield
    finally:
        PLAYED.reset(played)


class Calls(TorchDispatchMode):
    """Sees each call below autograd, and judges it when it has run."""

    def __init__(
        self,
        report: Report,
        modules: Modules,
        product: str | None,
        release: str | None,
        specs: Sequence[str] | str,
        lang: Lang,
    ) -> None:
        super().__init__()
        self.report, self.modules = report, modules
        self.product, self.release, self.specs, self.lang = product, release, specs, lang
        self.case = resolved(product)
        self.layouts = Layouts()
        self.signatures: dict[tuple[str, frozenset[str]], Signature] = {}
        self.legal: dict[Hashable, int] = {}  # calls that need not be judged anew, and how many of operators they are
        self.bindings: dict[tuple[str, frozenset[str], str], Binding] = {}

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the call, then look at it."""
        name = func.name()
        entry = table().judged(name)
        if entry is None and (parts := parts_of(func)) is not None:
            with self:
                return parts(*args, **(kwargs or {}))
        try:
            result = KERNELS.get(name, func)(*args, **(kwargs or {}))
        except Exception as error:
            if entry is not None:
                self.failed(entry, func, args, kwargs or {}, error)
            raise
        if entry is not None:
            self.done(entry, func, args, kwargs or {}, result)
        elif not func.is_view and name not in table().quiet:
            self.report.unknown(name)
        return result

    def failed(self, entry: Entry, func: Any, args: Any, kwargs: Any, error: Exception) -> None:
        """Look at a call that failed: what PyTorch itself refuses is PyTorch's to tell."""

    def done(self, entry: Entry, func: Any, args: Any, kwargs: Any, result: Any) -> None:
        """Judge a call that has run."""
        seen = None if entry.format is not None else self.layouts.seen((func, args, kwargs, result))
        if seen in self.legal:
            self.report.judged += self.legal[seen]
            return
        try:
            verdicts = [self._verdict(*bound) for bound in self.bound(entry, func, args, kwargs, result)]
        except OpspecError as error:
            self.report.not_judged[entry.name, str(error)] += 1
            return
        if not verdicts:
            self.report.unmapped[entry.name] += 1
            return
        self.report.judged += len(verdicts)
        for verdict in verdicts:
            if not verdict.legal:
                self.report.add(entry.name, verdict, self.modules.path, *line())
        if seen is not None and len(self.legal) < KEPT and all(verdict.legal for verdict in verdicts):
            self.legal[seen] = len(verdicts)

    def bound(self, entry: Entry, func: Any, args: Any, kwargs: Any, result: Any) -> list[tuple[str, dict[str, Any]]]:
        """The operator that a call comes to, and its arguments by param name; nothing where no case of the entry holds.

        Of a list that is handed over in parts there are several.

        Raises:
            OpspecError: an argument has no counterpart.
        """
        numbers = _numbers(func._schema, args)
        signature = self._signature(entry, func, numbers)
        given = signature.given(args, kwargs)
        if entry.format is not None:
            self.layouts.set(result, format_name(given[entry.format]))
        values = signature.values(given, result, self.layouts)
        cases = entry.cases if not numbers else entry.number.get(",".join(sorted(numbers)), ())
        case = chosen(cases, signature, signature.env(values, *self.case))
        if case is None:
            return []
        binding = self._binding(entry, case, signature, numbers)
        return [
            (case.operator, binding.arguments(part, *self.case)) for part in in_parts(values, table().most(entry.name))
        ]

    def _verdict(self, operator: str, arguments: dict[str, Any]) -> Verdict:
        """The verdict on a call.

        torch_npu names formats by rank, which is no choice of a model, and data in rows lie the same in ND: of the two
        ways to name them, the one that fits the page better counts. A number lies as a tensor of one element, from
        which pages count dims: where no status tells the two apart, that counts, too.
        """
        found = self._judged(operator, arguments)
        if found.legal:
            return found
        found = min(found, self._judged(operator, without_ranks(arguments)), key=lambda one: len(one.violations))
        if found.legal or found.code:
            return found
        dims = self._judged(operator, with_dims(without_ranks(arguments)))
        return dims if dims.legal else found

    def _judged(self, operator: str, arguments: dict[str, Any]) -> Verdict:
        return judged(
            operator, product=self.product, release=self.release, args=arguments, specs=self.specs, lang=self.lang
        )

    def _signature(self, entry: Entry, func: Any, numbers: frozenset[str]) -> Signature:
        known = self.signatures.get((entry.name, numbers))
        if known is None:
            known = self.signatures[entry.name, numbers] = Signature(func._schema, numbers, entry.let)
        return known

    def _binding(self, entry: Entry, case: Case, signature: Signature, numbers: frozenset[str]) -> Binding:
        key = (entry.name, numbers, f"{case.operator} {case.when}")
        known = self.bindings.get(key)
        if known is None:
            form = registry(self.specs).form(case.operator, self.release)
            known = self.bindings[key] = Binding(signature, case, form, table().defaults)
        return known


def _numbers(schema: Any, args: Sequence[Any]) -> frozenset[str]:
    """Arguments that are tensors by the schema, for which the call has numbers; autograd leaves some out."""
    return frozenset(
        argument.name
        for argument, value in zip(schema.arguments, args)  # noqa: B905 - the rest has its defaults
        if str(argument.real_type) == "Tensor" and not isinstance(value, torch.Tensor) and value is not None
    )
