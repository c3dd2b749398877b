"""What a run of a model comes to on a product."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass

from opspec.registry.versions import Reading
from opspec.torch.table import table
from opspec.validator.verdict import Verdict


@dataclass(slots=True)
class Fault:
    """Calls from one place that break the same rules of an operator.

    Args:
        call: PyTorch's name of it, ``aten::add.Tensor``.
        verdict: on the first of them.
        module: path of the module whose code it is, empty outside of modules.
        file, line: the code.
        count: how many calls.
    """

    call: str
    verdict: Verdict
    module: str
    file: str
    line: int
    count: int = 1

    @property
    def operator(self) -> str:
        """The aclnn operator."""
        return self.verdict.op

    @property
    def status(self) -> str:
        """Name of the status code that the first phase is expected to return."""
        return self.verdict.status

    @property
    def fails(self) -> bool:
        """Whether the first phase is expected to refuse the call; if not, no status tells that it is illegal."""
        return bool(self.verdict.code)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Of each rule that is broken, what it requires and what the call has."""
        return tuple(finding.message for finding in self.verdict.violations)

    def to_dict(self) -> dict[str, object]:
        """The fault as JSON values."""
        return {
            "call": self.call,
            "operator": self.operator,
            "status": self.status,
            "module": self.module,
            "file": self.file,
            "line": self.line,
            "count": self.count,
            "fails": self.fails,
            "verdict": self.verdict.to_dict(),
        }

    def __str__(self) -> str:
        told = self.status if self.fails else "no status"
        times = f", {self.count} calls" if self.count > 1 else ""
        lines = [
            f"{_shown(self.file)}:{self.line}: {self.operator}: {told}",
            f"  {self.call} in {self.module or 'no module'}{times}",
        ]
        return "\n".join([*lines, *(f"  {finding.rule}: {finding.message}" for finding in self.verdict.violations)])


class Report:
    """All that was seen; true when no call was illegal.

    Attributes:
        reading: the release whose documents the calls are judged by, and what it was read from; None: the newest that
            has the operator.
        faults: in the order of the first call of each; ``failing`` and ``silent`` are its parts.
        judged: how many calls were judged.
        unmapped: calls that the table does not know -> how many.
        without_operator: calls that no operator stands for -> how many.
        not_judged: calls that could not be judged, with the reason -> how many.
    """

    def __init__(self, product: str | None, reading: Reading | None = None) -> None:
        self.product = product
        self.reading = reading
        self.judged = 0
        self.unmapped: Counter[str] = Counter()
        self.without_operator: Counter[str] = Counter()
        self.not_judged: Counter[tuple[str, str]] = Counter()
        self._faults: dict[tuple[object, ...], Fault] = {}

    @property
    def faults(self) -> list[Fault]:
        """Illegal calls, those from one place that break the same rules as one."""
        return list(self._faults.values())

    @property
    def failing(self) -> list[Fault]:
        """Those of the faults that a status tells: the run ends there."""
        return [fault for fault in self.faults if fault.fails]

    @property
    def silent(self) -> list[Fault]:
        """Those of the faults that no status tells: the run goes on, with what the documents do not vouch for."""
        return [fault for fault in self.faults if not fault.fails]

    @property
    def legal(self) -> bool:
        """Whether no call was illegal."""
        return not self._faults

    def unknown(self, call: str) -> None:
        """Note a call that the table has no entry of."""
        counted = self.without_operator if call in table().none else self.unmapped
        counted[call] += 1

    def add(self, call: str, verdict: Verdict, module: str, file: str, line: int) -> None:
        """Note an illegal call."""
        rules = tuple(finding.rule for finding in verdict.violations)
        key = (call, verdict.op, rules, module, file, line)
        known = self._faults.get(key)
        if known is None:
            self._faults[key] = Fault(call, verdict, module, file, line)
        else:
            known.count += 1

    def to_dict(self) -> dict[str, object]:
        """The report as JSON values."""
        return {
            "product": self.product,
            "release": None if self.reading is None else self.reading.release,
            "version": None if self.reading is None else self.reading.version,
            "legal": self.legal,
            "judged": self.judged,
            "faults": [fault.to_dict() for fault in self.faults],
            "unmapped": dict(self.unmapped),
            "without_operator": dict(self.without_operator),
            "not_judged": [
                {"call": call, "reason": reason, "count": count} for (call, reason), count in self.not_judged.items()
            ],
        }

    def __bool__(self) -> bool:
        return self.legal

    def __str__(self) -> str:
        product = "" if self.product is None else f" on {self.product}"
        lines = _section("will fail:", self.failing) + _section("illegal, and no status will tell:", self.silent)
        lines.append(f"{self.judged} calls judged{product}{self._release()}, {self._illegal()}")
        if self.reading is not None and not self.reading.is_exact:
            lines.append(self.reading.words("en"))
        lines += [f"not judged: {call}: {reason} ({count})" for (call, reason), count in self.not_judged.items()]
        for title, calls in (("no operator does", self.without_operator), ("not in the table", self.unmapped)):
            if calls:
                named = ", ".join(f"{name} ({count})" for name, count in calls.most_common())
                lines.append(f"{title}: {named}")
        return "\n".join(lines)

    def _illegal(self) -> str:
        """How many calls are illegal, and how many of them fail."""
        illegal, failing = (sum(fault.count for fault in faults) for faults in (self.faults, self.failing))
        return f"{illegal} illegal, of which {failing} will fail" if illegal else "0 illegal"

    def _release(self) -> str:
        """By which release, where that was chosen."""
        if self.reading is None:
            return ""
        source = f" ({self.reading.source})" if self.reading.source else ""
        return f" by CANN {self.reading.release}{source}"


def _section(title: str, faults: list[Fault]) -> list[str]:
    """Faults of a kind below their title, nothing where there are none."""
    return [title, *map(str, faults)] if faults else []


def _shown(file: str) -> str:
    """A file below the working directory by its path there."""
    here = os.path.join(os.getcwd(), "")
    return file.removeprefix(here)
